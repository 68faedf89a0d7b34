/* The numbers of C = A B by its plan, one group of lanes per row: for the kernels of a set-up (amg/setup/cuda/numbers.cu)
 * and for the team program of a refresh (amg/cycle/cuda/refresh.cu).
 *
 * For one a_ik after the other the lanes share row k of B, whose columns are distinct. So C_ij is summed in the order of
 * the a_ik, as on the host. */
#ifndef HP_AMG_SETUP_CUDA_NUMBERS_CUH
#define HP_AMG_SETUP_CUDA_NUMBERS_CUH

#include "amg/setup/cuda/setup.cuh"

typedef struct hp_product {
  hp_csr A, B, C;
  const int64_t *first; /* hp_device_plan's begin */
  const uint8_t *place; /* the same; NULL: searched for */
  const uint16_t *wide;
  int lanes; /* of a row */
  int room;  /* sums of a group in shared memory; a row of C with more has them in C itself */
} hp_product;

/* Place of `column` in row i of C, by bisection. */
static __device__ __forceinline__ int hp_product_place(const hp_csr &C, int64_t i, int32_t column) {
  const int32_t *columns = C.column + C.begin[i];
  int low = 0, high = hp_csr_length(&C, i) - 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (columns[middle] < column) low = middle + 1;
    else high = middle;
  }
  return low;
}

/* A row that begins at `first` notes here from which term on its places have two bytes. */
static __device__ __forceinline__ int32_t *hp_plan_wide_from(const uint8_t *place, int64_t first) {
  return (int32_t *)(void *)(place + ((first + 3) & ~INT64_C(3)));
}

/* A row's places. */
static __device__ __forceinline__ const uint8_t *hp_places_of(const hp_product &p, int64_t i, uint8_t) {
  return p.place + p.first[i];
}
static __device__ __forceinline__ const uint16_t *hp_places_of(const hp_product &p, int64_t i, uint16_t) {
  return p.wide + *hp_plan_wide_from(p.place, p.first[i]);
}

/* The places that products go to: PLACE is the type of one, or void. */
template <class PLACE>
struct hp_places {
  const PLACE *at;
  __device__ __forceinline__ hp_places(const hp_product &p, int64_t i) : at(hp_places_of(p, i, PLACE(0))) {}
  /* of product n after the current one, b_kj at B's place `from` */
  __device__ __forceinline__ int of(const hp_product &, int64_t, int n, uint32_t) const { return (int)at[n]; }
  __device__ __forceinline__ void go_on(int count) { at += count; }
};
template <>
struct hp_places<void> {
  __device__ __forceinline__ hp_places(const hp_product &, int64_t) {}
  __device__ __forceinline__ int of(const hp_product &p, int64_t i, int, uint32_t from) const {
    return hp_product_place(p.C, i, p.B.column[from]);
  }
  __device__ __forceinline__ void go_on(int) {}
};

/* Row i of C; chip [p.room] is the group's. */
template <int G, class PLACE>
static __device__ __forceinline__ void hp_product_row(const hp_product &p, int64_t i, double *chip) {
  typedef hp_lanes<G> L;
  enum { AHEAD = 4 /* rows of B in flight together */ };
  const uint32_t c_begin = p.C.begin[i], end = p.A.begin[i + 1];
  const int c_count = hp_csr_length(&p.C, i);
  const bool on_chip = c_count <= p.room;
  double *sum = on_chip ? chip : p.C.value + c_begin;
  hp_places<PLACE> places(p, i);
  for (int n = L::lane(); n < c_count; n += G) sum[n] = 0.0;
  L::sync();
  for (uint32_t k0 = p.A.begin[i]; k0 < end; k0 += G) {
    const uint32_t k = k0 + L::lane();
    uint32_t from = 0;
    int length = 0;
    double factor = 0.0;
    if (k < end) {
      const int32_t j = p.A.column[k];
      factor = p.A.value[k];
      from = p.B.begin[j];
      length = (int)(p.B.begin[j + 1] - from);
    }
    const int count = end - k0 < G ? (int)(end - k0) : G;
    for (int t0 = 0; t0 < count; t0 += AHEAD) {
      double value[AHEAD];
      int to[AHEAD];
      uint32_t b[AHEAD];
      int l[AHEAD];
      hp_places<PLACE> ahead = places;
#pragma unroll
      for (int a = 0; a < AHEAD; ++a) {
        const int t = t0 + a < count ? t0 + a : 0;
        b[a] = L::shuffle(from, t);
        l[a] = L::shuffle(length, t);
        if (t0 + a >= count) l[a] = 0;
        value[a] = 0.0;
        to[a] = -1;
        if (L::lane() < l[a]) {
          value[a] = p.B.value[b[a] + L::lane()];
          to[a] = ahead.of(p, i, L::lane(), b[a] + L::lane());
        }
        ahead.go_on(l[a]);
      }
#pragma unroll
      for (int a = 0; a < AHEAD; ++a) {
        const double f = L::shuffle(factor, t0 + a < count ? t0 + a : 0);
        if (to[a] >= 0) sum[to[a]] += f * value[a];
        for (int n = L::lane() + G; n < l[a]; n += G) sum[places.of(p, i, n, b[a] + n)] += f * p.B.value[b[a] + n];
        places.go_on(l[a]);
        L::sync(); /* the next a_ik may add to the same place from another lane */
      }
    }
  }
  if (!on_chip) return;
  for (int n = L::lane(); n < c_count; n += G) p.C.value[c_begin + n] = sum[n];
  L::sync(); /* the next row reuses the sums */
}

/* Rows first .. end-1, `groups` apart, of a block's group with shared memory from `chip` on. */
template <int G>
static __device__ __forceinline__ void hp_product_rows(const hp_product &p, int first, int end, int groups,
                                                       double *chip) {
  chip += (int64_t)(threadIdx.x / G) * p.room;
  const auto is_wide = [&](int i) { return hp_csr_length(&p.C, i) > HP_PLAN_BYTE; };
  for (int i = first; i < end; i += groups)
    if (p.wide == NULL || !is_wide(i)) hp_product_row<G, uint8_t>(p, i, chip);
  if (p.wide == NULL) return;
  for (int i = first; i < end; i += groups)
    if (is_wide(i)) hp_product_row<G, uint16_t>(p, i, chip);
}

/* The same without a plan. */
template <int G>
static __device__ __forceinline__ void hp_product_rows_searched(const hp_product &p, int64_t first, int64_t end,
                                                                int64_t groups, double *chip) {
  chip += (int64_t)(threadIdx.x / G) * p.room;
  for (int64_t i = first; i < end; i += groups) hp_product_row<G, void>(p, i, chip);
}

/* ---- for the host ---- */

/* C = A B for a kernel with so many threads per block, which has hp_setup_product_bytes, at most `chip`, of shared
 * memory. */
hp_product hp_setup_product(const hp_setup *S, const hp_csr_device *A, const hp_csr_device *B,
                            const hp_device_plan *plan, const hp_csr_device *C, int threads, int chip);
size_t hp_setup_product_bytes(const hp_product *p, int threads);

#endif
