/* The module with MPI. See core/ranks/mpi.h. */
#define _DEFAULT_SOURCE
#include "core/ranks/mpi.h"

#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

struct hp_mpi_requests {
  int count;
  MPI_Request request[];
};

static int processes, here;
static int64_t piece = 1 << 30; /* bytes of a message at most */

/* More ranks on this host than processors. Open MPI yields the processor there while it waits; others, such as MPICH, keep it
 * from the rank that they wait for until the system takes it from them. HEPTA_TEST_RANKS_YIELD asks for it with any MPI. */
static bool crowded;

/* An MPICH before 4.2, started by hydra on several hosts. Its MPI_Finalize closes UCX's connections, then waits in a barrier of
 * the starter, in which it no longer answers processes that are still closing theirs, so that many short runs do not end
 * (pmodels/mpich#6596). Hydra lets processes end without it. */
static bool hangs_at_end;

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000
static bool is_by_hydra(void) {
  char path[64], name[32] = "";
  snprintf(path, sizeof path, "/proc/%ld/comm", (long)getppid());
  FILE *f = fopen(path, "r");
  if (f == NULL) return false;
  const bool read = fgets(name, sizeof name, f) != NULL;
  fclose(f);
  return read && strncmp(name, "hydra_", 6) == 0;
}
#endif

