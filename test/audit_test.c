/* The audit is fed with samples that are right, and with wrong ones that it must refuse: each breaks one law, and keeps
 * the others as far as it can. */
#include "dynamics/accelerations/power.h"
#include "solution/assembly/assemble.h"
#include "solution/audit/impact.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A ball over a floor and under a ceiling, a ball on a rope, a block that rubs, a cart with a drive, control on the
 * first ball. Weights: 20 N, 30 N, 10 N, 10 N. */
static const char items[] =
    "roberval: 1\nspace: planar\ngravity: [0, -10]\nbodies:\n"
    "  ground: {markers: {G: [5, 0]}}\n"
    "  ball: {particle: true, mass: 2, pose: {at: [0, 0]}}\n"
    "  bob: {particle: true, mass: 3, pose: {at: [5, -1]}}\n"
    "  block: {mass: 1, inertia: 0.1, pose: {at: [9, 0]}}\n"
    "  cart: {mass: 1, inertia: 0.1, pose: {at: [20, 0]}}\n"
    "joints:\n"
    "  rope: {type: link, between: [ground.G, bob], length: 1, unilateral: true, restitution: 0.5}\n"
    "  slide: {type: prismatic, between: [ground, block], at: [9, 0], friction: {coefficient: 0.2}}\n"
    "  rail: {type: prismatic, between: [ground, cart], at: [20, 0]}\n"
    "drives: {motor: {coordinate: rail.distance, motion: 0, max: 5}}\n"
    "stops: {floor: {coordinate: y(ball), min: 0, restitution: 0.5}, roof: {coordinate: y(ball), min: -9, max: 7}}\n"
    "track:\n  require: {still: {velocity: \"x(ball)'\"}}\n  actuators: {fan: {coordinate: x(ball), max: 4 N}}\n";

typedef struct Bench {
    RbvModel *model;
    RbvSystem *system;
    RbvState *state;
    RbvReactions *r;
    RbvAudit audit;
    RbvImpactAudit impact;
    int32_t ball, bob, block, cart, rope, slide, rail;
} Bench;

static int setup(void **to) {
    Bench *b = calloc(1, sizeof *b);
    RbvAssembly assembly = {0};
    assert_non_null(b);
    b->model = machine_read(items);
    b->system = machine_compile(b->model);
    b->state = rbv_state_create(b->system);
    b->r = rbv_reactions_create(b->system, RBV_FRAME_JOINT);
    assert_true(b->state && b->r && rbv_audit_create(&b->audit, b->system) &&
                rbv_impact_audit_create(&b->impact, b->system));
    assert_int_equal(rbv_assemble_position(b->state, 0, NULL, &assembly), RBV_OK);
    b->ball = 1, b->bob = 2, b->block = 3, b->cart = 4;
    b->rope = 0, b->slide = 1, b->rail = 2;
    *to = b;
    return 0;
}

static int teardown(void **from) {
    Bench *b = *from;
    rbv_impact_audit_destroy(&b->impact);
    rbv_audit_destroy(&b->audit);
    rbv_reactions_destroy(b->r);
    rbv_state_destroy(b->state);
    rbv_system_destroy(b->system);
    rbv_model_destroy(b->model);
    free(b);
    return 0;
}

/* The state with rates of the bodies as they were set, column by column: x, y of the balls, x, y, angle of the block.
 */
static void move(Bench *b) {
    assert_true(rbv_state_place(b->state));
    rbv_state_jacobian(b->state);
    assert_true(rbv_state_rates(b->state) && rbv_state_move(b->state) && rbv_state_load(b->state));
}

/* Everything at rest: the floor carries 20 N, the rope 30 N, the guide 10 N; the block slides at `speed`. */
static void rest(Bench *b, double speed) {
    memset(b->state->v, 0, (size_t)b->system->coordinates.size * sizeof *b->state->v);
    b->state->v[4] = speed;
    move(b);
    memset(b->state->accelerations, 0, (size_t)b->model->bodies.count * sizeof *b->state->accelerations);
    memset(b->r->value[0], 0, (size_t)b->r->component_count * sizeof(double));
    b->r->stop[0] = 20;
    b->r->stop[1] = 0;
    b->r->actuator[0] = 0;
    b->r->value[b->rope][RBV_FY] = b->r->value[b->rope][RBV_LINE_F] = 30;
    b->r->value[b->slide][RBV_FY] = b->r->value[b->rail][RBV_FY] = 10;
    b->r->effort[0] = 0;
    double friction = speed > 0 ? -2 : speed < 0 ? 2 : 0;
    b->r->value[b->slide][RBV_FRICTION] = friction;
    b->state->accelerations[b->block].v.x = friction;
}

