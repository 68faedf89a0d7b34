/* Private to io/eclipse: keywords, records, and what is known so far.
 *
 * A fault of the deck is reported with hp_ecl_error, which returns
 * HP_ERR_DECK. Whoever reads on can drop that status (the fault is kept in
 * diag); any other failure goes up at once.
 */
#ifndef HP_IO_ECLIPSE_IMPL_H
#define HP_IO_ECLIPSE_IMPL_H

#include "io/case/case.h"
#include "io/eclipse/lexer.h"

typedef struct hp_ecl hp_ecl;
typedef struct hp_ecl_restart hp_ecl_restart; /* io/eclipse/restart/restart.h */

/* ---- sections, in their order ---- */

typedef enum {
  HP_ECL_NOWHERE = 0, /* before RUNSPEC */
  HP_ECL_RUNSPEC = 1,
  HP_ECL_GRID = 2,
  HP_ECL_EDIT = 4,
  HP_ECL_PROPS = 8,
  HP_ECL_REGIONS = 16,
  HP_ECL_SOLUTION = 32,
  HP_ECL_SUMMARY = 64,
  HP_ECL_SCHEDULE = 128,
  HP_ECL_ANYWHERE = 255
} hp_ecl_section;

/* ---- cell arrays ---- */

/* X(NAME, quantity, value of cells that the deck leaves out (NAN: none), smallest and largest value in SI) */
#define HP_ECL_ARRAY_LIST(X)                    \
  X(DX, LENGTH, NAN, 0.0, INFINITY)             \
  X(DY, LENGTH, NAN, 0.0, INFINITY)             \
  X(DZ, LENGTH, NAN, 0.0, INFINITY)             \
  X(TOPS, LENGTH, NAN, -INFINITY, INFINITY)     \
  X(PORO, NONE, NAN, 0.0, 1.0)                  \
  X(PERMX, PERMEABILITY, NAN, 0.0, INFINITY)    \
  X(PERMY, PERMEABILITY, NAN, 0.0, INFINITY)    \
  X(PERMZ, PERMEABILITY, NAN, 0.0, INFINITY)    \
  X(NTG, NONE, 1.0, 0.0, INFINITY)              \
  X(ACTNUM, NONE, 1.0, 0.0, 1.0)                \
  X(MULTPV, NONE, 1.0, 0.0, INFINITY)           \
  X(MULTX, NONE, 1.0, 0.0, INFINITY)            \
  X(MULTY, NONE, 1.0, 0.0, INFINITY)            \
  X(MULTZ, NONE, 1.0, 0.0, INFINITY)            \
  X(MULTX_, NONE, 1.0, 0.0, INFINITY)           \
  X(MULTY_, NONE, 1.0, 0.0, INFINITY)           \
  X(MULTZ_, NONE, 1.0, 0.0, INFINITY)           \
  X(PORV, RESERVOIR_VOLUME, NAN, 0.0, INFINITY) \
  X(TRANX, CONNECTION, NAN, 0.0, INFINITY)      \
  X(TRANY, CONNECTION, NAN, 0.0, INFINITY)      \
  X(TRANZ, CONNECTION, NAN, 0.0, INFINITY)      \
  X(FLUXNUM, NONE, 1.0, 0.0, INFINITY)          \
  X(MULTNUM, NONE, 1.0, 0.0, INFINITY)          \
  X(OPERNUM, NONE, 1.0, 0.0, INFINITY)          \
  X(PRESSURE, PRESSURE, NAN, 0.0, INFINITY)     \
  X(SWAT, NONE, NAN, 0.0, 1.0)                  \
  X(SOIL, NONE, NAN, 0.0, 1.0)                  \
  X(SWL, NONE, NAN, 0.0, 1.0)                   \
  X(SWCR, NONE, NAN, 0.0, 1.0)                  \
  X(SWU, NONE, NAN, 0.0, 1.0)                   \
  X(SOWCR, NONE, NAN, 0.0, 1.0)                 \
  X(KRW, NONE, NAN, 0.0, INFINITY)              \
  X(KRO, NONE, NAN, 0.0, INFINITY)              \
  X(PCW, PRESSURE, NAN, 0.0, INFINITY)          \
  X(SWATINIT, NONE, NAN, 0.0, 1.0)              \
  X(SATNUM, NONE, 1.0, 1.0, INFINITY)           \
  X(PVTNUM, NONE, 1.0, 1.0, INFINITY)           \
  X(EQLNUM, NONE, 1.0, 1.0, INFINITY)           \
  X(ROCKNUM, NONE, 1.0, 1.0, INFINITY)          \
  X(FIPNUM, NONE, 1.0, -INFINITY, INFINITY)

