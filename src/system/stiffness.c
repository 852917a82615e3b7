/* K = sum_k lambda_k H_k - dQ/dq at rest, in the retraction (r + dr, exp(dtheta) A), body pair by body pair.
 *
 * In that retraction the generalized torque of T after a turn x is T + T x x / 2 + ..., so that a load whose torque changes by dT gives K = -(dT + T x dtheta / 2).
 * For loads with an energy this is its symmetric Hessian (SPEC-001-004 F1 ... F4; R000-07 ... 26).
 */
#include "system/system.h"


typedef struct Stream {
    RbvState *state;
    const RbvStiffnessSink *sink;
} Stream;

static void emit(const Stream *s, int32_t bi, int32_t bj, double factor, const double *block, int32_t width) {
    if (bi > 0 && bj > 0)
        s->sink->block(s->sink->context, bi, bj, factor, block, width);
}

static void end_term(const Stream *s) {
    if (s->sink->term)
        s->sink->term(s->sink->context);
}

static int32_t body_of(const Stream *s, int32_t m, int side) {
    return s->state->markers[s->state->system->model->measures.items[m].marker[side]].body;
}

static void six_of(const RbvWrench *wrench, double x[6]) {
    x[0] = wrench->force.x, x[1] = wrench->force.y, x[2] = wrench->force.z;
    x[3] = wrench->torque.x, x[4] = wrench->torque.y, x[5] = wrench->torque.z;
}

static RbvVec3 axis(int k) {
    return rbv_vec3(k == 0, k == 1, k == 2);
}

/* factor times the Hessian of a measure. */
static void curve(const Stream *s, int32_t m, double factor) {
    const RbvModel *model = s->state->system->model;
    const RbvMeasure *measure = &model->measures.items[m];
    double local[12][12], third[12][6];
    int32_t carrier = rbv_measure_carrier(measure, model);
    rbv_measure_hessian(measure, model, s->state->markers, &s->state->measures[m], local);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            emit(s, body_of(s, m, i), body_of(s, m, j), factor, &local[6 * i][6 * j], 12);
    if (carrier >= 0) {
        rbv_measure_carrier_hessian(measure, model, s->state->markers, third);
        for (int i = 0; i < 2; i++)
            emit(s, body_of(s, m, i), s->state->markers[carrier].body, factor, &third[6 * i][0], 6);
    }
    end_term(s);
}

/* factor a b^T of a wrench on a body and a measure's gradient. */
static void outer_wrench(const Stream *s, int32_t body, const double a[6], int32_t mb, double factor) {
    for (int side = 0; side < 2; side++) {
        double b[6], block[6][6];
        six_of(&s->state->measures[mb].gradient[side], b);
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                block[r][c] = a[r] * b[c];
        emit(s, body, body_of(s, mb, side), factor, &block[0][0], 6);
    }
}

static void outer(const Stream *s, int32_t ma, int32_t mb, double factor) {
    for (int side = 0; side < 2; side++) {
        double a[6];
        six_of(&s->state->measures[ma].gradient[side], a);
        outer_wrench(s, body_of(s, ma, side), a, mb, factor);
    }
}

/* sum_uw f_uw g_u g_w^T of an equation. */
static void row_equation(const Stream *s, const RbvRow *row, double lambda) {
    const RbvTerm *terms = &s->state->system->terms[row->first];
    RbvJet f = rbv_state_equation_jet(s->state, row);
    for (int32_t u = 0; u < f.count; u++)
        for (int32_t w = 0; w < f.count; w++)
            if (row->variable_term[u] >= 0 && row->variable_term[w] >= 0)
                outer(s, terms[row->variable_term[u]].measure, terms[row->variable_term[w]].measure, lambda * f.hessian[u * f.count + w]);
    end_term(s);
}

static void rows(const Stream *s, const double *lambda) {
    const RbvSystem *system = s->state->system;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->on_rates)
            continue;
        for (int32_t n = row->first; n < row->first + row->count; n++)
            curve(s, system->terms[n].measure, lambda[k] * s->state->coefficient[n]);
        if (row->equation)
            row_equation(s, row, lambda[k]);
    }
}

/* s(m) on a measure: Q = -s grad m. */
static void along_measure(const Stream *s, int32_t m, double force, double slope) {
    curve(s, m, force);
    outer(s, m, m, slope);
    end_term(s);
}

/* A law that reads other coordinates than its own pulls along its own as they move. */
static void law_of_others(const Stream *s, const RbvLoad *load) {
    const RbvModel *model = s->state->system->model;
    int32_t n = rbv_expr_variable_count(load->value[0]);
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(load->value[0], v)];
        if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == 0 && variable.index != load->measure[0])
            outer(s, load->measure[0], variable.index, s->state->work[n + v]);
    }
    end_term(s);
}

