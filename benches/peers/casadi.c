// Times functions that CasADi has generated, and one second of simulated time by Runge and Kutta's method with them.
#include <string.h>
#include <time.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

// Begins and ends the counting of instructions, into a file of its own.
void count_start(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void count_stop(void) { CALLGRIND_STOP_INSTRUMENTATION; CALLGRIND_DUMP_STATS; }
#endif

typedef int (*function)(const double **, double **, long long *, double *, int);

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

// Nanoseconds of one call, after the results of all n rows of x.
double casadi_time(function f, const int *sizes, const double *x, int n, int stride, long calls, double *results, int n_results) {
    const double *arguments[sizes[0]];
    double *outputs[sizes[1]], work[sizes[3] + 1], scratch[n_results];
    long long integers[sizes[2] + 1];
    for (int k = 0; k < n; k++) {
        arguments[0] = x + k * stride;
        outputs[0] = results + k * n_results;
        f(arguments, outputs, integers, work, 0);
    }
    double start = seconds();
    for (long i = 0, k = 0; i < calls; i++) {
        arguments[0] = x + k * stride;
        outputs[0] = scratch;
        f(arguments, outputs, integers, work, 0);
        __asm__ volatile("" : : "r"(scratch) : "memory");
        k = k + 1 < n ? k + 1 : 0;
    }
    return 1e9 * (seconds() - start) / calls;
}

// Steps of length h of (q, v) with accelerations f(q, v), without projection; returns nanoseconds of a step. n coordinates and as many speeds.
double casadi_steps(function f, const int *sizes, const double *start, int n, double h, long steps, double *end) {
    const double *arguments[sizes[0]];
    double *outputs[sizes[1]], work[sizes[3] + 1];
    long long integers[sizes[2] + 1];
    double x[2 * n], stage[2 * n], rates[4][2 * n];
    memcpy(x, start, sizeof x);
    double begin = seconds();
    for (long i = 0; i < steps; i++) {
        const double parts[4] = {0.0, 0.5 * h, 0.5 * h, h};
        for (int k = 0; k < 4; k++) {
            for (int j = 0; j < 2 * n; j++) stage[j] = k ? x[j] + parts[k] * rates[k - 1][j] : x[j];
            memcpy(rates[k], stage + n, n * sizeof(double));
            arguments[0] = stage;
            outputs[0] = rates[k] + n;
            f(arguments, outputs, integers, work, 0);
        }
        for (int j = 0; j < 2 * n; j++) x[j] += h / 6 * (rates[0][j] + 2 * rates[1][j] + 2 * rates[2][j] + rates[3][j]);
    }
    double end_time = seconds();
    memcpy(end, x, sizeof x);
    return 1e9 * (end_time - begin) / steps;
}
