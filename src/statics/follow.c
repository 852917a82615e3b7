/* Follows an equilibrium along a parameter. Between two points of the path an event is located where the
 * direction of the parameter turns (a fold) or a curvature changes its sign: there the arc is divided until the event
 * is found to rounding, and it becomes a sample of its own. Where a stop or one-sided joint closes or opens, the event
 * is located in the same way, and the path continues with another set of closed supports (path_switching.c). */
#include "statics/follow.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "mechanics/system/contacts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arcs of steps: the whole range of the parameter is 1, and so is the length by which path.h measures motions. */
#define FIRST_PATH_ARC                                                                                                 \
    1e-5 /* a snap-through immediately after the start may be small against both; steps grow fast on a straight path   \
          */
#define MOST_ARC 0.02
#define LEAST_ARC 1e-7
/* STRAIGHT_ARC: longest step on a straight path, where the parameter still moves by MOST_ARC at most. STRAIGHT: cosine
 * of the angle between two tangents above which the path is straight. */
#define STRAIGHT_ARC 0.1
#define STRAIGHT 0.9995
/* STANDING: number of points in a row at one value of the parameter, equal to RBV_SAME of the range, after which the
 * path ends with an error. */
#define STANDING 100
#define MOST_PLACES 10000
/* Part of the range by which the path may go back past its start, behind a fold. */
#define FAR_BACK 1.0
/* Distance from the start, over the last arc, below which the path is closed. */
#define CLOSED 0.75
/* First Newton correction over the step: below BULLS_EYE and WELL_AIMED the next step may be longer, above ILL_AIMED it
 * is shorter. */
#define BULLS_EYE 0.003
#define WELL_AIMED 0.03
#define ILL_AIMED 0.15
/* Most changes of closed supports that may follow each other within the least arc. */
#define MOST_SWITCHES 4
/* Arc to which the change of a condition is approached. */
#define CONDITION_ARC 1e-6
/* Multipliers are opposite if the cosine of their angle is below -OPPOSITE. Halfway between them they have passed zero,
 * or, at a pole, the largest is more than the part NOT_ZERO of its value at the ends. */
#define OPPOSITE 0.5
#define NOT_ZERO 0.9

/* End of the range that a step along the tangent would pass: 1, -FAR_BACK, or NaN. */
static double end_ahead(const RbvPathPoint *now, double arc) {
    double u = now->u + arc * now->tangent_u;
    if (u >= 1)
        return 1;
    return u <= -FAR_BACK ? -FAR_BACK : NAN;
}

/* In coordinates that keep joints Newton's method may step across a position where rows lose their rank and forces grow
 * without bound. Multipliers at both sides of it are opposite to each other, as where they pass zero; but halfway they
 * are larger. *pole: true for such a pole. */
static RbvStatus look_for_pole(RbvFollowing *f, const RbvPathPoint *now, const RbvPathPoint *next, double length,
                               bool *pole) {
    const RbvBalance *a = now->balance, *b = next->balance;
    double product = 0, before = 0, behind = 0;
    *pole = false;
    for (int32_t k = 0; k < a->rows; k++) {
        product += a->lambda[k] * b->lambda[k];
        before += a->lambda[k] * a->lambda[k];
        behind += b->lambda[k] * b->lambda[k];
    }
    if (!a->blocks || !(product < -OPPOSITE * sqrt(before * behind)))
        return RBV_OK;
    RbvPathPoint between;
    RbvStatus status = rbv_path_step(&f->path, now, 0.5 * length, &between);
    *pole = status == RBV_NO_EQUILIBRIUM;
    if (status != RBV_OK)
        return *pole ? RBV_OK : status;
    double most = rbv_balance_largest(between.balance);
    *pole = most > NOT_ZERO * fmax(rbv_balance_largest(a), rbv_balance_largest(b));
    rbv_path_point_destroy(&between);
    return RBV_OK;
}

