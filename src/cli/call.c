/* Reading the command line's options. */
#include "cli/cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool wrong(const char *format, const char *a, const char *b) {
    fputs("roberval: error: ", stderr);
    fprintf(stderr, format, a, b);
    fputc('\n', stderr);
    return false;
}

/* Seconds from "0.5", "10 ms", "2s". */
static bool parse_time(const char *option, const char *text, double *seconds) {
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}};
    char *end;
    double number = strtod(text, &end);
    while (*end == ' ')
        end++;
    for (size_t k = 0; end != text && k < sizeof units / sizeof units[0]; k++)
        if (strcmp(end, units[k].name) == 0 && isfinite(number)) {
            *seconds = number * units[k].factor;
            return true;
        }
    return wrong("%s wants a time such as 0.5 or '10 ms', not '%s'", option, text);
}

/* statics */
static bool set_statics_method(Call *call, const char *value) {
    static const char *const names[] = {"default", "energy", "lagrange", "penalty", "virtual-power", "relaxation"};
    for (int k = 1; k < 6; k++)
        if (strcmp(value, names[k]) == 0) {
            call->options.statics = (RbvStaticsMethod)k;
            return true;
        }
    return wrong("there is no method '%s' of statics; there are energy, lagrange, penalty, virtual-power and relaxation%s", value, "");
}

/* Options of statics. */
static bool set_damping(Call *call, const char *value) {
    char *end;
    call->options.damping = strtod(value, &end);
    if (strcmp(call->command, "statics") != 0)
        return wrong("--damping belongs to statics, not to %s%s", call->command, "");
    if (end == value || *end || !(call->options.damping > 0) || !isfinite(call->options.damping))
        return wrong("--damping wants a positive number [1/s], not '%s'%s", value, "");
    return true;
}

static bool set_method(Call *call, const char *value) {
    static const char *const later[] = {"newton", "penalty", "augmented", "virtual-power", "recursive"};
    if (strcmp(call->command, "statics") == 0)
        return set_statics_method(call, value);
    if (strcmp(call->command, "inverse") != 0)
        return wrong("--method does not belong to %s%s", call->command, "");
    if (strcmp(value, "lagrange") == 0) {
        call->options.method = RBV_METHOD_LAGRANGE;
        return true;
    }
    if (strcmp(value, "two-step") == 0) {
        call->options.method = RBV_METHOD_TWO_STEP;
        return true;
    }
    for (size_t k = 0; k < sizeof later / sizeof later[0]; k++)
        if (strcmp(value, later[k]) == 0)
            return wrong("--method %s is not in this version; there are lagrange and two-step%s", value, "");
    return wrong("there is no method '%s'; there are lagrange and two-step%s", value, "");
}

/* Options with one value allowed now; the others come later. */
static bool only_value(const char *option, const char *value, const char *allowed, const char *later) {
    if (strcmp(value, allowed) == 0)
        return true;
    size_t length = strcspn(value, "=");
    for (const char *at = later; length > 0 && *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncmp(at, value, length) == 0)
            return wrong("%s %s is not in this version", option, value);
    fprintf(stderr, "roberval: error: %s cannot be '%s'; there is %s\n", option, value, allowed);
    return false;
}

/* Options that take a value; those of later versions are known by name. */
static const char *const with_value[] = {"--out", "--set", "--frame", "--from", "--to", "--step", "--method", "--coordinates", "--redundant",
                                         "--criterion", "--ask", "--damping", "--follow", "--start", NULL};
static const char *const later_options[] = {"--svg", "--resume", NULL};

