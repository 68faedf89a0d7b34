#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/memory.h"
#include "core/plural.h"
#include "core/show.h"
#include "core/threads/stage.h"
#include "io/case/state_arrays.h"
#include "io/case/vectors.h"
#include "io/config/impl.h"

/* ---- options ---- */

static void read_timestep(hp_config *r, const hp_setting *g, hp_timestep_options *o) {
  const int errors = r->diag->errors;
  hp_config_settings(r, g, "timestep", HP_IN_TIMESTEP, false, o);
  const bool first = hp_config_member(g, "initial") != NULL && r->diag->errors == errors;
  const double day = r->units.factor[HP_UNIT_TIME];
  const char *unit = r->units.label[HP_UNIT_TIME];
  if (g != NULL && o->min > o->max)
    hp_config_error(r, g, "min %.6g %s is longer than max %.6g %s", o->min / day, unit, o->max / day, unit);
  if (first && (o->initial > o->max || o->initial < o->min))
    hp_config_error(r, g, "initial %.6g %s is not between min and max", o->initial / day, unit);
  if (o->initial > o->max) o->initial = o->max;
  if (o->initial < o->min) o->initial = o->min;
}

static void read_newton(hp_config *r, const hp_setting *g, hp_newton_options *o) {
  hp_config_settings(r, g, "newton", HP_IN_NEWTON, false, o);
  if (g != NULL && o->min_iterations > o->max_iterations)
    hp_config_error(r, g, "min_iterations %d is more than max_iterations %d", o->min_iterations, o->max_iterations);
}

/* A group that an option gives whole is read as in a deck: what it leaves out has its default. */
static const hp_setting *enter(hp_config *r, const hp_setting *root, const char *name, bool *overlay) {
  const hp_setting *g = hp_config_member(root, name);
  *overlay = r->overlay;
  if (r->overlay && g != NULL && hp_config_given_whole(g)) r->overlay = false;
  return g;
}

/* Whether `name` stands in g; in an overlay, or stood in the deck. */
static bool is_given(const hp_config *r, const hp_setting *g, const char *name, bool before) {
  return (g != NULL && hp_config_member(g, name) != NULL) || (r->overlay && before);
}

/* A note of a key that is given and that none of the choices made reads. reader: the choices that do. */
static void note_unread(hp_config *r, const hp_setting *g, const char *name, bool is_read, const char *reader) {
  const hp_setting *s = g != NULL && !is_read ? hp_config_member(g, name) : NULL;
  if (s != NULL) hp_config_note(r, s, "without effect: of %s only", reader);
}

static void note_unread_of_multigrid(hp_config *r, const hp_setting *g, const hp_cpr_options *o) {
  static const struct {
    const char *key;
    bool own; /* hypre does not read it */
  } keys[] = {{"format", true}, {"precision", true}, {"block", true},  {"domain", true},     {"domains", true},
              {"seed", true},   {"damping", false},  {"order", false}, {"truncation", false}};
  for (size_t n = 0; n < sizeof keys / sizeof *keys; ++n) {
    const bool lacks = keys[n].own && o->whose != HP_CPR_AMG_OWN;
    const char *readers = lacks ? "hepta's multigrid" : hp_amg_readers(&o->amg, keys[n].key);
    note_unread(r, g, keys[n].key, readers == NULL, readers);
  }
}

static void read_cpr(hp_config *r, const hp_setting *g, hp_cpr_options *o) {
  hp_config_settings(r, g, "linear.cpr", HP_IN_CPR, false, o);
  r->c->refresh_given = is_given(r, g, "refresh", r->c->refresh_given);
  r->c->sweeps_given = is_given(r, g, "pre", r->c->sweeps_given) || is_given(r, g, "post", r->c->sweeps_given);
  o->amg.slice = hp_cpr_default_options().amg.slice; /* of storage: no key */
  const char *refusal = g != NULL ? hp_cpr_refusal(o, NULL, HP_SOLVER_ANY) : NULL;
  if (refusal != NULL) hp_config_error(r, g, "%s", refusal);
  if (g != NULL && !r->c->cpr) hp_config_note(r, g, "without effect: the preconditioner is not cpr");
  else note_unread_of_multigrid(r, g, o);
}

