/* The keywords of Eclipse decks that work: where they may stand, what their
 * records look like, who handles them. A new keyword is one line here, the
 * list of its items (io/eclipse/items), a handler (and its name in
 * HP_ECL_HANDLER_LIST), and one row in docs/reference/eclipse.md. All others: io/eclipse/others.c.
 */
#include <math.h>

#include "io/eclipse/impl.h"

/* Items: what must be given, may be given (with its default in SI), has only
 * one supported value, or says nothing about oil and water. */
/* clang-format off */
#define MUST_INT_IN(range) HP_ECL_INT, HP_ECL_REQUIRED, HP_UNIT_NONE, NAN, NULL, HP_ECL_##range
#define MUST_INT MUST_INT_IN(ANY)
#define COUNTED MUST_INT_IN(POSITIVE)
#define INT_IN(fallback, range) HP_ECL_INT, HP_ECL_OPTIONAL, HP_UNIT_NONE, fallback, NULL, HP_ECL_##range
#define INT(fallback) INT_IN(fallback, ANY)
#define ONLY_INT(value) HP_ECL_INT, HP_ECL_ONLY, HP_UNIT_NONE, value, NULL, HP_ECL_ANY
#define MUST_REAL_IN(unit, range) HP_ECL_REAL, HP_ECL_REQUIRED, HP_UNIT_##unit, NAN, NULL, HP_ECL_##range
#define MUST_REAL(unit) MUST_REAL_IN(unit, ANY)
#define REAL_IN(unit, fallback, range) HP_ECL_REAL, HP_ECL_OPTIONAL, HP_UNIT_##unit, fallback, NULL, HP_ECL_##range
#define REAL(unit, fallback) REAL_IN(unit, fallback, ANY)
#define ONLY_REAL(value) HP_ECL_REAL, HP_ECL_ONLY, HP_UNIT_NONE, value, NULL, HP_ECL_ANY
#define UNUSED_REAL HP_ECL_REAL, HP_ECL_UNUSED, HP_UNIT_NONE, NAN, NULL, HP_ECL_ANY
#define MUST_TEXT(choices) HP_ECL_TEXT, HP_ECL_REQUIRED, HP_UNIT_NONE, NAN, choices, HP_ECL_ANY
#define TEXT(choices) HP_ECL_TEXT, HP_ECL_OPTIONAL, HP_UNIT_NONE, NAN, choices, HP_ECL_ANY
#define UNUSED_TEXT HP_ECL_TEXT, HP_ECL_UNUSED, HP_UNIT_NONE, NAN, NULL, HP_ECL_ANY
#define BAR 1.0e5

#define ITEM(member, name, ...) {name, __VA_ARGS__},
#define ITEMS(keyword) static const hp_ecl_item keyword[] = {HP_ECL_ITEMS_##keyword(ITEM)};
HP_ECL_RECORD_LIST(ITEMS)
/* clang-format on */

const hp_ecl_item *const hp_ecl_tuning[3] = {tuning_1, tuning_2, tuning_3}, *const hp_ecl_vector = vector;

/* Sections. */
#define R HP_ECL_RUNSPEC
#define G HP_ECL_GRID
#define E HP_ECL_EDIT
#define P HP_ECL_PROPS
#define N HP_ECL_REGIONS
#define S HP_ECL_SOLUTION
#define Y HP_ECL_SUMMARY
#define D HP_ECL_SCHEDULE
#define ANY HP_ECL_ANYWHERE
#define CELLS (G | E | P | N | S)

