/* fuzz_replay.c: a main for a fuzz target without a fuzz engine. It runs the target on an empty
 * input and on the files of the command line, each also truncated to a few lengths, so that the
 * quick tests cover every parser of untrusted bytes. Prints nothing; failures are crashes and
 * sanitizer reports. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return 1;
    size_t size = 0, capacity = 1 << 16;
    uint8_t *bytes = malloc(capacity);
    while (bytes && (size += fread(bytes + size, 1, capacity - size, file)) == capacity)
        bytes = realloc(bytes, capacity *= 2);
    fclose(file);
    if (!bytes)
        return 1;
    LLVMFuzzerTestOneInput(bytes, size);
    for (size_t cut = 1; cut < size; cut *= 2) {
        LLVMFuzzerTestOneInput(bytes, cut);
        LLVMFuzzerTestOneInput(bytes, size - cut);
    }
    free(bytes);
    return 0;
}

int main(int count, char **paths)
{
    int failed = 0;
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < count; i++)
        failed |= run_file(paths[i]);
    return failed;
}
