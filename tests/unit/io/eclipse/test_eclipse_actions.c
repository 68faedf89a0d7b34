/* ACTIONX, UDQ and UDT of an Eclipse deck that are at fault, each with its line. */
#define _POSIX_C_SOURCE 200809L
#include "tests/unit/io/eclipse/eclipse_wells.h"

#define ACTION(condition, does) "ACTIONX\n A 3 /\n " condition " /\n/\n" does "ENDACTIO\n"

static const struct {
  const char *text, *at, *message;
} fault[] = {
    {"ENDACTIO\n", "ENDACTIO", "no ACTIONX stands before it"},
    {"ACTIONX\n A 3 /\n FOPR > 1 /\n/\n", " A 3 /", "action A: ENDACTIO is missing"},
    {"ACTIONX\n A 3 /\n FOPR > 1 /\n/\nACTIONX\n B 3 /\n FOPR > 1 /\n/\nENDACTIO\n", "ACTIONX",
     "action A has no ENDACTIO before this one"},
    {ACTION("FOPR >", ""), " FOPR > /", "action A: its condition: it ends where"},
    {ACTION("FUX > 1", ""), " A 3 /", "there is no quantity FUX"},
    {ACTION("FOPR > 1", "WELOPEN\n 'NO' SHUT /\n/\n"), " 'NO' SHUT /", "no well 'NO'"},
    {ACTION("FOPR > 1", "COMPDAT\n P 3 2 1 1 OPEN 1* 1* 0.2 /\n/\n"), " P 3 2 1 1 OPEN 1* 1* 0.2 /",
     "in an action a connection needs its factor (item 8)"},
    {ACTION("FOPR > 1", "DATES\n 1 FEB 2030 /\n/\n"), "DATES", "is not supported between ACTIONX and ENDACTIO"},
    {ACTION("FOPR > 1", "WCONHIST\n P OPEN ORAT 1 /\n/\n"), "WCONHIST",
     "is not supported between ACTIONX and ENDACTIO"},
    {"UDQ\n DEFINE FUX 1 + /\n/\n", " DEFINE FUX 1 + /", "DEFINE FUX: it ends where"},
    {"UDQ\n ASSIGN FUX P 1 /\n/\n", " ASSIGN FUX P 1 /", "ASSIGN FUX: it has one value, and takes one number"},
    {"UDQ\n ASSIGN WUX P MANY /\n/\n", " ASSIGN WUX P MANY /", "ASSIGN WUX: 'MANY' is not a number"},
    {"UDQ\n UPDATE FUX OFTEN /\n/\n", " UPDATE FUX OFTEN /", "UPDATE FUX: 'OFTEN' is not supported"},
    {"UDQ\n RENAME FUX FUY /\n/\n", " RENAME FUX FUY /", "'RENAME' is not supported, only DEFINE, ASSIGN"},
    {"UDQ\n DEFINE CUX 1 /\n/\n", " DEFINE CUX 1 /", "CU quantities are not supported"},
    {"UDT\n TUX 2 /\n LL 1 2 /\n 3 4 /\n/\n/\n", " TUX 2 /", "only tables of one are supported"},
    {"UDT\n TUX 1 /\n LL 2 1 /\n 3 4 /\n/\n/\n", " TUX 1 /", "table TUX: its points must rise"},
    {"UDT\n TUX 1 /\n XX 1 2 /\n 3 4 /\n/\n/\n", " TUX 1 /", "'XX' is not supported, only NV, LC and LL"},
    {"UDT\n TUX 1 /\n LL 1 2 /\n 3 /\n/\n/\n", " TUX 1 /", "table TUX has 2 points and 1 values"},
    {"UDT\n TUX 1 /\n LL 1 TWO /\n 3 4 /\n/\n/\n", " LL 1 TWO /", "is not a number of the table"},
};

/* Line of the last place where `at` stands. */
static int last_line(const deck *d, const char *at) {
  int line = deck_line(d, at);
  const char *found = strstr(d->schedule, at), *next = found != NULL ? strstr(found + 1, at) : NULL;
  for (; next != NULL && found < next; ++found) line += *found == '\n';
  return line;
}

int main(void) {
  for (size_t n = 0; n < sizeof fault / sizeof *fault; ++n) {
    static char text[4096];
    deck d = deck_base();
    snprintf(text, sizeof text, TWO_WELLS TWO_CONTROLS "%sTSTEP\n 1 /\n", fault[n].text);
    d.schedule = text;
    if (!deck_fails(&d, last_line(&d, fault[n].at), fault[n].message)) {
      fprintf(stderr, "%s", fault[n].text);
      CHECK(false);
    }
  }
  hp_case *c = schedule(TWO_WELLS TWO_CONTROLS ACTION("FOPR > 1", "WELOPEN\n '?' SHUT /\n/\n") "TSTEP\n 1 /\n");
  CHECK(c != NULL && c->naction == 1 && deck_noted("'?': the condition asks for no well that is there"));
  hp_case_destroy(&c);
  return deck_end();
}
