/* Vectors of the summary that are written on demand, besides those that always are (io/results/summary.c).
 *
 *     output.vectors = ["FOIP", "ROIP:2", "COPR:P1:1,1,3"]      SUMMARY of an Eclipse deck
 *        |
 *     hp_case.output.vector[]                                   texts, checked with hp_summary_vector_fault
 *        | hp_summary_vectors_create: regions and connections as the run has them
 *     hp_summary_vectors                                                a column each
 *
 * NAME, or NAME:GROUP, NAME:WELL, NAME:REGION, NAME:AQUIFER, NAME:WELL:i,j,k, NAME:WELL:SEGMENT for some of its columns only;
 * NAME:i,j,k of a cell.
 */
#ifndef HP_IO_CASE_VECTORS_H
#define HP_IO_CASE_VECTORS_H

#include "io/case/case.h"
#include "io/case/history.h"
#include "io/case/rows.h"

HP_EXTERN_C_BEGIN

/* X(NAME, level, quantity, what it is): what flows through wells, or a part of them */
#define HP_FLOW_VECTOR_LIST(X, L, LEVEL)                      \
  X(L##OPR, LEVEL, RATE, "oil produced")                      \
  X(L##WPR, LEVEL, RATE, "water produced")                    \
  X(L##LPR, LEVEL, RATE, "liquid produced")                   \
  X(L##OIR, LEVEL, RATE, "oil injected")                      \
  X(L##WIR, LEVEL, RATE, "water injected")                    \
  X(L##OPT, LEVEL, VOLUME, "oil produced since the start")    \
  X(L##WPT, LEVEL, VOLUME, "water produced since the start")  \
  X(L##LPT, LEVEL, VOLUME, "liquid produced since the start") \
  X(L##OIT, LEVEL, VOLUME, "oil injected since the start")    \
  X(L##WIT, LEVEL, VOLUME, "water injected since the start")

/* The same of what was observed. */
#define HP_OBSERVED_VECTOR_LIST(X, L, LEVEL)                            \
  X(L##OPRH, LEVEL, RATE, "observed: oil produced")                     \
  X(L##WPRH, LEVEL, RATE, "observed: water produced")                   \
  X(L##LPRH, LEVEL, RATE, "observed: oil and water produced")           \
  X(L##WCTH, LEVEL, NONE, "observed: water cut")                        \
  X(L##OIRH, LEVEL, RATE, "observed: oil injected")                     \
  X(L##WIRH, LEVEL, RATE, "observed: water injected")                   \
  X(L##OPTH, LEVEL, VOLUME, "observed: oil produced since time zero")   \
  X(L##WPTH, LEVEL, VOLUME, "observed: water produced since time zero") \
  X(L##LPTH, LEVEL, VOLUME, "observed: oil and water since time zero")  \
  X(L##OITH, LEVEL, VOLUME, "observed: oil injected since time zero")   \
  X(L##WITH, LEVEL, VOLUME, "observed: water injected since time zero")

/* X(NAME, level, quantity, what it is) */
#define HP_SUMMARY_VECTOR_LIST(X)                                                   \
  X(FOIP, FIELD, VOLUME, "oil in place, surface volume")                            \
  X(FWIP, FIELD, VOLUME, "water in place, surface volume")                          \
  X(FOE, FIELD, NONE, "recovery: oil that is gone over oil in place at the start")  \
  X(FNPV, FIELD, NONE, "net present value of the cash flow")                        \
  X(FCASH, FIELD, NONE, "cash flow since the start, not discounted")                \
  X(FCASHR, FIELD, EXPENSE, "cash flow of the step per time, without wells")        \
  X(FVPR, FIELD, RESERVOIR_RATE, "reservoir volume produced")                       \
  X(FVIR, FIELD, RESERVOIR_RATE, "reservoir volume injected")                       \
  X(WVPR, WELL, RESERVOIR_RATE, "reservoir volume produced")                        \
  X(WVIR, WELL, RESERVOIR_RATE, "reservoir volume injected")                        \
  X(WPI, WELL, PRODUCTIVITY, "productivity index of the preferred phase")           \
  X(WPIO, WELL, PRODUCTIVITY, "productivity index of oil")                          \
  X(WPIW, WELL, PRODUCTIVITY, "productivity index of water")                        \
  X(WPIL, WELL, PRODUCTIVITY, "productivity index of liquid, of producers")         \
  X(WBP, WELL, PRESSURE, "average pressure of the cells of its connections")        \
  X(WBP4, WELL, PRESSURE, "of the four neighbours of each")                         \
  X(WBP5, WELL, PRESSURE, "of each with the four")                                  \
  X(WBP9, WELL, PRESSURE, "of each with eight neighbours")                          \
  X(WTHP, WELL, PRESSURE, "tubing-head pressure by the lift table; 0: none")        \
  X(FMCTP, FIELD, NONE, "number of the production target that governs")             \
  X(FMCTW, FIELD, NONE, "number of the target of water injection that governs")     \
  HP_FLOW_VECTOR_LIST(X, G, GROUP)                                                  \
  X(GWCT, GROUP, NONE, "water cut")                                                 \
  X(GVPR, GROUP, RESERVOIR_RATE, "reservoir volume produced")                       \
  X(GVIR, GROUP, RESERVOIR_RATE, "reservoir volume injected")                       \
  X(GMCTP, GROUP, NONE, "number of the production target that governs")             \
  X(GMCTW, GROUP, NONE, "number of the target of water injection that governs")     \
  HP_OBSERVED_VECTOR_LIST(X, F, FIELD)                                              \
  HP_OBSERVED_VECTOR_LIST(X, G, GROUP)                                              \
  HP_OBSERVED_VECTOR_LIST(X, W, WELL)                                               \
  X(WBHPH, WELL, PRESSURE, "observed: bottom-hole pressure; 0: none")               \
  X(WTHPH, WELL, PRESSURE, "observed: tubing-head pressure; 0: none")               \
  X(RPR, REGION, PRESSURE, "average pressure, weighted by hydrocarbon pore volume") \
  X(ROIP, REGION, VOLUME, "oil in place, surface volume")                           \
  X(RWIP, REGION, VOLUME, "water in place, surface volume")                         \
  X(ROE, REGION, NONE, "oil that is gone over oil in place at the start")           \
  X(FAQR, FIELD, RATE, "water from all aquifers")                                   \
  X(FAQT, FIELD, VOLUME, "water from all aquifers since the start")                 \
  X(AAQR, AQUIFER, RATE, "water from the aquifer")                                  \
  X(AAQT, AQUIFER, VOLUME, "water from the aquifer since the start")                \
  X(AAQP, AQUIFER, PRESSURE, "pressure of the aquifer at its datum depth")          \
  X(ANQR, NUMERICAL, RATE, "water from the numerical aquifer")                      \
  X(ANQT, NUMERICAL, VOLUME, "water from the numerical aquifer since the start")    \
  X(ANQP, NUMERICAL, PRESSURE, "pressure of the numerical aquifer's water")         \
  HP_FLOW_VECTOR_LIST(X, R, REGION)                                                 \
  HP_FLOW_VECTOR_LIST(X, C, CONNECTION)                                             \
  X(CPI, CONNECTION, PRODUCTIVITY, "productivity index of the preferred phase")     \
  X(SPR, SEGMENT, PRESSURE, "pressure at the segment's node")                       \
  X(SOFR, SEGMENT, RATE, "oil through the segment, towards the surface")            \
  X(SWFR, SEGMENT, RATE, "water through the segment, towards the surface")          \
  X(SPRD, SEGMENT, PRESSURE, "its pressure less that of its outlet")                \
  X(SPRDH, SEGMENT, PRESSURE, "of that, by gravity")                                \
  X(SPRDF, SEGMENT, PRESSURE, "by friction")                                        \
  X(SPRDA, SEGMENT, PRESSURE, "by acceleration")                                    \
  X(BPR, CELL, PRESSURE, "pressure of the cell")                                    \
  X(BOSAT, CELL, NONE, "its oil saturation")                                        \
  X(BWSAT, CELL, NONE, "its water saturation")                                      \
  X(FU, FIELD, NONE, "FU..., a quantity of the user")                               \
  X(WU, WELL, NONE, "WU..., a quantity of the user")                                \
  X(GU, GROUP, NONE, "GU..., a quantity of the user")                               \
  HP_WORK_VECTOR_LIST(X)

/* Work of the program: PERFORMA asks for all of them. */
#define HP_WORK_VECTOR_LIST(X)                                     \
  X(TIMESTEP, FIELD, TIME, "length of the time step")              \
  X(NEWTON, FIELD, NONE, "Newton iterations of the step")          \
  X(MLINEARS, FIELD, NONE, "linear iterations of the step")        \
  X(NLINEARS, FIELD, NONE, "linear iterations a Newton iteration") \
  X(MSUMNEWT, FIELD, NONE, "Newton iterations since time zero")    \
  X(MSUMLINS, FIELD, NONE, "linear iterations since time zero")    \
  X(TCPU, FIELD, SECONDS, "seconds since the program began to compute")

typedef enum {
#define HP_SUMMARY_VECTOR_ENUM(name, level, quantity, what) HP_SUMMARY_VECTOR_##name,
  HP_SUMMARY_VECTOR_LIST(HP_SUMMARY_VECTOR_ENUM)
#undef HP_SUMMARY_VECTOR_ENUM
      HP_SUMMARY_VECTOR_COUNT
} hp_summary_vector_id;

typedef enum {
  HP_OF_FIELD,
  HP_OF_GROUP,
  HP_OF_WELL,
  HP_OF_REGION,
  HP_OF_AQUIFER,
  HP_OF_NUMERICAL,
  HP_OF_CONNECTION,
  HP_OF_SEGMENT,
  HP_OF_CELL
} hp_summary_vector_level;

/* Finds the vector of a name of n letters; HP_SUMMARY_VECTOR_COUNT if it is unknown or always written. */
hp_summary_vector_id hp_summary_vector_find(const char *name, size_t n);
const char *hp_summary_vector_name_of(hp_summary_vector_id id);
hp_summary_vector_level hp_summary_vector_level_of(hp_summary_vector_id id);
bool hp_summary_vector_is_always_written(const char *name, size_t n);

/* Renames vectors of connections and cells after refinement (hp_case_refine): each becomes those of the perforated parts, or of all
 * parts, of its cell. */
hp_status hp_summary_vectors_refine(hp_case *c) HP_MUST_USE;

/* Writes the fault in a deck's text to `why`, or ""; the case's wells and regions are known. */
void hp_summary_vector_fault(const hp_case *c, const char *text, char why[HP_CASE_WHY]);

typedef struct hp_summary_vector_column {
  hp_summary_vector_id id;
  int well;     /* of the well and of the connection */
  int quantity; /* of FU, WU and GU: the case's, from 0 */
  int64_t
      index; /* group; region or aquifer from 0; connection or segment, counted through all wells; entry of hp_summary_vectors.cell */
} hp_summary_vector_column;

typedef struct hp_summary_vectors {
  int count;
  hp_summary_vector_column *column; /* [count] in the order of the list, then of wells and regions */
  const hp_well_path *path;         /* borrowed: names and connections of the wells */
  const hp_case *c;                 /* borrowed: names of groups */
  int naquifer;
  const hp_aquifer_spec *aquifer;        /* [naquifer] likewise: numbers of the aquifers */
  const hp_numerical_aquifer *numerical; /* [nnumerical] likewise */
  int ncell;
  int64_t *cell;       /* [ncell] of the whole grid: those of hp_summary_vectors_cells */
  hp_history *history; /* not in the struct, of which a writer beside the run takes a copy */
} hp_summary_vectors;

/* Begins without columns, for single values (hp_summary_vectors_named). */
hp_status hp_summary_vectors_begin(const hp_case *c, const hp_well_path *path, hp_summary_vectors *out) HP_MUST_USE;
/* Makes the columns that the case asks for. */
hp_status hp_summary_vectors_create(const hp_case *c, int nwell, const hp_well_path *path,
                                    hp_summary_vectors *out) HP_MUST_USE;
void hp_summary_vectors_destroy(hp_summary_vectors *v);

/* "ROIP:2", "COPR:P1:1,1,3" */
void hp_summary_vector_text(const hp_summary_vectors *v, int column, char *out, size_t size);
hp_quantity hp_summary_vector_quantity(hp_summary_vector_id id);
/* The unit of a column's numbers. */
const char *hp_summary_vector_unit(const hp_summary_vectors *v, int column, const hp_units *u);
/* The values of all columns in SI at the time of the row, to out [count]. Rows come in the order of their times. */
void hp_summary_vectors_values(hp_summary_vectors *v, const hp_summary_row *row, double *out);

/* The value of one column, as above, when the history has come to the time of the row; OPR, WIT, LPT, VPR, WCT, ... of a flow. */
double hp_summary_vector_value(const hp_summary_vectors *v, const hp_summary_vector_column *c,
                               const hp_summary_row *row);
double hp_flow_vector(const hp_flow *f, const char *name);

/* Sets *out to the value in SI of the vector `name`, one of those that are always written or of the list, of well or group `element`,
 * region or aquifer at[0], or cell at[]; *quantity is its own. False: there is none. */
bool hp_summary_vectors_named(hp_summary_vectors *v, const hp_summary_row *row, const char *name, int element,
                              const int at[3], hp_quantity *quantity, double *out);

/* Lists the cells that the case asks for, conditions and expressions included, each once, in the order of their numbers. */
hp_status hp_summary_vectors_cells(const hp_case *c, int64_t **cell, int *ncell) HP_MUST_USE;

/* Whether the case asks for a vector between first and last in the list; of that level, conditions and expressions
 * included. */
bool hp_summary_vectors_ask(const hp_case *c, hp_summary_vector_id first, hp_summary_vector_id last);
bool hp_summary_vectors_need(const hp_case *c, hp_summary_vector_level level);

HP_EXTERN_C_END

#endif
