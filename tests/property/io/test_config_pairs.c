/* All errors of a deck at once: two faults that have nothing to do with each
 * other are planted into a sound deck, every pair of a long list, and both must
 * be reported. A fault that cannot be known while another one stands (the length of
 * a list where grid.size is faulty) says so in `needs`. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/check.h"
#include "tests/support/deck.h"
#include "tests/support/pairs.h"

static const char sound[] =
    "title = \"pairs\"; start = \"2026-01-31\"; units = \"metric\";\n"
    "grid = {\n"
    "  size = [4, 3, 2];\n"
    "  dx = 20.0;\n"
    "  dy = [25.0, 26.0, 27.0];\n"
    "  dz = [2.0, 3.0];\n"
    "  top = 2000.0;\n"
    "  porosity = (0.2, 0.21);\n"
    "  permx = { layers = ( { k = 1; value = 100.0; }, { k = [2, 2]; value = (100.0); } ); };\n"
    "  permy = { generator = \"channels\"; seed = 3; fraction = 0.3; width = 2.0; background = 5.0;\n"
    "            channel = { generator = \"lognormal\"; seed = 4; mean = 80.0; log_stddev = 0.5; }; };\n"
    "  permz = { file = \"permz.dat\"; multiply = 0.1; min = 1e-3; max = 1e4; };\n"
    "  ntg = 0.9; active = true; multpv = 1.5; multx = 1.1; minpv = 1e-3;\n"
    "  boxes = ( { i = [1, 2]; set = { multy = 0.5; }; multiply = { multz = 0.1; }; },\n"
    "            { j = 2; add = { ntg = 0.05; }; } );\n"
    "};\n"
    "fluids = {\n"
    "  water = { density = 1000.0; reference_pressure = 200.0; compressibility = 4e-5; viscosity = 0.5; };\n"
    "  oil = { density = 800.0; table = ( [100.0, 1.06, 2.8], [200.0, 1.05, 3.0], [300.0, 1.04, 3.2] ); };\n"
    "};\n"
    "saturation = { model = \"corey\"; swc = 0.2; sor = 0.25; krw_max = 0.5; nw = 2.5; no = 2.25; pc_entry = 0.1; };\n"
    "rock = { reference_pressure = 201.0; compressibility = 5e-5; };\n"
    "initial = { datum_depth = 2000.0; datum_pressure = 202.0; contact_depth = 3000.0; accuracy = -5; };\n"
    "wells = (\n"
    "  { name = \"I1\"; type = \"injector\"; phase = \"water\"; i = 1; j = 1; k = [1, 2]; radius = 0.1; skin = 0.5;\n"
    "    control = \"rate\"; rate = 10.0; bhp = 400.0; },\n"
    "  { name = \"P1\"; type = \"producer\"; cells = ( [4, 3, 1], (4, 2, 2, \"y\") ); diameter = 0.2;\n"
    "    crossflow = false; reference_depth = 2001.0; control = \"bhp\"; bhp = 150.0; oil_rate = 99.0; },\n"
    "  { name = \"P2\"; type = \"producer\"; path = ( [10.0, 30.0, 2000.5], [70.0, 31.0, 2004.0] ); radius = 0.15;\n"
    "    control = \"liquid-rate\"; liquid_rate = 12.0; }\n"
    ");\n"
    "schedule = (\n"
    "  { time = 10.0; well = \"P1\"; bhp = 140.0; },\n"
    "  { time = 12.0; well = [\"P*\", \"I1\"]; status = \"shut\"; },\n"
    "  { time = 15.0; well = \"P2\"; status = \"open\"; control = \"oil-rate\"; oil_rate = 7.0; },\n"
    "  { time = 16.0; well = \"I1\"; type = \"producer\"; control = \"bhp\"; bhp = 111.0; }\n"
    ");\n"
    "report = { times = [5.0, 11.0, 20.0]; end = 19.0; };\n"
    "timestep = { initial = 0.5; max = 30.0; min = 1e-3; growth = 2.5; max_cuts = 9; };\n"
    "newton = { tolerance_mb = 1e-8; max_iterations = 14; min_iterations = 2; };\n"
    "linear = { method = \"gmres\"; restart = 20; tolerance = 1e-3; };\n"
    "output = { compression = 2; double = true; interval = 4.0; };\n";

/* Facts that a fault leaves unknown (spoils), and facts without which another is not reported (needs). */
enum {
  SIZE_I = 1,     /* cells along i */
  SIZE_K = 2,     /* cells along k */
  GRID = 4,       /* the grid is finished: activity, permeabilities */
  GEOMETRY = 8,   /* sizes and depths of all cells */
  MODEL = 16,     /* the saturation model */
  I1 = 32,        /* what the injector is; its first control */
  STEPS = 64,     /* the longest time step */
  SIZE_J = 128,   /* cells along j */
  ACTIVE = 256,   /* which cells the deck switches off */
  LAYERS = 512,   /* the layers of another entry */
  OIL_ROW = 1024, /* the first row of the oil's table */
  SWC = 2048,
  EQUILIBRIUM = 4096, /* that the start is one */
  PLACE = 8192,       /* where I1 is */
  SKIN = 16384,
  CONTROL = 32768, /* I1's */
  TIME = 65536,    /* when the last entry of the schedule holds */
  OUTPUT = 131072  /* that a group is output */
};

