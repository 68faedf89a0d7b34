/* A watch tells what the program is at, until it is stopped. */
#define _POSIX_C_SOURCE 200809L
#include "core/threads/stage.h"

#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "tests/support/check.h"

int main(void) {
  int end[2];
  char text[300] = "";
  hp_watch *watch = NULL;
  CHECK(pipe(end) == 0);
  hp_stage("making the grid");
  CHECK_OK(hp_watch_start(0.01, end[1], &watch));
  const ssize_t n = read(end[0], text, sizeof text - 1); /* waits for the first line */
  CHECK(n > 0 && strncmp(text, "... 0.01 s: making the grid\n", 28) == 0);
  hp_watch_stop(&watch);
  CHECK(watch == NULL && hp_memory_now() == 0);
  hp_watch_stop(&watch);
  close(end[1]);
  while (read(end[0], text, sizeof text) > 0) {
  }
  close(end[0]);
  return check_result();
}
