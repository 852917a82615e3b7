/* Options of analyses: those that all share, then a group for each question.
 *
 *     RbvOptions options = rbv_options_default;
 *     options.to = 2;
 *     options.reactions.frame = RBV_FRAME_GROUND;
 *     options.inverse.method = RBV_METHOD_RECURSIVE;
 *     rbv_inverse(system, &options, diagnostics, &result); */
#ifndef ROBERVAL_OPTIONS_H
#define ROBERVAL_OPTIONS_H

#include <roberval/folder.h>
#include <roberval/recording.h>
#include <roberval/sizing.h>
#include <roberval/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RbvFrame {
    RBV_FRAME_JOINT, /* reactions along the axes of the joint's first marker */
    RBV_FRAME_GROUND
} RbvFrame;

typedef enum RbvInverseMethod {
    RBV_METHOD_TWO_STEP,  /* accelerations from C v' = gamma, then multipliers from C^T lambda = Q - M v' */
    RBV_METHOD_LAGRANGE,  /* one system for both: [M C^T; C 0] [v'; lambda] = [Q; gamma] */
    RBV_METHOD_NEWTON,    /* equilibrium of bodies: six unknown reactions per joint and one equation for each direction
                             that the joint leaves free */
    RBV_METHOD_PENALTY,   /* penalty over all rows D: (M + D^T alpha D) a = Q + D^T alpha gamma, lambda = alpha (D a -
                             gamma); the error of the penalty is estimated and reported */
    RBV_METHOD_AUGMENTED, /* penalty iterated: lambda is taken over in rounds until it settles; result: least sum
                             lambda^2/alpha */
    RBV_METHOD_VIRTUAL_POWER, /* lambda_k = q*^T (Q - M v') with C q* = e_k: one virtual motion for each multiplier */
    RBV_METHOD_RECURSIVE, /* forces summed from the ends of a spanning tree to ground; reactions of loop-closing joints
                             and efforts of drives by virtual power */
    RBV_METHOD_PSEUDO_INVERSE /* C^T lambda = Q - M v', solution of least norm by singular values, over all rows of any
                                 number and rank; the only method for a prescribed motion (RbvOptions.given) */
} RbvInverseMethod;

/* How virtual power finds a requested reaction. */
typedef enum RbvReactionBy {
    RBV_BY_CUT,        /* the joint is cut in the requested component: one virtual motion */
    RBV_BY_CONSTRAINT, /* each row of the joint is varied; the component is a sum of the rows' multipliers */
    RBV_BY_BODY /* natural coordinates: the rigid rows of a body at the joint are removed; the body's equations then
                   give the forces on its shared points and vectors */
} RbvReactionBy;

/* Criteria that decide which reactions are unique, after Wojtyra and Fraczek (docs/theory.md). All give the same
 * verdicts; the default chooses by size and safety. */
typedef enum RbvCriterion {
    RBV_CRITERION_DEFAULT, /* singular values for small blocks, exact arithmetic where these are doubtful, sparse
                              probing for large blocks */
    RBV_CRITERION_RANKS,   /* rank of C with and without the reaction */
    RBV_CRITERION_SVD,     /* left singular vectors of C */
    RBV_CRITERION_QR       /* last columns of Q of a column-pivoted QR */
} RbvCriterion;

/* Which value is printed for a reaction that the rigid model does not determine. The motion and all unique reactions do
 * not depend on this choice. */
typedef enum RbvRedundant {
    RBV_REDUNDANT_DEFAULT,   /* compliances where joints have them; the rest by least norm */
    RBV_REDUNDANT_MIN_NORM,  /* least sum |F|^2 + |T|^2/L^2 */
    RBV_REDUNDANT_ELIMINATE, /* the named components are zero; the rest by least norm */
    RBV_REDUNDANT_COMPLIANCE /* as RBV_REDUNDANT_DEFAULT, but at least one joint must have a compliance */
} RbvRedundant;

