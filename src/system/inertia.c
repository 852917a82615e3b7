/* Masses: M x, with m I and J = A J' A^T for each body; in the plane the moment about z alone; of generalized coordinates, and of rotors, besides. */
#include "system/system.h"

void rbv_state_tensor(const RbvState *state, int32_t body, double J[3][3]) {
    const double *I = state->system->model->bodies.items[body].inertia;
    const RbvMat3 *A = &state->bodies[body].A;
    const double own[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
    const double a[3][3] = {{A->column[0].x, A->column[1].x, A->column[2].x},
                            {A->column[0].y, A->column[1].y, A->column[2].y},
                            {A->column[0].z, A->column[1].z, A->column[2].z}};
    double half[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            half[i][j] = a[i][0] * own[0][j] + a[i][1] * own[1][j] + a[i][2] * own[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            J[i][j] = half[i][0] * a[j][0] + half[i][1] * a[j][1] + half[i][2] * a[j][2];
}

void rbv_state_inertia(const RbvState *state, const double *x, double *out) {
    rbv_coordinates_mass(&state->system->coordinates, rbv_state_at(state), x, out);
    int32_t n = state->system->model->generalized.count;
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = 0; l < n; l++)
            out[rbv_generalized_column(state->system, k)] += state->mass[k * n + l] * x[rbv_generalized_column(state->system, l)];
    rbv_state_add_rotors(state, x, 1, out);
}
