/* Advice: the fewest directions to free so that every reaction of a cluster is unique, or components to measure, or
 * joints to give a compliance.
 *
 * A cluster of p self-stresses needs p rows. A set E of p rows is sufficient iff the p x p matrix of self-stresses at E
 * is regular; the rank, and with it the mobility, is then unchanged. Sets are ranked by: fewest joints to change,
 * joints that keep a common name, then independence of the rows. Directions to be freed must leave joints whose types
 * can be written in a model file; where no such set exists, the best set is returned with its obstacle.
 */
#include "analysis/advice/clusters.h"
#include "core/solve/rank.h"
#include "core/solve/sparse_null_space.h"
#include "mechanics/system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Type of joint that replaces a joint when some of its constraint rows are freed, as text for a model file. A joint
 * with the locked directions `locks` loses some of them, and perhaps its relation (a cross, equal velocities). The
 * remaining directions must be those of a kind of the table or of `general`, which in space cannot lock a single
 * rotation; and all references of the model to the joint must remain valid. */

typedef struct Freeing {
    int32_t joint;
    uint8_t directions; /* mask of freed directions */
    int32_t rows;       /* number of freed constraint rows, with those without a direction (relation, line of a link) */
} Freeing;

typedef struct Replacement {
    char type[80]; /* text of the type, "slot" or "general, locked: [x, rz]"; "no joint": remove the joint from the
                      file; "": no type leaves the requested directions free */
    const char *obstacle; /* reason why there is no type; meaningful if type is "" */
    /* masks of directions of other entries that change with the type */
    uint8_t renamed; /* directions whose coordinate the model refers to by the old kind's name (angle); its name becomes
                        that of the direction (rz) */
    uint8_t stiff;   /* directions whose compliance or misfit must be removed */
    bool outputs;    /* outputs or questions that read the joint must be removed */
} Replacement;

#define TURNS_ACROSS (RBV_DIRECTION_RX | RBV_DIRECTION_RY)

/* Object that an expression may refer to: reactions of a joint (measure NULL), or a measure; axis -1: any measure
 * between its markers. */
typedef struct Topic {
    const RbvModel *model;
    int32_t joint;
    const RbvMeasure *measure;
} Topic;

static bool is_topic(const Topic *topic, const RbvMeasure *measure) {
    const RbvMeasure *requested = topic->measure;
    return measure->marker[0] == requested->marker[0] && measure->marker[1] == requested->marker[1] &&
           (requested->axis < 0 || (measure->kind == requested->kind && measure->axis == requested->axis));
}

static bool refers_to(const Topic *topic, const RbvExpr *expr) {
    for (int32_t v = 0; expr && v < rbv_expr_variable_count(expr); v++) {
        const RbvVariable *variable = &topic->model->variables.items[rbv_expr_variable(expr, v)];
        if (topic->measure ? variable->kind == RBV_VARIABLE_COORDINATE &&
                                 is_topic(topic, &topic->model->measures.items[variable->index])
                           : variable->kind == RBV_VARIABLE_REACTION && variable->index == topic->joint)
            return true;
    }
    return false;
}

static bool outputs_refer_to(const Topic *topic) {
    const RbvModel *model = topic->model;
    bool found = false;
    for (int32_t k = 0; k < model->outputs.count; k++)
        found = found || refers_to(topic, model->outputs.items[k].value);
    for (int32_t k = 0; k < model->questions.count; k++)
        found = found || refers_to(topic, model->questions.items[k].value);
    return found;
}

static bool coordinate_refers_to(const Topic *topic, const RbvCoordinateRef *of) {
    const RbvExpr *value = rbv_coordinate_value(topic->model, of);
    return value ? refers_to(topic, value) : is_topic(topic, &topic->model->measures.items[of->measure]);
}

