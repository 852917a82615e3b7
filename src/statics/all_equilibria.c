/* The search for other equilibria; see all_equilibria.h. Each start is the found equilibrium or the starting poses, turned and moved at random and assembled; from it
 * the energy is minimised, and Newton runs on position and multipliers, which also finds those that are not stable. Of stops and one-sided joints Newton begins with some held, which are others for each start,
 * so that equilibria that rest on any of them are found, stable or not; downhill they are met on the way. */
#include "statics/all_equilibria.h"

#include "assembly/assemble.h"
#include "assembly/descent.h"
#include "base/diagnostics.h"
#include "statics/equilibria_list.h"
#include "statics/equilibrium.h"
#include "statics/equilibrium_words.h"
#include "statics/inflection.h"
#include "statics/locked.h"
#include "statics/coordinate_search.h"
#include "statics/stability.h"
#include "statics/supported.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STARTS 200
#define LEAST_STARTS 10
#define START_WORK 6000 /* coordinates times starts: large mechanisms get fewer */
#define ONE_SIDED 4     /* so many times the starts where only some of them begin with this or that of what is one-sided held */
#define MOST_FOUND 200
#define HALF_TURN 3.14159
/* Sizes that bodies are moved by at most, at every second start: slack ropes and springs let them farther away than they stand. */
#define WIDE 3.0
/* Two equilibria are one when no body is further off than this part of the size, or this angle. */
#define SAME 1e-5
/* Of the loads: where more is left over the forces do not balance. Beside a singular position joints press with any force, so that what is left is little beside theirs: equilibria leave less than 1e-8, such
 * places more than 1e-5. */
#define LEFT_OF_LOADS 1e-7

typedef struct Search {
    const RbvSystem *system;
    const RbvState *found;
    RbvEquilibriumJudge *judge;
    bool has_energy;
    bool left_out;         /* there were places without forces */
    RbvState *state;
    double *q;             /* [MOST_FOUND][position_size] */
    double *step;          /* [size] */
    RbvKinship *kinship;   /* [MOST_FOUND] */
    double V_size;         /* [J] the largest of their energies' terms */
    bool family;           /* places of a family were found that is listed */
    int32_t count;
    uint64_t seed;
    const RbvSupports *pattern; /* one-sided things of the model, NULL: there are none */
    int32_t *by_name;      /* [its contacts] their numbers in the alphabet of names */
    bool *base;            /* [rows] that hold at a start */
    uint32_t subset, turn; /* of the one-sided things, those that are held next; starts of Newton so far */
} Search;

/* Has the place been found already? */
static bool is_known_place(Search *s) {
    const RbvBodyColumns *bodies = &s->system->bodies;
    size_t positions = (size_t)s->system->coordinates.position_size;
    for (int32_t k = 0; k < s->count; k++) {
        double far = 0;
        rbv_coordinates_difference(&s->system->coordinates, s->q + (size_t)k * positions, s->state->q, s->step);
        for (int32_t b = 1; b < bodies->count && far <= SAME; b++) {
            RbvTwist way = rbv_bodies_twist(bodies, b, s->step);
            double turned = bodies->spatial ? rbv_norm(way.w) : fabs(remainder(way.w.z, 6.283185307179586));
            far = fmax(far, fmax(rbv_norm(way.v) / rbv_state_body_size(s->state, b), turned));
        }
        if (far <= SAME)
            return true;
    }
    return false;
}

/* Is it of a family of which a place has been found already? */
static bool is_known_family(Search *s, const RbvEquilibrium *now, const RbvKinship *kinship) {
    for (int32_t k = 0; k < s->count; k++)
        if (rbv_of_one_family(&s->judge->record->result->equilibria[k], &s->kinship[k], now, kinship))
            return s->family = true;
    return false;
}

/* Does what ends a search balance the loads? */
static bool balances(RbvEquilibriumSearch *search) {
    RbvBalance *b = search->balance;
    double left = rbv_balance_left(b, b->lambda);
    return left <= fmax(LEFT_OF_LOADS * b->force_size, rbv_equilibrium_rounding(search, b->kappa, b->reach));
}

