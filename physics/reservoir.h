/* The reservoir for the assembly: rock, fluids, cell properties and mass in place, as plain data in the team's memory.
 *
 * One Newton iteration (all team programs, physics/assembly.inl.h):
 *
 *     hp_assemble_cells     p, s -> properties, mass, accumulation part of R and J
 *       -- barrier --
 *     hp_assemble_fluxes    properties -> the six faces of each cell, row scaling
 *     hp_assemble_links     behind a barrier, if there are any: connections beyond the lattice
 *       -- barrier --       (wells add their part, wells/assembly.inl.h)
 *     hp_assemble_norms     R -> the numbers of CNV, MB, the flow norm and the worst cells
 *
 * Row R[m*2 + a] of phase a is the balance of surface volumes times B_a, a reservoir volume rate [m3/s]. J is its derivative
 * with B_a held. Columns are p [Pa] and s [-].
 */
#ifndef HP_PHYSICS_RESERVOIR_H
#define HP_PHYSICS_RESERVOIR_H

#include "grid/grid.h"
#include "grid/links.h"
#include "linsolve/matrix/gh.h"
#include "physics/arrays.h"
#include "physics/cell.inl.h"
#include "physics/compaction.h"
#include "physics/hysteresis.h"

HP_EXTERN_C_BEGIN

/* Values of `active`. A group of cells without flow to the rest, without a well and without compressibility has no pressure
 * level: one of its cells then holds its own pressure (hp_assemble_hold). */
enum { HP_CELL_INACTIVE = 0, HP_CELL_ACTIVE = 1, HP_CELL_HELD = 2 };

typedef struct hp_reservoir {
  int nx, ny, nz;
  int64_t ncell;
  hp_spread *spread; /* the grid's: arrays hold its planes; NULL: all cells */
  hp_fluid fluid;    /* of all cells; of those with region 0 where there are several */
  int nregion;
  hp_fluid *region;         /* [nregion] fluids that cells have in common; NULL: one */
  uint16_t *region_of;      /* [ncell] number in region */
  hp_sat_scale *end_points; /* [ncell] NULL: those of the tables */
  int ntable;
  hp_fluid
      *table; /* [ntable] with each of the deck's saturation functions, for what names one of them: imbibition, faces,
                      perforations; NULL: nothing does */
  double *table_store;                   /* of a device: what they are made of */
  const uint16_t *face_table[HP_FACES];  /* [ncell] number in table of relative permeabilities through a face; NULL: the
                                           cell's functions */
  bool directed;                         /* there are such, or rock tables */
  const uint8_t *active;                 /* [ncell] of the grid, or `held` */
  uint8_t *held;                         /* [ncell] the grid's with HP_CELL_HELD (hp_reservoir_hold); NULL: none is */
  const double *depth;                   /* [ncell] [m] */
  const double *pore_volume;             /* [ncell] at reference pressure [m3] */
  const double *trans[HP_DIRS];          /* [ncell] [m3] */
  hp_links links;                        /* connections beyond the lattice */
  const double *link_trans;              /* [connections] [m3] */
  const hp_grid_connections *connection; /* of the grid */
  double *variable_trans[HP_DIRS], *variable_link_trans; /* that change in the run; NULL: they are the grid's */
  int nthreshold;                                        /* regions between which there are thresholds */
  double *threshold;                                     /* [nthreshold][nthreshold] [Pa] from, to; NULL: none */
  const uint16_t *threshold_of;                          /* [ncell] region of each cell; NULL: all 0 */
  double *fault_threshold[HP_DIRS]; /* [ncell] [Pa] of the faces of trans, 0: none; NULL: no fault has one */
  double *link_threshold;           /* [connections] likewise */
  uint8_t
      *link_face; /* [connections] hp_face out of the first cell, of a part whose places do not say it; NULL: they do */
  hp_props props; /* [ncell] cell properties at the current state */
#define HP_RESERVOIR_ARRAY(name, member, type, ...) type *member; /* [ncell * numbers] NULL: the run has none */
  HP_STATE_LIST(HP_RESERVOIR_ARRAY)
  HP_WORK_LIST(HP_RESERVOIR_ARRAY)
#undef HP_RESERVOIR_ARRAY
  double total_pore_volume;  /* [m3] of the active cells, of the whole grid */
  double softness;           /* [1/Pa] compressibility that J alone has, 0: none */
  hp_compaction *compaction; /* rock tables; NULL: none */
  hp_hysteresis *hysteresis; /* of the saturation functions; NULL: none */
} hp_reservoir;

