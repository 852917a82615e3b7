/* The rigid rows of bodies in natural coordinates: values, gradients and gamma; see natural.h.
 *
 *   row               gradient              gamma
 *   |d|^2 - L^2       2 d                   -2 |d'|^2
 *   u.u - 1           2 u                   -2 |u'|^2
 *   a.b - c           b on a, a on b        -2 a'.b'
 *   linear            constant, but for a derived a3      (SPEC-000 B4, R000-79) */
#include "mechanics/coordinates/natural.h"

#include <string.h>

/* Receiver of a row's gradient: its entries, or `factor` times the gradient as forces on uses. */
typedef struct Gradient {
    const RbvNatural *n;
    const int32_t *column; /* columns of the entries */
    int32_t count;
    double *value;
    double *uses, factor; /* uses: NULL if entries are computed */
} Gradient;

static void push_number(const Gradient *g, int32_t column, double value) {
    for (int32_t e = 0; e < g->count; e++)
        if (g->column[e] == column) {
            g->value[e] += value;
            return;
        }
}

static void velocities(const Gradient *g, int32_t use, RbvVec3 force) {
    const RbvBasicUse *u = &g->n->uses[use];
    int32_t column = g->n->basics[u->basic].column;
    if (g->uses) {
        rbv_use_push(g->n, use, rbv_scale(g->factor, force), RBV_USE_ALONE, g->uses);
        return;
    }
    if (column < 0)
        return;
    const double f[3] = {force.x, force.y, force.z};
    for (int k = 0; k < g->n->dims; k++)
        if (f[k] != 0)
            push_number(g, column + k, u->sign * f[k]);
}

static void push_core(const Gradient *g, const RbvNaturalBody *body, const RbvCore *core, const RbvVec3 f[3]) {
    RbvVec3 on[3] = {f[0], f[1], f[2]};
    if (body->form == RBV_NATURAL_PLANE) {
        on[0] = rbv_add(on[0], rbv_vec3(f[1].y, -f[1].x, 0));
    } else if (body->form == RBV_NATURAL_CROSSED) {
        on[0] = rbv_add_scaled(on[0], 1 / body->c0, rbv_cross(core->a[1], f[2]));
        on[1] = rbv_add_scaled(on[1], 1 / body->c0, rbv_cross(f[2], core->a[0]));
    }
    for (int k = 0; k < body->core; k++) {
        velocities(g, body->a[k].head, on[k]);
        if (body->a[k].tail >= 0)
            velocities(g, body->a[k].tail, rbv_scale(-1, on[k]));
    }
}

static RbvVec3 unit(int k, double size) {
    double e[3] = {0};
    e[k] = size;
    return rbv_vec3(e[0], e[1], e[2]);
}

static double linear(const RbvNatural *n, const RbvRigidRow *row, const RbvNaturalBody *body, const RbvCore *core,
                     const double *q, const Gradient *g) {
    const RbvVec3 zero = {0, 0, 0};
    bool vector = n->basics[n->uses[row->i].basic].vector;
    RbvVec3 sum = rbv_sub(rbv_use_at(n, row->i, q, false), vector ? zero : core->r1), f[3];
    for (int k = 0; k < 3; k++) {
        sum = rbv_add_scaled(sum, -row->c[k], core->a[k]);
        f[k] = unit(row->axis, -row->c[k]);
    }
    velocities(g, row->i, unit(row->axis, 1));
    if (!vector)
        velocities(g, body->point, unit(row->axis, -1));
    push_core(g, body, core, f);
    return rbv_vec3_part(sum, row->axis);
}

