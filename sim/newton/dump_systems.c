#include "sim/newton/dump_systems.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/program.h"
#include "io/files/text.h"
#include "io/systems/system.h"
#include "sim/report/progress.h"
#include "sim/simulator/files.h"

struct hp_dump {
  const hp_dump_options *opt;
  const char *base;
  hp_run_observer observer;
  int attempt;
  hp_cpr_counts counts; /* cpr's, after the solve before */
  hp_system_place pattern,
      numbers; /* of the latest build and of the latest refresh, whose matrices the backend keeps */
  int64_t written;
  bool *done; /* [opt->count] a system of that choice was written */
};

/* ---- what is asked for ---- */

/* "3", "14.1" at *text, which is moved behind it. */
static bool parse_choice(const char **text, hp_dump_choice *out) {
  char *end;
  const long step = strtol(*text, &end, 10);
  long newton = 0;
  bool good = end != *text && step >= 1 && step <= 1000000000;
  *text = end;
  if (good && **text == '.') {
    newton = strtol(*text + 1, &end, 10);
    good = end != *text + 1 && newton >= 1 && newton <= 1000000;
    *text = end;
  }
  *out = (hp_dump_choice){(int)step, (int)newton};
  return good;
}

static bool parse_choices(const char *text, hp_dump_options *out) {
  for (out->count = 0; out->count < HP_DUMP_CHOSEN; ++text) {
    if (!parse_choice(&text, &out->of[out->count++])) return false;
    if (*text == '\0') return true;
    if (*text != ',') return false;
  }
  return false;
}

hp_status hp_dump_parse(const char *text, hp_dump_options *out) {
  const char *colon = strrchr(text, ':');
  const bool chosen = colon != NULL && colon[1] != '\0' && colon[1 + strspn(colon + 1, "0123456789.,")] == '\0';
  const int length = (int)(chosen ? colon - text : (long)strlen(text));
  HP_FREE(out->name);
  out->count = 0;
  if (length == 0 || (chosen && !parse_choices(colon + 1, out)))
    return hp_fail(HP_ERR_USAGE,
                   "--dump-systems takes NAME or NAME:STEPS, at most %d of them, as NAME:3,12 or "
                   "NAME:12.1 (the first system of step 12), not '%s'",
                   HP_DUMP_CHOSEN, text);
  return hp_format(&out->name, "%.*s", length, text);
}

/* Marks the choices that the system is of. */
static bool is_chosen(const hp_dump *D, int step, int newton, bool mark) {
  bool any = D->opt->count == 0;
  for (int n = 0; n < D->opt->count; ++n) {
    const hp_dump_choice *c = &D->opt->of[n];
    if (c->step != step || (c->newton != 0 && c->newton != newton)) continue;
    any = true;
    if (mark) D->done[n] = true;
  }
  return any;
}

static bool is_step_chosen(const hp_dump *D, int step) {
  bool any = D->opt->count == 0;
  for (int n = 0; n < D->opt->count; ++n) any = any || D->opt->of[n].step == step;
  return any;
}

/* ---- what cpr's hierarchy was made from ---- */

static bool is_same(const hp_system_place *a, const hp_system_place *b) {
  return a->step == b->step && a->attempt == b->attempt && a->newton == b->newton;
}

/* State of the setup before this solve. */
typedef struct {
  bool used, built, refreshed; /* cpr; a build refreshes too */
} cpr_done;

static hp_status look_at_cpr(hp_dump *D, const hp_sim *S, cpr_done *out) {
  hp_linear_report linear;
  HP_TRY(S->backend->linear->ops->report(S->backend->linear, &linear));
  const hp_cpr_counts now = linear.cpr.counts;
  *out = (cpr_done){.used = linear.uses_cpr};
  if (!out->used) return HP_OK;
  out->built = now.builds != D->counts.builds;
  out->refreshed = out->built || now.refreshes != D->counts.refreshes;
  D->counts = now;
  return HP_OK;
}

/* ---- files ---- */

static hp_status path_of(const hp_dump *D, const hp_system_place *at, char **path) {
  if (at->attempt == 1) return hp_format(path, "%s.step%04d.newton%02d.h5", D->base, at->step, at->newton);
  return hp_format(path, "%s.step%04d.attempt%d.newton%02d.h5", D->base, at->step, at->attempt, at->newton);
}

