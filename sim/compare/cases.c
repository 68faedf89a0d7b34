/* The cases of a comparison: from the command line, from a file, from the ready-made sets. */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <libconfig.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/show.h"
#include "io/files/text.h"
#include "sim/compare/compare.h"

/* ---- ready-made sets ---- */

#define CPR "linear.preconditioner=cpr "
#define DILU "linear.preconditioner=dilu "
#define RED_BLACK DILU "linear.ordering=red-black "

static const char *const solvers[] = {
    "bicgstab cpr: linear.method=bicgstab " CPR,
    "gmres cpr: linear.method=gmres " CPR,
    "tfqmr cpr: linear.method=tfqmr " CPR,
    "bicgstab dilu: linear.method=bicgstab " DILU,
    "gmres dilu: linear.method=gmres " DILU,
    "tfqmr dilu: linear.method=tfqmr " DILU,
    "qmr dilu: linear.method=qmr " DILU,
    "bicgstab block-jacobi: linear.method=bicgstab linear.preconditioner=block-jacobi",
    "bicgstab jacobi: linear.method=bicgstab linear.preconditioner=jacobi",
    "bicgstab none: linear.method=bicgstab linear.preconditioner=none",
    NULL};

/* One choice at a time beside the defaults of linear.cpr. */
static const char *const amg[] = {"default: " CPR,
                                  "hmis: " CPR "linear.cpr.coarsening=hmis",
                                  "cljp: " CPR "linear.cpr.coarsening=cljp",
                                  "rs: " CPR "linear.cpr.coarsening=rs",
                                  "classical: " CPR "linear.cpr.interpolation=classical",
                                  "direct: " CPR "linear.cpr.interpolation=direct",
                                  "averaging: " CPR "linear.cpr.interpolation=averaging",
                                  "jacobi: " CPR "linear.cpr.smoother=jacobi",
                                  "l1-jacobi: " CPR "linear.cpr.smoother=l1-jacobi",
                                  "chebyshev: " CPR "linear.cpr.smoother=chebyshev",
                                  "spai-0: " CPR "linear.cpr.smoother=spai-0",
                                  "w cycle: " CPR "linear.cpr.cycle=w",
                                  "quasi-impes: " CPR "linear.cpr.weights=quasi-impes",
                                  NULL};

static const char *const formats[] = {"gh: linear.matrix=gh",         "csr: linear.matrix=csr",
                                      "bsr: linear.matrix=bsr",       "sell: linear.matrix=sell",
                                      "dia: linear.matrix=dia",       "ell: linear.matrix=ell",
                                      "hyb: linear.matrix=hyb",       "hec: linear.matrix=hec",
                                      "sg-dia: linear.matrix=sg-dia", NULL};

/* Equal arithmetic but for the last two: the order that all have is red-black. */
static const char *const executions[] = {"CPU: backend=cpu " RED_BLACK,
                                         "in-kernel: backend=cuda linear.execution=in-kernel " RED_BLACK,
                                         "per-operation: backend=cuda linear.execution=per-operation " RED_BLACK,
                                         "graph: backend=cuda linear.execution=graph " RED_BLACK,
                                         "library: backend=cuda linear.execution=library " RED_BLACK,
                                         "in-kernel cpr: backend=cuda linear.execution=in-kernel " CPR,
                                         "per-operation cpr: backend=cuda linear.execution=per-operation " CPR,
                                         "graph cpr: backend=cuda linear.execution=graph " CPR,
                                         NULL};

/* Choices that the papers of docs/developer compare: classical multigrid (Liu, Yu & Chen 2013), a solve in one kernel and
 * calls of libraries (Al-Mouhamed & Khan 2017), GMRES(30) with block diagonals and csr (Lowell et al. 2013), block rows
 * (Abdelfattah et al. 2016). */
#define CLASSICAL_AMG(coarsening, interpolation)                                                                       \
  coarsening " " interpolation ": " CPR "linear.cpr.coarsening=" coarsening " linear.cpr.interpolation=" interpolation \
             " linear.cpr.smoother=damped-jacobi"
