/* PVT, rock and saturation functions against numbers worked out by hand. */
#include "core/memory.h"
#include "physics/reservoir.h"
#include "tests/support/check.h"

/* The tables of one region. */
typedef struct {
  hp_pvt_spec phase[HP_PHASES];
  hp_sat_spec sat;
  hp_rock_spec rock;
} fluid_spec;

/* With every parameter that a model by formulas has. */
static hp_sat_spec formula(hp_sat_model model) {
  return (hp_sat_spec){.model = model,
                       .swc = 0.15,
                       .sor = 0.2,
                       .krw_max = 0.6,
                       .kro_max = 0.9,
                       .nw = 2.5,
                       .no = 3.0,
                       .lambda = 2.0,
                       .m = 0.6,
                       .lw = 2.0,
                       .ew = 3.0,
                       .tw = 1.5,
                       .lo = 2.2,
                       .eo = 2.0,
                       .to = 1.3,
                       .pc_entry = 2e4,
                       .pc_max = 1e6,
                       .npc = 2.0};
}

static void test_pvtw(void) {
  /* X = 1e-9 * 1e7 = 0.01; B = 1.02 / (1 + 0.01 + 0.00005) */
  fluid_spec spec = {0};
  hp_fluid f;
  for (int a = 0; a < HP_PHASES; ++a) {
    hp_pvt_spec *p = &spec.phase[a];
    p->density = a == HP_OIL ? 850.0 : 1000.0;
    p->p_ref = 2e7;
    p->b_ref = 1.02;
    p->compressibility = 1e-9;
    p->viscosity = 5e-4;
    p->viscosibility = 4e-10;
  }
  spec.sat.model = HP_SAT_COREY;
  CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
  hp_dual b, bmu;
  hp_pvt_eval(&f.phase[HP_WATER], 3e7, &b, &bmu);
  CHECK_NEAR(b.v, 1.01005 / 1.02, 1e-15);
  CHECK_NEAR(b.d, 1e-9 * 1.01 / 1.02, 1e-22);
  /* Y = (1e-9 - 4e-10) * 1e7 = 0.006; mu B = 5e-4 * 1.02 / (1 + 0.006 + 0.000018) */
  CHECK_NEAR(bmu.v, 1.006018 / (5e-4 * 1.02), 1e-9);
  hp_fluid_destroy(&f);
}

static void test_pvdo(void) {
  double p[] = {1e6, 2e6, 5e6}, B[] = {1.25, 1.2, 1.1}, mu[] = {1e-3, 1.1e-3, 1.4e-3};
  fluid_spec spec = {0};
  hp_fluid f;
  spec.phase[HP_OIL] = (hp_pvt_spec){.density = 800.0, .rows = 3, .p = p, .b = B, .mu = mu};
  spec.phase[HP_WATER] = (hp_pvt_spec){.density = 1000.0, .b_ref = 1.0, .viscosity = 1e-3};
  spec.sat.model = HP_SAT_COREY;
  CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
  hp_dual b, bmu;
  hp_pvt_eval(&f.phase[HP_OIL], 1.5e6, &b, &bmu); /* halfway: means of 1/B and of 1/(mu B) */
  CHECK_NEAR(b.v, 0.5 * (1.0 / 1.25 + 1.0 / 1.2), 1e-15);
  CHECK_NEAR(bmu.v, 0.5 * (1.0 / 1.25e-3 + 1.0 / 1.32e-3), 1e-10);
  hp_pvt_eval(&f.phase[HP_OIL], 8e6, &b, &bmu); /* beyond: the last interval goes on */
  CHECK_NEAR(b.v, 1.0 / 1.1 + (1.0 / 1.1 - 1.0 / 1.2), 1e-14);
  hp_fluid_destroy(&f);
}

/* Rows whose 1/(mu B) goes down to 0 at 405.6 bar, and whose 1/B would be 0 far below 0; a rock table that goes down to both
 * sides: curves are held at a tenth of their least row, and tell where. */
