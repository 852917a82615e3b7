/* Blocks of samples on several threads; see sample_blocks.h. */
#define _GNU_SOURCE
#include "analysis/analyses/sample_blocks.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "mechanics/coordinates/coordinates.h"
#include "model/result/result.h"

#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

/* Samples of a block times coordinates, between two numbers of samples: some 20 ms of work, of which the start of a
 * block is a few hundredths, of large systems a fifth. Systems of more coordinates are not divided: each block that is
 * begun has the memory of a run. */
#define BLOCK_WORK 36000
#define LEAST_BLOCK 32
#define MOST_BLOCK 4096
#define MOST_COORDINATES 20000
/* Blocks that may be begun and not yet joined, beside one for each thread. */
#define AHEAD 2
#define MOST_THREADS 256
#define MOST_AHEAD (MOST_THREADS + AHEAD)
/* Rows of a recorded motion that the guide passes at once, with a quintic from the first to the last. */
#define STRIDE 32
/* [s] between two calls of the caller's progress function. */
#define PROGRESS_EVERY 0.02

typedef enum BlockState { BLOCK_READY, BLOCK_RUNS, BLOCK_DONE } BlockState;

typedef struct Block {
    RbvArena arena; /* of the arrays below */
    RbvSampleRun run;
    BlockState state;
    int32_t first, end; /* samples of the run */
    RbvStatus status;
    const RbvRecordedRows *rows; /* of a recorded motion, else NULL: its samples */
    RbvDriveTarget *targets;     /* [drives] of a recorded motion: those of its motion */
    double *q, *quats;        /* position and quaternions printed from which it began: [position_size], [bodies][4] */
    RbvMeasureMemory *memory; /* [measures] turns there */
    RbvVerdict *verdicts;     /* [columns and hidden columns] at its first sample */
    char *text;               /* its samples as the caller's keeper writes them [length]; NULL: not printed */
    size_t length;
} Block;

typedef struct Blocks {
    RbvSampleRun *run;
    RbvProgress *progress; /* the caller's, for the caller's thread alone */
    RbvMotion *origin;     /* motion of the run, at its first sample */
    RbvMotion *guide;
    Block *blocks[MOST_AHEAD];         /* block k at k % MOST_AHEAD. NULL: not begun, or joined and freed */
    RbvRecordedRows *rows[MOST_AHEAD]; /* rows of a recorded motion, of blocks joined ... read - 1 */
    RbvDriveTarget *targets,
        *first_targets;           /* [drives] of a recorded motion: those of the guide, and at its first row */
    RbvDiagnostics *row_messages; /* what was reported while rows were read */
    RbvStatus row_status;         /* how the rows ended */
    int32_t count, size;          /* INT32_MAX blocks: rows are still to be read */
    int32_t read;                 /* number of blocks whose rows are read: all, if the motion is not recorded */
    int32_t begun, joined;        /* the guide is at the beginning of block `begun` */
    bool guided;                  /* a thread moves the guide */
    int32_t ahead, most_ahead;    /* number of blocks that may be begun and not yet joined, at first too */
    int32_t threads;              /* started; set before the caller's thread joins blocks */
    thrd_t thread[MOST_THREADS];
    bool lost;      /* the guide does not reach the beginning of block `begun` */
    bool no_memory; /* a block lacked memory to begin; no number may hang on that */
    bool closed;    /* no block is to be begun or run any more */
    bool alone;     /* no thread could be started: the caller's does all */
    atomic_bool stop;
    mtx_t lock;
    cnd_t changed;
} Blocks;

/* Progress function of blocks and guide: only the caller's thread may call the caller's function. */
static bool goes_on(void *context, double share) {
    Blocks *b = context;
    (void)share;
    if (b->alone && rbv_progress_stops(b->progress))
        atomic_store(&b->stop, true);
    return !atomic_load_explicit(&b->stop, memory_order_relaxed);
}

/* ---- one block ---- */

static void destroy_block(Block *block) {
    if (!block)
        return;
    if (block->run.own)
        block->run.analysis->destroy(&block->run);
    rbv_diagnostics_destroy(block->run.diagnostics);
    free(block->run.own);
    free(block->text);
    rbv_arena_clear(&block->arena);
    free(block);
}

static size_t columns_of(const Block *block) {
    const RbvResult *result = block->run.record->result;
    return (size_t)result->column_count + (size_t)result->hidden_count;
}

