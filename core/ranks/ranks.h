/* Several processes, each with a part of one problem: MPI's ranks. They are equals: each runs the same program on its part, and
 * what decides is the same on all. K == NULL is a process by itself, for hp_ranks_rank, size, sum, max, broadcast and agree.
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
 * Only the thread that opened it may call. A rank whose computation fails must go on calling and report it at the next
 * hp_ranks_agree. Errors of MPI end all processes.
 */
#ifndef HP_CORE_RANKS_RANKS_H
#define HP_CORE_RANKS_RANKS_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_ranks hp_ranks;
typedef struct hp_exchange hp_exchange;

/* Whether a starter of parallel programs has started this process as one of several, by its environment variables. */
bool hp_ranks_started(void);
/* Whether this process is the first of them, by the same variables, for messages before MPI has started. */
bool hp_ranks_is_first_started(void);
/* The starter's name for commands shown to users: "mpirun", "srun" or "srun --mpi=pmix". */
void hp_ranks_starter(char *out, size_t size);
/* NULL, or why this build has no MPI. */
const char *hp_ranks_refusal(void);

/* Starts MPI. A single rank works as several do, with the same bits. HP_ERR_UNSUPPORTED if ranks run different builds
 * of hepta. After an error *out may exist: report the error before hp_ranks_close, where ranks wait for each other,
 * because the starter ends all ranks once one has ended with an exit code. */
hp_status hp_ranks_open(hp_ranks **out) HP_MUST_USE;
/* Ends MPI. */
void hp_ranks_close(hp_ranks **K);
/* The open ranks of this program, or NULL. */
hp_ranks *hp_ranks_world(void);
/* Ends all processes at once with the text of this rank's failure, for a rank that can neither continue nor report to the others. */
void hp_ranks_end_alone(const hp_ranks *K);

/* Rank 0 only: the first other rank of its host whose process is known to have ended, or -1. Signal handlers may call
 * it. */
int hp_ranks_ended(const hp_ranks *K);

/* Rank 0 only: whether `fd`, standard output or error, has lost its reader, because the starter that passes it on
 * writes to a pipe whose reader has gone. False for other streams, such as files. From then on output goes to
 * /dev/null: starters end all processes, or crash, at text that they cannot pass on. Signal handlers may call it. */
bool hp_ranks_drop_unread(hp_ranks *K, int fd);

int hp_ranks_rank(const hp_ranks *K);
int hp_ranks_size(const hp_ranks *K);
/* Whether this is rank 0, which speaks and has the files, or a process by itself. */
bool hp_ranks_is_first(const hp_ranks *K);
int hp_ranks_local(const hp_ranks *K);           /* number among the ranks of its host */
const char *hp_ranks_library(const hp_ranks *K); /* "Open MPI v4.1.4" */
/* Rank 0 only: the name of a rank's host. */
const char *hp_ranks_host(const hp_ranks *K, int rank);
/* The first rank whose pow, exp and log round differently from rank 0's (another processor or C library), or -1. */
int hp_ranks_rounds_otherwise(const hp_ranks *K);
/* Whether MPI says that messages may lie in a GPU's memory. */
bool hp_ranks_reaches_gpus(const hp_ranks *K);

/* Kinds of calls, for profiles. X(NAME, key, text) */
#define HP_RANKS_KIND_LIST(X)                   \
  X(REQUESTS, "requests", "files of rank 0")    \
  X(GHOSTS, "exchanges", "exchanges of ghosts") \
  X(SUMS, "sums", "sums, what all agree on")    \
  X(GATHERED, "gathered", "parts gathered and scattered")

typedef enum {
#define HP_RANKS_ENUM(name, key, text) HP_RANKS_##name,
  HP_RANKS_KIND_LIST(HP_RANKS_ENUM)
#undef HP_RANKS_ENUM
      HP_RANKS_KINDS
} hp_ranks_kind;

/* The seconds that this rank has spent in calls, mostly waiting, and their number. */
typedef struct hp_ranks_spent {
  double seconds;
  int64_t calls;
} hp_ranks_spent;
hp_ranks_spent hp_ranks_spent_in(const hp_ranks *K, hp_ranks_kind kind);

/* Each v[n] becomes the sum of all ranks'. */
void hp_ranks_sum(hp_ranks *K, int64_t *v, int count);
/* Each v[n] becomes the largest of all ranks'. */
void hp_ranks_max(hp_ranks *K, double *v, int count);
/* Finds the largest value of ranks with an index >= 0, and the smallest index that has it; index -1 if there is
 * none. */
void hp_ranks_max_at(hp_ranks *K, double *value, int64_t *index);
void hp_ranks_broadcast(hp_ranks *K, int root, void *p, int64_t bytes);
/* The same from rank 0, which writes files, for its requests (sim/simulator/files.h); the others wait for them. */
void hp_ranks_request(hp_ranks *K, void *p, int64_t bytes);

