#include "sim/backend.h"

#include <string.h>

static const char *const names[HP_BACKEND_COUNT] = {"cpu", "cuda"};

const char *hp_backend_name(hp_backend_kind kind) { return (unsigned)kind < HP_BACKEND_COUNT ? names[kind] : "unknown"; }

bool hp_backend_find(const char *name, hp_backend_kind *kind) {
  for (int n = 0; n < HP_BACKEND_COUNT; ++n)
    if (strcmp(names[n], name) == 0) {
      *kind = (hp_backend_kind)n;
      return true;
    }
  return false;
}

hp_status hp_backend_available(hp_backend_kind kind) {
  return kind == HP_BACKEND_CUDA ? hp_backend_cuda_available() : HP_OK;
}

hp_status hp_backend_create(hp_backend_kind kind, const hp_backend_input *in, hp_backend **out) {
  *out = NULL;
  switch (kind) {
    case HP_BACKEND_CPU: return hp_backend_cpu_create(in, out);
    case HP_BACKEND_CUDA: return hp_backend_cuda_create(in, out);
    case HP_BACKEND_COUNT: break;
  }
  return hp_fail(HP_ERR_INTERNAL, "there is no backend %d", (int)kind);
}

void hp_backend_destroy(hp_backend **B) {
  if (B != NULL && *B != NULL) (*B)->ops->destroy(B);
}

const char *hp_backend_linear(hp_backend_kind kind, const hp_case *c, hp_krylov_options *out) {
  *out = c->linear;
  if (kind == HP_BACKEND_CPU || c->linear.preconditioner != HP_PRECOND_DILU) return NULL;
  if (!c->ordering_given) out->ordering = HP_ORDER_RED_BLACK;
  if (out->ordering == HP_ORDER_NATURAL)
    return "linear.ordering natural is a chain of cells after cells, which leaves a GPU idle: leave the key out, or set "
           "red-black";
  return NULL;
}

double hp_backend_bytes(const hp_backend *B, hp_profile_op op, bool jacobian) {
  const double cells = (double)B->res->ncell, word = sizeof(double), q = HP_PHASES;
  const double blocks = jacobian ? q * q : 0.0;
  switch (op) {
    case HP_PROF_PROPERTIES: /* p, s, pore volume, old mass; properties, mass, scale, R, diagonal block */
      return cells * word * (3.0 + q + HP_CELL_NFIELDS + 3.0 * q + blocks);
    case HP_PROF_ASSEMBLY: /* properties, depth, 3 T, scale, R, diagonal block, active; R, 7 blocks */
      return cells * (word * (HP_CELL_NFIELDS + 4.0 + 2.0 * q + blocks) + 1.0 + word * (q + 7.0 * blocks));
    default: return 0.0;
  }
}

void hp_backend_count(hp_backend *B, const hp_step_report *report, bool jacobian) {
  for (int op = 0; op < HP_PROF_COUNT; ++op)
    if (report->seconds[op] > 0.0)
      hp_profile_add(B->profile, (hp_profile_op)op, report->seconds[op],
                     hp_backend_bytes(B, (hp_profile_op)op, jacobian));
}
