/* Curve of equilibria g + C^T lambda = 0, Phi = 0 in (q, lambda, p), followed by arc length: points, tangents, steps
 * along the tangent and back to the curve. */
#include "statics/path.h"

#include "core/base/tolerances.h"
#include "solution/record/samples.h"
#include "statics/stability.h"

#include <stdlib.h>
#include <string.h>

#define MOST_POINT_CORRECTIONS 12
/* Step of the one-sided difference for the derivative by u. The derivative only steers; no printed value depends on
 * it. */
#define DIFFERENCE 1e-6
/* Ridge mu for neutral directions, and a larger one for matrices that are singular all the same. */
#define RIDGE 1e-11
#define RIDGE_WHEN_SINGULAR 1e-9
/* Ridge at a bifurcation: the motion along which paths part has no stiffness, and without a ridge rounding would grow
 * to motions. */
#define RIDGE_AT_BIFURCATION 1e-6
/* CORRECTION: largest correction, over the arc of the step. TURN: least cosine of the angle between successive
 * tangents. */
#define CORRECTION 0.3
#define TURN 0.9
/* Passes that remove the effect of the rows' small compliance from the tangent. */
#define PATH_TANGENT_PASSES 2
/* MOVED_PART: part of the displacement so far, another lower bound of l. */
#define MOVED_PART 0.5

double rbv_path_parameter(const RbvPath *path, double u) {
    const RbvFamily *family = path->family;
    if (u == 0)
        return family->from;
    return u == 1 ? family->to : family->from + u * (family->to - family->from);
}

/* Parameter at u as a model of the family has it: in the unit in which it is shown, which may round it. */
static double shown_parameter(const RbvPath *path, double u) {
    const RbvFamily *family = path->family;
    double p = rbv_path_parameter(path, u);
    return family->shown_unit ? p / family->shown_factor * family->shown_factor : p;
}

/* Sets the system's parameter to that at u. OK; BAD_INPUT: unchanged; NO_MEMORY. */
static RbvStatus set_system(const RbvPath *path, RbvPathSystem *to, double u) {
    const RbvParameterValue value = {to->parameter, shown_parameter(path, u)};
    RbvStatus status = to->u == u ? RBV_OK : rbv_system_set_parameters(to->system, 1, &value, NULL);
    if (status == RBV_OK)
        to->u = u;
    return status;
}

RbvStatus rbv_path_set_parameter(RbvPath *path, const RbvPathPoint *place) {
    return place->system && place->system == path->here.system ? set_system(path, &path->here, place->u) : RBV_OK;
}

/* Creates a system at u = 0 whose parameter can be set; none if the family has no such models. False if out of
 * memory. */
static bool create_system(const RbvPath *path, RbvPathSystem *out) {
    const RbvFamily *family = path->family;
    bool sets = family->one_model &&
                path->scales->system->coordinates.of_bodies; /* in other coordinates there is an absolute system of the
                                                                same model, which then has two systems */
    RbvStatus status = sets ? family->at(family->context, family->from, NULL, &out->model) : RBV_BAD_INPUT;
    if (status == RBV_OK)
        status = rbv_system_create_like(out->model, path->scales->system, NULL, &out->system);
    if (status == RBV_OK)
        out->parameter = rbv_system_find(out->system, RBV_ITEM_PARAMETER, family->parameter);
    return status != RBV_NO_MEMORY;
}

static void destroy_system(RbvPathSystem *system) {
    rbv_system_destroy(system->system);
    rbv_model_destroy(system->model);
}

RbvStatus rbv_path_create(RbvPath *path, const RbvFamily *family, const RbvOptions *options, bool has_energy,
                          const RbvEquilibriumSearch *start) {
    RbvBalance *first = start->balance;
    size_t n = (size_t)first->n + 1, rows = (size_t)first->rows + 1;
    *path = (RbvPath){.family = family, .options = options, .has_energy = has_energy, .scales = first, .refused = NAN};
    path->metric = 1 / (first->reach * first->reach);
    path->weight = rbv_arena_alloc(&path->arena, rows * sizeof(double));
    path->vary = rbv_arena_alloc(&path->arena, (n + rows) * sizeof(double));
    path->x = rbv_arena_alloc(&path->arena, (n + rows + 1) * sizeof(double));
    path->z = rbv_arena_alloc(&path->arena, (n + rows + 1) * sizeof(double));
    RbvStatus status = rbv_equilibrium_create(&path->search, first, NULL); /* keeps the present q as search.start */
    path->search.supports = start->supports;
    path->search.start_force = fmax(start->start_force, first->force_size);
    path->search.start_kappa = fmax(start->start_kappa, first->kappa);
    for (int32_t k = 0; path->weight && k < first->rows; k++)
        path->weight[k] = rbv_state_holds(first->state, k) ? first->weight[k] : NAN;
    return path->weight && path->vary && path->x && path->z && create_system(path, &path->here) &&
                   create_system(path, &path->ahead)
               ? status
               : RBV_NO_MEMORY;
}

