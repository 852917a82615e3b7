/* From random starts of eight mechanisms: the share that reaches a stable equilibrium, steps and time per solve, for
 * each method; and how the default grows with the links of a hanging chain. Each mechanism has a stable equilibrium.
 * A success is one whose force left over is below ten times what the program asks of itself and whose stability is
 * "stable" (or "neutral" where a part may spin freely). Starts are the mechanism's own poses, turned and moved at
 * random, then assembled. */
#include "machines.h"
#include "model/result/result.h"
#include "solution/assembly/assemble.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"

typedef struct Machine {
    const char *name, *text;
} Machine;

#define PLANE "roberval: 1\nspace: planar\ngravity: [0, -9.81]\n"
#define SPACE "roberval: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"

static const Machine machines[] = {
    {"two bars on a wall", PLANE "bodies:\n  one: {mass: 1, inertia: 0.3333, pose: {at: [0.3, -0.9], angle: -1.2}, "
                                 "markers: {O: [-1, 0], A: [1, 0]}}\n"
                                 "  two: {mass: 1, inertia: 0.3333, pose: {at: [1.3, -2.4], angle: -0.7}, markers: {A: "
                                 "[-1, 0], tip: [1, 0]}}\n  ground: {markers: {wall: [2, 0]}}\n"
                                 "joints:\n  O: {type: revolute, between: [ground, one.O]}\n  A: {type: revolute, "
                                 "between: [one.A, two.A]}\n  wall: {type: x, between: [ground.wall, two.tip]}\n"},
    {"torsion pendulum",
     PLANE "bodies:\n  rod: {mass: 2, inertia: 0.16667, pose: {at: [0.27, 0.42], angle: 1}, markers: {O: [-0.5, 0]}}\n"
           "joints: {O: {type: revolute, between: [ground, rod.O]}}\nloads: {coil: {type: torsion-spring, joint: O, "
           "stiffness: 5, free_angle: 90 deg}}\n"},
    {"double pendulum", PLANE
     "bodies:\n  one: {mass: 3, inertia: 0.36, pose: {at: [0.5, -0.4], angle: -0.7}, markers: {O: [-0.6, 0], A: [0.6, "
     "0]}}\n"
     "  two: {mass: 2, inertia: 0.10667, pose: {at: [1.3, -1], angle: -0.5}, markers: {A: [-0.4, 0], tip: [0.4, 0]}}\n"
     "joints:\n  O: {type: revolute, between: [ground, one.O]}\n  A: {type: revolute, between: [one.A, two.A]}\n"
     "loads: {pull: {type: force, to: two.tip, value: [25, 0], frame: ground}}\n"},
    {"four-bar with a spring", PLANE
     "bodies:\n  ground: {markers: {A: [0, 0], D: [0.4, 0], F: [0.1, 0.5]}}\n  crank: {mass: 0.5, inertia: 0.001, "
     "centroid: [0.05, 0], markers: {B: [0.1, 0]}}\n"
     "  coupler: {mass: 1.2, inertia: 0.012, centroid: [0.175, 0], pose: {at: [0.05, 0.087], angle: 0.6}, markers: {C: "
     "[0.35, 0], M: [0.175, 0.1]}}\n"
     "  rocker: {mass: 1, inertia: 0.008, centroid: [0.15, 0], pose: {at: [0.4, 0], angle: 1.8}, markers: {C: [0.3, "
     "0]}}\n"
     "joints:\n  A: {type: revolute, between: [ground.A, crank]}\n  B: {type: revolute, between: [crank.B, coupler]}\n"
     "  C: {type: revolute, between: [coupler.C, rocker.C]}\n  D: {type: revolute, between: [ground.D, rocker]}\n"
     "loads: {spring: {type: spring, between: [ground.F, coupler.M], stiffness: 150, free_length: 0.2}}\n"},
    {"von Mises truss",
     PLANE "bodies:\n  ground: {markers: {L: [-1, 0], R: [1, 0], Z: {at: [0, 0], angle: 90 deg}}}\n  top: {mass: 1, "
           "inertia: 0.01, pose: {at: [0, 0.2], angle: 90 deg}}\n"
           "joints: {guide: {type: prismatic, between: [ground.Z, top]}}\n"
           "loads:\n  l: {type: spring, between: [ground.L, top], stiffness: 5000, free_length: 1.02}\n  r: {type: "
           "spring, between: [ground.R, top], stiffness: 5000, free_length: 1.02}\n"},
    {"four hinges in space", SPACE
     "bodies:\n  ground: {markers: {A: [0, 0, 0], D: [0.4, 0, 0], F: [0.2, 0.3, 0]}}\n"
     "  crank: {mass: 0.5, inertia: [1e-4, 5e-4, 5e-4], centroid: [0.05, 0, 0], pose: {at: [0, 0, 0], rotate: {axis: "
     "[0, 0, 1], angle: 1}}, markers: {B: [0.1, 0, 0]}}\n"
     "  coupler: {mass: 1.2, inertia: [1e-4, 0.012, 0.012], centroid: [0.17, 0, 0], pose: {at: [0.05, 0.087, 0], "
     "rotate: {axis: [0, 0, 1], angle: 0.6}}, markers: {C: [0.35, 0, 0]}}\n"
     "  rocker: {mass: 1, inertia: [1e-4, 0.008, 0.008], centroid: [0.15, 0, 0], pose: {at: [0.4, 0, 0], rotate: "
     "{axis: [0, 0, 1], angle: 1.8}}, markers: {C: [0.3, 0, 0]}}\n"
     "joints:\n  A: {type: revolute, between: [ground.A, crank]}\n  B: {type: revolute, between: [crank.B, coupler]}\n"
     "  C: {type: revolute, between: [coupler.C, rocker.C]}\n  D: {type: revolute, between: [ground.D, rocker]}\n"
     "loads: {spring: {type: spring, between: [ground.F, coupler.C], stiffness: 100, free_length: 0.1}}\n"},
    {"chain of five balls",
     SPACE "bodies:\n"
           "  a: {mass: 1, inertia: [0.01, 0.02, 0.02], pose: {at: [0.15, 0, 0]}, markers: {s: [-0.15, 0, 0], e: "
           "[0.15, 0, 0]}}\n  b: {mass: 1, inertia: [0.01, 0.02, 0.02], pose: {at: [0.45, 0, 0]}, markers: {s: [-0.15, "
           "0, 0], e: [0.15, 0, 0]}}\n"
           "  c: {mass: 1, inertia: [0.01, 0.02, 0.02], pose: {at: [0.75, 0, 0]}, markers: {s: [-0.15, 0, 0], e: "
           "[0.15, 0, 0]}}\n  d: {mass: 1, inertia: [0.01, 0.02, 0.02], pose: {at: [1.05, 0, 0]}, markers: {s: [-0.15, "
           "0, 0], e: [0.15, 0, 0]}}\n"
           "  ground: {markers: {E: [0.8, 0.1, 0]}}\njoints:\n  A: {type: spherical, between: [ground, a.s]}\n  B: "
           "{type: universal, between: [a.e, b.s]}\n  C: {type: universal, between: [b.e, c.s]}\n"
           "  D: {type: universal, between: [c.e, d.s]}\n  E: {type: spherical, between: [ground.E, d.e]}\n"},
    {"platform on six springs",
     SPACE "bodies:\n  ground: {markers: {a: [1, 0, 0], b: [-0.5, 0.87, 0], c: [-0.5, -0.87, 0]}}\n"
           "  top: {mass: 20, inertia: [1, 1, 2], pose: {at: [0, 0, 0.8]}, markers: {a: [0.25, 0.43, 0], b: [-0.5, 0, "
           "0], c: [0.25, -0.43, 0]}}\n"
           "loads:\n  s1: {type: spring, between: [ground.a, top.a], stiffness: 3000, free_length: 1}\n  s2: {type: "
           "spring, between: [ground.b, top.a], stiffness: 3000, free_length: 1}\n"
           "  s3: {type: spring, between: [ground.b, top.b], stiffness: 3000, free_length: 1}\n  s4: {type: spring, "
           "between: [ground.c, top.b], stiffness: 3000, free_length: 1}\n"
           "  s5: {type: spring, between: [ground.c, top.c], stiffness: 3000, free_length: 1}\n  s6: {type: spring, "
           "between: [ground.a, top.c], stiffness: 3000, free_length: 1}\n"},
};

