/* mlir_bytecode_cost_test.c: limits on the memory and time of reading MLIR bytecode. The programs
 * are so large that a quadratic algorithm would time out. The test writes the files. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "compiler/frontend/bytecode/mlir_bytecode.h"

/* ---- writing --------------------------------------------------------------------------------- */

static void byte(struct text *out, unsigned value)
{
    unsigned char one = (unsigned char)value;
    text_add_bytes(out, &one, 1);
}

/* The number of low zero bits is the number of bytes that follow. */
static void varint(struct text *out, uint64_t value)
{
    unsigned more = 0;
    while (more < 8 && value >> (7 * (more + 1)))
        more++;
    uint64_t coded = more < 8 ? (value << 1 | 1) << more : value;
    if (more == 8)
        byte(out, 0);
    for (unsigned i = 0; i <= more - (more == 8); i++)
        byte(out, (unsigned)(coded >> (8 * i)) & 255);
}

static void numbers(struct text *out, size_t count, const uint64_t *values)
{
    for (size_t i = 0; i < count; i++)
        varint(out, values[i]);
}
#define NUMBERS(out, ...)                                                                          \
    numbers(out, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t), (uint64_t[]){__VA_ARGS__})

/* Appends `part`, which is freed, as a section. */
static void section(struct text *out, unsigned id, struct text *part)
{
    byte(out, id);
    varint(out, part->size);
    text_add_bytes(out, part->data ? part->data : "", part->size);
    text_free(part);
}

enum { BUILTIN, VHLO, DIALECTS };

/* Indices of strings; the names of operations come first. */
static const char *const strings[] = {"builtin",   "vhlo",      "module", "func_v1",
                                      "negate_v1", "return_v1", "if_v1",  "optimization_barrier_v1",
                                      "main",      "public",    "a"};
enum { S_MODULE = 2, S_MAIN = 8, S_PUBLIC, S_KEY, STRINGS };
enum { OP_MODULE, OP_FUNC, OP_NEGATE, OP_END, OP_COND, OP_BARRIER, OP_NAMES };
enum { ATTRIBUTES = 1, RESULTS = 2, OPERANDS = 4, REGIONS = 16, PROPERTIES = 64 };

struct file {
    struct text entries, sizes, types_sizes, properties, body; /* of the function */
    size_t attrs, types, property_count;
    size_t values, operations; /* of the function's body */
};

/* Append one entry, whose bytes are in `entry`, which is freed. Types come after all attributes. */
static size_t add_attr(struct file *f, unsigned dialect, struct text *entry)
{
    NUMBERS(&f->sizes, dialect, 1, entry->size << 1 | 1);
    text_add_bytes(&f->entries, entry->data, entry->size);
    text_free(entry);
    return f->attrs++;
}

static size_t attr_of(struct file *f, unsigned dialect, size_t count, const uint64_t *values)
{
    struct text entry = {0};
    numbers(&entry, count, values);
    return add_attr(f, dialect, &entry);
}
#define ATTR(f, dialect, ...)                                                                      \
    attr_of(f, dialect, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                      \
            (uint64_t[]){__VA_ARGS__})

static size_t type_of(struct file *f, struct text *types, size_t count, const uint64_t *values)
{
    struct text entry = {0};
    numbers(&entry, count, values);
    NUMBERS(&f->types_sizes, VHLO, 1, entry.size << 1 | 1);
    text_add_bytes(types, entry.data, entry.size);
    text_free(&entry);
    return f->types++;
}
#define TYPE(f, types, ...)                                                                        \
    type_of(f, types, sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                        \
            (uint64_t[]){__VA_ARGS__})

enum { TYPE_ELEMENT, TYPE_SCALAR, TYPE_FUNC, TYPE_BIT, TYPE_PREDICATE, TYPE_FIRST_FREE };
enum { VHLO_F32 = 4, VHLO_BOOL = 0, VHLO_FUNC = 8, VHLO_TENSOR_TYPE = 20, VHLO_TUPLE = 23 };
enum { ATTR_PLACE, ATTR_NOTHING, ATTR_FUNC_TYPE, ATTR_NAME, ATTR_VISIBLE, ATTR_FIRST_FREE };

