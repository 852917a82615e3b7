/* The scene of a result: wrenches of all things of each body, with its weight, are what Newton and Euler ask of its
 * motion; and what the functions refuse.
 *
 *   sum F + m g = m a,  sum ((p - c) x F + T) = J alpha + w x J w,  c the centroid, accelerations those that kinematics
 *                       prints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <roberval/roberval.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the largest force times the size: rounding of some hundred sums. */
#define FIT 1e-11

static const char arm[] =
    "roberval: 1\nspace: spatial\ngravity: [0.5, -1, -9.81]\n"
    "bodies:\n"
    "  ground: {markers: {A: {at: [0.1, 0, 0.2], axis: [1, 2, 3]}, S: [1, 1, 1], H: {at: [0.4, 0.3, 0.2], axis: [1, 0, "
    "1]}}}\n"
    "  upper: {mass: 2, inertia: [0.1, 0.2, 0.25, 0.01, 0.02, -0.01], centroid: [0.3, 0.1, 0.05], pose: {at: [0.1, 0, "
    "0.2]}, markers: {A: {at: [0, 0, 0], axis: [1, 2, 3]}, B: {at: [0.5, 0.2, 0.1], axis: [0, 1, 1]}}}\n"
    "  slide: {mass: 1, inertia: [0.05, 0.06, 0.07], pose: {at: [0.6, 0.2, 0.3]}, markers: {B: {at: [0, 0, 0], axis: "
    "[0, 1, 1]}, C: {at: [0.1, 0.2, 0], axis: [1, 0, 0], x: [0, 0, 1]}}}\n"
    "  hand: {mass: 0.5, inertia: [0.02, 0.03, 0.04], centroid: [0.05, 0, 0], pose: {at: [0.7, 0.4, 0.3]}, markers: "
    "{C: {at: [0, 0, 0], axis: [1, 0, 0], x: [0, 0, 1]}, T: [0.1, 0.1, 0]}}\n"
    "joints:\n"
    "  shoulder: {type: revolute, between: [ground.A, upper.A]}\n"
    "  rail: {type: prismatic, between: [upper.B, slide.B]}\n"
    "  wrist: {type: revolute, between: [slide.C, hand.C]}\n"
    "drives: {one: {coordinate: shoulder.angle, motion: t + t^2}, two: {coordinate: rail.distance, motion: "
    "0.1*sin(3*t)}, three: {coordinate: wrist.angle, motion: 2*t^2}}\n"
    "loads:\n"
    "  pull: {type: force, to: hand.T, value: [3, 4*t, 5], frame: body}\n"
    "  push: {type: force, to: slide.C, value: [1, 2, \"x(hand)\"]}\n"
    "  twist: {type: torque, to: upper, value: [1, 2, 3], frame: body}\n"
    "  coil: {type: spring, between: [ground.S, hand.T], stiffness: 50, free_length: 0.3, damping: 2}\n"
    "  ram: {type: spring, joint: rail, stiffness: 70, free_length: -0.2}\n"
    "  watch: {type: torsion-spring, joint: wrist, stiffness: 1, free_angle: 0.3}\n"
    "motion: {from: 0, to: 1, step: 0.1}\n";

