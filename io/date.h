/* Dates: points of time in the Gregorian calendar, without time zones, and times [s] counted from one of them, `start` of a
 * deck. All readers of dates come here; so what is wrong with one is said here, too.
 *
 *     "2026-07-20"  "2026-07-20 06:00"  "2026-07-20T06:00:00"  "2026-07-20 06:00:00.25"
 *     "1 month"  "18 months"  "2 years"    calendar months after start: 31 January, 28 February, 31 March
 */
#ifndef HP_IO_DATE_H
#define HP_IO_DATE_H

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_date {
  int64_t day;   /* since 1970-01-01 */
  double second; /* since midnight */
} hp_date;

typedef struct hp_date_text {
  char s[48];
} hp_date_text;

enum { HP_DATE_FIRST_YEAR = 1000 /* the years 98 and 0098 are meant as others */, HP_DATE_WHY = 320 };

/* month: 1 to 12. */
int hp_date_days_in_month(int64_t year, int month);
int64_t hp_date_day_number(int64_t year, int month, int64_t day);
void hp_date_of_day(int64_t day, int64_t *year, int *month, int *of_month);

/* False if the text is not a date. */
bool hp_date_read(const char *text, hp_date *date);
/* The form of hp_case.start and of result files: 2026-07-20, 2026-07-20T06:00:00, 2026-07-20T06:00:00.25. */
hp_date_text hp_date_write(hp_date date);

/* Whether a text holds what may be meant as a date (2026-07-20, 20-7-2026, or 26-07-20 alone) with these separators; whether
 * it is meant as a date, sound or not, or as months. */
bool hp_date_is_in(const char *text, const char *separators);
bool hp_date_is_meant(const char *text);

/* "18 months", "2 years"; and the time [s] from start until so many months later. */
bool hp_date_months(const char *text, int64_t *months);
double hp_date_after(const char *start, int64_t months);

/* The time [s] from start ("": there is none) to a date, or months later; false, and what is wrong with it. */
bool hp_date_time(const char *text, const char *start, double *time, char why[HP_DATE_WHY]);

/* The date `time` seconds after start, "" without one: 2026-07-20, or 2026-07-20 06:00, to the minute; with seconds always
 * 2026-07-20 06:00:00. */
hp_date_text hp_date_at(const char *start, double time, bool seconds);

HP_EXTERN_C_END

#endif
