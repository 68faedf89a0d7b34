/* Result files (layout in docs/reference/output.md).
 *
 *     HP_TRY(hp_output_open(&case, argv_text, &out));      grid file, csv headers, wells
 *     hp_output_wells(out, wells);                         before a report step
 *     hp_output_fields(out, time, step, p, sw);            a report step: step file, master, xdmf2
 *     hp_output_summary(out, &row);                        a time step
 *     hp_output_solver(out, &row);
 *     HP_TRY(hp_output_close(&out));
 *
 * Each HDF5, vtp and xdmf2 file is written under a temporary name, flushed,
 * synced and renamed; the order is step, master, xdmf2, so that a killed run
 * leaves only whole files. Master and xdmf2, which name all report steps so
 * far, are written beside the run, at most every output.refresh seconds, and at
 * the end (io/results/publish.c).
 */
#ifndef HP_IO_RESULTS_OUTPUT_H
#define HP_IO_RESULTS_OUTPUT_H

#include "grid/partition.h"
#include "io/case/case.h"
#include "io/case/rows.h"
#include "io/files/remote.h"
#include "io/files/text.h"
#include "wells/wells.h"

HP_EXTERN_C_BEGIN

typedef struct hp_output hp_output;

typedef struct hp_solver_row {
  int step;                               /* time step, from 1 */
  double time, dt;                        /* [s] */
  int newton, linear;                     /* iterations of the accepted attempt */
  int cuts, wasted_newton, wasted_linear; /* failed attempts before it */
  const char *why;                        /* why the last cut, "" if none */
  double mb[HP_PHASES], cnv[HP_PHASES];
  double correction[HP_PHASES]; /* of the field's totals of production so far, for the error in time, in them [m3] */
  double seconds_assembly, seconds_setup, seconds_solve, seconds_wells, seconds_output;
} hp_solver_row;

/* The columns of each rank (grid/partition.h), for the field `rank`. */
typedef struct hp_output_parts {
  int ranks; /* 0 or 1: there is no such field */
  const hp_box *box;
} hp_output_parts;

/* Checks that result files can have this path (without extension): HP_ERR_USAGE with the reason if not. */
hp_status hp_output_check_name(const char *base) HP_MUST_USE;

/* Creates the files of a run. base: path without extension. */
hp_status hp_output_open(const hp_case *c, const char *base, const char *command_line, int nwell,
                         const hp_well_path *path, hp_output **out) HP_MUST_USE;

/* Sets the threads that pack fields, the caller's included (default 1). The files are the same. */
void hp_output_use_threads(hp_output *o, int threads);

/* hp_output_open in two parts: data that do not change, in memory or in files under temporary names; then all files.
 * Between them *out can be given up, which leaves the files of an earlier run untouched. remote fetches the cells of a
 * case spread over ranks; NULL: they are here. */
hp_status hp_output_prepare(const hp_case *c, const char *base, const char *command_line, int nwell,
                            const hp_well_path *path, const hp_remote *remote, hp_output **out) HP_MUST_USE;
hp_status hp_output_begin(int nwell, const hp_well_path *path, hp_output_parts parts, hp_output **out) HP_MUST_USE;
void hp_output_give_up(hp_output **out);
/* Whether an earlier result of the name was removed for this one. */
bool hp_output_replaces(const hp_output *o);

/* Fetches later fields that are NULL from several ranks. */
void hp_output_use_remote(hp_output *o, const hp_remote *remote);
/* True once if rank 0 writes for all; *rank says why (hp_remote.blind). */
bool hp_output_finds_blind(hp_output *o, int *rank);

/* Sets the initial state for output.eclipse: thresholds between the case's regions, borrowed until o is closed, and the
 * oil of regions; NULL: none. */
hp_status hp_output_use_start(hp_output *o, const double *threshold, const hp_region_row *region) HP_MUST_USE;

/* Gives output.eclipse the arrays of HP_DERIVED_LIST [HP_DERIVED][ncell] of each report step, and the flows of connections, whose
 * numbers are those of the state at that time; borrowed until o is closed. */
void hp_output_use_derived(hp_output *o, double *const *array, const hp_link_flow *link);

/* A field beside pressure and saturations, of a result that is no run's (sim/diagnose). */
typedef struct hp_output_field {
  const char *name, *unit; /* letters, digits, '_', '-' and '.' */
  const float *value;      /* [ncell] in cell order */
  bool whole;              /* they are whole numbers, and are written as such */
} hp_output_field;

/* Gives report steps these fields, too, and what tables(arg, h) writes into each step's file, before hp_output_begin; there are no
 * tables of time steps. All is borrowed until o is closed. */
struct hp_h5;
void hp_output_use_more(hp_output *o, int count, const hp_output_field *field,
                        hp_status (*tables)(const void *arg, struct hp_h5 *h), const void *arg);

