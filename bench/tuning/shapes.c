/* Shapes of a team as points of a search. */
#include "bench/tuning/tune.h"

enum { BARRIER, DELAY, CHIP, BLOCKS, WIDE, UNROLL, RECOMPUTE, THREADS, COMPILE };

_Static_assert(COMPILE + 1 == HP_TUNE_CHOICES, "a value for each choice");

void hp_tune_choices(bool compile, hp_search_choice *choice) {
  static const hp_search_choice all[HP_TUNE_CHOICES] = {
      [BARRIER] = {"barrier", HP_BARRIER_COUNT, {0, 1, 2, 3, 4}},
      [DELAY] = {"delay", 5, {0, 20, 50, 100, 200}},
      [CHIP] = {"chip", 4, {HP_CHIP_MAX, 0, 1, 2}}, /* BiCG-Stab has three that could be there */
      [BLOCKS] = {"blocks", 4, {1, 2, 3, 4}},
      [WIDE] = {"wide", 2, {1, 0}},
      [UNROLL] = {"unroll", 3, {1, 2, 4}},
      [RECOMPUTE] = {"recompute", 2, {1, 0}},
      [THREADS] = {"threads", 3, {256, 512, 1024}},
      [COMPILE] = {"compile", 4, {HP_COMPILE_BUILD, HP_COMPILE_AGAIN, HP_COMPILE_OPTIMIZE_1, HP_COMPILE_OPTIMIZE_2}}};
  for (int c = 0; c < HP_TUNE_CHOICES; ++c) choice[c] = all[c];
  if (!compile) choice[THREADS].count = choice[COMPILE].count = 1;
}

hp_device_shape hp_tune_shape_of(const int *point) {
  return (hp_device_shape){.blocks = point[BLOCKS],
                           .barrier = (hp_barrier_kind)point[BARRIER],
                           .delay = point[DELAY],
                           .chip = point[CHIP],
                           .wide = point[WIDE] != 0,
                           .unroll = point[UNROLL],
                           .one_gpu_rows = HP_ONE_GPU_ROWS,
                           .recompute = point[RECOMPUTE] != 0,
                           .threads = point[THREADS],
                           .compile = (hp_kernel_compile)point[COMPILE]};
}

void hp_tune_point_of(const hp_device_shape *s, int *point) {
  point[BARRIER] = (int)s->barrier;
  point[DELAY] = s->delay;
  point[CHIP] = s->chip;
  point[BLOCKS] = s->blocks;
  point[WIDE] = s->wide;
  point[UNROLL] = s->unroll;
  point[RECOMPUTE] = s->recompute;
  point[THREADS] = s->threads;
  point[COMPILE] = (int)s->compile;
}

bool hp_tune_allowed(const hp_device_shape *s, int q, int gpus) {
  if (gpus > 1 && (s->barrier != HP_BARRIER_COUNTER || s->compile != HP_COMPILE_BUILD)) return false;
  if (s->barrier == HP_BARRIER_COOPERATIVE && (s->delay != 0 || s->compile != HP_COMPILE_BUILD)) return false;
  return (q == 2 || s->wide) && hp_device_check_shape(s) == HP_OK;
}

bool hp_tune_same_kernel(const hp_device_shape *a, const hp_device_shape *b) {
  if (a->compile == HP_COMPILE_BUILD && b->compile == HP_COMPILE_BUILD) return true; /* a launch takes what it needs */
  return a->compile == b->compile && a->threads == b->threads && a->blocks == b->blocks && a->barrier == b->barrier &&
         a->unroll == b->unroll && a->wide == b->wide && a->recompute == b->recompute;
}
