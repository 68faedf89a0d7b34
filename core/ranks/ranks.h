/* Several processes, each with a part of one problem: MPI's ranks.
 *
 *     hp_ranks *K;
 *     HP_TRY(hp_ranks_open(&K));                 collective, once in a program that mpirun or srun has started
 *     hp_ranks_sum(K, count, 3);                 all calls are collective: every rank makes the same ones in the same order
 *     hp_ranks_close(&K);
 *
 * Ghosts are copies of entries that other ranks own. An exchange renews them:
 *
 *     HP_TRY(hp_exchange_create(K, n, wanted, owner, there, &E));
 *     hp_exchange_run(E, x, sizeof *x);          x[wanted[i]] becomes the owner's x[there[i]]
 *
 * By the thread that opened it alone. A rank whose computation fails must not stop calling: it says so at the next
 * hp_ranks_agree. What MPI itself finds wrong ends all processes.
 */
#ifndef HP_CORE_RANKS_RANKS_H
#define HP_CORE_RANKS_RANKS_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_ranks hp_ranks;
typedef struct hp_exchange hp_exchange;

/* Whether a starter of parallel programs has started this process as one of several, by the variables that it leaves in the
 * environment. */
bool hp_ranks_started(void);
/* Whether it is the first of these, by the same variables: for a message that all would have before MPI has started. */
bool hp_ranks_is_first_started(void);
/* Its name, for commands that are shown: "mpirun", "srun" or "srun --mpi=pmix". */
void hp_ranks_starter(char *out, size_t size);
/* NULL, or why this build has no MPI. */
const char *hp_ranks_refusal(void);

/* Starts MPI. One rank alone does as several do, with the same bits. HP_ERR_UNSUPPORTED where ranks run different builds of
 * hepta. After an error *out may be there: the starter ends all ranks once one has ended with an exit code, so say the error before
 * hp_ranks_close, in which they wait for each other. */
hp_status hp_ranks_open(hp_ranks **out) HP_MUST_USE;
/* Ends MPI. */
void hp_ranks_close(hp_ranks **K);
/* Those that are open in this program; NULL: nobody has started it as one of several. */
hp_ranks *hp_ranks_world(void);
/* Ends all processes at once, with this exit code: a rank that cannot go on, and cannot say so where the others listen. */
void hp_ranks_end_all(const hp_ranks *K, int code);

/* Rank 0: the first other rank of its host whose process has ended, -1: none has, as far as can be known. May be called by a
 * handler of signals. */
int hp_ranks_ended(const hp_ranks *K);

/* Rank 0: whether what it prints to `fd`, standard output or error, has no reader any more: the starter that passes it on is a
 * process that this one sees, and writes to a pipe whose reader has gone. False for a stream that goes elsewhere, as to a file. Once that is found, what is printed goes to /dev/null:
 * starters end all processes, or crash, at text that they cannot pass on. May be called by a handler of signals. */
bool hp_ranks_drop_unread(hp_ranks *K, int fd);

int hp_ranks_rank(const hp_ranks *K);
int hp_ranks_size(const hp_ranks *K);
int hp_ranks_local(const hp_ranks *K);           /* number among the ranks of its host */
const char *hp_ranks_library(const hp_ranks *K); /* "Open MPI v4.1.4" */
/* Rank 0: the name of a rank's host. */
const char *hp_ranks_host(const hp_ranks *K, int rank);
/* The first rank whose pow, exp and log round otherwise than rank 0's, as those of another processor or C library may, -1: none. */
int hp_ranks_rounds_otherwise(const hp_ranks *K);
/* Whether MPI says that messages may lie in a GPU's memory. */
bool hp_ranks_reaches_gpus(const hp_ranks *K);

/* Kinds of calls, for profiles. X(NAME, key, text) */
#define HP_RANKS_KIND_LIST(X)                   \
  X(ORDERS, "orders", "orders of rank 0")       \
  X(GHOSTS, "exchanges", "exchanges of ghosts") \
  X(SUMS, "sums", "sums, what all agree on")    \
  X(GATHERED, "gathered", "parts gathered and scattered")

typedef enum {
#define HP_RANKS_ENUM(name, key, text) HP_RANKS_##name,
  HP_RANKS_KIND_LIST(HP_RANKS_ENUM)
#undef HP_RANKS_ENUM
      HP_RANKS_KINDS
} hp_ranks_kind;

/* Seconds that this rank spent in calls so far, most of them waiting, and how many calls. */
typedef struct hp_ranks_spent {
  double seconds;
  int64_t calls;
} hp_ranks_spent;
hp_ranks_spent hp_ranks_spent_in(const hp_ranks *K, hp_ranks_kind kind);

/* Each v[n] becomes the sum of all ranks'. */
void hp_ranks_sum(hp_ranks *K, int64_t *v, int count);
/* Each v[n] becomes the largest of all ranks'. */
void hp_ranks_max(hp_ranks *K, double *v, int count);
/* The largest value of the ranks whose index is not negative, and the smallest index that has it; index -1: none has. */
void hp_ranks_max_at(hp_ranks *K, double *value, int64_t *index);
void hp_ranks_broadcast(hp_ranks *K, int root, void *p, int64_t bytes);
/* The same from rank 0: what it orders, which the others wait for while it does what it alone does. */
void hp_ranks_order(hp_ranks *K, void *p, int64_t bytes);