#define ON_GPU(execution) "backend=cuda linear.execution=" execution " "
#define GMRES "backend=cpu linear.method=gmres linear.restart=30 " DILU
static const char *const papers[] = {"default: " CPR,
                                     CLASSICAL_AMG("rs", "classical"),
                                     CLASSICAL_AMG("rs", "averaging"),
                                     CLASSICAL_AMG("cljp", "classical"),
                                     CLASSICAL_AMG("cljp", "averaging"),
                                     "bicgstab: " DILU,
                                     "qmr: linear.method=qmr " DILU,
                                     "in-kernel: " ON_GPU("in-kernel") RED_BLACK,
                                     "per-operation: " ON_GPU("per-operation") RED_BLACK,
                                     "library: " ON_GPU("library") RED_BLACK,
                                     "qmr in-kernel: linear.method=qmr " ON_GPU("in-kernel") RED_BLACK,
                                     "gmres gh: " GMRES,
                                     "gmres sg-dia: linear.matrix=sg-dia " GMRES,
                                     "gmres csr: linear.matrix=csr " GMRES,
                                     "gmres bsr: linear.matrix=bsr " GMRES,
                                     NULL};

static const char *const gpus[] = {"one GPU: backend=cuda gpus=1", "two: backend=cuda gpus=2",
                                   "four: backend=cuda gpus=4", "eight: backend=cuda gpus=8", NULL};

static const struct {
  const char *name;
  const char *const *text;
} sets[] = {{"solvers", solvers},       {"amg", amg},   {"formats", formats},
            {"executions", executions}, {"gpus", gpus}, {"papers", papers}};

hp_status hp_compare_add_set(hp_compare_list *list, const char *name) {
  for (size_t n = 0; n < sizeof sets / sizeof *sets; ++n) {
    if (strcmp(sets[n].name, name) != 0) continue;
    for (const char *const *text = sets[n].text; *text != NULL; ++text) HP_TRY(hp_compare_add_case(list, *text));
    return HP_OK;
  }
  return hp_fail(HP_ERR_USAGE, "--set-of is solvers, amg, formats, executions, gpus or papers, not '%s'", name);
}

/* ---- one case ---- */

static void clear_case(hp_compare_case *k) {
  HP_FREE(k->name);
  HP_FREE(k->file);
  for (int n = 0; n < k->nset; ++n) HP_FREE(k->set[n]);
  HP_FREE(k->set);
  HP_FREE(k->gpus);
  *k = (hp_compare_case){0};
}

void hp_compare_list_clear(hp_compare_list *list) {
  for (int n = 0; n < list->count; ++n) clear_case(&list->of[n]);
  list->count = 0;
}

static bool file_is_used(const hp_compare_list *list, const char *file) {
  if (strcmp(file, "compare") == 0) return true; /* the tables' */
  for (int n = 0; n < list->count; ++n)
    if (strcasecmp(list->of[n].file, file) == 0) return true;
  return false;
}

/* Letters, digits and a few signs of the name stay. */
static hp_status choose_file(const hp_compare_list *list, hp_compare_case *k) {
  char plain[64];
  snprintf(plain, sizeof plain, "%s", k->name);
  for (char *s = plain; *s != '\0'; ++s)
    if (!isalnum((unsigned char)*s) && strchr("+-_", *s) == NULL) *s = '-';
  HP_TRY(hp_format(&k->file, "%s", plain));
  for (int n = 2; file_is_used(list, k->file); ++n) {
    HP_FREE(k->file);
    HP_TRY(hp_format(&k->file, "%s-%d", plain, n));
  }
  return HP_OK;
}

