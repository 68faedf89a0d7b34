/* Private to the result files (io/results).
 *
 *   output.c        the object, what is written when
 *   file.c          names, text, whole files replaced atomically (also io/text.h)
 *   hdf5.c          checked HDF5 calls on a file that is built in memory
 *   chunks.h, .c  fields in compressed chunks
 *   hdf5_read.c          the same for reading (`hepta info`)
 *   known.c         whether a file is a result, without HDF5; all of a result read once, for damaged ones
 *   csv.c           tables: a CSV file on disk and, in the master, a group of columns
 *   summary.c          what the rows of the summary and the solver table hold
 *   grid.c, mesh.c          NAME.grid.h5     xdmf.c         NAME.xdmf2
 *   wells.c         NAME.wells.vtp        view.c         NAME.view.py
 *   memory.c           what all that takes, for `hepta check`
 *   restart.c          the state that a run goes on from     continue.c         files that it goes on with
 *   info.c          `hepta info`     io/systems/write.c, io/systems/read.c  linear systems (io/systems/system.h)
 *   output_ecl*.c   Eclipse's binary files (io/results/eclipse/eclipse.h)
 *
 * HDF5 never touches the disk when results are written: a file is built in
 * memory, and its bytes go through the one function that writes, syncs and
 * renames. So a full disk is an error of write(), not a half-open HDF5 file.
 */
#ifndef HP_IO_RESULTS_IMPL_H
#define HP_IO_RESULTS_IMPL_H

#include <hdf5.h>

#include "io/results/output.h"
#include "io/results/restart.h"
#include "io/text.h"
#include "io/vectors.h"

/* ---- file.c ---- */

/* Removes a file; one that is not there is no error. */
hp_status hp_file_remove(const char *path) HP_MUST_USE;
/* Writes all bytes to an open file / flushes it to the disk; `path` is for messages. */
hp_status hp_file_write(int fd, const char *path, const void *data, size_t size) HP_MUST_USE;
hp_status hp_file_sync(int fd, const char *path) HP_MUST_USE;

/* Whether it is for want of room (a full disk, a quota) that `path` cannot be replaced by a file of so many bytes. */
bool hp_file_lacks_room(const char *path, int64_t size);

/* Whether this process may replace what stands at `path`, and put files into `folder`; what is not there is to be made.
 * Asked before anything is removed. HP_ERR_USAGE: it may not, with the reason. */
hp_status hp_file_may_replace(const char *path) HP_MUST_USE;
hp_status hp_folder_may_write(const char *folder) HP_MUST_USE;

/* HP_ERR_FILE: another program holds a lock on the file. */
hp_status hp_file_locked(const char *path) HP_MUST_USE;

/* Makes `folder` if it is missing (*made), and locks it for as long as *fd is open; HP_ERR_USAGE: somebody else has. */
hp_status hp_folder_lock(const char *folder, int *fd, bool *made) HP_MUST_USE;
hp_status hp_folder_unlock(const char *folder, int *fd) HP_MUST_USE;
/* Removes what an earlier run left in `folder`: files of steps after `last`, and temporaries. */
hp_status hp_folder_clear(const char *folder, int last) HP_MUST_USE;

/* ---- hdf5.c ---- */

/* Types in the file and, in brackets, of the array that the caller passes. */
typedef enum {
  HP_H5_F32, /* [double] */
  HP_H5_F64, /* [double] */
  HP_H5_I32, /* [int32_t] */
  HP_H5_U8   /* [uint8_t] */
} hp_h5_type;

typedef struct hp_h5 {
  hid_t file;       /* < 0: none */
  hid_t plain;      /* while writing: how a contiguous dataset is created, 0: none */
  hid_t text;       /* and a text of variable length; a file has hundreds of both */
  const char *path; /* borrowed */
  int compression;  /* gzip level of fields, 0: none */
} hp_h5;

/* HDF5's type of the caller's array. */
hid_t hp_h5_memory_type(hp_h5_type type);

/* The failure of the latest HDF5 call on `h`, with HDF5's own reason. */
hp_status hp_h5_fail(const hp_h5 *h, const char *what) HP_MUST_USE;

/* A new file in memory that hp_h5_commit puts at `path`. Also ends HDF5's printing of its own error messages:
 * they come back through hp_fail. */
