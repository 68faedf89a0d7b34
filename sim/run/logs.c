/* Logs of wells that are due (io/case/rft.h), with the wells and cells of the step that ended. */
#include "core/memory.h"
#include "sim/checkpoint/write_behind.h"
#include "sim/run/time_step.h"
#include "sim/simulator/files.h"

typedef struct {
  hp_sim *S;
  unsigned *due;     /* [nwell] */
  int64_t *place;    /* [nperf] */
  hp_cell_row *cell; /* [nperf] */
} logs;

static hp_status write_logs(void *arg) {
  const logs *L = arg;
  hp_sim *S = L->S;
  HP_TRY(hp_write_behind_wait(S->writer));
  HP_TRY(hp_output_wells(S->output, S->wells));
  return hp_output_rft(S->output, S->time, L->due, L->cell);
}

static hp_status gather_and_write(hp_sim *S, logs *L) {
  const hp_wells *W = S->wells;
  HP_TRY(HP_ALLOC(L->place, W->nperf));
  HP_TRY(HP_ALLOC(L->cell, W->nperf));
  for (int64_t q = 0; q < W->nperf; ++q) L->place[q] = hp_backend_place_of(S->backend, W->cell[q]);
  HP_TRY(hp_backend_get(S->backend, HP_SET_WELLS));
  HP_TRY(hp_sim_look_at_cells(S, W->nperf, L->place, L->cell));
  return hp_sim_write(S, write_logs, L);
}

hp_status hp_sim_write_logs(hp_sim *S, bool at_report) {
  const hp_case *c = S->c;
  logs L = {.S = S};
  bool any = false;
  if (!c->output.eclipse || c->output.nrft == 0) return HP_OK;
  HP_TRY(HP_ALLOC(L.due, c->nwell));
  for (int w = 0; w < c->nwell; ++w) any = (L.due[w] = hp_rft_due(c, w, S->time, at_report)) != 0 || any;
  const double t0 = hp_now();
  const hp_status s = any ? gather_and_write(S, &L) : HP_OK;
  if (any) hp_profile_add(&S->profile, HP_PROF_OUTPUT, hp_now() - t0, 0.0);
  HP_FREE(L.due);
  HP_FREE(L.place);
  HP_FREE(L.cell);
  return s;
}
