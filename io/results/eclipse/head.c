/* INTEHEAD, LOGIHEAD and DOUBHEAD, which INIT and every report step begin with. Places are counted from 0. */
#include <math.h>
#include <stdio.h>

#include "io/results/eclipse/eclipse.h"

enum { NINTEHEAD = 411, NLOGIHEAD = 121, NDOUBHEAD = 229 };
enum { OIL_AND_WATER = 3, ECLIPSE_100 = 100 };

/* ---- dates ---- */

hp_ebin_date hp_ebin_date_at(const hp_case *c, double time) {
  enum { A_MINUTE = 60000000 };
  static const int64_t AN_HOUR = 3600000000, A_DAY = 86400000000; /* [microseconds] */
  hp_date start;
  hp_ebin_date date = {0};
  int64_t year;
  if (!hp_date_read(c->start, &start)) start = (hp_date){hp_date_day_number(1983, 1, 1), 0.0};
  const int64_t micro = llround((start.second + time) * 1e6); /* since midnight */
  hp_date_of_day(start.day + micro / A_DAY, &year, &date.month, &date.day);
  date.year = (int)year;
  date.hour = (int)(micro % A_DAY / AN_HOUR);
  date.minute = (int)(micro % AN_HOUR / A_MINUTE);
  date.microsecond = (int)(micro % A_MINUTE);
  return date;
}

/* ---- the heads ---- */

int hp_ebin_unit_code(const hp_ebin_out *e) {
  return e->units.system == HP_UNITS_FIELD ? 2 : e->units.system == HP_UNITS_LAB ? 3 : 1;
}

int hp_ebin_most_connections(const hp_ebin_out *e) {
  int64_t most = 0;
  for (int w = 0; w < e->nwell && e->wells.begin != NULL; ++w) {
    const int64_t count = e->wells.begin[w + 1] - e->wells.begin[w];
    if (count > most) most = count;
  }
  return (int)most;
}

static void put_integers(hp_ebin_bytes *b, const hp_ebin_out *e, double time, int step, int sequence) {
  const hp_grid *g = e->c->grid;
  const hp_ebin_date date = hp_ebin_date_at(e->c, time);
  int32_t v[NINTEHEAD] = {0};
  v[HP_EBIN_MARK_INTEHEAD] = HP_EBIN_MARK;
  v[2] = hp_ebin_unit_code(e);
  v[8] = g->nx;
  v[9] = g->ny;
  v[10] = g->nz;
  v[11] = (int32_t)g->nactive;
  v[14] = OIL_AND_WATER;
  if (sequence >= 0) {
    v[16] = e->nwell;
    v[17] = hp_ebin_most_connections(e);
    v[24] = HP_EBIN_NIWEL;
    v[25] = HP_EBIN_NSWEL;
    v[26] = HP_EBIN_NXWEL;
    v[27] = HP_EBIN_NZWEL;
    v[32] = HP_EBIN_NICON;
    v[33] = HP_EBIN_NSCON;
    v[34] = HP_EBIN_NXCON;
    v[67] = step;
    v[68] = sequence;
    v[163] = e->nwell;
    if (hp_ebin_most_aquifers(e) > 0) {
      v[40] = v[252] = hp_ebin_most_aquifers(e);
      v[41] = hp_ebin_most_aquifer_cells(e);
      v[42] = HP_EBIN_NIAAQ;
      v[43] = HP_EBIN_NSAAQ;
      v[44] = HP_EBIN_NXAAQ;
      v[45] = HP_EBIN_NICAQ;
      v[46] = HP_EBIN_NSCAQ;
    }
    if (hp_ebin_numerical_cells(e) > 0) {
      v[223] = HP_EBIN_NIAQN;
      v[224] = HP_EBIN_NRAQN;
      v[226] = (int32_t)hp_ebin_numerical_cells(e);
    }
  }
  v[64] = date.day;
  v[65] = date.month;
  v[66] = date.year;
  v[94] = ECLIPSE_100;
  v[206] = date.hour;
  v[207] = date.minute;
  v[410] = date.microsecond;
  hp_ebin_put_int(b, "INTEHEAD", NINTEHEAD, v);
}

void hp_ebin_put_heads(hp_ebin_bytes *b, const hp_ebin_out *e, double time, int step, int sequence) {
  const bool none[NLOGIHEAD] = {false}; /* no dual porosity, no radial grid, ... */
  double v[NDOUBHEAD] = {0.0};
  put_integers(b, e, time, step, sequence);
  hp_ebin_put_bool(b, "LOGIHEAD", NLOGIHEAD, none);
  v[0] = time / e->units.factor[HP_UNIT_TIME];
  hp_ebin_put_double(b, "DOUBHEAD", NDOUBHEAD, v);
}
