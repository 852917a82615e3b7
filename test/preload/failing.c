/* A library for LD_PRELOAD under which allocations fail, to see what a program says then (no_memory_test.py).
 *
 *   ROBERVAL_FAIL_AT=k     the k-th allocation fails, once; 0: none, they are only counted
 *   ROBERVAL_FAIL_FROM=k   the k-th and all after it fail
 *   ROBERVAL_FAIL_COUNT=F  how many there were is written to the file F at the end
 * Allocations by OpenBLAS itself always succeed: its kernels for wide registers use their buffers without looking
 * whether there are any. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static long count, at, from;
static bool counting;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void begin(void) {
    at = number("ROBERVAL_FAIL_AT");
    from = number("ROBERVAL_FAIL_FROM");
    counting = true;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("ROBERVAL_FAIL_COUNT");
    counting = false;
    int file = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (file >= 0) {
        char text[32];
        int length = snprintf(text, sizeof text, "%ld\n", count);
        if (write(file, text, (size_t)length) == length)
            close(file);
    }
}

static bool is_blas(void *caller) {
    Dl_info info;
    counting = false; /* dladdr may allocate */
    bool blas = dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "openblas");
    counting = true;
    return blas;
}

static bool fails(void *caller) {
    if (!counting || is_blas(caller))
        return false;
    long n = ++count;
    if (n != at && !(from > 0 && n >= from))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t items, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(items, size);
}

void *realloc(void *block, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    if (fails(__builtin_return_address(0)))
        return ENOMEM;
    *block = __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
