/* Following an equilibrium along a parameter; see follow.h. Between two places of the path an event is looked for where the way of the parameter turns (a fold) or a curvature
 * changes its sign: there the arc is divided until the event is found to rounding, and it becomes a sample of its own. Likewise where a stop or one-sided joint is met or lets go, from where the path goes on with
 * another set of what is pressed (switching.h). */
#include "statics/follow.h"

#include "statics/equilibrium_words.h"
#include "statics/switching.h"
#include "system/conditions.h"
#include "base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Arcs of steps: the whole range of the parameter is 1, and so is the length that path.h measures movements by. */
#define FIRST_ARC 1e-5 /* a snap right behind the start may be small against both; steps grow fast where nothing bends */
#define MOST_ARC 0.02
#define LEAST_ARC 1e-7
/* Where the path is straight, steps may be so long, and the parameter moves by MOST_ARC at most. */
#define STRAIGHT_ARC 0.1
#define STRAIGHT 0.9995
/* Steps are not shortened below these to tell events apart. */
#define TWO_EVENTS 1e-5
#define FORK_ARC 1e-3
/* Forces at a fold, over those beside it, that are a pole. */
#define POLE 30.0
#define FELT 1e-3
/* Places at one value of the parameter, to so much of the range, after which it is said that the path leads nowhere. */
#define STANDING 100
#define STANDS 1e-9
#define MOST_PLACES 10000
/* Behind a fold the path may go back past its start, by so much of the range. */
#define FAR_BACK 1.0
/* It closes when it comes so near to its start: of the last arc. */
#define CLOSED 0.75
/* Of a step: first corrections after which the next one may be longer, or must be shorter. */
#define BULLS_EYE 0.003
#define WELL_AIMED 0.03
#define ILL_AIMED 0.15
/* Part of the arc between two places to which an event is found. */
#define EVENT_ARC 1e-9
#define MOST_DIVISIONS 60
/* A snap-through begins behind the fold by as much as the places beside it are apart, which is what its bend allows, and so much of the parameter's range. Where what snaps is small beside
 * other loads no force is felt so near to the fold, and it begins further away. An equilibrium within so much of the way it began with has not left the fold. */
#define SNAP_FURTHER 5.0
#define SNAP_STARTS 4
#define SNAP_BEYOND 1e-6
#define SNAP_LEFT 0.2
/* Behind a change of what is pressed steps begin with this arc; and so many changes may follow each other within the least one. */
#define SWITCHED_ARC 1e-3
#define MOST_SWITCHES 4
/* And so near is it gone to where a condition changes. */
#define CONDITION_ARC 1e-6

typedef struct Follow {
    RbvPath path;
    RbvEquilibriumJudge *judge;
    RbvDiagnostics *diagnostics;
    RbvWatch *watch;
    const RbvModel *model;
    int32_t standing;        /* places at one value of the parameter */
    int32_t turns;           /* of the parameter, so far */
    int32_t switches;        /* of what is pressed, right behind each other */
    bool *opens;             /* [contacts] where something lands or lets go: they leave */
    bool *truth;             /* [conditions] at the start, and the same for the place at hand */
} Follow;

/* One more place, judged. What is wrong with one behind the first is said by judging it again. */
static RbvStatus keep(Follow *f, RbvPlace *place) {
    RbvEquilibriumSearch *search = &f->path.search;
    RbvPlace bears = {0};
    RbvStatus status = rbv_path_stand(&f->path, place);
    if (status == RBV_OK)
        status = rbv_path_bear(&f->path, place, &bears);
    if (status != RBV_OK)
        return status;
    search->balance = bears.balance ? bears.balance : place->balance;
    search->supports = bears.balance ? bears.supports : place->supports;
    f->judge->diagnostics = NULL;
    status = rbv_equilibrium_judge(f->judge, search, &place->stability, rbv_path_parameter(&f->path, place->u));
    f->judge->diagnostics = f->diagnostics;
    if (status != RBV_OK && status != RBV_NO_MEMORY)
        status = rbv_equilibrium_judge(f->judge, search, &place->stability, rbv_path_parameter(&f->path, place->u));
    rbv_place_destroy(&bears);
    search->supports = place->supports;
    search->balance = place->balance;
    return status;
}

