#include "io/case/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/plural.h"
#include "wells/wells.h"

static const struct {
  const char *name;
  hp_summary_vector_level level;
  hp_quantity quantity;
} table[] = {
#define VECTOR(name, level, quantity, what) {#name, HP_OF_##level, HP_UNIT_##quantity},
    HP_SUMMARY_VECTOR_LIST(VECTOR)
#undef VECTOR
};

static bool equals(const char *name, const char *text, size_t n) {
  return strlen(name) == n && strncmp(name, text, n) == 0;
}

hp_summary_vector_id hp_summary_vector_find(const char *name, size_t n) {
  static const hp_summary_vector_id of_user[] = {HP_SUMMARY_VECTOR_FU, HP_SUMMARY_VECTOR_WU, HP_SUMMARY_VECTOR_GU};
  int id = 0;
  for (int k = 0; k < 3 && n >= 2; ++k)
    if (strncmp(table[of_user[k]].name, name, 2) == 0) return of_user[k];
  while (id < HP_SUMMARY_VECTOR_COUNT && !equals(table[id].name, name, n)) ++id;
  return (hp_summary_vector_id)id;
}

const char *hp_summary_vector_name_of(hp_summary_vector_id id) { return table[id].name; }
hp_summary_vector_level hp_summary_vector_level_of(hp_summary_vector_id id) { return table[id].level; }
hp_quantity hp_summary_vector_quantity(hp_summary_vector_id id) { return table[id].quantity; }

bool hp_summary_vector_is_always_written(const char *name, size_t n) {
  static const char *const of_both[] = {"OPR", "WPR", "LPR", "OIR", "WIR", "OPT", "WPT", "LPT", "OIT", "WIT", "WCT"};
  static const char *const other[] = {"TIME", "FPR", "WBHP", "WMCTL"};
  for (size_t k = 0; k < sizeof other / sizeof other[0]; ++k)
    if (equals(other[k], name, n)) return true;
  for (size_t k = 0; k < sizeof of_both / sizeof of_both[0]; ++k)
    if (n > 1 && (name[0] == 'F' || name[0] == 'W') && equals(of_both[k], name + 1, n - 1)) return true;
  return false;
}

/* ---- texts ---- */

/* Meaning of a text: of its columns, those that are named. */
typedef struct {
  hp_summary_vector_id id;
  char quantity[HP_QUANTITY_NAME]; /* name of FU..., WU... and GU..., cut */
  char well[HP_WELL_NAME];         /* a name or a pattern of wells, or of groups; "": all */
  int region;                      /* from 1; 0: all; likewise the number of an aquifer */
  int segment;                     /* likewise */
  int ijk[3];                      /* from 1; 0: all */
} meaning;

static bool read_name(const char *text, size_t n, char out[HP_WELL_NAME]) {
  if (n == 0 || n >= HP_WELL_NAME) return false;
  memcpy(out, text, n);
  out[n] = '\0';
  return true;
}

/* "i,j,k"; false: it is none, and the meaning has none. */
static bool read_cell(const char *text, meaning *m) {
  char end;
  if (sscanf(text, "%d,%d,%d%c", &m->ijk[0], &m->ijk[1], &m->ijk[2], &end) == 3) return true;
  m->ijk[0] = m->ijk[1] = m->ijk[2] = 0;
  return false;
}

/* A connection's cell stands behind the last colon, if three numbers do: a well's name may hold one. */
static bool read_connection(const char *text, meaning *m) {
  const char *last = strrchr(text, ':');
  const bool placed = last != NULL && read_cell(last + 1, m);
  for (int d = 0; placed && d < 3; ++d)
    if (m->ijk[d] < 1) return false;
  return read_name(text, placed ? (size_t)(last - text) : strlen(text), m->well);
}

/* A segment's number stands behind the last colon, if a number does. */
static bool read_segment(const char *text, meaning *m) {
  const char *last = strrchr(text, ':');
  char end;
  const bool placed = last != NULL && sscanf(last + 1, "%d%c", &m->segment, &end) == 1;
  if (placed && m->segment < 1) return false;
  if (!placed) m->segment = 0;
  return read_name(text, placed ? (size_t)(last - text) : strlen(text), m->well);
}

