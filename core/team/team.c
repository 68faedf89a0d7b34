#define _GNU_SOURCE
#include "core/team/team.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/profile.h"
#include "core/team/elastic.h"

/* How a member waits: it looks SPINS times at most, about as long as falling
 * asleep and waking take (some 70 microseconds), then it sleeps. It does not give
 * its core away between looks: another program would keep it for milliseconds,
 * where a sleeper that is woken has it back at once (docs/developer/performance.md). Waits
 * that turn out to be long (the awaited member has lost its core) make it look
 * less often, SPINS_LEAST times in the end. A team larger than the cores does not
 * look: there the awaited member may need the core. */
enum { SPINS = 3000, SPINS_LEAST = 64, NAP_NS = 20000, NAPS_LONG = 3, CACHE_LINE = 64 };
#define LONG_WAIT 150e-6 /* s */

/* core/team/elastic.h. Seconds: */
#define LOOK 12e-3        /* a look */
#define LOOK_FIRST 2e-3   /* of the hub's first look, where all goes well */
#define OWN_CORE 0.8      /* share of a core that is taken for a whole one */
#define WINDOW 5e-3       /* of runs, after which they are judged */
#define OFF_CORE 0.25     /* share of that which member 0 may be without a core */
#define TRIAL_LEAST 10e-3 /* of runs by all, to compare: where they take twice the time that fewer take, */
#define TRIAL_MOST 50e-3  /* and at most */
#define HOLD_LEAST 0.1    /* what was found holds so long at least, */
#define HOLD_MOST 2.0     /* so long at most, */
#define HOLD_COST 20.0    /* and so many times what a trial has lost */
enum { BODIES = 16 };

typedef struct {
  _Alignas(CACHE_LINE) _Atomic int64_t progress;
  double max[2];
  int64_t argmax[2];
  int patience;                /* looks before it sleeps */
  _Atomic int64_t looked, got; /* ns since the look began, and ns of processor time in them */
} member_slot;

typedef struct {
  bool on, first, looking, trying;
  int size, from, cores; /* members of the next run; the first that looks; those with a core of their own */
  double since;          /* the look began, or what holds was found */
  double trust;          /* no look before because of member 0 */
  double until, hold;    /* with fewer members: the next look; how long the next finding holds */
  double wall, cpu;      /* of member 0 in runs, since the window or the look began */
  double took, fewer;    /* trial: seconds of runs, and what fewer members would take for them */
  struct {
    void (*body)(hp_team *, void *);
    double seconds, barriers;
  } known[BODIES]; /* runs by fewer members */
} elastic;

struct hp_team_hub {
  int size, spins;
  hp_team_options opt;
  pthread_t thread[HP_TEAM_MAX];
  int started;

  /* the barrier: the last to arrive advances the generation */
  _Alignas(CACHE_LINE) _Atomic uint32_t arrived;
  _Alignas(CACHE_LINE) _Atomic uint32_t generation;
  _Alignas(CACHE_LINE) _Atomic uint64_t job; /* number << 32 | first member that looks << 16 | members that run */
  _Alignas(CACHE_LINE) _Atomic int32_t sleepers;
  _Atomic bool broken, stop;
  _Atomic(const char *) stuck_at;
  pthread_mutex_t lock;
  pthread_cond_t wake;

  void (*body)(hp_team *, void *);
  void *arg;
  hp_team next;           /* counters carried from run to run, equal on all members */
  _Atomic int32_t inside; /* members that have not left the body */
  elastic elastic;        /* of member 0 */
  _Atomic double look_since;

  member_slot slot[HP_TEAM_MAX];
};

static void relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

static void nap(void) {
  const struct timespec time = {0, NAP_NS};
  nanosleep(&time, NULL);
}

/* Records the place of the first wait that took too long. Sleepers must be woken after it. */
static void break_hub(hp_team_hub *hub, const char *place) {
  const char *none = NULL;
  atomic_compare_exchange_strong(&hub->stuck_at, &none, place);
  atomic_store(&hub->broken, true);
}

static void wake_all(hp_team_hub *hub) {
  pthread_mutex_lock(&hub->lock);
  pthread_cond_broadcast(&hub->wake);
  pthread_mutex_unlock(&hub->lock);
}

