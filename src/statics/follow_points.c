/* Points of a path as samples and descriptions, over bodies whatever the coordinates of the path, and an early end of
 * the path. */
#include "statics/follow.h"

#include "core/base/diagnostics.h"
#include "solution/assembly/absolute_state.h"
#include "statics/path.h"
#include "statics/verify.h"

#include <math.h>
#include <stdlib.h>

/* Points of a path that is followed in other coordinates, in terms of bodies: results are given for bodies. */

/* out[n of the bodies' balance] = motion[n of the point], scaled as steps of the bodies' balance. */
static void path_motion_of_bodies(const RbvPathPoint *place, const double *motion, const RbvBalance *b, double *out) {
    const RbvTwist *twists = rbv_balance_twists(place->balance, motion);
    for (int32_t i = 1; i < b->system->bodies.count; i++)
        rbv_bodies_put(&b->system->bodies, i, twists[i], out);
    for (int32_t j = 0; j < b->n; j++)
        out[j] /= b->scale[j];
}

static RbvStatus transfer_stability(const RbvPathPoint *stable, RbvPathPoint *to) {
    size_t n = (size_t)to->balance->n;
    to->stability = stable->stability;
    to->stability.direction = stable->stability.direction ? calloc(2 * n + 1, sizeof(double)) : NULL;
    to->stability.nearest = to->stability.direction ? to->stability.direction + n : NULL;
    if (!to->stability.direction)
        return stable->stability.direction ? RBV_NO_MEMORY : RBV_OK;
    path_motion_of_bodies(stable, stable->stability.direction, to->balance, to->stability.direction);
    path_motion_of_bodies(stable, stable->stability.nearest, to->balance, to->stability.nearest);
    return RBV_OK;
}

/* Starts from the multipliers of rows that both have, and balances them over bodies. */
static bool transfer_multipliers(const RbvBalance *from, RbvBalance *to) {
    for (int32_t k = 0; k < to->rows; k++)
        to->lambda[k] = to->weight[k] > 0 ? from->lambda[k] * from->weight[k] / to->weight[k] : 0;
    return rbv_balance_evaluate(to) && rbv_balance_multipliers(to);
}

/* *bodies: the point `place` over bodies, with the closed supports and the stability of `stable` (the same positions
 * with other closed supports, or `place` itself). `like`: search over bodies, whose scale factors are used. Destroy
 * *bodies in all cases, before the point. NO_MEMORY; NO_EQUILIBRIUM: no multipliers. */
static RbvStatus path_as_bodies(const RbvPathPoint *place, const RbvPathPoint *stable, const RbvEquilibriumSearch *like,
                                RbvPathPoint *to) {
    *to = (RbvPathPoint){.u = place->u, .system = place->state->system->absolute};
    rbv_balance_evaluate(place->balance);
    if (!(to->state = rbv_absolute_state_create(place->state)))
        return RBV_NO_MEMORY;
    if (place->supports) {
        to->supports = calloc(1, sizeof *to->supports);
        if (!to->supports || !rbv_supports_copy(to->supports, to->state, place->supports, NULL))
            return RBV_NO_MEMORY;
    }
    if (!(to->balance = rbv_balance_create(to->state, false)))
        return RBV_NO_MEMORY;
    if (to->supports)
        to->supports->balance = to->balance;
    to->balance->least_kappa = like->start_kappa;
    to->balance->kappa = fmax(to->balance->kappa, like->start_kappa);
    if (!transfer_multipliers(place->balance, to->balance))
        return RBV_NO_EQUILIBRIUM;
    if (stable != place)
        rbv_balance_evaluate(stable->balance);
    return transfer_stability(stable, to);
}

/* A point as it is verified: itself, or its bodies; `search` refers to it meanwhile. */
typedef struct View {
    RbvPathPoint bodies;
    RbvEquilibriumSearch *search;
    RbvBalance *balance; /* the search's own balance and supports, to be restored */
    RbvSupports *supports;
    RbvStability *stability;
} View;