void rbv_path_destroy(RbvPath *path) {
    rbv_equilibrium_destroy(&path->search);
    destroy_system(&path->here);
    destroy_system(&path->ahead);
    rbv_arena_clear(&path->arena);
}

void rbv_path_point_destroy(RbvPathPoint *place) {
    free(place->stability.direction);
    free(place->tangent);
    if (place->system) {
        rbv_balance_destroy(place->balance);
        rbv_state_destroy(place->state);
        if (place->supports)
            rbv_supports_destroy(place->supports);
        free(place->supports);
    }
    if (place->model) {
        rbv_system_destroy(place->system);
        rbv_model_destroy(place->model);
    }
    *place = (RbvPathPoint){0};
}

/* True if bodies, rows and couplings are the same: all that arrays and results are laid out by. */
static bool same_structure(const RbvSystem *a, const RbvSystem *b) {
    const RbvModel *m = a->model, *o = b->model;
    if (a->C.count != b->C.count || a->C.start[a->C.count] != b->C.start[b->C.count] ||
        !rbv_coordinates_compatible(&a->coordinates, &b->coordinates))
        return false;
    return a->bodies.size == b->bodies.size && a->coordinates.position_size == b->coordinates.position_size &&
           a->row_count == b->row_count && a->satisfied_count == b->satisfied_count &&
           a->C.start[a->row_count] == b->C.start[b->row_count] && m->bodies.count == o->bodies.count &&
           m->joints.count == o->joints.count && m->loads.count == o->loads.count &&
           m->drives.count == o->drives.count && m->constraints.count == o->constraints.count &&
           m->stops.count == o->stops.count && m->conditions.count == o->conditions.count &&
           m->measures.count == o->measures.count && m->outputs.count == o->outputs.count &&
           a->rate_count == b->rate_count && a->part_count == b->part_count;
}

/* System at u: a shared one that is set there, or else a new one of the same structure. NO_EQUILIBRIUM: none. */
static RbvStatus find_system(RbvPath *path, RbvPathSystem *shared, double u, RbvPathPoint *place) {
    double p = rbv_path_parameter(path, u);
    RbvStatus status = shared->system ? set_system(path, shared, u) : RBV_BAD_INPUT;
    if (status == RBV_OK)
        place->system = shared->system;
    if (status == RBV_OK || status == RBV_NO_MEMORY)
        return status;
    status = path->family->at(path->family->context, p, NULL, &place->model);
    if (status == RBV_OK)
        status = rbv_system_create_like(place->model, path->scales->system, NULL, &place->system);
    if (status == RBV_NO_MEMORY || (status == RBV_OK && same_structure(place->system, path->scales->system)))
        return status;
    path->refused = p;
    return RBV_NO_EQUILIBRIUM;
}

/* What a new point starts from: q, memory and multipliers of a balance, and its supports, closed as in closed[contacts]
 * (NULL: as in `supports`). */
typedef struct Like {
    const RbvBalance *balance;
    const RbvSupports *supports; /* may be NULL */
    const bool *closed;
} Like;

/* Takes the active rows and acting loads of the first point, and the supports. */
static bool copy_activity(const RbvPath *path, const Like *like, RbvPathPoint *place) {
    const RbvState *first = path->scales->state;
    place->state->active = first->active;
    place->state->acting = first->acting;
    if (!like->supports)
        return true;
    place->supports = calloc(1, sizeof *place->supports);
    return place->supports && rbv_supports_copy(place->supports, place->state, like->supports, like->closed);
}

