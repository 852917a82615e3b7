/* The problem of contact, in forces or in impulses (docs/theory.md, Contact):
 *
 *   w = A p + b,   A symmetric positive semidefinite
 *   cone   p_k in K, w_k in K, p_k.w_k = 0            K: p >= 0, or second-order cone (l, f) with |f| <= l
 *   disc   |p_k| <= r_k(p),   p_k = -r_k w_k/|w_k| where w_k is not 0
 *
 * p_k and w_k are the numbers of member k. In impacts p are impulses and w rates: cones of one number are contacts with
 * their gap rates, discs are friction contacts with their slip velocities (restitution.c). At rest p are forces and w
 * accelerations (impact.c, sliding.c). In quadratic programs p are multipliers of limits and w what is left to them
 * (shares.c, control/tracking.c). The units of p_i w_i are the same for all i. */
#ifndef RBV_DYNAMICS_CONTACT_COMPLEMENTARITY_H
#define RBV_DYNAMICS_CONTACT_COMPLEMENTARITY_H

#include <stdbool.h>
#include <stdint.h>

/* Most numbers of a member. */
#define RBV_CONE_MOST 4

/* One member. */
typedef struct RbvCone {
    int32_t first; /* its first number in p and w */
    int size;      /* 1 to RBV_CONE_MOST */
    bool disc;     /* a disc, else a cone: of the numbers (l, f), or of p >= 0 alone */
    double radius; /* disc: r, 0 or more; times load() if there is one */
    bool acts;     /* set: cone: p may be positive; disc: w = 0 */
} RbvCone;

typedef struct RbvComplementarity {
    int32_t size, count;  /* number of unknowns p, and of members */
    RbvCone *cone;        /* [count] members; together they have all unknowns */
    const double *A, *b;  /* [size][size], [size] */
    const double *weight; /* [size] weights of p in the norm that chooses between equally valid p, in the units of A;
                             equal within a member; NULL: the largest diagonal entry of the member */
    /* Normal load N of disc k, r = radius N(p), and its gradient slope[size]; NULL: r = radius. */
    double (*load)(const void *context, int32_t k, const double *p, double *slope);
    const void *context;
    double *p, *w; /* [size] p: initial value, then the solution; w at the solution */
    double *work;  /* [RBV_COMPLEMENTARITY_WORK(size)] workspace */
} RbvComplementarity;

/* Length of the workspace for `size` unknowns. */
#define RBV_COMPLEMENTARITY_WORK(size) ((size_t)(size) * ((size_t)(size) + 9) + 1)

/* Finds p and w, and acts of all members. Of several p the one whose difference from the initial p has the least sum
 * weight_i d_i^2. Where limits contradict each other, so that no w in the cones exists, p grows beyond all bounds in a
 * direction: p is then in proportion to what w lacks, each number over its weight. *unmet: the largest error of a
 * condition, as a rate, over the largest number of b. False: not found, or a number is not finite. */
bool rbv_complementarity_solve(RbvComplementarity *problem, double *unmet);

/* Finds p[size] >= 0 and w[size] with w = A p + b >= 0, p.w = 0, from p = 0: all members are contacts. cone[size] and
 * work[RBV_COMPLEMENTARITY_WORK(size) + size] are workspace; cone[i].acts afterwards: p_i may be positive. weight as
 * above. False as above. */
bool rbv_complementarity_contacts(int32_t size, const double *A, const double *weight, const double *b, double *p,
                                  RbvCone *cone, double *work);

#endif
