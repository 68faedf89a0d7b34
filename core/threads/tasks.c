#include "core/threads/tasks.h"

#include <pthread.h>

typedef struct {
  hp_task task;
  void *arg;
  pthread_mutex_t lock; /* of what follows */
  int count, next;
  int failed;         /* the first task that failed; count: none */
  hp_failure failure; /* hp_fail_text() is its thread's */
} work;

typedef struct {
  work *w;
  int number;
  pthread_t thread;
} worker;

/* The next task, or -1. */
static int next_task(work *w) {
  pthread_mutex_lock(&w->lock);
  const int task = w->failed == w->count && w->next < w->count ? w->next++ : -1;
  pthread_mutex_unlock(&w->lock);
  return task;
}

static void note_failure(work *w, int task, hp_status s) {
  pthread_mutex_lock(&w->lock);
  if (task < w->failed) {
    w->failed = task;
    w->failure = hp_fail_keep(s);
  }
  pthread_mutex_unlock(&w->lock);
}

static void *do_tasks(void *arg) {
  const worker *me = arg;
  for (int task; (task = next_task(me->w)) >= 0;) {
    const hp_status s = me->w->task(me->w->arg, task, me->number);
    if (s != HP_OK) note_failure(me->w, task, s);
  }
  return NULL;
}

hp_status hp_tasks_run(int threads, int count, hp_task task, void *arg) {
  work w = {.task = task, .arg = arg, .lock = PTHREAD_MUTEX_INITIALIZER, .count = count, .failed = count};
  worker member[HP_TASKS_MAX] = {{.w = &w}};
  int started = 1;
  for (; started < threads && started < count && started < HP_TASKS_MAX; ++started) {
    member[started] = (worker){.w = &w, .number = started};
    if (pthread_create(&member[started].thread, NULL, do_tasks, &member[started]) != 0) break;
  }
  do_tasks(&member[0]);
  for (int n = 1; n < started; ++n) pthread_join(member[n].thread, NULL);
  pthread_mutex_destroy(&w.lock);
  return hp_fail_again(w.failure);
}
