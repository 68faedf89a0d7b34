/* The GPUs of a team: what --gpus takes, which of them there are, which of several ranks has which, how they are named. No GPU is
 * needed. */
#include <string.h>

#include "core/device/device.h"
#include "tests/support/check.h"

static void parses(const char *text, int count, const int *gpu) {
  int found[HP_GPUS_MAX], n = 0;
  CHECK(hp_device_parse_gpus(text, HP_GPUS_MAX, found, &n));
  CHECK(n == count);
  for (int g = 0; g < count && g < n; ++g) CHECK(found[g] == gpu[g]);
}

static void test_parse(void) {
  parses("1", 1, (int[]){0});
  parses("3", 3, (int[]){0, 1, 2});
  parses("8", 8, (int[]){0, 1, 2, 3, 4, 5, 6, 7});
  parses("0,1", 2, (int[]){0, 1});
  parses("0,0", 2, (int[]){0, 0});
  parses("3,1,2", 3, (int[]){3, 1, 2});
  parses("all", HP_DEVICE_ALL_GPUS, NULL);
  static const char *const wrong[] = {"",   "0",  "9",    "-1",   "2x",  "two", "ALL",
                                      ",1", "0,", "0,,1", "0,-1", "x,1", "0;1", "0,1,2,3,4,5,6,7,8"};
  for (size_t n = 0; n < sizeof wrong / sizeof *wrong; ++n) {
    int found[HP_GPUS_MAX], count;
    CHECK(!hp_device_parse_gpus(wrong[n], HP_GPUS_MAX, found, &count));
  }
}

static void test_choose(void) {
  hp_device_options none = {.ordinal = 1};
  CHECK_OK(hp_device_choose_gpus(&none, 2));
  CHECK(none.gpus == 1 && none.gpu[0] == 1 && none.ordinal == 1);
  hp_device_options all = {.gpus = HP_DEVICE_ALL_GPUS};
  CHECK_OK(hp_device_choose_gpus(&all, 4));
  CHECK(all.gpus == 4 && all.gpu[0] == 0 && all.gpu[3] == 3);
  hp_device_options list = {.gpus = 2, .gpu = {3, 1}};
  CHECK_OK(hp_device_choose_gpus(&list, 4));
  CHECK(list.gpus == 2 && list.ordinal == 3);
  CHECK(hp_device_choose_gpus(&list, 3) == HP_ERR_USAGE);
  CHECK(strstr(hp_fail_text(), "GPU 3 was asked for, but there are 3") != NULL);
  hp_device_options two = {.gpus = 2, .gpu = {0, 1}};
  CHECK(hp_device_choose_gpus(&two, 1) == HP_ERR_USAGE);
  CHECK(strstr(hp_fail_text(), "GPU 1 was asked for, but there is 1") != NULL);
  hp_device_options many = {.gpus = HP_DEVICE_ALL_GPUS};
  CHECK(hp_device_choose_gpus(&many, HP_GPUS_MAX + 1) == HP_ERR_USAGE);
  CHECK(strstr(hp_fail_text(), "at most 8") != NULL);
}

static void test_different(void) {
  int out[4];
  CHECK(hp_device_different_gpus(4, (int[]){2, 0, 2, 0}, out) == 2 && out[0] == 2 && out[1] == 0);
  CHECK(hp_device_different_gpus(1, (int[]){3}, out) == 1 && out[0] == 3);
}

static void test_names(void) {
  char text[128];
  hp_device_name_gpus(1, (int[]){2}, "Some GPU", text, sizeof text);
  CHECK(strcmp(text, "GPU Some GPU") == 0);
  hp_device_name_gpus(3, (int[]){2, 0, 0}, "Some GPU", text, sizeof text);
  CHECK(strcmp(text, "GPUs 2, 0, 0 (Some GPU)") == 0);
}

/* The GPU of rank `number` of `count`, which is not that of a team. */
static void has(const hp_device_options *all, int visible, int number, int count, int gpu) {
  hp_device_options mine;
  CHECK_OK(hp_device_of_rank(all, visible, number, count, &mine));
  CHECK(mine.gpus == 1 && mine.gpu[0] == gpu && mine.ordinal == gpu);
}

static void refuses(const hp_device_options *all, int visible, int count, const char *words) {
  for (int number = 0; number < count; ++number) {
    hp_device_options mine;
    CHECK(hp_device_of_rank(all, visible, number, count, &mine) == HP_ERR_USAGE);
    CHECK(strstr(hp_fail_text(), words) != NULL);
  }
}

static void test_ranks(void) {
  const hp_device_options none = {.gpus = 0}, two = {.gpus = 2, .gpu = {0, 1}}, four = {.gpus = 4, .gpu = {3, 1, 0, 2}},
                          all = {.gpus = HP_DEVICE_ALL_GPUS};
  for (int number = 0; number < 5; ++number) { /* in turn */
    has(&none, 3, number, 5, number % 3);
    has(&all, 3, number, 5, number % 3);
    has(&two, 3, number, 5, number % 2);
    has(&four, 4, number, 5, four.gpu[number % 4]);
  }
  has(&none, 6, 1, 2, 1); /* nobody asked for the others */
  has(&two, 6, 1, 2, 1);
  refuses(&two, 6, 1, "--gpus: 2 GPUs for 1 rank of a host, which has one each: start as many ranks as GPUs");
  refuses(&four, 4, 3, "4 GPUs for 3 ranks of a host, which have one each");
  refuses(&all, 4, 2, "4 GPUs for 2 ranks of a host");
}

int main(void) {
  test_parse();
  test_choose();
  test_different();
  test_ranks();
  test_names();
  return check_result();
}
