/* Search for all equilibria. Each start is the found equilibrium, the starting poses or another
 * equilibrium found, turned and moved at random and assembled. From there the energy is minimized; or
 * it is made a maximum along some motions and a minimum along the others, which finds saddles and maxima; or Newton's
 * method runs on positions and multipliers. With stops and one-sided joints, all starts but the first begin with some
 * supports closed, a different set for each start, so that equilibria that rest on any of them are found, stable or
 * not; a minimization meets supports on its path. */
#include "statics/all_equilibria.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/descent.h"
#include "statics/balance.h"
#include "statics/equilibria_list.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"
#include "statics/verify.h"

#include <roberval/base.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Positions where two points are near each other. Near the tips of the energy, where a spring has length zero, there
 * are equilibria that few other starts lead to. Steps of least norm on the tangent of the rows along which a distance
 * reaches a given length, y = N N^T g (change) / |N^T g|^2, projected to Phi = 0 after each; g: gradient of the
 * distance. */

#define MOST_LENGTH_STEPS 30
#define LENGTH_STEP 0.5      /* [rad, sizes] */
#define LENGTH_TOLERANCE 0.1 /* part of the length */

static const RbvMarker *end_marker(const RbvModel *model, int32_t measure, int side) {
    return &model->markers.items[model->measures.items[measure].marker[side]];
}

/* Order of two measures by the names of their bodies, then by the positions of their points on them. */
static int order_of_lengths(const RbvModel *model, int32_t a, int32_t b) {
    int by = 0;
    for (int side = 0; side < 2 && by == 0; side++)
        by = strcmp(model->bodies.items[end_marker(model, a, side)->body].name,
                    model->bodies.items[end_marker(model, b, side)->body].name);
    for (int side = 0; side < 2; side++) {
        const RbvVec3 one = end_marker(model, a, side)->at, other = end_marker(model, b, side)->at;
        const double differs[] = {one.x - other.x, one.y - other.y, one.z - other.z};
        for (int k = 0; k < 3 && by == 0; k++)
            by = differs[k] < 0 ? -1 : differs[k] > 0;
    }
    return by;
}

/* Distances of the model that forces may depend on, in an order independent of the file: which[*count], freed by the
 * caller. NULL if out of memory. */
static int32_t *find_lengths(RbvArena *arena, const RbvModel *model, int32_t *count) {
    int32_t *which = rbv_arena_alloc(arena, ((size_t)model->measures.count + 1) * sizeof *which);
    *count = 0;
    for (int32_t m = 0; which && m < model->measures.count; m++) {
        int32_t n = *count;
        if (model->measures.items[m].kind != RBV_MEASURE_DISTANCE)
            continue;
        for (; n > 0 && order_of_lengths(model, which[n - 1], m) > 0; n--)
            which[n] = which[n - 1];
        which[n] = m;
        ++*count;
    }
    return which;
}

/* slope[n]: gradient of the measure, scaled. False if out of memory. */
static bool gradient_of_length(const RbvBalance *b, int32_t measure, double *slope) {
    const RbvMeasureState *state = &b->state->measures[measure];
    RbvWrench *wrenches = calloc((size_t)b->system->bodies.count, sizeof *wrenches);
    for (int side = 0; wrenches && side < 2; side++) {
        RbvWrench *wrench = &wrenches[end_marker(b->system->model, measure, side)->body];
        wrench->force = rbv_add(wrench->force, state->gradient[side].force);
        wrench->torque = rbv_add(wrench->torque, state->gradient[side].torque);
    }
    if (wrenches)
        rbv_balance_generalized_forces(b, wrenches, slope);
    free(wrenches);
    return wrenches;
}

/* Replaces slope by y. False: the rows keep the distance. */
static bool motion_to_length(const RbvBalance *b, const double *N, int32_t f, double change, double *slope,
                             double *part) {
    double square = 0, whole = 0;
    for (int32_t k = 0; k < f; k++) {
        part[k] = 0;
        for (int32_t i = 0; i < b->n; i++)
            part[k] += N[i * f + k] * slope[i];
        square += part[k] * part[k];
    }
    for (int32_t i = 0; i < b->n; i++) {
        whole += slope[i] * slope[i];
        slope[i] = 0;
        for (int32_t k = 0; k < f; k++)
            slope[i] += N[i * f + k] * part[k] * change / square;
    }
    /* Part of the gradient: below it the rows keep the distance. */
    return square > RBV_FITS * RBV_FITS * whole;
}

