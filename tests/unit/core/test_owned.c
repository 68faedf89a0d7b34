/* Memory by owner: pages of arrays on several GPUs, against the loops that own them. */
#include <stdlib.h>
#include <string.h>

#include "core/device/pages.h"
#include "core/memory.h"
#include "core/team/share.h"
#include "tests/support/check.h"

enum { PAGE = HP_PAGE_BYTES };

/* Who has index i of a loop over n, split at `split`: chunk by chunk, as the GPUs walk through them. */
static void walk(int64_t n, int64_t split, int gpus, uint8_t *owner) {
  const hp_cut c = hp_cut_of(split, n);
  memset(owner, 0xff, (size_t)n);
  for (int gpu = 0; gpu < gpus; ++gpu)
    for (int chunk = hp_cut_share(&c, gpu, gpus); chunk < hp_cut_share(&c, gpu + 1, gpus) && chunk < c.chunks; ++chunk)
      for (int64_t i = hp_cut_begin(&c, chunk); i < hp_cut_end(&c, chunk); ++i) {
        CHECK(owner[i] == 0xff);
        owner[i] = (uint8_t)gpu;
      }
}

static void test_owners(int64_t n, int64_t split, int gpus) {
  uint8_t *owner = NULL;
  CHECK_OK(HP_ALLOC(owner, n));
  walk(n, split, gpus, owner);
  const hp_owned a = {n, split, 8, split * 8, 3, 0};
  int64_t wrong = 0;
  for (int64_t plane = 0; plane < a.planes; ++plane)
    for (int64_t i = 0; i < split; i += 1 + i / 7 % 5)
      wrong += hp_owned_gpu(&a, plane * a.stride + 8 * i + 3, gpus) != owner[i];
  CHECK(wrong == 0);
  HP_FREE(owner);
}

static int64_t sum(const int64_t *v, int count) {
  int64_t s = 0;
  for (int n = 0; n < count; ++n) s += v[n];
  return s;
}

static void test_pieces(const hp_owned *a, int gpus, int64_t most) {
  const int64_t lead = hp_owned_lead(a, gpus, PAGE), bytes = lead + hp_owned_bytes(a),
                count = hp_owned_pieces(a, gpus, PAGE, most, NULL);
  hp_device_piece *piece = NULL;
  int64_t on[HP_GPUS_MAX] = {0}, counted[HP_GPUS_MAX] = {0};
  CHECK_OK(HP_ALLOC(piece, count));
  CHECK(hp_owned_pieces(a, gpus, PAGE, most, piece) == count);
  CHECK(lead >= 0 && lead < PAGE && lead % 256 == 0);
  int64_t at = 0;
  for (int64_t n = 0; n < count; ++n) {
    CHECK(piece[n].at == at && piece[n].bytes > 0 && piece[n].bytes % PAGE == 0);
    CHECK(most == 0 || piece[n].bytes <= most * PAGE);
    CHECK(most > 0 || n == 0 || piece[n].gpu != piece[n - 1].gpu);
    for (int64_t p = at; p < at + piece[n].bytes; p += PAGE) {
      const int64_t middle = p + PAGE / 2 < bytes ? p + PAGE / 2 : bytes - 1;
      if (p >= lead && p + PAGE <= bytes) CHECK(hp_owned_gpu(a, middle - lead, gpus) == piece[n].gpu);
      CHECK(hp_piece_of(piece, count, p) == n && hp_piece_of(piece, count, p + PAGE - 1) == n);
    }
    on[piece[n].gpu] += piece[n].bytes;
    at += piece[n].bytes;
  }
  CHECK(at >= bytes && at < bytes + PAGE);
  hp_owned_add_bytes(a, gpus, PAGE, counted);
  if (!hp_owned_is_spread(a, gpus, PAGE)) {
    CHECK(counted[0] == bytes - lead && sum(counted, gpus) == bytes - lead);
  } else {
    for (int g = 0; g < gpus; ++g) CHECK(counted[g] == on[g]);
    /* a page a border of each plane, and what chunks are uneven by: a group of 260 */
    const int64_t even = bytes / gpus, off = (a->planes + 1) * PAGE + bytes / 260 + PAGE;
    for (int g = 0; g < gpus; ++g) CHECK(llabs(on[g] - even) <= off);
  }
  HP_FREE(piece);
}

/* Of two GPUs each has all that it owns, where the planes are whole pages apart or there is one. */
static void test_lead(const hp_owned *a) {
  const int64_t lead = hp_owned_lead(a, 2, PAGE), count = hp_owned_pieces(a, 2, PAGE, 0, NULL);
  hp_device_piece *piece = NULL;
  int64_t wrong = 0;
  CHECK_OK(HP_ALLOC(piece, count));
  (void)hp_owned_pieces(a, 2, PAGE, 0, piece);
  for (int64_t plane = 0; plane < a->planes; ++plane)
    for (int64_t i = 0; i < a->count; i += 1 + i % 61) {
      const int64_t at = plane * a->stride + i * a->size;
      wrong += piece[hp_piece_of(piece, count, lead + at)].gpu != hp_owned_gpu(a, at, 2);
    }
  CHECK(wrong == 0);
  HP_FREE(piece);
}

