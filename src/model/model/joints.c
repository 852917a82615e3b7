/* Checks and enters joints. The directions that each kind locks are in kinds.c; here are the checks of the keys
 * of each kind. */
#include "core/base/diagnostics.h"
#include "model/model/keys.h"
#include "model/model/model.h"

#include <stdio.h>
#include <string.h>

#define TWENTY_DEGREES 0.3490658503988659

const RbvJointDef rbv_joint_def_default = {.penalty = 1,
                                           .pitch = NAN,
                                           .length = NAN,
                                           .radii = {NAN, NAN},
                                           .teeth = {NAN, NAN},
                                           .radius = NAN,
                                           .lateral = true,
                                           .pressure_angle = TWENTY_DEGREES,
                                           .friction_coefficient = NAN,
                                           .friction_static = NAN,
                                           .friction_normal = NAN};

static const char *kind_candidate(const void *context, int32_t k) {
    (void)context;
    return rbv_joint_kind_at(k)->name;
}

/* List of all kinds of this space: "revolute, prismatic, ...". */
static const char *all_kinds(bool spatial, char *list, size_t size) {
    size_t used = 0;
    list[0] = '\0';
    for (int32_t k = 0; k < rbv_joint_kind_count() && used < size; k++)
        if (rbv_joint_kind_at(k)->where & (spatial ? RBV_KIND_SPACE : RBV_KIND_PLANE))
            used += (size_t)snprintf(list + used, size - used, "%s%s", used ? ", " : "", rbv_joint_kind_at(k)->name);
    return list;
}

/* The joint kind called `type` in this space, or NULL (reported). */
static const RbvJointKind *find_kind(const char *type, bool spatial, const RbvSource *source) {
    const RbvJointKind *kind = rbv_joint_kind_find(type);
    if (kind && kind->where & (spatial ? RBV_KIND_SPACE : RBV_KIND_PLANE))
        return kind;
    bool sentence = false;
    const char *meant = rbv_meaning(RBV_MEANING_JOINT, type, spatial, &sentence),
               *near = meant ? NULL : rbv_name_nearest(type, rbv_joint_kind_count(), kind_candidate, NULL);
    int length = meant && !sentence ? (int)strcspn(meant, " ") : 0; /* of the first word */
    char what[120], list[600];
    if (kind)
        snprintf(what, sizeof what, "'%s' is a joint of %s; this model is %s", type, spatial ? "the plane" : "space",
                 spatial ? "spatial" : "planar");
    else
        snprintf(what, sizeof what, "there is no joint type '%.60s'", type);
    if (sentence)
        rbv_source_error(source, "type", "%s; %s", what, meant);
    else if (meant)
        rbv_source_error(source, "type", "%s; did you mean '%.*s'?", what, length, meant);
    else if (kind)
        rbv_source_error(source, "type", "%s", what);
    else if (near)
        rbv_source_error(source, "type", "%s; did you mean '%s'?", what, near);
    else
        rbv_source_error(source, "type", "%s; there are %s", what, all_kinds(spatial, list, sizeof list));
    return NULL;
}

/* Marker of one side of the joint: a named marker, or a new one at `at` (with `axis` as x in the plane, as z in
 * space) given in the starting pose, ground axes, and converted to the body's axes. */
