/* Sparse Newton matrix of the implicit method; see implicit_system.h. */
#include "dynamics/integration/implicit_system.h"

#include "core/linalg/complex_lu.h"
#include "dynamics/integration/implicit_layout.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct RbvImplicitSystem {
    RbvFlow *flow;
    RbvImplicitLayout layout;
    RbvRadauSolver solver;
    RbvLu *lu;
    RbvComplexLu *complex_lu;
    double *fixed, *change; /* [entries]: each entry is fixed - change / g^power */
    double *values;         /* [2 entries] real or complex values */
    double *M, *C;          /* entries of M and C at the Jacobian's state; C weighted */
    double *weight;         /* [rows] weights of rows at the Jacobian's state */
    double *a, *lambda;     /* [n] accelerations, [rows] multipliers at the Jacobian's state */
    double *y, *f;          /* [size] scratch: varied state, rate */
    double *here, *beside;  /* [total] q', F and G at the state; at the varied state */
    double *x;              /* [2 total] right-hand side and solution */
    double real;            /* g of the real factors; g below: of the complex ones */
    double complex g;
};

/* out[total]: q', F and G at y and t, with fixed a and lambda. False: not finite. */
static bool evaluate(RbvImplicitSystem *s, double t, const double *y, double *out) {
    RbvFlow *flow = s->flow;
    const RbvRowPattern *C = &flow->system->C;
    const RbvState *state = flow->state;
    double *F = out + s->layout.positions, *G = F + s->layout.n;
    if (!rbv_flow_place(flow, t, y))
        return false;
    rbv_coordinates_rate(&flow->system->coordinates, state->q, state->v, out);
    rbv_state_inertia(state, s->a, F);
    for (int32_t j = 0; j < s->layout.n; j++)
        F[j] = state->Q[j] - F[j];
    for (int32_t k = 0; k < s->layout.rows; k++) {
        G[k] = state->gamma[k];
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
            G[k] -= state->C[e] * s->a[C->column[e]];
            F[C->column[e]] -= state->C[e] * s->lambda[k];
        }
    }
    return true;
}

/* Derivatives by unknown number l of all bodies of group g. */
static bool differentiate_group(RbvImplicitSystem *s, double t, const double *y, const double *step, int32_t g,
                                int32_t l) {
    const RbvImplicitLayout *at = &s->layout;
    memcpy(s->y, y, (size_t)s->flow->size * sizeof *y);
    for (int32_t b = 1; b < at->bodies; b++)
        if (at->group[b] == g && l < at->first[b + 1] - at->first[b])
            s->y[at->unknown[at->first[b] + l]] += step[at->unknown[at->first[b] + l]];
    if (!evaluate(s, t, s->y, s->beside))
        return false;
    for (int32_t b = 1; b < at->bodies; b++) {
        if (at->group[b] != g || l >= at->first[b + 1] - at->first[b])
            continue;
        int32_t j = at->unknown[at->first[b] + l];
        double length = s->y[j] - y[j];
        for (int32_t k = at->column_start[j]; k < at->column_start[j + 1]; k++) {
            int32_t i = at->column_row[k];
            s->change[at->column_entry[k]] = (s->beside[i] - s->here[i]) / length;
        }
    }
    return true;
}

/* Takes M, C, weights, accelerations and multipliers of the flow's last evaluation. */
static void take_state(RbvImplicitSystem *s) {
    const RbvFlow *flow = s->flow;
    const RbvImplicitLayout *at = &s->layout;
    const RbvRowPattern *M = &rbv_saddle_mass(flow->saddle)->pattern, *C = &flow->system->C;
    memcpy(s->a, flow->state->a, (size_t)at->n * sizeof *s->a);
    memcpy(s->lambda, flow->lambda, (size_t)at->rows * sizeof *s->lambda);
    memcpy(s->weight, rbv_saddle_weights(flow->saddle), (size_t)at->rows * sizeof *s->weight);
    memcpy(s->M, rbv_saddle_mass(flow->saddle)->values, (size_t)M->start[at->n] * sizeof *s->M);
    for (int32_t k = 0; k < at->rows; k++)
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++)
            s->C[e] = s->weight[k] * flow->state->C[e];
}