/* Takes scale factors, and the weights of the first point at which each row was active. */
static void copy_scales(RbvPath *path, const RbvBalance *like, RbvBalance *b) {
    RbvBalance *scales = path->scales;
    b->reach = scales->reach;
    b->least_kappa = path->search.start_kappa;
    b->kappa = fmax(b->kappa, b->least_kappa);
    memcpy(b->scale, scales->scale, (size_t)b->n * sizeof *b->scale);
    for (int32_t k = 0; k < b->rows; k++) {
        if (isnan(path->weight[k]) && rbv_state_holds(b->state, k))
            path->weight[k] = b->weight[k];
        if (!isnan(path->weight[k]))
            b->weight[k] = path->weight[k];
        b->lambda[k] = !rbv_state_holds(b->state, k) || !rbv_state_holds(like->state, k) ? 0
                       : b->weight[k] == like->weight[k]                                 ? like->lambda[k]
                                                         : like->lambda[k] * like->weight[k] / b->weight[k];
    }
}

/* Creates the system and a state at u from another one, and evaluates it. */
static RbvStatus create_point(RbvPath *path, RbvPathSystem *shared, double u, const Like *like, RbvPathPoint *place) {
    RbvBalance *scales = path->scales;
    const RbvState *state = like->balance->state;
    *place = (RbvPathPoint){.u = u};
    RbvStatus status = find_system(path, shared, u, place);
    if (status != RBV_OK)
        return status;
    if (!(place->state = rbv_state_create(place->system)))
        return RBV_NO_MEMORY;
    const RbvModel *model = place->system->model;
    place->state->t = rbv_first_instant(model, path->options);
    memcpy(place->state->q, state->q, (size_t)scales->system->coordinates.position_size * sizeof(double));
    memcpy(place->state->memory, state->memory, (size_t)scales->system->model->measures.count * sizeof *state->memory);
    memcpy(place->state->row_turn, state->row_turn, (size_t)scales->system->all_count * sizeof *state->row_turn);
    if (!copy_activity(path, like, place))
        return RBV_NO_MEMORY;
    memcpy(place->state->part_size, scales->state->part_size, (size_t)scales->system->part_count * sizeof(double));
    if (!(place->balance = rbv_balance_create(place->state, false)))
        return RBV_NO_MEMORY;
    if (place->supports)
        place->supports->balance = place->balance;
    copy_scales(path, like->balance, place->balance);
    return rbv_balance_evaluate(place->balance) ? RBV_OK : RBV_NO_EQUILIBRIUM;
}

/* path->vary = F_u at a point with its multipliers. */
static RbvStatus differentiate_by_u(RbvPath *path, const RbvPathPoint *place) {
    RbvBalance *b = place->balance;
    RbvPathPoint other;
    double h = place->u > 0.5 ? -DIFFERENCE : DIFFERENCE;
    RbvStatus status = create_point(path, &path->ahead, place->u + h, &(Like){b, place->supports, NULL}, &other);
    if (status == RBV_OK) {
        rbv_balance_residual(b, b->lambda);
        rbv_balance_residual(other.balance, b->lambda);
        for (int32_t j = 0; j < b->n; j++)
            path->vary[j] = (other.balance->K_y[j] - b->K_y[j]) / h;
        for (int32_t k = 0; k < b->rows; k++)
            path->vary[b->n + k] = (other.balance->phi[k] - b->phi[k]) / h;
        for (int32_t j = 0; j < b->n + b->rows; j++)
            path->depends = path->depends || path->vary[j] != 0;
    }
    rbv_path_point_destroy(&other);
    return status;
}

static double path_ridge(const RbvPath *path) {
    return path->near_event ? RIDGE_AT_BIFURCATION : RIDGE;
}

/* Scalar product of two motions in the metric of the arc. */
static double path_product(const RbvPath *path, const double *a, const double *b) {
    return path->metric * rbv_balance_dot(path->scales, a, b);
}

/* Factors the system at a point, bordered by F_u and by the tangent `across`; NULL: by u itself. */
static RbvStatus factor_bordered(RbvPath *path, const RbvPathPoint *place, const RbvPathPoint *across,
                                 RbvBordered *bordered) {
    RbvBalance *b = place->balance;
    double *row = path->search.y;
    for (int32_t j = 0; j < b->n; j++)
        row[j] = across ? path->metric * across->tangent[j] : 0;
    if (!rbv_bordered_create(bordered, b))
        return RBV_NO_MEMORY;
    for (int again = 0; again < 2; again++) {
        rbv_balance_fill(b, again ? RIDGE_WHEN_SINGULAR : path_ridge(path), 0, RBV_PROXIMAL / b->kappa);
        if (rbv_bordered_factor(bordered, b, path->vary, row, across ? across->tangent_u : 1))
            return RBV_OK;
    }
    return RBV_NO_EQUILIBRIUM;
}

