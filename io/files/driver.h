/* Private to io/files: an HDF5 driver for files on the disk whose numbers other processes may write.
 *
 *     rank 0: HDF5                                     all ranks
 *       H5Dwrite_chunk, H5Dwrite
 *         -> driver: metadata to the disk
 *                    numbers of a reserved place: none; where they would stand is noted
 *                                        -- place -->    pwrite (io/files/shared.h)
 *
 * Only HDF5 knows the file's structure; it places packed chunks by their lengths in the order of its calls. Places and
 * file are those of HDF5's own driver for files (sec2).
 */
#ifndef HP_IO_FILES_DRIVER_H
#define HP_IO_FILES_DRIVER_H

#include "io/files/hdf5.h"
#include "io/files/shared.h"

/* Sets the driver for files created with these properties; false if HDF5 refuses. */
bool hp_driver_use(hid_t access);
/* The first bytes of such a file, before HDF5 writes its own there. */
hp_status hp_driver_token(const hp_h5 *h, hp_shared_token *token) HP_MUST_USE;

/* Reserves the place in the file of a chunk of `size` bytes, at `from`, whose bytes HDF5 does not write. */
hp_status hp_driver_reserve_chunk(const hp_h5 *h, hid_t set, const char *name, const hsize_t *from, size_t size,
                                  int64_t *place) HP_MUST_USE;
/* The same for all numbers of a contiguous dataset of `rank` axes. */
hp_status hp_driver_reserve_all(hp_h5 *h, hid_t set, const char *name, hp_h5_type type, int rank,
                                int64_t *place) HP_MUST_USE;

#endif