/* Norms that say whether Newton's method has converged. */
typedef struct hp_norms {
  double cnv[HP_PHASES];    /* dt max |R| / PV */
  int64_t worst[HP_PHASES]; /* the cell of that maximum, -1: none */
  double mb[HP_PHASES];     /* dt |sum R| / sum PV */
  double volume;            /* the same of both phases together */
  double flow;              /* max of sum_a |R| / what flows through the cell (hp_assemble_norms) */
  int64_t worst_flow;       /* that cell, -1: none */
} hp_norms;

/* A cell may be out of balance by this share of its pore volume in a step, however little flows through it. */
#define HP_FLOW_FLOOR 1e-7

/* The same for the volume of both phases where nothing is compressible, and the share of the flow through the cell. */
#define HP_SQUEEZE_FLOOR 6e-8
#define HP_SQUEEZE_SHARE 0.02

/* The shortest step [s] in which `softness` counts fully; in shorter ones it would be stiffer than connections. */
#define HP_SOFT_DT 8640.0

/* Share of the pore volume that is dropped at the end of a step instead of carried: the default tolerance of HP_SQUEEZE_FLOOR.
 * All cells together have no more left, and no single cell does at a time when wells may change. */
#define HP_SQUEEZE_DROP 3e-9
#define HP_SQUEEZE_ROUGH \
  6e-7 /* after a step that could not be solved better, and by a cell that holds the pressure of a closed part */

/* The numbers from which hp_norms_of computes the norms. */
typedef struct hp_norm_sums {
  double sum[HP_PHASES], largest[HP_PHASES]; /* of R; of |R| / PV, */
  int64_t worst[HP_PHASES];                  /* and the cell that has it, -1: none */
  double flow;                               /* hp_norms' flow and its cell */
  int64_t worst_flow;
} hp_norm_sums;

HP_INLINE HP_HD hp_norms hp_norms_of(const hp_norm_sums *s, double dt, double total_pore_volume) {
  hp_norms n;
  n.volume = dt * fabs(s->sum[0] + s->sum[1]) / total_pore_volume;
  n.flow = s->flow;
  n.worst_flow = s->worst_flow;
  for (int a = 0; a < HP_PHASES; ++a) {
    n.cnv[a] = dt * s->largest[a];
    n.worst[a] = s->worst[a];
    n.mb[a] = dt * (s->sum[a] < 0.0 ? -s->sum[a] : s->sum[a]) / total_pore_volume;
  }
  return n;
}

/* Builds the evaluation form of the fluids: 1/B and 1/(mu B) tables, saturation end points. */
hp_status hp_fluid_create(const hp_pvt_spec pvt[HP_PHASES], const hp_sat_spec *sat, const hp_rock_spec *rock,
                          hp_fluid *out) HP_MUST_USE;
void hp_fluid_destroy(hp_fluid *f);

/* Sets threshold pressures [n][n] between the regions `of` of the cells [Pa]. NAN stands for the largest potential difference
 * between them at the state r->p, r->s, of phases that could flow. NULL: none. */
hp_status hp_reservoir_set_thresholds(hp_reservoir *r, int n, const double *threshold, const uint16_t *of) HP_MUST_USE;

/* Sets threshold pressures [Pa] of pairs of cells a[n] < b[n], neighbours or not (of faults). The larger of these and those of
 * the regions counts. Pairs without a connection are skipped. */
hp_status hp_reservoir_set_fault_thresholds(hp_reservoir *r, int64_t count, const int64_t *a, const int64_t *b,
                                            const double *pressure) HP_MUST_USE;

/* Returns the place of the transmissibility between cells a < b, in trans[*d], or in link_trans with *d < 0; -1: there is no
 * connection. */
int64_t hp_reservoir_find_pair(const hp_reservoir *r, int64_t a, int64_t b, int *d);

/* Gives the reservoir its own transmissibilities, which can change. Call it before a backend is created. */
hp_status hp_reservoir_change_trans(hp_reservoir *r) HP_MUST_USE;
/* Multiplies those of pairs of cells a[n] < b[n], neighbours or not; pairs without a connection are skipped. */
void hp_reservoir_multiply_trans(hp_reservoir *r, int64_t count, const int64_t *a, const int64_t *b,
                                 const double *factor);

