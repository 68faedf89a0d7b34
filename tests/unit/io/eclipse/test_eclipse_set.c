/* --set over an Eclipse deck. For every key of the table there is an option
 * that is laid over an Eclipse deck and over the hepta deck that says the same
 * (tests/support/deck_base.h): both must become the same case, unless docs/reference/eclipse.md
 * says what differs. Then single entries of the lists that a deck fills. */
#define _POSIX_C_SOURCE 200809L
#include <hdf5.h>
#include <math.h>

#include "core/memory.h"
#include "io/config/config.h"
#include "io/deck/deck.h"
#include "tests/support/cases/case_text.h"
#include "tests/support/cases/config_changes.h"
#include "tests/support/cases/eclipse_twin.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"
#include "tests/support/deck_corners.h"

#define BAR 1e5
#define DAY 86400.0

/* ---- every key ---- */

/* Options that act on the hepta deck in another way than here; docs/reference/deck.md, docs/reference/eclipse.md
 * say why. */
static const struct {
  const char *prefix, *why;
} other[] = {
    {"units", "over an Eclipse deck, the units of the options and of the summary, not of the deck's own numbers"},
    {"grid.permx", "the deck's permy and permz are its own and do not follow"},
    {"array.", "tried with permx"},
    {"grid.boxes[].i", "tried with permx"},
    {"grid.boxes[].j", "tried with permx"},
    {"grid.boxes[].k", "tried with permx"},
    {"grid.pinch.", "COMPDAT names two layers of three, the wells of the hepta deck have all"},
    {"wells[].", "a control of a well holds for the whole run; connections keep what COMPDAT says"},
};

static const char *why_other(const char *key) {
  for (size_t n = 0; n < sizeof other / sizeof other[0]; ++n)
    if (strncmp(key, other[n].prefix, strlen(other[n].prefix)) == 0) return other[n].why;
  return NULL;
}

/* Keys whose option for the hepta deck is no good here, or that show nothing on so few cells. */
#define BLOCK                                                                                              \
  "grid={size=[16,16,8];dx=20.0;dy=25.0;dz=2.0;porosity=0.2;permx={generator=\"channels\";background=1.0;" \
  "channel=9.0;width=3.0;"
#define CHANNEL(more) BLOCK more "};}"
static const struct {
  const char *key, *before, *option;
} special[] = {
    {"array.dataset", "grid.permx={file=\"two.h5\";format=\"hdf5\";dataset=\"/a\";}",
     "grid.permx={file=\"two.h5\";format=\"hdf5\";dataset=\"/b\";}"},
    {"array.thickness", CHANNEL("thickness=2.0;"), CHANNEL("thickness=4.0;")},
    {"array.wavelength", CHANNEL("wavelength=20.0;"), CHANNEL("wavelength=40.0;")},
    {"array.amplitude", CHANNEL("amplitude=1.0;"), CHANNEL("amplitude=3.0;")},
    {"array.variability", CHANNEL("variability=0.0;"), CHANNEL("variability=0.6;")},
    {"grid.size", NULL, "grid={size=[5,3,2];dx=20.0;dy=25.0;dz=[2.0,3.0];top=2000.0;porosity=0.2;permx=100.0;}"},
};