/* Fills the constant parts of the entries, and weights the rows of G. */
static void fill_fixed(RbvImplicitSystem *s) {
    const RbvImplicitLayout *at = &s->layout;
    const RbvRowPattern *M = &rbv_saddle_mass(s->flow->saddle)->pattern, *C = &s->flow->system->C;
    double proximal = rbv_saddle_proximal(s->flow->saddle);
    for (int32_t i = 0; i < at->positions; i++)
        s->fixed[at->start[i]] = 1;
    for (int32_t e = 0; e < M->start[at->n]; e++)
        s->fixed[at->mass_at[e]] = s->M[e];
    for (int32_t e = 0; e < C->start[at->rows]; e++)
        s->fixed[at->at[e]] = s->fixed[at->at_transposed[e]] = s->C[e];
    for (int32_t k = 0; k < at->rows; k++) {
        int32_t row = at->positions + at->n + k;
        s->fixed[at->start[row]] = s->weight[k] > 0 ? -proximal : -1;
        for (int32_t e = at->start[row]; e < at->start[row + 1]; e++)
            s->change[e] *= s->weight[k];
    }
}

static RbvStatus differentiate(void *context, double t, const double *y, const double *step) {
    RbvImplicitSystem *s = context;
    RbvStatus status = rbv_flow_rate(s->flow, t, y, s->f);
    if (status != RBV_OK)
        return status;
    take_state(s);
    bool good = evaluate(s, t, y, s->here);
    for (int32_t g = 0; good && g < s->layout.groups; g++)
        for (int32_t l = 0; good && l < s->layout.most; l++)
            good = differentiate_group(s, t, y, step, g, l);
    fill_fixed(s);
    return good ? RBV_OK : s->flow->state->no_memory ? RBV_NO_MEMORY : RBV_NOT_FINITE;
}

/* Power of 1/g by which an entry's derivative is multiplied. */
static inline int power(const RbvImplicitLayout *at, int32_t row, int32_t column) {
    return (row >= at->positions) + (column < at->positions);
}

static void fill_real(RbvImplicitSystem *s) {
    const RbvImplicitLayout *at = &s->layout;
    const double by[3] = {1, 1 / s->real, 1 / (s->real * s->real)};
    for (int32_t i = 0; i < at->total; i++)
        for (int32_t e = at->start[i]; e < at->start[i + 1]; e++)
            s->values[e] = s->fixed[e] - s->change[e] * by[power(at, i, at->index[e])];
}

static void fill_complex(RbvImplicitSystem *s) {
    const RbvImplicitLayout *at = &s->layout;
    const double complex by[3] = {1, 1 / s->g, 1 / (s->g * s->g)};
    for (int32_t i = 0; i < at->total; i++)
        for (int32_t e = at->start[i]; e < at->start[i + 1]; e++) {
            double complex of = by[power(at, i, at->index[e])];
            s->values[2 * e] = s->fixed[e] - s->change[e] * creal(of);
            s->values[2 * e + 1] = -s->change[e] * cimag(of);
        }
}

static bool factor(void *context, double real, double a, double b, bool *no_memory) {
    RbvImplicitSystem *s = context;
    s->real = real;
    s->g = a - b * I;
    fill_real(s);
    if (!rbv_lu_factor(s->lu, s->values, no_memory))
        return false;
    fill_complex(s);
    return rbv_complex_lu_factor(s->complex_lu, s->values, no_memory);
}

/* out[n + rows] = M r, then C r; r[n]; entries of out are `stride` apart. */
static void multiply(const RbvImplicitSystem *s, const double *r, double *out, int stride) {
    const RbvImplicitLayout *at = &s->layout;
    const RbvRowPattern *patterns[2] = {&rbv_saddle_mass(s->flow->saddle)->pattern, &s->flow->system->C};
    const double *values[2] = {s->M, s->C};
    for (int part = 0; part < 2; part++)
        for (int32_t i = 0; i < (part == 0 ? at->n : at->rows); i++, out += stride) {
            double sum = 0;
            for (int32_t e = patterns[part]->start[i]; e < patterns[part]->start[i + 1]; e++)
                sum += values[part][e] * r[patterns[part]->column[e]];
            *out = sum;
        }
}

