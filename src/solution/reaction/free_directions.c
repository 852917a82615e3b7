/* Scalar equations of joints (Garcia de Jalon and Bayo, chapter 6): the force F and the torque T of the joint on its
 * second body, about the second marker P, do no work along the directions that the joint leaves free.
 *
 *   translation along u: F.u = 0;  rotation about u: T.u = 0;  screw: T.u = -p F.u;  cross: T.u1 = T.u2 = 0;
 *   rolling: T + (p - P) x F = 0 about the contact p
 * Joints along single lines (links, teeth, strands, racks, cams, edges) leave free all twists orthogonal to their
 * wrench (n, (p - P) x n). */
#include "solution/reaction/free_directions.h"

#include "mechanics/element/gap.h"
#include "mechanics/element/track.h"

#include <math.h>

static const RbvVec3 none = {0, 0, 0}, ground[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static RbvTwist slide(RbvVec3 u) {
    return (RbvTwist){u, none};
}

static RbvTwist turn(RbvVec3 u) {
    return (RbvTwist){none, u};
}

static RbvVec3 unit(RbvVec3 a) {
    return rbv_scale(1 / rbv_norm(a), a);
}

/* Two unit vectors orthogonal to each other and to d. */
static void square_to(RbvVec3 d, RbvVec3 e[2]) {
    int k = fabs(d.x) <= fabs(d.y) && fabs(d.x) <= fabs(d.z) ? 0 : fabs(d.y) <= fabs(d.z) ? 1 : 2;
    e[0] = unit(rbv_cross(d, ground[k]));
    e[1] = unit(rbv_cross(d, e[0]));
}

/* All twists orthogonal to one wrench at the second marker: the other columns of the reflection that maps the first
 * axis to the wrench (Householder). Returns their number. */
static int all_but(bool spatial, RbvWrench held, double length, RbvTwist *freed) {
    int n = spatial ? 6 : 3;
    RbvVec3 f = held.force, t = rbv_scale(1 / length, held.torque);
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

/* Free rotations of a spatial joint that locks directions. Two locked rotations align the axes about which the third
 * turns. */
static int free_turns(const RbvJoint *joint, const RbvMarkerState *i, const RbvMarkerState *j, RbvTwist *freed) {
    RbvVec3 e[2], z1 = i->axes->column[2], z2 = j->axes->column[2];
    int held = joint->locks & RBV_DIRECTIONS_TURNS, count = 0;
    if (joint->extra == RBV_EXTRA_SCREW || held == RBV_DIRECTIONS_TURNS)
        return 0;
    for (int k = 0; held && k < 3; k++)
        if (!(held >> (3 + k) & 1))
            freed[count++] = turn(i->axes->column[k]);
    if (held)
        return count;
    if (joint->extra == RBV_EXTRA_HOMOKINETIC)
        square_to(rbv_add(z1, z2), e); /* the plane of symmetry between both shafts */
    for (int k = 0; k < (joint->extra == RBV_EXTRA_NONE ? 3 : 2); k++)
        freed[count++] = turn(joint->extra == RBV_EXTRA_NONE          ? ground[k]
                              : joint->extra == RBV_EXTRA_HOMOKINETIC ? e[k]
                              : k                                     ? z2
                                                                      : z1);
    return count;
}

static int of_locks(const RbvJoint *joint, const RbvMarkerState *i, const RbvMarkerState *j, RbvTwist *freed) {
    int count = 0;
    bool screw = joint->extra == RBV_EXTRA_SCREW;
    for (int k = 0; k < (joint->spatial ? 3 : 2); k++)
        if (!(joint->locks >> k & 1) && !(screw && k == 2))
            freed[count++] = slide(i->axes->column[k]);
    if (screw)
        freed[count++] =
            (RbvTwist){rbv_scale(joint->sizes->pitch / RBV_TWO_PI, i->axes->column[2]), i->axes->column[2]};
    if (joint->spatial)
        return count + free_turns(joint, i, j, freed + count);
    if (!(joint->locks & RBV_DIRECTION_RZ))
        freed[count++] = turn(ground[2]);
    return count;
}

/* Wrench about the second marker of a unit force along n at `place`. */
static RbvWrench force_at(RbvVec3 n, RbvVec3 place, const RbvMarkerState *j) {
    return (RbvWrench){n, rbv_cross(rbv_sub(place, j->point), n)};
}

/* Wrench of planar gears and belts. Gears: along the common tangent, orthogonal to the line of centres, at the pitch
 * point, which divides that line in the ratio of the radii; the radial force of the flanks is known from it. Belts:
 * one strand gains what the other loses, and their parts along the line of centres cancel. */
static RbvWrench wheels(const RbvState *state, int32_t index, const RbvMarkerState *i, const RbvMarkerState *j) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const double *r = state->system->wheel[index];
    RbvVec3 d = rbv_sub(j->point, i->point), n = rbv_cross(ground[2], unit(d));
    bool gear = joint->form == RBV_FORM_GEAR;
    double both = r[1] + ((gear ? joint->internal : !joint->crossed) ? -r[0] : r[0]);
    if (gear)
        return force_at(n, rbv_add_scaled(j->point, -r[1] / both, d), j);
    return (RbvWrench){rbv_scale(-both / rbv_norm(d), n), rbv_scale(r[1], ground[2])};
}

/* Wrench of the teeth or strands of a spatial mesh; their lines are fixed in the carrier. */
static RbvWrench mesh_lines(const RbvState *state, const RbvJoint *joint, const RbvMarkerState *j) {
    const RbvMesh *mesh = &state->system->model->meshes.items[joint->mesh];
    RbvWrench sum = {none, none};
    for (int k = 0; k < mesh->line_count; k++) {
        const RbvMarkerState *line = &state->markers[mesh->line[k]];
        sum = rbv_wrench_add_scaled(sum, mesh->weight[k], force_at(line->axes->column[1], line->point, j));
    }
    return sum;
}

/* Wrench along the rack at the pitch point, on the rack's side of the pinion. */
static RbvWrench rack_line(const RbvState *state, const RbvJoint *joint, const RbvMarkerState *i,
                           const RbvMarkerState *j) {
    const RbvMarkerState *rack = joint->spatial ? &state->markers[joint->rack] : i;
    RbvVec3 y = rack->axes->column[1];
    double side = rbv_dot(y, rbv_sub(j->point, rack->point)) >= 0 ? 1 : -1;
    return force_at(rack->axes->column[0], rbv_add_scaled(j->point, -side * joint->sizes->radii[1], y), j);
}

static int of_cam(const RbvState *state, int32_t index, const RbvMarkerState *i, const RbvMarkerState *j, double length,
                  RbvTwist *freed) {
    const RbvSystem *system = state->system;
    const RbvJoint *joint = &system->model->joints.items[index];
    const RbvCam *cam = &system->model->cams.items[joint->cam];
    const double *contact =
        state->measures[system->terms[system->rows[system->joint_row[index]].first].measure].contact;
    RbvVec3 tangent, place;
    if (joint->track) {
        rbv_track_tangent(cam, i, j, contact[0], &tangent, &place);
        freed[0] = slide(tangent);
        for (int k = 0; k < 3; k++)
            freed[1 + k] = turn(ground[k]);
        return 4;
    }
    if (joint->spatial) {
        RbvSurfaceContact at = rbv_surface_contact(cam, i, j, contact, NULL, NULL);
        return all_but(true, force_at(rbv_cross(at.tangent[0], at.tangent[1]), at.place, j), length, freed);
    }
    rbv_gap_tangent(cam, i, j, contact, &tangent, &place);
    return all_but(false, force_at(rbv_cross(tangent, ground[2]), place, j), length, freed);
}

/* A disk or ball turns about its contact point. */
static int of_roll(const RbvJoint *joint, const RbvMarkerState *i, const RbvMarkerState *j, RbvTwist *freed) {
    RbvVec3 up = i->axes->column[2], axis = j->axes->column[2];
    if (!joint->ball)
        up = unit(rbv_add_scaled(up, -rbv_dot(up, axis), axis));
    for (int k = 0; k < 3; k++) /* the marker lies R above the contact */
        freed[k] = (RbvTwist){rbv_cross(ground[k], rbv_scale(joint->sizes->radii[1], up)), ground[k]};
    return 3;
}

int rbv_free_directions(const RbvState *state, int32_t index, double length, RbvTwist freed[6]) {
    const RbvJoint *joint = &state->system->model->joints.items[index];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    RbvWrench held;
    switch (joint->form) {
    case RBV_FORM_LOCKS: return of_locks(joint, i, j, freed);
    case RBV_FORM_CAM: return of_cam(state, index, i, j, length, freed);
    case RBV_FORM_ROLL: return of_roll(joint, i, j, freed);
    case RBV_FORM_DISTANCE: held = (RbvWrench){rbv_sub(j->point, i->point), none}; break;
    case RBV_FORM_RACK: held = rack_line(state, joint, i, j); break;
    case RBV_FORM_EDGE: held = (RbvWrench){rbv_cross(i->axes->column[2], j->axes->column[0]), none}; break;
    default: held = joint->spatial ? mesh_lines(state, joint, j) : wheels(state, index, i, j); break;
    }
    return all_but(joint->spatial, held, length, freed);
}
