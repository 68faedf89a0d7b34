/* Items of SCHEDULE, and of the connections that SUMMARY names, each in its order: X(member, name, kind). */
#ifndef HP_IO_ECLIPSE_ITEMS_WELLS_H
#define HP_IO_ECLIPSE_ITEMS_WELLS_H

/* clang-format off */
#define HP_ECL_PROCEDURES "NONE|RATE|CON|+CON|WELL|PLUG"

#define HP_ECL_ITEMS_welspecs(X)                                                              \
  X(well, "well", MUST_TEXT(NULL))                                                            \
  X(group, "group", TEXT(NULL))                                                               \
  X(head_i, "I of the well head", MUST_INT)                                                   \
  X(head_j, "J of the well head", MUST_INT)                                                   \
  X(ref_depth, "reference depth", REAL(LENGTH, NAN))                                          \
  X(phase, "preferred phase", TEXT(NULL)) X(drainage_radius, "drainage radius", UNUSED_REAL) \
  X(inflow_equation, "inflow equation", TEXT("STD|NO"))                                       \
  X(automatic_shut_in, "automatic shut-in", UNUSED_TEXT)                                      \
  X(crossflow, "crossflow", TEXT("YES|NO"))                                                   \
  X(pvt_table, "PVT table", UNUSED_REAL)                                                      \
  X(density, "density in the wellbore", TEXT("SEG|AVG"))                                      \
  X(region, "region of fluids in place", UNUSED_REAL) X(reserved_1, "reserved", UNUSED_TEXT)  \
  X(reserved_2, "reserved", UNUSED_TEXT) X(well_model, "well model", UNUSED_TEXT)             \
  X(polymer_mixing_table, "polymer mixing table", UNUSED_REAL)
#define HP_ECL_ITEMS_compdat(X)                                    \
  X(well, "well", MUST_TEXT(NULL))                                 \
  X(i, "I", INT(0))                                                \
  X(j, "J", INT(0))                                                \
  X(k1, "upper K", COUNTED)                                        \
  X(k2, "lower K", COUNTED)                                        \
  X(status, "status", TEXT("OPEN|SHUT|AUTO"))                      \
  X(saturation_table, "saturation table", INT(0))                  \
  X(factor, "connection factor", REAL(CONNECTION, NAN))            \
  X(diameter, "wellbore diameter", REAL_IN(LENGTH, NAN, POSITIVE)) \
  X(kh, "Kh", REAL(KH, NAN))                                       \
  X(skin, "skin", REAL(NONE, 0.0))                                 \
  X(d_factor, "D factor", ONLY_REAL(NAN))                          \
  X(direction, "direction", TEXT("Z|X|Y"))                         \
  X(r0, "pressure equivalent radius", REAL(LENGTH, NAN))
#define HP_ECL_ITEMS_compord(X) X(well, "well", MUST_TEXT(NULL)) X(order, "order", TEXT("TRACK|INPUT|DEPTH"))
#define HP_ECL_ITEMS_complump(X)                          \
  X(well, "well", MUST_TEXT(NULL)) X(i, "I", INT(0))      \
  X(j, "J", INT(0))                                       \
  X(k1, "upper K", INT(0))                                \
  X(k2, "lower K", INT(0)) X(completion, "completion", COUNTED)
#define HP_ECL_ITEMS_welsegs(X)                                     \
  X(well, "well", MUST_TEXT(NULL))                                  \
  X(depth, "depth of segment 1", MUST_REAL(LENGTH))                 \
  X(tubing, "length down to segment 1", REAL(LENGTH, 0.0))          \
  X(volume, "volume of segment 1", UNUSED_REAL)                     \
  X(kind, "lengths and depths", MUST_TEXT("INC|ABS"))               \
  X(drops, "pressure drops", TEXT("HFA|HF-|H--"))                   \
  X(model, "flow of phases", TEXT("HO"))                            \
  X(x, "X", UNUSED_REAL) X(y, "Y", UNUSED_REAL)                     \
  X(wall_area, "cross-section of the wall", UNUSED_REAL)            \
  X(heat_capacity, "heat capacity of the wall", UNUSED_REAL)        \
  X(conductivity, "thermal conductivity of the wall", UNUSED_REAL)