static const pair_fault fault[] = {
    {"title = \"pairs\"", "title = 5", "title: must be text", 0, 0},
    {"2026-01-31", "2026-02-30", "start: '2026-02-30': must be a date", 0, 0},
    {"units = \"metric\"", "units = \"metrik\"", "units: 'metrik': no such choice", 0, 0},
    {"grid = {", "grid = { poroity = 1;", "grid.poroity: unknown key", 0, 0},
    {"[4, 3, 2]", "[0, 3, 2]", "grid.size[0]: 0: must be > 0", SIZE_I | GRID | GEOMETRY, 0},
    {"[4, 3, 2]", "[4, 3, -2]", "grid.size[2]: -2: must be > 0", SIZE_K | GRID | GEOMETRY, 0},
    {"[4, 3, 2]", "(4, 3, \"nx\")", "grid.size[2]: 'nx': nx, ny and nz are not known", SIZE_K | GRID | GEOMETRY, 0},
    {"[4, 3, 2]", "[4, 3, 99999999999]", "99999999999: an integer must fit", SIZE_K | GRID | GEOMETRY, 0},
    {"[4, 3, 2]", "[4000, 3000, 2000]", "grid.size: 4000 x 3000 x 2000: more than",
     SIZE_I | SIZE_J | SIZE_K | GRID | GEOMETRY, 0},
    {"size = [4, 3, 2];", "", "grid: size is missing", SIZE_I | SIZE_J | SIZE_K | GRID | GEOMETRY, 0},
    {"dx = 20.0", "dx = -20.0", "grid.dx: -20 m: must be >= 0", GRID | GEOMETRY, 0},
    {"dx = 20.0;", "", "grid: dx is missing", GRID | GEOMETRY, 0},
    {"[25.0, 26.0, 27.0]", "(25.0, \"x\", 27.0)", "grid.dy[1]: must be a number", GRID | GEOMETRY, 0},
    {"[25.0, 26.0, 27.0]", "(25.0, 26.0)", "grid.dy: 2 values: expected 1, 3 (ny)", GRID | GEOMETRY, SIZE_I | SIZE_K},
    {"dz = [2.0, 3.0]", "dz = [2.0, 3.0, 4.0]", "grid.dz: 3 values", GRID | GEOMETRY, SIZE_K},
    {"top = 2000.0;", "top = 2000.0; tops = 1.0;", "grid.tops: give either top or tops", GRID, 0},
    {"top = 2000.0;", "top = 2000.0; depth = 1.0;", "grid.depth: give either depth or top", GRID, 0},
    {"top = 2000.0;", "top = \"deep\";", "grid.top: must be a number", GRID | GEOMETRY, 0},
    {"(0.2, 0.21)", "(0.2, 1.21)", "1.21", GRID, 0},
    {"(0.2, 0.21)", "(\"a\", 0.21)", "grid.porosity[0]: must be a number", GRID, 0},
    {"porosity = (0.2, 0.21)", "porosity = 12345678901", "12345678901: an integer must fit", GRID, 0},
    {"k = 1; value = 100.0", "k = 1; value = -100.0", "-100", GRID, 0},
    {"k = 1; value = 100.0", "k = 2; value = 100.0", "layer 2 has its values already", GRID, SIZE_K | LAYERS},
    {"k = 1; value = 100.0", "k = 3; value = 100.0", "3: there are 2 layers", GRID, SIZE_K},
    {"k = [2, 2]; value = (100.0)", "k = [2, 1]; value = (100.0)", "the first must not be larger", GRID | LAYERS, 0},
    {"k = [2, 2]; value = (100.0)", "k = [2, 2]; value = (true)", "must be a number", GRID, 0},
    {"seed = 3", "seed = -3", "grid.permy.seed: -3", GRID, 0},
    {"fraction = 0.3", "fraction = 3.0", "grid.permy.fraction: 3", GRID, 0},
    {"width = 2.0", "width = \"wide\"", "grid.permy.width", GRID, 0},
    {"background = 5.0", "background = -5.0", "grid.permy.background: -5", GRID, 0},
    {"background = 5.0;", "", "grid.permy: background is missing", GRID, 0},
    {"mean = 80.0", "mean = -80.0", "mean: -80", GRID, 0},
    {"log_stddev = 0.5", "log_stddev = -0.5", "log_stddev: -0.5", GRID, 0},
    {"permz.dat", "nowhere.dat", "nowhere.dat: no such file", GRID, 0},
    {"permz.dat", "word.dat", "a word that is not a number", GRID, 0},
    {"multiply = 0.1; min", "multiply = \"x\"; min", "grid.permz.multiply", GRID, 0},
    {"min = 1e-3; max = 1e4", "min = 1e5; max = 1e4", "min 100000 is larger than max 10000", GRID, 0},
    {"multiply = 0.1; min", "multiply = 0.1; seed = 1; min", "grid.permz.seed: not used with a file", GRID, 0},
    {"ntg = 0.9", "ntg = 1.9", "grid.ntg: 1.9: must be in 0..1", GRID, 0},
    {"active = true", "active = 0.5", "active: 0.5 in cell", GRID, 0},
    {"active = true", "active = false", "no active cell", GRID | ACTIVE, SIZE_I | SIZE_K},
    {"multpv = 1.5", "multpv = -1.5", "grid.multpv: -1.5", GRID, 0},
    {"minpv = 1e-3", "minpv = -1.0", "grid.minpv: -1", GRID, 0},
    {"i = [1, 2]; set", "i = [1, 9]; set", "grid.boxes[0].i: 9: the grid has 4 cells", GRID, SIZE_I},
    {"set = { multy = 0.5; }", "set = { multy = -0.5; }", "-0.5", GRID, 0},
    {"set = { multy = 0.5; }", "set = { multq = 0.5; }", "multq: unknown key", GRID, 0},
    {"multz = 0.1", "multz = \"z\"", "grid.boxes[0].multiply.multz: must be a number", GRID, 0},
    {"j = 2; add", "j = 4; add", "grid.boxes[1].j: 4: the grid has 3 cells", GRID, SIZE_J},
    {"add = { ntg = 0.05; }", "add = { top = 0.05; }", "grid.boxes[1].add.top: cannot be changed", GRID, 0},
    {"density = 1000.0", "density = 0.0", "fluids.water.density: 0", 0, 0},
    {"viscosity = 0.5", "viscosity = -0.5", "fluids.water.viscosity: -0.5", 0, 0},
    {"viscosity = 0.5;", "viscosity = 0.5; compresibility = 1;", "fluids.water.compresibility: unknown key", 0, 0},
    {"density = 800.0", "density = \"light\"", "fluids.oil.density: must be a number", 0, 0},
    {"[100.0, 1.06, 2.8]", "[100.0, 1.06]", "fluids.oil.table[0]: 2 numbers", OIL_ROW, 0},
    {"[200.0, 1.05, 3.0]", "[90.0, 1.05, 3.0]", "fluids.oil.table[1]: pressure 90: must rise", 0, OIL_ROW},
    {"[200.0, 1.05, 3.0]", "[200.0, 1.05, -3.0]", "fluids.oil.table[1]: viscosity -3: must be > 0", 0, 0},
    {"[300.0, 1.04, 3.2]", "[300.0, 1.08, 3.2]", "fluids.oil.table[2]: formation volume factor 1.08: must not rise", 0,
     0},
    {"[300.0, 1.04, 3.2]", "(300.0, 1.04, \"x\")", "fluids.oil.table[2][2]: must be a number", 0, 0},
    {"model = \"corey\"", "model = \"corie\"", "saturation.model: 'corie'", MODEL, 0},
    {"model = \"corey\"; ", "", "saturation: model is missing", MODEL, 0},
    {"swc = 0.2;", "swc = 1.2;", "saturation.swc: 1.2", SWC, 0},
    {"sor = 0.25", "sor = 0.85", "swc 0.2 + sor 0.85: must be < 1", 0, MODEL | SWC},
    {"nw = 2.5", "nw = 0.5", "saturation.nw: 0.5", 0, 0},
    {"no = 2.25", "lambda = 2.25", "saturation.lambda: not used by this model", 0, MODEL},
    {"pc_entry = 0.1", "pc_entry = -0.1", "saturation.pc_entry: -0.1", 0, 0},
    {"compressibility = 5e-5", "compressibility = -5e-5", "rock.compressibility: -5e-05", 0, 0},
    {"rock = {", "rock = { swc = 1;", "rock.swc: unknown key", 0, 0},
    {"datum_pressure = 202.0", "datum_pressure = -1.0", "initial.datum_pressure: -1", 0, EQUILIBRIUM},
    {"contact_depth = 3000.0;", "", "initial: contact_depth is missing", 0, EQUILIBRIUM},
    {"accuracy = -5", "accuracy = 5", "initial.accuracy: 5", 0, EQUILIBRIUM},
    {"initial = {", "initial = { pressure = -9.0; saturation = 2.0;", "initial.saturation: 2: must be in 0..1",
     EQUILIBRIUM, 0},
    {"name = \"I1\"", "name = \"P1\"", "has the same name", I1, 0},
    {"name = \"P2\"", "name = \"P?2\"", "'P?2': a well's name must not contain", 0, 0},
    {"phase = \"water\"", "phase = \"gas\"", "wells[0].phase: 'gas'", I1, 0},
    {"type = \"injector\"", "type = \"injectr\"", "wells[0].type: 'injectr'", I1, 0},
    {"i = 1; j = 1;", "i = 5; j = 1;", "wells[0].i: well", PLACE, SIZE_I},
    {"i = 1; j = 1;", "i = 1;", "wells[0]: j is missing", PLACE, 0},
    {"i = 1; j = 1;", "i = 1; j = 0;", "wells[0].j: 0: must be > 0", PLACE, 0},
    {"k = [1, 2]; radius", "k = [1, 3]; radius", "wells[0].k: well", PLACE, SIZE_K},
    {"radius = 0.1;", "radius = -0.1;", "wells[0].radius: -0.1", 0, 0},
    {"radius = 0.1;", "", "wells[0]: radius is missing", 0, 0},
    {"radius = 0.1;", "radius = 9.0;", "wells[0]: well I1: perforation in cell (1, 1, 2): no positive well index", 0,
     SIZE_I | SIZE_K | GRID | I1 | PLACE | SKIN},
    {"skin = 0.5", "skin = \"x\"", "wells[0].skin: must be a number", SKIN, 0},
    {"control = \"rate\"", "control = \"rat\"", "wells[0].control: 'rat'", CONTROL, 0},
    {"rate = 10.0;", "rate = -10.0;", "wells[0].rate: -10", 0, 0},
    {"rate = 10.0;", "", "its control needs a number: rate is missing", 0, I1 | CONTROL},
    {"bhp = 400.0", "bhp = \"high\"", "wells[0].bhp: 'high': must be a number", 0, 0},
    {"[4, 3, 1], (4, 2, 2, \"y\")", "[4, 9, 1], (4, 2, 2, \"y\")", "wells[1].cells[0]: well P1: cell 4,9,1 is outside",
     0, SIZE_J},
    {"(4, 2, 2, \"y\")", "(4, 2, 2, \"w\")", "wells[1].cells[1][3]: must be the direction", 0, 0},
    {"(4, 2, 2, \"y\")", "(4, 2)", "wells[1].cells[1]: must be a cell", 0, 0},
    {"(4, 2, 2, \"y\")", "(4, 3, 1, \"y\")", "well P1: cell 4,3,1 is there twice", 0, SIZE_I | SIZE_K | ACTIVE},
    {"diameter = 0.2", "diameter = 0.2; radius = 0.1", "give either radius or diameter", 0, 0},
    {"crossflow = false", "crossflow = 0", "wells[1].crossflow: must be true or false", 0, 0},
    {"reference_depth = 2001.0", "reference_depth = \"x\"", "wells[1].reference_depth: must be a number", 0, 0},
    {"oil_rate = 99.0", "oil_rate = -99.0", "wells[1].oil_rate: -99", 0, 0},
    {"oil_rate = 99.0", "rate = 99.0", "well P1 is a producer: 'rate' is for injectors", 0, 0},
    {"[10.0, 30.0, 2000.5]", "[70.0, 31.0, 2004.0]", "wells[2].path[1]: the same point twice", 0, 0},
    {"[10.0, 30.0, 2000.5]", "[10.0, 30.0]", "wells[2].path[0]: 2 numbers", 0, 0},
    {"[10.0, 30.0, 2000.5], [70.0, 31.0, 2004.0]", "[10.0, 30.0, 9.0], [70.0, 31.0, 8.0]",
     "its path does not meet the grid", 0, SIZE_I | SIZE_K | GEOMETRY},
    {"control = \"liquid-rate\"; ", "", "wells[2]: control is missing", 0, 0},
    {"liquid_rate = 12.0", "liquid_rate = 1e400", "liquid_rate: must be a finite number", 0, 0},
    {"time = 10.0", "time = -10.0", "schedule[0].time: -10", 0, 0},
    {"well = \"P1\"; bhp", "well = \"P9\"; bhp", "schedule[0].well: 'P9': no such well", 0, 0},
    {"bhp = 140.0", "bhp = -140.0", "schedule[0].bhp: -140", 0, 0},
    {"bhp = 140.0;", "", "schedule[0]: changes nothing", 0, 0},
    {"[\"P*\", \"I1\"]", "[\"Q*\", \"I1\"]", "schedule[1].well[0]: 'Q*': no well", 0, I1},
    {"status = \"shut\"; }", "status = \"shot\"; }", "schedule[1].status: 'shot'", 0, 0},
    {"well = \"P2\"; status", "status", "schedule[2]: well is missing", 0, 0},
    {"oil_rate = 7.0", "oil_rate = \"x\"", "schedule[2].oil_rate", 0, 0},
    {"control = \"oil-rate\"", "control = \"oilrate\"", "schedule[2].control: 'oilrate'", 0, 0},
    {"time = 16.0; ", "", "schedule[3]: time is missing", TIME, 0},
    {"bhp = 111.0", "rate = 111.0", "'rate' is for injectors", 0, I1 | TIME},
    {"[5.0, 11.0, 20.0]", "[5.0, 4.0, 20.0]", "report.times[1]: 4 day: times must rise", 0, 0},
    {"[5.0, 11.0, 20.0]", "[-5.0, 11.0, 20.0]", "report.times[0]: -5 day: must be > 0", 0, 0},
    {"end = 19.0", "end = -19.0", "report.end: -19", 0, 0},
    {"end = 19.0", "every = 3.0", "report.every: give either every or times", 0, 0},
    {"initial = 0.5", "initial = -0.5", "timestep.initial: -0.5", 0, 0},
    {"max = 30.0", "max = \"long\"", "timestep.max: must be a number", STEPS, 0},
    {"min = 1e-3; growth", "min = 31.0; growth", "min 31 day is longer than max", 0, STEPS},
    {"growth = 2.5", "growth = 0.5", "timestep.growth: 0.5", 0, 0},
    {"max_cuts = 9", "max_cuts = 9.5", "timestep.max_cuts: must be an integer", 0, 0},
    {"tolerance_mb = 1e-8", "tolerance_mb = 0.0", "newton.tolerance_mb: 0", 0, 0},
    {"max_iterations = 14; min_iterations = 2", "max_iterations = 14; min_iterations = 20",
     "min_iterations 20 is more than max_iterations 14", 0, 0},
    {"method = \"gmres\"", "method = \"gmers\"", "linear.method: 'gmers'", 0, 0},
    {"restart = 20", "restart = 0", "linear.restart: 0", 0, 0},
    {"tolerance = 1e-3", "tolerence = 1e-3", "linear.tolerence: unknown key", 0, 0},
    {"compression = 2", "compression = 20", "output.compression: 20", 0, OUTPUT},
    {"double = true", "double = \"yes\"", "output.double: must be true or false", 0, OUTPUT},
    {"output = {", "outputt = {", "outputt: unknown key; did you mean 'output'?", OUTPUT, 0},
};
enum { FAULTS = sizeof fault / sizeof *fault };