typedef enum {
#define HP_ECL_ARRAY_ENUM(name, quantity, fallback, min, max) HP_ECL_##name,
  HP_ECL_ARRAY_LIST(HP_ECL_ARRAY_ENUM)
#undef HP_ECL_ARRAY_ENUM
      HP_ECL_ARRAYS
} hp_ecl_array_id;

/* State of an array: [nz][ny][nx] in SI, NAN where not set yet. */
typedef struct hp_ecl_array {
  double *value;          /* NULL: not named yet */
  hp_ecl_section section; /* that set it last */
  const char *file;       /* where it was set last */
  int line;
  bool faulty;                /* its values have a fault that is reported: they cannot be judged */
  bool claimed;               /* --set gives the array anew */
  double *before;             /* of a multiplier that EDIT sets: what GRID has left, which it multiplies; else NULL */
  double *factor;             /* of what follows from the cells, where value is NAN (PORV, TRANX, ...); NULL: 1 */
  double *shift, *low, *high; /* what follows times factor, plus shift, not below low, not above high; NULL: as is */
} hp_ecl_array;

/* Result of OPERATE for the source x, item alpha a and item beta b; those at the end also of the target r. */
#define HP_ECL_MAPS "COPY|MULTA|SLOG|LOG10|LOGE|INV|MULTX|ADDX|MAXLIM|MINLIM|MULTP|ABS|MULTIPLY|POLY"

/* ---- keywords and records ---- */

typedef enum { HP_ECL_INT, HP_ECL_REAL, HP_ECL_TEXT } hp_ecl_type;

typedef enum {
  HP_ECL_REQUIRED, /* must be given */
  HP_ECL_OPTIONAL, /* `fallback` when left out */
  HP_ECL_ONLY,     /* left out, or equal to `fallback` (text: to the first choice); else the run stops */
  HP_ECL_UNUSED    /* may be given, has no bearing on oil-water results */
} hp_ecl_need;

typedef enum { HP_ECL_ANY, HP_ECL_NOT_NEGATIVE, HP_ECL_POSITIVE } hp_ecl_range;

typedef struct hp_ecl_item {
  const char *name; /* for messages and the document */
  hp_ecl_type type;
  hp_ecl_need need;
  hp_quantity quantity;
  double fallback;     /* in SI; NAN: stays unset */
  const char *choices; /* texts: "OPEN|SHUT", NULL: any; the first stands for a missing one */
  hp_ecl_range range;  /* of a number that is given */
} hp_ecl_item;

typedef struct hp_ecl_value {
  bool given;
  double x;          /* numbers: SI value, or the fallback */
  int64_t i;         /* integers */
  int choice;        /* place in `choices`; -1: none (not given and not needed) */
  hp_ecl_token text; /* the token; kind HP_ECL_END when not given */
} hp_ecl_value;

enum { HP_ECL_ITEMS = 26 };

typedef struct hp_ecl_record {
  const char *file;
  int line;
  bool faulty;                  /* an item was reported; the record was read to its end */
  hp_ecl_value v[HP_ECL_ITEMS]; /* as many as the keyword has items; v[0] is item 1 */
} hp_ecl_record;

typedef enum {
  HP_ECL_FLAG,   /* no records */
  HP_ECL_RECORD, /* one record */
  HP_ECL_LIST,   /* records up to an empty one */
  HP_ECL_TABLES, /* a record for each of e->tables[argument] regions; of what does not work: while data follow */
  HP_ECL_BLOCK,  /* a record, then all up to the word that ends it (ENDFIN, ...) */
  HP_ECL_RAW     /* the handler reads the words itself */
} hp_ecl_shape;

typedef enum {
  HP_ECL_WORKS,
  HP_ECL_SKIPPED, /* `remark`: why it has no bearing on results */
  HP_ECL_REFUSED  /* `remark`: why the run stops */
} hp_ecl_fate;

