/* The segments of a well, and those that its perforations are in. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/config/wells/wells.h"

static const char *well_name(const hp_well_spec *w) { return w->name[0] != '\0' ? w->name : "the well"; }

static hp_status read_segment(hp_config *r, const hp_setting *s, hp_segment_spec *out) {
  *out = (hp_segment_spec){.number = 2, .branch = 1, .outlet = 1, .area = NAN, .line = hp_config_line(s)};
  HP_TRY(hp_case_file(r->c, hp_config_file(r, s), &out->file));
  (void)hp_config_int(r, s, "wells[].segments[].number", &out->number);
  (void)hp_config_int(r, s, "wells[].segments[].outlet", &out->outlet);
  (void)hp_config_int(r, s, "wells[].segments[].branch", &out->branch);
  (void)hp_config_float(r, s, "wells[].segments[].depth", &out->depth);
  (void)hp_config_float(r, s, "wells[].segments[].length", &out->length);
  (void)hp_config_float(r, s, "wells[].segments[].diameter", &out->diameter);
  (void)hp_config_float(r, s, "wells[].segments[].roughness", &out->roughness);
  (void)hp_config_float(r, s, "wells[].segments[].area", &out->area);
  if (isnan(out->area)) out->area = hp_segment_round(out->diameter);
  return HP_OK;
}

/* A list of one number for each perforated cell; NULL: it is none. */
static const hp_setting *of_cells(hp_config *r, const hp_setting *s, const char *key, const hp_well_spec *w) {
  const hp_setting *list = hp_config_member(s, key);
  if (list == NULL) return NULL;
  const int type = config_setting_type(list);
  if ((type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST) && config_setting_length(list) == w->nperf) return list;
  hp_config_error(r, list, "must be a list of %d numbers, one for each perforated cell", w->nperf);
  return NULL;
}

static bool has_segment(const hp_well_spec *w, int number) {
  for (int n = 0; n < w->nsegment; ++n)
    if (w->segment[n].number == number) return true;
  return false;
}

static void seat_perforations(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  const hp_setting *of = of_cells(r, s, "segment_of", w), *depth = of_cells(r, s, "segment_depths", w);
  for (int q = 0; q < w->nperf; ++q) {
    hp_perf_spec *p = &w->perf[q];
    const hp_setting *number = of != NULL ? config_setting_get_elem(of, (unsigned)q) : NULL;
    const hp_setting *at = depth != NULL ? config_setting_get_elem(depth, (unsigned)q) : NULL;
    double v;
    if (number == NULL) continue;
    p->depth = NAN;
    if (hp_config_integer(r, number, &p->segment) && !has_segment(w, p->segment))
      hp_config_error(r, number, "well %s has no segment %d", well_name(w), p->segment);
    if (at != NULL) (void)hp_config_quantity(r, at, HP_UNIT_LENGTH, &v, &p->depth);
  }
}

hp_status hp_config_segments(hp_config *r, const hp_setting *s, hp_well_spec *w) {
  const hp_setting *list = hp_config_member(s, "segments");
  static const char *const others[] = {"segment_of", "segment_depths", "pressure_drops"};
  const int errors = r->diag->errors, type = list != NULL ? config_setting_type(list) : CONFIG_TYPE_NONE;
  char text[200];
  int at, drops = w->drops;
  if (list == NULL) {
    for (size_t n = 0; w->nsegment == 0 && n < sizeof others / sizeof *others; ++n)
      hp_config_refuse(r, s, others[n], "not used without segments");
    return HP_OK;
  }
  const int count = type == CONFIG_TYPE_LIST ? config_setting_length(list) : 0;
  if (count == 0) hp_config_error(r, list, "must be a list of segments ( { number = 2; ... }, ... )");
  if (w->npath > 0) hp_config_error(r, list, "segments are of wells with cells, not of a path");
  if (isnan(w->ref_depth))
    hp_config_error(r, list, "well %s: reference_depth is missing: it is that of segment 1, which flows to the surface",
                    well_name(w));
  if (hp_config_member(s, "segment_of") == NULL)
    hp_config_error(r, list, "well %s: segment_of is missing: the segment of each perforated cell", well_name(w));
  if (r->diag->errors > errors) return HP_OK;
  HP_FREE(w->segment);
  w->nsegment = 0;
  HP_TRY(HP_ALLOC(w->segment, count + 1));
  w->segment[w->nsegment++] = (hp_segment_spec){
      .number = 1, .branch = 1, .depth = w->ref_depth, .file = w->file, .line = w->line};
  for (int n = 0; n < count; ++n) {
    const hp_setting *one = config_setting_get_elem(list, (unsigned)n);
    if (config_setting_type(one) != CONFIG_TYPE_GROUP) hp_config_error(r, one, "must be a segment { number = 2; ... }");
    else HP_TRY(read_segment(r, one, &w->segment[w->nsegment++]));
  }
  drops = HP_DROPS_ACCELERATION;
  (void)hp_config_choice(r, s, "wells[].pressure_drops", &drops);
  w->drops = (hp_drops)drops;
  const bool sound = r->diag->errors == errors;
  const char *fault = sound ? hp_segments_fault(w->nsegment, w->segment, &at, text, sizeof text) : NULL;
  if (fault != NULL)
    hp_config_error(r, at > 0 ? config_setting_get_elem(list, (unsigned)at - 1) : list, "well %s: %s", well_name(w),
                    fault);
  if (sound && fault == NULL && !r->stand_in) seat_perforations(r, s, w);
  return HP_OK;
}
