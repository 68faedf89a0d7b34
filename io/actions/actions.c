#include "io/actions/actions.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "io/files/text.h"

const char *const hp_update_name[HP_UPDATES] = {
#define UPDATE_NAME(name, text) text,
    HP_UPDATE_LIST(UPDATE_NAME)
#undef UPDATE_NAME
};

void hp_quantity_fault(const char *name, char why[HP_EXPRESSION_WHY]) {
  const size_t length = strlen(name);
  bool sound = length >= 2 && length < HP_QUANTITY_NAME && name[1] == 'U';
  why[0] = '\0';
  for (size_t n = 0; n < length; ++n)
    sound = sound && (isupper((unsigned char)name[n]) || isdigit((unsigned char)name[n]) || name[n] == '_');
  if (sound && strchr("FWG", name[0]) != NULL) return;
  if (sound && strchr("ABCRS", name[0]) != NULL)
    snprintf(why, HP_EXPRESSION_WHY, "'%s': %cU quantities are not supported, only FU, WU and GU", name, name[0]);
  else
    snprintf(why, HP_EXPRESSION_WHY,
             "'%.40s': a quantity's name begins with FU, WU or GU and has at most 8 capitals, digits and _", name);
}

void hp_quantity_entry_clear(hp_quantity_entry *e) {
  HP_FREE(e->text);
  HP_FREE(e->name);
  hp_expression_destroy(&e->value);
}

void hp_action_clear(hp_action *a) {
  HP_FREE(a->condition);
  hp_expression_destroy(&a->when);
  for (int n = 0; n < a->lines; ++n) HP_FREE(a->does[n]);
  HP_FREE(a->does);
  a->lines = 0;
}

/* ---- lines ---- */

static const char for_wells[] = "well ? ";

bool hp_action_line_asks(const char *line) { return strncmp(line, for_wells, sizeof for_wells - 1) == 0; }

hp_status hp_action_line_for(const char *line, const char *well, char **out) {
  hp_text t = {0};
  hp_text_add(&t, "well ");
  hp_text_add_quoted(&t, well);
  hp_text_add(&t, " %s", line + sizeof for_wells - 1);
  *out = t.s;
  return t.status;
}
