/* The evaluation of all that is sized in one pass over the samples; see sizing.h. */
#include "analysis/sizing/sizing.h"

#include "analysis/sizing/parts.h"
#include "core/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- verdicts ---- */

static bool has_name(const RbvCluster *cluster, const char *name) {
    for (int32_t k = 0; k < cluster->count; k++)
        if (strcmp(cluster->names[k], name) == 0)
            return true;
    return false;
}

/* What makes the component unique: the best remedy of its cluster. */
static void name_remedy(const RbvResult *result, const char *name, char *text, size_t size) {
    for (int32_t k = 0; k < result->cluster_count; k++) {
        const RbvCluster *cluster = &result->clusters[k];
        if (!has_name(cluster, name) || cluster->free_count == 0)
            continue;
        snprintf(text, size, "free");
        for (int32_t n = 0; n < cluster->free[0].count; n++) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s %s", n ? "," : "", cluster->free[0].names[n]);
        }
        size_t used = strlen(text);
        snprintf(text + used, size - used, " or give compliances");
        return;
    }
    snprintf(text, size, "give compliances");
}

/* The components, as printed, of which component c is made: from *first on, `count`. */
static void made_of(const RbvPart *part, int c, int *first, int *count) {
    *first = part->turned ? c / 3 * 3 : c;
    *count = part->turned ? 3 : 1;
}

static void judge(RbvSizing *sizing, RbvPart *part, int32_t column) {
    if (column < 0)
        return;
    const RbvColumn *of = &sizing->result->columns[column];
    if (of->verdict > part->item->verdict)
        part->item->verdict = of->verdict;
    if (of->verdict < RBV_UNSURE || part->why[0])
        return;
    if (of->verdict == RBV_NOT_UNIQUE)
        name_remedy(sizing->result, of->name, part->why, sizeof part->why);
    else
        snprintf(part->why, sizeof part->why, "whether %s is unique hangs on rounding, at one state at least",
                 of->name);
    part->lacks = true;
}

void rbv_part_enters(RbvSizing *sizing, RbvPart *part, int c) {
    int first, count;
    made_of(part, c, &first, &count);
    part->entered |= 1u << c;
    for (int k = first; part->column[c] >= 0 && k < first + count; k++)
        judge(sizing, part, part->printed[k]);
}

bool rbv_part_determined(const RbvSizing *sizing, const RbvPart *part, int c) {
    int first, count;
    bool good = true;
    made_of(part, c, &first, &count);
    for (int k = first; k < first + count; k++)
        good = good && (part->printed[k] < 0 || sizing->result->columns[part->printed[k]].verdict < RBV_UNSURE);
    return good;
}

double rbv_part_error(const RbvSizing *sizing, const RbvPart *part, int c) {
    int first, count;
    double sum = 0;
    made_of(part, c, &first, &count);
    for (int k = first; k < first + count; k++) {
        const RbvColumn *column = part->printed[k] >= 0 ? &sizing->result->columns[part->printed[k]] : NULL;
        if (column && column->has_error && isfinite(column->error))
            sum += column->error;
    }
    return sum;
}

bool rbv_part_bounds(const RbvSizing *sizing, const RbvPart *part, double most[6]) {
    bool ranged = false;
    for (int c = 0; c < 6; c++) {
        const double *range = part->column[c] >= 0 ? rbv_result_range(sizing->result, part->printed[c]) : NULL;
        most[c] = part->column[c] >= 0 ? rbv_result_sums(sizing->result, part->column[c]).peak : 0;
        if (range && !isnan(range[0]) && !part->turned) {
            most[c] = fmax(fabs(range[0]), fabs(range[1]));
            ranged = ranged || (part->entered >> c & 1);
        }
    }
    return ranged;
}

double rbv_part_rounding(const RbvSizing *sizing, const char *unit) {
    return rbv_scales_rounding(&sizing->scales, unit);
}

void rbv_part_columns(RbvSizing *sizing, RbvPart *part) {
    static const char *const names[6] = {"Fx", "Fy", "Fz", "Tx", "Ty", "Tz"};
    const RbvEntry *entry = part->entry;
    int32_t found = 0;
    part->turned = strcmp(sizing->result->frame, "joint") != 0;
    for (int c = 0; c < 6; c++) {
        part->printed[c] = -1;
        for (int32_t k = entry->first; k < entry->first + entry->count; k++) {
            const char *dot = strrchr(sizing->result->columns[k].name, '.');
            if (dot && strcmp(dot + 1, names[c]) == 0)
                part->printed[c] = k, found++;
        }
        part->column[c] = part->turned && found > 0 ? entry->rate + 1 + c : part->printed[c];
    }
    if (found == 0 || entry->aside) {
        snprintf(part->why, sizeof part->why, "its reaction is not among those that were computed");
        part->lacks = true;
    }
}

