/* Faults that stop an Eclipse deck: each with file, line and keyword, and as many as can be found at once. */
#define _POSIX_C_SOURCE 200809L
#include "io/deck/deck.h"
#include "io/eclipse/impl.h"
#include "tests/support/eclipse_deck.h"

typedef enum { RUNSPEC, GRID, EDIT, PROPS, SOLUTION, SUMMARY, SCHEDULE, SECTIONS } section;

/* The base deck with `text` added to the end of a section. */
static deck with(section where, const char *text) {
  static char grown[8192];
  deck d = deck_base();
  const char **part[SECTIONS] = {&d.runspec, &d.grid, &d.edit, &d.props, &d.solution, &d.summary, &d.schedule};
  snprintf(grown, sizeof grown, "%s%s", *part[where], text);
  *part[where] = grown;
  return d;
}

/* Line of the fault: that of the text `at`. */
static const struct {
  section where;
  const char *text, *at, *message;
} fault[] = {
    /* keywords */
    {GRID, "POROO\n 12*1 /\n", "POROO", "POROO: unknown keyword; did you mean 'PORO'?"},
    {GRID, "QQQQQQQQ\n", "QQQQQQQQ", "QQQQQQQQ: unknown keyword"},
    {GRID, "VERYLONGKEYWORD\n", "VERYLONGKEYWORD", "VERYLONGKEYWORD: unknown keyword"},
    {GRID, "SWOF\n-- here\n", "SWOF", "SWOF: belongs in PROPS, not in GRID"},
    {SCHEDULE, "poro\n 12*1 /\n", "poro", "PORO: belongs in GRID, not in SCHEDULE"},
    {RUNSPEC, "GAS\nDISGAS\n", "DISGAS", "DISGAS: not supported: hepta simulates oil and water only"},
    {RUNSPEC, "VAPOIL\n", "VAPOIL", "VAPOIL: not supported: hepta simulates oil and water only"},
    {SCHEDULE, "WELSPECS\n 'A/B' G 1 1 1* OIL /\n A_B G 2 1 1* OIL /\n/\n", " A_B G 2 1 1* OIL /",
     "'A_B': well 'A/B' has the same name in result files: '/' is '_' there"},
#define LIFT_TABLE(head, gas, row) \
  "VFPPROD\n " head " /\n 1 2 /\n 3 4 /\n 0 /\n " gas " /\n 0 /\n 1 1 1 1 10 20 /\n 2 1 1 1 " row " /\n"
    {SCHEDULE, LIFT_TABLE("1 0 LIQ WGR GOR", "0", "30 40"), " 1 0 LIQ WGR GOR /",
     "item 4 (ratio of water): 'WGR' is not supported"},
    {SCHEDULE, LIFT_TABLE("1 0 GAS WCT GOR", "0", "30 40"), " 1 0 GAS WCT GOR /",
     "item 3 (rate): 'GAS' is not supported"},
    {SCHEDULE, LIFT_TABLE("1 0 LIQ WCT GOR THP '' FIELD", "0", "30 40"), " 1 0 LIQ WCT GOR THP '' FIELD /",
     "item 8 (units): must be the deck's"},
    {SCHEDULE, LIFT_TABLE("1 0 LIQ WCT GOR THP '' METRIC TEMP", "0", "30 40"), " 1 0 LIQ WCT GOR THP '' METRIC TEMP /",
     "item 9 (what the table holds)"},
    {SCHEDULE, LIFT_TABLE("1 0 LIQ WCT GOR", "5 6", "30 40"), " 1 0 LIQ WCT GOR /", "oil and water have no free gas"},
    {SCHEDULE, LIFT_TABLE("1 0 LIQ WCT GOR", "0", "10 15"), " 1 0 LIQ WCT GOR /",
     "table 1: its bhp must rise with thp"},
    {SCHEDULE, LIFT_TABLE("1 0 LIQ WCT GOR", "0", "30"), "VFPPROD", "a row of 5 numbers: 4 indices and 2 pressures"},
    {SCHEDULE, LIFT_TABLE("1 0 LIQ WCT GOR", "0", "30 40") LIFT_TABLE("1 0.0 LIQ WCT GOR", "0", "30 41"),
     " 1 0.0 LIQ WCT GOR /", "table 1 is another one already"},
    {SCHEDULE, "WCONPROD\n 'P' OPEN ORAT 10 4* 100 20 1 /\n/\n", " 'P' OPEN ORAT 10 4* 100 20 1 /",
     "item 11 (lift table): VFPPROD 1 has not come yet"},
    {SCHEDULE, "WCONPROD\n 'P' OPEN ORAT 10 4* 100 20 /\n/\n", " 'P' OPEN ORAT 10 4* 100 20 /",
     "well P: a tubing-head pressure needs a lift table"},
    {SCHEDULE, "WCONPROD\n 'P' OPEN THP 5* 100 20 /\n/\n", " 'P' OPEN THP 5* 100 20 /",
     "well P: a tubing-head pressure needs a lift table"},
    {SCHEDULE, "WELTARG\n 'P' VFP 3 /\n/\n", " 'P' VFP 3 /", "item 3 (value): 3: there is no such table yet"},
    {SCHEDULE, "WELCNTL\n 'P' LIFT 3 /\n/\n", " 'P' LIFT 3 /", "VFP and LIFT are no controls"},
    {SCHEDULE, "WRFTPLT\n 'P' SOON /\n/\n", " 'P' SOON /", "item 2 (RFT): 'SOON' is not supported"},
    {SCHEDULE, "RPTRST\n BASIC = 2 FLOWS\nTSTEP\n 1 /\n", "TSTEP", "TSTEP follows: the '/' that ends the data"},
    {SCHEDULE, "WRFT\n Q /\n/\n", " Q /", "no well 'Q'"},
    {SCHEDULE, "WPAVE\n 1.5 /\n", " 1.5 /", "item 1 (weight of the connected cell): 1.5: must be <= 1"},
    {SCHEDULE, "WWPAVE\n P 1* 2 /\n/\n", " P 1* 2 /", "item 3 (weight of connection factors): 2: must be <= 1"},
    {SCHEDULE, "WPAVEDEP\n P deep /\n/\n", " P deep /", "item 2 (reference depth): 'deep' is not a number"},
    {SCHEDULE, "WTEST\n 'P' 1 EX /\n/\n", " 'P' 1 EX /", "item 3 (reasons): 'EX': letters of PEGDC"},
    {SCHEDULE, "WTEST\n 'P' 1* E /\n/\n", " 'P' 1* E /", "item 2 (interval): missing"},
    {SCHEDULE, "WTEST\n 'P' -1 E /\n/\n", " 'P' -1 E /", "item 2 (interval)"},
    {SCHEDULE, "WECON\n 'P' 1 1* 1.5 /\n/\n", " 'P' 1 1* 1.5 /", "item 4 (largest water cut): 1.5: must be <= 1"},
    {SCHEDULE, "WECON\n 'P' 1 5 /\n/\n", " 'P' 1 5 /", "item 3 (smallest gas rate): '5' is not supported"},
    {SCHEDULE, "WECON\n 'P' 2* 0.9 2* PLUG /\n/\n", " 'P' 2* 0.9 2* PLUG /", "item 7 (workover): 'PLUG'"},
    {SCHEDULE, "WECON\n 'P' 2* 0.9 2* WELL NO P2 /\n/\n", " 'P' 2* 0.9 2* WELL NO P2 /",
     "item 9 (follow-on well): 'P2': follow-on wells are not supported"},
    {SCHEDULE, "WEFAC\n 'P' 1.5 /\n/\n", " 'P' 1.5 /", "item 2 (efficiency factor): 1.5: must be <= 1"},
    {SCHEDULE, "WPIMULT\n P 2 /\n P 3 /\n/\n", " P 3 /", "well P has a WPIMULT for all its connections at this time"},
    {SCHEDULE, "WPIMULT\n P 2 2* 2 /\n P 3 1 /\n/\n", " P 3 1 /", "well P has no such connection"},
    {SCHEDULE, "WPIMULT\n P -2 /\n/\n", " P -2 /", "item 2 (multiplier): '-2' must be >= 0"},
    {SCHEDULE, "WCONHIST\n P OPEN GRAT 5 5 /\n/\n", " P OPEN GRAT 5 5 /", "item 3 (control): 'GRAT' is not supported"},
    {SCHEDULE, "WCONHIST\n P OPEN /\n/\n", " P OPEN /", "an open well needs a control (item 3)"},
    {SCHEDULE, "WCONHIST\n P OPEN BHP 5 5 /\n/\n", " P OPEN BHP 5 5 /", "control by BHP without a target"},
    {SCHEDULE, "WCONINJH\n I GAS OPEN 5 /\n/\n", " I GAS OPEN 5 /", "item 2 (phase): 'GAS' is not supported"},
    {SCHEDULE, "WCONINJH\n I WATER OPEN 5 7* BHP /\n/\n", " I WATER OPEN 5 7* BHP /",
     "control by BHP without a target"},
    {SCHEDULE, "WHISTCTL\n GRAT /\n", " GRAT /", "item 1 (control): 'GRAT' is not supported"},
    {SCHEDULE, "WEFAC\n P 0 /\n/\n", " P 0 /", "item 2 (efficiency factor): '0' must be > 0"},
    {SCHEDULE, "WELOPEN\n P SHUT 2* 7 /\n/\n", " P SHUT 2* 7 /", "well P has no such connection"},
    {SCHEDULE, "COMPDAT\n P 2* 1 1 OPEN 2* 900 /\n/\n", " P 2* 1 1 OPEN 2* 900 /", "no positive well index"},
    {GRID, "COORDSYS\n 1 1 /\n 2 2 /\n", " 1 1 /",
     "COORDSYS: layers 1 to 1: system 1 of 1 must end with layer 2, the last one"},
    {GRID, "COORDSYS\n 2 2 /\n", " 2 2 /", "COORDSYS: layers 2 to 2: system 1 of 1 must begin with layer 1"},
    {GRID, "COORDSYS\n 1 2 COMP /\n", " 1 2 COMP /", "COORDSYS: item 3: COMP: grids that close to a circle"},
    {GRID, "COORD\n 1 2 3 /\n", "COORD", "COORD: 3 values, 72 are needed"},
    {GRID, "DRV\n 1 2 3 /\n", "DRV", "hepta's grids are DX, DY, DZ, TOPS, or COORD and ZCORN"},
    {PROPS, "GRID\n", "GRID", "come in the order RUNSPEC, GRID"},
    {GRID, "12 13 /\n", "12 13 /", "a keyword is expected here, found '12'"},
    {GRID, "ENDINC\n", "ENDINC", "is not in an included file"},
    {GRID, "SKIP\nPORO\n", "SKIP", "ENDSKIP is missing"},
    {GRID, "MINPV 5 /\n", "MINPV 5 /", "'5 /' on the keyword's line is ignored"},
    {GRID, "PORO mD/\n 12*1 /\n", "PORO mD/", "on the keyword's line is ignored"},
    /* records and arrays */
    {GRID, "PORO\n 12*0.1\nNTG\n 12*1 /\n", "NTG", "NTG follows: the '/' that ends the data from line"},
    {GRID, "PORO\n 11*0.1 /\n", "PORO", "11 values, the box has 12 cells"},
    {GRID, "PORO\n 11*0.1\n 2*0.2 /\n", " 2*0.2 /", "more than the 12 values of the box"},
    {GRID, "PORO\n 6*0.1\n 6*0.l /\n", " 6*0.l /", "'0.l' is not a number"},
    {GRID, "PORO\n 12*1.5 /\n", "PORO", "PORO: cell (1,1,1): 1.5: must be in 0..1"},
    {GRID, "PORO\n 12*-0.5 /\n", "PORO", "PORO: cell (1,1,1): -0.5: must be in 0..1"},
    {GRID, "PERMX\n 5*1 -1 6*1 /\n", "PERMX", "PERMX: cell (3,2,1): -1 mD: must be >= 0"},
    {GRID, "EQUALS\n DX 0 2 2 1 1 1 1 /\n/\n", " DX 0 2 2 1 1 1 1 /", "DX: cell (2,1,1): 0 m: must be > 0"},
    {GRID, "EQUALS\n ACTNUM 0.5 /\n/\n", " ACTNUM 0.5 /", "ACTNUM: cell (1,1,1): 0.5: must be 0 or 1"},
    {GRID, "EQUALS\n PORO 0.2 1 4 /\n/\n", " PORO 0.2 1 4 /", "box i1..i4: must rise within 1..3"},
    {GRID, "EQUALS\n PORO 0.2 2* 2 1 /\n/\n", " PORO 0.2 2* 2 1 /", "box j2..j1: must rise within 1..2"},
    {GRID, "EQUALS\n PORE 0.2 /\n/\n", " PORE 0.2 /", "'PORE' is not an array that hepta knows"},
    {GRID, "EQUALS\n SWAT 0.2 /\n/\n", " SWAT 0.2 /", "SWAT belongs in SOLUTION"},
    {GRID, "EQUALS\n PORO /\n/\n", " PORO /", "item 2 (value) is missing"},
    {GRID, "EQUALS\n PORO 1 1 1 1 1 1 1 5 /\n/\n", " PORO 1 1 1 1 1 1 1 5 /",
     "'5' is one item too many: 8 are supported"},
    {GRID, "COPY\n PERMX PORO /\n/\n", " PERMX PORO /", "PORO: cell (1,1,1): 100: must be in 0..1"},
    {GRID, "BOX\n 1 1 1 2 /\nPORO\n 3*1 /\n", "PORO", "3 values, the box has 4 cells"},
    {GRID, "DXV\n 1 2 3 /\n", "DXV", "DXV: DX is given already"},
    {GRID, "DXV\n 1 2 /\n", "DXV", "2 values, 3 are needed"},
    {GRID, "DXV\n 1 2 0 /\n", "DXV", "value 3 is 0: must be > 0"},
    {GRID, "SPECGRID\n 3 2 1 /\n", " 3 2 1 /", "3 x 2 x 1 cells, DIMENS says 3 x 2 x 2"},
    {GRID, "SPECGRID\n 3 2 2 1 T /\n", " 3 2 2 1 T /", "item 5 (radial coordinates): 'T' is not supported"},
    /* in regions */
    {GRID, "ADDREG\n PORO 0.1 1 /\n/\n", " PORO 0.1 1 /", "ADDREG: MULTNUM must be given before"},
    {GRID, "COPYREG\n PORO NTG 1 F /\n/\n", " PORO NTG 1 F /", "COPYREG: FLUXNUM must be given before"},
    {GRID, "MULTNUM\n 12*1 /\nADDREG\n PORE 0.1 1 /\n/\n", " PORE 0.1 1 /", "'PORE' is not an array that hepta knows"},
    {GRID, "MULTNUM\n 12*1 /\nEQUALREG\n PORO 1.5 1 /\n/\n", " PORO 1.5 1 /", "PORO: cell (1,1,1): 1.5: must be in"},
    {GRID, "MULTNUM\n 12*1 /\nMULTIREG\n PORO 0.1 1 Q /\n/\n", " PORO 0.1 1 Q /",
     "item 4 (regions by): 'Q' is not supported, only M|F|O"},
    {GRID, "OPERNUM\n 12*1 /\nOPERATER\n PORO 1 NOSUCH PORO 1 /\n/\n", " PORO 1 NOSUCH PORO 1 /",
     "item 3 (operation): 'NOSUCH' is not supported, only COPY|MULTA"},
    {GRID, "FAULTS\n A2345678901234567890123456789012 1 1 1 1 1 1 X /\n/\n",
     " A2345678901234567890123456789012 1 1 1 1 1 1 X /", "a name of more than 31 characters"},
    {GRID, "FAULTS\n A 1 4 1 1 1 1 X /\n/\n", " A 1 4 1 1 1 1 X /", "box i1..i4: must rise within 1..3"},
    {GRID, "FAULTS\n A 1 1 1 1 1 1 W /\n/\n", " A 1 1 1 1 1 1 W /", "item 8 (face): 'W' is not supported"},
    {GRID, "MULTFLT\n A2345678901234567890123456789012 1 /\n/\n", " A2345678901234567890123456789012 1 /",
     "a name of more than 31 characters"},
    {GRID, "FAULTS\n F 1 2 1 1 1 1 X /\n/\n", " F 1 2 1 1 1 1 X /",
     "FAULTS: i1..2: faces along i lie in one plane: give a record for each i"},
    {GRID, "FAULTS\n F 1 2 1 1 1 2 K- /\n/\n", " F 1 2 1 1 1 2 K- /", "k1..2: faces along k lie in one plane"},
    {GRID, "DEPTHZ\n 11*2000 2001 /\n", "DEPTHZ", "value 12 is 2001, the first one 2000: corners at several depths"},
    {GRID, "DEPTHZ\n 11*2000 /\n", "DEPTHZ", "11 values, 12 are needed"},
    {GRID, "MINPVV\n 6*1 6*1E6 /\nPINCH\n/\n", "MINPVV", "MINPVV: with PINCH it must be the same in all cells"},
    {GRID, "MINPVV\n 12*-1 /\n", "MINPVV", "MINPVV: cell (1,1,1): -1 rm3: must be >= 0"},
    {PROPS, "GRAVITY\n -140 /\n", " -140 /", "item 1 (oil, degrees API): -140: must be > -131.5"},
    {SCHEDULE, "NOSIM\n", "NOSIM", "behind the first report step it is not supported"},
    {GRID, "MULTREGT\n 1 2 0.5 XW /\n/\n", " 1 2 0.5 XW /", "item 4 (directions): 'XW': only X, Y and Z"},
    {GRID, "MULTREGT\n 1 2 -1 /\n/\n", " 1 2 -1 /", "item 3 (multiplier): '-1' must be >= 0"},
    /* connections */
    {GRID, "NNC\n 1 1 1 4 1 1 5 /\n/\n", " 1 1 1 4 1 1 5 /", "item 4: i4: the grid has 3"},
    {GRID, "NNC\n 1 1 1 0 1 1 5 /\n/\n", " 1 1 1 0 1 1 5 /", "item 4 (other I): '0' must be > 0"},
    {GRID, "NNC\n 1 1 1 1 1 1 5 /\n/\n", " 1 1 1 1 1 1 5 /", "a cell and itself"},
    {GRID, "NNC\n 1 1 1 3 1 1 -5 /\n/\n", " 1 1 1 3 1 1 -5 /", "item 7 (transmissibility): '-5' must be >= 0"},
    {GRID, "NNC\n 1 1 1 3 1 1 5 2 /\n/\n", " 1 1 1 3 1 1 5 2 /", "item 8 (saturation table)"},
    {GRID, "NNC\n 1 1 1 3 1 /\n/\n", " 1 1 1 3 1 /", "item 6 (other K) is missing"},
    {GRID, "EDIT\nEDITNNCR\n 1 1 1 3 1 1 /\n/\n", " 1 1 1 3 1 1 /", "item 7 (transmissibility) is missing"},
    {GRID, "EDITNNC\n 1 1 1 3 1 1 2 /\n/\n", "EDITNNC", "belongs in EDIT, not in GRID"},
    {GRID, "PINCH\n -1 /\n", " -1 /", "item 1 (thickness): '-1' must be >= 0"},
    {GRID, "PINCH\n 1* GUP /\n", " 1* GUP /", "item 2 (gap): 'GUP' is not supported"},
    {GRID, "PINCH\n 3* BOT /\n", " 3* BOT /", "item 4 (transmissibility): 'BOT' is not supported"},
    {GRID, "PINCH\n 4* BOT /\n", " 4* BOT /", "item 5 (multipliers): 'BOT' is not supported"},
    {GRID, "PINCHREG\n 0.1 /\n/\n", "PINCHREG", "other connections than faults, PINCH, NNC"},
    {GRID, "MINPVFIL\n 1 /\n", "MINPVFIL", "MINPV is supported"},
    {GRID, "MULTREGT\n 1 2 0.5 1* NNC M /\n/\n", " 1 2 0.5 1* NNC M /",
     "means regions of MULTNUM, which the deck does not"},
    /* aquifers */
    {SOLUTION, "AQUCT\n 1 2000 200 0 0.2 1E-5 100 10 /\n/\n", " 1 2000 200 0 0.2 1E-5 100 10 /",
     "AQUCT: item 4 (permeability): '0' must be > 0"},
    {SOLUTION, "AQUFETP\n 1 2000 200 1E6 1E-4 10 /\n/\nAQUCT\n 1 2000 200 50 0.2 1E-5 100 10 /\n/\n",
     " 1 2000 200 50 0.2 1E-5 100 10 /", "AQUCT: aquifer 1 is one of AQUFETP (line "},
    {SOLUTION, "AQUCT\n 1 2000 200 50 0.2 1E-5 100 10 400 /\n/\n", " 1 2000 200 50 0.2 1E-5 100 10 400 /",
     "AQUCT: item 9 (angle): 400: must be <= 360"},
    {SOLUTION, "AQUCT\n 0 2000 200 50 0.2 1E-5 100 10 /\n/\n", " 0 2000 200 50 0.2 1E-5 100 10 /",
     "AQUCT: item 1 (aquifer): '0' must be > 0"},
    {SOLUTION, "AQUCT\n 1 2000 200 50 0.2 1E-5 100 10 1* 2 /\n/\n", " 1 2000 200 50 0.2 1E-5 100 10 1* 2 /",
     "AQUCT: table 2 of water properties: there are 1"},
    {SOLUTION, "AQUCT\n 1 2000 200 50 0.2 1E-5 100 10 2* 2 /\n/\n", " 1 2000 200 50 0.2 1E-5 100 10 2* 2 /",
     "AQUCT: item 11: table 2: AQUTAB has 0, from table 2 on"},
    {PROPS, "AQUTAB\n 1 1 /\n", "AQUTAB", "AQUTAB: table 2: at least two rows are needed"},
    {PROPS, "AQUTAB\n 0.1 1\n 0.2 2\n 0.2 3 /\n", "AQUTAB", "AQUTAB: table 2, row 3: times and pressures must rise"},
    {PROPS, "AQUTAB\n 0.1 1\n 0.2 1.5 /\n 0.1 1\n 0.2 2.5 /\n", "AQUTAB",
     "AQUTAB: table 3, row 2: the pressure rises by more than in proportion to the time"},
    {PROPS, "AQUTAB\n 0.1 1\n 0.2 1* /\n", "AQUTAB", "AQUTAB: table 2, row 2: time and pressure must be given"},
    {PROPS, "AQUTAB\n 0.1 1 0.2 /\n", "AQUTAB", "AQUTAB: 3 values do not make rows of 2 columns"},
    {SOLUTION, "AQUFETP\n 1 2000 200 1E6 1E-5 0 /\n/\n", " 1 2000 200 1E6 1E-5 0 /",
     "AQUFETP: item 6 (productivity index): '0' must be > 0"},
    {SOLUTION, "AQUFETP\n 1 2000 200 1* 1E-5 5 /\n/\n", " 1 2000 200 1* 1E-5 5 /",
     "AQUFETP: item 4 (volume) is missing"},
    {SOLUTION, "AQUFLUX\n 1 /\n/\n", " 1 /", "AQUFLUX: item 2 (flux) is missing"},
    {SCHEDULE, "AQUFLUX\n 1 5 /\n/\n", "AQUFLUX", "AQUFLUX: belongs in SOLUTION, not in SCHEDULE"},
    {SOLUTION, "AQUANCON\n 1 1 1 1 2 1 2 I- /\n/\n", " 1 1 1 1 2 1 2 I- /",
     "AQUANCON: aquifer 1: no AQUCT, AQUFETP or AQUFLUX defines it"},
    {SOLUTION, "AQUFLUX\n 1 5 /\n/\nAQUANCON\n 1 1 4 1 2 1 2 I- /\n/\n", " 1 1 4 1 2 1 2 I- /",
     "AQUANCON: box i1..i4: must rise within 1..3"},
    {SOLUTION, "AQUFLUX\n 1 5 /\n/\nAQUANCON\n 1 1 1 1 2 1 2 W /\n/\n", " 1 1 1 1 2 1 2 W /",
     "AQUANCON: item 8 (face): 'W' is not supported"},
    {SOLUTION, "AQUFLUX\n 1 5 /\n/\nAQUANCON\n 1 1 1 1 2 1 2 I- -1 /\n/\n", " 1 1 1 1 2 1 2 I- -1 /",
     "AQUANCON: item 9 (influx coefficient): '-1' must be >= 0"},
    {GRID, "AQUNUM\n 1 1 1 1 /\n/\n", " 1 1 1 1 /", "AQUNUM: item 5 (cross-section) is missing"},
    {GRID, "AQUNUM\n 1 1 4 1 1E4 100 0.2 100 /\n/\n", " 1 1 4 1 1E4 100 0.2 100 /",
     "AQUNUM: item 3: j4: the grid has 2"},
    {GRID, "AQUNUM\n 1 1 1 1 1E4 0 0.2 100 /\n/\n", " 1 1 1 1 1E4 0 0.2 100 /",
     "AQUNUM: item 6 (length): '0' must be > 0"},
    {GRID, "AQUNUM\n 1 1 1 1 1E4 100 0.2 100 /\n 2 1 1 1 1E4 100 0.3 100 /\n/\n", " 2 1 1 1 1E4 100 0.3 100 /",
     "AQUNUM: cell (1,1,1) is of aquifer 1 already"},
    {GRID, "AQUNUM\n 1 1 1 1 1E4 100 0.2 100 3* 2 /\n/\n", " 1 1 1 1 1E4 100 0.2 100 3* 2 /",
     "SATNUM: cell (1,1,1): 2, there is only 1"},
    {GRID, "AQUCON\n 1 1 1 1 1 1 1 I- /\n/\n", " 1 1 1 1 1 1 1 I- /", "AQUCON: aquifer 1: no AQUNUM defines it"},
    {GRID, "AQUNUM\n 1 1 1 1 1E4 100 0.2 100 /\n/\nAQUCON\n 1 2 2 1 1 1 1 I- 1 2 /\n/\n", " 1 2 2 1 1 1 1 I- 1 2 /",
     "AQUCON: item 10: option 2: must be 0 or 1"},
    {GRID, "AQUNUM\n 1 1 1 1 1E4 100 0.2 100 /\n/\nAQUCON\n 1 2 2 1 1 1 1 I- 3* 0.5 /\n/\n",
     " 1 2 2 1 1 1 1 I- 3* 0.5 /", "AQUCON: item 12 (vertical equilibrium of relative permeabilities): '0.5'"},
    {GRID, "AQUNNC\n 1 1 /\n/\n", "AQUNNC", "AQUNNC: not supported: other aquifers than AQUCT"},
    /* compaction */
    {RUNSPEC, "ROCKCOMP\n HYSTER /\n", " HYSTER /",
     "ROCKCOMP: item 1 (rock that comes back): 'HYSTER' is not supported"},
    {RUNSPEC, "ROCKCOMP\n BOBERG /\n", " BOBERG /",
     "ROCKCOMP: item 1 (rock that comes back): 'BOBERG' is not supported"},
    {RUNSPEC, "ROCKCOMP\n REVERS 1 YES /\n", " REVERS 1 YES /",
     "ROCKCOMP: item 3 (compaction by water): 'YES' is not supported"},
    {RUNSPEC, "ROCKCOMP\n REVERS 10001 /\n", " REVERS 10001 /", "ROCKCOMP: item 2: more than 10000 tables"},
    {PROPS, "ROCKTAB\n 100 0.9 1\n 200 1 1 /\n", "ROCKTAB", "ROCKTAB: needs ROCKCOMP in RUNSPEC"},
    {PROPS, "PPCWMAX\n -5 /\n", " -5 /", "PPCWMAX: item 1 (largest capillary pressure): '-5' must be > 0"},
    {PROPS, "PPCWMAX\n 5 MAYBE /\n", " 5 MAYBE /",
     "PPCWMAX: item 2 (change of SWL): 'MAYBE' is not supported, only NO|YES"},
    {RUNSPEC, "SATOPTS\n HYSTER SURFTENS /\n", " HYSTER SURFTENS /", "SATOPTS: item 2: 'SURFTENS' is not supported"},
    {PROPS, "EHYSTR\n -1 /\n", " -1 /", "EHYSTR: item 1 (curvature of the capillary pressure): '-1' must be > 0"},
    {PROPS, "EHYSTR\n 0.1 7 /\n", " 0.1 7 /", "EHYSTR: item 2 (model): model 7 is not supported, only 0 to 3"},
    {PROPS, "EHYSTR\n 4* SOME /\n", " 4* SOME /",
     "EHYSTR: item 5 (functions): 'SOME' is not supported, only BOTH|KR|PC"},
    {PROPS, "EHYSTR\n 7* GAS /\n", " 7* GAS /", "EHYSTR: item 8 (wetting phase): 'GAS' is not supported"},
    {PROPS, "EHYSTR\n 11* 0.1 /\n", " 11* 0.1 /", "EHYSTR: item 12 (threshold saturation): '0.1'"},
    {PROPS, "ROCKTABW\n 0 1\n 1 1 /\n", "ROCKTABW",
     "ROCKTABW: not supported: other compaction than ROCKTAB by ROCKCOMP"},
    /* RUNSPEC */
    {RUNSPEC, "TABDIMS\n 0 /\n", " 0 /", "item 1 (saturation tables): '0' must be > 0"},
    {RUNSPEC, "TABDIMS\n 2 /\n", "SWOF", "SWOF: 1 table, 2 are needed"},
    {RUNSPEC, "TABDIMS\n 1 2 /\n", "DENSITY", "DENSITY: 1 record, 2 are needed"},
    {RUNSPEC, "TABDIMS\n 10001 /\n", " 10001 /", "item 1: more than 10000 tables"},
    {RUNSPEC, "TABDIMS\n 1 10001 /\n", " 1 10001 /", "item 2: more than 10000 tables"},
    {RUNSPEC, "TABDIMS\n 12* 10001 /\n", " 12* 10001 /", "item 13: more than 10000 tables"},
    {RUNSPEC, "EQLDIMS\n 10001 /\n", " 10001 /", "item 1: more than 10000 regions"},
    {RUNSPEC, "ENDSCALE\n DIRECT /\n", " DIRECT /", "item 1 (directions): 'DIRECT' is not supported"},
    {PROPS, "SCALECRS\n MAYBE /\n", " MAYBE /", "item 1 (three points): 'MAYBE' is not supported"},
    {PROPS, "ROCKOPTS\n STRESS /\n", " STRESS /", "item 1 (method): 'STRESS' is not supported"},
    {RUNSPEC, "EQLDIMS\n 2 /\n", "EQUIL", "EQUIL: 1 record, 2 are needed"},
    {RUNSPEC, "EQLOPTS\n THPRES MOBIL /\n", " THPRES MOBIL /",
     "item 2: 'MOBIL': of the options of equilibria there are THPRES, IRREVERS, QUIESC and MOBILE"},
    {SOLUTION, "THPRESFT\n F 5 /\n/\n", " F 5 /", "no fault 'F' (FAULTS, before it, defines faults)"},
    {SOLUTION, "THPRESFT\n F -5 /\n/\n", " F -5 /", "item 2 (threshold): '-5' must be >= 0"},
    {SOLUTION, "THPRESFT\n A2345678901234567890123456789012 1 /\n/\n", " A2345678901234567890123456789012 1 /",
     "a name of more than 31 characters"},
    {SOLUTION, "THPRES\n 1 2 5 /\n/\n", " 1 2 5 /", "THPRES acts with the option THPRES of EQLOPTS only"},
    {PROPS, "PVCDO\n 200 1.1 1 2.0 0 /\n", " 2000 200 2100 0 /",
     "with 200 bar at the datum, 2000 m, the pressure in "
     "equilibrium overflows at a depth of 2100 m"},
    {RUNSPEC, "NUMRES\n 1.5 /\n", " 1.5 /", "'1.5' is not an integer"},
    {RUNSPEC, "NUMRES\n 3000000000 /\n", " 3000000000 /", "'3000000000' is too large for an integer"},
    {RUNSPEC, "NUMRES\n 30000000000000000000 /\n", " 30000000000000000000 /", "is too large for an integer"},
    {RUNSPEC, "NUMRES\n '3' /\n", " '3' /", "'3' is not an integer"},
    {RUNSPEC, "START\n 1 JAN 98 /\n", " 1 JAN 98 /", "1 JAN 98: a year must have four digits"},
    {SCHEDULE, "DATES\n 1 FEB 20 /\n/\n", " 1 FEB 20 /", "1 FEB 20: a year must have four digits"},
    {RUNSPEC, "START\n 30 FEB 2020 /\n", " 30 FEB 2020 /", "30 FEB 2020 is not a date"},
    {RUNSPEC, "START\n 1 MEY 2020 /\n", " 1 MEY 2020 /", "'MEY' is not a month"},
    {RUNSPEC, "START\n 1 MAY 2020 25:00:00 /\n", " 1 MAY 2020 25:00:00 /", "'25:00:00' is not a time of day"},
    {RUNSPEC, "DIMENS\n 3 2 2 /\n", " 3 2 2 /", "given twice"},
    /* wells */
    {SCHEDULE, "WELSPECS\n X G 4 1 /\n/\n", " X G 4 1 /", "well X: head (4,1) is outside the grid of 3 x 2"},
    {SCHEDULE, "WELSPECS\n 'X*' G 1 1 /\n/\n", " 'X*' G 1 1 /", "a well's name must not contain '*'"},
    {SCHEDULE, "WELSPECS\n X G 1 1 1* OIL 1* R-G /\n/\n", " X G 1 1 1* OIL 1* R-G /",
     "item 8 (inflow equation): 'R-G'"},
    {SCHEDULE, "WELSPECS\n X G 1 1 3* STD SHUT YES 0 MIX /\n/\n", " X G 1 1 3* STD SHUT YES 0 MIX /",
     "item 12 (density"},
    {SCHEDULE, "WELSPECS\n P G 1 1 2004 /\n/\n", " P G 1 1 2004 /",
     "well P has flowed: its reference depth and crossflow cannot be changed"},
    {SCHEDULE, "WELSPECS\n X G 1 1 /\n/\nCOMPDAT\n X 2* 1 3 OPEN 2* 0.2 /\n/\n", " X 2* 1 3 OPEN 2* 0.2 /",
     "outside the grid"},
    {SCHEDULE, "WELTARG\n I RATE 50 /\n/\n", " I RATE 50 /",
     "RATE: well I has ORAT and WRAT: give WRAT for the rate of water"},
    {GRID, "INCLUDE\n '~/x.inc' /\n", " '~/x.inc' /", "~ stands for a home folder in a shell only: write its path"},
    {SCHEDULE, "COMPDAT\n P 2* 1 1 AUTO 2* 0.2 /\n/\nWECON\n 'P' 2* 0.9 2* CON /\n/\n", " P 2* 1 1 AUTO 2* 0.2 /",
     "COMPDAT: well P: AUTO is not supported with workovers of connections"},
    {SCHEDULE,
     "WELSPECS\n X G 1 1 /\n/\nCOMPORD\n X TRACK /\n/\nCOMPDAT\n X 2* 2 2 OPEN 2* 0.2 /\n X 2* 1 1 OPEN 2* 0.2 /\n/\n",
     " X TRACK /",
     "COMPORD: well X: connections flow in the order of COMPDAT, which is not that of depth at cell (1,1,1)"},
    {SCHEDULE,
     "WELSPECS\n X G 1 1 /\n/\nCOMPDAT\n X 2* 1 1 OPEN 2* 0.2 /\n/\nWCONPROD\n X SHUT /\n/\nWELOPEN\n X OPEN "
     "/\n/\nTSTEP\n 1 /\n",
     " X OPEN /", "well X: an open well needs a control (item 3)"},
    {SCHEDULE, "WELSPECS\n X G 1 1 /\n/\nCOMPDAT\n X 2* 1 1 1* 2 1* 0.2 /\n/\n", " X 2* 1 1 1* 2 1* 0.2 /",
     "saturation table 2"},
    {SCHEDULE, "WELSPECS\n X G 1 1 /\n/\nCOMPDAT\n X 2* 1 1 3* 0.2 2* 7 /\n/\n", " X 2* 1 1 3* 0.2 2* 7 /",
     "item 12 (D factor)"},
    {SCHEDULE, "WCONPROD\n PP OPEN BHP /\n/\n", " PP OPEN BHP /", "no well 'PP'; did you mean 'P'?"},
    {SCHEDULE, "WCONPROD\n 'Z*' OPEN BHP /\n/\n", " 'Z*' OPEN BHP /", "no well 'Z*'"},
    {SCHEDULE, "WCONPROD\n P OPEN GRAT /\n/\n", " P OPEN GRAT /",
     "item 3 (control): 'GRAT' is not supported, only ORAT|WRAT"},
    {SCHEDULE, "GCONPROD\n 'H' ORAT 5 /\n/\n", " 'H' ORAT 5 /", "no group 'H' (WELSPECS and GRUPTREE name groups)"},
    {SCHEDULE, "GCONPROD\n 'H*' ORAT 5 /\n/\n", " 'H*' ORAT 5 /", "no group 'H*'"},
    {SCHEDULE, "GRUPTREE\n A B /\n B C /\n C A /\n/\n", " C A /", "group C: its parent A is below it"},
    {SCHEDULE, "GRUPTREE\n A A /\n/\n", " A A /", "group A: its parent A is below it"},
    {SCHEDULE, "GRUPTREE\n FIELD A /\n/\n", " FIELD A /", "FIELD is above all groups"},
    {SCHEDULE, "GRUPTREE\n A G /\n/\n", " A G /", "group G: it would have wells and groups"},
    {SCHEDULE, "GRUPTREE\n G A /\n/\nWELSPECS\n W A 1 1 /\n/\n", " W A 1 1 /",
     "group A: it would have wells and groups"},
    {SCHEDULE, "GRUPTREE\n 'A*' FIELD /\n/\n", " 'A*' FIELD /", "'A*': a group's name must not contain"},
    {SCHEDULE, "GRUPTREE\n ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG /\n/\n", " ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG /",
     "'ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG': a group's name must have 1 to 31 characters"},
    {SCHEDULE, "GCONPROD\n G ORAT 5 5* 2 /\n/\n", " G ORAT 5 5* 2 /",
     "item 9 (guide rate): guide rates of groups are not"},
    {SCHEDULE, "GCONPROD\n G ORAT 5 6* OIL /\n/\n", " G ORAT 5 6* OIL /",
     "item 10 (definition of the guide rate): guide"},
    {SCHEDULE, "GCONINJE\n G WATER RATE 5 4* 2 /\n/\n", " G WATER RATE 5 4* 2 /",
     "item 9 (guide rate): guide rates of groups"},
    {SCHEDULE, "GCONINJE\n G WATER VREP 3* 1 4* FIELD /\n/\n", " G WATER VREP 3* 1 4* FIELD /",
     "item 12 (group whose voidage is replaced): only the group's own"},
    {SCHEDULE, "GCONPROD\n G FLD /\n/\n", " G FLD /", "item 2 (control): 'FLD' is not supported"},
    {SCHEDULE, "GEFAC\n FIELD 0.5 /\n/\n", " FIELD 0.5 /", "FIELD has no efficiency factor"},
    {SCHEDULE, "GEFAC\n G 1.5 /\n/\n", " G 1.5 /", "(efficiency factor): 1.5: must be <= 1"},
    {SCHEDULE, "GCONPROD\n FIELD GRAT 2* 5 /\n/\n", " FIELD GRAT 2* 5 /", "item 2 (control): 'GRAT' is not supported"},
    {SCHEDULE, "GCONPROD\n FIELD LRAT 5 /\n/\n", " FIELD LRAT 5 /", "control without a target for it (item 6)"},
    {SCHEDULE, "GCONPROD\n FIELD ORAT 5 1* 1* 9 CON /\n/\n", " FIELD ORAT 5 1* 1* 9 CON /",
     "item 7 (procedure at a limit): 'CON' is not supported, only NONE|RATE"},
    {SCHEDULE, "GCONPROD\n FIELD ORAT 5 9 6* WELL /\n/\n", " FIELD ORAT 5 9 6* WELL /",
     "item 11 (procedure at a limit): 'WELL' is not supported, only NONE|RATE"},
    {SCHEDULE, "GCONPROD\n FIELD ORAT -5 /\n/\n", " FIELD ORAT -5 /", "item 3 (oil rate): '-5' must be >= 0"},
    {PROPS, "EQUALS\n ISWL 0.2 /\n/\n", " ISWL 0.2 /", "ISWL needs ENDSCALE in RUNSPEC"},
    {PROPS, "EQUALS\n ISWLX 0.2 /\n/\n", " ISWLX 0.2 /", "EQUALS: ISWLX is not supported: hysteresis"},
    {GRID, "COPY\n SGU PORO /\n/\n", " SGU PORO /", "the values of SGU are not kept: there is no gas"},
    {SCHEDULE, "GCONINJE\n H WATER RATE 5 /\n/\n", " H WATER RATE 5 /", "no group 'H'"},
    {SCHEDULE, "GCONINJE\n FIELD GAS RATE 5 /\n/\n", " FIELD GAS RATE 5 /", "item 2 (phase): 'GAS' is not supported"},
    {SCHEDULE, "GCONINJE\n FIELD WATER VREP 5 /\n/\n", " FIELD WATER VREP 5 /",
     "control without a target for it (item 7)"},
    {SCHEDULE, "GCONINJE\n FIELD WATER VREP 3* 1 4* G /\n/\n", " FIELD WATER VREP 3* 1 4* G /",
     "item 12 (group whose voidage is replaced): only the group's own"},
    {SCHEDULE, "WGRUPCON\n P YES 5 GAS /\n/\n", " P YES 5 GAS /", "item 4 (quantity of the guide rate): 'GAS'"},
    {SCHEDULE, "WGRUPCON\n P YES 2* 0.5 /\n/\n", " P YES 2* 0.5 /", "item 5 (scaling factor) needs a guide rate"},
    {SCHEDULE, "WGRUPCON\n Q YES /\n/\n", " Q YES /", "no well 'Q'"},
    {SCHEDULE, "WCONPROD\n P OPEN /\n/\n", " P OPEN /", "an open well needs a control (item 3)"},
    {SCHEDULE, "WCONPROD\n P OPEN ORAT 1* 5 /\n/\n", " P OPEN ORAT 1* 5 /", "control by ORAT without a target"},
    {SCHEDULE, "WCONPROD\n P OPEN ORAT -5 /\n/\n", " P OPEN ORAT -5 /", "item 4 (oil rate): '-5' must be >= 0"},
    {SCHEDULE, "WCONINJE\n I GAS OPEN RATE 5 /\n/\n", " I GAS OPEN RATE 5 /", "item 2 (phase): 'GAS' is not supported"},
    {SCHEDULE, "WCONINJE\n I WATER OPEN RESV 5 /\n/\n", " I WATER OPEN RESV 5 /", "control by RESV without a target"},
    {SCHEDULE, "WELSPECS\n X G 1 1 /\n/\nWELOPEN\n X OPEN /\n/\n", " X OPEN /", "well X has no control yet"},
    {SCHEDULE, "WELTARG\n I ORAT 5 /\n/\n", " I ORAT 5 /", "well I injects water: it has no such rate"},
    {SCHEDULE, "WELTARG\n P THP 5 /\n/\n", " P THP 5 /", "well P: a tubing-head pressure needs a lift table"},
    {SCHEDULE, "WLIST\n '*L' ADD P /\n/\n", " '*L' ADD P /", "no list '*L'"},
    {SCHEDULE, "WLIST\n L NEW P /\n/\n", " L NEW P /", "the name of a list starts with '*'"},
    {SCHEDULE, "COMPLUMP\n P 2* 1 1 /\n/\n", " P 2* 1 1 /", "item 6 (completion) is missing"},
    {SCHEDULE, "COMPLUMP\n P 2* 1 1 0 /\n/\n", " P 2* 1 1 0 /", "item 6 (completion): '0' must be > 0"},
    {SCHEDULE, "COMPLUMP\n Q 4* 1 /\n/\n", " Q 4* 1 /", "no well 'Q'"},
    {SCHEDULE, "WLIST\n '*L' MOV P /\n/\n", " '*L' MOV P /", "no list '*L' (NEW makes one)"},
    {SCHEDULE, "WLIST\n '*L' NEW Q /\n/\n", " '*L' NEW Q /", "no well 'Q'"},
    {SCHEDULE, "WLIST\n '*L' NEW '*M' /\n/\n", " '*L' NEW '*M' /", "no list '*M'"},
    {SCHEDULE, "WELOPEN\n '*P' SHUT /\n/\n", " '*P' SHUT /",
     "no list '*P' (WLIST makes lists; a pattern of wells is '\\*P')"},
    /* time */
    {SCHEDULE, "TSTEP\n 1 0 /\n", " 1 0 /", "'0' is not the length of a step"},
    {SCHEDULE, "DATES\n 31 JAN 2020 /\n/\n", " 31 JAN 2020 /",
     "the date is day 30 of the run, the schedule has reached day 30"},
    {SCHEDULE, "TUNING\n 1 2 3 /\n/\n/\n", " 1 2 3 /", "the shortest step is longer than the longest one"},
    {SCHEDULE, "TUNING\n/\n/\n 2 3 /\n", " 2 3 /", "fewest Newton iterations (3) above the most (2)"},
    {SCHEDULE, "COMPDAT\n 'P' 2* 1 2 /\n", "COMPDAT", "the file ends before the '/'"},
    {SCHEDULE, "TSTEP\n 'open\n", " 'open", "the quote opened here is not closed"},
    {SCHEDULE, "MULTFLT\n F 0.5 /\n/\n", " F 0.5 /", "no fault 'F' (FAULTS, before it, defines faults)"},
    {SCHEDULE, "MULTX\n 11*1 /\n", "MULTX", "MULTX: 11 values, 12 are needed"},
    {SCHEDULE, "MULTX\n 11*1 -1 /\n", "MULTX", "MULTX: value 12: -1: must be >= 0"},
    {SCHEDULE, "MULTPV\n 12*1 /\n", "MULTPV", "MULTPV: belongs in GRID, not in SCHEDULE"},
    {SOLUTION, "RESTART\n 'NONE' 3 /\n", " 'NONE' 3 /", "there is none of NONE.UNRST, .X0003, .FUNRST, NONE.F0003"},
    {SOLUTION, "RESTART\n 'NONE' 3 1* FORMATTED /\n", " 'NONE' 3 1* FORMATTED /", "none of NONE.FUNRST, NONE.F0003"},
    {SOLUTION, "RESTART\n 'NONE' -1 /\n", " 'NONE' -1 /", "item 2 (report step): '-1' must be >= 0"},
    {SOLUTION, "RESTART\n 'NONE' 1 SAVE /\n", " 'NONE' 1 SAVE /", "save files are not supported"},
    {SOLUTION, "LOAD\n 'NONE' 1 /\n", "LOAD", "LOAD: not supported: save files are not supported: give RESTART"},
    {SOLUTION, "SKIPREST\n", "SKIPREST", "SKIPREST: belongs in SCHEDULE, not in SOLUTION"},
};