/* Long loops: of four GPUs each has all pages of what it owns, and none is a page of two, in planes of numbers in double
 * precision; shares differ by a 32nd of an even one at most. */
static void test_four(int64_t n) {
  enum { GPUS = 4 };
  const hp_owned a = {n + 5, n, 8, 8 * hp_owned_stride(n, 8, PAGE, true), 2, 0};
  const int64_t lead = hp_owned_lead(&a, GPUS, PAGE);
  const hp_cut c = hp_cut_of(n, n + 5);
  for (int gpu = 1; gpu < GPUS; ++gpu) {
    const int64_t begin = hp_cut_begin(&c, hp_cut_share(&c, gpu, GPUS));
    CHECK((lead + 8 * begin) % PAGE == 0);
    CHECK(llabs(begin - n * gpu / GPUS) <= n / GPUS / 32 + HP_LANES);
    /* what is distributed as rows: cells, bricks of some of them */
    CHECK(llabs(2 * hp_cut_share_free(n / 2, n, gpu, GPUS) - begin) <= 2);
    CHECK(llabs(1000 * hp_cut_share_free(n / 1000, n, gpu, GPUS) - begin) <= 2000);
    if (n / 2 >= HP_CUT_PARTED) CHECK(llabs(2 * hp_cut_share_free(n / 2, n / 2, gpu, GPUS) - begin) <= 2 * HP_LANES);
  }
  for (int gpus = 2; gpus <= HP_GPUS_MAX; ++gpus) /* free loops are shared as owned ones, to a group of chunks */
    for (int gpu = 0; gpu <= gpus; ++gpu) {
      const int64_t owned = gpu < gpus ? hp_cut_begin(&c, hp_cut_share(&c, gpu, gpus)) : n;
      CHECK(llabs(hp_cut_share_free(n, n, gpu, gpus) - owned) <= HP_GROUP * c.length);
    }
  for (int64_t i = 0; i < n; i += 1 + i % 9973) {
    const int chunk = hp_cut_chunk_of(&c, i);
    CHECK(i >= hp_cut_begin(&c, chunk) && i < hp_cut_end(&c, chunk));
  }
}

int main(void) {
  test_four(HP_CUT_PARTED);
  test_four(17952000);
  test_four(71808000);
  test_four(INT64_C(1000000002));
  const int64_t size[] = {1, 511, 512, 70000, 1122000, 2244005, 8976000};
  for (size_t n = 0; n < sizeof size / sizeof *size; n += (size_t)check_every(3))
    for (int gpus = 1; gpus <= HP_GPUS_MAX; gpus += 3) {
      test_owners(size[n], size[n], gpus);
      if (size[n] > 100) test_owners(size[n], size[n] - 5, gpus);
    }
  for (int gpus = 1; gpus <= HP_GPUS_MAX; ++gpus)
    for (int64_t most = 0; most <= 3; ++most) {
      const hp_owned vector = hp_owned_plain(8976000, 8), small = hp_owned_plain(1000, 4);
      const hp_owned matrix = {2244005, 2244000, 8, 2244000 * 8, 14, 0};
      const hp_owned work = {2244005, 2244000, 8, 2244032 * 8, 9, 40000000};
      test_pieces(&vector, gpus, most);
      test_pieces(&small, gpus, most);
      test_pieces(&matrix, gpus, most);
      test_pieces(&work, gpus, most);
    }
  for (int64_t n = 140000; n < 9000000; n = 3 * n + 7919) {
    const hp_owned doubles = hp_owned_plain(n, 8), bytes = hp_owned_plain(n, 1);
    const hp_owned planes = {n + 5, n, 8, 8 * hp_owned_stride(n, 8, PAGE, true), 9, 0};
    const hp_owned singles = {n + 5, n, 4, 4 * hp_owned_stride(n, 4, PAGE, true), 7, 0};
    test_lead(&doubles);
    test_lead(&bytes);
    test_lead(&planes);
    test_lead(&singles);
  }
  CHECK(hp_owned_stride(1000, 8, PAGE, false) == 1000 && hp_owned_stride(1000, 8, PAGE, true) == 2 * PAGE / 8);
  CHECK(hp_owned_stride(PAGE / 8, 8, PAGE, false) == 2 * PAGE / 8);
  CHECK(hp_owned_stride(PAGE / 8 + 1, 8, PAGE, false) == 3 * PAGE / 8);
  /* 250 million cells of two unknowns: bytes beyond 32 bits */
  const hp_owned large = {500000000, 500000000, 8, 4000000000, 14, 0};
  int64_t on[2] = {0, 0};
  hp_owned_add_bytes(&large, 2, PAGE, on);
  CHECK(on[0] + on[1] >= 56000000000 && on[0] + on[1] < 56000000000 + PAGE && llabs(on[0] - on[1]) < 56000000000 / 100);
  return check_result();
}
