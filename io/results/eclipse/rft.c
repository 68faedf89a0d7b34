/* Logs of a well in NAME.RFT: a head, the places of its connections, then what is asked for. RFT: depth, pressure and saturations of
 * the cells. PLT: pressures in the well and rates at surface conditions, positive out of the reservoir. Arrays, units and their
 * spelling are those of OPM's writer (opm-common, WriteRFT), which resdata and ResInsight read.
 */
#include <string.h>

#include "core/memory.h"
#include "io/results/eclipse/eclipse.h"

enum { WELLETC = 16, TIME = 0, WELL = 1, DATA = 5 };

/* Texts of WELLETC but the name and the kind of data, by unit code - 1. */
static const hp_ebin_name etc[3][WELLETC] = {
    {"  DAYS", "", "", " METRES", "  BARSA", "", "STANDARD", " SM3/DAY", " SM3/DAY", " RM3/DAY", " M/SEC", "", "   CP",
     " KG/SM3", " KG/DAY", "  KG/KG"},
    {"  DAYS", "", "", "  FEET", "  PSIA", "", "STANDARD", " STB/DAY", "MSCF/DAY", " RB/DAY", " FT/SEC", "", "   CP",
     " LB/STB", " LB/DAY", "  LB/LB"},
    {"   HR", "", "", "   CM", "  ATMA", "", "STANDARD", " SCC/HR", " SCC/HR", " RCC/HR", " CM/SEC", "", "   CP",
     " GM/SCC", " GM/HR", "  GM/GM"}};

static void put_head(hp_ebin_bytes *b, const hp_ebin_out *e, double time, int well, unsigned due) {
  const hp_ebin_date date = hp_ebin_date_at(e->c, time);
  const float elapsed = (float)(time / e->units.factor[HP_UNIT_TIME]);
  hp_ebin_name text[WELLETC];
  memcpy(text, etc[hp_ebin_unit_code(e) - 1], sizeof text);
  memcpy(text[WELL], e->well[well], sizeof text[WELL]);
  snprintf(text[DATA], sizeof text[DATA], "%s%s", (due >> HP_RFT_DATA_RFT & 1) != 0 ? "R" : "",
           (due >> HP_RFT_DATA_PLT & 1) != 0 ? "P" : "");
  hp_ebin_put_real(b, "TIME", 1, &elapsed);
  hp_ebin_put_int(b, "DATE", 3, (const int32_t[]){date.day, date.month, date.year});
  hp_ebin_put_text(b, "WELLETC", WELLETC, text);
}

/* An array of the well's connections first .. first + count - 1. */
typedef struct {
  const hp_ebin_out *e;
  const hp_cell_row *cell; /* [nperf] */
  int well;
  int64_t first, count;
} connections;

static float depth(const connections *C, int64_t q) {
  return (float)(C->e->perf[q].rock.depth / C->e->units.factor[HP_UNIT_LENGTH]);
}
static float cell_pressure(const connections *C, int64_t q) {
  return (float)(C->cell[q].pressure / C->e->units.factor[HP_UNIT_PRESSURE]);
}
static float cell_water(const connections *C, int64_t q) { return (float)C->cell[q].sw; }
static float nothing(const connections *C, int64_t q) {
  (void)C;
  (void)q;
  return 0.0f;
}
static bool flows(const connections *C, int64_t q) {
  return C->e->wells.wi[q] > 0.0 && C->e->wells.mode[C->well] != HP_CONTROL_SHUT;
}
static float pressure(const connections *C, int64_t q) {
  const hp_ebin_wells *W = &C->e->wells;
  return flows(C, q) ? (float)((W->bhp[C->well] + W->head[q]) / C->e->units.factor[HP_UNIT_PRESSURE]) : 0.0f;
}
static float oil_rate(const connections *C, int64_t q) {
  return flows(C, q) ? (float)(C->e->wells.rate[q][HP_OIL] / C->e->units.factor[HP_UNIT_RATE] + 0.0) : 0.0f;
}
static float water_rate(const connections *C, int64_t q) {
  return flows(C, q) ? (float)(C->e->wells.rate[q][HP_WATER] / C->e->units.factor[HP_UNIT_RATE] + 0.0) : 0.0f;
}
static float factor(const connections *C, int64_t q) {
  return (float)(C->e->wells.wi[q] / C->e->units.factor[HP_UNIT_CONNECTION]);
}
static float kh(const connections *C, int64_t q) {
  return (float)(hp_ebin_kh(C->e, q) / C->e->units.factor[HP_UNIT_KH]);
}

typedef struct {
  hp_rft_data data;
  const char *name;
  float (*value)(const connections *C, int64_t q);
} log_array;

static const log_array arrays[] = {
    {HP_RFT_DATA_RFT, "DEPTH", depth},      {HP_RFT_DATA_RFT, "PRESSURE", cell_pressure},
    {HP_RFT_DATA_RFT, "SWAT", cell_water},  {HP_RFT_DATA_RFT, "SGAS", nothing},
    {HP_RFT_DATA_PLT, "CONDEPTH", depth},   {HP_RFT_DATA_PLT, "CONPRES", pressure},
    {HP_RFT_DATA_PLT, "CONORAT", oil_rate}, {HP_RFT_DATA_PLT, "CONWRAT", water_rate},
    {HP_RFT_DATA_PLT, "CONGRAT", nothing},  {HP_RFT_DATA_PLT, "CONFAC", factor},
    {HP_RFT_DATA_PLT, "CONKH", kh},
};

static void put_places(hp_ebin_bytes *b, const connections *C) {
  static const char *const name[] = {"CONIPOS", "CONJPOS", "CONKPOS"};
  for (int d = 0; d < 3; ++d) {
    hp_ebin_array a = hp_ebin_open_int(b, name[d], C->count);
    for (int64_t q = C->first; q < C->first + C->count; ++q) {
      const hp_perf_spec *p = &C->e->wells.perf[q];
      const int32_t place = 1 + (d == 0 ? p->i : d == 1 ? p->j : p->k);
      hp_ebin_add(&a, 1, &place);
    }
  }
  hp_ebin_name *none = NULL;
  if (b->status == HP_OK) b->status = HP_ALLOC(none, C->count);
  if (b->status == HP_OK) hp_ebin_put_text(b, "HOSTGRID", C->count, none);
  HP_FREE(none);
}

void hp_ebin_put_log(hp_ebin_bytes *b, const hp_ebin_out *e, double time, int well, unsigned due,
                     const hp_cell_row *cell) {
  const int64_t first = e->wells.begin[well], count = e->wells.begin[well + 1] - first;
  const connections C = {.e = e, .cell = cell, .well = well, .first = first, .count = count};
  if (count == 0) return;
  put_head(b, e, time, well, due);
  put_places(b, &C);
  for (size_t n = 0; n < sizeof arrays / sizeof *arrays; ++n) {
    if ((due >> arrays[n].data & 1) == 0) continue;
    hp_ebin_array a = hp_ebin_open_real(b, arrays[n].name, count);
    for (int64_t q = first; q < first + count; ++q) {
      const float value = arrays[n].value(&C, q);
      hp_ebin_add(&a, 1, &value);
    }
  }
  if ((due >> HP_RFT_DATA_PLT & 1) == 0) return;
  hp_ebin_array next = hp_ebin_open_int(b, "CONNXT", count); /* towards the head */
  for (int32_t n = 0; n < count; ++n) hp_ebin_add(&next, 1, &n);
}
