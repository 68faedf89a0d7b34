/* The shared physics on a GPU and on the CPU: the same point functions,
 * compiled by both compilers without contraction, give the same bits for
 * tables and Corey functions with integer exponents (no libm in them), and
 * agree to a few units in the last place where pow is involved. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "physics/flux.inl.h"
#include "physics/reservoir.h"

struct sample {
  double p, s;
};

struct result {
  hp_cell_props props;
  hp_cell_mass mass;
  hp_flux flux[HP_PHASES];
};

enum { SAMPLES = 4096 };

static HP_HD void evaluate(const hp_fluid *f, const sample *x, int n, result *r) {
  hp_cell_props other;
  hp_cell_mass unused;
  hp_cell_eval(f, x[(n + 1) % SAMPLES].p, x[(n + 1) % SAMPLES].s, &other, &unused);
  hp_cell_eval(f, x[n].p, x[n].s, &r->props, &r->mass);
  hp_flux_face(3e-12, HP_GRAVITY * 7.0, &r->props, &other, r->flux);
}

static __global__ void evaluate_all(const hp_fluid f, const sample *x, result *r) {
  const int n = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (n < SAMPLES) evaluate(&f, x, n, &r[n]);
}

#define CUDA_TRY(call)                                                                       \
  do {                                                                                       \
    const cudaError_t e_ = (call);                                                           \
    if (e_ != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e_)); \
      return 1;                                                                              \
    }                                                                                        \
  } while (0)

/* Runs one set of fluids on both sides; *worst: largest relative difference. */
static int compare(const hp_fluid *f, size_t store_bytes, const sample *x, double *worst) {
  hp_fluid on_device = *f;
  double *store;
  sample *dx;
  result *dr;
  result *host = (result *)calloc(SAMPLES, sizeof(result)), *device = (result *)calloc(SAMPLES, sizeof(result));
  CUDA_TRY(cudaMalloc((void **)&store, store_bytes + 8));
  CUDA_TRY(cudaMalloc((void **)&dx, SAMPLES * sizeof(sample)));
  CUDA_TRY(cudaMalloc((void **)&dr, SAMPLES * sizeof(result)));
  if (store_bytes > 0) CUDA_TRY(cudaMemcpy(store, f->store, store_bytes, cudaMemcpyHostToDevice));
  CUDA_TRY(cudaMemcpy(dx, x, SAMPLES * sizeof(sample), cudaMemcpyHostToDevice));
  /* tables move with the store */
  const double **tables[] = {&on_device.phase[0].p, &on_device.phase[0].b, &on_device.phase[0].bmu, &on_device.sat.s,
                             &on_device.sat.krw,    &on_device.sat.kro,    &on_device.sat.pc};
  for (const double **t : tables)
    if (*t != NULL) *t = store + (*t - f->store);
  evaluate_all<<<SAMPLES / 128, 128>>>(on_device, dx, dr);
  CUDA_TRY(cudaGetLastError());
  CUDA_TRY(cudaDeviceSynchronize());
  CUDA_TRY(cudaMemcpy(device, dr, SAMPLES * sizeof(result), cudaMemcpyDeviceToHost));
  *worst = 0.0;
  for (int n = 0; n < SAMPLES; ++n) {
    evaluate(f, x, n, &host[n]);
    const double *a = (const double *)&host[n], *b = (const double *)&device[n];
    for (size_t i = 0; i < sizeof(result) / sizeof(double); ++i) {
      const double d = fabs(a[i] - b[i]) / fmax(fabs(a[i]), 1e-300);
      if (a[i] != b[i] && d > *worst) *worst = d;
    }
  }
  cudaFree(store);
  cudaFree(dx);
  cudaFree(dr);
  free(host);
  free(device);
  return 0;
}

int main(void) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    printf("skipped: no CUDA device\n");
    return 77;
  }
  static sample x[SAMPLES];
  srand(1);
  for (int n = 0; n < SAMPLES; ++n) {
    x[n].p = 1e7 + 2e7 * (rand() / (double)RAND_MAX);
    x[n].s = rand() / (double)RAND_MAX;
  }
  double p[] = {1e6, 1e7, 5e7}, B[] = {1.3, 1.25, 1.1}, mu[] = {1e-3, 1.2e-3, 2e-3};
  double s[] = {0.1, 0.3, 0.6, 0.9}, krw[] = {0, 0.1, 0.3, 0.7}, kro[] = {0.9, 0.5, 0.1, 0}, pc[] = {4e4, 2e4, 1e4, 0};
  hp_fluid_spec spec = {};
  spec.phase[HP_OIL].density = 800.0;
  spec.phase[HP_OIL].rows = 3;
  spec.phase[HP_OIL].p = p, spec.phase[HP_OIL].b = B, spec.phase[HP_OIL].mu = mu;
  spec.phase[HP_WATER].density = 1000.0;
  spec.phase[HP_WATER].p_ref = 2e7, spec.phase[HP_WATER].b_ref = 1.01;
  spec.phase[HP_WATER].compressibility = 4e-10, spec.phase[HP_WATER].viscosity = 5e-4,
  spec.phase[HP_WATER].viscosibility = 1e-10;
  spec.rock.p_ref = 2e7, spec.rock.compressibility = 1e-9;
  spec.sat.model = HP_SAT_TABLE;
  spec.sat.rows = 4;
  spec.sat.s = s, spec.sat.krw = krw, spec.sat.kro = kro, spec.sat.pc = pc;
  int failed = 0;
  for (int model = 0; model < 3; ++model) {
    hp_fluid f;
    if (model > 0) {
      spec.sat.model = model == 1 ? HP_SAT_COREY : HP_SAT_BROOKS_COREY;
      spec.sat.rows = 0;
      spec.sat.swc = 0.1, spec.sat.sor = 0.2, spec.sat.krw_max = 0.5, spec.sat.kro_max = 0.9;
      spec.sat.nw = 2.0, spec.sat.no = 3.0, spec.sat.npc = 2.0, spec.sat.pc_entry = 3e4, spec.sat.pc_max = 1e6,
      spec.sat.lambda = 1.7;
    }
    if (hp_fluid_create(&spec, &f) != HP_OK) return 1;
    double worst = 0.0;
    if (compare(&f, (size_t)(9 + 4 * spec.sat.rows) * sizeof(double), x, &worst) != 0) return 1;
    const double limit = model < 2 ? 0.0 : 1e-13;
    printf("model %d: largest relative difference between GPU and CPU %.2e (limit %.0e)\n", (int)spec.sat.model, worst,
           limit);
    failed += !(worst <= limit);
    hp_fluid_destroy(&f);
  }
  return failed != 0;
}
