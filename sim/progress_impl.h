/* Private to what is told of a run: progress.c (lines and the bar), progress_events.c (--json). */
#ifndef HP_SIM_PROGRESS_IMPL_H
#define HP_SIM_PROGRESS_IMPL_H

#include "sim/events.h"
#include "sim/progress.h"
#include "sim/terminal.h"

enum { HP_MARKS = 96 }; /* of the water cut, equal shares of the run's time */

struct hp_progress {
  hp_progress_options opt;
  bool shown;         /* lines on standard error */
  hp_terminal terminal;
  FILE *log;          /* NULL: none */
  hp_events *events;  /* NULL: none */
  const char *go_on;  /* the command with which a run that stopped goes on, borrowed; NULL: none */
  bool drawn_now;     /* the bar is on the screen */
  double began, drawn; /* hp_now() of the program's start and of the bar's last drawing */
  hp_report_row last; /* the step just made */
  int marks;          /* shares of the time that have passed */
  double mark[HP_MARKS]; /* [marks] water cut there, NAN: not known */
  uint8_t *mode;      /* [nwell] hp_control of each well, at first what it is asked for; NULL before the first step */
};

void hp_progress_event_start(const hp_sim *S);
void hp_progress_event_newton(const hp_sim *S, double dt, const hp_newton_report *r, const hp_krylov_report *k);
void hp_progress_event_cut(const hp_sim *S, const hp_newton_report *r, double next);
void hp_progress_event_step(const hp_sim *S, const hp_report_row *row);
void hp_progress_event_control(const hp_sim *S, int w, hp_control from, hp_control to);
void hp_progress_event_report(const hp_sim *S, const hp_report_row *row, int report);
void hp_progress_event_diag(hp_progress *P, const hp_diag *diag);
void hp_progress_event_totals(const hp_sim *S, double seconds);

#endif