/* A place in words, with the motion that counts there; NULL: the one it falls by. */
static bool describe(Follow *f, RbvPlace *place, const double *motion, RbvEquilibrium *to) {
    f->path.search.balance = place->balance;
    f->path.search.supports = place->supports;
    f->judge->record->system = place->balance->system;
    if (rbv_path_stand(&f->path, place) != RBV_OK)
        return false;
    rbv_balance_place(place->balance);
    return rbv_equilibrium_words(f->judge->record, &f->path.search, &place->stability, motion, f->judge->method, to);
}

/* What changes at an event: the way of the parameter, how many motions it falls by, in how many it swings more and more, or what is pressed. */
typedef enum Change { NOTHING, FOLD, FALLING, FLUTTER, PRESSED } Change;

static bool decided(const RbvPlace *from, const RbvPlace *to) {
    return from->stability.kind != RBV_UNDECIDED && to->stability.kind != RBV_UNDECIDED;
}

static int32_t more_falling(const RbvPlace *from, const RbvPlace *to) {
    return decided(from, to) ? abs(from->stability.falling - to->stability.falling) : 0;
}

static Change change_between(const RbvPlace *from, const RbvPlace *to) {
    return from->tangent_u * to->tangent_u < 0                                          ? FOLD
           : more_falling(from, to) > 0                                                 ? FALLING
           : decided(from, to) && from->stability.flutter != to->stability.flutter      ? FLUTTER : NOTHING;
}

/* A number of a place near `from` that changes its sign at the event. */
static double sought(Follow *f, Change change, bool begins_to_fall, const RbvPlace *from, const RbvPlace *to, const RbvPlace *place) {
    if (change == PRESSED)
        return rbv_path_slack(&f->path, place, to);
    const RbvStability *s = &place->stability;
    double size = isnan(s->margin) || change == FLUTTER ? 1 : fabs(s->margin);
    bool before = change == FLUTTER ? s->flutter == from->stability.flutter : s->falling == from->stability.falling;
    if (change == FALLING && s->level && !isnan(s->margin)) /* what counts as zero still has a sign */
        before = (s->margin > 0) == begins_to_fall;
    return change == FOLD ? place->tangent_u : before ? size : -size;
}

/* The arc from `from` at which what is sought changes its sign, by the Illinois method with bisections, and the place there. */
static RbvStatus locate(Follow *f, const RbvPlace *from, double arc, const RbvPlace *to, Change change, RbvPlace *event) {
    bool begins = to->stability.falling > from->stability.falling;
    double low = 0, high = arc, at_low = sought(f, change, begins, from, to, from), at_high = sought(f, change, begins, from, to, to);
    bool placed = false;
    int side = 0;
    if (change == PRESSED) /* what has just landed or let go is at zero, to rounding */
        at_low = fmax(at_low, 1);
    for (int k = 0; k < MOST_DIVISIONS && high - low > EVENT_ARC * arc; k++) {
        double middle = k % 5 == 4 ? 0.5 * (low + high) : low + (high - low) * at_low / (at_low - at_high);
        middle = fmin(fmax(middle, low + 0.1 * EVENT_ARC * arc), high - 0.1 * EVENT_ARC * arc);
        RbvPlace place;
        RbvStatus status = rbv_path_step(&f->path, from, middle, &place);
        if (status == RBV_NO_EQUILIBRIUM && placed)
            break; /* so near to a bifurcation that Newton has no direction: near enough */
        if (status != RBV_OK) {
            if (placed)
                rbv_place_destroy(event);
            return status;
        }
        if (placed)
            rbv_place_destroy(event);
        *event = place;
        placed = true;
        double value = sought(f, change, begins, from, to, event);
        if (value == 0)
            break;
        bool below = (value > 0) == (at_low > 0);
        *(below ? &low : &high) = middle;
        *(below ? &at_low : &at_high) = value;
        if (side == (below ? -1 : 1)) /* twice on one side: Illinois */
            *(below ? &at_high : &at_low) *= 0.5;
        side = below ? -1 : 1;
    }
    return placed ? RBV_OK : RBV_NO_EQUILIBRIUM;
}

