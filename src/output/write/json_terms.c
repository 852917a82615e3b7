/* "null_space": {coordinates, z, R: a row for each coordinate, dR: for each pair of z a vector over the coordinates};
 * "load_forces": {coordinates, loads: {name: {potential, Q}}}. */
#include "output/write/json_terms.h"

void rbv_json_null_space(RbvJson *json, const RbvNullSpaceNote *note) {
    const size_t n = (size_t)note->n, f = (size_t)note->count;
    if (!note->found && !note->missing)
        return;
    rbv_json_open(json, "null_space", "{");
    if (note->missing) {
        rbv_json_string(json, "missing", note->missing);
        rbv_json_close(json, "}");
        return;
    }
    rbv_json_strings(json, "coordinates", (const char *const *)note->coordinates, note->n);
    rbv_json_strings(json, "z", (const char *const *)note->z, note->count);
    rbv_json_open(json, "R", "[");
    for (size_t i = 0; i < n; i++)
        rbv_json_numbers(json, NULL, note->R + i * f, note->count);
    rbv_json_close(json, "]");
    rbv_json_open(json, "dR", "[");
    for (size_t j = 0; j < f; j++) {
        rbv_json_open(json, NULL, "[");
        for (size_t k = 0; k < f; k++)
            rbv_json_numbers(json, NULL, note->second + (j * f + k) * n, note->n);
        rbv_json_close(json, "]");
    }
    rbv_json_close(json, "]");
    rbv_json_close(json, "}");
}

void rbv_json_load_forces(RbvJson *json, const RbvLoadForces *loads) {
    if (!loads->found)
        return;
    rbv_json_open(json, "load_forces", "{");
    rbv_json_strings(json, "coordinates", (const char *const *)loads->coordinates, loads->n);
    rbv_json_open(json, "loads", "{");
    for (int32_t k = 0; k < loads->count; k++) {
        rbv_json_open(json, loads->items[k].name, "{");
        rbv_json_number(json, "potential", loads->items[k].potential);
        rbv_json_numbers(json, "Q", loads->items[k].Q, loads->n);
        rbv_json_close(json, "}");
    }
    rbv_json_close(json, "}");
    rbv_json_close(json, "}");
}
