#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "io/config/config.h"

/* Choices that other layers list, joined by '|'; the leading one is skipped when they are read. */
#define OF_KRYLOV(name, text, f, vectors) "|" text
#define OF_PRECOND(name, text, storage, setup, apply, transposed) "|" text
#define OF_SPARSE(name, text, wells) "|" text
#define OF_EXECUTION(name, text) "|" text
#define OF_TRANSPORT(name, text) "|" text
#define OF_BARRIER(name, text, what) "|" text
#define OF_AMG(name, ...) "|" FIRST_OF(__VA_ARGS__, )
#define FIRST_OF(text, ...) text
#define OF_CONTROL(name, text, key, what) "|" text
#define CHOICES_OF_KRYLOV HP_KRYLOV_LIST(OF_KRYLOV)
#define CHOICES_OF_PRECOND HP_PRECOND_LIST(OF_PRECOND) "|cpr" /* behind the list: HP_PRECOND_COUNT */
#define CHOICES_OF_FORMAT HP_SPARSE_LIST(OF_SPARSE)
#define CHOICES_OF_EXECUTION HP_EXECUTION_LIST(OF_EXECUTION)
#define CHOICES_OF_TRANSPORT HP_TRANSPORT_LIST(OF_TRANSPORT)
#define CHOICES_OF_BARRIER "auto" HP_BARRIER_LIST(OF_BARRIER)
#define CHOICES_OF_WEIGHTS HP_CPR_WEIGHTS_LIST(OF_AMG)
#define CHOICES_OF_REBUILD HP_CPR_REBUILD_LIST(OF_AMG)
#define CHOICES_OF_CPR_AMG HP_CPR_AMG_LIST(OF_AMG)
#define CHOICES_OF_REFRESH HP_CPR_REFRESH_LIST(OF_AMG)
#define CHOICES_OF_COARSENING HP_AMG_COARSENING_LIST(OF_AMG)
#define CHOICES_OF_INTERPOLATION HP_AMG_INTERPOLATION_LIST(OF_AMG)
#define CHOICES_OF_SMOOTHER HP_AMG_SMOOTHER_LIST(OF_AMG)
#define CHOICES_OF_ROWS HP_AMG_FORMAT_LIST(OF_AMG) "|auto" /* behind the list: HP_AMG_FORMAT_AUTO */
#define CHOICES_OF_CONTROL HP_CONTROL_LIST(OF_CONTROL) "|rate"

#define CHOICES_OF_FACE "i-|i+|j-|j+|k-|k+"

/* clang-format off */
#define HOME_OF(name, type) typedef type home_##name;
HP_HOME_LIST(HOME_OF)
#define STORED(member) _Generic((member), double: HP_AS_DOUBLE, bool: HP_AS_BOOL, uint64_t: HP_AS_LONG, default: HP_AS_INT)
#define AT(in, member) .home = HP_IN_##in, .offset = offsetof(home_##in, member), .stored = STORED(((home_##in *)0)->member)