hp_status hp_h5_create(hp_h5 *h, const char *path, int compression) HP_MUST_USE;
/* Writes the file atomically and closes it; it is closed in any case. hp_h5_place: as hp_file_place, without
 * syncs. */
hp_status hp_h5_commit(hp_h5 *h) HP_MUST_USE;
hp_status hp_h5_place(hp_h5 *h) HP_MUST_USE;
/* Bytes of the file as it would be written now. */
hp_status hp_h5_size(hp_h5 *h, int64_t *size) HP_MUST_USE;
/* Closes without writing; nothing to do for a file that is closed. */
void hp_h5_discard(hp_h5 *h);

hp_status hp_h5_group(hp_h5 *h, const char *name) HP_MUST_USE;
/* data [dims[0]]..[dims[rank-1]], contiguous in the file; unit may be NULL. */
hp_status hp_h5_array(hp_h5 *h, const char *name, hp_h5_type type, int rank, const int64_t *dims, const void *data,
                      const char *unit) HP_MUST_USE;
/* data [nz][ny][nx], in chunks of about 262144 cells with shuffle and gzip. */
hp_status hp_h5_field(hp_h5 *h, const char *name, hp_h5_type type, const int dims[3], const void *data,
                      const char *unit) HP_MUST_USE;

/* A field and where its numbers come from. */
typedef struct hp_h5_source {
  const char *name, *unit; /* unit may be NULL */
  const void *data;        /* [nz][ny][nx], or as by_cell says */
  bool by_cell;            /* doubles in the order of the cells, k fastest, then j, then i */
  bool less_one;           /* 1 - data is meant; of doubles by cell */
  int tail;                /* > 1: dims[2] counts so many numbers for each cell or node, a last axis of the dataset */
  /* Not NULL: makes the n numbers from `from` on, a multiple of tail, of the row k, j from data: int32_t or double. */
  void (*row)(const void *data, int k, int j, int64_t from, int64_t n, void *to);
} hp_h5_source;

/* `count` such fields of one tail, one after the other; `threads` pack their chunks at the same time. The file's bytes
 * do not depend on how many. More than one: memory for all packed chunks. */
hp_status hp_h5_fields(hp_h5 *h, int count, const hp_h5_source *field, hp_h5_type type, const int dims[3],
                       int threads) HP_MUST_USE;
/* Bytes that it takes for that. */
int64_t hp_h5_fields_bytes(int count, hp_h5_type type, const int dims[3], int threads);
/* [count] strings, of the length of the longest; NULL: empty. */
hp_status hp_h5_strings(hp_h5 *h, const char *name, int64_t count, const char *const *text) HP_MUST_USE;
/* Attributes of `object`. Texts have variable length, so that a deck of megabytes fits. */
hp_status hp_h5_text(hp_h5 *h, const char *object, const char *name, const char *value) HP_MUST_USE;
hp_status hp_h5_number(hp_h5 *h, const char *object, const char *name, double value) HP_MUST_USE;
hp_status hp_h5_integer(hp_h5 *h, const char *object, const char *name, int64_t value) HP_MUST_USE;
/* Link `name` to `object` of the file `target` (relative to this file's folder). */
hp_status hp_h5_link(hp_h5 *h, const char *name, const char *target, const char *object) HP_MUST_USE;

/* ---- hdf5_read.c ---- */

