#include "linsolve/krylov/baselines/passes.h"

static const struct {
  hp_vector_pass pass;
  hp_vector_operation as;
} passes[HP_EXEC_PASSES] = {[HP_EXEC_PASS_BEGIN] = {{"begin_pass", "hp_exec_args", 1, false}, HP_VECTOR_WAXPY},
                            [HP_EXEC_PASS_P] = {{"p_pass", "hp_exec_args", 3, false}, HP_VECTOR_WAXPY},
                            [HP_EXEC_PASS_S] = {{"s_pass", "hp_exec_args", 2, false}, HP_VECTOR_AXPY},
                            [HP_EXEC_PASS_UPDATE] = {{"update_pass", "update_args", 5, false}, HP_VECTOR_MAXPY},
                            [HP_EXEC_PASS_SUBTRACT] = {{"subtract_pass", "hp_exec_args", 2, false}, HP_VECTOR_AXPY},
                            [HP_EXEC_PASS_NORM] = {{"norm_pass", "hp_exec_args", 1, true}, HP_VECTOR_NORM},
                            [HP_EXEC_PASS_FIRST] = {{"first_pass", "hp_exec_args", 2, true}, HP_VECTOR_DOT},
                            [HP_EXEC_PASS_SECOND] = {{"second_pass", "hp_exec_args", 3, true}, HP_VECTOR_DOT}};

const hp_vector_pass *hp_exec_pass_get(hp_exec_pass pass) { return &passes[pass].pass; }
hp_vector_operation hp_exec_pass_as(hp_exec_pass pass) { return passes[pass].as; }
