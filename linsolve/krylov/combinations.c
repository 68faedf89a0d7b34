#include "linsolve/krylov/combinations.h"

#include <string.h>

#include "core/show.h"

#define OFF_GPUS "the CPU|ranks"
#define ON_GPUS "one GPU|GPUs|GPU ranks"
#define OVER_RANKS "ranks|GPU ranks"
#define PLACE [HP_CHOICE_PLACE]
#define SYSTEM [HP_CHOICE_SYSTEM]
#define METHOD [HP_CHOICE_METHOD]
#define PRECONDITIONER [HP_CHOICE_PRECONDITIONER]
#define ORDERING [HP_CHOICE_ORDERING]
#define RELAXATION [HP_CHOICE_RELAXATION]
#define PRECISION [HP_CHOICE_PRECISION]
#define MATRIX [HP_CHOICE_MATRIX]
#define EXECUTION [HP_CHOICE_EXECUTION]
#define SPECIALISE [HP_CHOICE_SPECIALISE]
#define BARRIER [HP_CHOICE_BARRIER]
#define EXCHANGE [HP_CHOICE_EXCHANGE]
#define AMG [HP_CHOICE_AMG]
#define COARSENING [HP_CHOICE_COARSENING]
#define SMOOTHER [HP_CHOICE_SMOOTHER]
#define FORMAT [HP_CHOICE_FORMAT]