/* Method that finds an equilibrium. */
typedef enum RbvStaticsMethod {
    RBV_STATICS_DEFAULT,   /* energy; lagrange if a load has no potential energy */
    RBV_STATICS_ENERGY,    /* constrained minimisation of the potential energy: minima only, from any start */
    RBV_STATICS_LAGRANGE,  /* Newton on position and multipliers: stable and unstable equilibria near the start */
    RBV_STATICS_PENALTY,   /* constraints as stiff springs; multipliers from their elongation */
    RBV_STATICS_AUGMENTED, /* augmented Lagrangian: as penalty, with multipliers corrected by the elongation until it
                              vanishes */
    RBV_STATICS_VIRTUAL_POWER, /* Newton on R^T Q = 0 in independent coordinates */
    RBV_STATICS_RELAXATION     /* damped motion until all velocities vanish */
} RbvStaticsMethod;

/* Integrator of rbv_simulate. AUTO: explicit; switches to implicit where stability limits the step. */
typedef enum RbvMotionMethod { RBV_MOTION_AUTO, RBV_MOTION_EXPLICIT, RBV_MOTION_IMPLICIT } RbvMotionMethod;

/* Root S of the mass matrix in B = A S^-T. */
typedef enum RbvUdwadiaForm { RBV_UDWADIA_NONE, RBV_UDWADIA_SYMMETRIC, RBV_UDWADIA_CHOLESKY } RbvUdwadiaForm;

/* Options about reactions and their verdicts: check, statics, inverse, simulate, track. */
typedef struct RbvReactionOptions {
    RbvFrame frame;           /* axes of printed reactions */
    RbvCriterion criterion;   /* decides which reactions are unique */
    RbvRedundant redundant;   /* decides what is printed for those that are not */
    int32_t eliminated_count; /* ELIMINATE: number of components "joint.Fx", along the axes of `frame`; at most the
                                 number of redundant rows */
    const char *const *eliminated;
    double norm_length; /* [m] length L of the least norm; NaN: the size of each redundant block */
    bool influences;    /* adds the influences of the misfits among tolerances: to the result, for rbv_tolerance */
    bool multipliers;   /* inverse, statics in natural coordinates: adds a table of multipliers, and columns with the
                           forces of the rigid rows */
} RbvReactionOptions;

typedef struct RbvCheckOptions {
    bool along_motion; /* decide verdicts at every sample of the motion, not only at `from` */
} RbvCheckOptions;

/* What rbv_assembly adds to result.json. */
typedef struct RbvAssemblyOptions {
    RbvUdwadiaForm udwadia; /* Udwadia's equation at the state, with all its vectors and matrices */
    bool null_space;        /* R with v = R z' for the independent coordinates z, and dR/dz */
    bool load_forces;       /* potential and generalized force of each weight and load, over the components of v */
} RbvAssemblyOptions;

typedef struct RbvInverseOptions {
    RbvInverseMethod method;
    int32_t balance_count; /* Newton's equilibrium: number of named bodies. Verdicts follow from the equations of these
                              bodies alone, and the result holds only the reactions on them; 0: all bodies */
    const char *const *balance;
    int32_t reaction_count; /* virtual power: number of requested reactions; only these and the efforts are computed:
                               "joint.Fx", "constraint.effort", "joint", "body" (all joints of the body); 0: all */
    const char *const *reactions;
    RbvReactionBy by;                 /* how virtual power finds each requested reaction */
    const RbvGivenMotion *prescribed; /* pseudo-inverse only: a prescribed motion that replaces the motion of the
                                         drives. The result holds the reactions that belong to it and the forces left
                                         unbalanced along the remaining freedoms. NULL: none */
} RbvInverseOptions;

typedef struct RbvStaticsOptions {
    RbvStaticsMethod method;
    double damping; /* [1/s] relaxation: c in M v' = Q - c M v; NaN: chosen by the program */
    bool all;       /* also look for other equilibria, from many starting positions */
    bool locked;    /* rows on velocities (wheels, knife edges) hold the position too */
} RbvStaticsOptions;

/* simulate, track. */
typedef struct RbvMotionOptions {
    RbvMotionMethod method; /* simulate */
    double tolerance;       /* permitted error of the motion, relative to the size of each quantity; NaN: 1e-9 */
    bool every_step; /* simulate: each integration step is a sample; an instant with an event has two samples, before
                        and after the transition */
} RbvMotionOptions;

