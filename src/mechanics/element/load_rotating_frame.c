/* Inertia forces on bodies in a frame that rotates with W about an axis through `center`, W' being its rate, v and w
 * being relative to the frame:
 *
 *   F = -m (W' x rho + 2 W x v + W x (W x rho)),   T = -(J (W' + W x w) + W x J w + w x J W + W x J W).
 *
 * At a constant speed V = -(m |W x rho|^2 + W.J W) / 2. */
#include "mechanics/element/load.h"

/* W [rad/s] and W' [rad/s^2] in ground axes. */
static void turn_of(const RbvConfiguration *at, const RbvLoad *load, RbvVec3 *W, RbvVec3 *dW) {
    double speed, rate = 0, second;
    if (rbv_expr_variable_count(load->value[0]) == 1)
        speed = rbv_expr_jet(load->value[0], &at->t, at->work, &rate, &second);
    else
        speed = rbv_expr_value(load->value[0], NULL, at->work);
    *W = rbv_scale(speed, load->axis);
    *dW = rbv_scale(rate, load->axis);
}

static void force(const RbvConfiguration *at, const RbvLoad *load, RbvWrench *wrenches, double *value) {
    (void)value;
    RbvVec3 W, dW;
    turn_of(at, load, &W, &dW);
    for (int32_t b = 1; b < at->model->bodies.count; b++) {
        const RbvBody *body = &at->model->bodies.items[b];
        const RbvMat3 *A = &at->bodies[b].A;
        RbvVec3 rho = rbv_sub(at->bodies[b].r, load->center), v = at->twists[b].v, w = at->twists[b].w;
        RbvVec3 a = rbv_add(rbv_cross(dW, rho), rbv_cross(W, rbv_add_scaled(rbv_cross(W, rho), 2, v)));
        RbvVec3 JW = rbv_body_momentum(body, A, W), Jw = rbv_body_momentum(body, A, w);
        RbvVec3 T = rbv_body_momentum(body, A, rbv_add(dW, rbv_cross(W, w)));
        T = rbv_add(rbv_add(T, rbv_cross(W, rbv_add(Jw, JW))), rbv_cross(w, JW));
        rbv_push_body(wrenches, b, (RbvWrench){rbv_scale(-body->mass, a), rbv_scale(-1, T)});
    }
}

/* -(W~' + 2 W~ w~ + W~ W~) int r r^T dm over each body, r from its centroid, int r r^T dm = 1/2 tr J - J; in the plane
 * int r r^T dm is half of the polar moment in each direction. */
static void spread(const RbvConfiguration *at, const RbvLoad *load, const double *value, RbvMat3 *moments) {
    (void)value;
    RbvVec3 W, dW;
    turn_of(at, load, &W, &dW);
    for (int32_t b = 1; b < at->model->bodies.count; b++) {
        const RbvBody *body = &at->model->bodies.items[b];
        bool plane = at->model->space == RBV_PLANAR;
        double trace = body->inertia[0] + body->inertia[1] + body->inertia[2];
        for (int k = 0; k < 3; k++) {
            RbvVec3 e = rbv_axis(k), second = rbv_add_scaled(rbv_scale(0.5 * trace, e), -1,
                                                             rbv_body_momentum(body, &at->bodies[b].A, e));
            if (plane)
                second = rbv_scale(k < 2 ? 0.5 * body->inertia[2] : 0, e);
            RbvVec3 force =
                rbv_add(rbv_cross(dW, second),
                        rbv_cross(W, rbv_add_scaled(rbv_cross(W, second), 2, rbv_cross(at->twists[b].w, second))));
            moments[b].column[k] = rbv_add_scaled(moments[b].column[k], -1, force);
        }
    }
}

/* Stiffness of F = -m (W' x rho + W x (W x rho)) and T = -(J W' + W x J W), J turning with the body. */
static void stiffness(const RbvStiffness *K, const RbvLoad *load) {
    const RbvConfiguration *at = K->at;
    RbvVec3 W, dW;
    turn_of(at, load, &W, &dW);
    for (int32_t b = 1; b < at->model->bodies.count; b++) {
        const RbvBody *body = &at->model->bodies.items[b];
        const RbvMat3 *A = &at->bodies[b].A;
        RbvVec3 JW = rbv_body_momentum(body, A, W), JdW = rbv_body_momentum(body, A, dW);
        RbvVec3 T = rbv_scale(-1, rbv_add(JdW, rbv_cross(W, JW)));
        double block[6][6] = {{0}};
        for (int k = 0; k < 3; k++) {
            RbvVec3 e = rbv_axis(k);
            rbv_block_set(block, 0, k, rbv_scale(body->mass, rbv_add(rbv_cross(dW, e), rbv_cross(W, rbv_cross(W, e)))));
            RbvVec3 dJW = rbv_sub(rbv_cross(e, JW), rbv_body_momentum(body, A, rbv_cross(e, W)));
            RbvVec3 dJdW = rbv_sub(rbv_cross(e, JdW), rbv_body_momentum(body, A, rbv_cross(e, dW)));
            rbv_block_set(block, 3, 3 + k, rbv_add_scaled(rbv_add(dJdW, rbv_cross(W, dJW)), -0.5, rbv_cross(T, e)));
        }
        rbv_stiffness_block(K, b, b, 1, &block[0][0], 6);
        rbv_stiffness_end(K);
    }
}

static double energy(const RbvConfiguration *at, const RbvLoad *load) {
    double V = 0;
    RbvVec3 W, dW;
    turn_of(at, load, &W, &dW);
    for (int32_t b = 1; b < at->model->bodies.count; b++) {
        const RbvBody *body = &at->model->bodies.items[b];
        RbvVec3 v = rbv_cross(W, rbv_sub(at->bodies[b].r, load->center));
        V -= 0.5 * (body->mass * rbv_dot(v, v) + rbv_dot(W, rbv_body_momentum(body, &at->bodies[b].A, W)));
    }
    return V;
}

static bool has_energy(const RbvModel *model, const RbvLoad *load) {
    (void)model;
    return !load->value[0] || rbv_expr_variable_count(load->value[0]) == 0;
}

const RbvLoadFormulas rbv_load_rotating_frame = {force, stiffness, energy, has_energy, spread};
