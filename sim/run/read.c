/* The deck of a run. Several ranks read it together, each for its planes of i (core/ranks/spread.h), so that none ever has all
 * cells; a deck with errors rank 0 reads alone, and reports them as a process by itself does. */
#include <string.h>

#include "core/test_hooks.h"
#include "io/deck/deck.h"
#include "sim/run/run.h"

/* HP_ERR_WHOLE: not that way; *why says for what, "": there are errors. */
static hp_status read_spread(hp_ranks *K, const char *path, int nset, const char *const *set, hp_diag *diag,
                             hp_case **out, char why[HP_CASE_WHY]) {
  hp_spread *P = NULL;
  hp_diag found;
  hp_diag_init(&found);
  HP_TRY(hp_spread_create(K, &P));
  const hp_status s = hp_case_read_spread(P, path, nset, set, &found, out);
  if (s == HP_OK) {
    *diag = found;
    return HP_OK;
  }
  hp_diag_clear(&found);
  hp_spread_destroy(&P);
  if (s == HP_ERR_WHOLE && strcmp(hp_fail_text(), HP_SPREAD_ERRORS) != 0)
    snprintf(why, HP_CASE_WHY, "%s", hp_fail_text());
  return s == HP_ERR_MEMORY ? s : HP_ERR_WHOLE;
}

/* First by rank 0: where it finds errors, the others need not look. */
static hp_status read_whole(hp_ranks *K, const char *path, int nset, const char *const *set, hp_diag *diag,
                            hp_case **out) {
  const bool first = hp_ranks_is_first(K);
  HP_TRY(hp_ranks_agree(K, first ? hp_case_read(path, nset, set, diag, out) : HP_OK));
  const hp_status s = hp_ranks_agree(K, first ? HP_OK : hp_case_read(path, nset, set, diag, out));
  if (s != HP_OK) hp_case_destroy(out);
  return s;
}

hp_status hp_sim_read(const char *path, int nset, const char *const *set, hp_diag *diag, hp_case **out) {
  hp_ranks *K = hp_ranks_world();
  char why[HP_CASE_WHY] = "";
  *out = NULL;
  if (K != NULL && hp_test_hooks_get()->ranks_whole < 0) {
    const hp_status s = read_spread(K, path, nset, set, diag, out, why);
    if (s != HP_ERR_WHOLE) return s;
  }
  HP_TRY(read_whole(K, path, nset, set, diag, out));
  if (hp_ranks_size(K) > 1)
    hp_diag_note(diag, (*out)->deck, 0, "each rank holds all cells at first, for %s",
                 why[0] != '\0' ? why : "what ranks found at fault and one alone does not");
  return HP_OK;
}
