/* corpus_case.h: a case of a corpus: a program, its arguments and the expected results, in the file
 * format of conformance/corpus/README.md. Thread-safe: no shared state. */
#ifndef GANTRY_CONFORMANCE_CORPUS_CASE_H
#define GANTRY_CONFORMANCE_CORPUS_CASE_H

#include <stddef.h>
#include <stdint.h>

#include "base/dtype.h"
#include "base/error.h"

enum { CORPUS_MAX_RANK = 32, CORPUS_MAX_ARRAYS = 256 };

struct corpus_array {
    enum dtype dtype;
    size_t rank, count; /* of elements */
    int64_t dims[CORPUS_MAX_RANK];
    size_t offset, size;       /* bytes inside the case's data */
    double absolute, relative; /* tolerances, for results only */
};

struct corpus_case {
    char *program, *data; /* owned */
    size_t program_size, data_size;
    size_t input_count, output_count;
    struct corpus_array inputs[CORPUS_MAX_ARRAYS], outputs[CORPUS_MAX_ARRAYS];
};

/* Reads PATH (its .case file), and the program and arrays beside it. The program is the portable
 * artifact, or the file of another form: `suffix` is ".mlirbc", ".mlir", ".generic.mlir" or
 * ".hlo.pb". Errors: NOT_FOUND, and INVALID_ARGUMENT for a malformed file. */
struct error *corpus_case_read(const char *path, const char *suffix,
                               struct corpus_case *out /*owned: corpus_case_free*/);
void corpus_case_free(struct corpus_case *item);

/* Returns NULL if `bytes`, an array of the same type and shape as the expected one, equals it
 * within the tolerances: integers must be equal; real numbers must be both NaN, or equal, or both
 * finite with |a - e| <= atol + rtol |e|; each part of a complex number is compared separately,
 * with |e| of the whole number. Otherwise DATA_LOSS, naming the first differing element. */
struct error *corpus_case_compare(const struct corpus_array *expected, const void *expected_bytes,
                                  const void *bytes);

#endif