static void *keep(Block *block, const void *bytes, size_t size) {
    void *copy = rbv_arena_alloc(&block->arena, size + 1);
    return copy ? memcpy(copy, bytes, size) : NULL;
}

/* What the block began from, to be compared with the end of the block before. */
static bool note_beginning(Block *block, const RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    const RbvRecord *record = block->run.record;
    size_t quats = system->bodies.spatial ? 4 * (size_t)system->model->bodies.count : 0;
    block->q = keep(block, motion->state->q, (size_t)system->coordinates.position_size * sizeof *block->q);
    block->quats = keep(block, record->last_quat, quats * sizeof *block->quats);
    block->memory = keep(block, motion->state->memory, (size_t)system->model->measures.count * sizeof *block->memory);
    block->verdicts = keep(block, record->last_verdict, columns_of(block) * sizeof *block->verdicts);
    return block->q && block->quats && block->memory && block->verdicts;
}

/* The samples of block k. */
static void list_samples(const Blocks *b, int32_t k, Block *block) {
    block->rows = b->rows[k % MOST_AHEAD];
    block->first = 1 + k * b->size;
    block->end = block->first + b->size;
    if (block->rows)
        block->end = block->first + block->rows->count;
    else if (k == b->count - 1)
        block->end = b->run->samples.count;
}

/* The motion of a block of a recorded one follows targets of its own, which lead to where `from` is. */
static bool take_targets(Block *block, RbvMotion *motion, const RbvMotion *from) {
    if (!block->rows)
        return true;
    size_t size = (size_t)block->run.model->drives.count * sizeof *block->targets;
    block->targets = keep(block, from->state->targets, size);
    motion->state->targets = block->run.samples.targets = block->targets;
    return block->targets != NULL;
}

/* Begins block k where the motion `from` is, at the sample before its first; signs of quaternions are those of `record`
 * at the state `there`. */
static RbvStatus begin_block(Blocks *b, int32_t k, const RbvMotion *from, const RbvRecord *record,
                             const RbvState *there, Block **out) {
    RbvSampleRun *run = b->run;
    Block *block = *out = calloc(1, sizeof *block);
    if (!block)
        return RBV_NO_MEMORY;
    block->run = *run;
    list_samples(b, k, block);
    block->run.own = calloc(1, run->analysis->division->own_size);
    block->run.diagnostics = rbv_diagnostics_create();
    block->run.record = NULL;
    block->run.from = from;
    block->run.block_size = b->size;
    if (!block->run.own || !block->run.diagnostics) {
        free(block->run.own);
        block->run.own = NULL;
        return RBV_NO_MEMORY;
    }
    RbvStatus status = run->analysis->admit(&block->run);
    block->run.samples.progress = (RbvProgress){.go_on = goes_on, .context = b};
    if (status == RBV_OK)
        status = run->analysis->start(&block->run);
    RbvMotion *motion = status == RBV_OK ? run->analysis->division->motion(&block->run) : NULL;
    if (status == RBV_OK)
        status = take_targets(block, motion, from) ? rbv_motion_go(motion, from->state->t) : RBV_NO_MEMORY;
    if (status != RBV_OK)
        return status;
    rbv_diagnostics_clear(block->run.diagnostics); /* the run's start has said the same */
    rbv_record_continue(block->run.record, motion->state, record, there);
    return note_beginning(block, motion) ? RBV_OK : RBV_NO_MEMORY;
}

/* Goes to sample k; [s] its time. */
static double go_to_sample(Block *block, int32_t k) {
    const RbvRecordedRows *rows = block->rows;
    size_t at = (size_t)(k - block->first), drives = (size_t)block->run.model->drives.count;
    if (!rows)
        return rbv_samples_time(&block->run.samples, k);
    memcpy(block->targets, rows->targets + at * drives, drives * sizeof *rows->targets);
    return rows->t[at];
}

/* The samples are printed here already, on the thread that computes them. */
static void print_block(Block *block) {
    const RbvSampleRun *run = &block->run;
    const RbvKeeper *keeper = run->analysis->keeps ? run->options.samples.keeper : NULL;
    if (keeper && keeper->print && run->record->result->sample_count > 0)
        block->text = keeper->print(keeper->context, run->record->result, &block->length);
}

