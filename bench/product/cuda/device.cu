/* bench/product/device.h: places a matrix on the GPU as often as the caches ask for, and times replays of a CUDA
 * graph of many products. */
#include <stdlib.h>

#include "bench/product/cuda/product.cuh"

enum { SAMPLES = 31 };

static hp_status check_size(int64_t rows) {
  if (rows <= INT32_MAX) return HP_OK;
  return hp_fail(HP_ERR_UNSUPPORTED, "%lld rows are more than 32-bit numbers can count", (long long)rows);
}

/* ---- multiply and time ---- */

static bool by_rows(const hp_spmv_job *J) {
  return J->own && J->F != NULL && (J->F->kind == HP_SPARSE_CSR || J->F->kind == HP_SPARSE_SELL);
}

static bool by_cusparse(const hp_spmv_job *J) {
  return J->F != NULL && !by_rows(J) &&
         (J->F->kind == HP_SPARSE_CSR || J->F->kind == HP_SPARSE_BSR || J->F->kind == HP_SPARSE_SELL);
}

static hp_status run_once(const hp_spmv_product *P, int copy) {
  if (P->J->B != NULL) return hp_spmv_blocks_run(P, copy);
  if (P->J->H != NULL) return hp_spmv_half_run(P, copy);
  if (P->J->F == NULL) return hp_spmv_gh_run(P, copy);
  if (by_rows(P->J)) return hp_spmv_rows_run(P, copy);
  return by_cusparse(P->J) ? hp_spmv_library_run(P, copy) : hp_spmv_columns_run(P, copy);
}

static hp_status arrange(hp_spmv_product *P) {
  const hp_spmv_job *J = P->J;
  P->n = J->H != NULL ? J->H->n : J->F != NULL ? J->F->n : J->A != NULL ? J->A->n : J->B->nrow * J->B->q;
  const int64_t width = J->width > 0 ? J->width : P->n;
  HP_TRY(check_size(width));
  P->x = hp_spmv_put(&P->I, J->x, width * 8);
  P->y = hp_spmv_put(&P->I, J->y, P->n * 8);
  return J->B != NULL     ? hp_spmv_blocks_prepare(P)
         : J->H != NULL   ? hp_spmv_half_prepare(P)
         : J->F == NULL   ? hp_spmv_gh_prepare(P)
         : by_rows(J)     ? hp_spmv_rows_prepare(P)
         : by_cusparse(J) ? hp_spmv_library_prepare(P)
                          : hp_spmv_columns_prepare(P);
}

hp_status hp_spmv_device_arrange(hp_device *D, const hp_spmv_job *J, hp_spmv_product **out) {
  HP_TRY(hp_alloc((void **)out, 1, sizeof **out, "product on the GPU"));
  (*out)->D = D;
  (*out)->J = J;
  (*out)->stream = hp_device_stream(D);
  const hp_status s = arrange(*out);
  if (s != HP_OK) hp_spmv_device_release(out);
  return s;
}

int hp_spmv_device_copies(const hp_spmv_product *P) {
  const int64_t l2 = hp_device_get_info(P->D)->l2, copies = P->J->cold ? (4 * l2 + P->I.size - 1) / P->I.size : 1;
  const int least = P->J->cold ? 2 : 1;
  return copies < least ? least : copies > HP_SPMV_COPIES_MAX ? HP_SPMV_COPIES_MAX : (int)copies;
}

int hp_spmv_device_room(const hp_spmv_product *P, int share) {
  const int64_t room = hp_device_free_bytes(P->D) / share / 10 * 9 / P->I.size;
  return room < 1 ? 1 : room > HP_SPMV_COPIES_MAX ? HP_SPMV_COPIES_MAX : (int)room;
}

