/* field: what all wells together are asked for. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"
#include "wells/field.h"

static void read_entry(hp_config *r, const hp_setting *s, hp_field_event *e) {
  hp_field_control *f = &e->control;
  const struct {
    const char *path;
    double *to;
  } number[] = {{"field[].time", &e->time},
                {"field[].oil_rate", &f->production[HP_CONTROL_ORAT]},
                {"field[].water_rate", &f->production[HP_CONTROL_WRAT]},
                {"field[].liquid_rate", &f->production[HP_CONTROL_LRAT]},
                {"field[].reservoir_rate", &f->production[HP_CONTROL_RESV]},
                {"field[].injection_rate", &f->injection_rate},
                {"field[].injection_volume", &f->injection_volume},
                {"field[].reinjection", &f->reinjection},
                {"field[].voidage", &f->voidage}};
  for (size_t n = 0; n < sizeof number / sizeof number[0]; ++n)
    if (hp_config_member(s, strrchr(number[n].path, '.') + 1) != NULL)
      (void)hp_config_float(r, s, number[n].path, number[n].to);
}

hp_status hp_config_read_field(hp_config *r, const hp_setting *field) {
  hp_case *c = r->c;
  if (field == NULL || config_setting_type(field) != CONFIG_TYPE_LIST) return HP_OK;
  const int length = config_setting_length(field);
  const bool patched = hp_config_patched(r, field);
  if (!patched) {
    HP_FREE(c->field);
    c->nfield = 0;
    HP_TRY(HP_ALLOC(c->field, length));
  }
  for (int n = 0; n < length; ++n) {
    const hp_setting *s = config_setting_get_elem(field, (unsigned)n);
    if (config_setting_type(s) != CONFIG_TYPE_GROUP || (patched && config_setting_length(s) == 0)) continue;
    hp_field_event *e = patched ? &c->field[n] : &c->field[c->nfield++];
    if (!patched) {
      *e = (hp_field_event){.control = hp_field_nothing(), .line = hp_config_line(s)};
      HP_TRY(hp_case_file(c, hp_config_file(r, s), &e->file));
    }
    read_entry(r, s, e);
  }
  hp_config_sort_by_time(c->field, c->nfield, sizeof *c->field);
  return HP_OK;
}
