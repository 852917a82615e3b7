/* A study from calls: each call writes its part of a study file, which is read as any other. */
#include "core/base/text.h"

#include <roberval/study.h>

#include <math.h>
#include <stdlib.h>

struct RbvStudyDefinition {
    RbvText head, vary, collect, correlate, design, keep; /* JSON without the braces around it */
};

RbvStudyDefinition *rbv_study_definition_create(const char *model, const char *analysis) {
    RbvStudyDefinition *definition = model && analysis ? calloc(1, sizeof *definition) : NULL;
    if (!definition)
        return NULL;
    rbv_text_add(&definition->head, "{\"study\": 1, \"model\": ");
    rbv_text_json_string(&definition->head, model);
    rbv_text_add(&definition->head, ", \"analysis\": ");
    rbv_text_json_string(&definition->head, analysis);
    if (!definition->head.no_memory)
        return definition;
    rbv_study_definition_destroy(definition);
    return NULL;
}

void rbv_study_definition_destroy(RbvStudyDefinition *definition) {
    if (!definition)
        return;
    rbv_text_clear(&definition->head);
    rbv_text_clear(&definition->vary);
    rbv_text_clear(&definition->collect);
    rbv_text_clear(&definition->correlate);
    rbv_text_clear(&definition->design);
    rbv_text_clear(&definition->keep);
    free(definition);
}

static RbvStatus status_of(const RbvText *text) {
    return text->no_memory ? RBV_NO_MEMORY : RBV_OK;
}

/* The next member of a map: its key and a colon. */
static void begin_member(RbvText *text, const char *key) {
    rbv_text_add(text, text->length > 0 ? ", " : "");
    rbv_text_json_string(text, key);
    rbv_text_add(text, ": ");
}

/* "80 mm", or 0.08 where the parameter has no unit. */
static void put_quantity(RbvText *text, double value, const char *unit) {
    RbvText with_unit = {0};
    if (!unit) {
        rbv_text_number(text, value);
        return;
    }
    rbv_text_number(&with_unit, value);
    rbv_text_format(&with_unit, " %s", unit);
    rbv_text_json_string(text, with_unit.data ? with_unit.data : "");
    text->no_memory = text->no_memory || with_unit.no_memory;
    rbv_text_clear(&with_unit);
}

static void put_list(RbvText *text, const double *values, int32_t count, const char *unit) {
    for (int32_t k = 0; k < count; k++) {
        rbv_text_add(text, k ? ", " : "[");
        put_quantity(text, values[k], unit);
    }
    rbv_text_add(text, "]");
}

/* Do the numbers that the definition uses exist, and are they finite? */
static bool is_complete(const RbvVaryDef *def) {
    static const int used[] = {0, 2, 2, 3, 0};
    if (!def->parameter || def->chance < RBV_STUDY_SURE || def->chance > RBV_STUDY_TABLE || def->count < 0 ||
        (def->count > 0 && !def->values) || (def->chance == RBV_STUDY_TABLE && !def->file))
        return false;
    bool finite = isfinite(def->from) && isfinite(def->to);
    for (int32_t k = 0; k < def->count; k++)
        finite = finite && isfinite(def->values[k]);
    for (int k = 0; k < used[def->chance]; k++)
        finite = finite && isfinite(def->numbers[k]);
    return finite;
}

/* What stands after the parameter's name in a map {...}, without its braces. */
static void put_values(RbvText *text, const RbvVaryDef *def) {
    static const char *const names[] = {NULL, "normal", "uniform", "triangle"};
    static const int32_t counts[] = {0, 2, 2, 3};
    if (def->chance == RBV_STUDY_TABLE) {
        rbv_text_add(text, "\"file\": ");
        rbv_text_json_string(text, def->file);
    } else if (def->chance != RBV_STUDY_SURE) {
        rbv_text_format(text, "\"%s\": ", names[def->chance]);
        put_list(text, def->numbers, counts[def->chance], def->unit);
    } else if (def->count > 0) {
        rbv_text_add(text, "\"values\": ");
        put_list(text, def->values, def->count, def->unit);
    } else {
        rbv_text_add(text, "\"from\": ");
        put_quantity(text, def->from, def->unit);
        rbv_text_add(text, ", \"to\": ");
        put_quantity(text, def->to, def->unit);
        if (!def->with)
            rbv_text_format(text, ", \"steps\": %d", (int)def->steps);
        rbv_text_add(text, def->logarithms ? ", \"log\": true" : "");
    }
}

