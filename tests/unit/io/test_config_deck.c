/* A whole deck, in field units, and the SI numbers it must become. */
#define _POSIX_C_SOURCE 200809L
#include "io/config/config.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/deck_base.h"

static const double PSI = 6894.757293168, FT = 0.3048, BBL = 0.158987294928, DAY = 86400.0, MD = 9.869232667160e-16;

static const char deck[] =
    "\xEF\xBB\xBF# begins with a byte order mark\n"
    "title = \"all of it\"; units = \"field\"; start = \"2026-02-28T06:00:00\";\n"
    "grid = { size = [3, 2, 2]; dx = 100.0; dy = 200; dz = [10.0, 20.0]; top = 5000; porosity = [0.25, 0.15];\n"
    "  permx = 50.0; permz = 5.0; ntg = 0.8; multx = 0.5; multpv = 2.0; minpv = 10.0; };\n"
    "@include \"fluids.cfg\"\n"
    "saturation = { model = \"table\"; table = ( (0.2, 0, 1, 5), [0.5, 0.1, 0.4, 2.0], (0.8, 0.5, 0, 0) ); };\n"
    "rock = { reference_pressure = 3000.0; compressibility = 4e-6; };\n"
    "initial = { datum_depth = 5000.0; datum_pressure = 3000.0; contact_depth = 5025.0;\n"
    "  contact_capillary_pressure = 1.0; accuracy = -10; };\n"
    "wells = (\n"
    "  { name = \"INJ\"; type = \"injector\"; phase = \"water\"; i = 1; j = 1; k = 2; diameter = 0.6; skin = -1.5;\n"
    "    control = \"rate\"; rate = 1000.0; bhp = 6000.0; reservoir_rate = 2000.0; },\n"
    "  { name = \"HOR\"; type = \"producer\"; cells = ( (1, 2, 2, \"x\"), (2, 2, 2, \"x\"), [3, 2, 1] );\n"
    "    radius = 0.25; kh = 500.0; reference_depth = 5010.0; crossflow = false; control = \"liquid-rate\";\n"
    "    liquid_rate = 900.0; },\n"
    "  { name = \"DEV\"; type = \"producer\"; path = ( [210.0, 50.0, 5000.0], [290.0, 60.0, 5030.0] ); radius = 0.3;\n"
    "    skin = 2.0; status = \"shut\"; control = \"bhp\"; bhp = 2000.0; } );\n"
    "schedule = (\n"
    "  { time = 60.0; well = (\"DEV\", \"H*\"); status = \"open\"; oil_rate = 100.0; },\n"
    "  { time = 30.0; well = \"?OR\"; control = \"bhp\"; bhp = 1500.0; },\n"
    "  { time = 90.0; well = \"*\"; control = \"shut\"; },\n"
    "  { time = 95.0; well = \"INJ\"; status = \"open\"; reservoir_rate = \"none\"; },\n"
    "  { time = 95.0; well = \"HOR\"; type = \"injector\"; phase = \"oil\"; control = \"rate\"; rate = 10.0; } );\n"
    "report = { times = [10.0, 50.0, 100.0]; };\n"
    "timestep = { initial = 0.1; max = 30; };\n"
    "linear = { method = \"gmres\"; preconditioner = \"block-jacobi\"; };\n"
    "output = { name = \"out/run\"; interval = 50.0; };\n";

static const char fluids[] =
    "fluids = { water = { density = 64.0; reference_pressure = 3000.0; formation_volume_factor = 1.02;\n"
    "    compressibility = 3e-6; viscosity = 0.4; viscosibility = 1e-6; };\n"
    "  oil = { density = 50.0; table = ( [1000.0, 1.2, 1.0], [4000.0, 1.1, 1.5] ); }; };\n";

