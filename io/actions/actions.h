/* User-defined quantities, and actions: what becomes of wells when a condition holds.
 *
 *     decks --> hp_case.quantity, quantity_entry, quantity_table, action --> sim/simulator/actions.h, after every time step
 *
 * A quantity has one value (FU...), or one for each well (WU...) or group (GU...), in the deck's units; its entries say what it is from
 * a time on. An action has a condition and lines, which are those of a run that is steered (io/config/config.h); `well ?` stands for
 * the wells that fulfil the condition.
 */
#ifndef HP_IO_ACTIONS_ACTIONS_H
#define HP_IO_ACTIONS_ACTIONS_H

#include "io/actions/expression.h"

HP_EXTERN_C_BEGIN

typedef struct hp_user_quantity {
  char name[HP_QUANTITY_NAME];
  hp_expression_level level;
  char unit[16]; /* "": none */
} hp_user_quantity;

/* X(NAME, "deck name"): when a quantity is computed anew. */
#define HP_UPDATE_LIST(X) \
  X(ON, "on")             \
  X(OFF, "off")           \
  X(NEXT, "next")
typedef enum {
#define HP_UPDATE_ENUM(name, text) HP_UPDATE_##name,
  HP_UPDATE_LIST(HP_UPDATE_ENUM)
#undef HP_UPDATE_ENUM
      HP_UPDATES
} hp_update;
extern const char *const hp_update_name[HP_UPDATES];

typedef enum { HP_QUANTITY_DEFINES, HP_QUANTITY_ASSIGNS, HP_QUANTITY_UPDATES } hp_quantity_says;

/* A change of a quantity, from `time` on. */
typedef struct hp_quantity_entry {
  double time;  /* [s] */
  int quantity; /* from 0 */
  hp_quantity_says says;
  char *text;           /* of an expression, after every time step; */
  hp_expression *value; /*   read */
  double number;        /* a number, for the wells or groups of these names and patterns; 0: all */
  int names;
  char (*name)[HP_WELL_NAME];
  hp_update update;
  const char *file;
  int line;
} hp_quantity_entry;

typedef struct hp_action {
  double time; /* [s] from which on its condition is looked at */
  char name[HP_WELL_NAME];
  int times;       /* that it runs at most; 0: any */
  double interval; /* [s] least time between two runs */
  char *condition;
  hp_expression *when; /* the same, read */
  int lines;
  char **does; /* [lines] */
  const char *file;
  int line;
} hp_action;

enum { HP_QUANTITIES_MOST = 1000, HP_ACTIONS_MOST = 1000, HP_ACTION_LINES_MOST = 1000 };

/* Whether a name may be one of a quantity (FU, WU, GU and 0 to 6 letters or digits); why not, else "". */
void hp_quantity_fault(const char *name, char why[HP_EXPRESSION_WHY]);
void hp_quantity_entry_clear(hp_quantity_entry *e);
void hp_action_clear(hp_action *a);

/* The line for one of the wells that fulfil a condition; false: it does not ask for them. */
hp_status hp_action_line_for(const char *line, const char *well, char **out) HP_MUST_USE;
bool hp_action_line_asks(const char *line);

HP_EXTERN_C_END

#endif
