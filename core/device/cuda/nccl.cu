/* core/device/cuda/nccl.cuh. The few functions of NCCL that are needed are declared here as its header has them, so that a
 * build does not need it. */
#include "core/device/cuda/nccl.cuh"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

typedef struct {
  char bytes[128];
} unique_id; /* ncclUniqueId */

struct ncclComm;
enum { SUCCESS = 0 /* ncclSuccess */, BYTES = 0 /* ncclInt8 */ };

struct hp_nccl {
  void *library;
  struct ncclComm *comm;
  int number; /* of its version */
  int (*version)(int *);
  int (*get_id)(unique_id *);
  int (*init)(struct ncclComm **, int, unique_id, int);
  int (*abort)(struct ncclComm *);
  int (*begin)(void);
  int (*end)(void);
  int (*send)(const void *, size_t, int, int, struct ncclComm *, cudaStream_t);
  int (*receive)(void *, size_t, int, int, struct ncclComm *, cudaStream_t);
  const char *(*text)(int);
};

static hp_status find(hp_nccl *N, void *function, const char *name) {
  *(void **)function = dlsym(N->library, name);
  return *(void **)function != NULL ? HP_OK : hp_fail(HP_ERR_UNSUPPORTED, "NCCL has no %s", name);
}

static hp_status check(const hp_nccl *N, int result, const char *what) {
  return result == SUCCESS ? HP_OK : hp_fail(HP_ERR_DEVICE, "NCCL: %s: %s", what, N->text(result));
}

static hp_status check_cuda(cudaError_t error) {
  return error == cudaSuccess ? HP_OK : hp_fail(HP_ERR_DEVICE, "NCCL: %s", cudaGetErrorString(error));
}

static hp_status open_library(hp_nccl *N) {
  N->library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (N->library == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "NCCL: %s", dlerror());
  HP_TRY(find(N, &N->text, "ncclGetErrorString"));
  HP_TRY(find(N, &N->version, "ncclGetVersion"));
  HP_TRY(find(N, &N->get_id, "ncclGetUniqueId"));
  HP_TRY(find(N, &N->init, "ncclCommInitRank"));
  HP_TRY(find(N, &N->abort, "ncclCommAbort"));
  HP_TRY(find(N, &N->begin, "ncclGroupStart"));
  HP_TRY(find(N, &N->end, "ncclGroupEnd"));
  HP_TRY(find(N, &N->send, "ncclSend"));
  HP_TRY(find(N, &N->receive, "ncclRecv"));
  return check(N, N->version(&N->number), "its version");
}

hp_status hp_nccl_open(hp_nccl **out) {
  hp_nccl *N = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(N, 1));
  const hp_status s = open_library(N);
  if (s != HP_OK) hp_nccl_close(&N);
  *out = N;
  return s;
}

hp_status hp_nccl_begin(hp_nccl *N) { return check(N, N->begin(), "beginning messages"); }
hp_status hp_nccl_end(hp_nccl *N) { return check(N, N->end(), "messages"); }

/* A number from each rank to the next, in `at` [2] on the GPU: where there is no way between two GPUs, NCCL says so now. */
static hp_status try_ring(hp_nccl *N, hp_ranks *K, int *at, cudaStream_t stream) {
  const int rank = hp_ranks_rank(K), size = hp_ranks_size(K), before = (rank + size - 1) % size;
  int seen = -1;
  HP_TRY(check_cuda(cudaMemcpyAsync(at, &rank, sizeof rank, cudaMemcpyHostToDevice, stream)));
  HP_TRY(hp_nccl_begin(N));
  const int sent = N->send(at, sizeof *at, BYTES, (rank + 1) % size, N->comm, stream);
  const int received = N->receive(at + 1, sizeof *at, BYTES, before, N->comm, stream);
  HP_TRY(hp_nccl_end(N));
  HP_TRY(check(N, sent != SUCCESS ? sent : received, "a message to try"));
  HP_TRY(check_cuda(cudaMemcpyAsync(&seen, at + 1, sizeof seen, cudaMemcpyDeviceToHost, stream)));
  HP_TRY(check_cuda(cudaStreamSynchronize(stream)));
  return seen == before ? HP_OK : hp_fail(HP_ERR_DEVICE, "NCCL: rank %d received %d instead of %d", rank, seen, before);
}

static hp_status try_messages(hp_nccl *N, hp_ranks *K, cudaStream_t stream) {
  int *at = NULL;
  hp_status s = hp_ranks_agree(K, check_cuda(cudaMalloc((void **)&at, 2 * sizeof *at)));
  if (s == HP_OK) s = hp_ranks_agree(K, try_ring(N, K, at, stream));
  if (at != NULL) cudaFree(at);
  return s;
}

hp_status hp_nccl_connect(hp_nccl *N, hp_ranks *K, cudaStream_t stream) {
  struct {
    unique_id id;
    int64_t result;
  } told;
  memset(&told, 0, sizeof told);
  if (hp_ranks_rank(K) == 0) told.result = N->get_id(&told.id);
  hp_ranks_broadcast(K, 0, &told, sizeof told);
  HP_TRY(check(N, (int)told.result, "beginning"));
  HP_TRY(hp_ranks_agree(K, check(N, N->init(&N->comm, hp_ranks_size(K), told.id, hp_ranks_rank(K)), "connecting")));
  return try_messages(N, K, stream);
}

/* Nothing is under way: the device has been waited for. The library stays loaded, as it may have threads. */
void hp_nccl_close(hp_nccl **slot) {
  hp_nccl *N = *slot;
  if (N == NULL) return;
  if (N->comm != NULL) (void)N->abort(N->comm);
  HP_FREE(*slot);
}

void hp_nccl_describe(const hp_nccl *N, char *out, size_t size) {
  const int n = N->number; /* 2.9 and later: 10000 major + 100 minor + patch */
  snprintf(out, size, "NCCL %d.%d.%d", n / 10000, n / 100 % 100, n % 100);
}

hp_status hp_nccl_exchange(hp_nccl *N, const hp_exchange *E, size_t size, const char *sent, char *received,
                           cudaStream_t stream) {
  const int *rank;
  const int64_t *begin;
  const int nto = hp_exchange_to(E, &rank, &begin);
  for (int n = 0; n < nto; ++n)
    HP_TRY(check(N,
                 N->send(sent + begin[n] * (int64_t)size, (size_t)(begin[n + 1] - begin[n]) * size, BYTES, rank[n],
                         N->comm, stream),
                 "sending"));
  const int nfrom = hp_exchange_from(E, &rank, &begin);
  for (int n = 0; n < nfrom; ++n)
    HP_TRY(check(N,
                 N->receive(received + begin[n] * (int64_t)size, (size_t)(begin[n + 1] - begin[n]) * size, BYTES,
                            rank[n], N->comm, stream),
                 "receiving"));
  return HP_OK;
}