static void compare(const char *key, const char *before, const char *option) {
  const char *set[OPTIONS_MAX] = {COREY, TIMES}, *plain[OPTIONS_MAX] = {COREY, TIMES};
  int count = 2;
  if (before != NULL) plain[count] = set[count] = before, count += 1;
  set[count] = option;
  hp_case *c = read_eclipse(twin, set), *without = read_eclipse(twin, plain), *hepta = NULL;
  hp_diag diag;
  const hp_status status = read_options("deck.cfg", deck_base, set, &diag, &hepta);
  if (status != HP_OK) {
    fprintf(stderr, "%s: the hepta deck refuses it:\n", option);
    hp_diag_print(&diag, stderr);
    CHECK(false);
  }
  hp_diag_clear(&diag);
  char *a = c != NULL ? print_case(c) : NULL, *b = without != NULL ? print_case(without) : NULL;
  char *h = hepta != NULL ? print_case(hepta) : NULL;
  if (a != NULL && b != NULL && strcmp(a, b) == 0) {
    fprintf(stderr, "%s: changes nothing over an Eclipse deck\n", option);
    CHECK(false);
  }
  /* the hepta deck has no date, and its case no number that a default gives in other words */
  if (a != NULL && h != NULL && why_other(key) == NULL && strcmp(strchr(a, '\n'), strchr(h, '\n')) != 0) {
    fprintf(stderr, "%s: over an Eclipse deck, and over the hepta deck that says the same:\n", option);
    show_difference(strchr(a, '\n'), strchr(h, '\n'));
    CHECK(false);
  }
  free(a);
  free(b);
  free(h);
  hp_case_destroy(&c);
  hp_case_destroy(&without);
  hp_case_destroy(&hepta);
}

static bool try_special(const char *key) {
  for (size_t n = 0; n < sizeof special / sizeof special[0]; ++n)
    if (strcmp(special[n].key, key) == 0) {
      compare(key, special[n].before, special[n].option);
      return true;
    }
  return false;
}

/* Of faults and numerical aquifers, whose faces and cells are part of the deck's grid, and of lift tables. */
static bool is_refused(const char *before, const char *option) {
  const bool lift = before != NULL && strncmp(before, "vfp", 3) == 0;
  const char *const set[] = {COREY, TIMES, lift ? before : option, NULL};
  hp_diag diag;
  hp_case *c;
  const bool faces = strncmp(option, "faults", 6) == 0 || strncmp(option, "multipliers", 11) == 0;
  if (!lift && !faces && strstr(option, "\"numerical\"") == NULL) return false;
  CHECK(read_options("CASE.DATA", twin, set, &diag, &c) == HP_ERR_DECK);
  char *messages = deck_messages(&diag);
  CHECK(strstr(messages,
               lift ? "cannot be laid over a deck, whose wells" : "cannot be laid over a deck, to whose grid") != NULL);
  free(messages);
  hp_diag_clear(&diag);
  hp_case_destroy(&c);
  return true;
}

static void check_every_key(void) {
  int count;
  const hp_config_key *key = hp_config_keys(&count);
  for (int n = 0; n < count; ++n) {
    bool tried = key[n].kind == HP_KEY_GROUP || key[n].kind == HP_KEY_LIST || try_special(key[n].path);
    for (int m = 0; m < CHANGES && !tried; ++m) {
      if (strcmp(change[m].key, key[n].path) != 0 || change[m].option == NULL) continue;
      if (!is_refused(change[m].before, change[m].option)) compare(change[m].key, change[m].before, change[m].option);
      tried = true;
    }
    if (!tried) {
      fprintf(stderr, "%s: no option tries this key over an Eclipse deck\n", key[n].path);
      CHECK(false);
    }
  }
}

/* ---- whole groups ---- */

/* A group given whole takes the place of what the deck says: what it leaves out has its default. */
static void check_groups(void) {
  static const char *const group[] = {
      "rock={compressibility=1e-5;}",
      "fluids.oil={density=700.0;viscosity=3.0;}",
      "fluids.oil={density=700.0;table=([1.0,1.1,2.0],[200.0,1.0,2.5]);}",
      "fluids.water={density=990.0;viscosity=0.4;}",
      "initial={datum_depth=2001.0;datum_pressure=210.0;contact_depth=2500.0;}",
      "initial={pressure=200.0;saturation=[0.3,0.4];}",
      "timestep={max=20.0;}",
      "newton={max_iterations=20;}",
      "linear={method=\"gmres\";}",
      "output={compression=3;}",
      "report={end=20.0;every=4.0;}",
      "grid={size=[4,3,2];dx=21.0;dy=24.0;dz=2.5;top=1900.0;porosity=0.22;permx=[50.0,60.0];}",
      "fluids={water={density=990.0;viscosity=0.4;};oil={density=700.0;viscosity=3.0;};}"};
  for (size_t n = 0; n < sizeof group / sizeof group[0]; ++n) compare("", NULL, group[n]);
}

