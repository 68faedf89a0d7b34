#include "sim/backend/cuda/reservoir.cuh"

#include <string.h>

#include "core/memory.h"

/* ---- scratch ---- */

hp_status hp_scratch_device_alloc(hp_scratch_device *W, void **out, int64_t count, size_t size, const char *what) {
  const int64_t bytes = (count * (int64_t)size + 255) / 256 * 256;
  if (W->used + bytes > W->bytes) return hp_device_alloc(W->D, out, count, size, what);
  *out = W->work + W->used;
  W->used += bytes;
  return HP_OK;
}

void hp_scratch_device_free(const hp_scratch_device *W, double **p) {
  const char *at = (const char *)*p;
  if (at >= W->work && at < W->work + W->bytes) *p = NULL;
  HP_DEVICE_FREE(W->D, *p);
}

/* ---- fluids ---- */

/* Device memory for `count` elements, filled from the host's. */
template <typename T, typename U>
static hp_status copied(hp_device *D, T **to, const U *from, int64_t count, const char *what) {
  HP_TRY(hp_device_alloc(D, (void **)to, count, sizeof *from, what));
  return hp_device_upload(D, (void *)*to, from, count * (int64_t)sizeof *from);
}

/* Values of the tables of a fluid. */
static int64_t store_size(const hp_fluid *f) {
  return 3 * (int64_t)(f->phase[HP_OIL].rows + f->phase[HP_WATER].rows) + 4 * (int64_t)f->sat.rows;
}

/* *f with its tables at `store`. */
static void move_tables(const hp_fluid *f, double *store, hp_fluid *out) {
  *out = *f;
  out->store = NULL;
  const double **table[] = {&out->phase[0].p, &out->phase[0].b,   &out->phase[0].bmu, &out->phase[1].p,
                            &out->phase[1].b, &out->phase[1].bmu, &out->sat.s,        &out->sat.krw,
                            &out->sat.kro,    &out->sat.pc};
  for (size_t n = 0; n < sizeof table / sizeof *table; ++n)
    if (*table[n] != NULL) *table[n] = store + (*table[n] - f->store);
}

/* out [n]: the fluids as a device sees them; all their tables are in one piece of its memory, which out[0] owns. */
static hp_status create_fluids(hp_device *D, const hp_fluid *f, int n, hp_fluid *out) {
  int64_t size = 0, at = 0;
  double *host = NULL, *device = NULL;
  for (int i = 0; i < n; ++i) size += store_size(&f[i]);
  HP_TRY(HP_ALLOC(host, size));
  for (int i = 0; i < n; ++i) {
    for (int64_t k = 0; k < store_size(&f[i]); ++k) host[at + k] = f[i].store[k];
    at += store_size(&f[i]);
  }
  const hp_status s = copied(D, &device, host, size, "tables of the fluids");
  HP_FREE(host);
  at = 0;
  for (int i = 0; i < n; ++i) {
    move_tables(&f[i], device + at, &out[i]);
    at += store_size(&f[i]);
  }
  out[0].store = device;
  return s;
}

