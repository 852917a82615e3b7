/* The share of random starting poses from which assembly succeeds, and its time: poses are placed within the size of
 * the mechanism and turned at will. A success is one whose rows all hold to 1e-9 of the size. */
#include "machines.h"
#include "solution/assembly/assemble.h"

typedef struct Machine {
    const char *name, *text;
} Machine;

static const char slider_crank[] =
    "roberval: 1\nspace: planar\nbodies:\n  crank: {pose: {at: [0, 0]}, markers: {O: [0, 0], A: [0.1, 0]}}\n"
    "  rod: {pose: {at: [0.1, 0]}, markers: {A: [0, 0], B: [0.3, 0]}}\n  slider: {pose: {at: [0.4, 0]}, markers: {B: "
    "[0, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground, crank.O]}\n  A: {type: revolute, between: [crank.A, rod.A]}\n"
    "  B: {type: revolute, between: [rod.B, slider.B]}\n  guide: {type: prismatic, between: [ground, slider.B]}\n"
    "drives: {motor: {coordinate: O.angle, motion: 0.7}}\n";

static const char six_bar[] =
    "roberval: 1\nspace: planar\nbodies:\n  ground: {markers: {A: [0, 0], B: [3, 0], C: [4.5, -0.2]}}\n"
    "  two: {markers: {A: [0, 0], P: [1, 0]}}\n  three: {markers: {P: [0, 0], Q: [2.6, 0]}}\n"
    "  four: {pose: {at: [3, 0]}, markers: {B: [0, 0], Q: [1.9, 0], R: [1.1, -0.6]}}\n  five: {pose: {at: [4, 1]}, "
    "markers: {R: [0, 0], S: [1.6, 0]}}\n"
    "  six: {pose: {at: [4.5, 0]}, markers: {C: [0, 0], S: [1.3, 0]}}\njoints:\n  A: {type: revolute, between: "
    "[ground.A, two.A]}\n"
    "  P: {type: revolute, between: [two.P, three.P]}\n  Q: {type: revolute, between: [three.Q, four.Q]}\n"
    "  B: {type: revolute, between: [ground.B, four.B]}\n  R: {type: revolute, between: [four.R, five.R]}\n"
    "  S: {type: revolute, between: [five.S, six.S]}\n  C: {type: revolute, between: [ground.C, six.C]}\n"
    "drives: {motor: {coordinate: A.angle, motion: 0.9}}\n";

#define STARTS 1000

static double random_number(uint64_t *seed) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static void measure(const Machine *machine) {
    RbvModel *model;
    RbvSystem *system = bench_system(machine->text, &model);
    uint64_t seed = 12345;
    int good = 0, without = 0;
    double start = bench_seconds();
    for (int n = 0; system && n < STARTS; n++) {
        RbvState *state = rbv_state_create(system);
        for (int32_t b = 1; b < system->bodies.count; b++) {
            double *x = state->q + system->bodies.start[b];
            x[0] += rbv_state_body_size(state, 1) * random_number(&seed);
            x[1] += rbv_state_body_size(state, 1) * random_number(&seed);
            x[2] += 3.14159 * random_number(&seed);
        }
        RbvAssembly assembly = {0};
        RbvStatus status = rbv_assemble(state, 0, NULL, &assembly);
        bool holds = status == RBV_OK;
        rbv_state_place(state);
        for (int32_t k = 0; k < system->row_count; k++)
            holds = holds && state->phi[k] * state->phi[k] < 1e-18;
        good += holds;
        without += holds && assembly.restarts == 0;
        rbv_state_destroy(state);
    }
    double each = (bench_seconds() - start) / STARTS;
    printf("%-14s %5.1f %% of %d random starts assemble, %5.1f %% without a restart, %7.1f us each\n", machine->name,
           100.0 * good / STARTS, STARTS, 100.0 * without / STARTS, 1e6 * each);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

int main(void) {
    char *train = bench_train(5);
    const Machine machines[] = {
        {"four-bar", bench_four_bar}, {"slider-crank", slider_crank}, {"six-bar", six_bar}, {"train of 5", train}};
    for (size_t k = 0; k < sizeof machines / sizeof machines[0]; k++)
        if (machines[k].text)
            measure(&machines[k]);
    free(train);
    return 0;
}
