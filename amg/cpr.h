/* CPR: constrained pressure residual (Wallis 1983), a preconditioner of two stages.
 *
 *   1  A_p x_p = r_p    one multigrid cycle. Row m of the pressure system is the sum of cell m's
 *                       rows times the weights w_m; the wells' rows and unknowns are kept:
 *
 *                         [ w H_p   w WT ]
 *                         [ W_p     D    ]      H_p, W_p: the derivatives with respect to pressure
 *
 *   2  M y = r - A x_p  block DILU over the full system;   z = x_p + y
 *
 * Weights: `volume`, all one. Rows are scaled to reservoir volumes, so that their sum is the
 * balance of volume, in which the saturation's accumulation cancels: the true-IMPES
 * weights B_w and B_o. `quasi` (quasi-IMPES): of the diagonal block, w^T dR/ds = 0.
 *
 * Cells whose pressure is coupled to nothing (inactive ones) are left out of A_p.
 *
 * The pattern, the coarse points and interpolation are made at the first setup and at the first
 * after hp_cpr_rebuild; the setups between refresh the numbers (hp_amg_refresh).
 */
#ifndef HP_AMG_CPR_H
#define HP_AMG_CPR_H

#include "amg/amg.h"
#include "linsolve/precond.h"

HP_EXTERN_C_BEGIN

typedef enum { HP_CPR_VOLUME, HP_CPR_QUASI, HP_CPR_WEIGHTS_COUNT } hp_cpr_weights;

typedef struct hp_cpr_options {
  hp_amg_options amg;
  hp_cpr_weights weights;
  hp_ordering ordering;   /* of the second stage, as the two below */
  hp_precision precision;
  double relaxation;
} hp_cpr_options;

/* Plain data, but for `custom` and `status`. */
typedef struct hp_cpr {
  hp_cpr_options opt;
  hp_precond_custom custom;
  hp_amg *H;
  hp_csr *Ap;        /* [ncp + nwell] */
  int32_t ncp;       /* cells of the pressure system */
  int32_t *number;   /* [ncell] row of a cell in Ap, -1: left out */
  int64_t *cell;     /* [ncell] the reverse */
  double *weight;    /* [ncell*q] */
  double *rp, *xp;   /* [ncell + nwell] */
  double *xc;        /* [ncell] x_p by cells, 0 where left out */
  double *residual;  /* [n] */
  hp_precond *second;
  bool stale;        /* the pattern is to be made anew */
  hp_status status;  /* of the latest making */
} hp_cpr;

/* For matrices of A's shape; members: size of the largest team. */
hp_status hp_cpr_create(const hp_gh *A, const hp_cpr_options *opt, int members, hp_cpr **out) HP_MUST_USE;
void hp_cpr_destroy(hp_cpr **C);

/* What a Krylov solver takes; belongs to C. */
const hp_precond_custom *hp_cpr_precond(const hp_cpr *C);

/* The next setup makes pattern, coarse points and interpolation anew. */
void hp_cpr_rebuild(hp_cpr *C);

/* How the latest setup went: its team program has no other way to say that memory ran out. */
hp_status hp_cpr_status(const hp_cpr *C) HP_MUST_USE;

/* On the host: the pressure system's pattern and numbers (weights are set), and the hierarchy. */
hp_status hp_cpr_make(hp_cpr *C, const hp_gh *A) HP_MUST_USE;

HP_EXTERN_C_END

#endif