typedef struct hp_ecl_keyword_entry {
  const char *name;
  unsigned sections; /* HP_ECL_RUNSPEC | ... */
  hp_ecl_fate fate;
  hp_ecl_shape shape;
  const hp_ecl_item *item;
  int items;
  /* Called for the keyword (FLAG, RAW: record is NULL) or for each record. */
  hp_status (*handler)(hp_ecl *e, const hp_ecl_record *record);
  int argument;       /* read by handlers that serve several keywords: e->entry->argument */
  const char *remark; /* what it does, or why it is skipped or refused: docs/reference/eclipse.md */
} hp_ecl_keyword_entry;

/* What works, in the document's order; and what does not: rows whose name is a list of names (io/eclipse/others.c),
 * whose argument is one of these. */
typedef enum {
  HP_ECL_PLAIN,
  HP_ECL_GAS,      /* no bearing on the results in a deck without gas */
  HP_ECL_STANDS_IN /* it says what other keywords would say: what its section lacks is not missed */
} hp_ecl_other_kind;
const hp_ecl_keyword_entry *hp_ecl_table(int *count);
const hp_ecl_keyword_entry *hp_ecl_others(int *count);
/* The entry of a name (any case; NULL: unknown), among all or among those that do not work. */
const hp_ecl_keyword_entry *hp_ecl_find(const hp_ecl_token *name);
const hp_ecl_keyword_entry *hp_ecl_find_other(const hp_ecl_token *name);
/* The keyword nearest to a name; "": none is near. */
void hp_ecl_nearest(const char *name, char out[HP_ECL_KEYWORD + 1]);
const char *hp_ecl_section_name(unsigned section);

/* Counts of several tables. */
typedef enum { HP_ECL_BY_SATNUM, HP_ECL_BY_PVTNUM, HP_ECL_BY_EQLNUM, HP_ECL_BY_ROCKNUM, HP_ECL_BY } hp_ecl_by;

/* The three records of TUNING. */
extern const hp_ecl_item hp_ecl_tuning_1[10], hp_ecl_tuning_2[13], hp_ecl_tuning_3[10];

/* ---- wells while the deck is read ---- */

typedef struct hp_ecl_well {
  hp_well_spec spec; /* perf has room for perf_capacity */
  int perf_capacity;
  hp_well_control control; /* in force; control.control is the mode wanted, also while shut */
  bool controlled;         /* has had WCONPROD or WCONINJE */
  bool by_history;         /* its control is of WCONHIST or WCONINJH */
  bool apart;              /* WGRUPCON: it takes no part in targets of the field */
  bool open;
  double opened;              /* time it first opened [s], NAN: never */
  bool changes;               /* there are events of its connections: later words about them are events too */
  const char *connected_file; /* the latest word about its connections */
  int connected_line;
  bool faulty;             /* WELSPECS or COMPDAT of it has a fault: where it runs is not judged */
  bool control_faulty;     /* a control of it has: one that it lacks is not missed */
  const char *misfit_file; /* the first COMPDAT that another size of grid leaves outside, NULL: none */
  int misfit_line;
} hp_ecl_well;

/* A named list of wells (WLIST). */
typedef struct hp_ecl_well_list {
  char name[HP_WELL_NAME];
  int count, capacity;
  int *well;
} hp_ecl_well_list;

/* A plane of faces (FAULTS): those of the box towards +d or -d, or, with MULTREGT, all between two regions. */
typedef struct hp_ecl_fault {
  char name[HP_WELL_NAME];
  int box[6]; /* 0-based, inclusive */
  int d;      /* HP_DIR_* */
  bool minus;
  double factor;
} hp_ecl_fault;

/* A record of MULTREGT. */
typedef struct hp_ecl_regions {
  hp_ecl_array_id array; /* FLUXNUM, MULTNUM, OPERNUM */
  int from, to;          /* 0: any */
  bool neighbours;       /* it multiplies faces of neighbours, */
  bool others;           /* connections of cells that are not neighbours */
  bool dir[HP_DIRS];
  double factor;
  const char *file;
  int line;
} hp_ecl_regions;

/* MULTFLT, or MULTX and the like, in SCHEDULE. */
typedef struct hp_ecl_change {
  double time;
  char what[HP_WELL_NAME]; /* pattern of the fault's name; the keyword */
  double factor;           /* of the fault */
  int d; /* MULTX ...: HP_DIR_*, whether towards -d, box (0-based, inclusive), a value a cell, i fastest */
  bool minus;
  int box[6];
  double *value; /* NULL: a fault */
  const char *file;
  int line;
} hp_ecl_change;

