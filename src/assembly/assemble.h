/* Assembly: a position, and a velocity, that satisfy joints, constraints, drives and initial conditions at a time.
 *
 * Levenberg-Marquardt on the scaled rows from the starting poses, with minimum-norm steps, so that redundant rows and
 * missing conditions do no harm; then from poses turned and moved at random, more and more, a bounded number of times.
 * Each part of the mechanism (sizes.c) has its own length: a row's error is a length [m], a coordinate of rotation
 * counts the part's arm times its angle.
 */
#ifndef RBV_ASSEMBLY_ASSEMBLE_H
#define RBV_ASSEMBLY_ASSEMBLE_H

#include "solve/ridge.h"
#include "system/system.h"

/* The largest error of an assembled mechanism, over the arm of its part: what lengths written with ten digits can leave
 * in redundant rows. */
#define RBV_ASSEMBLY_TOLERANCE 1e-9

typedef struct RbvAssembly {
    bool driven;   /* in: all freedom is to be driven, so nothing is said of missing initial conditions */
    bool may_slip; /* in: drives with limits (max:) may begin behind their motions, where initial conditions say so */
    int32_t restarts; /* random starts that were needed */
    double error;     /* largest row error over the arm of its part */
} RbvAssembly;

/* state at time t: q (and memory) so that Phi = 0, v so that C v = nu, completed where nothing decides by the state
 * nearest to the start (said in a note). NOT_ASSEMBLED, INCONSISTENT, BAD_INPUT (initial conditions), NOT_FINITE,
 * NO_MEMORY: explained in diagnostics; INTERRUPTED. */
RbvStatus rbv_assemble(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly);
/* The position alone. */
RbvStatus rbv_assemble_position(RbvState *state, double t, RbvDiagnostics *diagnostics, RbvAssembly *assembly);

/* v so that C v = nu with the initial rates, of least scaled norm where nothing decides (assemble_velocity.c).
 * scale[size]: rbv_state_column_scales. */
RbvStatus rbv_assemble_velocity(RbvState *state, const double *scale, RbvDiagnostics *diagnostics);

/* Each initial condition on positions (rate = 0) or rates (1) must take a freedom that joints, constraints, drives
 * and earlier conditions leave at the state, but for rates that choose among the solutions of equations not linear in
 * them. What no condition takes is noted, unless `silent`. BAD_INPUT: one takes none, said with `words` (NULL: not
 * said); NO_MEMORY (initial.c). */
RbvStatus rbv_check_initial(RbvState *state, int rate, bool silent, const char *words, RbvDiagnostics *diagnostics);
#define RBV_ONE_TOO_MANY "is one too many: joints, drives and the conditions before it already decide it"

/* What is wrong with the row whose measure has no gradient at the placed state; false when all have one. */
bool rbv_describe_singular(const RbvState *state, char *text, size_t size);

/* q from ground outwards along the joints, with drives and initial conditions at their targets (assemble_along.c).
 * False: no memory. */
bool rbv_place_along_joints(RbvState *state);

/* Rates from which equations on rates can be linearized: rest, or each body along its own x. */
void rbv_start_rates(RbvState *state);

/* q = from[position_size], every body turned by up to `turn` [rad] (in space about the norm of three such numbers
 * over 1.7) and moved by up to `move` times the size of its part each way, at random, by numbers of its name; *seed,
 * not 0, goes on. step[size]: scratch. */
void rbv_shake(RbvState *state, const double *from, double turn, double move, uint64_t *seed, double *step);

/* Memories of turns for the q in state, and whole turns of the rows that hold an angle (assemble_turns.c). */
void rbv_choose_turns(RbvState *state);
/* The latter alone: angles count from the starting poses. */
void rbv_hold_turns(RbvState *state);
/* Could wheels of the plane have come from one placed state to another and stayed in mesh? The lines of centres on
 * one carrier have made the same whole turns then, those on ground none. A start that is far from any assembly may
 * lead one wheel round another: the machine looks as well assembled, but its phases are not those of the starting
 * poses. */
bool rbv_turns_fit(const RbvState *from, const RbvState *to);

/* Joints whose axes must be square and are parallel in the starting poses. */
void rbv_note_parallel_axes(const RbvModel *model, RbvDiagnostics *diagnostics);
/* What a reader should know of the way from start[position_size] to the state: bodies turned over, other branches
 * (assemble_words.c). step[size]: scratch. */
void rbv_note_branch(const RbvState *state, const double *start, double *step, const RbvAssembly *assembly,
                     RbvDiagnostics *diagnostics);

/* The joints of the loop that does not close at the state of least gaps, into loop[joints], in order; how many, 0:
 * there is none, -1: no memory. *lacks (may be NULL): by how much it is too short [m] (loop.c). */
int32_t rbv_find_loop(const RbvState *state, int32_t *loop, double *lacks);
/* Which loop of joints does not close at the state of least gaps, and what its reach lacks; "" when it is none
 * (loop.c). False: no memory. */
bool rbv_describe_loop(const RbvState *state, char *text, size_t size);

/* The gaps of all joints, constraints and drives at the state, largest first, as one line of text: "A 0.1 m, slide 0.02
 * rad". False: no memory. */
bool rbv_describe_gaps(const RbvState *state, char *text, size_t size);

#endif
