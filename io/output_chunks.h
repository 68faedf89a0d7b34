/* Private to the result files: a field cut into chunks, each shuffled and deflated as HDF5's filters would do it.
 *
 * A chunk has about 262144 cells: as many whole layers as fit, else whole rows of one layer. HDF5 takes packed chunks
 * as they are (H5Dwrite_chunk). Packing here instead of in HDF5's pipeline converts and shuffles in one pass, and lets
 * level 1 look for runs of equal bytes only, which HDF5's filter cannot be told: a shuffled field of floating-point
 * numbers has hardly any other repetitions, so that its chunks are a few per cent larger in half of the time
 * (docs/performance.md).
 */
#ifndef HP_IO_OUTPUT_CHUNKS_H
#define HP_IO_OUTPUT_CHUNKS_H

#include "io/output_impl.h"

typedef struct hp_chunks {
  hp_h5_type type;
  int level;        /* of gzip, 1..9 */
  hsize_t size[3], chunk[3];
  size_t width;     /* bytes of a number in the file */
  size_t numbers;   /* of a chunk */
  size_t room;      /* bytes of `packed` */
  uint8_t *plane;   /* [width][numbers] */
  uint8_t *packed;  /* [room] */
} hp_chunks;

/* For fields [size[0]][size[1]][size[2]]. When it fails there is still something to destroy. */
hp_status hp_chunks_create(hp_chunks *c, hp_h5_type type, const hsize_t size[3], int level) HP_MUST_USE;
void hp_chunks_destroy(hp_chunks *c);

/* Packs the chunk that begins at from[3] of the field `data` into c->packed; returns how many bytes, 0: zlib failed. */
size_t hp_chunks_pack(hp_chunks *c, const hsize_t from[3], const void *data);

#endif
