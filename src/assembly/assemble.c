/* Assembly by Levenberg-Marquardt with restarts; see assemble.h. */
#include "assembly/assemble.h"

#include "assembly/freedom.h"
#include "base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 200       /* of one descent: a far start needs some thirty */
#define LARGEST_TURN 0.6     /* rad per step: beyond it the linear model of a hinge is worthless */
#define LEAST_RIDGE 1e-13    /* of L^2: below it the ridge only adds rounding */
#define MOST_RESTARTS 60
#define HALF_TURN 3.14159
#define RESTART_WORK 60000   /* rows times restarts: large mechanisms get fewer */

typedef struct Assembler {
    RbvState *state;
    const RbvSystem *system;
    RbvRidge *ridge;
    int32_t rows;         /* that position has to satisfy */
    double L, reach;      /* what a turn is worth; how large the mechanism is */
    double *weight;       /* [rows] */
    double *C, *phi;      /* scaled */
    double *step, *q, *start, *best;
    RbvMeasureMemory *memory; /* [measures] turns as chosen at the start */
} Assembler;

static bool create(Assembler *a, RbvState *state) {
    const RbvSystem *system = state->system;
    size_t size = (size_t)system->coordinates.size + 1, positions = (size_t)system->coordinates.position_size + 1;
    *a = (Assembler){.state = state, .system = system, .rows = system->position_count, .L = system->arm_length, .reach = system->size_length};
    a->ridge = rbv_ridge_create(a->rows, system->coordinates.size, system->C.start, system->C.column);
    a->weight = malloc(((size_t)a->rows + 1) * sizeof(double));
    a->C = malloc(((size_t)system->C.start[a->rows] + 1) * sizeof(double));
    a->phi = malloc(((size_t)a->rows + 1) * sizeof(double));
    a->step = malloc(size * sizeof(double));
    a->q = malloc(positions * sizeof(double));
    a->start = malloc(positions * sizeof(double));
    a->best = malloc(positions * sizeof(double));
    a->memory = malloc(((size_t)system->model->measures.count + 1) * sizeof *a->memory);
    return a->memory && a->ridge && a->weight && a->C && a->phi && a->step && a->q && a->start && a->best;
}

static void destroy(Assembler *a) {
    rbv_ridge_destroy(a->ridge);
    free(a->weight);
    free(a->C);
    free(a->phi);
    free(a->step);
    free(a->q);
    free(a->start);
    free(a->best);
    free(a->memory);
}

/* Scaled C of the placed state: rows by weight, rotations by 1/L. */
static void scaled_jacobian(Assembler *a, const double *scale) {
    rbv_state_jacobian(a->state);
    for (int32_t k = 0; k < a->rows; k++)
        for (int32_t e = a->system->C.start[k]; e < a->system->C.start[k + 1]; e++)
            a->C[e] = a->state->C[e] * a->weight[k] * scale[a->system->C.column[e]];
}

static double scaled_residual(Assembler *a) {
    double sum = 0;
    for (int32_t k = 0; k < a->rows; k++) {
        a->phi[k] = a->weight[k] * a->state->phi[k];
        sum += a->phi[k] * a->phi[k];
    }
    return sum;
}

