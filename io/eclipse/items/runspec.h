/* Items of RUNSPEC, of the size of the grid and of files, each in its order: X(member, name, kind). */
#ifndef HP_IO_ECLIPSE_ITEMS_RUNSPEC_H
#define HP_IO_ECLIPSE_ITEMS_RUNSPEC_H

/* clang-format off */
/* Ten items that look alike. */
#define HP_ECL_TEN(X, member, name, kind)                                                             \
  X(member##0, name, kind) X(member##1, name, kind) X(member##2, name, kind) X(member##3, name, kind) \
  X(member##4, name, kind) X(member##5, name, kind) X(member##6, name, kind) X(member##7, name, kind) \
  X(member##8, name, kind) X(member##9, name, kind)

#define HP_ECL_ITEMS_dimens(X) \
  X(nx, "cells along i", COUNTED) X(ny, "cells along j", COUNTED) X(nz, "cells along k", COUNTED)
#define HP_ECL_ITEMS_tabdims(X)                                    \
  X(saturation_tables, "saturation tables", INT_IN(1.0, POSITIVE)) \
  X(pvt_tables, "PVT tables", INT_IN(1.0, POSITIVE))               \
  HP_ECL_TEN(X, size_a, "size", UNUSED_REAL)                       \
  X(rock_tables, "rock tables", INT_IN(0.0, NOT_NEGATIVE))         \
  HP_ECL_TEN(X, size_b, "size", UNUSED_REAL) X(size_21, "size", UNUSED_REAL) X(size_22, "size", UNUSED_REAL)
#define HP_ECL_ITEMS_eqldims(X)                                                                \
  X(regions, "equilibration regions", INT_IN(1.0, POSITIVE))                                   \
  X(size_1, "size", UNUSED_REAL) X(size_2, "size", UNUSED_REAL) X(size_3, "size", UNUSED_REAL) \
  X(size_4, "size", UNUSED_REAL)
#define HP_ECL_ITEMS_endscale(X)              \
  X(directions, "directions", TEXT("NODIR"))  \
  X(reversible, "reversible", TEXT("REVERS")) \
  X(tables, "tables of end points by depth", INT_IN(1.0, POSITIVE)) \
  X(size_2, "size", UNUSED_REAL) X(option, "option", ONLY_INT(0))
#define HP_ECL_ITEMS_jfunc(X)                                                                     \
  X(phases, "phases", TEXT("BOTH|WATER|GAS"))                                                     \
  X(tension, "tension of oil and water", REAL_IN(NONE, NAN, POSITIVE))                            \
  X(gas_tension, "tension of oil and gas", UNUSED_REAL)                                           \
  X(by_porosity, "exponent of the porosity", REAL(NONE, 0.5))                                     \
  X(by_permeability, "exponent of the permeability", REAL(NONE, 0.5))                             \
  X(direction, "direction of the permeability", TEXT("XY|X|Y|Z"))
#define HP_ECL_ITEMS_scalecrs(X) X(three_points, "three points", TEXT("NO|YES"))
#define HP_ECL_ITEMS_satopts(X)                                                                         \
  X(option_1, "option", TEXT(NULL)) X(option_2, "option", TEXT(NULL)) X(option_3, "option", TEXT(NULL)) \
  X(option_4, "option", TEXT(NULL))
#define HP_ECL_ITEMS_ehystr(X)                                                          \
  X(curvature, "curvature of the capillary pressure", REAL_IN(NONE, 0.1, POSITIVE))     \
  X(model, "model", INT(0))                                                             \
  X(wetting_curvature, "curvature of the wetting phase", UNUSED_REAL)                   \
  X(trapping, "trapped saturation", REAL_IN(NONE, 0.1, NOT_NEGATIVE))                   \
  X(of, "functions", TEXT("BOTH|KR|PC"))                                                \
  X(second, "second reversal", TEXT("RETR"))                                            \
  X(mobility, "mobility at the start", TEXT("DRAIN"))                                   \
  X(wetting, "wetting phase", TEXT("OIL"))                                              \
  X(oil_correction, "correction of oil", TEXT("NO"))                                    \
  X(gas_correction, "correction of gas", TEXT("NO"))                                    \
  X(water_correction, "correction of water", TEXT("NO"))                                \
  X(threshold, "threshold saturation", ONLY_REAL(0.0)) X(modification, "modification", ONLY_INT(0))
#define HP_ECL_ITEMS_tolcrit(X) X(critical, "largest critical relative permeability", REAL_IN(NONE, 1e-6, POSITIVE))
#define HP_ECL_ITEMS_rockopts(X)                                                                       \
  X(method, "method", TEXT("PRESSURE")) X(reference_pressures, "reference pressures", TEXT("NOSTORE")) \
  X(regions, "regions", TEXT("PVTNUM|SATNUM|ROCKNUM")) X(initial_conditions, "initial conditions", TEXT(NULL))
#define HP_ECL_ITEMS_rockcomp(X)                               \
  X(reversal, "rock that comes back", TEXT("REVERS|IRREVERS")) \
  X(rock_tables, "rock tables", INT_IN(0.0, NOT_NEGATIVE))     \
  X(by_water, "compaction by water", TEXT("NO"))               \
  X(porosity_and_permeability, "porosity and permeability", UNUSED_TEXT) X(exponent, "exponent", UNUSED_REAL)
#define HP_ECL_ITEMS_numres(X) X(systems, "systems of pillars", INT_IN(1.0, POSITIVE))
#define HP_ECL_ITEMS_specgrid(X)                          \
  X(nx, "cells along i", MUST_INT)                        \
  X(ny, "cells along j", MUST_INT)                        \
  X(nz, "cells along k", MUST_INT)                        \
  X(systems, "systems of pillars", INT_IN(1.0, POSITIVE)) \
  X(radial, "radial coordinates", TEXT("F"))
#define HP_ECL_ITEMS_coordsys(X)                            \
  X(first_layer, "first layer", INT(1))                     \
  X(last_layer, "last layer", INT(NAN))                     \
  X(circle, "circle", TEXT("INCOMP|COMP"))                  \
  X(joined, "with the system below", TEXT("SEPARATE|JOIN")) \
  X(first_beside, "first system beside it", INT(0))         \
  X(last_beside, "last system beside it", INT(0))
#define HP_ECL_ITEMS_udqparam(X)                                                     \
  X(seed, "seed", UNUSED_REAL) X(range, "range", UNUSED_REAL)                        \
  X(undefined, "value of undefined quantities", REAL(NONE, 0.0))                     \
  X(epsilon, "tolerance of comparisons", REAL_IN(NONE, 1e-4, NOT_NEGATIVE))
#define HP_ECL_ITEMS_include(X) X(file, "file", MUST_TEXT(NULL))
#define HP_ECL_ITEMS_paths(X) X(alias, "alias", MUST_TEXT(NULL)) X(path, "path", MUST_TEXT(NULL))

/* All of them. */
#define HP_ECL_RUNSPEC_RECORDS(R)                                                                       \
  R(dimens) R(tabdims) R(eqldims) R(endscale) R(scalecrs) R(tolcrit) R(jfunc) R(satopts) R(ehystr) R(rockopts) R(rockcomp) R(numres) R(specgrid) \
  R(coordsys) R(include) R(paths) R(udqparam)
/* clang-format on */

#endif
