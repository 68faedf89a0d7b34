/* Rock tables on a GPU: tables and numbers of regions in its memory. */
#ifndef HP_SIM_BACKEND_CUDA_COMPACTION_CUH
#define HP_SIM_BACKEND_CUDA_COMPACTION_CUH

#include "core/device/device.h"
#include "physics/compaction.h"

HP_EXTERN_C_BEGIN

typedef struct hp_compaction_device {
  hp_device *D;
  void *tables; /* device: hp_compaction, its tables, their columns, in one piece */
  uint16_t *of; /* device [ncell], NULL: one table */
} hp_compaction_device;

/* *out: on the device; NULL for NULL. What failed is to be destroyed, too. */
hp_status hp_compaction_device_create(hp_device *D, const hp_compaction *c, int64_t ncell, hp_compaction_device *P,
                                      hp_compaction **out) HP_MUST_USE;
void hp_compaction_device_destroy(hp_compaction_device *P);

HP_EXTERN_C_END

#endif