static double evaluate(const RbvNatural *n, const RbvRigidRow *row, const double *q, const Gradient *g) {
    const RbvNaturalBody *body = &n->bodies[row->body];
    RbvCore core = rbv_natural_core(n, row->body, q);
    RbvVec3 f[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    switch (row->kind) {
    case RBV_RIGID_DISTANCE: {
        RbvVec3 d = rbv_sub(rbv_use_at(n, row->i, q, false), rbv_use_at(n, row->j, q, false));
        velocities(g, row->i, rbv_scale(2, d));
        velocities(g, row->j, rbv_scale(-2, d));
        return rbv_dot(d, d) - row->constant;
    }
    case RBV_RIGID_NORM: {
        RbvVec3 u = rbv_use_at(n, row->i, q, false);
        velocities(g, row->i, rbv_scale(2, u));
        return rbv_dot(u, u) - row->constant;
    }
    case RBV_RIGID_DOT:
        f[row->i] = core.a[row->j];
        f[row->j] = core.a[row->i];
        push_core(g, body, &core, f);
        return rbv_dot(core.a[row->i], core.a[row->j]) - row->constant;
    case RBV_RIGID_LINEAR: break;
    }
    return linear(n, row, body, &core, q, g);
}

void rbv_natural_rows(const RbvCoordinates *coordinates, const double *q, double *phi, double *C) {
    const RbvNatural *n = rbv_natural_of(coordinates);
    for (int32_t k = 0; k < n->row_count; k++) {
        int32_t from = n->pattern.start[k];
        Gradient g = {n, n->pattern.column + from, n->pattern.start[k + 1] - from, C + from, NULL, 0};
        for (int32_t e = 0; e < g.count; e++)
            g.value[e] = 0;
        phi[k] = evaluate(n, &n->rows[k], q, &g);
    }
    for (int32_t k = 0; k < n->number_count; k++) {
        int32_t from = n->pattern.start[n->row_count + k], to = n->pattern.start[n->row_count + k + 1];
        phi[n->row_count + k] =
            rbv_natural_number_row(coordinates, &n->numbers[k], q, to - from, n->pattern.column + from, C + from);
    }
}

void rbv_natural_row_push(const RbvNatural *n, int32_t row, const double *q, double lambda, double *uses) {
    if (row >= n->row_count) {
        rbv_natural_number_push(n, &n->numbers[row - n->row_count], q, lambda, uses);
        return;
    }
    Gradient g = {n, NULL, 0, NULL, uses, lambda};
    evaluate(n, &n->rows[row], q, &g);
}

void rbv_natural_drift(const RbvCoordinates *coordinates, const double *q, const double *v, double *gamma) {
    const RbvNatural *n = rbv_natural_of(coordinates);
    for (int32_t k = 0; k < n->row_count; k++) {
        const RbvRigidRow *row = &n->rows[k];
        RbvCore core = rbv_natural_core(n, row->body, q), rate = rbv_natural_core_rate(n, row->body, &core, v);
        if (row->kind == RBV_RIGID_LINEAR) {
            RbvCore second = rbv_natural_core_drift(n, row->body, &rate);
            gamma[k] = row->c[2] * rbv_vec3_part(second.a[2], row->axis);
        } else if (row->kind == RBV_RIGID_DOT) {
            gamma[k] = -2 * rbv_dot(rate.a[row->i], rate.a[row->j]);
        } else {
            RbvVec3 d = rbv_use_at(n, row->i, v, true);
            if (row->kind == RBV_RIGID_DISTANCE)
                d = rbv_sub(d, rbv_use_at(n, row->j, v, true));
            gamma[k] = -2 * rbv_dot(d, d);
        }
    }
    for (int32_t k = 0; k < n->number_count; k++)
        gamma[n->row_count + k] = rbv_natural_number_drift(n, &n->numbers[k], q, v);
}

/* A body's core as a linear function of v, without a derived vector; the second differential of that one is (a1(u) x
 * a2(v) + a1(v) x a2(u))/c0. */
static RbvCore part(const RbvNatural *n, int32_t b, const double *v) {
    const RbvCore none = {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    return rbv_natural_core_rate(n, b, &none, v);
}

/* All rigid rows are of second degree: their second derivatives do not depend on q (SPEC-000 B4). */
double rbv_natural_second(const RbvCoordinates *coordinates, const double *q, int32_t row, const double *u,
                          const double *v) {
    const RbvNatural *n = rbv_natural_of(coordinates);
    if (row >= n->row_count)
        return rbv_natural_number_second(n, &n->numbers[row - n->row_count], q, u, v);
    const RbvRigidRow *r = &n->rows[row];
    if (r->kind == RBV_RIGID_LINEAR || r->kind == RBV_RIGID_DOT) {
        const RbvNaturalBody *body = &n->bodies[r->body];
        RbvCore a = part(n, r->body, u), b = part(n, r->body, v);
        if (r->kind == RBV_RIGID_DOT)
            return rbv_dot(a.a[r->i], b.a[r->j]) + rbv_dot(b.a[r->i], a.a[r->j]);
        if (body->form != RBV_NATURAL_CROSSED)
            return 0;
        return -r->c[2] / body->c0 *
               rbv_vec3_part(rbv_add(rbv_cross(a.a[0], b.a[1]), rbv_cross(b.a[0], a.a[1])), r->axis);
    }
    RbvVec3 d = rbv_use_at(n, r->i, u, true), e = rbv_use_at(n, r->i, v, true);
    if (r->kind == RBV_RIGID_DISTANCE) {
        d = rbv_sub(d, rbv_use_at(n, r->j, u, true));
        e = rbv_sub(e, rbv_use_at(n, r->j, v, true));
    }
    return 2 * rbv_dot(d, e);
}

/* Second derivatives of the positions of bodies by natural coordinates; see natural.h.
 *
 * Axes F = A S are linear in the numbers but for a derived a3. With the changes E and F'' of A^T F, in body axes, the
 * nearest rotation turns by the rotation vector w = w1 + w2 + ...,
 *   skew (exp(-w~) (S + E)) = 0:   w1 = G ax E,   w2 = G ax (1/2 F'' - w1~ E + 1/2 w1~ w1~ S),   G = 2 (tr S - S)^-1,
 *     ax X = 1/2 sum_j e_j x X e_j
 * and the second derivative along two numbers is w2 of their sum minus w2 of each. In the plane it is the second
 * derivative of the direction of a1. */

/* r1, and three vectors with head and tail each */
#define MOST_COLUMNS 21

/* Change per unit of one number: of the core, of A^T F, and of the rotation, in body axes. */
typedef struct Change {
    RbvCore core;
    RbvMat3 E;
    RbvVec3 w;
} Change;

typedef struct Turning {
    const RbvNaturalBody *body;
    RbvMat3 A, S, G;
    RbvVec3 force, torque; /* torque: G times the torque in body axes; force: in ground axes */
} Turning;

static RbvMat3 in_body(const Turning *t, const RbvCore *core) {
    RbvMat3 F = rbv_natural_axes(t->body, core);
    for (int j = 0; j < 3; j++)
        F.column[j] = rbv_apply_transposed(&t->A, F.column[j]);
    return F;
}

static RbvVec3 axial(const RbvMat3 *X) {
    RbvVec3 sum = {0, 0, 0};
    for (int j = 0; j < 3; j++)
        sum = rbv_add_scaled(sum, 0.5, rbv_cross(rbv_mat3_identity().column[j], X->column[j]));
    return sum;
}

/* The wrench times the second derivative along two numbers. */
static double second(const Turning *t, const Change *a, const Change *b) {
    RbvCore core = {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}};
    if (t->body->form == RBV_NATURAL_CROSSED)
        core.a[2] = rbv_scale(1 / t->body->c0,
                              rbv_add(rbv_cross(a->core.a[0], b->core.a[1]), rbv_cross(b->core.a[0], a->core.a[1])));
    RbvMat3 X = in_body(t, &core);
    for (int j = 0; j < 3; j++) {
        RbvVec3 both =
            rbv_add(rbv_cross(a->w, rbv_cross(b->w, t->S.column[j])), rbv_cross(b->w, rbv_cross(a->w, t->S.column[j])));
        X.column[j] = rbv_sub(rbv_sub(X.column[j], rbv_cross(a->w, b->E.column[j])), rbv_cross(b->w, a->E.column[j]));
        X.column[j] = rbv_add_scaled(X.column[j], 0.5, both);
    }
    return t->body->g[2] * rbv_dot(t->force, core.a[2]) + rbv_dot(t->torque, axial(&X));
}

/* The torque times the second derivative of the angle of a1 = (x, y): [2xy, y^2 - x^2; y^2 - x^2, -2xy] / |a1|^4. */
static double second_in_plane(const RbvCore *core, double torque, const RbvCore *a, const RbvCore *b) {
    RbvVec3 d = core->a[0], u = a->a[0], v = b->a[0];
    double length = rbv_dot(d, d), mixed = u.x * v.y + u.y * v.x, even = u.x * v.x - u.y * v.y;
    return torque * (2 * d.x * d.y * even + (d.y * d.y - d.x * d.x) * mixed) / (length * length);
}

/* The torque times the second derivative of a rod's rotation. The least turn from d to d + e is d x e/|d|^2 (1 -
 * d.e/|d|^2 + ...). */
static double second_of_rod(const RbvCore *core, RbvVec3 torque, const RbvCore *a, const RbvCore *b) {
    RbvVec3 d = core->a[0], u = a->a[0], v = b->a[0];
    double length = rbv_dot(d, d);
    return -(rbv_dot(torque, rbv_cross(d, u)) * rbv_dot(d, v) + rbv_dot(torque, rbv_cross(d, v)) * rbv_dot(d, u)) /
           (length * length);
}

static Turning turning(const RbvNaturalBody *body, const RbvMat3 *A, const RbvCore *core, const RbvWrench *wrench) {
    Turning t = {.body = body, .A = *A, .force = wrench->force};
    RbvMat3 F = rbv_natural_axes(body, core);
    t.G = rbv_natural_stretch(A, &F);
    t.S = in_body(&t, core);
    t.torque = rbv_apply(&t.G, rbv_apply_transposed(A, wrench->torque));
    return t;
}

void rbv_natural_place_second(const RbvCoordinates *c, RbvPosed at, int32_t b, const RbvWrench *wrench, double *zero,
                              double *out) {
    const RbvNatural *n = rbv_natural_of(c);
    const RbvNaturalBody *body = &n->bodies[b];
    int32_t column[MOST_COLUMNS], count = c->kind->columns(c, b, column);
    memset(out, 0, (size_t)count * (size_t)count * sizeof *out);
    if (body->form == RBV_NATURAL_SCALAR || body->form == RBV_NATURAL_PARTICLE)
        return;
    Change change[MOST_COLUMNS];
    RbvCore core = rbv_natural_core(n, b, at.q);
    const bool flat = body->form == RBV_NATURAL_PLANE, rod = body->form == RBV_NATURAL_ROD;
    Turning t = flat || rod ? (Turning){.body = body} : turning(body, &at.bodies[b].A, &core, wrench);
    for (int32_t k = 0; k < count; k++) {
        zero[column[k]] = 1;
        change[k].core = rbv_natural_core_rate(n, b, &core, zero);
        zero[column[k]] = 0;
        if (!rod) {
            change[k].E = in_body(&t, &change[k].core);
            RbvVec3 turn = axial(&change[k].E);
            change[k].w = rbv_apply(&t.G, turn);
        }
        for (int32_t i = 0; i <= k; i++) {
            double value = flat  ? second_in_plane(&core, wrench->torque.z, &change[i].core, &change[k].core)
                           : rod ? second_of_rod(&core, wrench->torque, &change[i].core, &change[k].core)
                                 : second(&t, &change[i], &change[k]);
            out[i * count + k] = out[k * count + i] = value;
        }
    }
}
