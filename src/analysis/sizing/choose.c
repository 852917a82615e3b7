/* Every motor of a catalogue with every gear, for every drive.
 *
 * The effort along the coordinate is linear in the inertia of the rotor: of a run with rotor J and ratio r the load
 * Q - J r^2 c'' stays as it is, and another motor J', gear r' with inertia J'' has
 *
 *   T = (Q - J r^2 c'')/r' k + (J' + J'') r' c''
 *
 * at each sample, k as in drive.c. So all pairs are exact, without another run; but where a drive slips or is released
 * its motion depends on the motor, and there is no choice. */
#include "analysis/sizing/choose.h"

#include "analysis/sizing/motor.h"
#include "analysis/sizing/sizing.h"
#include "core/base/tolerances.h"
#include "core/linalg/quadrature.h"
#include "model/model/catalogue.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Samples of a drive, of all runs. */
typedef struct DriveSamples {
    double *load; /* effort along the coordinate without its rotor */
    double *rate; /* of the coordinate, and its second rate */
    double *second;
    double felt;     /* largest inertia that the drive feels, without its rotor; NaN: unknown */
    double still[2]; /* rates and second rates up to these are none */
    double efficiency;
    bool left_out;
} DriveSamples;

struct RbvChooser {
    const RbvModel *model;
    const RbvSizingOptions *options;
    RbvDiagnostics *diagnostics;
    DriveSamples *drives; /* [drives] */
    double *t, *weight;   /* [count] time; weight in integrals over time, divided by its length */
    int32_t count;        /* samples of all runs */
};

RbvChooser *rbv_chooser_create(const RbvModel *model, const RbvSizingOptions *options, RbvDiagnostics *diagnostics) {
    RbvChooser *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    *c = (RbvChooser){.model = model, .options = options, .diagnostics = diagnostics};
    c->drives = calloc((size_t)model->drives.count + 1, sizeof *c->drives);
    if (!c->drives) {
        free(c);
        return NULL;
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        c->drives[k].felt = NAN;
    return c;
}

void rbv_chooser_destroy(RbvChooser *c) {
    for (int32_t k = 0; c && k < c->model->drives.count; k++) {
        free(c->drives[k].load);
        free(c->drives[k].rate);
        free(c->drives[k].second);
    }
    if (c) {
        free(c->drives);
        free(c->t);
        free(c->weight);
    }
    free(c);
}

static bool grow(double **values, int32_t count) {
    double *grown = realloc(*values, ((size_t)count + 1) * sizeof *grown);
    *values = grown ? grown : *values;
    return grown != NULL;
}

/* ---- the runs ---- */

/* Is there a condition on the drive? */
static bool is_released(const RbvModel *model, int32_t drive) {
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_DRIVE && model->conditions.items[k].index == drive)
            return true;
    return false;
}

/* Why no motor can be chosen for the drive; NULL: one can. */
static const char *obstacle_of(const RbvChooser *c, const RbvResult *result, int32_t k) {
    const RbvDrive *drive = &c->model->drives.items[k];
    bool angle = rbv_coordinate_is_angle(c->model, &drive->of);
    if (drive->of.measure < 0 || strcmp(drive->unit, angle ? "N.m" : "N") != 0)
        return "it moves an expression of coordinates";
    if (!drive->has_rotor && !angle && isnan(c->options->catalogue->gears[0].ratio))
        return "it moves a length, and neither a rotor nor gears say by which ratio (rad/m)";
    if (drive->most || is_released(c->model, k))
        return "it slips or is released, so that its motion depends on the motor";
    if (result->drives.items[k].aside || result->drives.items[k].count == 0)
        return "its effort was not computed";
    if (result->columns[result->drives.items[k].first].verdict >= RBV_UNSURE)
        return "its effort is not determined";
    return NULL;
}

