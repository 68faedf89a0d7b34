/* The wells of a run: perforations with their well indices, controls in force, rates. They are plain arrays in the team's
 * memory. Their team programs are wells/perforation.inl.h, wells/control.inl.h and wells/assembly.inl.h.
 *
 * In one Newton iteration:
 *     hp_wells_rates      rate of every perforation at the current state
 *       -- barrier --
 *     hp_wells_control    switch controls whose limits are violated; mixtures
 *       -- barrier --     (rates again if something switched)
 *     hp_wells_assemble_cells, hp_wells_assemble_rows   perforations in their cells' rows; the well rows
 *
 * The pressure in the well at perforation q is bhp + head[q]; head is computed once per time step from the mixture in the
 * wellbore, or, in a well with segments (wells/segments.inl.h), with each rate. Rates are surface volumes [m3/s], positive from the reservoir into the well.
 */
#ifndef HP_WELLS_WELLS_H
#define HP_WELLS_WELLS_H

#include "grid/corners.h"
#include "physics/reservoir.h"
#include "wells/lift.h"
#include "wells/segment.h"
#include "wells/well.h"

HP_EXTERN_C_BEGIN

/* Contribution of a perforation: rate and its derivatives by p, s of its cell and by bhp. */
typedef struct hp_perf_rate {
  double q[HP_PHASES], dp[HP_PHASES], ds[HP_PHASES], dbhp[HP_PHASES];
  double dmix[HP_PHASES];       /* by the water share of the well's mixture, where that flows out */
  double transmissibility;      /* WI * total mobility [m3/(s Pa)], for row scaling */
  double producible[HP_PHASES]; /* WI lam_a: rate per Pa of drawdown [m3/(s Pa)] */
  double drawdown;              /* p - (bhp + head) [Pa] */
  double receivable;            /* surface rate of the well's mixture into the cell, per Pa the other way [m3/(s Pa)];
                              0: the well has no mixture */
} hp_perf_rate;

/* Results of hp_wells_share for a well; rates are without its efficiency. */
struct hp_group_part {
  bool open, takes_part;
  bool inside, shares;         /* it is in the group at hand, and takes part in its targets (hp_group_select) */
  double efficiency;           /* share of the group's time that it flows; 0: it is not in it */
  double lowest;               /* producer: lowest bottom-hole pressure within its own limits [Pa] */
  double potential[HP_PHASES]; /* surface rates at that, in the direction of its job [m3/s] */
  double cap;                  /* its largest rate of the distributed quantity [m3/s] */
  int by;                      /* hp_control of its share, HP_CONTROL_SHUT: none */
  double share;                /* the share [m3/s] */
  int of;                      /* group whose target it is a share of */
  int by_before;               /* by and share, of a target that was distributed before */
  double share_before;
};

