/* Reads collect: takes each text apart into functions over the samples, scalars of result.json, and what is around
 * them. */
#include "core/base/names.h"
#include "core/base/text.h"
#include "study/definition/reading.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const aggregates[] = {"max",   "min",      "mean", "rms",        "first", "last", "argmax",
                                         "range", "integral", "at",   "percentile", "count", NULL};

/* Members of result.json that hold scalars below them: a path begins with one of these. */
static const char *const sections[] = {
    "model",   "mobility",  "drives",      "reactions",  "sizing",      "choices",    "constraints",     "stops",
    "loads",   "outputs",   "residuals",   "modes",      "equilibrium", "equilibria", "integration",     "audit",
    "penalty", "augmented", "coordinates", "least_norm", "state",       "linearised", "virtual_motions", NULL};

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* A piece of an expression's text. */
typedef enum PieceKind { PIECE_OTHER, PIECE_WORD, PIECE_CALL } PieceKind;
typedef struct Piece {
    PieceKind kind;
    size_t length; /* of all of it; of a CALL up to its parenthesis "(" */
    bool dotted;   /* WORD: with '.' or '[index]' */
    size_t first;  /* WORD: length of its first name */
} Piece;

/* "[3]" of a path at text; 0: none. */
static size_t index_length(const char *text) {
    size_t n = 1;
    if (text[0] != '[' || !is_digit(text[1]))
        return 0;
    while (is_digit(text[n]))
        n++;
    return text[n] == ']' ? n + 1 : 0;
}

static size_t number_length(const char *text) {
    size_t n = 0;
    while (is_digit(text[n]) || text[n] == '.')
        n++;
    size_t sign = text[n] == 'e' || text[n] == 'E';
    if (sign && (text[n + 1] == '+' || text[n + 1] == '-'))
        sign++;
    if (sign && is_digit(text[n + sign]))
        for (n += sign; is_digit(text[n]);)
            n++;
    return n;
}

static Piece next_piece(const char *text) {
    Piece piece = {.kind = PIECE_OTHER, .length = 1};
    size_t n = 0;
    if (text[0] == '[') /* a unit */
        piece.length = strcspn(text, "]") + (strchr(text, ']') != NULL);
    else if (is_digit(text[0]) || (text[0] == '.' && is_digit(text[1])))
        piece.length = number_length(text);
    if (!is_letter(text[0]))
        return piece;
    while (is_letter(text[n]) || is_digit(text[n]))
        n++;
    piece = (Piece){.kind = PIECE_WORD, .first = n};
    for (;;) {
        size_t more = index_length(text + n);
        if (!more && text[n] == '.' && (is_letter(text[n + 1]) || is_digit(text[n + 1])))
            for (more = 1; is_letter(text[n + more]) || is_digit(text[n + more]);)
                more++;
        if (!more)
            break;
        piece.dotted = true;
        n += more;
    }
    piece.length = n;
    size_t blank = strspn(text + n, " ");
    if (!piece.dotted && text[n + blank] == '(') {
        piece.kind = PIECE_CALL;
        piece.length = n + blank;
    }
    return piece;
}

/* Ends of the arguments of a call at text[0] = '(': at[0] = 1, at[k + 1] is behind the comma or parenthesis that ends
 * argument k. Number of arguments; 0: the parentheses do not close. */
static int split_arguments(const char *text, size_t at[4]) {
    int depth = 0, count = 0;
    at[0] = 1;
    for (size_t n = 0; text[n]; n++) {
        depth += text[n] == '(' || text[n] == '[';
        depth -= text[n] == ')' || text[n] == ']';
        if (depth == 0 || (depth == 1 && text[n] == ',')) {
            if (count < 3)
                at[count + 1] = n + 1;
            count++;
        }
        if (depth == 0)
            return count;
    }
    return 0;
}

static int find_word(const char *const *words, const char *text, size_t length) {
    for (int k = 0; words[k]; k++)
        if (strlen(words[k]) == length && strncmp(words[k], text, length) == 0)
            return k;
    return -1;
}