/* Samples of drive k, behind those of the runs before. */
static void take_drive(RbvChooser *c, const RbvResult *result, int32_t k) {
    const RbvDrive *drive = &c->model->drives.items[k];
    const RbvEntry *entry = &result->drives.items[k];
    DriveSamples *s = &c->drives[k];
    const RbvSized *rated = rbv_model_rating(c->model, k, false);
    double own = drive->has_rotor ? drive->rotor_inertia * drive->rotor_ratio * drive->rotor_ratio : 0;
    s->efficiency = rated ? rated->rating.efficiency : 1;
    double still[2];
    rbv_shaft_rest(result, entry->rate, rbv_coordinate_is_angle(c->model, &drive->of), still);
    for (int order = 0; order < 2; order++)
        s->still[order] = fmax(s->still[order], still[order]);
    for (int32_t n = 0; n < result->sample_count; n++) {
        const double *row = rbv_result_row(result, n);
        s->load[c->count + n] = row[entry->first] - own * row[entry->rate + 1];
        s->rate[c->count + n] = row[entry->rate];
        s->second[c->count + n] = row[entry->rate + 1];
        s->felt = fmax(s->felt, row[entry->rate + 2] - own);
    }
}

bool rbv_chooser_add(RbvChooser *c, const RbvResult *result, double share) {
    int32_t total = c->count + result->sample_count;
    bool good = grow(&c->t, total) && grow(&c->weight, total);
    for (int32_t k = 0; good && k < c->model->drives.count; k++) {
        DriveSamples *s = &c->drives[k];
        good = grow(&s->load, total) && grow(&s->rate, total) && grow(&s->second, total);
        const char *obstacle = good && !s->left_out ? obstacle_of(c, result, k) : NULL;
        if (obstacle)
            rbv_diagnose(c->diagnostics, RBV_NOTE, c->model->file, c->model->drives.items[k].where,
                         "no motor is chosen for drive '%s': %s", c->model->drives.items[k].name, obstacle);
        s->left_out = s->left_out || obstacle;
        if (good && !s->left_out)
            take_drive(c, result, k);
    }
    if (!good)
        return false;
    for (int32_t n = 0; n < result->sample_count; n++)
        c->t[c->count + n] = rbv_result_row(result, n)[0];
    double *weight = c->weight + c->count, sum = 0;
    rbv_quadrature_weights(c->t + c->count, result->sample_count, weight);
    for (int32_t n = 0; n < result->sample_count; n++)
        sum += weight[n];
    for (int32_t n = 0; n < result->sample_count && sum > 0; n++)
        weight[n] *= (isnan(share) ? 1 : share) / sum;
    c->count = total;
    return true;
}

/* ---- the pairs ---- */

/* What is the same for all motors behind a gear: the load at the motor's shaft with the losses of the gear. */
typedef struct Geared {
    const DriveSamples *drive;
    const RbvGear *gear;
    double ratio;           /* of the gear, or that of the drive's own rotor */
    double *load;           /* [count] */
    double mean, top, most; /* mean and top speed of the shaft; largest load along the coordinate */
    double felt;            /* inertia that is felt at the shaft */
} Geared;

static void put_behind(const RbvChooser *c, Geared *g) {
    const DriveSamples *s = g->drive;
    double i = g->ratio, eta = g->gear->has_efficiency ? g->gear->efficiency : s->efficiency;
    const RbvShaft shaft = {.ratio = i, .efficiency = eta, .still = {s->still[0], s->still[1]}};
    g->mean = g->top = g->most = 0;
    g->felt = s->felt / (i * i);
    for (int32_t n = 0; n < c->count; n++) {
        const double rate[2] = {s->rate[n], s->second[n]};
        g->load[n] = rbv_shaft_effort(&shaft, s->load[n], rate);
        g->mean += c->weight[n] * fabs(i * s->rate[n]);
        g->top = fmax(g->top, fabs(i * s->rate[n]));
        g->most = fmax(g->most, fabs(s->load[n]));
    }
}

