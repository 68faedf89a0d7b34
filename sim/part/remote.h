/* Fields of a run as rank 0 writes them, piece by piece (io/files/remote.h): each rank has its part of the arrays.
 *
 *     rank 0                                     every rank
 *     hp_remote, its functions  -- request -->      hp_subdomain_remote_do: boxes of cells to rank 0, or chunks to those that
 *                                                pack them, R at a time
 *     hp_remote_source  -- pieces of columns -->    hp_subdomain_remote_put: each keeps those of its part
 */
#ifndef HP_SIM_PART_REMOTE_H
#define HP_SIM_PART_REMOTE_H

#include "io/files/remote.h"
#include "sim/part/subdomain.h"

HP_EXTERN_C_BEGIN

/* The owners of cells: boxes of columns, such as parts, or planes of i before there are parts. */
typedef struct hp_remote_owners {
  hp_ranks *K;
  int rank, ranks;
  const hp_box *boxes; /* [ranks] */
  int ny, nz;
  const hp_subdomain *D; /* where cells of a part stand; NULL: planes, those from cell `first` on are here */
  int64_t first;
} hp_remote_owners;

hp_remote_owners hp_subdomain_remote_owners(const hp_subdomain *D);

/* A rank's cells of the arrays, [cells][numbers]; NULL: the run has none. */
typedef struct hp_subdomain_arrays {
  const void *array[HP_REMOTE_ARRAYS];
  size_t width[HP_REMOTE_ARRAYS]; /* of a number: of a float, int32_t (CORNERS), uint16_t or byte; 0: of a double */
} hp_subdomain_arrays;

/* A request of rank 0 to all: plain data. */
typedef struct hp_remote_request {
  bool pack;             /* chunks from `first` on of `fields`, as many as there are ranks; else `box` of `array` */
  hp_remote_array array; /* of the box */
  hp_remote_box box;
  hp_remote_fields fields;
  int first;
} hp_remote_request;

/* The place of the answer to a request on rank 0. */
typedef struct hp_subdomain_remote {
  double *box;      /* [cells of the box][numbers], the caller's */
  int first, count; /* chunks that are in */
  uint8_t *packed;  /* [begin[ranks]], which all ranks have made, */
  int64_t *begin;   /* [ranks + 1] from where on */
} hp_subdomain_remote;

/* Collective. */
hp_status hp_subdomain_remote_do(const hp_remote_owners *D, const hp_subdomain_arrays *arrays,
                                 const hp_remote_request *q, hp_subdomain_remote *F) HP_MUST_USE;
/* Collective: an array of the part, ghosts too, gets what rank 0 reads from `source`, piece by piece; width: of a number
 * here, a double's or a float's. */
hp_status hp_subdomain_remote_put(hp_subdomain *D, const hp_remote_source *source, hp_remote_array array, void *here,
                                  size_t width) HP_MUST_USE;
void hp_subdomain_remote_clear(hp_subdomain_remote *F);

HP_EXTERN_C_END

#endif