/* ---- single entries ---- */

static const double *limit(const hp_case *c, int event) { return c->event[event].control.limit; }

static void check_cells(void) {
  const char *const set[] = {"grid.porosity[7]=0.3",
                             "grid.permx[23]=55",
                             "grid.active[0]=0",
                             "grid.dz[12]=4",
                             "grid.top[1]=1990",
                             "grid.multx[2]=0.5",
                             NULL};
  hp_case *c = read_eclipse(twin, set), *old = read_eclipse(twin, (const char *const[]){NULL});
  if (c == NULL || old == NULL) return;
  const hp_grid *g = c->grid, *h = old->grid;
  const int64_t cell = hp_grid_cell(g, 3, 1, 0), last = hp_grid_cell(g, 3, 2, 1), below = hp_grid_cell(g, 0, 0, 1);
  CHECK(g->porosity[cell] == 0.3 && !g->active[0] && g->nactive == 23 && g->dz[below] == 4.0);
  CHECK_NEAR(g->perm[HP_DIR_I][last], 55.0 * 9.869232667160e-16, 1e-28);
  CHECK(c->top[hp_grid_cell(g, 1, 0, 0) / g->nz] == 1990.0 && g->depth[below] == 2002.0 + 2.0);
  for (int64_t m = 0; m < g->ncell; ++m) { /* all others to the last bit */
    CHECK(m == cell || g->porosity[m] == h->porosity[m]);
    CHECK(m == last || g->perm[HP_DIR_I][m] == h->perm[HP_DIR_I][m]);
    CHECK(m == below || g->dz[m] == h->dz[m]);
  }
  CHECK(c->mult[HP_DIR_I] != NULL && c->mult[HP_DIR_I][hp_grid_cell(g, 2, 0, 0)] == 0.5);
  hp_case_destroy(&c);
  hp_case_destroy(&old);
}

/* Middles of cells: one of them, or all in place of the deck's TOPS. */
static void check_middles(void) {
  hp_case *c = read_eclipse(twin, (const char *const[]){"grid.depth[12]=2010.5", NULL});
  hp_case *old = read_eclipse(twin, (const char *const[]){NULL});
  hp_case *all = read_eclipse(twin, (const char *const[]){"grid.depth=[2011.0,2021.5]", NULL});
  if (c == NULL || old == NULL || all == NULL) return;
  const int64_t below = hp_grid_cell(c->grid, 0, 0, 1);
  for (int64_t m = 0; m < c->grid->ncell; ++m)
    CHECK(c->grid->depth[m] == (m == below ? 2010.5 : old->grid->depth[m]) && c->grid->dz[m] == old->grid->dz[m]);
  CHECK(all->grid->depth[0] == 2011.0 && all->grid->depth[below] == 2021.5);
  CHECK(all->top[0] == 2011.0 - 0.5 * all->grid->dz[0]);
  hp_case_destroy(&c);
  hp_case_destroy(&old);
  hp_case_destroy(&all);
}

