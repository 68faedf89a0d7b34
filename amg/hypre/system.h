/* BoomerAMG with hepta's choices, and systems, as hypre has them: for modules that are linked with hypre alone. */
#ifndef HP_AMG_HYPRE_SYSTEM_H
#define HP_AMG_HYPRE_SYSTEM_H

#include <HYPRE.h>
#include <HYPRE_parcsr_ls.h>
#include <mpi.h>

#include "amg/hypre/boomeramg.h"

typedef struct hp_hypre_system {
  MPI_Comm comm;
  HYPRE_BigInt first; /* row of this process */
  HYPRE_IJMatrix ij;
  HYPRE_IJVector ib, ix;
  HYPRE_ParCSRMatrix A;
  HYPRE_ParVector b, x;
  HYPRE_Int *width;           /* [n] entries of each row of this process */
  HYPRE_BigInt *row, *column; /* [n], [entries] */
} hp_hypre_system;

/* Starts MPI, unless it is started, and hypre. */
void hp_hypre_start(void);

/* over: several processes. R->instead gets what hypre lacks. */
HYPRE_Solver hp_hypre_create_amg(const hp_amg_options *o, bool over, hp_hypre_result *R);
void hp_hypre_say_instead(hp_hypre_result *R, const char *what);
/* The last level is solved as hepta's is; called after a set-up. */
void hp_hypre_set_last_level(HYPRE_Solver amg);

/* A system of this process: its pattern, values and vectors of n rows. False: memory ran out. */
bool hp_hypre_create_pattern(int64_t rows, const int32_t *begin, const int32_t *column, hp_hypre_system *S);
void hp_hypre_create_matrix(HYPRE_Int n, const double *value, hp_hypre_system *S);
void hp_hypre_create_vectors(HYPRE_Int n, const double *b, hp_hypre_system *S);
void hp_hypre_free_system(hp_hypre_system *S);

/* True if hypre has met an error besides not converging, and R->error says which. */
bool hp_hypre_failed(hp_hypre_result *R);
/* Levels, complexities and bytes after a set-up. */
void hp_hypre_describe(HYPRE_Solver amg, hp_hypre_result *R);

#endif