/* True if the point is neutral and the change of u does not push it along that motion: its position along the motion
 * stays arbitrary. At a fold u does push. */
static bool drifts_along_motion(const RbvPath *path, const RbvPathPoint *place) {
    const RbvBalance *b = place->balance;
    const RbvStability *s = &place->stability;
    if (!s->level)
        return false;
    double push = rbv_balance_dot(b, s->nearest, path->vary),
           size = rbv_balance_dot(b, path->vary, path->vary) * rbv_balance_dot(b, s->nearest, s->nearest);
    /* Part of the largest change with u: a smaller push along a motion counts as zero. */
    return fabs(push) <= RBV_FITS * sqrt(size);
}

/* Removes from x its part along a motion without stiffness, with the corresponding multipliers, which one step of
 * inverse iteration finds. */
static void remove_motion(RbvPath *path, const RbvBalance *b, RbvBordered *bordered, const double *motion) {
    double *z = path->z, *x = path->x;
    memset(z, 0, (size_t)bordered->size * sizeof *z);
    memcpy(z, motion, (size_t)b->n * sizeof *z);
    rbv_bordered_solve(bordered, z);
    double part = rbv_balance_dot(b, motion, x) / rbv_balance_dot(b, motion, z);
    for (int32_t j = 0; isfinite(part) && j < bordered->size; j++)
        x[j] -= part * z[j];
}

/* path->x: (dq, dlambda, du) along the curve, with scalar product 1 with the tangent of `along`. */
static RbvStatus find_path_tangent(RbvPath *path, const RbvPathPoint *along, const RbvPathPoint *place) {
    RbvBalance *b = place->balance;
    RbvBordered bordered = {0};
    double *x = path->x;
    RbvStatus status = factor_bordered(path, place, along, &bordered);
    memset(path->search.l, 0, (size_t)b->rows * sizeof(double));
    for (int pass = 0; status == RBV_OK && pass < PATH_TANGENT_PASSES;
         pass++) { /* removes the effect of the rows' compliance */
        memset(x, 0, (size_t)bordered.size * sizeof *x);
        for (int32_t k = 0; k < b->rows; k++)
            x[b->n + k] = -b->compliance * path->search.l[k];
        x[bordered.size - 1] = 1;
        rbv_bordered_solve(&bordered, x);
        memcpy(path->search.l, x + b->n, (size_t)b->rows * sizeof(double));
    }
    if (status == RBV_OK && place->drifts)
        remove_motion(path, b, &bordered, place->stability.nearest);
    rbv_bordered_destroy(&bordered);
    return status;
}

/* Tangent and stability of a point at rest; the tangent continues that of `along`, or goes to growing u (NULL). */
static RbvStatus complete_point(RbvPath *path, const RbvPathPoint *along, RbvPathPoint *place) {
    RbvBalance *b = place->balance;
    double *x = path->x;
    RbvStatus status = rbv_stability_find(b, path->has_energy, 0, &place->stability);
    if (status == RBV_OK)
        status = differentiate_by_u(path, place);
    if (status == RBV_OK && !(place->tangent = malloc(((size_t)b->n + 1) * sizeof *place->tangent)))
        status = RBV_NO_MEMORY;
    place->drifts = status == RBV_OK && drifts_along_motion(path, place);
    if (status == RBV_OK)
        status = find_path_tangent(path, along, place);
    if (status != RBV_OK)
        return status;
    double u = x[b->n + b->rows], length = sqrt(path_product(path, x, x) + u * u);
    place->tangent_u = u / length;
    for (int32_t j = 0; j < b->n; j++)
        place->tangent[j] = x[j] / length;
    return isfinite(length) && length > 0 ? RBV_OK : RBV_NO_EQUILIBRIUM;
}

/* Direction of a correction: across the tangent of `from`, or with u fixed; not along the motion by which `from`
 * drifts. */
typedef struct Aim {
    const RbvPathPoint *from; /* NULL: none */
    bool across;
} Aim;