static bool among(const char *const *words, const char *word) {
    for (; *words; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

static bool set_criterion(Call *call, const char *value) {
    static const char *const names[] = {"default", "ranks", "svd", "qr"};
    if (strcmp(call->command, "check") != 0)
        return wrong("--criterion belongs to check, not to %s%s", call->command, "");
    for (int k = 0; k < 4; k++)
        if (strcmp(value, names[k]) == 0) {
            call->options.criterion = (RbvCriterion)k;
            return true;
        }
    return wrong("there is no criterion '%s'; there are ranks, svd and qr%s", value, "");
}

/* "min-norm", "compliance", or "eliminate=J.Fx,K.Fy": the list is taken apart in a copy. */
static bool set_redundant(Call *call, const char *value) {
    static const char prefix[] = "eliminate=";
    call->eliminated_count = 0;
    call->options.redundant = strcmp(value, "min-norm") == 0 ? RBV_REDUNDANT_MIN_NORM
                              : strcmp(value, "compliance") == 0 ? RBV_REDUNDANT_COMPLIANCE : RBV_REDUNDANT_ELIMINATE;
    if (call->options.redundant != RBV_REDUNDANT_ELIMINATE)
        return true;
    if (strncmp(value, prefix, sizeof prefix - 1) != 0)
        return wrong("%s cannot be '%s'; there are min-norm, compliance and eliminate=joint.Fx,...", "--redundant", value);
    size_t length = strlen(value) - (sizeof prefix - 1);
    if (length >= sizeof call->eliminated_text)
        return wrong("the list of --redundant eliminate= is too long%s%s", "", "");
    memcpy(call->eliminated_text, value + sizeof prefix - 1, length + 1);
    for (char *name = call->eliminated_text; name;) {
        char *comma = strchr(name, ',');
        if (comma)
            *comma = '\0';
        if (call->eliminated_count == (int)(sizeof call->eliminated / sizeof call->eliminated[0]))
            return wrong("more than 64 eliminated components%s%s", "", "");
        call->eliminated[call->eliminated_count++] = name;
        name = comma ? comma + 1 : NULL;
    }
    return true;
}

static bool set_option(Call *call, const char *option, const char *value) {
    bool convert = strcmp(call->command, "convert") == 0;
    if (convert && strcmp(option, "--to") != 0)
        return wrong(strcmp(option, "--out") == 0 ? "convert writes the model to standard output%s%s" : "%s does not belong to convert%s", strcmp(option, "--out") ? option : "", "");
    if (strcmp(option, "--out") == 0) {
        call->out = value;
    } else if (strcmp(option, "--set") == 0) {
        if (!strchr(value, '='))
            return wrong("%s wants name=value, not '%s'", option, value);
        if (call->override_count == (int)(sizeof call->overrides / sizeof call->overrides[0]))
            return wrong("more than 64 --set%s%s", "", "");
        call->overrides[call->override_count++] = value;
    } else if (strcmp(option, "--frame") == 0) {
        if (strcmp(value, "joint") != 0 && strcmp(value, "ground") != 0)
            return wrong("%s is joint or ground, not '%s'", option, value);
        call->options.frame = value[0] == 'g' ? RBV_FRAME_GROUND : RBV_FRAME_JOINT;
    } else if (strcmp(option, "--from") == 0) {
        return parse_time(option, value, &call->options.from);
    } else if (strcmp(option, "--to") == 0 && convert) {
        call->to_spatial = strcmp(value, "spatial") == 0;
        return call->to_spatial || wrong("convert --to %s is not in this version; there is spatial%s", value, "");
    } else if (strcmp(option, "--to") == 0) {
        return parse_time(option, value, &call->options.to);
    } else if (strcmp(option, "--step") == 0) {
        return parse_time(option, value, &call->options.step);
    } else if (strcmp(option, "--method") == 0) {
        return set_method(call, value);
    } else if (strcmp(option, "--damping") == 0) {
        return set_damping(call, value);
    } else if (strcmp(option, "--follow") == 0) {
        if (call->follow)
            return wrong("--follow goes along one parameter: '%s' and '%s'", call->follow, value);
        call->follow = value;
        return strcmp(call->command, "statics") == 0 || wrong("--follow belongs to statics, not to %s%s", call->command, "");
    } else if (strcmp(option, "--start") == 0) {
        call->options.start_at_equilibrium = true;
        if (strcmp(call->command, "inverse") != 0)
            return wrong("--start belongs to inverse, not to %s%s", call->command, "");
        return strcmp(value, "statics") == 0 || wrong("--start is statics, not '%s'%s", value, "");
    } else if (strcmp(option, "--coordinates") == 0) {
        return only_value(option, value, "absolute", "natural joint");
    } else if (strcmp(option, "--redundant") == 0) {
        return set_redundant(call, value);
    } else if (strcmp(option, "--criterion") == 0) {
        return set_criterion(call, value);
    } else if (strcmp(option, "--ask") == 0) {
        if (strcmp(call->command, "check") != 0)
            return wrong("--ask belongs to check, not to %s%s", call->command, "");
        if (call->question_count == (int)(sizeof call->questions / sizeof call->questions[0]))
            return wrong("more than 64 --ask%s%s", "", "");
        call->questions[call->question_count++] = value;
    }
    return true;
}

bool parse_call(Call *call, int argc, char **argv, bool *help) {
    *help = false;
    for (int k = 0; k < argc; k++) {
        const char *argument = argv[k];
        if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            *help = true;
            return true;
        }
        if (strcmp(argument, "--json") == 0) {
            call->json = true;
        } else if (strcmp(argument, "--motion") == 0) {
            if (strcmp(call->command, "check") != 0)
                return wrong("--motion belongs to check, not to %s%s", call->command, "");
            call->options.along_motion = true;
        } else if (strcmp(argument, "--locked") == 0 || strcmp(argument, "--all") == 0) {
            if (strcmp(call->command, "statics") != 0)
                return wrong("%s belongs to statics, not to %s", argument, call->command);
            *(argument[2] == 'l' ? &call->options.locked : &call->options.all) = true;
        } else if (strcmp(argument, "--quiet") == 0) {
            call->quiet = true;
        } else if (argument[0] == '-' && argument[1] != '\0') {
            char option[32];
            const char *equal = strchr(argument, '='), *value = NULL;
            size_t length = equal ? (size_t)(equal - argument) : strlen(argument);
            if (length >= sizeof option)
                return wrong("unknown option %s%s", argument, "");
            memcpy(option, argument, length);
            option[length] = '\0';
            if (among(later_options, option))
                return wrong("%s is not in this version%s", option, "");
            if (!among(with_value, option))
                return wrong("unknown option %s; 'roberval %s --help' lists them", option, call->command);
            if (equal)
                value = equal + 1;
            else if (k + 1 < argc)
                value = argv[++k];
            if (!value)
                return wrong("%s wants a value%s", option, "");
            if (!set_option(call, option, value))
                return false;
        } else if (call->model) {
            return wrong("one model at a time: '%s' and '%s'", call->model, argument);
        } else {
            call->model = argument;
        }
    }
    if (!call->model)
        return wrong("%s wants a model file: roberval %s MODEL", call->command, call->command);
    if (call->options.damping > 0 && call->options.statics != RBV_STATICS_RELAXATION)
        return wrong("--damping belongs to --method relaxation%s%s", "", "");
    if (strcmp(call->command, "convert") == 0 && !call->to_spatial)
        return wrong("convert wants to know to what: roberval convert %s --to spatial%s", call->model, "");
    return true;
}
