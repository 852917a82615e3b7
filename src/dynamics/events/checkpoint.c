/* Writes and reads the state of a running motion; see checkpoint.h. RBV_KEEP writes or reads one number, by the
 * direction of the archive, so that one list of numbers serves both; the order of the list is the format. */
#include "dynamics/events/checkpoint.h"

#include <stdlib.h>
#include <string.h>

/* Positions, velocities, accelerations, user's states, memory of turns and contacts of measures and rows, sizes found
 * at the start. */
static void keep_state(RbvArchive *archive, RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    RBV_KEEP(archive, state->t);
    RBV_KEEP_ARRAY(archive, state->q, system->coordinates.position_size);
    RBV_KEEP_ARRAY(archive, state->v, system->coordinates.size);
    RBV_KEEP_ARRAY(archive, state->a, system->coordinates.size);
    RBV_KEEP_ARRAY(archive, state->own, model->states.count);
    RBV_KEEP_ARRAY(archive, state->memory, model->measures.count);
    RBV_KEEP_ARRAY(archive, state->row_turn, system->all_count);
    if (state->lag)
        RBV_KEEP_ARRAY(archive, state->lag, model->drives.count);
    RBV_KEEP_ARRAY(archive, state->part_size, model->bodies.count);
    RBV_KEEP_ARRAY(archive, state->size, model->bodies.count);
    RBV_KEEP_ARRAY(archive, state->arm, model->bodies.count);
}

/* Redundant rows that the stages leave out. */
static void keep_repeats(RbvArchive *archive, RbvFlow *flow) {
    RbvRepeats *repeats = &flow->repeats;
    int32_t most = repeats->most;
    RBV_KEEP(archive, most);
    if (archive->from && !archive->broken)
        archive->broken = !rbv_repeats_expect(repeats, flow->saddle, flow->system, most);
    if (archive->broken || most == 0)
        return;
    RBV_KEEP(archive, repeats->count);
    RBV_KEEP(archive, repeats->least);
    RBV_KEEP(archive, repeats->wait);
    RBV_KEEP(archive, repeats->moved);
    RBV_KEEP_ARRAY(archive, repeats->left_out, repeats->rows);
    RBV_KEEP(archive, repeats->count_before);
    RBV_KEEP_ARRAY(archive, repeats->left_before, repeats->rows);
}

/* Flow, friction and drives with limits; efforts of friction are the initial values of its next solution. */
static void keep_flow(RbvArchive *archive, RbvFlow *flow) {
    RbvSliding *sliding = &flow->sliding;
    RBV_KEEP_ARRAY(archive, flow->lambda, flow->system->row_count);
    RBV_KEEP(archive, flow->constraint_error);
    RBV_KEEP(archive, flow->evaluations);
    RBV_KEEP(archive, flow->power.size);
    RBV_KEEP(archive, flow->power.parts);
    RBV_KEEP_ARRAY(archive, sliding->slides, sliding->count);
    RBV_KEEP_ARRAY(archive, sliding->toward, sliding->count);
    RBV_KEEP_ARRAY(archive, sliding->slow, sliding->count);
    RBV_KEEP_ARRAY(archive, sliding->off, sliding->count);
    RBV_KEEP_ARRAY(archive, sliding->force, sliding->count);
    RBV_KEEP_ARRAY(archive, sliding->effort, sliding->count);
    RBV_KEEP_ARRAY(archive, sliding->load, sliding->count);
    RBV_KEEP_ARRAY(archive, flow->slipping.sign, flow->slipping.count);
    RBV_KEEP_ARRAY(archive, flow->slipping.effort, flow->slipping.count);
    RBV_KEEP_ARRAY(archive, flow->slipping.off, flow->slipping.count);
    keep_repeats(archive, flow);
}

/* Variation of the last step, which the beginning of the next step uses. */
static void keep_variation(RbvArchive *archive, RbvVariation *v, int32_t size) {
    RBV_KEEP(archive, v->t);
    RBV_KEEP(archive, v->h);
    RBV_KEEP(archive, v->end);
    RBV_KEEP(archive, v->scale);
    RBV_KEEP(archive, v->start);
    RBV_KEEP(archive, v->most);
    RBV_KEEP(archive, v->carried);
    RBV_KEEP(archive, v->begun);
    RBV_KEEP(archive, v->closely);
    RBV_KEEP(archive, v->lost);
    RBV_KEEP_ARRAY(archive, v->w, size);
    for (int i = 0; i < 3; i++) {
        RBV_KEEP_ARRAY(archive, v->y[i], size);
        RBV_KEEP_ARRAY(archive, v->f[i], size);
    }
}