hp_status hp_spmv_device_place(hp_spmv_product *P, int copies) {
  P->copies = copies;
  HP_TRY(hp_device_alloc(P->D, (void **)&P->memory, copies, (size_t)P->I.size, "copies of the matrix"));
  for (int a = 0; a < P->I.count; ++a)
    if (P->I.bytes[a] > 0) HP_TRY(hp_device_upload(P->D, P->memory + P->I.offset[a], P->I.host[a], P->I.bytes[a]));
  for (int c = 1; c < P->copies; ++c) HP_TRY(hp_device_copy(P->D, P->memory + c * P->I.size, P->memory, P->I.size));
  HP_TRY(hp_device_sync(P->D));
  return by_cusparse(P->J) ? hp_spmv_library_start(P) : HP_OK;
}

hp_status hp_spmv_device_once(const hp_spmv_product *P, double *seconds) {
  HP_TRY(hp_device_mark(P->D, 0));
  HP_TRY(run_once(P, 0));
  HP_TRY(hp_device_mark(P->D, 1));
  return hp_device_elapsed(P->D, 0, 1, seconds);
}

int hp_spmv_device_length(double first, int copies) {
  const int count = first > 0.0 ? (int)(3e-3 / first) : 1000;
  const int whole = (count < copies ? 1 : count > 1000 ? 1000 / copies : count / copies) * copies;
  return whole >= 4 ? whole : 4 / copies * copies + (4 % copies != 0) * copies;
}

hp_status hp_spmv_device_record(hp_spmv_product *P, int count) {
  cudaGraph_t graph = NULL;
  hp_status s = HP_OK;
  HP_CUDA_TRY(P->D, cudaStreamBeginCapture(P->stream, cudaStreamCaptureModeThreadLocal));
  for (int n = 0; n < count && s == HP_OK; ++n) s = run_once(P, n % P->copies);
  const cudaError_t end = cudaStreamEndCapture(P->stream, &graph);
  if (s == HP_OK) s = hp_device_check(P->D, end, "recording a graph of products");
  if (s == HP_OK) s = hp_device_check(P->D, cudaGraphInstantiate(&P->graph, graph, 0), "making a graph of products");
  if (graph != NULL) cudaGraphDestroy(graph);
  P->last = (count - 1) % P->copies;
  return s;
}

hp_status hp_spmv_device_replay(const hp_spmv_product *P, double *seconds) {
  HP_TRY(hp_device_mark(P->D, 0));
  HP_CUDA_TRY(P->D, cudaGraphLaunch(P->graph, P->stream));
  HP_TRY(hp_device_mark(P->D, 1));
  return hp_device_elapsed(P->D, 0, 1, seconds);
}

hp_status hp_spmv_device_fetch(const hp_spmv_product *P, double *y) {
  return hp_device_download(P->D, y, hp_spmv_at<double>(P, P->last, P->y), P->n * 8);
}

void hp_spmv_device_release(hp_spmv_product **slot) {
  hp_spmv_product *P = *slot;
  if (P == NULL) return;
  if (P->graph != NULL) cudaGraphExecDestroy(P->graph);
  hp_spmv_library_stop(P);
  hp_compiled_destroy(&P->compiled);
  hp_device_free(P->D, &P->memory);
  for (int n = 0; n < P->nlist; ++n) hp_free(&P->list[n]);
  hp_free(slot);
}

static int by_value(const void *x, const void *y) {
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static hp_status time_products(hp_spmv_product *P, hp_spmv_job *J) {
  double sample[SAMPLES], first;
  HP_TRY(hp_spmv_device_once(P, &first));
  const int count = hp_spmv_device_length(first, P->copies);
  HP_TRY(hp_spmv_device_record(P, count));
  HP_TRY(hp_spmv_device_replay(P, &first)); /* warms up */
  J->samples = 0;
  for (double spent = 0.0; J->samples < SAMPLES && (J->samples < 5 || spent < J->time_limit);) {
    HP_TRY(hp_spmv_device_replay(P, &sample[J->samples]));
    spent += sample[J->samples++];
  }
  qsort(sample, (size_t)J->samples, sizeof *sample, by_value);
  J->seconds = sample[J->samples / 2] / count;
  J->samples *= count;
  return HP_OK;
}

hp_status hp_spmv_device_measure(hp_device *D, hp_spmv_job *J) {
  hp_spmv_product *P = NULL;
  HP_TRY(hp_spmv_device_arrange(D, J, &P));
  const int copies = hp_spmv_device_copies(P), room = hp_spmv_device_room(P, 1);
  hp_status s = hp_spmv_device_place(P, copies < room ? copies : room);
  if (s == HP_OK) s = time_products(P, J);
  if (s == HP_OK) s = hp_spmv_device_fetch(P, J->y);
  hp_spmv_device_release(&P);
  return s;
}

/* ---- bandwidth ---- */

static __global__ void __launch_bounds__(512) spmv_copy(const double2 *from, double2 *to, int64_t count) {
  for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (int64_t)gridDim.x * blockDim.x)
    to[i] = from[i];
}

