/* Programs over (y, violation) at the tangents of the loads: least violation of the friction law, and the largest p.
 *
 *   |f_i(y)| <= t_i(y) + violation,   s_u lambda_u(y) <= violation of one-sided rows
 * by half planes where f is a vector, with rounds that add those that are violated; where these do not converge, by
 * cones. t_i: tangent of mu_i N_i at some y, or one of the sides of the load. */
#include "statics/hold.h"

#include "core/base/tolerances.h"
#include "core/solve/programs.h"

#include <math.h>
#include <string.h>

/* Rounds that add half planes, before cones take their place. */
#define MOST_CUT_ROUNDS 40

double rbv_hold_one_way(const RbvSystem *system, int32_t k) {
    const RbvRow *of = &system->rows[k];
    const RbvJoint *joint = of->owner == RBV_OWNER_JOINT ? &system->model->joints.items[of->index] : NULL;
    if (of->owner == RBV_OWNER_STOP)
        return k == system->stop_row[2 * of->index] ? 1 : -1;
    bool one_sided = joint && joint->unilateral && k == system->joint_row[of->index];
    return one_sided ? rbv_forms[joint->form].one_sided : 0;
}

/* Friction, its limits and their tangents at y. */

/* Value at y of a number that is affine in y. */
static double affine_at(const RbvHoldProblem *h, const double *affine, const double *y) {
    double sum = affine[0];
    for (int32_t k = 0; k < h->vary; k++)
        sum += affine[k + 1] * y[k];
    return sum;
}

/* |f| of friction contact i, and its direction; for a ray without the constant terms. */
double rbv_hold_friction(const RbvHoldProblem *h, int32_t i, const double *y, bool ray,
                         double slip[RBV_MOST_SLIP_DIRECTIONS]) {
    double sum = 0;
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
        const double *affine = h->friction + (i * RBV_MOST_SLIP_DIRECTIONS + c) * (h->vary + 1);
        slip[c] = affine_at(h, affine, y) - (ray ? affine[0] : 0);
        sum += slip[c] * slip[c];
    }
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
        slip[c] = sum > 0 ? slip[c] / sqrt(sum) : 0;
    return sqrt(sum);
}

/* mu N of friction contact i at y, and its tangent there. */
double rbv_hold_tangent(RbvHoldProblem *h, int32_t i, const double *y) {
    const RbvFrictionContact *friction = &h->state->system->friction[i];
    const RbvWrench *part = h->reaction + i * (h->vary + 1);
    double mu = h->state->system->model->joints.items[friction->joint].sizes->friction_static,
           *tangent = h->tangent + i * (h->vary + 1);
    RbvWrench sum = part[0], slope;
    for (int32_t k = 0; k < h->vary; k++)
        sum = rbv_wrench_add_scaled(sum, y[k], part[k + 1]);
    double limit = mu * rbv_friction_load(h->state, friction, sum, &slope) /
                   (rbv_press_is_given(friction->surfaces->press) ? h->size : 1);
    tangent[0] = limit;
    for (int32_t k = 0; k < h->vary; k++) {
        tangent[k + 1] = mu * (rbv_dot(slope.force, part[k + 1].force) + rbv_dot(slope.torque, part[k + 1].torque));
        tangent[0] -= tangent[k + 1] * y[k];
    }
    return limit;
}

void rbv_hold_tangents(RbvHoldProblem *h, const double *y) {
    for (int32_t i = 0; i < h->state->system->friction_count; i++)
        rbv_hold_tangent(h, i, y);
}

double rbv_hold_value(const RbvHoldProblem *h, const double *y) {
    double sum = h->z0[h->rows];
    for (int32_t k = 0; k < h->vary; k++)
        sum += h->Z[(size_t)k * (size_t)(h->rows + 1) + (size_t)h->rows] * y[k];
    return sum;
}

