/* Abilities of the terminal at standard error, and a line of it that is redrawn. */
#ifndef HP_SIM_REPORT_TERMINAL_H
#define HP_SIM_REPORT_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

#include "core/portable.h"

HP_EXTERN_C_BEGIN

typedef struct hp_terminal {
  bool bar;    /* a line may be redrawn: a terminal that is not dumb, or --progress always */
  bool colour; /* a terminal that is not dumb, and NO_COLOR is not set (https://no-color.org) */
  bool blocks; /* the locale's letters are UTF-8 */
} hp_terminal;

/* when: -1 by what standard error is, 0 never a bar, 1 always. */
hp_terminal hp_terminal_look(int when);

/* Called before something is printed to `fd`, standard output or error: a reader who has gone stops a run by several ranks
 * after its time step, as SIGPIPE stops one process (hp_ranks_drop_unread). */
void hp_terminal_check_reader(int fd);

/* Letters in a line; 80 where the terminal does not say. */
int hp_terminal_columns(void);

/* A line whose letters are counted as they are seen. */
typedef struct hp_line {
  char text[2048];
  size_t used;
  int letters, room; /* room: the most letters */
  bool colour;
} hp_line;

/* Adds a piece if all of it fits and `reserve` letters more; colour: its code after ESC [, 0 none. False: left out. */
bool hp_line_add(hp_line *l, int reserve, int colour, const char *fmt, ...) HP_PRINTF(4, 5);

/* Adds value[n], 0 to 1 or NAN, as n letters of growing height. */
void hp_line_add_spark(hp_line *l, bool blocks, int colour, int n, const double *value);

HP_EXTERN_C_END

#endif
