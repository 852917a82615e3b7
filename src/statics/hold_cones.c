/* Loads that friction can hold, by cones; see hold_cones.h.
 *
 *   first phase:  the least s with |f_i| <= t_i + s and one-sided rows violated by at most s, until s < 0
 *   second phase: the largest sign p from there
 */
#include "statics/hold_cones.h"

#include "core/solve/cone_program.h"

#include <math.h>
#include <string.h>

/* Multiple of the size of forces: larger self-stresses are not searched; a solution near it is no solution. */
#define LARGEST_STRESS 1e4
/* First phase: BEGINS: initial distance of s above the violation; WITHIN: s goes so far below zero. */
#define BEGINS 1.0
#define WITHIN 1e-3
/* A smaller distance to all limits is rounding. */
#define LEAST_MARGIN 1e-9

double rbv_hold_one_way(const RbvSystem *system, int32_t k) {
    const RbvRow *of = &system->rows[k];
    const RbvJoint *joint = of->owner == RBV_OWNER_JOINT ? &system->model->joints.items[of->index] : NULL;
    if (of->owner == RBV_OWNER_STOP)
        return k == system->stop_row[2 * of->index] ? 1 : -1;
    return !joint || !joint->unilateral || k != system->joint_row[of->index] ? 0
           : joint->form == RBV_FORM_DISTANCE                                ? -1
                                                                             : 1;
}

/* Creates a program for the friction contacts that have rows to stick by, and the one-sided rows. */
static bool create_cones(const RbvHoldProblem *h, RbvConeProgram *p) {
    const RbvSystem *system = h->state->system;
    int32_t cones = 0, rows = 0;
    for (int32_t i = 0; i < system->friction_count; i++)
        cones += system->friction[i].stick_row >= 0;
    for (int32_t r = 0; r < h->rows; r++)
        rows += rbv_hold_one_way(system, h->row[r]) != 0;
    return rbv_cone_program_create(p, h->vary + 1, cones, rows);
}

/* Sets the limits over y and s. */
static void set_cones(const RbvHoldProblem *h, RbvConeProgram *p) {
    const RbvSystem *system = h->state->system;
    int32_t n = h->vary + 1, cone = 0, row = 0;
    for (int32_t i = 0; i < system->friction_count; i++) {
        if (system->friction[i].stick_row < 0)
            continue;
        memcpy(p->limit + cone * (n + 1), h->tangent + i * n, (size_t)n * sizeof(double));
        p->limit[cone * (n + 1) + n] = 1;
        for (int c = 0; c < system->friction[i].count; c++)
            memcpy(p->force + (RBV_CONE_DIRECTIONS * cone + c) * (n + 1),
                   h->friction + (i * RBV_MOST_SLIP_DIRECTIONS + c) * n, (size_t)n * sizeof(double));
        cone++;
    }
    for (int32_t r = 0; r < h->rows; r++) {
        double sign = rbv_hold_one_way(system, h->row[r]);
        if (sign == 0)
            continue;
        p->b[row] = -sign * h->z0[r];
        for (int32_t k = 0; k < h->vary; k++)
            p->A[row * n + k] = sign * h->Z[(size_t)k * (size_t)(h->rows + 1) + (size_t)r];
        p->A[row * n + h->vary] = -1;
        row++;
    }
    p->radius = LARGEST_STRESS;
}

/* e: gradient of p along y, p = z0 + e.y. */
static void set_gradient_of_value(const RbvHoldProblem *h, double *e) {
    memset(e, 0, (size_t)(h->vary + 1) * sizeof *e);
    for (int32_t k = 0; k < h->vary; k++)
        e[k] = h->Z[(size_t)k * (size_t)(h->rows + 1) + (size_t)h->rows];
}

/* x = (h->y, 0), moved along e to where p is *at; then the first phase. False: it fails. */
static bool begin_cones(RbvHoldProblem *h, RbvConeProgram *p, const double *e, const double *at, double *x) {
    int32_t n = h->vary;
    double square = 0, value = h->z0[h->rows];
    memcpy(x, h->y, (size_t)n * sizeof *x);
    for (int32_t k = 0; k < n; k++)
        square += e[k] * e[k], value += e[k] * x[k];
    for (int32_t k = 0; at && square > 0 && k < n; k++)
        x[k] += (*at - value) * e[k] / square;
    x[n] = 0;
    x[n] = fmax(rbv_cone_program_lack(p, x), 0) + BEGINS;
    memset(p->c, 0, (size_t)(n + 1) * sizeof *p->c);
    p->c[n] = -1;
    p->e = at ? e : NULL;
    return rbv_cone_program_solve(p, x, WITHIN);
}

RbvProgramEnd rbv_hold_reach_cones(RbvHoldProblem *h, const double *at) {
    RbvConeProgram p;
    double *x = h->program.x, *e = h->program.ray;
    bool good = create_cones(h, &p);
    if (good) {
        set_cones(h, &p);
        set_gradient_of_value(h, e);
        good = begin_cones(h, &p, e, at, x);
    }
    x[h->vary] = fmax(x[h->vary], 0);
    rbv_cone_program_destroy(&p);
    return good ? RBV_PROGRAM_OPTIMAL : RBV_PROGRAM_GIVEN_UP;
}

/* Second phase: the violation stays at zero. */
RbvProgramEnd rbv_hold_push_cones(RbvHoldProblem *h, double sign) {
    RbvConeProgram p;
    int32_t n = h->vary;
    double *x = h->program.x, *e = h->program.ray, far = 0;
    bool good = create_cones(h, &p);
    if (good) {
        set_cones(h, &p);
        set_gradient_of_value(h, e);
        good = begin_cones(h, &p, e, NULL, x) && x[n] < -LEAST_MARGIN;
    }
    if (good) {
        for (int32_t i = 0; i < p.cones; i++) /* without s */
            p.limit[i * (n + 2) + n + 1] = 0;
        for (int32_t r = 0; r < p.rows; r++)
            p.A[r * (n + 1) + n] = 0;
        for (int32_t k = 0; k < n; k++)
            p.c[k] = sign * e[k];
        p.c[n] = 0;
        x[n] = 0;
        good = rbv_cone_program_solve(&p, x, INFINITY);
    }
    for (int32_t k = 0; k < n; k++)
        far = fmax(far, fabs(x[k]));
    rbv_cone_program_destroy(&p);
    return good && far < 0.1 * LARGEST_STRESS ? RBV_PROGRAM_OPTIMAL : RBV_PROGRAM_GIVEN_UP;
}
