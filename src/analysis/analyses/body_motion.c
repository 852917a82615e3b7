/* Motion of a body from that of its frame; see body_motion.h. */
#include "analysis/analyses/body_motion.h"

void rbv_body_take(const RbvBody *body, const RbvBodyMotion *given, bool spatial, RbvBodyState *placed, RbvTwist *twist,
                   RbvTwist *acceleration) {
    const double *v = given->velocity, *w = given->angular_velocity, *a = given->acceleration,
                 *dw = given->angular_acceleration;
    RbvVec3 spin = {spatial ? w[0] : 0, spatial ? w[1] : 0, w[2]},
            gain = {spatial ? dw[0] : 0, spatial ? dw[1] : 0, dw[2]};
    placed->turn = given->angle;
    placed->whole = 0;
    placed->p = rbv_quat_normalised(
        (RbvQuat){given->rotation[0], {given->rotation[1], given->rotation[2], given->rotation[3]}});
    placed->A = spatial ? rbv_mat3_of_quat(placed->p) : rbv_mat3_about_z(given->angle);
    RbvVec3 arm = rbv_apply(&placed->A, body->centroid), round = rbv_cross(spin, arm);
    placed->r = rbv_add(rbv_vec3(given->at[0], given->at[1], spatial ? given->at[2] : 0), arm);
    twist->v = rbv_add(rbv_vec3(v[0], v[1], spatial ? v[2] : 0), round);
    twist->w = spin;
    acceleration->v =
        rbv_add(rbv_vec3(a[0], a[1], spatial ? a[2] : 0), rbv_add(rbv_cross(gain, arm), rbv_cross(spin, round)));
    acceleration->w = gain;
}
