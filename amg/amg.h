/* Classical algebraic multigrid (Ruge & Stueben 1987; Liu, Yu & Chen 2013).
 *
 *   options.c        names, defaults, refused options
 *   strength.c       strong neighbours of each point
 *   coarsen_rs.c     coarse points by Ruge & Stueben, two passes, serial
 *   coarsen_pmis.c   coarse points as a maximal independent set; coarsen_cljp.c; coarsen.c: HMIS
 *   interpolation.c  P from coarse to fine points, by the formulas of interpolation_rows.c
 *   csr.c            R A P with R = P^T
 *   hierarchy.c      these steps, level after level
 *   direct.h         dense LU and inverse of the last level
 *   refresh.inl.h    new numbers in R A P, a team program
 *   smooth.h         smoothers, and the rows that they read
 *   pass.h           the passes of a cycle and of a smoother's sweep
 *   cycle.c          memory of a cycle
 *   numbers.inl.h    numbers of a cycle, a team program
 *   program.h        V, W and F cycles as lists of passes, and their execution on a CPU
 *
 * Level l:   A_l   (ncell + nwell rows, the wells last)
 *              | P, R = P^T        wells are coarse points on every level and
 *            A_l+1 = R A_l P       interpolate nothing: P = diag(P_cells, I)
 *
 * The host builds a hierarchy, alone (hp_amg_build) or as a team (hp_amg_build_by). If only numbers change, a team recomputes
 * them and keeps coarse points and P (hp_amg_refresh).
 */
#ifndef HP_AMG_AMG_H
#define HP_AMG_AMG_H

#include <stdio.h>

#include "amg/smooth.h"
#include "core/team/barrier.h"
#include "linsolve/krylov/combinations.h"
#include "linsolve/precond/precond.h"

HP_EXTERN_C_BEGIN

/* X(NAME, "name", function): hp_amg_coarsen_FUNCTION in coarsen_FUNCTION.c, that of hmis in coarsen.c;
 * hp_amg_interpolate_FUNCTION in interpolation_rows.c */
#define HP_AMG_COARSENING_LIST(X) \
  X(PMIS, "pmis", pmis)           \
  X(HMIS, "hmis", hmis)           \
  X(CLJP, "cljp", cljp)           \
  X(RS, "rs", rs)
#define HP_AMG_INTERPOLATION_LIST(X)   \
  X(EXTENDED, "extended+i", extended)  \
  X(CLASSICAL, "classical", classical) \
  X(DIRECT, "direct", direct)          \
  X(AVERAGING, "averaging", averaging)

/* Storage of the rows of levels in a cycle. X(NAME, "name", "name in tables") */
#define HP_AMG_FORMAT_LIST(X)       \
  X(SLICED, "sliced", "sliced ELL") \
  X(HEC, "hec", "HEC")              \
  X(CSR, "csr", "CSR")

typedef enum {
#define HP_AMG_FORMAT_ENUM(name, ...) HP_AMG_FORMAT_##name,
  HP_AMG_FORMAT_LIST(HP_AMG_FORMAT_ENUM)
#undef HP_AMG_FORMAT_ENUM
      HP_AMG_FORMAT_COUNT,
  HP_AMG_FORMAT_AUTO =
      HP_AMG_FORMAT_COUNT /* a GPU: sliced; a CPU: slices of hp_amg_options.slice rows, of one row csr */
} hp_amg_format_kind;

#define HP_AMG_ENUM(name, ...) HP_AMG_##name,
typedef enum { HP_AMG_COARSENING_LIST(HP_AMG_ENUM) HP_AMG_COARSENING_COUNT } hp_amg_coarsening;
typedef enum { HP_AMG_INTERPOLATION_LIST(HP_AMG_ENUM) HP_AMG_INTERPOLATION_COUNT } hp_amg_interpolation;
#undef HP_AMG_ENUM
typedef enum { HP_AMG_V, HP_AMG_W, HP_AMG_F } hp_amg_cycle_kind;

enum {
  HP_AMG_LEVELS_MAX = 25,
  HP_AMG_DIRECT_MAX = 1000 /* rows, the wells' among them, of a last level that is solved directly */
};

