/* The analysis of tolerances.
 *
 * Reactions are linear in misfits. The nominal run gives the influences of all of them
 * (solution/reaction/influences.h). Radial forces of teeth, |Ft| tan alpha, are linear in pieces: beside them, and by
 * parameters, influences are central differences. A unique component does not change at all with a misfit. */
#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "model/result/result.h"
#include "study/design/chances.h"
#include "study/design/random.h"
#include "study/tolerance/tolerances.h"

#include <roberval/analysis.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS 1000        /* of differences in a tolerance: central ones are off by 1e-6 of what bends within it */
#define USUAL_TRIALS 1000 /* a standard deviation to 2 % */

const RbvToleranceInput rbv_tolerance_input_default = {.coverage = 3, .seed = 1};

typedef RbvStatus (*Analysis)(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                              RbvResult **result);
static const struct {
    const char *name;
    Analysis run;
} analyses[] = {{"statics", rbv_statics}, {"inverse", rbv_inverse}, {"simulate", rbv_simulate}, {"track", rbv_track}};

typedef struct Task {
    const RbvToleranceInput *input;
    RbvDiagnostics *diagnostics;
    RbvModel *model;
    RbvSystem *system;
    RbvOptions options;
    Analysis run;
    RbvResult *nominal;
    RbvTolerances *t;
} Task;

static RbvStatus wrong(const Task *task, const char *format, const char *what) {
    rbv_diagnose(task->diagnostics, RBV_ERROR, task->model->file, (RbvPosition){0, 0}, format, what);
    return RBV_BAD_INPUT;
}

/* ---- runs with deviations ---- */

/* Deviations come in three steps, each added to what the earlier ones make of its value: parameters with a value of
 * their own, parameters computed from others, misfits. */
enum { OWN, COMPUTED, MISFIT, KINDS };

static int kind_of(const Task *task, const RbvCause *cause) {
    if (cause->joint >= 0)
        return MISFIT;
    return task->model->parameters.items[cause->of].computed ? COMPUTED : OWN;
}

/* Take a cause back to its value of the model, before deviations. */
static RbvStatus restore(Task *task, const RbvCause *cause, RbvDiagnostics *messages) {
    if (cause->joint >= 0)
        return rbv_model_set_misfit(task->model, cause->joint, cause->of, cause->nominal) ? RBV_OK : RBV_NO_MEMORY;
    const RbvParameterValue value = {cause->of, kind_of(task, cause) == OWN ? cause->nominal : NAN};
    return rbv_system_set_parameters(task->system, 1, &value, messages);
}

static RbvStatus deviate(Task *task, const RbvCause *cause, double deviation, RbvDiagnostics *messages) {
    if (cause->joint >= 0) {
        double misfit = rbv_joint_loose(&task->model->joints.items[cause->joint])->misfit[cause->of];
        return rbv_model_set_misfit(task->model, cause->joint, cause->of, misfit + deviation) ? RBV_OK : RBV_NO_MEMORY;
    }
    const RbvParameterValue value = {cause->of, rbv_system_parameter(task->system, cause->of) + deviation};
    return rbv_system_set_parameters(task->system, 1, &value, messages);
}

/* Run with the deviations of all causes; *result is the caller's. Messages of failed runs go to `messages`. */
static RbvStatus run_with(Task *task, const double *deviations, RbvDiagnostics *messages, RbvResult **result) {
    RbvStatus status = RBV_OK;
    const RbvTolerances *t = task->t;
    *result = NULL;
    for (int kind = KINDS; status == RBV_OK && kind-- > 0;) /* misfits first: joints that are read again have theirs */
        for (int32_t k = 0; status == RBV_OK && k < t->cause_count; k++)
            if (kind_of(task, &t->causes[k]) == kind)
                status = restore(task, &t->causes[k], messages);
    for (int kind = 0; status == RBV_OK && kind < KINDS; kind++)
        for (int32_t k = 0; status == RBV_OK && k < t->cause_count; k++)
            if (deviations[k] != 0 && kind_of(task, &t->causes[k]) == kind)
                status = deviate(task, &t->causes[k], deviations[k], messages);
    if (status == RBV_OK)
        status = task->run(task->system, &task->options, messages, result);
    if (status == RBV_OK && rbv_result_counts(*result).samples != task->t->sample_count && task->t->sample_count > 0) {
        rbv_diagnose(messages, RBV_ERROR, task->model->file, (RbvPosition){0, 0},
                     "with deviations the run has other samples than without");
        status = RBV_INCONSISTENT;
    }
    if (status != RBV_OK) {
        rbv_result_destroy(*result);
        *result = NULL;
    }
    return status;
}