static int32_t joint_marker(RbvModel *model, const RbvJointDef *def, int side, const RbvSource *source) {
    const char *reference = def->between[side];
    const char *path = side == 0 ? "between/0" : "between/1";
    if (!reference || !*reference) {
        rbv_source_error(source, "between", "joint '%s' needs two sides: between: [first, second]", def->name);
        return -1;
    }
    if (strchr(reference, '.') || (!def->has_at && !def->has_axis))
        return rbv_model_find_marker(model, reference, path, source);
    int32_t body = rbv_model_find_body(model, reference, path, source);
    if (body < 0)
        return -1;
    const RbvBody *pose = &model->bodies.items[body];
    RbvMat3 axes = rbv_body_axes(model, pose);
    RbvVec3 at = def->has_at ? rbv_vec3(def->at[0], def->at[1], def->at[2]) : pose->at;
    double angle = def->has_axis ? atan2(def->axis[1], def->axis[0]) : 0;
    RbvVec3 local = rbv_apply_transposed(&axes, rbv_sub(at, pose->at));
    if (pose->particle && rbv_norm(local) > 0) {
        rbv_source_error(source, "at", "'%s' is a particle: a joint holds it at its origin", pose->name);
        return -1;
    }
    if (model->space == RBV_PLANAR)
        return rbv_model_add_raw_marker(model, pose->name, body, local, pose->particle ? 0 : angle - pose->angle);
    RbvQuat rotation = rbv_quat_identity();
    if (def->has_axis) {
        RbvMat3 frame;
        RbvVec3 z = {def->axis[0], def->axis[1], def->axis[2]};
        if (!rbv_frame_of_axes(z, rbv_vec3(1, 0, 0), &frame) && !rbv_frame_of_axes(z, rbv_vec3(0, 1, 0), &frame)) {
            rbv_source_error(source, "axis", "the axis of joint '%s' has no direction", def->name);
            return -1;
        }
        rotation = rbv_quat_of_mat3(&frame);
    }
    rotation = rbv_quat_product(rbv_quat_conjugate(pose->rotation), rotation);
    return rbv_model_add_raw_frame(model, pose->name, body, local, pose->particle ? rbv_quat_identity() : rotation);
}

static bool check_positive(double value, const char *path, const char *what, const RbvSource *source) {
    if (value > 0 && isfinite(value))
        return true;
    rbv_source_error(source, path, "%s must be positive", what);
    return false;
}

/* Check and set the wheels of a gear: radii, or teeth that divide the initial centre distance; pressure and helix
 * angle. */
static bool check_wheels(const RbvJointDef *def, RbvJoint *joint, const RbvSource *source) {
    bool radii = !isnan(def->radii[0]) || !isnan(def->radii[1]), teeth = !isnan(def->teeth[0]) || !isnan(def->teeth[1]);
    if (radii == teeth) {
        rbv_source_error(source, radii ? "teeth" : NULL,
                         radii ? "gear '%s' has radii and teeth; one of them is enough"
                               : "gear '%s' needs radii: [first, second], or teeth:",
                         def->name);
        return false;
    }
    const char *path = radii ? "radii" : "teeth";
    const double *given = radii ? def->radii : def->teeth;
    if (!check_positive(given[0], path, path, source) || !check_positive(given[1], path, path, source))
        return false;
    memcpy(joint->sizes->radii, def->radii, sizeof joint->sizes->radii);
    memcpy(joint->sizes->teeth, def->teeth, sizeof joint->sizes->teeth);
    if (def->internal && given[0] == given[1]) {
        rbv_source_error(source, path, "the wheels of an internal gear must differ in size");
        return false;
    }
    joint->internal = def->internal;
    joint->sizes->pressure_angle = def->pressure_angle;
    joint->sizes->helix_angle = def->helix_angle;
    if (!(def->pressure_angle >= 0 && def->pressure_angle < 1.5)) {
        rbv_source_error(source, "pressure_angle", "a pressure angle lies between 0 and 85 deg, commonly 20 deg");
        return false;
    }
    if (!(fabs(def->helix_angle) < 1.5)) {
        rbv_source_error(source, "helix_angle", "a helix angle lies between -85 and 85 deg");
        return false;
    }
    return true;
}

