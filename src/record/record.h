/* From states to result columns: which columns an analysis has, and filling one sample of them. */
#ifndef RBV_RECORD_RECORD_H
#define RBV_RECORD_RECORD_H

#include "audit/audit.h"
#include "reaction/body_balance.h"
#include "reaction/choice.h"
#include "reaction/method.h"
#include "reaction/natural_penalty.h"
#include "reaction/surplus.h"
#include "result/result.h"

typedef struct RbvRecordOptions {
    const char *analysis, *method;
    bool reactions; /* reactions, efforts, loads */
    int orders;     /* 0: poses alone; 1: joint coordinates, and rates of them and of bodies; 2: and second rates */
    bool series;    /* poses and outputs too */
    bool instant;   /* one state at a time: verdicts are those of the last, and their changes are not listed */
    bool stops;     /* forces of stops */
    bool required;  /* efforts of what is required, as of constraints */
    bool tracks;    /* efforts of actuators, errors of what is required */
    bool states;    /* of the user's own */
    bool impulses;  /* running totals of impulses, of all that carries forces */
    bool energy;    /* energy and what its balance is off by: simulate */
    RbvBodyBalance *balance;   /* what acts on these bodies alone is shown, and judged by them; NULL: all */
    const RbvSurplus *surplus; /* residuals of a motion that is given; NULL: none */
    bool at_rest;              /* outputs may divide by rates that are all zero: then they have no value */
    const RbvSystem *rigid;    /* natural coordinates of whose rigid rows multipliers are shown; NULL: of none */
    RbvNaturalSoft soft;       /* as what these rows yield */
    const bool *rigid_rows;    /* [own rows] of these alone, without the table of all; NULL: all */
    int32_t
        modes; /* modes along a parameter: so many pairs of columns "mode1.re", "mode1.im" after it, and nothing else */
    const uint32_t *components;   /* [joints] bits of those that have columns; NULL: all that are printed */
    const bool *constraints;      /* [constraints] likewise */
    const char *parameter, *unit; /* statics along a parameter: the first column instead of time, and then coordinates,
                                     energy, curvature, too; NULL: time */
} RbvRecordOptions;

/* Samples at which an output had no value: how many, where the first was and why. */
typedef struct RbvValueless {
    int32_t count;
    double at;
    char why[160];
} RbvValueless;

typedef struct RbvRecord {
    const RbvSystem *system; /* along a parameter: that of the next sample, of the same structure */
    RbvResult *result;
    RbvRecordOptions options;
    uint32_t *
        printed; /* [joints] bits of the components that have columns, one behind the other from the joint's first on */
    int32_t first_energy, first_impulse, first_state, first_error;
    const RbvImpulses *impulses; /* of the next sample */
    double energy[2];            /* [J] of the next sample: kinetic and potential, and what the balance is off by */
    int32_t first_body, first_output, first_coordinate, coordinate_count, first_equilibrium;
    int32_t first_multiplier;
    double *multiplier;       /* [own rows] of the next sample, as forces */
    double parameter;         /* the value of the first column of statics along a parameter */
    RbvMeasure *coordinates;  /* [coordinate_count] of joints */
    RbvMeasureMemory *memory; /* their turns */
    int32_t *known;           /* [coordinate_count] the same among the model's measures, which remember turns, or -1 */
    bool *output_judged;      /* [outputs] does it read reactions or efforts? */
    double *combination; /* [2 rows], where something is combined: multipliers' coefficients, and the magnitudes they
                            were summed from */
    bool *chosen;        /* [variables] scratch: those of an expression that are results */
    RbvVerdict *last_verdict; /* [columns] of the last sample */
    double *last_quat; /* [bodies][4], in space: as written in the last sample: of two signs the one that goes on */
    double *second;    /* [measures] second rates, when outputs ask for them */
    RbvValueless *valueless; /* [outputs] */
    RbvMix *mixes;           /* [outputs] in the result's arena */
    double *work;
    bool first_sample;
    bool lost_change; /* a change of a verdict found no memory */
} RbvRecord;

/* The column of a component of a joint, or -1. */
static inline int32_t rbv_record_column(const RbvRecord *record, int32_t joint, int component) {
    if (!rbv_component_in(record->printed[joint], component))
        return -1;
    int32_t column = record->result->joints.items[joint].first;
    for (int c = 0; c < component; c++)
        column += rbv_component_in(record->printed[joint], c);
    return column;
}

