/* A case: the contents of a deck in SI units and cell order, the border between deck readers (io/) and simulator
 * (sim/).
 *
 *   deck.cfg  -> io/config/     --.
 *                                  >  hp_case  ->  sim/
 *   CASE.DATA -> io/eclipse/    --'
 *
 * io/deck/deck.h reads one; docs/reference/deck.md and docs/reference/eclipse.md have the keys.
 */
#ifndef HP_IO_CASE_CASE_H
#define HP_IO_CASE_CASE_H

#include "amg/cpr/cpr.h"
#include "grid/corners.h"
#include "io/actions/actions.h"
#include "io/case/averages.h"
#include "io/case/rft.h"
#include "io/date.h"
#include "io/diag.h"
#include "io/economics.h"
#include "io/units.h"
#include "linsolve/krylov/krylov.h"
#include "physics/aquifer.h"
#include "physics/reservoir.h"
#include "wells/lift.h"
#include "wells/well.h"

HP_EXTERN_C_BEGIN

/* The initial state: in equilibrium, or from given arrays. */
typedef struct hp_initial {
  int nregion;              /* of equilibrium; 0: pressure and sw are given */
  hp_equilibrium *region;   /* [nregion] */
  uint16_t *of;             /* [ncell] region of each cell; NULL: 0 */
  int nthreshold;           /* regions that thresholds are between: nregion, or of a run that begins later */
  double *threshold;        /* [nthreshold][nthreshold] [Pa] from, to a region, NAN: those at the start; NULL */
  double *water;            /* [ncell] saturations that the capillary pressure is scaled to; NULL: none */
  double *pressure, *sw;    /* [ncell]; NULL in equilibrium */
  double *driest;           /* [ncell] with these, the least saturation so far, for hysteresis; NULL: sw */
  int nfip;                 /* regions of reports that a run that begins later knows, 0: none, */
  double *oil;              /* [nfip] and their oil at time zero [m3] at surface conditions */
  int64_t nflooded;         /* cells that begin full of water, whatever the equilibrium (numerical aquifers) */
  int64_t *flooded;         /* [nflooded] */
  double *flooded_pressure; /* [nflooded] [Pa] NAN: that of the water in equilibrium */
} hp_initial;

typedef struct hp_timestep_options {
  double initial, max, min; /* [s] */
  double growth, cut;       /* largest growth factor, factor after a failed step */
  int target_newton;        /* iterations a step should take */
  double target_ds;         /* saturation change a step should make */
  double accuracy;          /* error in time of what is produced that steps aim at [-]; 0: none is estimated */
  int max_cuts;             /* in a row, before the run gives up */
} hp_timestep_options;

typedef struct hp_newton_options {
  double tolerance_mb, tolerance_cnv, tolerance_flow, tolerance_well;
  int max_iterations, min_iterations;
  double max_ds, max_dp_relative;
  double softness; /* [1/Pa] compressibility that the Jacobian alone has (hp_sim_soften), no key of a deck */
} hp_newton_options;

/* Settings of time steps and Newton's method from `time` on; NAN and -1: as before. */
typedef struct hp_tuning {
  double time;                        /* [s] */
  double initial;                     /* [s] the next step */
  double max, min, growth, cut;       /* as in hp_timestep_options */
  int max_iterations, min_iterations; /* of Newton's method */
  const char *file;
  int line;
} hp_tuning;

hp_tuning hp_tuning_nothing(void);
/* Applies them to the options in force, except `initial`. A limit that passes the other one of its pair moves that,
 * too. */
void hp_tuning_apply(const hp_tuning *t, hp_timestep_options *step, hp_newton_options *newton);

/* X(NAME, "deck name"): sheets of fluids in place in NAME.PRT. */
#define HP_SHEETS_LIST(X) \
  X(NONE, "none")         \
  X(FIELD, "field")       \
  X(REGIONS, "regions") /* and those of the field */

typedef enum {
#define HP_SHEETS_ENUM(name, text) HP_SHEETS_##name,
  HP_SHEETS_LIST(HP_SHEETS_ENUM)
#undef HP_SHEETS_ENUM
} hp_sheets;

