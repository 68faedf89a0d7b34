#include "core/threads/ahead.h"

#include <pthread.h>

#include "core/memory.h"

struct hp_ahead {
  pthread_t thread;
  bool running; /* a thread is to be joined */
  int count;
  hp_ahead_step step[HP_AHEAD_STEPS];
  void *arg;
  pthread_mutex_t lock; /* for all that follows */
  pthread_cond_t news;
  int done; /* steps that are */
  bool stop;
  hp_failure failure; /* of the step that failed; hp_fail_text() is its thread's */
};

static bool may_go_on(hp_ahead *A) {
  pthread_mutex_lock(&A->lock);
  const bool go = !A->stop && A->failure.status == HP_OK;
  pthread_mutex_unlock(&A->lock);
  return go;
}

static void announce(hp_ahead *A, hp_status s) {
  pthread_mutex_lock(&A->lock);
  A->failure = hp_fail_keep(s);
  A->done += s == HP_OK;
  pthread_cond_broadcast(&A->news);
  pthread_mutex_unlock(&A->lock);
}

static void *make_steps(void *p) {
  hp_ahead *A = p;
  for (int n = 0; n < A->count && may_go_on(A); ++n) announce(A, A->step[n](A->arg));
  return NULL;
}

hp_status hp_ahead_start(int count, const hp_ahead_step *step, void *arg, hp_ahead **out) {
  *out = NULL;
  hp_ahead *A = NULL;
  if (count < 1 || count > HP_AHEAD_STEPS) return hp_fail(HP_ERR_INTERNAL, "%d steps ahead", count);
  HP_TRY(HP_ALLOC(A, 1));
  A->count = count;
  for (int n = 0; n < count; ++n) A->step[n] = step[n];
  A->arg = arg;
  if (pthread_mutex_init(&A->lock, NULL) != 0 || pthread_cond_init(&A->news, NULL) != 0) {
    HP_FREE(A);
    return hp_fail(HP_ERR_TEAM, "no lock for work ahead");
  }
  A->running = pthread_create(&A->thread, NULL, make_steps, A) == 0;
  if (!A->running) make_steps(A);
  *out = A;
  return HP_OK;
}

hp_status hp_ahead_wait(hp_ahead *A, int n) {
  pthread_mutex_lock(&A->lock);
  while (A->done <= n && A->failure.status == HP_OK) pthread_cond_wait(&A->news, &A->lock);
  const bool made = A->done > n;
  pthread_mutex_unlock(&A->lock);
  return made ? HP_OK : hp_fail_again(A->failure);
}

bool hp_ahead_is_done(hp_ahead *A, int n) {
  pthread_mutex_lock(&A->lock);
  const bool done = A->done > n || A->failure.status != HP_OK;
  pthread_mutex_unlock(&A->lock);
  return done;
}

void hp_ahead_destroy(hp_ahead **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_ahead *A = *slot;
  pthread_mutex_lock(&A->lock);
  A->stop = true;
  pthread_mutex_unlock(&A->lock);
  if (A->running) pthread_join(A->thread, NULL);
  pthread_cond_destroy(&A->news);
  pthread_mutex_destroy(&A->lock);
  HP_FREE(*slot);
}