/* A record of NNC, EDITNNC, EDITNNCR. */
typedef enum { HP_ECL_NNC, HP_ECL_EDITNNC, HP_ECL_EDITNNCR } hp_ecl_pair_kind;
typedef struct hp_ecl_pair {
  hp_ecl_pair_kind kind;
  int cell[2][3]; /* i, j, k, 0-based */
  double x;       /* transmissibility [m3], factor, transmissibility */
  const char *file;
  int line;
} hp_ecl_pair;

/* PINCH. */
typedef struct hp_ecl_pinch {
  bool given;
  double thickness; /* [m] thinner cells that are not active let connections pass */
  bool thin_only;   /* NOGAP: those with little pore volume must be thin, too */
  double gap;       /* [m] the largest one between two cells that are connected */
  bool through;     /* ALL: the cells between them resist */
  bool smallest;    /* ALL: the smallest multiplier along the way counts */
} hp_ecl_pinch;

/* A record of AQUNUM. */
typedef struct hp_ecl_numerical {
  int number; /* of the aquifer */
  int ijk[3]; /* 0-based */
  double area, length, porosity, permeability;
  double depth, pressure; /* NAN: the cell's, that of the equilibrium; the porosity likewise */
  int table[2];           /* of PVT and saturation functions, from 1; 0: the cell's */
  const char *file;
  int line;
} hp_ecl_numerical;

/* A record of AQUANCON or AQUCON. */
typedef struct hp_ecl_aquifer_faces {
  int number;         /* of the aquifer */
  int box[6];         /* 0-based, inclusive */
  int d;              /* HP_DIR_* */
  bool minus, inside; /* inside: also faces towards active cells */
  double coefficient; /* [m2] NAN: the face's area */
  double multiplier;
  bool by_face; /* AQUCON: the aquifer's half transmissibility has the face's area */
  double *mult; /* AQUCON: [cells of the box, k fastest, then j] multipliers of these faces by MULTX and the like */
  const char *file;
  int line;
} hp_ecl_aquifer_faces;

/* A table of AQUTAB. */
typedef struct hp_ecl_influence {
  int rows;
  double *cell; /* [rows][2] dimensionless time and pressure */
} hp_ecl_influence;

/* A record of AQUCT, AQUFETP, AQUFLUX. */
typedef struct hp_ecl_aquifer {
  hp_aquifer_spec spec; /* without table and connections */
  int table;            /* of influence, from 1 */
  const char *file;
  int line;
} hp_ecl_aquifer;

/* A record of ROCK. */
typedef struct hp_ecl_rock {
  hp_rock_spec spec;
  bool repeats; /* it holds nothing: the record before says it */
  const char *file;
  int line;
} hp_ecl_rock;

/* COMPDAT item 7: a saturation table for connections. */
typedef struct hp_ecl_table_of {
  int well, i, j, k[2]; /* 0-based, both included */
  int table;            /* from 1 */
  const char *file;
  int line;
} hp_ecl_table_of;

typedef struct hp_ecl_alias {
  char *name, *path;
} hp_ecl_alias;

/* ---- the reader ---- */

typedef struct hp_ecl_place {
  const char *file;
  int line;
} hp_ecl_place;

/* A keyword that stops the run: one message when the deck has been read. */
typedef struct hp_ecl_stop {
  char name[41];      /* as the deck has it first */
  const char *remark; /* NULL: an unknown keyword */
  const char *file;
  int line, count;
} hp_ecl_stop;

