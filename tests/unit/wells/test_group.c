/* Shares of the field's targets against numbers worked out by hand. */
#include <string.h>

#include "core/memory.h"
#include "tests/unit/wells/row_of_wells.h"
#include "wells/group.h"

/* Producers 0, 1, 2 and injector 3, two cells deep, all with in_field. */
enum { WELLS = 4, BAR = 100000 };

/* A producer with its bhp at its limit: drawdown[q] in bar, oil[q] and water[q] in m3/s a bar. */
static void set_producer(hp_wells *W, int w, const double drawdown[2], const double oil[2], const double water[2]) {
  hp_well_control c = {.control = HP_CONTROL_BHP, .in_field = true};
  for (int k = 0; k < HP_CONTROL_COUNT; ++k) c.limit[k] = NAN;
  c.limit[HP_CONTROL_BHP] = 100.0 * BAR;
  hp_wells_set_control(W, w, &c);
  W->bhp[w] = 100.0 * BAR;
  for (int q = 0; q < 2; ++q) {
    hp_perf_rate *r = &W->rate[W->begin[w] + q];
    r->drawdown = drawdown[q] * BAR;
    r->producible[HP_OIL] = oil[q] / BAR;
    r->producible[HP_WATER] = water[q] / BAR;
  }
}

/* Producers that make 100 oil; 200 oil and 100 water; 300 oil and 600 water at their limit; an injector of 2000. */
static void reset(hp_wells *W) {
  set_producer(W, 0, (const double[2]){10.0, 10.0}, (const double[2]){5.0, 5.0}, (const double[2]){0.0, 0.0});
  set_producer(W, 1, (const double[2]){10.0, 20.0}, (const double[2]){0.0, 10.0}, (const double[2]){10.0, 0.0});
  set_producer(W, 2, (const double[2]){30.0, 30.0}, (const double[2]){5.0, 5.0}, (const double[2]){10.0, 10.0});
  hp_well_control c = {.control = HP_CONTROL_BHP, .injector = true, .phase = HP_WATER, .in_field = true};
  for (int k = 0; k < HP_CONTROL_COUNT; ++k) c.limit[k] = NAN;
  c.limit[HP_CONTROL_BHP] = 300.0 * BAR;
  hp_wells_set_control(W, 3, &c);
  W->bhp[3] = 250.0 * BAR;
  for (int q = 0; q < 2; ++q) {
    W->rate[W->begin[3] + q] = (hp_perf_rate){.drawdown = -50.0 * BAR};
    W->rate[W->begin[3] + q].dbhp[HP_WATER] = -10.0 / BAR; /* 100 bar at the limit, two perforations */
  }
  for (int w = 0; w < WELLS; ++w) {
    W->resv[2 * w + HP_OIL] = 1.2;
    W->resv[2 * w + HP_WATER] = 1.0;
  }
}

/* Adds a limit of the well's own. */
static void limit(hp_wells *W, int w, int k, double v) {
  hp_well_control c = W->deck_control[w];
  c.limit[k] = v;
  hp_wells_set_control(W, w, &c);
}

static hp_groups groups;

static bool share(hp_wells *W, const hp_group_control *f) {
  bool changed;
  hp_groups_set(&groups, 0, f);
  hp_wells_share(W, &groups, HP_SHARE_FIRST, &changed);
  return changed;
}

static double excess(hp_wells *W, const hp_group_control *f, const char **target) {
  int group = -1;
  hp_groups_set(&groups, 0, f);
  const double most = hp_group_excess(W, &groups, 1e-4, target, &group);
  CHECK(group == (most > 0.0 ? 0 : -1));
  return most;
}

static bool tighten(hp_wells *W, const hp_group_control *f) {
  hp_groups_set(&groups, 0, f);
  return hp_wells_tighten(W, &groups, 1e-4);
}

static void expect(const hp_wells *W, int k, double a, double b, double c) {
  const double v[] = {a, b, c};
  for (int w = 0; w < 3; ++w) {
    CHECK_NEAR(W->control[w].limit[k], v[w], 1e-9 * v[w]);
    CHECK(W->shared[w] == k);
  }
}

