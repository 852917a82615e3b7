/* A four-bar linkage built with Def structs, no file: a crank of 0.1 m turns a rocker of 0.25 m over a coupler of 0.3
 * m. */
#include <roberval/roberval.h>

#include <stdio.h>

/* A uniform bar with markers A and B at its ends; its frame is at A, x along the bar. */
static RbvStatus add_bar(RbvModel *model, const char *name, double mass, double length, double x, double y,
                         double angle, RbvDiagnostics *diagnostics) {
    RbvBodyDef bar = rbv_body_def_default;
    bar.name = name;
    bar.mass = mass;
    bar.centroid[0] = length / 2;
    bar.inertia[2] = mass * length * length / 12;
    bar.at[0] = x;
    bar.at[1] = y;
    bar.angle = angle;
    RbvStatus status = rbv_model_add_body(model, &bar, diagnostics);
    if (status == RBV_OK)
        status = rbv_model_add_marker(model, name, "A", (const double[3]){0, 0, 0}, 0, diagnostics);
    if (status == RBV_OK)
        status = rbv_model_add_marker(model, name, "B", (const double[3]){length, 0, 0}, 0, diagnostics);
    return status;
}

static RbvStatus add_hinge(RbvModel *model, const char *name, const char *first, const char *second,
                           RbvDiagnostics *diagnostics) {
    RbvJointDef hinge = rbv_joint_def_default;
    hinge.name = name;
    hinge.type = "revolute";
    hinge.between[0] = first;
    hinge.between[1] = second;
    return rbv_model_add_joint(model, &hinge, diagnostics);
}

/* Mistakes are collected: whatever is wrong here, rbv_system_create refuses the model and the diagnostics say why. */
static void add_linkage(RbvModel *model, RbvDiagnostics *diagnostics) {
    rbv_model_set_gravity(model, (const double[3]){0, -9.81, 0});
    rbv_model_set_motion(model, 0, 0.5, 0.01);
    rbv_model_add_marker(model, "ground", "O", (const double[3]){0, 0, 0}, 0, diagnostics);
    rbv_model_add_marker(model, "ground", "C", (const double[3]){0.35, 0, 0}, 0, diagnostics);
    add_bar(model, "crank", 0.5, 0.10, 0, 0, 1.57, diagnostics);
    add_bar(model, "coupler", 1.5, 0.30, 0, 0.1, 0.3, diagnostics);
    add_bar(model, "rocker", 1.2, 0.25, 0.35, 0, 1.8, diagnostics);
    add_hinge(model, "O", "ground.O", "crank.A", diagnostics);
    add_hinge(model, "A", "crank.B", "coupler.A", diagnostics);
    add_hinge(model, "B", "coupler.B", "rocker.B", diagnostics);
    add_hinge(model, "C", "ground.C", "rocker.A", diagnostics);
    rbv_model_add_parameter(model, "n", 4 * 3.14159265358979323846, NULL, diagnostics); /* 120 rpm */
    rbv_model_add_drive(model, "motor", "O.angle", "pi/2 + n*t", diagnostics);
    RbvLoadDef load = rbv_load_def_default;
    load.name = "load";
    load.type = "torque";
    load.to = "rocker";
    load.value[0] = "-4*tanh(5*C.angle')"; /* opposes the rocker's swing */
    rbv_model_add_load(model, &load, diagnostics);
}

int main(void) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = rbv_model_create(RBV_PLANAR, "Four-bar linkage");
    RbvSystem *system = NULL;
    RbvResult *result = NULL;
    add_linkage(model, diagnostics);
    RbvStatus status = rbv_system_create(model, NULL, diagnostics, &system);
    if (status == RBV_OK)
        status = rbv_inverse(system, NULL, diagnostics, &result);
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++)
        fprintf(stderr, "%s\n", rbv_diagnostics_at(diagnostics, k).message);
    if (status == RBV_OK) {
        int32_t torque = rbv_result_find(result, "motor.effort"), force = rbv_result_find(result, "C.Fx");
        printf("    time [s]  motor.effort [%s]  C.Fx [%s]\n", rbv_result_column(result, torque).unit,
               rbv_result_column(result, force).unit);
        for (int32_t k = 0; k < rbv_result_counts(result).samples; k += 5)
            printf("%12.2f  %18.6f  %8.4f\n", rbv_result_value(result, k, 0), rbv_result_value(result, k, torque),
                   rbv_result_value(result, k, force));
    }
    if (result)
        rbv_result_destroy(result);
    if (system)
        rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
    return status == RBV_OK ? 0 : 1;
}