/* Each connection keeps what COMPDAT says of it. */
static void check_connections(void) {
  static char text[8192];
  const char *at = strstr(twin, "COMPDAT\n");
  snprintf(text, sizeof text,
           "%.*sCOMPDAT\n I1 2* 1 2 OPEN 2* 0.2 /\n P1 2* 1 1 OPEN 1* 3.5 0.3 1* 2 /\n"
           " P1 2* 2 2 SHUT 2* 0.4 /\n/\n%s",
           (int)(at - twin), twin, strstr(at, "WCONINJE"));
  const char *const one[] = {"wells.P1.cells[0]=[3,3,1]", "wells[1].cells[1][0]=3", "wells.P1.skin=7", NULL};
  hp_case *c = read_eclipse(text, one);
  if (c == NULL) return;
  const hp_perf_spec *p = c->well[1].perf;
  CHECK(c->well[1].nperf == 2 && p[0].i == 2 && p[0].j == 2 && p[0].k == 0 && p[1].i == 2 && p[1].k == 1);
  CHECK(p[0].radius == 0.15 && p[1].radius == 0.2 && p[0].open && !p[1].open && p[0].skin == 7.0 && p[1].skin == 7.0);
  CHECK(!isnan(p[0].transmissibility) && isnan(p[1].transmissibility));
  hp_case_destroy(&c);
  const char *const column[] = {"wells.P1.i=2", "wells.P1.j=1", NULL};
  c = read_eclipse(text, column);
  if (c == NULL) return;
  CHECK(c->well[1].perf[1].i == 1 && c->well[1].perf[1].j == 0 && c->well[1].perf[1].radius == 0.2);
  hp_case_destroy(&c);
  const char *const layer[] = {"wells.P1.k=2", "wells.P1.status=open", NULL};
  hp_diag diag;
  CHECK(read_options("CASE.DATA", text, layer, &diag, &c) == HP_ERR_DECK); /* its connection there is shut */
  hp_diag_clear(&diag);
}

static void check_tables(void) {
  const char *const set[] = {"saturation.table[1][2]=0.5", "saturation.table[0]=[0.1,0.0,1.0,0.2]", NULL};
  hp_case *c = read_eclipse(twin, set);
  if (c != NULL) {
    const hp_sat_spec *s = &c->fluid.sat[0];
    CHECK(s->rows == 3 && s->kro[1] == 0.5 && s->krw[1] == 0.3 && s->s[0] == 0.1 && s->pc[0] == 0.2 * BAR);
  }
  hp_case_destroy(&c);
  const char *const oil[] = {"fluids.oil.table=([1.0,1.1,2.0],[200.0,1.0,2.5])", "fluids.oil.table[1][2]=2.75", NULL};
  c = read_eclipse(twin, oil);
  if (c != NULL) CHECK(c->fluid.pvt[0][HP_OIL].rows == 2 && c->fluid.pvt[0][HP_OIL].mu[1] == 2.75e-3);
  hp_case_destroy(&c);
}

static void check_times(void) {
  const char *const set[] = {"report.times[0]=12", "report.times[1]=40", NULL};
  hp_case *c = read_eclipse(twin, set);
  if (c != NULL) CHECK(c->nreport == 2 && c->report[0] == 12.0 * DAY && c->report[1] == 40.0 * DAY);
  hp_case_destroy(&c);
  const char *const field[] = {"units=field", "report.times[1]=40", "saturation.table[0][3]=1.0", NULL};
  c = read_eclipse(twin, field);
  if (c != NULL) {
    CHECK(c->report[0] == 10.0 * DAY && c->report[1] == 40.0 * DAY);
    CHECK_NEAR(c->fluid.sat[0].pc[0], 6894.757293168, 1e-6);
  }
  hp_case_destroy(&c);
}

/* ---- the schedule ---- */

/* Day 10: P1 by oil rate; 20: its bhp; 30: shut; 40: open; 50: all anew; 60: LATE. */
static const char schedule[] =
    "TSTEP\n 10 /\nWCONPROD\n P1 OPEN ORAT 9 4* 140 /\n/\nTSTEP\n 10 /\nWELTARG\n P1 BHP 130 /\n/\nTSTEP\n 10 /\n"
    "WELOPEN\n P1 SHUT /\n/\nTSTEP\n 10 /\nWELOPEN\n P1 OPEN /\n/\nTSTEP\n 10 /\n"
    "WCONPROD\n P1 OPEN BHP 5* 120 /\n/\nTSTEP\n 10 /\n"
    "WELSPECS\n LATE FIELD 2 2 /\n/\nCOMPDAT\n LATE 2* 1 2 OPEN 2* 0.2 /\n/\nWCONPROD\n LATE OPEN BHP 5* 110 /\n/\n"
    "TSTEP\n 10 /\n";

static hp_case *with_schedule(const char *const *set) {
  static char text[8192];
  const char *at = strstr(twin, "TSTEP\n");
  snprintf(text, sizeof text, "%.*s%s", (int)(at - twin), twin, schedule);
  return read_eclipse(text, set);
}

