#include "core/device/pages.h"

#include "core/team/share.h"

hp_owned hp_owned_plain(int64_t count, size_t size) {
  const hp_owned a = {count, count, (int64_t)size, count * (int64_t)size, 1, 0};
  return a;
}

int64_t hp_owned_bytes(const hp_owned *a) { return a->planes * a->stride + a->rest; }

int64_t hp_owned_stride(int64_t count, size_t size, int64_t page, bool always) {
  const int64_t items = page / (int64_t)size;
  return always || count >= items ? (count + 2 * items - 1) / items * items : count;
}

/* The GPU of item i: the last one whose share begins at it or before. */
static int owner_of(const hp_cut *c, int64_t i, int gpus) {
  int gpu = gpus - 1;
  while (gpu > 0 && hp_cut_begin(c, hp_cut_share(c, gpu, gpus)) > i) --gpu;
  return gpu;
}

/* at / whole of count, without a product beyond 64 bits. */
static int64_t in_proportion(int64_t at, int64_t whole, int64_t count) {
  return at / whole * count + (int64_t)((double)(at % whole) / (double)whole * (double)count);
}

int hp_owned_gpu(const hp_owned *a, int64_t at, int gpus) {
  if (gpus <= 1) return 0;
  const int64_t planes = a->planes * a->stride;
  const hp_cut c = hp_cut_of(a->split, a->count);
  const int64_t i = at < planes ? at % a->stride / a->size : in_proportion(at - planes, a->rest, a->split);
  /* between two planes: of the nearer one */
  if (i >= c.total && at < planes - a->stride && 2 * (i - c.total) * a->size >= a->stride - c.total * a->size) return 0;
  return owner_of(&c, i < c.total ? i : c.total - 1, gpus);
}

int64_t hp_owned_lead(const hp_owned *a, int gpus, int64_t page) {
  enum { ALIGNMENT = 256 };
  if (gpus <= 1 || (a->planes > 1 && a->stride % page != 0)) return 0;
  const hp_cut c = hp_cut_of(a->split, a->count);
  const int64_t first = hp_cut_begin(&c, hp_cut_share(&c, gpus / 2, gpus));
  const int64_t border = a->planes > 0 ? first * a->size : in_proportion(first, a->split, a->rest);
  return (page - border % page) % page / ALIGNMENT * ALIGNMENT;
}

/* The GPU of the page that begins at `at`, which is below 0 if a lead is in it. */
static int gpu_of_page(const hp_owned *a, int64_t at, int gpus, int64_t page) {
  const int64_t bytes = hp_owned_bytes(a), from = at > 0 ? at : 0, end = at + page < bytes ? at + page : bytes;
  return hp_owned_gpu(a, from + (end - from) / 2, gpus);
}

int64_t hp_owned_pieces(const hp_owned *a, int gpus, int64_t page, int64_t most, hp_device_piece *piece) {
  const int64_t lead = hp_owned_lead(a, gpus, page), bytes = lead + hp_owned_bytes(a);
  int64_t count = 0, pages = 0;
  int last = -1;
  for (int64_t at = 0; at < bytes; at += page) {
    const int gpu = gpu_of_page(a, at - lead, gpus, page);
    const bool begins = gpu != last || (most > 0 && pages == most);
    if (begins && piece != NULL) piece[count] = (hp_device_piece){at, 0, gpu};
    count += begins;
    pages = begins ? 1 : pages + 1;
    if (piece != NULL) piece[count - 1].bytes += page;
    last = gpu;
  }
  return count;
}

int64_t hp_piece_of(const hp_device_piece *piece, int64_t count, int64_t at) {
  int64_t low = 0, high = count - 1;
  while (low < high) {
    const int64_t middle = low + (high - low + 1) / 2;
    if (piece[middle].at <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

bool hp_owned_is_spread(const hp_owned *a, int gpus, int64_t page) {
  return gpus > 1 && hp_owned_bytes(a) >= page / 16;
}

void hp_owned_add_bytes(const hp_owned *a, int gpus, int64_t page, int64_t *bytes) {
  const int64_t whole = hp_owned_bytes(a), lead = hp_owned_lead(a, gpus, page);
  if (!hp_owned_is_spread(a, gpus, page)) {
    bytes[0] += whole;
    return;
  }
  for (int64_t at = -lead; at < whole; at += page) bytes[gpu_of_page(a, at, gpus, page)] += page;
}
