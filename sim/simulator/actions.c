#include "sim/simulator/actions.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/case/vectors.h"
#include "io/results/fingerprint.h"

/* ---- making and freeing ---- */

static int64_t elements(const hp_sim *S, int quantity) { return S->actions->count[S->c->quantity[quantity].level]; }

static hp_status create_values(hp_sim *S) {
  struct hp_actions *A = S->actions;
  HP_TRY(HP_ALLOC(A->value, A->nquantity));
  HP_TRY(HP_ALLOC(A->entry, A->nquantity));
  HP_TRY(HP_ALLOC(A->update, A->nquantity));
  for (int q = 0; q < A->nquantity; ++q) {
    HP_TRY(HP_ALLOC(A->value[q], elements(S, q)));
    for (int64_t n = 0; n < elements(S, q); ++n) A->value[q][n] = NAN;
    A->entry[q] = -1;
  }
  return HP_OK;
}

hp_status hp_actions_create(hp_sim *S) {
  const hp_case *c = S->c;
  if (!hp_case_has_actions(c)) return HP_OK;
  HP_TRY(HP_ALLOC(S->actions, 1));
  struct hp_actions *A = S->actions;
  A->nquantity = c->nquantity;
  A->naction = c->naction;
  A->nwell = c->nwell;
  A->count[HP_EXPRESSION_SCALAR] = 1;
  A->count[HP_EXPRESSION_WELLS] = c->nwell;
  A->count[HP_EXPRESSION_GROUPS] = c->ngroup;
  HP_TRY(create_values(S));
  HP_TRY(HP_ALLOC(A->action, A->naction));
  for (int n = 0; n < A->naction; ++n) HP_TRY(HP_ALLOC(A->action[n].well, c->nwell));
  HP_TRY(HP_ALLOC(A->target, c->nwell));
  return hp_summary_vectors_begin(c, NULL, &A->vectors);
}

void hp_actions_destroy(hp_sim *S) {
  struct hp_actions *A = S->actions;
  if (A == NULL) return;
  for (int q = 0; A->value != NULL && q < A->nquantity; ++q) HP_FREE(A->value[q]);
  for (int n = 0; A->action != NULL && n < A->naction; ++n) HP_FREE(A->action[n].well);
  HP_FREE(A->value);
  HP_FREE(A->entry);
  HP_FREE(A->update);
  HP_FREE(A->action);
  HP_FREE(A->target);
  hp_summary_vectors_destroy(&A->vectors);
  HP_FREE(S->actions);
}

/* ---- values ---- */

static const char *name_of(void *arg, hp_expression_level level, int n) {
  const hp_sim *S = arg;
  return level == HP_EXPRESSION_WELLS ? S->c->well[n].name : hp_case_group_name(S->c, n + 1);
}

static bool value_of(void *arg, const hp_expression_node *v, int n, double *out) {
  hp_sim *S = arg;
  struct hp_actions *A = S->actions;
  const int quantity = v->name[1] == 'U' ? hp_case_quantity(S->c, v->name) : -1;
  hp_quantity of;
  if (quantity >= 0) *out = A->value[quantity][n];
  else if (strcmp(v->name, "DAY") == 0) *out = A->day;
  else if (strcmp(v->name, "MNTH") == 0) *out = A->month;
  else if (strcmp(v->name, "YEAR") == 0) *out = A->year;
  else if (!hp_summary_vectors_named(&A->vectors, A->row, v->name, n, v->at, &of, out)) return false;
  else *out /= S->c->units.factor[of];
  return true;
}

static const hp_quantity_table *table_of(void *arg, const char *name) {
  return hp_case_quantity_table(((const hp_sim *)arg)->c, name);
}

static hp_expression_context context_of(hp_sim *S) {
  const struct hp_actions *A = S->actions;
  return (hp_expression_context){.arg = S,
                                 .count = {A->count[0], A->count[1], A->count[2]},
                                 .name = name_of,
                                 .value = value_of,
                                 .table = table_of,
                                 .epsilon = S->c->quantity_epsilon};
}

/* The day of the present time, to the second: times are sums of steps. */
static void find_date(hp_sim *S) {
  struct hp_actions *A = S->actions;
  hp_date start;
  int64_t year;
  int month, day;
  if (!hp_date_read(S->c->start, &start)) return;
  const double days = floor((start.second + S->time + 0.5) / 86400.0);
  hp_date_of_day(start.day + (int64_t)days, &year, &month, &day);
  A->day = day;
  A->month = month;
  A->year = (double)year;
}

