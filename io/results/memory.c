/* Memory of a run's output beside its fields: the real objects, made in memory with no rows and few report steps,
 * and what each row and each further report step adds. */
#include "core/memory.h"
#include "io/results/impl.h"

enum { SAMPLE = 64 /* report steps */ };

/* A row's bytes in the master. The solver table's texts are mostly empty. */
static int64_t row_bytes(const hp_table *t) {
  enum { NAME = 5, TEXT = 1 };
  int64_t bytes = 0;
  for (int c = 0; c < t->ncolumn; ++c) switch (t->column[c].kind) {
      case HP_COLUMN_NUMBER: bytes += (int64_t)sizeof(double); break;
      case HP_COLUMN_INTEGER: bytes += (int64_t)sizeof(int32_t); break;
      case HP_COLUMN_NAME: bytes += NAME; break;
      case HP_COLUMN_TEXT: bytes += TEXT; break;
    }
  return bytes;
}

static hp_status note(hp_output *o, int64_t steps) {
  while (o->nstep < steps) HP_TRY(hp_output_note_step(o, 86400.0 * (o->nstep + 1), o->nstep + 1));
  return HP_OK;
}

static hp_status master_bytes(hp_output *o, bool with_tables, int64_t *bytes) {
  hp_h5 h;
  HP_TRY(hp_h5_create(&h, o->path[HP_OUTPUT_MASTER], 0));
  hp_status s = hp_output_fill_master(o, &h, with_tables);
  if (s == HP_OK) s = hp_h5_size(&h, bytes);
  hp_h5_discard(&h);
  return s;
}

static hp_status text_bytes(const hp_output *o, int64_t *bytes) {
  hp_text t = {0};
  const hp_status s = hp_output_add_xdmf(o, &t);
  *bytes = t.capacity;
  hp_text_clear(&t);
  return s;
}

/* Of the master and the xdmf2 with so many report steps. */
static hp_status files_bytes(hp_output *o, int64_t steps, int64_t bytes[2]) {
  int64_t few[2], many[2];
  HP_TRY(note(o, steps < 1 ? steps : 1));
  HP_TRY(master_bytes(o, true, &bytes[0]));
  HP_TRY(master_bytes(o, false, &few[0]));
  HP_TRY(text_bytes(o, &few[1]));
  HP_TRY(note(o, steps < SAMPLE ? steps : SAMPLE));
  HP_TRY(master_bytes(o, false, &many[0]));
  HP_TRY(text_bytes(o, &many[1]));
  const double share = o->nstep > 1 ? (double)(steps - 1) / (o->nstep - 1) : 0.0;
  bytes[0] += (int64_t)(share * (double)(many[0] - few[0]));
  bytes[1] = few[1] + (int64_t)(share * (double)(many[1] - few[1]));
  return HP_OK;
}

static int64_t steps_bytes(int64_t steps) {
  int64_t capacity = 16;
  while (capacity < steps) capacity *= 2;
  return steps > 0 ? capacity * (int64_t)(sizeof(double) + sizeof(int32_t)) : 0;
}

static hp_status measure(hp_output *o, int64_t rows, hp_output_memory *out) {
  const int64_t steps = o->c->output.fields ? hp_output_steps(o->c) : 0;
  const int64_t columns = o->summary.ncolumn + o->solver.ncolumn;
  int64_t file[2];
  HP_TRY(files_bytes(o, steps, file));
  out->row = row_bytes(&o->summary) + row_bytes(&o->solver) + columns * (int64_t)sizeof(double);
  file[0] += rows * (row_bytes(&o->summary) + row_bytes(&o->solver));
  out->held = out->open + steps_bytes(steps) + hp_table_capacity(rows) * columns * (int64_t)sizeof(double);
  out->writing = file[0] + file[1] + steps * (int64_t)(sizeof(double) + sizeof(int32_t));
  return HP_OK;
}

hp_status hp_output_measure_memory(const hp_case *c, int nwell, const hp_well_path *path, int64_t rows,
                                   hp_output_memory *out) {
  hp_output *o = NULL;
  const int64_t before = hp_memory_now();
  *out = (hp_output_memory){.open = 0};
  HP_TRY(hp_output_create_empty(c, "result", nwell, path, &o));
  out->open = hp_memory_now() - before;
  if (c->output.compression == 0) out->open += c->grid->ncell * (int64_t)sizeof(double);
  const hp_status s = measure(o, rows, out);
  hp_output_destroy(&o);
  return s;
}