#define HP_ECL_ITEMS_segments(X)                                    \
  X(first, "first segment", COUNTED)                                \
  X(last, "last segment", COUNTED)                                  \
  X(branch, "branch", COUNTED)                                      \
  X(outlet, "outlet", COUNTED)                                      \
  X(length, "length", MUST_REAL(LENGTH))                            \
  X(depth, "depth", MUST_REAL(LENGTH))                              \
  X(diameter, "diameter", MUST_REAL_IN(LENGTH, POSITIVE))           \
  X(roughness, "roughness", MUST_REAL_IN(LENGTH, NOT_NEGATIVE))     \
  X(area, "cross-section", REAL_IN(NONE, NAN, NOT_NEGATIVE))        \
  X(volume, "volume", UNUSED_REAL)                                  \
  X(x, "X", UNUSED_REAL) X(y, "Y", UNUSED_REAL)                     \
  X(wall_area, "cross-section of the wall", UNUSED_REAL)            \
  X(heat_capacity, "heat capacity of the wall", UNUSED_REAL)        \
  X(conductivity, "thermal conductivity of the wall", UNUSED_REAL)
#define HP_ECL_ITEMS_compsegs(X) X(well, "well", MUST_TEXT(NULL))
#define HP_ECL_ITEMS_compsegs_cells(X)                              \
  X(i, "I", COUNTED) X(j, "J", COUNTED) X(k, "K", COUNTED)          \
  X(branch, "branch", COUNTED)                                      \
  X(start, "start", REAL(LENGTH, NAN))                              \
  X(end, "end", REAL(LENGTH, NAN))                                  \
  X(direction, "direction", UNUSED_TEXT)                            \
  X(range, "end of the range", INT(0))                              \
  X(depth, "depth", REAL(LENGTH, NAN))                              \
  X(thermal_length, "thermal contact length", UNUSED_REAL)          \
  X(segment, "segment", INT(0))
#define HP_ECL_ITEMS_vfpprod(X)                                              \
  X(table, "table", COUNTED) X(datum_depth, "datum depth", MUST_REAL(LENGTH)) \
  X(flow, "rate", MUST_TEXT("OIL|WAT|LIQ"))                                  \
  X(ratio, "ratio of water", MUST_TEXT("WCT|WOR"))                           \
  X(gas, "fraction of gas", MUST_TEXT("GOR|GLR|OGR"))                        \
  X(pressure, "pressure", TEXT("THP"))                                       \
  X(lift, "artificial lift", UNUSED_TEXT)                                    \
  X(units, "units", TEXT("METRIC|FIELD|LAB"))                                \
  X(body, "what the table holds", TEXT("BHP"))
#define HP_ECL_ITEMS_vfpinj(X)                                               \
  X(table, "table", COUNTED) X(datum_depth, "datum depth", MUST_REAL(LENGTH)) \
  X(flow, "rate", MUST_TEXT("OIL|WAT"))                                      \
  X(pressure, "pressure", TEXT("THP"))                                       \
  X(units, "units", TEXT("METRIC|FIELD|LAB"))                                \
  X(body, "what the table holds", TEXT("BHP"))
#define HP_ECL_ITEMS_wconprod(X)                                                          \
  X(well, "well", MUST_TEXT(NULL))                                                        \
  X(status, "status", TEXT("OPEN|SHUT|STOP|AUTO"))                                        \
  X(control, "control", TEXT("ORAT|WRAT|LRAT|RESV|BHP|THP|GRUP"))                             \
  X(orat, "oil rate", UDA_IN(RATE, NAN, NOT_NEGATIVE))                                   \
  X(wrat, "water rate", UDA_IN(RATE, NAN, NOT_NEGATIVE))                                 \
  X(grat, "gas rate", UNUSED_REAL)                                                        \
  X(lrat, "liquid rate", UDA_IN(RATE, NAN, NOT_NEGATIVE))                                \
  X(resv, "reservoir volume rate", UDA_IN(RESERVOIR_RATE, NAN, NOT_NEGATIVE))            \
  X(bhp, "bottom-hole pressure", UDA_IN(PRESSURE, 1.01325 * BAR, NOT_NEGATIVE))          \
  X(thp, "tubing-head pressure", UDA_IN(PRESSURE, 0.0, NOT_NEGATIVE))                    \
  X(lift_table, "lift table", INT_IN(0, NOT_NEGATIVE))                                    \
  X(artificial_lift, "artificial lift", REAL_IN(NONE, 0.0, NOT_NEGATIVE))
