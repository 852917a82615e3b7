/* Ranks of MPI. Rank 0 has the folder; a thread of its own answers the others, whose requests carry the rows they have
 * done and bring the numbers of the next ones. Calls of MPI are made by one thread at a time.
 *
 * A request is REQUEST: a Head and the lines of rows; its answer REPLY: numbers of variants, none at the end. */
#define _POSIX_C_SOURCE 200809L
#include "cli/ranks.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

enum { REQUEST = 1, REPLY = 2 };

#define MOST_SHARE 1024
#define SHARE_SECONDS 0.04 /* work of a share: long beside the time of a request, short beside that of a run */
#define POLL_NANOSECONDS 500000

typedef struct Head {
    int64_t requested; /* variants; 0: this rank computes no more */
    int64_t early;     /* it stops before it was told that there are no more */
    int64_t status;    /* its RbvStatus */
} Head;

struct Ranks {
    const RbvStudy *study;
    RbvStudyFolder *folder; /* rank 0 */
    mtx_t lock;
    /* rank 0 */
    thrd_t server;
    bool serving;
    bool closed; /* no more variants are given out */
    int left;    /* other ranks that still compute */
    RbvStatus worst;
    /* other ranks */
    int64_t share[MOST_SHARE];
    int64_t share_count, share_at;
    double asked_at; /* [s] */
    char *rows;      /* [rows_capacity] a Head, then lines */
    size_t rows_length, rows_capacity;
};

static int number, count = 1, reporter;
static bool begun;

static void begin_mpi(void) {
    int level;
    if (begun)
        return;
    begun = true;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
        return;
    MPI_Comm_rank(MPI_COMM_WORLD, &number);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
}

int rank_number(void) {
    begin_mpi();
    return number;
}

int rank_count(void) {
    begin_mpi();
    return count;
}

