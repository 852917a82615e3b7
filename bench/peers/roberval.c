/* Inverse dynamics with Roberval, in the words of the programs for its peers.
 *
 *   roberval MODEL SAMPLE...      prints efforts and reactions (ground axes) at these samples, and verdicts
 *
 * A sample holds all that rbv_inverse does: position from the last one, velocity, acceleration, forces, reactions,
 * watch over the rank, audit, record. Of open trees also RbvTree at given positions, velocities and accelerations:
 * "tree", one sample a call, and "batch", all in one call; efforts alone. Reading, compiling, assembly and the
 * verdicts at the start are taken out: the difference of the whole motion and its first tenth. */
#include <roberval/roberval.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void say(const RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++)
        if (rbv_diagnostics_at(diagnostics, k).severity == RBV_ERROR)
            fprintf(stderr, "roberval: %s\n", rbv_diagnostics_at(diagnostics, k).message);
}

/* One analysis up to the time `to` (NaN: all of the motion); NULL and a message when it fails. */
static RbvResult *inverse(const RbvSystem *system, RbvInverseMethod method, double to, double *spent) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvOptions options = rbv_options_default;
    RbvResult *result = NULL;
    options.inverse.method = method;
    options.threads = 1; /* peers compute on one core */
    options.reactions.frame = RBV_FRAME_GROUND;
    options.to = to;
    double start = seconds();
    RbvStatus status = rbv_inverse(system, &options, diagnostics, &result);
    *spent = seconds() - start;
    if (status != RBV_OK) {
        say(diagnostics);
        rbv_result_destroy(result);
        result = NULL;
    }
    rbv_diagnostics_destroy(diagnostics);
    return result;
}

/* Seconds per sample, and the result of the whole motion; the best of several rounds within some seconds. */
static double measure(const RbvSystem *system, RbvInverseMethod method, RbvResult **kept) {
    double many = 1e9, few = 1e9, begun = seconds(), spent;
    int32_t all = 0, first = 0;
    for (int round = 0; round < 7 && (round < 2 || seconds() - begun < 3); round++) {
        RbvResult *result = inverse(system, method, rbv_options_default.to, &spent);
        if (!result)
            return -1;
        many = spent < many ? spent : many;
        all = rbv_result_counts(result).samples;
        double to = rbv_result_value(result, all / 10, 0);
        rbv_result_destroy(*kept);
        *kept = result;
        result = inverse(system, method, to, &spent);
        if (!result)
            return -1;
        few = spent < few ? spent : few;
        first = rbv_result_counts(result).samples;
        rbv_result_destroy(result);
    }
    return (many - few) / (all - first);
}

static const char *const components[] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};

/* The column of joint (length `size`) and component, or -1. */
static int32_t column(const RbvResult *result, const char *joint, size_t size, const char *component) {
    char name[200];
    snprintf(name, sizeof name, "%.*s.%s", (int)size, joint, component);
    return rbv_result_find(result, name);
}

static const char *verdict_word(RbvVerdict verdict) {
    switch (verdict) {
    case RBV_FREE: return "free";
    case RBV_UNIQUE: return "unique";
    case RBV_COMPLIANCE: return "compliance";
    case RBV_UNSURE: return "unsure";
    case RBV_NOT_UNIQUE: return "open";
    }
    return "?";
}

/* Every joint once: at its Fx. */
static void print_joint(const RbvResult *result, const char *way, const char *joint, size_t size, int count,
                        char **samples) {
    printf("verdict %s %.*s", way, (int)size, joint);
    for (int c = 0; c < 6; c++) {
        int32_t of = column(result, joint, size, components[c]);
        printf(" %s", of < 0 ? "free" : verdict_word(rbv_result_column(result, of).verdict));
    }
    printf("\n");
    for (int k = 0; k < count; k++) {
        printf("reaction %s %s %.*s", way, samples[k], (int)size, joint);
        for (int c = 0; c < 6; c++) {
            int32_t of = column(result, joint, size, components[c]);
            printf(" %.17g", of < 0 ? 0.0 : rbv_result_value(result, atoi(samples[k]), of));
        }
        printf("\n");
    }
}

static void print(const RbvResult *result, const char *way, int count, char **samples) {
    for (int32_t i = 0; i < rbv_result_counts(result).columns; i++) {
        const char *name = rbv_result_column(result, i).name, *dot = strrchr(name, '.');
        if (!dot)
            continue;
        size_t size = (size_t)(dot - name);
        if (strcmp(dot, ".Fx") == 0)
            print_joint(result, way, name, size, count, samples);
        for (int k = 0; k < count && strcmp(dot, ".effort") == 0; k++)
            printf("effort %s %s %.*s %.17g\n", way, samples[k], (int)size, name,
                   rbv_result_value(result, atoi(samples[k]), i));
    }
}

/* The motion of an open tree, and its efforts: [sample][number], and [number][sample] for batches. */
typedef struct Motion {
    RbvTree *tree;
    RbvTreeWorkspace *workspace;
    int64_t samples, n;
    double *q, *v, *a, *tau, *turned;
} Motion;

