/* A cycle is a list of passes, which the host writes when the levels are prepared. The team of a CPU and the kernel of a
 * GPU run it in one loop:
 *
 *     for every pass:  run it by all threads;  barrier
 *
 * Passes of coarse levels are too small for several GPUs: the first one runs them, with barriers of its own, and the others wait
 * at the barrier behind the last of them (hp_amg_walk).
 *
 *     amg/smoothers, a .c each        the passes of a sweep, one function a smoother
 *     amg/cycle/program.c             those of V, W and F cycles; how a CPU runs a pass
 *     amg/cycle/cuda/program.cuh      how a GPU does
 *
 * Both run the passes in the same order. Some passes differ with the data of the smoother: a CPU stores the first iterate
 * of a diagonal smoother, which costs less than scaling every entry that is read from it, and solves whole domains, one
 * per member; a GPU solves the triangles of all domains by groups of rows.
 */
#ifndef HP_AMG_SMOOTHERS_PASS_H
#define HP_AMG_SMOOTHERS_PASS_H

#include "amg/amg.h"
#include "amg/smoothers/groups.h"

HP_EXTERN_C_BEGIN

/* Kinds of passes. */
enum {
  HP_AMG_PASS_IN,      /* the cycle's b in double to the level's in single precision */
  HP_AMG_PASS_OUT,     /* x the other way */
  HP_AMG_PASS_FINEST,  /* the finest level as GH */
  HP_AMG_PASS_INVERSE, /* the inverse of the last level */
  HP_AMG_PASS_SUM,     /* out = x + from; x NULL: zero */
  HP_AMG_PASS_GROUP,   /* a group of rows or blocks (amg/smoothers/groups.h) */
  HP_AMG_PASS_ROWS,    /* rows in slices; on a GPU by 2^0, 2^2, 2^3, 2^5 threads per row */
  /* on a CPU only */
  HP_AMG_PASS_SCALE,      /* out = s b */
  HP_AMG_PASS_ONE_BY_ONE, /* Gauss-Seidel by member 0 (amg/smoothers/gauss_seidel.inl.h) */
  HP_AMG_PASS_HYBRID,     /* Gauss-Seidel in domains (amg/smoothers/hybrid.inl.h) */
  HP_AMG_PASS_SCHWARZ     /* solutions of the domains (amg/smoothers/schwarz.inl.h) */
};

/* One pass; vectors are of hp_amg_options.precision. In double the cycle's own b and x are named by the two addresses
 * below. A form (amg/rows/form.inl.h) makes the result of a product. */
typedef struct hp_amg_pass {
  int what, kind, x_state, last_state;
  hp_amg_rows rows;
  const void *from, *scale_from; /* the product's vector; its entries are multiplied by the second if not NULL (GPU) */
  const void *x, *s, *b;
  void *out;
  double momentum, factor;
  const double *by; /* instead of these two: where they stand beside the numbers */
  int64_t n;
  /* of a group: slices (CPU: places of `at`) first .. last - 1 are its rows, begin .. end - 1 are visited, rows that are
   * not in it become zero; s is its factor, of blocks of `width` slots */
  int first, last, begin, end, width;
  int16_t level;
  bool forward;         /* of passes in an order */
  int on_first;         /* passes from this one on, one after the other, that the first of several GPUs runs alone */
  const int32_t *at;    /* row of a slot */
  const int32_t *index; /* where row i finds its number in b (a sum: in from); NULL: at i */
} hp_amg_pass;

/* A member's way through a list of passes:
 *
 *     hp_amg_walk w = hp_amg_walk_from(first, end);
 *     while (w.at < w.end) {
 *       const hp_amg_pass *p = &pass[w.at];
 *       hp_amg_walk_meet(t, &w, p);
 *       if (w.who != HP_AMG_OTHERS) ...               p is run
 *       hp_amg_walk_leave(t, &w, p, true);            the barrier; the next pass is at w.at
 *     }
 */
enum { HP_AMG_ALL, HP_AMG_ON_FIRST, HP_AMG_OTHERS /* run nothing: the first GPU does */ };

typedef struct hp_amg_walk {
  int at, end;
  int who; /* the team is at this pass: all, the first GPU's members, or those of the others */
} hp_amg_walk;

HP_INLINE HP_HD hp_amg_walk hp_amg_walk_from(int first, int end) {
  hp_amg_walk w;
  w.at = first;
  w.end = end;
  w.who = HP_AMG_ALL;
  return w;
}

/* The pass after p at w->at. */
HP_INLINE HP_HD int hp_amg_walk_next(const hp_amg_walk *w, const hp_amg_pass *p) {
  return w->at + (w->who == HP_AMG_OTHERS ? p->on_first : 1);
}

