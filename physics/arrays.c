#include "physics/arrays.h"

#include "core/memory.h"
#include "physics/reservoir.h"

static const hp_array_entry entries[HP_ARRAYS] = {
#define ENTRY(name, member, type, numbers, role, when, text, unit) \
  {text, unit, HP_TYPE_##type, sizeof(type), numbers, HP_ROLE_##role, HP_WITH_##when, offsetof(hp_reservoir, member)},
#define ROCK_ENTRY(name, of_type, of_numbers) \
  {.type = HP_TYPE_##of_type, .size = sizeof(of_type), .numbers = of_numbers},
    HP_STATE_LIST(ENTRY) HP_WORK_LIST(ENTRY) HP_ROCK_LIST(ROCK_ENTRY) HP_DERIVED_LIST(ROCK_ENTRY)
#undef ENTRY
#undef ROCK_ENTRY
};

const hp_array_entry *hp_array_entries(void) { return entries; }

double hp_array_number(hp_array a, const void *array, int64_t n) {
  switch (entries[a].type) {
    case HP_TYPE_double: return ((const double *)array)[n];
    case HP_TYPE_float: return (double)((const float *)array)[n];
    case HP_TYPE_int32_t: return (double)((const int32_t *)array)[n];
    case HP_TYPE_uint16_t: return (double)((const uint16_t *)array)[n];
    case HP_TYPE_uint8_t: return (double)((const uint8_t *)array)[n];
  }
  return 0.0;
}

int hp_array_numbers(hp_array a) { return entries[a].numbers; }

int64_t hp_array_bytes(hp_array a) { return entries[a].numbers * (int64_t)entries[a].size; }

int64_t hp_arrays_bytes(hp_arrays which) {
  int64_t bytes = 0;
  HP_FOR_ARRAYS(a, which) bytes += hp_array_bytes((hp_array)a);
  return bytes;
}

hp_arrays hp_arrays_of_fluids(const hp_fluid_spec *spec) {
  return (hp_compaction_is_irreversible(spec) ? HP_ARRAY_BIT(HP_ARRAY_LOWEST) : 0) |
         (hp_hysteresis_is_on(&spec->hysteresis) ? HP_ARRAY_BIT(HP_ARRAY_DRIEST) : 0);
}

hp_arrays hp_arrays_of(bool error, hp_arrays others) {
  const bool lowest = (others & HP_ARRAY_BIT(HP_ARRAY_LOWEST)) != 0,
             turns = (others & HP_ARRAY_BIT(HP_ARRAY_DRIEST)) != 0;
  hp_arrays which = 0;
  for (int a = 0; a < HP_CELL_ARRAYS; ++a) {
    const hp_array_entry *e = &entries[a];
    const bool there = e->when == HP_WITH_LOWEST       ? lowest
                       : e->when == HP_WITH_HYSTERESIS ? turns
                       : e->when == HP_WITH_ERROR      ? error
                                                       : true;
    which |= there ? HP_ARRAY_BIT(a) : 0;
  }
  return which;
}

/* ---- of a reservoir ---- */

void **hp_reservoir_array(const hp_reservoir *r, hp_array a) { return (void **)(void *)((char *)r + entries[a].place); }

hp_arrays hp_reservoir_others(const hp_reservoir *r) {
  return (r->lowest != NULL ? HP_ARRAY_BIT(HP_ARRAY_LOWEST) : 0) |
         (r->driest != NULL ? HP_ARRAY_BIT(HP_ARRAY_DRIEST) : 0);
}

hp_status hp_reservoir_make(hp_reservoir *r, hp_arrays which) {
  HP_FOR_ARRAYS(a, which) {
    void **array = hp_reservoir_array(r, (hp_array)a);
    if (*array == NULL) HP_TRY(hp_alloc(array, r->ncell * entries[a].numbers, entries[a].size, entries[a].name));
  }
  return HP_OK;
}

void hp_reservoir_drop(hp_reservoir *r, hp_arrays which) {
  HP_FOR_ARRAYS(a, which) hp_free(hp_reservoir_array(r, (hp_array)a));
}
