#include "core/device/ahead.h"

#include "core/memory.h"
#include "core/threads/ahead.h"

struct hp_device_ahead {
  hp_ahead *steps;
  hp_device_options opt;
  void (*load)(void);
  hp_device *D; /* NULL: taken, or not found yet */
};

enum { FOUND, OPEN, LOADED };

static hp_status find(void *arg) {
  hp_device_ahead *A = (hp_device_ahead *)arg;
  return hp_device_find(&A->opt, &A->D);
}

static hp_status open_found(void *arg) { return hp_device_open(((hp_device_ahead *)arg)->D); }

static hp_status load(void *arg) {
  ((hp_device_ahead *)arg)->load();
  return HP_OK;
}

hp_status hp_device_ahead_start(const hp_device_options *opt, void (*then)(void), hp_device_ahead **out) {
  static const hp_ahead_step steps[] = {find, open_found, load};
  *out = NULL;
  HP_TRY(hp_device_in_build());
  hp_device_ahead *A = NULL;
  HP_TRY(HP_ALLOC(A, 1));
  if (opt != NULL) A->opt = *opt;
  A->load = then;
  const hp_status s = hp_ahead_start(then != NULL ? 3 : 2, steps, A, &A->steps);
  if (s != HP_OK) HP_FREE(A);
  *out = A;
  return s;
}

hp_status hp_device_ahead_found(hp_device_ahead *A) { return hp_ahead_wait(A->steps, FOUND); }

hp_status hp_device_ahead_finish(hp_device_ahead *A, int64_t cells, hp_device **out) {
  *out = NULL;
  HP_TRY(hp_ahead_wait(A->steps, OPEN));
  if (A->load != NULL && hp_device_gpus(A->D) > 1) HP_TRY(hp_ahead_wait(A->steps, LOADED));
  HP_TRY(hp_device_fit(A->D, cells));
  *out = A->D;
  A->D = NULL;
  return HP_OK;
}

void hp_device_ahead_destroy(hp_device_ahead **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_ahead_destroy(&(*slot)->steps);
  hp_device_destroy(&(*slot)->D);
  HP_FREE(*slot);
}