static void check_grid(const hp_case *c) {
  const hp_grid *g = c->grid;
  const int64_t m = hp_grid_cell(g, 1, 1, 1);
  CHECK(strcmp(c->title, "all of it") == 0 && strcmp(c->start, "2026-02-28T06:00:00") == 0);
  CHECK(c->units.system == HP_UNITS_FIELD);
  CHECK(g->nx == 3 && g->ny == 2 && g->nz == 2 && g->nactive == 12 && c->rectilinear);
  CHECK_NEAR(g->dx[m], 100.0 * FT, 1e-12);
  CHECK_NEAR(g->dy[m], 200.0 * FT, 1e-12);
  CHECK_NEAR(g->dz[m], 20.0 * FT, 1e-12);
  CHECK_NEAR(g->depth[m], 5020.0 * FT, 1e-9);
  CHECK_NEAR(g->perm[HP_DIR_J][m], 50.0 * MD, 1e-27);
  CHECK_NEAR(g->perm[HP_DIR_K][m], 5.0 * MD, 1e-27);
  CHECK_NEAR(g->pore_volume[m], 2.0 * 0.15 * 0.8 * 100.0 * 200.0 * 20.0 * FT * FT * FT, 1e-6);
  /* two equal halves in series: K ntg A / dx, times MULTX */
  CHECK_NEAR(g->trans[HP_DIR_I][hp_grid_cell(g, 0, 0, 0)], 0.5 * 50.0 * MD * 0.8 * 200.0 * 10.0 * FT / 100.0, 1e-24);
  CHECK_NEAR(c->minpv, 10.0 * BBL, 1e-12);
  CHECK_NEAR(c->z[2], 5030.0 * FT, 1e-9);
  CHECK_NEAR(c->top[0], 5000.0 * FT, 1e-9);
}

static void check_fluid(const hp_case *c) {
  const hp_pvt_spec *w = &c->fluid.pvt[0][HP_WATER], *o = &c->fluid.pvt[0][HP_OIL];
  const hp_sat_spec *s = &c->fluid.sat[0];
  CHECK_NEAR(w->density, 64.0 * 16.01846337, 1e-9);
  CHECK_NEAR(w->p_ref, 3000.0 * PSI, 1e-6);
  CHECK(w->b_ref == 1.02 && w->rows == 0);
  CHECK_NEAR(w->compressibility, 3e-6 / PSI, 1e-22);
  CHECK_NEAR(w->viscosity, 0.4e-3, 1e-15);
  CHECK_NEAR(w->viscosibility, 1e-6 / PSI, 1e-22);
  CHECK(o->rows == 2 && o->b[1] == 1.1);
  CHECK_NEAR(o->p[1], 4000.0 * PSI, 1e-6);
  CHECK_NEAR(o->mu[1], 1.5e-3, 1e-15);
  CHECK(s->model == HP_SAT_TABLE && s->rows == 3 && s->s[1] == 0.5 && s->krw[1] == 0.1 && s->kro[1] == 0.4);
  CHECK_NEAR(s->pc[0], 5.0 * PSI, 1e-9);
  CHECK_NEAR(c->fluid.rock[0].p_ref, 3000.0 * PSI, 1e-6);
  CHECK_NEAR(c->fluid.rock[0].compressibility, 4e-6 / PSI, 1e-22);
  CHECK(c->initial.nregion == 1 && c->initial.region[0].accuracy == -10);
  CHECK_NEAR(c->initial.region[0].datum_pressure, 3000.0 * PSI, 1e-6);
  CHECK_NEAR(c->initial.region[0].contact_depth, 5025.0 * FT, 1e-9);
  CHECK_NEAR(c->initial.region[0].contact_pc, PSI, 1e-9);
}

static void check_wells(const hp_case *c) {
  const hp_well_spec *inj = &c->well[0], *hor = &c->well[1], *dev = &c->well[2];
  CHECK(c->nwell == 3 && inj->nperf == 1 && hor->nperf == 3 && dev->nperf == 0 && dev->npath == 2);
  CHECK(inj->perf[0].i == 0 && inj->perf[0].j == 0 && inj->perf[0].k == 1 && inj->perf[0].dir == HP_DIR_K);
  CHECK_NEAR(inj->perf[0].radius, 0.3 * FT, 1e-12);
  CHECK(inj->perf[0].skin == -1.5 && isnan(inj->perf[0].kh) && isnan(inj->perf[0].transmissibility));
  CHECK(inj->perf[0].open && isnan(inj->perf[0].r0) && isnan(inj->perf[0].length[0]));
  CHECK(isnan(inj->ref_depth) && inj->crossflow && inj->head_i == 0 && inj->head_j == 0 && inj->line == 11);
  CHECK(hor->perf[1].dir == HP_DIR_I && hor->perf[1].i == 1 && hor->perf[2].dir == HP_DIR_K && hor->perf[2].k == 0);
  CHECK_NEAR(hor->perf[0].kh, 500.0 * MD * FT, 1e-25);
  CHECK_NEAR(hor->ref_depth, 5010.0 * FT, 1e-9);
  CHECK(!hor->crossflow && hor->perf[0].skin == 0.0);
  CHECK_NEAR(dev->path[1][0], 290.0 * FT, 1e-9);
  CHECK_NEAR(dev->path[1][2], 5030.0 * FT, 1e-9);
  CHECK_NEAR(dev->path_radius, 0.3 * FT, 1e-12);
  CHECK(dev->path_skin == 2.0);
}

