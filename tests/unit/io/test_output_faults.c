/* The result files when the disk or the process fails: at every single call in turn
 * (under a sanitizer at each fifth).
 *
 * The calls that change files are replaced here; a plan says which of them, counted from 1, goes wrong and how. When
 * a call fails, the run must end with an error that names a file; when the process is killed there (a write half
 * done), everything that was reported as written must be readable. A slow disk does not let a run get far ahead of it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/results/impl.h"
#include "output_case.h"

/* ---- the calls ---- */

typedef enum { PLAN_NONE, PLAN_FAIL, PLAN_KILL } plan_kind;

static plan_kind plan;
static int calls, target;                                /* counted calls; the one that goes wrong */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of all that is counted: several threads sync */

enum { FD_MAX = 64 };
static bool dirty[FD_MAX]; /* written since the last fsync */

/* Files closed with bytes that were not synced. */
enum { UNSYNCED_MAX = 256 };
static ino_t unsynced[UNSYNCED_MAX];
static int closed_dirty;

static void note_dirty(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0 || closed_dirty == UNSYNCED_MAX) abort();
  pthread_mutex_lock(&lock);
  unsynced[closed_dirty++] = status.st_ino;
  pthread_mutex_unlock(&lock);
}

static void forget(ino_t number) {
  pthread_mutex_lock(&lock);
  for (int n = 0; n < closed_dirty; ++n)
    if (unsynced[n] == number) unsynced[n--] = unsynced[--closed_dirty];
  pthread_mutex_unlock(&lock);
}

static void note_synced(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0) abort();
  forget(status.st_ino);
}

/* A file that no name leads to any more need not be on the disk. */
static void note_gone(const char *path) {
  struct stat status;
  if (lstat(path, &status) == 0) forget(status.st_ino);
}

/* True when this call is to fail; a kill happens here. */
static bool goes_wrong(int code) {
  if (plan == PLAN_NONE) return false;
  pthread_mutex_lock(&lock);
  const bool now = ++calls == target;
  pthread_mutex_unlock(&lock);
  if (!now) return false;
  if (plan == PLAN_KILL) raise(SIGKILL);
  errno = code;
  return true;
}

ssize_t write(int fd, const void *data, size_t size) {
  if (fd <= 2) return syscall(SYS_write, fd, data, size);
  if (plan == PLAN_KILL && calls + 1 == target && syscall(SYS_write, fd, data, size / 2) < 0) abort();
  if (goes_wrong(ENOSPC)) return -1;
  if (fd < FD_MAX) dirty[fd] = true;
  /* In pieces, as the system may do it. */
  return syscall(SYS_write, fd, data, size > 5000 ? 5000 : size);
}

static int flush_milliseconds;

/* Nothing here survives a power cut, so syncing for real would only take time. */
int fsync(int fd) {
  if (flush_milliseconds > 0) nanosleep(&(struct timespec){.tv_nsec = flush_milliseconds * 1000000L}, NULL);
  if (fd < FD_MAX) dirty[fd] = false;
  note_synced(fd);
  return goes_wrong(EIO) ? -1 : 0;
}

int close(int fd) {
  const bool wrong = fd > 2 && goes_wrong(EIO);
  if (fd >= 0 && fd < FD_MAX) {
    if (dirty[fd]) note_dirty(fd);
    dirty[fd] = false;
  }
  const int r = (int)syscall(SYS_close, fd);
  return wrong ? -1 : r;
}

