/* Trees that several C tests share, and plain positions of their bodies by formulas that the kernels do not use. */
#ifndef TEST_SUPPORT_TREES_H
#define TEST_SUPPORT_TREES_H

#include <roberval/tree.h>

#include "core/linalg/small.h"

/* Tables of bodies: names live as long as the program. KUKA iiwa 14: 7 bodies; PUMA 560: 6, with rotors, damping and
 * friction (that of positive rates) or without. */
void trees_iiwa14(RbvTreeBody bodies[7]);
void trees_puma560(RbvTreeBody bodies[6], bool motors);
/* `count` bodies with joints of all kinds in turn, random parents, frames, masses; with rotors, damping, friction; the
 * bodies of numbers 19 + 9k and 23 + 9k, where they are simple, mimic others. */
void trees_random(RbvTreeBody *bodies, int32_t count, uint64_t *seed);

/* count numbers, all 0, to be freed; the largest of some, whatever its sign. */
double *numbers(int64_t count);
double largest(const double *x, int64_t count);

/* A tree of a table under gravity 9.81 m/s^2 along -z; fails the test with the first message. */
RbvTree *trees_create(int32_t count, const RbvTreeBody *bodies);
RbvTreeWorkspace *trees_workspace(const RbvTree *tree,
                                  RbvTreeLanes lanes); /* one thread; NULL: this machine has not such lanes */

/* Random q (unit quaternions), v, a between -most and most. */
void trees_random_state(const RbvTree *tree, double most, uint64_t *seed, double *q, double *v, double *a);

/* The frames of all bodies in the ground's. */
typedef struct TreePose {
    RbvMat3 A;
    RbvVec3 p;
} TreePose;
void trees_poses(const RbvTree *tree, const double *q, TreePose *poses);

/* out = q moved by v; quaternions by their rotation vectors. */
void trees_move(const RbvTree *tree, const double *q, const double *v, double *out);

#endif