/* Store an outline as two splines over the accumulated chord length [m], with the side of the material. */
static RbvStatus add_outline(RbvModel *model, RbvCam *cam, int side, const RbvCurveDef *curve, const char *path,
                             const RbvSource *source) {
    int32_t n = curve->count;
    double *s = rbv_arena_alloc(&model->arena, ((size_t)n + 1) * sizeof *s);
    if (!s)
        return rbv_model_no_memory(model);
    double area = 0;
    for (int32_t k = 1; k < n; k++) {
        double chord = hypot(hypot(curve->x[k] - curve->x[k - 1], curve->y[k] - curve->y[k - 1]),
                             curve->z ? curve->z[k] - curve->z[k - 1] : 0);
        if (!(chord > 0) || !isfinite(chord)) {
            rbv_source_error(source, path, "the curve's points %d and %d coincide or are not finite", (int)k,
                             (int)k + 1);
            return rbv_model_wrong(model);
        }
        s[k] = s[k - 1] + chord;
        area += 0.5 * (curve->x[k - 1] * curve->y[k] - curve->x[k] * curve->y[k - 1]);
    }
    if (n < (curve->closed ? 5 : 4)) {
        rbv_source_error(source, path, "a curve needs at least %d points", curve->closed ? 5 : 4);
        return rbv_model_wrong(model);
    }
    double seam = hypot(hypot(curve->x[n - 1] - curve->x[0], curve->y[n - 1] - curve->y[0]),
                        curve->z ? curve->z[n - 1] - curve->z[0] : 0);
    if (curve->closed && seam > 1e-9 * s[n - 1]) {
        rbv_source_error(source, path, "a closed curve's last point repeats its first; here they are %g m apart", seam);
        return rbv_model_wrong(model);
    }
    RbvStatus status;
    cam->x[side] = rbv_spline_create("curve", n, s, curve->x, curve->closed, RBV_OUTSIDE_ERROR, &status);
    if (status == RBV_OK)
        cam->y[side] = rbv_spline_create("curve", n, s, curve->y, curve->closed, RBV_OUTSIDE_ERROR, &status);
    if (status == RBV_OK && curve->z)
        cam->z = rbv_spline_create("curve", n, s, curve->z, curve->closed, RBV_OUTSIDE_ERROR, &status);
    if (status != RBV_OK)
        return status == RBV_NO_MEMORY ? rbv_model_no_memory(model) : rbv_model_wrong(model);
    cam->span[side] = s[n - 1];
    cam->closed[side] = curve->closed;
    cam->side[side] = curve->closed && area < 0 ? -1 : 1;
    return RBV_OK;
}

static RbvStatus add_cam(RbvModel *model, const RbvJointDef *def, RbvJoint *joint, const RbvSource *source) {
    int32_t k = rbv_model_grow(model, &model->cams, sizeof(RbvCam));
    if (k < 0)
        return rbv_model_no_memory(model);
    joint->cam = k;
    RbvCam *cam = &model->cams.items[k];
    if (model->refill) { /* curves are not read again */
        joint->track = cam->z != NULL;
        return RBV_OK;
    }
    cam->flat = def->flat;
    if (def->curve.count == 0) {
        rbv_source_error(source, NULL, "cam '%s' needs the outline of its first body: curve: {file, x, y, closed}",
                         def->name);
        return rbv_model_wrong(model);
    }
    if (def->flat && def->curve2.count > 0) {
        rbv_source_error(source, "flat", "the follower of cam '%s' is a flat or a curve2, not both", def->name);
        return rbv_model_wrong(model);
    }
    cam->revolved = def->curve.revolved;
    joint->track = def->curve.z != NULL;
    if (joint->track || cam->revolved) {
        const char *what = joint->track ? "a curve of space" : "a surface of revolution";
        if (def->flat || def->curve2.count > 0 || (joint->track && cam->revolved)) {
            rbv_source_error(source, "curve", "the follower of cam '%s' on %s is a point: without flat and curve2%s",
                             def->name, what, joint->track ? ", and without revolved" : "");
            return rbv_model_wrong(model);
        }
        for (int32_t n = 0; cam->revolved && n < def->curve.count; n++)
            if (!(def->curve.x[n] >= 0)) {
                rbv_source_error(source, "curve",
                                 "the outline of cam '%s' is turned about z, so that its x are distances, 0 or more",
                                 def->name);
                return rbv_model_wrong(model);
            }
    }
    RbvStatus status = add_outline(model, cam, 0, &def->curve, "curve", source);
    if (status == RBV_OK && def->curve2.count > 0)
        status = add_outline(model, cam, 1, &def->curve2, "curve2", source);
    return status;
}

/* "x, y and rz" or all six. */
static const char *direction_list(const RbvJoint *joint) {
    return joint->spatial ? "x, y, z, rx, ry and rz" : "x, y and rz";
}

