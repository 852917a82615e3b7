/* Places of a path as samples and in words, and how it ends early; see following.h. */
#include "statics/following.h"

#include "base/diagnostics.h"
#include "statics/equilibrium_words.h"

/* One more place, judged. What is wrong with one behind the first is said by judging it again. */
RbvStatus rbv_following_keep(RbvFollowing *f, RbvPlace *place) {
    RbvEquilibriumSearch *search = &f->path.search;
    RbvPlace bears = {0};
    RbvStatus status = rbv_path_stand(&f->path, place);
    if (status == RBV_OK)
        status = rbv_path_bear(&f->path, place, &bears);
    if (status != RBV_OK)
        return status;
    search->balance = bears.balance ? bears.balance : place->balance;
    search->supports = bears.balance ? bears.supports : place->supports;
    f->judge->diagnostics = NULL;
    status = rbv_equilibrium_judge(f->judge, search, &place->stability, rbv_path_parameter(&f->path, place->u));
    f->judge->diagnostics = f->diagnostics;
    if (status != RBV_OK && status != RBV_NO_MEMORY)
        status = rbv_equilibrium_judge(f->judge, search, &place->stability, rbv_path_parameter(&f->path, place->u));
    rbv_place_destroy(&bears);
    search->supports = place->supports;
    search->balance = place->balance;
    return status;
}

/* A place in words, with the motion that counts there; NULL: the one it falls by. */
bool rbv_following_describe(RbvFollowing *f, RbvPlace *place, const double *motion, RbvEquilibrium *to) {
    f->path.search.balance = place->balance;
    f->path.search.supports = place->supports;
    f->judge->record->system = place->balance->system;
    if (rbv_path_stand(&f->path, place) != RBV_OK)
        return false;
    rbv_balance_place(place->balance);
    return rbv_equilibrium_words(f->judge->record, &f->path.search, &place->stability, motion, f->judge->method, to);
}

RbvStatus rbv_following_end_early(RbvFollowing *f, const char *why) {
    const RbvFollowed *followed = &f->judge->record->result->followed;
    RbvShownUnit unit = followed->shown.text ? followed->shown : (RbvShownUnit){followed->unit, 1};
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->model->file, (RbvPosition){0, 0}, "the path ends at %s = %.9g%s%s: %s", followed->parameter,
                 followed->reached / unit.factor, *unit.text ? " " : "", unit.text, why);
    return RBV_NO_EQUILIBRIUM;
}
