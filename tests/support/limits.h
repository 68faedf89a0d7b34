/* Random decks with four wells that meet their limits, run on a backend; every time step is held against every limit.
 *
 *     limits_deck(seed, text, size);             the deck, for hepta and for OPM Flow
 *     limits_check(HP_BACKEND_CPU, 1, 1000, 1);  decks of the seeds from 1 on, each one
 *
 * 5 x 5 x 2 cells, one injector and three producers (one deck of five: two and two), with and without crossflow;
 * targets and limits of every kind; wells that are shut, opened, asked for something else; fields that are asked for a
 * rate.
 */
#ifndef HP_TESTS_SUPPORT_LIMITS_H
#define HP_TESTS_SUPPORT_LIMITS_H

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/deck/deck.h"
#include "sim/run/run.h"
#include "sim/simulator/simulator.h"
#include "sim/simulator/well_paths.h"
#include "tests/support/check.h"

enum { LIMITS_WELLS = 4, LIMITS_CELLS = 50, LIMITS_TEXT = 16384 };

/* ---- decks ---- */

typedef struct {
  uint32_t seed;
  char *text;
  size_t size, used;
  bool injector[LIMITS_WELLS];
} limits_writer;

static inline double limits_random(limits_writer *w) {
  w->seed = w->seed * 1664525u + 1013904223u;
  return (double)(w->seed >> 8) / 16777216.0;
}

static inline double limits_between(limits_writer *w, double a, double b) { return a + (b - a) * limits_random(w); }

/* A number of three digits, as decks have them. */
static inline double limits_number(limits_writer *w, double a, double b) {
  char text[32];
  snprintf(text, sizeof text, "%.3g", limits_between(w, a, b));
  return atof(text);
}

static inline bool limits_chance(limits_writer *w, double p) { return limits_random(w) < p; }

static inline void limits_add(limits_writer *w, const char *fmt, ...) HP_PRINTF(2, 3);
static inline void limits_add(limits_writer *w, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const int n = vsnprintf(w->text + w->used, w->size - w->used, fmt, ap);
  va_end(ap);
  if (n < 0 || (size_t)n >= w->size - w->used) abort();
  w->used += (size_t)n;
}

/* A rate limit, or the default: none. */
static inline void limits_add_rate(limits_writer *w, bool given, double most) {
  if (given) limits_add(w, " %g", limits_chance(w, 0.03) ? 0.0 : limits_number(w, 2.0, most));
  else limits_add(w, " 1*");
}

static inline void limits_add_producer(limits_writer *w, int well) {
  static const char *const name[] = {"ORAT", "WRAT", "LRAT", "RESV", "BHP"};
  const int control = (int)(5.0 * limits_random(w));
  limits_add(w, "WCONPROD\n W%d OPEN %s", well, name[control]);
  limits_add_rate(w, control == 0 || limits_chance(w, 0.3), 60.0);
  limits_add_rate(w, control == 1 || limits_chance(w, 0.3), 60.0);
  limits_add(w, " 1*");
  limits_add_rate(w, control == 2 || limits_chance(w, 0.3), 80.0);
  limits_add_rate(w, control == 3 || limits_chance(w, 0.3), 80.0);
  limits_add(w, " %g /\n/\n", limits_chance(w, 0.1) ? limits_number(w, 200.0, 260.0) : limits_number(w, 60.0, 200.0));
}

static inline void limits_add_injector(limits_writer *w, int well) {
  static const char *const name[] = {"RATE", "RESV", "BHP"};
  const int control = (int)(3.0 * limits_random(w));
  limits_add(w, "WCONINJE\n W%d WATER OPEN %s", well, name[control]);
  limits_add_rate(w, control == 0 || limits_chance(w, 0.4), 150.0);
  limits_add_rate(w, control == 1 || limits_chance(w, 0.4), 150.0);
  limits_add(w, " %g /\n/\n", limits_chance(w, 0.1) ? limits_number(w, 190.0, 230.0) : limits_number(w, 230.0, 450.0));
}

static inline void limits_add_control(limits_writer *w, int well) {
  if (w->injector[well]) limits_add_injector(w, well);
  else limits_add_producer(w, well);
}