static void test_proportion(hp_wells *W) {
  hp_group_control f = hp_group_nothing();
  reset(W);
  f.production[HP_CONTROL_ORAT] = 300.0; /* half of what all make */
  CHECK(hp_group_has_targets(&f) && share(W, &f));
  expect(W, HP_CONTROL_ORAT, 50.0, 100.0, 150.0);
  CHECK(!share(W, &f)); /* the same again is no change */
  CHECK(isnan(W->deck_control[0].limit[HP_CONTROL_ORAT]) && W->control[3].limit[HP_CONTROL_BHP] == 300.0 * BAR);
  CHECK(isnan(W->control[3].limit[HP_CONTROL_WRAT]) && W->shared[3] == HP_CONTROL_SHUT);
  f.production[HP_CONTROL_ORAT] = NAN;
  f.production[HP_CONTROL_LRAT] = 650.0;
  share(W, &f);
  expect(W, HP_CONTROL_LRAT, 50.0, 150.0, 450.0);
  CHECK(isnan(W->control[0].limit[HP_CONTROL_ORAT])); /* the earlier share is gone */
  f.production[HP_CONTROL_LRAT] = NAN;
  f.production[HP_CONTROL_RESV] = 142.0; /* of 120, 340, 960 */
  share(W, &f);
  expect(W, HP_CONTROL_RESV, 12.0, 34.0, 96.0);
  W->mode[1] = HP_CONTROL_RESV;
  f = hp_group_nothing();
  CHECK(!hp_group_has_targets(&f) && share(W, &f));
  CHECK(W->shared[1] == HP_CONTROL_SHUT && isnan(W->control[1].limit[HP_CONTROL_RESV]));
  CHECK(W->mode[1] == HP_CONTROL_BHP); /* a share that is no more leaves the well with its own control */
}

static void test_guides(hp_wells *W) {
  hp_group_control f = hp_group_nothing();
  reset(W);
  for (int w = 0; w < 3; ++w) {
    hp_well_control c = W->deck_control[w];
    c.guide_rate = w == 0 ? 1.0 : w == 1 ? 2.0 : 6.0;
    c.guide_by = w < 2 ? HP_GUIDE_SHARED : HP_GUIDE_WATER; /* 6 of water: 3 of oil */
    hp_wells_set_control(W, w, &c);
  }
  f.production[HP_CONTROL_ORAT] = 60.0;
  share(W, &f);
  expect(W, HP_CONTROL_ORAT, 10.0, 20.0, 30.0);
  f.production[HP_CONTROL_ORAT] = 630.0; /* beyond what they make: what they can, and room in proportion */
  share(W, &f);
  expect(W, HP_CONTROL_ORAT, 105.0, 210.0, 315.0);
}

static void test_caps(hp_wells *W) {
  hp_group_control f = hp_group_nothing();
  reset(W);
  limit(W, 2, HP_CONTROL_ORAT, 30.0);
  f.production[HP_CONTROL_ORAT] = 180.0; /* 30 of well 2, and 150 among 1 : 2 */
  share(W, &f);
  CHECK_NEAR(W->control[0].limit[HP_CONTROL_ORAT], 50.0, 1e-9);
  CHECK_NEAR(W->control[1].limit[HP_CONTROL_ORAT], 100.0, 1e-9);
  CHECK(W->control[2].limit[HP_CONTROL_ORAT] == 30.0 && W->shared[2] == HP_CONTROL_SHUT);
  reset(W);
  limit(W, 2, HP_CONTROL_LRAT, 90.0); /* 30 of oil, by another quantity */
  share(W, &f);
  CHECK_NEAR(W->control[0].limit[HP_CONTROL_ORAT], 50.0, 1e-9);
  CHECK_NEAR(W->control[1].limit[HP_CONTROL_ORAT], 100.0, 1e-9);
  reset(W);
  limit(W, 1, HP_CONTROL_LRAT, 50.0); /* its upper perforation closes at 10 bar: at 15 bar 50 of the lower one alone */
  f.production[HP_CONTROL_ORAT] = 200.0; /* guide rates are of the pressure's limit alone: 100 : 200 : 300 */
  share(W, &f);
  CHECK_NEAR(W->control[0].limit[HP_CONTROL_ORAT], 37.5, 1e-9);
  CHECK_NEAR(W->control[2].limit[HP_CONTROL_ORAT], 112.5, 1e-9);
  f.production[HP_CONTROL_ORAT] = 370.0; /* well 1 makes 50: 320 among 100 : 300, of which well 0 makes 80 */
  share(W, &f);
  CHECK_NEAR(W->control[0].limit[HP_CONTROL_ORAT], 80.0, 1e-9);
  CHECK_NEAR(W->control[2].limit[HP_CONTROL_ORAT], 240.0, 1e-9);
  /* its bhp has risen 5 bar above the limit: the same potentials */
  reset(W);
  W->bhp[0] += 5.0 * BAR;
  for (int q = 0; q < 2; ++q) W->rate[W->begin[0] + q].drawdown -= 5.0 * BAR;
  f.production[HP_CONTROL_ORAT] = 300.0;
  share(W, &f);
  expect(W, HP_CONTROL_ORAT, 50.0, 100.0, 150.0);
}

