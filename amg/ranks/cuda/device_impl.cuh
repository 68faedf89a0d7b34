/* Private to amg/ranks/cuda: cycle.cu, refresh.cu. */
#ifndef HP_AMG_RANKS_CUDA_DEVICE_IMPL_CUH
#define HP_AMG_RANKS_CUDA_DEVICE_IMPL_CUH

#include <stdint.h>

#include "amg/ranks/device.h"
#include "amg/ranks/impl.h"
#include "core/device/part.h"

/* The device's arrays that the passes of a level read and write. */
typedef struct hp_amg_device_vectors {
  hp_amg_rows a, p, r;
  void *b, *x, *z, *scale;
} hp_amg_device_vectors;

/* A pass, with pointers to the device, and what comes before and after it. */
typedef struct hp_amg_device_step {
  hp_amg_pass pass;
  hp_device_exchange *exchange; /* of `from`; NULL: none */
  bool gather;
} hp_amg_device_step;

/* A plan of the host (amg/csr.h) on the device, for rows of C = A B. */
typedef struct hp_amg_device_plan {
  int64_t *begin;
  uint8_t *place;
  int32_t longest; /* entries of a row of C */
  double shared;   /* entries of a row of B, their mean */
} hp_amg_device_plan;

/* A level's matrices in double, as refreshes read and write them; those of part [l] and its hp_amg_part. */
typedef struct hp_amg_device_products {
  hp_csr A;        /* own rows; of the first whole level, without columns */
  hp_csr P, AP, R; /* to the next level; the first two without columns */
  hp_amg_device_plan ap, rap;
  hp_device_exchange *pushed; /* of AP's entries in rows of other ranks */
} hp_amg_device_products;

struct hp_amg_ranks_device {
  hp_device *D;
  hp_amg_ranks *H;
  size_t real; /* bytes of a number of the cycle */
  int64_t bytes;
  hp_amg_device_vectors level[HP_AMG_LEVELS_MAX];
  double *inverse; /* [n][n] by columns, as the host's */
  hp_amg_device_step *step;
  int steps, exchanges;
  hp_device_exchange **exchange; /* [exchanges] */
  char *mine, *all; /* host: right-hand side of the first whole level, own rows and all; or of a whole hierarchy */
  hp_amg_device_products product[HP_AMG_LEVELS_MAX]; /* of levels that are spread, and of the first whole one */
};

/* `count` zeros, counted in C->bytes. */
hp_status hp_amg_ranks_room(hp_amg_ranks_device *C, void **out, int64_t count, size_t size) HP_MUST_USE;
/* Numbers of cycles from the host's: of level l; of the last level's inverse. */
hp_status hp_amg_ranks_upload_level(const hp_amg_ranks_device *C, int l) HP_MUST_USE;
hp_status hp_amg_ranks_upload_inverse(const hp_amg_ranks_device *C) HP_MUST_USE;

/* Memory, patterns, and numbers that stay: P and R. */
hp_status hp_amg_ranks_products_create(hp_amg_ranks_device *C) HP_MUST_USE;
void hp_amg_ranks_products_destroy(hp_amg_ranks_device *C);

#endif
