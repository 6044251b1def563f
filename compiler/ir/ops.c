/* ops.c: the operation table of ops.def and attrs.def as data. */
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "compiler/ir/infer.h"
#include "compiler/ir/ir.h"

/* clang-format off */
/* the number of fields of each set */
enum {
#define ATTRS(set) FIELDS_OF_##set = 0
#define FIELD(kind, name) +1
#define END ,
#include "compiler/ir/attrs.def"
#undef ATTRS
#undef FIELD
#undef END
    FIELDS_OF_COUNT_
};

/* fields_dot(): the fields of one set. Each set has a function, since a row of attrs.def does not
 * contain its set's name. */
#define ATTRS(set)                                                                                 \
    static const struct attr_field *fields_##set(void)                                             \
    {                                                                                              \
        typedef struct attrs_##set current;                                                        \
        static const struct attr_field fields[] = {
#define FIELD(kind, name) {#name, ATTR_##kind, offsetof(current, name), false},
#define REQUIRED(kind, name) {#name, ATTR_##kind, offsetof(current, name), true},
#define END                                                                                        \
    {                                                                                              \
        NULL, ATTR_INT, sizeof(current), false                                                     \
    }                                                                                              \
    }                                                                                              \
    ;                                                                                              \
    return fields;                                                                                 \
    }
#include "compiler/ir/attrs.def"
#undef ATTRS
#undef FIELD
#undef END

/* clang-format on */

/* Constant except for `fields`, which the first call of op_info() sets. */
static struct op_info infos[OP_CODE_COUNT] = {
    [OP_INVALID_CODE] = {.name = "invalid"},
#define OP(name, operands, results, traits, infer, attributes)                                     \
    [OP_##name] = {#name, operands, results, traits, infer_##infer, NULL, FIELDS_OF_##attributes},
#include "compiler/ir/ops.def"
#undef OP
};

static pthread_once_t infos_once = PTHREAD_ONCE_INIT;

static void infos_fill(void)
{
#define OP(name, operands, results, traits, infer, attributes)                                     \
    infos[OP_##name].fields = fields_##attributes();
#include "compiler/ir/ops.def"
#undef OP
}

const struct op_info *op_info(enum op_code code)
{
    pthread_once(&infos_once, infos_fill);
    return (unsigned)code < OP_CODE_COUNT ? &infos[code] : &infos[OP_INVALID_CODE];
}

/* ops.def is in strcmp order (ir_test.c proves it), so a binary search finds a name. */
enum op_code op_code_from_name(const char *name, size_t size)
{
    int low = OP_INVALID_CODE + 1, high = OP_CODE_COUNT - 1;
    while (low <= high) {
        int middle = (low + high) / 2;
        size_t length = strlen(infos[middle].name);
        int order = memcmp(name, infos[middle].name, size < length ? size : length);
        if (order == 0)
            order = (size > length) - (size < length);
        if (order == 0)
            return (enum op_code)middle;
        if (order < 0)
            high = middle - 1;
        else
            low = middle + 1;
    }
    return OP_INVALID_CODE;
}
