/* The GPUs that each rank drives. Ranks that see the same GPUs (those of a host) count off:
 *
 *     --gpus           number 0    number 1    of two ranks
 *     none             0           1           one each; in turn where there are fewer than ranks
 *     2                0, 1        2, 3        so many each
 *     3,1,0,2          3, 1        0, 2        equal parts of the list
 *     all, of four     0, 1        2, 3        equal parts of those that are visible; in turn where there are fewer than ranks
 *
 * A rank that sees only GPUs of its own is number 0 of one.
 */
#ifndef HP_CORE_DEVICE_SHARE_H
#define HP_CORE_DEVICE_SHARE_H

#include "core/device/device.h"

HP_EXTERN_C_BEGIN

enum { HP_DEVICE_IDENTITY = 16 };

/* A GPU's identity id [HP_DEVICE_IDENTITY], unique over all hosts. */
HP_GPU hp_status hp_device_identify(int ordinal, unsigned char *id) HP_MUST_USE;

/* Makes *out for rank `number` of `count` that see `visible` GPUs from `all`, the options of all ranks; each: all->gpus
 * is the number that each drives. HP_ERR_USAGE if there are too few, or a list cannot be cut into equal parts. */
hp_status hp_device_share_gpus(const hp_device_options *all, bool each, int visible, int number, int count,
                               hp_device_options *out) HP_MUST_USE;

/* "a GPU", "2 GPUs" */
void hp_device_describe_count(int gpus, char *out, size_t size);

HP_EXTERN_C_END

#endif
