/* The page of a comparison: one HTML file with its style and pictures in it, without scripts and without anything from
 * elsewhere.
 *
 *   sim/compare/page.c         the sections in their order; tables of results, cases, machine
 *   sim/compare/page_bars.c    bars of time and memory
 *   sim/compare/page_lines.c   lines over time and over iterations, differences to the first case
 *   sim/compare/page_style.c   the style sheet
 *   sim/compare/chart.c        a picture of lines, as SVG
 *
 * All add to a text, which remembers that it found no memory.
 */
#ifndef HP_SIM_COMPARE_PAGE_IMPL_H
#define HP_SIM_COMPARE_PAGE_IMPL_H

#include "io/files/text.h"
#include "sim/compare/compare.h"

extern const char hp_page_style[];

/* ---- pieces ---- */

const char *hp_page_name(const hp_compare *C, int n); /* of case n */

/* A table that scrolls where it is too wide; head: NULL-terminated, HTML. */
void hp_page_begin_table(hp_text *t, const char *id, const char *const *head);
void hp_page_end_table(hp_text *t);
/* The first cell of a case's row. */
void hp_page_begin_row(hp_text *t, const hp_compare *C, int n);
/* Cells, empty for NAN and for 0 bytes. */
void hp_page_number(hp_text *t, const char *format, double v);
void hp_page_memory(hp_text *t, int64_t bytes);

/* ---- sections ---- */

void hp_page_times(hp_text *t, const hp_compare *C);
void hp_page_memories(hp_text *t, const hp_compare *C);
hp_status hp_page_iterations(hp_text *t, const hp_compare *C) HP_MUST_USE;
hp_status hp_page_convergence(hp_text *t, const hp_compare *C) HP_MUST_USE;
hp_status hp_page_run_differences(hp_text *t, const hp_compare *C) HP_MUST_USE;
void hp_page_system_differences(hp_text *t, const hp_compare *C);

#endif
