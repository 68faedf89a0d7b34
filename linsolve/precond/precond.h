/* Preconditioners compute z = M^-1 r for the whole system, cells and wells.
 *
 * Each has three team programs and one line in HP_PRECOND_LIST: setup computes numbers from the matrix, apply z = M^-1 r, and
 * apply_transposed z = M^-T r for methods with a shadow recurrence. The dispatch (linsolve/krylov/precond.inl.h) is a switch
 * instead of a function pointer, so that a fused solve inlines it. A two-stage preconditioner calls other entries of the list.
 *
 * Contract of every entry, and of hp_krylov_precond_setup, _apply and _apply_transposed:
 *   setup  before: a barrier after the last write to A. Returns -1 or the first
 *          cell whose (modified) diagonal block is singular (ncell + w: well w
 *          has D = 0), the same on every member. Contains barriers; afterwards
 *          all numbers are visible to all (`none` has none).
 *   apply  z = M^-1 r, vectors [n] that do not overlap. Before: a barrier after
 *          the last write to r. After: a barrier before z is read or r written,
 *          even by the same member, because any member may write any entry of z.
 *   apply_transposed   z = M^-T r, the exact transpose of apply (to rounding), with
 *          the contract of apply. External preconditioners have none.
 *
 * Wells are eliminated last: the cells' part is applied to r, then
 * x_w = (r_w - W x) / D. The block-diagonal part of WT D^-1 W is subtracted
 * from the diagonal blocks of the perforated cells. With the whole Schur
 * complement H - WT D^-1 W in place of H the elimination would be exact up to
 * a nilpotent part, which costs a Krylov method one iteration.
 */
#ifndef HP_LINSOLVE_PRECOND_PRECOND_H
#define HP_LINSOLVE_PRECOND_PRECOND_H

#include "linsolve/matrix/gh.h"
#include "linsolve/precond/bricks.h"

HP_EXTERN_C_BEGIN

enum { HP_DILU_BLOCKS = 7 }; /* of a cell in hp_precond.pack: its own and those of its neighbours */

/* Numbers of a cell that a preconditioner stores. */
typedef enum {
  HP_STORES_NOTHING,
  HP_STORES_DIAGONAL, /* q: hp_precond.inverse */
  HP_STORES_BLOCK,    /* q*q: hp_precond.inverse */
  HP_STORES_PACK      /* a block and 7 more in the chosen precision: hp_precond.pack */
} hp_precond_storage;

/* X(NAME, "deck name", storage, setup, apply, apply_transposed) */
#define HP_PRECOND_LIST(X)                                                                                 \
  X(NONE, "none", NOTHING, hp_precond_none_setup, hp_precond_none_apply, hp_precond_none_apply_transposed) \
  X(JACOBI, "jacobi", DIAGONAL, hp_jacobi_setup, hp_jacobi_apply, hp_jacobi_apply_transposed)              \
  X(BLOCK_JACOBI, "block-jacobi", BLOCK, hp_block_jacobi_setup, hp_block_jacobi_apply,                     \
    hp_block_jacobi_apply_transposed)                                                                      \
  X(DILU, "dilu", PACK, hp_dilu_setup, hp_dilu_apply, hp_dilu_apply_transposed)

typedef enum {
#define HP_PRECOND_ENUM(name, text, storage, setup, apply, transposed) HP_PRECOND_##name,
  HP_PRECOND_LIST(HP_PRECOND_ENUM)
#undef HP_PRECOND_ENUM
      HP_PRECOND_COUNT
} hp_precond_kind;

/* The order in which an incomplete factorization eliminates the cells:
 *   natural    m rises; few iterations; members follow each other as a pipeline
 *   red-black  even i+j+k first, then odd; two phases of any width
 *   bricks     natural inside boxes without couplings to each other (linsolve/precond/bricks.h) */
typedef enum { HP_ORDER_NATURAL, HP_ORDER_RED_BLACK, HP_ORDER_BRICKS, HP_ORDER_COUNT } hp_ordering;

/* Storage of a preconditioner's numbers; it always computes in double precision. */
typedef enum { HP_PRECISION_DOUBLE, HP_PRECISION_SINGLE, HP_PRECISION_COUNT } hp_precision;

struct hp_precond;

struct hp_execution; /* linsolve/krylov/host_driven/execution.cuh */

/* The source that linsolve/krylov/cuda/special.cuh compiles for one matrix with an external preconditioner. */
typedef struct hp_precond_special {
  const char *unit;              /* header with hp_solve_kernel and its application */
  const char *shape;             /* SHAPE of the kernel, see linsolve/krylov/cuda/kernel.cuh */
  const struct hp_precond *part; /* the only one of HP_PRECOND_LIST that the application reads */
  const char *constants;         /* further lines of hp_constants.h, "": none */
} hp_precond_special;

/* An external preconditioner on a GPU (linsolve/krylov/device.h). Its layer compiles the solve kernels with its
 * application inlined: linsolve/krylov/cuda/kernel.cuh. */
