/* hepta check DECK: parse, validate, say what a run would do. */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/profile.h"
#include "core/show.h"
#include "core/threads/stage.h"
#include "io/config/config.h"
#include "sim/cli/args.h"
#include "sim/commands/commands.h"
#include "sim/run/run.h"
#include "sim/simulator/simulator.h"

enum { TOLD_EVERY = 5 /* seconds: what a check of many cells is at */ };
enum { SCHEDULE_SHOWN = 20 }; /* entries, without --list */

static const char help[] =
    "usage: hepta check DECK [--set KEY=VALUE ...]\n\n"
    "Reads a deck, says all that is wrong with it, or what a run would do: cells,\n"
    "fluids in place, wells, report times, memory, solver; notes on values that look\n"
    "like another unit.\n"
    "Nothing is run or written.\n\n"
    "      --set KEY=VALUE      overrides a key of the deck; may be repeated\n"
    "      --without LIST       keywords of an Eclipse deck that would stop a run: left out\n"
    "      --parsing-strictness low|normal|high  as in hepta run\n"
    "      --json[=FILE]        what is wrong or surprising as events, one JSON object per line\n"
    "                           (docs/reference/terminal.md); the rest goes to standard error\n"
    "      --list               all entries of lists, with the numbers that --set counts by;\n"
    "                           each rank where there are more than 16\n"
    "      --backend cpu|cuda   what the run would need there (default cpu)\n"
    "      --gpus LIST          of several GPUs, as in hepta run: what each of them would need;\n"
    "                           with --ranks, of ranks on one host\n"
    "      --threads N          with so many members of the CPU team, as in hepta run\n"
    "      --ranks R            of a run by R processes (mpirun -n R hepta run DECK): how its\n"
    "                           columns are cut, what each rank and its GPU need; without MPI\n"
    "                           (default: the processes that mpirun has started, or one)\n"
    "  -h, --help\n\n"
    "Exit codes: 0 the deck is right, 2 it is not.\n";

static void print_faults(const hp_case *c, FILE *f) {
  const hp_grid *g = c->grid;
  hp_connection_counts counts = {0};
  for (int64_t n = 0; n < g->connection.count; ++n) {
    int a[3], b[3];
    hp_grid_ijk(g, g->connection.a[n], a);
    hp_grid_ijk(g, g->connection.b[n], b);
    hp_connection_count(&counts, a, b);
  }
  hp_output_print_faults(&counts, c->nfault, c->fault, 8, c->units.factor[HP_UNIT_PRESSURE],
                         c->units.label[HP_UNIT_PRESSURE], f);
}

/* Pairs of regions, a line each. */
static void print_thresholds(const hp_case *c, FILE *f) {
  enum { SHOWN = 10 };
  const hp_initial *i = &c->initial;
  int count = 0;
  for (int a = 0; i->threshold != NULL && a < i->nthreshold; ++a)
    for (int b = 0; b < i->nthreshold; ++b) {
      const double value = i->threshold[a * i->nthreshold + b] / c->units.factor[HP_UNIT_PRESSURE];
      const bool one_way = hp_case_threshold_one_way(i, a, b);
      if (value == 0.0 || (b < a && !one_way)) continue;
      if (count++ >= SHOWN) continue;
      fprintf(f, "%s %s %d %s %d: ", count == 1 ? "threshold" : "         ", one_way ? "from region" : "regions", a + 1,
              one_way ? "to" : "and", b + 1);
      if (isnan(value)) fputs("the largest difference at the start\n", f);
      else fprintf(f, "%.6g %s\n", value, c->units.label[HP_UNIT_PRESSURE]);
    }
  if (count > SHOWN) fprintf(f, "         ... and %d more\n", count - SHOWN);
  const hp_pair_values *faults = &c->fault_threshold;
  if (faults->count == 0) return;
  double most = 0.0;
  for (int64_t n = 0; n < faults->count; ++n) most = fmax(most, faults->value[n]);
  fprintf(f, "%s faults: %lld faces, at most %.6g %s\n", count == 0 ? "threshold" : "         ",
          (long long)faults->count, most / c->units.factor[HP_UNIT_PRESSURE], c->units.label[HP_UNIT_PRESSURE]);
}

