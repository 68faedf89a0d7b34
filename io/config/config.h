/* The settings of a deck: one table for the reader of libconfig decks, --set, the decks that import writes and the
 * comparison at a restart. docs/reference/deck.md is checked against it (tests/unit/repository/test_deck_doc.c).
 *
 *   io/config/keys.c      the table
 *   io/config/tree.c      a file -> libconfig's tree; io/config/scan.c: what libconfig would get wrong
 *   io/config/set.c       --set options -> the tree
 *   io/config/check.c     unknown keys
 *   io/config/value.c     one value: type, range, unit, default
 *   io/config/settings.c  all values of a group that live in one struct
 *   io/config/grid.c ...  what each group means
 *
 * A new key with a value in a struct (AT) is one line in io/config/keys.c, or in the list of its kind
 * (HP_WELL_SETTING_LIST, HP_SAT_PARAMETER_LIST), and one row in docs/reference/deck.md. Other keys also need a read in
 * the file of their group.
 */
#ifndef HP_IO_CONFIG_CONFIG_H
#define HP_IO_CONFIG_CONFIG_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

typedef enum {
  HP_KEY_BOOL,     /* true or false */
  HP_KEY_INT,      /* an integer; 2.0 is none */
  HP_KEY_FLOAT,    /* a number, integers included */
  HP_KEY_TIME,     /* a number, or a date after start */
  HP_KEY_LIMIT,    /* a number or "none" */
  HP_KEY_STRING,   /* text */
  HP_KEY_CHOICE,   /* one of `choices` */
  HP_KEY_INTS,     /* an array of integers */
  HP_KEY_FLOATS,   /* an array of numbers */
  HP_KEY_TIMES,    /* an array of times */
  HP_KEY_SPAN,     /* an integer or [first, last] */
  HP_KEY_ROWS,     /* a list of rows of numbers */
  HP_KEY_CELLS,    /* a value a cell; its many forms are the keys array.* */
  HP_KEY_NAMES,    /* text or a list of texts */
  HP_KEY_OF_GROUP, /* the name of a group */
  HP_KEY_OF_TABLE, /* the name of a lift table, or none */
  HP_KEY_PLACES,   /* a list of cells, (i, j, k) or (i, j, k, "x") */
  HP_KEY_GROUP,    /* { ... } */
  HP_KEY_LIST,     /* ( { ... }, { ... } ) */
  HP_KEY_KIND_COUNT
} hp_key_kind;

/* X(NAME, type): the struct that a setting lives in. */
#define HP_HOME_LIST(X)             \
  X(TIMESTEP, hp_timestep_options)  \
  X(NEWTON, hp_newton_options)      \
  X(TUNING, hp_tuning)              \
  X(LINEAR, hp_krylov_options)      \
  X(CPR, hp_cpr_options)            \
  X(OUTPUT, hp_output_options)      \
  X(PVT, hp_pvt_spec)               \
  X(SATURATION, hp_sat_spec)        \
  X(ROCK, hp_rock_spec)             \
  X(HYSTERESIS, hp_hysteresis_spec) \
  X(EQUILIBRIUM, hp_equilibrium)    \
  X(AQUIFER, hp_aquifer_spec)       \
  X(CONTROL, hp_well_control)       \
  X(GROUP, hp_group_event)          \
  X(RFT, hp_rft_request)            \
  X(AVERAGE, hp_average)            \
  X(LIFT, hp_lift_spec)             \
  X(ECONOMICS, hp_economics)

typedef enum {
  HP_IN_NONE, /* what it says is more than a value */
#define HP_HOME_ENUM(name, type) HP_IN_##name,
  HP_HOME_LIST(HP_HOME_ENUM)
#undef HP_HOME_ENUM
} hp_home;

typedef enum { HP_AS_DOUBLE, HP_AS_BOOL, HP_AS_INT, HP_AS_LONG } hp_stored; /* enumerations are as int */

typedef struct hp_config_key {
  const char *path; /* "wells[].radius"; the forms of a cell array are "array.*" */
  hp_key_kind kind;
  hp_quantity unit;     /* of the number in the deck */
  const char *range;    /* conditions joined by commas: "> 0", ">= 0", "0..1"; "": any */
  const char *fallback; /* the value taken when the key is missing: a number in the deck's unit, or with its own
                           ("1 day", "1.01325 bar"), or words; "required"; "": none */
  const char *choices;  /* HP_KEY_CHOICE: "a|b|c" */
  const char *what;     /* one line of meaning */
  hp_home home;
  size_t offset; /* in its struct */
  hp_stored stored;
} hp_config_key;

/* The value of a key in the struct of its home, in SI; for a choice its number. */
double hp_config_value(const hp_config_key *key, const void *home);

/* The key of `list` ("wells[]", "newton") and home after `before`; the first one for NULL, and NULL after the last. */
const hp_config_key *hp_config_next(const char *list, hp_home home, const hp_config_key *before);

/* The number of a key's choices, and the name of one in out. */
int hp_config_choices(const hp_config_key *key);
void hp_config_choice_name(const hp_config_key *key, int choice, char out[64]);

/* The table; *count keys in the order of the document. */
const hp_config_key *hp_config_keys(int *count);

/* The key of a path, or NULL. */
const hp_config_key *hp_config_key_find(const char *path);

/* "number", "text", ... for people. */
const char *hp_config_kind_text(hp_key_kind kind);

/* Sets the default options of solver, time steps and output. */
void hp_config_defaults(hp_case *c);

/* Reads a libconfig deck with the options nset/set ("key.path=value") into c.
 * Every fault goes to diag; HP_ERR_DECK if there was one. */
hp_status hp_config_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case *c) HP_MUST_USE;

/* Applies the options to a case that another reader has filled: they overwrite what they name, in the case's units; no
 * key is required. */
hp_status hp_config_overlay(int nset, const char *const *set, hp_diag *diag, hp_case *c) HP_MUST_USE;

/* Adds an entry to a case, whichever reader has filled it, that holds from `time` [s] on, behind those of the deck:
 *
 *     well P1 bhp=150 control=bhp      of `schedule`; later entries keep what they do not give. A name may be a pattern
 *     group FIELD oil_rate=300         of `groups`
 *     tuning max=5                     of `tuning`
 *     quantity FUX assign=0            of `quantities`, one that the deck has
 *
 * in the case's units. opens: wells that the deck never opens may be opened. HP_ERR_DECK: faults are in diag, and the case is as it
 * was. */
hp_status hp_config_add_entry(hp_case *c, double time, const char *line, bool opens, hp_diag *diag) HP_MUST_USE;
/* The words that a line may begin with. */
#define HP_CONFIG_ENTRIES "well, group, tuning, quantity"

/* Reports lines of the case's actions that it would not take as entries; the case stays as it is. */
hp_status hp_config_check_action_lines(hp_case *c, hp_diag *diag) HP_MUST_USE;

/* Whether an option gives the key `path` ("grid.porosity"), a group around it, or a part of it that is not a list
 * entry. It needs no case. */
bool hp_config_claims(int nset, const char *const *set, const char *path);

/* Sets the entries of size that options give (grid.size). */
void hp_config_claimed_size(int nset, const char *const *set, int size[3]);

/* Reports unknown keys in the options. */
hp_status hp_config_check_options(int nset, const char *const *set, hp_diag *diag) HP_MUST_USE;

HP_EXTERN_C_END

#endif
