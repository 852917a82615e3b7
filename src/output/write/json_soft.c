/* Errors of penalties, and multipliers of the augmented method, as members of result.json. */
#include "output/write/json_soft.h"

static void multiplier(RbvJson *json, const RbvSoftRow *row) {
    rbv_json_open(json, NULL, "{");
    rbv_json_string(json, row->row.element, row->row.entry->name);
    rbv_json_string(json, "holds", row->row.holds);
    rbv_json_string(json, "verdict", rbv_verdict_name(row->row.verdict));
    rbv_json_number(json, "value", row->value);
    rbv_json_string(json, "unit", row->unit);
    rbv_json_number(json, "alpha", row->alpha);
    rbv_json_close(json, "}");
}

void rbv_json_soft(RbvJson *json, const RbvSoftRows *soft) {
    if (!soft->found)
        return;
    rbv_json_open(json, "penalty", "{");
    rbv_json_number(json, "coefficient", soft->coefficient);
    rbv_json_number(json, "acceleration_error", soft->acceleration_error);
    rbv_json_number(json, "force_error", soft->force_error);
    rbv_json_close(json, "}");
    if (!soft->augmented)
        return;
    rbv_json_open(json, "augmented", "{");
    rbv_json_integer(json, "rounds", soft->rounds);
    if (soft->row_count > 0) {
        rbv_json_number(json, "at", soft->at);
        rbv_json_open(json, "multipliers", "[");
        for (int32_t k = 0; k < soft->row_count; k++)
            multiplier(json, &soft->rows[k]);
        rbv_json_close(json, "]");
    }
    rbv_json_close(json, "}");
}
