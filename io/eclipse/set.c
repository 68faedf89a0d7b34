/* Effects of --set on the reading itself: the size of the grid in
 * place of DIMENS, and which arrays of the deck are given anew. */
#include <string.h>

#include "io/config/config.h"
#include "io/eclipse/impl.h"

enum { KEYS = 3 };

/* The keys that stand for an array, where there are several the main one first. */
static const char *const key[HP_ECL_ARRAYS][KEYS] = {[HP_ECL_DX] = {"grid.dx"},
                                                     [HP_ECL_DY] = {"grid.dy"},
                                                     [HP_ECL_DZ] = {"grid.dz"},
                                                     [HP_ECL_TOPS] = {"grid.top", "grid.tops", "grid.depth"},
                                                     [HP_ECL_PORO] = {"grid.porosity"},
                                                     [HP_ECL_PERMX] = {"grid.permx"},
                                                     [HP_ECL_PERMY] = {"grid.permy"},
                                                     [HP_ECL_PERMZ] = {"grid.permz"},
                                                     [HP_ECL_NTG] = {"grid.ntg"},
                                                     [HP_ECL_ACTNUM] = {"grid.active"},
                                                     [HP_ECL_MINPVV] = {"grid.minpv"},
                                                     [HP_ECL_MULTPV] = {"grid.multpv"},
                                                     [HP_ECL_MULTX] = {"grid.multx"},
                                                     [HP_ECL_MULTY] = {"grid.multy"},
                                                     [HP_ECL_MULTZ] = {"grid.multz"},
                                                     [HP_ECL_MULTX_] = {"grid.multx"},
                                                     [HP_ECL_MULTY_] = {"grid.multy"},
                                                     [HP_ECL_MULTZ_] = {"grid.multz"},
                                                     [HP_ECL_PORV] = {"grid.pore_volume"},
                                                     [HP_ECL_TRANX] = {"grid.tranx"},
                                                     [HP_ECL_TRANY] = {"grid.trany"},
                                                     [HP_ECL_TRANZ] = {"grid.tranz"},
                                                     [HP_ECL_PRESSURE] = {"initial.pressure"},
                                                     [HP_ECL_SWAT] = {"initial.saturation"},
                                                     [HP_ECL_SOIL] = {"initial.saturation"},
                                                     [HP_ECL_FIPNUM] = {"regions.fip"}};

const char *hp_ecl_array_key(hp_ecl_array_id id) { return key[id][0]; }

/* An equilibrium takes the place of both arrays of the start. */
static bool starts_anew(const hp_ecl *e) {
  static const char *const of_equilibrium[] = {"initial.datum_depth", "initial.datum_pressure",
                                               "initial.contact_depth"};
  for (size_t n = 0; n < sizeof of_equilibrium / sizeof of_equilibrium[0]; ++n)
    if (hp_config_claims(e->nset, e->set, of_equilibrium[n])) return true;
  return false;
}

bool hp_ecl_claims_cells(const hp_ecl *e) {
  static const char refine[] = "grid.refine";
  const size_t length = sizeof refine - 1;
  for (int n = 0; n < e->nset; ++n) {
    const bool refines = strncmp(e->set[n], refine, length) == 0 && strchr("=[", e->set[n][length]) != NULL;
    if (!refines && hp_config_claims(1, &e->set[n], "grid")) return true;
  }
  return false;
}

void hp_ecl_claim(hp_ecl *e) {
  for (int id = 0; id < HP_ECL_ARRAYS; ++id)
    for (int n = 0; n < KEYS; ++n)
      if (key[id][n] != NULL && hp_config_claims(e->nset, e->set, key[id][n])) e->array[id].claimed = true;
  if (starts_anew(e)) {
    e->array[HP_ECL_PRESSURE].claimed = true;
    e->array[HP_ECL_SWAT].claimed = e->array[HP_ECL_SOIL].claimed = true;
  }
}

/* FIPNUM has no bearing on the flow: on another grid it is dropped. */
hp_status hp_ecl_resize(hp_ecl *e, const int n[3]) {
  int size[3] = {n[0], n[1], n[2]};
  hp_config_claimed_size(e->nset, e->set, size);
  for (int d = 0; d < 3; ++d) {
    e->deck_size[d] = n[d];
    if (size[d] < 1) size[d] = n[d];
  }
  char why[HP_GRID_WHY];
  const double cells = (double)size[0] * size[1] * size[2];
  if (cells > 2.0e9 || !hp_grid_fits(e->c->spread, cells, why))
    for (int d = 0; d < 3; ++d) size[d] = n[d]; /* reported when the option is read */
  e->nx = size[0];
  e->ny = size[1];
  e->nz = size[2];
  e->resized = e->nx != n[0] || e->ny != n[1] || e->nz != n[2];
  e->array[HP_ECL_FIPNUM].claimed = e->array[HP_ECL_FIPNUM].claimed || e->resized;
  hp_spread *P = e->c->spread;
  e->planes = hp_spread_planes_of(P, P != NULL ? hp_ranks_rank(hp_spread_ranks(P)) : 0, e->nx);
  return HP_OK;
}