static bool is_of_user(int id) {
  return id == HP_SUMMARY_VECTOR_FU || id == HP_SUMMARY_VECTOR_WU || id == HP_SUMMARY_VECTOR_GU;
}

static bool understand(const char *text, meaning *m) {
  const size_t n = strcspn(text, ":");
  const char *rest = text[n] == ':' ? text + n + 1 : "";
  char end;
  *m = (meaning){.id = hp_summary_vector_find(text, n)};
  if (m->id == HP_SUMMARY_VECTOR_COUNT) return false;
  if (is_of_user(m->id)) snprintf(m->quantity, sizeof m->quantity, "%.*s", (int)n, text);
  if (text[n] == '\0') return table[m->id].level != HP_OF_CELL;
  switch (table[m->id].level) {
    case HP_OF_GROUP:
    case HP_OF_WELL: return read_name(rest, strlen(rest), m->well);
    case HP_OF_AQUIFER:
    case HP_OF_NUMERICAL:
    case HP_OF_REGION: return sscanf(rest, "%d%c", &m->region, &end) == 1 && m->region > 0;
    case HP_OF_CONNECTION: return read_connection(rest, m);
    case HP_OF_SEGMENT: return read_segment(rest, m);
    case HP_OF_CELL: return read_cell(rest, m);
    case HP_OF_FIELD: break;
  }
  return false;
}

/* The number of the meaning's cell; -1: the grid has no such cell. */
static int64_t cell_number(const hp_grid *g, const meaning *m) {
  const int n[3] = {g->nx, g->ny, g->nz};
  for (int d = 0; d < 3; ++d)
    if (m->ijk[d] < 1 || m->ijk[d] > n[d]) return -1;
  return m->ijk[2] - 1 + g->nz * (m->ijk[1] - 1 + (int64_t)g->ny * (m->ijk[0] - 1));
}

static bool of_well(const meaning *m, const char *name) { return m->well[0] == '\0' || hp_name_matches(m->well, name); }

void hp_summary_vector_fault(const hp_case *c, const char *text, char why[HP_CASE_WHY]) {
  const size_t n = strcspn(text, ":");
  meaning m;
  bool found = false;
  why[0] = '\0';
  if (text[n] == '\0' && hp_summary_vector_is_always_written(text, n)) return;
  const bool sound = understand(text, &m);
  if (sound && is_of_user(m.id) && hp_case_quantity(c, m.quantity) < 0) {
    snprintf(why, HP_CASE_WHY, "'%.100s': no such quantity", text);
    return;
  }
  if (!sound) {
    const char *name[HP_SUMMARY_VECTOR_COUNT];
    for (int id = 0; id < HP_SUMMARY_VECTOR_COUNT; ++id) name[id] = table[id].name;
    const char *near = hp_nearest(text, name, HP_SUMMARY_VECTOR_COUNT);
    const bool known = hp_summary_vector_find(text, n) != HP_SUMMARY_VECTOR_COUNT;
    snprintf(why, HP_CASE_WHY, "'%.100s': %s%s%s", text,
             known ? "not a group, well, region, aquifer, connection, segment or cell" : "no such vector",
             !known && near != NULL ? "; did you mean " : "", !known && near != NULL ? near : "");
    return;
  }
  const bool money = m.id == HP_SUMMARY_VECTOR_FNPV || m.id == HP_SUMMARY_VECTOR_FCASH ||
                     m.id == HP_SUMMARY_VECTOR_FCASHR;
  if (money && !c->economics.given) {
    snprintf(why, HP_CASE_WHY, "'%.100s': needs economics: prices and costs", text);
    return;
  }
  const bool group = table[m.id].level == HP_OF_GROUP;
  for (int g = 1; group && g <= c->ngroup; ++g) found = found || of_well(&m, hp_case_group_name(c, g));
  for (int w = 0; !group && w < c->nwell; ++w) found = found || of_well(&m, c->well[w].name);
  if (!found && m.well[0] != '\0') snprintf(why, HP_CASE_WHY, "'%.100s': no such %s", text, group ? "group" : "well");
  if (table[m.id].level == HP_OF_SEGMENT && (found || m.well[0] == '\0')) {
    bool known = false;
    for (int w = 0; w < c->nwell; ++w)
      for (int k = 0; of_well(&m, c->well[w].name) && k < c->well[w].nsegment; ++k)
        known = known || m.segment == 0 || c->well[w].segment[k].number == m.segment;
    if (!known) snprintf(why, HP_CASE_WHY, "'%.100s': no such segment", text);
  } else if (table[m.id].level == HP_OF_AQUIFER) {
    bool known = m.region == 0;
    for (int k = 0; k < c->naquifer; ++k) known = known || c->aquifer[k].number == m.region;
    if (!known) snprintf(why, HP_CASE_WHY, "'%.100s': no such aquifer", text);
  } else if (table[m.id].level == HP_OF_NUMERICAL) {
    bool known = m.region == 0;
    for (int k = 0; k < c->nnumerical; ++k) known = known || c->numerical[k].number == m.region;
    if (!known) snprintf(why, HP_CASE_WHY, "'%.100s': no such numerical aquifer", text);
  } else if (table[m.id].level == HP_OF_CELL) {
    const hp_grid *g = c->grid;
    if (g != NULL && cell_number(g, &m) < 0) /* a deck whose grid is faulty has none */
      snprintf(why, HP_CASE_WHY, "'%.100s': the grid has %d x %d x %d cells", text, g->nx, g->ny, g->nz);
  } else if (m.region > c->nfip)
    snprintf(why, HP_CASE_WHY, "'%.100s': there %s %d region%s", text, hp_is(c->nfip), c->nfip, hp_plural(c->nfip));
}

