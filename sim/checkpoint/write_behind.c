#include "sim/checkpoint/write_behind.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "core/parallel.h"
#include "core/team/team.h"
#include "core/threads/tasks.h"

enum {
  ROWS_MAX = 32,    /* time steps whose rows wait */
  FIELDS_LEAST = 2, /* report steps: one is written, one waits */
  FIELDS_MOST = 8,  /* as many, if they are small: */
  FIELDS_BYTES = 32 << 20
};

/* Copies of a time step's rows. */
typedef struct {
  hp_summary_row summary;
  hp_solver_row solver;
  char why[256];
  hp_well_row *well;           /* [nwell] */
  hp_group_row *group;         /* [ngroup + 1] */
  hp_aquifer_state *aquifer;   /* [naquifer] */
  hp_aquifer_state *numerical; /* [nnumerical] */
  double *more;                /* [hp_output_vectors] */
} rows;

/* Copies of a report step. */
typedef struct {
  double time;
  int step;
  double *p, *sw; /* [ncell] */
  bool keeps;
  hp_restart kept; /* what is shown of it is p and sw */
} fields;

/* A job is the next rows or the next fields, in the order in which they came. */
typedef enum { JOB_ROWS, JOB_FIELDS } job_kind;
enum { JOBS_MAX = ROWS_MAX + FIELDS_MOST };

struct hp_write_behind {
  int64_t ncell;
  int nwell, ngroup, naquifer, nnumerical, nfields;
  pthread_t thread;
  bool running;
  pthread_mutex_t lock; /* of what follows, but the copies: these belong to the run until they are in the queue */
  pthread_cond_t more, less;
  hp_output *output; /* of all jobs in the queue */
  job_kind job[JOBS_MAX];
  int64_t queued, done;               /* jobs; job n stands in job[n % JOBS_MAX] */
  int64_t rows_queued, rows_done;     /* those in row[n % ROWS_MAX] */
  int64_t fields_queued, fields_done; /* those in field[n % nfields] */
  bool ending;
  hp_failure failure; /* hp_fail_text() is its thread's */
  rows row[ROWS_MAX];
  fields field[FIELDS_MOST];
};

/* ---- sizes ---- */

/* Bytes of what is shown and of what restart data have beside. */
static int64_t bytes_of_fields(const hp_case *c) {
  const hp_arrays kept = c->output.restart != 0 ? hp_restart_arrays(c, false) : 0;
  return c->grid->ncell * hp_arrays_bytes(kept | HP_ARRAYS_SHOWN);
}

static int fields_held(const hp_case *c) {
  const int64_t bytes = bytes_of_fields(c), fit = bytes > 0 ? FIELDS_BYTES / bytes : FIELDS_MOST;
  return fit < FIELDS_LEAST ? FIELDS_LEAST : fit > FIELDS_MOST ? FIELDS_MOST : (int)fit;
}

int64_t hp_write_behind_bytes(const hp_case *c) {
  const int held = fields_held(c), steps = c->nreport + 1;
  return c->output.fields ? (held < steps ? held : steps) * bytes_of_fields(c) : 0;
}

int hp_write_behind_threads(void) {
  const int others = hp_processors() - 1;
  return others < 1 ? 1 : others < HP_TASKS_MAX ? others : HP_TASKS_MAX;
}

/* ---- the thread that writes ---- */

static hp_status write_rows(hp_output *o, const rows *r) {
  HP_TRY(hp_output_summary(o, &r->summary));
  return hp_output_solver(o, &r->solver);
}

static hp_status write_fields(hp_output *o, const fields *f) {
  if (f->keeps) HP_TRY(hp_output_restart(o, &f->kept));
  return hp_output_fields(o, f->time, f->step, f->p, f->sw);
}

/* The next job; the lock is held, and given back meanwhile. */
static void do_job(hp_write_behind *w) {
  const job_kind kind = w->job[w->done % JOBS_MAX];
  if (w->failure.status == HP_OK) {
    const rows *r = &w->row[w->rows_done % ROWS_MAX];
    const fields *f = &w->field[w->fields_done % w->nfields];
    hp_output *o = w->output;
    pthread_mutex_unlock(&w->lock);
    const hp_status s = kind == JOB_ROWS ? write_rows(o, r) : write_fields(o, f);
    pthread_mutex_lock(&w->lock);
    w->failure = hp_fail_keep(s);
  }
  if (kind == JOB_ROWS) w->rows_done += 1;
  else w->fields_done += 1;
  w->done += 1;
  pthread_cond_signal(&w->less);
}

