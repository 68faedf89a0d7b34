/* SUMMARY: vectors that are asked for, those that hepta does not have; FIPNUM. */
#define _POSIX_C_SOURCE 200809L
#include "io/case/vectors.h"
#include "tests/support/eclipse_deck.h"

/* All vectors that the case asks for, with a blank before each. */
static const char *asked(const hp_case *c) {
  static char text[1024];
  size_t n = 0;
  text[0] = '\0';
  for (int k = 0; c != NULL && k < c->output.nvector; ++k)
    n += (size_t)snprintf(text + n, sizeof text - n, " %s", c->output.vector[k]);
  return text;
}

static void expect(const char *summary, const char *expected) {
  deck d = deck_base();
  d.summary = summary;
  d.regions = "FIPNUM\n 6*1 3*2 2*4 0 /\n";
  hp_case *c = deck_case(&d);
  if (c != NULL && strcmp(asked(c), expected) != 0) {
    fprintf(stderr, "%s:\n  expected:%s\n  found:%s\n%s", summary, expected, asked(c), deck_messages);
    CHECK(false);
  }
  hp_case_destroy(&c);
}

static void test_asked(void) {
  expect("", "");
  expect("FOPR\nFOIP\nfoe\nWBHP\n/\nWOPR\n 'P' /\nFOIP\n", " FOIP FOE"); /* the others are always written; none twice */
  expect("WVPR\n/\nWVIR\n I 'P' /\n", " WVPR WVIR:I WVIR:P");
  expect("FOPRH\nWOPTH\n 'P' /\nWBHPH\n/\n", " FOPRH WOPTH:P WBHPH");
  expect("WVPR\n '*' /\nROIP\n/\nRPR\n 1 2*4 2\n /\nRWIP\n 1 1* 2 /\n", " WVPR:* ROIP RPR:1 RPR:4 RPR:2 RWIP:1 RWIP:2");
  expect("COPR\n 'P' /\n I 1 1 2 /\n/\nCWPR\n/\nCOIR\n 'P*' 3* /\n/\nFWIP\n", " COPR:P COPR:I:1,1,2 CWPR COIR:P* FWIP");
  expect("COPR\n 'P' /\n/\nWVPR\n Q P /\nRPR\n 1 5 /\n", " COPR:P WVPR:P RPR:1");
  CHECK(deck_noted("SUMMARY: 'WVPR:Q': no such well: left out"));
  CHECK(deck_noted("SUMMARY: 'RPR:5': there are 4 regions: left out"));
  expect("BPR\n 1 1 1 /\n 9 9 9 /\n/\nBWSAT\n 3 2 1 /\n/\nPERFORMA\nTCPU\nYEARS\n",
         " BPR:1,1,1 BWSAT:3,2,1 TIMESTEP NEWTON MLINEARS NLINEARS MSUMNEWT MSUMLINS TCPU");
  CHECK(deck_noted("SUMMARY: 'BPR:9,9,9': the grid has 3 x 2 x 2 cells: left out"));
  expect("GOPR\n 'G' /\nWGORH\n/\nGOPR\n/\nBGSAT\n 1 1 1 /\n/\nCOFR\n 'P' 3 2 1 /\n/\nAAQR\n 1 /\nFGOR\nROE\n/\n",
         " GOPR:G GOPR ROE");
  CHECK(deck_noted("SUMMARY: vectors that hepta does not have: WGORH BGSAT COFR FGOR"));
  CHECK(deck_noted("SUMMARY: 'AAQR:1': no such aquifer: left out"));
}

/* Lists as they are at the end of the schedule. */
static void test_lists(void) {
  deck d = deck_base();
  char text[4096];
  snprintf(text, sizeof text,
           "%sWLIST\n '*L' NEW I /\n/\nTSTEP\n 1 /\nWLIST\n '*L' ADD P /\n '*M' NEW I /\n/\nTSTEP\n 1 /\n", d.schedule);
  d.schedule = text;
  d.summary = "WVPR\n '*M' /\nWVIR\n '*L' /\nCOPR\n '*?' 3 2 1 /\n '\\*I' /\n/\nCWPR\n '*N' /\n/\n";
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  CHECK(strcmp(asked(c), " WVPR:I WVIR:I WVIR:P COPR:I:3,2,1 COPR:P:3,2,1 COPR:I") == 0);
  CHECK(deck_noted("SUMMARY: 'CWPR:*N': no well is meant: left out"));
  hp_case_destroy(&c);
}

