/* Output about wells: logs in NAME.RFT (WRFT, WRFTPLT), average pressures (WPAVE). */
#include <math.h>
#include <string.h>

#include "io/case/state_arrays.h"
#include "io/eclipse/impl.h"

static hp_status ask(hp_ecl *e, const hp_ecl_well *w, hp_rft_data data, hp_rft_when when) {
  hp_rft_request r = {.time = e->now, .data = data, .when = when};
  memcpy(r.well, w->spec.name, sizeof r.well);
  return hp_rft_ask(e->c, &r);
}

static hp_status ask_once(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  (void)record;
  return ask(e, w, HP_RFT_DATA_RFT, HP_RFT_WHEN_ONCE);
}

/* Without wells: of each that opens from now on. */
hp_status hp_ecl_do_wrft(hp_ecl *e, const hp_ecl_record *record) {
  static const hp_ecl_keyword_entry list = {.name = "", .sections = HP_ECL_SCHEDULE, .shape = HP_ECL_LIST};
  const hp_ecl_item *item = e->entry->item;
  bool any = false;
  (void)record;
  e->entry = &list;
  for (;;) {
    hp_ecl_record one;
    bool empty;
    HP_TRY(hp_ecl_read_record(e, item, HP_ECL_COUNT(wrft), &one, &empty));
    if (empty) break;
    any = true;
    const hp_status s = one.faulty ? HP_OK : hp_ecl_wells_each(e, &one, ask_once);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
  }
  if (!any) e->logs_openings = true;
  return HP_OK;
}

hp_status hp_ecl_log_opening(hp_ecl *e, const hp_ecl_well *w) {
  return e->logs_openings ? ask(e, w, HP_RFT_DATA_RFT, HP_RFT_WHEN_OPENING) : HP_OK;
}

static hp_status ask_both(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  static const hp_rft_when when[] = {HP_RFT_WHEN_NEVER, HP_RFT_WHEN_ONCE, HP_RFT_WHEN_REPORTS, HP_RFT_WHEN_STEPS,
                                     HP_RFT_WHEN_OPENING};
  const hp_ecl_items_wrftplt *v = &record->wrftplt;
  if (v->rft.choice == v->plt.choice) return ask(e, w, HP_RFT_DATA_BOTH, when[v->rft.choice]);
  HP_TRY(ask(e, w, HP_RFT_DATA_RFT, when[v->rft.choice]));
  return ask(e, w, HP_RFT_DATA_PLT, when[v->plt.choice]);
}

hp_status hp_ecl_do_wrftplt(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, ask_both); }

/* ---- arrays of NAME.UNRST: RPTRST ---- */

static void ask_array(hp_ecl *e, const char *name, int value) {
  if (value != 0) (void)hp_state_array_ask(e->c, name, strlen(name));
}

/* Whatever is asked for once is written at all report steps. */
hp_status hp_ecl_do_rptrst(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  return hp_ecl_read_mnemonics(e, ask_array);
}

/* ---- fluids in place in NAME.PRT: RPTSOL, RPTSCHED ---- */

static int sheets_of(const char *name, int value) {
  if (strcmp(name, "FIP") != 0 || value <= 0) return HP_SHEETS_NONE;
  return value == 1 ? HP_SHEETS_FIELD : HP_SHEETS_REGIONS;
}

static void ask_at_start(hp_ecl *e, const char *name, int value) {
  if (sheets_of(name, value) > e->c->output.sheets_at_start) e->c->output.sheets_at_start = sheets_of(name, value);
}

static void ask_at_reports(hp_ecl *e, const char *name, int value) {
  hp_output_options *o = &e->c->output;
  if (sheets_of(name, value) <= o->sheets) return;
  if (o->sheets == HP_SHEETS_NONE) o->sheets_from = e->now;
  o->sheets = sheets_of(name, value);
}

hp_status hp_ecl_do_rptsol(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  return hp_ecl_read_mnemonics(e, ask_at_start);
}

hp_status hp_ecl_do_rptsched(hp_ecl *e, const hp_ecl_record *record) {
  (void)record;
  return hp_ecl_read_mnemonics(e, ask_at_reports);
}

/* ---- average pressures: WPAVE, WWPAVE, WPAVEDEP ---- */

/* Items inner, by_factor, head and of, from place `first` on. */
static hp_status read_average(hp_ecl *e, const hp_ecl_record *record, int first, hp_average *out) {
  const hp_ecl_value *v = record->v + first;
  *out = hp_average_nothing();
  out->time = e->now;
  out->inner = v[HP_ECL_AT(wpave, inner)].x;
  out->by_factor = v[HP_ECL_AT(wpave, by_factor)].x;
  out->head = v[HP_ECL_AT(wpave, head)].choice;
  out->of = v[HP_ECL_AT(wpave, of)].choice;
  if (out->inner > 1.0)
    return hp_ecl_item_error(e, record, first + HP_ECL_AT(wpave, inner), ": %g: must be <= 1", out->inner);
  if (out->by_factor > 1.0)
    return hp_ecl_item_error(e, record, first + HP_ECL_AT(wpave, by_factor), ": %g: must be <= 1", out->by_factor);
  return HP_OK;
}

hp_status hp_ecl_do_wpave(hp_ecl *e, const hp_ecl_record *record) {
  hp_average a;
  HP_TRY(read_average(e, record, 0, &a));
  return hp_average_add(e->c, &a);
}

static hp_status average_of(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  hp_average a;
  HP_TRY(read_average(e, record, HP_ECL_AT(wwpave, inner), &a));
  memcpy(a.well, w->spec.name, sizeof a.well);
  return hp_average_add(e->c, &a);
}

hp_status hp_ecl_do_wwpave(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, average_of); }

static hp_status depth_of(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  hp_average a = hp_average_nothing();
  a.time = e->now;
  a.depth = record->wpavedep.depth.x;
  memcpy(a.well, w->spec.name, sizeof a.well);
  return isnan(a.depth) ? HP_OK : hp_average_add(e->c, &a);
}

hp_status hp_ecl_do_wpavedep(hp_ecl *e, const hp_ecl_record *record) { return hp_ecl_wells_each(e, record, depth_of); }
