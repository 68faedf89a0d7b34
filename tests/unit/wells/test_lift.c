/* Lift tables against values computed by hand, within their numbers and beyond. */
#include "wells/lift.h"

#include "tests/support/check.h"

/* 2 rates, 2 thp, 3 ratios, 2 of lift: bhp = 100 + 2 flow + 3 thp + 4 ratio - 5 lift + flow ratio; the upper interval of ratios is
 * twice as steep. */
static const hp_lift_table table = {.flow = 2, .count = {2, 2, 3, 2}, .datum = 0.0};

static double shape(double flow, double thp, double ratio, double lift) {
  const double x = ratio <= 1.0 ? ratio : 1.0 + 2.0 * (ratio - 1.0);
  return 100.0 + 2.0 * flow + 3.0 * thp + 4.0 * x - 5.0 * lift + flow * x;
}

static void fill(double *number) {
  static const double axes[] = {10.0, 20.0, 1.0, 3.0, 0.0, 1.0, 2.0, 0.0, 2.0};
  int at = 9;
  for (int n = 0; n < 9; ++n) number[n] = axes[n];
  for (int l = 0; l < 2; ++l)
    for (int r = 0; r < 3; ++r)
      for (int t = 0; t < 2; ++t)
        for (int f = 0; f < 2; ++f) number[at++] = shape(axes[f], axes[2 + t], axes[4 + r], axes[7 + l]);
}

static void test_values(const double *number) {
  static const double at[][4] = {{10, 1, 0, 0},   {20, 3, 2, 2},    {15, 2, 0.5, 1}, {15, 2, 1.5, 1}, {5, 2, 0.5, 1},
                                 {90, 2, 0.5, 1}, {15, 20, 0.5, 1}, {15, 2, 7, 1},   {15, 2, 0.5, 9}, {0, 0, 0, 0}};
  for (size_t n = 0; n < sizeof at / sizeof *at; ++n) {
    const double *a = at[n], h = 1e-3;
    const hp_lift_value v = hp_lift_eval(&table, number, a[0], a[1], a[2], a[3]);
    CHECK_NEAR(v.bhp, shape(a[0], a[1], a[2], a[3]), 1e-10);
    CHECK_NEAR(v.by_flow, (shape(a[0] + h, a[1], a[2], a[3]) - shape(a[0] - h, a[1], a[2], a[3])) / (2.0 * h), 1e-8);
    CHECK_NEAR(hp_lift_thp(&table, number, a[0], v.bhp, a[2], a[3]), a[1], 1e-9);
  }
  const hp_lift_value v = hp_lift_eval(&table, number, 15.0, 2.0, 1.5, 1.0);
  CHECK_NEAR(v.by_ratio, 2.0 * (4.0 + 15.0), 1e-9);
  CHECK_NEAR(v.bhp, 100.0 + 30.0 + 6.0 + 8.0 - 5.0 + 30.0, 1e-10); /* by hand */
}

/* Axes of one number. */
static void test_short(void) {
  const hp_lift_table one = {.count = {2, 1, 1, 1}};
  const double number[] = {10.0, 20.0, 5.0, 0.0, 0.0, 100.0, 130.0};
  CHECK(hp_lift_numbers(&one) == 7 && hp_lift_fault(&one, number) == NULL);
  const hp_lift_value v = hp_lift_eval(&one, number, 30.0, 99.0, 0.7, 3.0);
  CHECK_NEAR(v.bhp, 160.0, 1e-12);
  CHECK(v.by_ratio == 0.0);
  CHECK_NEAR(v.by_flow, 3.0, 1e-12);
}

static void test_faults(double *number) {
  CHECK(hp_lift_numbers(&table) == 33 && hp_lift_axis(&table, HP_LIFT_AXES) == 9 &&
        hp_lift_fault(&table, number) == NULL);
  number[1] = 10.0;
  CHECK(hp_lift_fault(&table, number) != NULL);
  number[1] = 20.0;
  number[4] = -1.0;
  CHECK(hp_lift_fault(&table, number) != NULL);
  number[4] = 0.0;
  const double kept = number[11];
  number[11] = number[9]; /* as much at a higher thp */
  CHECK(hp_lift_fault(&table, number) != NULL);
  number[11] = kept;
}

int main(void) {
  double number[33];
  fill(number);
  test_values(number);
  test_short();
  test_faults(number);
  return check_result();
}
