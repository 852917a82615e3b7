/* Pictures into files; see picture.h. */
#include "cli/picture.h"

#include "cli/say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool wants_picture(const Call *call) {
    return call->svg || call->frames;
}

static bool is_output(const char *file) {
    return file && strcmp(file, "-") == 0;
}

bool prints_picture(const Call *call) {
    return is_output(call->svg) || is_output(call->frames);
}

bool fits_picture(const Call *call) {
    const RbvSketch *sketch = &call->sketch;
    bool how = sketch->time_count > 0 || sketch->viewpoint != RBV_VIEW_OBLIQUE || sketch->self_stress > 0 || sketch->virtual_motion || call->curves.across || call->curves.title || call->curves.width > 0;
    if (how && !call->svg)
        return wrong("--at, --view, --self-stress, --virtual-motion, --x, --title and --width say how --svg draws: --svg FILE is missing");
    if (sketch->virtual_motion && (sketch->time_count > 0 || sketch->self_stress > 0))
        return wrong("--virtual-motion is that of the first state, and drawn alone: leave out %s", sketch->time_count > 0 ? "--at" : "--self-stress");
    if (is_output(call->svg) + is_output(call->frames) + call->json + is_output(call->out) > 1 && prints_picture(call))
        return wrong("%s - wants standard output for itself", is_output(call->svg) ? "--svg" : "--frames");
    return true;
}

int write_text(const char *path, char *text) {
    char part[4096];
    if (!text)
        return say_status(RBV_NO_MEMORY);
    if (is_output(path))
        return print_taken(text);
    int length = snprintf(part, sizeof part, "%s.part", path);
    errno = ENAMETOOLONG;
    FILE *file = length > 0 && (size_t)length < sizeof part ? fopen(part, "wb") : NULL;
    bool good = file && fputs(text, file) >= 0;
    good = (!file || fclose(file) == 0) && good;
    good = good && rename(part, path) == 0;
    int why = errno;
    if (file && !good)
        remove(part);
    free(text);
    return good ? EXIT_DONE : (wrong("cannot write %s: %s", path, strerror(why)), EXIT_ANALYSIS);
}

/* Columns are asked for by --only; a result of one state has none to draw over anything. */
static bool shows_curves(const Call *call, const RbvResult *result) {
    return (call->view.only_count > 0 || call->curves.across) && rbv_result_sample_count(result) > 1;
}

int write_pictures(const Call *call, const RbvView *view, const RbvResult *result) {
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvSketch sketch = call->sketch;
    RbvCurves curves = call->curves;
    sketch.times = call->times;
    sketch.title = curves.title;
    int code = EXIT_DONE;
    char *text = NULL;
    if (call->svg) {
        RbvStatus status = shows_curves(call, result) ? rbv_result_curves(result, view, &curves, said, &text) : rbv_result_sketch(result, view, &sketch, said, &text);
        code = status == RBV_OK ? write_text(call->svg, text) : say_status(status);
    }
    if (call->frames && code == EXIT_DONE) {
        RbvStatus status = rbv_result_gltf(result, said, &text);
        code = status == RBV_OK ? write_text(call->frames, text) : say_status(status);
    }
    if (said)
        print_diagnostics(said, call->quiet);
    rbv_diagnostics_destroy(said);
    return code;
}