/* A message from one rank to another; only these two call. */
void hp_ranks_send(hp_ranks *K, int to, const void *p, int64_t bytes);
void hp_ranks_receive(hp_ranks *K, int from, void *p, int64_t bytes);

/* Gather the parts of all ranks: the items of `size` bytes of rank r begin at item begin[r] of `all` (hp_ranks_begins).
 * hp_ranks_gather writes `all` on root only; it may be NULL elsewhere. */
void hp_ranks_gather(hp_ranks *K, int root, const void *mine, void *all, const int64_t *begin, size_t size);
void hp_ranks_gather_to_all(hp_ranks *K, const void *mine, void *all, const int64_t *begin, size_t size);
/* Computes begin [size + 1] from each rank's count. */
void hp_ranks_begins(hp_ranks *K, int64_t count, int64_t *begin);

/* Sends items send_begin[r] .. send_begin[r + 1] - 1 of `send` to rank r. Received items, in the order of ranks, are
 * *receive, which the caller owns, with receive_begin [size + 1]. */
hp_status hp_ranks_all_to_all(hp_ranks *K, const void *send, const int64_t *send_begin, size_t size, void **receive,
                              int64_t *receive_begin) HP_MUST_USE;

/* Returns the same status on all ranks: that of the lowest rank whose status is not HP_OK, with its message. */
hp_status hp_ranks_agree(hp_ranks *K, hp_status s) HP_MUST_USE;
/* Says it and ends all processes, if `s` may be a failure of this rank alone, such as no memory between two calls, which the others
 * cannot know of. */
void hp_ranks_check_alone(const hp_ranks *K, hp_status s);

/* Creates an exchange: ghosts wanted[n] of this rank's vectors are entries there[n] of rank owner[n]'s, where owners
 * rise. All ranks call with theirs. */
hp_status hp_exchange_create(hp_ranks *K, int64_t n, const int64_t *wanted, const int *owner, const int64_t *there,
                             hp_exchange **out) HP_MUST_USE;
/* Creates an exchange by one gather, for few entries of which every rank has a copy: entries begin[r] .. begin[r + 1] -
 * 1 are rank r's, and place [begin[ranks]] are their places here, its own included; begin is the same on all ranks.
 * `received` has all entries; there are no neighbours, and messages go through the host's memory. */
hp_status hp_exchange_create_gather(hp_ranks *K, const int64_t *begin, const int64_t *place,
                                    hp_exchange **out) HP_MUST_USE;
bool hp_exchange_is_gather(const hp_exchange *E);
void hp_exchange_destroy(hp_exchange **E);
/* Run an exchange of entries of `size` bytes each, such as the two unknowns of a cell. Work between begin and end must
 * not write to sent entries or read ghosts; only one exchange of a size may be under way. */
void hp_exchange_run(hp_exchange *E, void *x, size_t size);
void hp_exchange_begin(hp_exchange *E, const void *x, size_t size);
void hp_exchange_end(hp_exchange *E, void *x, size_t size);
/* The entries of x in the order of `sent` and of `received`. */
const int64_t *hp_exchange_sent_entries(const hp_exchange *E);
const int64_t *hp_exchange_received_entries(const hp_exchange *E);
/* The ranks [count] to send to and to receive from, and the places begin [count + 1] of their entries in `sent` and
 * `received`, for callers that carry entries themselves. They announce every run; false if it must be left out
 * (hp_exchange_skip). */
int hp_exchange_to(const hp_exchange *E, const int **rank, const int64_t **begin);
int hp_exchange_from(const hp_exchange *E, const int **rank, const int64_t **begin);
bool hp_exchange_announce(hp_exchange *E);
/* Messages in memory of a caller, such as a GPU's solver, which packs entries of x into `sent` and unpacks them from
 * `received`: hp_exchange_sent and hp_exchange_received entries of `size` bytes that outlive M. The memory may be a
 * GPU's if hp_ranks_reaches_gpus, except for a gather. An exchange may have several of them besides the host's.
 * Creation and runs are collective; others may be under way between begin and end. E outlives the last run. */
typedef struct hp_exchange_apart hp_exchange_apart;
hp_exchange_apart *hp_exchange_apart_create(hp_exchange *E, size_t size, void *sent, void *received);
void hp_exchange_apart_destroy(hp_exchange_apart **M);
void hp_exchange_apart_begin(hp_exchange_apart *M);
void hp_exchange_apart_end(hp_exchange_apart *M);
/* The numbers of entries that this rank sends and receives, and of its neighbours. */
int64_t hp_exchange_sent(const hp_exchange *E);
int64_t hp_exchange_received(const hp_exchange *E);
int hp_exchange_neighbours(const hp_exchange *E);
/* Leaves out, for tests, the run with this number, from 1; 0: none. */
void hp_exchange_skip(hp_exchange *E, int64_t run);

HP_EXTERN_C_END

#endif
