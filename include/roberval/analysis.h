/* Analyses: one question each to a compiled system, answered by a result. */
#ifndef ROBERVAL_ANALYSIS_H
#define ROBERVAL_ANALYSIS_H

#include <roberval/recording.h>
#include <roberval/result.h>
#include <roberval/system.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RbvFrame {
    RBV_FRAME_JOINT, /* reactions in the axes of the joint's first marker */
    RBV_FRAME_GROUND
} RbvFrame;

typedef enum RbvInverseMethod {
    RBV_METHOD_TWO_STEP, /* C v' = gamma, then C^T lambda = Q - M v' */
    RBV_METHOD_LAGRANGE, /* [M C^T; C 0] [v'; lambda] = [Q; gamma] in one */
    RBV_METHOD_NEWTON,   /* equilibrium of bodies: six unknowns for each joint, and an equation for each direction it
                            leaves free */
    RBV_METHOD_PENALTY,  /* (M + D^T alpha D) a = Q + D^T alpha gamma, lambda = alpha (D a - gamma), over all rows; what
                            that is off by is estimated and told */
    RBV_METHOD_AUGMENTED, /* the same with lambda taken over in rounds until it settles: of least sum lambda^2/alpha */
    RBV_METHOD_VIRTUAL_POWER, /* lambda_k = q*^T (Q - M v'), C q* = e_k: each by a virtual motion */
    RBV_METHOD_RECURSIVE, /* forces summed up from the ends of a spanning tree to ground; what closes loops, and drives,
                             by virtual power */
    RBV_METHOD_PSEUDO_INVERSE /* C^T lambda = Q - M v' of least norm by singular values, of all rows, whatever their
                                 number and rank: also of a motion that is given (given) */
} RbvInverseMethod;

/* How virtual power finds a reaction that is asked for. */
typedef enum RbvReactionBy {
    RBV_BY_CUT,        /* the joint is cut in this component: one motion */
    RBV_BY_CONSTRAINT, /* each row of the joint is varied, and the component is a sum of their multipliers */
    RBV_BY_BODY /* natural coordinates: a body at the joint is taken out of its rigid rows, and its equations tell what
                   acts on it at the points and vectors that it shares */
} RbvReactionBy;

/* How it is decided which reactions are unique: the criteria of Wojtyra and Fraczek (docs/theory.md). All agree; the
 * default chooses by size and safety. */
typedef enum RbvCriterion {
    RBV_CRITERION_DEFAULT, /* singular values of small blocks, exact arithmetic where they are doubtful, sparse probing
                              of large blocks */
    RBV_CRITERION_RANKS,   /* ranks of C with and without the reaction */
    RBV_CRITERION_SVD,     /* left singular vectors */
    RBV_CRITERION_QR       /* last columns of Q of a column-pivoted QR */
} RbvCriterion;

/* What is printed where the rigid model leaves a reaction open. The motion and all that is unique do not depend on it.
 */
typedef enum RbvRedundant {
    RBV_REDUNDANT_DEFAULT,   /* compliances where joints have some, the rest of least norm */
    RBV_REDUNDANT_MIN_NORM,  /* least sum |F|^2 + |T|^2/L^2 */
    RBV_REDUNDANT_ELIMINATE, /* the components named are zero, the rest of least norm */
    RBV_REDUNDANT_COMPLIANCE /* as the default, but at least one joint must have a compliance */
} RbvRedundant;

/* How an equilibrium is looked for. */
typedef enum RbvStaticsMethod {
    RBV_STATICS_DEFAULT,       /* energy; lagrange where some load has no energy */
    RBV_STATICS_ENERGY,        /* constrained minimisation of the potential energy: minima only, from any start */
    RBV_STATICS_LAGRANGE,      /* Newton on position and multipliers: stable and unstable equilibria near the start */
    RBV_STATICS_PENALTY,       /* constraints as stiff springs, multipliers from their stretch */
    RBV_STATICS_AUGMENTED,     /* the same, the multipliers corrected by the stretch until it vanishes (augmented
                                  Lagrangian) */
    RBV_STATICS_VIRTUAL_POWER, /* Newton on R^T Q = 0 in independent coordinates */
    RBV_STATICS_RELAXATION     /* damped motion until nothing moves */
} RbvStaticsMethod;

/* How motion from forces is integrated. AUTO: explicit, and implicit from where the steps are bounded by stability. */
typedef enum RbvMotionMethod { RBV_MOTION_AUTO, RBV_MOTION_EXPLICIT, RBV_MOTION_IMPLICIT } RbvMotionMethod;

/* The root of the mass matrix that B = A S^-T is written with. */
typedef enum RbvUdwadiaForm { RBV_UDWADIA_NONE, RBV_UDWADIA_SYMMETRIC, RBV_UDWADIA_CHOLESKY } RbvUdwadiaForm;

