/* Expressions of user-defined quantities, and conditions of actions: one grammar for both kinds of decks.
 *
 *     text ---> hp_expression_parse ---> hp_expression ---> hp_expression_value      a number, or one for each well or group
 *                                                      `--> hp_expression_holds      a condition, and the wells that fulfil it
 *
 * A quantity is a vector of the summary: FOPR; WWCT of all wells, WWCT 'P1', WWCT 'P*' 'Q'; GOPR 'G1'; RPR 2; AAQR 1; BPR 1 2 3; DAY,
 * MNTH, YEAR and TIME; or another user-defined quantity. In an expression operators are, the weakest first,
 *
 *     UADD UMUL UMIN UMAX      of sets: where only one side has a value, that one
 *     == != < <= > >=          1 or 0; equal is what differs by less than a share of `epsilon`
 *     + -      * /      -x      ^
 *
 * and functions those of HP_EXPRESSION_FUNCTION_LIST; NAME[x] looks up a table. A condition compares quantities and numbers, with symbols
 * or .GT. and the like, and joins comparisons with AND, OR and parentheses. Nothing but this is evaluated; texts, nodes and
 * depth are bounded.
 */
#ifndef HP_IO_ACTIONS_EXPRESSION_H
#define HP_IO_ACTIONS_EXPRESSION_H

#include "core/portable.h"
#include "core/status.h"
#include "wells/well.h"

HP_EXTERN_C_BEGIN

enum {
  HP_EXPRESSION_TEXT = 4096, /* characters at most, with the zero */
  HP_EXPRESSION_NODES = 1000,
  HP_EXPRESSION_DEPTH = 50, /* of brackets and signs inside each other */
  HP_EXPRESSION_WHY = 256,
  HP_QUANTITY_NAME = 9 /* letters of a quantity's name, with the zero */
};

typedef enum { HP_EXPRESSION_OF_QUANTITY, HP_EXPRESSION_OF_CONDITION } hp_expression_kind;

/* Owners of a value: the field, each well, each group. */
typedef enum { HP_EXPRESSION_SCALAR, HP_EXPRESSION_WELLS, HP_EXPRESSION_GROUPS } hp_expression_level;

/* X(NAME, whether a set becomes one number, what it is) */
#define HP_EXPRESSION_FUNCTION_LIST(X)                             \
  X(SUM, true, "sum")                                              \
  X(AVEA, true, "arithmetic mean")                                 \
  X(AVEG, true, "geometric mean")                                  \
  X(AVEH, true, "harmonic mean")                                   \
  X(MAX, true, "largest")                                          \
  X(MIN, true, "smallest")                                         \
  X(NORM1, true, "sum of magnitudes")                              \
  X(NORM2, true, "root of the sum of squares")                     \
  X(NORMI, true, "largest magnitude")                              \
  X(PROD, true, "product")                                         \
  X(ABS, false, "magnitude")                                       \
  X(DEF, false, "1 where there is a value")                        \
  X(UNDEF, false, "1 where there is none")                         \
  X(IDV, false, "1 where there is a value, 0 where there is none") \
  X(EXP, false, "exponential")                                     \
  X(LN, false, "natural logarithm")                                \
  X(LOG, false, "decimal logarithm")                               \
  X(NINT, false, "nearest integer")                                \
  X(SORTA, false, "place in rising order, from 1")                 \
  X(SORTD, false, "place in falling order, from 1")

typedef enum {
#define HP_EXPRESSION_FUNCTION_ENUM(name, joins, what) HP_FUNCTION_##name,
  HP_EXPRESSION_FUNCTION_LIST(HP_EXPRESSION_FUNCTION_ENUM)
#undef HP_EXPRESSION_FUNCTION_ENUM
      HP_EXPRESSION_FUNCTIONS
} hp_expression_function;

typedef enum {
  HP_NODE_NUMBER,
  HP_NODE_VECTOR,
  HP_NODE_CALL,  /* of a function */
  HP_NODE_TABLE, /* look-up of the table `name` */
  HP_NODE_NEGATE,
  HP_NODE_BINARY
} hp_node_kind;

