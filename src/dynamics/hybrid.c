/* Stops, conditions and events along a motion; see hybrid.h. */
#include "dynamics/hybrid.h"

#include "base/diagnostics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places within a step where indicators are looked at besides its end. */
#define LOOKS 4
#define HALVINGS 70
/* Of the time: nearer than that two instants are one. */
#define INSTANT 2e-16
/* Of the size of the part: a stop nearer than that is closed; what engages may be off by so much; and a stop may not be passed by more at the start. */
#define CLOSED 1e-9
#define FITS 1e-6
/* Of the longest step: bounces shorter than this count as rest. */
#define REST 1e-7
/* Of the largest generalized force: a smaller pull on a stop is rounding. */
#define PULL 1e-11
/* So many things within so short a time: without end. */
/* Of the limit of friction: rounding. */
#define LIMIT 1e-10
/* Of the fastest rate: slower is rest. */
#define RESTS 1e-12
#define MOST_FLIPS 1000
#define FLIPS_WITHIN 1e-6

static bool grow(RbvHybrid *h) {
    if (h->happened_count < h->happened_capacity)
        return true;
    int32_t capacity = h->happened_capacity + h->happened_capacity / 2 + 16;
    RbvHappened *grown = realloc(h->happened, (size_t)capacity * sizeof *grown);
    if (!grown)
        return false;
    h->happened = grown;
    h->happened_capacity = capacity;
    return true;
}

/* False: no memory. */
static bool tell(RbvHybrid *h, const char *name, const char *kind, double impulse) {
    if (!grow(h))
        return false;
    h->happened[h->happened_count++] = (RbvHappened){h->stepper->t, name, kind, impulse};
    return true;
}

/* Rows and loads of a condition. */
static void apply(const RbvSystem *system, const RbvCondition *condition, bool holds, bool *active, bool *acting) {
    if (condition->of == RBV_CONDITION_LOAD)
        acting[condition->index] = holds;
    else if (condition->of == RBV_CONDITION_DRIVE)
        active[system->drive_row[condition->index]] = holds;
    else if (condition->of == RBV_CONDITION_CONSTRAINT)
        active[system->constraint_row[condition->index]] = holds;
    for (int32_t k = system->joint_row[condition->index]; condition->of == RBV_CONDITION_JOINT && k < system->joint_row[condition->index + 1]; k++)
        active[k] = holds;
}

bool rbv_hybrid_conditions(const RbvState *state, bool *active, bool *acting, bool *truth, double *work) {
    const RbvModel *model = state->system->model;
    bool finite = true;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        double value = rbv_state_expression(state, model->conditions.items[k].active, NULL, work);
        finite = finite && isfinite(value);
        truth[k] = value != 0;
        apply(state->system, &model->conditions.items[k], truth[k], active, acting);
    }
    return finite;
}

/* Is the stop there at all? */
static bool is_there(const RbvHybrid *h, int32_t stop) {
    const RbvModel *model = h->flow->system->model;
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_STOP && model->conditions.items[k].index == stop)
            return h->truth[k];
    return true;
}

/* The way to a limit, and the rate away from it. */
static double gap(const RbvHybrid *h, int32_t side, double *rate) {
    const RbvStop *stop = &h->flow->system->model->stops.items[side / 2];
    const RbvMeasureState *measured = &h->flow->state->measures[stop->measure];
    double sign = side % 2 == 0 ? 1 : -1;
    *rate = sign * measured->rate;
    return sign * (measured->value - stop->limit[side % 2]);
}

/* [m or rad] What counts as nothing, as a part of the size. */
static double part_of_size(const RbvHybrid *h, int32_t side, double part) {
    int32_t row = h->flow->system->stop_row[side];
    return part * (h->flow->system->rows[row].angular ? 1 : rbv_state_row_size(h->flow->state, row));
}

/* Of friction number i: does a sliding joint come to rest or turn back, or does one that sticks need more than the limit? */
static bool slips(const RbvHybrid *h, int32_t i, bool forces) {
    const RbvSliding *s = &h->flow->sliding;
    const RbvJoint *joint = &h->flow->system->model->joints.items[s->joint[i]];
    if (s->sign[i] != 0)
        return s->sign[i] * rbv_sliding_rate(s, i) < 0;
    return forces && fabs(s->effort[i]) > joint->friction_static * s->load[i] * (1 + LIMIT);
}