/* True if a drive, initial condition, coordinate, constraint or load refers to the topic. */
static bool mechanics_refer_to(const Topic *topic) {
    const RbvModel *model = topic->model;
    bool found = false;
    for (int32_t k = 0; k < model->drives.count && topic->measure; k++)
        found = found || coordinate_refers_to(topic, &model->drives.items[k].of);
    for (int32_t k = 0; k < model->initial.count && topic->measure; k++)
        found = found || coordinate_refers_to(topic, &model->initial.items[k].of);
    for (int32_t k = 0; k < model->coordinates.count; k++)
        found = found || refers_to(topic, model->coordinates.items[k].value);
    for (int32_t k = 0; k < model->constraints.count; k++)
        found = found || refers_to(topic, model->constraints.items[k].equation);
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int part = 0; part < 3; part++)
            found = found || refers_to(topic, model->loads.items[k].value[part]);
    return found;
}

/* True if a load of this kind acts at the joint: a spring along its distance, a torsion spring on its angle, or damping
 * of its free directions. */
static bool has_load(const RbvModel *model, int32_t joint, RbvLoadKind kind) {
    for (int32_t k = 0; k < model->loads.count; k++)
        if (model->loads.items[k].kind == kind && model->loads.items[k].joint == joint)
            return true;
    return false;
}

/* Mask of the directions among `lost` whose coordinate the model refers to by the kind's own name. */
static uint8_t names_in_use(const RbvModel *model, const RbvJoint *joint, uint8_t lost) {
    uint8_t used = 0;
    for (int direction = 0; direction < 6; direction++) {
        RbvMeasure measure = rbv_joint_coordinate(joint, direction);
        Topic topic = {model, -1, &measure};
        if (lost >> direction & 1 && (mechanics_refer_to(&topic) || outputs_refer_to(&topic)))
            used = (uint8_t)(used | 1u << direction);
    }
    return used;
}

/* Kind of the table with these locked directions and this relation; NULL if there is none. */
static const RbvJointKind *kind_of(uint8_t locks, RbvJointExtra extra, bool spatial) {
    for (int32_t k = 0; k < rbv_joint_kind_count(); k++) {
        const RbvJointKind *kind = rbv_joint_kind_at(k);
        const RbvJointNature *nature = rbv_joint_nature(kind, spatial);
        if (kind->where & (spatial ? RBV_KIND_SPACE : RBV_KIND_PLANE) && rbv_forms[nature->form].directions &&
            nature->extra == extra && nature->locks == locks)
            return kind;
    }
    return NULL;
}

static void write_general(uint8_t left, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "general, locked: [");
    bool first = true;
    for (int d = 0; d < 6; d++) {
        if (!(left >> d & 1) || used >= size)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%s", first ? "" : ", ", rbv_direction_name(d));
        first = false;
    }
    if (used < size)
        snprintf(text + used, size - used, "]");
}

/* All rows are freed: "no joint", unless drives, constraints, loads or initial conditions refer to the joint. */
static void leave_out(const RbvModel *model, int32_t index, Replacement *r) {
    const RbvJoint *joint = &model->joints.items[index];
    RbvMeasure any = {.marker = {joint->marker[0], joint->marker[1]}, .axis = -1};
    Topic measured = {model, -1, &any}, forces = {model, index, NULL};
    if (mechanics_refer_to(&measured) || mechanics_refer_to(&forces) || has_load(model, index, RBV_LOAD_TORSION) ||
        has_load(model, index, RBV_LOAD_SPRING)) {
        r->obstacle = "something else in the model speaks of it";
        return;
    }
    r->outputs = outputs_refer_to(&measured) || outputs_refer_to(&forces);
    snprintf(r->type, sizeof r->type, "no joint");
}