/* Newton's step from a point that is not in equilibrium: dq in search.y, multipliers in search.l, *du. */
static RbvStatus find_correction(RbvPath *path, const RbvPathPoint *place, const Aim *aim, bool rows_stay, double *du) {
    RbvBalance *b = place->balance;
    bool drifts = aim->from && aim->from->drifts;
    *du = 0;
    if (!aim->across && !drifts) {
        if (!rbv_balance_factor(b, path_ridge(path), 0, RBV_PROXIMAL / b->kappa) &&
            !rbv_balance_factor(b, RIDGE_WHEN_SINGULAR, 0, RBV_PROXIMAL / b->kappa))
            return RBV_NO_EQUILIBRIUM;
        rbv_balance_newton(b, rows_stay, path->search.y, path->search.l);
        return RBV_OK;
    }
    RbvBordered bordered = {0};
    double *x = path->x;
    RbvStatus status = factor_bordered(path, place, aim->across ? aim->from : NULL, &bordered);
    if (status == RBV_OK) {
        for (int32_t j = 0; j < b->n; j++)
            x[j] = -b->gradient[j];
        for (int32_t k = 0; k < b->rows; k++)
            x[b->n + k] = (rows_stay ? 0 : -b->phi[k]) - b->compliance * b->lambda[k];
        x[bordered.size - 1] = 0;
        rbv_bordered_solve(&bordered, x);
        if (drifts)
            remove_motion(path, b, &bordered, aim->from->stability.nearest);
        *du = aim->across ? x[bordered.size - 1] : 0;
        memcpy(path->search.y, x, (size_t)b->n * sizeof *x);
        memcpy(path->search.l, x + b->n, (size_t)b->rows * sizeof *x);
    }
    rbv_bordered_destroy(&bordered);
    return status;
}

/* Moves the point by search.y and du; a point at another u gets another system. */
static RbvStatus move_point(RbvPath *path, RbvPathPoint *place, double du) {
    RbvBalance *b = place->balance;
    rbv_balance_store(b);
    rbv_balance_move(b, path->search.y, 1);
    memcpy(b->lambda, path->search.l, (size_t)b->rows * sizeof *b->lambda);
    if (place->u + du == place->u)
        return rbv_balance_evaluate(b) ? RBV_OK : RBV_NO_EQUILIBRIUM;
    RbvPathPoint next;
    RbvStatus status = create_point(path, &path->here, place->u + du, &(Like){b, place->supports, NULL}, &next);
    rbv_path_point_destroy(place);
    *place = next;
    path->search.balance = next.balance;
    return status;
}

/* Returns to the curve by Newton's method; `ds` bounds the corrections. */
static RbvStatus correct_point(RbvPath *path, const RbvPathPoint *from, bool across, double ds, RbvPathPoint *place) {
    const Aim aim = {from, across};
    double before = INFINITY, error = INFINITY;
    path->search.stays = path->search.lags = 0;
    for (path->corrections = 0; path->corrections < MOST_POINT_CORRECTIONS; path->corrections++) {
        RbvBalance *b = place->balance;
        path->search.balance = b;
        double left = rbv_balance_residual(b, b->lambda);
        bool rows_stay = rbv_equilibrium_rows_stay(&path->search, error);
        if ((rows_stay || b->error <= RBV_EQUILIBRIUM_ROWS) &&
            rbv_equilibrium_settled_twice(&path->search, left, before)) {
            if (!rbv_balance_project(b))
                return RBV_NO_EQUILIBRIUM;
            rbv_state_accept(b->state);
            return RBV_OK;
        }
        before = left;
        error = b->error;
        if (path->options->progress && !path->options->progress(path->options->context, fmin(1, fmax(0, place->u))))
            return RBV_INTERRUPTED;
        if (from && path->corrections % 3 == 0) {
            RbvStatus status = differentiate_by_u(path, place);
            if (status != RBV_OK)
                return status;
        }
        double du;
        RbvStatus status = find_correction(path, place, &aim, rows_stay, &du);
        if (status != RBV_OK)
            return status;
        double missed = sqrt(path_product(path, path->search.y, path->search.y) + du * du) / fabs(ds);
        path->missed = path->corrections == 0 ? missed : path->missed;
        if (!(missed <= CORRECTION))
            return RBV_NO_EQUILIBRIUM;
        status = move_point(path, place, du);
        if (status != RBV_OK)
            return status;
    }
    return RBV_NO_EQUILIBRIUM;
}

