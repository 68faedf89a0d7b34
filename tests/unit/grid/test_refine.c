/* grid.refine beside decks that are written at the fine size, beside what parallel and series resistances of the deck's
 * own cells must be, and its refusals. */
#define _POSIX_C_SOURCE 200809L
#include "io/export/export.h"
#include "tests/support/cases/case_text.h"
#include "tests/support/eclipse_deck.h"
#include "wells/wells.h"

static hp_case *sound(const char *path, const char *set) {
  hp_case *c = NULL;
  if (deck_read_file(path, set, &c) == HP_OK) return c;
  fprintf(stderr, "refused: %s\n%s", set != NULL ? set : "", deck_messages);
  check_failures += 1;
  return NULL;
}

static bool refused(const char *path, const char *set, const char *why) {
  hp_case *c = NULL;
  const hp_status s = deck_read_file(path, set, &c);
  hp_case_destroy(&c);
  if (s == HP_ERR_DECK && strstr(deck_messages, why) != NULL) return true;
  fprintf(stderr, "%s: expected: %s\ngot status %d and:\n%s", set, why, (int)s, deck_messages);
  return false;
}

static bool same_bits(const double *a, const double *b, int64_t n) { return memcmp(a, b, (size_t)n * sizeof *a) == 0; }

/* The first line in which two cases differ is reported. */
static bool same_case(const hp_case *a, const hp_case *b) {
  char *x = print_case(a), *y = print_case(b), *p = x, *q = y;
  const bool same = strcmp(x, y) == 0;
  while (!same && *p != '\0' && *q != '\0') {
    const size_t n = strcspn(p, "\n"), m = strcspn(q, "\n");
    if (n != m || strncmp(p, q, n) != 0) {
      fprintf(stderr, "  %.*s\n  %.*s\n", (int)(n < 600 ? n : 600), p, (int)(m < 600 ? m : 600), q);
      break;
    }
    p += n + 1;
    q += m + 1;
  }
  free(x);
  free(y);
  return same;
}

/* ---- a deck at two sizes ---- */

enum { NX = 3, NY = 2, NZ = 2, CELLS = NX * NY * NZ };
static const int R[3] = {2, 3, 2};

static unsigned seed;
static double draw(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * (int)(1 + (seed >> 8) % 1000) / 1000.0;
}

/* A list of values, i fastest, at the deck's size or the fine one. side 0, 1, 2: the multiplier of a face towards the
 * next cell in i, j, k; -1: of cells. */
static void list(FILE *f, const char *name, const double v[CELLS], const int r[3], int side) {
  const int n[3] = {NX * r[0], NY * r[1], NZ * r[2]};
  fprintf(f, "%s = [", name);
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) {
        const int at[3] = {i, j, k};
        const bool inside = side >= 0 && at[side] % r[side] != r[side] - 1;
        fprintf(f, "%s%.6f", i + j + k > 0 ? "," : "", inside ? 1.0 : v[i / r[0] + NX * (j / r[1] + NY * (k / r[2]))]);
      }
  fputs("];\n", f);
}

static void values(double v[CELLS], double low, double high) {
  for (int n = 0; n < CELLS; ++n) v[n] = draw(low, high);
}

static void random_list(FILE *f, const char *name, double low, double high, const int r[3], int side) {
  double v[CELLS];
  values(v, low, high);
  list(f, name, v, r, side);
}

/* Perforations of a well: middle sub-cells across the bore, all along it. */
static void places(FILE *f, const int from[3], const int to[3], int along, const int r[3]) {
  static const char *const letter[3] = {"x", "y", "z"};
  bool some = false;
  fputs("cells = (", f);
  for (int i = from[0]; i <= to[0]; ++i)
    for (int j = from[1]; j <= to[1]; ++j)
      for (int k = from[2]; k <= to[2]; ++k)
        for (int s = 0; s < r[along]; ++s) {
          const int cell[3] = {i, j, k};
          int at[3];
          for (int x = 0; x < 3; ++x) at[x] = (cell[x] - 1) * r[x] + (x == along ? s : r[x] / 2 - (r[x] % 2 == 0)) + 1;
          fprintf(f, "%s(%d, %d, %d, \"%s\")", some ? ", " : "", at[0], at[1], at[2], letter[along]);
          some = true;
        }
  fputs(");", f);
}

