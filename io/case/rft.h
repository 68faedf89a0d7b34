/* Logs of wells in NAME.RFT: pressures and saturations of the connected cells (RFT), pressures and rates in the well (PLT). A run
 * writes them when the latest request for the well says so.
 *
 *     output.rft = ({ well = "P*"; when = "reports"; })      WRFT, WRFTPLT of an Eclipse deck
 */
#ifndef HP_IO_CASE_RFT_H
#define HP_IO_CASE_RFT_H

#include "wells/well.h"

HP_EXTERN_C_BEGIN

struct hp_case;

/* X(NAME, "deck name") */
#define HP_RFT_DATA_LIST(X) \
  X(RFT, "rft")             \
  X(PLT, "plt")             \
  X(BOTH, "both")
#define HP_RFT_WHEN_LIST(X)                                                                \
  X(REPORTS, "reports") /* at the request's time and later report times */                 \
  X(ONCE, "once")       /* at its time */                                                  \
  X(OPENING, "opening") /* at its time, or later when the well opens for the first time */ \
  X(STEPS, "steps")     /* at its time and after every later time step */                  \
  X(NEVER, "never")

typedef enum {
#define HP_RFT_DATA_ENUM(name, text) HP_RFT_DATA_##name,
  HP_RFT_DATA_LIST(HP_RFT_DATA_ENUM)
#undef HP_RFT_DATA_ENUM
      HP_RFT_DATA_COUNT
} hp_rft_data;

typedef enum {
#define HP_RFT_WHEN_ENUM(name, text) HP_RFT_WHEN_##name,
  HP_RFT_WHEN_LIST(HP_RFT_WHEN_ENUM)
#undef HP_RFT_WHEN_ENUM
      HP_RFT_WHEN_COUNT
} hp_rft_when;

typedef struct hp_rft_request {
  double time;             /* [s] it holds from then on */
  int data;                /* hp_rft_data */
  int when;                /* hp_rft_when */
  char well[HP_WELL_NAME]; /* a name or a pattern */
} hp_rft_request;

/* Adds a request behind the others, whose times are not later. */
hp_status hp_rft_ask(struct hp_case *c, const hp_rft_request *request) HP_MUST_USE;

/* The logs of well w that are due at a time [s], at a report time or not: bits 1 << HP_RFT_DATA_RFT, 1 << HP_RFT_DATA_PLT. */
unsigned hp_rft_due(const struct hp_case *c, int w, double time, bool at_report);

/* The first time [s] after `time` of a request, at which a step ends; infinity: there is none. */
double hp_rft_next(const struct hp_case *c, double time);

HP_EXTERN_C_END

#endif