static void test_aside(hp_wells *W) {
  hp_group_control f = hp_group_nothing();
  f.production[HP_CONTROL_ORAT] = 200.0;
  reset(W);
  hp_well_control c = W->deck_control[1];
  c.in_field = false;
  c.limit[HP_CONTROL_ORAT] = 120.0; /* of the 200 it takes 120: 20 and 60 are left */
  hp_wells_set_control(W, 1, &c);
  share(W, &f);
  CHECK_NEAR(W->control[0].limit[HP_CONTROL_ORAT], 20.0, 1e-9);
  CHECK(W->control[1].limit[HP_CONTROL_ORAT] == 120.0 && W->shared[1] == HP_CONTROL_SHUT);
  CHECK_NEAR(W->control[2].limit[HP_CONTROL_ORAT], 60.0, 1e-9);
  f.production[HP_CONTROL_ORAT] = 100.0; /* it makes more than that: nothing is left */
  share(W, &f);
  CHECK(W->control[0].limit[HP_CONTROL_ORAT] == 0.0 && W->control[2].limit[HP_CONTROL_ORAT] == 0.0);
  reset(W);
  c = W->deck_control[0];
  c.control = HP_CONTROL_SHUT;
  hp_wells_set_control(W, 0, &c);
  c = W->deck_control[2];
  c.efficiency = 0.5; /* well 2 counts half: 200 = 200 x + 150 x */
  hp_wells_set_control(W, 2, &c);
  f.production[HP_CONTROL_ORAT] = 175.0;
  share(W, &f);
  CHECK_NEAR(W->control[1].limit[HP_CONTROL_ORAT], 100.0, 1e-9);
  CHECK_NEAR(W->control[2].limit[HP_CONTROL_ORAT], 150.0, 1e-9);
}

static void test_several(hp_wells *W) {
  hp_group_control f = hp_group_nothing();
  reset(W);
  f.production[HP_CONTROL_ORAT] = 300.0; /* with 50, 100, 150: liquid 50 + 100 + 450 */
  f.production[HP_CONTROL_LRAT] = 700.0;
  share(W, &f);
  expect(W, HP_CONTROL_ORAT, 50.0, 100.0, 150.0);
  f.production[HP_CONTROL_LRAT] = 260.0; /* a fifth of 1300: oil 20 + 60 + 60, within */
  share(W, &f);
  expect(W, HP_CONTROL_LRAT, 20.0, 60.0, 180.0);
}

