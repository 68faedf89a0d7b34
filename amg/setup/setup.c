#include "amg/setup/setup_impl.h"
#include "core/memory.h"

hp_status hp_amg_work_begin(hp_team *t, hp_amg_work *w, int64_t room) {
  hp_status s = HP_OK;
  if (t->rank == 0) {
    w->room = room + 1;
    s = HP_ALLOC_UNSET(w->marker, t->size * w->room);
    if (s == HP_OK) s = HP_ALLOC_UNSET(w->list, t->size * w->room);
  }
  return hp_amg_agree(t, w, s);
}

void hp_amg_work_end(hp_amg_work *w) {
  HP_FREE(w->marker);
  HP_FREE(w->list);
  HP_FREE(w->scratch);
  HP_FREE(w->coarse_entry);
  HP_FREE(w->column);
  HP_FREE(w->value);
  HP_FREE(w->point);
  hp_amg_graph_free(&w->graph);
  w->scratch_bytes = 0;
}

hp_status hp_amg_agree(hp_team *t, hp_amg_work *w, hp_status s) {
  if (t->rank == 0) w->status = s;
  hp_team_sync(t); /* the status and all that was written before */
  const hp_status agreed = w->status;
  hp_team_sync(t); /* all have read it */
  return agreed;
}

int64_t hp_amg_total(hp_team *t, hp_amg_work *w, int64_t value, int64_t *before) {
  int64_t total = 0;
  w->partial[t->rank] = value;
  hp_team_sync(t); /* the values */
  for (int r = 0; r < t->size; ++r) {
    if (r == t->rank && before != NULL) *before = total;
    total += w->partial[r];
  }
  hp_team_sync(t); /* all have read them */
  return total;
}

hp_status hp_amg_scratch(hp_team *t, hp_amg_work *w, int64_t bytes) {
  hp_status s = HP_OK;
  if (t->rank == 0 && (w->scratch == NULL || bytes > w->scratch_bytes)) {
    HP_FREE(w->scratch);
    s = hp_alloc_unset(&w->scratch, bytes + 1, 1, "work of a multigrid setup");
    w->scratch_bytes = s == HP_OK ? bytes : 0;
  }
  return hp_amg_agree(t, w, s);
}

hp_status hp_amg_scan(hp_team *t, hp_amg_work *w, uint32_t *begin, int64_t n) {
  const hp_span rows = hp_team_span(t, n, 1);
  int64_t sum = 0, before = 0;
  for (int64_t i = rows.begin; i < rows.end; ++i) sum += begin[i + 1];
  const int64_t total = hp_amg_total(t, w, sum, &before);
  HP_TRY(hp_csr_check_entries("of a level's matrix", total));
  if (t->rank == 0) begin[0] = 0;
  for (int64_t i = rows.begin; i < rows.end; ++i) begin[i + 1] = (uint32_t)(before += begin[i + 1]);
  hp_team_sync(t); /* begin */
  return HP_OK;
}

static void copy_member(hp_team *t, void *arg) { *(hp_team *)arg = *t; }

hp_status hp_amg_alone_begin(hp_amg_alone *a, int64_t room) {
  const hp_amg_work none = {.status = HP_OK};
  a->w = none;
  HP_TRY(hp_team_hub_create(1, NULL, &a->hub));
  hp_status s = hp_team_run(a->hub, copy_member, &a->t);
  if (s == HP_OK) s = hp_amg_work_begin(&a->t, &a->w, room);
  if (s != HP_OK) hp_amg_alone_end(a);
  return s;
}

void hp_amg_alone_end(hp_amg_alone *a) {
  hp_amg_work_end(&a->w);
  hp_team_hub_destroy(&a->hub);
}
