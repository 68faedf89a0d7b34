/* Opening a GPU (core/device/device.h) while something else is done: most of the time is the driver's, and nothing of
 * it depends on the deck.
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

/* The parts of hp_device_create, each to be called once, in this order: the device is there and will do; it is opened,
 * which takes a quarter of a second; its team gets the shape for so many cells, on the thread that uses it from then
 * on. What failed leaves a device to be destroyed. */
HP_GPU hp_status hp_device_find(const hp_device_options *opt, hp_device **out) HP_MUST_USE;
HP_GPU hp_status hp_device_open(hp_device *D) HP_MUST_USE;
HP_GPU hp_status hp_device_fit(hp_device *D, int64_t cells) HP_MUST_USE;
/* Frees everything; *D is a device. */
HP_GPU void hp_device_close(hp_device **D);

/* A device that is opened on a thread of its own while a deck is read (core/device/ahead.c). */
typedef struct hp_device_ahead hp_device_ahead;
/* HP_ERR_UNSUPPORTED: no CUDA in this build. opt may be NULL; without a shape. Where not NULL, `load` follows on the
 * same thread, beside the work of the one who took the device: it may load kernels, and must not use the device. With several GPUs
 * it ends before they are taken: CUDA may wait for running kernels before it loads one ("Lazy Loading" in its programming guide), and
 * those may wait for a launch that this would hold back. */
hp_status hp_device_ahead_start(const hp_device_options *opt, void (*load)(void), hp_device_ahead **out) HP_MUST_USE;
/* Waits until it is known whether there is a device that will do. */
hp_status hp_device_ahead_found(hp_device_ahead *A) HP_MUST_USE;
/* The device, as hp_device_create gives it; the caller's from now on. */
hp_status hp_device_ahead_finish(hp_device_ahead *A, int64_t cells, hp_device **out) HP_MUST_USE;
/* Closes a device that nobody took. */
void hp_device_ahead_destroy(hp_device_ahead **A);

HP_EXTERN_C_END

#endif
