/* Private to io/config and io/config/arrays: the reader of libconfig trees.
 *
 * Functions that return hp_status fail only for memory and internal errors;
 * faults of the deck go to the reader's diag and reading goes on.
 */
#ifndef HP_IO_CONFIG_IMPL_H
#define HP_IO_CONFIG_IMPL_H

#include <libconfig.h>

#include "grid/rockgen.h"
#include "io/case/aquifers.h"
#include "io/case/connections.h"
#include "io/case/faults.h"
#include "io/config/config.h"

enum { HP_CONFIG_PATH = 256, HP_CONFIG_LINE = 12 /* entries of a list on a line of text */ };

typedef config_setting_t hp_setting;

/* An integer that libconfig has cut to its last 32 bits; it has been reported. */
typedef struct hp_config_cut {
  char *file; /* NULL: the deck itself */
  int line, value;
} hp_config_cut;

/* A mark in place of a long list that is left out of the text for ranks (io/config/gaps.c). */
typedef struct hp_config_mark {
  int number;
  int64_t count, columns; /* numbers, columns 0; or rows of so many each */
} hp_config_mark;

typedef struct hp_config_gap {
  const hp_setting *list;
  hp_config_mark mark;
} hp_config_gap;

typedef struct hp_array_kept hp_array_kept;

/* An entry of multipliers. */
typedef struct hp_config_change {
  hp_face_change change; /* first, for its time */
  bool pairs;            /* of pairs of cells, not of faces: */
  int64_t count;
  int64_t *a, *b; /* [count] a < b, rising */
  double *by;     /* [count] */
} hp_config_change;

typedef struct hp_config {
  config_t tree;
  const char *path; /* the deck's file, NULL in an overlay */
  char *folder;     /* of the deck, "." in an overlay of --set options only */
  int nset;
  char **option; /* [nset] "--set key=value", what messages about them begin with */
  int ncut;
  hp_config_cut *cut; /* [ncut] */
  int gaps;
  hp_config_gap *gap; /* [gaps] rank 0's */
  hp_diag *diag;
  hp_case *c;                 /* what is filled */
  hp_units units;             /* of the numbers being read */
  bool overlay;               /* nothing is required, nothing gets a default */
  int size[3];                /* cells along i, j, k; 0: not known, grid.size is faulty or missing */
  bool sizing;                /* grid.size is being read: size is not known yet */
  bool stand_in;              /* c->grid is one of 1 x 1 x 1 in place of a size that is not known or too large */
  bool grid_ready;            /* c->grid is finished: perforations can be checked against it */
  bool geometry_ready;        /* its sizes and depths are, at least */
  int ncell, nface;           /* of numerical aquifers: */
  hp_aquifer_cell *cell;      /* [ncell] */
  const hp_setting **cell_at; /* [ncell] */
  hp_aquifer_faces *face;     /* [nface] */
  const hp_setting **face_at; /* [nface] */
  bool connect;               /* corners connect cells across faults */
  hp_case_pinch pinch;
  int nfault, nchange;
  hp_fault_faces *fault;    /* [nfault] */
  hp_config_change *change; /* [nchange] times not falling */
  hp_array_kept *kept;      /* generated fields, the newest first (io/config/arrays/kept.c) */
  int reported_from;        /* 1 + number of the message from which on none is reported twice; 0: off */
} hp_config;

/* ---- io/config/tree.c ---- */

/* Reads the file into r->tree; a parse error goes to diag and *ok is false. */
hp_status hp_config_tree_read(hp_config *r, bool *ok) HP_MUST_USE;

/* Reports unclosed and mismatched brackets in a file's text, and nameless groups in one; false if there are none. */
bool hp_config_report_brackets(hp_config *r, const char *file, const char *text);
/* Reports the first text over several lines: where something is wrong, its quote was forgotten. False: there is none. */
bool hp_config_report_long_text(hp_config *r, const char *file, const char *body);

/* Sets *out (hp_alloc) to the folder of a file, or ".". */
hp_status hp_config_folder_of(const char *path, char **out) HP_MUST_USE;

/* io/config/scan.c. Before the parser it reports included files that the parser must not see; after it, integers that
 * libconfig cuts to 32 bits, whose places r->cut keeps. */
