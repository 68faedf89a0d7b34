/* Stencil families against dependence graphs found pair of cells by pair of cells: which offsets, shifts, which diagonals
 * exist and for which cells they stay inside the matrix, and that the header of constants says the same. With NVRTC, where
 * there is one, the solve's kernel compiles for families of both ends of q, with and without wells, for boxes, and with cpr. */
#include <stdlib.h>
#include <string.h>

#include "bench/sgdia/device.h"
#include "bench/texts/texts.h"
#include "core/compile/compile.h"
#include "core/memory.h"
#include "core/profile.h"
#include "linsolve/stencil/stencil.h"
#include "tests/support/check.h"

/* ---- graphs ---- */

static void place(const hp_stencil_family *F, int64_t m, int at[3]) {
  at[2] = (int)(m % F->nz);
  at[1] = (int)(m / F->nz % F->ny);
  at[0] = (int)(m / F->nz / F->ny);
}

/* Whether cell m depends on cell n: no coordinate differs by more than one, and star-7's in one of them at most. */
static bool depends(const hp_stencil_family *F, hp_stencil_kind kind, int64_t m, int64_t n, int offset[3]) {
  int a[3], b[3], moved = 0;
  place(F, m, a);
  place(F, n, b);
  for (int d = 0; d < 3; ++d) {
    offset[d] = b[d] - a[d];
    if (abs(offset[d]) > 1) return false;
    moved += offset[d] != 0;
  }
  return kind == HP_STENCIL_BOX_27 || moved <= 1;
}

/* The diagonal of an offset; -1: none, -2: several. */
static int diagonal(const hp_stencil *S, const int offset[3]) {
  int found = -1;
  for (int u = 0; u < S->count; ++u)
    if (S->offset[u][0] == offset[0] && S->offset[u][1] == offset[1] && S->offset[u][2] == offset[2])
      found = found == -1 ? u : -2;
  return found;
}

static void check_graph(const hp_stencil_family *F, hp_stencil_kind kind) {
  const int64_t ncell = (int64_t)F->nx * F->ny * F->nz;
  int edges[HP_STENCIL_MAX] = {0}, offset[3];
  bool good = true;
  for (int64_t m = 0; m < ncell; ++m)
    for (int64_t n = 0; n < ncell; ++n) {
      int64_t begin, end;
      if (!depends(F, kind, m, n, offset)) continue;
      const int u = diagonal(&F->stencil, offset);
      good = good && u >= 0;
      if (u < 0) continue;
      hp_stencil_cells(F, u, &begin, &end);
      edges[u] += 1;
      good = good && hp_stencil_shift(F, u) == n - m && hp_stencil_exists(F, u) && begin <= m && m < end;
    }
  for (int u = 0; u < F->stencil.count; ++u) {
    int64_t begin, end, inside = 0;
    hp_stencil_cells(F, u, &begin, &end);
    for (int64_t m = 0; m < ncell; ++m) { /* and no other cells are inside */
      const int64_t n = m + hp_stencil_shift(F, u);
      const bool is = hp_stencil_exists(F, u) && n >= 0 && n < ncell;
      good = good && is == (begin <= m && m < end);
      inside += is;
    }
    good = good && hp_stencil_exists(F, u) == (edges[u] > 0) && inside >= edges[u];
  }
  if (!good) fprintf(stderr, "%s on %d x %d x %d\n", F->stencil.name, F->nx, F->ny, F->nz);
  CHECK(good);
}

/* ---- the header ---- */

/* The number that `name` is defined to. */
static long long constant(const char *text, const char *name) {
  char line[64];
  long long value = -1;
  snprintf(line, sizeof line, "#define HP_CONSTANT_%s ", name);
  const char *at = strstr(text, line);
  CHECK(at != NULL && sscanf(at + strlen(line), "%lld", &value) == 1);
  return value;
}

/* Behind the `{` of a list's definition. */
static const char *list(const char *text, const char *name) {
  char line[64];
  snprintf(line, sizeof line, "#define HP_CONSTANT_%s {", name);
  const char *at = strstr(text, line);
  CHECK(at != NULL);
  return at != NULL ? at + strlen(line) : "";
}

