/* The words of Eclipse decks: each habit of real decks once. */
#define _POSIX_C_SOURCE 200809L
#include "io/eclipse/lexer.h"
#include "tests/support/eclipse_deck.h"

static hp_diag diag;
static hp_ecl_lexer lexer;

static void start(const char *text) {
  hp_ecl_close_all(&lexer);
  hp_diag_clear(&diag);
  lexer = (hp_ecl_lexer){.diag = &diag};
  CHECK_OK(hp_ecl_open(&lexer, deck_write("words", text), "words"));
}

static hp_ecl_token next(void) {
  hp_ecl_token t = {.kind = HP_ECL_END};
  CHECK_OK(hp_ecl_next(&lexer, &t));
  return t;
}

static bool next_is(hp_ecl_kind kind, const char *text) {
  const hp_ecl_token t = next();
  if (t.kind == kind && (text == NULL || ((size_t)t.length == strlen(text) && memcmp(t.text, text, strlen(text)) == 0)))
    return true;
  fprintf(stderr, "expected '%s', got kind %d '%.*s'\n", text != NULL ? text : "", (int)t.kind, t.length, t.text);
  return false;
}

static bool keyword_is(const char *name, const char *behind) {
  hp_ecl_token t, rest;
  if (hp_ecl_keyword(&lexer, &t, &rest) != HP_OK) return false;
  if (name == NULL) return t.kind == HP_ECL_END;
  const bool same = rest.kind == HP_ECL_END ? behind == NULL
                                            : behind != NULL && (size_t)rest.length == strlen(behind) &&
                                                  !memcmp(rest.text, behind, strlen(behind));
  return hp_ecl_equals(&t, name) && same;
}

static bool next_is_number(double expected) {
  const hp_ecl_token t = next();
  double x;
  return hp_ecl_number(&t, &x) && x == expected;
}

static void test_comments(void) {
  start("-- first\nOIL -- behind\n  --in front\n'a--b' 1--2\n3 /rest -- /\n4");
  CHECK(keyword_is("OIL", NULL));
  CHECK(next_is(HP_ECL_QUOTED, "a--b"));
  CHECK(next_is_number(1));
  CHECK(next_is_number(3));
  CHECK(next_is(HP_ECL_SLASH, NULL));
  CHECK(next_is_number(4));
  CHECK(next_is(HP_ECL_END, NULL));
}

static void test_keywords(void) {
  start("SOLUTION ====== new part\nPROPS======\n\nINIT\n/\nmultx-\n  /\n  WATER  \nBASIC=2/");
  CHECK(keyword_is("SOLUTION", "====== new part"));
  CHECK(keyword_is("PROPS", "======"));
  CHECK(keyword_is("INIT", NULL));
  CHECK(keyword_is("MULTX-", NULL));
  CHECK(keyword_is("WATER", NULL));
  CHECK(keyword_is("BASIC", "=2/"));
  CHECK(keyword_is(NULL, NULL));
}

static void test_slashes(void) {
  start("BASIC=2/\n24/\n5 /everything 'behind it is ignored\n/ also here\n");
  CHECK(next_is(HP_ECL_WORD, "BASIC=2"));
  CHECK(next_is(HP_ECL_SLASH, NULL));
  CHECK(next_is_number(24));
  CHECK(next_is(HP_ECL_SLASH, NULL));
  CHECK(next_is_number(5));
  CHECK(next_is(HP_ECL_SLASH, NULL));
  CHECK(next_is(HP_ECL_SLASH, NULL));
  CHECK(next_is(HP_ECL_END, NULL));
}

static void test_repeats(void) {
  start("25200*8 2* 3*'A B' 1*/\nP* '2*' *L 2*1D-5");
  hp_ecl_token t = next();
  double x = 0.0;
  CHECK(t.count == 25200 && !t.defaulted && hp_ecl_number(&t, &x) && x == 8.0);
  t = next();
  CHECK(t.count == 2 && t.defaulted);
  t = next();
  CHECK(t.count == 3 && t.kind == HP_ECL_QUOTED && hp_ecl_equals(&t, "A B"));
  t = next();
  CHECK(t.count == 1 && t.defaulted);
  CHECK(next_is(HP_ECL_SLASH, NULL));
  CHECK(next_is(HP_ECL_WORD, "P*"));
  CHECK(next_is(HP_ECL_QUOTED, "2*"));
  CHECK(next_is(HP_ECL_WORD, "*L"));
  t = next();
  CHECK(t.count == 2 && hp_ecl_number(&t, &x) && x == 1e-5);

  start("0*5");
  CHECK(hp_ecl_next(&lexer, &t) == HP_ERR_DECK && diag.errors == 1);
}