static void run_block(Block *block) {
    RbvSampleRun *run = &block->run;
    for (int32_t k = block->first; k < block->end && block->status == RBV_OK; k++) {
        if (rbv_progress_stops(&run->samples.progress))
            block->status = RBV_INTERRUPTED;
        else
            block->status = run->analysis->sample(run, k, go_to_sample(block, k));
        if (k == block->first)
            memcpy(block->verdicts, run->record->last_verdict, columns_of(block) * sizeof *block->verdicts);
    }
    print_block(block);
}

/* ---- threads ---- */

/* Moves the guide to the end of the block's rows, some of them at a time: its targets lead from row to row, by quintics
 * with their values and rates. */
static RbvStatus pass_rows(Blocks *b, const RbvRecordedRows *rows) {
    int32_t drives = b->run->model->drives.count;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < rows->count && status == RBV_OK;) {
        k = k + STRIDE < rows->count ? k + STRIDE : rows->count;
        const RbvDriveTarget *to = rows->targets + (size_t)(k - 1) * (size_t)drives;
        for (int32_t d = 0; d < drives; d++) {
            RbvDriveTarget *target = &b->targets[d];
            target->from = target->to;
            target->to = to[d].to;
            memcpy(target->start, target->end, sizeof target->start);
            memcpy(target->end, to[d].end, sizeof target->end);
        }
        status = rbv_motion_go(b->guide, rows->t[k - 1]);
    }
    return status;
}

/* Begins the next block where the guide is, and moves the guide to its end. */
static void guide_on(Blocks *b) {
    int32_t k = b->begun;
    const RbvRecordedRows *rows = b->rows[k % MOST_AHEAD];
    bool last = k == b->count - 1;
    Block *block = NULL;
    b->guided = true;
    mtx_unlock(&b->lock);
    RbvStatus moved = RBV_OK, status = begin_block(b, k, b->guide, b->run->record, b->origin->state, &block);
    if (status == RBV_OK && !last)
        moved =
            rows ? pass_rows(b, rows) : rbv_motion_go(b->guide, rbv_samples_time(&b->run->samples, (k + 1) * b->size));
    mtx_lock(&b->lock);
    b->guided = false;
    if (status == RBV_OK) {
        b->blocks[k % MOST_AHEAD] = block;
        b->begun++;
        b->lost = b->lost || moved != RBV_OK;
        b->no_memory = b->no_memory || moved == RBV_NO_MEMORY;
        return;
    }
    destroy_block(block);
    if (status == RBV_NO_MEMORY && b->begun > b->joined) { /* fewer at a time */
        b->ahead = b->begun - b->joined;
        return;
    }
    b->no_memory = status == RBV_NO_MEMORY;
    b->lost = true; /* what is wrong there is said by the block that begins at the end of the one before */
}

static Block *find_ready(const Blocks *b) {
    for (int32_t k = b->joined; k < b->begun; k++) {
        Block *block = b->blocks[k % MOST_AHEAD];
        if (block && block->state == BLOCK_READY)
            return block;
    }
    return NULL;
}

/* Is a block left for the guide to begin? */
static bool is_left(const Blocks *b) {
    return !b->lost && b->begun < b->count;
}

/* Runs or begins a block, if there is one to run or begin now. */
static bool act(Blocks *b) {
    Block *block = find_ready(b);
    if (block) {
        block->state = BLOCK_RUNS;
        mtx_unlock(&b->lock);
        run_block(block);
        mtx_lock(&b->lock);
        block->state = BLOCK_DONE;
    } else if (is_left(b) && !b->guided && b->begun < b->read && b->begun < b->joined + b->ahead) {
        guide_on(b);
    } else {
        return false;
    }
    cnd_broadcast(&b->changed);
    return true;
}

/* Works until no block is left to begin or to run. */
static int work(void *context) {
    Blocks *b = context;
    mtx_lock(&b->lock);
    while (!b->closed) {
        if (act(b))
            continue;
        if (!is_left(b) && !b->guided)
            break;
        cnd_wait(&b->changed, &b->lock);
    }
    cnd_broadcast(&b->changed);
    mtx_unlock(&b->lock);
    return 0;
}

static int32_t usable_processors(void) {
    cpu_set_t set;
    int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return count < 1 ? 1 : (int32_t)count;
}

/* ---- joining ---- */

