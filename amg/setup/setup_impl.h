/* A team sets up a hierarchy (core/team/team.h): the members share loops over rows, member 0 allocates
 * memory, and the result has the same bits for every team size.
 *
 *   f_by(t, w, ...)   by all members together, with the same arguments (results go through
 *                     pointers that the members share); the same status on all; ends with a barrier
 *   f(...)            the same by the caller alone (amg/csr.h, amg/amg.h)
 *
 * Loops over rows are owned: a member may read in one loop over n rows what it wrote in an earlier one over
 * n rows, without a barrier. */
#ifndef HP_AMG_SETUP_SETUP_IMPL_H
#define HP_AMG_SETUP_SETUP_IMPL_H

#include "amg/amg.h"
#include "amg/setup/weight.inl.h"
#include "core/ranks/ranks.h"

HP_EXTERN_C_BEGIN

/* A matrix as a part of one over ranks (amg/ranks), which a team of each rank sets up; member 0 exchanges. Its rows are those of
 * this rank's points and of their neighbours, which rise as in the whole matrix. */
typedef struct hp_amg_share {
  hp_ranks *K;
  const int64_t *number; /* [rows] in the whole matrix */
  const uint8_t *owned;  /* [rows] 0: of another rank */
  hp_exchange *near;     /* renews the points whose rows have an entry in own columns, or the reverse */
  double most;           /* hp_amg_independent_set: points that a rank has left */
} hp_amg_share;

/* Shared by the members. */
typedef struct hp_amg_work {
  hp_status status; /* hp_amg_agree */
  int64_t partial[HP_TEAM_MAX];
  int32_t *marker; /* [size][room] one row per member; undefined between uses */
  int32_t *list;   /* [size][room] the same */
  int64_t room;
  void *scratch; /* of the current function */
  int64_t scratch_bytes;
  struct hp_amg_coarse_entry *coarse_entry; /* amg/setup/interpolation_impl.h */
  int32_t *column;                          /* rows of P before their offsets are known, and current rows */
  double *value;
  hp_amg_graph graph; /* of the current level */
  uint8_t *point;
  hp_amg_share *share; /* NULL: the matrix is whole */
} hp_amg_work;

/* Allocates markers for matrices with fewer than `room` rows and columns. */
hp_status hp_amg_work_begin(hp_team *t, hp_amg_work *w, int64_t room) HP_MUST_USE;
void hp_amg_work_end(hp_amg_work *w); /* by one member */

/* Member 0's s on every member. Two barriers. */
hp_status hp_amg_agree(hp_team *t, hp_amg_work *w, hp_status s) HP_MUST_USE;
/* The sum of the members' values on every member, and of those before this one. Two barriers. */
int64_t hp_amg_total(hp_team *t, hp_amg_work *w, int64_t value, int64_t *before);
/* w->scratch holds `bytes` bytes, unset. */
hp_status hp_amg_scratch(hp_team *t, hp_amg_work *w, int64_t bytes) HP_MUST_USE;
/* begin[i+1] holds the count of row i < n, on return where row i+1 begins. */
hp_status hp_amg_scan(hp_team *t, hp_amg_work *w, uint32_t *begin, int64_t n) HP_MUST_USE;

HP_INLINE int32_t *hp_amg_marker(const hp_team *t, const hp_amg_work *w) { return w->marker + t->rank * w->room; }
HP_INLINE int32_t *hp_amg_list(const hp_team *t, const hp_amg_work *w) { return w->list + t->rank * w->room; }

/* A team with the caller as its only member. */
typedef struct hp_amg_alone {
  hp_team_hub *hub;
  hp_team t;
  hp_amg_work w;
} hp_amg_alone;
hp_status hp_amg_alone_begin(hp_amg_alone *a, int64_t room) HP_MUST_USE;
void hp_amg_alone_end(hp_amg_alone *a);

/* The entries of A with keep (NULL: all) by columns 0..ncol-1: begin [ncol+1], the rows, rising, in row, the values in
 * value (NULL: not wanted). Only the first nrow rows of A. */
hp_status hp_amg_by_columns(hp_team *t, hp_amg_work *w, const hp_csr *A, int32_t nrow, int32_t ncol,
                            const uint8_t *keep, uint32_t **begin, int32_t **row, double **value) HP_MUST_USE;

/* A matrix without arrays, made by one member. */
hp_status hp_csr_create_empty(int32_t nrow, int32_t ncol, hp_csr **out) HP_MUST_USE;

hp_status hp_csr_transpose_by(hp_team *t, hp_amg_work *w, const hp_csr *A, hp_csr **out) HP_MUST_USE;
/* plan NULL: none is made. */
hp_status hp_csr_product_by(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_csr *B, hp_csr **C,
                            hp_csr_plan *plan) HP_MUST_USE;
hp_status hp_amg_strength_by(hp_team *t, hp_amg_work *w, const hp_csr *A, int32_t ncell, double theta,
                             hp_amg_graph *G) HP_MUST_USE;
hp_status hp_amg_interpolate_by(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G,
                                const uint8_t *point, const hp_amg_options *opt, hp_csr **out) HP_MUST_USE;

/* A coarsening: see hp_amg_coarsen. */
typedef hp_status hp_amg_coarsen_function(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G,
                                          uint64_t seed, uint8_t *point);
#define HP_AMG_DECLARE(name, text, function) hp_amg_coarsen_function hp_amg_coarsen_##function;
HP_AMG_COARSENING_LIST(HP_AMG_DECLARE)
#undef HP_AMG_DECLARE
hp_amg_coarsen_function *hp_amg_coarsen_function_of(hp_amg_coarsening kind);

/* ---- shared by coarsenings ---- */

/* Makes the points that are UNDECIDED coarse or fine, as PMIS does. */
hp_status hp_amg_independent_set(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                                 uint8_t *point) HP_MUST_USE;
/* RS's first pass, by member 0; what it leaves UNDECIDED has no dependents that are not coarse. */
hp_status hp_amg_first_pass(hp_team *t, hp_amg_work *w, const hp_csr *A, const hp_amg_graph *G,
                            uint8_t *point) HP_MUST_USE;

HP_EXTERN_C_END

#endif
