/* Second derivatives of the positions of bodies by natural coordinates; see natural.h.
 *
 * Axes F = A S are linear in the numbers but for a derived a3. With the changes E and F'' of A^T F, in body axes, the
 * nearest rotation turns by the rotation vector w = w1 + w2 + ...,
 *   skew (exp(-w~) (S + E)) = 0:   w1 = G ax E,   w2 = G ax (1/2 F'' - w1~ E + 1/2 w1~ w1~ S),   G = 2 (tr S - S)^-1,
 *     ax X = 1/2 sum_j e_j x X e_j
 * and the second derivative along two numbers is w2 of their sum minus w2 of each. In the plane it is the second
 * derivative of the direction of a1. */
#include "mechanics/coordinates/natural.h"

#include <string.h>

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