/* The connection's vector in those parts of its cell that the well perforates. */
static hp_status ask_in_parts(hp_case *c, const meaning *m, const hp_well_spec *w) {
  hp_well_perforations all;
  hp_status s = hp_well_perforations_of(c->grid, w, &all);
  const hp_perf_spec *perf = all.at;
  for (int q = 0; q < all.count && s == HP_OK; ++q) {
    char text[2 * HP_WELL_NAME + 64];
    const int at[3] = {perf[q].i, perf[q].j, perf[q].k};
    bool there = true;
    for (int d = 0; d < 3; ++d) there = there && at[d] / c->refine[d] == m->ijk[d] - 1;
    snprintf(text, sizeof text, "%s:%s:%d,%d,%d", table[m->id].name, m->well, at[0] + 1, at[1] + 1, at[2] + 1);
    if (there) s = hp_case_vector(c, text);
  }
  HP_FREE(all.cut);
  return s;
}

/* The cell's vector in all parts of it. */
static hp_status ask_in_all_parts(hp_case *c, const meaning *m) {
  const int *by = c->refine;
  for (int n = 0; n < by[0] * by[1] * by[2]; ++n) {
    const int part[3] = {n / by[2] / by[1], n / by[2] % by[1], n % by[2]};
    char text[64];
    int at[3];
    for (int d = 0; d < 3; ++d) at[d] = (m->ijk[d] - 1) * by[d] + part[d] + 1;
    snprintf(text, sizeof text, "%s:%d,%d,%d", table[m->id].name, at[0], at[1], at[2]);
    HP_TRY(hp_case_vector(c, text));
  }
  return HP_OK;
}

hp_status hp_summary_vectors_refine(hp_case *c) {
  const int asked = c->output.nvector;
  char **of_deck = c->output.vector;
  hp_status s = HP_OK;
  c->output.nvector = 0;
  c->output.vector = NULL;
  for (int n = 0; n < asked && s == HP_OK; ++n) {
    meaning m;
    const bool placed = understand(of_deck[n], &m) && m.ijk[0] > 0;
    const bool cell = placed && table[m.id].level == HP_OF_CELL;
    if (!placed) s = hp_case_vector(c, of_deck[n]);
    if (cell) s = ask_in_all_parts(c, &m);
    for (int w = 0; placed && !cell && w < c->nwell && s == HP_OK; ++w)
      if (of_well(&m, c->well[w].name)) s = ask_in_parts(c, &m, &c->well[w]);
  }
  for (int n = 0; n < asked; ++n) HP_FREE(of_deck[n]);
  HP_FREE(of_deck);
  return s;
}

/* ---- what conditions and expressions ask for ---- */