/* Names for one note at the end, each once. */
typedef struct hp_ecl_names {
  int count, capacity;
  char (*name)[HP_ECL_KEYWORD + 1];
} hp_ecl_names;

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
  bool units_given, oil, water;
  int nx, ny, nz;    /* 0 before DIMENS */
  int deck_size[3];  /* what DIMENS says; nx, ny, nz differ where --set gives another size */
  bool resized;      /* they do differ */
  bool unsized;      /* DIMENS is faulty or missing: cells cannot be judged */
  int64_t start_day; /* days since 1970-01-01 */
  double start_second;
  int aliases, alias_capacity;
  hp_ecl_alias *alias;

  /* cells */
  hp_ecl_array array[HP_ECL_ARRAYS];
  double *sizes[3]; /* DXV [nx], DYV [ny], DZV [nz], in m; NULL: not given */
  bool corners;     /* COORD or ZCORN was met, the latest here: */
  const char *corners_file;
  int corners_line;
  double *coord;       /* [ny+1][nx+1][6] pillars, m */
  double *zcorn;       /* [2 nz][2 ny][2 nx] depths, m */
  int box[6];          /* of BOX: i1 i2 j1 j2 k1 k2, 0-based, inclusive */
  int record_box[6];   /* of the latest record of EQUALS, ADD, ...: starts as box, kept from record to record */
  bool newtran, minpv; /* NEWTRAN, MINPV were given */
  hp_ecl_pinch pinch;
  double *side[HP_DIRS][2]; /* [ncell] in cell order: MULTX and MULTX- ..., for connections; NULL: 1 */
  hp_case_links links;      /* across faults */
  int pairs, pair_capacity;
  hp_ecl_pair *pair; /* [pairs] */
  bool multnum;      /* GRIDOPTS: MULTREGT means MULTNUM where it does not say */
  int faults, fault_capacity;
  hp_ecl_fault *fault;
  int changes, changes_capacity;
  hp_ecl_change *change; /* [changes] times not falling */
  int between, between_capacity;
  hp_ecl_regions *region; /* [between] */

  /* PROPS, SOLUTION */
  int tables[HP_ECL_BY]; /* how many, of TABDIMS and EQLDIMS */
  int table;             /* the one whose record is being handled, from 0 */
  bool equil, rock, density;
  bool thresholds; /* EQLOPTS has THPRES */
  bool endscale, three_point;
  hp_ecl_by rock_by; /* ROCKOPTS: which regions count its tables */
  bool rock_by_rocknum;
  bool compacts, irreversible, directional; /* ROCKCOMP, RKTRMDIR */
  int compaction_tables;                    /* ROCKCOMP item 2, 0: left out */
  bool rocktab;                             /* ROCKTAB was read */
  int rock_tables, rock_count;              /* TABDIMS item 13, 0: left out; how many tables there must be */
  int rocks, rock_capacity;
  hp_ecl_rock *rock_record; /* [rocks] */
  bool rock_faulty;
  const char *rock_file; /* of ROCK */
  int rock_line;
  hp_sat_spec *swfn, *sof2; /* [tables[HP_ECL_BY_SATNUM]] rows > 0: given; sof2.s holds oil saturations */

  int influences, influence_capacity;
  hp_ecl_influence *influence; /* [influences] */
  int aquifers, aquifer_capacity;
  hp_ecl_aquifer *aquifer; /* [aquifers] in the deck's order, numbers once */
  int aquifer_faces, aquifer_faces_capacity;
  hp_ecl_aquifer_faces *aquifer_face; /* [aquifer_faces] */
  int numericals, numerical_capacity;
  hp_ecl_numerical *numerical; /* [numericals] in the deck's order */
  int numerical_faces, numerical_faces_capacity;
  hp_ecl_aquifer_faces *numerical_face; /* [numerical_faces] */

  hp_ecl_restart *restart; /* of RESTART, NULL: the run begins at time zero */

  /* SCHEDULE */
  double now; /* [s] since the start */
  int wells, well_capacity;
  hp_ecl_well *well;
  int tables_of, table_of_capacity;
  hp_ecl_table_of *table_of; /* [tables_of] */
  int lists, list_capacity;
  hp_ecl_well_list *list;
  int event_capacity, report_capacity, change_capacity, field_capacity, tuning_capacity;
  hp_field_control field; /* GCONPROD, GCONINJE as of now */
  int history;            /* WHISTCTL: control of wells by history, as in WCONHIST's item 3; -1: as they say */

  hp_ecl_names skipped; /* keywords */
  int stops, stop_capacity;
  hp_ecl_stop *stop;   /* [stops] keywords that are unknown or not supported */
  bool gas;            /* the deck names the phase, which stops it: what is about gas is no longer without bearing */
  hp_ecl_names absent; /* vectors of SUMMARY that hepta does not have */
};

/* ---- io/eclipse/record.c ---- */

/* "FILE:LINE: KEYWORD: text"; returns HP_ERR_DECK. */
hp_status hp_ecl_error(hp_ecl *e, const char *file, int line, const char *fmt, ...) HP_PRINTF(4, 5);
/* The same about a keyword that the deck has, once all is read. */
hp_status hp_ecl_error_at(hp_ecl *e, const char *keyword, const char *text);
/* Tells of a name that is of no use here, of a group, where it is no text or has control characters in it. */
hp_status hp_ecl_check_name(hp_ecl *e, const hp_ecl_token *t);
void hp_ecl_note(hp_ecl *e, const char *file, int line, const char *fmt, ...) HP_PRINTF(4, 5);

