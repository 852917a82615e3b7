/* "virtual_motions": {"A.Fx": {"bodies": {"rod": {velocity, angular}}}, "rod.row1": {"points": {"rod.A": [vx, vy]}}};
 * null if the other rows still prevent the motion that the removed row would free. */
#include "output/write/json_virtual.h"

static void body(RbvJson *json, const RbvResult *result, const RbvVirtualBody *moved) {
    rbv_json_open(json, moved->name, "{");
    rbv_json_numbers(json, "velocity", moved->velocity, 3);
    if (result->planar_motions)
        rbv_json_number(json, "angular", moved->angular[2]);
    else
        rbv_json_numbers(json, "angular", moved->angular, 3);
    rbv_json_close(json, "}");
}

void rbv_json_virtual(RbvJson *json, const RbvResult *result) {
    if (result->virtual_motion_count == 0)
        return;
    rbv_json_open(json, "virtual_motions", "{");
    for (int32_t k = 0; k < result->virtual_motion_count; k++) {
        const RbvVirtualMotion *motion = &result->virtual_motions[k];
        if (!motion->found) {
            rbv_json_string(json, motion->name, NULL);
            continue;
        }
        rbv_json_open(json, motion->name, "{");
        rbv_json_open(json, motion->stretches ? "points" : "bodies", "{");
        for (int32_t b = 0; b < motion->body_count; b++)
            if (motion->stretches)
                rbv_json_numbers(json, motion->bodies[b].name, motion->bodies[b].velocity,
                                 result->planar_motions ? 2 : 3);
            else
                body(json, result, &motion->bodies[b]);
        rbv_json_close(json, "}");
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}
