/* Results as Eclipse's binary files, for post-processors (output.eclipse = true). Private to io/results. The
 * prefix is hp_ebin_; decks, hp_ecl_, are in io/eclipse.
 *
 *   eclipse.c              the object: which file is written when; files that grow
 *   record.c               Fortran records in memory
 *   mark.c                 whether files that stand there are hepta's
 *   cells.c                cell arrays, piece by piece, wherever the cells are
 *   fields.c               which ones INIT and UNRST have
 *   head.c                 INTEHEAD, LOGIHEAD, DOUBHEAD, dates
 *   egrid.c                NAME.EGRID     restart.c             a report step of NAME.UNRST
 *   known.c                what report steps say of single cells: of wells, of aquifers
 *   aquifers.c             the aquifers of a report step
 *   keep.c                 what a run that goes on in place keeps of them
 *   rft.c                  logs of wells in NAME.RFT
 *   init.c                 NAME.INIT      summary.c             NAME.SMSPEC, rows of NAME.UNSMRY
 *
 * A file is a sequence of arrays, everything big-endian:
 *
 *     |16| name, 8 letters | count i32 | type, 4 letters |16|
 *     | n| up to 1000 numbers or 105 texts of 8 letters  | n|   as often as needed
 *
 * |n| is the length of a Fortran record in bytes, i32, before and after it. Types: INTE i32, REAL f32, DOUB f64,
 * LOGI i32 (-1 true), CHAR 8 letters, MESS nothing. Cells are counted i fastest; arrays hold the active cells only,
 * but for the mesh, ACTNUM and PORV. The numbers of items and their places are those of Eclipse 100 as OPM's writer
 * (opm-common, opm/output/eclipse/VectorItems) and resdata's reader, which ResInsight uses, have them.
 */
#ifndef HP_IO_RESULTS_ECLIPSE_ECLIPSE_H
#define HP_IO_RESULTS_ECLIPSE_ECLIPSE_H

#include "io/case/case.h"
#include "io/case/rows.h"
#include "io/files/file.h"
#include "io/files/remote.h"
#include "io/files/table.h"
#include "io/files/text.h"
#include "wells/wells.h"

/* ---- record.c ---- */

/* A file that grows by whole pieces: a piece that does not fit is taken back. */
typedef struct hp_ebin_growing {
  int fd;           /* < 0: none */
  const char *path; /* borrowed */
  int64_t size;     /* bytes that stand */
} hp_ebin_growing;

/* Bytes of a file that grow; the first failure is kept in `status` and later calls do nothing. */
typedef struct hp_ebin_bytes {
  uint8_t *at;
  int64_t size, capacity;
  hp_status status;
  const hp_ebin_growing *file; /* gets them, about a megabyte at a time; NULL: they stay here */
  int64_t written;             /* bytes that it has got */
} hp_ebin_bytes;

enum { HP_EBIN_NAME = 8 };
typedef char hp_ebin_name[HP_EBIN_NAME + 1];

/* An array of `count` elements that is put in pieces, with nothing else in between. */
typedef struct hp_ebin_array {
  hp_ebin_bytes *bytes;
  const struct hp_ebin_type *type;
  int64_t count, done;
} hp_ebin_array;
hp_ebin_array hp_ebin_open_int(hp_ebin_bytes *b, const char *name, int64_t count);
hp_ebin_array hp_ebin_open_real(hp_ebin_bytes *b, const char *name, int64_t count);
void hp_ebin_add(hp_ebin_array *a, int64_t count, const void *value); /* int32_t, float */

/* An array `name` of `count` elements at the end of b. */
void hp_ebin_put_int(hp_ebin_bytes *b, const char *name, int64_t count, const int32_t *value);
void hp_ebin_put_real(hp_ebin_bytes *b, const char *name, int64_t count, const float *value);
void hp_ebin_put_double(hp_ebin_bytes *b, const char *name, int64_t count, const double *value);
void hp_ebin_put_bool(hp_ebin_bytes *b, const char *name, int64_t count, const bool *value);
void hp_ebin_put_text(hp_ebin_bytes *b, const char *name, int64_t count, const hp_ebin_name *value);
void hp_ebin_put_mark(hp_ebin_bytes *b, const char *name); /* MESS: a name without data */
/* All bytes so far go to the file. */
hp_status hp_ebin_flush(hp_ebin_bytes *b) HP_MUST_USE;
void hp_ebin_bytes_clear(hp_ebin_bytes *b);

