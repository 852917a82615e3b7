/* Elimination: components named become zero, c_E.(lambda + N a) = 0; admissible when c_E N has full rank. See
 * choice_task.h. */
#include "solution/reaction/choice_task.h"

#include "core/base/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Coefficients c of a named component on its element's rows; returns the element, NULL: not in this block. */
static const RbvElement *named_functional(const RbvChoiceTask *task, const Named *named, double *c) {
    int32_t row = named->row >= 0 ? named->row : task->choice->system->joint_row[named->joint];
    for (int32_t e = 0; e < task->block->element_count; e++) {
        const RbvElement *element = &task->s->blocks.elements[task->block->elements[e]];
        if (row < element->first_row || row >= element->first_row + element->row_count)
            continue;
        memset(c, 0, (size_t)element->row_count * sizeof *c);
        if (named->row >= 0)
            c[row - element->first_row] = -1;
        else if (rbv_component_in(task->r->held[named->joint], named->component))
            rbv_reactions_functional(task->r, task->state, named->joint, named->component, c);
        return element;
    }
    return NULL;
}

static RbvStatus refuse(const RbvChoiceTask *task, RbvDiagnostics *diagnostics, const char *format, const char *names) {
    char text[600];
    snprintf(text, sizeof text, format, names);
    if (!task->choice->started) {
        rbv_diagnose(diagnostics, RBV_ERROR, task->choice->system->model->file, (RbvPosition){0, 0},
                     "--redundant eliminate: %s", text);
        return RBV_BAD_INPUT;
    }
    rbv_diagnose(diagnostics, RBV_ERROR, task->choice->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s --redundant eliminate: %s; it was admissible before", task->state->t, text);
    return RBV_INCONSISTENT;
}

/* Reports the components whose eliminated rows are dependent: a combination of them is determined. */
static RbvStatus refuse_dependent(const RbvChoiceTask *task, RbvDiagnostics *diagnostics, int32_t m, const double *E,
                                  const Named **of) {
    char names[400] = "";
    size_t used = 0;
    int32_t p = task->p;
    double *T = calloc((size_t)m * (size_t)p + 1, sizeof *T), *sigma = malloc(((size_t)m + 1) * sizeof *sigma);
    double *V = malloc(((size_t)m * (size_t)m + 1) * sizeof *V);
    if (T && sigma && V) {
        for (int32_t i = 0; i < m; i++)
            for (int32_t j = 0; j < p; j++)
                T[j * m + i] = E[i * p + j];
        bool found = rbv_choice_right_vectors(p, m, T, sigma, V);
        for (int32_t i = 0; found && i < m; i++) {
            if (m <= p && fabs(V[i * m + m - 1]) < 1e-6)
                continue;
            int n = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", of[i]->text);
            used = n > 0 && used + (size_t)n < sizeof names ? used + (size_t)n : sizeof names - 1;
        }
    }
    free(T);
    free(sigma);
    free(V);
    return refuse(task, diagnostics,
                  m > p ? "%s are too many: together they are determined, so that they cannot all be zero"
                        : "%s cannot be taken away together: a combination of them is determined by the model",
                  names);
}

RbvStatus rbv_choice_eliminate(RbvChoiceTask *task, RbvDiagnostics *diagnostics) {
    RbvChoice *choice = task->choice;
    int32_t p = task->p, m = 0;
    size_t count = (size_t)choice->eliminated_count;
    double *E = malloc((count * (size_t)p + 1) * sizeof *E), *e0 = malloc((count + 1) * sizeof *e0);
    const Named **of = malloc((count + 1) * sizeof *of);
    double *sigma = malloc(((size_t)p + 1) * sizeof *sigma), *V = malloc(((size_t)p * (size_t)p + 1) * sizeof *V);
    RbvStatus status = E && e0 && of && sigma && V ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < choice->eliminated_count; k++) {
        const Named *named = &choice->eliminated[k];
        const RbvElement *element = named_functional(task, named, choice->c);
        if (!element)
            continue;
        double length = rbv_choice_length(task, element, choice->c), size = 0;
        rbv_choice_on_null(task, element, choice->c, E + m * p);
        for (int32_t j = 0; j < p && length > 0; j++) {
            E[m * p + j] /= length;
            size += E[m * p + j] * E[m * p + j];
        }
        if (!(sqrt(size) > RBV_ADMISSIBLE)) {
            status = refuse(task, diagnostics,
                            length > 0 ? "%s is determined by the model and cannot be taken away"
                                       : "%s is no reaction that the joint holds, it is zero anyway",
                            named->text);
            break;
        }
        e0[m] = rbv_choice_on_base(task, element, choice->c) / length;
        of[m++] = named;
    }
    if (status == RBV_OK && m > 0) {
        if (!rbv_choice_right_vectors(m, p, E, sigma, V))
            status = RBV_NO_MEMORY;
        else if (m > p || !(sigma[m - 1] > RBV_ADMISSIBLE))
            status = refuse_dependent(task, diagnostics, m, E, of);
        else
            status = rbv_choice_minimize(task, m, E, E, e0, NULL); /* E a = -e0 */
    }
    free(E);
    free(e0);
    free(of);
    free(sigma);
    free(V);
    return status;
}