static void solve(void *context, double *x) {
    RbvImplicitSystem *s = context;
    int32_t positions = s->layout.positions, n = s->layout.n;
    for (int32_t i = 0; i < positions; i++)
        s->x[i] = s->real * x[i];
    multiply(s, x + positions, s->x + positions, 1);
    rbv_lu_solve(s->lu, s->x);
    for (int32_t i = 0; i < positions; i++)
        x[i] = s->x[i] / (s->real * s->real);
    for (int32_t i = positions; i < positions + n; i++)
        x[i] = s->x[i] / s->real;
    for (int32_t i = positions + n; i < s->flow->size; i++)
        x[i] /= s->real;
}

static void solve_complex(void *context, double *x) {
    RbvImplicitSystem *s = context;
    int32_t positions = s->layout.positions, n = s->layout.n, size = s->flow->size;
    double complex once = 1 / s->g, twice = once * once;
    for (int32_t i = 0; i < positions; i++) {
        double complex r = s->g * (x[i] + x[size + i] * I);
        s->x[2 * i] = creal(r), s->x[2 * i + 1] = cimag(r);
    }
    multiply(s, x + positions, s->x + 2 * positions, 2);
    multiply(s, x + size + positions, s->x + 2 * positions + 1, 2);
    rbv_complex_lu_solve(s->complex_lu, s->x);
    for (int32_t i = 0; i < size; i++) {
        double complex r = i < positions + n ? (s->x[2 * i] + s->x[2 * i + 1] * I) * (i < positions ? twice : once)
                                             : (x[i] + x[size + i] * I) * once;
        x[i] = creal(r), x[size + i] = cimag(r);
    }
}

static void forget(void *context) {
    RbvImplicitSystem *s = context;
    rbv_lu_forget(s->lu);
    rbv_complex_lu_forget(s->complex_lu);
}

static bool allocate(RbvImplicitSystem *s) {
    RbvImplicitLayout *at = &s->layout;
    size_t entries = (size_t)at->start[at->total], total = (size_t)at->total, size = (size_t)s->flow->size;
    size_t of_M = (size_t)rbv_saddle_mass(s->flow->saddle)->pattern.start[at->n],
           of_C = (size_t)s->flow->system->C.start[at->rows];
    struct {
        double **at;
        size_t count;
    } arrays[] = {{&s->fixed, entries},
                  {&s->change, entries},
                  {&s->values, 2 * entries},
                  {&s->M, of_M},
                  {&s->C, of_C},
                  {&s->weight, (size_t)at->rows},
                  {&s->a, (size_t)at->n},
                  {&s->lambda, (size_t)at->rows},
                  {&s->y, size},
                  {&s->f, size},
                  {&s->here, total},
                  {&s->beside, total},
                  {&s->x, 2 * total}};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (!(*arrays[k].at = rbv_arena_array(&at->arena, arrays[k].count + 1, sizeof(double))))
            return false;
    s->lu = rbv_lu_create(at->total, at->start, at->index);
    s->complex_lu = s->lu ? rbv_complex_lu_create(at->total, at->start, at->index) : NULL;
    return s->complex_lu;
}

bool rbv_implicit_system_create(RbvFlow *flow, RbvImplicitSystem **system) {
    *system = NULL;
    RbvImplicitSystem *s = calloc(1, sizeof *s);
    if (!s)
        return false;
    bool fits;
    s->flow = flow;
    s->solver = (RbvRadauSolver){s, differentiate, factor, solve, solve_complex, forget};
    bool good = rbv_implicit_layout_create(&s->layout, flow, &fits) && (!fits || allocate(s));
    if (good && fits)
        *system = s;
    else
        rbv_implicit_system_destroy(s);
    return good;
}

void rbv_implicit_system_destroy(RbvImplicitSystem *s) {
    if (!s)
        return;
    rbv_lu_destroy(s->lu);
    rbv_complex_lu_destroy(s->complex_lu);
    rbv_implicit_layout_destroy(&s->layout);
    free(s);
}

const RbvRadauSolver *rbv_implicit_system_solver(const RbvImplicitSystem *s) {
    return &s->solver;
}
