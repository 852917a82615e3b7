/* Assembly, search by the method of the options, and stability of one equilibrium; also as the start of another
 * analysis. */
#include "statics/find_equilibrium.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/record/samples.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"
#include "statics/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    RbvEquilibriumMethod *go;
} methods[] = {
    [RBV_STATICS_ENERGY] = {"energy", rbv_equilibrium_by_energy},
    [RBV_STATICS_LAGRANGE] = {"lagrange", rbv_equilibrium_by_lagrange},
    [RBV_STATICS_PENALTY] = {"penalty", rbv_equilibrium_by_penalty},
    [RBV_STATICS_AUGMENTED] = {"augmented", rbv_equilibrium_by_augmented},
    [RBV_STATICS_VIRTUAL_POWER] = {"virtual-power", rbv_equilibrium_by_virtual_power},
    [RBV_STATICS_RELAXATION] = {"relaxation", rbv_equilibrium_by_relaxation},
};

/* Appends a name to a list with commas; format: "%s'%s'" of the comma and the name. Returns the characters used so
 * far. */
static size_t append_name(char *names, size_t size, size_t used, const char *format, const char *name) {
    int n = snprintf(names + used, size - used, format, used ? ", " : "", name);
    return n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
}

/* Chooses the method; loads without an energy are named. */
static RbvStatus choose_method(RbvFind *s) {
    char names[300] = "";
    size_t used = 0;
    s->has_energy = true;
    for (int32_t k = 0; k < s->model->loads.count; k++) {
        const RbvLoad *load = &s->model->loads.items[k];
        if (rbv_load_has_energy(s->model, load) || !rbv_state_acts(s->state, k))
            continue;
        used = append_name(names, sizeof names, used, "%s'%s'", load->name ? load->name : "");
        s->has_energy = false;
    }
    for (int32_t k = 0; k < s->model->generalized.count; k++) {
        used = append_name(names, sizeof names, used, "%sthe force on '%s'", s->model->generalized.items[k].name);
        s->has_energy = false;
    }
    s->method = s->options->statics.method;
    if (!s->has_energy && s->method == RBV_STATICS_ENERGY) {
        rbv_diagnose(
            s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
            RBV_OPTION_STATICS_METHOD
            " energy needs loads that have an energy; these are not known to have one: %s. The other methods take them",
            names);
        return RBV_BAD_INPUT;
    }
    if (s->method == RBV_STATICS_DEFAULT)
        s->method = s->has_energy ? RBV_STATICS_ENERGY : RBV_STATICS_LAGRANGE;
    if (!s->has_energy)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     "these loads are not known to have an energy: %s; the equilibrium is that of forces, its "
                     "stability that of the linearised motion without dampers",
                     names);
    return RBV_OK;
}

static void note_left_out(const RbvFind *s) {
    for (int32_t k = 0; k < s->model->joints.count; k++)
        if (s->model->joints.items[k].sizes->friction > 0 && !s->model->joints.items[k].friction_law->own)
            rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, s->model->joints.items[k].where,
                         "friction of joint '%s' may at rest be anything up to its limit; 0 is taken",
                         s->model->joints.items[k].name);
    if (s->model->states.count > 0)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, s->model->states.items[0].where,
                     "the state '%s' is taken as it is at the start", s->model->states.items[0].name);
    if (s->system->rate_count > 0 && !s->options->statics.locked)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     "%d rows on rates (wheels, edges, velocity: constraints) do not restrict the position and carry "
                     "nothing; " RBV_OPTION_STATICS_LOCKED " lets them hold",
                     (int)s->system->rate_count);
}

