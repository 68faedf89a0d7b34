/* Cell arrays whose parts other processes hold: a file gets them piece by piece, so that no process holds a whole one.
 *
 *     rank 0                                       every rank
 *     hp_remote_open          -- path, token -->     opens the file that rank 0 has created (io/files/shared.h)
 *     hp_remote_write_fields,
 *     hp_remote_write_rows    -- make: n -->         numbers of chunk n to one rank, which makes its bytes (hp_remote_pack),
 *                             <-- length --          of n + 1 to the next, ...
 *       place by HDF5 (io/files/driver.h)
 *                             -- put: places -->     each writes its own
 *     hp_remote_close         -- close -->           closes it
 *
 * Datasets hold the bytes that hp_h5_fields and hp_h5_array make of whole arrays.
 */
#ifndef HP_IO_FILES_REMOTE_H
#define HP_IO_FILES_REMOTE_H

#include "io/files/hdf5.h"
#include "io/files/shared.h"
#include "physics/arrays.h"

HP_EXTERN_C_BEGIN

/* Cells lo <= (i, j, k) < hi. */
typedef struct hp_remote_box {
  int lo[3], hi[3];
} hp_remote_box;

int64_t hp_remote_box_cells(const hp_remote_box *b);

enum { HP_REMOTE_FIELDS = 4 };

/* Numbers of a cell's place in a file. */
typedef enum {
  HP_REMOTE_PLAIN,     /* the array's, of type F32 or F64 */
  HP_REMOTE_FLAG,      /* U8: likewise */
  HP_REMOTE_HIDDEN,    /* U8: vtkDataSetAttributes::HIDDENCELL where the array, ACTIVE, is 0; else 0 */
  HP_REMOTE_CELL,      /* I32, eight: the nodes of cells (io/files/lattice.h); the array is ACTIVE */
  HP_REMOTE_OWN_NODES, /* I32, eight: the same in VTK's order of those in CORNERS, which are in that of corners */
  HP_REMOTE_NODE,      /* F64, three: x, y, z of NODES, of which there is one more than cells along each axis */
  HP_REMOTE_ROWS       /* F32 or F64, all of the array's, in the order of cells: one field, not compressed */
} hp_remote_form;

/* Fields of a file, in its order (k slowest; except HP_REMOTE_ROWS), of arrays of one type. Plain data that can be
 * sent. */
typedef struct hp_remote_fields {
  int size[3]; /* nz, ny, nx */
  hp_h5_type type;
  hp_remote_form form;
  bool downwards;   /* of cells: i, j and z are left-handed */
  int level, count; /* gzip's, 0: none; fields */
  hp_array array[HP_REMOTE_FIELDS];
  bool less_one[HP_REMOTE_FIELDS];  /* 1 - the array is meant */
  double divisor[HP_REMOTE_FIELDS]; /* the array divided by it is meant; 0: as it is */
} hp_remote_fields;

typedef struct hp_remote_connection {
  int64_t a, b; /* cells */
  double trans; /* [m3] */
} hp_remote_connection;

/* Lists of numbers of a grid by corners (grid/corners.h). */
typedef enum { HP_REMOTE_COORD, HP_REMOTE_ZCORN } hp_remote_corners;

/* A connection of an analytic aquifer. */
typedef struct hp_remote_face {
  int64_t cell;
  double weight;
} hp_remote_face;

