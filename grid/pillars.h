/* Grids whose layers stand on several systems of pillars (Eclipse's NUMRES and COORDSYS).
 *
 *     layers 0, 1      system 0 ----.    coord [systems][ny+1][nx+1][6]: two points x, y, z of each pillar
 *     ------------ border            '-> [0][][][]
 *     layers 2, 3, 4   system 1 -------> [1][][][]
 *
 * A border is open if the upper system is joined to the lower one: cells (i,j,k) and (i,j,k+1) are then neighbours.
 * Nothing flows through a closed one. Across a fault cells meet those of their own system and of the systems beside it,
 * which stand on the same pillars; each of these is beside all others.
 */
#ifndef HP_GRID_PILLARS_H
#define HP_GRID_PILLARS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/status.h"

HP_EXTERN_C_BEGIN

typedef struct hp_pillar_system {
  int first, last; /* layers */
  bool joined;     /* to the system below */
  int beside[2];   /* the first and the last of the systems that its cells meet across faults, itself among them */
} hp_pillar_system;

typedef struct hp_pillar_systems {
  int count;            /* 0: one of all layers */
  hp_pillar_system *at; /* [count] from top to bottom */
} hp_pillar_systems;

/* The number of sets of pillars, at least 1. */
int hp_pillar_systems_sets(const hp_pillar_systems *s);
/* The number of the system of layer k. */
int hp_pillar_systems_of(const hp_pillar_systems *s, int k);
/* Whether the border between the layers k and k + 1 is closed. */
bool hp_pillar_systems_closed(const hp_pillar_systems *s, int k);
/* The first and the last layer, of nz, whose cells meet those of layer k across faults. */
void hp_pillar_systems_beside(const hp_pillar_systems *s, int nz, int k, int layers[2]);

/* Writes to `why` what is wrong with system n of a grid of nz layers, if those before it are sound: with its layers,
 * or, once all layers are known, with the systems beside it. coord has `size` numbers per system. False if nothing is
 * wrong. */
enum { HP_PILLARS_WHY = 192 };
bool hp_pillar_systems_layers_fault(const hp_pillar_systems *s, int nz, int n, char why[HP_PILLARS_WHY]);
bool hp_pillar_systems_beside_fault(const hp_pillar_systems *s, int64_t size, const double *coord, int n,
                                    char why[HP_PILLARS_WHY]);

HP_EXTERN_C_END

#endif