/* The equilibrium reached, by a method, from an arc behind a fold, and with the fold's own parameter. What is unstable, or still at the fold, has not landed. */
static RbvStatus land_by(Follow *f, const RbvPlace *fold, RbvEvent *event, double arc, RbvEquilibriumMethod *method, const char *name) {
    RbvPlace place, landed;
    RbvEquilibriumSearch search = {0};
    RbvStatus status = rbv_path_beside(&f->path, fold, fold->u + event->rises * SNAP_BEYOND, arc, &place);
    if (status != RBV_OK)
        return status == RBV_NO_MEMORY ? status : RBV_OK;
    status = rbv_equilibrium_create(&search, place.balance, NULL);
    search.watch = f->watch;
    search.supports = place.supports;
    for (bool again = true; status == RBV_OK && again;) {
        status = method(&search);
        again = false;
        if (status == RBV_OK)
            status = rbv_equilibrium_settle(&search, &again);
    }
    if (status == RBV_OK)
        status = rbv_path_settle(&f->path, place.balance, place.supports, fold->u, &landed);
    if (status == RBV_OK) {
        bool away = landed.stability.kind != RBV_UNSTABLE && rbv_path_apart(&f->path, fold, &landed) > SNAP_LEFT * fabs(arc);
        f->judge->record->system = landed.system;
        rbv_balance_place(landed.balance);
        search.balance = landed.balance;
        search.supports = landed.supports;
        event->lands = away && rbv_equilibrium_words(f->judge->record, &search, &landed.stability, NULL, name, &event->landing);
        status = event->lands || !away ? RBV_OK : RBV_NO_MEMORY;
        rbv_place_destroy(&landed);
    }
    rbv_equilibrium_destroy(&search);
    rbv_place_destroy(&place);
    return status == RBV_NO_MEMORY || status == RBV_INTERRUPTED ? status : RBV_OK;
}

/* As damped motion goes; where that does not settle, downhill. Stops are met on the way downhill only: with them, that alone. `arc`: the first start, positive when the stable places lie before the fold. */
static RbvStatus land(Follow *f, const RbvPlace *fold, RbvEvent *event, double arc) {
    RbvStatus status = RBV_OK;
    event->snaps = true;
    for (int k = 0; status == RBV_OK && !event->lands && k < SNAP_STARTS; k++, arc *= SNAP_FURTHER) {
        if (!fold->supports || !f->path.has_energy)
            status = land_by(f, fold, event, arc, rbv_equilibrium_by_relaxation, "relaxation");
        if (status == RBV_OK && !event->lands && f->path.has_energy)
            status = land_by(f, fold, event, arc, rbv_equilibrium_by_energy, "energy");
    }
    return status;
}

/* How a place beside an event stands; one so near that it is neutral itself stands as the other when as many motions fall there. */
static const RbvStability *beside(const RbvPlace *place, const RbvPlace *other) {
    return place->stability.kind == RBV_NEUTRAL && place->stability.falling == other->stability.falling ? &other->stability : &place->stability;
}

