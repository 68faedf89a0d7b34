/* Single values of vectors by their names, for conditions and expressions (io/actions/actions.h). */
#include <string.h>

#include "io/case/vectors.h"

/* The column of a vector of the list; index -1: there is none. */
static hp_summary_vector_column column_of(const hp_summary_vectors *v, hp_summary_vector_id id, int element,
                                          const int at[3]) {
  const bool placed = hp_summary_vector_level_of(id) == HP_OF_CELL;
  const int64_t cell = placed ? hp_grid_cell(v->c->grid, at[0] - 1, at[1] - 1, at[2] - 1) : -1;
  hp_summary_vector_column c = {.id = id, .well = element, .index = -1};
  switch (hp_summary_vector_level_of(id)) {
    case HP_OF_FIELD:
    case HP_OF_WELL: c.index = 0; break;
    case HP_OF_GROUP: c.index = element + 1; break;
    case HP_OF_REGION: c.index = at[0] <= v->c->nfip ? at[0] - 1 : -1; break;
    case HP_OF_AQUIFER:
      for (int n = 0; n < v->naquifer; ++n)
        if (v->aquifer[n].number == at[0]) c.index = n;
      break;
    case HP_OF_NUMERICAL:
      for (int n = 0; n < v->c->nnumerical; ++n)
        if (v->numerical[n].number == at[0]) c.index = n;
      break;
    case HP_OF_CELL:
      for (int n = 0; n < v->ncell; ++n)
        if (v->cell[n] == cell) c.index = n;
      break;
    case HP_OF_CONNECTION:
    case HP_OF_SEGMENT: break;
  }
  return c;
}

/* Of one that is always written. */
static double always(const hp_summary_row *row, const char *name, int element, hp_quantity *quantity) {
  *quantity = HP_UNIT_PRESSURE;
  if (strcmp(name, "FPR") == 0) return row->pressure;
  if (strcmp(name, "WBHP") == 0) return row->well[element].bhp;
  *quantity = HP_UNIT_TIME;
  if (strcmp(name, "TIME") == 0) return row->time;
  *quantity = name[2] == 'C' ? HP_UNIT_NONE : name[3] == 'T' ? HP_UNIT_VOLUME : HP_UNIT_RATE;
  return hp_flow_vector(name[0] == 'F' ? &row->field : &row->well[element].flow, name + 1);
}

bool hp_summary_vectors_named(hp_summary_vectors *v, const hp_summary_row *row, const char *name, int element,
                              const int at[3], hp_quantity *quantity, double *out) {
  const size_t length = strlen(name);
  const hp_summary_vector_id id = hp_summary_vector_find(name, length);
  hp_history_advance(v->history, row->time);
  if (id == HP_SUMMARY_VECTOR_COUNT) {
    if (!hp_summary_vector_is_always_written(name, length) || strcmp(name, "WMCTL") == 0) return false;
    *out = always(row, name, element, quantity);
    return true;
  }
  const hp_summary_vector_column c = column_of(v, id, element, at);
  if (c.index < 0 || id == HP_SUMMARY_VECTOR_FU || id == HP_SUMMARY_VECTOR_WU || id == HP_SUMMARY_VECTOR_GU)
    return false;
  *quantity = hp_summary_vector_quantity(id);
  *out = hp_summary_vector_value(v, &c, row);
  return true;
}
