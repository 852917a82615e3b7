/* Reads design:, samples:, seed: and correlate:, and counts the variants. */
#include "study/definition/reading.h"
#include "study/design/sobol.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_SAMPLES 4000000000 /* points of the Sobol sequence of 32 bits; others could have more */

static const char *const designs[] = {"grid", "latin", "sobol", "monte-carlo", "tolerance", NULL};

static int32_t find_factor(const RbvStudy *study, const char *name, size_t length) {
    for (int32_t k = 0; k < study->parameter_count; k++)
        if (strncmp(study->parameters[k].name, name, length) == 0 && study->parameters[k].name[length] == '\0')
            return k;
    return -1;
}

/* Take the two names of "[a, b]" apart. False: it is no such pair. */
static bool split_pair(const char *key, const char *name[2], size_t length[2]) {
    const char *at = key + strspn(key, " [");
    for (int k = 0; k < 2; k++) {
        name[k] = at;
        length[k] = strcspn(at, " ,]");
        at += length[k];
        at += strspn(at, " ,]");
    }
    return length[0] > 0 && length[1] > 0 && *at == '\0';
}

/* Place of a factor among the correlated ones. */
static int32_t mixed_place(RbvStudy *study, int32_t *mixed, int32_t factor) {
    for (int32_t k = 0; k < study->design.mixed_count; k++)
        if (mixed[k] == factor)
            return k;
    mixed[study->design.mixed_count] = factor;
    return study->design.mixed_count++;
}

/* Read item k of correlate: into pair[3]: two factors and their correlation. False: reported. */
static bool read_pair(RbvStudyReader *reader, const RbvNode *node, int32_t k, int32_t pair[2], double *value) {
    const char *name[2];
    size_t length[2];
    RbvPosition at = node->key_at[k];
    if (!split_pair(node->keys[k], name, length)) {
        rbv_study_error(reader, at, "correlate: wants pairs of parameters, such as {[a, b]: 0.6}");
        return false;
    }
    for (int n = 0; n < 2; n++) {
        pair[n] = find_factor(reader->study, name[n], length[n]);
        if (pair[n] < 0 || reader->study->design.factors[pair[n]].lead != pair[n]) {
            rbv_study_error(reader, at, "correlate: '%.*s' is no parameter that varies by itself", (int)length[n],
                            name[n]);
            return false;
        }
    }
    const RbvNode *number = node->items[k];
    *value = number->kind == RBV_NODE_SCALAR && number->type == RBV_SCALAR_NUMBER ? number->number : NAN;
    if (!(fabs(*value) <= 1) || pair[0] == pair[1]) {
        rbv_study_error(reader, number->at, "a correlation is a number from -1 to 1, between two parameters");
        return false;
    }
    return true;
}

static void read_correlations(RbvStudyReader *reader, const RbvNode *node) {
    RbvStudy *study = reader->study;
    RbvDesign *design = &study->design;
    if (node->kind != RBV_NODE_MAP) {
        rbv_study_error(reader, node->at, "correlate: wants a map of pairs, such as {[a, b]: 0.6}");
        return;
    }
    if (design->kind == RBV_DESIGN_GRID) {
        rbv_study_error(reader, node->at, "correlate: goes with random designs, not with a grid");
        return;
    }
    size_t n = (size_t)study->parameter_count;
    int32_t *mixed = rbv_study_array(reader, n, sizeof *mixed);
    double *full = rbv_study_array(reader, n * n, sizeof *full);
    double *root = rbv_study_array(reader, n * n, sizeof *root);
    bool good = mixed && full && root;
    for (size_t k = 0; full && k < n * n; k++)
        full[k] = NAN; /* not given */
    for (int32_t k = 0; good && k < node->count; k++) {
        int32_t pair[2];
        double value;
        if (!read_pair(reader, node, k, pair, &value))
            return;
        size_t i = (size_t)mixed_place(study, mixed, pair[0]), j = (size_t)mixed_place(study, mixed, pair[1]);
        if (isnan(full[i * n + j]))
            full[i * n + j] = full[j * n + i] = value;
        else
            rbv_study_error(reader, node->key_at[k], "the correlation of these two stands here twice");
    }
    int32_t m = design->mixed_count;
    for (int32_t i = 0; good && i < m; i++)
        for (int32_t j = 0; j < m; j++) {
            double given = full[(size_t)i * n + (size_t)j], apart = isnan(given) ? 0 : given;
            root[i * m + j] = i == j ? 1 : apart;
        }
    if (good && !rbv_design_root(root, m))
        rbv_study_error(reader, node->at, "correlate: no numbers have these correlations: the matrix is not positive");
    design->mixed = mixed;
    design->root = root;
}

