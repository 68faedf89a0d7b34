/* See linsolve/krylov/cuda/special.cuh. */
#include "linsolve/krylov/cuda/special.cuh"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "linsolve/krylov/cuda/kernel.cuh"

static_assert(HP_DEVICE_THREADS == HP_TEAM_THREADS, "a shape's threads are those of teams");

struct hp_special {
  hp_stencil_family family;
  hp_device_shape shape;
  int form;
  hp_compiled *kernel;
};

/* The kernels of the methods with the preconditioners of HP_PRECOND_LIST. */
static const hp_precond_special plain = {"linsolve/krylov/cuda/kernel.cuh", "hp_solve_plain", NULL, ""};

static const hp_precond_special *source_of(const hp_krylov_options *opt) {
  return opt->external == NULL ? &plain : opt->external->device->special;
}

/* Whether threads, blocks and options of the compiler are those of the shape. */
static bool is_tuned(const hp_special *S, const hp_krylov_options *opt) {
  return opt->external == NULL && S->shape.compile != HP_COMPILE_BUILD;
}

/* External preconditioners name those of their own parts. */
static hp_status write_constants(const hp_special *S, const hp_precond_special *source, const hp_krylov_options *opt,
                                 const hp_precond *P, char *out, size_t size) {
  const hp_precond *part = opt->external == NULL ? P : source->part;
  const bool tuned = is_tuned(S, opt);
  char more[560];
  snprintf(more, sizeof more,
           "#define HP_CONSTANT_PRECOND %d\n#define HP_CONSTANT_ORDERING %d\n#define HP_CONSTANT_PRECISION %d\n"
           "#define HP_CONSTANT_UNROLL %d\n#define HP_CONSTANT_BARRIER %d\n"
           "#define HP_CONSTANT_SOLVE_THREADS %d\n#define HP_CONSTANT_SOLVE_BLOCKS %d\n%s",
           (int)part->kind, (int)part->ordering, (int)part->precision, S->shape.unroll, (int)S->shape.barrier,
           tuned ? S->shape.threads : (int)HP_TEAM_THREADS, tuned ? S->shape.blocks : 1, source->constants);
  return hp_stencil_constants(&S->family, more, out, size);
}

/* The compiler lays the arguments out as the build did, or complains. */
static void write_unit(const hp_precond_special *source, char *out, size_t size) {
  snprintf(
      out, size,
      "#include \"hp_constants.h\"\n#include \"%s\"\n"
      "static_assert(sizeof(hp_team_grid) == %zu && sizeof(hp_solve_args) == %zu && sizeof(hp_gh) == %zu, \"\");\n",
      source->unit, sizeof(hp_team_grid), sizeof(hp_solve_args), sizeof(hp_gh));
}

static hp_status create(hp_device *D, const hp_precond_special *source, const hp_kernel_text *texts,
                        const hp_krylov_options *opt, const hp_precond *P, hp_special *S) {
  char constants[HP_STENCIL_TEXT_MAX], unit[512], kernel[128];
  if (source == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "%s has no text for it", opt->external->name);
  S->shape = hp_device_get_shape(D);
  if (S->shape.barrier == HP_BARRIER_COOPERATIVE)
    return hp_fail(HP_ERR_UNSUPPORTED, "the barrier %s is one of the build's kernels alone",
                   hp_barrier_name(S->shape.barrier));
  if (hp_device_gpus(D) > 1) return hp_fail(HP_ERR_UNSUPPORTED, "it is of a team on one GPU");
  HP_TRY(write_constants(S, source, opt, P, constants, sizeof constants));
  write_unit(source, unit, sizeof unit);
  snprintf(kernel, sizeof kernel, "hp_solve_kernel<%d, %d, %s>", (int)opt->method, S->form, source->shape);
  const char *options = is_tuned(S, opt) ? hp_kernel_compile_options(S->shape.compile) : NULL;
  const hp_compile_job job = {unit, kernel, constants, 0, 0, options, texts};
  return hp_compiled_create(D, &job, &S->kernel);
}

hp_status hp_special_create_of(hp_device *D, const hp_stencil_family *family, const hp_precond_special *source,
                               const hp_kernel_text *texts, const hp_krylov_options *opt, const hp_precond *P, int form,
                               hp_special **out) {
  hp_special *S = NULL;
  *out = NULL;
  HP_TRY(HP_ALLOC(S, 1));
  S->family = *family;
  S->form = form;
  const hp_status s = create(D, source, texts, opt, P, S);
  if (s != HP_OK) hp_special_destroy(&S);
  *out = S;
  return s;
}

hp_status hp_special_create(hp_device *D, const hp_gh *A, const hp_krylov_options *opt, const hp_precond *P, int form,
                            hp_special **out) {
  const hp_stencil_family family = hp_stencil_family_of(A);
  return hp_special_create_of(D, &family, source_of(opt), hp_kernel_texts, opt, P, form, out);
}

void hp_special_destroy(hp_special **slot) {
  if (slot == NULL || *slot == NULL) return;
  hp_compiled_destroy(&(*slot)->kernel);
  HP_FREE(*slot);
}

const void *hp_special_kernel(const hp_special *S, hp_device *D, const hp_gh *A, int form) {
  const hp_stencil_family *F = &S->family, G = hp_stencil_family_of(A);
  const hp_device_shape shape = hp_device_get_shape(D);
  const bool same = F->nx == G.nx && F->ny == G.ny && F->nz == G.nz && F->q == G.q && F->nwell == G.nwell &&
                    (F->listed || !G.listed) && form == S->form && shape.barrier == S->shape.barrier &&
                    shape.unroll == S->shape.unroll && shape.compile == S->shape.compile &&
                    (shape.compile == HP_COMPILE_BUILD ||
                     (shape.threads == S->shape.threads && shape.blocks == S->shape.blocks));
  return same ? hp_compiled_handle(S->kernel) : NULL;
}

void hp_special_describe(const hp_special *S, hp_krylov_special *report) {
  const hp_compiled_report *kernel = hp_compiled_get_report(S->kernel);
  report->used = true;
  report->kernels = 1;
  report->kept = kernel->kept;
  report->seconds = kernel->seconds;
  report->registers = kernel->registers;
  report->local = kernel->local;
  snprintf(report->note, sizeof report->note, "%s", kernel->note);
}
