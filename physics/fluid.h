/* A deck's fluids, saturation functions and rock, in SI units.
 *
 * These plain structs are filled by the deck readers (io/) and evaluated by the
 * point functions in physics/fluid.inl.h and physics/satfunc.inl.h.
 */
#ifndef HP_PHYSICS_FLUID_H
#define HP_PHYSICS_FLUID_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

/* Row a of a cell is the balance of phase a; unknown 0 is p, 1 is s. */
enum { HP_OIL = 0, HP_WATER = 1, HP_PHASES = 2 };
enum { HP_P = 0, HP_S = 1 };

#define HP_GRAVITY 9.80665 /* m/s2 */

/* PVTW, PVCDO: B = Bref / (1 + X + X^2/2), X = c (p - pref);
 *              mu B = muref Bref / (1 + Y + Y^2/2), Y = (c - cv)(p - pref).
 * PVDO: 1/B and 1/(mu B) linear in p between the rows, extrapolated linearly, each not below HP_TABLE_LEAST of its least
 * row. The formulas are never below a half of their values at p_ref. */
typedef struct hp_pvt_spec {
  double density;                                   /* at surface conditions [kg/m3] */
  double p_ref, b_ref;                              /* reference pressure [Pa], formation volume factor there [-] */
  double compressibility, viscosity, viscosibility; /* [1/Pa], [Pa s] at p_ref, [1/Pa] */
  int rows;                                         /* > 0: the table replaces the five numbers above */
  double *p, *b, *mu; /* [rows] pressure [Pa] rising, B [-] not rising, viscosity [Pa s] */
} hp_pvt_spec;

/* X(NAME, "deck name", its function in physics/satfunc.inl.h) of the formulas. */
#define HP_SAT_FORMULA_LIST(X)                            \
  X(COREY, "corey", hp_sat_corey)                         \
  X(BROOKS_COREY, "brooks-corey", hp_sat_brooks_corey)    \
  X(VAN_GENUCHTEN, "van-genuchten", hp_sat_van_genuchten) \
  X(LET, "let", hp_sat_let)

typedef enum {
  HP_SAT_TABLE,
#define HP_SAT_ENUM(name, text, f) HP_SAT_##name,
  HP_SAT_FORMULA_LIST(HP_SAT_ENUM)
#undef HP_SAT_ENUM
      HP_SAT_COUNT
} hp_sat_model;

/* Parameters of the formulas, members of hp_sat_spec and keys of decks: X(key, quantity, range, default, formulas that have it,
 * what it is). */
#define HP_SAT_OF(name) (1u << HP_SAT_##name)
#define HP_SAT_OF_ALL ((1u << HP_SAT_COUNT) - 1u - HP_SAT_OF(TABLE))
#define HP_SAT_PARAMETER_LIST(X)                                                                        \
  X(swc, NONE, "0..1", "0", HP_SAT_OF_ALL, "connate water, residual oil; swc + sor < 1")                \
  X(sor, NONE, "0..1", "0", HP_SAT_OF_ALL, "connate water, residual oil; swc + sor < 1")                \
  X(krw_max, NONE, "> 0, <= 1", "1", HP_SAT_OF_ALL, "krw at 1 - sor, kro at swc")                       \
  X(kro_max, NONE, "> 0, <= 1", "1", HP_SAT_OF_ALL, "krw at 1 - sor, kro at swc")                       \
  X(sw_max, NONE, "0..1", "1", HP_SAT_OF_ALL,                                                           \
    "formulas: water saturation below the transition zone; at least 1 - sor")                           \
  X(krw_full, NONE, "> 0, <= 1", "krw_max", HP_SAT_OF_ALL, "formulas: krw at sw_max; at least krw_max") \
  X(nw, NONE, ">= 1", "2", HP_SAT_OF(COREY), "corey: exponents of krw, kro")                            \
  X(no, NONE, ">= 1", "2", HP_SAT_OF(COREY), "corey: exponents of krw, kro")                            \
  X(lambda, NONE, "> 0", "required", HP_SAT_OF(BROOKS_COREY), "brooks-corey: pore size index")          \
  X(m, NONE, "> 0, < 1", "required", HP_SAT_OF(VAN_GENUCHTEN), "van-genuchten: exponent m = 1 - 1/n")   \
  X(lw, NONE, ">= 1", "required", HP_SAT_OF(LET), "let: L of water")                                    \
  X(ew, NONE, "> 0", "required", HP_SAT_OF(LET), "let: E, T of water")                                  \
  X(tw, NONE, "> 0", "required", HP_SAT_OF(LET), "let: E, T of water")                                  \
  X(lo, NONE, ">= 1", "required", HP_SAT_OF(LET), "let: L of oil")                                      \
  X(eo, NONE, "> 0", "required", HP_SAT_OF(LET), "let: E, T of oil")                                    \
  X(to, NONE, "> 0", "required", HP_SAT_OF(LET), "let: E, T of oil")                                    \
  X(pc_entry, PRESSURE, ">= 0", "0", HP_SAT_OF_ALL,                                                     \
    "pc at swc (corey, let), entry pressure (brooks-corey), 1/alpha (van-genuchten)")                   \
  X(npc, NONE, "> 0", "2", HP_SAT_OF(COREY) | HP_SAT_OF(LET), "corey, let: exponent of pc")             \
  X(pc_max, PRESSURE, "> 0", "", HP_SAT_OF(BROOKS_COREY) | HP_SAT_OF(VAN_GENUCHTEN),                    \
    "brooks-corey, van-genuchten: largest pc; required with pc_entry > 0")

