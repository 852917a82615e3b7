/* Walking the curve of equilibria; see path.h. */
#include "analysis/path.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CORRECTIONS 12
/* The derivative by u is a one-sided difference over this; it steers, nothing printed depends on it. */
#define DIFFERENCE 1e-6
/* A ridge that neutral directions need, and the one for matrices that are singular all the same. */
#define RIDGE 1e-11
#define RIDGE_WHEN_SINGULAR 1e-9
/* At a bifurcation the motion along which paths part has no stiffness: without this rounding would be blown up to movements. */
#define RIDGE_AT_BIFURCATION 1e-8
/* What a correction may be, in steps; and successive tangents must not turn by more than this cosine. */
#define CORRECTION 1.0
#define TURN 0.9
/* Passes in which the rows' small compliance is taken out of the tangent. */
#define PASSES 2

double rbv_path_parameter(const RbvPath *path, double u) {
    const RbvFamily *family = path->family;
    return u == 0 ? family->from : u == 1 ? family->to : family->from + u * (family->to - family->from);
}

RbvStatus rbv_path_create(RbvPath *path, const RbvFamily *family, const RbvOptions *options, bool has_energy, RbvBalance *first) {
    size_t n = (size_t)first->n + 1, rows = (size_t)first->rows + 1;
    *path = (RbvPath){.family = family, .options = options, .has_energy = has_energy, .scales = first, .refused = NAN};
    path->vary = malloc(n * sizeof(double));
    path->vary_rows = malloc(rows * sizeof(double));
    path->y = malloc(n * sizeof(double));
    path->l = malloc(rows * sizeof(double));
    RbvStatus status = rbv_rest_create(&path->rest, first, NULL); /* keeps the q of now as rest.start */
    return path->vary && path->vary_rows && path->y && path->l ? status : RBV_NO_MEMORY;
}

void rbv_path_destroy(RbvPath *path) {
    rbv_rest_destroy(&path->rest);
    free(path->vary);
    free(path->vary_rows);
    free(path->y);
    free(path->l);
}

void rbv_place_destroy(RbvPlace *place) {
    free(place->stability.direction);
    free(place->tangent);
    if (place->model) {
        rbv_balance_destroy(place->balance);
        rbv_state_destroy(place->state);
        rbv_system_destroy(place->system);
        rbv_model_destroy(place->model);
    }
    *place = (RbvPlace){0};
}

/* Bodies, rows and what they touch: all that arrays and results are laid out by. */
static bool same_structure(const RbvSystem *a, const RbvSystem *b) {
    const RbvModel *m = a->model, *o = b->model;
    return a->absolute.size == b->absolute.size && a->absolute.position_size == b->absolute.position_size && a->row_count == b->row_count &&
           a->start[a->row_count] == b->start[b->row_count] && m->bodies.count == o->bodies.count && m->joints.count == o->joints.count &&
           m->loads.count == o->loads.count && m->drives.count == o->drives.count && m->constraints.count == o->constraints.count &&
           m->measures.count == o->measures.count && m->outputs.count == o->outputs.count && a->rate_count == b->rate_count;
}

/* The model, system and state at u with the q, memory and multipliers of `like`, placed. */
static RbvStatus make(RbvPath *path, double u, const RbvState *state, const double *lambda, RbvPlace *place) {
    RbvBalance *scales = path->scales;
    double p = rbv_path_parameter(path, u);
    *place = (RbvPlace){.u = u};
    RbvStatus status = path->family->at(path->family->context, p, NULL, &place->model);
    if (status == RBV_OK)
        status = rbv_system_create(place->model, NULL, &place->system);
    if (status == RBV_NO_MEMORY)
        return status;
    if (status != RBV_OK || !same_structure(place->system, scales->system)) {
        path->refused = p;
        return RBV_NO_EQUILIBRIUM;
    }
    if (!(place->state = rbv_state_create(place->system)))
        return RBV_NO_MEMORY;
    place->state->t = state->t;
    memcpy(place->state->q, state->q, (size_t)scales->system->absolute.position_size * sizeof(double));
    memcpy(place->state->memory, state->memory, (size_t)scales->system->model->measures.count * sizeof *state->memory);
    if (!(place->balance = rbv_balance_create(place->state, false)))
        return RBV_NO_MEMORY;
    RbvBalance *b = place->balance;
    b->reach = scales->reach;
    memcpy(b->scale, scales->scale, (size_t)b->n * sizeof *b->scale);
    memcpy(b->weight, scales->weight, (size_t)b->rows * sizeof *b->weight);
    memcpy(b->lambda, lambda, (size_t)b->rows * sizeof *b->lambda);
    return rbv_balance_place(b) ? RBV_OK : RBV_NO_EQUILIBRIUM;
}