/* At no length k l grad l has the derivative k D^T D, D the motion of the second point against the first. */
static void no_length(const Stream *s, int32_t m, double k) {
    const RbvMeasure *measure = &s->state->system->model->measures.items[m];
    for (int e = 0; e < 3; e++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                const RbvMarkerState *p = &s->state->markers[measure->marker[i]], *q = &s->state->markers[measure->marker[j]];
                RbvWrench a = {axis(e), rbv_cross(p->arm, axis(e))}, b = {axis(e), rbv_cross(q->arm, axis(e))};
                double x[6], y[6], block[6][6];
                six_of(&a, x);
                six_of(&b, y);
                for (int r = 0; r < 6; r++)
                    for (int c = 0; c < 6; c++)
                        block[r][c] = x[r] * y[c];
                emit(s, p->body, q->body, i == j ? k : -k, &block[0][0], 6);
            }
    end_term(s);
}

/* Of the mechanism's size. */
#define NO_LENGTH 1e-9

static void spring(const Stream *s, const RbvLoad *load) {
    RbvState *state = s->state;
    double l = state->measures[load->measure[0]].value, force = load->stiffness[0] * (l - load->free), slope = load->stiffness[0], law_slope;
    if (load->value[0]) {
        force += rbv_spring_law(state, load, l, &law_slope); /* leaves its variables and gradient in work */
        slope += law_slope;
        law_of_others(s, load);
    }
    bool vanished = load->kind == RBV_LOAD_SPRING && l <= NO_LENGTH * s->state->system->size_length && load->free == 0 && !load->value[0];
    if (vanished)
        no_length(s, load->measure[0], load->stiffness[0]);
    else
        along_measure(s, load->measure[0], force, slope);
}

static void energy(const Stream *s, const RbvLoad *load) {
    const RbvModel *model = s->state->system->model;
    const RbvExpr *expr = load->value[0];
    int32_t n = rbv_expr_variable_count(expr);
    double *x = s->state->work, *gradient = x + n, *hessian = gradient + n;
    rbv_energy_variables(s->state, expr, x);
    rbv_expr_jet(expr, x, hessian + n * n, gradient, hessian);
    for (int32_t u = 0; u < n; u++) {
        RbvVariable a = model->variables.items[rbv_expr_variable(expr, u)];
        if (a.kind != RBV_VARIABLE_COORDINATE)
            continue;
        curve(s, a.index, gradient[u]);
        for (int32_t w = 0; w < n; w++) {
            RbvVariable b = model->variables.items[rbv_expr_variable(expr, w)];
            if (b.kind == RBV_VARIABLE_COORDINATE)
                outer(s, a.index, b.index, hessian[u * n + w]);
        }
        end_term(s);
    }
}

static void set_column(double block[6][6], int top, int column, RbvVec3 v) {
    block[top][column] = v.x, block[top + 1][column] = v.y, block[top + 2][column] = v.z;
}

/* What the turn of the body does to a force at a marker, or to a torque. */
static void turned_load(const Stream *s, const RbvLoad *load, const RbvMarkerState *marker, RbvVec3 v) {
    double block[6][6] = {{0}};
    bool force = load->kind == RBV_LOAD_FORCE;
    RbvVec3 T = force ? rbv_cross(marker->arm, v) : v;
    for (int k = 0; k < 3; k++) {
        RbvVec3 turn = axis(k), dT = {0, 0, 0};
        if (load->body_frame) {
            dT = rbv_cross(turn, T);
            if (force)
                set_column(block, 0, 3 + k, rbv_scale(-1, rbv_cross(turn, v)));
        } else if (force) {
            dT = rbv_cross(rbv_cross(turn, marker->arm), v);
        }
        set_column(block, 3, 3 + k, rbv_scale(-1, rbv_add_scaled(dT, 0.5, rbv_cross(T, turn))));
    }
    emit(s, marker->body, marker->body, 1, &block[0][0], 6);
    end_term(s);
}

/* The derivative of component k's expression by the coordinates it reads. */
static void depending_load(const Stream *s, const RbvLoad *load, int k, const RbvMarkerState *marker, RbvVec3 unit) {
    RbvState *state = s->state;
    const RbvModel *model = state->system->model;
    const RbvExpr *expr = load->value[k];
    int32_t n = rbv_expr_variable_count(expr);
    RbvWrench wrench = {{0, 0, 0}, unit};
    if (load->kind == RBV_LOAD_FORCE)
        wrench = (RbvWrench){unit, rbv_cross(marker->arm, unit)};
    double a[6], *x = state->work, *gradient = x + n, *hessian = gradient + n;
    six_of(&wrench, a);
    rbv_state_expression(state, expr, NAN, NAN, rbv_vec3(NAN, NAN, NAN), NULL, state->work); /* leaves its variables in work */
    rbv_expr_jet(expr, x, hessian + n * n, gradient, hessian);
    for (int32_t u = 0; u < n; u++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, u)];
        if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == 0)
            outer_wrench(s, marker->body, a, variable.index, -gradient[u]);
    }
    end_term(s);
}

