/* CPR's first stage by hypre's BoomerAMG. It is one process and one thread: member 0 calls it, the others wait. */
#include "amg/cpr/cpr.h"
#include "amg/hypre/module.h"
#include "core/memory.h"
#include "core/team/team.h"

struct hp_cpr_other {
  hp_hypre_functions hypre;
  hp_hypre_cycle *cycle; /* NULL before the first set-up */
  hp_hypre_result result;
  hp_status status;
};

hp_status hp_cpr_other_create(hp_cpr_amg whose, hp_cpr_other **out) {
  hp_cpr_other *O;
  *out = NULL;
  if (whose != HP_CPR_AMG_HYPRE) return HP_OK;
  HP_TRY(HP_ALLOC(O, 1));
  *O = (hp_cpr_other){.status = HP_OK};
  const hp_status s = hp_hypre_open(&O->hypre);
  if (s != HP_OK) HP_FREE(O);
  *out = O;
  return s;
}

void hp_cpr_other_destroy(hp_cpr_other **slot) {
  if (*slot == NULL) return;
  if ((*slot)->cycle != NULL) (*slot)->hypre.destroy((*slot)->cycle);
  HP_FREE(*slot);
}

void hp_cpr_other_build(hp_team *t, hp_cpr *C) {
  hp_cpr_other *O = C->other;
  const hp_csr *Ap = C->Ap;
  if (t->rank == 0) {
    if (O->cycle != NULL) O->hypre.destroy(O->cycle);
    const int64_t entries = hp_csr_count(Ap);
    O->cycle = entries <= INT32_MAX ? O->hypre.create(&C->opt.amg, Ap->nrow, (const int32_t *)Ap->begin, Ap->column)
                                    : NULL;
    O->status = HP_OK;
    if (entries > INT32_MAX)
      O->status = hp_fail(HP_ERR_UNSUPPORTED, "hypre: %lld entries of the pressure system, of which it counts %d",
                          (long long)entries, INT32_MAX);
    else if (O->cycle == NULL)
      O->status = hp_fail(HP_ERR_MEMORY, "hypre: the pressure system's %d rows", (int)Ap->nrow);
  }
  hp_team_sync(t); /* status */
}

void hp_cpr_other_set_up(hp_team *t, const hp_cpr *C) {
  hp_cpr_other *O = C->other;
  if (t->rank == 0 && O->cycle != NULL) {
    const bool good = O->hypre.set_up(O->cycle, C->Ap->value, &O->result);
    O->status = good ? HP_OK : hp_fail(HP_ERR_NUMERIC, "set-up of the pressure system: %s", O->result.error);
  }
  hp_team_sync(t); /* status */
}

void hp_cpr_other_cycle(hp_team *t, const hp_cpr *C) {
  if (t->rank == 0) C->other->hypre.run(C->other->cycle, C->rp, C->xp);
  hp_team_sync(t); /* x_p */
}

hp_status hp_cpr_other_status(const hp_cpr_other *O) { return O->status; }

void hp_cpr_other_describe(const hp_cpr_other *O, hp_cpr_state *out) {
  out->levels = O->result.levels;
  out->complexity = O->result.operators;
  out->bytes += O->result.bytes;
}
