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

/* Is the word one of the list "a, b"? */
static bool is_listed(const char *list, const char *word) {
    size_t length = strlen(word);
    for (const char *at = strstr(list, word); at; at = strstr(at + 1, word))
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

/* Appends before + word[length] + after. */
static void append(char *list, size_t size, const char *before, const char *word, size_t length, const char *after) {
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s%.*s%s", used ? ", " : "", before, (int)length, word, after);
}

/* Adds to the list what frees the component: the best remedy of its cluster. False: no change of types alone does. */
static bool add_remedy(const RbvResult *result, const char *name, char *list, size_t size) {
    for (int32_t k = 0; k < result->cluster_count; k++) {
        const RbvCluster *cluster = &result->clusters[k];
        if (!has_name(cluster, name))
            continue;
        if (cluster->free_count == 0 || cluster->free[0].obstacle)
            return false;
        for (int32_t n = 0; n < cluster->free[0].count; n++)
            if (!is_listed(list, cluster->free[0].names[n]))
                append(list, size, "", cluster->free[0].names[n], strlen(cluster->free[0].names[n]), "");
        return true;
    }
    return false;
}

/* What would decide the part: directions to free; where that takes more than one type for some component, the types
 * that do it for all at once; compliances in any case. */
static void explain(const RbvResult *result, RbvPart *part) {
    const RbvRemedy *all = &result->together;
    char types[200] = "";
    for (int32_t k = 0; part->needs_types && !result->together_missing && k < all->count; k++) {
        const char *type = all->instead ? all->instead[k] : NULL, *name = all->names[k], *dot = strrchr(name, '.');
        size_t length = dot ? (size_t)(dot - name) : strlen(name); /* of the joint, before its direction */
        char after[60];
        if (!type)
            continue;
        snprintf(after, sizeof after, ": %s", type);
        if (strcmp(type, "no joint") == 0)
            append(types, sizeof types, "without ", name, length, "");
        else
            append(types, sizeof types, "", name, length, after);
    }
    if (*types)
        snprintf(part->why, sizeof part->why, "%s at once, or give compliances", types);
    else if (!part->needs_types && part->remedy[0])
        snprintf(part->why, sizeof part->why, "free %s or give compliances", part->remedy);
    else
        snprintf(part->why, sizeof part->why, "give compliances");
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
    if (of->verdict > part->verdict)
        part->verdict = of->verdict;
    if (of->verdict < RBV_UNSURE)
        return;
    if (of->verdict == RBV_NOT_UNIQUE) {
        bool freed = add_remedy(sizing->result, of->name, part->remedy, sizeof part->remedy);
        part->needs_types = part->needs_types || !freed;
        explain(sizing->result, part);
    } else if (!part->why[0]) {
        snprintf(part->why, sizeof part->why, "whether %s is unique hangs on rounding, at one state at least",
                 of->name);
    }
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

/* Error of component c in this run. */
static double error_of(const RbvSizing *sizing, const RbvPart *part, int c) {
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

/* Takes errors of this run, and whether there are ranges. */
static void take_bounds(const RbvSizing *sizing, RbvPart *part) {
    int components = part->of->kind == RBV_SIZED_DRIVE ? 1 : 6;
    for (int c = 0; c < components; c++) {
        if (part->column[c] < 0)
            continue;
        const double *range = part->turned ? NULL : rbv_result_range(sizing->result, part->printed[c]);
        if (range && !isnan(range[0]) && part->entry->most > 0)
            part->ranged = part->ranged || (part->entered >> c & 1);
        part->off[c] = fmax(part->off[c], error_of(sizing, part, c));
    }
    if (part->entry->rate > 0)
        part->top_speed = fmax(part->top_speed, rbv_result_sums(sizing->result, part->entry->rate).peak);
}

double rbv_part_rounding(const RbvSizing *sizing, const char *unit) {
    return rbv_scales_rounding(&sizing->scales, unit);
}

/* Rates (order 0) or second rates below this are rounding, by the fastest body of the run; angle: of an angle, else of
 * a length. */
static double least_rate(const RbvResult *result, bool angle, int order) {
    double fastest = result->fastest > 0 ? rbv_result_sums(result, result->fastest).peak : 0;
    double size = result->machine.size > 0 ? result->machine.size : 1;
    double rate = order == 0 ? fastest : fastest * fastest;
    return RBV_SAME * (angle ? rate : rate * size);
}

void rbv_shaft_rest(const RbvResult *result, int32_t rate, bool angle, double still[2]) {
    for (int order = 0; order < 2; order++) {
        double own = RBV_FITS * rbv_result_sums(result, rate + order).peak;
        still[order] = fmax(own, least_rate(result, angle, order));
    }
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
    part->still = least_rate(sizing->result, part->of->kind != RBV_SIZED_GUIDE, 0);
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
    return sizing->sum[part->first + k];
}

double rbv_part_integral_error(const RbvSizing *sizing, const RbvPart *part, int32_t k) {
    return sizing->error[part->first + k];
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

/* Does a part neither come back nor turn on, but end elsewhere than it began? */
static bool ends_elsewhere(const RbvPart *part) {
    double swing = part->swing[2] - part->swing[1];
    bool turns = part->of->kind == RBV_SIZED_BEARING && swing >= (1 - RBV_WORTH_A_NOTE) * RBV_TURN;
    return !turns && part->kind->over > 0 && fabs(part->swing[0]) > RBV_WORTH_A_NOTE * swing;
}

/* Is the change of a value over the run a noticeable part of its largest magnitude? */
static bool has_changed(double first, double last, double largest) {
    return fabs(last - first) > RBV_WORTH_A_NOTE * largest;
}

void rbv_part_note_run(RbvSizing *sizing, const RbvPart *part, const char *what, double C, double travel) {
    const char *name = part->name;
    double load = part->largest[1].value;
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
    if (part->changed)
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

/* "shaft", or "shaft.a" of two bearings. NULL: no memory. */
static const char *name_of(RbvArena *arena, const char *name, const char *which) {
    size_t length = strlen(name) + (which ? strlen(which) + 1 : 0) + 1;
    char *copy = rbv_arena_alloc(arena, length);
    if (copy)
        snprintf(copy, length, "%s%.*s%s", name, which != NULL, ".", which ? which : "");
    return copy;
}

/* Number of the drive or joint of a rating in the lists of a result. */
static int32_t index_of(const RbvSizing *sizing, const RbvSized *of) {
    return of->index + (of->actuator ? sizing->model->drives.count : 0);
}

static const RbvList *list_of(const RbvResult *result, const RbvSized *of) {
    return of->kind == RBV_SIZED_DRIVE ? &result->drives : &result->joints;
}

/* A part for each drive, bearing, guide and screw that the result has, and their integrals. False: no memory. */
static bool make_parts(RbvSizing *sizing, const RbvResult *result) {
    const RbvModel *model = sizing->model;
    RbvArena *arena = &sizing->arena;
    int32_t integrands = 0;
    sizing->parts = rbv_arena_array(arena, 2 * (size_t)model->sized.count + 1, sizeof *sizing->parts);
    for (int32_t k = 0; sizing->parts && k < model->sized.count; k++) {
        const RbvSized *of = &model->sized.items[k];
        bool pair = of->kind == RBV_SIZED_BEARING && of->count == 2;
        const RbvList *list = list_of(result, of);
        int32_t index = index_of(sizing, of);
        for (int32_t n = 0; n < (pair ? 2 : 1) && index < list->count; n++) {
            RbvPart *part = &sizing->parts[sizing->part_count++];
            *part =
                (RbvPart){.kind = kind_of(of->kind), .of = of, .which = n, .first = integrands, .verdict = RBV_UNIQUE};
            part->name = name_of(arena, list->items[index].name, pair ? of->bearing[n].name : NULL);
            for (int p = 0; p < 5; p++)
                part->largest[p] = (RbvPeak){.at = NAN};
            if (!part->name)
                return false;
            integrands += part->kind->integrands;
        }
    }
    sizing->sum = rbv_arena_array(arena, (size_t)integrands + 1, sizeof *sizing->sum);
    sizing->error = rbv_arena_array(arena, (size_t)integrands + 1, sizeof *sizing->error);
    if (!sizing->parts || !sizing->sum || !sizing->error ||
        !rbv_quadrature_create(&sizing->quadrature, integrands, arena))
        return false;
    memset(sizing->sum, 0, (size_t)integrands * sizeof *sizing->sum);
    memset(sizing->error, 0, (size_t)integrands * sizeof *sizing->error);
    return true;
}

/* Where integrals are off by more than a part worth a note, it asks for a smaller step. */
static void note_coarse(RbvSizing *sizing) {
    static const char *const kinds[] = {[RBV_SIZED_DRIVE] = "drive",
                                        [RBV_SIZED_BEARING] = "bearing",
                                        [RBV_SIZED_PLAIN] = "plain bearing",
                                        [RBV_SIZED_GUIDE] = "guide",
                                        [RBV_SIZED_SCREW] = "ball screw"};
    for (int32_t p = 0; p < sizing->part_count; p++) {
        const RbvPart *part = &sizing->parts[p];
        double most = 0;
        bool nothing =
            part->of->kind == RBV_SIZED_DRIVE &&
            part->largest[0].value <= rbv_part_rounding(sizing, rbv_sized_turns(sizing->model, part->of) ? "N.m" : "N");
        for (int32_t k = part->first; !part->lacks && !nothing && k < part->first + part->kind->integrands; k++)
            most = sizing->sum[k] > 0 ? fmax(most, sizing->error[k] / sizing->sum[k]) : most;
        if (most > RBV_WORTH_A_NOTE && isinf(most))
            rbv_part_note(sizing, part,
                          "sizing of %s '%s': two samples say nothing of what is between them; a smaller "
                          "step makes more",
                          kinds[part->of->kind], part->name);
        else if (most > RBV_WORTH_A_NOTE)
            rbv_part_note(sizing, part,
                          "sizing of %s '%s': integrals over the samples are uncertain by %.2g %%; a smaller step "
                          "makes them better",
                          kinds[part->of->kind], part->name, 100 * most);
    }
}

/* Figures, reasons and plots into the result. False: no memory. */
static bool keep_figures(const RbvSizing *sizing, RbvResult *result) {
    RbvArena *arena = &result->arena;
    result->sized = rbv_arena_array(arena, (size_t)sizing->part_count + 1, sizeof *result->sized);
    for (int32_t p = 0; result->sized && p < sizing->part_count; p++) {
        const RbvPart *part = &sizing->parts[p];
        size_t bytes = (size_t)part->figure_count * sizeof *part->figures;
        RbvSizedFigure *figures = rbv_arena_alloc(arena, bytes + 1);
        const char *name = rbv_arena_copy(arena, part->name, strlen(part->name));
        const char *why = part->why[0] ? rbv_arena_copy(arena, part->why, strlen(part->why)) : NULL;
        if (!figures || !name || (part->why[0] && !why))
            return false;
        memcpy(figures, part->figures, bytes);
        result->sized[p] = (RbvSizedItem){part->of->kind, name, part->verdict, why, part->figure_count, figures};
    }
    result->plots = sizing->plots;
    result->sized_count = result->sized ? sizing->part_count : 0;
    return result->sized != NULL;
}

/* About how many samples a mean is first taken of. */
#define FIRST_LOOK 256

/* About the mean loads, by some of the samples: errors of numerator and denominator of a mean cancel where the load is
 * near it. */
static void expect_quotients(RbvSizing *sizing) {
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
}

/* Most points of a plot. */
#define PLOTTED 400

/* Room for the plots. False: no memory. */
static bool make_plots(RbvSizing *sizing) {
    RbvResult *result = sizing->result;
    size_t most = (size_t)(result->sample_count < PLOTTED ? result->sample_count : PLOTTED) + 1;
    sizing->plots = rbv_arena_array(&result->arena, (size_t)sizing->part_count + 1, sizeof *sizing->plots);
    for (int32_t p = 0; sizing->plots && p < sizing->part_count; p++) {
        RbvSizedPlot *plot = &sizing->plots[p];
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
    return sizing->plots != NULL;
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

/* All samples of the run; its integrals count `share` times over its length, or as they are (NaN). */
static void pass_samples(RbvSizing *sizing, double share) {
    RbvResult *result = sizing->result;
    RbvQuadrature *q = &sizing->quadrature;
    int32_t stride = (result->sample_count + PLOTTED - 1) / PLOTTED;
    for (int32_t k = 0; k < q->count; k++)
        q->sum[k] = q->error[k] = 0;
    q->time = 0;
    for (int32_t k = 0; k < result->sample_count; k++) {
        const double *row = rbv_result_row(result, k);
        double *integrands = rbv_quadrature_next(q, row[0]);
        for (int32_t p = 0; p < sizing->part_count; p++) {
            sizing->parts[p].kind->sample(&sizing->parts[p], row, integrands + sizing->parts[p].first);
            if (sizing->runs == 0)
                add_point(&sizing->plots[p], &sizing->parts[p], k, stride);
        }
    }
    rbv_quadrature_end(q);
    double factor = isnan(share) || !(q->time > 0) ? 1 : share / q->time;
    for (int32_t k = 0; k < q->count; k++) {
        sizing->sum[k] += factor * q->sum[k];
        sizing->error[k] += factor * q->error[k];
    }
    sizing->period += factor * q->time;
}

RbvSizing *rbv_sizing_create(const RbvModel *model, RbvDiagnostics *diagnostics) {
    RbvSizing *sizing = calloc(1, sizeof *sizing);
    if (!sizing)
        return NULL;
    sizing->model = model;
    sizing->diagnostics = diagnostics;
    return sizing;
}

void rbv_sizing_destroy(RbvSizing *sizing) {
    if (sizing)
        rbv_arena_clear(&sizing->arena);
    free(sizing);
}

static bool same_numbers(const double *a, const double *b, int count) {
    return memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* Are the ratings of two runs the same? Factors on loads may differ. */
static bool same_rating(const RbvSized *a, const RbvSized *b, int which) {
    const RbvBearingDef *p = &a->bearing[which], *q = &b->bearing[which];
    const double bearings[2][16] = {{p->C, p->C0, p->f0, p->angle, p->e, p->X, p->Y, p->Y1, p->Y2, p->X0, p->Y0,
                                     p->exponent, p->reliability, p->a_iso, p->at},
                                    {q->C, q->C0, q->f0, q->angle, q->e, q->X, q->Y, q->Y1, q->Y2, q->X0, q->Y0,
                                     q->exponent, q->reliability, q->a_iso, q->at}};
    const double others[2][20] = {
        {a->rating.continuous, a->rating.peak, a->rating.speed, a->plain.diameter, a->plain.width, a->plain.p,
         a->plain.v, a->plain.pv, a->plain.wear, a->plain.depth, a->guide.C, a->guide.C0, a->guide.mx, a->guide.my,
         a->guide.mz, a->guide.per, a->screw.C, a->screw.C0},
        {b->rating.continuous, b->rating.peak, b->rating.speed, b->plain.diameter, b->plain.width, b->plain.p,
         b->plain.v, b->plain.pv, b->plain.wear, b->plain.depth, b->guide.C, b->guide.C0, b->guide.mx, b->guide.my,
         b->guide.mz, b->guide.per, b->screw.C, b->screw.C0}};
    return same_numbers(bearings[0], bearings[1], 16) && same_numbers(others[0], others[1], 20);
}

const char *rbv_sizing_changed(const RbvSizing *sizing) {
    return sizing->differs;
}

bool rbv_sizing_add(RbvSizing *sizing, RbvResult *result, double share) {
    if (result->sample_count == 0 || !result->joints.items || result->followed.parameter)
        return true;
    sizing->result = result;
    sizing->shares = !isnan(share);
    sizing->scales = rbv_scales(result);
    if (sizing->runs == 0 && (!make_parts(sizing, result) || !make_plots(sizing)))
        return false;
    for (int32_t p = 0; p < sizing->part_count; p++) {
        RbvPart *part = &sizing->parts[p];
        part->entry = &list_of(result, part->of)->items[index_of(sizing, part->of)];
        if (sizing->runs == 0)
            part->rated = *part->of;
        else if (!same_rating(&part->rated, part->of, part->which))
            sizing->differs = part->name;
        part->kind->begin(sizing, part, sizing->runs == 0);
        take_bounds(sizing, part);
        part->samples = part->of->kind == RBV_SIZED_DRIVE ? part->samples : 0;
    }
    expect_quotients(sizing);
    pass_samples(sizing, share);
    for (int32_t p = 0; p < sizing->part_count; p++) {
        RbvPart *part = &sizing->parts[p];
        part->changed = part->changed || has_changed(part->load_first, part->load_last, part->largest[1].value) ||
                        has_changed(part->speed_first, part->speed_last, part->top_speed) || ends_elsewhere(part);
    }
    sizing->runs++;
    return true;
}

bool rbv_sizing_finish(RbvSizing *sizing, RbvResult *result) {
    if (result->sample_count == 1 && !result->equilibrium.found && sizing->part_count > 0)
        rbv_diagnose(sizing->diagnostics, RBV_NOTE, sizing->model->file, sizing->parts[0].of->where,
                     "one sample is no run: of what is sized there are P0, s0, p and peaks alone");
    for (int32_t p = 0; p < sizing->part_count; p++)
        sizing->parts[p].kind->end(sizing, &sizing->parts[p]);
    note_coarse(sizing);
    return keep_figures(sizing, result);
}

bool rbv_size_result(const RbvModel *model, RbvResult *result, RbvDiagnostics *diagnostics) {
    result->sized_count = 0;
    if (model->sized.count == 0)
        return true;
    RbvSizing *sizing = rbv_sizing_create(model, diagnostics);
    bool good = sizing && rbv_sizing_add(sizing, result, NAN) && rbv_sizing_finish(sizing, result);
    rbv_sizing_destroy(sizing);
    return good;
}

int32_t rbv_result_sized_count(const RbvResult *result) {
    return result ? result->sized_count : 0;
}

RbvSizedItem rbv_result_sized(const RbvResult *result, int32_t index) {
    return index >= 0 && index < rbv_result_sized_count(result) ? result->sized[index] : (RbvSizedItem){0};
}

int32_t rbv_result_choice_count(const RbvResult *result) {
    return result ? result->choice_count : 0;
}

RbvMotorChoice rbv_result_choice(const RbvResult *result, int32_t index) {
    return index >= 0 && index < rbv_result_choice_count(result) ? result->choices[index] : (RbvMotorChoice){0};
}
