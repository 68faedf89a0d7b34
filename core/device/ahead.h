/* Opens a GPU (core/device/device.h) on a thread of its own, because the driver takes its time and needs nothing of the
 * deck.
 *
 *     HP_TRY(hp_device_ahead_start(NULL, NULL, &A));       a thread begins
 *     ...                                                  a deck is read
 *     HP_TRY(hp_device_ahead_found(A));                    there is one that will do, or the message why not
 *     HP_TRY(hp_device_ahead_finish(A, ncell, &D));          as hp_device_create
 *     hp_device_ahead_destroy(&A);
 */
#ifndef HP_CORE_DEVICE_AHEAD_H
#define HP_CORE_DEVICE_AHEAD_H

#include "core/device/device.h"

HP_EXTERN_C_BEGIN

/* HP_ERR_UNSUPPORTED in a build without CUDA. */
hp_status hp_device_in_build(void) HP_MUST_USE;

/* hp_device_available where there is CUDA. */
HP_GPU hp_status hp_device_first_fits(void) HP_MUST_USE;

/* hp_device_count where there is CUDA. */
HP_GPU hp_status hp_device_visible(int *count) HP_MUST_USE;
/* hp_device_memory where there is CUDA. */
HP_GPU int64_t hp_device_memory_of(int ordinal);

/* The parts of hp_device_create, each called once, in this order: find checks that the device exists and will do; open
 * takes a quarter of a second; fit gives its team the shape for `cells`, on the thread that uses the device from then
 * on. A failure leaves a device to be destroyed. */
HP_GPU hp_status hp_device_find(const hp_device_options *opt, hp_device **out) HP_MUST_USE;
HP_GPU hp_status hp_device_open(hp_device *D) HP_MUST_USE;
HP_GPU hp_status hp_device_fit(hp_device *D, int64_t cells) HP_MUST_USE;
/* Frees everything; *D is a device. */
HP_GPU void hp_device_close(hp_device **D);

/* A device that is being opened on a thread of its own (core/device/ahead.c). */
typedef struct hp_device_ahead hp_device_ahead;
/* Starts the thread. opt may be NULL and has no shape. `load`, unless NULL, follows on the same thread, beside the work
 * of the device's owner: it may load kernels, and must not use the device. With several GPUs it ends before they are
 * handed over: CUDA may wait for running kernels before it loads one ("Lazy Loading" in its programming guide), and
 * those may wait for a launch that this would hold back. HP_ERR_UNSUPPORTED in a build without CUDA. */
hp_status hp_device_ahead_start(const hp_device_options *opt, void (*load)(void), hp_device_ahead **out) HP_MUST_USE;
/* Waits until a suitable device is found, or returns why there is none. */
hp_status hp_device_ahead_found(hp_device_ahead *A) HP_MUST_USE;
/* Hands the device over to the caller, as hp_device_create does. */
hp_status hp_device_ahead_finish(hp_device_ahead *A, int64_t cells, hp_device **out) HP_MUST_USE;
/* Closes a device that nobody took. */
void hp_device_ahead_destroy(hp_device_ahead **A);

HP_EXTERN_C_END

#endif
