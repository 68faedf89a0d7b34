/* The segments of a well: pieces of its tubing, each of which has a pressure and a mixture of its own.
 *
 *          surface               a segment is the tube from its node to that of its outlet; flow is positive towards
 *             |                  the surface. The first one is a node alone: its pressure is the bhp.
 *       1  bhp o
 *             |
 *       2     o---o---o  4, 5    outlet of 2: 1, of 3 and of 4: 2, of 5: 4
 *             |
 *       3     o                  a perforation gives to the node of one segment, its seat
 *
 * hp_segment_spec   a segment as decks have it
 * hp_segment        the same in the wells of a run; its outlet comes before it
 * hp_segment_state  pressure, mixture and what flows
 *
 * wells/segments.inl.h computes them.
 */
#ifndef HP_WELLS_SEGMENT_H
#define HP_WELLS_SEGMENT_H

#include "core/portable.h"
#include "core/status.h"
#include "physics/fluid.h"

HP_EXTERN_C_BEGIN

typedef struct hp_segment_spec {
  int number;       /* 1: the first one */
  int branch;       /* from 1 */
  int outlet;       /* number of the segment that it flows into; of the first one: 0 */
  double depth;     /* of its node [m] */
  double length;    /* of its tube [m]; of the first one: 0 */
  double diameter;  /* [m] */
  double area;      /* cross-section [m2] */
  double roughness; /* [m] */
  const char *file; /* where the deck has it, for messages; NULL: the well's place */
  int line;
} hp_segment_spec;

/* X(NAME, "deck name"): the pressure drops of segments. */
#define HP_DROPS_LIST(X)        \
  X(HYDROSTATIC, "hydrostatic") \
  X(FRICTION, "friction")       \
  X(ACCELERATION, "acceleration") /* with the other two */

typedef enum {
#define HP_DROPS_ENUM(name, text) HP_DROPS_##name,
  HP_DROPS_LIST(HP_DROPS_ENUM)
#undef HP_DROPS_ENUM
      HP_DROPS
} hp_drops;

typedef struct hp_segment {
  int64_t outlet; /* its place among the segments of all wells, -1: the first one of a well */
  int32_t number;
  double rise; /* depth of its node below that of its outlet [m] */
  double length, diameter, area, roughness;
} hp_segment;

typedef struct hp_segment_state {
  double head;     /* pressure at its node, minus the bhp [Pa] */
  double water;    /* share of water in its surface volumes [-] */
  double head_old; /* at the start of the step, as is */
  double water_old;
  double flow[HP_PHASES]; /* surface volumes through it to its outlet [m3/s] */
  double drop[HP_DROPS];  /* pressure at its node minus that at its outlet's, by cause [Pa] */
  /* scratch of hp_segments_solve */
  double density, viscosity;   /* of its mixture [kg/m3], [Pa s] */
  double in[HP_PHASES];        /* what flows into it [m3/s] */
  double base, residual, step; /* [Pa] */
  double slope[HP_PHASES];     /* of the sum of its drops, by its flow [Pa s/m3] */
  double takes[HP_PHASES];     /* of that of its outlet, by its flow */
  double source[HP_PHASES];    /* d flow = source + by_head d head */
  double by_head[HP_PHASES];   /* [m3/(s Pa)] */
  double gain, constant;       /* d head = gain (d head of its outlet + constant) */
  double inlets, inlets_slope; /* what the flows of its inlets add to constant, and to its slope by its own head */
} hp_segment_state;

/* The place of a segment's number, -1: it is not there. */
int hp_segment_find(int count, const hp_segment_spec *segment, int number);
/* Length along the well at the node of segment n, from segment 1 on [m]. */
double hp_segment_length_at(int count, const hp_segment_spec *segment, int n);
/* Cross-section of a round tube. */
double hp_segment_round(double diameter);

/* Say what is wrong with the segments of a well, or NULL; the text is in text[size] and *at the entry at fault. The tree:
 * segment 1 is missing, numbers repeat, outlets are not there or lead round. */
const char *hp_segments_tree_fault(int count, const hp_segment_spec *segment, int *at, char *text, size_t size);
/* That, lengths, depths, diameters and roughnesses. */
const char *hp_segments_fault(int count, const hp_segment_spec *segment, int *at, char *text, size_t size);

HP_EXTERN_C_END

#endif