RbvStatus rank_agree(RbvStatus status) {
    int own = (int)status, worst = own;
    begin_mpi();
    MPI_Allreduce(&own, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    int candidate = own == RBV_OK ? count : number;
    MPI_Allreduce(&candidate, &reporter, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    reporter = reporter == count ? 0 : reporter;
    return (RbvStatus)worst;
}

bool rank_same(const RbvStudy *study) {
    uint64_t own = rbv_study_fingerprint(study), least = own, largest = own;
    MPI_Allreduce(&own, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &largest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return least == largest;
}

bool rank_reports(void) {
    return number == reporter;
}

void rank_finish(void) {
    int finished = 0;
    if (begun)
        MPI_Finalized(&finished);
    if (begun && !finished)
        MPI_Finalize();
}

/* ---- rank 0 ---- */

static void keep_worst(Ranks *ranks, RbvStatus status) {
    if (ranks->worst == RBV_OK)
        ranks->worst = status;
}

/* Append the rows of a request to the journal; text is changed. */
static void take_rows(Ranks *ranks, char *text, size_t length) {
    for (char *line = text, *end; line < text + length; line = end + 1) {
        end = memchr(line, '\n', (size_t)(text + length - line));
        if (!end)
            break;
        *end = '\0';
        keep_worst(ranks, rbv_study_folder_line(ranks->folder, line));
    }
}

/* Receive one request and answer it. */
static void answer(Ranks *ranks, const MPI_Status *from) {
    int size;
    int64_t share[MOST_SHARE];
    Head head;
    MPI_Get_count(from, MPI_BYTE, &size);
    char *message = malloc((size_t)size + 1);
    if (!message)
        MPI_Abort(MPI_COMM_WORLD, 3);
    MPI_Recv(message, size, MPI_BYTE, from->MPI_SOURCE, REQUEST, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    memcpy(&head, message, sizeof head);
    take_rows(ranks, message + sizeof head, (size_t)size - sizeof head);
    free(message);
    if (head.requested == 0) {
        ranks->left--;
        ranks->closed = ranks->closed || head.early;
        keep_worst(ranks, (RbvStatus)head.status);
        return;
    }
    int given = 0;
    ranks->closed = ranks->closed || ranks->worst != RBV_OK;
    while (!ranks->closed && given < head.requested && given < MOST_SHARE &&
           rbv_study_folder_next(ranks->folder, &share[given]))
        given++;
    MPI_Send(share, given, MPI_INT64_T, from->MPI_SOURCE, REPLY, MPI_COMM_WORLD);
}

static int serve(void *context) {
    Ranks *ranks = context;
    for (bool on = true; on;) {
        int there = 0;
        MPI_Status from;
        mtx_lock(&ranks->lock);
        MPI_Iprobe(MPI_ANY_SOURCE, REQUEST, MPI_COMM_WORLD, &there, &from);
        if (there)
            answer(ranks, &from);
        on = ranks->left > 0;
        mtx_unlock(&ranks->lock);
        if (!there && on)
            nanosleep(&(struct timespec){0, POLL_NANOSECONDS}, NULL);
    }
    return 0;
}

/* ---- other ranks ---- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reserve `more` bytes behind the rows. False: no memory. */
static bool reserve(Ranks *ranks, size_t more) {
    if (ranks->rows_length + more <= ranks->rows_capacity)
        return true;
    size_t capacity = 2 * (ranks->rows_length + more);
    char *rows = realloc(ranks->rows, capacity);
    if (!rows)
        return false;
    ranks->rows = rows;
    ranks->rows_capacity = capacity;
    return true;
}

static void send(Ranks *ranks, const Head *head) {
    memcpy(ranks->rows, head, sizeof *head);
    MPI_Send(ranks->rows, (int)ranks->rows_length, MPI_BYTE, 0, REQUEST, MPI_COMM_WORLD);
    ranks->rows_length = sizeof *head;
}

/* Ask for as many variants as take SHARE_SECONDS. */
static void ask(Ranks *ranks) {
    double passed = now() - ranks->asked_at;
    int64_t requested = 1;
    if (ranks->share_count > 0)
        requested = (int64_t)((double)ranks->share_count * SHARE_SECONDS / (passed + 1e-9));
    requested = requested < 1 ? 1 : requested;
    requested = requested > MOST_SHARE ? MOST_SHARE : requested;
    ranks->asked_at = now();
    send(ranks, &(Head){.requested = requested});
    MPI_Status from;
    int given;
    MPI_Recv(ranks->share, MOST_SHARE, MPI_INT64_T, 0, REPLY, MPI_COMM_WORLD, &from);
    MPI_Get_count(&from, MPI_INT64_T, &given);
    ranks->share_count = given;
    ranks->share_at = 0;
    ranks->closed = given == 0;
}

/* ---- the four functions ---- */

Ranks *rank_begin(const RbvStudy *study, RbvStudyFolder *folder) {
    Ranks *ranks = calloc(1, sizeof *ranks);
    if (!ranks || mtx_init(&ranks->lock, mtx_plain) != thrd_success) {
        free(ranks);
        return NULL;
    }
    ranks->study = study;
    ranks->folder = folder;
    ranks->left = count - 1;
    ranks->asked_at = now();
    if (number > 0 && reserve(ranks, sizeof(Head)))
        ranks->rows_length = sizeof(Head);
    if (number == 0 && count > 1)
        ranks->serving = thrd_create(&ranks->server, serve, ranks) == thrd_success;
    if (number > 0 ? ranks->rows != NULL : ranks->serving || count == 1)
        return ranks;
    MPI_Abort(MPI_COMM_WORLD, 3); /* the others would wait */
    return NULL;
}

bool rank_next(Ranks *ranks, int64_t *variant) {
    bool more;
    mtx_lock(&ranks->lock);
    if (number == 0) {
        more = !ranks->closed && ranks->worst == RBV_OK && rbv_study_folder_next(ranks->folder, variant);
    } else {
        if (ranks->share_at == ranks->share_count && !ranks->closed)
            ask(ranks);
        more = ranks->share_at < ranks->share_count;
        if (more)
            *variant = ranks->share[ranks->share_at++];
    }
    mtx_unlock(&ranks->lock);
    return more;
}

RbvStatus rank_row(Ranks *ranks, const RbvStudyRow *row) {
    RbvStatus status = RBV_OK;
    mtx_lock(&ranks->lock);
    if (number == 0) {
        status = rbv_study_folder_row(ranks->folder, row);
    } else {
        char *line = rbv_study_line(ranks->study, row);
        size_t length = line ? strlen(line) : 0;
        status = line && reserve(ranks, length + 1) ? RBV_OK : RBV_NO_MEMORY;
        if (status == RBV_OK) {
            memcpy(ranks->rows + ranks->rows_length, line, length);
            ranks->rows[ranks->rows_length + length] = '\n';
            ranks->rows_length += length + 1;
        }
        free(line);
    }
    mtx_unlock(&ranks->lock);
    return status;
}

RbvStatus rank_end(Ranks *ranks, RbvStatus status) {
    if (!ranks)
        return status;
    mtx_lock(&ranks->lock);
    int64_t more;
    if (number == 0) {
        /* stopped early: variants are left that nobody shall compute */
        ranks->closed = status != RBV_OK || ranks->closed || rbv_study_folder_next(ranks->folder, &more);
        keep_worst(ranks, status);
    } else {
        send(ranks, &(Head){.early = !ranks->closed, .status = status});
    }
    mtx_unlock(&ranks->lock);
    if (ranks->serving)
        thrd_join(ranks->server, NULL);
    if (number == 0)
        status = ranks->worst;
    mtx_destroy(&ranks->lock);
    free(ranks->rows);
    free(ranks);
    return rank_agree(status);
}