static inline void limits_add_event(limits_writer *w) {
  static const char *const name[] = {"ORAT", "LRAT", "BHP"};
  const int well = (int)(LIMITS_WELLS * limits_random(w));
  const double what = limits_random(w);
  if (what < 0.3) limits_add(w, "WELOPEN\n W%d SHUT /\n/\n", well);
  else if (what < 0.5) limits_add(w, "WELOPEN\n W%d OPEN /\n/\n", well);
  else if (what < 0.8 || w->injector[well]) limits_add_control(w, well);
  else {
    const int target = (int)(3.0 * limits_random(w));
    limits_add(w, "WELTARG\n W%d %s %g /\n/\n", well, name[target],
               target == 2 ? limits_number(w, 70.0, 180.0) : limits_number(w, 2.0, 60.0));
  }
}

static inline void limits_add_fluids(limits_writer *w) {
  limits_add(w,
             "PROPS\nDENSITY\n 840 1025 1 /\nPVTW\n 220 1.01 4.5E-5 0.45 1E-4 /\n"
             "PVDO\n 100 1.12 1.6\n 200 1.10 1.8\n 300 1.085 2.0 /\nROCK\n 220 4E-5 /\n");
  if (limits_chance(w, 0.5))
    limits_add(w, "SWOF\n 0.15 0 0.9 0.5\n 0.35 0.05 0.4 0.15\n 0.55 0.16 0.14 0.05\n 0.80 0.48 0 0\n 1 1 0 0 /\n");
  else limits_add(w, "SWOF\n 0.1 0 1 0\n 0.25 0.02 0.7 0\n 0.5 0.2 0.2 0\n 0.75 0.6 0 0\n 1 1 0 0 /\n");
}

/* Writes the deck of a seed; days: of a step at most. */
static inline void limits_deck(uint32_t seed, double days, char *text, size_t size) {
  static const int column[LIMITS_WELLS][2] = {{1, 1}, {5, 5}, {1, 5}, {5, 1}};
  limits_writer w = {.seed = seed * 2654435761u + 12345u, .text = text, .size = size};
  limits_add(&w,
             "RUNSPEC\nDIMENS\n 5 5 2 /\nOIL\nWATER\nMETRIC\nWELLDIMS\n 10 50 2 10 /\nUNIFOUT\n"
             "START\n 1 JAN 2026 /\nGRID\nDX\n 50*25 /\nDY\n 50*25 /\nDZ\n 25*4 25*%g /\nTOPS\n 25*2000 /\n"
             "PORO\n 50*0.2 /\nPERMX\n",
             limits_chance(&w, 0.5) ? 6.0 : 25.0);
  for (int m = 0; m < LIMITS_CELLS; ++m) limits_add(&w, " %.4g", 20.0 * exp(limits_between(&w, 0.0, 4.0)));
  limits_add(&w, " /\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\nMULTIPLY\n PERMZ %g /\n/\n",
             limits_chance(&w, 0.3) ? 1e-4 : 0.1);
  limits_add_fluids(&w);
  limits_add(&w, "SOLUTION\nEQUIL\n 2005 220 %g 0 2* 2* 0 /\nSUMMARY\n", limits_number(&w, 2004.0, 2060.0));
  limits_add(&w, "FOPT\nFWPT\nFWIT\nFPR\nWBHP\n/\nWOPR\n/\nWWPR\n/\nWWIR\n/\nWMCTL\n/\nWOPT\n/\nWWPT\n/\nWWIT\n/\n");
  limits_add(&w, "SCHEDULE\nTUNING\n 0.1 %g 0.0001 /\n/\n/\nWELSPECS\n", days);
  const bool two = limits_chance(&w, 0.2), crossflow = limits_chance(&w, 0.5);
  for (int n = 0; n < LIMITS_WELLS; ++n) {
    w.injector[n] = n == 0 || (n == 3 && two);
    const char *depth = limits_chance(&w, 0.3) ? "2010" : "1*";
    limits_add(&w, " W%d G %d %d %s %s 3* %s /\n", n, column[n][0], column[n][1], depth,
               w.injector[n] ? "WATER" : "OIL", crossflow ? "YES" : "NO");
  }
  limits_add(&w, "/\nCOMPDAT\n");
  for (int n = 0; n < LIMITS_WELLS; ++n)
    limits_add(&w, " W%d 2* 1 2 OPEN 2* 0.2 1* %.3g /\n", n, limits_between(&w, -1.0, 3.0));
  limits_add(&w, "/\n");
  for (int n = 0; n < LIMITS_WELLS; ++n) limits_add_control(&w, n);
  if (limits_chance(&w, 0.15)) limits_add(&w, "GCONPROD\n FIELD ORAT %g /\n/\n", limits_number(&w, 10.0, 80.0));
  limits_add(&w, "TSTEP\n 0.5 1.5 3 /\n");
  for (int n = 0; n < 12; ++n) {
    if (limits_chance(&w, 0.5)) limits_add_event(&w);
    limits_add(&w, "TSTEP\n 5 /\n");
  }
  limits_add(&w, "END\n");
}

