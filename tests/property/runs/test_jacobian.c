/* The Jacobian against central differences, to 1e-6 of the largest entry of
 * each kind: random states of a small heterogeneous model with gravity,
 * capillary pressure, compressible fluids and rock, and wells on every control,
 * with crossflow, horizontal and shared cells. */
#define _DEFAULT_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/case/case.h"
#include "io/deck/deck.h"
#include "sim/newton/newton.h"
#include "sim/run/run.h"
#include "tests/support/check.h"
#include "wells/assembly.inl.h"

static const char deck_text[] =
    "units = \"metric\";\n"
    "grid = { size = [5, 4, 3]; dx = 40.0; dy = 55.0; dz = [4.0, 7.0, 5.0]; top = 2000.0;\n"
    "  porosity = { generator = \"normal\"; seed = 3; mean = 0.2; stddev = 0.03; correlation = [1.0, 1.0, 1.0]; min = "
    "0.05; max = 0.4; };\n"
    "  permx = { generator = \"lognormal\"; seed = 3; mean = 150.0; log_stddev = 1.2; correlation = [1.0, 1.0, 1.0]; "
    "};\n"
    "  permz = { generator = \"lognormal\"; seed = 4; mean = 20.0; log_stddev = 1.0; correlation = [1.0, 1.0, 1.0]; "
    "};\n"
    "  boxes = ( { i = [3, 3]; j = [2, 2]; k = [2, 2]; set = { active = 0; }; } ); };\n"
    "fluids = { water = { density = 1020.0; reference_pressure = 200.0; formation_volume_factor = 1.02; "
    "compressibility = 5.0e-5;\n"
    "    viscosity = 0.4; viscosibility = 1.0e-5; };\n"
    "  oil = { density = 820.0; reference_pressure = 200.0; formation_volume_factor = 1.3; compressibility = 2.0e-4; "
    "viscosity = 1.5;\n"
    "    viscosibility = 3.0e-5; }; };\n"
    "saturation = { model = \"corey\"; swc = 0.12; sor = 0.18; krw_max = 0.5; krw_full = 0.95; kro_max = 0.9; nw = "
    "2.4; no = 2.1; pc_entry = 0.6; npc = 2.5; };\n"
    "rock = { reference_pressure = 200.0; compressibility = 1.0e-4; };\n"
    "initial = { datum_depth = 2000.0; datum_pressure = 210.0; contact_depth = 2012.0; };\n"
    "wells = ( { name = \"I1\"; type = \"injector\"; i = 1; j = 1; k = [1, 3]; radius = 0.1; control = \"rate\"; rate "
    "= 60.0; bhp = 400.0; },\n"
    "  { name = \"I2\"; type = \"injector\"; i = 1; j = 4; k = [1, 3]; radius = 0.1; control = \"bhp\"; bhp = 260.0; "
    "},\n"
    "  { name = \"P1\"; type = \"producer\"; i = 5; j = 4; k = [1, 3]; radius = 0.1; control = \"oil-rate\"; oil_rate "
    "= 20.0; bhp = 10.0; },\n"
    "  { name = \"P2\"; type = \"producer\"; cells = ( (4, 1, 2, \"y\"), (4, 2, 2, \"y\"), (4, 3, 2, \"y\") ); radius "
    "= 0.1;\n"
    "    control = \"liquid-rate\"; liquid_rate = 30.0; bhp = 10.0; },\n"
    "  { name = \"P3\"; type = \"producer\"; i = 3; j = 4; k = [1, 3]; radius = 0.1; control = \"reservoir-rate\"; "
    "reservoir_rate = 25.0; bhp = 10.0; },\n"
    "  { name = \"P4\"; type = \"producer\"; i = 4; j = 2; k = [1, 3]; radius = 0.1; control = \"bhp\"; bhp = 195.0; "
    "},\n"
    "  { name = \"P5\"; type = \"producer\"; i = 2; j = 1; k = [1, 3]; radius = 0.1; control = \"water-rate\"; "
    "water_rate = 5.0; bhp = 10.0; },\n"
    "  { name = \"P6\"; type = \"producer\"; i = 2; j = 3; k = [1, 3]; radius = 0.1; control = \"thp\"; thp = 20.0; "
    "bhp = "
    "10.0; vfp = \"cut\"; lift = 1.0; },\n"
    "  { name = \"P7\"; type = \"producer\"; i = 5; j = 2; k = [1, 3]; radius = 0.1; control = \"thp\"; thp = 25.0; "
    "bhp = "
    "10.0; vfp = \"ratio\"; },\n"
    "  { name = \"I3\"; type = \"injector\"; i = 5; j = 1; k = [1, 2]; radius = 0.1; control = \"thp\"; thp = 60.0; "
    "bhp = "
    "600.0; vfp = \"in\"; } );\n"
    "vfp = ( { name = \"cut\"; datum_depth = 1990.0; flow = [10.0, 200.0]; thp = [10.0, 30.0]; ratio = [0.0, 1.0]; "
    "lift = "
    "[0.0, 2.0];\n"
    "    bhp = [130.0, 160.0, 152.0, 182.0, 150.0, 190.0, 172.0, 212.0, 120.0, 150.0, 142.0, 172.0, 140.0, 180.0, "
    "162.0, "
    "202.0]; },\n"
    "  { name = \"ratio\"; of = \"oil\"; ratio_of = \"water-oil-ratio\"; datum_depth = 2000.0; flow = [5.0, 80.0]; thp "
    "= "
    "[10.0, 30.0];\n"
    "    ratio = [0.0, 4.0]; bhp = [125.0, 150.0, 146.0, 171.0, 150.0, 195.0, 171.0, 216.0]; },\n"
    "  { name = \"in\"; injector = true; of = \"water\"; datum_depth = 2000.0; flow = [20.0, 400.0]; thp = [20.0, "
    "80.0]; bhp = [215.0, "
    "190.0, 275.0, 250.0]; } );\n"
    "report = { end = 10.0; every = 10.0; };\n";

