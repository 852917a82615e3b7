/* ctest: long optimised */
/* Memory: sampling allocates nothing, and every allocation may fail once without a crash or a leak.
 *
 * malloc, calloc, realloc and free are taken over for the whole program. A block is ours when the caller's code lies in
 * this executable (the library is linked statically), so that what libfyaml, LAPACK or libc keep for themselves is not
 * held against us. AddressSanitizer and ThreadSanitizer take them over themselves: with them there is nothing to test.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mechanics/system/system.h"
#include "model/result/result.h"
#include "support/machines.h"
#include "support/trees.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAKEN_OVER 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TAKEN_OVER 0
#endif
#endif
#if !defined(TAKEN_OVER) && defined(__GLIBC__)
#define TAKEN_OVER 1
#elif !defined(TAKEN_OVER)
#define TAKEN_OVER 0
#endif

static struct {
    int64_t all;     /* allocations by anybody */
    int64_t ours;    /* by this executable's code */
    int64_t live;    /* ours not yet freed */
    int64_t fail_at; /* the number of ours that fails; 0: none */
    bool failed;
} counted;

#if TAKEN_OVER
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER; /* blocks of samples are computed on a thread */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void __libc_free(void *block);
extern char __executable_start, etext;

/* Our live blocks: open addressing, keys 0 free, 1 deleted. */
#define SLOTS (1u << 17)
static uintptr_t slots[SLOTS];

static size_t slot_of(uintptr_t key) {
    return (size_t)((key >> 4) * 0x9E3779B97F4A7C15u >> 40) % SLOTS;
}

static void enter(void *block) {
    size_t k = slot_of((uintptr_t)block);
    pthread_mutex_lock(&counting);
    while (slots[k] > 1)
        k = (k + 1) % SLOTS;
    slots[k] = (uintptr_t)block;
    counted.live++;
    pthread_mutex_unlock(&counting);
}

static bool leave(void *block) {
    bool ours = false;
    pthread_mutex_lock(&counting);
    for (size_t k = slot_of((uintptr_t)block); block && slots[k] && !ours; k = (k + 1) % SLOTS)
        if (slots[k] == (uintptr_t)block) {
            slots[k] = 1;
            counted.live--;
            ours = true;
        }
    pthread_mutex_unlock(&counting);
    return ours;
}

static bool is_ours(const void *caller) {
    return (const char *)caller >= &__executable_start && (const char *)caller < &etext;
}

/* Count one; should it fail? */
static bool refused(bool ours) {
    pthread_mutex_lock(&counting);
    counted.all++;
    bool fails = ours && ++counted.ours == counted.fail_at;
    counted.failed = counted.failed || fails;
    pthread_mutex_unlock(&counting);
    return fails;
}

__attribute__((visibility("default"))) void *malloc(size_t size) {
    bool ours = is_ours(__builtin_return_address(0));
    void *block = refused(ours) ? NULL : __libc_malloc(size);
    if (ours && block)
        enter(block);
    return block;
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
    bool ours = is_ours(__builtin_return_address(0));
    void *block = refused(ours) ? NULL : __libc_calloc(count, size);
    if (ours && block)
        enter(block);
    return block;
}

__attribute__((visibility("default"))) void *realloc(void *old, size_t size) {
    bool ours = is_ours(__builtin_return_address(0));
    if (refused(ours))
        return NULL;
    bool was_ours = leave(old);
    void *block = __libc_realloc(old, size);
    if ((ours || was_ours) && (block || size > 0))
        enter(block ? block : old);
    return block;
}

__attribute__((visibility("default"))) void free(void *block) {
    leave(block);
    __libc_free(block);
}
#endif

/* What `use` asks for beside the method. */
static struct {
    bool check, assemble;
    bool evaluate; /* a few states from the caller, by drives and by bodies */
    RbvRedundant redundant;
    const char *eliminated[1];
    RbvCriterion criterion;
    bool statics;
    RbvStaticsMethod statics_method;
    bool follow;        /* along the parameter P from 0 to 30 */
    bool along_file;    /* by the family of the text, whose systems are changed */
    const char *change; /* give this parameter another value, in the middle of evaluating where that is asked for */
    int64_t stride;     /* behind the first thousand allocations only every so many-th fails */
} purpose;

static RbvStatus family_at(void *context, double value, RbvDiagnostics *diagnostics, RbvModel **model) {
    char override[40];
    snprintf(override, sizeof override, "P=%.17g", value);
    const char *const overrides[] = {override};
    return rbv_model_read(&(RbvInput){.path = "machine.yaml",
                                      .text = context,
                                      .length = strlen(context),
                                      .override_count = 1,
                                      .overrides = overrides},
                          diagnostics, model);
}

static RbvStatus analyse(const RbvSystem *system, RbvOptions *options, RbvDiagnostics *diagnostics,
                         RbvResult **result) {
    options->reactions.redundant = purpose.redundant;
    options->reactions.eliminated = purpose.eliminated;
    options->reactions.eliminated_count = purpose.redundant == RBV_REDUNDANT_ELIMINATE ? 1 : 0;
    options->reactions.criterion = purpose.criterion;
    options->check.along_motion = purpose.check;
    options->statics.method = purpose.statics_method;
    if (purpose.assemble) {
        RbvStatus status = rbv_info(system, NULL, diagnostics, result);
        char *page = status == RBV_OK ? rbv_result_text(*result, RBV_TEXT_TABLES, NULL) : NULL;
        if (status == RBV_OK && !page)
            status = RBV_NO_MEMORY;
        free(page);
        rbv_result_destroy(*result);
        *result = NULL;
        return status != RBV_OK ? status : rbv_assembly(system, options, diagnostics, result);
    }
    if (purpose.statics)
        return rbv_statics(system, options, diagnostics, result);
    return purpose.check ? rbv_check(system, options, diagnostics, result)
                         : rbv_inverse(system, options, diagnostics, result);
}

/* All or nothing. */
static RbvStatus change(RbvSystem *system, RbvDiagnostics *diagnostics) {
    int32_t parameter = rbv_system_find(system, RBV_ITEM_PARAMETER, purpose.change);
    double before = rbv_system_parameter(system, parameter);
    const RbvParameterValue value = {parameter, before + 0.01};
    RbvStatus status = rbv_system_set_parameters(system, 1, &value, diagnostics);
    assert_true(rbv_system_parameter(system, parameter) == (status == RBV_OK ? value.value : before));
    return status;
}

/* Where the drives go on, leap, and are taken from a body; the last is what is compared. */
static RbvStatus evaluate(RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics, char **json) {
    RbvEvaluation *evaluation;
    RbvStatus status = rbv_evaluation_create(system, options, diagnostics, &evaluation);
    assert_true((status == RBV_OK) == (evaluation != NULL));
    if (status != RBV_OK)
        return status;
    double start = 0;
    for (int k = 0; k < 6 && status == RBV_OK; k++) {
        RbvBodyMotion given = rbv_body_motion_default;
        rbv_evaluation_set_time(evaluation, 0.01 * k);
        if (k == 2 && purpose.change)
            status = change(system, diagnostics);
        if (status == RBV_OK)
            status = rbv_evaluation_kinematics(evaluation);
        start = k == 0 && status == RBV_OK ? *rbv_evaluation_column(evaluation, "O.angle").value : start;
        given.angle = start + 0.1;
        if (k > 1)
            rbv_evaluation_set_drive(evaluation, 0, start + 0.7 * k, 1, 0);
        if (k == 4)
            rbv_evaluation_set_body(evaluation, 1, &given);
        if (status == RBV_OK)
            status = rbv_evaluation_inverse(evaluation);
    }
    if (status == RBV_OK)
        *json = rbv_result_text(rbv_evaluation_result(evaluation), RBV_TEXT_JSON, NULL);
    rbv_evaluation_destroy(evaluation);
    return status == RBV_OK && !*json ? RBV_NO_MEMORY : status;
}

