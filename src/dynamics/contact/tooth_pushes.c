/* Forces along lines of centres, iterated until the multipliers settle; see tooth_pushes.h. */
#include "dynamics/contact/tooth_pushes.h"

#include <math.h>
#include <string.h>

/* Settled when they change by less than this part of the largest. */
#define SETTLED 1e-13
#define MOST_PASSES 100

bool rbv_tooth_pushes(RbvReactions *r, RbvKeptReactions *kept_reactions, const double *bare, double *Q, double *mu) {
    int32_t rows = kept_reactions->state->system->row_count;
    memcpy(r->lambda, bare, (size_t)rows * sizeof *r->lambda);
    for (int pass = 0; r->has_line && pass < MOST_PASSES; pass++) {
        double change = 0, largest = 0;
        rbv_reactions_lines(r, kept_reactions->state, rbv_saddle_wrenches(kept_reactions->motion));
        if (!rbv_kept_reactions_answer(kept_reactions, Q, Q, mu))
            return false;
        for (int32_t k = 0; k < rows; k++) {
            double next = bare[k] + mu[k];
            change = fmax(change, fabs(next - r->lambda[k]));
            largest = fmax(largest, fabs(next));
            r->lambda[k] = next;
        }
        if (change <= SETTLED * largest)
            return true;
    }
    return !r->has_line;
}
