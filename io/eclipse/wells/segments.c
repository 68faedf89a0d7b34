/* Wells with segments: WELSEGS, COMPSEGS. */
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "io/eclipse/impl.h"

/* The one well that the keyword's first record names. */
static hp_status take_well(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record) {
  if (e->at_hand != NULL)
    return hp_ecl_error(e, record->file, record->line,
                        "segments are those of one well, and there are several of this name");
  e->at_hand = w;
  return HP_OK;
}

static hp_status read_well(hp_ecl *e, hp_ecl_record *first) {
  bool empty;
  e->at_hand = NULL;
  HP_TRY(hp_ecl_read_record(e, e->entry->item, e->entry->items, first, &empty));
  if (first->faulty) return HP_ERR_DECK;
  HP_TRY(hp_ecl_wells_each(e, first, take_well));
  return e->at_hand != NULL ? HP_OK : hp_ecl_error(e, first->file, first->line, "no well is named");
}

/* Records behind the first, up to an empty one. */
static hp_status read_next(hp_ecl *e, const hp_ecl_item *item, int count, hp_ecl_record *record, bool *empty) {
  static const hp_ecl_keyword_entry list = {.name = "", .sections = HP_ECL_SCHEDULE, .shape = HP_ECL_LIST};
  const hp_ecl_keyword_entry *own = e->entry;
  e->entry = &list;
  const hp_status s = hp_ecl_read_record(e, item, count, record, empty);
  e->entry = own;
  return s;
}

/* ---- WELSEGS ---- */

/* Segments as they are read: lengths and depths of ABS are of their nodes until `place` makes them those of tubes. */
typedef struct {
  int count;
  hp_segment_spec *at;
  int *parts; /* [count] of a range of ABS: segments to its last node, this one included */
  bool absolute;
} segments;

static hp_status add_range(hp_ecl *e, const hp_ecl_record *record, segments *S) {
  const hp_ecl_items_segments *v = &record->segments;
  const double length = e->units.factor[HP_UNIT_LENGTH];
  enum { MOST = 100000 };
  if (v->last.i < v->first.i || v->last.i > MOST)
    return hp_ecl_error(e, record->file, record->line, "segments %lld to %lld: numbers rise, to %d at most",
                        (long long)v->first.i, (long long)v->last.i, MOST);
  if (v->first.i == 1)
    return hp_ecl_error(e, record->file, record->line, "segment 1 is the one of the first record: others begin at 2");
  for (int64_t n = v->first.i; n <= v->last.i; ++n) {
    HP_TRY(HP_GROW(S->at, S->count, 1));
    HP_TRY(HP_GROW(S->parts, S->count, 1));
    S->parts[S->count] = (int)(v->last.i - n + 1);
    S->at[S->count++] = (hp_segment_spec){
        .number = (int)n,
        .branch = (int)v->branch.i,
        .outlet = n == v->first.i ? (int)v->outlet.i : (int)n - 1,
        .depth = v->depth.x,
        .length = v->length.x,
        .diameter = v->diameter.x,
        .area = v->area.given && v->area.x > 0.0 ? v->area.x * length * length : hp_segment_round(v->diameter.x),
        .roughness = v->roughness.x,
        .file = record->file,
        .line = record->line};
  }
  return HP_OK;
}

/* Depth of its node and length of its tube, behind those of its outlet. placed [count]. */
static void place(segments *S, double datum, int n, bool *placed) {
  hp_segment_spec *s = &S->at[n];
  if (placed[n]) return;
  const int outlet = hp_segment_find(S->count, S->at, s->outlet);
  place(S, datum, outlet, placed);
  if (S->absolute) {
    s->length = (s->length - datum - hp_segment_length_at(S->count, S->at, outlet)) / S->parts[n];
    s->depth = S->at[outlet].depth + (s->depth - S->at[outlet].depth) / S->parts[n];
  } else {
    s->depth += S->at[outlet].depth;
  }
  placed[n] = true;
}

static bool are_equal(const hp_well_spec *a, const segments *b, hp_drops drops) {
  bool equal = a->nsegment == b->count && a->drops == drops;
  for (int n = 0; equal && n < b->count; ++n) {
    const hp_segment_spec *s = &a->segment[n], *t = &b->at[n];
    equal = s->number == t->number && s->branch == t->branch && s->outlet == t->outlet && s->depth == t->depth &&
            s->length == t->length && s->diameter == t->diameter && s->area == t->area && s->roughness == t->roughness;
  }
  return equal;
}