static void *write_all(void *arg) {
  hp_write_behind *w = arg;
  pthread_mutex_lock(&w->lock);
  for (;;) {
    while (w->done == w->queued && !w->ending) pthread_cond_wait(&w->more, &w->lock);
    if (w->done == w->queued) break;
    do_job(w);
  }
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

/* ---- the run ---- */

static hp_status create(hp_write_behind *w, const hp_case *c) {
  w->ncell = c->grid->ncell;
  w->nwell = c->nwell;
  w->ngroup = c->ngroup;
  w->naquifer = c->naquifer;
  w->nnumerical = c->nnumerical;
  w->nfields = fields_held(c);
  for (int n = 0; n < ROWS_MAX; ++n) {
    HP_TRY(HP_ALLOC(w->row[n].well, w->nwell));
    HP_TRY(HP_ALLOC(w->row[n].group, w->ngroup + 1));
  }
  return HP_OK;
}

hp_status hp_write_behind_create(const hp_case *c, hp_write_behind **out) {
  *out = NULL;
  hp_write_behind *w = NULL;
  HP_TRY(HP_ALLOC(w, 1));
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->more, NULL);
  pthread_cond_init(&w->less, NULL);
  const hp_status s = create(w, c);
  if (s != HP_OK) hp_write_behind_destroy(&w);
  *out = w;
  return s;
}

static void stop(hp_write_behind *w) {
  if (!w->running) return;
  pthread_mutex_lock(&w->lock);
  w->ending = true;
  pthread_cond_signal(&w->more);
  pthread_mutex_unlock(&w->lock);
  pthread_join(w->thread, NULL);
  w->running = false;
}

void hp_write_behind_destroy(hp_write_behind **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_write_behind *w = *slot;
  stop(w);
  for (int n = 0; n < ROWS_MAX; ++n) {
    HP_FREE(w->row[n].well);
    HP_FREE(w->row[n].group);
    HP_FREE(w->row[n].more);
    HP_FREE(w->row[n].aquifer);
    HP_FREE(w->row[n].numerical);
  }
  for (int n = 0; n < FIELDS_MOST; ++n) {
    fields *f = &w->field[n];
    f->kept.cell[HP_ARRAY_PRESSURE] = f->kept.cell[HP_ARRAY_WATER] = NULL;
    hp_restart_clear(&f->kept);
    HP_FREE(f->p);
    HP_FREE(f->sw);
  }
  pthread_cond_destroy(&w->more);
  pthread_cond_destroy(&w->less);
  pthread_mutex_destroy(&w->lock);
  HP_FREE(*slot);
}

/* Waits until at most `most` of the jobs counted by *queued and *done are left. */
static hp_status wait_for(hp_write_behind *w, const int64_t *queued, const int64_t *done, int64_t most) {
  pthread_mutex_lock(&w->lock);
  while (*queued - *done > most) pthread_cond_wait(&w->less, &w->lock);
  const hp_status s = hp_fail_again(w->failure);
  pthread_mutex_unlock(&w->lock);
  return s;
}

hp_status hp_write_behind_wait(hp_write_behind *w) { return w == NULL ? HP_OK : wait_for(w, &w->queued, &w->done, 0); }

/* The copies are made; without a thread they are written here and now. */
static hp_status enqueue(hp_write_behind *w, hp_output *o, job_kind kind, int64_t *queued) {
  pthread_mutex_lock(&w->lock);
  w->output = o;
  w->job[w->queued % JOBS_MAX] = kind;
  w->queued += 1;
  *queued += 1;
  pthread_cond_signal(&w->more);
  if (!w->running) w->running = pthread_create(&w->thread, NULL, write_all, w) == 0;
  if (!w->running) do_job(w);
  const hp_status s = hp_fail_again(w->failure);
  pthread_mutex_unlock(&w->lock);
  return s;
}

