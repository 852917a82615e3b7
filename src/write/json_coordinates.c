/* "coordinates": {kind, numbers, rows, basics, bodies, rigid}; see json_coordinates.h. */
#include "write/json_coordinates.h"

static void basic(RbvJson *json, const RbvBasicNote *note) {
    rbv_json_open(json, NULL, "{");
    rbv_json_string(json, "name", note->name);
    rbv_json_string(json, "kind", note->vector ? "vector" : "point");
    rbv_json_bool(json, "ground", note->ground);
    rbv_json_open(json, "bodies", "[");
    for (int32_t k = 0; k < note->body_count; k++) {
        rbv_json_next(json);
        rbv_json_text(json, note->bodies[k]);
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

void rbv_json_coordinates(RbvJson *json, const RbvCoordinatesNote *c) {
    if (!c->kind)
        return;
    rbv_json_open(json, "coordinates", "{");
    rbv_json_string(json, "kind", c->kind);
    rbv_json_integer(json, "numbers", c->numbers);
    rbv_json_integer(json, "rigid_rows", c->row_count);
    rbv_json_integer(json, "other_rows", c->rest);
    rbv_json_open(json, "basics", "[");
    for (int32_t k = 0; k < c->basic_count; k++)
        basic(json, &c->basics[k]);
    rbv_json_close(json, "]");
    rbv_json_open(json, "bodies", "[");
    for (int32_t k = 0; k < c->body_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "name", c->bodies[k].name);
        rbv_json_string(json, "type", c->bodies[k].type);
        rbv_json_integer(json, "numbers", c->bodies[k].numbers);
        rbv_json_integer(json, "rigid_rows", c->bodies[k].rows);
        rbv_json_bool(json, "constant_mass", c->bodies[k].constant_mass);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_open(json, "rows", "[");
    for (int32_t k = 0; k < c->row_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "body", c->rows[k].body);
        rbv_json_string(json, "holds", c->rows[k].holds);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}
