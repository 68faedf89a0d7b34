/* Messages that a cycle sends, level by level, for reports. */
#include <string.h>

#include "amg/ranks/impl.h"

enum { KINDS = 3 /* exchanges of a level: for A, R and P */ };

static hp_exchange *exchange_of(const hp_amg_part *p, int kind) {
  return kind == 0 ? p->for_a : kind == 1 ? p->for_r : p->for_p;
}

/* Messages that this rank sends in an exchange, *most: or receives, whichever are more. */
static int64_t count_sent(const hp_exchange *E, double *most) {
  const int *rank;
  const int64_t *begin;
  const int to = hp_exchange_to(E, &rank, &begin), from = hp_exchange_from(E, &rank, &begin);
  *most = to > from ? to : from;
  return to;
}

static int64_t count_runs(const hp_amg_ranks *H, const hp_exchange *E) {
  int64_t runs = 0;
  for (int k = 0; k < H->H->passes; ++k) runs += H->step[k].exchange == E;
  return runs;
}

void hp_amg_ranks_count_messages(hp_amg_ranks *H) {
  const int64_t real = H->H->opt.precision == HP_PRECISION_SINGLE ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
  double most[HP_AMG_LEVELS_MAX * KINDS] = {0.0};
  int64_t sum[3 * HP_AMG_LEVELS_MAX] = {0};
  memset(H->messages, 0, sizeof H->messages);
  for (int l = 0; l < H->parted; ++l) {
    sum[3 * l] = H->part[l].nowned > 0;
    for (int kind = 0; kind < KINDS; ++kind) {
      const hp_exchange *E = exchange_of(&H->part[l], kind);
      if (E == NULL) continue;
      const int64_t runs = count_runs(H, E);
      sum[3 * l + 1] += runs * count_sent(E, &most[KINDS * l + kind]);
      sum[3 * l + 2] += runs * hp_exchange_sent(E) * real;
      H->messages[l].exchanges += runs;
    }
  }
  hp_ranks_sum(H->K, sum, 3 * H->parted);
  hp_ranks_max(H->K, most, KINDS * H->parted);
  for (int l = 0; l < H->parted; ++l) {
    hp_amg_ranks_messages *m = &H->messages[l];
    m->rows = H->part[l].rows;
    m->ranks = (int)sum[3 * l];
    m->messages = sum[3 * l + 1];
    m->bytes = sum[3 * l + 2];
    for (int kind = 0; kind < KINDS; ++kind) {
      const hp_exchange *E = exchange_of(&H->part[l], kind);
      if (E != NULL) m->most += count_runs(H, E) * (int64_t)most[KINDS * l + kind];
    }
  }
}

int hp_amg_ranks_list_messages(const hp_amg_ranks *H, hp_amg_ranks_messages *out) {
  memcpy(out, H->messages, sizeof H->messages);
  return H->parted;
}
