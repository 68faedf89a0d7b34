/* Private to io/eclipse: the reader and its state; records.h has the language of decks.
 *
 * A fault of the deck is reported with hp_ecl_error, which returns HP_ERR_DECK. A caller may drop that status and read
 * on, because diag keeps the fault; any other failure is returned at once.
 */
#ifndef HP_IO_ECLIPSE_IMPL_H
#define HP_IO_ECLIPSE_IMPL_H

#include "io/eclipse/records.h"
#include "io/files/stream.h"

/* ---- the reader ---- */

typedef struct hp_ecl_place {
  const char *file;
  int line;
} hp_ecl_place;

/* A keyword that stops the run, with one message after the deck has been read. */
typedef struct hp_ecl_stop {
  char name[41];      /* as the deck has it first */
  const char *remark; /* NULL: an unknown keyword */
  const char *file;
  int line, count;
} hp_ecl_stop;

/* Names, each once, for one note at the end. */
typedef struct hp_ecl_names {
  int count;
  char (*name)[HP_ECL_KEYWORD + 1];
} hp_ecl_names;

typedef struct hp_ecl_action hp_ecl_action; /* io/eclipse/actions.h */

struct hp_ecl {
  hp_ecl_lexer lexer;
  hp_diag *diag;
  hp_case *c;
  char *folder; /* of the deck; included files are looked for here */
  int nset;     /* the options --set, laid over the deck once it is read */
  const char *const *set;
  hp_ecl_place *seen; /* [keywords of the table] where the deck has them last, sound or not; line 0: nowhere */
  unsigned lost;      /* sections with words that could not be made sense of: what is missing may be among them */

  /* the keyword being read */
  const hp_ecl_keyword_entry *entry;
  char name[HP_ECL_KEYWORD + 1];
  const char *file;
  int line;
  hp_ecl_section section;
  bool nothing; /* the deck has no word in it */
  bool ended;   /* END was met */

  /* RUNSPEC */
  hp_units units;
  bool units_given, oil, water, gas;
  const char *gas_file; /* where the deck names GAS */
  int gas_line;
  int nx, ny, nz;          /* 0 before DIMENS */
  int deck_size[3];        /* what DIMENS says; nx, ny, nz differ where --set gives another size */
  bool resized;            /* they do differ */
  bool unsized;            /* DIMENS is faulty or missing: cells cannot be judged */
  hp_spread_planes planes; /* of i that arrays of cells hold: all, where the grid is not spread over ranks */
  int64_t start_day;       /* days since 1970-01-01 */
  double start_second;
  int aliases;
  hp_ecl_alias *alias;

  /* cells */
  hp_ecl_array array[HP_ECL_ARRAYS];
  double *sizes[3]; /* of all planes: DXV [nx], DYV [ny], DZV [nz], in m; NULL: not given */
  bool corners;     /* COORD or ZCORN was met, the latest here: */
  const char *corners_file;
  int corners_line;
  double *coord; /* [systems][ny+1][planes.held+1][6] pillars, m */
  double *zcorn; /* [2 nz][2 ny][2 planes.held] depths, m */
  hp_pillar_systems systems;
  int systems_read;    /* records of COORDSYS that are sound, from the first one on */
  int box[6];          /* of BOX: i1 i2 j1 j2 k1 k2, 0-based, inclusive */
  int record_box[6];   /* of the latest record of EQUALS, ADD, ...: starts as box, kept from record to record */
  bool newtran, minpv; /* NEWTRAN, MINPV were given */
  hp_case_pinch pinch;
  double *side[HP_DIRS][2]; /* [ncell] in cell order: MULTX and MULTX- ..., for connections; NULL: 1 */
  hp_case_links links;      /* across faults */
  int64_t pair_records;     /* of NNC, EDITNNC and EDITNNCR so far, */
  int pairs;
  hp_ecl_pair *pair; /* [pairs] of these in their order, of several ranks those of cells that are held */
  bool multnum;      /* GRIDOPTS: MULTREGT means MULTNUM where it does not say */
  int faults;
  hp_fault_faces *fault;
  int changes;
  hp_face_change *change; /* [changes] times not falling */
  int between;
  int within;             /* of these are about a region and itself */
  hp_ecl_regions *region; /* [between] */