/* What the audit says of the sample, "" where it is right. */
static const char *say(Bench *b) {
    static char text[400];
    rbv_audit_reset(&b->audit);
    rbv_audit_sample(&b->audit, b->state, b->r);
    rbv_audit_one_sided(&b->audit, b->state, b->r);
    const char *start = "it fails its audit: ";
    text[0] = '\0';
    rbv_audit_verify(&b->audit, "it", text, sizeof text);
    return strncmp(text, start, strlen(start)) == 0 ? text + strlen(start) : text;
}

static void place_ball(Bench *b, double y) {
    b->state->q[1] = y;
    move(b);
    memset(b->state->accelerations, 0, (size_t)b->model->bodies.count * sizeof *b->state->accelerations);
}

static void what_is_right_passes(void **from) {
    Bench *b = *from;
    for (int k = -1; k <= 1; k++) {
        rest(b, 0.5 * k);
        assert_string_equal(say(b), "");
    }
}

static void forces_that_leave_something_over_are_refused(void **from) {
    Bench *b = *from;
    rest(b, 0);
    b->r->stop[0] = 20.00001;
    assert_non_null(strstr(say(b), "body 'ball'"));
    rest(b, 0);
    b->state->accelerations[b->bob].v.y = 1e-5;
    assert_non_null(strstr(say(b), "body 'bob'"));
}

static const char *say_of_accelerations(Bench *b) {
    static char text[400];
    rbv_audit_reset(&b->audit);
    rbv_audit_motion(&b->audit, b->state);
    return rbv_audit_verify(&b->audit, "it", text, sizeof text) == RBV_OK ? "" : text;
}

/* A bob that swings at 3 m/s needs 9 m/s^2 towards its rope's end; a guide, a drive and a rope that are not kept are
 * named. */
static void accelerations_that_leave_what_is_held_are_refused(void **from) {
    Bench *b = *from;
    rest(b, 0.5);
    assert_string_equal(say_of_accelerations(b), "");
    b->state->v[2] = 3;
    move(b);
    b->state->accelerations[b->bob].v = rbv_vec3(0.7, 9, 0);
    assert_string_equal(say_of_accelerations(b), "");
    b->state->accelerations[b->bob].v.y = 9.00001; /* of 9: a part of 1e-6 */
    assert_string_equal(
        say_of_accelerations(b),
        "it fails its audit: the accelerations do not keep joint 'rope': its second rate is off by 1e-05 m/s^2");
    b->state->accelerations[b->bob].v.y = 9;
    b->state->accelerations[b->block].v.y = 1;
    assert_string_equal(
        say_of_accelerations(b),
        "it fails its audit: the accelerations do not keep joint 'slide' (y): its second rate is off by 1 m/s^2");
    b->state->accelerations[b->block] = (RbvTwist){{0, 0, 0}, {0, 0, 2}};
    assert_non_null(
        strstr(say_of_accelerations(b), "do not keep joint 'slide' (rz): its second rate is off by 2 rad/s^2"));
    b->state->accelerations[b->block].w.z = 0;
    b->state->accelerations[b->cart].v.x = -4;
    assert_non_null(strstr(say_of_accelerations(b), "do not keep drive 'motor': its second rate is off by 4 m/s^2"));
    b->audit.prescribed = true; /* what drives ask for is not looked at */
    assert_string_equal(say_of_accelerations(b), "");
    b->audit.prescribed = false;
}