/* ---- what a step must keep ---- */

typedef struct {
  uint32_t seed;
  bool began;
  hp_well_control own[LIMITS_WELLS]; /* of the step that is being made */
  double resv[LIMITS_WELLS][HP_PHASES];
  int64_t rows, at_limit[HP_CONTROL_COUNT], still, beyond;
} limits_watch;

enum { LIMITS_SAID = 10 }; /* lines at most */

static inline void limits_say(limits_watch *v, const hp_sim *S, int w, const char *what, double is, double limit) {
  v->beyond += 1;
  check_failures += 1;
  if (v->beyond <= LIMITS_SAID)
    fprintf(stderr, "deck %u, day %.6g, W%d on %s: %s is %.10g, limit %.10g\n", v->seed, S->time / 86400.0, w,
            hp_control_name((hp_control)S->flow[w].mode), what, is, limit);
}

/* Well w at the end of a step. Limits are kept to Newton's tolerance for wells, 1e-4, and 1e-6 of a bhp; less than 0.01
 * sm3/day is nothing. */
static inline void limits_look_at(limits_watch *v, const hp_sim *S, int w) {
  const hp_well_control *c = &v->own[w];
  const double *q = S->flow[w].rate, *b = v->resv[w], sign = c->injector ? -1.0 : 1.0, none = 0.01 / 86400.0;
  const hp_control mode = (hp_control)S->flow[w].mode;
  const double bhp = S->flow[w].bhp, limit = c->limit[HP_CONTROL_BHP];
  const double total = sign * (q[HP_OIL] + q[HP_WATER]);
  const double volume = sign * (b[HP_OIL] * q[HP_OIL] + b[HP_WATER] * q[HP_WATER]);
  const double rate[HP_CONTROL_COUNT] = {[HP_CONTROL_ORAT] = sign * q[HP_OIL],
                                         [HP_CONTROL_WRAT] = sign * q[HP_WATER],
                                         [HP_CONTROL_LRAT] = total,
                                         [HP_CONTROL_RESV] = volume};
  v->rows += 1;
  v->at_limit[mode] += 1;
  if (mode == HP_CONTROL_SHUT) {
    if (q[HP_OIL] != 0.0 || q[HP_WATER] != 0.0) limits_say(v, S, w, "flow of a shut well", total, 0.0);
    return;
  }
  if (fabs(total) < 1e-9 * none) v->still += 1;
  if (total < -none) limits_say(v, S, w, "flow, against its job,", total * 86400.0, 0.0);
  if (c->injector ? bhp > limit * (1.0 + 1.01e-6) : bhp < limit * (1.0 - 1.01e-6))
    limits_say(v, S, w, "bhp", bhp / 1e5, limit / 1e5);
  for (int k = HP_CONTROL_ORAT; k < HP_CONTROL_COUNT; ++k)
    if (rate[k] > c->limit[k] * (1.0 + 1.01e-4) + 0.01 * none + (c->limit[k] > 0.0 ? 0.0 : none))
      limits_say(v, S, w, hp_control_name((hp_control)k), rate[k] * 86400.0, c->limit[k] * 86400.0);
  /* and it does what its control says */
  const double target = c->limit[mode];
  if (mode == HP_CONTROL_BHP && bhp != limit) limits_say(v, S, w, "bhp", bhp / 1e5, limit / 1e5);
  if (mode != HP_CONTROL_BHP && !S->row[w].shared && fabs(rate[mode] - target) > 1.01e-4 * target + none)
    limits_say(v, S, w, "rate", rate[mode] * 86400.0, target * 86400.0);
}

static inline void limits_look(limits_watch *v, const hp_sim *S) {
  for (int w = 0; v->began && w < LIMITS_WELLS; ++w) limits_look_at(v, S, w);
}

