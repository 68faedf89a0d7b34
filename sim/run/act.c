/* Actions whose condition holds after a time step: what they do becomes entries of the schedule (sim/run/steering.h). */
#include "core/memory.h"
#include "sim/report/progress.h"
#include "sim/run/run.h"
#include "sim/run/steering.h"
#include "sim/simulator/actions.h"

static hp_status refuse(const hp_sim *S, const hp_action *a, const hp_text *why) {
  HP_TRY(why->status);
  return hp_fail(HP_ERR_NUMERIC, "stopped at time %.6g %s: %s:%d: action %s: %s. Results up to here are complete",
                 S->time / S->c->units.factor[HP_UNIT_TIME], S->c->units.label[HP_UNIT_TIME], a->file, a->line, a->name,
                 why->s);
}

static hp_status obey(hp_sim *S, const hp_action *a, const char *line) {
  hp_text why = {0};
  hp_status s = hp_steering_change(S, line, &why);
  if (s == HP_OK && (why.length > 0 || why.status != HP_OK)) s = refuse(S, a, &why);
  hp_text_clear(&why);
  return s;
}

static hp_status obey_for(hp_sim *S, const hp_action *a, const char *line, const bool *well) {
  if (!hp_action_line_asks(line)) return obey(S, a, line);
  for (int w = 0; w < S->actions->nwell; ++w) {
    char *one = NULL;
    if (!well[w]) continue;
    HP_TRY(hp_action_line_for(line, S->c->well[w].name, &one));
    const hp_status s = obey(S, a, one);
    HP_FREE(one);
    HP_TRY(s);
  }
  return HP_OK;
}

/* "time 120 day: action A1 runs for P1, P2" */
static hp_status say(hp_sim *S, const hp_action *a, const bool *well) {
  hp_text t = {0};
  int said = 0;
  for (int w = 0; w < S->actions->nwell; ++w)
    if (well[w]) hp_text_add(&t, "%s%s", said++ == 0 ? " for " : ", ", S->c->well[w].name);
  if (t.status == HP_OK)
    hp_progress_note(S, "time %.6g %s: action %s runs%s", S->time / S->c->units.factor[HP_UNIT_TIME],
                     S->c->units.label[HP_UNIT_TIME], a->name, said > 0 ? t.s : "");
  const hp_status s = t.status;
  hp_text_clear(&t);
  return s;
}

hp_status hp_sim_act(hp_sim *S) {
  struct hp_actions *A = S->actions;
  for (int n = 0; A != NULL && n < A->naction; ++n) {
    const hp_action *a = &S->c->action[n];
    hp_action_state *state = &A->action[n];
    if (!state->due) continue;
    state->due = false;
    state->runs += 1;
    state->last = S->time;
    HP_TRY(say(S, a, state->well));
    for (int k = 0; k < a->lines; ++k) HP_TRY(obey_for(S, a, a->does[k], state->well));
  }
  return HP_OK;
}