/* F_u at a place and its multipliers. */
static RbvStatus vary(RbvPath *path, const RbvPlace *place) {
    RbvBalance *b = place->balance;
    RbvPlace other;
    double h = place->u > 0.5 ? -DIFFERENCE : DIFFERENCE;
    RbvStatus status = make(path, place->u + h, place->state, b->lambda, &other);
    if (status == RBV_OK) {
        rbv_balance_left(b, b->lambda);
        rbv_balance_left(other.balance, b->lambda);
        for (int32_t j = 0; j < b->n; j++)
            path->vary[j] = (other.balance->K_y[j] - b->K_y[j]) / h;
        for (int32_t k = 0; k < b->rows; k++)
            path->vary_rows[k] = (other.balance->phi[k] - b->phi[k]) / h;
    }
    rbv_place_destroy(&other);
    return status;
}

static bool factor(const RbvPath *path, RbvBalance *b) {
    return rbv_balance_factor(b, path->near_event ? RIDGE_AT_BIFURCATION : RIDGE, 0, RBV_PROXIMAL / b->kappa) || rbv_balance_factor(b, RIDGE_WHEN_SINGULAR, 0, RBV_PROXIMAL / b->kappa);
}

/* x2 = (y, l) of the factors in b. */
static void solve_varied(RbvPath *path, RbvBalance *b) {
    double *f = path->rest.y, *h = path->rest.next;
    memset(path->l, 0, (size_t)b->rows * sizeof *path->l);
    for (int32_t j = 0; j < b->n; j++)
        f[j] = -path->vary[j];
    for (int pass = 0; pass < PASSES; pass++) {
        for (int32_t k = 0; k < b->rows; k++)
            h[k] = -path->vary_rows[k] - b->compliance * path->l[k];
        rbv_balance_solve(b, f, h, path->y, path->l);
    }
}

/* a.b of parts in q. */
static double product(const RbvPath *path, const double *a, const double *b) {
    const RbvBalance *s = path->scales;
    return rbv_balance_dot(s, a, b) / (s->reach * s->reach * fmax(1, s->system->absolute.body_count - 1));
}

/* The tangent and the stability of a place at rest; the tangent goes on from `along`, or to growing u. */
static RbvStatus describe(RbvPath *path, const RbvPlace *along, RbvPlace *place) {
    RbvBalance *b = place->balance;
    RbvStatus status = vary(path, place);
    if (status != RBV_OK)
        return status;
    if (!(place->tangent = malloc(((size_t)b->n + 1) * sizeof *place->tangent)))
        return RBV_NO_MEMORY;
    if (!factor(path, b))
        return RBV_NO_EQUILIBRIUM;
    solve_varied(path, b);
    double length = sqrt(product(path, path->y, path->y) + 1), forward = along ? product(path, along->tangent, path->y) + along->tangent_u : 1;
    if (!isfinite(length))
        return RBV_NO_EQUILIBRIUM;
    place->tangent_u = copysign(1 / length, forward);
    for (int32_t j = 0; j < b->n; j++)
        place->tangent[j] = path->y[j] * place->tangent_u;
    return rbv_stability_find(b, path->has_energy, 0, &place->stability);
}

/* The step of Newton from a place that is no equilibrium yet: dq in rest.y, multipliers in rest.l, du returned; `across` the tangent of a place, or NULL: u is held. */
static double newton(RbvPath *path, const RbvPlace *place, const RbvPlace *across, bool held) {
    RbvBalance *b = place->balance;
    double du = 0;
    if (across)
        solve_varied(path, b);
    rbv_balance_newton(b, held, path->rest.y, path->rest.l);
    if (!across)
        return 0;
    du = -product(path, across->tangent, path->rest.y) / (product(path, across->tangent, path->y) + across->tangent_u);
    for (int32_t j = 0; j < b->n; j++)
        path->rest.y[j] += du * path->y[j];
    for (int32_t k = 0; k < b->rows; k++)
        path->rest.l[k] += du * path->l[k];
    return du;
}

/* Moved by rest.y and du: a place at another u has another system. */
static RbvStatus move(RbvPath *path, RbvPlace *place, double du) {
    RbvBalance *b = place->balance;
    rbv_balance_keep(b);
    rbv_balance_move(b, path->rest.y, 1);
    memcpy(b->lambda, path->rest.l, (size_t)b->rows * sizeof *b->lambda);
    if (place->u + du == place->u)
        return rbv_balance_place(b) ? RBV_OK : RBV_NO_EQUILIBRIUM;
    RbvPlace next;
    RbvStatus status = make(path, place->u + du, place->state, b->lambda, &next);
    rbv_place_destroy(place);
    *place = next;
    path->rest.balance = next.balance;
    return status;
}

