/* "coordinates": {kind, numbers, other_rows, arcs: tree joints, cut: joints that leave rows} of joint coordinates; see
 * json_coordinates.h. */
#include "output/write/json_coordinates.h"

void rbv_json_tree(RbvJson *json, const RbvTreeNote *tree) {
    if (!tree->kind)
        return;
    rbv_json_open(json, "coordinates", "{");
    rbv_json_string(json, "kind", tree->kind);
    rbv_json_integer(json, "numbers", tree->numbers);
    rbv_json_integer(json, "other_rows", tree->rest);
    rbv_json_open(json, "arcs", "[");
    for (int32_t k = 0; k < tree->tree_joint_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "body", tree->tree_joints[k].body);
        rbv_json_string(json, "on", tree->tree_joints[k].parent);
        if (tree->tree_joints[k].joint)
            rbv_json_string(json, "joint", tree->tree_joints[k].joint);
        rbv_json_integer(json, "numbers", tree->tree_joints[k].count);
        rbv_json_string(json, "which", tree->tree_joints[k].numbers);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_open(json, "cut", "[");
    for (int32_t k = 0; k < tree->cut_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "joint", tree->cuts[k].joint);
        rbv_json_integer(json, "rows", tree->cuts[k].rows);
        rbv_json_bool(json, "arc", tree->cuts[k].tree_joint);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}