/* A sleeper counts itself before it looks at the word, both sequentially
 * consistent: either it sees the new value or we see the sleeper. */
static void wake_sleepers(hp_team_hub *hub) {
  if (atomic_load(&hub->sleepers) != 0) wake_all(hub);
}

static struct timespec deadline(double seconds) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  const double whole = floor(seconds);
  until.tv_sec += (time_t)whole;
  until.tv_nsec += (long)((seconds - whole) * 1e9);
  if (until.tv_nsec >= 1000000000L) {
    until.tv_nsec -= 1000000000L;
    until.tv_sec += 1;
  }
  return until;
}

/* Whether a wait that began at *since (0: now) goes on; breaks the hub when it took too long. */
static bool may_wait(hp_team_hub *hub, double *since, const char *place) {
  if (atomic_load(&hub->broken)) return false;
  if (*since == 0.0) *since = hp_now();
  if (hp_now() - *since <= hub->opt.time_limit) return true;
  break_hub(hub, place);
  wake_all(hub);
  return false;
}

/* The barrier of rotating hubs: acquires nothing but the word. A lock passed on
 * the way would order accesses that a missing barrier leaves unordered, and
 * hide them from ThreadSanitizer. */
static void yield_until_change(hp_team_hub *hub, _Atomic uint32_t *word, uint32_t old, const char *place) {
  double since = 0.0;
  for (int64_t n = 1; atomic_load_explicit(word, memory_order_acquire) == old; ++n) {
    sched_yield();
    if (n % 256 == 0 && !may_wait(hub, &since, place)) return;
  }
}

/* After a sleep: a short one would not have been needed. */
static void have_patience(const hp_team_hub *hub, int *patience, bool was_long) {
  *patience = was_long ? SPINS_LEAST : 2 * *patience;
  if (*patience > hub->spins) *patience = hub->spins;
}

/* Waits until *word differs from `old`, in the end asleep on the condition. */
static void wait_change(hp_team_hub *hub, _Atomic uint32_t *word, uint32_t old, int *patience, const char *place) {
  for (int n = 0; n < *patience; ++n) {
    if (atomic_load_explicit(word, memory_order_acquire) != old) return;
    relax();
  }
  const double asleep = hp_now();
  const struct timespec until = deadline(hub->opt.time_limit);
  pthread_mutex_lock(&hub->lock);
  atomic_fetch_add(&hub->sleepers, 1);
  while (atomic_load(word) == old && !atomic_load(&hub->broken)) {
    if (pthread_cond_timedwait(&hub->wake, &hub->lock, &until) != 0 && atomic_load(word) == old) {
      break_hub(hub, place);
      pthread_cond_broadcast(&hub->wake);
    }
  }
  atomic_fetch_sub(&hub->sleepers, 1);
  pthread_mutex_unlock(&hub->lock);
  have_patience(hub, patience, hp_now() - asleep > LONG_WAIT);
}

/* The next job after `seen`, however long it takes. */
static uint64_t wait_job(hp_team_hub *hub, uint64_t seen) {
  uint64_t job;
  for (int n = 0; n < hub->spins; ++n) {
    job = atomic_load_explicit(&hub->job, memory_order_acquire);
    if (job != seen) return job;
    relax();
  }
  pthread_mutex_lock(&hub->lock);
  atomic_fetch_add(&hub->sleepers, 1);
  while ((job = atomic_load(&hub->job)) == seen && !atomic_load(&hub->broken))
    pthread_cond_wait(&hub->wake, &hub->lock);
  atomic_fetch_sub(&hub->sleepers, 1);
  pthread_mutex_unlock(&hub->lock);
  return job;
}

/* ---- barrier ---- */

static bool barrier_is_off(const hp_team *t) {
  return t->size == 1 || t->barriers == t->hub->opt.skip_barrier ||
         atomic_load_explicit(&t->hub->broken, memory_order_relaxed);
}

