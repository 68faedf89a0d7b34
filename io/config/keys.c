#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "grid/structure.h"
#include "io/config/config.h"
#include "io/config/keys_output.h"

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

#define OF_RATIO(name, text) "|" text
#define OF_UPDATE(name, text) "|" text
#define CHOICES_OF_RATIO HP_LIFT_RATIO_LIST(OF_RATIO)
#define CHOICES_OF_LOSS HP_LOSS_LIST(OF_RATIO)
#define CHOICES_OF_GROUP_WORKOVER HP_GROUP_WORKOVER_LIST(OF_RATIO)

#define CHOICES_OF_OIL_CURVE HP_OIL_CURVE_LIST(OF_RATIO)
#define CHOICES_OF_WATER_CURVE HP_WATER_CURVE_LIST(OF_RATIO)
#define CHOICES_OF_STRUCTURE HP_STRUCTURE_LIST(OF_RATIO)
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
  LIMIT(list ".thp", PRESSURE, ">= 0", IN("none"), "tubing-head pressure by the table vfp"), \
  LIMIT(list ".oil_rate", RATE, ">= 0", IN("none"), "producers; liquid: oil and water"), \
  LIMIT(list ".water_rate", RATE, ">= 0", IN("none"), "producers; liquid: oil and water"), \
  LIMIT(list ".liquid_rate", RATE, ">= 0", IN("none"), "producers; liquid: oil and water"), \
  LIMIT(list ".reservoir_rate", RESERVOIR_RATE, ">= 0", IN("none"), "total"), \
  FLOAT(list ".observed_oil_rate", RATE, ">= 0", IN("0"), \
        "producers: history match by volume, see above"), \
  FLOAT(list ".observed_water_rate", RATE, ">= 0", IN("0"), "producers: history match by volume, see above"), \
  LIMIT(list ".rate", RATE, ">= 0", IN("none"), "injected phase (injectors)"), \
  HP_WELL_SETTING_LIST(SETTING_##IN)
#define SETTING_OF(list, kind, key, unit, range, fallback, choices, what) \
  KEY(list "." #key, kind, unit, range, fallback, choices, what, AT(CONTROL, key)),
#define SETTING_IN_WELLS(kind, key, unit, range, fallback, choices, what) \
  SETTING_OF("wells[]", kind, key, unit, range, fallback, choices, what)
#define SETTING_IN_SCHEDULE(kind, key, unit, range, fallback, choices, what) \
  SETTING_OF("schedule[]", kind, key, unit, range, "as before", choices, what)
/* clang-format on */

static const hp_config_key keys[] = {
    STRING("title", "", "title in reports and result files"),
    CHOICE("units", "metric|field|lab|si", "metric", "units of all numbers of the deck"),
    STRING("start", "", "date of time zero: 2026-01-31 or 2026-01-31 12:00"),

    OTHER("grid", GROUP, NONE, "", "required", "cells and rock"),
    OTHER("grid.size", INTS, NONE, "> 0", "required", "[nx, ny, nz]: number of cells along i, j, k"),
    OTHER("grid.refine", INTS, NONE, "> 0", "[1, 1, 1]", "[rx, ry, rz]: cuts each cell along i, j, k for the run"),
    CELLS("grid.dx", LENGTH, ">= 0", "required", "cell size along i, j, k"),
    CELLS("grid.dy", LENGTH, ">= 0", "required", "cell size along i, j, k"),
    CELLS("grid.dz", LENGTH, ">= 0", "required", "cell size along i, j, k"),
    CELLS("grid.top", LENGTH, "", "0", "depth of the top of layer 1: one value or nx*ny"),
    CELLS("grid.tops", LENGTH, "", "", "top depth of every cell, instead of top"),
    CELLS("grid.depth", LENGTH, "", "", "centre depth of every cell, instead of top and tops"),
    CELLS("grid.porosity", NONE, "0..1", "required", "porosity at reference pressure"),
    CELLS("grid.permx", PERMEABILITY, ">= 0", "required", "permeability along i"),
    CELLS("grid.permy", PERMEABILITY, ">= 0", "permx", "permeability along j, k"),
    CELLS("grid.permz", PERMEABILITY, ">= 0", "permx", "permeability along j, k"),
    CELLS("grid.ntg", NONE, "0..1", "1", "net to gross: scales pore volume, lateral transmissibility and Kh"),
    CELLS("grid.active", NONE, "0..1", "1", "1: active, 0: inactive"),
    CELLS("grid.multpv", NONE, ">= 0", "1", "multiplies the pore volume"),
    CELLS("grid.multx", NONE, ">= 0", "1", "transmissibility multiplier to the next cell in that direction"),
    CELLS("grid.multy", NONE, ">= 0", "1", "transmissibility multiplier to the next cell in that direction"),
    CELLS("grid.multz", NONE, ">= 0", "1", "transmissibility multiplier to the next cell in that direction"),
    CELLS("grid.pore_volume", RESERVOIR_VOLUME, ">= 0", "", "replaces cell size * porosity * ntg * multpv"),
    CELLS("grid.tranx", CONNECTION, ">= 0", "",
          "transmissibility to the next cell in that direction, instead of the computed one"),
    CELLS("grid.trany", CONNECTION, ">= 0", "",
          "transmissibility to the next cell in that direction, instead of the computed one"),
    CELLS("grid.tranz", CONNECTION, ">= 0", "",
          "transmissibility to the next cell in that direction, instead of the computed one"),
    FLOAT("grid.minpv", RESERVOIR_VOLUME, ">= 0", "1e-6", "cells with less pore volume are inactive"),
    OTHER("grid.corner_point", GROUP, NONE, "", "", "cells by their corners, instead of dx, dy, dz and depths"),
    CELLS("grid.corner_point.coord", LENGTH, "", "required",
          "[ny+1][nx+1][6]: two points (x, y, depth) of each pillar"),
    CELLS("grid.corner_point.zcorn", LENGTH, "", "required", "[2 nz][2 ny][2 nx]: depths of corners, i fastest"),
    OTHER("grid.corner_point.systems", LIST, NONE, "", "", "groups of layers with their own pillars, top to bottom"),
    OTHER("grid.corner_point.systems[].k", SPAN, NONE, "> 0", "required", "range of its layers"),
    BOOL("grid.corner_point.systems[].joined", "false", "connects its last layer to the next system"),
    OTHER("grid.corner_point.systems[].beside", SPAN, NONE, "> 0", "itself",
          "range of systems connected to it across faults: they have equal pillars"),
    BOOL("grid.corner_point.connect", "true",
         "connects cells across faults; false: corners give only sizes and depths"),
    OTHER("grid.structure", LIST, NONE, "", "", "shapes of the flat layers of dx, dy, dz and top, which add up"),
    CHOICE("grid.structure[].type", CHOICES_OF_STRUCTURE, "required", "kind of the shape"),
    FLOAT("grid.structure[].x", LENGTH, "", "", "dome: its centre, from the corner of cell (1, 1)"),
    FLOAT("grid.structure[].y", LENGTH, "", "", "dome: likewise"),
    FLOAT("grid.structure[].height", LENGTH, "", "", "dome: by which its centre lies higher; < 0: a basin"),
    FLOAT("grid.structure[].radius", LENGTH, "> 0", "", "dome: distance from the centre at which the layers are flat"),
    FLOAT("grid.structure[].radius_y", LENGTH, "> 0", "radius", "dome: the same along j"),
    FLOAT("grid.structure[].dip", NONE, "-80..80", "", "dip: angle of the layers below the horizontal [degrees]"),
    FLOAT("grid.structure[].azimuth", NONE, "", "0",
          "dip: direction of the fall, from that of i towards that of j [degrees]"),
    INT("grid.structure[].i", "> 0", "", "fault: behind this column; cells with larger i sink"),
    INT("grid.structure[].j", "> 0", "", "fault: behind this row; cells with larger j sink"),
    OTHER("grid.structure[].throws", FLOATS, LENGTH, "", "",
          "fault: by which they sink, evenly spaced along the fault"),
    FLOAT("grid.structure[].reach", LENGTH, "> 0", "endless",
          "fault: distance behind it at which the throw has vanished"),
    OTHER("grid.pinch", GROUP, NONE, "", "", "connects cells across thin inactive ones"),
    FLOAT("grid.pinch.thickness", LENGTH, ">= 0", "0.001", "connections pass through thinner inactive cells"),
    BOOL("grid.pinch.only_thin", "false", "false: they pass through all cells below minpv, too"),
    FLOAT("grid.pinch.gap", LENGTH, ">= 0", "", "largest empty height between cells connected along k"),
    BOOL("grid.pinch.through", "false", "includes the resistance of the cells between"),
    BOOL("grid.pinch.smallest", "false", "smallest multz on the way; false: that of the upper cell"),
    OTHER("grid.connections", ROWS, NONE, "", "", "rows (i, j, k, other i, j, k, connection factor); they add up"),
    OTHER("grid.boxes", LIST, NONE, "", "", "changes in boxes of cells, in order"),
    OTHER("grid.boxes[].i", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("grid.boxes[].j", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("grid.boxes[].k", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("grid.boxes[].set", GROUP, NONE, "", "", "cell arrays and their value"),
    OTHER("grid.boxes[].multiply", GROUP, NONE, "", "", "cell arrays and a factor, after set"),
    OTHER("grid.boxes[].add", GROUP, NONE, "", "", "cell arrays and what is added, after multiply"),

    OTHER("faults", LIST, NONE, "", "", "named sets of faces and their multipliers"),
    STRING("faults[].name", "required", "unique, at most 31 letters"),
    FLOAT("faults[].multiplier", NONE, ">= 0", "1", "for the transmissibilities of its faces"),
    FLOAT("faults[].threshold", PRESSURE, ">= 0", "0", "least potential difference for flow through its faces"),
    OTHER("faults[].faces", LIST, NONE, "", "", "boxes of cells and their side; a face counts once"),
    OTHER("faults[].faces[].i", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("faults[].faces[].j", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("faults[].faces[].k", SPAN, NONE, "> 0", "all", "box of cells"),
    CHOICE("faults[].faces[].face", CHOICES_OF_FACE, "required", "side of the cells"),
    OTHER("multipliers", LIST, NONE, "", "", "changes of transmissibilities in time; they multiply"),
    TIME("multipliers[].time", ">= 0", "required", "time of the change"),
    FLOAT("multipliers[].by", NONE, ">= 0", "", "the factor"),
    STRING("multipliers[].fault", "", "for the faces of this fault: name or pattern with * and ?"),
    CHOICE("multipliers[].face", CHOICES_OF_FACE, "", "or for this side of the cells"),
    OTHER("multipliers[].i", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("multipliers[].j", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("multipliers[].k", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("multipliers[].connections", ROWS, NONE, "", "",
          "or for rows [i, j, k, other i, j, k], followed by a factor where by is absent"),
    STRING("multipliers[].name", "", "name in messages"),

    STRING("array.file", "", "file with the values"),
    CHOICE("array.format", "raw|eclipse|hdf5", "raw", "raw: numbers, i fastest; hdf5: [nz][ny][nx]"),
    INT("array.index", ">= 0", "0", "raw: number of whole fields to skip"),
    STRING("array.keyword", "", "eclipse: keyword, such as PERMX; required"),
    STRING("array.dataset", "", "hdf5: path of the dataset, such as /static/permx of NAME.grid.h5; required"),
    FLOAT("array.multiply", NONE, "", "1", "file: factor, applied before min and max"),
    CHOICE("array.units", "metric|field|lab|si", "units", "units of values, min, max, mean, stddev"),
    FLOAT("array.min", NONE, "", "", "values beyond it are set to it"),
    FLOAT("array.max", NONE, "", "", "values beyond it are set to it"),
    CHOICE("array.generator", "lognormal|normal|channels", "", "generated from a seed, instead of a file"),
    INT("array.seed", ">= 0", "1", "equal seeds give equal fields"),
    FLOAT("array.mean", NONE, "", "required", "mean; lognormal: geometric mean, > 0"),
    FLOAT("array.stddev", NONE, ">= 0", "required", "normal: standard deviation"),
    FLOAT("array.log_stddev", NONE, ">= 0", "required", "lognormal: standard deviation of the natural logarithm"),
    OTHER("array.correlation", FLOATS, NONE, ">= 0", "[0, 0, 0]", "correlation lengths along i, j, k [cells]"),
    CHOICE("array.covariance", "exponential|gaussian", "exponential", "exponential: rough; gaussian: smooth"),
    CELLS("array.background", NONE, "", "required", "channels: values outside the channels"),
    CELLS("array.channel", NONE, "", "required", "channels: values inside the channels"),
    FLOAT("array.fraction", NONE, "0..1", "0.35", "channels: share of the cells in channels"),
    FLOAT("array.width", NONE, ">= 1", "8", "channels: width [cells]"),
    FLOAT("array.thickness", NONE, ">= 1", "5", "channels: largest thickness [cells]"),
    FLOAT("array.wavelength", NONE, "> 0", "70", "channels: wavelength of meanders along j [cells]"),
    FLOAT("array.amplitude", NONE, ">= 0", "9", "channels: amplitude of meanders along i [cells]"),
    FLOAT("array.variability", NONE, "0..0.9", "0.3", "channels: sizes vary by up to this share"),
    OTHER("array.layers", LIST, NONE, "", "", "ranges of layers; together all layers"),
    OTHER("array.layers[].k", SPAN, NONE, "> 0", "required", "first and last layer"),
    CELLS("array.layers[].value", NONE, "", "required", "values there, in any form"),

    OTHER("fluids", GROUP, NONE, "", "required", "water and oil"),
    OTHER("fluids.water", GROUP, NONE, "", "required", "the water"),
    FLOAT("fluids.water.density", DENSITY, "> 0", "required", "at surface conditions"),
    FLOAT("fluids.water.reference_pressure", PRESSURE, "", "1.01325 bar", "pressure of the next numbers",
          AT(PVT, p_ref)),
    FLOAT("fluids.water.formation_volume_factor", NONE, "> 0", "1", "reservoir over surface volume", AT(PVT, b_ref)),
    FLOAT("fluids.water.compressibility", COMPRESSIBILITY, ">= 0", "0", "relative change of 1/B with pressure",
          AT(PVT, compressibility)),
    FLOAT("fluids.water.viscosity", VISCOSITY, "> 0", "required", "at reference pressure", AT(PVT, viscosity)),
    FLOAT("fluids.water.viscosibility", COMPRESSIBILITY, "", "0", "relative change of viscosity with pressure",
          AT(PVT, viscosibility)),
    OTHER("fluids.oil", GROUP, NONE, "", "required", "numbers as for water (PVCDO), or a table (PVDO)"),
    FLOAT("fluids.oil.density", DENSITY, "> 0", "required", "at surface conditions"),
    FLOAT("fluids.oil.reference_pressure", PRESSURE, "", "1.01325 bar", "pressure of the next numbers", AT(PVT, p_ref)),
    FLOAT("fluids.oil.formation_volume_factor", NONE, "> 0", "1", "reservoir over surface volume", AT(PVT, b_ref)),
    FLOAT("fluids.oil.compressibility", COMPRESSIBILITY, ">= 0", "0", "relative change of 1/B with pressure",
          AT(PVT, compressibility)),
    FLOAT("fluids.oil.viscosity", VISCOSITY, "> 0", "required", "at reference pressure", AT(PVT, viscosity)),
    FLOAT("fluids.oil.viscosibility", COMPRESSIBILITY, "", "0", "relative change of viscosity with pressure",
          AT(PVT, viscosibility)),
    OTHER("fluids.oil.table", ROWS, NONE, "", "",
          "rows [pressure, B, viscosity], instead of the numbers; pressure rises"),

    OTHER("saturation", GROUP, NONE, "", "required", "relative permeability and capillary pressure"),
    CHOICE("saturation.model", "table" HP_SAT_FORMULA_LIST(OF_SPARSE), "required", "a table or a formula",
           AT(SATURATION, model)),
    OTHER("saturation.table", ROWS, NONE, "", "",
          "rows [sw, krw, kro] or [sw, krw, kro, pc]; sw rises, krw does not fall, kro and pc do not rise"),
#define PARAMETER(key, unit, range, fallback, of, what) \
  FLOAT("saturation." #key, unit, range, fallback, what, AT(SATURATION, key)),
    HP_SAT_PARAMETER_LIST(PARAMETER)
#undef PARAMETER
        FLOAT("saturation.swatinit_pc_max", PRESSURE, ">= 0", "0",
              "largest pc at swl to which initial.swatinit scales; 0: any", AT(SATURATION, swatinit_pc_max)),
    BOOL("saturation.swatinit_swl", "false",
         "beyond swatinit_pc_max: swl becomes initial.swatinit; false: pc is limited", AT(SATURATION, swatinit_swl)),

    OTHER("hysteresis", GROUP, NONE, "", "",
          "of the saturation functions of cells with regions.imbibition, in water-wet rock"),
    CHOICE("hysteresis.oil", CHOICES_OF_OIL_CURVE, "none", "scanning curves of kro", AT(HYSTERESIS, oil)),
    CHOICE("hysteresis.water", CHOICES_OF_WATER_CURVE, "drainage", "curve of krw", AT(HYSTERESIS, water)),
    BOOL("hysteresis.pc", "false", "scanning curves of pc (Killough)", AT(HYSTERESIS, pc)),
    FLOAT("hysteresis.curvature", NONE, "> 0", "0.1", "of the scanning curves of pc", AT(HYSTERESIS, curvature)),
    FLOAT("hysteresis.trapping", NONE, ">= 0", "0.1", "less oil is trapped the less a cell was drained",
          AT(HYSTERESIS, trapping)),

    OTHER("regions", GROUP, NONE, "", "", "entries of lists that hold in a cell"),
    CELLS("regions.saturation", NONE, ">= 1", "1", "entry of the list of that name, from 1"),
    CELLS("regions.imbibition", NONE, ">= 1", "that of saturation", "entry of saturation for imbibition, from 1"),
    CELLS("regions.saturation_x", NONE, ">= 1", "that of saturation",
          "entry of saturation for relative permeabilities of flow along that axis"),
    CELLS("regions.saturation_y", NONE, ">= 1", "that of saturation",
          "entry of saturation for relative permeabilities of flow along that axis"),
    CELLS("regions.saturation_z", NONE, ">= 1", "that of saturation",
          "entry of saturation for relative permeabilities of flow along that axis"),
    CELLS("regions.saturation_x_minus", NONE, ">= 1", "as towards plus", "the same for flow towards minus"),
    CELLS("regions.saturation_y_minus", NONE, ">= 1", "as towards plus", "the same for flow towards minus"),
    CELLS("regions.saturation_z_minus", NONE, ">= 1", "as towards plus", "the same for flow towards minus"),
    CELLS("regions.pvt", NONE, ">= 1", "1", "entry of fluids, from 1"),
    CELLS("regions.rock", NONE, ">= 1", "1", "entry of the list of that name, from 1"),
    CELLS("regions.equilibrium", NONE, ">= 1", "1", "entry of initial, from 1; its cells share one pvt"),
    CELLS("regions.fip", NONE, ">= 0", "1", "region of vectors such as ROIP; 0: none"),
    OTHER("endpoints", GROUP, NONE, "", "", "end points of cells; below 0: as in the table"),
    CELLS("endpoints.swl", NONE, "<= 1", "", "saturation of water: connate, critical, largest; critical of oil"),
    CELLS("endpoints.swcr", NONE, "<= 1", "", "saturation of water: connate, critical, largest; critical of oil"),
    CELLS("endpoints.swu", NONE, "<= 1", "", "saturation of water: connate, critical, largest; critical of oil"),
    CELLS("endpoints.sowcr", NONE, "<= 1", "", "saturation of water: connate, critical, largest; critical of oil"),
    CELLS("endpoints.krw", NONE, "", "", "krw at swu (formula: at 1 - sowcr), kro at swl"),
    CELLS("endpoints.kro", NONE, "", "", "krw at swu (formula: at 1 - sowcr), kro at swl"),
    CELLS("endpoints.pcw", PRESSURE, "", "", "capillary pressure at swl, or at swlpc"),
    CELLS("endpoints.swlpc", NONE, "<= 1", "", "saturation where pc begins, instead of swl"),
    CELLS("endpoints.krwr", NONE, "", "", "krw at 1 - sowcr, of a table; kro at swcr"),
    CELLS("endpoints.krorw", NONE, "", "", "krw at 1 - sowcr, of a table; kro at swcr"),
    CELLS("endpoints.iswl", NONE, "<= 1", "", "the same of imbibition"),
    CELLS("endpoints.iswcr", NONE, "<= 1", "", "the same of imbibition"),
    CELLS("endpoints.iswu", NONE, "<= 1", "", "the same of imbibition"),
    CELLS("endpoints.isowcr", NONE, "<= 1", "", "the same of imbibition"),
    CELLS("endpoints.ikrw", NONE, "", "", "the same of imbibition"),
    CELLS("endpoints.ikro", NONE, "", "", "the same of imbibition"),
    CELLS("endpoints.ipcw", PRESSURE, "", "", "the same of imbibition"),
    CELLS("endpoints.iswlpc", NONE, "<= 1", "", "the same of imbibition"),
    CELLS("endpoints.ikrwr", NONE, "", "", "the same of imbibition"),
    CELLS("endpoints.ikrorw", NONE, "", "", "the same of imbibition"),
    BOOL("endpoints.three_point", "false", "krw and kro also meet the other phase's critical saturation"),

    OTHER("rock", GROUP, NONE, "", "", "compressibility of the pores"),
    FLOAT("rock.reference_pressure", PRESSURE, "", "1.01325 bar", "pressure of the given porosity", AT(ROCK, p_ref)),
    FLOAT("rock.compressibility", COMPRESSIBILITY, ">= 0", "0", "relative change of porosity with pressure",
          AT(ROCK, compressibility)),
    OTHER("rock.table", ROWS, NONE, "", "",
          "rows [pressure, pore volume multiplier, transmissibility multiplier (one or three)]; pressure rises"),
    BOOL("rock.irreversible", "false", "the table uses the cell's lowest pressure so far", AT(ROCK, irreversible)),

    OTHER("initial", GROUP, NONE, "", "required", "state at time zero: equilibrium or two arrays"),
    FLOAT("initial.datum_depth", LENGTH, "", "required", "depth where datum_pressure holds",
          AT(EQUILIBRIUM, datum_depth)),
    FLOAT("initial.datum_pressure", PRESSURE, "> 0", "required", "oil pressure there (water's below the contact)",
          AT(EQUILIBRIUM, datum_pressure)),
    FLOAT("initial.contact_depth", LENGTH, "", "required", "depth of the oil-water contact",
          AT(EQUILIBRIUM, contact_depth)),
    FLOAT("initial.contact_capillary_pressure", PRESSURE, "", "0", "capillary pressure at the contact",
          AT(EQUILIBRIUM, contact_pc)),
    INT("initial.accuracy", "-100..0", "0", "0: values at the cell's centre; -N: means over 2N sub-layers",
        AT(EQUILIBRIUM, accuracy)),
    CELLS("initial.pressure", PRESSURE, "> 0", "", "oil pressure of every cell, instead of equilibrium"),
    CELLS("initial.saturation", NONE, "0..1", "", "water saturation of every cell, together with pressure"),
    CELLS("initial.driest", NONE, "0..1", "saturation", "with them, for hysteresis: least water saturation before"),
    CELLS("initial.swatinit", NONE, "<= 1", "", "with equilibrium: pc is scaled to these saturations; below 0: not"),

    OTHER("thresholds", LIST, NONE, "", "", "threshold pressures between regions of equilibrium"),
    OTHER("thresholds[].regions", INTS, NONE, "> 0", "required", "[a, b]: two entries of initial"),
    OTHER("thresholds[].connections", ROWS, NONE, "", "", "or rows [i, j, k, other i, j, k, pressure]"),
    FLOAT("thresholds[].pressure", PRESSURE, ">= 0", "largest difference at the start",
          "least potential difference for flow; the excess drives it"),
    BOOL("thresholds[].one_way", "false", "only from the first region to the second"),

    OTHER("aquifers", LIST, NONE, "", "", "water beside the cells of the field"),
    INT("aquifers[].number", "> 0", "its place in the list", "number in vectors such as AAQR", AT(AQUIFER, number)),
    CHOICE("aquifers[].type", "carter-tracy|fetkovich|flux|numerical", "required",
           "model; numerical: cells of the grid", AT(AQUIFER, kind)),
    FLOAT("aquifers[].datum_depth", LENGTH, "", "required", "depth of its pressure", AT(AQUIFER, datum_depth)),
    FLOAT("aquifers[].pressure", PRESSURE, "> 0", "at rest with its cells", "initial pressure", AT(AQUIFER, pressure)),
    FLOAT("aquifers[].compressibility", COMPRESSIBILITY, "> 0", "required", "total, of water and rock",
          AT(AQUIFER, compressibility)),
    INT("aquifers[].pvt", "> 0", "1", "entry of fluids with its water", AT(AQUIFER, pvt)),
    FLOAT("aquifers[].permeability", PERMEABILITY, "> 0", "required", "carter-tracy", AT(AQUIFER, permeability)),
    FLOAT("aquifers[].porosity", NONE, "> 0, <= 1", "required", "carter-tracy", AT(AQUIFER, porosity)),
    FLOAT("aquifers[].radius", LENGTH, "> 0", "required", "carter-tracy: inner radius", AT(AQUIFER, radius)),
    FLOAT("aquifers[].thickness", LENGTH, "> 0", "required", "carter-tracy", AT(AQUIFER, thickness)),
    FLOAT("aquifers[].angle", NONE, "> 0, <= 360", "360", "carter-tracy: degrees of the circle around the field",
          AT(AQUIFER, angle)),
    OTHER("aquifers[].table", ROWS, NONE, "", "infinite aquifer",
          "carter-tracy: rows [dimensionless time, pressure], rising; extrapolated"),
    FLOAT("aquifers[].volume", VOLUME, "> 0", "required", "fetkovich: initial water", AT(AQUIFER, volume)),
    FLOAT("aquifers[].productivity", PRODUCTIVITY, "> 0", "required", "fetkovich: productivity index",
          AT(AQUIFER, productivity)),
    FLOAT("aquifers[].flux", FLUX, "", "required", "flux: water into the reservoir", AT(AQUIFER, flux)),
    OTHER("aquifers[].connections", ROWS, NONE, "", "", "rows [i, j, k, influx coefficient (area)]; they add up"),
    OTHER("aquifers[].faces", LIST, NONE, "", "", "boxes of cells and the aquifer's side"),
    OTHER("aquifers[].faces[].i", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("aquifers[].faces[].j", SPAN, NONE, "> 0", "all", "box of cells"),
    OTHER("aquifers[].faces[].k", SPAN, NONE, "> 0", "all", "box of cells"),
    CHOICE("aquifers[].faces[].face", CHOICES_OF_FACE, "required",
           "side of the cells; faces that an active cell covers are left out"),
    BOOL("aquifers[].faces[].inner", "false", "includes faces that an active cell covers"),
    FLOAT("aquifers[].faces[].coefficient", AREA, ">= 0", "area of the face",
          "influx coefficient of each face; not numerical"),
    FLOAT("aquifers[].faces[].multiplier", NONE, ">= 0", "1",
          "for the coefficient; numerical: for the transmissibility"),
    BOOL("aquifers[].faces[].of_face", "false", "numerical: the connection has the face's area"),
    OTHER("aquifers[].cells", LIST, NONE, "", "", "numerical: cells in series; the first is connected to faces"),
    INT("aquifers[].cells[].i", "> 0", "required", "the cell, active or not"),
    INT("aquifers[].cells[].j", "> 0", "required", "the cell, active or not"),
    INT("aquifers[].cells[].k", "> 0", "required", "the cell, active or not"),
    FLOAT("aquifers[].cells[].area", AREA, "> 0", "",
          "cross-section, in all cells or none; without it cells are the grid's"),
    FLOAT("aquifers[].cells[].length", LENGTH, "> 0", "required", "along the way to the next cell"),
    FLOAT("aquifers[].cells[].permeability", PERMEABILITY, "> 0", "required", "along the way to the next cell"),
    FLOAT("aquifers[].cells[].porosity", NONE, "> 0, <= 1", "of the cell", "only with area"),
    FLOAT("aquifers[].cells[].depth", LENGTH, "", "of the cell", "of its centre"),
    FLOAT("aquifers[].cells[].pressure", PRESSURE, "> 0", "of the equilibrium", "initial pressure"),
    INT("aquifers[].cells[].pvt", "> 0", "of the cell", "entry of fluids"),
    INT("aquifers[].cells[].saturation", "> 0", "of the cell", "entry of saturation"),

    OTHER("wells", LIST, NONE, "", "", "wells and their controls at time zero"),
    STRING("wells[].name", "required", "unique, at most 31 letters; '/' is _ in result files"),
    CHOICE("wells[].type", "producer|injector", "required", "role of the well"),
    CHOICE("wells[].phase", "water|oil", "water", "injected phase"),
    INT("wells[].i", "> 0", "", "column of a vertical well"),
    INT("wells[].j", "> 0", "", "column of a vertical well"),
    OTHER("wells[].k", SPAN, NONE, "> 0", "all layers", "perforated layers of a vertical well"),
    OTHER("wells[].cells", PLACES, NONE, "> 0", "",
          "perforated cells: ([i, j, k], ...) or with the bore's direction ((i, j, k, \"x\"), ...)"),
    OTHER("wells[].path", ROWS, LENGTH, "", "",
          "deviated well: points [x, y, depth]; x, y from the corner of cell (1, 1), or as pillars have them"),
    FLOAT("wells[].radius", LENGTH, "> 0", "", "of the bore; or give connection_factor"),
    FLOAT("wells[].diameter", LENGTH, "> 0", "", "of the bore; or give connection_factor"),
    FLOAT("wells[].skin", NONE, "", "0", "skin factor"),
    FLOAT("wells[].connection_factor", CONNECTION, "> 0", "by Peaceman", "of every perforation"),
    OTHER("wells[].connection_factors", FLOATS, CONNECTION, ">= 0", "", "one for each of cells"),
    INT("wells[].saturation", ">= 0", "0", "entry of saturation for its mobilities; 0: that of each cell"),
    OTHER("wells[].saturations", INTS, NONE, ">= 0", "", "one for each of cells"),
    FLOAT("wells[].kh", KH, "> 0", "of the cell", "of every perforation"),
    FLOAT("wells[].reference_depth", LENGTH, "", "top perforation", "reference depth of bhp"),
    CHOICE("wells[].preferred", HP_PREFERRED_LIST(OF_RATIO), "oil", "phase of a producer's WPI and CPI"),
    OTHER("wells[].segments", LIST, NONE, "", "",
          "pieces of the tubing with pressures of their own; number 1 is at reference_depth"),
    INT("wells[].segments[].number", "> 1", "required", "unique in the well"),
    INT("wells[].segments[].outlet", "> 0", "required", "number of the segment that it flows into"),
    INT("wells[].segments[].branch", "> 0", "1", "a name for reports"),
    FLOAT("wells[].segments[].depth", LENGTH, "", "required", "of its end away from the outlet"),
    FLOAT("wells[].segments[].length", LENGTH, "> 0", "required", "from the outlet's end to its own"),
    FLOAT("wells[].segments[].diameter", LENGTH, "> 0", "required", "inside"),
    FLOAT("wells[].segments[].roughness", LENGTH, ">= 0", "0", "absolute"),
    FLOAT("wells[].segments[].area", AREA, "> 0", "of a circle", "cross-section"),
    OTHER("wells[].segment_of", INTS, NONE, "> 0", "", "number of the segment of each of cells"),
    OTHER("wells[].segment_depths", FLOATS, LENGTH, "", "its segment's end",
          "where each of cells gives to the segment"),
    CHOICE("wells[].pressure_drops", "hydrostatic|friction|acceleration", "acceleration",
           "the last that counts in segments: gravity; friction; acceleration"),
    BOOL("wells[].crossflow", "true", "false: perforations do not flow against their well"),
    CHOICE("wells[].status", "open|shut", "open", "shut: closed until the schedule opens it"),
    CHOICE("wells[].control", CHOICES_OF_CONTROL, "required", "target"),
    CONTROL_KEYS("wells[]", IN_WELLS)

        OTHER("vfp", LIST, NONE, "", "", "lift tables: bhp of wells at tubing-head pressures"),
    STRING("vfp[].name", "required", "at most 31 letters"),
    BOOL("vfp[].injector", "false", "the table is of injectors", AT(LIFT, table.injector)),
    CHOICE("vfp[].of", "oil|water|liquid", "liquid", "rate that flow counts", AT(LIFT, table.flow)),
    CHOICE("vfp[].ratio_of", CHOICES_OF_RATIO, "water-cut", "what ratio counts", AT(LIFT, table.ratio)),
    FLOAT("vfp[].datum_depth", LENGTH, "", "required", "depth that its pressures belong to", AT(LIFT, table.datum)),
    OTHER("vfp[].flow", FLOATS, RATE, ">= 0", "required", "surface rates, rising"),
    OTHER("vfp[].thp", FLOATS, PRESSURE, ">= 0", "required", "tubing-head pressures, rising"),
    OTHER("vfp[].ratio", FLOATS, NONE, ">= 0", "[0]", "water cuts or water over oil, rising"),
    OTHER("vfp[].lift", FLOATS, NONE, ">= 0", "[0]", "artificial lift, rising"),
    OTHER("vfp[].bhp", FLOATS, PRESSURE, "", "required", "[lift][ratio][thp][flow], flow fastest"),

    OTHER("groups", LIST, NONE, "", "",
          "targets of the wells of a group and of those below it; an entry replaces the one before"),
    KEY("groups[].name", OF_GROUP, NONE, "", "FIELD", "", "at most 31 letters; FIELD: all wells", AT(GROUP, group)),
    TIME("groups[].time", ">= 0", "0", "time of the change", AT(GROUP, time)),
    KEY("groups[].parent", OF_GROUP, NONE, "", "FIELD", "", "the group that it is in", AT(GROUP, control.parent)),
    FLOAT("groups[].efficiency", NONE, "> 0, <= 1", "1", "share of its parent's time that it flows",
          AT(GROUP, control.efficiency)),
    BOOL("groups[].in_production", "true", "its wells take part in production targets above it",
         AT(GROUP, control.in_production)),
    BOOL("groups[].in_injection", "true", "its wells take part in injection targets above it",
         AT(GROUP, control.in_injection)),
    LIMIT("groups[].oil_rate", RATE, ">= 0", "none", "of all producers; liquid: oil and water",
          AT(GROUP, control.production[HP_CONTROL_ORAT])),
    LIMIT("groups[].water_rate", RATE, ">= 0", "none", "of all producers; liquid: oil and water",
          AT(GROUP, control.production[HP_CONTROL_WRAT])),
    LIMIT("groups[].liquid_rate", RATE, ">= 0", "none", "of all producers; liquid: oil and water",
          AT(GROUP, control.production[HP_CONTROL_LRAT])),
    LIMIT("groups[].reservoir_rate", RESERVOIR_RATE, ">= 0", "none", "total",
          AT(GROUP, control.production[HP_CONTROL_RESV])),
    LIMIT("groups[].injection_rate", RATE, ">= 0", "none", "water of all injectors", AT(GROUP, control.injection_rate)),
    LIMIT("groups[].injection_volume", RESERVOIR_RATE, ">= 0", "none", "reservoir volume injected",
          AT(GROUP, control.injection_volume)),
    LIMIT("groups[].reinjection", NONE, ">= 0", "none", "water injected over water produced",
          AT(GROUP, control.reinjection)),
    LIMIT("groups[].voidage", NONE, ">= 0", "none", "reservoir volume injected over reservoir volume produced",
          AT(GROUP, control.voidage)),
    FLOAT("groups[].min_oil_rate", RATE, ">= 0", "0", "below it all its producers are shut; 0: no limit",
          AT(GROUP, control.min_oil_rate)),
    FLOAT("groups[].max_water_cut", NONE, "0..1", "0", "workover above it; 0: no limit",
          AT(GROUP, control.max_water_cut)),
    CHOICE("groups[].workover", CHOICES_OF_GROUP_WORKOVER, "none",
           "shuts: of its wettest well the wettest perforation, and those below it; that well; all",
           AT(GROUP, control.workover)),
    BOOL("groups[].end_run", "false", "the run ends at the next report once all its producers are shut",
         AT(GROUP, control.end_run)),

    OTHER("economics", GROUP, NONE, "", "", "prices and costs: net present value, an end at a loss"),
    FLOAT("economics.oil_price", PRICE, ">= 0", "0", "of produced oil", AT(ECONOMICS, oil_price)),
    FLOAT("economics.oil_cost", PRICE, ">= 0", "0", "of lifting oil; water produced; water injected",
          AT(ECONOMICS, oil_cost)),
    FLOAT("economics.water_cost", PRICE, ">= 0", "0", "of lifting oil; water produced; water injected",
          AT(ECONOMICS, water_cost)),
    FLOAT("economics.injection_cost", PRICE, ">= 0", "0", "of lifting oil; water produced; water injected",
          AT(ECONOMICS, injection_cost)),
    FLOAT("economics.fixed_cost", EXPENSE, ">= 0", "0", "per time", AT(ECONOMICS, fixed_cost)),
    FLOAT("economics.well_cost", NONE, ">= 0", "0", "of each well, when it first opens", AT(ECONOMICS, well_cost)),
    FLOAT("economics.discount_rate", NONE, ">= 0", "0", "of a year: 0.08 is 8 %", AT(ECONOMICS, discount_rate)),
    CHOICE("economics.end_at_loss", CHOICES_OF_LOSS, "never",
           "run ends at the next report after a loss in a step; or since the last report", AT(ECONOMICS, end_at_loss)),

    OTHER("schedule", LIST, NONE, "", "", "changes of wells in time"),
    TIME("schedule[].time", ">= 0", "required", "time of the change"),
    OTHER("schedule[].well", NAMES, NONE, "", "required", "names or patterns with * and ?"),
    CHOICE("schedule[].status", "open|shut", "as before", "a new control also opens the well"),
    CHOICE("schedule[].type", "producer|injector", "as before", "a change resets all settings"),
    CHOICE("schedule[].phase", "water|oil", "as before", "injected phase"),
    CHOICE("schedule[].control", CHOICES_OF_CONTROL, "as before", "target"),
    CONTROL_KEYS("schedule[]", IN_SCHEDULE)
        OTHER("schedule[].i", SPAN, NONE, "> 0", "all", "perforations that the next keys change"),
    OTHER("schedule[].j", SPAN, NONE, "> 0", "all", "perforations that the next keys change"),
    OTHER("schedule[].k", SPAN, NONE, "> 0", "all", "perforations that the next keys change"),
    CHOICE("schedule[].perforations", "open|shut", "as before", "opens or shuts perforations"),
    FLOAT("schedule[].multiply_index", NONE, ">= 0", "1", "factor for their well index; factors accumulate"),
    INT("schedule[].completion", "> 0", "as before",
        "their number: a workover shuts perforations of one number as one"),
    FLOAT("schedule[].connection_factor", CONNECTION, "> 0", "as before", "of these perforations; resets factors"),
    INT("schedule[].saturation", ">= 0", "as before",
        "with connection_factor: their entry of saturation; 0: the cell's"),

    OTHER("quantities", LIST, NONE, "", "", "numbers that the run computes after every time step"),
    STRING("quantities[].name", "required",
           "FU.., of each well WU.., of each group GU..: at most 8 capitals and digits"),
    TIME("quantities[].time", ">= 0", "0", "from which on the entry holds"),
    STRING("quantities[].define", "", "expression of vectors and quantities, in the deck's units"),
    FLOAT("quantities[].assign", NONE, "", "", "number, instead of define"),
    OTHER("quantities[].of", NAMES, NONE, "", "all", "wells or groups that assign is about"),
    CHOICE("quantities[].update", HP_UPDATE_LIST(OF_UPDATE), "on",
           "computed after every step, not at all, after the next one alone"),
    STRING("quantities[].unit", "", "in the summary; says nothing about its number"),
    OTHER("quantity_tables", LIST, NONE, "", "", "tables that expressions look up: TUABC[FUX]"),
    STRING("quantity_tables[].name", "required", "TU.., at most 8 letters"),
    CHOICE("quantity_tables[].how", "nearest|constant|linear", "nearest",
           "between points nearest or linear; beyond them constant or linear"),
    OTHER("quantity_tables[].points", FLOATS, NONE, "", "required", "rising"),
    OTHER("quantity_tables[].values", FLOATS, NONE, "", "required", "one for each of points"),
    FLOAT("quantity_undefined", NONE, "", "0", "number that stands for none in targets and the summary"),
    FLOAT("quantity_epsilon", NONE, ">= 0", "1e-4", "== in expressions: share that numbers may differ by"),
    OTHER("actions", LIST, NONE, "", "", "what is done when a condition holds after a time step"),
    STRING("actions[].name", "required", "a later action of the same name takes its place"),
    TIME("actions[].time", ">= 0", "0", "from which on the condition is looked at"),
    INT("actions[].times", ">= 0", "1", "that it is done at most; 0: any"),
    FLOAT("actions[].interval", TIME, ">= 0", "0", "least time from one to the next"),
    STRING("actions[].condition", "required", "comparisons joined by AND, OR, ( )"),
    OTHER("actions[].does", NAMES, NONE, "", "required",
          "lines as for --control; well ?: those that fulfil the condition"),

    OTHER("report", GROUP, NONE, "", "required", "report times and end of the run"),
    TIME("report.end", "> 0", "the last of times", "end of the run; required without times"),
    FLOAT("report.every", TIME, "> 0", "end",
          "reports at its multiples and the end; \"1 month\", \"2 years\": from start on"),
    OTHER("report.times", TIMES, TIME, "> 0", "", "report times, rising, instead of every"),

    OTHER("timestep", GROUP, NONE, "", "", "length of time steps"),
    FLOAT("timestep.initial", TIME, "> 0", "1 day", "first time step", AT(TIMESTEP, initial)),
    FLOAT("timestep.max", TIME, "> 0", "365 day", "longest step", AT(TIMESTEP, max)),
    FLOAT("timestep.min", TIME, "> 0", "1e-4 day", "shortest step; below it the run stops", AT(TIMESTEP, min)),
    FLOAT("timestep.growth", NONE, ">= 1", "3", "largest ratio to the step before", AT(TIMESTEP, growth)),
    FLOAT("timestep.cut", NONE, "> 0, < 1", "0.5", "factor for a failed step", AT(TIMESTEP, cut)),
    INT("timestep.target_newton", "1..100", "10", "Newton iterations to aim at", AT(TIMESTEP, target_newton)),
    FLOAT("timestep.target_saturation_change", NONE, "> 0, <= 1", "1",
          "largest saturation change of a cell to aim at; 1: no limit", AT(TIMESTEP, target_ds)),
    FLOAT("timestep.accuracy", NONE, ">= 0, <= 1", "0.01",
          "relative time error of production to aim at, after correction; 1: correct only; 0: neither",
          AT(TIMESTEP, accuracy)),
    INT("timestep.max_cuts", "1..100", "20", "cuts in a row before the run stops", AT(TIMESTEP, max_cuts)),

    OTHER("tuning", LIST, NONE, "", "", "changes of these settings in time"),
    TIME("tuning[].time", ">= 0", "required", "time of the change", AT(TUNING, time)),
    FLOAT("tuning[].initial", TIME, "> 0", "", "the next time step", AT(TUNING, initial)),
    FLOAT("tuning[].max", TIME, "> 0", "as before", "longest step", AT(TUNING, max)),
    FLOAT("tuning[].min", TIME, "> 0", "as before", "shortest step; below it the run stops", AT(TUNING, min)),
    FLOAT("tuning[].growth", NONE, ">= 1", "as before", "largest ratio to the step before", AT(TUNING, growth)),
    FLOAT("tuning[].cut", NONE, "> 0, < 1", "as before", "factor for a failed step", AT(TUNING, cut)),
    INT("tuning[].max_iterations", "1..1000", "as before", "a step that needs more is cut", AT(TUNING, max_iterations)),
    INT("tuning[].min_iterations", "0..1000", "as before", "least number of iterations", AT(TUNING, min_iterations)),

    OTHER("newton", GROUP, NONE, "", "", "Newton's method"),
    FLOAT("newton.tolerance_mb", NONE, "> 0", "1e-7", "mass balance error of a phase, relative as said below",
          AT(NEWTON, tolerance_mb)),
    FLOAT("newton.tolerance_cnv", NONE, "> 0", "0.1",
          "largest mass balance error of a cell, relative to its pore volume", AT(NEWTON, tolerance_cnv)),
    FLOAT("newton.tolerance_flow", NONE, "> 0", "0.05", "mass balance error of a cell, relative to its flow",
          AT(NEWTON, tolerance_flow)),
    FLOAT("newton.tolerance_well", NONE, "> 0", "1e-4", "error of a well's control, relative to its rate",
          AT(NEWTON, tolerance_well)),
    INT("newton.max_iterations", "1..1000", "12", "a step that needs more is cut", AT(NEWTON, max_iterations)),
    INT("newton.min_iterations", "0..1000", "1", "least number of iterations", AT(NEWTON, min_iterations)),
    FLOAT("newton.max_saturation_change", NONE, "> 0, <= 1", "0.2", "largest saturation change in an iteration",
          AT(NEWTON, max_ds)),
    FLOAT("newton.max_pressure_change", NONE, "> 0", "0.3",
          "largest pressure change in an iteration, relative to max(p, 100 bar)", AT(NEWTON, max_dp_relative)),

    OTHER("linear", GROUP, NONE, "", "", "the linear solver"),
    CHOICE("linear.method", CHOICES_OF_KRYLOV, "bicgstab", "Krylov method", AT(LINEAR, method)),
    CHOICE("linear.preconditioner", CHOICES_OF_PRECOND, "dilu", "default: cpr from 1000 active cells on"),
    CHOICE("linear.ordering", "natural|red-black|bricks", "natural",
           "order of dilu; default on a GPU: red-black, with cpr from 20000 cells on bricks", AT(LINEAR, ordering)),
    CHOICE("linear.precision", "double|single", "single", "of dilu's stored blocks", AT(LINEAR, precision)),
    FLOAT("linear.relaxation", NONE, "0..1", "0.8",
          "share of dilu's dropped fill that is added to its diagonal; default with cpr: 0", AT(LINEAR, relaxation)),
    FLOAT("linear.tolerance", NONE, "> 0, < 1", "1e-2", "residual relative to the right-hand side, see below",
          AT(LINEAR, tolerance)),
    INT("linear.max_iterations", "1..100000", "200", "then the solve fails", AT(LINEAR, max_iterations)),
    INT("linear.restart", "1..1000", "30", "gmres: length of the basis", AT(LINEAR, restart)),
    CHOICE("linear.matrix", CHOICES_OF_FORMAT, "gh", "matrix format of products; for comparisons", AT(LINEAR, matrix)),
    CHOICE("linear.execution", CHOICES_OF_EXECUTION, "in-kernel", "execution on a GPU; others for comparisons",
           AT(LINEAR, execution)),
    CHOICE("linear.barrier", CHOICES_OF_BARRIER, "auto",
           "barrier of a GPU's blocks; auto: as tuned; others for comparisons", AT(LINEAR, barrier)),
    CHOICE("linear.exchange", CHOICES_OF_TRANSPORT, "auto", "exchange of ghosts between ranks' GPUs",
           AT(LINEAR, exchange)),
    BOOL("linear.specialise", "false", "compiles a GPU's kernel for this grid and keeps it", AT(LINEAR, specialise)),
    OTHER("linear.cpr", GROUP, NONE, "", "", "first stage of cpr: multigrid for pressure; chooses cpr"),
    CHOICE("linear.cpr.amg", CHOICES_OF_CPR_AMG, "own",
           "hepta's multigrid, or hypre's BoomerAMG on one thread of the CPU", AT(CPR, whose)),
    CHOICE("linear.cpr.weights", CHOICES_OF_WEIGHTS, "true-impes",
           "combination of a cell's rows to a pressure equation", AT(CPR, weights)),
    CHOICE("linear.cpr.rebuild", CHOICES_OF_REBUILD, "run", "when coarse points and interpolation are computed",
           AT(CPR, rebuild)),
    CHOICE("linear.cpr.refresh", CHOICES_OF_REFRESH, "step", "when coarse matrices are renewed, see below",
           AT(CPR, refresh)),
    CHOICE("linear.cpr.coarsening", CHOICES_OF_COARSENING, "pmis", "choice of coarse points", AT(CPR, amg.coarsening)),
    CHOICE("linear.cpr.interpolation", CHOICES_OF_INTERPOLATION, "extended+i", "from coarse to fine points",
           AT(CPR, amg.interpolation)),
    CHOICE("linear.cpr.smoother", CHOICES_OF_SMOOTHER, "damped-jacobi", "of every level", AT(CPR, amg.smoother)),
    CHOICE("linear.cpr.cycle", "v|w|f", "v", "visits of coarser levels", AT(CPR, amg.cycle)),
    FLOAT("linear.cpr.strength", NONE, ">= 0, < 1", "0.25",
          "least coupling of a strong neighbour, relative to the strongest", AT(CPR, amg.strength)),
    FLOAT("linear.cpr.truncation", NONE, ">= 0, < 1", "0",
          "drops interpolation weights below this share of the row's largest", AT(CPR, amg.truncation)),
    INT("linear.cpr.max_weights", "0..100", "4", "most interpolation weights of a point; 0: all",
        AT(CPR, amg.max_weights)),
    FLOAT("linear.cpr.damping", NONE, "> 0, < 2", "0.8", "of damped-jacobi and block-jacobi", AT(CPR, amg.damping)),
    INT("linear.cpr.block", "1..16", "4", "rows in a block of block smoothers", AT(CPR, amg.block)),
    INT("linear.cpr.order", "1..16", "2", "degree of the polynomial smoother", AT(CPR, amg.order)),
    INT("linear.cpr.domain", "1..1000000", "2048", "least rows in a domain of smoothers with domains",
        AT(CPR, amg.domain)),
    INT("linear.cpr.domains", "1..1000000", "16", "most domains of a level", AT(CPR, amg.domains)),
    CHOICE("linear.cpr.precision", "double|single", "single", "of a cycle's data and arithmetic",
           AT(CPR, amg.precision)),
    CHOICE("linear.cpr.format", CHOICES_OF_ROWS, "auto", "matrix format of levels; auto: sliced", AT(CPR, amg.format)),
    INT("linear.cpr.pre", "0..10", "1", "sweeps before coarser levels; default on a GPU: 0, unless post is given",
        AT(CPR, amg.pre)),
    INT("linear.cpr.post", "0..10", "1", "sweeps after coarser levels", AT(CPR, amg.post)),
    INT("linear.cpr.coarsest", "1..1000", "64", "a level of at most so many cells is solved directly",
        AT(CPR, amg.coarsest)),
    INT("linear.cpr.max_levels", "1..25", "25", "most levels", AT(CPR, amg.max_levels)),
    INT("linear.cpr.seed", ">= 0", "1", "for the random numbers of pmis", AT(CPR, amg.seed)),

    HP_CONFIG_OUTPUT_KEYS,
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
      [HP_KEY_BOOL] = "true, false",     [HP_KEY_INT] = "integer",
      [HP_KEY_FLOAT] = "number",         [HP_KEY_TIME] = "number or date",
      [HP_KEY_LIMIT] = "number or none", [HP_KEY_STRING] = "text",
      [HP_KEY_CHOICE] = "text",          [HP_KEY_INTS] = "integers",
      [HP_KEY_FLOATS] = "numbers",       [HP_KEY_TIMES] = "numbers or dates",
      [HP_KEY_SPAN] = "range",           [HP_KEY_ROWS] = "list of rows",
      [HP_KEY_CELLS] = "cells",          [HP_KEY_NAMES] = "text or texts",
      [HP_KEY_PLACES] = "list of cells", [HP_KEY_GROUP] = "group",
      [HP_KEY_LIST] = "list of groups",  [HP_KEY_OF_GROUP] = "text",
      [HP_KEY_OF_TABLE] = "text",
  };
  return (unsigned)kind < HP_KEY_KIND_COUNT ? text[kind] : "?";
}