/* Does the block begin where the one before has ended? Positions to RBV_BALANCED of the sizes, turns counted alike. */
static bool meets(const Block *before, const Block *block) {
    const RbvMotion *motion = before->run.analysis->division->motion(&before->run);
    const RbvSystem *system = motion->system;
    const RbvCoordinates *coordinates = &system->coordinates;
    RbvState *state = motion->state;
    double *x = motion->x;
    bool same = rbv_record_meets(before->run.record, block->quats);
    rbv_coordinates_difference(coordinates, block->q, state->q, x);
    for (int32_t k = 0; k < coordinates->size; k++)
        same = same && fabs(x[k]) * motion->share[k] <= RBV_BALANCED;
    for (int32_t m = 0; m < system->model->measures.count; m++) {
        double here = state->memory[m].turn, there = block->memory[m].turn;
        same = same && (isnan(here) ? isnan(there) : fabs(here - there) <= 1);
    }
    return same;
}

/* Block k from the end of the one before, on the caller's thread. */
static RbvStatus begin_again(Blocks *b, int32_t k, const Block *before, Block **block) {
    const RbvMotion *from = before ? before->run.analysis->division->motion(&before->run) : b->origin;
    const RbvRecord *record = before ? before->run.record : b->run->record;
    RbvStatus status = begin_block(b, k, from, record, from->state, block);
    if (status != RBV_OK) {
        if (*block)
            rbv_diagnostics_join(b->run->diagnostics, (*block)->run.diagnostics);
        return status;
    }
    RbvProgress *progress = &(*block)->run.samples.progress;
    *progress = *b->progress; /* it is asked at each sample, as in a run that is not divided */
    run_block(*block);
    b->progress->stopped = progress->stopped;
    return RBV_OK;
}

/* Passes the samples of the run, from `first` on those of the block, to the caller's keeper. */
static RbvStatus keep_block(RbvSampleRun *run, const Block *block, int32_t first) {
    const RbvKeeper *keeper = run->options.samples.keeper;
    const RbvResult *result = run->record->result;
    if (!run->analysis->keeps || !block->text)
        return run->analysis->keeps ? rbv_samples_keep(&run->options, result, run->diagnostics) : RBV_OK;
    return keeper->keep_text(keeper->context, result, first, block->text, block->length, run->diagnostics);
}

/* Takes over what the block has; *block is its own. */
static RbvStatus join_block(Blocks *b, Block *block) {
    RbvSampleRun *run = b->run;
    const RbvResult *result = block->run.record->result;
    bool last = block->status == RBV_OK && b->joined == b->count && b->row_status == RBV_OK;
    double first = block->rows ? block->rows->t[0] : rbv_samples_time(&run->samples, block->first);
    bool any = result->sample_count > 0 || result->motion_samples > 0; /* of check there are no rows */
    int32_t before = run->record->result->sample_count;
    if (any && !rbv_record_join(run->record, block->run.record, block->verdicts, first))
        return RBV_NO_MEMORY;
    RbvStatus status = run->analysis->division->join(run, &block->run, last);
    rbv_diagnostics_join(run->diagnostics, block->run.diagnostics);
    status = block->status == RBV_OK ? status : block->status;
    RbvStatus kept = keep_block(run, block, before);
    return status == RBV_OK ? kept : status;
}

/* Tells the caller's progress function that blocks before k are joined; all stop if it wants to. */
static void ask_caller(Blocks *b, int32_t k) {
    const RbvRecordedRows *rows = b->rows[k % MOST_AHEAD];
    double share = rows ? rows->share[0] : (double)(k * b->size) / b->run->samples.count;
    if (rbv_progress_stops_at(b->progress, share))
        atomic_store(&b->stop, true);
}

/* Reads rows of a recorded motion for as many blocks as may be begun. NO_MEMORY. How the rows end in b->row_status. */
static RbvStatus read_rows(Blocks *b) {
    RbvRecorded *recorded = b->run->samples.recorded;
    while (recorded && b->count == INT32_MAX && b->read < b->joined + b->most_ahead) {
        RbvRecordedRows *rows;
        bool more;
        RbvStatus status = rbv_recorded_take(recorded, b->size, &rows, &more);
        bool any = rows && rows->count > 0;
        if (!any)
            rbv_recorded_rows_destroy(rows);
        if (status == RBV_NO_MEMORY && !any)
            return status;
        mtx_lock(&b->lock);
        if (any)
            b->rows[b->read++ % MOST_AHEAD] = rows;
        if (status == RBV_INTERRUPTED)
            atomic_store(&b->stop, true);
        if (status != RBV_OK || !more) {
            b->row_status = status;
            b->count = b->read;
        }
        cnd_broadcast(&b->changed);
        mtx_unlock(&b->lock);
    }
    return RBV_OK;
}