static hp_status describe(const hp_sim *S, const hp_krylov_report *k, hp_system *out) {
  char text[512];
  const char *slash = strrchr(S->c->deck, '/');
  HP_TRY(hp_format(&out->deck, "%s", slash != NULL ? slash + 1 : S->c->deck));
  HP_TRY(hp_format(&out->version, "%s", hp_version));
  HP_TRY(hp_format(&out->commit, "%s", hp_program_commit));
  hp_linear_describe_solver(&S->linear, text, sizeof text);
  HP_TRY(hp_format(&out->solver, "%s", text));
  S->backend->ops->describe(S->backend, text, sizeof text);
  HP_TRY(hp_format(&out->machine, "%s", text));
  return hp_format(&out->reason, "%s", hp_krylov_reason_text(k->reason));
}

typedef struct {
  const hp_system *system;
  const char *path;
} system_file;

static hp_status write_system(void *arg) {
  const system_file *f = arg;
  return hp_system_write(f->system, f->path);
}

static hp_status write_file(hp_dump *D, hp_sim *S, const hp_system_place *at, bool uses_cpr,
                            const hp_krylov_report *k) {
  char *path = NULL;
  hp_gh_source pieces;
  HP_TRY(hp_sim_pieces(S, &pieces));
  hp_system out = {.place = *at,
                   .pieces = &pieces,
                   .time = S->time + S->dt,
                   .dt = S->dt,
                   .uses_cpr = uses_cpr,
                   .numbers_of = D->numbers,
                   .pattern_of = D->pattern,
                   .iterations = k->iterations,
                   .residual = k->residual,
                   .norm_b = k->norm_b,
                   .tolerance = hp_linear_loosened(S->linear.krylov.tolerance, S->backend->times)};
  if (uses_cpr && !is_same(&D->numbers, at)) out.numbers = pieces.A[HP_GH_NUMBERS];
  if (uses_cpr && !is_same(&D->pattern, &D->numbers)) out.pattern = pieces.A[HP_GH_PATTERN];
  hp_status s = describe(S, k, &out);
  if (s == HP_OK) s = path_of(D, at, &path);
  s = hp_ranks_agree(S->K, s);
  if (s == HP_OK) s = hp_sim_write(S, write_system, &(system_file){&out, path});
  D->written += s == HP_OK;
  HP_FREE(path);
  hp_system_clear_texts(&out);
  return s;
}

/* ---- looking on ---- */

static hp_status on_attempt(void *arg, const hp_sim *S, bool again) {
  hp_dump *D = arg;
  (void)S;
  D->attempt = again ? D->attempt + 1 : 1;
  return HP_OK;
}

static hp_status on_solved(void *arg, hp_sim *S, int newton, const hp_krylov_report *k) {
  hp_dump *D = arg;
  const hp_system_place first = {1, 1, 1}, here = {S->step + 1, D->attempt, newton};
  const hp_system_place at = newton > 0 ? here : first;
  const bool chosen = newton > 0 && is_chosen(D, at.step, newton, true);
  cpr_done done;
  HP_TRY(look_at_cpr(D, S, &done));
  /* numbers serve the rest of the attempt at most, a pattern may serve the whole run */
  const bool refreshed = done.refreshed && newton > 0 && is_step_chosen(D, at.step);
  if (done.built) D->pattern = at;
  if (done.refreshed) D->numbers = at;
  if (done.built) HP_TRY(hp_backend_keep(S->backend, HP_GH_PATTERN));
  if (refreshed) HP_TRY(hp_backend_keep(S->backend, HP_GH_NUMBERS));
  return chosen ? write_file(D, S, &at, done.used, k) : HP_OK;
}

const hp_run_observer *hp_dump_observer(const hp_dump *D) { return &D->observer; }

void hp_dump_report(const hp_dump *D, hp_sim *S) {
  hp_progress_note(S, "wrote %lld linear system%s to %s.step*.h5", (long long)D->written, hp_plural(D->written),
                   D->base);
  for (int n = 0; n < D->opt->count; ++n) {
    const hp_dump_choice *c = &D->opt->of[n];
    if (D->done[n]) continue;
    if (c->newton == 0 || c->step > S->step)
      hp_progress_warn(S, "--dump-systems: step %d solved no linear system; the run made %d time step%s", c->step,
                       S->step, hp_plural(S->step));
    else hp_progress_warn(S, "--dump-systems: step %d has no system %d", c->step, c->newton);
  }
}

hp_status hp_dump_create(const hp_dump_options *opt, const char *base, hp_dump **out) {
  hp_dump *D = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(D, 1));
  D->opt = opt;
  D->base = base;
  D->observer = (hp_run_observer){.arg = D, .attempt = on_attempt, .solved = on_solved};
  const hp_status s = HP_ALLOC(D->done, opt->count);
  if (s != HP_OK) hp_dump_destroy(&D);
  *out = D;
  return s;
}

void hp_dump_destroy(hp_dump **slot) {
  if (slot == NULL || *slot == NULL) return;
  HP_FREE((*slot)->done);
  HP_FREE(*slot);
}
