/* Scanning curves of hysteresis against numbers worked out by hand, and their slopes against differences. */
#include <math.h>
#include <string.h>

#include "physics/reservoir.h"
#include "tests/support/check.h"

/* kro falls straight from 1 at 0.2: to 0 at 0.9 in drainage, at 0.7 in imbibition; krw and pc are theirs. */
static double s_d[] = {0.2, 0.9}, krw_d[] = {0.0, 0.7}, kro_d[] = {1.0, 0.0}, pc_d[] = {2e5, 0.0};
static double s_i[] = {0.2, 0.7, 0.9}, krw_i[] = {0.0, 0.6, 0.8}, kro_i[] = {1.0, 0.0, 0.0}, pc_i[] = {1e5, 1e4, 0.0};

typedef struct {
  hp_sat_spec sat[2];
  hp_pvt_spec pvt[1][HP_PHASES];
  hp_rock_spec rock[1];
  uint16_t of[1];
  hp_fluid_spec spec;
  hp_fluid fluid;
  hp_hysteresis *h;
} model;

static void create(model *M, hp_hysteresis_spec par) {
  memset(M, 0, sizeof *M);
  for (int a = 0; a < HP_PHASES; ++a) M->pvt[0][a] = (hp_pvt_spec){.density = 900.0, .b_ref = 1.0, .viscosity = 1e-3};
  M->sat[0] = (hp_sat_spec){.model = HP_SAT_TABLE, .rows = 2, .s = s_d, .krw = krw_d, .kro = kro_d, .pc = pc_d};
  M->sat[1] = (hp_sat_spec){.model = HP_SAT_TABLE, .rows = 3, .s = s_i, .krw = krw_i, .kro = kro_i, .pc = pc_i};
  M->of[0] = 1;
  M->spec = (hp_fluid_spec){.nsat = 2, .npvt = 1, .nrock = 1, .sat = M->sat, .pvt = M->pvt, .rock = M->rock};
  M->spec.of_imbibition = M->of;
  M->spec.hysteresis = par;
  CHECK_OK(hp_fluid_create(M->pvt[0], &M->sat[0], &M->rock[0], &M->fluid));
  CHECK_OK(hp_hysteresis_create(&M->spec, &M->h));
}

static void destroy(model *M) {
  hp_fluid_destroy(&M->fluid);
  hp_hysteresis_destroy(&M->h);
  CHECK(M->h == NULL);
}

static hp_sat_value at(const model *M, const hp_sat_scale *c, const double *turn, double s) {
  return hp_hysteresis_eval(M->h, &M->fluid.sat, c, 0, turn, s);
}

/* On the scanning curve and on that of drainage, but for the place where they meet. */
static void check_slopes(const model *M, const hp_sat_scale *c, const double *turn) {
  const double h = 1e-6;
  for (int n = 1; n < 61; ++n) {
    const double s = n / 61.0;
    if (fabs(s - turn[HP_TURN_AT]) < 2.0 * h) continue;
    const hp_sat_value v = at(M, c, turn, s), a = at(M, c, turn, s - h), b = at(M, c, turn, s + h);
    CHECK_NEAR(v.krw.d, (b.krw.v - a.krw.v) / (2.0 * h), 1e-7);
    CHECK_NEAR(v.kro.d, (b.kro.v - a.kro.v) / (2.0 * h), 1e-7);
    CHECK_NEAR(v.pc.d, (b.pc.v - a.pc.v) / (2.0 * h), 1e-5 * fabs(v.pc.d) + 1e-1);
    CHECK(b.kro.v <= a.kro.v && b.pc.v <= a.pc.v);
  }
}

/* The curves meet at `driest`; before, and where no cell has turned, they are those of drainage. */
static void check_meeting(const model *M, const hp_sat_scale *c, const double *turn) {
  const double s = turn[HP_TURN_AT], e = 1e-12;
  const hp_sat_value d = hp_hysteresis_drained(&M->fluid.sat, c, s), v = at(M, c, turn, s + e);
  CHECK_NEAR(v.kro.v, d.kro.v, 1e-10);
  CHECK_NEAR(v.pc.v, d.pc.v, 1e-4);
  CHECK(at(M, c, turn, s).kro.v == d.kro.v &&
        at(M, c, NULL, 0.8).kro.v == hp_hysteresis_drained(&M->fluid.sat, c, 0.8).kro.v);
}

