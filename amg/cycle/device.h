/* The multigrid cycle on a GPU: what it reads, made from the hierarchy of amg/setup/device.h, and its kernels.
 *
 *     hp_amg_device_cycle *C;
 *     HP_TRY(hp_amg_device_cycle_create(D, &opt, &C));
 *     HP_TRY(hp_amg_device_build(H, &A, nwell));
 *     HP_TRY(hp_amg_device_cycle_prepare(C, H, G));    rows in slices, memory; after every build
 *     HP_TRY(hp_amg_device_cycle_numbers(C));          after it, and after every hp_amg_device_refresh
 *     HP_TRY(hp_amg_device_cycle_apply(C, b, x));      one cycle; or inside a kernel: hp_amg_program_cuda(t, data, ...)
 *
 * The passes are those of a CPU (amg/cycle/program.h); 1, 4, 8 or 32 threads process a row, so that levels with few rows
 * keep a GPU busy too, of csr any power of two up to 32. The lanes' sums of a row are added in pairs, so that the last
 * digits differ from the CPU's.
 */
#ifndef HP_AMG_CYCLE_DEVICE_H
#define HP_AMG_CYCLE_DEVICE_H

#include "amg/setup/device.h"

HP_EXTERN_C_BEGIN

typedef struct hp_amg_device_cycle hp_amg_device_cycle;

/* Whether the smoother's groups of rows are made on the host, from a copy of every level, at each preparation. */
bool hp_amg_device_smoother_on_host(hp_amg_smoother smoother);

hp_status hp_amg_device_cycle_create(hp_device *D, const hp_amg_options *opt, hp_amg_device_cycle **out) HP_MUST_USE;
void hp_amg_device_cycle_destroy(hp_amg_device_cycle **C);

/* Prepares cycles of the hierarchy as it was built last; H must outlive their use. G: level 0 as GH (q = 1) on the device, which cycles
 * then read instead of H's rows, or NULL; it must outlive C. Waits for the sizes of the slices. */
hp_status hp_amg_device_cycle_prepare(hp_amg_device_cycle *C, const hp_amg_device *H, const hp_gh *G) HP_MUST_USE;

/* The numbers of all levels of a hierarchy again, from A's values as they are now, whose pattern has stayed: coarse points
 * and P are kept. One launch, in the stream, not waited for. */
hp_status hp_amg_device_refresh(hp_amg_device *H) HP_MUST_USE;
/* The same and the numbers that cycles read in one launch (and those of smoothers with kernels of their own). */
hp_status hp_amg_device_cycle_refresh(hp_amg_device_cycle *C, hp_amg_device *H) HP_MUST_USE;

/* The copy of the finest level as GH in the cycle's precision, [7][G's ld]. A refresh fills it from G's h; if that is
 * NULL, the caller does. Returns NULL where cycles read G's h. */
void *hp_amg_device_cycle_finest(const hp_amg_device_cycle *C);

/* The argument of hp_amg_program_cuda, in the device's memory: the same place for the life of C. */
const hp_amg *hp_amg_device_cycle_data(const hp_amg_device_cycle *C);

int64_t hp_amg_device_cycle_bytes(const hp_amg_device_cycle *C);
/* Passes of a cycle, a barrier each; of a sweep after the coarse correction on level l, 0 on the last. */
int hp_amg_device_cycle_passes(const hp_amg_device_cycle *C);
int hp_amg_device_cycle_sweep_passes(const hp_amg_device_cycle *C, int l);

HP_EXTERN_C_END

#endif
