/* Nodes of a mesh whose cells meet at the nodes [nz+1][ny+1][nx+1] of a lattice. */
#ifndef HP_IO_FILES_LATTICE_H
#define HP_IO_FILES_LATTICE_H

#include "core/status.h"

enum { HP_LATTICE_CORNERS = 8 };

/* The nodes of cell i, j, k in VTK's order for a hexahedron (io/results/mesh.c); an inactive cell has its first node
 * eight times. downwards: i, j and z are left-handed. */
HP_INLINE void hp_lattice_cell(int nx, int ny, int i, int j, int k, bool active, bool downwards,
                               int32_t node[HP_LATTICE_CORNERS]) {
  static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}; /* di, dj */
  const int32_t row = nx + 1, layer = row * (ny + 1), first = i + row * j + layer * k;
  for (int p = 0; p < HP_LATTICE_CORNERS; ++p) {
    const bool below = (p < 4) != downwards;
    node[p] = active ? first + around[p % 4][0] + row * around[p % 4][1] + (below ? layer : 0) : first;
  }
}

/* The nodes of a cell's corners (grid/corners.h) in VTK's order. */
HP_INLINE void hp_lattice_own_nodes(const double number[HP_LATTICE_CORNERS], bool downwards,
                                    int32_t node[HP_LATTICE_CORNERS]) {
  static const int around[4] = {0, 1, 3, 2};
  for (int p = 0; p < HP_LATTICE_CORNERS; ++p) {
    const bool below = (p < 4) != downwards;
    node[p] = (int32_t)number[around[p % 4] + (below ? 4 : 0)];
  }
}

#endif