/* One more, if it is new; its forces are audited as those of the first are. Most starts lead to a place that is known: their stability is not asked for. */
static RbvStatus note(Search *s, RbvEquilibriumSearch *search, const char *method) {
    RbvResult *result = s->judge->record->result;
    RbvStability stability = {0};
    RbvEquilibrium now;
    if (s->count == MOST_FOUND || is_known_place(s))
        return RBV_OK;
    if (!balances(search)) {
        s->left_out = true;
        return RBV_OK;
    }
    RbvStatus status = rbv_supported_stability(search, s->has_energy, &stability);
    if (status == RBV_OK && s->has_energy && !search->supports && !rbv_locked_rows(search->balance))
        rbv_stability_inflects(search, &stability);
    rbv_stability_alone(&stability);
    if (status == RBV_OK && !rbv_equilibrium_words(s->judge->record, search, &stability, NULL, method, &now))
        status = RBV_NO_MEMORY;
    RbvKinship kinship = rbv_kinship(search->balance, stability.level, stability.falling);
    s->V_size = fmax(s->V_size, kinship.V_size);
    if (status == RBV_OK)
        rbv_equilibrium_to_one_turn(search->balance, &result->equilibrium, &now);
    if (status == RBV_OK && !is_known_family(s, &now, &kinship)) {
        size_t positions = (size_t)s->system->coordinates.position_size;
        memcpy(s->q + (size_t)s->count * positions, s->state->q, positions * sizeof(double));
        status = rbv_equilibrium_audit(s->judge, search, &stability, NULL);
        if (status == RBV_OK) {
            s->kinship[s->count] = kinship;
            result->equilibria[s->count++] = now;
            result->equilibrium_count = s->count;
        } else if (status != RBV_NO_MEMORY && status != RBV_INTERRUPTED) {
            s->left_out = true;
            status = RBV_OK;
        }
    }
    free(stability.direction);
    return status;
}

/* Supports of the state, with what it holds of them, brought back to where none is passed. False: that fails. */
static bool support(const Search *s, RbvBalance *balance, RbvSupports *supports) {
    memcpy(supports->there, s->pattern->there, (size_t)supports->contacts.count * sizeof *supports->there);
    return rbv_balance_weigh(balance) && rbv_supports_begin(supports, balance);
}

/* Until nothing one-sided is passed, and none pulls. */
static RbvStatus settle(const Search *s, RbvEquilibriumSearch *search, bool downhill) {
    bool again = true;
    RbvStatus status = RBV_OK;
    while (status == RBV_OK && again) {
        RbvEquilibriumMethod *method = downhill ? rbv_equilibrium_by_energy : rbv_equilibrium_by_newton;
        status = s->judge->found_in ? rbv_equilibrium_in_coordinates(s->judge->found_in, method, search) : method(search);
        again = false;
        if (status == RBV_OK && !s->judge->found_in)
            status = rbv_equilibrium_settle(search, &again);
    }
    return status;
}

/* From the assembled state. That a start leads nowhere is no error. */
static RbvStatus go(Search *s, bool downhill, const char *name) {
    RbvEquilibriumSearch search = {0};
    RbvSupports supports = {0};
    bool good = !s->pattern || rbv_supports_create(&supports, s->state, NULL);
    RbvBalance *balance = good ? rbv_balance_create(s->state, s->judge->options->locked) : NULL;
    RbvStatus status = balance ? rbv_equilibrium_create(&search, balance, NULL) : RBV_NO_MEMORY;
    if (status == RBV_OK && (!s->pattern || support(s, balance, &supports)) && rbv_balance_place(balance)) {
        search.watch = s->state->watch;
        search.supports = s->pattern ? &supports : NULL;
        status = s->pattern || rbv_balance_hold(balance, RBV_HELD_BARELY) ? settle(s, &search, downhill) : RBV_NO_MEMORY;
        if (status == RBV_OK)
            status = note(s, &search, name);
        else if (status != RBV_NO_MEMORY && status != RBV_INTERRUPTED)
            status = RBV_OK;
    }
    rbv_equilibrium_destroy(&search);
    rbv_balance_destroy(balance);
    s->state->active = s->base;
    rbv_supports_destroy(&supports);
    return s->state->no_memory ? RBV_NO_MEMORY : status;
}

/* Of what is one-sided nothing is held, and every second time that some may be one subset after the other: of a stop one side. Which subset, the alphabet of names decides. */
static void choose_held(Search *s, bool may) {
    bool some = may && s->turn++ % 2 == 1, before = false;
    int32_t last = -1;
    for (int32_t n = 0; s->pattern && n < s->pattern->contacts.count; n++) {
        int32_t k = s->by_name[n];
        const RbvContact *contact = &s->pattern->contacts.items[k];
        bool same = contact->stop >= 0 && contact->stop == last;
        before = some && n < 32 && s->pattern->there[k] && (s->subset >> n & 1) && !(same && before);
        last = contact->stop;
        s->base[contact->row] = before;
        rbv_contacts_hold_rest(contact, s->system, before, s->base);
    }
    s->subset += some;
}