/* Indicators at the flow's state: of stops the way to go, or -1 where one is passed; of those that are pressed the push, with `forces` known, else as before. */
static bool indicate(RbvHybrid *h, bool forces, double *value) {
    const RbvFlow *flow = h->flow;
    const RbvModel *model = flow->system->model;
    double rate, most = 0, sum = 0;
    int32_t at = 0;
    for (int32_t j = 0; forces && j < flow->n; j++)
        most = fmax(most, fabs(flow->state->Q[j]));
    for (int32_t k = 0; k < 2 * model->stops.count; k++, at++) {
        int32_t row = flow->system->stop_row[k];
        value[at] = 1;
        if (row < 0 || !is_there(h, k / 2))
            continue;
        if (!h->held[k])
            value[at] = gap(h, k, &rate) < 0 && rate < 0 ? -1 : 1;
        else if (forces)
            value[at] = (k % 2 == 0 ? -1 : 1) * flow->lambda[row] < -PULL * most ? -1 : 1;
    }
    for (int32_t k = 0; k < model->conditions.count; k++)
        sum += value[at++] = rbv_state_expression(flow->state, model->conditions.items[k].active, NULL, h->value) != 0;
    for (int32_t k = 0; k < model->happenings.count; k++)
        sum += value[at++] = rbv_state_expression(flow->state, model->happenings.items[k].when, NULL, h->value);
    for (int32_t i = 0; i < flow->sliding.count; i++)
        value[at++] = slips(h, i, forces) ? -1 : 1;
    return isfinite(sum);
}

/* Has indicator k changed so that something happens? */
static bool changes(const RbvHybrid *h, int32_t k, const double *now) {
    const RbvModel *model = h->flow->system->model;
    int32_t stops = 2 * model->stops.count, conditions = model->conditions.count;
    if (k < stops || k >= stops + conditions + model->happenings.count)
        return now[k] < 0;
    if (k < stops + conditions)
        return now[k] != h->before[k];
    int direction = model->happenings.items[k - stops - conditions].direction;
    bool rises = h->before[k] < 0 && now[k] > 0, falls = h->before[k] > 0 && now[k] < 0;
    return (rises && direction >= 0) || (falls && direction <= 0);
}

static bool any_changes(const RbvHybrid *h, const double *now) {
    for (int32_t k = 0; k < h->count; k++)
        if (changes(h, k, now))
            return true;
    return false;
}

/* Do indicators need forces? */
static bool any_held(const RbvHybrid *h) {
    for (int32_t k = 0; k < 2 * h->flow->system->model->stops.count; k++)
        if (h->held[k])
            return true;
    for (int32_t i = 0; i < h->flow->sliding.count; i++)
        if (h->flow->sliding.sign[i] == 0)
            return true;
    return false;
}

/* Indicators are those of the state from now on; an event that is exactly at zero keeps the side it came from. */
static void remember(RbvHybrid *h, const double *now) {
    const RbvModel *model = h->flow->system->model;
    int32_t first = 2 * model->stops.count + model->conditions.count;
    for (int32_t k = 0; k < h->count; k++)
        if (k < first || k >= first + model->happenings.count || now[k] != 0)
            h->before[k] = now[k];
}

