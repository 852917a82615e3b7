/* Tolerances that are the same in all rooms: relative numbers [1] to be multiplied by the size of what is compared.
 * A tolerance is named by the error that it stands for, so equal errors have one name: eps = DBL_EPSILON = 2.2e-16 from
 * rounding, or the digits that users write and results promise. Each is a power of ten, as none is known better. What
 * is the step, the ridge or the weight of one method stays with that method. docs/decisions/0064-tolerances.md */
#ifndef RBV_CORE_BASE_TOLERANCES_H
#define RBV_CORE_BASE_TOLERANCES_H

/* ---- of rounding, from eps ---- */

/* 5 eps: some operations one after the other. An iteration whose next change is below it cannot do better. */
#define RBV_EXACT 1e-15
/* 45 eps: a sum of some ten terms. */
#define RBV_SUM_EXACT 1e-14
/* 450 eps: sums of sums, as of the entries of a matrix or of the terms of a row. Smaller parts of the largest term have
 * no digit. */
#define RBV_ROUNDING 1e-13
/* 4500 eps: terms that cancel, or numbers that a well conditioned system was solved for. A smaller part of these is
 * zero. */
#define RBV_CANCELLED 1e-12
/* 45 000 eps: numbers from programs and iterations that lose some digits by their condition. */
#define RBV_SOLVED 1e-11
/* Root of eps, 1.5e-8: where a function is flat, as at a double zero or a singular position, its argument is known to
 * no more. */
#define RBV_ROOT_EPS 1e-8
/* The square of a smaller SI number would not be a normal double. */
#define RBV_UNDERFLOW 1e-140

/* ---- of data and results ---- */

/* The ten digits with which users write lengths. */
#define RBV_DATA 1e-10
/* The nine digits to which results agree (docs/results.md). Numbers that differ by less are the same; a gap below this
 * part of the size is closed. Far above rounding, and above what the ten digits of data leave. */
#define RBV_SAME 1e-9
/* Errors of data, 1e-10, over the singular values of mechanisms that still make sense, 1e-3: what may remain of a
 * balance or of redundant rows. */
#define RBV_BALANCED 1e-7
/* The seven digits with which most users write numbers: two statements about one thing agree if they differ by less.
 * The root of RBV_CANCELLED, too: what singular values of 1e-6 amplify rounding to. */
#define RBV_FITS 1e-6
/* A thousandth, the width of a line in a plot: a larger error is seen, and a value with it is unsure. */
#define RBV_NOTICEABLE 1e-3
/* Least scale, as a part of the machine's (for rates of 1 rad/s): what is smaller or slower is compared with this. */
#define RBV_LEAST_SCALE 1e-3

#endif
