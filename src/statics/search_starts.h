/* Where a search for all equilibria (all_equilibria.h) begins next, by which way, and when that is often enough. */
#ifndef RBV_STATICS_SEARCH_STARTS_H
#define RBV_STATICS_SEARCH_STARTS_H

#include <roberval/base.h>

typedef enum RbvSearchWay { RBV_WAY_DOWNHILL, RBV_WAY_NEWTON, RBV_WAY_INDEX } RbvSearchWay;

/* What a start is drawn from: a listed place (0 ...), or one of these. */
enum { RBV_FROM_POSES = -1, RBV_FROM_REACHED = -2 };

typedef struct RbvSearchStart {
    int32_t from;      /* which place */
    double turn, move; /* how far bodies are turned and moved at random: half turns, sizes */
    RbvSearchWay way;
    int32_t index; /* by index: motions along which the energy is to be largest */
    bool is_short; /* one of the model's distances is made short first */
} RbvSearchStart;

typedef struct RbvSearchStarts {
    bool downhill, by_index;      /* ways that the model allows */
    bool lengths;                 /* it has distances that may be short */
    bool requested;               /* it is known that some are missing: no end before `most` */
    int32_t plain;                /* the first starts, that go downhill and by Newton */
    int32_t most, patience;       /* starts, and drawn ones in a row that find nothing new */
    int32_t freedoms;             /* the most motions that a search by index met */
    int32_t begun, drawn, walked; /* starts; those of the poses, and those beside listed places */
    int32_t index, short_index;   /* searches by index so far, far away and where a length is short */
    int32_t last_new;             /* `drawn` when the last new place was found */
} RbvSearchStarts;

/* For so many coordinates. `times` as many, where others of what is one-sided hold at each. */
RbvSearchStarts rbv_search_starts_of(int32_t size, bool has_energy, bool lengths, int32_t times);
/* falling[count]: of the places listed so far, how many motions the energy falls by there. False: enough. */
bool rbv_search_starts_next(RbvSearchStarts *starts, const int32_t *falling, int32_t count, RbvSearchStart *start);
/* There are so many places now that were not there before the last start. */
void rbv_search_starts_found(RbvSearchStarts *starts, int32_t fresh);

#endif