int rename(const char *from, const char *to) {
  if (goes_wrong(EIO)) return -1;
  note_gone(to);
  return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path) {
  if (goes_wrong(EACCES)) return -1;
  note_gone(path);
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int mkdir(const char *path, mode_t mode) {
  return goes_wrong(EACCES) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int open(const char *path, int flags, ...) {
  va_list ap;
  va_start(ap, flags);
  const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(ap, unsigned) : 0;
  va_end(ap);
  struct stat status;
  const bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
  if (((flags & O_CREAT) != 0 || folder) && goes_wrong(EACCES)) return -1; /* not HDF5's look for an old file */
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

/* ---- the run ---- */

static const char *const names[CASE_WELLS] = {"INJ", "P1", "P2"};

/* Record of the writes that the run asked for; shared with a child that gets killed. */
typedef struct {
  int rows, steps;
} progress;

enum { STEPS = 3 };

static double refresh; /* of the run: 0, or so long that only the first report step and the end get into the master */

/* A report step after every time step, with progress. */
static hp_status run(const char *base, progress *done) {
  output_case o;
  hp_output *out = NULL;
  HP_TRY(case_create(&o, false, HP_UNITS_METRIC, names));
  o.c.output.eclipse = true;
  o.c.output.refresh = refresh;
  hp_status s = hp_output_open(&o.c, base, "hepta run known.cfg", CASE_WELLS, o.path, &out);
  for (int step = 1; s == HP_OK && step <= STEPS; ++step) {
    s = case_write_rows(out, step);
    if (s == HP_OK) done->rows = step;
    if (s == HP_OK) s = case_write_fields(out, &o, step, step);
    if (s == HP_OK && (refresh == 0.0 || step == 1)) done->steps = step;
  }
  const hp_status closed = hp_output_close(&out);
  if (s == HP_OK && closed == HP_OK) done->steps = STEPS;
  case_destroy(&o);
  return s != HP_OK ? s : closed;
}

static char *read_text(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL) return NULL;
  static char text[1 << 17];
  const size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  text[n] = '\0';
  return text;
}

static int count_lines(const char *path) {
  const char *text = read_text(path);
  int n = 0;
  for (; text != NULL && *text != '\0'; ++text) n += *text == '\n';
  return n;
}

static int64_t read_size(const uint8_t *at) {
  return (int64_t)at[0] << 24 | (int64_t)at[1] << 16 | (int64_t)at[2] << 8 | at[3];
}

/* How many whole arrays `name` an Eclipse file has; torn: whether something is left behind the last whole record. */
static int count_arrays(const char *path, const char *name, bool *torn) {
  static uint8_t data[1 << 20];
  FILE *f = fopen(path, "rb");
  const int64_t size = f != NULL ? (int64_t)fread(data, 1, sizeof data, f) : 0;
  int64_t at = 0;
  int found = 0;
  if (f != NULL) fclose(f);
  while (at + 8 <= size) {
    const int64_t length = read_size(data + at);
    if (at + 8 + length > size || read_size(data + at + 4 + length) != length) break;
    found += length == 16 && memcmp(data + at + 4, name, 8) == 0;
    at += 8 + length;
  }
  *torn = at != size;
  return found;
}

/* ---- a call fails ---- */

static void test_failures(int first) {
  const int64_t before = hp_memory_now();
  for (target = first;; target += check_every(61)) {
    progress done = {0, 0};
    plan = PLAN_FAIL;
    calls = closed_dirty = 0;
    const hp_status s = run("faults", &done);
    plan = PLAN_NONE;
    if (calls < target) { /* a run without failure */
      CHECK(s == HP_OK && done.rows == STEPS && done.steps == STEPS && closed_dirty == 0);
      break;
    }
    if (s != HP_ERR_FILE || strstr(hp_fail_text(), ": ") == NULL)
      fprintf(stderr, "call %d: status %d: %s\n", target, (int)s, hp_fail_text());
    CHECK(s == HP_ERR_FILE);
    CHECK(strstr(hp_fail_text(), "cannot") != NULL);
    CHECK(strstr(hp_fail_text(), "faults") != NULL || strstr(hp_fail_text(), "FAULTS") != NULL ||
          strncmp(hp_fail_text(), ".: ", 3) == 0);
    CHECK(hp_memory_now() == before);
    bool torn = false;
    CHECK(count_arrays("FAULTS.UNRST", "ENDSOL  ", &torn) >= done.steps && !torn);
    CHECK(count_arrays("FAULTS.UNSMRY", "PARAMS  ", &torn) >= done.rows && !torn);
  }
  CHECK(target > 100);
}

/* ---- the process is killed ---- */

static bool step_is_whole(hid_t master, int step) {
  char name[64];
  static float p[CASE_NX * CASE_NY * CASE_NZ];
  snprintf(name, sizeof name, "/steps/%06d/pressure", step);
  const hid_t set = H5Dopen2(master, name, H5P_DEFAULT);
  const bool ok = set >= 0 && H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, p) >= 0 &&
                  p[1 + CASE_NX * (2 + CASE_NY * 3)] == (float)case_pressure(1, 2, 3, step);
  if (set >= 0) H5Dclose(set);
  return ok;
}

static void check_master(const progress *done) {
  if (access("killed.h5", F_OK) != 0) {
    CHECK(done->rows == 0);
    return;
  }
  const hid_t master = H5Fopen("killed.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  CHECK(master >= 0);
  if (master < 0) return;
  H5G_info_t info;
  CHECK(H5Gget_info_by_name(master, "/steps", &info, H5P_DEFAULT) >= 0);
  CHECK((int)info.nlinks >= done->steps);
  for (int step = 1; step <= (int)info.nlinks; ++step) CHECK(step_is_whole(master, step));
  H5Fclose(master);
}

/* Every file that the xdmf2 names is there. */
static void check_xdmf(const progress *done) {
  const char *at = read_text("killed.xdmf2");
  CHECK(at != NULL || done->rows == 0);
  int named = 0;
  while (at != NULL && (at = strstr(at, "Format=\"HDF\">")) != NULL) {
    char file[256];
    at += strlen("Format=\"HDF\">");
    snprintf(file, sizeof file, "%.*s", (int)strcspn(at, ":"), at);
    CHECK(access(file, F_OK) == 0);
    named += 1;
  }
  CHECK(named >= 14 * done->steps);
}

/* Files that grow keep their earlier contents; the others are whole or not there. */
static void check_eclipse(const progress *done) {
  bool torn;
  CHECK(count_arrays("KILLED.UNRST", "ENDSOL  ", &torn) >= done->steps);
  CHECK(count_arrays("KILLED.UNSMRY", "PARAMS  ", &torn) >= done->rows);
  const struct {
    const char *path, *last;
  } whole[] = {{"KILLED.EGRID", "ENDGRID "}, {"KILLED.INIT", "SATNUM  "}, {"KILLED.SMSPEC", "STARTDAT"}};
  for (size_t n = 0; n < sizeof whole / sizeof whole[0]; ++n) {
    const int found = count_arrays(whole[n].path, whole[n].last, &torn);
    CHECK(!torn && found == (access(whole[n].path, F_OK) == 0));
  }
}

static void test_kills(int first) {
  progress *done = mmap(NULL, sizeof *done, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (done == MAP_FAILED) {
    CHECK(!"mmap");
    return;
  }
  bool finished = false;
  for (target = first; !finished && target < 2000; target += check_every(61)) {
    *done = (progress){0, 0};
    const pid_t child = fork();
    if (child == 0) {
      plan = PLAN_KILL;
      calls = 0;
      _exit(run("killed", done) == HP_OK ? 0 : 1);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    finished = WIFEXITED(status);
    if (finished) CHECK(WEXITSTATUS(status) == 0);
    check_master(done);
    check_xdmf(done);
    check_eclipse(done);
    CHECK(done->rows == 0 || count_lines("killed.summary.csv") >= 1 + done->rows);
    if (check_failures > 0) {
      fprintf(stderr, "killed at call %d\n", target);
      break;
    }
  }
  CHECK(finished && target > 100);
  munmap(done, sizeof *done);
}

/* ---- the disk is slow ---- */

static hp_status write_step(hp_output *out, output_case *o, int step) {
  double balance[HP_PHASES * CASE_NX * CASE_NY * CASE_NZ] = {0};
  hp_restart r = {.step = step,
                  .time = step * (double)CASE_DAY,
                  .cell = {[HP_ARRAY_OWN_PRESSURE] = o->p, [HP_ARRAY_OWN_WATER] = o->sw, [HP_ARRAY_BALANCE] = balance}};
  r.ncell = o->c.grid->ncell;
  HP_TRY(case_write_rows(out, step));
  HP_TRY(hp_output_restart(out, &r));
  return case_write_fields(out, o, step, step);
}

/* The bytes of a step that waits are those that hepta check counts, with the corrected state and without. */
static void test_held_bytes(void) {
  double end = CASE_DAY;
  output_case o;
  CHECK_OK(case_create(&o, false, HP_UNITS_METRIC, names));
  o.c.output.refresh = 5.0;
  o.c.output.restart = 1;
  o.c.report = &end;
  o.c.nreport = 1;
  for (int corrected = 0; corrected < 2; ++corrected) {
    hp_restart from = {.ncell = o.c.grid->ncell}, to = {.ncell = 0};
    o.c.timestep.accuracy = corrected != 0 ? 0.01 : 0.0;
    const hp_arrays arrays = hp_restart_arrays(&o.c, true);
    CHECK(((arrays & HP_ARRAYS_SHOWN) != 0) == (corrected != 0));
    HP_FOR_ARRAYS(n, arrays) CHECK_OK(hp_alloc(&from.cell[n], from.ncell * hp_array_bytes((hp_array)n), 1, "cells"));
    const int64_t before = hp_memory_now();
    CHECK_OK(hp_restart_copy(&from, &to));
    CHECK_NEAR((double)(hp_memory_now() - before + (int64_t)sizeof to), (double)hp_output_held_bytes(&o.c, 0), 1024.0);
    hp_restart_clear(&from);
    hp_restart_clear(&to);
  }
  case_destroy(&o);
}

/* While the names of step 2 are in hand, what a restart from step 3 needs stays in memory; once they have been so for
 * long, step 4 waits for them. With its names, what a restart from step 2 needs goes beside the run. */
static void test_slow_disk(void) {
  output_case o;
  hp_output *out;
  CHECK_OK(case_create(&o, false, HP_UNITS_METRIC, names));
  o.c.output.refresh = 1e-9;
  o.c.output.restart = 1;
  CHECK_OK(hp_output_open(&o.c, "slow", "hepta run known.cfg", CASE_WELLS, o.path, &out));
  CHECK_OK(write_step(out, &o, 1)); /* which is named at once */
  CHECK(out->nnamed == 1);
  flush_milliseconds = 50;
  out->published -= 60.0;
  CHECK_OK(write_step(out, &o, 2));
  CHECK_OK(write_step(out, &o, 3));
  CHECK(access("slow.steps/restart_000002.h5", F_OK) == 0 && access("slow.steps/restart_000003.h5", F_OK) != 0);
  CHECK(out->naming != NULL && out->nnamed == 1);
  out->published -= 60.0;
  CHECK_OK(write_step(out, &o, 4));
  CHECK(out->nnamed >= 2 && strstr(read_text("slow.xdmf2"), "step_000002") != NULL);
  for (int n = 0; n < 5000 && access("slow.steps/restart_000002.h5", F_OK) == 0; ++n)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  CHECK(out->naming != NULL && access("slow.steps/restart_000002.h5", F_OK) != 0);
  CHECK_OK(hp_output_close(&out));
  flush_milliseconds = 0;
  CHECK(access("slow.steps/restart_000003.h5", F_OK) != 0 && access("slow.steps/restart_000004.h5", F_OK) == 0);
  case_destroy(&o);
}

int main(void) {
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (system("rm -rf test_output_faults.dir") != 0 || mkdir("test_output_faults.dir", 0777) != 0 ||
      chdir("test_output_faults.dir") != 0) {
    perror("test_output_faults.dir");
    return 1;
  }
  for (int n = 0; n < 2; ++n) {
    refresh = n == 0 ? 0.0 : 1e9;
    CHECK(system("rm -rf faults.* FAULTS.* killed.* KILLED.*") == 0); /* calls are counted in a new folder */
    const int first = 1 + 8 * n % check_every(61);                    /* other calls in the other half of a sample */
    test_failures(first);
    test_kills(first);
  }
  test_held_bytes();
  test_slow_disk();
  return check_result();
}