hp_status hp_config_scan(hp_config *r, const char *text, bool before) HP_MUST_USE;

/* Whether libconfig has cut the integer s. */
bool hp_config_is_cut(const hp_config *r, const hp_setting *s);

/* The path of a setting, "wells[3].radius", and in the form of the key table, "wells[].radius". */
void hp_config_path(const hp_setting *s, char out[HP_CONFIG_PATH]);
void hp_config_key_path(const hp_setting *s, char out[HP_CONFIG_PATH]);

/* The --set option that made a setting or one of its parents; NULL if the deck did. */
const char *hp_config_option(const hp_setting *s);

/* Whether an option gives the whole setting, or a group around it. */
bool hp_config_given_whole(const hp_setting *s);

/* Whether an overlay has made the list from the case, so that options can change entries. */
bool hp_config_patched(const hp_config *r, const hp_setting *s);

/* The file and line of a setting, for messages. */
const char *hp_config_file(const hp_config *r, const hp_setting *s);
int hp_config_line(const hp_setting *s);

/* Report "FILE:LINE: path: text" as an error or a note. */
void hp_config_error(hp_config *r, const hp_setting *s, const char *fmt, ...) HP_PRINTF(3, 4);
void hp_config_note(hp_config *r, const hp_setting *s, const char *fmt, ...) HP_PRINTF(3, 4);

/* ---- io/config/set.c ---- */

/* Enters the options "key.path=value" into the tree. In an overlay lists are those of the case, and wells.NAME finds
 * the well there. */
hp_status hp_config_set(hp_config *r, int nset, const char *const *set) HP_MUST_USE;

/* Enters the words of `text`, KEY=VALUE, apart by blanks outside quotes and brackets, into the group; the first one is the value of
 * `first`, unless that is NULL. `option` is what messages begin with. */
hp_status hp_config_set_words(hp_config *r, char *option, hp_setting *group, const char *first,
                              const char *text) HP_MUST_USE;

/* Returns the tree as text (malloc) that libconfig reads back to the same numbers; NULL: no memory. r: of this reader's tree,
 * without the lists in r->gap. */
char *hp_config_text(const config_t *tree, const hp_config *r);
/* Writes the shortest number with a point that reads back to v. */
void hp_config_write_float(double v, FILE *f);

/* ---- io/config/gaps.c: long lists of numbers are left out of the text that ranks parse ---- */

/* Rank 0 only: adds those in s and below to r->gap. HP_ERR_MEMORY. */
hp_status hp_config_find_gaps(hp_config *r, const hp_setting *s) HP_MUST_USE;
bool hp_config_is_gap(const hp_config *r, const hp_setting *s, hp_config_mark *m);
/* Row n of a list for messages; the list itself if it is left out. */
const hp_setting *hp_config_row(const hp_config *r, const hp_setting *s, int64_t n);

/* The numbers of a gap on all ranks, in deck units, in pieces of whole rows. */
typedef struct hp_config_numbers {
  int64_t count; /* of this piece, until left is 0 */
  double *value; /* [count] */
  int64_t left, most, columns;
  int64_t next; /* place of the piece behind this one */
  hp_spread *P;
  const hp_setting *list; /* rank 0 */
} hp_config_numbers;
hp_status hp_config_gap_open(const hp_config *r, const hp_config_mark *m, hp_config_numbers *g) HP_MUST_USE;
hp_status hp_config_gap_next(hp_config_numbers *g) HP_MUST_USE;
void hp_config_gap_close(hp_config_numbers *g);
/* Reads the rows that name a cell held here: out [*rows][m->columns] (HP_ALLOC). */
hp_status hp_config_gap_rows(const hp_config *r, const hp_config_mark *m, int64_t *rows, double **out) HP_MUST_USE;

/* ---- io/config/lists.c ---- */

/* Makes, in an overlay, the list `name` of `group` from the case, in r->units, so that options can set entries. wells
 * and schedule become an empty group per entry. NULL if the case has no such list. */
hp_setting *hp_config_list_of_case(hp_config *r, hp_setting *group, const char *name);

/* ---- io/config/check.c ---- */

/* Reports unknown keys, values in place of groups, and integers that are too long. */
void hp_config_check(hp_config *r);