/* Moves from the evaluated state along the rows to where the distance, a measure, is `length` [m], or as near to it as
 * a few steps lead. False: out of memory, or the rows are lost. */
static bool make_short(RbvBalance *b, int32_t measure, double length) {
    double *y = malloc(2 * ((size_t)b->n + 1) * sizeof *y), l = b->state->measures[measure].value;
    bool good = y, on = true;
    for (int step = 0; good && on && step < MOST_LENGTH_STEPS && fabs(l - length) > LENGTH_TOLERANCE * length; step++) {
        int32_t f;
        bool safe;
        double *N = rbv_tangent_motions(b, true, false, &f, &safe);
        good = N && gradient_of_length(b, measure, y);
        on = good && motion_to_length(b, N, f, length - l, y, y + b->n);
        free(N);
        rbv_balance_store(b);
        if (on)
            rbv_balance_move(b, y, rbv_balance_limit(b, y, LENGTH_STEP, LENGTH_STEP));
        good = good && (!on || rbv_balance_project(b));
        l = b->state->measures[measure].value;
        if (good)
            rbv_state_accept(b->state);
    }
    b->state->no_memory = b->state->no_memory || !y;
    free(y);
    return good;
}

/* Starts: from where, by which method, and when to stop. The first starts are by minimization and by Newton's method.
 * Of the others half are drawn from the poses, turned and moved at random, by each method in turn: minimization, by
 * index for each index, Newton's method, and by index where a length is short. The other half begin beside listed
 * equilibria, along one motion more or fewer of decreasing energy, as the equilibria of an energy are connected. The
 * search ends when all listed equilibria have had their starts, and as many drawn starts in a row as the patience says
 * found nothing new. No decision here depends on a rounded number. */

typedef enum StartMethod { START_DOWNHILL, START_NEWTON, START_INDEX } StartMethod;

/* Position from which a start is drawn: a listed equilibrium (0, 1, ...) or one of these constants. */
enum { FROM_POSES = -1, FROM_REACHED = -2 };

typedef struct Start {
    int32_t from;      /* listed equilibrium, or RBV_FROM_... */
    double turn, move; /* largest random rotation [half turns] and displacement [sizes] of bodies */
    StartMethod method;
    int32_t index; /* by index: number of motions along which the energy is to be a maximum */
    bool is_short; /* one of the model's distances is made short first */
} Start;

typedef struct Starts {
    bool downhill, by_index; /* methods that the model allows */
    bool lengths;            /* the model has distances that may be short */
    bool requested;          /* it is known that equilibria are missing: do not stop before `most` */
    int32_t plain;           /* number of first starts, by minimization and by Newton's method */
    int32_t most, patience;  /* most: largest number of starts; patience: drawn starts without a new equilibrium, in a
                                row, before the end */
    int32_t freedoms;        /* largest number of independent motions in a search by index */
    int32_t begun, drawn, walked; /* begun: starts so far; drawn: those from the poses or the found equilibrium; walked:
                                     those from beside listed equilibria */
    int32_t index, short_index;   /* searches by index so far: far away, and with a short distance */
    int32_t last_new;             /* `drawn` when the last new equilibrium was found */
} Starts;

/* Largest number of starts: coordinates times starts (WORK), and, where a start takes a dense matrix, square of the
 * coordinates times starts (DENSE_WORK). */
#define WORK 6000
#define DENSE_WORK 400000
#define LEAST_STARTS 10
#define MOST_STARTS 800
#define MOST_PLAIN 200 /* without searches by index */
/* Drawn starts in a row without a new equilibrium before the end: coordinates times starts, with bounds, and an
 * addition for each listed equilibrium. */
#define PATIENCE_WORK 1500
#define LEAST_PATIENCE 60
#define MOST_PATIENCE 160
#define PATIENCE_PER_PLACE 6
/* Number of coordinates above which dense matrices cost too much. */
#define MOST_DENSE 200
/* Starts beside each listed equilibrium, and more for each freedom; their distance in half turns and sizes. */
#define BESIDE 4
#define BESIDE_PER_FREEDOM 2
#define NEAR 0.1
#define LESS_NEAR 0.3
/* Distance in sizes and half turns in every second round: slack ropes and springs allow bodies farther away than in the
 * poses, and coils of springs count turns. */
#define WIDE 3.0

