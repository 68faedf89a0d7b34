/* Orders: what rank 0 is asked to do, it tells the other ranks, and all do it with their parts.
 *
 *     rank 0                                                    the others
 *     sim/backend/ranks/ranks.c: hp_backend_ops -> order        hp_backend_serve: waits for an order
 *                        |                                               |
 *                        +---- hp_rank_order_carry_out on every rank ----+
 *
 * Sums and decisions in the programs are the same on all (core/team/team.h), so that their reports are. A failure on one rank
 * is one of all at the end of each order.
 */
#ifndef HP_SIM_BACKEND_RANKS_ORDERS_H
#define HP_SIM_BACKEND_RANKS_ORDERS_H

#include "sim/backend/backend.h"
#include "sim/part/kept.h"
#include "sim/part/pieces.h"
#include "sim/part/remote.h"
#include "sim/part/subdomain.h"

/* Operations on the parts. X(NAME, function): the function is in sim/backend/ranks/orders.c. */
#define HP_RANK_ORDER_LIST(X) \
  X(START, start)             \
  X(BEGIN, begin)             \
  X(ASSEMBLE, assemble)       \
  X(UPDATE, update)           \
  X(RESTORE, restore)         \
  X(ACCEPT, accept)           \
  X(ERROR, carry_error)       \
  X(SHOW, show)               \
  X(SOLVE, solve)             \
  X(PUT, put)                 \
  X(CHANGE, change_trans)     \
  X(KEEP, keep)               \
  X(PIECES, open_pieces)      \
  X(PIECE, get_piece)         \
  X(JACOBIAN, jacobian)       \
  X(OUTFLOW, outflow)         \
  X(REGIONS, regions)         \
  X(RIGID, rigid)             \
  X(KEEP_STATE, keep_state)   \
  X(COMPARE, compare_state)   \
  X(FETCH, fetch_for_others)  \
  X(OTHER, create_other)      \
  X(OTHERS_BEGIN, begin_step) \
  X(OTHER_SOLVE, solve_other) \
  X(REPORT, report_rank)      \
  X(REMOTE, remote)

typedef enum {
#define HP_RANK_ORDER_ENUM(name, function) HP_RANK_ORDER_##name,
  HP_RANK_ORDER_LIST(HP_RANK_ORDER_ENUM)
#undef HP_RANK_ORDER_ENUM
      HP_RANK_ORDER_CREATE,
  HP_RANK_ORDER_PROGRAM,
  HP_RANK_ORDER_DESTROY,
  HP_RANK_ORDER_DISMISS
} hp_rank_order_kind;

/* An order as it is sent. */
typedef struct hp_rank_order {
  hp_rank_order_kind kind;
  double dt, weight, times, most_dp, drop;
  int jacobian, control, retry, solve; /* jacobian also the exit code of a dismissal, the number of a program */
  int change;                          /* its number, that of an other solver */
  int first, count;                    /* regions */
  hp_arrays set;                       /* that is put */
  int sourced;                         /* cells come from rank 0's base.source, not from its arrays */
  int off_kinks;                       /* of a check of the Jacobian */
  union {
    hp_remote_request remote;
    hp_step_correction correction;
  };
  hp_gh_piece piece; /* of the system; KEEP: its matrix */
} hp_rank_order;
/* Open MPI hands so many bytes over without waiting until they are received. */
_Static_assert(sizeof(hp_rank_order) <= 256, "rank 0 would wait for the others at each order");

/* The backend of a run by several ranks, as each of them has it. */
typedef struct hp_ranks_backend {
  hp_backend base; /* rank 0: as the run sees it */
  hp_ranks *K;
  hp_subdomain *D;
  char warning[HP_BISECTION_WARNING + 512]; /* rank 0: the run's, of how columns are cut and of hosts that differ */
  hp_backend *local;                        /* on the part; NULL while it is not made */
  hp_arrays fetched;                        /* its arrays that, if it is on a GPU, the host has */
  hp_outflow outflow;                       /* numerical aquifers; */
  int64_t *outflow_place;                   /* [hp_outflow_cells] where the part has their cells */
  double *outflow_value;                    /* [hp_outflow_numbers] */
  hp_profile profile;                       /* of ranks but 0 */
  hp_step_well *row;                        /* [nwell] likewise */
  int threads;                              /* of this rank */
  double began;                             /* the first order after its making */
  hp_ranks_spent before[HP_RANKS_KINDS];    /* by then */
  hp_backend_rank *reported;                /* [ranks] rank 0: all ranks' */
  hp_remote from;                           /* rank 0: its fields, piece by piece */
  hp_subdomain_remote pieces;
  hp_gh_columns piece;           /* rank 0: of the system */
  double *b_well, *x_well;       /* [nwell + 1] likewise; not NULL without wells, either */
  hp_kept_state *kept;           /* outlives the backend; rank 0: NULL: nothing is to be kept */
  const hp_other_options *other; /* rank 0: of the solver that is being made */
} hp_ranks_backend;

HP_INLINE bool hp_ranks_backend_is_root(const hp_ranks_backend *C) { return hp_ranks_rank(C->K) == 0; }

/* The places that the results of an order go to. */
typedef struct hp_rank_results {
  hp_step_report *report;
  hp_step_well *row;
  hp_krylov_report *k;
  double *influx;          /* [aquifers] NULL on ranks but 0, like: */
  double *value;           /* [hp_outflow_numbers] */
  hp_region_totals *total; /* [count] likewise */
  hp_jacobian_errors *errors;
  bool *all;              /* an answer of all ranks; likewise */
  double *off;            /* [HP_KEPT_ARRAYS] NULL on ranks but 0 */
  hp_other_report *other; /* NULL likewise */
  double *history;        /* of its solve; likewise */
} hp_rank_results;

/* Collective, for an other solver: its threads, and the GPUs of this rank in place of those of all (sim/backend/ranks/ranks.c). */
hp_status hp_ranks_backend_place(const hp_ranks_backend *C, hp_other_options *options) HP_MUST_USE;

/* Collective. Orders behind HP_RANK_ORDER_LIST are not carried out here. */
hp_status hp_rank_order_carry_out(hp_ranks_backend *C, const hp_rank_order *o, hp_rank_results *r) HP_MUST_USE;

#endif
