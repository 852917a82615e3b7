/* Coefficients that give the multipliers of a joint's rows from the wrench of the joint. */
#ifndef RBV_SOLUTION_REACTION_WRENCH_PARTS_H
#define RBV_SOLUTION_REACTION_WRENCH_PARTS_H

/* part[rows] times a wrench of `width` numbers that is a combination of unit[rows] gives the multiplier of each row;
 * a unit wrench that is a combination of previous ones gets 0. Overwrites `unit`. */
void rbv_wrench_parts(int rows, int width, double unit[6][6], double part[6][6]);

#endif
