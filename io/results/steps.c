/* The report step of a result that is meant: by its number, its date, or the latest that a run can go on from. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "io/date.h"
#include "io/results/impl.h"

/* "0, 4, 9 and 12"; of many the first and the last ones. */
static void list_steps(hp_text *t, int64_t count, const double *step) {
  enum { SHOWN = 8 };
  for (int64_t n = 0; n < count; ++n) {
    if (count > SHOWN && n >= SHOWN / 2 && n < count - SHOWN / 2) continue;
    const bool gap = count > SHOWN && n == count - SHOWN / 2;
    hp_text_add(t, "%s%.0f", n == 0 ? "" : gap ? ", ..., " : n + 1 == count ? " and " : ", ", step[n]);
  }
}

/* any: whether it can be gone on from does not matter. */
static hp_status refuse(const char *name, int wanted, bool any, int64_t nstep, const double *step, int64_t nkept,
                        const double *kept) {
  hp_text t = {0};
  bool written = false;
  for (int64_t n = 0; n < nstep; ++n) written = written || (int)step[n] == wanted;
  if (wanted >= 0 && !written) hp_text_add(&t, "%s: there is no report step %d", name, wanted);
  else if (any) hp_text_add(&t, "%s: there is no report step", name);
  else if (wanted >= 0)
    hp_text_add(&t, "%s: report step %d was written without what a run needs to go on", name, wanted);
  else hp_text_add(&t, "%s: no report step was written with what a run needs to go on", name);
  if (nstep == 0) hp_text_add(&t, ": the run ended before its first report step had its name; run its deck again");
  if (any && nstep > 0) {
    hp_text_add(&t, "; there are ");
    list_steps(&t, nstep, step);
  } else if (nkept > 0) {
    hp_text_add(&t, "; a run can be continued from step%s ", nkept > 1 ? "s" : "");
    list_steps(&t, nkept, kept);
  }
  if (nstep > 0 && (wanted < 0 || written)) hp_text_add(&t, " (output.restart says of how many steps it is kept)");
  const hp_status s = t.status == HP_OK ? hp_fail(HP_ERR_USAGE, "%s", t.s) : t.status;
  hp_text_clear(&t);
  return s;
}

/* Whether a file stands there; what hinders the look is no sign that it does not. */
static hp_status look_for(const char *path, bool *there) {
  *there = access(path, F_OK) == 0;
  if (*there || errno == ENOENT) return HP_OK;
  return hp_fail(HP_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno));
}

/* Of the steps of a result those that have a restart file, or any; the wanted one of
 * them. */
static hp_status choose(const char *name, int wanted, bool any, int64_t nstep, const double *step, int *chosen) {
  double *kept = NULL;
  int64_t nkept = 0;
  hp_status s = HP_ALLOC(kept, nstep);
  *chosen = -1;
  for (int64_t n = 0; s == HP_OK && n < nstep; ++n) {
    char *steps = NULL, *path = NULL;
    s = hp_format(&steps, "%s.steps", name);
    if (s == HP_OK) s = hp_restart_path(steps, (int)step[n], &path);
    bool there = false;
    if (s == HP_OK) s = look_for(path, &there);
    if (there) kept[nkept++] = step[n];
    if ((there || any) && (wanted < 0 || (int)step[n] == wanted)) *chosen = (int)step[n];
    HP_FREE(path);
    HP_FREE(steps);
  }
  if (s == HP_OK && *chosen < 0) s = refuse(name, wanted, any, nstep, step, nkept, kept);
  HP_FREE(kept);
  return s;
}

static hp_status check_master(const hp_h5 *h) {
  char *format;
  HP_TRY(hp_h5_read_text(h, "/", "format", &format));
  const bool ours = strcmp(format, "hepta result") == 0;
  HP_FREE(format);
  if (ours && hp_h5_exists(h, "/time")) return HP_OK;
  return hp_fail(HP_ERR_FILE, "%s: not the master file of a result; give NAME.h5, which names all others", h->path);
}

hp_status hp_result_open(hp_h5 *h, const char *path) {
  const size_t n = strlen(path);
  if (n < 4 || strcmp(path + n - 3, ".h5") != 0)
    return hp_fail(HP_ERR_USAGE, "%s: not the master file of a result; its name ends in .h5", path);
  HP_TRY(hp_h5_open(h, path));
  const hp_status s = check_master(h);
  if (s != HP_OK) hp_h5_discard(h);
  return s;
}

