/* One descent to Phi = 0: Levenberg-Marquardt on scaled rows with minimum-norm steps. assemble.c and restarts.c start
 * it from many poses, approach_target.c uses it along a path. */
#ifndef RBV_SOLUTION_ASSEMBLY_DESCENT_H
#define RBV_SOLUTION_ASSEMBLY_DESCENT_H

#include "solution/assembly/assemble.h"

typedef struct RbvDescent {
    RbvArena arena; /* of all arrays but scale */
    RbvState *state;
    const RbvSystem *system;
    RbvRidge *ridge;
    int32_t rows;   /* the first `rows` rows are to be satisfied */
    double *scale;  /* [size] scale of coordinates: 1 for lengths, 1/arm of the part for rotations */
    double *weight; /* [rows] weight of a row: the part's arm for an angle, 1 for a length, for an equation one over the
                       norm of its scaled gradient */
    double *shift;  /* [rows] value that Phi is to have instead of zero */
    double *C, *phi; /* scaled C, and scaled Phi minus shift */
    double *step, *q, *start,
        *best; /* step: [size]; q: workspace, start: first pose, best: nearest pose so far, [position_size] each */
    double *predicted;              /* [size] movement that approach_target.c predicts for a step */
    RbvMeasureMemory *memory, *raw; /* [measures] turns chosen for the search; turns of the state at creation */
} RbvDescent;

/* False if out of memory; to be destroyed in any case. */
bool rbv_descent_create(RbvDescent *d, RbvState *state);
void rbv_descent_destroy(RbvDescent *d);
/* Selects the first `rows` rows. Their factors are made by the first step that needs them; if memory lacks for them,
 * the state's no_memory is set and a descent ends where it is. */
void rbv_descent_take_rows(RbvDescent *d, int32_t rows);
/* Computes the weights of the rows at the q of the state. */
void rbv_descent_weigh(RbvDescent *d);
/* Descends from the q of the state to the least error. Returns the largest error of a row beyond the rounding of its
 * points' coordinates, relative to the arm of its part as measured at the final position; NaN if the start is not
 * finite. */
double rbv_descend(RbvDescent *d);
/* At most `most` Newton steps from the q of the state until the error is below `enough`. Returns the error as
 * rbv_descend. */
double rbv_descent_correct(RbvDescent *d, int most, double enough);
/* The error of row k alone, where a descent has ended; not above 0 if rounding explains it. */
double rbv_descent_row_error(const RbvDescent *d, int32_t k);
/* Looks for a position with much smaller error beside one within the tolerance, and takes it if found (descent.c).
 * False if out of memory. */
bool rbv_descend_beside(RbvDescent *d);
/* True if the error is stationary where the descent ended, C^T phi = 0; else there are positions with smaller error. */
bool rbv_descent_is_stationary(RbvDescent *d);
/* Random number, uniform in -1 ... 1; *seed, not 0, is advanced. */
double rbv_unit_random(uint64_t *seed);
/* Save and restore the memory of turns; restore that of the creation of d. */
void rbv_descent_keep_turns(RbvDescent *d);
void rbv_descent_restore_turns(RbvDescent *d);
void rbv_descent_raw_turns(RbvDescent *d);

/* From evaluated positions where all rows but those of drives and initial conditions are satisfied: reduces the
 * residuals to zero proportionally, in steps small enough to stay on the branch, counting turns (approach_target.c).
 * False: it does not arrive (a dead centre, the end of the reach), and the state is undefined. */
bool rbv_approach_target(RbvDescent *d);
/* True if relations between several coordinates depend on whole turns: gears, racks, belts, screws, equations of
 * angles. */
bool rbv_counts_turns(const RbvSystem *system);

/* Descents from the starting poses, from bodies placed along the joints, and from poses turned and moved at random with
 * increasing amplitude, until all rows are satisfied (restarts.c). Starts from the q and turns of d, whose rows are
 * weighed. Parts of the mechanism that one descent has closed are not moved by the next. assembly->restarts, ->error:
 * of the position found. NOT_ASSEMBLED, INCONSISTENT (rows that contradict each other at any position), NOT_FINITE:
 * explained in diagnostics; NO_MEMORY, INTERRUPTED. */
RbvStatus rbv_assemble_from_other_poses(RbvDescent *d, RbvDiagnostics *diagnostics, RbvAssembly *assembly);

#endif
