/* Analytic aquifers: water that flows between an aquifer outside the grid and cells at its edge.
 *
 *        aquifer            faces        cells
 *     +-----------+   |  share_1  |  cell[0]
 *     | p, influx | ==|  share_2  |  cell[1]      share: influx coefficient over the sum of all, they add up to 1
 *     +-----------+   |  ...      |  ...
 *
 * Rates are of water at surface conditions, positive into the reservoir. Of connection i, with p_i the water pressure of
 * its cell, d_i the cell's depth below the aquifer's datum, rho the aquifer's water density:
 *
 *     Carter-Tracy   q_i = share_i (A_i - B (p_i - p_i(t))),  B = beta / D,  D = Tc (P(td + dtd) - td P'(td + dtd)),
 *                    A_i = (beta (p_0 + rho g d_i - p_i(t)) - W P'(td + dtd)) / D
 *     Fetkovich      q_i = share_i J (p + rho g d_i - p_i) (1 - exp(-dt/Tc)) / (dt/Tc),  p = p_0 - W / (c V_0)
 *     flux           q_i = flux * area_i
 *
 * t is the start of the step, td = t/Tc, dtd = dt/Tc, W the influx so far, P the pressure influence function, linear
 * between the rows of its table and beyond them. beta = 6.283 h theta phi c r^2, Tc = mu phi c r^2 / k (Carter-Tracy),
 * c V_0 / J (Fetkovich). Carter and Tracy (1960), Fetkovich (1971), in the form of OPM Flow 2022.10.
 *
 * hp_aquifer_spec has the deck's values, hp_aquifers the data of the team programs of physics/aquifer.inl.h.
 */
#ifndef HP_PHYSICS_AQUIFER_H
#define HP_PHYSICS_AQUIFER_H

#include "physics/reservoir.h"

HP_EXTERN_C_BEGIN

typedef enum { HP_AQUIFER_CARTER_TRACY, HP_AQUIFER_FETKOVICH, HP_AQUIFER_FLUX, HP_AQUIFER_KINDS } hp_aquifer_kind;

typedef struct hp_aquifer_spec {
  int number; /* that decks and vectors name it by, from 1 */
  hp_aquifer_kind kind;
  double datum_depth;                    /* [m] */
  double pressure;                       /* at the datum at the start [Pa]; NAN: at rest with its cells */
  double compressibility;                /* of water and rock together [1/Pa] */
  int pvt;                               /* table of its water's properties, from 0 */
  double permeability, porosity, radius; /* Carter-Tracy: [m2], [-], inner radius [m] */
  double thickness, angle;               /*   [m], share of a whole circle [-] */
  int table;                             /*   number of the pressure influence function in its deck */
  int rows;                              /*   of the pressure influence function: */
  double *td, *pd;                       /*   [rows] dimensionless time, rising, and pressure */
  double volume, productivity;           /* Fetkovich: water at the start [m3], index [m3/s/Pa] */
  double flux;                           /* flux: surface volume per area and time [m/s] */
  struct {
    double time, rate, influx; /* [s], [m3/s], [m3] of a run that begins with the state of another one; else 0 */
  } before;
  int64_t nconnection; /* where cells are spread over ranks, those of own cells */
  int64_t *cell;       /* [nconnection] each once, rising */
  double *weight;      /* [nconnection] influx coefficient with its multiplier [m2] */
  int64_t connections; /* of all ranks, */
  int64_t first;       /*   so many of them are of lower ones; */
  double total;        /* their weights in the order of cells */
} hp_aquifer_spec;

void hp_aquifer_spec_clear(hp_aquifer_spec *a);
/* Says whether its influx depends on the pressure of the cells, whose level it then sets. */
bool hp_aquifer_holds_pressure(const hp_aquifer_spec *a);

