/* Headers of series; see series_head.h. */
#include "model/read/series_head.h"

#include "model/result/result.h"

#include <math.h>
#include <string.h>

/* Take the verdict in parentheses at the end of a heading, after a blank. */
static void take_verdict(RbvSeriesHead *head, const char *cell, size_t length) {
    for (int verdict = RBV_FREE; verdict <= RBV_NOT_UNIQUE && length > 0 && cell[length - 1] == ')'; verdict++) {
        const char *name = rbv_verdict_name((RbvVerdict)verdict);
        size_t size = strlen(name) + 2;
        if (length < size || cell[length - size] != '(' || memcmp(cell + length - size + 1, name, size - 2) != 0)
            continue;
        head->has_verdict = true;
        head->verdict = (RbvVerdict)verdict;
    }
}

RbvSeriesHead rbv_series_head(const char *cell, size_t length) {
    size_t name = strcspn(cell, "[("), end = name;
    RbvSeriesHead head = {.is = {.factor = 1}, .verdict = RBV_UNIQUE};
    name = name < length ? name : length;
    while (name > 0 && cell[name - 1] == ' ')
        name--;
    head.name = name;
    take_verdict(&head, cell, length);
    if (end >= length || cell[end] != '[')
        return head;
    const char *close = memchr(cell + end, ']', length - end);
    head.unit = end + 1;
    head.unit_length = close ? (size_t)(close - cell) - end - 1 : 0;
    if (!close || !rbv_unit_parse(cell + head.unit, head.unit_length, &head.is, NULL))
        head.is.factor = NAN;
    return head;
}