/* Aggregate of a call; -1: a function of the language. max and min of several arguments are such. */
static int aggregate_of(const char *text, const Piece *piece, size_t at[4], int *arguments) {
    int kind = find_word(aggregates, text, piece->first);
    *arguments = kind >= 0 ? split_arguments(text + piece->length, at) : 0;
    bool usual = kind == RBV_AGGREGATE_MAX || kind == RBV_AGGREGATE_MIN;
    return usual && *arguments > 1 ? -1 : kind;
}

/* ---- what stands inside ---- */

static const RbvOutput *find_output(const RbvModel *model, const char *text, size_t length) {
    for (int32_t k = 0; model && k < model->outputs.count; k++)
        if (strlen(model->outputs.items[k].name) == length && strncmp(model->outputs.items[k].name, text, length) == 0)
            return &model->outputs.items[k];
    return NULL;
}

/* "J.resultant"? Length of "J", or 0. */
static size_t resultant_of(const char *text, const Piece *piece) {
    static const char word[] = ".resultant";
    size_t tail = sizeof word - 1;
    bool is = piece->kind == PIECE_WORD && piece->length == piece->first + tail &&
              strncmp(text + piece->first, word, tail) == 0;
    return is ? piece->first : 0;
}

/* The expression with outputs of the model and resultants written out. */
static const char *expand(RbvStudyReader *reader, const char *text, size_t length) {
    RbvText out = {0};
    const char *copy = rbv_study_copy(reader, text, length);
    for (const char *at = copy; *at;) {
        Piece piece = next_piece(at);
        const RbvOutput *output =
            piece.kind == PIECE_WORD && !piece.dotted ? find_output(reader->model, at, piece.length) : NULL;
        int joint = (int)resultant_of(at, &piece);
        if (output && output->value)
            rbv_text_format(&out, "(%s)", rbv_expr_text(output->value));
        else if (joint && reader->model && reader->model->space == RBV_PLANAR)
            rbv_text_format(&out, "sqrt(%.*s.Fx^2 + %.*s.Fy^2)", joint, at, joint, at);
        else if (joint)
            rbv_text_format(&out, "sqrt(%.*s.Fx^2 + %.*s.Fy^2 + %.*s.Fz^2)", joint, at, joint, at, joint, at);
        else
            rbv_text_append(&out, at, piece.length);
        at += piece.length;
    }
    const char *expanded = out.data ? rbv_study_copy(reader, out.data, out.length) : "";
    reader->no_memory = reader->no_memory || out.no_memory;
    rbv_text_clear(&out);
    return expanded;
}

/* ---- a quantity ---- */

typedef struct Splitting {
    RbvStudyReader *reader;
    RbvStudyQuantity *quantity;
    RbvStudyPart *parts; /* of the study; room for all */
    RbvText outer;
    bool wrong; /* reported */
} Splitting;

static RbvStudyPart *add_part(Splitting *s, RbvAggregateKind kind, const char *text) {
    RbvStudy *study = s->reader->study;
    RbvStudyPart *part = &s->parts[study->part_count];
    char name[40];
    int length = snprintf(name, sizeof name, RBV_STUDY_PREFIX "%d", (int)study->part_count++);
    *part = (RbvStudyPart){.kind = kind, .text = text, .output = rbv_study_copy(s->reader, name, (size_t)length)};
    rbv_text_add(&s->outer, part->output);
    s->quantity->count++;
    return part;
}

static bool read_argument(Splitting *s, RbvStudyPart *part, const char *text, size_t length) {
    char copy[128];
    snprintf(copy, sizeof copy, "%.*s", (int)length, text + strspn(text, " "));
    for (char *c = copy; *c; c++) /* "0.3[s]", as units stand in expressions */
        *c = *c == '[' || *c == ']' ? ' ' : *c;
    for (size_t n = strlen(copy); n > 0 && (copy[n - 1] == ' ' || copy[n - 1] == ')'); n--)
        copy[n - 1] = '\0';
    if (part->kind == RBV_AGGREGATE_AT && !rbv_quantity_read(copy, "s", &part->argument)) {
        rbv_study_error(s->reader, s->quantity->at, "at(x, t) wants a time such as '0.2 s', not '%s'", copy);
        return false;
    }
    if (part->kind == RBV_AGGREGATE_PERCENTILE &&
        !(rbv_quantity_read(copy, "", &part->argument) && part->argument >= 0 && part->argument <= 100)) {
        rbv_study_error(s->reader, s->quantity->at, "percentile(x, p) wants p from 0 to 100, not '%s'", copy);
        return false;
    }
    return true;
}

