/* What a person sees while a run goes on, and the tables at its end. */
#ifndef HP_SIM_PROGRESS_H
#define HP_SIM_PROGRESS_H

#include "sim/simulator.h"

HP_EXTERN_C_BEGIN

/* Nothing of this file prints with --progress never, except hp_report_print.
 *
 * First lines: case, grid, wells, solver, memory. */
void hp_progress_start(const hp_sim *S);

/* After each time step: redraws the bar (where there is one, at most 10 times a
 * second), in one line of the terminal, whatever its width. */
void hp_progress_step(hp_sim *S, int newton, int linear);

/* After each report time: remembers a row of the final table; a plain line
 * where there is no bar. */
void hp_progress_report(hp_sim *S, int report);

/* A line that stays, such as the reason for a cut. */
void hp_progress_note(const hp_sim *S, const char *fmt, ...) HP_PRINTF(2, 3);

/* Takes the bar off the screen. */
void hp_progress_end(const hp_sim *S);

/* "512 B", "1.5 MB", "3.2 GB". */
void hp_progress_bytes(double bytes, char *out, size_t size);

/* The tables: report times, mass balance, wasted work, where the time went. */
void hp_report_print(const hp_sim *S, double seconds, FILE *f);

HP_EXTERN_C_END

#endif