static RbvStatus note_event(Follow *f, Change change, const RbvPlace *from, double arc, const RbvPlace *to, RbvPlace *place) {
    RbvResult *result = f->judge->record->result;
    const char *kind = change == FOLD ? "fold" : change == FLUTTER ? "flutter" : more_falling(from, to) == 1 ? "bifurcation" : "stability";
    RbvEvent event = {.kind = kind, .at = rbv_path_parameter(&f->path, place->u), .sample = result->sample_count, .before = rbv_stability_name(beside(from, to)),
                      .after = rbv_stability_name(beside(to, from))};
    const double *motion = change == FOLD ? place->tangent : change == FLUTTER ? NULL : place->stability.nearest;
    RbvStatus status = keep(f, place);
    if (status == RBV_OK && !describe(f, place, motion, &event.place))
        status = RBV_NO_MEMORY;
    if (change == FOLD)
        event.rises = from->tangent_u > 0 ? 1 : -1;
    bool before = from->stability.kind == RBV_STABLE && to->stability.kind == RBV_UNSTABLE, behind = from->stability.kind == RBV_UNSTABLE && to->stability.kind == RBV_STABLE;
    if (status == RBV_OK && change == FOLD && (before || behind)) {
        event.kind = "snap-through";
        status = land(f, place, &event, before ? arc : -arc);
    }
    return status == RBV_OK && !rbv_result_event(result, &event) ? RBV_NO_MEMORY : status;
}

/* A turn of the parameter where forces have a pole: the rows lose their rank there, and nothing gets through. Beside a pole multipliers have opposite signs; a turn whose place is not
 * found (no event) and whose forces go on is a kink. */
static bool is_lock(const Follow *f, const RbvPlace *from, const RbvPlace *event, const RbvPlace *to) {
    const RbvEquilibriumSearch *search = &f->path.search;
    const RbvBalance *a = from->balance, *b = to->balance;
    double felt = search->start_force + FELT * search->start_kappa * f->path.scales->reach; /* rows that carry nothing have no poles */
    double product = 0;
    for (int32_t k = 0; k < a->rows; k++)
        product += a->lambda[k] * b->lambda[k];
    return event ? rbv_balance_largest(event->balance) > POLE * fmax(felt, fmax(rbv_balance_largest(a), rbv_balance_largest(b))) : product < 0;
}

/* Between two places: nothing, a fold, or a change of stability. LOCKED: a lock-up; NO_EQUILIBRIUM: the parameter turns at a place that is not found. */
static RbvStatus look_between(Follow *f, const RbvPlace *from, double arc, const RbvPlace *to) {
    Change change = change_between(from, to);
    RbvPlace event;
    if (change == NOTHING)
        return RBV_OK;
    f->path.near_event = change == FALLING;
    RbvStatus status = locate(f, from, arc, to, change, &event);
    if (status == RBV_NO_EQUILIBRIUM && !f->path.near_event) { /* perhaps a fork, seen from a prong */
        f->path.near_event = true;
        status = locate(f, from, arc, to, change, &event);
    }
    f->path.near_event = false;
    if (status == RBV_NO_EQUILIBRIUM && change == FOLD) /* a fold is regular, a pole of the forces or a kink is not */
        return is_lock(f, from, NULL, to) ? RBV_LOCKED : RBV_NO_EQUILIBRIUM;
    if (status == RBV_NO_EQUILIBRIUM) { /* between these two places, and no nearer */
        status = rbv_path_step(&f->path, from, 0.5 * arc, &event);
        if (status == RBV_NO_EQUILIBRIUM)
            return RBV_OK;
    }
    if (status != RBV_OK)
        return status;
    status = change == FOLD && is_lock(f, from, &event, to) ? RBV_LOCKED : note_event(f, change, from, arc, to, &event);
    rbv_place_destroy(&event);
    return status;
}

/* Two events in one step are told apart by shorter steps. A fold changes stability by one motion, but the end of a fork, seen from one of its bent prongs, changes nothing. */
static bool too_much_at_once(const RbvPlace *from, const RbvPlace *to, double arc) {
    int32_t falling = more_falling(from, to);
    bool fold = change_between(from, to) == FOLD && decided(from, to);
    return fold && falling == 0 ? arc > FORK_ARC : arc > TWO_EVENTS && (fold ? falling != 1 : falling > 1);
}

/* The end of the range that a step along the tangent would pass: 1, -FAR_BACK, or NaN. */
static double end_ahead(const RbvPlace *now, double arc) {
    double u = now->u + arc * now->tangent_u;
    return u >= 1 ? 1 : u <= -FAR_BACK ? -FAR_BACK : NAN;
}

