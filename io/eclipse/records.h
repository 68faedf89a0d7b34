/* The language of a deck: sections, cell arrays, keywords and the items of their records; and records kept until all is
 * read. */
#ifndef HP_IO_ECLIPSE_RECORDS_H
#define HP_IO_ECLIPSE_RECORDS_H

#include <stddef.h>

#include "io/case/aquifers.h"
#include "io/case/connections.h"
#include "io/case/faults.h"
#include "io/eclipse/items/cells.h"
#include "io/eclipse/items/fluids.h"
#include "io/eclipse/items/runspec.h"
#include "io/eclipse/items/wells.h"
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

/* X(NAME, quantity, default of cells (NAN: none), smallest and largest value in SI) */
#define HP_ECL_ARRAY_LIST(X)                      \
  X(DX, LENGTH, NAN, 0.0, INFINITY)               \
  X(DY, LENGTH, NAN, 0.0, INFINITY)               \
  X(DZ, LENGTH, NAN, 0.0, INFINITY)               \
  X(TOPS, LENGTH, NAN, -INFINITY, INFINITY)       \
  X(PORO, NONE, NAN, 0.0, 1.0)                    \
  X(PERMX, PERMEABILITY, NAN, 0.0, INFINITY)      \
  X(PERMY, PERMEABILITY, NAN, 0.0, INFINITY)      \
  X(PERMZ, PERMEABILITY, NAN, 0.0, INFINITY)      \
  X(NTG, NONE, 1.0, 0.0, INFINITY)                \
  X(ACTNUM, NONE, 1.0, 0.0, 1.0)                  \
  X(MULTPV, NONE, 1.0, 0.0, INFINITY)             \
  X(MULTX, NONE, 1.0, 0.0, INFINITY)              \
  X(MULTY, NONE, 1.0, 0.0, INFINITY)              \
  X(MULTZ, NONE, 1.0, 0.0, INFINITY)              \
  X(MULTX_, NONE, 1.0, 0.0, INFINITY)             \
  X(MULTY_, NONE, 1.0, 0.0, INFINITY)             \
  X(MULTZ_, NONE, 1.0, 0.0, INFINITY)             \
  X(PORV, RESERVOIR_VOLUME, NAN, 0.0, INFINITY)   \
  X(TRANX, CONNECTION, NAN, 0.0, INFINITY)        \
  X(TRANY, CONNECTION, NAN, 0.0, INFINITY)        \
  X(TRANZ, CONNECTION, NAN, 0.0, INFINITY)        \
  X(FLUXNUM, NONE, 1.0, 0.0, INFINITY)            \
  X(MULTNUM, NONE, 1.0, 0.0, INFINITY)            \
  X(OPERNUM, NONE, 1.0, 0.0, INFINITY)            \
  X(MINPVV, RESERVOIR_VOLUME, 0.0, 0.0, INFINITY) \
  X(PRESSURE, PRESSURE, NAN, 0.0, INFINITY)       \
  X(SWAT, NONE, NAN, 0.0, 1.0)                    \
  X(SOIL, NONE, NAN, 0.0, 1.0)                    \
  X(SWL, NONE, NAN, 0.0, 1.0)                     \
  X(SWCR, NONE, NAN, 0.0, 1.0)                    \
  X(SWU, NONE, NAN, 0.0, 1.0)                     \
  X(SOWCR, NONE, NAN, 0.0, 1.0)                   \
  X(KRW, NONE, NAN, 0.0, INFINITY)                \
  X(KRO, NONE, NAN, 0.0, INFINITY)                \
  X(PCW, PRESSURE, NAN, 0.0, INFINITY)            \
  X(SWLPC, NONE, NAN, 0.0, 1.0)                   \
  X(KRWR, NONE, NAN, 0.0, INFINITY)               \
  X(KRORW, NONE, NAN, 0.0, INFINITY)              \
  X(ISWL, NONE, NAN, 0.0, 1.0)                    \
  X(ISWCR, NONE, NAN, 0.0, 1.0)                   \
  X(ISWU, NONE, NAN, 0.0, 1.0)                    \
  X(ISOWCR, NONE, NAN, 0.0, 1.0)                  \
  X(IKRW, NONE, NAN, 0.0, INFINITY)               \
  X(IKRO, NONE, NAN, 0.0, INFINITY)               \
  X(IPCW, PRESSURE, NAN, 0.0, INFINITY)           \
  X(ISWLPC, NONE, NAN, 0.0, 1.0)                  \
  X(IKRWR, NONE, NAN, 0.0, INFINITY)              \
  X(IKRORW, NONE, NAN, 0.0, INFINITY)             \
  X(SWATINIT, NONE, NAN, 0.0, 1.0)                \
  X(SATNUM, NONE, 1.0, 1.0, INFINITY)             \
  X(IMBNUM, NONE, NAN, 1.0, INFINITY)             \
  X(KRNUMX, NONE, NAN, 1.0, INFINITY)             \
  X(KRNUMY, NONE, NAN, 1.0, INFINITY)             \
  X(KRNUMZ, NONE, NAN, 1.0, INFINITY)             \
  X(KRNUMX_, NONE, NAN, 1.0, INFINITY)            \
  X(KRNUMY_, NONE, NAN, 1.0, INFINITY)            \
  X(KRNUMZ_, NONE, NAN, 1.0, INFINITY)            \
  X(PVTNUM, NONE, 1.0, 1.0, INFINITY)             \
  X(EQLNUM, NONE, 1.0, 1.0, INFINITY)             \
  X(ROCKNUM, NONE, 1.0, 1.0, INFINITY)            \
  X(ENDNUM, NONE, 1.0, 1.0, INFINITY)             \
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

