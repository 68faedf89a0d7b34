/* The shared physics on a GPU and on the CPU: the same point functions,
 * compiled by both compilers without contraction, give the same bits for
 * tables and Corey functions with integer exponents (no libm in them), and
 * agree to a few units in the last place where pow is involved. The same where
 * every cell has the fluids of its region and its own end points: compiled with HP_DEVICE_DIFFER. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/memory.h"
#include "physics/flux.inl.h"
#include "physics/reservoir.h"

/* The tables of one region. */
typedef struct {
  hp_pvt_spec phase[HP_PHASES];
  hp_sat_spec sat;
  hp_rock_spec rock;
} fluid_spec;

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
  hp_flux_face(3e-12, HP_GRAVITY * 7.0, hp_threshold{}, &r->props, &other, r->flux);
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

/* The largest relative difference of [n] numbers. */
static double difference(const void *cpu, const void *gpu, size_t n) {
  const double *a = (const double *)cpu, *b = (const double *)gpu;
  double worst = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double d = fabs(a[i] - b[i]) / fmax(fabs(a[i]), 1e-300);
    if (a[i] != b[i] && !(d <= worst)) worst = d;
  }
  return worst;
}

/* The fluids with their tables on the device; *store is to be freed. */
static int to_device(const hp_fluid *f, size_t store_bytes, hp_fluid *out, double **store) {
  *out = *f;
  CUDA_TRY(cudaMalloc((void **)store, store_bytes + 8));
  if (store_bytes > 0) CUDA_TRY(cudaMemcpy(*store, f->store, store_bytes, cudaMemcpyHostToDevice));
  const double **tables[] = {&out->phase[0].p, &out->phase[0].b,   &out->phase[0].bmu, &out->phase[1].p,
                             &out->phase[1].b, &out->phase[1].bmu, &out->sat.s,        &out->sat.krw,
                             &out->sat.kro,    &out->sat.pc};
  for (const double **t : tables)
    if (*t != NULL) *t = *store + (*t - f->store);
  return 0;
}

/* Runs one set of fluids on both sides; *worst: largest relative difference. */
static int compare(const hp_fluid *f, size_t store_bytes, const sample *x, double *worst) {
  hp_fluid on_device;
  double *store;
  sample *dx;
  result *dr;
  result *host = (result *)calloc(SAMPLES, sizeof(result)), *device = (result *)calloc(SAMPLES, sizeof(result));
  if (to_device(f, store_bytes, &on_device, &store) != 0) return 1;
  CUDA_TRY(cudaMalloc((void **)&dx, SAMPLES * sizeof(sample)));
  CUDA_TRY(cudaMalloc((void **)&dr, SAMPLES * sizeof(result)));
  CUDA_TRY(cudaMemcpy(dx, x, SAMPLES * sizeof(sample), cudaMemcpyHostToDevice));
  evaluate_all<<<SAMPLES / 128, 128>>>(on_device, dx, dr);
  CUDA_TRY(cudaGetLastError());
  CUDA_TRY(cudaDeviceSynchronize());
  CUDA_TRY(cudaMemcpy(device, dr, SAMPLES * sizeof(result), cudaMemcpyDeviceToHost));
  for (int n = 0; n < SAMPLES; ++n) evaluate(f, x, n, &host[n]);
  *worst = difference(host, device, SAMPLES * sizeof(result) / sizeof(double));
  cudaFree(store);
  cudaFree(dx);
  cudaFree(dr);
  free(host);
  free(device);
  return 0;
}

/* ---- regions and end points ---- */

/* All that is asked of a cell. */
struct cell_result {
  hp_cell_props props, stored; /* evaluated; stored and loaded again */
  hp_cell_mass mass;
  hp_flux flux[HP_PHASES]; /* to the next cell, which may be of another region */
  hp_sat_range range;
  double rock;
};

static HP_HD void evaluate_cell(const hp_reservoir *r, int64_t m, cell_result *out) {
  const int64_t n = (m + 1) % r->ncell;
  hp_cell_props other;
  hp_cell_mass unused;
  hp_reservoir_eval(r, n, r->p[n], r->s[n], &other, &unused);
  hp_reservoir_eval(r, m, r->p[m], r->s[m], &out->props, &out->mass);
  hp_props_store(&r->props, m, &out->props);
  out->stored = hp_reservoir_props(r, m);
  hp_flux_face(3e-12, HP_GRAVITY * 7.0, hp_threshold{}, &out->stored, &other, out->flux);
  out->range = hp_reservoir_range(r, m);
  out->rock = hp_rock_eval(&hp_reservoir_fluid(r, m)->rock, r->p[m]).v;
}

