/* core/device/part.h with CUDA. */
#include <stdio.h>
#include <string.h>

#include "core/device/cuda/device_impl.cuh"
#include "core/device/cuda/nccl.cuh"
#include "core/memory.h"

enum { THREADS = 256, SIZES = 6 /* of entries, of one exchange */ };

/* Messages of entries of one size: the host's memory, and the same as the device sees it; or the device's own. */
typedef struct {
  size_t size;           /* 0: none yet */
  void *sent, *received; /* host, pinned; NULL: the device's own */
  char *to, *from;
  hp_exchange_apart *apart; /* NULL: by NCCL */
} room;

struct hp_device_exchange {
  hp_device *D;
  hp_exchange *E;
  int64_t nsent, nreceived;
  int32_t *sent, *received; /* device [nsent], [nreceived]: entries */
  room of[SIZES];
};

struct hp_device_part {
  const hp_part *p;
  hp_transport transport;
  hp_nccl *nccl;
  hp_device_exchange *cells, *wells, *perforated, *all_perforated, *all_wells;
  int32_t *ghost, *other; /* device [p->nghost], [nother]: wells that others own */
  int64_t nother;
  hp_exact *exact, *seen; /* [HP_SUMS_MAX] in the GPU's memory; the host's, pinned */
  double *summed;         /* host, pinned [HP_SUMS_MAX] */
  const double *summed_there;
};

/* ---- kernels ---- */

/* Entries at[n] of x one after the other, or back; an entry is `words` of WORD. */
template <typename WORD>
static __global__ void __launch_bounds__(THREADS)
    pack_kernel(int64_t count, int words, const int32_t *at, const WORD *x, WORD *out) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = x[(int64_t)at[i / words] * words + i % words];
}

template <typename WORD>
static __global__ void __launch_bounds__(THREADS)
    unpack_kernel(int64_t count, int words, const int32_t *at, const volatile WORD *in, WORD *x) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[(int64_t)at[i / words] * words + i % words] = in[i];
}

static __global__ void __launch_bounds__(THREADS)
    drop_kernel(int64_t nghost, const int32_t *ghost, int64_t nother, const int32_t *other, int64_t ld, int q,
                double *x, double *y) {
  const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nghost * q + nother) return;
  const int64_t at = i < nghost * q ? (int64_t)ghost[i / q] * q + i % q : ld + other[i - nghost * q];
  x[at] = 0.0;
  if (y != NULL) y[at] = 0.0;
}

static hp_status launch(hp_device *D, const void *kernel, int64_t count, void **args, const char *what) {
  return hp_device_launch(D, kernel, hp_parts(count, THREADS), THREADS, args, 0, what);
}

/* ---- exchanges ---- */

static hp_status list(hp_device *D, int64_t count, const int64_t *entry, int32_t **out) {
  int32_t *narrow = NULL;
  HP_TRY(HP_ALLOC(narrow, count));
  for (int64_t n = 0; n < count; ++n) narrow[n] = (int32_t)entry[n];
  hp_status s = hp_device_alloc_whole(D, (void **)out, count, sizeof **out, "entries of an exchange");
  if (s == HP_OK) s = hp_device_upload(D, *out, narrow, count * (int64_t)sizeof *narrow);
  HP_FREE(narrow);
  return s;
}

static hp_status pinned(hp_device *D, int64_t bytes, void **host, void *there) {
  const size_t least = (size_t)(bytes > 0 ? bytes : 1);
  HP_CUDA_TRY(D, cudaHostAlloc(host, least, cudaHostAllocMapped));
  memset(*host, 0, least);
  return hp_device_check(D, cudaHostGetDevicePointer((void **)there, *host, 0), "mapping the host's memory");
}

hp_status hp_device_exchange_create(hp_device *D, hp_exchange *E, hp_device_exchange **out) {
  hp_device_exchange *T = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(T, 1));
  T->D = D;
  T->E = E;
  T->nsent = hp_exchange_sent(E);
  T->nreceived = hp_exchange_received(E);
  hp_status s = list(D, T->nsent, hp_exchange_sent_entries(E), &T->sent);
  if (s == HP_OK) s = list(D, T->nreceived, hp_exchange_received_entries(E), &T->received);
  if (s != HP_OK) hp_device_exchange_destroy(&T);
  *out = T;
  return s;
}

static void free_room(hp_device *D, room *r) {
  hp_exchange_apart_destroy(&r->apart);
  if (r->sent == NULL && r->received == NULL) {
    HP_DEVICE_FREE(D, r->to);
    HP_DEVICE_FREE(D, r->from);
  }
  if (r->sent != NULL) cudaFreeHost(r->sent);
  if (r->received != NULL) cudaFreeHost(r->received);
}