static void read_linear(hp_config *r, const hp_setting *g, hp_krylov_options *o) {
  hp_case *c = r->c;
  int preconditioner = c->cpr ? (int)HP_PRECOND_COUNT : (int)o->preconditioner;
  const bool named = r->overlay && c->preconditioner_given; /* by the deck */
  hp_config_settings(r, g, "linear", HP_IN_LINEAR, false, o);
  hp_config_choice(r, g, "linear.preconditioner", &preconditioner);
  c->preconditioner_given = is_given(r, g, "preconditioner", c->preconditioner_given) || is_given(r, g, "cpr", false);
  c->ordering_given = is_given(r, g, "ordering", c->ordering_given);
  c->relaxation_given = is_given(r, g, "relaxation", c->relaxation_given);
  if (is_given(r, g, "cpr", false) && hp_config_member(g, "preconditioner") == NULL && !named)
    preconditioner = (int)HP_PRECOND_COUNT; /* who sets its options wants it */
  c->cpr = preconditioner == (int)HP_PRECOND_COUNT;
  if (c->cpr) preconditioner = (int)HP_PRECOND_DILU; /* the second stage */
  o->preconditioner = (hp_precond_kind)preconditioner;
  /* the defaults are dilu's; where only another preconditioner is named, no word about them is wanted */
  if (preconditioner != (int)HP_PRECOND_DILU) {
    if (g == NULL || hp_config_member(g, "precision") == NULL) o->precision = HP_PRECISION_DOUBLE;
    if (g == NULL || hp_config_member(g, "relaxation") == NULL) o->relaxation = 0.0;
  }
  hp_choices choices = hp_krylov_choices(o, HP_SOLVER_ANY);
  choices.of[HP_CHOICE_SYSTEM] = "the Jacobian of a deck";
  if (c->cpr) choices.of[HP_CHOICE_PRECONDITIONER] = "cpr";
  const char *refusal = hp_krylov_refusal(o, NULL, HP_SOLVER_ANY);
  if (refusal == NULL) refusal = hp_combination_refusal(&choices);
  if (g != NULL && refusal != NULL) hp_config_error(r, g, "%s", refusal);
  note_unread(r, g, "restart", o->method == HP_KRYLOV_GMRES, "the method gmres");
  bool overlay;
  read_cpr(r, enter(r, g, "cpr", &overlay), &c->cpr_options);
  r->overlay = overlay;
}

/* output.vectors takes the place of what was asked for before. */
static hp_status read_vectors(hp_config *r, const hp_setting *s, hp_case *c) {
  if (s == NULL) return HP_OK;
  const int type = config_setting_type(s);
  const bool list = type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST;
  for (int n = 0; n < c->output.nvector; ++n) HP_FREE(c->output.vector[n]);
  HP_FREE(c->output.vector);
  c->output.nvector = 0;
  for (int n = 0; n < (list ? config_setting_length(s) : 1); ++n) {
    const hp_setting *one = list ? config_setting_get_elem(s, (unsigned)n) : s;
    char why[HP_CASE_WHY] = "must be a vector's name in quotes";
    if (config_setting_type(one) == CONFIG_TYPE_STRING) {
      hp_summary_vector_fault(c, config_setting_get_string(one), why);
      HP_TRY(hp_case_vector(c, config_setting_get_string(one)));
    }
    if (why[0] != '\0') hp_config_error(r, one, "%s", why);
  }
  return HP_OK;
}

/* output.arrays likewise. */
static void read_arrays(hp_config *r, const hp_setting *s, hp_case *c) {
  if (s == NULL) return;
  const int type = config_setting_type(s);
  const bool list = type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST;
  c->output.arrays = 0;
  for (int n = 0; n < (list ? config_setting_length(s) : 1); ++n) {
    const hp_setting *one = list ? config_setting_get_elem(s, (unsigned)n) : s;
    const char *text = config_setting_type(one) == CONFIG_TYPE_STRING ? config_setting_get_string(one) : "";
    if (!hp_state_array_ask(c, text, strlen(text)))
      hp_config_error(r, one, "must be of FLOWS, FLORES, DEN, DENO, DENW, VISC, VOIL, VWAT, KRO, KRW, PCOW, ALLPROPS");
  }
}

