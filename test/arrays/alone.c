/* A controller that links libroberval-arrays and libm, and nothing else: efforts of an arm of two links and of a
 * parallelogram against closed forms, and every function of base.h. Ends with 1 and a message where one is wrong.
 *
 * Angles from x, gravity g along -y; l length, c distance of the centre of mass from the joint, m mass, I moment of
 * inertia about the centre of mass. The arm, h = m2 l1 c2:
 *
 *   tau2 = (I2 + m2 c2^2)(a1 + a2) + h cos(q2) a1 + h sin(q2) v1^2 + m2 g c2 cos(q1 + q2)
 *   tau1 = tau2 + (I1 + m1 c1^2 + m2 l1^2) a1 + h cos(q2)(a1 + a2) - h sin(q2)(v1 + v2)^2 + (m1 c1 + m2 l1) g cos(q1)
 *
 * The parallelogram: crank 1 and rocker 3 turn by q, coupler 2 is carried along circles of radius l:
 *
 *   tau = (I1 + m1 c1^2 + m2 l^2 + I3 + m3 c3^2) a + (m1 c1 + m2 l + m3 c3) g cos(q) */
#include <roberval/arrays.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the largest effort; a dozen products and sums of rounding 1e-16 each, and libm's sines. */
#define TOLERANCE 1e-13

enum { SAMPLES = 9 };

static const double gravity[3] = {0, -9.81, 0};
static int failures;

static void check(bool good, const char *claim) {
    if (!good) {
        fprintf(stderr, "%s: this does not hold\n", claim);
        failures++;
    }
}

static RbvTreeBody link(const char *name, int32_t parent, double at, double mass, double centre, double inertia) {
    RbvTreeBody body = rbv_tree_body_default;
    body.name = name;
    body.parent = parent;
    body.place[0] = at;
    body.mass = mass;
    body.centre[0] = centre;
    for (int k = 0; k < 3; k++)
        body.inertia[k] = inertia;
    return body;
}

static void arm_efforts(const RbvTreeBody *body, const double *q, const double *v, const double *a, double *tau) {
    double l1 = body[1].place[0], c1 = body[0].centre[0], c2 = body[1].centre[0], g = -gravity[1];
    double m1 = body[0].mass, m2 = body[1].mass, I1 = body[0].inertia[2], I2 = body[1].inertia[2], h = m2 * l1 * c2;
    tau[1] = (I2 + m2 * c2 * c2) * (a[0] + a[1]) + h * cos(q[1]) * a[0] + h * sin(q[1]) * v[0] * v[0] +
             m2 * g * c2 * cos(q[0] + q[1]);
    tau[0] = tau[1] + (I1 + m1 * c1 * c1 + m2 * l1 * l1) * a[0] + h * cos(q[1]) * (a[0] + a[1]) -
             h * sin(q[1]) * (v[0] + v[1]) * (v[0] + v[1]) + (m1 * c1 + m2 * l1) * g * cos(q[0]);
}

