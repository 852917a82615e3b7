/* OpenBLAS takes its kernels by the model of the processor. One that is younger than OpenBLAS is none that it knows,
 * and gets the kernels of a Prescott of 2004, SSE3, with a third of the speed of those that it could run. Where
 * OpenBLAS has chosen such kernels for a processor with AVX2 and fused multiplication, those of a Haswell take their
 * place: no more than these two is needed for them. What OPENBLAS_CORETYPE names stays
 * (docs/decisions/0068-kernels-of-openblas.md). */
#include "cli/kernels.h"

#include <stdlib.h>
#include <string.h>

/* Of OpenBLAS built for processors of all kinds (DYNAMIC_ARCH); NULL in other libraries. */
extern char *gotoblas_corename(void) __attribute__((weak));
extern void gotoblas_dynamic_init(void) __attribute__((weak));
extern void gotoblas_dynamic_quit(void) __attribute__((weak));

extern char **environ; /* of POSIX, which no header declares */

#define CORE_TYPE "OPENBLAS_CORETYPE"

#if defined(__x86_64__)
static int has_haswell(void) {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#else
static int has_haswell(void) {
    return 0;
}
#endif

/* Are these kernels that use AVX2? */
static int is_fast(const char *core) {
    static const char *const fast[] = {"Haswell", "Zen", "Excavator", "SkylakeX", "Cooperlake", "SapphireRapids"};
    for (size_t k = 0; k < sizeof fast / sizeof *fast; k++)
        if (strcmp(core, fast[k]) == 0)
            return 1;
    return 0;
}

void choose_kernels(void) {
    if (!gotoblas_corename || !gotoblas_dynamic_init || !gotoblas_dynamic_quit || getenv(CORE_TYPE))
        return;
    const char *core = gotoblas_corename();
    if (!core || is_fast(core) || !has_haswell())
        return;
    /* Only the environment can name kernels. It is another one for this moment, which takes no memory. */
    char haswell[] = CORE_TYPE "=Haswell", *other[] = {haswell, NULL}, **own = environ;
    environ = other;
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
    environ = own;
}