static Replacement find_replacement(const RbvSystem *system, const Freeing *freeing) {
    const RbvModel *model = system->model;
    const RbvJoint *joint = &model->joints.items[freeing->joint];
    Replacement r = {.obstacle = "no kind of joint holds the rest alone"};
    if (freeing->rows == system->joint_row[freeing->joint + 1] - system->joint_row[freeing->joint]) {
        leave_out(model, freeing->joint, &r);
        return r;
    }
    uint8_t left = (uint8_t)(joint->locks & ~freeing->directions);
    int turns = (left >> 3 & 1) + (left >> 4 & 1) + (left >> 5 & 1), relations = freeing->rows;
    for (int d = 0; d < 6; d++)
        relations -= freeing->directions >> d & 1;
    RbvJointExtra extra = relations > 0 ? RBV_EXTRA_NONE : joint->extra;
    const RbvJointKind *kind = strcmp(joint->kind->name, "general") == 0 ? NULL : kind_of(left, extra, joint->spatial);
    if (!rbv_forms[joint->form].directions || joint->extra == RBV_EXTRA_SCREW || (!kind && extra != RBV_EXTRA_NONE))
        return r;
    uint8_t named = kind ? rbv_joint_nature(kind, joint->spatial)->coordinates : 0;
    r.renamed = names_in_use(model, joint, (uint8_t)(joint->coordinates & ~named));
    bool torsion = has_load(model, freeing->joint, RBV_LOAD_TORSION) && !(named & RBV_DIRECTION_RZ);
    /* rz equals the angle only while both other rotations are locked */
    bool other_turn = joint->spatial && r.renamed & RBV_DIRECTION_RZ && (left & TURNS_ACROSS) != TURNS_ACROSS;
    r.obstacle =
        !kind && joint->spatial && turns == 1
            ? "one turn alone stays held: a cross does that (universal, perpendicular), between markers of your own"
        : joint->has_friction ? "its friction belongs to its type"
        : has_load(model, freeing->joint, RBV_LOAD_DAMPING)
            ? "its damping has a number for each direction that is free now"
        : has_load(model, freeing->joint, RBV_LOAD_SPRING) && !(named & (RBV_DIRECTION_X | RBV_DIRECTION_Z))
            ? "a spring acts along its distance, which goes with its type"
        : torsion || other_turn ? "something in the model speaks of its angle, which goes with its type"
                                : NULL;
    for (int d = 0; d < 6; d++)
        if (freeing->directions >> d & 1 &&
            (rbv_joint_loose(joint)->compliance[d][1] > 0 || rbv_joint_loose(joint)->misfit[d] != 0))
            r.stiff = (uint8_t)(r.stiff | 1u << d);
    if (r.obstacle)
        return r;
    if (kind)
        snprintf(r.type, sizeof r.type, "%s", kind->name);
    else
        write_general(left, r.type, sizeof r.type);
    return r;
}

#define MOST_REMEDIES 5
/* Upper bound of edits per freed row: of one joint up to two coordinates have names, a freed direction has one
 * compliance, and outputs are one edit. */
#define MOST_EDITS 4
/* Penalties [1] of a set, larger is worse: a joint without a common name, one that is rarely built as a part (x,
 * parallel), one that vanishes, one whose coordinate a drive uses, a constraint or drive to be removed. */
#define PENALTY_ODD 3.0
#define PENALTY_RARE 2.0
#define PENALTY_SLEEVE 0.5 /* inline: a ball in a sleeve, the floating bearing of every shaft */
#define PENALTY_GONE 1.0
#define PENALTY_SUPPORT 4.0 /* joint that vanishes and had more than one row */
#define PENALTY_CHANGE 0.5  /* per changed joint, where the number of joints is not minimised first */
#define PENALTY_DRIVEN 1.5
#define PENALTY_CONSTRAINT 4.0
#define PENALTY_DRIVE 6.0
#define PENALTY_NOT_TYPED 20.0
#define PENALTY_EDIT 0.75 /* other entries change besides the type */