/* Writes `path` as a whole; fails if building b failed. */
hp_status hp_ebin_replace(const char *path, const hp_ebin_bytes *b) HP_MUST_USE;

/* ---- the object ---- */

/* X(NAME, suffix) */
#define HP_EBIN_FILE_LIST(X) \
  X(EGRID, ".EGRID")         \
  X(INIT, ".INIT")           \
  X(UNRST, ".UNRST")         \
  X(SMSPEC, ".SMSPEC")       \
  X(UNSMRY, ".UNSMRY")       \
  X(RFT, ".RFT")

typedef enum {
#define HP_EBIN_FILE_ENUM(name, suffix) HP_EBIN_FILE_##name,
  HP_EBIN_FILE_LIST(HP_EBIN_FILE_ENUM)
#undef HP_EBIN_FILE_ENUM
      HP_EBIN_FILES
} hp_ebin_file;

/* Report steps say this of a perforation's cell, of the connections of an aquifer, of a cell of a numerical one. */
typedef struct hp_ebin_perf {
  hp_grid_rock rock;
  int saturation; /* number of its table, from 1 */
} hp_ebin_perf;
typedef struct hp_ebin_faces {
  int64_t count;
  hp_remote_face *at; /* [count] of all ranks */
} hp_ebin_faces;
typedef struct hp_ebin_pool {
  double depth, pore_volume; /* [m], [m3] */
} hp_ebin_pool;

/* The wells as they were at one time: copies, because fields may be written while the next step is computed. */
typedef struct hp_ebin_wells {
  int64_t nperf;
  int64_t *begin;            /* [nwell+1] */
  hp_perf_spec *perf;        /* [nperf] */
  double *wi, *head;         /* [nperf] as in hp_wells: [m3], 0: shut; [Pa] */
  double (*rate)[HP_PHASES]; /* [nperf] [m3/s] */
  double *ref_depth;         /* [nwell] [m] */
  bool *crossflow;           /* [nwell] */
  hp_well_control *control;  /* [nwell] */
  uint8_t *mode;             /* [nwell] hp_control in force */
  double *bhp;               /* [nwell] [Pa] */
} hp_ebin_wells;

typedef struct hp_ebin_out {
  const hp_case *c; /* borrowed */
  hp_units units;   /* of the files: the deck's, METRIC for SI, which Eclipse does not have */
  char *path[HP_EBIN_FILES];
  int nwell;
  hp_ebin_name *well;          /* [nwell] as these files have their names, */
  char (*name)[HP_WELL_NAME];  /* [nwell] and as the deck has them */
  bool *injects;               /* [nwell] what it is before it opens */
  hp_well_row *row;            /* [nwell] of the last time step */
  hp_aquifer_state *aquifer;   /* [c->naquifer] after it */
  hp_aquifer_state *numerical; /* [c->nnumerical] likewise */
  bool stepped;                /* there was one */
  int64_t nperf;
  hp_ebin_perf *perf;   /* [nperf] of all wells */
  hp_ebin_faces *faces; /* [c->naquifer] */
  hp_ebin_pool *pool;   /* of all numerical aquifers */
  bool goes_on;         /* in place, and keeps so many bytes, */
  int64_t kept_unrst, kept_rft;
  bool built; /* EGRID and INIT stand under their temporary names */
  const double
      *threshold;         /* [nthreshold][nthreshold] [Pa] of the case, with those of the start; NULL: none; borrowed */
  double *const *derived; /* [HP_DERIVED] arrays of the present report step; NULL: none */
  const hp_link_flow *link_flow; /* of its connections */
  double *oil_at_start;          /* [c->nfip] of regions, in the files' unit; NULL: nothing asks for them */
  hp_ebin_wells wells;
  hp_ebin_growing unrst, unsmry, rft;
  int nstep;        /* time steps in UNSMRY */
  int nsequence;    /* report steps in UNRST */
  int report;       /* of the deck, that the last time step of UNSMRY belongs to; -1:
                       none yet */
  int nvector;      /* in SMSPEC, "YEARS" last */
  int *column;      /* [nvector-1] of the summary's table */
  double *factor;   /* [nvector-1] what its values are multiplied by */
  float *parameter; /* [nvector] */
} hp_ebin_out;

/* Their names, to be freed. */
hp_status hp_ebin_paths(const char *base, char *path[HP_EBIN_FILES]) HP_MUST_USE;

