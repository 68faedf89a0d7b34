/* The keywords of Eclipse decks that work: where they may stand, what their
 * records look like, who handles them. A new keyword is one line here, a
 * handler (and its name in HP_ECL_HANDLER_LIST), and one row in
 * docs/reference/eclipse.md. All others: io/eclipse/others.c.
 */
#include <math.h>

#include "io/eclipse/impl.h"

/* Items: what must be given, may be given (with its default in SI), has only
 * one supported value, or says nothing about oil and water. */
/* clang-format off */
#define MUST_INT(name) {name, HP_ECL_INT, HP_ECL_REQUIRED, HP_UNIT_NONE, NAN, NULL, HP_ECL_ANY}
#define COUNTED(name) {name, HP_ECL_INT, HP_ECL_REQUIRED, HP_UNIT_NONE, NAN, NULL, HP_ECL_POSITIVE}
#define INT(name, fallback) {name, HP_ECL_INT, HP_ECL_OPTIONAL, HP_UNIT_NONE, fallback, NULL, HP_ECL_ANY}
#define ONLY_INT(name, value) {name, HP_ECL_INT, HP_ECL_ONLY, HP_UNIT_NONE, value, NULL, HP_ECL_ANY}
#define MUST_REAL_IN(name, unit, range) \
  {name, HP_ECL_REAL, HP_ECL_REQUIRED, HP_UNIT_##unit, NAN, NULL, HP_ECL_##range}
#define MUST_REAL(name, unit) MUST_REAL_IN(name, unit, ANY)
#define REAL_IN(name, unit, fallback, range) \
  {name, HP_ECL_REAL, HP_ECL_OPTIONAL, HP_UNIT_##unit, fallback, NULL, HP_ECL_##range}
#define REAL(name, unit, fallback) REAL_IN(name, unit, fallback, ANY)
#define ONLY_REAL(name, value) {name, HP_ECL_REAL, HP_ECL_ONLY, HP_UNIT_NONE, value, NULL, HP_ECL_ANY}
#define UNUSED_REAL(name) {name, HP_ECL_REAL, HP_ECL_UNUSED, HP_UNIT_NONE, NAN, NULL, HP_ECL_ANY}
#define MUST_TEXT(name, choices) {name, HP_ECL_TEXT, HP_ECL_REQUIRED, HP_UNIT_NONE, NAN, choices, HP_ECL_ANY}
#define TEXT(name, choices) {name, HP_ECL_TEXT, HP_ECL_OPTIONAL, HP_UNIT_NONE, NAN, choices, HP_ECL_ANY}
#define UNUSED_TEXT(name) {name, HP_ECL_TEXT, HP_ECL_UNUSED, HP_UNIT_NONE, NAN, NULL, HP_ECL_ANY}
/* clang-format on */

#define BAR 1.0e5

static const hp_ecl_item dimens[] = {COUNTED("cells along i"), COUNTED("cells along j"), COUNTED("cells along k")};
#define SIZE UNUSED_REAL("size")
/* clang-format off */
#define SIZED(name) {name, HP_ECL_INT, HP_ECL_OPTIONAL, HP_UNIT_NONE, 1.0, NULL, HP_ECL_POSITIVE}
#define SIZES_10 SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE, SIZE
/* clang-format on */
static const hp_ecl_item tabdims[] = {
    SIZED("saturation tables"),
    SIZED("PVT tables"),
    SIZES_10,
    {"rock tables", HP_ECL_INT, HP_ECL_OPTIONAL, HP_UNIT_NONE, 0.0, NULL, HP_ECL_NOT_NEGATIVE},
    SIZES_10,
    SIZE,
    SIZE};
static const hp_ecl_item eqldims[] = {SIZED("equilibration regions"), SIZE, SIZE, SIZE, SIZE};
static const hp_ecl_item endscale[] = {TEXT("directions", "NODIR"), TEXT("reversible", "REVERS"), SIZE, SIZE,
                                       ONLY_INT("option", 0)};
static const hp_ecl_item scalecrs[] = {TEXT("three points", "NO|YES")};
static const hp_ecl_item rockopts[] = {TEXT("method", "PRESSURE"), TEXT("reference pressures", "NOSTORE"),
                                       TEXT("regions", "PVTNUM|SATNUM|ROCKNUM"), TEXT("initial conditions", NULL)};
static const hp_ecl_item rockcomp[] = {
    TEXT("rock that comes back", "REVERS|IRREVERS"),
    {"rock tables", HP_ECL_INT, HP_ECL_OPTIONAL, HP_UNIT_NONE, 0.0, NULL, HP_ECL_NOT_NEGATIVE},
    TEXT("compaction by water", "NO"),
    UNUSED_TEXT("porosity and permeability"),
    UNUSED_REAL("exponent")};
static const hp_ecl_item numres[] = {SIZED("systems of pillars")};
static const hp_ecl_item start[] = {MUST_INT("day"), MUST_TEXT("month", NULL), MUST_INT("year"), TEXT("time", NULL)};
static const hp_ecl_item specgrid[] = {MUST_INT("cells along i"), MUST_INT("cells along j"), MUST_INT("cells along k"),
                                       SIZED("systems of pillars"), TEXT("radial coordinates", "F")};
static const hp_ecl_item coordsys[] = {INT("first layer", 1),
                                       INT("last layer", NAN),
                                       TEXT("circle", "INCOMP|COMP"),
                                       TEXT("with the system below", "SEPARATE|JOIN"),
                                       INT("first system beside it", 0),
                                       INT("last system beside it", 0)};
static const hp_ecl_item include[] = {MUST_TEXT("file", NULL)};
static const hp_ecl_item paths[] = {MUST_TEXT("alias", NULL), MUST_TEXT("path", NULL)};

#define BOX_ITEMS INT("i1", NAN), INT("i2", NAN), INT("j1", NAN), INT("j2", NAN), INT("k1", NAN), INT("k2", NAN)
static const hp_ecl_item box[] = {BOX_ITEMS};
static const hp_ecl_item operation[] = {MUST_TEXT("array", NULL), MUST_REAL("value", NONE), BOX_ITEMS};
static const hp_ecl_item in_region[] = {MUST_TEXT("array", NULL), MUST_REAL("value", NONE), MUST_INT("region"),
                                        TEXT("regions by", "M|F|O")};
#define MAP_ITEMS \
  MUST_TEXT("operation", HP_ECL_MAPS), MUST_TEXT("source", NULL), REAL("alpha", NONE, 0.0), REAL("beta", NONE, 0.0)
static const hp_ecl_item operate[] = {MUST_TEXT("array", NULL), BOX_ITEMS, MAP_ITEMS};
static const hp_ecl_item operater[] = {MUST_TEXT("array", NULL), MUST_INT("region"), MAP_ITEMS,
                                       TEXT("regions by", "OPERNUM|MULTNUM|FLUXNUM|O|M|F")};
static const hp_ecl_item copyreg[] = {MUST_TEXT("from", NULL), MUST_TEXT("to", NULL), MUST_INT("region"),
                                      TEXT("regions by", "M|F|O")};
static const hp_ecl_item multregt[] = {INT("region", 0),
                                       INT("other region", 0),
                                       REAL_IN("multiplier", NONE, 1.0, NOT_NEGATIVE),
                                       TEXT("directions", NULL),
                                       TEXT("connections", "ALL|NONNC|NOAQUNNC|NNC"),
                                       TEXT("regions by", "F|M|O")};
static const hp_ecl_item gridopts[] = {UNUSED_TEXT("multipliers towards -"), INT("regions of MULTNUM", 0), SIZE};
static const hp_ecl_item faults[] = {MUST_TEXT("fault", NULL),
                                     COUNTED("i1"),
                                     COUNTED("i2"),
                                     COUNTED("j1"),
                                     COUNTED("j2"),
                                     COUNTED("k1"),
                                     COUNTED("k2"),
                                     MUST_TEXT("face", "X|Y|Z|X-|Y-|Z-|I|J|K|I-|J-|K-|X+|Y+|Z+|I+|J+|K+")};
static const hp_ecl_item multflt[] = {MUST_TEXT("fault", NULL), MUST_REAL_IN("multiplier", NONE, NOT_NEGATIVE)};
static const hp_ecl_item pinch[] = {REAL_IN("thickness", LENGTH, 0.001, NOT_NEGATIVE), TEXT("gap", "GAP|NOGAP"),
                                    REAL_IN("largest gap", LENGTH, INFINITY, NOT_NEGATIVE),
                                    TEXT("transmissibility", "TOPBOT|ALL"), TEXT("multipliers", "TOP|ALL")};
#define TWO_CELLS COUNTED("I"), COUNTED("J"), COUNTED("K"), COUNTED("other I"), COUNTED("other J"), COUNTED("other K")
#define NO_TABLES                                                                                               \
  ONLY_INT("saturation table", 0), ONLY_INT("saturation table of the other", 0), ONLY_INT("pressure table", 0), \
      ONLY_INT("pressure table of the other", 0)
static const hp_ecl_item nnc[] = {TWO_CELLS,
                                  REAL_IN("transmissibility", CONNECTION, 0.0, NOT_NEGATIVE),
                                  NO_TABLES,
                                  UNUSED_TEXT("face"),
                                  UNUSED_TEXT("face of the other"),
                                  UNUSED_REAL("diffusivity"),
                                  UNUSED_REAL("unused"),
                                  UNUSED_REAL("area"),
                                  UNUSED_REAL("permeability")};
static const hp_ecl_item editnnc[] = {TWO_CELLS,
                                      REAL_IN("multiplier", NONE, 1.0, NOT_NEGATIVE),
                                      NO_TABLES,
                                      UNUSED_TEXT("face"),
                                      UNUSED_TEXT("face of the other"),
                                      UNUSED_REAL("multiplier of the diffusivity")};
static const hp_ecl_item editnncr[] = {TWO_CELLS,
                                       MUST_REAL_IN("transmissibility", CONNECTION, NOT_NEGATIVE),
                                       NO_TABLES,
                                       UNUSED_TEXT("face"),
                                       UNUSED_TEXT("face of the other"),
                                       UNUSED_REAL("diffusivity")};
static const hp_ecl_item gridunit[] = {TEXT("units", "METRES|FEET|CM|METERS"), TEXT("relative to the map", NULL)};
static const hp_ecl_item copy[] = {MUST_TEXT("from", NULL), MUST_TEXT("to", NULL), BOX_ITEMS};
static const hp_ecl_item minpv[] = {MUST_REAL_IN("pore volume", RESERVOIR_VOLUME, NOT_NEGATIVE)};

static const hp_ecl_item density[] = {REAL_IN("oil", DENSITY, 600.0, POSITIVE),
                                      REAL_IN("water", DENSITY, 999.014, POSITIVE), UNUSED_REAL("gas")};
static const hp_ecl_item gravity[] = {MUST_REAL("oil, degrees API", NONE),
                                      REAL_IN("water relative to pure water", NONE, 1.0, POSITIVE), UNUSED_REAL("gas")};
static const hp_ecl_item pvt[] = {
    MUST_REAL("reference pressure", PRESSURE), MUST_REAL_IN("formation volume factor", NONE, POSITIVE),
    MUST_REAL_IN("compressibility", COMPRESSIBILITY, NOT_NEGATIVE), MUST_REAL_IN("viscosity", VISCOSITY, POSITIVE),
    REAL("viscosibility", COMPRESSIBILITY, 0.0)};
static const hp_ecl_item rock[] = {MUST_REAL("reference pressure", PRESSURE),
                                   MUST_REAL_IN("compressibility", COMPRESSIBILITY, NOT_NEGATIVE)};
static const hp_ecl_item ppcwmax[] = {REAL_IN("largest capillary pressure", PRESSURE, 0.0, POSITIVE),
                                      TEXT("change of SWL", "NO|YES")};
static const hp_ecl_item equil[] = {MUST_REAL("datum depth", LENGTH),
                                    MUST_REAL("pressure at the datum", PRESSURE),
                                    REAL("depth of the oil-water contact", LENGTH, 0.0),
                                    REAL("capillary pressure at the contact", PRESSURE, 0.0),
                                    REAL("depth of the gas-oil contact", LENGTH, 0.0),
                                    REAL("capillary pressure at the gas-oil contact", PRESSURE, 0.0),
                                    UNUSED_REAL("table of dissolved gas"),
                                    UNUSED_REAL("table of vaporised oil"),
                                    INT("accuracy", -5)};

static const hp_ecl_item eqlopts[] = {TEXT("option", NULL), TEXT("option", NULL), TEXT("option", NULL),
                                      TEXT("option", NULL)};
static const hp_ecl_item restart[] = {
    MUST_TEXT("root of the files", NULL),
    {"report step", HP_ECL_INT, HP_ECL_REQUIRED, HP_UNIT_NONE, NAN, NULL, HP_ECL_NOT_NEGATIVE},
    TEXT("save file", NULL),
    TEXT("format", "UNFORMATTED|FORMATTED")};
static const hp_ecl_item thpres[] = {COUNTED("region"), COUNTED("other region"),
                                     REAL_IN("threshold", PRESSURE, NAN, NOT_NEGATIVE)};
static const hp_ecl_item thpresft[] = {MUST_TEXT("fault", NULL), MUST_REAL_IN("threshold", PRESSURE, NOT_NEGATIVE)};
static const hp_ecl_item aquct[] = {COUNTED("aquifer"),
                                    MUST_REAL("datum depth", LENGTH),
                                    REAL_IN("initial pressure", PRESSURE, NAN, POSITIVE),
                                    MUST_REAL_IN("permeability", PERMEABILITY, POSITIVE),
                                    REAL_IN("porosity", NONE, 1.0, POSITIVE),
                                    MUST_REAL_IN("compressibility", COMPRESSIBILITY, POSITIVE),
                                    MUST_REAL_IN("inner radius", LENGTH, POSITIVE),
                                    MUST_REAL_IN("thickness", LENGTH, POSITIVE),
                                    REAL_IN("angle of influence", NONE, 360.0, POSITIVE),
                                    SIZED("water table"),
                                    SIZED("table of influence"),
                                    UNUSED_REAL("salinity"),
                                    UNUSED_REAL("temperature")};
static const hp_ecl_item aqufetp[] = {COUNTED("aquifer"),
                                      MUST_REAL("datum depth", LENGTH),
                                      REAL_IN("initial pressure", PRESSURE, NAN, POSITIVE),
                                      MUST_REAL_IN("volume", VOLUME, POSITIVE),
                                      MUST_REAL_IN("compressibility", COMPRESSIBILITY, POSITIVE),
                                      MUST_REAL_IN("productivity index", NONE, POSITIVE),
                                      SIZED("water table"),
                                      UNUSED_REAL("salinity"),
                                      UNUSED_REAL("temperature")};
static const hp_ecl_item aquflux[] = {COUNTED("aquifer"), MUST_REAL("flux", NONE), UNUSED_REAL("salinity"),
                                      UNUSED_REAL("temperature"), UNUSED_REAL("pressure")};
#define TABLE_OF(name) \
  { name, HP_ECL_INT, HP_ECL_OPTIONAL, HP_UNIT_NONE, 0.0, NULL, HP_ECL_POSITIVE }
static const hp_ecl_item aqunum[] = {COUNTED("aquifer"),
                                     COUNTED("I"),
                                     COUNTED("J"),
                                     COUNTED("K"),
                                     MUST_REAL_IN("cross-section", NONE, POSITIVE),
                                     MUST_REAL_IN("length", LENGTH, POSITIVE),
                                     REAL_IN("porosity", NONE, NAN, POSITIVE),
                                     MUST_REAL_IN("permeability", PERMEABILITY, POSITIVE),
                                     REAL("depth", LENGTH, NAN),
                                     REAL_IN("initial pressure", PRESSURE, NAN, POSITIVE),
                                     TABLE_OF("PVT table"),
                                     TABLE_OF("saturation table")};
#define AQUIFER_FACES                                                                                           \
  COUNTED("aquifer"), COUNTED("i1"), COUNTED("i2"), COUNTED("j1"), COUNTED("j2"), COUNTED("k1"), COUNTED("k2"), \
      MUST_TEXT("face", "I-|I+|J-|J+|K-|K+|X-|X+|Y-|Y+|Z-|Z+|I|J|K|X|Y|Z")
static const hp_ecl_item aqucon[] = {AQUIFER_FACES,
                                     REAL_IN("multiplier", NONE, 1.0, NOT_NEGATIVE),
                                     INT("transmissibility", 0),
                                     TEXT("at active cells", "NO|YES"),
                                     ONLY_REAL("vertical equilibrium of relative permeabilities", 1.0),
                                     ONLY_REAL("vertical equilibrium of capillary pressures", 1.0)};
static const hp_ecl_item aquancon[] = {AQUIFER_FACES, REAL_IN("influx coefficient", NONE, NAN, NOT_NEGATIVE),
                                       REAL_IN("multiplier", NONE, 1.0, NOT_NEGATIVE),
                                       TEXT("at active cells", "NO|YES")};

static const hp_ecl_item welspecs[] = {MUST_TEXT("well", NULL),
                                       UNUSED_TEXT("group"),
                                       MUST_INT("I of the well head"),
                                       MUST_INT("J of the well head"),
                                       REAL("reference depth", LENGTH, NAN),
                                       UNUSED_TEXT("preferred phase"),
                                       UNUSED_REAL("drainage radius"),
                                       TEXT("inflow equation", "STD|NO"),
                                       UNUSED_TEXT("automatic shut-in"),
                                       TEXT("crossflow", "YES|NO"),
                                       UNUSED_REAL("PVT table"),
                                       TEXT("density in the wellbore", "SEG|AVG"),
                                       UNUSED_REAL("region of fluids in place"),
                                       UNUSED_TEXT("reserved"),
                                       UNUSED_TEXT("reserved"),
                                       UNUSED_TEXT("well model"),
                                       UNUSED_REAL("polymer mixing table")};
static const hp_ecl_item compdat[] = {MUST_TEXT("well", NULL),
                                      INT("I", 0),
                                      INT("J", 0),
                                      COUNTED("upper K"),
                                      COUNTED("lower K"),
                                      TEXT("status", "OPEN|SHUT|AUTO"),
                                      INT("saturation table", 0),
                                      REAL("connection factor", CONNECTION, NAN),
                                      REAL_IN("wellbore diameter", LENGTH, NAN, POSITIVE),
                                      REAL("Kh", KH, NAN),
                                      REAL("skin", NONE, 0.0),
                                      ONLY_REAL("D factor", NAN),
                                      TEXT("direction", "Z|X|Y"),
                                      REAL("pressure equivalent radius", LENGTH, NAN)};
static const hp_ecl_item compord[] = {MUST_TEXT("well", NULL), TEXT("order", "TRACK|INPUT|DEPTH")};
static const hp_ecl_item wconprod[] = {MUST_TEXT("well", NULL),
                                       TEXT("status", "OPEN|SHUT|STOP|AUTO"),
                                       TEXT("control", "ORAT|WRAT|LRAT|RESV|BHP|GRUP"),
                                       REAL_IN("oil rate", RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("water rate", RATE, NAN, NOT_NEGATIVE),
                                       UNUSED_REAL("gas rate"),
                                       REAL_IN("liquid rate", RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("reservoir volume rate", RESERVOIR_RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("bottom-hole pressure", PRESSURE, 1.01325 * BAR, NOT_NEGATIVE),
                                       ONLY_REAL("tubing-head pressure", NAN),
                                       ONLY_INT("lift table", 0),
                                       ONLY_REAL("artificial lift", NAN)};
static const hp_ecl_item wconinje[] = {MUST_TEXT("well", NULL),
                                       MUST_TEXT("phase", "WATER|OIL|GAS"),
                                       TEXT("status", "OPEN|SHUT|STOP|AUTO"),
                                       TEXT("control", "RATE|RESV|BHP|GRUP"),
                                       REAL_IN("surface rate", RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("reservoir volume rate", RESERVOIR_RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("bottom-hole pressure", PRESSURE, 6895.0 * BAR, NOT_NEGATIVE),
                                       ONLY_REAL("tubing-head pressure", NAN),
                                       ONLY_INT("lift table", 0)};
static const hp_ecl_item welopen[] = {
    MUST_TEXT("well", NULL),           TEXT("status", "OPEN|SHUT|STOP|AUTO"), INT("I", 0), INT("J", 0), INT("K", 0),
    ONLY_INT("first completion", NAN), ONLY_INT("last completion", NAN)};
static const hp_ecl_item weltarg[] = {MUST_TEXT("well", NULL),
                                      MUST_TEXT("quantity", "ORAT|WRAT|LRAT|RESV|BHP|GRAT|RATE"),
                                      MUST_REAL_IN("value", NONE, NOT_NEGATIVE)};
static const hp_ecl_item wconhist[] = {MUST_TEXT("well", NULL),
                                       TEXT("status", "OPEN|SHUT|STOP|AUTO"),
                                       TEXT("control", "ORAT|WRAT|LRAT|RESV|BHP"),
                                       REAL_IN("oil rate", RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("water rate", RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("gas rate", NONE, NAN, NOT_NEGATIVE),
                                       UNUSED_REAL("lift table"),
                                       UNUSED_REAL("artificial lift"),
                                       UNUSED_REAL("observed tubing-head pressure"),
                                       REAL_IN("observed bottom-hole pressure", PRESSURE, NAN, NOT_NEGATIVE),
                                       UNUSED_REAL("wet gas rate")};
static const hp_ecl_item wconinjh[] = {MUST_TEXT("well", NULL),
                                       MUST_TEXT("phase", "WATER|OIL|GAS"),
                                       TEXT("status", "OPEN|SHUT|STOP|AUTO"),
                                       REAL_IN("surface rate", RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("observed bottom-hole pressure", PRESSURE, NAN, NOT_NEGATIVE),
                                       UNUSED_REAL("observed tubing-head pressure"),
                                       UNUSED_REAL("lift table"),
                                       ONLY_REAL("vaporised oil", NAN),
                                       ONLY_REAL("share of oil", NAN),
                                       ONLY_REAL("share of water", NAN),
                                       ONLY_REAL("share of gas", NAN),
                                       TEXT("control", "RATE|BHP")};
static const hp_ecl_item whistctl[] = {MUST_TEXT("control", "ORAT|WRAT|LRAT|RESV|BHP|NONE"),
                                       TEXT("stop at the bottom-hole pressure limit", "NO")};
static const hp_ecl_item wefac[] = {MUST_TEXT("well", NULL), REAL_IN("efficiency factor", NONE, 1.0, POSITIVE),
                                    UNUSED_TEXT("in the network")};
static const hp_ecl_item wecon[] = {MUST_TEXT("well", NULL),
                                    REAL_IN("smallest oil rate", RATE, 0.0, NOT_NEGATIVE),
                                    ONLY_REAL("smallest gas rate", NAN),
                                    REAL_IN("largest water cut", NONE, 0.0, NOT_NEGATIVE),
                                    UNUSED_REAL("largest gas-oil ratio"),
                                    ONLY_REAL("largest water-gas ratio", NAN),
                                    TEXT("workover", "NONE|CON|+CON|WELL"),
                                    TEXT("end of the run", "NO|YES"),
                                    TEXT("follow-on well", NULL),
                                    TEXT("quantity", "RATE"),
                                    ONLY_REAL("second water cut", NAN),
                                    TEXT("second workover", "NONE"),
                                    UNUSED_REAL("largest gas-liquid ratio"),
                                    REAL_IN("smallest liquid rate", RATE, 0.0, NOT_NEGATIVE),
                                    ONLY_REAL("highest temperature", NAN),
                                    ONLY_REAL("smallest reservoir volume rate", NAN)};
static const hp_ecl_item wcutback[] = {MUST_TEXT("well", NULL),
                                       REAL_IN("largest water cut", NONE, 1e20, POSITIVE),
                                       UNUSED_REAL("largest gas-oil ratio"),
                                       UNUSED_REAL("largest gas-liquid ratio"),
                                       ONLY_REAL("largest water-gas ratio", NAN),
                                       UNUSED_REAL("factor of the rate"),
                                       UNUSED_TEXT("phase"),
                                       ONLY_REAL("lowest pressure", NAN),
                                       UNUSED_REAL("pressure that ends it"),
                                       UNUSED_REAL("water cut that ends it"),
                                       UNUSED_REAL("gas-oil ratio that ends it"),
                                       UNUSED_REAL("gas-liquid ratio that ends it"),
                                       UNUSED_REAL("water-gas ratio that ends it")};
#define PROCEDURE "NONE|RATE|CON|+CON|WELL|PLUG"
static const hp_ecl_item gconprod[] = {MUST_TEXT("group", NULL),
                                       TEXT("control", "NONE|ORAT|WRAT|LRAT|RESV"),
                                       REAL_IN("oil rate", RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("water rate", RATE, NAN, NOT_NEGATIVE),
                                       UNUSED_REAL("gas rate"),
                                       REAL_IN("liquid rate", RATE, NAN, NOT_NEGATIVE),
                                       TEXT("procedure at a limit", PROCEDURE),
                                       UNUSED_TEXT("control by a higher group"),
                                       UNUSED_REAL("guide rate"),
                                       UNUSED_TEXT("definition of the guide rate"),
                                       TEXT("procedure at the water rate", PROCEDURE),
                                       UNUSED_TEXT("procedure at the gas rate"),
                                       TEXT("procedure at the liquid rate", PROCEDURE),
                                       REAL_IN("reservoir volume rate", RESERVOIR_RATE, NAN, NOT_NEGATIVE),
                                       ONLY_REAL("balancing fraction", NAN)};
static const hp_ecl_item gconinje[] = {MUST_TEXT("group", NULL),
                                       MUST_TEXT("phase", "WATER"),
                                       TEXT("control", "NONE|RATE|RESV|REIN|VREP"),
                                       REAL_IN("surface rate", RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("reservoir volume rate", RESERVOIR_RATE, NAN, NOT_NEGATIVE),
                                       REAL_IN("reinjected fraction", NONE, NAN, NOT_NEGATIVE),
                                       REAL_IN("voidage replacement", NONE, NAN, NOT_NEGATIVE),
                                       UNUSED_TEXT("control by a higher group"),
                                       UNUSED_REAL("guide rate"),
                                       UNUSED_TEXT("definition of the guide rate"),
                                       TEXT("group whose water is reinjected", "FIELD"),
                                       TEXT("group whose voidage is replaced", "FIELD"),
                                       ONLY_REAL("wet gas rate", NAN)};
static const hp_ecl_item wgrupcon[] = {
    MUST_TEXT("well", NULL), TEXT("takes part", "YES|NO"), REAL("guide rate", RATE, NAN),
    TEXT("quantity of the guide rate", "OIL|WAT|LIQ|RES|RAT"), REAL_IN("scaling factor", NONE, 1.0, NOT_NEGATIVE)};
static const hp_ecl_item wpimult[] = {MUST_TEXT("well", NULL),
                                      REAL_IN("multiplier", NONE, 1.0, NOT_NEGATIVE),
                                      INT("I", 0),
                                      INT("J", 0),
                                      INT("K", 0),
                                      ONLY_INT("first completion", 0),
                                      ONLY_INT("last completion", 0)};
#define WELL TEXT("well", NULL)
static const hp_ecl_item wlist[] = {MUST_TEXT("list", NULL),
                                    MUST_TEXT("operation", "NEW|ADD|DEL"),
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL,
                                    WELL};
static const hp_ecl_item dates[] = {MUST_INT("day"), MUST_TEXT("month", NULL), MUST_INT("year"), TEXT("time", NULL)};

const hp_ecl_item hp_ecl_tuning_1[10] = {REAL_IN("next step", TIME, NAN, POSITIVE),
                                         REAL_IN("longest step", TIME, NAN, POSITIVE),
                                         REAL_IN("shortest step", TIME, NAN, POSITIVE),
                                         UNUSED_REAL("shortest step that may be cut"),
                                         REAL_IN("largest growth", NONE, NAN, POSITIVE),
                                         UNUSED_REAL("smallest factor"),
                                         REAL_IN("factor after a failed step", NONE, NAN, POSITIVE),
                                         UNUSED_REAL("growth after a failed step"),
                                         UNUSED_REAL("throughput ratio"),
                                         UNUSED_REAL("next step after a well event")};
const hp_ecl_item hp_ecl_tuning_2[13] = {UNUSED_REAL("target time truncation"),
                                         UNUSED_REAL("target non-linear error"),
                                         UNUSED_REAL("target material balance error"),
                                         UNUSED_REAL("target linear error"),
                                         UNUSED_REAL("largest time truncation"),
                                         UNUSED_REAL("largest non-linear error"),
                                         UNUSED_REAL("largest material balance error"),
                                         UNUSED_REAL("largest linear error"),
                                         UNUSED_REAL("largest well flow rate error"),
                                         UNUSED_REAL("target fluid-in-place error"),
                                         UNUSED_REAL("target surfactant error"),
                                         UNUSED_REAL("threshold for damping"),
                                         UNUSED_REAL("weighting factor")};
const hp_ecl_item hp_ecl_tuning_3[10] = {INT("most Newton iterations", NAN),
                                         INT("fewest Newton iterations", NAN),
                                         UNUSED_REAL("most linear iterations"),
                                         UNUSED_REAL("fewest linear iterations"),
                                         UNUSED_REAL("most well iterations"),
                                         UNUSED_REAL("most well iterations at THP control"),
                                         UNUSED_REAL("pressure change at the last iteration"),
                                         UNUSED_REAL("saturation change at the last iteration"),
                                         UNUSED_REAL("target pressure change"),
                                         UNUSED_REAL("largest pressure change")};

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
    RECORD("START", R, start, start, "date of time zero; default 1 JAN 1983"),
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
    LIST("DATES", D, dates, dates, "report steps"),
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