static void print_grid(const hp_case *c, FILE *f) {
  const hp_grid *g = c->grid;
  const double v = c->units.factor[HP_UNIT_RESERVOIR_VOLUME], l = c->units.factor[HP_UNIT_LENGTH];
  double pv = 0.0, top = g->depth[0], bottom = g->depth[0];
  for (int64_t m = 0; m < g->ncell; ++m) {
    pv += g->pore_volume[m];
    if (g->depth[m] - 0.5 * g->dz[m] < top) top = g->depth[m] - 0.5 * g->dz[m];
    if (g->depth[m] + 0.5 * g->dz[m] > bottom) bottom = g->depth[m] + 0.5 * g->dz[m];
  }
  fprintf(f, "grid     %d x %d x %d = %lld cell%s, %lld active; depth %.6g to %.6g %s\n", g->nx, g->ny, g->nz,
          (long long)g->ncell, hp_plural(g->ncell), (long long)g->nactive, top / l, bottom / l,
          c->units.label[HP_UNIT_LENGTH]);
  if (c->deck_size[0] > 0)
    fprintf(f, "         refined from %d x %d x %d: each cell is %d x %d x %d\n", c->deck_size[0], c->deck_size[1],
            c->deck_size[2], c->refine[0], c->refine[1], c->refine[2]);
  fprintf(f, "         pore volume %.6g %s%s\n", pv / v, c->units.label[HP_UNIT_RESERVOIR_VOLUME],
          c->coord != NULL ? "; result files draw cells by their corners"
          : c->rectilinear ? ""
                           : "; tops or thicknesses vary: result files use a curvilinear mesh");
  if (c->systems.count > 1) fprintf(f, "         %d systems of pillars, one below the other\n", c->systems.count);
  print_faults(c, f);
  print_thresholds(c, f);
}

static bool aquifers_hold(const hp_case *c) {
  for (int n = 0; n < c->naquifer; ++n)
    if (hp_aquifer_holds_pressure(&c->aquifer[n])) return true;
  return false;
}

static void print_aquifers(const hp_case *c, FILE *f) {
  static const char *const kind[HP_AQUIFER_KINDS] = {"Carter-Tracy", "Fetkovich", "constant flux"};
  if (c->naquifer == 0) return;
  fprintf(f, "aquifers %d\n", c->naquifer);
  for (int n = 0; n < c->naquifer; ++n)
    fprintf(f, "         %-12d %s, connected to %lld cell%s\n", c->aquifer[n].number, kind[c->aquifer[n].kind],
            (long long)c->aquifer[n].connections, hp_plural(c->aquifer[n].connections));
}

/* Of a well that is opened: when. [s] */
static double opening_time(const hp_case *c, int well) {
  for (int e = 0; e < c->nevent; ++e)
    if (c->event[e].well == well && c->event[e].control.control != HP_CONTROL_SHUT) return c->event[e].time;
  return 0.0;
}

static void print_wells(const hp_case *c, const hp_wells *W, bool list, FILE *f) {
  int later = 0; /* controls at time zero are the wells' own */
  for (int e = 0; e < c->nevent; ++e) later += c->event[e].time > 0.0;
  fprintf(f, "wells    %d, %lld perforation%s, %d schedule event%s\n", c->nwell, (long long)W->nperf,
          hp_plural(W->nperf), later, hp_plural(later));
  for (int w = 0; w < c->nwell; ++w) {
    const hp_well_control *control = hp_case_first_control(c, w);
    const long long perfs = (long long)(W->begin[w + 1] - W->begin[w]);
    fprintf(f, "         %-12s %3lld perforation%-2s ", c->well[w].name, perfs, hp_plural(perfs));
    if (control == NULL) {
      fputs("never opened\n", f);
      continue;
    }
    const double opens = opening_time(c, w) / c->units.factor[HP_UNIT_TIME];
    if (opens > 0.0) fprintf(f, "shut until %.6g %s, then ", opens, c->units.label[HP_UNIT_TIME]);
    hp_command_print_control(c, control, f);
    hp_command_print_beside(c, control, f);
    fputc('\n', f);
  }
  if (c->ntrans_event > 0) fprintf(f, "multipliers of transmissibilities\n");
  hp_command_print_trans(c, list ? c->ntrans_event : SCHEDULE_SHOWN, f);
  hp_command_print_schedule(c, list ? c->nevent : SCHEDULE_SHOWN, f);
  hp_command_print_groups(c, list ? c->ngroup_event : SCHEDULE_SHOWN, f);
  hp_command_print_changes(c, list ? c->nperf_event : SCHEDULE_SHOWN, f);
}

