/* The deck of tests/support/deck_base.h in Eclipse's words, read with options laid over it. */
#ifndef HP_TESTS_SUPPORT_CASES_ECLIPSE_TWIN_H
#define HP_TESTS_SUPPORT_CASES_ECLIPSE_TWIN_H

#include <stdio.h>
#include <string.h>

#include "io/case/case.h"
#include "tests/support/check.h"
#include "tests/support/deck.h"

/* deck_base, said in Eclipse's words; its Corey functions are laid over it by COREY. */
static const char twin[] =
    "RUNSPEC\nTITLE\nbase\nDIMENS\n 4 3 2 /\nOIL\nWATER\nMETRIC\n"
    "GRID\nDX\n 24*20 /\nDYV\n 3*25 /\nDZ\n 12*2 12*3 /\nTOPS\n 12*2000 /\n"
    "EQUALS\n PORO 0.2 /\n PERMX 100 /\n/\nCOPY\n PERMX PERMY /\n PERMX PERMZ /\n/\n"
    "PROPS\nDENSITY\n 800 1000 /\nPVTW\n 1.01325 1 0 0.5 /\nPVCDO\n 1.01325 1 0 2 /\nROCK\n 1.01325 0 /\n"
    "SWOF\n 0.2 0 1 0\n 0.5 0.3 0.4 0\n 0.8 1 0 0 /\n"
    "SOLUTION\nEQUIL\n 2000 200 3000 0 4* 0 /\n"
    "SCHEDULE\nWELSPECS\n I1 FIELD 1 1 /\n P1 FIELD 4 3 /\n/\nCOMPDAT\n '*' 2* 1 2 OPEN 2* 0.2 /\n/\n"
    "WCONINJE\n I1 WATER OPEN RATE 10 /\n/\nWCONPROD\n P1 OPEN BHP 5* 150 /\n/\n"
    "TSTEP\n 10 /\nWELTARG\n P1 BHP 140 /\n/\nTSTEP\n 20 /\n";
#define COREY "saturation={model=\"corey\";swc=0.2;sor=0.2;}"
#define TIMES "report={times=[10.0,30.0];end=30.0;}"
enum { OPTIONS_MAX = 16 };

static inline hp_status read_options(const char *name, const char *text, const char *const *set, hp_diag *diag,
                                     hp_case **c) {
  int count = 0;
  while (count < OPTIONS_MAX && set[count] != NULL) ++count;
  deck_write(name, text, strlen(text));
  char path[256];
  snprintf(path, sizeof path, "%s", deck_path(name));
  hp_diag_init(diag);
  *c = NULL;
  return hp_case_read(path, count, set, diag, c);
}

static inline hp_case *read_eclipse(const char *text, const char *const *set) {
  hp_diag diag;
  hp_case *c;
  if (read_options("CASE.DATA", text, set, &diag, &c) != HP_OK) {
    fprintf(stderr, "an Eclipse deck with");
    for (int n = 0; set[n] != NULL; ++n) fprintf(stderr, " --set '%s'", set[n]);
    fprintf(stderr, " is refused:\n");
    hp_diag_print(&diag, stderr);
    CHECK(false);
  }
  hp_diag_clear(&diag);
  return c;
}

/* The first line in which two texts differ, from both. */
static inline void show_difference(const char *a, const char *b) {
  while (*a != '\0' && *b != '\0') {
    const size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
    if (n != m || strncmp(a, b, n) != 0) {
      fprintf(stderr, "  %.*s\n  %.*s\n", (int)(n < 300 ? n : 300), a, (int)(m < 300 ? m : 300), b);
      return;
    }
    a += n + (a[n] != '\0');
    b += m + (b[m] != '\0');
  }
}

#endif
