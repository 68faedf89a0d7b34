/* Options and their values on command lines. */
#ifndef HP_SIM_CLI_ARGS_H
#define HP_SIM_CLI_ARGS_H

#include <stdbool.h>
#include <string.h>

#include "core/status.h"

/* A verb's options are those that its help lists, lines of the form
 *
 *     "  -o, --output NAME        text"      a letter beside the name, and a value
 *     "      --json[=FILE]        text"      a value or none
 *     "      --monitor            text"      no value
 *
 * `set` is given one at a time by its name, which lasts as long as the call, with its value (NULL: it has none) and returns
 * HP_EXIT_OK, HP_ARGS_NOT_A_VALUE for "--name value: not a value it takes", or the exit code of a mistake that it has
 * reported itself. */
typedef struct hp_args_syntax {
  const char *command, *help; /* "bench spmv", for messages; what --help prints */
  bool operands;              /* there may be others than options: argv from optind on; else they are refused */
  int (*set)(const char *option, const char *text, void *arguments);
} hp_args_syntax;

enum { HP_ARGS_NOT_A_VALUE = -1 };

/* True: go on. False: *code is the exit code, after --help or after a message. */
bool hp_args_parse(const hp_args_syntax *syntax, int argc, char **argv, void *arguments, int *code);

/* Whether an option has that name. */
HP_INLINE bool hp_args_is(const char *option, const char *name) { return strcmp(option, name) == 0; }

/* Return what `set` does for an option that takes no value, that takes any text, and that takes any but the empty one. */
int hp_args_flag(bool *out);
int hp_args_text(const char *text, const char **out);
int hp_args_name(const char *text, const char **out);
/* HP_EXIT_OK or HP_ARGS_NOT_A_VALUE. */
int hp_args_good(bool good);

/* A whole number min .. max at the start of *text, which is moved behind it. */
bool hp_args_number(const char **text, long min, long max, int *out);

/* A whole or real number min .. max that is all of the text; false otherwise. */
bool hp_args_whole(const char *text, long min, long max, int *out);
bool hp_args_real(const char *text, double min, double max, double *out);

/* A whole number 1 .. most that is the value of `option`, "--rounds": HP_EXIT_OK or, after a message, HP_EXIT_USAGE. */
int hp_args_count(const char *command, const char *option, const char *text, int most, int *out);

#endif
