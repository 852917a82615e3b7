/* The program: which command. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "roberval: kinematics, statics, inverse dynamics and joint reactions of rigid multibody systems, in the plane and in space\n"
    "\n"
    "  roberval check MODEL         mobility, redundancy and the verdict of every reaction\n"
    "  roberval kinematics MODEL    positions, velocities, accelerations along the motion\n"
    "  roberval statics MODEL       where it comes to rest, whether it stays there, and what its joints carry\n"
    "  roberval inverse MODEL       motion to drive efforts and reactions\n"
    "  roberval convert MODEL --to spatial   a planar model as a spatial one, on stdout\n"
    "  roberval schema              the JSON Schema of the model file\n"
    "\n"
    "  --out DIR             write series.csv and result.json there (nothing is written without it)\n"
    "  --set name=value      another value of a parameter; may be repeated\n"
    "  --frame joint|ground  axes of reactions: of the joint's first marker (default), or ground\n"
    "  --from --to --step    other samples than motion: says, in s or with a unit\n"
    "  --method two-step|lagrange   (inverse) how multipliers are solved for; two-step is the default\n"
    "  --method energy|lagrange|penalty|virtual-power|relaxation   (statics) energy is the default\n"
    "  --all                 (statics) look for other equilibria from many starts, too, and list them\n"
    "  --follow p=a..b       (statics) along a parameter, through folds, with snap-throughs and bifurcations: --follow 'F=0..50 N'\n"
    "  --damping c           (statics --method relaxation) damping per mass in 1/s, instead of the program's\n"
    "  --locked              (statics) wheels, knife edges and velocity: constraints hold the position, too\n"
    "  --start statics       (inverse) begin where it rests at the start, instead of at the poses and initial:\n"
    "  --redundant min-norm|compliance|eliminate=J.Fx,...   which of the equally right reactions is printed:\n"
    "                        of least norm, shared by compliances (the default where joints have some), or\n"
    "                        with the components named set to zero\n"
    "  --criterion ranks|svd|qr     (check) how verdicts are decided; all agree\n"
    "  --ask 'A.Fx + B.Fx'   (check) is this combination determined? may be repeated\n"
    "  --motion              (check) decide at every sample of the motion, and say when verdicts change\n"
    "  --coordinates absolute       the only ones of this version\n"
    "  --json                the result on stdout, nothing else there\n"
    "  --quiet               errors only\n"
    "  --help, --version\n"
    "\n"
    "Exit status: 0 done; 1 the analysis failed; 2 the model or the call is wrong; 3 an internal fault; 130 interrupted.\n";

void print_diagnostics(const RbvDiagnostics *diagnostics, bool quiet) {
    static const char *const words[] = {"note", "warning", "error"};
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(diagnostics, k);
        if (quiet && d.severity != RBV_ERROR)
            continue;
        if (d.at.line > 0)
            fprintf(stderr, "%s:%d:%d: %s: %s\n", d.file, (int)d.at.line, (int)d.at.column, words[d.severity], d.message);
        else
            fprintf(stderr, "%s: %s: %s\n", *d.file ? d.file : "roberval", words[d.severity], d.message);
    }
}

int exit_of(RbvStatus status) {
    switch (status) {
    case RBV_OK: return EXIT_DONE;
    case RBV_BAD_INPUT: return EXIT_CALL;
    case RBV_INTERRUPTED: return EXIT_INTERRUPT;
    case RBV_BAD_ARGUMENT: return EXIT_FAULT;
    default: return EXIT_ANALYSIS;
    }
}

int print_out(const char *text) {
    if (fputs(text, stdout) >= 0 && fflush(stdout) == 0)
        return EXIT_DONE;
    fputs("roberval: error: cannot write to standard output\n", stderr);
    return EXIT_ANALYSIS;
}

int command_schema(void) {
    char *schema = rbv_model_schema();
    if (!schema)
        return EXIT_ANALYSIS;
    int status = print_out(schema);
    free(schema);
    return status;
}

static bool among(const char *const *words, const char *word) {
    for (; *words; words++)
        if (strcmp(*words, word) == 0)
            return true;
    return false;
}

int main(int argc, char **argv) {
    static const char *const now[] = {"check", "kinematics", "statics", "inverse", "convert", NULL};
    static const char *const later[] = {"simulate", "modes", "track", "study", "report", NULL};
    const char *command = argc > 1 ? argv[1] : "--help";
    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0 || strcmp(command, "help") == 0) {
        int status = print_out(usage);
        return argc > 1 ? status : EXIT_CALL;
    }
    if (strcmp(command, "--version") == 0) {
        char text[64];
        snprintf(text, sizeof text, "roberval %s\n", rbv_version());
        return print_out(text);
    }
    if (strcmp(command, "schema") == 0)
        return command_schema();
    if (among(later, command)) {
        fprintf(stderr, "roberval: error: the command %s is not in this version; there are check, kinematics, statics, inverse, convert and schema\n", command);
        return EXIT_CALL;
    }
    if (!among(now, command)) {
        fprintf(stderr, "roberval: error: there is no command '%s'; there are check, kinematics, statics, inverse, convert and schema\n", command);
        return EXIT_CALL;
    }
    Call call = {.command = command, .options = rbv_options_default()};
    bool help;
    if (!parse_call(&call, argc - 2, argv + 2, &help))
        return EXIT_CALL;
    if (help)
        return print_out(usage);
    return strcmp(command, "convert") == 0 ? command_convert(&call) : command_analysis(&call);
}
