/* Machines and small tools that several C tests share. */
#ifndef TEST_SUPPORT_MACHINES_H
#define TEST_SUPPORT_MACHINES_H

#include <roberval/roberval.h>

/* A driven four-bar (crank 0.1, rod 0.4, rocker 0.3, ground 0.4 m; motor turns at 2 pi rad/s, 0 ... 1 s by 0.01 s). */
extern const char machine_four_bar[];
/* The same four links with three parallel cranks: one reaction more than equilibrium decides. */
extern const char machine_parallelogram[];
/* A driven slider-crank: crank 0.1, rod 0.3 m. */
extern const char machine_slider_crank[];

/* Read, or fail the test with the first message. */
RbvModel *machine_read(const char *text);
RbvSystem *machine_compile(RbvModel *model);

/* A number in -1 ... 1 (xorshift; the same in every run). */
double machine_random(uint64_t *seed);

/* |got - expected| <= tolerance, in double: cmocka's own assertion compares in float. */
#define assert_near(got, expected, tolerance) machine_assert_near((got), (expected), (tolerance), __FILE__, __LINE__)
void machine_assert_near(double got, double expected, double tolerance, const char *file, int line);

/* Is there a message of this severity that contains `part`? */
bool machine_says(const RbvDiagnostics *diagnostics, RbvSeverity severity, const char *part);
void machine_print(const RbvDiagnostics *diagnostics);

#endif
