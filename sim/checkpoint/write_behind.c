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
  hp_well_row *well;               /* [nwell] */
  hp_region_row *region;           /* [nfip] */
  double (*connection)[HP_PHASES]; /* [nperf] */
  hp_aquifer_state *aquifer;       /* [naquifer] */
  hp_aquifer_state *numerical;     /* [nnumerical] */
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
  int64_t ncell, nperf;
  int nwell, nfip, naquifer, nnumerical, nfields;
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
  hp_status status;
  char why[1024]; /* hp_fail_text() belongs to the thread that failed */
  rows row[ROWS_MAX];
  fields field[FIELDS_MOST];
};

/* ---- sizes ---- */

static int64_t bytes_of_fields(const hp_case *c) {
  const int64_t state = 2 * (int64_t)sizeof(double), balance = HP_PHASES * (int64_t)sizeof(double),
                error = c->timestep.accuracy > 0.0 ? 2 * HP_PHASES * (int64_t)sizeof(float) : 0,
                lowest = hp_compaction_is_irreversible(&c->fluid) ? (int64_t)sizeof(double) : 0;
  return c->grid->ncell * (state + (c->output.restart != 0 ? state + balance + error + lowest : 0));
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
  if (w->status == HP_OK) {
    const rows *r = &w->row[w->rows_done % ROWS_MAX];
    const fields *f = &w->field[w->fields_done % w->nfields];
    hp_output *o = w->output;
    pthread_mutex_unlock(&w->lock);
    const hp_status s = kind == JOB_ROWS ? write_rows(o, r) : write_fields(o, f);
    pthread_mutex_lock(&w->lock);
    if (s != HP_OK) snprintf(w->why, sizeof w->why, "%s", hp_fail_text());
    w->status = s;
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

static hp_status create(hp_write_behind *w, const hp_case *c, int64_t nperf) {
  w->ncell = c->grid->ncell;
  w->nperf = nperf;
  w->nwell = c->nwell;
  w->nfip = c->nfip;
  w->naquifer = c->naquifer;
  w->nnumerical = c->nnumerical;
  w->nfields = fields_held(c);
  for (int n = 0; n < ROWS_MAX; ++n) HP_TRY(HP_ALLOC(w->row[n].well, w->nwell));
  return HP_OK;
}

hp_status hp_write_behind_create(const hp_case *c, int64_t nperf, hp_write_behind **out) {
  *out = NULL;
  hp_write_behind *w = NULL;
  HP_TRY(HP_ALLOC(w, 1));
  pthread_mutex_init(&w->lock, NULL);
  pthread_cond_init(&w->more, NULL);
  pthread_cond_init(&w->less, NULL);
  const hp_status s = create(w, c, nperf);
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
    HP_FREE(w->row[n].region);
    HP_FREE(w->row[n].connection);
    HP_FREE(w->row[n].aquifer);
    HP_FREE(w->row[n].numerical);
  }
  for (int n = 0; n < FIELDS_MOST; ++n) {
    fields *f = &w->field[n];
    f->kept.p_shown = f->kept.s_shown = NULL;
    hp_restart_clear(&f->kept);
    HP_FREE(f->p);
    HP_FREE(f->sw);
  }
  pthread_cond_destroy(&w->more);
  pthread_cond_destroy(&w->less);
  pthread_mutex_destroy(&w->lock);
  HP_FREE(*slot);
}

static hp_status outcome(const hp_write_behind *w) {
  return w->status == HP_OK ? HP_OK : hp_fail(w->status, "%s", w->why);
}

/* Waits until at most `most` of the jobs counted by *queued and *done are left. */
static hp_status wait_for(hp_write_behind *w, const int64_t *queued, const int64_t *done, int64_t most) {
  pthread_mutex_lock(&w->lock);
  while (*queued - *done > most) pthread_cond_wait(&w->less, &w->lock);
  const hp_status s = outcome(w);
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
  const hp_status s = outcome(w);
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
  if (summary->region != NULL) {
    if (r->region == NULL) HP_TRY(HP_ALLOC(r->region, w->nfip));
    memcpy(r->region, summary->region, (size_t)w->nfip * sizeof *r->region);
    r->summary.region = r->region;
  }
  if (summary->connection != NULL && w->nperf > 0) {
    if (r->connection == NULL) HP_TRY(HP_ALLOC(r->connection, w->nperf));
    memcpy(r->connection, summary->connection, (size_t)w->nperf * sizeof *r->connection);
    r->summary.connection = (const double(*)[HP_PHASES])r->connection;
  }
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

typedef struct {
  const double *p, *sw, *balance;
  double *to_p, *to_sw, *to_balance; /* balance: [ncell*HP_PHASES], or NULL */
  const double *own_p, *own_s, *lowest;
  double *to_own_p, *to_own_s, *to_lowest; /* [ncell], or NULL */
  const float *error, *change;
  float *to_error, *to_change; /* [ncell*HP_PHASES], or NULL */
} copies;

/* Copies both phases; nothing where there is none. */
static void copy_floats(const float *from, float *to, int64_t begin, int64_t end) {
  if (from != NULL)
    memcpy(to + HP_PHASES * begin, from + HP_PHASES * begin, HP_PHASES * (size_t)(end - begin) * sizeof *to);
}

static void copy_cells(void *arg, int64_t begin, int64_t end) {
  const copies *c = arg;
  const size_t bytes = (size_t)(end - begin) * sizeof(double);
  memcpy(c->to_p + begin, c->p + begin, bytes);
  memcpy(c->to_sw + begin, c->sw + begin, bytes);
  if (c->own_p != NULL) memcpy(c->to_own_p + begin, c->own_p + begin, bytes);
  if (c->own_s != NULL) memcpy(c->to_own_s + begin, c->own_s + begin, bytes);
  if (c->balance != NULL) memcpy(c->to_balance + HP_PHASES * begin, c->balance + HP_PHASES * begin, HP_PHASES * bytes);
  if (c->lowest != NULL) memcpy(c->to_lowest + begin, c->lowest + begin, bytes);
  copy_floats(c->error, c->to_error, begin, end);
  copy_floats(c->change, c->to_change, begin, end);
}

/* Memory for an array that has none yet. */
#define RESERVE(array, count) ((array) == NULL ? HP_ALLOC_UNSET(array, count) : HP_OK)

static hp_status copy_fields(const hp_write_behind *w, fields *f, const double *p, const double *sw,
                             const hp_restart *kept) {
  enum { CELLS_A_THREAD = 65536 }; /* several, since one does not reach what the memory gives */
  HP_TRY(RESERVE(f->p, w->ncell));
  HP_TRY(RESERVE(f->sw, w->ncell));
  f->keeps = kept != NULL;
  if (f->keeps) {
    hp_restart small = *kept; /* all but its fields */
    small.p = small.s = small.p_shown = small.s_shown = small.balance = small.lowest = NULL;
    small.error = small.change = NULL;
    small.ncell = 0;
    HP_TRY(hp_restart_copy(&small, &f->kept));
    HP_TRY(RESERVE(f->kept.balance, HP_PHASES * w->ncell));
    if (kept->lowest != NULL) HP_TRY(RESERVE(f->kept.lowest, w->ncell));
    if (kept->error != NULL) HP_TRY(RESERVE(f->kept.error, HP_PHASES * w->ncell));
    if (kept->change != NULL) HP_TRY(RESERVE(f->kept.change, HP_PHASES * w->ncell));
    f->kept.ncell = w->ncell;
    f->kept.p_shown = kept->p_shown != NULL ? f->p : NULL;
    f->kept.s_shown = kept->s_shown != NULL ? f->sw : NULL;
    HP_TRY(RESERVE(f->kept.p, w->ncell));
    HP_TRY(RESERVE(f->kept.s, w->ncell));
  }
  copies c = {.p = p, .sw = sw, .to_p = f->p, .to_sw = f->sw};
  if (f->keeps) {
    c.own_p = kept->p;
    c.own_s = kept->s;
    c.to_own_p = f->kept.p;
    c.to_own_s = f->kept.s;
    c.balance = kept->balance;
    c.lowest = kept->lowest;
    c.to_lowest = f->kept.lowest;
    c.error = kept->error;
    c.change = kept->change;
    c.to_balance = f->kept.balance;
    c.to_error = f->kept.error;
    c.to_change = f->kept.change;
  }
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
