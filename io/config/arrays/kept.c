/* Generated fields that are kept while a deck is read: porosity and permeability are often made of the same one, by
 * the same seed. What is kept is at most two arrays of the grid's size, so that reading needs less memory than the run
 * behind it; beyond that the fields of the longest standing make room. */
#include "core/memory.h"
#include "io/config/impl.h"

struct hp_array_kept {
  hp_array_kept *next; /* older */
  bool facies;
  hp_rock_gauss_spec gauss;       /* of a field */
  hp_rock_channels_spec channels; /* of facies */
  hp_rock_planes of;
  int64_t bytes;
  void *value; /* [nz][ny][ni] double, or uint8_t of facies */
};

static bool same_gauss(const hp_rock_gauss_spec *a, const hp_rock_gauss_spec *b) {
  return a->seed == b->seed && a->covariance == b->covariance && a->correlation[0] == b->correlation[0] &&
         a->correlation[1] == b->correlation[1] && a->correlation[2] == b->correlation[2];
}

static bool same_channels(const hp_rock_channels_spec *a, const hp_rock_channels_spec *b) {
  return a->seed == b->seed && a->proportion == b->proportion && a->width == b->width && a->thickness == b->thickness &&
         a->wavelength == b->wavelength && a->amplitude == b->amplitude && a->variability == b->variability;
}

static const void *find(const hp_config *r, const hp_array_kept *wanted) {
  for (const hp_array_kept *k = r->kept; k != NULL; k = k->next) {
    const bool same_size = k->of.nx == wanted->of.nx && k->of.ny == wanted->of.ny && k->of.nz == wanted->of.nz;
    if (!same_size || k->facies != wanted->facies) continue;
    if (k->facies ? same_channels(&k->channels, &wanted->channels) : same_gauss(&k->gauss, &wanted->gauss))
      return k->value;
  }
  return NULL;
}

/* Leaves at most so many bytes, the newest ones. */
static void keep_at_most(hp_config *r, int64_t bytes) {
  hp_array_kept **at = &r->kept;
  for (; *at != NULL && (*at)->bytes <= bytes; at = &(*at)->next) bytes -= (*at)->bytes;
  while (*at != NULL) {
    hp_array_kept *k = *at;
    *at = k->next;
    HP_FREE(k->value);
    HP_FREE(k);
  }
}

void hp_array_forget(hp_config *r) { keep_at_most(r, -1); }

static hp_status generate(hp_array_kept *k) {
  return k->facies ? hp_rock_channels_planes(&k->channels, &k->of, k->value)
                   : hp_rock_gauss_planes(&k->gauss, &k->of, k->value);
}

static hp_status fetch(hp_config *r, const hp_array_kept *wanted, const void **value) {
  const int64_t count = (int64_t)wanted->of.ni * wanted->of.ny * wanted->of.nz;
  const int64_t size = wanted->facies ? 1 : sizeof(double);
  *value = find(r, wanted);
  if (*value != NULL) return HP_OK;
  keep_at_most(r, 2 * r->c->grid->ncell * (int64_t)sizeof(double) - count * size);
  hp_array_kept *k = NULL;
  HP_TRY(HP_ALLOC(k, 1));
  *k = *wanted;
  k->bytes = count * size;
  hp_status s = hp_alloc_unset(&k->value, count, (size_t)size, "generated field");
  if (s == HP_OK) s = generate(k);
  if (s != HP_OK) {
    HP_FREE(k->value);
    HP_FREE(k);
    return s;
  }
  k->next = r->kept;
  r->kept = k;
  *value = k->value;
  return HP_OK;
}

static hp_rock_planes planes_of(const hp_config *r, hp_array_shape a) {
  return (hp_rock_planes){r->c->spread, a.whole, a.ny, a.nz, a.i0, a.nx, r->c->grid->planes.owned};
}

hp_status hp_array_gauss(hp_config *r, const hp_rock_gauss_spec *spec, hp_array_shape a, const double **field) {
  const hp_array_kept wanted = {.gauss = *spec, .of = planes_of(r, a)};
  const void *value = NULL;
  const hp_status s = fetch(r, &wanted, &value);
  *field = value;
  return s;
}

hp_status hp_array_facies(hp_config *r, const hp_rock_channels_spec *spec, hp_array_shape a, const uint8_t **facies) {
  const hp_array_kept wanted = {.facies = true, .channels = *spec, .of = planes_of(r, a)};
  const void *value = NULL;
  const hp_status s = fetch(r, &wanted, &value);
  *facies = value;
  return s;
}
