/* fuzz_replay.c: a main for a fuzz target without a fuzz engine. It runs the target on an empty
 * input and on the files of the command line, each also truncated to a few lengths, so that the
 * quick tests cover every parser of untrusted bytes. A file "x.inputs" holds many inputs, as
 * scripts/fuzz_inputs.py packs them. Prints nothing; failures are crashes and sanitizer reports. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t capacity = 1 << 16;
    uint8_t *bytes = malloc(capacity);
    *size = 0;
    while (bytes && (*size += fread(bytes + *size, 1, capacity - *size, file)) == capacity)
        bytes = realloc(bytes, capacity *= 2);
    fclose(file);
    return bytes;
}

static void run_truncated(const uint8_t *bytes, size_t size)
{
    LLVMFuzzerTestOneInput(bytes, size);
    for (size_t cut = 1; cut < size; cut *= 2) {
        LLVMFuzzerTestOneInput(bytes, cut);
        LLVMFuzzerTestOneInput(bytes, size - cut);
    }
}

/* Each input is its size, four bytes, the lowest first, and its bytes. Each is run in memory of its
 * own, where the sanitizer sees its end. Returns whether the file ends with an input. */
static bool run_packed(const uint8_t *bytes, size_t size)
{
    size_t at = 0;
    while (size - at >= 4) {
        size_t length = bytes[at] | (size_t)bytes[at + 1] << 8 | (size_t)bytes[at + 2] << 16 |
                        (size_t)bytes[at + 3] << 24;
        at += 4;
        uint8_t *input = length <= size - at ? malloc(length + !length) : NULL;
        if (!input)
            return false;
        memcpy(input, bytes + at, length);
        LLVMFuzzerTestOneInput(input, length);
        free(input);
        at += length;
    }
    return at == size;
}

static int run_file(const char *path)
{
    size_t size, name = strlen(path), end = sizeof ".inputs" - 1;
    uint8_t *bytes = read_file(path, &size);
    bool packed = name > end && !strcmp(path + name - end, ".inputs"), good = bytes != NULL;
    if (good && packed)
        good = run_packed(bytes, size);
    else if (good)
        run_truncated(bytes, size);
    free(bytes);
    return !good;
}

int main(int count, char **paths)
{
    int failed = 0;
    LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    for (int i = 1; i < count; i++)
        failed |= run_file(paths[i]);
    return failed;
}
