/* Verification of an equilibrium: rank, reactions with supports that only push, audit, one sample of the record. All
 * objects but the record are destroyed at the end: on a path every point has its own numbers, and perhaps its own
 * system. */
#include "statics/verify.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "mechanics/coordinates/natural.h"
#include "solution/assembly/absolute_state.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/reaction/dependent_loads.h"
#include "solution/reaction/natural_multipliers.h"
#include "solution/solvability/branches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Multiple of the gap of a penalty's joints: lever arm of forces that redundant rows shift there. */
#define LEVER_OF_GAP 10.0

typedef struct Verification {
    RbvEquilibriumVerifier *verifier;
    RbvEquilibriumSearch *search;
    RbvBalance *balance;
    RbvStability *stability;
    const RbvSystem *system;
    const RbvModel *model;
    RbvReactions *reactions;
    RbvSolvability *solvability;
    RbvChoice *choice;
    RbvAudit audit;
    double parameter;
    bool first;
    bool records; /* the sample will be recorded: influences of misfits are needed */
} Verification;

/* Creates the objects for the verification: reactions, rank, audit, choice. */
static RbvStatus create_verdict_objects(Verification *p) {
    p->reactions = rbv_reactions_create(p->system, p->verifier->options->reactions.frame);
    p->solvability = rbv_solvability_create_of(p->system, p->balance->state->active, RBV_CRITERION_DEFAULT, true);
    if (!p->solvability || !p->reactions || !rbv_audit_create(&p->audit, p->system))
        return RBV_NO_MEMORY;
    return rbv_choice_create(p->system, p->verifier->options, p->verifier->diagnostics, &p->choice);
}

static RbvStatus create_verification(Verification *p) {
    RbvEquilibriumVerifier *verifier = p->verifier;
    const RbvFamily *family = verifier->family;
    RbvStatus status = create_verdict_objects(p);
    if (status != RBV_OK)
        return status;
    p->first = !verifier->record;
    if (p->first) {
        RbvRecordOptions record = {.analysis = "statics",
                                   .reactions = true,
                                   .series = true,
                                   .at_rest = true,
                                   .influences = verifier->options->reactions.influences,
                                   .stops = p->search->supports != NULL,
                                   .method = verifier->method,
                                   .rigid = verifier->options->reactions.multipliers ? verifier->in_model : NULL};
        if (family) {
            record.parameter = family->parameter;
            record.unit = family->unit;
        }
        verifier->record = rbv_record_create(p->system, p->reactions, &record);
    }
    if (!verifier->record || !rbv_record_reserve(verifier->record))
        return RBV_NO_MEMORY;
    verifier->record->system = p->system;
    verifier->record->parameter = p->parameter;
    return RBV_OK;
}

static void destroy_verification(Verification *p) {
    rbv_audit_destroy(&p->audit);
    rbv_choice_destroy(p->choice);
    rbv_reactions_destroy(p->reactions);
    rbv_solvability_destroy(p->solvability);
}

/* Checks whether curvature and stability depend on self-stresses, which is so if these are not persistent in motion. */
static void check_persistence(Verification *p) {
    int32_t persistent =
        p->solvability->redundant > 0 ? rbv_persistent_redundancy(p->solvability, p->balance->state) : 0;
    if (p->solvability->redundant == 0 || persistent < 0 || persistent >= p->solvability->redundant)
        return;
    p->stability->curvature = NAN;
    p->stability->open = true;
    p->verifier->doubts++;
    rbv_diagnose(p->verifier->diagnostics, RBV_NOTE, p->model->file, (RbvPosition){0, 0},
                 "some redundancy belongs to this position only: stability and stiffness depend on self-stresses that "
                 "the rigid model leaves open; neither curvature nor compliance is given");
}

/* Makes stability UNDECIDED if the rank is unsure: the sparse method does not compute the rank. */
static void check_rank(Verification *p) {
    if (p->balance->n <= RBV_STABILITY_SPARSE || p->solvability->safe || p->stability->kind == RBV_UNDECIDED)
        return;
    p->stability->kind = RBV_UNDECIDED;
    p->stability->curvature = NAN;
    p->verifier->doubts++;
    rbv_diagnose(p->verifier->diagnostics, RBV_NOTE, p->model->file, (RbvPosition){0, 0},
                 "stability is not decided: the rank of the constraints is in doubt in this position");
}