static double largest(const double *x, int32_t n) {
    double most = 0;
    for (int32_t k = 0; k < n; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

/* Weights: an angle counts L, a length 1, an equation whatever makes its gradient a unit vector here. */
static void set_weights(Assembler *a, const double *scale) {
    rbv_state_jacobian(a->state);
    for (int32_t k = 0; k < a->rows; k++) {
        const RbvRow *row = &a->system->rows[k];
        a->weight[k] = row->on_rates ? 0 : row->angular ? a->L : 1; /* rows on rates do not restrict positions */
        if (!row->equation || row->on_rates)
            continue;
        double sum = 0;
        for (int32_t e = a->system->C.start[k]; e < a->system->C.start[k + 1]; e++) {
            double c = a->state->C[e] * scale[a->system->C.column[e]];
            sum += c * c;
        }
        a->weight[k] = sum > 1e-20 && isfinite(sum) ? 1 / sqrt(sum) : 1;
    }
}

/* Shorten the step so that no body turns or moves too far at once. */
static void limit_step(Assembler *a) {
    double turn = 0, move = 0;
    RbvTwist *steps = a->state->twists;
    rbv_coordinates_push(&a->system->coordinates, rbv_state_at(a->state), a->step, steps);
    for (int32_t b = 1; b < a->system->bodies.count; b++) {
        RbvTwist step = steps[b];
        move = fmax(move, rbv_norm(step.v));
        turn = fmax(turn, rbv_norm(step.w));
    }
    double factor = fmin(1, fmin(LARGEST_TURN / fmax(turn, 1e-300), 2 * a->reach / fmax(move, 1e-300)));
    for (int32_t k = 0; k < a->system->coordinates.size; k++)
        a->step[k] *= factor;
}

static size_t memory_size(const Assembler *a) {
    return (size_t)a->system->model->measures.count * sizeof *a->memory;
}

/* Turns about axes go on from where the last step left them. */
static void follow_turns(Assembler *a) {
    RbvState *state = a->state;
    const RbvModel *model = a->system->model;
    for (int32_t n = 0; a->system->bodies.spatial && n < a->system->row_measure_count; n++) {
        int32_t m = a->system->measure_order[n];
        RbvMeasureKind kind = model->measures.items[m].kind;
        if (kind == RBV_MEASURE_TWIST || kind == RBV_MEASURE_MESH)
            rbv_measure_accept(&model->measures.items[m], &state->measures[m], &state->memory[m]);
    }
}

/* One descent from the q in state. Returns the largest scaled error reached, NaN when the start is not finite. */
static double descend(Assembler *a, const double *scale) {
    RbvState *state = a->state;
    int32_t size = a->system->coordinates.size;
    size_t positions = (size_t)a->system->coordinates.position_size * sizeof(double);
    if (!rbv_state_place(state))
        return NAN;
    double merit = scaled_residual(a), mu = 1e-4;
    int32_t stalled = 0;
    for (int step = 0; step < MOST_STEPS && merit > 0 && !rbv_watch_stops(state->watch); step++) {
        scaled_jacobian(a, scale);
        if (!rbv_ridge_factor(a->ridge, a->C, mu))
            return largest(a->phi, a->rows);
        rbv_ridge_step(a->ridge, a->phi, a->step);
        for (int32_t k = 0; k < size; k++)
            a->step[k] *= scale[k];
        limit_step(a);
        memcpy(a->q, state->q, positions);
        rbv_coordinates_step(&a->system->coordinates, state->q, a->step);
        bool finite = rbv_state_place(state);
        double next = finite ? scaled_residual(a) : INFINITY;
        if (next < merit) {
            follow_turns(a);
            stalled = next > 0.25 * merit ? stalled + 1 : 0;
            merit = next;
            mu = fmax(mu * 0.05, LEAST_RIDGE);
            double error = largest(a->phi, a->rows);
            if (error < 1e-15 * a->L || (stalled >= 2 && error < RBV_ASSEMBLY_TOLERANCE * a->L))
                break;
            if (stalled > 40)
                break;
        } else {
            memcpy(state->q, a->q, positions);
            rbv_state_place(state);
            scaled_residual(a);
            if (largest(a->phi, a->rows) < RBV_ASSEMBLY_TOLERANCE * a->L || mu > 1e6)
                break;
            mu *= 20;
        }
    }
    return largest(a->phi, a->rows);
}

static double unit_random(uint64_t *seed) {
    *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

void rbv_shake(RbvState *state, const double *from, double turn, double move, uint64_t *seed, double *step) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++) {
        bool turns = rbv_bodies_turns(bodies, b);
        for (int32_t k = bodies->start[b]; k < bodies->start[b + 1]; k++) {
            bool rotation = turns && rbv_bodies_is_rotation(bodies, b, k);
            step[k] = (rotation ? turn / (bodies->spatial ? 1.7 : 1) : move) * unit_random(seed);
        }
    }
    memcpy(state->q, from, (size_t)state->system->coordinates.position_size * sizeof(double));
    rbv_coordinates_step(&state->system->coordinates, state->q, step);
}

/* Starting poses, shaken: turns up to half a turn, places up to the size of the mechanism, more with each try. */
static void shake(Assembler *a, int32_t attempt, int32_t attempts, uint64_t *seed) {
    double amount = (double)attempt / attempts;
    rbv_shake(a->state, a->start, fmin(1, 0.2 + 2 * amount) * HALF_TURN, amount * a->reach, seed, a->step);
    memcpy(a->state->memory, a->memory, memory_size(a));
}

/* At a stationary point of the error, C^T phi = 0: when only rows with constant gradients (angles), or rows on one and the same measure,
 * carry an error, they contradict each other wherever the bodies are. */
static bool contradictory(const Assembler *a, char *text, size_t size) {
    const RbvSystem *system = a->system;
    double tolerance = 1e-6 * largest(a->phi, a->rows);
    bool angles = true, one_measure = true;
    int32_t measure = -1, count = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < a->rows; k++) {
        const RbvRow *row = &system->rows[k];
        if (fabs(a->phi[k]) <= tolerance)
            continue;
        count++;
        const RbvTerm *terms = &system->terms[row->first];
        for (int32_t n = 0; n < row->count; n++)
            angles = angles && !row->equation && system->model->measures.items[terms[n].measure].kind == RBV_MEASURE_ANGLE; /* of the plane */
        one_measure = one_measure && row->count == 1 && !row->equation && (measure < 0 || measure == terms[0].measure);
        measure = terms[0].measure;
        char name[160];
        rbv_system_row_name(system, k, name, sizeof name);
        int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
    }
    return angles || (one_measure && count > 1); /* a single row may be at a place where its gradient vanishes */
}

