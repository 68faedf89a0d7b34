#include "sim/backend/cuda/compaction.cuh"

#include <string.h>

#include "core/memory.h"

enum { COLUMNS = 2 + HP_DIRS }; /* pressure, pore volume, transmissibility */

/* Copies a column to *host, which will stand at *device, and points it there. */
static void place_column(const double **column, int rows, char **host, char **device) {
  if (*column == NULL) return;
  const size_t bytes = (size_t)rows * sizeof **column;
  memcpy(*host, *column, bytes);
  *column = (const double *)(void *)*device;
  *host += bytes;
  *device += bytes;
}

/* The piece as it will stand at `device`. */
static void fill(const hp_compaction *c, const hp_compaction_device *P, char *host, char *device) {
  hp_compaction *head = (hp_compaction *)(void *)host;
  hp_compaction_table *table = (hp_compaction_table *)(void *)(host + sizeof *head);
  const size_t structs = sizeof *head + (size_t)c->count * sizeof *table;
  *head = *c;
  head->table = (hp_compaction_table *)(void *)(device + sizeof *head);
  head->of = P->of;
  host += structs;
  device += structs;
  for (int n = 0; n < c->count; ++n) {
    table[n] = c->table[n];
    place_column(&table[n].p, table[n].rows, &host, &device);
    place_column(&table[n].pv, table[n].rows, &host, &device);
    for (int d = 0; d < HP_DIRS; ++d) place_column(&table[n].trans[d], table[n].rows, &host, &device);
  }
}

static hp_status upload_tables(const hp_compaction *c, hp_compaction_device *P) {
  int64_t bytes = (int64_t)sizeof *c + c->count * (int64_t)sizeof *c->table;
  char *host = NULL;
  for (int n = 0; n < c->count; ++n) bytes += COLUMNS * c->table[n].rows * (int64_t)sizeof(double);
  HP_TRY(hp_device_alloc(P->D, &P->tables, bytes, 1, "rock tables"));
  HP_TRY(HP_ALLOC(host, bytes));
  fill(c, P, host, (char *)P->tables);
  const hp_status s = hp_device_upload(P->D, P->tables, host, bytes);
  HP_FREE(host);
  return s;
}

hp_status hp_compaction_device_create(hp_device *D, const hp_compaction *c, int64_t ncell, hp_compaction_device *P,
                                      hp_compaction **out) {
  *out = NULL;
  if (c == NULL) return HP_OK;
  P->D = D;
  if (c->of != NULL) {
    HP_TRY(hp_device_alloc(D, (void **)&P->of, ncell, sizeof *P->of, "regions of rock tables"));
    HP_TRY(hp_device_upload(D, P->of, c->of, ncell * (int64_t)sizeof *P->of));
  }
  HP_TRY(upload_tables(c, P));
  *out = (hp_compaction *)P->tables;
  return HP_OK;
}

void hp_compaction_device_destroy(hp_compaction_device *P) {
  if (P->D == NULL) return;
  HP_DEVICE_FREE(P->D, P->tables);
  HP_DEVICE_FREE(P->D, P->of);
}
