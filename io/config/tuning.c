/* tuning: time steps and Newton's iterations from some time on. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

static void read_entry(hp_config *r, const hp_setting *s, hp_tuning *t) {
  const struct {
    const char *path;
    double *to;
  } number[] = {{"tuning[].time", &t->time}, {"tuning[].initial", &t->initial}, {"tuning[].max", &t->max},
                {"tuning[].min", &t->min},   {"tuning[].growth", &t->growth},   {"tuning[].cut", &t->cut}};
  for (size_t n = 0; n < sizeof number / sizeof number[0]; ++n)
    if (n == 0 || hp_config_member(s, strrchr(number[n].path, '.') + 1) != NULL)
      (void)hp_config_float(r, s, number[n].path, number[n].to);
  if (hp_config_member(s, "max_iterations") != NULL)
    (void)hp_config_int(r, s, "tuning[].max_iterations", &t->max_iterations);
  if (hp_config_member(s, "min_iterations") != NULL)
    (void)hp_config_int(r, s, "tuning[].min_iterations", &t->min_iterations);
  if (t->min > t->max) hp_config_error(r, s, "the shortest step is longer than the longest one");
}

hp_status hp_config_read_tuning(hp_config *r, const hp_setting *tuning) {
  hp_case *c = r->c;
  if (tuning == NULL || config_setting_type(tuning) != CONFIG_TYPE_LIST) return HP_OK;
  const int length = config_setting_length(tuning);
  const bool patched = hp_config_patched(r, tuning), overlay = r->overlay;
  if (!patched) {
    HP_FREE(c->tuning);
    c->ntuning = 0;
    HP_TRY(HP_ALLOC(c->tuning, length));
    r->overlay = false; /* a new list is read whole */
  }
  hp_status status = HP_OK;
  for (int n = 0; n < length && status == HP_OK; ++n) {
    const hp_setting *s = config_setting_get_elem(tuning, (unsigned)n);
    if (config_setting_type(s) != CONFIG_TYPE_GROUP || (patched && config_setting_length(s) == 0)) continue;
    hp_tuning *t = patched ? &c->tuning[n] : &c->tuning[c->ntuning++];
    if (!patched) {
      *t = hp_tuning_nothing();
      t->line = hp_config_line(s);
      status = hp_case_file(c, hp_config_file(r, s), &t->file);
    }
    if (status == HP_OK) read_entry(r, s, t);
  }
  r->overlay = overlay;
  hp_config_sort_by_time(c->tuning, c->ntuning, sizeof *c->tuning);
  return status;
}
