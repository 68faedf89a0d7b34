/* amg/ranks/device.h with CUDA: new numbers.
 *
 *     level l      A (own rows)  -->  AP = A P (own rows)  -->  exchange: rows that interpolate from points of other ranks
 *                                     R AP  -->  A of level l + 1
 *     kernels      a group of lanes a row, by the host's plans, as amg/setup/cuda/numbers.cuh has it: entries are summed in
 *                  the order of the CPU
 */

#include "amg/cycle/cuda/program.cuh"
#include "amg/cycle/numbers.inl.h"
#include "amg/ranks/cuda/device_impl.cuh"
#include "amg/setup/cuda/numbers.cuh"
#include "core/memory.h"

enum {
  THREADS = 256,
  BLOCKS_EACH = 8 /* of a multiprocessor, at most */,
  CHIP = 24 * 1024 /* bytes of a block's sums */
};

/* ---- kernels ---- */

/* Places of type T as hp_csr_plan has them. */
template <class T>
struct packed {};
template <class T>
struct hp_places<packed<T>> {
  const T *at;
  __device__ __forceinline__ hp_places(const hp_product &p, int64_t i)
      : at((const T *)(const void *)(p.place + p.first[i])) {}
  __device__ __forceinline__ int of(const hp_product &, int64_t, int n, uint32_t) const { return (int)at[n]; }
  __device__ __forceinline__ void go_on(int count) { at += count; }
};

/* Rows of C whose places are of type T. */
template <int G, class T>
static __device__ __forceinline__ void product_rows(const hp_product &p, double *chip) {
  const int64_t first = ((int64_t)blockIdx.x * THREADS + threadIdx.x) / G, groups = (int64_t)gridDim.x * (THREADS / G);
  for (int64_t i = first; i < p.A.nrow; i += groups)
    if (hp_csr_place_bytes(hp_csr_length(&p.C, i)) == (int)sizeof(T)) hp_product_row<G, packed<T>>(p, i, chip);
}

template <int G>
static __global__ void __launch_bounds__(THREADS)
    product_kernel(const __grid_constant__ hp_product p, int32_t longest) {
  double *chip = (double *)hp_shared_memory + (int64_t)(threadIdx.x / G) * p.room;
  product_rows<G, uint8_t>(p, chip);
  if (hp_csr_place_bytes(longest) >= 2) product_rows<G, uint16_t>(p, chip);
  if (hp_csr_place_bytes(longest) == 4) product_rows<G, uint32_t>(p, chip);
}

/* The texts of the CPU for both types. */
template <class REAL>
struct text;
template <>
struct text<float> {
  static __device__ void fill(hp_team *t, const hp_csr *from, const hp_amg_rows *to) {
    hp_amg_rows_fill_float(t, from, to);
  }
  static __device__ void jacobi(hp_team *t, const hp_amg_level *L, double factor) {
    hp_amg_jacobi_scale_float(t, L, factor);
  }
  static __device__ void l1(hp_team *t, const hp_amg_level *L) { hp_amg_l1_jacobi_setup_float(t, NULL, L); }
  static __device__ void spai0(hp_team *t, const hp_amg_level *L) { hp_amg_spai0_setup_float(t, NULL, L); }
};
template <>
struct text<double> {
  static __device__ void fill(hp_team *t, const hp_csr *from, const hp_amg_rows *to) {
    hp_amg_rows_fill_double(t, from, to);
  }
  static __device__ void jacobi(hp_team *t, const hp_amg_level *L, double factor) {
    hp_amg_jacobi_scale_double(t, L, factor);
  }
  static __device__ void l1(hp_team *t, const hp_amg_level *L) { hp_amg_l1_jacobi_setup_double(t, NULL, L); }
  static __device__ void spai0(hp_team *t, const hp_amg_level *L) { hp_amg_spai0_setup_double(t, NULL, L); }
};

template <class REAL>
static __global__ void __launch_bounds__(THREADS)
    fill_kernel(const __grid_constant__ hp_csr from, const __grid_constant__ hp_amg_rows to) {
  hp_team t = hp_team_of_threads();
  text<REAL>::fill(&t, &from, &to);
}

/* Factors of residuals; smoothers that go over ranks have nothing else. */
template <class REAL>
static __global__ void __launch_bounds__(THREADS)
    scale_kernel(const __grid_constant__ hp_csr A, REAL *scale, hp_amg_smoother smoother, double damping) {
  hp_team t = hp_team_of_threads();
  hp_amg_level L;
  L.A = (hp_csr *)&A;
  L.smooth.scale = scale;
  if (smoother == HP_AMG_SPAI0) text<REAL>::spai0(&t, &L);
  else if (smoother == HP_AMG_L1_JACOBI) text<REAL>::l1(&t, &L);
  else text<REAL>::jacobi(&t, &L, smoother == HP_AMG_DAMPED_JACOBI ? damping : 1.0);
}