static double value_of(const Task *task, const RbvResult *result, int32_t row, int32_t sample) {
    return rbv_result_value(result, sample, task->t->rows[row].column);
}

/* ---- causes and rows ---- */

static bool has_compliance(const RbvModel *model) {
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int d = 0; d < 6; d++)
            if (rbv_joint_loose(&model->joints.items[k])->compliance[d][1] > 0)
                return true;
    return false;
}

static const char *copy(Task *task, const char *text) {
    const char *kept = rbv_arena_copy(&task->t->arena, text, strlen(text));
    return kept ? kept : "";
}

static bool make_causes(Task *task) {
    RbvTolerances *t = task->t;
    const RbvModel *model = task->model;
    t->cause_count = model->tolerances.count;
    t->causes = rbv_arena_array(&t->arena, (size_t)t->cause_count + 1, sizeof *t->causes);
    for (int32_t k = 0; t->causes && k < t->cause_count; k++) {
        const RbvTolerance *of = &model->tolerances.items[k];
        RbvCause *cause = &t->causes[k];
        *cause = (RbvCause){.name = of->name, .joint = of->joint, .of = of->of, .kind = of->kind, .cluster = -1};
        cause->width = of->kind == RBV_TOLERANCE_NORMAL ? of->size * t->coverage : of->size;
        cause->sigma = of->kind == RBV_TOLERANCE_WIDTH ? of->size / t->coverage : of->size;
        if (of->kind == RBV_TOLERANCE_UNIFORM)
            cause->sigma = of->size / sqrt(3);
        cause->idle = of->joint >= 0 && !has_compliance(model);
        if (of->joint >= 0) {
            cause->unit = of->of < 3 ? "m" : "rad";
            cause->nominal = rbv_joint_loose(&model->joints.items[of->joint])->misfit[of->of];
        } else {
            cause->unit = model->parameters.items[of->of].unit;
            cause->nominal = rbv_system_parameter(task->system, of->of);
        }
    }
    return t->causes != NULL;
}

/* Coupled self-stresses that hold a component; -1: none. */
static int32_t cluster_of(const RbvResult *result, const char *name) {
    for (int32_t k = 0; k < rbv_result_counts(result).clusters; k++) {
        const RbvCluster *cluster = rbv_result_cluster(result, k);
        for (int32_t n = 0; n < cluster->count; n++)
            if (strcmp(cluster->names[n], name) == 0)
                return k;
    }
    return -1;
}

static void find_clusters(Task *task) {
    static const char *const components[6] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
    char name[RBV_NAME_SIZE];
    for (int32_t k = 0; k < task->t->cause_count; k++) {
        RbvCause *cause = &task->t->causes[k];
        if (cause->joint < 0)
            continue;
        snprintf(name, sizeof name, "%s.%s", task->model->joints.items[cause->joint].name, components[cause->of]);
        cause->cluster = cluster_of(task->nominal, name);
    }
}

/* Is the column one of a reaction, an effort, a load or an output? */
static bool is_followed(const Task *task, const RbvResultColumn *column) {
    const RbvModel *model = task->model;
    size_t length = strcspn(column->name, ".");
    if (column->judged)
        return column->verdict != RBV_FREE;
    for (int32_t k = 0; k < model->outputs.count; k++)
        if (strcmp(model->outputs.items[k].name, column->name) == 0)
            return true;
    for (int32_t k = 0; k < model->loads.count; k++)
        if (model->loads.items[k].name && strlen(model->loads.items[k].name) == length &&
            strncmp(model->loads.items[k].name, column->name, length) == 0)
            return true;
    return false;
}

