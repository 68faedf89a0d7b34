/* The cell arrays of NAME.INIT and NAME.UNRST. */
#include <string.h>

#include "io/case/state_arrays.h"
#include "io/results/eclipse/eclipse.h"

static hp_ebin_field numbers(const hp_ebin_out *e, const char *name, hp_array array, hp_quantity quantity) {
  return (hp_ebin_field){.name = name, .array = array, .factor = e->units.factor[quantity]};
}

/* From 1; NULL: 1 everywhere. */
static hp_ebin_field regions(const char *name, hp_array array, const uint16_t *of) {
  return (hp_ebin_field){.name = name, .array = array, .integer = true, .absent = of == NULL, .more = 1};
}

static hp_status put_list(hp_ebin_bytes *b, const hp_ebin_cells *C, size_t count, const hp_ebin_field *field) {
  hp_status s = b->status;
  for (size_t n = 0; n < count && s == HP_OK; ++n) s = hp_ebin_put_field(b, C, &field[n]);
  return s;
}

hp_status hp_ebin_put_static(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  const hp_fluid_spec *r = &e->c->fluid;
  hp_ebin_field field[] = {numbers(e, "PORV", HP_ARRAY_PORES, HP_UNIT_RESERVOIR_VOLUME),
                           numbers(e, "DEPTH", HP_ARRAY_DEPTH, HP_UNIT_LENGTH),
                           numbers(e, "DX", HP_ARRAY_DX, HP_UNIT_LENGTH),
                           numbers(e, "DY", HP_ARRAY_DY, HP_UNIT_LENGTH),
                           numbers(e, "DZ", HP_ARRAY_DZ, HP_UNIT_LENGTH),
                           numbers(e, "PORO", HP_ARRAY_POROSITY, HP_UNIT_NONE),
                           numbers(e, "PERMX", HP_ARRAY_PERMX, HP_UNIT_PERMEABILITY),
                           numbers(e, "PERMY", HP_ARRAY_PERMY, HP_UNIT_PERMEABILITY),
                           numbers(e, "PERMZ", HP_ARRAY_PERMZ, HP_UNIT_PERMEABILITY),
                           numbers(e, "NTG", HP_ARRAY_NTG, HP_UNIT_NONE),
                           numbers(e, "TRANX", HP_ARRAY_TRANX, HP_UNIT_CONNECTION),
                           numbers(e, "TRANY", HP_ARRAY_TRANY, HP_UNIT_CONNECTION),
                           numbers(e, "TRANZ", HP_ARRAY_TRANZ, HP_UNIT_CONNECTION),
                           regions("EQLNUM", HP_ARRAY_EQUILIBRIUM, e->c->initial.of),
                           regions("PVTNUM", HP_ARRAY_PVT, r->of_pvt),
                           regions("SATNUM", HP_ARRAY_SATURATION, r->of_sat)};
  field[0].all = true;
  return put_list(b, C, sizeof field / sizeof *field, field);
}

/* Flows of connections, in the order of NNC1, NNC2: X(mnemonic, name, member, phase, quantity). */
#define LINK_LIST(X)                                      \
  X("FLOWS", "FLOOILN+", surface, OIL, RATE)              \
  X("FLOWS", "FLOWATN+", surface, WATER, RATE)            \
  X("FLORES", "FLROILN+", reservoir, OIL, RESERVOIR_RATE) \
  X("FLORES", "FLRWATN+", reservoir, WATER, RESERVOIR_RATE)

static void put_links(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  const int64_t count = hp_ebin_connections(C);
  const bool flows = hp_state_array_needs(e->c, HP_ARRAY_OIL_FLOW_I),
             volumes = hp_state_array_needs(e->c, HP_ARRAY_OIL_VOLUME_I);
  if (count == 0 || e->link_flow == NULL) return;
#define PUT(mnemonic, text, member, phase, quantity)                                                     \
  if (strcmp(mnemonic, "FLOWS") == 0 ? flows : volumes) {                                                \
    hp_ebin_array a = hp_ebin_open_real(b, text, count);                                                 \
    for (int64_t n = 0; n < count; ++n) {                                                                \
      const float v = (float)(e->link_flow[n].member[HP_##phase] / e->units.factor[HP_UNIT_##quantity]); \
      hp_ebin_add(&a, 1, &v);                                                                            \
    }                                                                                                    \
  }
  LINK_LIST(PUT)
#undef PUT
}

/* Arrays that the deck asks for beside the state. */
static hp_status put_more(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  int count;
  const hp_state_array *list = hp_state_arrays(&count);
  for (int n = 0; n < count; ++n) {
    if (!hp_state_array_is_asked(e->c, n)) continue;
    const hp_ebin_field field = numbers(e, list[n].name, list[n].array, list[n].quantity);
    HP_TRY(put_list(b, C, 1, &field));
  }
  put_links(b, e, C);
  return b->status;
}

hp_status hp_ebin_put_state(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  const hp_ebin_field field[] = {numbers(e, "PRESSURE", HP_ARRAY_PRESSURE, HP_UNIT_PRESSURE),
                                 numbers(e, "SWAT", HP_ARRAY_WATER, HP_UNIT_NONE)};
  HP_TRY(put_list(b, C, sizeof field / sizeof *field, field));
  return e->derived != NULL ? put_more(b, e, C) : HP_OK;
}
