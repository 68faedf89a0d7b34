#include "core/team/barrier.h"

#include "core/show.h"

#define TEXT_OF(name, text, what) text,
static const char *const barrier_names[] = {HP_BARRIER_LIST(TEXT_OF)};
HP_WORD_OF(hp_barrier_name, hp_barrier_kind, barrier_names)
HP_WORD_FIND(hp_barrier_find, hp_barrier_kind, barrier_names)
