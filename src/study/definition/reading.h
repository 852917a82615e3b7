/* Reading of a study file, section by section; mistakes are reported with their places, and reading goes on. */
#ifndef RBV_STUDY_DEFINITION_READING_H
#define RBV_STUDY_DEFINITION_READING_H

#include "model/read/tree.h"
#include "study/definition/study.h"

typedef struct RbvStudyReader {
    RbvStudy *study;
    const RbvModel *model; /* NULL: it could not be read */
    RbvDiagnostics *diagnostics;
    const RbvStudyInput *input;
    bool no_memory;
} RbvStudyReader;

void rbv_study_error(RbvStudyReader *reader, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);
/* Is the node a map whose keys are all among keys[], which ends with NULL? Others are reported, with the nearest. */
bool rbv_study_map(RbvStudyReader *reader, const RbvNode *node, const char *what, const char *const *keys);
/* Index of the scalar's text among words[], which ends with NULL; -1: reported. */
int rbv_study_word(RbvStudyReader *reader, const RbvNode *node, const char *what, const char *const *words);
/* A whole number from `least` to `most`; `otherwise` for NULL and where it is wrong (reported). */
int64_t rbv_study_whole(RbvStudyReader *reader, const RbvNode *node, const char *what, int64_t least, int64_t most,
                        int64_t otherwise);
/* Text of a scalar; NULL: reported. */
const char *rbv_study_scalar(RbvStudyReader *reader, const RbvNode *node, const char *what);
/* Copy of a text in the study's arena; "" without memory, which is noted. */
const char *rbv_study_copy(RbvStudyReader *reader, const char *text, size_t length);
/* Zeroed array in the study's arena; NULL without memory, which is noted. */
void *rbv_study_array(RbvStudyReader *reader, size_t count, size_t size);
/* Number of the model's parameter `name`, or -1 (reported at a place of `file`, if the model was read). */
int32_t rbv_study_find_parameter(RbvStudyReader *reader, const char *file, const char *name, RbvPosition at);
/* Folder of the study's file with its slash ("" for the current one), and a name below it. */
const char *rbv_study_beside(RbvStudyReader *reader, const char *name);

/* vary: (factors.c), with its tables; design: and correlate: (correlations.c); collect: (collect.c). Without vary: the
 * factors are those of tolerances:. */
void rbv_study_read_vary(RbvStudyReader *reader, const RbvNode *vary);
/* What the model's tolerances: let deviate, as random factors behind those of vary: (tolerances.c). */
void rbv_study_add_tolerances(RbvStudyReader *reader, RbvPosition at);
void rbv_study_read_design(RbvStudyReader *reader, const RbvNode *root);
void rbv_study_read_collect(RbvStudyReader *reader, const RbvNode *collect);

/* The outputs that the study adds to the model, checked against it: units of its quantities (quantities.c). */
void rbv_study_check_quantities(RbvStudyReader *reader, RbvModel *model);

#endif
