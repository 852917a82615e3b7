/* See linkages.h. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "linkages.h"

#include "model/model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLOSINGS = 40, MOST_BODIES = 60, MOST_NUMBERS = 400 };

typedef struct Pair {
    const LinkageCase *machine;
    const RbvModel *model;
    RbvResult *result, *kinematics; /* of a file */
    RbvTree *tree;
    RbvLinkage *linkage;
    RbvLinkageWorkspace *w;
    double efforts[LINKAGE_DRIVES], closing[6 * MOST_CLOSINGS], reactions[6 * MOST_BODIES], motion[MOST_NUMBERS];
    uint8_t unique[6 * MOST_CLOSINGS], tree_unique[6 * MOST_BODIES], efforts_unique[LINKAGE_DRIVES];
    uint8_t all_unique[6 * MOST_CLOSINGS],
        all_efforts_unique[LINKAGE_DRIVES]; /* in all samples so far, as the program judges */
    int closings;
} Pair;

static const char *const parts[6] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};

static int32_t column_of(const Pair *p, const char *joint, const char *part) {
    char name[80];
    snprintf(name, sizeof name, "%s.%s", joint, part);
    return rbv_result_find(p->result, name);
}
static bool is_unique(const Pair *p, int32_t column) {
    return rbv_result_column(p->result, column).verdict <= RBV_UNIQUE; /* or zero, as it holds nothing there */
}

static void near(const Pair *p, int32_t sample, const char *what, const char *part, double got, double expected) {
    const double scale = p->machine->scale > 0 ? p->machine->scale : 1000,
                 tolerance =
                     1e-10 *
                     (scale + fabs(expected)); /* rounding of both, by what cancels and by the condition of the loops */
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%s, sample %d: %s.%s is %.15g, the program has %.15g", p->machine->name, (int)sample, what, part, got,
                 expected);
}

static void compare_efforts(Pair *p, int32_t sample) {
    assert_int_equal(rbv_linkage_unique_efforts(p->linkage, p->w, p->efforts_unique), RBV_OK);
    for (int32_t c = 0, k = 0; c < rbv_result_counts(p->result).columns; c++) {
        const char *name = rbv_result_column(p->result, c).name;
        const size_t length = strlen(name);
        if (length < 8 || strcmp(name + length - 7, ".effort") != 0)
            continue;
        assert_true(k < p->machine->drives);
        p->all_efforts_unique[k] = p->all_efforts_unique[k] && p->efforts_unique[k];
        if (is_unique(p, c))
            near(p, sample, name, "", p->efforts[k], rbv_result_value(p->result, sample, c));
        k++;
    }
}

static void compare_closings(Pair *p, int32_t sample) {
    for (int c = 0; c < p->closings; c++)
        for (int e = 0; e < 6; e++) {
            const char *joint = rbv_linkage_closing_name(p->linkage, c);
            const int32_t column = column_of(p, joint, parts[e]);
            if (column < 0) {
                near(p, sample, joint, parts[e], p->closing[6 * c + e], 0); /* it holds nothing there */
                continue;
            }
            p->all_unique[6 * c + e] = p->all_unique[6 * c + e] && p->unique[6 * c + e];
            if (is_unique(p, column))
                near(p, sample, joint, parts[e], p->closing[6 * c + e], rbv_result_value(p->result, sample, column));
        }
}

/* Verdicts are equal; how many components of closings, and efforts, are not unique. */
static void compare_verdicts(const Pair *p) {
    int components = 0, efforts = 0;
    for (int c = 0; c < 6 * p->closings; c++) {
        const char *joint = rbv_linkage_closing_name(p->linkage, c / 6);
        const int32_t column = column_of(p, joint, parts[c % 6]);
        if (column >= 0 && p->all_unique[c] != is_unique(p, column))
            fail_msg("%s: is %s.%s unique?", p->machine->name, joint, parts[c % 6]);
        components += !p->all_unique[c];
    }
    for (int k = 0; k < p->machine->drives; k++) {
        char name[80];
        snprintf(name, sizeof name, "%s.effort", p->model->drives.items[k].name);
        if (p->all_efforts_unique[k] != is_unique(p, rbv_result_find(p->result, name)))
            fail_msg("%s: is %s unique?", p->machine->name, name);
        efforts += !p->all_efforts_unique[k];
    }
    if (components != p->machine->not_unique || efforts != p->machine->efforts_not_unique)
        fail_msg("%s: %d components and %d efforts are not unique", p->machine->name, components, efforts);
}