static const hp_well_event *event_at(const hp_case *c, double days, int well) {
  for (int n = 0; n < c->nevent; ++n)
    if (c->event[n].well == well && fabs(c->event[n].time - days * DAY) < 1.0) return &c->event[n];
  return NULL;
}

static void check_events(const hp_case *c) {
  const double stb = BBL / DAY;
  for (int n = 1; n < c->nevent; ++n) CHECK(c->event[n].time >= c->event[n - 1].time);
  CHECK(c->nevent == 3 + 1 + 2 + 3 + 2);
  const hp_well_control *a = &event_at(c, 0.0, 0)->control;
  CHECK(a->injector && a->phase == HP_WATER && a->control == HP_CONTROL_WRAT && isnan(a->limit[HP_CONTROL_ORAT]));
  CHECK_NEAR(a->limit[HP_CONTROL_WRAT], 1000.0 * stb, 1e-12);
  CHECK_NEAR(a->limit[HP_CONTROL_RESV], 2000.0 * stb, 1e-12);
  CHECK_NEAR(a->limit[HP_CONTROL_BHP], 6000.0 * PSI, 1e-6);
  a = &event_at(c, 0.0, 1)->control;
  CHECK(!a->injector && a->control == HP_CONTROL_LRAT);
  CHECK_NEAR(a->limit[HP_CONTROL_BHP], 1.01325e5, 1e-9); /* Eclipse's default, whatever the units */
  a = &event_at(c, 0.0, 2)->control;
  CHECK(a->control == HP_CONTROL_SHUT);
  a = &event_at(c, 30.0, 1)->control; /* entries are sorted by time */
  CHECK(a->control == HP_CONTROL_BHP);
  CHECK_NEAR(a->limit[HP_CONTROL_LRAT], 900.0 * stb, 1e-12); /* unsaid: stays as a limit */
  a = &event_at(c, 60.0, 2)->control;                        /* opens with the control it was given */
  CHECK(a->control == HP_CONTROL_BHP);
  CHECK_NEAR(a->limit[HP_CONTROL_BHP], 2000.0 * PSI, 1e-6);
  CHECK_NEAR(a->limit[HP_CONTROL_ORAT], 100.0 * stb, 1e-12);
  for (int w = 0; w < 3; ++w) CHECK(event_at(c, 90.0, w)->control.control == HP_CONTROL_SHUT);
  a = &event_at(c, 95.0, 0)->control;
  CHECK(a->control == HP_CONTROL_WRAT && isnan(a->limit[HP_CONTROL_RESV]));
  a = &event_at(c, 95.0, 1)->control; /* another job: old limits are gone */
  CHECK(a->injector && a->phase == HP_OIL && a->control == HP_CONTROL_ORAT && isnan(a->limit[HP_CONTROL_LRAT]));
  CHECK_NEAR(a->limit[HP_CONTROL_BHP], 6895e5, 1e-3);
}

static void check_options(const hp_case *c) {
  CHECK(c->nreport == 3);
  CHECK_NEAR(c->report[2], 100.0 * DAY, 1e-6);
  CHECK_NEAR(c->timestep.initial, 0.1 * DAY, 1e-9);
  CHECK_NEAR(c->timestep.max, 30.0 * DAY, 1e-6);
  CHECK_NEAR(c->timestep.min, 1e-4 * DAY, 1e-12);
  CHECK(c->timestep.max_cuts == 20 && c->newton.max_iterations == 12 && c->newton.tolerance_mb == 1e-7);
  CHECK(c->linear.method == HP_KRYLOV_GMRES && c->linear.preconditioner == HP_PRECOND_BLOCK_JACOBI);
  CHECK(c->linear.tolerance == 1e-2);
  CHECK(strcmp(c->output.name, "out/run") == 0 && c->output.fields && !c->output.f64 && c->output.compression == 1);
  CHECK_NEAR(c->output.interval, 50.0 * DAY, 1e-6);
  CHECK(c->output.refresh == 0.1);
}