/* A case with this name at the end of the list, which *out shows; it counts once its settings are complete. */
static hp_status begin_case(hp_compare_list *list, const char *name, size_t length, hp_compare_case **out) {
  while (length > 0 && isspace((unsigned char)*name)) ++name, --length;
  while (length > 0 && isspace((unsigned char)name[length - 1])) --length;
  if (list->count == HP_COMPARE_CASES) return hp_fail(HP_ERR_USAGE, "more than %d cases", HP_COMPARE_CASES);
  char whole[256];
  snprintf(whole, sizeof whole, "%.*s", (int)length, name);
  if (hp_name_fault(whole) != NULL) return hp_fail(HP_ERR_USAGE, "case '%s': the name %s", whole, hp_name_fault(whole));
  if (length == 0) return hp_fail(HP_ERR_USAGE, "a case needs a name: \"name: key=value key=value\"");
  hp_compare_case *k = &list->of[list->count];
  *k = (hp_compare_case){.backend = -1};
  HP_TRY(hp_format(&k->name, "%.*s", (int)length, name));
  for (int n = 0; n < list->count; ++n)
    if (strcmp(list->of[n].name, k->name) == 0)
      return hp_fail(HP_ERR_USAGE, "case '%s' is given twice: each case needs a name of its own", k->name);
  HP_TRY(choose_file(list, k));
  HP_TRY(HP_ALLOC(k->set, HP_COMPARE_SETS));
  *out = k;
  return HP_OK;
}

/* --backend, --threads and --gpus of `hepta run` are settings, too. */
static hp_status add_setting(hp_compare_case *k, const char *text, size_t length) {
  if (memchr(text, '=', length) == NULL)
    return hp_fail(HP_ERR_USAGE, "case '%s': %.*s: expected KEY=VALUE", k->name, (int)length, text);
  if (k->nset == HP_COMPARE_SETS)
    return hp_fail(HP_ERR_USAGE, "case '%s': more than %d settings", k->name, HP_COMPARE_SETS);
  char *setting;
  HP_TRY(hp_format(&setting, "%.*s", (int)length, text));
  hp_status s = HP_OK;
  hp_backend_kind backend;
  if (strncmp(setting, "backend=", 8) == 0) {
    if (!hp_backend_find(setting + 8, &backend))
      s = hp_fail(HP_ERR_USAGE, "case '%s': backend is cpu or cuda, not '%s'", k->name, setting + 8);
    else k->backend = (int)backend;
  } else if (strncmp(setting, "threads=", 8) == 0) {
    char *end;
    const long v = strtol(setting + 8, &end, 10);
    if (end == setting + 8 || *end != '\0' || v < 1 || v > HP_TEAM_MAX)
      s = hp_fail(HP_ERR_USAGE, "case '%s': threads takes 1 to %d, not '%s'", k->name, HP_TEAM_MAX, setting + 8);
    else k->threads = (int)v;
  } else if (strncmp(setting, "gpus=", 5) == 0) {
    if (!hp_device_parse_gpus(setting + 5, HP_GPUS_MAX, k->device.gpu, &k->device.gpus))
      s = hp_fail(HP_ERR_USAGE, "case '%s': gpus takes how many (1 to %d), a list of them as in 0,1, or all, not '%s'",
                  k->name, (int)HP_GPUS_MAX, setting + 5);
    HP_FREE(k->gpus);
    if (s == HP_OK) s = hp_format(&k->gpus, "%s", setting + 5);
  } else {
    k->set[k->nset++] = setting;
    return HP_OK;
  }
  HP_FREE(setting);
  return s;
}

/* Letters up to the next blank that stands in no quotes and no brackets. */
static size_t word(const char *text) {
  int depth = 0;
  bool quoted = false;
  size_t n = 0;
  for (; text[n] != '\0'; ++n) {
    if (text[n] == '"') quoted = !quoted;
    if (quoted) continue;
    if (strchr("([{", text[n]) != NULL) ++depth;
    if (strchr(")]}", text[n]) != NULL) --depth;
    if (depth <= 0 && isspace((unsigned char)text[n])) break;
  }
  return n;
}

static hp_status end_case(hp_compare_list *list, hp_status s) {
  if (s == HP_OK) list->count += 1;
  else if (list->count < HP_COMPARE_CASES) clear_case(&list->of[list->count]);
  return s;
}

