/* ctest: long */
/* Other values for parameters of a compiled system: the same numbers, to the last bit, as of the model read with those
 * values; refused values and failing memory change nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mechanics/system/system.h"
#include "support/machines.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model: a file, or a text that stands for one in examples/valvetrain (which has curves). */
typedef struct Subject {
    const char *path, *text;
} Subject;

/* Parameters in everything that the plane has; cam.csv lies beside. */
static const char plane[] =
    "roberval: 1\nspace: planar\nunits: {length: mm}\n"
    "parameters:\n"
    "  m: 2 kg\n  half: \"m/2\"\n  i: 0.01 kg.m^2\n  a: 100 mm\n  b: \"4*a\"\n  c: 300 mm\n  turn: 20 deg\n  n: 60 "
    "rpm\n  k: 200 N/m\n  d: 3 N.s/m\n  F: 12 N\n  soft: 1e-6 m/N\n"
    "  most: 3e-6 m/N\n  mu: 0.1\n  r: 40 mm\n  h: 20 mm\n  rho: 7800 kg/m^3\n  g: 9.81 m/s^2\n  teeth: 20\n  pull: 50 "
    "N\n  alpha: 20 deg\n  mode: 1\n  power: 2\n  dt: 10 ms\n"
    "  w: 0.3 rad/s\n  unused: 3\n"
    "gravity: [0, \"-g\"]\n"
    "bodies:\n"
    "  ground: {markers: {O: [0, 0], Q: [b, 0], G: [\"-a - c\", 0], B: [0, \"-3*b\"], R: [0, \"5*b\"], C: [\"3*b\", "
    "0], E: [\"-5*b\", 0]}}\n"
    "  crank: {mass: m, inertia: i, centroid: [\"a/2\", 0], markers: {A: [a, 0], O: [0, 0], P: {at: [\"a/2\", h], "
    "angle: turn}}}\n"
    "  rod: {shape: [{rod: {from: [0, 0], to: [b, 0], height: h}, density: rho, thickness: 5 mm}, {disk: {at: "
    "[\"b/2\", 0], radius: r}, mass: half}],"
    " pose: {at: [a, 0], angle: turn}, markers: {A: [0, 0], B: [b, 0]}}\n"
    "  rocker: {mass: m, inertia: i, pose: {at: [b, 0], angle: 80 deg}, markers: {Q: [0, 0], B: [c, 0]}}\n"
    "  wheel: {mass: m, inertia: i, pose: {at: [\"-a - c\", 0]}}\n"
    "  pinion: {mass: half, inertia: i, pose: {at: [\"-a - c\", \"100[mm]\"]}}\n"
    "  pulley: {mass: half, inertia: i, pose: {at: [0, \"-3*b\"]}}\n"
    "  slide: {mass: m, inertia: i, pose: {at: [\"2*a\", \"5*b\"]}}\n"
    "  cam: {mass: m, inertia: i, pose: {at: [\"3*b\", 0], angle: 90 deg}}\n"
    "  tappet: {mass: half, inertia: i, pose: {at: [\"3*b\", \"-18[mm]\"]}, markers: {bore: {at: [0, 0], angle: 90 "
    "deg}, face: {at: [0, 0], angle: 180 deg}}}\n"
    "  dot: {particle: true, mass: m, pose: {at: [\"-5*b\", a]}}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground.O, crank.O], damping: \"d*1[m^2/rad]\", friction: {coefficient: mu, "
    "radius: \"r/4\"}}\n"
    "  A: {type: revolute, between: [crank.A, rod.A], compliance: {x: [soft, most], y: soft}, misfit: {x: "
    "\"h/1000\"}}\n"
    "  B: {type: revolute, between: [rod.B, rocker.B], damping: 0.1}\n"
    "  Q: {type: revolute, between: [ground.Q, rocker.Q]}\n"
    "  G: {type: revolute, between: [ground.G, wheel]}\n"
    "  H: {type: revolute, between: [wheel, pinion], at: [\"-a - c\", \"100[mm]\"]}\n"
    "  mesh: {type: gear, between: [crank, wheel], teeth: [teeth, 60], pressure_angle: alpha}\n"
    "  K: {type: revolute, between: [ground.B, pulley]}\n"
    "  belt: {type: belt, between: [crank, pulley], radii: [r, \"2*r\"], preload: pull}\n"
    "  guide: {type: prismatic, between: [ground, slide], at: [0, \"5*b\"], axis: [\"cos(turn)\", \"sin(turn)\"]}\n"
    "  shaft: {type: revolute, between: [ground.C, cam]}\n"
    "  bore: {type: general, between: [ground, tappet], at: [\"3*b\", 0], locked: [x, rz]}\n"
    "  lift: {type: cam, between: [cam, tappet.face], curve: {file: cam.csv, x: x, y: y, closed: true}, flat: true, "
    "friction: {coefficient: mu}, compliance: {x: soft}}\n"
    "  link: {type: link, between: [ground.E, dot], length: a}\n"
    "coordinates:\n"
    "  lift_off: \"guide.distance + if(mode > 0, h, 0[m]) + 0.1*x(slide)\"\n"
    "  reach: \"lift_off + (k/100[N/m])*y(rod.B)^2/a\"\n"
    "  bare: \"y(rod.B)*x(rod.B)\"\n"
    "drives:\n"
    "  motor: {coordinate: O.angle, motion: \"n*t + turn*step(t, 0, 0, 1, 1)\"}\n"
    "  jack: {coordinate: lift_off, motion: \"if(mode > 0, a*t/1[s] + 2*a, 2*a) + h\"}\n"
    "  turnings: {coordinate: shaft.angle, motion: \"90[deg] + n*t\"}\n"
    "  swing: {coordinate: angle(pinion), motion: \"w*t\"}\n"
    "  bob: {coordinate: x(dot), motion: \"-5*b + 0.3*a*sin(w*t)\"}\n"
    "loads:\n"
    "  push: {type: force, to: rod.B, value: [\"F*cos(w*t)\", \"-F*(O.angle'/10[rad/s])\"]}\n"
    "  brake: {type: torque, to: rocker, value: \"-0.5*F*1[m]\"}\n"
    "  spring: {type: spring, between: [crank.P, ground.Q], stiffness: k, free_length: b, damping: d, force: "
    "\"1e3[N/m^2]*abs(l - a)^power\"}\n"
    "  along: {type: spring, joint: guide, stiffness: k, free_length: \"a - b\"}\n"
    "  coil: {type: torsion-spring, joint: Q, stiffness: 2 N.m/rad, free_angle: turn}\n"
    "  mount: {type: bushing, between: [ground.R, slide], stiffness: [k, k, \"2[N.m]*mu\"], damping: [d, d, 0.1]}\n"
    "  spin: {type: rotating-frame, speed: w, center: [a, 0]}\n"
    "  tide: {type: field, acceleration: [\"w^2*x\", \"g/10\"]}\n"
    "  well: {type: energy, value: \"0.5*k*(reach - a)^2\"}\n"
    "motion: {from: dt, to: \"100*dt\", step: dt}\n"
    "output:\n  far: \"reach'' + reach'/1[s]\"\n  area: \"bare'\"\n  effort: \"motor.effort*half/m\"\n  way: \"if(mode "
    "> 0, F/k, 0[m]) + x(rod.B)\"\n";