#define HP_ECL_ITEMS_wconinje(X)                                                \
  X(well, "well", MUST_TEXT(NULL))                                              \
  X(phase, "phase", MUST_TEXT("WATER|OIL|GAS"))                                 \
  X(status, "status", TEXT("OPEN|SHUT|STOP|AUTO"))                              \
  X(control, "control", TEXT("RATE|RESV|BHP|THP|GRUP"))                             \
  X(rate, "surface rate", UDA_IN(RATE, NAN, NOT_NEGATIVE))                     \
  X(resv, "reservoir volume rate", UDA_IN(RESERVOIR_RATE, NAN, NOT_NEGATIVE))  \
  X(bhp, "bottom-hole pressure", UDA_IN(PRESSURE, 6895.0 * BAR, NOT_NEGATIVE)) \
  X(thp, "tubing-head pressure", UDA_IN(PRESSURE, 0.0, NOT_NEGATIVE))          \
  X(lift_table, "lift table", INT_IN(0, NOT_NEGATIVE))
#define HP_ECL_ITEMS_welopen(X)                    \
  X(well, "well", MUST_TEXT(NULL))                 \
  X(status, "status", TEXT("OPEN|SHUT|STOP|AUTO")) \
  X(i, "I", INT(0))                                \
  X(j, "J", INT(0))                                \
  X(k, "K", INT(0))                                \
  X(first_completion, "first completion", INT(0)) X(last_completion, "last completion", INT(0))
#define HP_ECL_ITEMS_weltarg(X)                                                                            \
  X(well, "well", MUST_TEXT(NULL)) X(quantity, "quantity", MUST_TEXT("ORAT|WRAT|LRAT|RESV|BHP|THP|GRAT|RATE|VFP|LIFT")) \
  X(value, "value", MUST_UDA_IN(NONE, NOT_NEGATIVE))
#define HP_ECL_ITEMS_wconhist(X)                                                              \
  X(well, "well", MUST_TEXT(NULL))                                                            \
  X(status, "status", TEXT("OPEN|SHUT|STOP|AUTO"))                                            \
  X(control, "control", TEXT("ORAT|WRAT|LRAT|RESV|BHP"))                                      \
  X(orat, "oil rate", REAL_IN(RATE, NAN, NOT_NEGATIVE))                                       \
  X(wrat, "water rate", REAL_IN(RATE, NAN, NOT_NEGATIVE))                                     \
  X(grat, "gas rate", REAL_IN(NONE, NAN, NOT_NEGATIVE))                                       \
  X(lift_table, "lift table", INT_IN(0, NOT_NEGATIVE))                                        \
  X(artificial_lift, "artificial lift", REAL_IN(NONE, 0.0, NOT_NEGATIVE))                     \
  X(thp, "observed tubing-head pressure", REAL_IN(PRESSURE, 0.0, NOT_NEGATIVE))                                        \
  X(bhp, "observed bottom-hole pressure", REAL_IN(PRESSURE, NAN, NOT_NEGATIVE))               \
  X(wet_gas_rate, "wet gas rate", UNUSED_REAL)
#define HP_ECL_ITEMS_wconinjh(X)                                                                      \
  X(well, "well", MUST_TEXT(NULL))                                                                    \
  X(phase, "phase", MUST_TEXT("WATER|OIL|GAS"))                                                       \
  X(status, "status", TEXT("OPEN|SHUT|STOP|AUTO"))                                                    \
  X(rate, "surface rate", REAL_IN(RATE, NAN, NOT_NEGATIVE))                                           \
  X(bhp, "observed bottom-hole pressure", REAL_IN(PRESSURE, NAN, NOT_NEGATIVE))                       \
  X(thp, "observed tubing-head pressure", REAL_IN(PRESSURE, 0.0, NOT_NEGATIVE))                                                \
  X(lift_table, "lift table", INT_IN(0, NOT_NEGATIVE))                                                \
  X(vaporised_oil, "vaporised oil", ONLY_REAL(NAN)) X(share_of_oil, "share of oil", ONLY_REAL(NAN))   \
  X(share_of_water, "share of water", ONLY_REAL(NAN)) X(share_of_gas, "share of gas", ONLY_REAL(NAN)) \
  X(control, "control", TEXT("RATE|BHP"))
