#include "amg/hypre/module.h"

#include <dlfcn.h>
#include <stdlib.h>

/* The file of the module (CMakeLists.txt). */
#ifdef HEPTA_HYPRE_MODULE
static const char *const module = HEPTA_HYPRE_MODULE;
#else
static const char *const module = NULL;
#endif

const char *hp_hypre_refusal(void) {
  return module != NULL ? NULL
                        : "this build has no hypre: configure with -DHEPTA_HYPRE=ON where hypre and MPI are installed "
                          "(Debian: libhypre-dev)";
}

/* One library for the program's life: MPI does not start twice. */
static void *library;
static hp_hypre_close_function *close_library;

static void at_exit(void) { close_library(); }

hp_status hp_hypre_open(hp_hypre_functions *out) {
  if (module == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "%s", hp_hypre_refusal());
  if (library == NULL) {
    library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return hp_fail(HP_ERR_UNSUPPORTED, "hypre: %s", dlerror());
    *(void **)&close_library = dlsym(library, "hp_hypre_close");
    if (close_library != NULL && atexit(at_exit) != 0)
      return hp_fail(HP_ERR_MEMORY, "hypre: %s cannot be closed", module);
  }
  *(void **)&out->create = dlsym(library, "hp_hypre_cycle_create");
  *(void **)&out->create_over = dlsym(library, "hp_hypre_cycle_create_over");
  *(void **)&out->set_up = dlsym(library, "hp_hypre_cycle_set_up");
  *(void **)&out->run = dlsym(library, "hp_hypre_cycle_run");
  *(void **)&out->destroy = dlsym(library, "hp_hypre_cycle_destroy");
  const bool all = close_library != NULL && out->create != NULL && out->create_over != NULL && out->set_up != NULL &&
                   out->run != NULL && out->destroy != NULL;
  return all ? HP_OK : hp_fail(HP_ERR_UNSUPPORTED, "hypre: %s is of another version of hepta", module);
}