/* The last arguments: the text, and, of a value that a member of a struct holds, where: AT(..). */
#define KEY(at, of, q, limits, value, list, ...) \
  {.path = at, .kind = HP_KEY_##of, .unit = HP_UNIT_##q, .range = limits, .fallback = value, .choices = list, .what = __VA_ARGS__}
#define BOOL(path, fallback, ...) KEY(path, BOOL, NONE, "", fallback, "", __VA_ARGS__)
#define INT(path, range, fallback, ...) KEY(path, INT, NONE, range, fallback, "", __VA_ARGS__)
#define FLOAT(path, unit, range, fallback, ...) KEY(path, FLOAT, unit, range, fallback, "", __VA_ARGS__)
#define TIME(path, range, fallback, ...) KEY(path, TIME, TIME, range, fallback, "", __VA_ARGS__)
#define LIMIT(path, unit, range, fallback, ...) KEY(path, LIMIT, unit, range, fallback, "", __VA_ARGS__)
#define STRING(path, fallback, what) KEY(path, STRING, NONE, "", fallback, "", what)
#define CHOICE(path, choices, fallback, ...) KEY(path, CHOICE, NONE, "", fallback, choices, __VA_ARGS__)
#define CELLS(path, unit, range, fallback, what) KEY(path, CELLS, unit, range, fallback, "", what)
#define OTHER(path, kind, unit, range, fallback, what) KEY(path, kind, unit, range, fallback, "", what)

/* Keys of a control, which wells[] and schedule[] have in common. IN: the default of wells[]; a schedule has none. */
#define IN_WELLS(fallback) fallback
#define IN_SCHEDULE(fallback) "as before"
#define CONTROL_KEYS(list, IN) \
  LIMIT(list ".bhp", PRESSURE, "> 0", IN("1.01325 bar producer, 6895 bar injector"), "bottom-hole pressure"), \
  LIMIT(list ".oil_rate", RATE, ">= 0", IN("none"), "surface rate of oil"), \
  LIMIT(list ".water_rate", RATE, ">= 0", IN("none"), "surface rate of water"), \
  LIMIT(list ".liquid_rate", RATE, ">= 0", IN("none"), "surface rate of oil and water together (producers)"), \
  LIMIT(list ".reservoir_rate", RESERVOIR_RATE, ">= 0", IN("none"), "rate at reservoir conditions"), \
  FLOAT(list ".observed_oil_rate", RATE, ">= 0", IN("0"), \
        "producers: reservoir_rate is the volume of this and observed_water_rate as the pressure is now"), \
  FLOAT(list ".observed_water_rate", RATE, ">= 0", IN("0"), "likewise, surface rate of water"), \
  LIMIT(list ".rate", RATE, ">= 0", IN("none"), "surface rate of the injected phase (injectors)"), \
  HP_WELL_SETTING_LIST(SETTING_##IN)
#define SETTING_OF(list, kind, key, unit, range, fallback, choices, what) \
  KEY(list "." #key, kind, unit, range, fallback, choices, what, AT(CONTROL, key)),
#define SETTING_IN_WELLS(kind, key, unit, range, fallback, choices, what) \
  SETTING_OF("wells[]", kind, key, unit, range, fallback, choices, what)
#define SETTING_IN_SCHEDULE(kind, key, unit, range, fallback, choices, what) \
  SETTING_OF("schedule[]", kind, key, unit, range, "as before", choices, what)
/* clang-format on */

static const hp_config_key keys[] = {
    STRING("title", "", "a line of text for reports and result files"),
    CHOICE("units", "metric|field|lab|si", "metric", "the units of all numbers in the deck"),
    STRING("start", "", "date of time zero, ISO 8601: 2026-01-31 or 2026-01-31T12:00:00"),

    OTHER("grid", GROUP, NONE, "", "required", "the cells and the rock in them"),
    OTHER("grid.size", INTS, NONE, "> 0", "required", "[nx, ny, nz]: number of cells along i, j, k"),
    OTHER("grid.refine", INTS, NONE, "> 0", "[1, 1, 1]",
          "[rx, ry, rz]: the run is on a grid whose cells are each of the deck's cut so along i, j, k"),
    CELLS("grid.dx", LENGTH, "> 0", "required", "cell size along i; a list of nx values is one for each i"),
    CELLS("grid.dy", LENGTH, "> 0", "required", "cell size along j; a list of ny values is one for each j"),
    CELLS("grid.dz", LENGTH, "> 0", "required", "cell size along k (thickness)"),
    CELLS("grid.top", LENGTH, "", "0", "depth of the top of layer 1: one value, or one for each of the nx*ny columns"),
    CELLS("grid.tops", LENGTH, "", "", "depth of the top of every cell, instead of top"),
    CELLS("grid.depth", LENGTH, "", "", "depth of the middle of every cell, instead of top and tops"),
    CELLS("grid.porosity", NONE, "0..1", "required", "porosity at reference pressure"),
    CELLS("grid.permx", PERMEABILITY, ">= 0", "required", "permeability along i"),
    CELLS("grid.permy", PERMEABILITY, ">= 0", "permx", "permeability along j"),
    CELLS("grid.permz", PERMEABILITY, ">= 0", "permx", "permeability along k"),
    CELLS("grid.ntg", NONE, "0..1", "1", "net to gross: scales pore volume, lateral transmissibility and a well's Kh"),
    CELLS("grid.active", NONE, "0..1", "1", "1: the cell takes part, 0: it does not"),
    CELLS("grid.multpv", NONE, ">= 0", "1", "multiplies the pore volume"),
    CELLS("grid.multx", NONE, ">= 0", "1", "multiplies the transmissibility to the next cell in i"),
    CELLS("grid.multy", NONE, ">= 0", "1", "multiplies the transmissibility to the next cell in j"),
    CELLS("grid.multz", NONE, ">= 0", "1", "multiplies the transmissibility to the next cell in k"),
    CELLS("grid.pore_volume", RESERVOIR_VOLUME, ">= 0", "", "in place of cell size * porosity * ntg * multpv"),
    CELLS("grid.tranx", CONNECTION, ">= 0", "",
          "transmissibility to the next cell in i, in place of what follows from the cells and multx"),
    CELLS("grid.trany", CONNECTION, ">= 0", "", "likewise in j"),
    CELLS("grid.tranz", CONNECTION, ">= 0", "", "likewise in k"),
    FLOAT("grid.minpv", RESERVOIR_VOLUME, ">= 0", "1e-6", "cells with less pore volume are inactive"),
    OTHER("grid.corner_point", GROUP, NONE, "", "", "cells by their corners, in place of dx, dy, dz and depths"),
    CELLS("grid.corner_point.coord", LENGTH, "", "required",
          "[ny+1][nx+1][6]: two points x, y, depth of each pillar; a list or a file"),
    CELLS("grid.corner_point.zcorn", LENGTH, "", "required",
          "[2 nz][2 ny][2 nx]: depths of the cells' corners, i fastest; a list or a file"),
    OTHER("grid.corner_point.systems", LIST, NONE, "", "",
          "layers on pillars of their own, from top to bottom; coord has a set of pillars for each entry"),
    OTHER("grid.corner_point.systems[].k", SPAN, NONE, "> 0", "required", "range of its layers"),
    BOOL("grid.corner_point.systems[].joined", "false",
         "its last layer is connected to the one below it, of the next system"),
    OTHER("grid.corner_point.systems[].beside", SPAN, NONE, "> 0", "itself",
          "range of systems, itself among them, whose cells it meets across faults; their pillars must be the same"),
    BOOL("grid.corner_point.connect", "true",
         "connects cells that overlap across faults; false: pore volumes and "
         "transmissibilities are given, and corners only give sizes and depths"),
    OTHER("grid.pinch", GROUP, NONE, "", "", "connects the cells above and below inactive ones that are thin"),
    FLOAT("grid.pinch.thickness", LENGTH, ">= 0", "0.001", "thinner cells that are inactive let connections pass"),
    BOOL("grid.pinch.only_thin", "false", "false: all below minpv do"),
    FLOAT("grid.pinch.gap", LENGTH, ">= 0", "", "largest empty height between two cells that are connected along k"),
    BOOL("grid.pinch.through", "false", "cells between the two resist"),
    BOOL("grid.pinch.smallest", "false", "the smallest multz on the way counts; false: that of the upper cell"),
    OTHER("grid.connections", ROWS, NONE, "", "",
          "rows (i, j, k, other i, j, k, connection factor): connections of cells beside those of neighbours; repeats "
          "add up"),
    OTHER("grid.boxes", LIST, NONE, "", "", "changes to boxes of cells, made one after another"),
    OTHER("grid.boxes[].i", SPAN, NONE, "> 0", "all", "range of i, first and last included"),
    OTHER("grid.boxes[].j", SPAN, NONE, "> 0", "all", "range of j"),
    OTHER("grid.boxes[].k", SPAN, NONE, "> 0", "all", "range of k"),
    OTHER("grid.boxes[].set", GROUP, NONE, "", "", "cell arrays and the value they get in the box"),
    OTHER("grid.boxes[].multiply", GROUP, NONE, "", "", "cell arrays and the factor for them, after set"),
    OTHER("grid.boxes[].add", GROUP, NONE, "", "", "cell arrays and what is added to them, after multiply"),

    OTHER("faults", LIST, NONE, "", "", "faces of cells with a name, and what multiplies them"),
    STRING("faults[].name", "required", "at most 31 letters, no other fault of that name"),
    FLOAT("faults[].multiplier", NONE, ">= 0", "1",
          "of the transmissibilities of its faces, beside multx and the like"),
    FLOAT("faults[].threshold", PRESSURE, ">= 0", "0", "that potential differences across its faces must be beyond"),
    OTHER("faults[].faces", LIST, NONE, "", "",
          "boxes of cells and the side of theirs; a face named twice counts once"),
    OTHER("faults[].faces[].i", SPAN, NONE, "> 0", "all", "range of i, first and last included"),
    OTHER("faults[].faces[].j", SPAN, NONE, "> 0", "all", "range of j"),
    OTHER("faults[].faces[].k", SPAN, NONE, "> 0", "all", "range of k"),
    CHOICE("faults[].faces[].face", CHOICES_OF_FACE, "required", "side of the cells"),
    OTHER("multipliers", LIST, NONE, "", "", "multipliers of transmissibilities in time, on top of what was before"),
    TIME("multipliers[].time", ">= 0", "required", "from then on"),
    FLOAT("multipliers[].by", NONE, ">= 0", "", "the factor"),
    STRING("multipliers[].fault", "", "of the faces of a fault: its name, or a pattern with * and ?"),
    CHOICE("multipliers[].face", CHOICES_OF_FACE, "", "instead, of this side of the cells in i, j, k"),
    OTHER("multipliers[].i", SPAN, NONE, "> 0", "all", "range of i, first and last included"),
    OTHER("multipliers[].j", SPAN, NONE, "> 0", "all", "range of j"),
    OTHER("multipliers[].k", SPAN, NONE, "> 0", "all", "range of k"),
    OTHER("multipliers[].connections", ROWS, NONE, "", "",
          "instead, of pairs of cells: rows [i, j, k, other i, j, k], with by or with a factor behind each"),
    STRING("multipliers[].name", "", "what messages call faces or connections"),

    STRING("array.file", "", "file with the values, relative to the deck's folder"),
    CHOICE("array.format", "raw|eclipse|hdf5", "raw",
           "raw: numbers, i fastest; eclipse: keyword, numbers with repeats N*v, slash; hdf5: dataset [nz][ny][nx]"),
    INT("array.index", ">= 0", "0", "raw: skip so many whole fields (0, 1, 2: kx, ky, kz of spe_perm.dat)"),
    STRING("array.keyword", "", "eclipse: the keyword, such as PERMX; required there"),
    STRING("array.dataset", "", "hdf5: the dataset's path, such as /static/permx; required there"),
    FLOAT("array.multiply", NONE, "", "1", "file: factor for every value, before min and max"),
    CHOICE("array.units", "metric|field|lab|si", "units", "the units of the values, of min and max, mean and stddev"),
    FLOAT("array.min", NONE, "", "", "smaller values become this one (unit of the array)"),
    FLOAT("array.max", NONE, "", "", "larger values become this one (unit of the array)"),
    CHOICE("array.generator", "lognormal|normal|channels", "", "values made from a seed instead of a file"),
    INT("array.seed", ">= 0", "1", "the same seed gives the same field, so that porosity follows permeability"),
    FLOAT("array.mean", NONE, "", "required", "normal: mean; lognormal: geometric mean, > 0 (unit of the array)"),
    FLOAT("array.stddev", NONE, ">= 0", "required", "normal: standard deviation (unit of the array)"),
    FLOAT("array.log_stddev", NONE, ">= 0", "required", "lognormal: standard deviation of the natural logarithm"),
    OTHER("array.correlation", FLOATS, NONE, ">= 0", "[0, 0, 0]", "correlation lengths along i, j, k in cells"),
    CHOICE("array.covariance", "exponential|gaussian", "exponential", "exponential: rough; gaussian: smooth"),
    CELLS("array.background", NONE, "", "required", "channels: the array outside the channels"),
    CELLS("array.channel", NONE, "", "required", "channels: the array inside the channels"),
    FLOAT("array.fraction", NONE, "0..1", "0.35", "channels: share of the cells in channels"),
    FLOAT("array.width", NONE, ">= 1", "8", "channels: width across their flow, in cells"),
    FLOAT("array.thickness", NONE, ">= 1", "5", "channels: thickness in the middle, in cells"),
    FLOAT("array.wavelength", NONE, "> 0", "70", "channels: length of the meanders along j, in cells"),
    FLOAT("array.amplitude", NONE, ">= 0", "9", "channels: amplitude of the meanders along i, in cells"),
    FLOAT("array.variability", NONE, "0..0.9", "0.3", "channels: sizes vary by up to this share from one to the next"),
    OTHER("array.layers", LIST, NONE, "", "", "ranges of layers with a value each; together they are all the layers"),
    OTHER("array.layers[].k", SPAN, NONE, "> 0", "required", "first and last layer"),
    CELLS("array.layers[].value", NONE, "", "required", "the array in these layers, in any form"),

    OTHER("fluids", GROUP, NONE, "", "required", "water and oil"),
    OTHER("fluids.water", GROUP, NONE, "", "required", "the water"),
    FLOAT("fluids.water.density", DENSITY, "> 0", "required", "at surface conditions"),
    FLOAT("fluids.water.reference_pressure", PRESSURE, "", "1.01325 bar", "where the next numbers hold",
          AT(PVT, p_ref)),
    FLOAT("fluids.water.formation_volume_factor", NONE, "> 0", "1", "reservoir over surface volume", AT(PVT, b_ref)),
    FLOAT("fluids.water.compressibility", COMPRESSIBILITY, ">= 0", "0", "of the water", AT(PVT, compressibility)),
    FLOAT("fluids.water.viscosity", VISCOSITY, "> 0", "required", "at reference pressure", AT(PVT, viscosity)),
    FLOAT("fluids.water.viscosibility", COMPRESSIBILITY, "", "0", "relative change of viscosity with pressure",
          AT(PVT, viscosibility)),
    OTHER("fluids.oil", GROUP, NONE, "", "required", "the oil: numbers as for water (PVCDO), or a table (PVDO)"),
    FLOAT("fluids.oil.density", DENSITY, "> 0", "required", "at surface conditions"),
    FLOAT("fluids.oil.reference_pressure", PRESSURE, "", "1.01325 bar", "where the next numbers hold", AT(PVT, p_ref)),
    FLOAT("fluids.oil.formation_volume_factor", NONE, "> 0", "1", "reservoir over surface volume", AT(PVT, b_ref)),
    FLOAT("fluids.oil.compressibility", COMPRESSIBILITY, ">= 0", "0", "of the oil", AT(PVT, compressibility)),
    FLOAT("fluids.oil.viscosity", VISCOSITY, "> 0", "required", "at reference pressure", AT(PVT, viscosity)),
    FLOAT("fluids.oil.viscosibility", COMPRESSIBILITY, "", "0", "relative change of viscosity with pressure",
          AT(PVT, viscosibility)),
    OTHER("fluids.oil.table", ROWS, NONE, "", "",
          "rows [pressure, formation volume factor, viscosity] instead of the five numbers; pressure rising"),

    OTHER("saturation", GROUP, NONE, "", "required", "relative permeability and capillary pressure"),
    CHOICE("saturation.model", "table" HP_SAT_FORMULA_LIST(OF_SPARSE), "required", "a table or a formula",
           AT(SATURATION, model)),
    OTHER("saturation.table", ROWS, NONE, "", "",
          "table: rows [sw, krw, kro] or [sw, krw, kro, pc]; sw rising, krw not falling, kro and pc not rising"),
#define PARAMETER(key, unit, range, fallback, of, what) \
  FLOAT("saturation." #key, unit, range, fallback, what, AT(SATURATION, key)),
    HP_SAT_PARAMETER_LIST(PARAMETER)
#undef PARAMETER
        FLOAT("saturation.swatinit_pc_max", PRESSURE, ">= 0", "0",
              "capillary pressure at swl that initial.swatinit may scale to; 0: any", AT(SATURATION, swatinit_pc_max)),
    BOOL("saturation.swatinit_swl", "false",
         "where it would be more: swl becomes the saturation of initial.swatinit; else its capillary pressure is the "
         "limit",
         AT(SATURATION, swatinit_swl)),

    OTHER("regions", GROUP, NONE, "", "", "which of several fluids, saturation functions, ... holds in a cell"),
    CELLS("regions.saturation", NONE, ">= 1", "1",
          "number of the cell's entry in a list saturation = ({..}, {..}), from 1"),
    CELLS("regions.pvt", NONE, ">= 1", "1", "likewise in fluids"),
    CELLS("regions.rock", NONE, ">= 1", "1", "likewise in rock"),
    CELLS("regions.equilibrium", NONE, ">= 1", "1", "likewise in initial; each has cells of one number of pvt"),
    CELLS("regions.fip", NONE, ">= 0", "1", "number of the cell's region in reports, from 1; 0: in none"),
    OTHER("endpoints", GROUP, NONE, "", "",
          "saturation functions stretched to end points of cells; below 0: as in the table"),
    CELLS("endpoints.swl", NONE, "<= 1", "", "connate water saturation"),
    CELLS("endpoints.swcr", NONE, "<= 1", "", "critical water saturation"),
    CELLS("endpoints.swu", NONE, "<= 1", "", "largest water saturation"),
    CELLS("endpoints.sowcr", NONE, "<= 1", "", "critical oil saturation"),
    CELLS("endpoints.krw", NONE, "", "", "krw at swu (of a formula: at 1 - sowcr)"),
    CELLS("endpoints.kro", NONE, "", "", "kro at swl"),
    CELLS("endpoints.pcw", PRESSURE, "", "", "capillary pressure at swl"),
    BOOL("endpoints.three_point", "false", "krw and kro meet the other phase's critical saturation, too"),

    OTHER("rock", GROUP, NONE, "", "", "compressibility of the pores"),
    FLOAT("rock.reference_pressure", PRESSURE, "", "1.01325 bar", "where the given porosity holds", AT(ROCK, p_ref)),
    FLOAT("rock.compressibility", COMPRESSIBILITY, ">= 0", "0", "relative change of porosity with pressure",
          AT(ROCK, compressibility)),
    OTHER("rock.table", ROWS, NONE, "", "",
          "rows [pressure, multiplier of the pore volume], and of the transmissibility, or of those along i, j, k; "
          "pressure rising"),
    BOOL("rock.irreversible", "false", "the table is entered with the lowest pressure that the cell has had",
         AT(ROCK, irreversible)),

    OTHER("initial", GROUP, NONE, "", "required", "the state at time zero: equilibrium, or two arrays"),
    FLOAT("initial.datum_depth", LENGTH, "", "required", "depth where datum_pressure holds",
          AT(EQUILIBRIUM, datum_depth)),
    FLOAT("initial.datum_pressure", PRESSURE, "> 0", "required", "oil pressure there (water's below the contact)",
          AT(EQUILIBRIUM, datum_pressure)),
    FLOAT("initial.contact_depth", LENGTH, "", "required", "depth of the oil-water contact",
          AT(EQUILIBRIUM, contact_depth)),
    FLOAT("initial.contact_capillary_pressure", PRESSURE, "", "0", "capillary pressure at the contact",
          AT(EQUILIBRIUM, contact_pc)),
    INT("initial.accuracy", "-100..0", "0", "0: values of the cell centre; -N: saturation averaged over 2N sub-layers",
        AT(EQUILIBRIUM, accuracy)),
    CELLS("initial.pressure", PRESSURE, "> 0", "", "oil pressure of every cell, instead of equilibrium"),
    CELLS("initial.saturation", NONE, "0..1", "", "water saturation of every cell, together with pressure"),
    CELLS("initial.swatinit", NONE, "<= 1", "",
          "with equilibrium: saturations that the capillary pressure is scaled to; below 0: none"),

    OTHER("thresholds", LIST, NONE, "", "", "pressures between regions of equilibrium that hold the phases back"),
    OTHER("thresholds[].regions", INTS, NONE, "> 0", "required", "[a, b]: two entries of initial"),
    OTHER("thresholds[].connections", ROWS, NONE, "", "",
          "instead, of pairs of cells: rows [i, j, k, other i, j, k, pressure]"),
    FLOAT("thresholds[].pressure", PRESSURE, ">= 0", "largest difference at the start",
          "difference of potentials that nothing flows at; beyond it, what is more counts"),
    BOOL("thresholds[].one_way", "false", "from the first of the regions to the second alone"),

    OTHER("aquifers", LIST, NONE, "", "", "water beside the cells of the field"),
    INT("aquifers[].number", "> 0", "its place in the list", "that vectors such as AAQR name it by",
        AT(AQUIFER, number)),
    CHOICE("aquifers[].type", "carter-tracy|fetkovich|flux|numerical", "required",
           "how much it gives; numerical: cells of the grid", AT(AQUIFER, kind)),
    FLOAT("aquifers[].datum_depth", LENGTH, "", "required", "depth where its pressure holds", AT(AQUIFER, datum_depth)),
    FLOAT("aquifers[].pressure", PRESSURE, "> 0", "at rest with its cells", "at the start", AT(AQUIFER, pressure)),
    FLOAT("aquifers[].compressibility", COMPRESSIBILITY, "> 0", "required", "of its water and rock together",
          AT(AQUIFER, compressibility)),
    INT("aquifers[].pvt", "> 0", "1", "the entry of fluids that has its water", AT(AQUIFER, pvt)),
    FLOAT("aquifers[].permeability", PERMEABILITY, "> 0", "required", "carter-tracy", AT(AQUIFER, permeability)),
    FLOAT("aquifers[].porosity", NONE, "> 0, <= 1", "required", "carter-tracy", AT(AQUIFER, porosity)),
    FLOAT("aquifers[].radius", LENGTH, "> 0", "required", "carter-tracy: inner radius", AT(AQUIFER, radius)),
    FLOAT("aquifers[].thickness", LENGTH, "> 0", "required", "carter-tracy", AT(AQUIFER, thickness)),
    FLOAT("aquifers[].angle", NONE, "> 0, <= 360", "360", "carter-tracy: of the circle around the field, in degrees",
          AT(AQUIFER, angle)),
    OTHER("aquifers[].table", ROWS, NONE, "", "infinite aquifer",
          "carter-tracy: rows [dimensionless time, dimensionless pressure], both rising; straight on beyond the last "
          "one"),
    FLOAT("aquifers[].volume", VOLUME, "> 0", "required", "fetkovich: of water at the start", AT(AQUIFER, volume)),
    FLOAT("aquifers[].productivity", PRODUCTIVITY, "> 0", "required", "fetkovich: productivity index",
          AT(AQUIFER, productivity)),
    FLOAT("aquifers[].flux", FLUX, "", "required", "flux: of water into the reservoir", AT(AQUIFER, flux)),
    OTHER("aquifers[].connections", ROWS, NONE, "", "",
          "rows [i, j, k, influx coefficient] of cells, an area each; with those of faces of a cell they add up"),
    OTHER("aquifers[].faces", LIST, NONE, "", "", "boxes of cells and the side that the aquifer lies on"),
    OTHER("aquifers[].faces[].i", SPAN, NONE, "> 0", "all", "range of i, first and last included"),
    OTHER("aquifers[].faces[].j", SPAN, NONE, "> 0", "all", "range of j"),
    OTHER("aquifers[].faces[].k", SPAN, NONE, "> 0", "all", "range of k"),
    CHOICE("aquifers[].faces[].face", CHOICES_OF_FACE, "required", "faces that no active cell covers"),
    BOOL("aquifers[].faces[].inner", "false", "those that one covers, too"),
    FLOAT("aquifers[].faces[].coefficient", AREA, ">= 0", "area of the face",
          "influx coefficient of each face; not with numerical"),
    FLOAT("aquifers[].faces[].multiplier", NONE, ">= 0", "1", "of the coefficient; numerical: of the transmissibility"),
    BOOL("aquifers[].faces[].of_face", "false", "numerical: the aquifer's cell has the area of the face there"),
    OTHER("aquifers[].cells", LIST, NONE, "", "",
          "numerical: cells of the grid, each connected to the next one, the first one to faces"),
    INT("aquifers[].cells[].i", "> 0", "required", "the cell, which may be an inactive one"),
    INT("aquifers[].cells[].j", "> 0", "required", "likewise"),
    INT("aquifers[].cells[].k", "> 0", "required", "likewise"),
    FLOAT("aquifers[].cells[].area", AREA, "> 0", "",
          "cross-section; in all cells of the aquifer or in none, which then stay as the grid has them"),
    FLOAT("aquifers[].cells[].length", LENGTH, "> 0", "required", "along the way to the next cell; with area"),
    FLOAT("aquifers[].cells[].permeability", PERMEABILITY, "> 0", "required", "along the way; with area"),
    FLOAT("aquifers[].cells[].porosity", NONE, "> 0, <= 1", "of the cell", "with area"),
    FLOAT("aquifers[].cells[].depth", LENGTH, "", "of the cell", "of the middle"),
    FLOAT("aquifers[].cells[].pressure", PRESSURE, "> 0", "of the equilibrium", "of its water at the start"),
    INT("aquifers[].cells[].pvt", "> 0", "of the cell", "entry of fluids"),
    INT("aquifers[].cells[].saturation", "> 0", "of the cell", "entry of saturation"),

    OTHER("wells", LIST, NONE, "", "", "the wells; their controls hold from time zero"),
    STRING("wells[].name", "required", "at most 31 letters, no other well of that name; in result files '/' is _"),
    CHOICE("wells[].type", "producer|injector", "required", "what the well is for"),
    CHOICE("wells[].phase", "water|oil", "water", "what an injector injects"),
    INT("wells[].i", "> 0", "", "column of a vertical well"),
    INT("wells[].j", "> 0", "", "column of a vertical well"),
    OTHER("wells[].k", SPAN, NONE, "> 0", "all layers", "perforated layers of a vertical well: k or [first, last]"),
    OTHER("wells[].cells", PLACES, NONE, "> 0", "",
          "perforated cells of any shape: ([i, j, k], ...) or ((i, j, k, \"x\"), ...) with the direction of the bore"),
    OTHER("wells[].path", ROWS, LENGTH, "", "",
          "deviated well: points [x, y, depth] of the open interval, x and y from the corner of cell 1, 1"),
    FLOAT("wells[].radius", LENGTH, "> 0", "", "of the wellbore; this, diameter or connection_factor"),
    FLOAT("wells[].diameter", LENGTH, "> 0", "", "of the wellbore, instead of radius"),
    FLOAT("wells[].skin", NONE, "", "0", "skin factor of every perforation"),
    FLOAT("wells[].connection_factor", CONNECTION, "> 0", "by Peaceman", "of every perforation"),
    OTHER("wells[].connection_factors", FLOATS, CONNECTION, ">= 0", "",
          "one for each of cells, instead of connection_factor"),
    FLOAT("wells[].kh", KH, "> 0", "of the cell", "permeability times thickness of every perforation"),
    FLOAT("wells[].reference_depth", LENGTH, "", "top perforation", "depth that the bottom-hole pressure refers to"),
    BOOL("wells[].crossflow", "true", "false closes perforations that would flow against their well"),
    CHOICE("wells[].status", "open|shut", "open", "shut: no flow until the schedule opens the well"),
    CHOICE("wells[].control", CHOICES_OF_CONTROL, "required", "the target; rate: an injector's surface rate"),
    CONTROL_KEYS("wells[]", IN_WELLS)

        OTHER("field", LIST, NONE, "", "",
              "what all wells together are asked for; an entry takes the place of the one before"),
    TIME("field[].time", ">= 0", "0", "from then on", AT(FIELD, time)),
    LIMIT("field[].oil_rate", RATE, ">= 0", "none", "surface rate of oil of all producers, shared out among them",
          AT(FIELD, control.production[HP_CONTROL_ORAT])),
    LIMIT("field[].water_rate", RATE, ">= 0", "none", "surface rate of water",
          AT(FIELD, control.production[HP_CONTROL_WRAT])),
    LIMIT("field[].liquid_rate", RATE, ">= 0", "none", "surface rate of oil and water together",
          AT(FIELD, control.production[HP_CONTROL_LRAT])),
    LIMIT("field[].reservoir_rate", RESERVOIR_RATE, ">= 0", "none", "rate at reservoir conditions",
          AT(FIELD, control.production[HP_CONTROL_RESV])),
    LIMIT("field[].injection_rate", RATE, ">= 0", "none", "surface rate of water of all injectors, likewise",
          AT(FIELD, control.injection_rate)),
    LIMIT("field[].injection_volume", RESERVOIR_RATE, ">= 0", "none", "reservoir volume of all that is injected",
          AT(FIELD, control.injection_volume)),
    LIMIT("field[].reinjection", NONE, ">= 0", "none", "water injected over water produced",
          AT(FIELD, control.reinjection)),
    LIMIT("field[].voidage", NONE, ">= 0", "none", "reservoir volume injected over reservoir volume produced",
          AT(FIELD, control.voidage)),

    OTHER("schedule", LIST, NONE, "", "", "changes of wells in time; what an entry does not say stays as it was"),
    TIME("schedule[].time", ">= 0", "required", "from then on"),
    OTHER("schedule[].well", NAMES, NONE, "", "required", "a name, a pattern with * and ?, or a list of them"),
    CHOICE("schedule[].status", "open|shut", "as before", "shut or open the well; a new control opens it too"),
    CHOICE("schedule[].type", "producer|injector", "as before", "another job; forgets all limits of the old one"),
    CHOICE("schedule[].phase", "water|oil", "as before", "what an injector injects"),
    CHOICE("schedule[].control", CHOICES_OF_CONTROL, "as before", "the target"),
    CONTROL_KEYS("schedule[]", IN_SCHEDULE)
        OTHER("schedule[].i", SPAN, NONE, "> 0", "all", "columns that the last three keys mean: i or [first, last]"),
    OTHER("schedule[].j", SPAN, NONE, "> 0", "all", "likewise"),
    OTHER("schedule[].k", SPAN, NONE, "> 0", "all", "layers that the last three keys mean: k or [first, last]"),
    CHOICE("schedule[].perforations", "open|shut", "as before", "opens or shuts perforations"),
    FLOAT("schedule[].multiply_index", NONE, ">= 0", "1", "multiplies their well index, on top of what was before"),
    FLOAT("schedule[].connection_factor", CONNECTION, "> 0", "as before",
          "of these perforations; multipliers begin anew"),

    OTHER("report", GROUP, NONE, "", "required", "when fields are written, and the end of the run"),
    TIME("report.end", "> 0", "the last of times", "end of the run; required without times"),
    FLOAT("report.every", TIME, "> 0", "end", "a report at every multiple of it, and at the end"),
    OTHER("report.times", TIMES, TIME, "> 0", "", "rising times, instead of every; those after end are left out"),

    OTHER("timestep", GROUP, NONE, "", "", "length of the time steps"),
    FLOAT("timestep.initial", TIME, "> 0", "1 day", "first time step", AT(TIMESTEP, initial)),
    FLOAT("timestep.max", TIME, "> 0", "365 day", "longest step", AT(TIMESTEP, max)),
    FLOAT("timestep.min", TIME, "> 0", "1e-4 day", "shortest step; the run gives up below it", AT(TIMESTEP, min)),
    FLOAT("timestep.growth", NONE, ">= 1", "3", "a step is at most so many times as long as the one before",
          AT(TIMESTEP, growth)),
    FLOAT("timestep.cut", NONE, "> 0, < 1", "0.5", "factor for a step that failed", AT(TIMESTEP, cut)),
    INT("timestep.target_newton", "1..100", "10", "Newton iterations that a step should take",
        AT(TIMESTEP, target_newton)),
    FLOAT("timestep.target_saturation_change", NONE, "> 0, <= 1", "1",
          "largest saturation change of a cell to aim at; 1: no matter", AT(TIMESTEP, target_ds)),
    FLOAT("timestep.accuracy", NONE, ">= 0, <= 1", "0.01",
          "error in time of what is produced (or injected) to aim at, after its correction; 1: corrected only; 0: not "
          "even "
          "that",
          AT(TIMESTEP, accuracy)),
    INT("timestep.max_cuts", "1..100", "20", "cuts in a row before the run gives up", AT(TIMESTEP, max_cuts)),

    OTHER("tuning", LIST, NONE, "", "", "changes of time steps and of Newton's method in time"),
    TIME("tuning[].time", ">= 0", "required", "from then on", AT(TUNING, time)),
    FLOAT("tuning[].initial", TIME, "> 0", "", "the next time step", AT(TUNING, initial)),
    FLOAT("tuning[].max", TIME, "> 0", "as before", "longest step", AT(TUNING, max)),
    FLOAT("tuning[].min", TIME, "> 0", "as before", "shortest step", AT(TUNING, min)),
    FLOAT("tuning[].growth", NONE, ">= 1", "as before", "largest growth of a step", AT(TUNING, growth)),
    FLOAT("tuning[].cut", NONE, "> 0, < 1", "as before", "factor for a step that failed", AT(TUNING, cut)),
    INT("tuning[].max_iterations", "1..1000", "as before", "a step that needs more Newton iterations is cut",
        AT(TUNING, max_iterations)),
    INT("tuning[].min_iterations", "0..1000", "as before", "Newton iterations that are always made",
        AT(TUNING, min_iterations)),

    OTHER("newton", GROUP, NONE, "", "", "Newton's method"),
    FLOAT("newton.tolerance_mb", NONE, "> 0", "1e-7",
          "mass balance error of a phase, in the pore volume or ten times that of the phase "
          "or, in steps that are corrected, in 1e4 times what flows",
          AT(NEWTON, tolerance_mb)),
    FLOAT("newton.tolerance_cnv", NONE, "> 0", "0.1", "largest mass balance error of a cell, in its pore volume",
          AT(NEWTON, tolerance_cnv)),
    FLOAT("newton.tolerance_flow", NONE, "> 0", "0.05", "what does not balance in a cell, in what flows through it",
          AT(NEWTON, tolerance_flow)),
    FLOAT("newton.tolerance_well", NONE, "> 0", "1e-4", "error of a well's control, relative to its rate",
          AT(NEWTON, tolerance_well)),
    INT("newton.max_iterations", "1..1000", "12",
        "a step that needs more is cut; counted anew when a control changes at the end", AT(NEWTON, max_iterations)),
    INT("newton.min_iterations", "0..1000", "1", "iterations that are always made", AT(NEWTON, min_iterations)),
    FLOAT("newton.max_saturation_change", NONE, "> 0, <= 1", "0.2", "largest change of saturation in an iteration",
          AT(NEWTON, max_ds)),
    FLOAT("newton.max_pressure_change", NONE, "> 0", "0.3",
          "largest change of pressure in an iteration, relative to it or, below that, to 100 bar",
          AT(NEWTON, max_dp_relative)),

    OTHER("linear", GROUP, NONE, "", "", "the linear solver"),
    CHOICE("linear.method", CHOICES_OF_KRYLOV, "bicgstab", "Krylov method", AT(LINEAR, method)),
    CHOICE("linear.preconditioner", CHOICES_OF_PRECOND, "dilu",
           "the default is cpr from 1000 active cells on, with dilu as its second stage"),
    CHOICE("linear.ordering", "natural|red-black|bricks", "natural",
           "order of elimination of dilu, alone or in cpr; on a GPU the default is red-black, with cpr "
           "bricks from 20000 cells on",
           AT(LINEAR, ordering)),
    CHOICE("linear.precision", "double|single", "single", "of the blocks that dilu stores, alone or in cpr",
           AT(LINEAR, precision)),
    FLOAT("linear.relaxation", NONE, "0..1", "0.8",
          "share of the fill dropped by dilu that goes to its diagonal; with cpr the default is 0",
          AT(LINEAR, relaxation)),
    FLOAT("linear.tolerance", NONE, "> 0, < 1", "1e-2",
          "residual relative to the right-hand side; four times that in the first system of a step that changes much, "
          "half of it where nothing is compressible",
          AT(LINEAR, tolerance)),
    INT("linear.max_iterations", "1..100000", "200", "then the solve has failed", AT(LINEAR, max_iterations)),
    INT("linear.restart", "1..1000", "30", "gmres: length of the basis", AT(LINEAR, restart)),
    CHOICE("linear.matrix", CHOICES_OF_FORMAT, "gh", "storage of the matrix in the products; only to compare",
           AT(LINEAR, matrix)),
    CHOICE("linear.execution", CHOICES_OF_EXECUTION, "in-kernel", "how a GPU runs the method; others only to compare",
           AT(LINEAR, execution)),
    CHOICE("linear.barrier", CHOICES_OF_BARRIER, "auto",
           "how a GPU's blocks wait for each other in a kernel; auto: as tuned; flags is lock-free; only to compare",
           AT(LINEAR, barrier)),
    CHOICE("linear.exchange", CHOICES_OF_TRANSPORT, "auto", "ranks with a GPU each: how ghosts go from one to another",
           AT(LINEAR, exchange)),
    BOOL("linear.specialise", "false", "a GPU compiles the solver's kernel for this grid, and keeps it for later runs",
         AT(LINEAR, specialise)),
    OTHER("linear.cpr", GROUP, NONE, "", "", "the first stage of cpr, multigrid on the pressure system; chooses cpr"),
    CHOICE("linear.cpr.amg", CHOICES_OF_CPR_AMG, "own",
           "whose multigrid: hepta's, or hypre's BoomerAMG, to compare: one thread of a CPU, or of each rank, in "
           "builds that found hypre",
           AT(CPR, whose)),
    CHOICE("linear.cpr.weights", CHOICES_OF_WEIGHTS, "true-impes", "how the rows of a cell add up to one of pressure",
           AT(CPR, weights)),
    CHOICE("linear.cpr.rebuild", CHOICES_OF_REBUILD, "run",
           "coarse points and interpolation are made once per run, or once per time step", AT(CPR, rebuild)),
    CHOICE("linear.cpr.refresh", CHOICES_OF_REFRESH, "step",
           "coarse numbers are renewed in a step's first system, or its first four (from 50000 cells on unless "
           "order "
           "is natural), and after a slow solve",
           AT(CPR, refresh)),
    CHOICE("linear.cpr.coarsening", CHOICES_OF_COARSENING, "pmis", "which points a coarser level keeps",
           AT(CPR, amg.coarsening)),
    CHOICE("linear.cpr.interpolation", CHOICES_OF_INTERPOLATION, "extended+i", "from coarse points to fine ones",
           AT(CPR, amg.interpolation)),
    CHOICE("linear.cpr.smoother", CHOICES_OF_SMOOTHER, "damped-jacobi", "of every level", AT(CPR, amg.smoother)),
    CHOICE("linear.cpr.cycle", "v|w|f", "v", "how often the coarser levels are visited", AT(CPR, amg.cycle)),
    FLOAT("linear.cpr.strength", NONE, ">= 0, < 1", "0.25",
          "a neighbour is strong if its coupling is at least so many times the strongest one's", AT(CPR, amg.strength)),
    FLOAT("linear.cpr.truncation", NONE, ">= 0, < 1", "0",
          "interpolation weights below this share of the row's largest are dropped", AT(CPR, amg.truncation)),
    INT("linear.cpr.max_weights", "0..100", "4", "interpolation weights of a point at most; 0: all",
        AT(CPR, amg.max_weights)),
    FLOAT("linear.cpr.damping", NONE, "> 0, < 2", "0.8", "of the smoothers damped-jacobi and block-jacobi",
          AT(CPR, amg.damping)),
    INT("linear.cpr.block", "1..16", "4", "rows of a block of the block smoothers", AT(CPR, amg.block)),
    INT("linear.cpr.order", "1..16", "2", "degree of the polynomial smoother", AT(CPR, amg.order)),
    INT("linear.cpr.domain", "1..1000000", "2048", "rows of a domain of the smoothers with domains, at least",
        AT(CPR, amg.domain)),
    INT("linear.cpr.domains", "1..1000000", "16", "domains of a level at most", AT(CPR, amg.domains)),
    CHOICE("linear.cpr.precision", "double|single", "single", "of what a cycle reads and works with",
           AT(CPR, amg.precision)),
    CHOICE("linear.cpr.format", CHOICES_OF_ROWS, "auto", "how a cycle has the rows of levels; auto: sliced",
           AT(CPR, amg.format)),
    INT("linear.cpr.pre", "0..10", "1",
        "sweeps of the smoother before the coarser levels; on a GPU 0 where neither this nor post is named",
        AT(CPR, amg.pre)),
    INT("linear.cpr.post", "0..10", "1", "sweeps after them", AT(CPR, amg.post)),
    INT("linear.cpr.coarsest", "1..1000", "64",
        "a level of so many cells or fewer is solved directly, if with wells it has at most 1000 rows",
        AT(CPR, amg.coarsest)),
    INT("linear.cpr.max_levels", "1..25", "25", "levels at most", AT(CPR, amg.max_levels)),
    INT("linear.cpr.seed", ">= 0", "1", "of the random numbers of pmis", AT(CPR, amg.seed)),

    OTHER("output", GROUP, NONE, "", "", "the result files"),
    STRING("output.name", "the deck's name", "path and base name of the result files"),
    BOOL("output.fields", "true", "write pressure and saturation at report times", AT(OUTPUT, fields)),
    BOOL("output.double", "false", "fields in double precision", AT(OUTPUT, f64)),
    INT("output.compression", "0..9", "1", "gzip level of the fields", AT(OUTPUT, compression)),
    BOOL("output.summary", "true", "write rates and totals of every time step", AT(OUTPUT, summary)),
    BOOL("output.eclipse", "false", "write fields and summary as Eclipse's binary files, too", AT(OUTPUT, eclipse)),
    CHOICE("output.units", "metric|field|lab|si", "units", "the units of messages and of the summary"),
    OTHER("output.vectors", NAMES, NONE, "", "", "vectors of the summary beside those that are always written"),
    INT("output.restart", "-1..1000000000", "2",
        "of so many report steps, the latest, keep what a run needs to go on from there; -1: of all, 0: of none",
        AT(OUTPUT, restart)),
    FLOAT("output.interval", TIME, "> 0", "", "fields at multiples of this time only, instead of every report",
          AT(OUTPUT, interval)),
    FLOAT("output.refresh", NONE, ">= 0", "0.1",
          "seconds by the clock on the wall: report steps get into NAME.h5 and NAME.xdmf2 at most so often, beside the "
          "next steps; 0: each at once, and the run waits",
          AT(OUTPUT, refresh)),
};

const hp_config_key *hp_config_keys(int *count) {
  *count = (int)(sizeof keys / sizeof keys[0]);
  return keys;
}

const hp_config_key *hp_config_key_find(const char *path) {
  for (size_t n = 0; n < sizeof keys / sizeof keys[0]; ++n)
    if (strcmp(keys[n].path, path) == 0) return &keys[n];
  return NULL;
}

const char *hp_config_kind_text(hp_key_kind kind) {
  static const char *const text[HP_KEY_KIND_COUNT] = {
      [HP_KEY_BOOL] = "true or false",
      [HP_KEY_INT] = "integer",
      [HP_KEY_FLOAT] = "number",
      [HP_KEY_TIME] = "number or date",
      [HP_KEY_LIMIT] = "number or \"none\"",
      [HP_KEY_STRING] = "text",
      [HP_KEY_CHOICE] = "text",
      [HP_KEY_INTS] = "integers [..]",
      [HP_KEY_FLOATS] = "numbers [..]",
      [HP_KEY_TIMES] = "numbers or dates [..]",
      [HP_KEY_SPAN] = "integer or [first, last]",
      [HP_KEY_ROWS] = "list of rows",
      [HP_KEY_CELLS] = "cell array",
      [HP_KEY_NAMES] = "text or list of texts",
      [HP_KEY_PLACES] = "list of cells",
      [HP_KEY_GROUP] = "group {..}",
      [HP_KEY_LIST] = "list of groups",
  };
  return (unsigned)kind < HP_KEY_KIND_COUNT ? text[kind] : "?";
}
