#include "sim/compare/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TICKS = 16, MARKED = 40 }; /* points of a line that are marked at most */

typedef struct {
  double low, high;
  int count;
  double tick[TICKS];
} axis;

/* Where a drawing's parts are. */
typedef struct {
  const hp_chart *c;
  int width, height, left, right, top, bottom; /* margins */
  axis x, y;
} drawing;

/* ---- axes ---- */

static bool drawn(const hp_chart *c, double x, double y) {
  return isfinite(x) && isfinite(y) && (!c->log_y || y > 0.0);
}

/* The ranges of all points; false if there are none. */
static bool find_ranges(const hp_chart *c, axis *x, axis *y) {
  *x = *y = (axis){.low = INFINITY, .high = -INFINITY};
  for (int l = 0; l < c->nline; ++l)
    for (int n = 0; n < c->line[l].n; ++n) {
      const double px = c->line[l].x[n], py = c->line[l].y[n];
      if (!drawn(c, px, py)) continue;
      x->low = fmin(x->low, px);
      x->high = fmax(x->high, px);
      y->low = fmin(y->low, py);
      y->high = fmax(y->high, py);
    }
  return x->low <= x->high;
}

/* 1, 2 or 5 times a power of ten. */
static double nice_step(double range, int parts) {
  const double raw = range / parts, power = pow(10.0, floor(log10(raw))), share = raw / power;
  return power * (share <= 1.0 ? 1.0 : share <= 2.0 ? 2.0 : share <= 5.0 ? 5.0 : 10.0);
}

static void linear_ticks(axis *a, int parts, bool whole) {
  if (!(a->high > a->low)) a->high = a->low + (a->low != 0.0 ? fabs(a->low) : 1.0);
  double step = nice_step(a->high - a->low, parts);
  if (whole && step < 1.0) step = 1.0;
  const double first = ceil(a->low / step - 1e-9);
  for (int n = 0; n < TICKS && (first + n) * step <= a->high * (1.0 + 1e-9); ++n)
    a->tick[a->count++] = (first + n) * step;
}

/* Whole decades, every second or third one where there are many. */
static void decade_ticks(axis *a, int parts) {
  const int low = (int)floor(log10(a->low) + 1e-9), high = (int)ceil(log10(a->high) - 1e-9);
  const int top = high > low ? high : low + 1, every = 1 + (top - low - 1) / parts;
  a->low = pow(10.0, low);
  a->high = pow(10.0, top);
  for (int e = low; e <= top && a->count < TICKS; e += every) a->tick[a->count++] = pow(10.0, e);
}

/* ---- drawing ---- */

static double place_x(const drawing *d, double v) {
  return d->left + (v - d->x.low) / (d->x.high - d->x.low) * (d->width - d->left - d->right);
}

static double place_y(const drawing *d, double v) {
  const double share = d->c->log_y ? log10(v / d->y.low) / log10(d->y.high / d->y.low)
                                   : (v - d->y.low) / (d->y.high - d->y.low);
  return d->height - d->bottom - share * (d->height - d->top - d->bottom);
}

