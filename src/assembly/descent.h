/* One descent to Phi = 0: Levenberg-Marquardt on scaled rows with minimum-norm steps; what assemble.c starts from many
 * poses and approach_target.c along a way. */
#ifndef RBV_ASSEMBLY_DESCENT_H
#define RBV_ASSEMBLY_DESCENT_H

#include "assembly/assemble.h"

typedef struct RbvDescent {
    RbvState *state;
    const RbvSystem *system;
    RbvRidge *ridge;
    int32_t rows;    /* that position has to satisfy: the first so many */
    double *scale;   /* [size] of coordinates: 1 for lengths, one over the arm of their part for turns */
    double *weight;  /* [rows] an angle counts the arm of its part, a length 1, an equation what makes its gradient a
                        unit vector */
    double *shift;   /* [rows] what Phi is to be instead of zero */
    double *C, *phi; /* scaled; phi without the shift */
    double *step, *q, *start, *best; /* [size]; [position_size] scratch, where the search began, the nearest so far */
    double *predicted;               /* [size] the movement that approach_target.c expects of a step */
    RbvMeasureMemory *memory, *raw;  /* [measures] turns as chosen for the search; as the state had them at creation */
} RbvDescent;

/* False: no memory; to be destroyed all the same. */
bool rbv_descent_create(RbvDescent *d, RbvState *state);
void rbv_descent_destroy(RbvDescent *d);
/* Take the first `rows` rows. False: no memory. */
bool rbv_descent_take_rows(RbvDescent *d, int32_t rows);
/* Weights of the rows for the q in state. */
void rbv_descent_weigh(RbvDescent *d);
/* From the q in state to the least error. Returns the largest error reached: of each row what is more than rounding
 * of its points' coordinates, over the arm of its part, whose size is measured where the descent has come to; NaN
 * when the start is not finite. */
double rbv_descend(RbvDescent *d);
/* With a first ridge mu [of the arm squared]: a small one where what is sought is known to be near. */
double rbv_descend_with(RbvDescent *d, double mu);
/* At most `most` steps of Newton from the q in state until the error is below `enough`. Returns the error as above. */
double rbv_descent_correct(RbvDescent *d, int most, double enough);
/* The error of the placed state, as above. */
double rbv_descent_error(RbvDescent *d);
/* That of row k alone, where a descent has ended; not above 0 where rounding explains it. */
double rbv_descent_row_error(const RbvDescent *d, int32_t k);
/* A nearer place beside one that is within the tolerance, where there is one (beside.c). False: no memory. */
bool rbv_descend_beside(RbvDescent *d);
/* Is the error where the descent ended stationary, C^T phi = 0? Else there are nearer places. */
bool rbv_descent_is_stationary(RbvDescent *d);
/* Uniform in -1 ... 1; *seed, not 0, goes on. */
double rbv_unit_random(uint64_t *seed);
/* Keep and bring back the memory of turns; take that of the starting poses. */
void rbv_descent_keep_turns(RbvDescent *d);
void rbv_descent_restore_turns(RbvDescent *d);
void rbv_descent_raw_turns(RbvDescent *d);

/* approach_target.c: from a placed state whose rows all hold but for what drives ask now: their residuals go to zero
 * evenly, in steps small enough to stay on the branch, turns being counted. False: it does not get there (a dead
 * centre, the end of the reach), and the state is anywhere. */
bool rbv_approach_target(RbvDescent *d);
/* Do relations between several coordinates depend on whole turns: gears, racks, belts, screws, equations of angles? */
bool rbv_counts_turns(const RbvSystem *system);

#endif