void hp_device_exchange_destroy(hp_device_exchange **slot) {
  hp_device_exchange *T = *slot;
  if (T == NULL) return;
  for (int n = 0; n < SIZES; ++n) free_room(T->D, &T->of[n]);
  HP_DEVICE_FREE(T->D, T->sent);
  HP_DEVICE_FREE(T->D, T->received);
  HP_FREE(*slot);
}

hp_exchange *hp_device_exchange_of(const hp_device_exchange *T) { return T->E; }

static hp_transport transport_of(const hp_device_exchange *T) {
  return T->D->part != NULL && !hp_exchange_is_gather(T->E) ? T->D->part->transport : HP_TRANSPORT_HOST;
}

static hp_status room_of(hp_device_exchange *T, size_t size, room **out) {
  int n = 0;
  while (n < SIZES && T->of[n].size != 0 && T->of[n].size != size) ++n;
  if (n == SIZES) return hp_fail(HP_ERR_INTERNAL, "an exchange has entries of too many sizes");
  room *r = *out = &T->of[n];
  if (r->size == size) return HP_OK;
  const int64_t sent = T->nsent * (int64_t)size, received = T->nreceived * (int64_t)size;
  if (transport_of(T) == HP_TRANSPORT_HOST) {
    HP_TRY(pinned(T->D, sent, &r->sent, &r->to));
    HP_TRY(pinned(T->D, received, &r->received, &r->from));
    r->apart = hp_exchange_apart_create(T->E, size, r->sent, r->received);
  } else {
    HP_TRY(hp_device_alloc_whole(T->D, (void **)&r->to, sent, 1, "ghosts that other ranks need"));
    HP_TRY(hp_device_alloc_whole(T->D, (void **)&r->from, received, 1, "ghosts of other ranks"));
    if (transport_of(T) == HP_TRANSPORT_MPI) r->apart = hp_exchange_apart_create(T->E, size, r->to, r->from);
  }
  r->size = size;
  return HP_OK;
}

/* Whether there is anything to wait for. */
static bool is_idle(const hp_device_exchange *T) { return T->nsent + T->nreceived == 0; }

static hp_status pack(hp_device_exchange *T, const void *x, size_t size) {
  const bool narrow = size % sizeof(double) != 0;
  room *r;
  HP_TRY(room_of(T, size, &r));
  int words = (int)(size / (narrow ? sizeof(float) : sizeof(double)));
  int64_t count = T->nsent * words;
  void *args[] = {&count, &words, &T->sent, (void *)&x, &r->to};
  return launch(T->D, narrow ? (const void *)pack_kernel<float> : (const void *)pack_kernel<double>, count, args,
                "packing what other ranks need");
}

static hp_status unpack(hp_device_exchange *T, void *x, size_t size) {
  const bool narrow = size % sizeof(double) != 0;
  room *r;
  HP_TRY(room_of(T, size, &r));
  int words = (int)(size / (narrow ? sizeof(float) : sizeof(double)));
  int64_t count = T->nreceived * words;
  void *args[] = {&count, &words, &T->received, &r->from, &x};
  return launch(T->D, narrow ? (const void *)unpack_kernel<float> : (const void *)unpack_kernel<double>, count, args,
                "unpacking what other ranks have sent");
}

/* An exchange under way; T NULL: there is none. */
typedef struct {
  hp_device_exchange *T;
  size_t size;
  room *r;
} flight;

static hp_status by_nccl(hp_device *D, int count, const flight *f) {
  hp_nccl *N = D->part->nccl;
  bool sends[2];
  for (int n = 0; n < count; ++n) sends[n] = hp_exchange_announce(f[n].T->E) && !is_idle(f[n].T);
  HP_TRY(hp_nccl_begin(N));
  hp_status s = HP_OK;
  for (int n = 0; n < count && s == HP_OK; ++n)
    if (sends[n]) s = hp_nccl_exchange(N, f[n].T->E, f[n].size, f[n].r->to, f[n].r->from, D->stream);
  const hp_status ended = hp_nccl_end(N);
  return s != HP_OK ? s : ended;
}

/* The wait is also for the unpacking of the exchange before, whose memory the messages come to. */
static hp_status by_mpi(hp_device *D, int count, const flight *f) {
  bool idle = true;
  for (int n = 0; n < count; ++n) idle = idle && is_idle(f[n].T);
  if (!idle) HP_TRY(hp_device_sync(D));
  for (int n = 0; n < count; ++n) hp_exchange_apart_begin(f[n].r->apart);
  for (int n = 0; n < count; ++n) hp_exchange_apart_end(f[n].r->apart);
  return HP_OK;
}

