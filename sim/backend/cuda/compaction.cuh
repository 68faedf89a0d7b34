/* Rock tables on a GPU: tables and numbers of regions in its memory, and the lowest pressures, which its time steps change. */
#ifndef HP_SIM_BACKEND_CUDA_COMPACTION_CUH
#define HP_SIM_BACKEND_CUDA_COMPACTION_CUH

#include "core/device/device.h"
#include "physics/compaction.h"

HP_EXTERN_C_BEGIN

typedef struct hp_compaction_device {
  hp_device *D;
  void *tables;   /* device: hp_compaction, its tables, their columns, in one piece */
  uint16_t *of;   /* device [ncell], NULL: one table */
  double *lowest; /* device [ncell], NULL: none */
  int64_t ncell;
} hp_compaction_device;

/* *out: on the device, without the lowest pressures before a put; NULL for NULL. What failed is to be destroyed, too. */
hp_status hp_compaction_device_create(hp_device *D, const hp_compaction *c, int64_t ncell, hp_compaction_device *P,
                                      hp_compaction **out) HP_MUST_USE;
void hp_compaction_device_destroy(hp_compaction_device *P);

/* The lowest pressures, where there are any, to the device and back; *bytes: how many. c may be NULL. */
hp_status hp_compaction_device_put(hp_compaction_device *P, const hp_compaction *c) HP_MUST_USE;
hp_status hp_compaction_device_get(hp_compaction_device *P, hp_compaction *c, int64_t *bytes) HP_MUST_USE;

HP_EXTERN_C_END

#endif
