/* Faults (named planes of faces) and multipliers of faces, from the start or from a later time on. Both readers use it.
 *
 * A fault multiplies each of its faces once, even if both cells name it, and the connections through such a face,
 * across the fault or across pinched-out cells. Multipliers of a later time multiply the transmissibilities of that
 * time.
 */
#ifndef HP_IO_CASE_FAULTS_H
#define HP_IO_CASE_FAULTS_H

#include "io/case/case.h"

HP_EXTERN_C_BEGIN

/* Faces of the box towards +d or -d, of the fault `name`. */
typedef struct hp_fault_faces {
  char name[HP_WELL_NAME];
  int box[6]; /* i1 i2 j1 j2 k1 k2, 0-based, inclusive */
  int d;      /* HP_DIR_* */
  bool minus;
  double factor;    /* the fault's, from the start on */
  double of_grid;   /* of an Eclipse deck: that of GRID, which the one of EDIT multiplies */
  double threshold; /* [Pa] that potential differences across it must be beyond; 0: none */
} hp_fault_faces;

/* A number for a pair of cells, a < b. */
typedef struct hp_cell_pair {
  int64_t a, b;
  double value;
} hp_cell_pair;

/* The order of pairs for qsort and bsearch: by a, then by b. */
int hp_cell_pair_compare(const void *x, const void *y);

/* A change of faces from `time` on. */
typedef struct hp_face_change {
  double time;
  char what[HP_WELL_NAME]; /* pattern of the fault's name; other changes: what messages call them */
  double factor;           /* of the fault, or of all faces of the box; NAN: of each its own */
  int d;                   /* without a fault: HP_DIR_*, whether towards -d, box as above, a value a cell, i fastest */
  bool minus;
  int box[6];
  double *value; /* of the cells of the box that are held, i fastest; NULL: a fault */
  const char *file;
  int line;
} hp_face_change;

/* Makes c->mult[d] [ncell], 1 everywhere, unless it exists. */
hp_status hp_case_need_multiplier(hp_case *c, int d) HP_MUST_USE;

/* Multiplies c->mult [ncell], which is made if missing. */
hp_status hp_case_apply_faults(hp_case *c, int count, const hp_fault_faces *fault) HP_MUST_USE;
/* Multiplies the links of faces (d >= 0). */
hp_status hp_case_fault_links(const hp_case *c, int count, const hp_fault_faces *fault,
                              hp_case_links *links) HP_MUST_USE;

/* Makes the list of the case's faults, c->fault. */
hp_status hp_case_list_faults(hp_case *c, int count, const hp_fault_faces *fault,
                              const hp_case_links *links) HP_MUST_USE;

/* Appends thresholds of faults to c->fault_threshold, for neighbours and links of faces. The largest of several
 * counts. */
hp_status hp_case_fault_thresholds(hp_case *c, int count, const hp_fault_faces *fault,
                                   const hp_case_links *links) HP_MUST_USE;
/* Adds pairs [count] with their thresholds [Pa] to c->fault_threshold, in any order. */
hp_status hp_case_add_thresholds(hp_case *c, int64_t count, const hp_cell_pair *pair) HP_MUST_USE;

/* Makes events of the case from changes, in the order of times; c->trans_event has room for them. A rank has the pairs
 * that begin in its own cells. A transmissibility given beside a face cannot be separated from it: *refused is the
 * first change that touches one of the given pairs, *pair its number; -1 if none does. */
hp_status hp_case_finish_changes(hp_case *c, int nfault, const hp_fault_faces *fault, int nchange,
                                 const hp_face_change *change, const hp_case_links *links,
                                 const hp_grid_connections *given, int *refused, int64_t *pair) HP_MUST_USE;

HP_EXTERN_C_END

#endif