/* Back to the curve by Newton; `ds` bounds what a correction may be. */
static RbvStatus correct(RbvPath *path, const RbvPlace *across, double ds, RbvPlace *place) {
    double before = INFINITY, error = INFINITY;
    for (path->corrections = 0; path->corrections < MOST_CORRECTIONS; path->corrections++) {
        RbvBalance *b = place->balance;
        path->rest.balance = b;
        double left = rbv_balance_left(b, b->lambda), small = RBV_REST_LEFT * b->reach;
        bool held = b->error <= small && b->error > 0.5 * error;
        if ((held || b->error <= RBV_REST_ROWS * b->reach) && rbv_rest_settled(&path->rest, left, before)) {
            if (!rbv_balance_return(b))
                return RBV_NO_EQUILIBRIUM;
            rbv_state_accept(b->state);
            return RBV_OK;
        }
        before = left;
        error = b->error;
        if (path->options->progress && !path->options->progress(path->options->context, fmin(1, fmax(0, place->u))))
            return RBV_INTERRUPTED;
        if (across && path->corrections % 3 == 0) {
            RbvStatus status = vary(path, place);
            if (status != RBV_OK)
                return status;
        }
        if (!factor(path, b))
            return RBV_NO_EQUILIBRIUM;
        double du = newton(path, place, across, held), size = sqrt(product(path, path->rest.y, path->rest.y) + du * du);
        if (!(size <= CORRECTION * fabs(ds)))
            return RBV_NO_EQUILIBRIUM;
        RbvStatus status = move(path, place, du);
        if (status != RBV_OK)
            return status;
    }
    return RBV_NO_EQUILIBRIUM;
}

/* A place an arc ds along the tangent, at its own u or at one given. */
static RbvStatus predict(RbvPath *path, const RbvPlace *from, double ds, double u, RbvPlace *to) {
    RbvStatus status = make(path, u, from->state, from->balance->lambda, to);
    if (status != RBV_OK)
        return status;
    rbv_balance_keep(to->balance);
    rbv_balance_move(to->balance, from->tangent, ds);
    return rbv_balance_place(to->balance) ? RBV_OK : RBV_NO_EQUILIBRIUM;
}

RbvStatus rbv_path_first(RbvPath *path, RbvPlace *place) {
    RbvBalance *b = path->scales;
    *place = (RbvPlace){.system = NULL, .state = b->state, .balance = b};
    return rbv_balance_place(b) ? describe(path, NULL, place) : RBV_NOT_FINITE;
}

RbvStatus rbv_path_step(RbvPath *path, const RbvPlace *from, double ds, RbvPlace *to) {
    RbvStatus status = predict(path, from, ds, from->u + ds * from->tangent_u, to);
    if (status == RBV_OK)
        status = correct(path, from, ds, to);
    if (status == RBV_OK)
        status = describe(path, from, to);
    if (status == RBV_OK && !path->near_event && product(path, from->tangent, to->tangent) + from->tangent_u * to->tangent_u < TURN)
        status = RBV_NO_EQUILIBRIUM;
    if (status != RBV_OK)
        rbv_place_destroy(to);
    return status;
}

double rbv_path_distance(RbvPath *path, const RbvPlace *place) {
    const RbvBalance *b = path->scales;
    double *d = path->rest.y;
    rbv_absolute_difference(&b->system->absolute, path->rest.start, place->state->q, d);
    for (int32_t j = 0; j < b->n; j++)
        d[j] /= b->scale[j];
    return sqrt(product(path, d, d) + place->u * place->u);
}

RbvStatus rbv_path_at(RbvPath *path, const RbvPlace *from, double u, RbvPlace *to) {
    double ds = from->tangent_u != 0 ? (u - from->u) / from->tangent_u : 0;
    RbvStatus status = predict(path, from, ds, u, to);
    if (status == RBV_OK)
        status = correct(path, NULL, ds, to);
    if (status == RBV_OK)
        status = describe(path, from, to);
    if (status != RBV_OK)
        rbv_place_destroy(to);
    return status;
}

RbvStatus rbv_path_beside(RbvPath *path, const RbvPlace *from, double u, double ds, RbvPlace *to) {
    RbvStatus status = predict(path, from, ds, u, to);
    if (status == RBV_OK && !rbv_balance_return(to->balance))
        status = RBV_NO_EQUILIBRIUM;
    if (status != RBV_OK)
        rbv_place_destroy(to);
    return status;
}