static bool make_rows(Task *task) {
    RbvTolerances *t = task->t;
    RbvResultCounts counts = rbv_result_counts(task->nominal);
    t->rows = rbv_arena_array(&t->arena, (size_t)counts.columns + 1, sizeof *t->rows);
    for (int32_t c = 1; t->rows && c < counts.columns; c++) {
        RbvResultColumn column = rbv_result_column(task->nominal, c);
        if (!is_followed(task, &column))
            continue;
        t->rows[t->row_count++] = (RbvAffected){.name = copy(task, column.name),
                                                .unit = copy(task, column.unit),
                                                .verdict = column.verdict,
                                                .determined = column.verdict < RBV_UNSURE,
                                                .column = c,
                                                .cluster = cluster_of(task->nominal, column.name)};
        RbvAffected *row = &t->rows[t->row_count - 1];
        while (strcmp(t->rows[row->same_unit].unit, row->unit) != 0)
            row->same_unit++;
    }
    t->sample_count = counts.samples;
    size_t size = (size_t)t->row_count * (size_t)t->sample_count + 1;
    t->t = rbv_arena_array(&t->arena, (size_t)t->sample_count + 1, sizeof(double));
    t->nominal = rbv_arena_array(&t->arena, size, sizeof(double));
    t->reach = rbv_arena_array(&t->arena, size, sizeof(double));
    t->sigma = rbv_arena_array(&t->arena, size, sizeof(double));
    t->influence = rbv_arena_array(&t->arena, size * (size_t)t->cause_count + 1, sizeof(double));
    if (!t->rows || !t->t || !t->nominal || !t->reach || !t->sigma || !t->influence)
        return false;
    for (int32_t s = 0; s < t->sample_count; s++) {
        t->t[s] = rbv_result_value(task->nominal, s, 0);
        for (int32_t r = 0; r < t->row_count; r++)
            t->nominal[rbv_tolerances_at(t, r, s)] = value_of(task, task->nominal, r, s);
    }
    return true;
}

/* ---- influences ---- */

/* Reactions of these joints depend on misfits in pieces: no influence holds for all of a tolerance. */
static const char *nonlinear_joint(const RbvModel *model) {
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        if (joint->has_friction || joint->unilateral || joint->friction_law)
            return joint->name;
    }
    return NULL;
}

/* Influences of a cause at a sample that are below rounding of its largest one of the same unit are none. */
static void clear_rounding(const RbvTolerances *t, int32_t cause, int32_t sample, double *largest) {
    memset(largest, 0, (size_t)t->row_count * sizeof *largest);
    for (int32_t r = 0; r < t->row_count; r++) {
        double *of_unit = &largest[t->rows[r].same_unit];
        *of_unit = fmax(*of_unit, fabs(*rbv_tolerances_influence_at(t, cause, r, sample)));
    }
    for (int32_t r = 0; r < t->row_count; r++) {
        double *influence = rbv_tolerances_influence_at(t, cause, r, sample);
        if (fabs(*influence) <= RBV_CANCELLED * largest[t->rows[r].same_unit])
            *influence = 0;
    }
}

/* Take the influences of all misfits from the nominal run; a unique component has none. `linear` false: only which
 * misfits are unbounded. */
static bool take_influences(Task *task, bool linear) {
    RbvTolerances *t = task->t;
    const RbvResult *result = task->nominal;
    int32_t *row_of = rbv_arena_array(&t->arena, (size_t)result->column_count, sizeof *row_of);
    double *largest = rbv_arena_array(&t->arena, (size_t)t->row_count + 1, sizeof *largest);
    for (int32_t r = 0; row_of && linear && r < t->row_count; r++)
        row_of[t->rows[r].column] = t->rows[r].verdict == RBV_UNIQUE ? 0 : r + 1;
    for (size_t k = 0; row_of && k < result->influences.count; k++) {
        const RbvInfluence *of = &result->influences.items[k];
        RbvCause *cause = &t->causes[of->tolerance];
        cause->unbounded = cause->unbounded || of->column < 0;
        if (of->column >= 0 && row_of[of->column] > 0)
            *rbv_tolerances_influence_at(t, of->tolerance, row_of[of->column] - 1, of->sample) = of->value;
    }
    for (int32_t c = 0; largest && c < t->cause_count; c++)
        for (int32_t s = 0; t->causes[c].joint >= 0 && s < t->sample_count; s++)
            clear_rounding(t, c, s, largest);
    return row_of && largest;
}