static void test_held_tables(void) {
  double p[] = {1e7, 2e7}, B[] = {1.10, 1.09}, mu[] = {1e-3, 1.5e-3}, rock_p[] = {1e7, 2e7, 3e7},
         pv[] = {0.8, 1.0, 0.9};
  hp_fluid_spec spec = {0};
  hp_fluid f;
  hp_table_end *end;
  hp_dual b, bmu;
  int count;
  CHECK_OK(hp_fluid_spec_grow(&spec, 1, 1, 1));
  spec.pvt[0][HP_OIL] = (hp_pvt_spec){.density = 800.0, .rows = 2, .p = p, .b = B, .mu = mu};
  spec.pvt[0][HP_WATER] = (hp_pvt_spec){.density = 1000.0, .b_ref = 1.0, .viscosity = 1e-3};
  spec.sat[0].model = HP_SAT_COREY;
  spec.rock[0] = (hp_rock_spec){.rows = 3, .p = rock_p, .pv = pv};
  CHECK_OK(hp_fluid_spec_ends(&spec, &count, &end));
  CHECK(count == 4);
  CHECK(!end[0].rock && !end[0].viscosity && !end[0].above && end[0].held < 0.0);
  CHECK(!end[1].rock && end[1].viscosity && end[1].above && end[1].phase == HP_OIL);
  const double high = 1.0 / (1.10 * 1e-3),
               low = 1.0 / (1.09 * 1.5e-3); /* of 1/(mu B), falling by high - low each 100 bar */
  CHECK_NEAR(end[1].zero, 2e7 + 1e7 * low / (high - low), 1.0);
  CHECK_NEAR(end[1].zero, 405.6e5, 1e4);
  CHECK_NEAR(end[1].held, 2e7 + 1e7 * 0.9 * low / (high - low), 1.0);
  CHECK(end[2].rock && !end[2].above && end[3].rock && end[3].above);
  CHECK_NEAR(end[2].zero, -3e7, 1e-6);
  CHECK_NEAR(end[3].held, 3e7 + 1e7 * (0.9 - 0.08) / 0.1, 1e-6);
  CHECK_OK(hp_fluid_create(spec.pvt[0], &spec.sat[0], &spec.rock[0], &f));
  for (double at = 0.0; at < 1e9; at += 1e7) {
    hp_pvt_eval(&f.phase[HP_OIL], at, &b, &bmu);
    CHECK(b.v > 0.0 && bmu.v >= 0.1 * low * (1.0 - 1e-14));
    CHECK(at > end[1].held ? bmu.d == 0.0 : bmu.d < 0.0);
  }
  hp_compaction *c;
  CHECK_OK(hp_compaction_create(&spec, &c));
  CHECK_NEAR(hp_compaction_volume(c, NULL, 0, 1e9).v, 0.08, 1e-15);
  CHECK(hp_compaction_volume(c, NULL, 0, -1e9).d == 0.0);
  hp_compaction_destroy(&c);
  hp_fluid_destroy(&f);
  HP_FREE(end);
  spec.pvt[0][HP_OIL].rows = spec.rock[0].rows = 0;
  spec.pvt[0][HP_OIL].p = spec.pvt[0][HP_OIL].b = spec.pvt[0][HP_OIL].mu = spec.rock[0].p = spec.rock[0].pv = NULL;
  hp_fluid_spec_clear(&spec);
}

static void test_table_end_points(void) {
  double s[] = {0.1, 0.2, 0.5, 0.85, 0.9}, krw[] = {0, 0, 0.2, 0.6, 0.7}, kro[] = {0.8, 0.8, 0.2, 0, 0},
         pc[] = {3, 2, 1, 0, 0};
  fluid_spec spec = {0};
  hp_fluid f;
  for (int a = 0; a < HP_PHASES; ++a) spec.phase[a] = (hp_pvt_spec){.density = 900.0, .b_ref = 1.0, .viscosity = 1e-3};
  spec.sat = (hp_sat_spec){.model = HP_SAT_TABLE, .rows = 5, .s = s, .krw = krw, .kro = kro, .pc = pc};
  CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
  CHECK(f.sat.s_min == 0.1 && f.sat.s_max == 0.9);
  CHECK(f.sat.s_water_mobile == 0.2 && f.sat.s_oil_immobile == 0.85);
  const hp_sat_value v = hp_sat_eval(&f.sat, 0.35);
  CHECK_NEAR(v.krw.v, 0.1, 1e-15);
  CHECK_NEAR(v.kro.v, 0.5, 1e-15);
  CHECK_NEAR(v.kro.d, -2.0, 1e-14);
  CHECK_NEAR(v.pc.v, 1.5, 1e-15);
  const hp_sat_value outside = hp_sat_eval(&f.sat, 0.95);
  CHECK(outside.krw.v == 0.7 && outside.krw.d == 0.0 && outside.kro.v == 0.0);
  hp_fluid_destroy(&f);
}