static bool check_locked(const RbvJointDef *def, RbvJoint *joint, const RbvSource *source) {
    bool good = true;
    if (def->locked_count == 0) {
        rbv_source_error(source, NULL, "joint '%s' of type general needs locked:, a list of %s", def->name,
                         direction_list(joint));
        return false;
    }
    for (int32_t k = 0; k < def->locked_count; k++) {
        int direction = rbv_direction_find(def->locked[k]);
        if (direction < 0 || !((joint->spatial ? RBV_DIRECTIONS_ALL : RBV_DIRECTIONS_PLANAR) >> direction & 1)) {
            rbv_source_error(source, "locked", "'%s' is no direction of %s; there are %s", def->locked[k],
                             joint->spatial ? "space" : "the plane", direction_list(joint));
            good = false;
        } else if (joint->locks >> direction & 1) {
            rbv_source_error(source, "locked", "'%s' is locked twice", def->locked[k]);
            good = false;
        } else {
            joint->locks = (uint8_t)(joint->locks | 1u << direction);
        }
    }
    int turns = joint->locks & RBV_DIRECTIONS_TURNS;
    if (good && joint->spatial && turns && (turns & (turns - 1)) == 0) {
        rbv_source_error(
            source, "locked",
            "one turn alone cannot be locked in space: two of rx, ry, rz align the third axis, three hold all");
        good = false;
    }
    return good;
}

/* Check and set the pitch [m] of a screw or worm. */
static bool check_pitch(const RbvJointDef *def, RbvJoint *joint, const RbvSource *source) {
    joint->sizes->pitch = def->pitch;
    if (isfinite(def->pitch) && def->pitch != 0)
        return true;
    rbv_source_error(source, isnan(def->pitch) ? NULL : "pitch",
                     "%s '%s' needs its pitch: (advance per turn, right-handed positive), not 0", joint->kind->name,
                     def->name);
    return false;
}

static bool check_belt(const RbvJointDef *def, RbvJoint *joint, const RbvSource *source) {
    if (isnan(def->radii[0]) || isnan(def->radii[1])) {
        rbv_source_error(source, NULL, "belt '%s' needs radii: [first, second]", def->name);
        return false;
    }
    memcpy(joint->sizes->radii, def->radii, sizeof joint->sizes->radii);
    joint->crossed = def->crossed;
    joint->sizes->preload = def->preload;
    if (!(def->preload >= 0) || !isfinite(def->preload)) {
        rbv_source_error(source, "preload", "a belt's preload is a tension: 0 or more");
        return false;
    }
    return check_positive(def->radii[0], "radii", "radii", source) &&
           check_positive(def->radii[1], "radii", "radii", source);
}

static bool check_form(RbvModel *model, const RbvJointDef *def, RbvJoint *joint, const RbvSource *source) {
    switch (joint->form) {
    case RBV_FORM_LOCKS:
        if (strcmp(joint->kind->name, "general") == 0)
            return check_locked(def, joint, source);
        return joint->extra != RBV_EXTRA_SCREW || check_pitch(def, joint, source);
    case RBV_FORM_DISTANCE:
        if (!isnan(def->length) && !check_positive(def->length, "length", "a length", source))
            return false;
        joint->sizes->length = def->length;
        return true;
    case RBV_FORM_GEAR:
        joint->carrier = 0;
        if (def->carrier)
            joint->carrier = rbv_model_find_body(model, def->carrier, "carrier", source);
        if (strcmp(joint->kind->name, "worm") == 0 && !check_pitch(def, joint, source))
            return false;
        joint->sizes->pitch = def->pitch;
        return joint->carrier >= 0 && check_wheels(def, joint, source);
    case RBV_FORM_BELT: return check_belt(def, joint, source);
    case RBV_FORM_RACK:
        if (isnan(def->radius)) {
            rbv_source_error(source, NULL, "rack '%s' needs the pinion's radius:", def->name);
            return false;
        }
        joint->sizes->radii[1] = def->radius;
        return check_positive(def->radius, "radius", "a radius", source);
    case RBV_FORM_ROLL:
        if (isnan(def->radius)) {
            rbv_source_error(source, NULL, "%s '%s' needs its radius:", joint->kind->name, def->name);
            return false;
        }
        joint->sizes->radii[1] = def->radius;
        joint->ball = strcmp(joint->kind->name, "ball") == 0;
        joint->lateral = def->lateral || joint->ball;
        return check_positive(def->radius, "radius", "a radius", source);
    case RBV_FORM_EDGE:
        if (!def->lateral)
            rbv_source_error(source, "lateral", "%s '%s' would hold nothing without its lateral row", joint->kind->name,
                             def->name);
        return def->lateral;
    case RBV_FORM_POINT:
    case RBV_FORM_CAM: return true;
    case RBV_FORM_COUNT: break;
    }
    return false;
}