hp_status hp_h5_open(hp_h5 *h, const char *path) HP_MUST_USE;
/* The same for the master file of a result; any other is an error. */
hp_status hp_h5_open_result(hp_h5 *h, const char *path) HP_MUST_USE;
/* Where nothing is written, what cannot be read is a mistake in the command line: HP_ERR_USAGE for HP_ERR_FILE. */
hp_status hp_h5_as_usage(hp_status s) HP_MUST_USE;
/* Whether an object stands at `name`; a link whose file is missing counts as none. */
bool hp_h5_exists(const hp_h5 *h, const char *name);
/* A whole dataset in row order, to be freed with HP_FREE. */
hp_status hp_h5_read(const hp_h5 *h, const char *name, double **data, int64_t *count) HP_MUST_USE;
/* HP_ERR_FILE unless the dataset holds `count` numbers of that type, and the file their bytes. */
hp_status hp_h5_check_count(const hp_h5 *h, const char *name, hp_h5_type type, int64_t count) HP_MUST_USE;
/* The same, then all of them into data [count] (the type's in brackets). */
hp_status hp_h5_read_into(const hp_h5 *h, const char *name, hp_h5_type type, int64_t count, void *data) HP_MUST_USE;
/* Entry `index` of a one-dimensional dataset of strings. */
hp_status hp_h5_read_string(const hp_h5 *h, const char *name, int64_t index, char **text) HP_MUST_USE;
/* All entries of a one-dimensional dataset of strings, to be freed with hp_h5_members_free. */
hp_status hp_h5_read_strings(const hp_h5 *h, const char *name, char ***text, int64_t *count) HP_MUST_USE;
/* A text attribute; an absent one is an empty string. */
hp_status hp_h5_read_text(const hp_h5 *h, const char *object, const char *name, char **text) HP_MUST_USE;
hp_status hp_h5_read_number(const hp_h5 *h, const char *object, const char *name, double *value) HP_MUST_USE;
/* Names of the members of a group, in alphabetical order: *names has *count strings in one block. */
hp_status hp_h5_members(const hp_h5 *h, const char *group, char ***names, int64_t *count) HP_MUST_USE;
void hp_h5_members_free(char ***names, int64_t count);

/* ---- csv.c ---- */

/* NAME: texts that live as long as the program; TEXT: texts that the table copies. */
typedef enum { HP_COLUMN_NUMBER, HP_COLUMN_INTEGER, HP_COLUMN_NAME, HP_COLUMN_TEXT } hp_column_kind;

typedef struct hp_column {
  char *name;
  const char *unit; /* "" none */
  hp_column_kind kind;
  double *number; /* [capacity] of numbers and integers */
  char **text;    /* [capacity] of names and texts; NULL: empty */
} hp_column;

typedef struct hp_table {
  int ncolumn, max_column, cursor;
  hp_column *column;
  int64_t nrow, capacity;
  int fd;           /* of the CSV file, < 0: none */
  const char *path; /* borrowed */
} hp_table;

hp_status hp_table_create(hp_table *t, int max_column) HP_MUST_USE;
void hp_table_destroy(hp_table *t); /* the CSV file is closed without a look at the result */
hp_status hp_table_column(hp_table *t, hp_column_kind kind, const char *unit, const char *fmt, ...)
    HP_PRINTF(4, 5) HP_MUST_USE;

/* Creates the CSV file with its header, NAME[UNIT],... */
hp_status hp_table_open_csv(hp_table *t, const char *path) HP_MUST_USE;
/* Writes it anew with the rows at hand, and goes on at its end. */
hp_status hp_table_reopen_csv(hp_table *t, const char *path) HP_MUST_USE;
hp_status hp_table_sync(hp_table *t) HP_MUST_USE;
hp_status hp_table_close_csv(hp_table *t) HP_MUST_USE;

/* A row: begin, one value a column in their order, end (which appends it to the CSV file in one write). */
hp_status hp_table_begin_row(hp_table *t) HP_MUST_USE;
void hp_table_number(hp_table *t, double value);
void hp_table_name(hp_table *t, const char *value);
hp_status hp_table_text(hp_table *t, const char *value) HP_MUST_USE;
hp_status hp_table_end_row(hp_table *t) HP_MUST_USE;

/* For how many rows memory is taken where there are so many. */
int64_t hp_table_capacity(int64_t rows);
/* Room for so many rows; the entry of a row of a column of names or texts. */
hp_status hp_table_reserve(hp_table *t, int64_t rows) HP_MUST_USE;
hp_status hp_column_take(hp_column *c, int64_t row, const char *value) HP_MUST_USE;
bool hp_column_has_numbers(const hp_column *c);

/* The columns as datasets of `group`. */
hp_status hp_table_write(const hp_table *t, hp_h5 *h, const char *group) HP_MUST_USE;
int64_t hp_table_bytes(const hp_table *t);

/* ---- summary.c ---- */

/* Creates the table with the columns of /summary or /solver; adds one row. */
hp_status hp_summary_columns(hp_table *t, const hp_units *u, int nwell, char *const *well,
                             const hp_vectors *more) HP_MUST_USE;
