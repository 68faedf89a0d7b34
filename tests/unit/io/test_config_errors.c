/* Wrong decks: each is the right one with one change, and must be refused with
 * a message that holds the place and the reason. */
#define _POSIX_C_SOURCE 200809L
#include "io/deck/deck.h"
#include "tests/support/deck.h"
#include "tests/support/deck_corners.h"
#include "tests/unit/io/wrong_deck.h"

static const struct {
  const char *from, *to, *message;
} wrong[] = {
    /* keys */
    {"porosity = 0.2", "poroity = 0.2", "deck.cfg:8: grid.poroity: unknown key; did you mean 'porosity'?"},
    {"porosity = 0.2", "poroity = 0.2", "deck.cfg:2: grid: porosity is missing"},
    {"radius = 0.1; control = \"bhp\"", "radius = 0.1; skn = 1.0; control = \"bhp\"",
     "deck.cfg:19: wells[1].skn: unknown key; did you mean 'skin'?"},
    {"title", "tolerance_mb = 1e-7; title", "tolerance_mb: unknown key; did you mean 'newton.tolerance_mb'?"},
    {"title", "xyzzy = 1; title", "deck.cfg:1: xyzzy: unknown key\n"},
    {"report = { end = 30.0; };", "", "report is missing"},
    {"density = 1000.0; ", "", "deck.cfg:12: fluids.water: density is missing"},
    {"report = { end = 30.0; };", "report = 30.0;", "report: must be a group"},
    {"wells = (", "wells = ( 1, ", "wells[0]: must be a group"},
    /* types */
    {"dx = 20.0", "dx = \"wide\"", "deck.cfg:4: grid.dx: must be a number, not text"},
    {"size = [4, 3, 2]", "size = [4.0, 3.0, 2.0]", "deck.cfg:3: grid.size[0]: must be an integer, not a number"},
    {"i = 4;", "i = 4.5;", "wells[1].i: must be an integer, not a number with a fraction"},
    {"title = \"base\"", "title = 5", "deck.cfg:1: title: must be text in quotes, not an integer"},
    {"radius = 0.1; control = \"bhp\"", "radius = 0.1; crossflow = 1; control = \"bhp\"",
     "wells[1].crossflow: must be true or false, not an integer"},
    {"dx = 20.0", "dx = [20.0, 0.0, 20.0, 20.0]", "deck.cfg:4: grid.dx: 0 in cell 2,1,1: must be > 0 where cells are"},
    {"dx = 20.0", "dx = 1e400", "grid.dx: must be a finite number"},
    {"size = [4, 3, 2]", "size = [4, 3, 3000000000]", "deck.cfg:3: 3000000000: an integer must fit in 32 bits"},
    {"size = [4, 3, 2]", "size = (4, 3, 3000000000L)", "grid.size[2]: 3000000000: must fit in 32 bits"},
    /* ranges */
    {"radius = 0.1; control = \"bhp\"", "radius = -0.1; control = \"bhp\"",
     "deck.cfg:19: wells[1].radius: -0.1 m: must be > 0"},
    {"porosity = 0.2", "porosity = 1.2", "deck.cfg:8: grid.porosity: 1.2: must be in 0..1"},
    {"porosity = 0.2", "porosity = [0.2, 1.5]", "grid.porosity: 1.5 in cell 1,1,2 (and 11 more): must be in 0..1"},
    {"datum_pressure = 200.0", "datum_pressure = -3", "initial.datum_pressure: -3 bar: must be > 0"},
    {"size = [4, 3, 2]", "size = [4, 0, 2]", "grid.size[1]: 0: must be > 0"},
    {"size = [4, 3, 2]", "size = [40000, 40000, 40000]", "more than 2147483647 cells"},
    {"\"I1\"; type = \"injector\"; i = 1; j = 1; radius = 0.1; control = \"rate\"; rate = 10.0; },\n"
     "  { name = \"P1\"",
     "\"P/1\"; type = \"injector\"; i = 1; j = 1; radius = 0.1; control = \"rate\"; rate = 10.0; },\n"
     "  { name = \"P_1\"",
     "wells[1].name: 'P_1': wells[0], 'P/1', has the same name in result files: '/' is '_' there"},
    {"rate = 10.0", "rate = 10.0; observed_oil_rate = 3.0", "well I1 is an injector: observed rates are for producers"},
    {"bhp = 150.0", "bhp = 150.0; observed_oil_rate = -3.0", "wells[1].observed_oil_rate: -3 sm3/day: must be >= 0"},
    {"bhp = 150.0", "bhp = 150.0; observed_oil_rate = 3.0; reservoir_rate = 2.0",
     "wells[1].observed_oil_rate: give either reservoir_rate or observed rates"},
    {"swc = 0.2", "swc = 0.9", "saturation: swc 0.9 + sor 0.2: must be < 1"},
    {"title", "timestep = { min = 5.0; max = 1.0; }; title", "min 5 day is longer than max 1 day"},
    {"title", "timestep = { initial = 5.0; max = 1.0; }; title", "initial 5 day is not between min and max"},
    {"title", "newton = { min_iterations = 20; }; title", "min_iterations 20 is more than max_iterations 12"},
    {"title", "linear = { method = \"bicstab\"; }; title",
     "linear.method: 'bicstab': no such choice; did you mean 'bicgstab'?"},
    {"title", "linear = { preconditioner = \"jacobi\"; ordering = \"red-black\"; }; title",
     "linear: an ordering is for the preconditioner dilu only"},
    {"title", "linear = { method = \"qmr\"; preconditioner = \"cpr\"; }; title",
     "qmr needs the transposed preconditioner"},
    {"title", "linear = { preconditioner = \"cpr\"; cpr = { weights = \"drs\"; }; }; title",
     "linear.cpr.weights: 'drs': must be true-impes, quasi-impes or row-sum"},
    {"title", "linear = { preconditioner = \"cpr\"; cpr = { strength = 1.0; }; }; title",
     "linear.cpr.strength: 1: must be >= 0, < 1"},
    {"title", "linear = { preconditioner = \"cpr\"; cpr = { pre = 0; post = 0; }; }; title",
     "linear.cpr: a cycle needs at least one sweep"},
    {"title", "units = \"imperial\"; title", "units: 'imperial': must be metric, field, lab or si"},
    {"title", "start = \"0098-02-01\"; title", "start: '0098-02-01': must be a date"},
    {"title", "start = \"2026-02-29\"; title", "start: '2026-02-29': must be a date"},
    {"title", "start = \"1.1.2026\"; title", "start: '1.1.2026': must be a date"},
    /* arrays */
    {"dx = 20.0", "dx = [1.0, 2.0, 3.0]", "grid.dx: 3 values: expected 1, 4 (nx) or 24 (nx*ny*nz)"},
    {"dz = [2.0, 3.0]", "dz = [2.0, 3.0, 4.0]", "grid.dz: 3 values: expected 1, 2 (nz) or 24 (nx*ny*nz)"},
    {"top = 2000.0", "top = [1.0, 2.0]", "grid.top: 2 values: expected 1 or 12"},
    {"top = 2000.0", "top = 2000.0; tops = 2000.0", "grid.tops: give either top or tops"},
    {"top = 2000.0", "top = 2000.0; depth = 2000.0", "grid.depth: give either depth or top"},
    {"top = 2000.0", "tops = 2000.0; depth = 2000.0", "grid.depth: give either depth or tops"},
    {"permx = 100.0", "permx = { file = \"no.dat\"; }", "grid.permx: "},
    {"permx = 100.0", "permx = { file = \"no.dat\"; }", "permx: no.dat: no such file\n"},
    {"permx = 100.0", "permx = { file = \"short.dat\"; }", "short.dat: 3 numbers: expected 24 (4 x 3 x 2)"},
    {"permx = 100.0", "permx = { file = \"word.dat\"; }", "word.dat:2: a word that is not a number"},
    {"permx = 100.0", "permx = { file = \"short.dat\"; keyword = \"A\"; }", "permx.keyword: not used with this format"},
    {"permx = 100.0", "permx = { file = \"short.dat\"; mean = 1.0; }", "permx.mean: not used with a file"},
    {"permx = 100.0", "permx = { file = \"short.dat\"; format = \"eclipse\"; }", "permx: keyword is missing"},
    {"permx = 100.0", "permx = { file = \"short.dat\"; format = \"eclipse\"; keyword = \"PERMX\"; }",
     "short.dat: has no keyword PERMX"},
    {"permx = 100.0", "permx = { file = \"key.dat\"; format = \"eclipse\"; keyword = \"PERMX\"; }",
     "key.dat: PERMX has 23 numbers: expected 24 (4 x 3 x 2)"},
    {"permx = 100.0", "permx = { file = \"short.dat\"; format = \"hdf5\"; dataset = \"/x\"; }",
     "short.dat: is not HDF5"},
    {"permx = 100.0", "permx = { mean = 1.0; }", "grid.permx: must have a file, a generator or layers"},
    {"permx = 100.0", "permx = { layers = ( { k = 1; value = 5.0; } ); }", "grid.permx.layers: layer 2 has no values"},
    {"permx = 100.0", "permx = { layers = ( { k = [1, 2]; value = 5.0; }, { k = 2; value = 1.0; } ); }",
     "layers[1].k: layer 2 has its values already"},
    {"permx = 100.0", "permx = { layers = ( { k = 3; value = 5.0; } ); }", "layers[0].k: 3: there are 2 layers"},
    {"permx = 100.0", "permx = { file = \"short.dat\"; layers = ( ); }", "give one of file, generator and layers"},
    {"permx = 100.0", "permx = { generator = \"lognormal\"; mean = -1.0; log_stddev = 1.0; }",
     "grid.permx.mean: -1: must be > 0"},
    {"permx = 100.0", "permx = { generator = \"normal\"; mean = 1.0; }", "grid.permx: stddev is missing"},
    {"permx = 100.0", "permx = { generator = \"normal\"; mean = 1.0; stddev = 0.0; width = 3.0; }",
     "grid.permx.width: not used by the generator 'normal'"},
    {"permx = 100.0", "permx = { generator = \"channels\"; background = 1.0; }", "grid.permx: channel is missing"},
    {"permx = 100.0", "permx = { generator = \"normal\"; mean = 1.0; stddev = 9.0; max = 0.0; min = 1.0; }",
     "min 1 is larger than max 0"},
    {"permx = 100.0", "permx = 100.0; active = 0.5", "active: 0.5 in cell 1,1,1: must be 0 or 1"},
    {"permx = 100.0", "permx = 100.0; active = 0", "no active cell"},
    /* connections */
    {"permx = 100.0", "permx = 100.0; connections = ( [1, 1, 1, 9, 1, 1, 2] )",
     "grid.connections[0]: cell 9,1,1: must be whole numbers in 1..4"},
    {"permx = 100.0", "permx = 100.0; connections = ( (1, 1, 1, 2.5, 1, 1, 2) )",
     "grid.connections[0]: cell 2.5,1,1: must be whole numbers"},
    {"permx = 100.0", "permx = 100.0; connections = ( [1, 1, 1, 1, 1, 1, 2] )",
     "grid.connections[0]: a cell and itself"},
    {"permx = 100.0", "permx = 100.0; connections = ( [1, 1, 1, 3, 1, 1, -2] )",
     "grid.connections[0]: the connection factor must be >= 0"},
    {"permx = 100.0", "permx = 100.0; connections = ( [1, 1, 1, 3, 1, 1] )", "grid.connections[0]"},
    /* boxes */
    {"permx = 100.0", "permx = 100.0; boxes = ( { i = [1, 9]; } )", "grid.boxes[0].i: 9: the grid has 4 cells along i"},
    {"permx = 100.0", "permx = 100.0; boxes = ( { i = [3, 1]; } )", "[3, 1]: the first must not be larger"},
    {"permx = 100.0", "permx = 100.0; boxes = ( { i = 0; } )", "grid.boxes[0].i: 0: must be > 0"},
    {"permx = 100.0", "permx = 100.0; boxes = ( { set = { permq = 1.0; }; } )",
     "permq: unknown key; did you mean 'permx'?"},
    {"permx = 100.0", "permx = 100.0; boxes = ( { set = { top = 1.0; }; } )", "set.top: cannot be changed in a box"},
    {"permx = 100.0", "permx = 100.0; boxes = ( { j = 2; multiply = { porosity = 6.0; }; } )",
     "multiply.porosity: makes 1.2 in cell 1,2,1: must be in 0..1"},
    /* fluids and saturation functions */
    {"oil = { density = 800.0; viscosity = 2.0; }", "oil = { density = 800.0; table = ( [1.0, 1.1, 2.0] ); }",
     "fluids.oil.table: 1 rows: must be at least 2"},
    {"oil = { density = 800.0; viscosity = 2.0; }",
     "oil = { density = 800.0; table = ( [1.0, 1.1, 2.0], [1.0, 1.0, 2.0] ); }", "oil.table[1]: pressure 1: must rise"},
    {"oil = { density = 800.0; viscosity = 2.0; }",
     "oil = { density = 800.0; viscosity = 2.0; table = ( [1.0, 1.1, 2.0], [2.0, 1.0, 2.0] ); }",
     "fluids.oil.viscosity: not used with a table"},
    {"swc = 0.2", "lambda = 2.0", "saturation.lambda: not used by this model"},
    {"sor = 0.2;", "sor = 0.2; sw_max = 0.75;", "saturation: sw_max 0.75: must be >= 1 - sor, 0.8"},
    {"sor = 0.2;", "sor = 0.2; krw_max = 0.6; krw_full = 0.5;", "saturation: krw_full 0.5: must be >= krw_max, 0.6"},
    {"model = \"corey\"; swc = 0.2; sor = 0.2;", "model = \"let\";", "saturation: lw is missing"},
    {"model = \"corey\"; swc = 0.2; sor = 0.2;", "model = \"brooks-corey\"; lambda = 2.0; pc_entry = 0.1;",
     "pc_max must be given"},
    {"model = \"corey\"; swc = 0.2; sor = 0.2;", "model = \"table\";", "saturation: table is missing"},
    {"model = \"corey\"; swc = 0.2; sor = 0.2;", "model = \"table\"; table = ( [0.2, 0.0, 1.0], [0.1, 1.0, 0.0] );",
     "saturation.table[1]: sw 0.1: must rise, but 0.2 comes before it"},
    {"model = \"corey\"; swc = 0.2; sor = 0.2;", "model = \"table\"; table = ( [0.2, 0.5, 1.0], [0.8, 0.4, 0.0] );",
     "krw 0.4: must not fall"},
    {"model = \"corey\"; swc = 0.2; sor = 0.2;", "model = \"table\"; table = ( [0.2, 0.0, 0.9], [0.8, 0.4, 1.0] );",
     "kro 1: must not rise"},
    {"model = \"corey\"; swc = 0.2; sor = 0.2;", "model = \"table\"; table = ( [0.2, 0.0, 0.9], [0.8, 0.4] );",
     "saturation.table[1]: 2 numbers: a row must have 3 to 4"},
    {"contact_depth = 3000.0;", "saturation = 0.2;", "initial: pressure is missing"},
    {"contact_depth = 3000.0;", "pressure = 200.0; saturation = 0.2;", "initial.datum_depth: not used with pressure"},
    {"permx = 100.0", "permx = 100.0; pore_volume = -1.0", "grid.pore_volume: -1 rm3: must be >= 0"},
    {"permx = 100.0", "permx = 100.0; boxes = ( { multiply = { tranx = 2.0; }; } )",
     "multiply.tranx: can only be set; multpv, multx, multy and multz multiply what follows from the cells"},
    /* regions and end points */
    {"saturation = {", "rock = ( ); saturation = {", "rock: must be a group { ... }, or a list of groups"},
    {"saturation = {", "rock = { table = ( [100.0, 1.0] ); }; saturation = {",
     "rock.table: 1 rows: must be at least 2"},
    {"saturation = {", "rock = { table = ( [100.0, 1.0], [100.0, 1.1] ); }; saturation = {",
     "pressure 100: must rise, but 100 comes before it"},
    {"saturation = {", "rock = { table = ( [100.0, 0.0], [200.0, 1.0] ); }; saturation = {",
     "multiplier of the pore volume 0: must be > 0"},
    {"saturation = {", "rock = { table = ( [100.0, 1.0, -1.0], [200.0, 1.0, 1.0] ); }; saturation = {",
     "multiplier of the transmissibility -1: must be >= 0"},
    {"saturation = {", "rock = { table = ( [100.0, 1.0, 1.0, 1.0], [200.0, 1.0, 1.0, 1.0] ); }; saturation = {",
     "rock.table: rows of 4 numbers: must be 2, 3 or 5"},
    {"saturation = {", "rock = { irreversible = true; }; saturation = {",
     "rock.irreversible: not used without a table"},
    {"saturation = {", "rock = ( 5.0 ); saturation = {", "rock[0]: must be a group { ... }"},
    {"saturation = {", "timestep = ( { } ); saturation = {", "timestep: must be a group { ... }"},
    {"saturation = {", "regions = { saturation = 2; }; saturation = {",
     "regions.saturation: 2 in cell 1,1,1: must be a whole number in 1..1, the entries of the list"},
    {"saturation = {", "regions = { rock = 1.5; }; saturation = {",
     "regions.rock: 1.5 in cell 1,1,1: must be a whole number"},
    {"saturation = {", "regions = { pvt = { file = \"no.dat\"; }; }; saturation = {", "no.dat: no such file"},
    {"saturation = {", "tuning = ( { max = 5.0; } ); saturation = {", "tuning[0]: time is missing"},
    {"saturation = {", "tuning = ( { time = 5.0; max = 1.0; min = 2.0; } ); saturation = {",
     "tuning[0]: the shortest step is longer than the longest one"},
    {"saturation = {", "groups = ( { oil_rate = -1.0; } ); saturation = {",
     "groups[0].oil_rate: -1 sm3/day: must be >= 0"},
    {"saturation = {", "groups = ( { gas_rate = 1.0; } ); saturation = {", "groups[0].gas_rate: unknown key"},
    {"saturation = {", "regions = { fip = 1.5; }; saturation = {",
     "regions.fip: 1.5 in cell 1,1,1: must be a whole number in 0..65535"},
    {"saturation = {", "regions = { fip = 65536; }; saturation = {",
     "regions.fip: 65536 in cell 1,1,1: must be a whole number in 0..65535"},
    {"saturation = {", "output = { vectors = \"FOIB\"; }; saturation = {",
     "output.vectors: 'FOIB': no such vector; did you mean FOIP"},
    {"saturation = {", "output = { vectors = [\"FOIP\", \"ROIP:2\"]; }; saturation = {",
     "output.vectors[1]: 'ROIP:2': there is 1 region"},
    {"saturation = {", "output = { vectors = \"COPR:Q1\"; }; saturation = {", "'COPR:Q1': no such well"},
    {"saturation = {", "output = { vectors = \"COPR:P1:0,1,1\"; }; saturation = {",
     "'COPR:P1:0,1,1': not a group, well, region, aquifer, connection, segment or cell"},
    {"saturation = {", "output = { vectors = [\"BPR\", \"BPR:1,1\"]; }; saturation = {", "'BPR': not a group, well,"},
    {"saturation = {", "output = { vectors = \"BWSAT:1,999,1\"; }; saturation = {", "'BWSAT:1,999,1': the grid has "},
    {"saturation = {", "output = { vectors = \"FOIP:P1\"; }; saturation = {",
     "'FOIP:P1': not a group, well, region, aquifer, connection, segment or"},
    {"saturation = {", "output = { arrays = [\"KRW\", \"KROW\"]; }; saturation = {",
     "output.arrays[1]: must be of FLOWS, FLORES"},
    {"saturation = {", "output = { vectors = [1, 2]; }; saturation = {",
     "output.vectors[0]: must be a vector's name in quotes"},
    {"saturation = {", "endpoints = { swl = { file = \"no.dat\"; }; }; saturation = {", "no.dat: no such file"},
    {"saturation = {", "endpoints = { swl = 1.5; }; saturation = {", "endpoints.swl: 1.5: must be <= 1"},
    {"saturation = {", "endpoints = { swl = 0.5; swcr = 0.4; }; saturation = {",
     "cell (1,1,1): end points of a cell: swl 0.5 <= swcr 0.4 < swu 1 <= 1 and swl < 1 - sowcr 0.8 <= swu must hold"},
    {"fluids = {\n  water = { density = 1000.0; viscosity = 0.5; };\n"
     "  oil = { density = 800.0; viscosity = 2.0; };\n};",
     "fluids = ( { water = { density = 1000.0; viscosity = 0.5; }; oil = { density = 800.0; viscosity = 2.0; }; },\n"
     "           { water = { density = 1000.0; viscosity = 0.5; }; oil = { density = 800.0; viscosity = 1.0; }; } );\n"
     "regions = { pvt = [1, 2]; };",
     "regions: cells of one region of equilibrium have the pvt 1 and 2: one region, one pvt"},
    {"contact_depth = 3000.0; };", "contact_depth = 3000.0; pressure = 200.0; saturation = 0.2; swatinit = 0.3; };",
     "initial.swatinit: not used with pressure and saturation"},
    {"initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; };",
     "initial = ( { pressure = 200.0; saturation = 0.2; }, { pressure = 200.0; saturation = 0.2; } );",
     "initial: pressure and saturation belong in one group, not in a list"},
    {"initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; };",
     "initial = ( { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; }, { pressure = 200.0; } );",
     "initial[1].pressure: not used in a list of equilibria"},
    {"initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; };",
     "initial = ( { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; }, { saturation = 0.2; } );",
     "initial[1].saturation: not used in a list of equilibria"},
    {"initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; };",
     "initial = ( { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; }, { swatinit = 0.2; } );",
     "initial[1].swatinit: belongs in the first entry of the list"},
    {"datum_depth = 2000.0", "datum_depth = 1e12",
     "deck.cfg:16: the depth of the datum, 1e+12 m, is more than 100000 m away from the cells, which are at 2000 to "
     "2005 m"},
    {"datum_depth = 2000.0", "datum_depth = -1e5",
     "deck.cfg:16: the depth of the datum, -100000 m, is more than 100000"},
    {"contact_depth = 3000.0", "\ncontact_depth = 1e300",
     "deck.cfg:17: the depth of the contact, 1e+300 m, is more than"},
    {"initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; };",
     "regions = { equilibrium = [1, 2]; };"
     "initial = ( { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; },\n"
     "{ datum_depth = 2e9; datum_pressure = 200.0; contact_depth = 3000.0; } );",
     "deck.cfg:17: the depth of the datum, 2e+09 m, is more than 100000 m away from the cells, which are at 2002 to "
     "2005"},
    {"density = 800.0; viscosity = 2.0", "density = 800.0; viscosity = 2.0; compressibility = 1.0",
     "deck.cfg:16: with 200 bar at the datum, 2000 m, the pressure in equilibrium overflows at a depth of 3000 m"},
    /* corners */
    {"dx = 20.0;", "dx = 20.0; corner_point = { zcorn = [1.0]; };", "grid.corner_point: coord is missing"},
    {"dx = 20.0;", "dx = 20.0; corner_point = { coord = 1.0; zcorn = [1.0]; };",
     "grid.corner_point.coord: must be a list of all numbers, or a group with a file"},
    {"dx = 20.0;", "corner_point = { coord = { generator = \"normal\"; }; };",
     "grid.corner_point.coord: must be a list of all numbers, or a group with a file"},
    {"dx = 20.0;", "corner_point = { zcorn = [1.0, 2.0]; };",
     "grid.corner_point.zcorn: 2 values: expected 192 (8 x 6 x 4)"},
    {"dx = 20.0;", "corner_point = { coord = { file = \"short.dat\"; }; };",
     "short.dat: 3 numbers: expected 120 (6 x 5 x 4)"},
    {"dx = 20.0;", "dx = 20.0; corner_point = { };", "grid.dx: not used with corner_point"},
    {"dx = 20.0;", "corner_point = { };", "grid.top: not used with corner_point"},
    {"dx = 20.0;", "corner_point = { }; boxes = ( { set = { dz = 2.0; }; } );",
     "grid.boxes[0].set.dz: cannot be changed with corner_point"},
    {"dx = 20.0;", "dx = 20.0; corner_point = 3;", "grid.corner_point: must be a group"},
    {"dx = 20.0;", "dx = 20.0; pinch = { gap = -1.0; };", "grid.pinch.gap: -1 m: must be >= 0"},
    {"dx = 20.0;", "dx = 20.0; pinch = { only_thin = 1; };", "grid.pinch.only_thin: must be true or false"},
    {"dx = 20.0;\n  dy = 25.0;\n  dz = [2.0, 3.0];\n  top = 2000.0;",
     "corner_point = { coord = { file = \"coord.dat\"; }; zcorn = { file = \"head.dat\"; }; };",
     "grid.corner_point.zcorn: cell 1,1,1: its bottom lies 1 m above its top; depths are positive down"},
    {"dx = 20.0;\n  dy = 25.0;\n  dz = [2.0, 3.0];\n  top = 2000.0;",
     "corner_point = { coord = { file = \"coord.dat\"; }; zcorn = { file = \"zcorn.dat\"; }; };", ""},
#define BLOCKS "dx = 20.0;\n  dy = 25.0;\n  dz = [2.0, 3.0];\n  top = 2000.0;"
#define SYSTEMS(list) \
  "corner_point = { coord = { file = \"both.dat\"; }; zcorn = { file = \"zcorn.dat\"; }; systems = " list "; };"
    {BLOCKS, SYSTEMS("( { k = 1; joined = true; }, { k = 2; } )"), ""},
    {BLOCKS, "corner_point = { coord = { file = \"coord.dat\"; }; systems = ( { k = 1; }, { k = 2; } ); };",
     "coord.dat: 120 numbers: expected 240 (6 x 5 x 8)"},
    {BLOCKS, SYSTEMS("3"), "grid.corner_point.systems: must be a list"},
    {BLOCKS, SYSTEMS("( 1, 2 )"), "grid.corner_point.systems[0]: must be a group"},
    {BLOCKS, SYSTEMS("( { k = 1; }, { joined = false; } )"),
     "grid.corner_point.systems[1]: k is missing: range of its layers"},
    {BLOCKS, SYSTEMS("( { k = 1; }, { k = 1; } )"),
     "grid.corner_point.systems[1]: layers 1 to 1: system 2 of 2 must begin with layer 2"},
    {BLOCKS, SYSTEMS("( { k = 1; }, { k = [2, 4]; } )"),
     "systems[1]: layers 2 to 4: system 2 of 2 must end with layer 2, the last one"},
    {BLOCKS, SYSTEMS("( { k = 1; }, { k = 2; }, { k = 3; } )"),
     "grid.corner_point.systems: 3 systems: the grid has 2 layers"},
    {BLOCKS, SYSTEMS("( { k = 1; }, { k = 2; joined = true; } )"),
     "systems[1].joined: there is no system below the last one"},
    {BLOCKS, SYSTEMS("( { k = 1; beside = 2; }, { k = 2; } )"),
     "systems[0]: systems 2 to 2: those beside system 1 must be a range of 1 to 2"},
    {BLOCKS, SYSTEMS("( { k = 1; beside = [1, 2]; }, { k = 2; } )"),
     "grid.corner_point.systems[0]: system 1 is beside systems 1 to 2, but system 2 beside 2 to 2: must be the same"},
    {BLOCKS, SYSTEMS("( { k = 1; beside = [1, 2]; }, { k = 2; beside = [1, 2]; } )"),
     "grid.corner_point.systems[1]: systems 1 and 2 are beside each other on different pillars: not supported"},
    {"i = 4; j = 3;", "path = ( [1.0, 1.0, 2000.0], [1.0, 1.0, 2004.0] );", ""},
    /* faults */
    {"title", "faults = ( { name = \"F\"; } ); title", "deck.cfg:1: faults[0]: faces is missing"},
    {"title", "faults = ( { faces = ( { face = \"i+\"; } ); } ); title", "faults[0]: name is missing"},
    {"title", "faults = ( { name = \"\"; faces = ( { face = \"i+\"; } ); } ); title",
     "faults[0].name: '': a name must have 1 to 31 characters"},
    {"title",
     "faults = ( { name = \"F\"; faces = ( { face = \"i+\"; } ); }, { name = \"F\"; faces = ( { face = \"i+\"; } ); } "
     "); "
     "title",
     "faults[1].name: 'F': faults[0] has the same name"},
    {"title", "faults = ( { name = \"F\"; multiplier = -1.0; faces = ( { face = \"i+\"; } ); } ); title",
     "faults[0].multiplier: -1: must be >= 0"},
    {"title", "faults = ( { name = \"F\"; faces = ( { face = \"i\"; } ); } ); title", "faults[0].faces[0].face: 'i': "},
    {"title", "faults = ( { name = \"F\"; faces = ( { i = 9; face = \"i+\"; } ); } ); title",
     "faults[0].faces[0].i: 9: the grid has 4 cells along i"},
    {"title", "multipliers = ( { time = 1.0; by = 0.5; } ); title",
     "multipliers[0]: give one of fault, face and connections"},
    {"title", "multipliers = ( { by = 0.5; face = \"i+\"; } ); title", "multipliers[0]: time is missing"},
    {"title", "multipliers = ( { time = 1.0; face = \"i+\"; } ); title", "multipliers[0]: by is missing"},
    {"title", "multipliers = ( { time = 1.0; by = -0.5; face = \"i+\"; } ); title", "multipliers[0].by: -0.5: must be"},
    {"title", "multipliers = ( { time = 1.0; by = 0.5; fault = \"G\"; } ); title",
     "multipliers[0].fault: 'G': no such fault"},
    {"title",
     "faults = ( { name = \"WEST\"; faces = ( { face = \"i+\"; } ); } ); multipliers = ( { time = 1.0; by = 0.5; fault "
     "= "
     "\"WETS\"; } ); title",
     "multipliers[0].fault: 'WETS': no such fault; did you mean 'WEST'?"},
    {"title",
     "faults = ( { name = \"F\"; faces = ( { face = \"i+\"; } ); } ); multipliers = ( { time = 1.0; by = 0.5; fault = "
     "\"F\"; i = 1; } ); title",
     "multipliers[0].i: needs face"},
    {"title",
     "faults = ( { name = \"F\"; faces = ( { face = \"i+\"; } ); } ); multipliers = ( { time = 1.0; by = 0.5; fault = "
     "\"F\"; name = \"G\"; } ); title",
     "multipliers[0].name: not used with fault"},
    {"title", "multipliers = ( { time = 1.0; connections = ( [1, 1, 1, 1, 1, 2] ); } ); title",
     "multipliers[0]: by is missing"},
    {"title", "multipliers = ( { time = 1.0; by = 0.5; connections = ( [1, 1, 1, 1, 1, 2, 3] ); } ); title",
     "multipliers[0].by: not used where rows of connections have their own"},
    {"title", "multipliers = ( { time = 1.0; connections = ( [1, 1, 1, 1, 1, 2, -3] ); } ); title",
     "multipliers[0].connections[0]: the factor must be >= 0"},
    {"title", "multipliers = ( { time = 1.0; by = 0.5; connections = ( [1, 1, 1, 1, 1, 1] ); } ); title",
     "multipliers[0].connections[0]: a cell and itself"},
    {"title", "multipliers = ( { time = 1.0; by = 0.5; connections = ( [1, 1, 1, 1, 1, 3] ); } ); title",
     "multipliers[0].connections[0]: cell 1,1,3: must be whole numbers in 1..4, 1..3, 1..2"},
    {"title",
     "multipliers = ( { time = 1.0; by = 0.5; connections = ( [1, 1, 1, 1, 1, 2], [1, 1, 2, 1, 1, 1] ); } ); title",
     "multipliers[0].connections: cells 1,1,1 and 1,1,2 are there twice"},
    {"permx = 100.0;\n};",
     "permx = 100.0; connections = ( [2, 1, 1, 2, 1, 2, 3] ); };\nmultipliers = ( { time = 1.0; by = 0.5; face = "
     "\"k-\"; "
     "} );",
     "deck.cfg:10: multipliers: a later time cannot multiply the face of cells 2,1,1 and 2,1,2, to which "
     "grid.connections adds"},
    /* thresholds */
    {"title", "thresholds = ( { regions = [1, 2]; } ); title",
     "deck.cfg:1: thresholds[0].regions[1]: 2: must be in 1..1, the entries of initial"},
    {"title", "thresholds = ( { regions = [1, 1]; } ); title", "thresholds[0].regions: a threshold within region 1"},
    {"title", "thresholds = ( { regions = 1; } ); title", "thresholds[0].regions: must be two integers [a, b]"},
    {"title", "thresholds = ( { pressure = -1.0; } ); title", "thresholds[0].pressure: -1 bar: must be >= 0"},
    {"title", "thresholds = ( { pressure = 1.0; } ); title", "thresholds[0]: regions or connections is missing"},
    {"title", "thresholds = ( { regions = [1, 2.0]; } ); title", "holds one type"},
    {"initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; };",
     "initial = { pressure = 200.0; saturation = 0.2; }; thresholds = ( { regions = [1, 2]; } );",
     "thresholds[0]: regions are not used without equilibrium"},
    {"title", "thresholds = ( { connections = ( (1, 1, 1, 1, 1, 2, -1.0) ); } ); title",
     "thresholds[0].connections[0]: the pressure must be >= 0"},
    {"title", "thresholds = ( { connections = ( (1, 1, 1, 1, 1, 1, 1.0) ); } ); title",
     "thresholds[0].connections[0]: a cell and itself"},
    {"title", "thresholds = ( { connections = ( (1, 1, 1, 1, 5, 1, 1.0) ); } ); title",
     "thresholds[0].connections[0]: cell 1,5,1: must be whole numbers"},
    {"title", "faults = ( { name = \"F\"; threshold = -1.0; faces = ( { face = \"i+\"; } ); } ); title",
     "faults[0].threshold: -1 bar: must be >= 0"},
    /* aquifers */
    {"title", "aquifers = ( { datum_depth = 2.0; } ); title", "aquifers[0]: type is missing"},
    {"title", "aquifers = ( { type = \"fetkovitch\"; } ); title", "no such choice; did you mean 'fetkovich'?"},
    {"title", "aquifers = ( { type = \"flux\"; } ); title", "deck.cfg:1: aquifers[0]: flux is missing"},
    {"title", "aquifers = ( { type = \"flux\"; flux = 1.0; angle = 90.0; } ); title",
     "aquifers[0].angle: not used by the type flux"},
    {"title", "aquifers = ( { type = \"flux\"; flux = 1.0; }, { type = \"flux\"; flux = 1.0; number = 1; } ); title",
     "aquifers[1]: aquifers[0] has the number 1, too"},
    {"title", "aquifers = ( { type = \"flux\"; flux = 1.0; number = 0; } ); title",
     "aquifers[0].number: 0: must be > 0"},
    {"title", "aquifers = ( { type = \"flux\"; flux = 1.0; faces = ( { i = 5; face = \"i+\"; } ); } ); title",
     "aquifers[0].faces[0].i: 5: the grid has 4 cells along i"},
    {"title", "aquifers = ( { type = \"flux\"; flux = 1.0; faces = ( { i = 1; face = \"x\"; } ); } ); title",
     "aquifers[0].faces[0].face: 'x': must be i-, i+, j-, j+, k- or k+"},
    {"title", "aquifers = ( { type = \"flux\"; flux = 1.0; faces = ( { i = 1; } ); } ); title",
     "aquifers[0].faces[0]: face is missing"},
    {"title", "aquifers = ( { type = \"flux\"; flux = 1.0; faces = ( { face = \"i+\"; of_face = true; } ); } ); title",
     "aquifers[0].faces[0].of_face: only of a numerical aquifer"},
    {"title", "aquifers = ( { type = \"flux\"; flux = 1.0; connections = ( (5, 1, 1, 2.0) ); } ); title",
     "aquifers[0].connections[0]: cell 5,1,1: must be whole numbers in 1..4, 1..3, 1..2"},
    {"title", "aquifers = ( { type = \"flux\"; flux = 1.0; connections = ( (1, 1, 1, -2.0) ); } ); title",
     "aquifers[0].connections[0]: the influx coefficient must be >= 0"},
    {"permx = 100.0;\n};",
     "permx = 100.0; boxes = ( { i = 1; k = 2; set = { active = false; }; } ); }; aquifers = ( { type = \"flux\"; "
     "flux = 1.0; connections = ( (1, 1, 2, 2.0) ); } );",
     "aquifers[0].connections[0]: cell 1,1,2 is inactive"},
    {"title",
     "aquifers = ( { type = \"carter-tracy\"; datum_depth = 2.0; permeability = 1.0; porosity = 0.2; radius = 0.0; "
     "compressibility = 1e-4; thickness = 2.0; table = ( [0.0, 0.1], [1.0, 0.05] ); pvt = 2; } ); title",
     "aquifers[0].table[1]: times and pressures must rise"},
    {"title", "aquifers = ( { type = \"carter-tracy\"; radius = 0.0; pvt = 2; } ); title",
     "aquifers[0].radius: 0 m: must be > 0"},
    {"title", "aquifers = ( { type = \"carter-tracy\"; pvt = 2; } ); title", "aquifers[0].pvt: 2: there is 1"},
    {"title", "aquifers = ( { type = \"numerical\"; } ); title", "aquifers[0]: cells is missing"},
    {"title", "aquifers = ( { type = \"numerical\"; flux = 1.0; cells = ( { i = 1; j = 1; k = 1; } ); } ); title",
     "aquifers[0].flux: not used by the type numerical"},
    {"title", "aquifers = ( { type = \"numerical\"; cells = ( { i = 1; j = 4; k = 1; } ); } ); title",
     "aquifers[0].cells[0].j: 4: the grid has 3 cells along j"},
    {"title", "aquifers = ( { type = \"numerical\"; cells = ( { i = 1; j = 1; k = 1; length = 2.0; } ); } ); title",
     "aquifers[0].cells[0].length: not used without area"},
    {"title", "aquifers = ( { type = \"numerical\"; cells = ( { i = 1; j = 1; k = 1; area = 2.0; } ); } ); title",
     "aquifers[0].cells[0]: length is missing"},
    {"title",
     "aquifers = ( { type = \"numerical\"; cells = ( { i = 1; j = 1; k = 1; }, { i = 1; j = 1; k = 1; } ); } ); title",
     "aquifers[0].cells[1]: cell 1,1,1 is of aquifer 1 already"},
    {"title",
     "aquifers = ( { type = \"numerical\"; cells = ( { i = 1; j = 1; k = 1; }, { i = 1; j = 1; k = 2; area = 2.0; "
     "length "
     "= 2.0; permeability = 1.0; } ); } ); title",
     "aquifers[0].cells[1]: has an area, other cells of aquifer 1 have not"},
    {"title",
     "aquifers = ( { type = \"numerical\"; cells = ( { i = 1; j = 1; k = 1; } ); faces = ( { face = \"i+\"; } ); } ); "
     "title",
     "aquifers[0].faces: not used where cells have no area"},
    {"title",
     "aquifers = ( { type = \"numerical\"; cells = ( { i = 1; j = 1; k = 1; area = 1.0; length = 1.0; permeability = "
     "1.0; "
     "saturation = 2; } ); faces = ( { face = \"i+\"; coefficient = 2.0; } ); } ); title",
     "aquifers[0].faces[0].coefficient: not used by a numerical aquifer"},
    {"title",
     "aquifers = ( { type = \"numerical\"; cells = ( { i = 1; j = 1; k = 1; area = 1.0; length = 1.0; permeability = "
     "1.0; "
     "saturation = 2; } ); } ); title",
     "aquifers[0].cells[0].saturation: 2: there is 1"},
    {"porosity = 0.2;\n  permx = 100.0;\n};",
     "porosity = 0.0; boxes = ( { i = 2; set = { porosity = 0.2; }; } ); permx = 100.0; };\n"
     "aquifers = ( { type = \"numerical\"; cells = ( { i = 1; j = 1; k = 1; area = 1.0; length = 1.0; permeability = "
     "1.0; "
     "} ); } );",
     "aquifers[0].cells[0]: porosity must be given: the cell has none"},
    /* wells */
    {"name = \"P1\"", "name = \"I1\"", "wells[1].name: 'I1': wells[0] has the same name"},
    {"name = \"P1\"", "name = \"\"", "a well's name must have 1 to 31 characters"},
    {"i = 4; j = 3;", "i = 5; j = 3;", "deck.cfg:19: wells[1].i: well P1: 5: the grid has 4 cells along i"},
    {"i = 4; j = 3;", "i = 4; j = 3; k = [1, 3];", "wells[1].k: well P1: 3: the grid has 2 cells along k"},
    {"i = 4; j = 3;", "i = 4;", "wells[1]: j is missing"},
    {"i = 4; j = 3;", "cells = ( [4, 3, 1], [4, 3, 1] );", "well P1: cell 4,3,1 is there twice"},
    {"porosity = 0.2",
     "active = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]; porosity = 0.2",
     "well P1: all its cells 4,3,1..2 are inactive"},
    {"i = 4; j = 3;", "cells = ( (4, 3, 1, \"w\") );", "must be the direction of the bore"},
    {"i = 4; j = 3;", "cells = ( [4, 3] );", "wells[1].cells[0]: must be a cell"},
    {"i = 4; j = 3;", "i = 4; path = ( [0.0, 0.0, 0.0], [1.0, 1.0, 1.0] );",
     "give either i, j and k, or cells, or a path"},
    {"i = 4; j = 3;", "path = ( [1.0, 1.0, 1.0], [1.0, 1.0, 1.0] );", "wells[1].path[1]: the same point twice"},
    {"radius = 0.1; control = \"bhp\"", "radius = 0.1; diameter = 0.2; control = \"bhp\"",
     "give either radius or diameter"},
    {"radius = 0.1; control = \"bhp\"", "control = \"bhp\"", "wells[1]: radius is missing"},
    {"type = \"producer\"; ", "", "wells[1]: type is missing"},
    {"type = \"producer\"; ", "type = \"producer\"; phase = \"oil\"; ",
     "well P1 is a producer: 'phase' is for injectors"},
    {"control = \"bhp\"; ", "", "wells[1]: control is missing"},
    {"control = \"bhp\"; bhp = 150.0;", "control = \"bhp\";", "well P1: its control needs a number: bhp is missing"},
    {"control = \"bhp\"; bhp = 150.0;", "control = \"oil-rate\"; bhp = 150.0;", "oil_rate is missing"},
    {"control = \"bhp\"; bhp = 150.0;", "control = \"rate\"; rate = 150.0;",
     "well P1 is a producer: 'rate' is for injectors"},
    {"control = \"rate\"; rate = 10.0;", "control = \"oil-rate\"; oil_rate = 10.0;",
     "well I1 injects water: give its rate as 'rate'"},
    {"control = \"bhp\"; bhp = 150.0;", "control = \"bhp\"; bhp = \"low\";",
     "wells[1].bhp: 'low': must be a number or \"none\""},
    {"radius = 0.1; control = \"bhp\"", "connection_factors = [2.0]; radius = 0.1; control = \"bhp\"",
     "wells[1].connection_factors: must be a list of 2 numbers, one for each perforated cell"},
    {"radius = 0.1; control = \"bhp\"", "connection_factors = [2.0, -1.0]; radius = 0.1; control = \"bhp\"",
     "wells[1].connection_factors[1]: -1: must be >= 0"},
    {"radius = 0.1; control = \"bhp\"", "efficiency = 1.5; radius = 0.1; control = \"bhp\"",
     "wells[1].efficiency: 1.5: must be > 0, <= 1"},
    {"radius = 0.1; control = \"bhp\"", "max_water_cut = 2.0; radius = 0.1; control = \"bhp\"",
     "wells[1].max_water_cut: 2: must be in 0..1"},
    /* schedule and reports */
    {"well = \"P1\"", "well = \"P2\"", "deck.cfg:21: schedule[0].well: 'P2': no such well; did you mean 'P1'?"},
    {"well = \"P1\"", "well = \"Q*\"", "schedule[0].well: 'Q*': no well has such a name"},
    {"well = \"P1\"; bhp = 140.0;", "well = \"P1\";", "schedule[0]: changes nothing"},
    {"well = \"P1\"; bhp = 140.0;", "bhp = 140.0;", "schedule[0]: well is missing"},
    {"bhp = 140.0; }", "bhp = 140.0; k = 1; }",
     "schedule[0].k: needs perforations, multiply_index, completion or connection_factor"},
    {"bhp = 140.0; }", "perforations = \"open\"; i = 1; }", "schedule[0]: well P1 has no perforation there"},
    {"bhp = 140.0; }", "perforations = \"ajar\"; }", "schedule[0].perforations: 'ajar': must be open or shut"},
    {"bhp = 140.0; }", "completion = 0; }", "schedule[0].completion: 0: must be > 0"},
    {"bhp = 140.0; }", "multiply_index = -1.0; }", "schedule[0].multiply_index: -1: must be >= 0"},
    {"bhp = 140.0; }", "workover = \"some\"; }", "schedule[0].workover: 'some': no such choice; did you mean 'none'?"},
    {"time = 10.0", "time = -1.0", "schedule[0].time: -1 day: must be >= 0"},
    {"control = \"bhp\"; bhp = 150.0;", "status = \"shut\";", ""},
    {"end = 30.0", "times = [10.0, 10.0]", "report.times[1]: 10 day: times must rise, but 10 day comes before it"},
    {"end = 30.0", "times = [-1.0]", "report.times[0]: -1 day: must be > 0"},
    {"end = 30.0", "times = [10.0]; every = 1.0", "give either every or times"},
    {"end = 30.0", "every = 5.0", "report: end is missing"},
    {"end = 30.0", "end = 30.0; every = 1e-9", "reports are too many"},
    /* libconfig's own */
    {"dz = [2.0, 3.0]", "dz = [2.0, 3]", "an array [ ] holds one type"},
    {"title", "title = \"a\"; title", "the key is there twice"},
    {"title", "@include \"no.cfg\"\ntitle",
     "deck.cfg:1: @include: no.cfg: no such file; paths are relative to the deck's folder"},
    {"title", "@include \"/no.cfg\"\ntitle", "deck.cfg:1: @include: the path begins with '/'"},
    {"title", "/* title", "deck.cfg:1: the comment that '/*' opens here is not closed"},
    {"title", "title = \"a;\ntitle", "deck.cfg:1: the text that '\"' opens here ends in line 2"},
    {"grid = {", "grid = {{", "deck.cfg:2: '{' holds groups: a list of groups is ( {..}, {..} )"},
    {"wells = (", "wells = {", "deck.cfg:17: '{' holds groups: a list of groups is"},
    {");\nschedule", "];\nschedule", "deck.cfg:17: '(' is not closed: ']' follows in line 20"},
    {");\nschedule", ";\nschedule", "deck.cfg:17: '(' is not closed"},
    {"};\nfluids", "fluids", "deck.cfg:2: '{' is not closed"},
    {"title", "/* ( */ title = \"(\"; # {\n}; title", "deck.cfg:2: '}' closes nothing"},
    {"porosity = 0.2;", "porosity 0.2;", "deck.cfg:8: syntax error"},
    {"grid = {", "GRID = {", "deck.cfg:2: GRID: unknown key; did you mean 'grid'?"},
    {"permx = 100.0", "permx = { file = \"~/no.dat\"; }",
     "~/no.dat: no such file; ~ stands for a home folder in a shell"},
};

