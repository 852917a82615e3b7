/* Assembly from other poses; see restarts.h. */
#include "solution/assembly/restarts.h"

#include "core/base/diagnostics.h"
#include "core/base/index_table.h"
#include "solution/assembly/freedom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RESTARTS 60
#define HALF_TURN 3.14159
#define RESTART_WORK 60000 /* limit of rows times restarts: large mechanisms get fewer restarts */

/* The search, and the parts of the mechanism (sizes.c) that its nearest position d->best leaves open. Rows of other
 * parts do not depend on them, so closed parts stay in place. */
typedef struct Search {
    RbvDescent *d;
    int32_t *part;    /* [size] part of each column */
    bool *open, *now; /* [parts] open at d->best; open at the evaluated positions */
    int32_t open_count;
    double error; /* at d->best: the largest of a row, relative to its arm */
} Search;

/* Seed of one body's random numbers from its name, independent of its index in the model. Not 0. */
static uint64_t seed_of_body(uint64_t seed, const char *name) {
    uint64_t own = seed + 0x9E3779B97F4A7C15u * rbv_hash(name, strlen(name));
    own = (own ^ own >> 30) * 0xBF58476D1CE4E5B9u;
    own = (own ^ own >> 27) * 0x94D049BB133111EBu;
    return (own ^ own >> 31) | 1;
}

void rbv_shake(RbvState *state, const double *from, double turn, double move, uint64_t *seed, double *step) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++) {
        bool turns = rbv_bodies_turns(bodies, b);
        uint64_t own = seed_of_body(*seed, state->system->model->bodies.items[b].name);
        for (int32_t k = bodies->start[b]; k < bodies->start[b + 1]; k++) {
            bool rotation = turns && rbv_bodies_is_rotation(bodies, b, k);
            step[k] = (rotation ? turn / (bodies->spatial ? 1.7 : 1) : move * rbv_state_body_size(state, b)) *
                      rbv_unit_random(&own);
        }
    }
    rbv_unit_random(seed);
    memcpy(state->q, from, (size_t)state->system->coordinates.position_size * sizeof(double));
    rbv_coordinates_step(&state->system->coordinates, state->q, step);
}

/* Perturbs the starting poses: rotations up to half a turn, positions up to the size of the part, more with each try.
 */
static void perturb(RbvDescent *d, int32_t attempt, int32_t attempts, uint64_t *seed) {
    double amount = (double)attempt / attempts;
    rbv_shake(d->state, d->start, fmin(1, 0.2 + 2 * amount) * HALF_TURN, amount, seed, d->step);
    rbv_descent_restore_turns(d);
}

static bool create_search(Search *s, RbvDescent *d) {
    const RbvSystem *system = d->system;
    const RbvBodyColumns *bodies = &system->bodies;
    *s = (Search){.d = d, .error = INFINITY, .open_count = system->part_count + 1};
    s->part = malloc(((size_t)system->coordinates.size + 1) * sizeof *s->part);
    s->open = malloc((size_t)system->part_count + 1);
    s->now = malloc((size_t)system->part_count + 1);
    if (!s->part || !s->open || !s->now)
        return false;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t k = bodies->start[b]; k < bodies->start[b + 1]; k++)
            s->part[k] = system->part[b];
    memset(s->open, true, (size_t)system->part_count);
    return true;
}

static void destroy_search(Search *s) {
    free(s->part);
    free(s->open);
    free(s->now);
}

/* Moves the bodies of parts that are closed at d->best back there. */
static void restore_closed_parts(Search *s) {
    RbvDescent *d = s->d;
    const RbvCoordinates *coordinates = &d->system->coordinates;
    if (!isfinite(s->error))
        return;
    rbv_coordinates_difference(coordinates, d->state->q, d->best, d->step);
    for (int32_t k = 0; k < coordinates->size; k++)
        d->step[k] = s->open[s->part[k]] ? 0 : d->step[k];
    rbv_coordinates_step(coordinates, d->state->q, d->step);
}

/* Takes the final position of a descent with this error as d->best if it closes more parts, or as many with a smaller
 * error. */
static void keep_nearest(Search *s, double error) {
    RbvDescent *d = s->d;
    int32_t count = 0;
    memset(s->now, false, (size_t)d->system->part_count);
    for (int32_t k = 0; k < d->rows; k++)
        for (int32_t e = d->system->C.start[k];
             !(rbv_descent_row_error(d, k) <= RBV_ASSEMBLY_TOLERANCE) && e < d->system->C.start[k + 1]; e++)
            s->now[s->part[d->system->C.column[e]]] = true;
    for (int32_t p = 0; p < d->system->part_count; p++)
        count += s->now[p];
    if (!(count < s->open_count || (count == s->open_count && error < s->error)))
        return;
    bool *open = s->open;
    s->open = s->now;
    s->now = open;
    s->open_count = count;
    s->error = error;
    memcpy(d->best, d->state->q, (size_t)d->system->coordinates.position_size * sizeof(double));
}

