/* Private to the result files (io/results).
 *
 *   output.c               the object, what is written when
 *   publish.c              names of report steps, beside the run
 *   known.c                whether a file is a result, without HDF5; all of a result read once, for damaged ones
 *   summary.c              what the rows of the summary and the solver table hold
 *   grid.c, mesh.c         NAME.grid.h5     xdmf.c         NAME.xdmf2
 *   wells.c                NAME.wells.vtp   view.c         NAME.view.py
 *   memory.c               what all that takes, for `hepta check`
 *   restart.c              the state that a run goes on from     continue.c     files that it goes on with
 *   fingerprint.c          what must not differ in the deck that goes on
 *   info.c                 `hepta info`
 *   eclipse/               Eclipse's binary files (io/results/eclipse/eclipse.h)
 *
 * Files, HDF5 and tables are in io/files.
 */
#ifndef HP_IO_RESULTS_IMPL_H
#define HP_IO_RESULTS_IMPL_H

#include "io/case/vectors.h"
#include "io/files/file.h"
#include "io/files/hdf5.h"
#include "io/files/table.h"
#include "io/files/text.h"
#include "io/results/output.h"
#include "io/results/restart.h"

/* ---- summary.c ---- */

/* Creates the table with the columns of /summary or /solver; adds one row. */
hp_status hp_summary_columns(hp_table *t, const hp_units *u, const char *start, int nwell, char *const *well,
                             const hp_summary_vectors *more) HP_MUST_USE;
hp_status hp_summary_add(hp_table *t, const hp_units *u, int nwell, const hp_summary_row *row,
                         const hp_summary_vectors *more, const double *value) HP_MUST_USE;
/* The name of a control that a file has, as a text that lives as long as the program. */
const char *hp_summary_name(const char *text);
hp_status hp_solver_columns(hp_table *t, const hp_units *u, const char *start) HP_MUST_USE;
hp_status hp_solver_add(hp_table *t, const hp_units *u, const hp_solver_row *row) HP_MUST_USE;

/* ---- the object ---- */

/* X(NAME, suffix): the files of a run */
#define HP_OUTPUT_FILE_LIST(X) \
  X(MASTER, ".h5")             \
  X(GRID, ".grid.h5")          \
  X(STEPS, ".steps")           \
  X(XDMF, ".xdmf2")            \
  X(WELLS, ".wells.vtp")       \
  X(VIEW, ".view.py")          \
  X(SUMMARY, ".summary.csv")   \
  X(SOLVER, ".solver.csv")

typedef enum {
#define HP_OUTPUT_FILE_ENUM(name, suffix) HP_OUTPUT_##name,
  HP_OUTPUT_FILE_LIST(HP_OUTPUT_FILE_ENUM)
#undef HP_OUTPUT_FILE_ENUM
      HP_OUTPUT_FILES
} hp_output_file;

struct hp_ebin_out; /* io/results/eclipse/eclipse.h */
typedef struct hp_naming hp_naming;

struct hp_output {
  const hp_case *c; /* borrowed */
  int lock;         /* the folder NAME.steps, locked while this run writes; < 0: none */
  bool made_folder; /* by this run */
  bool replaces;    /* an earlier result was removed */
  bool unsynced;    /* the files of the start have their names already and are yet to be synced */
  char *path[HP_OUTPUT_FILES];
  const char *name[HP_OUTPUT_FILES]; /* path without its folder: what files say about each other */
  int nwell;
  char **well;             /* [nwell] names */
  double top, bottom;      /* [m] of the active cells */
  int nstep;               /* report steps written */
  int64_t nnode;           /* hp_case_split.count */
  double *time;            /* [nstep] [s] rising */
  int32_t *step;           /* [nstep] rising */
  double oil_at_start;     /* [m3] at surface conditions, once a row has said it; 0: not known */
  int nnamed;              /* report steps that the master names; those after them are yet to be synced */
  hp_naming *naming;       /* in hand; NULL: none */
  double published;        /* [s] of hp_now: when the last one began */
  double naming_seconds;   /* of a processor, that it took */
  struct hp_restart *held; /* [output.restart] memory for what is not written yet; NULL: none so far */
  int nheld;               /* of the latest report steps */
  int dropped;             /* report steps without what a restart needs, the first ones */
  hp_h5 grid;              /* the grid file in memory, of several ranks on the disk, until it gets its name */
  bool grid_built;         /* it is there */
  bool has_ranks;          /* /static/rank is in it */
  double *natural;         /* [nz][ny][nx] one field in the files' order, where fields are not compressed; else NULL */
  int threads;             /* that pack fields */
  const hp_remote *remote; /* where the fields of report steps are; NULL: in this process */
  bool blind_found;        /* hp_output_finds_blind has said so */
  hp_text said_before;     /* about the run that this one continues */
  const hp_text *said;     /* about this one so far; NULL: nobody keeps it */
  hp_summary_vectors vectors; /* of the summary, beside those that are always there */
  double *value;              /* [vectors.count] of a row */
  hp_table summary, solver;
  struct hp_ebin_out *eclipse; /* NULL: not asked for */
  int nmore;                   /* fields of hp_output_use_more, */
  const hp_output_field *more;
  hp_status (*tables)(const void *arg, hp_h5 *h); /* its tables; NULL: the result is a run's */
  const void *tables_arg;
};

/* output.c: names, vectors and tables without rows; no files, and no memory for a field */
hp_status hp_output_create_empty(const hp_case *c, const char *base, int nwell, const hp_well_path *path,
                                 hp_output **out) HP_MUST_USE;
