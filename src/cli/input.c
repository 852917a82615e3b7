/* The model of a call; see input.h. */
#include "cli/input.h"

#include "cli/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* name of standard input in messages; tables and meshes are searched in the current folder */
#define NAME "<stdin>"
#define MOST_BYTES (256u << 20) /* limit of a model on standard input: 256 MiB */

static bool is_stdin(const Call *call) {
    return strcmp(call->argument, "-") == 0;
}

/* Read all of standard input into *text, owned by the caller. BAD_INPUT: error reported. */
static RbvStatus read_stdin(char **text, size_t *length) {
    size_t capacity = 1 << 16, used = 0;
    char *data = malloc(capacity);
    while (data) {
        used += fread(data + used, 1, capacity - used, stdin);
        if (used < capacity || used > MOST_BYTES)
            break;
        char *grown = realloc(data, capacity *= 2);
        if (!grown)
            free(data);
        data = grown;
    }
    *text = data;
    *length = used;
    if (data && (ferror(stdin) || used > MOST_BYTES)) {
        wrong(ferror(stdin) ? "cannot read standard input" : "standard input is larger than 256 MiB; a model is not");
        free(data);
        return RBV_BAD_INPUT;
    }
    return data ? RBV_OK : RBV_NO_MEMORY;
}

/* Input of the model from the call; the caller frees *text (NULL for a file). */
static RbvStatus find_input(const Call *call, char **text, RbvInput *input) {
    *text = NULL;
    *input = (RbvInput){.path = call->argument,
                        .override_count = call->override_count,
                        .overrides = call->overrides,
                        .folder_count = call->folder_count,
                        .folders = call->folders,
                        .fixed = call->hold == NULL,
                        .scene = wants_scene(call)};
    if (!is_stdin(call))
        return RBV_OK;
    input->path = NAME;
    RbvStatus status = read_stdin(text, &input->length);
    input->text = *text;
    return status;
}

RbvStatus read_model(const Call *call, RbvDiagnostics *diagnostics, RbvModel **model) {
    char *text;
    RbvInput input;
    RbvStatus status = find_input(call, &text, &input);
    if (status != RBV_OK)
        return status;
    status = rbv_model_load(&input, diagnostics, model);
    free(text);
    return status;
}

RbvStatus read_family(const Call *call, RbvDiagnostics *diagnostics, RbvFamily **family) {
    char *text;
    RbvInput input;
    RbvStatus status = find_input(call, &text, &input);
    if (status != RBV_OK)
        return status;
    status = rbv_family_load(&input, call->follow, diagnostics, family);
    free(text);
    return status;
}

RbvStatus read_as_spatial(const Call *call, RbvDiagnostics *diagnostics, char **yaml) {
    char *text;
    size_t length;
    if (!is_stdin(call))
        return rbv_model_to_spatial(call->argument, diagnostics, yaml);
    RbvStatus status = read_stdin(&text, &length);
    if (status != RBV_OK)
        return status;
    status = rbv_model_to_spatial_text(NAME, text, length, diagnostics, yaml);
    free(text);
    return status;
}