/* Checks --locked: rows on velocities that prescribe a motion have no equilibrium. */
static RbvStatus check_locked(const RbvFind *s) {
    const RbvSystem *system = s->system;
    if (!s->options->statics.locked || system->rate_count == 0)
        return RBV_OK;
    if (s->method == RBV_STATICS_PENALTY || s->method == RBV_STATICS_AUGMENTED) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
                     RBV_OPTION_STATICS_LOCKED " does not go with " RBV_OPTION_STATICS_METHOD
                                               " %s: rows on rates have no distance that a spring could hold",
                     rbv_statics_method_name(s->method));
        return RBV_BAD_INPUT;
    }
    for (int32_t k = 0; k < system->row_count; k++) {
        char name[160];
        if (!system->rows[k].on_rates || fabs(s->state->nu[k]) <= 1e-12)
            continue;
        rbv_system_row_name(system, k, name, sizeof name);
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
                     "%s asks for a motion: " RBV_OPTION_STATICS_LOCKED " cannot hold it at rest", name);
        return RBV_INCONSISTENT;
    }
    return RBV_OK;
}

/* Checks that loads can be differentiated for the stiffness, those of an energy twice. */
static RbvStatus check_derivatives(const RbvFind *s) {
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < s->model->loads.count; k++) {
        const RbvLoad *load = &s->model->loads.items[k];
        RbvSource source = {.diagnostics = s->diagnostics, .file = s->model->file};
        for (int n = 0; n < 3; n++)
            if (!rbv_model_has_derivatives(load->value[n], rbv_load_row(load->kind)->potential ? 2 : 1,
                                           "in statics load", load->name, NULL, &source))
                status = RBV_BAD_INPUT;
    }
    for (int32_t k = 0; k < s->model->generalized.count; k++) {
        RbvSource source = {.diagnostics = s->diagnostics, .file = s->model->file};
        if (!rbv_model_has_derivatives(s->model->generalized.items[k].force, 1, "in statics the force on",
                                       s->model->generalized.items[k].name, NULL, &source))
            status = RBV_BAD_INPUT;
    }
    return status;
}

/* Assembles with the rows that are active at the first instant; one-sided joints that are open there are not active. */
static RbvStatus assemble_start(RbvFind *s) {
    double from = rbv_first_instant(s->model, s->options);
    bool conditions = s->model->conditions.count > 0, activity = conditions;
    RbvAssembly assembly = {.driven = true}; /* the start is a guess: missing initial conditions are not reported */
    RbvDiagnostics *reported = rbv_diagnostics_create();
    for (int32_t k = 0; s->one_sided && k < s->model->joints.count; k++)
        activity = activity || s->model->joints.items[k].unilateral;
    RbvStatus status = !reported ? RBV_NO_MEMORY
                       : activity
                           ? rbv_activity_assemble(&s->activity, s->state, from, s->one_sided, reported, &assembly)
                           : rbv_assemble_position(s->state, from, reported, &assembly);
    status = rbv_blame_drives(s->state, status, reported, s->diagnostics);
    rbv_diagnostics_destroy(reported);
    if (status != RBV_OK)
        return status;
    if (s->one_sided && conditions)
        rbv_activity_hold_here(&s->activity);
    memset(s->state->v, 0, (size_t)s->system->coordinates.size * sizeof(double));
    return s->one_sided && !rbv_supports_create(&s->supports, s->state, conditions ? s->activity.truth : NULL)
               ? RBV_NO_MEMORY
               : RBV_OK;
}

/* Evaluates the forces at the start, and brings violated supports to where they touch. */
static RbvStatus begin_forces(RbvFind *s) {
    if (!(s->balance = rbv_balance_create(s->state, s->options->statics.locked)))
        return RBV_NO_MEMORY;
    if (s->one_sided && !rbv_supports_begin(&s->supports, s->balance)) {
        rbv_diagnose(
            s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
            "no equilibrium found: stops are passed at the start, and no place is found from there where they are not");
        return s->state->no_memory ? RBV_NO_MEMORY : RBV_NO_EQUILIBRIUM;
    }
    if (!rbv_balance_evaluate(s->balance)) {
        char why[256] = "";
        rbv_state_explain(s->state, why, sizeof why);
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
                     "the loads are not finite at the start%s%s", why[0] ? ": " : "", why);
        return RBV_NOT_FINITE;
    }
    return RBV_OK;
}

