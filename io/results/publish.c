/* Report steps get their names, in the master and the xdmf2, once their files are on the disk.
 *
 *     the run     step 4   prepare 4   step 5   step 6   prepare 6   ...
 *     a thread                sync 4, names of 4            sync 5 and 6, names of 6
 *
 * The run prepares the master in memory, as HDF5 is for one thread at a time. It waits for the disk at its first report
 * step and at its end only, unless output.refresh is 0.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"
#include "core/profile.h"
#include "core/threads/ahead.h"
#include "core/threads/tasks.h"
#include "io/results/eclipse/eclipse.h"
#include "io/results/impl.h"

/* Beyond this size the tables are written into the master at the end only; the CSV files are always current. */
enum { REFRESH_BYTES = 16 << 20 };

/* Names take no more than one part of so many of a run's time, however many report steps there are. */
enum { PARTS = 50 };

/* [s] A run waits for names that have been in hand so long if further report steps are written: those would take the disk
 * longer still, and a run that is ever further ahead of it would lose all of that to a kill. */
enum { AHEAD = 10 };

/* Report steps on their way to the disk and to their names. */
struct hp_naming {
  hp_output o;    /* as it was when this was prepared, but for nnamed and dropped; time and step: copies */
  char *master;   /* [size] the file */
  int64_t size;   /* bytes */
  double seconds; /* of a processor, so far */
  hp_ahead *ahead;
};

/* ---- the master ---- */

static hp_status fill_master(hp_output *o, hp_h5 *h, bool with_tables) {
  HP_TRY(hp_h5_create(h, o->path[HP_OUTPUT_MASTER], 0));
  const hp_status s = hp_output_fill_master(o, h, with_tables);
  if (s != HP_OK) hp_h5_discard(h);
  return s;
}

hp_status hp_output_write_master(hp_output *o, bool with_tables) {
  hp_h5 h;
  HP_TRY(fill_master(o, &h, with_tables));
  return o->unsynced ? hp_h5_place(&h) : hp_h5_commit(&h);
}

/* ---- onto the disk ---- */

/* Files of the n-th report step that the master does not name yet. */
static hp_status sync_new_step(void *arg, int n, int worker) {
  const hp_output *o = arg;
  char *path;
  (void)worker;
  n += o->nnamed;
  HP_TRY(hp_output_step_path(o, (int)o->step[n], &path));
  const hp_status s = hp_file_sync_at(path);
  HP_FREE(path);
  return s == HP_OK ? hp_output_sync_restart(o, n) : s;
}

/* The files of report steps that the master does not name yet, then their names. The disk does several at a time, and a
 * file system with a journal takes them together. */
static hp_status sync_steps(hp_output *o) {
  char *folder;
  HP_TRY(hp_tasks_run(HP_TASKS_MAX, o->nstep - o->nnamed, sync_new_step, o));
  HP_TRY(hp_format(&folder, "%s/", o->path[HP_OUTPUT_STEPS]));
  const hp_status s = hp_file_sync_folder_of(folder);
  HP_FREE(folder);
  return s;
}

static hp_status sync_start(hp_output *o) {
  static const hp_output_file first[] = {HP_OUTPUT_GRID, HP_OUTPUT_WELLS, HP_OUTPUT_VIEW};
  if (!o->unsynced) return HP_OK;
  for (size_t n = 0; n < sizeof first / sizeof *first; ++n) HP_TRY(hp_file_sync_at(o->path[first[n]]));
  o->unsynced = false;
  return HP_OK;
}

/* Brings what was written since the last time onto the disk, then its place in the master and the xdmf2; what a restart
 * needed until then goes. */
static hp_status bring_up_to_date(hp_naming *N) {
  hp_output *o = &N->o;
  HP_TRY(sync_start(o));
  HP_TRY(hp_table_sync(&o->summary));
  HP_TRY(hp_table_sync(&o->solver));
  if (o->eclipse != NULL) HP_TRY(hp_ebin_out_sync(o->eclipse));
  const bool news = o->nnamed < o->nstep;
  if (news) HP_TRY(sync_steps(o));
  HP_TRY(hp_file_replace(o->path[HP_OUTPUT_MASTER], N->master, (size_t)N->size));
  o->nnamed = o->nstep; /* whatever fails after that */
  if (!news) return HP_OK;
  HP_TRY(hp_output_write_xdmf(o));
  return hp_output_drop_restart(o);
}

static double processor_seconds(void) {
  struct timespec t;
  return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : 0.0;
}

static hp_status carry_out(void *arg) {
  hp_naming *N = arg;
  const double began = processor_seconds();
  const hp_status s = bring_up_to_date(N);
  N->seconds += processor_seconds() - began;
  return s;
}

/* ---- one naming ---- */

static void naming_free(hp_naming **slot) {
  hp_naming *N = *slot;
  if (N == NULL) return;
  hp_ahead_destroy(&N->ahead);
  HP_FREE(N->master);
  HP_FREE(N->o.time);
  HP_FREE(N->o.step);
  HP_FREE(*slot);
}

static hp_status copy_steps(const hp_output *o, hp_naming *N) {
  N->o = *o;
  N->o.time = NULL;
  N->o.step = NULL;
  if (o->nstep == 0) return HP_OK;
  HP_TRY(HP_ALLOC_UNSET(N->o.time, o->nstep));
  HP_TRY(HP_ALLOC_UNSET(N->o.step, o->nstep));
  memcpy(N->o.time, o->time, (size_t)o->nstep * sizeof *o->time);
  memcpy(N->o.step, o->step, (size_t)o->nstep * sizeof *o->step);
  return HP_OK;
}

