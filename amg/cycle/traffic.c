/* Bytes that a cycle moves at least; the passes are those of amg/cycle/program.c. */
#include "amg/amg.h"

enum { COLUMN = 4, LAST_DOUBLE = 8 };

/* How often a V cycle or a part of one comes to level l. */
static double visits(const hp_amg_options *opt, int nlevel, int l) {
  const int most = nlevel - 2; /* the last but one is not visited again */
  const int k = l > most && most >= 0 ? most : l;
  if (opt->cycle == HP_AMG_W) return (double)(INT64_C(1) << k);
  return opt->cycle == HP_AMG_F ? k + 1.0 : 1.0;
}

/* Passes over A: sweeps, and the residual after those that go before. */
static int64_t passes(const hp_amg_options *opt) {
  const int64_t sweep = opt->smoother == HP_AMG_CHEBYSHEV ? opt->order : 1;
  const int64_t before = opt->pre > 0 ? opt->pre * sweep + (hp_amg_smoother_is_diagonal(opt->smoother) ? 0 : 1) : 0;
  return before + opt->post * sweep;
}

int64_t hp_amg_cycle_traffic(const hp_amg_options *opt, bool gh, bool direct, int nlevel, const hp_amg_size *size) {
  const int64_t real = opt->precision == HP_PRECISION_SINGLE ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
  const int64_t entry = COLUMN + real;
  double bytes = 0.0;
  for (int l = 0; l < nlevel; ++l) {
    const hp_amg_size *s = &size[l];
    const int64_t n = s->rows * real;
    const double times = visits(opt, nlevel, l);
    if (l + 1 == nlevel) {
      const int64_t swept = HP_AMG_SWEEPS_LAST * (s->entries * entry + 3 * n);
      bytes += times * (double)(direct ? s->rows * s->rows * LAST_DOUBLE + 2 * n : swept);
      continue;
    }
    const int64_t next = size[l + 1].rows * real;
    const int64_t smoothing = passes(opt) * (s->entries * (gh && l == 0 ? real : entry) + 3 * n);
    const int64_t down = s->interpolation * entry + n + next, up = s->interpolation * entry + next + 2 * n;
    bytes += times * (double)(smoothing + down + up);
  }
  return (int64_t)bytes;
}

void hp_amg_sizes(const hp_amg *H, hp_amg_size *size) {
  for (int l = 0; l < H->nlevel; ++l) {
    const hp_csr *A = H->level[l].A, *P = H->level[l].P;
    size[l] = (hp_amg_size){A->nrow, A->begin[A->nrow], P != NULL ? P->begin[P->nrow] : 0};
  }
}