/* Looks, before each step, at the one before, and what this one must keep is remembered. */
static inline hp_status limits_attempt(void *arg, const hp_sim *S, bool again) {
  limits_watch *v = (limits_watch *)arg;
  if (again) return HP_OK;
  limits_look(v, S);
  v->began = true;
  memcpy(v->own, S->wells->deck_control, sizeof v->own);
  memcpy(v->resv, S->wells->resv, sizeof v->resv);
  for (int w = 0; w < LIMITS_WELLS; ++w) /* the volume of given rates is worked out for each step */
    if (v->own[w].by_history) v->own[w].limit[HP_CONTROL_RESV] = S->wells->control[w].limit[HP_CONTROL_RESV];
  return HP_OK;
}

static inline hp_status limits_solved(void *arg, hp_sim *S, int newton, const hp_krylov_report *k) {
  (void)arg, (void)S, (void)newton, (void)k;
  return HP_OK;
}

/* ---- runs ---- */

/* Runs a deck of `folder` with its files, as `hepta run` does; the counts are added to *sum. */
static inline hp_status limits_run(const char *folder, hp_backend_kind kind, limits_watch *v, hp_counts *sum) {
  static char text[LIMITS_TEXT];
  char deck[300], base[300];
  const char *set[] = {"output.fields=false"};
  snprintf(deck, sizeof deck, "%s/LIMITS.DATA", folder);
  snprintf(base, sizeof base, "%s/limits", folder);
  limits_deck(v->seed, 5.0, text, sizeof text);
  FILE *f = fopen(deck, "w");
  if (f == NULL || fputs(text, f) < 0 || fclose(f) != 0) abort();
  hp_diag diag;
  hp_case *c = NULL;
  hp_sim *S = NULL;
  hp_well_path *paths = NULL;
  hp_diag_init(&diag);
  hp_status s = hp_case_read(deck, 1, set, &diag, &c);
  if (s != HP_OK) hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
  if (s != HP_OK) return s;
  const hp_run_observer observer = {.arg = v, .attempt = limits_attempt, .solved = limits_solved};
  const hp_run_options opt = {
      .backend = kind, .threads = 1, .command_line = "", .observer = &observer, .no_restart = true};
  s = hp_sim_create(c, &opt, base, &S);
  if (s == HP_OK) s = hp_well_paths_create(c, S->wells, &paths);
  if (s == HP_OK) s = hp_output_open(c, base, "", c->nwell, paths, &S->output);
  if (s == HP_OK) s = hp_sim_run(S);
  if (s == HP_OK) limits_look(v, S);
  if (S != NULL) {
    sum->steps += S->counts.steps;
    sum->cuts += S->counts.cuts;
    sum->newton += S->counts.newton;
    sum->wasted_newton += S->counts.wasted_newton;
    if (S->output != NULL) {
      const hp_status closed = hp_output_close(&S->output);
      if (s == HP_OK) s = closed;
    }
  }
  hp_well_paths_destroy(&paths, c->nwell);
  hp_sim_destroy(&S);
  hp_case_destroy(&c);
  return s;
}

static inline void limits_check(hp_backend_kind kind, uint32_t first, uint32_t count, uint32_t every) {
  char folder[] = "/tmp/hepta-limits-XXXXXX", command[64];
  hp_counts sum;
  limits_watch v;
  memset(&sum, 0, sizeof sum);
  memset(&v, 0, sizeof v);
  if (mkdtemp(folder) == NULL) abort();
  for (uint32_t n = 0; n < count; n += every) {
    v.seed = first + n;
    v.began = false;
    if (limits_run(folder, kind, &v, &sum) == HP_OK) continue;
    fprintf(stderr, "deck %u: %s\n", v.seed, hp_fail_text());
    check_failures += 1;
  }
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  printf(
      "%u decks, %d steps, %d cuts, %lld Newton iterations and %lld wasted; %lld wells at the end of steps, "
      "%lld beyond a limit, %lld stand still; on",
      (count + every - 1) / every, sum.steps, sum.cuts, (long long)sum.newton, (long long)sum.wasted_newton,
      (long long)v.rows, (long long)v.beyond, (long long)v.still);
  for (int k = 0; k < HP_CONTROL_COUNT; ++k) {
    printf(" %s %lld", hp_control_name((hp_control)k), (long long)v.at_limit[k]);
    if (k == HP_CONTROL_THP) continue; /* decks with lift tables are those of tests/property/runs/test_lift.py */
    CHECK(count / every < 100 || v.at_limit[k] > v.rows / 200); /* every other kind is met */
  }
  printf("\n");
}

#endif