typedef struct Freed {
    const RbvStress *stress;
    const RbvStressRow *rows;
    bool any;              /* also accept sets whose types cannot be written */
    int32_t drives, rates; /* number of drives and of velocity rows that the set must contain */
    bool together;         /* remedy of the whole mechanism at once: removing supports is penalised, few joints are not
                              preferred */
} Freed;

static bool same_owner(const RbvStressRow *a, const RbvStressRow *b) {
    return a->owner == b->owner && a->index == b->index;
}

/* Rows and directions that the joint of row chosen[i] loses in the set chosen[count]. */
static Freeing freeing_of(const RbvStressRow *rows, int32_t count, const int32_t *chosen, int32_t i) {
    Freeing freeing = {.joint = rows[chosen[i]].index};
    for (int32_t j = 0; j < count; j++) {
        const RbvStressRow *row = &rows[chosen[j]];
        if (!same_owner(row, &rows[chosen[i]]))
            continue;
        freeing.rows++;
        if (row->component >= 0)
            freeing.directions = (uint8_t)(freeing.directions | 1u << row->component);
    }
    return freeing;
}

static bool is_first_of_owner(const RbvStressRow *rows, const int32_t *chosen, int32_t i) {
    for (int32_t j = 0; j < i; j++)
        if (same_owner(&rows[chosen[j]], &rows[chosen[i]]))
            return false;
    return true;
}

/* True if the coordinate, which has a name of its own in the model, measures between the markers of the joint
 * (distances excepted). */
static bool lies_in(const RbvModel *model, const RbvCoordinateRef *of, const RbvJoint *joint) {
    const RbvExpr *value = rbv_coordinate_value(model, of);
    for (int32_t v = 0; v < (value ? rbv_expr_variable_count(value) : 1); v++) {
        const RbvMeasure *measure =
            &model->measures.items[value ? rbv_variable_of(model, value, v).index : of->measure];
        if (measure->marker[0] == joint->marker[0] && measure->marker[1] == joint->marker[1] &&
            measure->kind != RBV_MEASURE_DISTANCE)
            return true;
    }
    return false;
}

/* True if a drive moves a coordinate of the joint `name`: "joint.angle", or a name of that coordinate. */
static bool is_driven(const RbvModel *model, const char *name) {
    size_t length = strlen(name);
    int32_t joint = rbv_model_find(model, name, RBV_NAMED_JOINT);
    for (int32_t k = 0; k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        bool by_name = strpbrk(drive->coordinate, ".(") == NULL;
        if (by_name ? joint >= 0 && lies_in(model, &drive->of, &model->joints.items[joint])
                    : strncmp(drive->coordinate, name, length) == 0 && drive->coordinate[length] == '.')
            return true;
    }
    return false;
}

static double penalty_of_kind(const char *kind) {
    static const char *const parts[] = {"revolute", "prismatic", "slot", "cylindrical", "spherical"};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        if (strcmp(kind, parts[k]) == 0)
            return 0;
    return strcmp(kind, "inline") == 0        ? PENALTY_SLEEVE
           : strcmp(kind, "no joint") == 0    ? PENALTY_GONE
           : strncmp(kind, "general", 7) == 0 ? PENALTY_ODD
                                              : PENALTY_RARE;
}

/* Penalty of the set, summed over the joints, constraints and drives that it changes; INFINITY if the set cannot be
 * written or has the wrong number of drives or velocity rows. */