/* Point at an arc ds along the tangent of `from`, at the given u. */
static RbvStatus predict_point(RbvPath *path, const RbvPathPoint *from, double ds, double u, RbvPathPoint *to) {
    RbvStatus status = create_point(path, &path->here, u, &(Like){from->balance, from->supports, NULL}, to);
    if (status != RBV_OK)
        return status;
    rbv_balance_store(to->balance);
    rbv_balance_move(to->balance, from->tangent, ds);
    return rbv_balance_evaluate(to->balance) ? RBV_OK : RBV_NO_EQUILIBRIUM;
}

/* Normalizes the tangent to unit length in the present metric. */
static void normalize_tangent(const RbvPath *path, RbvPathPoint *place) {
    double length = sqrt(path_product(path, place->tangent, place->tangent) + place->tangent_u * place->tangent_u);
    place->tangent_u /= length;
    for (int32_t j = 0; j < place->balance->n; j++)
        place->tangent[j] /= length;
}

RbvStatus rbv_path_first(RbvPath *path, RbvPathPoint *place) {
    RbvBalance *b = path->scales;
    *place = (RbvPathPoint){.system = NULL, .state = b->state, .balance = b, .supports = path->search.supports};
    RbvStatus status = rbv_balance_evaluate(b) ? complete_point(path, NULL, place) : RBV_NOT_FINITE;
    if (status == RBV_OK && place->tangent_u != 0) {
        double rate = sqrt(rbv_balance_dot(b, place->tangent, place->tangent)) / fabs(place->tangent_u);
        /* Part of the size, lower bound of the length l. Part of the size; a mechanism that moves less over the whole
         * range does not move. */
        path->least = rate > RBV_ROOT_EPS * b->reach ? fmin(fmax(rate, RBV_FITS * b->reach), b->reach) : b->reach;
        path->metric = 1 / (path->least * path->least);
        normalize_tangent(path, place);
    }
    return status;
}

/* |dq| from q to a point; whole turns of angles may be left out. */
static double displacement_between(RbvPath *path, const double *q, const RbvPathPoint *place, bool without_turns) {
    const RbvBalance *b = path->scales;
    double *d = path->search.y;
    rbv_coordinates_difference(&b->system->coordinates, q, place->state->q, d);
    if (without_turns)
        rbv_coordinates_without_turns(&b->system->coordinates, d);
    for (int32_t j = 0; j < b->n; j++)
        d[j] /= b->scale[j];
    return sqrt(rbv_balance_dot(b, d, d));
}

void rbv_path_measure(RbvPath *path, RbvPathPoint *place) {
    double moved = MOVED_PART * displacement_between(path, path->search.start, place, false);
    path->least = fmax(path->least, fmin(moved, path->scales->reach));
    path->metric = 1 / (path->least * path->least);
    normalize_tangent(path, place);
}

double rbv_path_distance(RbvPath *path, const RbvPathPoint *place) {
    return hypot(sqrt(path->metric) * displacement_between(path, path->search.start, place, true), place->u);
}

double rbv_path_between(RbvPath *path, const RbvPathPoint *a, const RbvPathPoint *b) {
    return hypot(sqrt(path->metric) * displacement_between(path, a->state->q, b, false), b->u - a->u);
}

double rbv_path_cosine(const RbvPath *path, const RbvPathPoint *a, const RbvPathPoint *b) {
    return path_product(path, a->tangent, b->tangent) + a->tangent_u * b->tangent_u;
}

/* True if a step has gone to another branch, or too far for the curvature of the path. */
static bool leaves_branch(const RbvPath *path, const RbvPathPoint *from, const RbvPathPoint *to) {
    return !path->near_event && rbv_path_cosine(path, from, to) < TURN;
}

/* NO_MEMORY if what seemed a singular matrix was a failed allocation. */
static RbvStatus or_no_memory(RbvStatus status, const RbvPathPoint *place) {
    return (status == RBV_OK || status == RBV_NO_EQUILIBRIUM) && place->state && place->state->no_memory ? RBV_NO_MEMORY
                                                                                                         : status;
}

