/* Arrays of a team on several GPUs: each GPU has the pages of what it owns.
 *
 *     a plane of `count` items        |      GPU 0      |      GPU 1      |     as a loop over them is cut (core/team/team.h)
 *     its pages                     [    |    |    |    |    |    |    |    ]   the lead before it puts a border on a page's
 *     their GPU                       0    0    0    0    1    1    1    1      that of the item in the page's middle
 *     pieces                        [         0         |         1         ]   neighbouring pages of one GPU
 *
 * This is arithmetic only: core/device/cuda/pages.cu makes each piece one allocation of its GPU; predictions and tests
 * use it, too.
 */
#ifndef HP_CORE_DEVICE_PAGES_H
#define HP_CORE_DEVICE_PAGES_H

#include "core/status.h"
#include "core/team/barrier.h"

HP_EXTERN_C_BEGIN

enum { HP_PAGE_BYTES = 2 << 20 /* of all GPUs so far; core/device/cuda/pages.cu asks */ };

/* An array of consecutive planes, then a rest that is owned in proportion to their items. */
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

/* Items from one plane of `count` items to the next: every plane has whole pages of its own, one more than it fills, so
 * that the border between two GPUs is that of a page. Planes of less than a page follow each other directly, unless
 * `always`. */
int64_t hp_owned_stride(int64_t count, size_t size, int64_t page, bool always);

/* Bytes of the first page before the array, a multiple of 256, such that the middle border between GPUs begins a page.
 * 0 if the planes of an array have that border at different places of a page. */
int64_t hp_owned_lead(const hp_owned *a, int gpus, int64_t page);

/* The GPU, of `gpus`, that owns the byte `at`. */
int hp_owned_gpu(const hp_owned *a, int64_t at, int gpus);

typedef struct hp_device_piece {
  int64_t at, bytes; /* both whole pages */
  int gpu;           /* of the team */
} hp_device_piece;

/* Fills `piece`, unless NULL, with the pieces of at most `most` pages (0: any number) from the lead on; returns their
 * number. */
int64_t hp_owned_pieces(const hp_owned *a, int gpus, int64_t page, int64_t most, hp_device_piece *piece);

/* The number of the piece, of `count` in order, that holds byte `at` of lead and array. */
int64_t hp_piece_of(const hp_device_piece *piece, int64_t count, int64_t at);

/* Whether an array is spread over the GPUs. Small ones lie whole on the first, because spreading them does not pay. */
bool hp_owned_is_spread(const hp_owned *a, int gpus, int64_t page);

/* Adds the array's bytes on each GPU to bytes [gpus]. */
void hp_owned_add_bytes(const hp_owned *a, int gpus, int64_t page, int64_t *bytes);

HP_EXTERN_C_END

#endif