typedef struct {
  const hp_case *c;
  hp_summary_vector_level level;    /* looked for; */
  hp_summary_vector_id first, last; /* likewise, COUNT: none */
  bool found, between;
  int count; /* cells */
  int64_t *cell;
} search;

static bool look(void *arg, const hp_expression *x) {
  search *s = arg;
  for (int n = 0; n < x->count; ++n) {
    const hp_expression_node *e = &x->node[n];
    meaning m = {.ijk = {e->at[0], e->at[1], e->at[2]}};
    const hp_summary_vector_id id = e->kind == HP_NODE_VECTOR ? hp_summary_vector_find(e->name, strlen(e->name))
                                                              : HP_SUMMARY_VECTOR_COUNT;
    s->between = s->between || (id >= s->first && id <= s->last && id != HP_SUMMARY_VECTOR_COUNT);
    if (id == HP_SUMMARY_VECTOR_COUNT || table[id].level != s->level) continue;
    s->found = true;
    if (s->cell != NULL) s->cell[s->count] = cell_number(s->c->grid, &m);
    if (table[id].level == HP_OF_CELL) s->count += 1;
  }
  return true;
}

bool hp_summary_vectors_ask(const hp_case *c, hp_summary_vector_id first, hp_summary_vector_id last) {
  search s = {.c = c, .level = HP_OF_CELL, .first = first, .last = last};
  hp_case_each_expression(c, &s, look);
  if (s.between) return true;
  for (int n = 0; n < c->output.nvector; ++n) {
    meaning m;
    if (understand(c->output.vector[n], &m) && m.id >= first && m.id <= last) return true;
  }
  return false;
}

bool hp_summary_vectors_need(const hp_case *c, hp_summary_vector_level level) {
  search s = {.c = c, .first = HP_SUMMARY_VECTOR_COUNT, .level = level};
  hp_case_each_expression(c, &s, look);
  if (s.found) return true;
  for (int n = 0; n < c->output.nvector; ++n) {
    meaning m;
    if (understand(c->output.vector[n], &m) && table[m.id].level == level) return true;
  }
  return false;
}