/* Relative permeability and capillary pressure (oil minus water) of s = S_w.
 * Analytic models use e = (s - swc) / (1 - swc - sor) clipped to 0..1:
 *   Corey          krw = krw_max e^nw, kro = kro_max (1-e)^no, pc = pc_entry (1-e)^npc
 *   Brooks-Corey   krw = krw_max e^((2+3 lambda)/lambda), kro = kro_max (1-e)^2 (1 - e^((2+lambda)/lambda)),
 *                  pc = pc_entry e^(-1/lambda)
 *   van Genuchten  krw = krw_max e^(1/2) (1 - (1 - e^(1/m))^m)^2, kro = kro_max (1-e)^(1/2) (1 - e^(1/m))^(2m),
 *                  pc = pc_entry (e^(-1/m) - 1)^(1-m)        (pc_entry = 1/alpha as a pressure)
 *   LET            krw = krw_max e^Lw / (e^Lw + Ew (1-e)^Tw), kro = kro_max (1-e)^Lo / ((1-e)^Lo + Eo e^To),
 *                  pc = pc_entry (1-e)^npc
 * Unbounded pc is cut at pc_max. From 1 - sor, the end of the transition zone, to sw_max, the water zone, no oil flows
 * and krw goes on straight from krw_max to krw_full (0: krw_max); pc stays what it is at 1 - sor, and beyond sw_max all do. */
typedef struct hp_sat_spec {
  hp_sat_model model;
  int rows;
  double *s, *krw, *kro, *pc; /* [rows] table: s rising, krw not falling, kro and pc not rising; pc [Pa] */
#define HP_SAT_MEMBER(key, quantity, range, fallback, of, what) double key; /* in SI */
  HP_SAT_PARAMETER_LIST(HP_SAT_MEMBER)
#undef HP_SAT_MEMBER
  double swatinit_pc_max; /* [Pa] what SWATINIT may scale the pc of swl to; 0: anything */
  bool swatinit_swl;      /*   where it would be more: swl becomes the saturation asked for; else pc this */
} hp_sat_spec;

/* Curves over pressure whose last rows, straight on, lead to 0 and below (1/B, 1/(mu B), pore volume) are held at this share
 * of their least row: a cell keeps a volume, and what is in it can flow. */
#define HP_TABLE_LEAST 0.1

/* phi = phi_ref (1 + X + X^2/2), X = c (p - p_ref); with a table (physics/compaction.h) times its multiplier. */
typedef struct hp_rock_spec {
  double p_ref, compressibility; /* [Pa], [1/Pa] */
  int rows;                      /* > 0: a table: */
  int columns;                   /*   0: it has no transmissibility; 1: one; 3: along x, y, z */
  bool irreversible;             /*   it is entered with the lowest pressure so far */
  double *p, *pv;                /*   [rows] pressure [Pa] rising, multiplier of the pore volume [-] */
  double *trans[3];              /*   [columns][rows] multipliers of the transmissibility [-] */
} hp_rock_spec;

/* X(NAME, key): end points that cells may have of their own; the saturation functions are stretched to them. */
#define HP_END_LIST(X)                                                         \
  X(SWL, "swl")     /* connate water saturation */                             \
  X(SWCR, "swcr")   /* highest water saturation where water does not flow */   \
  X(SWU, "swu")     /* highest water saturation */                             \
  X(SOWCR, "sowcr") /* highest oil saturation where oil does not flow */       \
  X(KRW, "krw")     /* krw at SWU; of a formula at 1 - SOWCR */                \
  X(KRO, "kro")     /* kro at SWL */                                           \
  X(PCW, "pcw")     /* capillary pressure at SWL, or SWLPC [Pa] */             \
  X(SWLPC, "swlpc") /* the saturation where pc begins; SWL if there is none */ \
  X(KRWR, "krwr")   /* krw of a table at 1 - SOWCR */                          \
  X(KRORW, "krorw") /* kro at SWCR */

typedef enum {
#define HP_END_ENUM(name, key) HP_END_##name,
  HP_END_LIST(HP_END_ENUM)
#undef HP_END_ENUM
      HP_ENDS
} hp_end;

/* X(NAME, "key", "keyword"): the faces through which flow leaves a cell, those towards higher numbers first, in the order of HP_DIR_*. */
#define HP_FACE_LIST(X)                  \
  X(K, "saturation_z", "KRNUMZ")         \
  X(J, "saturation_y", "KRNUMY")         \
  X(I, "saturation_x", "KRNUMX")         \
  X(K_, "saturation_z_minus", "KRNUMZ-") \
  X(J_, "saturation_y_minus", "KRNUMY-") \
  X(I_, "saturation_x_minus", "KRNUMX-")