  /* PROPS, SOLUTION */
  int tables[HP_ECL_BY]; /* how many, of TABDIMS, EQLDIMS and NUMRES */
  int table;             /* the one whose record is being handled, from 0 */
  bool equil, rock, density;
  bool thresholds; /* EQLOPTS has THPRES, */
  bool one_way;    /* and IRREVERS: a record of THPRES is about one direction */
  bool endscale, three_point;
  hp_ecl_depths depths[HP_ECL_DEPTHS]; /* ENPTVD, ENKRVD, ENPCVD, ENSPCVD */
  hp_ecl_leverett leverett;            /* JFUNC */
  bool hysteresis, ehystr;             /* SATOPTS HYSTER; EHYSTR with it */
  bool directed, irreversible_tables;  /* SATOPTS DIRECT, IRREVERS */
  double critical;                     /* TOLCRIT: relative permeabilities up to it are 0; 0: it is not given */
  hp_ecl_by rock_by;                   /* ROCKOPTS: which regions count its tables */
  bool rock_by_rocknum;
  bool compacts, irreversible, directional; /* ROCKCOMP, RKTRMDIR */
  int compaction_tables;                    /* ROCKCOMP item 2, 0: left out */
  bool rocktab;                             /* ROCKTAB was read */
  int rock_tables, rock_count;              /* TABDIMS item 13, 0: left out; how many tables there must be */
  int rocks;
  hp_ecl_rock *rock_record; /* [rocks] */
  bool rock_faulty;
  const char *rock_file; /* of ROCK */
  int rock_line;
  hp_sat_spec *swfn, *sof2; /* [tables[HP_ECL_BY_SATNUM]] rows > 0: given; sof2.s holds oil saturations */
  double *kro_at_no_gas;    /* [tables[HP_ECL_BY_SATNUM]] of the tables with gas, the latest here: */
  const char *kro_file;
  int kro_line;
  double *gas_contact; /* [tables[HP_ECL_BY_EQLNUM]] [m] item 5 of EQUIL, of a deck with GAS */

  int influences;
  hp_ecl_influence *influence; /* [influences] */
  int aquifers;
  hp_ecl_aquifer *aquifer; /* [aquifers] in the deck's order, numbers once */
  int aquifer_faces;
  hp_aquifer_faces *aquifer_face; /* [aquifer_faces] */
  int numericals;
  hp_aquifer_cell *numerical; /* [numericals] in the deck's order */
  int numerical_faces;
  hp_aquifer_faces *numerical_face; /* [numerical_faces] */

  hp_ecl_restart *restart; /* of RESTART, NULL: the run begins at time zero */

  /* SCHEDULE */
  double now;       /* [s] since the start */
  double next_step; /* [s] longest first step of each report step (NEXTSTEP); 0: as the program likes */
  int wells;
  hp_ecl_well *well;
  hp_ecl_well *at_hand; /* whose segments are being read */
  int tables_of;
  hp_ecl_table_of *table_of; /* [tables_of] */
  int lists;
  hp_ecl_well_list *list;
  bool logs_openings;    /* WRFT without wells */
  hp_ecl_action *action; /* NULL: none is being read */
  int history;           /* WHISTCTL: control of wells by history, as in WCONHIST's item 3; -1: as they say */

  hp_ecl_names skipped; /* keywords */
  int stops;
  hp_ecl_stop *stop; /* [stops] keywords that are unknown or not supported */
  const char
      *without; /* keywords that are left out where they would stop the run, apart by commas, *: all; NULL: none */
  hp_ecl_names left_out; /* those that the deck has */
  hp_ecl_names absent;   /* vectors of SUMMARY that hepta does not have */
};

