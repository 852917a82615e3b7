/* Elimination order of the free coordinates of a linkage: fronts of a multifrontal QR factorization (I. S. Duff, J. K.
 * Reid 1983; J. W. H. Liu 1986), so that the time for trains of loops is proportional to the number of loops.
 *
 * A group is a set of free coordinates that occur in the same blocks of rows. Eliminating a group joins its blocks, and
 * the rows that earlier fronts of these coordinates have left over, to a front. Pivots of the front are the group and
 * all coordinates that occur nowhere else; the rows left over, at most one for each other column, form a new block. The
 * next group is one whose blocks have the fewest columns, among equal ones the last: loops are attached to those before
 * them. */
#include "arrays/linkage.h"

/* Lists of different lengths: list k is at[begin[k] .. begin[k + 1]]. */
typedef struct Lists {
    int32_t *begin, *at;
} Lists;

/* A block during the construction: rows of the linkage, or rows that a front has left over. */
typedef struct Element {
    int32_t rows, columns; /* numbers of rows and columns */
    int32_t group, groups; /* start in Making.element_group, and number of groups */
    int32_t front;         /* index of the front; -1: rows of the linkage */
    int32_t stamp;
} Element;

typedef struct Making {
    RbvArena arena;
    RbvLinkage *l;
    int32_t groups, elements;
    int32_t *group_of; /* [free] group of each free coordinate */
    Lists columns;     /* columns of each group */
    Lists has;         /* elements of each group; the first has_count of them are still present */
    int32_t *has_count;
    Element *element;                         /* [blocks + groups] */
    int32_t **members;                        /* [blocks + groups] groups of each element */
    int32_t *bucket, *next, *before, *degree; /* linked lists of groups by the number of columns of their blocks */
    int32_t most, lowest;                     /* the last bucket; the first bucket that may contain a group */
    int32_t done;
    int32_t *mark;      /* [groups] marks */
    int32_t *joined;    /* elements of the current front */
    int32_t *around;    /* groups of the current front: pivots first */
    int32_t *column_at; /* [free] column in the current front */
    int32_t columns_used, blocks_used, children_used, places_used;
    int32_t column_capacity; /* allocated length of front_column and front_place */
} Making;

static int32_t *integers(Making *m, int64_t count) {
    return rbv_arena_array(&m->arena, (size_t)count, sizeof(int32_t));
}

/* --- groups --- */

/* Groups of free coordinates: classes, split by each block into coordinates inside and outside of the block. */
static bool classify(Making *m) {
    const RbvLinkage *l = m->l;
    int32_t classes = 1, most = l->entry_count + 2, *class_of = integers(m, l->free_count), *copy = integers(m, most),
            *stamp = integers(m, most), *number = integers(m, most);
    m->group_of = integers(m, l->free_count);
    if (!class_of || !copy || !stamp || !number || !m->group_of)
        return false;
    for (int32_t k = 0; k < l->block_count; k++)
        for (int32_t e = l->block[k].entry; e < l->block[k].entry + l->block[k].entries; e++) {
            int32_t f = l->entry[e].free;
            if (f < 0)
                continue;
            int32_t c = class_of[f];
            if (stamp[c] != k + 1)
                stamp[c] = k + 1, copy[c] = classes++;
            class_of[f] = copy[c];
        }
    for (int32_t f = 0; f < l->free_count; f++) {
        int32_t c = class_of[f];
        if (number[c] == 0)
            number[c] = ++m->groups;
        m->group_of[f] = number[c] - 1;
    }
    return true;
}

/* Turn counts into list starts: on entry begin[k + 1] is the length of list k. */
static void begin_lists(Lists *lists, int32_t count) {
    for (int32_t k = 0; k < count; k++)
        lists->begin[k + 1] += lists->begin[k];
}

static bool list_columns(Making *m) {
    int32_t n = m->l->free_count;
    m->columns = (Lists){integers(m, m->groups + 1), integers(m, n)};
    int32_t *used = integers(m, m->groups);
    if (!m->columns.begin || !m->columns.at || !used)
        return false;
    for (int32_t f = 0; f < n; f++)
        m->columns.begin[m->group_of[f] + 1]++;
    begin_lists(&m->columns, m->groups);
    for (int32_t f = 0; f < n; f++) {
        int32_t g = m->group_of[f];
        m->columns.at[m->columns.begin[g] + used[g]++] = f;
    }
    return true;
}

