/* Finds the motion that moves no mass: what remains of the null space of C after the rows of M are removed from it; see
 * massless.h. */
#include "dynamics/accelerations/massless.h"

#include "solution/assembly/absolute_state.h"
#include "solution/assembly/freedom.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows of M are processed one by one, each against all others: number of coordinates up to which this is done. */
#define MOST_COORDINATES 600
/* Part of a body's coordinate in the motion above which it is no rounding. */
#define MOVES 1e-3
/* Largest number of bodies named. */
#define MOST_SAID 3

/* Writes "generalized coordinate 'u' has no mass", "body 'rod' has no inertia". False: it has both. */
static bool lacks(const RbvState *state, int32_t b, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    const RbvBody *body = &model->bodies.items[b];
    int32_t own = body->generalized - 1, n = model->generalized.count;
    bool spatial = model->space == RBV_SPATIAL, massless = body->mass <= 0;
    double least = spatial ? fmin(body->inertia[0], fmin(body->inertia[1], body->inertia[2])) : body->inertia[2];
    if (own >= 0 ? state->mass[own * n + own] > 0 : !massless && (body->particle || least > 0))
        return false;
    if (own >= 0)
        snprintf(text, size, "generalized coordinate '%s' has no mass", body->name);
    else
        snprintf(text, size, "body '%s' has no %s", body->name,
                 massless  ? "mass"
                 : spatial ? "inertia about one of its axes"
                           : "inertia");
    return true;
}

/* Finds the motions that all active rows leave free. NULL: out of memory. */
static RbvFreedom *all_free(RbvState *state) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = rbv_freedom_create(state, system->undriven_count, false);
    for (int32_t k = system->undriven_count; freedom && k < system->all_count; k++)
        if (rbv_state_holds(state, k) && system->rows[k].owner != RBV_OWNER_INITIAL)
            rbv_freedom_take_row(freedom, state, k);
    return freedom;
}

static bool moves(RbvFreedom *freedom, const RbvBodyColumns *bodies, int32_t b) {
    double most = 0;
    for (int32_t j = bodies->start[b]; j < bodies->start[b + 1]; j++)
        most = fmax(most, rbv_freedom_part_of_column(freedom, j));
    return most > MOVES;
}

static void explain(RbvState *state, char *text, size_t size) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = all_free(state);
    bool known = freedom && rbv_freedom_take_masses(freedom, state, MOST_COORDINATES) && !rbv_freedom_lost(freedom);
    char names[200], why[MOST_SAID * (RBV_NAME_SIZE + 64)] = "", one[RBV_NAME_SIZE + 60];
    text[0] = '\0';
    for (int32_t b = 1, said = 0; b < system->bodies.count && said < (known ? MOST_SAID : 1); b++)
        if ((!known || moves(freedom, &system->bodies, b)) && lacks(state, b, one, sizeof one)) {
            size_t used = strlen(why);
            snprintf(why + used, sizeof why - used, "%s%s", said++ ? ", " : "", one);
        }
    int32_t count = known ? rbv_freedom_complete(freedom, state, names, sizeof names) : 0;
    if (count > 0)
        snprintf(text, size, "%s %s no mass%s%s%s", names, count == 1 ? "moves" : "move", why[0] ? " (" : "", why,
                 why[0] ? ")" : "");
    else
        snprintf(text, size, "%s", why);
    rbv_freedom_destroy(freedom);
}

/* Uses the coordinates whose v is body twists: freedoms and masses are named by bodies. */
void rbv_massless_explain(RbvState *state, char *text, size_t size) {
    RbvState *absolute = state->system->absolute ? rbv_absolute_state_create(state) : NULL;
    if (absolute)
        rbv_absolute_state_follow(state, absolute);
    if (absolute && rbv_state_place(absolute)) {
        rbv_state_jacobian(absolute);
        if (rbv_state_rates(absolute) && rbv_state_move(absolute))
            rbv_state_masses(absolute);
    }
    explain(absolute ? absolute : state, text, size);
    rbv_state_destroy(absolute);
}