/* Each analytic model: end points, and derivatives against differences. */
static void test_models(void) {
  fluid_spec spec = {0};
  for (int a = 0; a < HP_PHASES; ++a) spec.phase[a] = (hp_pvt_spec){.density = 900.0, .b_ref = 1.0, .viscosity = 1e-3};
  const hp_sat_model models[] = {HP_SAT_COREY, HP_SAT_BROOKS_COREY, HP_SAT_VAN_GENUCHTEN, HP_SAT_LET};
  for (int n = 0; n < 4; ++n) {
    spec.sat = formula(models[n]);
    hp_fluid f;
    CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
    CHECK_NEAR(hp_sat_eval(&f.sat, 0.15).krw.v, 0.0, 1e-12);
    CHECK_NEAR(hp_sat_eval(&f.sat, 0.15).kro.v, 0.9, 2e-3);
    CHECK_NEAR(hp_sat_eval(&f.sat, 0.8).krw.v, 0.6, 2e-2);
    CHECK_NEAR(hp_sat_eval(&f.sat, 0.8).kro.v, 0.0, 1e-12);
    for (double s = 0.17; s < 0.79; s += 0.03) {
      const double h = 1e-6;
      const hp_sat_value a = hp_sat_eval(&f.sat, s - h), b = hp_sat_eval(&f.sat, s + h), v = hp_sat_eval(&f.sat, s);
      CHECK_NEAR(v.krw.d, (b.krw.v - a.krw.v) / (2 * h), 1e-7);
      CHECK_NEAR(v.kro.d, (b.kro.v - a.kro.v) / (2 * h), 1e-7);
      CHECK_NEAR(v.pc.d, (b.pc.v - a.pc.v) / (2 * h), 1e-6 * fabs(v.pc.d) + 1e-3);
      CHECK(b.krw.v > a.krw.v && b.kro.v < a.kro.v && b.pc.v < a.pc.v);
    }
    hp_fluid_destroy(&f);
  }
  /* Brooks-Corey by hand: lambda = 2, e = 1/2: krw = e^4, kro = (1-e)^2 (1 - e^2), pc = entry e^(-1/2) */
  spec.sat = (hp_sat_spec){.model = HP_SAT_BROOKS_COREY,
                           .swc = 0.2,
                           .krw_max = 1.0,
                           .kro_max = 1.0,
                           .lambda = 2.0,
                           .pc_entry = 1e4,
                           .pc_max = 1e7};
  hp_fluid f;
  CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
  const hp_sat_value v = hp_sat_eval(&f.sat, 0.6);
  CHECK_NEAR(v.krw.v, 0.0625, 1e-12);
  CHECK_NEAR(v.kro.v, 0.25 * 0.75, 1e-12);
  CHECK_NEAR(v.pc.v, 1e4 * sqrt(2.0), 1e-7);
  /* pc = pc_max at e = (entry / pc_max)^lambda; where it is cut, and nowhere */
  CHECK_NEAR(f.sat.s_pc_max, 0.2 + 0.8 * 1e-6, 1e-15);
  CHECK(hp_sat_eval(&f.sat, f.sat.s_pc_max).pc.d < 0.0 &&
        hp_sat_eval(&f.sat, nextafter(f.sat.s_pc_max, 0.0)).pc.d == 0.0);
  hp_fluid_destroy(&f);
  spec.sat.model = HP_SAT_COREY;
  CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
  CHECK(f.sat.s_pc_max < 0.0);
  hp_fluid_destroy(&f);
}

static void check_slopes(const hp_satfunc *f, const hp_sat_scale *c, double s) {
  const double h = 1e-6;
  const hp_sat_value v = c != NULL ? hp_sat_eval_scaled(f, c, s) : hp_sat_eval(f, s);
  const hp_sat_value a = c != NULL ? hp_sat_eval_scaled(f, c, s - h) : hp_sat_eval(f, s - h);
  const hp_sat_value b = c != NULL ? hp_sat_eval_scaled(f, c, s + h) : hp_sat_eval(f, s + h);
  CHECK_NEAR(v.krw.d, (b.krw.v - a.krw.v) / (2 * h), 1e-7);
  CHECK_NEAR(v.kro.d, (b.kro.v - a.kro.v) / (2 * h), 1e-7);
  CHECK_NEAR(v.pc.d, (b.pc.v - a.pc.v) / (2 * h), 1e-6 * fabs(v.pc.d) + 1e-3);
}