static hp_status read_output(hp_config *r, const hp_setting *g, hp_output_options *o) {
  const char *name = NULL;
  if (hp_config_string(r, g, "output.name", &name)) {
    if (name[0] == '\0' || name[strlen(name) - 1] == '/')
      hp_config_error(r, hp_config_member(g, "name"), "'%s': must be a file name", name);
    else if (hp_name_fault(name) != NULL)
      hp_config_error(r, hp_config_member(g, "name"), "'%s': %s", name, hp_name_fault(name));
    else HP_TRY(hp_config_copy(name, &o->name));
  }
  hp_config_settings(r, g, "output", HP_IN_OUTPUT, false, o);
  HP_TRY(read_vectors(r, hp_config_member(g, "vectors"), r->c));
  read_arrays(r, hp_config_member(g, "arrays"), r->c);
  HP_TRY(hp_config_read_rft(r, hp_config_member(g, "rft")));
  HP_TRY(hp_config_read_averages(r, hp_config_member(g, "averages")));
  int units = 0;
  if (hp_config_member(g, "units") != NULL && hp_config_choice(r, g, "output.units", &units))
    r->c->units = hp_units_of((hp_unit_system)units); /* the last to be read: nothing is converted by them any more */
  return HP_OK;
}

static void read_economics(hp_config *r, const hp_setting *g, hp_economics *e) {
  hp_config_settings(r, g, "economics", HP_IN_ECONOMICS, false, e);
  e->given = e->given || g != NULL;
  if (g != NULL && !(e->oil_price > 0.0 || e->oil_cost > 0.0 || e->water_cost > 0.0 || e->injection_cost > 0.0 ||
                     e->fixed_cost > 0.0 || e->well_cost > 0.0))
    hp_config_error(r, g, "no price and no cost: give oil_price, oil_cost, water_cost or another one");
}

/* Those of economics come with it, whatever the deck asks for. */
static hp_status add_vectors(hp_case *c) {
  static const char *const vector[] = {"FNPV", "FCASH", "FCASHR"};
  for (size_t n = 0; c->economics.given && n < sizeof vector / sizeof vector[0]; ++n)
    HP_TRY(hp_case_vector(c, vector[n]));
  return HP_OK;
}

static hp_status read_options(hp_config *r, const hp_setting *root, hp_case *c) {
  bool overlay;
  read_timestep(r, enter(r, root, "timestep", &overlay), &c->timestep);
  r->overlay = overlay;
  read_newton(r, enter(r, root, "newton", &overlay), &c->newton);
  r->overlay = overlay;
  read_linear(r, enter(r, root, "linear", &overlay), &c->linear);
  r->overlay = overlay;
  read_economics(r, enter(r, root, "economics", &overlay), &c->economics);
  r->overlay = overlay;
  const hp_setting *output = enter(r, root, "output", &overlay);
  if (overlay && !r->overlay) {
    HP_FREE(c->output.name);
    c->output.interval = 0.0;
  }
  const hp_status status = read_output(r, output, &c->output);
  r->overlay = overlay;
  return status == HP_OK ? add_vectors(c) : status;
}

/* The same defaults as a deck without these groups, so that they stand in one place. */
void hp_config_defaults(hp_case *c) {
  hp_diag diag;
  hp_diag_init(&diag);
  hp_config r = {.diag = &diag, .c = c, .units = c->units};
  if (r.units.name == NULL) r.units = hp_units_of(HP_UNITS_METRIC);
  read_timestep(&r, NULL, &c->timestep);
  read_newton(&r, NULL, &c->newton);
  read_linear(&r, NULL, &c->linear);
  (void)hp_config_float(&r, NULL, "quantity_epsilon", &c->quantity_epsilon);
  hp_config_settings(&r, NULL, "output", HP_IN_OUTPUT, false, &c->output);
  hp_config_settings(&r, NULL, "economics", HP_IN_ECONOMICS, false, &c->economics);
  hp_config_settings(&r, NULL, "hysteresis", HP_IN_HYSTERESIS, false, &c->fluid.hysteresis);
  c->nfip = 1;
  for (int d = 0; d < 3; ++d) c->refine[d] = 1;
  hp_diag_clear(&diag);
}

/* ---- reports ---- */

enum { REPORTS_MAX = 1000000 };