#define MACHINES ((int)(sizeof machines / sizeof machines[0]))
#define STARTS 1000

static const struct {
    const char *name;
    RbvEquilibriumMethod *go;
} methods[] = {{"energy", rbv_equilibrium_by_energy},
               {"lagrange", rbv_equilibrium_by_lagrange},
               {"penalty", rbv_equilibrium_by_penalty},
               {"virtual-power", rbv_equilibrium_by_virtual_power},
               {"relaxation", rbv_equilibrium_by_relaxation}};

typedef struct Count {
    int tried, rested, stable, steps;
    double time;
} Count;

static bool shaken(RbvState *state, const RbvSystem *system, uint64_t seed) {
    double *step = calloc((size_t)system->coordinates.size + 1, sizeof *step);
    RbvAssembly assembly = {.driven = true};
    bool good = step != NULL;
    if (good) {
        rbv_shake(state, system->start_q, 3.14159, 0.5, &seed, step);
        good = rbv_assemble_position(state, 0, NULL, &assembly) == RBV_OK;
    }
    free(step);
    return good;
}

static void try(const RbvSystem *system, int method, uint64_t seed, Count *count) {
    RbvState *state = rbv_state_create(system);
    if (!shaken(state, system, seed)) {
        rbv_state_destroy(state);
        return;
    }
    count->tried++;
    double start = bench_seconds();
    RbvEquilibriumSearch rest = {0};
    RbvStability stability = {0};
    RbvBalance *balance = rbv_balance_create(state, false);
    bool good = balance && rbv_balance_evaluate(balance) && rbv_equilibrium_create(&rest, balance, NULL) == RBV_OK;
    good = good && methods[method].go(&rest) == RBV_OK &&
           rbv_balance_residual(balance, balance->lambda) <= 10 * rbv_equilibrium_tolerance(&rest);
    count->time += bench_seconds() - start;
    good = good && rbv_stability_find(balance, true, rest.position_error, &stability) == RBV_OK;
    count->rested += good;
    count->steps += good ? rest.steps : 0;
    count->stable += good && (stability.kind == RBV_STABLE || stability.kind == RBV_NEUTRAL);
    free(stability.direction);
    rbv_equilibrium_destroy(&rest);
    rbv_balance_destroy(balance);
    rbv_state_destroy(state);
}

