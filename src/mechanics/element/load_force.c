/* A force F at a marker, or a torque T on a body, along ground's axes or the body's.
 *
 * The wrench about the centroid is (F, arm x F), or (0, T). In the plane a torque has its z component only. At rest a
 * constant force has the energy -F.p, and in the plane a constant torque -T theta; in space a constant torque has none.
 */
#include "mechanics/element/load.h"

static bool is_torque(const RbvLoad *load) {
    return load->kind == RBV_LOAD_TORQUE;
}

/* The direction of component k, in ground axes. */
static RbvVec3 direction(const RbvConfiguration *at, const RbvLoad *load, int k) {
    bool flat = is_torque(load) && at->model->space == RBV_PLANAR;
    RbvVec3 unit = rbv_axis(flat ? 2 : k);
    return load->body_frame ? rbv_apply(&at->bodies[at->markers[load->marker[0]].body].A, unit) : unit;
}

static void force(const RbvConfiguration *at, const RbvLoad *load, RbvWrench *wrenches, double *value) {
    const RbvMarkerState *marker = &at->markers[load->marker[0]];
    double part[3] = {0, 0, 0}; /* in the plane there are fewer */
    for (int k = 0; k < 3 && load->value[k]; k++)
        part[k] = value[k] = rbv_configuration_value(at, load->value[k], NULL);
    RbvVec3 v = rbv_vec3(part[0], part[1], part[2]), zero = {0, 0, 0};
    if (is_torque(load) && at->model->space == RBV_PLANAR)
        v = rbv_vec3(0, 0, part[0]);
    if (load->body_frame)
        v = rbv_apply(&at->bodies[marker->body].A, v);
    rbv_push_body(wrenches, marker->body, is_torque(load) ? (RbvWrench){zero, v} : rbv_wrench_at(marker->arm, v, zero));
}

static void spread(const RbvConfiguration *at, const RbvLoad *load, const double *value, RbvMat3 *moments) {
    const RbvMarkerState *marker = &at->markers[load->marker[0]];
    RbvVec3 v = rbv_vec3(value[0], 0, 0);
    if (load->value[1])
        v.y = value[1];
    if (load->value[1] && load->value[2])
        v.z = value[2];
    rbv_spread_force(moments, marker->body, load->body_frame ? rbv_apply(&at->bodies[marker->body].A, v) : v,
                     marker->arm);
}

/* Stiffness from the rotation of the body, for the force or torque v. */
static void turning(const RbvStiffness *K, const RbvLoad *load, const RbvMarkerState *marker, RbvVec3 v) {
    double block[6][6] = {{0}};
    RbvVec3 T = is_torque(load) ? v : rbv_cross(marker->arm, v);
    for (int k = 0; k < 3; k++) {
        RbvVec3 turn = rbv_axis(k), dT = {0, 0, 0};
        if (load->body_frame) {
            dT = rbv_cross(turn, T);
            if (!is_torque(load))
                rbv_block_set(block, 0, 3 + k, rbv_scale(-1, rbv_cross(turn, v)));
        } else if (!is_torque(load)) {
            dT = rbv_cross(rbv_cross(turn, marker->arm), v);
        }
        rbv_block_set(block, 3, 3 + k, rbv_scale(-1, rbv_add_scaled(dT, 0.5, rbv_cross(T, turn))));
    }
    rbv_stiffness_block(K, marker->body, marker->body, 1, &block[0][0], 6);
    rbv_stiffness_end(K);
}

/* Stiffness from the coordinates that the expression of component k reads; returns its value. */
static double depending(const RbvStiffness *K, const RbvLoad *load, int k, const RbvMarkerState *marker, RbvVec3 unit) {
    const RbvExpr *expr = load->value[k];
    RbvWrench wrench = is_torque(load) ? (RbvWrench){{0, 0, 0}, unit} : (RbvWrench){unit, rbv_cross(marker->arm, unit)};
    RbvJet f = rbv_configuration_jet(K->at, expr, NULL);
    for (int32_t u = 0; u < f.count; u++) {
        RbvVariable variable = rbv_variable_of(K->at->model, expr, u);
        if (variable.kind == RBV_VARIABLE_COORDINATE && variable.part == 0)
            rbv_stiffness_wrench_outer(K, marker->body, wrench, variable.index, -f.gradient[u]);
    }
    rbv_stiffness_end(K);
    return f.value;
}

static void stiffness(const RbvStiffness *K, const RbvLoad *load) {
    const RbvMarkerState *marker = &K->at->markers[load->marker[0]];
    RbvVec3 sum = {0, 0, 0};
    for (int k = 0; k < 3 && load->value[k]; k++) {
        RbvVec3 unit = direction(K->at, load, k);
        sum = rbv_add_scaled(sum, depending(K, load, k, marker, unit), unit);
    }
    turning(K, load, marker, sum);
}

static double turned_by(const RbvBodyState *body) {
    return rbv_turns_angle((RbvTurns){body->turn, body->whole}, NULL);
}

static double energy(const RbvConfiguration *at, const RbvLoad *load) {
    const RbvMarkerState *marker = &at->markers[load->marker[0]];
    const double place[3] = {marker->point.x, marker->point.y, marker->point.z};
    double V = 0;
    for (int k = 0; k < 3 && load->value[k]; k++)
        V -= rbv_configuration_value(at, load->value[k], NULL) *
             (is_torque(load) ? turned_by(&at->bodies[marker->body]) : place[k]);
    return V;
}

static bool force_has_energy(const RbvModel *model, const RbvLoad *load) {
    return !rbv_load_varies(model, load) && !load->body_frame;
}

static bool torque_has_energy(const RbvModel *model, const RbvLoad *load) {
    return !rbv_load_varies(model, load) && model->space == RBV_PLANAR;
}

const RbvLoadFormulas rbv_load_force = {force, stiffness, energy, force_has_energy, spread};
const RbvLoadFormulas rbv_load_torque = {force, stiffness, energy, torque_has_energy, NULL};
