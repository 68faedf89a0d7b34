/* Pictures of the comparison's page: SVG text without scripts, in the colours of its style sheet
 * (sim/compare/page_style.c).
 *
 * A picture is drawn twice, wide and narrow, so that its letters keep their size; the style sheet shows the one that
 * fits the window.
 */
#ifndef HP_SIM_COMPARE_CHART_H
#define HP_SIM_COMPARE_CHART_H

#include "io/files/text.h"

/* Line styles: colours --c0 .. --c7, then the same dashed, ... */
enum { HP_CHART_COLOURS = 8, HP_CHART_DASHES = 4 };

typedef struct hp_chart_line {
  const char *name;
  int style;
  int n;
  const double *x, *y; /* [n] x rising; points that are not finite, or not positive on a log axis, are gaps */
} hp_chart_line;

typedef struct hp_chart {
  const char *name; /* what is drawn, for those who cannot see it */
  const char *x_label, *y_label;
  bool log_y;   /* else y begins at 0 */
  bool whole_x; /* x counts something */
  int nline;
  const hp_chart_line *line; /* [nline] */
} hp_chart;

/* A <figure> with both drawings and a legend; nothing where there is no point to draw. */
void hp_chart_draw(hp_text *t, const hp_chart *c);

/* A short line in a style, for tables and legends. */
void hp_chart_swatch(hp_text *t, int style);

#endif