/* ---- misfits beside teeth and preloads, whose radial forces follow magnitudes: differences of runs ---- */

/* Influence of a misfit from runs with it to both sides, which are `step` apart. */
static bool take_difference(Task *task, int32_t cause, RbvResult *const side[2], double step) {
    RbvTolerances *t = task->t;
    double *largest = rbv_arena_array(&t->arena, (size_t)t->row_count + 1, sizeof *largest);
    for (int32_t s = 0; largest && s < t->sample_count; s++) {
        for (int32_t r = 0; r < t->row_count; r++)
            largest[t->rows[r].same_unit] =
                fmax(largest[t->rows[r].same_unit], fabs(t->nominal[rbv_tolerances_at(t, r, s)]));
        for (int32_t r = 0; r < t->row_count; r++) {
            double change = value_of(task, side[1], r, s) - value_of(task, side[0], r, s);
            if (t->rows[r].verdict != RBV_UNIQUE && fabs(change) > RBV_CANCELLED * largest[t->rows[r].same_unit])
                *rbv_tolerances_influence_at(t, cause, r, s) = change / step;
        }
    }
    return largest != NULL;
}

/* A misfit alone. A loop of rigid joints that it stresses makes it unbounded. */
static RbvStatus try_misfit(Task *task, int32_t cause, double *deviations) {
    RbvDiagnostics *messages = rbv_diagnostics_create();
    RbvResult *side[2] = {NULL, NULL};
    double step = task->t->causes[cause].width / STEPS;
    RbvStatus status = messages ? RBV_OK : RBV_NO_MEMORY;
    for (int n = 0; n < 2 && status == RBV_OK; n++) {
        deviations[cause] = n ? step : -step;
        status = run_with(task, deviations, messages, &side[n]);
    }
    deviations[cause] = 0;
    if (status == RBV_OK && task->t->linear && !take_difference(task, cause, side, 2 * step))
        status = RBV_NO_MEMORY;
    rbv_result_destroy(side[0]);
    rbv_result_destroy(side[1]);
    if (status == RBV_BAD_INPUT) {
        task->t->causes[cause].unbounded = true;
        status = RBV_OK;
    } else if (status != RBV_OK && task->t->linear) {
        rbv_diagnostics_append(task->diagnostics, messages);
    } else if (status != RBV_NO_MEMORY && status != RBV_INTERRUPTED) {
        status = RBV_OK; /* friction may refuse it; only unbounded misfits count */
    }
    rbv_diagnostics_destroy(messages);
    return status;
}

/* Influences of misfits; beside friction only which of them no friction keeps from stressing loops of rigid joints. */
static RbvStatus find_misfits(Task *task, double *deviations) {
    RbvTolerances *t = task->t;
    RbvStatus status = RBV_OK;
    if (task->nominal->influences.known)
        return take_influences(task, t->linear) ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < t->cause_count; k++) {
        if (t->causes[k].idle)
            t->causes[k].unbounded = t->causes[k].cluster >= 0;
        else if (t->causes[k].joint >= 0)
            status = try_misfit(task, k, deviations);
    }
    return status;
}

