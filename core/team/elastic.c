#define _GNU_SOURCE
#include "core/team/elastic.h"

#include <math.h>
#include <time.h>

#include "core/profile.h"
#include "core/team/hub_impl.h"

/* Seconds: */
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

double hp_elastic_cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Spins until a job is for this member or the look, which began at `since`, is over. */
void hp_elastic_look(hp_team_hub *hub, int rank, double since) {
  hp_team_slot *slot = &hub->slot[rank];
  const double cpu = hp_elastic_cpu_seconds();
  for (double now = since; now - since < LOOK && !atomic_load(&hub->stop);) {
    for (int n = 0; n < 200; ++n) hp_team_relax();
    if (hp_team_job_runs(atomic_load_explicit(&hub->job, memory_order_relaxed), rank)) return;
    now = hp_now();
    atomic_store_explicit(&slot->got, (int64_t)(1e9 * (hp_elastic_cpu_seconds() - cpu)), memory_order_relaxed);
    atomic_store_explicit(&slot->looked, (int64_t)(1e9 * (now - since)), memory_order_relaxed);
  }
}

static void begin_look(hp_team_hub *hub, double now, int from) {
  hp_elastic *E = &hub->elastic;
  E->looking = true;
  E->from = from;
  E->since = now;
  E->wall = E->cpu = 0.0;
  for (int k = 0; k < HP_ELASTIC_BODIES; ++k) { /* what was before counts less */
    E->known[k].seconds *= 0.5;
    E->known[k].barriers *= 0.5;
  }
  for (int r = from; r < hub->size; ++r) {
    atomic_store_explicit(&hub->slot[r].got, 0, memory_order_relaxed);
    atomic_store_explicit(&hub->slot[r].looked, 0, memory_order_relaxed);
  }
  atomic_store_explicit(&hub->look_since, now, memory_order_relaxed);
  hp_team_publish(hub, from, 0);
}

/* Members with a core of their own `seconds` after the look began; those that ran meanwhile, but for member 0, count
 * as such. */
static int count_cores(const hp_team_hub *hub, double seconds) {
  const hp_elastic *E = &hub->elastic;
  int count = E->from - 1 + (E->cpu >= OWN_CORE * E->wall);
  for (int r = E->from; r < hub->size; ++r) {
    const double looked = 1e-9 * (double)atomic_load_explicit(&hub->slot[r].looked, memory_order_relaxed);
    const double got = 1e-9 * (double)atomic_load_explicit(&hub->slot[r].got, memory_order_relaxed);
    count += got >= OWN_CORE * (looked >= LOOK ? looked : seconds);
  }
  return count < 1 ? 1 : count;
}

/* `size` members from now on, for a time that doubles from one finding to the next. */
static int set_size(hp_team_hub *hub, int size, double now, double lost) {
  hp_elastic *E = &hub->elastic;
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
int hp_elastic_choose(hp_team_hub *hub) {
  hp_elastic *E = &hub->elastic;
  const double now = hp_now(), seconds = now - E->since;
  if (E->looking) {
    const bool over = seconds >= 1.1 * LOOK, early = E->first && seconds >= LOOK_FIRST;
    if (!over && !early) return E->size;
    E->cores = count_cores(hub, seconds);
    if (E->cores == hub->size) {
      set_size(hub, hub->size, now, 0.0);
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
static double by_fewer(hp_elastic *E, void (*body)(hp_team *, void *), double barriers, double add) {
  for (int k = 0; k < HP_ELASTIC_BODIES; ++k) {
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
void hp_elastic_judge(hp_team_hub *hub, double wall, double cpu, double barriers) {
  hp_elastic *E = &hub->elastic;
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
    set_size(hub, better ? hub->size : E->cores, hp_now(), better ? 0.0 : fmax(E->took - E->fewer, 0.0));
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
  hp_elastic *E = &hub->elastic;
  if (hub->size == 1 || E->on) return;
  E->on = E->first = true;
  E->size = 1;
  E->hold = HOLD_LEAST;
  begin_look(hub, hp_now(), 1);
}
