/* Assembly: positions and velocities that satisfy joints, constraints, drives and initial conditions at a time.
 *
 * Levenberg-Marquardt on the scaled rows from the starting poses, with minimum-norm steps, so that redundant rows and
 * missing conditions do no harm; then from poses turned and moved at random, with increasing amplitude, a bounded
 * number of times. Each part of the mechanism (sizes.c) has its own length: a row's error is a length [m], and a
 * coordinate of rotation counts the part's arm times its angle. */
#ifndef RBV_SOLUTION_ASSEMBLY_ASSEMBLE_H
#define RBV_SOLUTION_ASSEMBLY_ASSEMBLE_H

#include "core/solve/least_squares.h"
#include "mechanics/system/system.h"

/* Largest error of an assembled mechanism, relative to the arm of its part: what lengths written with ten digits can
 * leave in redundant rows. */
#define RBV_ASSEMBLY_TOLERANCE 1e-9

typedef struct RbvAssembly {
    bool driven;   /* in: all freedoms will be driven, so missing initial conditions are not noted */
    bool may_slip; /* in: drives with limits (max:) may begin apart from their motions, where initial conditions require
                      it */
    int32_t restarts; /* number of random starts */
    double error;     /* largest row error relative to the arm of its part */
} RbvAssembly;

/* Assembles the state at time t: q (and memory) with Phi = 0, v with C v = nu; freedoms without a condition are
 * completed by the state nearest to the start (reported in a note). NOT_ASSEMBLED, INCONSISTENT, BAD_INPUT (initial
 * conditions), NOT_FINITE, NO_MEMORY: explained in diagnostics; INTERRUPTED. */
RbvStatus rbv_assemble(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly);
/* Assembles the positions alone; statuses of rbv_assemble. */
RbvStatus rbv_assemble_position(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly);

/* Solves C v = nu with the initial rates for v; of least scaled norm in freedoms without a condition
 * (assemble_velocity.c). scale[size]: rbv_state_column_scales. */
RbvStatus rbv_assemble_velocity(RbvState *state, const double *scale, RbvDiagnostics *diagnostics);

/* Checks that each initial condition on positions (rate = 0) or rates (1) takes a freedom that joints, constraints,
 * drives and earlier conditions leave at the state. Excepted are rates that choose among the solutions of equations not
 * linear in the rates. Freedoms that no condition takes are noted, unless `silent`. BAD_INPUT: a condition takes no
 * freedom, reported with `words` (NULL: not reported); NO_MEMORY (freedom_checks.c). */
RbvStatus rbv_check_initial(RbvState *state, int rate, bool silent, const char *words, RbvDiagnostics *diagnostics);
#define RBV_ONE_TOO_MANY "is one too many: joints, drives and the conditions before it already decide it"

/* Describes the row whose measure has no gradient at the evaluated positions; false if all have one. */
bool rbv_describe_singular(const RbvState *state, char *text, size_t size);

/* Places the bodies from ground outward along the joints, with drives and initial conditions at their values
 * (restarts.c). False if out of memory. */
bool rbv_place_along_joints(RbvState *state);

/* Sets v to rates at which equations on rates can be linearized: rest, or each body moving along its own x. Evaluates
 * the positions. */
void rbv_start_rates(RbvState *state);

/* q = from[position_size], every body turned by up to `turn` [rad] (in space each component up to turn/1.7) and moved
 * in each direction by up to `move` times the size of its part, at random, with a random sequence per body name; *seed,
 * not 0, is advanced. step[size]: workspace. */
void rbv_shake(RbvState *state, const double *from, double turn, double move, uint64_t *seed, double *step);

/* Chooses the whole turns of measures for the q of the state, and of the rows that lock an angle (approach_target.c).
 */
void rbv_choose_turns(RbvState *state);
/* Chooses the whole turns of the rows that lock an angle alone: other angles count from the starting poses. */
void rbv_hold_turns(RbvState *state);
/* True if wheels of the plane can have moved between two states, with evaluated positions, while in mesh: the lines of
 * centres on one carrier have then made the same whole turns, those on ground none. A start far from any assembly may
 * move one wheel round another: the machine then looks well assembled, but its phases are not those of the starting
 * poses. */
bool rbv_turns_fit(const RbvState *from, const RbvState *to);

/* Notes joints whose axes must be square and are parallel in the starting poses. */
void rbv_note_parallel_axes(const RbvModel *model, RbvDiagnostics *diagnostics);
/* Notes about the way from start[position_size] to the state: bodies turned over, other branches (assembly_messages.c).
 * step[size]: workspace. */
void rbv_note_branch(const RbvState *state, const double *start, double *step, const RbvAssembly *assembly,
                     RbvDiagnostics *diagnostics);

/* Finds the loop of joints that does not close at the state of least gaps: its joints in order into loop[joints];
 * returns how many, 0: no such loop, -1: out of memory. *missing (may be NULL): missing length [m]
 * (assembly_messages.c).
 */
int32_t rbv_find_loop(const RbvState *state, int32_t *loop, double *missing);
/* Describes the loop of joints that does not close at the state of least gaps and its missing length; "" if there is
 * none (assembly_messages.c). False if out of memory. */
bool rbv_describe_loop(const RbvState *state, char *text, size_t size);

/* Describes the gaps of joints, constraints and drives at the state, largest first, as one line: "A 0.1 m, slide 0.02
 * rad". False if out of memory. */
bool rbv_describe_gaps(const RbvState *state, char *text, size_t size);

/* Residual of one joint, constraint, drive or initial condition: root of the sum of squares over its rows. The residual
 * of an equation is in the equation's own unit, listed as a length. */
typedef struct RbvResidual {
    int32_t row;                    /* the first of the item's rows */
    const char *name;               /* name of the item in the model */
    double length, angle;           /* Phi [m], [rad] */
    double length_rate, angle_rate; /* C v - nu [m/s], [rad/s] */
    double size;   /* the larger of the residuals of positions and of rates, with the arm as length per radian */
    double speed;  /* [m/s] the largest sum of |C v| and |nu| of the rows whose rates are compared */
    bool rounding; /* satisfied within rounding: size has no meaning */
} RbvResidual;

/* Residuals of all rows on positions, and with `rates` also of rates, at a state with evaluated positions (and C, nu
 * and v): list[all_count], largest first; equal ones, and those within rounding, in the order of names. Returns how
 * many. */
int32_t rbv_residuals(const RbvState *state, bool rates, RbvResidual *list);

#endif
