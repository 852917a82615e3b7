/* The audit: verifies independently that the printed result satisfies Newton, Euler and the balance of power, body
 * by body.
 *
 * It uses the reported poses, velocities, accelerations, reactions, efforts and the model alone, with plain formulas
 * for points, gravity and loads. For each body: sum of forces - m a, sum of torques about the centroid - J alpha;
 * for the system: power of loads, drives and constraints - d(kinetic energy)/dt, which would be the power of the
 * joints. */
#ifndef RBV_SOLUTION_AUDIT_AUDIT_H
#define RBV_SOLUTION_AUDIT_AUDIT_H

#include "core/base/arena.h"
#include "solution/reaction/reactions.h"

/* Part of the forces involved that may remain: rounding times the condition number of mechanisms that still make
 * sense. */
#define RBV_AUDIT_TOLERANCE 1e-7

/* Of a part of the mechanism: the largest sums of magnitudes so far (force [N], torque [N m], power [W]); residual
 * of the power and its sum of magnitudes in the sample. */
typedef struct RbvAuditScale {
    double force, torque, power;
    double given;        /* [N, N m] the largest weight, force or torque of the model, springs excluded */
    double acceleration; /* [m/s^2] the largest acceleration of the sample */
    double power_left, power_size;
} RbvAuditScale;

/* A law violated by one item: "'bumper' pulls with 3 N". */
typedef struct RbvAuditFault {
    const char *name, *does; /* the model's name of the item, text of the fault; NULL: none */
    double by;
    const char *unit;
    int32_t row; /* instead of a name: 1 + the row that accelerations violate; 0: none */
} RbvAuditFault;

typedef struct RbvAudit {
    RbvArena arena; /* memory of the arrays */
    const RbvSystem *system;
    RbvVec3 *r;        /* [bodies] centroids, ground axes */
    RbvMat3 *A;        /* [bodies] axes, in space */
    double (*turn)[2]; /* [bodies] in the plane cosine and sine of the rotation: rbv_audit_body_axes */
    double *applied;   /* [bodies][3; in space 6] sum of loads, drives, constraints about the centroid: rbv_audit_sum */
    double *joints;    /* [bodies][3; in space 6] sum of reactions about the centroid */
    double (*sizes)[2];   /* [bodies] sums of magnitudes of forces [N], of torques [N m] */
    double (*single)[2];  /* [bodies] the largest single force, and torque about the centroid, of the sample */
    double (*largest)[2]; /* [bodies] the largest so far, inertia included: residuals of a body are compared with it */
    double (*left)[2];    /* [bodies] residual force [N], torque [N m] */
    double force, torque, power, constraint;       /* largest residuals [N, N m, W], largest constraint error */
    double force_scale, torque_scale, power_scale; /* largest sums of magnitudes at a body, of the power */
    RbvAuditScale *scale;     /* [parts] largest sums of magnitudes of each part of the mechanism */
    const RbvWrench *missing; /* [bodies] about centroids: forces that a prescribed motion lacks, as the result reports
                                 them; the caller's. NULL: the motion obeys its forces */
    double *floor; /* [bodies] force that may remain whatever the forces involved [N], and times the size of the part as
                      torque; zero unless set */
    double apart;  /* [m] allowed error of rows on positions, where joints yield by the method; zero unless set */
    double *rounding; /* [bodies] force [N] by rounding of the position; zero unless set */
    bool prescribed;  /* rows of drives are not verified: the motion is the caller's */
    bool soft;        /* joints yield to forces by a small part of the forces' effect */
    bool slips;       /* contacts with friction of their own slide beyond their limit: in a motion from forces */
    double tolerance; /* where a motion is integrated, tolerance of positions and velocities relative to their sizes; 0:
                         rounding alone */
    int32_t worst_body;
    double worst_time, worst[2]; /* [s]; residual force [N], torque [N m] there */
    bool gear_off;               /* a radial tooth force does not fit its tangential force */
    RbvAuditFault fault;         /* the first fault, if no residual was too large before */
    bool failed;
} RbvAudit;

/* False: no memory; to be destroyed all the same. */
bool rbv_audit_create(RbvAudit *audit, const RbvSystem *system);
void rbv_audit_destroy(RbvAudit *audit);
/* Resets the residuals and faults; the largest forces so far stay. */
void rbv_audit_reset(RbvAudit *audit);
/* Audits one sample: positions of rows, balances, gears, friction and power. */
void rbv_audit_sample(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Verifies that the accelerations of that sample keep the rows of joints, constraints and drives. */
void rbv_audit_accelerations(RbvAudit *audit, const RbvState *state);
/* Verifies the accelerations of a sample without forces. */
void rbv_audit_motion(RbvAudit *audit, const RbvState *state);
/* Result of the audit: OK, or AUDIT_FAILED with the first fault in `text` as a clause: "<which> fails its audit at
 * body 'rod': left over ...", "<which> fails its audit: 'bumper' pulls with 3 N". Every analysis ends with this
 * call. */
RbvStatus rbv_audit_verify(const RbvAudit *audit, const char *which, char *text, size_t size);

#endif