/* A cable of knots and rods in space between two points, from a V swung out of its plane. */
static char *cable(int links) {
    char *text = malloc(300 * (size_t)links + 1000);
    int used = sprintf(text, SPACE "bodies:\n  ground: {markers: {E: [0.6, 0, 0]}}\n");
    for (int k = 1; k < links; k++) {
        double s = (double)k / links, leg = s < 0.5 ? s : 1 - s, x = 0.6 * s;
        used += sprintf(text + used, "  K%d: {particle: true, mass: %.17g, pose: {at: [%.17g, %.17g, %.17g]}}\n", k,
                        2.0 / (links - 1), x, -0.8 * leg * sin(0.3), -0.8 * leg * cos(0.3));
    }
    used += sprintf(text + used, "joints:\n");
    for (int k = 0; k < links; k++) {
        char a[20], b[20];
        snprintf(a, sizeof a, k == 0 ? "ground" : "K%d", k);
        snprintf(b, sizeof b, k == links - 1 ? "ground.E" : "K%d", k + 1);
        used += sprintf(text + used, "  L%d: {type: link, between: [%s, %s], length: %.17g}\n", k, a, b, 1.0 / links);
    }
    return text;
}

static void grow(void) {
    printf("\na cable of so many links: compile, come to rest and judge stability\n%8s %8s %12s %16s %16s\n", "links",
           "steps", "rest [ms]", "per link [us]", "stability [ms]");
    for (int links = 10; links <= 10000; links = links % 3 == 0 ? links / 3 * 10 : links * 3) {
        char *text = cable(links);
        RbvModel *model;
        RbvSystem *system = bench_system(text, &model);
        RbvState *state = system ? rbv_state_create(system) : NULL;
        RbvAssembly assembly = {.driven = true};
        RbvEquilibriumSearch rest = {0};
        RbvStability stability = {0};
        free(text);
        if (!state || rbv_assemble_position(state, 0, NULL, &assembly) != RBV_OK)
            exit(1);
        double start = bench_seconds();
        RbvBalance *balance = rbv_balance_create(state, false);
        bool good = balance && rbv_balance_evaluate(balance) &&
                    rbv_equilibrium_create(&rest, balance, NULL) == RBV_OK &&
                    rbv_equilibrium_by_energy(&rest) == RBV_OK;
        double rested = bench_seconds();
        good = good && rbv_stability_find(balance, true, 0, &stability) == RBV_OK;
        printf("%8d %8d %12.2f %16.2f %16.2f  %s, curvature %.6f 1/s^2\n", links, (int)rest.steps,
               1e3 * (rested - start), 1e6 * (rested - start) / links, 1e3 * (bench_seconds() - rested),
               good && stability.kind == RBV_STABLE ? "stable" : "FAILED", stability.curvature);
        free(stability.direction);
        rbv_equilibrium_destroy(&rest);
        rbv_balance_destroy(balance);
        rbv_state_destroy(state);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
}

/* Models along the parameter P, counted. */
typedef struct Along {
    const char *text;
    int models;
} Along;

static RbvStatus along(void *context, double value, RbvDiagnostics *diagnostics, RbvModel **model) {
    Along *a = context;
    char override[40];
    snprintf(override, sizeof override, "P=%.17g", value);
    const char *const overrides[] = {override};
    a->models++;
    return rbv_model_read(&(RbvInput){.path = "machine.yaml",
                                      .text = a->text,
                                      .length = strlen(a->text),
                                      .override_count = 1,
                                      .overrides = overrides},
                          diagnostics, model);
}

/* A snap, a fork of a spatial truss, and a train of pendulums that a wind bends: 1, 3 and 40 freedoms. */
static void follow(void) {
    static char pendulums[8000];
    size_t used =
        (size_t)sprintf(pendulums, "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {P: 0}\nbodies:\n");
    for (int k = 0; k < 40; k++)
        used += (size_t)sprintf(
            pendulums + used,
            "  b%d: {mass: 1, inertia: 0.01, centroid: [0, -0.1], pose: {at: [0, %g]}, markers: {E: [0, -0.2]}}\n", k,
            -0.2 * k);
    used += (size_t)sprintf(pendulums + used, "joints:\n");
    for (int k = 0; k < 40; k++)
        used +=
            k == 0 ? (size_t)sprintf(pendulums + used, "  j0: {type: revolute, between: [ground, b0]}\n")
                   : (size_t)sprintf(pendulums + used, "  j%d: {type: revolute, between: [b%d.E, b%d]}\n", k, k - 1, k);
    sprintf(pendulums + used, "loads: {wind: {type: field, acceleration: [P, 0]}}\n");
    const struct {
        const char *name, *text;
        double to;
    } runs[] = {
        {"truss through its snap",
         "roberval: 1\nspace: planar\nparameters: {P: 0}\nbodies:\n  ground: {markers: {l: [-1, 0], r: [1, 0]}}\n  "
         "top: {particle: true, mass: 1, pose: {at: [0, 0.5]}}\n"
         "loads:\n  a: {type: spring, between: [ground.l, top], stiffness: 1000, free_length: 1.118033988749895}\n"
         "  b: {type: spring, between: [ground.r, top], stiffness: 1000, free_length: 1.118033988749895}\n  push: "
         "{type: force, to: top, value: [0, -P]}\n",
         80},
        {"tripod through its fork",
         SPACE "parameters: {P: 0}\nbodies:\n  ground: {markers: {a: [1, 0, 0], b: [-0.5, 0.866025403784, 0], c: "
               "[-0.5, -0.866025403784, 0]}}\n"
               "  top: {particle: true, mass: 0, pose: {at: [0, 0, 2]}}\nloads:\n  a: {type: spring, between: "
               "[ground.a, top], stiffness: 1000, free_length: 2.2360679775}\n"
               "  b: {type: spring, between: [ground.b, top], stiffness: 1000, free_length: 2.2360679775}\n  c: {type: "
               "spring, between: [ground.c, top], stiffness: 1000, free_length: 2.2360679775}\n"
               "  push: {type: force, to: top, value: [0, 0, -P]}\n",
         3500},
        {"40 pendulums in the wind", pendulums, 20}};
    printf("\nalong a parameter, judged and audited at every place\n%-28s %8s %8s %16s %16s\n", "", "places", "events",
           "models a place", "ms a place");
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
        Along a = {.text = runs[k].text};
        RbvFamily family = {.parameter = "P", .unit = "", .from = 0, .to = runs[k].to, .at = along, .context = &a};
        RbvResult *result = NULL;
        double start = bench_seconds();
        RbvStatus status = rbv_statics_follow(&family, NULL, NULL, &result);
        double time = bench_seconds() - start;
        int places = rbv_result_counts(result).samples;
        if (status != RBV_OK || places == 0) {
            printf("%-28s FAILED: %s\n", runs[k].name, rbv_status_text(status));
            exit(1);
        }
        printf("%-28s %8d %8d %16.1f %16.3f\n", runs[k].name, places, (int)result->followed.event_count,
               (double)a.models / places, 1e3 * time / places);
        rbv_result_destroy(result);
    }
}

int main(int argc, char **argv) {
    int starts = argc > 1 ? atoi(argv[1]) : STARTS;
    grow();
    follow();
    printf("\nof %d random starts: stable / at rest [%%], steps, ms per solve\n%-24s", starts, "");
    for (int m = 0; m < 5; m++)
        printf(" %-26s", methods[m].name);
    printf("\n");
    for (int k = 0; k < MACHINES; k++) {
        RbvModel *model;
        RbvSystem *system = bench_system(machines[k].text, &model);
        if (!system)
            return 1;
        printf("%-24s", machines[k].name);
        for (int m = 0; m < 5; m++) {
            Count count = {0};
            for (int n = 0; n < starts; n++)
                try(system, m, (uint64_t)(n + 1) * 0x9E3779B97F4A7C15u, &count);
            int tried = count.tried ? count.tried : 1;
            printf(" %5.1f /%6.1f %5.0f %6.3f ", 100.0 * count.stable / tried, 100.0 * count.rested / tried,
                   count.rested ? (double)count.steps / count.rested : 0, 1e3 * count.time / tried);
            fflush(stdout);
        }
        printf("\n");
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
    return 0;
}