/* Events 0..2 are those at time zero: LATE shut, I1, P1; from 3 on schedule[0], [1], ... */
static void check_schedule(void) {
  enum { FIRST = 3 };
  hp_case *c = with_schedule((const char *const[]){NULL});
  if (c == NULL) return;
  CHECK(c->nevent == FIRST + 6);
  for (int n = 0; n < c->nevent; ++n) CHECK(c->event[n].entry == (n < FIRST ? -1 : n - FIRST));
  CHECK(c->event[FIRST + 2].control.control == HP_CONTROL_SHUT && c->event[FIRST + 2].wanted == HP_CONTROL_ORAT);
  hp_case_destroy(&c);

  /* a number reaches the events that leave it as it was: 20 says its own bhp, 50 everything */
  c = with_schedule((const char *const[]){"schedule[0].oil_rate=7", "schedule[0].bhp=100", NULL});
  if (c == NULL) return;
  for (int n = 0; n < 4; ++n) CHECK_NEAR(limit(c, FIRST + n)[HP_CONTROL_ORAT] * DAY, 7.0, 1e-12);
  CHECK(limit(c, FIRST)[HP_CONTROL_BHP] == 100.0 * BAR && limit(c, FIRST + 1)[HP_CONTROL_BHP] == 130.0 * BAR);
  CHECK(limit(c, FIRST + 4)[HP_CONTROL_BHP] == 120.0 * BAR && isnan(limit(c, FIRST + 4)[HP_CONTROL_ORAT]));
  hp_case_destroy(&c);

  /* status, control, time, well */
  c = with_schedule((const char *const[]){"schedule[2].status=open", "schedule[1].time=35", "schedule[4].well=I1",
                                          "schedule[4].type=injector", "schedule[4].control=bhp", "schedule[4].bhp=300",
                                          "schedule[5].control=liquid-rate", "schedule[5].liquid_rate=3", NULL});
  if (c == NULL) return;
  CHECK(c->event[FIRST + 1].time == 30.0 * DAY && c->event[FIRST + 1].control.control == HP_CONTROL_ORAT);
  CHECK(limit(c, FIRST + 1)[HP_CONTROL_BHP] == 140.0 * BAR); /* 130 comes at day 35 now */
  CHECK(c->event[FIRST + 2].time == 35.0 * DAY && limit(c, FIRST + 2)[HP_CONTROL_BHP] == 130.0 * BAR);
  const hp_well_event *moved = &c->event[FIRST + 4];
  CHECK(moved->time == 50.0 * DAY && strcmp(c->well[moved->well].name, "I1") == 0 && moved->control.injector);
  CHECK(moved->control.limit[HP_CONTROL_BHP] == 300.0 * BAR);
  CHECK(c->event[FIRST + 5].control.control == HP_CONTROL_LRAT);
  hp_case_destroy(&c);

  /* a well's own key holds for the whole run, also where it is not yet there or shut; single entries come after */
  c = with_schedule((const char *const[]){"wells.P1.bhp=90", "schedule[4].bhp=95", "wells.LATE.control=oil-rate",
                                          "wells.LATE.oil_rate=2", NULL});
  if (c == NULL) return;
  for (int n = FIRST; n < FIRST + 5; ++n) CHECK(limit(c, n)[HP_CONTROL_BHP] == (n == FIRST + 4 ? 95.0 : 90.0) * BAR);
  CHECK(c->event[FIRST + 2].control.control == HP_CONTROL_SHUT);
  CHECK(c->event[2].control.control == HP_CONTROL_SHUT && c->event[2].well == 2);
  CHECK(c->event[FIRST + 5].control.control == HP_CONTROL_ORAT);
  hp_case_destroy(&c);

  /* controls behind the deck's end come back when the run is lengthened */
  static char text[8192];
  snprintf(text, sizeof text, "%sWELTARG\n P1 BHP 100 /\n/\n", twin);
  c = read_eclipse(text, (const char *const[]){"report.end=60", NULL});
  if (c != NULL) CHECK(c->nevent == 4 && c->event[3].time == 30.0 * DAY && limit(c, 3)[HP_CONTROL_BHP] == 100.0 * BAR);
  hp_case_destroy(&c);
}