/* *good: the times are sound and rise. A time that does not is reported and passed over. */
static hp_status read_times(hp_config *r, const hp_setting *s, bool *good, int *count, double **out) {
  const hp_config_key *key = hp_config_key_find("report.times");
  const int type = config_setting_type(s), length = config_setting_length(s);
  *count = 0;
  *good = (type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST) && length > 0;
  if (!*good) {
    hp_config_error(r, s, "must be a list of times [..]");
    return HP_OK;
  }
  HP_TRY(HP_ALLOC(*out, length));
  double before = 0.0;
  for (int n = 0; n < length; ++n) {
    const hp_setting *element = config_setting_get_elem(s, (unsigned)n);
    double v, si;
    char a[64], b[64];
    if (!hp_config_time(r, element, &v, &si)) {
      *good = false;
      continue;
    }
    if (v > before) {
      (*out)[(*count)++] = si;
    } else if (v <= 0.0) {
      hp_config_error(r, element, "%s: must be > 0", hp_config_show(r, key, v, a));
      *good = false;
      continue;
    } else {
      hp_config_error(r, element, "%s: times must rise, but %s comes before it", hp_config_show(r, key, v, a),
                      hp_config_show(r, key, before, b));
      *good = false;
    }
    before = v;
  }
  return HP_OK;
}

static double multiple(const hp_config *r, double every, int64_t months, int64_t n) {
  return months > 0 ? hp_date_after(r->c->start, n * months) : every * (double)n;
}

/* every (or so many months), 2 every, ... and end; a multiple within a millionth of every from the end is the end, for every may be
 * a rounded part of it. */
static hp_status multiples(hp_config *r, const hp_setting *g, double every, int64_t months, double end, int *count,
                           double **out) {
  enum { LONGEST_MONTH = 31 * 86400 };
  const double least = months > 0 ? LONGEST_MONTH * (double)months : every;
  double n = fmax(1.0, ceil(end / least * (1.0 - 1e-12) - 1e-6));
  while (months > 0 && n <= REPORTS_MAX && multiple(r, every, months, (int64_t)n) < end - 1e-6 * least) n += 1.0;
  *count = 0;
  if (n > REPORTS_MAX) {
    hp_config_error(r, g, "%.0f reports are too many; every is too short for this end", n);
    return HP_OK;
  }
  HP_TRY(HP_ALLOC(*out, (int64_t)n));
  *count = (int)n;
  for (int m = 0; m < *count; ++m) (*out)[m] = m + 1 < *count ? multiple(r, every, months, m + 1) : end;
  return HP_OK;
}

/* Drops the reports after `end` and makes `end` the last one. */
static hp_status end_at(double end, int *count, double **time) {
  int kept = 0;
  while (kept < *count && (*time)[kept] < end) ++kept;
  double *cut;
  HP_TRY(HP_ALLOC(cut, kept + 1));
  memcpy(cut, *time, (size_t)kept * sizeof *cut);
  cut[kept] = end;
  HP_FREE(*time);
  *time = cut;
  *count = kept + 1;
  return HP_OK;
}

static bool faulty(const hp_setting *s, bool read) { return s != NULL && !read; }

static hp_status read_report(hp_config *r, const hp_setting *g) {
  if (g == NULL || config_setting_type(g) != CONFIG_TYPE_GROUP) return HP_OK;
  const hp_setting *times = hp_config_member(g, "times"), *every_at = hp_config_member(g, "every");
  hp_case *c = r->c;
  if (r->overlay && hp_config_given_whole(g)) {
    HP_FREE(c->report);
    c->nreport = 0;
  }
  if (times != NULL && every_at != NULL) hp_config_error(r, every_at, "give either every or times");
  double end = NAN, every = NAN;
  const bool has_end = hp_config_float(r, g, "report.end", &end);
  int64_t months = 0;
  const char *text = every_at != NULL ? config_setting_get_string(every_at) : NULL;
  const bool by_months = text != NULL && hp_date_months(text, &months);
  const bool has_every = by_months ? hp_config_time(r, every_at, &every, &every)
                                   : hp_config_float(r, g, "report.every", &every);
  bool good = !faulty(hp_config_member(g, "end"), has_end) && !faulty(every_at, has_every);
  if (times != NULL) {
    bool rising;
    HP_FREE(c->report);
    HP_TRY(read_times(r, times, &rising, &c->nreport, &c->report));
    good = good && rising;
  }
  const bool given = c->nreport > 0; /* by times, or by the deck under an overlay */
  if (!given && times == NULL && hp_config_member(g, "end") == NULL) {
    hp_config_error(r, g, "end is missing: give end, or times");
    return HP_OK;
  }
  if (!good) return HP_OK;
  if (has_every || (has_end && !given && times == NULL)) {
    if (!has_end) end = c->report[c->nreport - 1];
    HP_FREE(c->report);
    HP_TRY(multiples(r, g, has_every ? every : end, months, end, &c->nreport, &c->report));
  } else if (has_end && given) {
    HP_TRY(end_at(end, &c->nreport, &c->report));
  }
  return HP_OK;
}