static const char *two_sizes(const int r[3], const char *name) {
  char text[1 << 16];
  FILE *f = fmemopen(text, sizeof text, "w");
  if (f == NULL) exit(2);
  seed = 7;
  fprintf(f, "grid = {\n size = [%d, %d, %d]; dx = %.3f; dy = %.3f; minpv = 0.0;\n", NX * r[0], NY * r[1], NZ * r[2],
          20.0 / r[0], 30.0 / r[1]);
  double dz[CELLS], top[CELLS], active[CELLS], region[CELLS];
  for (int n = 0; n < CELLS; ++n) {
    dz[n] = n / (NX * NY) == 0 ? 4.0 : 6.0;
    top[n] = 2000.0 + n % NX + (n / (NX * NY) == 0 ? 0.0 : 4.0);
    active[n] = n != 4;
    region[n] = 1 + n % 2;
  }
  for (int n = 0; n < CELLS; ++n) dz[n] /= r[2];
  list(f, "dz", dz, r, -1);
  /* tops of the parts */
  fputs("tops = [", f);
  for (int k = 0; k < NZ * r[2]; ++k)
    for (int j = 0; j < NY * r[1]; ++j)
      for (int i = 0; i < NX * r[0]; ++i) {
        const int n = i / r[0] + NX * (j / r[1] + NY * (k / r[2]));
        fprintf(f, "%s%.6f", i + j + k > 0 ? "," : "", top[n] + k % r[2] * dz[n]);
      }
  fputs("];\n", f);
  random_list(f, "porosity", 0.1, 0.3, r, -1);
  random_list(f, "permx", 1.0, 1000.0, r, -1);
  random_list(f, "permy", 1.0, 1000.0, r, -1);
  random_list(f, "permz", 1.0, 100.0, r, -1);
  random_list(f, "ntg", 0.5, 1.0, r, -1);
  list(f, "active", active, r, -1);
  random_list(f, "multpv", 0.5, 2.0, r, -1);
  random_list(f, "multx", 0.0, 2.0, r, 0);
  random_list(f, "multy", 0.0, 2.0, r, 1);
  random_list(f, "multz", 0.0, 2.0, r, 2);
  fputs(
      "};\nfluids = { water = { density = 1000.0; viscosity = 0.5; }; oil = { density = 800.0; viscosity = 2.0; }; };\n"
      "saturation = ( { model = \"table\"; table = ([0.1,0.0,1.0,0.0],[0.9,1.0,0.0,0.0]); },\n"
      " { model = \"table\"; table = ([0.2,0.0,1.0,0.0],[0.8,1.0,0.0,0.0]); } );\n"
      "initial = {\n",
      f);
  random_list(f, "pressure", 180.0, 220.0, r, -1);
  random_list(f, "saturation", 0.3, 0.7, r, -1);
  fputs("};\nregions = {\n", f);
  list(f, "saturation", region, r, -1);
  list(f, "fip", region, r, -1);
  fputs("};\nendpoints = {\n", f);
  random_list(f, "krw", 0.5, 1.0, r, -1);
  const char *connection = r[2] > 1 ? "2.5" : "5.0";
  fputs("};\nwells = ( { name = \"I\"; type = \"injector\"; ", f);
  places(f, (int[3]){1, 1, 1}, (int[3]){1, 1, 2}, 2, r);
  fprintf(f,
          " radius = 0.1; reference_depth = 2002.0; control = \"rate\"; rate = 10.0; },\n"
          " { name = \"F\"; type = \"producer\"; ");
  places(f, (int[3]){3, 1, 1}, (int[3]){3, 1, 2}, 2, r);
  fprintf(
      f,
      " connection_factor = %s; kh = %s; radius = 0.1; reference_depth = 2004.0; control = \"bhp\"; bhp = 150.0; },\n"
      " { name = \"H\"; type = \"producer\"; ",
      connection, r[2] > 1 ? "15.0" : "30.0");
  places(f, (int[3]){1, 2, 2}, (int[3]){3, 2, 2}, 0, r);
  fputs(
      " radius = 0.1; skin = 1.0; reference_depth = 2007.0; control = \"bhp\"; bhp = 150.0; },\n"
      " { name = \"D\"; type = \"producer\"; path = ([5.0, 5.0, 2000.0], [45.0, 50.0, 2011.0]); radius = 0.1;\n"
      "   reference_depth = 2002.0; control = \"bhp\"; bhp = 150.0; } );\n",
      f);
  /* from 5 days on: the lower perforation of F shut, H's middle one twice as good, F anew */
  fprintf(f,
          "schedule = ( { time = 5.0; well = \"F\"; k = [%d, %d]; perforations = \"shut\"; },\n"
          " { time = 6.0; well = \"H\"; i = [%d, %d]; multiply_index = 2.0; } );\n",
          1 + r[2], 2 * r[2], 1 + r[0], 2 * r[0]);
  fputs("report = { end = 30.0; };\n", f);
  fclose(f);
  return deck_write(name, text);
}

