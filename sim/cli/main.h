/* The programs hepta and hepta-bench, but for their commands: --help, --version, standard streams, ranks. */
#ifndef HP_SIM_CLI_MAIN_H
#define HP_SIM_CLI_MAIN_H

#include <stdbool.h>

typedef struct hp_command {
  const char *name, *what;
  int (*run)(int argc,
             char **argv); /* parses its own options and returns the exit code; NULL: hepta-bench has the command */
  bool together;           /* several ranks all call it; else rank 0 does, and the others wait */
} hp_command;

typedef struct hp_program {
  const char *head, *foot; /* of --help, before the commands and after them */
  const hp_command *commands;
  int count;
  const char *commit;
} hp_program;

/* The whole of main: runs the command that the arguments name and returns the program's exit code. */
int hp_cli_main(int argc, char **argv, const hp_program *P);

#endif
