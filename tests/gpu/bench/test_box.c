/* BiCG-Stab for boxes of 27 points on a GPU, by the kernel of the build and by the one compiled for the matrix: the bits of the
 * CPU's team, solutions, histories and reports, for q = 1, 2, 3, 4, 8, with and without wells, on grids whose dimensions may
 * be 1; the same iterations beside csr. Prints the times of both kernels for grids of decks' sizes. */
#define _DEFAULT_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/generators/family.h"
#include "bench/krylov/solver.h"
#include "core/compile/compile.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/matrix/device.h"
#include "tests/support/check.h"

static char folder[] = "/tmp/hepta-box-XXXXXX";

typedef struct {
  hp_krylov_report report;
  hp_krylov_special special;
  double *x, *history;
  double seconds; /* of the faster of three solves */
} answer;

typedef struct {
  hp_team_hub *hub;
  hp_device *D;
  hp_gh *A, dA;
  hp_sparse *F;
  double *b, *db, *dx;
} system_of;

static int small; /* HEPTA_TEST_SMALL, for a sanitizer: 1, small grids; 2, one of them and few iterations */

static hp_krylov_options usual = {.method = HP_KRYLOV_BICGSTAB, .tolerance = 1e-9, .max_iterations = 40, .restart = 1};

static void open_answer(const system_of *S, answer *a) {
  *a = (answer){.seconds = 1e30};
  CHECK_OK(HP_ALLOC(a->x, S->A->n));
  CHECK_OK(HP_ALLOC(a->history, usual.max_iterations + 1));
}

static void close_answer(answer *a) {
  HP_FREE(a->x);
  HP_FREE(a->history);
}

static void solve_on_cpu(const system_of *S, answer *a) {
  const hp_linear_options options = {.krylov = usual};
  const hp_linear_input in = {.A = S->A, .options = &options, .hub = S->hub};
  const hp_own_choice own = {.product = S->F};
  hp_linear_solver *K = NULL;
  open_answer(S, a);
  CHECK_OK(hp_own_create(&in, &own, &K));
  CHECK_OK(K->ops->set_up(K, S->A));
  CHECK_OK(K->ops->solve(K, S->A, S->b, a->x, a->history, &a->report));
  hp_linear_destroy(&K);
}

static void solve_on_gpu(const system_of *S, bool specialise, answer *a) {
  hp_linear_options options = {.krylov = usual};
  const hp_linear_input in = {.A = &S->dA, .options = &options, .D = S->D};
  const hp_own_choice own = {.product = S->F};
  hp_linear_solver *K = NULL;
  hp_linear_report look;
  open_answer(S, a);
  options.krylov.specialise = specialise;
  CHECK_OK(hp_own_create(&in, &own, &K));
  if (K == NULL) return;
  CHECK_OK(K->ops->report(K, &look));
  a->special = look.special;
  CHECK(a->special.used == specialise && a->special.note[0] == '\0');
  if (specialise && !a->special.used) printf("%s\n", a->special.note);
  CHECK_OK(K->ops->set_up(K, &S->dA));
  for (int n = 0; n < (small > 1 ? 1 : 3); ++n) {
    const double start = hp_now();
    CHECK_OK(K->ops->solve(K, &S->dA, S->db, S->dx, a->history, &a->report));
    a->seconds = fmin(a->seconds, hp_now() - start);
  }
  CHECK_OK(hp_device_download(S->D, a->x, S->dx, S->A->n * 8));
  hp_linear_destroy(&K);
}

static bool same(const system_of *S, const answer *a, const answer *b) {
  const hp_krylov_report *r = &a->report, *t = &b->report;
  return r->reason == t->reason && r->iterations == t->iterations && r->restarts == t->restarts &&
         r->products == t->products && r->residual == t->residual &&
         memcmp(a->x, b->x, (size_t)S->A->n * sizeof *a->x) == 0 &&
         memcmp(a->history, b->history, (size_t)(r->iterations + 1) * sizeof *a->history) == 0;
}

