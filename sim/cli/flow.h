/* The program by the names hepta-flow, flow and flowrun: OPM Flow's command line, for programs that start Flow. */
#ifndef HP_SIM_CLI_FLOW_H
#define HP_SIM_CLI_FLOW_H

#include "core/status.h"

/* Whether argv[0] is one of them. */
bool hp_flow_is_called(const char *program);

/* The words of `hepta run` that do what Flow's do, NULL-terminated: results beside the deck or in --output-dir, with the deck's name in
 * capital letters, Eclipse's files and NAME.PRT among them. Options of Flow that have no effect here are noted on standard error by a process
 * that speaks. *out NULL: *code is the exit code, after --help, --version or --report-versions. To be freed with hp_flow_free. */
hp_status hp_flow_translate(int argc, char **argv, bool speaks, char ***out, int *count, int *code) HP_MUST_USE;
void hp_flow_free(char ***words, int count);

#endif