static RbvStatus find_parameter(Task *task, int32_t cause, double *deviations) {
    RbvTolerances *t = task->t;
    double step = t->causes[cause].width / STEPS;
    RbvResult *side[2] = {NULL, NULL};
    RbvStatus status = RBV_OK;
    for (int n = 0; n < 2 && status == RBV_OK; n++) {
        deviations[cause] = n ? step : -step;
        status = run_with(task, deviations, task->diagnostics, &side[n]);
    }
    deviations[cause] = 0;
    for (int32_t r = 0; status == RBV_OK && r < t->row_count; r++)
        for (int32_t s = 0; s < t->sample_count; s++)
            *rbv_tolerances_influence_at(t, cause, r, s) =
                (value_of(task, side[1], r, s) - value_of(task, side[0], r, s)) / (2 * step);
    rbv_result_destroy(side[0]);
    rbv_result_destroy(side[1]);
    if (status == RBV_OK || status == RBV_NO_MEMORY || status == RBV_INTERRUPTED)
        return status;
    return wrong(
        task,
        task->nominal->mobility.redundant > 0
            ? "with a deviation of '%s' the analysis fails; the model is held more often than needed, so that "
              "an error of a length may lock it: say what it does to the fits, as a misfit joint.x ... joint.rz"
            : "with a deviation of '%s' the analysis fails",
        t->causes[cause].name);
}

/* Sums over the causes, and where each row is worst. */
static void add_up(RbvTolerances *t) {
    for (int32_t r = 0; r < t->row_count; r++) {
        double worst = -1;
        for (int32_t s = 0; s < t->sample_count; s++) {
            size_t at = rbv_tolerances_at(t, r, s);
            double squares = 0;
            for (int32_t c = 0; c < t->cause_count; c++) {
                double influence = *rbv_tolerances_influence_at(t, c, r, s);
                t->reach[at] += fabs(influence) * t->causes[c].width;
                squares += influence * influence * t->causes[c].sigma * t->causes[c].sigma;
            }
            t->sigma[at] = sqrt(squares);
            double most = fabs(t->nominal[at]) + t->reach[at];
            if (most > worst) {
                worst = most;
                t->rows[r].worst = s;
            }
        }
    }
}

static RbvStatus find_influences(Task *task, double *deviations) {
    RbvStatus status = find_misfits(task, deviations);
    for (int32_t k = 0; status == RBV_OK && k < task->t->cause_count; k++)
        if (task->t->causes[k].joint < 0)
            status = find_parameter(task, k, deviations);
    add_up(task->t);
    return status;
}

/* ---- Monte Carlo ---- */

static double random_deviation(const RbvCause *cause, double u) {
    if (cause->unbounded || cause->idle)
        return 0;
    if (cause->kind == RBV_TOLERANCE_UNIFORM)
        return (2 * u - 1) * cause->width;
    return cause->sigma * rbv_normal_quantile(u);
}

static void take_trial(Task *task, const RbvResult *result, double count) {
    RbvTolerances *t = task->t;
    for (int32_t r = 0; r < t->row_count; r++)
        for (int32_t s = 0; s < t->sample_count; s++) {
            RbvSpread *spread = &t->spread[rbv_tolerances_at(t, r, s)];
            double value = value_of(task, result, r, s), before = value - spread->mean;
            spread->mean += before / count;
            spread->squares += before * (value - spread->mean);
            spread->least = count > 1 ? fmin(spread->least, value) : value;
            spread->largest = count > 1 ? fmax(spread->largest, value) : value;
        }
}

/* Where rows are worst, if nothing is linear. */
static void find_worst(RbvTolerances *t) {
    for (int32_t r = 0; r < t->row_count; r++) {
        double worst = -1;
        for (int32_t s = 0; s < t->sample_count; s++) {
            const RbvSpread *spread = &t->spread[rbv_tolerances_at(t, r, s)];
            double most = fmax(fabs(spread->least), fabs(spread->largest));
            if (most > worst)
                t->rows[r].worst = s;
            worst = fmax(worst, most);
        }
    }
}

