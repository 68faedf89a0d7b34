/* Wells with segments of an Eclipse deck: WELSEGS, COMPSEGS, vectors of segments, and what is wrong with them. */
#define _POSIX_C_SOURCE 200809L
#include "io/case/vectors.h"
#include "tests/unit/io/eclipse/eclipse_wells.h"

#define FIRST(kind, drops) "WELSEGS\n 'P' 1995 100 1* " kind " " drops " HO /\n"
#define SEATS "COMPSEGS\n 'P' /\n 3 2 1 1 110 120 /\n 3 2 2 1 1* 130 /\n/\n"
#define SOUND FIRST("INC", "'HF-'") " 2 2 1 1 10 8 0.1 1e-4 /\n 3 4 1 2 8 6 0.1 1e-4 0.005 /\n/\n"

static const hp_segment_spec *segment_of(const hp_well_spec *w, int number) {
  static const hp_segment_spec none;
  for (int n = 0; n < w->nsegment; ++n)
    if (w->segment[n].number == number) return &w->segment[n];
  CHECK(!"the segment is there");
  return &none;
}

static void expect_segment(const hp_well_spec *w, int number, int outlet, double depth, double length) {
  const hp_segment_spec *s = segment_of(w, number);
  CHECK(s->outlet == outlet);
  CHECK_NEAR(s->depth, depth, 1e-9);
  CHECK_NEAR(s->length, length, 1e-9);
}

static void expect_seat(const hp_well_spec *w, int perforation, int segment, double depth) {
  CHECK(w->nperf > perforation && w->perf[perforation].segment == segment);
  CHECK_NEAR(w->perf[perforation].depth, depth, 1e-9);
}

/* Lengths: 100 at segment 1, 110, 118, 126. The connections' middles are at 115 and 125. */
static void test_increments(void) {
  hp_case *c = schedule(TWO_WELLS SOUND SEATS TWO_CONTROLS "TSTEP\n 1 /\n");
  if (c == NULL) return;
  const hp_well_spec *w = well_of(c, "P");
  CHECK(w->nsegment == 4 && w->drops == HP_DROPS_FRICTION && w->ref_depth == 1995.0 && well_of(c, "I")->nsegment == 0);
  expect_segment(w, 1, 0, 1995.0, 0.0);
  expect_segment(w, 2, 1, 2003.0, 10.0);
  expect_segment(w, 3, 2, 2009.0, 8.0);
  expect_segment(w, 4, 3, 2015.0, 8.0);
  CHECK_NEAR(segment_of(w, 2)->area, acos(-1.0) / 4.0 * 0.01, 1e-12);
  CHECK_NEAR(segment_of(w, 3)->area, 0.005, 1e-12);
  CHECK_NEAR(segment_of(w, 4)->roughness, 1e-4, 1e-12);
  expect_seat(w, 0, 3, 2009.0 - 3.0 * 6.0 / 8.0); /* towards its outlet */
  expect_seat(w, 1, 4, 2015.0 - 6.0 / 8.0);
  hp_case_destroy(&c);
}

/* Places of nodes; a range is cut into equal parts. A branch's connection goes to its own segments, and one beyond the last node is
 * on the way to an inlet of the branch, or goes on. */
static void test_places(void) {
  hp_case *c = schedule(TWO_WELLS FIRST(
      "ABS", "HFA") " 2 3 1 1 120 2005 0.1 1e-4 /\n 4 4 2 3 150 2010 0.1 1e-4 /\n/\n"
                    "COMPSEGS\n P /\n 3 2 1 2 130 150 /\n 3 2 2 1 100 106 2* 2002 /\n/\n" TWO_CONTROLS "TSTEP\n 1 /\n");
  if (c == NULL) return;
  const hp_well_spec *w = well_of(c, "P");
  CHECK(w->drops == HP_DROPS_ACCELERATION);
  expect_segment(w, 2, 1, 2000.0, 10.0);
  expect_segment(w, 3, 2, 2005.0, 10.0);
  expect_segment(w, 4, 3, 2010.0, 30.0);
  expect_seat(w, 0, 4, 2010.0 - 10.0 / 6.0);
  expect_seat(w, 1, 1, 2002.0);
  hp_case_destroy(&c);
}

