#include "io/date.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789";

/* ---- the calendar ---- */

int hp_date_days_in_month(int64_t year, int month) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return days[month - 1] + (month == 2 && leap);
}

enum { DAYS_OF_400_YEARS = 146097, TO_1970 = 719468 }; /* from 1 March of year 0, as a leap day ends its year */

int64_t hp_date_day_number(int64_t year, int month, int64_t day) {
  const int64_t y = month <= 2 ? year - 1 : year;
  const int64_t era = y / 400, of_era = y - 400 * era;
  const int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * DAYS_OF_400_YEARS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - TO_1970;
}

void hp_date_of_day(int64_t day, int64_t *year, int *month, int *of_month) {
  const int64_t days = day + TO_1970, era = days / DAYS_OF_400_YEARS, of_era = days % DAYS_OF_400_YEARS;
  const int64_t of_400 = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const int of_year = (int)(of_era - (365 * of_400 + of_400 / 4 - of_400 / 100));
  const int since_march = (5 * of_year + 2) / 153;
  *of_month = of_year - (153 * since_march + 2) / 5 + 1;
  *month = since_march < 10 ? since_march + 3 : since_march - 9;
  *year = era * 400 + of_400 + (*month <= 2);
}

/* ---- texts ---- */

/* Reads `count` digits behind one of the letters `before` ("": none); NULL: they are not there. */
static const char *take(const char *at, const char *before, int count, int *value) {
  if (at == NULL || (before[0] != '\0' && (*at == '\0' || strchr(before, *at++) == NULL))) return NULL;
  *value = 0;
  for (int n = 0; n < count; ++n, ++at) {
    if (*at < '0' || *at > '9') return NULL;
    *value = 10 * *value + (*at - '0');
  }
  return at;
}

bool hp_date_read(const char *text, hp_date *date) {
  int year, month, day, hour = 0, minute = 0, second = 0;
  double fraction = 0.0;
  const char *at = take(take(take(text, "", 4, &year), "-", 2, &month), "-", 2, &day);
  if (at != NULL && *at != '\0') at = take(take(at, "T ", 2, &hour), ":", 2, &minute);
  if (at != NULL && *at != '\0') {
    at = take(at, ":", 2, &second);
    const size_t length = at != NULL && *at == '.' ? strspn(at + 1, digits) : 0;
    if (length > 0 && length <= 6) {
      fraction = strtod(at, NULL);
      at += 1 + length;
    }
  }
  if (at == NULL || *at != '\0' || hour > 23 || minute > 59 || second > 59) return false;
  if (year < HP_DATE_FIRST_YEAR || month < 1 || month > 12 || day < 1 || day > hp_date_days_in_month(year, month))
    return false;
  *date = (hp_date){hp_date_day_number(year, month, day), 3600.0 * hour + 60.0 * minute + second + fraction};
  return true;
}

static hp_date_text day_text(int64_t day) {
  hp_date_text out;
  int64_t year;
  int month, of_month;
  hp_date_of_day(day, &year, &month, &of_month);
  snprintf(out.s, sizeof out.s, "%04lld-%02d-%02d", (long long)year, month, of_month);
  return out;
}

hp_date_text hp_date_write(hp_date date) {
  enum { MICRO = 1000000 };
  hp_date_text out = day_text(date.day);
  const int64_t micro = llround(date.second * MICRO), s = micro / MICRO;
  if (micro == 0) return out;
  char *at = out.s + strlen(out.s);
  at += snprintf(at, 16, "T%02d:%02d:%02d", (int)(s / 3600), (int)(s / 60 % 60), (int)(s % 60));
  if (micro % MICRO == 0) return out;
  at += snprintf(at, 8, ".%06d", (int)(micro % MICRO));
  while (at[-1] == '0') *--at = '\0';
  return out;
}

/* Three whole numbers between two equal separators, the first or the last of four digits, the others of one or two. */
static bool is_date_at(const char *at, const char *separators) {
  size_t count[3];
  char between[2] = "";
  for (int n = 0; n < 3; ++n) {
    count[n] = strspn(at, digits);
    at += count[n];
    if (n == 2) break;
    if (*at == '\0' || strchr(separators, *at) == NULL) return false;
    between[n] = *at++;
  }
  const bool year_first = count[0] == 4 && (count[2] == 1 || count[2] == 2);
  const bool year_last = count[2] == 4 && (count[0] == 1 || count[0] == 2);
  return between[0] == between[1] && (year_first || year_last) && (count[1] == 1 || count[1] == 2);
}

/* Three whole numbers between two equal separators and nothing else: a date whose year may lack digits. Slashes and
 * points stand between numbers of two digits at most. */
static bool is_date_alone(const char *text, const char *separators) {
  const char *at = text + strspn(text, " ");
  char between = '\0';
  for (int n = 0; n < 3; ++n) {
    const size_t count = strspn(at, digits);
    if (count == 0 || (count > 2 && between != '-' && !(n == 0 && at[count] == '-'))) return false;
    at += count;
    if (n == 0) between = *at;
    if (n < 2 && (*at == '\0' || *at++ != between || strchr(separators, between) == NULL)) return false;
  }
  if (*at == 'T' || *at == ' ') at += 1 + strspn(at + 1, "0123456789:. "); /* the time of day */
  return *at == '\0';
}

