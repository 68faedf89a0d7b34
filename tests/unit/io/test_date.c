/* Dates: the calendar day by day, texts, months from a start, what is said of a date that is wrong. */
#include <string.h>

#include "io/date.h"
#include "tests/support/check.h"

/* A calendar that is counted on its fingers. */
static void check_calendar(void) {
  static const int length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  int64_t number = hp_date_day_number(1000, 1, 1);
  CHECK(number == -354285 && hp_date_day_number(1970, 1, 1) == 0 && hp_date_day_number(2000, 3, 1) == 11017);
  for (int64_t year = 1000; year <= 12000; ++year)
    for (int month = 1; month <= 12; ++month) {
      const bool leap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
      const int days = length[month - 1] + (leap && month == 2);
      for (int day = 1; day <= days; ++day, ++number) {
        int64_t y;
        int m, d;
        hp_date_of_day(number, &y, &m, &d);
        if (y == year && m == month && d == day && hp_date_day_number(year, month, day) == number) continue;
        CHECK(false);
        return;
      }
    }
}

static void check_texts(void) {
  static const struct {
    const char *text, *written; /* NULL: no date */
    double second;
  } of[] = {{"2026-07-20", "2026-07-20", 0.0},
            {"2026-07-20 06:00", "2026-07-20T06:00:00", 21600.0},
            {"2026-07-20T06:00", "2026-07-20T06:00:00", 21600.0},
            {"2024-02-29 23:59:59", "2024-02-29T23:59:59", 86399.0},
            {"2026-07-20T00:00:00", "2026-07-20", 0.0},
            {"2026-07-20 06:00:00.25", "2026-07-20T06:00:00.25", 21600.25},
            {"2026-07-20 00:00:00.000001", "2026-07-20T00:00:00.000001", 1e-6},
            {"9999-12-31", "9999-12-31", 0.0},
            {"2026-02-29", NULL, 0.0},
            {"2100-02-29", NULL, 0.0},
            {"2026-07-20 24:00", NULL, 0.0},
            {"2026-07-20 06:60", NULL, 0.0},
            {"2026-07-20 06:00:60", NULL, 0.0},
            {"2026-07-20 6:00", NULL, 0.0},
            {"2026-07-20 06", NULL, 0.0},
            {"2026-07-20  06:00", NULL, 0.0},
            {"2026-07-20 06:00.5", NULL, 0.0},
            {"2026-07-20 06:00:00.", NULL, 0.0},
            {"2026-07-20 06:00:00.1234567", NULL, 0.0},
            {"2026-07-20T06:00:00Z", NULL, 0.0},
            {"2026-07-20T06:00:00+02:00", NULL, 0.0},
            {" 2026-07-20", NULL, 0.0},
            {"2026-07-20 ", NULL, 0.0},
            {"2026-00-20", NULL, 0.0},
            {"0999-12-31", NULL, 0.0},
            {"12026-01-01", NULL, 0.0},
            {"", NULL, 0.0}};
  for (size_t n = 0; n < sizeof of / sizeof of[0]; ++n) {
    hp_date date = {0};
    const bool is = hp_date_read(of[n].text, &date);
    if (is != (of[n].written != NULL) || (is && strcmp(hp_date_write(date).s, of[n].written) != 0) ||
        (is && date.second != of[n].second))
      fprintf(stderr, "%s\n", of[n].text);
    CHECK(is == (of[n].written != NULL));
    if (is) CHECK(strcmp(hp_date_write(date).s, of[n].written) == 0 && date.second == of[n].second);
  }
}

