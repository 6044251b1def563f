/* text.c: see text.h. Capacity always includes the NUL. */
#include "base/text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

/* Reserves `size` more bytes and a NUL. When memory is exhausted, sets `failed` and returns
 * false. */
static bool text_reserve(struct text *text, size_t size)
{
    if (text->failed)
        return false;
    if (size < text->capacity - text->size)
        return true;
    size_t needed, capacity = text->capacity < 128 ? 128 : text->capacity * 2;
    if (__builtin_add_overflow(text->size, size, &needed) || needed > SIZE_MAX / 4) {
        text->failed = true;
        return false;
    }
    if (capacity < needed + 1)
        capacity = needed + 1;
    struct error *error = alloc_resize(&text->data, capacity);
    if (error) {
        error_free(error);
        text->failed = true;
        return false;
    }
    text->capacity = capacity;
    return true;
}

void text_add_bytes(struct text *text, const void *bytes, size_t size)
{
    if (!text_reserve(text, size))
        return;
    if (size)
        memcpy(text->data + text->size, bytes, size);
    text->size += size;
    text->data[text->size] = '\0';
}

void text_add(struct text *text, const char *format, ...)
{
    if (!text_reserve(text, 1))
        return;
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t left = text->capacity - text->size;
    int size = vsnprintf(text->data + text->size, left, format, arguments);
    va_end(arguments);
    if (size < 0) {
        text->data[text->size] = '\0';
    } else if ((size_t)size < left) {
        text->size += (size_t)size;
    } else if (text_reserve(text, (size_t)size)) {
        vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
}

void text_add_size(struct text *text, uint64_t bytes)
{
    static const char *const units[] = {"MiB", "GiB", "TiB", "PiB", "EiB"};
    double number = (double)bytes / (1 << 20);
    size_t unit = 0;
    for (; number >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        number /= 1024;
    if (number < 1)
        text_add(text, "%llu byte%s", (unsigned long long)bytes, bytes == 1 ? "" : "s");
    else
        text_add(text, "%.4g %s (%llu bytes)", number, units[unit], (unsigned long long)bytes);
}

struct error *text_finish(struct text *text, char **out, size_t *size)
{
    text_reserve(text, 0);
    *out = NULL;
    if (size)
        *size = 0;
    if (text->failed) {
        text_free(text);
        return error_out_of_memory();
    }
    text->data[text->size] = '\0';
    *out = text->data;
    if (size)
        *size = text->size;
    *text = (struct text){0};
    return NULL;
}

void text_free(struct text *text)
{
    alloc_free(text->data);
    *text = (struct text){0};
}
