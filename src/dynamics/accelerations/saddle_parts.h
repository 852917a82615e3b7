/* Parts of the saddle point system (saddle.h): its rows, its mass matrix (saddle_parts.c), and its solution in trees
 * (tree_schur.c). */
#ifndef RBV_DYNAMICS_ACCELERATIONS_SADDLE_PARTS_H
#define RBV_DYNAMICS_ACCELERATIONS_SADDLE_PARTS_H

#include "mechanics/coordinates/coordinates.h"
#include "mechanics/coordinates/mass_matrix.h"
#include "mechanics/system/system.h"

/* ---- rows: those of joints, constraints and drives, then the coordinates' own ---- */

typedef struct RbvSaddleRows {
    int32_t count;
    int32_t of_system; /* number of rows from joints, constraints and drives; the remaining ones are the coordinates'
                          own rows */
    int32_t skip;      /* number of entries of the state's C between both groups of rows */
    bool all;          /* true: no row is left out */
    int32_t *place;    /* [count] index of each row among the rows of the system's C */
    RbvRowPattern C;   /* pattern of these rows; the system's own pattern where the entries are the same */
} RbvSaddleRows;

/* Allocates arrays in `arena`. False: out of memory. */
bool rbv_saddle_rows_create(const RbvSystem *system, RbvArena *arena, RbvSaddleRows *rows);

/* Pointer to be indexed by the entry numbers of row k in rows->C: the entries of the state's C. */
static inline const double *rbv_saddle_rows_entries(const RbvSaddleRows *rows, const RbvState *state, int32_t k) {
    return state->C + (k < rows->of_system ? 0 : rows->skip);
}

/* ---- mass matrix M: bodies, generalized coordinates, rotors of drives, idle spins ---- */

/* Returns whether v contains a spin with substitute inertia. Natural coordinates have none for rods. */
bool rbv_saddle_mass_stands_in(const RbvSystem *system);
/* Evaluates M at a state whose positions are evaluated. */
void rbv_saddle_mass_fill(const RbvState *state, RbvMassMatrix *mass);
/* Adds the term of the substitute inertia to the state's Q: to be called after rbv_state_load where accelerations are
 * found from Q. */
void rbv_saddle_mass_load(RbvState *state);
/* Returns whether masses, and moments of inertia over arms squared, of all bodies are of similar size. */
bool rbv_saddle_mass_alike(const RbvState *state);

/* ---- trees with few rows: Schur complement by articulated bodies ---- */

typedef struct RbvTreeSchur RbvTreeSchur;

/* The pattern C[rows][n] must outlive the object; rows that are left out have no entries, or zeros. *fits: the
 * coordinates are those of a deep tree (articulated.h) with few rows; if not, NULL is returned. NULL with *fits: out of
 * memory. */
RbvTreeSchur *rbv_tree_schur_create(const RbvCoordinates *coordinates, const RbvRowPattern *C, bool *fits);
void rbv_tree_schur_destroy(RbvTreeSchur *schur);
/* Takes over the positions and factors M there; diagonal[n]: inertia of each coordinate. False: M is not positive
 * definite, or a number is not finite. */
bool rbv_tree_schur_mass(RbvTreeSchur *schur, RbvPosed at, double *diagonal);
/* Factors S for the last M and the entries of C, which must outlive the factors. False: a number is not finite. */
bool rbv_tree_schur_factor(RbvTreeSchur *schur, const double *C, double eps);
/* Finds the change of (x, l) = x[n + rows] towards the solution for b[n + rows] = (f, g), by the factors; M is taken at
 * `at`, C with its present entries. */
void rbv_tree_schur_correct(RbvTreeSchur *schur, RbvPosed at, const double *b, const double *x, double *change);

#endif
