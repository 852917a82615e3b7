/* Contact geometry of wheels in the starting pose: pitch point and line of force; see model.h.
 *
 * Wheel k has its centre o_k, axis h_k and pitch radius r_k. The pitch point p is common to both pitch circles. The
 * force along the unit vector n through p acts on wheel k with the lever h_k.((p - o_k) x n).
 *
 *   parallel axes:     p on the line of centres, n tangential
 *   intersecting axes: p where both circles' planes cut the plane of the axes, n perpendicular to that plane
 *   crossed axes:      p on the common perpendicular, n in the tangent plane, perpendicular to the teeth
 */
#include "model/model/model.h"

#include "core/base/tolerances.h"

#include <string.h>

typedef struct Wheel {
    RbvVec3 o, h;
    double r;
} Wheel;

/* Result of the geometry: pitch point p, line n, separating direction x. */
typedef struct Pitch {
    RbvVec3 p, n, x;
    RbvVec3 roll; /* intersecting axes: along the line through p about which one wheel turns against the other */
    bool crossed; /* n is perpendicular to the teeth and includes the axial component */
} Pitch;

static RbvVec3 unit(RbvVec3 a) {
    return rbv_scale(1 / rbv_norm(a), a);
}

static double lever(const Wheel *wheel, RbvVec3 p, RbvVec3 n) {
    return rbv_dot(wheel->h, rbv_cross(rbv_sub(p, wheel->o), n));
}

static bool no_fit(const RbvJointDef *def, const RbvSource *source, double actual, double expected) {
    rbv_source_error(source, def->radii[0] > 0 ? "radii" : "teeth",
                     "the pitch circles of '%s' do not touch in the starting pose: %.9g m where %.9g m would fit",
                     def->name, actual, expected);
    return false;
}

/* Parallel axes: as in the plane, with the pitch point half-way along the axes. */
static bool parallel_pitch(const RbvJointDef *def, Wheel w[2], const RbvSource *source, Pitch *out) {
    RbvVec3 d = rbv_sub(w[1].o, w[0].o), h = w[0].h, along = rbv_scale(rbv_dot(d, h), h), across = rbv_sub(d, along);
    double distance = rbv_norm(across), s = def->internal ? -1 : 1;
    if (!(distance > 0)) {
        rbv_source_error(source, NULL, "the centres of '%s' lie on one axis in the starting pose", def->name);
        return false;
    }
    if (isnan(def->radii[0]))
        for (int k = 0; k < 2; k++)
            w[k].r = distance * def->teeth[k] / fabs(def->teeth[0] + s * def->teeth[1]);
    double fits = fabs(w[0].r + s * w[1].r);
    /* Largest difference between the radii and the initial centre distance, relative. */
    if (fabs(fits - distance) > RBV_FITS * (w[0].r + w[1].r))
        return no_fit(def, source, fits, distance);
    RbvVec3 e = rbv_scale(1 / distance, across);
    double side = def->internal && w[0].r < w[1].r ? -1 : 1;
    out->p = rbv_add(rbv_add_scaled(w[0].o, side * w[0].r, e), rbv_scale(0.5, along));
    out->x = rbv_scale(s, e);
    out->n = rbv_cross(h, e);
    return true;
}