/* Results of a step, one row per aquifer. */
typedef struct hp_aquifer_state {
  double rate, influx; /* of the last step [m3/s], since the start [m3]; surface volumes into the reservoir */
  double pressure;     /* at the datum [Pa]; Carter-Tracy: that of the start; flux: 0 */
  double error;        /* in time, of the influx before it is corrected [m3] (sim/simulator/corrected.h) */
  double mobile;       /* part of the shares of connections whose water flows, 0: not known yet [-] */
} hp_aquifer_state;

typedef struct hp_aquifer {
  hp_aquifer_kind kind;
  double datum_depth, density, start_pressure; /* [m], [kg/m3], [Pa] */
  double time_constant;                        /* [s] */
  double beta;                                 /* Carter-Tracy [m3/Pa] */
  int rows;
  const double *td, *pd; /* [rows] the spec's, on the host */
  double storage;        /* Fetkovich: c V_0 [m3/Pa] */
  double productivity;   /*   [m3/s/Pa] */
  double flux;           /* flux: of all connections together [m3/s] */
} hp_aquifer;

/* Coefficients of an aquifer that depend on the length of the time step. */
typedef struct hp_aquifer_step {
  double index;            /* Fetkovich: the productivity, averaged over the step [m3/s/Pa] */
  double divisor, decline; /* Carter-Tracy: D [s], P'(td + dtd) [-] */
  double memory;           /* derivative of the rate by the influx so far [1/s] */
  /* of the error in time (sim/step/time_error.inl.h): of the change of a rate, of each rate, of the aquifer's by shares [-] */
  double lag, of_each, of_all;
  double past; /* and of a rate by the influx so far [m3/s] */
} hp_aquifer_step;

/* A device has copies of the arrays. It writes pressure, rate, error and mobile; the host changes the rest. */
typedef struct hp_aquifers {
  int count;
  hp_aquifer *aquifer;     /* [count] */
  hp_aquifer_state *state; /* [count] */
  hp_aquifer_step *step;   /* [count] hp_aquifers_set_step */
  double time;             /* [s] of all steps accepted so far */
  int64_t nrow;            /* cells that are connected, where they are spread over ranks own ones: */
  int64_t *cell;           /* [nrow] rising */
  int64_t *begin;          /* [nrow+1] their connections, by aquifer */
  int64_t nconnection;
  int32_t *of;      /* [nconnection] its aquifer */
  double *share;    /* [nconnection] [-] */
  double *pressure; /* [nrow] water pressure at the start of the step [Pa] */
  double *rate;     /* [nconnection] at the state that was assembled last [m3/s] */
  double *error;    /* [nconnection] error in time of the rate at the end of the step [m3/s] */
  double *mobile;   /* [nconnection] its share, as far as its water flows [-] */
} hp_aquifers;

/* Creates aquifers from specs, whose tables the caller keeps, and the reservoir at its initial state. *out is NULL if count is 0.
 * Collective if cells are spread over ranks. */
hp_status hp_aquifers_create(int count, const hp_aquifer_spec *spec, const hp_fluid_spec *fluid, const hp_reservoir *r,
                             hp_aquifers **out) HP_MUST_USE;
void hp_aquifers_destroy(hp_aquifers **A);

/* Prepares steps of length dt from the present state on, before each assembly. A may be NULL. */
void hp_aquifers_set_step(hp_aquifers *A, double dt);
/* Ends a step of length dt: adds the rates of the last assembly. Nothing else changes the state, so a failed step needs no
 * restoring. A may be NULL. */
void hp_aquifers_accept(hp_aquifers *A, double dt);
/* Sums A->error by aquifer [count], and A->mobile in the states. */
void hp_aquifers_errors(hp_aquifers *A, double *out);
/* The same as hp_aquifers_accept, for states that have their rates already, as with several ranks. */
void hp_aquifers_advance(hp_aquifers *A, double dt);

/* Returns the most bytes of `count` aquifers with `nconnection` connections in all. */
int64_t hp_aquifers_bytes(int count, int64_t nconnection);

HP_EXTERN_C_END

#endif