/* One step from `now`; *next is the place there, *way the arc to it, *ended where the path ends with it. */
static RbvStatus go(Follow *f, RbvPlace *now, double *arc, RbvPlace *next, double *way, const char **ended) {
    for (;;) {
        double end = end_ahead(now, *arc);
        *ended = NULL;
        f->path.refused = NAN;
        *way = isnan(end) ? *arc : fmin(*arc, (end - now->u) / now->tangent_u);
        RbvStatus status = isnan(end) ? rbv_path_step(&f->path, now, *arc, next) : rbv_path_at(&f->path, now, end, next);
        if (status == RBV_NO_EQUILIBRIUM && !isnan(end)) { /* it may turn before */
            end = NAN;
            status = rbv_path_step(&f->path, now, *arc, next);
        }
        bool passes = status == RBV_OK && isnan(end) && (next->u >= 1 || next->u <= -FAR_BACK);
        bool shorter = status == RBV_NO_EQUILIBRIUM || (status == RBV_OK && (passes || too_much_at_once(now, next, *way)));
        if (!shorter) {
            *ended = status != RBV_OK || isnan(end) ? NULL : end == 1 ? "to the end" : "back past the start";
            return status;
        }
        if (status == RBV_OK)
            rbv_place_destroy(next);
        *arc = 0.5 * *way;
        if (*arc < LEAST_ARC)
            return RBV_NO_EQUILIBRIUM;
    }
}

/* Short steps where the path bends or the parameter runs, long ones where Newton has little to do. */
static double next_arc(const Follow *f, const RbvPlace *from, const RbvPlace *to, double arc, double missed) {
    bool straight = rbv_path_along(&f->path, from, to) > STRAIGHT;
    double most = straight ? fmin(STRAIGHT_ARC, MOST_ARC / fmax(fabs(to->tangent_u), 1e-300)) : MOST_ARC;
    return fmin(most, arc * (missed <= BULLS_EYE ? 3 : missed <= WELL_AIMED ? 1.5 : missed >= ILL_AIMED ? 0.6 : 1));
}

static RbvStatus end_early(Follow *f, const char *why) {
    const RbvFollowed *followed = &f->judge->record->result->followed;
    RbvShownUnit unit = followed->shown.text ? followed->shown : (RbvShownUnit){followed->unit, 1};
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->model->file, (RbvPosition){0, 0}, "the path ends at %s = %.9g%s%s: %s", followed->parameter,
                 followed->reached / unit.factor, *unit.text ? " " : "", unit.text, why);
    return RBV_NO_EQUILIBRIUM;
}

/* No shorter step leads on. */
static RbvStatus stuck(Follow *f) {
    const RbvFamily *family = f->path.family;
    if (isnan(f->path.refused))
        return end_early(f, "no equilibrium is found near by beyond, however short the step (a mechanism that locks or comes apart, a spring without length, a kink)");
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvStatus status = family->at(family->context, f->path.refused, f->diagnostics, &model); /* says why */
    if (status == RBV_OK)
        status = rbv_system_create(model, f->diagnostics, &system);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return end_early(f, status == RBV_OK ? "beyond it bodies or rows of the model come or go" : "beyond it there is no model");
}

/* The step goes as far as where the first stop or one-sided joint is met or lets go: *next is the place there. */
static RbvStatus stop_where_met(Follow *f, const RbvPlace *now, double *way, RbvPlace *next, const char **ended, bool *met) {
    *met = rbv_path_slack(&f->path, next, NULL) < -1;
    if (!*met)
        return RBV_OK;
    RbvPlace event;
    RbvStatus status = locate(f, now, *way, next, PRESSED, &event);
    if (status != RBV_OK)
        return status;
    *way = rbv_path_apart(&f->path, now, &event);
    *ended = NULL;
    rbv_place_destroy(next);
    *next = event;
    return RBV_OK;
}

