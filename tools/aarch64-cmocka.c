/* As much of cmocka as the tests of src/arrays use, for machines that its library is not there for
 * (tools/test-aarch64): the header is cmocka's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static jmp_buf at_failure;

void _fail(const char *const file, const int line) {
    fprintf(stderr, "%s:%d: failed\n", file, line);
    longjmp(at_failure, 1);
}

#define SAYS(name)                                                                                                     \
    void name(const char *const format, ...) {                                                                         \
        va_list words;                                                                                                 \
        va_start(words, format);                                                                                       \
        vfprintf(stderr, format, words);                                                                               \
        va_end(words);                                                                                                 \
    }
SAYS(print_message)
SAYS(print_error)

void _assert_true(const LargestIntegralType result, const char *const expression, const char *const file,
                  const int line) {
    if (!result) {
        fprintf(stderr, "%s\n", expression);
        _fail(file, line);
    }
}

void _assert_int_equal(const LargestIntegralType a, const LargestIntegralType b, const char *const file,
                       const int line) {
    if (a != b) {
        fprintf(stderr, "%lld != %lld\n", (long long)a, (long long)b);
        _fail(file, line);
    }
}

void _assert_memory_equal(const void *const a, const void *const b, const size_t size, const char *const file,
                          const int line) {
    _assert_true(memcmp(a, b, size) == 0, "the same bytes", file, line);
}

void _assert_string_equal(const char *const a, const char *const b, const char *const file, const int line) {
    _assert_true(strcmp(a, b) == 0, "the same words", file, line);
}

int _cmocka_run_group_tests(const char *group, const struct CMUnitTest *const tests, const size_t count,
                            CMFixtureFunction setup, CMFixtureFunction teardown) {
    volatile int failed = 0;
    (void)group, (void)setup, (void)teardown;
    for (volatile size_t k = 0; k < count; k++) {
        void *state = NULL;
        if (setjmp(at_failure) == 0) {
            tests[k].test_func(&state);
        } else {
            fprintf(stderr, "%s failed\n", tests[k].name);
            failed++;
        }
    }
    printf("%d of %d tests passed\n", (int)count - failed, (int)count);
    return failed;
}