/* Names alone on their lines that are those of keywords, which cannot stand here. */
static void test_names(void) {
  deck d = deck_base();
  expect("GOPR\n G\n FIELD\n/\nFOE\n", " GOPR:G FOE");
  CHECK(deck_noted("SUMMARY: 'GOPR:FIELD': no such group: left out"));
  expect("GOPR\nGRID\nGAS\n/\nFOE\n", " FOE");
  d.schedule =
      "WELSPECS\n OIL G 1 1 /\n P G 3 2 /\n/\nCOMPDAT\n OIL 2* 1 2 OPEN 2* 0.2 /\n P 2* 1 2 OPEN 2* 0.2 /\n/\n"
      "WCONPROD\n '*' OPEN BHP 5* 150 /\n/\nTSTEP\n 10 /\n";
  d.summary = "WVPR\n OIL\n P\n/\nCOPR\n OIL\n 1 1 1 /\n P /\n/\n";
  hp_case *c = deck_case(&d);
  CHECK(c != NULL && strcmp(asked(c), " WVPR:OIL WVPR:P COPR:OIL:1,1,1 COPR:P") == 0);
  hp_case_destroy(&c);
  d = deck_base();
  d.summary = "GOPR\n G\nRPTONLY\n";
  CHECK(deck_fails(&d, deck_line(&d, "RPTONLY"), "GOPR: RPTONLY follows: the '/'"));
  d.summary = "WVPR\n P\n";
  CHECK(deck_fails(&d, deck_line(&d, "SCHEDULE"), "WVPR: SCHEDULE follows: the '/'"));
}

static void test_faults(void) {
  deck d = deck_base();
  d.summary = "COPR\n 'P' x 2 1 /\n/\n";
  CHECK(deck_fails(&d, deck_line(&d, " 'P' x 2 1 /"), "COPR: item 2 (I): 'x' is not an integer"));
  d.summary = "COPR\n 'P' 1 2 1 4 /\n/\n";
  CHECK(deck_fails(&d, deck_line(&d, " 'P' 1 2 1 4 /"), "COPR: '4' is one item too many"));
  d.summary = "BPR\n 1 2 /\n/\n";
  CHECK(deck_fails(&d, deck_line(&d, " 1 2 /"), "BPR: item 3 (K) is missing"));
  d.summary = "ROIP\n 1 2\nFOIP\n";
  CHECK(deck_fails(&d, deck_line(&d, "FOIP"), "ROIP: 'FOIP' is not the number of a region"));
}

static void test_regions(void) {
  deck d = deck_base();
  hp_case *c = deck_case(&d);
  CHECK(c != NULL && c->nfip == 1 && c->fip == NULL);
  hp_case_destroy(&c);
  d.regions = "FIPNUM\n 6*1 3*2 2*4 -3 /\n";
  c = deck_case(&d);
  if (c != NULL) {
    CHECK(c->nfip == 4 && c->fip != NULL);
    CHECK(c->fip[hp_grid_cell(c->grid, 0, 0, 0)] == 1 && c->fip[hp_grid_cell(c->grid, 2, 0, 1)] == 2);
    CHECK(c->fip[hp_grid_cell(c->grid, 0, 1, 1)] == 4 && c->fip[hp_grid_cell(c->grid, 2, 1, 1)] == 0);
  }
  hp_case_destroy(&c);
  d.regions = "FIPNUM\n 11*1 65536 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "FIPNUM"), "FIPNUM: cell (3,2,2): 65536: there can be 65535 regions"));
  d.regions = "FIPNUM\n 11*1 1.5 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "FIPNUM"), "FIPNUM: cell (3,2,2): 1.5: must be a whole number"));
}

