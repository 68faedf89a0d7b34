#define _POSIX_C_SOURCE 200809L
#include "core/threads/stage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"

static _Atomic(const char *) stage = "";

struct hp_watch {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  double every;
  int fd;
  bool runs, stop;
};

void hp_stage(const char *text) { stage = text; }

/* Without stdio, whose locks a process that is started meanwhile would find taken. */
static void say(const hp_watch *w, int times) {
  char line[200];
  const int n = snprintf(line, sizeof line, "... %.3g s: %s\n", times * w->every, stage);
  if (n > 0 && (size_t)n < sizeof line && write(w->fd, line, (size_t)n) < 0) return; /* nobody reads it */
}

static void *watch_stage(void *arg) {
  hp_watch *w = arg;
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  pthread_mutex_lock(&w->lock);
  for (int times = 1; !w->stop; ++times) {
    const long long ns = until.tv_nsec + (long long)(1e9 * w->every);
    until.tv_sec += (time_t)(ns / 1000000000);
    until.tv_nsec = (long)(ns % 1000000000);
    while (!w->stop && pthread_cond_timedwait(&w->changed, &w->lock, &until) == 0) {
    }
    if (!w->stop) say(w, times);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

hp_status hp_watch_start(double every, int fd, hp_watch **out) {
  HP_TRY(HP_ALLOC(*out, 1));
  hp_watch *w = *out;
  w->every = every;
  w->fd = fd;
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->changed, NULL);
  w->runs = pthread_create(&w->thread, NULL, watch_stage, w) == 0;
  return HP_OK;
}

void hp_watch_stop(hp_watch **watch) {
  hp_watch *w = *watch;
  if (w == NULL) return;
  pthread_mutex_lock(&w->lock);
  w->stop = true;
  pthread_cond_signal(&w->changed);
  pthread_mutex_unlock(&w->lock);
  if (w->runs) pthread_join(w->thread, NULL);
  pthread_cond_destroy(&w->changed);
  pthread_mutex_destroy(&w->lock);
  HP_FREE(*watch);
}