/* Builds the files of a run that stay as they are, under temporary names, and notes what the others will say of cells; remote:
 * who has the cells of the case, NULL: they are here. */
hp_status hp_ebin_out_prepare(const hp_case *c, const char *base, int nwell, const hp_well_path *path,
                              const hp_remote *remote, hp_ebin_out **out) HP_MUST_USE;
/* Makes it go on in the files that stand there, behind report step `step` at a time [s]. HP_ERR_USAGE: they do not have it, or are
 * not those of this run. */
hp_status hp_ebin_out_go_on(hp_ebin_out *e, int step, double time) HP_MUST_USE;
/* Puts them in the place of earlier ones, and opens the others; summary: its table with all its columns, and rows so far if it goes
 * on. */
hp_status hp_ebin_out_begin(hp_ebin_out *e, const hp_table *summary) HP_MUST_USE;
/* A time step: what its wells did, and, if there is a summary, the last row of its table. */
hp_status hp_ebin_out_row(hp_ebin_out *e, const hp_table *summary, const hp_summary_row *row) HP_MUST_USE;
hp_status hp_ebin_out_wells(hp_ebin_out *e, const hp_wells *wells) HP_MUST_USE;
/* A report step of UNRST with p [Pa] and sw [ncell], or with those that `remote` has. */
hp_status hp_ebin_out_fields(hp_ebin_out *e, const hp_remote *remote, double time, int step, const double *p,
                             const double *sw) HP_MUST_USE;
/* Logs of wells as they were taken last (hp_ebin_out_wells): what each has of HP_RFT_DATA_LIST as bits due [nwell], and the connected
 * cells [nperf]. */
hp_status hp_ebin_out_rft(hp_ebin_out *e, double time, const unsigned *due, const hp_cell_row *cell) HP_MUST_USE;
/* The rows so far on the disk; reports are at once. */
hp_status hp_ebin_out_sync(hp_ebin_out *e) HP_MUST_USE;
hp_status hp_ebin_out_close(hp_ebin_out **e) HP_MUST_USE;
void hp_ebin_out_destroy(hp_ebin_out **e); /* without a look at the results of closing */

/* ---- mark.c ---- */

/* "hept", at these places of FILEHEAD in EGRID, of INTEHEAD in INIT and UNRST (where Eclipse encodes when it made the
 * file), and of DIMENS in SMSPEC. */
enum { HP_EBIN_MARK = 0x68657074, HP_EBIN_MARK_FILEHEAD = 99, HP_EBIN_MARK_INTEHEAD = 0, HP_EBIN_MARK_DIMENS = 4 };

/* HP_ERR_USAGE: a file that stands there is not hepta's, or is another result's. */
hp_status hp_ebin_check_earlier(const char *base) HP_MUST_USE;

/* ---- cells.c ---- */

/* Who has the cells. */
typedef struct hp_ebin_cells {
  const hp_case *c;
  const hp_remote *remote; /* other processes; NULL: the case, */
  const double *p, *sw;    /*   and these [ncell] */
  double *const *derived;  /*   and these; NULL: none */
} hp_ebin_cells;

enum { HP_EBIN_PIECE = 1 << 16 /* cells that are fetched at a time, or a row */ };
int64_t hp_ebin_piece(const hp_grid *g);
/* The box that follows in the order of files, i fastest: whole layers, or rows of one; the first one where it is all 0.
 * False: there is none. */
bool hp_ebin_next_box(const hp_grid *g, hp_remote_box *box);
/* Numbers of the cells of a box in that order; `work` [cells of the box]. */
hp_status hp_ebin_get(const hp_ebin_cells *C, hp_array array, const hp_remote_box *box, double *work,
                      double *to) HP_MUST_USE;
hp_status hp_ebin_get_one(const hp_ebin_cells *C, hp_array array, int64_t cell, double *value) HP_MUST_USE;
/* COORD or ZCORN of a grid by corners, as files have them [m]. */
hp_status hp_ebin_get_corners(const hp_ebin_cells *C, hp_remote_corners which, int64_t first, int64_t count,
                              double *to) HP_MUST_USE;
int64_t hp_ebin_connections(const hp_ebin_cells *C);
hp_status hp_ebin_get_connections(const hp_ebin_cells *C, int64_t first, int64_t count,
                                  hp_remote_connection *to) HP_MUST_USE;

