/* Seeded changes of a sound deck: reading never crashes, never hangs, loses no
 * memory, and a deck that is refused names at least one error. Run it with
 * -fsanitize=address,undefined to see more than crashes. HEPTA_SEED picks
 * another series. */
#define _POSIX_C_SOURCE 200809L
#include "io/deck/deck.h"
#include "tests/support/eclipse_deck.h"

enum { ROUNDS = 1500, SIZE = 1 << 14 };

static uint64_t state;

static uint32_t random_below(uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 33) % n;
}

static const char *const piece[] = {"/",
                                    "\n/\n",
                                    "'",
                                    "--",
                                    "2*",
                                    "0*",
                                    "99999999999*",
                                    "999999*1",
                                    "-1",
                                    "1e308",
                                    "1e-400",
                                    "nan",
                                    "*",
                                    "?",
                                    "$",
                                    "\\",
                                    "\n",
                                    "\r\n",
                                    ",",
                                    "\t",
                                    "END\n",
                                    "\nENDINC\n",
                                    "\nSKIP\n",
                                    "\nINCLUDE\n",
                                    "\nDIMENS\n 1 1 1 /\n",
                                    "\nGRID\n",
                                    "\nSCHEDULE\n",
                                    "\nSUMMARY\n",
                                    "\nBOX\n 1 3 1 1 1 1 /\n",
                                    "\nPORO\n",
                                    "\nTUNING\n",
                                    "\nCOPY\n PORO PERMX /\n/\n",
                                    "\nEQUALS\n PERMX 1* 1 /\n/\n",
                                    "\nWLIST\n '*L' NEW P /\n/\n",
                                    "\nWELOPEN\n '*' SHUT /\n/\n",
                                    "\nDATES\n 1 JAN 2021 /\n/\n",
                                    "\nSWFN\n 0.2 0 0\n 1 1 0 /\nSOF2\n 0 0\n 0.8 1 /\n",
                                    "\nRPTSOL\n",
                                    "\nACTNUM\n 12*0 /\n",
                                    "0",
                                    "2147483648",
                                    "1.5.2",
                                    "\x01\xff"};

/* One of: drop, repeat, overwrite, insert, swap of two stretches. */
static void mutate(char *text) {
  const size_t n = strlen(text);
  const size_t at = random_below((uint32_t)n + 1), length = random_below(1 + random_below(40));
  const size_t end = at + length < n ? at + length : n;
  switch (random_below(5)) {
    case 0: memmove(text + at, text + end, n - end + 1); break;
    case 1:
      if (n + (end - at) + 1 < SIZE) memmove(text + end, text + at, n - at + 1);
      break;
    case 2:
      if (at < n) text[at] = (char)(1 + random_below(255));
      break;
    case 3: {
      const char *p = piece[random_below(sizeof piece / sizeof *piece)];
      const size_t size = strlen(p);
      if (n + size + 1 < SIZE) {
        memmove(text + at + size, text + at, n - at + 1);
        memcpy(text + at, p, size);
      }
      break;
    }
    default:
      for (size_t a = at, b = random_below((uint32_t)n + 1); a < end && b < n; ++a, ++b) {
        const char kept = text[a];
        text[a] = text[b];
        text[b] = kept;
      }
  }
}