static int32_t within(int32_t least, int32_t number, int32_t most) {
    if (number < least)
        return least;
    return number > most ? most : number;
}

/* Starts for `size` coordinates. The numbers of starts are multiplied by `times`, where other one-sided supports are
 * closed at each start. */
static Starts starts_of(int32_t size, bool has_energy, bool lengths, int32_t times) {
    Starts s = {
        .downhill = has_energy, .by_index = has_energy && size <= MOST_DENSE, .lengths = lengths, .freedoms = 1};
    s.plain = times * within(LEAST_STARTS, WORK / (size + 1), MOST_PLAIN);
    s.patience = times * within(LEAST_PATIENCE, PATIENCE_WORK / (size + 1), MOST_PATIENCE);
    s.most = s.plain + (s.by_index ? within(0, DENSE_WORK / ((size + 1) * (size + 1)), MOST_STARTS) : 0);
    return s;
}

/* Starts beside a listed equilibrium: towards those with one motion of decreasing energy more or fewer. */
static void start_beside_listed(Starts *s, const int32_t *falling, int32_t walks, Start *start) {
    int32_t from = s->walked / walks, here = falling[from];
    bool up = here == 0 || (s->walked % 2 == 0 && here < s->freedoms);
    double near = s->walked % 4 < 2 ? NEAR : LESS_NEAR;
    *start = (Start){.from = from, .turn = near, .move = near, .index = up ? here + 1 : here - 1};
    start->method = start->index == 0 ? START_DOWNHILL : START_INDEX;
    s->walked++;
}

/* Mixes the bits of a counter, so that indices do not repeat with other periods. */
static uint32_t mix_bits(uint32_t n) {
    return ((n + 1) * 0x9E3779B9u) >> 16;
}

/* Start by minimization or Newton's method, from the found equilibrium or from the poses. */
static void draw_plain(const Starts *s, int32_t round, Start *start) {
    *start = (Start){.from = round % 8 < 4 ? FROM_REACHED : FROM_POSES, .turn = 1, .move = 1};
    if (round % 16 >= 8)
        start->move = WIDE;
    start->method = s->downhill && round % 2 == 0 ? START_DOWNHILL : START_NEWTON;
}

static void draw_start(Starts *s, Start *start) {
    static const StartMethod drawn_methods[] = {START_DOWNHILL, START_INDEX, START_INDEX,  START_INDEX,
                                                START_DOWNHILL, START_INDEX, START_NEWTON, START_INDEX};
    int32_t all = s->drawn++, round = all - s->plain, k = round % 8;
    if (round < 0) {
        draw_plain(s, all, start);
        return;
    }
    double far = round % 16 >= 8 ? WIDE : 1;
    *start = (Start){.from = k % 5 ? FROM_POSES : FROM_REACHED, .turn = far, .move = far, .method = drawn_methods[k]};
    start->is_short = s->lengths && (k == 1 || k == 3 || k == 7);
    if (start->method == START_INDEX) {
        int32_t *count = start->is_short ? &s->short_index : &s->index;
        start->index = (int32_t)(mix_bits((uint32_t)(*count)++) % (uint32_t)s->freedoms) + 1;
    }
}

/* Next start. falling[count]: for each equilibrium listed so far, number of independent motions along which the energy
 * decreases. False: enough starts. */
static bool next_start(Starts *s, const int32_t *falling, int32_t count, Start *start) {
    int32_t walks = s->by_index ? BESIDE + BESIDE_PER_FREEDOM * s->freedoms : 0;
    bool begins = s->drawn < s->plain, beside = !begins && s->walked < walks * count;
    int32_t since = s->drawn - (s->last_new > s->plain ? s->last_new : s->plain);
    bool far = begins || s->requested || since < s->patience + PATIENCE_PER_PLACE * count;
    if (s->begun == s->most || (!beside && !far))
        return false;
    s->begun++;
    if (beside && (!far || s->begun % 2 == 0))
        start_beside_listed(s, falling, walks, start);
    else
        draw_start(s, start);
    return true;
}

/* Tells that the last start has led to `fresh` new equilibria. */
static void count_found(Starts *s, int32_t fresh) {
    if (fresh > 0)
        s->last_new = s->drawn;
}

#define ONE_SIDED                                                                                                      \
    4 /* factor of the number of starts for models with one-sided supports: only some starts begin with a given set    \
         closed */
