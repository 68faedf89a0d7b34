/* Private to io/export/eclipse: the deck being written, its numbers, arrays and records.
 *
 *   io/export/eclipse/deck.c      the deck from top to bottom; files
 *   io/export/eclipse/numbers.c   numbers, repeat counts, files of arrays
 *   io/export/eclipse/grid.c      GRID and EDIT
 *   io/export/eclipse/faults.c    FAULTS, where SCHEDULE multiplies faces or SOLUTION has thresholds across them
 *   io/export/eclipse/fluids.c    PROPS and REGIONS
 *   io/export/eclipse/curves.c    saturation functions
 *   io/export/eclipse/start.c     SOLUTION
 *   io/export/eclipse/summary.c   SUMMARY
 *   io/export/eclipse/schedule.c  SCHEDULE: time
 *   io/export/eclipse/wells.c     where wells are
 *   io/export/eclipse/controls.c  what wells do
 *   io/export/eclipse/groups.c    groups
 */
#ifndef HP_IO_EXPORT_ECLIPSE_IMPL_H
#define HP_IO_EXPORT_ECLIPSE_IMPL_H

#include <stdio.h>

#include "io/case/case.h"

/* Faces that share a name. */
typedef struct hp_written_fault {
  char name[16];
  int64_t count;
  const int64_t *a, *b; /* [count] pairs of cells, borrowed from the case */
  int64_t *own;         /* pairs that are its own, a behind b; NULL: borrowed */
  double threshold;     /* [Pa] 0: none */
} hp_written_fault;

typedef struct hp_deck_out {
  const hp_case *c;
  hp_units units;
  hp_diag *diag;      /* notes on what is left out */
  FILE *f;            /* the deck */
  const char *path;   /* its path */
  int section;        /* number of hp_case_export_file for its arrays; 0: it has none */
  FILE *arrays;       /* long arrays of the section; NULL: none yet */
  double *natural;    /* [ncell] scratch, i fastest */
  unsigned made;      /* 1u << section: its file is there */
  hp_status status;   /* the first failure of a file of arrays */
  hp_well_spec *well; /* [nwell] those of the case, paths cut into cells */
  int nfault;
  hp_written_fault *fault;
  int *fault_of_event; /* [ntrans_event] first of the faults that it multiplies; -1: none yet */
  int *faults_of_event;
} hp_deck_out;

/* ---- numbers.c ---- */

/* Writes a blank and the number in the deck's unit, or a default (1*) for NAN. */
void hp_out_number(hp_deck_out *o, hp_quantity q, double v);
/* Writes a blank and a quoted name. */
void hp_out_name(hp_deck_out *o, const char *name);
/* Writes `count` numbers with repeat counts in lines, then a slash. */
void hp_out_list(hp_deck_out *o, hp_quantity q, int64_t count, const double *v);
/* Writes columns as rows, then a slash; column k is of quantity q[k]. */
void hp_out_table(hp_deck_out *o, int rows, int columns, const hp_quantity *q, const double *const *column);
/* Writes an array of any length in its own order; a long one into the section's file of arrays. */
void hp_out_array(hp_deck_out *o, const char *keyword, hp_quantity q, int64_t count, const double *v);
/* The same of a cell array [ncell] in cell order. */
void hp_out_cells(hp_deck_out *o, const char *keyword, hp_quantity q, const double *v);
/* The same of numbers of regions. */
hp_status hp_out_regions(hp_deck_out *o, const char *keyword, const uint16_t *of, double first) HP_MUST_USE;

void hp_out_section(hp_deck_out *o, const char *name);
/* Includes the section's file of arrays, if there is one. */
void hp_out_include(hp_deck_out *o);

/* Notes what the new deck does not say. */
void hp_out_note(hp_deck_out *o, const char *fmt, ...) HP_PRINTF(2, 3);

/* ---- the sections ---- */

hp_status hp_out_find_faults(hp_deck_out *o) HP_MUST_USE;
void hp_out_faults(hp_deck_out *o);
void hp_out_multiply_faults(hp_deck_out *o, int event);
hp_status hp_out_grid(hp_deck_out *o) HP_MUST_USE;
hp_status hp_out_edit(hp_deck_out *o) HP_MUST_USE;
bool hp_out_is_irreversible(const hp_fluid_spec *r); /* faces towards minus have tables of their own */
hp_status hp_out_fluids(hp_deck_out *o) HP_MUST_USE;
hp_status hp_out_curves(hp_deck_out *o) HP_MUST_USE;
/* Makes rows s, krw, kro, pc of the functions, one array behind the other in *out (HP_ALLOC): those of a table, or of a formula
 * with straight lines between rows that leave it by less than a hundred-thousandth. */
hp_status hp_out_curve(const hp_case *c, int region, int *rows, double **out) HP_MUST_USE;
hp_status hp_out_start(hp_deck_out *o) HP_MUST_USE;
hp_status hp_out_aquifers(hp_deck_out *o) HP_MUST_USE;
void hp_out_summary(hp_deck_out *o);
hp_status hp_out_schedule(hp_deck_out *o) HP_MUST_USE;

hp_status hp_out_find_wells(hp_deck_out *o) HP_MUST_USE;
void hp_out_wells_clear(hp_deck_out *o);
/* The control of a well at time zero. */
const hp_well_event *hp_out_first_event(const hp_case *c, int well);
/* WELSPECS of well w in group g, 0: the field. */
void hp_out_well_head(hp_deck_out *o, int w, int g);
hp_status hp_out_perforations(hp_deck_out *o) HP_MUST_USE;
hp_status hp_out_perf_event(hp_deck_out *o, const hp_perf_event *v) HP_MUST_USE;
/* Numbers of lift tables in the new deck. */
int hp_out_lift_number(const hp_case *c, int table);
void hp_out_lift_tables(hp_deck_out *o);
/* The event, where `was` holds before it, which becomes its control; first: the well has none yet. */
hp_status hp_out_control(hp_deck_out *o, const hp_well_event *v, bool first, hp_well_control *was) HP_MUST_USE;
void hp_out_group_event(hp_deck_out *o, int event);

#endif
