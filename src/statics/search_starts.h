/* Starts of the search for all equilibria (all_equilibria.h): from where, by which method, and when to stop. */
#ifndef RBV_STATICS_SEARCH_STARTS_H
#define RBV_STATICS_SEARCH_STARTS_H

#include <roberval/base.h>

typedef enum RbvSearchWay { RBV_WAY_DOWNHILL, RBV_WAY_NEWTON, RBV_WAY_INDEX } RbvSearchWay;

/* Position from which a start is drawn: a listed equilibrium (0, 1, ...) or one of these constants. */
enum { RBV_FROM_POSES = -1, RBV_FROM_REACHED = -2 };

typedef struct RbvSearchStart {
    int32_t from;      /* listed equilibrium, or RBV_FROM_... */
    double turn, move; /* largest random rotation [half turns] and displacement [sizes] of bodies */
    RbvSearchWay way;
    int32_t index; /* by index: number of motions along which the energy is to be a maximum */
    bool is_short; /* one of the model's distances is made short first */
} RbvSearchStart;

typedef struct RbvSearchStarts {
    bool downhill, by_index; /* methods that the model allows */
    bool lengths;            /* the model has distances that may be short */
    bool requested;          /* it is known that equilibria are missing: do not stop before `most` */
    int32_t plain;           /* number of first starts, by minimization and by Newton's method */
    int32_t most, patience;  /* most: largest number of starts; patience: drawn starts without a new equilibrium, in a
                                row, before the end */
    int32_t freedoms;        /* largest number of independent motions in a search by index */
    int32_t begun, drawn, walked; /* begun: starts so far; drawn: those from the poses or the found equilibrium; walked:
                                     those from beside listed equilibria */
    int32_t index, short_index;   /* searches by index so far: far away, and with a short distance */
    int32_t last_new;             /* `drawn` when the last new equilibrium was found */
} RbvSearchStarts;

/* Starts for `size` coordinates. The numbers of starts are multiplied by `times`, where other one-sided supports are
 * closed at each start. */
RbvSearchStarts rbv_search_starts_of(int32_t size, bool has_energy, bool lengths, int32_t times);
/* Next start. falling[count]: for each equilibrium listed so far, number of independent motions along which the energy
 * decreases. False: enough starts. */
bool rbv_search_starts_next(RbvSearchStarts *starts, const int32_t *falling, int32_t count, RbvSearchStart *start);
/* Tells that the last start has led to `fresh` new equilibria. */
void rbv_search_starts_found(RbvSearchStarts *starts, int32_t fresh);

#endif