static RbvStatus fail(const RbvHybrid *h, RbvStatus status, const char *name, const char *text) {
    rbv_diagnose(h->flow->diagnostics, RBV_ERROR, h->flow->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s '%s' %s", h->stepper->t, name, text);
    return status;
}

/* Stops that are reached at the beginning, and none that is passed. */
static RbvStatus check_start(RbvHybrid *h) {
    const RbvModel *model = h->flow->system->model;
    double rate;
    for (int32_t k = 0; k < 2 * model->stops.count; k++)
        if (h->flow->system->stop_row[k] >= 0 && is_there(h, k / 2) && gap(h, k, &rate) < -part_of_size(h, k, FITS)) {
            rbv_diagnose(h->flow->diagnostics, RBV_ERROR, model->file, model->stops.items[k / 2].where, "stop '%s' is passed at the start: %s is %.6g, beyond %s %.6g", model->stops.items[k / 2].name,
                         model->stops.items[k / 2].coordinate, h->flow->state->measures[model->stops.items[k / 2].measure].value, k % 2 == 0 ? "min" : "max", model->stops.items[k / 2].limit[k % 2]);
            return RBV_BAD_INPUT;
        }
    return RBV_OK;
}

static RbvStatus jump(RbvHybrid *h, const double *found);

/* Friction sticks from now on, where the joint is. */
static void stick(RbvHybrid *h, int32_t i) {
    const RbvSystem *system = h->flow->system;
    RbvSliding *s = &h->flow->sliding;
    int32_t row = system->stick_row[s->joint[i]];
    s->sign[i] = 0;
    h->active[row] = true;
    h->flow->state->row_turn[row] = h->flow->state->measures[system->friction_measure[s->joint[i]]].value;
}

/* Which joints slide at the beginning. */
static void begin_friction(RbvHybrid *h) {
    RbvSliding *s = &h->flow->sliding;
    double fastest = 0;
    for (int32_t j = 0; j < h->flow->n; j++)
        fastest = fmax(fastest, fabs(h->flow->state->v[j]));
    for (int32_t i = 0; i < s->count; i++) {
        double rate = rbv_sliding_rate(s, i);
        if (fabs(rate) <= RESTS * fastest)
            stick(h, i);
        else
            s->sign[i] = rate > 0 ? 1 : -1;
    }
}

RbvStatus rbv_hybrid_create(RbvHybrid *h, RbvFlow *flow, RbvStepper *stepper, RbvFrame frame) {
    const RbvSystem *system = flow->system;
    const RbvModel *model = system->model;
    size_t stops = 2 * (size_t)model->stops.count, rows = (size_t)system->row_count;
    *h = (RbvHybrid){.flow = flow, .stepper = stepper, .count = (int32_t)stops + model->conditions.count + model->happenings.count + flow->sliding.count};
    size_t count = (size_t)h->count + 1;
    h->watches = h->count > 0;
    h->active = calloc(rows + 1, sizeof *h->active);
    h->acting = calloc((size_t)model->loads.count + 1, sizeof *h->acting);
    h->closed = calloc(stops + 1, sizeof *h->closed);
    h->held = calloc(stops + 1, sizeof *h->held);
    h->truth = calloc((size_t)model->conditions.count + 1, sizeof *h->truth);
    h->before = calloc(count, sizeof *h->before);
    h->now = calloc(count, sizeof *h->now);
    h->value = calloc((size_t)system->work_size + 64, sizeof *h->value);
    h->impulses.joint = calloc((size_t)model->joints.count + 1, sizeof *h->impulses.joint);
    h->impulses.drive = calloc((size_t)model->drives.count + 1, sizeof(double));
    h->impulses.constraint = calloc((size_t)model->constraints.count + 1, sizeof(double));
    h->impulses.stop = calloc(stops + 1, sizeof(double));
    h->reactions = rbv_reactions_create(system, frame);
    bool impact = rbv_impact_create(&h->impact, flow);
    if (!impact || !h->active || !h->acting || !h->closed || !h->held || !h->truth || !h->before || !h->now || !h->value || !h->reactions || !h->impulses.joint || !h->impulses.drive ||
        !h->impulses.constraint || !h->impulses.stop)
        return RBV_NO_MEMORY;
    if (!h->watches)
        return RBV_OK;
    RbvState *state = flow->state;
    for (size_t k = 0; k < rows; k++)
        h->active[k] = rbv_state_holds(state, (int32_t)k);
    for (int32_t k = 0; k < model->loads.count; k++)
        h->acting[k] = rbv_state_acts(state, k);
    if (!rbv_hybrid_conditions(state, h->active, h->acting, h->truth, h->value))
        return RBV_NOT_FINITE;
    state->active = h->active;
    state->acting = h->acting;
    rbv_saddle_set_active(flow->saddle, h->active);
    begin_friction(h);
    RbvStatus status = check_start(h);
    if (status == RBV_OK)
        status = jump(h, NULL);
    return status;
}

void rbv_hybrid_destroy(RbvHybrid *h) {
    rbv_impact_destroy(&h->impact);
    free(h->active);
    free(h->acting);
    free(h->closed);
    free(h->held);
    free(h->truth);
    free(h->before);
    free(h->now);
    free(h->value);
    rbv_reactions_destroy(h->reactions);
    free(h->impulses.joint);
    free(h->impulses.drive);
    free(h->impulses.constraint);
    free(h->impulses.stop);
    free(h->happened);
    *h = (RbvHybrid){0};
}

/* Indicators at t between. False: not finite, or no memory. */
static bool look(RbvHybrid *h, double t) {
    bool forces = any_held(h);
    bool good = forces ? rbv_stepper_look(h->stepper, t) == RBV_OK : rbv_stepper_peek(h->stepper, t);
    return good && indicate(h, forces, h->now);
}

/* Of the last step: the first instant at which an indicator has changed, *t; false: none has. Indicators are in h->now. */
static bool find_change(RbvHybrid *h, double *t) {
    RbvStepper *s = h->stepper;
    double low = s->before, high = s->t, length = s->t - s->before;
    bool changed = indicate(h, true, h->now) && any_changes(h, h->now);
    for (int k = 1; k <= LOOKS; k++) {
        double middle = s->before + length * k / (LOOKS + 1);
        if (!look(h, middle))
            continue;
        if (any_changes(h, h->now)) {
            high = middle;
            changed = true;
            break;
        }
        low = middle;
    }
    for (int k = 0; changed && k < HALVINGS && high - low > INSTANT * fmax(fabs(high), length); k++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        if (look(h, middle) && any_changes(h, h->now))
            high = middle;
        else
            low = middle;
    }
    *t = high;
    return changed;
}

RbvStatus rbv_hybrid_step(RbvHybrid *h, double end) {
    double t;
    RbvStatus status = rbv_stepper_step(h->stepper, end);
    if (status != RBV_OK || !h->watches)
        return status;
    h->pending = find_change(h, &t);
    if (h->pending)
        return look(h, t) ? rbv_stepper_cut(h->stepper, t) : RBV_NOT_FINITE;
    status = rbv_stepper_look(h->stepper, h->stepper->t);
    if (status == RBV_OK && indicate(h, true, h->now))
        remember(h, h->now);
    return status;
}

/* Closed are those that are pressed, or reached and there. */
static void find_closed(RbvHybrid *h) {
    const RbvModel *model = h->flow->system->model;
    double rate;
    for (int32_t k = 0; k < 2 * model->stops.count; k++)
        h->closed[k] = h->flow->system->stop_row[k] >= 0 && is_there(h, k / 2) && gap(h, k, &rate) <= part_of_size(h, k, CLOSED);
}

/* What begins to hold must fit where it stands. */
static RbvStatus check_fits(RbvHybrid *h, const RbvCondition *condition) {
    const RbvSystem *system = h->flow->system;
    RbvState *state = h->flow->state;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        bool of = (condition->of == RBV_CONDITION_JOINT && row->owner == RBV_OWNER_JOINT) || (condition->of == RBV_CONDITION_DRIVE && row->owner == RBV_OWNER_DRIVE) ||
                  (condition->of == RBV_CONDITION_CONSTRAINT && row->owner == RBV_OWNER_CONSTRAINT);
        if (!of || row->index != condition->index || row->on_rates)
            continue;
        char text[200];
        if (!(fabs(state->phi[k]) <= FITS * (row->angular ? 1 : rbv_state_row_size(state, k)))) {
            snprintf(text, sizeof text, "engages where it does not fit: it is off by %.6g %s", fabs(state->phi[k]), row->angular ? "rad" : "m");
            return fail(h, RBV_INCONSISTENT, condition->name, text);
        }
    }
    return RBV_OK;
}