static void test_by_hand(void) {
  static const int one[3] = {1, 1, 1};
  char set[40];
  snprintf(set, sizeof set, "grid.refine=[%d,%d,%d]", R[0], R[1], R[2]);
  hp_case *refined = sound(two_sizes(one, "coarse.cfg"), set), *written = sound(two_sizes(R, "fine.cfg"), NULL);
  if (refined != NULL && written != NULL) {
    const int64_t n = written->grid->ncell;
    /* "the rest of the row" is said with other numbers */
    for (int k = 0; k < refined->nperf_event; ++k)
      for (int x = 0; x < 3; ++x)
        if (refined->perf_event[k].last[x] == INT32_MAX)
          refined->perf_event[k].last[x] = written->perf_event[k].last[x];
    CHECK(n == CELLS * R[0] * R[1] * R[2] && written->grid->nactive == n - R[0] * R[1] * R[2]);
    CHECK(same_case(refined, written));
    CHECK(same_bits(refined->grid->pore_volume, written->grid->pore_volume, n));
    CHECK(same_bits(refined->grid->depth, written->grid->depth, n));
    for (int d = 0; d < HP_DIRS; ++d) CHECK(same_bits(refined->grid->trans[d], written->grid->trans[d], n));
    hp_wells *a = NULL, *b = NULL;
    CHECK_OK(hp_wells_create(refined->grid, refined->nwell, refined->well, &a));
    CHECK_OK(hp_wells_create(written->grid, written->nwell, written->well, &b));
    CHECK(a != NULL && b != NULL && a->nperf == b->nperf && a->nperf > 20 && same_bits(a->wi, b->wi, a->nperf));
    CHECK(refined->deck_size[0] == NX && refined->deck_size[1] == NY && refined->deck_size[2] == NZ);
    hp_wells_destroy(&a);
    hp_wells_destroy(&b);
  }
  hp_case_destroy(&refined);
  hp_case_destroy(&written);
}

/* [1, 1, 1] is the deck itself. */
static void test_same(void) {
  static const int one[3] = {1, 1, 1};
  const char *const path = two_sizes(one, "coarse.cfg");
  hp_case *a = sound(path, NULL), *b = sound(path, "grid.refine=[1,1,1]");
  if (a != NULL && b != NULL) {
    const int64_t n = a->grid->ncell;
    CHECK(same_case(a, b) && b->deck_size[0] == 0);
    CHECK(same_bits(a->grid->pore_volume, b->grid->pore_volume, n) && same_bits(a->grid->depth, b->grid->depth, n));
    for (int d = 0; d < HP_DIRS; ++d) CHECK(same_bits(a->grid->trans[d], b->grid->trans[d], n));
  }
  hp_case_destroy(&a);
  hp_case_destroy(&b);
}

/* ---- what must stay ---- */

/* With odd numbers of parts a cell's centre is that of its middle part: from there to the next cell's, the parts in
 * series and the rows of parts side by side conduct as the deck's two half cells and the multiplier of their face. */
static void check_conductance(const hp_case *whole, const hp_case *parts) {
  const hp_grid *g = whole->grid, *h = parts->grid;
  const int r[3] = {parts->refine[0], parts->refine[1], parts->refine[2]}, n[3] = {g->nx, g->ny, g->nz};
  int faces = 0;
  for (int64_t m = 0; m < g->ncell; ++m)
    for (int d = 0; d < HP_DIRS; ++d) {
      int at[3];
      const int x = 2 - d, y = (x + 1) % 3, z = (x + 2) % 3;
      hp_grid_ijk(g, m, at);
      if (at[x] == n[x] - 1) continue;
      double sum = 0.0;
      for (int a = 0; a < r[y]; ++a)
        for (int b = 0; b < r[z]; ++b) {
          double resistance = 0.0;
          for (int s = r[x] / 2; s < r[x] + r[x] / 2; ++s) {
            int part[3];
            part[x] = at[x] * r[x] + s;
            part[y] = at[y] * r[y] + a;
            part[z] = at[z] * r[z] + b;
            const int64_t q = hp_grid_cell(h, part[0], part[1], part[2]);
            double t = h->trans[d][q];
            /* the multiplier counts once, on the half cells of both sides together */
            if (s == r[x] - 1 && whole->mult[d] != NULL && whole->mult[d][m] > 0.0) t /= whole->mult[d][m];
            resistance += 1.0 / t;
          }
          sum += 1.0 / resistance;
        }
      const double mult = whole->mult[d] != NULL && whole->mult[d][m] > 0.0 ? whole->mult[d][m] : 1.0;
      const double t = g->trans[d][m] / mult;
      if (t > 0.0) CHECK_NEAR(sum / t, 1.0, 1e-12);
      else CHECK(sum == 0.0);
      faces += t > 0.0;
    }
  CHECK(faces > 0);
}