/* All faults at once, in the order of their lines, at most twenty printed. */
static void check_many(void) {
  char deck[16384] = "", *at = deck;
  for (int n = 0; n < 30; ++n) at += sprintf(at, "unknown_%d = 1;\n", n);
  strcat(deck, deck_base);
  hp_diag diag;
  hp_case *c;
  CHECK(deck_read(deck, 0, NULL, &diag, &c) == HP_ERR_DECK);
  CHECK(diag.errors == 30);
  char *messages = deck_messages(&diag);
  CHECK(strncmp(messages, "deck.cfg:1: unknown_0: unknown key", 34) == 0);
  CHECK(strstr(messages, "deck.cfg:20: unknown_19") != NULL);
  CHECK(strstr(messages, "deck.cfg:21: ") == NULL);
  CHECK(strstr(messages, "... and 10 more errors") != NULL);
  free(messages);
  hp_diag_clear(&diag);
}

/* Faults in an included file are reported with that file's name. */
static void check_included(void) {
  static const char *const inner[][2] = {
      {"\ntimestep = { growht = 2.0; };\n", "inner.cfg:2: timestep.growht: unknown key; did you mean 'growth'?"},
      {"\ntimestep = { growth = 2.0;\n\n", "inner.cfg:2: '{' is not closed"},
      {"\ntimestep = { growth = 2.0; ];\n", "inner.cfg:2: '{' is not closed: ']' follows in line 2"},
      {"\n\ntimestep = { growth = 2.0; }; };\n", "inner.cfg:3: '}' closes nothing"}};
  char deck[8192];
  CHECK(deck_change("title", "@include \"inner.cfg\"\ntitle", deck, sizeof deck));
  for (size_t n = 0; n < sizeof inner / sizeof inner[0]; ++n) {
    hp_diag diag;
    hp_case *c;
    deck_write("inner.cfg", inner[n][0], strlen(inner[n][0]));
    CHECK(deck_read(deck, 0, NULL, &diag, &c) == HP_ERR_DECK);
    char *messages = deck_messages(&diag);
    if (strstr(messages, inner[n][1]) == NULL) fprintf(stderr, "expected: %s\ngot: %s", inner[n][1], messages);
    CHECK(strstr(messages, inner[n][1]) != NULL);
    free(messages);
    hp_diag_clear(&diag);
  }
  deck_remove("inner.cfg");
}

static void check_files(void) {
  hp_diag diag;
  hp_case *c;
  hp_diag_init(&diag);
  CHECK(hp_case_read(deck_path("none.cfg"), 0, NULL, &diag, &c) == HP_ERR_FILE);
  CHECK(strstr(hp_fail_text(), "none.cfg: no such file") != NULL);
  CHECK(hp_case_read("/tmp", 0, NULL, &diag, &c) == HP_ERR_FILE);
  hp_diag_clear(&diag);
}

int main(void) {
  deck_write("short.dat", "1 2 3\n", 6);
  deck_write("word.dat", "1 2 3\n4 x 6\n", 12);
  deck_write("key.dat", "PERMX\n 20*1 3*2 /\n", 18);
  write_corners();
  deck_check_wrong("title", "title", ""); /* the base deck itself is right */
  for (size_t n = 0; n < sizeof wrong / sizeof wrong[0]; ++n)
    deck_check_wrong(wrong[n].from, wrong[n].to, wrong[n].message);
  check_many();
  check_included();
  check_files();
  remove_corners();
  deck_remove("short.dat");
  deck_remove("word.dat");
  deck_remove("key.dat");
  deck_remove("deck.cfg");
  return check_result();
}