hp_status hp_write_behind_rows(hp_write_behind *w, hp_output *o, const hp_summary_row *summary,
                               const hp_solver_row *solver) {
  HP_TRY(wait_for(w, &w->rows_queued, &w->rows_done, ROWS_MAX - 1));
  rows *r = &w->row[w->rows_queued % ROWS_MAX];
  r->summary = *summary;
  r->solver = *solver;
  snprintf(r->why, sizeof r->why, "%s", solver->why != NULL ? solver->why : "");
  r->solver.why = r->why;
  if (w->nwell > 0) memcpy(r->well, summary->well, (size_t)w->nwell * sizeof *r->well);
  r->summary.well = r->well;
  memcpy(r->group, summary->group, ((size_t)w->ngroup + 1) * sizeof *r->group);
  r->summary.group = r->group;
  if (r->more == NULL) HP_TRY(HP_ALLOC(r->more, hp_output_vectors(o) + 1));
  hp_output_values(o, summary, r->more);
  r->summary.more = r->more;
  if (w->naquifer > 0) {
    if (r->aquifer == NULL) HP_TRY(HP_ALLOC(r->aquifer, w->naquifer));
    memcpy(r->aquifer, summary->aquifer, (size_t)w->naquifer * sizeof *r->aquifer);
    r->summary.aquifer = r->aquifer;
  }
  if (w->nnumerical > 0) {
    if (r->numerical == NULL) HP_TRY(HP_ALLOC(r->numerical, w->nnumerical));
    memcpy(r->numerical, summary->numerical, (size_t)w->nnumerical * sizeof *r->numerical);
    r->summary.numerical = r->numerical;
  }
  return enqueue(w, o, JOB_ROWS, &w->rows_queued);
}

/* ---- copies of fields ---- */

enum { COPIES_MOST = HP_STATES + 2 };

typedef struct {
  int count;
  const char *from[COPIES_MOST];
  char *to[COPIES_MOST];
  int64_t bytes[COPIES_MOST]; /* of a cell */
} copies;

static void add_copy(copies *c, const void *from, void *to, int64_t bytes) {
  c->from[c->count] = from;
  c->to[c->count] = to;
  c->bytes[c->count++] = bytes;
}

static void copy_cells(void *arg, int64_t begin, int64_t end) {
  const copies *c = arg;
  for (int n = 0; n < c->count; ++n)
    memcpy(c->to[n] + begin * c->bytes[n], c->from[n] + begin * c->bytes[n], (size_t)((end - begin) * c->bytes[n]));
}

/* Memory for an array that has none yet. */
#define RESERVE(array, count) ((array) == NULL ? HP_ALLOC_UNSET(array, count) : HP_OK)

/* Arrays that are shown are not kept twice. */
static hp_status copy_state(const hp_write_behind *w, fields *f, const hp_restart *kept, copies *c) {
  hp_restart small = *kept; /* all but its cells */
  memset(small.cell, 0, sizeof small.cell);
  small.ncell = 0;
  HP_TRY(hp_restart_copy(&small, &f->kept));
  f->kept.ncell = w->ncell;
  f->kept.cell[HP_ARRAY_PRESSURE] = kept->cell[HP_ARRAY_PRESSURE] != NULL ? f->p : NULL;
  f->kept.cell[HP_ARRAY_WATER] = kept->cell[HP_ARRAY_WATER] != NULL ? f->sw : NULL;
  for (int n = 0; n < HP_STATES; ++n) {
    const int64_t bytes = hp_array_bytes((hp_array)n);
    if (kept->cell[n] == NULL || hp_array_entries()[n].when == HP_WITH_SHOWN) continue;
    if (f->kept.cell[n] == NULL)
      HP_TRY(hp_alloc_unset(&f->kept.cell[n], w->ncell * bytes, 1, hp_array_entries()[n].name));
    add_copy(c, kept->cell[n], f->kept.cell[n], bytes);
  }
  return HP_OK;
}

static hp_status copy_fields(const hp_write_behind *w, fields *f, const double *p, const double *sw,
                             const hp_restart *kept) {
  enum { CELLS_A_THREAD = 65536 }; /* several, since one does not reach what the memory gives */
  copies c = {.count = 0};
  HP_TRY(RESERVE(f->p, w->ncell));
  HP_TRY(RESERVE(f->sw, w->ncell));
  add_copy(&c, p, f->p, sizeof *p);
  add_copy(&c, sw, f->sw, sizeof *sw);
  f->keeps = kept != NULL;
  if (f->keeps) HP_TRY(copy_state(w, f, kept, &c));
  hp_parallel(w->ncell, CELLS_A_THREAD, copy_cells, &c);
  return HP_OK;
}

hp_status hp_write_behind_fields(hp_write_behind *w, hp_output *o, double time, int step, const double *p,
                                 const double *sw, const hp_restart *kept) {
  HP_TRY(wait_for(w, &w->fields_queued, &w->fields_done, w->nfields - 1));
  fields *f = &w->field[w->fields_queued % w->nfields];
  f->time = time;
  f->step = step;
  HP_TRY(copy_fields(w, f, p, sw, kept));
  return enqueue(w, o, JOB_FIELDS, &w->fields_queued);
}