static void check_volumes(const hp_case *whole, const hp_case *parts, double tolerance) {
  const hp_grid *g = whole->grid, *h = parts->grid;
  const int *r = parts->refine;
  for (int64_t m = 0; m < g->ncell; ++m) {
    int at[3];
    double sum = 0.0;
    int active = 0;
    hp_grid_ijk(g, m, at);
    for (int n = 0; n < r[0] * r[1] * r[2]; ++n) {
      const int64_t q = hp_grid_cell(h, at[0] * r[0] + n / r[2] / r[1], at[1] * r[1] + n / r[2] % r[1],
                                     at[2] * r[2] + n % r[2]);
      sum += h->pore_volume[q];
      active += h->active[q];
    }
    CHECK(active == (g->active[m] ? r[0] * r[1] * r[2] : 0));
    CHECK_NEAR(sum, g->pore_volume[m], tolerance * g->pore_volume[m]);
  }
}

static void test_conductance(void) {
  static const int one[3] = {1, 1, 1};
  const char *const path = two_sizes(one, "coarse.cfg");
  hp_case *whole = sound(path, NULL), *parts = sound(path, "grid.refine=[3,1,5]"),
          *more = sound(path, "grid.refine=[1,5,3]");
  if (whole != NULL && parts != NULL && more != NULL) {
    check_conductance(whole, parts);
    check_conductance(whole, more);
    check_volumes(whole, parts, 1e-13);
  }
  hp_case_destroy(&whole);
  hp_case_destroy(&parts);
  hp_case_destroy(&more);
}

/* A uniform block: K A / length of a part, Peaceman's index of a part times the parts of the bore. */
static void test_analytic(void) {
  const char *const path = deck_write(
      "even.cfg",
      "grid = { size = [4, 4, 2]; dx = 40.0; dy = 60.0; dz = 6.0; top = 1000.0; porosity = 0.25; permx = 100.0;\n"
      " permy = 100.0; permz = 10.0; };\n"
      "fluids = { water = { density = 1000.0; viscosity = 0.5; }; oil = { density = 800.0; viscosity = 2.0; }; };\n"
      "saturation = { model = \"corey\"; swc = 0.2; sor = 0.2; };\n"
      "initial = { datum_depth = 1000.0; datum_pressure = 100.0; contact_depth = 3000.0; };\n"
      "wells = ( { name = \"P\"; type = \"producer\"; i = 2; j = 3; radius = 0.1; control = \"bhp\"; bhp = 50.0; } );\n"
      "report = { end = 1.0; };\n");
  hp_case *c = sound(path, "grid.refine=[4,3,2]");
  if (c == NULL) return;
  const double K = 100.0 * 9.869232667160e-16, dx = 10.0, dy = 20.0, dz = 3.0;
  const hp_grid *g = c->grid;
  CHECK(g->nx == 16 && g->ny == 12 && g->nz == 4 && c->rectilinear);
  CHECK_NEAR(c->x[16], 160.0, 1e-9);
  CHECK_NEAR(c->z[3], 1009.0, 1e-9);
  for (int64_t m = 0; m < g->ncell; ++m) {
    int at[3];
    hp_grid_ijk(g, m, at);
    CHECK_NEAR(g->pore_volume[m], dx * dy * dz * 0.25, 1e-10);
    CHECK_NEAR(g->trans[HP_DIR_I][m] / (K * dy * dz / dx), at[0] < 15 ? 1.0 : 0.0, 1e-12);
    CHECK_NEAR(g->trans[HP_DIR_J][m] / (K * dx * dz / dy), at[1] < 11 ? 1.0 : 0.0, 1e-12);
    CHECK_NEAR(g->trans[HP_DIR_K][m] / (0.1 * K * dx * dy / dz), at[2] < 3 ? 1.0 : 0.0, 1e-12);
    CHECK_NEAR(g->depth[m], 1000.0 + (at[2] + 0.5) * dz, 1e-9);
  }
  hp_wells *W = NULL;
  CHECK_OK(hp_wells_create(g, c->nwell, c->well, &W));
  const double r0 = 0.14 * sqrt(dx * dx + dy * dy);
  double sum = 0.0;
  for (int64_t q = 0; q < W->nperf; ++q) sum += W->wi[q];
  CHECK(W->nperf == 4 && c->well[0].perf[0].i == 5 && c->well[0].perf[0].j == 7 && c->well[0].perf[3].k == 3);
  CHECK_NEAR(sum / (2.0 * acos(-1.0) * K * 12.0 / log(r0 / 0.1)), 1.0, 1e-12);
  CHECK_NEAR(W->ref_depth[0], 1003.0, 1e-9); /* of the deck's first layer */
  hp_wells_destroy(&W);
  hp_case_destroy(&c);
}