/* Conditions that have changed take effect. */
static RbvStatus switch_conditions(RbvHybrid *h, const double *now, bool tells) {
    const RbvSystem *system = h->flow->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        const RbvCondition *condition = &model->conditions.items[k];
        bool holds = now[2 * model->stops.count + k] != 0;
        if (holds == h->truth[k])
            continue;
        h->truth[k] = holds;
        apply(system, condition, holds, h->active, h->acting);
        if (tells && !tell(h, condition->name, holds ? "engage" : "disengage", NAN))
            return RBV_NO_MEMORY;
        rbv_state_place(h->flow->state);
        RbvStatus status = holds ? check_fits(h, condition) : RBV_OK;
        if (status != RBV_OK)
            return status;
    }
    return RBV_OK;
}

/* Which stops are pressed from now on, and what is told of them. */
static RbvStatus take_contacts(RbvHybrid *h, bool tells) {
    RbvImpact *m = &h->impact;
    const RbvSystem *system = h->flow->system;
    const RbvModel *model = system->model;
    bool *held = calloc((size_t)m->count + 1, sizeof *held);
    double *impulse = calloc((size_t)m->count + 1, sizeof *impulse);
    RbvStatus status = held && impulse ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t i = 0; status == RBV_OK && i < m->count; i++)
        impulse[i] = m->z[i];
    if (status == RBV_OK)
        status = rbv_impact_contacts(m, REST * h->stepper->longest, held);
    for (int32_t i = 0; status == RBV_OK && i < m->count; i++) {
        int32_t row = m->row[i], side = 2 * system->rows[row].index + system->rows[row].direction;
        const char *name = model->stops.items[side / 2].name;
        bool was = h->held[side], good = true;
        if (tells && !was && impulse[i] > 0)
            good = tell(h, name, "impact", impulse[i]);
        if (tells && was != held[i])
            good = good && tell(h, name, held[i] ? "land" : "release", NAN);
        h->held[side] = held[i];
        h->active[row] = held[i];
        status = good ? RBV_OK : RBV_NO_MEMORY;
    }
    free(held);
    free(impulse);
    return status;
}