/* The columns of a run, and their values, in the order of the list of vectors. */
static void test_columns(void) {
  static const int cell[2][3] = {{0, 0, 0}, {0, 0, 1}}, other[1][3] = {{2, 1, 0}};
  const hp_well_path path[2] = {{.name = "I", .nperf = 2, .perf = cell}, {.name = "P:1", .nperf = 1, .perf = other}};
  char *vector[] = {"COPR:P:1",       "CWIR:I:1,1,2", "FOE",     "ROIP",         "ROE:2",   "WVPR:P*", "RPR:2",
                    "COPR:P:1:3,2,1", "COIR:I",       "GLPR:S*", "GWCT",         "FMCTP",   "GMCTW",   "BWSAT:1,2,2",
                    "BPR:3,1,1",      "BOSAT:1,2,2",  "RWPT:2",  "CWIT:I:1,1,1", "NLINEARS"};
  enum { COUNT = sizeof vector / sizeof *vector };
  char groups[2][HP_WELL_NAME] = {"NORTH", "SOUTH"};
  hp_grid grid = {.nx = 3, .ny = 2, .nz = 2};
  const hp_case c = {
      .grid = &grid, .ngroup = 2, .group = groups, .nfip = 2, .output = {.nvector = COUNT, .vector = vector}};
  static const char *const name[] = {"FOE",          "WVPR:P:1",     "FMCTP",        "GLPR:SOUTH",     "GWCT:NORTH",
                                     "GWCT:SOUTH",   "GMCTW:NORTH",  "GMCTW:SOUTH",  "RPR:2",          "ROIP:1",
                                     "ROIP:2",       "ROE:2",        "RWPT:2",       "COPR:P:1:3,2,1", "COIR:I:1,1,1",
                                     "COIR:I:1,1,2", "CWIR:I:1,1,2", "CWIT:I:1,1,1", "BPR:3,1,1",      "BOSAT:1,2,2",
                                     "BWSAT:1,2,2",  "NLINEARS"};
  const hp_region_row region[2] = {
      {.in_place = {5.0, 6.0}, .oil_at_start = 10.0, .pressure = 7.0},
      {.flow = {.total = {21.0, 22.0}}, .in_place = {15.0, 16.0}, .oil_at_start = 20.0, .pressure = 17.0}};
  const hp_well_row well[2] = {{.flow = {.volume_rate = 1.0}}, {.flow = {.volume_rate = 2.0}}};
  const hp_group_row group[3] = {{.production = -4},
                                 {.flow = {.rate = {3.0, 1.0}}, .injection = 2},
                                 {.flow = {.rate = {2.0, 6.0}}, .injection = -1}};
  const hp_flow connection[3] = {{.injection_rate = {3.0, 4.0}, .injection_total = {0.5, 6.5}},
                                 {.rate = {1.0, 0.0}, .injection_rate = {0.0, 8.0}},
                                 {.rate = {9.0, 2.0}}};
  const hp_cell_row in_cell[2] = {{.pressure = 3e7, .sw = 0.3}, {.pressure = 2e7, .sw = 0.4}}; /* 1,2,2; 3,1,1 */
  const hp_summary_row row = {.in_place = {30.0, 1.0},
                              .oil_at_start = 40.0,
                              .region = region,
                              .well = well,
                              .group = group,
                              .connection = connection,
                              .cell = in_cell,
                              .work = {.newton = 4, .linear = 10}};
  static const double value[] = {0.25, 2.0,  -4.0, 8.0, 0.25, 0.75, 2.0, -1.0, 17.0, 5.0, 15.0,
                                 0.25, 22.0, 9.0,  3.0, 0.0,  8.0,  6.5, 2e7,  0.7,  0.3, 2.5};
  enum { COLUMNS = sizeof value / sizeof value[0] };
  double found[COLUMNS];
  hp_summary_vectors v;
  CHECK_OK(hp_summary_vectors_create(&c, 2, path, &v));
  CHECK(v.count == COLUMNS);
  hp_summary_vectors_values(&v, &row, found);
  for (int n = 0; n < COLUMNS; ++n) {
    char text[128];
    hp_summary_vector_text(&v, n, text, sizeof text);
    CHECK(strcmp(text, name[n]) == 0);
    CHECK_NEAR(found[n], value[n], 1e-15);
  }
  hp_summary_vectors_destroy(&v);
  CHECK(hp_summary_vectors_need(&c, HP_OF_REGION) && hp_summary_vectors_need(&c, HP_OF_CONNECTION));
  const hp_case plain = {.nfip = 2, .output = {.nvector = 1, .vector = vector + 2}};
  CHECK(!hp_summary_vectors_need(&plain, HP_OF_REGION) && !hp_summary_vectors_need(&plain, HP_OF_CONNECTION));
}

int main(void) {
  test_asked();
  test_names();
  test_lists();
  test_faults();
  test_regions();
  test_columns();
  return deck_end();
}