/* ---- the top of the deck ---- */

static hp_status read_head(hp_config *r, const hp_setting *root) {
  hp_case *c = r->c;
  const char *text = NULL;
  hp_date since;
  int units = (int)c->units.system;
  if (hp_config_string(r, root, "title", &text)) HP_TRY(hp_config_copy(text, &c->title));
  if (hp_config_choice(r, root, "units", &units) || !r->overlay) c->units = hp_units_of((hp_unit_system)units);
  r->units = c->units;
  if (hp_config_string(r, root, "start", &text)) {
    if (hp_date_read(text, &since)) strcpy(c->start, hp_date_write(since).s);
    else
      hp_config_error(r, hp_config_member(root, "start"),
                      "'%s': must be a date that exists, like 2026-01-31 or 2026-01-31 12:00", text);
  }
  return HP_OK;
}

/* Whether GRID stands there for grid, which is reported as an unknown key. */
static bool in_other_letters(const hp_setting *group, const char *name) {
  for (int n = 0; n < config_setting_length(group); ++n)
    if (strcasecmp(config_setting_name(config_setting_get_elem(group, (unsigned)n)), name) == 0) return true;
  return false;
}

/* A required group that is not there. */
static void require_groups(hp_config *r, const hp_setting *root) {
  static const char *const name[] = {"grid", "fluids", "saturation", "initial", "report"};
  for (size_t n = 0; !r->overlay && n < sizeof name / sizeof name[0]; ++n)
    if (hp_config_member(root, name[n]) == NULL && !in_other_letters(root, name[n]))
      hp_config_error(r, root, "%s is missing: %s", name[n], hp_config_key_find(name[n])->what);
}

static hp_status read_tree(hp_config *r) {
  const hp_setting *root = config_root_setting(&r->tree);
  hp_stage("making the grid");
  hp_config_check(r);
  HP_TRY(read_head(r, root));
  require_groups(r, root);
  HP_TRY(hp_config_read_grid(r, hp_config_member(root, "grid")));
  HP_TRY(hp_config_read_fluid(r, root));
  HP_TRY(hp_config_read_initial(r, hp_config_member(root, "initial")));
  HP_TRY(hp_config_read_regions(r, root));
  HP_TRY(hp_config_read_thresholds(r, hp_config_member(root, "thresholds")));
  HP_TRY(hp_config_read_aquifers(r));
  HP_TRY(hp_config_read_lift(r, hp_config_member(root, "vfp")));
  HP_TRY(hp_config_read_quantities(r, root));
  HP_TRY(hp_config_read_groups(r, hp_config_member(root, "groups")));
  HP_TRY(hp_config_read_wells(r, hp_config_member(root, "wells"), hp_config_member(root, "schedule")));
  HP_TRY(read_report(r, hp_config_member(root, "report")));
  HP_TRY(hp_config_read_tuning(r, hp_config_member(root, "tuning")));
  HP_TRY(hp_config_read_actions(r, root));
  return read_options(r, root, r->c);
}

/* ---- entry ---- */

static void clear(hp_config *r) {
  for (int n = 0; n < r->nset; ++n) HP_FREE(r->option[n]);
  HP_FREE(r->option);
  for (int n = 0; n < r->ncut; ++n) HP_FREE(r->cut[n].file);
  HP_FREE(r->cut);
  HP_FREE(r->folder);
  hp_config_aquifers_clear(r);
  hp_config_faults_clear(r);
  hp_array_forget(r);
  HP_FREE(r->gap);
  config_destroy(&r->tree);
}