static const char press[] =
    "roberval: 1\nspace: planar\ngravity: [1, -9.81]\n"
    "bodies:\n"
    "  ground: {markers: {A: {at: [0, 0], angle: 20 deg}, D: [0.8, 0], Q: [-0.3, -0.2], W: [0, 0.5]}}\n"
    "  crank: {mass: 2, inertia: 0.1, centroid: [0.1, 0.02], pose: {at: [0, 0], angle: 60 deg}, markers: {A: [0, 0], "
    "B: [0.2, 0]}}\n"
    "  rod: {mass: 1, inertia: 0.05, centroid: [0.3, 0], pose: {at: [0.1, 0.17]}, markers: {B: {at: [0, 0], angle: 30 "
    "deg}, C: [0.7, 0.1]}}\n"
    "  rocker: {mass: 1, inertia: 0.06, pose: {at: [0.8, 0], angle: 90 deg}, markers: {D: [0, 0], C: [0.35, 0]}}\n"
    "  wheel: {mass: 1, inertia: 0.02, pose: {at: [0, 0.5]}, markers: {O: [0, 0]}}\n"
    "  weight: {mass: 0.3, inertia: 0.01, pose: {at: [0.8, 0.7]}, markers: {P: [0, 0]}}\n"
    "joints:\n"
    "  a: {type: revolute, between: [ground.A, crank.A]}\n"
    "  b: {type: revolute, between: [crank.B, rod.B]}\n"
    "  c: {type: revolute, between: [rod.C, rocker.C]}\n"
    "  d: {type: revolute, between: [ground.D, rocker.D]}\n"
    "  w: {type: revolute, between: [ground.W, wheel.O]}\n"
    "  mesh: {type: gear, between: [crank.A, wheel.O], radii: [0.2, 0.3]}\n"
    "  rope: {type: link, between: [rocker.C, weight.P]}\n"
    "  way: {type: general, locked: [x, rz], between: [ground.D, weight.P], value: 0}\n"
    "drives: {ram: {coordinate: \"distance(ground.Q, crank.B)\", motion: \"0.5 + 0.05*sin(2*t)\"}}\n"
    "loads: {bush: {type: bushing, between: [ground.W, rod.C], stiffness: [10, 20, 3], damping: [1, 2, 0.1]}, turn: "
    "{type: torque, to: rocker, value: 2*t}}\n"
    "motion: {from: 0, to: 1, step: 0.1}\n";

typedef struct Vector {
    double x[3];
} Vector;

static Vector sum(Vector a, double k, Vector b) {
    return (Vector){{a.x[0] + k * b.x[0], a.x[1] + k * b.x[1], a.x[2] + k * b.x[2]}};
}

static Vector cross(Vector a, Vector b) {
    return (Vector){
        {a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2], a.x[0] * b.x[1] - a.x[1] * b.x[0]}};
}

static Vector vector(const double x[3]) {
    return (Vector){{x[0], x[1], x[2]}};
}

/* v turned by the unit quaternion p: v + 2 w e x v + 2 e x (e x v). */
static Vector turned(const double p[4], Vector v, double way) {
    Vector e = {{way * p[1], way * p[2], way * p[3]}}, u = cross(e, v);
    return sum(sum(v, 2 * p[0], u), 2, cross(e, u));
}

typedef struct Machine {
    RbvModel *model;
    RbvSystem *system;
    RbvResult *forces, *motion;
    const RbvScene *scene;
} Machine;

static Machine open_machine(const char *text, RbvFrame frame) {
    Machine m = {0};
    RbvInput input = {.path = "machine.yaml", .text = text, .length = strlen(text), .scene = true};
    RbvOptions options = rbv_options_default;
    RbvDiagnostics *said = rbv_diagnostics_create();
    options.scene = true;
    options.reactions.frame = frame;
    bool good = rbv_model_read(&input, said, &m.model) == RBV_OK &&
                rbv_system_create(m.model, NULL, said, &m.system) == RBV_OK &&
                rbv_inverse(m.system, &options, said, &m.forces) == RBV_OK &&
                rbv_kinematics(m.system, NULL, said, &m.motion) == RBV_OK;
    for (int32_t k = 0; !good && k < rbv_diagnostics_count(said); k++)
        print_error("%s\n", rbv_diagnostics_at(said, k).message);
    assert_true(good);
    rbv_diagnostics_destroy(said);
    m.scene = rbv_result_scene(m.forces);
    assert_non_null(m.scene);
    assert_null(rbv_result_scene(m.motion)); /* it was not asked for one */
    return m;
}