/* A message from one rank to another: the two alone call. */
void hp_ranks_send(hp_ranks *K, int to, const void *p, int64_t bytes);
void hp_ranks_receive(hp_ranks *K, int from, void *p, int64_t bytes);

/* Parts of all ranks one after the other: count[r] items of `size` bytes of rank r begin at item begin[r] of `all`
 * (hp_ranks_begins). gather: `all` is written on root alone, and may be NULL elsewhere. */
void hp_ranks_gather(hp_ranks *K, int root, const void *mine, void *all, const int64_t *begin, size_t size);
void hp_ranks_gather_to_all(hp_ranks *K, const void *mine, void *all, const int64_t *begin, size_t size);
/* begin [size + 1] from each rank's count. */
void hp_ranks_begins(hp_ranks *K, int64_t count, int64_t *begin);

/* send [send_begin[size]] items: those from send_begin[r] on go to rank r; what comes, in the order of ranks, into memory
 * that becomes the caller's, *receive with receive_begin [size + 1]. */
hp_status hp_ranks_all_to_all(hp_ranks *K, const void *send, const int64_t *send_begin, size_t size, void **receive,
                              int64_t *receive_begin) HP_MUST_USE;

/* The same status on all ranks: that of the lowest rank whose status is not HP_OK, with its message. */
hp_status hp_ranks_agree(hp_ranks *K, hp_status s) HP_MUST_USE;

/* Ghosts wanted[n] of this rank's vectors are entries there[n] of those of rank owner[n]; n entries rise by owner. All
 * other ranks name theirs. */
hp_status hp_exchange_create(hp_ranks *K, int64_t n, const int64_t *wanted, const int *owner, const int64_t *there,
                             hp_exchange **out) HP_MUST_USE;
/* An exchange by one gather of all ranks, for few entries of which every rank has a copy: entries begin[r] to begin[r + 1] of all
 * ranks' are rank r's, and place [begin[ranks]] says where they stand here, its own ones among them. begin: the same on all ranks.
 * A caller's `received` has all of them; it has no neighbours and goes through the host's memory. */
hp_status hp_exchange_create_gather(hp_ranks *K, const int64_t *begin, const int64_t *place,
                                    hp_exchange **out) HP_MUST_USE;
bool hp_exchange_is_gather(const hp_exchange *E);
void hp_exchange_destroy(hp_exchange **E);
/* Entries of `size` bytes each, such as the two unknowns of a cell. Between begin and end other work may be done that neither
 * writes to what is sent nor reads ghosts; of exchanges of one size one is under way. */
void hp_exchange_run(hp_exchange *E, void *x, size_t size);
void hp_exchange_begin(hp_exchange *E, const void *x, size_t size);
void hp_exchange_end(hp_exchange *E, void *x, size_t size);
/* The entries of x in the order of `sent` and of `received`. */
const int64_t *hp_exchange_sent_entries(const hp_exchange *E);
const int64_t *hp_exchange_received_entries(const hp_exchange *E);
/* Ranks [count] that a caller who carries entries himself sends to and receives from, and the places at which their entries begin
 * in `sent` and `received`, begin [count + 1]. He announces every run: false if it is left out (hp_exchange_skip). */
int hp_exchange_to(const hp_exchange *E, const int **rank, const int64_t **begin);
int hp_exchange_from(const hp_exchange *E, const int **rank, const int64_t **begin);
bool hp_exchange_announce(hp_exchange *E);
/* Messages in memory of a caller, such as a GPU's solver, which packs entries of x into `sent` and unpacks them from `received`.
 * The memory may be the GPU's where hp_ranks_reaches_gpus is true, but not for a gather. One exchange may have several of them,
 * beside the host's. The memory, hp_exchange_sent and hp_exchange_received entries of `size` bytes, outlives M. Collective, and so is
 * each run, between whose begin and end others may be under way. E outlives the last run. */
typedef struct hp_exchange_apart hp_exchange_apart;
hp_exchange_apart *hp_exchange_apart_create(hp_exchange *E, size_t size, void *sent, void *received);
void hp_exchange_apart_destroy(hp_exchange_apart **M);
void hp_exchange_apart_begin(hp_exchange_apart *M);
void hp_exchange_apart_end(hp_exchange_apart *M);
/* Entries this rank sends and receives, and ranks that it has to do with. */
int64_t hp_exchange_sent(const hp_exchange *E);
int64_t hp_exchange_received(const hp_exchange *E);
int hp_exchange_neighbours(const hp_exchange *E);
/* Tests: leaves the run with this number, from 1, out; 0: none. */
void hp_exchange_skip(hp_exchange *E, int64_t run);

HP_EXTERN_C_END

#endif