static __global__ void evaluate_cells(const hp_reservoir r, cell_result *out) {
  const int64_t m = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (m < r.ncell) evaluate_cell(&r, m, &out[m]);
}

template <typename T>
static int upload(T **to, const T *from, size_t count) {
  CUDA_TRY(cudaMalloc((void **)to, count * sizeof(T)));
  CUDA_TRY(cudaMemcpy(*to, from, count * sizeof(T), cudaMemcpyHostToDevice));
  return 0;
}

enum { REGIONS = 3 };

/* Cells with what `host` says, on both sides; stores are those of its fluids, or of the only one. */
static int compare_cells(hp_reservoir *host, const size_t *store_bytes, double *worst) {
  hp_reservoir r = *host;
  double *store[REGIONS] = {};
  hp_fluid fluid[REGIONS];
  cell_result *mine, *theirs, *out;
  const int n = host->region != NULL ? REGIONS : 1;
  if (HP_ALLOC(mine, SAMPLES) != HP_OK || HP_ALLOC(theirs, SAMPLES) != HP_OK) return 1;
  for (int i = 0; i < n; ++i)
    if (to_device(host->region != NULL ? &host->region[i] : &host->fluid, store_bytes[i], &fluid[i], &store[i]) != 0)
      return 1;
  if (upload(&r.region, fluid, (size_t)n) != 0) return 1;
  if (host->region_of != NULL && upload(&r.region_of, host->region_of, SAMPLES) != 0) return 1;
  if (host->end_points != NULL && upload(&r.end_points, host->end_points, SAMPLES) != 0) return 1;
  if (upload(&r.p, host->p, SAMPLES) != 0 || upload(&r.s, host->s, SAMPLES) != 0) return 1;
  CUDA_TRY(cudaMalloc((void **)&out, SAMPLES * sizeof *out));
  CUDA_TRY(cudaMalloc((void **)&r.props.at, 2 * SAMPLES * HP_CELL_PAIRS * sizeof(double)));
  r.props.stride = SAMPLES;
  evaluate_cells<<<SAMPLES / 128, 128>>>(r, out);
  CUDA_TRY(cudaGetLastError());
  CUDA_TRY(cudaMemcpy(theirs, out, SAMPLES * sizeof *out, cudaMemcpyDeviceToHost));
  for (int m = 0; m < SAMPLES; ++m) evaluate_cell(host, m, &mine[m]);
  *worst = difference(mine, theirs, SAMPLES * sizeof *out / sizeof(double));
  void *all[] = {r.region, r.region_of, r.end_points, r.p, r.s, r.props.at, out, store[0], store[1], store[2]};
  for (void *p : all) CUDA_TRY(cudaFree(p));
  HP_FREE(mine);
  HP_FREE(theirs);
  return 0;
}

static double between(double a, double b) { return a + (b - a) * (rand() / (double)RAND_MAX); }

/* End points in order, some of them equal, as decks may have them. */
static hp_sat_scale random_scale(bool three_point) {
  hp_sat_scale c;
  c.swl = between(0.0, 0.2);
  c.swcr = rand() % 4 == 0 ? c.swl : between(c.swl, 0.4);
  c.so = between(0.5, 0.8);
  c.swu = rand() % 4 == 0 ? c.so : between(c.so, 1.0);
  c.krw = between(0.3, 1.5), c.kro = between(0.3, 1.5), c.pc = between(0.0, 3.0);
  c.three_point = three_point;
  return c;
}

