#include "core/program.h"

const char *hp_program_commit = "unknown", *hp_program_name = "hepta";

int hp_exit_code(hp_status s) {
  if (s == HP_OK) return HP_EXIT_OK;
  if (s == HP_ERR_INTERRUPTED) return HP_EXIT_INTERRUPTED;
  return s == HP_ERR_USAGE || s == HP_ERR_DECK || s == HP_ERR_UNSUPPORTED ? HP_EXIT_USAGE : HP_EXIT_FAILED;
}