/* Entry n of such a list, or the group itself as entry 0, or NULL; and their number. */
const hp_setting *hp_config_entry(const hp_setting *s, int n);
int hp_config_entries(const hp_setting *s);

/* ---- io/config/value.c ---- */

/* Member `name` of a group; NULL if the group or the member is missing. */
hp_setting *hp_config_member(const hp_setting *group, const char *name);
/* Reports an error at the member `name`, if the group has it. */
void hp_config_refuse(hp_config *r, const hp_setting *group, const char *name, const char *why);

/* The deck's list of that name; NULL if it is missing, or not a list, which is reported. */
const hp_setting *hp_config_list(const hp_config *r, const char *name);

/* The number of entries of a list; 0 for NULL and other settings. */
int hp_config_length(const hp_setting *s);

/* Entry n of a list; NULL if it is not a group, which is reported. */
const hp_setting *hp_config_group(const hp_setting *list, int n);

/* Read key `path` of `group` (NULL: missing) into *out, in SI; true if the key is there and sound. For a missing key
 * *out gets the table's default, or an error is reported if it is required (neither in an overlay). A faulty value is
 * reported and leaves *out. */
bool hp_config_float(hp_config *r, const hp_setting *group, const char *path, double *out);
bool hp_config_int(hp_config *r, const hp_setting *group, const char *path, int *out);
bool hp_config_bool(hp_config *r, const hp_setting *group, const char *path, bool *out);
bool hp_config_string(hp_config *r, const hp_setting *group, const char *path, const char **out);
/* Reads the number of the choice. */
bool hp_config_choice(hp_config *r, const hp_setting *group, const char *path, int *out);
/* Reads all keys of `list` that live in `home` into the struct at out. given: only those that the group has; a missing
 * or faulty value stays. */
void hp_config_settings(hp_config *r, const hp_setting *group, const char *list, hp_home home, bool given, void *out);
/* Reads first and last; out keeps its values if the key is missing. */
bool hp_config_span(hp_config *r, const hp_setting *group, const char *path, int out[2]);
/* Reads the keys i, j, k of list entry s as a box i1 i2 j1 j2 k1 k2, 0-based and inclusive; a missing key means all
 * (boxes.c). False if a range is faulty. */
bool hp_config_box(hp_config *r, const hp_setting *s, const char *list, int box[6]);
/* Reads the key `path` of an entry, a choice of i-, i+, .. k+, as direction HP_DIR_* and side. */
void hp_config_face(hp_config *r, const hp_setting *s, const char *path, int *d, bool *minus);
/* The cell of c->grid that three numbers of a row name; -1, with an error, if there is none. */
int64_t hp_config_cell(hp_config *r, const hp_setting *row, const double ijk[3]);

/* Reads a number of any of libconfig's types, in deck units. One that is not a number or not finite is reported:
 * false. */
bool hp_config_number(hp_config *r, const hp_setting *s, double *out);
/* The same for a quantity in deck units and in SI; it may be text with its own unit ("3000 psi"). */
bool hp_config_quantity(hp_config *r, const hp_setting *s, hp_quantity q, double *deck, double *si);
/* The same for a point of time, which may be a date, or months that count from start. */
bool hp_config_time(hp_config *r, const hp_setting *s, double *deck, double *si);
bool hp_config_integer(hp_config *r, const hp_setting *s, int *out);

/* ---- io/config/expression.c ---- */

/* Whether a text is meant as an expression of nx, ny and nz. */
bool hp_config_is_expression(const char *text);

/* Computes its value; false if it is faulty (reported), or needs a size that is not known. */
bool hp_config_expression(hp_config *r, const hp_setting *s, double *out);

/* NULL if v, in deck units, meets the conditions; else the conditions. */
const char *hp_config_out_of_range(const char *range, double v);

/* Reads rows of min..max numbers, equally many per row, column k of quantity q[k]: *out [rows][columns] in deck units
 * and *si in SI (HP_ALLOC both). *good: all are sound; faulty ones are reported and NaN, so that the rest can be
 * checked. */
hp_status hp_config_rows(hp_config *r, const hp_setting *s, const hp_quantity *q, int min_columns, int max_columns,
                         int min_rows, int *rows, int *columns, double **out, double **si, bool *good) HP_MUST_USE;