/* Intersecting axes, t perpendicular to both: p = o_0 + a (t x h_0) = o_1 + b (t x h_1). */
static bool bevel_pitch(const RbvJointDef *def, Wheel w[2], const RbvSource *source, Pitch *out) {
    RbvVec3 d = rbv_sub(w[1].o, w[0].o), t = unit(rbv_cross(w[0].h, w[1].h));
    RbvVec3 u = rbv_cross(t, w[0].h), v = rbv_cross(t, w[1].h);
    double a = rbv_dot(d, w[1].h) / rbv_dot(u, w[1].h), b = -rbv_dot(d, w[0].h) / rbv_dot(v, w[0].h),
           r[2] = {fabs(a), fabs(b)};
    if (!(r[0] > 0) || !(r[1] > 0)) {
        rbv_source_error(
            source, NULL,
            "a centre of '%s' lies on the other wheel's axis: markers stand at the centres of the pitch circles",
            def->name);
        return false;
    }
    if (isnan(def->radii[0])) {
        if (fabs(r[0] * def->teeth[1] - r[1] * def->teeth[0]) >
            RBV_FITS * (r[0] * def->teeth[1] + r[1] * def->teeth[0]))
            return no_fit(def, source, def->teeth[0] / def->teeth[1] * r[1], r[0]);
        w[0].r = r[0], w[1].r = r[1];
    }
    for (int k = 0; k < 2; k++)
        if (fabs(w[k].r - r[k]) > RBV_FITS * (r[0] + r[1]))
            return no_fit(def, source, w[k].r, r[k]);
    double s = rbv_dot(rbv_cross(d, w[1].h), t) / rbv_norm(rbv_cross(w[0].h, w[1].h)); /* apex = o_0 + s h_0 */
    out->p = rbv_add_scaled(w[0].o, a, u);
    RbvVec3 apex = rbv_add_scaled(w[0].o, s, w[0].h), generator = rbv_sub(out->p, apex);
    if (!(rbv_norm(generator) > RBV_FITS * (r[0] + r[1]))) {
        rbv_source_error(source, NULL, "the pitch point of '%s' is where the axes meet", def->name);
        return false;
    }
    out->n = t;
    out->roll = unit(generator);
    out->x = unit(rbv_cross(t, generator));
    double first = rbv_dot(out->x, rbv_sub(w[0].o, out->p)), second = rbv_dot(out->x, rbv_sub(w[1].o, out->p));
    bool inside = first * second > 0 && r[1] < r[0]; /* the second wheel is inside the first */
    if (inside ? second < 0 : first > 0)
        out->x = rbv_scale(-1, out->x);
    return true;
}

/* Crossed axes: contact on the common perpendicular; the direction of the teeth follows from the helix of the first
 * wheel, or from the worm's lead. */
static bool crossed_pitch(const RbvJointDef *def, const Wheel w[2], bool worm, const RbvSource *source, Pitch *out) {
    RbvVec3 d = rbv_sub(w[1].o, w[0].o), t = unit(rbv_cross(w[0].h, w[1].h));
    double distance = fabs(rbv_dot(d, t));
    if (rbv_norm(rbv_sub(d, rbv_scale(rbv_dot(d, t), t))) > RBV_FITS * distance) {
        rbv_source_error(source, NULL,
                         "the axes of '%s' cross: its markers must stand where the common perpendicular meets the axes",
                         def->name);
        return false;
    }
    if (isnan(def->radii[0])) {
        rbv_source_error(source, NULL, "'%s' with crossed axes needs radii:, for teeth alone do not give them",
                         def->name);
        return false;
    }
    if (fabs(w[0].r + w[1].r - distance) > RBV_FITS * distance)
        return no_fit(def, source, w[0].r + w[1].r, distance);
    RbvVec3 e = unit(d), round = rbv_cross(w[0].h, e), tooth;
    if (worm)
        tooth = rbv_add_scaled(rbv_scale(RBV_TWO_PI * w[0].r, round), def->pitch, w[0].h);
    else
        tooth = rbv_add_scaled(rbv_scale(cos(def->helix_angle), w[0].h), sin(def->helix_angle), round);
    out->p = rbv_add_scaled(w[0].o, w[0].r, e);
    out->x = e;
    out->n = unit(rbv_cross(e, tooth));
    out->crossed = true;
    for (int k = 0; k < 2; k++)
        if (fabs(lever(&w[k], out->p, out->n)) < RBV_FITS * w[k].r) {
            rbv_source_error(source, NULL,
                             worm ? "the thread of worm '%s' cannot drive its wheel: look at its pitch"
                                  : "the teeth of '%s' run along the motion of a wheel: with crossed axes the helix "
                                    "angles make the sum of the "
                                    "angle between them",
                             def->name);
            return false;
        }
    return true;
}

/* Rolling of one wheel on the other, see RbvMesh: h_0.(theta_1' h_1 - theta_0' h_0), or roll = a h_0 + b h_1. */
static void place_roll(const Wheel w[2], RbvVec3 roll, RbvMesh *mesh) {
    double c = rbv_dot(w[0].h, w[1].h), first = rbv_dot(roll, w[0].h), second = rbv_dot(roll, w[1].h);
    if (mesh->parallel) {
        mesh->roll[0] = -1;
        mesh->roll[1] = c > 0 ? 1 : -1;
        return;
    }
    mesh->roll[0] = (first - c * second) / (1 - c * c);
    mesh->roll[1] = (second - c * first) / (1 - c * c);
}

