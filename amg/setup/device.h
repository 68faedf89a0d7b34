/* The setup of multigrid on a GPU: the hierarchy of amg/cycle/hierarchy.c, all of it in the device's memory.
 *
 *     hp_amg_device *H;
 *     HP_TRY(hp_amg_device_create(D, &opt, &H));
 *     HP_TRY(hp_amg_device_build(H, &A, nwell));     pattern and numbers of all levels; new numbers: amg/cycle/device.h
 *
 *   cuda/strength.cu       strength of connection, and which points depend on a point
 *   cuda/coarsen.cu        PMIS and CLJP; the others on the host, from a copy of the level
 *   cuda/interpolation.cu  P: lists of the neighbours' entries that its rows need, sizes
 *   cuda/interpolation_rows.cu  its rows, by a group of lanes each
 *   cuda/product.cu        R = P^T, A P, R (A P)
 *   cuda/numbers.cu        the numbers of products, factors and inverse of the last level
 *   cuda/csr.cu            copies of matrices
 *   cuda/hierarchy.cu      all of that, level after level
 *
 * Coarse points, patterns and values have the bits of the host's setup: sums run in the same order. The host waits three
 * times per level: for the sizes of P, of A P and of the next level. It waits once more per round of CLJP, once more
 * where rows may outgrow the tables in shared memory, and once more for the plans of rows with more than 256 entries.
 *
 * Memory comes from two pools. One keeps the hierarchy. The other, the work space, holds temporary arrays of a build and
 * arrays that a refresh computes and cycles do not read: the values of all levels' A. A build that needs more than the
 * pools have adds pieces to them, and the next build merges these; after that, builds of the same size allocate
 * nothing. The caller can attach memory to the work space (hp_amg_device_attach).
 */
#ifndef HP_AMG_SETUP_DEVICE_H
#define HP_AMG_SETUP_DEVICE_H

#include "amg/amg.h"
#include "core/device/device.h"
#include "linsolve/matrix/gh.h"

HP_EXTERN_C_BEGIN

/* A sparse matrix in the device's memory: the pointers in `at` are the device's. */
typedef struct hp_csr_device {
  hp_csr at;
  int64_t count;   /* entries */
  int32_t longest; /* row: its entries */
} hp_csr_device;

enum { HP_PLAN_BYTE = 256 /* entries of a row whose places are bytes, at most */ };

/* The plan that refreshes C = A B: for every product a_ik b_kj, in the order of k, then of the entries of row k, its
 * place in row i of C. Of a row with more than HP_PLAN_BYTE entries, which are few, the places are numbers of two bytes
 * in `wide`; its bytes say from where on (hp_plan_wide_from in amg/setup/cuda/numbers.cuh). */
typedef struct hp_device_plan {
  int64_t *begin;            /* [A.nrow+1] first product of a row */
  uint8_t *place;            /* [begin[A.nrow]]; NULL: rows of C are too long for two bytes, places are searched for */
  uint16_t *wide;            /* NULL: there are no such rows */
  int64_t count, wide_count; /* products; of rows in `wide` */
} hp_device_plan;

typedef struct hp_amg_device_level {
  hp_csr_device A;        /* level 0: the caller's arrays */
  hp_csr_device P, R, AP; /* to the next level; empty on the last. A P has no columns where it has a plan, and its
                             values last until those of the next level's A P are made */
  hp_device_plan ap, rap; /* of A P and R (A P) */
  int32_t ncell;          /* rows without the wells' */
} hp_amg_device_level;

/* Parts of a build, for the report. X(NAME, "name") */
#define HP_AMG_DEVICE_PHASE_LIST(X)  \
  X(STRENGTH, "strength")            \
  X(COARSEN, "coarse points")        \
  X(INTERPOLATE, "interpolation")    \
  X(TRANSPOSE, "transpose")          \
  X(PATTERN_AP, "pattern of A P")    \
  X(PATTERN_RAP, "pattern of R A P") \
  X(NUMBERS, "numbers")