void hp_output_destroy(hp_output **out);
hp_status hp_output_step_path(const hp_output *o, int step, char **path) HP_MUST_USE;
/* Contents of the master. */
hp_status hp_output_fill_master(hp_output *o, hp_h5 *h, bool with_tables) HP_MUST_USE;
/* the root attributes of the master and the grid file */
hp_status hp_output_describe(const hp_output *o, hp_h5 *h) HP_MUST_USE;
/* Remembers a report step for the master. */
hp_status hp_output_note_step(hp_output *o, double time, int step) HP_MUST_USE;
/* publish.c: the master alone, on the disk when this returns unless the files of the start are not; so are the names of all report steps, and their files */
hp_status hp_output_write_master(hp_output *o, bool with_tables) HP_MUST_USE;
hp_status hp_output_publish(hp_output *o, bool with_tables) HP_MUST_USE;
/* Begins with them beside the run, unless the last ones are not there yet or it was less than that pause [s] ago. What
 * failed beside the run is the error of the next call. */
hp_status hp_output_publish_due(hp_output *o) HP_MUST_USE;
double hp_output_pause(const hp_output *o);
/* Waits for those in hand, whatever comes of them. */
void hp_output_publish_end(hp_output *o);
/* restart.c: the file of a step in the folder `steps`; removes those that the latest steps make superfluous, once
 * the master names these */
hp_status hp_restart_path(const char *steps, int step, char **path) HP_MUST_USE;
hp_status hp_output_drop_restart(hp_output *o) HP_MUST_USE;
/* Files of what hp_output_restart only copied. */
hp_status hp_output_write_held(hp_output *o) HP_MUST_USE;
void hp_output_free_held(hp_output *o);
/* Neither a file nor a copy of it for that step any more. */
hp_status hp_output_forget_restart(hp_output *o, int step) HP_MUST_USE;
/* Syncs the one of the n-th report step if it is there and stays. */
hp_status hp_output_sync_restart(const hp_output *o, int n) HP_MUST_USE;
/* steps.c: the time [s] of a date, or of months after the start, in the result with that master. HP_ERR_USAGE: it has none. */
hp_status hp_result_time(const hp_h5 *h, const char *date, double *time) HP_MUST_USE;
/* The step `which` of the result NAME as hp_restart_read takes it, any: whether it can be gone on from or not, and its time as the
 * master has it [s]. */
hp_status hp_result_find_step(const char *name, const char *which, bool any, int *chosen, double *time) HP_MUST_USE;
/* Opens the master file of a result; any other is an error. */
hp_status hp_result_open(hp_h5 *h, const char *path) HP_MUST_USE;
/* HP_ERR_USAGE: a file of something else. */
hp_status hp_result_check(const hp_h5 *h) HP_MUST_USE;
/* Whether a number of a file is that of a time step. */
bool hp_result_is_step(double v);
/* known.c: hp_h5_verify() of the master. */
hp_status hp_result_verify(const hp_h5 *h, bool *listed) HP_MUST_USE;
/* known.c: HP_ERR_FILE if a file of a report step, or restart data, are those of another step or time [s]. */
hp_status hp_result_check_step(const hp_h5 *h, double step, double time) HP_MUST_USE;
/* known.c: the same of the file of the n-th report step behind the master's link, if it is there. */
hp_status hp_result_check_link(const hp_h5 *master, double step, double time) HP_MUST_USE;
/* known.c: whether the file, damaged or not, is the master of a result that may be replaced. HP_ERR_USAGE: it is
 * not, or is locked. */
hp_status hp_result_may_replace(const char *path) HP_MUST_USE;
/* known.c: HP_ERR_USAGE if one of the files beside the master, where there is none, is evidently not hepta's. */
hp_status hp_result_may_replace_beside(char *const path[HP_OUTPUT_FILES]) HP_MUST_USE;
/* continue.c: the tables up to a step, and where the files are the same its report steps */
hp_status hp_output_load(hp_output *o, const hp_restart *from, bool *in_place) HP_MUST_USE;
/* grid.c: the file in memory, and on the disk */
hp_status hp_output_build_grid(hp_output *o, const char *command_line, int nwell, const hp_well_path *path) HP_MUST_USE;
hp_status hp_output_add_ranks(hp_output *o, hp_output_parts parts) HP_MUST_USE; /* into that in memory */
hp_status hp_output_write_grid(hp_output *o) HP_MUST_USE;
int hp_output_grid_threads(const hp_h5 *h); /* that pack its chunks */
/* mesh.c: /grid/nodes and /grid/cells */
/* remote: where the cells are; NULL: here. */
hp_status hp_output_write_mesh(const hp_case *c, const hp_remote *remote, hp_h5 *h) HP_MUST_USE;
/* xdmf.c, wells.c, view.c */
hp_status hp_output_write_xdmf(hp_output *o) HP_MUST_USE;
/* The text of the xdmf2. */
hp_status hp_output_add_xdmf(const hp_output *o, hp_text *t) HP_MUST_USE;
/* A text as one of the files of the start. */
hp_status hp_output_put_text(const hp_output *o, const char *path, hp_text *t) HP_MUST_USE;
void hp_output_note_depths(hp_output *o);
hp_status hp_output_write_wells(hp_output *o, int nwell, const hp_well_path *path) HP_MUST_USE;
hp_status hp_output_write_view(hp_output *o) HP_MUST_USE;
/* The text of io/results/view.py, which the build makes a constant of. */
extern const char hp_output_view_script[];

#endif