/* A record with an empty result, whose columns and names are set. NULL: no memory. */
RbvRecord *rbv_record_create(const RbvSystem *system, const RbvReactions *reactions, const RbvRecordOptions *options);
/* The result stays with the caller when taken out (record->result = NULL) before. */
void rbv_record_destroy(RbvRecord *record);
/* Of Newton's equilibrium: how many unknowns and equations it has. False: no memory. */
bool rbv_record_newton(RbvRecord *record, const RbvState *state, const RbvSolvability *solvability);
/* One sample. `reactions` NULL when the analysis has none. False: an output is not finite (said in `message`). */
bool rbv_record_sample(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, char *message,
                       size_t size);
/* The value of an output at one more sample, whose variables are in record->work (record_mix.c). */
void rbv_record_mix(RbvRecord *record, int32_t output, double value);
/* Room for one more sample; it grows by halves. False: no memory. */
bool rbv_record_reserve(RbvRecord *record);
/* Along a parameter, before rbv_record_sample: energy [J], curvature [1/s^2] and how many motions are unstable; NaN:
 * none. */
void rbv_record_equilibrium(RbvRecord *record, double energy, double curvature, double unstable);
/* Poses of the bodies as in a sample: out[columns of poses]. With orders 0. */
void rbv_record_poses(RbvRecord *record, const RbvState *state, double *out);
/* Verdicts of a state into the columns; changes are listed. False: no memory. */
bool rbv_record_verdicts(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                         RbvSolvability *solvability, const RbvChoice *choice);
/* Errors of reactions, efforts and constraint forces at a sample; the largest is kept. */
void rbv_record_errors(RbvRecord *record, const RbvReactions *reactions);
/* The virtual motion u[bodies.size] of a reaction in the placed state as the next of the result's list, which has room
 * for it; NULL: there is none (record_virtual.c). False: no memory. */
bool rbv_record_virtual_motion(RbvResult *result, const RbvState *state, const char *name, const double *u);
/* Likewise of a rigid row of natural coordinates, with rates[size of v] of its points and vectors times `scale`. */
bool rbv_record_stretch(RbvResult *result, const RbvState *state, const char *name, const double *rates, double scale);
/* Ranges of reactions over intervals of compliances. False: no memory. */
bool rbv_record_ranges(RbvRecord *record, const RbvChoice *choice);
/* After a sample: the column may be anything from -limit to limit there. False: no memory. */
bool rbv_record_still(RbvRecord *record, int32_t joint, int component, double limit);
/* Verdicts of the questions of the model. False: no memory. */
bool rbv_record_asked(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                      RbvSolvability *solvability, const RbvChoice *choice);
/* What machine it is, at an assembled state: a slip of a unit shows in it. */
typedef struct RbvMachine {
    double size, mass;      /* [m] its longest extent along ground's axes; [kg] */
    int32_t corrected;      /* the body that assembly took furthest from a pose that was given; -1: none was */
    double distance, angle; /* [m] of its frame's origin, [rad] */
} RbvMachine;
RbvMachine rbv_machine_of(const RbvState *state);
/* With the correction of an earlier one. */
static inline RbvMachine rbv_machine_corrected(RbvMachine machine, const RbvMachine *earlier) {
    machine.corrected = earlier->corrected;
    machine.distance = earlier->distance;
    machine.angle = earlier->angle;
    return machine;
}
/* Into the result. False: no memory. */
/* The points and vectors of natural coordinates, and their rigid rows. False: no memory. */
bool rbv_record_coordinates(RbvResult *result, const RbvSystem *system);
/* Of joint coordinates their tree (record_tree.c), as part of it. */
bool rbv_record_tree(RbvResult *result, const RbvSystem *system);
/* What rigid row k of natural coordinates holds; NULL: no memory. And what a row of a joint holds. */
const char *rbv_record_rigid_row(RbvResult *result, const RbvSystem *system, int32_t k);
const char *rbv_record_joint_row(const RbvSystem *system, int32_t row);
/* Multipliers of natural coordinates and reactions of elements at the state (record_natural.c). NOT_FINITE: there are
 * none; NO_MEMORY. */
/* Columns of the forces that rigid rows stand for are "body.rowN"; those of the next sample. NOT_FINITE, NO_MEMORY. */
const char *rbv_record_multiplier_name(RbvResult *result, const RbvSystem *system, int32_t k, const char **unit);
/* Name and equation of number k of mixed coordinates, in the result's arena. NULL: no memory. */
const char *rbv_record_number(RbvResult *result, const RbvSystem *system, int32_t k);
const char *rbv_record_number_row(int32_t kind);
/* Name of point or vector k of natural coordinates, and of number k of mixed ones. */
void rbv_record_basic(const RbvSystem *system, int32_t k, char *text, size_t size);
void rbv_record_number_name(const RbvSystem *system, int32_t k, char *text, size_t size);
/* The one that rigid row `own` has, of lambda, in the next sample's column number `at` of multipliers. False: not
 * finite. And the force that lambda = 1 of the row stands for; NaN: none. */