bool hp_date_is_in(const char *text, const char *separators) {
  if (is_date_alone(text, separators)) return true;
  for (const char *at = text; *at != '\0'; ++at) {
    const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '.');
    if (begins && is_date_at(at, separators)) return true;
  }
  return false;
}

bool hp_date_is_meant(const char *text) {
  int64_t months;
  const size_t more = strlen(text) > 5 ? strspn(text + 5, digits) : 0;
  const bool month = strspn(text, digits) == 4 && (text[4] == '-' || text[4] == '/') && more > 0 && more < 3;
  return hp_date_is_in(text, "-/.") || (month && text[5 + more] == '\0') || hp_date_months(text, &months);
}

/* ---- times ---- */

bool hp_date_months(const char *text, int64_t *months) {
  static const char *const unit[] = {"month", "months", "year", "years"};
  const size_t n = strspn(text, digits), blanks = strspn(text + n, " ");
  for (size_t u = 0; n > 0 && n <= 6 && u < sizeof unit / sizeof unit[0]; ++u) {
    if (strcmp(text + n + blanks, unit[u]) != 0) continue;
    *months = strtol(text, NULL, 10) * (u < 2 ? 1 : 12);
    return *months > 0;
  }
  return false;
}

double hp_date_after(const char *start, int64_t months) {
  hp_date zero;
  int64_t year;
  int month, day;
  if (!hp_date_read(start, &zero)) return NAN;
  hp_date_of_day(zero.day, &year, &month, &day);
  const int64_t all = 12 * year + month - 1 + months;
  const int most = hp_date_days_in_month(all / 12, (int)(all % 12) + 1);
  return 86400.0 * (double)(hp_date_day_number(all / 12, (int)(all % 12) + 1, day < most ? day : most) - zero.day);
}

/* A year of two digits: "; years have four digits"; a day beyond the end of its month: "; 2026-02 has 28 days"; else "". */
static void add_advice(const char *text, char *why, size_t size) {
  int year, month, day;
  if (is_date_alone(text, "-/.") && !is_date_at(text + strspn(text, " "), "-/."))
    snprintf(why, size, "; years have four digits");
  if (take(take(take(text, "", 4, &year), "-", 2, &month), "-", 2, &day) == NULL || month < 1 || month > 12) return;
  const int most = hp_date_days_in_month(year, month);
  if (day > most && year >= HP_DATE_FIRST_YEAR) snprintf(why, size, "; %04d-%02d has %d days", year, month, most);
}

bool hp_date_time(const char *text, const char *start, double *time, char why[HP_DATE_WHY]) {
  hp_date zero = {0}, date;
  int64_t months = 0;
  const bool by_months = hp_date_months(text, &months), is_date = !by_months && hp_date_read(text, &date);
  const bool counts = hp_date_read(start, &zero);
  int n = snprintf(why, HP_DATE_WHY, "'%.120s': ", text);
  if (!by_months && !is_date) {
    n += snprintf(why + n, (size_t)(HP_DATE_WHY - n),
                  "must be a date that exists, like 2026-01-31, 2026-01-31 06:00 or 2026-01-31T06:00:00, or a number");
    add_advice(text, why + n, (size_t)(HP_DATE_WHY - n));
  } else if (!counts) {
    snprintf(why + n, (size_t)(HP_DATE_WHY - n),
             "a date needs start, the date of time zero, which the deck does not give; or write a number");
  } else if (is_date && (date.day < zero.day || (date.day == zero.day && date.second < zero.second))) {
    snprintf(why + n, (size_t)(HP_DATE_WHY - n), "is before start, which is %.40s", start);
  } else {
    *time = by_months ? hp_date_after(start, months)
                      : 86400.0 * (double)(date.day - zero.day) + (date.second - zero.second);
    return true;
  }
  return false;
}

hp_date_text hp_date_at(const char *start, double time, bool seconds) {
  static const double most = 1e13; /* some 300,000 years */
  hp_date_text out = {""};
  hp_date zero;
  if (!hp_date_read(start, &zero) || !(time >= 0.0 && time < most)) return out;
  const int64_t unit = seconds ? 1 : 60, a_day = 86400 / unit;
  const double hair = 1e-3; /* halves go up although times in days may be that much too small */
  const int64_t all = (int64_t)floor((zero.second + time + hair) / (double)unit + 0.5);
  const int64_t s = all % a_day * unit;
  out = day_text(zero.day + all / a_day);
  if (!seconds && s == 0) return out;
  char *at = out.s + strlen(out.s);
  at += snprintf(at, 8, " %02d:%02d", (int)(s / 3600), (int)(s / 60 % 60));
  if (seconds) snprintf(at, 8, ":%02d", (int)(s % 60));
  return out;
}