/* ---- cells: arrays of the deck are [nz][ny][planes.held] ---- */

HP_INLINE int64_t hp_ecl_cells(const hp_ecl *e) { return (int64_t)e->planes.held * e->ny * e->nz; }
/* The place in arrays of a cell held here. */
HP_INLINE int64_t hp_ecl_natural(const hp_ecl *e, int i, int j, int k) {
  return i - e->planes.first + (int64_t)e->planes.held * (j + (int64_t)e->ny * k);
}
HP_INLINE bool hp_ecl_holds(const hp_ecl *e, int i) {
  return i >= e->planes.first && i < e->planes.first + e->planes.held;
}
/* i, j, k of the cell at place m. */
HP_INLINE void hp_ecl_ijk(const hp_ecl *e, int64_t m, int ijk[3]) {
  ijk[0] = e->planes.first + (int)(m % e->planes.held);
  ijk[1] = (int)(m / e->planes.held % e->ny);
  ijk[2] = (int)(m / e->planes.held / e->ny);
}
/* Reorders an array of the deck into cell order. */
HP_INLINE void hp_ecl_to_cells(const hp_ecl *e, const double *natural, double *cells) {
  hp_grid_from_natural(e->planes.held, e->ny, e->nz, natural, cells);
}

/* ---- decks whose cells are spread over ranks (core/ranks/spread.h): io/eclipse/spread ---- */

/* Returns HP_ERR_WHOLE, with the present keyword and `what`, which the case keeps if it is the first; HP_OK in a
 * process with all cells. */
hp_status hp_ecl_no_planes(hp_ecl *e, const char *what) HP_MUST_USE;
/* Opens a file on rank 0 for all ranks (hp_ecl_open). */
hp_status hp_ecl_open_all(hp_ecl *e, const char *path, const char *file) HP_MUST_USE;
/* Sends rank 0's path to all ranks, whose *path is NULL before. */
hp_status hp_ecl_share_path(hp_ecl *e, hp_status found, char **path) HP_MUST_USE;

/* Reads the records of a gap in pieces of text; read(e) reads the next record. */
hp_status hp_ecl_read_gap_records(hp_ecl *e, const hp_ecl_gap *gap, int line, hp_status (*read)(hp_ecl *e)) HP_MUST_USE;

/* The numbers of a gap of the text in pieces; a default is NAN. */
typedef struct hp_ecl_gap_numbers {
  int64_t count; /* 0: there are no more */
  double *value; /* [count] */
  hp_spread *P;
  hp_stream in;
  int64_t words, repeat; /* left */
  double repeated;
} hp_ecl_gap_numbers;

hp_status hp_ecl_gap_open(hp_ecl *e, const hp_ecl_token *t, hp_ecl_gap_numbers *g) HP_MUST_USE;
hp_status hp_ecl_gap_next(hp_ecl_gap_numbers *g) HP_MUST_USE;
void hp_ecl_gap_close(hp_ecl_gap_numbers *g);

/* ---- io/eclipse/record.c ---- */

/* Reports "FILE:LINE: KEYWORD: text" and returns HP_ERR_DECK. */
hp_status hp_ecl_error(hp_ecl *e, const char *file, int line, const char *fmt, ...) HP_PRINTF(4, 5);
/* The same about item n, from 0, of a record of the keyword: "item 3 (name)text". */
hp_status hp_ecl_item_error(hp_ecl *e, const hp_ecl_record *record, int n, const char *fmt, ...) HP_PRINTF(4, 5);
/* The same about a keyword of the deck, once all is read. */
hp_status hp_ecl_error_at(hp_ecl *e, const char *keyword, const char *text);
/* Reports a name that is not a text or has control characters, although it is not used. */
hp_status hp_ecl_check_name(hp_ecl *e, const hp_ecl_token *t);
/* The group of a record of WELSPECS, which is there from now on. */
hp_status hp_ecl_group_of_well(hp_ecl *e, const hp_ecl_record *record, int *g) HP_MUST_USE;
void hp_ecl_note(hp_ecl *e, const char *file, int line, const char *fmt, ...) HP_PRINTF(4, 5);