static double verify(const void *context, int32_t count, const int32_t *chosen) {
    const Freed *freed = context;
    const RbvModel *model = freed->stress->system->model;
    double sum = 0;
    int32_t drives = 0, rates = 0;
    for (int32_t i = 0; i < count; i++) {
        drives += freed->rows[chosen[i]].owner == RBV_OWNER_DRIVE;
        rates += freed->rows[chosen[i]].on_rates;
    }
    if (count == freed->stress->p && (drives != freed->drives || rates != freed->rates))
        return INFINITY;
    for (int32_t i = 0; i < count; i++) {
        const RbvStressRow *row = &freed->rows[chosen[i]];
        if (!is_first_of_owner(freed->rows, chosen, i))
            continue;
        if (row->owner != RBV_OWNER_JOINT) {
            sum += row->owner == RBV_OWNER_DRIVE ? PENALTY_DRIVE : PENALTY_CONSTRAINT;
            continue;
        }
        Freeing freeing = freeing_of(freed->rows, count, chosen, i);
        Replacement r = find_replacement(freed->stress->system, &freeing);
        if (!*r.type && !freed->any)
            return INFINITY;
        sum += *r.type ? penalty_of_kind(r.type) : PENALTY_NOT_TYPED;
        sum += freed->together && freeing.rows > 1 && strcmp(r.type, "no joint") == 0 ? PENALTY_SUPPORT : 0;
        sum += freed->together ? PENALTY_CHANGE : 0;
        sum += r.renamed || r.stiff || r.outputs ? PENALTY_EDIT : 0;
        sum += is_driven(model, model->joints.items[row->index].name) ? PENALTY_DRIVEN : 0;
    }
    return sum;
}

/* Penalty of a single row, for the order of the search: drives and velocity rows that must be freed come first. */
static double penalty_of_row(const Freed *freed, int32_t i) {
    if (freed->rows[i].owner == RBV_OWNER_DRIVE || (freed->rates > 0 && freed->rows[i].on_rates))
        return freed->rows[i].on_rates ? -1 : -2;
    Freed alone = *freed;
    RbvStress one = *freed->stress;
    alone.any = true;
    one.p = 2; /* not 1: the row alone is not a complete set */
    alone.stress = &one;
    return verify(&alone, 1, &i);
}

static bool keep_text(RbvResult *result, const char *text, const char **to) {
    *to = rbv_arena_copy(&result->arena, text, strlen(text));
    return *to != NULL;
}

/* Append an edit beside the change of type; `to` "": remove `from`. */
static bool add_edit(RbvResult *result, RbvRemedy *remedy, const char *from, const char *to) {
    RbvEdit *edit = &remedy->edits[remedy->edit_count++];
    return keep_text(result, from, &edit->from) && keep_text(result, to, &edit->to);
}

static bool name_edits(RbvResult *result, const RbvJoint *joint, const Replacement *r, RbvRemedy *remedy) {
    char from[300], to[300];
    bool good = true;
    for (int d = 0; d < 6 && good; d++) {
        if (r->renamed >> d & 1) {
            snprintf(from, sizeof from, "%s.%s", joint->name,
                     rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), d));
            snprintf(to, sizeof to, "%s.%s", joint->name, rbv_direction_name(d));
            good = add_edit(result, remedy, from, to);
        }
        if (good && r->stiff >> d & 1) {
            snprintf(from, sizeof from, "%s.compliance.%s", joint->name, rbv_direction_name(d));
            good = add_edit(result, remedy, from, "");
        }
    }
    snprintf(from, sizeof from, "outputs that read %s", joint->name);
    return good && (!r->outputs || add_edit(result, remedy, from, ""));
}

/* New type of each changed joint, listed once per joint. */
static bool name_replacements(const Freed *freed, const RbvRowSet *set, int32_t p, RbvRemedy *remedy) {
    const RbvStress *stress = freed->stress;
    for (int32_t i = 0; i < p; i++) {
        const RbvStressRow *row = &freed->rows[set->rows[i]];
        if (!is_first_of_owner(freed->rows, set->rows, i))
            continue;
        if (row->owner != RBV_OWNER_JOINT) {
            remedy->instead[i] = row->owner == RBV_OWNER_DRIVE ? "no drive" : "no constraint";
            continue;
        }
        Freeing freeing = freeing_of(freed->rows, p, set->rows, i);
        Replacement r = find_replacement(stress->system, &freeing);
        if (!*r.type)
            remedy->obstacle = r.obstacle;
        else if (!keep_text(stress->result, r.type, &remedy->instead[i]) ||
                 !name_edits(stress->result, &stress->system->model->joints.items[row->index], &r, remedy))
            return false;
    }
    return true;
}