/* Decides the rank and its consequences. At the state of a penalty joints have a small error, and redundant rows are
 * not redundant there: the rank is decided after a projection onto the constraints. */
static RbvStatus decide_rank(Verification *p) {
    RbvBalance *b = p->balance;
    bool off = p->search->coefficient > 0;
    if (off) {
        rbv_balance_store(b);
        if (!rbv_balance_project(b))
            return rbv_equilibrium_fail(p->search, "the constraints are lost beside the place that the penalty finds%s",
                                        "");
        rbv_state_jacobian(b->state);
    }
    RbvStatus status = rbv_solvability_decide(p->solvability, b->state);
    if (status == RBV_OK)
        status = rbv_check_wheels(b->state, p->verifier->diagnostics);
    if (status == RBV_OK) {
        rbv_balance_evaluate(b);
        check_rank(p);
        check_persistence(p);
    }
    if (off)
        rbv_balance_restore(b);
    rbv_balance_evaluate(b);
    return status;
}

/* Support that pulls most by the chosen multipliers; -1: none. */
static int32_t find_pulling_support(const Verification *p) {
    const RbvSupports *s = p->search->supports;
    double most = 0, least = 0;
    int32_t worst = -1;
    for (int32_t k = 0; k < p->balance->rows; k++)
        most = fmax(most, fabs(p->reactions->lambda[k]));
    for (int32_t k = 0; k < s->contacts.count; k++) {
        double push = s->closed[k] ? -s->contacts.items[k].sign * p->reactions->lambda[s->contacts.items[k].row] : 0;
        /* Part of the largest multiplier: a smaller pull of a support is rounding. */
        if (push < least && push < -RBV_DATA * most) {
            least = push;
            worst = k;
        }
    }
    return worst;
}

static void set_support(Verification *p, int32_t k, bool holds) {
    rbv_supports_set(p->search->supports, k, holds);
    rbv_balance_weigh(p->balance);
    rbv_balance_evaluate(p->balance);
}

/* Where more supports touch than are needed, reactions of least norm may contain supports that pull. Then the reactions
 * of least norm without them are computed: the support that would pull most is opened, repeatedly. *bearing: rank
 * without the opened supports. let_go[supports]: opened ones. */
static RbvStatus open_pulling_supports(Verification *p, RbvSolvability **bearing, bool *let_go) {
    RbvStatus status = RBV_OK;
    for (int32_t k = find_pulling_support(p); status == RBV_OK && k >= 0; k = find_pulling_support(p)) {
        let_go[k] = true;
        set_support(p, k, false);
        rbv_solvability_destroy(*bearing);
        *bearing = rbv_solvability_create_of(p->system, p->balance->state->active, RBV_CRITERION_DEFAULT, true);
        status = *bearing && rbv_balance_multipliers(p->balance) ? rbv_solvability_decide(*bearing, p->balance->state)
                                                                 : RBV_NO_MEMORY;
        if (status == RBV_OK)
            status = rbv_equilibrium_forces(p->balance, *bearing, p->choice, p->reactions, p->verifier->diagnostics);
    }
    return status;
}

/* Verdicts for all touching supports, the opened ones included: compliances are asked again what they leave open, and
 * the multipliers stay. */
static RbvStatus verify_all(Verification *p, const bool *let_go) {
    for (int32_t k = 0; k < p->search->supports->contacts.count; k++)
        if (let_go[k])
            set_support(p, k, true);
    size_t size = (size_t)p->system->satisfied_count * sizeof(double);
    double *lambda = malloc(size + 1);
    if (!lambda)
        return RBV_NO_MEMORY;
    memcpy(lambda, p->reactions->lambda, size);
    RbvStatus status = rbv_choice_apply(p->choice, p->balance->state, p->solvability, p->reactions, NULL);
    memcpy(p->reactions->lambda, lambda, size);
    free(lambda);
    if (status != RBV_OK)
        return status;
    rbv_reactions_decide(p->reactions, p->balance->state, p->solvability);
    rbv_choice_decide(p->choice, p->balance->state, p->solvability, p->reactions);
    return rbv_decide_dependent_loads(p->reactions, p->balance->state, NULL) ? RBV_OK : RBV_NO_MEMORY;
}