static RbvStatus search(Assembler *a, const double *scale, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    RbvState *state = a->state;
    const RbvModel *model = a->system->model;
    size_t size = (size_t)a->system->coordinates.position_size * sizeof(double);
    int32_t attempts = RESTART_WORK / (a->rows + 1);
    attempts = attempts < 3 ? 3 : attempts > MOST_RESTARTS ? MOST_RESTARTS : attempts;
    uint64_t seed = 0x9E3779B97F4A7C15u;
    double best = INFINITY;
    char text[1024];
    for (int32_t attempt = 0; attempt <= attempts; attempt++) {
        if (attempt == 1) {
            if (!rbv_place_along_joints(state))
                return RBV_NO_MEMORY;
            memcpy(state->memory, a->memory, memory_size(a));
        } else if (attempt > 1) {
            shake(a, attempt, attempts, &seed);
            if (attempt % 2 == 0)
                rbv_choose_turns(state);
        }
        double error = descend(a, scale);
        if (isnan(error) && attempt == 0) {
            rbv_state_explain(state, text, sizeof text);
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                         "the starting poses give no finite numbers at t = %g s%s%s", state->t, text[0] ? ": " : "", text);
            return RBV_NOT_FINITE;
        }
        if (rbv_watch_stopped(state->watch))
            return RBV_INTERRUPTED;
        if (error < best) {
            best = error;
            memcpy(a->best, state->q, size);
        }
        assembly->restarts = attempt;
        assembly->error = best;
        if (best <= RBV_ASSEMBLY_TOLERANCE * a->L)
            return RBV_OK;
        if (attempt == 0 && contradictory(a, text, sizeof text)) {
            char gaps[1024];
            rbv_describe_gaps(state, gaps, sizeof gaps);
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                         "assembly is impossible at t = %g s: these contradict each other: %s (left: %s)", state->t, text, gaps);
            return RBV_INCONSISTENT;
        }
    }
    memcpy(state->q, a->best, size);
    rbv_state_place(state);
    rbv_describe_gaps(state, text, sizeof text);
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                 "no assembly found at t = %g s, from the starting poses and %d others; the nearest leaves gaps: %s", state->t,
                 (int)attempts, text);
    return RBV_NOT_ASSEMBLED;
}

