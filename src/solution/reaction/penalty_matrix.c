/* Factors M + D^T alpha D; see penalty_matrix.h. */
#include "solution/reaction/penalty_matrix.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pivot of an inertia tensor below this part of its diagonal is rounding. */
#define NO_INERTIA 1e-14

/* Is column j of the body part of a full 3x3 block of M? */
static bool is_full(const RbvBodyColumns *bodies, int32_t body, int32_t j) {
    return bodies->spatial && rbv_bodies_is_rotation(bodies, body, j);
}

/* Number of columns of the row of R that begins in column j of a body: for a rotation in space up to the body's
 * last. */
static int32_t inertia_columns(const RbvBodyColumns *bodies, int32_t body, int32_t j) {
    return is_full(bodies, body, j) ? bodies->start[body + 1] - j : 1;
}

/* Pattern of [D; R]: the rows of D, then one of R for each column. */
static void find_pattern(RbvPenaltyMatrix *m) {
    const RbvSystem *system = m->system;
    const RbvBodyColumns *bodies = &system->bodies;
    int32_t at = system->D.start[m->rows], row = m->rows, nodes = 0;
    memcpy(m->start, system->D.start, (size_t)m->rows * sizeof *m->start);
    memcpy(m->column, system->D.column, (size_t)at * sizeof *m->column);
    for (int32_t b = 1; b < bodies->count; b++) {
        for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++) {
            m->body_of[j] = b;
            m->node[j] = nodes + (j - bodies->start[b]) / 3;
            m->start[row++] = at;
            for (int32_t k = 0; k < inertia_columns(bodies, b, j); k++)
                m->column[at++] = j + k;
        }
        nodes += (rbv_bodies_columns(bodies, b) + 2) / 3;
    }
    m->start[row] = at;
}

RbvPenaltyMatrix *rbv_penalty_matrix_create(const RbvSystem *system, double given) {
    RbvPenaltyMatrix *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    size_t n = (size_t)system->bodies.size + 1, parts = (size_t)system->part_count + 1,
           rows = (size_t)system->held_count + 1;
    size_t entries = (size_t)system->D.start[system->held_count] + 3 * n;
    *m = (RbvPenaltyMatrix){.system = system,
                            .rows = system->held_count,
                            .given = given,
                            .start = malloc((rows + n) * sizeof(int32_t)),
                            .column = malloc(entries * sizeof(int32_t)),
                            .node = malloc(n * sizeof(int32_t)),
                            .body_of = malloc(n * sizeof(int32_t)),
                            .entries = malloc(entries * sizeof(double)),
                            .alpha = calloc(rows, sizeof(double)),
                            .scale = calloc(rows, sizeof(double)),
                            .arm = calloc(n, sizeof(double)),
                            .mass = calloc(parts, sizeof(double)),
                            .force = calloc(parts, sizeof(double)),
                            .rate = calloc(parts, sizeof(double))};
    if (m->start && m->column && m->node && m->body_of && m->entries && m->alpha && m->scale && m->arm && m->mass &&
        m->force && m->rate) {
        find_pattern(m);
        m->gram = rbv_gram_create(m->rows + system->bodies.size, system->bodies.size, m->start, m->column, m->node);
    }
    if (m->gram)
        return m;
    rbv_penalty_matrix_destroy(m);
    return NULL;
}

void rbv_penalty_matrix_destroy(RbvPenaltyMatrix *m) {
    if (!m)
        return;
    rbv_gram_destroy(m->gram);
    void *const parts[] = {m->start, m->column, m->node, m->body_of, m->entries, m->alpha,
                           m->scale, m->arm,    m->mass, m->force,   m->rate};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        free(parts[k]);
    free(m);
}

static inline void enlarge(double *to, double value) {
    *to = value > *to ? value : *to;
}

/* Rows of R of a body: roots of its masses; of a tensor J the triangle R with R^T R = J. Enlarges *scale [kg]. */
static void place_inertia(RbvPenaltyMatrix *m, const RbvState *state, int32_t b, double *scale) {
    const RbvBodyColumns *bodies = &m->system->bodies;
    const RbvBody *body = &m->system->model->bodies.items[b];
    double J[3][3], R[3][3] = {{0}};
    rbv_state_tensor(state, b, J);
    for (int i = 0; i < 3; i++) {
        double pivot = J[i][i];
        for (int k = 0; k < i; k++)
            pivot -= R[k][i] * R[k][i];
        for (int j = i; j < 3 && pivot > NO_INERTIA * J[i][i]; j++) {
            double sum = J[i][j];
            for (int k = 0; k < i; k++)
                sum -= R[k][i] * R[k][j];
            R[i][j] = sum / sqrt(pivot);
        }
    }
    for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++) {
        double *to = m->entries + m->start[m->rows + j];
        int32_t turn = j - bodies->start[b] - 3;
        bool rotation = rbv_bodies_is_rotation(bodies, b, j);
        double own = !rotation ? body->mass : bodies->spatial ? J[turn][turn] : J[2][2];
        if (body->generalized)
            own = state->mass[(body->generalized - 1) * (m->system->model->generalized.count + 1)];
        m->arm[j] = rotation ? rbv_state_body_arm(state, b) : 1;
        enlarge(scale, own / (m->arm[j] * m->arm[j]));
        for (int32_t k = 0; k < inertia_columns(bodies, b, j); k++)
            to[k] = is_full(bodies, b, j) ? R[turn][turn + k] : sqrt(fmax(own, 0));
    }
}