/* The impulses of an impact, as joints, drives, constraints and stops print their forces. */
static void add_impulses(RbvHybrid *h) {
    const RbvSystem *system = h->flow->system;
    const RbvModel *model = system->model;
    RbvReactions *r = h->reactions;
    memcpy(r->lambda, h->impact.impulse, (size_t)system->row_count * sizeof *r->lambda);
    rbv_reactions_place(r, h->flow->state);
    rbv_reactions_print(r, h->flow->state);
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < RBV_COMPONENT_COUNT; c++)
            h->impulses.joint[k][c] += r->value[k][c];
    for (int32_t k = 0; k < model->drives.count; k++)
        h->impulses.drive[k] += r->effort[k];
    for (int32_t k = 0; k < model->constraints.count; k++)
        h->impulses.constraint[k] += r->multiplier[k];
    for (int32_t k = 0; k < model->stops.count; k++)
        h->impulses.stop[k] += r->stop[k];
}

/* Of those that stick, one after the other, the one that needs most beyond its limit begins to slide, the way it is pulled. False: none does. */
static bool let_slide(RbvHybrid *h) {
    RbvSliding *s = &h->flow->sliding;
    int32_t worst = -1;
    double most = 1 + LIMIT;
    for (int32_t i = 0; i < s->count; i++) {
        double limit = h->flow->system->model->joints.items[s->joint[i]].friction_static * s->load[i];
        double ratio = s->sign[i] != 0 ? 0 : fabs(s->effort[i]) > limit * (1 + LIMIT) ? fabs(s->effort[i]) / fmax(limit, 1e-300) : 0;
        if (ratio > most) {
            most = ratio;
            worst = i;
        }
    }
    if (worst < 0)
        return false;
    s->sign[worst] = s->effort[worst] > 0 ? -1 : 1;
    h->active[h->flow->system->stick_row[s->joint[worst]]] = false;
    return true;
}

/* The motion begins again at the state; friction that sticks does so within its limits. was[count]: the signs before. */
static RbvStatus restart(RbvHybrid *h, const int *was, bool tells) {
    RbvSliding *s = &h->flow->sliding;
    RbvStatus status = rbv_stepper_restart(h->stepper);
    while (status == RBV_OK && let_slide(h))
        status = rbv_stepper_restart(h->stepper);
    for (int32_t i = 0; status == RBV_OK && tells && i < s->count; i++)
        if (was[i] != s->sign[i] && !tell(h, h->flow->system->model->joints.items[s->joint[i]].name, s->sign[i] == 0 ? "stick" : "slip", NAN))
            status = RBV_NO_MEMORY;
    return status;
}

/* Joints that come to rest may stick. */
static void try_sticking(RbvHybrid *h, const double *found) {
    for (int32_t i = 0; found && i < h->flow->sliding.count; i++)
        if (h->flow->sliding.sign[i] != 0 && found[h->count - h->flow->sliding.count + i] < 0)
            stick(h, i);
}

