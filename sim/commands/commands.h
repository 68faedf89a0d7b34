/* The commands of the program, a file each: each parses its own options and returns the exit code (sim/cli/cli.h). What
 * `hepta check` prints of a deck is in list.c, notes.c, in_place.c and ranks.c. */
#ifndef HP_SIM_COMMANDS_COMMANDS_H
#define HP_SIM_COMMANDS_COMMANDS_H

#include "sim/cli/cli.h"
#include "sim/cli/result_names.h"

struct hp_run_options;
struct hp_sim_memory;

int hp_command_run(int argc, char **argv);
int hp_command_check(int argc, char **argv);
int hp_command_info(int argc, char **argv);
int hp_command_compare(int argc, char **argv);
int hp_command_import(int argc, char **argv);
int hp_command_export(int argc, char **argv);
int hp_command_plot(int argc, char **argv);
int hp_command_report(int argc, char **argv);
int hp_command_paraview(int argc, char **argv);
int hp_command_diagnose(int argc, char **argv);

/* hp_command_read_back reads a deck that has just been written: what is wrong with it is reported before anybody runs it.
 * hp_command_check_free refuses a path where there is something already. Both return the exit code. */
int hp_command_read_back(const char *path);
int hp_command_check_free(const char *command, const char *path);

/* Files of what was measured beside results. hp_command_add_data takes one more, the value of --data. */
enum { HP_PAGE_DATA_MAX = 32 };
typedef struct hp_page_data {
  const char *file[HP_PAGE_DATA_MAX];
  int count;
} hp_page_data;
int hp_command_add_data(const char *command, const char *text, hp_page_data *data);

/* Writes a page about results: `option` of plot/plot.py; output: *.html, or NULL: named after them. Returns the exit code. */
int hp_command_page(const char *command, const char *option, const hp_result_names *names, const hp_page_data *data,
                    const char *output);

/* Prints of a deck that has been read what `hepta check` does. */
hp_status hp_command_check_case(const hp_case *c, const struct hp_run_options *opt, bool list, FILE *f) HP_MUST_USE;

/* Text of a control: "producer, bhp 150 bar", or "shut"; no line end. */
void hp_command_print_control(const hp_case *c, const hp_well_control *control, FILE *f);

/* Values that look like another unit or a slip: a line each. */
hp_status hp_command_print_notes(const hp_case *c, const hp_wells *W, const hp_reservoir *r, FILE *f) HP_MUST_USE;

/* Fluids in place at the start; `list`: in all regions. */
hp_status hp_command_print_in_place(const hp_case *c, const hp_reservoir *r, bool list, FILE *f) HP_MUST_USE;

/* The parts of a run by opt->ranks ranks. list: each of many, too. */
hp_status hp_command_print_ranks(const hp_case *c, const hp_wells *W, const hp_reservoir *r,
                                 const struct hp_run_options *opt, const struct hp_sim_memory *memory, bool list,
                                 FILE *f) HP_MUST_USE;

/* The entries of the schedule, at most so many, and the other lists of a deck,
 * numbered as --set counts them. */
void hp_command_print_schedule(const hp_case *c, int most, FILE *f);
void hp_command_print_groups(const hp_case *c, int most, FILE *f);
void hp_command_print_changes(const hp_case *c, int most, FILE *f);
void hp_command_print_trans(const hp_case *c, int most, FILE *f); /* of transmissibilities */
void hp_command_print_beside(const hp_case *c, const hp_well_control *control,
                             FILE *f); /* efficiency, economic limits */
void hp_command_print_lists(const hp_case *c, FILE *f);

#endif
