/* hepta bench bratu --peer petsc: opens the module that is linked with PETSc. */
#include "bench/bratu/peer.h"

#include <dlfcn.h>
#include <string.h>

#include "core/memory.h"

/* The file of the module (CMakeLists.txt). */
#ifdef HEPTA_PETSC_MODULE
static const char *const module = HEPTA_PETSC_MODULE;
#else
static const char *const module = NULL;
#endif

struct hp_bratu_peer {
  void *library;
  hp_petsc_solve_function *solve;
  hp_petsc_close_function *close;
  hp_petsc_iteration *history; /* of the latest solve */
};

const char *hp_bratu_peer_refusal(void) {
  return module != NULL ? NULL
                        : "--peer petsc: this build has no PETSc: configure with -DHEPTA_PETSC=ON where PETSc, its "
                          "examples and MPI are installed (Debian: libpetsc-real-dev, libpetsc3.18-dev-examples)";
}

const char *hp_bratu_peer_lacks(const hp_bratu_options *o) {
  if ((o->nx == 1) + (o->ny == 1) + (o->nz == 1) > 1) return "PETSc's examples have two or three directions, not one";
  if (!(o->lambda > 0.0 && o->lambda < 6.81)) return "PETSc's examples take a lambda above 0 and below 6.81";
  return NULL;
}

hp_status hp_bratu_peer_open(hp_bratu_peer **out) {
  hp_bratu_peer *P = NULL;
  HP_TRY(HP_ALLOC(P, 1));
  *out = P;
  P->library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
  if (P->library != NULL) {
    *(void **)&P->solve = dlsym(P->library, "hp_petsc_solve");
    *(void **)&P->close = dlsym(P->library, "hp_petsc_close");
  }
  if (P->solve != NULL && P->close != NULL) return HP_OK;
  const char *why = dlerror();
  hp_bratu_peer_close(out);
  return hp_fail(HP_ERR_UNSUPPORTED, "--peer petsc: %s", why != NULL ? why : module);
}

/* The library stays: MPI does not start twice. */
void hp_bratu_peer_close(hp_bratu_peer **P) {
  if (*P == NULL) return;
  if ((*P)->close != NULL) (*P)->close();
  HP_FREE((*P)->history);
  HP_FREE(*P);
}

hp_status hp_bratu_peer_solve(hp_bratu_peer *P, const hp_bratu_options *o, double *u, hp_petsc_result *R) {
  memset(R, 0, sizeof *R);
  HP_FREE(P->history);
  HP_TRY(HP_ALLOC(P->history, (int64_t)o->newton_iterations + 1));
  R->history = P->history;
  return P->solve(o, u, R) ? HP_OK : hp_fail(HP_ERR_NUMERIC, "%s", R->error);
}