#define HP_ECL_ITEMS_whistctl(X)                                   \
  X(control, "control", MUST_TEXT("ORAT|WRAT|LRAT|RESV|BHP|NONE")) \
  X(stop_at_bhp, "stop at the bottom-hole pressure limit", TEXT("NO"))
#define HP_ECL_ITEMS_wefac(X)                                                                       \
  X(well, "well", MUST_TEXT(NULL)) X(efficiency, "efficiency factor", REAL_IN(NONE, 1.0, POSITIVE)) \
  X(in_network, "in the network", UNUSED_TEXT)
#define HP_ECL_ITEMS_wtest(X)                                                                            \
  X(well, "well", MUST_TEXT(NULL)) X(interval, "interval", REAL_IN(TIME, NAN, NOT_NEGATIVE))             \
  X(reasons, "reasons", TEXT(NULL)) X(tests, "number of tests", INT(0))                 \
  X(startup, "start-up time", REAL_IN(TIME, 0.0, NOT_NEGATIVE))
#define HP_ECL_ITEMS_wecon(X)                                                                            \
  X(well, "well", MUST_TEXT(NULL))                                                                       \
  X(min_oil_rate, "smallest oil rate", REAL_IN(RATE, 0.0, NOT_NEGATIVE))                                 \
  X(min_gas_rate, "smallest gas rate", ONLY_REAL(NAN))                                                   \
  X(max_water_cut, "largest water cut", REAL_IN(NONE, 0.0, NOT_NEGATIVE))                                \
  X(max_gor, "largest gas-oil ratio", UNUSED_REAL) X(max_wgr, "largest water-gas ratio", ONLY_REAL(NAN)) \
  X(workover, "workover", TEXT("NONE|CON|+CON|WELL"))                                                    \
  X(end_run, "end of the run", TEXT("NO|YES"))                                                           \
  X(follow_on, "follow-on well", TEXT(NULL))                                                             \
  X(quantity, "quantity", TEXT("RATE"))                                                                  \
  X(second_water_cut, "second water cut", ONLY_REAL(NAN))                                                \
  X(second_workover, "second workover", TEXT("NONE"))                                                    \
  X(max_glr, "largest gas-liquid ratio", UNUSED_REAL)                                                    \
  X(min_liquid_rate, "smallest liquid rate", REAL_IN(RATE, 0.0, NOT_NEGATIVE))                           \
  X(max_temperature, "highest temperature", ONLY_REAL(NAN))                                              \
  X(min_resv, "smallest reservoir volume rate", ONLY_REAL(NAN))
#define HP_ECL_ITEMS_wcutback(X)                                                                                 \
  X(well, "well", MUST_TEXT(NULL))                                                                               \
  X(max_water_cut, "largest water cut", REAL_IN(NONE, 1e20, POSITIVE))                                           \
  X(max_gor, "largest gas-oil ratio", UNUSED_REAL) X(max_glr, "largest gas-liquid ratio", UNUSED_REAL)           \
  X(max_wgr, "largest water-gas ratio", ONLY_REAL(NAN)) X(rate_factor, "factor of the rate", UNUSED_REAL)        \
  X(phase, "phase", UNUSED_TEXT) X(min_pressure, "lowest pressure", ONLY_REAL(NAN))                              \
  X(end_pressure, "pressure that ends it", UNUSED_REAL) X(end_water_cut, "water cut that ends it", UNUSED_REAL)  \
  X(end_gor, "gas-oil ratio that ends it", UNUSED_REAL) X(end_glr, "gas-liquid ratio that ends it", UNUSED_REAL) \
  X(end_wgr, "water-gas ratio that ends it", UNUSED_REAL)
#define HP_ECL_ITEMS_gruptree(X)                                 \
  X(group, "group", MUST_TEXT(NULL))                             \
  X(parent, "group above it", TEXT(NULL))
