/* program_fuzz.c: arbitrary bytes as a program (program_trial.h). */
#include <stdint.h>
#include <string.h>

#include "conformance/program_mutator.h"
#include "conformance/program_trial.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed);
/* The mutations of the fuzz engine; absent if inputs are only replayed. */
extern size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t max_size) __attribute__((weak));

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    program_trial(bytes, size);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t max_size, unsigned seed)
{
    bool is_text = size && memchr("/fm \n", bytes[0], 5);
    if (is_text && seed % 16)
        return program_mutate(bytes, size, max_size, seed);
    return LLVMFuzzerMutate ? LLVMFuzzerMutate(bytes, size, max_size) : size;
}
