/* hp_amg_device_refresh and hp_amg_device_cycle_refresh (amg/cycle/device.h). */
#include "amg/cycle/cuda/refresh.cuh"

#include "amg/setup/cuda/hierarchy.cuh"
#include "amg/smoothers/cuda/image.cuh"

enum { TEAM_CHIP = 96 * 1024 /* bytes of a block's sums */ };

static __global__ void __launch_bounds__(HP_BLOCK_MAX, 1)
    refresh_kernel(const __grid_constant__ hp_team_grid grid, const __grid_constant__ hp_refresh_args a) {
  hp_team t;
  hp_team_enter(&t, &grid);
  hp_refresh_program(&t, a);
  hp_team_leave(&t);
}

/* A block's shared memory. */
static size_t shared_bytes(const hp_refresh_args *a, int threads) {
  size_t shared = hp_direct_bytes(&a->direct);
  for (int k = 0; k < a->products; ++k) {
    const size_t bytes = hp_setup_product_bytes(&a->product[k], threads);
    if (bytes > shared) shared = bytes;
  }
  return shared;
}

/* The numbers of H and of `cycle`, if it is not NULL; see hp_amg_device_cycle_refresh_args. */
static bool args_of(const hp_amg_device *H, const hp_amg *cycle, int threads, hp_refresh_args *a, size_t *shared) {
  bool planned = true;
  a->products = a->on_first = 0;
  a->last = H->level[H->nlevel - 1].A.at;
  a->direct = H->direct;
  a->cycle = cycle;
  a->first_early = H->first_early;
  for (int l = 0; l + 1 < H->nlevel; ++l) {
    const hp_amg_device_level *L = &H->level[l];
    if (!hp_amg_is_on_first(&H->opt, L->A.at.nrow)) a->on_first += 2;
    a->product[a->products++] = hp_setup_product(&H->S, &L->A, &L->P, &L->ap, &L->AP, threads, TEAM_CHIP);
    a->product[a->products++] = hp_setup_product(&H->S, &L->R, &L->AP, &L->rap, &H->level[l + 1].A, threads, TEAM_CHIP);
    planned = planned && L->ap.place != NULL && L->rap.place != NULL;
  }
  *shared = shared_bytes(a, threads);
  return planned;
}

static hp_status refresh(hp_amg_device *H, const hp_amg *cycle) {
  hp_refresh_args a;
  size_t shared = 0;
  if (H->nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: refresh before build");
  if (!args_of(H, cycle, HP_BLOCK_MAX, &a, &shared)) {
    for (int l = 0; l + 1 < H->nlevel; ++l) {
      const hp_amg_device_level *L = &H->level[l];
      HP_TRY(hp_setup_numbers(&H->S, &L->A, &L->P, &L->ap, &L->AP));
      HP_TRY(hp_setup_numbers(&H->S, &L->R, &L->AP, &L->rap, &H->level[l + 1].A));
    }
    a.products = a.on_first = 0;
  }
  H->S.launches += 1;
  return hp_team_launch(H->D, (const void *)refresh_kernel, &a, shared_bytes(&a, HP_BLOCK_MAX),
                        "refreshing a multigrid hierarchy");
}

hp_status hp_amg_device_refresh(hp_amg_device *H) { return refresh(H, NULL); }

hp_status hp_amg_device_cycle_refresh(hp_amg_device_cycle *C, hp_amg_device *H) {
  if (C->host.H.nlevel == 0) return hp_fail(HP_ERR_INTERNAL, "multigrid: a refresh before the cycle's preparation");
  HP_TRY(refresh(H, &C->device->H));
  return hp_amg_cycle_smoother_numbers(C);
}

bool hp_amg_device_cycle_refresh_args(const hp_amg_device_cycle *C, const hp_amg_device *H, int threads,
                                      hp_refresh_args *a, size_t *shared) {
  const bool planned = args_of(H, &C->device->H, threads, a, shared);
  return planned && hp_amg_cycle_smoother(C)->numbers == NULL;
}