/* ---- figures ---- */

void rbv_part_figure(RbvPart *part, const char *name, const char *unit, double value, double error) {
    bool known = !part->lacks && isfinite(value);
    value = known ? value : NAN;
    error = known && isfinite(error) ? error : NAN;
    if (part->figure_count < RBV_FIGURES)
        part->figures[part->figure_count++] = (RbvSizedFigure){name, unit, value, error};
}

double rbv_part_integral(const RbvSizing *sizing, const RbvPart *part, int32_t k) {
    return sizing->quadrature.sum[part->first + k];
}

double rbv_part_integral_error(const RbvSizing *sizing, const RbvPart *part, int32_t k) {
    return sizing->quadrature.error[part->first + k];
}

void rbv_part_note(RbvSizing *sizing, const RbvPart *part, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char text[600];
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    rbv_diagnose(sizing->diagnostics, RBV_NOTE, sizing->model->file, part->of->where, "%s", text);
}

void rbv_part_endless(RbvPart *part, double load) {
    if (!part->lacks && load == 0)
        snprintf(part->why, sizeof part->why, "no load: its life has no end");
}

/* Is the change of a value over the run a noticeable part of its largest magnitude? */
static bool has_changed(double first, double last, double largest) {
    return fabs(last - first) > RBV_WORTH_A_NOTE * largest;
}

void rbv_part_note_run(RbvSizing *sizing, const RbvPart *part, const char *what, double C, double travel) {
    const char *name = part->item->name;
    double load = part->largest[1].value, speed = rbv_result_sums(sizing->result, part->entry->rate).peak;
    if (part->lacks || sizing->period <= 0)
        return;
    if (!(travel > 0)) {
        if (load > 0)
            rbv_part_note(sizing, part, "%s '%s' stands still under load: no life, only s0", what, name);
        return;
    }
    if (load > C / 2)
        rbv_part_note(sizing, part,
                      "%s '%s': P is above C/2, up to %.4g N at t = %.6g s; the formula of its life ends there", what,
                      name, load, part->largest[1].at);
    if (has_changed(part->load_first, part->load_last, load) || has_changed(part->speed_first, part->speed_last, speed))
        rbv_part_note(sizing, part,
                      "%s '%s': the end of the run is not its start, but its life is that of the run "
                      "repeated",
                      what, name);
}

void rbv_part_travel(RbvPart *part, double t, double load, double speed) {
    if (part->samples == 0) {
        part->load_first = load;
        part->speed_first = speed;
    } else {
        part->swing[0] += (t - part->before[0]) * (speed + part->before[1]) / 2;
        part->swing[1] = fmin(part->swing[1], part->swing[0]);
        part->swing[2] = fmax(part->swing[2], part->swing[0]);
    }
    part->slowest = fmin(part->slowest, speed);
    part->fastest = fmax(part->fastest, speed);
    part->before[0] = t;
    part->before[1] = speed;
    part->plot[0] = t;
    part->plot[1] = load;
    part->load_last = load;
    part->speed_last = speed;
    part->samples++;
}

/* ---- the run ---- */

static const RbvPartKind *kind_of(RbvSizedKind kind) {
    static const RbvPartKind *const kinds[] = {[RBV_SIZED_DRIVE] = &rbv_part_drive,
                                               [RBV_SIZED_BEARING] = &rbv_part_bearing,
                                               [RBV_SIZED_PLAIN] = &rbv_part_plain,
                                               [RBV_SIZED_GUIDE] = &rbv_part_guide,
                                               [RBV_SIZED_SCREW] = &rbv_part_screw};
    return kinds[kind];
}

/* "shaft", or "shaft.a" of two bearings. */
static const char *name_of(RbvResult *result, const RbvEntry *entry, const char *which) {
    size_t length = strlen(entry->name) + (which ? strlen(which) + 1 : 0) + 1;
    char *name = which ? rbv_arena_alloc(&result->arena, length) : NULL;
    if (name)
        snprintf(name, length, "%s.%s", entry->name, which);
    return which ? name : entry->name;
}