/* The well takes over the segments, unless it has them already; its connections are seated anew. */
static hp_status give(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *first, segments *S) {
  const hp_ecl_items_welsegs *v = &first->welsegs;
  static const hp_drops drops[] = {HP_DROPS_ACCELERATION, HP_DROPS_FRICTION, HP_DROPS_HYDROSTATIC};
  hp_well_spec *spec = &w->spec;
  if (are_equal(spec, S, drops[v->drops.choice])) return HP_OK;
  if (hp_ecl_has_flowed(e, w))
    return hp_ecl_error(e, first->file, first->line, "well %s has flowed: its segments cannot be changed", spec->name);
  if (!isnan(spec->ref_depth) && fabs(spec->ref_depth - v->depth.x) > 1e-6)
    hp_ecl_note(e, first->file, first->line,
                "well %s: its bhp is at the depth of segment 1, not at the reference depth of WELSPECS", spec->name);
  HP_FREE(spec->segment);
  spec->segment = S->at;
  spec->nsegment = S->count;
  spec->drops = drops[v->drops.choice];
  w->tubing = v->tubing.x;
  S->at = NULL;
  for (int n = 0; n < spec->nperf; ++n) spec->perf[n].segment = 0;
  return HP_OK;
}

static hp_status judge(hp_ecl *e, const hp_ecl_record *first, segments *S) {
  char text[200];
  bool *placed;
  int at;
  const char *fault = hp_segments_tree_fault(S->count, S->at, &at, text, sizeof text);
  if (fault != NULL) return hp_ecl_error(e, S->at[at].file, S->at[at].line, "%s", fault);
  HP_TRY(HP_ALLOC(placed, S->count));
  placed[0] = true;
  for (int n = 0; n < S->count; ++n) place(S, first->welsegs.tubing.x, n, placed);
  HP_FREE(placed);
  fault = hp_segments_fault(S->count, S->at, &at, text, sizeof text);
  return fault == NULL ? HP_OK : hp_ecl_error(e, S->at[at].file, S->at[at].line, "%s", fault);
}

static hp_status read_segments(hp_ecl *e, const hp_ecl_record *first, segments *S) {
  hp_status worst = HP_OK;
  HP_TRY(HP_GROW(S->at, S->count, 1));
  HP_TRY(HP_GROW(S->parts, S->count, 1));
  S->at[S->count++] = (hp_segment_spec){
      .number = 1, .branch = 1, .depth = first->welsegs.depth.x, .file = first->file, .line = first->line};
  for (;;) {
    hp_ecl_record record;
    bool empty;
    HP_TRY(read_next(e, hp_ecl_segment_items, HP_ECL_COUNT(segments), &record, &empty));
    if (empty) break;
    const hp_status s = record.faulty ? HP_ERR_DECK : add_range(e, &record, S);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
    if (s != HP_OK) worst = s;
  }
  if (worst == HP_OK && S->count == 1)
    return hp_ecl_error(e, first->file, first->line, "a well with segments needs more than the first one");
  return worst == HP_OK ? judge(e, first, S) : worst;
}

hp_status hp_ecl_do_welsegs(hp_ecl *e, const hp_ecl_record *unused) {
  hp_ecl_record first;
  (void)unused;
  HP_TRY(read_well(e, &first));
  hp_ecl_well *w = e->at_hand;
  segments S = {.absolute = first.welsegs.kind.choice == 1};
  hp_status s = read_segments(e, &first, &S);
  if (s == HP_OK) s = give(e, w, &first, &S);
  if (s == HP_ERR_DECK) w->faulty = true;
  HP_FREE(S.at);
  HP_FREE(S.parts);
  return s;
}

/* ---- COMPSEGS ---- */

/* The segment of the branch whose node is nearest to the length `at`; -1: the well has no such branch. */
static int nearest(const hp_ecl_well *w, int branch, double at) {
  const hp_well_spec *s = &w->spec;
  int best = -1;
  double least = INFINITY;
  for (int n = 0; n < s->nsegment; ++n) {
    const double away = fabs(w->tubing + hp_segment_length_at(s->nsegment, s->segment, n) - at);
    if (s->segment[n].branch != branch || !(away < least)) continue;
    best = n;
    least = away;
  }
  return best;
}

/* Depth at the length `at`, between the segment's node and its outlet's, or, beyond the node, that of an inlet of its branch. */
static double depth_at(const hp_ecl_well *w, int n, double at) {
  const hp_well_spec *s = &w->spec;
  const hp_segment_spec *here = &s->segment[n];
  const double own = w->tubing + hp_segment_length_at(s->nsegment, s->segment, n);
  int other = hp_segment_find(s->nsegment, s->segment, here->outlet);
  if (here->number == 1) return here->depth;
  for (int i = 0; at > own && i < s->nsegment; ++i)
    if (s->segment[i].outlet == here->number && s->segment[i].branch == here->branch) {
      other = i;
      break;
    }
  const double length = w->tubing + hp_segment_length_at(s->nsegment, s->segment, other) - own;
  return here->depth + (at - own) * (s->segment[other].depth - here->depth) / length;
}

