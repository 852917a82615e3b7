/* Tangents of a cam's surface at its contact, and their rates; see surface.h.
 *
 * Drawn outline: along = z x n of the outline in its plane, across = z; P is the follower's point, or the contact point
 * of a second outline, or of the first where a flat lies on it. Revolved outline: e = (x, y)/rho and f = z x e for the
 * point with the offsets x, y, z; along = a e + b z with the outline's tangent (a, b) at (rho, z), across = f.
 *
 *   e' = w x e + phi' f,   f' = w x f - phi' e,   phi' = (x y' - y x')/rho^2 */
#include "mechanics/element/surface.h"

#include "mechanics/element/gap.h"
#include "mechanics/element/offset.h"

#include <string.h>

static RbvSurfaceContact drawn_out(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                                   const double contact[2], const RbvTwist t[2], RbvSurfaceContact *rate) {
    RbvSurfaceContact at;
    RbvVec3 z = i->axes->column[2];
    rbv_gap_tangent(cam, i, j, contact, &at.tangent[0], &at.place);
    at.tangent[1] = z;
    if (rate) {
        rbv_gap_tangent_rate(cam, i, j, contact, t, &rate->tangent[0], &rate->place);
        rate->tangent[1] = rbv_cross(t[0].w, z);
    }
    if (!cam->flat) {
        rbv_gap_follower(cam, i, j, contact, t, &at.place, rate ? &rate->place : NULL);
        return at;
    }
    RbvVec3 a = rbv_scale(contact[1], j->axes->column[1]); /* normal of the flat, out of the outline */
    at.tangent[1] = rbv_cross(a, at.tangent[0]);
    if (rate)
        rate->tangent[1] = rbv_add(rbv_cross(rbv_cross(t[1].w, a), at.tangent[0]), rbv_cross(a, rate->tangent[0]));
    return at;
}

static RbvSurfaceContact turned(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                                const double contact[2], const RbvTwist t[2], RbvSurfaceContact *rate) {
    RbvVec3 d = rbv_sub(j->point, i->point), z = i->axes->column[2], X = i->axes->column[0], Y = i->axes->column[1],
            tan, unused;
    double x = rbv_dot(X, d), y = rbv_dot(Y, d), rho = hypot(x, y);
    RbvVec3 e = rbv_add_scaled(rbv_scale(x / rho, X), y / rho, Y), f = rbv_cross(z, e);
    RbvMarkerState outline, point;
    memset(&outline, 0, sizeof outline);
    outline.axes = &rbv_axes_alike.A;
    point = outline;
    point.point = rbv_vec3(rho, rbv_dot(z, d), 0);
    rbv_gap_tangent(cam, &outline, &point, contact, &tan, &unused);
    RbvSurfaceContact at = {{rbv_add_scaled(rbv_scale(tan.x, e), tan.y, z), f}, j->point};
    if (!rate)
        return at;
    RbvVec3 v = rbv_marker_velocity(j, t[1]), w = t[0].w, d_tan;
    RbvVec3 u = rbv_sub(rbv_sub(v, rbv_marker_velocity(i, t[0])), rbv_cross(w, d)); /* relative to the first body */
    const RbvTwist plane[2] = {{{0, 0, 0}, {0, 0, 0}}, {{rbv_dot(e, u), rbv_dot(z, u), 0}, {0, 0, 0}}};
    double phi = rbv_dot(f, u) / rho;
    rbv_gap_tangent_rate(cam, &outline, &point, contact, plane, &d_tan, &unused);
    RbvVec3 de = rbv_add_scaled(rbv_cross(w, e), phi, f), along = rbv_add_scaled(rbv_scale(d_tan.x, e), d_tan.y, z);
    along = rbv_add_scaled(rbv_add_scaled(along, tan.x, de), tan.y, rbv_cross(w, z));
    *rate = (RbvSurfaceContact){{along, rbv_add_scaled(rbv_cross(w, f), -phi, e)}, v};
    return at;
}

RbvSurfaceContact rbv_surface_contact(const RbvCam *cam, const RbvMarkerState *i, const RbvMarkerState *j,
                                      const double contact[2], const RbvTwist t[2], RbvSurfaceContact *rate) {
    return cam->revolved ? turned(cam, i, j, contact, t, rate) : drawn_out(cam, i, j, contact, t, rate);
}