/* Add a marker on the carrier, given by origin and axes in the starting pose. */
static int32_t carried(RbvModel *model, int32_t carrier, RbvVec3 at, const RbvMat3 *axes) {
    const RbvBody *body = &model->bodies.items[carrier];
    RbvMat3 A = rbv_body_axes(model, body);
    RbvQuat p = rbv_quat_product(rbv_quat_conjugate(body->rotation), rbv_quat_of_mat3(axes));
    return rbv_model_add_raw_frame(model, body->name, carrier, rbv_apply_transposed(&A, rbv_sub(at, body->at)), p);
}

static bool check_particles(const RbvModel *model, const RbvJoint *joint, const RbvSource *source) {
    int32_t bodies[3] = {model->markers.items[joint->marker[0]].body, model->markers.items[joint->marker[1]].body,
                         joint->carrier};
    for (int k = 0; k < 3; k++)
        if (model->bodies.items[bodies[k]].particle) {
            rbv_source_error(source,
                             k == 2 ? "carrier"
                             : k    ? "between/1"
                                    : "between/0",
                             "'%s' is a particle and cannot be a wheel or the carrier of '%s'",
                             model->bodies.items[bodies[k]].name, joint->name);
            return false;
        }
    if (bodies[2] == bodies[0] || bodies[2] == bodies[1]) {
        rbv_source_error(source, "carrier", "'%s' cannot be a wheel of '%s' and its carrier",
                         model->bodies.items[bodies[2]].name, joint->name);
        return false;
    }
    return true;
}

/* Lines of the two strands: tangents of both pulleys, oriented so that a pull on the second turns it positively. */
static bool belt_lines(RbvModel *model, const RbvJointDef *def, const RbvJoint *joint, const Wheel w[2],
                       const RbvSource *source, RbvMesh *mesh) {
    RbvVec3 d = rbv_sub(w[1].o, w[0].o), h = w[0].h, along = rbv_scale(rbv_dot(d, h), h), across = rbv_sub(d, along);
    double distance = rbv_norm(across), s = def->crossed ? 1 : -1, k = (w[0].r + s * w[1].r) / distance;
    mesh->parallel = true;
    if (rbv_norm(rbv_cross(w[0].h, w[1].h)) > RBV_FITS) {
        rbv_source_error(source, NULL, "the pulleys of '%s' need parallel axes", def->name);
        return false;
    }
    if (!(fabs(k) < 1)) {
        rbv_source_error(source, "radii", "the pulleys of '%s' overlap in the starting pose", def->name);
        return false;
    }
    RbvVec3 e = rbv_scale(1 / distance, across), f = rbv_cross(h, e);
    mesh->line_count = 2;
    for (int strand = 0; strand < 2; strand++) {
        RbvVec3 u = rbv_add_scaled(rbv_scale(k, e), (strand ? -1 : 1) * sqrt(1 - k * k), f);
        RbvVec3 p = rbv_add(rbv_add_scaled(w[1].o, -s * w[1].r, u), rbv_scale(-0.5, along)), n = rbv_cross(h, u);
        n = lever(&w[1], p, n) < 0 ? rbv_scale(-1, n) : n;
        RbvMat3 axes = {{u, n, rbv_cross(u, n)}};
        mesh->line[strand] = carried(model, joint->carrier, p, &axes);
        mesh->weight[strand] = 0.5;
        for (int side = 0; side < 2; side++)
            mesh->turn[side] += 0.5 * (side ? 1 : -1) * lever(&w[side], p, n);
        if (mesh->line[strand] < 0)
            return false;
    }
    return true;
}