static int by_number(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

hp_status hp_summary_vectors_cells(const hp_case *c, int64_t **cell, int *ncell) {
  search s = {.c = c, .first = HP_SUMMARY_VECTOR_COUNT, .level = HP_OF_CELL};
  *ncell = 0;
  hp_case_each_expression(c, &s, look);
  HP_TRY(HP_ALLOC(*cell, c->output.nvector + s.count));
  s.cell = *cell;
  s.count = 0;
  hp_case_each_expression(c, &s, look);
  int count = s.count;
  for (int n = 0; n < c->output.nvector; ++n) {
    meaning m;
    if (understand(c->output.vector[n], &m) && table[m.id].level == HP_OF_CELL)
      (*cell)[count++] = cell_number(c->grid, &m);
  }
  if (count > 1) qsort(*cell, (size_t)count, sizeof **cell, by_number);
  for (int n = 0; n < count; ++n)
    if (n == 0 || (*cell)[n] != (*cell)[n - 1]) (*cell)[(*ncell)++] = (*cell)[n];
  return HP_OK;
}

/* ---- columns ---- */

static bool is_meant(const meaning *m, const hp_summary_vector_column *v, const hp_summary_vectors *of,
                     const int *ijk) {
  if (m->id != v->id || (is_of_user(v->id) && strcmp(m->quantity, of->c->quantity[v->quantity].name) != 0))
    return false;
  switch (table[v->id].level) {
    case HP_OF_FIELD: return true;
    case HP_OF_REGION: return m->region == 0 || m->region == v->index + 1;
    case HP_OF_AQUIFER: return m->region == 0 || m->region == of->aquifer[v->index].number;
    case HP_OF_NUMERICAL: return m->region == 0 || m->region == of->numerical[v->index].number;
    case HP_OF_GROUP: return of_well(m, hp_case_group_name(of->c, (int)v->index));
    case HP_OF_WELL: return of_well(m, of->path[v->well].name);
    case HP_OF_CELL: return cell_number(of->c->grid, m) == of->cell[v->index];
    case HP_OF_SEGMENT: return (m->segment == 0 || m->segment == *ijk) && of_well(m, of->path[v->well].name);
    case HP_OF_CONNECTION: break;
  }
  const bool here = m->ijk[0] == 0 || (m->ijk[0] == ijk[0] + 1 && m->ijk[1] == ijk[1] + 1 && m->ijk[2] == ijk[2] + 1);
  return here && of_well(m, of->path[v->well].name);
}

static hp_status add(hp_summary_vectors *v, const hp_summary_vector_column *column) {
  if ((v->count & (v->count - 1)) == 0) { /* full: 0, 1, 2, 4, ... */
    hp_summary_vector_column *more;
    HP_TRY(HP_ALLOC(more, v->count > 0 ? 2 * (int64_t)v->count : 1));
    if (v->count > 0) memcpy(more, v->column, (size_t)v->count * sizeof *more);
    HP_FREE(v->column);
    v->column = more;
  }
  v->column[v->count++] = *column;
  return HP_OK;
}

/* Adds the column if one of the meanings asks for it. ijk: of a connection; of a segment its number. */
static hp_status offer(hp_summary_vectors *v, int count, const meaning *m, hp_summary_vector_column column,
                       const int *ijk) {
  for (int n = 0; n < count; ++n)
    if (is_meant(&m[n], &column, v, ijk)) return add(v, &column);
  return HP_OK;
}

/* All columns of each quantity of the user that belongs to the level of `id`. */
static hp_status offer_quantities(hp_summary_vectors *v, const hp_case *c, int nwell, hp_summary_vector_id id,
                                  int count, const meaning *m) {
  const int columns[] = {1, nwell, c->ngroup};
  for (int q = 0; q < c->nquantity; ++q)
    for (int n = 0; table[id].name[0] == c->quantity[q].name[0] && n < columns[c->quantity[q].level]; ++n)
      HP_TRY(offer(v, count, m, (hp_summary_vector_column){.id = id, .quantity = q, .well = n, .index = n + 1}, NULL));
  return HP_OK;
}

static hp_status offer_all(hp_summary_vectors *v, const hp_case *c, int nwell, hp_summary_vector_id id, int count,
                           const meaning *m) {
  const hp_summary_vector_level level = table[id].level;
  if (is_of_user(id)) return offer_quantities(v, c, nwell, id, count, m);
  int64_t connection = 0;
  if (level == HP_OF_FIELD) return offer(v, count, m, (hp_summary_vector_column){.id = id}, NULL);
  for (int g = 1; level == HP_OF_GROUP && g <= c->ngroup; ++g)
    HP_TRY(offer(v, count, m, (hp_summary_vector_column){.id = id, .index = g}, NULL));
  for (int r = 0; level == HP_OF_REGION && r < c->nfip; ++r)
    HP_TRY(offer(v, count, m, (hp_summary_vector_column){.id = id, .index = r}, NULL));
  for (int n = 0; level == HP_OF_NUMERICAL && n < c->nnumerical; ++n)
    HP_TRY(offer(v, count, m, (hp_summary_vector_column){.id = id, .index = n}, NULL));
  for (int n = 0; level == HP_OF_AQUIFER && n < c->naquifer; ++n)
    HP_TRY(offer(v, count, m, (hp_summary_vector_column){.id = id, .index = n}, NULL));
  for (int n = 0; level == HP_OF_CELL && n < v->ncell; ++n)
    HP_TRY(offer(v, count, m, (hp_summary_vector_column){.id = id, .index = n}, NULL));
  for (int w = 0; level == HP_OF_WELL && w < nwell; ++w)
    HP_TRY(offer(v, count, m, (hp_summary_vector_column){.id = id, .well = w}, NULL));
  for (int w = 0; level == HP_OF_CONNECTION && w < nwell; ++w)
    for (int q = 0; q < v->path[w].nperf; ++q)
      HP_TRY(offer(v, count, m, (hp_summary_vector_column){.id = id, .well = w, .index = connection++},
                   v->path[w].perf[q]));
  for (int w = 0; level == HP_OF_SEGMENT && w < nwell; ++w)
    for (int s = 0; s < v->path[w].nsegment; ++s)
      HP_TRY(offer(v, count, m, (hp_summary_vector_column){.id = id, .well = w, .index = connection++},
                   &v->path[w].segment[s]));
  return HP_OK;
}

hp_status hp_summary_vectors_begin(const hp_case *c, const hp_well_path *path, hp_summary_vectors *out) {
  *out = (hp_summary_vectors){
      .path = path, .c = c, .naquifer = c->naquifer, .aquifer = c->aquifer, .numerical = c->numerical};
  HP_TRY(HP_ALLOC(out->history, 1));
  HP_TRY(hp_history_create(c, out->history));
  return hp_summary_vectors_cells(c, &out->cell, &out->ncell);
}

hp_status hp_summary_vectors_create(const hp_case *c, int nwell, const hp_well_path *path, hp_summary_vectors *out) {
  const int asked = c->output.nvector;
  meaning *m;
  int count = 0;
  hp_status s = hp_summary_vectors_begin(c, path, out);
  if (s == HP_OK) s = HP_ALLOC(m, asked);
  if (s != HP_OK) {
    hp_summary_vectors_destroy(out);
    return s;
  }
  for (int n = 0; n < asked; ++n) count += understand(c->output.vector[n], &m[count]);
  for (int id = 0; id < HP_SUMMARY_VECTOR_COUNT && s == HP_OK; ++id)
    s = offer_all(out, c, nwell, (hp_summary_vector_id)id, count, m);
  HP_FREE(m);
  if (s != HP_OK) hp_summary_vectors_destroy(out);
  return s;
}

void hp_summary_vectors_destroy(hp_summary_vectors *v) {
  HP_FREE(v->column);
  HP_FREE(v->cell);
  if (v->history != NULL) hp_history_destroy(v->history);
  HP_FREE(v->history);
  v->count = 0;
}

/* ---- names and values ---- */

/* The well's connection of a number that counts through all wells. */
static const int *cell_of(const hp_summary_vectors *v, const hp_summary_vector_column *c) {
  int64_t q = c->index;
  for (int w = 0; w < c->well; ++w) q -= v->path[w].nperf;
  return v->path[c->well].perf[q];
}

/* The number of a segment, likewise. */
static int number_of(const hp_summary_vectors *v, const hp_summary_vector_column *c) {
  int64_t s = c->index;
  for (int w = 0; w < c->well; ++w) s -= v->path[w].nsegment;
  return v->path[c->well].segment[s];
}

void hp_summary_vector_text(const hp_summary_vectors *v, int column, char *out, size_t size) {
  const hp_summary_vector_column *c = &v->column[column];
  const char *name = is_of_user(c->id) ? v->c->quantity[c->quantity].name : table[c->id].name;
  switch (table[c->id].level) {
    case HP_OF_FIELD: snprintf(out, size, "%s", name); return;
    case HP_OF_GROUP: snprintf(out, size, "%s:%s", name, hp_case_group_name(v->c, (int)c->index)); return;
    case HP_OF_WELL: snprintf(out, size, "%s:%s", name, v->path[c->well].name); return;
    case HP_OF_REGION: snprintf(out, size, "%s:%d", name, (int)c->index + 1); return;
    case HP_OF_AQUIFER: snprintf(out, size, "%s:%d", name, v->aquifer[c->index].number); return;
    case HP_OF_NUMERICAL: snprintf(out, size, "%s:%d", name, v->numerical[c->index].number); return;
    case HP_OF_CELL: {
      int ijk[3];
      hp_grid_ijk(v->c->grid, v->cell[c->index], ijk);
      snprintf(out, size, "%s:%d,%d,%d", name, ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
      return;
    }
    case HP_OF_SEGMENT: snprintf(out, size, "%s:%s:%d", name, v->path[c->well].name, number_of(v, c)); return;
    case HP_OF_CONNECTION: break;
  }
  const int *ijk = cell_of(v, c);
  snprintf(out, size, "%s:%s:%d,%d,%d", name, v->path[c->well].name, ijk[0] + 1, ijk[1] + 1, ijk[2] + 1);
}

const char *hp_summary_vector_unit(const hp_summary_vectors *v, int column, const hp_units *u) {
  const hp_summary_vector_column *c = &v->column[column];
  return is_of_user(c->id) ? v->c->quantity[c->quantity].unit : u->summary[table[c->id].quantity];
}