static void test_field_units(void) {
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nFIELD\n";
  d.schedule = TWO_WELLS
      "WELSEGS\n P 6000 0 1* INC 'H--' /\n 2 2 1 1 20 10 0.5 0.001 0.2 /\n/\n"
      "COMPSEGS\n P /\n 3 2 1 1 4* 0 1* 2 /\n 3 2 2 1 10 30 /\n/\n" TWO_CONTROLS "TSTEP\n 1 /\n";
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  const hp_well_spec *w = well_of(c, "P");
  const double foot = 0.3048;
  CHECK(w->drops == HP_DROPS_HYDROSTATIC);
  expect_segment(w, 2, 1, 6010.0 * foot, 20.0 * foot);
  CHECK_NEAR(segment_of(w, 2)->area, 0.2 * foot * foot, 1e-12);
  CHECK(w->perf[0].segment == 2 && isnan(w->perf[0].depth));
  expect_seat(w, 1, 2, 6010.0 * foot);
  hp_case_destroy(&c);
}

/* The same once more is no change; COMPDAT again keeps the seat. */
static void test_again(void) {
  hp_case *c = schedule(TWO_WELLS SOUND SEATS TWO_CONTROLS "TSTEP\n 1 /\n" SOUND
                                                           "COMPDAT\n 'P' 2* 2 2 OPEN 2* 0.3 /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  expect_seat(well_of(c, "P"), 1, 4, 2015.0 - 6.0 / 8.0);
  hp_case_destroy(&c);
}

static void test_vectors(void) {
  deck d = deck_base();
  char why[HP_CASE_WHY];
  d.summary = "SPR\n P 2 /\n P 4 /\n/\nSOFR\n P /\n/\nSPRDF\n P 9 /\n/\n";
  d.schedule = TWO_WELLS SOUND SEATS TWO_CONTROLS "TSTEP\n 1 /\n";
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  CHECK(deck_noted("'SPRDF:P:9': no such segment: left out"));
  CHECK(c->output.nvector == 3 && hp_summary_vectors_need(c, HP_OF_SEGMENT));
  CHECK(strcmp(c->output.vector[0], "SPR:P:2") == 0 && strcmp(c->output.vector[2], "SOFR:P") == 0);
  hp_summary_vector_fault(c, "SWFR:I", why);
  CHECK(why[0] != '\0');
  hp_case_destroy(&c);
}

static void expect_fault(const char *schedule_text, const char *line, const char *part) {
  static char text[4096];
  deck d = deck_base();
  snprintf(text, sizeof text, TWO_WELLS "%s" TWO_CONTROLS "TSTEP\n 1 /\n", schedule_text);
  d.schedule = text;
  CHECK(deck_fails(&d, deck_line(&d, line), part));
}

#define TREE(records) FIRST("INC", "'HF-'") records "/\n" SEATS
static void test_faults(void) {
  expect_fault(TREE(" 2 2 1 3 10 8 0.1 1e-4 /\n 3 3 1 2 8 6 0.1 1e-4 /\n"), " 2 2 1 3 10 8 0.1 1e-4 /",
               "segment 2: its outlets lead round and never to segment 1");
  expect_fault(TREE(" 2 2 1 2 10 8 0.1 1e-4 /\n"), " 2 2 1 2 10 8 0.1 1e-4 /", "segment 2 is its own outlet");
  expect_fault(TREE(" 2 2 1 7 10 8 0.1 1e-4 /\n"), " 2 2 1 7 10 8 0.1 1e-4 /",
               "segment 2 flows into segment 7, which is not there");
  expect_fault(TREE(" 2 3 1 1 10 8 0.1 1e-4 /\n 3 3 1 2 9 8 0.1 1e-4 /\n"), " 3 3 1 2 9 8 0.1 1e-4 /",
               "segment 3 is there twice");
  expect_fault(TREE(" 1 3 1 1 10 8 0.1 1e-4 /\n"), " 1 3 1 1 10 8 0.1 1e-4 /",
               "segment 1 is the one of the first record");
  expect_fault(TREE(" 3 2 1 1 10 8 0.1 1e-4 /\n"), " 3 2 1 1 10 8 0.1 1e-4 /", "segments 3 to 2: numbers rise");
  expect_fault(TREE(" 2 2 1 1 10 8 -0.1 1e-4 /\n"), " 2 2 1 1 10 8 -0.1 1e-4 /", "item 7 (diameter)");
  expect_fault(TREE(" 2 2 1 1 10 8 0.1 0.2 /\n"), " 2 2 1 1 10 8 0.1 0.2 /",
               "its roughness must be at least 0, and less than its diameter");
  expect_fault(TREE(" 2 2 1 1 0 0 0.1 1e-4 /\n"), " 2 2 1 1 0 0 0.1 1e-4 /", "segment 2 must be longer than 0");
  expect_fault(TREE(" 2 2 1 1 10 12 0.1 1e-4 /\n"), " 2 2 1 1 10 12 0.1 1e-4 /",
               "segment 2 is 10 m long, but its ends are 12 m apart");
  expect_fault(FIRST("ABS", "HFA") " 2 2 1 1 90 2005 0.1 1e-4 /\n/\n" SEATS, " 2 2 1 1 90 2005 0.1 1e-4 /",
               "its end is not beyond that of its outlet");
  expect_fault(FIRST("INC", "HFA") "/\n" SEATS, " 'P' 1995 100 1* INC HFA HO /", "needs more than the first one");
  expect_fault(SOUND "COMPSEGS\n 'P' /\n 3 2 1 5 110 120 /\n/\n", " 3 2 1 5 110 120 /",
               "well P has no segment in branch 5");
  expect_fault(SOUND "COMPSEGS\n 'P' /\n 2 2 1 1 110 120 /\n/\n", " 2 2 1 1 110 120 /",
               "no connection in cell (2,2,1): COMPDAT makes it");
  expect_fault(SOUND "COMPSEGS\n 'P' /\n 3 2 1 1 110 /\n/\n", " 3 2 1 1 110 /", "its end (item 6) is missing");
  expect_fault(SOUND "COMPSEGS\n 'P' /\n 3 2 1 1 110 120 Z 2 /\n/\n", " 3 2 1 1 110 120 Z 2 /",
               "ranges of cells (item 8) are not supported");
  expect_fault(SOUND "COMPSEGS\n 'P' /\n 3 2 1 1 4* 0 1* 8 /\n/\n", " 3 2 1 1 4* 0 1* 8 /",
               "well P has no segment 8 (WELSEGS)");
  expect_fault(SOUND "COMPSEGS\n 'P' /\n 3 2 1 1 120 110 /\n/\n", " 3 2 1 1 120 110 /",
               "ends at 110, before its start");
  expect_fault(SOUND "COMPSEGS\n 'P' /\n 3 2 1 1 110 120 /\n/\n", " 'P' /",
               "its connection in cell (3,2,2) is in no segment");
  expect_fault("COMPSEGS\n 'P' /\n 3 2 1 1 110 120 /\n/\n", " 'P' /", "well P has no segments: WELSEGS makes them");
  expect_fault("WELSEGS\n '*' 1995 100 1* INC HF- HO /\n 2 2 1 1 10 8 0.1 1e-4 /\n/\n", " '*' 1995 100 1* INC HF- HO /",
               "segments are those of one well, and there are several of this name");
}

static void test_changed_later(void) {
  deck d = deck_base();
  d.schedule = TWO_WELLS SOUND SEATS TWO_CONTROLS
      "TSTEP\n 1 /\n" FIRST("INC", "HFA") " 2 2 1 1 10 8 0.1 1e-4 /\n/\nTSTEP\n 1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " 'P' 1995 100 1* INC HFA HO /"),
                   "well P has flowed: its segments cannot be changed"));
}

int main(void) {
  test_increments();
  test_places();
  test_field_units();
  test_again();
  test_vectors();
  test_faults();
  test_changed_later();
  return deck_end();
}