typedef struct RbvOptions {
    RbvFrame frame;
    RbvInverseMethod method;
    int32_t balance_count; /* inverse by Newton's equilibrium: bodies by name. Verdicts are what their equations alone
                              determine, and only what acts on them is in the result; 0: all of the mechanism */
    const char *const *balance;
    int32_t reaction_count; /* inverse, virtual power: these reactions and the efforts alone: "joint.Fx",
                               "constraint.effort", "joint", "body" (all joints of it); 0: all */
    const char *const *reactions;
    RbvReactionBy by; /* and how */
    RbvCriterion criterion;
    RbvRedundant redundant;
    int32_t eliminated_count; /* ELIMINATE: components "joint.Fx" in the axes of `frame`, at most as many as there are
                                 redundant rows */
    const char *const *eliminated;
    bool along_motion; /* check: decide at every sample of the motion, not only at `from` */
    RbvStaticsMethod statics;
    double damping; /* [1/s] statics by relaxation: c in M v' = Q - c M v; NaN: chosen by the program */
    double penalty; /* [N/m] statics by penalty or augmented: stiffness of each constraint row (angles as lengths on the
                       arm of their part); [kg] inverse by these: alpha of a row of lengths, of an angle times that arm
                       squared; NaN: chosen by the program */
    double norm_length;          /* [m] L of the least norm; NaN: the size of each redundant block */
    bool all;                    /* statics: look for other equilibria, too, from many starts */
    bool locked;                 /* statics: rows on rates (wheels, knife edges) hold the position, too */
    const RbvGivenMotion *given; /* inverse: this motion, as it stands there, instead of that of drives: which reactions
                                    belong to it, and what forces have too much of along the freedoms that are left; by
                                    the pseudo-inverse alone. NULL: none */
    bool start_at_equilibrium; /* inverse: begin in the equilibrium that statics finds at `from`; positions that drives
                                  leave open, and the branch, come from there, not from initial: */
    const RbvStart *start; /* simulate, track, modes: begin in this state, at its time unless `from` is given, instead
                              of at the poses and initial:; NULL: do not */
    int32_t input_count, output_count; /* modes: of a state-space model; both 0: none is wanted */
    const char *const *inputs;  /* components of forces and torques "pull.Fx", forces of springs, drives: their efforts,
                                   so that they no longer hold their coordinates */
    const char *const *outputs; /* columns as those of inverse, outputs among them; none: all outputs of the model */
    RbvMotionMethod motion;
    double tolerance; /* simulate, track: what the motion may be off by, of the size of each quantity; NaN: 1e-9 */
    bool every_step;  /* simulate: every step of the integration is a sample, and of an instant at which something
                         happens both sides */
    RbvCoordinatesChoice coordinates; /* statics and modes along a family: those of its systems; a system has its own */
    RbvTreeChoice tree;               /* likewise (rbv_system_create_on_tree) */
    bool multipliers; /* inverse, statics in natural coordinates: a table of multipliers, and those of rigid rows as
                         columns, as the forces they stand for */
    RbvUdwadiaForm
        udwadia;      /* assemble: Udwadia's equation at the state, with all its vectors and matrices, in result.json */
    bool null_space;  /* assemble: R with v = R z' over the independent coordinates z, and dR/dz */
    bool load_forces; /* assemble: potential and generalized force of each weight and load, over the numbers of v */
    double from, to, step; /* [s] NaN: as the model says */
    bool scene;            /* all but info: what the mechanism looks like is put into the result (scene.h). Where an
                            * analysis fails before its first sample for another reason than bad input, *result then
                            * holds nothing but a scene, with what is left open (rbv_result_is_bare) */
    const RbvRecording *recording; /* inverse, kinematics: what the drives do, and when, instead of their motions and
                                      from, to, step; NULL: none. It is read as the analysis goes on, once */
    const RbvKeeper *keeper; /* simulate; of inverse and kinematics, which cannot go on from a state, the samples alone;
                                NULL: nobody */
    const char
        *rows_folder; /* simulate, inverse, kinematics, track: samples of more than rows_memory bytes are held in a file
                         without a name in this folder, mapped, so that they take no memory; every column is */
    int64_t rows_memory; /* still there for the caller, read fastest sample by sample. NULL: all samples are held in
                            memory */
    /* Called often, within samples too, with the share done, 0 to 1 (NaN: of a recorded motion that does not know its
     * length); returning false stops the analysis with RBV_INTERRUPTED. May be NULL. */
    bool (*progress)(void *context, double share);
    void *context;
} RbvOptions;
RBV_API RbvOptions rbv_options_default(void);

/* The name of the analysis that tells most about the system, for its page: "track" where a motion is required,
 * "inverse" (without masses "kinematics") where all of a motion is driven, "simulate" where freedoms are left,
 * "statics" of what is loaded and has no motion:, else "check", also where the mechanism does not assemble. *name is
 * a constant. NO_MEMORY, INTERRUPTED. */
RBV_API RbvStatus rbv_analysis_choose(const RbvSystem *system, const RbvOptions *options, const char **name);

