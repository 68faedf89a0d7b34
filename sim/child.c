#define _POSIX_C_SOURCE 200809L
#include "sim/child.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/text.h"
#include "sim/cli.h"

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