static hp_status compute(hp_sim *S, const hp_expression_context *context, int q) {
  struct hp_actions *A = S->actions;
  double *v = NULL;
  hp_expression_level level;
  if (A->entry[q] < 0 || A->update[q] == HP_UPDATE_OFF) return HP_OK;
  HP_TRY(hp_expression_value(S->c->quantity_entry[A->entry[q]].value, context, &level, &v));
  for (int64_t n = 0; n < elements(S, q); ++n) A->value[q][n] = v[level == HP_EXPRESSION_SCALAR ? 0 : n];
  HP_FREE(v);
  return HP_OK;
}

/* ---- conditions ---- */

/* Whether action n is the one of its name that holds now, and may run. */
static bool is_ready(const hp_sim *S, int n) {
  const hp_action *a = &S->c->action[n];
  const hp_action_state *state = &S->actions->action[n];
  for (int later = n + 1; later < S->at.action; ++later)
    if (strcmp(S->c->action[later].name, a->name) == 0) return false;
  if (n >= S->at.action || (a->times > 0 && state->runs >= a->times)) return false;
  return state->runs == 0 || S->time - state->last >= a->interval * (1.0 - 1e-12);
}

static hp_status judge(hp_sim *S, const hp_expression_context *context, int n) {
  hp_action_state *state = &S->actions->action[n];
  bool of_wells;
  state->due = false;
  if (!is_ready(S, n)) return HP_OK;
  return hp_expression_holds(S->c->action[n].when, context, &state->due, &of_wells, state->well);
}

static hp_status look(hp_sim *S, const hp_summary_row *row) {
  struct hp_actions *A = S->actions;
  const hp_expression_context context = context_of(S);
  A->row = row;
  find_date(S);
  for (int q = 0; q < A->nquantity; ++q) HP_TRY(compute(S, &context, q));
  for (int n = 0; n < A->naction; ++n) HP_TRY(judge(S, &context, n));
  A->row = NULL;
  return HP_OK;
}

hp_status hp_actions_look(hp_sim *S, const hp_summary_row *row) {
  struct hp_actions *A = S->actions;
  if (A == NULL) return HP_OK;
  HP_TRY(hp_ranks_agree(S->K, hp_ranks_is_first(S->K) ? look(S, row) : HP_OK));
  for (int q = 0; q < A->nquantity; ++q) {
    hp_ranks_broadcast(S->K, 0, A->value[q], elements(S, q) * (int64_t)sizeof(double));
    if (A->update[q] == HP_UPDATE_NEXT && A->entry[q] >= 0) A->update[q] = HP_UPDATE_OFF;
  }
  for (int n = 0; n < A->naction; ++n) {
    hp_ranks_broadcast(S->K, 0, &A->action[n].due, sizeof A->action[n].due);
    hp_ranks_broadcast(S->K, 0, A->action[n].well, A->nwell * (int64_t)sizeof(bool));
  }
  return HP_OK;
}

const double *const *hp_actions_values(const hp_sim *S) {
  return S->actions != NULL ? (const double *const *)S->actions->value : NULL;
}

/* ---- the schedule ---- */

static void assign(hp_sim *S, const hp_quantity_entry *e) {
  struct hp_actions *A = S->actions;
  const hp_expression_level level = S->c->quantity[e->quantity].level;
  A->entry[e->quantity] = -1;
  for (int n = 0; n < A->count[level]; ++n)
    if (level == HP_EXPRESSION_SCALAR ||
        hp_names_mean(e->names, (const char(*)[HP_WELL_NAME])e->name, name_of(S, level, n)))
      A->value[e->quantity][n] = e->number;
}

/* Values are left as they are where restart data have them. */
static void take(hp_sim *S, const hp_quantity_entry *e, bool again) {
  struct hp_actions *A = S->actions;
  switch (e->says) {
    case HP_QUANTITY_DEFINES:
      A->entry[e->quantity] = (int)(e - S->c->quantity_entry);
      A->update[e->quantity] = HP_UPDATE_ON;
      break;
    case HP_QUANTITY_ASSIGNS:
      if (again) A->entry[e->quantity] = -1;
      else assign(S, e);
      break;
    case HP_QUANTITY_UPDATES: A->update[e->quantity] = (uint8_t)e->update; break;
  }
}

/* Counts in the fingerprint of what has been said so far. */
static void note_text(hp_sim *S, const char *text) {
  if (S->fingerprint == NULL) return;
  uint64_t *fingerprint = &S->fingerprint[hp_fingerprint_of_actions(S->wells->nwell)].value;
  *fingerprint = hp_fingerprint_mix_text(*fingerprint, text);
}