/* Computes forces and their errors. */
static RbvStatus solve_forces(Verification *p) {
    const RbvSupports *s = p->search->supports;
    RbvSolvability *bearing = NULL;
    bool *let_go = s ? calloc((size_t)s->contacts.count + 1, sizeof *let_go) : NULL;
    RbvStatus status = s && !let_go ? RBV_NO_MEMORY
                                    : rbv_equilibrium_forces(p->balance, p->solvability, p->choice, p->reactions,
                                                             p->verifier->diagnostics);
    if (status == RBV_OK && s && p->solvability->redundant > 0)
        status = open_pulling_supports(p, &bearing, let_go);
    RbvSolvability *ranks = bearing ? bearing : p->solvability;
    if (status == RBV_OK)
        status = p->search->coefficient > 0 ? rbv_penalty_errors(p->search, ranks, p->choice, p->reactions)
                                            : rbv_equilibrium_errors(p->balance, ranks, p->choice, p->reactions);
    if (status == RBV_OK && p->records)
        status = rbv_record_influences(p->verifier->record, p->balance->state, ranks, p->choice, p->reactions);
    if (status == RBV_OK && bearing)
        status = verify_all(p, let_go);
    if (status == RBV_OK && bearing && rbv_solvability_no_memory(bearing))
        status = RBV_NO_MEMORY;
    rbv_solvability_destroy(bearing);
    free(let_go);
    return status;
}

static RbvStatus decide_rank_and_forces(Verification *p) {
    RbvStatus status = decide_rank(p);
    if (status == RBV_OK)
        status = solve_forces(p);
    if (status != RBV_OK)
        return status;
    return rbv_solvability_no_memory(p->solvability) ? RBV_NO_MEMORY : RBV_OK;
}

/* Records verdicts, and at the first equilibrium mobility and self-stress modes. */
static bool keep_verdicts(Verification *p) {
    RbvRecord *record = p->verifier->record;
    const RbvState *state = p->balance->state;
    bool kept = rbv_record_verdicts(record, state, p->reactions, p->solvability, p->choice);
    if (kept && p->first) {
        record->result->redundant_by = rbv_choice_name(p->choice);
        kept = rbv_record_mobility(record, state, p->solvability) &&
               rbv_record_modes(record, state, p->reactions, p->solvability);
        record->result->length = rbv_choice_norm_length(p->choice, record->result->length);
    }
    return kept && !rbv_solvability_no_memory(p->solvability);
}

static RbvStatus audit_equilibrium(Verification *p, const char *which) {
    RbvBalance *b = p->balance;
    /* Moment [N m] by which multipliers are off that act through the gaps of rows that yield. */
    const double off = p->search->coefficient > 0 ? LEVER_OF_GAP * b->gap * rbv_balance_largest(b) : 0;
    rbv_balance_fill_stiffness(b); /* forces that vanish are known to rounding of positions times stiffness */
    for (int32_t i = 1; i < p->model->bodies.count; i++) {
        /* Part of the stiffness at the start: lower bound of the stiffness that rounding acts on. Where it vanishes, as
         * at a fold, positions are still known to rounding only. */
        double size = rbv_state_body_size(b->state, i),
               stiffness = fmax(rbv_balance_body_stiffness(b, i), RBV_LEAST_SCALE * p->search->start_kappa);
        p->audit.floor[i] = off / size; /* forces at joints with an error */
        p->audit.rounding[i] = rbv_equilibrium_rounding(p->search, stiffness, size + rbv_norm(b->state->bodies[i].r));
    }
    p->audit.apart = p->search->coefficient > 0 ? (double)INFINITY : 0; /* the penalty method reports its own error */
    rbv_audit_sample(&p->audit, b->state, p->reactions);
    p->audit.constraint = fmax(p->audit.constraint, b->gap);
    char why[400];
    RbvStatus status = rbv_audit_verify(&p->audit, which, why, sizeof why);
    if (status == RBV_OK && p->verifier->record)
        rbv_record_audit(p->verifier->record->result, &p->audit);
    else if (status != RBV_OK)
        rbv_diagnose(p->verifier->diagnostics, RBV_ERROR, p->model->file, (RbvPosition){0, 0}, "%s", why);
    return status;
}

