/* "coordinates": {kind, numbers, other_rows, arcs, cut} of joint coordinates; see json_coordinates.h. */
#include "write/json_coordinates.h"

void rbv_json_tree(RbvJson *json, const RbvTreeNote *tree) {
    if (!tree->kind)
        return;
    rbv_json_open(json, "coordinates", "{");
    rbv_json_string(json, "kind", tree->kind);
    rbv_json_integer(json, "numbers", tree->numbers);
    rbv_json_integer(json, "other_rows", tree->rest);
    rbv_json_open(json, "arcs", "[");
    for (int32_t k = 0; k < tree->arc_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "body", tree->arcs[k].body);
        rbv_json_string(json, "on", tree->arcs[k].parent);
        if (tree->arcs[k].joint)
            rbv_json_string(json, "joint", tree->arcs[k].joint);
        rbv_json_integer(json, "numbers", tree->arcs[k].count);
        rbv_json_string(json, "which", tree->arcs[k].numbers);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_open(json, "cut", "[");
    for (int32_t k = 0; k < tree->cut_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "joint", tree->cuts[k].joint);
        rbv_json_integer(json, "rows", tree->cuts[k].rows);
        rbv_json_bool(json, "arc", tree->cuts[k].arc);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}
