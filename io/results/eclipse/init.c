/* NAME.INIT: what does not change, cell by cell. */
#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

/* Of the pairs NNC1, NNC2 of NAME.EGRID. */
static hp_status put_connections(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  const int64_t all = hp_ebin_connections(C);
  const double factor = e->units.factor[HP_UNIT_CONNECTION];
  hp_remote_connection *piece = NULL;
  if (all == 0) return HP_OK;
  hp_ebin_array a = hp_ebin_open_real(b, "TRANNNC", all);
  HP_TRY(HP_ALLOC(piece, all < HP_EBIN_PIECE ? all : HP_EBIN_PIECE));
  hp_status s = HP_OK;
  for (int64_t first = 0; first < all && s == HP_OK; first += HP_EBIN_PIECE) {
    const int64_t count = all - first < HP_EBIN_PIECE ? all - first : HP_EBIN_PIECE;
    s = hp_ebin_get_connections(C, first, count, piece);
    for (int64_t n = 0; n < count && s == HP_OK; ++n) {
      const float trans = (float)(piece[n].trans / factor);
      hp_ebin_add(&a, 1, &trans);
    }
  }
  HP_FREE(piece);
  return s == HP_OK ? b->status : s;
}

void hp_ebin_put_init(hp_ebin_bytes *b, const hp_ebin_out *e, const hp_ebin_cells *C) {
  hp_ebin_put_heads(b, e, 0.0, 0, -1);
  if (b->status == HP_OK) b->status = hp_ebin_put_static(b, e, C);
  if (b->status == HP_OK) b->status = put_connections(b, e, C);
}