static int32_t size_of(const Making *m, int32_t group) {
    return m->columns.begin[group + 1] - m->columns.begin[group];
}

/* Create an element for each block, with its groups, and the lists of elements of each group. */
static bool list_elements(Making *m) {
    RbvLinkage *l = m->l;
    size_t most = (size_t)l->block_count + (size_t)m->groups;
    m->element = rbv_arena_array(&m->arena, most, sizeof *m->element);
    m->members = rbv_arena_array(&m->arena, most, sizeof *m->members);
    m->has = (Lists){integers(m, m->groups + 1), integers(m, l->entry_count)};
    m->has_count = integers(m, m->groups), m->mark = integers(m, m->groups), m->joined = integers(m, (int64_t)most),
    m->around = integers(m, m->groups);
    m->column_at = integers(m, l->free_count);
    int32_t *all = integers(m, l->entry_count);
    if (!m->element || !m->members || !m->has.begin || !m->has.at || !m->has_count || !m->mark || !m->joined ||
        !m->around || !m->column_at || !all)
        return false;
    for (int32_t k = 0; k < l->block_count; k++) {
        Element *e = m->element + k;
        m->members[k] = all;
        e->rows = l->block[k].rows, e->front = -1;
        for (int32_t i = l->block[k].entry; i < l->block[k].entry + l->block[k].entries; i++) {
            int32_t g = l->entry[i].free < 0 ? -1 : m->group_of[l->entry[i].free];
            if (g < 0 || m->mark[g] == k + 1)
                continue;
            m->mark[g] = k + 1, m->has.begin[g + 1]++;
            *all++ = g, e->groups++, e->columns += size_of(m, g);
        }
    }
    m->elements = l->block_count;
    begin_lists(&m->has, m->groups);
    for (int32_t k = 0; k < m->elements; k++)
        for (int32_t i = 0; i < m->element[k].groups; i++) {
            int32_t g = m->members[k][i];
            m->has.at[m->has.begin[g] + m->has_count[g]++] = k;
        }
    for (int32_t g = 0; g < m->groups; g++)
        m->mark[g] = 0;
    return true;
}

/* --- choice of the next group --- */

static void take_out(Making *m, int32_t g) {
    if (m->before[g] >= 0)
        m->next[m->before[g]] = m->next[g];
    else
        m->bucket[m->degree[g]] = m->next[g];
    if (m->next[g] >= 0)
        m->before[m->next[g]] = m->before[g];
}
static void put_in(Making *m, int32_t g) {
    int64_t sum = 0;
    for (int32_t i = 0; i < m->has_count[g]; i++)
        sum += m->element[m->has.at[m->has.begin[g] + i]].columns;
    m->degree[g] = sum < m->most ? (int32_t)sum : m->most;
    m->before[g] = -1, m->next[g] = m->bucket[m->degree[g]];
    if (m->next[g] >= 0)
        m->before[m->next[g]] = g;
    m->bucket[m->degree[g]] = g;
    if (m->degree[g] < m->lowest)
        m->lowest = m->degree[g];
}

static bool fill_buckets(Making *m) {
    m->most = m->l->free_count;
    m->bucket = integers(m, (int64_t)m->most + 1), m->next = integers(m, m->groups), m->before = integers(m, m->groups),
    m->degree = integers(m, m->groups);
    if (!m->bucket || !m->next || !m->before || !m->degree)
        return false;
    for (int32_t k = 0; k <= m->most; k++)
        m->bucket[k] = -1;
    for (int32_t g = 0; g < m->groups; g++)
        put_in(m, g);
    return true;
}

/* --- a front --- */

/* Collect the elements of a group and all their groups; groups that occur in no other element come first. Returns the
 * number of these pivots. */