/* Rates jump, contacts are decided anew, and the motion begins again. `found`: the indicators that led here; NULL: at the beginning. */
static RbvStatus jump(RbvHybrid *h, const double *found) {
    bool tells = found != NULL;
    RbvFlow *flow = h->flow;
    RbvState *state = flow->state;
    const RbvSystem *system = flow->system;
    double energy = rbv_power_energy(&flow->power, state);
    find_closed(h);
    for (int32_t k = 0; k < 2 * system->model->stops.count; k++) {
        if (system->stop_row[k] >= 0)
            h->active[system->stop_row[k]] = false;
        if (tells && h->held[k] && !h->closed[k] && !tell(h, system->model->stops.items[k / 2].name, "release", NAN))
            return RBV_NO_MEMORY;
        h->held[k] = h->held[k] && h->closed[k];
    }
    if (!rbv_state_place(state))
        return RBV_NOT_FINITE;
    rbv_state_jacobian(state);
    RbvStatus status = rbv_state_rates(state) && rbv_state_move(state) && rbv_state_load(state) ? rbv_impact_solve(&h->impact, h->closed) : RBV_NOT_FINITE;
    if (status == RBV_OK && tells)
        add_impulses(h);
    if (status == RBV_OK)
        status = take_contacts(h, tells);
    if (status == RBV_LOCKED || status == RBV_NOT_FINITE)
        rbv_diagnose(flow->diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s", h->stepper->t,
                     status == RBV_LOCKED ? "no impulses are found that stops and joints could answer with" : "forces are not finite");
    int *was = calloc((size_t)flow->sliding.count + 1, sizeof *was);
    if (was && flow->sliding.count > 0)
        memcpy(was, flow->sliding.sign, (size_t)flow->sliding.count * sizeof *was);
    try_sticking(h, found);
    if (status == RBV_OK)
        status = was ? restart(h, was, tells) : RBV_NO_MEMORY;
    free(was);
    h->changed = true;
    if (status == RBV_OK) /* what impacts take, and what begins or ceases to act brings, is no error of the balance */
        h->stepper->y[flow->size - 1] += rbv_power_energy(&flow->power, state) - energy;
    if (status == RBV_OK && !indicate(h, true, h->now))
        return RBV_NOT_FINITE;
    if (status == RBV_OK)
        remember(h, h->now);
    return status;
}

/* Too many in too short a time. */
static bool is_endless(RbvHybrid *h) {
    double t = h->stepper->t;
    if (t - h->flips_from > FLIPS_WITHIN) {
        h->flips_from = t;
        h->flips = 0;
    }
    return ++h->flips > MOST_FLIPS;
}

RbvStatus rbv_hybrid_happen(RbvHybrid *h) {
    const RbvModel *model = h->flow->system->model;
    int32_t stops = 2 * model->stops.count, first = stops + model->conditions.count;
    bool others = false;
    int32_t said = h->happened_count;
    h->pending = false;
    /* what the step was cut for: indicators as they were found there */
    double *found = calloc((size_t)h->count + 1, sizeof *found);
    if (!found)
        return RBV_NO_MEMORY;
    memcpy(found, h->now, (size_t)h->count * sizeof *found);
    RbvStatus status = RBV_OK;
    double energy = rbv_power_energy(&h->flow->power, h->flow->state);
    for (int32_t k = 0; status == RBV_OK && k < h->count; k++) {
        if (!changes(h, k, found))
            continue;
        bool happening = k >= first && k < first + model->happenings.count;
        others = others || !happening;
        if (!happening)
            continue;
        if (!tell(h, model->happenings.items[k - first].name, "event", NAN))
            status = RBV_NO_MEMORY;
        h->ended = h->ended || model->happenings.items[k - first].deed == RBV_EVENT_STOP;
        h->before[k] = found[k];
    }
    if (status == RBV_OK && others)
        status = switch_conditions(h, found, true);
    if (others) /* the potential of a load that begins or ceases to act */
        h->stepper->y[h->flow->size - 1] += rbv_power_energy(&h->flow->power, h->flow->state) - energy;
    if (status == RBV_OK && others)
        status = jump(h, found);
    free(found);
    if (status == RBV_OK && is_endless(h))
        status = fail(h, RBV_LOCKED, said < h->happened_count ? h->happened[said].name : "", "changes without end: more than 1000 times within 1e-6 s");
    return status;
}
