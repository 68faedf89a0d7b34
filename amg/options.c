/* The choices of multigrid by name, their defaults, and which make no sense. */
#include <string.h>

#include "core/show.h"

#include "amg/amg.h"

static const char *const coarsening_names[] = {
#define TEXT_OF(name, text, ...) text,
    HP_AMG_COARSENING_LIST(TEXT_OF)};
static const char *const interpolation_names[] = {HP_AMG_INTERPOLATION_LIST(TEXT_OF)};
static const char *const smoother_names[] = {HP_AMG_SMOOTHER_LIST(TEXT_OF)};
static const char *const format_names[] = {HP_AMG_FORMAT_LIST(TEXT_OF) "auto"};
#undef TEXT_OF

HP_WORD_OF(hp_amg_coarsening_name, hp_amg_coarsening, coarsening_names)
HP_WORD_OF(hp_amg_interpolation_name, hp_amg_interpolation, interpolation_names)
HP_WORD_OF(hp_amg_smoother_name, hp_amg_smoother, smoother_names)
HP_WORD_OF(hp_amg_format_name, hp_amg_format_kind, format_names)

bool hp_amg_is_plain(const hp_amg_options *opt) {
  return opt->format == HP_AMG_FORMAT_HEC || opt->format == HP_AMG_FORMAT_CSR;
}

bool hp_amg_smoother_is_diagonal(hp_amg_smoother s) {
  return s == HP_AMG_JACOBI || s == HP_AMG_DAMPED_JACOBI || s == HP_AMG_L1_JACOBI || s == HP_AMG_SPAI0;
}

hp_amg_options hp_amg_default_options(void) {
  const hp_amg_options opt = {.coarsening = HP_AMG_PMIS,
                              .interpolation = HP_AMG_EXTENDED,
                              .smoother = HP_AMG_HYBRID,
                              .cycle = HP_AMG_V,
                              .strength = 0.25,
                              .max_weights = 4,
                              .damping = 2.0 / 3.0,
                              .block = 4,
                              .order = 2,
                              .domain = 2048,
                              .domains = 16,
                              .slice = 1,
                              .format = HP_AMG_FORMAT_AUTO,
                              .pre = 1,
                              .post = 1,
                              .coarsest = 64,
                              .max_levels = HP_AMG_LEVELS_MAX,
                              .one_gpu_rows = -1,
                              .seed = 1};
  return opt;
}

void hp_amg_choices(const hp_amg_options *opt, hp_choices *out) {
  out->of[HP_CHOICE_COARSENING] = hp_amg_coarsening_name(opt->coarsening);
  out->of[HP_CHOICE_SMOOTHER] = hp_amg_smoother_name(opt->smoother);
  out->of[HP_CHOICE_FORMAT] = hp_amg_format_name(opt->format);
}

const char *hp_amg_refusal(const hp_amg_options *o, hp_solver_place place) {
  if ((unsigned)o->coarsening >= HP_AMG_COARSENING_COUNT) return "unknown coarsening";
  if ((unsigned)o->interpolation >= HP_AMG_INTERPOLATION_COUNT) return "unknown interpolation";
  if ((unsigned)o->smoother >= HP_AMG_SMOOTHER_COUNT) return "unknown smoother";
  if ((unsigned)o->cycle > HP_AMG_F) return "unknown cycle";
  if (!(o->strength >= 0.0 && o->strength < 1.0)) return "the threshold of strength must be at least 0 and below 1";
  if (!(o->truncation >= 0.0 && o->truncation < 1.0))
    return "the truncation of interpolation must be at least 0 and below 1";
  if (!(o->damping > 0.0 && o->damping < 2.0)) return "the damping must be between 0 and 2";
  if (o->block < 1 || o->block > HP_GH_Q_MAX) return "blocks must have 1 to 16 rows";
  if (o->order < 1 || o->order > HP_AMG_ORDER_MAX) return "the degree of the polynomial must be 1 to 16";
  if (o->domain < 1 || o->domains < 1) return "the number of domains and of their rows must be at least 1";
  if ((unsigned)o->precision >= HP_PRECISION_COUNT) return "unknown precision";
  if (o->slice < 1 || o->slice > 1024 || (o->slice & (o->slice - 1)) != 0)
    return "slices must have 1, 2, 4, ... or 1024 rows";
  if ((unsigned)o->format > HP_AMG_FORMAT_AUTO) return "unknown format of the rows of levels";
  if (o->pre < 0 || o->post < 0 || o->pre + o->post < 1) return "a cycle needs at least one sweep";
  if (o->max_weights < 0 || o->coarsest < 1)
    return "the number of weights per row must not be negative, that of rows solved directly must be at least 1";
  if (o->max_levels < 1 || o->max_levels > HP_AMG_LEVELS_MAX) return "the number of levels must be 1 to 25";
  hp_choices choices = {.of = {[HP_CHOICE_PLACE] = hp_solver_place_words(place), [HP_CHOICE_AMG] = "own"}};
  hp_amg_choices(o, &choices);
  return hp_combination_refusal(&choices);
}

const char *hp_amg_readers(const hp_amg_options *o, const char *option) {
  const hp_amg_smoother s = o->smoother;
  const bool domains = s == HP_AMG_HYBRID || s == HP_AMG_SCHWARZ;
  const struct {
    const char *option;
    bool read;
    const char *readers;
  } options[] = {{"damping", s == HP_AMG_DAMPED_JACOBI || s == HP_AMG_BLOCK_JACOBI,
                  "the smoothers damped-jacobi and block-jacobi"},
                 {"order", s == HP_AMG_CHEBYSHEV, "the smoother chebyshev"},
                 {"block", s == HP_AMG_BLOCK_JACOBI || s == HP_AMG_BLOCK_GAUSS_SEIDEL,
                  "the smoothers block-jacobi and block-gauss-seidel"},
                 {"domain", domains, "the smoothers hybrid and schwarz"},
                 {"domains", domains, "the smoothers hybrid and schwarz"},
                 {"truncation", o->interpolation != HP_AMG_AVERAGING, /* whose weights are equal */
                  "the interpolations extended+i, classical and direct"},
                 {"seed", o->coarsening != HP_AMG_RS, "the coarsenings pmis, hmis and cljp"}};
  for (size_t n = 0; n < sizeof options / sizeof *options; ++n)
    if (strcmp(options[n].option, option) == 0 && !options[n].read) return options[n].readers;
  return NULL;
}
