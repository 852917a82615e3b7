/* Pictures into files: --svg, --frames. */
#define _POSIX_C_SOURCE 200809L
#include "cli/picture.h"

#include "cli/print.h"
#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

bool requests_picture(const Call *call) {
    return call->svg || call->frames;
}

static bool is_output(const char *file) {
    return file && strcmp(file, "-") == 0;
}

bool prints_picture(const Call *call) {
    return is_output(call->svg) || is_output(call->frames);
}

/* Ending of a file name from its last dot on; "" without one. */
static const char *ending_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return dot && dot > name && dot[1] ? dot : "";
}

static bool has_ending(const char *path, const char *ending) {
    return strcasecmp(ending_of(path), ending) == 0;
}

/* True for a regular file or a new name; devices, pipes and standard output may have any name. */
static bool is_regular_or_new(const char *path) {
    struct stat what;
    return !is_output(path) && (stat(path, &what) != 0 || S_ISREG(what.st_mode));
}

bool fits_ending(const char *path, const char *const *endings, const char *what) {
    const char *ending = path && is_regular_or_new(path) ? ending_of(path) : "";
    for (int k = 0; *ending && endings[k]; k++)
        if (strcasecmp(ending, endings[k]) == 0)
            ending = "";
    if (!*ending)
        return true;
    return wrong("%s: call it %.*s%s, not %s", what, (int)(strlen(path) - strlen(ending)), path, endings[0], path);
}

bool fits_picture(const Call *call) {
    const RbvSketch *sketch = &call->sketch;
    bool how = sketch->time_count > 0 || sketch->viewpoint != RBV_VIEW_OBLIQUE || sketch->self_stress > 0 ||
               sketch->virtual_motion || call->curves.across || call->curves.title || call->curves.width > 0;
    if (how && !call->svg)
        return wrong("--at, --view, --self-stress, --virtual-motion, --x, --title and --width say how --svg draws: "
                     "--svg FILE is missing");
    if (sketch->virtual_motion && (sketch->time_count > 0 || sketch->self_stress > 0))
        return wrong("--virtual-motion is that of the first state, and drawn alone: leave out %s",
                     sketch->time_count > 0 ? "--at" : "--self-stress");
    if (sketch->time_count > 0 && call->curves.across)
        return wrong("--at draws poses, --x curves: leave out one of them");
    if (is_output(call->svg) + is_output(call->frames) + call->json + is_output(call->out) > 1 && prints_picture(call))
        return wrong("%s - wants standard output for itself", is_output(call->svg) ? "--svg" : "--frames");
    if (call->svg && call->frames && strcmp(call->svg, call->frames) == 0 && is_regular_or_new(call->svg))
        return wrong("--svg and --frames cannot both be %s", call->svg);
    return fits_ending(call->svg, (const char *[]){".svg", NULL}, "--svg writes SVG") &&
           fits_ending(call->frames, (const char *[]){".gltf", ".glb", NULL},
                       "--frames writes glTF, as .gltf or binary as .glb");
}

/* Write bytes[length] to the file and free them; NULL: out of memory, reported. Returns the exit status. */
static int write_taken(const char *path, char *bytes, size_t length, bool quiet) {
    if (!bytes)
        return report_status(RBV_NO_MEMORY);
    if (is_output(path))
        return print_taken(bytes);
    RbvDiagnostics *messages = create_messages();
    RbvStatus status = messages ? rbv_file_write(path, bytes, length, messages) : RBV_NO_MEMORY;
    if (status == RBV_NOT_WRITABLE && is_interrupted()) { /* ^C while the write waited for a reader of a pipe */
        status = RBV_INTERRUPTED;
        fputs("roberval: interrupted\n", stderr);
    } else if (messages) {
        print_diagnostics(messages, quiet);
    }
    rbv_diagnostics_destroy(messages);
    free(bytes);
    return report_status(status);
}

/* True if the picture shows curves: --only or --x request columns, --at requests poses; a result of one state has no
 * curves. */
static bool shows_curves(const Call *call, const RbvResult *result) {
    bool columns = call->curves.across || (call->view.only_count > 0 && call->sketch.time_count == 0);
    return columns && rbv_result_counts(result).samples > 1;
}

int write_pictures(const Call *call, const RbvView *view, const RbvResult *result) {
    RbvDiagnostics *messages = create_messages();
    RbvSketch sketch = call->sketch;
    RbvCurves curves = call->curves;
    sketch.times = call->times;
    sketch.title = curves.title;
    int code = EXIT_DONE;
    char *text = NULL;
    size_t length = 0;
    if (call->svg) {
        RbvStatus status = shows_curves(call, result) ? rbv_result_curves(result, view, &curves, messages, &text)
                                                      : rbv_result_sketch(result, view, &sketch, messages, &text);
        code = status == RBV_OK ? write_taken(call->svg, text, strlen(text), call->quiet) : report_status(status);
    }
    if (call->frames && code == EXIT_DONE) {
        bool binary = has_ending(call->frames, ".glb");
        RbvStatus status = rbv_result_gltf(result, binary, messages, &text, &length);
        code = status == RBV_OK ? write_taken(call->frames, text, length, call->quiet) : report_status(status);
    }
    if (messages)
        print_diagnostics(messages, call->quiet);
    rbv_diagnostics_destroy(messages);
    return code;
}
