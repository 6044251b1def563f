#include "tools/svg_shapes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char style[] =
    "<style>\n"
    "text{font-family:'Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#1f2a37}\n"
    ".title{font-size:24px;font-weight:600}.name{font-size:14px;font-weight:600}\n"
    ".small{font-size:12px;fill:#5d6b7a}.tiny{font-size:11px;fill:#5d6b7a}\n"
    ".right{font-size:12px;fill:#5d6b7a;text-anchor:end}\n"
    ".device{font-size:11px;font-weight:600;fill:#1c5d99;text-anchor:end}\n"
    ".page{fill:#fff}.package{fill:#f4f6f8;stroke:#d5dce3;rx:12px}\n"
    ".node{fill:#fff;stroke:#c3ccd6;rx:8px}.memory{fill:#fff;stroke:#c3ccd6;stroke-dasharray:5 "
    "3;rx:8px}\n"
    ".closed{fill:#f4f6f8;stroke:#d5dce3;rx:8px}\n"
    ".card{fill:#fff;stroke:#c3ccd6;rx:10px}.bar{fill:#e6ebf0;rx:4px}\n"
    ".use{fill:#2b7a78;rx:4px}.peak{fill:#a9d5d3;rx:4px}\n"
    ".core{fill:#dbe9f6;rx:5px}.cpu{fill:#7fb2e0;rx:2px}.worker{fill:#1c5d99;rx:2px}\n"
    ".none{fill:#e6e9ec;rx:2px}.shut{fill:#f0f2f4;rx:5px}\n"
    ".offline{fill:none;stroke:#b6c0ca;stroke-dasharray:3 2;rx:5px}\n"
    ".number{font-size:10px;fill:#12324f;text-anchor:middle;pointer-events:none}\n"
    ".line{stroke:#7d8b99;stroke-width:2}\n"
    "@media(prefers-color-scheme:dark){text{fill:#e6ebf2}.small,.tiny,.right{fill:#9fadbd}"
    ".device{fill:#8fc1f0}.page{fill:#12161c}.package,.closed{fill:#1a2029;stroke:#343f4c}\n"
    ".node,.memory,.card{fill:#20272f;stroke:#3d4957}.bar{fill:#343f4c}.use{fill:#5aa7a0}"
    ".peak{fill:#2f5f5b}.core{fill:#2c3f53}.cpu{fill:#3f78b8}.worker{fill:#7fb2e0}"
    ".none{fill:#3d4957}.shut{fill:#262d36}.offline{stroke:#566372}.number{fill:#fff}}\n"
    "</style>\n";

void svg_box(struct text *out, const char *class, int x, int y, int width, int height)
{
    text_add(out, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", class, x,
             y, width, height);
}

void svg_line(struct text *out, int x, int y, int to_x, int to_y)
{
    text_add(out, "<line class=\"line\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", x, y, to_x,
             to_y);
}

void svg_label(struct text *out, const char *class, int x, int y, int limit, const char *format,
               ...)
{
    char words[256];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    if (limit < (int)sizeof words && size > limit)
        strcpy(words + (limit > 3 ? limit - 3 : 0), "...");
    text_add(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, x, y);
    for (const char *at = words; *at; at++) {
        const char *escaped = *at == '<' ? "&lt;" : *at == '&' ? "&amp;" : NULL;
        text_add_bytes(out, escaped ? escaped : at, escaped ? strlen(escaped) : 1);
    }
    text_add(out, "</text>\n");
}

void svg_page(struct text *out, struct text *shapes, int width, int height)
{
    text_add(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d "
        "%d\">\n%s<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n",
        width, height, width, height, style);
    text_add_bytes(out, shapes->data ? shapes->data : "", shapes->size);
    text_add(out, "</svg>\n");
    out->failed |= shapes->failed;
    text_free(shapes);
}