static void test_injection(hp_wells *W) {
  hp_group_control f = hp_group_nothing();
  reset(W);
  f.injection_rate = 500.0;
  share(W, &f);
  CHECK_NEAR(W->control[3].limit[HP_CONTROL_WRAT], 500.0, 1e-9);
  CHECK(W->shared[3] == HP_CONTROL_WRAT && W->shared[0] == HP_CONTROL_SHUT);
  for (int w = 0; w < WELLS; ++w) W->resv[2 * w + HP_WATER] = 1.25;
  f.injection_volume = 500.0;
  share(W, &f);
  CHECK_NEAR(W->control[3].limit[HP_CONTROL_WRAT], 400.0, 1e-9);
  f = hp_group_nothing();
  f.reinjection = 0.5; /* of 700 of water */
  share(W, &f);
  CHECK_NEAR(W->control[3].limit[HP_CONTROL_WRAT], 350.0, 1e-9);
  f.reinjection = NAN;
  f.voidage = 0.8;
  f.production[HP_CONTROL_ORAT] = 300.0; /* water 0 + 0 + 300: the upper perforation of well 1 is closed */
  share(W, &f);
  CHECK_NEAR(W->control[3].limit[HP_CONTROL_WRAT], 0.8 * (300.0 * 1.2 + 300.0 * 1.25) / 1.25, 1e-9);
  f = hp_group_nothing();
  f.injection_rate = 2500.0; /* it takes 2000, and has room */
  share(W, &f);
  CHECK_NEAR(W->control[3].limit[HP_CONTROL_WRAT], 2500.0, 1e-9);
  limit(W, 3, HP_CONTROL_WRAT, 100.0);
  share(W, &f);
  CHECK(W->control[3].limit[HP_CONTROL_WRAT] == 100.0 && W->shared[3] == HP_CONTROL_SHUT);
  W->rate[W->begin[2]] = W->rate[W->begin[2] + 1] = W->rate[W->begin[3]];
  hp_well_control c = W->deck_control[3]; /* a second injector that takes no more than 300 of 1000 */
  c.limit[HP_CONTROL_WRAT] = 300.0;
  hp_wells_set_control(W, 2, &c);
  W->bhp[2] = W->bhp[3];
  limit(W, 3, HP_CONTROL_WRAT, NAN);
  f.injection_rate = 1000.0;
  share(W, &f);
  CHECK_NEAR(W->control[3].limit[HP_CONTROL_WRAT], 700.0, 1e-9);
  CHECK(W->control[2].limit[HP_CONTROL_WRAT] == 300.0);
  c = W->deck_control[3]; /* an injector of oil takes no part, but its volume counts */
  c.phase = HP_OIL;
  c.limit[HP_CONTROL_WRAT] = NAN;
  hp_wells_set_control(W, 3, &c);
  share(W, &f);
  CHECK(W->shared[3] == HP_CONTROL_SHUT);
}

/* Rates of well w. */
static void make(hp_wells *W, int w, double oil, double water) {
  for (int q = 0; q < 2; ++q) {
    W->rate[W->begin[w] + q].q[HP_OIL] = 0.5 * oil;
    W->rate[W->begin[w] + q].q[HP_WATER] = 0.5 * water;
  }
}

/* Producers make 100 oil; 200 oil and 100 water; 300 oil and 600 water, the injector 800. */
static void make_all(hp_wells *W) {
  make(W, 0, 100.0, 0.0);
  make(W, 1, 200.0, 100.0);
  make(W, 2, 300.0, 600.0);
  make(W, 3, 0.0, -800.0);
}

