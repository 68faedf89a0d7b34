/* The smoother schwarz on a GPU: amg/smoothers/schwarz.inl.h. The domains and the
 * dependencies of their triangular solves are made on the host; rows of the
 * factors, and both solves, go level after level of these (Liu, Yu & Chen
 * 2013), all domains at the same time.
 */
#include "amg/rows/rows.inl.h"
#include "amg/smoothers/cuda/slots.cuh"
#include "amg/smoothers/impl.h"
#include "core/memory.h"

#define HP_BOTH "amg/smoothers/schwarz.inl.h"
#include "amg/rows/both.inl.h"

/* ---- set-up ---- */

template <class INDEX>
static hp_status send(hp_amg_device_cycle *C, const INDEX *from, int64_t count, INDEX **to) {
  HP_TRY(HP_POOL_ALLOC(&C->S.keep, *to, count));
  return hp_device_upload(C->D, *to, from, count * (int64_t)sizeof **to);
}

/* Columns counted over all domains. */
static void count_columns_over_all(hp_amg_smooth *S) {
  for (int32_t c = 0; c < S->ndomain; ++c)
    for (int64_t e = S->begin[S->domain[c]]; e < S->begin[S->domain[c + 1]]; ++e) S->column[e] += S->domain[c];
}

/* The index of a row's value: in the domain whose interior row it is. */
static hp_status send_index(hp_amg_device_cycle *C, int64_t n, const hp_amg_smooth *S, int32_t **to) {
  int32_t *index = NULL;
  HP_TRY(HP_ALLOC_UNSET(index, n));
  for (int64_t c = 0; c < S->ndomain; ++c) {
    const int64_t begin = n * c / S->ndomain, end = n * (c + 1) / S->ndomain;
    for (int64_t i = begin; i < end; ++i) index[i] = S->domain[c] + S->first[c] + (int32_t)(i - begin);
  }
  const hp_status s = send(C, index, n, to);
  HP_FREE(index);
  return s;
}

/* The triangle of the entries from[i] .. to[i] - 1, on the host and on the
 * device. */
static hp_status make_triangle(hp_amg_device_cycle *C, const hp_amg_smooth *S, const uint32_t *from, const uint32_t *to,
                               bool upper, const hp_amg_entries *E, hp_amg_groups *G) {
  const int32_t n = S->domain[S->ndomain];
  hp_amg_smooth groups;
  memset(&groups, 0, sizeof groups);
  hp_status s = hp_amg_triangle_groups(n, from, to, S->column, upper, &groups);
  if (s == HP_OK) s = hp_amg_groups_create(C, E, n, 1, &groups, upper ? HP_AMG_FACTOR : HP_AMG_NO_FACTOR, G);
  hp_amg_smooth_clear(&groups);
  return s;
}

static hp_status make_triangles(hp_amg_device_cycle *C, int l, const hp_amg_smooth *host) {
  hp_amg_smoothing *M = &C->smoothing[l];
  const hp_amg_smooth *S = &C->host.H.level[l].smooth;
  const int32_t n = host->domain[host->ndomain];
  const int64_t half = host->begin[n] / 2;
  uint32_t *after = NULL, *after_here = NULL; /* the diagonals */
  HP_TRY(HP_ALLOC_UNSET(after, n));
  for (int32_t i = 0; i < n; ++i) after[i] = host->diagonal[i] + 1;
  hp_status s = send(C, after, n, &after_here);
  const hp_amg_entries lower = {S->begin, S->diagonal, S->column, half};
  const hp_amg_entries upper = {after_here, S->begin + 1, S->column, half};
  if (s == HP_OK) s = make_triangle(C, host, host->begin, host->diagonal, false, &lower, &M->lower);
  if (s == HP_OK) s = make_triangle(C, host, after, host->begin + 1, true, &upper, &M->upper);
  HP_FREE(after);
  return s;
}

/* Arrays for the factors on the device; `group` and `order` are slices and slots
 * of the lower triangle. */
static hp_status send_domains(hp_amg_device_cycle *C, int l, hp_amg_smooth *host) {
  hp_amg_smooth *S = &C->host.H.level[l].smooth;
  hp_amg_smoothing *M = &C->smoothing[l];
  const int64_t rows = host->domain[host->ndomain], entries = host->begin[rows];
  count_columns_over_all(host);
  HP_TRY(send(C, host->row, rows, &S->row));
  HP_TRY(send(C, host->begin, rows + 1, &S->begin));
  HP_TRY(send(C, host->diagonal, rows, &S->diagonal));
  HP_TRY(send(C, host->column, entries, &S->column));
  HP_TRY(send(C, host->source, entries, &S->source));
  HP_TRY(hp_amg_cycle_alloc(C, &S->value, entries));
  HP_TRY(hp_amg_cycle_alloc(C, &S->work, rows));
  HP_TRY(send_index(C, M->A.at.nrow, host, &M->index));
  HP_TRY(make_triangles(C, l, host));
  S->ngroup = M->lower.ngroup;
  S->order = M->lower.at;
  return send(C, M->lower.first, M->lower.ngroup + 1, &S->group);
}

static hp_status prepare(hp_amg_device_cycle *C, int l) {
  hp_amg_level copy;
  hp_amg_smooth host;
  memset(&copy, 0, sizeof copy);
  memset(&host, 0, sizeof host);
  HP_TRY(hp_csr_device_download(C->D, &C->smoothing[l].A, &copy.A));
  hp_status s = hp_amg_smooth_prepare(&C->host.H.opt, &copy, &host);
  if (s == HP_OK) s = send_domains(C, l, &host);
  hp_amg_smooth_clear(&host);
  hp_csr_destroy(&copy.A);
  return s;
}

/* ---- numbers ---- */

struct factor_args {
  hp_csr A;
  hp_amg_smooth S;
  int shift;
  bool single;
};

/* Rows of the factors, those of a group at the same time. */
static __device__ void factorize(hp_team *t, const factor_args *a) {
  const hp_amg_smooth *S = &a->S;
  for (int g = 0; g < S->ngroup; ++g) {
    const int64_t begin = (int64_t)S->group[g] << a->shift, end = (int64_t)S->group[g + 1] << a->shift;
    HP_TEAM_FOR(t, k, end - begin) {
      const int32_t i = S->order[begin + k];
      if (i < 0) continue;
      if (a->single) hp_amg_schwarz_row_float(&a->A, S, 0, i);
      else hp_amg_schwarz_row_double(&a->A, S, 0, i);
    }
    hp_team_sync(t); /* the group's rows */
  }
}
HP_TEAM_KERNEL(factor_kernel, factor_args, factorize(&t, &a))

static hp_status numbers(hp_amg_device_cycle *C, int l) {
  const hp_amg_smoothing *M = &C->smoothing[l];
  const hp_amg_smooth *S = &C->host.H.level[l].smooth;
  const factor_args a = {M->A.at, *S, M->lower.rows.shift, hp_amg_cycle_single(C)};
  HP_TRY(hp_team_launch(C->D, (const void *)factor_kernel, &a, 0, "factors of a smoother's domains"));
  HP_TRY(hp_amg_groups_fill(C, &M->lower, S->value, false));
  HP_TRY(hp_amg_groups_fill(C, &M->upper, S->value, false));
  return hp_amg_groups_set_factor(C, &M->upper, S->value, S->diagonal);
}

const hp_amg_device_smoother hp_amg_device_domains = {.prepare = prepare, .numbers = numbers};
