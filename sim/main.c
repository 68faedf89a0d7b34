/* hepta: a two-phase reservoir simulator. The commands are in sim/commands/; those without a function are of hepta-bench (bench/main.c). */
#include <stddef.h>

#include "sim/cli/main.h"
#include "sim/commands/commands.h"

extern const char hepta_commit[]; /* made by the build (scripts/commit.cmake) */

int main(int argc, char **argv) {
  static const hp_command commands[] = {
      {"run", "run a deck", hp_command_run, true},
      {"check", "read a deck, say what is wrong with it and what a run would do", hp_command_check, false},
      {"import", "write an Eclipse deck as one of hepta's own", hp_command_import, false},
      {"export", "write a deck as an Eclipse one", hp_command_export, false},
      {"info", "say what a result file holds", hp_command_info, false},
      {"compare", "run a deck with several solvers, formats or backends and compare", hp_command_compare, true},
      {"plot", "draw results: curves, or a map of a layer", hp_command_plot, false},
      {"report", "a page about a run: curves, maps, totals, what it said", hp_command_report, false},
      {"diagnose", "where fluid comes from and goes to, and how long it takes", hp_command_diagnose, false},
      {"paraview", "a state for ParaView, the program, pictures of a run", hp_command_paraview, false},
      {"bench", "measure parts of the program", NULL, false},
      {"tune", "find the fastest launch shapes for this GPU", NULL, false},
  };
  const hp_program program = {
      "usage: hepta COMMAND ...\n\nA two-phase (oil-water) reservoir simulator.\n\n",
      "\n'hepta COMMAND --help' says more, 'hepta --version' which version this is.\n"
      "Decks are *.cfg (docs/reference/deck.md) or Eclipse *.DATA (docs/reference/eclipse.md).\n",
      commands, sizeof commands / sizeof *commands, hepta_commit};
  return hp_cli_main(argc, argv, &program);
}