static bool make_remedy(const Freed *freed, const RbvRowSet *set, int32_t p, bool freeing, RbvRemedy *remedy) {
    RbvResult *result = freed->stress->result;
    *remedy = (RbvRemedy){.independence = set->independence};
    remedy->names = rbv_arena_alloc(&result->arena, ((size_t)p + 1) * sizeof *remedy->names);
    remedy->instead = rbv_arena_alloc(&result->arena, ((size_t)p + 1) * sizeof *remedy->instead);
    remedy->edits = rbv_arena_alloc(&result->arena, (MOST_EDITS * (size_t)p + 1) * sizeof *remedy->edits);
    if (!remedy->names || !remedy->instead || !remedy->edits)
        return false;
    for (int32_t i = 0; i < p; i++) {
        remedy->names[i] = freed->rows[set->rows[i]].name;
        remedy->instead[i] = NULL;
    }
    remedy->count = p;
    return !freeing || name_replacements(freed, set, p, remedy);
}

/* Rank of the rows of A[k][p] of drives, with `rates` also of velocity rows; -1 if out of memory. */
static int32_t rank_of(int32_t k, int32_t p, const RbvStressRow *rows, const double *A, bool rates) {
    double *part = malloc(((size_t)k * (size_t)p + 1) * sizeof *part);
    int32_t count = 0;
    for (int32_t i = 0; part && i < k; i++)
        if (rows[i].owner == RBV_OWNER_DRIVE || (rates && rows[i].on_rates))
            memcpy(part + p * count++, A + i * p, (size_t)p * sizeof *A);
    RbvRank rank = {0};
    bool good = part && (count == 0 || rbv_rank_svd(count, p, part, &rank, NULL) == RBV_OK);
    free(part);
    return good ? rank.rank : -1;
}

/* Numbers of drives and velocity rows that a set must contain. The rank of the self-stresses at the drives' rows is the
 * number of redundant drives: as many drives must be removed, or the joints' own mobility would change. The further
 * rank at velocity rows is the number of redundant velocity rows: as many must be removed, or the freedom of positions
 * would change. False if out of memory. */
static bool count_first(Freed *freed, int32_t k, int32_t p, const double *A) {
    freed->drives = rank_of(k, p, freed->rows, A, false);
    freed->rates = rank_of(k, p, freed->rows, A, true) - freed->drives;
    return freed->drives >= 0 && freed->rates >= 0;
}

typedef enum Purpose {
    FREE,
    FREE_ALL,
    SEE
} Purpose; /* FREE: directions of one cluster; FREE_ALL: of all clusters at once, one set; SEE: components to measure or
              joints to give a compliance */

/* Sets of the k rows of A[k][p] that determine all self-stresses, as remedies out[count]. Sets for measuring or
 * compliances are ranked by independence, sets to free by fewest joints. Where no set to free can be written,
 * *otherwise is the best set with its obstacle (count 0: there is none). False if out of memory. */
