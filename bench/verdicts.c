/* Verdicts of a planar scissor grid: W x W cells of two bars pinned in the middle, corner pins shared with the
 * neighbours, one pin and one slot to ground. Exactly one freedom (the grid folds), heavily redundant. Rank and the
 * verdict of every reaction, without a basis of self-stresses; the dense route (SVD) of the same grids beside it, up
 * to some 3000 rows, with the share of verdicts that agree. */
#include "machines.h"
#include "solution/reaction/reactions.h"

/* Pins of a corner: a chain of revolutes through all bars that meet there. */
static char *grid_text(int width) {
    size_t size = (size_t)width * (size_t)width * 1400 + 4000, used = 0;
    char *text = malloc(size);
    if (!text)
        return NULL;
#define PUT(...) used += (size_t)snprintf(text + used, size - used, __VA_ARGS__)
    PUT("{\"roberval\": 1, \"space\": \"planar\", \"bodies\": {\"ground\": {\"markers\": {\"R\": [%d, 0]}}", width);
    for (int i = 0; i < width; i++)
        for (int j = 0; j < width; j++)
            for (int k = 0; k < 2; k++)
                PUT(",\n\"b%d_%d_%d\": {\"pose\": {\"at\": [%.17g, %.17g]}, \"markers\": {\"A\": [-0.5, %s0.3], \"B\": "
                    "[0.5, %s0.3], \"M\": [0, 0]}}",
                    i, j, k, i + 0.5, 0.6 * j + 0.3, k ? "" : "-", k ? "-" : "");
    PUT("},\n\"joints\": {\"pin\": {\"type\": \"revolute\", \"between\": [\"ground\", \"b0_0_0.A\"]},"
        "\n\"roll\": {\"type\": \"slot\", \"between\": [\"ground.R\", \"b%d_0_1.B\"]}",
        width - 1);
    for (int i = 0; i < width; i++)
        for (int j = 0; j < width; j++)
            PUT(",\n\"m%d_%d\": {\"type\": \"revolute\", \"between\": [\"b%d_%d_0.M\", \"b%d_%d_1.M\"]}", i, j, i, j, i,
                j);
    for (int i = 0; i <= width; i++)
        for (int j = 0; j <= width; j++) {
            /* the bars that end in corner (i, j): bar 0 goes up to the right, bar 1 down to the right */
            char end[4][40];
            int count = 0;
            if (i < width && j < width)
                snprintf(end[count++], 40, "b%d_%d_0.A", i, j);
            if (i < width && j > 0)
                snprintf(end[count++], 40, "b%d_%d_1.A", i, j - 1);
            if (i > 0 && j > 0)
                snprintf(end[count++], 40, "b%d_%d_0.B", i - 1, j - 1);
            if (i > 0 && j < width)
                snprintf(end[count++], 40, "b%d_%d_1.B", i - 1, j);
            for (int k = 1; k < count; k++)
                PUT(",\n\"c%d_%d_%d\": {\"type\": \"revolute\", \"between\": [\"%s\", \"%s\"]}", i, j, k, end[k - 1],
                    end[k]);
        }
    PUT("}}\n");
#undef PUT
    return text;
}

typedef struct Run {
    double seconds;
    int32_t rank, redundant;
    bool safe;
    RbvVerdict (*verdict)[RBV_FRICTION]; /* [joints] of what is held, else FREE */
} Run;

/* Decide and judge at the starting poses, which fit. */
static bool decide(const RbvSystem *system, RbvCriterion criterion, Run *run) {
    RbvState *state = rbv_state_create(system);
    RbvReactions *reactions = rbv_reactions_create(system, RBV_FRAME_JOINT);
    RbvSolvability *solvability = rbv_solvability_create(system, criterion, false);
    bool good = state && reactions && solvability && rbv_state_place(state);
    double start = bench_seconds();
    if (good) {
        rbv_state_jacobian(state);
        good = rbv_solvability_decide(solvability, state) == RBV_OK;
    }
    if (good) {
        rbv_reactions_place(reactions, state);
        rbv_reactions_decide(reactions, state, solvability);
        size_t size = (size_t)system->model->joints.count * sizeof *run->verdict;
        *run =
            (Run){bench_seconds() - start, solvability->rank, solvability->redundant, solvability->safe, malloc(size)};
        good = run->verdict != NULL;
        for (int32_t j = 0; good && j < system->model->joints.count; j++)
            for (int c = 0; c < RBV_FRICTION; c++)
                run->verdict[j][c] =
                    c < rbv_reactions_components(reactions, j) && rbv_component_in(reactions->possible[j], c)
                        ? reactions->verdict[j][c]
                        : RBV_FREE;
    }
    rbv_solvability_destroy(solvability);
    rbv_reactions_destroy(reactions);
    rbv_state_destroy(state);
    return good;
}

/* Without arguments grids of several sizes; else one of this width. */
int main(int argc, char **argv) {
    const int several[] = {8, 14, 20, 40, 80, 112}, one = argc > 1 ? atoi(argv[1]) : 0;
    const int *widths = one > 0 ? &one : several;
    const size_t count = one > 0 ? 1 : sizeof several / sizeof *several;
    printf("scissor grid: rank and the verdict of every reaction\n%8s %8s %10s %10s %12s %14s %12s\n", "rows", "rank",
           "redundant", "seconds", "us per row", "dense seconds", "agree");
    for (size_t k = 0; k < count; k++) {
        char *text = grid_text(widths[k]);
        RbvModel *model = NULL;
        RbvSystem *system = text ? bench_system(text, &model) : NULL;
        Run sparse = {0}, dense = {0};
        if (!system || !decide(system, RBV_CRITERION_DEFAULT, &sparse))
            return 1;
        int32_t rows = rbv_system_counts(system).rows, same = 0, all = 0;
        printf("%8d %8d %10d %10.3f %12.2f", (int)rows, (int)sparse.rank, (int)sparse.redundant, sparse.seconds,
               1e6 * sparse.seconds / rows);
        if (rows <= 3500 && decide(system, RBV_CRITERION_SVD, &dense)) {
            for (int32_t j = 0; j < model->joints.count; j++)
                for (int c = 0; c < RBV_FRICTION; c++) {
                    all += sparse.verdict[j][c] != RBV_FREE;
                    same += sparse.verdict[j][c] != RBV_FREE && sparse.verdict[j][c] == dense.verdict[j][c];
                }
            printf(" %14.3f %5d of %d%s", dense.seconds, (int)same, (int)all,
                   dense.rank == sparse.rank ? "" : " (other rank)");
        }
        printf("%s\n", sparse.safe ? "" : " (not safe)");
        free(sparse.verdict);
        free(dense.verdict);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
        free(text);
    }
    return 0;
}
