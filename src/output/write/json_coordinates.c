/* "coordinates": {kind, numbers, rigid_rows, other_rows, basics, bodies, rows, measured}, and "natural": {t, residual,
 * penalty or augmented, multipliers, elements}; see json_coordinates.h. */
#include "output/write/json_coordinates.h"

#include <math.h>

static void basic(RbvJson *json, const RbvBasicNote *note) {
    rbv_json_open(json, NULL, "{");
    rbv_json_string(json, "name", note->name);
    rbv_json_string(json, "kind", note->vector ? "vector" : "point");
    rbv_json_bool(json, "ground", note->ground);
    rbv_json_strings(json, "bodies", note->bodies, note->body_count);
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
    if (c->measured_count > 0)
        rbv_json_open(json, "measured", "[");
    for (int32_t k = 0; k < c->measured_count; k++) {
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "name", c->measured[k].name);
        rbv_json_string(json, "of", c->measured[k].of);
        rbv_json_string(json, "kind", c->measured[k].kind);
        rbv_json_string(json, "row", c->measured[k].row);
        rbv_json_close(json, "}");
    }
    if (c->measured_count > 0)
        rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

static void elements(RbvJson *json, const RbvNaturalNote *n) {
    rbv_json_open(json, "elements", "{");
    for (int32_t k = 0; k < n->element_count; k++) {
        const RbvElementNote *e = &n->elements[k];
        if (k == 0 || e[-1].body != e->body)
            rbv_json_open(json, e->body, "{");
        rbv_json_open(json, e->joint, "{");
        rbv_json_numbers(json, "F", e->F, n->spatial ? 3 : 2);
        rbv_json_numbers(json, "T", n->spatial ? e->T : e->T + 2, n->spatial ? 3 : 1);
        rbv_json_string(json, "verdict", rbv_verdict_name(e->verdict));
        rbv_json_close(json, "}");
        if (k + 1 == n->element_count || e[1].body != e->body)
            rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
}

void rbv_json_natural(RbvJson *json, const RbvNaturalNote *n) {
    if (!n->found && !n->missing)
        return;
    rbv_json_open(json, "natural", "{");
    if (n->missing) {
        rbv_json_string(json, "missing", n->missing);
        rbv_json_close(json, "}");
        return;
    }
    rbv_json_number(json, "t", n->t);
    rbv_json_number(json, "residual", n->residual);
    if (n->yields) {
        rbv_json_open(json, n->augmented ? "augmented" : "penalty", "{");
        rbv_json_number(json, "coefficient", n->alpha);
        rbv_json_number(json, "force_error", n->error);
        rbv_json_integer(json, "rounds", n->rounds);
        rbv_json_close(json, "}");
    }
    rbv_json_open(json, "multipliers", "[");
    for (int32_t k = 0; k < n->row_count; k++) {
        const RbvMultiplierNote *row = &n->rows[k];
        rbv_json_open(json, NULL, "{");
        rbv_json_string(json, "row", row->row);
        if (row->body)
            rbv_json_string(json, "body", row->body);
        rbv_json_string(json, "holds", row->holds);
        rbv_json_string(json, "meaning", row->meaning);
        rbv_json_number(json, "value", row->meant ? row->value : NAN);
        rbv_json_string(json, "unit", row->unit);
        rbv_json_number(json, "lambda", row->lambda);
        rbv_json_string(json, "verdict", row->meant ? rbv_verdict_name(row->verdict) : "meaningless");
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "]");
    elements(json, n);
    rbv_json_close(json, "}");
}