RbvStatus rbv_study_add_parameter(RbvStudyDefinition *definition, const RbvVaryDef *def) {
    if (!definition || !def || !is_complete(def))
        return RBV_BAD_ARGUMENT;
    RbvText *text = &definition->vary;
    begin_member(text, def->parameter);
    if (def->chance == RBV_STUDY_SURE && def->count > 0 && !def->with) {
        put_list(text, def->values, def->count, def->unit);
        return status_of(text);
    }
    rbv_text_put(text, '{');
    if (def->with) {
        rbv_text_add(text, "\"with\": ");
        rbv_text_json_string(text, def->with);
        rbv_text_add(text, ", ");
    }
    put_values(text, def);
    rbv_text_put(text, '}');
    return status_of(text);
}

RbvStatus rbv_study_add_quantity(RbvStudyDefinition *definition, const char *name, const char *expression,
                                 const char *limit) {
    if (!definition || !name || !expression)
        return RBV_BAD_ARGUMENT;
    RbvText *text = &definition->collect;
    begin_member(text, name);
    rbv_text_add(text, "{\"value\": ");
    rbv_text_json_string(text, expression);
    if (limit) {
        rbv_text_add(text, ", \"limit\": ");
        rbv_text_json_string(text, limit);
    }
    rbv_text_put(text, '}');
    return status_of(text);
}

RbvStatus rbv_study_add_correlation(RbvStudyDefinition *definition, const char *a, const char *b, double correlation) {
    if (!definition || !a || !b || !isfinite(correlation))
        return RBV_BAD_ARGUMENT;
    RbvText pair = {0}, *text = &definition->correlate;
    rbv_text_format(&pair, "[%s, %s]", a, b);
    begin_member(text, pair.data ? pair.data : "");
    text->no_memory = text->no_memory || pair.no_memory;
    rbv_text_clear(&pair);
    rbv_text_number(text, correlation);
    return status_of(text);
}

RbvStatus rbv_study_set_design(RbvStudyDefinition *definition, const char *design, int64_t samples, uint64_t seed) {
    if (!definition || !design)
        return RBV_BAD_ARGUMENT;
    RbvText *text = &definition->design;
    rbv_text_clear(text);
    begin_member(text, "design");
    rbv_text_json_string(text, design);
    if (samples != 0)
        rbv_text_format(text, ", \"samples\": %lld", (long long)samples);
    rbv_text_format(text, ", \"seed\": %llu", (unsigned long long)seed);
    return status_of(text);
}

RbvStatus rbv_study_set_keep(RbvStudyDefinition *definition, const char *keep) {
    if (!definition || !keep)
        return RBV_BAD_ARGUMENT;
    rbv_text_clear(&definition->keep);
    begin_member(&definition->keep, "keep");
    rbv_text_json_string(&definition->keep, keep);
    return status_of(&definition->keep);
}

/* ", "vary": {...}", if there is anything in it. */
static void put_map(RbvText *all, const char *key, const RbvText *members) {
    if (members->length > 0)
        rbv_text_format(all, ",\n \"%s\": {%s}", key, members->data);
}

char *rbv_study_definition_text(const RbvStudyDefinition *definition) {
    if (!definition)
        return NULL;
    const RbvText *const parts[] = {&definition->vary, &definition->collect, &definition->correlate,
                                    &definition->design, &definition->keep};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (parts[k]->no_memory) /* a call failed: what is there is not whole */
            return NULL;
    RbvText all = {0};
    rbv_text_add(&all, definition->head.data);
    if (definition->design.length > 0)
        rbv_text_format(&all, ",\n %s", definition->design.data);
    if (definition->keep.length > 0)
        rbv_text_format(&all, ",\n %s", definition->keep.data);
    put_map(&all, "vary", &definition->vary);
    put_map(&all, "correlate", &definition->correlate);
    put_map(&all, "collect", &definition->collect);
    rbv_text_add(&all, "}\n");
    return rbv_text_take(&all);
}