static void close_machine(Machine *m) {
    rbv_result_destroy(m->forces);
    rbv_result_destroy(m->motion);
    rbv_system_destroy(m->system);
    rbv_model_destroy(m->model);
}

/* Three columns of a body, of those in the plane that there are. */
static Vector read_three(const Machine *m, int32_t sample, const char *body, const char *const names[3]) {
    Vector v = {{0, 0, 0}};
    for (int k = 0; k < 3; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", body, names[k]);
        int32_t column = rbv_result_find(m->motion, name);
        v.x[k] = column >= 0 ? rbv_result_value(m->motion, sample, column) : 0;
    }
    return v;
}

/* J v for the tensor in body axes: diagonal and products. */
static Vector momentum(const double J[6], const double turn[4], Vector w) {
    Vector u = turned(turn, w, -1);
    return turned(
        turn,
        (Vector){{J[0] * u.x[0] + J[3] * u.x[1] + J[4] * u.x[2], J[3] * u.x[0] + J[1] * u.x[1] + J[5] * u.x[2],
                  J[4] * u.x[0] + J[5] * u.x[1] + J[2] * u.x[2]}},
        1);
}

static void check_body(const Machine *m, int32_t sample, int32_t b, const double J[6], Vector gravity) {
    const RbvSceneBody *body = &m->scene->bodies[b];
    double at[3], turn[4], point[3], largest = 0;
    assert_true(rbv_result_pose(m->forces, sample, b, at, turn));
    assert_true(rbv_result_point(m->forces, sample, b, body->centroid, point));
    Vector c = vector(point), F = {{0, 0, 0}}, T = {{0, 0, 0}};
    bool flat = !m->scene->spatial;
    F = sum(F, body->mass, gravity);
    for (int32_t k = 0; k < m->scene->item_count; k++) {
        const RbvSceneItem *item = &m->scene->items[k];
        RbvSceneWrench wrench;
        if (!rbv_result_wrench(m->forces, sample, k, &wrench))
            continue;
        for (int side = 0; side < 2; side++) {
            int32_t marker = item->marker[side] >= 0 ? item->marker[side] : side ? item->point : -1;
            if (marker < 0 || m->scene->markers[marker].body != b)
                continue;
            double way = side ? 1 : -1;
            F = sum(F, way, vector(wrench.force));
            T = sum(T, way,
                    sum(vector(wrench.torque), 1, cross(sum(vector(wrench.point), -1, c), vector(wrench.force))));
            for (int n = 0; n < 3; n++)
                largest = fmax(largest, fmax(fabs(wrench.force[n]), fabs(wrench.torque[n])));
        }
    }
    static const char *const second[] = {"ax", "ay", "az"}, *const spin[] = {"omegax", "omegay", "omegaz"},
                             *const more[] = {"alphax", "alphay", "alphaz"};
    static const char *const flat_spin[] = {"-", "-", "omega"}, *const flat_more[] = {"-", "-", "alpha"};
    Vector w = read_three(m, sample, body->name, flat ? flat_spin : spin),
           alpha = read_three(m, sample, body->name, flat ? flat_more : more), arm_of = sum(c, -1, vector(at));
    Vector a =
        sum(sum(read_three(m, sample, body->name, second), 1, cross(alpha, arm_of)), 1, cross(w, cross(w, arm_of)));
    Vector rest = sum(F, -body->mass, a),
           twist = sum(sum(T, -1, momentum(J, turn, alpha)), -1, cross(w, momentum(J, turn, w)));
    for (int k = 0; k < 3; k++)
        if (!(fabs(rest.x[k]) <= FIT * largest) || (!(fabs(twist.x[k]) <= FIT * largest) && !(flat && k < 2))) {
            print_error("%s at sample %d: left %g N, %g N m along %d of %g\n", body->name, (int)sample, rest.x[k],
                        twist.x[k], k, largest);
            fail();
        }
}