/* The call of an aggregate at `text`; its length in all, 0: reported. */
static size_t take_aggregate(Splitting *s, const char *text, const Piece *piece, int kind, const size_t at[4],
                             int arguments) {
    const char *open = text + piece->length;
    int requested = kind == RBV_AGGREGATE_AT || kind == RBV_AGGREGATE_PERCENTILE ? 2 : 1;
    if (arguments != requested) {
        rbv_study_error(s->reader, s->quantity->at,
                        arguments ? "%s(...) wants %d argument%s" : "the parenthesis of %s( does not close",
                        aggregates[kind], requested, rbv_plural(requested));
        return 0;
    }
    const char *inner = expand(s->reader, open + at[0], at[1] - at[0] - 1);
    RbvStudyPart *part = add_part(s, (RbvAggregateKind)kind, inner);
    if (requested == 2 && !read_argument(s, part, open + at[1], at[2] - at[1] - 1))
        return 0;
    return piece->length + at[requested];
}

/* Report a word that calls no function. False: it is one. */
static bool is_no_function(Splitting *s, const char *text, const Piece *piece) {
    char word[RBV_NAME_SIZE];
    snprintf(word, sizeof word, "%.*s", (int)piece->first, text);
    if (piece->kind != PIECE_CALL || rbv_expr_is_function(word))
        return false;
    int32_t count = 0;
    while (aggregates[count])
        count++;
    const char *near = rbv_nearest_word(word, count, aggregates);
    rbv_study_error(s->reader, s->quantity->at,
                    near ? "unknown function '%s'; did you mean '%s'?" : "unknown function '%s'", word, near);
    return true;
}

/* Is there a function over samples, or a scalar of result.json, in the text? */
static bool has_parts(const char *text) {
    for (const char *at = text; *at;) {
        Piece piece = next_piece(at);
        size_t ends[4];
        int arguments;
        if (piece.kind == PIECE_CALL && aggregate_of(at, &piece, ends, &arguments) >= 0)
            return true;
        if (piece.kind == PIECE_WORD && piece.dotted && find_word(sections, at, piece.first) >= 0)
            return true;
        at += piece.length;
    }
    return false;
}

static void split(Splitting *s) {
    RbvStudyReader *reader = s->reader;
    const char *text = s->quantity->text;
    if (reader->study->one_state && !has_parts(text)) {
        add_part(s, RBV_AGGREGATE_LAST, expand(reader, text, strlen(text)));
        return;
    }
    for (const char *at = text; *at;) {
        Piece piece = next_piece(at);
        size_t ends[4], length = piece.length;
        int arguments = 0, kind = piece.kind == PIECE_CALL ? aggregate_of(at, &piece, ends, &arguments) : -1;
        if (kind >= 0) {
            length = take_aggregate(s, at, &piece, kind, ends, arguments);
        } else if (piece.kind == PIECE_WORD && piece.dotted && find_word(sections, at, piece.first) >= 0) {
            add_part(s, RBV_AGGREGATE_PATH, rbv_study_copy(reader, at, piece.length));
            reader->study->reads_json = true;
        } else if (piece.kind == PIECE_WORD && piece.dotted) {
            rbv_study_error(reader, s->quantity->at,
                            "'%.*s' has a value at every sample: say which, as in max(%.*s), mean(...), last(...); or "
                            "give the path of a scalar of result.json",
                            (int)piece.length, at, (int)piece.length, at);
            length = 0;
        } else if (is_no_function(s, at, &piece)) {
            length = 0;
        } else {
            rbv_text_append(&s->outer, at, piece.length);
        }
        s->wrong = length == 0;
        if (s->wrong)
            return;
        at += length;
    }
}

