#include "devices/host/kernel_machine/kernel_print.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"
#include "devices/host/kernel_machine/kernel_memory.h"

/* ---- elements -------------------------------------------------------------------------------- */
/* Of less than a byte, the lowest bits: the others may be anything (kernel_machine.c). */
static long long integer_of(enum dtype dtype, const void *at)
{
    int64_t number = kernel_integer(at, dtype_bytes(dtype));
    int bits = dtype_info(dtype)->bits;
    if (bits >= 8 || !dtype_is_integer(dtype))
        return number;
    int64_t sign = dtype_info(dtype)->class == CLASS_SIGNED ? INT64_C(1) << (bits - 1) : 0;
    return ((number & ((INT64_C(1) << bits) - 1)) ^ sign) - sign;
}

static void add_element(struct text *text, enum dtype dtype, const void *at)
{
    if (dtype_is_float(dtype))
        text_add(text, "%.9g", dtype_to_double(dtype, at));
    else
        text_add(text, "%lld", integer_of(dtype, at));
}

static void add_type(struct text *text, enum dtype dtype, int rank, const int64_t *dims)
{
    text_add(text, "%s[", dtype_name(dtype));
    for (int i = 0; i < rank; i++)
        text_add(text, "%s%lld", i > 0 ? "," : "", (long long)dims[i]);
    text_add(text, "] ");
}

/* ---- scalars --------------------------------------------------------------------------------- */
/* The number of a placeholder "$0" or "$x0", and where it ends; -1: there is none. */
static int placeholder(const char *at, bool *is_hex, const char **end)
{
    if (*at++ != '$')
        return -1;
    *is_hex = *at == 'x';
    while (isalpha((unsigned char)*at))
        at++;
    if (!isdigit((unsigned char)*at))
        return -1;
    int number = 0;
    for (; isdigit((unsigned char)*at); at++)
        number = number > INT_MAX / 16 ? INT_MAX / 16 : 10 * number + (*at - '0');
    *end = at;
    return number;
}

static void add_operand(struct text *text, const struct kernel_core *core,
                        const struct kernel_instr *in, int i, bool is_hex)
{
    enum dtype dtype = in->op->operands[i]->type->dtype;
    const void *at = kernel_at(core, in->all[i]);
    if (is_hex && dtype_bytes(dtype) == 4)
        text_add(text, "0x%x", *(const uint32_t *)at);
    else
        add_element(text, dtype, at);
}

static void add_formatted(struct text *text, const struct kernel_core *core,
                          const struct kernel_instr *in)
{
    for (const char *at = in->op->attrs->text, *end; *at; at = end) {
        bool is_hex = false;
        int number = placeholder(at, &is_hex, &end);
        if (number >= 0 && number < in->op->operand_count) {
            add_operand(text, core, in, number, is_hex);
        } else {
            text_add_bytes(text, at, 1);
            end = at + 1;
        }
    }
}

static void add_behind(struct text *text, const struct kernel_core *core,
                       const struct kernel_instr *in)
{
    text_add(text, "%s", in->op->attrs->text);
    for (int i = 0; i < in->op->operand_count; i++) {
        text_add(text, i > 0 ? ", " : "");
        add_type(text, in->op->operands[i]->type->dtype, 0, NULL);
        add_operand(text, core, in, i, false);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */
static enum kernel_flow put(struct kernel_core *core, const struct kernel_instr *in,
                            struct text *text)
{
    char *line;
    size_t size;
    text_add(text, "\n");
    struct error *error = text_finish(text, &line, &size);
    if (error)
        return kernel_core_fail(core, in->op, error);
    for (size_t at = 0; at < size;) {
        ssize_t written = write(STDERR_FILENO, line + at, size - at);
        if (written > 0)
            at += (size_t)written;
        else if (written == 0 || errno != EINTR)
            break; /* stderr is closed */
    }
    alloc_free(line);
    return KERNEL_FLOW_NEXT;
}

static enum kernel_flow print_scalars(struct kernel_core *core, const struct kernel_instr *in)
{
    struct text text = {0};
    if (in->op->attrs->formatted)
        add_formatted(&text, core, in);
    else
        add_behind(&text, core, in);
    return put(core, in, &text);
}

/* ---- vectors --------------------------------------------------------------------------------- */
static void add_rows(struct text *text, enum dtype dtype, const struct kernel_view *view,
                     const char *bytes)
{
    int64_t columns = view->rank > 0 ? view->dims[view->rank - 1] : 1;
    int64_t count = kernel_memory_bytes(view, 1), size = dtype_bytes(dtype);
    for (int64_t i = 0; i < count; i++) {
        text_add(text, i % columns > 0 ? ", " : i > 0 ? "\n{" : "{");
        add_element(text, dtype, bytes + i * size);
        text_add(text, i % columns == columns - 1 ? "}" : "");
    }
}

static enum kernel_flow print_buffer(struct kernel_core *core, const struct kernel_instr *in)
{
    const struct kernel_view *view = kernel_at(core, in->in[0]);
    enum dtype dtype = in->op->operands[0]->type->dtype;
    struct kernel_type type = {.kind = KERNEL_REF, .dtype = dtype, .rank = view->rank};
    struct kernel_buffer copy = {.space = KERNEL_VMEM};
    struct kernel_view whole;
    struct text text = {0};
    memcpy(type.dims, view->dims, sizeof type.dims);
    copy.size = kernel_memory_bytes(view, dtype_bytes(dtype));
    struct error *error = alloc_bytes((size_t)copy.size, &copy.bytes);
    if (error)
        return kernel_core_fail(core, in->op, error);
    kernel_memory_view(&copy, &type, &whole);
    kernel_memory_copy(view, &whole, dtype_bytes(dtype));
    text_add(&text, "%s", in->op->attrs->text);
    add_type(&text, dtype, view->rank, view->dims);
    add_rows(&text, dtype, view, copy.bytes);
    alloc_free(copy.bytes);
    return put(core, in, &text);
}

struct error *kernel_print_select(const struct kernel_op *op, struct kernel_instr *in)
{
    in->run = op->code == KERNEL_TPU_LOG ? print_scalars : print_buffer;
    return NULL;
}
