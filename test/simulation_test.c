/* Motions that the caller steps, with inputs that the caller sets (simulation.h): against the same law in the model,
 * against simulate, closed forms, and the work of the inputs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81

/* A rod on a hinge, with a motor whose torque is u. */
static const char pendulum[] = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\n"
                               "parameters: {u: 0 N.m}\n"
                               "bodies: {rod: {mass: 2, inertia: 0.1, centroid: [0.5, 0]}}\n"
                               "joints: {hinge: {type: revolute, between: [ground, rod]}}\n"
                               "loads: {motor: {type: torsion-spring, joint: hinge, torque: \"-u\"}}\n"
                               "initial: {hinge.angle: 0, hinge.angle': 0}\n";
/* The same with a law that sets the torque at every 2 ms. */
static const char sampled_law[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {h: 2 ms}\n"
    "bodies: {rod: {mass: 2, inertia: 0.1, centroid: [0.5, 0]}}\n"
    "joints: {hinge: {type: revolute, between: [ground, rod]}}\n"
    "loads: {motor: {type: torsion-spring, joint: hinge, torque: \"-u\"}}\n"
    "states: {u: {rate: \"0\", start: 0, unit: N.m}, next: {rate: \"0\", start: 0.002, unit: s}}\n"
    "events: {tick: {when: \"t - next\", direction: rising,\n"
    "         set: {u: \"-8*(hinge.angle + 1) - 2*hinge.angle'\", next: \"next + h\"}}}\n"
    "initial: {hinge.angle: 0, hinge.angle': 0}\nmotion: {from: 0, to: 0.5 s, step: 2 ms}\n";
/* A ball that falls from 1 m and loses half of its speed at each blow. */
static const char ball[] = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\n"
                           "bodies: {ball: {mass: 2, particle: true, pose: {at: [0, 1]}}}\n"
                           "stops: {floor: {coordinate: y(ball), min: 0, restitution: 0.5}}\n"
                           "events: {done: {when: \"t - 3\", do: stop}}\n"
                           "initial: {x(ball): 0, y(ball): 1, x(ball)': 0, y(ball)': 0}\n";
/* A block of 2 kg on a rail with friction, pushed by a force while it is switched on. */
static const char block[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {push: 0 N, on: 0}\n"
    "bodies: {block: {mass: 2, inertia: 0.1}}\n"
    "joints: {rail: {type: prismatic, between: [ground, block], friction: {coefficient: 0.25}}}\n"
    "loads: {hand: {type: force, to: block, value: [push, 0], active: \"on > 0.5\"}}\n"
    "initial: {rail.distance: 0, rail.distance': 0}\n";

typedef struct Stepped {
    RbvModel *model;
    RbvSystem *system;
    RbvSimulation *simulation;
    RbvDiagnostics *diagnostics;
} Stepped;

static RbvModel *read_with(const char *text, int32_t count, const char *const *inputs, RbvDiagnostics *diagnostics) {
    RbvInput input = rbv_input_default;
    RbvModel *model;
    input.path = "model.yaml";
    input.text = text;
    input.length = strlen(text);
    input.input_count = count;
    input.inputs = inputs;
    rbv_model_read(&input, diagnostics, &model);
    return model;
}

static RbvSimulation *begin(const RbvSystem *system, RbvDiagnostics *diagnostics) {
    RbvSimulation *simulation;
    RbvStatus status = rbv_simulation_create(system, NULL, diagnostics, &simulation);
    machine_print(diagnostics);
    assert_int_equal(status, RBV_OK);
    return simulation;
}

static Stepped open_stepped(const char *text, int32_t count, const char *const *inputs) {
    Stepped s = {.diagnostics = rbv_diagnostics_create()};
    s.model = read_with(text, count, inputs, s.diagnostics);
    machine_print(s.diagnostics);
    assert_non_null(s.model);
    s.system = machine_compile(s.model);
    s.simulation = begin(s.system, s.diagnostics);
    return s;
}

static void close_stepped(Stepped *s) {
    rbv_simulation_destroy(s->simulation);
    rbv_system_destroy(s->system);
    rbv_model_destroy(s->model);
    rbv_diagnostics_destroy(s->diagnostics);
}

static double now(const RbvSimulation *s, const char *column) {
    const double *value = rbv_simulation_column(s, column).value;
    if (!value)
        fail_msg("there is no column %s", column);
    return *value;
}

static void go(RbvSimulation *s, double t) {
    assert_int_equal(rbv_simulation_step_to(s, t, false), RBV_OK);
    assert_true(rbv_simulation_time(s) == t);
}

static const char *const torque[] = {"u"};

/* The instants of both are sums of 2 ms; the values of one sample differ by the error of the motion. */
static void a_law_of_the_caller_moves_as_one_in_the_model(void **unused) {
    (void)unused;
    Stepped s = open_stepped(pendulum, 1, torque);
    RbvModel *model = machine_read(sampled_law);
    RbvSystem *system = machine_compile(model);
    RbvResult *result;
    double t = 0;
    assert_int_equal(rbv_simulate(system, NULL, NULL, &result), RBV_OK);
    int32_t angle = rbv_result_find(result, "hinge.angle"), rate = rbv_result_find(result, "hinge.angle'"),
            samples = rbv_result_counts(result).samples, input = rbv_simulation_input(s.simulation, "u");
    for (int32_t k = 1; k < samples; k++) {
        go(s.simulation, t += 2e-3);
        double u = -8 * (now(s.simulation, "hinge.angle") + 1) - 2 * now(s.simulation, "hinge.angle'");
        assert_int_equal(rbv_simulation_set_input(s.simulation, input, u), RBV_OK);
        assert_near(now(s.simulation, "hinge.angle"), rbv_result_value(result, k, angle), 1e-9);
        assert_near(now(s.simulation, "hinge.angle'"), rbv_result_value(result, k, rate), 1e-8);
        go(s.simulation, t); /* with the torque from now on */
        assert_near(now(s.simulation, "hinge.angle''"), (u - 2 * G * 0.5 * cos(now(s.simulation, "hinge.angle"))) / 0.6,
                    1e-9);
    }
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    close_stepped(&s);
}

/* A swing from the horizontal, of 3 s: the errors of 3 s at the tolerance 1e-9. */
static void steps_of_any_length_give_the_motion_of_simulate(void **unused) {
    (void)unused;
    RbvOptions options = rbv_options_default;
    options.to = 3, options.step = 0.5;
    Stepped s = open_stepped(pendulum, 0, NULL);
    RbvResult *result;
    uint64_t seed = 1;
    assert_int_equal(rbv_simulate(s.system, &options, NULL, &result), RBV_OK);
    int32_t angle = rbv_result_find(result, "hinge.angle"), force = rbv_result_find(result, "hinge.Fy");
    for (int way = 0; way < 3; way++) {
        RbvSimulation *stepped = begin(s.system, s.diagnostics);
        for (int32_t k = 1; k < rbv_result_counts(result).samples; k++) {
            double end = 0.5 * k, t = rbv_simulation_time(stepped);
            for (; t < end; t = rbv_simulation_time(stepped))
                go(stepped, fmin(end, t + (way == 0 ? 1e-3 : way == 1 ? 7e-3 : 0.05 * fabs(machine_random(&seed)))));
            assert_near(now(stepped, "hinge.angle"), rbv_result_value(result, k, angle), 2e-8);
            assert_near(now(stepped, "hinge.Fy"), rbv_result_value(result, k, force), 1e-6);
            assert_int_equal(*rbv_simulation_column(stepped, "hinge.Fy").verdict, RBV_UNIQUE);
        }
        rbv_simulation_destroy(stepped);
    }
    rbv_result_destroy(result);
    close_stepped(&s);
}

/* A constant torque does the work u times the angle in each step. */
static void the_balance_of_energy_has_the_work_of_inputs(void **unused) {
    (void)unused;
    Stepped s = open_stepped(pendulum, 1, torque);
    double work = 0, before = now(s.simulation, "hinge.angle"), start = now(s.simulation, "energy");
    uint64_t seed = 7;
    for (int k = 1; k <= 400; k++) {
        double u = 20 * machine_random(&seed);
        assert_int_equal(rbv_simulation_set_input(s.simulation, 0, u), RBV_OK);
        go(s.simulation, k * 5e-3);
        double angle = now(s.simulation, "hinge.angle"), rate = now(s.simulation, "hinge.angle'");
        work += u * (angle - before);
        before = angle;
        assert_near(now(s.simulation, "u"), u, 0);
        assert_near(now(s.simulation, "energy"), 0.5 * (0.1 + 2 * 0.25) * rate * rate + 2 * G * 0.5 * sin(angle), 1e-9);
        assert_near(now(s.simulation, "energy") - start, work, 1e-6);
        assert_near(now(s.simulation, "energy.error"), 0, 1e-6);
    }
    close_stepped(&s);
}

/* Blows at t1 = sqrt(2/g), then after 2 e^k t1. */
static void blows_have_their_instants_whatever_the_steps(void **unused) {
    (void)unused;
    const double first = sqrt(2 / G);
    for (int way = 0; way < 2; way++) {
        Stepped s = open_stepped(ball, 0, NULL);
        double due = first, step = way ? 7e-3 : 1e-3;
        int seen = 0;
        for (int k = 1; seen < 8; k++) {
            go(s.simulation, k * step);
            for (int32_t e = 0; e < rbv_simulation_event_count(s.simulation); e++, seen++) {
                RbvSimulationEvent event = rbv_simulation_event(s.simulation, e);
                assert_string_equal(event.name, "floor");
                assert_string_equal(event.kind, "impact");
                assert_near(event.t, due, 1e-9);
                assert_near(event.impulse, 2 * 1.5 * G * first * pow(0.5, seen), 1e-8);
                due += 2 * first * pow(0.5, seen + 1);
            }
        }
        close_stepped(&s);
    }
}

static void a_step_ends_at_an_event_if_asked(void **unused) {
    (void)unused;
    Stepped s = open_stepped(ball, 0, NULL);
    assert_int_equal(rbv_simulation_step_to(s.simulation, 2, true), RBV_OK);
    assert_near(rbv_simulation_time(s.simulation), sqrt(2 / G), 1e-12);
    assert_int_equal(rbv_simulation_event_count(s.simulation), 1);
    assert_near(now(s.simulation, "ball.vy"), 0.5 * sqrt(2 * G), 1e-9); /* after the blow */
    assert_int_equal(rbv_simulation_step_to(s.simulation, 2, true), RBV_OK);
    assert_near(rbv_simulation_time(s.simulation), 2 * sqrt(2 / G), 1e-9);
    assert_null(rbv_simulation_event(s.simulation, 7).name);
    /* do: stop ends the motion */
    assert_int_equal(rbv_simulation_step_to(s.simulation, 10, false), RBV_OK);
    assert_near(rbv_simulation_time(s.simulation), 3, 1e-12);
    assert_int_equal(rbv_simulation_step_to(s.simulation, 11, false), RBV_BAD_INPUT);
    assert_true(machine_says(s.diagnostics, RBV_ERROR, "an event has ended the motion at t = 3 s"));
    close_stepped(&s);
}

/* Friction 0.25 of 2 kg holds up to 4.905 N. */
static void inputs_release_friction_and_switch_conditions(void **unused) {
    (void)unused;
    static const char *const names[] = {"push", "on"};
    Stepped s = open_stepped(block, 2, names);
    const double limit = 0.25 * 2 * G;
    int32_t push = rbv_simulation_input(s.simulation, "push"), on = rbv_simulation_input(s.simulation, "on");
    rbv_simulation_set_input(s.simulation, push, 10);
    go(s.simulation, 1);
    assert_near(now(s.simulation, "rail.distance"), 0, 1e-15); /* not switched on */
    rbv_simulation_set_input(s.simulation, push, 4.9);
    rbv_simulation_set_input(s.simulation, on, 1);
    go(s.simulation, 2);
    assert_near(now(s.simulation, "rail.distance"), 0, 1e-15); /* held */
    rbv_simulation_set_input(s.simulation, push, 10);
    go(s.simulation, 3);
    assert_near(now(s.simulation, "rail.distance"), 0.25 * (10 - limit), 1e-9);
    rbv_simulation_set_input(s.simulation, on, 0);
    double v = 0.5 * (10 - limit), stops = v / (0.25 * G);
    go(s.simulation, 3 + 2 * stops);
    assert_near(now(s.simulation, "rail.distance"), 0.25 * (10 - limit) + 0.5 * v * stops, 1e-9);
    assert_near(now(s.simulation, "rail.distance'"), 0, 1e-15);
    close_stepped(&s);
}

/* A motor that follows its motion while the torque needed is at most the input. */
static void an_input_limits_a_drive(void **unused) {
    (void)unused;
    static const char text[] = "roberval: 1\nspace: planar\nparameters: {most: 100 N.m}\n"
                               "bodies: {wheel: {mass: 1, inertia: 0.5}}\n"
                               "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                               "drives: {motor: {coordinate: axle.angle, motion: \"t^2\", max: most}}\n"
                               "initial: {axle.angle: 0, axle.angle': 0}\n";
    static const char *const names[] = {"most"};
    Stepped s = open_stepped(text, 1, names);
    go(s.simulation, 1);
    assert_near(now(s.simulation, "motor.effort"), 1, 1e-12); /* J c'' */
    assert_near(now(s.simulation, "axle.angle"), 1, 1e-12);
    rbv_simulation_set_input(s.simulation, 0, 0.25);
    go(s.simulation, 2); /* a quarter of the acceleration is left */
    assert_near(now(s.simulation, "motor.effort"), 0.25, 1e-12);
    assert_near(now(s.simulation, "axle.angle"), 1 + 2 + 0.25, 1e-9);
    close_stepped(&s);
}

/* ---- saving; several simulations ---- */

/* 60 steps under torques of a sequence: what is read is put into seen[60][2]. */
static void run_sequence(RbvSimulation *s, double from, uint64_t seed, double (*seen)[2]) {
    for (int k = 0; k < 60; k++) {
        rbv_simulation_set_input(s, 0, 15 * machine_random(&seed));
        go(s, from + (k + 1) * 0.013);
        seen[k][0] = now(s, "hinge.angle");
        seen[k][1] = now(s, "hinge.Fx");
    }
}

static void a_saved_state_goes_on_bit_for_bit(void **unused) {
    (void)unused;
    Stepped s = open_stepped(pendulum, 1, torque);
    RbvSimulation *other = begin(s.system, s.diagnostics);
    double first[60][2], again[60][2];
    void *state;
    size_t size;
    run_sequence(s.simulation, 0, 3, first);
    rbv_simulation_set_input(s.simulation, 0, 2); /* set, but not yet acting */
    double from = rbv_simulation_time(s.simulation);
    assert_int_equal(rbv_simulation_save(s.simulation, &state, &size), RBV_OK);
    run_sequence(s.simulation, from, 4, first);
    for (int k = 0; k < 2; k++) {
        RbvSimulation *into = k ? other : s.simulation;
        assert_int_equal(rbv_simulation_restore(into, state, size), RBV_OK);
        assert_true(rbv_simulation_time(into) == from);
        run_sequence(into, from, 4, again);
        assert_memory_equal(first, again, sizeof first);
    }
    /* damaged, cut, of another model */
    ((char *)state)[size / 2] ^= 1;
    assert_int_equal(rbv_simulation_restore(other, state, size), RBV_BAD_INPUT);
    ((char *)state)[size / 2] ^= 1;
    assert_int_equal(rbv_simulation_restore(other, state, size - 1), RBV_BAD_INPUT);
    assert_int_equal(rbv_simulation_restore(other, state, 3), RBV_BAD_INPUT);
    Stepped falls = open_stepped(ball, 0, NULL);
    assert_int_equal(rbv_simulation_restore(falls.simulation, state, size), RBV_BAD_INPUT);
    assert_true(machine_says(falls.diagnostics, RBV_ERROR, "of another model"));
    go(falls.simulation, 0.1); /* unharmed */
    free(state);
    close_stepped(&falls);
    rbv_simulation_destroy(other);
    close_stepped(&s);
}

/* Contacts, friction and the log of events are in the saved state, too. */
static void a_bouncing_ball_is_saved_between_blows(void **unused) {
    (void)unused;
    Stepped s = open_stepped(ball, 0, NULL);
    double y[2][20];
    void *state;
    size_t size;
    go(s.simulation, 0.7);
    assert_int_equal(rbv_simulation_save(s.simulation, &state, &size), RBV_OK);
    for (int way = 0; way < 2; way++) {
        for (int k = 0; k < 20; k++) {
            go(s.simulation, 0.7 + 0.07 * (k + 1));
            y[way][k] = now(s.simulation, "ball.y");
        }
        assert_int_equal(rbv_simulation_restore(s.simulation, state, size), RBV_OK);
    }
    assert_memory_equal(y[0], y[1], sizeof y[0]);
    free(state);
    close_stepped(&s);
}

static void simulations_of_one_system_do_not_see_each_other(void **unused) {
    (void)unused;
    Stepped s = open_stepped(pendulum, 1, torque);
    RbvSimulation *both[2] = {begin(s.system, s.diagnostics), begin(s.system, s.diagnostics)};
    for (int k = 1; k <= 50; k++)
        for (int i = 0; i < 2; i++) {
            rbv_simulation_set_input(both[i], 0, i ? 3.0 : -3.0 * k);
            go(both[i], k * 0.01);
        }
    for (int k = 1; k <= 50; k++) {
        rbv_simulation_set_input(s.simulation, 0, -3.0 * k);
        go(s.simulation, k * 0.01);
    }
    assert_true(now(s.simulation, "hinge.angle") == now(both[0], "hinge.angle"));
    assert_true(now(s.simulation, "hinge.angle") != now(both[1], "hinge.angle"));
    rbv_simulation_destroy(both[0]);
    rbv_simulation_destroy(both[1]);
    close_stepped(&s);
}

/* ---- models and calls that are refused ---- */

static void refuse(const char *text, const char *input, const char *message, int32_t line) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    const char *const names[] = {input};
    assert_null(read_with(text, 1, names, diagnostics));
    if (!machine_says(diagnostics, RBV_ERROR, message)) {
        machine_print(diagnostics);
        fail_msg("no message says: %s", message);
    }
    int32_t first = 0;
    while (rbv_diagnostics_at(diagnostics, first).severity != RBV_ERROR)
        first++;
    assert_int_equal(rbv_diagnostics_at(diagnostics, first).at.line, line);
    rbv_diagnostics_destroy(diagnostics);
}

static void an_input_is_refused_where_it_is_no_force(void **unused) {
    (void)unused;
    refuse("roberval: 1\nspace: planar\nparameters: {m: 2 kg}\nbodies:\n  b: {mass: m, inertia: 0.1}\n", "m",
           "the input 'm' cannot stand here", 5);
    refuse("roberval: 1\nspace: planar\nparameters:\n  a: 2\n  b: \"2*a\"\nbodies: {b: {mass: 1, inertia: 0.1}}\n", "a",
           "the input 'a' cannot stand here", 5);
    refuse("roberval: 1\nspace: planar\nparameters: {w: 2 rad/s}\nbodies: {b: {mass: 1, inertia: 0.1}}\n"
           "joints: {j: {type: revolute, between: [ground, b]}}\n"
           "drives:\n  d: {coordinate: j.angle, motion: \"w*t\"}\n",
           "w", "the input 'w' cannot stand here", 7);
    refuse(pendulum, "v", "inputs v: the model has no such parameter", 0);
    refuse("roberval: 1\nspace: planar\nparameters: {u: 1 N.m}\nbodies: {b: {mass: 1, inertia: 0.1}}\n"
           "events:\n  e: {when: \"t - 1\", set: {u: 2}}\n",
           "u", "which is no state", 6);
}

/* The unit of the parameter is that of the input: a torque beside a force is refused as for a parameter. */
static void an_input_has_the_dimension_of_its_parameter(void **unused) {
    (void)unused;
    refuse("roberval: 1\nspace: planar\nparameters: {u: 1 N}\nbodies: {b: {mass: 1, inertia: 0.1}}\n"
           "joints: {j: {type: revolute, between: [ground, b]}}\n"
           "loads:\n  l: {type: torsion-spring, joint: j, torque: u}\n",
           "u", "", 7);
}

static void wrong_calls_change_nothing(void **unused) {
    (void)unused;
    Stepped s = open_stepped(pendulum, 1, torque);
    RbvSimulation *none;
    void *state;
    size_t size;
    go(s.simulation, 1);
    double angle = now(s.simulation, "hinge.angle");
    assert_int_equal(rbv_simulation_step_to(s.simulation, 0.5, false), RBV_BAD_INPUT);
    assert_true(machine_says(s.diagnostics, RBV_ERROR, "lies before the present instant"));
    assert_int_equal(rbv_simulation_step_to(s.simulation, nextafter(1, 2), false), RBV_BAD_INPUT);
    assert_true(machine_says(s.diagnostics, RBV_ERROR, "shorter than numbers resolve"));
    assert_int_equal(rbv_simulation_step_to(s.simulation, NAN, false), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_simulation_step_to(NULL, 1, false), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_simulation_set_input(s.simulation, 0, INFINITY), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_simulation_set_input(s.simulation, 1, 0), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_simulation_set_input(s.simulation, -1, 0), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_simulation_input(s.simulation, "hinge"), -1);
    assert_int_equal(rbv_simulation_create(NULL, NULL, NULL, &none), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_simulation_save(NULL, &state, &size), RBV_BAD_ARGUMENT);
    assert_null(rbv_simulation_column(s.simulation, "hinge.nothing").value);
    assert_true(angle == now(s.simulation, "hinge.angle"));
    go(s.simulation, 1 + 1e-12); /* short, but a step */
    go(s.simulation, 1.5);
    rbv_simulation_destroy(NULL);
    close_stepped(&s);
}

static bool stops_at_once(void *context, double share) {
    (void)share;
    return --*(int *)context > 0;
}

/* After an interrupt the motion goes on where it was. */
static void an_interrupted_step_goes_on(void **unused) {
    (void)unused;
    Stepped s = open_stepped(pendulum, 0, NULL);
    RbvOptions options = rbv_options_default;
    RbvSimulation *stepped;
    int left = 1000000;
    options.progress = stops_at_once;
    options.context = &left;
    assert_int_equal(rbv_simulation_create(s.system, &options, NULL, &stepped), RBV_OK);
    left = 5;
    assert_int_equal(rbv_simulation_step_to(stepped, 2, false), RBV_INTERRUPTED);
    assert_true(isnan(now(stepped, "hinge.angle")));
    assert_in_range((int)(1000 * rbv_simulation_time(stepped)), 1, 1999);
    left = 1000000;
    assert_int_equal(rbv_simulation_step_to(stepped, 2, false), RBV_OK);
    go(s.simulation, 2);
    assert_near(now(stepped, "hinge.angle"), now(s.simulation, "hinge.angle"), 2e-8);
    rbv_simulation_destroy(stepped);
    close_stepped(&s);
}

/* The law has no value beyond 1 rad: the motion fails there, says so, and a state from before can be restored. */
static void a_failed_motion_says_why_and_can_be_restored(void **unused) {
    (void)unused;
    static const char text[] = "roberval: 1\nspace: planar\nparameters: {u: 1 N.m}\n"
                               "bodies: {wheel: {mass: 1, inertia: 0.5}}\n"
                               "joints: {axle: {type: revolute, between: [ground, wheel]}}\n"
                               "loads: {l: {type: torsion-spring, joint: axle, torque: \"-u*sqrt(1 - axle.angle)\"}}\n"
                               "initial: {axle.angle: 0, axle.angle': 1}\n";
    Stepped s = open_stepped(text, 1, torque);
    void *state, *none;
    size_t size, nothing;
    go(s.simulation, 0.5);
    assert_int_equal(rbv_simulation_save(s.simulation, &state, &size), RBV_OK);
    RbvStatus status = rbv_simulation_step_to(s.simulation, 3, false);
    assert_int_equal(status, RBV_NOT_FINITE);
    assert_true(machine_says(s.diagnostics, RBV_ERROR, "sqrt of -"));
    assert_true(isnan(now(s.simulation, "axle.angle")));
    assert_int_equal(rbv_simulation_step_to(s.simulation, 3, false), RBV_BAD_INPUT);
    assert_true(machine_says(s.diagnostics, RBV_ERROR, "the simulation failed"));
    assert_int_equal(rbv_simulation_save(s.simulation, &none, &nothing), RBV_BAD_INPUT);
    assert_null(none);
    assert_int_equal(rbv_simulation_restore(s.simulation, state, size), RBV_OK);
    go(s.simulation, 0.6);
    free(state);
    close_stepped(&s);
}

/* A parameter marked in a model built in C; the present instant evaluated again with an input. */
static void inputs_of_models_built_in_c(void **unused) {
    (void)unused;
    RbvModel *model = rbv_model_create(RBV_PLANAR, "");
    RbvBodyDef body = rbv_body_def_default;
    RbvLoadDef load = rbv_load_def_default;
    body.name = "p", body.particle = true, body.mass = 2;
    load.name = "push", load.type = "force", load.to = "p", load.value[0] = "f", load.value[1] = "0";
    assert_int_equal(rbv_model_add_body(model, &body, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_parameter(model, "f", 3, "N", NULL), RBV_OK);
    assert_int_equal(rbv_model_add_input(model, "f", NULL), RBV_OK);
    assert_int_equal(rbv_model_add_load(model, &load, NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvSimulation *s = begin(system, diagnostics);
    assert_near(now(s, "p.ax"), 1.5, 1e-15); /* the parameter's value */
    rbv_simulation_set_input(s, 0, 8);
    assert_near(now(s, "p.ax"), 1.5, 1e-15); /* until the next step */
    go(s, 0);
    assert_near(now(s, "p.ax"), 4, 1e-15);
    go(s, 2);
    assert_near(now(s, "p.x"), 8, 1e-12);
    rbv_simulation_destroy(s);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
    model = rbv_model_create(RBV_PLANAR, "");
    assert_int_equal(rbv_model_add_input(model, "f", NULL), RBV_BAD_INPUT);
    rbv_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_law_of_the_caller_moves_as_one_in_the_model),
        cmocka_unit_test(steps_of_any_length_give_the_motion_of_simulate),
        cmocka_unit_test(the_balance_of_energy_has_the_work_of_inputs),
        cmocka_unit_test(blows_have_their_instants_whatever_the_steps),
        cmocka_unit_test(a_step_ends_at_an_event_if_asked),
        cmocka_unit_test(inputs_release_friction_and_switch_conditions),
        cmocka_unit_test(an_input_limits_a_drive),
        cmocka_unit_test(a_saved_state_goes_on_bit_for_bit),
        cmocka_unit_test(a_bouncing_ball_is_saved_between_blows),
        cmocka_unit_test(simulations_of_one_system_do_not_see_each_other),
        cmocka_unit_test(an_input_is_refused_where_it_is_no_force),
        cmocka_unit_test(an_input_has_the_dimension_of_its_parameter),
        cmocka_unit_test(wrong_calls_change_nothing),
        cmocka_unit_test(an_interrupted_step_goes_on),
        cmocka_unit_test(a_failed_motion_says_why_and_can_be_restored),
        cmocka_unit_test(inputs_of_models_built_in_c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
