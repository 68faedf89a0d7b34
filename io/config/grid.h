/* Private to io/config/grid.c and io/config/boxes.c: the cell arrays of a grid
 * while it is being read.
 */
#ifndef HP_IO_CONFIG_GRID_H
#define HP_IO_CONFIG_GRID_H

#include "io/config/impl.h"

typedef enum {
  HP_PROPERTY_DX,
  HP_PROPERTY_DY,
  HP_PROPERTY_DZ,
  HP_PROPERTY_POROSITY,
  HP_PROPERTY_PERMX,
  HP_PROPERTY_PERMY,
  HP_PROPERTY_PERMZ,
  HP_PROPERTY_NTG,
  HP_PROPERTY_ACTIVE,
  HP_PROPERTY_MULTPV,
  HP_PROPERTY_MULTX,
  HP_PROPERTY_MULTY,
  HP_PROPERTY_MULTZ,
  HP_PROPERTY_PORE_VOLUME, /* from here on: NAN where what follows from the cells holds */
  HP_PROPERTY_TRANX,
  HP_PROPERTY_TRANY,
  HP_PROPERTY_TRANZ,
  HP_PROPERTY_COUNT
} hp_config_property;

typedef struct hp_config_grid {
  hp_config *r;
  hp_case *c;
  double *array[HP_PROPERTY_COUNT]; /* [ncell] in cell order, SI; NULL: not there. Owned by the case, except: */
  double *active;                   /* [ncell] 0 or 1, array[HP_PROPERTY_ACTIVE] while reading */
  double *natural;                  /* [ncell] scratch in the deck's order */
  double *tops;                     /* [ncell] an overlay's: tops that thicknesses do not give, else NULL */
  bool corners;                     /* grid.corner_point gives sizes and depths */
  bool given[HP_PROPERTY_COUNT];    /* the deck has the array */
  bool touched[HP_PROPERTY_COUNT];  /* given, or changed in a box */
} hp_config_grid;

/* The property of a key such as "grid.permx", or HP_PROPERTY_COUNT. */
hp_config_property hp_config_property_find(const char *path);
const hp_config_key *hp_config_property_key(hp_config_property p);

/* Makes w->array[p], filled with its default (1 or NAN), unless it exists. */
hp_status hp_config_property_need(hp_config_grid *w, hp_config_property p) HP_MUST_USE;

hp_status hp_config_boxes(hp_config_grid *w, const hp_setting *boxes) HP_MUST_USE;

#endif