/* Newton's law holds in all of these. */
static void what_is_one_sided_neither_pulls_nor_is_passed(void **from) {
    Bench *b = *from;
    rest(b, 0);
    b->r->stop[0] = -2;
    b->state->accelerations[b->ball].v.y = -11;
    assert_string_equal(say(b), "'floor' pulls with 2 N");
    rest(b, 0);
    b->r->stop[0] = 0, b->r->stop[1] = -2; /* its upper limit would push, seven metres away */
    b->state->accelerations[b->ball].v.y = -11;
    assert_string_equal(say(b), "'roof' pushes where it is apart by 7 m");
    rest(b, 0);
    b->r->value[b->rope][RBV_FY] = b->r->value[b->rope][RBV_LINE_F] = -3;
    b->state->accelerations[b->bob].v.y = -11;
    assert_string_equal(say(b), "'rope' pulls with 3 N");
    rest(b, 0);
    place_ball(b, 0.01);
    assert_string_equal(say(b), "'floor' pushes where it is apart by 0.01 m");
    rest(b, 0);
    place_ball(b, -0.01);
    b->r->stop[0] = 0;
    b->state->accelerations[b->ball].v.y = -10;
    assert_string_equal(say(b), "'floor' is passed by 0.01 m");
    place_ball(b, 0);
}

static void actuators_and_drives_keep_their_limits(void **from) {
    Bench *b = *from;
    for (int k = 0; k < 2; k++) {
        rest(b, 0);
        b->r->actuator[0] = k == 0 ? -4 : -4.001;
        b->state->accelerations[b->ball].v.x = b->r->actuator[0] / 2;
        assert_string_equal(say(b), k == 0 ? "" : "'fan' exceeds its limit by 0.001 N");
    }
    for (int k = 0; k < 2; k++) {
        rest(b, 0);
        b->r->effort[0] = b->state->accelerations[b->cart].v.x = k == 0 ? 5 : 5.001;
        assert_string_equal(say(b), k == 0 ? "" : "'motor' exceeds its limit by 0.001 N");
    }
    bool active[64];
    for (int k = 0; k < 64; k++)
        active[k] = k != b->system->drive_row[0];
    rest(b, 0);
    b->state->active = active; /* it does not follow */
    b->r->effort[0] = b->state->accelerations[b->cart].v.x = 4;
    assert_string_equal(say(b), "'motor' falls behind with less than its limit, by 1 N");
    b->state->active = NULL;
}

static void friction_is_coulombs(void **from) {
    Bench *b = *from;
    rest(b, 0.5);
    b->r->value[b->slide][RBV_FRICTION] = 0; /* none is printed, and none acts */
    b->state->accelerations[b->block].v.x = 0;
    assert_non_null(strstr(say(b), "body 'block'"));
    rest(b, 0.5);
    b->r->value[b->slide][RBV_FRICTION] = -2.00001; /* another is printed than acts */
    assert_non_null(strstr(say(b), "'slide' has friction that is off Coulomb's law by 1e-05 N"));
    rest(b, -0.5);
    b->r->value[b->slide][RBV_FRICTION] = b->state->accelerations[b->block].v.x = -2; /* it pushes the way it slides */
    assert_non_null(strstr(say(b), "body 'block'"));
}

/* The ball falls at `speed` onto the floor and leaves at `away`, by the impulse P of the floor. What the audit says. */
static const char *bounce(Bench *b, double speed, double away, double P, const RbvJump *jump) {
    static char text[256];
    text[0] = '\0';
    rest(b, 0);
    memset(b->r->value[0], 0, (size_t)b->r->component_count * sizeof(double));
    b->state->v[1] = -speed;
    move(b);
    rbv_impact_audit_begin(&b->impact, b->state);
    b->state->v[1] = away;
    move(b);
    b->r->stop[0] = P;
    bool good = rbv_impact_audit_verify(&b->impact, b->state, b->r, jump, text, sizeof text);
    assert_int_equal(good, text[0] == '\0');
    return text;
}

