/* The functions of linsolve/krylov/device.h that are the same with and without CUDA. */
#include "linsolve/krylov/device.h"

static const char *execution_refusal(const hp_krylov_options *opt) {
  const hp_sparse_kind m = opt->matrix;
  if (opt->execution == HP_EXECUTION_IN_KERNEL)
    return m == HP_SPARSE_GH
               ? NULL
               : "the execution in-kernel multiplies with the matrix stored as gh only: for other formats "
                 "use linear.execution = \"per-operation\"";
  if (opt->method != HP_KRYLOV_BICGSTAB && opt->method != HP_KRYLOV_GMRES)
    return "the executions per-operation, graph and library have bicgstab and gmres only: use linear.execution = "
           "\"in-kernel\"";
  if (opt->execution == HP_EXECUTION_GRAPH && (m == HP_SPARSE_CSR || m == HP_SPARSE_SELL))
    return "csr and sell are multiplied by cuSPARSE, which the execution graph has no part of: use linear.execution = "
           "\"per-operation\" or \"library\"";
  if (opt->execution == HP_EXECUTION_LIBRARY && m != HP_SPARSE_GH && m != HP_SPARSE_CSR && m != HP_SPARSE_BSR &&
      m != HP_SPARSE_SELL)
    return "the execution library multiplies with cuSPARSE, which has csr (also taken for gh), bsr and sell only";
  return NULL;
}

const char *hp_krylov_device_refusal(const hp_krylov_options *opt) {
  if (opt->external != NULL && opt->external->device == NULL) return "this preconditioner runs on the CPU only";
  const bool listed = opt->execution == HP_EXECUTION_PER_OPERATION || opt->execution == HP_EXECUTION_GRAPH;
  if (opt->external != NULL && opt->execution != HP_EXECUTION_IN_KERNEL &&
      (!listed || opt->external->device->enqueue == NULL))
    return "this preconditioner runs inside a solve's kernel only: use linear.execution = \"in-kernel\"";
  const bool outside = opt->ordering == HP_ORDER_BRICKS && opt->execution != HP_EXECUTION_IN_KERNEL;
  if (opt->preconditioner == HP_PRECOND_DILU && opt->ordering != HP_ORDER_RED_BLACK && !outside)
    return opt->ordering == HP_ORDER_BRICKS
               ? "inside a solve's kernel dilu in bricks is for the second stage of cpr only: use linear.ordering = "
                 "\"red-black\", or linear.execution = \"per-operation\""
               : "dilu in natural order is a chain through all cells and does not run on a GPU: use linear.ordering = "
                 "\"red-black\"";
  return execution_refusal(opt);
}

int64_t hp_krylov_device_stride(int64_t n, bool spread) {
  const int64_t stride = spread ? hp_owned_stride(n, sizeof(double), HP_PAGE_BYTES, false) : n;
  return (stride + 31) / 32 * 32;
}
