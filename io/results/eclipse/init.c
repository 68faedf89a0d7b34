/* NAME.INIT: what does not change, cell by cell. */
#include "io/results/eclipse/eclipse.h"

void hp_ebin_put_init(hp_ebin_bytes *b, const hp_ebin_out *e) {
  hp_ebin_put_heads(b, e, 0.0, 0, -1);
  hp_ebin_put_fields(b, e, false, NULL, NULL);
}
