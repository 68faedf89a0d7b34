#include <math.h>
#include <stdio.h>

#include "core/memory.h"
#include "wells/wells.h"

int hp_segment_find(int count, const hp_segment_spec *segment, int number) {
  for (int n = 0; n < count; ++n)
    if (segment[n].number == number) return n;
  return -1;
}

double hp_segment_length_at(int count, const hp_segment_spec *segment, int n) {
  double sum = 0.0;
  for (; n >= 0 && segment[n].outlet != 0; n = hp_segment_find(count, segment, segment[n].outlet))
    sum += segment[n].length;
  return sum;
}

double hp_segment_round(double diameter) { return acos(-1.0) / 4.0 * diameter * diameter; }

/* Whether the way from segment n to the first one comes round. */
static bool leads_round(int count, const hp_segment_spec *segment, int n) {
  int steps = 0;
  while (n >= 0 && segment[n].outlet != 0 && steps <= count) {
    n = hp_segment_find(count, segment, segment[n].outlet);
    ++steps;
  }
  return steps > count;
}

const char *hp_segments_tree_fault(int count, const hp_segment_spec *segment, int *at, char *text, size_t size) {
  *at = 0;
  if (count > 0 && hp_segment_find(count, segment, 1) < 0) {
    snprintf(text, size, "segment 1, whose pressure is the bhp, is missing");
    return text;
  }
  for (int n = 0; n < count; ++n) {
    const hp_segment_spec *s = &segment[n];
    *at = n;
    if (hp_segment_find(n, segment, s->number) >= 0) snprintf(text, size, "segment %d is there twice", s->number);
    else if (s->number == 1) continue;
    else if (s->outlet == s->number) snprintf(text, size, "segment %d is its own outlet", s->number);
    else if (hp_segment_find(count, segment, s->outlet) < 0)
      snprintf(text, size, "segment %d flows into segment %d, which is not there", s->number, s->outlet);
    else if (leads_round(count, segment, n))
      snprintf(text, size, "segment %d: its outlets lead round and never to segment 1", s->number);
    else continue;
    return text;
  }
  return NULL;
}

const char *hp_segments_fault(int count, const hp_segment_spec *segment, int *at, char *text, size_t size) {
  const char *fault = hp_segments_tree_fault(count, segment, at, text, size);
  for (int n = 0; n < count && fault == NULL; ++n) {
    const hp_segment_spec *s = &segment[n];
    if (s->number == 1) continue;
    const double rise = fabs(s->depth - segment[hp_segment_find(count, segment, s->outlet)].depth);
    *at = n;
    if (!(s->length > 0.0))
      snprintf(text, size, "segment %d must be longer than 0: its end is not beyond that of its outlet", s->number);
    else if (!(s->diameter > 0.0)) snprintf(text, size, "segment %d: its diameter must be above 0", s->number);
    else if (!(s->area > 0.0)) snprintf(text, size, "segment %d: its cross-section must be above 0", s->number);
    else if (!(s->roughness >= 0.0 && s->roughness < s->diameter))
      snprintf(text, size, "segment %d: its roughness must be at least 0, and less than its diameter", s->number);
    else if (!(rise <= s->length * (1.0 + 1e-6)))
      snprintf(text, size, "segment %d is %.6g m long, but its ends are %.6g m apart in depth", s->number, s->length,
               rise);
    else continue;
    fault = text;
  }
  return fault;
}

/* Segment n of the spec and, before it, those on its way to the first one; place: where each is, -1: nowhere yet. */
static void place_segment(const hp_well_spec *spec, int n, int64_t *place, hp_wells *W, int64_t *next) {
  if (place[n] >= 0) return;
  const hp_segment_spec *s = &spec->segment[n];
  const int outlet = s->number == 1 ? -1 : hp_segment_find(spec->nsegment, spec->segment, s->outlet);
  if (outlet >= 0) place_segment(spec, outlet, place, W, next);
  place[n] = *next;
  W->segment[(*next)++] = (hp_segment){.outlet = outlet >= 0 ? place[outlet] : -1,
                                       .number = s->number,
                                       .rise = outlet >= 0 ? s->depth - spec->segment[outlet].depth : 0.0,
                                       .length = s->length,
                                       .diameter = s->diameter,
                                       .area = s->area,
                                       .roughness = s->roughness};
}

static hp_status fail_well(const hp_well_spec *spec, const hp_segment_spec *at, const char *what) {
  const char *file = at != NULL && at->file != NULL ? at->file : spec->file;
  return hp_fail(HP_ERR_DECK, "%s:%d: well %s: %s", file != NULL ? file : "deck",
                 at != NULL && at->file != NULL ? at->line : spec->line, spec->name, what);
}

/* The perforations' seats. */
static hp_status seat_perforations(const hp_well_spec *spec, int w, const int64_t *place, hp_wells *W) {
  char text[160];
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) {
    const hp_perf_spec *p = &W->spec[q];
    const int n = hp_segment_find(spec->nsegment, spec->segment, p->segment);
    if (n < 0) {
      if (p->segment == 0)
        snprintf(text, sizeof text, "its connection in cell (%d, %d, %d) is in no segment", p->i + 1, p->j + 1,
                 p->k + 1);
      else
        snprintf(text, sizeof text, "its connection in cell (%d, %d, %d) is in segment %d, which is not there",
                 p->i + 1, p->j + 1, p->k + 1, p->segment);
      return fail_well(spec, NULL, text);
    }
    const double node = spec->segment[n].depth, depth = isnan(p->depth) ? node : p->depth;
    W->seat[q] = place[n];
    W->seat_rise[q] = depth - node;
    W->cell_rise[q] = W->depth[q] - depth;
  }
  return HP_OK;
}

/* Segments of well w, behind those of the wells before; perforations must be there. */
hp_status hp_wells_fill_segments(hp_wells *W, const hp_well_spec *spec, int w) {
  int64_t *place = NULL, next = W->segment_begin[w];
  char text[160];
  int at;
  W->segment_begin[w + 1] = next;
  for (int64_t q = W->begin[w]; q < W->begin[w + 1]; ++q) W->seat[q] = -1;
  if (spec->nsegment == 0) return HP_OK;
  const char *fault = hp_segments_fault(spec->nsegment, spec->segment, &at, text, sizeof text);
  if (fault != NULL) return fail_well(spec, &spec->segment[at], fault);
  HP_TRY(HP_ALLOC(place, spec->nsegment));
  for (int n = 0; n < spec->nsegment; ++n) place[n] = -1;
  for (int n = 0; n < spec->nsegment; ++n) place_segment(spec, n, place, W, &next);
  W->segment_begin[w + 1] = next;
  W->drops[w] = (uint8_t)spec->drops;
  for (int n = 0; n < spec->nsegment; ++n)
    if (spec->segment[n].number == 1) W->ref_depth[w] = spec->segment[n].depth;
  const hp_status s = seat_perforations(spec, w, place, W);
  HP_FREE(place);
  return s;
}
