#include "io/deck/deck.h"

#include <ctype.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
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

static hp_status refuse(const hp_case *c) {
  return c->whole[0] != '\0' ? hp_spread_refuse(c->spread, c->whole) : HP_OK;
}

/* Centres of perforated cells, each of which one rank has. */
static hp_status find_perforations(hp_case *c) {
  const hp_grid *g = c->grid;
  const hp_corners corners = hp_case_corners(c);
  int64_t count = 0, n = 0;
  for (int w = 0; w < c->nwell; ++w) count += c->well[w].nperf;
  HP_TRY(HP_ALLOC(c->facts.perf_place, 2 * count));
  for (int w = 0; w < c->nwell; ++w)
    for (int q = 0; q < c->well[w].nperf; ++q, ++n) {
      const hp_perf_spec *p = &c->well[w].perf[q];
      double centre[3];
      if (p->i < g->planes.first || p->i >= g->planes.first + g->planes.owned) continue;
      const hp_hexahedron cell = hp_corners_cell(&corners, p->i, p->j, p->k);
      hp_hexahedron_centre(&cell, centre);
      memcpy(c->facts.perf_place + 2 * n, centre, 2 * sizeof *centre);
    }
  return hp_spread_sum(c->spread, (int64_t *)(void *)c->facts.perf_place, 2 * count); /* bits of one rank each */
}

static hp_status find_corners(hp_case *c) {
  HP_TRY(find_perforations(c));
  HP_TRY(hp_case_split_nodes(c, false, &c->facts.split));
  if (c->facts.split.count > 0) hp_case_nodes_clear(&c->facts.nodes);
  return HP_OK;
}

static hp_status find_facts(hp_case *c) {
  double end[2]; /* minus the top, the bottom */
  int64_t *column = NULL;
  hp_case_depths(c, &end[0], &end[1]);
  end[0] = -end[0];
  HP_TRY(hp_spread_max(c->spread, end, 2));
  const int64_t mine = c->grid->connection.count;
  HP_TRY(hp_spread_number(c->spread, mine, &c->facts.connection, &c->facts.connections));
  c->facts.top = -end[0];
  c->facts.bottom = end[1];
  if (!c->rectilinear || c->coord != NULL) HP_TRY(hp_case_mean_nodes(c, &c->facts.nodes));
  if (c->coord != NULL) HP_TRY(find_corners(c));
  HP_TRY(HP_ALLOC(c->facts.well_top, c->nwell));
  HP_TRY(HP_ALLOC(column, c->nwell));
  for (int w = 0; w < c->nwell; ++w)
    if (c->well[w].nperf > 0) column[w] = c->well[w].perf[0].j + (int64_t)c->grid->ny * c->well[w].perf[0].i;
  const hp_status s = hp_grid_gather_columns(c->grid, c->nwell, column, c->top, c->facts.well_top);
  HP_FREE(column);
  return s;
}

/* Counts of what ranks have read: those of rank 0. */
static hp_status compare(const hp_case *c, const hp_diag *diag) {
  const int64_t mine[] = {diag->errors,   c->nwell,       c->nevent,       c->ngroup_event,
                          c->nperf_event, c->nreport,     c->ntuning,      c->fluid.nsat,
                          c->fluid.npvt,  c->fluid.nrock, c->nfault,       c->initial.nregion,
                          c->nfip,        c->naquifer,    c->ntrans_event, c->nnumerical};
  int64_t root[sizeof mine / sizeof *mine];
  bool same = diag->errors == 0;
  memcpy(root, mine, sizeof root);
  HP_TRY(hp_spread_share(c->spread, root, sizeof root));
  same = same && memcmp(root, mine, sizeof root) == 0;
  HP_TRY(hp_spread_all(c->spread, &same));
  return same ? HP_OK : hp_spread_refuse(c->spread, HP_SPREAD_ERRORS);
}

static hp_status fill(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case *c) {
  HP_TRY(hp_format(&c->deck, "%s", path));
  HP_TRY(hp_fluid_spec_grow(&c->fluid, 1, 1, 1));
  hp_config_defaults(c);
  if (!is_eclipse(path)) {
    for (int n = 0; n < nset; ++n)
      if (strncmp(set[n], HP_ECL_WITHOUT, strlen(HP_ECL_WITHOUT)) == 0)
        return hp_fail(HP_ERR_USAGE, "%s: only keywords of an Eclipse deck can be left out (--without)", path);
    HP_TRY(hp_config_read(path, nset, set, diag, c));
    hp_case_drop_late(c, diag);
    return HP_OK;
  }
  HP_TRY(hp_ecl_read(path, nset, set, diag, c));
  hp_case_drop_late(c, diag);
  return nset > 0 ? note_options(c, nset, set) : HP_OK;
}

/* Quantities and actions are the deck's, reported before a run begins. */
static hp_status check_actions(hp_case *c, hp_diag *diag) {
  if (diag->errors > 0) return HP_OK;
  hp_case_check_actions(c, diag);
  if (diag->errors == 0) HP_TRY(hp_config_check_action_lines(c, diag));
  return diag->errors == 0 ? HP_OK : hp_fail(HP_ERR_DECK, "%s: the deck has errors", c->deck);
}