/* And that space has. */
static const char space[] =
    "roberval: 1\nspace: spatial\n"
    "parameters:\n"
    "  m: 2 kg\n  i: 0.02 kg.m^2\n  L: 0.5 m\n  a: 0.2\n  turn: 30 deg\n  r1: 0.1 m\n  r2: 0.15 m\n  helix: 10 deg\n  "
    "lead: 5 mm\n  n: 3 rad/s\n  k: 100 N/m\n  F: 5 N\n  g: 9.81\n  soft: 1e-6\n"
    "  rho: 7800 kg/m^3\n  R: 0.05 m\n  skew: 0.1\n"
    "gravity: [0, 0, \"-g\"]\n"
    "bodies:\n"
    "  ground: {markers: {O: {at: [0, 0, 0], rotate: {axis: [1, 0, 0], angle: turn}}, S: {at: [2, 0, 0], axis: [0, 0, "
    "1]}, T: [3, 0, 0], U: {at: [0, 5, 0], axis: [skew, 0, 1]}}}\n"
    "  arm: {mass: m, inertia: [i, i, i], centroid: [\"L/2\", 0, 0], pose: {rotate: {axis: [1, 0, 0], angle: turn}}, "
    "markers: {O: [0, 0, 0], E: {at: [L, 0, 0], axis: [0, 1, 0], x: [1, 0, skew]}}}\n"
    "  hand: {shape: [{cylinder: {from: [0, 0, 0], to: [L, 0, 0], radius: R}, density: rho}, {box: {at: [L, 0, 0], "
    "size: [R, R, R], rotate: {axis: [0, 0, 1], angle: turn}}, mass: 1}],"
    " pose: {at: [L, 0, 0], rotate: {axis: [1, 0, 0], angle: turn}}, markers: {E: {at: [0, 0, 0], axis: [0, 1, 0]}}}\n"
    "  p: {mass: m, inertia: [i, i, \"1.5*i\"], pose: {at: [2, 0, 0]}}\n"
    "  q: {mass: m, inertia: [i, i, i], pose: {at: [\"2[m] + r1 + r2\", 0, 0]}}\n"
    "  nut: {mass: m, inertia: [i, i, i], pose: {at: [0, 5, a]}}\n"
    "  bar: {mass: m, inertia: [0, i, i], centroid: [\"L/2\", 0, 0], pose: {at: [\"L + 0.2[m]\", 8, 0], rotate: {axis: "
    "[0, 0, 1], angle: 40 deg}}, markers: {A: [0, 0, 0], B: [L, 0, 0]}}\n"
    "  block: {mass: m, inertia: [i, i, i], pose: {at: [\"L + 0.2[m] + L*cos(40[deg])\", \"8[m] + L*sin(40[deg])\", "
    "0]}}\n"
    "  turner: {mass: m, inertia: [i, i, i], pose: {at: [0, 8, 0]}}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground.O, arm.O], compliance: {x: soft, rx: \"soft/1[N.m]*1[N]\"}}\n"
    "  E: {type: revolute, between: [arm.E, hand.E]}\n"
    "  P: {type: revolute, between: [ground, p], at: [2, 0, 0], axis: [0, 0, 1]}\n"
    "  Q: {type: revolute, between: [ground, q], at: [\"2[m] + r1 + r2\", 0, 0], axis: [0, 0, 1], damping: 0.1}\n"
    "  mesh: {type: gear, between: [p, q], radii: [r1, r2], helix_angle: helix}\n"
    "  U: {type: screw, between: [ground.U, nut], pitch: lead}\n"
    "  V: {type: revolute, between: [ground, turner], at: [0, 8, 0], axis: [0, 0, 1]}\n"
    "  W: {type: spherical, between: [turner, bar], at: [\"L + 0.2[m]\", 8, 0]}\n"
    "  X: {type: spherical, between: [bar.B, block], at: [\"L + 0.2[m] + L*cos(40[deg])\", \"8[m] + L*sin(40[deg])\", "
    "0]}\n"
    "  Y: {type: prismatic, between: [ground, block], at: [\"L + 0.2[m] + L*cos(40[deg])\", \"8[m] + L*sin(40[deg])\", "
    "0], axis: [1, 0, 0]}\n"
    "coordinates:\n  bend: \"E.angle + skew*sin(O.angle) + skew*dot(hand.z, ground.x)\"\n  all: \"bend*L + x(hand)\"\n"
    "drives:\n"
    "  one: {coordinate: O.angle, motion: \"turn + n*t\"}\n"
    "  two: {coordinate: bend, motion: \"skew + 0.1*sin(n*t)\"}\n"
    "  four: {coordinate: P.angle, motion: \"n*t\"}\n"
    "  five: {coordinate: U.angle, motion: \"n*t\"}\n"
    "  six: {coordinate: V.angle, motion: \"0.3*sin(n*t)\"}\n"
    "loads:\n"
    "  push: {type: force, to: hand, value: [F, 0, \"F*t/1[s]\"], frame: body}\n"
    "  spring: {type: spring, between: [ground.T, arm.E], stiffness: k, free_length: L}\n"
    "  frame: {type: rotating-frame, speed: n, axis: [0, skew, 1]}\n"
    "motion: {from: 0 s, to: 1 s, step: 10 ms}\n"
    "output:\n  tip: \"all''*F/k\"\n";