/* Names of what comes to touch at a place behind `from`, or of what f->opens; how many, -1: no memory. */
static int32_t name_supports(Follow *f, const RbvPlace *from, const RbvPlace *at, bool released, RbvEvent *event) {
    RbvArena *arena = &f->judge->record->result->arena;
    const RbvContacts *contacts = &at->supports->contacts;
    event->supports = rbv_arena_alloc(arena, ((size_t)contacts->count + 1) * sizeof *event->supports);
    for (int32_t k = 0; event->supports && k < contacts->count; k++)
        if (released ? f->opens[k] : rbv_path_closes(&f->path, from, at, k)) {
            const char *name = rbv_arena_copy(arena, contacts->items[k].name, strlen(contacts->items[k].name));
            if (!name)
                return -1;
            event->supports[event->support_count++] = name;
        }
    return event->supports ? event->support_count : -1;
}

/* What lands at a place behind `from`, and what lets go there; `after`: the same place as the path goes on. Both stand at the last sample. Where more touch than are needed, what is held may change without either. */
static RbvStatus note_switch(Follow *f, const RbvPlace *from, const RbvPlace *at, double arc, RbvPlace *place, const RbvPlace *after) {
    RbvResult *result = f->judge->record->result;
    const bool turns = at->tangent_u * after->tangent_u < 0, before = at->stability.kind == RBV_STABLE && after->stability.kind == RBV_UNSTABLE,
               behind = at->stability.kind == RBV_UNSTABLE && after->stability.kind == RBV_STABLE;
    RbvStatus status = RBV_OK;
    for (int released = 0; status == RBV_OK && released < 2; released++) {
        RbvEvent event = {.kind = released ? "release" : "land", .at = rbv_path_parameter(&f->path, at->u), .sample = result->sample_count - 1, .before = rbv_stability_name(&at->stability),
                          .after = rbv_stability_name(&after->stability), .rises = !turns ? 0 : at->tangent_u > 0 ? 1 : -1};
        int32_t count = name_supports(f, from, at, released, &event);
        if (count == 0)
            continue;
        if (count < 0 || !describe(f, place, NULL, &event.place))
            return RBV_NO_MEMORY;
        if (turns && (before || behind)) /* from the side that is not stable */
            status = land(f, before ? after : at, &event, before ? fmax(arc, SWITCHED_ARC) : -fmax(arc, SWITCHED_ARC));
        if (status == RBV_OK && !rbv_result_event(result, &event))
            status = RBV_NO_MEMORY;
    }
    return status;
}

/* Does all that changes at the place only land? */
static bool only_lands(const RbvPlace *at, const RbvPlace *after) {
    bool only = true;
    for (int32_t k = 0; k < at->supports->contacts.count; k++)
        only = only && (after->supports->held[k] || !at->supports->held[k]);
    return only;
}

/* Nothing leads on from where something lands or lets go. */
static RbvStatus end_at_support(Follow *f, RbvPlace *at) {
    RbvFollowed *followed = &f->judge->record->result->followed;
    int32_t k = rbv_path_tightest(&f->path, at, NULL);
    char why[400];
    snprintf(why, sizeof why, at->supports->held[k] ? "'%s' lets go there, and nothing rests near by beyond" : "it meets '%s' there, and no equilibrium is found near by beyond: what drives it there jams",
             at->supports->contacts.items[k].name);
    RbvStatus status = keep(f, at);
    if (status != RBV_OK)
        return status;
    followed->reached = rbv_path_parameter(&f->path, at->u);
    followed->places++;
    return end_early(f, why);
}

/* The path goes on from an event with what is pressed from there on. The row of the event is that of the place with what has no push left free. */
static RbvStatus switch_over(Follow *f, const RbvPlace *from, double arc, RbvPlace *at) {
    RbvPlace after;
    RbvStatus status = rbv_path_switch(&f->path, at, false, f->opens, &after);
    if (status == RBV_NO_EQUILIBRIUM) /* the place itself is one */
        status = end_at_support(f, at);
    if (status != RBV_OK)
        return status;
    RbvPlace *row = only_lands(at, &after) ? at : &after;
    status = keep(f, row);
    if (status == RBV_OK)
        status = note_switch(f, from, at, arc, row, &after);
    f->turns += at->tangent_u * after.tangent_u < 0;
    rbv_place_destroy(at);
    *at = after;
    return status;
}