/* The number of the first line at `from` or behind it that equals `line`; -1: there is none. */
static int line_of(const char *text, const char *from, const char *line) {
  int number = 1;
  for (const char *c = text; *c != '\0'; ++number) {
    const char *end = strchr(c, '\n');
    if (c >= from && (size_t)(end - c) == strlen(line) && strncmp(c, line, (size_t)(end - c)) == 0) return number;
    c = end + 1;
  }
  return -1;
}

static void test_single_faults(void) {
  for (int n = 0; n < (int)(sizeof fault / sizeof *fault); ++n) {
    const deck d = with(fault[n].where, fault[n].text);
    static char text[1 << 16];
    deck_text(&d, text, sizeof text);
    const char *added = text;
    for (const char *c = text; (c = strstr(c, fault[n].text)) != NULL; ++c) added = c;
    int found = line_of(text, added, fault[n].at);
    if (found < 0) found = line_of(text, text, fault[n].at); /* the fault shows at a line of the base deck */
    CHECK(found > 0);
    if (!deck_fails(&d, found, fault[n].message)) {
      fprintf(stderr, "  added: %s", fault[n].text);
      check_failures += 1;
    }
  }
}

/* One reading reports all that can be reported: after each fault it goes on with the next keyword or record. */
static void test_many_faults(void) {
  deck d = deck_base();
  d.grid = "DX\n 12*100\nDY\n 12*fifty /\nFOO\n 1 2 /\nTOPS\n 6*2000 /\nEQUALS\n NONE 1 /\n PORO 0.2 7 /\n/\n";
  d.schedule = "WELSPECS\n A G 9 9 /\n B G 8 8 /\n/\nTSTEP\n none /\nGCUTBACK\n 'G' /\n/\nTSTEP\n -1 /\n";
  hp_case *c = NULL;
  CHECK(deck_read(&d, &c) == HP_ERR_DECK && c == NULL);
  static const char *const expected[] = {"DX: DY follows: the '/' that ends the data from line 12 is missing",
                                         "DY: 'fifty' is not a number",
                                         "FOO: unknown keyword",
                                         "EQUALS: 'NONE' is not an array",
                                         "EQUALS: box i7..i3",
                                         "well A: head (9,9)",
                                         "well B: head (8,8)",
                                         "TSTEP: 'none' is not the length",
                                         "GCUTBACK: not supported",
                                         "TSTEP: '-1' is not the length"};
  for (int n = 0; n < (int)(sizeof expected / sizeof *expected); ++n) CHECK(deck_noted(expected[n]));
}