/* Reads one record of the keyword's items. *empty: it held nothing. Faults of
 * items are reported and leave record->faulty; HP_ERR_DECK: the record's end
 * is not known (the '/' is missing). */
hp_status hp_ecl_read_record(hp_ecl *e, const hp_ecl_item *item, int items, hp_ecl_record *out,
                             bool *empty) HP_MUST_USE;

/* The '/' behind words that are numbers: skips them, as an array that is not kept. */
hp_status hp_ecl_skip_numbers(hp_ecl *e) HP_MUST_USE;

hp_status hp_ecl_names_add(hp_ecl_names *names, const char *name) HP_MUST_USE;

/* Reports that a keyword of a section is missing; HP_ERR_DECK: it did. In a deck
 * with other errors it is not missed if one of `keywords` ("DX|DXV") stands
 * there, sound or not, or words of the section were lost. */
hp_status hp_ecl_missing(hp_ecl *e, hp_ecl_section section, const char *keywords, const char *text);

/* True if a '/' comes next: a record that holds nothing. */
bool hp_ecl_slash_next(const hp_ecl *e);

/* True if records follow, not a keyword: a number, a default, quotes or a slash. */
bool hp_ecl_data_follow(const hp_ecl *e);

/* Reads words up to '/' and drops them. *empty: there were none. HP_ERR_DECK: the '/' is missing. */
hp_status hp_ecl_skip_record(hp_ecl *e, bool *empty) HP_MUST_USE;

/* The next word of a record that a handler reads itself. HP_ERR_DECK: the
 * file ended, or the word is a keyword alone on its line: the '/' is missing. */
hp_status hp_ecl_word(hp_ecl *e, hp_ecl_token *t) HP_MUST_USE;

/* Reads exactly `count` numbers and the '/' into out, in SI. */
hp_status hp_ecl_read_numbers(hp_ecl *e, hp_quantity quantity, int64_t count, double *out) HP_MUST_USE;

/* Reads a record of rows of `columns` numbers; defaults are NAN, words that are
 * no numbers are reported and become infinite. *out [rows][columns] in deck units
 * (HP_ALLOC). */
hp_status hp_ecl_read_table(hp_ecl *e, int columns, int *rows, double **out) HP_MUST_USE;

/* Makes room for one more element in an array of HP_ALLOC. */
#define HP_ECL_GROW(ptr, count, capacity) hp_ecl_grow((void **)&(ptr), (count), &(capacity), sizeof *(ptr), #ptr)
hp_status hp_ecl_grow(void **array, int count, int *capacity, size_t size, const char *what) HP_MUST_USE;

/* A copy of n characters of text (HP_ALLOC). */
hp_status hp_ecl_text(const char *text, size_t n, char **out) HP_MUST_USE;

/* ---- io/eclipse/files.c ---- */

/* Opens the deck itself and sets e->folder. */
hp_status hp_ecl_file_start(hp_ecl *e, const char *path) HP_MUST_USE;

/* Finds the file that a deck names: aliases, separators, another case. */
hp_status hp_ecl_file_find(hp_ecl *e, const hp_ecl_token *name, char **path) HP_MUST_USE;
/* The same with `ending` behind the name; *path NULL: there is none such. */
hp_status hp_ecl_file_look(hp_ecl *e, const hp_ecl_token *name, const char *ending, char **path) HP_MUST_USE;

/* ---- io/eclipse/arrays.c ---- */