static hp_perf_spec *connection(hp_well_spec *s, const hp_ecl_items_compsegs_cells *v) {
  for (int n = 0; n < s->nperf; ++n)
    if (s->perf[n].i == v->i.i - 1 && s->perf[n].j == v->j.i - 1 && s->perf[n].k == v->k.i - 1) return &s->perf[n];
  return NULL;
}

static hp_status seat(hp_ecl *e, hp_ecl_well *w, const hp_ecl_record *record, double *last) {
  const hp_ecl_items_compsegs_cells *v = &record->compsegs_cells;
  const char *name = w->spec.name;
  const double start = v->start.given ? v->start.x : *last;
  if (e->unsized || w->faulty) return HP_OK; /* its connections may be unknown */
  if (v->range.given && v->range.i > 0)
    return hp_ecl_error(e, record->file, record->line,
                        "ranges of cells (item %d) are not supported: give a record for each cell",
                        HP_ECL_NUMBER(compsegs_cells, range));
  hp_perf_spec *p = connection(&w->spec, v);
  if (p == NULL)
    return hp_ecl_error(e, record->file, record->line,
                        "well %s has no connection in cell (%lld,%lld,%lld): COMPDAT makes it", name, (long long)v->i.i,
                        (long long)v->j.i, (long long)v->k.i);
  int n;
  if (v->segment.i > 0) {
    n = hp_segment_find(w->spec.nsegment, w->spec.segment, (int)v->segment.i);
    if (n < 0)
      return hp_ecl_error(e, record->file, record->line, "well %s has no segment %lld (WELSEGS)", name,
                          (long long)v->segment.i);
    if (!v->end.given) {
      p->segment = w->spec.segment[n].number;
      p->depth = v->depth.given && v->depth.x != 0.0 ? v->depth.x : NAN;
      return HP_OK;
    }
  } else {
    if (!v->end.given)
      return hp_ecl_error(e, record->file, record->line,
                          "cell (%lld,%lld,%lld): its end (item %d) is missing: lengths say which segment it is in",
                          (long long)v->i.i, (long long)v->j.i, (long long)v->k.i, HP_ECL_NUMBER(compsegs_cells, end));
    n = nearest(w, (int)v->branch.i, 0.5 * (start + v->end.x));
    if (n < 0)
      return hp_ecl_error(e, record->file, record->line, "well %s has no segment in branch %lld (WELSEGS)", name,
                          (long long)v->branch.i);
  }
  if (v->end.x < start)
    return hp_ecl_error(e, record->file, record->line, "the connection ends at %g, before its start",
                        v->end.x / e->units.factor[HP_UNIT_LENGTH]);
  p->segment = w->spec.segment[n].number;
  p->depth = v->depth.given && v->depth.x != 0.0 ? v->depth.x : depth_at(w, n, 0.5 * (start + v->end.x));
  *last = v->end.x;
  return HP_OK;
}

hp_status hp_ecl_do_compsegs(hp_ecl *e, const hp_ecl_record *unused) {
  hp_ecl_record first;
  double last = 0.0;
  hp_status worst = HP_OK;
  (void)unused;
  HP_TRY(read_well(e, &first));
  hp_ecl_well *w = e->at_hand;
  if (w->spec.nsegment == 0 && !w->faulty) {
    w->faulty = true;
    return hp_ecl_error(e, first.file, first.line, "well %s has no segments: WELSEGS makes them, and stands before",
                        w->spec.name);
  }
  last = w->tubing;
  for (;;) {
    hp_ecl_record record;
    bool empty;
    HP_TRY(read_next(e, hp_ecl_compsegs_items, HP_ECL_COUNT(compsegs_cells), &record, &empty));
    if (empty) break;
    const hp_status s = record.faulty ? HP_ERR_DECK : seat(e, w, &record, &last);
    if (s != HP_OK && s != HP_ERR_DECK) return s;
    if (s != HP_OK) worst = s;
  }
  w->seated_file = first.file;
  w->seated_line = first.line;
  if (worst == HP_ERR_DECK) w->faulty = true;
  return worst;
}

hp_status hp_ecl_check_seats(hp_ecl *e, int well) {
  const hp_ecl_well *of_deck = well < e->wells ? &e->well[well] : NULL;
  hp_well_spec *w = &e->c->well[well];
  if (of_deck == NULL || w->nsegment == 0) return HP_OK;
  w->ref_depth = w->segment[0].depth;
  for (int n = 0; n < w->nperf; ++n)
    if (w->perf[n].segment == 0)
      return hp_ecl_error(e, of_deck->seated_file != NULL ? of_deck->seated_file : w->file,
                          of_deck->seated_file != NULL ? of_deck->seated_line : w->line,
                          "well %s: its connection in cell (%d,%d,%d) is in no segment: COMPSEGS says in which",
                          w->name, w->perf[n].i + 1, w->perf[n].j + 1, w->perf[n].k + 1);
  return HP_OK;
}
