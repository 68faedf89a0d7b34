/* The cell arrays of NAME.INIT and NAME.UNRST. */
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

hp_status hp_ebin_put_state(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  const hp_ebin_field field[] = {numbers(e, "PRESSURE", HP_ARRAY_PRESSURE, HP_UNIT_PRESSURE),
                                 numbers(e, "SWAT", HP_ARRAY_WATER, HP_UNIT_NONE)};
  return put_list(b, C, sizeof field / sizeof *field, field);
}
