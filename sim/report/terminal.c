#define _DEFAULT_SOURCE
#include "sim/report/terminal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/ranks/ranks.h"
#include "sim/simulator/simulator.h"

void hp_terminal_check_reader(int fd) {
  hp_ranks *K = hp_ranks_world();
  if (K != NULL && hp_ranks_drop_unread(K, fd) && hp_sim_interrupted == 0) hp_sim_interrupted = HP_SIM_UNREAD;
}

static bool is_set(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != '\0';
}

/* The locale of letters, as setlocale looks for it. */
static bool is_utf8(void) {
  static const char *const name[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t n = 0; n < sizeof name / sizeof name[0]; ++n) {
    if (!is_set(name[n])) continue;
    const char *dot = strchr(getenv(name[n]), '.');
    return dot != NULL && (strncasecmp(dot + 1, "utf-8", 5) == 0 || strncasecmp(dot + 1, "utf8", 4) == 0);
  }
  return false;
}

hp_terminal hp_terminal_look(int when) {
  const bool able = isatty(STDERR_FILENO) && is_set("TERM") && strcmp(getenv("TERM"), "dumb") != 0;
  return (hp_terminal){
      .bar = when == 1 || (when != 0 && able), .colour = able && !is_set("NO_COLOR"), .blocks = is_utf8()};
}

int hp_terminal_columns(void) {
  struct winsize size;
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

/* Appends bytes of which `letters` are seen. */
static void put(hp_line *l, int colour, int letters, const char *text) {
  const bool painted = l->colour && colour != 0;
  const int n = painted ? snprintf(l->text + l->used, sizeof l->text - l->used, "\033[%dm%s\033[0m", colour, text)
                        : snprintf(l->text + l->used, sizeof l->text - l->used, "%s", text);
  if (n > 0 && (size_t)n < sizeof l->text - l->used) {
    l->used += (size_t)n;
    l->letters += letters;
  } else {
    l->text[l->used] = '\0';
  }
}

bool hp_line_add(hp_line *l, int reserve, int colour, const char *fmt, ...) {
  char piece[256];
  va_list ap;
  va_start(ap, fmt);
  const int n = vsnprintf(piece, sizeof piece, fmt, ap);
  va_end(ap);
  if (n < 0 || n >= (int)sizeof piece || l->letters + n + reserve > l->room) return false;
  put(l, colour, n, piece);
  return true;
}

void hp_line_add_spark(hp_line *l, bool blocks, int colour, int n, const double *value) {
  static const char *const block[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static const char *const plain[] = {"_", ".", "-", "=", "+", "*", "#", "@"};
  char text[512] = "";
  for (int i = 0; i < n; ++i) {
    const int level = value[i] > 0.0 ? (int)(8.0 * value[i]) : 0;
    if (isnan(value[i])) strcat(text, blocks ? "░" : "~");
    else strcat(text, (blocks ? block : plain)[level > 7 ? 7 : level]);
    if (strlen(text) + 4 >= sizeof text) break;
  }
  put(l, colour, n, text);
}
