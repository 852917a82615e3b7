/* What belongs to motion from forces, in an analysis that is none: refused where it would change the answer, noted where it does not act. */
#include "base/diagnostics.h"
#include "model/model.h"

RbvStatus rbv_model_without_motion(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics) {
    bool at_once = analysis[0] == 'a' || analysis[0] == 'c'; /* assemble and check: what holds where it stands */
    if (model->conditions.count > 0 && !at_once) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->conditions.items[0].where, "'%s' has active:, which %s does not follow in this version; simulate does", model->conditions.items[0].name,
                     analysis);
        return RBV_BAD_INPUT;
    }
    if (model->requirement_count > 0)
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->constraints.items[model->constraints.count - model->requirement_count].where, "track: is not followed by %s; roberval track does", analysis);
    bool driven = analysis[0] == 'i' || analysis[0] == 'k'; /* inverse and kinematics: states would have to be integrated */
    if (driven && model->states.count > 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->states.items[0].where, "the state '%s' is a differential equation, which %s does not integrate in this version; simulate does",
                     model->states.items[0].name, analysis);
        return RBV_BAD_INPUT;
    }
    if (analysis[0] != 'c' && analysis[0] != 'a' && analysis[0] != 'k' && !rbv_model_without_generalized(model, analysis, diagnostics)) /* check, assemble, kinematics ask for no forces */
        return RBV_BAD_INPUT;
    if (model->stops.count > 0)
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->stops.items[0].where, "stops hold nothing in %s, in this version", analysis);
    return RBV_OK;
}