/* Fields of a report step: p [Pa] and sw [-], [ncell] in cell order. */
hp_status hp_output_fields(hp_output *o, double time, int step, const double *p, const double *sw) HP_MUST_USE;
/* Takes the present wells for the next report step; only output.eclipse needs them. */
hp_status hp_output_wells(hp_output *o, const hp_wells *wells) HP_MUST_USE;
/* Logs of the wells that were taken last; due [nwell]: bits of hp_rft_due; cell [perforations]. Only output.eclipse has them. */
hp_status hp_output_rft(hp_output *o, double time, const unsigned *due, const hp_cell_row *cell) HP_MUST_USE;
/* The number of the vectors on demand, and their values of a row that is written later than its arrays are there. */
int hp_output_vectors(const hp_output *o);
void hp_output_values(hp_output *o, const hp_summary_row *row, double *value);
hp_status hp_output_summary(hp_output *o, const hp_summary_row *row) HP_MUST_USE;
hp_status hp_output_solver(hp_output *o, const hp_solver_row *row) HP_MUST_USE;
/* Sets what is said about the run, for the master whenever it is written; borrowed until o is closed. */
void hp_output_use_said(hp_output *o, const hp_text *said);

/* Names in the master what has been written so far, for readers of a run that waits. */
hp_status hp_output_show(hp_output *o) HP_MUST_USE;

/* Writes /summary and /solver into the master and closes all files, also those of a failed run. */
hp_status hp_output_close(hp_output **o) HP_MUST_USE;

/* The number of report steps of a whole run, the initial state included. */
int hp_output_steps(const hp_case *c);

/* The most bytes of restart data for report steps that the master does not name yet; beside: bytes of one of them
 * without its cells. */
int64_t hp_output_held_bytes(const hp_case *c, int64_t beside);

/* Memory of a whole run's output without its fields [bytes]. */
typedef struct hp_output_memory {
  int64_t open;    /* before the first row */
  int64_t held;    /* at the end, the tables included */
  int64_t writing; /* beside what is held: the master and the xdmf2, before they are on the disk */
  int64_t row;     /* of one more time step */
} hp_output_memory;

/* Measures the output of so many time steps by making it in memory. */
hp_status hp_output_measure_memory(const hp_case *c, int nwell, const hp_well_path *path, int64_t rows,
                                   hp_output_memory *out) HP_MUST_USE;

/* The bytes for packing the fields of a report step in so many threads. */
int64_t hp_output_packing_bytes(const hp_case *c, int threads);

/* Choices of the script for ParaView; zeros mean the defaults. */
typedef struct hp_view {
  const char *field;   /* array by which cells are coloured; NULL: sw */
  double exaggeration; /* of depth; 0: such that the picture is about a third as high as it is wide */
  double opacity;      /* of the cells, up to 1; 0: 1 */
  bool above;          /* seen from above, as a map */
  bool has_low, has_high;
  double low, high; /* only cells whose values, in the unit that is shown, lie between */
  char section;     /* 'i', 'j', 'k': the cells before those of `number` are cut away; 0: none */
  int64_t number;   /* from 1 */
} hp_view;

/* `hepta paraview`: writes the script that shows the result with the master file `result` (NAME.h5) to `script`.
 * HP_ERR_USAGE if `field` is not one of its arrays, the section is outside of its grid, or the result cannot be
 * read. */
hp_status hp_output_view(const char *result, const char *script, const hp_view *view) HP_MUST_USE;

/* Whether a file of that name exists and is not a script as hepta wrote it: edited, of an earlier version, or another
 * file. */
bool hp_output_view_is_edited(const char *script);

/* Prints connections of cells that are not neighbours, and faults [count] by name, if there are any. The first column
 * is `width` wide; thresholds are divided by `factor` and have `unit`. */
void hp_output_print_faults(const hp_connection_counts *connections, int count, const hp_case_fault *fault, int width,
                            double factor, const char *unit, FILE *f);

/* The time of a date, or months after the start, in the unit of times of the result of that master file. HP_ERR_USAGE: it has none. */
hp_status hp_output_time(const char *path, const char *date, double *time) HP_MUST_USE;

/* The deck of the result with the master file `path`, and the command that made it, "": not known; new strings. HP_ERR_USAGE: it
 * cannot be read. */
hp_status hp_output_origin(const char *path, char **deck, char **command) HP_MUST_USE;

/* `hepta info`: prints what NAME.h5 holds, last rates, solver statistics. HP_ERR_USAGE if it cannot be read. */
hp_status hp_output_info(const char *path, FILE *f) HP_MUST_USE;

/* Reads the result NAME.h5 and the files behind its links once: texts, tables and the places of fields. It runs in a
 * process of its own (sim/cli/child.h), because HDF5 may crash or never end on a damaged file. */
void hp_output_try(const char *path);

/* Verifies the checksums of the result NAME.h5, its grid file and, with `fields`, its report steps, or of another HDF5
 * file of hepta. HP_ERR_USAGE, with file and name, if one is damaged or cannot be read. *listed: it has checksums, as
 * results of this version have. */
hp_status hp_output_verify(const char *path, bool fields, bool *listed) HP_MUST_USE;

/* "host; Linux 6.1.0 x86_64; Model name of the processor; 16 processors" */
void hp_text_add_machine(hp_text *t);
/* "hepta 0.2.0; gcc 12.2.0; HDF5 1.10.8; libconfig 1.5.0; CUDA none" */
void hp_text_add_versions(hp_text *t);

HP_EXTERN_C_END

#endif