/* Says whether cells may differ: regions, end points, connections beyond the lattice, threshold pressures, aquifers, rock
 * tables, and wells with segments. Device programs are compiled several times (sim/step/cuda/kernels.cu): without
 * HP_DEVICE_DIFFER the one fluid is a constant of the launch. */
#if defined(__CUDA_ARCH__) && !defined(HP_DEVICE_DIFFER)
enum { HP_CELLS_DIFFER = 0 };
#else
enum { HP_CELLS_DIFFER = 1 };
#endif

/* Likewise, whether faces or perforations may name saturation functions (r->table): kernels with HP_DEVICE_TABLES. */
#if defined(__CUDA_ARCH__) && !defined(HP_DEVICE_TABLES)
enum { HP_TABLES_NAMED = 0 };
#else
enum { HP_TABLES_NAMED = 1 };
#endif

/* Fluids of cell m. A device with regions has `region` always, region_of only where there are several. */
HP_INLINE HP_HD const hp_fluid *hp_reservoir_fluid(const hp_reservoir *r, int64_t m) {
#if defined(__CUDA_ARCH__)
  return HP_CELLS_DIFFER ? &r->region[r->region_of == NULL ? 0 : r->region_of[m]] : &r->fluid;
#else
  return r->region == NULL ? &r->fluid : &r->region[r->region_of[m]];
#endif
}

/* Returns the rock tables, NULL: none. The result is a constant in kernels without them. */
HP_INLINE HP_HD const hp_compaction *hp_reservoir_compaction(const hp_reservoir *r) {
  return HP_CELLS_DIFFER ? r->compaction : NULL;
}

/* Returns the pore volume of cell m at p over its reference pore volume. */
HP_INLINE HP_HD hp_dual hp_reservoir_rock(const hp_reservoir *r, int64_t m, double p) {
  hp_dual rock = hp_rock_eval(&hp_reservoir_fluid(r, m)->rock, p);
  const hp_compaction *c = hp_reservoir_compaction(r);
  if (c == NULL) return rock;
  const hp_dual k = hp_compaction_volume(c, r->lowest, m, p);
  rock.d = k.v * rock.d + k.d * rock.v;
  rock.v *= k.v;
  return rock;
}

/* Says whether mobilities may differ by the face through which flow leaves a cell, likewise. */
HP_INLINE HP_HD bool hp_reservoir_is_directed(const hp_reservoir *r) {
  return HP_CELLS_DIFFER && (HP_TABLES_NAMED ? r->directed : r->compaction != NULL);
}

/* Returns the hysteresis, likewise. */
HP_INLINE HP_HD const hp_hysteresis *hp_reservoir_hysteresis(const hp_reservoir *r) {
  return HP_CELLS_DIFFER ? r->hysteresis : NULL;
}

/* Returns the numbers of cell m's scanning curves; NULL before the first step. */
HP_INLINE HP_HD const double *hp_reservoir_turn(const hp_reservoir *r, int64_t m) {
  const double *turn = r->turn != NULL ? r->turn + m * HP_TURNS : NULL;
  return turn != NULL && turn[HP_TURN_AT] == r->driest[m] ? turn : NULL;
}

/* Evaluates the saturation functions of cell m at s. */
HP_INLINE HP_HD hp_sat_value hp_reservoir_sat(const hp_reservoir *r, int64_t m, double s) {
  const hp_satfunc *f = &hp_reservoir_fluid(r, m)->sat;
  const hp_hysteresis *h = hp_reservoir_hysteresis(r);
  if (h != NULL)
    return hp_hysteresis_eval(h, f, r->end_points != NULL ? &r->end_points[m] : NULL, m, hp_reservoir_turn(r, m), s);
  if (HP_CELLS_DIFFER && r->end_points != NULL) return hp_sat_eval_scaled(f, &r->end_points[m], s);
  return hp_sat_eval(f, s);
}

/* Evaluates properties and mass of cell m at p and s. */
HP_INLINE HP_HD void hp_reservoir_eval(const hp_reservoir *r, int64_t m, double p, double s, hp_cell_props *c,
                                       hp_cell_mass *a) {
  if (HP_CELLS_DIFFER) hp_cell_eval_at(hp_reservoir_fluid(r, m), hp_reservoir_sat(r, m, s), p, s, c, a);
  else hp_cell_eval(&r->fluid, p, s, c, a);
  if (hp_reservoir_compaction(r) != NULL) hp_compaction_mass(hp_reservoir_compaction(r), r->lowest, m, p, a);
}