#define HP_ECL_ITEMS_gefac(X)                                                                         \
  X(group, "group", MUST_TEXT(NULL)) X(efficiency, "efficiency factor", REAL_IN(NONE, 1.0, POSITIVE)) \
  X(in_network, "in the network", UNUSED_TEXT)
#define HP_ECL_ITEMS_gecon(X)                                                                             \
  X(group, "group", MUST_TEXT(NULL))                                                                      \
  X(min_oil_rate, "smallest oil rate", REAL_IN(RATE, 0.0, NOT_NEGATIVE))                                  \
  X(min_gas_rate, "smallest gas rate", ONLY_REAL(NAN))                                                    \
  X(max_water_cut, "largest water cut", REAL_IN(NONE, 0.0, NOT_NEGATIVE))                                 \
  X(max_gor, "largest gas-oil ratio", UNUSED_REAL) X(max_wgr, "largest water-gas ratio", ONLY_REAL(NAN))  \
  X(workover, "workover", TEXT("NONE|CON|+CON|WELL|ALL"))                                                 \
  X(end_run, "end of the run", TEXT("NO|YES"))                                                            \
  X(open_wells, "most open wells", ONLY_INT(0))
#define HP_ECL_ITEMS_gconprod(X)                                                                        \
  X(group, "group", MUST_TEXT(NULL))                                                                    \
  X(control, "control", TEXT("NONE|ORAT|WRAT|LRAT|RESV"))                                               \
  X(orat, "oil rate", REAL_IN(RATE, NAN, NOT_NEGATIVE))                                                 \
  X(wrat, "water rate", REAL_IN(RATE, NAN, NOT_NEGATIVE))                                               \
  X(grat, "gas rate", UNUSED_REAL)                                                                      \
  X(lrat, "liquid rate", REAL_IN(RATE, NAN, NOT_NEGATIVE))                                              \
  X(procedure, "procedure at a limit", TEXT(HP_ECL_PROCEDURES))                                         \
  X(by_higher_group, "control by a higher group", TEXT("YES|NO")) X(guide_rate, "guide rate", UNUSED_REAL) \
  X(guide_definition, "definition of the guide rate", UNUSED_TEXT)                                      \
  X(wrat_procedure, "procedure at the water rate", TEXT(HP_ECL_PROCEDURES))                             \
  X(grat_procedure, "procedure at the gas rate", UNUSED_TEXT)                                           \
  X(lrat_procedure, "procedure at the liquid rate", TEXT(HP_ECL_PROCEDURES))                            \
  X(resv, "reservoir volume rate", REAL_IN(RESERVOIR_RATE, NAN, NOT_NEGATIVE))                          \
  X(balancing_fraction, "balancing fraction", ONLY_REAL(NAN))
#define HP_ECL_ITEMS_gconinje(X)                                                                        \
  X(group, "group", MUST_TEXT(NULL))                                                                    \
  X(phase, "phase", MUST_TEXT("WATER"))                                                                 \
  X(control, "control", TEXT("NONE|RATE|RESV|REIN|VREP"))                                               \
  X(rate, "surface rate", REAL_IN(RATE, NAN, NOT_NEGATIVE))                                             \
  X(resv, "reservoir volume rate", REAL_IN(RESERVOIR_RATE, NAN, NOT_NEGATIVE))                          \
  X(reinjection, "reinjected fraction", REAL_IN(NONE, NAN, NOT_NEGATIVE))                               \
  X(voidage, "voidage replacement", REAL_IN(NONE, NAN, NOT_NEGATIVE))                                   \
  X(by_higher_group, "control by a higher group", TEXT("YES|NO")) X(guide_rate, "guide rate", UNUSED_REAL) \
  X(guide_definition, "definition of the guide rate", UNUSED_TEXT)                                      \
  X(reinjection_group, "group whose water is reinjected", TEXT(NULL))                                   \
  X(voidage_group, "group whose voidage is replaced", TEXT(NULL))                                       \
  X(wet_gas_rate, "wet gas rate", ONLY_REAL(NAN))