typedef enum {
#define HP_FACE_ENUM(name, key, keyword) HP_FACE_##name,
  HP_FACE_LIST(HP_FACE_ENUM)
#undef HP_FACE_ENUM
      HP_FACES
} hp_face;

/* The face in direction d, towards lower numbers if `minus`; its direction; the face on the other side. */
HP_INLINE HP_HD int hp_face_of(int d, bool minus) { return minus ? HP_FACE_K_ + d : d; }
HP_INLINE HP_HD int hp_face_direction(int face) { return face < HP_FACE_K_ ? face : face - HP_FACE_K_; }
HP_INLINE HP_HD int hp_face_across(int face) { return face < HP_FACE_K_ ? face + HP_FACE_K_ : face - HP_FACE_K_; }

/* Hysteresis of the saturation functions: X(NAME, "deck name"), curves of a cell that takes up water again after it was drained, and
 * curves of water. */
#define HP_OIL_CURVE_LIST(X) \
  X(NONE, "none")            \
  X(CARLSON, "carlson")      \
  X(KILLOUGH, "killough")
#define HP_WATER_CURVE_LIST(X) \
  X(DRAINAGE, "drainage")      \
  X(IMBIBITION, "imbibition")

#define HP_OIL_CURVE_ENUM(name, text) HP_OIL_##name,
#define HP_WATER_CURVE_ENUM(name, text) HP_WATER_##name,
typedef enum { HP_OIL_CURVE_LIST(HP_OIL_CURVE_ENUM) HP_OIL_CURVES } hp_oil_curve;
typedef enum { HP_WATER_CURVE_LIST(HP_WATER_CURVE_ENUM) HP_WATER_CURVES } hp_water_curve;
#undef HP_OIL_CURVE_ENUM
#undef HP_WATER_CURVE_ENUM

typedef struct hp_hysteresis_spec { /* formulas: physics/hysteresis.h */
  int oil, water;                   /* hp_oil_curve of kro, hp_water_curve of krw */
  bool pc;                          /* Killough's capillary pressure */
  double curvature, trapping;       /* of pc; of trapped oil: Eclipse's items 1 and 4 of EHYSTR */
} hp_hysteresis_spec;

HP_INLINE bool hp_hysteresis_is_on(const hp_hysteresis_spec *h) {
  return h->oil != HP_OIL_NONE || h->water != HP_WATER_DRAINAGE || h->pc;
}

/* The tables of a deck, and which of them holds in a cell. Regions count from 0. */
typedef struct hp_fluid_spec {
  int nsat, npvt, nrock;               /* >= 1 of a deck that was read */
  hp_sat_spec *sat;                    /* [nsat] */
  hp_pvt_spec (*pvt)[HP_PHASES];       /* [npvt] */
  hp_rock_spec *rock;                  /* [nrock] */
  uint16_t *of_sat, *of_pvt, *of_rock; /* [ncell] the cell's region; NULL: 0 in all cells */
  uint16_t *of_imbibition;             /* [ncell] its entry of sat for imbibition; NULL: that of of_sat */
  /* [ncell] entry of sat of relative permeabilities for flow out of the cell through a face; NULL: that of the face across, if it is
   * towards higher numbers, else of of_sat */
  uint16_t *of_face[HP_FACES];
  bool by_perforation; /* perforations name entries of sat */
  hp_hysteresis_spec hysteresis;
  double *end[HP_ENDS];            /* [ncell], NAN: as in the cell's table; NULL: so in all cells */
  double *imbibition_end[HP_ENDS]; /* likewise, of its table of imbibition */
  bool three_point;                /* krw and kro meet the other phase's critical saturation too (SCALECRS) */
} hp_fluid_spec;

/* At least so many regions of each kind, new ones zeroed. The caller clears f also after a failure. */
hp_status hp_fluid_spec_grow(hp_fluid_spec *f, int nsat, int npvt, int nrock) HP_MUST_USE;

/* Whether the phase has the same volume at all pressures. */
bool hp_pvt_spec_is_rigid(const hp_pvt_spec *f);

/* An end of a curve: the pressure from which on it is held, and the one where it would be 0 [Pa]. */
typedef struct hp_table_end {
  bool rock;      /* the pore volume; else of a phase: */
  int phase;      /*   HP_OIL, HP_WATER */
  bool viscosity; /*   1/(mu B), else 1/B */
  int region;     /* of PVT, or of rock */
  bool above;     /* held at all pressures above, else below */
  double held, zero;
  bool told; /* free for the caller */
} hp_table_end;

/* All of them. Caller frees *out with HP_FREE. */
hp_status hp_fluid_spec_ends(const hp_fluid_spec *f, int *count, hp_table_end **out) HP_MUST_USE;

/* Frees the arrays inside a spec. */
void hp_fluid_spec_clear(hp_fluid_spec *f);
void hp_sat_spec_clear(hp_sat_spec *f);
/* Frees the table. */
void hp_rock_spec_clear(hp_rock_spec *f);

HP_EXTERN_C_END

#endif
