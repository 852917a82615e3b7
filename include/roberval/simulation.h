/* A motion from forces that the caller steps, and whose inputs the caller sets between two steps: for controllers, for
 * coupling with other programs.
 *
 *     const char *inputs[] = {"u"};                   (parameter u of the model: 0 N.m)
 *     RbvInput input = rbv_input_default;
 *     input.path = "pendulum.yaml", input.input_count = 1, input.inputs = inputs;
 *     rbv_model_read(&input, diagnostics, &model); rbv_system_create(model, NULL, diagnostics, &system);
 *     rbv_simulation_create(system, NULL, diagnostics, &simulation);
 *     const double *angle = rbv_simulation_column(simulation, "hinge.angle").value;
 *     for (int32_t k = 1; k <= 1000 && status == RBV_OK; k++) {
 *         rbv_simulation_set_input(simulation, 0, -8 * *angle);
 *         status = rbv_simulation_step_to(simulation, k * 1e-3, false);
 *     }
 *     rbv_simulation_destroy(simulation);
 *
 * Inputs are parameters that were named when the model was read (RbvInput.inputs) or marked (rbv_model_add_input). They
 * may stand in laws of loads, active: conditions, limits of drives (max:), events and outputs. An input is constant
 * from one step_to to the next; at first it has the parameter's value. Inputs belong to the simulation: simulations of
 * one system do not see each other's. One thread at a time may use a simulation. */
#ifndef ROBERVAL_SIMULATION_H
#define ROBERVAL_SIMULATION_H

#include <roberval/state.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RbvSimulation RbvSimulation;

/* The motion at its start: at `from` of the options (NaN: of motion:, else 0), or the state options->start. Options
 * used: those of rbv_simulate, but for what concerns samples and files. The motion has no end: `to` and `step` of the
 * options (NaN: of motion:, else 1 s after the start, and 10 ms) only bound the steps of the integrator, to a twentieth
 * of to - from and to 10 step, so that forces which act for a short while are not stepped over. options->progress is
 * called during steps with the share 0 and may interrupt them. `diagnostics` (may be NULL) is kept and takes the
 * messages of later calls. The system stays the caller's and must outlive the simulation; its parameters must not get
 * other values meanwhile. On RBV_OK *simulation is new, to be destroyed by the caller; otherwise NULL. Statuses of
 * rbv_simulate. */
RBV_API RbvStatus rbv_simulation_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                        RbvSimulation **simulation);
RBV_API void rbv_simulation_destroy(RbvSimulation *simulation);

/* Number of the input `name`; -1: the model has no such input. */
RBV_API int32_t rbv_simulation_input(const RbvSimulation *simulation, const char *name);
/* The value [SI] of an input from the present instant on. It acts from the next step on; columns keep the values of the
 * last one. BAD_ARGUMENT: no such input, or not finite. */
RBV_API RbvStatus rbv_simulation_set_input(RbvSimulation *simulation, int32_t input, double value);

/* [s] The present instant. */
RBV_API double rbv_simulation_time(const RbvSimulation *simulation);
/* Go on to the instant t [s], not before the present one; the present one: evaluate with the inputs set. What happens
 * on the way (stops, friction, conditions, events) acts at its instant. to_event: end at the first transition, after
 * it. An event with do: stop ends the motion; no step follows. Each step is audited at its end, and the balance of
 * energy of the motion up to there.
 *
 * BAD_INPUT: t lies before the present instant or nearer than numbers resolve, or the motion had ended; nothing is
 * changed. INTERRUPTED: rbv_simulation_time says how far it went; the next call goes on. LOCKED, INCONSISTENT,
 * NOT_FINITE, AUDIT_FAILED, NO_MEMORY: the motion has ended, the reason is in diagnostics; only rbv_simulation_restore
 * helps. After another status than OK columns are NaN. */
RBV_API RbvStatus rbv_simulation_step_to(RbvSimulation *simulation, double t, bool to_event);

/* Transitions during the last step, in order of time. */
typedef struct RbvSimulationEvent {
    double t;         /* [s] */
    const char *name; /* of the contact, joint, drive, condition or event; valid until the next call */
    const char *kind; /* "impact", "land", "release", "engage", "disengage", "stick", "slip", "limit", "event" */
    double impulse;   /* [N s or N m s] of an impact; NaN: none */
} RbvSimulationEvent;
RBV_API int32_t rbv_simulation_event_count(const RbvSimulation *simulation);
/* All zero and NULL for an index out of range. */
RBV_API RbvSimulationEvent rbv_simulation_event(const RbvSimulation *simulation, int32_t event);

/* A column of simulate, or an input, at the present instant. The pointers are valid as long as the simulation and
 * follow its steps; NULL: no such column. */
RBV_API RbvEvaluationColumn rbv_simulation_column(const RbvSimulation *simulation, const char *name);
/* All columns: one sample, with names and units. The result belongs to the simulation. */
RBV_API const RbvResult *rbv_simulation_result(const RbvSimulation *simulation);

/* The present state as bytes in *state[*size], to be freed by the caller with free(); else NULL. From there
 * rbv_simulation_restore goes on, in this or another simulation that was created with the same options from the same
 * model: the motion is the same bit for bit on the same machine. NO_MEMORY; BAD_INPUT: the motion has failed. */
RBV_API RbvStatus rbv_simulation_save(RbvSimulation *simulation, void **state, size_t *size);
/* BAD_INPUT: the bytes are damaged, or of another model, other values of parameters or another version; nothing is
 * changed. */
RBV_API RbvStatus rbv_simulation_restore(RbvSimulation *simulation, const void *state, size_t size);

#ifdef __cplusplus
}
#endif
#endif