bool rbv_record_multiplier(RbvRecord *record, const RbvState *state, int32_t own, int32_t at, double lambda,
                           bool unique);
double rbv_record_multiplier_share(const RbvState *state, int32_t own);
RbvStatus rbv_record_multipliers(RbvRecord *record, const RbvState *state, RbvReactions *reactions);
RbvStatus rbv_record_natural(RbvResult *result, const RbvState *state, RbvReactions *reactions, RbvNaturalSoft soft);
/* [size of v] what each number of v is the rate of: "crank x", "crank.A x", "hinge.angle", in `arena`. NULL: no memory.
 */
const char **rbv_record_rates(RbvArena *arena, const RbvSystem *system);
bool rbv_record_machine(RbvResult *result, const RbvModel *model, const RbvMachine *machine);
/* Bodies whose radius of gyration is out of all proportion. False: no memory. */
bool rbv_note_inertias(const RbvState *state, RbvDiagnostics *diagnostics);
/* Mobility and rank figures at the placed state. False: no memory. */
bool rbv_record_mobility(RbvRecord *record, const RbvState *state, RbvSolvability *solvability);
/* The length of the norm that chooses, of the block with most to choose. */
void rbv_record_length(RbvResult *result, const RbvSolvability *solvability);
/* The state assembled into record->result->assembled (record_assembly.c), after its sample: C, nu, twists are those
 * of the state. `tries`: what assembly took. False: no memory. */
bool rbv_record_assembly(RbvRecord *record, RbvState *state, int32_t tries);
/* Self-stress modes, groups, clusters and advice at a state (clusters.c). */
bool rbv_record_modes(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                      const RbvSolvability *solvability);
/* exp(lambda t) with its shape: one of a conjugate pair, a real root, or a motion that nothing changes (a double zero:
 * one that goes on). */
typedef struct RbvModalMotion {
    double real, imaginary; /* [1/s], imaginary >= 0 */
    double *shape[2];       /* [size of v + the user's states] real and imaginary parts */
} RbvModalMotion;

/* The modes of the linearised motion at the placed state into the result's list (record_oscillations.c). They are
 * sorted by |lambda|; shapes of equal roots are chosen anew (equal_modes.h). `freedoms`: of places. False: no memory.
 */
bool rbv_record_oscillations(RbvRecord *record, const RbvState *state, RbvModalMotion *modes, int32_t count,
                             int32_t freedoms);
/* What is in the model into result->info (record_info.c), its size in the placed state. False: no memory. */
bool rbv_record_info(RbvResult *result, const RbvState *state);
/* What a result says besides its numbers: the notes of its model (model/notes.c), then the notes and warnings of this
 * analysis. They are heard in a list of their own, whatever the caller's list holds already or whether there is one;
 * closing hands them on to it. */
typedef struct RbvNotes {
    RbvDiagnostics *report, *to;
} RbvNotes;
/* False: no memory. To be closed in any case. */
bool rbv_notes_open(RbvNotes *notes, RbvDiagnostics *diagnostics);
/* Into the result, each once. False: no memory. */
bool rbv_notes_keep(const RbvNotes *notes, const RbvModel *model, RbvResult *result);
void rbv_notes_close(RbvNotes *notes);
/* The constraint rows one by one, at the state decided (record_rows.c). False: no memory. */
bool rbv_record_rows(RbvRecord *record, RbvSolvability *solvability);
/* A row of a joint, constraint or drive, with its verdict. */
RbvRowVerdict rbv_record_row(const RbvSystem *system, const RbvResult *result, int32_t row, RbvVerdict verdict);
/* What a method that is exact in a limit alone was off by at this sample; of the first one with redundant rows its own
 * multipliers (record_soft.c). False: no memory. */
bool rbv_record_soft(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                     RbvSolvability *solvability, const RbvMethodReport *report);
/* All that a record, an audit and notes have gathered besides samples, to an archive or from it (record_keep.c). */
void rbv_record_keep(RbvRecord *record, RbvArchive *archive);
void rbv_audit_keep(RbvAudit *audit, RbvArchive *archive);
void rbv_notes_archive(RbvNotes *notes, RbvArchive *archive);
/* The audit's figures into the result: the largest of all samples told so far. */
void rbv_record_audit(RbvResult *result, const RbvAudit *audit);
/* Warn of contacts and strands that pull where they could only push, at the first sample where it happens. */
void rbv_note_unilateral(const RbvModel *model, const RbvResult *result, RbvDiagnostics *diagnostics);
/* Say of each output that had no value at a sample where and why: its cells are empty. */
void rbv_note_valueless(const RbvRecord *record, const RbvModel *model, RbvDiagnostics *diagnostics);

#endif