/* by_name[contacts]: in the alphabet; both sides of a stop keep their order. */
static void sort_contacts(Search *s) {
    for (int32_t k = 0; s->pattern && k < s->pattern->contacts.count; k++) {
        const RbvContact *items = s->pattern->contacts.items;
        int32_t n = k;
        for (; n > 0 && strcmp(items[s->by_name[n - 1]].name, items[k].name) > 0; n--)
            s->by_name[n] = s->by_name[n - 1];
        s->by_name[n] = k;
    }
}

/* Whole turns are those of the found equilibrium, not of the start before. */
static void take_turns(Search *s) {
    memcpy(s->state->memory, s->found->memory, (size_t)s->system->model->measures.count * sizeof *s->found->memory);
    memcpy(s->state->row_turn, s->found->row_turn, (size_t)s->system->all_count * sizeof *s->found->row_turn);
}

static RbvStatus from_start(Search *s, const double *q, double move, bool downhill) {
    RbvAssembly assembly = {.driven = true};
    choose_held(s, !downhill);
    rbv_shake(s->state, q, HALF_TURN, move, &s->seed, s->step);
    take_turns(s);
    RbvStatus status = rbv_assemble_position(s->state, s->state->t, NULL, &assembly);
    if (status != RBV_OK || !rbv_turns_fit(s->found, s->state))
        return status == RBV_NO_MEMORY || status == RBV_INTERRUPTED ? status : RBV_OK;
    return go(s, downhill, downhill ? "energy" : "lagrange");
}

static RbvStatus search(Search *s, const RbvState *found) {
    RbvResult *result = s->judge->record->result;
    int32_t starts = START_WORK / (s->system->coordinates.size + 1);
    starts = starts < LEAST_STARTS ? LEAST_STARTS : starts > MOST_STARTS ? MOST_STARTS : starts;
    starts *= s->pattern ? ONE_SIDED : 1;
    sort_contacts(s);
    s->state->t = found->t;
    memcpy(s->state->q, found->q, (size_t)s->system->coordinates.position_size * sizeof(double));
    take_turns(s);
    s->state->keeps_turns = rbv_counts_turns(s->system);
    for (int32_t k = 0; k < s->system->row_count; k++)
        s->base[k] = rbv_state_holds(found, k);
    s->state->active = s->base;
    s->state->acting = found->acting;
    rbv_state_place(s->state);
    RbvStatus status = go(s, false, result->equilibrium.method);
    for (int32_t k = 0; k < starts && status == RBV_OK; k++) {
        bool downhill = s->has_energy && k % 2 == 0, near = k % 8 < 4, wide = k % 16 >= 8; /* each with each, and with what choose_held changes at every second Newton */
        status = from_start(s, near ? found->q : s->system->start_q, wide ? WIDE : 1, downhill);
        result->equilibrium_starts = k + 1;
    }
    return rbv_sort_equilibria(result->equilibria, s->count, s->V_size) ? status : RBV_NO_MEMORY;
}

RbvStatus rbv_find_equilibria(const RbvState *found, RbvEquilibriumJudge *judge, bool has_energy, const RbvSupports *supports) {
    const RbvSystem *system = found->system;
    RbvResult *result = judge->record->result;
    Search s = {.system = system, .found = found, .judge = judge, .has_energy = has_energy, .seed = 0x9E3779B97F4A7C15u, .pattern = supports};
    s.state = rbv_state_create(system);
    if (s.state)
        s.state->watch = found->watch;
    s.q = malloc((MOST_FOUND * (size_t)system->coordinates.position_size + 1) * sizeof *s.q);
    s.kinship = malloc(MOST_FOUND * sizeof *s.kinship);
    s.step = malloc(((size_t)system->coordinates.size + 1) * sizeof *s.step);
    s.base = malloc((size_t)system->row_count + 1);
    s.by_name = malloc(((size_t)(supports ? supports->contacts.count : 0) + 1) * sizeof *s.by_name);
    result->equilibria = rbv_arena_alloc(&result->arena, MOST_FOUND * sizeof *result->equilibria);
    RbvStatus status = s.state && s.q && s.step && s.kinship && s.base && s.by_name && result->equilibria ? search(&s, found) : RBV_NO_MEMORY;
    if (status == RBV_OK && s.left_out)
        rbv_diagnose(judge->diagnostics, RBV_NOTE, system->model->file, (RbvPosition){0, 0}, "--all also came to rest where no forces in the joints could be found that balance; such places are not listed");
    if (status == RBV_OK && s.family)
        rbv_diagnose(judge->diagnostics, RBV_NOTE, system->model->file, (RbvPosition){0, 0}, "some of the equilibria are one place of a family of equal ones, along motions that nothing resists; --all lists one of each family");
    rbv_state_destroy(s.state);
    free(s.q);
    free(s.kinship);
    free(s.base);
    free(s.by_name);
    free(s.step);
    return status;
}
