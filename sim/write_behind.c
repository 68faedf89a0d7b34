#include "sim/write_behind.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

struct hp_write_behind {
  pthread_t thread;
  bool busy; /* a thread runs or waits to be joined */
  int64_t ncell;
  double *p, *sw; /* [ncell] copies */
  bool keeps;
  hp_restart kept; /* a copy, whose fields are p and sw */
  hp_output *output;
  double time;
  int step;
  hp_status status;
  char why[1024]; /* hp_fail_text() belongs to the thread that failed */
};

static void *write_fields(void *arg) {
  hp_write_behind *w = arg;
  w->status = w->keeps ? hp_output_restart(w->output, &w->kept) : HP_OK;
  if (w->status == HP_OK) w->status = hp_output_fields(w->output, w->time, w->step, w->p, w->sw);
  if (w->status != HP_OK) snprintf(w->why, sizeof w->why, "%s", hp_fail_text());
  return NULL;
}

hp_status hp_write_behind_create(int64_t ncell, hp_write_behind **out) {
  *out = NULL;
  hp_write_behind *w = NULL;
  HP_TRY(HP_ALLOC(w, 1));
  w->ncell = ncell;
  hp_status s = HP_ALLOC(w->p, ncell);
  if (s == HP_OK) s = HP_ALLOC(w->sw, ncell);
  if (s != HP_OK) hp_write_behind_destroy(&w);
  *out = w;
  return s;
}

void hp_write_behind_destroy(hp_write_behind **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_write_behind *w = *slot;
  if (w->busy) pthread_join(w->thread, NULL);
  w->kept.p = w->kept.s = NULL;
  hp_restart_clear(&w->kept);
  HP_FREE(w->p);
  HP_FREE(w->sw);
  HP_FREE(*slot);
}

hp_status hp_write_behind_wait(hp_write_behind *w) {
  if (w == NULL || !w->busy) return HP_OK;
  pthread_join(w->thread, NULL);
  w->busy = false;
  return w->status == HP_OK ? HP_OK : hp_fail(w->status, "%s", w->why);
}

hp_status hp_write_behind_fields(hp_write_behind *w, hp_output *o, double time, int step, const double *p,
                                 const double *sw, const hp_restart *kept) {
  HP_TRY(hp_write_behind_wait(w));
  w->keeps = kept != NULL;
  w->kept.p = w->p;
  w->kept.s = w->sw;
  if (w->keeps) HP_TRY(hp_restart_copy(kept, &w->kept));
  memcpy(w->p, p, (size_t)w->ncell * sizeof *p);
  memcpy(w->sw, sw, (size_t)w->ncell * sizeof *sw);
  w->output = o;
  w->time = time;
  w->step = step;
  w->busy = pthread_create(&w->thread, NULL, write_fields, w) == 0;
  if (w->busy) return HP_OK;
  write_fields(w); /* without a thread they are written here and now */
  return w->status == HP_OK ? HP_OK : hp_fail(w->status, "%s", w->why);
}
