/* Lift tables of an Eclipse deck, and the controls that name them. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/io/eclipse/eclipse_wells.h"

#define PSI 6894.757293168361
#define BARREL 0.158987294928 /* m3 */

/* The pressure of a table in its row of thp t, ratio r and lift l, at its rate f. */
static double pressure(int l, int r, int t, int f) { return 100.0 + 40.0 * t + 13.0 * r - 5.0 * l + 3.0 * f; }

/* Its bhp at that place, in deck units. */
static double bhp_at(const hp_lift_spec *v, double unit, int l, int r, int t, int f) {
  const int *n = v->table.count;
  const int64_t row = ((int64_t)l * n[HP_LIFT_RATIO] + r) * n[HP_LIFT_THP] + t;
  return v->number[hp_lift_axis(&v->table, HP_LIFT_AXES) + row * n[HP_LIFT_FLOW] + f] / unit;
}

static void expect_axis(const hp_lift_spec *v, int axis, double unit, double first, double last) {
  const double *x = v->number + hp_lift_axis(&v->table, axis);
  CHECK_NEAR(x[0] / unit, first, 1e-9 * (1.0 + first));
  CHECK_NEAR(x[v->table.count[axis] - 1] / unit, last, 1e-9 * (1.0 + last));
}

static const hp_lift_spec *table_of(const hp_case *c, const char *name) {
  const int n = hp_case_lift(c, name);
  CHECK(n > 0);
  return &c->lift[n > 0 ? n - 1 : 0];
}

/* Rows come in any order; those of free gas are passed over. */
static void test_producers(void) {
  static char text[4096];
  size_t n = (size_t)snprintf(
      text, sizeof text,
      TWO_WELLS TWO_CONTROLS
      "VFPPROD\n 7 2010 LIQ WCT GOR THP '' METRIC BHP /\n 10 20 30 /\n 5 15 /\n 0 0.5 /\n 0 90 /\n"
      " 0 2 /\n");
  for (int l = 1; l >= 0; --l)
    for (int g = 0; g < 2; ++g)
      for (int r = 0; r < 2; ++r)
        for (int t = 1; t >= 0; --t) {
          n += (size_t)snprintf(text + n, sizeof text - n, " %d %d %d %d", t + 1, r + 1, g + 1, l + 1);
          for (int f = 0; f < 3; ++f)
            n += (size_t)snprintf(text + n, sizeof text - n, " %g", pressure(l, r, t, f) + 500.0 * g);
          n += (size_t)snprintf(text + n, sizeof text - n, " /\n");
        }
  snprintf(text + n, sizeof text - n, "TSTEP\n 1 /\n");
  hp_case *c = schedule(text);
  if (c == NULL) return;
  CHECK(deck_noted("of 2 fractions of gas the first, 0, is taken"));
  const hp_lift_spec *v = table_of(c, "VFPPROD 7");
  CHECK(c->nlift == 1 && !v->table.injector && hp_lift_control(&v->table) == HP_CONTROL_LRAT);
  CHECK(v->table.ratio == HP_LIFT_CUT && v->table.datum == 2010.0 && hp_lift_numbers(&v->table) == 3 + 2 + 2 + 2 + 24);
  expect_axis(v, HP_LIFT_FLOW, 1.0 / DAY, 10.0, 30.0);
  expect_axis(v, HP_LIFT_THP, BAR, 5.0, 15.0);
  expect_axis(v, HP_LIFT_RATIO, 1.0, 0.0, 0.5);
  expect_axis(v, HP_LIFT_LIFT, 1.0, 0.0, 2.0);
  for (int at = 0; at < 24; ++at) {
    const int l = at / 12, r = at / 6 % 2, t = at / 3 % 2, f = at % 3;
    CHECK_NEAR(bhp_at(v, BAR, l, r, t, f), pressure(l, r, t, f), 1e-9);
  }
  hp_case_destroy(&c);
}

static void test_field_units(void) {
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nFIELD\n";
  d.schedule = TWO_WELLS TWO_CONTROLS
      "VFPPROD\n 1 6000 OIL WOR GLR THP '' FIELD /\n 100 500 /\n 50 /\n 0 3 /\n 0 /\n 0 /\n 1 1 1 1 900 950 /\n"
      " 1 2 1 1 1000 1050 /\nVFPINJ\n 1 5900 WAT THP FIELD BHP /\n 100 500 /\n 1000 2000 /\n 1 3000 2900 /\n"
      " 2 4000 3900 /\nTSTEP\n 1 /\n";
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_lift_spec *v = table_of(c, "VFPPROD 1"), *in = table_of(c, "VFPINJ 1");
  CHECK(v->table.ratio == HP_LIFT_WOR && hp_lift_control(&v->table) == HP_CONTROL_ORAT && in->table.injector);
  CHECK_NEAR(v->table.datum, 6000.0 * 0.3048, 1e-9);
  CHECK_NEAR(in->table.datum, 5900.0 * 0.3048, 1e-9);
  expect_axis(v, HP_LIFT_FLOW, BARREL / DAY, 100.0, 500.0);
  expect_axis(v, HP_LIFT_THP, PSI, 50.0, 50.0);
  expect_axis(v, HP_LIFT_RATIO, 1.0, 0.0, 3.0);
  CHECK_NEAR(bhp_at(v, PSI, 0, 1, 0, 1), 1050.0, 1e-6);
  expect_axis(in, HP_LIFT_THP, PSI, 1000.0, 2000.0);
  CHECK_NEAR(bhp_at(in, PSI, 0, 0, 1, 0), 4000.0, 1e-6);
  CHECK_NEAR(bhp_at(in, PSI, 0, 0, 0, 1), 2900.0, 1e-6);
  hp_case_destroy(&c);
}