typedef struct hp_output_options {
  char *name;      /* path and base name of the result files; NULL: from the deck's name */
  bool fields;     /* write cell fields at report times */
  bool f64;        /* fields in double precision */
  int compression; /* gzip level 0..9 */
  bool summary;
  bool eclipse; /* fields and summary as Eclipse's binary files, too */
  int nvector;
  char **vector; /* [nvector] vectors of the summary beside those that are always written (io/case/vectors.h) */
  int sheets, sheets_at_start; /* hp_sheets at report times after sheets_from, and of the initial state */
  double sheets_from;          /* [s] */
  uint32_t arrays; /* a bit for each entry of HP_STATE_ARRAY_LIST that Eclipse's files have (io/case/state_arrays.h) */
  int naverage;
  hp_average *average; /* [naverage] how WBP and the like are taken, times not falling */
  int nrft;
  hp_rft_request *rft; /* [nrft] logs of wells for Eclipse's files, times not falling */
  int restart;         /* report steps, the latest ones, that a run can be continued from; -1: all */
  double interval;     /* [s] > 0: fields at these multiples instead of every report time */
  double refresh;      /* [s of the clock on the wall] at most so often report steps get into the master; 0: at once */
} hp_output_options;

/* Factors for the present transmissibilities between pairs of cells from `time` on; a rank has the pairs that begin in
 * its own cells. */
typedef struct hp_trans_event {
  double time;             /* [s] */
  char what[HP_WELL_NAME]; /* the fault, or the keyword, */
  double factor;           /* of all pairs; NAN: of each its own */
  int64_t count;
  int64_t *a, *b; /* [count] a < b, neighbours or not; rising */
  double *by;     /* [count] */
  const char *file;
  int line;
} hp_trans_event;

/* Values of pairs of cells, neighbours or not. */
typedef struct hp_pair_values {
  int64_t count;
  int64_t *a, *b; /* [count] a < b, rising, each pair once */
  double *value;  /* [count] */
} hp_pair_values;

/* A named fault, for reports of the grid. */
typedef struct hp_case_fault {
  char name[HP_WELL_NAME];
  int64_t faces, connections; /* between neighbours, each once; of cells that are not neighbours, through its faces */
  double factor, threshold;   /* at the start; [Pa] 0: none */
} hp_case_fault;

/* The cells of a numerical aquifer; the first one is connected to others. */
typedef struct hp_numerical_aquifer {
  int number; /* that vectors name it by, from 1 */
  int64_t ncell;
  int64_t *cell; /* [ncell] */
  double before; /* [m3] water that it gave in the run that this one begins with; else 0 */
} hp_numerical_aquifer;

/* Nodes of a mesh whose cells do not line up: means of the corners that meet at each. */
typedef struct hp_case_nodes {
  int first, count; /* planes that are here, those of own cells and behind the last cells one more */
  double *place;    /* [count][ny+1][nz+1][3] x, y, z = -depth [m] */
  bool downwards;   /* i, j and z are left-handed */
} hp_case_nodes;

/* Nodes of a corner-point grid whose cells do not all meet, as at faults (io/case/split.c). */
typedef struct hp_case_split {
  int64_t count;   /* of all ranks; 0: cells meet at the nodes of a lattice */
  int64_t *begin;  /* [(ny+1)(nx+1) + 1] first node of each pillar i + (nx+1) j */
  int from, to;    /* pillars i = from .. to - 1 are this rank's */
  int32_t *number; /* [8 ncell] of each cell's corners (grid/corners.h), in cell order; of inactive cells 0 */
  double *place;   /* of its pillars' nodes, x, y, z = -depth [m] */
} hp_case_split;

/* Facts about all cells for the files of a case spread over ranks, found while it is read. */
typedef struct hp_case_facts {
  double top, bottom;  /* [m] of the active cells */
  int64_t connections; /* of all ranks, */
  int64_t connection;  /* of which this one's begin here */
  double *well_top;    /* [nwell] [m] top of the first layer where a well's first perforation is */
  hp_case_nodes nodes; /* where cells do not line up */
  hp_case_split split; /* of corners; then nodes have no place */
  double *perf_place;  /* of corners: x, y [m] of the centre of each perforation's cell, well by well; else NULL */
} hp_case_facts;