/* Names the number of time steps where twice as many would make a difference. */
static void print_memory(const hp_sim_memory *m, const hp_run_options *opt, FILE *f) {
  char text[32];
  const int threads = opt->threads > 0 ? opt->threads : hp_processors();
  hp_show_bytes((double)m->host, text, sizeof text);
  fprintf(f, "memory   about %s on the CPU", text);
  if (opt->backend == HP_BACKEND_CPU) fprintf(f, " with %d thread%s", threads, hp_plural(threads));
  hp_show_bytes((double)m->device, text, sizeof text);
  if (m->device > 0 && m->gpus == 0) fprintf(f, " and %s on the GPU", text);
  for (int g = 0; g < m->gpus; ++g) {
    hp_show_bytes((double)m->device_on[g], text, sizeof text);
    fprintf(f, "%s %s on GPU %d", g + 1 < m->gpus ? "," : " and", text, m->gpu[g]);
  }
  hp_show_bytes((double)m->step_bytes, text, sizeof text);
  if (m->steps * m->step_bytes > m->host / 20)
    fprintf(f, "; for %lld time step%s, the fewest that the deck allows; each more takes %s", (long long)m->steps,
            hp_plural(m->steps), text);
  fputc('\n', f);
}

static void print_setting(const hp_config_key *key, double value, const hp_units *units, FILE *f) {
  fprintf(f, "%s = ", key->path);
  if (key->kind == HP_KEY_CHOICE) {
    char choice[64];
    hp_config_choice_name(key, (int)value, choice);
    fputs(choice, f);
  } else if (key->kind == HP_KEY_BOOL) {
    fputs(value != 0.0 ? "true" : "false", f);
  } else {
    fprintf(f, "%.6g", value / units->factor[key->unit]);
  }
  if (units->label[key->unit][0] != '\0') fprintf(f, " %s", units->label[key->unit]);
}

/* Keys of these groups whose values are not the defaults. */
static void print_settings(const hp_case *c, FILE *f) {
  enum { IN_A_LINE = 4 };
  hp_case plain = {.units = c->units};
  int count = 0;
  hp_config_defaults(&plain);
  if (c->linear.preconditioner != HP_PRECOND_DILU) { /* which alone has these */
    plain.linear.precision = c->linear.precision;
    plain.linear.relaxation = c->linear.relaxation;
  }
  const struct {
    const char *list;
    hp_home home;
    const void *now, *before;
  } groups[] = {{"timestep", HP_IN_TIMESTEP, &c->timestep, &plain.timestep},
                {"newton", HP_IN_NEWTON, &c->newton, &plain.newton},
                {"linear", HP_IN_LINEAR, &c->linear, &plain.linear},
                {"linear.cpr", HP_IN_CPR, &c->cpr_options, &plain.cpr_options},
                {"output", HP_IN_OUTPUT, &c->output, &plain.output}};
  for (size_t g = 0; g < sizeof groups / sizeof *groups; ++g)
    for (const hp_config_key *key = NULL; (key = hp_config_next(groups[g].list, groups[g].home, key)) != NULL;) {
      const double now = hp_config_value(key, groups[g].now), before = hp_config_value(key, groups[g].before);
      if (now == before || (isnan(now) && isnan(before))) continue;
      fputs(count == 0 ? "settings " : count % IN_A_LINE == 0 ? ",\n         " : ", ", f);
      print_setting(key, now, &c->units, f);
      ++count;
    }
  if (count > 0) fputc('\n', f);
}

static void print_actions(const hp_case *c, FILE *f) {
  if (!hp_case_has_actions(c)) return;
  fprintf(f, "actions  %d action%s, %d quantit%s of the deck's own\n", c->naction, hp_plural(c->naction), c->nquantity,
          c->nquantity == 1 ? "y" : "ies");
  for (int n = 0; n < c->naction; ++n) {
    const hp_action *a = &c->action[n];
    fprintf(f, "         %-12s %d line%s when %s\n", a->name, a->lines, hp_plural(a->lines), hp_show(a->condition).s);
  }
}