/* True if friction holds at h->y as it is. */
bool rbv_hold_fits(RbvHoldProblem *h) {
    bool good = true;
    for (int32_t i = 0; i < h->state->system->friction_count; i++) {
        double slip[RBV_MOST_SLIP_DIRECTIONS], f = rbv_hold_friction(h, i, h->y, false, slip);
        good = good && (h->state->system->friction[i].stick_row < 0 || f <= rbv_hold_tangent(h, i, h->y));
    }
    for (int32_t r = 0; r < h->rows; r++) {
        double push = h->z0[r];
        for (int32_t k = 0; k < h->vary; k++)
            push += h->y[k] * h->Z[(size_t)k * (size_t)(h->rows + 1) + (size_t)r];
        good = good && rbv_hold_one_way(h->state->system, h->row[r]) * push <= 0;
    }
    return good;
}

/* Sides of the load on friction contacts: for N = sum of |w_t|, w_t affine in y, the planes d.w <= N through the origin
 * of w, one for each way in which the contact may be pressed.
 *
 * Friction holds where |f_i| <= mu_i N_i, a closed set. Where a load vanishes, the pieces {|f_i| <= mu_i d_i.w_i} of
 * all its sides meet, and the set may continue in another piece. */

/* Part of a wrench that is added to it to find further sides of its load there. */
#define SIDE_STEP 1e-6

/* The wrench plus `size` along axis k (0 to 5) of the contact. */
static RbvWrench wrench_beside(RbvWrench w, const RbvMat3 *axes, int k, double size) {
    RbvVec3 *part = k < 3 ? &w.force : &w.torque;
    *part = rbv_add_scaled(*part, size, axes->column[k % 3]);
    return w;
}

/* Appends the side mu slope.w(y). False: there is one like it, or it is zero. */
static bool add_side(const RbvHoldProblem *h, int32_t i, RbvWrench w, int32_t count, double *out) {
    const RbvFrictionContact *friction = &h->state->system->friction[i];
    const RbvWrench *part = h->reaction + i * (h->vary + 1);
    double mu = h->state->system->model->joints.items[friction->joint].sizes->friction_static,
           *side = out + count * (h->vary + 1), size = 0;
    RbvWrench slope;
    rbv_friction_load(h->state, friction, w, &slope);
    for (int32_t k = 0; k <= h->vary; k++) {
        side[k] = mu * (rbv_dot(slope.force, part[k].force) + rbv_dot(slope.torque, part[k].torque));
        size = fmax(size, fabs(side[k]));
    }
    for (int32_t n = 0; n < count; n++) {
        double apart = 0;
        for (int32_t k = 0; k <= h->vary; k++)
            apart = fmax(apart, fabs(side[k] - out[n * (h->vary + 1) + k]));
        /* Relative difference of derivatives below which two sides are one. */
        if (apart <= RBV_NOTICEABLE * size)
            return false;
    }
    return size > 0;
}

static RbvWrench wrench_at(const RbvHoldProblem *h, int32_t i, const double *y) {
    const RbvWrench *part = h->reaction + i * (h->vary + 1);
    RbvWrench w = part[0];
    for (int32_t k = 0; k < h->vary; k++)
        w = rbv_wrench_add_scaled(w, y[k], part[k + 1]);
    double size = rbv_norm(w.force) + rbv_norm(w.torque);
    /* Part of the size of forces: a smaller wrench counts as zero. */
    return size > RBV_SAME ? (RbvWrench){rbv_scale(1 / size, w.force), rbv_scale(1 / size, w.torque)}
                           : (RbvWrench){{0, 0, 0}, {0, 0, 0}};
}