#define HP_AMG_DEVICE_ENUM(name, text) HP_AMG_DEVICE_##name,
typedef enum { HP_AMG_DEVICE_PHASE_LIST(HP_AMG_DEVICE_ENUM) HP_AMG_DEVICE_PHASE_COUNT } hp_amg_device_phase;
#undef HP_AMG_DEVICE_ENUM

typedef struct hp_amg_device hp_amg_device;

/* Empty. HP_ERR_USAGE for options that make no sense. */
hp_status hp_amg_device_create(hp_device *D, const hp_amg_options *opt, hp_amg_device **out) HP_MUST_USE;
void hp_amg_device_destroy(hp_amg_device **H);

/* Attaches memory of the caller, aligned to 256, to the work space; before the first build. Builds and refreshes write
 * there, and the values of the levels' A are lost when the caller writes there. */
hp_status hp_amg_device_attach(hp_amg_device *H, void *memory, int64_t bytes) HP_MUST_USE;

/* Memory for a caller that keeps A in the work space: _begin empties the hierarchy before a build, then _scratch allocates
 * arrays, which live until the next _begin or until hp_amg_device_compact. */
hp_status hp_amg_device_begin(hp_amg_device *H) HP_MUST_USE;
hp_status hp_amg_device_scratch(hp_amg_device *H, void **out, int64_t count, size_t size) HP_MUST_USE;

/* All levels from A [ncell + nwell rows], whose rows' columns rise and whose arrays must outlive the hierarchy or
 * the next build; the last nwell rows are wells. After a failure the hierarchy is empty. */
hp_status hp_amg_device_build(hp_amg_device *H, const hp_csr_device *A, int32_t nwell) HP_MUST_USE;

/* Reallocates, after a build from an A in the work space, if only refreshes follow, the arrays that refreshes compute,
 * A's columns and values among them, in less memory, and frees what only the first build needed. All values are
 * undefined until the next refresh. *A: its arrays' new addresses. */
hp_status hp_amg_device_compact(hp_amg_device *H, hp_csr_device *A) HP_MUST_USE;

int hp_amg_device_levels(const hp_amg_device *H);
const hp_amg_device_level *hp_amg_device_get_level(const hp_amg_device *H, int l);

/* Factors of the last level, all in the device's memory; NULL: it has too many rows, or the hierarchy is empty. The factors are
 * those of hp_amg_factorize; the inverse is made from them, column by column. */
typedef struct hp_amg_device_direct {
  int32_t n;
  double *lu;      /* [n][n] by rows */
  double *scale;   /* [n] */
  int32_t *pivot;  /* [n] */
  double *inverse; /* [n][n] by rows */
} hp_amg_device_direct;
const hp_amg_device_direct *hp_amg_device_get_direct(const hp_amg_device *H);

/* Bytes that matrices and plans hold (with a caller's arrays in the work space), the most that they and the latest
 * build's work space held, and the size of all pools without attached memory. */
int64_t hp_amg_device_bytes(const hp_amg_device *H);
int64_t hp_amg_device_peak_bytes(const hp_amg_device *H);
int64_t hp_amg_device_pool_bytes(const hp_amg_device *H);
/* Bytes of level l: matrices and plans. */
int64_t hp_amg_device_level_bytes(const hp_amg_device *H, int l);
/* Whether coarse points were picked on the host, from a copy of each level. */
bool hp_amg_device_coarsens_on_host(const hp_amg_device *H);

/* Turns the timing of build parts on the device on or off; it costs a few microseconds per part. */
void hp_amg_device_watch(hp_amg_device *H, bool on);
const char *hp_amg_device_phase_name(hp_amg_device_phase p);
/* Device time of a part on level l in the latest watched build [s]; 0 if there was none. Waits for the device. */
double hp_amg_device_time(const hp_amg_device *H, int l, hp_amg_device_phase p);

/* ---- matrices ---- */

/* A copy on the host; columns are zero where A has none. */
hp_status hp_csr_device_download(hp_device *D, const hp_csr_device *A, hp_csr **out) HP_MUST_USE;
void hp_csr_device_free(hp_device *D, hp_csr_device *A);

HP_EXTERN_C_END

#endif
