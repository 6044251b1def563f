/* source_format.c: see source_format.h. */
#include "compiler/driver/source_format.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

#define HLO_TEXT                                                                                   \
    "the program is HLO text, which Gantry does not read; pass StableHLO (in JAX: "                \
    "jax.jit(f).lower(...).as_text()), or a serialized HloModuleProto with the format \"hlo\" "    \
    "(of XLA: --xla_dump_hlo_as_proto)"

/* Files that are passed in place of a program. */
static const struct {
    const char *begin, *what;
} others[] = {
    {"\x1f\x8b", "compressed with gzip; decompress it"},
    {"\x28\xb5\x2f\xfd", "compressed with zstd; decompress it"},
    {"BZh", "compressed with bzip2; decompress it"},
    {"PK\x03\x04", "a ZIP archive (.npz, .zip, .pt2); extract the program from it"},
    {"\x7f"
     "ELF",
     "machine code (ELF); pass the program's source form"},
    {"\x93NUMPY", "an array of NumPy; pass it with --input @FILE"},
    {"\x89PNG", "a picture (PNG)"},
    {"BC\xc0\xde", "LLVM bitcode; pass StableHLO"},
};

static bool begins(const char *bytes, size_t size, const char *with)
{
    size_t length = strlen(with);
    return size >= length && !memcmp(bytes, with, length);
}

/* Skips blanks and comments of HLO ("//") and of shells. */
static size_t skip_comments(const char *bytes, size_t size)
{
    size_t i = 0;
    while (i < size && (strchr(" \t\r\n", bytes[i]) || begins(bytes + i, size - i, "//"))) {
        const char *end = bytes[i] == '/' ? memchr(bytes + i, '\n', size - i) : bytes + i;
        i = end ? (size_t)(end - bytes) + 1 : size;
    }
    return i;
}

static bool is_hlo_text(const char *bytes, size_t size)
{
    size_t i = skip_comments(bytes, size);
    return begins(bytes + i, size - i, "HloModule");
}

static bool is_control(char byte)
{
    return byte == 0x7f || !byte || ((unsigned char)byte < 32 && !strchr("\t\n\r\f\v", byte));
}

/* The offset of the first byte that is no text; `size`: all are. */
static size_t find_binary(const char *bytes, size_t size)
{
    size_t i = 0;
    for (size_t length; i < size; i += length)
        if (!(length = utf8_character(bytes + i, size - i)) || is_control(bytes[i]))
            return i;
    return size;
}

static struct error *explain_other(const char *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins(bytes, size, others[i].begin))
            return ERROR(INVALID_ARGUMENT, "the program is %s", others[i].what);
    return NULL;
}

struct error *source_format_check_text(const char *bytes, size_t size)
{
    if (!size)
        return ERROR(INVALID_ARGUMENT, "the program is empty; pass StableHLO as text or bytecode");
    TRY(explain_other(bytes, size));
    if (is_hlo_text(bytes, size))
        return ERROR(INVALID_ARGUMENT, HLO_TEXT);
    size_t binary = find_binary(bytes, size);
    if (binary == size)
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "the program is neither MLIR bytecode (it would begin with 'ML\\xEFR') nor text: "
                 "byte %zu is 0x%02x%s",
                 binary, (unsigned char)bytes[binary],
                 *bytes == '\n' ? "; if it is a serialized HloModuleProto, its format is \"hlo\""
                                : "");
}

struct error *source_format_check_hlo(const char *bytes, size_t size)
{
    TRY(explain_other(bytes, size));
    if (is_hlo_text(bytes, size))
        return ERROR(INVALID_ARGUMENT, HLO_TEXT);
    if (!begins(bytes, size, "ML\xefR") && !begins(bytes, size, "module"))
        return NULL;
    return ERROR(INVALID_ARGUMENT,
                 "the program is MLIR %s, not an HloModuleProto: its format is \"mlir\"",
                 *bytes == 'M' ? "bytecode" : "text");
}