/* c->text is a deck itself: read again, it says the same. */
static void check_text(const hp_case *c) {
  hp_diag diag;
  hp_case *again = NULL;
  CHECK_OK(deck_read(c->text, 0, NULL, &diag, &again));
  hp_diag_print(&diag, stderr);
  CHECK(again != NULL && strcmp(c->text, again->text) == 0);
  if (again != NULL) {
    check_grid(again);
    check_events(again);
  }
  hp_case_destroy(&again);
  hp_diag_clear(&diag);
}

/* Entries of groups, or `field`, and tuning by their time; of those at one time the later one in the deck stays last, wherever the
 * lines of an included file stand. */
static void check_order(const char *groups) {
  static const char included[] = "\n\n\n{ time = 9.0; max = 5.0; }, { time = 3.0; max = 8.0; }\n";
  static char text[16384];
  hp_diag diag;
  hp_case *c;
  deck_write("later.cfg", included, sizeof included - 1);
  snprintf(text, sizeof text,
           "tuning = (\n@include \"later.cfg\"\n, { time = 9.0; max = 4.0; });\n"
           "%s = ({ time = 9.0; oil_rate = 5.0; }, { time = 9.0; oil_rate = 4.0; }, { oil_rate = 3.0; });\n%s",
           groups, deck + 3); /* without its byte order mark */
  CHECK_OK(deck_read(text, 1, (const char *const[]){"field[0].water_rate=7.0"}, &diag, &c));
  hp_diag_print(&diag, stderr);
  CHECK(c != NULL && c->ntuning == 3 && c->ngroup_event == 3);
  CHECK(c != NULL && c->group_event[1].control.production[HP_CONTROL_WRAT] > 0.0);
  for (int n = 0; c != NULL && n < 3; ++n) {
    static const double max[] = {8.0, 5.0, 4.0}, rate[] = {3.0, 5.0, 4.0};
    CHECK_NEAR(c->tuning[n].max, max[n] * DAY, 1e-6);
    CHECK_NEAR(c->group_event[n].control.production[HP_CONTROL_ORAT], rate[n] * BBL / DAY, 1e-15);
  }
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
  deck_remove("later.cfg");
}

/* Rates whose volume a producer makes hold until a reservoir_rate is given; what an entry leaves out stays. */
static void check_observed(void) {
  static const char *const set[] = {
      "wells.HOR.control=reservoir-rate", "wells.HOR.observed_oil_rate=600.0", "wells.HOR.observed_water_rate=300.0",
      "schedule=({time=10.0;well=\"HOR\";observed_water_rate=200.0;},{time=20.0;well=\"HOR\";status=\"shut\";},"
      "{time=30.0;well=\"HOR\";status=\"open\";},{time=40.0;well=\"HOR\";reservoir_rate=70.0;},"
      "{time=45.0;well=\"HOR\";observed_oil_rate=0.0;},"
      "{time=48.0;well=\"HOR\";reservoir_rate=\"none\";control=\"bhp\";bhp=100.0;})"};
  static const struct {
    double time, oil, water, target; /* [stb/day] */
    bool by_history;
    hp_control control;
  } at[] = {{0.0, 600.0, 300.0, 900.0, true, HP_CONTROL_RESV},  {10.0, 600.0, 200.0, 800.0, true, HP_CONTROL_RESV},
            {20.0, 600.0, 200.0, 800.0, true, HP_CONTROL_SHUT}, {30.0, 600.0, 200.0, 800.0, true, HP_CONTROL_RESV},
            {40.0, 600.0, 200.0, 70.0, false, HP_CONTROL_RESV}, {45.0, 0.0, 200.0, 200.0, true, HP_CONTROL_RESV},
            {48.0, 0.0, 200.0, NAN, false, HP_CONTROL_BHP}};
  const double stb = BBL / DAY;
  hp_diag diag;
  hp_case *c = NULL;
  CHECK_OK(deck_read(deck, 4, set, &diag, &c));
  hp_diag_print(&diag, stderr);
  for (size_t n = 0; c != NULL && n < sizeof at / sizeof at[0]; ++n) {
    const hp_well_event *e = event_at(c, at[n].time, 1);
    CHECK(e != NULL && e->control.by_history == at[n].by_history);
    if (e == NULL) continue;
    CHECK_NEAR(e->control.history_oil_rate, at[n].oil * stb, 1e-12);
    CHECK_NEAR(e->control.history_water_rate, at[n].water * stb, 1e-12);
    CHECK(isnan(at[n].target) ? isnan(e->control.limit[HP_CONTROL_RESV])
                              : fabs(e->control.limit[HP_CONTROL_RESV] - at[n].target * stb) < 1e-12);
    CHECK(e->control.control == at[n].control);
  }
  hp_diag_clear(&diag);
  hp_case_destroy(&c);
}

