/* Items of keywords of fluids, rock, equilibrium and aquifers, each in its order: X(member, name, kind). */
#ifndef HP_IO_ECLIPSE_ITEMS_FLUIDS_H
#define HP_IO_ECLIPSE_ITEMS_FLUIDS_H

#include "io/eclipse/items/cells.h"

/* clang-format off */
#define HP_ECL_ITEMS_density(X)                                                                           \
  X(oil, "oil", REAL_IN(DENSITY, 600.0, POSITIVE)) X(water, "water", REAL_IN(DENSITY, 999.014, POSITIVE)) \
  X(gas, "gas", UNUSED_REAL)
#define HP_ECL_ITEMS_gravity(X)               \
  X(api, "oil, degrees API", MUST_REAL(NONE)) \
  X(water, "water relative to pure water", REAL_IN(NONE, 1.0, POSITIVE)) X(gas, "gas", UNUSED_REAL)
#define HP_ECL_ITEMS_pvt(X)                                                          \
  X(p_ref, "reference pressure", MUST_REAL(PRESSURE))                                \
  X(b_ref, "formation volume factor", MUST_REAL_IN(NONE, POSITIVE))                  \
  X(compressibility, "compressibility", MUST_REAL_IN(COMPRESSIBILITY, NOT_NEGATIVE)) \
  X(viscosity, "viscosity", MUST_REAL_IN(VISCOSITY, POSITIVE))                       \
  X(viscosibility, "viscosibility", REAL(COMPRESSIBILITY, 0.0))
#define HP_ECL_ITEMS_rock(X)                          \
  X(p_ref, "reference pressure", MUST_REAL(PRESSURE)) \
  X(compressibility, "compressibility", MUST_REAL_IN(COMPRESSIBILITY, NOT_NEGATIVE))
#define HP_ECL_ITEMS_ppcwmax(X)                                             \
  X(pc_max, "largest capillary pressure", REAL_IN(PRESSURE, 0.0, POSITIVE)) \
  X(swl, "change of SWL", TEXT("NO|YES"))
#define HP_ECL_ITEMS_equil(X)                                                                                     \
  X(datum_depth, "datum depth", MUST_REAL(LENGTH))                                                                \
  X(datum_pressure, "pressure at the datum", MUST_REAL(PRESSURE))                                                 \
  X(contact_depth, "depth of the oil-water contact", REAL(LENGTH, 0.0))                                           \
  X(contact_pc, "capillary pressure at the contact", REAL(PRESSURE, 0.0))                                         \
  X(gas_contact_depth, "depth of the gas-oil contact", REAL(LENGTH, 0.0))                                         \
  X(gas_contact_pc, "capillary pressure at the gas-oil contact", REAL(PRESSURE, 0.0))                             \
  X(dissolved_gas, "table of dissolved gas", UNUSED_REAL) X(vaporised_oil, "table of vaporised oil", UNUSED_REAL) \
  X(accuracy, "accuracy", INT(-5))
#define HP_ECL_ITEMS_eqlopts(X)                                                                         \
  X(option_1, "option", TEXT(NULL)) X(option_2, "option", TEXT(NULL)) X(option_3, "option", TEXT(NULL)) \
  X(option_4, "option", TEXT(NULL))
#define HP_ECL_ITEMS_restart(X)                                                                     \
  X(root, "root of the files", MUST_TEXT(NULL)) X(report, "report step", MUST_INT_IN(NOT_NEGATIVE)) \
  X(save_file, "save file", TEXT(NULL)) X(format, "format", TEXT("UNFORMATTED|FORMATTED"))
#define HP_ECL_ITEMS_thpres(X)                                          \
  X(region, "region", COUNTED) X(other_region, "other region", COUNTED) \
  X(threshold, "threshold", REAL_IN(PRESSURE, NAN, NOT_NEGATIVE))
#define HP_ECL_ITEMS_thpresft(X) \
  X(fault, "fault", MUST_TEXT(NULL)) X(threshold, "threshold", MUST_REAL_IN(PRESSURE, NOT_NEGATIVE))
#define HP_ECL_ITEMS_aquct(X)                                                    \
  X(aquifer, "aquifer", COUNTED)                                                 \
  X(datum_depth, "datum depth", MUST_REAL(LENGTH))                               \
  X(pressure, "initial pressure", REAL_IN(PRESSURE, NAN, POSITIVE))              \
  X(permeability, "permeability", MUST_REAL_IN(PERMEABILITY, POSITIVE))          \
  X(porosity, "porosity", REAL_IN(NONE, 1.0, POSITIVE))                          \
  X(compressibility, "compressibility", MUST_REAL_IN(COMPRESSIBILITY, POSITIVE)) \
  X(radius, "inner radius", MUST_REAL_IN(LENGTH, POSITIVE))                      \
  X(thickness, "thickness", MUST_REAL_IN(LENGTH, POSITIVE))                      \
  X(angle, "angle of influence", REAL_IN(NONE, 360.0, POSITIVE))                 \
  X(pvt_table, "water table", INT_IN(1.0, POSITIVE))                             \
  X(influence, "table of influence", INT_IN(1.0, POSITIVE))                      \
  X(salinity, "salinity", UNUSED_REAL) X(temperature, "temperature", UNUSED_REAL)