static bool read_motion(const RbvSystem *system, Motion *m) {
    RbvResult *result = NULL;
    if (rbv_kinematics(system, NULL, NULL, &result) != RBV_OK)
        return false;
    m->samples = rbv_result_counts(result).samples, m->n = rbv_tree_q_count(m->tree);
    size_t size = (size_t)(m->samples * m->n);
    m->q = malloc(size * sizeof(double)), m->v = malloc(size * sizeof(double)), m->a = malloc(size * sizeof(double)),
    m->tau = malloc(size * sizeof(double)), m->turned = malloc(4 * size * sizeof(double));
    bool good = m->q && m->v && m->a && m->tau && m->turned && rbv_tree_v_count(m->tree) == m->n;
    double *const arrays[3] = {m->q, m->v, m->a};
    for (int32_t k = 0; good && k < m->n; k++)
        for (int part = 0; good && part < 3; part++) {
            char name[220];
            snprintf(name, sizeof name, "%s%s", rbv_tree_coordinate(m->tree, k), &"''"[2 - part]);
            int32_t of = rbv_result_find(result, name);
            good = of >= 0;
            for (int32_t s = 0; good && s < m->samples; s++) {
                arrays[part][s * m->n + k] = rbv_result_value(result, s, of);
                m->turned[(part * m->n + k) * m->samples + s] = rbv_result_value(result, s, of);
            }
        }
    rbv_result_destroy(result);
    return good && rbv_tree_workspace_create(m->tree, 1, &m->workspace) == RBV_OK;
}

/* Efforts by the names of drives: m3 drives j3.angle in all open trees (mechanisms.py). */
static void print_tree(const Motion *m, const RbvResult *result, const char *way, bool turned, int count,
                       char **samples) {
    for (int32_t i = 0; i < rbv_result_counts(result).columns; i++) {
        const char *name = rbv_result_column(result, i).name, *dot = strrchr(name, '.');
        if (!dot || strcmp(dot, ".effort") != 0)
            continue;
        char coordinate[220];
        snprintf(coordinate, sizeof coordinate, "j%.*s.angle", (int)(dot - name - 1), name + 1);
        for (int32_t e = 0; e < m->n; e++)
            for (int k = 0; k < count && strcmp(rbv_tree_coordinate(m->tree, e), coordinate) == 0; k++) {
                int64_t s = atoi(samples[k]);
                printf("effort %s %s %.*s %.17g\n", way, samples[k], (int)(dot - name), name,
                       turned ? m->turned[(3 * m->n + e) * m->samples + s] : m->tau[s * m->n + e]);
            }
    }
}

static void measure_tree(const RbvModel *model, const RbvSystem *system, const RbvResult *result, int count,
                         char **samples) {
    Motion m = {0};
    if (rbv_tree_from_model(model, NULL, &m.tree) == RBV_OK && read_motion(system, &m)) {
        double one = 1e9, many = 1e9;
        int64_t size = m.samples * m.n;
        RbvTreeBatch batch = {m.samples, RBV_BY_NUMBER, 1};
        for (int round = 0; round < 50; round++) {
            double start = seconds();
            for (int64_t s = 0; s < m.samples; s++)
                rbv_tree_inverse(m.tree, m.workspace, NULL, m.q + s * m.n, m.v + s * m.n, m.a + s * m.n, NULL,
                                 m.tau + s * m.n, NULL);
            double middle = seconds();
            rbv_tree_inverse(m.tree, m.workspace, &batch, m.turned, m.turned + size, m.turned + 2 * size, NULL,
                             m.turned + 3 * size, NULL);
            double end = seconds();
            one = middle - start < one ? middle - start : one;
            many = end - middle < many ? end - middle : many;
        }
        printf("time tree %.9g\ntime batch %.9g\n", one / (double)m.samples, many / (double)m.samples);
        print_tree(&m, result, "tree", false, count, samples);
        print_tree(&m, result, "batch", true, count, samples);
    }
    free(m.q), free(m.v), free(m.a), free(m.tau), free(m.turned);
    rbv_tree_workspace_destroy(m.workspace);
    rbv_tree_destroy(m.tree);
}

int main(int count, char **words) {
    if (count < 2)
        return 2;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    int status = 1;
    if (rbv_model_read(&(RbvInput){.path = words[1]}, diagnostics, &model) == RBV_OK)
        rbv_system_create(model, NULL, diagnostics, &system);
    say(diagnostics);
    static const RbvInverseMethod methods[] = {RBV_METHOD_TWO_STEP, RBV_METHOD_LAGRANGE};
    static const char *const ways[] = {"two-step", "lagrange"};
    for (int k = 0; system && k < 2; k++) {
        RbvResult *result = NULL;
        double each = measure(system, methods[k], &result);
        if (each >= 0) {
            printf("time %s %.9g\n", ways[k], each);
            print(result, ways[k], count - 2, words + 2);
            if (k == 0)
                measure_tree(model, system, result, count - 2, words + 2);
            status = 0;
        }
        rbv_result_destroy(result);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
    return status;
}
