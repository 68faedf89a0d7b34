/* The hub of a team of threads, for the files of this folder: team.c waits, hub.c starts threads and runs programs,
 * elastic.c chooses how many members run. */
#ifndef HP_CORE_TEAM_HUB_IMPL_H
#define HP_CORE_TEAM_HUB_IMPL_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/team/team.h"

enum { HP_CACHE_LINE = 64, HP_ELASTIC_BODIES = 16 };

typedef struct {
  _Alignas(HP_CACHE_LINE) _Atomic int64_t progress;
  double max[2];
  int64_t argmax[2];
  int patience;                /* looks before it sleeps */
  _Atomic int64_t looked, got; /* ns since the look began, and ns of processor time in them */
} hp_team_slot;

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
  } known[HP_ELASTIC_BODIES]; /* runs by fewer members */
} hp_elastic;

struct hp_team_hub {
  int size, spins;
  hp_team_options opt;
  pthread_t thread[HP_TEAM_MAX];
  int started;

  /* the barrier: the last to arrive advances the generation */
  _Alignas(HP_CACHE_LINE) _Atomic uint32_t arrived;
  _Alignas(HP_CACHE_LINE) _Atomic uint32_t generation;
  _Atomic uint32_t first_arrived, first_generation; /* tests: of the members that stand for the first GPU */
  _Alignas(HP_CACHE_LINE) _Atomic uint64_t job; /* number << 32 | first member that looks << 16 | members that run */
  _Alignas(HP_CACHE_LINE) _Atomic int32_t sleepers;
  _Atomic bool broken, stop;
  _Atomic(const char *) stuck_at;
  pthread_mutex_t lock;
  pthread_cond_t wake;

  void (*body)(hp_team *, void *);
  void *arg;
  hp_team next;           /* counters carried from run to run, equal on all members */
  _Atomic int32_t inside; /* members that have not left the body */
  hp_elastic elastic;     /* of member 0 */
  _Atomic double look_since;

  /* of a rank: reductions of all ranks, by member 0, in turn */
  double sum[2][HP_SUMS_MAX], max[2];
  int64_t argmax[2];

  hp_team_slot slot[HP_TEAM_MAX];
};

/* Pauses between two looks at a word that another member writes. */
static inline void hp_team_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

/* Whether member `rank` runs in a job; the first that looks instead. */
static inline bool hp_team_job_runs(uint64_t job, int rank) { return (int)(job & 0xffff) > rank; }
static inline int hp_team_job_looks_from(uint64_t job) { return (int)(job >> 16 & 0xffff); }

/* Looks before a member sleeps, in a hub with a core for each. */
enum { HP_TEAM_SPINS = 3000 };

void hp_team_wake_all(hp_team_hub *hub);
/* Publishes a job: members below `members` run it, those from `from` on look. */
void hp_team_publish(hp_team_hub *hub, int from, int members);
/* Waits for the next job after `seen`. */
uint64_t hp_team_wait_job(hp_team_hub *hub, uint64_t seen);

/* Processor time of this thread [s]. */
double hp_elastic_cpu_seconds(void);
/* Members of the next run. */
int hp_elastic_choose(hp_team_hub *hub);
/* Judges a run of member 0 that took `wall` seconds, `cpu` seconds of its core and `barriers` barriers. */
void hp_elastic_judge(hp_team_hub *hub, double wall, double cpu, double barriers);
/* Spins until a job is for this member or the look, which began at `since`, is over. */
void hp_elastic_look(hp_team_hub *hub, int rank, double since);

#endif