/* Layers without thickness are inactive, and let connections pass; a volume that is given needs room. */
static void check_thin(void) {
  static const char *const set[] = {"grid.size=[4,3,3]",
                                    "grid.dz=[2.0,0.0,3.0]",
                                    "grid.dx=[20.0,0.0,20.0,20.0]",
                                    "grid.boxes=({i=2;set={active=false;};})",
                                    "grid.pinch={}",
                                    "grid.pore_volume=100.0"};
  hp_diag diag;
  hp_case *c = NULL;
  CHECK_OK(deck_read(deck_base, 5, set, &diag, &c));
  hp_diag_print(&diag, stderr);
  CHECK(c != NULL && c->grid->nactive == 18 && c->connection.count == 9);
  if (c != NULL && c->connection.count == 9) {
    const double whole = 100.0 * MD * 20.0 * 25.0;
    CHECK(c->connection.a[8] == hp_grid_cell(c->grid, 3, 2, 0) && c->connection.b[8] == hp_grid_cell(c->grid, 3, 2, 2));
    CHECK_NEAR(c->connection.trans[8], whole / (2.0 / 2.0 + 3.0 / 2.0), 1e-9 * whole);
  }
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
  CHECK(deck_read(deck_base, 6, set, &diag, &c) == HP_ERR_DECK);
  CHECK(diag.count > 0 && strstr(diag.item[0].text, "cell (1,1,2): dz [m] is 0, must be > 0") != NULL);
  hp_diag_clear(&diag);
}

/* A layer that is pinched but for rounding errors is none in lab units, unless minpv is given. */
static void check_rounded(void) {
  static const struct {
    const char *units, *minpv;
    int active;
  } table[] = {{"lab", "", 2}, {"lab", "minpv = 1e-6;", 3}, {"metric", "", 3}};
  const char *const after = strstr(deck_base, "fluids = {"), *const wells = strstr(deck_base, "wells = (");
  for (int n = 0; n < 3; ++n) {
    char text[2048];
    hp_diag diag;
    hp_case *c = NULL;
    snprintf(
        text, sizeof text,
        "units = \"%s\"; grid = { size = [1, 1, 3]; porosity = 0.2; permx = 100.0; %s corner_point = {\n"
        "coord = [0, 0, 0, 0, 0, 9, 1, 0, 0, 1, 0, 9, 0, 1, 0, 0, 1, 9, 1, 1, 0, 1, 1, 9];\n"
        "zcorn = [2001.0, 2001.0, 2001.0, 2001.0, 2002.0, 2002.0, 2002.0, 2002.0, 2002.0, 2002.0, 2002.0, 2002.0,\n"
        "2002.0001, 2002.0001, 2002.0001, 2002.0001, 2002.0, 2002.0, 2002.0, 2002.0, 2003.0, 2003.0, 2003.0,\n"
        "2003.0]; }; };\n%.*s report = { end = 1.0; };\n",
        table[n].units, table[n].minpv, (int)(wells - after), after);
    CHECK_OK(deck_read(text, 0, NULL, &diag, &c));
    if (c == NULL) hp_diag_print(&diag, stderr);
    CHECK(c != NULL && c->grid->nactive == table[n].active);
    hp_case_destroy(&c);
    hp_diag_clear(&diag);
  }
}

int main(void) {
  check_rounded();
  hp_diag diag;
  hp_case *c = NULL;
  deck_write("fluids.cfg", fluids, sizeof fluids - 1);
  CHECK_OK(deck_read(deck, 0, NULL, &diag, &c));
  hp_diag_print(&diag, stderr);
  CHECK(diag.errors == 0 && diag.notes == 0);
  if (c != NULL) {
    check_grid(c);
    check_fluid(c);
    check_wells(c);
    check_events(c);
    check_options(c);
    check_text(c);
  }
  hp_case_destroy(&c);
  CHECK(c == NULL);
  hp_case_destroy(&c);
  hp_case_destroy(NULL);
  hp_diag_clear(&diag);
  check_order("groups");
  check_order("field");
  check_observed();
  check_thin();
  deck_remove("fluids.cfg");
  deck_remove("deck.cfg");
  return check_result();
}
