/* The cell arrays of NAME.INIT and NAME.UNRST: one table. */
#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

typedef struct {
  const char *name;
  bool state, all; /* of UNRST, else of INIT; inactive cells, too */
  hp_quantity quantity;
  const double *value;    /* [ncell] in SI units, or */
  const uint16_t *region; /* [ncell] from 0, written as 1, 2, ...; NULL with
                             value NULL: 1 everywhere */
} field;

/* The calls below walk the cells in the order of the files. */
static int64_t next_cell(const hp_grid *g, int64_t natural) {
  const int64_t i = natural % g->nx, j = natural / g->nx % g->ny, k = natural / g->nx / g->ny;
  return k + g->nz * (j + g->ny * i);
}

static void put_values(hp_ebin_bytes *b, const hp_ebin_out *e, const field *f, float *buffer) {
  const hp_grid *g = e->c->grid;
  const double factor = e->units.factor[f->quantity];
  int64_t count = 0;
  for (int64_t n = 0; n < g->ncell; ++n) {
    const int64_t m = next_cell(g, n);
    if (f->all || g->active[m]) buffer[count++] = (float)(f->value[m] / factor);
  }
  hp_ebin_put_real(b, f->name, count, buffer);
}

static void put_regions(hp_ebin_bytes *b, const hp_ebin_out *e, const field *f, int32_t *buffer) {
  const hp_grid *g = e->c->grid;
  int64_t count = 0;
  for (int64_t n = 0; n < g->ncell; ++n) {
    const int64_t m = next_cell(g, n);
    if (f->all || g->active[m]) buffer[count++] = f->region != NULL ? f->region[m] + 1 : 1;
  }
  hp_ebin_put_int(b, f->name, count, buffer);
}

void hp_ebin_put_fields(hp_ebin_bytes *b, const hp_ebin_out *e, bool state, const double *p, const double *sw) {
  const hp_grid *g = e->c->grid;
  const hp_fluid_spec *r = &e->c->fluid;
  const field table[] = {{"PORV", false, true, HP_UNIT_RESERVOIR_VOLUME, g->pore_volume, NULL},
                         {"DEPTH", false, false, HP_UNIT_LENGTH, g->depth, NULL},
                         {"DX", false, false, HP_UNIT_LENGTH, g->dx, NULL},
                         {"DY", false, false, HP_UNIT_LENGTH, g->dy, NULL},
                         {"DZ", false, false, HP_UNIT_LENGTH, g->dz, NULL},
                         {"PORO", false, false, HP_UNIT_NONE, g->porosity, NULL},
                         {"PERMX", false, false, HP_UNIT_PERMEABILITY, g->perm[HP_DIR_I], NULL},
                         {"PERMY", false, false, HP_UNIT_PERMEABILITY, g->perm[HP_DIR_J], NULL},
                         {"PERMZ", false, false, HP_UNIT_PERMEABILITY, g->perm[HP_DIR_K], NULL},
                         {"NTG", false, false, HP_UNIT_NONE, g->ntg, NULL},
                         {"TRANX", false, false, HP_UNIT_CONNECTION, g->trans[HP_DIR_I], NULL},
                         {"TRANY", false, false, HP_UNIT_CONNECTION, g->trans[HP_DIR_J], NULL},
                         {"TRANZ", false, false, HP_UNIT_CONNECTION, g->trans[HP_DIR_K], NULL},
                         {"EQLNUM", false, false, HP_UNIT_NONE, NULL, e->c->initial.of},
                         {"PVTNUM", false, false, HP_UNIT_NONE, NULL, r->of_pvt},
                         {"SATNUM", false, false, HP_UNIT_NONE, NULL, r->of_sat},
                         {"PRESSURE", true, false, HP_UNIT_PRESSURE, p, NULL},
                         {"SWAT", true, false, HP_UNIT_NONE, sw, NULL}};
  float *real = NULL;
  int32_t *integer = NULL;
  if (b->status == HP_OK) b->status = HP_ALLOC(real, g->ncell);
  if (b->status == HP_OK && !state) b->status = HP_ALLOC(integer, g->ncell);
  for (size_t n = 0; b->status == HP_OK && n < sizeof table / sizeof table[0]; ++n) {
    if (table[n].state != state) continue;
    if (table[n].value != NULL) put_values(b, e, &table[n], real);
    else put_regions(b, e, &table[n], integer);
  }
  HP_FREE(real);
  HP_FREE(integer);
}