/* ---- Eclipse decks ---- */

static const char *eclipse(const deck *d) {
  static char text[1 << 16];
  deck_text(d, text, sizeof text);
  return deck_write("CASE.DATA", text);
}

static const char *const ROCK = "PORO\n 12*0.25 /\nPERMX\n 6*100 6*300 /\nPERMY\n 12*80 /\nPERMZ\n 12*10 /\n";
static const char *const WELLS = "WELSPECS\n 'I' 'G' 1 1 1* WATER /\n 'P' 'G' 3 2 1* OIL /\n/\n";
static const char *const CONTROLS =
    "WCONINJE\n 'I' WATER OPEN RATE 50 1* 400 /\n/\nWCONPROD\n 'P' OPEN BHP 5* 150 /\n/\n";

/* Written as a deck of hepta's own, the refined case is read back to the bit. */
static void check_export(const hp_case *c) {
  char path[200];
  snprintf(path, sizeof path, "%s/written.cfg", deck_folder());
  CHECK_OK(hp_case_export(c, hp_units_of(HP_UNITS_SI), path));
  hp_case *d = sound(path, NULL);
  if (d == NULL) return;
  hp_wells *a = NULL, *b = NULL;
  CHECK_OK(hp_wells_create(c->grid, c->nwell, c->well, &a));
  CHECK_OK(hp_wells_create(d->grid, d->nwell, d->well, &b));
  CHECK(same_bits(c->grid->pore_volume, d->grid->pore_volume, c->grid->ncell));
  CHECK(same_bits(c->grid->depth, d->grid->depth, c->grid->ncell));
  for (int n = 0; n < HP_DIRS; ++n) CHECK(same_bits(c->grid->trans[n], d->grid->trans[n], c->grid->ncell));
  CHECK(a != NULL && b != NULL && a->nperf == b->nperf && same_bits(a->wi_open, b->wi_open, a->nperf));
  CHECK(same_bits(a->ref_depth, b->ref_depth, a->nwell) && d->deck_size[0] == 0);
  CHECK(d->output.nvector == c->output.nvector && strcmp(d->output.vector[1], c->output.vector[1]) == 0);
  hp_wells_destroy(&a);
  hp_wells_destroy(&b);
  hp_case_destroy(&d);
}