/* Index of a part in arrays over parts; -1: ground alone. */
static inline int32_t place_of(const RbvPenaltyMatrix *m, int32_t part) {
    return part >= 0 ? part : m->system->part_count;
}

/* R, and the mass scale of each part: largest mass, or inertia over the square of an arm, rotors included. */
static void place_masses(RbvPenaltyMatrix *m, const RbvState *state) {
    const RbvSystem *system = m->system;
    memset(m->mass, 0, ((size_t)system->part_count + 1) * sizeof *m->mass);
    for (int32_t b = 1; b < system->bodies.count; b++)
        place_inertia(m, state, b, &m->mass[place_of(m, system->part[b])]);
    RbvRotor rotor;
    for (int32_t k = 0; system->model->rotor_count > 0 && k < system->model->drives.count; k++) {
        double sum = 0;
        if (!rbv_state_rotor(state, k, &rotor))
            continue;
        for (int32_t c = 0; c < rotor.count; c++)
            sum += rotor.value[c] * rotor.value[c] / (m->arm[rotor.column[c]] * m->arm[rotor.column[c]]);
        enlarge(&m->mass[place_of(m, system->row_part[system->drive_row[k]])], rotor.mass * sum);
    }
}

/* Length of a row of D, rotations over arms. */
static double row_norm(const RbvPenaltyMatrix *m, const RbvState *state, int32_t k) {
    double sum = 0;
    for (int32_t e = m->start[k]; e < m->start[k + 1]; e++) {
        double x = state->D[e] / m->arm[m->column[e]];
        sum += x * x;
    }
    return sqrt(sum);
}

/* Stiffness factor f of the row: that of its joint, or 1. */
static double factor_of(const RbvPenaltyMatrix *m, int32_t k) {
    const RbvRow *row = &m->system->rows[k];
    return row->owner == RBV_OWNER_JOINT ? rbv_joint_loose(&m->system->model->joints.items[row->index])->penalty : 1;
}

/* Length scale of each row; that of an equation, which has a unit of its own, follows from its gradient. */
static void find_worths(RbvPenaltyMatrix *m, const RbvState *state) {
    for (int32_t k = 0; k < m->rows; k++) {
        const RbvRow *row = &m->system->rows[k];
        double norm = row->equation || row->owner == RBV_OWNER_CONSTRAINT ? row_norm(m, state, k) : 0;
        m->scale[k] = norm > 0 ? 1 / norm : row->angular ? rbv_state_row_arm(state, k) : 1;
    }
}

/* Mass scale of a part without mass: its loads over its accelerations, so that alpha times rounding is small beside
 * the loads; without either 1 kg. */
static void find_massless(RbvPenaltyMatrix *m, const RbvState *state) {
    const RbvSystem *system = m->system;
    size_t parts = (size_t)system->part_count + 1;
    memset(m->force, 0, parts * sizeof *m->force);
    memset(m->rate, 0, parts * sizeof *m->rate);
    for (int32_t b = 1; b < system->bodies.count; b++)
        enlarge(&m->force[place_of(m, system->part[b])],
                fmax(rbv_norm(state->wrenches[b].force),
                     rbv_norm(state->wrenches[b].torque) / rbv_state_body_arm(state, b)));
    for (int32_t k = 0; k < m->rows; k++)
        enlarge(&m->rate[place_of(m, system->row_part[k])],
                rbv_state_holds(state, k) ? fabs(state->gamma_D[k]) * m->scale[k] : 0);
    for (size_t p = 0; p < parts; p++)
        if (!(m->mass[p] > 0))
            m->mass[p] = m->force[p] > 0 && m->rate[p] > 0 ? m->force[p] / m->rate[p] : 1;
}

bool rbv_penalty_matrix_factor(RbvPenaltyMatrix *m, const RbvState *state, double share) {
    place_masses(m, state);
    find_worths(m, state);
    find_massless(m, state);
    m->largest = 0;
    m->least = INFINITY;
    for (int32_t k = 0; k < m->rows; k++) {
        double mass = m->mass[place_of(m, m->system->row_part[k])],
               K = factor_of(m, k) * (isnan(m->given) ? share * mass : m->given);
        m->least = fmin(m->least, rbv_state_holds(state, k) ? K / mass : INFINITY);
        m->alpha[k] = rbv_state_holds(state, k) ? K * m->scale[k] * m->scale[k] : 0;
        enlarge(&m->largest, m->alpha[k] > 0 ? K : 0);
        double root = sqrt(m->alpha[k]);
        for (int32_t e = m->start[k]; e < m->start[k + 1]; e++)
            m->entries[e] = root * state->D[e];
    }
    return rbv_gram_factor(m->gram, m->entries, DBL_MIN) && rbv_gram_rank(m->gram) == m->system->bodies.size;
}