/* One step from `now`: *next is the point there, *length the arc to it, *ended how the path ends there, or NULL. */
static RbvStatus step_along_path(RbvFollowing *f, RbvPathPoint *now, double *arc, RbvPathPoint *next, double *length,
                                 const char **ended) {
    for (;;) {
        double end = end_ahead(now, *arc);
        *ended = NULL;
        f->path.refused = NAN;
        *length = isnan(end) ? *arc : fmin(*arc, (end - now->u) / now->tangent_u);
        RbvStatus status =
            isnan(end) ? rbv_path_step(&f->path, now, *arc, next) : rbv_path_at(&f->path, now, end, next);
        if (status == RBV_NO_EQUILIBRIUM && !isnan(end)) { /* the parameter may turn before the end */
            end = NAN;
            status = rbv_path_step(&f->path, now, *arc, next);
        }
        bool passes = status == RBV_OK && isnan(end) && (next->u >= 1 || next->u <= -FAR_BACK);
        bool pole = false;
        if (status == RBV_OK) {
            status = look_for_pole(f, now, next, *length, &pole);
            if (status != RBV_OK) {
                rbv_path_point_destroy(next);
                return status;
            }
        }
        bool shorter = pole || status == RBV_NO_EQUILIBRIUM ||
                       (status == RBV_OK && (passes || rbv_following_holds_two_events(now, next, *length)));
        if (!shorter) {
            if (status == RBV_OK && !isnan(end))
                *ended = end == 1 ? "to the end" : "back past the start";
            return status;
        }
        if (status == RBV_OK)
            rbv_path_point_destroy(next);
        *arc = 0.5 * *length;
        if (*arc < LEAST_ARC)
            return RBV_NO_EQUILIBRIUM;
    }
}

/* Next arc: short where the path bends or the parameter runs, long where Newton's corrections are small. */
static double next_arc(const RbvFollowing *f, const RbvPathPoint *from, const RbvPathPoint *to, double arc,
                       double missed) {
    bool straight = rbv_path_cosine(&f->path, from, to) > STRAIGHT;
    double most = straight ? fmin(STRAIGHT_ARC, MOST_ARC / fmax(fabs(to->tangent_u), 1e-300)) : MOST_ARC;
    double factor = 1;
    if (missed <= BULLS_EYE)
        factor = 3;
    else if (missed <= WELL_AIMED)
        factor = 1.5;
    else if (missed >= ILL_AIMED)
        factor = 0.6;
    return fmin(most, arc * factor);
}

/* Ends the path with an error: no shorter step succeeds. */
static RbvStatus end_where_stuck(RbvFollowing *f) {
    const RbvFamily *family = f->path.family;
    if (isnan(f->path.refused))
        return rbv_following_end_early(f, "no equilibrium is found near by beyond, however short the step (a mechanism "
                                          "that locks or comes apart, a spring without length, a kink)");
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvStatus status = family->at(family->context, f->path.refused, f->diagnostics, &model); /* reports the cause */
    if (status == RBV_OK)
        status = rbv_system_create_of_bodies(model, f->diagnostics, &system);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    if (status == RBV_OK && f->verifier->found_in)
        return rbv_following_end_early(f,
                                       "beyond it bodies or rows of the model come or go, or other points and vectors "
                                       "tell where bodies are; " RBV_OPTION_COORDINATES " absolute does without these");
    return rbv_following_end_early(f, status == RBV_OK ? "beyond it bodies or rows of the model come or go"
                                                       : "beyond it there is no model");
}

/* The first condition (active:) whose truth differs from that at the start; NULL: none. */
static const char *changed_condition(RbvFollowing *f, const RbvPathPoint *place) {
    const RbvModel *model = place->system ? place->system->model : f->model;
    bool *truth = f->truth + model->conditions.count;
    if (model->conditions.count == 0)
        return NULL;
    if (rbv_path_set_parameter(&f->path, place) != RBV_OK || !rbv_balance_evaluate(place->balance))
        return NULL;
    const char *bad = rbv_conditions_decide(place->state, NULL, NULL, truth, place->state->work);
    for (int32_t k = 0; k < model->conditions.count && !bad; k++)
        if (truth[k] != f->truth[k])
            bad = model->conditions.items[k].name;
    return bad;
}

