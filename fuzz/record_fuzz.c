/* Any bytes as a recorded motion: no crash, no leak; rows of finite numbers for what is given, or at least one error.
 */
#define _GNU_SOURCE
#include "core/base/diagnostics.h"

#include <roberval/roberval.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char machine[] =
    "roberval: 1\nspace: planar\nunits: {length: mm}\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
    "joints: {h: {type: revolute, between: [ground, a]}, s: {type: prismatic, between: [ground, b]}}\n"
    "coordinates: {far: s.distance}\ndrives: {m: {coordinate: h.angle, motion: 0}, n: {coordinate: s.distance, motion: "
    "0}}\n";

static void require(bool holds) {
    if (!holds)
        abort();
}

static void read_rows(RbvRecording *recording, RbvDiagnostics *diagnostics) {
    double t, drives[2][3];
    bool more = true;
    RbvStatus status = RBV_OK;
    require(recording->drive_count == 2);
    while (more && status == RBV_OK) {
        status = recording->next(recording->context, &t, drives, &more, diagnostics);
        require((status == RBV_OK) == (rbv_diagnostics_errors(diagnostics) == 0));
        for (int k = 0; more && status == RBV_OK && k < 6; k++)
            require((k % 3 > 0 && !recording->given[k / 3][k % 3 - 1]) || !isnan(drives[k / 3][k % 3]));
        double share = recording->share(recording->context);
        require(isnan(share) || (share >= 0 && share <= 1));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    RbvModel *model = NULL;
    RbvRecording *recording = NULL;
    RbvInput input = {.path = "m", .text = machine, .length = sizeof machine - 1};
    require(rbv_model_read(&input, NULL, &model) == RBV_OK);
    int file = memfd_create("r", MFD_CLOEXEC);
    require(file >= 0 && write(file, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvStatus status = rbv_recording_open(model, path, diagnostics, &recording);
    require((status == RBV_OK) == (recording != NULL) &&
            (status == RBV_OK) == (rbv_diagnostics_errors(diagnostics) == 0));
    if (recording)
        read_rows(recording, diagnostics);
    rbv_recording_destroy(recording);
    rbv_diagnostics_destroy(diagnostics);
    rbv_model_destroy(model);
    close(file);
    return 0;
}