static int32_t join(Making *m, int32_t group, int32_t stamp, int32_t *joined, int32_t *around) {
    int32_t pivots = 0;
    *joined = *around = 0;
    m->mark[group] = stamp, m->around[(*around)++] = group;
    for (int32_t i = 0; i < m->has_count[group]; i++) {
        int32_t k = m->has.at[m->has.begin[group] + i];
        m->element[k].stamp = stamp, m->joined[(*joined)++] = k;
        for (int32_t e = 0; e < m->element[k].groups; e++) {
            int32_t g = m->members[k][e];
            if (m->mark[g] >= 0 && m->mark[g] != stamp)
                m->mark[g] = stamp, m->around[(*around)++] = g;
        }
    }
    for (int32_t i = 0; i < *around; i++) {
        int32_t g = m->around[i], elsewhere = 0;
        for (int32_t e = 0; e < m->has_count[g]; e++)
            elsewhere += m->element[m->has.at[m->has.begin[g] + e]].stamp != stamp;
        if (elsewhere)
            continue;
        m->around[i] = m->around[pivots], m->around[pivots++] = g;
    }
    return pivots;
}

/* Enlarge front_column and front_place, which hold the columns of all fronts. */
static bool grow(Making *m, int32_t more) {
    RbvLinkage *l = m->l;
    if (more <= m->column_capacity - m->columns_used)
        return true;
    int64_t capacity = 2 * (int64_t)m->column_capacity + more;
    if (capacity > INT32_MAX / 2)
        return false;
    int32_t *columns = rbv_arena_array(&l->arena, (size_t)capacity, sizeof *columns),
            *places = rbv_arena_array(&l->arena, (size_t)capacity, sizeof *places);
    if (!columns || !places)
        return false;
    for (int32_t k = 0; k < m->columns_used; k++)
        columns[k] = l->front_column[k];
    for (int32_t k = 0; k < m->places_used; k++)
        places[k] = l->front_place[k];
    l->front_column = columns, l->front_place = places, m->column_capacity = (int32_t)capacity;
    return true;
}

static bool front_columns(Making *m, RbvLinkageFront *f, int32_t pivots, int32_t around) {
    int32_t count = 0;
    for (int32_t i = 0; i < around; i++)
        count += size_of(m, m->around[i]);
    if (!grow(m, count))
        return false;
    f->column = m->columns_used;
    for (int32_t i = 0; i < around; i++) {
        int32_t g = m->around[i];
        for (int32_t e = m->columns.begin[g]; e < m->columns.begin[g + 1]; e++) {
            m->column_at[m->columns.at[e]] = m->columns_used - f->column;
            m->l->front_column[m->columns_used++] = m->columns.at[e];
        }
        if (i < pivots)
            f->pivots += size_of(m, g);
    }
    f->others = count - f->pivots;
    return true;
}

/* Set the rows of a front: rows of blocks, then rows left over by children. */
static void front_rows(Making *m, RbvLinkageFront *f, int32_t joined) {
    RbvLinkage *l = m->l;
    f->block = m->blocks_used, f->child = m->children_used;
    for (int32_t i = 0; i < joined; i++) {
        const Element *e = m->element + m->joined[i];
        if (e->front >= 0)
            continue;
        RbvLinkageBlock *b = l->block + m->joined[i];
        l->front_block[m->blocks_used++] = m->joined[i], f->blocks++;
        b->front_row = f->rows, f->rows += b->rows;
        for (int32_t k = b->entry; k < b->entry + b->entries; k++)
            l->entry[k].column = l->entry[k].free < 0 ? -1 : m->column_at[l->entry[k].free];
    }
    for (int32_t i = 0; i < joined; i++) {
        const Element *e = m->element + m->joined[i];
        if (e->front < 0)
            continue;
        RbvLinkageFront *child = l->front + e->front;
        l->front_child[m->children_used++] = e->front, f->children++;
        child->parent = (int32_t)(f - l->front), child->row = f->rows, f->rows += child->left;
        for (int32_t k = 0; k < child->others; k++)
            l->front_place[child->place + k] = m->column_at[l->front_column[child->column + child->pivots + k]];
    }
}

