/* Arrays that follow from the state of a report step, for NAME.UNRST: flows between cells, properties of fluids (HP_DERIVED_LIST).
 * Each rank computes those of its cells. Flows are F_a of physics/flux.inl.h at the state that the files have, at surface conditions,
 * and the same times B_a of the cell that they leave.
 */
#include <string.h>

#include "core/memory.h"
#include "io/case/state_arrays.h"
#include "physics/assembly.inl.h"
#include "sim/simulator/simulator.h"

enum { FLOWS = HP_PHASES * HP_DIRS };
_Static_assert(HP_ARRAY_OIL_VOLUME_I == HP_ARRAY_OIL_FLOW_I + FLOWS, "volumes follow flows");
_Static_assert(HP_ARRAY_WATER_FLOW_I == HP_ARRAY_OIL_FLOW_I + HP_DIRS, "water follows oil");

struct hp_derived {
  double *array[HP_DERIVED]; /* [cells of the backend's reservoir] of HP_DERIVED_LIST; NULL: not asked for */
  bool flows;                /* any of the flows is */
  int64_t nlink;             /* connections of the whole grid, if they are asked for, and */
  hp_link_flow *link;        /*   [nlink] their flows from a to b */
  double *p, *s;             /* of several ranks the state with its ghosts; else borrowed */
};

typedef struct {
  hp_cell_props props;
  double volume[HP_PHASES]; /* B_a */
} content;

static content evaluate(const hp_reservoir *r, const struct hp_derived *D, int64_t m, int face) {
  content c;
  hp_cell_mass mass;
  hp_reservoir_eval(r, m, D->p[m], D->s[m], &c.props, &mass);
  for (int a = 0; a < HP_PHASES; ++a) c.volume[a] = 1.0 / mass.b[a];
  if (face >= 0) hp_reservoir_direct(r, m, face, D->s[m], &c.props);
  return c;
}

static double *array_of(const struct hp_derived *D, hp_array a) { return D->array[a - HP_FIRST_DERIVED]; }

static void put(const struct hp_derived *D, hp_array a, int64_t m, double value) {
  if (array_of(D, a) != NULL) array_of(D, a)[m] = value;
}

/* Flows from cell m through its face to n: at surface conditions, then in the reservoir. */
static void flow_between(const hp_reservoir *r, const struct hp_derived *D, int64_t m, int64_t n, double T, int face,
                         hp_threshold t, double flow[2][HP_PHASES]) {
  const content own = evaluate(r, D, m, face), other = evaluate(r, D, n, hp_face_across(face));
  hp_flux f[HP_PHASES];
  hp_flux_face(T, HP_GRAVITY * (r->depth[m] - r->depth[n]), t, &own.props, &other.props, f);
  for (int a = 0; a < HP_PHASES; ++a) {
    flow[0][a] = f[a].v;
    flow[1][a] = f[a].v * (f[a].v >= 0.0 ? own : other).volume[a];
  }
}

static void put_faces(const hp_reservoir *r, const struct hp_derived *D, int64_t m) {
  const int64_t stride[HP_DIRS] = {[HP_DIR_K] = 1, [HP_DIR_J] = r->nz, [HP_DIR_I] = (int64_t)r->nz * r->ny};
  for (int d = 0; d < HP_DIRS; ++d) {
    const int64_t n = m + stride[d];
    const int first = HP_ARRAY_OIL_FLOW_I + (HP_DIR_I - d); /* I, J, K */
    double flow[2][HP_PHASES] = {{0.0, 0.0}, {0.0, 0.0}};
    if (n < r->ncell && r->trans[d][m] != 0.0)
      flow_between(r, D, m, n, r->trans[d][m], d, hp_face_threshold(r, m, n, d, m), flow);
    for (int volume = 0; volume < 2; ++volume)
      for (int a = 0; a < HP_PHASES; ++a)
        put(D, (hp_array)(first + volume * FLOWS + (a == HP_OIL ? 0 : HP_DIRS)), m, flow[volume][a]);
  }
}

static void put_fluids(const hp_reservoir *r, const struct hp_derived *D, int64_t m) {
  const hp_fluid *f = hp_reservoir_fluid(r, m);
  const hp_sat_value sat = hp_reservoir_sat(r, m, D->s[m]);
  const content c = evaluate(r, D, m, -1);
  hp_dual b, bmu;
  hp_pvt_eval(&f->phase[HP_OIL], c.props.p, &b, &bmu);
  put(D, HP_ARRAY_OIL_DENSITY, m, c.props.rho_o);
  put(D, HP_ARRAY_OIL_VISCOSITY, m, b.v / bmu.v);
  hp_pvt_eval(&f->phase[HP_WATER], c.props.pw, &b, &bmu);
  put(D, HP_ARRAY_WATER_DENSITY, m, c.props.rho_w);
  put(D, HP_ARRAY_WATER_VISCOSITY, m, b.v / bmu.v);
  put(D, HP_ARRAY_KRO, m, sat.kro.v);
  put(D, HP_ARRAY_KRW, m, sat.krw.v);
  put(D, HP_ARRAY_PCOW, m, sat.pc.v);
}