static void test_separators(void) {
  start(
      "\xEF\xBB\xBF"
      "0.1000,  0.0,\t8.0e-01\r\n1,2 'A','B'\"C\"\r\n/\r\n");
  CHECK(next_is_number(0.1));
  CHECK(next_is_number(0.0));
  CHECK(next_is_number(0.8));
  CHECK(next_is_number(1));
  CHECK(next_is_number(2));
  CHECK(next_is(HP_ECL_QUOTED, "A"));
  CHECK(next_is(HP_ECL_QUOTED, "B"));
  CHECK(next_is(HP_ECL_QUOTED, "C"));
  const hp_ecl_token t = next();
  CHECK(t.kind == HP_ECL_SLASH && t.line == 3);
}

static bool number_is(const char *text, double expected) {
  double x;
  const hp_ecl_token t = {.kind = HP_ECL_WORD, .count = 1, .text = text, .length = (int)strlen(text)};
  return hp_ecl_number(&t, &x) && x == expected;
}

static bool no_number(const char *text) {
  double x;
  const hp_ecl_token t = {.kind = HP_ECL_WORD, .count = 1, .text = text, .length = (int)strlen(text)};
  return !hp_ecl_number(&t, &x);
}

/* Both ways of conversion, exact and by strtod, round to the nearest double. */
static void test_numbers(void) {
  CHECK(number_is("1D-5", 1e-5) && number_is("1d+2", 100.0) && number_is("-.5", -0.5) && number_is("5.", 5.0));
  CHECK(number_is("+7", 7.0) && number_is("1.000E-05", 1e-5) &&
        number_is("4.64876033057851E-008", 4.64876033057851e-8));
  CHECK(number_is("0.10000000000000000555", 0.1) && number_is("1e-300", 1e-300) &&
        number_is("123456789012345678", 123456789012345678.0));
  CHECK(number_is("9007199254740993", 9007199254740993.0) && number_is("1e23", 1e23) && number_is("6.6D-4", 6.6e-4));
  CHECK(no_number("") && no_number("1.2.3") && no_number("1e") && no_number("nan") && no_number("inf") &&
        no_number("0x10"));
  CHECK(no_number("1e999") && no_number("-") && no_number(".") && no_number("1-5") && no_number("five"));
  srand(7);
  for (int n = 0; n < 20000; ++n) {
    char text[64];
    snprintf(text, sizeof text, "%d.%0*dE%d", rand() % 100000, 1 + rand() % 9, rand() % 1000000, rand() % 60 - 30);
    if (!number_is(text, strtod(text, NULL))) {
      fprintf(stderr, "%s is read wrongly\n", text);
      check_failures += 1;
      break;
    }
  }
  int64_t i;
  const hp_ecl_token whole = {.kind = HP_ECL_WORD, .text = "-12", .length = 3};
  const hp_ecl_token real = {.kind = HP_ECL_WORD, .text = "2.0", .length = 3};
  CHECK(hp_ecl_integer(&whole, &i) && i == -12);
  CHECK(!hp_ecl_integer(&real, &i));
}

static void test_lines(void) {
  start("TITLE\n\n-- no title\n  Two words -- and a dash  \nOIL\n");
  hp_ecl_token t;
  CHECK(keyword_is("TITLE", NULL));
  hp_ecl_line(&lexer, &t);
  CHECK(hp_ecl_equals(&t, "two WORDS -- and a dash") && t.line == 4);
  CHECK(hp_ecl_peek(&lexer, &t) && hp_ecl_equals(&t, "OIL"));
  CHECK(keyword_is("OIL", NULL) && !hp_ecl_peek(&lexer, &t));
}

static void test_faults(void) {
  hp_ecl_token t, rest;
  start("\n'open\n");
  CHECK(hp_ecl_next(&lexer, &t) == HP_ERR_DECK && diag.errors == 1 && diag.item[0].line == 2);
  start("\n\n12 values\n");
  CHECK(hp_ecl_keyword(&lexer, &t, &rest) == HP_ERR_DECK && diag.errors == 1 && diag.item[0].line == 3);
  hp_ecl_close_all(&lexer);
  CHECK(hp_ecl_open(&lexer, "/nowhere/at/all", "x") == HP_ERR_FILE);
  const char *path = deck_write("words", "OIL\n");
  for (int n = 0; n < HP_ECL_DEPTH; ++n) CHECK_OK(hp_ecl_open(&lexer, path, "words"));
  CHECK(hp_ecl_open(&lexer, path, "words") == HP_ERR_DECK);
}

int main(void) {
  hp_diag_init(&diag);
  test_comments();
  test_keywords();
  test_slashes();
  test_repeats();
  test_separators();
  test_numbers();
  test_lines();
  test_faults();
  hp_ecl_close_all(&lexer);
  hp_diag_clear(&diag);
  return deck_end();
}
