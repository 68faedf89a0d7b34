/* Files of linear systems (io/systems/system.h), read. */
#ifndef HP_BENCH_SOLVE_READ_H
#define HP_BENCH_SOLVE_READ_H

#include "io/files/hdf5.h"
#include "io/systems/system.h"

HP_EXTERN_C_BEGIN

/* Reads a file; the caller clears `out`. HP_ERR_FILE, with a message, for another kind of file, for sizes that
 * contradict each other, numbers that are not finite, and entries outside of the grid. x is not checked. */
hp_status hp_system_read(const char *path, hp_system *out) HP_MUST_USE;
void hp_system_clear(hp_system *S);

/* HP_ERR_FILE unless the dataset holds `count` numbers of that type, and the file their bytes. */
hp_status hp_h5_check_count(const hp_h5 *h, const char *name, hp_h5_type type, int64_t count) HP_MUST_USE;
/* The same, then all of them into data [count] (the type's in brackets). */
hp_status hp_h5_read_into(const hp_h5 *h, const char *name, hp_h5_type type, int64_t count, void *data) HP_MUST_USE;

HP_EXTERN_C_END

#endif