/* Rods between balls whose spin is idle, as long as they are symmetric. */
static const char idle[] =
    "roberval: 1\nspace: spatial\nparameters: {thick: 0.05, off: 0, L: 1.5 m, m: 2 kg}\n"
    "bodies:\n"
    "  ground: {markers: {C: {at: [0, 0, 0], axis: [0, 1, 0]}, S: {at: [1.5, 0, 0], axis: [1, 0, 0]}}}\n"
    "  crank: {mass: m, inertia: [0.01, 0.01, 0.01], markers: {O: {at: [0, 0, 0], axis: [0, 1, 0]}, A: [0, 0, 0.3]}}\n"
    "  rod: {mass: m, inertia: [\"thick\", 0.1, \"0.1 + off\"], centroid: [\"L/2\", 0, 0], pose: {at: [0, 0, 0.3], "
    "rotate: {axis: [0, 1, 0], angle: 10 deg}}, markers: {A: [0, 0, 0], B: [L, 0, 0]}}\n"
    "  slide: {mass: 1, inertia: [0.01, 0.01, 0.01], pose: {at: [1.5, 0, 0]}, markers: {B: {at: [0, 0, 0], axis: [1, "
    "0, 0]}}}\n"
    "joints:\n"
    "  O: {type: revolute, between: [ground.C, crank.O]}\n  A: {type: spherical, between: [crank.A, rod.A]}\n"
    "  B: {type: spherical, between: [rod.B, slide.B]}\n  S: {type: prismatic, between: [ground.S, slide.B]}\n"
    "drives:\n  motor: {coordinate: O.angle, motion: \"6*t\"}\n"
    "motion: {from: 0 s, to: 0.2 s, step: 10 ms}\n";

/* At rest; a marker and a joint that are turned and give way by parameters alone. */
static const char rest[] =
    "roberval: 1\nspace: planar\nparameters: {k: 300 N/m, L: 0.4 m, m: 3 kg, F: 10 N, free: \"L/2\", tilt: 0 rad, "
    "soft: 0 m/N}\ngravity: [0, -9.81]\n"
    "bodies:\n  ground: {markers: {O: {at: [0, 0], angle: tilt}, S: [\"L/3\", L]}}\n"
    "  bar: {mass: m, inertia: \"m*L^2/12\", centroid: [\"L/2\", 0], markers: {O: [0, 0], E: [L, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, bar.O], compliance: {x: soft}}\n"
    "loads:\n  spring: {type: spring, between: [ground.S, bar.E], stiffness: k, free_length: free}\n  push: {type: "
    "force, to: bar.E, value: [F, 0]}\n"
    "initial: {O.angle: 0.1}\n";

static RbvStatus read_subject(const Subject *subject, const char *override, RbvDiagnostics *diagnostics,
                              RbvModel **model) {
    const RbvInput input = {.path = subject->path,
                            .text = subject->text,
                            .length = subject->text ? strlen(subject->text) : 0,
                            .override_count = override ? 1 : 0,
                            .overrides = &override};
    return rbv_model_read(&input, diagnostics, model);
}

/* "name=value unit" for --set. */
static void override_of(const RbvParameter *parameter, double value, char *text, size_t size) {
    char unit[80] = "";
    if (parameter->dimension.bond >= RBV_EXPR_KNOWN)
        rbv_exponents_si(parameter->dimension.exponents, unit, sizeof unit);
    snprintf(text, size, *unit && strcmp(unit, "1") != 0 ? "%s=%.17g %s" : "%s=%.17g", parameter->name, value, unit);
}

/* In which coordinates systems are compiled. */
static RbvCoordinatesChoice coordinates;

static RbvSystem *compile(RbvModel *model) {
    RbvSystem *system = NULL;
    assert_int_equal(rbv_system_create(model, &(RbvSystemOptions){.coordinates = coordinates}, NULL, &system), RBV_OK);
    return system;
}

/* What an analysis of the system gives: few samples of a driven motion, else an equilibrium. */
typedef struct Answer {
    RbvStatus inverse, statics;
    RbvResult *motion, *rest;
} Answer;

static Answer ask(const RbvSystem *system) {
    Answer answer = {RBV_OK, RBV_OK, NULL, NULL};
    RbvOptions options = rbv_options_default;
    const RbvModel *model = system->model;
    if (model->has_motion)
        options.to = model->from + 2 * model->step < model->to ? model->from + 2 * model->step : model->to;
    answer.inverse = rbv_inverse(system, &options, NULL, &answer.motion);
    if (answer.inverse == RBV_BAD_INPUT)
        answer.statics = rbv_statics(system, &options, NULL, &answer.rest);
    return answer;
}

static void forget(Answer *answer) {
    rbv_result_destroy(answer->motion);
    rbv_result_destroy(answer->rest);
}

static void assert_same_result(const RbvResult *got, const RbvResult *expected, const char *what) {
    if (!got != !expected)
        fail_msg("%s: a result on one side alone", what);
    if (!got)
        return;
    assert_int_equal(rbv_result_counts(got).columns, rbv_result_counts(expected).columns);
    assert_int_equal(rbv_result_counts(got).samples, rbv_result_counts(expected).samples);
    for (int32_t c = 0; c < rbv_result_counts(expected).columns; c++) {
        assert_string_equal(rbv_result_column(got, c).name, rbv_result_column(expected, c).name);
        assert_string_equal(rbv_result_column(got, c).unit, rbv_result_column(expected, c).unit);
        if (rbv_result_column(got, c).verdict != rbv_result_column(expected, c).verdict)
            fail_msg("%s: another verdict of %s", what, rbv_result_column(expected, c).name);
        for (int32_t k = 0; k < rbv_result_counts(expected).samples; k++) {
            double a = rbv_result_value(got, k, c), b = rbv_result_value(expected, k, c);
            if (!(a == b || (isnan(a) && isnan(b))))
                fail_msg("%s: %s at sample %d is %.17g, not %.17g", what, rbv_result_column(expected, c).name, (int)k,
                         a, b);
        }
    }
}

static void assert_same(const Answer *got, const Answer *expected, const char *what) {
    if (got->inverse != expected->inverse || got->statics != expected->statics)
        fail_msg("%s: statuses %d, %d instead of %d, %d", what, (int)got->inverse, (int)got->statics,
                 (int)expected->inverse, (int)expected->statics);
    assert_same_result(got->motion, expected->motion, what);
    assert_same_result(got->rest, expected->rest, what);
}

/* The largest magnitude of the columns at sample k with the unit of column c: what its digits are measured by. */
static double size_of(const RbvResult *result, int32_t k, int32_t c) {
    double size = 0;
    for (int32_t d = 1; d < rbv_result_counts(result).columns; d++)
        if (strcmp(rbv_result_column(result, d).unit, rbv_result_column(result, c).unit) == 0 &&
            isfinite(rbv_result_value(result, k, d)))
            size = fmax(size, fabs(rbv_result_value(result, k, d)));
    return size;
}