/* Add the damping of the joint's free directions as a separate load. */
static bool add_joint_damping(RbvModel *model, const RbvJointDef *def, int32_t index, const RbvSource *source) {
    if (def->damping_count == 0)
        return true;
    RbvJoint joint = model->joints.items[index];
    int free_directions[6], count = 0;
    for (int direction = 0; direction < 6; direction++)
        if ((joint.spatial ? RBV_DIRECTIONS_ALL : RBV_DIRECTIONS_PLANAR) >> direction & 1 &&
            !(joint.locks >> direction & 1))
            free_directions[count++] = direction;
    if (joint.extra == RBV_EXTRA_SCREW) /* one freedom: the angle */
        free_directions[0] = 5, count = 1;
    if (!rbv_forms[joint.form].directions || def->damping_count != count) {
        int coordinates = rbv_forms[joint.form].directions ? count : 0;
        rbv_source_error(source, "damping", "joint '%s' has %d free coordinate%s, so damping is %s", def->name,
                         coordinates, count == 1 ? "" : "s",
                         count == 0 || !rbv_forms[joint.form].directions ? "not possible; use a load"
                                                                         : "that many numbers");
        return false;
    }
    int32_t k = rbv_model_grow(model, &model->loads, sizeof(RbvLoad));
    if (k < 0)
        return false; /* out of memory, remembered by rbv_model_grow */
    RbvLoad *load = &model->loads.items[k];
    load->kind = RBV_LOAD_DAMPING;
    load->joint = index;
    load->marker[0] = joint.marker[0];
    load->marker[1] = joint.marker[1];
    load->measure_count = count;
    load->where = joint.where;
    for (int part = 0; part < count; part++) {
        load->measure[part] =
            rbv_model_direction_measure(model, joint.marker[0], joint.marker[1], free_directions[part], joint.locks);
        load->damping[part] = def->damping[part];
        if (load->measure[part] < 0)
            return false;
        if (!(def->damping[part] >= 0) || !isfinite(def->damping[part])) {
            rbv_source_error(source, "damping", "a damping is 0 or more");
            return false;
        }
        for (int side = 0; side < 2 && free_directions[part] > 2 && def->damping[part] > 0; side++)
            if (model->bodies.items[model->markers.items[joint.marker[side]].body].particle) {
                rbv_source_error(source, "damping", "joint '%s' cannot damp %s: a particle does not turn", def->name,
                                 rbv_direction_name(free_directions[part]));
                return false;
            }
    }
    return true;
}

const RbvLoose rbv_rigid = {.penalty = 1};

/* Store compliance and misfit unless the joint is rigid and stays so. False: out of memory. */
static bool keep_loose(RbvModel *model, RbvJoint *joint, const RbvLoose *loose) {
    bool rigid = loose->penalty == 1;
    for (int k = 0; k < 6; k++)
        rigid = rigid && loose->compliance[k][0] == 0 && loose->compliance[k][1] == 0 && loose->misfit[k] == 0;
    if (rigid && !model->journal)
        return true;
    joint->loose = rbv_arena_alloc(&model->arena, sizeof *joint->loose);
    if (joint->loose)
        *joint->loose = *loose;
    model->no_memory = model->no_memory || !joint->loose;
    return joint->loose != NULL;
}

static const RbvJointSizes plain_sizes = {.length = NAN, .friction_normal = NAN};

/* Store the sizes of a joint; joints with default sizes share the model's. False: out of memory. */
static bool keep_sizes(RbvModel *model, RbvJoint *joint, const RbvJointSizes *sizes) {
    bool plain = !model->journal && memcmp(sizes, &plain_sizes, sizeof *sizes) == 0;
    joint->sizes = plain && model->plain ? model->plain : rbv_arena_alloc(&model->arena, sizeof *sizes);
    model->no_memory = model->no_memory || !joint->sizes;
    if (!joint->sizes)
        return false;
    *joint->sizes = *sizes;
    model->plain = plain ? joint->sizes : model->plain;
    return true;
}

