/* Private to io/files: a field cut into chunks, each shuffled and deflated as HDF5's filters would do it.
 *
 * A chunk has about 262144 cells: as many whole layers as fit, else whole rows of one layer. HDF5 takes packed chunks
 * as they are (H5Dwrite_chunk). Packing outside of HDF5's pipeline converts and shuffles in one pass, from the order of
 * the cells, and in several threads, which HDF5 does not allow. Level 1 looks for runs of equal bytes only, since a
 * shuffled field of floating-point numbers has hardly any other repetitions, and leaves planes of noise as they are;
 * HDF5's filter has no such option. A chunk's bytes depend on its numbers alone.
 */
#ifndef HP_IO_FILES_CHUNKS_H
#define HP_IO_FILES_CHUNKS_H

#include "io/files/hdf5.h"

typedef struct hp_chunks {
  hp_h5_type type;
  int level; /* of gzip, 1..9 */
  hsize_t size[3], chunk[3];
  hsize_t count[3]; /* chunks in each direction */
  int tail;         /* 1, or numbers of a last axis that size[2] counts; chunks end between them */
  size_t width;     /* bytes of a number in the file */
  size_t numbers;   /* of a chunk */
  size_t room;      /* bytes that a packed chunk has at most */
} hp_chunks;

/* Plans the chunks of fields [size[0]][size[1]][size[2]]. With a tail every level looks for more than runs, because
 * nodes repeat from row to row. */
void hp_chunks_plan(hp_chunks *c, hp_h5_type type, const hsize_t size[3], int tail, int level);
int hp_chunks_count(const hp_chunks *c);
/* The first place of chunk n in the order of the file. */
void hp_chunks_from(const hp_chunks *c, int n, hsize_t from[3]);

/* Packs chunk n of `field` (its data, order and less_one) into `packed` [room], with work space `plane`
 * [width][numbers]; returns the bytes, 0 if zlib failed. */
size_t hp_chunks_pack(const hp_chunks *c, int n, const hp_h5_source *field, uint8_t *plane, uint8_t *packed);
/* Converts numbers (of the type in brackets) to those of a file that is not packed; returns the bytes. */
size_t hp_chunks_plain(hp_h5_type type, const void *numbers, size_t count, uint8_t *bytes);
size_t hp_chunks_width(hp_h5_type type); /* bytes of a number in the file */

#endif
