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

typedef enum {
  HP_SAT_TABLE,
  HP_SAT_COREY,
  HP_SAT_BROOKS_COREY,
  HP_SAT_VAN_GENUCHTEN,
  HP_SAT_LET,
  HP_SAT_COUNT
} hp_sat_model;

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
 * and krw goes on straight from krw_max to krw_full; pc stays what it is at 1 - sor, and beyond sw_max all do. */
typedef struct hp_sat_spec {
  hp_sat_model model;
  int rows;
  double *s, *krw, *kro, *pc;        /* [rows] table: s rising, krw not falling, kro and pc not rising; pc [Pa] */
  double swc, sor, krw_max, kro_max; /* end points [-] */
  double sw_max, krw_full;           /* of the water zone [-]; sw_max <= 1 - sor: there is none; krw_full 0: krw_max */
  double nw, no;                     /* Corey exponents */
  double lambda, m;                  /* Brooks-Corey, van Genuchten */
  double lw, ew, tw, lo, eo, to;     /* LET */
  double pc_entry, pc_max, npc;      /* [Pa], [Pa], [-] */
  double swatinit_pc_max;            /* [Pa] what SWATINIT may scale the pc of swl to; 0: anything */
  bool swatinit_swl;                 /*   where it would be more: swl becomes the saturation asked for; else pc this */
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
#define HP_END_LIST(X)                                                       \
  X(SWL, "swl")     /* connate water saturation */                           \
  X(SWCR, "swcr")   /* highest water saturation where water does not flow */ \
  X(SWU, "swu")     /* highest water saturation */                           \
  X(SOWCR, "sowcr") /* highest oil saturation where oil does not flow */     \
  X(KRW, "krw")     /* krw at SWU; of a formula at 1 - SOWCR */              \
  X(KRO, "kro")     /* kro at SWL */                                         \
  X(PCW, "pcw")     /* capillary pressure at SWL [Pa] */

typedef enum {
#define HP_END_ENUM(name, key) HP_END_##name,
  HP_END_LIST(HP_END_ENUM)
#undef HP_END_ENUM
      HP_ENDS
} hp_end;

/* The tables of a deck, and which of them holds in a cell. Regions count from 0. */
typedef struct hp_fluid_spec {
  int nsat, npvt, nrock;               /* >= 1 of a deck that was read */
  hp_sat_spec *sat;                    /* [nsat] */
  hp_pvt_spec (*pvt)[HP_PHASES];       /* [npvt] */
  hp_rock_spec *rock;                  /* [nrock] */
  uint16_t *of_sat, *of_pvt, *of_rock; /* [ncell] the cell's region; NULL: 0 in all cells */
  double *end[HP_ENDS];                /* [ncell], NAN: as in the cell's table; NULL: so in all cells */
  bool three_point;                    /* krw and kro meet the other phase's critical saturation too (SCALECRS) */
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
