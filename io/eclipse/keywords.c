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
#define UDA_IN(unit, fallback, range) HP_ECL_UDA, HP_ECL_OPTIONAL, HP_UNIT_##unit, fallback, NULL, HP_ECL_##range
#define MUST_UDA_IN(unit, range) HP_ECL_UDA, HP_ECL_REQUIRED, HP_UNIT_##unit, NAN, NULL, HP_ECL_##range
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

const hp_ecl_item *const hp_ecl_tuning[3] = {tuning_1, tuning_2, tuning_3}, *const hp_ecl_vector = vector,
                         *const hp_ecl_block = block, *const hp_ecl_segment_vector = segment_vector,
                         *const hp_ecl_segment_items = segments, *const hp_ecl_compsegs_items = compsegs_cells;

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
    SECTION("SUMMARY", S, SUMMARY, "section; vectors on demand"),
    SECTION("SCHEDULE", S | Y, SCHEDULE, "section"),

    /* anywhere */
    RECORD("INCLUDE", ANY, include, include, "relative to the deck's folder; case does not matter"),
    FLAG("ENDINC", ANY, endinc, 0, "ends an included file"),
    FLAG("END", ANY, end, 0, "ends the deck"),
    RAW("SKIP", ANY, skip, 0, "skips up to ENDSKIP"),
    RAW("SKIP100", ANY, skip, 0, "skips up to ENDSKIP"),
    FLAG("SKIP300", ANY, endskip, 0, "no effect"),
    FLAG("ENDSKIP", ANY, endskip, 0, "ends SKIP"),

    /* RUNSPEC */
    RAW("TITLE", R, title, 0, "the next line is the title"),
    RECORD("DIMENS", R, dimens, dimens, "cells along i, j, k"),
    FLAG("OIL", R, phase, HP_OIL, "phase; without it water flows alone"),
    FLAG("WATER", R, phase, HP_WATER, "phase; required"),
    FLAG("GAS", R, phase, HP_PHASES, "no effect"),
    FLAG("METRIC", R, units, HP_UNITS_METRIC, "units (default)"),
    FLAG("FIELD", R, units, HP_UNITS_FIELD, "units"),
    FLAG("LAB", R, units, HP_UNITS_LAB, "units"),
    RECORD("START", R, date, start, "date of time zero; default 1 JAN 1983"),
    RECORD("TABDIMS", R, tabdims, tabdims, "items 1, 2, 13: saturation, PVT and rock tables"),
    RECORD("EQLDIMS", R, eqldims, eqldims, "item 1: equilibration regions"),
    RECORD("EQLOPTS", R, eqlopts, eqlopts, "THPRES, IRREVERS (one direction); QUIESC, MOBILE without effect"),
    FLAG("NOSIM", R | D, nosim, 0,
         "`hepta run` does what `hepta check` does; in SCHEDULE before the first report step"),
    RECORD("SATOPTS", R, satopts, satopts, "HYSTER; DIRECT, IRREVERS: enable KRNUMX, KRNUMX-"),
    RECORD("ROCKCOMP", R, rockcomp, rockcomp, "enables ROCKTAB"),
    FLAG("RKTRMDIR", R, rktrmdir, 0, "ROCKTAB has multipliers along x, y, z"),
    RECORD("NUMRES", R, numres, numres, "systems of pillars; default 1"),
    RECORD("UDQPARAM", R, udqparam, udqparam, "item 3: the number where there is none; item 4: tolerance of =="),
    LIST("PATHS", R, paths, paths, "$ALIAS in file names"),

    /* cells */
    RECORD("SPECGRID", G, specgrid, specgrid, "must agree with DIMENS and NUMRES; no radial grid"),
    TABLES("COORDSYS", G, coordsys, coordsys, SYSTEM, "layers of each system of pillars"),
    ARRAY("DX", G, DX, "cell sizes along i, j, k"),
    ARRAY("DY", G, DY, "cell sizes along i, j, k"),
    ARRAY("DZ", G, DZ, "cell sizes along i, j, k"),
    RAW("DXV", G, sizes, 0, "cell sizes, one for each i, j, k"),
    RAW("DYV", G, sizes, 1, "cell sizes, one for each i, j, k"),
    RAW("DZV", G, sizes, 2, "cell sizes, one for each i, j, k"),
    ARRAY("TOPS", G, TOPS, "top depths; missing layers follow from DZ"),
    RAW("DEPTHZ", G, depthz, 0, "corners of the first layer's tops, at one depth"),
    RAW("COORD", G, coord, 0, "pillars, instead of DX, DY, DZ, TOPS"),
    RAW("ZCORN", G, zcorn, 0, "depths of corners"),
    ARRAY("PORO", G, PORO, "porosity"),
    ARRAY("PERMX", G, PERMX, "permeability along i, j, k"),
    ARRAY("PERMY", G, PERMY, "permeability along i, j, k"),
    ARRAY("PERMZ", G, PERMZ, "permeability along i, j, k"),
    ARRAY("NTG", G, NTG, "net to gross; default 1"),
    ARRAY("ACTNUM", G | E, ACTNUM, "1: active; default 1"),
    ARRAY("MULTPV", G | E, MULTPV, "multiplies the pore volume"),
    ARRAY("MULTX", G | E | D, MULTX, "transmissibility multiplier towards i+1, j+1, k+1"),
    ARRAY("MULTY", G | E | D, MULTY, "transmissibility multiplier towards i+1, j+1, k+1"),
    ARRAY("MULTZ", G | E | D, MULTZ, "transmissibility multiplier towards i+1, j+1, k+1"),
    ARRAY("MULTX-", G | E | D, MULTX_, "transmissibility multiplier towards i-1, j-1, k-1"),
    ARRAY("MULTY-", G | E | D, MULTY_, "transmissibility multiplier towards i-1, j-1, k-1"),
    ARRAY("MULTZ-", G | E | D, MULTZ_, "transmissibility multiplier towards i-1, j-1, k-1"),
    ARRAY("PRESSURE", S, PRESSURE, "initial pressure; with SWAT or SOIL, without EQUIL"),
    ARRAY("SWAT", S, SWAT, "initial water saturation"),
    ARRAY("SOIL", S, SOIL, "initial oil saturation, instead of SWAT"),
    ARRAY("SATNUM", N, SATNUM, "table of saturation functions"),
    ARRAY("IMBNUM", N, IMBNUM, "table of imbibition; default SATNUM"),
    ARRAY("KRNUMX", N, KRNUMX,
          "table of relative permeabilities for flow along i, j, k; default SATNUM; needs SATOPTS DIRECT"),
    ARRAY("KRNUMY", N, KRNUMY,
          "table of relative permeabilities for flow along i, j, k; default SATNUM; needs SATOPTS DIRECT"),
    ARRAY("KRNUMZ", N, KRNUMZ,
          "table of relative permeabilities for flow along i, j, k; default SATNUM; needs SATOPTS DIRECT"),
    ARRAY("KRNUMX-", N, KRNUMX_, "that for flow towards i-1, j-1, k-1; needs SATOPTS IRREVERS"),
    ARRAY("KRNUMY-", N, KRNUMY_, "that for flow towards i-1, j-1, k-1; needs SATOPTS IRREVERS"),
    ARRAY("KRNUMZ-", N, KRNUMZ_, "that for flow towards i-1, j-1, k-1; needs SATOPTS IRREVERS"),
    ARRAY("PVTNUM", N, PVTNUM, "table of PVT, densities and rock"),
    ARRAY("EQLNUM", N, EQLNUM, "record of EQUIL"),
    ARRAY("ENDNUM", N, ENDNUM, "table of ENPTVD and the like"),
    ARRAY("ROCKNUM", N, ROCKNUM, "table of ROCKTAB, or of ROCK by ROCKOPTS"),
    ARRAY("SWL", P, SWL, "connate water saturation; end points need ENDSCALE"),
    ARRAY("SWCR", P, SWCR, "critical water saturation"),
    ARRAY("SWU", P, SWU, "largest water saturation"),
    ARRAY("SOWCR", P, SOWCR, "critical oil saturation in water"),
    ARRAY("KRW", P, KRW, "krw at SWU"),
    ARRAY("KRO", P, KRO, "kro at SWL"),
    ARRAY("KRWR", P, KRWR, "krw at 1 - SOWCR"),
    ARRAY("KRORW", P, KRORW, "kro at SWCR"),
    ARRAY("PCW", P, PCW, "capillary pressure at SWL, or SWLPC"),
    ARRAY("SWLPC", P, SWLPC, "saturation where the capillary pressure begins, instead of SWL"),
    ARRAY("ISWL", P, ISWL, "end points of imbibition, as those without I"),
    ARRAY("ISWCR", P, ISWCR, "end points of imbibition, as those without I"),
    ARRAY("ISWU", P, ISWU, "end points of imbibition, as those without I"),
    ARRAY("ISOWCR", P, ISOWCR, "end points of imbibition, as those without I"),
    ARRAY("IKRW", P, IKRW, "end points of imbibition, as those without I"),
    ARRAY("IKRO", P, IKRO, "end points of imbibition, as those without I"),
    ARRAY("IKRWR", P, IKRWR, "end points of imbibition, as those without I"),
    ARRAY("IKRORW", P, IKRORW, "end points of imbibition, as those without I"),
    ARRAY("IPCW", P, IPCW, "end points of imbibition, as those without I"),
    ARRAY("ISWLPC", P, ISWLPC, "end points of imbibition, as those without I"),
    RECORD("TOLCRIT", P, tolcrit, tolcrit, "relative permeabilities up to it are 0"),
    ARRAY("SWATINIT", P, SWATINIT, "initial water saturation; scales the capillary pressure"),
    TABLES("PPCWMAX", P, ppcwmax, ppcwmax, SATNUM, "largest capillary pressure at SWL by SWATINIT"),
    RAW("ENPTVD", P, end_depths, HP_ECL_ENPTVD, "SWL, SWCR, SWU, SOWCR by depth, for each region of ENDNUM"),
    RAW("ENKRVD", P, end_depths, HP_ECL_ENKRVD, "KRW, KRO, KRWR, KRORW by depth"),
    RAW("ENPCVD", P, end_depths, HP_ECL_ENPCVD, "PCW by depth"),
    RAW("ENSPCVD", P, end_depths, HP_ECL_ENSPCVD, "SWLPC by depth"),
    RECORD("JFUNC", G, jfunc, jfunc, "capillary pressure by Leverett's J-function; needs ENDSCALE"),
    RECORD("ENDSCALE", R, endscale, endscale, "end points of cells"),
    RECORD("EHYSTR", P, ehystr, ehystr, "hysteresis by Carlson and Killough; needs SATOPTS HYSTER"),
    RECORD("SCALECRS", P, scalecrs, scalecrs, "YES: three points"),
    RECORD("ROCKOPTS", P, rockopts, rockopts, "item 3: regions of ROCK: PVTNUM, SATNUM, ROCKNUM"),
    ARRAY("FIPNUM", N, FIPNUM, "regions of vectors; 0: none"),
    RECORD("BOX", CELLS | D, box, box, "box until ENDBOX or the section's end"),
    FLAG("ENDBOX", CELLS | D, endbox, 0, "ends BOX"),
    LIST("EQUALS", CELLS, operation, equals, "in a box"),
    LIST("ADD", CELLS, operation, add, "in a box"),
    LIST("MULTIPLY", CELLS, operation, multiply, "in a box"),
    LIST("COPY", CELLS, copy, copy, "in a box"),
    LIST("OPERATE", CELLS, operate, operate, "in a box"),
    LIST("MINVALUE", CELLS, operation, minvalue, "in a box"),
    LIST("MAXVALUE", CELLS, operation, maxvalue, "in a box"),
    LIST("COPYREG", CELLS, copyreg, copyreg, "in a region of OPERNUM, MULTNUM or FLUXNUM"),
    LIST("OPERATER", CELLS, operater, operater, "in a region of OPERNUM, MULTNUM or FLUXNUM"),
    LIST("EQUALREG", CELLS, in_region, equalreg, "in a region of OPERNUM, MULTNUM or FLUXNUM"),
    LIST("ADDREG", CELLS, in_region, addreg, "in a region of OPERNUM, MULTNUM or FLUXNUM"),
    LIST("MULTIREG", CELLS, in_region, multireg, "in a region of OPERNUM, MULTNUM or FLUXNUM"),
    ARRAY("PORV", E, PORV, "pore volume; MULTPV in EDIT multiplies it"),
    ARRAY("TRANX", E, TRANX, "transmissibility with its multipliers"),
    ARRAY("TRANY", E, TRANY, "transmissibility with its multipliers"),
    ARRAY("TRANZ", E, TRANZ, "transmissibility with its multipliers"),
    ARRAY("FLUXNUM", G, FLUXNUM, "regions"),
    ARRAY("MULTNUM", G, MULTNUM, "regions"),
    ARRAY("OPERNUM", G | P | N | S, OPERNUM, "regions"),
    LIST("MULTREGT", G | E, multregt, multregt, "between two regions"),
    RECORD("GRIDOPTS", R, gridopts, gridopts, "item 2 > 0: MULTNUM for MULTREGT"),
    LIST("FAULTS", G, faults, faults, "faces for MULTFLT; a record's lie in one plane"),
    LIST("MULTFLT", G | E | D, multflt, multflt, "multiplies the faces of a fault"),
    RECORD("GRIDUNIT", G, gridunit, gridunit, "the deck's unit of length"),
    RECORD("MINPV", G | E, minpv, minpv, "cells with less are inactive; default 1e-6"),
    RECORD("MINPORV", G | E, minpv, minpv, "cells with less are inactive; default 1e-6"),
    ARRAY("MINPVV", G | E, MINPVV, "MINPV of each cell; 0: MINPV; with PINCH one number"),
    RECORD("PINCH", G, pinch, pinch, "connects cells across thin ones"),
    PAIRS("NNC", G, nnc, NNC, "connections of any two cells"),
    PAIRS("EDITNNC", E, editnnc, EDITNNC, "multiplies the connection of two cells"),
    PAIRS("EDITNNCR", E, editnncr, EDITNNCR, "replaces the connection of two cells"),
    FLAG("OLDTRAN", G, tran, 0, "accepted; a note names differences"),
    FLAG("NEWTRAN", G, tran, 1, "connects cells that touch"),

    /* PROPS, SOLUTION */
    TABLES("DENSITY", P, density, density, PVTNUM, "at surface conditions; defaults 600 and 999.014 kg/m3"),
    TABLES("GRAVITY", P, gravity, gravity, PVTNUM, "instead of DENSITY: API gravity, density of water over 1000 kg/m3"),
    TABLES("PVTW", P, pvt, pvtw, PVTNUM, "items 1-4 must be given"),
    TABLES("PVCDO", P, pvt, pvcdo, PVTNUM, "items 1-4 must be given"),
    RAW("PVDO", P, pvdo, 0, "at least two rows"),
    RAW("PVTO", P, pvto, 0, "without DISGAS: oil at Rs = 0"),
    {"ROCK", P, HP_ECL_WORKS, HP_ECL_RAW, rock, COUNT(rock), hp_ecl_do_rock, 0, "without it the rock is rigid"},
    RAW("ROCKTAB", P, rocktab, 0, "multipliers by pressure; needs ROCKCOMP"),
    RAW("SWOF", P, swof, 0, "saturation functions"),
    RAW("SWFN", P, swfn, 0, "instead of SWOF"),
    RAW("SOF2", P, sof2, 0, "instead of SWOF"),
    RAW("SOF3", P, sof3, 0, "as SOF2; krog has no effect"),
    TABLES("EQUIL", S, equil, equil, EQLNUM, "equilibrium"),
    RAW("AQUTAB", P, aqutab, 0, "influence functions 2, 3, ..."),
    LIST("AQUCT", G | P | S, aquct, aquct, "item 3: default at rest; last record counts"),
    LIST("AQUFETP", S, aqufetp, aqufetp, "item 3: default at rest; last record counts"),
    LIST("AQUFLUX", S, aquflux, aquflux, "constant flux"),
    LIST("AQUNUM", G, aqunum, aqunum, "cells of numerical aquifers, in order"),
    LIST("AQUCON", G, aqucon, aqucon, "faces connected to the first cell"),
    LIST("AQUANCON", G | S, aquancon, aquancon, "faces with influx coefficients; they add up"),

    LIST("THPRES", S, thpres, thpres, "between regions; default: largest initial difference"),
    LIST("THPRESFT", S, thpresft, thpresft, "thresholds across faults; the largest counts"),
    RECORD("RESTART", S, restart, restart, "restart files"),

    /* SCHEDULE */
    FLAG("SKIPREST", D, skiprest, 0, "schedule from time zero"),
    LIST("WELSPECS", D, welspecs, welspecs, "wells"),
    LIST("COMPDAT", D, compdat, compdat, "connections"),
    LIST("COMPORD", D, compord, compord, "INPUT; TRACK, DEPTH if COMPDAT is in order of depth"),
    LIST("COMPLUMP", D, complump, complump, "connections of one completion"),
    {"WELSEGS", D, HP_ECL_WORKS, HP_ECL_RAW, welsegs, COUNT(welsegs), hp_ecl_do_welsegs, 0, "segments of a well"},
    {"COMPSEGS", D, HP_ECL_WORKS, HP_ECL_RAW, compsegs, COUNT(compsegs), hp_ecl_do_compsegs, 0,
     "segments of its connections"},
    {"VFPPROD", D, HP_ECL_WORKS, HP_ECL_RAW, vfpprod, COUNT(vfpprod), hp_ecl_do_vfp, 0, "lift table of producers"},
    {"VFPINJ", D, HP_ECL_WORKS, HP_ECL_RAW, vfpinj, COUNT(vfpinj), hp_ecl_do_vfp, 1, "lift table of injectors"},
    LIST("WCONPROD", D, wconprod, wconprod, "ORAT, WRAT, LRAT, RESV, BHP, THP, GRUP"),
    LIST("WCONINJE", D, wconinje, wconinje, "WATER, OIL; RATE, RESV, BHP, THP, GRUP"),
    LIST("WCONHIST", D, wconhist, wconhist, "observed rates"),
    LIST("WCONINJH", D, wconinjh, wconinjh, "WATER, OIL; RATE, BHP"),
    RECORD("WHISTCTL", D, whistctl, whistctl, "control of WCONHIST from here on"),
    LIST("WELOPEN", D, welopen, welopen, "wells or connections"),
    LIST("WELTARG", D, weltarg, weltarg, "new target or limit"),
    LIST("WELCNTL", D, weltarg, welcntl, "as WELTARG; also sets the control"),
    LIST("WEFAC", D, wefac, wefac, "efficiency factor"),
    LIST("WECON", D, wecon, wecon, "economic limits"),
    LIST("WTEST", D, wtest, wtest, "tests of wells that limits have shut"),
    LIST("WCUTBACK", D, wcutback, wcutback, "water cut at which the run stops"),
    LIST("GRUPTREE", D, gruptree, gruptree, "groups above groups"),
    LIST("GEFAC", D, gefac, gefac, "efficiency factor"),
    LIST("GECON", D, gecon, gecon, "economic limits of groups"),
    LIST("GCONPROD", D, gconprod, gconprod, "targets of groups"),
    LIST("GCONINJE", D, gconinje, gconinje, "targets of groups"),
    LIST("WGRUPCON", D, wgrupcon, wgrupcon, "guide rates"),
    LIST("WPIMULT", D, wpimult, wpimult, "multiplies connection factors"),
    RECORD("WPAVE", D, wpave, wpave, "how WBP and the like are taken"),
    LIST("WWPAVE", D, wwpave, wwpave, "the same of a well"),
    LIST("WPAVEDEP", D, wpavedep, wpavedep, "depth of WBP and the like"),
    RAW("RPTSOL", ANY, rptsol, 0, "FIP: fluids in place at the start, in NAME.PRT; others have no effect"),
    RAW("RPTSCHED", ANY, rptsched, 0, "FIP: fluids in place at report times, in NAME.PRT; others have no effect"),
    RAW("RPTRST", ANY, rptrst, 0,
        "FLOWS, FLORES, DEN, VISC, KRO, KRW, PCOW: arrays of NAME.UNRST; others have no effect"),
    {"WRFT", D, HP_ECL_WORKS, HP_ECL_RAW, wrft, COUNT(wrft), hp_ecl_do_wrft, 0, "pressures along wells in NAME.RFT"},
    LIST("WRFTPLT", D, wrftplt, wrftplt, "pressures and rates along wells in NAME.RFT"),
    LIST("WLIST", D, wlist, wlist, "NEW, ADD, DEL, MOV"),
    RAW("UDQ", D, udq, 0, "DEFINE, ASSIGN, UNITS, UPDATE of FU, WU, GU"),
    {"UDT", D, HP_ECL_WORKS, HP_ECL_RAW, udt, COUNT(udt), hp_ecl_do_udt, 0, "tables of one quantity; NV, LC, LL"},
    {"ACTIONX", D, HP_ECL_WORKS, HP_ECL_RAW, actionx, COUNT(actionx), hp_ecl_do_actionx, 0, "condition of an action"},
    FLAG("ENDACTIO", D, endactio, 0, "ends ACTIONX"),
    RAW("TSTEP", D, tstep, 0, "report steps"),
    RAW("TIME", D | Y, time, 0, "report times; no effect in SUMMARY"),
    LIST("DATES", D, date, dates, "report steps"),
    RECORD("NEXTSTEP", D, nextstep, nextstep, "longest next step"),
    RAW("TUNING", D, tuning, 0, "time steps, Newton iterations"),
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