/* The amount of the force of a joint of the tree, whose name stands before its last coordinate. Efforts of drives along
 * slides are no part of the program's reactions. */
static void compare_tree(const Pair *p, int32_t sample, int32_t body) {
    const int32_t q = rbv_tree_q_index(p->tree, body), count = rbv_tree_joint_q_count(p->tree, body);
    const char *coordinate = q < 0 ? "" : rbv_tree_coordinate(p->tree, q + count - 1), *dot = strrchr(coordinate, '.');
    if (!dot || (strcmp(dot, ".angle") != 0 && strcmp(dot, ".rz") != 0))
        return;
    char joint[40];
    snprintf(joint, sizeof joint, "%.*s", (int)(dot - coordinate), coordinate);
    double got = 0, expected = 0;
    for (int e = 0; e < 3; e++) {
        const int32_t column = column_of(p, joint, parts[e]);
        if (column < 0 && e < 2)
            return;
        if (column >= 0 && (rbv_result_column(p->result, column).verdict != RBV_UNIQUE))
            return;
        if (column >= 0)
            expected = hypot(expected, rbv_result_value(p->result, sample, column));
        got = hypot(got, p->reactions[6 * body + e]);
    }
    near(p, sample, joint, "|F|", got, expected);
}

/* A file without what acts on its bodies, which is an argument of linkages, and outputs that tell of it. */
static char *read_without_loads(const char *path) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20), line[4000];
    assert_non_null(text);
    for (bool skip = false; fgets(line, sizeof line, file);) {
        if (line[0] != ' ' && line[0] != '#' && line[0] != '\n')
            skip = strncmp(line, "loads:", 6) == 0 || strncmp(line, "output:", 7) == 0;
        if (!skip)
            strcat(text, line);
    }
    fclose(file);
    return text;
}

static RbvModel *read_file(const char *path, const char *text) {
    RbvDiagnostics *d = rbv_diagnostics_create();
    RbvModel *model = NULL;
    if (rbv_model_read(&(RbvInput){.path = path, .text = text, .length = strlen(text)}, d, &model) != RBV_OK)
        machine_print(d);
    rbv_diagnostics_destroy(d);
    assert_non_null(model);
    return model;
}

/* With outputs that tell how the drives move: drive0, drive0v, drive0a, ... */
static RbvModel *read_case(const LinkageCase *machine) {
    if (!machine->file)
        return machine_read(machine->text);
    char *text = read_without_loads(machine->file), *end = text + strlen(text);
    RbvModel *model = read_file(machine->file, text);
    end += sprintf(end, "\noutput:\n");
    for (int32_t k = 0; k < model->drives.count; k++) {
        const char *coordinate = model->drives.items[k].coordinate;
        end += sprintf(end, "  drive%d: \"%s\"\n  drive%dv: \"%s'\"\n  drive%da: \"%s''\"\n", (int)k, coordinate,
                       (int)k, coordinate, (int)k, coordinate);
    }
    rbv_model_destroy(model);
    model = read_file(machine->file, text);
    free(text);
    return model;
}

/* A drive at a sample: the polynomial of the case, or what kinematics says. */
static void drive_at(const Pair *p, int32_t sample, int k, double q[3]) {
    if (!p->kinematics) {
        const double t = rbv_result_value(p->result, sample, 0), *c = p->machine->motion[k];
        q[0] = c[0] + t * (c[1] + t * c[2]), q[1] = c[1] + 2 * t * c[2], q[2] = 2 * c[2];
        return;
    }
    static const char *const rates[3] = {"", "v", "a"};
    for (int e = 0; e < 3; e++) {
        char name[80];
        snprintf(name, sizeof name, "drive%d%s", k, rates[e]);
        const int32_t column = rbv_result_find(p->kinematics, name);
        assert_true(column >= 0);
        q[e] = rbv_result_value(p->kinematics, sample, column);
    }
}

