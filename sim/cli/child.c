#define _XOPEN_SOURCE 700
#include "sim/cli/child.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/rehearse.h"
#include "core/show.h"
#include "io/files/text.h"
#include "io/results/output.h"
#include "sim/cli/cli.h"

static bool is_program(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

bool hp_child_find(const char *program) {
  const char *at = getenv("PATH");
  if (strchr(program, '/') != NULL) return is_program(program);
  while (at != NULL && *at != '\0') {
    char path[4096];
    const size_t length = strcspn(at, ":");
    const int n = length > 0 ? snprintf(path, sizeof path, "%.*s/%s", (int)length, at, program)
                             : snprintf(path, sizeof path, "./%s", program);
    if (n > 0 && (size_t)n < sizeof path && is_program(path)) return true;
    at += length + (at[length] == ':');
  }
  return false;
}

hp_status hp_child_add(char **argv, int *n, const char *option, const char *value) {
  if (value == NULL) return HP_OK;
  HP_TRY(hp_format(&argv[*n], "%s=%s", option, value));
  *n += 1;
  return HP_OK;
}

int hp_child_run(char *const *argv) {
  fflush(NULL);
  const pid_t child = fork();
  if (child < 0) {
    fprintf(stderr, "hepta: cannot start %s: %s\n", argv[0], strerror(errno));
    return HP_EXIT_FAILED;
  }
  if (child == 0) {
    execvp(argv[0], argv);
    _exit(HP_CHILD_MISSING);
  }
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return HP_EXIT_FAILED;
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  fprintf(stderr, "hepta: %s was ended by signal %d\n", argv[0], WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  return HP_EXIT_FAILED;
}

/* ---- pictures ---- */

/* From the folder of the installed program to that of the script (CMakeLists.txt). */
#ifndef HEPTA_DATA_FROM_BIN
#define HEPTA_DATA_FROM_BIN "../share/hepta"
#endif

enum { PATH_LENGTH = 4096 };
enum { NO_H5PY = 69, NO_MATPLOTLIB = 70, NO_PYTHON = HP_CHILD_MISSING }; /* exit codes */

/* Beside the program in a build folder, or where it was installed with it. */
static bool find_script(char *out, size_t size) {
  static const char *const place[] = {"share/hepta", HEPTA_DATA_FROM_BIN};
  char folder[PATH_LENGTH];
  const ssize_t n = readlink("/proc/self/exe", folder, sizeof folder - 1);
  if (n <= 0) return false;
  folder[n] = '\0';
  *strrchr(folder, '/') = '\0';
  for (size_t p = 0; p < sizeof place / sizeof *place; ++p) {
    const int length = snprintf(out, size, "%s/%s/plot/plot.py", folder, place[p]);
    if (length > 0 && (size_t)length < size && access(out, R_OK) == 0) return true;
  }
  return false;
}

int hp_child_draw(const char *command, char **argv) {
  char script[PATH_LENGTH + 64];
  const char *chosen = getenv("HEPTA_PYTHON");
  const char *const python[] = {chosen != NULL && chosen[0] != '\0' ? chosen : "python3", "/usr/bin/python3"};
  const int count = chosen != NULL && chosen[0] != '\0' ? 1 : 2;
  int code[2] = {0};
  if (!find_script(script, sizeof script)) {
    fprintf(stderr,
            "hepta %s: plot/plot.py is neither in share/hepta beside the program nor in %s: install the program with "
            "cmake --install, or keep it in its build folder\n",
            command, HEPTA_DATA_FROM_BIN);
    return HP_EXIT_FAILED;
  }
  argv[1] = script;
  for (int n = 0; n < count; ++n) {
    argv[0] = (char *)python[n];
    code[n] = hp_child_run(argv);
    if (code[n] != NO_PYTHON && code[n] != NO_H5PY && code[n] != NO_MATPLOTLIB) return code[n];
  }
  fprintf(stderr, "hepta %s: needs python3 with h5py and matplotlib, and found", command);
  for (int n = 0; n < count; ++n)
    fprintf(stderr, "%s %s %s", n > 0 ? "," : "", code[n] == NO_PYTHON ? "no" : python[n],
            code[n] == NO_PYTHON ? python[n]
            : code[n] == NO_H5PY ? "without h5py"
                                 : "without matplotlib");
  fputs(
      ".\nDebian, Ubuntu: apt install python3 python3-h5py python3-matplotlib; elsewhere: python3 -m pip install h5py "
      "matplotlib.\nHEPTA_PYTHON names another Python.\n",
      stderr);
  return HP_EXIT_FAILED;
}

/* ---- a rehearsal ---- */

/* The size of the result with that master: its files, and the bytes of master, grid and the largest one for a step. */
typedef struct {
  long files, bytes;
} extent;

static void add_size(const char *path, extent *e) {
  struct stat st;
  if (stat(path, &st) == 0) e->bytes += (long)st.st_size;
}

static extent measure(const char *master) {
  extent e = {0, 0};
  char path[4096];
  const size_t length = strlen(master),
               stem = length > 3 && strcmp(master + length - 3, ".h5") == 0 ? length - 3 : length;
  snprintf(path, sizeof path, "%.*s.h5", (int)stem, master);
  add_size(path, &e);
  snprintf(path, sizeof path, "%.*s.grid.h5", (int)stem, master);
  add_size(path, &e);
  snprintf(path, sizeof path, "%.*s.steps", (int)stem, master);
  DIR *dir = opendir(path);
  off_t largest = 0;
  for (struct dirent *entry; dir != NULL && (entry = readdir(dir)) != NULL; ++e.files) {
    struct stat st;
    if (fstatat(dirfd(dir), entry->d_name, &st, 0) == 0 && st.st_size > largest) largest = st.st_size;
  }
  if (dir != NULL) closedir(dir);
  e.bytes += (long)largest;
  return e;
}

hp_status hp_child_rehearse(const char *path, void (*work)(void *arg), void *arg) {
  const extent e = measure(path);
  const hp_rehearsal went = hp_rehearse(e.bytes, e.files, work, arg);
  if (went == HP_REHEARSED) return HP_OK;
  if (went == HP_REHEARSAL_MEMORY)
    return hp_fail(HP_ERR_MEMORY,
                   "%s: out of memory: reading it, or a file that belongs to it, takes more than there is, "
                   "or it is damaged",
                   path);
  return hp_fail(HP_ERR_USAGE, "%s, or a file that belongs to it, is damaged: reading it %s; run its deck again", path,
                 hp_rehearsal_text(went));
}

static void try_result(void *path) { hp_output_try(path); }

void hp_child_note_unlisted(const char *path, bool listed) {
  if (listed) return;
  fprintf(stderr,
          "hepta: note: %s: an earlier version wrote it, without checksums: damage to its numbers may not show\n",
          hp_show(path).s);
}

hp_status hp_child_try_result(const char *path, bool fields) {
  bool listed;
  HP_TRY(hp_child_rehearse(path, try_result, (void *)path));
  HP_TRY(hp_output_verify(path, fields, &listed));
  hp_child_note_unlisted(path, listed);
  return HP_OK;
}
