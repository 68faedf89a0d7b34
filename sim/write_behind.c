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
  hp_output *output;
  double time;
  int step;
  hp_status status;
  char why[1024]; /* hp_fail_text() belongs to the thread that failed */
};

static void *write_fields(void *arg) {
  hp_write_behind *w = arg;
  w->status = hp_output_fields(w->output, w->time, w->step, w->p, w->sw);
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
                                 const double *sw) {
  HP_TRY(hp_write_behind_wait(w));
  memcpy(w->p, p, (size_t)w->ncell * sizeof *p);
  memcpy(w->sw, sw, (size_t)w->ncell * sizeof *sw);
  w->output = o;
  w->time = time;
  w->step = step;
  w->busy = pthread_create(&w->thread, NULL, write_fields, w) == 0;
  /* without a thread the fields are written here and now */
  return w->busy ? HP_OK : hp_output_fields(o, time, step, p, sw);
}
