/* All errors of an Eclipse deck at once: two faults that have nothing to do
 * with each other are planted into a sound deck, every pair of a long list, and
 * both must be reported. Only one fault may end the reading: none. A fault that
 * cannot be known while another stands says so in `needs`. */
#define _POSIX_C_SOURCE 200809L
#include "tests/support/eclipse_deck.h"
#include "tests/support/pairs.h"

static const char sound[] =
    "RUNSPEC\nTITLE\n pairs\nDIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nTABDIMS\n 1 1 /\nSTART\n 1 JAN 2020 /\n"
    "GRID\nDXV\n 100 110 120 /\nDY\n 12*50 /\nEQUALS\n DZ 10 /\n NTG 0.9 1 2 /\n/\nTOPS\n 6*2000 /\n"
    "PORO\n 6*0.25 6*0.2 /\nPERMX\n 12*100 /\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\nMULTIPLY\n PERMZ 0.1 /\n/\n"
    "MINPV\n 5 /\n"
    "EDIT\nMULTX\n 12*0.5 /\n"
    "PROPS\nDENSITY\n 800 1000 1 /\nPVTW\n 200 1.01 4E-5 0.5 0 /\nPVDO\n 100 1.06 2.8\n 200 1.05 3.0 /\n"
    "ROCK\n 201 5E-5 /\nSWOF\n 0.2 0 1 0.5\n 0.5 0.2 0.4 0.1\n 0.8 0.6 0 0 /\n"
    "REGIONS\nSATNUM\n 12*1 /\n"
    "SOLUTION\nEQUIL\n 2000 202 2100 0 4* -3 /\n"
    "SCHEDULE\nTUNING\n 0.1 30 0.01 1* 2.5 /\n /\n 12 2 /\n"
    "WELSPECS\n 'I' 'G' 1 1 1* WATER /\n 'P' 'G' 3 2 2001 OIL /\n/\n"
    "COMPDAT\n 'I' 2* 1 2 OPEN 2* 0.2 /\n 'P' 2* 1 1 OPEN 2* 0.3 1* 1.5 /\n/\n"
    "WCONINJE\n 'I' WATER OPEN RATE 50 1* 400 /\n/\nWCONPROD\n 'P' OPEN ORAT 40 4* 150 /\n/\n"
    "TSTEP\n 10 20 /\nWELTARG\n 'P' BHP 140 /\n/\nDATES\n 1 MAR 2020 /\n/\nWELOPEN\n 'I' SHUT /\n/\nTSTEP\n 5 /\n";

/* Facts that a fault leaves unknown (spoils), and facts without which another is not reported (needs). */
enum {
  SIZE = 1, /* DIMENS */
  PERMX = 2,
  DZ = 4,
  WELL_I = 8, /* where it is, what it is asked to do */
  GRID = 16,  /* all that it is made of */
  TIME = 32,
  OIL_ROW = 64, /* rows to compare with */
  SW_ROW = 128,
  WELL_P = 256,
  LOST = 512, /* a word of GRID that may mean what is missing */
  PORO = 1024,
  PHASE = 2048, /* what I injects */
  WELOPEN = 4096
};

