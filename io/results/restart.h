/* State from which a run goes on after a report step with the same bits.
 *
 *     sim/checkpoint/checkpoint.c   gathers it from a run, puts it into a run
 *     io/results/restart.c          NAME.steps/restart_000012.h5, which holds it
 *     io/results/fingerprint.c      what must not differ in the deck of the run that goes on
 *     io/results/continue.c         the result files that a continued run goes on with
 *
 * Report steps of Eclipse are apart: io/eclipse/restart reads them, io/results/eclipse/restart.c writes them.
 *
 * What stands in the rows is known to sim/checkpoint/checkpoint.c alone; here they are tables of numbers with the names of
 * their columns.
 */
#ifndef HP_IO_RESULTS_RESTART_H
#define HP_IO_RESULTS_RESTART_H

#include "core/ranks/ranks.h"
#include "io/files/remote.h"
#include "io/results/output.h"

HP_EXTERN_C_BEGIN

/* X(NAME, dataset): the run and its error in time (one row each, the second not always), its wells and perforations,
 * those of the run's first linear system, its aquifers and numerical aquifers, its groups, quantities and actions. */
#define HP_RESTART_TABLE_LIST(X)       \
  X(RUN, "run")                        \
  X(TIME_ERROR, "time_error")          \
  X(WELLS, "wells")                    \
  X(PERFS, "perforations")             \
  X(FIRST_WELLS, "first_wells")        \
  X(FIRST_PERFS, "first_perforations") \
  X(SEGMENTS, "segments")              \
  X(FIRST_SEGMENTS, "first_segments")  \
  X(AQUIFERS, "aquifers")              \
  X(NUMERICAL, "numerical_aquifers")   \
  X(GROUPS, "groups")                  \
  X(ACTIONS, "actions")

typedef enum {
#define HP_RESTART_TABLE_ENUM(name, dataset) HP_RESTART_##name,
  HP_RESTART_TABLE_LIST(HP_RESTART_TABLE_ENUM)
#undef HP_RESTART_TABLE_ENUM
      HP_RESTART_TABLES
} hp_restart_table;

typedef struct hp_restart_rows {
  int64_t nrow;
  int ncolumn;
  const char *columns; /* their names, separated by spaces */
  double *value;       /* [nrow][ncolumn] */
} hp_restart_rows;

/* A part of the deck and a number made of all that it says. */
typedef struct hp_fingerprint {
  char of[96];
  uint64_t value;
} hp_fingerprint;

typedef struct hp_restart {
  char *base; /* of the result that it was read from; NULL: of a run */
  int step;
  double time; /* [s] */
  int64_t ncell;
  void *cell[HP_STATES];   /* by hp_array; NULL: there is none */
  const hp_remote *remote; /* by several ranks, to be written: all of these, whose pointers are NULL; else NULL */
  int size[3];             /* remote: nx, ny, nz */
  hp_arrays has;           /* with remote; of the file */
  hp_h5 *file;             /* it was read from, which has the cells; NULL: of a run */
  hp_restart_rows rows[HP_RESTART_TABLES];
  int nfingerprint;
  hp_fingerprint *fingerprint; /* [nfingerprint] of what must not differ in the deck that goes on */
  char
      *changes; /* NULL or "": none; lines "TIME in s, what a run that is steered has been told" (sim/run/steering.h) */
} hp_restart;

/* The arrays of restart data of a run's steps; `shown`: those that are shown, too. */
hp_arrays hp_restart_arrays(const hp_case *c, bool shown);

void hp_restart_clear(hp_restart *r);
void hp_restart_clear_cells(hp_restart *r); /* its arrays of cells alone, and their file */

/* Into `to`, all zero or an earlier copy of the same run, whose memory is taken again. Without the base. */
hp_status hp_restart_copy(const hp_restart *from, hp_restart *to) HP_MUST_USE;

/* The step `step` of the result NAME, a number or a date (io/date.h), the latest that can be continued from if NULL; the cells stay
 * in its file, which is open until they are cleared. HP_ERR_USAGE: there is none such, and which there are; HP_ERR_FILE: it cannot
 * be read. */
hp_status hp_restart_read(const char *name, const char *step, hp_restart *out) HP_MUST_USE;

/* A report step whose fields are all there is. */
typedef struct hp_reported {
  int step;
  double time, dt; /* [s] dt: the time step that ended there; 0: not known */
  bool kept;       /* there are restart data, too */
  double *p, *s;   /* [ncell] in cell order, as they are shown [Pa], [-] */
  bool *shut;      /* [c->nwell] wells that stood still in that time step, by the summary */
} hp_reported;

/* Finds a report step of the result NAME, given as above, NULL: the latest. out->p, s and shut are NULL. HP_ERR_USAGE: there is none
 * such. */
hp_status hp_reported_find(const char *name, const char *step, hp_reported *out) HP_MUST_USE;
/* Reads dt, p, s and shut. HP_ERR_USAGE: they are not those of the case, or damaged. */
hp_status hp_reported_read(const char *name, const hp_case *c, hp_reported *out) HP_MUST_USE;
void hp_reported_clear(hp_reported *r);

/* Collective: what rank 0 has read becomes all ranks', but for its cells, which stay in the file. */
hp_status hp_restart_share(hp_ranks *K, hp_restart *r) HP_MUST_USE;

/* Numbers of cells of such a file, as hp_remote_source has them. HP_ERR_USAGE: they cannot be read, or are damaged. */
hp_status hp_restart_read_cells(const hp_restart *r, hp_array array, int64_t first, int64_t count,
                                double *to) HP_MUST_USE;
/* Reads all of them once, some at a time. */
hp_status hp_restart_try_cells(const hp_restart *r) HP_MUST_USE;

/* Writes it, or keeps a copy until the master comes to name its step (output.refresh): of steps that follow each other
 * fast only the latest get a file. To be called before hp_output_fields of the same step. */
hp_status hp_output_restart(hp_output *o, const hp_restart *r) HP_MUST_USE;

/* Begins as hp_output_begin, with the rows of the tables up to from->step. Where base
 * and from->base are the same files, the report steps stay too (*in_place);
 * there must be none after from->step. HP_ERR_USAGE: there are, or what has been
 * written so far cannot be read; nothing is touched. */
hp_status hp_output_continue(int nwell, const hp_well_path *path, const hp_restart *from, hp_output_parts parts,
                             bool *in_place, hp_output **out) HP_MUST_USE;

HP_EXTERN_C_END

#endif