static void assert_alike_at(const RbvResult *got, const RbvResult *expected, int32_t k, double fit, const char *what) {
    for (int32_t c = 0; c < rbv_result_counts(expected).columns; c++) {
        double a = rbv_result_value(got, k, c), b = rbv_result_value(expected, k, c);
        const char *name = rbv_result_column(expected, c).name, *dot = strrchr(name, '.');
        double off = dot && dot[1] == 'q'
                         ? fmin(fabs(a - b), fabs(a + b))
                         : fabs(a - b); /* of a quaternion's two signs the one that goes on from the last */
        if (strcmp(rbv_result_column(expected, c).unit, "rad") ==
            0) /* turns are counted on; what is assembled anew has made none */
            off = fabs(remainder(a - b, 6.283185307179586));
        if (rbv_result_column(got, c).verdict != rbv_result_column(expected, c).verdict)
            fail_msg("%s: another verdict of %s", what, name);
        if (!(off <= fit * (1e-3 + size_of(expected, k, c)) || (isnan(a) && isnan(b))))
            fail_msg("%s: %s is %.17g, not %.17g", what, name, a, b);
    }
}

static void assert_alike(const RbvResult *got, const RbvResult *expected, double fit, const char *what) {
    assert_int_equal(rbv_result_counts(got).samples, rbv_result_counts(expected).samples);
    for (int32_t k = 0; k < rbv_result_counts(expected).samples; k++)
        assert_alike_at(got, expected, k, fit, what);
}

static const char *first_error(const RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++)
        if (rbv_diagnostics_at(diagnostics, k).severity == RBV_ERROR)
            return rbv_diagnostics_at(diagnostics, k).message;
    return "";
}

static int32_t changes, refusals, anew, others;

/* One value of one parameter, against the model read with it; and back. */
static void try_value(const Subject *subject, RbvSystem *system, int32_t parameter, double value,
                      const Answer *before) {
    char override[200], what[700];
    RbvDiagnostics *read = rbv_diagnostics_create(), *set = rbv_diagnostics_create();
    RbvModel *model;
    RbvSystem *fresh = NULL;
    override_of(&system->model->parameters.items[parameter], value, override, sizeof override);
    snprintf(what, sizeof what, "%s with %s", subject->path, override);
    RbvStatus expected = read_subject(subject, override, read, &model);
    if (expected == RBV_OK)
        expected = rbv_system_create(model, &(RbvSystemOptions){.coordinates = coordinates}, read, &fresh);
    const RbvParameterValue values[] = {{parameter, value}}, back[] = {{parameter, NAN}};
    RbvStatus status = rbv_system_set_parameters(system, 1, values, set);
    if (expected != RBV_OK) {
        if (status != expected)
            fail_msg("%s: is not refused", what);
        assert_string_equal(first_error(set), first_error(read));
        refusals++;
    } else if (status != RBV_OK) {
        if (!machine_says(set, RBV_ERROR, "read the model anew with them"))
            fail_msg("%s: %s", what, rbv_diagnostics_count(set) ? rbv_diagnostics_at(set, 0).message : "refused");
        anew++;
    } else {
        Answer got = ask(system), requested = ask(fresh);
        if (rbv_coordinates_compatible(&system->coordinates, &fresh->coordinates)) {
            assert_same(&got, &requested, what);
        } else { /* natural ones of other points: which of several equilibria a search from afar comes to hangs on them
                  */
            assert_int_equal(got.inverse, requested.inverse);
            if (got.inverse == RBV_OK)
                assert_alike(got.motion, requested.motion, 1e-9, what);
            others++;
        }
        forget(&got);
        forget(&requested);
        assert_int_equal(rbv_system_set_parameters(system, 1, back, NULL), RBV_OK);
        changes++;
    }
    if (status != RBV_OK || parameter % 3 == 0 ||
        getenv("ROBERVAL_MORE")) { /* what stays behind shows in the next value's numbers, too */
        Answer after = ask(system);
        assert_same(&after, before, "back again");
        forget(&after);
    }
    rbv_system_destroy(fresh);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(read);
    rbv_diagnostics_destroy(set);
}