#define HP_ECL_ITEMS_wgrupcon(X)                                         \
  X(well, "well", MUST_TEXT(NULL))                                       \
  X(takes_part, "takes part", TEXT("YES|NO"))                            \
  X(guide_rate, "guide rate", REAL(RATE, NAN))                           \
  X(guide_by, "quantity of the guide rate", TEXT("OIL|WAT|LIQ|RES|RAT")) \
  X(scale, "scaling factor", REAL_IN(NONE, 1.0, NOT_NEGATIVE))
#define HP_ECL_ITEMS_wpimult(X)                                 \
  X(well, "well", MUST_TEXT(NULL))                              \
  X(multiplier, "multiplier", REAL_IN(NONE, 1.0, NOT_NEGATIVE)) \
  X(i, "I", INT(0))                                             \
  X(j, "J", INT(0))                                             \
  X(k, "K", INT(0))                                             \
  X(first_completion, "first completion", INT(0)) X(last_completion, "last completion", INT(0))
#define HP_ECL_AVERAGE(X) \
  X(inner, "weight of the connected cell", REAL(NONE, 0.5)) X(by_factor, "weight of connection factors", REAL_IN(NONE, 1.0, NOT_NEGATIVE)) \
  X(head, "depth correction", TEXT("WELL|RES|NONE")) X(of, "connections", TEXT("OPEN|ALL"))
#define HP_ECL_ITEMS_wpave(X) HP_ECL_AVERAGE(X)
#define HP_ECL_ITEMS_wwpave(X) X(well, "well", MUST_TEXT(NULL)) HP_ECL_AVERAGE(X)
#define HP_ECL_ITEMS_wpavedep(X) X(well, "well", MUST_TEXT(NULL)) X(depth, "reference depth", REAL(LENGTH, NAN))
#define HP_ECL_ITEMS_wrft(X) X(well, "well", MUST_TEXT(NULL))
#define HP_ECL_ITEMS_wrftplt(X)                        \
  X(well, "well", MUST_TEXT(NULL))                     \
  X(rft, "RFT", TEXT("NO|YES|REPT|TIMESTEP|FOPN"))     \
  X(plt, "PLT", TEXT("NO|YES|REPT|TIMESTEP"))          \
  X(segments, "data of segments", UNUSED_TEXT)
#define HP_ECL_ITEMS_wlist(X)                             \
  X(list, "list", MUST_TEXT(NULL))                        \
  X(operation, "operation", MUST_TEXT("NEW|ADD|DEL|MOV")) \
  HP_ECL_TEN(X, well_a, "well", TEXT(NULL))               \
  HP_ECL_TEN(X, well_b, "well", TEXT(NULL))               \
  HP_ECL_TEN(X, well_c, "well", TEXT(NULL))               \
  HP_ECL_TEN(X, well_d, "well", TEXT(NULL))               \
  HP_ECL_TEN(X, well_e, "well", TEXT(NULL))               \
  HP_ECL_TEN(X, well_f, "well", TEXT(NULL))               \
  HP_ECL_TEN(X, well_g, "well", TEXT(NULL))               \
  HP_ECL_TEN(X, well_h, "well", TEXT(NULL))               \
  HP_ECL_TEN(X, well_i, "well", TEXT(NULL))               \
  HP_ECL_TEN(X, well_j, "well", TEXT(NULL))
#define HP_ECL_ITEMS_date(X) \
  X(day, "day", MUST_INT) X(month, "month", MUST_TEXT(NULL)) X(year, "year", MUST_INT) X(time, "time", TEXT(NULL))
#define HP_ECL_ITEMS_nextstep(X) \
  X(length, "longest next step", MUST_REAL_IN(TIME, POSITIVE)) X(again, "at each report step from here on", TEXT("YES|NO"))
#define HP_ECL_ITEMS_tuning_1(X)                                     \
  X(initial, "next step", REAL_IN(TIME, NAN, POSITIVE))              \
  X(max, "longest step", REAL_IN(TIME, NAN, POSITIVE))               \
  X(min, "shortest step", REAL_IN(TIME, NAN, POSITIVE))              \
  X(min_cut, "shortest step that may be cut", UNUSED_REAL)           \
  X(growth, "largest growth", REAL_IN(NONE, NAN, POSITIVE))          \
  X(smallest_factor, "smallest factor", UNUSED_REAL)                 \
  X(cut, "factor after a failed step", REAL_IN(NONE, NAN, POSITIVE)) \
  X(growth_after_cut, "growth after a failed step", UNUSED_REAL)     \
  X(throughput_ratio, "throughput ratio", UNUSED_REAL) X(after_event, "next step after a well event", UNUSED_REAL)