/* At the start the path begins with those of what touches that are pressed from there on. */
static RbvStatus begin_pressed(Follow *f, RbvPlace *now) {
    RbvPlace after;
    if (!now->supports || rbv_path_slack(&f->path, now, NULL) > 1)
        return RBV_OK;
    RbvStatus status = rbv_path_switch(&f->path, now, true, f->opens, &after);
    if (status != RBV_OK)
        return status;
    rbv_place_destroy(now);
    *now = after;
    return RBV_OK;
}

/* Conditions (active:) hold as they do at the start: the first that does not at a place, NULL: none. */
static const char *changed_condition(Follow *f, const RbvPlace *place) {
    const RbvModel *model = place->system ? place->system->model : f->model;
    bool *truth = f->truth + model->conditions.count;
    if (model->conditions.count == 0)
        return NULL;
    if (rbv_path_stand(&f->path, place) != RBV_OK || !rbv_balance_place(place->balance))
        return NULL;
    const char *bad = rbv_conditions_decide(place->state, NULL, NULL, truth, place->state->work);
    for (int32_t k = 0; k < model->conditions.count && !bad; k++)
        if (truth[k] != f->truth[k])
            bad = model->conditions.items[k].name;
    return bad;
}

static RbvStatus end_at_condition(Follow *f, const char *name) {
    char why[300];
    snprintf(why, sizeof why, "beyond it the condition (active:) of '%s' changes, and paths are followed with what holds and acts at their start", name);
    return end_early(f, why);
}

/* From one place to the next, with what lies between. */
static RbvStatus take(Follow *f, RbvPlace *now, double *arc, const char **ended) {
    RbvFollowed *followed = &f->judge->record->result->followed;
    RbvPlace next;
    double way = 0;
    bool met = false;
    RbvStatus status = go(f, now, arc, &next, &way, ended);
    if (status == RBV_NO_EQUILIBRIUM)
        return stuck(f);
    if (status != RBV_OK)
        return status;
    double missed = f->path.missed;
    status = stop_where_met(f, now, &way, &next, ended, &met);
    const char *condition = status == RBV_OK ? changed_condition(f, &next) : NULL;
    if (condition) { /* by shorter steps up to there */
        rbv_place_destroy(&next);
        *arc = 0.5 * way;
        *ended = NULL;
        return way > CONDITION_ARC ? RBV_OK : end_at_condition(f, condition);
    }
    if (status == RBV_OK)
        status = look_between(f, now, way, &next);
    bool locks = status == RBV_LOCKED, kinks = status == RBV_NO_EQUILIBRIUM;
    if (status == RBV_OK)
        status = met ? switch_over(f, now, way, &next) : keep(f, &next);
    bool jams = met && status == RBV_NO_EQUILIBRIUM && !kinks; /* said */
    if (status == RBV_OK) {
        followed->reached = rbv_path_parameter(&f->path, next.u);
        f->turns += now->tangent_u * next.tangent_u < 0;
        if (!*ended && f->turns >= 2 && next.tangent_u > 0 && rbv_path_distance(&f->path, &next) < CLOSED * way)
            *ended = "round to the start"; /* it has turned twice, and goes the way that it began */
        f->standing = fabs(next.u - now->u) <= STANDS ? f->standing + 1 : 0;
        followed->places++;
        *arc = met ? SWITCHED_ARC : next_arc(f, now, &next, way, missed);
        f->switches = met && way < LEAST_ARC ? f->switches + 1 : 0;
        rbv_place_destroy(now);
        *now = next;
        rbv_path_measure(&f->path, now);
        if (f->switches > MOST_SWITCHES)
            return end_early(f, "it is not decided there which stops and one-sided joints are pressed");
        return f->standing < STANDING ? RBV_OK : end_early(f, "it rests in many places there, and in none near by beyond");
    }
    if (jams) {
        rbv_place_destroy(now);
        *now = next;
        return status;
    }
    rbv_place_destroy(&next);
    if (locks)
        return end_early(f, "the mechanism locks, forces grow there without bound");
    if (kinks)
        return end_early(f, "the parameter turns back there, at a place that is not found (a kink in a law)");
    if (status == RBV_AUDIT_FAILED || status == RBV_LOCKED || status == RBV_INCONSISTENT || status == RBV_NOT_FINITE)
        end_early(f, status == RBV_AUDIT_FAILED ? "what comes next fails its audit" : "what comes next has no result");
    return status;
}