/* FIELD and OIL are keywords of RUNSPEC; in the data of a keyword that is refused they are names. */
static void test_names_in_refused_data(void) {
  deck d = deck_base();
  d.schedule = "GCUTBACK\n FIELD 10 /\n/\nGRUPTARG\n FIELD 0.5\n /\n OIL 1* /\n/\nTSTEP\n -1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "GCUTBACK"), "GCUTBACK: not supported"));
  CHECK(deck_noted("GRUPTARG: not supported") && deck_noted("TSTEP: '-1' is not the length"));
  CHECK(!deck_noted("belongs in RUNSPEC"));
  d.schedule = "GCUTBACK\n 'G' /\n/\nFIELD\nOIL /\nTSTEP\n 1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "GCUTBACK"), "GCUTBACK: not supported"));
  CHECK(deck_noted("FIELD: belongs in RUNSPEC") && deck_noted("OIL: belongs in RUNSPEC"));
}

static void test_missing(void) {
  deck d = deck_base();
  d.grid = "DX\n 12*100 /\n";
  CHECK(deck_fails(&d, 0, "DY (or DYV) is missing") && deck_noted("DZ (or DZV) is missing"));
  d.grid = "DX\n 12*100 /\nDYV\n 2*1 /\nDZV\n 2*1 /\n";
  CHECK(deck_fails(&d, 0, "TOPS is missing"));
  d.grid = "DX\n 12*100 /\nDYV\n 2*1 /\nDZV\n 2*1 /\nTOPS\n 6*1 /\nPORO\n 12*.1 /\nPERMX\n 12*1 /\n";
  CHECK(deck_fails(&d, 0, "PERMY is missing") && deck_noted("PERMZ is missing"));
  d.grid = "DX\n 12*100 /\nDYV\n 2*1 /\nDZV\n 2*1 /\nBOX\n 1 3 1 2 2 2 /\nTOPS\n 6*1 /\nENDBOX\n";
  CHECK(deck_fails(&d, deck_line(&d, "TOPS"), "TOPS: cell (1,1,1): no value: the first layer must be given"));
  d = deck_base();
  d.runspec = "DIMENS\n 3 2 2 /\nOIL\n";
  CHECK(deck_fails(&d, 0, "RUNSPEC must name both phases, OIL and WATER"));
  d.runspec = "OIL\nWATER\n";
  CHECK(deck_fails(&d, 4, "DIMENS is missing"));
  d = deck_base();
  d.schedule = "";
  CHECK(deck_fails(&d, 0, "the schedule has no step"));
  d.regions = "SATNUM\n 11*1 2 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "SATNUM"), "SATNUM: cell (3,2,2): 2, there is only 1"));
  hp_case *c = NULL;
  CHECK(deck_read_text("", &c) == HP_ERR_DECK && deck_noted("DIMENS is missing"));
  d = deck_base();
  d.solution = "EQUIL\n 1E12 200 2100 0 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " 1E12 200 2100 0 /"),
                   "the depth of the datum, 1e+12 m, is more than 100000 m away from the cells, which are at 2000 to "
                   "2020 m"));
  d.solution = "EQUIL\n 2000 200 -1E300 0 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " 2000 200 -1E300 0 /"),
                   "the depth of the contact, -1e+300 m, is more than 100000 m away"));
  hp_diag diag;
  hp_diag_init(&diag);
  CHECK(hp_case_read("/nowhere/CASE.DATA", 0, NULL, &diag, &c) == HP_ERR_FILE && c == NULL);
  hp_diag_clear(&diag);
}

