/* Stops and one-sided joints along a path: which close and open, and how the path continues; see following.h. */
#include "statics/following.h"

#include "statics/switching.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

RbvStatus rbv_following_stop_where_met(RbvFollowing *f, const RbvPlace *now, double *way, RbvPlace *next,
                                       const char **ended, bool *met) {
    *met = rbv_path_slack(&f->path, next, NULL) < -1;
    if (!*met)
        return RBV_OK;
    RbvPlace event;
    RbvStatus status = rbv_following_locate_pressed(f, now, *way, next, &event);
    if (status != RBV_OK)
        return status;
    *way = rbv_path_apart(&f->path, now, &event);
    *ended = NULL;
    rbv_place_destroy(next);
    *next = event;
    return RBV_OK;
}

/* Names of the supports that come to touch at a point behind `from`, or of those that open (f->opens). Returns their
 * number; -1 if out of memory. */
static int32_t name_supports(RbvFollowing *f, const RbvPlace *from, const RbvPlace *at, bool released,
                             RbvEvent *event) {
    RbvArena *arena = &f->verifier->record->result->arena;
    const RbvContacts *contacts = &at->supports->contacts;
    event->supports = rbv_arena_alloc(arena, ((size_t)contacts->count + 1) * sizeof *event->supports);
    for (int32_t k = 0; event->supports && k < contacts->count; k++)
        if (released ? f->opens[k] : rbv_path_closes(&f->path, from, at, k)) {
            const char *name = rbv_arena_copy(arena, contacts->items[k].name, strlen(contacts->items[k].name));
            if (!name)
                return -1;
            event->supports[event->support_count++] = name;
        }
    return event->supports ? event->support_count : -1;
}

/* Records the events of supports that close and open at a point behind `from`; `after`: the same point as the path
 * continues. Both events refer to the last sample. Where more supports touch than are needed, the closed set may change
 * without either event. */
static RbvStatus record_switch(RbvFollowing *f, const RbvPlace *from, const RbvPlace *at, double arc, RbvPlace *place,
                               const RbvPlace *after) {
    RbvResult *result = f->verifier->record->result;
    const bool turns = at->tangent_u * after->tangent_u < 0,
               before = at->stability.kind == RBV_STABLE && after->stability.kind == RBV_UNSTABLE,
               behind = at->stability.kind == RBV_UNSTABLE && after->stability.kind == RBV_STABLE;
    RbvStatus status = RBV_OK;
    for (int released = 0; status == RBV_OK && released < 2; released++) {
        RbvEvent event = {.kind = released ? "release" : "land",
                          .at = rbv_path_parameter(&f->path, at->u),
                          .sample = result->sample_count - 1,
                          .before = rbv_stability_name(&at->stability),
                          .after = rbv_stability_name(&after->stability),
                          .rises = !turns              ? 0
                                   : at->tangent_u > 0 ? 1
                                                       : -1};
        int32_t count = name_supports(f, from, at, released, &event);
        if (count == 0)
            continue;
        if (count < 0 || !rbv_following_describe(f, place, NULL, &event.place))
            return RBV_NO_MEMORY;
        if (turns && (before || behind)) /* from the side that is not stable */
            status = rbv_following_land(f, before ? after : at, &event,
                                        before ? fmax(arc, RBV_SWITCHED_ARC) : -fmax(arc, RBV_SWITCHED_ARC));
        if (status == RBV_OK && !rbv_result_event(result, &event))
            status = RBV_NO_MEMORY;
    }
    return status;
}

/* True if supports only close at the point, and none opens. */
static bool only_lands(const RbvPlace *at, const RbvPlace *after) {
    bool only = true;
    for (int32_t k = 0; k < at->supports->contacts.count; k++)
        only = only && (after->supports->held[k] || !at->supports->held[k]);
    return only;
}

/* Ends the path where a support closes or opens and nothing continues the path. */
static RbvStatus end_at_support(RbvFollowing *f, RbvPlace *at) {
    RbvFollowed *followed = &f->verifier->record->result->followed;
    int32_t k = rbv_path_tightest(&f->path, at, NULL);
    char why[400];
    snprintf(why, sizeof why,
             at->supports->held[k]
                 ? "'%s' lets go there, and nothing rests near by beyond"
                 : "it meets '%s' there, and no equilibrium is found near by beyond: what drives it there jams",
             at->supports->contacts.items[k].name);
    RbvStatus status = rbv_following_keep(f, at);
    if (status != RBV_OK)
        return status;
    followed->reached = rbv_path_parameter(&f->path, at->u);
    followed->places++;
    return rbv_following_end_early(f, why);
}

/* The sample of the event shows the point with supports without force open. */
RbvStatus rbv_following_switch_over(RbvFollowing *f, const RbvPlace *from, double arc, RbvPlace *at) {
    RbvPlace after;
    RbvStatus status = rbv_path_switch(&f->path, at, false, f->opens, &after);
    if (status == RBV_NO_EQUILIBRIUM) /* the point itself is an equilibrium */
        status = end_at_support(f, at);
    if (status != RBV_OK)
        return status;
    RbvPlace *row = only_lands(at, &after) ? at : &after;
    status = rbv_following_keep(f, row);
    if (status == RBV_OK)
        status = record_switch(f, from, at, arc, row, &after);
    f->turns += at->tangent_u * after.tangent_u < 0;
    rbv_place_destroy(at);
    *at = after;
    return status;
}

RbvStatus rbv_following_begin_pressed(RbvFollowing *f, RbvPlace *now) {
    RbvPlace after;
    if (!now->supports || rbv_path_slack(&f->path, now, NULL) > 1)
        return RBV_OK;
    RbvStatus status = rbv_path_switch(&f->path, now, true, f->opens, &after);
    if (status != RBV_OK)
        return status;
    rbv_place_destroy(now);
    *now = after;
    return RBV_OK;
}
