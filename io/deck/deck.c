#include "io/deck/deck.h"

#include <ctype.h>
#include <string.h>

#include "core/memory.h"
#include "core/profile.h"
#include "io/config/config.h"
#include "io/eclipse/eclipse.h"
#include "io/files/text.h"

static bool is_eclipse(const char *path) {
  const char *dot = strrchr(path, '.');
  if (dot == NULL || strlen(dot) != 5) return false;
  for (int n = 0; n < 5; ++n)
    if (toupper((unsigned char)dot[n]) != ".DATA"[n]) return false;
  return true;
}

/* The options of an Eclipse deck end up in its text, as comments. */
static hp_status note_options(hp_case *c, int nset, const char *const *set) {
  static const char lead[] = "\n-- --set ";
  size_t size = (c->text != NULL ? strlen(c->text) : 0) + 1;
  for (int n = 0; n < nset; ++n) size += strlen(lead) + strlen(set[n]);
  char *text;
  HP_TRY(hp_alloc((void **)&text, (int64_t)size, 1, "deck text"));
  if (c->text != NULL) strcpy(text, c->text);
  for (int n = 0; n < nset; ++n) {
    strcat(text, lead);
    strcat(text, set[n]);
  }
  HP_FREE(c->text);
  c->text = text;
  return HP_OK;
}

static hp_status fill(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case *c) {
  HP_TRY(hp_format(&c->deck, "%s", path));
  HP_TRY(hp_fluid_spec_grow(&c->fluid, 1, 1, 1));
  hp_config_defaults(c);
  if (!is_eclipse(path)) {
    HP_TRY(hp_config_read(path, nset, set, diag, c));
    hp_case_drop_late(c, diag);
    return HP_OK;
  }
  HP_TRY(hp_ecl_read(path, nset, set, diag, c));
  hp_case_drop_late(c, diag);
  return nset > 0 ? note_options(c, nset, set) : HP_OK;
}

/* End points that contradict each other are the deck's fault, reported before a run begins. */
static hp_status check_end_points(const hp_case *c, hp_diag *diag) {
  static const char *const name[] = {
#define END_KEYWORD(id, key) #id ": ",
      HP_END_LIST(END_KEYWORD)
#undef END_KEYWORD
  };
  bool any = false;
  hp_end fault;
  for (int n = 0; n < HP_ENDS; ++n) any = any || c->fluid.end[n] != NULL;
  if (!any || c->grid == NULL || diag->errors > 0) return HP_OK;
  const hp_status s = hp_end_points_check(c->grid, &c->fluid, &fault);
  if (s != HP_ERR_DECK) return s;
  const bool placed = fault != HP_ENDS && c->end_line[fault] > 0;
  hp_diag_error(diag, placed ? c->end_file[fault] : c->deck, placed ? c->end_line[fault] : 0, "%s%s",
                placed ? name[fault] : "", hp_fail_text());
  return hp_fail(HP_ERR_DECK, "%s: the deck has errors", c->deck);
}

hp_status hp_case_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) {
  *out = NULL;
  hp_case *c = NULL;
  const double t0 = hp_now();
  hp_status status = HP_ALLOC(c, 1);
  if (status == HP_OK) status = fill(path, nset, set, diag, c);
  if (status == HP_OK) status = check_end_points(c, diag);
  if (status == HP_OK) status = hp_case_check_equilibria(c, diag);
  if (status == HP_OK) status = hp_case_note_slips(c, diag);
  if (status == HP_OK) status = hp_case_refine(c, diag);
  if (status == HP_OK) c->seconds = hp_now() - t0;
  if (status == HP_OK) *out = c;
  else hp_case_destroy(&c);
  return status;
}