typedef struct hp_wells {
  int nwell;
  int64_t nperf;
  int64_t
      *begin; /* [nrow+1] perforations of well w: begin[w] .. begin[w+1]-1; behind the wells: entries of other rows */
  /* perforations */
  int64_t *cell;                        /* [nentry] */
  int32_t *of;                          /* [nperf] its well */
  int64_t *slot;                        /* [nentry] its place in the matrix borders (linsolve/matrix/gh.h) */
  double *wi;                           /* [nperf] well index [m3], 0: shut */
  uint16_t *table;                      /* [nperf] entry of hp_reservoir.table, from 1; 0: the cell's functions */
  double *depth;                        /* [nperf] depth of the perforation [m] */
  double *head;                         /* [nperf] pressure in the well minus bhp [Pa] */
  double *density;                      /* [nperf] of the section of wellbore above it [kg/m3] */
  double *relaxation;                   /* [nperf] of that density from step to step (wells/head.inl.h); 0: none yet */
  double *density_old, *relaxation_old; /* [nperf] of the last step that was made */
  hp_perf_rate *rate;                   /* [nperf] at the current state */
  /* wells with segments */
  int64_t nsegment;
  int64_t *segment_begin;     /* [nwell+1] segments of well w: none, or the first one and those that flow into it */
  hp_segment *segment;        /* [nsegment] */
  uint8_t *drops;             /* [nwell] hp_drops: the last one that counts */
  int64_t *seat;              /* [nperf] its segment, -1: its well has none */
  double *seat_rise;          /* [nperf] depth below the segment's node [m] */
  double *cell_rise;          /* [nperf] depth of its cell below it [m] */
  hp_segment_state *segments; /* [nsegment] */
  double *segment_error;      /* [nwell] largest residual of a head [Pa] */
  double *column;             /* [nperf] pressure of the cell's fluid between them, of the step's start [Pa] */
  int nrow;                   /* rows of the matrix's border: the wells', and one for each perforation in a segment, */
  int64_t nentry;             /*   with an entry for each perforation of its well */
  int64_t *row;               /* [nperf] that row, -1: none */
  double *answer; /* [(nentry-nperf)*2] change of the head of the row's perforation by p, s of each cell of its well, */
  double *head_slope; /* [nperf*2] of the rates by the head */
  int64_t nrow_slope; /* nperf*4, 0 without segments */
  double *row_slope;  /* [nperf*2*2] slopes of all that its well makes by p, s of its cell, by phase */
  /* perforated cells, each once, with their perforations */
  int64_t ncell;
  int64_t *perforated; /* [ncell] */
  int64_t *perf_begin; /* [ncell+1] */
  int64_t *perf_list;  /* [nperf] */
  /* wells */
  double *ref_depth;  /* [nwell] depth the bhp belongs to [m] */
  uint8_t *crossflow; /* [nwell] */
  int nlift;          /* lift tables that control[].vfp counts from 1, */
  int64_t nlift_number;
  hp_lift_table *lift;      /* [nlift] */
  double *lift_number;      /* [nlift_number] */
  hp_well_control *control; /* [nwell] targets and limits; control[w].control is what the deck asks for */
  uint8_t *mode;            /* [nwell] hp_control in force */
  uint8_t *left;            /* [nwell] controls that it has left in this time step: 1 << hp_control each; HP_LEFT_* */
  uint8_t *running;         /* [nwell] has flowed: head from its rates, not from mobilities */
  double *mix;              /* [nwell*2] surface volume fractions of what flows out of the well into
                           cells, their sum below 1 where too little flows in; 0 0: nothing */
  double *inflow_share;     /* [nwell] share of what could flow into an injector that does: below 1 where
                           less flows out of it, so that it never gives to the surface */
  double *bhp;              /* [nwell] unknown: bottom-hole pressure [Pa] */
  double *bhp_old;          /* [nwell] at the start of the step, as are: */
  double *mix_old;          /* [nwell*2] */
  double *inflow_share_old; /* [nwell] */
  uint8_t *mode_old;        /* [nwell] */
  double *rate_old;         /* [nperf*2] what the perforations gave in the last step [m3/s], by phase */
  double *rate_error;       /* [nperf*2] errors in time of the rates at the end of the last step [m3/s] */
  double *mix_change;       /* [nwell] of the share of water in mix, that those errors make [-] */
  double *density_change;   /* [nperf] of density, likewise [kg/m3] */
  double *residual;         /* [nwell] relative: (rate - target) / target, or relative bhp */
  double *resv;             /* [nwell*2] reservoir volume of a surface volume, B_a, at the field's average pressure, of
                           the fluid in the cell of the well's first perforation */
  /* shares of groups' targets, host only (wells/group.h) */
  hp_well_control *deck_control; /* [nwell] the deck's; in control, limits may be shares of groups' targets */
  uint8_t *shared;               /* [nwell] hp_control whose limit is such a share, HP_CONTROL_SHUT: none */
  double *guide;                 /* [nwell*HP_CONTROL_COUNT] guide rates of this time step [m3/s] */
  struct hp_group_part *part;    /* [nwell] scratch */
  double *wi_open;               /* [nperf] host only: well index without multipliers, whether open or not */
  double *multiplier;            /* [nperf] host only: of the well index */
  hp_perf_spec *spec;            /* [nperf] host only: where they are and how they are completed */
} hp_wells;