static void point_load(const Stream *s, const RbvLoad *load) {
    RbvState *state = s->state;
    const RbvMarkerState *marker = &state->markers[load->marker[0]];
    const RbvMat3 *A = &state->bodies[marker->body].A;
    bool flat_torque = load->kind == RBV_LOAD_TORQUE && !state->system->bodies.spatial;
    RbvVec3 sum = {0, 0, 0};
    for (int k = 0; k < 3 && load->value[k]; k++) {
        RbvVec3 unit = axis(flat_torque ? 2 : k);
        if (load->body_frame)
            unit = rbv_apply(A, unit);
        double value = rbv_state_expression(state, load->value[k], NAN, NAN, rbv_vec3(NAN, NAN, NAN), NULL, state->work);
        sum = rbv_add_scaled(sum, value, unit);
        depending_load(s, load, k, marker, unit);
    }
    turned_load(s, load, marker, sum);
}

/* F = -m (W' x rho + W x (W x rho)), T = -(J W' + W x J W), J turning with the body. */
static void rotating_frame(const Stream *s, const RbvLoad *load) {
    RbvState *state = s->state;
    const RbvModel *model = state->system->model;
    double rate, speed = rbv_frame_speed(state, load, &rate);
    RbvVec3 W = rbv_scale(speed, load->axis), dW = rbv_scale(rate, load->axis);
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        const RbvMat3 *A = &state->bodies[b].A;
        RbvVec3 JW = rbv_body_momentum(body, A, W), JdW = rbv_body_momentum(body, A, dW);
        RbvVec3 T = rbv_scale(-1, rbv_add(JdW, rbv_cross(W, JW)));
        double block[6][6] = {{0}};
        for (int k = 0; k < 3; k++) {
            RbvVec3 e = axis(k);
            set_column(block, 0, k, rbv_scale(body->mass, rbv_add(rbv_cross(dW, e), rbv_cross(W, rbv_cross(W, e)))));
            RbvVec3 dJW = rbv_sub(rbv_cross(e, JW), rbv_body_momentum(body, A, rbv_cross(e, W)));
            RbvVec3 dJdW = rbv_sub(rbv_cross(e, JdW), rbv_body_momentum(body, A, rbv_cross(e, dW)));
            set_column(block, 3, 3 + k, rbv_add_scaled(rbv_add(dJdW, rbv_cross(W, dJW)), -0.5, rbv_cross(T, e)));
        }
        emit(s, b, b, 1, &block[0][0], 6);
        end_term(s);
    }
}

static void field(const Stream *s, const RbvLoad *load) {
    RbvState *state = s->state;
    const RbvModel *model = state->system->model;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        double mass = model->bodies.items[b].mass, block[6][6] = {{0}};
        for (int k = 0; k < 3 && load->value[k]; k++) {
            const RbvExpr *expr = load->value[k];
            int32_t n = rbv_expr_variable_count(expr);
            double *x = state->work, *gradient = x + n, *hessian = gradient + n, unit[6] = {k == 0, k == 1, k == 2, 0, 0, 0};
            rbv_state_expression(state, expr, NAN, NAN, state->bodies[b].r, NULL, state->work);
            rbv_expr_jet(expr, x, hessian + n * n, gradient, hessian);
            for (int32_t u = 0; u < n; u++) {
                RbvVariable variable = model->variables.items[rbv_expr_variable(expr, u)];
                if (variable.kind == RBV_VARIABLE_PLACE)
                    block[k][variable.part] = -mass * gradient[u];
                else if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == 0)
                    outer_wrench(s, b, unit, variable.index, -mass * gradient[u]);
            }
        }
        emit(s, b, b, 1, &block[0][0], 6);
        end_term(s);
    }
}

void rbv_state_stiffness(RbvState *state, const double *lambda, const RbvStiffnessSink *sink) {
    const RbvModel *model = state->system->model;
    Stream s = {state, sink};
    rows(&s, lambda);
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        switch (load->kind) {
        case RBV_LOAD_FORCE:
        case RBV_LOAD_TORQUE: point_load(&s, load); break;
        case RBV_LOAD_SPRING:
        case RBV_LOAD_TORSION: spring(&s, load); break;
        case RBV_LOAD_BUSHING:
            for (int n = 0; n < load->measure_count; n++)
                along_measure(&s, load->measure[n], load->stiffness[n] * state->measures[load->measure[n]].value, load->stiffness[n]);
            break;
        case RBV_LOAD_ROTATING_FRAME: rotating_frame(&s, load); break;
        case RBV_LOAD_FIELD: field(&s, load); break;
        case RBV_LOAD_ENERGY: energy(&s, load); break;
        case RBV_LOAD_DAMPING: /* nothing moves */
        case RBV_LOAD_KINDS: break;
        }
    }
}