/* Drained to 0.34: kro 0.8, which imbibition has at 0.3. */
static void test_carlson(void) {
  model M;
  double turn[HP_TURNS];
  create(&M, (hp_hysteresis_spec){.oil = HP_OIL_CARLSON, .water = HP_WATER_IMBIBITION});
  hp_hysteresis_turn(M.h, &M.fluid.sat, NULL, 0, 0.34, turn);
  CHECK_NEAR(turn[HP_TURN_SHIFT], -0.04, 1e-12);
  CHECK_NEAR(turn[HP_TURN_KRO], 1.0, 1e-12);
  CHECK_NEAR(at(&M, NULL, turn, 0.54).kro.v, 0.4, 1e-12);
  CHECK_NEAR(at(&M, NULL, turn, 0.54).kro.d, -2.0, 1e-12);
  CHECK(at(&M, NULL, turn, 0.75).kro.v == 0.0 && at(&M, NULL, turn, 0.3).kro.v > 0.85);
  CHECK_NEAR(at(&M, NULL, turn, 0.3).krw.v, 0.12, 1e-12); /* krw: of imbibition throughout */
  CHECK_NEAR(at(&M, NULL, turn, 0.6).krw.v, 0.48, 1e-12);
  CHECK_NEAR(at(&M, NULL, turn, 0.6).pc.v, 2e5 * 0.3 / 0.7, 1e-6);
  double water = 0.2, oil = 0.9;
  hp_hysteresis_range(M.h, 0, turn, &water, &oil);
  CHECK_NEAR(oil, 0.74, 1e-12);
  CHECK(water == 0.2);
  check_meeting(&M, NULL, turn);
  check_slopes(&M, NULL, turn);
  hp_hysteresis_turn(M.h, &M.fluid.sat, NULL, 0, 0.95, turn); /* no oil flows there */
  CHECK(at(&M, NULL, turn, 0.97).kro.v == 0.0);
  const hp_sat_scale c = {.swl = 0.1, .swcr = 0.15, .swu = 0.95, .so = 0.8, .krw = 0.9, .kro = 1.5, .pc = 1.2};
  for (double s = 0.1; s < 0.9; s += 0.07) {
    hp_hysteresis_turn(M.h, &M.fluid.sat, &c, 0, s, turn);
    check_meeting(&M, &c, turn);
    check_slopes(&M, &c, turn);
  }
  destroy(&M);
}

/* top 0.66, y 0.56, C = 1/0.2 - 1/0.7: trapped = 0.1 + 0.56 / (1 + 0.1 * 0.14 + 2). Half way to it imbibition has 0.5. */
static void test_killough(void) {
  const double trapped = 0.1 + 0.56 / 3.014, E = 0.1;
  model M;
  double turn[HP_TURNS];
  create(&M, (hp_hysteresis_spec){.oil = HP_OIL_KILLOUGH, .pc = true, .curvature = E, .trapping = 0.1});
  hp_hysteresis_turn(M.h, &M.fluid.sat, NULL, 0, 0.34, turn);
  CHECK_NEAR(turn[HP_TURN_TRAPPED], trapped, 1e-12);
  const double middle = 0.5 * (0.34 + 1.0 - trapped);
  CHECK_NEAR(at(&M, NULL, turn, middle).kro.v, 0.8 * 0.5, 1e-12);
  CHECK_NEAR(at(&M, NULL, turn, middle).krw.v, middle - 0.2, 1e-12);
  CHECK_NEAR(at(&M, NULL, turn, 1.0 - trapped).kro.v, 0.0, 1e-12);
  /* pc: imbibition's times 2, so that both begin with 2 bar */
  const double x = 0.11, X
  = 1.0 - trapped - 0.34;
  const double F = (1.0 / (x + E) - 1.0 / E) / (1.0 / (X + E) - 1.0 / E), d = 2e5 * 0.45 / 0.7,
               i = 2.0 * (1e5 - 9e4 * 0.5);
  CHECK_NEAR(at(&M, NULL, turn, 0.45).pc.v, d + F * (i - d), 1e-6);
  CHECK_NEAR(at(&M, NULL, turn, 0.85).pc.v, 2.0 * 1e4 * 0.25, 1e-6); /* beyond X: that of imbibition */
  check_meeting(&M, NULL, turn);
  check_slopes(&M, NULL, turn);
  double water = 0.2, oil = 0.9;
  hp_hysteresis_range(M.h, 0, turn, &water, &oil);
  CHECK_NEAR(oil, 1.0 - trapped, 1e-12);
  hp_hysteresis_turn(M.h, &M.fluid.sat, NULL, 0, 0.2, turn); /* drained to swl: all that imbibition traps */
  CHECK_NEAR(turn[HP_TURN_TRAPPED], 0.3, 1e-12);
  CHECK_NEAR(at(&M, NULL, turn, 0.45).kro.v, 0.5, 1e-12);
  hp_hysteresis_turn(M.h, &M.fluid.sat, NULL, 0, 0.9, turn);
  CHECK(at(&M, NULL, turn, 0.93).kro.v == 0.0 && at(&M, NULL, turn, 0.93).pc.v == 0.0);
  const hp_sat_scale c = {.swl = 0.1, .swcr = 0.15, .swu = 0.95, .so = 0.8, .krw = 0.9, .kro = 1.5, .pc = 1.2};
  for (double s = 0.1; s < 0.79; s += 0.06) {
    hp_hysteresis_turn(M.h, &M.fluid.sat, &c, 0, s, turn);
    check_meeting(&M, &c, turn);
    check_slopes(&M, &c, turn);
  }
  destroy(&M);
}

/* Without hysteresis there is none; curves that are alike make no difference. */
static void test_none(void) {
  model M;
  double turn[HP_TURNS];
  create(&M, (hp_hysteresis_spec){.curvature = 0.1});
  CHECK(M.h == NULL);
  destroy(&M);
  create(&M, (hp_hysteresis_spec){.oil = HP_OIL_CARLSON, .pc = true, .curvature = 0.1});
  M.of[0] = 0;
  hp_hysteresis_turn(M.h, &M.fluid.sat, NULL, 0, 0.4, turn);
  for (double s = 0.05; s < 1.0; s += 0.05) {
    const hp_sat_value v = at(&M, NULL, turn, s), d = hp_sat_eval(&M.fluid.sat, s);
    CHECK_NEAR(v.kro.v, d.kro.v, 1e-12);
    CHECK_NEAR(v.pc.v, d.pc.v, 1e-6);
  }
  destroy(&M);
}

int main(void) {
  test_carlson();
  test_killough();
  test_none();
  return check_result();
}