typedef struct hp_precond_device {
  const void *data; /* in the device's memory, for the application: hp_precond.external_data */
  /* Returns the kernel for a task of linsolve/krylov/cuda/kernel.cuh with matrices like A; NULL: none. */
  const void *(*kernel)(int task, const hp_gh *A);
  const hp_precond_special *special; /* NULL: none */
  void *self;
  /* Sets up from A, whose pointers are to the device, in the stream. *singular, on the device: -1, or the cell of the
   * first singular row. */
  hp_status (*setup)(void *self, const hp_gh *A, int64_t *singular);
  /* Launches z = M^-1 r of the cells as separate kernels, for the executions per-operation and graph; NULL: in-kernel only. The
   * kernels and their arguments stay the same while `pattern` returns the same number. */
  hp_status (*enqueue)(void *self, struct hp_execution *execution, const double *r, double *z);
  int64_t (*pattern)(const void *self);
  /* Bytes that the solver allocates for the preconditioner behind its vectors, and the function that receives them before the
   * first setup; 0, NULL: none. Vectors and these bytes together serve as a setup's work space (hp_krylov_device_idle). */
  int64_t memory_bytes;
  hp_status (*attach)(void *self, void *memory);
} hp_precond_device;

/* An external preconditioner is not in HP_PRECOND_LIST, such as a two-stage one of a higher layer. setup and apply are team
 * programs of the CPU team with the contract above. */
typedef struct hp_precond_external {
  const char *name;
  void *data;
  int64_t (*setup)(hp_team *t, void *data, const hp_gh *A);
  void (*apply)(hp_team *t, const void *data, const hp_gh *A, const double *r, double *z);
  const hp_precond_device *device; /* NULL: on the CPU only */
  bool symmetric;                  /* M is symmetric positive definite, with wells, if A is: cg may use it */
} hp_precond_external;

/* Plain data for the team programs. Arrays that a kind does not need are NULL. */
typedef struct hp_precond {
#if defined(HP_CONSTANT_PRECOND)
  /* constants of a kernel compiled for one matrix (linsolve/stencil/stencil.h), in the places of the host's variables */
  static constexpr hp_precond_kind kind = (hp_precond_kind)HP_CONSTANT_PRECOND;
  static constexpr hp_ordering ordering = (hp_ordering)HP_CONSTANT_ORDERING;
  static constexpr hp_precision precision = (hp_precision)HP_CONSTANT_PRECISION;
  int places[3];
#else
  hp_precond_kind kind;
  hp_ordering ordering;
  hp_precision precision;
#endif
  double relaxation;                   /* dilu: share of the dropped fill that goes to the diagonal, 0 .. 1 */
  const hp_precond_external *external; /* not NULL: instead of kind */
  const void *external_data;           /* the same on a GPU: hp_precond_device.data */
  double *inverse;                     /* DIAGONAL [ncell*q]: 1 / diagonal; BLOCK, PACK [ncell][q][q]: inverse
                      (modified) diagonal blocks, a block's columns one after the other */
  void *pack;                /* dilu: [ncell][7][q][q] of double or float, see linsolve/precond/dilu/pack.inl.h */
  double *zero;              /* dilu: [nz*q] zeros, stands for a neighbour column outside */
  hp_divisor by_half, by_ny; /* GPU, dilu: by (nz+1)/2 and ny */
  uint8_t *idle;             /* dilu in natural order: [nx*ny] 1: all rows of the column are identity rows */
  hp_dilu_bricks bricks;     /* dilu in bricks */
  int64_t bytes;             /* held */
  int64_t apply_bytes;       /* that one application moves at least */
} hp_precond;

/* Creates the storage for matrices of A's shape, on the host. Give the kind, or `external` (which must outlive P) and
 * HP_PRECOND_NONE. */
hp_status hp_precond_create(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering, hp_precision precision,
                            double relaxation, const hp_precond_external *external, hp_precond **out) HP_MUST_USE;
void hp_precond_destroy(hp_precond **P);

/* Returns the bricks of dilu for A; for a rank's part those bricks of the whole grid that have a cell in its lattice. */
hp_dilu_bricks hp_precond_bricks(const hp_gh *A);

/* Return the bytes of hp_precond.inverse and hp_precond.pack for a cell with q unknowns. */
int64_t hp_precond_inverse_bytes(hp_precond_kind kind, int q);
int64_t hp_precond_pack_bytes(hp_precond_kind kind, hp_precision precision, int q);

/* Returns the least bytes that an application moves: stored numbers, r and z (in natural order twice), the wells' rows. */
int64_t hp_precond_apply_bytes(const hp_gh *A, hp_precond_kind kind, hp_ordering ordering, hp_precision precision);

const char *hp_precond_name(hp_precond_kind k);
const char *hp_ordering_name(hp_ordering o);
const char *hp_precision_name(hp_precision p); /* "double", "single" */
bool hp_precision_find(const char *name, hp_precision *p);

HP_EXTERN_C_END

#endif