static hp_status read_case(hp_compare_list *list, const char *text) {
  const char *colon = strchr(text, ':'), *equals = strchr(text, '=');
  hp_compare_case *k;
  if (colon == NULL || (equals != NULL && equals < colon))
    return hp_fail(HP_ERR_USAGE, "--case %s: expected \"name: key=value key=value\"", text);
  HP_TRY(begin_case(list, text, (size_t)(colon - text), &k));
  for (const char *at = colon + 1; *at != '\0';) {
    const size_t n = word(at);
    if (n > 0) HP_TRY(add_setting(k, at, n));
    at += n;
    while (isspace((unsigned char)*at)) ++at;
  }
  return HP_OK;
}

hp_status hp_compare_add_case(hp_compare_list *list, const char *text) { return end_case(list, read_case(list, text)); }

/* ---- a file ---- */

static hp_status wrong(const char *path, const config_setting_t *s, const char *what) {
  return hp_fail(HP_ERR_USAGE, "%s:%d: %s%s%s", path, (int)config_setting_source_line(s),
                 config_setting_name(s) != NULL ? config_setting_name(s) : "",
                 config_setting_name(s) != NULL ? ": " : "", what);
}

/* One text or several. */
static hp_status read_settings(hp_compare_case *k, const char *path, const config_setting_t *s) {
  const char *one = config_setting_get_string(s);
  if (one != NULL) return add_setting(k, one, strlen(one));
  if (!config_setting_is_aggregate(s) || config_setting_is_group(s))
    return wrong(path, s, "expected texts \"key=value\"");
  for (int n = 0; n < config_setting_length(s); ++n) {
    const char *text = config_setting_get_string_elem(s, n);
    if (text == NULL) return wrong(path, s, "expected texts \"key=value\"");
    HP_TRY(add_setting(k, text, strlen(text)));
  }
  return HP_OK;
}

static hp_status read_number(hp_compare_case *k, const char *path, const config_setting_t *s) {
  char text[32];
  if (config_setting_type(s) != CONFIG_TYPE_INT) return wrong(path, s, "expected a whole number");
  const int n = snprintf(text, sizeof text, "threads=%d", config_setting_get_int(s));
  return add_setting(k, text, (size_t)n);
}

static hp_status read_backend(hp_compare_case *k, const char *path, const config_setting_t *s) {
  char text[64];
  const char *name = config_setting_get_string(s);
  if (name == NULL) return wrong(path, s, "expected \"cpu\" or \"cuda\"");
  snprintf(text, sizeof text, "backend=%s", name);
  return add_setting(k, text, strlen(text));
}

/* A number of GPUs, or a text. */
static hp_status read_gpus(hp_compare_case *k, const char *path, const config_setting_t *s) {
  char text[64];
  const char *list = config_setting_get_string(s);
  if (list == NULL && config_setting_type(s) != CONFIG_TYPE_INT)
    return wrong(path, s, "expected a whole number, \"all\", or a list as \"0,1\"");
  if (list != NULL) snprintf(text, sizeof text, "gpus=%s", list);
  else snprintf(text, sizeof text, "gpus=%d", config_setting_get_int(s));
  return add_setting(k, text, strlen(text));
}

static hp_status read_entry(hp_compare_list *list, const char *path, const config_setting_t *entry) {
  const char *name = NULL;
  hp_compare_case *k;
  if (!config_setting_is_group(entry)) return wrong(path, entry, "expected a group { name = ...; set = ...; }");
  if (config_setting_lookup_string(entry, "name", &name) != CONFIG_TRUE)
    return wrong(path, entry, "a case needs a name = \"...\"");
  HP_TRY(begin_case(list, name, strlen(name), &k));
  for (int n = 0; n < config_setting_length(entry); ++n) {
    const config_setting_t *s = config_setting_get_elem(entry, (unsigned)n);
    const char *key = config_setting_name(s);
    if (strcmp(key, "set") == 0) HP_TRY(read_settings(k, path, s));
    else if (strcmp(key, "backend") == 0) HP_TRY(read_backend(k, path, s));
    else if (strcmp(key, "threads") == 0) HP_TRY(read_number(k, path, s));
    else if (strcmp(key, "gpus") == 0) HP_TRY(read_gpus(k, path, s));
    else if (strcmp(key, "name") != 0)
      return wrong(path, s, "not a key of a case: these are name, set, backend, threads and gpus");
  }
  return HP_OK;
}