/* The result of OPERATE for the source x, item alpha a and item beta b; the last ones also use the target r. */
#define HP_ECL_MAPS "COPY|MULTA|SLOG|LOG10|LOGE|INV|MULTX|ADDX|MAXLIM|MINLIM|MULTP|ABS|MULTIPLY|POLY"

/* ---- keywords and records ---- */

/* HP_ECL_UDA: a real number, or the name of a quantity of the user. */
typedef enum { HP_ECL_INT, HP_ECL_REAL, HP_ECL_UDA, HP_ECL_TEXT } hp_ecl_type;

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
  int quantity;      /* HP_ECL_UDA: number of the quantity of the user, from 1; 0: a number */
  int choice;        /* place in `choices`; -1: none (not given and not needed) */
  hp_ecl_token text; /* the token; kind HP_ECL_END when not given */
} hp_ecl_value;

enum { HP_ECL_ITEMS = 102 };

/* The items of each keyword by name, in the order of its list. */
#define HP_ECL_RECORD_LIST(R) \
  HP_ECL_RUNSPEC_RECORDS(R) HP_ECL_CELLS_RECORDS(R) HP_ECL_FLUIDS_RECORDS(R) HP_ECL_WELLS_RECORDS(R)
#define HP_ECL_ITEM_MEMBER(member, name, ...) hp_ecl_value member;
#define HP_ECL_ITEMS_STRUCT(keyword)           \
  typedef struct hp_ecl_items_##keyword {      \
    HP_ECL_ITEMS_##keyword(HP_ECL_ITEM_MEMBER) \
  } hp_ecl_items_##keyword;
HP_ECL_RECORD_LIST(HP_ECL_ITEMS_STRUCT)
#undef HP_ECL_ITEM_MEMBER
#undef HP_ECL_ITEMS_STRUCT

/* The number of a keyword's items, the place of one in v (from 0), and its number in messages (from 1). */
#define HP_ECL_COUNT(keyword) ((int)(sizeof(hp_ecl_items_##keyword) / sizeof(hp_ecl_value)))
#define HP_ECL_AT(keyword, item) ((int)(offsetof(hp_ecl_items_##keyword, item) / sizeof(hp_ecl_value)))
#define HP_ECL_NUMBER(keyword, item) (HP_ECL_AT(keyword, item) + 1)