typedef struct hp_amg_options {
  hp_amg_coarsening coarsening;
  hp_amg_interpolation interpolation;
  hp_amg_smoother smoother;
  hp_amg_cycle_kind cycle;
  double strength;   /* a neighbour is strong if -a_ij >= strength max -a_ik; 0.25 */
  double truncation; /* interpolation weights below this share of the row's largest are dropped; 0 */
  int max_weights;   /* of a row of P at most; 0: all */
  hp_amg_format_kind format;
  double damping;         /* of damped and block Jacobi; 2/3 */
  int block;              /* rows of block smoothers' blocks, 1 .. 16; 4 */
  int order;              /* degree of the polynomial smoother; 2 */
  int domain;             /* rows of a domain of the hybrid smoother and of Schwarz at least; 2048 */
  int domains;            /* of these on a level at most; 16 */
  hp_precision precision; /* of the cycle's data and arithmetic */
  int slice;              /* CPU: rows of a slice, a power of two; 1; 8 with `format` sliced */
  int pre, post;          /* sweeps before and after */
  int coarsest;           /* rows (besides the wells') that are solved directly */
  int max_levels;
  int one_gpu_rows; /* the first of several GPUs works alone on levels of at most so many rows, with the same bits; below 0: that
                       of its launch shape, which is HP_ONE_GPU_ROWS on a CPU */
  uint64_t seed; /* PMIS */
} hp_amg_options;

hp_amg_options hp_amg_default_options(void);
/* Returns NULL, or why the options are refused, anywhere or at this place. */
const char *hp_amg_refusal(const hp_amg_options *opt, hp_solver_place place);
/* Sets those of multigrid. */
void hp_amg_choices(const hp_amg_options *opt, hp_choices *out);
/* Returns NULL if these choices read the option of this name (damping, order, block, domain, domains, truncation, seed), or all
 * choices do; else the choices that read it. */
const char *hp_amg_readers(const hp_amg_options *opt, const char *option);
const char *hp_amg_coarsening_name(hp_amg_coarsening c);
const char *hp_amg_interpolation_name(hp_amg_interpolation i);
const char *hp_amg_smoother_name(hp_amg_smoother s);
const char *hp_amg_format_name(hp_amg_format_kind f);
/* Says whether rows are csr or HEC, for which a GPU has separate kernels. */
bool hp_amg_is_plain(const hp_amg_options *opt);
/* Says whether the first of several GPUs has a level of so many rows alone. */
HP_INLINE HP_HD bool hp_amg_is_on_first(const hp_amg_options *opt, int64_t rows) {
  return rows <= (opt->one_gpu_rows >= 0 ? opt->one_gpu_rows : (int)HP_ONE_GPU_ROWS);
}
/* Says whether a sweep is one pass that multiplies each row's residual by a factor. */
bool hp_amg_smoother_is_diagonal(hp_amg_smoother s);

/* ---- the parts of a setup (host) ---- */

/* Strength of connection among the first ncell rows and columns of A. */
typedef struct hp_amg_graph {
  int32_t ncell;
  uint8_t *strong;    /* [entries of A] 1: row i depends strongly on column j */
  uint32_t *begin;    /* [ncell+1] transposed: where the points that depend on j begin */
  int32_t *dependent; /* those points, rising */
} hp_amg_graph;

/* Entry j of row i is strong if -s a_ij >= theta max_k -s a_ik > 0, s the sign of a_ii. */
hp_status hp_amg_strength(const hp_csr *A, int32_t ncell, double theta, hp_amg_graph *out) HP_MUST_USE;
void hp_amg_graph_free(hp_amg_graph *G);

enum { HP_AMG_UNDECIDED, HP_AMG_COARSE, HP_AMG_FINE };

/* Sets point [A->nrow] to COARSE or FINE; rows from ncell on are COARSE. A cell that neither
 * depends on another nor has dependents is FINE: the smoother solves its row. */
hp_status hp_amg_coarsen(hp_amg_coarsening kind, const hp_csr *A, const hp_amg_graph *G, uint64_t seed,
                         uint8_t *point) HP_MUST_USE;

/* Computes P [A->nrow][coarse points], with coarse points numbered in the order of rows. The sum of a fine point's row is one if
 * that of A's row is zero, unless the row is empty. */
hp_status hp_amg_interpolate(const hp_csr *A, const hp_amg_graph *G, const uint8_t *point, const hp_amg_options *opt,
                             hp_csr **out) HP_MUST_USE;

/* ---- the hierarchy ---- */

/* The timed parts of a build. */
enum { HP_AMG_STRENGTH, HP_AMG_COARSENING, HP_AMG_INTERPOLATION, HP_AMG_PRODUCT, HP_AMG_PARTS };

typedef struct hp_amg_level {
  hp_csr *A;                     /* level 0: the caller's */
  hp_csr *P, *R, *AP;            /* to the next level; NULL on the last */
  hp_csr_plan plan_ap, plan_rap; /* of A P and of R (AP) */
  int32_t nrow, ncell;           /* rows; without the wells' */
  int32_t ghosts;                /* entries of vectors behind those of rows: other ranks' (amg/ranks) */
  /* what a cycle reads: numbers and vectors in hp_amg_options.precision */
  hp_amg_finest finest; /* level 0, if it is a GH matrix */
  hp_amg_rows a, p, r;  /* A, P, R; a: not where there is `finest` and no smoother needs rows */
  hp_amg_smooth smooth;
  void *b, *x;                  /* [n] right-hand side and solution; not on level 0 in double */
  void *z;                      /* [n] the other iterate; the residual is where x is not */
  void *y;                      /* [n] work space of smoothers that are not diagonal; NULL for the others */
  double seconds[HP_AMG_PARTS]; /* of the latest build, from this level to the next */
} hp_amg_level;