/* Most equilibria that are listed. */
#define MOST_FOUND 200
/* Estimate of missing equilibria, over the number of those listed, above which no number is reported: it would depend
 * on single starts. */
#define MANY 0.5
#define HALF_TURN 3.14159
/* A length that is made short is e^-7 to 1 times the size of its body: equilibria beside the tip of a spring's energy
 * occur at any scale. */
#define SHORTEST_EXPONENT 7.0
/* Largest difference of two equal equilibria: displacement of any body as a part of its size, or angle [rad]. */
#define SAME_POSITION 1e-5

typedef struct Search {
    RbvArena arena; /* of all arrays */
    const RbvSystem *system;
    const RbvState *found;
    RbvEquilibriumVerifier *verifier;
    bool has_energy;
    bool left_out; /* equilibria without forces were found */
    RbvState *state;
    double *q;           /* [MOST_FOUND][position_size] positions of the listed equilibria */
    double *step;        /* [size] workspace */
    RbvKinship *kinship; /* [MOST_FOUND] family properties of the listed equilibria */
    double V_size;       /* [J] largest size of the terms of an energy */
    bool family;         /* further equilibria of a listed family were found */
    int32_t count;
    uint64_t seed;
    const RbvSupports *pattern; /* one-sided supports of the model; NULL: none */
    int32_t *by_name;           /* [contacts of pattern] contacts in alphabetical order of their names */
    bool *base;                 /* [rows] active rows at a start */
    uint32_t subset, turn;      /* supports closed at the next start, as bits; starts that may close some */
    Starts starts;
    int32_t *falling; /* [MOST_FOUND] number of motions along which the energy decreases */
    int32_t *hits;    /* [MOST_FOUND] number of drawn starts that led to each equilibrium */
    bool drawn;       /* the present start is drawn, not taken beside a listed equilibrium */
    bool sum_known;   /* the sum of the indices of all equilibria is known */
    int32_t sum;
    int32_t *length, lengths, next; /* [lengths] distances that may be short; counter of those */
} Search;

/* True if the present state is one of the listed equilibria, whose number of hits is then increased. */
static bool is_known_place(Search *s) {
    const RbvBodyColumns *bodies = &s->system->bodies;
    size_t positions = (size_t)s->system->coordinates.position_size;
    for (int32_t k = 0; k < s->count; k++) {
        double far = 0;
        rbv_coordinates_difference(&s->system->coordinates, s->q + (size_t)k * positions, s->state->q, s->step);
        for (int32_t b = 1; b < bodies->count && far <= SAME_POSITION; b++) {
            RbvTwist moved = rbv_bodies_twist(bodies, b, s->step);
            double turned = bodies->spatial ? rbv_norm(moved.w) : fabs(remainder(moved.w.z, 6.283185307179586));
            far = fmax(far, fmax(rbv_norm(moved.v) / rbv_state_body_size(s->state, b), turned));
        }
        if (far <= SAME_POSITION) {
            s->hits[k] += s->drawn;
            return true;
        }
    }
    return false;
}

/* True if the present equilibrium belongs to a family that is listed already. */
static bool is_known_family(Search *s, const RbvEquilibrium *now, const RbvKinship *kinship) {
    for (int32_t k = 0; k < s->count; k++)
        if (rbv_of_one_family(&s->verifier->record->result->equilibria[k], &s->kinship[k], now, kinship)) {
            s->hits[k] += s->drawn;
            return s->family = true;
        }
    return false;
}

/* Adds the present equilibrium to the list if it is new; its forces are audited as those of the first. The stability of
 * a known equilibrium is not computed: most starts lead to one. */