static void begin(struct file *f)
{
    *f = (struct file){0};
    ATTR(f, BUILTIN, 15); /* an unknown location */
    ATTR(f, VHLO, 1, 0);  /* [] */
    ATTR(f, VHLO, 17, TYPE_FUNC);
    ATTR(f, VHLO, 14, S_MAIN);
    ATTR(f, VHLO, 14, S_PUBLIC);
    f->values = 2; /* the arguments: f32 and i1 */
}

/* An operation of the function's body, up to its regions. */
static void operation(struct file *f, unsigned name, unsigned mask, size_t attributes)
{
    byte(&f->body, name << 1 | 1);
    byte(&f->body, mask);
    varint(&f->body, ATTR_PLACE);
    if (mask & ATTRIBUTES)
        varint(&f->body, attributes);
}

static void negate(struct file *f, unsigned mask, size_t attributes, size_t operand)
{
    operation(f, OP_NEGATE, mask | RESULTS | OPERANDS, attributes);
    NUMBERS(&f->body, 1, TYPE_SCALAR, 1, operand);
    f->values++;
    f->operations++;
}

static void end_block(struct file *f)
{
    operation(f, OP_END, OPERANDS, 0);
    NUMBERS(&f->body, 1, 0);
}

static void write_head(struct text *out)
{
    struct text part = {0};
    text_add_bytes(out, "ML\xefR", 4);
    varint(out, 6);
    text_add_bytes(out, "StableHLO_v1.0.0", 17);
    varint(&part, STRINGS);
    for (size_t i = STRINGS; i-- > 0;)
        varint(&part, strlen(strings[i]) + 1);
    for (size_t i = 0; i < STRINGS; i++)
        text_add_bytes(&part, strings[i], strlen(strings[i]) + 1);
    section(out, 0, &part);
    NUMBERS(&part, DIALECTS, 0 << 1, 1 << 1, OP_NAMES, BUILTIN, 1, S_MODULE << 1, VHLO,
            OP_NAMES - 1);
    for (uint64_t i = 1; i < OP_NAMES; i++)
        varint(&part, (S_MODULE + i) << 1);
    section(out, 1, &part);
}

/* Writes the function that contains the body, and the module that contains the function. */
static void write_ir(struct file *f, struct text *out)
{
    struct text func = {0}, module = {0}, ir = {0};
    NUMBERS(&func, 1, f->values, (f->operations + 1) << 1 | 1, 2);
    NUMBERS(&func, TYPE_SCALAR << 1, TYPE_PREDICATE << 1);
    byte(&func, 0); /* no order of uses */
    text_add_bytes(&func, f->body.data, f->body.size);
    NUMBERS(&module, 1, 0, 1 << 1, OP_FUNC);
    byte(&module, PROPERTIES | REGIONS);
    NUMBERS(&module, ATTR_PLACE, 0, 1 << 1 | 1);
    section(&module, 4, &func);
    NUMBERS(&ir, 1 << 1, OP_MODULE);
    byte(&ir, REGIONS);
    NUMBERS(&ir, ATTR_PLACE, 1 << 1 | 1);
    section(&ir, 4, &module);
    section(out, 4, &ir);
    text_free(&f->body);
}

