/* A loop of 1 kHz that moves an arm of seven axes along a path by computed torques: the arm's own model gives the
 * efforts of the wanted acceleration, feedback what the model does not know: the real arm carries a load that the model
 * first has not, and then has.
 * usage: computed_torque      prints the error of tracking; ends with 1 where it is larger than it should be */
#include <roberval/roberval.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define AXES 7
#define RATE 1000     /* [Hz] of the loop */
#define PLANT_STEPS 4 /* of the arm's motion in one turn of the loop */
#define PI 3.14159265358979324

/* KUKA iiwa 14: frames, masses, centres, moments of inertia (IFL-CAMP/iiwa_stack, iiwa14.urdf); turns in right angles
 * about x, y, z. */
static const struct Axis {
    const char *name;
    double place[3], turns[3], mass, centre[3], moments[3];
} axes[AXES] = {
    {"link1", {0, 0, .1575}, {0, 0, 0}, 4, {0, -.03, .12}, {.1, .09, .02}},
    {"link2", {0, 0, .2025}, {1, 0, 2}, 4, {.0003, .059, .042}, {.05, .018, .044}},
    {"link3", {0, .2045, 0}, {1, 0, 2}, 3, {0, .03, .13}, {.08, .075, .01}},
    {"link4", {0, 0, .2155}, {1, 0, 0}, 2.7, {0, .067, .034}, {.03, .01, .029}},
    {"link5", {0, .1845, 0}, {-1, 2, 0}, 1.7, {.0001, .021, .076}, {.02, .018, .005}},
    {"link6", {0, 0, .2155}, {1, 0, 0}, 1.8, {0, .0006, .0004}, {.005, .0036, .0047}},
    {"link7", {0, .081, 0}, {-1, 2, 0}, .3, {0, 0, .02}, {.001, .001, .001}},
};

/* The quaternion of turns about x, then y, then z of the joint's parent. */
static void quaternion(const double turns[3], double out[4]) {
    double c[3], s[3];
    for (int k = 0; k < 3; k++)
        c[k] = cos(turns[k] * PI / 4), s[k] = sin(turns[k] * PI / 4);
    out[0] = c[2] * c[1] * c[0] + s[2] * s[1] * s[0];
    out[1] = c[2] * c[1] * s[0] - s[2] * s[1] * c[0];
    out[2] = c[2] * s[1] * c[0] + s[2] * c[1] * s[0];
    out[3] = s[2] * c[1] * c[0] - c[2] * s[1] * s[0];
}

static RbvTree *arm(void) {
    const double gravity[3] = {0, 0, -9.81};
    RbvTreeBody bodies[AXES];
    for (int k = 0; k < AXES; k++) {
        bodies[k] = rbv_tree_body_default; /* a revolute joint about z */
        bodies[k].name = axes[k].name;
        bodies[k].parent = k - 1;
        bodies[k].mass = axes[k].mass;
        memcpy(bodies[k].place, axes[k].place, sizeof axes[k].place);
        memcpy(bodies[k].centre, axes[k].centre, sizeof axes[k].centre);
        memcpy(bodies[k].inertia, axes[k].moments, sizeof axes[k].moments);
        quaternion(axes[k].turns, bodies[k].turn);
        bodies[k].damping[0] = 0.1;
    }
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvTree *tree = NULL;
    if (rbv_tree_create(AXES, bodies, gravity, diagnostics, &tree) != RBV_OK)
        fprintf(stderr, "%s\n",
                rbv_diagnostics_count(diagnostics) ? rbv_diagnostics_at(diagnostics, 0).message : "no memory");
    rbv_diagnostics_destroy(diagnostics);
    return tree;
}

/* The path: each axis swings, slowly at first. */
static void requested(double t, double *q, double *v, double *a) {
    for (int k = 0; k < AXES; k++) {
        double w = 1 + 0.3 * k, size = 0.6 - 0.05 * k;
        q[k] = size * (1 - cos(w * t)), v[k] = size * w * sin(w * t), a[k] = size * w * w * cos(w * t);
    }
}

/* One step of the arm by Runge and Kutta's method of fourth order, its efforts constant. */
static void move_arm(const RbvTree *tree, RbvTreeWorkspace *workspace, const double *tau, double h, double *q,
                     double *v) {
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double dq[AXES] = {0}, dv[AXES] = {0}, sum_q[AXES] = {0}, sum_v[AXES] = {0}, x[AXES], y[AXES];
    for (int stage = 0; stage < 4; stage++) {
        for (int k = 0; k < AXES; k++)
            x[k] = q[k] + part[stage] * h * dq[k], y[k] = v[k] + part[stage] * h * dv[k];
        rbv_tree_forward(tree, workspace, NULL, x, y, tau, NULL, dv);
        for (int k = 0; k < AXES; k++)
            dq[k] = y[k], sum_q[k] += weight[stage] * dq[k], sum_v[k] += weight[stage] * dv[k];
    }
    for (int k = 0; k < AXES; k++)
        q[k] += h * sum_q[k], v[k] += h * sum_v[k];
}

/* Five seconds of the loop. The largest error of any axis after the first second [rad]; axis by axis to worst. */
static double track(const RbvTree *model, const RbvTree *real, RbvTreeWorkspace *workspace, double worst[AXES]) {
    double q[AXES], v[AXES], qd[AXES], vd[AXES], ad[AXES], a[AXES], tau[AXES], most = 0;
    memset(worst, 0, AXES * sizeof *worst);
    requested(0, q, v, ad);
    for (int turn = 0; turn < 5 * RATE; turn++) {
        requested((double)turn / RATE, qd, vd, ad);
        for (int k = 0; k < AXES; k++)
            a[k] = ad[k] + 2 * 30 * (vd[k] - v[k]) +
                   30 * 30 * (qd[k] - q[k]); /* errors die out with 30/s, without swinging */
        rbv_tree_inverse(model, workspace, NULL, q, v, a, NULL, tau, NULL);
        for (int k = 0; k < AXES && turn > RATE; k++)
            worst[k] = fmax(worst[k], fabs(q[k] - qd[k]));
        for (int step = 0; step < PLANT_STEPS; step++)
            move_arm(real, workspace, tau, 1.0 / (RATE * PLANT_STEPS), q, v);
    }
    for (int k = 0; k < AXES; k++)
        most = worst[k] <= most ? most : worst[k];
    return most;
}

int main(void) {
    RbvTree *model = arm(), *real = arm();
    RbvTreeWorkspace *workspace = NULL;
    if (!model || !real || rbv_tree_workspace_create(model, 1, &workspace) != RBV_OK)
        return 1;
    /* what the hand carries: 0.2 kg, 8 cm before the flange */
    const double mass = 0.5, centre[3] = {0, 0, (0.3 * 0.02 + 0.2 * 0.08) / 0.5},
                 inertia[6] = {0.0015, 0.0015, 0.0011, 0, 0, 0};
    double without[AXES], with[AXES];
    if (rbv_tree_set_body(real, AXES - 1, mass, centre, inertia, NULL) != RBV_OK)
        return 1;
    double unknown = track(model, real, workspace, without);
    if (rbv_tree_set_body(model, AXES - 1, mass, centre, inertia, NULL) != RBV_OK)
        return 1;
    double known = track(model, real, workspace, with);
    printf("largest error [rad]   load unknown   load known\n");
    for (int k = 0; k < AXES; k++)
        printf("%-20s %13.5f %12.5f\n", axes[k].name, without[k], with[k]);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(model);
    rbv_tree_destroy(real);
    return !(unknown < 0.08 && known < 0.005);
}
