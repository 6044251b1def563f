/* plan_view.h: the plan of PJRT_Gantry_Plan, parsed from JSON (json_rows.h) for display. Not
 * thread-safe. */
#ifndef GANTRY_TOOLS_PLAN_VIEW_H
#define GANTRY_TOOLS_PLAN_VIEW_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"

struct plan_memory { /* bytes of one memory kind */
    const char *kind;
    double arguments, results, aliases, temporaries, constants, peak,
        capacity; /* capacity 0: none */
    bool fits;
    int64_t peak_step;
    double *live; /* owned: bytes of temporaries in use, per step; NULL if there are none */
};

struct plan_buffer { /* a buffer of the memory plan */
    int memory;      /* index in plan_view.memories */
    int result;      /* the result whose memory holds it; -1: the temporaries' own block */
    double offset, bytes;
    int64_t first, last;
    const char *contents, *operation;
};

struct plan_use { /* values in use at the peak of a memory, grouped by size and source line */
    int memory, count;
    double bytes;          /* of each */
    const char *kind;      /* static: "argument", "result", "temporary", "constants" */
    int index;             /* of the argument or result; 0 for other kinds */
    const char *contents;  /* "f32[4,512]" */
    const char *operation; /* "jit(f)/tanh (model.py:12:3)" */
};

struct plan_collective { /* equal ones of a program are one */
    const char *kind, *operation;
    char contents[64]; /* "f32[4,512]", or "f32[4,512] and 3 more" */
    int count, group_count, group_size;
    double trips, bytes, sent; /* trips: -1 unknown; bytes: of its operands; sent: by a device, in
                                  one execution of the program by all `count` of them */
};

/* An operation of a modeled accelerator, and the seconds for which it keeps each unit busy. */
enum plan_unit { PLAN_MATRIX, PLAN_VECTOR, PLAN_HBM, PLAN_LINKS, PLAN_HOST, PLAN_UNITS };
struct plan_operation {
    const char *name, *bound;
    double times, seconds, hidden, busy[PLAN_UNITS], flops, hbm_bytes; /* as in model_json.h */
};

enum { PLAN_MEMORIES = 3 };
struct plan_view { /* strings are borrowed from the JSON, or from `strings` */
    const char *program, *device;
    double code;
    double seconds; /* that an execution is expected to take; 0: not known */
    bool fits;
    struct plan_memory memories[PLAN_MEMORIES];
    int64_t step_count;
    const char **steps; /* owned, like the next two */
    size_t buffer_count, use_count, collective_count, operation_count;
    struct plan_buffer *buffers;         /* sorted by `first` */
    struct plan_use *uses;               /* sorted by decreasing bytes */
    struct plan_collective *collectives; /* owned; sorted by decreasing bytes sent */
    struct plan_operation *operations;   /* owned; in program order */
    struct arena *strings;               /* owned: of rows */
};

/* *out is owned: plan_view_free. Errors: INVALID_ARGUMENT for JSON that does not have the
 * extension's format. */
struct error *plan_view_read(const cJSON *json, struct plan_view *out);
void plan_view_free(struct plan_view *view);

/* Whether the program uses the memory. */
bool plan_view_is_used(const struct plan_memory *memory);
/* Names a use: "argument 3", "temporary" or "24 temporaries of 1 MiB". */
const char *plan_view_name(const struct plan_use *use, char out[64]);

/* Describes the groups of a collective: "2 groups of 4". */
const char *plan_view_groups(const struct plan_collective *collective, char out[64]);
/* Bytes that a device sends in one execution of the program. */
double plan_view_sent(const struct plan_view *view);

/* Print the plan as text or as an HTML page. */
void plan_text_print(const struct plan_view *view, struct text *out);
void plan_html_print(const struct plan_view *view, struct text *out);

#endif