/* `tries` values of each `step`th parameter. */
static void try_subject(const Subject *subject, int tries, int step, uint64_t *seed) {
    RbvModel *model = NULL;
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvStatus status = read_subject(subject, NULL, said, &model);
    if (status != RBV_OK)
        machine_print(said);
    rbv_diagnostics_destroy(said);
    assert_int_equal(status, RBV_OK);
    RbvSystem *system = compile(model);
    Answer before = ask(system);
    for (int32_t p = 0; p < model->parameters.count; p++)
        for (int k = 0; p % step == 0 && k < tries; k++) {
            double value = model->parameters.items[p].value,
                   factor = (p + k) % 3 == 1 ? -1 : exp(((p + k) % 3 ? 0.5 : 0.02) * machine_random(seed));
            try_value(subject, system, p, value == 0 ? 0.1 * machine_random(seed) : value * factor, &before);
        }
    forget(&before);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static int tries(int usual) {
    const char *number = getenv("ROBERVAL_PARAMETERS"), *more = getenv("ROBERVAL_MORE");
    return number ? atoi(number) : more ? usual : 1;
}

/* ROBERVAL_MORE=1: every parameter; ROBERVAL_QUICK=1 (make test): a sixth of the usual ones. */
static int every(int usual) {
    return getenv("ROBERVAL_MORE") ? 1 : getenv("ROBERVAL_QUICK") ? 6 * usual : usual;
}

/* All examples, each `step`th parameter of them. */
static void try_examples(int step, uint64_t *seed) {
    glob_t found;
    assert_int_equal(glob(RBV_SOURCE_DIR "/examples/*/*.yaml", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > 10);
    for (size_t n = 0; n < found.gl_pathc; n++)
        try_subject(&(Subject){found.gl_pathv[n], NULL}, tries(1), step, seed);
    globfree(&found);
    print_message("%d changes, %d values refused, %d that want the model anew, %d with other points than anew\n",
                  (int)changes, (int)refusals, (int)anew, (int)others);
}

static void the_examples_with_other_values_are_those_read_with_them(void **unused) {
    (void)unused;
    uint64_t seed = 20261122;
    changes = refusals = anew = others = 0;
    try_examples(3, &seed);
    assert_true(changes > 80 && others == 0);
}

/* ---- evaluations ---- */

/* A fresh evaluation of the system at t, against one that lived through the change. */
static void compare_evaluation(const RbvSystem *system, RbvEvaluation *evaluation, double t, const char *what) {
    RbvOptions options = rbv_options_default;
    RbvEvaluation *fresh;
    options.from = t;
    rbv_evaluation_set_time(evaluation, t);
    RbvStatus status = rbv_evaluation_inverse(evaluation),
              requested = rbv_evaluation_create(system, &options, NULL, &fresh);
    if (requested == RBV_OK)
        requested = rbv_evaluation_inverse(fresh);
    if (status != requested)
        fail_msg("%s: status %d, not %d", what, (int)status, (int)requested);
    if (status == RBV_OK)
        assert_alike(rbv_evaluation_result(evaluation), rbv_evaluation_result(fresh), 1e-7, what);
    rbv_evaluation_destroy(fresh);
}

static int32_t leaps;

static void evaluate_subject(const Subject *subject, uint64_t *seed) {
    RbvModel *model = NULL;
    assert_int_equal(read_subject(subject, NULL, NULL, &model), RBV_OK);
    RbvSystem *system = compile(model);
    RbvEvaluation *evaluation = NULL;
    double t = model->from, step = model->step;
    bool driven = rbv_evaluation_create(system, NULL, NULL, &evaluation) == RBV_OK;
    for (int32_t p = 0; driven && p < model->parameters.count; p++) {
        char what[400];
        double value = model->parameters.items[p].value;
        const RbvParameterValue values[] = {{p, value == 0 ? 1e-3 * machine_random(seed)
                                                           : value * exp(0.01 * machine_random(seed))}},
                                back[] = {{p, NAN}};
        snprintf(what, sizeof what, "%s with another %s", subject->path, model->parameters.items[p].name);
        t += step;
        if (rbv_system_set_parameters(system, 1, values, NULL) != RBV_OK)
            continue;
        compare_evaluation(system, evaluation, t, what);
        leaps += rbv_evaluation_report(evaluation).advance == RBV_LEAPT;
        assert_int_equal(rbv_system_set_parameters(system, 1, back, NULL), RBV_OK);
    }
    if (driven)
        compare_evaluation(system, evaluation, t, "with the model's own values");
    rbv_evaluation_destroy(evaluation);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

#define BESIDE RBV_SOURCE_DIR "/examples/valvetrain/"
static const Subject subjects[] = {
    {BESIDE "plane.yaml", plane}, {BESIDE "space.yaml", space}, {BESIDE "idle.yaml", idle}, {BESIDE "rest.yaml", rest}};

static void parameters_may_stand_anywhere(void **unused) {
    (void)unused;
    uint64_t seed = 4713;
    changes = refusals = anew = 0;
    for (size_t n = 0; n < sizeof subjects / sizeof *subjects; n++)
        try_subject(&subjects[n], tries(2), 1, &seed);
    print_message("%d changes, %d values refused, %d that want the model anew\n", (int)changes, (int)refusals,
                  (int)anew);
    assert_true(changes > 40 && refusals > 5 && anew > 0);
}

static void evaluations_go_on_from_the_last_place(void **unused) {
    (void)unused;
    glob_t found;
    uint64_t seed = 99;
    leaps = 0;
    for (size_t n = 0; n < sizeof subjects / sizeof *subjects; n++)
        evaluate_subject(&subjects[n], &seed);
    assert_int_equal(glob(RBV_SOURCE_DIR "/examples/*/*.yaml", 0, NULL, &found), 0);
    for (size_t n = 0; n < found.gl_pathc; n += getenv("ROBERVAL_MORE") ? 2 : 4)
        evaluate_subject(&(Subject){found.gl_pathv[n], NULL}, &seed);
    globfree(&found);
    print_message("%d leaps\n", (int)leaps);
    assert_true(leaps > 25);
}

/* What can be asked, and what is answered. */
static void values_are_checked(void **unused) {
    (void)unused;
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvModel *model = NULL;
    assert_int_equal(read_subject(&subjects[3], NULL, NULL, &model), RBV_OK);
    RbvSystem *system = machine_compile(model);
    int32_t L = rbv_system_find(system, RBV_ITEM_PARAMETER, "L"), m = rbv_system_find(system, RBV_ITEM_PARAMETER, "m"),
            free_length = rbv_system_find(system, RBV_ITEM_PARAMETER, "free");
    assert_true(L >= 0 && m >= 0 && free_length >= 0);
    assert_int_equal(rbv_system_find(system, RBV_ITEM_PARAMETER, "bar"), -1);
    assert_int_equal(rbv_system_find(NULL, RBV_ITEM_PARAMETER, "L"), -1);
    assert_true(isnan(rbv_system_parameter(system, 99)) && isnan(rbv_system_parameter(NULL, 0)));
    const RbvParameterValue both[] = {{L, 0.6}, {m, 4}}, wrong[] = {{L, 0.7}, {m, -1}}, own[] = {{free_length, 0.25}},
                            back[] = {{L, NAN}, {m, NAN}, {free_length, NAN}};
    assert_int_equal(rbv_system_set_parameters(system, 2, both, said), RBV_OK);
    assert_near(rbv_system_parameter(system, free_length), 0.3, 0);
    assert_int_equal(rbv_system_set_parameters(system, 2, wrong, said), RBV_BAD_INPUT); /* all or none */
    assert_true(machine_says(said, RBV_ERROR, "the mass of 'bar' is -1 kg"));
    assert_near(rbv_system_parameter(system, L), 0.6, 0);
    assert_int_equal(rbv_system_set_parameters(system, 1, own, said), RBV_OK);
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){L, 0.8}, said), RBV_OK);
    assert_near(rbv_system_parameter(system, free_length), 0.25, 0); /* it was given a value of its own */
    assert_int_equal(rbv_system_set_parameters(system, 3, back, said), RBV_OK);
    assert_near(rbv_system_parameter(system, free_length), 0.2, 0);
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){9, 1}, said), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){L, INFINITY}, said), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_set_parameters(NULL, 1, both, said), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_set_parameters(system, 1, NULL, said), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_set_parameters(system, 0, NULL, said), RBV_OK);
    RbvSystem *other = machine_compile(model);
    assert_int_equal(rbv_system_set_parameters(system, 1, both, said), RBV_BAD_INPUT);
    assert_true(machine_says(said, RBV_ERROR, "another system is compiled from its model"));
    rbv_system_destroy(other);
    assert_int_equal(rbv_system_set_parameters(system, 1, both, said), RBV_OK);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(said);
}

