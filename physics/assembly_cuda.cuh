/* hp_assemble_fluxes on a GPU: a cell a thread, the same operations in the same
 * order as the plain body and so the same bits. With that body assembly takes 28 %
 * longer (docs/laboratory/tried.md).
 *
 * What is moved for a cell, in bytes, neighbours from the caches:
 *
 *     read   p, s, pore volume 24, old mass 16, properties 64, depth 8, three
 *            transmissibilities 24, active 1                                    137
 *     write  mass 16, scale 16, R 16, flow 8, the row of J 224                  280
 *
 * Where cells differ (HP_CELLS_DIFFER), 2 more for the number of the region and
 * 104 for end points; the region's fluids come from the caches. With threshold
 * pressures 2 more for the number of that region, with rock tables 2 for theirs and
 * 8 for the lowest pressure, with hysteresis 2 for the number of the table, 8 for the
 * least saturation and 40 for the scanning curve.
 *
 * The accumulation is evaluated here, not fetched: its 80 bytes would be written
 * and read. What is read for a face does not wait for its transmissibility:
 * where there is no neighbour, some cell is read and left out. A thread has
 * registers for one face at a time. The matrix is written past the caches'
 * interest (st.cs), 16 bytes at a time. What was tried: docs/laboratory/tried.md.
 */
#ifndef HP_PHYSICS_ASSEMBLY_CUDA_CUH
#define HP_PHYSICS_ASSEMBLY_CUDA_CUH

/* Columns p and s of diagonal u in the rows of cell m. */
static __device__ __forceinline__ void hp_put_block_cuda(const hp_gh *J, int64_t m, int u, const double p[HP_PHASES],
                                                         const double s[HP_PHASES]) {
  double *at = J->h + (int64_t)((u + 3) * HP_PHASES) * J->ld + m * HP_PHASES;
  __stcs((double2 *)(void *)at, make_double2(p[0], p[1]));
  __stcs((double2 *)(void *)(at + J->ld), make_double2(s[0], s[1]));
}

/* One side of a cell: the neighbour in diagonal u, any cell where there is none (T = 0). */
struct hp_side_cuda {
  double T, g_dz;
  hp_threshold threshold;
  hp_cell_props other;
};

template <int u>
static __device__ __forceinline__ hp_side_cuda hp_side_load_cuda(const hp_reservoir *r, int64_t m, double depth) {
  constexpr int d = (u < 0 ? -u : u) - 1;
  const int64_t stride = d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)r->nz : (int64_t)r->nz * r->ny;
  const int64_t lower = u < 0 ? m - stride : m;
  const int64_t n = u < 0 ? (lower < 0 ? m : lower) : m + stride < r->ncell ? m + stride : m;
  hp_side_cuda side;
  side.T = lower < 0 ? 0.0 : __ldg(r->trans[d] + lower);
  side.g_dz = HP_GRAVITY * (depth - __ldg(r->depth + n));
  side.threshold = hp_face_threshold(r, m, n, d, lower < 0 ? 0 : lower);
  side.other = hp_reservoir_props_towards(r, n, hp_face_of(d, u > 0));
  return side;
}

template <int u>
static __device__ __forceinline__ void hp_side_add_cuda(const hp_side_cuda *side, const hp_gh *J, int64_t m,
                                                        const hp_cell_props *own, hp_accumulation *c) {
  const bool there = side->T != 0.0;
  double p[HP_PHASES], s[HP_PHASES];
  hp_flux f[HP_PHASES];
  hp_flux_face(side->T, side->g_dz, side->threshold, own, &side->other, f);
#pragma unroll
  for (int a = 0; a < HP_PHASES; ++a) {
    c->sum[a] += there ? f[a].v : 0.0;
    c->flow += there ? c->scale[a] * hp_flux_size(&f[a]) : 0.0;
    c->diag[a][HP_P] += there ? f[a].dp_own : 0.0;
    c->diag[a][HP_S] += there ? f[a].ds_own : 0.0;
    p[a] = there ? c->scale[a] * f[a].dp_other : 0.0;
    s[a] = there ? c->scale[a] * f[a].ds_other : 0.0;
  }
  if (J != NULL) hp_put_block_cuda(J, m, u, p, s);
}

template <int u>
static __device__ __forceinline__ void hp_face_cuda(const hp_reservoir *r, const hp_gh *J, int64_t m, double depth,
                                                    const hp_cell_props *own, hp_accumulation *c) {
  const hp_side_cuda side = hp_side_load_cuda<u>(r, m, depth);
  hp_cell_props along;
  if (hp_reservoir_is_directed(r)) {
    along = *own;
    hp_reservoir_direct(r, m, hp_face_of((u < 0 ? -u : u) - 1, u < 0), r->s[m], &along);
    own = &along;
  }
  hp_side_add_cuda<u>(&side, J, m, own, c);
}

static __device__ __forceinline__ void hp_assemble_fluxes_cuda(hp_team *t, const hp_reservoir *r, double dt,
                                                               const hp_gh *J, double *R, double *flow) {
  HP_TEAM_FOR(t, m, r->ncell) {
    const uint8_t active = __ldg(r->active + m);
    const double depth = __ldg(r->depth + m);
    hp_cell_props own;
    hp_accumulation c;
    hp_accumulate(r, m, dt, &own, &c);
    hp_pair_put(r->mass + m * HP_PHASES, c.mass[0], c.mass[1]);
    hp_pair_put(r->scale + m * HP_PHASES, c.scale[0], c.scale[1]);
    if (active == HP_CELL_INACTIVE) {
      hp_assemble_inactive(J, R, m);
      continue;
    }
    c.flow = 0.0;
    hp_face_cuda<-3>(r, J, m, depth, &own, &c);
    hp_face_cuda<-2>(r, J, m, depth, &own, &c);
    hp_face_cuda<-1>(r, J, m, depth, &own, &c);
    hp_face_cuda<1>(r, J, m, depth, &own, &c);
    hp_face_cuda<2>(r, J, m, depth, &own, &c);
    hp_face_cuda<3>(r, J, m, depth, &own, &c);
    hp_pair_put(R + m * HP_PHASES, c.scale[0] * c.sum[0], c.scale[1] * c.sum[1]);
    flow[m * HP_PHASES] = c.flow;
    if (J == NULL) continue;
    if (active == HP_CELL_HELD)
#pragma unroll
      for (int a = 0; a < HP_PHASES; ++a) c.diag[a][HP_P] = hp_assemble_hold(r, m, dt, a, c.scale[a], c.diag[a][HP_P]);
    const double p[HP_PHASES] = {c.scale[0] * c.diag[0][HP_P], c.scale[1] * c.diag[1][HP_P]};
    const double s[HP_PHASES] = {c.scale[0] * c.diag[0][HP_S], c.scale[1] * c.diag[1][HP_S]};
    hp_put_block_cuda(J, m, 0, p, s);
  }
}

#endif
