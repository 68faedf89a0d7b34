/* Declarations that the files of this folder share. */
#ifndef HP_CORE_RANKS_IMPL_H
#define HP_CORE_RANKS_IMPL_H

#include "core/ranks/mpi.h"
#include "core/ranks/ranks.h"

enum { HP_RANKS_HOST = 64 }; /* bytes of a host's name, cut if it is longer */

struct hp_ranks {
  const hp_mpi_functions *mpi;
  int rank, size, local; /* local: among those of its host */
  char library[HP_MPI_TEXT];
  int64_t *count;              /* [2 size + 2] work */
  int64_t *process;            /* rank 0: [size] numbers of the ranks' processes, 0: on another host */
  int64_t starter;             /* rank 0: number of the process that passes on what it prints, 0: not known */
  bool passed[3], dropped[3];  /* streams, by their file descriptors, that it passes on; that go to nobody */
  char (*host)[HP_RANKS_HOST]; /* rank 0: [size] */
  int odd;                     /* hp_ranks_rounds_otherwise */
  hp_ranks_spent spent[HP_RANKS_KINDS];
  int tag;          /* of the next exchange */
  hp_status agreed; /* the latest failure that all know of (hp_ranks_agree) */
  /* tests (docs/developer/checking.md) */
  int64_t exchanges, skip; /* begun so far; the one that is left out, from 1, else none */
  uint32_t shake;          /* of random delays, 0: none */
};

/* Tests: a delay of up to a millisecond, now and then. */
void hp_ranks_shake(hp_ranks *K);

/* Sets K->odd; HP_ERR_UNSUPPORTED if a rank runs another build of hepta. Collective. */
hp_status hp_ranks_compare(hp_ranks *K) HP_MUST_USE;

/* Writes this host's name to out [HP_RANKS_HOST]. */
void hp_ranks_host_name(char *out);

/* Fills K->process, K->host, K->starter and K->passed. Collective. */
hp_status hp_ranks_know_processes(hp_ranks *K) HP_MUST_USE;

/* hp_ranks_gather_to_all for callers that count it themselves. */
void hp_ranks_gather_uncounted(hp_ranks *K, const void *mine, void *all, const int64_t *begin, size_t size);

#endif
