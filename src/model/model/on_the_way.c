/* Check of the parts of a model that describe motion from forces, for analyses that do not integrate motion: refused
 * where they would change the answer, noted where they do not act. */
#include "core/base/diagnostics.h"
#include "model/model/model.h"

#include <string.h>

RbvStatus rbv_model_without_motion(const RbvModel *model, const char *analysis, unsigned takes,
                                   RbvDiagnostics *diagnostics) {
    if (model->conditions.count > 0 && !(takes & RBV_TAKES_CONDITIONS)) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->conditions.items[0].where,
                     "'%s' has active:, which %s does not follow in this version; simulate does",
                     model->conditions.items[0].name, analysis);
        return RBV_BAD_INPUT;
    }
    if (model->requirement_count > 0)
        rbv_diagnose(diagnostics, RBV_NOTE, model->file,
                     model->constraints.items[model->constraints.count - model->requirement_count].where,
                     "%s does not follow track:; roberval track does", analysis);
    if (model->states.count > 0 && !(takes & RBV_TAKES_STATES)) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->states.items[0].where,
                     "the state '%s' is a differential equation, which %s does not know in this version; simulate does",
                     model->states.items[0].name, analysis);
        return RBV_BAD_INPUT;
    }
    if (!(takes & RBV_TAKES_EQUATIONS) && !rbv_model_is_ideal(model, analysis, diagnostics))
        return RBV_BAD_INPUT;
    if (!(takes & (RBV_TAKES_EQUATIONS | RBV_TAKES_GENERALIZED)) &&
        !rbv_model_without_generalized(model, analysis, diagnostics))
        return RBV_BAD_INPUT;
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most && !(takes & RBV_TAKES_LIMITS)) {
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->drives.items[k].where,
                         "drive '%s' has a max:, and %s knows no efforts: whether it follows its motion is told by "
                         "inverse, and by simulate",
                         model->drives.items[k].name, analysis);
            return RBV_BAD_INPUT;
        }
    for (int32_t k = 0; k < model->drives.count; k++)
        if (model->drives.items[k].most && (strcmp(analysis, "statics") == 0 || strcmp(analysis, "modes") == 0))
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->drives.items[k].where,
                         "%s holds drive '%s' by whatever effort that takes: max: is not looked at", analysis,
                         model->drives.items[k].name);
    if (model->events.count > 0 && (takes & RBV_TAKES_TIME))
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->events.items[0].where,
                     "%s does not look for events; simulate does", analysis);
    if (model->stops.count > 0 && !(takes & RBV_TAKES_STOPS))
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->stops.items[0].where,
                     "stops hold nothing in %s, in this version", analysis);
    return RBV_OK;
}