hp_status hp_summary_add(hp_table *t, const hp_units *u, int nwell, const hp_summary_row *row,
                         const hp_vectors *more) HP_MUST_USE;
/* The name of a control that a file has, as a text that lives as long as the program. */
const char *hp_summary_name(const char *text);
hp_status hp_solver_columns(hp_table *t, const hp_units *u) HP_MUST_USE;
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

struct hp_output {
  const hp_case *c; /* borrowed */
  int lock;         /* the folder NAME.steps, locked while this run writes; < 0: none */
  bool made_folder; /* by this run */
  char *path[HP_OUTPUT_FILES];
  const char *name[HP_OUTPUT_FILES]; /* path without its folder: what files say about each other */
  int nwell;
  char **well;              /* [nwell] names */
  int nstep, step_capacity; /* report steps written */
  double *time;             /* [nstep] [s] rising */
  int32_t *step;            /* [nstep] rising */
  double oil_at_start;      /* [m3] at surface conditions, once a row has said it; 0: not known */
  double published;         /* [s] of hp_now: when the master was written */
  int nnamed;               /* report steps that the master names; those after them are yet to be synced */
  struct hp_restart *held;  /* [output.restart] memory for what is not written yet; NULL: none so far */
  int nheld;                /* of the latest report steps */
  int dropped;              /* report steps without what a restart needs, the first ones */
  hp_h5 grid;               /* the grid file in memory, until it is written */
  bool grid_built;          /* it is there */
  double *natural;          /* [nz][ny][nx] one field in the files' order */
  int threads;              /* that pack fields */
  hp_vectors vectors;       /* of the summary, beside those that are always there */
  hp_table summary, solver;
  struct hp_ebin_out *eclipse; /* NULL: not asked for */
};

/* output.c: names, vectors and tables without rows; no files, and no memory for a field */
hp_status hp_output_create_empty(const hp_case *c, const char *base, int nwell, const hp_well_path *path,
                                 hp_output **out) HP_MUST_USE;
void hp_output_destroy(hp_output **out);
/* Contents of the master. */
hp_status hp_output_fill_master(hp_output *o, hp_h5 *h, bool with_tables) HP_MUST_USE;
/* the root attributes of the master and the grid file */
hp_status hp_output_describe(const hp_output *o, hp_h5 *h) HP_MUST_USE;
/* Remembers a report step for the master. */
hp_status hp_output_note_step(hp_output *o, double time, int step) HP_MUST_USE;
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
/* HP_ERR_USAGE: a file of something else. */
hp_status hp_result_check(const hp_h5 *h) HP_MUST_USE;
/* known.c: whether the file, damaged or not, is the master of a result that may be replaced. HP_ERR_USAGE: it is
 * not, or is locked. */
hp_status hp_result_may_replace(const char *path) HP_MUST_USE;
/* continue.c: the tables up to a step, and where the files are the same its report steps */
hp_status hp_output_load(hp_output *o, const hp_restart *from, bool *in_place) HP_MUST_USE;
/* grid.c: the file in memory, and on the disk */
hp_status hp_output_build_grid(hp_output *o, const char *command_line, int nwell, const hp_well_path *path) HP_MUST_USE;
hp_status hp_output_write_grid(hp_output *o) HP_MUST_USE;
/* mesh.c: /grid/nodes and /grid/cells */
hp_status hp_output_write_mesh(const hp_case *c, hp_h5 *h) HP_MUST_USE;
/* The name as part of an HDF5 path: '/' becomes '_'. */
hp_status hp_output_h5_name(char **out, const char *prefix, const char *name) HP_MUST_USE;
/* xdmf.c, wells.c, view.c */
hp_status hp_output_write_xdmf(hp_output *o) HP_MUST_USE;
/* The text of the xdmf2. */
hp_status hp_output_add_xdmf(const hp_output *o, hp_text *t) HP_MUST_USE;
hp_status hp_output_write_wells(hp_output *o, int nwell, const hp_well_path *path) HP_MUST_USE;
hp_status hp_output_write_view(hp_output *o) HP_MUST_USE;
/* The text of io/results/view.py, which the build makes a constant of. */
extern const char hp_output_view_script[];

#endif
