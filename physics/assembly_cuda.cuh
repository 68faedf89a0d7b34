/* hp_assemble_fluxes on a GPU: a cell a thread, the same operations in the same
 * order as the plain body and so the same bits.
 *
 * What is moved for a cell, in bytes, neighbours from the caches:
 *
 *     read   p, s, pore volume 24, old mass 16, properties 64, depth 8, three
 *            transmissibilities 24, active 1                                    137
 *     write  mass 16, scale 16, R 16, the row of J 224                          272
 *
 * The accumulation is evaluated here, not fetched: its 80 bytes would be written
 * and read. The six faces go in three pairs, u = -3 -2, -1 1, 2 3, whose loads are
 * all under way before the first is used; a thread has no registers for more.
 * The matrix is written past the caches' interest (st.cs), 16 bytes at a time.
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

/* One side of a cell: the neighbour in diagonal u, the cell itself where there is none (T = 0). */
struct hp_side_cuda {
  double T, g_dz;
  hp_cell_props other;
};

template <int u>
static __device__ __forceinline__ hp_side_cuda hp_side_load_cuda(const hp_reservoir *r, int64_t m, double depth) {
  constexpr int d = (u < 0 ? -u : u) - 1;
  const int64_t stride = d == HP_DIR_K ? 1 : d == HP_DIR_J ? (int64_t)r->nz : (int64_t)r->nz * r->ny;
  const int64_t lower = u < 0 ? m - stride : m;
  hp_side_cuda side;
  side.T = lower < 0 ? 0.0 : __ldg(r->trans[d] + lower);
  const int64_t n = side.T == 0.0 ? m : u < 0 ? m - stride : m + stride;
  side.g_dz = HP_GRAVITY * (depth - __ldg(r->depth + n));
  side.other = hp_props_load(&r->props, &r->fluid, r->p, n);
  return side;
}

template <int u>
static __device__ __forceinline__ void hp_side_add_cuda(const hp_side_cuda *side, const hp_gh *J, int64_t m,
                                                        const hp_cell_props *own, hp_accumulation *c) {
  double p[HP_PHASES] = {0.0, 0.0}, s[HP_PHASES] = {0.0, 0.0};
  if (side->T != 0.0) {
    hp_flux f[HP_PHASES];
    hp_flux_face(side->T, side->g_dz, own, &side->other, f);
#pragma unroll
    for (int a = 0; a < HP_PHASES; ++a) {
      c->sum[a] += f[a].v;
      c->diag[a][HP_P] += f[a].dp_own;
      c->diag[a][HP_S] += f[a].ds_own;
      p[a] = c->scale[a] * f[a].dp_other;
      s[a] = c->scale[a] * f[a].ds_other;
    }
  }
  if (J != NULL) hp_put_block_cuda(J, m, u, p, s);
}

template <int first, int second>
static __device__ __forceinline__ void hp_two_sides_cuda(const hp_reservoir *r, const hp_gh *J, int64_t m, double depth,
                                                         const hp_cell_props *own, hp_accumulation *c) {
  const hp_side_cuda a = hp_side_load_cuda<first>(r, m, depth), b = hp_side_load_cuda<second>(r, m, depth);
  hp_side_add_cuda<first>(&a, J, m, own, c);
  hp_side_add_cuda<second>(&b, J, m, own, c);
}

static __device__ __forceinline__ void hp_assemble_fluxes_cuda(hp_team *t, const hp_reservoir *r, double dt,
                                                               const hp_gh *J, double *R) {
  HP_TEAM_FOR(t, m, r->ncell) {
    hp_cell_props own;
    hp_accumulation c;
    hp_accumulate(r, m, dt, &own, &c);
    hp_pair_put(r->mass + m * HP_PHASES, c.mass[0], c.mass[1]);
    hp_pair_put(r->scale + m * HP_PHASES, c.scale[0], c.scale[1]);
    if (!r->active[m]) {
      hp_assemble_inactive(J, R, m);
      continue;
    }
    const double depth = __ldg(r->depth + m);
    hp_two_sides_cuda<-3, -2>(r, J, m, depth, &own, &c);
    hp_two_sides_cuda<-1, 1>(r, J, m, depth, &own, &c);
    hp_two_sides_cuda<2, 3>(r, J, m, depth, &own, &c);
    hp_pair_put(R + m * HP_PHASES, c.scale[0] * c.sum[0], c.scale[1] * c.sum[1]);
    if (J == NULL) continue;
    const double p[HP_PHASES] = {c.scale[0] * c.diag[0][HP_P], c.scale[1] * c.diag[1][HP_P]};
    const double s[HP_PHASES] = {c.scale[0] * c.diag[0][HP_S], c.scale[1] * c.diag[1][HP_S]};
    hp_put_block_cuda(J, m, 0, p, s);
  }
}

#endif