static const hp_combination combinations[] = {
    /* kernels of cpr, a set for each method */
    {{PLACE = ON_GPUS, PRECONDITIONER = "cpr", METHOD = "!bicgstab|gmres|tfqmr"},
     "on a GPU cpr goes with bicgstab, gmres and tfqmr"},
    /* wherever it runs; relaxation adds to the pressure column only, so that a block of several unknowns is not symmetric */
    {{METHOD = "cg", SYSTEM = "the Jacobian of a deck"},
     "cg is for symmetric positive definite systems; the Jacobian of two-phase flow is not symmetric"},
    {{METHOD = "cg", RELAXATION = "above 0", SYSTEM = "several unknowns a cell"},
     "cg needs a symmetric preconditioner: relaxed dilu is not symmetric with more than one unknown per cell"},
    {{METHOD = "cg", PRECONDITIONER = "cpr|external"},
     "cg needs a symmetric preconditioner: none, jacobi, block-jacobi, dilu or symmetric multigrid cycles"},
    {{METHOD = "qmr", PRECONDITIONER = "cpr|external|symmetric external"},
     "qmr needs the transposed preconditioner, which cpr and external ones do not have"},
    {{ORDERING = "!natural", PRECONDITIONER = "!dilu|cpr"}, "an ordering is for the preconditioner dilu only"},
    {{RELAXATION = "above 0", PRECONDITIONER = "!dilu|cpr"}, "relaxation is for the preconditioner dilu only"},
    {{PRECISION = "single", PRECONDITIONER = "!dilu|cpr"}, "single precision is for the preconditioner dilu only"},
    /* ranks */
    {{PLACE = "!GPU ranks", EXCHANGE = "!auto"},
     "linear.exchange is of ranks with a GPU each: mpirun and --backend cuda"},
    {{PLACE = "!one GPU|GPUs", BARRIER = "!auto"},
     "linear.barrier is of --backend cuda and the execution in-kernel, whose blocks wait for each other"},
    {{PLACE = OVER_RANKS, METHOD = "qmr"},
     "qmr needs the transposed matrix, which ranks do not have: use bicgstab, gmres or tfqmr"},
    {{PLACE = OVER_RANKS, PRECONDITIONER = "dilu|cpr", ORDERING = "!bricks"},
     "ranks eliminate in bricks, which do not wait for each other: leave linear.ordering out, or give \"bricks\""},
    {{PLACE = OVER_RANKS, AMG = "own", COARSENING = "!pmis"},
     "ranks have the coarsening pmis only: leave linear.cpr.coarsening out"},
    {{PLACE = OVER_RANKS, AMG = "own", SMOOTHER = "!jacobi|damped-jacobi|l1-jacobi|spai-0"},
     "ranks have the smoothers jacobi, damped-jacobi, l1-jacobi and spai-0 only: use linear.cpr.smoother = "
     "\"damped-jacobi\""},
    {{PLACE = "GPU ranks", EXECUTION = "!per-operation"},
     "ranks with a GPU each exchange between the kernels of a solve: leave linear.execution out, or give "
     "\"per-operation\""},
    {{PLACE = "GPU ranks", FORMAT = "!auto|sliced"},
     "ranks with a GPU each have rows of levels in slices only: leave linear.cpr.format out"},
    {{PLACE = "GPU ranks", METHOD = "!bicgstab|gmres"}, "ranks with a GPU each have bicgstab and gmres only"},
    {{PLACE = "GPU ranks", MATRIX = "!gh"}, "ranks with a GPU each multiply with the matrix stored as gh only"},
    {{PLACE = "GPU ranks", SPECIALISE = "true"},
     "linear.specialise is of the execution in-kernel, which ranks do not have"},
    /* the CPU */
    {{PLACE = OFF_GPUS, SPECIALISE = "true"},
     "specialise compiles a kernel for a GPU: linear.specialise is false on the CPU"},
    {{PLACE = OFF_GPUS, EXECUTION = "!in-kernel"},
     "the executions per-operation, graph and library are ways to use a GPU: linear.execution is \"in-kernel\" "
     "on the CPU"},
    /* executions of a GPU */
    {{EXECUTION = "!in-kernel", SPECIALISE = "true"},
     "specialise is of the execution in-kernel: the others have no kernel for the whole solve"},
    {{EXECUTION = "!in-kernel", BARRIER = "!auto"},
     "linear.barrier is of the execution in-kernel, whose blocks wait for each other: leave it out"},
    {{PLACE = "GPUs", EXECUTION = "!in-kernel"},
     "linear.execution = \"per-operation\", \"graph\" and \"library\" run on one GPU, \"in-kernel\" on several"},
    {{PLACE = "GPUs", BARRIER = "!auto|counter"},
     "several GPUs wait for each other by a counter: leave linear.barrier out"},
    {{PLACE = ON_GPUS, PRECONDITIONER = "cpr", EXECUTION = "library"},
     "cpr has no execution library: use linear.execution = \"in-kernel\", \"per-operation\" or \"graph\""},
    {{PLACE = ON_GPUS, EXECUTION = "!in-kernel", METHOD = "!bicgstab|gmres"},
     "the executions per-operation, graph and library have bicgstab and gmres only: use linear.execution = "
     "\"in-kernel\""},
    {{PLACE = ON_GPUS, EXECUTION = "in-kernel", MATRIX = "!gh"},
     "the execution in-kernel multiplies with the matrix stored as gh only: for other formats use linear.execution = "
     "\"per-operation\""},
    {{PLACE = ON_GPUS, EXECUTION = "graph", MATRIX = "csr|sell"},
     "csr and sell are multiplied by cuSPARSE, which the execution graph has no part of: use linear.execution = "
     "\"per-operation\" or \"library\""},
    {{PLACE = ON_GPUS, EXECUTION = "library", MATRIX = "!gh|csr|bsr|sell"},
     "the execution library multiplies with cuSPARSE: it has csr (also taken for gh), bsr and sell only"},
    /* preconditioners of a GPU */
    {{PLACE = ON_GPUS, PRECONDITIONER = "cpr", ORDERING = "natural"},
     "cpr's second stage, dilu, in natural order is a chain through all cells and does not run on a GPU: use "
     "linear.ordering = \"bricks\" or \"red-black\""},
    {{PLACE = ON_GPUS, PRECONDITIONER = "dilu", ORDERING = "natural"},
     "dilu in natural order is a chain through all cells and does not run on a GPU: use linear.ordering = "
     "\"red-black\""},
    {{PLACE = ON_GPUS, PRECONDITIONER = "dilu", ORDERING = "bricks", EXECUTION = "in-kernel"},
     "inside a solve's kernel dilu in bricks is for the second stage of cpr only: use linear.ordering = "
     "\"red-black\", or linear.execution = \"per-operation\""},
    {{PLACE = ON_GPUS, AMG = "hypre"}, "linear.cpr.amg = \"hypre\" runs on the CPU only"},
    {{PLACE = ON_GPUS, SMOOTHER = "gauss-seidel"},
     "gauss-seidel takes one row after the other, which is for the CPU; on a GPU level-scheduled makes the same sweep, "
     "coloured one in another order of rows"}};

const hp_combination *hp_combinations(int *count) {
  *count = (int)(sizeof combinations / sizeof *combinations);
  return combinations;
}

/* Whether a pattern takes a choice. */
static bool takes(const char *pattern, const char *choice) {
  if (pattern == NULL) return true;
  if (choice == NULL) return false;
  const bool other = *pattern == '!';
  const size_t length = strlen(choice);
  for (const char *at = pattern + other; at != NULL; at = strchr(at, '|')) {
    at += *at == '|';
    if (strncmp(at, choice, length) == 0 && (at[length] == '|' || at[length] == '\0')) return !other;
  }
  return other;
}

const char *hp_combination_refusal(const hp_choices *choices) {
  for (size_t row = 0; row < sizeof combinations / sizeof *combinations; ++row) {
    bool matches = true;
    for (int n = 0; n < HP_CHOICES && matches; ++n) matches = takes(combinations[row].of[n], choices->of[n]);
    if (matches) return combinations[row].message;
  }
  return NULL;
}

#define WORDS_OF(name, words) words,
static const char *const place_words[] = {HP_SOLVER_PLACE_LIST(WORDS_OF)};
HP_WORD_OF(hp_solver_place_words, hp_solver_place, place_words)