static Pair open_pair(const LinkageCase *machine, RbvModel *model, RbvSystem *system) {
    Pair p = {.machine = machine, .model = model};
    memset(p.all_unique, 1, sizeof p.all_unique);
    memset(p.all_efforts_unique, 1, sizeof p.all_efforts_unique);
    RbvDiagnostics *d = rbv_diagnostics_create();
    if (rbv_inverse(system, NULL, d, &p.result) != RBV_OK ||
        (machine->file && rbv_kinematics(system, NULL, d, &p.kinematics) != RBV_OK) ||
        rbv_linkage_from_model(model, d, &p.tree, &p.linkage) != RBV_OK) {
        machine_print(d);
        fail_msg("%s: no result or no linkage", machine->name);
    }
    rbv_diagnostics_destroy(d);
    assert_int_equal(rbv_linkage_driven_count(p.linkage), machine->drives);
    while (rbv_linkage_closing_name(p.linkage, p.closings))
        p.closings++;
    int idle = 0;
    while (rbv_linkage_idle(p.linkage, idle) >= 0)
        idle++;
    assert_int_equal(idle, machine->idle);
    if (p.closings != machine->closings)
        fail_msg("%s has %d closings", machine->name, p.closings);
    int at_closings = 0;
    for (int k = 0; k < machine->drives; k++)
        at_closings += rbv_linkage_driven(p.linkage, k) >= rbv_tree_v_count(p.tree);
    if (at_closings != machine->at_closings)
        fail_msg("%s has %d drives at closings", machine->name, at_closings);
    assert_int_equal(rbv_linkage_workspace_create(p.linkage, 1, &p.w), RBV_OK);
    assert_true(p.closings <= MOST_CLOSINGS && rbv_tree_body_count(p.tree) <= MOST_BODIES &&
                rbv_tree_q_count(p.tree) + 2 * rbv_tree_v_count(p.tree) <= MOST_NUMBERS);
    return p;
}

static void start(Pair *p) {
    double q[MOST_NUMBERS];
    assert_int_equal(rbv_linkage_origin(p->linkage, q), RBV_OK);
    for (int k = 0; k < p->machine->drives; k++) {
        double at[3];
        drive_at(p, 0, k, at);
        const int32_t v = rbv_linkage_driven(p->linkage, k),
                      body = v < rbv_tree_v_count(p->tree) ? rbv_tree_body_of_v(p->tree, v) : -1;
        if (body >= 0)
            q[rbv_tree_q_index(p->tree, body) + v - rbv_tree_v_index(p->tree, body)] = at[0];
    }
    const RbvStatus status = rbv_linkage_start(p->linkage, p->w, q);
    if (status != RBV_OK)
        fail_msg("%s does not start: %s", p->machine->name, rbv_status_text(status));
}

void linkage_compare(const LinkageCase *machine) {
    RbvModel *model = read_case(machine);
    RbvSystem *system = machine_compile(model);
    Pair p = open_pair(machine, model, system);
    start(&p);
    for (int32_t k = 0; k < rbv_result_counts(p.result).samples; k++) {
        double q[LINKAGE_DRIVES], v[LINKAGE_DRIVES], a[LINKAGE_DRIVES];
        for (int d = 0; d < machine->drives; d++) {
            double at[3];
            drive_at(&p, k, d, at);
            q[d] = at[0], v[d] = at[1], a[d] = at[2];
        }
        const RbvStatus status =
            rbv_linkage_inverse(p.linkage, p.w, NULL, q, v, a, NULL, p.efforts, p.reactions, p.closing, p.motion, NULL);
        if (status != RBV_OK)
            fail_msg("%s, sample %d: %s", machine->name, (int)k, rbv_status_text(status));
        assert_int_equal(rbv_linkage_unique(p.linkage, p.w, p.tree_unique, p.unique), RBV_OK);
        compare_efforts(&p, k);
        compare_closings(&p, k);
        for (int32_t b = 0; b < rbv_tree_body_count(p.tree); b++)
            compare_tree(&p, k, b);
    }
    compare_verdicts(&p);
    rbv_linkage_workspace_destroy(p.w);
    rbv_linkage_destroy(p.linkage);
    rbv_tree_destroy(p.tree);
    rbv_result_destroy(p.result);
    rbv_result_destroy(p.kinematics);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}
