/* hepta bench paper: runs the command of a table or figure of a paper and prints what it gives beside the paper's own
 * numbers. */
#define _POSIX_C_SOURCE 200809L
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/args.h"
#include "bench/bench.h"
#include "bench/paper/compare.h"
#include "core/memory.h"
#include "io/files/text.h"
#include "sim/backend/backend.h"
#include "sim/cli/cli.h"

static const char help[] =
    "usage: hepta bench paper [NAME] [options]\n\n"
    "Measures what a table or figure of a paper shows, and prints it beside the paper's numbers. Without NAME lists\n"
    "them.\n\n"
    "      --small            on small matrices, in seconds, without the paper's numbers\n"
    "      --csv FILE         the rows that were measured, as comma-separated values\n"
    "      --backend NAME     cpu or cuda (default cpu)\n"
    "      --threads N        of the CPU (default one per processor)\n"
    "  -h, --help\n";

enum { SMALL = 256, CSV, BACKEND, THREADS, WORDS = 64 };

typedef struct {
  bool small;
  const char *csv;
  hp_backend_kind backend;
  int threads; /* 0: not given */
} options;

static const struct option names[] = {{"small", no_argument, NULL, SMALL},
                                      {"csv", required_argument, NULL, CSV},
                                      {"backend", required_argument, NULL, BACKEND},
                                      {"threads", required_argument, NULL, THREADS},
                                      {"help", no_argument, NULL, 'h'},
                                      {NULL, 0, NULL, 0}};

static int set_option(int option, const char *text, void *arg) {
  options *o = arg;
  switch (option) {
    case SMALL: o->small = true; return HP_EXIT_OK;
    case CSV: o->csv = text; return HP_EXIT_OK;
    case BACKEND: return hp_backend_find(text, &o->backend) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
    case THREADS: return hp_args_whole(text, 1, HP_TEAM_MAX, &o->threads) ? HP_EXIT_OK : HP_ARGS_NOT_A_VALUE;
    default: return HP_ARGS_NOT_A_VALUE;
  }
}

static const hp_bench_args_syntax syntax = {"bench paper", help, names, true, set_option};

/* ---- the list ---- */

static int list(void) {
  int paper = -1;
  for (int n = 0; n < hp_paper_table_count; ++n) {
    const hp_paper_table *t = &hp_paper_tables[n];
    if (t->paper != paper)
      printf("%s%s (%s)\n", n > 0 ? "\n" : "", hp_papers[t->paper].authors, hp_papers[t->paper].machine);
    paper = t->paper;
    printf("  %-12s %-16s %s\n", t->name, t->of, t->title);
  }
  return HP_EXIT_OK;
}

static const char *table_name(int n) { return hp_paper_tables[n].name; }

/* ---- the measurement ---- */

/* The words of a command line; those of `text` are cut in place. */
typedef struct {
  char *word[WORDS + 1];
  int count;
  char threads[16];
} command;

static void add_words(command *c, char *text) {
  for (char *at = text; text != NULL && *at != '\0' && c->count < WORDS;) {
    c->word[c->count++] = at;
    at += strcspn(at, " ");
    if (*at != '\0') *at++ = '\0';
  }
}

static void add_option(command *c, const char *name, const char *value) {
  if (c->count + 2 > WORDS) return;
  c->word[c->count++] = (char *)name;
  c->word[c->count++] = (char *)value;
}