/* A part for each drive, bearing, guide and screw that the result has. False: no memory. */
static bool make_parts(RbvSizing *sizing, RbvArena *arena) {
    const RbvModel *model = sizing->model;
    RbvResult *result = sizing->result;
    size_t most = 2 * (size_t)model->sized.count + 1;
    sizing->parts = rbv_arena_array(arena, most, sizeof *sizing->parts);
    result->sized = rbv_arena_array(&result->arena, most, sizeof *result->sized);
    result->sized_count = 0;
    if (!sizing->parts || !result->sized)
        return false;
    for (int32_t k = 0; k < model->sized.count; k++) {
        const RbvSized *of = &model->sized.items[k];
        bool drive = of->kind == RBV_SIZED_DRIVE, pair = of->kind == RBV_SIZED_BEARING && of->count == 2;
        int32_t index = of->index + (of->actuator ? model->drives.count : 0);
        const RbvList *list = drive ? &result->drives : &result->joints;
        for (int32_t n = 0; n < (pair ? 2 : 1) && index < list->count; n++) {
            RbvPart *part = &sizing->parts[sizing->part_count++];
            memset(part, 0, sizeof *part);
            part->kind = kind_of(of->kind);
            part->of = of;
            part->which = n;
            part->entry = &list->items[index];
            part->item = &result->sized[result->sized_count++];
            *part->item = (RbvSizedItem){.kind = of->kind,
                                         .name = name_of(result, part->entry, pair ? of->bearing[n].name : NULL),
                                         .verdict = RBV_UNIQUE};
            for (int p = 0; p < 4; p++)
                part->largest[p] = (RbvPeak){.at = NAN};
            if (!part->item->name)
                return false;
        }
    }
    return true;
}

/* Where integrals are off by more than a part worth a note, it asks for a smaller step. */
static void note_coarse(RbvSizing *sizing) {
    const RbvQuadrature *q = &sizing->quadrature;
    for (int32_t p = 0; p < sizing->part_count; p++) {
        const RbvPart *part = &sizing->parts[p];
        double most = 0;
        bool nothing =
            part->of->kind == RBV_SIZED_DRIVE &&
            part->largest[0].value <= rbv_part_rounding(sizing, rbv_sized_turns(sizing->model, part->of) ? "N.m" : "N");
        for (int32_t k = part->first; !part->lacks && !nothing && k < part->first + part->kind->integrands; k++)
            most = q->sum[k] > 0 ? fmax(most, q->error[k] / q->sum[k]) : most;
        if (most > RBV_WORTH_A_NOTE && isinf(most))
            rbv_part_note(sizing, part,
                          "sizing of '%s': two samples say nothing of what is between them; a smaller "
                          "step makes more",
                          part->item->name);
        else if (most > RBV_WORTH_A_NOTE)
            rbv_part_note(sizing, part,
                          "sizing of '%s': integrals over the samples are uncertain by %.2g %%; a smaller step makes "
                          "them better",
                          part->item->name, 100 * most);
    }
}

/* Copies the figures and the reason into the result. False: no memory. */
static bool keep_figures(RbvSizing *sizing) {
    RbvArena *arena = &sizing->result->arena;
    for (int32_t p = 0; p < sizing->part_count; p++) {
        const RbvPart *part = &sizing->parts[p];
        RbvSizedFigure *figures = rbv_arena_array(arena, (size_t)part->figure_count + 1, sizeof *figures);
        if (!figures)
            return false;
        memcpy(figures, part->figures, (size_t)part->figure_count * sizeof *figures);
        part->item->figures = figures;
        part->item->figure_count = part->figure_count;
        part->item->why = part->why[0] ? rbv_arena_copy(arena, part->why, strlen(part->why)) : NULL;
        if (part->why[0] && !part->item->why)
            return false;
    }
    return true;
}

/* About how many samples a mean is first taken of. */
#define FIRST_LOOK 256

/* About the mean loads, by some of the samples: errors of numerator and denominator of a mean cancel where the load is
 * near it. */
static void expect_quotients(RbvSizing *sizing, int32_t count) {
    RbvQuadrature *q = &sizing->quadrature;
    int32_t samples = sizing->result->sample_count, stride = samples / FIRST_LOOK + 1;
    for (int32_t p = 0; p < sizing->part_count; p++) {
        const RbvPart *part = &sizing->parts[p];
        RbvPart look = *part;
        double over = 0, under = 0;
        for (int32_t k = 0; part->kind->over > 0 && k < samples; k += stride) {
            part->kind->sample(&look, rbv_result_row(sizing->result, k), q->fine);
            over += q->fine[0];
            under += q->fine[part->kind->over];
        }
        if (part->kind->over == 0 || !(under > 0))
            continue;
        q->over[part->first] = part->first + part->kind->over;
        q->quotient[part->first] = over / under;
    }
    memset(q->fine, 0, (size_t)count * sizeof *q->fine);
}

/* Most points of a plot. */
#define PLOTTED 400