typedef struct hp_ebin_field {
  const char *name;
  hp_array array;
  bool all;     /* inactive cells, too */
  bool integer; /* the number plus `more`, else divided by `factor` */
  bool absent;  /* integers 0 plus `more` everywhere */
  int more;
  double factor;
} hp_ebin_field;
hp_status hp_ebin_put_field(hp_ebin_bytes *b, const hp_ebin_cells *C, const hp_ebin_field *f) HP_MUST_USE;

/* ---- fields.c ---- */

/* The arrays of INIT, and of a report step. */
hp_status hp_ebin_put_static(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) HP_MUST_USE;
hp_status hp_ebin_put_state(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) HP_MUST_USE;

/* ---- known.c ---- */

hp_status hp_ebin_known_create(hp_ebin_out *e, const hp_ebin_cells *C, int nwell, const hp_well_path *path) HP_MUST_USE;
void hp_ebin_known_destroy(hp_ebin_out *e);

/* ---- head.c ---- */

/* Items of INTEHEAD that say how long the arrays of wells are: a well or a connection has so many entries. */
enum { HP_EBIN_NIWEL = 155, HP_EBIN_NSWEL = 122, HP_EBIN_NXWEL = 130, HP_EBIN_NZWEL = 3 };
enum { HP_EBIN_NICON = 25, HP_EBIN_NSCON = 41, HP_EBIN_NXCON = 58 };
/* ... of aquifers; an aquifer, or a cell of one. */
enum { HP_EBIN_NIAAQ = 18, HP_EBIN_NSAAQ = 24, HP_EBIN_NXAAQ = 10, HP_EBIN_NICAQ = 7, HP_EBIN_NSCAQ = 2 };
enum { HP_EBIN_NIAQN = 10, HP_EBIN_NRAQN = 13 }; /* of a cell of a numerical one */

/* Most connections of one well. */
int hp_ebin_most_connections(const hp_ebin_out *e);
/* The three heads of INIT (sequence < 0) or of a report step. */
void hp_ebin_put_heads(hp_ebin_bytes *b, const hp_ebin_out *e, double time, int step, int sequence);
/* 1 METRIC, 2 FIELD, 3 LAB */
int hp_ebin_unit_code(const hp_ebin_out *e);

typedef struct hp_ebin_date {
  int day, month, year, hour, minute, microsecond; /* seconds are counted in microseconds */
} hp_ebin_date;

/* The date `time` seconds after the deck's start; without one, 1 January 1983 as in Eclipse. */
hp_ebin_date hp_ebin_date_at(const hp_case *c, double time);

/* ---- aquifers.c ---- */

/* The largest number of an aquifer, 0: there are none, or no time step yet; most cells of one. */
int hp_ebin_most_aquifers(const hp_ebin_out *e);
int hp_ebin_most_aquifer_cells(const hp_ebin_out *e);
/* Cells of all numerical aquifers, 0 before the first time step. */
int64_t hp_ebin_numerical_cells(const hp_ebin_out *e);
hp_status hp_ebin_put_aquifers(hp_ebin_bytes *b, const hp_ebin_out *e) HP_MUST_USE;

/* ---- keep.c ---- */

/* The bytes of NAME.UNRST up to the report of a time step, and its reports. HP_ERR_USAGE: it has no such report. */
hp_status hp_ebin_keep_reports(const char *path, int step, int64_t *kept, int *reports) HP_MUST_USE;
/* Those of NAME.RFT up to a time in its unit; 0 if there is none. */
hp_status hp_ebin_keep_logs(const char *path, float time, int64_t *kept) HP_MUST_USE;

/* ---- restart.c ---- */

/* The Kh [m3] that a connection factor was made with. */
double hp_ebin_kh(const hp_ebin_out *e, int64_t q);

/* ---- one function a file ---- */

void hp_ebin_put_egrid(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C);
void hp_ebin_put_init(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C);
void hp_ebin_put_report(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C, double time, int step);
/* Chooses the vectors from the table's columns: e->nvector, column, factor, parameter. */
hp_status hp_ebin_put_smspec(hp_ebin_bytes *b, hp_ebin_out *e, const hp_table *summary) HP_MUST_USE;
void hp_ebin_put_log(hp_ebin_bytes *b, const hp_ebin_out *e, double time, int well, unsigned due,
                     const hp_cell_row *cell);
/* Row r of the table, which ends at a time [s]. */
void hp_ebin_put_row(hp_ebin_bytes *b, hp_ebin_out *e, const hp_table *summary, int64_t r, double time);

#endif