/* Reads one record of the keyword's items; *empty: it held nothing. Faults of items are reported and set
 * record->faulty. HP_ERR_DECK if the '/' is missing, so that the record's end is not known. */
hp_status hp_ecl_read_record(hp_ecl *e, const hp_ecl_item *item, int items, hp_ecl_record *out,
                             bool *empty) HP_MUST_USE;

/* Skips numbers up to and including the '/', those of an array that is not kept. */
hp_status hp_ecl_skip_numbers(hp_ecl *e) HP_MUST_USE;

hp_status hp_ecl_names_add(hp_ecl_names *names, const char *name) HP_MUST_USE;

/* Reports that a keyword of a section is missing and returns HP_ERR_DECK; HP_OK, in a deck with other errors, if one of
 * `keywords` ("DX|DXV") is there, sound or not, or words of the section were lost. */
hp_status hp_ecl_missing(hp_ecl *e, hp_ecl_section section, const char *keywords, const char *text);

/* Whether a '/' comes next: an empty record. */
bool hp_ecl_slash_next(const hp_ecl *e);

/* Whether records follow and not a keyword: a number, a default, quotes or a slash comes next. */
bool hp_ecl_data_follow(const hp_ecl *e);

/* Skips words up to '/'; *empty: there were none. HP_ERR_DECK if the '/' is missing. */
hp_status hp_ecl_skip_record(hp_ecl *e, bool *empty) HP_MUST_USE;

/* Reads mnemonics up to '/', each with its value, 1 where it has none: of RPTRST and its like. */
hp_status hp_ecl_read_mnemonics(hp_ecl *e, void (*take)(hp_ecl *e, const char *name, int value)) HP_MUST_USE;

/* Reads the next word of a record for a handler. HP_ERR_DECK if the '/' is missing: the file ended, or the word is a
 * keyword alone on its line. */
hp_status hp_ecl_word(hp_ecl *e, hp_ecl_token *t) HP_MUST_USE;
/* The same, or HP_ECL_GAP. */
hp_status hp_ecl_word_or_gap(hp_ecl *e, hp_ecl_token *t) HP_MUST_USE;

/* Rows of numbers; columns begin .. end - 1 are kept. */
typedef struct hp_ecl_rows {
  int64_t rows, length, begin, end;
} hp_ecl_rows;

/* Reads the numbers of all rows and the '/', and keeps out [rows][end - begin] in SI. */
hp_status hp_ecl_read_rows(hp_ecl *e, hp_quantity quantity, const hp_ecl_rows *r, double *out) HP_MUST_USE;
/* Reads exactly `count` numbers and the '/' into out, in SI. */
hp_status hp_ecl_read_numbers(hp_ecl *e, hp_quantity quantity, int64_t count, double *out) HP_MUST_USE;

/* Reads a record of rows of `columns` numbers; defaults are NAN, words that are
 * no numbers are reported and become infinite. *out [rows][columns] in deck units
 * (HP_ALLOC). */
hp_status hp_ecl_read_table(hp_ecl *e, int columns, int *rows, double **out) HP_MUST_USE;

/* A copy of n characters of text (HP_ALLOC). */
hp_status hp_ecl_text(const char *text, size_t n, char **out) HP_MUST_USE;

/* ---- io/eclipse/files.c ---- */

/* Opens the deck itself and sets e->folder. */
hp_status hp_ecl_file_start(hp_ecl *e, const char *path) HP_MUST_USE;

/* The same for a name with `ending`; *path is NULL if there is none. */
hp_status hp_ecl_file_look(hp_ecl *e, const hp_ecl_token *name, const char *ending, char **path) HP_MUST_USE;