void hp_team_arrive_at(hp_team *t, const char *place) {
  (void)place;
  hp_team_hub *hub = t->hub;
  t->barriers += 1;
  if (barrier_is_off(t)) return;
  if (atomic_fetch_add(&hub->arrived, 1) + 1 == (uint32_t)t->size) {
    atomic_store(&hub->arrived, 0);
    atomic_fetch_add(&hub->generation, 1);
    wake_sleepers(hub);
  }
}

void hp_team_wait_at(hp_team *t, const char *place) {
  hp_team_hub *hub = t->hub;
  if (barrier_is_off(t)) return;
  if (hub->opt.rotate != 0) yield_until_change(hub, &hub->generation, t->generation, place);
  else wait_change(hub, &hub->generation, t->generation, &hub->slot[t->rank].patience, place);
  t->generation += 1;
}

/* ---- loops and sums ---- */

/* Equal on all members; a plain multiple of the turn would repeat itself too soon. */
static uint32_t scramble(uint32_t seed, uint32_t turn) {
  uint32_t x = seed * 0x9e3779b9u + turn;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

hp_span hp_team_chunks(hp_team *t, int64_t n, int owned) {
  int rank = t->rank;
  if (t->hub->opt.rotate != 0 && !owned)
    rank = (int)(((uint32_t)rank + scramble(t->hub->opt.rotate, t->turn++) % (uint32_t)t->size) % (uint32_t)t->size);
  return hp_team_chunks_of(rank, t->size, hp_team_cut(t, n).chunks);
}

hp_span hp_team_span(hp_team *t, int64_t n, int owned) {
  const hp_cut cut = hp_team_cut(t, n);
  const hp_span chunks = hp_team_chunks(t, n, owned);
  const hp_span s = {hp_cut_begin(&cut, (int)chunks.begin), hp_cut_begin(&cut, (int)chunks.end)};
  return s;
}

void hp_team_sum_begin_at(hp_team *t, const char *place) { hp_team_arrive_at(t, place); }

/* Groups of chunks first, then 32 lanes over the groups, then the lanes' tree. */
static double sum_chunks(const double *p, int chunks) {
  double lane[HP_LANES] = {0.0}, last[HP_GROUP] = {0.0};
  int g = 0, whole = chunks / HP_GROUP;
  for (; g < whole; ++g) lane[2 * (g % 32)] += hp_sum_group(p + g * HP_GROUP);
  for (int c = whole * HP_GROUP; c < chunks; ++c) last[c - whole * HP_GROUP] = p[c];
  lane[2 * (g % 32)] += hp_sum_group(last);
  return hp_sum_lanes(lane);
}

/* Every member adds all partial sums in the same order. The two buffers make a
 * second barrier unnecessary: one is written again only after the barrier of
 * the reduction in between, which nobody passes before all have read. */
void hp_team_sum_end_at(hp_team *t, int64_t n, int count, double *out, const char *place) {
  hp_team_wait_at(t, place);
  const double *partial = t->partial[t->sums & 1u];
  t->sums += 1;
  const int chunks = hp_team_cut(t, n).chunks;
  for (int k = 0; k < count; ++k) out[k] = sum_chunks(partial + k * HP_CHUNKS_MAX, chunks);
}

void hp_team_max_at(hp_team *t, double value, int64_t index, double *max, int64_t *argmax, const char *place) {
  const unsigned buffer = t->sums & 1u;
  member_slot *slot = t->hub->slot;
  slot[t->rank].max[buffer] = value;
  slot[t->rank].argmax[buffer] = index;
  hp_team_arrive_at(t, place);
  hp_team_wait_at(t, place);
  t->sums += 1;
  int64_t where = -1;
  double largest = 0.0;
  for (int r = 0; r < t->size; ++r) {
    if (slot[r].argmax[buffer] < 0) continue;
    const double v = slot[r].max[buffer];
    if (where < 0 || v > largest || (v == largest && slot[r].argmax[buffer] < where)) {
      largest = v;
      where = slot[r].argmax[buffer];
    }
  }
  *max = largest;
  *argmax = where;
}

/* ---- pipelined sweeps ---- */

void hp_team_sweep_begin(hp_team *t) { t->sweep += 1; }

void hp_team_post(hp_team *t, int64_t value) {
  atomic_store_explicit(&t->hub->slot[t->rank].progress, t->sweep * (INT64_C(1) << 32) + value, memory_order_release);
}

void hp_team_wait_for_at(hp_team *t, int rank, int64_t value, const char *place) {
  hp_team_hub *hub = t->hub;
  const int64_t want = t->sweep * (INT64_C(1) << 32) + value;
  _Atomic int64_t *progress = &hub->slot[rank].progress;
  int *patience = &hub->slot[t->rank].patience;
  const int spins = *patience;
  double since = 0.0;
  for (int64_t n = 1; atomic_load_explicit(progress, memory_order_acquire) < want; ++n) {
    if (n < spins) {
      relax();
      continue;
    }
    if (n == spins + NAPS_LONG) have_patience(hub, patience, true);
    nap();
    if (n % 256 == 0 && !may_wait(hub, &since, place)) return;
  }
}

/* ---- the hub ---- */

static void run_member(hp_team_hub *hub, int rank) {
  hp_team t = hub->next;
  t.rank = rank;
  hub->body(&t, hub->arg);
  /* relaxed: must not stand in for the barrier below, which makes everything visible to the caller */
  atomic_fetch_sub_explicit(&hub->inside, 1, memory_order_relaxed);
  hp_team_sync(&t);
  if (rank == 0) hub->next = t;
}

/* A broken hub: the caller's data must stay until nobody works on it. */
static bool all_left(hp_team_hub *hub) {
  const double since = hp_now();
  while (atomic_load(&hub->inside) > 0) {
    if (hp_now() - since > hub->opt.time_limit) return false;
    sched_yield();
  }
  return true;
}

typedef struct {
  hp_team_hub *hub;
  int rank;
} thread_arg;

/* ---- elastic (core/team/elastic.h) ---- */

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void publish(hp_team_hub *hub, int from, int members) {
  const uint64_t number = (atomic_load_explicit(&hub->job, memory_order_relaxed) >> 32) + 1;
  atomic_store(&hub->job, number << 32 | (uint64_t)from << 16 | (uint64_t)members);
  wake_sleepers(hub);
}

static bool runs(uint64_t job, int rank) { return (int)(job & 0xffff) > rank; }

/* Spins until a job is for this member or the look, which began at `since`, is over. */
static void look(hp_team_hub *hub, int rank, double since) {
  member_slot *slot = &hub->slot[rank];
  const double cpu = cpu_seconds();
  for (double now = since; now - since < LOOK && !atomic_load(&hub->stop);) {
    for (int n = 0; n < 200; ++n) relax();
    if (runs(atomic_load_explicit(&hub->job, memory_order_relaxed), rank)) return;
    now = hp_now();
    atomic_store_explicit(&slot->got, (int64_t)(1e9 * (cpu_seconds() - cpu)), memory_order_relaxed);
    atomic_store_explicit(&slot->looked, (int64_t)(1e9 * (now - since)), memory_order_relaxed);
  }
}

static void begin_look(hp_team_hub *hub, double now, int from) {
  elastic *E = &hub->elastic;
  E->looking = true;
  E->from = from;
  E->since = now;
  E->wall = E->cpu = 0.0;
  for (int k = 0; k < BODIES; ++k) { /* what was before counts less */
    E->known[k].seconds *= 0.5;
    E->known[k].barriers *= 0.5;
  }
  for (int r = from; r < hub->size; ++r) {
    atomic_store_explicit(&hub->slot[r].got, 0, memory_order_relaxed);
    atomic_store_explicit(&hub->slot[r].looked, 0, memory_order_relaxed);
  }
  atomic_store_explicit(&hub->look_since, now, memory_order_relaxed);
  publish(hub, from, 0);
}

/* Members with a core of their own `seconds` after the look began; those that ran meanwhile, but for member 0, count
 * as such. */
static int count_cores(const hp_team_hub *hub, double seconds) {
  const elastic *E = &hub->elastic;
  int count = E->from - 1 + (E->cpu >= OWN_CORE * E->wall);
  for (int r = E->from; r < hub->size; ++r) {
    const double looked = 1e-9 * (double)atomic_load_explicit(&hub->slot[r].looked, memory_order_relaxed);
    const double got = 1e-9 * (double)atomic_load_explicit(&hub->slot[r].got, memory_order_relaxed);
    count += got >= OWN_CORE * (looked >= LOOK ? looked : seconds);
  }
  return count < 1 ? 1 : count;
}

/* `size` members from now on, for a time that doubles from one finding to the next. */
static int settle(hp_team_hub *hub, int size, double now, double lost) {
  elastic *E = &hub->elastic;
  const double hold = fmax(E->hold, HOLD_COST * lost);
  E->looking = E->trying = E->first = false;
  E->size = size;
  E->since = now;
  E->until = E->trust = now + hold;
  E->wall = E->cpu = 0.0;
  E->hold = fmin(2.0 * E->hold, HOLD_MOST);
  return size;
}

/* Members of the next run. */
static int choose(hp_team_hub *hub) {
  elastic *E = &hub->elastic;
  const double now = hp_now(), seconds = now - E->since;
  if (E->looking) {
    const bool over = seconds >= 1.1 * LOOK, early = E->first && seconds >= LOOK_FIRST;
    if (!over && !early) return E->size;
    E->cores = count_cores(hub, seconds);
    if (E->cores == hub->size) {
      settle(hub, hub->size, now, 0.0);
      E->hold = HOLD_LEAST;
      E->trust = early ? now : now + HOLD_LEAST;
    } else if (over) { /* do all get on better all the same? */
      E->looking = E->first = false;
      E->trying = true;
      E->size = hub->size;
      E->took = E->fewer = E->wall = 0.0;
    }
  } else if (!E->trying && E->size < hub->size && now >= E->until) {
    begin_look(hub, now, E->size);
  }
  return E->size;
}

/* Seconds that fewer members take for a run of the body with so many barriers; 0: unknown. */
static double by_fewer(elastic *E, void (*body)(hp_team *, void *), double barriers, double add) {
  for (int k = 0; k < BODIES; ++k) {
    if (E->known[k].body != body && E->known[k].body != NULL) continue;
    E->known[k].body = body;
    if (add > 0.0) {
      E->known[k].seconds += add;
      E->known[k].barriers += barriers;
    }
    return E->known[k].barriers > 0.0 ? E->known[k].seconds / E->known[k].barriers * barriers : 0.0;
  }
  return 0.0;
}

/* After a run by member 0 that took so long and used so much of its core. */
static void judge(hp_team_hub *hub, double wall, double cpu, double barriers) {
  elastic *E = &hub->elastic;
  const double fewer = by_fewer(E, hub->body, barriers, E->size < hub->size ? wall : 0.0);
  E->wall += wall;
  E->cpu += cpu;
  if (E->trying) {
    if (fewer > 0.0) {
      E->took += wall;
      E->fewer += fewer;
    }
    if (E->wall < (E->took > 2.0 * E->fewer ? TRIAL_LEAST : TRIAL_MOST)) return;
    const bool better = E->took < E->fewer;
    settle(hub, better ? hub->size : E->cores, hp_now(), better ? 0.0 : fmax(E->took - E->fewer, 0.0));
    return;
  }
  if (E->looking || E->wall < WINDOW) return;
  const double now = hp_now();
  const bool off = E->wall - E->cpu > OFF_CORE * E->wall;
  E->wall = E->cpu = 0.0;
  if (!off || E->size == 1 || now < E->trust) return;
  if (now - E->since > 4.0 * E->hold) E->hold = HOLD_LEAST;
  E->size = 1;
  begin_look(hub, now, 1);
}

void hp_team_be_elastic(hp_team_hub *hub) {
  elastic *E = &hub->elastic;
  if (hub->size == 1 || E->on) return;
  E->on = E->first = true;
  E->size = 1;
  E->hold = HOLD_LEAST;
  begin_look(hub, hp_now(), 1);
}

/* ---- runs ---- */

static void *thread_main(void *p) {
  thread_arg a = *(thread_arg *)p;
  free(p);
  hp_team_hub *hub = a.hub;
  for (uint64_t job = 0;;) {
    job = wait_job(hub, job);
    if (atomic_load(&hub->stop) || atomic_load(&hub->broken)) return NULL;
    if (runs(job, a.rank)) run_member(hub, a.rank);
    else if ((int)(job >> 16 & 0xffff) <= a.rank) look(hub, a.rank, atomic_load(&hub->look_since));
  }
}

hp_status hp_team_run(hp_team_hub *hub, void (*body)(hp_team *, void *), void *arg) {
  if (atomic_load(&hub->broken)) return hp_fail(HP_ERR_TEAM, "the team is broken: stuck at %s", hub->stuck_at);
  const bool is_elastic = hub->elastic.on;
  const int size = is_elastic ? choose(hub) : hub->size;
  const double wall = is_elastic ? hp_now() : 0.0, cpu = is_elastic ? cpu_seconds() : 0.0;
  hub->next.size = size;
  hub->body = body;
  hub->arg = arg;
  atomic_store(&hub->inside, size);
  if (size > 1) publish(hub, HP_TEAM_MAX, size);
  const int64_t barriers = hub->next.barriers;
  run_member(hub, 0);
  if (is_elastic) judge(hub, hp_now() - wall, cpu_seconds() - cpu, (double)(hub->next.barriers - barriers));
  if (!atomic_load(&hub->broken)) return HP_OK;
  const bool left = all_left(hub);
  return hp_fail(HP_ERR_TEAM, "a member of the team waited longer than %g s at %s%s", hub->opt.time_limit,
                 hub->stuck_at, left ? "" : ", and another one is still at work");
}

static hp_status start_threads(hp_team_hub *hub) {
  for (int r = 1; r < hub->size; ++r) {
    thread_arg *a = malloc(sizeof *a);
    if (a == NULL) return hp_fail(HP_ERR_MEMORY, "out of memory for thread %d", r);
    a->hub = hub;
    a->rank = r;
    if (pthread_create(&hub->thread[r], NULL, thread_main, a) != 0) {
      free(a);
      return hp_fail(HP_ERR_TEAM, "cannot start thread %d of %d", r + 1, hub->size);
    }
    hub->started = r;
  }
  return HP_OK;
}

hp_status hp_team_hub_create(int size, const hp_team_options *opt, hp_team_hub **out) {
  *out = NULL;
  if (size < 1 || size > HP_TEAM_MAX)
    return hp_fail(HP_ERR_USAGE, "a team has 1 to %d members, not %d", HP_TEAM_MAX, size);
  hp_team_hub *hub = NULL;
  HP_TRY(HP_ALLOC(hub, 1));
  hub->size = size;
  hub->next.size = size;
  hub->next.hub = hub;
  if (opt != NULL) hub->opt = *opt;
  if (hub->opt.time_limit <= 0.0) hub->opt.time_limit = 600.0;
  hub->spins = size > hp_processors() ? 0 : SPINS;
  for (int r = 0; r < size; ++r) hub->slot[r].patience = hub->spins;
  pthread_mutex_init(&hub->lock, NULL);
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&hub->wake, &attr);
  pthread_condattr_destroy(&attr);
  hp_status s = HP_ALLOC(hub->next.partial[0], HP_SUMS_MAX * HP_CHUNKS_MAX);
  if (s == HP_OK) s = HP_ALLOC(hub->next.partial[1], HP_SUMS_MAX * HP_CHUNKS_MAX);
  if (s == HP_OK) s = start_threads(hub);
  if (s != HP_OK) {
    hp_team_hub_destroy(&hub);
    return s;
  }
  *out = hub;
  return HP_OK;
}

void hp_team_hub_destroy(hp_team_hub **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_team_hub *hub = *slot;
  atomic_store(&hub->stop, true);
  publish(hub, HP_TEAM_MAX, 0);
  wake_all(hub);
  for (int r = 1; r <= hub->started; ++r) pthread_join(hub->thread[r], NULL);
  pthread_cond_destroy(&hub->wake);
  pthread_mutex_destroy(&hub->lock);
  HP_FREE(hub->next.partial[0]);
  HP_FREE(hub->next.partial[1]);
  HP_FREE(*slot);
}

int hp_team_hub_size(const hp_team_hub *hub) { return hub->size; }
int64_t hp_team_barriers(const hp_team_hub *hub) { return hub->next.barriers; }