int32_t rbv_hold_sides(const RbvHoldProblem *h, int32_t i, const double *y, double *out) {
    const RbvFrictionContact *friction = &h->state->system->friction[i];
    const RbvJoint *joint = &h->state->system->model->joints.items[friction->joint];
    const RbvMat3 *axes = h->state->markers[joint->marker[friction->surfaces->second]].axes;
    const RbvWrench none = {{0, 0, 0}, {0, 0, 0}}, at = y ? wrench_at(h, i, y) : none;
    int32_t count = 0;
    memset(out, 0, (size_t)(h->vary + 1) * sizeof *out);
    if (rbv_press_is_given(friction->surfaces->press)) {
        RbvWrench slope;
        out[0] = joint->sizes->friction_static * rbv_friction_load(h->state, friction, none, &slope) / h->size;
        return 1;
    }
    if (rbv_norm(at.force) + rbv_norm(at.torque) > 0)
        count += add_side(h, i, at, count, out);
    for (int n = 0; n < 6 * 6 * 4 && count < RBV_MOST_SIDES; n++) {
        int j = n / 24, k = n / 4 % 6;
        double first = n & 1 ? -1 : 1;
        double second = n & 2 ? -1 : 1;
        double size = rbv_norm(at.force) + rbv_norm(at.torque) > 0 ? SIDE_STEP : 1;
        if (k < j || (k == j && n & 2))
            continue;
        RbvWrench w = wrench_beside(at, axes, j, first * size);
        count += add_side(h, i, k > j ? wrench_beside(w, axes, k, second * size) : w, count, out);
    }
    return count > 0 ? count : 1;
}

/* Cones.
 *
 *   first phase:  the least s with |f_i| <= t_i + s and one-sided rows violated by at most s, until s < 0
 *   second phase: the largest sign p from there */

/* Multiple of the size of forces: larger self-stresses are not searched; a solution near it is no solution. */
#define LARGEST_STRESS 1e4
/* First phase: BEGINS: initial distance of s above the violation; WITHIN: s goes so far below zero. */
#define BEGINS 1.0
#define WITHIN 1e-3

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

