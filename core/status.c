#include "core/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/show.h"

static _Thread_local char fail_text[1024];

#define TEXT_OF(name, text) text,
static const char *const texts[] = {HP_STATUS_LIST(TEXT_OF)};
HP_WORD_OF(hp_status_text, hp_status, texts)

hp_status hp_fail(hp_status code, const char *fmt, ...) {
  va_list ap;
  char text[sizeof fail_text];
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  hp_escape(text, fail_text, sizeof fail_text);
  return code;
}

const char *hp_fail_text(void) { return fail_text; }

hp_failure hp_fail_keep(hp_status s) {
  hp_failure kept = {.status = s};
  if (s != HP_OK) memcpy(kept.text, fail_text, sizeof kept.text);
  return kept;
}

hp_status hp_fail_again(hp_failure kept) {
  return kept.status == HP_OK ? HP_OK : hp_fail(kept.status, "%s", kept.text);
}

hp_status hp_fail_both(hp_failure first, hp_failure after) {
  if (first.status == HP_OK) return hp_fail_again(after);
  if (after.status == HP_OK || strcmp(first.text, after.text) == 0) return hp_fail_again(first);
  return hp_fail(first.status, "%s; then: %s", first.text, after.text);
}