/* Appends a limit that fails. */
static void fail(char *fails, size_t size, const char *what) {
    size_t used = strlen(fails);
    snprintf(fails + used, size - used, "%s%s", used ? ", " : "", what);
}

/* Largest and mean square effort with the inertia J at the shaft, and the least margin to the peak. */
static void evaluate(const RbvChooser *c, const Geared *g, const RbvMotor *motor, RbvMotorChoice *choice) {
    const DriveSamples *s = g->drive;
    const RbvRatingDef *rating = &motor->rating;
    double own = (motor->inertia + g->gear->inertia) * g->ratio, square = 0, most = -1, least = INFINITY;
    int32_t at = 0;
    for (int32_t n = 0; n < c->count; n++) {
        double T = fabs(g->load[n] + own * s->second[n]);
        square += c->weight[n] * T * T;
        if (T > most)
            most = T, at = n;
    }
    for (int32_t n = 0; rating->curve_count > 0 && n < c->count; n++)
        least =
            fmin(least, rbv_motor_peak(rating, fabs(g->ratio * s->rate[n])) / fabs(g->load[n] + own * s->second[n]));
    choice->peak = most;
    choice->peak_at = c->t[at];
    choice->rms = sqrt(fmax(0, square));
    choice->margin_to_peak = rating->curve_count > 0 ? least : rating->peak / most;
    if (g->top > rbv_motor_top_speed(rating) * (1 + RBV_SAME))
        choice->margin_to_peak = 0;
}

static void judge(const Geared *g, const RbvMotor *motor, double reserve, RbvMotorChoice *choice, char *fails,
                  size_t size) {
    double limit = rbv_motor_top_speed(&motor->rating), J = motor->inertia + g->gear->inertia;
    choice->mean_speed = g->mean;
    choice->top_speed = g->top;
    choice->rms_to_continuous = choice->rms / rbv_motor_continuous(&motor->rating, g->mean);
    choice->speed_to_limit = isfinite(limit) ? g->top / limit : NAN;
    choice->inertia_ratio = J > 0 ? g->felt / J : NAN;
    if (choice->rms_to_continuous * reserve > 1)
        fail(fails, size, "rms");
    if (choice->margin_to_peak < reserve)
        fail(fails, size, "peak");
    if (g->top > limit * (1 + RBV_SAME))
        fail(fails, size, "speed");
    if (g->most * reserve > g->gear->peak)
        fail(fails, size, "gear");
}

/* Sorted: those that fit, by the figure of the sort; then the others. */
static double key_of(const RbvMotorChoice *choice, RbvSizingSort sort) {
    double key = choice->rms_to_continuous;
    if (sort == RBV_SORT_INERTIA)
        key = fabs(choice->inertia_ratio);
    if (sort == RBV_SORT_MARGIN)
        key = -choice->margin_to_peak;
    return isnan(key) ? INFINITY : key;
}

static int compare(const RbvMotorChoice *x, const RbvMotorChoice *y, RbvSizingSort sort) {
    if ((*x->fails == '\0') != (*y->fails == '\0'))
        return *x->fails ? 1 : -1;
    /* As floats: figures that differ by rounding are equal, and the smaller motor comes first. */
    float p = (float)key_of(x, sort), q = (float)key_of(y, sort);
    if (p == q)
        p = (float)x->peak, q = (float)y->peak;
    return (p > q) - (p < q);
}
static int by_rms(const void *a, const void *b) {
    return compare(a, b, RBV_SORT_RMS);
}
static int by_inertia(const void *a, const void *b) {
    return compare(a, b, RBV_SORT_INERTIA);
}
static int by_margin(const void *a, const void *b) {
    return compare(a, b, RBV_SORT_MARGIN);
}
static int (*const orders[])(const void *, const void *) = {
    [RBV_SORT_RMS] = by_rms, [RBV_SORT_INERTIA] = by_inertia, [RBV_SORT_MARGIN] = by_margin};