/* End points that contradict each other are the deck's fault, reported before a run begins. */
static hp_status check_end_points(const hp_case *c, hp_diag *diag) {
  static const char *const name[] = {
#define END_KEYWORD(id, key) #id ": ",
      HP_END_LIST(END_KEYWORD)
#undef END_KEYWORD
  };
  bool any = false;
  hp_end_fault fault;
  for (int n = 0; n < HP_ENDS; ++n) any = any || c->fluid.end[n] != NULL || c->fluid.imbibition_end[n] != NULL;
  if (!any || c->grid == NULL || diag->errors > 0) return HP_OK;
  const hp_status s = hp_end_points_check(c->grid, &c->fluid, &fault);
  if (s != HP_ERR_DECK) return s;
  const int line = fault.end != HP_ENDS ? c->end_line[fault.imbibition][fault.end] : 0;
  hp_diag_error(diag, line > 0 ? c->end_file[fault.imbibition][fault.end] : c->deck, line, "%s%s%s",
                line > 0 && fault.imbibition ? "I" : "", line > 0 ? name[fault.end] : "", hp_fail_text());
  return hp_fail(HP_ERR_DECK, "%s: the deck has errors", c->deck);
}

/* An entry of saturation that a perforation names; below 0: it keeps what it had. */
static void check_table(hp_case *c, hp_diag *diag, int table, const char *file, int line, const char *well) {
  if (table > 0) c->fluid.by_perforation = true;
  if (table > c->fluid.nsat)
    hp_diag_error(diag, file, line, "well %s: entry %d of saturation for a perforation, there %s only %d", well, table,
                  hp_is(c->fluid.nsat), c->fluid.nsat);
}

/* Saturation functions of perforations and faces beside those of the cells. */
static hp_status check_tables(hp_case *c, hp_diag *diag) {
  const char *what = NULL;
  for (int w = 0; w < c->nwell; ++w)
    for (int q = 0; q < c->well[w].nperf; ++q)
      check_table(c, diag, c->well[w].perf[q].table, c->well[w].file, c->well[w].line, c->well[w].name);
  for (int n = 0; n < c->nperf_event; ++n) {
    const hp_perf_event *v = &c->perf_event[n];
    if (v->anew) check_table(c, diag, v->spec.table, v->file, v->line, c->well[v->well].name);
  }
  for (int n = 0; n < HP_FACES; ++n)
    if (c->fluid.of_face[n] != NULL) what = "relative permeabilities by direction (regions.saturation_x, KRNUMX)";
  if (c->fluid.by_perforation) what = "saturation functions of perforations (wells[].saturation, COMPDAT item 7)";
  if (what != NULL && hp_hysteresis_is_on(&c->fluid.hysteresis))
    hp_diag_error(diag, c->deck, 0, "%s beside hysteresis are not supported: leave one of them out", what);
  return diag->errors > 0 ? hp_fail(HP_ERR_DECK, "%s: the deck has errors", c->deck) : HP_OK;
}

static hp_status read(hp_spread *P, const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) {
  *out = NULL;
  hp_case *c = NULL;
  const double t0 = hp_now();
  hp_status status = HP_ALLOC(c, 1);
  if (status == HP_OK) c->spread = P;
  if (status == HP_OK) status = fill(path, nset, set, diag, c);
  if (status == HP_OK && P != NULL) status = compare(c, diag);
  if (status == HP_OK && P != NULL) status = refuse(c);
  if (status == HP_OK) status = check_end_points(c, diag);
  if (status == HP_OK) status = check_tables(c, diag);
  if (status == HP_OK) status = hp_case_check_equilibria(c, diag);
  if (status == HP_OK) status = hp_case_note_slips(c, diag);
  if (status == HP_OK) status = hp_case_refine(c, diag);
  if (status == HP_OK) status = check_actions(c, diag);
  if (status == HP_OK && P != NULL) status = find_facts(c);
  if (status == HP_OK) c->seconds = hp_now() - t0;
  if (status == HP_OK) {
    *out = c;
    return HP_OK;
  }
  if (c != NULL) c->spread = NULL; /* the caller's */
  hp_case_destroy(&c);
  return status;
}

hp_status hp_case_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) {
  return read(NULL, path, nset, set, diag, out);
}

hp_status hp_case_read_spread(hp_spread *P, const char *path, int nset, const char *const *set, hp_diag *diag,
                              hp_case **out) {
  hp_spread_begin(P);
  hp_status s = read(P, path, nset, set, diag, out);
  if (s == HP_OK && diag->errors > 0) s = hp_spread_refuse(P, HP_SPREAD_ERRORS);
  s = hp_spread_end(P, s);
  if (s == HP_OK) return HP_OK;
  if (*out != NULL) (*out)->spread = NULL; /* the caller's */
  hp_case_destroy(out);
  return s;
}