/* Each initial condition must take a freedom that joints, drives and earlier conditions leave. */
static RbvStatus check_initial(RbvState *state, bool silent, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    RbvStatus status = RBV_OK;
    for (int rate = 0; rate < 2; rate++) {
        RbvFreedom *freedom = rbv_freedom_create(state, system->row_count, rate == 0);
        if (!freedom)
            return RBV_NO_MEMORY;
        int32_t first = rate ? system->position_count : system->row_count;
        int32_t end = rate ? system->all_count : system->position_count;
        for (int32_t k = first; k < end; k++) {
            const RbvInitial *initial = &model->initial.items[system->rows[k].index];
            if (rbv_freedom_take_row(freedom, state, k) || rbv_freedom_lost(freedom))
                continue;
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, initial->where,
                         "initial condition '%s' is one too many: joints, drives and the conditions before it already decide it",
                         initial->coordinate);
            status = RBV_BAD_INPUT;
        }
        char missing[512];
        /* a driven motion leaves no freedom, but rows on rates leave positions free */
        bool quiet = silent && (rate == 1 || system->rate_count == 0);
        int32_t left = quiet ? 0 : rbv_freedom_complete(freedom, state, missing, sizeof missing);
        if (rbv_freedom_lost(freedom)) {
            rbv_freedom_destroy(freedom);
            return RBV_NO_MEMORY;
        }
        if (left < 0 && status == RBV_OK && (rate == 0 || end > first))
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
                         "freedoms without an initial condition start where the starting poses are nearest %s", missing);
        if (left > 0 && status == RBV_OK && (rate == 0 || end > first))
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
                         rate ? "%d freedom%s without an initial rate start%s at the least motion: %s"
                              : "%d freedom%s without an initial condition start%s where the starting poses are nearest: %s",
                         (int)left, left == 1 ? "" : "s", left == 1 ? "s" : "", missing);
        rbv_freedom_destroy(freedom);
    }
    return status;
}

/* Derivatives may be infinite where values are not: sqrt at 0. */
static RbvStatus check_finite(RbvState *state, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    rbv_state_jacobian(state);
    for (int32_t k = 0; k < system->row_count; k++)
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++) {
            if (isfinite(state->C[e]))
                continue;
            char name[160];
            rbv_system_row_name(system, k, name, sizeof name);
            rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                         "at t = %g s the derivatives of %s are not finite where the mechanism is assembled", state->t, name);
            return RBV_NOT_FINITE;
        }
    return RBV_OK;
}

static RbvStatus assemble_position(Assembler *a, const double *scale, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    RbvState *state = a->state;
    const RbvSystem *system = a->system;
    memcpy(a->start, state->q, (size_t)system->coordinates.position_size * sizeof(double));
    rbv_choose_turns(state);
    memcpy(a->memory, state->memory, memory_size(a));
    set_weights(a, scale);
    RbvStatus status = RBV_OK;
    for (int with_initial = 0; with_initial < 2 && status == RBV_OK; with_initial++) {
        if (with_initial && system->all_count == system->row_count)
            break;
        a->rows = with_initial ? system->position_count : system->row_count;
        rbv_ridge_destroy(a->ridge);
        a->ridge = rbv_ridge_create(a->rows, system->coordinates.size, system->C.start, system->C.column);
        if (!a->ridge)
            return RBV_NO_MEMORY;
        status = search(a, scale, diagnostics, assembly);
        if (status == RBV_OK && !with_initial) {
            rbv_start_rates(state);
            status = check_finite(state, diagnostics);
        }
        if (status == RBV_OK && !with_initial)
            status = check_initial(state, assembly->driven, diagnostics);
    }
    return status;
}

RbvStatus rbv_assemble_position(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    *assembly = (RbvAssembly){.driven = assembly->driven};
    state->t = t;
    Assembler a;
    double *scale = rbv_scaled_columns(state->system, state->system->arm_length);
    RbvStatus status = create(&a, state) && scale ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = assemble_position(&a, scale, diagnostics, assembly);
    char why[256];
    if (status == RBV_OK && rbv_describe_singular(state, why, sizeof why)) {
        rbv_diagnose(diagnostics, RBV_ERROR, state->system->model->file, (RbvPosition){0, 0}, "where the mechanism is assembled, at t = %g s, %s", t, why);
        status = RBV_BAD_INPUT;
    }
    if (status == RBV_OK) {
        rbv_note_branch(state, a.start, a.step, assembly, diagnostics);
        rbv_state_accept(state);
    }
    free(scale);
    destroy(&a);
    return status;
}

RbvStatus rbv_assemble(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    RbvStatus status = rbv_assemble_position(state, t, diagnostics, assembly);
    double *scale = rbv_scaled_columns(state->system, state->system->arm_length);
    if (status == RBV_OK)
        status = scale ? rbv_assemble_velocity(state, scale, diagnostics) : RBV_NO_MEMORY;
    free(scale);
    return status;
}