RbvStatus rbv_find_start(RbvFind *s) {
    if (!rbv_model_is_ideal(s->model, "statics", s->diagnostics))
        return RBV_BAD_INPUT;
    s->one_sided = !s->two_sided && rbv_supports_any(s->model);
    if (!(s->state = rbv_state_create(s->system)))
        return RBV_NO_MEMORY;
    s->progress = (RbvProgress){.go_on = s->options->progress, .context = s->options->context};
    s->state->progress = &s->progress;
    RbvStatus status = check_derivatives(s);
    status = status == RBV_OK ? assemble_start(s) : status;
    status = status == RBV_OK ? choose_method(s) : status;
    status = status == RBV_OK ? begin_forces(s) : status;
    status = status == RBV_OK ? check_locked(s) : status;
    if (status != RBV_OK)
        return status;
    note_left_out(s);
    status = rbv_equilibrium_create(&s->search, s->balance, s->diagnostics);
    s->search.supports = s->one_sided ? &s->supports : NULL;
    return status;
}

/* Checks springs: one that pulls at length zero has no direction. Such a position is a tip of the energy, not an
 * equilibrium. */
static RbvStatus check_springs(const RbvFind *s) {
    for (int32_t k = 0; k < s->model->loads.count; k++) {
        const RbvLoad *load = &s->model->loads.items[k];
        if (!rbv_load_row(load->kind)->line || load->joint >= 0)
            continue;
        double l = s->state->measures[load->measure[0]].value;
        int32_t body = s->state->markers[load->marker[1]].body > 0 ? s->state->markers[load->marker[1]].body
                                                                   : s->state->markers[load->marker[0]].body;
        double size = rbv_state_body_size(s->state, body);
        bool pulls = fabs(s->state->load_value[k][0]) > 1e-6 * load->stiffness[0] * size || load->value[0];
        /* Part of the size: a shorter spring has no direction. */
        if (l > RBV_SAME * size || !pulls)
            continue;
        rbv_diagnose(
            s->diagnostics, RBV_ERROR, s->model->file, load->where,
            "no equilibrium found: spring '%s' has no length here, so its force has no direction; start elsewhere",
            load->name ? load->name : "");
        return RBV_NO_EQUILIBRIUM;
    }
    return RBV_OK;
}

/* Steps of the default method go along the joints of a deep tree, whatever the coordinates. */
static RbvStatus open_tree(RbvFind *s) {
    if (s->options->statics.method != RBV_STATICS_DEFAULT || s->model->bodies.count <= RBV_DEEP || !s->has_energy)
        return RBV_OK;
    RbvStatus status = rbv_system_create(s->system->compiled, &(RbvSystemOptions){.coordinates = RBV_COORDINATES_JOINT},
                                         NULL, &s->tree);
    if (status == RBV_OK && rbv_along_joints_fits(s->tree) && !(s->balance->along = rbv_along_joints_create(s->tree)))
        status = RBV_NO_MEMORY;
    return status == RBV_NO_MEMORY ? status : RBV_OK;
}

static void close_tree(RbvFind *s) {
    if (s->tree && s->balance)
        rbv_along_joints_destroy(s->balance->along);
    if (s->tree && s->balance)
        s->balance->along = NULL;
    rbv_system_destroy(s->tree);
    s->tree = NULL;
}

/* Finds the equilibrium by the method; in the requested coordinates, if the method is named by the user. */
static RbvStatus run_method(RbvFind *s, const RbvSystem *in) {
    RbvEquilibriumMethod *method = methods[s->method].go;
    RbvStatus status = open_tree(s);
    if (status == RBV_OK)
        status = in ? rbv_equilibrium_in_coordinates(in, method, &s->search) : rbv_equilibrium_run(method, &s->search);
    close_tree(s);
    return status;
}