/* One whole use of the library. The JSON text (freed by the caller), or NULL with the status that said no. */
static char *use(const char *text, RbvInverseMethod method, RbvStatus *status) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    if (!diagnostics) { /* analyses work without, but their results have no notes then */
        *status = RBV_NO_MEMORY;
        return NULL;
    }
    RbvModel *model = NULL;
    RbvSystem *system = NULL;
    RbvResult *result = NULL;
    char *json = NULL;
    RbvOptions options = rbv_options_default;
    options.inverse.method = method;
    options.step = 0.1;
    RbvFamily *of_file = NULL, family = {.parameter = "P",
                                         .unit = "N",
                                         .from = 0,
                                         .to = 30,
                                         .at = family_at,
                                         .context = (void *)(uintptr_t)text};
    *status =
        rbv_model_read(&(RbvInput){.path = "machine.yaml", .text = text, .length = strlen(text)}, diagnostics, &model);
    assert_true((*status == RBV_OK) == (model != NULL));
    if (*status == RBV_OK && purpose.check)
        *status = rbv_model_add_question(model, "A.Fx + 2*A.Fy", diagnostics);
    if (*status == RBV_OK)
        *status = rbv_system_create(model, NULL, diagnostics, &system);
    if (*status == RBV_OK && purpose.change && !purpose.evaluate)
        *status = change(system, diagnostics);
    if (*status == RBV_OK && purpose.along_file)
        *status = rbv_family_read(&(RbvInput){.path = "machine.yaml", .text = text, .length = strlen(text)}, "P=0..30",
                                  diagnostics, &of_file);
    if (*status == RBV_OK && purpose.evaluate)
        *status = evaluate(system, &options, diagnostics, &json);
    else if (*status == RBV_OK)
        *status = purpose.follow ? rbv_statics_follow(of_file ? of_file : &family, &options, diagnostics, &result)
                                 : analyse(system, &options, diagnostics, &result);
    if (*status == RBV_OK && !purpose.evaluate) {
        assert_non_null(result);
        json = rbv_result_text(result, RBV_TEXT_JSON, NULL);
        char *tables = json ? rbv_result_text(result, RBV_TEXT_TABLES, NULL) : NULL;
        if (!tables) {
            free(json);
            json = NULL;
        }
        free(tables);
        *status = json ? RBV_OK : RBV_NO_MEMORY;
    }
    rbv_result_destroy(result);
    rbv_family_destroy(of_file);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
    return json;
}

static const char *const single[] = {"A", "B.Fx"};
static int32_t singles; /* of them that are asked for */

/* Fewer samples than two blocks (decision 71), whose beginnings allocate. */
static double many_samples(const RbvSystem *system) {
    return system->bodies.size > 100 ? 60 : 1000;
}

static int64_t allocations_of_inverse(const RbvSystem *system, double samples, RbvInverseMethod method) {
    RbvOptions options = rbv_options_default;
    options.inverse.reactions = single;
    options.inverse.reaction_count = singles;
    options.inverse.method = method;
    options.from = 0;
    options.to = 1;
    options.step = 1 / samples;
    RbvResult *result = NULL;
    int64_t before = counted.all;
    assert_int_equal(rbv_inverse(system, &options, NULL, &result), RBV_OK);
    int64_t used = counted.all - before;
    assert_int_equal(rbv_result_counts(result).samples, (int32_t)samples + 1);
    rbv_result_destroy(result);
    return used;
}

