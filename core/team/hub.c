/* Hubs: the threads of a team, and runs of programs by them. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "core/memory.h"
#include "core/profile.h"
#include "core/team/hub_impl.h"

/* ---- members ---- */

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

/* ---- runs ---- */

static void *thread_main(void *p) {
  thread_arg a = *(thread_arg *)p;
  free(p);
  hp_team_hub *hub = a.hub;
  for (uint64_t job = 0;;) {
    job = hp_team_wait_job(hub, job);
    if (atomic_load(&hub->stop) || atomic_load(&hub->broken)) return NULL;
    if (hp_team_job_runs(job, a.rank)) run_member(hub, a.rank);
    else if (hp_team_job_looks_from(job) <= a.rank) hp_elastic_look(hub, a.rank, atomic_load(&hub->look_since));
  }
}

hp_status hp_team_run(hp_team_hub *hub, void (*body)(hp_team *, void *), void *arg) {
  if (atomic_load(&hub->broken)) return hp_fail(HP_ERR_TEAM, "the team is broken: stuck at %s", hub->stuck_at);
  const bool is_elastic = hub->elastic.on;
  const int size = is_elastic ? hp_elastic_choose(hub) : hub->size;
  const double wall = is_elastic ? hp_now() : 0.0, cpu = is_elastic ? hp_elastic_cpu_seconds() : 0.0;
  hub->next.size = size;
  hub->body = body;
  hub->arg = arg;
  atomic_store(&hub->inside, size);
  if (size > 1) hp_team_publish(hub, HP_TEAM_MAX, size);
  const int64_t barriers = hub->next.barriers;
  run_member(hub, 0);
  if (is_elastic)
    hp_elastic_judge(hub, hp_now() - wall, hp_elastic_cpu_seconds() - cpu, (double)(hub->next.barriers - barriers));
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
  if (opt != NULL && opt->gpus > size)
    return hp_fail(HP_ERR_USAGE, "a team of %d members cannot stand for %d GPUs", size, opt->gpus);
  hp_team_hub *hub = NULL;
  HP_TRY(HP_ALLOC(hub, 1));
  hub->size = size;
  hub->next.size = size;
  hub->next.hub = hub;
  if (opt != NULL) hub->opt = *opt;
  if (hub->opt.time_limit <= 0.0) hub->opt.time_limit = 600.0;
  hub->spins = size > hp_processors() ? 0 : HP_TEAM_SPINS;
  for (int r = 0; r < size; ++r) hub->slot[r].patience = hub->spins;
  pthread_mutex_init(&hub->lock, NULL);
  pthread_condattr_t attr;
  pthread_condattr_init(&attr);
  pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
  pthread_cond_init(&hub->wake, &attr);
  pthread_condattr_destroy(&attr);
  const hp_part *part = hub->opt.part;
  hub->next.part = part;
  hub->next.stride = HP_CHUNKS_MAX;
  if (part != NULL) hub->next.stride = hp_larger(HP_CHUNKS_MAX, part->ncell / part->chunk + part->nwell);
  /* unset: a megabyte, of which a small loop uses little */
  hp_status s = HP_ALLOC_UNSET(hub->next.partial[0], HP_SUMS_MAX * hub->next.stride);
  if (s == HP_OK) s = HP_ALLOC_UNSET(hub->next.partial[1], HP_SUMS_MAX * hub->next.stride);
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
  hp_team_publish(hub, HP_TEAM_MAX, 0);
  hp_team_wake_all(hub);
  for (int r = 1; r <= hub->started; ++r) pthread_join(hub->thread[r], NULL);
  pthread_cond_destroy(&hub->wake);
  pthread_mutex_destroy(&hub->lock);
  HP_FREE(hub->next.partial[0]);
  HP_FREE(hub->next.partial[1]);
  HP_FREE(*slot);
}

int hp_team_hub_size(const hp_team_hub *hub) { return hub->size; }
int64_t hp_team_barriers(const hp_team_hub *hub) { return hub->next.barriers; }