/* Point at `u`, or across the tangent there, from the prediction an arc ds away. */
static RbvStatus reach_point(RbvPath *path, const RbvPathPoint *from, double ds, double u, bool across,
                             RbvPathPoint *to) {
    RbvStatus status = predict_point(path, from, ds, u, to);
    if (status == RBV_OK)
        status = correct_point(path, from, across, ds, to);
    if (status == RBV_OK)
        status = complete_point(path, from, to);
    if (status == RBV_OK && leaves_branch(path, from, to))
        status = RBV_NO_EQUILIBRIUM;
    status = or_no_memory(status, to);
    if (status != RBV_OK)
        rbv_path_point_destroy(to);
    return status;
}

RbvStatus rbv_path_step(RbvPath *path, const RbvPathPoint *from, double ds, RbvPathPoint *to) {
    return reach_point(path, from, ds, from->u + ds * from->tangent_u, true, to);
}

RbvStatus rbv_path_at(RbvPath *path, const RbvPathPoint *from, double u, RbvPathPoint *to) {
    double ds = from->tangent_u != 0 ? (u - from->u) / from->tangent_u : 0;
    return reach_point(path, from, ds, u, false, to);
}

RbvStatus rbv_path_settle(RbvPath *path, const RbvBalance *near, const RbvSupports *supports, double u,
                          RbvPathPoint *to) {
    RbvStatus status = create_point(path, &path->here, u, &(Like){near, supports, NULL}, to);
    if (status == RBV_OK)
        status = correct_point(path, NULL, false, 1, to);
    path->search.balance = to->balance;
    path->search.supports = to->supports;
    if (status == RBV_OK)
        status = rbv_supported_stability(&path->search, path->has_energy, &to->stability);
    status = or_no_memory(status, to);
    if (status != RBV_OK)
        rbv_path_point_destroy(to);
    return status;
}

RbvStatus rbv_path_displace(RbvPath *path, const RbvPathPoint *from, double u, double ds, RbvPathPoint *to) {
    RbvStatus status = predict_point(path, from, ds, u, to);
    if (status == RBV_OK && !rbv_balance_project(to->balance))
        status = RBV_NO_EQUILIBRIUM;
    status = or_no_memory(status, to);
    if (status != RBV_OK)
        rbv_path_point_destroy(to);
    return status;
}

/* Newton's method has little to correct; where it fails for lack of stiffness, the positions stay as they are. */
RbvStatus rbv_path_change(RbvPath *path, const RbvPathPoint *from, const bool *closed, RbvPathPoint *to) {
    const Like like = {from->balance, from->supports, closed};
    RbvStatus status = create_point(path, &path->here, from->u, &like, to);
    /* Arc by which a point may move when other supports without force are closed. */
    if (status == RBV_OK)
        status = or_no_memory(correct_point(path, NULL, false, RBV_NOTICEABLE, to), to);
    if (status == RBV_NO_EQUILIBRIUM) {
        rbv_path_point_destroy(to);
        status = create_point(path, &path->here, from->u, &like, to);
        if (status == RBV_OK && !rbv_balance_project(to->balance))
            status = RBV_NO_EQUILIBRIUM;
    }
    if (status == RBV_OK)
        status = complete_point(path, from, to);
    status = or_no_memory(status, to);
    if (status != RBV_OK)
        rbv_path_point_destroy(to);
    return status;
}

RbvStatus rbv_path_close_touching(RbvPath *path, const RbvPathPoint *place, RbvPathPoint *to) {
    const RbvSupports *s = place->supports;
    *to = (RbvPathPoint){0};
    bool *closed = s ? malloc((size_t)s->contacts.count + 1) : NULL, more = false;
    RbvStatus status = s && !closed ? RBV_NO_MEMORY : RBV_OK;
    for (int32_t k = 0; closed && k < s->contacts.count; k++) {
        closed[k] = s->closed[k] || (s->enabled[k] && fabs(rbv_supports_gap(s, k)) <= RBV_SAME);
        more = more || closed[k] != s->closed[k];
    }
    if (more)
        status = create_point(path, &path->here, place->u, &(Like){place->balance, s, closed}, to);
    free(closed);
    if (status != RBV_OK)
        rbv_path_point_destroy(to);
    return status;
}

void rbv_path_point_reverse(RbvPathPoint *place, int32_t n) {
    place->tangent_u = -place->tangent_u;
    for (int32_t j = 0; j < n; j++)
        place->tangent[j] = -place->tangent[j];
}