#define PRODUCER(number) \
  "VFPPROD\n " number " 2000 LIQ WCT GOR /\n 1 2 /\n 3 4 /\n 0 /\n 0 /\n 0 /\n 1 1 1 1 10 20 /\n 2 1 1 1 30 40 /\n"
#define INJECTOR "VFPINJ\n 1 2000 WAT /\n 1 2 /\n 3 4 /\n 1 10 9 /\n 2 30 29 /\n"

static void expect_lift(const hp_well_control *k, hp_control control, int vfp, double lift, double thp) {
  CHECK(k->control == control && k->vfp == vfp && k->lift == lift);
  if (isnan(thp)) CHECK(isnan(k->limit[HP_CONTROL_THP]));
  else CHECK_NEAR(k->limit[HP_CONTROL_THP] / BAR, thp, 1e-9);
}

static void test_controls(void) {
  hp_case *c = schedule(
      TWO_WELLS TWO_CONTROLS PRODUCER("1") PRODUCER("5") INJECTOR
      "WCONPROD\n P OPEN ORAT 10 4* 100 20 1 4 /\n/\nWCONINJE\n I WATER OPEN RATE 50 1* 400 150 1 /\n/\nTSTEP\n 1 /\n"
      "WELTARG\n P THP 25 /\n P LIFT 6 /\n I THP 140 /\n/\nTSTEP\n 1 /\nWELTARG\n P VFP 5 /\n/\nTSTEP\n 1 /\n"
      "WCONPROD\n P OPEN THP 5* 90 30 1 /\n/\nWCONINJE\n I WATER OPEN THP 2* 400 120 1 /\n/\nTSTEP\n 1 /\n"
      "WCONHIST\n P OPEN ORAT 10 20 0 5 3 40 90 /\n/\nWCONINJE\n I WATER OPEN RATE 50 1* 400 0 1 /\n/\nTSTEP\n 1 /\n"
      "WCONPROD\n P OPEN ORAT 10 4* 100 20 5 /\n/\nWELCNTL\n P THP 22 /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  const int first = hp_case_lift(c, "VFPPROD 1"), fifth = hp_case_lift(c, "VFPPROD 5"),
            in = hp_case_lift(c, "VFPINJ 1");
  CHECK(first > 0 && fifth > 0 && in > 0 && hp_case_lift(c, "VFPINJ 5") < 0);
  expect_lift(control_at(c, "P", 0.0), HP_CONTROL_ORAT, first, 4.0, 20.0);
  CHECK_NEAR(control_at(c, "P", 0.0)->limit[HP_CONTROL_BHP], 100.0 * BAR, 1e-6);
  expect_lift(control_at(c, "I", 0.0), HP_CONTROL_WRAT, in, 0.0, 150.0);
  expect_lift(control_at(c, "P", 1.0 * DAY), HP_CONTROL_ORAT, first, 6.0, 25.0);
  expect_lift(control_at(c, "I", 1.0 * DAY), HP_CONTROL_WRAT, in, 0.0, 140.0);
  expect_lift(control_at(c, "P", 2.0 * DAY), HP_CONTROL_ORAT, fifth, 6.0, 25.0);
  expect_lift(control_at(c, "P", 3.0 * DAY), HP_CONTROL_THP, first, 0.0, 30.0);
  expect_lift(control_at(c, "I", 3.0 * DAY), HP_CONTROL_THP, in, 0.0, 120.0);
  expect_lift(control_at(c, "P", 4.0 * DAY), HP_CONTROL_ORAT, fifth, 3.0, NAN); /* the observed thp limits nothing */
  expect_lift(control_at(c, "I", 4.0 * DAY), HP_CONTROL_WRAT, in, 0.0, NAN);
  expect_lift(control_at(c, "P", 5.0 * DAY), HP_CONTROL_THP, fifth, 0.0, 22.0);
  hp_case_destroy(&c);
}

int main(void) {
  test_producers();
  test_field_units();
  test_controls();
  return deck_end();
}
