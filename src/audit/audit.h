/* The audit: does the printed result satisfy Newton, Euler and the balance of power, body by body? An independent
 * route.
 *
 * From the reported poses, velocities, accelerations, reactions, efforts and the model alone, with plain formulas for
 * points, gravity and loads. For each body: sum of forces - m a, sum of torques about the centroid - J alpha; for the
 * system: power of loads, drives and constraints - d(kinetic energy)/dt, which is what the joints would have done.
 */
#ifndef RBV_AUDIT_AUDIT_H
#define RBV_AUDIT_AUDIT_H

#include "reaction/reactions.h"

/* What of the forces involved may be left over: rounding times the condition of mechanisms that still make sense. */
#define RBV_AUDIT_TOLERANCE 1e-7

/* Of a part of the mechanism: the largest sums of magnitudes so far; power, and its sum of magnitudes, of the sample.
 */
typedef struct RbvAuditScale {
    double force, torque, power;
    double given; /* [N, N m] the largest weight, force or torque that the model gives, of those that are no springs */
    double acceleration; /* [m/s^2] the largest of the sample */
    double power_left, power_size;
} RbvAuditScale;

/* A law that a single thing breaks: "'bumper' pulls with 3 N". */
typedef struct RbvAuditFault {
    const char *name, *does; /* the model's; NULL: none */
    double by;
    const char *unit;
    int32_t row; /* instead of a name: 1 + the row that accelerations do not keep; 0: none */
} RbvAuditFault;

typedef struct RbvAudit {
    const RbvSystem *system;
    RbvVec3 *r;           /* [bodies] centroids, ground axes */
    RbvMat3 *A;           /* [bodies] axes, in space; */
    double (*turn)[2];    /* [bodies] in the plane their cosine and sine: rbv_audit_body_axes */
    double *applied;      /* [bodies][3; in space 6] loads, drives, constraints, about the centroid: rbv_audit_sum */
    double *joints;       /* [bodies][likewise] reactions */
    double (*sizes)[2];   /* [bodies] sums of magnitudes of forces, of torques */
    double (*single)[2];  /* [bodies] the largest single force on it, and torque about the centroid, of the sample; */
    double (*largest)[2]; /* [bodies] the largest so far, inertia among them: what is left over on a body is compared
                             with its own */
    double (*left)[2];    /* [bodies] what is left over of forces, of torques */
    double force, torque, power, constraint;       /* largest imbalances */
    double force_scale, torque_scale, power_scale; /* largest sums of magnitudes */
    RbvAuditScale *scale;                          /* [parts] the same of each part of the mechanism */
    const RbvWrench *missing; /* [bodies] about centroids: what forces lack of a motion that is given, as the result
                                 tells it; the caller's. NULL: a motion obeys its forces */
    double *floor; /* [bodies] force that may be left over whatever the sizes [N], and times the size of the part as
                      torque; zero unless set */
    double apart;  /* [m] what rows on positions may be off by, of joints that yield by a method; zero unless set */
    double
        *rounding; /* [bodies] force [N] that goes with what the place is rounded to: see allowed.h; zero unless set */
    bool given;    /* what drives ask for is not looked at: the motion is the caller's */
    bool soft;     /* joints give way to forces by a small part of what these would do alone */
    bool slips;    /* what holds by friction slides beyond its limit: in a motion from forces */
    double tolerance; /* where a motion is integrated, what places and rates are known to, of the size of each; 0:
                         rounding alone */
    int32_t worst_body;
    double worst_time, worst[2]; /* [s]; [N], [N m] what was left over there */
    bool gear_off;               /* a radial tooth force does not belong to its tangential one */
    RbvAuditFault fault;         /* the first, where nothing was left over before */
    bool failed;
} RbvAudit;

bool rbv_audit_create(RbvAudit *audit, const RbvSystem *system);
void rbv_audit_destroy(RbvAudit *audit);
/* Forget what was left over so far; what it is compared with, the largest forces so far, stays. */
void rbv_audit_reset(RbvAudit *audit);
/* Take one sample into account. */
void rbv_audit_sample(RbvAudit *audit, const RbvState *state, const RbvReactions *reactions);
/* Of that sample: do its accelerations keep what joints, constraints and drives hold? And the same of a sample without
 * forces. */
void rbv_audit_accelerations(RbvAudit *audit, const RbvState *state);
void rbv_audit_motion(RbvAudit *audit, const RbvState *state);
/* Is it kept? OK or AUDIT_FAILED, with what was wrong first as a clause: "<which> fails its audit at body 'rod': left
 * over ...", "<which> fails its audit: 'bumper' pulls with 3 N". Every analysis ends by it. */
RbvStatus rbv_audit_verify(const RbvAudit *audit, const char *which, char *text, size_t size);

#endif