/* Functions that fetch them. */
typedef struct hp_remote {
  void *arg;
  /* Numbers of a box, k fastest, then j, then i; to [cells][numbers of the array]. */
  hp_status (*box)(void *arg, hp_array array, const hp_remote_box *box, double *to);
  /* A file that `path`.tmp names, which ranks write to until `close`. */
  hp_status (*open)(void *arg, const char *path, const hp_shared_token *token);
  hp_status (*close)(void *arg);
  /* Why rank 0 writes the latest of these files for all: the first rank that did not find it; 0: their hosts write whole pages
   * (hp_shared_writes_pages). -1: it does not. */
  int (*blind)(const void *arg);
  /* Chunks n, n + 1, ... of all fields, counted one after the other, are made, *count of them; chunk n + m has
   * (*begin)[m + 1] - (*begin)[m] bytes and, with level 0, the checksum (*sum)[m], which can be read until the next call. */
  hp_status (*make)(void *arg, const hp_remote_fields *f, int n, int *count, const int64_t **begin, const hp_sum **sum);
  /* Those that were made last are written to the file, each at place[m] [count]. */
  hp_status (*put)(void *arg, const int64_t *place);
  /* x, y, z of nodes that cells have of their own, from `first` on; NULL: there are none */
  hp_status (*nodes)(void *arg, int64_t first, int64_t count, double *to);
  /* Connections of cells that are not neighbours, from `first` on. */
  hp_status (*connections)(void *arg, int64_t first, int64_t count, hp_remote_connection *to);
  /* Numbers of corners, likewise. */
  hp_status (*corners)(void *arg, hp_remote_corners which, int64_t first, int64_t count, double *to);
  /* Connections of an aquifer of the case, likewise. */
  hp_status (*faces)(void *arg, int aquifer, int64_t first, int64_t count, hp_remote_face *to);
} hp_remote;

/* A file that rank 0 reads such arrays from: `count` cells from `first` on, in the order of cells, to [count][numbers
 * of the array]. */
typedef struct hp_remote_source {
  void *arg;
  hp_status (*read)(void *arg, hp_array array, int64_t first, int64_t count, double *to);
} hp_remote_source;

/* The number of chunks of all fields, and the array and cells of one. Fields that are not compressed are cut in the
 * same way, rows into planes. */
int hp_remote_chunks(const hp_remote_fields *f);
hp_array hp_remote_chunk(const hp_remote_fields *f, int n, hp_remote_box *box);
/* The bytes of work space [*plane], and the most bytes of a chunk in the file [*room]. */
void hp_remote_room(const hp_remote_fields *f, size_t *plane, size_t *room);
/* Makes chunk n of the file, packed unless level is 0, from its numbers [cells of its box] in the order of cells;
 * returns the bytes, 0 if zlib failed. */
size_t hp_remote_pack(const hp_remote_fields *f, int n, const double *numbers, uint8_t *plane, uint8_t *packed);
/* The part of a dataset's checksum for the bytes of a chunk that is not packed. */
hp_sum hp_remote_sum(const hp_remote_fields *f, int n, const uint8_t *bytes, size_t size);

/* All ranks open h, which is on the disk, and close it after what follows ended with `s`; returned is s, or else the
 * failure to close. */
hp_status hp_remote_open(const hp_remote *remote, const hp_h5 *h) HP_MUST_USE;
hp_status hp_remote_close(const hp_remote *remote, hp_status s) HP_MUST_USE;

/* Write the datasets name[n] [nz][ny][nx], compressed, or contiguous with level 0. */
hp_status hp_remote_write_fields(hp_h5 *h, const hp_remote *remote, const hp_remote_fields *f, const char *const *name,
                                 const char *const *unit) HP_MUST_USE;
/* Writes a contiguous dataset of a whole array in the order of cells, [cells] or [cells][numbers]; size is nx, ny,
 * nz. */
hp_status hp_remote_write_rows(hp_h5 *h, const hp_remote *remote, hp_array array, const int size[3], const char *name,
                               hp_h5_type type, const char *unit) HP_MUST_USE;
/* [count][3]: remote->nodes. */
hp_status hp_remote_write_nodes(hp_h5 *h, const hp_remote *remote, int64_t count, const char *name,
                                const char *unit) HP_MUST_USE;

/* Datasets of remote->connections: i, j, k from 1 of their cells a (end 0), b (end 1), I32 [count][3]; transmissibilities, F64 [count].
 * size: nx, ny, nz. */
hp_status hp_remote_write_ends(hp_h5 *h, const hp_remote *remote, int64_t count, int end, const int size[3],
                               const char *name) HP_MUST_USE;
hp_status hp_remote_write_trans(hp_h5 *h, const hp_remote *remote, int64_t count, const char *name,
                                const char *unit) HP_MUST_USE;

HP_EXTERN_C_END

#endif