typedef struct hp_ecl_record {
  const char *file;
  int line;
  bool faulty; /* an item was reported; the record was read to its end */
  union {
    hp_ecl_value v[HP_ECL_ITEMS]; /* as many as the keyword has items; v[0] is item 1 */
#define HP_ECL_ITEMS_MEMBER(keyword) hp_ecl_items_##keyword keyword;
    HP_ECL_RECORD_LIST(HP_ECL_ITEMS_MEMBER)
#undef HP_ECL_ITEMS_MEMBER
  };
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

/* Keywords that work, in the document's order; and others (io/eclipse/others.c): rows whose name is a list of names and
 * whose argument is one of these. */
typedef enum {
  HP_ECL_PLAIN,
  HP_ECL_GAS,        /* no bearing on the results where there is no gas, as these two, */
  HP_ECL_GAS_TABLES, /* which say whether there is some: a deck with GAS must begin without, */
  HP_ECL_GAS_CELLS,  /* and these must be 0 (io/eclipse/gas.c) */
  HP_ECL_STANDS_IN   /* it says what other keywords would say: what its section lacks is not missed */
} hp_ecl_other_kind;
const hp_ecl_keyword_entry *hp_ecl_table(int *count);
const hp_ecl_keyword_entry *hp_ecl_others(int *count);
/* The entry of a name in any case, or NULL, among all keywords or among those that do not work. */
const hp_ecl_keyword_entry *hp_ecl_find(const hp_ecl_token *name);
const hp_ecl_keyword_entry *hp_ecl_find_other(const hp_ecl_token *name);
/* The keyword nearest to a name, or "". */
void hp_ecl_nearest(const char *name, char out[HP_ECL_KEYWORD + 1]);
const char *hp_ecl_section_name(unsigned section);

/* Counts of several tables. */
typedef enum {
  HP_ECL_BY_SATNUM,
  HP_ECL_BY_PVTNUM,
  HP_ECL_BY_EQLNUM,
  HP_ECL_BY_ROCKNUM,
  HP_ECL_BY_ENDNUM,
  HP_ECL_BY_SYSTEM, /* of pillars */
  HP_ECL_BY
} hp_ecl_by;

/* The three records of TUNING, those of vectors of connections, segments and cells in SUMMARY, and those behind the first of WELSEGS, COMPSEGS. */
extern const hp_ecl_item *const hp_ecl_tuning[3],
    *const hp_ecl_vector, *const hp_ecl_block, *const hp_ecl_segment_vector, *const hp_ecl_segment_items,
                                                                                 *const hp_ecl_compsegs_items;

/* ---- wells while the deck is read ---- */

typedef struct hp_ecl_well {
  hp_well_spec spec;
  hp_well_control control; /* in force; control.control is the mode wanted, also while shut */
  double max_water_cut;    /* of WECON alone, */
  int workover;            /* likewise */
  double cutback;          /* WCUTBACK: water cut above which the rate would be cut back, 0: none */
  bool controlled;         /* has had WCONPROD or WCONINJE */
  bool of_gas;             /* the latest one would have it inject gas; it is shut and not controlled */
  const char *gas_file;    /* the record that says so, and that it is open; NULL: there is none */
  int gas_line;
  bool by_history; /* its control is of WCONHIST or WCONINJH */
  bool apart;      /* WGRUPCON: it takes no part in targets of the field */
  bool open, stopped;
  bool told_stopped;          /* as its latest event has it */
  double opened;              /* time it first opened [s], NAN: never */
  bool changes;               /* there are events of its connections: later words about them are events too */
  const char *connected_file; /* the latest word about its connections */
  int connected_line;
  bool moved; /* WELSPECS has moved the head from where its first connections were given: */
  int first_head[2];
  const char *ordered_file; /* COMPORD that wants connections by depth, NULL: none does */
  int ordered_line;
  const char *auto_file; /* COMPDAT with a connection that a workover may open, NULL: none is */
  int auto_line;
  bool lumped;             /* has had COMPLUMP */
  double tubing;           /* WELSEGS: length down to segment 1 [m] */
  const char *seated_file; /* the latest COMPSEGS, NULL: none */
  int seated_line;
  bool faulty;             /* WELSPECS or COMPDAT of it has a fault: where it runs is not judged */
  bool control_faulty;     /* a control of it has: one that it lacks is not missed */
  const char *misfit_file; /* the first COMPDAT that another size of grid leaves outside, NULL: none */
  int misfit_line;
} hp_ecl_well;

/* A named list of wells (WLIST). */
typedef struct hp_ecl_well_list {
  char name[HP_WELL_NAME];
  int count;
  int *well;
} hp_ecl_well_list;

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

/* A record of NNC, EDITNNC, EDITNNCR. */
typedef enum { HP_ECL_NNC, HP_ECL_EDITNNC, HP_ECL_EDITNNCR } hp_ecl_pair_kind;
typedef struct hp_ecl_pair {
  hp_ecl_pair_kind kind;
  int64_t record; /* its number among all, from 0 */
  int cell[2][3]; /* i, j, k, 0-based */
  double x;       /* transmissibility [m3], factor, transmissibility */
  const char *file;
  int line;
} hp_ecl_pair;

/* A table of AQUTAB. */
typedef struct hp_ecl_influence {
  int rows;
  double *td, *pd; /* [rows] dimensionless time and pressure */
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

/* Keywords with end points by depth. */
typedef enum { HP_ECL_ENPTVD, HP_ECL_ENKRVD, HP_ECL_ENPCVD, HP_ECL_ENSPCVD, HP_ECL_DEPTHS } hp_ecl_depths_of;

/* A table of one of them for each region of ENDNUM: rows of a depth [m] and its end points, in the keyword's order. A
 * column that is left out is NAN. */
typedef struct hp_ecl_depth_table {
  int rows;
  double *cell;
} hp_ecl_depth_table;

typedef struct hp_ecl_depths {
  hp_ecl_depth_table *table; /* [tables of ENDNUM] NULL: the deck does not have the keyword: */
  const char *name;
  const char *file;
  int line;
} hp_ecl_depths;

/* JFUNC: tables have Leverett's J in place of the capillary pressure. */
typedef struct hp_ecl_leverett {
  const char *file; /* NULL: they do not */
  int line;
  double tension;                      /* [dyn/cm] */
  double by_porosity, by_permeability; /* exponents */
  int direction;                       /* of the permeability: 0 mean of x and y, 1 x, 2 y, 3 z */
} hp_ecl_leverett;

/* COMPDAT item 7 beside hysteresis: a saturation table for connections, which must be that of their cells. */
typedef struct hp_ecl_table_of {
  int well, i, j, k[2]; /* 0-based, both included */
  int table;            /* from 1 */
  const char *file;
  int line;
} hp_ecl_table_of;

typedef struct hp_ecl_alias {
  char *name, *path;
} hp_ecl_alias;

#endif