static int number_on_host(bool yields) {
  MPI_Comm host;
  int number = 0, count = 0;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  MPI_Comm_rank(host, &number);
  MPI_Comm_size(host, &count);
  crowded = yields;
#if !defined(OPEN_MPI)
  crowded = crowded || count > sysconf(_SC_NPROCESSORS_ONLN);
#endif
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000
  int so = count < processes && is_by_hydra();
  MPI_Allreduce(MPI_IN_PLACE, &so, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  hangs_at_end = so;
#endif
  MPI_Comm_free(&host);
  return number;
}

/* Of "Open MPI v4.1.4, package: ..." and "MPICH Version:\t4.0.2\n...": "Open MPI v4.1.4", "MPICH 4.0.2". */
static void copy_name(const char *name, char *text) {
  static const char skipped[] = " Version:";
  const size_t length = strcspn(name, ",\n"), skip = strlen(skipped);
  size_t at = 0;
  for (size_t n = 0; n < length && at < HP_MPI_TEXT - 1; ++n) {
    if (strncmp(name + n, skipped, skip) == 0 && n + skip < length) n += skip;
    text[at++] = name[n];
    if (name[n] == '\t') text[at - 1] = ' ';
  }
  text[at] = '\0';
}

/* MPI_Init_thread leaves the signals of a crash as they were. Open MPI's handlers, and UCX's, print the stack, for which they
 * allocate: after a crash in malloc they would wait for its lock for ever, and the other ranks for them. */
static int start_mpi(void) {
  static const int crash[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
  enum { CRASHES = sizeof crash / sizeof *crash };
  struct sigaction before[CRASHES];
  int given;
  for (int n = 0; n < CRASHES; ++n) sigaction(crash[n], NULL, &before[n]);
  const int error = MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given);
  for (int n = 0; n < CRASHES; ++n) sigaction(crash[n], &before[n], NULL);
  return error;
}

static bool start(const hp_test_hooks *hooks, int *rank, int *size, int *local, char *text) {
  int begun = 0, length = 0;
  char name[MPI_MAX_LIBRARY_VERSION_STRING];
  MPI_Initialized(&begun);
  if (!begun && start_mpi() != MPI_SUCCESS) return false;
  MPI_Comm_rank(MPI_COMM_WORLD, &here);
  MPI_Comm_size(MPI_COMM_WORLD, &processes);
  MPI_Get_library_version(name, &length);
  copy_name(name, text);
  if (hooks->ranks_piece > 0) piece = (int)hooks->ranks_piece;
  *rank = here;
  *size = processes;
  *local = number_on_host(hooks->ranks_yield > 0);
  return true;
}

static void end_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

static bool reaches_gpus(void) {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

/* Waits for all. */
static void await(int count, MPI_Request *request) {
  int over = 0;
  if (!crowded) MPI_Waitall(count, request, MPI_STATUSES_IGNORE);
  while (crowded && !over) {
    MPI_Testall(count, request, &over, MPI_STATUSES_IGNORE);
    if (!over) sched_yield();
  }
}

static void barrier(void) {
  MPI_Request all;
  if (!crowded) {
    MPI_Barrier(MPI_COMM_WORLD);
    return;
  }
  MPI_Ibarrier(MPI_COMM_WORLD, &all);
  await(1, &all);
}

static void finish(void) {
  int over;
  MPI_Finalized(&over);
  if (over) return;
  if (hangs_at_end) barrier(); /* nobody needs another any more */
  else MPI_Finalize();
}

static void reduce(void *v, int count, MPI_Datatype type, MPI_Op op) {
  MPI_Request all;
  if (!crowded) {
    MPI_Allreduce(MPI_IN_PLACE, v, count, type, op, MPI_COMM_WORLD);
    return;
  }
  MPI_Iallreduce(MPI_IN_PLACE, v, count, type, op, MPI_COMM_WORLD, &all);
  await(1, &all);
}

static void sum(int64_t *v, int count) { reduce(v, count, MPI_INT64_T, MPI_SUM); }

static void max(double *v, int count) { reduce(v, count, MPI_DOUBLE, MPI_MAX); }

/* MPI counts by int: what is longer goes as several messages. */
static int first_of(int64_t bytes) { return bytes < piece ? (int)bytes : (int)piece; }

static int64_t pieces_of(int64_t bytes) { return (bytes + piece - 1) / piece; }

static void broadcast_piece(int root, void *p, int bytes) {
  MPI_Request all;
  if (!crowded) {
    MPI_Bcast(p, bytes, MPI_BYTE, root, MPI_COMM_WORLD);
    return;
  }
  MPI_Ibcast(p, bytes, MPI_BYTE, root, MPI_COMM_WORLD, &all);
  await(1, &all);
}

static void broadcast(int root, void *p, int64_t bytes) {
  for (char *at = p; bytes > 0; at += piece, bytes -= piece) broadcast_piece(root, at, first_of(bytes));
}

static void send_pieces(int to, const void *p, int64_t bytes) {
  MPI_Request one;
  for (const char *from = p; bytes > 0; from += piece, bytes -= piece) {
    MPI_Isend(from, first_of(bytes), MPI_BYTE, to, 1, MPI_COMM_WORLD, &one);
    await(1, &one);
  }
}

static void receive_pieces(int from, void *p, int64_t bytes) {
  MPI_Request one;
  for (char *to = p; bytes > 0; to += piece, bytes -= piece) {
    MPI_Irecv(to, first_of(bytes), MPI_BYTE, from, 1, MPI_COMM_WORLD, &one);
    await(1, &one);
  }
}

static void gather(int root, const void *mine, int64_t bytes, void *all, const int64_t *count, const int64_t *place) {
  if (here != root) {
    send_pieces(root, mine, bytes);
    return;
  }
  for (int r = 0; r < processes; ++r)
    if (r != root) receive_pieces(r, (char *)all + place[r], count[r]);
  if (bytes > 0) memmove((char *)all + place[root], mine, (size_t)bytes);
}

/* In one call of MPI, which takes places of 31 bits. */
static void gather_to_all_short(void *all, const int64_t *count, const int64_t *place) {
  int *length = malloc(2 * (size_t)processes * sizeof *length), *at = length + processes;
  if (length == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int r = 0; r < processes; ++r) {
    length[r] = (int)count[r];
    at[r] = (int)place[r];
  }
  MPI_Request done;
  if (!crowded) MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, length, at, MPI_BYTE, MPI_COMM_WORLD);
  else {
    MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_BYTE, all, length, at, MPI_BYTE, MPI_COMM_WORLD, &done);
    await(1, &done);
  }
  free(length);
}

static void gather_to_all(const void *mine, int64_t bytes, void *all, const int64_t *count, const int64_t *place) {
  if (bytes > 0) memmove((char *)all + place[here], mine, (size_t)bytes);
  bool is_short = true;
  for (int r = 0; r < processes; ++r) is_short = is_short && place[r] + count[r] < 2 * piece;
  if (is_short) gather_to_all_short(all, count, place);
  else
    for (int r = 0; r < processes; ++r) broadcast(r, (char *)all + place[r], count[r]);
}