static hp_status print_check(const hp_case *c, const hp_wells *W, const hp_reservoir *r, const hp_sim_memory *memory,
                             const hp_run_options *opt, bool list, FILE *f) {
  hp_linear_options solver;
  const hp_krylov_options *l = &solver.krylov;
  const char *unfit = hp_sim_linear(c, opt, &solver);
  const double day = c->units.factor[HP_UNIT_TIME];
  const char *unit = c->units.label[HP_UNIT_TIME];
  fprintf(f, "deck     %s%s%s (%s units)\n", hp_show(c->deck).s, c->title != NULL && c->title[0] != '\0' ? ": " : "",
          c->title != NULL ? hp_show(c->title).s : "", c->units.name);
  print_grid(c, f);
  HP_TRY(hp_command_print_in_place(c, r, list, f));
  print_aquifers(c, f);
  print_wells(c, W, list, f);
  print_actions(c, f);
  if (c->begin > 0.0)
    fprintf(f, "begins   at %.6g %s, with report step %d of %s\n", c->begin / day, unit, c->begin_report,
            hp_show(c->begin_file).s);
  const hp_date_text end = hp_date_at(c->start, c->report[c->nreport - 1], false);
  if (c->start[0] != '\0') fprintf(f, "start    %s\n", c->start);
  fprintf(f, "time     %d report time%s to %.6g %s%s%s; steps of %.4g at first, then %.4g to %.4g %s\n", c->nreport,
          hp_plural(c->nreport), c->report[c->nreport - 1] / day, unit, end.s[0] != '\0' ? ", " : "", end.s,
          c->timestep.initial / day, c->timestep.min / day, c->timestep.max / day, unit);
  fprintf(f, "newton   CNV %g, MB %g, flow %g, at most %d iterations\n", c->newton.tolerance_cnv,
          c->newton.tolerance_mb, c->newton.tolerance_flow, c->newton.max_iterations);
  char precond[160];
  hp_linear_describe_precond(&solver, precond, sizeof precond);
  fprintf(f, "linear   %s, %s", hp_krylov_method_name(l->method), precond);
  if (l->preconditioner == HP_PRECOND_DILU)
    fprintf(f, " in %s order, %s precision", hp_ordering_name(l->ordering), hp_precision_name(l->precision));
  fprintf(f, ", tolerance %g, at most %d iterations\n", l->tolerance, l->max_iterations);
  print_settings(c, f);
  if (opt->ranks == 0) print_memory(memory, opt, f);
  else HP_TRY(hp_command_print_ranks(c, W, r, opt, memory, list, f));
  if (list) hp_command_print_lists(c, f);
  if (hp_sim_incompressible(c) && !aquifers_hold(c))
    fputs(
        "note     rock, oil and water are incompressible: a well must hold a pressure all the time, if only at its "
        "limit of the bhp\n",
        f);
  HP_TRY(hp_command_print_notes(c, W, r, f));
  if (unfit != NULL && opt->ranks > 0) return hp_fail(HP_ERR_USAGE, "--ranks: %s", unfit);
  if (unfit != NULL) return hp_fail(HP_ERR_USAGE, "--backend %s: %s", hp_backend_name(opt->backend), unfit);
  const char *alone = opt->ranks == 0 ? hp_linear_gpus_refusal(opt->device->gpus, &solver) : NULL;
  if (alone != NULL) return hp_fail(HP_ERR_USAGE, "--gpus: %s", alone);
  if (opt->ranks == 0 && memory->host > hp_memory_machine()) {
    char text[32];
    hp_show_bytes((double)hp_memory_machine(), text, sizeof text);
    fprintf(f, "note     it would not run here: this machine has %s of memory\n", text);
  }
  if (hp_backend_available(opt->backend) != HP_OK) fprintf(f, "note     it would not run here: %s\n", hp_fail_text());
  return HP_OK;
}

hp_status hp_command_check_case(const hp_case *c, const hp_run_options *opt, bool list, FILE *f) {
  hp_wells *W = NULL;
  hp_reservoir *r = NULL;
  hp_sim_memory memory;
  hp_held held;
  hp_stage("measuring the memory of a run");
  HP_TRY(hp_wells_create(c->grid, c->nwell, c->well, &W));
  hp_status s = hp_sim_measure_memory(c, W, opt, &memory); /* of what is held now: before the reservoir is */
  hp_stage("finding the state at the start");
  if (s == HP_OK) s = hp_reservoir_create(c->grid, &c->fluid, &r);
  if (s == HP_OK) s = hp_sim_initial_state(c, r);
  if (s == HP_OK) s = hp_sim_hold(c, W, r, &held);
  if (s == HP_OK) s = print_check(c, W, r, &memory, opt, list, f);
  if (s == HP_OK && held.groups > 0) {
    char text[512];
    hp_sim_describe_held(c, &held, text, sizeof text);
    fprintf(f, "note     %s\n", text);
  }
  hp_reservoir_destroy(&r);
  hp_wells_destroy(&W);
  return s;
}