/* A text for a parameter has its dimension; without one it has no unit. */
static void texts_are_read_as_overrides(void **unused) {
    (void)unused;
    const char text[] = "roberval: 1\nspace: planar\nparameters: {w: 2 rad/s, f: 2*w, n: 3, T: 3 N.m}\n"
                        "bodies: {b: {mass: n, inertia: 1}}\njoints: {p: {type: revolute, between: [ground, b]}}\n"
                        "drives: {d: {coordinate: p.angle, motion: \"w*t + f*t\"}}\n"
                        "loads: {l: {type: torque, to: b, value: T}}\n";
    static const struct {
        int32_t parameter;
        const char *text, *says; /* NULL: read */
        double value;
    } given[] = {{0, "60 rpm", NULL, 6.283185307179586},
                 {0, "0", NULL, 0},
                 {0, "3[rad/s]", NULL, 3},
                 {0, "5 1/s", NULL, 5},
                 {0, "5", "w=5: it has no unit; 'w' is an angular velocity [rad/s]", 0},
                 {0, "5 Hz", "w=5 Hz: a frequency [Hz] is of another dimension than 'w', an angular velocity", 0},
                 {0, "5 rpn", "'rpn' is no unit", 0},
                 {0, "2*3[rad/s]", "it is no number", 0},
                 {0, "1e999 Hz", "it is no number", 0},
                 {1, "5", NULL, 5},
                 {1, "5 Hz", "it has a unit, but the model gives 'f' none; give a number alone", 0},
                 {2, "5 kg", "it has a unit, but the model gives 'n' none", 0},
                 {2, " 2.5 ", NULL, 2.5},
                 {3, "5 J", "an energy [J] is of another dimension than 'T', a torque [N.m]", 0}};
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvModel *model = NULL;
    assert_int_equal(rbv_model_read(&(RbvInput){.path = "m", .text = text, .length = sizeof text - 1}, said, &model),
                     RBV_OK);
    for (size_t k = 0; k < sizeof given / sizeof given[0]; k++) {
        double value = 7;
        RbvStatus status = rbv_parameter_read(model, given[k].parameter, given[k].text, said, &value);
        assert_int_equal(status, given[k].says ? RBV_BAD_INPUT : RBV_OK);
        assert_near(value, given[k].says ? 7 : given[k].value, 1e-15);
        assert_true(!given[k].says || machine_says(said, RBV_ERROR, given[k].says));
    }
    double value;
    assert_int_equal(rbv_parameter_read(model, 4, "1", said, &value), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_parameter_read(model, -1, "1", said, &value), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_parameter_read(NULL, 0, "1", said, &value), RBV_BAD_ARGUMENT);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(said);
}

/* What a program has added after reading cannot be read again; a model that was read as fixed not at all. */
static void what_cannot_be_read_again_is_refused(void **unused) {
    (void)unused;
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvModel *model = NULL;
    assert_int_equal(read_subject(&subjects[3], NULL, NULL, &model), RBV_OK);
    assert_int_equal(rbv_model_add_output(model, "extra", "2*F", said), RBV_OK);
    RbvSystem *system = machine_compile(model);
    int32_t F = rbv_system_find(system, RBV_ITEM_PARAMETER, "F"), k = rbv_system_find(system, RBV_ITEM_PARAMETER, "k");
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){F, 3}, said), RBV_BAD_INPUT);
    assert_true(machine_says(said, RBV_ERROR, "the parameter 'F' cannot be changed: what the program has added"));
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){k, 250}, said), RBV_OK);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    const RbvInput fixed = {.path = "rest.yaml", .text = rest, .length = strlen(rest), .fixed = true};
    assert_int_equal(rbv_model_read(&fixed, said, &model), RBV_OK);
    system = machine_compile(model);
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){k, 250}, said), RBV_BAD_INPUT);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(said);
}

typedef struct Built {
    double w, k, F, h, mode;
} Built;

/* A crank that pushes a block along a curve, with parameters in every kind of text. */
static RbvModel *build(const Built *values) {
    RbvModel *model = rbv_model_create(RBV_PLANAR, "built");
    const double gravity[3] = {0, -9.81, 0}, tip[3] = {0.3, 0}, origin[3] = {0};
    RbvBodyDef crank = rbv_body_def_default, block = rbv_body_def_default, bob = rbv_body_def_default;
    RbvJointDef pin = rbv_joint_def_default, hook = rbv_joint_def_default;
    RbvLoadDef push = rbv_load_def_default, spring = rbv_load_def_default, well = rbv_load_def_default;
    crank.name = "crank", crank.mass = 2, crank.inertia[0] = 0.1, crank.centroid[0] = 0.15;
    block.name = "block", block.mass = 1, block.inertia[0] = 0.02, block.at[0] = 0.4, block.at[1] = 0.2;
    bob.name = "bob", bob.mass = 0.5, bob.inertia[0] = 0.01, bob.centroid[1] = -0.2, bob.at[0] = 0.3;
    pin.name = "pin", pin.type = "revolute", pin.between[0] = "ground", pin.between[1] = "crank";
    hook.name = "hook", hook.type = "revolute", hook.between[0] = "crank.tip", hook.between[1] = "bob";
    push.name = "push", push.type = "force", push.to = "block.O", push.value[0] = "F*cos(w*t)", push.value[1] = "-F";
    spring.name = "spring", spring.type = "spring", spring.between[0] = "crank.tip", spring.between[1] = "block.O",
    spring.law = "k*(l - h) + 2*l'";
    well.name = "well", well.type = "energy", well.value[0] = "0.5*k*reach^2";
    bool good =
        model && rbv_model_set_gravity(model, gravity) == RBV_OK && rbv_model_set_motion(model, 0, 0.5, 0.05) == RBV_OK;
    good = good && rbv_model_add_body(model, &crank, NULL) == RBV_OK &&
           rbv_model_add_body(model, &block, NULL) == RBV_OK && rbv_model_add_body(model, &bob, NULL) == RBV_OK;
    good = good && rbv_model_add_marker(model, "crank", "tip", tip, 0, NULL) == RBV_OK &&
           rbv_model_add_marker(model, "block", "O", origin, 0, NULL) == RBV_OK;
    good =
        good && rbv_model_add_joint(model, &pin, NULL) == RBV_OK && rbv_model_add_joint(model, &hook, NULL) == RBV_OK;
    good = good && rbv_model_add_constraint(model, "level", "angle(block)", NULL) == RBV_OK; /* before all parameters */
    good = good && rbv_model_add_parameter(model, "w", values->w, "rad/s", NULL) == RBV_OK &&
           rbv_model_add_parameter(model, "k", values->k, "N/m", NULL) == RBV_OK;
    good = good && rbv_model_add_parameter(model, "F", values->F, "N", NULL) == RBV_OK &&
           rbv_model_add_parameter(model, "h", 1000 * values->h, "mm", NULL) == RBV_OK;
    good = good && rbv_model_add_parameter(model, "mode", values->mode, NULL, NULL) == RBV_OK;
    good = good && rbv_model_add_coordinate(model, "reach", "x(block) - h*cos(angle(crank))", NULL) == RBV_OK;
    good = good && rbv_model_add_constraint(model, "curve", "y(block) - 0.2 - h*sin(x(block)/h) + mode*0*pin.angle",
                                            NULL) == RBV_OK;
    good = good && rbv_model_add_drive(model, "motor", "pin.angle", "w*t + h/1[m]*sin(w*t)", NULL) == RBV_OK;
    good = good && rbv_model_add_load(model, &push, NULL) == RBV_OK &&
           rbv_model_add_load(model, &spring, NULL) == RBV_OK && rbv_model_add_load(model, &well, NULL) == RBV_OK;
    good = good && rbv_model_add_initial(model, "reach", 0.1, NULL) == RBV_OK;
    good =
        good && rbv_model_add_output(model, "power", "motor.effort*w + if(mode > 2, F/k, 0[m])*0[W/m]", NULL) == RBV_OK;
    assert_true(good);
    return model;
}

