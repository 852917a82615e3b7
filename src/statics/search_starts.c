/* Order of starts; see search_starts.h. The first starts are by minimization and by Newton's method. Of the others half
 * are drawn from the poses, turned and moved at random, by each method in turn: minimization, by index for each index,
 * Newton's method, and by index where a length is short. The other half begin beside listed equilibria, along one
 * motion more or fewer of decreasing energy, as the equilibria of an energy are connected. The search ends when all
 * listed equilibria have had their starts, and as many drawn starts in a row as the patience says found nothing new. No
 * decision here depends on a rounded number. */
#include "statics/search_starts.h"

/* Largest number of starts: coordinates times starts (WORK), and, where a start takes a dense matrix, square of the
 * coordinates times starts (DENSE_WORK). */
#define WORK 6000
#define DENSE_WORK 400000
#define LEAST_STARTS 10
#define MOST_STARTS 800
#define MOST_PLAIN 200 /* without searches by index */
/* Drawn starts in a row without a new equilibrium before the end: coordinates times starts, with bounds, and an
 * addition for each listed equilibrium. */
#define PATIENCE_WORK 1500
#define LEAST_PATIENCE 60
#define MOST_PATIENCE 160
#define PATIENCE_PER_PLACE 6
/* Number of coordinates above which dense matrices cost too much. */
#define MOST_DENSE 200
/* Starts beside each listed equilibrium, and more for each freedom; their distance in half turns and sizes. */
#define BESIDE 4
#define BESIDE_PER_FREEDOM 2
#define NEAR 0.1
#define LESS_NEAR 0.3
/* Distance in sizes and half turns in every second round: slack ropes and springs allow bodies farther away than in the
 * poses, and coils of springs count turns. */
#define WIDE 3.0

static int32_t within(int32_t least, int32_t number, int32_t most) {
    return number < least ? least : number > most ? most : number;
}

RbvSearchStarts rbv_search_starts_of(int32_t size, bool has_energy, bool lengths, int32_t times) {
    RbvSearchStarts s = {
        .downhill = has_energy, .by_index = has_energy && size <= MOST_DENSE, .lengths = lengths, .freedoms = 1};
    s.plain = times * within(LEAST_STARTS, WORK / (size + 1), MOST_PLAIN);
    s.patience = times * within(LEAST_PATIENCE, PATIENCE_WORK / (size + 1), MOST_PATIENCE);
    s.most = s.plain + (s.by_index ? within(0, DENSE_WORK / ((size + 1) * (size + 1)), MOST_STARTS) : 0);
    return s;
}

/* Starts beside a listed equilibrium: towards those with one motion of decreasing energy more or fewer. */
static void start_beside_listed(RbvSearchStarts *s, const int32_t *falling, int32_t walks, RbvSearchStart *start) {
    int32_t from = s->walked / walks, here = falling[from];
    bool up = here == 0 || (s->walked % 2 == 0 && here < s->freedoms);
    double near = s->walked % 4 < 2 ? NEAR : LESS_NEAR;
    *start = (RbvSearchStart){.from = from, .turn = near, .move = near, .index = up ? here + 1 : here - 1};
    start->way = start->index == 0 ? RBV_WAY_DOWNHILL : RBV_WAY_INDEX;
    s->walked++;
}

/* Mixes the bits of a counter, so that indices do not repeat with other periods. */
static uint32_t mix_bits(uint32_t n) {
    return ((n + 1) * 0x9E3779B9u) >> 16;
}

/* Start by minimization or Newton's method, from the found equilibrium or from the poses. */
static void draw_plain(const RbvSearchStarts *s, int32_t round, RbvSearchStart *start) {
    *start = (RbvSearchStart){
        .from = round % 8 < 4 ? RBV_FROM_REACHED : RBV_FROM_POSES, .turn = 1, .move = round % 16 >= 8 ? WIDE : 1};
    start->way = s->downhill && round % 2 == 0 ? RBV_WAY_DOWNHILL : RBV_WAY_NEWTON;
}

static void draw_start(RbvSearchStarts *s, RbvSearchStart *start) {
    static const RbvSearchWay ways[] = {RBV_WAY_DOWNHILL, RBV_WAY_INDEX, RBV_WAY_INDEX,  RBV_WAY_INDEX,
                                        RBV_WAY_DOWNHILL, RBV_WAY_INDEX, RBV_WAY_NEWTON, RBV_WAY_INDEX};
    int32_t all = s->drawn++, round = all - s->plain, k = round % 8;
    if (round < 0) {
        draw_plain(s, all, start);
        return;
    }
    double far = round % 16 >= 8 ? WIDE : 1;
    *start =
        (RbvSearchStart){.from = k % 5 ? RBV_FROM_POSES : RBV_FROM_REACHED, .turn = far, .move = far, .way = ways[k]};
    start->is_short = s->lengths && (k == 1 || k == 3 || k == 7);
    if (start->way == RBV_WAY_INDEX) {
        int32_t *count = start->is_short ? &s->short_index : &s->index;
        start->index = (int32_t)(mix_bits((uint32_t)(*count)++) % (uint32_t)s->freedoms) + 1;
    }
}

bool rbv_search_starts_next(RbvSearchStarts *s, const int32_t *falling, int32_t count, RbvSearchStart *start) {
    int32_t walks = s->by_index ? BESIDE + BESIDE_PER_FREEDOM * s->freedoms : 0;
    bool begins = s->drawn < s->plain, beside = !begins && s->walked < walks * count;
    int32_t since = s->drawn - (s->last_new > s->plain ? s->last_new : s->plain);
    bool far = begins || s->requested || since < s->patience + PATIENCE_PER_PLACE * count;
    if (s->begun == s->most || (!beside && !far))
        return false;
    s->begun++;
    if (beside && (!far || s->begun % 2 == 0))
        start_beside_listed(s, falling, walks, start);
    else
        draw_start(s, start);
    return true;
}

void rbv_search_starts_found(RbvSearchStarts *s, int32_t fresh) {
    if (fresh > 0)
        s->last_new = s->drawn;
}