/* ---- what the deck lacks ---- */

/* As in a hepta deck, --set may give what is missing. */
static void check_missing(void) {
  static const struct {
    const char *without, *option;
  } part[] = {
      {"PVCDO\n 1.01325 1 0 2 /\n", "fluids.oil.viscosity=2"},
      {"PVTW\n 1.01325 1 0 0.5 /\n", "fluids.water.viscosity=0.5"},
      {"SWOF\n 0.2 0 1 0\n 0.5 0.3 0.4 0\n 0.8 1 0 0 /\n", COREY},
      {"EQUIL\n 2000 200 3000 0 4* 0 /\n", "initial={datum_depth=2000.0;datum_pressure=200.0;contact_depth=3000.0;}"},
      {"DZ\n 12*2 12*3 /\n", "grid.dz=[2.0,3.0]"},
      {" PORO 0.2 /\n", "grid.porosity=0.2"},
      {"TSTEP\n 20 /\n", "report={end=30.0;}"}};
  for (size_t n = 0; n < sizeof part / sizeof part[0]; ++n) {
    static char text[8192];
    const char *at = strstr(twin, part[n].without);
    CHECK(at != NULL);
    if (at == NULL) continue;
    snprintf(text, sizeof text, "%.*s%s", (int)(at - twin), twin, at + strlen(part[n].without));
    hp_case *c = read_eclipse(text, (const char *const[]){part[n].option, NULL});
    hp_case_destroy(&c);
  }
}

/* Cells are judged by their own MINPVV on the grid as --set makes it; by the one number that --set gives. 12 cells have 200 m3, 12 have 300. */
static void check_least_volumes(void) {
  static const struct {
    const char *set;
    int64_t active;
  } at[] = {{NULL, 18},
            {"timestep.max=2.0", 18},
            {"grid.porosity=0.4", 24},
            {"grid.porosity=0.19", 12},
            {"grid.dz=[0.9,3.0]", 12},
            {"grid.minpv=250.0", 12},
            {"grid.minpv=0.0", 24},
            {"grid.refine=[2,1,1]", 36}};
  static char text[8192];
  const char *end = strstr(twin, "PROPS");
  snprintf(text, sizeof text, "%.*sMINPV\n 99 /\nMINPVV\n 6*0 6*201 6*299 6*0 /\n%s", (int)(end - twin), twin, end);
  for (size_t n = 0; n < sizeof at / sizeof at[0]; ++n) {
    hp_case *c = read_eclipse(text, (const char *const[]){at[n].set, NULL});
    if (c != NULL) CHECK(c->grid->nactive == at[n].active);
    if (c != NULL) CHECK(c->minpv_of == NULL);
    hp_case_destroy(&c);
  }
}

static void write_fields(void) {
  double value[24];
  const hsize_t size[3] = {2, 3, 4};
  const hid_t file = H5Fcreate(deck_path("two.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (int f = 0; f < 2; ++f) {
    for (int n = 0; n < 24; ++n) value[n] = 1.0 + n + 100.0 * f;
    const hid_t space = H5Screate_simple(3, size, NULL);
    const hid_t set = H5Dcreate2(file, f == 0 ? "a" : "b", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                                 H5P_DEFAULT);
    CHECK(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(set);
    H5Sclose(space);
  }
  H5Fclose(file);
}

int main(void) {
  write_options();
  write_fields();
  write_corners();
  check_every_key();
  remove_corners();
  check_groups();
  check_cells();
  check_middles();
  check_connections();
  check_tables();
  check_times();
  check_schedule();
  check_missing();
  check_least_volumes();
  deck_remove("two.h5");
  remove_options();
  deck_remove("deck.cfg");
  deck_remove("CASE.DATA");
  CHECK(hp_memory_now() == 0);
  return check_result();
}
