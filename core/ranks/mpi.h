/* MPI as core/ranks needs it: a table of functions of plain data.
 *
 *     hepta ── dlopen ──> hepta_mpi.so (core/ranks/mpi.c) ──> MPI
 *
 * Only the module is linked with MPI, whose libraries would cost every command of the program 10 ms of loading. It uses
 * no function of hepta. All calls use the communicator of all processes; an error in MPI ends all of them. Counts and
 * places are 64-bit and in bytes unless said otherwise; longer messages than MPI's 31 bits count are cut into several.
 */
#ifndef HP_CORE_RANKS_MPI_H
#define HP_CORE_RANKS_MPI_H

#include <stdbool.h>
#include <stdint.h>

#include "core/test_hooks.h"

enum { HP_MPI_TEXT = 200 };

typedef struct hp_mpi_requests hp_mpi_requests;

typedef struct hp_mpi_functions {
  int version; /* HP_MPI_VERSION of the module */
  /* Starts MPI. False: it did not start. *local: number of the process among those of its host. text [HP_MPI_TEXT]:
   * "Open MPI v4.1.4". */
  bool (*start)(const hp_test_hooks *hooks, int *rank, int *size, int *local, char *text);
  /* Ends MPI; all processes call. */
  void (*finish)(void);
  /* Ends all processes at once. */
  void (*end_all)(int code);
  /* Whether messages may lie in a GPU's memory (CUDA). */
  bool (*reaches_gpus)(void);
  void (*sum)(int64_t *v, int count);
  /* v[n] becomes the largest of all processes. */
  void (*max)(double *v, int count);
  void (*broadcast)(int root, void *p, int64_t bytes);
  void (*send)(int to, const void *p, int64_t bytes);
  void (*receive)(int from, void *p, int64_t bytes);
  /* Process r's part lies at all + place[r], count[r] bytes of it; on other processes than root, all is not written. */
  void (*gather)(int root, const void *mine, int64_t bytes, void *all, const int64_t *count, const int64_t *place);
  void (*gather_to_all)(const void *mine, int64_t bytes, void *all, const int64_t *count, const int64_t *place);
  /* Messages from every process to every one; places [size + 1] begin with 0, and what goes to process r ends at send_at[r + 1]. */
  void (*all_to_all)(const void *send, const int64_t *send_at, void *receive, const int64_t *receive_at);
  /* Messages of a fixed shape that are sent again and again: between begin and end they are under way. */
  hp_mpi_requests *(*requests)(int nsend, const int *to, const int64_t *send_at, void *send, int nreceive,
                               const int *from, const int64_t *receive_at, void *receive, int tag);
  void (*begin)(hp_mpi_requests *q);
  void (*end)(hp_mpi_requests *q);
  void (*free)(hp_mpi_requests *q);
} hp_mpi_functions;

enum { HP_MPI_VERSION = 5 };

/* The module's one symbol. */
typedef const hp_mpi_functions *hp_mpi_table_function(void);
hp_mpi_table_function hp_mpi_table;

#endif
