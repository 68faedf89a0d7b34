/* A small deck that is right; tests change a line of it. */
#ifndef HP_TESTS_SUPPORT_DECK_BASE_H
#define HP_TESTS_SUPPORT_DECK_BASE_H

static const char deck_base[] =
    "title = \"base\";\n"                                                                                       /* 1 */
    "grid = {\n"                                                                                                /* 2 */
    "  size = [4, 3, 2];\n"                                                                                     /* 3 */
    "  dx = 20.0;\n"                                                                                            /* 4 */
    "  dy = 25.0;\n"                                                                                            /* 5 */
    "  dz = [2.0, 3.0];\n"                                                                                      /* 6 */
    "  top = 2000.0;\n"                                                                                         /* 7 */
    "  porosity = 0.2;\n"                                                                                       /* 8 */
    "  permx = 100.0;\n"                                                                                        /* 9 */
    "};\n"                                                                                                      /* 10 */
    "fluids = {\n"                                                                                              /* 11 */
    "  water = { density = 1000.0; viscosity = 0.5; };\n"                                                       /* 12 */
    "  oil = { density = 800.0; viscosity = 2.0; };\n"                                                          /* 13 */
    "};\n"                                                                                                      /* 14 */
    "saturation = { model = \"corey\"; swc = 0.2; sor = 0.2; };\n"                                              /* 15 */
    "initial = { datum_depth = 2000.0; datum_pressure = 200.0; contact_depth = 3000.0; };\n"                    /* 16 */
    "wells = (\n"                                                                                               /* 17 */
    "  { name = \"I1\"; type = \"injector\"; i = 1; j = 1; radius = 0.1; control = \"rate\"; rate = 10.0; },\n" /* 18 */
    "  { name = \"P1\"; type = \"producer\"; i = 4; j = 3; radius = 0.1; control = \"bhp\"; bhp = 150.0; }\n"   /* 19 */
    ");\n"                                                                                                      /* 20 */
    "schedule = ( { time = 10.0; well = \"P1\"; bhp = 140.0; } );\n"                                            /* 21 */
    "report = { end = 30.0; };\n";                                                                              /* 22 */

/* Copies the base deck with the first `from` replaced by `to` into out; false if there is no `from`. */
static inline bool deck_change(const char *from, const char *to, char *out, size_t size) {
  const char *at = strstr(deck_base, from);
  if (at == NULL) return false;
  const int n = snprintf(out, size, "%.*s%s%s", (int)(at - deck_base), deck_base, to, at + strlen(from));
  return n > 0 && (size_t)n < size;
}

#endif
