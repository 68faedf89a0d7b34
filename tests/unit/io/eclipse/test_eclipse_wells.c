/* Wells, controls and time in Eclipse decks. */
#define _POSIX_C_SOURCE 200809L
#include "io/config/config.h"
#include "tests/unit/io/eclipse/eclipse_wells.h"
#include "wells/wells.h"

#define MILLIDARCY 9.869232667160e-16

static void test_specs(void) {
  hp_case *c = schedule(
      "WELSPECS\n A G 1 2 2004 OIL 100 STD SHUT NO /\n 'B X' G 2 1 /\n/\n"
      "COMPDAT\n A 0 0 1 1 OPEN 1* 12.5 /\n A 2* 2 2 SHUT 0 1* 0.3 -1 2.5 0 X 3.5 /\n"
      " 'B*' 3 2 2 2 1* 1 0 0.2 500 /\n 'B*' 1* 0 1 1 2* 0 0.2 0 /\n/\n"
      "WCONPROD\n A SHUT /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  const hp_well_spec *a = well_of(c, "A"), *b = well_of(c, "B X");
  CHECK(c->nwell == 2 && a->head_i == 0 && a->head_j == 1 && a->nperf == 2 && !a->crossflow && b->crossflow);
  CHECK_NEAR(a->ref_depth, 2004.0, 1e-9);
  const hp_perf_spec *q = &a->perf[0];
  CHECK(q->i == 0 && q->j == 1 && q->k == 0 && q->open && q->dir == HP_DIR_K && isnan(q->kh) && isnan(q->r0));
  CHECK_NEAR(q->transmissibility / (12.5 * 1e-3 / DAY / BAR), 1.0, 1e-12);
  q = &a->perf[1];
  CHECK(q->k == 1 && !q->open && q->dir == HP_DIR_I && isnan(q->transmissibility) && isnan(q->kh) && q->skin == 2.5);
  CHECK_NEAR(q->radius, 0.15, 1e-15); /* item 9 is a diameter */
  CHECK_NEAR(q->r0, 3.5, 1e-12);
  q = &b->perf[0];
  CHECK(q->i == 2 && q->j == 1 && q->k == 1 && isnan(q->transmissibility) && isnan(q->length[0]));
  CHECK_NEAR(q->kh / (500.0 * MILLIDARCY), 1.0, 1e-12);
  q = &b->perf[1];
  CHECK(q->i == 1 && q->j == 0 && isnan(q->kh));
  /* the deck's first connection is not the top one: the default reference depth is given as a number */
  CHECK_NEAR(b->ref_depth, 2005.0, 1e-9);
  hp_case_destroy(&c);

  /* A cell connected again takes the new numbers. The default depth stays open otherwise. */
  c = schedule(TWO_WELLS "COMPDAT\n P 2* 2 2 OPEN 2* 0.4 /\n/\n" TWO_CONTROLS "TSTEP\n 1 /\n");
  if (c == NULL) return;
  CHECK(well_of(c, "P")->nperf == 2 && well_of(c, "P")->perf[1].radius == 0.2 &&
        well_of(c, "P")->perf[0].radius == 0.1);
  CHECK(isnan(well_of(c, "P")->ref_depth));
  hp_case_destroy(&c);
}

static void test_producers(void) {
  hp_case *c = schedule(
      TWO_WELLS
      "WCONPROD\n P 1* ORAT 10 20 1* 30 40 /\n/\nTSTEP\n 1 /\nWCONPROD\n P OPEN LRAT 3* 5 1* 100 0 0 /\n/\n"
      "TSTEP\n 1 /\nWCONPROD\n P OPEN RESV 4* 7 /\n/\nTSTEP\n 1 /\nWCONPROD\n P OPEN WRAT 1* 2 /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  const hp_well_control *k = control_at(c, "P", 0.0);
  CHECK(k->control == HP_CONTROL_ORAT && !k->injector && isnan(k->limit[HP_CONTROL_SHUT]));
  CHECK_NEAR(k->limit[HP_CONTROL_ORAT] * DAY, 10.0, 1e-9);
  CHECK_NEAR(k->limit[HP_CONTROL_WRAT] * DAY, 20.0, 1e-9);
  CHECK_NEAR(k->limit[HP_CONTROL_LRAT] * DAY, 30.0, 1e-9);
  CHECK_NEAR(k->limit[HP_CONTROL_RESV] * DAY, 40.0, 1e-9);
  CHECK_NEAR(k->limit[HP_CONTROL_BHP], 1.01325 * BAR, 1e-6);
  k = control_at(c, "P", 1.0 * DAY);
  CHECK(k->control == HP_CONTROL_LRAT && isnan(k->limit[HP_CONTROL_ORAT]) && isnan(k->limit[HP_CONTROL_RESV]));
  CHECK_NEAR(k->limit[HP_CONTROL_BHP], 100.0 * BAR, 1e-6);
  k = control_at(c, "P", 2.0 * DAY);
  CHECK(k->control == HP_CONTROL_RESV);
  CHECK_NEAR(k->limit[HP_CONTROL_RESV] * DAY, 7.0, 1e-9);
  CHECK(control_at(c, "P", 3.0 * DAY)->control == HP_CONTROL_WRAT);
  /* The injector has no control: shut from the start. */
  CHECK(control_at(c, "I", 4.0 * DAY)->control == HP_CONTROL_SHUT && c->nevent == 5);
  hp_case_destroy(&c);
}

static void test_injectors(void) {
  hp_case *c = schedule(
      TWO_WELLS
      "WCONINJE\n I WAT OPEN RATE 50 60 /\n/\nTSTEP\n 1 /\nWCONINJE\n I OIL 1* RATE 5 1* 300 /\n/\n"
      "TSTEP\n 1 /\nWCONINJE\n I WATER OPEN RESV 1* 8 300 /\n/\nTSTEP\n 1 /\nWCONINJE\n I WATER OPEN BHP 2* 350 /\n/\n"
      "TSTEP\n 1 /\n");
  if (c == NULL) return;
  const hp_well_control *k = control_at(c, "I", 0.0);
  CHECK(k->control == HP_CONTROL_WRAT && k->injector && k->phase == HP_WATER && isnan(k->limit[HP_CONTROL_ORAT]));
  CHECK_NEAR(k->limit[HP_CONTROL_WRAT] * DAY, 50.0, 1e-9);
  CHECK_NEAR(k->limit[HP_CONTROL_RESV] * DAY, 60.0, 1e-9);
  CHECK_NEAR(k->limit[HP_CONTROL_BHP], 6895.0 * BAR, 1e-3);
  k = control_at(c, "I", 1.0 * DAY);
  CHECK(k->control == HP_CONTROL_ORAT && k->phase == HP_OIL && isnan(k->limit[HP_CONTROL_WRAT]));
  CHECK_NEAR(k->limit[HP_CONTROL_ORAT] * DAY, 5.0, 1e-9);
  CHECK(control_at(c, "I", 2.0 * DAY)->control == HP_CONTROL_RESV);
  k = control_at(c, "I", 3.0 * DAY);
  CHECK(k->control == HP_CONTROL_BHP && isnan(k->limit[HP_CONTROL_WRAT]));
  CHECK_NEAR(k->limit[HP_CONTROL_BHP], 350.0 * BAR, 1e-3);
  hp_case_destroy(&c);
}

/* Without crossflow it is shut; economic limits are none while it is stopped, and hold again afterwards. */
static void test_stop(void) {
  hp_case *c = schedule(
      TWO_WELLS TWO_CONTROLS
      "WECON\n P 5 /\n/\nTSTEP\n 1 /\nWELOPEN\n P STOP /\n/\nTSTEP\n 1 /\nWEFAC\n P 0.5 /\n/\nTSTEP\n 1 /\n"
      "WELOPEN\n P OPEN /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  for (double day = 1.5; day < 3.0; day += 1.0) {
    const hp_well_control *k = control_at(c, "P", day * DAY);
    CHECK(k->control == HP_CONTROL_LRAT && k->limit[HP_CONTROL_LRAT] == 0.0 && k->min_oil_rate == 0.0);
  }
  const hp_well_control *k = control_at(c, "P", 3.5 * DAY);
  CHECK(k->control == HP_CONTROL_BHP && isnan(k->limit[HP_CONTROL_LRAT]) && k->efficiency == 0.5);
  CHECK_NEAR(k->min_oil_rate * DAY, 5.0, 1e-9);
  hp_case_destroy(&c);
  c = schedule(TWO_WELLS "WELSPECS\n P G 3 1 1* OIL 3* NO /\n/\n" TWO_CONTROLS
                         "TSTEP\n 1 /\nWELOPEN\n P STOP /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  CHECK(control_at(c, "P", 1.5 * DAY)->control == HP_CONTROL_SHUT);
  hp_case_destroy(&c);
}

static void test_open_and_target(void) {
  hp_case *c = schedule(
      TWO_WELLS TWO_CONTROLS
      "TSTEP\n 1 /\nWELOPEN\n P SHUT /\n I STOP /\n/\nTSTEP\n 1 /\n"
      "WELTARG\n P BHP 120 /\n P ORAT 9 /\n I WRAT 33 /\n/\nTSTEP\n 1 /\nWELOPEN\n '*' /\n/\nTSTEP\n 1 /\n"
      "WELTARG\n P BHP 110 /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  CHECK(control_at(c, "P", 0.5 * DAY)->control == HP_CONTROL_BHP);
  CHECK(control_at(c, "P", 1.5 * DAY)->control == HP_CONTROL_SHUT);
  for (double day = 1.5; day < 3.0; day += 1.0) { /* stopped: nothing at the surface, whatever the target */
    const hp_well_control *stopped = control_at(c, "I", day * DAY);
    CHECK(stopped->control == HP_CONTROL_LRAT && stopped->limit[HP_CONTROL_LRAT] == 0.0 && !stopped->injector);
  }
  CHECK(control_at(c, "P", 2.5 * DAY)->control == HP_CONTROL_SHUT); /* a new target opens no well */
  const hp_well_control *k = control_at(c, "P", 3.5 * DAY);
  CHECK(k->control == HP_CONTROL_BHP); /* nor does it change the control */
  CHECK_NEAR(k->limit[HP_CONTROL_BHP], 120.0 * BAR, 1e-3);
  CHECK_NEAR(k->limit[HP_CONTROL_ORAT] * DAY, 9.0, 1e-9);
  k = control_at(c, "I", 3.5 * DAY);
  CHECK(k->control == HP_CONTROL_WRAT);
  CHECK_NEAR(k->limit[HP_CONTROL_WRAT] * DAY, 33.0, 1e-9);
  CHECK_NEAR(control_at(c, "P", 4.5 * DAY)->limit[HP_CONTROL_BHP], 110.0 * BAR, 1e-3);
  hp_case_destroy(&c);

  c = schedule(TWO_WELLS TWO_CONTROLS "TSTEP\n 1 /\nWELCNTL\n P LRAT 8 /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  k = control_at(c, "P", 1.5 * DAY);
  CHECK(k->control == HP_CONTROL_LRAT);
  CHECK_NEAR(k->limit[HP_CONTROL_LRAT] * DAY, 8.0, 1e-9);
  CHECK_NEAR(k->limit[HP_CONTROL_BHP], 150.0 * BAR, 1e-3);
  hp_case_destroy(&c);
}

/* WCONHIST and WCONINJH ask for the rate that item 3 names, or WHISTCTL. */
static void test_history(void) {
  hp_case *c = schedule(
      TWO_WELLS
      "WCONINJH\n I WATER OPEN 50 210 /\n/\nWCONHIST\n P OPEN ORAT 10 20 0 3* 90 /\n/\nTSTEP\n 1 /\n"
      "WCONHIST\n P OPEN LRAT 10 20 /\n/\nTSTEP\n 1 /\nWHISTCTL\n RESV /\nWCONHIST\n P OPEN ORAT 5 6 /\n/\n"
      "TSTEP\n 1 /\nWHISTCTL\n NONE /\nWCONHIST\n P OPEN BHP 5 6 0 3* 90 /\n/\nWELTARG\n I BHP 300 /\n/\n"
      "TSTEP\n 1 /\n");
  if (c == NULL) return;
  const hp_well_control *k = control_at(c, "P", 0.0);
  CHECK(k->control == HP_CONTROL_ORAT && isnan(k->limit[HP_CONTROL_WRAT]) && isnan(k->limit[HP_CONTROL_LRAT]));
  CHECK_NEAR(k->limit[HP_CONTROL_ORAT] * DAY, 10.0, 1e-9);
  CHECK_NEAR(k->limit[HP_CONTROL_BHP], 1.01325 * BAR, 1e-6);
  k = control_at(c, "P", 1.0 * DAY);
  CHECK(k->control == HP_CONTROL_LRAT && !k->by_history);
  CHECK_NEAR(k->limit[HP_CONTROL_LRAT] * DAY, 30.0, 1e-9);
  k = control_at(c, "P", 2.0 * DAY);
  CHECK(k->control == HP_CONTROL_RESV && k->by_history);
  CHECK_NEAR(k->history_oil_rate * DAY, 5.0, 1e-9);
  CHECK_NEAR(k->history_water_rate * DAY, 6.0, 1e-9);
  k = control_at(c, "P", 3.0 * DAY);
  CHECK(k->control == HP_CONTROL_BHP && !k->by_history);
  CHECK_NEAR(k->limit[HP_CONTROL_BHP], 90.0 * BAR, 1e-6);
  k = control_at(c, "I", 0.0);
  CHECK(k->injector && k->control == HP_CONTROL_WRAT);
  CHECK_NEAR(k->limit[HP_CONTROL_WRAT] * DAY, 50.0, 1e-9);
  CHECK_NEAR(k->limit[HP_CONTROL_BHP], 6895.0 * BAR, 1e-3);
  CHECK_NEAR(control_at(c, "I", 3.0 * DAY)->limit[HP_CONTROL_BHP], 300.0 * BAR, 1e-3);
  hp_case_destroy(&c);
}

/* WEFAC and WECON hold through what comes after them. */
static void test_beside(void) {
  hp_case *c = schedule(
      TWO_WELLS
      "WEFAC\n P 0.5 /\n/\n" TWO_CONTROLS
      "TSTEP\n 1 /\nWECON\n 'P' 3 1* 0.9 2* +CON YES 5* 7 /\n/\nWTEST\n 'P' 20 PEc 3 /\n I 0 E /\n/\nTSTEP\n 1 /\n"
      "WCONPROD\n P OPEN ORAT 10 /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  CHECK(control_at(c, "P", 0.0)->efficiency == 0.5 && control_at(c, "P", 0.0)->min_oil_rate == 0.0);
  const hp_well_control *k = control_at(c, "P", 2.0 * DAY);
  CHECK(k->control == HP_CONTROL_ORAT && k->efficiency == 0.5 && k->workover == HP_WORKOVER_BELOW);
  CHECK_NEAR(k->min_oil_rate * DAY, 3.0, 1e-9);
  CHECK_NEAR(k->min_liquid_rate * DAY, 7.0, 1e-9);
  CHECK(k->max_water_cut == 0.9 && k->end_run && k->max_tests == 3.0);
  CHECK_NEAR(k->test_interval, 20.0 * DAY, 1e-6);
  CHECK(control_at(c, "I", 2.0 * DAY)->test_interval > 0.0 && control_at(c, "I", 2.0 * DAY)->max_tests == 0.0);
  CHECK(deck_noted("WTEST: connections that WECON has shut are tested with their well"));
  hp_case_destroy(&c);
}

/* COMPDAT item 7 may name any saturation table, with hysteresis that of the connection's cell and no other. */
static void test_saturation_table(void) {
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nTABDIMS\n 2 /\n";
  d.props =
      "DENSITY\n 800 1000 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\nPVCDO\n 200 1.1 1E-4 2.0 /\nROCK\n 200 5E-5 /\n"
      "SWOF\n 0.2 0 1 0\n 0.8 0.5 0 0 /\n 0.2 0 0.8 0\n 0.8 0.6 0 0 /\n";
  d.regions = "SATNUM\n 6*1 6*2 /\n";
  d.schedule =
      "WELSPECS\n I G 1 1 1* WATER /\n P G 3 2 1* OIL /\n/\nCOMPDAT\n I 2* 1 1 OPEN 1 1* 0.2 /\n"
      " I 2* 2 2 OPEN 2 1* 0.2 /\n P 2* 1 2 OPEN 0 1* 0.2 /\n/\n" TWO_CONTROLS
      "TSTEP\n 1 /\nCOMPDAT\n P 2* 2 2 OPEN 2 1* 0.3 /\n/\nTSTEP\n 1 /\n";
  hp_case *c = deck_case(&d);
  CHECK(c != NULL);
  if (c != NULL) {
    const hp_perf_spec *p = well_of(c, "P")->perf;
    CHECK(well_of(c, "I")->perf[1].table == 2 && p[0].table == 0 && c->fluid.by_perforation);
    CHECK(c->nperf_event == 1 && c->perf_event[0].spec.table == 2);
  }
  hp_case_destroy(&c);
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nTABDIMS\n 2 /\nSATOPTS\n HYSTER /\n";
  static char props[2048];
  snprintf(props, sizeof props, "%sEHYSTR\n 0.1 2 /\n", d.props);
  d.props = props;
  d.schedule = TWO_WELLS TWO_CONTROLS "TSTEP\n 1 /\nCOMPDAT\n P 2* 1 2 OPEN 1 1* 0.3 /\n/\nTSTEP\n 1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " P 2* 1 2 OPEN 1 1* 0.3 /"),
                   "COMPDAT: well P: item 7: saturation table 1, where SATNUM of cell (3,2,2) is 2: with hysteresis"));
  d.regions = "";
  d.schedule =
      "WELSPECS\n P G 3 2 1* OIL /\n/\nCOMPDAT\n P 2* 1 1 OPEN 2 1* 0.2 /\n P 2* 2 2 OPEN 3 1* 0.2 /\n/\n"
      "WCONPROD\n 'P' OPEN BHP 5* 150 /\n/\nTSTEP\n 1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " P 2* 1 1 OPEN 2 1* 0.2 /"), "where SATNUM of cell (3,2,1) is 1"));
  CHECK(deck_fails(&d, deck_line(&d, " P 2* 2 2 OPEN 3 1* 0.2 /"), "item 7: saturation table 3: there are only 2"));
  static char grid[1024];
  snprintf(grid, sizeof grid, "%sACTNUM\n 5*1 0 6*1 /\n", d.grid);
  d.grid = grid;
  d.schedule =
      "WELSPECS\n P G 3 2 1* OIL /\n/\nCOMPDAT\n P 2* 1 1 OPEN 2 1* 0.2 /\n P 2* 2 2 OPEN 1 1* 0.2 /\n/\n"
      "WCONPROD\n 'P' OPEN BHP 5* 150 /\n/\nTSTEP\n 1 /\n";
  c = deck_case(&d); /* a connection in an inactive cell is left out, whatever its table */
  CHECK(c != NULL);
  hp_case_destroy(&c);
}

/* Connections that change: at once before the well has flowed, as events afterwards. */
static void test_changes(void) {
  hp_case *c = schedule(
      "WELSPECS\n P G 3 2 /\n/\nCOMPDAT\n P 2* 2 2 OPEN 2* 0.2 /\n/\n"
      "WELOPEN\n P SHUT 2* 2 /\n/\nWELOPEN\n P OPEN 0 0 0 /\n/\nWCONPROD\n P OPEN BHP 5* 150 /\n/\n"
      "TSTEP\n 1 /\nCOMPDAT\n P 2* 1 2 OPEN 2* 0.4 /\n/\nTSTEP\n 1 /\nWPIMULT\n P 0.5 /\n P 2 2* 1 /\n/\n"
      "TSTEP\n 1 /\nWELOPEN\n P SHUT 3 1* 2 /\n/\nTSTEP\n 1 /\nWPIMULT\n P 3 /\n/\n");
  if (c == NULL) return;
  const hp_well_spec *p = well_of(c, "P");
  CHECK(p->nperf == 2 && p->perf[0].k == 0 && p->perf[0].later && !p->perf[0].open && p->perf[1].open);
  CHECK_NEAR(p->ref_depth, 2015.0, 1e-9); /* of the connection that is there first */
  CHECK(c->nperf_event == 5 && deck_noted("1 change of perforations from this one on has no effect"));
  const hp_perf_event *v = c->perf_event;
  CHECK(v[0].time == DAY && v[0].anew && v[0].state == HP_PERF_OPEN && v[0].first[2] == 0 && v[0].last[2] == 0);
  CHECK(v[1].anew && v[1].first[2] == 1 && v[1].spec.radius == 0.2);
  CHECK(v[2].multiply == 0.5 && v[2].state == HP_PERF_KEEP && v[3].multiply == 2.0 && v[3].last[2] == 0);
  CHECK(v[4].time == 3.0 * DAY && v[4].state == HP_PERF_SHUT && v[4].first[0] == 2 && v[4].first[2] == 1);

  hp_wells *W = NULL;
  CHECK(hp_wells_create(c->grid, c->nwell, c->well, &W) == HP_OK);
  if (W != NULL) {
    hp_wells_set_control(W, 0, control_at(c, "P", 0.0));
    const double first = W->wi[1];
    CHECK(W->wi[0] == 0.0 && first > 0.0 && W->mode[0] == HP_CONTROL_BHP);
    for (int n = 0; n < 2; ++n) CHECK(hp_wells_change(W, c->grid, &v[n]) == HP_OK);
    const double thick = W->wi[1];
    CHECK(thick > first && W->wi[0] == thick); /* a wider bore */
    for (int n = 2; n < 4; ++n) CHECK(hp_wells_change(W, c->grid, &v[n]) == HP_OK);
    CHECK(W->wi[0] == thick && W->wi[1] == 0.5 * thick);
    hp_perf_event shut = v[4];
    shut.first[0] = shut.first[2] = 0;
    CHECK(hp_wells_change(W, c->grid, &shut) == HP_OK && W->wi[0] == 0.0 && W->wi[1] == 0.0);
    CHECK(W->mode[0] == HP_CONTROL_SHUT); /* nothing is open */
    CHECK(hp_wells_change(W, c->grid, &v[0]) == HP_OK && W->wi[0] == thick && W->mode[0] == HP_CONTROL_BHP);
  }
  hp_wells_destroy(&W);
  hp_case_destroy(&c);
}

static void test_names(void) {
  hp_case *c = schedule(
      "WELSPECS\n P1 G 1 1 /\n P2 G 2 1 /\n Q12 G 3 1 /\n/\nCOMPDAT\n '*' 2* 1 1 OPEN 2* 0.2 /\n P1 "
      "2* 2 2 OPEN 2* .2 /\n/\n"
      "WLIST\n '*L' NEW P1 Q12 /\n '*L' ADD 'P*' /\n '*L' DEL P1 /\n/\n"
      "WCONPROD\n 'P?' OPEN BHP 5* 100 /\n '\\*2' OPEN BHP 5* 90 /\n/\nTSTEP\n 1 /\nWELOPEN\n '*L' "
      "SHUT /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  CHECK(well_of(c, "P1")->nperf == 2 && well_of(c, "Q12")->nperf == 1);
  CHECK_NEAR(control_at(c, "P1", 0.0)->limit[HP_CONTROL_BHP], 100.0 * BAR, 1e-3);
  CHECK_NEAR(control_at(c, "P2", 0.0)->limit[HP_CONTROL_BHP], 90.0 * BAR, 1e-3);
  CHECK_NEAR(control_at(c, "Q12", 0.0)->limit[HP_CONTROL_BHP], 90.0 * BAR, 1e-3);
  CHECK(control_at(c, "P1", 1.5 * DAY)->control == HP_CONTROL_BHP);
  CHECK(control_at(c, "P2", 1.5 * DAY)->control == HP_CONTROL_SHUT &&
        control_at(c, "Q12", 1.5 * DAY)->control == HP_CONTROL_SHUT);
  CHECK(c->nevent == 5); /* two words about P2 at the same time are one event */
  hp_case_destroy(&c);
}

static void test_lists(void) {
  hp_case *c = schedule(
      "WELSPECS\n P1 G 1 1 /\n P2 G 2 1 /\n P3 G 3 1 /\n/\nWLIST\n '*AB' NEW 'P*' /\n '*AC' NEW /\n '*AC' MOV P2 P3 "
      "/\n/\n"
      "COMPDAT\n '*A?' 2* 1 1 OPEN 2* 0.2 /\n/\nWCONPROD\n '*A*' OPEN BHP 5* 100 /\n '*AB' OPEN BHP 5* 90 "
      "/\n/\nTSTEP\n 1 /\n"
      "WLIST\n '*AC' NEW '*AC' /\n '*AC' DEL P3 /\n '*AB' MOV P3 /\n '*AD' NEW 'Q*' /\n/\n"
      "WELTARG\n '*AC' BHP 80 /\n '*AB' BHP 70 /\n '*AD' BHP 60 /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  CHECK(deck_noted("no well is meant by 'Q*'"));
  static const double first[] = {90.0, 100.0, 100.0}, second[] = {70.0, 80.0, 70.0};
  static const char *const name[] = {"P1", "P2", "P3"};
  for (int n = 0; n < 3; ++n) {
    CHECK(well_of(c, name[n])->nperf == 1);
    CHECK_NEAR(control_at(c, name[n], 0.0)->limit[HP_CONTROL_BHP], first[n] * BAR, 1e-3);
    CHECK_NEAR(control_at(c, name[n], 1.5 * DAY)->limit[HP_CONTROL_BHP], second[n] * BAR, 1e-3);
  }
  hp_case_destroy(&c);
}

/* The cells of three connections, and what changes at a time make of them; state: "osk" of open, shut, kept. */
static const int connected[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};

static bool changes_are(const hp_case *c, double time, const char *state, const double *times) {
  double factor[3] = {1.0, 1.0, 1.0};
  char is[4] = "kkk";
  for (int n = 0; n < c->nperf_event; ++n)
    for (int q = 0; c->perf_event[n].time == time && q < 3; ++q) {
      const hp_perf_event *v = &c->perf_event[n];
      if (!hp_perf_event_covers(v, connected[q])) continue;
      factor[q] *= v->multiply;
      if (v->state != HP_PERF_KEEP) is[q] = v->state == HP_PERF_OPEN ? 'o' : 's';
    }
  return strcmp(is, state) == 0 && memcmp(factor, times, sizeof factor) == 0;
}

/* Connections are numbered 2, 3, 1 by their order in COMPDAT, and 2, 3, 3 by COMPLUMP. */
static void test_completions(void) {
  hp_case *c = schedule(
      "WELSPECS\n P G 1 1 /\n/\nCOMPDAT\n P 1 1 2 2 OPEN 2* 0.2 /\n P 1 1 1 1 OPEN 2* 0.2 /\n P 2 1 1 1 OPEN 2* 0.2 "
      "/\n/\n"
      "WELOPEN\n P SHUT 3* 2 2 /\n/\nWCONPROD\n P OPEN BHP 5* 100 /\n/\nTSTEP\n 1 /\n"
      "WELOPEN\n P SHUT 3* 1 1 /\n P OPEN 3* 2 /\n/\nWPIMULT\n P 2 4* 2 /\n P 3 3* 3 /\n/\nTSTEP\n 1 /\n"
      "WPIMULT\n P 9 3* 8 /\n/\nCOMPLUMP\n P 1 1 2 2 3 /\n/\nWELOPEN\n P SHUT 3* 3 3 /\n/\nTSTEP\n 1 /\n"
      "COMPDAT\n P 2 1 1 1 OPEN 2* 0.3 /\n/\nWPIMULT\n P 4 3* 3 3 /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  CHECK(deck_noted("WPIMULT: well P has no such connection"));
  const hp_well_spec *w = well_of(c, "P");
  CHECK(w->nperf == 3 && w->perf[0].open && !w->perf[1].open && w->perf[2].open);
  CHECK(changes_are(c, DAY, "oos", (const double[]){2.0, 3.0, 2.0}));
  CHECK(changes_are(c, 2 * DAY, "kss", (const double[]){1.0, 1.0, 1.0}));
  CHECK(changes_are(c, 3 * DAY, "kok", (const double[]){1.0, 4.0, 4.0}));
  int numbers = 0; /* of all three when COMPLUMP comes, of one when it is connected anew */
  for (int n = 0; n < c->nperf_event; ++n) {
    const hp_perf_event *v = &c->perf_event[n];
    if (v->completion == 0) continue;
    CHECK(hp_perf_event_only_numbers(v));
    CHECK(v->completion == (hp_perf_event_covers(v, connected[0]) ? 2 : 3));
    numbers += 1;
  }
  CHECK(numbers == 4);
  hp_case_destroy(&c);
}

static void test_later_wells(void) {
  hp_case *c = schedule(
      TWO_WELLS TWO_CONTROLS
      "TSTEP\n 10 /\nWELSPECS\n LATE G 2 2 /\n NEVER G 2 1 /\n/\nCOMPDAT\n LATE 2* 1 2 OPEN 2* .2 /\n/\n"
      "WCONINJE\n LATE WATER SHUT RATE 5 /\n/\nTSTEP\n 5 /\nCOMPDAT\n LATE 2* 1 1 OPEN 2* .4 /\n/\nWELOPEN\n "
      "LATE OPEN /\n/\n"
      "TSTEP\n 5 /\nWELOPEN\n P SHUT /\n/\n");
  if (c == NULL) return;
  CHECK(c->nwell == 3 && deck_noted("well NEVER has no connections and never opens"));
  CHECK(deck_noted("1 well control from this one on has no effect: the last report step ends at 20 day"));
  CHECK(c->event[0].time == 0.0 && control_at(c, "LATE", 0.0)->control == HP_CONTROL_SHUT &&
        control_at(c, "LATE", 0.0)->injector);
  CHECK(control_at(c, "LATE", 10.5 * DAY)->control == HP_CONTROL_SHUT);
  CHECK(control_at(c, "LATE", 15.0 * DAY)->control == HP_CONTROL_WRAT && well_of(c, "LATE")->perf[0].radius == 0.2);
  for (int n = 1; n < c->nevent; ++n) CHECK(c->event[n].time >= c->event[n - 1].time);
  for (int n = 0; n < c->nevent; ++n) CHECK(c->event[n].file != NULL && c->event[n].line > 0);
  hp_case_destroy(&c);
}

static void test_inactive_connections(void) {
  deck d = deck_base();
  static char grid[2048];
  snprintf(grid, sizeof grid, "%sACTNUM\n 0 11*1 /\n", d.grid);
  d.grid = grid;
  hp_case *c = deck_case(&d);
  if (c != NULL) {
    CHECK(well_of(c, "I")->nperf == 1 && well_of(c, "I")->perf[0].k == 1);
    CHECK(deck_noted("well I: 1 connection in inactive cells left out, the first in cell (1,1,1)"));
  }
  hp_case_destroy(&c);
  snprintf(grid, sizeof grid, "%sEQUALS\n ACTNUM 0 1 1 1 1 /\n/\n", deck_base().grid);
  CHECK(deck_fails(&d, deck_line(&d, " 'I' 'G' 1 1 1* WATER /"), "well I opens, but has no open connection"));
}

static void test_dates(void) {
  hp_case *c = schedule(TWO_WELLS TWO_CONTROLS
                        "TSTEP\n 2*0.5 29/\nDATES\n 1 'FEB' 2020 /\n 29 feb 2020 12:00:00 /\n/\n"
                        "DATES\n 1 JUIN 2020 /\n 1 JLY 2020 /\n 1 aout 2020 /\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  const double expected[] = {0.5, 1, 30, 31, 59.5, 152, 182, 213, 214};
  CHECK(c->nreport == 9);
  for (int n = 0; n < 9 && n < c->nreport; ++n) CHECK_NEAR(c->report[n] / DAY, expected[n], 1e-9);
  hp_case_destroy(&c);
}

/* Parts of a second of START are where dates count from, here and in files. */
static void test_start(void) {
  deck d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nSTART\n 29 FEB 2024 06:30:00.25 /\n";
  d.schedule = TWO_WELLS TWO_CONTROLS "DATES\n 29 FEB 2024 06:30:01 /\n/\n";
  hp_case *c = deck_case(&d);
  if (c == NULL) return;
  CHECK(strcmp(c->start, "2024-02-29T06:30:00.25") == 0 && c->nreport == 1);
  CHECK_NEAR(c->report[0], 0.75, 1e-9);
  hp_case_destroy(&c);
}

static void test_tuning(void) {
  hp_case *c = schedule(TWO_WELLS TWO_CONTROLS
                        "TUNING\n0.1 30 0.01 1* 2.5 1* 0.25 /\n/\n 12 2 250 1* 25 /\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  CHECK_NEAR(c->timestep.initial, 0.1 * DAY, 1e-9);
  CHECK_NEAR(c->timestep.max, 30.0 * DAY, 1e-6);
  CHECK_NEAR(c->timestep.min, 0.01 * DAY, 1e-9);
  CHECK(c->timestep.growth == 2.5 && c->timestep.cut == 0.25);
  CHECK(c->newton.max_iterations == 12 && c->newton.min_iterations == 2 && deck_noted("TUNING: taken:"));
  hp_case_destroy(&c);
  hp_case base;
  memset(&base, 0, sizeof base);
  hp_config_defaults(&base);
  c = schedule(TWO_WELLS TWO_CONTROLS "TUNING\n /\n /\n /\nTSTEP\n 1 /\nTUNING\n/\nTSTEP\n 1 /\n");
  if (c == NULL) return;
  CHECK(c->timestep.initial == base.timestep.initial && c->timestep.max == base.timestep.max);
  CHECK(c->newton.max_iterations == base.newton.max_iterations && c->nreport == 2);
  hp_case_destroy(&c);
}

/* NEXTSTEP: the next step alone, or the first one of every report step until another one. */
static void test_nextstep(void) {
  hp_case *c = schedule(
      TWO_WELLS TWO_CONTROLS
      "NEXTSTEP\n 0.5 YES /\nTSTEP\n 5 10 /\nTUNING\n 1* 4 /\n/\n/\nNEXTSTEP\n 0.25 /\nTSTEP\n 2*5 /\n");
  if (c == NULL) return;
  CHECK_NEAR(c->timestep.initial, 0.5 * DAY, 1e-9);
  CHECK(c->ntuning == 2);
  if (c->ntuning == 2) {
    CHECK_NEAR(c->tuning[0].time, 5.0 * DAY, 1e-9);
    CHECK_NEAR(c->tuning[0].initial, 0.5 * DAY, 1e-9);
    CHECK_NEAR(c->tuning[1].time, 15.0 * DAY, 1e-9);
    CHECK_NEAR(c->tuning[1].initial, 0.25 * DAY, 1e-9);
    CHECK_NEAR(c->tuning[1].max, 4.0 * DAY, 1e-9);
  }
  hp_case_destroy(&c);
}

/* TUNING behind the first step: events. What it leaves out stays; the last word at a time counts. */
static void test_tuning_later(void) {
  hp_case *c = schedule(TWO_WELLS TWO_CONTROLS
                        "TUNING\n 1 30 0.1 /\n/\n/\nTSTEP\n 1 /\n"
                        "TUNING\n 0.5 8 2* 2 1* 0.2 /\n 1* 5 /\n 20 /\nTSTEP\n 1 /\n"
                        "TUNING\n/\n/\n/\nTUNING\n 1* 4 0.2 /\nTUNING\n 3* /\n/\n 1* 15 /\nTSTEP\n 1 /\n"
                        "TUNING\n 1 /\n/\n/\n");
  if (c == NULL) return;
  CHECK_NEAR(c->timestep.max, 30.0 * DAY, 1e-6);
  CHECK(c->ntuning == 2); /* the one behind the end is dropped */
  if (c->ntuning == 2) {
    const hp_tuning *t = c->tuning;
    CHECK_NEAR(t[0].time, DAY, 1e-9);
    CHECK_NEAR(t[0].initial, 0.5 * DAY, 1e-9);
    CHECK_NEAR(t[0].max, 8.0 * DAY, 1e-9);
    CHECK(isnan(t[0].min) && t[0].growth == 2.0 && t[0].cut == 0.2);
    CHECK(t[0].max_iterations == 20 && t[0].min_iterations == -1 && deck_noted("TUNING: taken:"));
    CHECK_NEAR(t[1].time, 2.0 * DAY, 1e-9);
    CHECK_NEAR(t[1].max, 4.0 * DAY, 1e-9);
    CHECK_NEAR(t[1].min, 0.2 * DAY, 1e-9);
    CHECK(isnan(t[1].initial) && isnan(t[1].growth) && t[1].max_iterations == -1 && t[1].min_iterations == 15);
  }
  hp_case_destroy(&c);
  hp_timestep_options step = {.initial = 1.0, .max = 10.0, .min = 1.0, .growth = 3.0, .cut = 0.5};
  hp_newton_options newton = {.max_iterations = 12, .min_iterations = 2};
  hp_tuning t = hp_tuning_nothing();
  hp_tuning_apply(&t, &step, &newton);
  CHECK(step.max == 10.0 && step.min == 1.0 && step.growth == 3.0 && step.cut == 0.5 && step.initial == 1.0);
  CHECK(newton.max_iterations == 12 && newton.min_iterations == 2);
  t = (hp_tuning){
      .initial = 5.0, .max = 0.5, .min = NAN, .growth = 2.0, .cut = 0.25, .max_iterations = 1, .min_iterations = -1};
  hp_tuning_apply(&t, &step, &newton);
  CHECK(step.max == 0.5 && step.min == 0.5 && step.growth == 2.0 && step.cut == 0.25 && step.initial == 1.0);
  CHECK(newton.max_iterations == 1 && newton.min_iterations == 1);
  t = hp_tuning_nothing();
  t.min = 2.0;
  t.min_iterations = 3;
  hp_tuning_apply(&t, &step, &newton);
  CHECK(step.max == 2.0 && step.min == 2.0 && newton.max_iterations == 3 && newton.min_iterations == 3);
}

/* Items 12 to 17 of WELSPECS: only the density says something. */
static void test_last_items(void) {
  hp_case *c = schedule(
      "WELSPECS\n I G 1 1 1* WATER 0 STD SHUT YES 0 SEG 3 1* 1* STD 2 /\n P G 3 2 1* OIL 5* AVG /\n/\n"
      "COMPDAT\n I 2* 1 2 OPEN 2* 0.2 /\n P 2* 1 2 OPEN 2* 0.2 /\n/\n" TWO_CONTROLS "TSTEP\n 1 /\n");
  CHECK(c != NULL && c->nwell == 2 && c->well[0].crossflow);
  CHECK(deck_noted("well P: item 12: AVG is taken as SEG") && strstr(deck_messages, "well I: item") == NULL);
  hp_case_destroy(&c);
}

/* Habits that other programs take: months of other languages, AUTO, no diameter, a head that moves, a control by WELTARG,
 * COMPORD where it changes nothing, gradients of a run without them, lists without their last '/'. */
static void test_habits(void) {
  hp_case *c = schedule(TWO_WELLS
                        "COMPORD\n P TRACK /\n I INPUT /\n/\nWCONINJE\n I WATER AUTO RATE 50 1* 400 /\n/\n"
                        "WCONPROD\n P SHUT 6* 100 /\n/\nGRADRFT\n PRESSURE /\n SWAT /\n/\n"
                        "DATES\n 1 MAI 2020 /\nWELOPEN\n P OPEN /\n/\nWELTARG\n P ORAT 50 /\n P WRAT 90 /\n/\n"
                        "WELSPECS\n P G 2 1 1* OIL /\n/\nCOMPDAT\n P 2 1 2 2 /\n P 2* 2 2 AUTO 2* 0.2 /\n/\n"
                        "DATES\n 1 okt 2020 /\n 1 'DEZ' 2020 /\n 1 FEV 2021 /\n/\n");
  if (c == NULL) return;
  CHECK(c->nreport == 4 && c->report[0] == 121.0 * DAY && c->report[1] == 274.0 * DAY && c->report[3] == 397.0 * DAY);
  CHECK(control_at(c, "I", 0.0)->control == HP_CONTROL_WRAT && deck_noted("well I: AUTO is taken as OPEN"));
  CHECK(control_at(c, "P", 0.0)->control == HP_CONTROL_SHUT);
  const hp_well_control *p = control_at(c, "P", 121.0 * DAY);
  CHECK(p->control == HP_CONTROL_ORAT && p->limit[HP_CONTROL_BHP] == 100.0 * BAR);
  CHECK_NEAR(p->limit[HP_CONTROL_ORAT] * DAY, 50.0, 1e-9);
  CHECK_NEAR(p->limit[HP_CONTROL_WRAT] * DAY, 90.0, 1e-9);
  const hp_well_spec *w = well_of(c, "P");
  CHECK(w->nperf == 3 && w->head_i == 1 && w->head_j == 0 && w->perf[0].i == 2 && w->perf[2].i == 1);
  CHECK(w->perf[2].radius == 0.1524 && deck_noted("item 9 (wellbore diameter) is left out: 1 ft"));
  CHECK(!w->perf[1].open_last && deck_noted("the head of its first connections, (3,2), as in OPM Flow"));
  CHECK(deck_noted("DATES: WELOPEN follows: the '/' that ends the records is missing"));
  hp_case_destroy(&c);
  c = schedule(TWO_WELLS "NOSIM\n" TWO_CONTROLS "TSTEP\n 1 /\n");
  CHECK(c != NULL && c->no_simulation && deck_noted("NOSIM: nothing is simulated"));
  hp_case_destroy(&c);
}

int main(void) {
  test_habits();
  test_specs();
  test_last_items();
  test_producers();
  test_injectors();
  test_stop();
  test_open_and_target();
  test_history();
  test_beside();
  test_saturation_table();
  test_changes();
  test_names();
  test_lists();
  test_completions();
  test_later_wells();
  test_inactive_connections();
  test_dates();
  test_start();
  test_tuning();
  test_nextstep();
  test_tuning_later();
  return deck_end();
}