#define HP_ECL_ITEMS_aqufetp(X)                                                  \
  X(aquifer, "aquifer", COUNTED)                                                 \
  X(datum_depth, "datum depth", MUST_REAL(LENGTH))                               \
  X(pressure, "initial pressure", REAL_IN(PRESSURE, NAN, POSITIVE))              \
  X(volume, "volume", MUST_REAL_IN(VOLUME, POSITIVE))                            \
  X(compressibility, "compressibility", MUST_REAL_IN(COMPRESSIBILITY, POSITIVE)) \
  X(productivity, "productivity index", MUST_REAL_IN(NONE, POSITIVE))            \
  X(pvt_table, "water table", INT_IN(1.0, POSITIVE))                             \
  X(salinity, "salinity", UNUSED_REAL) X(temperature, "temperature", UNUSED_REAL)
#define HP_ECL_ITEMS_aquflux(X)                                                   \
  X(aquifer, "aquifer", COUNTED)                                                  \
  X(flux, "flux", MUST_REAL(NONE))                                                \
  X(salinity, "salinity", UNUSED_REAL) X(temperature, "temperature", UNUSED_REAL) \
  X(pressure, "pressure", UNUSED_REAL)
#define HP_ECL_ITEMS_aqunum(X)                                          \
  X(aquifer, "aquifer", COUNTED)                                        \
  X(i, "I", COUNTED)                                                    \
  X(j, "J", COUNTED)                                                    \
  X(k, "K", COUNTED)                                                    \
  X(area, "cross-section", MUST_REAL_IN(NONE, POSITIVE))                \
  X(length, "length", MUST_REAL_IN(LENGTH, POSITIVE))                   \
  X(porosity, "porosity", REAL_IN(NONE, NAN, POSITIVE))                 \
  X(permeability, "permeability", MUST_REAL_IN(PERMEABILITY, POSITIVE)) \
  X(depth, "depth", REAL(LENGTH, NAN))                                  \
  X(pressure, "initial pressure", REAL_IN(PRESSURE, NAN, POSITIVE))     \
  X(pvt_table, "PVT table", INT_IN(0.0, POSITIVE))                      \
  X(saturation_table, "saturation table", INT_IN(0.0, POSITIVE))
#define HP_ECL_ITEMS_aqucon(X)                                                         \
  X(aquifer, "aquifer", COUNTED)                                                       \
  HP_ECL_FACE_ITEMS(X)                                                                 \
  X(face, "face", MUST_TEXT("I-|I+|J-|J+|K-|K+|X-|X+|Y-|Y+|Z-|Z+|I|J|K|X|Y|Z"))        \
  X(multiplier, "multiplier", REAL_IN(NONE, 1.0, NOT_NEGATIVE))                        \
  X(transmissibility, "transmissibility", INT(0))                                      \
  X(inside, "at active cells", TEXT("NO|YES"))                                         \
  X(equilibrium_kr, "vertical equilibrium of relative permeabilities", ONLY_REAL(1.0)) \
  X(equilibrium_pc, "vertical equilibrium of capillary pressures", ONLY_REAL(1.0))
#define HP_ECL_ITEMS_aquancon(X)                                                \
  X(aquifer, "aquifer", COUNTED)                                                \
  HP_ECL_FACE_ITEMS(X)                                                          \
  X(face, "face", MUST_TEXT("I-|I+|J-|J+|K-|K+|X-|X+|Y-|Y+|Z-|Z+|I|J|K|X|Y|Z")) \
  X(coefficient, "influx coefficient", REAL_IN(NONE, NAN, NOT_NEGATIVE))        \
  X(multiplier, "multiplier", REAL_IN(NONE, 1.0, NOT_NEGATIVE))                 \
  X(inside, "at active cells", TEXT("NO|YES"))

/* All of them. */
#define HP_ECL_FLUIDS_RECORDS(R)                                                                       \
  R(density) R(gravity) R(pvt) R(rock) R(ppcwmax) R(equil) R(eqlopts) R(restart) R(thpres) R(thpresft) \
  R(aquct) R(aqufetp) R(aquflux) R(aqunum) R(aqucon) R(aquancon)
/* clang-format on */

#endif