/* The whole of a simulation as text, NULL where it fails. */
static char *moved(const RbvSystem *system, RbvDiagnostics *said) {
    RbvResult *result = NULL;
    char *text =
        rbv_simulate(system, NULL, said, &result) == RBV_OK ? rbv_result_text(result, RBV_TEXT_SERIES, NULL) : NULL;
    rbv_result_destroy(result);
    return text;
}

/* A model built in C, with other values, is the one built with them, to the last bit; and so is its simulation with
 * states of its own start. */
static void built_models_take_other_values(void **unused) {
    (void)unused;
    const Built first = {2, 100, 5, 0.3, 1};
    const char *const names[] = {"w", "k", "F", "h"};
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvModel *model = build(&first);
    RbvSystem *system = machine_compile(model);
    char *before = moved(system, said);
    assert_non_null(before);
    int32_t number[4], mode = rbv_system_find(system, RBV_ITEM_PARAMETER, "mode");
    for (int n = 0; n < 4; n++)
        assert_true((number[n] = rbv_system_find(system, RBV_ITEM_PARAMETER, names[n])) >= 0);
    uint64_t seed = 7;
    for (int round = 0; round < 12; round++) {
        double x[4];
        for (int n = 0; n < 4; n++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            x[n] = (double)(seed >> 11) / 9007199254740992.0;
        }
        const Built values = {1 + 2 * x[0], 50 + 200 * x[1], 1 + 9 * x[2], 0.2 + 0.2 * x[3], 1};
        const RbvParameterValue set[] = {{number[0], values.w},
                                         {number[1], values.k},
                                         {number[2], values.F},
                                         {number[3], 1000 * values.h * 0.001}},
                                back[] = {{number[0], NAN}, {number[1], NAN}, {number[2], NAN}, {number[3], NAN}};
        RbvModel *other = build(&values);
        RbvSystem *fresh = machine_compile(other);
        assert_int_equal(rbv_system_set_parameters(system, 4, set, said), RBV_OK);
        char *got = moved(system, said), *requested = moved(fresh, said);
        assert_non_null(got);
        assert_string_equal(got, requested);
        assert_string_not_equal(got, before);
        assert_int_equal(rbv_system_set_parameters(system, 4, back, said), RBV_OK);
        char *again = moved(system, said);
        assert_string_equal(again, before);
        free(got), free(requested), free(again);
        rbv_system_destroy(fresh);
        rbv_model_destroy(other);
    }
    const RbvParameterValue nothing = {number[1], -INFINITY}, otherwise = {mode, 0}, zero = {number[3], 0};
    assert_int_equal(rbv_system_set_parameters(system, 1, &nothing, said), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_set_parameters(system, 1, &otherwise, said), RBV_OK);
    assert_int_equal(rbv_system_set_parameters(system, 1, &zero, said), RBV_OK); /* 0/0 where it is evaluated */
    assert_null(moved(system, NULL));
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){number[3], NAN}, said), RBV_OK);
    char *again = moved(system, said);
    assert_string_equal(again, before);
    free(again), free(before);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(said);
}

/* A path on one system that is set is that on a new model for every place; also where the values are refused on the
 * way, as of an equation with other coordinates. */
static void paths_on_one_system_are_those_on_new_models(void **unused) {
    (void)unused;
    static const char switched[] =
        "roberval: 1\nspace: planar\nparameters: {F: 10 N, k: 300}\nbodies:\n  ground: {markers: {S: [0, 1]}}\n"
        "  bar: {mass: 1, inertia: 0.1, centroid: [0.2, 0], markers: {E: [0.4, 0]}}\n  cart: {mass: 1, inertia: 0.1, "
        "pose: {at: [1, 0]}}\n"
        "joints:\n  O: {type: revolute, between: [ground, bar]}\n  G: {type: prismatic, between: [ground, cart], at: "
        "[1, 0], axis: [1, 0]}\n"
        "constraints: {hold: {equation: \"if(F > 12[N], x(cart) - 1, x(cart) - 1 + 0*O.angle)\"}}\n"
        "loads:\n  spring: {type: spring, between: [ground.S, bar.E], stiffness: k, free_length: 0.4}\n  push: {type: "
        "force, to: bar.E, value: [F, 0]}\n";
    static const struct {
        const char *text, *along;
    } paths[] = {{rest, "k=300..420 N/m"}, {rest, "L=400..500 mm"},  {rest, "m=3..4 kg"},
                 {rest, "F=10..30 N"},     {switched, "F=10..15 N"}, {switched, "k=300..200"}};
    for (size_t n = 0; n < sizeof paths / sizeof *paths; n++) {
        RbvFamily *family;
        RbvResult *set = NULL, *anew_made = NULL;
        assert_int_equal(
            rbv_family_read(&(RbvInput){.path = "path.yaml", .text = paths[n].text, .length = strlen(paths[n].text)},
                            paths[n].along, NULL, &family),
            RBV_OK);
        assert_true(family->one_model);
        RbvStatus status = rbv_statics_follow(family, NULL, NULL, &set);
        family->one_model = false;
        assert_int_equal(rbv_statics_follow(family, NULL, NULL, &anew_made), status);
        assert_true(rbv_result_counts(anew_made).samples > 3);
        assert_same_result(set, anew_made, paths[n].along);
        rbv_result_destroy(set);
        rbv_result_destroy(anew_made);
        rbv_family_destroy(family);
    }
}