void hp_actions_pass(hp_sim *S, double until, bool again) {
  const hp_quantity_entry *e;
  const hp_action *a;
  if (S->actions == NULL) return;
  while ((e = hp_schedule_pass_quantity(S->c, &S->at, until)) != NULL) {
    take(S, e, again);
    note_text(S, S->c->quantity[e->quantity].name);
    note_text(S, e->text != NULL ? e->text : "");
  }
  while ((a = hp_schedule_pass_action(S->c, &S->at, until)) != NULL) {
    note_text(S, a->name);
    note_text(S, a->condition);
    for (int n = 0; n < a->lines; ++n) note_text(S, a->does[n]);
  }
}

/* ---- limits of wells ---- */

void hp_actions_note_event(hp_sim *S, const hp_well_event *e) {
  if (S->actions != NULL) memcpy(S->actions->target[e->well], e->control.quantity, sizeof e->control.quantity);
}

bool hp_actions_have_targets(const hp_sim *S) {
  for (int w = 0; S->actions != NULL && w < S->actions->nwell; ++w)
    for (int n = 0; n < HP_CONTROL_COUNT; ++n)
      if (S->actions->target[w][n] != 0) return true;
  return false;
}

/* In SI; rates are never below 0, and bottom-hole pressures never at 0. */
static double target_of(const hp_sim *S, int w, int control) {
  const struct hp_actions *A = S->actions;
  const int quantity = A->target[w][control] - 1;
  const bool of_well = S->c->quantity[quantity].level == HP_EXPRESSION_WELLS;
  const hp_quantity unit = !hp_control_is_rate(control) ? HP_UNIT_PRESSURE
                           : control == HP_CONTROL_RESV ? HP_UNIT_RESERVOIR_RATE
                                                        : HP_UNIT_RATE;
  const double v = A->value[quantity][of_well ? w : 0];
  const double si = (isnan(v) ? S->c->quantity_undefined : v) * S->c->units.factor[unit];
  if (control == HP_CONTROL_BHP && !(si > 0.0))
    return hp_well_control_default(S->wells->control[w].injector).limit[HP_CONTROL_BHP];
  return fmax(si, 0.0);
}

void hp_actions_target(hp_sim *S, bool *changed) {
  hp_wells *W = S->wells;
  *changed = false;
  for (int w = 0; S->actions != NULL && w < W->nwell; ++w)
    for (int n = 0; n < HP_CONTROL_COUNT; ++n) {
      if (S->actions->target[w][n] == 0) continue;
      const double v = target_of(S, w, n);
      *changed = *changed || v != W->deck_control[w].limit[n];
      W->control[w].limit[n] = W->deck_control[w].limit[n] = v;
    }
}

/* ---- restart data ---- */

int64_t hp_actions_numbers(const hp_sim *S) {
  int64_t count = 0;
  if (S->actions == NULL) return 0;
  for (int q = 0; q < S->actions->nquantity; ++q) count += 1 + elements(S, q);
  return count + 2 * (int64_t)S->actions->naction;
}

bool hp_actions_are_sound(const hp_sim *S, const double *at) {
  const struct hp_actions *A = S->actions;
  bool sound = true;
  if (A == NULL || at == NULL) return true;
  for (int q = 0; q < A->nquantity; ++q) {
    sound = sound && (*at == HP_UPDATE_ON || *at == HP_UPDATE_OFF || *at == HP_UPDATE_NEXT);
    ++at;
    for (int64_t n = 0; n < elements(S, q); ++n, ++at) sound = sound && !isinf(*at);
  }
  for (int n = 0; n < A->naction; ++n, at += 2)
    sound = sound && at[0] >= 0.0 && at[0] < 2e9 && at[0] == floor(at[0]) && isfinite(at[1]);
  return sound;
}

static void move_number(bool put, double *at, double *value) {
  if (put) *value = *at;
  else *at = *value;
}

void hp_actions_move(hp_sim *S, bool put, int64_t count, double *at) {
  struct hp_actions *A = S->actions;
  if (A == NULL || count != hp_actions_numbers(S)) return;
  for (int q = 0; q < A->nquantity; ++q) {
    double update = A->update[q];
    move_number(put, at++, &update);
    A->update[q] = (uint8_t)update;
    for (int64_t n = 0; n < elements(S, q); ++n) move_number(put, at++, &A->value[q][n]);
  }
  for (int n = 0; n < A->naction; ++n) {
    double runs = A->action[n].runs;
    move_number(put, at++, &runs);
    A->action[n].runs = (int)runs;
    move_number(put, at++, &A->action[n].last);
  }
}