RbvStatus rbv_find_finish(RbvFind *s) {
    s->search.damping = s->options->statics.damping;
    s->search.penalty = s->options->penalty;
    s->search.progress = &s->progress;
    bool yields =
        s->method == RBV_STATICS_PENALTY || s->method == RBV_STATICS_AUGMENTED; /* locked bodies yield with these */
    if (!yields && !s->one_sided &&
        !rbv_balance_lock_bodies(s->balance, RBV_LOCKED_BARELY)) /* bodies that supports lock may be released */
        return RBV_NO_MEMORY;
    const RbvSystem *in = s->options->statics.method == RBV_STATICS_DEFAULT ? NULL : s->found_in;
    RbvStatus status = run_method(s, in);
    if (status == RBV_NO_EQUILIBRIUM && s->one_sided && s->method != RBV_STATICS_ENERGY)
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->model->file, (RbvPosition){0, 0},
                     "stops and one-sided joints are met on the way by " RBV_OPTION_STATICS_METHOD
                     " energy alone; " RBV_OPTION_STATICS_METHOD " %s begins with those that touch at the start",
                     rbv_statics_method_name(s->method));
    if (status == RBV_OK)
        status = check_springs(s);
    if (status == RBV_OK)
        status = rbv_supported_stability(&s->search, s->has_energy, &s->stability);
    if (status == RBV_OK && in && s->one_sided &&
        s->search.coefficient == 0) /* the stability analysis has set the multipliers of supports without force to 0 */
        status = rbv_equilibrium_polish(&s->search);
    if (status == RBV_OK && s->has_energy && s->search.coefficient == 0 && !s->search.supports &&
        !rbv_has_locked_rows(s->balance) && rbv_stability_inflects(&s->search, &s->stability))
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     "the lowest curvature changes its sign within what the place is known to, as at an inflection or "
                     "a fold of the energy: it may yield to one side");
    if (status == RBV_OK && s->state->no_memory)
        status = RBV_NO_MEMORY;
    if (status == RBV_OK)
        rbv_stability_alone(&s->stability);
    if (status == RBV_OK && s->stability.kind == RBV_UNDECIDED)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0}, "stability is not decided: %s",
                     s->stability.touches ? "it depends on stops or one-sided joints that touch without being pressed"
                                          : rbv_stability_doubt(&s->stability, s->balance,
                                                                s->has_energy && !rbv_has_locked_rows(s->balance) &&
                                                                    s->search.position_error == 0));
    else if (status == RBV_OK && rbv_has_locked_rows(s->balance) && s->has_energy)
        rbv_diagnose(s->diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     "what locked rows on rates carry turns with the bodies and has no energy: stability is that of "
                     "the linearised motion without dampers");
    return status;
}

void rbv_find_destroy(RbvFind *s) {
    close_tree(s);
    free(s->stability.direction);
    rbv_equilibrium_destroy(&s->search);
    rbv_balance_destroy(s->balance);
    rbv_state_destroy(s->state);
    rbv_supports_destroy(&s->supports);
    rbv_activity_destroy(&s->activity);
}

const char *rbv_statics_method_name(RbvStaticsMethod method) {
    return methods[method].name;
}

/* Assembles, and finds the equilibrium. *assembled: the model as assembled. */
static RbvStatus find_place(RbvFind *s, RbvMachine *assembled) {
    RbvStatus status = rbv_find_start(s);
    if (status == RBV_OK)
        *assembled = rbv_machine_of(s->state);
    return status == RBV_OK ? rbv_find_finish(s) : status;
}

/* Notes the closed supports, and warns of those without force. */
static void note_supports(const RbvFind *s, RbvDiagnostics *diagnostics) {
    char names[300] = "";
    size_t used = 0;
    for (int32_t k = 0; s->one_sided && k < s->supports.contacts.count; k++) {
        const RbvContact *contact = &s->supports.contacts.items[k];
        if (!s->supports.closed[k])
            continue;
        used = append_name(names, sizeof names, used, "%s'%s'", contact->name);
        if (rbv_supports_push(&s->supports, k) <=
            RBV_EQUILIBRIUM_LEFT * fmax(s->search.largest, s->balance->force_size))
            rbv_diagnose(diagnostics, RBV_WARNING, s->model->file, (RbvPosition){0, 0},
                         "'%s' touches without being pressed: motions beside it are not those of a linear system; it "
                         "is taken as holding",
                         contact->name);
    }
    if (s->one_sided)
        rbv_diagnose(diagnostics, RBV_NOTE, s->model->file, (RbvPosition){0, 0},
                     used ? "of stops and one-sided joints these hold where it rests: %s"
                          : "no stop and no one-sided joint holds where it rests%s",
                     names);
}