static bool search(const RbvStress *stress, int32_t k, const RbvStressRow *rows, const double *A, Purpose purpose,
                   RbvRemedy *out, int32_t *count, RbvRemedy *otherwise) {
    RbvRowSet sets[MOST_REMEDIES];
    bool freeing = purpose != SEE, together = purpose == FREE_ALL;
    int32_t most = together ? 1 : MOST_REMEDIES;
    Freed freed = {.stress = stress, .rows = rows, .together = together};
    RbvArena scratch = {0};
    int32_t *owner = rbv_arena_array(&scratch, (size_t)k + 1, sizeof *owner),
            *storage = rbv_arena_array(&scratch, (size_t)most * ((size_t)stress->p + 1), sizeof *storage), one = 0;
    double *penalty = rbv_arena_array(&scratch, (size_t)k + 1, sizeof *penalty);
    bool good = owner && storage && penalty && (!freeing || count_first(&freed, k, stress->p, A));
    for (int32_t i = 0; good && i < k; i++) {
        owner[i] = freeing ? 4 * rows[i].index + (int32_t)rows[i].owner : 0;
        penalty[i] = freeing ? penalty_of_row(&freed, i) : 0;
    }
    RbvRowSearch how = {.owner = owner,
                        .penalty = penalty,
                        .verify = freeing ? verify : NULL,
                        .context = &freed,
                        .penalty_first = together,
                        .most = most};
    int32_t found = good ? rbv_null_space_sets(k, stress->p, A, &how, sets, storage) : -1;
    good = found >= 0;
    *count = 0;
    for (int32_t n = 0; good && n < found; n++)
        good = make_remedy(&freed, &sets[n], stress->p, freeing, &out[(*count)++]);
    if (good && found == 0 && freeing && otherwise) {
        freed.any = true;
        how.most = 1;
        one = rbv_null_space_sets(k, stress->p, A, &how, sets, storage);
        good = one == 0 || (one > 0 && make_remedy(&freed, &sets[0], stress->p, true, otherwise));
    }
    rbv_arena_clear(&scratch);
    return good;
}

/* Room for the remedies of one kind, in the result's arena. NULL if out of memory. */
static RbvRemedy *new_remedies(const RbvStress *stress) {
    return rbv_arena_alloc(&stress->result->arena, MOST_REMEDIES * sizeof(RbvRemedy));
}

bool rbv_advise(const RbvStress *stress, RbvCluster *cluster) {
    /* compliance: the rows of joints among those to free, most independent first */
    int32_t joints = 0;
    RbvArena scratch = {0};
    RbvStressRow *rows = rbv_arena_array(&scratch, (size_t)stress->f + 1, sizeof *rows);
    double *A = rbv_arena_array(&scratch, (size_t)stress->f * (size_t)stress->p + 1, sizeof *A);
    cluster->free = new_remedies(stress);
    cluster->measure = new_remedies(stress);
    cluster->comply = new_remedies(stress);
    bool good = rows && A && cluster->free && cluster->measure && cluster->comply;
    for (int32_t i = 0; good && i < stress->f; i++) {
        if (stress->directions[i].owner != RBV_OWNER_JOINT)
            continue;
        rows[joints] = stress->directions[i];
        memcpy(A + joints++ * stress->p, stress->F + i * stress->p, (size_t)stress->p * sizeof *A);
    }
    good = good &&
           search(stress, stress->f, stress->directions, stress->F, FREE, cluster->free, &cluster->free_count,
                  &cluster->otherwise) &&
           search(stress, stress->k, stress->rows, stress->R, SEE, cluster->measure, &cluster->measure_count, NULL) &&
           search(stress, joints, rows, A, SEE, cluster->comply, &cluster->comply_count, NULL);
    rbv_arena_clear(&scratch);
    return good;
}

bool rbv_advise_together(const RbvStress *stress) {
    RbvResult *result = stress->result;
    RbvRemedy remedy, *all = &result->together;
    int32_t count = 0;
    if (!search(stress, stress->f, stress->directions, stress->F, FREE_ALL, &remedy, &count, NULL))
        return false;
    if (count == 0) {
        result->together_missing = true;
        return true;
    }
    memcpy(all->names + all->count, remedy.names, (size_t)remedy.count * sizeof *all->names);
    memcpy(all->instead + all->count, remedy.instead, (size_t)remedy.count * sizeof *all->instead);
    all->count += remedy.count;
    memcpy(all->edits + all->edit_count, remedy.edits, (size_t)remedy.edit_count * sizeof *all->edits);
    all->edit_count += remedy.edit_count;
    all->independence = fmin(all->independence, remedy.independence);
    return true;
}