hp_status hp_result_check(const hp_h5 *h) {
  char *format;
  HP_TRY(hp_h5_read_text(h, "/", "format", &format));
  const bool ours = strcmp(format, "hepta result") == 0;
  HP_FREE(format);
  return ours ? HP_OK : hp_fail(HP_ERR_USAGE, "%s: is not a hepta result", h->path);
}

/* A number of a report step, as a double. */
bool hp_result_is_step(double v) { return v >= 0.0 && v <= 2147483647.0 && v == floor(v); }

static hp_status check_steps(const hp_h5 *h, int64_t nstep, const double *step) {
  for (int64_t n = 0; n < nstep; ++n)
    if (!hp_result_is_step(step[n]))
      return hp_fail(HP_ERR_FILE, "%s: /step: %g is not the number of a report step", h->path, step[n]);
  return HP_OK;
}

hp_status hp_result_time(const hp_h5 *h, const char *date, double *time) {
  char *start, why[HP_DATE_WHY];
  HP_TRY(hp_h5_read_text(h, "/", "start", &start));
  const bool good = hp_date_time(date, start, time, why);
  HP_FREE(start);
  return good ? HP_OK : hp_fail(HP_ERR_USAGE, "%s: %s", h->path, why);
}

/* The report step at a date; where there is none, which are before and after it. */
static hp_status step_at(const hp_h5 *h, const char *date, int64_t nstep, const double *step, const double *time,
                         int *wanted) {
  static const double second = 1.0;
  double at;
  char *start;
  HP_TRY(hp_result_time(h, date, &at));
  int64_t next = 0;
  while (next < nstep && time[next] < at - 0.5 * second) ++next;
  if (next < nstep && time[next] < at + 0.5 * second) {
    *wanted = (int)step[next];
    return HP_OK;
  }
  HP_TRY(hp_h5_read_text(h, "/", "start", &start));
  hp_text t = {0};
  for (int64_t n = next > 0 ? next - 1 : 0; n <= next && n < nstep; ++n)
    hp_text_add(&t, "%s step %.0f %sat %s", t.length > 0 ? "," : ";", step[n], t.length > 0 ? "" : "is ",
                hp_date_at(start, time[n], false).s);
  HP_FREE(start);
  const hp_status s = t.status != HP_OK ? t.status
                                        : hp_fail(HP_ERR_USAGE, "%s: there is no report step at %s%s", h->path, date,
                                                  t.length > 0 ? t.s : "");
  hp_text_clear(&t);
  return s;
}

hp_status hp_result_find_step(const char *name, const char *which, bool any, int *chosen, double *at) {
  int wanted = which != NULL ? (int)strtol(which, NULL, 10) : -1;
  char *path;
  bool listed;
  double *step = NULL, *time = NULL;
  int64_t nstep = 0, ntime = 0;
  hp_h5 h = {.file = -1};
  HP_TRY(hp_format(&path, "%s.h5", name));
  bool there = false;
  hp_status s = look_for(path, &there);
  if (s == HP_OK && !there) s = hp_fail(HP_ERR_USAGE, "%s: no such result", path);
  if (s == HP_OK) s = hp_h5_open(&h, path);
  if (s == HP_OK) s = hp_result_check(&h);
  if (s == HP_OK) s = hp_result_verify(&h, &listed);
  if (s == HP_OK) s = hp_h5_read(&h, "/step", &step, &nstep);
  if (s == HP_OK) s = check_steps(&h, nstep, step);
  if (s == HP_OK) s = hp_h5_read(&h, "/time", &time, &ntime);
  if (s == HP_OK && ntime != nstep) s = hp_fail(HP_ERR_FILE, "%s: /time and /step differ in length", path);
  if (s == HP_OK && which != NULL && hp_date_is_meant(which)) s = step_at(&h, which, nstep, step, time, &wanted);
  hp_h5_discard(&h);
  if (s == HP_OK) s = choose(name, wanted, any, nstep, step, chosen);
  for (int64_t n = 0; s == HP_OK && n < nstep; ++n)
    if ((int)step[n] == *chosen) *at = time[n];
  HP_FREE(step);
  HP_FREE(time);
  HP_FREE(path);
  return s;
}