/* The water zone of formulas, 1 - sor = 0.8 to sw_max: no oil flows, krw goes straight to krw_full, pc stays. */
static void test_water_zone(void) {
  fluid_spec spec = {0};
  for (int a = 0; a < HP_PHASES; ++a) spec.phase[a] = (hp_pvt_spec){.density = 900.0, .b_ref = 1.0, .viscosity = 1e-3};
  for (int model = HP_SAT_COREY; model < HP_SAT_COUNT; ++model) {
    spec.sat = formula((hp_sat_model)model);
    spec.sat.sw_max = 0.95;
    spec.sat.krw_full = 0.9;
    hp_fluid f;
    CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
    CHECK(f.sat.s_max == 0.95 && f.sat.s_oil_immobile == 0.8);
    const hp_sat_value end = hp_sat_eval(&f.sat, 0.8), middle = hp_sat_eval(&f.sat, 0.875);
    CHECK_NEAR(middle.krw.v, 0.5 * (end.krw.v + 0.9), 1e-12);
    CHECK_NEAR(middle.krw.d, (0.9 - end.krw.v) / 0.15, 1e-12);
    CHECK(middle.kro.v == 0.0 && middle.kro.d == 0.0 && middle.pc.v == end.pc.v && middle.pc.d == 0.0);
    CHECK_NEAR(hp_sat_eval(&f.sat, 0.95).krw.v, 0.9, 1e-12);
    CHECK(hp_sat_eval(&f.sat, 0.99).krw.v == 0.9 && hp_sat_eval(&f.sat, 0.99).krw.d == 0.0);
    for (double s = 0.812; s < 0.995; s += 0.02) check_slopes(&f.sat, NULL, s);
    /* A cell's own points: the transition zone ends at so with the cell's krw, the water zone at swu with krw_full. */
    for (int three = 0; three < 2; ++three) {
      hp_sat_scale c = {.swl = 0.2, .swcr = 0.25, .swu = 0.98, .so = 0.7, .krw = 0.5, .kro = 1.0, .pc = 2.0};
      c.three_point = three;
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.7).krw.v, 0.5 * end.krw.v, 1e-12);
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.98).krw.v, 0.9, 1e-12);
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.9).pc.v, 2.0 * end.pc.v, 1e-6);
      CHECK(hp_sat_eval_scaled(&f.sat, &c, 0.25).krw.v == 0.0 && hp_sat_eval_scaled(&f.sat, &c, 0.72).kro.v == 0.0);
      for (double s = 0.27; s < 0.99; s += 0.04) check_slopes(&f.sat, &c, s);
      c.swu = c.so; /* without a water zone */
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.9).krw.v, 0.5 * end.krw.v, 1e-12);
    }
    hp_fluid_destroy(&f);
    /* krw_full is left out: krw stays at its end point. */
    spec.sat.krw_full = 0.0;
    CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
    CHECK(hp_sat_eval(&f.sat, 0.9).krw.v == end.krw.v && hp_sat_eval(&f.sat, 0.9).krw.d == 0.0);
    hp_fluid_destroy(&f);
  }
}

/* Stretched functions: the table's values at the cell's points, slopes as differences say, the table itself where the
 * points are its own. */
static void check_scaled(void) {
  double s[] = {0.1, 0.25, 0.6, 0.8}, krw[] = {0.0, 0.0, 0.2, 0.5}, kro[] = {0.9, 0.5, 0.0, 0.0};
  double pc[] = {9e4, 5e4, 1e4, 0.0};
  const fluid_spec spec = {.phase = {{.b_ref = 1.0, .viscosity = 1e-3, .density = 800.0},
                                     {.b_ref = 1.0, .viscosity = 1e-3, .density = 1000.0}},
                           .sat = {.model = HP_SAT_TABLE, .rows = 4, .s = s, .krw = krw, .kro = kro, .pc = pc}};
  hp_fluid f;
  CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
  const hp_sat_scale own = {.swl = 0.1, .swcr = 0.25, .swu = 0.8, .so = 0.6, .krw = 1.0, .kro = 1.0, .pc = 1.0};
  for (int three = 0; three < 2; ++three) {
    hp_sat_scale c = {.swl = 0.2, .swcr = 0.3, .swu = 0.95, .so = 0.7, .krw = 0.5, .kro = 2.0, .pc = 3.0};
    c.three_point = three;
    CHECK(hp_sat_eval_scaled(&f.sat, &c, 0.3).krw.v == 0.0 && hp_sat_eval_scaled(&f.sat, &c, 0.7).kro.v == 0.0);
    CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.95).krw.v, 0.25, 1e-12);
    CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.2).kro.v, 1.8, 1e-12);
    CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.2).pc.v, 27e4, 1e-6);
    if (three) CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.7).krw.v, 0.1, 1e-12); /* at the table's own 1 - sowcr */
    if (three) CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.3).kro.v, 1.0, 1e-12);
    for (int n = 1; n < 97; ++n) {
      const double x = n / 97.0, h = 1e-7;
      const hp_sat_value v = hp_sat_eval_scaled(&f.sat, &c, x), a = hp_sat_eval_scaled(&f.sat, &c, x - h);
      const hp_sat_value b = hp_sat_eval_scaled(&f.sat, &c, x + h), t = hp_sat_eval(&f.sat, x);
      const hp_sat_value same = hp_sat_eval_scaled(&f.sat, &own, x);
      CHECK_NEAR(v.krw.d, (b.krw.v - a.krw.v) / (2.0 * h), 1e-6);
      CHECK_NEAR(v.kro.d, (b.kro.v - a.kro.v) / (2.0 * h), 1e-6);
      CHECK_NEAR(v.pc.d, (b.pc.v - a.pc.v) / (2.0 * h), 1e-2);
      CHECK_NEAR(same.krw.v, t.krw.v, 1e-14);
      CHECK_NEAR(same.kro.v, t.kro.v, 1e-14);
      CHECK_NEAR(same.pc.v, t.pc.v, 1e-9);
    }
  }
  hp_fluid_destroy(&f);
}