/* One or two exchanges at once, by one transport. */
static hp_status run(hp_device_exchange *T, void *x, size_t size, hp_device_exchange *Y, void *y, size_t size_y) {
  flight f[2] = {{T, size, NULL}, {Y, size_y, NULL}};
  const int count = Y != NULL ? 2 : 1;
  const hp_transport transport = transport_of(T);
  for (int n = 0; n < count; ++n) HP_TRY(room_of(f[n].T, f[n].size, &f[n].r));
  HP_TRY(pack(T, x, size));
  if (Y != NULL) HP_TRY(pack(Y, y, size_y));
  HP_TRY(transport == HP_TRANSPORT_NCCL ? by_nccl(T->D, count, f) : by_mpi(T->D, count, f));
  HP_TRY(unpack(T, x, size));
  return Y != NULL ? unpack(Y, y, size_y) : HP_OK;
}

hp_status hp_device_exchange_run(hp_device_exchange *T, void *x, size_t size) { return run(T, x, size, NULL, NULL, 0); }

/* ---- the part ---- */

static hp_status create_lists(hp_device *D, hp_device_part *P) {
  const hp_part *p = P->p;
  int64_t *other = NULL;
  HP_TRY(list(D, p->nghost, p->ghost, &P->ghost));
  HP_TRY(HP_ALLOC(other, p->nwell));
  for (int w = 0; w < p->nwell; ++w)
    if (!p->owns_well[w]) other[P->nother++] = w;
  const hp_status s = list(D, P->nother, other, &P->other);
  HP_FREE(other);
  return s;
}

static hp_status create_sums(hp_device *D, hp_device_part *P) {
  HP_TRY(hp_device_alloc(D, (void **)&P->exact, HP_SUMS_MAX, sizeof *P->exact, "sums over ranks"));
  HP_CUDA_TRY(D, cudaHostAlloc((void **)&P->seen, HP_SUMS_MAX * sizeof *P->seen, cudaHostAllocDefault));
  return pinned(D, HP_SUMS_MAX * (int64_t)sizeof *P->summed, (void **)&P->summed, (void *)&P->summed_there);
}

hp_status hp_device_set_part(hp_device *D, const hp_part *p) {
  if (D->part != NULL || D->gpus > 1) return hp_fail(HP_ERR_INTERNAL, "one GPU has one part");
  HP_TRY(HP_ALLOC(D->part, 1));
  hp_device_part *P = D->part;
  P->p = p;
  P->transport = HP_TRANSPORT_HOST;
  HP_TRY(hp_device_exchange_create(D, p->cells, &P->cells));
  HP_TRY(hp_device_exchange_create(D, p->wells, &P->wells));
  HP_TRY(hp_device_exchange_create(D, p->perforated, &P->perforated));
  HP_TRY(hp_device_exchange_create(D, p->all_perforated, &P->all_perforated));
  HP_TRY(hp_device_exchange_create(D, p->all_wells, &P->all_wells));
  HP_TRY(create_lists(D, P));
  HP_TRY(create_sums(D, P));
  D->gpu[0].grid.part_cells = p->ncell;
  D->gpu[0].grid.part_chunk = p->chunk;
  D->gpu[0].grid.exact = P->exact;
  return HP_OK;
}

/* Whether two ranks have one GPU. Collective. */
static hp_status find_shared(hp_device *D, bool *shared) {
  typedef struct {
    unsigned char id[HP_DEVICE_IDENTITY];
  } identity;
  hp_ranks *K = D->part->p->K;
  const int size = hp_ranks_size(K);
  identity mine, *all = NULL;
  int64_t *begin = NULL;
  *shared = false;
  hp_status s = hp_device_identify(D->opt.ordinal, mine.id);
  if (s == HP_OK) s = HP_ALLOC(all, size);
  if (s == HP_OK) s = HP_ALLOC(begin, size + 1);
  s = hp_ranks_agree(K, s);
  for (int r = 0; r <= size && s == HP_OK; ++r) begin[r] = r;
  if (s == HP_OK) hp_ranks_gather_to_all(K, &mine, all, begin, sizeof *all);
  for (int r = 0; r < size && s == HP_OK; ++r)
    for (int q = 0; q < r; ++q) *shared = *shared || memcmp(&all[r], &all[q], sizeof *all) == 0;
  HP_FREE(all);
  HP_FREE(begin);
  return s;
}

