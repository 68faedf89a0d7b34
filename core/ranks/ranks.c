#define _POSIX_C_SOURCE 200809L
#define _POSIX_C_SOURCE 200809L
#include "core/ranks/ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/profile.h"
#include "core/ranks/impl.h"
#include "core/test_hooks.h"

/* Files of the module (CMakeLists.txt): where it is installed, from the program's folder; where it was built. */
#ifdef HEPTA_MPI_MODULE
static const char *const installed = HEPTA_MPI_FROM_BIN;
static const char *const built = HEPTA_MPI_MODULE;
#else
static const char *const installed = NULL;
static const char *const built = NULL;
#endif

/* Variables by which mpirun of Open MPI, mpiexec of MPICH and Slurm's srun say how many they started, and which of these a
 * process is. The first that is there counts: what mpirun starts on other hosts of a Slurm job inherits those of srun. */
typedef struct {
  const char *size, *rank;
} starter;
static const starter starters[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                   {"PMI_SIZE", "PMI_RANK"},
                                   {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
enum { STARTERS = sizeof starters / sizeof *starters, SRUN = STARTERS - 1 };

static long number_of(const char *name) {
  const char *text = getenv(name);
  return text != NULL ? strtol(text, NULL, 10) : 0;
}

/* NULL: none says so. */
static const starter *find_starter(void) {
  for (int n = 0; n < STARTERS; ++n)
    if (number_of(starters[n].size) > (n == SRUN ? 1 : 0)) return &starters[n];
  return NULL;
}

bool hp_ranks_started(void) { return find_starter() != NULL || getenv("PMIX_RANK") != NULL; }

bool hp_ranks_is_first_started(void) {
  const starter *by = find_starter();
  return by == NULL || number_of(by->rank) == 0;
}

/* srun has the type of its own --mpi in the environment; it gives processes MPICH's variables, which mpiexec gives with more. */
static bool is_by_srun(void) {
  return number_of(starters[SRUN].size) > 0 && getenv("OMPI_COMM_WORLD_SIZE") == NULL &&
         getenv("MPI_LOCALRANKID") == NULL;
}

void hp_ranks_starter(char *out, size_t size) {
  const char *type = getenv("SLURM_MPI_TYPE");
  if (!is_by_srun()) snprintf(out, size, "mpirun");
  else if (type == NULL || strspn(type, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(type))
    snprintf(out, size, "srun");
  else snprintf(out, size, "srun --mpi=%s", type);
}

const char *hp_ranks_refusal(void) {
  return built != NULL ? NULL
                       : "this build has no MPI: configure with -DHEPTA_MPI=ON where MPI with headers is installed "
                         "(Debian: libopenmpi-dev)";
}

static void find_module(char *out, size_t size) {
  const ssize_t n = readlink("/proc/self/exe", out, size - 1);
  out[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(out, '/');
  const size_t left = slash != NULL ? size - (size_t)(slash - out) : 0;
  const int length = slash != NULL ? snprintf(slash, left, "/%s", installed) : 0;
  if (length <= 0 || (size_t)length >= left || access(out, R_OK) != 0) snprintf(out, size, "%s", built);
}

/* Symbols for all: Open MPI's own plug-ins look for its library's. */
static hp_status open_module(const hp_mpi_functions **out) {
  char module[4096];
  if (built == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "%s", hp_ranks_refusal());
  find_module(module, sizeof module);
  void *library = dlopen(module, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "MPI: %s", dlerror());
  hp_mpi_table_function *table;
  *(void **)&table = dlsym(library, "hp_mpi_table");
  if (table == NULL || table()->version != HP_MPI_VERSION)
    return hp_fail(HP_ERR_UNSUPPORTED, "MPI: %s is of another version of hepta", module);
  *out = table();
  return HP_OK;
}

static hp_ranks *world;

hp_ranks *hp_ranks_world(void) { return world; }

void hp_ranks_shake(hp_ranks *K) {
  if (K->shake == 0) return;
  K->shake = K->shake * 1664525u + 1013904223u;
  if (K->shake >> 29 != 0) return;
  const struct timespec delay = {0, (long)(K->shake >> 9) % 1000000};
  nanosleep(&delay, NULL);
}

/* Several processes were started, and MPI finds each alone: they belong to a starter that this MPI does not know, and each
 * would run the whole. */
static hp_status refuse_alone(hp_ranks *K) {
  const starter *by = find_starter();
  if (K->size > 1 || by == NULL || number_of(by->size) <= 1) return HP_OK;
  const char *remedy = is_by_srun()
                           ? "give srun the --mpi of this MPI ('srun --mpi=list': pmix for Open MPI, pmi2 for MPICH)"
                           : "use the mpirun that belongs to this MPI";
  return hp_fail(
      HP_ERR_UNSUPPORTED,
      "%ld processes were started, but this build's MPI (%s) finds each of them alone: %s; runs that have nothing "
      "to do with each other: env -u %s hepta ...",
      number_of(by->size), K->library, remedy, by->size);
}

hp_status hp_ranks_open(hp_ranks **out) {
  *out = NULL;
  const hp_mpi_functions *mpi = NULL;
  hp_test_hooks hooks;
  HP_TRY(hp_test_hooks_read(&hooks));
  HP_TRY(open_module(&mpi));
  hp_ranks *K = NULL;
  HP_TRY(HP_ALLOC(K, 1));
  K->mpi = mpi;
  if (!mpi->start(&hooks, &K->rank, &K->size, &K->local, K->library)) {
    HP_FREE(K);
    return hp_fail(HP_ERR_UNSUPPORTED, "MPI does not start");
  }
  hp_status s = refuse_alone(K);
  if (s != HP_OK) {
    mpi->finish();
    HP_FREE(K);
    return s;
  }
  s = HP_ALLOC(K->count, 2 * (int64_t)K->size + 2);
  if (s != HP_OK) mpi->end_all(EXIT_FAILURE);
  K->skip = hooks.ranks_skip;
  K->shake = hooks.ranks_shake > 0 ? (uint32_t)hooks.ranks_shake * 2654435761u + 7919u * (uint32_t)K->rank + 1u : 0u;
  world = K;
  *out = K;
  s = hp_ranks_compare(K);
  if (s == HP_OK) s = hp_ranks_know_processes(K);
  if (s != HP_OK) world = NULL;
  return s;
}

void hp_ranks_close(hp_ranks **slot) {
  hp_ranks *K = *slot;
  if (K == NULL) return;
  world = NULL;
  K->mpi->finish();
  HP_FREE(K->count);
  HP_FREE(K->process);
  HP_FREE(K->host);
  HP_FREE(*slot);
}

void hp_ranks_end_alone(const hp_ranks *K) {
  fprintf(stderr, "hepta: error: rank %d: %s\n", K->rank, hp_fail_text());
  K->mpi->end_all(EXIT_FAILURE);
}

int hp_ranks_rank(const hp_ranks *K) { return K != NULL ? K->rank : 0; }
int hp_ranks_size(const hp_ranks *K) { return K != NULL ? K->size : 1; }
bool hp_ranks_is_first(const hp_ranks *K) { return hp_ranks_rank(K) == 0; }
int hp_ranks_local(const hp_ranks *K) { return K->local; }
const char *hp_ranks_host(const hp_ranks *K, int rank) { return K->host[rank]; }
const char *hp_ranks_library(const hp_ranks *K) { return K->library; }
bool hp_ranks_reaches_gpus(const hp_ranks *K) { return K->mpi->reaches_gpus(); }
hp_ranks_spent hp_ranks_spent_in(const hp_ranks *K, hp_ranks_kind kind) { return K->spent[kind]; }

/* Counts a call that began at `since`. */
static void count_call(hp_ranks *K, hp_ranks_kind kind, double since) {
  K->spent[kind].seconds += hp_now() - since;
  K->spent[kind].calls += 1;
}

/* ---- of all ranks ---- */

void hp_ranks_sum(hp_ranks *K, int64_t *v, int count) {
  if (K == NULL) return;
  const double since = hp_now();
  hp_ranks_shake(K);
  if (K->size > 1) K->mpi->sum(v, count);
  count_call(K, HP_RANKS_SUMS, since);
}

void hp_ranks_max(hp_ranks *K, double *v, int count) {
  if (K == NULL) return;
  const double since = hp_now();
  if (K->size > 1) K->mpi->max(v, count);
  count_call(K, HP_RANKS_SUMS, since);
}

/* The value first, then, of the ranks that have it, the index: negative, so that the smallest is the largest. An index is
 * below 2^53. */
void hp_ranks_max_at(hp_ranks *K, double *value, int64_t *index) {
  const double none = -1e308, here = *index >= 0 ? *value : none;
  double largest = here;
  hp_ranks_max(K, &largest, 1);
  double where = *index >= 0 && here == largest ? -(double)*index : none;
  hp_ranks_max(K, &where, 1);
  *index = where > none ? (int64_t)-where : -1;
  *value = *index >= 0 ? largest : 0.0;
}

void hp_ranks_broadcast(hp_ranks *K, int root, void *p, int64_t bytes) {
  if (K == NULL) return;
  const double since = hp_now();
  if (K->size > 1) K->mpi->broadcast(root, p, bytes);
  count_call(K, HP_RANKS_SUMS, since);
}

void hp_ranks_request(hp_ranks *K, void *p, int64_t bytes) {
  const double since = hp_now();
  if (K->size > 1) K->mpi->broadcast(0, p, bytes);
  count_call(K, HP_RANKS_REQUESTS, since);
}

void hp_ranks_send(hp_ranks *K, int to, const void *p, int64_t bytes) {
  const double since = hp_now();
  K->mpi->send(to, p, bytes);
  count_call(K, HP_RANKS_GATHERED, since);
}

void hp_ranks_receive(hp_ranks *K, int from, void *p, int64_t bytes) {
  const double since = hp_now();
  K->mpi->receive(from, p, bytes);
  count_call(K, HP_RANKS_GATHERED, since);
}

/* ---- parts ---- */

/* Counts and places in bytes of parts of items: K->count. */
static void in_bytes(hp_ranks *K, const int64_t *begin, size_t size) {
  for (int r = 0; r < K->size; ++r) {
    K->count[r] = (begin[r + 1] - begin[r]) * (int64_t)size;
    K->count[K->size + r] = begin[r] * (int64_t)size;
  }
}

void hp_ranks_gather(hp_ranks *K, int root, const void *mine, void *all, const int64_t *begin, size_t size) {
  const double since = hp_now();
  in_bytes(K, begin, size);
  K->mpi->gather(root, mine, K->count[K->rank], all, K->count, K->count + K->size);
  count_call(K, HP_RANKS_GATHERED, since);
}

void hp_ranks_gather_uncounted(hp_ranks *K, const void *mine, void *all, const int64_t *begin, size_t size) {
  in_bytes(K, begin, size);
  K->mpi->gather_to_all(mine, K->count[K->rank], all, K->count, K->count + K->size);
}

void hp_ranks_gather_to_all(hp_ranks *K, const void *mine, void *all, const int64_t *begin, size_t size) {
  const double since = hp_now();
  hp_ranks_gather_uncounted(K, mine, all, begin, size);
  count_call(K, HP_RANKS_GATHERED, since);
}

void hp_ranks_begins(hp_ranks *K, int64_t count, int64_t *begin) {
  const double since = hp_now();
  for (int r = 0; r < K->size; ++r) {
    K->count[r] = sizeof *begin;
    K->count[K->size + r] = (r + 1) * (int64_t)sizeof *begin;
  }
  K->mpi->gather_to_all(&count, sizeof count, begin, K->count, K->count + K->size);
  begin[0] = 0;
  for (int r = 0; r < K->size; ++r) begin[r + 1] += begin[r];
  count_call(K, HP_RANKS_GATHERED, since);
}

hp_status hp_ranks_all_to_all(hp_ranks *K, const void *send, const int64_t *send_begin, size_t size, void **receive,
                              int64_t *receive_begin) {
  const int n = K->size;
  int64_t *at = NULL; /* counts there and back, places there and back */
  *receive = NULL;
  double since = hp_now();
  hp_status s = HP_ALLOC(at, 4 * (int64_t)n + 4);
  int64_t *const from = at + n + 1, *const send_at = at + 2 * n + 2, *const receive_at = at + 3 * n + 3;
  if (s != HP_OK) hp_ranks_end_alone(K);
  for (int r = 0; r < n; ++r) {
    at[r] = send_begin[r + 1] - send_begin[r];
    send_at[r + 1] = (r + 1) * (int64_t)sizeof *at;
  }
  K->mpi->all_to_all(at, send_at, from, send_at);
  receive_begin[0] = 0;
  for (int r = 0; r < n; ++r) receive_begin[r + 1] = receive_begin[r] + from[r];
  count_call(K, HP_RANKS_GATHERED, since);
  s = hp_ranks_agree(K, hp_alloc_unset(receive, receive_begin[n], size, "what other ranks send"));
  since = hp_now();
  for (int r = 0; r <= n && s == HP_OK; ++r) {
    send_at[r] = send_begin[r] * (int64_t)size;
    receive_at[r] = receive_begin[r] * (int64_t)size;
  }
  if (s == HP_OK) K->mpi->all_to_all(send, send_at, *receive, receive_at);
  if (s != HP_OK) hp_free(receive);
  HP_FREE(at);
  count_call(K, HP_RANKS_GATHERED, since);
  return s;
}

hp_status hp_ranks_agree(hp_ranks *K, hp_status s) {
  enum { TEXT = 2000 };
  if (hp_ranks_size(K) == 1) return s;
  double first = s != HP_OK ? -(double)K->rank : -1e9;
  hp_ranks_max(K, &first, 1);
  if (first == -1e9) return HP_OK;
  struct {
    int64_t status;
    char text[TEXT];
  } failure;
  memset(&failure, 0, sizeof failure);
  const int who = (int)-first;
  if (who == K->rank) {
    failure.status = s;
    strncpy(failure.text, hp_fail_text(), TEXT - 1);
  }
  hp_ranks_broadcast(K, who, &failure, sizeof failure);
  if (who != K->rank) s = hp_fail((hp_status)failure.status, "%s", failure.text);
  K->agreed = s;
  return s;
}

/* Codes of failures that one rank may have by itself; others follow from what all have. */
void hp_ranks_check_alone(const hp_ranks *K, hp_status s) {
  const bool alone = s == HP_ERR_MEMORY || s == HP_ERR_FILE || s == HP_ERR_DEVICE || s == HP_ERR_TEAM ||
                     s == HP_ERR_INTERNAL;
  if (alone && hp_ranks_size(K) > 1 && K->agreed != s) hp_ranks_end_alone(K);
}