static double largest_error(const RbvDescent *d) {
    double most = 0;
    for (int32_t k = 0; k < d->rows; k++)
        most = fmax(most, fabs(d->phi[k]));
    return most;
}

/* True if other whole turns would reduce the errors of the rows. */
static bool other_turns_fit(RbvDescent *d) {
    double before = largest_error(d), after = 0;
    rbv_choose_turns(d->state);
    for (int32_t k = 0; k < d->rows; k++)
        after = fmax(after, d->weight[k] * fabs(d->state->phi[k]));
    rbv_descent_restore_turns(d);
    rbv_state_place(d->state);
    return after < 0.999 * before;
}

/* True at a stationary point of the error, C^T phi = 0, if only rows with constant gradients (angles), or rows on one
 * and the same measure, have errors: these rows contradict each other at any position. text: the names of rows with
 * errors. */
static bool contradictory(RbvDescent *d, char *text, size_t size) {
    const RbvSystem *system = d->system;
    double tolerance = 1e-6 * largest_error(d);
    bool angles = true, one_measure = true;
    int32_t measure = -1, count = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < d->rows; k++) {
        const RbvRow *row = &system->rows[k];
        if (fabs(d->phi[k]) <= tolerance)
            continue;
        count++;
        const RbvTerm *terms = &system->terms[row->first];
        for (int32_t n = 0; n < row->count; n++)
            angles = angles && !row->equation &&
                     system->model->measures.items[terms[n].measure].kind == RBV_MEASURE_ANGLE; /* of the plane */
        one_measure = one_measure && row->count == 1 && !row->equation && (measure < 0 || measure == terms[0].measure);
        measure = terms[0].measure;
        char name[160];
        rbv_system_row_name(system, k, name, sizeof name);
        int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
    }
    /* a single row may be at a position where its gradient vanishes */
    return (angles || (one_measure && count > 1)) && rbv_descent_is_stationary(d) && !other_turns_fit(d);
}

static RbvStatus search_poses(Search *s, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    RbvDescent *d = s->d;
    RbvState *state = d->state;
    const RbvModel *model = d->system->model;
    size_t size = (size_t)d->system->coordinates.position_size * sizeof(double);
    int32_t attempts = RESTART_WORK / (d->rows + 1);
    attempts = attempts < 3 ? 3 : attempts > MOST_RESTARTS ? MOST_RESTARTS : attempts;
    uint64_t seed = 0x9E3779B97F4A7C15u;
    char text[1024];
    for (int32_t attempt = 0; attempt <= attempts; attempt++) {
        if (attempt == 1) {
            if (!rbv_place_along_joints(state))
                return RBV_NO_MEMORY;
            rbv_descent_restore_turns(d);
        } else if (attempt > 1) {
            perturb(d, attempt, attempts, &seed);
        }
        restore_closed_parts(s);
        if (attempt > 1 && attempt % 2 == 0)
            rbv_choose_turns(state);
        double error = rbv_descend(d);
        if (rbv_progress_stopped(state->progress))
            return RBV_INTERRUPTED;
        if (state->no_memory)
            return RBV_NO_MEMORY;
        if (isnan(error) && attempt == 0) {
            rbv_state_explain(state, text, sizeof text);
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                         "the starting poses give no finite numbers at t = %g s%s%s", state->t, text[0] ? ": " : "",
                         text);
            return RBV_NOT_FINITE;
        }
        keep_nearest(s, error);
        assembly->restarts = attempt;
        assembly->error = s->error;
        if (s->error <= RBV_ASSEMBLY_TOLERANCE)
            return RBV_OK;
        if (attempt == 0 && contradictory(d, text, sizeof text)) {
            char gaps[1024];
            if (!rbv_describe_gaps(state, gaps, sizeof gaps))
                return RBV_NO_MEMORY;
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                         "assembly is impossible at t = %g s: these contradict each other: %s (left: %s)", state->t,
                         text, gaps);
            return RBV_INCONSISTENT;
        }
    }
    memcpy(state->q, d->best, size);
    rbv_state_place(state);
    rbv_note_parallel_axes(model, diagnostics);
    char loop[800];
    if (!rbv_describe_gaps(state, text, sizeof text) || !rbv_describe_loop(state, loop, sizeof loop))
        return RBV_NO_MEMORY;
    rbv_diagnose(
        diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
        "no assembly found at t = %g s, from the starting poses and %d others; the nearest leaves gaps: %s%s%s",
        state->t, (int)attempts, text, *loop ? "; " : "", loop);
    return RBV_NOT_ASSEMBLED;
}

RbvStatus rbv_assemble_from_other_poses(RbvDescent *d, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    Search s;
    RbvStatus status = create_search(&s, d) ? search_poses(&s, diagnostics, assembly) : RBV_NO_MEMORY;
    destroy_search(&s);
    return status;
}
