/* Twists that do no work against one wrench: the directions that joints along single lines (links, teeth, strands,
 * racks, cams, edges) leave free, all twists orthogonal to their wrench (n, (p - P) x n) about the second marker P. */
#include "mechanics/forms/form.h"

#include <math.h>

/* Wrench about the second marker of a unit force along n at `place`. */
RbvWrench rbv_force_about_second(RbvVec3 n, RbvVec3 place, const RbvMarkerState *second) {
    return (RbvWrench){n, rbv_cross(rbv_sub(place, second->point), n)};
}

/* All twists orthogonal to one wrench at the second marker: the other columns of the reflection that maps the first
 * axis to the wrench (Householder). Returns their number. */
int rbv_twists_across(bool spatial, RbvWrench locked, double length, RbvTwist *freed) {
    int n = spatial ? 6 : 3;
    RbvVec3 f = locked.force, t = rbv_scale(1 / length, locked.torque);
    double size = sqrt(rbv_dot(f, f) + rbv_dot(t, t));
    double u[6] = {f.x / size, f.y / size, spatial ? f.z / size : t.z / size, t.x / size, t.y / size, t.z / size};
    u[0] += u[0] > 0 ? 1 : -1; /* now the normal of the reflection */
    double beta = 1 / fabs(u[0]);
    for (int k = 1; k < n; k++) {
        double c[6] = {0};
        for (int i = 0; i < n; i++)
            c[i] = (i == k) - beta * u[k] * u[i];
        freed[k - 1] = spatial ? (RbvTwist){{c[0], c[1], c[2]}, {c[3] / length, c[4] / length, c[5] / length}}
                               : (RbvTwist){{c[0], c[1], 0}, {0, 0, c[2] / length}};
    }
    return n - 1;
}