/* Formats a number in the deck's unit for messages: "150 mD". */
const char *hp_config_show(const hp_config *r, const hp_config_key *key, double deck_value, char out[64]);

/* Replaces *out by a copy of text (hp_alloc). */
hp_status hp_config_copy(const char *text, char **out) HP_MUST_USE;

/* ---- io/config/grid.c, io/config/fluid.c, io/config/wells/wells.c, ... ---- */

hp_status hp_config_read_grid(hp_config *r, const hp_setting *grid) HP_MUST_USE;
hp_status hp_config_read_fluid(hp_config *r, const hp_setting *root) HP_MUST_USE;
hp_status hp_config_read_regions(hp_config *r, const hp_setting *root) HP_MUST_USE;    /* io/config/regions.c */
hp_status hp_config_read_thresholds(hp_config *r, const hp_setting *list) HP_MUST_USE; /* likewise */
hp_status hp_config_read_initial(hp_config *r, const hp_setting *initial) HP_MUST_USE;
hp_status hp_config_read_wells(hp_config *r, const hp_setting *wells, const hp_setting *schedule) HP_MUST_USE;
/* io/config/wells/requests.c: output.rft takes the place of what was asked for before. */
hp_status hp_config_read_rft(hp_config *r, const hp_setting *list) HP_MUST_USE;
hp_status hp_config_read_averages(hp_config *r, const hp_setting *list) HP_MUST_USE; /* likewise, output.averages */
/* Sorts entries that begin with a time [s], stably: the later entry of one time wins. */
void hp_config_sort_by_time(void *list, int count, size_t size);
hp_status hp_config_read_lift(hp_config *r, const hp_setting *list) HP_MUST_USE; /* io/config/wells/lift.c */
hp_status hp_config_read_tuning(hp_config *r, const hp_setting *tuning) HP_MUST_USE;
hp_status hp_config_read_groups(hp_config *r, const hp_setting *field) HP_MUST_USE;
/* Add an entry of one time [s] to the case's list (hp_config_add_entry), unless it is at fault. opens: as there. */
hp_status hp_config_schedule_add(hp_config *r, const hp_setting *s, double time, bool opens) HP_MUST_USE;
hp_status hp_config_tuning_add(hp_config *r, const hp_setting *s, double time) HP_MUST_USE;
hp_status hp_config_group_add(hp_config *r, const hp_setting *s, double time) HP_MUST_USE;
hp_status hp_config_quantity_add(hp_config *r, const hp_setting *s, double time) HP_MUST_USE;

/* io/config/actions.c. Quantities come before the wells, whose targets may be such; actions behind all that they change. */
hp_status hp_config_read_quantities(hp_config *r, const hp_setting *root) HP_MUST_USE;
hp_status hp_config_read_actions(hp_config *r, const hp_setting *root) HP_MUST_USE;
/* The number of the quantity of the user that s names, from 0; -1: it is none. */
int hp_config_quantity_named(const hp_config *r, const hp_setting *s);

/* io/config/corners.c reads grid.corner_point into c->coord and c->zcorn, computes sizes and tops of the cells (active
 * [nz][ny][nx]), and reads grid.pinch. */
hp_status hp_config_read_corners(hp_config *r, const hp_setting *grid, const double *active) HP_MUST_USE;
/* Reads grid.structure: c->coord and c->zcorn of layers that are flat so far, with sizes in g and tops in c->top. */
hp_status hp_config_read_structure(hp_config *r, const hp_setting *grid, const double *active) HP_MUST_USE;
void hp_config_read_pinch(hp_config *r, const hp_setting *grid);
/* Makes transmissibilities and connections of corners, pinched-out cells, faults and numerical aquifers, and
 * multipliers of later times. */
hp_status hp_config_make_connections(hp_config *r) HP_MUST_USE;

/* io/config/faults.c. Faults and multipliers are read before the grid is finished. Multipliers of later times become
 * events once all connections are known: `links` through faces, and those given beside faces. */
hp_status hp_config_read_faults(hp_config *r) HP_MUST_USE;
hp_status hp_config_make_multipliers(hp_config *r, const hp_case_links *links,
                                     const hp_grid_connections *given) HP_MUST_USE;
