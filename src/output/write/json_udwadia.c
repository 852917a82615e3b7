/* "udwadia": {t, coordinates, rows, M, Q, A, ...}: vectors as lists, matrices as lists of rows. */
#include "output/write/json_udwadia.h"

static void array(RbvJson *json, const RbvArray *a) {
    if (a->columns < 0) { /* a vector */
        rbv_json_numbers(json, a->name, a->values, a->rows);
        return;
    }
    rbv_json_open(json, a->name, "[");
    for (int32_t k = 0; k < a->rows; k++)
        rbv_json_numbers(json, NULL, a->values + (size_t)k * (size_t)a->columns, a->columns);
    rbv_json_close(json, "]");
}

void rbv_json_udwadia(RbvJson *json, const RbvUdwadiaRecord *u) {
    if (!u->found)
        return;
    rbv_json_open(json, "udwadia", "{");
    rbv_json_number(json, "t", u->t);
    rbv_json_string(json, "root", u->root);
    rbv_json_strings(json, "coordinates", (const char *const *)u->coordinates, u->n);
    rbv_json_strings(json, "rows", (const char *const *)u->rows, u->m);
    rbv_json_integer(json, "rank", u->rank);
    for (int32_t k = 0; k < u->array_count; k++)
        array(json, &u->array[k]);
    for (int32_t k = 0; k < u->figure_count; k++)
        rbv_json_number(json, u->figure[k].name, u->figure[k].value);
    rbv_json_close(json, "}");
}
