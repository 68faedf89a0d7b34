/* The systems of `hepta bench krylov`, where they are solved: seeded matrices of bench/generators/family.h, boxes of 27
 * points made of them (bench/box/box.h) or a matrix from a file, each in the format that is measured.
 *
 *     hp_bench_system_open(&in, &S)
 *       for each format:  hp_bench_system_form(&S, format)  ... solve with S.where and S.product ...
 *     hp_bench_system_close(&S)
 */
#ifndef HP_BENCH_KRYLOV_SYSTEM_H
#define HP_BENCH_KRYLOV_SYSTEM_H

#include "bench/box/box.h"
#include "bench/generators/family.h"
#include "bench/half/forms.h"
#include "bench/place.h"
#include "bench/single/single.h"

/* More formats behind those of linsolve/matrix/sparse.h: gh-single, which is GH in single precision; gh-h, csr-h, bsr-h, dia-h, hyb-h,
 * which are GH-h and its forms. */
enum { HP_BENCH_SINGLE = HP_SPARSE_COUNT, HP_BENCH_HALF, HP_BENCH_FORMATS = HP_BENCH_HALF + 5 };
const char *hp_bench_format_name(int format);
bool hp_bench_format_is_half(int format);

typedef struct hp_bench_system_input {
  const hp_bench_place *place;
  const char *file; /* of MatrixMarket; NULL: of the family */
  bool box;
  hp_family family; /* wells, connections, seed */
} hp_bench_system_input;

typedef struct hp_bench_system {
  const hp_bench_place *place;
  const char *file;
  hp_gh *A;          /* of a matrix from a file the shape */
  hp_sparse *csr;    /* a matrix from a file, a box; NULL: A is the matrix */
  hp_sparse *box;    /* NULL: it is none */
  hp_gh dA;          /* GPU */
  double *b, *x;     /* [n], host */
  double *db, *dx;   /* [n], GPU */
  hp_gh *shape;      /* of as many cells as there are rows, for forms of other matrices than GH; NULL: not made */
  hp_half *H;        /* NULL: not made */
  hp_single *single; /* likewise */
  hp_sparse *half_csr, *form; /* H; in the format that is measured, NULL: that is csr, or none of its forms */
  int format;                 /* that is measured */
  const hp_sparse *product;   /* the matrix where it is not GH, else NULL */
  struct {
    const hp_gh *A, *host; /* the solvers' matrix; the same of the host */
    const double *b;
    double *x;
  } where;
} hp_bench_system;

hp_status hp_bench_system_open(const hp_bench_system_input *in, hp_bench_system *S) HP_MUST_USE;
void hp_bench_system_close(hp_bench_system *S);

/* The matrix in this format, in place of the one before. HP_ERR_UNSUPPORTED or HP_ERR_USAGE, with the reason, for one that it
 * does not have. */
hp_status hp_bench_system_form(hp_bench_system *S, int format) HP_MUST_USE;

/* Entries inside the grid. */
int64_t hp_bench_system_entries(const hp_bench_system *S);

#endif