static void compare(hp_team_hub *hub, hp_device *D, const int *size, int q, bool wells, bool say) {
  system_of S = {.hub = hub, .D = D};
  hp_family f = hp_family_default(size[0], size[1], size[2], q);
  answer cpu, build, special;
  if (!wells) f.nwell = 0;
  else if (f.nwell == 0) f.nwell = 1;
  CHECK_OK(hp_family_create(&f, &S.A));
  CHECK_OK(hp_stencil_box_create(S.A, 1, &S.F));
  CHECK_OK(hp_gh_device_upload(D, S.A, &S.dA));
  CHECK_OK(HP_ALLOC(S.b, S.A->n));
  CHECK_OK(HP_DEVICE_ALLOC(D, S.db, S.A->n));
  CHECK_OK(HP_DEVICE_ALLOC(D, S.dx, S.A->n));
  hp_family_vector(3, S.A->n, S.b);
  CHECK_OK(hp_device_upload(D, S.db, S.b, S.A->n * 8));
  solve_on_cpu(&S, &cpu);
  solve_on_gpu(&S, false, &build);
  solve_on_gpu(&S, true, &special);
  const bool equal = same(&S, &cpu, &build) && same(&S, &cpu, &special);
  CHECK(equal && cpu.report.iterations > 0);
  if (say || !equal)
    printf(
        "box-27 %3d x %3d x %3d, q = %d, %d wells: %d iterations, %d registers, %lld bytes local; %.3f ms, %.3f ms%s\n",
        size[0], size[1], size[2], q, S.A->wells.nwell, cpu.report.iterations, special.special.registers,
        (long long)special.special.local, 1e3 * build.seconds, 1e3 * special.seconds, equal ? "" : ": OTHER BITS");
  close_answer(&cpu);
  close_answer(&build);
  close_answer(&special);
  hp_gh_device_free(D, &S.dA);
  HP_DEVICE_FREE(D, S.db);
  HP_DEVICE_FREE(D, S.dx);
  HP_FREE(S.b);
  hp_sparse_destroy(&S.F);
  hp_gh_destroy(&S.A);
}

/* Several GPUs do not multiply it. */
static void check_several(void) {
  const hp_device_options two = {.gpus = 2};
  const hp_family f = hp_family_default(4, 4, 4, 2);
  const hp_linear_options options = {.krylov = usual};
  hp_linear_solver *K = NULL;
  hp_sparse *F;
  hp_device *D;
  hp_gh *A, dA;
  CHECK_OK(hp_device_create(&two, &D));
  CHECK_OK(hp_family_create(&f, &A));
  CHECK_OK(hp_stencil_box_create(A, 1, &F));
  CHECK_OK(hp_gh_device_upload(D, A, &dA));
  const hp_linear_input in = {.A = &dA, .options = &options, .D = D};
  const hp_own_choice own = {.product = F};
  CHECK(hp_own_create(&in, &own, &K) == HP_ERR_USAGE && strstr(hp_fail_text(), "on one GPU") != NULL);
  hp_gh_device_free(D, &dA);
  hp_sparse_destroy(&F);
  hp_gh_destroy(&A);
  hp_device_destroy(&D);
}

int main(void) {
  static const int little[][3] = {{7, 6, 5}, {1, 9, 8}, {6, 1, 7}, {5, 8, 1}, {1, 1, 70}};
  static const int deck[3] = {30, 30, 28};
  static const int unknowns[] = {1, 2, 3, 4, 8};
  char cache[100], command[100];
  int version;
  hp_device *D;
  hp_team_hub *hub;
  if (hp_device_create(NULL, &D) != HP_OK || hp_compiler_version(&version) != HP_OK) {
    printf("skipped: %s\n", hp_fail_text());
    return CHECK_SKIPPED;
  }
  small = getenv("HEPTA_TEST_SMALL") != NULL ? atoi(getenv("HEPTA_TEST_SMALL")) : 0;
  if (small > 1) usual.max_iterations = 3;
  const hp_team_options team = {.time_limit = 60.0};
  CHECK_OK(hp_team_hub_create(2, &team, &hub));
  CHECK(mkdtemp(folder) != NULL);
  snprintf(cache, sizeof cache, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", cache, 1);
  const int64_t before = hp_device_bytes(D);
  for (int k = small > 1 ? 1 : 0; k < (small > 1 ? 2 : 5); ++k) {
    for (int wells = 0; wells < 2; ++wells) compare(hub, D, little[0], unknowns[k], wells, false);
    if (!small) compare(hub, D, deck, unknowns[k], true, true);
  }
  for (int s = 1; s < (small > 1 ? 1 : small ? 2 : 5); ++s)
    for (int k = 1; k < 3; ++k) compare(hub, D, little[s], unknowns[k], true, false);
  CHECK(hp_device_bytes(D) == before);
  hp_device_destroy(&D);
  check_several();
  hp_team_hub_destroy(&hub);
  CHECK(hp_memory_now() == 0);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0);
  return check_result();
}