/* Stepper; the rate at the end of the last step is the first of the next. */
static void keep_stepper(RbvArchive *archive, RbvStepper *s) {
    const RbvFlow *flow = s->flow;
    bool fits;
    RBV_KEEP(archive, s->t);
    RBV_KEEP(archive, s->h);
    RBV_KEEP(archive, s->before);
    RBV_KEEP(archive, s->by_turns);
    RBV_KEEP(archive, s->steps);
    RBV_KEEP(archive, s->rejected);
    RBV_KEEP(archive, s->crossed);
    RBV_KEEP(archive, s->turns);
    RBV_KEEP(archive, s->yielding);
    RBV_KEEP(archive, s->yielded);
    RBV_KEEP(archive, s->yielded_from);
    RBV_KEEP(archive, s->crawls);
    RBV_KEEP(archive, s->crawls_from);
    RBV_KEEP(archive, s->crawls_rejected);
    RBV_KEEP(archive, s->crossing);
    RBV_KEEP(archive, s->shrinking);
    RBV_KEEP(archive, s->constraint_error);
    RBV_KEEP_ARRAY(archive, s->y, flow->size);
    RBV_KEEP_ARRAY(archive, s->y_before, flow->size);
    RBV_KEEP_ARRAY(archive, s->own_size, flow->own);
    RBV_KEEP_ARRAY(archive, s->part_speed, flow->system->part_count);
    double *last = rbv_dormand_prince_last(&s->method);
    RBV_KEEP_ARRAY(archive, last, flow->size);
    keep_variation(archive, &s->variation, flow->size);
    RBV_KEEP(archive, s->requested);
    RBV_KEEP(archive, s->implicit);
    RBV_KEEP(archive, s->switched);
    RBV_KEEP(archive, s->stiff);
    RBV_KEEP(archive, s->smooth);
    RBV_KEEP(archive, s->suspected);
    RBV_KEEP(archive, s->patience);
    RBV_KEEP(archive, s->by_knots);
    RBV_KEEP(archive, s->balance.kept);
    RBV_KEEP(archive, s->balance.before);
    RBV_KEEP(archive, s->balance.size);
    RBV_KEEP(archive, s->balance.parts);
    RBV_KEEP(archive, s->balance.unasked);
    if (archive->from && !archive->broken && s->implicit &&
        !s->radau.J) /* the implicit method is created only when it is first used */
        archive->broken = rbv_stepper_create_implicit(s, &fits) != RBV_OK || !fits;
}

/* The log of transitions so far; names read are copied into the arena of the state. */
static void keep_transition(RbvArchive *archive, RbvEventLoop *h) {
    int32_t count = h->transition_count;
    RBV_KEEP(archive, count);
    if (archive->from && count > h->transition_capacity) {
        RbvTransition *grown =
            count > 0 && (size_t)count <= archive->left ? realloc(h->transitions, (size_t)count * sizeof *grown) : NULL;
        archive->broken = archive->broken || !grown;
        if (!grown)
            return;
        h->transitions = grown;
        h->transition_capacity = count;
    }
    h->transition_count = count;
    for (int32_t k = 0; k < count; k++) {
        RbvTransition *transitions = &h->transitions[k];
        RBV_KEEP(archive, transitions->t);
        RBV_KEEP(archive, transitions->impulse);
        rbv_archive_string(archive, &transitions->name, &h->flow->state->arena);
        rbv_archive_string(archive, &transitions->kind, &h->flow->state->arena);
    }
}

/* Active rows and loads, contacts, indicators at the beginning of the step, impulses so far, pieces of laws. */
static void keep_loop(RbvArchive *archive, RbvEventLoop *h) {
    const RbvModel *model = h->flow->system->model;
    RBV_KEEP_ARRAY(archive, h->active, h->flow->system->row_count);
    RBV_KEEP_ARRAY(archive, h->acting, model->loads.count);
    RBV_KEEP_ARRAY(archive, h->closed, h->contacts.count);
    RBV_KEEP_ARRAY(archive, h->touching, h->contacts.count);
    RBV_KEEP_ARRAY(archive, h->pressed, h->contacts.count);
    RBV_KEEP_ARRAY(archive, h->truth, model->conditions.count);
    RBV_KEEP_ARRAY(archive, h->before, h->count);
    RBV_KEEP_ARRAY(archive, h->impulses.joint, model->joints.count);
    RBV_KEEP_ARRAY(archive, h->impulses.drive, model->drives.count);
    RBV_KEEP_ARRAY(archive, h->impulses.constraint, model->constraints.count);
    RBV_KEEP_ARRAY(archive, h->impulses.stop, model->stops.count);
    RBV_KEEP(archive, h->flips_from);
    RBV_KEEP(archive, h->flips);
    RBV_KEEP(archive, h->often_from);
    RBV_KEEP(archive, h->often);
    RBV_KEEP_ARRAY(archive, h->pieces.held, h->pieces.total);
    RBV_KEEP_ARRAY(archive, h->pieces.other, h->pieces.total);
    RBV_KEEP_ARRAY(archive, h->pieces.group, h->pieces.total);
    RBV_KEEP_ARRAY(archive, h->pieces.between, RBV_MOST_BETWEEN);
    RBV_KEEP(archive, h->pieces.between_count);
    RBV_KEEP(archive, h->laws_from);
    RBV_KEEP(archive, h->law_flips);
}

/* Control: efforts, and the limits at which they are. */
static void keep_control(RbvArchive *archive, RbvTracking *tracking) {
    RBV_KEEP_ARRAY(archive, tracking->phase, tracking->actuators);
    RBV_KEEP_ARRAY(archive, tracking->limited, tracking->actuators);
    RBV_KEEP_ARRAY(archive, tracking->effort, tracking->actuators);
}

void rbv_checkpoint_keep(RbvArchive *archive, RbvEventLoop *loop) {
    keep_state(archive, loop->flow->state);
    keep_flow(archive, loop->flow);
    keep_stepper(archive, loop->stepper);
    keep_loop(archive, loop);
    if (loop->flow->tracking)
        keep_control(archive, loop->flow->tracking);
    keep_transition(archive, loop);
}

RbvStatus rbv_checkpoint_refresh(RbvEventLoop *loop) {
    RbvStepper *stepper = loop->stepper;
    rbv_saddle_forget(loop->flow->saddle);
    rbv_kept_reactions_forget(&loop->flow->kept_reactions);
    if (loop->flow->tracking && loop->flow->tracking->other)
        rbv_saddle_forget(loop->flow->tracking->other);
    if (stepper->radau.J)
        rbv_radau_forget(&stepper->radau);
    stepper->interpolates = false;
    stepper->away = true; /* so that the state is evaluated */
    loop->pending = loop->ended = false;
    loop->changed = true;
    return rbv_stepper_visit(stepper, stepper->t);
}
