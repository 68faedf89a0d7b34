/* Cell arrays put together from ranges of layers, each in any of the forms. */
#include "core/memory.h"
#include "io/config/impl.h"

hp_config_key hp_array_inner(const hp_setting *s, const hp_config_key *outer) {
  hp_config_key key = *outer;
  key.unit = HP_UNIT_NONE;
  if (hp_config_member(s, "min") != NULL || hp_config_member(s, "max") != NULL) key.range = "";
  return key;
}

/* Marks the layers of an entry in covered [a.deck[2]]; false: they are not there, or have their values already. */
static bool cover(hp_config *r, const hp_setting *s, hp_array_shape a, const int span[2], bool *covered) {
  const hp_setting *k = hp_config_member(s, "k");
  bool good = true;
  if (a.deck[2] == 0) return false;
  if (span[1] > a.deck[2]) {
    hp_config_error(r, k, "%d: there are %d layers", span[1], a.deck[2]);
    return false;
  }
  for (int layer = span[0] - 1; layer < span[1]; ++layer) {
    if (covered[layer] && good) hp_config_error(r, k, "layer %d has its values already", layer + 1);
    good = good && !covered[layer];
    covered[layer] = true;
  }
  return good;
}

static void report_missing(hp_config *r, const hp_setting *layers, int nz, const bool *covered) {
  int first = -1, count = 0;
  for (int k = 0; k < nz; ++k) {
    if (covered[k]) continue;
    if (first < 0) first = k;
    count += 1;
  }
  char more[48] = "";
  if (count > 1) snprintf(more, sizeof more, " (and %d more)", count - 1);
  if (count > 0) hp_config_error(r, layers, "layer %d has no values%s", first + 1, more);
}

/* One entry { k = [first, last]; value = ...; }; `spare` [nx*ny] takes the values of one that is at fault.
 * *known becomes false where it does not say which layers it is for. */
static hp_status read_entry(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a,
                            bool *covered, bool *known, double *spare, double *out) {
  const hp_setting *value = hp_config_member(s, "value");
  int span[2];
  if (hp_config_member(s, "k") == NULL || value == NULL)
    hp_config_error(r, s, "must be { k = [first, last]; value = ...; }");
  const bool sound = hp_config_span(r, s, "array.layers[].k", span);
  const bool there = sound && cover(r, s, a, span, covered) && !r->stand_in;
  *known = *known && sound;
  if (value == NULL) return HP_OK;
  hp_array_shape part = a;
  part.nz = there ? span[1] - span[0] + 1 : 1;
  part.deck[2] = there ? part.nz : 0;
  /* Layers are contiguous in natural order. */
  return hp_array_read(r, value, key, part, there ? out + (int64_t)a.nx * a.ny * (span[0] - 1) : spare);
}

hp_status hp_array_layers(hp_config *r, const hp_setting *s, const hp_config_key *outer, hp_array_shape a,
                          double *out) {
  const hp_setting *layers = hp_config_member(s, "layers");
  const hp_config_key key = hp_array_inner(s, outer);
  bool *covered, known = a.deck[2] > 0;
  double *spare = NULL;
  HP_TRY(HP_ALLOC(covered, a.deck[2]));
  hp_status status = HP_ALLOC(spare, (int64_t)a.nx * a.ny);
  if (config_setting_type(layers) == CONFIG_TYPE_LIST)
    for (int n = 0; n < config_setting_length(layers) && status == HP_OK; ++n) {
      const hp_setting *entry = config_setting_get_elem(layers, (unsigned)n);
      if (config_setting_type(entry) == CONFIG_TYPE_GROUP)
        status = read_entry(r, entry, &key, a, covered, &known, spare, out);
    }
  if (status == HP_OK && known) report_missing(r, layers, a.deck[2], covered);
  HP_FREE(spare);
  HP_FREE(covered);
  return status;
}