/* `levels` tuple types, each of which contains the previous one twice. */
static struct text finish(struct file *f, int levels)
{
    struct text out = {0}, types = {0}, sizes = {0}, property = {0}, properties = {0};
    end_block(f);
    TYPE(f, &types, VHLO_F32);
    TYPE(f, &types, VHLO_TENSOR_TYPE, 0, TYPE_ELEMENT);
    TYPE(f, &types, VHLO_FUNC, 2, TYPE_SCALAR, TYPE_PREDICATE, 1, TYPE_SCALAR);
    TYPE(f, &types, VHLO_BOOL);
    TYPE(f, &types, VHLO_TENSOR_TYPE, 0, TYPE_BIT);
    for (int i = 0; i < levels; i++)
        TYPE(f, &types, VHLO_TUPLE, 2, i ? f->types - 1 : TYPE_SCALAR,
             i ? f->types - 1 : TYPE_SCALAR);
    write_head(&out);
    text_add_bytes(&f->entries, types.data, types.size);
    text_free(&types);
    section(&out, 2, &f->entries);
    NUMBERS(&sizes, f->attrs, f->types);
    text_add_bytes(&sizes, f->sizes.data, f->sizes.size);
    text_add_bytes(&sizes, f->types_sizes.data, f->types_sizes.size);
    text_free(&f->sizes);
    text_free(&f->types_sizes);
    section(&out, 3, &sizes);
    NUMBERS(&property, ATTR_NOTHING, ATTR_FUNC_TYPE, ATTR_NOTHING, ATTR_NAME, ATTR_VISIBLE);
    NUMBERS(&properties, 1, property.size);
    text_add_bytes(&properties, property.data, property.size);
    text_free(&property);
    section(&out, 8, &properties);
    write_ir(f, &out);
    return out;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct cost {
    size_t size, used; /* bytes of the file and of the arena */
    PJRT_Error_Code code;
    char message[512];
};

static struct cost read_file(struct text file)
{
    struct cost cost = {.size = file.size};
    struct arena *arena;
    struct module *module;
    cr_assert(!file.failed);
    cr_assert_null(arena_create(&arena));
    struct error *error = mlir_bytecode_read(arena, file.data, file.size, &module);
    if (!error)
        error = ir_verify(module, true);
    cost.used = arena_used(arena);
    if (error) {
        cost.code = error_code(error);
        snprintf(cost.message, sizeof cost.message, "%s", error_message(error, NULL));
    }
    error_free(error);
    arena_destroy(arena);
    text_free(&file);
    return cost;
}

static struct cost read_chain(size_t size)
{
    struct file f;
    begin(&f);
    for (size_t i = 0; i < size; i++)
        negate(&f, 0, 0, i ? i + 1 : 0);
    return read_file(finish(&f, 0));
}

/* One operation with many operands and results. */
static struct cost read_wide(size_t size)
{
    struct file f;
    begin(&f);
    operation(&f, OP_BARRIER, RESULTS | OPERANDS, 0);
    varint(&f.body, size);
    for (size_t i = 0; i < size; i++)
        varint(&f.body, TYPE_SCALAR);
    varint(&f.body, size);
    for (size_t i = 0; i < size; i++)
        varint(&f.body, 0);
    f.values += size;
    f.operations++;
    return read_file(finish(&f, 0));
}

/* Each operation has its own dictionary. */
static struct cost read_dictionaries(size_t size)
{
    struct file f;
    begin(&f);
    size_t key = ATTR(&f, BUILTIN, 2, S_KEY);
    for (size_t i = 0; i < size; i++)
        negate(&f, ATTRIBUTES, ATTR(&f, BUILTIN, 1, 1, key, key), 0);
    return read_file(finish(&f, 0));
}

Test(mlir_bytecode_cost, memory_grows_as_the_program)
{
    static const struct {
        const char *name;
        struct cost (*read)(size_t size);
    } families[] = {
        {"chain", read_chain}, {"wide", read_wide}, {"dictionaries", read_dictionaries}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        struct cost one = families[i].read(50000), two = families[i].read(100000);
        cr_assert_eq(one.code + two.code, 0, "%s: %s", families[i].name, two.message);
        cr_expect_lt((double)two.used / (double)one.used, 2.3, "%s: %zu, then %zu bytes",
                     families[i].name, one.used, two.used);
        cr_expect_lt(two.used, 300 * two.size, "%s: %zu bytes of arena for %zu", families[i].name,
                     two.used, two.size);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Many operations that share one dictionary of `names`. */
static struct cost read_shared(size_t size, size_t names)
{
    struct file f;
    struct text entry = {0};
    begin(&f);
    size_t key = ATTR(&f, BUILTIN, 2, S_KEY);
    NUMBERS(&entry, 1, names);
    for (size_t i = 0; i < names; i++)
        NUMBERS(&entry, key, key);
    size_t dictionary = add_attr(&f, BUILTIN, &entry);
    for (size_t i = 0; i < size; i++)
        negate(&f, ATTRIBUTES, dictionary, 0);
    return read_file(finish(&f, 0));
}

Test(mlir_bytecode_cost, attributes_that_many_operations_share)
{
    struct cost few = read_shared(2000, 200), many = read_shared(50000, 200);
    cr_assert_eq(few.code, 0, "%s", few.message);
    cr_assert_lt(few.used, 16 << 20, "%zu", few.used);
    cr_assert_eq(many.code, PJRT_Error_Code_RESOURCE_EXHAUSTED, "%s", many.message);
    cr_assert_not_null(strstr(many.message, "the operations refer to more than"), "%s",
                       many.message);
    cr_assert_lt(many.used, 300 * many.size, "%zu for %zu", many.used, many.size);
    struct cost wide = read_shared(1, 300);
    cr_assert_not_null(strstr(wide.message, "has 300 attributes; the limit is 256"), "%s",
                       wide.message);
}

/* Nested operations; each type contains the previous one twice. */
static struct cost read_tuples(size_t size, int levels)
{
    struct file f;
    begin(&f);
    for (size_t i = 0; i < size; i++) {
        operation(&f, OP_BARRIER, RESULTS | OPERANDS, 0);
        NUMBERS(&f.body, 1, TYPE_FIRST_FREE + (uint64_t)levels - 1, 1, 0);
        f.values++;
        f.operations++;
    }
    return read_file(finish(&f, levels));
}

Test(mlir_bytecode_cost, types_that_double)
{
    struct cost deep = read_tuples(1, 60), many = read_tuples(10000, 16);
    cr_assert_not_null(strstr(deep.message, "exceeds the limit of 1048576 parts"), "%s",
                       deep.message);
    cr_assert_neq(many.code, 0);
    cr_assert_lt(deep.used + many.used, 16 << 20);
}

/* `depth` nested operations, each with one value and an empty second region. */
static struct cost read_nested(int depth)
{
    struct file f;
    begin(&f);
    for (int i = 0; i < depth; i++) {
        operation(&f, OP_COND, RESULTS | OPERANDS | REGIONS, 0);
        NUMBERS(&f.body, 1, TYPE_SCALAR, 1, 1, 2 << 1);
        NUMBERS(&f.body, 1, i + 1 < depth, (1 + (i + 1 < depth)) << 1);
    }
    for (int i = 0; i < depth; i++) {
        end_block(&f);
        NUMBERS(&f.body, 1, 0, 1 << 1);
        end_block(&f);
    }
    f.values++;
    f.operations++;
    return read_file(finish(&f, 0));
}

Test(mlir_bytecode_cost, nesting_is_bounded)
{
    struct cost fits = read_nested(150);
    cr_assert_eq(fits.code, 0, "%s", fits.message);
    for (int depth = 300; depth <= 100000; depth *= 300) {
        struct cost cost = read_nested(depth);
        cr_assert_eq(cost.code, PJRT_Error_Code_INVALID_ARGUMENT, "%s", cost.message);
        cr_assert_not_null(strstr(cost.message, "nested deeper than"), "%s", cost.message);
        cr_assert_lt(cost.used, 32 * cost.size + (1 << 20));
    }
}

/* Counts of results, operands and values that exceed the remaining bytes. */
Test(mlir_bytecode_cost, counts_are_checked_before_they_size_anything)
{
    for (int which = 0; which < 3; which++) {
        struct file f;
        begin(&f);
        if (which == 2) {
            f.values = (size_t)1 << 40;
        } else {
            operation(&f, OP_BARRIER, which ? OPERANDS : RESULTS, 0);
            varint(&f.body, (uint64_t)1 << 40);
            f.operations++;
        }
        struct cost cost = read_file(finish(&f, 0));
        cr_assert_eq(cost.code, PJRT_Error_Code_INVALID_ARGUMENT);
        cr_assert_not_null(strstr(cost.message, "a count exceeds the bytes that are left"), "%s",
                           cost.message);
        cr_assert_lt(cost.used, 1 << 17);
    }
}