/* Runs the verb, its rows to the file `csv`; its exit code. */
static int measure(const hp_paper_table *t, const options *o, const char *csv) {
  command c = {.count = 0};
  char *text = NULL, *gpu = NULL;
  hp_status s = hp_format(&text, "%s %s", t->verb, o->small ? t->size : t->options);
  if (s == HP_OK && o->backend == HP_BACKEND_CUDA && t->gpu != NULL) s = hp_format(&gpu, "%s", t->gpu);
  printf("hepta bench %s%s%s --backend %s\n\n", s == HP_OK ? text : "", gpu != NULL ? " " : "", gpu != NULL ? gpu : "",
         hp_backend_name(o->backend));
  fflush(stdout);
  add_words(&c, text);
  add_words(&c, gpu);
  add_option(&c, "--backend", hp_backend_name(o->backend));
  add_option(&c, "--csv", csv);
  snprintf(c.threads, sizeof c.threads, "%d", o->threads);
  if (o->threads > 0) add_option(&c, "--threads", c.threads);
  optind = 0; /* a new command line */
  const int code = s == HP_OK ? hp_bench_find(t->verb)(c.count, c.word) : hp_cli_exit(s);
  HP_FREE(text);
  HP_FREE(gpu);
  return code;
}

/* ---- beside the paper ---- */

static void print_numbers(int count, double least, double largest, const char *unit) {
  char text[64] = "-";
  if (count > 0 && least == largest) snprintf(text, sizeof text, "%.4g", least);
  else if (count > 0) snprintf(text, sizeof text, "%.4g to %.4g", least, largest);
  printf("%20s %s\n", text, unit);
}

static hp_status compare(const hp_paper_table *t, const options *o, const char *csv) {
  hp_paper_rows R;
  HP_TRY(hp_paper_rows_read(csv, &R));
  const hp_paper *p = &hp_papers[t->paper];
  hp_status s = HP_OK;
  printf("\n%s of %s: %s\n", t->of, p->authors, t->title);
  printf("%-46s %-30s %16s\n", "", o->small ? "" : p->machine, "here");
  const bool other = o->small && t->small != NULL;
  for (int n = 0; n < (other ? t->smalls : t->lines) && s == HP_OK; ++n) {
    const hp_paper_line *l = other ? &t->small[n] : &t->line[n];
    int count;
    double least, largest;
    s = hp_paper_line_numbers(&R, l, &count, &least, &largest);
    if (s != HP_OK) break;
    printf("%-46s %-26s", l->label, o->small ? "" : l->paper);
    print_numbers(count, least, largest, l->unit);
  }
  if (p->note != NULL && s == HP_OK) printf("%s\n", p->note);
  hp_paper_rows_free(&R);
  return s;
}

/* A file for the rows that nobody asked for. */
static hp_status make_file(char **path) {
  const char *folder = getenv("TMPDIR");
  HP_TRY(hp_format(path, "%s/hepta-paper-XXXXXX", folder != NULL && *folder != '\0' ? folder : "/tmp"));
  const int fd = mkstemp(*path);
  if (fd < 0) return hp_fail(HP_ERR_FILE, "%s: no file can be made there; give --csv FILE", *path);
  close(fd);
  return HP_OK;
}

static int run(const hp_paper_table *t, const options *o) {
  char *own = NULL;
  if (o->csv == NULL) {
    const hp_status s = make_file(&own);
    if (s != HP_OK) {
      HP_FREE(own);
      return hp_cli_exit(s);
    }
  }
  const char *csv = o->csv != NULL ? o->csv : own;
  int code = measure(t, o, csv);
  if (code == HP_EXIT_OK) code = hp_cli_exit(compare(t, o, csv));
  if (own != NULL) (void)unlink(own);
  HP_FREE(own);
  return code;
}

int hp_bench_paper(int argc, char **argv) {
  options o = {.small = false};
  int code;
  if (!hp_bench_args_parse(&syntax, argc, argv, &o, &code)) return code;
  if (optind == argc && argc > 1) return hp_cli_usage_error("bench paper", "which table or figure?");
  if (optind == argc) return list();
  if (optind + 1 < argc) return hp_cli_usage_error("bench paper", "one table or figure at a time");
  const int n = hp_args_find(argv[optind], table_name, hp_paper_table_count);
  if (n < 0)
    return hp_cli_usage_error("bench paper", "%s: no such table or figure; 'hepta bench paper' lists them",
                              argv[optind]);
  return run(&hp_paper_tables[n], &o);
}