/* libconfig 1.5 itself loses an unfinished string at a parse error. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libconfig"; }

/* Options over a sound deck, two at a time, the first with its text changed. */
static void options_round(int round, const char *path) {
  static const char *const good[] = {"grid.size=[4,2,2]",
                                     "grid.size[2]=1",
                                     "grid.porosity[3]=0.1",
                                     "grid.permx=[5.0,6.0]",
                                     "grid.active[0]=0",
                                     "wells.P.cells[1]=[1,1,1]",
                                     "wells.P.k=1",
                                     "wells.I.rate=5",
                                     "schedule[0].bhp=120",
                                     "schedule[1].well=I",
                                     "schedule[0].type=injector",
                                     "report.times[0]=5",
                                     "saturation.table[1][0]=0.7",
                                     "units=field",
                                     "fluids.oil={density=800.0;viscosity=2.0;}",
                                     "wells[0].cells[0][2]=2",
                                     "initial={pressure=200.0;saturation=0.3;}",
                                     "grid.dz[7]=12",
                                     "grid.top[2]=1990",
                                     "wells=({name=\"Q\";type=\"producer\";i=1;j=1;radius=0.1;"
                                     "control=\"bhp\";bhp=9.0;})",
                                     "schedule=({time=5.0;well=\"*\";status=\"shut\";})"};
  enum { GOOD = sizeof good / sizeof *good };
  static char changed[SIZE];
  snprintf(changed, sizeof changed, "%s", good[random_below(GOOD)]);
  if (random_below(2) == 0) mutate(changed);
  const char *const set[2] = {changed, good[random_below(GOOD)]};
  hp_diag diag;
  hp_case *c = NULL;
  hp_diag_init(&diag);
  const hp_status s = hp_case_read(path, 2, set, &diag, &c);
  const bool sound = s == HP_OK ? c != NULL && diag.errors == 0 : s == HP_ERR_DECK && c == NULL && diag.errors > 0;
  if (!sound) {
    fprintf(stderr, "round %d: --set '%s' --set '%s': status %d (%s), %d errors\n", round, set[0], set[1], (int)s,
            hp_fail_text(), diag.errors);
    hp_diag_print(&diag, stderr);
    check_failures += 1;
  }
  hp_case_destroy(&c);
  hp_diag_clear(&diag);
  CHECK(hp_memory_now() == 0);
}

static void check_options(void) {
  static char text[SIZE];
  deck d = deck_base();
  static char schedule[4096];
  snprintf(schedule, sizeof schedule, "%sWELTARG\n P BHP 140 /\n/\nTSTEP\n 5 /\nWELOPEN\n P SHUT /\n/\nTSTEP\n 5 /\n",
           d.schedule);
  d.schedule = schedule;
  deck_text(&d, text, sizeof text);
  char path[256];
  snprintf(path, sizeof path, "%s", deck_write("SOUND.DATA", text));
  for (int round = 0; round < ROUNDS && check_failures == 0; ++round) options_round(round, path);
}

int main(void) {
  const char *seed = getenv("HEPTA_SEED");
  state = seed != NULL ? strtoull(seed, NULL, 10) * 2654435761u + 88172645463325252u : 88172645463325252u;
  static char sound[SIZE], text[SIZE];
  deck d = deck_base();
  d.summary = "FOPR\nWOPR\n 'P' /\nBPR\n 1 1 1 /\n/\n";
  d.regions = "SATNUM\n 12*1 /\n";
  d.edit = "EQUALS\n MULTX 0.5 1 1 1 1 1 1 /\n/\n";
  deck_text(&d, sound, sizeof sound);
  int refused = 0;
  for (int round = 0; round < ROUNDS; ++round) {
    strcpy(text, sound);
    for (uint32_t n = 1 + random_below(4); n > 0; --n) mutate(text);
    hp_case *c = NULL;
    const hp_status s = deck_read_text(text, &c);
    const bool reported = deck_messages[0] == '!' || strstr(deck_messages, "\n!") != NULL;
    if ((s == HP_OK) != (c != NULL) || reported != (s == HP_ERR_DECK) || (s != HP_OK && s != HP_ERR_DECK)) {
      fprintf(stderr, "round %d: status %d (%s), messages:\n%s\n%s", round, (int)s, hp_fail_text(), deck_messages,
              text);
      check_failures += 1;
      hp_case_destroy(&c);
      break;
    }
    refused += s != HP_OK;
    hp_case_destroy(&c);
    CHECK(hp_memory_now() == 0);
    if (check_failures > 0) {
      fprintf(stderr, "round %d:\n%s", round, text);
      break;
    }
  }
  /* Both happen often, or the changes test nothing. */
  CHECK(refused > ROUNDS / 4 && refused < ROUNDS);
  check_options();
  return deck_end();
}