/* ---- io/eclipse/arrays ---- */

const char *hp_ecl_array_name(hp_ecl_array_id id);
/* Advice on an array that does not fit a grid of --set: "; give ... too", else "". */
const char *hp_ecl_array_advice(const hp_ecl *e, hp_ecl_array_id id, char out[160]);
/* Allocates the array, all NAN, if there is none yet. */
hp_status hp_ecl_array_make(hp_ecl *e, hp_ecl_array_id id) HP_MUST_USE;
/* An array's quantity, default, smallest and largest value. */
hp_quantity hp_ecl_array_quantity(hp_ecl_array_id id);
double hp_ecl_array_fallback(hp_ecl_array_id id);
void hp_ecl_array_range(hp_ecl_array_id id, double *min, double *max);
/* Whether the array is computed from the cells where the deck does not give it: PORV, TRANX, TRANY, TRANZ. */
bool hp_ecl_array_computed(hp_ecl_array_id id);
/* Whether values are whole numbers: SATNUM and the like. */
bool hp_ecl_array_regions(hp_ecl_array_id id);
/* Replaces the limits of box that items v[first] .. v[first+5] give, counted from 1. */
hp_status hp_ecl_read_box(hp_ecl *e, const hp_ecl_record *record, int first, int box[6]) HP_MUST_USE;
void hp_ecl_box_reset(hp_ecl *e);

/* ---- what is done once all is read ---- */

/* Into the case, before the options are laid over it ... */
hp_status hp_ecl_finish_grid(hp_ecl *e) HP_MUST_USE; /* io/eclipse/grid.c */
/* Corner-point grids (io/eclipse/corners.c): sizes and tops as arrays, then depths, pore volumes and
 * transmissibilities. */