static void check_all(const char *text, RbvFrame frame, const double (*J)[6], Vector gravity) {
    Machine m = open_machine(text, frame);
    for (int32_t sample = 0; sample < rbv_result_counts(m.forces).samples; sample++)
        for (int32_t b = 1; b < m.scene->body_count; b++)
            check_body(&m, sample, b, J[b - 1], gravity);
    close_machine(&m);
}

static void wrenches_of_space_obey_newton_and_euler(void **state) {
    (void)state;
    static const double J[3][6] = {
        {0.1, 0.2, 0.25, 0.01, 0.02, -0.01}, {0.05, 0.06, 0.07, 0, 0, 0}, {0.02, 0.03, 0.04, 0, 0, 0}};
    check_all(arm, RBV_FRAME_JOINT, J, (Vector){{0.5, -1, -9.81}});
    check_all(arm, RBV_FRAME_GROUND, J, (Vector){{0.5, -1, -9.81}});
}

static void wrenches_of_the_plane_obey_newton_and_euler(void **state) {
    (void)state;
    static const double J[5][6] = {{0, 0, 0.1, 0, 0, 0},
                                   {0, 0, 0.05, 0, 0, 0},
                                   {0, 0, 0.06, 0, 0, 0},
                                   {0, 0, 0.02, 0, 0, 0},
                                   {0, 0, 0.01, 0, 0, 0}};
    check_all(press, RBV_FRAME_JOINT, J, (Vector){{1, -9.81, 0}});
    check_all(press, RBV_FRAME_GROUND, J, (Vector){{1, -9.81, 0}});
}

static void what_is_out_of_range_is_refused(void **state) {
    (void)state;
    Machine m = open_machine(press, RBV_FRAME_JOINT);
    double at[3], turn[4];
    RbvSceneWrench wrench;
    int32_t samples = rbv_result_counts(m.forces).samples;
    assert_true(rbv_result_pose(m.forces, -1, 1, at, turn)); /* as in the scene */
    assert_true(at[0] == m.scene->bodies[1].at[0] && turn[3] == m.scene->bodies[1].turn[3]);
    assert_false(rbv_result_pose(m.forces, samples, 1, at, turn));
    assert_false(rbv_result_pose(m.forces, 0, m.scene->body_count, at, turn));
    assert_false(rbv_result_pose(m.forces, 0, -1, at, turn));
    assert_false(rbv_result_pose(NULL, 0, 1, at, turn));
    assert_false(rbv_result_pose(m.motion, 0, 1, at, turn)); /* no scene */
    assert_false(rbv_result_wrench(m.forces, 0, m.scene->item_count, &wrench));
    assert_false(rbv_result_wrench(m.forces, samples, 0, &wrench));
    assert_false(rbv_result_wrench(m.forces, 0, -1, &wrench));
    assert_false(rbv_result_wrench(m.forces, 0, 0, NULL));
    assert_true(rbv_result_wrench(m.forces, 0, 0, &wrench) && wrench.verdict == RBV_UNIQUE);
    assert_null(rbv_result_scene(NULL));
    assert_null(rbv_result_text(m.motion, RBV_TEXT_SCENE, NULL));
    assert_false(rbv_result_is_bare(m.forces));
    const RbvResult *const both[] = {m.forces, m.motion};
    assert_null(rbv_result_report(both, 2, NULL)); /* the second has no scene */
    assert_null(rbv_result_report(both, 0, NULL));
    assert_int_equal(rbv_report_write("nowhere.html", both, 2, NULL, NULL), RBV_BAD_ARGUMENT);
    RbvResult *read = m.forces;
    assert_int_equal(rbv_result_read("/no/such/folder", NULL, &read), RBV_BAD_INPUT);
    assert_null(read);
    assert_int_equal(rbv_result_read(NULL, NULL, &read), RBV_BAD_ARGUMENT);
    close_machine(&m);
}

