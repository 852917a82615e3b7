/* Text into libfyaml's parser, where memory may run out.
 *
 * In libfyaml 0.7 fy_parser_set_string, like all its fellows, writes through what fy_input_create returns without
 * asking whether it is NULL. libfyaml calls that function by its name, so that the one below comes between: it calls
 * the real one, and when there is no memory it leaves the parser for rbv_yaml_set_text, by a long jump over two frames
 * that hold nothing yet. A libfyaml that looks at the result, or no longer calls by the name, is served as well; the
 * jump is then never made. Weak, for programs that hold libfyaml within themselves: theirs is taken then.
 */
#define _GNU_SOURCE
#include "read/tree_source.h"

#include <dlfcn.h>
#include <libfyaml.h>
#include <setjmp.h>
#include <string.h>

typedef struct fy_input *InputCreate(const void *config);

static _Thread_local jmp_buf *way_out; /* NULL: not within rbv_yaml_set_text */

InputCreate fy_input_create __attribute__((weak, visibility("default")));

struct fy_input *fy_input_create(const void *config) {
    void *symbol = dlsym(RTLD_NEXT, "fy_input_create");
    InputCreate *real = NULL;
    memcpy(&real, &symbol, sizeof real); /* ISO C knows no cast from objects to functions */
    struct fy_input *input = real ? real(config) : NULL;
    if (!input && way_out)
        longjmp(*way_out, 1);
    return input;
}

bool rbv_yaml_set_text(struct fy_parser *parser, const char *text, size_t length) {
    jmp_buf here;
    way_out = &here;
    bool set = setjmp(here) == 0 && fy_parser_set_string(parser, text, length) == 0;
    way_out = NULL;
    return set;
}
