#include "compiler/frontend/mosaic/base64.h"

static int digit_of(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* The letters without padding. */
static size_t letters_of(const char *text, size_t size)
{
    for (int i = 0; i < 2 && size && text[size - 1] == '='; i++)
        size--;
    return size;
}

struct error *base64_decode(struct arena *arena, const char *text, size_t text_size,
                            const uint8_t **out, size_t *size)
{
    size_t letters = letters_of(text, text_size), count = 0;
    uint8_t *bytes = ARENA_ARRAY(arena, uint8_t, text_size / 4 * 3 + 1);
    uint32_t word = 0;
    int bits = 0;
    *out = bytes;
    *size = 0;
    if (text_size % 4)
        return ERROR(INVALID_ARGUMENT, "base64 of %zu letters: not a multiple of 4", text_size);
    for (size_t i = 0; i < letters; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0)
            return ERROR(INVALID_ARGUMENT, "letter %zu of %zu is not one of base64's (code %d)", i,
                         text_size, (unsigned char)text[i]);
        word = word << 6 | (uint32_t)digit;
        if ((bits += 6) >= 8)
            bytes[count++] = (uint8_t)(word >> (bits -= 8));
    }
    *size = count;
    return NULL;
}