/* clang-format off */
#define SECTION(name, from, to, remark) \
  {name, from, HP_ECL_WORKS, HP_ECL_FLAG, NULL, 0, hp_ecl_do_section, HP_ECL_##to, remark}
#define FLAG(name, sections, handler, argument, remark) \
  {name, sections, HP_ECL_WORKS, HP_ECL_FLAG, NULL, 0, hp_ecl_do_##handler, argument, remark}
#define RAW(name, sections, handler, argument, remark) \
  {name, sections, HP_ECL_WORKS, HP_ECL_RAW, NULL, 0, hp_ecl_do_##handler, argument, remark}
#define COUNT(items) (int)(sizeof items / sizeof *items)
#define RECORD(name, sections, items, handler, remark) \
  {name, sections, HP_ECL_WORKS, HP_ECL_RECORD, items, COUNT(items), hp_ecl_do_##handler, 0, remark}
#define TABLES(name, sections, items, handler, by, remark) \
  {name, sections, HP_ECL_WORKS, HP_ECL_TABLES, items, COUNT(items), hp_ecl_do_##handler, HP_ECL_BY_##by, remark}
#define LIST(name, sections, items, handler, remark) \
  {name, sections, HP_ECL_WORKS, HP_ECL_LIST, items, COUNT(items), hp_ecl_do_##handler, 0, remark}
#define PAIRS(name, sections, items, kind, remark) \
  {name, sections, HP_ECL_WORKS, HP_ECL_LIST, items, COUNT(items), hp_ecl_do_nnc, HP_ECL_##kind, remark}
#define ARRAY(name, sections, id, remark) RAW(name, sections, cells, HP_ECL_##id, remark)
/* clang-format on */

static const hp_ecl_keyword_entry table[] = {
    SECTION("RUNSPEC", HP_ECL_NOWHERE, RUNSPEC, "section"),
    SECTION("GRID", R, GRID, "section"),
    SECTION("EDIT", G, EDIT, "section"),
    SECTION("PROPS", G | E, PROPS, "section"),
    SECTION("REGIONS", P, REGIONS, "section"),
    SECTION("SOLUTION", P | N, SOLUTION, "section"),
    SECTION("SUMMARY", S, SUMMARY, "section; vectors that hepta has are written beside its own, the others are noted"),
    SECTION("SCHEDULE", S | Y, SCHEDULE, "section"),

    /* anywhere */
    RECORD("INCLUDE", ANY, include, include, "the file's folder is that of the deck; another case of letters is found"),
    FLAG("ENDINC", ANY, endinc, 0, "ends an included file"),
    FLAG("END", ANY, end, 0, "ends the deck"),
    RAW("SKIP", ANY, skip, 0, "skips up to ENDSKIP"),
    RAW("SKIP100", ANY, skip, 0, "skips up to ENDSKIP"),
    FLAG("SKIP300", ANY, endskip, 0, "does nothing: hepta reads as Eclipse 100 does"),
    FLAG("ENDSKIP", ANY, endskip, 0, "ends SKIP"),

    /* RUNSPEC */
    RAW("TITLE", R, title, 0, "the next line is the title"),
    RECORD("DIMENS", R, dimens, dimens, "cells along i, j, k"),
    FLAG("OIL", R, phase, HP_OIL, "phase; without it water flows alone"),
    FLAG("WATER", R, phase, HP_WATER, "phase; required"),
    FLAG("GAS", R, phase, HP_PHASES, "a word only: what brings gas stops the run"),
    FLAG("METRIC", R, units, HP_UNITS_METRIC, "units; the default"),
    FLAG("FIELD", R, units, HP_UNITS_FIELD, "units"),
    FLAG("LAB", R, units, HP_UNITS_LAB, "units"),
    RECORD("START", R, date, start, "date of time zero; default 1 JAN 1983"),
    RECORD("TABDIMS", R, tabdims, tabdims,
           "items 1, 2, 13: tables of saturation functions, of PVT, of rock; the other items are sizes"),
    RECORD("EQLDIMS", R, eqldims, eqldims, "item 1: equilibration regions; the other items are sizes"),
    RECORD("EQLOPTS", R, eqlopts, eqlopts,
           "THPRES; IRREVERS: of one direction each; QUIESC and MOBILE are passed over"),
    FLAG("NOSIM", R | D, nosim, 0,
         "`hepta run` does what `hepta check` does; in SCHEDULE before the first report step"),
    RECORD("ROCKCOMP", R, rockcomp, rockcomp,
           "tables of ROCKTAB in place of ROCK, or times it; item 1: REVERS, IRREVERS"),
    FLAG("RKTRMDIR", R, rktrmdir, 0, "ROCKTAB has multipliers along x, y, z"),
    RECORD("NUMRES", R, numres, numres, "how many systems of pillars there are; default 1"),
    LIST("PATHS", R, paths, paths, "$ALIAS at the front of file names"),

    /* cells */
    RECORD("SPECGRID", G, specgrid, specgrid, "must agree with DIMENS and NUMRES; no radial grid"),
    TABLES("COORDSYS", G, coordsys, coordsys, SYSTEM,
           "layers of each system of pillars; changes nothing where there is one"),
    ARRAY("DX", G, DX, "cell sizes along i"),
    ARRAY("DY", G, DY, "cell sizes along j"),
    ARRAY("DZ", G, DZ, "cell sizes along k"),
    RAW("DXV", G, sizes, 0, "cell sizes along i, one for each i"),
    RAW("DYV", G, sizes, 1, "cell sizes along j, one for each j"),
    RAW("DZV", G, sizes, 2, "cell sizes along k, one for each k"),
    ARRAY("TOPS", G, TOPS, "depths of the cells' tops; layers left out lie below the layer above them"),
    RAW("DEPTHZ", G, depthz, 0, "corners of the first layer's tops; all at one depth"),
    RAW("COORD", G, coord, 0, "pillars, instead of DX, DY, DZ, TOPS"),
    RAW("ZCORN", G, zcorn, 0, "depths of corners; cells may be flat, layers faulted"),
    ARRAY("PORO", G, PORO, "porosity"),
    ARRAY("PERMX", G, PERMX, "permeability along i"),
    ARRAY("PERMY", G, PERMY, "permeability along j"),
    ARRAY("PERMZ", G, PERMZ, "permeability along k"),
    ARRAY("NTG", G, NTG, "net to gross; default 1"),
    ARRAY("ACTNUM", G | E, ACTNUM, "1: active; default 1"),
    ARRAY("MULTPV", G | E, MULTPV, "multiplies the pore volume"),
    ARRAY("MULTX", G | E | D, MULTX, "multiplies the transmissibility towards i+1"),
    ARRAY("MULTY", G | E | D, MULTY, "multiplies the transmissibility towards j+1"),
    ARRAY("MULTZ", G | E | D, MULTZ, "multiplies the transmissibility towards k+1"),
    ARRAY("MULTX-", G | E | D, MULTX_, "multiplies the transmissibility towards i-1"),
    ARRAY("MULTY-", G | E | D, MULTY_, "multiplies the transmissibility towards j-1"),
    ARRAY("MULTZ-", G | E | D, MULTZ_, "multiplies the transmissibility towards k-1"),
    ARRAY("PRESSURE", S, PRESSURE, "initial pressure; with SWAT or SOIL and without EQUIL"),
    ARRAY("SWAT", S, SWAT, "initial water saturation"),
    ARRAY("SOIL", S, SOIL, "initial oil saturation, instead of SWAT"),
    ARRAY("SATNUM", N, SATNUM, "table of saturation functions"),
    ARRAY("PVTNUM", N, PVTNUM, "table of PVT, densities and rock"),
    ARRAY("EQLNUM", N, EQLNUM, "record of EQUIL"),
    ARRAY("ROCKNUM", N, ROCKNUM, "table of ROCKTAB; of ROCK, where ROCKOPTS says so"),
    ARRAY("SWL", P, SWL, "connate water saturation; with ENDSCALE, as are the next ones"),
    ARRAY("SWCR", P, SWCR, "critical water saturation"),
    ARRAY("SWU", P, SWU, "largest water saturation"),
    ARRAY("SOWCR", P, SOWCR, "critical oil saturation in water"),
    ARRAY("KRW", P, KRW, "krw at SWU"),
    ARRAY("KRO", P, KRO, "kro at SWL"),
    ARRAY("PCW", P, PCW, "capillary pressure at SWL"),
    ARRAY("SWATINIT", P, SWATINIT, "initial water saturation that the capillary pressure is scaled to"),
    TABLES("PPCWMAX", P, ppcwmax, ppcwmax, SATNUM, "what SWATINIT may scale the capillary pressure at SWL to"),
    RECORD("ENDSCALE", R, endscale, endscale, "end points of cells"),
    RECORD("SCALECRS", P, scalecrs, scalecrs, "YES: three points"),
    RECORD("ROCKOPTS", P, rockopts, rockopts, "item 3: regions of ROCK: PVTNUM, SATNUM, ROCKNUM"),
    ARRAY("FIPNUM", N, FIPNUM, "regions of ROIP, RPR and the like; 0: in none"),
    RECORD("BOX", CELLS | D, box, box, "cells of the following arrays, until ENDBOX or the section's end"),
    FLAG("ENDBOX", CELLS | D, endbox, 0, "back to the whole grid"),
    LIST("EQUALS", CELLS, operation, equals, "a box left out is that of the record before"),
    LIST("ADD", CELLS, operation, add, "box as in EQUALS"),
    LIST("MULTIPLY", CELLS, operation, multiply, "box as in EQUALS"),
    LIST("COPY", CELLS, copy, copy, "box as in EQUALS"),
    LIST("COPYREG", CELLS, copyreg, copyreg, "as EQUALREG"),
    LIST("OPERATE", CELLS, operate, operate, "an array from another one, in deck units; box as in EQUALS"),
    LIST("OPERATER", CELLS, operater, operater, "as OPERATE, in a region of OPERNUM, MULTNUM or FLUXNUM"),
    LIST("MINVALUE", CELLS, operation, minvalue, "smaller values become this one; box as in EQUALS"),
    LIST("MAXVALUE", CELLS, operation, maxvalue, "larger values become this one; box as in EQUALS"),
    LIST("EQUALREG", CELLS, in_region, equalreg, "cells of a region of MULTNUM, FLUXNUM or OPERNUM"),
    LIST("ADDREG", CELLS, in_region, addreg, "as EQUALREG"),
    LIST("MULTIREG", CELLS, in_region, multireg, "as EQUALREG"),
    ARRAY("PORV", E, PORV, "pore volume; MULTPV in EDIT multiplies it"),
    ARRAY("TRANX", E, TRANX, "transmissibility towards i+1, multipliers and all"),
    ARRAY("TRANY", E, TRANY, "transmissibility towards j+1, multipliers and all"),
    ARRAY("TRANZ", E, TRANZ, "transmissibility towards k+1, multipliers and all"),
    ARRAY("FLUXNUM", G, FLUXNUM, "regions of MULTREGT and EQUALREG"),
    ARRAY("MULTNUM", G, MULTNUM, "regions of MULTREGT and EQUALREG"),
    ARRAY("OPERNUM", G | P | N | S, OPERNUM, "regions of MULTREGT and EQUALREG"),
    LIST("MULTREGT", G | E, multregt, multregt,
         "between two regions, or of all faces of one; the last record about them counts"),
    RECORD("GRIDOPTS", R, gridopts, gridopts, "item 2 > 0: MULTREGT means MULTNUM where it does not say"),
    LIST("FAULTS", G, faults, faults, "faces that MULTFLT multiplies; those of a record lie in one plane"),
    LIST("MULTFLT", G | E | D, multflt, multflt,
         "of GRID and of EDIT the last word about a fault counts, both multiply; in SCHEDULE it multiplies what there "
         "is"),
    RECORD("GRIDUNIT", G, gridunit, gridunit, "must be the deck's unit of length"),
    RECORD("MINPV", G | E, minpv, minpv, "cells with less are inactive; default 1e-6"),
    RECORD("MINPORV", G | E, minpv, minpv, "as MINPV"),
    ARRAY("MINPVV", G | E, MINPVV, "MINPV of each cell; 0: that of MINPV; with PINCH one number for all"),
    RECORD("PINCH", G, pinch, pinch, "connects cells across thin ones and those below MINPV"),
    PAIRS("NNC", G, nnc, NNC, "connections of any two cells; repeats add up"),
    PAIRS("EDITNNC", E, editnnc, EDITNNC, "multiplies what connects two cells"),
    PAIRS("EDITNNCR", E, editnncr, EDITNNCR, "replaces it"),
    FLAG("OLDTRAN", G, tran, 0, "accepted; what differs is said in a note"),
    FLAG("NEWTRAN", G, tran, 1, "connects cells that touch, also where TOPS have steps"),

    /* PROPS, SOLUTION */
    TABLES("DENSITY", P, density, density, PVTNUM, "at surface conditions; defaults 600 and 999.014 kg/m3"),
    TABLES("GRAVITY", P, gravity, gravity, PVTNUM,
           "instead of DENSITY: 141.5 / (131.5 + API) and item 2, times 1000 kg/m3"),
    TABLES("PVTW", P, pvt, pvtw, PVTNUM, "items 1-4 must be given"),
    TABLES("PVCDO", P, pvt, pvcdo, PVTNUM, "items 1-4 must be given"),
    RAW("PVDO", P, pvdo, 0, "at least two rows"),
    RAW("PVTO", P, pvto, 0, "without DISGAS: the oil that holds no gas"),
    {"ROCK", P, HP_ECL_WORKS, HP_ECL_RAW, rock, COUNT(rock), hp_ecl_do_rock, 0, "without it the rock is rigid"},
    RAW("ROCKTAB", P, rocktab, 0, "multipliers of pore volume and transmissibility by pressure; needs ROCKCOMP"),
    RAW("SWOF", P, swof, 0, "defaults are interpolated"),
    RAW("SWFN", P, swfn, 0, "with SOF2, instead of SWOF"),
    RAW("SOF2", P, sof2, 0, "with SWFN, instead of SWOF"),
    RAW("SOF3", P, sof3, 0, "as SOF2; the column of oil with gas has no effect"),
    TABLES("EQUIL", S, equil, equil, EQLNUM, "item 9: 0 cell centres, -N: 2N sub-layers, default -5; N > 0 is refused"),
    RAW("AQUTAB", P, aqutab, 0, "tables of influence from the second on; the first is that of an infinite aquifer"),
    LIST("AQUCT", G | P | S, aquct, aquct,
         "item 3: default at rest with its cells; the last record of an aquifer counts"),
    LIST("AQUFETP", S, aqufetp, aqufetp,
         "item 3: default at rest with its cells; the last record of an aquifer counts"),
    LIST("AQUFLUX", S, aquflux, aquflux, "surface volume per area; not in SCHEDULE"),
    LIST("AQUNUM", G, aqunum, aqunum, "cells of numerical aquifers, in the order that they are connected"),
    LIST("AQUCON", G, aqucon, aqucon, "faces connected to the first of them; item 10: 0, 1"),
    LIST("AQUANCON", G | S, aquancon, aquancon, "shares by item 9 times item 10; faces of a cell add up"),

    LIST("THPRES", S, thpres, thpres, "between equilibration regions; default: the largest difference at the start"),
    LIST("THPRESFT", S, thpresft, thpresft, "across faults; of several the largest counts, those of THPRES included"),
    RECORD("RESTART", S, restart, restart, "a report step of UNRST, Xnnnn, FUNRST or Fnnnn files; no save files"),

    /* SCHEDULE */
    FLAG("SKIPREST", D, skiprest, 0, "with RESTART: the schedule starts at time zero; without it, no effect"),
    LIST("WELSPECS", D, welspecs, welspecs, "reference depth: default the top connection"),
    LIST("COMPDAT", D, compdat, compdat, "also after a well has opened; diameter: default 1 ft"),
    LIST("COMPORD", D, compord, compord, "INPUT; TRACK and DEPTH where COMPDAT is in order of depth"),
    LIST("WCONPROD", D, wconprod, wconprod, "ORAT, WRAT, LRAT, RESV, BHP; default BHP 1.01325 bar"),
    LIST("WCONINJE", D, wconinje, wconinje, "WATER, OIL; RATE, RESV, BHP; default BHP 6895 bar"),
    LIST("WCONHIST", D, wconhist, wconhist, "the target of item 3; RESV: the volume of the rates given"),
    LIST("WCONINJH", D, wconinjh, wconinjh, "WATER, OIL; RATE, BHP"),
    RECORD("WHISTCTL", D, whistctl, whistctl, "the control of WCONHIST from here on"),
    LIST("WELOPEN", D, welopen, welopen, "wells, or connections by I, J, K"),
    LIST("WELTARG", D, weltarg, weltarg, "ORAT, WRAT, LRAT, RESV, BHP; the control stays as it is"),
    LIST("WELCNTL", D, weltarg, welcntl, "as WELTARG; the control becomes that of item 2"),
    LIST("WEFAC", D, wefac, wefac, "share of the time that a well flows"),
    LIST("WECON", D, wecon, wecon, "smallest oil and liquid rate, largest water cut"),
    LIST("WCUTBACK", D, wcutback, wcutback, "water cut above which the run stops: rates are not cut back"),
    LIST("GCONPROD", D, gconprod, gconprod, "of FIELD: oil, water, liquid rate, reservoir volume of all producers"),
    LIST("GCONINJE", D, gconinje, gconinje, "of FIELD: water by rate, reservoir volume, reinjection, voidage"),
    LIST("WGRUPCON", D, wgrupcon, wgrupcon, "whether a well takes part in GCONPROD and GCONINJE, its guide rate"),
    LIST("WPIMULT", D, wpimult, wpimult, "connection factors, on top of what was before"),
    LIST("WLIST", D, wlist, wlist, "NEW, ADD, DEL"),
    RAW("TSTEP", D, tstep, 0, "report steps"),
    RAW("TIME", D | Y, time, 0, "report times since the start; in SUMMARY it is passed over"),
    LIST("DATES", D, date, dates, "report steps"),
    RAW("TUNING", D, tuning, 0, "record 1: items 1, 2, 3, 5, 7; record 3: items 1, 2; at any time"),
};

enum { TABLE_COUNT = sizeof table / sizeof *table };

const hp_ecl_keyword_entry *hp_ecl_table(int *count) {
  *count = TABLE_COUNT;
  return table;
}

const hp_ecl_keyword_entry *hp_ecl_find(const hp_ecl_token *name) {
  if (name->length == 0 || (unsigned char)name->text[0] < 'A') return NULL; /* a number: lines of data are many */
  for (int n = 0; n < TABLE_COUNT; ++n)
    if (hp_ecl_equals(name, table[n].name)) return &table[n];
  return hp_ecl_find_other(name);
}

const char *hp_ecl_section_name(unsigned section) {
  static const char *const name[] = {"RUNSPEC", "GRID", "EDIT", "PROPS", "REGIONS", "SOLUTION", "SUMMARY", "SCHEDULE"};
  for (int n = 0; n < 8; ++n)
    if (section & (1u << n)) return name[n];
  return "the place before RUNSPEC";
}