/* NCCL where it may be needed: whether it is there, on all ranks. What it lacks is no failure. */
static bool open_nccl(hp_device *D, hp_transport asked, bool shared) {
  hp_device_part *P = D->part;
  if (shared || (asked != HP_TRANSPORT_AUTO && asked != HP_TRANSPORT_NCCL)) return false;
  if (hp_ranks_agree(P->p->K, hp_nccl_open(&P->nccl)) == HP_OK && hp_nccl_connect(P->nccl, P->p->K, D->stream) == HP_OK)
    return true;
  hp_nccl_close(&P->nccl);
  return false;
}

hp_status hp_device_connect(hp_device *D, hp_transport asked) {
  hp_device_part *P = D->part;
  hp_transport_facts f = {hp_ranks_size(P->p->K), false, hp_ranks_reaches_gpus(P->p->K), false};
  double mpi = f.mpi ? 0.0 : 1.0;
  if (f.ranks > 1) HP_TRY(find_shared(D, &f.shared));
  hp_ranks_max(P->p->K, &mpi, 1);
  f.mpi = mpi == 0.0;
  if (f.ranks > 1) f.nccl = open_nccl(D, asked, f.shared);
  return hp_transport_choose(asked, &f, &P->transport);
}

void hp_device_describe_transport(const hp_device *D, char *out, size_t size) {
  const hp_device_part *P = D->part;
  if (P->transport == HP_TRANSPORT_NCCL) hp_nccl_describe(P->nccl, out, size);
  else snprintf(out, size, "%s", P->transport == HP_TRANSPORT_MPI ? "MPI in the memory of GPUs" : "the host");
}

void hp_device_drop_part(hp_device *D) {
  hp_device_part *P = D->part;
  if (P == NULL) return;
  hp_device_exchange_destroy(&P->cells);
  hp_device_exchange_destroy(&P->wells);
  hp_device_exchange_destroy(&P->perforated);
  hp_device_exchange_destroy(&P->all_perforated);
  hp_device_exchange_destroy(&P->all_wells);
  hp_nccl_close(&P->nccl);
  HP_DEVICE_FREE(D, P->ghost);
  HP_DEVICE_FREE(D, P->other);
  HP_DEVICE_FREE(D, P->exact);
  if (P->seen != NULL) cudaFreeHost(P->seen);
  if (P->summed != NULL) cudaFreeHost(P->summed);
  HP_FREE(D->part);
}

hp_status hp_device_renew(hp_device *D, double *x, int q, bool wells) {
  const hp_device_part *P = D->part;
  const bool both = wells && P->p->nwell > 0;
  return run(P->cells, x, (size_t)q * sizeof *x, both ? P->wells : NULL, x + P->p->ncell * q, sizeof *x);
}

hp_status hp_device_renew_perforated(hp_device *D, double *x, int q) {
  return hp_device_exchange_run(D->part->perforated, x, (size_t)q * sizeof *x);
}

hp_status hp_device_renew_all(hp_device *D, double *x, int q, bool wells) {
  const hp_device_part *P = D->part;
  HP_TRY(hp_device_exchange_run(P->cells, x, (size_t)q * sizeof *x));
  if (P->p->nwell == 0) return HP_OK;
  return run(P->all_perforated, x, (size_t)q * sizeof *x, wells ? P->all_wells : NULL, x + P->p->ncell * q, sizeof *x);
}

hp_status hp_device_drop(hp_device *D, double *x, double *y, int q) {
  const hp_device_part *P = D->part;
  int64_t nghost = P->p->nghost, nother = P->nother, ld = P->p->ncell * q;
  void *args[] = {&nghost, (void *)&P->ghost, &nother, (void *)&P->other, &ld, &q, &x, &y};
  return launch(D, (const void *)drop_kernel, nghost * q + nother, args, "clearing ghosts");
}

/* ---- sums ---- */

const double *hp_device_summed(const hp_device *D) { return D->part->summed_there; }
hp_exact *hp_device_exact(const hp_device *D) { return D->part->exact; }

hp_status hp_device_sum(hp_device *D, int count, double *sum) {
  hp_device_part *P = D->part;
  const size_t bytes = (size_t)count * sizeof *P->seen;
  HP_CUDA_TRY(D, cudaMemcpyAsync(P->seen, P->exact, bytes, cudaMemcpyDeviceToHost, D->stream));
  HP_CUDA_TRY(D, cudaMemsetAsync(P->exact, 0, bytes, D->stream));
  HP_TRY(hp_device_sync(D));
  hp_ranks_sum(P->p->K, P->seen[0].place, count * HP_EXACT_PLACES);
  for (int k = 0; k < count; ++k) P->summed[k] = sum[k] = hp_exact_value(&P->seen[k]);
  return HP_OK;
}