static RbvStatus list_equilibrium(Search *s, RbvEquilibriumSearch *search, const char *method) {
    RbvResult *result = s->verifier->record->result;
    RbvStability stability = {0};
    RbvEquilibrium now;
    if (s->count == MOST_FOUND || is_known_place(s))
        return RBV_OK;
    if (!rbv_equilibrium_balances(search)) {
        s->left_out = true;
        return RBV_OK;
    }
    RbvStatus status = rbv_supported_stability(search, s->has_energy, &stability);
    if (status == RBV_OK && s->has_energy && !search->supports && !rbv_has_locked_rows(search->balance))
        rbv_stability_inflects(search, &stability);
    rbv_stability_alone(&stability);
    if (status == RBV_OK && !rbv_equilibrium_describe(s->verifier->record, search, &stability, NULL, method, &now))
        status = RBV_NO_MEMORY;
    RbvKinship kinship = rbv_kinship(search->balance, stability.level, stability.falling);
    s->V_size = fmax(s->V_size, kinship.V_size);
    if (status == RBV_OK)
        rbv_equilibrium_to_one_turn(search->balance, &result->equilibrium, &now);
    if (status == RBV_OK && !is_known_family(s, &now, &kinship)) {
        size_t positions = (size_t)s->system->coordinates.position_size;
        memcpy(s->q + (size_t)s->count * positions, s->state->q, positions * sizeof(double));
        status = rbv_equilibrium_audit(s->verifier, search, &stability, NULL);
        if (status == RBV_OK) {
            s->kinship[s->count] = kinship;
            s->falling[s->count] = stability.falling;
            s->hits[s->count] = s->drawn;
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

/* Supports of the state with the closed ones of its active rows; brings the state to where no support is violated.
 * False: that fails. */
static bool begin_supports(const Search *s, RbvBalance *balance, RbvSupports *supports) {
    memcpy(supports->enabled, s->pattern->enabled, (size_t)supports->contacts.count * sizeof *supports->enabled);
    return rbv_balance_weigh(balance) && rbv_supports_begin(supports, balance);
}

/* Moves to equilibrium in the coordinates of the verifier, where no support is violated and none pulls; the method by
 * index works over bodies first. */
static RbvStatus run_method_of_start(const Search *s, RbvEquilibriumSearch *search, StartMethod method) {
    static RbvEquilibriumMethod *const by_start[] = {[START_DOWNHILL] = rbv_equilibrium_by_energy,
                                                     [START_NEWTON] = rbv_equilibrium_by_newton,
                                                     [START_INDEX] = rbv_equilibrium_by_index};
    const RbvSystem *in = s->verifier->found_in;
    if (!in)
        return rbv_equilibrium_run(by_start[method], search);
    RbvStatus status = method == START_INDEX ? rbv_equilibrium_by_index(search) : RBV_OK;
    if (status != RBV_OK)
        return status;
    return rbv_equilibrium_in_coordinates(in, by_start[method == START_INDEX ? START_NEWTON : method], search);
}

/* Makes one distance after the other short, to a length of any scale. */
static bool shorten_next_length(Search *s, RbvBalance *balance) {
    int32_t measure = s->length[s->next++ % s->lengths],
            body = s->system->model->markers.items[s->system->model->measures.items[measure].marker[1]].body;
    double length = rbv_state_body_size(
        s->state,
        body > 0 ? body : s->system->model->markers.items[s->system->model->measures.items[measure].marker[0]].body);
    return make_short(balance, measure, length * exp(-SHORTEST_EXPONENT * fabs(rbv_unit_random(&s->seed)))) &&
           rbv_balance_evaluate(balance);
}

/* Searches from the assembled state and notes the equilibrium. A start that leads to none is no error. */
static RbvStatus run_search(Search *s, const Start *start, const char *name) {
    RbvEquilibriumSearch search = {0};
    RbvSupports supports = {0};
    bool good = !s->pattern || rbv_supports_create(&supports, s->state, NULL);
    RbvBalance *balance = good ? rbv_balance_create(s->state, s->verifier->options->statics.locked) : NULL;
    RbvStatus status = balance ? rbv_equilibrium_create(&search, balance, NULL) : RBV_NO_MEMORY;
    if (status == RBV_OK && (!s->pattern || begin_supports(s, balance, &supports)) && rbv_balance_evaluate(balance) &&
        (!start->is_short || shorten_next_length(s, balance))) {
        search.progress = s->state->progress;
        search.supports = s->pattern ? &supports : NULL;
        search.index = start->index;
        status = s->pattern || rbv_balance_lock_bodies(balance, RBV_LOCKED_BARELY)
                     ? run_method_of_start(s, &search, start->method)
                     : RBV_NO_MEMORY;
        s->starts.freedoms = search.freedoms > s->starts.freedoms ? search.freedoms : s->starts.freedoms;
        if (status == RBV_OK)
            status = list_equilibrium(s, &search, name);
        else if (status != RBV_NO_MEMORY && status != RBV_INTERRUPTED)
            status = RBV_OK;
    }
    rbv_equilibrium_destroy(&search);
    rbv_balance_destroy(balance);
    s->state->active = s->base;
    rbv_supports_destroy(&supports);
    return s->state->no_memory ? RBV_NO_MEMORY : status;
}

/* Chooses the supports closed at a start: none, or, at every second start that `may` close some, one subset after the
 * other, with at most one side of a stop. The subsets follow the alphabetical order of names. */
static void choose_closed(Search *s, bool may) {
    bool some = may && s->turn++ % 2 == 1, before = false;
    int32_t last = -1;
    for (int32_t n = 0; s->pattern && n < s->pattern->contacts.count; n++) {
        int32_t k = s->by_name[n];
        const RbvContact *contact = &s->pattern->contacts.items[k];
        bool same = contact->stop >= 0 && contact->stop == last;
        before = some && n < 32 && s->pattern->enabled[k] && (s->subset >> n & 1) && !(same && before);
        last = contact->stop;
        s->base[contact->row] = before;
        rbv_contacts_hold_rest(contact, s->system, before, s->base);
    }
    s->subset += some;
}

/* by_name[contacts]: alphabetical order; both sides of a stop keep their order. */
static void sort_contacts(Search *s) {
    for (int32_t k = 0; s->pattern && k < s->pattern->contacts.count; k++) {
        const RbvContact *items = s->pattern->contacts.items;
        int32_t n = k;
        for (; n > 0 && strcmp(items[s->by_name[n - 1]].name, items[k].name) > 0; n--)
            s->by_name[n] = s->by_name[n - 1];
        s->by_name[n] = k;
    }
}

/* Takes the whole turns of the found equilibrium, not those of the previous start. */
static void copy_turns(Search *s) {
    memcpy(s->state->memory, s->found->memory, (size_t)s->system->model->measures.count * sizeof *s->found->memory);
    memcpy(s->state->row_turn, s->found->row_turn, (size_t)s->system->all_count * sizeof *s->found->row_turn);
}

static RbvStatus run_start(Search *s, const double *reached, const Start *start) {
    RbvAssembly assembly = {.driven = true};
    const double *listed =
        s->q + (size_t)(start->from > 0 ? start->from : 0) * (size_t)s->system->coordinates.position_size;
    const double *drawn = start->from == FROM_REACHED ? reached : s->system->start_q;
    const double *q = start->from < 0 ? drawn : listed;
    choose_closed(s, start->method != START_DOWNHILL);
    rbv_shake(s->state, q, start->turn * HALF_TURN, start->move, &s->seed, s->step);
    copy_turns(s);
    RbvStatus status = rbv_assemble_position(s->state, s->state->t, NULL, &assembly);
    if (status != RBV_OK || !rbv_turns_fit(s->found, s->state))
        return status == RBV_NO_MEMORY || status == RBV_INTERRUPTED ? status : RBV_OK;
    return run_search(s, start, start->method == START_DOWNHILL ? "energy" : "lagrange");
}

/* True if it is certain that equilibria are missing: the sum of indices is known and differs. */
static bool misses_some(const Search *s) {
    int32_t sum = 0;
    for (int32_t k = 0; k < s->count; k++) {
        const char *stability = s->verifier->record->result->equilibria[k].stability;
        if (!stability || strcmp(stability, "neutral") == 0 || s->kinship[k].level)
            return false;
        sum += s->falling[k] % 2 ? -1 : 1;
    }
    return s->sum_known && !s->family && !s->left_out && s->count < MOST_FOUND && sum != s->sum;
}

/* Estimated number of missing equilibria, from how many were met once and twice by drawn starts (Chao, 1984). */
static double estimate_missing(const Search *s) {
    double met = 0, once = 0, twice = 0;
    for (int32_t k = 0; k < s->count; k++) {
        met += s->hits[k] > 0;
        once += s->hits[k] == 1;
        twice += s->hits[k] == 2;
    }
    return met + once * (once - 1) / (2 * (twice + 1)) - s->count;
}

static void note_missing(const Search *s, RbvDiagnostics *diagnostics) {
    const char *file = s->system->model->file;
    double about = estimate_missing(s);
    if (misses_some(s))
        rbv_diagnose(diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
                     RBV_OPTION_STATICS_ALL
                     " lacks at least one equilibrium: of an open tree of hinges, those where the energy falls by an "
                     "even number of motions less those of an odd one are %d, of these it is not so",
                     (int)s->sum);
    if (about > MANY * s->count) /* the estimate is no more than an order of magnitude, and depends on single starts */
        rbv_diagnose(diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
                     RBV_OPTION_STATICS_ALL
                     " may lack many equilibria: most of those listed were met by one drawn start only");
    else if (about >= 0.5)
        rbv_diagnose(
            diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
            RBV_OPTION_STATICS_ALL
            " may lack some equilibria, about %.0f, as many of those listed were met by one of %d drawn starts only",
            about, (int)s->starts.drawn);
}

static RbvStatus search_all(Search *s, const RbvState *found) {
    RbvResult *result = s->verifier->record->result;
    Start start = {.method = START_NEWTON};
    sort_contacts(s);
    s->state->t = found->t;
    memcpy(s->state->q, found->q, (size_t)s->system->coordinates.position_size * sizeof(double));
    copy_turns(s);
    s->state->keeps_turns = rbv_counts_turns(s->system);
    for (int32_t k = 0; k < s->system->row_count; k++)
        s->base[k] = rbv_state_holds(found, k);
    s->state->active = s->base;
    s->state->acting = found->acting;
    rbv_state_place(s->state);
    s->starts = starts_of(s->system->coordinates.size, s->has_energy, s->lengths > 0, s->pattern ? ONE_SIDED : 1);
    s->sum_known = s->has_energy && rbv_index_sum(s->state, &s->sum);
    RbvStatus status = run_search(s, &start, result->equilibrium.method);
    while (status == RBV_OK && next_start(&s->starts, s->falling, s->count, &start)) {
        int32_t before = s->count;
        s->drawn = start.from < 0;
        status = run_start(s, found->q, &start);
        count_found(&s->starts, s->count - before);
        s->starts.requested = misses_some(s);
    }
    result->equilibrium_starts = s->starts.begun;
    return rbv_sort_equilibria(result->equilibria, s->count, s->V_size) ? status : RBV_NO_MEMORY;
}

RbvStatus rbv_find_equilibria(const RbvState *found, RbvEquilibriumVerifier *verifier, bool has_energy,
                              const RbvSupports *supports) {
    const RbvSystem *system = found->system;
    RbvResult *result = verifier->record->result;
    Search s = {.system = system,
                .found = found,
                .verifier = verifier,
                .has_energy = has_energy,
                .seed = 0x9E3779B97F4A7C15u,
                .pattern = supports};
    s.state = rbv_state_create(system);
    if (s.state)
        s.state->progress = found->progress;
    s.q = rbv_arena_alloc(&s.arena, (MOST_FOUND * (size_t)system->coordinates.position_size + 1) * sizeof *s.q);
    s.kinship = rbv_arena_alloc(&s.arena, MOST_FOUND * sizeof *s.kinship);
    s.falling = rbv_arena_alloc(&s.arena, 2 * MOST_FOUND * sizeof *s.falling);
    s.hits = s.falling ? s.falling + MOST_FOUND : NULL;
    s.length = find_lengths(&s.arena, system->model, &s.lengths);
    s.step = rbv_arena_alloc(&s.arena, ((size_t)system->coordinates.size + 1) * sizeof *s.step);
    s.base = rbv_arena_alloc(&s.arena, (size_t)system->row_count + 1);
    s.by_name = rbv_arena_alloc(&s.arena, ((size_t)(supports ? supports->contacts.count : 0) + 1) * sizeof *s.by_name);
    result->equilibria = rbv_arena_alloc(&result->arena, MOST_FOUND * sizeof *result->equilibria);
    RbvStatus status =
        s.state && s.q && s.step && s.kinship && s.falling && s.length && s.base && s.by_name && result->equilibria
            ? search_all(&s, found)
            : RBV_NO_MEMORY;
    if (status == RBV_OK && s.left_out)
        rbv_diagnose(
            verifier->diagnostics, RBV_NOTE, system->model->file, (RbvPosition){0, 0},
            RBV_OPTION_STATICS_ALL
            " also came to rest where no forces in the joints could be found that balance; such places are not listed");
    if (status == RBV_OK && s.family)
        rbv_diagnose(verifier->diagnostics, RBV_NOTE, system->model->file, (RbvPosition){0, 0},
                     "some of the equilibria are one place of a family of equal ones, along motions that nothing "
                     "resists; " RBV_OPTION_STATICS_ALL " lists one of each family");
    if (status == RBV_OK)
        note_missing(&s, verifier->diagnostics);
    rbv_state_destroy(s.state);
    rbv_arena_clear(&s.arena);
    return status;
}
