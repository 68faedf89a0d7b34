/* Money that a field makes: cash flow, and its net present value.
 *
 *     cash flow of a step    oil price * oil - costs of oil, water produced and water injected - fixed cost * dt
 *     cost of a well         when it first opens
 *     net present value      cash at time t counts (1 + discount rate)^(-t / year); that of a step as if it came evenly in it:
 *
 *         1/dt * integral of (1 + r)^(-t / year) from t0 to t1  =  (d(t0) - d(t1)) / (dt / year * ln(1 + r))
 *
 * (sim/simulator/money.c). A year is 365.25 days. Volumes are those of FOPT, FWPT and FWIT. Taxes are left out.
 */
#ifndef HP_IO_ECONOMICS_H
#define HP_IO_ECONOMICS_H

#include "core/portable.h"

HP_EXTERN_C_BEGIN

/* X(NAME, "deck name"): when a run ends because the field makes a loss without the cost of wells. */
#define HP_LOSS_LIST(X) \
  X(NEVER, "never")     \
  X(STEP, "step")       \
  X(REPORT, "report")

typedef enum {
#define HP_LOSS_ENUM(name, text) HP_LOSS_##name,
  HP_LOSS_LIST(HP_LOSS_ENUM)
#undef HP_LOSS_ENUM
} hp_loss;

/* Money has the deck's currency, whatever it is. */
typedef struct hp_economics {
  bool given;
  double oil_price, oil_cost, water_cost, injection_cost; /* [1/m3] surface volumes, at least 0 */
  double fixed_cost;                                      /* [1/s] */
  double well_cost, discount_rate;                        /* of each well; a year [-] */
  int end_at_loss;                                        /* hp_loss */
} hp_economics;

/* Since the start of the run; `earned` is cash without the cost of wells. */
typedef struct hp_money {
  double cash, npv, earned;
  double rate;                 /* of the last step, without the cost of wells [1/s] */
  double reported;             /* `earned` at the last report */
  double oil, water, injected; /* volumes that are paid for [m3] */
} hp_money;

HP_EXTERN_C_END

#endif