/* The hysteresis in one piece of the device's memory: the struct, its fluids, their tables, the cells' numbers. */
static hp_status create_hysteresis(hp_device *D, const hp_hysteresis *h, int64_t ncell, hp_hysteresis **out) {
  if (h == NULL) return HP_OK;
  const int64_t structs = (int64_t)sizeof *h + h->count * (int64_t)sizeof *h->fluid;
  const int64_t numbers = h->of != NULL ? ncell * (int64_t)sizeof *h->of : 0;
  const int64_t ends = h->end_points != NULL ? ncell * (int64_t)sizeof *h->end_points : 0;
  int64_t bytes = structs;
  char *host = NULL;
  for (int n = 0; n < h->count; ++n) bytes += store_size(&h->fluid[n]) * (int64_t)sizeof(double);
  HP_TRY(hp_device_alloc(D, (void **)out, bytes + ends + numbers, 1, "hysteresis"));
  HP_TRY(HP_ALLOC(host, bytes));
  char *device = (char *)*out, *store = host + structs;
  hp_hysteresis *head = (hp_hysteresis *)(void *)host;
  hp_fluid *fluid = (hp_fluid *)(void *)(head + 1);
  *head = *h;
  head->fluid = (hp_fluid *)(void *)(device + sizeof *head);
  head->end_points = ends > 0 ? (hp_sat_scale *)(void *)(device + bytes) : NULL;
  head->of = numbers > 0 ? (const uint16_t *)(const void *)(device + bytes + ends) : NULL;
  for (int n = 0; n < h->count; ++n) {
    const size_t size = (size_t)store_size(&h->fluid[n]) * sizeof(double);
    memcpy(store, h->fluid[n].store, size);
    move_tables(&h->fluid[n], (double *)(void *)(device + (store - host)), &fluid[n]);
    store += size;
  }
  hp_status s = hp_device_upload(D, device, host, bytes);
  HP_FREE(host);
  if (s == HP_OK && ends > 0) s = hp_device_upload(D, device + bytes, h->end_points, ends);
  if (s == HP_OK && numbers > 0) s = hp_device_upload(D, device + bytes + ends, h->of, numbers);
  return s;
}

/* ---- reservoir ---- */

/* Tables that faces and perforations name, and the numbers of cells; table[0].store owns them all. */
static hp_status create_tables(hp_device *D, const hp_reservoir *r, hp_reservoir *out) {
  hp_fluid *table = NULL;
  out->directed = r->directed;
  if (r->table == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(table, r->ntable));
  hp_status s = create_fluids(D, r->table, r->ntable, table);
  out->ntable = r->ntable;
  out->table_store = table[0].store;
  if (s == HP_OK) s = copied(D, &out->table, table, r->ntable, "saturation tables");
  HP_FREE(table);
  for (int n = 0; n < HP_FACES && s == HP_OK; ++n) {
    const int across = hp_face_across(n);
    if (r->face_table[n] == NULL) continue;
    if (n > across && r->face_table[n] == r->face_table[across]) out->face_table[n] = out->face_table[across];
    else s = copied(D, &out->face_table[n], r->face_table[n], r->ncell, "tables of faces");
  }
  return s;
}

static hp_status create_regions(hp_device *D, const hp_reservoir *r, bool one_fluid, hp_reservoir *out) {
  if (one_fluid) return create_fluids(D, &r->fluid, 1, &out->fluid);
  const int n = r->region != NULL ? r->nregion : 1;
  hp_fluid *fluid = NULL;
  HP_TRY(HP_ALLOC(fluid, n));
  hp_status s = create_fluids(D, r->region != NULL ? r->region : &r->fluid, n, fluid);
  out->nregion = n;
  out->fluid = fluid[0]; /* for its store */
  if (s == HP_OK) s = copied(D, &out->region, fluid, n, "fluids of regions");
  HP_FREE(fluid);
  HP_TRY(s);
  if (r->region != NULL) HP_TRY(copied(D, &out->region_of, r->region_of, r->ncell, "numbers of regions"));
  return r->end_points != NULL ? copied(D, &out->end_points, r->end_points, r->ncell, "end points") : HP_OK;
}

/* The pattern is the matrix's. */
static hp_status create_connections(hp_device *D, const hp_reservoir *r, const hp_gh *J, hp_reservoir *out) {
  const int64_t pairs = (int64_t)r->nthreshold * r->nthreshold;
  out->links = J->links;
  if (r->links.count > 0)
    HP_TRY(copied(D, &out->link_trans, r->link_trans, r->links.count / 2, "transmissibilities of connections"));
  for (int d = 0; d < HP_DIRS && r->fault_threshold[d] != NULL; ++d)
    HP_TRY(copied(D, &out->fault_threshold[d], r->fault_threshold[d], r->ncell, "threshold pressures of faults"));
  if (r->link_threshold != NULL && r->links.count > 0)
    HP_TRY(copied(D, &out->link_threshold, r->link_threshold, r->links.count / 2, "threshold pressures of faults"));
  if (r->link_face != NULL && r->links.count > 0)
    HP_TRY(copied(D, &out->link_face, r->link_face, r->links.count / 2, "faces of connections"));
  if (r->threshold == NULL) return HP_OK;
  out->nthreshold = r->nthreshold;
  HP_TRY(copied(D, &out->threshold, r->threshold, pairs, "threshold pressures"));
  if (r->threshold_of == NULL) return HP_OK;
  return copied(D, &out->threshold_of, r->threshold_of, r->ncell, "regions of threshold pressures");
}

