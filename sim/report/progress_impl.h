/* Private to the reports of a run: progress.c (lines and the bar), progress_wells.c (controls), progress_events.c
 * (--json). */
#ifndef HP_SIM_REPORT_PROGRESS_IMPL_H
#define HP_SIM_REPORT_PROGRESS_IMPL_H

#include "sim/report/events.h"
#include "sim/report/progress.h"
#include "sim/report/terminal.h"

enum { HP_MARKS = 96 }; /* of the water cut, equal shares of the run's time */

/* A well as it was last reported (sim/report/progress_wells.c). */
typedef struct hp_reported_well {
  uint8_t mode, asked; /* hp_control in force, and the one that deck and schedule ask for */
  bool still;          /* open, and nothing flows at its bhp */
  uint8_t lines;       /* shown on standard error so far */
} hp_reported_well;

struct hp_progress {
  hp_progress_options opt;
  bool shown; /* lines on standard error */
  hp_terminal terminal;
  FILE *log;              /* NULL: none */
  hp_events *events;      /* NULL: none */
  bool prt;               /* the log is a NAME.PRT, with messages as Eclipse has them and a count of them at the end */
  int messages[2];        /* in it: warnings, errors */
  const hp_case *c;       /* of the run, borrowed; NULL: it has not begun */
  const char *go_on;      /* the command with which a run that stopped goes on, borrowed; NULL: none */
  hp_text kept;           /* hp_progress_said */
  bool told_of_waiting;   /* what a well does that stands still */
  bool said;              /* a handler of signals has shown how the run stopped */
  bool drawn_now;         /* the bar is on the screen */
  double began, drawn;    /* hp_now() of the program's start and of the bar's last drawing */
  hp_report_row last;     /* the step just made */
  int marks;              /* shares of the time that have passed */
  double mark[HP_MARKS];  /* [marks] water cut there, NAN: not known */
  hp_reported_well *well; /* [nwell] NULL before the first step */
  int (*group)[2];        /* [groups.count] targets that governed, as hp_group_row has them; likewise */
};

/* A line to the log and, where it is `wanted` there, to standard error. */
void hp_progress_line(hp_progress *P, bool wanted, const char *text);

/* Remembers each well on a control: `mode` [nwell], NULL: on the one that it is asked for. */
hp_status hp_progress_wells_start(hp_sim *S, const uint8_t *mode) HP_MUST_USE;

/* Tells, after a step, of wells that are on another control than after the step before, that stand still or flow again. */
hp_status hp_progress_wells(hp_sim *S) HP_MUST_USE;

/* A time for people: "12.5 day", with its date behind it where there is one: "12.5 day  2026-01-13 12:00". */
typedef struct {
  char s[96];
} hp_time_text;
hp_time_text hp_progress_time(const hp_sim *S, double time);

void hp_progress_event_start(const hp_sim *S);
void hp_progress_event_newton(const hp_sim *S, double dt, const hp_newton_report *r, const hp_krylov_report *k);
void hp_progress_event_cut(const hp_sim *S, const hp_newton_report *r, double next);
void hp_progress_event_step(const hp_sim *S, const hp_report_row *row);
void hp_progress_event_control(const hp_sim *S, int w, hp_control from, hp_control to);
void hp_progress_event_still(const hp_sim *S, int w, bool still);
void hp_progress_event_waits(const hp_sim *S, int report);
void hp_progress_event_report(const hp_sim *S, const hp_report_row *row, int report);
void hp_progress_event_told(const hp_sim *S, const char *event, const char *text);
void hp_progress_event_totals(const hp_sim *S, double seconds);
void hp_progress_event_ranks(const hp_sim *S);        /* sim/report/ranks.c */
void hp_report_print_ranks(const hp_sim *S, FILE *f); /* likewise */

#endif