static RbvStatus walk(Follow *f, RbvPlace *now) {
    double arc = FIRST_ARC;
    const char *ended = NULL;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; status == RBV_OK && !ended; k++)
        status = k < MOST_PLACES ? take(f, now, &arc, &ended) : end_early(f, "that are as many places as are followed");
    if (status == RBV_OK)
        f->judge->record->result->followed.ended = ended;
    return status;
}

/* Is every column but the parameter's the same in all samples? */
static bool nothing_changes(const RbvResult *result) {
    for (int32_t c = 1; c < result->column_count; c++)
        for (int32_t k = 1; k < result->sample_count; k++)
            if (rbv_result_value(result, k, c) != rbv_result_value(result, 0, c) && !isnan(rbv_result_value(result, k, c)))
                return false;
    return true;
}

RbvStatus rbv_follow(RbvEquilibriumJudge *judge, RbvEquilibriumSearch *first, bool has_energy) {
    Follow f = {.judge = judge, .diagnostics = judge->diagnostics, .watch = first->watch, .model = first->balance->system->model};
    const RbvFamily *family = judge->family;
    RbvResult *result = judge->record->result;
    RbvPlace now = {0};
    result->followed = (RbvFollowed){.parameter = result->columns[0].name, .unit = result->columns[0].unit, .from = family->from, .to = family->to,
                                     .reached = family->from, .ended = "as far as"};
    if (family->shown_unit)
        result->followed.shown = (RbvShownUnit){rbv_arena_copy(&result->arena, family->shown_unit, strlen(family->shown_unit)), family->shown_factor};
    RbvStatus status = rbv_path_create(&f.path, family, judge->options, has_energy, first);
    f.truth = calloc(2 * (size_t)f.model->conditions.count + 1, sizeof *f.truth);
    if (status == RBV_OK)
        f.opens = calloc(first->supports ? (size_t)first->supports->contacts.count + 1 : 1, sizeof *f.opens);
    if (status == RBV_OK)
        status = f.truth && f.opens ? rbv_path_first(&f.path, &now) : RBV_NO_MEMORY;
    if (status == RBV_OK)
        rbv_conditions_decide(now.state, NULL, NULL, f.truth, now.state->work);
    if (status == RBV_OK)
        status = begin_pressed(&f, &now);
    if (status == RBV_NO_EQUILIBRIUM)
        status = stuck(&f);
    else if (status == RBV_OK)
        status = walk(&f, &now);
    if (f.path.no_memory)
        status = RBV_NO_MEMORY;
    if (judge->doubts > 0)
        rbv_diagnose(f.diagnostics, RBV_NOTE, f.model->file, (RbvPosition){0, 0},
                     "at %d places stability or curvature is left out: the rank is in doubt there, or they depend on self-stresses that the rigid model leaves open", (int)judge->doubts);
    if (status == RBV_OK && !f.path.depends && nothing_changes(result))
        rbv_diagnose(f.diagnostics, RBV_NOTE, f.model->file, (RbvPosition){0, 0}, "nothing at rest depends on '%s'", family->parameter);
    bool told = status != RBV_NO_MEMORY;
    if (told && now.balance && now.tangent && !describe(&f, &now, NULL, &result->followed.last))
        status = RBV_NO_MEMORY;
    rbv_place_destroy(&now);
    rbv_path_destroy(&f.path);
    free(f.truth);
    free(f.opens);
    return status;
}
