/* Fields of a run as its files get them, piece by piece (io/files/remote.h): each rank has its part of the arrays.
 *
 *     rank 0                                     every rank (sim/simulator/files.h)
 *     hp_remote, its functions  -- request -->      hp_subdomain_remote_do: boxes of cells to rank 0, or chunks to ranks that
 *                                                pack and write them, R at a time
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
  const void *array[HP_ARRAYS];
} hp_subdomain_arrays;

/* Kinds of requests: cells of `box` of `array`, and hp_remote's functions of these names. */
typedef enum {
  HP_REMOTE_REQUEST_BOX,
  HP_REMOTE_REQUEST_OPEN,
  HP_REMOTE_REQUEST_MAKE, /* chunks from `first` on of `fields` */
  HP_REMOTE_REQUEST_PUT,
  HP_REMOTE_REQUEST_CLOSE
} hp_remote_request_kind;

/* A request of rank 0 to all: plain data. */
typedef struct hp_remote_request {
  hp_remote_request_kind kind;
  hp_array array; /* of the box */
  hp_remote_box box;
  hp_remote_fields fields;
  int first;
} hp_remote_request;

/* Sent after a request to open a file. */
typedef struct hp_remote_opening {
  int64_t length; /* of the path, with its end */
  hp_shared_token token;
} hp_remote_opening;

/* The array that a request is about. */
HP_INLINE hp_array hp_remote_request_array(const hp_remote_request *q) {
  return q->kind == HP_REMOTE_REQUEST_MAKE ? q->fields.array[0] : q->array;
}

/* Whether it needs the arrays. */
HP_INLINE bool hp_remote_request_reads(const hp_remote_request *q) {
  return q->kind == HP_REMOTE_REQUEST_BOX || q->kind == HP_REMOTE_REQUEST_MAKE;
}

/* A rank's share of the files between requests. */
typedef struct hp_subdomain_remote {
  hp_remote_opening opening;
  double *box;          /* rank 0: [cells of the box][numbers], the caller's */
  char *path;           /* of the file that is open; NULL: none */
  int fd;               /* its own; -1: rank 0 writes for all */
  bool several;         /* hosts */
  int blind;            /* hp_remote.blind, on all ranks */
  int first, count;     /* chunks that were made last: */
  uint8_t *mine;        /* [size] this rank's, */
  int64_t size, *begin; /* [ranks + 1] the lengths of all */
  int64_t *place;       /* [ranks] in the file */
  hp_sum *sum;          /* [ranks] of those that are not packed */
  /* rank 0: how requests are sent to all and carried out */
  hp_status (*call)(void *arg, const hp_remote_request *q);
  void *arg;
} hp_subdomain_remote;

/* Rank 0: hp_remote.box, .open, .make, .put and .close by `call`; to->arg becomes F. */
void hp_subdomain_remote_functions(hp_subdomain_remote *F, hp_status (*call)(void *arg, const hp_remote_request *q),
                                   void *arg, hp_remote *to);

/* Collective. */
hp_status hp_subdomain_remote_do(const hp_remote_owners *D, const hp_subdomain_arrays *arrays,
                                 const hp_remote_request *q, hp_subdomain_remote *F) HP_MUST_USE;
/* Collective: an array of the part, ghosts too, gets what rank 0 reads from `source`, piece by piece: of doubles or
 * floats. */
hp_status hp_subdomain_remote_put(hp_subdomain *D, const hp_remote_source *source, hp_array array,
                                  void *here) HP_MUST_USE;
void hp_subdomain_remote_clear(hp_subdomain_remote *F);

HP_EXTERN_C_END

#endif