/* Room for the plots. False: no memory. */
static bool make_plots(RbvSizing *sizing) {
    RbvResult *result = sizing->result;
    size_t most = (size_t)(result->sample_count < PLOTTED ? result->sample_count : PLOTTED) + 1;
    result->plots = rbv_arena_array(&result->arena, (size_t)sizing->part_count + 1, sizeof *result->plots);
    for (int32_t p = 0; result->plots && p < sizing->part_count; p++) {
        RbvSizedPlot *plot = &result->plots[p];
        const RbvRatingDef *rating = &sizing->parts[p].of->rating;
        size_t n = (size_t)rating->curve_count, bytes = n * sizeof(double);
        double *curve = rbv_arena_array(&result->arena, 3 * n + 1, sizeof *curve);
        *plot = (RbvSizedPlot){.x = rbv_arena_array(&result->arena, most, sizeof *plot->x),
                               .y = rbv_arena_array(&result->arena, most, sizeof *plot->y),
                               .rating = *rating};
        if (!curve || !plot->x || !plot->y)
            return false;
        memcpy(curve, n ? rating->curve_speed : curve, bytes);
        memcpy(curve + n, n ? rating->curve_peak : curve, bytes);
        memcpy(curve + 2 * n, rating->curve_continuous ? rating->curve_continuous : curve, bytes);
        plot->rating.curve_speed = curve;
        plot->rating.curve_peak = curve + n;
        plot->rating.curve_continuous = rating->curve_continuous ? curve + 2 * n : NULL;
    }
    return result->plots != NULL;
}

/* The point of sample k goes into the plot, or takes the place of a smaller one beside it. */
static void add_point(RbvSizedPlot *plot, const RbvPart *part, int32_t k, int32_t stride) {
    bool fresh = k % stride == 0;
    int32_t at = fresh ? plot->count : plot->count - 1;
    if (part->lacks || (!fresh && !(fabs(part->plot[1]) > fabs(plot->y[at]))))
        return;
    plot->x[at] = part->plot[0];
    plot->y[at] = part->plot[1];
    plot->count = at + 1;
}

static void pass_samples(RbvSizing *sizing) {
    RbvResult *result = sizing->result;
    int32_t stride = (result->sample_count + PLOTTED - 1) / PLOTTED;
    for (int32_t k = 0; k < result->sample_count; k++) {
        const double *row = rbv_result_row(result, k);
        double *integrands = rbv_quadrature_next(&sizing->quadrature, row[0]);
        for (int32_t p = 0; p < sizing->part_count; p++) {
            sizing->parts[p].kind->sample(&sizing->parts[p], row, integrands + sizing->parts[p].first);
            add_point(&result->plots[p], &sizing->parts[p], k, stride);
        }
    }
    rbv_quadrature_end(&sizing->quadrature);
    sizing->period = sizing->quadrature.time;
    if (result->sample_count == 1 && !result->equilibrium.found && sizing->part_count > 0)
        rbv_diagnose(sizing->diagnostics, RBV_NOTE, sizing->model->file, sizing->parts[0].of->where,
                     "one sample is no run: of what is sized there are P0, s0, p and peaks alone");
}

bool rbv_size_result(const RbvModel *model, RbvResult *result, RbvDiagnostics *diagnostics) {
    RbvSizing sizing = {.model = model, .result = result, .diagnostics = diagnostics};
    RbvArena arena = {0};
    bool good = true;
    int32_t integrands = 0;
    result->sized_count = 0;
    if (model->sized.count == 0 || result->sample_count == 0 || !result->joints.items || result->followed.parameter)
        return true;
    sizing.scales = rbv_scales(result);
    good = make_parts(&sizing, &arena);
    for (int32_t p = 0; good && p < sizing.part_count; p++) {
        sizing.parts[p].first = integrands;
        integrands += sizing.parts[p].kind->integrands;
        sizing.parts[p].kind->begin(&sizing, &sizing.parts[p]);
    }
    good = good && rbv_quadrature_create(&sizing.quadrature, integrands, &arena) && make_plots(&sizing);
    if (good) {
        expect_quotients(&sizing, integrands);
        pass_samples(&sizing);
        for (int32_t p = 0; p < sizing.part_count; p++)
            sizing.parts[p].kind->end(&sizing, &sizing.parts[p]);
        note_coarse(&sizing);
        good = keep_figures(&sizing);
    }
    if (!good)
        result->sized_count = 0;
    rbv_arena_clear(&arena);
    return good;
}

int32_t rbv_result_sized_count(const RbvResult *result) {
    return result ? result->sized_count : 0;
}

RbvSizedItem rbv_result_sized(const RbvResult *result, int32_t index) {
    return index >= 0 && index < rbv_result_sized_count(result) ? result->sized[index] : (RbvSizedItem){0};
}
