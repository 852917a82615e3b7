/* Writes states to result columns: defines the columns of an analysis and fills them sample by sample. */
#ifndef RBV_SOLUTION_RECORD_RECORD_H
#define RBV_SOLUTION_RECORD_RECORD_H

#include "model/result/result.h"
#include "solution/audit/audit.h"
#include "solution/reaction/body_balance.h"
#include "solution/reaction/choice.h"
#include "solution/reaction/influences.h"
#include "solution/reaction/method.h"
#include "solution/reaction/natural_multipliers.h"
#include "solution/reaction/surplus.h"

typedef struct RbvRecordOptions {
    const char *analysis, *method;
    bool reactions; /* columns of reactions, efforts, loads */
    int orders;  /* 0: poses alone; 1: joint coordinates, and velocities of these and of bodies; 2: accelerations too */
    bool series; /* columns of poses and outputs */
    bool instant;  /* one state at a time: verdicts are those of the last state, and their changes are not listed */
    bool stops;    /* columns of forces of stops */
    bool required; /* columns of efforts of requirements, as of constraints */
    bool tracks;   /* columns of efforts of actuators, errors of requirements */
    bool states;   /* columns of the user's own states */
    bool impulses; /* columns of sums of impulses of all joints, drives, constraints and stops */
    bool energy;   /* columns of energy and of the error of its balance: simulate */
    RbvBodyBalance *balance;   /* only what acts on these bodies, verdicts by their equilibrium; NULL: everything */
    const RbvSurplus *surplus; /* residuals of a prescribed motion; NULL: none */
    bool drive_rates;          /* rates of all drives, not only of those that are rated, for rbv_size */
    bool influences;           /* influences of misfits, for rbv_tolerance */
    bool at_rest;              /* outputs may divide by rates that are all zero; such an output has no value */
    const RbvSystem *rigid;    /* natural coordinates whose rigid rows have columns; NULL: none */
    RbvNaturalSoft soft;       /* how these rows yield */
    const bool *rigid_rows;    /* [own rows] only these have columns, without the table of all rows; NULL: all */
    int32_t modes; /* modes along a parameter: number of pairs of columns "mode1.re", "mode1.im" after the parameter,
                      and nothing else */
    const uint32_t *components;   /* [joints] bits of the components that have columns; NULL: all that are printed */
    const bool *constraints;      /* [constraints] do the constraints have columns? NULL: all */
    const char *parameter, *unit; /* statics along a parameter: name and unit of the first column instead of time, and
                                     then columns of coordinates, energy, curvature too; NULL: time */
} RbvRecordOptions;

/* Samples at which an output had no value: their number, time (or parameter) and reason of the first. */
typedef struct RbvValueless {
    int32_t count;
    double at;
    char why[160];
} RbvValueless;

typedef struct RbvRecord {
    const RbvSystem *system; /* along a parameter: the system of the next sample, of the same structure */
    RbvResult *result;
    RbvRecordOptions options;
    uint32_t *printed; /* [joints] bits of the components that have columns, which are consecutive from the joint's
                          first column on */
    int32_t first_energy, first_impulse, first_state, first_error;
    const RbvImpulses *impulses; /* of the next sample; the caller's */
    double energy[2]; /* [J] of the next sample: kinetic plus potential energy, and the error of the balance */
    int32_t first_body, first_output, first_coordinate, coordinate_count, first_equilibrium;
    int32_t first_multiplier;
    double *multiplier;       /* [own rows] of the next sample, as forces [N or N m] */
    double parameter;         /* value of the first column of statics along a parameter */
    RbvMeasure *coordinates;  /* [coordinate_count] joint coordinates and generalized coordinates with columns */
    RbvMeasureMemory *memory; /* [coordinate_count] counted turns of these coordinates */
    int32_t *known;           /* [coordinate_count] index of the same measure in the model, which counts turns, or -1 */
    bool *output_judged;      /* [outputs] does the output depend on reactions or efforts, so that it has a verdict? */
    double *combination; /* [2 rows], if there are outputs or questions: coefficients of a combination of multipliers,
                            and the sums of their magnitudes */
    RbvInfluences *influences; /* of misfits at the next sample; NULL: not requested, or not linear in them */
    int32_t *influenced;       /* [influences->quantities] column of each quantity; -1: none */
    double *weight;            /* [influences->quantities] workspace: derivatives of an output by them */
    bool *chosen;              /* [variables] scratch: is a variable of an expression a result? */
    RbvVerdict *last_verdict;  /* [columns] verdicts of the last sample */
    double *last_quat;  /* [bodies][4], in space: quaternions as written in the last sample, whose sign the next ones
                           continue */
    double *second;     /* [measures] second rates, if there are outputs */
    const double *felt; /* [drives] of the next sample: inertia that the drive feels, d(effort)/d(second rate) at fixed
                           position and rates; the caller's; NULL: not known */
    bool feels;         /* there are drives whose felt inertia is recorded */
    RbvValueless *valueless; /* [outputs] samples without value */
    RbvMix *mixes;           /* [outputs] composition of outputs, in the result's arena */
    double *work;
    bool first_sample;
    bool lost_change; /* no memory to list a change of a verdict */
} RbvRecord;