typedef struct hp_case {
  char *deck; /* path as given */
  char *title;
  char *text;     /* the deck as parsed, for the result file */
  hp_units units; /* of the deck: messages and summary use them */
  char start[32]; /* date of time zero (io/date.h), "" unknown */

  hp_spread *spread;                /* cell arrays below, [ncell], hold planes of i as the grid's do; NULL: all cells */
  char whole[80];                   /* what of an Eclipse deck needs all cells in one process, "": nothing */
  hp_grid *grid;                    /* finished: active cells, pore volumes, transmissibilities */
  const char *end_file[2][HP_ENDS]; /* where an Eclipse deck gives end points of drainage, imbibition */
  int end_line[2][HP_ENDS];         /* 0: it does not, or --set has given others */
  bool rectilinear;                 /* cells line up: result files use a rectilinear mesh */
  double *x, *y, *z;                /* [nx+1], [ny+1], [nz+1] node coordinates [m], z depth; for the mesh */
  double *top;                      /* [columns held], j + ny i: depth of the top of the first layer [m] */
  hp_case_facts facts;
  double *coord, *zcorn; /* of a grid by corners, as in grid/corners.h [m]; else NULL */
  hp_pillar_systems systems;

  int refine[3];           /* each cell of the deck becomes so many along i, j, k (hp_case_refine) */
  const char *refine_file; /* where that is said */
  int refine_line;
  int deck_size[3]; /* nx, ny, nz as the deck has them, once it is refined; 0: it is not */

  /* Inputs of hp_grid_finish beside the grid; --set changes the grid and
   * finishes it again from these. NULL: none given. Cell order. */
  double minpv;                   /* [m3] */
  double *minpv_of;               /* [ncell] [m3] in place of it, until the grid is finished (MINPVV) */
  uint8_t *given_active;          /* [ncell] as the deck says, before minpv */
  double *mult_pv;                /* [ncell] MULTPV */
  double *mult[HP_DIRS];          /* [ncell] MULTZ, MULTY, MULTX */
  double *porv;                   /* [ncell] [m3] in place of the computed pore volume, NAN: none (PORV) */
  double *tran[HP_DIRS];          /* [ncell] [m3] likewise (TRANZ, TRANY, TRANX) */
  hp_grid_connections connection; /* pairs as hp_grid_connect takes them: in any order, neighbours and repeats, too */

  int nfault;
  hp_case_fault *fault; /* [nfault] in the deck's order */

  hp_fluid_spec fluid;
  hp_initial initial;

  int naquifer;
  hp_aquifer_spec *aquifer; /* [naquifer] numbers rising */
  int nnumerical;
  hp_numerical_aquifer *numerical; /* [nnumerical] numbers rising */

  int nfip;      /* regions of reports */
  uint16_t *fip; /* [ncell] region of each cell, from 1; 0: none; NULL: all are of region 1 */

  double begin;           /* [s] > 0: the run begins with the state of another one at that time (RESTART) */
  int begin_report;       /* the number of that state among the reports of */
  const char *begin_file; /* among `file` */

  int nwell;
  hp_well_spec *well; /* [nwell] */
  int nlift;
  hp_lift_spec *lift; /* [nlift] lift tables, which controls count from 1 */
  int nevent;
  hp_well_event *event; /* [nevent] times not falling */
  int ngroup;
  char (*group)[HP_WELL_NAME]; /* [ngroup] names of groups 1, 2, ...; 0 is FIELD */
  int ngroup_event;
  hp_group_event *group_event; /* [ngroup_event] times not falling */
  int nperf_event;
  hp_perf_event *perf_event; /* [nperf_event] times not falling */
  /* [Pa] threshold pressures across faults; of several ranks pairs that begin in own cells */
  hp_pair_values fault_threshold;
  int ntrans_event;
  hp_trans_event *trans_event; /* [ntrans_event] times not falling */
  int nquantity;
  hp_user_quantity *quantity; /* [nquantity] of the user, by number */
  int nquantity_entry;
  hp_quantity_entry *quantity_entry; /* [nquantity_entry] times not falling */
  int nquantity_table;
  hp_quantity_table *quantity_table; /* [nquantity_table] that expressions look up */
  double quantity_epsilon;           /* of == in expressions, */
  double quantity_undefined;         /* and the number that stands for none */
  int naction;
  hp_action *action; /* [naction] times not falling */
  int nreport;
  double *report; /* [nreport] [s] rising; the last one ends the run */

  hp_timestep_options timestep;
  int ntuning;
  hp_tuning *tuning; /* [ntuning] times not falling */
  hp_newton_options newton;
  hp_krylov_options linear;
  bool cpr;                   /* linear.preconditioner is cpr; the dilu that linear describes is its second stage */
  hp_cpr_options cpr_options; /* of the first stage; what concerns the second one is in linear */
  bool ordering_given, relaxation_given; /* the deck names linear.ordering, ...; if not, each backend takes its own */
  bool refresh_given, sweeps_given;      /* likewise linear.cpr.refresh; linear.cpr.pre or post */
  bool preconditioner_given;             /* the deck names linear.preconditioner or cpr; likewise */
  hp_output_options output;
  hp_economics economics;

  char *left_out;     /* keywords of the deck that were left out, apart by blanks; NULL: none */
  bool no_simulation; /* a run does no more than a check */

  double seconds, grid_seconds; /* [s] that it took to read, and its grid alone, for --profile */

  int nfile;
  char **file; /* [nfile] names that well[].file and event[].file point to */
} hp_case;