hp_status hp_reservoir_device_create(hp_scratch_device *W, const hp_reservoir *r, const hp_gh *J, bool one_fluid,
                                     hp_arrays has, hp_compaction_device *compaction, hp_reservoir *out) {
  const int64_t n = r->ncell, stride = (n + 31) / 32 * 32;
  hp_device *D = W->D;
  out->nx = r->nx;
  out->ny = r->ny;
  out->nz = r->nz;
  out->ncell = n;
  out->total_pore_volume = r->total_pore_volume;
  HP_TRY(create_regions(D, r, one_fluid, out));
  HP_TRY(create_tables(D, r, out));
  HP_TRY(create_connections(D, r, J, out));
  HP_TRY(hp_compaction_device_create(D, r->compaction, n, compaction, &out->compaction));
  HP_TRY(create_hysteresis(D, r->hysteresis, n, &out->hysteresis));
  HP_TRY(copied(D, &out->active, r->active, n, "active cells"));
  HP_TRY(copied(D, &out->depth, r->depth, n, "depths"));
  HP_TRY(copied(D, &out->pore_volume, r->pore_volume, n, "pore volumes"));
  for (int d = 0; d < HP_DIRS; ++d) HP_TRY(copied(D, &out->trans[d], r->trans[d], n, "transmissibilities"));
  HP_TRY(HP_SCRATCH_ALLOC(W, out->props.at, 2 * stride * HP_CELL_PAIRS, "cell properties"));
  out->props.stride = stride;
  HP_TRY(HP_SCRATCH_ALLOC(W, out->mass, n * HP_PHASES, "mass in place"));
  HP_FOR_ARRAYS(a, has) {
    const hp_array_entry *e = &hp_array_entries()[a];
    void **array = hp_reservoir_array(out, (hp_array)a);
    if (*array == NULL) HP_TRY(hp_device_alloc(D, array, n * e->numbers, e->size, e->name)); /* zero */
  }
  return HP_OK;
}

void hp_reservoir_device_destroy(const hp_scratch_device *W, hp_reservoir *r) {
  hp_device *D = W->D;
  HP_DEVICE_FREE(D, r->active);
  HP_DEVICE_FREE(D, r->depth);
  HP_DEVICE_FREE(D, r->pore_volume);
  for (int d = 0; d < HP_DIRS; ++d) HP_DEVICE_FREE(D, r->trans[d]);
  HP_DEVICE_FREE(D, r->fluid.store);
  HP_DEVICE_FREE(D, r->region);
  HP_DEVICE_FREE(D, r->region_of);
  HP_DEVICE_FREE(D, r->end_points);
  HP_DEVICE_FREE(D, r->hysteresis);
  HP_DEVICE_FREE(D, r->table_store);
  HP_DEVICE_FREE(D, r->table);
  for (int n = HP_FACES - 1; n >= 0; --n) {
    if (r->face_table[n] == r->face_table[hp_face_across(n)] && hp_face_across(n) < n) r->face_table[n] = NULL;
    HP_DEVICE_FREE(D, r->face_table[n]);
  }
  HP_DEVICE_FREE(D, r->link_trans);
  HP_DEVICE_FREE(D, r->threshold);
  for (int d = 0; d < HP_DIRS; ++d) HP_DEVICE_FREE(D, r->fault_threshold[d]);
  HP_DEVICE_FREE(D, r->link_threshold);
  HP_DEVICE_FREE(D, r->link_face);
  HP_DEVICE_FREE(D, r->threshold_of);
  hp_scratch_device_free(W, &r->props.at);
  hp_scratch_device_free(W, &r->mass);
  for (int a = 0; a < HP_CELL_ARRAYS; ++a) hp_device_free(D, hp_reservoir_array(r, (hp_array)a));
}
