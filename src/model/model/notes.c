/* Notes on the model that a reader of a result needs. They are found while reading and compiling, kept in the model,
 * each once, and printed in every result of it (solution/record/record_notes.c), independent of the list of messages.
 */
#include "core/base/diagnostics.h"
#include "model/model/model.h"

#include <stdlib.h>
#include <string.h>

/* Largest number of notes; more are dropped. */
#define MOST_NOTES 100

static void keep(RbvModel *model, const char *text) {
    if (model->notes.count >= MOST_NOTES)
        return;
    for (int32_t k = 0; k < model->notes.count; k++)
        if (strcmp(model->notes.items[k], text) == 0)
            return;
    int32_t k = rbv_model_grow(model, &model->notes, sizeof *model->notes.items);
    const char *copy = rbv_arena_copy(&model->arena, text, strlen(text));
    if (k >= 0)
        model->notes.items[k] = copy ? copy : "";
    model->no_memory = model->no_memory || !copy;
}

/* Report and keep a note. No action while the model is refilled: the notes exist already. */
static void note(RbvModel *model, RbvDiagnostics *diagnostics, RbvPosition at, const char *format, va_list arguments) {
    if (model->refill)
        return;
    RbvText text = {0};
    rbv_text_list(&text, format, arguments);
    char *line = rbv_text_take(&text);
    if (!line) {
        model->no_memory = true;
        return;
    }
    rbv_diagnose(diagnostics, RBV_NOTE, model->file, at, "%s", line);
    keep(model, line);
    free(line);
}

void rbv_model_note(RbvModel *model, RbvDiagnostics *diagnostics, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note(model, diagnostics, at, format, arguments);
    va_end(arguments);
}

void rbv_source_note(RbvModel *model, const RbvSource *source, const char *path, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note(model, source ? source->diagnostics : NULL, rbv_source_position(source, path, 0), format, arguments);
    va_end(arguments);
}
