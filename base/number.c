#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* strtod_l */
#endif
#include "base/number.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool number_take(const char **text, int64_t *out)
{
    char *end;
    if (!is_digit((*text)[**text == '-']))
        return false;
    errno = 0;
    long long value = strtoll(*text, &end, 10);
    if (errno)
        return false;
    *text = end;
    *out = value;
    return true;
}

/* Whether a number begins there that is not hexadecimal. */
static bool begins_real(const char *text)
{
    text += *text == '-';
    return is_digit(text[*text == '.']) && !(text[0] == '0' && strchr("xX", text[1]) && text[1]);
}

bool number_take_real(const char **text, double *out)
{
    char *end;
    if (!begins_real(*text))
        return false;
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0); /* static in glibc */
    double value = strtod_l(*text, &end, c);
    if (!isfinite(value))
        return false;
    *text = end;
    *out = value;
    return true;
}

bool number_read(const char *text, int64_t least, int64_t most, int64_t *out)
{
    int64_t value;
    if (!number_take(&text, &value) || *text || value < least || value > most)
        return false;
    *out = value;
    return true;
}

bool number_read_real(const char *text, double least, double most, double *out)
{
    double value;
    if (!number_take_real(&text, &value) || *text || !(value >= least && value <= most))
        return false;
    *out = value;
    return true;
}