static void assert_samples_allocate_nothing(const char *text, RbvInverseMethod method) {
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    allocations_of_inverse(system, 10, method); /* what libraries set up once */
    int64_t few = allocations_of_inverse(system, 30, method),
            many = allocations_of_inverse(system, many_samples(system), method);
    if (TAKEN_OVER)
        assert_true(few > 0);
    assert_int_equal(few, many);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void sampling_a_four_bar_allocates_nothing(void **unused) {
    (void)unused;
    assert_samples_allocate_nothing(machine_four_bar, RBV_METHOD_TWO_STEP);
}

/* Rows of a crank as long as they are wanted; rates are those of a spline. */
typedef struct Rows {
    int32_t next, count;
} Rows;

static RbvStatus next_row(void *context, double *t, double (*drives)[3], bool *more, RbvDiagnostics *diagnostics) {
    Rows *rows = context;
    (void)diagnostics;
    *more = rows->next < rows->count;
    *t = 0.001 * rows->next++;
    drives[0][0] = 1 + 6 * *t;
    return RBV_OK;
}

static int64_t allocations_of_rows(const RbvSystem *system, int32_t count) {
    static const bool given[1][2] = {{false, false}};
    Rows rows = {.count = count};
    const RbvRecording recording = {
        .name = "rows", .drive_count = 1, .given = given, .context = &rows, .next = next_row};
    RbvOptions options = rbv_options_default;
    options.recording = &recording;
    RbvResult *result = NULL;
    int64_t before = counted.all;
    assert_int_equal(rbv_inverse(system, &options, NULL, &result), RBV_OK);
    int64_t used = counted.all - before;
    assert_int_equal(rbv_result_counts(result).samples, count);
    rbv_result_destroy(result);
    return used;
}

/* But for the samples, which are given room for half as many more when there is none: of 1024 three times until 3000.
 */
static void rows_of_a_recorded_motion_allocate_nothing(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(machine_four_bar);
    RbvSystem *system = machine_compile(model);
    allocations_of_rows(system, 10);
    int64_t few = allocations_of_rows(system, 100);
    if (TAKEN_OVER)
        assert_true(few > 0);
    assert_int_equal(allocations_of_rows(system, 1000), few);
    assert_int_equal(allocations_of_rows(system, 3000), TAKEN_OVER ? few + 3 : few);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void sampling_by_lagranges_equations_allocates_nothing(void **unused) {
    (void)unused;
    assert_samples_allocate_nothing(machine_four_bar, RBV_METHOD_LAGRANGE);
}

static void sampling_by_penalties_allocates_nothing(void **unused) {
    (void)unused;
    assert_samples_allocate_nothing(machine_four_bar, RBV_METHOD_PENALTY);
    assert_samples_allocate_nothing(machine_parallelogram, RBV_METHOD_AUGMENTED);
}

static void sampling_by_virtual_power_allocates_nothing(void **unused) {
    (void)unused;
    assert_samples_allocate_nothing(machine_four_bar, RBV_METHOD_VIRTUAL_POWER);
}

static void sampling_single_reactions_allocates_nothing(void **unused) {
    (void)unused;
    singles = 2;
    assert_samples_allocate_nothing(machine_four_bar, RBV_METHOD_VIRTUAL_POWER);
    singles = 0;
}

static void sampling_a_redundant_parallelogram_allocates_nothing(void **unused) {
    (void)unused;
    assert_samples_allocate_nothing(machine_parallelogram, RBV_METHOD_TWO_STEP);
}

static void sampling_by_newtons_equilibrium_allocates_nothing(void **unused) {
    (void)unused;
    assert_samples_allocate_nothing(machine_four_bar, RBV_METHOD_NEWTON);
    assert_samples_allocate_nothing(machine_parallelogram, RBV_METHOD_NEWTON); /* of least norm */
}

/* A chain of 20 driven arms has 60 coordinates: KLU, not the dense solver. */
static void sampling_a_large_chain_allocates_nothing(void **unused) {
    (void)unused;
    char *text = malloc(20000);
    size_t used = (size_t)sprintf(text, "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < 20; k++)
        used += (size_t)sprintf(
            text + used,
            "  b%d: {mass: 1, inertia: 0.1, centroid: [0.5, 0], pose: {at: [%d, 0]}, markers: {P: [1, 0]}}\n", k, k);
    used += (size_t)sprintf(text + used, "joints:\n");
    for (int k = 0; k < 20; k++)
        used += k == 0 ? (size_t)sprintf(text + used, "  j0: {type: revolute, between: [ground, b0]}\n")
                       : (size_t)sprintf(text + used, "  j%d: {type: revolute, between: [b%d.P, b%d]}\n", k, k - 1, k);
    used += (size_t)sprintf(text + used, "drives:\n");
    for (int k = 0; k < 20; k++)
        used += (size_t)sprintf(text + used, "  d%d: {coordinate: j%d.angle, motion: \"0.2*sin(t + %d)\"}\n", k, k, k);
    sprintf(text + used, "motion: {from: 0, to: 1, step: 0.02}\n");
    assert_samples_allocate_nothing(text, RBV_METHOD_TWO_STEP);
    assert_samples_allocate_nothing(text, RBV_METHOD_NEWTON);
    free(text);
}

/* Allocations of a motion from forces; *steps of its integration. */
static int64_t allocations_of_motion(const RbvSystem *system, RbvMotionMethod method, double tolerance,
                                     int64_t *steps) {
    RbvOptions options = rbv_options_default;
    options.motion.method = method;
    options.motion.tolerance = tolerance;
    RbvResult *result = NULL;
    int64_t before = counted.all;
    assert_int_equal(rbv_simulate(system, &options, NULL, &result), RBV_OK);
    int64_t used = counted.all - before;
    *steps = result->integration.steps;
    rbv_result_destroy(result);
    return used;
}

/* Finer tolerances: as many samples and events, more steps, and no allocation more but `searched`: where friction
 * lets go is looked for, and ranks are decided at each look. Not so many steps that a checkpoint is passed: there
 * what follows from other numbers is made anew. */
static void assert_steps_allocate_nothing(const char *text, RbvMotionMethod method, double rough, double fine,
                                          int64_t searched) {
    int64_t few, many;
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    allocations_of_motion(system, method, rough, &few); /* what libraries set up once */
    int64_t of_few = allocations_of_motion(system, method, rough, &few),
            of_many = allocations_of_motion(system, method, fine, &many);
    assert_true(many > few + 20 + searched);
    assert_true(!TAKEN_OVER || of_few > 0);
    assert_true(of_few - searched <= of_many && of_many <= of_few + searched);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* A double pendulum with a spring, a damper and a state of its own. */
static const char swinging[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {S: [1, 1]}}\n  a: {mass: 1, "
    "inertia: 0.1, centroid: [0.5, 0], markers: {P: [1, 0]}}\n"
    "  b: {mass: 1, inertia: 0.1, centroid: [0.5, 0], pose: {at: [1, 0]}, markers: {Q: [1, 0]}}\n"
    "joints: {O: {type: revolute, between: [ground, a]}, P: {type: revolute, between: [a.P, b], damping: 0.1}}\n"
    "loads: {s: {type: spring, between: [ground.S, b.Q], stiffness: 40, free_length: 0.5}}\nstates: {work: {rate: "
    "\"x(b.Q)'\", start: 0}}\nmotion: {from: 0, to: 2, step: 0.5}\n";

static void steps_of_smooth_motion_allocate_nothing(void **unused) {
    (void)unused;
    assert_steps_allocate_nothing(swinging, RBV_MOTION_EXPLICIT, 1e-5, 1e-12, 0);
    assert_steps_allocate_nothing(swinging, RBV_MOTION_IMPLICIT, 1e-4, 1e-7, 0);
}

/* Thirty arms: 150 unknowns, KLU. */
static void steps_of_a_long_chain_allocate_nothing(void **unused) {
    (void)unused;
    char *text = malloc(20000);
    size_t used = (size_t)sprintf(text, "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < 30; k++)
        used += (size_t)sprintf(
            text + used,
            "  b%d: {mass: 1, inertia: 0.1, centroid: [0.5, 0], pose: {at: [%d, 0]}, markers: {P: [1, 0]}}\n", k, k);
    used += (size_t)sprintf(text + used, "joints:\n");
    for (int k = 0; k < 30; k++)
        used += k == 0 ? (size_t)sprintf(text + used, "  j0: {type: revolute, between: [ground, b0]}\n")
                       : (size_t)sprintf(text + used, "  j%d: {type: revolute, between: [b%d.P, b%d]}\n", k, k - 1, k);
    sprintf(text + used, "motion: {from: 0, to: 0.5, step: 0.25}\n");
    assert_steps_allocate_nothing(text, RBV_MOTION_EXPLICIT, 1e-6, 1e-12, 0);
    free(text);
}

/* Twelve links with stiff joints, 96 unknowns: sparse systems of the implicit method, factored for every length of
 * step. */
static void implicit_steps_of_a_stiff_chain_allocate_nothing(void **unused) {
    (void)unused;
    char *text = malloc(20000);
    size_t used = (size_t)sprintf(text, "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < 12; k++)
        used += (size_t)sprintf(
            text + used,
            "  b%d: {mass: 1, inertia: 0.1, centroid: [0.5, 0], pose: {at: [%d, 0]}, markers: {P: [1, 0]}}\n", k, k);
    used += (size_t)sprintf(text + used, "joints:\n  j0: {type: revolute, between: [ground, b0]}\n");
    for (int k = 1; k < 12; k++)
        used += (size_t)sprintf(text + used, "  j%d: {type: revolute, between: [b%d.P, b%d]}\n", k, k - 1, k);
    used += (size_t)sprintf(text + used, "loads:\n");
    for (int k = 0; k < 12; k++)
        used += (size_t)sprintf(
            text + used, "  s%d: {type: torsion-spring, joint: j%d, stiffness: 1e4, damping: 100, free_angle: 0}\n", k,
            k);
    sprintf(text + used, "motion: {from: 0, to: 0.5, step: 0.25}\n");
    assert_steps_allocate_nothing(
        text, RBV_MOTION_IMPLICIT, 1e-4, 1e-7,
        3); /* room for factors grows with the pivots of the first step, which is another one for each tolerance */
    free(text);
}

/* A ball on a slide between two stops, pulled to and fro; a block on a slide that sticks and slips, led by a spring. */
#define BETWEEN_STOPS(friction)                                                                                        \
    "roberval: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 0.1}, b: {mass: 2, inertia: 0.1, pose: {at: [0.5, "    \
    "0]}}}\n"                                                                                                          \
    "joints: {rail: {type: prismatic, between: [ground, a]}, table: {type: prismatic, between: [ground, b]" friction   \
    "}}\n"                                                                                                             \
    "stops: {wall: {coordinate: rail.distance, min: -0.1, max: 0.1, restitution: 0.6}}\n"                              \
    "loads: {pull: {type: force, to: a, value: [\"2*cos(7*t)\", 0]}, press: {type: force, to: b, value: "              \
    "[\"8*sin(5*t)\", -10]}}\n"                                                                                        \
    "events: {pass: {when: \"x(a) - 0.03\"}}\nmotion: {from: 0, to: 2, step: 0.5}\n"

static void steps_with_stops_and_friction_allocate_nothing(void **unused) {
    (void)unused;
    assert_steps_allocate_nothing(BETWEEN_STOPS(""), RBV_MOTION_EXPLICIT, 1e-6, 1e-12, 0);
    assert_steps_allocate_nothing(BETWEEN_STOPS(", friction: {coefficient: 0.3, static: 0.4}"), RBV_MOTION_IMPLICIT,
                                  1e-6, 1e-10, 500);
}

static void udwadias_equation_allocates_once(void **unused) {
    (void)unused;
    enum { n = 12, m = 20 };
    double M[n * n] = {0}, Q[n], A[m * n], b[m], C[n];
    RbvUdwadia *u = NULL;
    uint64_t seed = 3;
    for (int j = 0; j < n; j++)
        M[j * n + j] = 1 + j, Q[j] = machine_random(&seed), C[j] = machine_random(&seed);
    for (int k = 0; k < m * n; k++)
        A[k] = k < 5 * n ? machine_random(&seed) : A[k - 5 * n];
    for (int k = 0; k < m; k++)
        b[k] = k % 5;
    RbvUdwadiaProblem p = {.M = M, .Q = Q, .A = A, .b = b, .C = C};
    for (int64_t k = 1;; k++) {
        int64_t live = counted.live;
        counted.ours = 0;
        counted.failed = false;
        counted.fail_at = k;
        RbvStatus status = rbv_udwadia_create(n, m, &u);
        counted.fail_at = 0;
        if (!counted.failed) {
            assert_int_equal(status, RBV_OK);
            break;
        }
        assert_int_equal(status, RBV_NO_MEMORY);
        assert_null(u);
        assert_int_equal(counted.live, live);
    }
    assert_int_equal(rbv_udwadia_solve(u, &p), RBV_OK); /* what libraries set up once */
    int64_t before = counted.all;
    for (int k = 0; k < 50; k++) {
        p.root = k % 2 ? RBV_ROOT_CHOLESKY : RBV_ROOT_SYMMETRIC;
        b[k % m] += k == 40 ? 1 : 0;
        assert_int_equal(rbv_udwadia_solve(u, &p), k < 40 ? RBV_OK : RBV_INCONSISTENT);
    }
    assert_int_equal(counted.all, before);
    rbv_udwadia_destroy(u);
}

/* Trees and their workspaces: each allocation may fail, and computing makes none. */
static void trees_allocate_when_they_are_created(void **unused) {
    (void)unused;
    enum { COUNT = 30, SAMPLES = 37 };
    RbvTreeBody bodies[COUNT];
    uint64_t seed = 3;
    trees_random(bodies, COUNT, &seed);
    RbvTree *tree = NULL;
    RbvTreeWorkspace *workspace = NULL;
    for (int64_t k = 1;; k++) {
        int64_t live = counted.live;
        counted.ours = 0;
        counted.failed = false;
        counted.fail_at = k;
        RbvStatus first = rbv_tree_create(COUNT, bodies, NULL, NULL, &tree),
                  second = first == RBV_OK ? rbv_tree_workspace_create(tree, 2, &workspace) : RBV_OK;
        counted.fail_at = 0;
        if (!counted.failed) {
            assert_int_equal(first, RBV_OK);
            assert_int_equal(second, RBV_OK);
            break;
        }
        assert_true(first == RBV_NO_MEMORY || second == RBV_NO_MEMORY);
        assert_true((first == RBV_OK) == (tree != NULL));
        assert_null(workspace);
        rbv_tree_destroy(tree);
        assert_int_equal(counted.live, live);
    }
    int64_t nq = rbv_tree_q_count(tree), nv = rbv_tree_v_count(tree), before = counted.all;
    static double q[SAMPLES * 7 * COUNT], v[SAMPLES * 6 * COUNT], tau[SAMPLES * 6 * COUNT],
        reactions[SAMPLES * 6 * COUNT];
    assert_true(nq <= 7 * COUNT && nv <= 6 * COUNT);
    for (int64_t k = 0; k < SAMPLES * nq; k++)
        q[k] = 1 + 0.1 * (double)(k % 7);
    for (int layout = RBV_BY_SAMPLE; layout <= RBV_BY_NUMBER; layout++) {
        RbvTreeBatch batch = {SAMPLES, (RbvTreeLayout)layout, 1};
        assert_int_equal(rbv_tree_inverse(tree, workspace, &batch, q, v, v, NULL, tau, reactions), RBV_OK);
    }
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, q, v, v, NULL, tau, NULL), RBV_OK);
    static double matrix[60 * 60 * COUNT], other[60 * 60 * COUNT];
    assert_true(nv * nv <= (int64_t)(sizeof matrix / sizeof *matrix));
    assert_int_equal(rbv_tree_mass_matrix(tree, workspace, NULL, q, matrix), RBV_OK);
    assert_int_equal(rbv_tree_forward(tree, workspace, NULL, q, v, v, NULL, tau), RBV_OK);
    assert_int_equal(rbv_tree_derivatives(tree, workspace, NULL, q, v, v, NULL, matrix, other, NULL), RBV_OK);
    assert_int_equal(rbv_tree_jacobian(tree, workspace, NULL, 5, NULL, q, matrix), RBV_OK);
    const double pose[7] = {1, 0, 0, 1, 0, 0, 0};
    rbv_tree_reach(tree, workspace, 5, NULL, pose, true, 1e-6, q, NULL);
    assert_int_equal(rbv_tree_set_body(tree, 2, 3, bodies[2].centre, bodies[2].inertia, NULL), RBV_OK);
    assert_int_equal(counted.all, before);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
}

/* A five-bar held too much, one number a part of a quaternion, two driven; NO_MEMORY or OK. */
static RbvStatus five_bar(RbvTree **tree, RbvLinkage **linkage, RbvLinkageWorkspace **w) {
    RbvTreeBody bodies[4];
    const char *const names[4] = {"left", "long", "right", "short"};
    const double at[4] = {0, 0.3, 0.4, 0.3};
    for (int k = 0; k < 4; k++) {
        bodies[k] = rbv_tree_body_default;
        bodies[k].name = names[k], bodies[k].parent = k % 2 ? k - 1 : -1, bodies[k].place[0] = at[k],
        bodies[k].mass = 1;
        bodies[k].inertia[0] = bodies[k].inertia[1] = bodies[k].inertia[2] = 0.01;
    }
    bodies[1].joint = RBV_TREE_SPHERICAL;
    const RbvClosing hinge = {.body = {1, 3},
                              .place = {{0.6, 0, 0}, {0.5, 0, 0}},
                              .turn = {{1, 0, 0, 0}, {1, 0, 0, 0}},
                              .holds = RBV_CLOSE_REVOLUTE};
    const int32_t driven[2] = {0, 4};
    RbvStatus status = rbv_tree_create(4, bodies, NULL, NULL, tree);
    if (status == RBV_OK)
        status = rbv_linkage_create(*tree, 1, &hinge, 2, driven, NULL, linkage);
    if (status == RBV_OK)
        status = rbv_linkage_workspace_create(*linkage, 2, w);
    return status;
}

/* Linkages and their workspaces: each allocation may fail, and computing makes none. */
static void linkages_allocate_when_they_are_created(void **unused) {
    (void)unused;
    enum { SAMPLES = 50 };
    RbvTree *tree = NULL;
    RbvLinkage *linkage = NULL;
    RbvLinkageWorkspace *w = NULL;
    for (int64_t k = 1;; k++) {
        int64_t live = counted.live;
        counted.ours = 0;
        counted.failed = false;
        counted.fail_at = k;
        tree = NULL, linkage = NULL, w = NULL;
        RbvStatus status = five_bar(&tree, &linkage, &w);
        counted.fail_at = 0;
        if (!counted.failed) {
            assert_int_equal(status, RBV_OK);
            break;
        }
        assert_int_equal(status, RBV_NO_MEMORY);
        assert_null(w);
        rbv_linkage_destroy(linkage);
        rbv_tree_destroy(tree);
        assert_int_equal(counted.live, live);
    }
    double start[7] = {2.5, cos(0.85), 0, 0, -sin(0.85), 0.5, 1.5}, q[2 * SAMPLES], v[2 * SAMPLES],
           a[2 * SAMPLES] = {0}, efforts[2 * SAMPLES], reactions[24 * SAMPLES], closing[6 * SAMPLES],
           motion[19 * SAMPLES];
    uint8_t unique[24], of_closing[6];
    for (int k = 0; k < 2 * SAMPLES; k++)
        q[k] = (k % 2 ? 0.5 : 2.5) + 0.3 * sin(0.1 * (k / 2)), v[k] = 0.3 * cos(0.1 * (k / 2));
    q[2 * SAMPLES - 2] = 0; /* far away, where it may not close */
    int64_t before = counted.all;
    assert_int_equal(rbv_linkage_start(linkage, w, start), RBV_OK);
    RbvTreeBatch batch = {SAMPLES - 1, RBV_BY_SAMPLE, 1};
    assert_int_equal(rbv_linkage_inverse(linkage, w, &batch, q, v, a, NULL, efforts, reactions, closing, motion, NULL),
                     RBV_OK);
    assert_int_equal(rbv_linkage_unique(linkage, w, unique, of_closing), RBV_OK);
    rbv_linkage_inverse(linkage, w, NULL, q + 2 * SAMPLES - 2, v, a, NULL, efforts, reactions, closing, motion, NULL);
    batch.layout = RBV_BY_NUMBER;
    rbv_linkage_inverse(linkage, w, &batch, q, v, a, NULL, efforts, reactions, closing, motion, NULL);
    assert_int_equal(counted.all, before);
    rbv_linkage_workspace_destroy(w);
    rbv_linkage_destroy(linkage);
    rbv_tree_destroy(tree);
}

/* A bead on a rough wire, held twice. */
static const char rough_wire[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies: {p: {particle: true, mass: 2}, q: {particle: true, mass: "
    "1, pose: {at: [1, 0]}}}\n"
    "constraints:\n  wire: {equation: \"x(p) + y(p)\", nonideal: {x(p): \"-0.2*abs(wire.effort)\"}}\n  rod: {equation: "
    "\"distance(p, q) - 1\"}\n  again: {equation: \"2*distance(p, q) - 2\"}\n"
    "motion: {from: 0, to: 0.1, step: 0.1}\n";

static void failing_allocations_of_equations_and_of_work_are_survived(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(rough_wire);
    RbvSystem *system = machine_compile(model);
    for (int64_t k = 1;; k++) {
        RbvEquations *equations = NULL;
        RbvResult *result = NULL;
        int64_t live = counted.live;
        counted.ours = 0;
        counted.failed = false;
        counted.fail_at = k;
        RbvStatus first = rbv_equations_create(system, NULL, NULL, &equations),
                  second = first == RBV_OK ? rbv_simulate(system, NULL, NULL, &result) : RBV_OK;
        counted.fail_at = 0;
        assert_true((first == RBV_OK) == (equations != NULL));
        assert_true(first == RBV_OK || first == RBV_NO_MEMORY);
        rbv_equations_destroy(equations);
        rbv_result_destroy(result);
        if (counted.live != live)
            fail_msg("allocation %d failed and %d block(s) leaked", (int)k, (int)(counted.live - live));
        if (!counted.failed) {
            assert_int_equal(first, RBV_OK);
            assert_int_equal(second, RBV_OK);
            assert_true(!TAKEN_OVER || k > 50);
            break;
        }
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* An arm whose tool is led, by one effort more than it needs, one of them at its limit on the way; errors die out. */
static const char led_arm[] =
    "roberval: 1\nspace: planar\nbodies:\n  a: {mass: 2, inertia: 0.1, centroid: [0.2, 0], markers: {E: [0.5, 0]}}\n  "
    "b: {mass: 1, inertia: 0.1, pose: {at: [0.5, 0], angle: 1}, markers: {T: [0.4, 0]}}\n"
    "joints:\n  S: {type: revolute, between: [ground, a]}\n  E: {type: revolute, between: [a.E, b]}\n"
    "track:\n  require: {px: {equation: \"x(b.T) - 0.72 + t^2\"}, py: {velocity: \"y(b.T)' - t\"}}\n"
    "  actuators: {m1: {coordinate: S.angle, max: 0.5}, m2: {coordinate: E.angle}, m3: {coordinate: angle(a)}}\n  "
    "rate: 4\nmotion: {from: 0, to: 0.1, step: 0.05}\n";

static void failing_allocations_of_control_are_survived(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(led_arm);
    RbvSystem *system = machine_compile(model);
    for (int64_t k = 1;; k++) {
        RbvResult *result = NULL;
        int64_t live = counted.live;
        counted.ours = 0;
        counted.failed = false;
        counted.fail_at = k;
        RbvStatus status = rbv_track(system, NULL, NULL, &result);
        counted.fail_at = 0;
        assert_true(status == RBV_OK || status == RBV_NO_MEMORY);
        rbv_result_destroy(result);
        if (counted.live != live)
            fail_msg("allocation %d failed and %d block(s) leaked", (int)k, (int)(counted.live - live));
        if (!counted.failed) {
            assert_int_equal(status, RBV_OK);
            assert_true(!TAKEN_OVER || k > 50);
            break;
        }
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* A system by its own equations, tied to a bead; one start too many. */
static const char tied_system[] =
    "roberval: 1\nspace: planar\nbodies: {p: {particle: true, mass: 2, pose: {at: [1, 0]}}}\n"
    "generalized:\n  coordinates: {u: {start: 1.0000001 rad, rate: 0.5}, w: {start: 1, rate: 0.5}}\n  mass: [[\"2 + "
    "u^2\", 0.5], [0.5, 1]]\n  force: [\"-u\", \"cos(t)\"]\n"
    "constraints: {tie: {equation: \"x(p) - u\"}, same: {equation: \"u - w\"}}\nmotion: {from: 0, to: 0.1, step: "
    "0.1}\n";

static void failing_allocations_of_generalized_coordinates_are_survived(void **unused) {
    (void)unused;
    for (int64_t k = 1;; k++) {
        RbvModel *model = NULL;
        RbvSystem *system = NULL;
        RbvResult *result = NULL;
        int64_t live = counted.live;
        counted.ours = 0;
        counted.failed = false;
        counted.fail_at = k;
        RbvStatus status = rbv_model_read(
            &(RbvInput){.path = "tied", .text = tied_system, .length = strlen(tied_system)}, NULL, &model);
        if (status == RBV_OK)
            status = rbv_system_create(model, NULL, NULL, &system);
        if (status == RBV_OK)
            status = rbv_simulate(system, NULL, NULL, &result);
        counted.fail_at = 0;
        rbv_result_destroy(result);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
        if (counted.live != live)
            fail_msg("allocation %d failed and %d block(s) leaked", (int)k, (int)(counted.live - live));
        if (!counted.failed) {
            assert_int_equal(status, RBV_OK);
            assert_true(!TAKEN_OVER || k > 100);
            return;
        }
        assert_true(status == RBV_OK || status == RBV_NO_MEMORY);
    }
}

/* Samples in blocks, on one thread besides the caller's: a block that lacks memory to begin ends the run. */
static void failing_allocations_of_blocks_are_survived(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(machine_four_bar);
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default;
    options.threads = 1;
    options.from = 0;
    options.to = 1;
    options.step = 1 / 4200.0; /* two blocks of 2048 samples, and a rest */
    double expected = 0;
    for (int64_t k = 0;; k += k < 40 ? 1 : 1 + k / 4) { /* 0: none fails */
        RbvResult *result = NULL;
        int64_t live = counted.live;
        counted.ours = 0;
        counted.failed = false;
        counted.fail_at = k;
        RbvStatus status = rbv_inverse(system, &options, NULL, &result);
        counted.fail_at = 0;
        double last = status == RBV_OK ? rbv_result_value(result, 4200, 1) : expected;
        expected = k == 0 ? last : expected;
        assert_true(status == RBV_OK || status == RBV_NO_MEMORY);
        assert_true(last == expected);
        rbv_result_destroy(result);
        assert_int_equal(counted.live, live);
        if (k > 0 && !counted.failed) {
            assert_true(!TAKEN_OVER || k > 100);
            break;
        }
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* Fail the k-th allocation of ours, for every k that a whole use makes. */
static void assert_survives_failing_allocations(const char *text, RbvInverseMethod method, bool honest) {
    RbvStatus status;
    char *expected = use(text, method, &status);
    assert_int_equal(status, RBV_OK);
    assert_non_null(expected);
    int32_t wrong_words = 0;
    int64_t k = 1;
    for (;; k++) {
        int64_t live = counted.live;
        counted.ours = 0;
        counted.failed = false;
        counted.fail_at = k;
        char *json = use(text, method, &status);
        counted.fail_at = 0;
        bool failed = counted.failed;
        if (json) { /* it managed without: then the result is the right one */
            assert_int_equal(status, RBV_OK);
            if (strcmp(json, expected) != 0)
                fail_msg("allocation %d failed, the status is OK and the result another one", (int)k);
        } else {
            assert_int_not_equal(status, RBV_OK);
            wrong_words += status != RBV_NO_MEMORY;
        }
        free(json);
        if (counted.live != live)
            fail_msg("allocation %d failed (status '%s') and %d block(s) leaked", (int)k, rbv_status_text(status),
                     (int)(counted.live - live));
        if (!failed)
            break;
        if (k > 20 && getenv("ROBERVAL_QUICK")) /* make test; the others are of make test-all */
            k += k < 312 ? 26 : k / 12;
        else if (k > 1000 && purpose.stride > 0)
            k += purpose.stride - 1;
    }
    free(expected);
    if (TAKEN_OVER)
        assert_true(k > 20);
    if (honest && wrong_words > 0)
        fail_msg("%d of %d failing allocations are reported as something else than 'no memory'", (int)wrong_words,
                 (int)k - 1);
}

static void failing_allocations_on_the_way_of_a_four_bar_are_survived(void **unused) {
    (void)unused;
    assert_survives_failing_allocations(machine_four_bar, RBV_METHOD_TWO_STEP, false);
    assert_survives_failing_allocations(machine_four_bar, RBV_METHOD_LAGRANGE, false);
    assert_survives_failing_allocations(machine_four_bar, RBV_METHOD_NEWTON, false);
}

static void failing_allocations_on_the_way_of_a_redundant_machine_are_survived(void **unused) {
    (void)unused;
    assert_survives_failing_allocations(machine_parallelogram, RBV_METHOD_TWO_STEP, false);
    assert_survives_failing_allocations(machine_parallelogram, RBV_METHOD_NEWTON, false);
    assert_survives_failing_allocations(machine_parallelogram, RBV_METHOD_AUGMENTED, false);
}

/* Every section of a model file once. */
static const char everything[] =
    "roberval: 1\nspace: planar\nunits: {angle: deg}\nparameters: {n: 0.5, a: \"2*n\"}\n"
    "bodies:\n  arm: {mass: 1, inertia: 0.1, pose: {angle: 20}, markers: {P: [a, 0], C: {at: [0, 0], angle: 10}}}\n"
    "  cart: {mass: 1, inertia: 0.1, pose: {at: [2, 1]}, markers: {Q: [0.1, 0]}}\n"
    "  dot: {particle: true, mass: 1, pose: {at: [3, 1]}}\n"
    "joints:\n  hinge: {type: revolute, between: [ground, arm], damping: 0.1}\n"
    "  slide: {type: prismatic, between: [ground, cart], at: [2, 1], axis: [1, 0]}\n"
    "  bar: {type: link, between: [cart.Q, dot]}\n"
    "coordinates:\n  turn: hinge.angle\n  high: \"y(dot) + 0.1*x(dot)^2 + n*sin(turn)\"\n  higher: \"2*high + n\"\n"
    "constraints:\n  follow: {equation: \"x(cart.Q) - 2.1 - n*hinge.angle + 0.35*n\"}\n"
    "drives:\n  motor: {coordinate: turn, motion: \"0.35 + 0.3*sin(t)\"}\n  up: {coordinate: high, motion: \"2.07 + "
    "0.1*t\"}\n"
    "loads:\n  spring: {type: spring, between: [ground, arm.P], stiffness: 10, free_length: 0.5, force: \"l^2 + l'\"}\n"
    "  coil: {type: torsion-spring, joint: hinge, stiffness: 3, torque: \"0.1*hinge.angle\"}\n"
    "  pull: {type: force, to: cart.Q, value: [\"sin(t)\", 1]}\n  well: {type: energy, value: \"0.5*y(dot)^2\"}\n"
    "  wind: {type: field, acceleration: [\"0.1*x\", 0]}\n"
    "motion: {from: 0, to: 1, step: 0.1}\noutput: {s: slide.distance, p: \"motor.effort*hinge.angle'\", h: \"higher'' "
    "+ high'\"}\n";

/* What is sized: once a run, however many samples it has. */
static const char rated[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {n: 0.5}\n"
    "bodies: {arm: {mass: 1, inertia: 0.1, centroid: [0.2, 0]}, cart: {mass: 1, inertia: 0.1, pose: {at: [2, 1]}}}\n"
    "joints:\n  hinge: {type: revolute, between: [ground, arm], plain: {diameter: 0.02, width: 0.02},\n"
    "    bearing: {series: deep-groove, C: 1000, C0: 500, f0: 13}}\n"
    "  slide: {type: prismatic, between: [ground, cart], at: [2, 1], axis: [1, 0],\n"
    "    guide: {C: 1000, C0: 1000, mz: 10, per: 1000}}\n"
    "drives:\n  motor: {coordinate: hinge.angle, motion: \"n*sin(t)\", rotor: {inertia: 0.01}, rating: {peak: 9}}\n"
    "  push: {coordinate: slide.distance, motion: \"0.1*t\", rating: {peak: 9, speed: 1}}\n"
    "cases: {more: {n: 0.6}}\nmotion: {from: 0, to: 1, step: 0.1}\n";

static void failing_allocations_of_what_is_sized_are_survived(void **unused) {
    (void)unused;
    assert_survives_failing_allocations(rated, RBV_METHOD_TWO_STEP, false);
}

static void sampling_coordinates_by_name_allocates_nothing(void **unused) {
    (void)unused;
    assert_samples_allocate_nothing(everything, RBV_METHOD_TWO_STEP);
}

static void failing_allocations_while_reading_everything_are_survived(void **unused) {
    (void)unused;
    assert_survives_failing_allocations(everything, RBV_METHOD_TWO_STEP, false);
    purpose.assemble = true;
    purpose.stride = 7;
    assert_survives_failing_allocations(everything, RBV_METHOD_TWO_STEP, false);
    memset(&purpose, 0, sizeof purpose);
}

/* Three cranks with compliances in an interval, misfit and friction; a trailer on a knife edge behind the table, at a
 * speed of rates. */
static const char honest[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {A: [0, 0], B: [0.6, 0], C: [1.5, "
    "0]}}\n"
    "  a: {mass: 1, inertia: 0.02, pose: {at: [0, 0], angle: 1}, markers: {P: [0.5, 0]}}\n"
    "  b: {mass: 1, inertia: 0.02, pose: {at: [0.6, 0], angle: 1}, markers: {P: [0.5, 0]}}\n"
    "  c: {mass: 1, inertia: 0.02, pose: {at: [1.5, 0], angle: 1}, markers: {P: [0.5, 0]}}\n"
    "  table: {mass: 4, inertia: 0.8, pose: {at: [0.2701511529340699, 0.42073549240394825]}, markers: {A: [0, 0], B: "
    "[0.6, 0], C: [1.5, 0]}}\n"
    "  cart: {mass: 1, inertia: 0.1, pose: {at: [3, 3], angle: 0.3}, markers: {W: [0, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, a], compliance: {x: [1e-8, 1e-6], y: 1e-7}, friction: "
    "{coefficient: 0.1, radius: 0.01}}\n"
    "  B: {type: revolute, between: [ground.B, b], compliance: {x: 1e-8, y: 1e-7}, misfit: {x: 1e-6}}\n"
    "  C: {type: revolute, between: [ground.C, c], compliance: {x: 1e-8, y: 1e-7}}\n"
    "  AT: {type: revolute, between: [a.P, table.A]}\n  BT: {type: revolute, between: [b.P, table.B]}\n  CT: {type: "
    "revolute, between: [c.P, table.C]}\n"
    "  edge: {type: knife-edge, between: [ground, cart.W]}\n"
    "constraints:\n  speed: {velocity: \"x(cart.W)'^2 + y(cart.W)'^2 - 1\"}\n"
    "drives:\n  motor: {coordinate: A.angle, motion: \"1 + t\"}\n  turn: {coordinate: angle(cart), motion: \"0.3 + "
    "t\"}\n"
    "initial: {x(cart.W): 3, y(cart.W): 3}\nmotion: {from: 0, to: 0.3, step: 0.1}\noutput: {sum: \"A.Fx + B.Fx + "
    "C.Fx\"}\n";

static void failing_allocations_on_honest_ways_are_survived(void **unused) {
    (void)unused;
    assert_survives_failing_allocations(honest, RBV_METHOD_TWO_STEP, false);
    purpose.check = true;
    for (int criterion = RBV_CRITERION_DEFAULT; criterion <= RBV_CRITERION_QR; criterion++) {
        purpose.criterion = (RbvCriterion)criterion;
        assert_survives_failing_allocations(honest, RBV_METHOD_TWO_STEP, false);
    }
    memset(&purpose, 0, sizeof purpose);
    purpose.redundant = RBV_REDUNDANT_ELIMINATE;
    purpose.eliminated[0] = "O2.Fx";
    assert_survives_failing_allocations(machine_parallelogram, RBV_METHOD_TWO_STEP, false);
    memset(&purpose, 0, sizeof purpose);
}

/* Space: solids, a door with compliances, a gear, a universal joint, a bushing, a disk that is rolled along. */
static const char space[] =
    "roberval: 1\nspace: spatial\ngravity: [0.1, 0, -9.81]\nbodies:\n"
    "  ground: {markers: {T: [0, 0, 0.6], B: [0, 0, -0.6], F: {at: [0, 0, 0], axis: [0, 0, 1], x: [0, 1, 0]}}}\n"
    "  door: {shape: [{box: {at: [0.4, 0, 0], size: [0.8, 0.04, 1.4], rotate: {axis: [1, 0, 0], angle: 2 deg}}, "
    "density: 400}], markers: {T: [0, 0, 0.6], B: [0, 0, -0.6]}}\n"
    "  p: {mass: 1, inertia: [0.1, 0.1, 0.1], pose: {at: [3, 0, 0]}}\n"
    "  q: {mass: 1, inertia: [0.1, 0.1, 0.1, 0.01, 0, 0], pose: {at: [3.25, 0, 0], rotate: {euler: zyx, angles: [0.1, "
    "0, 0]}}}\n"
    "  w: {mass: 2, inertia: [0.02, 0.02, 0.04], pose: {at: [6, 1, 0.3], rotate: {axis: [1, 0, 0], angle: 90 deg}}}\n"
    "joints:\n  A: {type: revolute, between: [ground.T, door.T], compliance: {x: [1e-8, 1e-7], y: 1e-8, z: 1e-5, rx: "
    "1e-3, ry: 1e-3}}\n"
    "  B: {type: revolute, between: [ground.B, door.B], compliance: {x: 1e-8, y: 1e-8, z: 1e-8, rx: 1e-3, ry: 1e-3}, "
    "misfit: {z: 1e-6}}\n"
    "  a: {type: revolute, between: [ground, p], at: [3, 0, 0], damping: 0.1, bearings: {e: {series: tapered-roller, "
    "C: 1000, "
    "C0: 500, e: 0.4, Y: 1.5, Y0: 0.8, at: -0.1}, f: {series: angular-contact, angle: 15 deg, f0: 13, C: 1000, C0: "
    "500, at: "
    "0.1}, arrangement: O}}\n  b: {type: revolute, between: [ground, "
    "q], at: [3.25, 0, 0]}\n"
    "  mesh: {type: gear, between: [p, q], radii: [0.1, 0.15], helix_angle: 10 deg}\n  roll: {type: wheel, radius: "
    "0.3, between: [ground.F, w]}\n"
    "  upright: {type: perpendicular, between: [ground.F, w]}\n"
    "drives:\n  open: {coordinate: A.angle, motion: \"t\", rotor: {inertia: 0.01}, rating: {peak: 10, continuous: "
    "5}}\n  turn: "
    "{coordinate: a.angle, motion: \"t\"}\n  go: "
    "{coordinate: x(w), motion: \"6 + t\"}\n"
    "constraints:\n  straight: {velocity: \"upright.rz'\"}\n"
    "loads:\n  bush: {type: bushing, between: [p, q], stiffness: [1, 2, 3, 4, 5, 6]}\n  coil: {type: torsion-spring, "
    "joint: b, stiffness: 2}\n"
    "motion: {from: 0, to: 0.2, step: 0.1}\noutput: {sum: \"A.Fz + B.Fz\"}\n";

static void failing_allocations_in_space_are_survived(void **unused) {
    (void)unused;
    assert_survives_failing_allocations(space, RBV_METHOD_LAGRANGE, false);
    purpose.check = true;
    assert_survives_failing_allocations(space, RBV_METHOD_TWO_STEP, false);
    memset(&purpose, 0, sizeof purpose);
}

/* A rod between two balls, whose spin is idle, and a bead whose rates are chosen among two. */
static const char rods[] =
    "roberval: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  ground: {markers: {A: [0, 0, 0], D: {at: [0.6, 0, "
    "0], axis: [0, 1, 0]}}}\n"
    "  crank: {mass: 1, inertia: [0.001, 0.002, 0.003], markers: {A: [0, 0, 0], B: [0.1, 0, 0]}}\n"
    "  rod: {shape: [{cylinder: {from: [0, 0, 0], to: [0.65, 0, 0], radius: 0.02}, mass: 2}], pose: {at: [0.1, 0, 0], "
    "rotate: {axis: [0, 1, 0], angle: \"-20 deg\"}}, markers: {B: [0, 0, 0], C: [0.65, 0, 0]}}\n"
    "  rocker: {mass: 1.5, inertia: [0.002, 0.002, 0.003], pose: {at: [0.6, 0, 0]}, markers: {D: {at: [0, 0, 0], axis: "
    "[0, 1, 0]}, C: [0, 0, 0.3]}}\n"
    "  bead: {mass: 1, particle: true}\n"
    "joints:\n  a: {type: revolute, between: [ground.A, crank.A]}\n  b: {type: spherical, between: [rod.B, crank.B]}\n"
    "  c: {type: spherical, between: [rocker.C, rod.C]}\n  d: {type: revolute, between: [ground.D, rocker.D]}\n"
    "drives: {motor: {coordinate: a.angle, motion: \"6*t\"}, go: {coordinate: x(bead), motion: t}, up: {coordinate: "
    "z(bead), motion: 0}}\n"
    "constraints: {pace: {velocity: \"x(bead)'^2 + y(bead)'^2 - 2\"}}\ninitial: {y(bead)': -1}\n"
    "motion: {from: 0, to: 0.1, step: 0.05}\noutput: {lean: \"dot(rod.x, ground.z)\", turn: wz(crank)}\n";

static void failing_allocations_of_idle_spins_are_survived(void **unused) {
    (void)unused;
    purpose.stride = 3;
    assert_survives_failing_allocations(rods, RBV_METHOD_LAGRANGE, false);
    purpose.statics = true;
    assert_survives_failing_allocations(rods, RBV_METHOD_TWO_STEP, false);
    memset(&purpose, 0, sizeof purpose);
}

/* Statics by every method: a parallelogram with a redundancy and a spring. */
static const char rest[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {A: [0, 0], B: [0.6, 0], C: [1.5, "
    "0], S: [0, 1]}}\n"
    "  a: {mass: 1, inertia: 0.02, pose: {at: [0, 0], angle: 1}, markers: {P: [0.5, 0]}}\n"
    "  b: {mass: 1, inertia: 0.02, pose: {at: [0.6, 0], angle: 1}, markers: {P: [0.5, 0]}}\n"
    "  c: {mass: 1, inertia: 0.02, pose: {at: [1.5, 0], angle: 1}, markers: {P: [0.5, 0]}}\n"
    "  table: {mass: 4, inertia: 0.8, pose: {at: [0.2701511529340699, 0.42073549240394825]}, markers: {A: [0, 0], B: "
    "[0.6, 0], C: [1.5, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, a]}\n  B: {type: revolute, between: [ground.B, b]}\n  C: "
    "{type: revolute, between: [ground.C, c]}\n"
    "  AT: {type: revolute, between: [a.P, table.A]}\n  BT: {type: revolute, between: [b.P, table.B]}\n  CT: {type: "
    "revolute, between: [c.P, table.C]}\n"
    "loads: {s: {type: spring, between: [ground.S, table.A], stiffness: 300, free_length: 0.3, force: \"l^3\"}}\n";

static void failing_allocations_of_statics_are_survived(void **unused) {
    (void)unused;
    purpose.statics = true;
    for (int method = RBV_STATICS_ENERGY; method <= RBV_STATICS_RELAXATION; method++) {
        purpose.statics_method = (RbvStaticsMethod)method;
        assert_survives_failing_allocations(rest, RBV_METHOD_TWO_STEP, false);
    }
    memset(&purpose, 0, sizeof purpose);
}

/* A truss through its snap: folds, a landing, places before and behind. */
static const char snap[] =
    "roberval: 1\nspace: planar\nparameters: {P: 0}\nbodies:\n  ground: {markers: {l: [-1, 0], r: [1, 0], up: {at: [0, "
    "0], angle: 1.5707963}}}\n"
    "  top: {mass: 1, inertia: 1, pose: {at: [0, 0.4]}}\n"
    "joints: {guide: {type: slot, between: [ground.up, top]}, upright: {type: angle, between: [ground, top]}}\n"
    "loads:\n  a: {type: spring, between: [ground.l, top], stiffness: 1000, free_length: 1.0770329614}\n"
    "  b: {type: spring, between: [ground.r, top], stiffness: 1000, free_length: 1.0770329614}\n  push: {type: force, "
    "to: top, value: [0, -P]}\n";

static void failing_allocations_along_a_path_are_survived(void **unused) {
    (void)unused;
    purpose.follow = true;
    purpose.stride = getenv("ROBERVAL_MORE") ? 499 : 1499;
    assert_survives_failing_allocations(snap, RBV_METHOD_TWO_STEP, false);
    purpose.along_file = true;
    purpose.stride = getenv("ROBERVAL_MORE") ? 2999 : 8999;
    assert_survives_failing_allocations(snap, RBV_METHOD_TWO_STEP, false);
    memset(&purpose, 0, sizeof purpose);
}

/* A crank, a rod with a ball and a cross, a rocker about a skew axis; and four parallel pins, with three self-stresses.
 */
static void sampling_in_space_allocates_nothing(void **unused) {
    (void)unused;
    static const char exact[] =
        "roberval: 1\nspace: spatial\ngravity: [0, 0, -9.81]\nbodies:\n  ground: {markers: {D: {at: [0.5, 0.1, 0], "
        "axis: [0, 1, 0.2]}}}\n"
        "  crank: {mass: 0.5, inertia: [1e-4, 5e-4, 5e-4], markers: {B: [0.1, 0, 0]}}\n"
        "  rod: {mass: 1, inertia: [1e-3, 1e-2, 1e-2], pose: {at: [0.1, 0, 0]}, markers: {C: {at: [0.4, 0, 0.3], axis: "
        "[0.6, 0.2, -0.8]}}}\n"
        "  rocker: {mass: 0.8, inertia: [8e-3, 8e-3, 2e-4], pose: {at: [0.5, 0.1, 0]}, markers: {D: {axis: [0, 1, "
        "0.2]}, C: {at: [0, -0.1, 0.3], axis: [0, 1, 0]}}}\n"
        "joints:\n  A: {type: revolute, between: [ground, crank]}\n  B: {type: spherical, between: [crank.B, rod]}\n"
        "  C: {type: universal, between: [rocker.C, rod.C]}\n  D: {type: revolute, between: [ground.D, rocker.D]}\n"
        "drives: {motor: {coordinate: A.angle, motion: \"6*t\"}}\nmotion: {from: 0, to: 1, step: 1 ms}\n";
    static const char pins[] =
        "roberval: 1\nspace: spatial\ngravity: [0, -9.81, 0]\nbodies:\n  ground: {markers: {D: [0.4, 0, 0]}}\n"
        "  crank: {mass: 0.5, inertia: [1e-4, 5e-4, 5e-4], pose: {rotate: {axis: [0, 0, 1], angle: 60 deg}}, markers: "
        "{B: [0.1, 0, 0]}}\n"
        "  rod: {mass: 1, inertia: [1e-3, 1e-2, 1e-2], pose: {at: [0.05, 0.0866, 0], rotate: {axis: [0, 0, 1], angle: "
        "32 deg}}, markers: {C: [0.4, 0, 0]}}\n"
        "  rocker: {mass: 0.8, inertia: [2e-4, 8e-3, 8e-3], pose: {at: [0.4, 0, 0], rotate: {axis: [0, 0, 1], angle: "
        "92 deg}}, markers: {C: [0.3, 0, 0]}}\n"
        "joints:\n  A: {type: revolute, between: [ground, crank]}\n  B: {type: revolute, between: [crank.B, rod]}\n"
        "  C: {type: revolute, between: [rod.C, rocker.C]}\n  D: {type: revolute, between: [ground.D, rocker]}\n"
        "drives: {motor: {coordinate: A.angle, motion: \"1.0472 + 6*t\"}}\nmotion: {from: 0, to: 1, step: 1 ms}\n";
    assert_samples_allocate_nothing(exact, RBV_METHOD_TWO_STEP);
    assert_samples_allocate_nothing(exact, RBV_METHOD_LAGRANGE);
    assert_samples_allocate_nothing(pins, RBV_METHOD_TWO_STEP);
}

/* Successive states, and leaps between places that are known. */
static void evaluating_states_allocates_nothing(void **unused) {
    (void)unused;
    const char *const texts[] = {machine_four_bar, machine_parallelogram, machine_slider_crank};
    for (int n = 0; n < 3; n++) {
        RbvModel *model = machine_read(texts[n]);
        RbvSystem *system = machine_compile(model);
        RbvEvaluation *evaluation = NULL;
        uint64_t seed = 0x9e3779b97f4a7c15u;
        assert_int_equal(rbv_evaluation_create(system, NULL, NULL, &evaluation), RBV_OK);
        int64_t before = counted.all;
        for (int k = 0; k < 3000; k++) {
            double way = k < 1000 ? 0.0005 * k : 0.5 * machine_random(&seed) + 0.5;
            rbv_evaluation_set_drive(evaluation, 0, 0.8 + way, 1, 0);
            rbv_evaluation_set_time(evaluation, 0.0005 * k);
            assert_int_equal(k % 2 ? rbv_evaluation_inverse(evaluation) : rbv_evaluation_kinematics(evaluation),
                             RBV_OK);
            if (k == 10)
                before = counted.all; /* what libraries set up once */
        }
        assert_int_equal(counted.all, before);
        rbv_evaluation_destroy(evaluation);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
}

static void failing_allocations_of_evaluations_are_survived(void **unused) {
    (void)unused;
    purpose.evaluate = true;
    assert_survives_failing_allocations(machine_four_bar, RBV_METHOD_TWO_STEP, true);
    memset(&purpose, 0, sizeof purpose);
}

/* A four-bar whose crank is a parameter: its pose, markers, mass, drive and spring hang on it. */
static const char changing[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {a: 0.1, h: \"a/2\", n: 6.283}\n"
    "bodies:\n  ground: {markers: {O: [0, 0], Q: [0.4, 0]}}\n"
    "  crank: {mass: \"10*a\", inertia: 0.001, centroid: [h, 0], pose: {angle: 0.9}, markers: {A: [a, 0]}}\n"
    "  rod: {mass: 2, inertia: 0.03, pose: {at: [\"a*cos(0.9)\", \"a*sin(0.9)\"], angle: 0.6}, markers: {B: [0.4, "
    "0]}}\n"
    "  rocker: {mass: 1.5, inertia: 0.02, pose: {at: [0.4, 0], angle: 1.5}, markers: {B: [0.3, 0]}}\n"
    "joints:\n  O: {type: revolute, between: [ground.O, crank], damping: a}\n  A: {type: revolute, between: [crank.A, "
    "rod]}\n"
    "  B: {type: revolute, between: [rod.B, rocker.B]}\n  Q: {type: revolute, between: [ground.Q, rocker]}\n"
    "drives: {motor: {coordinate: O.angle, motion: \"0.9 + n*t + 0.1*a*t\"}}\n"
    "loads: {spring: {type: spring, between: [ground.Q, crank.A], stiffness: 50, free_length: \"3*a\"}}\n"
    "motion: {from: 0, to: 1, step: 0.1}\noutput: {p: \"motor.effort*a\"}\n";

static void failing_allocations_while_parameters_change_are_survived(void **unused) {
    (void)unused;
    purpose.change = "n";
    assert_survives_failing_allocations(everything, RBV_METHOD_TWO_STEP, true);
    purpose.change = "a";
    assert_survives_failing_allocations(changing, RBV_METHOD_TWO_STEP, true);
    purpose.evaluate = true;
    assert_survives_failing_allocations(changing, RBV_METHOD_TWO_STEP, true);
    memset(&purpose, 0, sizeof purpose);
}

/* The first evaluation after a change may allocate, the others do not; and no change keeps anything of the one before.
 */
static void parameters_that_change_keep_nothing(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(changing);
    RbvSystem *system = machine_compile(model);
    RbvEvaluation *evaluation = NULL;
    int32_t a = rbv_system_find(system, RBV_ITEM_PARAMETER, "a");
    int64_t live = 0, used = 0;
    assert_int_equal(rbv_evaluation_create(system, NULL, NULL, &evaluation), RBV_OK);
    for (int k = 0; k < 200; k++) {
        int64_t before = counted.all;
        assert_int_equal(rbv_system_set_parameters(system, 1, &(RbvParameterValue){a, 0.1 + 0.0001 * (k % 7)}, NULL),
                         RBV_OK);
        assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_OK);
        assert_true(k < 10 || used == 0 || counted.all - before <= 2 * used);
        used = counted.all - before;
        before = counted.all;
        for (int n = 1; n < 4; n++) {
            rbv_evaluation_set_time(evaluation, 0.004 * k + 0.001 * n);
            assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_OK);
        }
        if (k > 10)
            assert_int_equal(counted.all, before);
        if (k == 10)
            live = counted.live;
    }
    assert_int_equal(counted.live, live);
    rbv_evaluation_destroy(evaluation);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* Bad input is the user's mistake; that memory ran out is none. */
static void a_failed_allocation_is_never_called_bad_input(void **unused) {
    (void)unused;
    assert_survives_failing_allocations(everything, RBV_METHOD_TWO_STEP, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(udwadias_equation_allocates_once),
        cmocka_unit_test(trees_allocate_when_they_are_created),
        cmocka_unit_test(linkages_allocate_when_they_are_created),
        cmocka_unit_test(failing_allocations_of_what_is_sized_are_survived),
        cmocka_unit_test(failing_allocations_of_equations_and_of_work_are_survived),
        cmocka_unit_test(failing_allocations_of_control_are_survived),
        cmocka_unit_test(failing_allocations_of_blocks_are_survived),
        cmocka_unit_test(failing_allocations_of_generalized_coordinates_are_survived),
        cmocka_unit_test(sampling_a_four_bar_allocates_nothing),
        cmocka_unit_test(sampling_by_lagranges_equations_allocates_nothing),
        cmocka_unit_test(sampling_by_newtons_equilibrium_allocates_nothing),
        cmocka_unit_test(sampling_by_penalties_allocates_nothing),
        cmocka_unit_test(sampling_by_virtual_power_allocates_nothing),
        cmocka_unit_test(sampling_single_reactions_allocates_nothing),
        cmocka_unit_test(sampling_a_redundant_parallelogram_allocates_nothing),
        cmocka_unit_test(sampling_coordinates_by_name_allocates_nothing),
        cmocka_unit_test(sampling_a_large_chain_allocates_nothing),
        cmocka_unit_test(steps_of_smooth_motion_allocate_nothing),
        cmocka_unit_test(steps_of_a_long_chain_allocate_nothing),
        cmocka_unit_test(implicit_steps_of_a_stiff_chain_allocate_nothing),
        cmocka_unit_test(steps_with_stops_and_friction_allocate_nothing),
        cmocka_unit_test(failing_allocations_on_the_way_of_a_four_bar_are_survived),
        cmocka_unit_test(failing_allocations_on_the_way_of_a_redundant_machine_are_survived),
        cmocka_unit_test(failing_allocations_while_reading_everything_are_survived),
        cmocka_unit_test(failing_allocations_on_honest_ways_are_survived),
        cmocka_unit_test(failing_allocations_in_space_are_survived),
        cmocka_unit_test(failing_allocations_of_idle_spins_are_survived),
        cmocka_unit_test(failing_allocations_of_statics_are_survived),
        cmocka_unit_test(failing_allocations_along_a_path_are_survived),
        cmocka_unit_test(rows_of_a_recorded_motion_allocate_nothing),
        cmocka_unit_test(sampling_in_space_allocates_nothing),
        cmocka_unit_test(evaluating_states_allocates_nothing),
        cmocka_unit_test(failing_allocations_of_evaluations_are_survived),
        cmocka_unit_test(failing_allocations_while_parameters_change_are_survived),
        cmocka_unit_test(parameters_that_change_keep_nothing),
        cmocka_unit_test(a_failed_allocation_is_never_called_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