const char *hp_ecl_array_name(hp_ecl_array_id id);
/* Advice on an array that does not fit a grid that --set has made: "; give ... too", else "". */
const char *hp_ecl_array_advice(const hp_ecl *e, hp_ecl_array_id id, char out[160]);
/* Allocates the array, all NAN, if there is none yet. */
hp_status hp_ecl_array_make(hp_ecl *e, hp_ecl_array_id id) HP_MUST_USE;
/* Quantity, default, smallest and largest value. */
hp_quantity hp_ecl_array_quantity(hp_ecl_array_id id);
double hp_ecl_array_fallback(hp_ecl_array_id id);
void hp_ecl_array_range(hp_ecl_array_id id, double *min, double *max);
/* What follows from the cells where the deck does not give it: PORV, TRANX, TRANY, TRANZ. */
bool hp_ecl_array_computed(hp_ecl_array_id id);
/* MULTPV, MULTX and the like: those of EDIT multiply those of GRID. */
bool hp_ecl_array_multiplies(hp_ecl_array_id id);
/* Whole numbers: SATNUM and the like. */
bool hp_ecl_array_regions(hp_ecl_array_id id);
/* Items v[first] .. v[first+5], counted from 1, replace the parts of box that they give. */
hp_status hp_ecl_read_box(hp_ecl *e, const hp_ecl_record *record, int first, int box[6]) HP_MUST_USE;
void hp_ecl_box_reset(hp_ecl *e);

/* ---- what is done once all is read ---- */

/* Into the case, before the options are laid over it ... */
hp_status hp_ecl_finish_grid(hp_ecl *e) HP_MUST_USE; /* io/eclipse/grid.c */
/* A grid by corners: sizes and tops as arrays, then depths, pore volumes and transmissibilities
 * (io/eclipse/corners.c). */