static void test_eclipse(void) {
  char grid[4096], schedule[4096];
  snprintf(grid, sizeof grid,
           "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 6*2000 /\n%sNTG\n 6*1 6*0.5 /\n"
           "EQUALS\n MULTX 0.1 1 1 1 2 1 2 /\n 'MULTX-' 0.5 3 3 1 2 1 1 /\n MULTY 0.2 1 3 1 1 2 2 /\n MULTZ 0 2 2 1 1 "
           "1 1 /\n"
           " ACTNUM 0 2 2 2 2 2 2 /\n MULTPV 3 1 1 1 1 1 1 /\n/\n",
           ROCK);
  snprintf(schedule, sizeof schedule,
           "%sCOMPDAT\n 'I' 2* 1 2 OPEN 1* 12 0.2 /\n 'P' 2* 1 1 OPEN 2* 0.2 400 2 /\n 'P' 3 1 2 2 OPEN 1* 9 0.2 3* X "
           "/\n/\n%s"
           "TSTEP\n 10 /\nCOMPDAT\n 'I' 2* 2 2 OPEN 1* 6 0.2 /\n/\nWELOPEN\n 'P' SHUT 0 0 2 /\n/\nWPIMULT\n 'I' 0.5 1 "
           "1 1 /\n/\n"
           "TSTEP\n 10 /\n",
           WELLS, CONTROLS);
  deck d = deck_base();
  d.grid = grid;
  d.schedule = schedule;
  d.edit = "EQUALS\n PORV 77000 3 3 1 1 1 1 /\n TRANY 0 1 1 1 1 1 1 /\n/\n";
  d.summary = "COPR\n 'P' 3 2 1 /\n/\n";
  const char *path = eclipse(&d);
  hp_case *whole = sound(path, NULL), *parts = sound(path, "grid.refine=[3,1,5]"),
          *same = sound(path, "grid.refine=[1,1,1]");
  hp_case *entry = sound(path, "grid.refine[2]=5");
  if (whole != NULL && parts != NULL && same != NULL && entry != NULL) {
    CHECK(same_case(whole, same) && same_bits(whole->grid->trans[2], same->grid->trans[2], whole->grid->ncell));
    CHECK(entry->grid->nx == 3 && entry->grid->nz == 10);
    check_conductance(whole, parts);
    check_volumes(whole, parts, 1e-13);
    CHECK_NEAR(whole->grid->pore_volume[hp_grid_cell(whole->grid, 2, 0, 0)], 77000.0, 1e-6);
    const hp_grid *h = parts->grid;
    CHECK(h->trans[HP_DIR_J][hp_grid_cell(h, 1, 0, 2)] == 0.0 && h->trans[HP_DIR_J][hp_grid_cell(h, 3, 0, 2)] > 0.0);
    /* the bores: I down column (2, 1), P down (8, 2) and along x through (7..9, 1) in the middle of layer 2 */
    const hp_well_spec *I = &parts->well[0], *P = &parts->well[1];
    CHECK(I->nperf == 10 && I->perf[0].i == 1 && I->perf[0].j == 0 && I->perf[9].k == 9 && I->head_i == 1);
    CHECK_NEAR(I->perf[7].transmissibility, whole->well[0].perf[1].transmissibility / 5.0, 1e-30);
    CHECK(P->nperf == 8 && P->perf[0].i == 7 && P->perf[4].k == 4 && P->perf[5].i == 6 && P->perf[7].i == 8 &&
          P->perf[5].j == 0 && P->perf[5].k == 7);
    CHECK_NEAR(P->perf[0].kh, whole->well[1].perf[0].kh / 5.0, 1e-30);
    CHECK_NEAR(P->perf[6].transmissibility, whole->well[1].perf[1].transmissibility / 3.0, 1e-30);
    CHECK(I->ref_depth == 2005.0 && P->ref_depth == 2005.0);
    CHECK(parts->output.nvector == 5 && strcmp(parts->output.vector[1], "COPR:P:8,2,2") == 0);
    check_export(parts);
    /* the same changes of the sums over parts, before and after */
    hp_wells *a = NULL, *b = NULL;
    CHECK_OK(hp_wells_create(whole->grid, 2, whole->well, &a));
    CHECK_OK(hp_wells_create(h, 2, parts->well, &b));
    for (int turn = 0; turn < 2 && a != NULL && b != NULL; ++turn) {
      double first[2] = {0.0, 0.0}, second[2] = {0.0, 0.0};
      for (int64_t q = 0; q < a->nperf; ++q) first[a->of[q]] += a->wi[q];
      for (int64_t q = 0; q < b->nperf; ++q) second[b->of[q]] += b->wi[q];
      CHECK_NEAR(second[0] / first[0], 1.0, 1e-12);
      if (turn == 0) CHECK(first[0] > 0.0 && first[1] > 0.0);
      for (int n = 0; turn == 0 && n < whole->nperf_event; ++n)
        CHECK_OK(hp_wells_change(a, whole->grid, &whole->perf_event[n]));
      for (int n = 0; turn == 0 && n < parts->nperf_event; ++n) CHECK_OK(hp_wells_change(b, h, &parts->perf_event[n]));
    }
    if (b != NULL) {
      CHECK(b->wi[10 + 5] == 0.0 && b->wi[10 + 7] == 0.0 && b->wi[10] > 0.0);
      CHECK_NEAR(b->wi[0] * 10.0 / whole->well[0].perf[0].transmissibility, 1.0, 1e-12);
      CHECK_NEAR(b->wi[9] * 10.0 / whole->well[0].perf[0].transmissibility, 1.0, 1e-12);
    }
    hp_wells_destroy(&a);
    hp_wells_destroy(&b);
  }
  hp_case_destroy(&whole);
  hp_case_destroy(&parts);
  hp_case_destroy(&same);
  hp_case_destroy(&entry);
}

/* The values of a cell in all its parts. */
static void check_spread(const hp_case *whole, const hp_case *parts, const void *from, const void *to, size_t size) {
  const hp_grid *h = parts->grid;
  CHECK(from != NULL && to != NULL && from != to);
  for (int64_t m = 0; from != NULL && to != NULL && m < h->ncell; ++m) {
    int at[3];
    hp_grid_ijk(h, m, at);
    const int *r = parts->refine;
    const int64_t cell = hp_grid_cell(whole->grid, at[0] / r[0], at[1] / r[1], at[2] / r[2]);
    CHECK(memcmp((const char *)from + (size_t)cell * size, (const char *)to + (size_t)m * size, size) == 0);
  }
}