/* Column of a component of a joint, or -1. */
static inline int32_t rbv_record_column(const RbvRecord *record, int32_t joint, int component) {
    if (!rbv_component_in(record->printed[joint], component))
        return -1;
    int32_t column = record->result->joints.items[joint].first;
    for (int c = 0; c < component; c++)
        column += rbv_component_in(record->printed[joint], c);
    return column;
}

/* Creates a record with an empty result, whose columns and names are set. NULL: no memory. */
RbvRecord *rbv_record_create(const RbvSystem *system, const RbvReactions *reactions, const RbvRecordOptions *options);
/* Destroys the record with its result; a result taken out before (record->result = NULL) stays with the caller. */
void rbv_record_destroy(RbvRecord *record);
/* Number of unknowns and equations of Newton's equilibrium, and their rank, into the result. False: no memory. */
bool rbv_record_newton(RbvRecord *record, const RbvState *state, const RbvSolvability *solvability);
/* Adds one sample. `reactions`: NULL when the analysis has none. False: an output is not finite (reason in
 * `message`). */
bool rbv_record_sample(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, char *message,
                       size_t size);
/* Speeds of joints and rates of drives that are sized, at a state with accelerations, into row[columns and hidden
 * columns]; where reactions are in ground's axes, those of the joints along their own axes, too (record_sizing.c). */
void rbv_record_speeds(const RbvRecord *record, const RbvState *state, const RbvReactions *reactions, double *row);
/* Second rates of all measures at a state with accelerations, for outputs, of which there are some. */
void rbv_record_second_rates(RbvRecord *record, const RbvState *state);
/* Derivatives of output k by its variables at the printed reactions, in the record's workspace; after
 * rbv_record_second_rates. */
const double *rbv_record_gradient(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, int32_t k);
/* Before rbv_record_sample: influences of misfits at the next sample into the result, if they are requested
 * (record_influences.c). NO_MEMORY; NOT_FINITE. */
RbvStatus rbv_record_influences(RbvRecord *record, const RbvState *state, const RbvSolvability *solvability,
                                RbvChoice *choice, RbvReactions *reactions);
/* Makes room for one more sample; the capacity grows by halves. False: no memory. */
bool rbv_record_reserve(RbvRecord *record);
/* Along a parameter, before rbv_record_sample: energy [J], curvature [1/s^2] and number of unstable motions; NaN:
 * none. */
void rbv_record_equilibrium(RbvRecord *record, double energy, double curvature, double unstable);
/* Poses of the bodies as in a sample: out[columns of poses]. Needs options.orders 0. */
void rbv_record_poses(RbvRecord *record, const RbvState *state, double *out);
/* Verdicts of a state into the columns; lists their changes. False: no memory. */
bool rbv_record_verdicts(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                         RbvSolvability *solvability, const RbvChoice *choice);
/* Errors of reactions, efforts and constraint forces at a sample into the columns, which keep the largest (or, with
 * options.instant, the last). */
void rbv_record_errors(RbvRecord *record, const RbvReactions *reactions);
/* Appends the virtual motion u[bodies.size] of a reaction, at a state whose positions are evaluated, to the result's
 * list, which has capacity for it; u NULL: the motion does not exist (record_natural.c). False: no memory. */
bool rbv_record_virtual_motion(RbvResult *result, const RbvState *state, const char *name, const double *u);
/* Appends the virtual motion of a rigid row of natural coordinates: rates[size of v] of its points and vectors times
 * `scale`; rates NULL: it does not exist. False: no memory. */