static const pair_fault fault[] = {
    {" 3 2 2 /\nOIL", " 3 0 2 /\nOIL", "DIMENS: item 2 (cells along j): '0' must be > 0", SIZE | GRID, 0},
    {" 3 2 2 /\nOIL", " 3 2 two /\nOIL", "DIMENS: item 3 (cells along k): 'two' is not an integer", SIZE | GRID, 0},
    {"OIL\nWATER\n", "OIL\n", "RUNSPEC must name both phases", 0, 0},
    {"METRIC", "METRIC\nDISGAS", "DISGAS: not supported", 0, 0},
    {"METRIC", "METRIC\nLAB", "LAB: the units are metric already", 0, 0},
    {"TABDIMS\n 1 1", "TABDIMS\n 0 1", "TABDIMS: item 1", 0, 0},
    {"TABDIMS\n 1 1", "TABDIMS\n 1 -2", "TABDIMS: item 2", 0, 0},
    {"1 JAN 2020", "1 JEN 2020", "START: 'JEN' is not a month", TIME, 0},
    {"100 110 120", "100 110", "DXV: 2 values, 3 are needed", GRID, SIZE},
    {"100 110 120", "100 -110 120", "DXV: value 2 is -110", GRID, SIZE},
    {"DXV\n 100 110 120 /\n", "", "DX (or DXV) is missing", GRID, SIZE | LOST},
    {"12*50", "12*fifty", "DY: 'fifty' is not a number", GRID, 0},
    {"12*50", "11*50", "DY: 11 values, the box has 12 cells", GRID, SIZE},
    {"DZ 10 /", "DZ -10 /", "DZ: cell (1,1,1): -10 m: must be >= 0", GRID | DZ, SIZE},
    {"DZ 10 /", "DZQ 10 /", "EQUALS: 'DZQ' is not an array", GRID | DZ | LOST, 0},
    {"NTG 0.9 1 2 /", "NTG 0.9 1 4 /", "EQUALS: box i1..i4: must rise within 1..3", GRID, SIZE},
    {"NTG 0.9 1 2 /", "NTG /", "EQUALS: item 2 (value) is missing", GRID, 0},
    {"6*2000", "5*2000", "TOPS: 5 values", GRID, SIZE},
    {"TOPS\n 6*2000 /\n", "", "TOPS is missing", GRID, SIZE | LOST},
    {"6*0.25", "6*1.25", "PORO: cell (1,1,1): 1.25: must be in 0..1", GRID, SIZE | PORO},
    {"6*0.2 /", "7*0.2 /", "PORO: more than the 12 values of the box", GRID | PORO, SIZE},
    {"12*100 /", "5*100 -1 6*100 /", "PERMX: cell (3,2,1): -1 mD: must be >= 0", GRID, SIZE},
    {"PERMX\n 12*100 /\n", "", "PERMX has no value yet", GRID | PERMX, SIZE},
    {" PERMX PERMY /\n", "", "PERMY is missing", GRID, SIZE | LOST},
    {" PERMX PERMY /", " PERMX PORO /", "PORO: cell (1,1,1): 100: must be in 0..1", GRID | PORO, PERMX | SIZE | PORO},
    {"PERMZ 0.1 /", "PERMZ 0.1 1 9 /", "MULTIPLY: box i1..i9", GRID, SIZE},
    {"MINPV\n 5 /", "MINPV\n -5 /", "MINPV: item 1 (pore volume): '-5' must be >= 0", 0, 0},
    {"MINPV\n", "MINPVFIL\n", "MINPVFIL: not supported", 0, 0},
    {"12*0.5", "11*0.5 half", "MULTX: 'half' is not a number", GRID, 0},
    {"12*0.5", "12*-0.5", "MULTX: cell (1,1,1): -0.5: must be >= 0", GRID, SIZE},
    {"DENSITY\n 800", "DENSITY\n -800", "DENSITY: item 1 (oil): '-800' must be > 0", 0, 0},
    {"1000 1 /", "water 1 /", "DENSITY: item 2 (water): 'water' is not a number", 0, 0},
    {"DENSITY\n 800 1000 1 /\n", "", "DENSITY is missing", 0, 0},
    {"200 1.01", "200 0", "PVTW: item 2 (formation volume factor): '0' must be > 0", 0, 0},
    {"4E-5 0.5", "4E-5 -0.5", "PVTW: item 4 (viscosity): '-0.5' must be > 0", 0, 0},
    {"4E-5 0.5", "-4E-5 0.5", "PVTW: item 3 (compressibility): '-4E-5' must be >= 0", 0, 0},
    {"100 1.06 2.8", "300 1.06 2.8", "PVDO: row 2: the pressure is 200 after 300", 0, OIL_ROW},
    {"100 1.06 2.8", "100 x 2.8", "PVDO: 'x' is not a number", OIL_ROW, 0},
    {"200 1.05 3.0", "200 1.05 -3.0", "PVDO: row 2: the viscosity is -3", 0, 0},
    {"ROCK\n 201 5E-5", "ROCK\n 201 -5E-5", "ROCK: item 2 (compressibility): '-5E-5' must be >= 0", 0, 0},
    {"ROCK\n 201 5E-5", "ROCK\n 201", "ROCK: item 2 (compressibility) is missing", 0, 0},
    {"0.2 0 1 0.5", "0.2 0.1 1 0.5", "SWOF: krw of the first row is 0.1", 0, 0},
    {"0.2 0 1 0.5", "0.6 0 1 0.5", "SWOF: row 2: the water saturation is 0.5 after 0.6", SW_ROW, SW_ROW},
    {"0.5 0.2 0.4 0.1", "0.5 0.2 0.4 0.7", "SWOF: row 2: the capillary pressure is 0.7 after 0.5", 0, 0},
    {"0.8 0.6 0 0", "0.8 0.6 0.1 0", "SWOF: kro of the last row is 0.1", 0, 0},
    {"0.8 0.6 0 0", "1.8 0.6 0 0", "SWOF: row 3: the water saturation is 1.8, must be in 0..1", 0, 0},
    {"12*1 /", "11*1 2 /", "SATNUM: cell (3,2,2): 2, there is only 1", 0, SIZE},
    {"2000 202 2100 0 4* -3 /", "2000 202 /", "EQUIL: item 3 (depth of the oil-water contact) is missing", 0, 0},
    {"4* -3", "4* 3", "EQUIL: item 9: accuracy 3: tilted blocks", 0, 0},
    {"4* -3", "4* -3.5", "EQUIL: item 9 (accuracy): '-3.5' is not an integer", 0, 0},
    {"EQUIL\n 2000 202 2100 0 4* -3 /\n", "", "EQUIL (or PRESSURE and SWAT) is missing", 0, SIZE},
    {"0.1 30 0.01", "-0.1 30 0.01", "TUNING: item 1 (next step): '-0.1' must be > 0", 0, 0},
    {"0.1 30 0.01", "0.1 long 0.01", "TUNING: item 2 (longest step): 'long' is not a number", 0, 0},
    {"1* 2.5", "1* 0", "TUNING: item 5 (largest growth): '0' must be > 0", 0, 0},
    {"12 2 /", "12 many /", "TUNING: item 2 (fewest Newton iterations): 'many'", 0, 0},
    {"'I' 'G' 1 1", "'I' 'G' 4 1", "well I: head (4,1) is outside the grid of 3 x 2", WELL_I, SIZE},
    {"'I' 'G' 1 1", "'I' 'G' 1 one", "WELSPECS: item 4 (J of the well head): 'one' is not an integer", WELL_I, 0},
    {"2001 OIL", "deep OIL", "WELSPECS: item 5 (reference depth): 'deep'", WELL_P, 0},
    {"'I' 2* 1 2 OPEN", "'I' 2* 1 3 OPEN", "well I: connections (1,1,1..3) are outside the grid", WELL_I,
     SIZE | WELL_I},
    {"'I' 2* 1 2 OPEN", "'I' 2* 1 2 AJAR", "COMPDAT: item 6 (status): 'AJAR'", WELL_I, 0},
    {"'I' 2* 1 2 OPEN 2* 0.2", "'I' 2* 1 2 OPEN 2* -0.2", "COMPDAT: item 9 (wellbore diameter): '-0.2' must be > 0",
     WELL_I, 0},
    {"'P' 2* 1 1", "'PP' 2* 1 1", "no well 'PP'", WELL_P, 0},
    {"0.3 1* 1.5", "0.3 1* tight", "COMPDAT: item 11 (skin): 'tight'", WELL_P, 0},
    {"0.3 1* 1.5", "300 1* 1.5", "well P: perforation in cell (3, 2, 1): no positive well index", 0,
     SIZE | GRID | WELL_P},
    {"RATE 50", "RATE -50", "WCONINJE: item 5 (surface rate): '-50' must be >= 0", WELL_I, 0},
    {"RATE 50 1* 400", "RESV 50 1* 400", "well I: control by RESV without a target", WELL_I, PHASE},
    {"'I' WATER OPEN", "'I' STEAM OPEN", "WCONINJE: item 2 (phase): 'STEAM'", WELL_I | PHASE, 0},
    {"ORAT 40 4* 150", "ORAT 40 4* -150", "WCONPROD: item 9 (bottom-hole pressure): '-150'", WELL_P, 0},
    {"'P' OPEN ORAT", "'P' OPEN GRAT", "WCONPROD: item 3 (control): 'GRAT'", WELL_P, 0},
    {"'P' OPEN ORAT", "'Q' OPEN ORAT", "no well 'Q'", WELL_P, 0},
    {"TSTEP\n 10 20", "TSTEP\n 10 -20", "TSTEP: '-20' is not the length of a step", TIME, 0},
    {"TSTEP\n 10 20", "TSTEP\n ten 20", "TSTEP: 'ten' is not the length of a step", TIME, 0},
    {"BHP 140", "THP 140", "WELTARG: well P: a tubing-head pressure needs a lift table", 0, WELL_P},
    {"BHP 140", "BHP -140", "WELTARG: item 3 (value): '-140' must be >= 0", 0, 0},
    {"1 MAR 2020", "1 MXR 2020", "DATES: 'MXR' is not a month", 0, 0},
    {"1 MAR 2020", "5 JAN 2020", "DATES: the date is day 4 of the run", 0, TIME},
    {"'I' SHUT", "'I' SHOT", "WELOPEN: item 2 (status): 'SHOT'", 0, WELOPEN},
    {"WELOPEN\n", "WELOPENN\n", "WELOPENN: unknown keyword", WELOPEN, 0},
    {"TSTEP\n 5 /", "TSTEP\n five /", "TSTEP: 'five' is not the length of a step", 0, 0},
    {"WELTARG\n", "GCUTBACK\n 'G' 1 /\n/\nWELTARG\n", "GCUTBACK: not supported", 0, 0},
};
enum { FAULTS = sizeof fault / sizeof *fault };

static bool is_reported(const char *message) {
  for (const char *at = deck_messages; (at = strstr(at, message)) != NULL; ++at) {
    const char *line = at;
    while (line > deck_messages && line[-1] != '\n') --line;
    if (*line == '!') return true;
  }
  return false;
}

static int count_reported(void) {
  int count = deck_messages[0] == '!';
  for (const char *at = deck_messages; (at = strstr(at, "\n!")) != NULL; ++at) count += 1;
  return count;
}

static void check_deck(const char *text, const pair_fault *a, const pair_fault *b) {
  hp_case *c = NULL;
  const hp_status status = deck_read_text(text, &c);
  hp_case_destroy(&c);
  /* one fault draws no tail of others behind it, but for copies of an array */
  const bool alone = a != b || count_reported() <= 3;
  if (status != HP_ERR_DECK || !is_reported(a->message) || !is_reported(b->message) || !alone)
    pairs_fail(a, b, deck_messages);
}

int main(void) {
  hp_case *c = NULL;
  CHECK_OK(deck_read_text(sound, &c));
  hp_case_destroy(&c);
  CHECK(pairs_try(sound, fault, FAULTS, check_deck) > 2000);
  return deck_end();
}