static hp_status outcome(hp_status status, const hp_config *r, const char *name) {
  if (status != HP_OK || r->diag->errors == 0) return status;
  return hp_fail(HP_ERR_DECK, "%s: %d error%s", name, r->diag->errors, hp_plural(r->diag->errors));
}

/* Results, which rank 0 writes, have it whole. */
static hp_status keep_text(hp_config *r) {
  if (!hp_spread_opens_files(r->c->spread)) return HP_OK;
  char *text = hp_config_text(&r->tree, NULL);
  if (text == NULL) return hp_fail(HP_ERR_MEMORY, "out of memory for the deck's text");
  const hp_status status = hp_config_copy(text, &r->c->text);
  free(text);
  return status;
}

/* Decks of earlier versions name targets of the field alone: field = ( { ... } ). */
static void rename_field(hp_config *r) {
  const hp_setting *root = config_root_setting(&r->tree);
  hp_setting *field = config_setting_get_member(root, "field");
  static const char groups[] = "groups";
  if (field == NULL || hp_config_member(root, groups) != NULL) return;
  char *name = malloc(sizeof groups); /* libconfig frees it */
  if (name == NULL) return;
  memcpy(name, groups, sizeof groups);
  free(field->name);
  field->name = name;
}

/* The deck's tree with the options. */
static hp_status read_file(hp_config *r, int nset, const char *const *set, bool *ok) {
  HP_TRY(hp_config_tree_read(r, ok));
  if (!*ok) return HP_OK;
  rename_field(r);
  return hp_config_set(r, nset, set);
}

/* The tree that rank 0 has read becomes all ranks', without its long lists of numbers (io/config/gaps.c). The text goes in
 * pieces, and is gone when the trees are there, which are larger. */
static hp_status share_tree(hp_config *r, bool ok) {
  hp_spread *P = r->c->spread;
  const bool reads = hp_spread_opens_files(P);
  char *text = NULL;
  if (reads && ok && r->diag->errors == 0) {
    HP_TRY(hp_config_find_gaps(r, config_root_setting(&r->tree)));
    text = hp_config_text(&r->tree, r);
  }
  int64_t size = text != NULL ? (int64_t)strlen(text) + 1 : 0;
  hp_status status = hp_spread_share(P, &size, sizeof size);
  if (status == HP_OK && size == 0) status = hp_spread_refuse(P, HP_SPREAD_ERRORS);
  if (status == HP_OK && !reads) {
    text = malloc((size_t)size);
    if (text == NULL) status = hp_fail(HP_ERR_MEMORY, "out of memory for the deck's text");
  }
  if (status == HP_OK) status = hp_spread_share(P, text, size);
  if (status == HP_OK && !reads && config_read_string(&r->tree, text) != CONFIG_TRUE)
    status = hp_spread_refuse(P, "a deck that is not read back");
  free(text);
  return status;
}

hp_status hp_config_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case *c) {
  hp_config r = {.path = path, .diag = diag, .c = c};
  bool ok = true;
  config_init(&r.tree);
  hp_status status = hp_spread_opens_files(c->spread) ? read_file(&r, nset, set, &ok)
                                                      : hp_config_folder_of(path, &r.folder);
  if (status == HP_OK && c->spread != NULL) status = share_tree(&r, ok);
  if (status == HP_OK && ok) status = read_tree(&r);
  if (status == HP_OK && ok) status = keep_text(&r);
  clear(&r);
  return outcome(status, &r, path);
}

hp_status hp_config_overlay(int nset, const char *const *set, hp_diag *diag, hp_case *c) {
  hp_config r = {.diag = diag, .c = c, .units = c->units, .overlay = true};
  const hp_grid *g = c->grid;
  if (g != NULL) memcpy(r.size, (int[3]){g->nx, g->ny, g->nz}, sizeof r.size);
  config_init(&r.tree);
  hp_status status = hp_config_folder_of(c->deck != NULL ? c->deck : "", &r.folder);
  if (status == HP_OK) status = hp_config_set(&r, nset, set);
  if (status == HP_OK) status = read_tree(&r);
  clear(&r);
  return outcome(status, &r, "--set");
}