void hp_case_destroy(hp_case **c);

/* The arrays of a run of the case (physics/arrays.h). */
hp_arrays hp_case_arrays(const hp_case *c);
/* Cells, nodes and corners of an array of HP_ROCK_LIST (physics/arrays.h); NULL: the case has none. */
const void *hp_case_array(const hp_case *c, hp_array a);

/* Pieces that both readers share. */

/* Calls hp_grid_finish with these inputs; drops_small: cells below minpv become inactive. */
hp_status hp_case_finish_grid(hp_case *c, bool drops_small) HP_MUST_USE;

/* Takes numbers of report regions [ncell] in cell order; 0 or less: none. *fault: a cell whose number is not whole or
 * above 65535, or -1. */
hp_status hp_case_fip(hp_case *c, const double *number, int64_t *fault) HP_MUST_USE;

/* Adds a requested vector, unless it is there. */
hp_status hp_case_vector(hp_case *c, const char *text) HP_MUST_USE;

/* The name of group g of ngroup + 1, and the number of one; -1: there is none. hp_case_group_add makes it if there is none. */
const char *hp_case_group_name(const hp_case *c, int g);
int hp_case_group(const hp_case *c, const char *name);
hp_status hp_case_group_add(hp_case *c, const char *name, int *g) HP_MUST_USE;
/* The control of group g after the first `count` changes of groups; NULL: none has named it. */
const hp_group_control *hp_case_group_control(const hp_case *c, int count, int g);
/* Whether group g is `above` or below it after the first `count` changes of groups. */
bool hp_case_group_is_below(const hp_case *c, int count, int g, int above);

/* The number of a lift table of that name, from 1; -1: there is none. hp_case_lift_add takes over its numbers. */
int hp_case_lift(const hp_case *c, const char *name);
hp_status hp_case_lift_add(hp_case *c, const hp_lift_spec *table) HP_MUST_USE;

/* The first control of the schedule that opens the well, or NULL. */
const hp_well_control *hp_case_first_control(const hp_case *c, int well);

/* Keeps one copy of `path` in c->file for well[].file and event[].file. */
hp_status hp_case_file(hp_case *c, const char *path, const char **kept) HP_MUST_USE;

/* Whether the threshold from region a to region b differs from that back. */
bool hp_case_threshold_one_way(const hp_initial *o, int a, int b);

/* Reports depths of datum and contact more than 100 km from their cells: HP_ERR_DECK. */
hp_status hp_case_check_equilibria(const hp_case *c, hp_diag *diag) HP_MUST_USE;

/* Computes *top [nregion] (HP_ALLOC), the highest depth [m] in each equilibrium where a saturation of an active cell is
 * computed; INFINITY if there is none. All ranks call. cell, NULL or [nregion]: where that is, of the cells held here; -1. */
hp_status hp_case_equilibrium_tops(const hp_case *c, double **top, int64_t *cell) HP_MUST_USE;

/* HP_ERR_WHOLE if cells of one region, spread over ranks, have several pvt. */
hp_status hp_case_check_spread_equilibria(const hp_case *c) HP_MUST_USE;

/* Notes values that look like another unit, and other slips in a deck that can be run. */
hp_status hp_case_note_slips(const hp_case *c, hp_diag *diag) HP_MUST_USE;

hp_status hp_case_mean_nodes(const hp_case *c, hp_case_nodes *out) HP_MUST_USE;
void hp_case_nodes_clear(hp_case_nodes *nodes);
/* Makes out; count_only: without numbers and places. */
hp_status hp_case_split_nodes(const hp_case *c, bool count_only, hp_case_split *out) HP_MUST_USE;
/* Fills place [count][3] for those of nodes first .. first + count - 1 of c->facts that this rank has. */
void hp_case_split_places(const hp_case *c, int64_t first, int64_t count, double *place);
void hp_case_split_clear(hp_case_split *S);
/* The depths of the top and the bottom of the active cells held here. */
void hp_case_depths(const hp_case *c, double *top, double *bottom);