/* Values at the other phase's critical saturation: proportional up to there, and from there to the end's; in a table that is
 * flat beyond, a straight line. */
static void test_bends(void) {
  double s[] = {0.1, 0.25, 0.6, 0.8}, krw[] = {0.0, 0.0, 0.2, 0.5}, kro[] = {0.9, 0.5, 0.0, 0.0};
  double pc[] = {9e4, 5e4, 1e4, 0.0};
  const fluid_spec spec = {.phase = {{.b_ref = 1.0, .viscosity = 1e-3, .density = 800.0},
                                     {.b_ref = 1.0, .viscosity = 1e-3, .density = 1000.0}},
                           .sat = {.model = HP_SAT_TABLE, .rows = 4, .s = s, .krw = krw, .kro = kro, .pc = pc}};
  for (int flat = 0; flat < 2; ++flat) {
    krw[3] = flat ? 0.2 : 0.5;
    kro[0] = flat ? 0.5 : 0.9;
    hp_fluid f;
    CHECK_OK(hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f));
    for (int three = 0; three < 2; ++three) {
      /* krw 0.3 at 0.7, 0.6 at 0.95; kro 0.4 at 0.3, 0.7 at 0.2: by hand from the table at 1 - sowcr and swcr */
      hp_sat_scale c = {.swl = 0.2, .swcr = 0.3, .swu = 0.95, .so = 0.7, .krw = 1.0, .kro = 1.0, .pc = 1.0};
      double d;
      c.three_point = three;
      c.pc_shift = -0.1;
      const double w = hp_sat_eval(&f.sat, hp_sat_place_water(&f.sat, &c, 0.7, &d)).krw.v;
      const double o = hp_sat_eval(&f.sat, hp_sat_place_oil(&f.sat, &c, 0.3, &d)).kro.v;
      const bool flat_w = w == krw[3], flat_o = o == kro[0];
      if (three) CHECK(flat_w == flat && flat_o == flat);
      c.krw = 0.3 / w;
      c.kro = 0.4 / o;
      c.krw_bend = (hp_sat_bend){0.3, flat_w ? -0.6 : 0.3 / ((krw[3] - w) * c.krw)};
      c.kro_bend = (hp_sat_bend){0.4, flat_o ? -0.7 : 0.3 / ((kro[0] - o) * c.kro)};
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.7).krw.v, 0.3, 1e-12);
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.95).krw.v, 0.6, 1e-12);
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.99).krw.v, 0.6, 1e-12);
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.3).kro.v, 0.4, 1e-12);
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.2).kro.v, 0.7, 1e-12);
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.1).kro.v, 0.7, 1e-12);
      CHECK(hp_sat_eval_scaled(&f.sat, &c, 0.3).krw.v == 0.0 && hp_sat_eval_scaled(&f.sat, &c, 0.7).kro.v == 0.0);
      if (three) CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.825).krw.v, 0.45, 1e-12);
      if (three) CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.25).kro.v, 0.55, 1e-12);
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.1).pc.v, 9e4, 1e-6);
      CHECK_NEAR(hp_sat_eval_scaled(&f.sat, &c, 0.1 + 0.85 * 0.15 / 0.7).pc.v, 5e4, 1e-6);
      for (int n = 1; n < 97; ++n) check_slopes(&f.sat, &c, n / 97.0);
    }
    hp_fluid_destroy(&f);
  }
}

int main(void) {
  check_scaled();
  test_bends();
  test_pvtw();
  test_pvdo();
  test_held_tables();
  test_table_end_points();
  test_models();
  test_water_zone();
  return check_result();
}