/* ---- creation ---- */

/* Rows begin .. of the host's matrix on the device; columns: with them; values: with the host's. */
static hp_status copy_matrix(hp_amg_ranks_device *C, const hp_csr *from, bool columns, bool values, hp_csr *to) {
  const int64_t count = hp_csr_count(from);
  to->nrow = from->nrow;
  to->ncol = from->ncol;
  HP_TRY(hp_amg_ranks_room(C, (void **)&to->begin, from->nrow + INT64_C(1), sizeof *to->begin));
  HP_TRY(hp_amg_ranks_room(C, (void **)&to->value, count, sizeof *to->value));
  HP_TRY(hp_device_upload(C->D, to->begin, from->begin, (from->nrow + INT64_C(1)) * (int64_t)sizeof *to->begin));
  if (values) HP_TRY(hp_device_upload(C->D, to->value, from->value, count * (int64_t)sizeof *to->value));
  if (!columns) return HP_OK;
  HP_TRY(hp_amg_ranks_room(C, (void **)&to->column, count, sizeof *to->column));
  return hp_device_upload(C->D, to->column, from->column, count * (int64_t)sizeof *to->column);
}

/* Copies the plan of the first `rows` rows of `product`, whose second factor is B. */
static hp_status copy_plan(hp_amg_ranks_device *C, const hp_csr_plan *from, int32_t rows, const hp_csr *product,
                           const hp_csr *B, hp_amg_device_plan *to) {
  to->longest = 0;
  to->shared = B->nrow > 0 ? (double)hp_csr_count(B) / B->nrow : 0.0;
  for (int32_t i = 0; i < rows; ++i) {
    const int32_t length = hp_csr_length(product, i);
    if (length > to->longest) to->longest = length;
  }
  HP_TRY(hp_amg_ranks_room(C, (void **)&to->begin, rows + INT64_C(1), sizeof *to->begin));
  HP_TRY(hp_amg_ranks_room(C, (void **)&to->place, from->begin[rows], sizeof *to->place));
  HP_TRY(hp_device_upload(C->D, to->begin, from->begin, (rows + INT64_C(1)) * (int64_t)sizeof *to->begin));
  return hp_device_upload(C->D, to->place, from->place, from->begin[rows]);
}

static hp_status create_level(hp_amg_ranks_device *C, int l) {
  const hp_amg_ranks *H = C->H;
  const hp_amg_level *L = &H->H->level[l];
  const hp_amg_part *p = &H->part[l];
  hp_amg_device_products *to = &C->product[l];
  HP_TRY(copy_matrix(C, L->A, true, false, &to->A));
  if (l + 1 == H->H->nlevel) return HP_OK;
  const hp_csr *next = l + 1 < H->parted ? L[1].A : H->whole.mine;
  HP_TRY(copy_matrix(C, p->P, false, true, &to->P));
  HP_TRY(copy_matrix(C, p->AP, false, false, &to->AP));
  HP_TRY(copy_matrix(C, L->R, true, true, &to->R));
  HP_TRY(copy_plan(C, &p->plan_ap, p->nowned, p->AP, p->P, &to->ap));
  HP_TRY(copy_plan(C, &p->plan_rap, next->nrow, next, p->AP, &to->rap));
  return hp_device_exchange_create(C->D, p->products, &to->pushed);
}

hp_status hp_amg_ranks_products_create(hp_amg_ranks_device *C) {
  const hp_amg_ranks *H = C->H;
  for (int l = 0; l < H->parted; ++l) HP_TRY(create_level(C, l));
  if (H->parted == H->H->nlevel) return HP_OK;
  return copy_matrix(C, H->whole.mine, false, false, &C->product[H->parted].A);
}

static void free_matrix(hp_device *D, hp_csr *A) {
  HP_DEVICE_FREE(D, A->begin);
  HP_DEVICE_FREE(D, A->column);
  HP_DEVICE_FREE(D, A->value);
}

static void free_plan(hp_device *D, hp_amg_device_plan *plan) {
  HP_DEVICE_FREE(D, plan->begin);
  HP_DEVICE_FREE(D, plan->place);
}