static void check_header(const hp_stencil_family *F) {
  char text[HP_STENCIL_TEXT_MAX];
  CHECK_OK(hp_stencil_constants(F, "#define MORE 5\n", text, sizeof text));
  const int64_t ncell = (int64_t)F->nx * F->ny * F->nz;
  CHECK(constant(text, "NX") == F->nx && constant(text, "NY") == F->ny && constant(text, "NZ") == F->nz);
  CHECK(constant(text, "Q") == F->q && constant(text, "NWELL") == F->nwell);
  CHECK(constant(text, "NCELL") == ncell && constant(text, "ROWS") == ncell * F->q);
  CHECK(constant(text, "N") == ncell * F->q + F->nwell && constant(text, "DIAGS") == F->stencil.count);
  CHECK(strstr(text, F->listed ? "HP_CONSTANT_LISTED true\n" : "HP_CONSTANT_LISTED false\n") != NULL);
  CHECK(strlen(text) > 15 && strcmp(text + strlen(text) - 15, "#define MORE 5\n") == 0);
  const char *shift = list(text, "SHIFTS"), *exists = list(text, "EXISTS");
  for (int u = 0; u < F->stencil.count; ++u) {
    const char *word = hp_stencil_exists(F, u) ? "true" : "false";
    char *end;
    CHECK(strtoll(shift, &end, 10) == hp_stencil_shift(F, u));
    CHECK(strncmp(exists, word, strlen(word)) == 0);
    shift = end + 2;
    exists += strlen(word) + 2;
  }
  CHECK(shift[-2] == '}' && exists[-2] == '}');
  for (size_t size = 0; size < strlen(text); size += 97)
    CHECK(hp_stencil_constants(F, "#define MORE 5\n", text, size) == HP_ERR_INTERNAL);
}

static void check_families(void) {
  for (int kind = 0; kind < HP_STENCIL_COUNT; ++kind)
    for (int nx = 1; nx <= 4; ++nx)
      for (int ny = 1; ny <= 4; ++ny)
        for (int nz = 1; nz <= 4; ++nz) {
          const hp_stencil_family F = {.stencil = hp_stencil_of((hp_stencil_kind)kind),
                                       .nx = nx,
                                       .ny = ny,
                                       .nz = nz,
                                       .q = nx + 2 * ny,
                                       .nwell = nz - 1,
                                       .listed = nz > 1};
          CHECK(F.stencil.count == (kind == HP_STENCIL_STAR_7 ? 7 : 27));
          check_graph(&F, (hp_stencil_kind)kind);
          check_header(&F);
        }
}

/* star-7 is GH's. */
static void check_matrix(void) {
  hp_gh *A;
  const int64_t begin[] = {0, 2}, cell[] = {3, 4};
  CHECK_OK(hp_gh_create_shape(4, 3, 5, 2, &A));
  hp_stencil_family F = hp_stencil_family_of(A);
  CHECK(!F.listed && F.nwell == 0);
  for (int u = 0; u < HP_GH_DIAGS; ++u) CHECK(hp_stencil_shift(&F, u) == hp_gh_offset(A, u - 3));
  CHECK_OK(hp_gh_set_wells(A, 1, begin, cell, NULL));
  F = hp_stencil_family_of(A);
  CHECK(F.listed && F.nwell == 1 && F.nx == 4 && F.ny == 3 && F.nz == 5 && F.q == 2);
  hp_gh_destroy(&A);
}

/* ---- kernels ---- */

/* Options of the compiler: large kernels are hardly optimized where it knows how, which takes a tenth of the time. */
static const char *options_of(const char *header) {
  int version = 0;
  const bool small = strstr(header, "/product/") != NULL;
  return !small && hp_compiler_version(&version) == HP_OK && version >= 13000 ? "--Ofast-compile=max" : NULL;
}

static void compile(hp_stencil_kind kind, int q, int nwell, const char *header, const char *kernel) {
  char unit[160];
  const hp_stencil_family F = {
      .stencil = hp_stencil_of(kind), .nx = 30, .ny = 29, .nz = 28, .q = q, .nwell = nwell, .listed = nwell > 0};
  char text[HP_STENCIL_TEXT_MAX];
  hp_cubin C;
  CHECK_OK(hp_stencil_constants(&F,
                                "#define HP_CONSTANT_PRECOND HP_PRECOND_DILU\n"
                                "#define HP_CONSTANT_ORDERING HP_ORDER_RED_BLACK\n"
                                "#define HP_CONSTANT_PRECISION HP_PRECISION_SINGLE\n"
                                "#define HP_CONSTANT_UNROLL 2\n#define HP_CONSTANT_BARRIER HP_BARRIER_COUNTER\n"
                                "#define HP_CONSTANT_SOLVE_THREADS 512\n#define HP_CONSTANT_SOLVE_BLOCKS 1\n"
                                "#define HP_CONSTANT_THREADS 256\n#define HP_CONSTANT_WELL_BLOCKS 1\n"
                                "#define HP_CONSTANT_CYCLE HP_PRECISION_SINGLE\n",
                                text, sizeof text));
  snprintf(unit, sizeof unit, "#include \"hp_constants.h\"\n#include \"%s\"\n", header);
  const hp_compile_job job = {unit,
                              kernel,
                              text,
                              8,
                              0,
                              options_of(header),
                              strncmp(header, "bench/", 6) == 0 ? hp_bench_kernel_texts : hp_kernel_texts};
  const double start = hp_now();
  CHECK_OK(hp_compile(&job, &C));
  printf("%s of %s, q = %d, %d wells: compiled in %.2f s, %lld bytes\n", kernel, hp_stencil_name(kind), q, nwell,
         hp_now() - start, (long long)C.bytes);
  CHECK(C.bytes > 5000);
  hp_cubin_free(&C);
}

