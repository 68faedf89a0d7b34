/* Private to io/files: HDF5's driver for a file on the disk whose numbers other processes may write.
 *
 *     rank 0: HDF5                                     all ranks
 *       H5Dwrite_chunk, H5Dwrite
 *         -> driver: metadata to the disk
 *                    numbers of a reserved place: none; where they would stand is noted
 *                                        -- place -->    pwrite (io/files/shared.h)
 *
 * HDF5 alone knows the file's structure, and gives places to packed chunks in the order of their calls, by their length. With
 * this driver it gives the same places as with its own for files (sec2), and the file is one of that driver for all who read it.
 */
#ifndef HP_IO_FILES_DRIVER_H
#define HP_IO_FILES_DRIVER_H

#include "io/files/hdf5.h"
#include "io/files/shared.h"

/* Files that are created with these properties have the driver; false: HDF5 refuses. */
bool hp_driver_use(hid_t access);
/* The first bytes of such a file, until HDF5 writes its own there. */
hp_status hp_driver_token(const hp_h5 *h, hp_shared_token *token) HP_MUST_USE;

/* The place in the file of a chunk of `size` bytes, at `from`, whose bytes HDF5 does not write. */
hp_status hp_driver_reserve_chunk(const hp_h5 *h, hid_t set, const char *name, const hsize_t *from, size_t size,
                                  int64_t *place) HP_MUST_USE;
/* Likewise of all numbers of a contiguous dataset of `rank` axes. */
hp_status hp_driver_reserve_all(hp_h5 *h, hid_t set, const char *name, hp_h5_type type, int rank,
                                int64_t *place) HP_MUST_USE;

#endif