static RbvStatus end_at_condition(RbvFollowing *f, const char *name) {
    char why[300];
    snprintf(why, sizeof why,
             "beyond it the condition (active:) of '%s' changes, and paths are followed with what holds and acts at "
             "their start",
             name);
    return rbv_following_end_early(f, why);
}

/* From one point to the next, with the events between. */
static RbvStatus advance_path(RbvFollowing *f, RbvPathPoint *now, double *arc, const char **ended) {
    RbvFollowed *followed = &f->verifier->record->result->followed;
    RbvPathPoint next;
    double length = 0;
    bool met = false;
    RbvStatus status = step_along_path(f, now, arc, &next, &length, ended);
    if (status == RBV_NO_EQUILIBRIUM)
        return end_where_stuck(f);
    if (status != RBV_OK)
        return status;
    double missed = f->path.missed;
    status = rbv_following_stop_at_support(f, now, &length, &next, ended, &met);
    const char *condition = status == RBV_OK ? changed_condition(f, &next) : NULL;
    if (condition) { /* shorter steps approach it; the point may own its model, which contains the name */
        *arc = 0.5 * length;
        *ended = NULL;
        status = length > CONDITION_ARC ? RBV_OK : end_at_condition(f, condition);
        rbv_path_point_destroy(&next);
        return status;
    }
    if (status == RBV_OK)
        status = rbv_following_check_events(f, now, length, &next);
    bool locks = status == RBV_LOCKED, kinks = status == RBV_NO_EQUILIBRIUM;
    if (status == RBV_OK)
        status = met ? rbv_following_switch_supports(f, now, length, &next) : rbv_following_record(f, &next);
    bool jams = met && status == RBV_NO_EQUILIBRIUM && !kinks; /* reported */
    if (status == RBV_OK) {
        followed->reached = rbv_path_parameter(&f->path, next.u);
        f->turns += now->tangent_u * next.tangent_u < 0;
        if (!*ended && f->turns >= 2 && next.tangent_u > 0 && rbv_path_distance(&f->path, &next) < CLOSED * length)
            *ended = "round to the start"; /* it has turned twice, and runs in the initial direction */
        f->standing = fabs(next.u - now->u) <= RBV_SAME ? f->standing + 1 : 0;
        followed->places++;
        *arc = met ? RBV_SWITCHED_ARC : next_arc(f, now, &next, length, missed);
        f->switches = met && length < LEAST_ARC ? f->switches + 1 : 0;
        rbv_path_point_destroy(now);
        *now = next;
        rbv_path_measure(&f->path, now);
        if (f->switches > MOST_SWITCHES)
            return rbv_following_end_early(f, "it is not decided there which stops and one-sided joints are pressed");
        return f->standing < STANDING
                   ? RBV_OK
                   : rbv_following_end_early(f, "it rests in many places there, and in none near by beyond");
    }
    if (jams) {
        rbv_path_point_destroy(now);
        *now = next;
        return status;
    }
    rbv_path_point_destroy(&next);
    if (locks)
        return rbv_following_end_early(f, "the mechanism locks, forces grow there without bound");
    if (kinks)
        return rbv_following_end_early(
            f, "the parameter turns back there, at a place that is not found (a kink in a law)");
    if (status == RBV_AUDIT_FAILED || status == RBV_LOCKED || status == RBV_INCONSISTENT || status == RBV_NOT_FINITE)
        rbv_following_end_early(f, status == RBV_AUDIT_FAILED ? "what comes next fails its audit"
                                                              : "what comes next has no result");
    return status;
}

static RbvStatus follow_path(RbvFollowing *f, RbvPathPoint *now) {
    double arc = FIRST_PATH_ARC;
    const char *ended = NULL;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; status == RBV_OK && !ended; k++)
        status = k < MOST_PLACES ? advance_path(f, now, &arc, &ended)
                                 : rbv_following_end_early(f, "that are as many places as are followed");
    if (status == RBV_OK)
        f->verifier->record->result->followed.ended = ended;
    return status;
}