/* Skipped keywords are named once, in one note; what they hold does no harm. */
static void test_skipped(void) {
  deck d = with(GRID, "INIT\n/\nNOECHO\nECHO\nNOECHO\nRPTGRID\n 'DX' DY=2 /\n/\nGRIDFILE\n 2 /\n");
  d.summary =
      "FOPR\nWOPR\n'P'\n/\nWWPR\n/\nBPR\n 1 1 1 /\n 3 2 2 /\n/\nCOFR\n 'P' 3 2 1 /\n/\nRPR\n 1 "
      "/\nEXCEL\nWEFAC\n/\nRPTONLY\n";
  d.solution = "EQUIL\n 2000 200 2100 0 /\nRPTSOL\n PRESSURE\n SWAT\nEQUIL\n /\n";
  hp_case *c = deck_case(&d);
  CHECK(deck_noted("skipped, no bearing on the results: INIT NOECHO ECHO RPTGRID GRIDFILE EXCEL RPTONLY"));
  CHECK(deck_noted("SUMMARY: vectors that hepta does not have: COFR WEFAC"));
  hp_case_destroy(&c);
  d = with(GRID, "COORDSYS\n 1 2 'INCOMP  ' SEPARATE 0 0 /\n");
  c = deck_case(&d);
  CHECK(deck_noted("skipped, no bearing on the results: COORDSYS"));
  hp_case_destroy(&c);
  d = with(GRID, "COORDSYS\n 1* 1* /\nGRIDUNIT\n/\n");
  c = deck_case(&d);
  CHECK(deck_noted("skipped, no bearing on the results: COORDSYS"));
  hp_case_destroy(&c);
  /* A report keyword without its slash must not swallow what follows. */
  d = deck_base();
  d.solution = "RPTSOL\n PRESSURE\nEQUIL\n 2000 200 2100 0 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "EQUIL"), "RPTSOL: EQUIL follows: the '/'"));
  d = deck_base();
  d.schedule = "RPTSCHED\n WELLS\nTSTEP\n 1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "TSTEP"), "RPTSCHED: TSTEP follows: the '/'"));
}

