#define _GNU_SOURCE
#include "core/team/team.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "core/profile.h"
#include "core/ranks/exact.h"
#include "core/team/hub_impl.h"
#include "core/team/share.h"

/* How a member waits: it looks HP_TEAM_SPINS times at most, about as long as falling
 * asleep and waking take (some 70 microseconds), then it sleeps. It does not give
 * its core away between looks: another program would keep it for milliseconds,
 * where a sleeper that is woken has it back at once (docs/laboratory/performance.md). Waits
 * that turn out to be long (the awaited member has lost its core) make it look
 * less often, SPINS_LEAST times in the end. A team larger than the cores does not
 * look: there the awaited member may need the core. */
enum { SPINS_LEAST = 64, NAP_NS = 20000, NAPS_LONG = 3 };
#define LONG_WAIT 150e-6 /* s */

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

void hp_team_wake_all(hp_team_hub *hub) {
  pthread_mutex_lock(&hub->lock);
  pthread_cond_broadcast(&hub->wake);
  pthread_mutex_unlock(&hub->lock);
}

/* A sleeper counts itself before it looks at the word, both sequentially
 * consistent: either it sees the new value or we see the sleeper. */
static void wake_sleepers(hp_team_hub *hub) {
  if (atomic_load(&hub->sleepers) != 0) hp_team_wake_all(hub);
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
  hp_team_wake_all(hub);
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
    hp_team_relax();
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
uint64_t hp_team_wait_job(hp_team_hub *hub, uint64_t seen) {
  uint64_t job;
  for (int n = 0; n < hub->spins; ++n) {
    job = atomic_load_explicit(&hub->job, memory_order_acquire);
    if (job != seen) return job;
    hp_team_relax();
  }
  pthread_mutex_lock(&hub->lock);
  atomic_fetch_add(&hub->sleepers, 1);
  while ((job = atomic_load(&hub->job)) == seen && !atomic_load(&hub->broken))
    pthread_cond_wait(&hub->wake, &hub->lock);
  atomic_fetch_sub(&hub->sleepers, 1);
  pthread_mutex_unlock(&hub->lock);
  return job;
}

void hp_team_publish(hp_team_hub *hub, int from, int members) {
  const uint64_t number = (atomic_load_explicit(&hub->job, memory_order_relaxed) >> 32) + 1;
  atomic_store(&hub->job, number << 32 | (uint64_t)from << 16 | (uint64_t)members);
  wake_sleepers(hub);
}

/* ---- barrier ---- */

static bool barrier_is_off(const hp_team *t) {
  return t->size == 1 || t->barriers - t->first_barriers == t->hub->opt.skip_barrier ||
         atomic_load_explicit(&t->hub->broken, memory_order_relaxed);
}

static void arrive(hp_team *t, _Atomic uint32_t *arrived, _Atomic uint32_t *generation) {
  if (atomic_fetch_add(arrived, 1) + 1 == (uint32_t)t->size) {
    atomic_store(arrived, 0);
    atomic_fetch_add(generation, 1);
    wake_sleepers(t->hub);
  }
}

static void await(hp_team *t, _Atomic uint32_t *word, uint32_t *generation, const char *place) {
  hp_team_hub *hub = t->hub;
  if (hub->opt.rotate != 0) yield_until_change(hub, word, *generation, place);
  else wait_change(hub, word, *generation, &hub->slot[t->rank].patience, place);
  *generation += 1;
}

void hp_team_arrive_at(hp_team *t, const char *place) {
  (void)place;
  t->barriers += 1;
  if (!barrier_is_off(t)) arrive(t, &t->hub->arrived, &t->hub->generation);
}

void hp_team_wait_at(hp_team *t, const char *place) {
  if (!barrier_is_off(t)) await(t, &t->hub->generation, &t->generation, place);
}

/* ---- loops and sums ---- */

/* Equal on all members; a plain multiple of the turn would repeat itself too soon. */
static uint32_t scramble(uint32_t seed, uint32_t turn) {
  uint32_t x = seed * 0x9e3779b9u + turn;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/* The member whose part of the next loop this one has. */
static int next_rank(hp_team *t, int owned) {
  if (t->hub->opt.rotate == 0 || owned) return t->rank;
  return (int)(((uint32_t)t->rank + scramble(t->hub->opt.rotate, t->turn++) % (uint32_t)t->size) % (uint32_t)t->size);
}

/* Members of a hub that stands for several GPUs: the one that `rank` is a part of, and which of its parts. */
typedef struct {
  int gpu, part, parts;
} on_gpu;

static on_gpu gpu_of(int rank, int size, int gpus) {
  const int gpu = rank * gpus / size, first = (gpu * size + gpus - 1) / gpus,
            end = ((gpu + 1) * size + gpus - 1) / gpus;
  return (on_gpu){gpu, rank - first, end - first};
}

/* Part of from .. to-1. */
static hp_span part_of(const on_gpu *g, int64_t from, int64_t to) {
  const hp_span s = hp_team_chunks_of(g->part, g->parts, to - from);
  return (hp_span){from + s.begin, from + s.end};
}

/* GPUs that the members stand for. */
static int gpus_of(const hp_team *t) { return t->on_first ? 1 : t->hub->opt.gpus; }

static hp_span chunks_of(const hp_team *t, int rank, int64_t n) {
  const hp_cut cut = hp_team_cut(t, n);
  const int gpus = gpus_of(t);
  if (gpus <= 1) return hp_team_chunks_of(rank, t->size, cut.chunks);
  const on_gpu g = gpu_of(rank, t->size, gpus);
  const int end = hp_cut_share(&cut, g.gpu + 1, gpus);
  return part_of(&g, hp_cut_share(&cut, g.gpu, gpus), end < cut.chunks ? end : cut.chunks);
}

hp_span hp_team_chunks(hp_team *t, int64_t n, int owned) { return chunks_of(t, next_rank(t, owned), n); }

/* A free loop on GPUs (core/team/cuda/loops.cuh): shares of as many warps' indices. */
static hp_span free_span(const on_gpu *g, int gpus, int64_t n) {
  enum { WARP = 32 };
  const int64_t warps = (n + WARP - 1) / WARP;
  const hp_span s = part_of(g, hp_cut_share_free(warps, n, g->gpu, gpus),
                            hp_cut_share_free(warps, n, g->gpu + 1, gpus));
  return (hp_span){WARP * s.begin < n ? WARP * s.begin : n, WARP * s.end < n ? WARP * s.end : n};
}

hp_span hp_team_span(hp_team *t, int64_t n, int owned) {
  const int gpus = gpus_of(t), rank = next_rank(t, owned);
  const on_gpu g = gpu_of(rank, t->size, gpus > 1 ? gpus : 1);
  if (gpus > 1 && !owned) return free_span(&g, gpus, n);
  const hp_cut cut = hp_team_cut(t, n);
  const hp_span chunks = chunks_of(t, rank, n);
  return (hp_span){hp_cut_begin(&cut, (int)chunks.begin), hp_cut_begin(&cut, (int)chunks.end)};
}

bool hp_team_first_begin(hp_team *t) {
  const int gpus = t->hub->opt.gpus;
  if (gpus <= 1) return true;
  const on_gpu g = gpu_of(t->rank, t->size, gpus);
  if (g.gpu != 0) return false;
  t->on_first = true;
  t->whole = t->size;
  t->whole_turn = t->turn;
  t->size = g.parts;
  return true;
}

void hp_team_first_end(hp_team *t) {
  if (!t->on_first) return;
  t->on_first = false;
  t->size = t->whole;
  t->turn = t->whole_turn; /* that of the members who were not there */
}

void hp_team_first_sync_at(hp_team *t, const char *place) {
  hp_team_hub *hub = t->hub;
  if (!t->on_first) {
    hp_team_arrive_at(t, place);
    hp_team_wait_at(t, place);
    return;
  }
  t->barriers += 1;
  t->first_barriers += 1;
  if (t->size == 1 || t->first_barriers == hub->opt.skip_first ||
      atomic_load_explicit(&hub->broken, memory_order_relaxed))
    return;
  arrive(t, &hub->first_arrived, &hub->first_generation);
  await(t, &hub->first_generation, &t->first_generation, place);
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

/* With ranks: adds the chunks of all ranks, by member 0, between two barriers. */
static void sum_ranks(hp_team *t, const double *partial, int chunks, int count, double *out, const char *place) {
  hp_team_hub *hub = t->hub;
  double *sum = hub->sum[t->sums & 1u];
  if (t->rank == 0) {
    hp_exact all[HP_SUMS_MAX];
    memset(all, 0, (size_t)count * sizeof *all);
    for (int k = 0; k < count; ++k)
      for (int c = 0; c < chunks; ++c) hp_exact_add(&all[k], partial[k * t->stride + c]);
    hp_ranks_sum(t->part->K, all[0].place, count * HP_EXACT_PLACES);
    for (int k = 0; k < count; ++k) sum[k] = hp_exact_value(&all[k]);
  }
  hp_team_arrive_at(t, place);
  hp_team_wait_at(t, place);
  for (int k = 0; k < count; ++k) out[k] = sum[k];
}

/* Every member adds all partial sums in the same order. The two buffers make a
 * second barrier unnecessary: one is written again only after the barrier of
 * the reduction in between, which nobody passes before all have read. */
void hp_team_sum_end_at(hp_team *t, int64_t n, int count, double *out, const char *place) {
  hp_team_wait_at(t, place);
  const double *partial = t->partial[t->sums & 1u];
  const int chunks = hp_team_cut(t, n).chunks;
  if (t->part != NULL) sum_ranks(t, partial, chunks, count, out, place);
  else
    for (int k = 0; k < count; ++k) out[k] = sum_chunks(partial + k * HP_CHUNKS_MAX, chunks);
  t->sums += 1;
}

void hp_team_max_here_at(hp_team *t, double value, int64_t index, double *max, int64_t *argmax, const char *place) {
  const unsigned buffer = t->sums & 1u;
  hp_team_slot *slot = t->hub->slot;
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

void hp_team_max_at(hp_team *t, double value, int64_t index, double *max, int64_t *argmax, const char *place) {
  const unsigned buffer = t->sums & 1u;
  hp_team_hub *hub = t->hub;
  hp_team_max_here_at(t, value, t->part != NULL ? hp_part_global(t->part, index) : index, max, argmax, place);
  if (t->part == NULL) return;
  if (t->rank == 0) {
    hub->max[buffer] = *max;
    hub->argmax[buffer] = *argmax;
    hp_ranks_max_at(t->part->K, &hub->max[buffer], &hub->argmax[buffer]);
  }
  hp_team_arrive_at(t, place);
  hp_team_wait_at(t, place);
  *max = hub->max[buffer];
  *argmax = hub->argmax[buffer];
}

/* ---- ghosts ---- */

void hp_team_renew_at(hp_team *t, const hp_part *p, double *x, int q, const char *place) {
  if (t->rank == 0) hp_part_renew(p, x, q, true);
  hp_team_arrive_at(t, place);
  hp_team_wait_at(t, place);
}

void hp_team_renew_all_at(hp_team *t, const hp_part *p, double *x, int q, const char *place) {
  if (t->rank == 0) hp_part_renew_all(p, x, q, true);
  hp_team_arrive_at(t, place);
  hp_team_wait_at(t, place);
}

void hp_team_drop_at(hp_team *t, const hp_part *p, double *x, int q, const char *place) {
  if (t->rank == 0) hp_part_drop(p, x, q);
  hp_team_arrive_at(t, place);
  hp_team_wait_at(t, place);
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
      hp_team_relax();
      continue;
    }
    if (n == spins + NAPS_LONG) have_patience(hub, patience, true);
    nap();
    if (n % 256 == 0 && !may_wait(hub, &since, place)) return;
  }
}