/* Arrays that the programs of a time step read, as X(field, elements) with W the wells: HP_WELLS_FIXED never change, events and
 * steps change HP_WELLS_STATE. */
#define HP_WELLS_FIXED(X)         \
  X(begin, W->nrow + 1)           \
  X(cell, W->nentry)              \
  X(of, W->nperf)                 \
  X(slot, W->nentry)              \
  X(depth, W->nperf)              \
  X(perforated, W->ncell)         \
  X(perf_begin, W->ncell + 1)     \
  X(perf_list, W->nperf)          \
  X(ref_depth, W->nwell)          \
  X(crossflow, W->nwell)          \
  X(lift, W->nlift)               \
  X(lift_number, W->nlift_number) \
  X(segment_begin, W->nwell + 1)  \
  X(segment, W->nsegment)         \
  X(drops, W->nwell)              \
  X(seat, W->nperf)               \
  X(seat_rise, W->nperf)          \
  X(cell_rise, W->nperf)          \
  X(row, W->nperf)
#define HP_WELLS_STATE(X)               \
  X(wi, W->nperf)                       \
  X(table, W->nperf)                    \
  X(head, W->nperf)                     \
  X(density, W->nperf)                  \
  X(relaxation, W->nperf)               \
  X(density_old, W->nperf)              \
  X(relaxation_old, W->nperf)           \
  X(rate, W->nperf)                     \
  X(control, W->nwell)                  \
  X(mix, 2 * W->nwell)                  \
  X(inflow_share, W->nwell)             \
  X(rate_old, HP_PHASES * W->nperf)     \
  X(mix_change, W->nwell)               \
  X(density_change, W->nperf)           \
  X(rate_error, HP_PHASES * W->nperf)   \
  X(bhp, W->nwell)                      \
  X(bhp_old, W->nwell)                  \
  X(mix_old, 2 * W->nwell)              \
  X(inflow_share_old, W->nwell)         \
  X(residual, W->nwell)                 \
  X(resv, HP_PHASES * W->nwell)         \
  X(mode, W->nwell)                     \
  X(left, W->nwell)                     \
  X(running, W->nwell)                  \
  X(mode_old, W->nwell)                 \
  X(segments, W->nsegment)              \
  X(segment_error, W->nwell)            \
  X(column, W->nperf)                   \
  X(answer, 2 * (W->nentry - W->nperf)) \
  X(head_slope, W->nrow_slope / 2)      \
  X(row_slope, W->nrow_slope)

/* Pack HP_WELLS_STATE into one piece of memory: the arrays follow each other, each at a multiple of 16 bytes. */
#define HP_WELLS_ROUNDED(field, count) (((int64_t)(count) * (int64_t)sizeof *W->field + 15) / 16 * 16)
int64_t hp_wells_state_bytes(const hp_wells *W);
void hp_wells_pack_state(const hp_wells *W, char *to);
void hp_wells_unpack_state(hp_wells *W, const char *from);

/* Makes the perforated cells of a grid that is spread over ranks known to all ranks (hp_grid_learn). */
hp_status hp_wells_learn(const hp_grid *g, int count, const hp_perf_spec *perf) HP_MUST_USE;

/* Builds the wells of a case on grid g: cuts path wells into perforations and computes well indices (Peaceman). Leaves out
 * perforations in inactive cells. Fails with HP_ERR_DECK and a text that names well and cell. */
hp_status hp_wells_create(const hp_grid *g, int nwell, const hp_well_spec *spec, hp_wells **out) HP_MUST_USE;
/* Gives the wells a copy of the deck's lift tables; once. */
hp_status hp_wells_set_lift(hp_wells *w, int count, const hp_lift_spec *table) HP_MUST_USE;
void hp_wells_destroy(hp_wells **w);

