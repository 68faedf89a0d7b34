/* Results of `hepta tune`: rows of core/device/tuned.h, and the file that runs read. */
#ifndef HP_BENCH_TUNING_WRITE_H
#define HP_BENCH_TUNING_WRITE_H

#include "core/device/tuned.h"

HP_EXTERN_C_BEGIN

/* Checks without writing whether hp_tuned_write could put a file there: HP_ERR_FILE if something else than a file is
 * there, or the last existing folder of the path is not writable. */
hp_status hp_tuned_check_path(const char *path) HP_MUST_USE;

/* Writes the file atomically and makes its folders. */
hp_status hp_tuned_write(const char *path, const hp_device_info *info, const hp_tuned *t) HP_MUST_USE;

/* Adds a row; it replaces one of the same size, q and GPUs, or, if there is no room, the nearest. */
void hp_tuned_put(hp_tuned *t, const hp_tuned_row *row);

HP_EXTERN_C_END

#endif