/* Smallest penalty factor; the largest is its inverse. Beyond, rounding of the stiffest rows (1e-16 of their
 * stiffness) hides the softest. */
#define LEAST_PENALTY 1e-6

/* Check compliance, misfit and penalty, which determine the share of a redundant joint. A compliance must be in a
 * locked direction. */
static bool check_contact(const RbvJointDef *def, RbvJoint *joint, RbvLoose *loose, const RbvSource *source) {
    static const char *const names[6] = {"x", "y", "z", "rx", "ry", "rz"};
    const RbvFormTraits *form = &rbv_forms[joint->form];
    uint8_t held = form->directions ? joint->locks : form->compliant[joint->spatial];
    bool good = true;
    loose->penalty = def->penalty;
    if (!(def->penalty >= LEAST_PENALTY && def->penalty <= 1 / LEAST_PENALTY)) {
        rbv_source_error(
            source, "penalty",
            "a penalty is a factor from %g to %g, by which the rows of the joint are stiffer than others; it is %g",
            LEAST_PENALTY, 1 / LEAST_PENALTY, def->penalty);
        good = false;
    }
    for (int k = 0; k < 6; k++) {
        double least = def->compliance[k], most = fmax(def->compliance_most[k], least);
        loose->compliance[k][0] = least;
        loose->compliance[k][1] = most;
        loose->misfit[k] = def->misfit[k];
        if (!(least >= 0) || !isfinite(most) || (def->compliance_most[k] > 0 && def->compliance_most[k] < least) ||
            (least == 0 && most > 0)) {
            rbv_source_error(source, "compliance",
                             "a compliance is 0 (rigid) or more, a range least first and above 0");
            good = false;
        }
        if (!isfinite(def->misfit[k])) {
            rbv_source_error(source, "misfit", "a misfit must be a finite number");
            good = false;
        }
        if (!(held >> k & 1) && (most > 0 || def->misfit[k] != 0)) {
            rbv_source_error(source, most > 0 ? "compliance" : "misfit",
                             "joint '%s' does not hold %s, so that there is nothing to be %s there", def->name,
                             names[k], most > 0 ? "compliant" : "out of fit");
            good = false;
        }
    }
    return good;
}

/* Does friction of a turning surface need the orientation of a particle? */
static bool turns_a_particle(const RbvModel *model, const RbvJoint *joint) {
    bool turns = false;
    for (int k = 0; k < RBV_MOST_SLIP_DIRECTIONS; k++)
        turns = turns ||
                (rbv_friction_surfaces_slide(&joint->friction_law->surfaces[0], k, joint->sizes->friction_radius) &&
                 joint->friction_law->surfaces[0].direction[k] >= 3);
    for (int side = 0; side < 2; side++)
        if (turns && model->bodies.items[model->markers.items[joint->marker[side]].body].particle)
            return true;
    return false;
}

/* Check keys of some kinds only: `friction_normal`, where the model has no normal load; a belt's preload. */
static bool check_pressing(const RbvJointDef *def, const RbvJoint *joint, const RbvSource *source) {
    bool given = joint->friction_law->surfaces[0].press == RBV_PRESS_GIVEN,
         belt = joint->friction_law->surfaces[0].press == RBV_PRESS_WRAP;
    if (given && !(def->friction_normal >= 0 && isfinite(def->friction_normal)))
        rbv_source_error(source, "friction",
                         "friction of '%s' needs the load on it, 0 or more, which nothing in the model tells: "
                         "friction: {coefficient, normal}",
                         def->name);
    else if (!given && def->friction_normal != 0 && !isnan(def->friction_normal))
        rbv_source_error(source, "friction",
                         "friction of '%s' has no normal: its load is that of the joint's reaction%s", def->name,
                         belt ? ", here of its preload" : "");
    else if (belt && joint->sizes->friction_static != joint->sizes->friction)
        rbv_source_error(source, "friction",
                         "belt '%s' creeps before it slips, so that there is no static coefficient of friction",
                         def->name);
    else if (belt && joint->sizes->friction > 0 && !(joint->sizes->preload > 0))
        rbv_source_error(source, "friction", "friction of belt '%s' needs its preload, the mean pull of both strands",
                         def->name);
    else if (belt && def->unilateral)
        rbv_source_error(source, "friction", "belt '%s' is unilateral and has friction: only one of them goes",
                         def->name);
    else
        return true;
    return false;
}

