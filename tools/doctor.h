/* doctor.h: the parts of `gantry doctor`'s report, each added to one JSON object, and the problems
 * that they find. Not thread-safe. */
#ifndef GANTRY_TOOLS_DOCTOR_H
#define GANTRY_TOOLS_DOCTOR_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/error.h"

/* ERROR: something does not work. NOTE: it works, but slower than usual or differently. */
enum doctor_severity { DOCTOR_ERROR, DOCTOR_NOTE };

/* Appends a problem and its remedy to "problems". Texts are copied. */
void doctor_problem(cJSON *report, enum doctor_severity severity, const char *advice,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The number of problems of that severity. */
int doctor_count(const cJSON *report, enum doctor_severity severity);

/* Adds "machine": system, processor, memory and limits of the process. */
void doctor_machine(cJSON *report);
/* Adds "libraries": the files of this installation, each opened in a separate process. */
struct error *doctor_libraries(cJSON *report);
/* Adds "plugins": those that `gantry info` finds, or only the given one, with the result of a
 * program on each of their devices. */
struct error *doctor_plugins(cJSON *report, const char *only);
/* Adds "clients": packages of the Python interpreters on PATH, and the requirements of go.mod and
 * Cargo.lock in the current folder. */
void doctor_clients(cJSON *report);
/* Adds "environment": the variables that are set and that Gantry, its clients or its libraries
 * read. Unsets those with values that are not allowed. */
struct error *doctor_environment(cJSON *report);

/* The remedy for the error message of opening a library; static. */
const char *doctor_library_advice(const char *message);
/* Runs a program on each addressable device of a plugin, in this process: adds "self_test" to
 * `out`, a list of {"device", "seconds"} and, where the program failed, "error". */
void doctor_self_test(const char *path, cJSON *out);

/* The oldest and newest version of a Python package that Gantry is tested with, like "0.10"; NULL:
 * not one of its clients. Static. */
struct doctor_tested {
    const char *package, *oldest, *newest;
};
const struct doctor_tested *doctor_tested(const char *package);
/* Whether a version is older than another one, both like "0.10.2"; missing numbers are 0. */
bool doctor_is_older(const char *version, const char *than);

/* Prints the report, or its problems, as text. */
void doctor_print(const cJSON *report);
void doctor_print_problems(const cJSON *report);

#endif