/* Efforts of SAMPLES motions, one by one and as a batch on all lanes of the machine and two threads. */
static void check_arm(void) {
    const RbvTreeBody body[2] = {link("upper", -1, 0, 2, 0.2, 0.03), link("fore", 0, 0.4, 1, 0.15, 0.01)};
    RbvTree *tree = NULL;
    RbvTreeWorkspace *workspace = NULL;
    check(rbv_tree_create(2, body, gravity, NULL, &tree) == RBV_OK, "an arm of two links is a tree");
    check(rbv_tree_workspace_create(tree, 2, &workspace) == RBV_OK, "the arm has a workspace");
    double q[SAMPLES][2], v[SAMPLES][2], a[SAMPLES][2], tau[SAMPLES][2], batch_tau[SAMPLES][2];
    for (int s = 0; s < SAMPLES; s++)
        for (int k = 0; k < 2; k++) {
            q[s][k] = sin(1 + s + 2 * k), v[s][k] = 3 * cos(2 + s * (k + 1));
            a[s][k] = 10 * sin(3 + s - k);
        }
    const RbvTreeBatch batch = {.count = SAMPLES, .layout = RBV_BY_SAMPLE, .threads = 2};
    check(rbv_tree_inverse(tree, workspace, &batch, q[0], v[0], a[0], NULL, batch_tau[0], NULL) == RBV_OK,
          "a batch of motions has efforts");
    double error = 0, largest = 0;
    for (int s = 0; s < SAMPLES; s++) {
        double expected[2];
        arm_efforts(body, q[s], v[s], a[s], expected);
        check(rbv_tree_inverse(tree, workspace, NULL, q[s], v[s], a[s], NULL, tau[s], NULL) == RBV_OK,
              "a motion has efforts");
        for (int k = 0; k < 2; k++) {
            error = fmax(error, fmax(fabs(tau[s][k] - expected[k]), fabs(batch_tau[s][k] - expected[k])));
            largest = fmax(largest, fabs(expected[k]));
        }
    }
    check(error <= TOLERANCE * largest, "efforts of the arm are those of the closed form");
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

static void check_parallelogram(void) {
    const double length = 0.3, base = 0.5;
    const RbvTreeBody body[3] = {link("crank", -1, 0, 1.5, 0.1, 0.02), link("coupler", 0, length, 2, 0.2, 0.05),
                                 link("rocker", -1, base, 0.5, 0.15, 0.01)};
    RbvClosing closing = {.body = {1, 2}, .place = {{base}, {length}}, .turn = {{1}, {1}}, .holds = RBV_CLOSE_PIN};
    const int32_t driven = 0;
    RbvTree *tree = NULL;
    RbvLinkage *linkage = NULL;
    RbvLinkageWorkspace *workspace = NULL;
    check(rbv_tree_create(3, body, gravity, NULL, &tree) == RBV_OK, "three bars are a tree");
    check(rbv_linkage_create(tree, 1, &closing, 1, &driven, NULL, &linkage) == RBV_OK, "four bars are a linkage");
    check(rbv_linkage_workspace_create(linkage, 1, &workspace) == RBV_OK, "the linkage has a workspace");
    double start[3] = {1, -1, 1};
    check(rbv_linkage_start(linkage, workspace, start) == RBV_OK, "the loop closes");
    double mass = body[0].mass * body[0].centre[0] * body[0].centre[0] + body[0].inertia[2] + body[2].inertia[2] +
                  body[1].mass * length * length + body[2].mass * body[2].centre[0] * body[2].centre[0];
    double moment =
        body[0].mass * body[0].centre[0] + body[1].mass * length + body[2].mass * body[2].centre[0]; /* [kg m] */
    for (int s = 0; s < SAMPLES; s++) {
        double q = 1 + 0.05 * s, v = 1 - 0.1 * s, a = 2 + s, tau = NAN;
        double expected = mass * a - moment * gravity[1] * cos(q);
        check(rbv_linkage_inverse(linkage, workspace, NULL, &q, &v, &a, NULL, &tau, NULL, NULL, NULL, NULL) == RBV_OK &&
                  fabs(tau - expected) <= TOLERANCE * fabs(expected) * 10,
              "the effort of the parallelogram is that of the closed form");
    }
    rbv_linkage_workspace_destroy(workspace);
    rbv_linkage_destroy(linkage);
    rbv_tree_destroy(tree);
}

/* Statuses, messages, version and words are in the library, too. */
static void check_messages(void) {
    RbvTreeBody body = link("arm", -1, 0, -1, 0, 0);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvTree *tree = NULL;
    check(rbv_tree_create(1, &body, gravity, diagnostics, &tree) == RBV_BAD_INPUT && !tree &&
              rbv_diagnostics_count(diagnostics) == 1 &&
              strstr(rbv_diagnostics_at(diagnostics, 0).message, "arm") != NULL,
          "a negative mass is refused with the body's name");
    rbv_diagnostics_clear(diagnostics);
    check(rbv_diagnostics_count(diagnostics) == 0, "a cleared list is empty");
    rbv_diagnostics_destroy(diagnostics);
    const char *const words[] = {"elbow", "shoulder"};
    char *visible = rbv_text_visible("arm\x1b");
    check(visible && strcmp(visible, "arm\\x1b") == 0, "control characters become visible");
    check(rbv_nearest_word("elbwo", 2, words) == words[0], "a misspelt word is found");
    check(strcmp(rbv_status_text(RBV_OK), "ok") == 0 && strchr(rbv_version(), '.'), "status and version have texts");
    free(visible);
}

int main(void) {
    check_arm();
    check_parallelogram();
    check_messages();
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
