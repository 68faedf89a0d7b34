/* Cell arrays put together from ranges of layers, each in any of the forms. */
#include "core/memory.h"
#include "io/config_impl.h"

/* One entry { k = [first, last]; value = ...; }; covered [nz] is set for its layers. */
static hp_status read_entry(hp_config *r, const hp_setting *s, const hp_config_key *key, hp_array_shape a,
                            bool *covered, double *out) {
  const hp_setting *value = hp_config_member(s, "value");
  int span[2];
  if (hp_config_member(s, "k") == NULL || value == NULL) {
    hp_config_error(r, s, "must be { k = [first, last]; value = ...; }");
    return HP_OK;
  }
  if (!hp_config_span(r, s, "array.layers[].k", span)) return HP_OK;
  if (span[1] > a.nz) {
    hp_config_error(r, hp_config_member(s, "k"), "%d: there are %d layers", span[1], a.nz);
    return HP_OK;
  }
  for (int k = span[0] - 1; k < span[1]; ++k) {
    if (covered[k]) {
      hp_config_error(r, hp_config_member(s, "k"), "layer %d has its values already", k + 1);
      return HP_OK;
    }
    covered[k] = true;
  }
  /* Layers are contiguous in natural order. */
  hp_array_shape part = a;
  part.nz = span[1] - span[0] + 1;
  return hp_array_read(r, value, key, part, out + (int64_t)a.nx * a.ny * (span[0] - 1));
}

hp_status hp_array_layers(hp_config *r, const hp_setting *s, const hp_config_key *outer, hp_array_shape a,
                          double *out) {
  const hp_setting *layers = hp_config_member(s, "layers");
  const int errors = r->diag->errors;
  /* Deck units and no range of its own: the whole array is checked and converted by the caller. */
  hp_config_key key = *outer;
  key.unit = HP_UNIT_NONE;
  key.range = "";
  bool *covered;
  HP_TRY(HP_ALLOC(covered, a.nz));
  hp_status status = HP_OK;
  if (config_setting_type(layers) == CONFIG_TYPE_LIST)
    for (int n = 0; n < config_setting_length(layers) && status == HP_OK; ++n) {
      const hp_setting *entry = config_setting_get_elem(layers, (unsigned)n);
      if (config_setting_type(entry) == CONFIG_TYPE_GROUP) status = read_entry(r, entry, &key, a, covered, out);
    }
  for (int k = 0; status == HP_OK && r->diag->errors == errors && k < a.nz; ++k)
    if (!covered[k]) hp_config_error(r, layers, "layer %d has no values", k + 1);
  HP_FREE(covered);
  return status;
}
