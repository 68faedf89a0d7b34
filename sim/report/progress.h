/* Progress of a run while it goes on, and the tables at its end: on standard error to who looks on (a line that is
 * redrawn on a terminal, lines elsewhere), in full to --log FILE, as events to --json (sim/report/events.h).
 *
 *     hp_progress_create(&options, began, &P);
 *     hp_progress_open(P, &read, true);           opens log and events, once it is known which files are read
 *     S->progress = P;                            NULL: nothing is reported, as on ranks but 0; likewise P below
 *     hp_progress_start(S); hp_sim_run(S); ...    the run calls hp_progress_step and so on
 *     hp_progress_finish(S, status, seconds);
 *     hp_progress_destroy(&P);
 */
#ifndef HP_SIM_REPORT_PROGRESS_H
#define HP_SIM_REPORT_PROGRESS_H

#include "io/diag.h"
#include "io/files/text.h"
#include "sim/simulator/simulator.h"

HP_EXTERN_C_BEGIN

typedef struct hp_progress hp_progress;

typedef struct hp_progress_options {
  int when;                 /* --progress: -1 as standard error is, 0 never, 1 a bar always */
  bool quiet;               /* errors only, and no tables */
  bool only_bar;            /* no lines: `hepta compare` has its own */
  bool no_bar;              /* lines: --monitor */
  bool append;              /* log and events behind what stands in their files: a run that goes on in its own */
  const char *log;          /* file of all that is reported, NULL: none; NAME.PRT: with messages in Eclipse's form */
  const char *json;         /* file of the events, "-" standard output, NULL: none */
  const char *command_line; /* for the log's first line, NULL: none */
} hp_progress_options;

/* began: hp_now() at the program's start. */
hp_status hp_progress_create(const hp_progress_options *opt, double began, hp_progress **out) HP_MUST_USE;
/* HP_ERR_USAGE where a file cannot be made, or is one of those that are read. all_read: they are all known; if not,
 * files that stand there and are neither a log nor events stay as they are. */
hp_status hp_progress_open(hp_progress *P, const hp_inputs *read, bool all_read) HP_MUST_USE;
/* The same judgement without opening them. */
hp_status hp_progress_check(const hp_progress_options *opt, const hp_inputs *read) HP_MUST_USE;
/* All that is kept of what is said, for the result's file (hp_output_use_said): first lines, notes, warnings, cuts, controls, the tables at
 * the end but for seconds; as long as P lives. */
const hp_text *hp_progress_said(const hp_progress *P);
/* HP_ERR_FILE where log or events could not be written. */
hp_status hp_progress_destroy(hp_progress **P) HP_MUST_USE;

/* ---- before and after a run ---- */

/* Faults and surprises of a deck. */
void hp_progress_diag(hp_progress *P, const hp_diag *diag);

/* A failure, always on standard error; returns its exit code (core/program.h). */
int hp_progress_error(hp_progress *P, hp_status s);

#define HP_PROGRESS_GO_ON_FROM_FILES "To go on from the last report step in the files: "
/* The command with which the run goes on that stopped with `s`; it is kept by the caller until hp_progress_end. */
void hp_progress_go_on(hp_progress *P, hp_status s, const char *command);

/* First lines: case, grid, wells, solver, memory. */
hp_status hp_progress_start(hp_sim *S) HP_MUST_USE;

/* Takes the bar off the screen. */
void hp_progress_clear(const hp_sim *S);

/* Keeps what is known when the last time step is done: mass balance, error in time, work; why: what stopped the run, NULL: nothing. */
void hp_progress_keep_end(const hp_sim *S, const char *why);

/* Takes the bar off the screen, then the tables, on standard output unless the events are there. */
void hp_progress_finish(hp_sim *S, double seconds);

/* The last event: how the program ends. */
void hp_progress_end(hp_progress *P, int exit_code);

/* ---- while it goes on ---- */

/* An evaluation of Newton's method, with --monitor; k: the solve before it, NULL: none. */
void hp_progress_newton(const hp_sim *S, double dt, const hp_newton_report *r, const hp_krylov_report *k);

/* An attempt of length S->dt failed; the next is `next` long [s]. */
void hp_progress_cut(hp_sim *S, const hp_newton_report *r, double next);

/* Redraws the bar after each time step (where there is one, at most 10 times a second), in one line of the terminal,
 * whatever its width; wells whose control changed. */
hp_status hp_progress_step(hp_sim *S, const hp_newton_report *r, int cuts) HP_MUST_USE;

/* Remembers after each report time, from 0, a row of the final table; a plain line where there is no bar. -1: a run
 * that stops between two, whose last state is a row, too. */
void hp_progress_report(hp_sim *S, int report);

/* Sheets of fluids in place in NAME.PRT, as far as the deck asks for them (sim/report/sheets.c). */
void hp_progress_sheets(hp_sim *S, bool start);

/* A run that is steered waits at the start, report 0, or at a report; takes a line; or refuses it, and why. */
void hp_progress_waits(hp_sim *S, int report);
void hp_progress_change(hp_sim *S, const char *line);
void hp_progress_refuses(hp_sim *S, const char *why);

/* A line that stays: something to know. */
void hp_progress_note(hp_sim *S, const char *fmt, ...) HP_PRINTF(2, 3);
/* The same where results may not be what the reader takes them for: also with `--progress never`. */
void hp_progress_warn(hp_sim *S, const char *fmt, ...) HP_PRINTF(2, 3);

/* Lines as they are, such as those of --check-jacobian. */
void hp_progress_text(hp_sim *S, const char *text);

/* The tables: report times, mass balance, wasted work, where the time went (sim/report/report.c); hp_report_print_end: without the first
 * and the last. */
void hp_report_print(const hp_sim *S, double seconds, FILE *f);
void hp_report_print_end(const hp_sim *S, FILE *f);

/* A name as one word of a shell. */
void hp_report_print_quoted(const char *name, FILE *f);

HP_EXTERN_C_END

#endif