/* Ranges in a grid have a number of values; distributions have none. */
static void check_grid(RbvStudyReader *reader) {
    RbvStudy *study = reader->study;
    for (int32_t k = 0; k < study->parameter_count; k++) {
        const RbvFactor *f = &study->design.factors[k];
        if (rbv_factor_is_random(f))
            rbv_study_error(reader, study->parameters[k].at,
                            "'%s' is random: not with design: grid; there are latin, sobol and monte-carlo",
                            study->parameters[k].name);
        else if (f->count == 0)
            rbv_study_error(reader, study->parameters[k].at, "'%s' wants steps: or step: in a grid",
                            study->parameters[k].name);
    }
}

/* Number the factors that lead; each has numbers of its own. */
static int32_t number_columns(RbvStudyReader *reader) {
    RbvDesign *design = &reader->study->design;
    int32_t *column = rbv_study_array(reader, (size_t)design->factor_count, sizeof *column), count = 0;
    for (int32_t k = 0; column && k < design->factor_count; k++)
        column[k] = design->factors[k].lead == k ? count++ : -1;
    design->column = column;
    return count;
}

static void check_size(RbvStudyReader *reader, RbvPosition at, double size) {
    if (size > RBV_STUDY_LARGE && !reader->input->any_size)
        rbv_study_error(reader, at,
                        "these are %.6g variants; more than %d are run if that is said by " RBV_OPTION_ANY_SIZE, size,
                        RBV_STUDY_LARGE);
    else if (size > MOST_SAMPLES)
        rbv_study_error(reader, at, "these are %.6g variants, more than a study can have", size);
    else
        reader->study->design.count = (int64_t)size;
}

/* The samples of a random design, and those that are added. */
static void read_samples(RbvStudyReader *reader, const RbvNode *root, RbvPosition at) {
    RbvStudy *study = reader->study;
    const RbvNode *samples = rbv_node_child(root, "samples");
    if (!samples)
        rbv_study_error(reader, at, "design: %s wants samples:, the number of variants",
                        designs[study->design.kind - RBV_DESIGN_GRID]);
    study->samples = rbv_study_whole(reader, samples, "samples", 1, MOST_SAMPLES, 1);
    check_size(reader, samples ? samples->at : at, (double)study->samples + (double)reader->input->extend);
}

void rbv_study_read_design(RbvStudyReader *reader, const RbvNode *root) {
    RbvDesign *design = &reader->study->design;
    const RbvNode *node = rbv_node_child(root, "design"), *vary = rbv_node_child(root, "vary"),
                  *correlate = rbv_node_child(root, "correlate"), *samples = rbv_node_child(root, "samples");
    bool random = false;
    int word = node ? rbv_study_word(reader, node, "design", designs) : -1;
    bool deviates = word >= 0 && strcmp(designs[word], "tolerance") == 0;
    if (deviates)
        rbv_study_add_tolerances(reader, node->at);
    else if (!vary)
        rbv_study_error(reader, root->at, "the study has no vary:");
    if (design->factor_count == 0)
        return;
    for (int32_t k = 0; k < design->factor_count; k++)
        random = random || rbv_factor_is_random(&design->factors[k]);
    design->kind = random ? RBV_DESIGN_MONTE_CARLO : RBV_DESIGN_GRID;
    if (word >= 0 && !deviates)
        design->kind = (RbvDesignKind)(RBV_DESIGN_GRID + word);
    design->seed = (uint64_t)rbv_study_whole(reader, rbv_node_child(root, "seed"), "seed", 0, INT64_C(1) << 53, 1);
    RbvPosition at = node ? node->at : vary->at; /* one of them is there */
    int32_t columns = number_columns(reader);
    if (design->kind == RBV_DESIGN_SOBOL && columns > RBV_SOBOL_MOST)
        rbv_study_error(reader, at, "sobol takes up to %d parameters", RBV_SOBOL_MOST);
    if (design->kind == RBV_DESIGN_GRID) {
        if (samples)
            rbv_study_error(reader, samples->at, "samples: goes with random designs, not with a grid");
        if (reader->input->extend > 0)
            rbv_study_error(reader, at, "a grid cannot be extended; monte-carlo and sobol can");
        check_grid(reader);
        check_size(reader, at, rbv_design_grid_size(design->factor_count, design->factors));
    } else {
        if (reader->input->extend > 0 && design->kind == RBV_DESIGN_LATIN)
            rbv_study_error(reader, at, "latin cannot be extended: its slices depend on their number");
        read_samples(reader, root, at);
    }
    if (correlate)
        read_correlations(reader, correlate);
}
