/* Errors are values: whatever can fail returns hp_status, results go through
 * pointers, nothing below main() exits.
 *
 *     hp_status s = hp_fail(HP_ERR_FILE, "%s: cannot open", path);   where it happens
 *     HP_TRY(hp_grid_create(...));                                     on the way up
 *     fprintf(stderr, "hepta: %s\n", hp_fail_text());                  in main()
 *
 * The text belongs to the latest failure of the calling thread and is not a flag: no decision depends on it. A linear
 * solve or a time step that does not converge is not an error; its report says why (linsolve/krylov/krylov.h,
 * sim/simulator/step_control.h).
 */
#ifndef HP_CORE_STATUS_H
#define HP_CORE_STATUS_H

#include "core/portable.h"

HP_EXTERN_C_BEGIN

/* X(name, text) */
#define HP_STATUS_LIST(X)                                       \
  X(OK, "no error")                                             \
  X(ERR_USAGE, "wrong use of the command line")                 \
  X(ERR_DECK, "the deck has errors")                            \
  X(ERR_FILE, "a file could not be read or written")            \
  X(ERR_MEMORY, "out of memory")                                \
  X(ERR_TEAM, "a team of threads got stuck or could not start") \
  X(ERR_DEVICE, "the GPU is missing, too small or failed")      \
  X(ERR_NUMERIC, "the computation failed")                      \
  X(ERR_INTERRUPTED, "interrupted")                             \
  X(ERR_UNSUPPORTED, "not supported by this build")             \
  X(ERR_WHOLE, "needs all cells of the grid in one process")    \
  X(ERR_INTERNAL, "internal error")

typedef enum {
#define HP_STATUS_ENUM(name, text) HP_##name,
  HP_STATUS_LIST(HP_STATUS_ENUM)
#undef HP_STATUS_ENUM
      HP_STATUS_COUNT
} hp_status;

/* The fixed text of a code. */
const char *hp_status_text(hp_status s);

/* Records a message for hp_fail_text() and returns `code`. */
hp_status hp_fail(hp_status code, const char *fmt, ...) HP_PRINTF(2, 3) HP_MUST_USE;

/* The message of the latest hp_fail() on this thread ("" before the first). */
const char *hp_fail_text(void);

/* A failure kept while other calls may fail, or for another thread; HP_OK has no text. */
typedef struct hp_failure {
  hp_status status;
  char text[1024];
} hp_failure;

hp_failure hp_fail_keep(hp_status s);
hp_status hp_fail_again(hp_failure kept) HP_MUST_USE;
/* Fails again with the first failure and the text of the later one, if any; with the later one alone if the first is
 * HP_OK. */
hp_status hp_fail_both(hp_failure first, hp_failure after) HP_MUST_USE;

#define HP_TRY(expr)                      \
  do {                                    \
    const hp_status hp_try_ = (expr);     \
    if (hp_try_ != HP_OK) return hp_try_; \
  } while (0)

HP_EXTERN_C_END

#endif