static hp_status read_file(hp_compare_list *list, const char *path, config_t *tree) {
  if (config_read_file(tree, path) != CONFIG_TRUE)
    return config_error_type(tree) == CONFIG_ERR_FILE_IO
               ? hp_fail(HP_ERR_USAGE, "--cases %s: %s", path,
                         access(path, R_OK) != 0 && errno != ENOENT ? strerror(errno)
                                                                    : "no such file, or it cannot be read")
               : hp_fail(HP_ERR_USAGE, "%s:%d: %s", path, config_error_line(tree), config_error_text(tree));
  const config_setting_t *root = config_root_setting(tree);
  for (int n = 0; n < config_setting_length(root); ++n) {
    const config_setting_t *s = config_setting_get_elem(root, (unsigned)n);
    if (strcmp(config_setting_name(s), "compare") != 0)
      return wrong(path, s, "not a key of this file: it has `compare`");
  }
  const config_setting_t *cases = config_setting_get_member(root, "compare");
  if (cases == NULL || !config_setting_is_list(cases))
    return hp_fail(HP_ERR_USAGE, "%s: expected compare = ( { name = \"...\"; set = \"key=value\"; }, ... );", path);
  for (int n = 0; n < config_setting_length(cases); ++n)
    HP_TRY(end_case(list, read_entry(list, path, config_setting_get_elem(cases, (unsigned)n))));
  return HP_OK;
}

hp_status hp_compare_add_file(hp_compare_list *list, const char *path) {
  config_t tree;
  config_init(&tree);
  const hp_status s = read_file(list, path, &tree);
  config_destroy(&tree);
  return s;
}

/* ---- what a case is ---- */

int hp_compare_settings(const hp_compare *C, int n, const char **out) {
  const hp_compare_case *k = &C->list.of[n];
  int count = 0;
  for (int m = 0; m < C->nset && count < HP_COMPARE_SETS; ++m) out[count++] = C->set[m];
  for (int m = 0; m < k->nset && count < HP_COMPARE_SETS; ++m) out[count++] = k->set[m];
  return count;
}

hp_status hp_compare_describe(const hp_compare_case *k, char **out) {
  hp_text t = {0};
  hp_text_add(&t, "%s", "");
  if (k->backend >= 0) hp_text_add(&t, "backend=%s ", hp_backend_name((hp_backend_kind)k->backend));
  if (k->threads > 0) hp_text_add(&t, "threads=%d ", k->threads);
  if (k->gpus != NULL) hp_text_add(&t, "gpus=%s ", k->gpus);
  for (int n = 0; n < k->nset; ++n) hp_text_add(&t, "%s ", k->set[n]);
  if (t.status == HP_OK && t.length > 0) t.s[t.length - 1] = '\0';
  *out = t.s;
  return t.status;
}

hp_backend_kind hp_compare_backend(const hp_compare *C, int n) {
  return C->list.of[n].backend >= 0 ? (hp_backend_kind)C->list.of[n].backend : C->backend;
}

hp_status hp_compare_available(const hp_compare *C, int n) {
  return hp_ranks_agree(hp_ranks_world(), hp_backend_available(hp_compare_backend(C, n)));
}

int hp_compare_threads(const hp_compare *C, int n) {
  return C->list.of[n].threads > 0 ? C->list.of[n].threads : C->threads;
}

const hp_device_options *hp_compare_device(const hp_compare *C, int n) {
  return C->list.of[n].device.gpus != 0 ? &C->list.of[n].device : &C->device;
}

const char *hp_compare_linear(const hp_compare *C, int n, const hp_case *c, hp_linear_options *out) {
  const char *refusal = hp_backend_linear(hp_compare_backend(C, n), c, out);
  const int together = hp_ranks_world() == NULL ? hp_compare_device(C, n)->gpus : 0; /* ranks: one by one */
  return refusal != NULL ? refusal : hp_linear_gpus_refusal(together, out);
}