static RbvProgramEnd reach_by_cones(RbvHoldProblem *h, const double *at) {
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
static RbvProgramEnd push_by_cones(RbvHoldProblem *h, double sign) {
    RbvConeProgram p;
    int32_t n = h->vary;
    double *x = h->program.x, *e = h->program.ray, far = 0;
    bool good = create_cones(h, &p);
    if (good) {
        set_cones(h, &p);
        set_gradient_of_value(h, e);
        /* A smaller distance to all limits is rounding. */
        good = begin_cones(h, &p, e, NULL, x) && x[n] < -RBV_SAME;
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

/* Half planes. */

/* Half plane: slip.f <= mu N + violation. Unknowns are y and the violation. False: the program is full. */
static bool add_cut(RbvHoldProblem *h, int32_t i, const double *slip) {
    const double *tangent = h->tangent + i * (h->vary + 1);
    double *row = rbv_program_row(&h->program, 0), *b = h->program.b + h->program.rows - 1, size = 0;
    if (!row)
        return false;
    *b = tangent[0];
    row[h->vary] = -1;
    for (int32_t k = 0; k < h->vary; k++)
        row[k] = -tangent[k + 1];
    for (int c = 0; c < h->state->system->friction[i].count; c++) {
        const double *f = h->friction + (i * RBV_MOST_SLIP_DIRECTIONS + c) * (h->vary + 1);
        *b -= slip[c] * f[0];
        for (int32_t k = 0; k < h->vary; k++)
            row[k] += slip[c] * f[k + 1];
    }
    for (int32_t k = 0; k <= h->vary; k++)
        size = fmax(size, fabs(row[k]));
    for (int32_t k = 0; k <= h->vary; k++)
        row[k] /= size;
    *b /= size;
    return true;
}

/* Stops and one-sided joints push or pull in one direction only: s lambda <= 0. */
static void add_one_sided(RbvHoldProblem *h) {
    for (int32_t r = 0; r < h->rows; r++) {
        double sign = rbv_hold_one_way(h->state->system, h->row[r]);
        if (sign == 0)
            continue;
        double *row = rbv_program_row(&h->program, -sign * h->z0[r]);
        for (int32_t k = 0; row && k < h->vary; k++)
            row[k] = sign * h->Z[(size_t)k * (size_t)(h->rows + 1) + (size_t)r];
    }
}

/* Program at the present tangents, with violation zero or, with `may_violate`, free and not negative; at: required
 * value of p, or NULL. */
static void begin_program(RbvHoldProblem *h, bool may_violate, const double *at) {
    h->program.rows = 0;
    for (int sign = -1; at && sign <= 1; sign += 2) { /* p is *at */
        double *row = rbv_program_row(&h->program, sign * (*at - h->z0[h->rows]));
        for (int32_t k = 0; k < h->vary; k++)
            row[k] = sign * h->Z[(size_t)k * (size_t)(h->rows + 1) + (size_t)h->rows];
    }
    rbv_program_row(&h->program, 0)[h->vary] = -1;
    if (!may_violate)
        rbv_program_row(&h->program, 0)[h->vary] = 1;
    add_one_sided(h);
    for (int32_t i = 0; i < h->state->system->friction_count; i++)
        for (int c = 0; c < 2 * h->state->system->friction[i].count && h->state->system->friction[i].stick_row >= 0;
             c++) {
            double slip[RBV_MOST_SLIP_DIRECTIONS] = {0};
            slip[c / 2] = c % 2 ? -1 : 1;
            add_cut(h, i, slip);
        }
}

/* Adds half planes for friction of several directions that x, or the ray, violates. Returns their number; -1: the
 * program is full. */
static int cut_off(RbvHoldProblem *h, bool ray) {
    const double *x = ray ? h->program.ray : h->program.x;
    int count = 0;
    for (int32_t i = 0; i < h->state->system->friction_count; i++) {
        const double *tangent = h->tangent + i * (h->vary + 1);
        double slip[RBV_MOST_SLIP_DIRECTIONS], f = rbv_hold_friction(h, i, x, ray, slip),
                                               limit = affine_at(h, tangent, x) - (ray ? tangent[0] : 0) + x[h->vary];
        if (h->state->system->friction[i].stick_row < 0 || h->state->system->friction[i].count == 1 ||
            f <= limit + RBV_HOLD_ABOVE * fmax(1, f))
            continue;
        if (!add_cut(h, i, slip))
            return -1;
        count++;
    }
    return count;
}

/* Maximizes the objective c over y, with cuts until friction is within its limits. */
static RbvProgramEnd solve_with_cuts(RbvHoldProblem *h) {
    for (int pass = 0; pass < MOST_CUT_ROUNDS; pass++) {
        RbvProgramEnd end = rbv_program_solve(&h->program);
        int cuts =
            end == RBV_PROGRAM_OPTIMAL || end == RBV_PROGRAM_UNBOUNDED ? cut_off(h, end == RBV_PROGRAM_UNBOUNDED) : 0;
        if (cuts == 0 && end == RBV_PROGRAM_UNBOUNDED)
            cuts = cut_off(h, false);
        if (cuts <= 0)
            return cuts < 0 ? RBV_PROGRAM_GIVEN_UP : end;
    }
    return RBV_PROGRAM_GIVEN_UP;
}

/* With the present tangents: h->y becomes the y of least violation. Returns the violation; infinite: not found. */
double rbv_hold_least_violation(RbvHoldProblem *h, const double *at) {
    begin_program(h, true, at);
    memset(h->program.c, 0, (size_t)(h->vary + 1) * sizeof(double));
    h->program.c[h->vary] = -1;
    RbvProgramEnd end = solve_with_cuts(h);
    if (end == RBV_PROGRAM_GIVEN_UP)
        end = reach_by_cones(h, at);
    if (end != RBV_PROGRAM_OPTIMAL)
        return INFINITY;
    memcpy(h->y, h->program.x, (size_t)h->vary * sizeof(double));
    return h->program.x[h->vary];
}

/* With the present tangents, from a y that satisfies them: x of the program gets the largest sign p. False: no more
 * than `before` (of sign p). *end: UNBOUNDED if p is unbounded. */
bool rbv_hold_push(RbvHoldProblem *h, double sign, double before, RbvProgramEnd *end) {
    begin_program(h, false, NULL);
    for (int32_t k = 0; k < h->vary; k++)
        h->program.c[k] = sign * h->Z[(size_t)k * (size_t)(h->rows + 1) + (size_t)h->rows];
    h->program.c[h->vary] = 0;
    *end = solve_with_cuts(h);
    if (*end == RBV_PROGRAM_GIVEN_UP)
        *end = push_by_cones(h, sign);
    return *end == RBV_PROGRAM_UNBOUNDED ||
           (*end == RBV_PROGRAM_OPTIMAL && sign * rbv_hold_value(h, h->program.x) > before);
}