/* True if all columns but that of the parameter are the same in all samples. */
static bool nothing_changes(const RbvResult *result) {
    for (int32_t c = 1; c < result->column_count; c++)
        for (int32_t k = 1; k < result->sample_count; k++)
            if (rbv_result_value(result, k, c) != rbv_result_value(result, 0, c) &&
                !isnan(rbv_result_value(result, k, c)))
                return false;
    return true;
}

/* Opens the search at the first point in other coordinates. */
static RbvStatus begin_in_coordinates(RbvFollowing *f) {
    RbvStatus status = rbv_coordinate_search_open(&f->other, f->verifier->found_in, f->first);
    if (status == RBV_OK && !rbv_balance_multipliers(f->other.balance))
        status = rbv_equilibrium_fail(&f->other.search, "no multipliers at the start%s", "");
    if (status == RBV_OK)
        status = rbv_equilibrium_polish(&f->other.search);
    f->other.search.start_force = f->first->start_force;
    return status;
}

RbvStatus rbv_follow(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *first, bool has_energy) {
    RbvFollowing f = {.verifier = verifier,
                      .first = first,
                      .diagnostics = verifier->diagnostics,
                      .progress = first->progress,
                      .model = first->balance->system->model};
    const RbvFamily *family = verifier->family;
    RbvResult *result = verifier->record->result;
    RbvPathPoint now = {0};
    result->followed = (RbvFollowed){.parameter = result->columns[0].name,
                                     .unit = result->columns[0].unit,
                                     .from = family->from,
                                     .to = family->to,
                                     .reached = family->from,
                                     .ended = "as far as"};
    if (family->shown_unit)
        result->followed.shown = (RbvShownUnit){
            rbv_arena_copy(&result->arena, family->shown_unit, strlen(family->shown_unit)), family->shown_factor};
    RbvStatus status = verifier->found_in ? begin_in_coordinates(&f) : RBV_OK;
    if (status == RBV_OK)
        status = rbv_path_create(&f.path, family, verifier->options, has_energy,
                                 verifier->found_in ? &f.other.search : first);
    f.truth = calloc(2 * (size_t)f.model->conditions.count + 1, sizeof *f.truth);
    if (status == RBV_OK)
        f.opens = calloc(first->supports ? (size_t)first->supports->contacts.count + 1 : 1, sizeof *f.opens);
    if (status == RBV_OK)
        status = f.truth && f.opens ? rbv_path_first(&f.path, &now) : RBV_NO_MEMORY;
    if (status == RBV_OK)
        rbv_conditions_decide(now.state, NULL, NULL, f.truth, now.state->work);
    if (status == RBV_OK)
        status = rbv_following_begin_supports(&f, &now);
    if (status == RBV_NO_EQUILIBRIUM && f.path.family)
        status = end_where_stuck(&f);
    else if (status == RBV_OK)
        status = follow_path(&f, &now);
    if (f.path.no_memory)
        status = RBV_NO_MEMORY;
    if (verifier->doubts > 0)
        rbv_diagnose(f.diagnostics, RBV_NOTE, f.model->file, (RbvPosition){0, 0},
                     "at %d places stability or curvature is left out: the rank is in doubt there, or they depend on "
                     "self-stresses that the rigid model leaves open",
                     (int)verifier->doubts);
    if (status == RBV_OK && !f.path.depends && nothing_changes(result))
        rbv_diagnose(f.diagnostics, RBV_NOTE, f.model->file, (RbvPosition){0, 0}, "nothing at rest depends on '%s'",
                     family->parameter);
    bool described = status != RBV_NO_MEMORY;
    if (described && now.balance && now.tangent && !rbv_following_describe(&f, &now, NULL, &result->followed.last))
        status = RBV_NO_MEMORY;
    rbv_path_point_destroy(&now);
    rbv_path_destroy(&f.path);
    rbv_coordinate_search_close(&f.other);
    free(f.truth);
    free(f.opens);
    return status;
}