/* Whether the member runs pass p. */
HP_INLINE HP_HD void hp_amg_walk_meet(hp_team *t, hp_amg_walk *w, const hp_amg_pass *p) {
  if (p->on_first > 0 && w->who == HP_AMG_ALL) w->who = hp_team_first_begin(t) ? HP_AMG_ON_FIRST : HP_AMG_OTHERS;
}

/* Makes what the pass wrote visible to those who run the next one. visible: also behind the last pass. */
HP_INLINE HP_HD void hp_amg_walk_leave(hp_team *t, hp_amg_walk *w, const hp_amg_pass *p, bool visible) {
  const int next = hp_amg_walk_next(w, p);
  const bool more = next < w->end;
  w->at = next;
  if (w->who == HP_AMG_ON_FIRST && p->on_first > 1 && more) {
    hp_team_first_sync(t);
    return;
  }
  if (w->who == HP_AMG_ON_FIRST) hp_team_first_end(t);
  w->who = HP_AMG_ALL;
  if (more || visible) hp_team_sync(t);
}

#define HP_AMG_CYCLES_B ((void *)1)
#define HP_AMG_CYCLES_X ((void *)2)

/* The iterate of a level between two passes. */
typedef struct hp_amg_iterate {
  void *x, *other;   /* [n] x if it is stored; a second vector */
  int state, before; /* HP_AMG_ZERO ..: of x, and of the iterate before it */
} hp_amg_iterate;

/* A list of passes while it is written. */
typedef struct hp_amg_writer {
  const hp_amg *H;                /* a GPU's: its arrays are the device's, and nobody reads them here */
  const hp_amg_smoothing *device; /* [nlevel] a GPU's; NULL: passes for a CPU */
  hp_amg_pass *pass;              /* [count] the caller frees it, also after a failure */
  int count, room;
  bool on_first;                       /* what is added is for the first of several GPUs */
  int sweep_passes[HP_AMG_LEVELS_MAX]; /* of a sweep after the coarse correction, 0 on the last level */
} hp_amg_writer;

/* The passes of one sweep on level l from where v says that x is; forward before, backward after the coarse correction.
 * v is changed to where x is then. Before the first pass b and x are visible. */
typedef hp_status hp_amg_sweep_function(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v);

#define HP_AMG_SWEEP_OF(name, text, setup, sweep, rows, prepare, in_kernel, device, by_host) \
  hp_amg_sweep_function sweep;
HP_AMG_SMOOTHER_LIST(HP_AMG_SWEEP_OF)
#undef HP_AMG_SWEEP_OF

/* Adds a sweep by the smoother of W->H. */
hp_status hp_amg_add_sweep(hp_amg_writer *W, int l, bool forward, const void *b, hp_amg_iterate *v) HP_MUST_USE;

/* ---- what sweeps are written with (amg/smoothers/pass.c) ---- */

hp_amg_pass hp_amg_pass_of(int what, int kind, const void *from, void *out, int64_t n);
/* Over the rows of level l's A. */
hp_amg_pass hp_amg_pass_of_level(const hp_amg_writer *W, int l, int kind, const void *from, void *out);
hp_status hp_amg_add_pass(hp_amg_writer *W, hp_amg_pass p) HP_MUST_USE;
/* y = b - A x of level l, which is stored. */
hp_status hp_amg_add_residual(hp_amg_writer *W, int l, const void *b, const void *x) HP_MUST_USE;
/* out = x + from at `index`, which may be NULL; x NULL: zero. */
hp_status hp_amg_add_sum(hp_amg_writer *W, const void *x, const void *from, const int32_t *index, void *out,
                         int64_t n) HP_MUST_USE;
/* x_k+1 = x_k + momentum (x_k - x_k-1) + factor scale (b - A x_k) into v->other, by: both, beside the level's numbers;
 * NULL: 0 and 1. From zero: scale b. */
hp_status hp_amg_add_step(hp_amg_writer *W, int l, const double *by, const void *b, hp_amg_iterate *v) HP_MUST_USE;

/* The groups of level l's smoother. */
hp_amg_groups hp_amg_groups_of(const hp_amg_writer *W, int l);
/* The pass of group g. from NULL: products are zero; x NULL: zero; b's number of row i is at index[i], index NULL: at i.
 * `all`: what is not in the group becomes zero. */
hp_status hp_amg_add_group(hp_amg_writer *W, int l, const hp_amg_groups *G, int g, const void *from, const void *x,
                           const void *b, const int32_t *index, void *out, bool all) HP_MUST_USE;

HP_EXTERN_C_END

#endif
