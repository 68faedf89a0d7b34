/* NAME.INIT: what does not change, cell by cell. */
#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

/* Of the pairs NNC1, NNC2 of NAME.EGRID. */
static hp_status put_connections(hp_ebin_bytes *b, const hp_ebin_out *e) {
  const hp_grid_connections *c = &e->c->grid->connection;
  const double factor = e->units.factor[HP_UNIT_CONNECTION];
  float *trans;
  if (c->count == 0) return HP_OK;
  HP_TRY(HP_ALLOC(trans, c->count));
  for (int64_t n = 0; n < c->count; ++n) trans[n] = (float)(c->trans[n] / factor);
  hp_ebin_put_real(b, "TRANNNC", c->count, trans);
  HP_FREE(trans);
  return HP_OK;
}

void hp_ebin_put_init(hp_ebin_bytes *b, const hp_ebin_out *e) {
  hp_ebin_put_heads(b, e, 0.0, 0, -1);
  hp_ebin_put_fields(b, e, false, NULL, NULL);
  if (b->status == HP_OK) b->status = put_connections(b, e);
}