static void add_axes(hp_text *t, const drawing *d) {
  const int right = d->width - d->right, low = d->height - d->bottom;
  hp_text_add(t, "<g class=\"grid\">");
  for (int n = 0; n < d->y.count; ++n) {
    const double y = place_y(d, d->y.tick[n]);
    hp_text_add(t, "<path d=\"M%d %.1fH%d\"/>", d->left, y, right);
    char label[24];
    const bool power = d->c->log_y && (d->y.tick[n] < 0.5 || d->y.tick[n] > 5e3);
    if (power) snprintf(label, sizeof label, "1e%d", (int)lround(log10(d->y.tick[n])));
    else snprintf(label, sizeof label, "%.6g", d->y.tick[n]);
    hp_text_add(t, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", d->left - 6, y + 4, label);
  }
  for (int n = 0; n < d->x.count; ++n) {
    const double x = place_x(d, d->x.tick[n]);
    hp_text_add(t, "<path d=\"M%.1f %dv5\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>", x, low, x,
                low + 19, d->x.tick[n]);
  }
  hp_text_add(t, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>", d->left, d->top, low, right);
  hp_text_add(t, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", right, d->height - 4);
  hp_text_add_xml(t, d->c->x_label);
  hp_text_add(t, "</text><text x=\"%d\" y=\"14\">", 2);
  hp_text_add_xml(t, d->c->y_label);
  hp_text_add(t, "</text></g>");
}

/* Lines below others are wider, so that they show beside them. */
static void add_line(hp_text *t, const drawing *d, int place) {
  const hp_chart_line *l = &d->c->line[place];
  const double width = 1.5 + 1.8 * (d->c->nline - 1 - place) / d->c->nline;
  bool pen = false;
  hp_text_add(t, "<g class=\"c%d\"><title>", l->style % HP_CHART_COLOURS);
  hp_text_add_xml(t, l->name);
  hp_text_add(t, "</title><path class=\"line d%d\" style=\"stroke-width:%.2f\" d=\"",
              l->style / HP_CHART_COLOURS % HP_CHART_DASHES, width);
  for (int n = 0; n < l->n; ++n) {
    const bool here = drawn(d->c, l->x[n], l->y[n]);
    if (here) hp_text_add(t, "%c%.1f %.1f", pen ? 'L' : 'M', place_x(d, l->x[n]), place_y(d, l->y[n]));
    pen = here;
  }
  hp_text_add(t, "\"/>");
  for (int n = 0; n < l->n && l->n <= MARKED; ++n)
    if (drawn(d->c, l->x[n], l->y[n]))
      hp_text_add(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>", place_x(d, l->x[n]), place_y(d, l->y[n]),
                  width + 1.0);
  hp_text_add(t, "</g>");
}

static void draw(hp_text *t, const hp_chart *c, const char *kind, int width, int height) {
  drawing d = {.c = c, .width = width, .height = height, .left = 54, .right = 24, .top = 26, .bottom = 42};
  find_ranges(c, &d.x, &d.y);
  if (c->log_y) {
    decade_ticks(&d.y, 8);
  } else {
    d.y.low = fmin(0.0, d.y.low);
    d.y.high *= d.y.high > 0.0 ? 1.05 : 1.0;
    linear_ticks(&d.y, 5, false);
  }
  if (d.x.low > 0.0 && d.x.low < 0.1 * d.x.high) d.x.low = 0.0;
  linear_ticks(&d.x, width > 500 ? 9 : 4, c->whole_x);
  hp_text_add(t, "<svg class=\"%s\" viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", kind, width, height);
  hp_text_add_xml(t, c->name);
  hp_text_add(t, "\">");
  add_axes(t, &d);
  for (int l = 0; l < c->nline; ++l) add_line(t, &d, l);
  hp_text_add(t, "</svg>\n");
}

void hp_chart_swatch(hp_text *t, int style) {
  hp_text_add(t,
              "<svg class=\"swatch\" viewBox=\"0 0 26 8\" aria-hidden=\"true\"><g class=\"c%d\">"
              "<path class=\"line d%d\" d=\"M1 4H25\"/></g></svg>",
              style % HP_CHART_COLOURS, style / HP_CHART_COLOURS % HP_CHART_DASHES);
}

void hp_chart_draw(hp_text *t, const hp_chart *c) {
  axis x, y;
  if (!find_ranges(c, &x, &y)) return;
  hp_text_add(t, "<figure>\n");
  draw(t, c, "wide", 940, 330);
  draw(t, c, "narrow", 380, 290);
  hp_text_add(t, "<figcaption class=\"legend\">");
  for (int l = 0; l < c->nline; ++l) {
    hp_text_add(t, "<span>");
    hp_chart_swatch(t, c->line[l].style);
    hp_text_add_xml(t, c->line[l].name);
    hp_text_add(t, "</span> ");
  }
  hp_text_add(t, "</figcaption>\n</figure>\n");
}