static void test_regions(void) {
  deck d = deck_base();
  d.runspec = "TITLE\n small\nDIMENS\n 3 2 2 /\nOIL\nWATER\nMETRIC\nTABDIMS\n 2 2 /\nEQLDIMS\n 2 /\nENDSCALE\n /\n";
  d.props =
      "DENSITY\n 800 1000 1 /\n 810 1010 1 /\nPVTW\n 200 1.0 4E-5 0.5 0 /\n 200 1.01 4E-5 0.4 0 /\n"
      "PVCDO\n 200 1.1 1E-4 2.0 0 /\n 200 1.2 1E-4 1.5 0 /\nROCK\n 200 5E-5 /\n 200 6E-5 /\n"
      "SWOF\n 0.2 0 1 0.5\n 0.8 0.5 0 0 /\n 0.1 0 1 0.4\n 0.9 0.5 0 0 /\n"
      "SWL\n 12*0.05 /\nSWU\n 6*0.92 6*0.95 /\nPCW\n 3*0.5 9*0.6 /\nSWATINIT\n 5*0.3 7*0.4 /\n";
  d.regions = "SATNUM\n 4*1 8*2 /\nPVTNUM\n 6*1 6*2 /\nEQLNUM\n 6*1 6*2 /\nFIPNUM\n 1 2 3 9*4 /\n";
  d.solution = "EQUIL\n 2000 200 2025 0 4* 0 /\n 2000 205 2015 0 4* -3 /\n";
  const char *path = eclipse(&d);
  hp_case *whole = sound(path, NULL), *parts = sound(path, "grid.refine=[2,1,3]");
  if (whole != NULL && parts != NULL) {
    const hp_fluid_spec *a = &whole->fluid, *b = &parts->fluid;
    check_spread(whole, parts, a->of_sat, b->of_sat, sizeof *a->of_sat);
    check_spread(whole, parts, a->of_pvt, b->of_pvt, sizeof *a->of_pvt);
    check_spread(whole, parts, a->of_rock, b->of_rock, sizeof *a->of_rock);
    check_spread(whole, parts, whole->initial.of, parts->initial.of, sizeof *whole->initial.of);
    check_spread(whole, parts, whole->initial.water, parts->initial.water, sizeof(double));
    check_spread(whole, parts, whole->fip, parts->fip, sizeof *whole->fip);
    int ends = 0;
    for (int n = 0; n < HP_ENDS; ++n) {
      if (a->end[n] != NULL) check_spread(whole, parts, a->end[n], b->end[n], sizeof(double));
      ends += a->end[n] != NULL;
    }
    CHECK(ends == 3 && parts->nfip == 4);
  }
  hp_case_destroy(&whole);
  hp_case_destroy(&parts);
}

/* COORD and ZCORN of 3 x 2 x 2 cells: pillars lean by dx, dy over 20 m, the layers' depths bend. */
static void corner_text(double dx, double dy, double bend, double twist, char *out, size_t size) {
  FILE *f = fmemopen(out, size, "w");
  if (f == NULL) exit(2);
  fputs("COORD\n", f);
  for (int j = 0; j <= 2; ++j)
    for (int i = 0; i <= 3; ++i)
      fprintf(f, " %.3f %.3f 2000 %.3f %.3f 2020\n", 100.0 * i, 50.0 * j, 100.0 * i + dx + twist * i * j,
              50.0 * j + dy);
  fputs("/\nZCORN\n", f);
  for (int k = 0; k < 4; ++k)
    for (int j = 0; j < 4; ++j)
      for (int i = 0; i < 6; ++i) {
        const int a = (i + 1) / 2, b = (j + 1) / 2, c = (k + 1) / 2;
        fprintf(f, " %.4f", 2000.0 + 10.0 * c + bend * (a * a - 2.0 * b + 0.7 * a * b + 0.3 * c * a));
      }
  fprintf(f, "\n/\n%sACTNUM\n 4*1 0 7*1 /\nMULTX\n 0.5 11*1 /\n", ROCK);
  fclose(f);
}