#define HP_ECL_ITEMS_tuning_2(X)                                                   \
  X(target_time_truncation, "target time truncation", UNUSED_REAL)                 \
  X(target_non_linear_error, "target non-linear error", UNUSED_REAL)               \
  X(target_material_balance_error, "target material balance error", UNUSED_REAL)   \
  X(target_linear_error, "target linear error", UNUSED_REAL)                       \
  X(largest_time_truncation, "largest time truncation", UNUSED_REAL)               \
  X(largest_non_linear_error, "largest non-linear error", UNUSED_REAL)             \
  X(largest_material_balance_error, "largest material balance error", UNUSED_REAL) \
  X(largest_linear_error, "largest linear error", UNUSED_REAL)                     \
  X(largest_well_flow_rate_error, "largest well flow rate error", UNUSED_REAL)     \
  X(target_fluid_in_place_error, "target fluid-in-place error", UNUSED_REAL)       \
  X(target_surfactant_error, "target surfactant error", UNUSED_REAL)               \
  X(damping, "threshold for damping", UNUSED_REAL) X(weighting_factor, "weighting factor", UNUSED_REAL)
#define HP_ECL_ITEMS_tuning_3(X)                                                                     \
  X(max_newton, "most Newton iterations", INT(NAN))                                                  \
  X(min_newton, "fewest Newton iterations", INT(NAN))                                                \
  X(most_linear_iterations, "most linear iterations", UNUSED_REAL)                                   \
  X(fewest_linear_iterations, "fewest linear iterations", UNUSED_REAL)                               \
  X(most_well_iterations, "most well iterations", UNUSED_REAL)                                       \
  X(most_well_iterations_at_thp_control, "most well iterations at THP control", UNUSED_REAL)         \
  X(pressure_change_at_the_last_iteration, "pressure change at the last iteration", UNUSED_REAL)     \
  X(saturation_change_at_the_last_iteration, "saturation change at the last iteration", UNUSED_REAL) \
  X(target_pressure_change, "target pressure change", UNUSED_REAL)                                   \
  X(largest_pressure_change, "largest pressure change", UNUSED_REAL)
#define HP_ECL_ITEMS_actionx(X)                                                         \
  X(name, "name", MUST_TEXT(NULL)) X(times, "number of times", INT_IN(1, NOT_NEGATIVE)) \
  X(interval, "least interval", REAL_IN(TIME, 0.0, NOT_NEGATIVE))
#define HP_ECL_ITEMS_udt(X) X(name, "name", MUST_TEXT(NULL)) X(dimensions, "dimensions", COUNTED)
#define HP_ECL_ITEMS_block(X) X(i, "I", COUNTED) X(j, "J", COUNTED) X(k, "K", COUNTED)
#define HP_ECL_ITEMS_vector(X) X(well, "well", MUST_TEXT(NULL)) X(i, "I", INT(0)) X(j, "J", INT(0)) X(k, "K", INT(0))
#define HP_ECL_ITEMS_segment_vector(X) X(well, "well", MUST_TEXT(NULL)) X(segment, "segment", INT(0))

/* All of them. */
#define HP_ECL_WELLS_RECORDS(R)                                                                             \
  R(welspecs) R(compdat) R(compord) R(complump) R(welsegs) R(segments) R(compsegs) R(compsegs_cells) R(vfpprod) R(vfpinj) R(wconprod) R(wconinje) R(welopen) R(weltarg) R(wconhist) R(wconinjh)   \
  R(whistctl) R(wefac) R(wecon) R(wtest) R(wcutback) R(gruptree) R(gefac) R(gecon) R(gconprod) R(gconinje) R(wgrupcon) R(wpimult) R(wpave) R(wwpave) R(wpavedep) R(wrft) R(wrftplt) R(wlist) R(date) R(nextstep) \
  R(tuning_1) R(tuning_2) R(tuning_3) R(vector) R(segment_vector) R(block) R(actionx) R(udt)
/* clang-format on */

#endif