static bool gear_line(RbvModel *model, const RbvJointDef *def, const RbvJoint *joint, Wheel w[2],
                      const RbvSource *source, RbvMesh *mesh) {
    bool worm = strcmp(joint->kind->name, "worm") == 0, bevel = strcmp(joint->kind->name, "bevel") == 0;
    RbvVec3 normal = rbv_cross(w[0].h, w[1].h), d = rbv_sub(w[1].o, w[0].o);
    bool parallel = rbv_norm(normal) < RBV_FITS,
         meet = !parallel && fabs(rbv_dot(d, unit(normal))) <= RBV_FITS * rbv_norm(d);
    Pitch pitch = {.crossed = false};
    if ((worm && (parallel || meet)) || (bevel && !meet)) {
        rbv_source_error(source, NULL,
                         worm ? "the axes of worm '%s' and of its wheel must cross without meeting"
                              : "the axes of bevel gear '%s' do not meet",
                         def->name);
        return false;
    }
    if (!(parallel ? parallel_pitch(def, w, source, &pitch)
          : meet   ? bevel_pitch(def, w, source, &pitch)
                   : crossed_pitch(def, w, worm, source, &pitch)))
        return false;
    if (lever(&w[1], pitch.p, pitch.n) < 0)
        pitch.n = rbv_scale(-1, pitch.n);
    RbvMat3 axes = {{pitch.x, pitch.n, rbv_cross(pitch.x, pitch.n)}};
    mesh->parallel = parallel;
    mesh->crossed = pitch.crossed;
    mesh->line_count = 1;
    mesh->line[1] = 0; /* ground's own marker: not used */
    mesh->weight[0] = 1;
    mesh->line[0] = carried(model, joint->carrier, pitch.p, &axes);
    for (int side = 0; side < 2; side++)
        mesh->turn[side] = (side ? 1 : -1) * lever(&w[side], pitch.p, pitch.n);
    mesh->apart = tan(def->pressure_angle) / (pitch.crossed ? 1 : cos(def->helix_angle));
    if (!pitch.crossed)
        place_roll(w, pitch.roll, mesh);
    /* right-handed helix of the first wheel: force t cos(beta) - h sin(beta), t the direction of its rim velocity */
    RbvVec3 rim = rbv_cross(w[0].h, rbv_sub(pitch.p, w[0].o));
    double along_rim = rbv_dot(rim, pitch.n) > 0 ? 1 : -1;
    double along_axis = rbv_dot(axes.column[2], w[0].h) > 0 ? 1 : -1;
    mesh->axial = pitch.crossed ? 0 : -along_rim * along_axis * tan(def->helix_angle);
    return mesh->line[0] >= 0;
}

bool rbv_add_rack(RbvModel *model, RbvJoint *joint, const RbvSource *source) {
    RbvMat3 first, second, axes;
    RbvVec3 at = rbv_marker_start(model, joint->marker[0], &first);
    rbv_marker_start(model, joint->marker[1], &second);
    if (fabs(rbv_dot(first.column[0], second.column[2])) > RBV_FITS ||
        !rbv_frame_of_axes(second.column[2], first.column[0], &axes)) {
        rbv_source_error(source, "between",
                         "the pinion of rack '%s' turns about the second's z, which must be square to the first's x, "
                         "the rack's line",
                         joint->name);
        return false;
    }
    joint->rack = carried(model, model->markers.items[joint->marker[0]].body, at, &axes);
    return joint->rack >= 0;
}

bool rbv_add_mesh(RbvModel *model, const RbvJointDef *def, RbvJoint *joint, const RbvSource *source) {
    if (!check_particles(model, joint, source))
        return false;
    RbvMesh mesh = {.line_count = 0};
    Wheel w[2];
    RbvMat3 axes[2];
    for (int side = 0; side < 2; side++) {
        w[side].o = rbv_marker_start(model, joint->marker[side], &axes[side]);
        w[side].h = axes[side].column[2];
        w[side].r = joint->sizes->radii[side];
    }
    bool good = rbv_forms[joint->form].strands ? belt_lines(model, def, joint, w, source, &mesh)
                                               : gear_line(model, def, joint, w, source, &mesh);
    for (int side = 0; side < 2 && good; side++) {
        mesh.seat[side] = carried(model, joint->carrier, w[side].o, &axes[side]);
        good = mesh.seat[side] >= 0;
        joint->sizes->radii[side] = w[side].r;
    }
    int32_t index = good ? rbv_model_grow(model, &model->meshes, sizeof mesh) : -1;
    if (index < 0)
        return false;
    model->meshes.items[index] = mesh;
    joint->mesh = index;
    return true;
}