bool rbv_record_stretch(RbvResult *result, const RbvState *state, const char *name, const double *rates, double scale);
/* Ranges of reactions over intervals of compliances into the result. False: no memory. */
bool rbv_record_ranges(RbvRecord *record, const RbvChoice *choice);
/* After a sample: the value of the column lies between -limit and limit there. False: no memory. */
bool rbv_record_still(RbvRecord *record, int32_t joint, int component, double limit);
/* result->ranges, all NaN. False: no memory. */
bool rbv_record_make_ranges(RbvResult *result);
/* A run in blocks (record_join.c). rbv_record_continue: quaternions of the record's next sample go on from those of its
 * `state` with the signs that `from` printed at the state `there`. rbv_record_meets: does the record's last sample have
 * these signs, quats[bodies][4]? rbv_record_join: appends the samples of a later record of the same columns with all it
 * has gathered; first[columns and hidden columns]: its verdicts at its first sample, at `time` [s]. False: no memory.
 */
void rbv_record_continue(RbvRecord *record, const RbvState *state, const RbvRecord *from, const RbvState *there);
bool rbv_record_meets(const RbvRecord *record, const double *quats);
bool rbv_record_join(RbvRecord *record, RbvRecord *later, const RbvVerdict *first, double time);
/* The largest residuals and scales of two audits. */
void rbv_audit_join(RbvAudit *audit, const RbvAudit *later);
/* Verdicts of the questions of the model into the result. False: no memory. */
bool rbv_record_asked(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                      RbvSolvability *solvability, const RbvChoice *choice);
/* Figures of the machine at an assembled state, which reveal an error of units. */
typedef struct RbvMachine {
    double size, mass;      /* [m] longest extent along ground's axes; [kg] */
    int32_t corrected;      /* the body that assembly moved furthest from its prescribed pose; -1: none */
    double distance, angle; /* correction: [m] of the origin of the body's frame, [rad] */
} RbvMachine;
/* Figures of the machine at a state whose positions are evaluated. */
RbvMachine rbv_machine_of(const RbvState *state);
/* Returns `machine` with the correction of an earlier one. */
static inline RbvMachine rbv_machine_corrected(RbvMachine machine, const RbvMachine *earlier) {
    machine.corrected = earlier->corrected;
    machine.distance = earlier->distance;
    machine.angle = earlier->angle;
    return machine;
}
/* Points and vectors of natural coordinates and their rigid rows, or the tree of joint coordinates, into the result.
 * False: no memory. */
bool rbv_record_coordinates(RbvResult *result, const RbvSystem *system);
/* The tree of joint coordinates into the result (record_coordinates.c). False: no memory. */
bool rbv_record_tree(RbvResult *result, const RbvSystem *system);
/* Text that describes rigid row k of natural coordinates; NULL: no memory. */
const char *rbv_record_rigid_row(RbvResult *result, const RbvSystem *system, int32_t k);
/* Text that describes row `row` of a joint. */
const char *rbv_record_joint_row(const RbvSystem *system, int32_t row);
/* Name "body.rowN" and unit of the column of the force of own row k. NULL: no memory. */
const char *rbv_record_multiplier_name(RbvResult *result, const RbvSystem *system, int32_t k, const char **unit);
/* Name of number k of mixed coordinates, in the result's arena. NULL: no memory. */
const char *rbv_record_number(RbvResult *result, const RbvSystem *system, int32_t k);
/* Text of the equation of a kind of numbers. */
const char *rbv_record_number_row(int32_t kind);
/* Name of point or vector k of natural coordinates. */
void rbv_record_basic(const RbvSystem *system, int32_t k, char *text, size_t size);
/* Name of number k of mixed coordinates. */
void rbv_record_number_name(const RbvSystem *system, int32_t k, char *text, size_t size);
/* Force of rigid row `own` for its multiplier lambda into column number `at` of multipliers of the next sample. False:
 * not finite. */
bool rbv_record_multiplier(RbvRecord *record, const RbvState *state, int32_t own, int32_t at, double lambda,
                           bool unique);
/* Force of rigid row `own` for lambda = 1; NaN: the row has no force. */
double rbv_record_multiplier_share(const RbvState *state, int32_t own);
/* Forces of all own rows of natural coordinates into the next sample. NOT_FINITE, NO_MEMORY. */
RbvStatus rbv_record_multipliers(RbvRecord *record, const RbvState *state, RbvReactions *reactions);
/* Multipliers of natural coordinates at the state, and wrenches of joints body by body, into the result
 * (record_natural.c). NOT_FINITE, NO_MEMORY. */
RbvStatus rbv_record_natural(RbvResult *result, const RbvState *state, RbvReactions *reactions, RbvNaturalSoft soft);
/* [size of v] name of the coordinate whose rate each number of v is: "crank x", "crank.A x", "hinge.angle", in
 * `arena`. NULL: no memory. */