static RbvStatus try_at_random(Task *task, int64_t count, double *deviations) {
    RbvTolerances *t = task->t;
    RbvDiagnostics *messages = rbv_diagnostics_create();
    t->spread = rbv_arena_array(&t->arena, (size_t)t->row_count * (size_t)t->sample_count + 1, sizeof *t->spread);
    RbvStatus status = t->spread && messages ? RBV_OK : RBV_NO_MEMORY;
    for (int64_t k = 1; status == RBV_OK && k <= count; k++) {
        RbvResult *result;
        for (int32_t c = 0; c < t->cause_count; c++)
            deviations[c] = random_deviation(&t->causes[c], rbv_random(task->input->seed, (uint64_t)k, (uint64_t)c));
        rbv_diagnostics_clear(messages);
        status = run_with(task, deviations, messages, &result);
        bool failed = status != RBV_OK && status != RBV_NO_MEMORY && status != RBV_INTERRUPTED;
        t->failed += failed;
        if (status == RBV_OK)
            take_trial(task, result, (double)++t->trials);
        if (status == RBV_OK)
            rbv_result_destroy(result);
        status = failed ? RBV_OK : status;
    }
    if (status == RBV_OK && !t->linear)
        find_worst(t);
    if (status == RBV_OK && t->trials == 0) {
        rbv_diagnostics_append(task->diagnostics, messages);
        status = wrong(task, "every sample of Monte Carlo fails%s", "");
    } else if (t->failed > 0) {
        rbv_diagnose(task->diagnostics, RBV_WARNING, task->model->file, (RbvPosition){0, 0},
                     "%lld of %lld samples of Monte Carlo failed; they are left out", (long long)t->failed,
                     (long long)count);
    }
    rbv_diagnostics_destroy(messages);
    return status;
}

/* ---- what else is told ---- */

/* "bottom.Fz + top.Fz" of the sums that are unique although their parts are not. */
static bool list_sums(Task *task) {
    RbvTolerances *t = task->t;
    int32_t count = rbv_result_counts(task->nominal).sums;
    t->sums = rbv_arena_array(&t->arena, (size_t)count + 1, sizeof *t->sums);
    for (int32_t k = 0; t->sums && k < count; k++) {
        const RbvMode *sum = rbv_result_sum(task->nominal, k);
        char text[800] = "";
        for (int32_t n = 0; n < sum->count; n++) {
            size_t used = strlen(text);
            double share = sum->shares[n].share;
            const char *sign = share < 0 ? " - " : " + ";
            if (fabs(fabs(share) - 1) <= RBV_SAME)
                snprintf(text + used, sizeof text - used, "%s%s", n || share < 0 ? sign : "", sum->shares[n].name);
            else
                snprintf(text + used, sizeof text - used, "%s%.6g %s", n || share < 0 ? sign : "", fabs(share),
                         sum->shares[n].name);
        }
        t->sums[t->sum_count++] = copy(task, text);
    }
    return t->sums != NULL;
}

/* Is there an unbounded misfit in the cluster? */
static bool is_unbounded(const RbvTolerances *t, int32_t cluster) {
    for (int32_t k = 0; k < t->cause_count; k++)
        if (t->causes[k].unbounded && t->causes[k].cluster == cluster)
            return true;
    return false;
}

/* All that unbounded misfits want, the best remedy of each cluster, as one list. */
static bool list_advice(Task *task) {
    RbvTolerances *t = task->t;
    char text[1600] = "";
    t->advice = rbv_arena_array(&t->arena, 1, sizeof *t->advice);
    for (int32_t k = 0; t->advice && k < rbv_result_counts(task->nominal).clusters; k++) {
        const RbvCluster *cluster = rbv_result_cluster(task->nominal, k);
        for (int32_t n = 0; is_unbounded(t, k) && cluster->comply_count > 0 && n < cluster->comply[0].count; n++) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", cluster->comply[0].names[n]);
        }
    }
    if (t->advice && *text)
        t->advice[t->advice_count++] = copy(task, text);
    return t->advice != NULL;
}

/* ---- the whole ---- */

static RbvStatus choose_run(Task *task) {
    const char *name = task->input->analysis;
    RbvStatus status = name ? RBV_OK : rbv_analysis_choose(task->system, &task->options, &name);
    for (size_t k = 0; status == RBV_OK && k < sizeof analyses / sizeof analyses[0]; k++)
        if (strcmp(analyses[k].name, name) == 0) {
            task->run = analyses[k].run;
            task->t->analysis = analyses[k].name;
        }
    if (status == RBV_OK && !task->run)
        return wrong(task, "tolerances need loads: by statics, inverse, simulate or track; what suits this model is %s",
                     name);
    return status;
}