hp_status hp_ecl_corner_sizes(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_corner_fill(hp_ecl *e) HP_MUST_USE;
/* NEWTRAN: blocks that do not line up get corners, and are connected where they touch. */
hp_status hp_ecl_block_corners(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_finish_faces(hp_ecl *e) HP_MUST_USE; /* io/eclipse/faces.c: multipliers of faults and regions */
/* Connections of cells that are not neighbours (io/eclipse/connections.c): those across faults are in e->links. */
hp_status hp_ecl_close_gaps(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_finish_connections(hp_ecl *e) HP_MUST_USE;
/* Multipliers of SCHEDULE (io/eclipse/changes.c): of a fault, of the cells of the box; all of them into the case. */
hp_status hp_ecl_change_fault(hp_ecl *e, const hp_ecl_record *record, const char *name) HP_MUST_USE;
hp_status hp_ecl_change_faces(hp_ecl *e, hp_ecl_array_id id) HP_MUST_USE;
hp_status hp_ecl_finish_changes(hp_ecl *e, const hp_case_links *links) HP_MUST_USE;
void hp_ecl_changes_clear(hp_ecl *e);
/* Multipliers of faces, faults and regions; of regions, of those that NNC gives. */
hp_status hp_ecl_multiply_links(hp_ecl *e, hp_case_links *links) HP_MUST_USE;
hp_status hp_ecl_multiply_given(hp_ecl *e, hp_case_links *links) HP_MUST_USE;
hp_status hp_ecl_finish_fluid(hp_ecl *e) HP_MUST_USE; /* io/eclipse/props.c */
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

/* ---- the options: io/eclipse/set.c ---- */

/* Before the deck is read: which arrays they give anew, and the size of the grid. */
void hp_ecl_claim(hp_ecl *e);

/* True if one says something about the deck's cells, more than that they are to be refined. */
bool hp_ecl_claims_cells(const hp_ecl *e);

/* The key of hepta's own decks for an array, NULL: there is none. */
const char *hp_ecl_array_key(hp_ecl_array_id id);

/* The size that holds, where DIMENS says n. */
void hp_ecl_resize(hp_ecl *e, const int n[3]);

/* ---- io/eclipse/aquifers/analytic.c ---- */

void hp_ecl_aquifers_clear(hp_ecl *e);
/* Sets direction and side by the choice of item 8. */
void hp_ecl_aquifer_face(int choice, hp_ecl_aquifer_faces *f);
/* Whether the face of an active cell is open to an aquifer: nothing active lies behind it, or that does not matter. */
bool hp_ecl_aquifer_face_is_open(const hp_grid *g, const hp_ecl_aquifer_faces *f, int i, int j, int k);
double hp_ecl_face_area(const hp_grid *g, int64_t m, int d);

/* ---- io/eclipse/aquifers/numerical.c: in this order, while the grid is made and after that ---- */

hp_status hp_ecl_start_numerical(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_isolate_numerical(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_link_numerical(hp_ecl *e, hp_case_links *links) HP_MUST_USE;
hp_status hp_ecl_complete_numerical(hp_ecl *e) HP_MUST_USE;
void hp_ecl_numerical_clear(hp_ecl *e);

/* ---- the start of a run that goes on from another one's: io/eclipse/restart/begin.c ---- */

void hp_ecl_restart_clear(hp_ecl *e);
/* Without SKIPREST, before the first word of SCHEDULE: the time of the report, and its wells. */
hp_status hp_ecl_restart_begin(hp_ecl *e) HP_MUST_USE;
/* With it, when the schedule has come to `time`. */
hp_status hp_ecl_restart_reach(hp_ecl *e, double time) HP_MUST_USE;
/* At the schedule's end: totals of wells; steps that are to come. */
hp_status hp_ecl_restart_schedule(hp_ecl *e) HP_MUST_USE;
/* Pressures and saturations, in place of what the deck says of the start. */
hp_status hp_ecl_restart_state(hp_ecl *e) HP_MUST_USE;
/* Aquifers: those of the file that the deck does not have; what one, of the deck at file:line, has given before. */
hp_status hp_ecl_restart_aquifers(hp_ecl *e) HP_MUST_USE;
hp_status hp_ecl_restart_aquifer(hp_ecl *e, hp_aquifer_spec *a, const char *file, int line) HP_MUST_USE;

/* Days from 1970-01-01 to a date of the Gregorian calendar (io/eclipse/schedule.c). */
int64_t hp_ecl_day_number(int64_t year, int month, int64_t day);

/* ---- wells by name: io/eclipse/wells.c ---- */

/* Wells that a name, a pattern (P*, ?) or a list (*NAME) means: calls
 * visit(e, w, record) for each; none is an error. */
hp_status hp_ecl_wells_each(hp_ecl *e, const hp_ecl_record *record,
                            hp_status (*visit)(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record)) HP_MUST_USE;

/* A connection has the saturation table of its cell, and item 7 of COMPDAT may say no other; HP_ERR_DECK: it does. */
hp_status hp_ecl_check_tables(hp_ecl *e) HP_MUST_USE;

/* Adds an event with the well's present control at the present time; given: HP_GIVEN_*. */
hp_status hp_ecl_event_add(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, unsigned given) HP_MUST_USE;

/* Adds a change of the well's connections at the present time; what of it is not set is all cells, no change. */
hp_status hp_ecl_change_add(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, hp_perf_event change) HP_MUST_USE;
/* Shuts the well at the present time. */
hp_status hp_ecl_shut(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) HP_MUST_USE;

/* Before time goes on: open wells without an open connection are shut. */
hp_status hp_ecl_shut_closed_wells(hp_ecl *e) HP_MUST_USE;

/* WELOPEN for connections: items 3-5 of the record. */
hp_status hp_ecl_connections_open(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, bool open) HP_MUST_USE;

/* Whether words about connections of the well can no longer change what it begins with. */
bool hp_ecl_has_flowed(const hp_ecl *e, const hp_ecl_well *w);

/* Makes room for what a record with a fault, which has been reported, was about: its
 * array or its wells are there all the same, and what they lack is not missed. */
hp_status hp_ecl_faulty(hp_ecl *e, const hp_ecl_record *record) HP_MUST_USE;
hp_status hp_ecl_array_faulty(hp_ecl *e, const hp_ecl_record *record, int item) HP_MUST_USE; /* io/eclipse/arrays.c */

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
  X(pvtw)                      \
  X(pvcdo)                     \
  X(pvdo)                      \
  X(rock)                      \
  X(rocktab)                   \
  X(swof)                      \
  X(swfn)                      \
  X(sof2)                      \
  X(equil)                     \
  X(eqlopts)                   \
  X(thpres)                    \
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
  X(wconprod)                  \
  X(wconinje)                  \
  X(welopen)                   \
  X(weltarg)                   \
  X(welcntl)                   \
  X(wlist)                     \
  X(gconprod)                  \
  X(gconinje)                  \
  X(wgrupcon)                  \
  X(wconhist)                  \
  X(wconinjh)                  \
  X(whistctl)                  \
  X(wefac)                     \
  X(wecon)                     \
  X(wpimult)                   \
  X(tstep)                     \
  X(time)                      \
  X(dates)                     \
  X(tuning)

#define HP_ECL_HANDLER(name) hp_status hp_ecl_do_##name(hp_ecl *e, const hp_ecl_record *record) HP_MUST_USE;
HP_ECL_HANDLER_LIST(HP_ECL_HANDLER)
#undef HP_ECL_HANDLER

#endif