static void test_corners(void) {
  static char grid[1 << 14];
  deck d = deck_base();
  d.grid = grid;
  /* upright and plane: the same as blocks */
  corner_text(0.0, 0.0, 0.0, 0.0, grid, sizeof grid);
  hp_case *corner = sound(eclipse(&d), "grid.refine=[2,3,2]");
  snprintf(grid, sizeof grid,
           "DX\n 12*100 /\nDY\n 12*50 /\nDZ\n 12*10 /\nTOPS\n 6*2000 /\n%sACTNUM\n 4*1 0 7*1 /\n"
           "MULTX\n 0.5 11*1 /\n",
           ROCK);
  hp_case *block = sound(eclipse(&d), "grid.refine=[2,3,2]");
  if (corner != NULL && block != NULL) {
    const hp_grid *g = corner->grid, *h = block->grid;
    CHECK(g->nactive == 132 && h->nactive == 132);
    for (int64_t m = 0; m < g->ncell; ++m) {
      CHECK_NEAR(g->pore_volume[m], h->pore_volume[m], 1e-9 * h->pore_volume[m]);
      CHECK_NEAR(g->depth[m], h->depth[m], 1e-9);
      CHECK_NEAR(g->dx[m], h->dx[m], 1e-9);
      CHECK_NEAR(g->dz[m], h->dz[m], 1e-9);
      for (int n = 0; n < HP_DIRS; ++n) CHECK_NEAR(g->trans[n][m], h->trans[n][m], 1e-9 * h->trans[n][m]);
    }
  }
  hp_case_destroy(&corner);
  hp_case_destroy(&block);
  /* leaning and bent: the parts of the trilinear hexahedra fill them, so no share is changed by the sum */
  corner_text(8.0, -5.0, 0.8, 0.0, grid, sizeof grid);
  hp_case *whole = sound(eclipse(&d), NULL), *parts = sound(eclipse(&d), "grid.refine=[2,3,2]");
  if (whole != NULL && parts != NULL) {
    check_volumes(whole, parts, 1e-12);
    const hp_corners c = hp_case_corners(parts);
    for (int64_t m = 0; m < parts->grid->ncell; ++m) {
      int at[3];
      hp_grid_ijk(parts->grid, m, at);
      const hp_hexahedron part = hp_corners_cell(&c, at[0], at[1], at[2]);
      if (parts->grid->active[m])
        CHECK_NEAR(parts->grid->pore_volume[m] / (0.25 * hp_hexahedron_volume(&part)), 1.0, 1e-10);
    }
  }
  hp_case_destroy(&whole);
  hp_case_destroy(&parts);
  /* pillars that twist: pore volumes stay those of the deck all the same */
  corner_text(8.0, -5.0, 0.8, 1.0, grid, sizeof grid);
  whole = sound(eclipse(&d), NULL);
  parts = sound(eclipse(&d), "grid.refine=[2,1,3]");
  if (whole != NULL && parts != NULL) check_volumes(whole, parts, 1e-12);
  hp_case_destroy(&whole);
  hp_case_destroy(&parts);
}

/* ---- refusals ---- */

static void test_refused(void) {
  static const int one[3] = {1, 1, 1};
  const char *path = two_sizes(one, "coarse.cfg");
  CHECK(refused(path, "grid.refine=[2,2]", "must be three integers [rx, ry, rz]"));
  CHECK(refused(path, "grid.refine=[0,1,1]", "0: must be > 0"));
  CHECK(refused(path, "grid.refine=[2.5,1.0,1.0]", "must be an integer"));
  CHECK(refused(path, "grid.refine=[100000,100000,1]", "cells: more than 2147483647"));
  CHECK(refused(path, "grid.refine=[100,150,1]", "on the finer grid of grid.refine: well I: perforation in cell"));
  char schedule[4096];
  deck d = deck_base();
  d.edit = "EQUALS\n TRANX 5 2 2 1 1 1 1 /\n/\n";
  CHECK(refused(eclipse(&d), "grid.refine=[1,1,2]", "cell (2,1,1): its transmissibility is given (tranx)"));
  d.edit = "";
  snprintf(schedule, sizeof schedule,
           "%sCOMPDAT\n 'I' 2* 1 2 OPEN 2* 0.2 /\n 'P' 2* 1 2 OPEN 2* 0.2 /\n/\n%s"
           "TSTEP\n 10 /\nCOMPDAT\n 'P' 2* 2 2 OPEN 2* 0.2 3* X /\n/\nTSTEP\n 10 /\n",
           WELLS, CONTROLS);
  d.schedule = schedule;
  CHECK(refused(eclipse(&d), "grid.refine=[2,1,1]", "the connection (3,2,2) gets another direction"));
  hp_case *c = sound(eclipse(&d), "grid.refine=[1,2,1]");
  CHECK(c != NULL && c->grid->ny == 4);
  hp_case_destroy(&c);
  char grid[1 << 14];
  corner_text(8.0, -5.0, 0.8, 0.0, grid, sizeof grid);
  d = deck_base();
  d.grid = grid;
  d.edit = "EQUALS\n TRANZ 5 2 2 1 1 1 1 /\n/\n";
  CHECK(refused(eclipse(&d), "grid.refine=[1,1,2]", "cell (2,1,1): its transmissibility is given (tranz)"));
  CHECK(refused(eclipse(&d), "grid.dx=3", "options about grid cannot be laid over it"));
}

int main(void) {
  test_same();
  test_by_hand();
  test_conductance();
  test_analytic();
  test_eclipse();
  test_regions();
  test_corners();
  test_refused();
  return deck_end();
}
