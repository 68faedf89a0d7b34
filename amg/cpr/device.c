/* The functions of amg/cpr/device.h that are the same with and without CUDA. */
#include "amg/cpr/device.h"

int64_t hp_cpr_device_estimate(const hp_cpr_options *opt, int64_t ncell, int64_t nactive, int q, int64_t attached) {
  /* of SPE10's class, 1.12 to 9 million cells, operator complexity 3.2 to 3.3: docs/developer/gpu.md. Bytes a cell of
   * all levels: P, R, patterns and plans; what a refresh makes. Of the cycle: entries of rows in slices, vectors of a
   * level's length. csr has no padding, hec that of its ELL (hepta bench amg --formats); both have where rows begin. */
  enum { KEPT = 302, MADE_AGAIN = 275, VECTORS = 8, BEGINS = 8 };
  static const int entries[HP_AMG_FORMAT_COUNT + 1] = {
      [HP_AMG_FORMAT_SLICED] = 25, [HP_AMG_FORMAT_HEC] = 31, [HP_AMG_FORMAT_CSR] = 24, [HP_AMG_FORMAT_AUTO] = 25};
  const bool single = opt->amg.precision == HP_PRECISION_SINGLE;
  const int64_t word = sizeof(double), real = single ? sizeof(float) : sizeof(double);
  const int64_t finest = HP_GH_DIAGS * real + (single ? 0 : 2 * word); /* GH; in double r_p and x_p, too */
  const int64_t weights = opt->weights != HP_CPR_TRUE_IMPES ? q * word : 0;
  const int64_t residual = opt->ordering != HP_ORDER_BRICKS ? q * word : 0;
  const int64_t cells = weights + residual + 1 + (int64_t)sizeof(int32_t); /* kept; where rows begin */
  const int64_t begins = hp_amg_is_plain(&opt->amg) ? BEGINS : 0;
  const int64_t cycle = entries[opt->amg.format] * ((int64_t)sizeof(int32_t) + real) + begins + VECTORS * real;
  const int64_t made = nactive * MADE_AGAIN - attached;
  return ncell * (cells + finest) + nactive * (KEPT + cycle) + (made > 0 ? made : 0);
}

int64_t hp_cpr_device_part_estimate(const hp_cpr_options *opt, int64_t ncell, int64_t nactive, int q) {
  /* of SPE10's class, operator complexity 3.2. Bytes an own cell of all levels: matrices in double and plans of their products
   * (amg/ranks/cuda/refresh.cu), of the cycle entries of rows in slices of 32, and vectors of a level's length. */
  enum { PRODUCTS = 540, PLANS = 130, ENTRIES = 49, VECTORS = 7, SOURCES = HP_GH_DIAGS * (int)sizeof(int32_t) };
  const int64_t real = opt->amg.precision == HP_PRECISION_SINGLE ? sizeof(float) : sizeof(double),
                word = sizeof(double);
  const int64_t weights = opt->weights != HP_CPR_TRUE_IMPES ? q * word : 0;
  const int64_t cells = 2 * (int64_t)sizeof(int32_t) + weights + 3 * word +
                        q * word; /* numbers; r_p, x_p twice; r - A x_p */
  return ncell * cells +
         nactive * (PRODUCTS + PLANS + SOURCES + ENTRIES * ((int64_t)sizeof(int32_t) + real) + VECTORS * real);
}