/* Replace the joined elements by a new one of the rows left over, over the other groups. */
static bool leave(Making *m, const RbvLinkageFront *f, int32_t pivots, int32_t around, int32_t stamp) {
    Element *e = m->element + m->elements;
    *e = (Element){f->left, f->others, 0, around - pivots, (int32_t)(f - m->l->front), 0};
    m->members[m->elements] = integers(m, around - pivots);
    if (!m->members[m->elements])
        return false;
    for (int32_t i = pivots; i < around; i++) {
        int32_t g = m->around[i], kept = 0, *has = m->has.at + m->has.begin[g];
        m->members[m->elements][i - pivots] = g;
        for (int32_t k = 0; k < m->has_count[g]; k++)
            if (m->element[has[k]].stamp != stamp)
                has[kept++] = has[k];
        if (f->left > 0)
            has[kept++] = m->elements;
        take_out(m, g);
        m->has_count[g] = kept;
    }
    if (f->left > 0)
        m->elements++;
    for (int32_t i = pivots; i < around; i++)
        put_in(m, m->around[i]);
    return true;
}

static bool eliminate_group(Making *m, int32_t group) {
    RbvLinkage *l = m->l;
    RbvLinkageFront *f = l->front + l->front_count++;
    int32_t joined, around, stamp = l->front_count, pivots = join(m, group, stamp, &joined, &around);
    *f = (RbvLinkageFront){.parent = -1};
    if (!front_columns(m, f, pivots, around))
        return false;
    front_rows(m, f, joined);
    f->place = m->places_used, m->places_used += f->others;
    int32_t more = f->rows > f->pivots ? f->rows - f->pivots : 0;
    f->left = more < f->others ? more : f->others;
    f->steps = f->rows - f->pivots > f->others ? f->pivots + f->others : f->pivots;
    f->pair = f->rows == 2 && f->pivots == 2 && f->others == 0 && f->blocks == 1 && f->children == 0;
    if (f->steps < f->rows)
        f->reflections = f->steps;
    else
        f->reflections = f->rows > 0 ? f->rows - 1 : 0;
    f->diagonal = l->diagonal_count, l->diagonal_count += f->pivots + f->others;
    f->y = l->y_count, l->y_count += f->rows;
    f->QR = l->QR_count, l->QR_count += (ptrdiff_t)f->rows * (f->pivots + f->others);
    if (f->pivots + f->others > l->widest)
        l->widest = f->pivots + f->others;
    for (int32_t i = 0; i < pivots; i++) {
        take_out(m, m->around[i]);
        m->mark[m->around[i]] = -1; /* eliminated */
        m->done++;
    }
    return leave(m, f, pivots, around, stamp);
}

/* Rows without free coordinates: a front without columns. */
static void add_rest(Making *m) {
    RbvLinkage *l = m->l;
    RbvLinkageFront *f = l->front + l->front_count;
    *f = (RbvLinkageFront){.parent = -1,
                           .column = m->columns_used,
                           .block = m->blocks_used,
                           .child = m->children_used,
                           .place = m->places_used,
                           .diagonal = l->diagonal_count,
                           .y = l->y_count,
                           .QR = l->QR_count};
    for (int32_t k = 0; k < l->block_count; k++) {
        RbvLinkageBlock *b = l->block + k;
        if (m->element[k].groups > 0 || b->rows == 0)
            continue;
        l->front_block[m->blocks_used++] = k, f->blocks++;
        b->front_row = f->rows, f->rows += b->rows;
        for (int32_t e = b->entry; e < b->entry + b->entries; e++)
            l->entry[e].column = -1;
    }
    l->y_count += f->rows;
    l->front_count += f->rows > 0;
}

static bool make(Making *m) {
    RbvLinkage *l = m->l;
    if (!classify(m) || !list_columns(m) || !list_elements(m) || !fill_buckets(m))
        return false;
    l->front = rbv_arena_array(&l->arena, (size_t)m->groups + 1, sizeof *l->front);
    l->front_block = rbv_arena_array(&l->arena, (size_t)l->block_count, sizeof *l->front_block);
    l->front_child = rbv_arena_array(&l->arena, (size_t)m->groups, sizeof *l->front_child);
    if (!l->front || !l->front_block || !l->front_child)
        return false;
    while (m->done < m->groups) {
        while (m->bucket[m->lowest] < 0)
            m->lowest++;
        if (!eliminate_group(m, m->bucket[m->lowest]))
            return false;
    }
    add_rest(m);
    return true;
}

bool rbv_linkage_make_fronts(RbvLinkage *linkage) {
    Making m = {.l = linkage};
    bool good = make(&m);
    rbv_arena_clear(&m.arena);
    return good;
}