typedef enum {
  HP_OPERATOR_UADD,
  HP_OPERATOR_UMUL,
  HP_OPERATOR_UMIN,
  HP_OPERATOR_UMAX,
  HP_OPERATOR_EQ,
  HP_OPERATOR_NE,
  HP_OPERATOR_LT,
  HP_OPERATOR_LE,
  HP_OPERATOR_GT,
  HP_OPERATOR_GE,
  HP_OPERATOR_ADD,
  HP_OPERATOR_SUBTRACT,
  HP_OPERATOR_MULTIPLY,
  HP_OPERATOR_DIVIDE,
  HP_OPERATOR_POWER,
  HP_OPERATOR_AND,
  HP_OPERATOR_OR
} hp_operator;

typedef struct hp_expression_node {
  hp_node_kind kind;
  hp_expression_level level;
  int of;   /* hp_expression_function or hp_operator */
  int a, b; /* operands: numbers of nodes; -1: none */
  double number;
  char name[HP_QUANTITY_NAME]; /* of a vector, in capitals, or a table */
  int first, names;            /* its wells or groups: hp_expression.name[first ..]; 0: all */
  int at[3];                   /* region or aquifer, or cell i j k, from 1 */
} hp_expression_node;

typedef struct hp_expression {
  hp_expression_kind kind;
  int root, count;
  hp_expression_node *node; /* [count] operands before operators */
  int names;
  char (*name)[HP_WELL_NAME]; /* [names] names and patterns of wells and groups */
} hp_expression;

/* Whether `name` is meant by one of `names` names and patterns; 0: all are. */
bool hp_names_mean(int names, const char (*pattern)[HP_WELL_NAME], const char *name);

/* Whether a condition asks about a set of wells that has this one. */
bool hp_expression_asks_about(const hp_expression *x, const char *well);

/* Reads a text. *out is NULL and `why` says what is wrong and where if it is faulty; other errors: HP_ERR_MEMORY. */
hp_status hp_expression_parse(const char *text, hp_expression_kind kind, hp_expression **out,
                              char why[HP_EXPRESSION_WHY]) HP_MUST_USE;
void hp_expression_destroy(hp_expression **x);

/* Arguments of a vector beside its name: wells or groups, a number, a cell, nothing. */
typedef enum { HP_ARGUMENT_NONE, HP_ARGUMENT_NAMES, HP_ARGUMENT_NUMBER, HP_ARGUMENT_CELL } hp_expression_argument;
hp_expression_argument hp_expression_argument_of(const char *name);

/* A table of a quantity by another one (UDT). */
/* X(NAME, "deck name", "of UDT"): the nearest point's value; linear, and beyond the points constant or linear, too. */
#define HP_LOOKUP_LIST(X)       \
  X(NEAREST, "nearest", "NV")   \
  X(CONSTANT, "constant", "LC") \
  X(LINEAR, "linear", "LL")
typedef enum {
#define HP_LOOKUP_ENUM(name, ...) HP_LOOKUP_##name,
  HP_LOOKUP_LIST(HP_LOOKUP_ENUM)
#undef HP_LOOKUP_ENUM
      HP_LOOKUPS
} hp_lookup;
extern const char *const hp_lookup_name[HP_LOOKUPS];

typedef struct hp_quantity_table {
  char name[HP_QUANTITY_NAME];
  hp_lookup how;
  int count;
  double *x, *y; /* [count] x rising */
} hp_quantity_table;
double hp_quantity_table_value(const hp_quantity_table *t, double x);

/* Source of an expression's quantities. */
typedef struct hp_expression_context {
  void *arg;
  int count[3];                                                     /* by hp_expression_level: 1, wells, groups */
  const char *(*name)(void *arg, hp_expression_level level, int n); /* of a well or group */
  /* The value of a vector for its element n; false: it has none. */
  bool (*value)(void *arg, const hp_expression_node *vector, int n, double *out);
  const hp_quantity_table *(*table)(void *arg, const char *name); /* NULL: there is none */
  double epsilon;                                                 /* of == in expressions */
} hp_expression_context;

/* The value of an expression: v [count of its level], NAN where there is none. All of it is finite. */
hp_status hp_expression_value(const hp_expression *x, const hp_expression_context *c, hp_expression_level *level,
                              double **v) HP_MUST_USE;

/* Whether a condition holds, and which wells [count of wells] fulfil it: a comparison holds where any well or group fulfils it; AND
 * leaves the wells that fulfil both sides, OR those of either. *of_wells: it asks for wells at all. */
hp_status hp_expression_holds(const hp_expression *x, const hp_expression_context *c, bool *holds, bool *of_wells,
                              bool *well) HP_MUST_USE;

HP_EXTERN_C_END

#endif