/* Other values of parameters: shapes are drawn as they are now, also after values that were refused. */
static void shapes_follow_parameters(void **state) {
    (void)state;
    static const char text[] =
        "roberval: 1\nspace: planar\nparameters: {r: 0.1, s: 0.2}\nbodies: {b: {shape: [{disk: {at: [s, 0], radius: "
        "r}, mass: 1}, {polygon: {points: [[0, 0], [s, 0], [0, r]]}, mass: 2}]}}\n"
        "joints: {j: {type: revolute, between: [ground, b]}}\n";
    RbvInput input = {.path = "shapes.yaml", .text = text, .length = strlen(text), .scene = true};
    RbvModel *model;
    RbvSystem *system;
    RbvOptions options = rbv_options_default;
    options.scene = true;
    assert_int_equal(rbv_model_read(&input, NULL, &model), RBV_OK);
    assert_int_equal(rbv_system_create(model, NULL, NULL, &system), RBV_OK);
    const double radii[] = {0.1, 0.3, -1, 0.4}, drawn[] = {0.1, 0.3, 0.3, 0.4};
    for (int k = 0; k < 4; k++) {
        const RbvParameterValue value = {rbv_system_find(system, RBV_ITEM_PARAMETER, "r"), radii[k]};
        assert_int_equal(rbv_system_set_parameters(system, 1, &value, NULL), radii[k] > 0 ? RBV_OK : RBV_BAD_INPUT);
        RbvResult *result;
        assert_int_equal(rbv_check(system, &options, NULL, &result), RBV_OK);
        const RbvSceneFigure *figures = rbv_result_scene(result)->figures;
        assert_true(figures[0].kind == RBV_SCENE_CIRCLE && figures[0].radius == drawn[k] && figures[0].at[0] == 0.2);
        assert_true(figures[1].kind == RBV_SCENE_LINE && figures[1].count == 3 && figures[1].points[7] == drawn[k] &&
                    figures[1].points[3] == 0.2);
        rbv_result_destroy(result);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void the_text_tells_which_analysis(void **state) {
    (void)state;
    static const char head[] =
        "roberval: 1\nspace: planar\nbodies: {b: {%s}}\njoints: {j: {type: %s, between: [ground, b]}}\n%s";
    static const struct {
        const char *body, *type, *rest, *name;
    } cases[] = {{"mass: 1, inertia: 1", "revolute",
                  "drives: {d: {coordinate: j.angle, motion: t}}\nmotion: {from: 0, to: 1, step: 1}\n", "inverse"},
                 {"markers: {A: [0, 0]}", "revolute",
                  "drives: {d: {coordinate: j.angle, motion: t}}\nmotion: {from: 0, to: 1, step: 1}\n", "kinematics"},
                 {"mass: 1, inertia: 1", "revolute", "motion: {from: 0, to: 1, step: 1}\n", "simulate"},
                 {"mass: 1, inertia: 1, centroid: [1, 0]", "revolute", "gravity: [0, -9.81]\n", "statics"},
                 {"mass: 1, inertia: 1", "revolute", "", "check"}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        char text[600];
        int length = snprintf(text, sizeof text, head, cases[k].body, cases[k].type, cases[k].rest);
        RbvModel *model;
        RbvSystem *system;
        const char *name;
        assert_int_equal(
            rbv_model_read(&(RbvInput){.path = "choose.yaml", .text = text, .length = (size_t)length}, NULL, &model),
            RBV_OK);
        assert_int_equal(rbv_system_create(model, NULL, NULL, &system), RBV_OK);
        assert_int_equal(rbv_analysis_choose(system, NULL, &name), RBV_OK);
        assert_string_equal(name, cases[k].name);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrenches_of_space_obey_newton_and_euler),
        cmocka_unit_test(wrenches_of_the_plane_obey_newton_and_euler),
        cmocka_unit_test(what_is_out_of_range_is_refused),
        cmocka_unit_test(shapes_follow_parameters),
        cmocka_unit_test(the_text_tells_which_analysis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