static hp_status fill(hp_output *o, bool with_tables, hp_naming *N) {
  hp_h5 h;
  HP_TRY(copy_steps(o, N));
  HP_TRY(fill_master(o, &h, with_tables));
  return hp_h5_image(&h, &N->master, &N->size);
}

static hp_status prepare(hp_output *o, bool with_tables) {
  const double began = processor_seconds();
  o->published = hp_now();
  HP_TRY(hp_output_write_held(o));
  HP_TRY(HP_ALLOC(o->naming, 1));
  const hp_status s = fill(o, with_tables, o->naming);
  o->naming->seconds = processor_seconds() - began;
  if (s != HP_OK) naming_free(&o->naming);
  return s;
}

/* Of the naming in hand, which has ended so. */
static hp_status conclude(hp_output *o, hp_status s) {
  o->naming_seconds = o->naming->seconds;
  o->nnamed = o->naming->o.nnamed;
  o->dropped = o->naming->o.dropped;
  o->unsynced = o->naming->o.unsynced;
  naming_free(&o->naming);
  return s;
}

static hp_status wait_for_naming(hp_output *o) {
  return o->naming != NULL ? conclude(o, hp_ahead_wait(o->naming->ahead, 0)) : HP_OK;
}

static hp_status name_now(hp_output *o, bool with_tables) {
  HP_TRY(wait_for_naming(o));
  HP_TRY(prepare(o, with_tables));
  return conclude(o, carry_out(o->naming));
}

static hp_status begin_to_name(hp_output *o, bool with_tables) {
  HP_TRY(prepare(o, with_tables));
  const hp_status s = hp_ahead_start(1, (const hp_ahead_step[]){carry_out}, o->naming, &o->naming->ahead);
  if (s != HP_OK) naming_free(&o->naming);
  return s;
}

/* ---- failures ---- */

/* Whether the disk is too full for a master without tables. */
static bool lacks_room(const hp_output *o) {
  enum { HEAD = 1 << 16, A_STEP = 1 << 10 };
  return hp_file_lacks_room(o->path[HP_OUTPUT_MASTER], HEAD + (int64_t)A_STEP * o->nstep);
}

/* The master without the tables, which the CSV files have. Where a disk is too full for it, what is needed to go on
 * from the new report steps gives way, and then the latest of these steps: nobody finds what is not named. */
static hp_status write_least_master(hp_output *o) {
  hp_status s = hp_output_write_master(o, false);
  for (int n = o->nstep - 1; s == HP_ERR_FILE && n >= o->nnamed && lacks_room(o); --n) {
    HP_TRY(hp_output_forget_restart(o, (int)o->step[n]));
    s = hp_output_write_master(o, false);
  }
  while (s == HP_ERR_FILE && o->nstep > o->nnamed && lacks_room(o)) {
    char *path;
    o->nstep -= 1;
    HP_TRY(hp_output_step_path(o, (int)o->step[o->nstep], &path));
    const hp_status removed = hp_file_remove(path);
    HP_FREE(path);
    HP_TRY(removed);
    s = hp_output_write_master(o, false);
  }
  return s;
}

/* Report steps whose files stand get their names, whatever else could not be written. */
static hp_status name_new_steps(hp_output *o, bool with_tables) {
  HP_TRY(sync_start(o));
  HP_TRY(sync_steps(o));
  hp_status s = hp_output_write_master(o, with_tables);
  if (s == HP_ERR_FILE) s = write_least_master(o);
  HP_TRY(s);
  o->nnamed = o->nstep;
  return hp_output_write_xdmf(o);
}

static hp_status rescue(hp_output *o, bool with_tables, hp_status s) {
  const hp_failure failed = hp_fail_keep(s);
  if (s != HP_ERR_FILE || o->nnamed >= o->nstep) return s;
  return hp_fail_both(failed, hp_fail_keep(name_new_steps(o, with_tables)));
}

/* ---- when ---- */

hp_status hp_output_publish(hp_output *o, bool with_tables) { return rescue(o, with_tables, name_now(o, with_tables)); }

double hp_output_pause(const hp_output *o) { return fmax(o->c->output.refresh, PARTS * o->naming_seconds); }

/* Whether the run need not wait for the names in hand. */
static bool may_go_on(const hp_output *o) {
  const hp_naming *N = o->naming;
  const bool too_far = o->nstep > N->o.nstep && hp_now() - o->published > AHEAD;
  return !too_far && !hp_ahead_is_done(N->ahead, 0);
}

static bool tables_are_small(const hp_output *o) {
  return hp_table_bytes(&o->summary) + hp_table_bytes(&o->solver) <= REFRESH_BYTES;
}

hp_status hp_output_show(hp_output *o) { return hp_output_publish(o, tables_are_small(o)); }

hp_status hp_output_publish_due(hp_output *o) {
  const bool with_tables = tables_are_small(o);
  const bool first = o->nnamed == 0 && o->nstep > 0; /* from its name on there is something to go on from */
  if (o->c->output.refresh <= 0.0 || first) return hp_output_publish(o, with_tables);
  if (o->naming != NULL && may_go_on(o)) return HP_OK;
  hp_status s = wait_for_naming(o);
  const bool news = o->nnamed < o->nstep || o->nstep == 0; /* 0: without fields there are the tables */
  if (s == HP_OK && news && hp_now() - o->published >= hp_output_pause(o)) s = begin_to_name(o, with_tables);
  return rescue(o, with_tables, s);
}

void hp_output_publish_end(hp_output *o) { naming_free(&o->naming); }