/* rbv_modes: how many modes, and the state-space model; no inputs and no outputs: none. */
typedef struct RbvModesOptions {
    int32_t count; /* modes of least frequency to be listed; 0: all */
    int32_t input_count, output_count;
    const char *const *inputs;  /* components of forces and torques "pull.Fx", forces of springs, efforts of drives
                                   (such a drive then no longer prescribes its coordinate) */
    const char *const *outputs; /* columns as those of inverse, including outputs of the model; none: all outputs of
                                   the model */
} RbvModesOptions;

/* Where samples are held and kept. */
typedef struct RbvSampleOptions {
    const char *folder; /* simulate, inverse, kinematics, track: folder of an unnamed, memory-mapped file that holds the
                           samples once they exceed `memory` bytes. All columns stay readable, fastest sample by sample.
                           NULL: all samples in memory */
    int64_t memory;     /* [bytes] size of the samples above which `folder` is used */
    const RbvKeeper *keeper; /* simulate: keeps samples and states from which the run can be resumed; inverse and
                                kinematics keep samples only (they cannot resume from a state); NULL: none */
} RbvSampleOptions;

/* Options of all analyses, then in groups. Names in messages are these: "statics.damping". */
/* rbv_size. A load case: a set of values of parameters (rbv_model_add_case), and its share of the time. */
typedef struct RbvSizingCase {
    const char *name;
    double share; /* > 0; shares are taken relative to their sum */
} RbvSizingCase;

typedef struct RbvSizingOptions {
    const char *analysis;          /* "inverse", "simulate", "track", "statics"; NULL: what suits the model */
    const RbvCatalogue *catalogue; /* motors and gears to choose from, for every drive that turns with its motor; NULL:
                                      none */
    double reserve;                /* factor on efforts against their limits, >= 1; default 1 */
    RbvSizingSort sort;
    int32_t case_count;
    const RbvSizingCase *cases; /* [case_count] load cases whose damages are summed; 0: the model as it is */
} RbvSizingOptions;

typedef struct RbvOptions {
    double from, to, step;         /* [s] NaN: from the model */
    const RbvRecording *recording; /* inverse, kinematics: recorded motion of all drives, replaces the drives' motions
                                      and from, to, step. Read once, while the analysis runs. NULL: none */
    const RbvStart *start; /* simulate, track, modes: initial state; replaces the poses and initial: of the model. Its
                              time is the start unless `from` is given. NULL: start from the model */
    bool start_at_equilibrium; /* inverse: start from the equilibrium that statics finds at `from`; positions that
                                  drives leave open, and the branch, come from this equilibrium instead of initial: */
    double penalty; /* statics by penalty or augmented: stiffness of each constraint row [N/m] (an angle counts as the
                       length at the arm of its part); inverse by penalty or augmented: alpha [kg] of a row of lengths,
                       of an angle times the arm squared; NaN: chosen by the program */
    RbvSystemOptions system; /* coordinates and spanning tree of the systems that statics and modes along a family
                                create; a single system keeps its own */
    bool scene; /* all but info: put the scene of the mechanism into the result (scene.h). If an analysis fails before
                   its first sample for a reason other than bad input, *result holds only a scene with the gaps left
                   open (rbv_result_is_bare) */
    int32_t threads; /* inverse, kinematics: on how many threads blocks of samples are computed at a time, up to 256; 0:
                        as many as this process may use processors. No number of a result depends on it */
    RbvReactionOptions reactions;
    RbvCheckOptions check;
    RbvAssemblyOptions assembly;
    RbvInverseOptions inverse;
    RbvStaticsOptions statics;
    RbvMotionOptions motion;
    RbvModesOptions modes;
    RbvSizingOptions sizing;
    RbvSampleOptions samples;
    /* Called often, also within samples, with the completed share, 0 to 1 (NaN: a recorded motion of unknown length).
     * Returning false stops the analysis with RBV_INTERRUPTED. May be NULL. */
    bool (*progress)(void *context, double share);
    void *context;
} RbvOptions;
RBV_API extern const RbvOptions rbv_options_default;

#ifdef __cplusplus
}
#endif
#endif