static int parse_ranks(const char *text, int *ranks) {
  enum { MOST = 10000 };
  char *end;
  const long n = strtol(text, &end, 10);
  if (end == text || *end != '\0' || n < 1 || n > MOST)
    return hp_cli_usage_error("check", "--ranks takes 1 to %d, not '%s'", (int)MOST, text);
  *ranks = (int)n;
  return HP_EXIT_OK;
}

typedef struct {
  hp_cli_sets sets;
  hp_device_options device;
  hp_run_options run;
  bool list;
  const char *json; /* file of --json, "-" standard output, NULL: no events */
} arguments;

static int set_option(const char *option, const char *text, void *arg) {
  arguments *a = arg;
  if (hp_args_is(option, "list")) return hp_args_flag(&a->list);
  if (hp_args_is(option, "set")) return hp_cli_add_set("check", text, &a->sets);
  if (hp_args_is(option, "without")) return hp_cli_without("check", text, &a->sets);
  if (hp_args_is(option, "parsing-strictness")) return hp_cli_strictness("check", text, &a->sets);
  if (hp_args_is(option, "backend")) return hp_cli_backend("check", text, &a->run.backend);
  if (hp_args_is(option, "gpus")) return hp_cli_gpus("check", text, &a->device);
  if (hp_args_is(option, "threads")) return hp_cli_threads("check", text, &a->run.threads);
  if (hp_args_is(option, "ranks")) return parse_ranks(text, &a->run.ranks);
  if (hp_args_is(option, "json")) {
    a->json = text != NULL ? text : "-";
    return a->json[0] != '\0' ? HP_EXIT_OK : hp_cli_usage_error("check", "--json= needs the name of a file");
  }
  return HP_ARGS_NOT_A_VALUE;
}

static const hp_args_syntax syntax = {"check", help, true, set_option};

static bool speaks_json(const arguments *a) { return a->json != NULL && strcmp(a->json, "-") == 0; }

/* By the first of several ranks, which speaks. */
static int open_events(arguments *a, const char *deck, double began) {
  hp_inputs files = {0};
  if (!hp_ranks_is_first(hp_ranks_world())) return HP_EXIT_OK;
  hp_inputs_add(&files, deck);
  const hp_status s = hp_events_open(&files, a->json, false, began, &a->sets.events);
  hp_inputs_clear(&files);
  return hp_cli_refused("check", s);
}

int hp_command_check(int argc, char **argv) {
  arguments a = {.run = {.device = &a.device}};
  hp_run_options *run = &a.run;
  int exit_code;
  if (!hp_args_parse(&syntax, argc, argv, &a, &exit_code)) return exit_code;
  if (optind + 1 != argc) return hp_cli_usage_error("check", optind == argc ? "which deck?" : "one deck at a time");
  const double began = hp_now();
  hp_case *c = NULL;
  if (run->ranks == 0 && hp_ranks_world() != NULL) run->ranks = hp_ranks_size(hp_ranks_world());
  exit_code = hp_cli_check_gpus("check", run->backend, &a.device);
  if (exit_code == HP_EXIT_OK) exit_code = open_events(&a, argv[optind], began);
  hp_watch *watch = NULL;
  if (exit_code == HP_EXIT_OK) exit_code = hp_cli_exit(hp_watch_start(TOLD_EVERY, STDERR_FILENO, &watch));
  if (exit_code == HP_EXIT_OK) exit_code = hp_cli_read_case(argv[optind], &a.sets, NULL, &c);
  if (exit_code == HP_EXIT_OK)
    exit_code = hp_cli_exit(hp_command_check_case(c, run, a.list, speaks_json(&a) ? stderr : stdout));
  hp_watch_stop(&watch);
  hp_case_destroy(&c);
  hp_event_ended(a.sets.events, exit_code, NULL);
  const int closed = hp_cli_exit(hp_events_close(&a.sets.events));
  return exit_code != HP_EXIT_OK ? exit_code : closed;
}