static RbvStatus view_point(RbvFollowing *f, RbvPathPoint *place, RbvPathPoint *stable, View *view) {
    bool other = place->balance->blocks != NULL;
    *view = (View){.search = other ? f->first : &f->path.search, .stability = &stable->stability};
    view->balance = view->search->balance;
    view->supports = view->search->supports;
    RbvStatus status = other ? path_as_bodies(place, stable, f->first, &view->bodies) : RBV_OK;
    if (status != RBV_OK)
        return status;
    view->search->balance = other ? view->bodies.balance : place->balance;
    view->search->supports = other ? view->bodies.supports : place->supports;
    view->stability = other ? &view->bodies.stability : view->stability;
    return RBV_OK;
}

/* Restores the search; the stability that the verification has found is kept with the point. */
static void restore_search(RbvFollowing *f, RbvPathPoint *stable, View *view) {
    RbvStability *s = &stable->stability;
    if (view->bodies.balance && view->stability == &view->bodies.stability) {
        const RbvStability *of = &view->bodies.stability;
        s->kind = of->kind, s->curvature = of->curvature, s->open = of->open;
    }
    if (view->search == f->first) {
        view->search->balance = view->balance;
        view->search->supports = view->supports;
    }
    rbv_path_point_destroy(&view->bodies);
}

RbvStatus rbv_following_record(RbvFollowing *f, RbvPathPoint *place) {
    RbvPathPoint bears = {0};
    View view;
    RbvStatus status = rbv_path_set_parameter(&f->path, place);
    if (status == RBV_OK)
        status = rbv_path_close_touching(&f->path, place, &bears);
    if (status != RBV_OK)
        return status;
    status = view_point(f, bears.balance ? &bears : place, place, &view);
    if (status == RBV_OK) {
        f->verifier->diagnostics = NULL;
        status =
            rbv_equilibrium_verify(f->verifier, view.search, view.stability, rbv_path_parameter(&f->path, place->u));
        f->verifier->diagnostics = f->diagnostics;
        if (status != RBV_OK && status != RBV_NO_MEMORY)
            status = rbv_equilibrium_verify(f->verifier, view.search, view.stability,
                                            rbv_path_parameter(&f->path, place->u));
    }
    restore_search(f, place, &view);
    rbv_path_point_destroy(&bears);
    f->path.search.supports = place->supports;
    f->path.search.balance = place->balance;
    return status;
}

/* Describes the verified point, with a motion [n] in the coordinates of the path. */
static bool describe_view(RbvFollowing *f, const RbvPathPoint *place, const View *view, const double *motion,
                          const char *method, RbvEquilibrium *to) {
    RbvBalance *b = view->search->balance;
    double *moved = motion && view->bodies.balance ? calloc((size_t)b->n + 1, sizeof *moved) : NULL;
    if (motion && view->bodies.balance && !moved)
        return false;
    if (moved)
        path_motion_of_bodies(place, motion, b, moved);
    f->verifier->record->system = b->system;
    rbv_balance_evaluate(b);
    bool good = rbv_equilibrium_describe(f->verifier->record, view->search, view->stability, moved ? moved : motion,
                                         method, to);
    free(moved);
    return good;
}

bool rbv_following_describe_by(RbvFollowing *f, RbvPathPoint *place, const double *motion, const char *method,
                               int32_t steps, RbvEquilibrium *to) {
    View view;
    RbvStatus status = rbv_path_set_parameter(&f->path, place);
    if (status == RBV_OK)
        status = view_point(f, place, place, &view);
    else
        return false;
    int32_t before = view.search->steps;
    view.search->steps = steps >= 0 ? steps : before;
    bool good = status == RBV_OK && describe_view(f, place, &view, motion, method, to);
    view.search->steps = before;
    restore_search(f, place, &view);
    return good;
}

bool rbv_following_describe(RbvFollowing *f, RbvPathPoint *place, const double *motion, RbvEquilibrium *to) {
    f->path.search.balance = place->balance;
    f->path.search.supports = place->supports;
    return rbv_following_describe_by(f, place, motion, f->verifier->method, -1, to);
}

RbvStatus rbv_following_end_early(RbvFollowing *f, const char *why) {
    const RbvFollowed *followed = &f->verifier->record->result->followed;
    RbvShownUnit unit = followed->shown.text ? followed->shown : (RbvShownUnit){followed->unit, 1};
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->model->file, (RbvPosition){0, 0}, "the path ends at %s = %.9g%s%s: %s",
                 followed->parameter, followed->reached / unit.factor, *unit.text ? " " : "", unit.text, why);
    return RBV_NO_EQUILIBRIUM;
}