/* Regions, end points, both, both with three points. */
static int test_cells(const fluid_spec *spec, const sample *x) {
  hp_reservoir r = {};
  hp_fluid region[REGIONS];
  size_t bytes[REGIONS];
  int failed = 0;
  r.ncell = SAMPLES;
  if (HP_ALLOC(r.p, SAMPLES) != HP_OK || HP_ALLOC(r.s, SAMPLES) != HP_OK) return 1;
  if (HP_ALLOC(r.props.at, SAMPLES * HP_CELL_NFIELDS) != HP_OK) return 1;
  for (int i = 0; i < REGIONS; ++i) {
    if (hp_fluid_create(spec[i].phase, &spec[i].sat, &spec[i].rock, &region[i]) != HP_OK) return 1;
    bytes[i] = (size_t)(3 * (spec[i].phase[0].rows + spec[i].phase[1].rows) + 4 * spec[i].sat.rows) * sizeof(double);
  }
  for (int m = 0; m < SAMPLES; ++m) r.p[m] = x[m].p, r.s[m] = x[m].s;
  for (int kind = 0; kind < 4; ++kind) {
    double worst = 0.0;
    r.fluid = region[0];
    r.region = kind != 1 ? region : NULL;
    if (kind != 1 && HP_ALLOC(r.region_of, SAMPLES) != HP_OK) return 1;
    if (kind != 0 && HP_ALLOC(r.end_points, SAMPLES) != HP_OK) return 1;
    for (int m = 0; m < SAMPLES; ++m) {
      if (r.region_of != NULL) r.region_of[m] = (uint16_t)(rand() % REGIONS);
      if (r.end_points != NULL) r.end_points[m] = random_scale(kind == 3);
    }
    if (compare_cells(&r, bytes, &worst) != 0) return 1;
    printf("cells%s%s%s: largest relative difference between GPU and CPU %.2e (limit 0)\n",
           kind != 1 ? " of three regions" : "", kind != 0 ? " with end points" : "", kind == 3 ? ", three each" : "",
           worst);
    failed += worst != 0.0;
    HP_FREE(r.region_of);
    HP_FREE(r.end_points);
  }
  for (int i = 0; i < REGIONS; ++i) hp_fluid_destroy(&region[i]);
  HP_FREE(r.p);
  HP_FREE(r.s);
  HP_FREE(r.props.at);
  return failed;
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
  fluid_spec spec = {};
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
  double s2[] = {0.2, 0.25, 0.7, 0.8}, krw2[] = {0, 0, 0.5, 1}, kro2[] = {1, 0.8, 0, 0}, pc2[] = {9e4, 5e4, 5e3, -2e4};
  double p2[] = {5e6, 4e7}, B2[] = {1.05, 1.0}, mu2[] = {4e-4, 6e-4};
  fluid_spec regions[REGIONS] = {spec, spec, spec};
  regions[1].sat.model = HP_SAT_COREY;
  regions[1].sat.rows = 0;
  regions[1].sat.swc = 0.15, regions[1].sat.sor = 0.25, regions[1].sat.krw_max = 0.6, regions[1].sat.kro_max = 0.8;
  regions[1].sat.nw = 3.0, regions[1].sat.no = 2.0, regions[1].sat.npc = 1.0, regions[1].sat.pc_entry = 5e4;
  regions[1].phase[HP_WATER].density = 1080.0, regions[1].phase[HP_OIL].density = 760.0;
  regions[2].sat.s = s2, regions[2].sat.krw = krw2, regions[2].sat.kro = kro2, regions[2].sat.pc = pc2;
  regions[2].phase[HP_WATER].rows = 2;
  regions[2].phase[HP_WATER].p = p2, regions[2].phase[HP_WATER].b = B2, regions[2].phase[HP_WATER].mu = mu2;
  regions[2].rock.compressibility = 4e-9;
  int failed = test_cells(regions, x);
  for (int model = 0; model < 3; ++model) {
    hp_fluid f;
    if (model > 0) {
      spec.sat.model = model == 1 ? HP_SAT_COREY : HP_SAT_BROOKS_COREY;
      spec.sat.rows = 0;
      spec.sat.swc = 0.1, spec.sat.sor = 0.2, spec.sat.krw_max = 0.5, spec.sat.kro_max = 0.9;
      spec.sat.nw = 2.0, spec.sat.no = 3.0, spec.sat.npc = 2.0, spec.sat.pc_entry = 3e4, spec.sat.pc_max = 1e6,
      spec.sat.lambda = 1.7;
    }
    if (hp_fluid_create(spec.phase, &spec.sat, &spec.rock, &f) != HP_OK) return 1;
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