/* "<= 900 kN": the kind here; the number is checked with the unit of the quantity. */
static void read_limit(RbvStudyReader *reader, RbvStudyQuantity *quantity, const RbvNode *node) {
    const char *text = rbv_study_scalar(reader, node, "limit");
    if (!text)
        return;
    bool less = text[0] == '<', equal = (less || text[0] == '>') && text[1] == '=';
    if (!less && text[0] != '>') {
        rbv_study_error(reader, node->at, "limit: begins with <=, <, >= or >, such as \"<= 900 kN\"");
        return;
    }
    quantity->limit = less ? RBV_LIMIT_LESS : RBV_LIMIT_GREATER;
    quantity->limit = (RbvLimitKind)(quantity->limit + equal);
    quantity->limit_text = rbv_study_copy(reader, text, strlen(text));
    quantity->limit_at = node->at;
}

static void read_quantity(RbvStudyReader *reader, RbvStudyQuantity *quantity, const RbvNode *node) {
    static const char *const keys[] = {"value", "limit", NULL};
    char what[RBV_NAME_SIZE];
    snprintf(what, sizeof what, "collect: %s", quantity->name);
    const RbvNode *value = node;
    if (node->kind == RBV_NODE_MAP) {
        if (!rbv_study_map(reader, node, what, keys))
            return;
        value = rbv_node_child(node, "value");
        if (rbv_node_child(node, "limit"))
            read_limit(reader, quantity, rbv_node_child(node, "limit"));
    }
    const char *text = value ? rbv_study_scalar(reader, value, what) : NULL;
    if (!value)
        rbv_study_error(reader, node->at, "%s wants value:", what);
    if (!text)
        return;
    quantity->text = rbv_study_copy(reader, text, strlen(text));
    quantity->at = value->at;
    Splitting s = {.reader = reader, .quantity = quantity, .parts = reader->study->parts};
    split(&s);
    quantity->outer = s.outer.data && !s.wrong ? rbv_study_copy(reader, s.outer.data, s.outer.length) : "";
    reader->no_memory = reader->no_memory || s.outer.no_memory;
    rbv_text_clear(&s.outer);
}

/* Upper bound of the parts of a quantity: each has a parenthesis or a dot. */
static size_t most_parts(const RbvNode *node) {
    size_t count = 1;
    const RbvNode *value = node->kind == RBV_NODE_MAP ? rbv_node_child(node, "value") : node;
    if (value && value->kind == RBV_NODE_SCALAR)
        for (const char *at = value->text; *at; at++)
            count += *at == '(' || *at == '.' || *at == '[';
    return count;
}

/* Is it the name of a parameter that varies, or of another column of study.csv? */
static bool is_column(const RbvStudy *study, const char *name) {
    static const char *const columns[] = {"variant", "status", "verdict", "message", NULL};
    bool found = find_word(columns, name, strlen(name)) >= 0;
    for (int32_t k = 0; k < study->parameter_count; k++)
        found = found || strcmp(study->parameters[k].name, name) == 0;
    return found;
}

void rbv_study_read_collect(RbvStudyReader *reader, const RbvNode *collect) {
    RbvStudy *study = reader->study;
    size_t most = 0;
    if (collect->kind != RBV_NODE_MAP || collect->count == 0) {
        rbv_study_error(reader, collect->at, "collect: must be a map of quantities, such as {peak: \"max(d.effort)\"}");
        return;
    }
    for (int32_t k = 0; k < collect->count; k++)
        most += most_parts(collect->items[k]);
    study->parts = rbv_study_array(reader, most, sizeof *study->parts);
    study->quantities = rbv_study_array(reader, (size_t)collect->count, sizeof *study->quantities);
    if (!study->parts || !study->quantities)
        return;
    for (int32_t k = 0; k < collect->count; k++) {
        const char *name = collect->keys[k];
        RbvStudyQuantity *quantity = &study->quantities[study->quantity_count++];
        *quantity = (RbvStudyQuantity){.name = rbv_study_copy(reader, name, strlen(name)),
                                       .text = "",
                                       .outer = "",
                                       .unit = "",
                                       .at = collect->key_at[k],
                                       .first = study->part_count};
        if (!rbv_name_is_valid(name))
            rbv_study_error(reader, collect->key_at[k], "'%s' is no name: letters, digits and _, a letter first", name);
        if (is_column(study, name))
            rbv_study_error(reader, collect->key_at[k], "study.csv has another column '%s'; take another name", name);
        read_quantity(reader, quantity, collect->items[k]);
    }
}