void hp_amg_ranks_products_destroy(hp_amg_ranks_device *C) {
  for (int l = 0; l < HP_AMG_LEVELS_MAX; ++l) {
    hp_amg_device_products *p = &C->product[l];
    hp_device_exchange_destroy(&p->pushed);
    free_matrix(C->D, &p->A);
    free_matrix(C->D, &p->P);
    free_matrix(C->D, &p->AP);
    free_matrix(C->D, &p->R);
    free_plan(C->D, &p->ap);
    free_plan(C->D, &p->rap);
  }
}

const hp_csr *hp_amg_ranks_device_finest(const hp_amg_ranks_device *C) { return &C->product[0].A; }

/* ---- refreshes ---- */

/* Rows of `to` = A B by their plan. */
static hp_status multiply(const hp_amg_ranks_device *C, const hp_csr *A, const hp_csr *B,
                          const hp_amg_device_plan *plan, const hp_csr *to) {
  const int64_t threads = (int64_t)hp_device_get_info(C->D)->multiprocessors * 1024;
  int lanes = hp_lanes_for(plan->shared);
  while (lanes < 32 && (int64_t)A->nrow * lanes < threads) lanes *= 2;
  int room = CHIP / (int)sizeof(double) / (THREADS / lanes);
  if (plan->longest < room) room = (plan->longest + 1) & ~1;
  hp_product p = {*A, *B, *to, plan->begin, plan->place, NULL, lanes, room};
  int32_t longest = plan->longest;
  void *args[] = {&p, &longest};
  const void *kernel = NULL;
  HP_WITH_LANES(lanes, kernel = (const void *)product_kernel<G>);
  return hp_device_launch(C->D, kernel, hp_parts((int64_t)A->nrow * lanes, THREADS), THREADS, args,
                          (size_t)(THREADS / lanes) * (size_t)room * sizeof(double), "multiplying sparse matrices");
}

/* Numbers of level l as cycles read them. */
template <class REAL>
static hp_status make_numbers(const hp_amg_ranks_device *C, int l) {
  static const char what[] = "numbers of multigrid's cycles";
  const hp_amg_options *opt = &C->H->H->opt;
  const int64_t most = (int64_t)BLOCKS_EACH * hp_device_get_info(C->D)->multiprocessors;
  hp_csr A = C->product[l].A;
  hp_amg_rows rows = C->level[l].a;
  const int64_t full = hp_parts(A.nrow, THREADS), blocks = full < most ? full : most;
  REAL *scale = (REAL *)C->level[l].scale;
  hp_amg_smoother smoother = opt->smoother;
  double damping = opt->damping;
  void *fill_args[] = {&A, &rows}, *scale_args[] = {&A, &scale, &smoother, &damping};
  HP_TRY(hp_device_launch(C->D, (const void *)fill_kernel<REAL>, blocks, THREADS, fill_args, 0, what));
  if (scale == NULL) return HP_OK;
  return hp_device_launch(C->D, (const void *)scale_kernel<REAL>, blocks, THREADS, scale_args, 0, what);
}

static void refresh_whole(hp_team *t, void *arg) { hp_amg_ranks_refresh_whole(t, (hp_amg_ranks *)arg); }

/* Levels that are whole: the host's. */
static hp_status finish_on_host(hp_amg_ranks_device *C, hp_team_hub *hub) {
  hp_amg_ranks *H = C->H;
  const hp_csr *mine = H->whole.mine;
  HP_TRY(hp_device_download(C->D, mine->value, C->product[H->parted].A.value,
                            hp_csr_count(mine) * (int64_t)sizeof *mine->value));
  HP_TRY(hp_team_run(hub, refresh_whole, H));
  for (int l = H->parted; l < H->H->nlevel; ++l) HP_TRY(hp_amg_ranks_upload_level(C, l));
  return hp_amg_ranks_upload_inverse(C);
}

hp_status hp_amg_ranks_device_refresh(hp_amg_ranks_device *C, hp_team_hub *hub) {
  const hp_amg_ranks *H = C->H;
  for (int l = 0; l < H->parted; ++l) {
    hp_amg_device_products *p = &C->product[l];
    HP_TRY(C->real == sizeof(float) ? make_numbers<float>(C, l) : make_numbers<double>(C, l));
    if (l + 1 == H->H->nlevel) return hp_device_sync(C->D);
    HP_TRY(multiply(C, &p->A, &p->P, &p->ap, &p->AP));
    HP_TRY(hp_device_exchange_run(p->pushed, p->AP.value, sizeof *p->AP.value));
    HP_TRY(multiply(C, &p->R, &p->AP, &p->rap, &p[1].A));
  }
  return finish_on_host(C, hub);
}
