/* Lists of output that name wells: output.rft, output.averages. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/wells/wells.h"

typedef struct {
  const char *list;
  hp_home home;
  bool needs_well, given; /* a missing name is an error; only values that an entry has are read */
  size_t well;            /* where the name is in an entry */
} request_list;

typedef union {
  hp_rft_request rft;
  hp_average average;
} request;

static hp_status keep(hp_config *r, const request_list *L, const request *one) {
  return L->home == HP_IN_RFT ? hp_rft_ask(r->c, &one->rft) : hp_average_add(r->c, &one->average);
}

/* For a name or a pattern of wells. */
static hp_status ask(hp_config *r, const request_list *L, const hp_setting *name, request one) {
  bool found;
  HP_TRY(hp_config_check_well(r, name, &found));
  if (!found) return HP_OK;
  const char *text = config_setting_get_string(name);
  if (strlen(text) >= HP_WELL_NAME) {
    hp_config_error(r, name, "must have at most %d letters", HP_WELL_NAME - 1);
    return HP_OK;
  }
  snprintf((char *)&one + L->well, HP_WELL_NAME, "%s", text);
  return keep(r, L, &one);
}

static hp_status read_entry(hp_config *r, const request_list *L, const hp_setting *s, request one) {
  const hp_setting *well = hp_config_member(s, "well");
  hp_config_settings(r, s, L->list, L->home, L->given, &one);
  if (well == NULL && !L->needs_well) return keep(r, L, &one);
  if (well == NULL) {
    hp_config_error(r, s, "well is missing: names or patterns with * and ?");
    return HP_OK;
  }
  const int type = config_setting_type(well);
  if (type != CONFIG_TYPE_ARRAY && type != CONFIG_TYPE_LIST) return ask(r, L, well, one);
  for (int n = 0; n < config_setting_length(well); ++n)
    HP_TRY(ask(r, L, config_setting_get_elem(well, (unsigned)n), one));
  return HP_OK;
}

/* Entries begin as `nothing`; *list gets those of the deck. */
static hp_status read_list(hp_config *r, const request_list *L, const hp_setting *s, request nothing) {
  const bool overlay = r->overlay;
  hp_status status = HP_OK;
  r->overlay = false; /* a new list is read whole */
  for (int n = 0; n < config_setting_length(s) && status == HP_OK; ++n)
    if (hp_config_group(s, n) != NULL) status = read_entry(r, L, hp_config_group(s, n), nothing);
  r->overlay = overlay;
  return status;
}

/* Another setting is reported by hp_config_check. */
static bool is_list(const hp_setting *s) { return s != NULL && config_setting_type(s) == CONFIG_TYPE_LIST; }

hp_status hp_config_read_rft(hp_config *r, const hp_setting *s) {
  static const request_list list = {"output.rft[]", HP_IN_RFT, true, false, offsetof(hp_rft_request, well)};
  hp_output_options *o = &r->c->output;
  if (!is_list(s)) return HP_OK;
  HP_FREE(o->rft);
  o->nrft = 0;
  HP_TRY(read_list(r, &list, s, (request){.rft = {.time = 0.0}}));
  hp_config_sort_by_time(o->rft, o->nrft, sizeof *o->rft);
  return HP_OK;
}

hp_status hp_config_read_averages(hp_config *r, const hp_setting *s) {
  static const request_list list = {"output.averages[]", HP_IN_AVERAGE, false, true, offsetof(hp_average, well)};
  hp_output_options *o = &r->c->output;
  if (!is_list(s)) return HP_OK;
  HP_FREE(o->average);
  o->naverage = 0;
  HP_TRY(read_list(r, &list, s, (request){.average = hp_average_nothing()}));
  hp_config_sort_by_time(o->average, o->naverage, sizeof *o->average);
  return HP_OK;
}