/* Fills in the segments of well w, behind those of the wells before it; its perforations are there. HP_ERR_DECK: a segment, or a
 * perforation's, is at fault. */
hp_status hp_wells_fill_segments(hp_wells *W, const hp_well_spec *spec, int w) HP_MUST_USE;

/* Puts an event's control in force; a well without open perforations is shut. */
void hp_wells_set_control(hp_wells *w, int well, const hp_well_control *control);

/* Opens, shuts or multiplies perforations. The well keeps its control if any is open. HP_ERR_DECK: a well index is not
 * positive. */
hp_status hp_wells_change(hp_wells *w, const hp_grid *g, const hp_perf_event *event) HP_MUST_USE;
/* Perforations that the event makes anew, and numbers of completions, as W->spec has them; no index and no state. */
void hp_wells_describe(hp_wells *w, const hp_grid *g, const hp_perf_event *event);

/* Says whether some wells have segments: false in a GPU's kernels for cells that are alike (HP_CELLS_DIFFER). */
HP_INLINE HP_HD bool hp_wells_have_segments(const hp_wells *W) { return HP_CELLS_DIFFER && W->nsegment > 0; }

HP_INLINE HP_HD bool hp_well_has_segments(const hp_wells *W, int w) {
  return hp_wells_have_segments(W) && W->segment_begin[w] < W->segment_begin[w + 1];
}

/* Returns the share of time that well w flows. */
HP_INLINE HP_HD double hp_well_efficiency(const hp_wells *W, int w) {
  return hp_well_control_efficiency(&W->control[w]);
}

/* Computes the well index [m3] of a cell by Peaceman (1983), with skin:
 *     WI = 2 pi K h / (ln(r0/rw) + S),
 *     r0 = 0.28 sqrt( sqrt(Kb/Ka) A^2 + sqrt(Ka/Kb) B^2 ) / ( (Kb/Ka)^(1/4) + (Ka/Kb)^(1/4) )
 * for a well along direction d; A and B are the extents of the cell in the other directions a and b, h is the length of the
 * completed interval. The thickness of a cell is multiplied by its net to gross. */
hp_status hp_well_index(const hp_grid *g, int64_t m, const hp_perf_spec *perf, double *wi) HP_MUST_USE;

/* The direction HP_DIR_* in which the bore runs through the perforation's cell, of a piece of a path where it runs the longest way. */
int hp_perf_direction(const hp_perf_spec *p);

/* Cuts the polyline `path` [n][3] (x, y, depth; x, y from the grid's corner) by the cells of g. *perf (HP_ALLOC) receives an
 * entry per cell in the order of the path, with the projections of the interval as `length`. */
hp_status hp_well_path_cut(const hp_grid *g, int n, const double (*path)[3], double radius, double skin,
                           hp_perf_spec **perf, int *count) HP_MUST_USE;
/* The same by the hexahedra of a corner-point grid, x and y as its pillars have them; projections are on the axes of each
 * cell. A cell's faces are four triangles each, around their centre. *inside is the share of the path that lies in cells.
 * Collective. */
hp_status hp_well_path_cut_corners(const hp_grid *g, const hp_corners *c, int n, const double (*path)[3], double radius,
                                   double skin, hp_perf_spec **perf, int *count, double *inside) HP_MUST_USE;
/* Adds an interval of projections `length` to the cell's entry, a new one if there is none. */
hp_status hp_well_path_add(hp_perf_spec **perf, int *count, const int ijk[3], const double length[HP_DIRS],
                           double radius, double skin) HP_MUST_USE;

/* The perforations of a well: those of its specification, or what its path is cut to. */
typedef struct hp_well_perforations {
  const hp_perf_spec *at; /* [count] */
  int count;
  hp_perf_spec *cut; /* owned; NULL where they are given */
} hp_well_perforations;
hp_status hp_well_perforations_of(const hp_grid *g, const hp_well_spec *w, hp_well_perforations *out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