static void test_excess(hp_wells *W) {
  hp_group_control f = hp_group_nothing();
  const char *target = NULL;
  reset(W);
  f.production[HP_CONTROL_ORAT] = 660.0;
  share(W, &f); /* limits of 110, 220, 330 */
  make_all(W);
  CHECK(excess(W, &f, &target) == 0.0 && !tighten(W, &f));
  CHECK_NEAR(W->control[1].limit[HP_CONTROL_ORAT], 220.0, 1e-9);
  f.production[HP_CONTROL_ORAT] = 599.97; /* by less than the slack */
  CHECK(excess(W, &f, &target) == 0.0 && !tighten(W, &f));
  f.production[HP_CONTROL_ORAT] = 540.0; /* nine tenths */
  f.production[HP_CONTROL_WRAT] = 350.0; /* a half */
  CHECK_NEAR(excess(W, &f, &target), 0.5, 1e-12);
  CHECK(strcmp(target, "water_rate") == 0 && tighten(W, &f));
  CHECK_NEAR(W->control[0].limit[HP_CONTROL_ORAT], 90.0, 1e-9);
  CHECK_NEAR(W->control[1].limit[HP_CONTROL_ORAT], 180.0, 1e-9);
  CHECK_NEAR(W->control[1].limit[HP_CONTROL_WRAT], 50.0, 1e-9);
  CHECK_NEAR(W->control[2].limit[HP_CONTROL_WRAT], 300.0, 1e-9);
  CHECK(!tighten(W, &f));              /* limits are there already */
  W->deck_control[2].in_field = false; /* takes no part: the others have 40 of its 600 to do without, and cannot */
  f = hp_group_nothing();
  f.production[HP_CONTROL_WRAT] = 560.0;
  share(W, &f);
  CHECK(tighten(W, &f) && W->control[1].limit[HP_CONTROL_WRAT] == 0.0);
  CHECK_NEAR(excess(W, &f, &target), 140.0 / 700.0, 1e-12);
  f = hp_group_nothing();
  reset(W);
  make_all(W);
  share(W, &f);
  f.reinjection = 0.5; /* of 700 */
  f.voidage = 0.1;     /* of 720 + 700 */
  CHECK_NEAR(excess(W, &f, &target), 1.0 - 142.0 / 800.0, 1e-12);
  CHECK(strcmp(target, "voidage") == 0 && tighten(W, &f));
  CHECK_NEAR(W->control[3].limit[HP_CONTROL_WRAT], 142.0, 1e-9);
  make(
      W, 2, 300.0,
      500.0); /* production falls by 100 where injection does by 658: the line through both asks for 130.02 of itself */
  make(W, 3, 0.0, -142.0);
  CHECK(tighten(W, &f));
  CHECK_NEAR(W->control[3].limit[HP_CONTROL_WRAT], (132.0 - 142.0 * 10.0 / 658.0) / (1.0 - 10.0 / 658.0), 1e-9);
}

/* Well 0 makes 10 (110 bar - bhp), for which its table asks for a bhp of 100 bar + 0.1 bar a m3/s: 50 at 105 bar. */
static void test_lifted(hp_wells *W) {
  double number[] = {1e-9, 1000.0, 10.0 * BAR, 0.0, 0.0, 100.0 * BAR, 200.0 * BAR};
  const hp_lift_spec spec = {
      .name = "L", .table = {.flow = 0, .count = {2, 1, 1, 1}, .datum = W->ref_depth[0]}, .number = number};
  hp_group_control f = hp_group_nothing();
  CHECK_OK(hp_wells_set_lift(W, 1, &spec));
  reset(W);
  f.production[HP_CONTROL_ORAT] = 150.0;
  share(W, &f);
  expect(W, HP_CONTROL_ORAT, 25.0, 50.0, 75.0);
  hp_well_control c = W->deck_control[0];
  c.vfp = 1;
  c.limit[HP_CONTROL_THP] = 10.0 * BAR;
  hp_wells_set_control(W, 0, &c);
  share(W, &f); /* 50 : 200 : 300 */
  expect(W, HP_CONTROL_ORAT, 150.0 / 11.0, 600.0 / 11.0, 900.0 / 11.0);
  for (int w = 0; w < 3; ++w) {
    c = W->deck_control[w];
    c.guide_rate = 1.0;
    c.guide_by = HP_GUIDE_SHARED;
    hp_wells_set_control(W, w, &c);
  }
  f.production[HP_CONTROL_ORAT] = 300.0; /* well 0 makes 50 of it, the others what is left */
  share(W, &f);
  CHECK_NEAR(W->control[1].limit[HP_CONTROL_ORAT], 125.0, 1e-6);
  CHECK_NEAR(W->control[2].limit[HP_CONTROL_ORAT], 125.0, 1e-6);
}

int main(void) {
  hp_wells *W = row_of_wells(WELLS, 2);
  CHECK_OK(hp_groups_create(1, &groups));
  test_proportion(W);
  test_guides(W);
  test_caps(W);
  test_aside(W);
  test_several(W);
  test_injection(W);
  test_excess(W);
  test_lifted(W);
  hp_wells_destroy(&W);
  hp_groups_destroy(&groups);
  CHECK(hp_memory_now() == 0);
  return check_result();
}