/* Waits until block k is done, or will not be begun by the guide: *block NULL. NO_MEMORY. */
static RbvStatus await(Blocks *b, int32_t k, Block **block) {
    mtx_lock(&b->lock);
    for (;;) {
        struct timespec until;
        *block = b->blocks[k % MOST_AHEAD];
        if (*block ? (*block)->state == BLOCK_DONE : b->lost && !b->guided)
            break;
        if (b->alone && act(b))
            continue;
        timespec_get(&until, TIME_UTC);
        until.tv_nsec += (long)(1e9 * PROGRESS_EVERY);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (cnd_timedwait(&b->changed, &b->lock, &until) != thrd_timedout)
            continue;
        mtx_unlock(&b->lock);
        ask_caller(b, k);
        mtx_lock(&b->lock);
    }
    RbvStatus status = !*block && b->no_memory ? RBV_NO_MEMORY : RBV_OK;
    mtx_unlock(&b->lock);
    return status;
}

/* No block is begun by the guide any more; others than that of which this is found follow one after the other, whether
 * the guide has begun them or not, so that no number hangs on what threads did first. */
static void leave_guide(Blocks *b) {
    mtx_lock(&b->lock);
    b->lost = true;
    mtx_unlock(&b->lock);
}

/* Joins all blocks in their order. */
static RbvStatus join_all(Blocks *b) {
    RbvStatus status = RBV_OK;
    Block *before = NULL;
    bool astray = false;
    for (int32_t k = 0; status == RBV_OK && k < b->count; k++) {
        Block *block;
        status = read_rows(b);
        if (k == b->count)
            break;
        if (status != RBV_OK || await(b, k, &block) != RBV_OK) {
            destroy_block(before);
            return RBV_NO_MEMORY;
        }
        ask_caller(b, k);
        if (!block || astray || (before && !meets(before, block))) {
            Block *again;
            astray = true;
            leave_guide(b);
            status = begin_again(b, k, before, &again);
            destroy_block(block);
            block = again;
        }
        RbvRecordedRows *rows = b->rows[k % MOST_AHEAD];
        mtx_lock(&b->lock);
        b->blocks[k % MOST_AHEAD] = NULL;
        b->rows[k % MOST_AHEAD] = NULL;
        b->joined = k + 1;
        cnd_broadcast(&b->changed);
        mtx_unlock(&b->lock);
        destroy_block(before);
        before = block;
        if (status == RBV_OK && block)
            status = join_block(b, block);
        rbv_recorded_rows_destroy(rows);
    }
    destroy_block(before);
    if (status != RBV_OK || b->row_status == RBV_OK)
        return status;
    rbv_diagnostics_join(b->run->diagnostics, b->row_messages);
    return b->row_status;
}

/* Number of samples of a block: a power of 2, by the coordinates of the system. */
static int32_t size_of_block(const RbvSystem *system) {
    int32_t size = LEAST_BLOCK, n = system->bodies.size > 0 ? system->bodies.size : 1;
    while (size < MOST_BLOCK && (int64_t)2 * size * n <= BLOCK_WORK)
        size *= 2;
    return size;
}

/* Are there samples for two blocks, without waiting for them? NO_MEMORY. */
static RbvStatus count_samples(RbvSampleRun *run, bool *enough) {
    RbvSamples *samples = &run->samples;
    int32_t least = 2 * size_of_block(run->system);
    *enough = !samples->recorded && samples->count - 1 >= least;
    return samples->recorded && rbv_recorded_is_stored(samples->recorded)
               ? rbv_recorded_read_ahead(samples->recorded, least, enough)
               : RBV_OK;
}

static bool may_divide(const RbvSampleRun *run) {
    const RbvDivision *division = run->analysis->division;
    const RbvSystem *system = run->system;
    return division && system->bodies.size <= MOST_COORDINATES && system->rate_count == 0 && system->idle_count == 0 &&
           run->model->states.count == 0 && run->model->conditions.count == 0 && run->model->functions.count == 0 &&
           (!division->may || division->may(run));
}