static void impacts_obey_their_laws(void **from) {
    Bench *b = *from;
    const RbvJump plain = {0}, moved = {.moved = true};
    RbvStop *floor = &b->model->stops.items[0];
    assert_string_equal(bounce(b, 4, 2, 12, &plain), ""); /* 2 kg (2 + 4) m/s */
    assert_non_null(strstr(bounce(b, 4, 2, 12.12, &plain), "at body 'ball'"));
    assert_non_null(strstr(bounce(b, 4, 2, 11.99999, &plain), "at body 'ball'"));
    assert_non_null(strstr(bounce(b, 4, 2.02, 12.04, &plain), "'floor' leaves at 2.02 of a rate of approach of 4"));
    assert_non_null(strstr(bounce(b, 4, 1.98, 11.96, &plain), "'floor' leaves at 1.98 of a rate of approach of 4"));
    assert_non_null(strstr(bounce(b, 4, -1, 6, &plain), "'floor' leaves at -1 of a rate of approach of 4"));
    assert_string_equal(bounce(b, 4, -4, 0, &plain), "");
    assert_string_equal(bounce(b, 4, -5, -2, &plain), "'floor' pulls with 2 N s");
    assert_non_null(strstr(bounce(b, 0, -5, 0, &plain), "at body 'ball'"));
    floor->restitution = 1.5; /* the model refuses it, this is how energy would be gained */
    assert_string_equal(bounce(b, 4, 6, 20, &plain), "16 J of kinetic energy become 36 J");
    assert_string_equal(bounce(b, 4, 6, 20, &moved), "");
    floor->restitution = 0.5;
}

/* The rope is taut at rates outward; the block jumps by what its guide cannot give. */
static void impacts_of_joints(void **from) {
    Bench *b = *from;
    char text[256] = "";
    const RbvJump plain = {0};
    for (int k = 0; k < 3; k++) {
        rest(b, 0);
        memset(b->r->value[0], 0, (size_t)b->r->component_count * sizeof(double));
        b->r->stop[0] = 0;
        b->state->v[3] = -2;
        move(b);
        rbv_impact_audit_begin(&b->impact, b->state);
        b->state->v[3] = 1;
        b->state->v[4] = k == 2 ? 1e-6 : 0;
        move(b);
        b->r->value[b->rope][RBV_FY] = b->r->value[b->rope][RBV_LINE_F] = k == 1 ? 9.001 : 9; /* 3 kg (1 + 2) m/s */
        assert_int_equal(rbv_impact_audit_verify(&b->impact, b->state, b->r, &plain, text, sizeof text), k == 0);
        assert_true(k == 0 || strstr(text, k == 1 ? "'bob'" : "'block'"));
    }
}

/* What the balance of energy is compared with does not grow with the height of the machine over the ground's origin. */
static void energy_is_measured_from_the_start(void **from) {
    Bench *b = *from;
    RbvPower power;
    assert_true(rbv_power_create(&power, b->system));
    for (int k = 0; k < 2; k++) {
        double height = k == 0 ? 0 : 1e6;
        rest(b, 0);
        place_ball(b, height);
        rbv_power_begin(&power, b->state);
        assert_near(power.size, 0, 0);
        place_ball(b, height - 0.5); /* 2 kg 10 m/s^2 0.5 m; a height of 1e6 m is known to 1e-10 m */
        rbv_power_energy(&power, b->state);
        assert_near(power.size, 10, 1e-8);
        b->state->v[1] = 4;
        move(b);
        rbv_power_energy(&power, b->state);
        assert_near(power.size, 16, 1e-8);
        assert_near(power.parts, fmax(30, 20 * height),
                    1e-8 * height); /* the bob's weight at -1.5 m counts from its own */
        place_ball(b, 0);
    }
    rbv_power_destroy(&power);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_right_passes, setup, teardown),
        cmocka_unit_test_setup_teardown(forces_that_leave_something_over_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(accelerations_that_leave_what_is_held_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_one_sided_neither_pulls_nor_is_passed, setup, teardown),
        cmocka_unit_test_setup_teardown(actuators_and_drives_keep_their_limits, setup, teardown),
        cmocka_unit_test_setup_teardown(friction_is_coulombs, setup, teardown),
        cmocka_unit_test_setup_teardown(impacts_obey_their_laws, setup, teardown),
        cmocka_unit_test_setup_teardown(impacts_of_joints, setup, teardown),
        cmocka_unit_test_setup_teardown(energy_is_measured_from_the_start, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
