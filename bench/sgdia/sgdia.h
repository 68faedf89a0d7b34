/* Seeded matrices of stencils in SG-DIA (linsolve/sgdia/sgdia.h), and the same in other formats. */
#ifndef HP_BENCH_SGDIA_SGDIA_H
#define HP_BENCH_SGDIA_SGDIA_H

#include "linsolve/sgdia/sgdia.h"

HP_EXTERN_C_BEGIN

/* The matrix as csr: columns rise in a row, entries of points outside of an open grid left out; or as dia: diagonal d has the entries
 * (i, i + offset[d]) at d ld + i, zeros outside. Of the same precision. */
typedef struct hp_sgdia_rows {
  int64_t n, count, ld; /* count: of entries stored */
  int diagonals;        /* dia; csr: 0 */
  int32_t *begin;       /* [n+1] csr */
  int32_t *column;      /* [count] csr; [diagonals] dia: offsets */
  void *value;          /* [count]; dia: [diagonals][ld] */
} hp_sgdia_rows;

/* A star has one point on either side along each dimension that has more than one cell, a box all neighbours: 5 or 9
 * points in two dimensions, 7 or 27 in three. Values are drawn from the seed: a nonsymmetric matrix of negative entries with a
 * diagonal of a thousandth more than the others of its row in sum. HP_ERR_USAGE: a periodic dimension of two cells, whose
 * neighbours are one; a q that is not 1 .. HP_SGDIA_Q_MAX. HP_ERR_UNSUPPORTED: more rows than 2^31 - 1. */
hp_status hp_sgdia_create(hp_sgdia_kind kind, const int size[3], int q, bool periodic, bool single, uint64_t seed,
                          hp_sgdia **out) HP_MUST_USE;
void hp_sgdia_destroy(hp_sgdia **A);

/* The cell of point p seen from m; -1: outside of the grid. */
int64_t hp_sgdia_neighbour(const hp_sgdia *A, int64_t m, int p);

/* Entry (a, b) of point p in cell m. */
double hp_sgdia_entry(const hp_sgdia *A, int64_t m, int p, int a, int b);

/* HP_ERR_UNSUPPORTED: more entries than 32-bit numbers count (csr), or more bytes than `most` (0: any number). */
hp_status hp_sgdia_to_csr(const hp_sgdia *A, int64_t most, hp_sgdia_rows **out) HP_MUST_USE;
hp_status hp_sgdia_to_dia(const hp_sgdia *A, int64_t most, hp_sgdia_rows **out) HP_MUST_USE;
void hp_sgdia_rows_destroy(hp_sgdia_rows **R);

/* Entries inside the grid; bytes of a product: the matrix and x read, y written once. */
int64_t hp_sgdia_entries(const hp_sgdia *A);
int64_t hp_sgdia_bytes(const hp_sgdia *A);
int64_t hp_sgdia_rows_bytes(const hp_sgdia *A, const hp_sgdia_rows *R);

HP_EXTERN_C_END

#endif