/* Counted from the start, whose day comes again after a month that is too short for it. */
static void check_months(void) {
  static const struct {
    const char *start, *text, *date;
  } of[] = {{"2026-01-31", "1 month", "2026-02-28"},
            {"2026-01-31", "2 months", "2026-03-31"},
            {"2026-01-31", "3 months", "2026-04-30"},
            {"2026-01-31", "11 months", "2026-12-31"},
            {"2026-01-31", "12 months", "2027-01-31"},
            {"2027-12-31", "2 months", "2028-02-29"},
            {"2024-02-29", "1 year", "2025-02-28"},
            {"2024-02-29", "4years", "2028-02-29"},
            {"2024-02-29", "1200 months", "2124-02-29"},
            {"2000-02-29", "100 years", "2100-02-28"},
            {"2026-01-30T06:30:00", "1 month", "2026-02-28 06:30"}};
  for (size_t n = 0; n < sizeof of / sizeof of[0]; ++n) {
    double time = NAN;
    char why[HP_DATE_WHY];
    CHECK(hp_date_time(of[n].text, of[n].start, &time, why));
    CHECK(strcmp(hp_date_at(of[n].start, time, false).s, of[n].date) == 0);
    CHECK(hp_date_time(of[n].date, of[n].start, &time, why) &&
          strcmp(hp_date_at(of[n].start, time, false).s, of[n].date) == 0);
  }
  static const char *const none[] = {"0 months", "1.5 months",   "-1 month",      "month",
                                     "1 Month",  "1 months ago", "1234567 months"};
  int64_t months;
  for (size_t n = 0; n < sizeof none / sizeof none[0]; ++n) CHECK(!hp_date_months(none[n], &months));
}

static void check_times(void) {
  static const struct {
    const char *start;
    double time;
    const char *brief, *whole;
  } of[] = {{"2026-01-01", 0.0, "2026-01-01", "2026-01-01 00:00:00"},
            {"2026-01-01", 59 * 86400.0, "2026-03-01", "2026-03-01 00:00:00"},
            {"2024-01-01", 59 * 86400.0, "2024-02-29", "2024-02-29 00:00:00"},
            {"2026-01-01", 21600.0, "2026-01-01 06:00", "2026-01-01 06:00:00"},
            {"2026-01-01", 86399.4, "2026-01-02", "2026-01-01 23:59:59"},
            {"2026-12-31", 86399.6, "2027-01-01", "2027-01-01 00:00:00"},
            {"2026-01-01T23:59:59.5", 0.5, "2026-01-02", "2026-01-02 00:00:00"},
            {"9999-12-31", 86400.0, "10000-01-01", "10000-01-01 00:00:00"},
            {"2000-01-01", 1e13 - 86400.0, "318887-05-19 17:47", "318887-05-19 17:46:40"},
            {"2026-01-01", 1e13, "", ""},
            {"2026-01-01", 1e300, "", ""},
            {"2026-01-01", NAN, "", ""},
            {"", 1.0, "", ""}};
  for (size_t n = 0; n < sizeof of / sizeof of[0]; ++n) {
    const hp_date_text brief = hp_date_at(of[n].start, of[n].time, false),
                       whole = hp_date_at(of[n].start, of[n].time, true);
    if (strcmp(brief.s, of[n].brief) == 0 && strcmp(whole.s, of[n].whole) == 0) continue;
    fprintf(stderr, "%s + %g s: %s, %s\n", of[n].start, of[n].time, brief.s, whole.s);
    CHECK(false);
  }
  double time = 0.0;
  char why[HP_DATE_WHY];
  /* whole seconds are exact however far away, and parts of one are where they are counted from */
  CHECK(hp_date_time("9999-12-31 23:59:59", "1000-01-01", &time, why) && time == 284012524799.0);
  CHECK(hp_date_time("9000-01-01 06:00:00.125", "9000-01-01 06:00", &time, why) && time == 0.125);
}

static void check_faults(void) {
  static const struct {
    const char *text, *start, *why;
  } of[] = {
      {"2025-12-31", "2026-01-01", "'2025-12-31': is before start, which is 2026-01-01"},
      {"2026-01-01 05:59", "2026-01-01T06:00:00", "is before start, which is 2026-01-01T06:00:00"},
      {"2026-02-30", "2026-01-01", "or a number; 2026-02 has 28 days"},
      {"2026-13-01", "2026-01-01", "must be a date that exists, like 2026-01-31, 2026-01-31 06:00 or"},
      {"2026-07-20", "", "a date needs start, the date of time zero, which the deck does not give; or write a number"},
      {"1 month", "", "a date needs start"}};
  for (size_t n = 0; n < sizeof of / sizeof of[0]; ++n) {
    double time;
    char why[HP_DATE_WHY] = "";
    CHECK(hp_date_is_meant(of[n].text) && !hp_date_time(of[n].text, of[n].start, &time, why));
    CHECK(strstr(why, of[n].why) != NULL);
  }
}

int main(void) {
  check_calendar();
  check_texts();
  check_months();
  check_times();
  check_faults();
  return check_result();
}