static int count_errors(void) {
  int errors = 0;
  for (const char *at = deck_messages; *at != '\0'; at = strchr(at, '\n') + 1) errors += *at == '!';
  return errors;
}

/* Data of the shape of a keyword that does not work; FLAG, BLOCK: with lines that are no data elsewhere. */
static const char *data_of(hp_ecl_shape shape) {
  switch (shape) {
    case HP_ECL_FLAG: return "";
    case HP_ECL_LIST: return " 'A' 2 PORO /\n B 'C' /\n WATER 1 /\n/\n";
    case HP_ECL_TABLES: return " 1 2.5 METRIC /\n 1* 2\n 3 4 /\n/\n 2*7 /\n";
    case HP_ECL_BLOCK: return " 'A' 1 3 1 2 1 1 /\nPERMX\n 6*100 /\nWELTARG\n 'Z' ORAT 1 /\n/\nENDACTIO\n";
    default: return " 1 'A' 3*2.5 PORO\n 7 /\n";
  }
}

/* Every keyword that stops a run does, every one that is skipped is, with its data: not one message more. */
static void test_all_others(void) {
  int count;
  const hp_ecl_keyword_entry *row = hp_ecl_others(&count);
  for (int n = 0; n < count; ++n)
    for (const char *at = row[n].name; *at != '\0';) {
      char name[16], text[256], expected[256];
      const size_t length = strcspn(at, " ");
      snprintf(name, sizeof name, "%.*s", (int)length, at);
      at += length + strspn(at + length, " ");
      if (name[length - 1] == '*') name[length - 1] = 'Q';
      snprintf(text, sizeof text, "%s\n%sWEFAC\n 'P' 1 /\n/\n", name, data_of(row[n].shape));
      const deck d = with(SCHEDULE, text);
      hp_case *c = NULL;
      const hp_status s = deck_read(&d, &c);
      hp_case_destroy(&c);
      const bool skipped = row[n].fate == HP_ECL_SKIPPED;
      if (skipped) snprintf(expected, sizeof expected, "skipped, no bearing on the results: %s\n", name);
      else
        snprintf(expected, sizeof expected, "!%d: %s: not supported: %s\n", deck_line(&d, name), name, row[n].remark);
      const bool right = skipped ? s == HP_OK && count_errors() == 0 : s == HP_ERR_DECK && count_errors() == 1;
      if (right && deck_noted(expected) && (skipped || deck_noted("only keywords that are unknown or not supported")))
        continue;
      fprintf(stderr, "%s", text);
      check_failures += 1;
    }
}

