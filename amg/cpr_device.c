/* What of amg/cpr_device.h is the same with and without CUDA. */
#include "amg/cpr_device.h"

#include "amg/cycle_device.h"

const char *hp_cpr_device_refusal(const hp_cpr_options *opt, hp_krylov_method method) {
  if (opt->ordering == HP_ORDER_NATURAL)
    return "cpr's second stage, dilu, in natural order is a chain through all cells and does not run on a GPU: use "
           "linear.ordering = \"bricks\" or \"red-black\"";
  if (method != HP_KRYLOV_BICGSTAB && method != HP_KRYLOV_GMRES && method != HP_KRYLOV_TFQMR)
    return "on a GPU cpr goes with bicgstab, gmres and tfqmr";
  if (opt->amg.compact) return "cpr's kernels have no rows of 4 bytes an entry";
  if (opt->amg.on_chip > 0) return "cpr's kernels are given no levels on chip";
  return hp_amg_device_cycle_refusal(&opt->amg);
}

int64_t hp_cpr_device_estimate(int64_t ncell, int64_t nactive, int q) {
  /* measured; the tables for long rows of products grow to a limit */
  enum { PRESSURE_ROW = 7 * (8 + 12) + 8, HIERARCHY = 2000, TABLES = 12000, TABLES_MOST = 256 << 20 };
  const int64_t tables = nactive * TABLES < TABLES_MOST ? nactive * TABLES : TABLES_MOST;
  return ncell * (PRESSURE_ROW + 1 + (int64_t)sizeof(double) * (2 + 2 * q)) + nactive * HIERARCHY + tables;
}