/* The equilibrium in natural coordinates, at rest, with its loads. The caller destroys *state in any case. */
static RbvStatus natural_state(const Verification *p, RbvState **state) {
    const RbvSystem *natural = p->verifier->in_model;
    RbvState *bodies = p->balance->state;
    RbvState *s = *state = rbv_state_create(natural);
    if (!s)
        return RBV_NO_MEMORY;
    s->active = bodies->active;
    s->acting = bodies->acting;
    s->targets = bodies->targets;
    rbv_absolute_state_read(s, bodies);
    memset(s->v, 0, (size_t)natural->coordinates.size * sizeof *s->v);
    bool placed = rbv_state_place(s) && rbv_state_rates(s);
    rbv_state_jacobian(s);
    return placed && rbv_state_move(s) && rbv_state_load(s) ? RBV_OK : RBV_NOT_FINITE;
}

/* Records the multipliers of natural coordinates at the first equilibrium, if it is exact: listed, and, if requested,
 * in columns of the next sample. */
static RbvStatus note_natural(Verification *p) {
    const RbvSystem *natural = p->verifier->in_model;
    RbvRecord *record = p->verifier->record;
    RbvNaturalNote *note = &record->result->natural;
    if (!natural || !rbv_is_natural(&natural->coordinates) || !p->first || p->search->coefficient > 0)
        return RBV_OK;
    if (natural->rate_count > 0) {
        note->missing = RBV_NO_RATES_AT_REST;
        return RBV_OK;
    }
    RbvState *state = NULL;
    RbvStatus status = natural_state(p, &state);
    if (status == RBV_OK)
        status = rbv_record_natural(record->result, state, p->reactions, record->options.soft);
    if (status == RBV_OK && record->options.rigid)
        status = rbv_record_multipliers(record, state, p->reactions);
    rbv_state_destroy(state);
    if (status == RBV_NOT_FINITE && !record->options.rigid) {
        note->missing = "they are not finite";
        status = RBV_OK;
    }
    return status;
}

static RbvStatus record_equilibrium(Verification *p) {
    RbvRecord *record = p->verifier->record;
    RbvStatus status = audit_equilibrium(p, "the result");
    char why[256] = "";
    if (status == RBV_OK && !keep_verdicts(p))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = note_natural(p);
    if (status != RBV_OK)
        return status;
    rbv_record_errors(record, p->reactions);
    rbv_record_equilibrium(
        record, p->balance->V, p->stability->curvature,
        p->stability->kind == RBV_UNDECIDED ? (double)NAN : (double)(p->stability->falling + p->stability->flutter));
    if (!rbv_record_sample(record, p->balance->state, p->reactions, why, sizeof why)) {
        rbv_diagnose(p->verifier->diagnostics, RBV_ERROR, p->model->file, (RbvPosition){0, 0}, "%s", why);
        return RBV_NOT_FINITE;
    }
    bool kept = rbv_record_ranges(record, p->choice) &&
                (!p->first || rbv_equilibrium_describe(record, p->search, p->stability, NULL, p->verifier->method,
                                                       &record->result->equilibrium));
    return kept ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_equilibrium_verify(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *search,
                                 RbvStability *stability, double parameter) {
    RbvBalance *b = search->balance;
    Verification p = {.verifier = verifier,
                      .search = search,
                      .balance = b,
                      .stability = stability,
                      .system = b->system,
                      .model = b->system->model,
                      .parameter = parameter,
                      .records = true};
    RbvStatus status = create_verification(&p);
    if (status == RBV_OK)
        status = decide_rank_and_forces(&p);
    if (status == RBV_OK)
        status = record_equilibrium(&p);
    destroy_verification(&p);
    return status;
}

RbvStatus rbv_equilibrium_audit(RbvEquilibriumVerifier *verifier, RbvEquilibriumSearch *search, RbvStability *stability,
                                const char *which) {
    RbvBalance *b = search->balance;
    RbvEquilibriumVerifier silent = *verifier;
    silent.diagnostics = NULL;
    Verification p = {.verifier = &silent,
                      .search = search,
                      .balance = b,
                      .stability = stability,
                      .system = b->system,
                      .model = b->system->model};
    RbvStatus status = create_verdict_objects(&p);
    if (status == RBV_OK)
        status = decide_rank_and_forces(&p);
    silent.diagnostics = which ? verifier->diagnostics : NULL;
    if (status == RBV_OK)
        status = audit_equilibrium(&p, which ? which : "");
    destroy_verification(&p);
    return status;
}