/* The same for what runs once a step. In a GPU's kernels of cells that differ it is a call: a copy has ten thousand instructions. */
#if defined(__CUDA_ARCH__) && defined(HP_DEVICE_DIFFER)
static __host__ __device__ __noinline__ void
#else
HP_INLINE HP_HD void
#endif
hp_reservoir_eval_once(const hp_reservoir *r, int64_t m, double p, double s, hp_cell_props *c, hp_cell_mass *a) {
  hp_reservoir_eval(r, m, p, s, c, a);
}

/* Loads the stored properties of cell m, without the rock table's effect on the mobilities. */
HP_INLINE HP_HD hp_cell_props hp_reservoir_props(const hp_reservoir *r, int64_t m) {
  return hp_props_load(&r->props, hp_reservoir_fluid(r, m), r->p, m);
}

/* Mobilities of cell m at s by relative permeabilities of entry `number` of r->table, with the cell's end points; p, pw, dpw_ds as in
 * hp_cell_props. A call: loops over faces keep their registers where no table is named. */
#if defined(__CUDACC__)
static __host__ __device__ __noinline__ hp_mobilities
#else
static __attribute__((noinline, unused)) hp_mobilities
#endif
hp_reservoir_mobilities(const hp_reservoir *r, int64_t m, int number, double s, double p, double pw, double dpw_ds) {
  const hp_fluid *own = hp_reservoir_fluid(r, m);
  const hp_satfunc *f = &r->table[number].sat;
  hp_dual b, bmuo, bmuw;
  hp_sat_value sat;
  if (r->end_points != NULL) {
    const hp_sat_scale scale = hp_sat_scale_to(&own->sat, &r->end_points[m], f);
    sat = hp_sat_eval_scaled(f, &scale, s);
  } else {
    sat = hp_sat_eval(f, s);
  }
  hp_pvt_eval(&own->phase[HP_OIL], p, &b, &bmuo);
  hp_pvt_eval(&own->phase[HP_WATER], pw, &b, &bmuw);
  return hp_mobilities_of(sat, bmuo, bmuw, dpw_ds);
}

/* Gives c, the properties of cell m at s, the mobilities of that table, unless it is the cell's own. */
HP_INLINE HP_HD void hp_reservoir_use_table(const hp_reservoir *r, int64_t m, int number, double s, hp_cell_props *c) {
  if (hp_reservoir_fluid(r, m)->sat.number != number)
    hp_cell_set_mobilities(c, hp_reservoir_mobilities(r, m, number, s, c->p, c->pw, c->dpw_ds));
}

/* Changes the mobilities of c, the properties of cell m at s, to those of flow out of it through a face (hp_face). */
HP_INLINE HP_HD void hp_reservoir_direct(const hp_reservoir *r, int64_t m, int face, double s, hp_cell_props *c) {
  if (!hp_reservoir_is_directed(r)) return;
  if (HP_TABLES_NAMED && r->face_table[face] != NULL) hp_reservoir_use_table(r, m, r->face_table[face][m], s, c);
  if (r->compaction != NULL) hp_compaction_mobility(r->compaction, r->lowest, m, hp_face_direction(face), c);
}

/* Loads the stored properties with the mobilities of flow through that face. */
HP_INLINE HP_HD hp_cell_props hp_reservoir_props_towards(const hp_reservoir *r, int64_t m, int face) {
  hp_cell_props c = hp_reservoir_props(r, m);
  hp_reservoir_direct(r, m, face, r->s[m], &c);
  return c;
}

/* Water saturations between which both phases flow in cell m, the least and largest possible ones, and hp_satfunc.s_pc_max. */
typedef struct hp_sat_range {
  double water_mobile, oil_immobile, min, max, pc_max;
} hp_sat_range;

HP_INLINE HP_HD hp_sat_range hp_reservoir_range(const hp_reservoir *r, int64_t m) {
  const hp_satfunc *f = &hp_reservoir_fluid(r, m)->sat;
  hp_sat_range range;
  range.water_mobile = f->s_water_mobile;
  range.oil_immobile = f->s_oil_immobile;
  range.min = f->s_min;
  range.max = f->s_max;
  range.pc_max = f->s_pc_max;
  if (HP_CELLS_DIFFER && r->end_points != NULL) {
    const hp_sat_scale *c = &r->end_points[m];
    range.water_mobile = c->swcr;
    range.oil_immobile = c->so;
    range.min = c->swl;
    range.max = c->swu;
    range.pc_max = -1.0;
  }
  if (hp_reservoir_hysteresis(r) != NULL)
    hp_hysteresis_range(r->hysteresis, m, hp_reservoir_turn(r, m), &range.water_mobile, &range.oil_immobile);
  return range;
}