const char **rbv_record_rates(RbvArena *arena, const RbvSystem *system);
/* Figures of the machine into the result. False: no memory. */
bool rbv_record_machine(RbvResult *result, const RbvModel *model, const RbvMachine *machine);
/* Notes bodies whose radius of gyration does not fit their size. False: no memory. */
bool rbv_note_inertias(const RbvState *state, RbvDiagnostics *diagnostics);
/* Mobility and rank figures at a state whose positions are evaluated. False: no memory. */
bool rbv_record_mobility(RbvRecord *record, const RbvState *state, RbvSolvability *solvability);
/* Length of the least norm into the result: that of the block with the largest redundancy. */
void rbv_record_length(RbvResult *result, const RbvSolvability *solvability);
/* Description of the assembled state into record->result->assembled (record_assembly.c), after its sample; C, nu and
 * twists of the state are evaluated. `tries`: number of tries of assembly. False: no memory. */
bool rbv_record_assembly(RbvRecord *record, RbvState *state, int32_t tries);
/* Self-stress modes, groups, clusters and advice at a state (clusters.c). False: no memory. */
bool rbv_record_modes(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                      const RbvSolvability *solvability);
/* A mode exp(lambda t) with its shape: one of a conjugate pair, a real root, or a free motion (a double zero: a
 * motion at constant velocity). */
typedef struct RbvModalMotion {
    double real, imaginary; /* [1/s], imaginary >= 0 */
    double *shape[2];       /* [size of v + the user's states] real and imaginary parts */
} RbvModalMotion;

/* Modes of the linearised motion, at a state whose positions are evaluated, into the result's list
 * (record_oscillations.c). They are sorted by |lambda|; shapes of equal roots are chosen by a rule.
 * `freedoms`: freedoms of positions. False: no memory. */
bool rbv_record_oscillations(RbvRecord *record, const RbvState *state, RbvModalMotion *modes, int32_t count,
                             int32_t freedoms);
/* Contents of the model into result->info (record_info.c), and its size at a state whose positions are evaluated.
 * False: no memory. */
bool rbv_record_info(RbvResult *result, const RbvState *state);
/* Notes of a result: the notes of its model (model/model/model.c), then the notes and warnings of this analysis. They
 * are collected in a list of their own, whatever the caller's list contains or whether there is one; closing appends
 * them to the caller's list. */
typedef struct RbvNotes {
    RbvDiagnostics *report, *to;
} RbvNotes;
/* False: no memory. To be closed in any case. */
bool rbv_notes_open(RbvNotes *notes, RbvDiagnostics *diagnostics);
/* Copies the notes into the result, each once. False: no memory. */
bool rbv_notes_keep(const RbvNotes *notes, const RbvModel *model, RbvResult *result);
/* Appends the notes to the caller's list and frees them. */
void rbv_notes_close(RbvNotes *notes);
/* Verdicts of the constraint rows one by one, at the state decided last (record_verdicts.c). False: no memory. */
bool rbv_record_rows(RbvRecord *record, RbvSolvability *solvability);
/* Description of a row of a joint, constraint or drive with its verdict. */
RbvRowVerdict rbv_record_row(const RbvSystem *system, const RbvResult *result, int32_t row, RbvVerdict verdict);
/* Errors at this sample of a method that is exact only in a limit; of the first sample with redundant rows also the
 * method's own multipliers (record_natural.c). False: no memory. */
bool rbv_record_soft(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                     RbvSolvability *solvability, const RbvMethodReport *report);
/* Writes what a record has gathered besides samples to an archive, or reads it (record.c). */
void rbv_record_keep(RbvRecord *record, RbvArchive *archive);
/* Writes the figures of an audit to an archive, or reads them. */
void rbv_audit_keep(RbvAudit *audit, RbvArchive *archive);
/* Writes notes to an archive, or reads them. */
void rbv_notes_archive(RbvNotes *notes, RbvArchive *archive);
/* Figures of the audit into the result: the largest of all audits recorded. */
void rbv_record_audit(RbvResult *result, const RbvAudit *audit);
/* Warns of contacts and belt strands that pull where they can only push, at the first sample where they do. */
void rbv_note_unilateral(const RbvModel *model, const RbvResult *result, RbvDiagnostics *diagnostics);
/* Notes for each output without a value at some sample where and why; its cells are empty. */
void rbv_note_valueless(const RbvRecord *record, const RbvModel *model, RbvDiagnostics *diagnostics);

#endif
