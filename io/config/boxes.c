/* grid.boxes: changes to boxes of cells, one after another. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/grid.h"

typedef enum { SET, MULTIPLY, ADD } operation;

bool hp_config_box(hp_config *r, const hp_setting *s, const char *list, int box[6]) {
  static const char *const name[3] = {"i", "j", "k"};
  bool good = !r->stand_in;
  for (int d = 0; d < 3; ++d) {
    char path[HP_CONFIG_PATH];
    int span[2] = {1, r->size[d]};
    const hp_setting *member = hp_config_member(s, name[d]);
    snprintf(path, sizeof path, "%s[].%s", list, name[d]);
    if (member != NULL && !hp_config_span(r, s, path, span)) {
      good = false;
    } else if (r->size[d] > 0 && span[1] > r->size[d]) {
      hp_config_error(r, member, "%d: the grid has %d cells along %s", span[1], r->size[d], name[d]);
      good = false;
    }
    box[2 * d] = span[0] - 1;
    box[2 * d + 1] = span[1] - 1;
  }
  return good;
}

void hp_config_face(hp_config *r, const hp_setting *s, const char *path, int *d, bool *minus) {
  static const int direction[] = {HP_DIR_I, HP_DIR_J, HP_DIR_K};
  int face = 0;
  (void)hp_config_choice(r, s, path, &face);
  *d = direction[face / 2];
  *minus = face % 2 == 0;
}

static double changed(operation op, double old, double v) { return op == SET ? v : op == MULTIPLY ? old * v : old + v; }

static const char *in_or_not(const hp_config_key *key) { return strstr(key->range, "..") != NULL ? "in " : ""; }

static bool sound(const hp_config_key *key, double v) {
  return isfinite(v) && hp_config_out_of_range(key->range, v) == NULL;
}

/* v in deck units. A cell whose own value could not be read (NaN) was reported before. */
static void change(hp_config_grid *w, const hp_setting *s, operation op, const int *b, hp_config_property p, double v) {
  const hp_grid *g = w->c->grid;
  const hp_config_key *key = hp_config_property_key(p);
  double *a = w->array[p];
  const double factor = w->r->units.factor[key->unit];
  bool reported = false;
  int i = b[0], end = b[1] + 1;
  for (hp_grid_clip(g, &i, &end); i < end; ++i)
    for (int j = b[2]; j <= b[3]; ++j)
      for (int k = b[4]; k <= b[5]; ++k) {
        const int64_t m = hp_grid_place(g, hp_grid_cell(g, i, j, k));
        const double deck = changed(op, a[m] / factor, v);
        if (!reported && (op == SET || !isnan(a[m])) && !sound(key, deck)) {
          char shown[64];
          hp_config_error(w->r, s, "makes %s in cell %d,%d,%d: must be %s%s", hp_config_show(w->r, key, deck, shown),
                          i + 1, j + 1, k + 1, in_or_not(key), key->range);
          reported = true;
        }
        a[m] = changed(op, a[m], op == MULTIPLY ? v : v * factor);
      }
}

/* Without cells, what is set can be judged by itself. */
static void judge_value(hp_config_grid *w, const hp_setting *s, operation op, hp_config_property p, double v) {
  const hp_config_key *key = hp_config_property_key(p);
  char shown[64];
  if (op == SET && !sound(key, v))
    hp_config_error(w->r, s, "%s: must be %s%s", hp_config_show(w->r, key, v, shown), in_or_not(key), key->range);
}

static bool read_value(hp_config *r, const hp_setting *s, hp_config_property p, double *v) {
  if (p == HP_PROPERTY_ACTIVE && config_setting_type(s) == CONFIG_TYPE_BOOL) {
    *v = config_setting_get_bool(s);
    return true;
  }
  return hp_config_number(r, s, v);
}

/* permy and permz that the deck does not give are permx's: they share its
 * changes, unless the same group names them. */
static void change_followers(hp_config_grid *w, const hp_setting *group, const hp_setting *s, operation op,
                             const int *b, double v) {
  static const struct {
    hp_config_property p;
    const char *name;
  } follower[] = {{HP_PROPERTY_PERMY, "permy"}, {HP_PROPERTY_PERMZ, "permz"}};
  for (int n = 0; n < 2 && !w->r->overlay; ++n)
    if (!w->given[follower[n].p] && hp_config_member(group, follower[n].name) == NULL)
      change(w, s, op, b, follower[n].p, v);
}

/* b: NULL where the box is at fault. */
static hp_status apply_operation(hp_config_grid *w, const hp_setting *box_setting, const char *name, operation op,
                                 const int *b) {
  const hp_setting *group = hp_config_member(box_setting, name);
  if (group == NULL || config_setting_type(group) != CONFIG_TYPE_GROUP) return HP_OK;
  for (int n = 0; n < config_setting_length(group); ++n) {
    const hp_setting *s = config_setting_get_elem(group, (unsigned)n);
    char path[HP_CONFIG_PATH];
    snprintf(path, sizeof path, "grid.%s", config_setting_name(s));
    const hp_config_property p = hp_config_property_find(path);
    double v;
    if (p >= HP_PROPERTY_PORE_VOLUME && p < HP_PROPERTY_COUNT && op != SET) {
      hp_config_error(w->r, s, "can only be set; multpv, multx, multy and multz multiply what follows from the cells");
      continue;
    }
    if (p == HP_PROPERTY_COUNT) {
      if (hp_config_key_find(path) != NULL) hp_config_error(w->r, s, "cannot be changed in a box");
      continue;
    }
    if (w->corners && p <= HP_PROPERTY_DZ) {
      hp_config_error(w->r, s, "cannot be changed with corner_point");
      continue;
    }
    if (!read_value(w->r, s, p, &v)) continue;
    if (b == NULL) {
      judge_value(w, s, op, p, v);
      continue;
    }
    HP_TRY(hp_config_property_need(w, p));
    change(w, s, op, b, p, v);
    if (p == HP_PROPERTY_PERMX) change_followers(w, group, s, op, b, v);
    w->touched[p] = true;
  }
  return HP_OK;
}

hp_status hp_config_boxes(hp_config_grid *w, const hp_setting *boxes) {
  if (boxes == NULL || config_setting_type(boxes) != CONFIG_TYPE_LIST) return HP_OK;
  for (int n = 0; n < config_setting_length(boxes); ++n) {
    const hp_setting *s = config_setting_get_elem(boxes, (unsigned)n);
    if (config_setting_type(s) != CONFIG_TYPE_GROUP) continue;
    int all[6];
    const int *b = hp_config_box(w->r, s, "grid.boxes", all) ? all : NULL;
    HP_TRY(apply_operation(w, s, "set", SET, b));
    HP_TRY(apply_operation(w, s, "multiply", MULTIPLY, b));
    HP_TRY(apply_operation(w, s, "add", ADD, b));
  }
  return HP_OK;
}