/* One message a keyword, at its first place, with its count; what they hold brings no others. */
static void test_stops(void) {
  deck d = deck_base();
  d.schedule =
      "VFPTABL\n 1 /\n"
      "NOSUCH\n SWL 1 MULTA 'X' /\n PORO 2 /\n/\nTSTEP\n 1 /\n"
      "VFPTABL\n 2 /\nACTIONW\n A P WOPR > 1 /\nWELOPEN\n '?' SHUT /\n/\nENDACTIO\n"
      "NoSuch\n 3 /\n/\nTSTEP\n 1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "VFPTABL"),
                   "VFPTABL: not supported: lift curves and networks (2 times, here first)"));
  CHECK(deck_noted("NOSUCH: unknown keyword (2 times, here first)") && deck_noted("ACTIONW: not supported: actions"));
  CHECK(count_errors() == 3);
  CHECK(deck_noted("only keywords that are unknown or not supported stop this deck: VFPTABL NOSUCH ACTIONW"));
  d.schedule = "VFPTABL\n 1 /\nTSTEP\n -1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "VFPTABL"), "VFPTABL: not supported") && deck_noted("'-1' is not the length"));
  CHECK(strstr(deck_messages, "only keywords") == NULL);
  /* what stands in for others leaves nothing to be missed */
  d = deck_base();
  d.props =
      "DENSITY\n 800 1000 1 /\nPVCO\n 50 10 1.1 1.2 1E-4 1E-4 /\n/\nPVTWSALT\n 200 1 /\n 0 1 /\n"
      "ROCK\n 200 5E-5 /\nSGWFN\n 0 0 1 0\n 1 1 0 0 /\nSTOW\n 0 0\n 1 1 /\n";
  CHECK(deck_fails(&d, deck_line(&d, "PVCO"), "PVCO: not supported: hepta simulates oil and water only"));
  CHECK(count_errors() == 4);
}