/* Bytes of a cell's numbers of region and tables and of its end points. */
int64_t hp_reservoir_region_bytes(const hp_reservoir *r);

/* Creates end_points [ncell] with those of the tables, unless they exist. */
hp_status hp_reservoir_end_points(hp_reservoir *r) HP_MUST_USE;

/* An end point, of drainage or imbibition; HP_ENDS: none. */
typedef struct hp_end_fault {
  hp_end end;
  bool imbibition;
} hp_end_fault;

/* HP_ERR_DECK: the end points of a cell contradict each other; *fault: the one that spec gives. */
hp_status hp_end_points_check(const hp_grid *g, const hp_fluid_spec *spec, hp_end_fault *fault) HP_MUST_USE;

/* Creates a reservoir with the fluids of `spec` for grid g, whose arrays it borrows. */
hp_status hp_reservoir_create(const hp_grid *g, const hp_fluid_spec *spec, hp_reservoir **out) HP_MUST_USE;
void hp_reservoir_destroy(hp_reservoir **r);

/* The place of the pointer to an array, a < HP_CELL_ARRAYS. */
void **hp_reservoir_array(const hp_reservoir *r, hp_array a);
/* Those of DRIEST and LOWEST that it has. */
hp_arrays hp_reservoir_others(const hp_reservoir *r);
/* Allocates those of the arrays that do not exist, all 0; frees them. */
hp_status hp_reservoir_make(hp_reservoir *r, hp_arrays which) HP_MUST_USE;
void hp_reservoir_drop(hp_reservoir *r, hp_arrays which);

/* Says whether cell m holds the same volume at any pressure: its rock and its phases are incompressible. */
bool hp_reservoir_is_all_rigid(const hp_reservoir *r); /* all active cells do */

/* Groups of cells whose pressure is held. */
typedef struct hp_held {
  int64_t groups, cells;
  int64_t first, size; /* cell that is held in the first group, -1: none; how many the group has */
  const char *why;     /* nothing flows to and from it, for messages; NULL: none is held */
} hp_held;

/* Finds the groups of rigid cells at the present state that no transmissibility connects to others and that have none of the
 * cells `open` [nopen], and holds the pressure of the first cell of each. On a grid that is spread over ranks all ranks find the
 * same groups; `open` may differ. */
hp_status hp_reservoir_hold(const hp_grid *g, hp_reservoir *r, int64_t nopen, const int64_t *open,
                            hp_held *out) HP_MUST_USE;

/* The equilibrium that a run starts from, EQUIL. depth [m] positive down; pressures [Pa]. */
typedef struct hp_equilibrium {
  double datum_depth, datum_pressure; /* datum_pressure is that of oil, of water below the contact */
  double contact_depth, contact_pc;
  int accuracy;        /* 0: cell centres; -N: saturation averaged over 2N sub-layers */
  const char *file[2]; /* where the deck says the depths of datum and contact; NULL, 0: not known */
  int line[2];
} hp_equilibrium;

enum { HP_AT_DATUM = 0, HP_AT_CONTACT = 1, HP_AT_NO_LINE = -1 /* in line: nobody gave it */ };

/* A depth among contact, datum, z0 and z1, in this order, where a phase in equilibrium has no pressure, or one above
 * 1e12 Pa (thrice that in the middle of the earth); NAN: none. */
double hp_equilibrium_fault(const hp_fluid *f, const hp_equilibrium *e, double z0, double z1);

/* Fills p and s of a reservoir's cells with hydrostatic equilibrium, inactive
 * cells with the same at their depth. dz [ncell] is used with sub-layers.
 *   of      [ncell] number of each cell's region in e [count]; NULL: 0. A region
 *           takes the PVT of its first cell.
 *   water   [ncell] or NULL: water saturations that cells between the contact
 *           and the highest capillary pressure are to have; their capillary
 *           pressure is scaled so that they have it at rest (SWATINIT), within the limit
 *           of their table (hp_sat_spec). NAN: none. */
hp_status hp_equilibrate(hp_reservoir *r, int count, const hp_equilibrium *e, const uint16_t *of, const double *dz,
                         const double *water) HP_MUST_USE;

HP_EXTERN_C_END

#endif