/* Copies the active rows and acting loads of `of` into the state, whose memory holds them. False if out of memory. */
static bool keep_rows(RbvState *state, const RbvState *of, RbvSupported by) {
    const RbvSystem *system = state->system;
    bool *active = rbv_arena_alloc(&state->arena, (size_t)system->row_count + 1),
         *acting = rbv_arena_alloc(&state->arena, (size_t)system->model->loads.count + 1);
    if (!active || !acting)
        return false;
    for (int32_t k = 0; k < system->row_count; k++)
        active[k] = rbv_state_holds(of, k) && (by == RBV_SUPPORTED_BY_ALL || system->rows[k].owner != RBV_OWNER_STOP);
    for (int32_t k = 0; k < system->model->loads.count; k++)
        acting[k] = rbv_state_acts(of, k);
    state->active = active;
    state->acting = acting;
    return true;
}

/* Audits the equilibrium. If its forces are not determined, the caller that asks for them reports it. */
static RbvStatus audit_place(RbvFind *s, RbvDiagnostics *diagnostics) {
    RbvStability stability = s->stability; /* a copy: the audit may change it if reactions are not determined */
    RbvEquilibriumVerifier verifier = {.options = s->options, .diagnostics = diagnostics};
    RbvStatus status = rbv_equilibrium_audit(&verifier, &s->search, &stability, "the place where it rests");
    return status == RBV_AUDIT_FAILED || status == RBV_NO_MEMORY ? status : RBV_OK;
}

static RbvStatus place_bodies(const RbvSystem *system, const RbvOptions *options, RbvSupported by,
                              RbvDiagnostics *diagnostics, RbvMachine *assembled, RbvState **state) {
    bool two_sided = by == RBV_SUPPORTED_TWO_SIDED;
    *state = NULL;
    RbvFind s = {.system = system,
                 .model = system->model,
                 .options = options,
                 .two_sided = two_sided,
                 .diagnostics = diagnostics};
    *assembled = (RbvMachine){.corrected = -1};
    RbvStatus status = find_place(&s, assembled);
    if (status == RBV_OK)
        status = audit_place(&s, diagnostics);
    if (status == RBV_OK)
        rbv_diagnose(diagnostics, RBV_NOTE, s.model->file, (RbvPosition){0, 0},
                     "starts where it rests with its drives held, %s",
                     s.stability.kind == RBV_UNSTABLE  ? "which is unstable"
                     : s.stability.kind == RBV_NEUTRAL ? "which is neutral"
                                                       : "as statics finds it");
    if (status == RBV_OK && by == RBV_SUPPORTED_BY_ALL)
        note_supports(&s, diagnostics);
    if (status == RBV_OK && (s.state->acting || s.state->active != system->active) && !keep_rows(s.state, s.state, by))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK) {
        *state = s.state;
        (*state)->progress = NULL;
        s.state = NULL;
    }
    rbv_find_destroy(&s);
    return status;
}

RbvStatus rbv_equilibrium_state(const RbvSystem *system, const RbvOptions *options, RbvSupported by,
                                RbvDiagnostics *diagnostics, RbvMachine *assembled, RbvState **state) {
    if (!system->absolute)
        return place_bodies(system, options, by, diagnostics, assembled, state);
    RbvState *absolute = NULL;
    RbvStatus status = place_bodies(system->absolute, options, by, diagnostics, assembled, &absolute);
    *state = status == RBV_OK ? rbv_state_create(system) : NULL;
    if (status == RBV_OK && (!*state || ((absolute->acting || absolute->active != system->absolute->active) &&
                                         !keep_rows(*state, absolute, by))))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK)
        rbv_absolute_state_read(*state, absolute);
    if (status != RBV_OK) {
        rbv_state_destroy(*state);
        *state = NULL;
    }
    rbv_state_destroy(absolute);
    return status;
}
