/* Numbers of an array from a file, in the deck's order: into memory, or, of a grid that is spread over ranks, in pieces to all
 * of them, each of which keeps those of its planes. */
#include <string.h>

#include "core/memory.h"
#include "io/config/impl.h"

enum { PIECE = 1 << 13 /* numbers that are sent at once */ };

/* Numbers `begin` .. of a piece; count < 0: there are no more. */
typedef struct {
  int64_t begin, count;
} piece;

hp_status hp_array_sink_open(hp_config *r, hp_array_shape a, double *out, hp_array_sink *s) {
  *s = (hp_array_sink){.P = r->c->spread, .a = a, .out = out};
  return s->P != NULL ? HP_ALLOC_UNSET(s->piece, PIECE) : HP_OK;
}

/* Where a row of the whole array begins in memory; NULL: it is not held. */
static double *row_of(const hp_array_shape *a, double *out, int64_t row) {
  const int64_t rows = hp_array_rows(*a), j = row % rows - a->j0;
  return j >= 0 && j < a->ny ? out + (j + row / rows * a->ny) * a->nx : NULL;
}

/* Rows of i, as far as they are held. */
void hp_array_keep(hp_array_shape a, double *out, int64_t begin, int64_t count, const double *value) {
  for (int64_t n = 0; n < count;) {
    const int64_t row = (begin + n) / a.whole, i = (begin + n) % a.whole, left = a.whole - i;
    const int64_t run = left < count - n ? left : count - n, end = i + run;
    const int64_t from = i > a.i0 ? i : a.i0, to = end < a.i0 + a.nx ? end : a.i0 + a.nx;
    double *at = row_of(&a, out, row);
    if (from < to && at != NULL) memcpy(at + from - a.i0, value + n + from - i, (size_t)(to - from) * sizeof *value);
    n += run;
  }
}

/* The numbers that wait, or the end. */
static void send(hp_array_sink *s, piece p) {
  if (s->status == HP_OK) s->status = hp_spread_share(s->P, &p, sizeof p);
  if (p.count < 0) return;
  if (s->status == HP_OK) s->status = hp_spread_share(s->P, s->piece, p.count * (int64_t)sizeof *s->piece);
  if (s->status == HP_OK) hp_array_keep(s->a, s->out, p.begin, p.count, s->piece);
}

static void flush(hp_array_sink *s) {
  if (s->count > 0) send(s, (piece){s->begin, s->count});
  s->count = 0;
}

void hp_array_sink_put(hp_array_sink *s, int64_t index, double value) {
  if (s->dry) return;
  if (s->P == NULL) {
    s->out[index] = value;
    return;
  }
  if (s->count == PIECE || index != s->begin + s->count) flush(s);
  if (s->count == 0) s->begin = index;
  s->piece[s->count++] = value;
}

static hp_status receive(hp_array_sink *s) {
  for (;;) {
    piece p;
    HP_TRY(hp_spread_share(s->P, &p, sizeof p));
    if (p.count < 0) return HP_OK;
    HP_TRY(hp_spread_share(s->P, s->piece, p.count * (int64_t)sizeof *s->piece));
    hp_array_keep(s->a, s->out, p.begin, p.count, s->piece);
  }
}

hp_status hp_array_sink_close(hp_array_sink *s) {
  if (s->P != NULL && s->status == HP_OK) {
    if (hp_spread_opens_files(s->P)) {
      flush(s);
      send(s, (piece){0, -1});
    } else {
      s->status = receive(s);
    }
  }
  HP_FREE(s->piece);
  return s->status;
}