typedef struct hp_amg {
  hp_amg_options opt;
  int nlevel;
  hp_amg_level level[HP_AMG_LEVELS_MAX];
  const hp_gh *gh;             /* see hp_amg_set_gh */
  bool apart;                  /* cycles in double copy b and x, too: level 0's vectors have ghosts */
  struct hp_amg_pass *program; /* [passes] a cycle (amg/cycle/program.h) */
  int passes;
  double *lu;       /* [n][n] of the last level, by rows; NULL: too large, smoothed instead */
  double *inverse;  /* [n][n] by columns */
  double *lu_scale; /* [n] of its rows */
  int32_t *pivot;   /* [n] */
  int64_t builds;
  double build_seconds;     /* of the latest */
  struct hp_amg_work *work; /* of the current build */
} hp_amg;

/* Creates an empty hierarchy. HP_ERR_USAGE: the options are refused. */
hp_status hp_amg_create(const hp_amg_options *opt, hp_amg **out) HP_MUST_USE;
void hp_amg_destroy(hp_amg **H);

/* Builds all levels from A, which must outlive the hierarchy or the next build. The last nwell rows are wells. After a failure
 * the hierarchy is empty. */
hp_status hp_amg_build(hp_amg *H, hp_csr *A, int32_t nwell) HP_MUST_USE;
/* The same by all members of a CPU team with equal arguments, with the same bits. A must be visible to all. Returns the same
 * status on all members, the message on member 0, and ends with a barrier. */
hp_status hp_amg_build_by(hp_team *t, hp_amg *H, hp_csr *A, int32_t nwell) HP_MUST_USE;

/* Empties the hierarchy; amg/ranks then makes its levels. */
void hp_amg_clear(hp_amg *H);
/* Builds the levels after `first` from its matrix and number of cells, and the cycle's data of all levels. After a failure the
 * hierarchy is empty. */
hp_status hp_amg_build_from(hp_team *t, hp_amg *H, int first) HP_MUST_USE;

/* Cycles from the next build on read level 0 from G (q = 1, the same rows and numbers, wells last) instead of A; setups still
 * read A. NULL: from A. G must outlive the hierarchy. */
void hp_amg_set_gh(hp_amg *H, const hp_gh *G);

/* Returns the non-zeros of all levels over those of the finest. */
double hp_amg_operator_complexity(const hp_amg *H);
int64_t hp_amg_bytes(const hp_amg *H);
int64_t hp_amg_bytes_from(const hp_amg *H, int first); /* of that level and all after it */

/* Rows and non-zeros of a level, and non-zeros of the interpolation to it from the next one (0 on the last). */
typedef struct hp_amg_size {
  int64_t rows, entries, interpolation;
} hp_amg_size;
/* Returns the least bytes that one cycle moves: numbers and columns of every matrix as often as passes read it, and two or three
 * vectors per pass. The first sweep of a diagonal smoother, from zero, reads no matrix. gh: the finest level has no columns;
 * direct: the last level is solved by its inverse. Chebyshev reads A `order` times per sweep. Blocks and domains are not
 * counted. */
int64_t hp_amg_cycle_traffic(const hp_amg_options *opt, bool gh, bool direct, int nlevel, const hp_amg_size *size);
/* Writes size [nlevel] of the hierarchy's levels. */
void hp_amg_sizes(const hp_amg *H, hp_amg_size *size);

/* ---- what a cycle reads (cycle.c, smooth.c) ---- */

/* Creates memory and patterns for levels whose matrices exist; hp_amg_numbers computes their numbers. */
hp_status hp_amg_cycle_create(hp_amg *H) HP_MUST_USE;
/* Computes the entries of a row that HEC keeps in ELL (hp_sparse_typical_width). */
hp_status hp_amg_hec_width(const hp_csr *A, int *width) HP_MUST_USE;
void hp_amg_cycle_clear(hp_amg *H);
int64_t hp_amg_cycle_bytes(const hp_amg *H, int l);

hp_status hp_amg_smooth_prepare(const hp_amg_options *opt, const hp_amg_level *L, hp_amg_smooth *S) HP_MUST_USE;
void hp_amg_smooth_clear(hp_amg_smooth *S);
int64_t hp_amg_smooth_bytes(const hp_amg_options *opt, const hp_amg_level *L);

HP_EXTERN_C_END

#endif
