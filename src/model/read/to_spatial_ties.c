/* Finds the joints that lead from ground to each body and keep it in the plane, and the joint angles that add up to
 * angle(body); see to_spatial.h. */
#include "model/read/to_spatial.h"

#include <stdio.h>

int rbv_locked_bodies_count(const RbvJoint *joint) {
    int count = 0;
    for (int d = 0; d < 6; d++)
        count += joint->form == RBV_FORM_LOCKS && joint->locks >> d & 1;
    return count;
}

/* True for a particle with joints that use its directions: in the plane these are the directions of ground. */
bool rbv_has_axes(const RbvConverter *c, int32_t body) {
    const RbvModel *model = c->model;
    for (int32_t k = 0; model->bodies.items[body].particle && k < model->joints.count; k++)
        for (int side = 0; side < 2; side++)
            if (model->markers.items[model->joints.items[k].marker[side]].body == body &&
                rbv_locked_bodies_count(&model->joints.items[k]) > 1)
                return true;
    return false;
}

/* True if the joint has a condition `active:` and may release. */
static bool is_conditional(const RbvModel *model, int32_t joint) {
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_JOINT && model->conditions.items[k].index == joint)
            return true;
    return false;
}

/* Find the bodies that joints connect to ground and keep in the plane; each remaining body gets its own planar joint to
 * ground, from which further bodies are reached. */
void rbv_find_ties(RbvConverter *c) {
    const RbvModel *model = c->model;
    for (int32_t b = 0; b < model->bodies.count; b++)
        c->tie[b] = (RbvTie){b == 0 || rbv_has_axes(c, b) ? 0 : -1, -1, 0, 0};
    for (int32_t b = 1; b <= model->bodies.count; b++) {
        for (bool more = true; more;) {
            more = false;
            for (int32_t k = 0; k < model->joints.count; k++) {
                const RbvJoint *joint = &model->joints.items[k];
                const RbvMarker *i = &model->markers.items[joint->marker[0]],
                                *j = &model->markers.items[joint->marker[1]];
                bool first = c->tie[i->body].parent >= 0, second = c->tie[j->body].parent >= 0;
                if (rbv_locked_bodies_count(joint) < 2 || is_conditional(model, k) || first == second)
                    continue;
                double constant = i->angle - j->angle, sign = joint->locks & RBV_DIRECTION_RZ ? 0 : 1;
                c->tie[first ? j->body : i->body] =
                    first ? (RbvTie){i->body, k, sign, constant} : (RbvTie){j->body, k, -sign, -constant};
                more = true;
            }
        }
        if (b < model->bodies.count && c->tie[b].parent < 0)
            c->tie[b] = (RbvTie){0, -1, 1, 0};
    }
}

/* Name of the joint that keeps a body in the plane and measures its angle: "keep_rod". */
void rbv_keeper_name(const RbvConverter *c, int32_t body, char *name, size_t size) {
    snprintf(name, size, "keep_%s", c->model->bodies.items[body].name);
}

/* Write angle(body) as a sum of joint angles, with `marks` after each name ("'" for rates, which have no constants). */
void rbv_angle_sum(const RbvConverter *c, int32_t body, const char *marks, RbvText *out) {
    double constant = 0;
    rbv_text_add(out, "(");
    bool any = false;
    for (int32_t b = body; b != 0; b = c->tie[b].parent) {
        const RbvTie *tie = &c->tie[b];
        char keeper[RBV_NAME_SIZE];
        rbv_keeper_name(c, b, keeper, sizeof keeper);
        constant += tie->constant;
        if (tie->sign == 0)
            continue;
        rbv_text_format(out, "%s%s.rz%s",
                        tie->sign < 0 ? " - "
                        : any         ? " + "
                                      : "",
                        tie->joint < 0 ? keeper : c->model->joints.items[tie->joint].name, marks);
        any = true;
    }
    if (!any || (constant != 0 && !*marks)) {
        rbv_text_add(out, any ? " + " : "");
        rbv_text_number(out, *marks ? 0 : constant);
    }
    rbv_text_add(out, ")");
}