static int64_t global_of(const hp_subdomain *part, int64_t m) { return part != NULL ? part->part.global[m] : m; }

/* Every connection that begins in a cell here, at its number in the list of the whole grid. */
static void put_links(const hp_sim *S, const hp_reservoir *r, const struct hp_derived *D) {
  const hp_links *L = &r->links;
  const hp_subdomain *part = S->backend->D;
  memset(D->link, 0, (size_t)D->nlink * sizeof *D->link);
  for (int64_t row = 0; row < L->nrow; ++row)
    for (int64_t e = L->begin[row]; e < L->begin[row + 1]; ++e) {
      const int64_t m = L->cell[row], n = L->other[e], of = L->of[e];
      double flow[2][HP_PHASES];
      if (!r->active[m] || global_of(part, m) > global_of(part, n)) continue;
      flow_between(r, D, m, n, r->link_trans[of], hp_link_face(r, m, n, of),
                   hp_cells_threshold(r, m, n, r->link_threshold, of), flow);
      hp_link_flow *to = &D->link[part != NULL ? part->links.mine[of] : of];
      for (int a = 0; a < HP_PHASES; ++a) {
        to->surface[a] = flow[0][a];
        to->reservoir[a] = flow[1][a];
      }
    }
  hp_ranks_sum(S->K, (int64_t *)(void *)D->link, (int)(D->nlink * (int64_t)(sizeof *D->link / sizeof(int64_t))));
}

/* ---- the whole ---- */

hp_status hp_sim_derived_create(hp_sim *S) {
  const hp_case *c = S->c;
  if (!c->output.eclipse || !c->output.fields || c->output.arrays == 0) return HP_OK;
  HP_TRY(HP_ALLOC(S->derived, 1));
  struct hp_derived *D = S->derived;
  for (int n = 0; n < HP_DERIVED; ++n) {
    if (!hp_state_array_needs(c, (hp_array)(HP_FIRST_DERIVED + n))) continue;
    HP_TRY(HP_ALLOC(D->array[n], S->backend->res->ncell));
    D->flows = D->flows || n < 2 * FLOWS;
  }
  D->nlink = D->flows ? c->spread != NULL ? c->facts.connections : c->grid->connection.count : 0;
  HP_TRY(HP_ALLOC(D->link, D->nlink));
  if (S->K == NULL) return HP_OK;
  HP_TRY(HP_ALLOC(D->p, S->backend->res->ncell));
  return HP_ALLOC(D->s, S->backend->res->ncell);
}

void hp_sim_derived_destroy(hp_sim *S) {
  struct hp_derived *D = S->derived;
  if (D == NULL) return;
  for (int n = 0; n < HP_DERIVED; ++n) HP_FREE(D->array[n]);
  HP_FREE(D->link);
  if (S->K != NULL) HP_FREE(D->p);
  if (S->K != NULL) HP_FREE(D->s);
  HP_FREE(S->derived);
}

double *const *hp_sim_derived_arrays(const hp_sim *S) { return S->derived != NULL ? S->derived->array : NULL; }
const hp_link_flow *hp_sim_derived_links(const hp_sim *S) { return S->derived != NULL ? S->derived->link : NULL; }

/* The state that files have; a rank's with ghosts, in copies. */
static hp_status take_state(hp_sim *S) {
  struct hp_derived *D = S->derived;
  hp_backend *B = S->backend;
  const hp_reservoir *r = B->res;
  HP_TRY(hp_backend_get(B, HP_ARRAYS_STATE));
  if (S->K == NULL) {
    D->p = r->p;
    D->s = r->s;
    return HP_OK;
  }
  memcpy(D->p, r->p, (size_t)r->ncell * sizeof *D->p);
  memcpy(D->s, r->s, (size_t)r->ncell * sizeof *D->s);
  hp_part_renew_all(&B->D->part, D->p, 1, false);
  hp_part_renew_all(&B->D->part, D->s, 1, false);
  return HP_OK;
}

hp_status hp_sim_derive(hp_sim *S) {
  struct hp_derived *D = S->derived;
  if (D == NULL) return HP_OK;
  HP_TRY(take_state(S));
  const hp_reservoir *r = S->backend->res;
  for (int64_t m = 0; m < r->ncell; ++m) {
    if (!r->active[m]) continue;
    if (D->flows) put_faces(r, D, m);
    put_fluids(r, D, m);
  }
  if (D->nlink > 0) put_links(S, r, D);
  return HP_OK;
}