void hp_config_faults_clear(hp_config *r);

/* io/config/aquifers.c. Cells of numerical aquifers are read before the grid is finished, enter it then, and name their
 * tables before regions are checked. The rest of aquifers comes last. */
hp_status hp_config_read_aquifer_cells(hp_config *r) HP_MUST_USE;
hp_status hp_config_aquifer_multipliers(hp_config *r) HP_MUST_USE; /* of their faces, before those of faults */
hp_status hp_config_isolate_aquifer_cells(hp_config *r) HP_MUST_USE;
hp_status hp_config_link_aquifer_cells(hp_config *r) HP_MUST_USE;
hp_status hp_config_aquifer_tables(hp_config *r) HP_MUST_USE;
hp_status hp_config_read_aquifers(hp_config *r) HP_MUST_USE;
void hp_config_aquifers_clear(hp_config *r);

/* ---- io/config/arrays ---- */

/* Shape of an array: nx*ny*nz values; `along` (HP_DIR_*) is the
 * direction in which a short list is laid out. Lists are measured by `deck`,
 * which has 0 for a size that is not known; nx, ny, nz are those of the memory,
 * 1 x 1 x 1 where the grid is a stand-in, of a grid that is spread over ranks its planes i0 .. i0 + nx - 1 of `whole`;
 * of pillars, which have their planes along j, rows j0 .. j0 + ny - 1 of `rows`. */
typedef struct hp_array_shape {
  int nx, ny, nz;
  int along;
  int deck[3];
  int i0, whole;
  int j0, rows; /* 0, 0: all ny are there */
} hp_array_shape;

/* The length of the whole array along j. */
HP_INLINE int hp_array_rows(hp_array_shape a) { return a.rows > 0 ? a.rows : a.ny; }

/* The shape of a cell array over the reader's grid. */
hp_array_shape hp_array_shape_of(const hp_config *r, int along);

/* Reads the cell array s of kind `key` into out [nz][ny][nx], i fastest, in SI. */
hp_status hp_array_read(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape shape,
                        double *out) HP_MUST_USE;

/* A sink for numbers that rank 0 (or the one process) reads in the deck's order. Between open and close it puts numbers
 * with rising indices in the whole array; the other ranks close at once. */
typedef struct hp_array_sink {
  hp_spread *P;
  hp_array_shape a;
  double *out; /* [nz][ny][nx] */
  bool dry;    /* numbers go nowhere */
  double *piece;
  int64_t begin, count;
  hp_status status;
} hp_array_sink;
hp_status hp_array_sink_open(hp_config *r, hp_array_shape shape, double *out, hp_array_sink *s) HP_MUST_USE;
void hp_array_sink_put(hp_array_sink *s, int64_t index, double value);
/* Stores those numbers, known to all ranks, whose cells are held here. */
void hp_array_keep(hp_array_shape shape, double *out, int64_t begin, int64_t count, const double *value);
hp_status hp_array_sink_close(hp_array_sink *s) HP_MUST_USE;

/* Read the forms with a file and with a generator, in deck units, before min and max. */
hp_status hp_array_file(hp_config *r, const hp_setting *s, hp_array_shape shape, double *out) HP_MUST_USE;
hp_status hp_array_generate(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape shape,
                            double *out) HP_MUST_USE;
/* A field of grid/rockgen.h kept by the reader until the next one is needed, so that equal ones are made once. Errors
 * are those of hp_rock_gauss and hp_rock_channels. */
hp_status hp_array_gauss(hp_config *r, const hp_rock_gauss_spec *spec, hp_array_shape shape,
                         const double **field) HP_MUST_USE;
hp_status hp_array_facies(hp_config *r, const hp_rock_channels_spec *spec, hp_array_shape shape,
                          const uint8_t **facies) HP_MUST_USE;
void hp_array_forget(hp_config *r); /* frees them all */
/* The key of an array inside the array s of key `outer`, in deck units, with outer's range unless s limits its values
 * by min and max. */
hp_config_key hp_array_inner(const hp_setting *s, const hp_config_key *outer);
/* Reads ranges of layers, each in any form. */
hp_status hp_array_layers(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape shape,
                          double *out) HP_MUST_USE;

#endif
