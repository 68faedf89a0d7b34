/* Passes over vectors of the executions per-operation and graph (linsolve/krylov/host_driven/passes.h), which
 * linsolve/vectors/cuda/variants.cuh makes kernels of. Compiled with the program, and while it runs (core/compile/compile.h). */
#ifndef HP_LINSOLVE_KRYLOV_HOST_DRIVEN_PASSES_CUH
#define HP_LINSOLVE_KRYLOV_HOST_DRIVEN_PASSES_CUH

#include "linsolve/krylov/host_driven/args.cuh"
#include "linsolve/krylov/host_driven/passes.h"
#include "linsolve/vectors/cuda/variants.cuh"

/* Vectors of hp_solve.work. */
enum { R, R0, V_P, V_V, V_W, V_ZP, V_ZS };

/* The first iteration begins from r: r0 = r, p = v = 0. */
struct begin_pass {
  enum { PASS = HP_EXEC_PASS_BEGIN, READS = 1, WRITES = 3 };
  const double *in[READS];
  double *out[WRITES];
  __device__ bool begin(const hp_exec_args &a) {
    in[0] = hp_solve_vector(&a.S, R);
    out[0] = hp_solve_vector(&a.S, R0);
    out[1] = hp_solve_vector(&a.S, V_P);
    out[2] = hp_solve_vector(&a.S, V_V);
    return !a.state->done;
  }
  __device__ void compute(const double *v, double *o) const {
    o[0] = v[0];
    o[1] = o[2] = 0.0;
  }
};

/* p = r + beta (p - omega v) */
struct p_pass {
  enum { PASS = HP_EXEC_PASS_P, READS = 3, WRITES = 1 };
  const double *in[READS];
  double *out[WRITES], beta, omega;
  __device__ bool begin(const hp_exec_args &a) {
    in[0] = hp_solve_vector(&a.S, R);
    in[1] = out[0] = hp_solve_vector(&a.S, V_P);
    in[2] = hp_solve_vector(&a.S, V_V);
    beta = a.state->c.beta;
    omega = a.state->c.omega;
    return !hp_exec_is_over(&a);
  }
  __device__ void compute(const double *v, double *o) const { o[0] = v[0] + beta * (v[1] - omega * v[2]); }
};

/* s = r - alpha v in the place of r */
struct s_pass {
  enum { PASS = HP_EXEC_PASS_S, READS = 2, WRITES = 1 };
  const double *in[READS];
  double *out[WRITES], alpha;
  __device__ bool begin(const hp_exec_args &a) {
    in[0] = out[0] = hp_solve_vector(&a.S, R);
    in[1] = hp_solve_vector(&a.S, V_V);
    alpha = a.state->c.alpha;
    return !hp_exec_is_over(&a);
  }
  __device__ void compute(const double *v, double *o) const { o[0] = v[0] - alpha * v[1]; }
};

typedef struct update_args {
  hp_exec_args a;
  const double *mp, *ms;
} update_args;

/* x += alpha M^-1 p + omega M^-1 s, r = s - omega w */
struct update_pass {
  enum { PASS = HP_EXEC_PASS_UPDATE, READS = 5, WRITES = 2 };
  const double *in[READS];
  double *out[WRITES], alpha, omega;
  __device__ bool begin(const update_args &u) {
    in[0] = out[0] = u.a.S.x;
    in[1] = u.mp;
    in[2] = u.ms;
    in[3] = out[1] = hp_solve_vector(&u.a.S, R);
    in[4] = hp_solve_vector(&u.a.S, V_W);
    alpha = u.a.state->c.alpha;
    omega = u.a.state->c.omega;
    return u.a.state->update;
  }
  __device__ void compute(const double *v, double *o) const {
    o[0] = v[0] + (alpha * v[1] + omega * v[2]);
    o[1] = v[3] - omega * v[4];
  }
};

/* r = b - r */
struct subtract_pass {
  enum { PASS = HP_EXEC_PASS_SUBTRACT, READS = 2, WRITES = 1 };
  const double *in[READS];
  double *out[WRITES];
  __device__ bool begin(const hp_exec_args &a) {
    in[0] = a.S.b;
    in[1] = out[0] = hp_solve_vector(&a.S, R);
    return true;
  }
  __device__ void compute(const double *v, double *o) const { o[0] = v[0] - v[1]; }
};

struct norm_pass {
  enum { PASS = HP_EXEC_PASS_NORM, READS = 1, SUMS = 1 };
  const double *in[READS];
  __device__ bool begin(const hp_exec_args &a) {
    in[0] = hp_solve_vector(&a.S, R);
    return true;
  }
  __device__ void add(const double *v, double *sum) const { sum[0] += v[0] * v[0]; }
};

struct first_pass {
  enum { PASS = HP_EXEC_PASS_FIRST, READS = 2, SUMS = 2 };
  const double *in[READS];
  __device__ bool begin(const hp_exec_args &a) {
    in[0] = hp_solve_vector(&a.S, R0);
    in[1] = hp_solve_vector(&a.S, V_V);
    return !hp_exec_is_over(&a);
  }
  __device__ void add(const double *v, double *sum) const {
    sum[0] += v[0] * v[1];
    sum[1] += v[1] * v[1];
  }
};

struct second_pass {
  enum { PASS = HP_EXEC_PASS_SECOND, READS = 3, SUMS = 5 };
  const double *in[READS];
  __device__ bool begin(const hp_exec_args &a) {
    in[0] = hp_solve_vector(&a.S, V_W);
    in[1] = hp_solve_vector(&a.S, R);
    in[2] = hp_solve_vector(&a.S, R0);
    return !hp_exec_is_over(&a);
  }
  __device__ void add(const double *v, double *sum) const {
    sum[0] += v[0] * v[1];
    sum[1] += v[0] * v[0];
    sum[2] += v[1] * v[1];
    sum[3] += v[2] * v[1];
    sum[4] += v[2] * v[0];
  }
};

#endif
