/* Items of keywords of cells, faces and connections, each in its order: X(member, name, kind). */
#ifndef HP_IO_ECLIPSE_ITEMS_CELLS_H
#define HP_IO_ECLIPSE_ITEMS_CELLS_H

/* clang-format off */
#define HP_ECL_BOX_ITEMS(X)                                                               \
  X(i1, "i1", INT(NAN)) X(i2, "i2", INT(NAN)) X(j1, "j1", INT(NAN)) X(j2, "j2", INT(NAN)) \
  X(k1, "k1", INT(NAN)) X(k2, "k2", INT(NAN))
#define HP_ECL_FACE_ITEMS(X)                                                          \
  X(i1, "i1", COUNTED) X(i2, "i2", COUNTED) X(j1, "j1", COUNTED) X(j2, "j2", COUNTED) \
  X(k1, "k1", COUNTED) X(k2, "k2", COUNTED)
#define HP_ECL_PAIR_ITEMS(X)                                  \
  X(i1, "I", COUNTED) X(j1, "J", COUNTED) X(k1, "K", COUNTED) \
  X(i2, "other I", COUNTED) X(j2, "other J", COUNTED) X(k2, "other K", COUNTED)
#define HP_ECL_NO_TABLES(X)                                                                        \
  X(saturation_table, "saturation table", ONLY_INT(0))                                             \
  X(other_saturation_table, "saturation table of the other", ONLY_INT(0))                          \
  X(pressure_table, "pressure table", ONLY_INT(0))                                                 \
  X(other_pressure_table, "pressure table of the other", ONLY_INT(0)) X(face, "face", UNUSED_TEXT) \
  X(other_face, "face of the other", UNUSED_TEXT)
#define HP_ECL_MAP_ITEMS(X)                                                              \
  X(operation, "operation", MUST_TEXT(HP_ECL_MAPS)) X(source, "source", MUST_TEXT(NULL)) \
  X(alpha, "alpha", REAL(NONE, 0.0)) X(beta, "beta", REAL(NONE, 0.0))

#define HP_ECL_ITEMS_box(X) HP_ECL_BOX_ITEMS(X)
#define HP_ECL_ITEMS_operation(X) \
  X(array, "array", MUST_TEXT(NULL)) X(value, "value", MUST_REAL(NONE)) HP_ECL_BOX_ITEMS(X)
#define HP_ECL_ITEMS_in_region(X)                                                                     \
  X(array, "array", MUST_TEXT(NULL)) X(value, "value", MUST_REAL(NONE)) X(region, "region", MUST_INT) \
  X(regions_by, "regions by", TEXT("M|F|O"))
#define HP_ECL_ITEMS_operate(X) X(array, "array", MUST_TEXT(NULL)) HP_ECL_BOX_ITEMS(X) HP_ECL_MAP_ITEMS(X)
#define HP_ECL_ITEMS_operater(X)                                                       \
  X(array, "array", MUST_TEXT(NULL)) X(region, "region", MUST_INT) HP_ECL_MAP_ITEMS(X) \
  X(regions_by, "regions by", TEXT("OPERNUM|MULTNUM|FLUXNUM|O|M|F"))
#define HP_ECL_ITEMS_copyreg(X)                                                               \
  X(from, "from", MUST_TEXT(NULL)) X(to, "to", MUST_TEXT(NULL)) X(region, "region", MUST_INT) \
  X(regions_by, "regions by", TEXT("M|F|O"))
#define HP_ECL_ITEMS_multregt(X)                                \
  X(region, "region", INT(0))                                   \
  X(other_region, "other region", INT(0))                       \
  X(multiplier, "multiplier", REAL_IN(NONE, 1.0, NOT_NEGATIVE)) \
  X(directions, "directions", TEXT(NULL))                       \
  X(connections, "connections", TEXT("ALL|NONNC|NOAQUNNC|NNC")) \
  X(regions_by, "regions by", TEXT("F|M|O"))
#define HP_ECL_ITEMS_gridopts(X)                                                                          \
  X(towards_minus, "multipliers towards -", UNUSED_TEXT) X(multnum_regions, "regions of MULTNUM", INT(0)) \
  X(size, "size", UNUSED_REAL)
#define HP_ECL_ITEMS_faults(X)                            \
  X(fault, "fault", MUST_TEXT(NULL)) HP_ECL_FACE_ITEMS(X) \
  X(face, "face", MUST_TEXT("X|Y|Z|X-|Y-|Z-|I|J|K|I-|J-|K-|X+|Y+|Z+|I+|J+|K+"))
#define HP_ECL_ITEMS_multflt(X) \
  X(fault, "fault", MUST_TEXT(NULL)) X(multiplier, "multiplier", MUST_REAL_IN(NONE, NOT_NEGATIVE))
#define HP_ECL_ITEMS_pinch(X)                                        \
  X(thickness, "thickness", REAL_IN(LENGTH, 0.001, NOT_NEGATIVE))    \
  X(gap, "gap", TEXT("GAP|NOGAP"))                                   \
  X(max_gap, "largest gap", REAL_IN(LENGTH, INFINITY, NOT_NEGATIVE)) \
  X(transmissibility, "transmissibility", TEXT("TOPBOT|ALL"))        \
  X(multipliers, "multipliers", TEXT("TOP|ALL"))
#define HP_ECL_ITEMS_nnc(X)                                                                                \
  HP_ECL_PAIR_ITEMS(X)                                                                                     \
  X(transmissibility, "transmissibility", REAL_IN(CONNECTION, 0.0, NOT_NEGATIVE))                          \
  HP_ECL_NO_TABLES(X)                                                                                      \
  X(diffusivity, "diffusivity", UNUSED_REAL) X(unused, "unused", UNUSED_REAL) X(area, "area", UNUSED_REAL) \
  X(permeability, "permeability", UNUSED_REAL)
#define HP_ECL_ITEMS_editnnc(X)                                                                          \
  HP_ECL_PAIR_ITEMS(X) X(multiplier, "multiplier", REAL_IN(NONE, 1.0, NOT_NEGATIVE)) HP_ECL_NO_TABLES(X) \
  X(diffusivity, "multiplier of the diffusivity", UNUSED_REAL)
#define HP_ECL_ITEMS_editnncr(X)                                                                       \
  HP_ECL_PAIR_ITEMS(X) X(transmissibility, "transmissibility", MUST_REAL_IN(CONNECTION, NOT_NEGATIVE)) \
  HP_ECL_NO_TABLES(X) X(diffusivity, "diffusivity", UNUSED_REAL)
#define HP_ECL_ITEMS_gridunit(X) \
  X(units, "units", TEXT("METRES|FEET|CM|METERS")) X(to_map, "relative to the map", TEXT(NULL))
#define HP_ECL_ITEMS_copy(X) X(from, "from", MUST_TEXT(NULL)) X(to, "to", MUST_TEXT(NULL)) HP_ECL_BOX_ITEMS(X)
#define HP_ECL_ITEMS_minpv(X) X(volume, "pore volume", MUST_REAL_IN(RESERVOIR_VOLUME, NOT_NEGATIVE))

/* All of them. */
#define HP_ECL_CELLS_RECORDS(R)                                                                        \
  R(box) R(operation) R(in_region) R(operate) R(operater) R(copyreg) R(multregt) R(gridopts) R(faults) \
  R(multflt) R(pinch) R(nnc) R(editnnc) R(editnncr) R(gridunit) R(copy) R(minpv)
/* clang-format on */

#endif