/* All messages, also those beyond the twenty that are printed. */
static bool is_reported(const hp_diag *diag, const char *message) {
  for (int n = 0; n < diag->count; ++n)
    if (diag->item[n].error && strstr(diag->item[n].text, message) != NULL) return true;
  return false;
}

static void check_deck(const char *text, const pair_fault *a, const pair_fault *b) {
  hp_diag diag;
  hp_case *c = NULL;
  const hp_status status = deck_read(text, 0, NULL, &diag, &c);
  if (status != HP_ERR_DECK || !is_reported(&diag, a->message) || !is_reported(&diag, b->message)) {
    char *messages = deck_messages(&diag);
    pairs_fail(a, b, messages);
    free(messages);
  }
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
}

int main(void) {
  static const char numbers[] = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\n";
  static const char word[] = "1 2 3 pear 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24\n";
  deck_write("permz.dat", numbers, sizeof numbers - 1);
  deck_write("word.dat", word, sizeof word - 1);
  hp_diag diag;
  hp_case *c = NULL;
  CHECK_OK(deck_read(sound, 0, NULL, &diag, &c));
  hp_diag_print(&diag, stderr);
  hp_diag_clear(&diag);
  hp_case_destroy(&c);
  CHECK(pairs_try(sound, fault, FAULTS, check_deck) > 6000);
  deck_remove("permz.dat");
  deck_remove("word.dat");
  deck_remove("deck.cfg");
  return check_result();
}