static RbvStatus read_model(Task *task) {
    RbvStatus status = rbv_model_read(&task->input->model, task->diagnostics, &task->model);
    if (status == RBV_OK && task->model->tolerances.count == 0)
        return wrong(task, "the model has nothing under tolerances:, such as tolerances: {%s: 0.1 mm}",
                     task->model->joints.count ? "joint.z" : "length");
    if (status == RBV_OK)
        status = rbv_system_create(task->model, &task->options.system, task->diagnostics, &task->system);
    return status;
}

/* The run without deviations, with the influences of misfits. */
static RbvStatus run_nominal(Task *task) {
    RbvOptions options = task->options;
    options.reactions.influences = true;
    return task->run(task->system, &options, task->diagnostics, &task->nominal);
}

static RbvStatus find_nominal(Task *task) {
    RbvTolerances *t = task->t;
    t->title = copy(task, rbv_model_title(task->model) ? rbv_model_title(task->model) : "");
    t->file = copy(task, task->model->file);
    t->coverage = task->input->coverage;
    if (!make_causes(task))
        return RBV_NO_MEMORY;
    RbvStatus status = choose_run(task);
    if (status == RBV_OK)
        status = run_nominal(task);
    if (status != RBV_OK)
        return status;
    find_clusters(task);
    return make_rows(task) ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus find_all(Task *task) {
    RbvTolerances *t = task->t;
    const char *nonlinear = nonlinear_joint(task->model);
    int64_t trials = task->input->monte_carlo;
    double *deviations = rbv_arena_array(&t->arena, (size_t)t->cause_count + 1, sizeof *deviations);
    t->linear = nonlinear == NULL;
    RbvStatus status = deviations ? RBV_OK : RBV_NO_MEMORY;
    if (nonlinear && trials == 0)
        trials = USUAL_TRIALS;
    if (status == RBV_OK && nonlinear) {
        rbv_diagnose(task->diagnostics, RBV_NOTE, task->model->file, (RbvPosition){0, 0},
                     "joint '%s' has friction or is unilateral: reactions are not linear in deviations; %lld samples "
                     "of Monte Carlo alone",
                     nonlinear, (long long)trials);
        status = find_misfits(task, deviations);
    } else if (status == RBV_OK) {
        status = find_influences(task, deviations);
    }
    if (status == RBV_OK && trials > 0)
        status = try_at_random(task, trials, deviations);
    if (status == RBV_OK && (!list_sums(task) || !list_advice(task)))
        status = RBV_NO_MEMORY;
    return status;
}

RbvStatus rbv_tolerance(const RbvToleranceInput *input, RbvDiagnostics *diagnostics, RbvTolerances **tolerances) {
    if (tolerances)
        *tolerances = NULL;
    if (!input || !tolerances || !(input->coverage > 0) || input->monte_carlo < 0)
        return RBV_BAD_ARGUMENT;
    Task task = {.input = input, .diagnostics = diagnostics, .options = rbv_options_default};
    if (input->options)
        task.options = *input->options;
    task.options.reactions.frame = RBV_FRAME_JOINT;
    task.options.reactions.redundant = RBV_REDUNDANT_DEFAULT; /* by compliances, of all joints */
    task.options.inverse.reaction_count = task.options.inverse.balance_count = 0;
    task.options.scene = false;
    task.t = calloc(1, sizeof *task.t);
    RbvStatus status = task.t ? read_model(&task) : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = find_nominal(&task);
    if (status == RBV_OK)
        status = find_all(&task);
    for (int32_t k = 0; status == RBV_OK && k < task.t->cause_count; k++) /* names outlive the model */
        task.t->causes[k].name = copy(&task, task.t->causes[k].name);
    for (int32_t k = 0; status == RBV_OK && k < task.t->cause_count; k++)
        task.t->causes[k].unit = copy(&task, task.t->causes[k].unit);
    rbv_result_destroy(task.nominal);
    rbv_system_destroy(task.system);
    rbv_model_destroy(task.model);
    if (status == RBV_OK)
        *tolerances = task.t;
    else
        rbv_tolerances_destroy(task.t);
    return status;
}

void rbv_tolerances_destroy(RbvTolerances *t) {
    if (t)
        rbv_arena_clear(&t->arena);
    free(t);
}
