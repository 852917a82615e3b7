/* Checks the centre distances of gears and belts; see wheels.h. */
#include "solution/assembly/wheels.h"

#include "core/base/diagnostics.h"
#include "solution/assembly/freedom.h"

/* Relative to the radii: tolerance for radii written with seven digits or more. */
#define RADII_FIT 1e-6

static double distance_of(const RbvState *state, const RbvJoint *joint) {
    return rbv_norm(rbv_sub(state->markers[joint->marker[1]].point, state->markers[joint->marker[0]].point));
}

static bool radii_fit(const RbvState *state, int32_t k, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    const RbvJoint *joint = &model->joints.items[k];
    const double *r = state->system->wheel[k];
    double distance = distance_of(state, joint);
    if (joint->form == RBV_FORM_GEAR) {
        double requested = joint->internal ? fabs(r[0] - r[1]) : r[0] + r[1];
        if (fabs(distance - requested) <= RADII_FIT * requested)
            return true;
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, joint->where,
                     "the radii of gear '%s' do not fit: the centres are %.9g m apart, the pitch circles want %.9g m "
                     "(%s of the radii)",
                     joint->name, distance, requested, joint->internal ? "difference" : "sum");
        return false;
    }
    double least = joint->crossed ? r[0] + r[1] : fabs(r[0] - r[1]);
    if (distance > least)
        return true;
    rbv_diagnose(
        diagnostics, RBV_ERROR, model->file, joint->where,
        "the pulleys of belt '%s' lie inside each other: the centres are %.9g m apart, they must be more than %.9g m",
        joint->name, distance, least);
    return false;
}

static bool distance_held(RbvState *state, int32_t k, RbvFreedom *freedom, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    const RbvJoint *joint = &model->joints.items[k];
    RbvMeasure distance = {RBV_MEASURE_DISTANCE, {joint->marker[0], joint->marker[1]}, 0};
    if (!rbv_freedom_is_free(freedom, state, &distance))
        return true;
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, joint->where,
                 "nothing holds the centre distance of %s '%s': its wheels need bearings on one carrier",
                 joint->kind->name, joint->name);
    return false;
}

/* True if the line of centres turns with the carrier: both centres are fixed on the carrier. */
static bool carrier_holds(RbvState *state, int32_t k, RbvFreedom *freedom, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    const RbvJoint *joint = &model->joints.items[k];
    if (joint->form != RBV_FORM_GEAR)
        return true;
    int32_t on_carrier = -1;
    for (int32_t m = 0; m < model->markers.count && on_carrier < 0; m++)
        if (model->markers.items[m].body == joint->carrier && state->markers[m].body == joint->carrier)
            on_carrier = m;
    bool moves = false;
    /* a carrier that no joint touches has no evaluated marker and cannot hold a centre */
    if (joint->carrier != 0 && on_carrier < 0)
        moves = true;
    for (int axis = 0; axis < 2 && on_carrier >= 0 && !moves; axis++)
        for (int side = 0; side < 2; side++) {
            RbvMeasure place = {RBV_MEASURE_OFFSET, {on_carrier, joint->marker[side]}, axis};
            if (model->markers.items[joint->marker[side]].body != joint->carrier &&
                rbv_freedom_is_free(freedom, state, &place))
                moves = true;
        }
    if (!moves)
        return true;
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, joint->where,
                 "the wheels of gear '%s' do not turn on '%s': their centres move against it; name the body that "
                 "carries them with carrier:",
                 joint->name, model->bodies.items[joint->carrier].name);
    return false;
}

/* True if each spatial wheel can only turn about its seat on the carrier, and is where it was in the starting pose. */
static bool seats_hold(RbvState *state, int32_t k, RbvFreedom *freedom, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    const RbvJoint *joint = &model->joints.items[k];
    const RbvMesh *mesh = &model->meshes.items[joint->mesh];
    const char *carrier = model->bodies.items[joint->carrier].name;
    for (int side = 0; side < 2; side++)
        for (int part = 0; part < 5; part++) {
            RbvMeasure measure = {part < 3 ? RBV_MEASURE_OFFSET : RBV_MEASURE_TILT,
                                  {mesh->seat[side], joint->marker[side]},
                                  part < 3 ? part : part + 3};
            RbvMeasureMemory memory = {0, {NAN, NAN}};
            RbvMeasureState measured;
            const char *body = model->bodies.items[model->markers.items[joint->marker[side]].body].name;
            if (part == 2 && mesh->parallel) /* along parallel axes wheels may slide */
                continue;
            if (rbv_freedom_is_free(freedom, state, &measure)) {
                rbv_diagnose(
                    diagnostics, RBV_ERROR, model->file, joint->where,
                    "nothing holds the axis of '%s' against '%s': the wheels of %s '%s' need bearings on one carrier%s",
                    body, carrier, joint->kind->name, joint->name,
                    joint->form == RBV_FORM_GEAR ? "; name it with carrier:" : ", ground");
                return false;
            }
            rbv_measure_place(&measure, model, state->markers, &memory, &measured);
            if (fabs(measured.value) <= RADII_FIT * (part < 3 ? joint->sizes->radii[side] : 1))
                continue;
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, joint->where,
                         "the axis of '%s' lies elsewhere on '%s' than in the starting poses (off by %.3g %s): those "
                         "fix where the wheels of '%s' touch, so "
                         "they must fit the joints",
                         body, carrier, fabs(measured.value), part < 3 ? "m" : "rad", joint->name);
            return false;
        }
    return true;
}

RbvStatus rbv_check_wheels(RbvState *state, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    RbvFreedom *freedom = NULL;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < model->joints.count; k++) {
        RbvJointForm form = model->joints.items[k].form;
        if (form != RBV_FORM_GEAR && form != RBV_FORM_BELT)
            continue;
        if (!freedom) {
            /* the freedom of joints and constraints; drives may move a centre, but do not hold it */
            int32_t rows = model->drives.count > 0 ? system->drive_row[0] : system->row_count;
            freedom = rbv_freedom_create(state, rows, true);
            if (!freedom)
                return RBV_NO_MEMORY;
        }
        bool spatial = system->bodies.spatial,
             good = spatial ? seats_hold(state, k, freedom, diagnostics) : radii_fit(state, k, diagnostics);
        good = spatial ? good
                       : good && distance_held(state, k, freedom, diagnostics) &&
                             carrier_holds(state, k, freedom, diagnostics);
        if (!good)
            status = RBV_BAD_INPUT;
    }
    rbv_freedom_destroy(freedom);
    return status;
}