/* Each returns RBV_OK and a new *result; on other statuses *result is NULL, or, when samples were done before it went
 * wrong (LOCKED, INCONSISTENT, NOT_FINITE, INTERRUPTED), holds them. The reason stands in diagnostics. What a reader
 * of the numbers must know stands in the result itself, in its tables and its JSON: notes of reading and compiling
 * the model, kept with it, and notes and warnings of this analysis, each once, with diagnostics NULL, too. The system
 * is not changed; analyses of one system may run on several threads. `options` NULL: the defaults. */

/* What is in the model: bodies with masses, centroids, moments of inertia, joints, drives, loads, parameters, tables,
 * files, its size. Nothing is assembled; `options` may be NULL. */
RBV_API RbvStatus rbv_info(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                           RbvResult **result);
/* Mobility, redundancy and the verdict of every reaction at the assembled state at `from`. */
RBV_API RbvStatus rbv_check(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result);
/* The state at `from` (0 without motion:): poses and rates of all bodies, coordinates of joints, what is left of each
 * joint, constraint and drive, and what the starting poses alone decide. One sample. The motion need not be driven.
 * NOT_ASSEMBLED, INCONSISTENT, BAD_INPUT (initial conditions): said why. */
RBV_API RbvStatus rbv_assembly(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                               RbvResult **result);
/* Positions, velocities and accelerations along the motion; needs no masses. */
RBV_API RbvStatus rbv_kinematics(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                 RbvResult **result);
/* Drive efforts and reactions along the motion. AUDIT_FAILED: the numbers did not satisfy the laws of mechanics.
 * BAD_INPUT: also of a constraint that does work (rbv_model_add_nonideal); rbv_statics likewise. */
RBV_API RbvStatus rbv_inverse(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                              RbvResult **result);
/* Motion from forces: from initial conditions, completed to the nearest, through time, with reactions, verdicts and
 * the balance of energy. LOCKED, INCONSISTENT, NOT_FINITE: it cannot go on, said why. AUDIT_FAILED: the numbers did
 * not satisfy the laws of mechanics, or the balance of energy. */
RBV_API RbvStatus rbv_simulate(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                               RbvResult **result);
/* As rbv_simulate, with control that makes the system obey what rbv_model_require asks for: efforts of the actuators,
 * or, without any, a control force on every coordinate, of least norm in the inverse of the mass matrix. BAD_INPUT:
 * nothing is required, or the model has what this does not follow; INCONSISTENT: a requirement cannot be met, or the
 * start does not fit one; said which, and when. */
RBV_API RbvStatus rbv_track(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result);
/* Small motions about the state at `from` (0 without motion:), or where it rests (start_at_equilibrium): eigenvalues
 * of the linearised motion, with frequencies, damping and shapes, in the result. At a state that moves, or whose
 * forces do not balance, those of the matrices as they are there. LOCKED: a singular position, or a free motion
 * without mass; BAD_INPUT: too large. */
RBV_API RbvStatus rbv_modes(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvResult **result);
/* The same along a parameter: so many places between its ends, each a sample with the roots as columns; where one
 * crosses to the unstable side, and back, is in the result. Statuses of rbv_modes; *result holds the places so far. */
RBV_API RbvStatus rbv_modes_follow(const RbvFamily *family, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                   RbvResult **result);
/* The equilibrium with the drives held at `from` (0 without motion:), its stability, and the reactions. One sample.
 * NO_EQUILIBRIUM: said why, and *result is NULL. INTERRUPTED while others are looked for (`all`): *result holds what
 * was found. Of a system in natural coordinates it is looked for in these, and judged as bodies. */
RBV_API RbvStatus rbv_statics(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                              RbvResult **result);

/* Which values of a parameter friction can hold, at the place where the machine stands: the starting poses,
 * assembled, with the drives held at `from`. Friction is no larger than its static coefficient times the load on its
 * faces; loads are linear in the parameter. The system is given other values of it meanwhile, and is as it was
 * afterwards (rbv_system_set_parameters). In the result: the least and the largest value, or that there is none.
 * NO_EQUILIBRIUM: it holds at no value. For a system in absolute coordinates; another one has a absolute system of the
 * same model, so that its parameters keep their values: BAD_INPUT. */
RBV_API RbvStatus rbv_statics_hold(RbvSystem *system, const char *parameter, const RbvOptions *options,
                                   RbvDiagnostics *diagnostics, RbvResult **result);

/* The same along a parameter: from the equilibrium at family->from (found by the method of the options) by arc length
 * through folds to family->to. One sample per place, column 0 is the parameter; folds, snap-throughs and bifurcations
 * are in the result. NO_EQUILIBRIUM on the way, INTERRUPTED: *result holds the places so far. The options `all` and
 * `locked` and the penalty method do not go with it: BAD_INPUT. It is walked in the `coordinates` of the options. */
RBV_API RbvStatus rbv_statics_follow(const RbvFamily *family, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                     RbvResult **result);

#ifdef __cplusplus
}
#endif
#endif