/* Keywords about gas have no effect without gas, nor in a deck that names it and has none. */
/* Gas is refused in a deck with GAS, each at its line. */
static void test_gas_that_is_there(void) {
  static const struct {
    section where;
    const char *text, *at, *message; /* at: NULL: the text's first line */
  } brings[] = {
      {PROPS, "SGOF\n 0.05 0 1 0\n 0.7 1 0 0 /\n", NULL,
       "SGOF: table 1 begins with a gas saturation of 0.05, which all"},
      {PROPS, "SGFN\n 0.1 0 0\n 0.7 1 0 /\n", NULL, "SGFN: table 1 begins with a gas saturation of 0.1"},
      {PROPS, "SLGOF\n 0.3 1 0 0\n 0.75 0 1 0 /\n", NULL, "SLGOF: table 1 begins with a gas saturation of 0.25"},
      {PROPS, "SGL\n 11*0 0.1 /\n", NULL, "SGL: 0.1 brings gas: hepta simulates oil and water only"},
      {PROPS, "EQUALS\n SGU 0.8 /\n SGL 0.1 /\n/\n", " SGL 0.1 /", "EQUALS: SGL 0.1 brings gas"},
      {PROPS, "ADD\n SGL 0.2 /\n/\n", " SGL 0.2 /", "ADD: SGL 0.2 brings gas"},
      {PROPS, "COPY\n SWL SGL /\n/\n", " SWL SGL /", "COPY: SGL may bring gas: give 0"},
      {SOLUTION, "SGAS\n 3*0 0.3 8*0 /\n", NULL, "SGAS: 0.3 brings gas"},
      {SOLUTION, "EQUIL\n 2100 200 2200 0 2010 /\n", " 2100 200 2200 0 2010 /",
       "EQUIL: item 5: the gas-oil contact is at 2010 m, and cell (1,1,1) holds gas above it, at 2000.5 m: hepta "
       "simulates oil and water only"},
      {SOLUTION, "EQUIL\n 1900 200 2200 0 1950 /\n", " 1900 200 2200 0 1950 /",
       "item 5: the gas-oil contact, 1950, is below the datum, 1900, whose pressure is that of gas"},
      {SOLUTION, "EQUIL\n 2000 200 2200 0 1950 0.5 /\n", " 2000 200 2200 0 1950 0.5 /",
       "item 6 (capillary pressure at the gas-oil contact): gas may stand below"},
      {SCHEDULE, "WCONHIST\n P OPEN RESV 5 5 100 /\n/\n", " P OPEN RESV 5 5 100 /",
       "WCONHIST: item 6 (gas rate): its reservoir volume is part of RESV"},
      {SCHEDULE, "WCONPROD\n P OPEN GRAT 2* 100 2* 50 /\n/\n", " P OPEN GRAT 2* 100 2* 50 /",
       "item 3 (control): 'GRAT'"},
      {SCHEDULE, "WELCNTL\n P GRAT 100 /\n/\n", " P GRAT 100 /", "WELCNTL: item 2 (quantity): GRAT: there is no gas"},
      {SCHEDULE, "WCONINJH\n I GAS OPEN 5 /\n/\n", " I GAS OPEN 5 /", "item 2 (phase): 'GAS' is not supported"},
      {SCHEDULE, "GCONINJE\n FIELD GAS RATE 5 /\n/\n", " FIELD GAS RATE 5 /", "item 2 (phase): 'GAS' is not supported"},
  };
  for (size_t n = 0; n < sizeof brings / sizeof *brings; ++n) {
    static char runspec[512];
    char first[64];
    deck d = with(brings[n].where, brings[n].text);
    snprintf(runspec, sizeof runspec, "GAS\nENDSCALE\n/\n%s", d.runspec);
    d.runspec = runspec;
    snprintf(first, sizeof first, "%.*s", (int)strcspn(brings[n].text, "\n"), brings[n].text);
    CHECK(deck_fails(&d, deck_line(&d, brings[n].at != NULL ? brings[n].at : first), brings[n].message));
    CHECK(strstr(deck_messages, "the answer is that of oil and water") == NULL);
  }
}

static void test_time(void) {
  deck d = deck_base();
  d.summary = "FOPR\nTIME\nDATE\n";
  d.schedule = "WELSPECS\n 'I' 'G' 1 1 1* WATER /\n/\nTSTEP\n 1 /\nTIME\n 5 10 /\n";
  hp_case *c = deck_case(&d);
  CHECK(c != NULL && c->nreport == 3 && c->report[1] == 5.0 * 86400.0 && c->report[2] == 10.0 * 86400.0);
  hp_case_destroy(&c);
  d.schedule = "TSTEP\n 6 /\nTIME\n 5 /\n";
  CHECK(deck_fails(&d, deck_line(&d, " 5 /"), "TIME: '5' is not later than the time reached"));
}

int main(void) {
  test_single_faults();
  test_many_faults();
  test_names_in_refused_data();
  test_missing();
  test_skipped();
  test_all_others();
  test_stops();
  test_gas_that_is_there();
  test_time();
  return deck_end();
}