static double uniform(void) { return rand() / (double)RAND_MAX; }

/* A state with strong differences, away from end points, so that no upstream
 * direction hangs on rounding; every fourth cell is in the water zone. bhp of wells amid their cells' pressures:
 * some perforations flow backwards. crosses: in wells at a bhp only a part of what would. */
static void scramble(hp_sim *S, bool crosses) {
  for (int64_t m = 0; m < S->res->ncell; ++m) {
    S->res->p[m] = 2.1e7 + 1.5e6 * uniform();
    S->res->s[m] = m % 4 == 3 ? 0.83 + 0.16 * uniform() : 0.2 + 0.55 * uniform();
  }
  for (int w = 0; w < S->wells->nwell; ++w) {
    S->wells->mode[w] = (uint8_t)S->wells->control[w].control;
    S->wells->bhp[w] = 2.12e7 + 1.2e6 * uniform();
    S->wells->bhp_old[w] = S->wells->bhp[w];
    const double part = crosses ? 0.6 : 1.0;
    S->wells->mix[2 * w] = S->wells->control[w].injector ? 0.1 : 0.7 * part;
    S->wells->mix[2 * w + 1] = S->wells->control[w].injector ? 0.9 : 0.3 * part;
    S->wells->inflow_share[w] = part;
    if (S->wells->mode[w] == HP_CONTROL_BHP) S->wells->control[w].limit[HP_CONTROL_BHP] = S->wells->bhp[w];
  }
}

int main(void) {
  char path[] = "/tmp/hepta-jacobian-XXXXXX.cfg";
  const int fd = mkstemps(path, 4);
  CHECK(fd >= 0 && write(fd, deck_text, strlen(deck_text)) == (ssize_t)strlen(deck_text));
  close(fd);
  hp_diag diag;
  hp_case *c = NULL;
  hp_sim *S = NULL;
  const hp_run_options opt = {.threads = 2, .command_line = ""};
  hp_diag_init(&diag);
  CHECK_OK(hp_case_read(path, 0, NULL, &diag, &c));
  hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
  unlink(path);
  if (c == NULL) return 1;
  CHECK_OK(hp_sim_create(c, &opt, "jacobian", &S));
  if (S == NULL) return 1;
  for (int e = 0; e < c->nevent; ++e) hp_wells_set_control(S->wells, c->event[e].well, &c->event[e].control);
  CHECK_OK(hp_newton_begin(S));
  FILE *nowhere = fopen("/dev/null", "w");
  int backwards = 0, crossing = 0, lifted[2] = {0, 0}; /* of producers and injectors */
  for (int n = 0; n < 10; ++n) {
    srand((unsigned)n + 1);
    scramble(S, n >= 5);
    double largest = 1.0;
    CHECK_OK(hp_jacobian_check(S, n % 2 == 0 ? 86400.0 : 3600.0, false, n == 0 ? stdout : nowhere, &largest));
    CHECK_NEAR(largest, 0.0, 1e-6);
    for (int64_t q = 0; q < S->wells->nperf; ++q)
      backwards += (S->wells->rate[q].q[0] < 0.0) != (S->wells->control[S->wells->of[q]].injector != 0) &&
                   S->wells->rate[q].q[0] != 0.0;
    for (int w = 0; w < S->wells->nwell; ++w) {
      double q[HP_PHASES];
      hp_well_total(S->wells, w, q);
      crossing += hp_well_crossing(S->wells, w) > 0.0;
      lifted[S->wells->control[w].injector] += S->wells->mode[w] == HP_CONTROL_THP && hp_well_flows(S->wells, w, q);
    }
  }
  CHECK(backwards > 10); /* crossflow was among what was checked */
  CHECK(crossing > 3);
  CHECK(lifted[0] > 10 && lifted[1] > 5);
  fclose(nowhere);
  hp_sim_destroy(&S);
  hp_case_destroy(&c);
  return check_result();
}