RbvStatus rbv_blocks_fit(RbvSampleRun *run, bool *fit) {
    *fit = false;
    return may_divide(run) ? count_samples(run, fit) : RBV_OK;
}

/* Joins the blocks while threads compute them. */
static RbvStatus run_threads(Blocks *b) {
    int32_t count = b->run->options.threads > 0 ? b->run->options.threads : usable_processors();
    count = count < b->count ? count : b->count;
    count = count < MOST_THREADS ? count : MOST_THREADS;
    b->ahead = b->most_ahead = count + AHEAD;
    while (b->threads < count && thrd_create(&b->thread[b->threads], work, b) == thrd_success)
        b->threads++;
    if (b->threads == 0)
        b->alone = true;
    RbvStatus status = join_all(b);
    mtx_lock(&b->lock);
    b->closed = true;
    atomic_store(&b->stop, true);
    cnd_broadcast(&b->changed);
    mtx_unlock(&b->lock);
    for (int32_t k = 0; k < b->threads; k++)
        thrd_join(b->thread[k], NULL);
    return status;
}

/* Of a recorded motion: the guide and the motion at the first sample have targets of their own, since those of the
 * recording change as it is read; what is wrong there is reported when the samples before are joined. */
static bool begin_rows(Blocks *b) {
    size_t drives = (size_t)b->run->model->drives.count;
    b->count = INT32_MAX;
    b->targets = malloc(2 * drives * sizeof *b->targets);
    b->row_messages = rbv_diagnostics_create();
    if (!b->targets || !b->row_messages)
        return false;
    b->first_targets = b->targets + drives;
    memcpy(b->targets, b->run->samples.targets, drives * sizeof *b->targets);
    memcpy(b->first_targets, b->targets, drives * sizeof *b->targets);
    b->origin->state->targets = b->first_targets;
    rbv_recorded_report_to(b->run->samples.recorded, b->row_messages, b->progress);
    return true;
}

static void end_rows(Blocks *b) {
    for (int32_t k = 0; k < MOST_AHEAD; k++)
        rbv_recorded_rows_destroy(b->rows[k]);
    if (b->run->samples.recorded) {
        rbv_recorded_report_to(b->run->samples.recorded, b->run->diagnostics, &b->run->samples.progress);
        b->origin->state->targets = b->run->samples.targets;
    }
    rbv_diagnostics_destroy(b->row_messages);
    free(b->targets);
}

/* The guide, where the motion of the run is. */
static RbvStatus begin_guide(Blocks *b, RbvProgress *progress) {
    RbvStatus status = rbv_motion_continue(b->origin, progress, NULL, &b->guide);
    if (status == RBV_OK && b->targets)
        b->guide->state->targets = b->targets;
    return status == RBV_OK ? rbv_motion_go(b->guide, b->origin->state->t) : status;
}

RbvStatus rbv_run_blocks(RbvSampleRun *run) {
    RbvProgress progress = run->samples.progress;
    Blocks *b = calloc(1, sizeof *b);
    if (!b)
        return RBV_NO_MEMORY;
    b->run = run;
    b->progress = &progress;
    b->origin = run->analysis->division->motion(run);
    b->size = size_of_block(run->system);
    RbvProgress guided = {.go_on = goes_on, .context = b};
    atomic_init(&b->stop, false);
    b->count = b->read = (run->samples.count - 2) / b->size + 1;
    RbvStatus status = RBV_NO_MEMORY;
    bool lock = mtx_init(&b->lock, mtx_plain) == thrd_success, changed = cnd_init(&b->changed) == thrd_success;
    if (run->samples.recorded)
        b->read = 0;
    if (lock && changed && (!run->samples.recorded || begin_rows(b)))
        status = begin_guide(b, &guided);
    if (status != RBV_NO_MEMORY) { /* a guide that does not begin is no guide */
        b->lost = status != RBV_OK;
        status = run_threads(b);
    }
    for (int32_t k = 0; k < MOST_AHEAD; k++)
        destroy_block(b->blocks[k]);
    end_rows(b);
    rbv_motion_destroy(b->guide);
    if (lock)
        mtx_destroy(&b->lock);
    if (changed)
        cnd_destroy(&b->changed);
    free(b);
    return status;
}
