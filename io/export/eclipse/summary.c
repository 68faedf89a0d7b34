/* SUMMARY: what hepta always writes, for a reader that does not, and vectors on demand. */
#include <string.h>

#include "io/case/vectors.h"
#include "io/export/eclipse/impl.h"

/* "1,2,3" as Eclipse has it. */
static void cell(hp_deck_out *o, const char *text) {
  for (const char *t = text; *t != '\0'; ++t) fputc(*t == ',' ? ' ' : *t, o->f);
}

/* NAME:WHO, NAME:WELL:i,j,k, NAME:WELL:SEGMENT, NAME:i,j,k, or NAME alone: all of them. */
static void vector(hp_deck_out *o, const char *text) {
  const size_t n = strcspn(text, ":");
  const hp_summary_vector_level level = hp_summary_vector_level_of(hp_summary_vector_find(text, n));
  const char *who = text[n] == ':' ? text + n + 1 : NULL;
  fprintf(o->f, "%.*s\n", (int)n, text);
  if (level == HP_OF_FIELD) return;
  if (who == NULL) {
    fputs(level == HP_OF_CONNECTION ? " /\n" : "/\n", o->f);
    return;
  }
  switch (level) {
    case HP_OF_GROUP:
    case HP_OF_WELL: fprintf(o->f, " '%s' /\n", who); break;
    case HP_OF_SEGMENT:
    case HP_OF_CONNECTION: {
      const char *at = strrchr(who, ':');
      fprintf(o->f, " '%.*s'", at != NULL ? (int)(at - who) : (int)strlen(who), who);
      if (at != NULL) fputc(' ', o->f), cell(o, at + 1);
      fputs(" /\n/\n", o->f);
      break;
    }
    case HP_OF_CELL:
      fputc(' ', o->f);
      cell(o, who);
      fputs(" /\n/\n", o->f);
      break;
    default: fprintf(o->f, " %s /\n", who);
  }
}

/* Vectors of economics, which no Eclipse deck has. */
static bool is_money(const char *text) {
  return strcmp(text, "FNPV") == 0 || strcmp(text, "FCASH") == 0 || strcmp(text, "FCASHR") == 0;
}

void hp_out_summary(hp_deck_out *o) {
  static const char *const flow[] = {"OPR", "WPR", "LPR", "OIR", "WIR", "OPT", "WPT", "LPT", "OIT", "WIT", "WCT"};
  for (size_t n = 0; n < sizeof flow / sizeof flow[0]; ++n) fprintf(o->f, "F%s\n", flow[n]);
  fputs("FPR\n", o->f);
  for (size_t n = 0; n < sizeof flow / sizeof flow[0] && o->c->nwell > 0; ++n) fprintf(o->f, "W%s\n/\n", flow[n]);
  if (o->c->nwell > 0) fputs("WBHP\n/\nWMCTL\n/\n", o->f);
  for (int n = 0; n < o->c->output.nvector; ++n)
    if (!is_money(o->c->output.vector[n])) vector(o, o->c->output.vector[n]);
}
