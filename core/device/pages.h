/* Memory by owner: arrays of a team on several GPUs, of which each GPU has the pages of what it owns.
 *
 *     a plane of `count` items        |      GPU 0      |      GPU 1      |     as a loop over them is cut (core/team/team.h)
 *     its pages                     [    |    |    |    |    |    |    |    ]   the lead before it puts a border on a page's
 *     their GPU                       0    0    0    0    1    1    1    1      that of the item in the page's middle
 *     pieces                        [         0         |         1         ]   neighbouring pages of one GPU
 *
 * Arithmetic alone, for core/device/cuda/pages.cu, which makes a piece one allocation of its GPU, for predictions and for tests.
 */
#ifndef HP_CORE_DEVICE_PAGES_H
#define HP_CORE_DEVICE_PAGES_H

#include "core/status.h"
#include "core/team/barrier.h"

HP_EXTERN_C_BEGIN

enum { HP_PAGE_BYTES = 2 << 20 /* of all GPUs so far; core/device/cuda/pages.cu asks */ };

/* An array: planes one behind the other, then a rest that is owned in proportion to their items. */
typedef struct hp_owned {
  int64_t count, split; /* items of a plane, as hp_team_split has it: split = count: no split */
  int64_t size;         /* [bytes] of an item */
  int64_t stride;       /* [bytes] from plane to plane, which may have fewer items than the loop: no well rows */
  int64_t planes;
  int64_t rest; /* [bytes] as the items up to `split` */
} hp_owned;

/* One plane of `count` items. */
hp_owned hp_owned_plain(int64_t count, size_t size);

int64_t hp_owned_bytes(const hp_owned *a);

/* Items from one plane of `count` to the next: so many that all planes have whole pages and the border between two GPUs where a
 * page begins, and that no two have a page in common. That is one page more than they fill. Planes of less than a page are one
 * behind the other, unless `always`. */
int64_t hp_owned_stride(int64_t count, size_t size, int64_t page, bool always);

/* Bytes of the first page before the array, a multiple of 256: so many that the middle one of the borders between GPUs, of
 * two GPUs the only one, begins a page. 0 where the planes of an array have it at different places of a page. */
int64_t hp_owned_lead(const hp_owned *a, int gpus, int64_t page);

/* The one of `gpus` GPUs that owns what stands at a byte. */
int hp_owned_gpu(const hp_owned *a, int64_t at, int gpus);

typedef struct hp_device_piece {
  int64_t at, bytes; /* both whole pages */
  int gpu;           /* of the team */
} hp_device_piece;

/* The pieces, of at most `most` pages (0: any number), from the lead on: returns how many, and fills `piece` unless it is
 * NULL. */
int64_t hp_owned_pieces(const hp_owned *a, int gpus, int64_t page, int64_t most, hp_device_piece *piece);

/* The piece that has the byte `at` of the lead and the array, among `count` in their order. */
int64_t hp_piece_of(const hp_device_piece *piece, int64_t count, int64_t at);

/* Whether an array is spread over the GPUs, which a remote read of small ones is not worth. Others lie whole on the first. */
bool hp_owned_is_spread(const hp_owned *a, int gpus, int64_t page);

/* Adds the array's bytes on each GPU to bytes [gpus]. */
void hp_owned_add_bytes(const hp_owned *a, int gpus, int64_t page, int64_t *bytes);

HP_EXTERN_C_END

#endif