/* Fills x, y, z and rectilinear from the grid's sizes, depth and c->top (which
 * is allocated and set from the first layer when NULL). Where cells do not
 * line up, x, y, z stand at the mean sizes. */
hp_status hp_case_mesh(hp_case *c) HP_MUST_USE;

/* Cuts each cell of the case into refine[0] x refine[1] x refine[2] parts, which take the cell's values (given pore
 * volumes in equal shares or by the volume of corners); multipliers of a face stay at that face. A perforation becomes
 * those of the middle sub-cells along the bore (of an even number across, the one before the middle); its given factor
 * or Kh is divided between them, and bottom-hole pressures keep their depth. Reports what cannot be refined:
 * HP_ERR_DECK. */
hp_status hp_case_refine(hp_case *c, hp_diag *diag) HP_MUST_USE;

/* A connection of cell a's face towards +d with cell b's towards -d; d -1: through no face. A rank has those that begin
 * in its own cells, and given ones in cells of the plane behind (hp_case_keep_links). */
typedef struct hp_case_link {
  int64_t a, b; /* a < b */
  int d;
  uint32_t order; /* place in a list before it is sorted */
  double trans;   /* [m3] */
} hp_case_link;

typedef struct hp_case_links {
  int64_t count;
  hp_case_link *at;
} hp_case_links;

hp_status hp_case_link_add(hp_case_links *l, const hp_case_link *one) HP_MUST_USE;
void hp_case_links_clear(hp_case_links *l);

/* Computes depths of a corner-point grid (coord, zcorn), and pore volumes and transmissibilities where porv and tran
 * are NAN. Overlapping cells of neighbouring columns with different k go to `links` (unless NULL), without multipliers.
 * Corners closer than `tolerance` of a cell's thickness match. */
#define HP_CASE_MATCH 1e-4
hp_status hp_case_fill_corners(hp_case *c, double tolerance, hp_case_links *links) HP_MUST_USE;
/* The half transmissibility [m3] of cell m's face towards +d (upper) or -d. */
double hp_case_corner_half(const hp_case *c, int64_t m, int d, bool upper);
hp_corners hp_case_corners(const hp_case *c);
/* The transmissibility [m3], multiplier included, of cell m's face towards +d from its corners; NAN if there is
 * none. */
double hp_case_corner_trans(const hp_case *c, int64_t m, int d);

/* True if two wells cannot both be in a result file, where '/' in a name is '_' (hp_h5_name). */
bool hp_case_names_clash(const char *a, const char *b);

/* Drops controls at the end of the run or later, with a note. */
void hp_case_drop_late(hp_case *c, hp_diag *diag);

enum { HP_CASE_WHY = 512 };
/* Writes why a control cannot have the tubing-head pressure or the table that it has to `why`, or "". */
void hp_case_lift_fault(const hp_case *c, const hp_well_control *k, char why[HP_CASE_WHY]);
/* Writes a well's fault to `why`, or "": a path that meets no active cell, or no positive well index (checked if
 * `bore`: radius, skin and the grid's permeabilities are sound). */
hp_status hp_case_well_fault(const hp_grid *g, const hp_well_spec *w, bool bore, char why[HP_CASE_WHY]) HP_MUST_USE;

/* ---- quantities and actions: io/case/actions.c ---- */

/* The number of a quantity, from 0; -1: there is none. */
int hp_case_quantity(const hp_case *c, const char *name);
/* The table of a name; NULL: there is none. */
const hp_quantity_table *hp_case_quantity_table(const hp_case *c, const char *name);
/* The number of a sound name, which is there from now on. HP_ERR_DECK: there are too many. */
hp_status hp_case_quantity_add(hp_case *c, const char *name, int *quantity) HP_MUST_USE;

/* Add an entry or an action behind those of its time; the case owns what it points to from then on. */
hp_status hp_case_quantity_entry_add(hp_case *c, const hp_quantity_entry *e) HP_MUST_USE;
hp_status hp_case_action_add(hp_case *c, const hp_action *a) HP_MUST_USE;
/* Whether anything of these is there. */
bool hp_case_has_actions(const hp_case *c);

/* Calls visit for every expression and condition of the case, until it says false. */
void hp_case_each_expression(const hp_case *c, void *arg, bool (*visit)(void *arg, const hp_expression *x));

/* Reports quantities that the case does not have, and what is not a value of its quantity. Notes names that mean no well or group. */
void hp_case_check_actions(const hp_case *c, hp_diag *diag);

void hp_case_actions_clear(hp_case *c);

HP_EXTERN_C_END

#endif