/* Find the friction law of the joint (kinds.h), and check and set its numbers. */
static bool check_friction(const RbvModel *model, const RbvJointDef *def, RbvJoint *joint, const RbvSource *source) {
    const char *why = "";
    joint->has_friction = !isnan(def->friction_coefficient) && !joint->unknown;
    joint->sizes->friction_radius = def->friction_radius;
    joint->friction_law = joint->has_friction ? rbv_friction_law_find(model, joint, &why) : NULL;
    joint->sizes->friction = joint->has_friction ? def->friction_coefficient : 0;
    joint->sizes->friction_static = !joint->has_friction          ? 0
                                    : isnan(def->friction_static) ? joint->sizes->friction
                                                                  : def->friction_static;
    joint->sizes->friction_normal = def->friction_normal;
    joint->has_friction =
        joint->has_friction &&
        (joint->friction_law || joint->sizes->friction != 0); /* no friction where the joint cannot have any */
    if (!joint->has_friction)
        return true;
    if (!joint->friction_law)
        rbv_source_error(source, "friction", "the %s joint '%s' has no friction: %s", joint->kind->name, def->name,
                         why);
    else if (!(joint->sizes->friction >= 0) || !isfinite(joint->sizes->friction) || !(def->friction_radius >= 0) ||
             !isfinite(def->friction_radius))
        rbv_source_error(source, "friction", "a coefficient of friction and its radius are 0 or more");
    else if (!(joint->sizes->friction_static >= joint->sizes->friction && isfinite(joint->sizes->friction_static)))
        rbv_source_error(source, "friction",
                         "the static coefficient of friction is no smaller than the one of sliding");
    else if (joint->friction_law->radius == RBV_RADIUS_MUST && joint->sizes->friction > 0 &&
             !(def->friction_radius > 0))
        rbv_source_error(source, "friction", "friction in '%s' needs the radius %s: friction: {coefficient, radius}",
                         def->name, joint->friction_law->meaning);
    else if (joint->friction_law->radius == RBV_RADIUS_NONE && def->friction_radius > 0)
        rbv_source_error(source, "friction", "friction of '%s' has no radius: %s", def->name,
                         joint->friction_law->own ? "it acts where the contact is" : "nothing that turns rubs");
    else if (joint->sizes->friction > 0 && turns_a_particle(model, joint))
        rbv_source_error(source, "friction", "joint '%s' cannot rub about an axis: a particle does not turn",
                         def->name);
    else if (check_pressing(def, joint, source))
        return true;
    return joint->has_friction = false;
}

/* Check that sides whose orientation the joint needs are not particles. */
static bool check_directions(const RbvModel *model, const RbvJoint *joint, const RbvSource *source) {
    bool locked = joint->locks & RBV_DIRECTIONS_TURNS || joint->extra != RBV_EXTRA_NONE;
    const bool needed[2] = {locked, locked || rbv_forms[joint->form].second_turns};
    for (int side = 0; side < 2; side++) {
        const RbvBody *body = &model->bodies.items[model->markers.items[joint->marker[side]].body];
        if (!needed[side] || !body->particle)
            continue;
        rbv_source_error(source, side ? "between/1" : "between/0",
                         "'%s' is a particle: it has no direction that joint '%s' could hold", body->name, joint->name);
        return false;
    }
    return true;
}