/* Joint coordinates read markers, joints and what screws hold anew at each place; a absolute system takes the values
 * too. */
static void joint_coordinates_take_other_values(void **unused) {
    (void)unused;
    uint64_t seed = 20261123;
    coordinates = RBV_COORDINATES_JOINT;
    changes = refusals = anew = 0;
    for (size_t n = 0; n < sizeof subjects / sizeof *subjects; n++)
        try_subject(&subjects[n], tries(2), every(2), &seed);
    print_message("%d changes, %d values refused, %d that want the model anew\n", (int)changes, (int)refusals,
                  (int)anew);
    assert_true(changes * every(1) > 20); /* fewer are tried where every(1) is not 1 */
    seed = 20261124;
    evaluate_subject(&subjects[0], &seed);
    evaluate_subject(&subjects[1], &seed);
    coordinates = RBV_COORDINATES_ABSOLUTE;
}

/* Points and vectors lie in their bodies by numbers, which are laid out anew; mixed, measures are numbers, too. */
static void natural_coordinates_take_other_values(void **unused) {
    (void)unused;
    static const RbvCoordinatesChoice kinds[] = {RBV_COORDINATES_NATURAL, RBV_COORDINATES_MIXED};
    for (size_t kind = 0; kind < 2; kind++) {
        uint64_t seed = 20261125;
        coordinates = kinds[kind];
        changes = refusals = anew = 0;
        for (size_t n = 0; n < sizeof subjects / sizeof *subjects; n++)
            try_subject(&subjects[n], tries(2), every(2), &seed);
        print_message("%d changes, %d values refused, %d that want the model anew\n", (int)changes, (int)refusals,
                      (int)anew);
        assert_true(changes * every(1) > 20); /* fewer are tried where every(1) is not 1 */
        for (size_t n = 0; n < sizeof subjects / sizeof *subjects; n++)
            evaluate_subject(&subjects[n], &seed);
        try_examples(every(9), &seed);
    }
    coordinates = RBV_COORDINATES_ABSOLUTE;
}

/* Three points of a beam: which two of them are farthest apart changes with L, and with L = -0.5 m two are one. */
static const char beam[] =
    "roberval: 1\nspace: planar\nparameters: {L: 0.6 m}\ngravity: [0, -9.81]\n"
    "bodies:\n"
    "  beam: {mass: 2, inertia: 0.1, centroid: [0.1, 0.02], markers: {Q: [L, 0], R: [\"-0.5[m]\", 0]}}\n"
    "  one: {mass: 1, inertia: 0.02, centroid: [0, -0.2], pose: {at: [L, 0]}}\n"
    "  two: {mass: 1.5, inertia: 0.03, centroid: [0, -0.3], pose: {at: [\"-0.5[m]\", 0]}}\n"
    "joints: {P: {type: revolute, between: [ground, beam]}, Q: {type: revolute, between: [beam.Q, one]}, R: {type: "
    "revolute, between: [beam.R, two]}}\n"
    "drives: {a: {coordinate: P.angle, motion: \"0.3*t\"}, b: {coordinate: Q.angle, motion: \"t^2\"}, c: {coordinate: "
    "R.angle, motion: \"sin(t)\"}}\n"
    "motion: {from: 0 s, to: 1 s, step: 0.5 s}\n";

/* Where reading anew would choose others, the points stay that were chosen, and numbers are the same to rounding; where
 * there are fewer, nothing is changed. */
static void natural_coordinates_keep_the_points_they_have(void **unused) {
    (void)unused;
    const Subject subject = {BESIDE "beam.yaml", beam};
    RbvModel *model = NULL, *other = NULL;
    RbvDiagnostics *said = rbv_diagnostics_create();
    assert_int_equal(read_subject(&subject, NULL, NULL, &model), RBV_OK);
    assert_int_equal(read_subject(&subject, "L=-0.8 m", NULL, &other), RBV_OK);
    coordinates = RBV_COORDINATES_NATURAL;
    RbvSystem *system = compile(model), *fresh = compile(other);
    assert_false(rbv_coordinates_compatible(&system->coordinates, &fresh->coordinates));
    Answer before = ask(system), requested = ask(fresh);
    assert_int_equal(before.inverse, RBV_OK);
    const int32_t L = rbv_system_find(system, RBV_ITEM_PARAMETER, "L");
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){L, -0.5}, said), RBV_BAD_INPUT);
    assert_true(machine_says(said, RBV_ERROR, "which points and vectors its coordinates: read the model anew"));
    Answer after = ask(system);
    assert_same(&after, &before, "refused");
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){L, -0.8}, said), RBV_OK);
    Answer got = ask(system);
    assert_alike(got.motion, requested.motion, 1e-12, "with the points it has");
    assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){L, NAN}, said), RBV_OK);
    Answer back = ask(system);
    assert_same(&back, &before, "back again");
    Answer *const all[] = {&before, &requested, &after, &got, &back};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        forget(all[k]);
    rbv_system_destroy(system);
    rbv_system_destroy(fresh);
    rbv_model_destroy(model);
    rbv_model_destroy(other);
    rbv_diagnostics_destroy(said);
    coordinates = RBV_COORDINATES_ABSOLUTE;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_may_stand_anywhere),
        cmocka_unit_test(evaluations_go_on_from_the_last_place),
        cmocka_unit_test(paths_on_one_system_are_those_on_new_models),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(texts_are_read_as_overrides),
        cmocka_unit_test(built_models_take_other_values),
        cmocka_unit_test(what_cannot_be_read_again_is_refused),
        cmocka_unit_test(joint_coordinates_take_other_values),
        cmocka_unit_test(natural_coordinates_take_other_values),
        cmocka_unit_test(natural_coordinates_keep_the_points_they_have),
        cmocka_unit_test(the_examples_with_other_values_are_those_read_with_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