/* Multiplications and additions that wait for nothing but those before them. */
static __global__ void __launch_bounds__(256) spmv_peak(double *out, int rounds) {
  enum { CHAINS = 16 };
  double a[CHAINS], sum = 0.0;
  for (int k = 0; k < CHAINS; ++k) a[k] = threadIdx.x + k;
  for (int n = 0; n < rounds; ++n)
#pragma unroll
    for (int k = 0; k < CHAINS; ++k) a[k] = __fma_rn(a[k], 0.5, 1.0);
  for (int k = 0; k < CHAINS; ++k) sum += a[k];
  if (sum < 0.0) *out = sum; /* never, but the compiler does not know */
}

hp_status hp_spmv_device_peak(hp_device *D, double *rate) {
  enum { ROUNDS = 2000, CHAINS = 16, THREADS = 256 };
  const int blocks = 8 * hp_device_get_info(D)->multiprocessors;
  double best = 0.0, *out = NULL;
  HP_TRY(hp_device_alloc(D, (void **)&out, 1, sizeof *out, "a measurement of the peak"));
  hp_status s = HP_OK;
  for (int n = 0; n < 5 && s == HP_OK; ++n) {
    double seconds = 0.0;
    s = hp_device_mark(D, 0);
    if (s == HP_OK) {
      spmv_peak<<<blocks, THREADS, 0, hp_device_stream(D)>>>(out, ROUNDS);
      s = hp_device_check(D, cudaGetLastError(), "measuring the peak");
    }
    if (s == HP_OK) s = hp_device_mark(D, 1);
    if (s == HP_OK) s = hp_device_elapsed(D, 0, 1, &seconds);
    const double operations = 2.0 * ROUNDS * CHAINS * THREADS * blocks;
    if (s == HP_OK && n > 0 && operations / seconds > best) best = operations / seconds;
  }
  *rate = best;
  hp_device_free(D, &out);
  return s;
}

hp_status hp_spmv_device_copy(hp_device *D, int64_t bytes, double *rate) {
  double2 *from = NULL, *to = NULL;
  double best = 0.0;
  const int64_t count = bytes / 16;
  hp_status s = hp_device_alloc_whole(D, (void **)&from, count, sizeof *from, "source of a copy");
  if (s == HP_OK) s = hp_device_alloc_whole(D, (void **)&to, count, sizeof *to, "target of a copy");
  for (int n = 0; n < 10 && s == HP_OK; ++n) {
    double seconds = 0.0;
    s = hp_device_mark(D, 0);
    if (s == HP_OK) {
      spmv_copy<<<8 * hp_device_get_info(D)->multiprocessors, 512, 0, hp_device_stream(D)>>>(from, to, count);
      s = hp_device_check(D, cudaGetLastError(), "copying");
    }
    if (s == HP_OK) s = hp_device_mark(D, 1);
    if (s == HP_OK) s = hp_device_elapsed(D, 0, 1, &seconds);
    if (s == HP_OK && n > 0 && 32.0 * (double)count / seconds > best) best = 32.0 * (double)count / seconds;
  }
  *rate = best;
  hp_device_free(D, &from);
  hp_device_free(D, &to);
  return s;
}