/* Check a unilateral joint: it must have a single row with a line of force. */
static bool check_unilateral(const RbvJointDef *def, RbvJoint *joint, const RbvSource *source) {
    bool one = rbv_forms[joint->form].one_sided != 0 && !joint->track;
    joint->unilateral = def->unilateral && one;
    joint->sizes->restitution = def->restitution;
    if (def->unilateral && !one && !joint->unknown)
        rbv_source_error(source, "unilateral",
                         "joint '%s' cannot be unilateral: points, cams in a plane, links, distances, belts and, in "
                         "space, wheels and balls can",
                         def->name);
    else if (!(def->restitution >= 0 && def->restitution <= 1))
        rbv_source_error(source, "restitution", "the restitution of joint '%s' lies between 0 and 1, not %g", def->name,
                         def->restitution);
    else if (def->restitution > 0 && !def->unilateral)
        rbv_source_error(source, "restitution",
                         "joint '%s' has a restitution but cannot let go: unilateral: true is missing", def->name);
    else
        return true;
    return false;
}

/* Check and enter the joint at `index`; its sizes are in *sizes meanwhile. */
static RbvStatus enter_joint(RbvModel *model, const RbvJointDef *def, const char *name, int32_t index,
                             RbvJointSizes *sizes, const RbvSource *source) {
    RbvJoint *joint = &model->joints.items[index];
    joint->sizes = sizes;
    joint->name = name;
    joint->where = rbv_source_position(source, NULL, 0);
    joint->cam = -1;
    joint->sizes->value = def->value;
    const RbvJointKind *kind = find_kind(def->type ? def->type : "", model->space == RBV_SPATIAL, source);
    joint->kind = kind ? kind : rbv_joint_kind_at(0);
    joint->unknown = !kind;
    joint->spatial = model->space == RBV_SPATIAL;
    const RbvJointNature *nature = rbv_joint_nature(joint->kind, joint->spatial);
    joint->form = nature->form;
    joint->locks = nature->locks;
    joint->extra = nature->extra;
    joint->coordinates = nature->coordinates;
    joint->mesh = -1;
    bool good = kind != NULL;
    for (int side = 0; side < 2; side++) {
        int32_t marker = joint_marker(model, def, side, source);
        model->joints.items[index].marker[side] = marker < 0 ? 0 : marker;
        good = good && marker >= 0;
    }
    joint = &model->joints.items[index];
    if (good && model->markers.items[joint->marker[0]].body == model->markers.items[joint->marker[1]].body) {
        rbv_source_error(source, "between", "joint '%s' lies between body '%s' and itself; it needs two bodies", name,
                         model->bodies.items[model->markers.items[joint->marker[0]].body].name);
        good = false;
    }
    if (!isfinite(def->value)) {
        rbv_source_error(source, "value", "the value held must be a finite number");
        good = false;
    }
    good = kind != NULL && check_form(model, def, joint, source) && good;
    good = good && check_directions(model, joint, source);
    if (good && joint->spatial && rbv_forms[joint->form].wheels)
        good = rbv_add_mesh(model, def, joint, source);
    if (good && joint->spatial && rbv_forms[joint->form].rack)
        good = rbv_add_rack(model, joint, source);
    if (kind && rbv_forms[joint->form].outlines) {
        RbvStatus status = add_cam(model, def, joint, source);
        if (status != RBV_OK)
            return status;
    }
    RbvLoose loose;
    good = check_contact(def, joint, &loose, source) && good;
    good = check_friction(model, def, joint, source) && good;
    good = keep_loose(model, joint, &loose) && good;
    good = check_unilateral(def, joint, source) && good;
    good = good && add_joint_damping(model, def, index, source);
    return good ? RBV_OK : rbv_model_wrong(model);
}

RbvStatus rbv_insert_joint(RbvModel *model, const RbvJointDef *def, const RbvSource *source) {
    int32_t index;
    const char *name =
        rbv_model_enter_name(model, def->name, RBV_NAMED_JOINT, &model->joints, sizeof(RbvJoint), &index, source);
    if (!name)
        return rbv_model_wrong(model);
    RbvJointSizes sizes = plain_sizes;
    RbvStatus status = enter_joint(model, def, name, index, &sizes, source);
    return keep_sizes(model, &model->joints.items[index], &sizes) ? status : rbv_model_wrong(model);
}

RbvStatus rbv_model_add_joint(RbvModel *model, const RbvJointDef *def, RbvDiagnostics *diagnostics) {
    RbvSource source = rbv_plain_source(diagnostics);
    return model && def ? rbv_insert_joint(model, def, &source) : RBV_BAD_ARGUMENT;
}
