/* RESTART: a run that begins with a report step of a run of Eclipse, OPM Flow or hepta.
 *
 *   begin.c     RESTART and SKIPREST: the file, of BASE.UNRST, BASE.X0005, BASE.FUNRST and BASE.F0005; time,
 *               pressures, saturations, thresholds
 *   files.c     the arrays of a report step
 *   cells.c     those of cells, which stay in the file until cells get them, some at a time
 *   aquifers.c  aquifers: what they have given; those that the deck does not have
 *   wells.c     wells: totals, what limits have shut; without SKIPREST all that the file says of them
 *
 * With SKIPREST the deck's SCHEDULE starts at time zero, and its wells are as it says at the time of the report.
 * Without it SCHEDULE starts at that time, and the wells are the file's.
 */
#ifndef HP_IO_ECLIPSE_RESTART_RESTART_H
#define HP_IO_ECLIPSE_RESTART_RESTART_H

#include "io/eclipse/impl.h"

/* The arrays of a report step that are read; texts have 8 letters each. */
#define HP_ECL_STEP_LIST(X) \
  X(INTEHEAD)               \
  X(DOUBHEAD)               \
  X(IWEL)                   \
  X(SWEL)                   \
  X(XWEL)                   \
  X(ZWEL)                   \
  X(ICON)                   \
  X(SCON)                   \
  X(IAAQ)                   \
  X(SAAQ)                   \
  X(XAAQ)                   \
  X(IAQN)                   \
  X(RAQN)                   \
  X(THRESHPR)               \
  X(ROIPSTRT)

typedef enum {
#define HP_ECL_STEP_ENUM(name) HP_ECL_STEP_##name,
  HP_ECL_STEP_LIST(HP_ECL_STEP_ENUM)
#undef HP_ECL_STEP_ENUM
      HP_ECL_STEP_ARRAYS
} hp_ecl_step_array;

/* Arrays of cells, i fastest: of active ones in the file of the report, of all in BASE.EGRID. */
#define HP_ECL_STEP_CELLS_LIST(X) \
  X(PRESSURE)                     \
  X(SWAT)                         \
  X(SGAS)                         \
  X(SOMAX)                        \
  X(ACTNUM)

typedef enum {
#define HP_ECL_STEP_CELLS_ENUM(name) HP_ECL_STEP_CELLS_##name,
  HP_ECL_STEP_CELLS_LIST(HP_ECL_STEP_CELLS_ENUM)
#undef HP_ECL_STEP_CELLS_ENUM
      HP_ECL_STEP_CELLS
} hp_ecl_step_cells_array;

/* The place of such an array in its file: plain data. */
typedef struct hp_ecl_step_cells {
  int64_t count;  /* 0: it is not there */
  int64_t offset; /* of the byte behind its head */
  int64_t size;   /* of the file [bytes] */
  int width;      /* bytes of an element */
  bool formatted;
  char name[9], type[5];
} hp_ecl_step_cells;

/* An aquifer's cells. */
typedef struct hp_ecl_step_faces {
  int number;
  int64_t count[2];
  double *value[2]; /* ICAQ, SCAQ */
} hp_ecl_step_faces;

typedef struct hp_ecl_step {
  int64_t count[HP_ECL_STEP_ARRAYS];
  double *value[HP_ECL_STEP_ARRAYS]; /* [count] in the file's units; NULL: it is not there, or a text */
  char (*name)[9];                   /* [count[ZWEL]] without the blanks behind it */
  int faces_count;
  hp_ecl_step_faces *faces; /* [faces_count] */
  hp_ecl_step_cells cells[HP_ECL_STEP_CELLS];
} hp_ecl_step;

struct hp_ecl_restart {
  char *path;       /* of the file */
  char *egrid;      /* of BASE.EGRID; NULL: there is none, or it is rank 0's to read */
  int report;       /* that the run begins with */
  double time;      /* [s] of it */
  hp_units units;   /* of the file */
  const char *file; /* of RESTART in the deck */
  int line;
  bool skips; /* SKIPREST: the deck's schedule starts at time zero */
  bool begun; /* the schedule has reached the report */
  hp_ecl_step step;
};

/* Reports a fault of the file at the deck's RESTART; HP_ERR_DECK. */
#define HP_ECL_RESTART_ERROR(e, ...) \
  (hp_diag_error((e)->diag, (e)->restart->file, (e)->restart->line, "RESTART: " __VA_ARGS__), HP_ERR_DECK)

/* Reports HP_ERR_FILE in this way, with its reason; passes on any other status. */
hp_status hp_ecl_restart_fault(hp_ecl *e, hp_status s) HP_MUST_USE;

/* Reads report step `report` of a unified file, or the only one of another. HP_ERR_FILE, with the reason, if that
 * fails. */
hp_status hp_ecl_step_read(const char *path, bool formatted, bool unified, int report, hp_ecl_step *out) HP_MUST_USE;
/* Reads ACTNUM of an EGRID file, if it has one. */
hp_status hp_ecl_step_active(const char *path, hp_ecl_step *out) HP_MUST_USE;
/* Sends the step that rank 0 has read, without the cells, to all ranks. */
hp_status hp_ecl_step_share(hp_spread *P, hp_ecl_step *s) HP_MUST_USE;
void hp_ecl_step_clear(hp_ecl_step *s);

/* A stream of the numbers of a cell array. HP_ERR_FILE, with the reason, if it cannot be read. */
typedef struct hp_ecl_cells_stream hp_ecl_cells_stream;
hp_status hp_ecl_cells_open(const char *path, const hp_ecl_step_cells *a, hp_ecl_cells_stream **out) HP_MUST_USE;
hp_status hp_ecl_cells_next(hp_ecl_cells_stream *s, int64_t count, double *to) HP_MUST_USE;
void hp_ecl_cells_close(hp_ecl_cells_stream **s);

/* Makes *out [ncell] for the cells held here from values of active cells, times `factor`; inactive cells get that of
 * the first active one. */
hp_status hp_ecl_restart_cells(hp_ecl *e, hp_ecl_step_cells_array which, double factor, double **out) HP_MUST_USE;

/* Item `at` of a head, of a well, or of a well's connection; 0 if the file's arrays are shorter. */
double hp_ecl_step_head(const hp_ecl_step *s, hp_ecl_step_array which, int at);
double hp_ecl_step_well(const hp_ecl_step *s, hp_ecl_step_array which, int well, int at);
double hp_ecl_step_connection(const hp_ecl_step *s, hp_ecl_step_array which, int well, int connection, int at);
int hp_ecl_step_wells(const hp_ecl_step *s);
const char *hp_ecl_step_name(const hp_ecl_step *s, int well);

/* Takes the file's wells as the deck's at the time of the report. */
hp_status hp_ecl_restart_wells(hp_ecl *e) HP_MUST_USE;
/* SKIPREST: shuts the wells and connections that the file has shut. */
hp_status hp_ecl_restart_shut(hp_ecl *e) HP_MUST_USE;
/* Takes totals of the deck's wells. */
void hp_ecl_restart_totals(hp_ecl *e);

#endif