hp_status hp_ecl_corner_sizes(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_corner_fill(hp_ecl *e) HP_MUST_USE;
/* NEWTRAN: gives corners to blocks that do not line up, and connects them where they touch. */
hp_status hp_ecl_block_corners(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_finish_faces(hp_ecl *e) HP_MUST_USE; /* io/eclipse/faces.c: multipliers of faults and regions */
/* Makes connections of cells that are not neighbours (io/eclipse/connections.c); e->links has those across faults. */
hp_status hp_ecl_finish_connections(hp_ecl *e) HP_MUST_USE;
/* Multipliers of SCHEDULE (io/eclipse/changes.c): reads those of a fault and of the cells of the box, and puts all into
 * the case. */
hp_status hp_ecl_change_fault(hp_ecl *e, const hp_ecl_record *record, const char *name) HP_MUST_USE;
hp_status hp_ecl_change_faces(hp_ecl *e, hp_ecl_array_id id) HP_MUST_USE;
hp_status hp_ecl_finish_changes(hp_ecl *e, const hp_case_links *links) HP_MUST_USE;
void hp_ecl_changes_clear(hp_ecl *e);
/* Apply multipliers of faces, faults and regions to links, and those of regions to connections of NNC. */
hp_status hp_ecl_multiply_links(hp_ecl *e, hp_case_links *links) HP_MUST_USE;
hp_status hp_ecl_multiply_given(hp_ecl *e, hp_case_links *links) HP_MUST_USE;
hp_status hp_ecl_finish_fluid(hp_ecl *e) HP_MUST_USE; /* io/eclipse/fluids */
hp_status hp_ecl_finish_initial(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_finish_schedule(hp_ecl *e) HP_MUST_USE; /* io/eclipse/schedule.c */

/* ... and after that: what is missing, and what follows from grid and wells as they are now. */
hp_status hp_ecl_complete_grid(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_complete_fluid(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_complete_aquifers(hp_ecl *e) HP_MUST_USE; /* io/eclipse/aquifers */
hp_status hp_ecl_complete_initial(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_complete_schedule(hp_ecl *e) HP_MUST_USE;

hp_status hp_ecl_complete_summary(hp_ecl *e) HP_MUST_USE; /* io/eclipse/summary.c */

/* Reads the vector e->name of SUMMARY. *known: its data are read, too. And the note about those that are not. */
hp_status hp_ecl_read_vector(hp_ecl *e, bool *known) HP_MUST_USE;
/* Whether the keyword e->name is a vector of the program's work (TCPU), or asks for all of them. */
bool hp_ecl_is_work(const hp_ecl *e);

/* ---- GAS that is only a word: io/eclipse/gas.c. Decks without GAS pass all of it over ---- */

/* Takes the least gas saturation of the table e->table, and kro there (NAN: none). */
hp_status hp_ecl_gas_at_start(hp_ecl *e, double gas, double kro) HP_MUST_USE;
/* Check the tables SGOF, SGFN, SLGOF, and the values of SGAS, SGL. */
hp_status hp_ecl_judge_gas_tables(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_judge_gas_cells(hp_ecl *e) HP_MUST_USE;
/* Checks a record that adds `value` to the array of `entry`, or sets it; NAN: values of another array. */
hp_status hp_ecl_judge_gas_record(hp_ecl *e, const hp_ecl_keyword_entry *entry, const hp_ecl_record *record,
                                  const char *name, double value) HP_MUST_USE;
/* Refuses wells that have injected gas up to the present time of the schedule, where it goes on or ends. */
void hp_ecl_judge_gas_injectors(hp_ecl *e);
/* Checks items 1, 5 and 6 of EQUIL. */
hp_status hp_ecl_gas_contact(hp_ecl *e, const hp_ecl_record *record) HP_MUST_USE;
hp_status hp_ecl_complete_gas(hp_ecl *e) HP_MUST_USE;

/* WATER alone: no cell holds the oil that the program needs (io/eclipse/fluids/regions.c). */
HP_INLINE bool hp_ecl_water_alone(const hp_ecl *e) { return e->water && !e->oil && !e->gas; }

/* ---- the options: io/eclipse/set.c ---- */

/* Finds, before the deck is read, the arrays and the grid size that options replace. */
void hp_ecl_claim(hp_ecl *e);

/* Whether an option changes the deck's cells other than by refining them. */
bool hp_ecl_claims_cells(const hp_ecl *e);

/* The key of hepta's own decks for an array, or NULL. */
const char *hp_ecl_array_key(hp_ecl_array_id id);

/* Sets the grid's size where DIMENS says n. */
hp_status hp_ecl_resize(hp_ecl *e, const int n[3]) HP_MUST_USE;

/* ---- io/eclipse/aquifers/analytic.c ---- */

void hp_ecl_aquifers_clear(hp_ecl *e);
/* Sets direction and side by the choice of item 8. */
void hp_ecl_aquifer_face(int choice, hp_aquifer_faces *f);

/* ---- io/eclipse/aquifers/numerical.c: in this order, while the grid is made and after that ---- */

hp_status hp_ecl_start_numerical(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_isolate_numerical(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_link_numerical(hp_ecl *e, hp_case_links *links) HP_MUST_USE;
hp_status hp_ecl_complete_numerical(hp_ecl *e) HP_MUST_USE;
void hp_ecl_numerical_clear(hp_ecl *e);

/* ---- the start of a run that goes on from another one's: io/eclipse/restart/begin.c ---- */

void hp_ecl_restart_clear(hp_ecl *e);
/* Takes the time of the report and its wells, without SKIPREST, before the first word of SCHEDULE. */
hp_status hp_ecl_restart_begin(hp_ecl *e) HP_MUST_USE;
/* The same with SKIPREST, when the schedule has come to `time`. */
hp_status hp_ecl_restart_reach(hp_ecl *e, double time) HP_MUST_USE;
/* Takes totals of wells and the remaining steps at the schedule's end. */
hp_status hp_ecl_restart_schedule(hp_ecl *e) HP_MUST_USE;
/* Takes pressures and saturations in place of the deck's initial state. */
hp_status hp_ecl_restart_state(hp_ecl *e) HP_MUST_USE;
/* Takes aquifers of the file that the deck does not have, and the earlier influx of one of the deck's (at
 * file:line). */
hp_status hp_ecl_restart_aquifers(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_restart_aquifer(hp_ecl *e, hp_aquifer_spec *a, const char *file, int line) HP_MUST_USE;
/* Takes totals of numerical aquifers, if the file has them. */
void hp_ecl_restart_numerical(const hp_ecl *e);

/* ---- wells by name: io/eclipse/wells/wells.c ---- */

/* Says whether a name means the well: its own, a pattern ("P*"; "\*P" where that begins with '*'), or one of its lists
 * ("*NAME", or a pattern of them). */
bool hp_ecl_means_well(const hp_ecl *e, const char *name, int well);

/* Calls visit(e, w, record) for each well that a name, a pattern (P*, ?) or a list (*NAME) means; none is an error. */
hp_status hp_ecl_wells_each(hp_ecl *e, const hp_ecl_record *record,
                            hp_status (*visit)(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record)) HP_MUST_USE;

/* HP_ERR_DECK if item 7 of COMPDAT names another saturation table than that of the connection's cell. */
hp_status hp_ecl_check_tables(hp_ecl *e) HP_MUST_USE;

/* Adds an event with the well's present control at the present time; given: HP_GIVEN_*. */
hp_status hp_ecl_event_add(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, hp_given given) HP_MUST_USE;

/* Adds a change of the well's connections at the present time; unset members mean all cells and no change. */
hp_status hp_ecl_change_add(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, hp_perf_event change) HP_MUST_USE;
/* Numbers of completions for the simulator, in wells where COMPLUMP has lumped some: of the connection in the cell of `at`,
 * or of all. */
hp_status hp_ecl_tell_numbers(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record,
                              const hp_perf_spec *at) HP_MUST_USE;
/* Asks for the log of a well that opens now, if WRFT does so of all (io/eclipse/wells/output.c). */
hp_status hp_ecl_log_opening(hp_ecl *e, const hp_ecl_well *w) HP_MUST_USE;
/* Each connection of a well with segments is in one (COMPSEGS); the reference depth becomes that of segment 1. */
hp_status hp_ecl_check_seats(hp_ecl *e, int well) HP_MUST_USE;
/* Shuts the well at the present time. */
hp_status hp_ecl_shut(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) HP_MUST_USE;

/* Shuts open wells without an open connection, before time goes on. */
hp_status hp_ecl_shut_closed_wells(hp_ecl *e) HP_MUST_USE;

/* The number of a control's item in messages. */
HP_INLINE int hp_ecl_control_number(bool injector) {
  return injector ? HP_ECL_NUMBER(wconinje, control) : HP_ECL_NUMBER(wconprod, control);
}
/* Opens or shuts connections by items I, J, K of WELOPEN. */
hp_status hp_ecl_connections_open(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, bool open) HP_MUST_USE;

/* The name of the lift table with that number (io/eclipse/wells/lift.c). */
void hp_ecl_lift_name(bool injector, int64_t number, char out[HP_WELL_NAME]);

/* Whether later keywords about the well's connections are events and do not change its initial ones. */
bool hp_ecl_has_flowed(const hp_ecl *e, const hp_ecl_well *w);

/* Creates the array or the wells of a faulty record, whose fault has been reported, so that they are not reported as
 * missing. */
hp_status hp_ecl_faulty(hp_ecl *e, const hp_ecl_record *record) HP_MUST_USE;
hp_status hp_ecl_array_faulty(hp_ecl *e, const hp_ecl_value *array) HP_MUST_USE; /* io/eclipse/arrays */

/* ---- handlers, by file ---- */

#define HP_ECL_HANDLER_LIST(X) \
  X(section)                   \
  X(dimens)                    \
  X(phase)                     \
  X(units)                     \
  X(title)                     \
  X(start)                     \
  X(tabdims)                   \
  X(eqldims)                   \
  X(endscale)                  \
  X(scalecrs)                  \
  X(tolcrit)                   \
  X(satopts)                   \
  X(ehystr)                    \
  X(end_depths)                \
  X(jfunc)                     \
  X(ppcwmax)                   \
  X(rockopts)                  \
  X(rockcomp)                  \
  X(rktrmdir)                  \
  X(numres)                    \
  X(specgrid)                  \
  X(coordsys)                  \
  X(include)                   \
  X(endinc)                    \
  X(end)                       \
  X(paths)                     \
  X(skip)                      \
  X(endskip)                   \
  X(cells)                     \
  X(sizes)                     \
  X(box)                       \
  X(endbox)                    \
  X(equals)                    \
  X(add)                       \
  X(multiply)                  \
  X(copy)                      \
  X(copyreg)                   \
  X(operate)                   \
  X(operater)                  \
  X(minpv)                     \
  X(depthz)                    \
  X(tran)                      \
  X(minvalue)                  \
  X(maxvalue)                  \
  X(equalreg)                  \
  X(addreg)                    \
  X(multireg)                  \
  X(multregt)                  \
  X(gridopts)                  \
  X(faults)                    \
  X(multflt)                   \
  X(gridunit)                  \
  X(pinch)                     \
  X(nnc)                       \
  X(coord)                     \
  X(zcorn)                     \
  X(density)                   \
  X(gravity)                   \
  X(pvtw)                      \
  X(pvcdo)                     \
  X(pvdo)                      \
  X(rock)                      \
  X(rocktab)                   \
  X(swof)                      \
  X(swfn)                      \
  X(sof2)                      \
  X(sof3)                      \
  X(pvto)                      \
  X(equil)                     \
  X(eqlopts)                   \
  X(thpres)                    \
  X(thpresft)                  \
  X(restart)                   \
  X(skiprest)                  \
  X(aqutab)                    \
  X(aquct)                     \
  X(aqufetp)                   \
  X(aquflux)                   \
  X(aquancon)                  \
  X(aqunum)                    \
  X(aqucon)                    \
  X(welspecs)                  \
  X(compdat)                   \
  X(compord)                   \
  X(complump)                  \
  X(welsegs)                   \
  X(compsegs)                  \
  X(nosim)                     \
  X(vfp)                       \
  X(wconprod)                  \
  X(wconinje)                  \
  X(welopen)                   \
  X(weltarg)                   \
  X(welcntl)                   \
  X(wlist)                     \
  X(gruptree)                  \
  X(gefac)                     \
  X(gecon)                     \
  X(gconprod)                  \
  X(gconinje)                  \
  X(wgrupcon)                  \
  X(wconhist)                  \
  X(wconinjh)                  \
  X(whistctl)                  \
  X(wefac)                     \
  X(wecon)                     \
  X(wtest)                     \
  X(wcutback)                  \
  X(wpimult)                   \
  X(rptrst)                    \
  X(rptsched)                  \
  X(rptsol)                    \
  X(wpave)                     \
  X(wwpave)                    \
  X(wpavedep)                  \
  X(wrft)                      \
  X(wrftplt)                   \
  X(tstep)                     \
  X(time)                      \
  X(dates)                     \
  X(nextstep)                  \
  X(tuning)                    \
  X(actionx)                   \
  X(endactio)                  \
  X(udq)                       \
  X(udt)                       \
  X(udqparam)

#define HP_ECL_HANDLER(name) hp_status hp_ecl_do_##name(hp_ecl *e, const hp_ecl_record *record) HP_MUST_USE;
HP_ECL_HANDLER_LIST(HP_ECL_HANDLER)
#undef HP_ECL_HANDLER

#endif