/* SG-DIA's kernel of a box with all its constants. */
static void compile_box(const int size[3], int q, bool periodic, bool shared) {
  hp_kernel_shape shape = hp_kernel_default_shape();
  char text[HP_STENCIL_TEXT_MAX], kernel[128];
  hp_sgdia *A = NULL;
  hp_cubin C;
  shape.shared = shared;
  CHECK_OK(hp_sgdia_create(HP_SGDIA_BOX, size, q, periodic, false, 1, &A));
  CHECK_OK(hp_sgdia_constants(A, &shape, text, sizeof text));
  CHECK(constant(text, "COLUMN") == A->ld && constant(text, "N") == A->n && constant(text, "DIAGS") == 27);
  const char *shift = list(text, "SHIFTS"), *point = list(text, "POINTS");
  for (int p = 0; p < A->points; ++p) {
    char *end;
    CHECK(strtoll(shift, &end, 10) == A->offset[p]);
    shift = end + 2;
    for (int d = 0; d < 3; ++d) {
      CHECK(strtoll(point, &end, 10) == A->shift[p][d]);
      point = end + 2;
    }
  }
  hp_sgdia_kernel_expression(A, &shape, kernel, sizeof kernel);
  const hp_compile_job job = {"#include \"hp_constants.h\"\n#include \"linsolve/sgdia/cuda/kernels.cuh\"\n",
                              kernel,
                              text,
                              8,
                              0,
                              options_of(""),
                              hp_kernel_texts};
  int version;
  if (hp_compiler_version(&version) == HP_OK) {
    const double start = hp_now();
    CHECK_OK(hp_compile(&job, &C));
    printf("box-27, %s, q = %d: compiled in %.2f s, %lld bytes\n", kernel, q, hp_now() - start, (long long)C.bytes);
    CHECK(C.bytes > 5000);
    hp_cubin_free(&C);
  }
  hp_sgdia_destroy(&A);
}

static void check_boxes(void) {
  const int size[3] = {6, 5, 4}, flat[3] = {6, 5, 1};
  hp_kernel_shape shape = hp_kernel_default_shape();
  char text[HP_STENCIL_TEXT_MAX];
  hp_sgdia *A = NULL;
  compile_box(size, 1, false, false);
  compile_box(size, 2, true, true);
  if (check_every(2) == 1) compile_box(size, 8, false, false);
  CHECK_OK(hp_sgdia_create(HP_SGDIA_BOX, flat, 2, false, false, 1, &A));
  CHECK(hp_sgdia_constants(A, &shape, text, sizeof text) == HP_ERR_UNSUPPORTED);
  hp_sgdia_destroy(&A);
}

int main(void) {
  static const char solver[] = "linsolve/krylov/cuda/kernel.cuh", product[] = "bench/product/cuda/gh.cuh";
  int version;
  check_families();
  check_matrix();
  check_boxes();
  const bool there = hp_compiler_version(&version) == HP_OK;
  if (there) {
    compile(HP_STENCIL_STAR_7, 1, 5, product, "spmv_gh_cells<SPMV_STREAM, false>");
    compile(HP_STENCIL_STAR_7, 8, 5, product, "spmv_gh_pairs<8, SPMV_STREAM, false>");
    if (check_every(2) == 1) { /* A sanitizer sees nothing in NVRTC, and makes it four times slower. */
      compile(HP_STENCIL_STAR_7, 3, 0, product, "spmv_gh_rows<3>");
      compile(HP_STENCIL_STAR_7, 2, 5, solver, "hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D>");
      compile(HP_STENCIL_STAR_7, 8, 0, solver, "hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_ANY>");
      compile(HP_STENCIL_STAR_7, 1, 5, solver, "hp_solve_kernel<HP_KRYLOV_GMRES, HP_SOLVE_ANY>");
      compile(HP_STENCIL_BOX_27, 2, 5, "bench/box/cuda/kernel.cuh",
              "hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_BOX, hp_box_plain>");
      compile(HP_STENCIL_STAR_7, 2, 5, "amg/cpr/cuda/apply.cuh",
              "hp_solve_kernel<HP_KRYLOV_BICGSTAB, HP_SOLVE_TWO_3D, hp_cpr_shape<false>>");
    }
  } else {
    printf("kernels skipped: %s\n", hp_fail_text());
  }
  CHECK(hp_memory_now() == 0);
  return check_result();
}