/* Is the gear one for the drive's coordinate, an angle or a length? Where its units say nothing it is for both. */
static bool suits(const RbvChooser *c, const RbvGear *gear, const RbvDrive *drive) {
    bool angle = rbv_coordinate_is_angle(c->model, &drive->of);
    return gear->of == RBV_GEAR_OF_ANY || (gear->of == RBV_GEAR_OF_ANGLE) == angle;
}

bool rbv_chooser_suits(const RbvChooser *c, RbvDiagnostics *diagnostics) {
    const RbvCatalogue *of = c->options->catalogue;
    bool any = c->model->drives.count == 0 || of->gear_count == 0;
    for (int32_t k = 0; k < c->model->drives.count; k++)
        for (int32_t j = 0; j < of->gear_count; j++)
            any = any || suits(c, &of->gears[j], &c->model->drives.items[k]);
    if (!any)
        rbv_diagnose(diagnostics, RBV_ERROR, of->gear_file, of->gear_at,
                     "by their units these gears are for %s, but no drive of the model moves one",
                     of->gears[0].of == RBV_GEAR_OF_ANGLE ? "an angle" : "a length");
    return any;
}

/* All pairs of one drive, behind the choices so far. False: no memory. */
static bool choose_for(const RbvChooser *c, int32_t k, double *scratch, RbvResult *result) {
    const RbvCatalogue *of = c->options->catalogue;
    double reserve = c->options->reserve > 0 ? c->options->reserve : 1;
    const char *drive = result->drives.items[k].name;
    int32_t first = result->choice_count;
    for (int32_t j = 0; j < of->gear_count; j++) {
        const RbvDrive *own = &c->model->drives.items[k];
        Geared g = {.drive = &c->drives[k], .gear = &of->gears[j], .load = scratch, .ratio = of->gears[j].ratio};
        if (isnan(g.ratio))
            g.ratio = own->has_rotor ? own->rotor_ratio : 1;
        if (!suits(c, &of->gears[j], own))
            continue;
        const char *gear = rbv_arena_copy(&result->arena, g.gear->name, strlen(g.gear->name));
        put_behind(c, &g);
        for (int32_t m = 0; m < of->motor_count; m++) {
            const RbvMotor *motor = &of->motors[m];
            RbvMotorChoice *choice = &result->choices[result->choice_count++];
            char fails[40] = "";
            *choice = (RbvMotorChoice){.drive = drive, .gear = gear, .ratio = g.ratio};
            evaluate(c, &g, motor, choice);
            judge(&g, motor, reserve, choice, fails, sizeof fails);
            choice->motor = rbv_arena_copy(&result->arena, motor->name, strlen(motor->name));
            choice->fails = rbv_arena_copy(&result->arena, fails, strlen(fails));
            if (!gear || !choice->motor || !choice->fails)
                return false;
        }
    }
    qsort(result->choices + first, (size_t)(result->choice_count - first), sizeof *result->choices,
          orders[c->options->sort]);
    return true;
}

bool rbv_chooser_finish(RbvChooser *c, RbvResult *result) {
    const RbvCatalogue *of = c->options->catalogue;
    double time = 0;
    for (int32_t n = 0; n < c->count; n++)
        time += c->weight[n];
    if (!(time > 0)) {
        rbv_diagnose(c->diagnostics, RBV_NOTE, c->model->file, (RbvPosition){0, 0},
                     "no motors are chosen: that needs a run in time");
        return true;
    }
    size_t pairs = (size_t)of->motor_count * (size_t)of->gear_count;
    double *scratch = malloc(((size_t)c->count + 1) * sizeof *scratch);
    result->choice_count = 0;
    result->choices =
        rbv_arena_array(&result->arena, pairs * (size_t)c->model->drives.count + 1, sizeof *result->choices);
    bool good = scratch && result->choices;
    for (int32_t k = 0; good && k < c->model->drives.count; k++)
        good = c->drives[k].left_out || c->count == 0 || choose_for(c, k, scratch, result);
    free(scratch);
    return good;
}