/* Messages of all ranges between `at`, but that of process `but`; -1: of all. */
static int64_t count_pieces(int ranges, const int64_t *at, int but) {
  int64_t count = 0;
  for (int n = 0; n < ranges; ++n)
    if (n != but) count += pieces_of(at[n + 1] - at[n]);
  return count;
}

static void all_to_all(const void *send, const int64_t *send_at, void *receive, const int64_t *receive_at) {
  const int64_t all = count_pieces(processes, send_at, here) + count_pieces(processes, receive_at, here);
  MPI_Request *request = malloc((size_t)(all + 1) * sizeof *request);
  int count = 0;
  if (request == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int r = 0; r < processes; ++r)
    for (int64_t at = receive_at[r]; r != here && at < receive_at[r + 1]; at += piece)
      MPI_Irecv((char *)receive + at, first_of(receive_at[r + 1] - at), MPI_BYTE, r, 2, MPI_COMM_WORLD,
                &request[count++]);
  for (int r = 0; r < processes; ++r)
    for (int64_t at = send_at[r]; r != here && at < send_at[r + 1]; at += piece)
      MPI_Isend((const char *)send + at, first_of(send_at[r + 1] - at), MPI_BYTE, r, 2, MPI_COMM_WORLD,
                &request[count++]);
  if (send_at[here + 1] > send_at[here])
    memcpy((char *)receive + receive_at[here], (const char *)send + send_at[here],
           (size_t)(send_at[here + 1] - send_at[here]));
  await(count, request);
  free(request);
}

/* The messages of a pair of processes may begin in any order: each has a tag of its own. Those of exchanges are below TAGS
 * (core/ranks/exchange.c); every MPI has 2 TAGS, for 2 GiB, and those in use have 2^28 and more. */
enum { TAGS = 1 << 14 };

static hp_mpi_requests *requests(int nsend, const int *to, const int64_t *send_at, void *send, int nreceive,
                                 const int *from, const int64_t *receive_at, void *receive, int tag) {
  const int64_t all = count_pieces(nsend, send_at, -1) + count_pieces(nreceive, receive_at, -1);
  hp_mpi_requests *q = malloc(sizeof *q + (size_t)all * sizeof(MPI_Request));
  if (q == NULL) return NULL;
  q->count = 0;
  for (int n = 0; n < nreceive; ++n)
    for (int64_t at = receive_at[n], k = 0; at < receive_at[n + 1]; at += piece, ++k)
      MPI_Recv_init((char *)receive + at, first_of(receive_at[n + 1] - at), MPI_BYTE, from[n], tag + TAGS * (int)k,
                    MPI_COMM_WORLD, &q->request[q->count++]);
  for (int n = 0; n < nsend; ++n)
    for (int64_t at = send_at[n], k = 0; at < send_at[n + 1]; at += piece, ++k)
      MPI_Send_init((char *)send + at, first_of(send_at[n + 1] - at), MPI_BYTE, to[n], tag + TAGS * (int)k,
                    MPI_COMM_WORLD, &q->request[q->count++]);
  return q;
}

static void begin(hp_mpi_requests *q) {
  if (q->count > 0) MPI_Startall(q->count, q->request);
}

static void end(hp_mpi_requests *q) { await(q->count, q->request); }

static void free_requests(hp_mpi_requests *q) {
  if (q == NULL) return;
  for (int n = 0; n < q->count; ++n) MPI_Request_free(&q->request[n]);
  free(q);
}

static const hp_mpi_functions table = {.version = HP_MPI_VERSION,
                                       .start = start,
                                       .finish = finish,
                                       .end_all = end_all,
                                       .reaches_gpus = reaches_gpus,
                                       .sum = sum,
                                       .max = max,
                                       .broadcast = broadcast,
                                       .send = send_pieces,
                                       .receive = receive_pieces,
                                       .gather = gather,
                                       .gather_to_all = gather_to_all,
                                       .all_to_all = all_to_all,
                                       .requests = requests,
                                       .begin = begin,
                                       .end = end,
                                       .free = free_requests};

const hp_mpi_functions *hp_mpi_table(void) { return &table; }
