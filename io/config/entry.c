/* Entries that a run which is steered adds to its case: lines of words become what a deck would have in a list. */
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"
#include "io/files/text.h"

enum { OF_WELL, OF_GROUP, OF_TUNING, OF_QUANTITY, KINDS };

static const struct {
  const char *word, *list, *name; /* list of a deck; the key of the line's second word, NULL: there is none */
} kind[KINDS] = {[OF_WELL] = {"well", "schedule", "well"},
                 [OF_GROUP] = {"group", "groups", "name"},
                 [OF_TUNING] = {"tuning", "tuning", NULL},
                 [OF_QUANTITY] = {"quantity", "quantities", "name"}};

static int kind_of(const char *line) {
  const size_t length = strcspn(line, " \t");
  for (int n = 0; n < KINDS; ++n)
    if (strlen(kind[n].word) == length && strncmp(line, kind[n].word, length) == 0) return n;
  return -1;
}

/* s: of the case's list, with the words of the line. */
static hp_status add(hp_config *r, int of, hp_setting *s, double time, bool opens) {
  const hp_setting *given = hp_config_member(s, "time");
  hp_config_check(r);
  if (kind[of].name != NULL && hp_config_member(s, kind[of].name) == NULL) hp_config_error(r, s, "which one?");
  if (given != NULL) hp_config_error(r, given, "is that of the run now; leave it out");
  if (r->diag->errors == 0 && of != OF_WELL && config_setting_length(s) == (kind[of].name != NULL ? 1 : 0))
    hp_config_error(r, s, "changes nothing: give a number");
  if (r->diag->errors > 0) return HP_OK;
  r->overlay = false; /* it is read whole */
  if (of == OF_WELL) return hp_config_schedule_add(r, s, time, opens);
  if (of == OF_QUANTITY) return hp_config_quantity_add(r, s, time);
  hp_setting *now = config_setting_add(s, "time", CONFIG_TYPE_FLOAT);
  if (now == NULL || config_setting_set_float(now, time / r->units.factor[HP_UNIT_TIME]) != CONFIG_TRUE)
    return hp_fail(HP_ERR_MEMORY, "no memory for an entry");
  return of == OF_GROUP ? hp_config_group_add(r, s, time) : hp_config_tuning_add(r, s, time);
}

static hp_status read_line(hp_config *r, const char *line, double time, bool opens, char **option) {
  const int of = kind_of(line);
  if (of < 0) {
    hp_diag_error(r->diag, NULL, 0, "'%s': must begin with one of: %s", line, HP_CONFIG_ENTRIES);
    return HP_OK;
  }
  hp_setting *list = config_setting_add(config_root_setting(&r->tree), kind[of].list, CONFIG_TYPE_LIST);
  hp_setting *s = list != NULL ? config_setting_add(list, NULL, CONFIG_TYPE_GROUP) : NULL;
  if (s == NULL) return hp_fail(HP_ERR_MEMORY, "no memory for an entry");
  HP_TRY(hp_format(option, "--control %s", line));
  config_setting_set_hook(s, *option);
  HP_TRY(hp_config_set_words(r, *option, s, kind[of].name, line + strcspn(line, " \t")));
  return r->diag->errors == 0 ? add(r, of, s, time, opens) : HP_OK;
}

hp_status hp_config_add_entry(hp_case *c, double time, const char *line, bool opens, hp_diag *diag) {
  hp_config r = {.diag = diag, .c = c, .units = c->units, .overlay = true};
  hp_well_event *events;
  const int nevent = c->nevent;
  char *option = NULL;
  HP_TRY(HP_ALLOC(events, nevent));
  if (nevent > 0) memcpy(events, c->event, (size_t)nevent * sizeof *events);
  config_init(&r.tree);
  hp_status status = read_line(&r, line, time, opens, &option);
  config_destroy(&r.tree);
  HP_FREE(option);
  if (status == HP_OK && diag->errors > 0) status = hp_fail(HP_ERR_DECK, "--control: refused: %s", line);
  if (status != HP_OK) { /* wells have the events that they had */
    HP_FREE(c->event);
    c->event = events;
    c->nevent = nevent;
  } else {
    HP_FREE(events);
  }
  return status;
}
