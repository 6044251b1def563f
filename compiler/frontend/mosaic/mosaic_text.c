#include "compiler/frontend/mosaic/mosaic_text.h"

#include <string.h>

#include "base/map.h"
#include "compiler/frontend/mosaic/mosaic_text_type.h"
#include "compiler/frontend/text/mlir_text_alias.h"
#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_location.h"
#include "compiler/frontend/text/mlir_text_name.h"
#include "compiler/frontend/text/mlir_text_op.h"
#include "compiler/kernel_ir/kernel_rules.h"

struct reader {
    struct mlir_parser parser;
    struct mosaic_module *module;
};

struct parts { /* of an operation while it is read */
    size_t offset;
    struct string dialect, name;
    VEC(const struct kernel_value *) operands;
    VEC(struct kernel_block) regions;
    VEC(const struct kernel_type *) results;
    struct mlir_attr_set attrs;
};

static struct error *unsupported(struct reader *r, const char *what)
{
    return mlir_lex_error(&r->parser.lex, PJRT_Error_Code_UNIMPLEMENTED, r->parser.lex.start,
                          "%s in a Pallas kernel is unsupported", what);
}

/* ---- values ---------------------------------------------------------------------------------- */
static struct error *bind(struct reader *r, struct string name, int count,
                          const struct kernel_value *values)
{
    return mlir_text_name_bind(&r->parser, name,
                               (struct mlir_binding){.count = count, .kernel_values = values});
}

static void define(struct reader *r, size_t count, const struct kernel_type *const *types,
                   struct kernel_value **out)
{
    *out = ARENA_ARRAY(r->parser.arena, struct kernel_value, count);
    for (size_t i = 0; i < count; i++)
        (*out)[i] = (struct kernel_value){types[i], r->module->value_count++};
}

/* "(%a, %b#1)" */
static struct error *read_operands(struct reader *r, struct parts *out)
{
    struct mlir_parser *p = &r->parser;
    TRY(mlir_lex_expect(&p->lex, '('));
    while (!mlir_lex_is(&p->lex, ')')) {
        const struct mlir_binding *binding;
        int number;
        if (out->operands.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(mlir_text_name_use(p, &binding, &number));
        VEC_PUSH(p->arena, &out->operands, &binding->kernel_values[number]);
    }
    mlir_lex_next(&p->lex);
    return NULL;
}

/* ---- types ----------------------------------------------------------------------------------- */
/* "(types)": those of the operands, which have been read. */
static struct error *check_operands(struct reader *r, const struct parts *parts)
{
    struct mlir_parser *p = &r->parser;
    size_t i = 0;
    TRY(mlir_lex_expect(&p->lex, '('));
    for (; !mlir_lex_is(&p->lex, ')'); i++) {
        const struct kernel_type *type;
        if (i)
            TRY(mlir_lex_expect(&p->lex, ','));
        size_t offset = p->lex.start;
        TRY(mosaic_text_type(p, &type));
        if (i >= parts->operands.count ||
            !kernel_rules_same_type(type, parts->operands.items[i]->type))
            return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                  "operand %zu does not have this type", i);
    }
    if (i < parts->operands.count)
        return MLIR_LEX_ERROR(&p->lex, "%zu operands have no type", parts->operands.count - i);
    mlir_lex_next(&p->lex);
    return NULL;
}

/* "type" or "(types)" after the arrow */
static struct error *read_results(struct reader *r, struct parts *out)
{
    struct mlir_parser *p = &r->parser;
    const struct kernel_type *type;
    if (!mlir_lex_accept(&p->lex, '(')) {
        TRY(mosaic_text_type(p, &type));
        VEC_PUSH(p->arena, &out->results, type);
        return NULL;
    }
    while (!mlir_lex_is(&p->lex, ')')) {
        if (out->results.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(mosaic_text_type(p, &type));
        VEC_PUSH(p->arena, &out->results, type);
    }
    mlir_lex_next(&p->lex);
    return NULL;
}

/* ": (types) -> types" */
static struct error *read_types(struct reader *r, struct parts *out)
{
    TRY(mlir_lex_expect(&r->parser.lex, ':'));
    TRY(check_operands(r, out));
    TRY(mlir_lex_expect_arrow(&r->parser.lex));
    return read_results(r, out);
}

/* ---- operations ------------------------------------------------------------------------------ */
static struct error *read_region(struct reader *r, struct kernel_block *out);

/* "<{properties}> ({ region }, ...) {attributes}", each if present */
static struct error *read_middle(struct reader *r, struct parts *out)
{
    struct mlir_parser *p = &r->parser;
    if (mlir_lex_is(&p->lex, '['))
        return unsupported(r, "a branch to another block");
    if (mlir_lex_accept(&p->lex, '<')) {
        TRY(mlir_text_attr_dict(p, &out->attrs));
        TRY(mlir_lex_expect(&p->lex, '>'));
    }
    if (mlir_lex_accept(&p->lex, '(')) {
        do {
            struct kernel_block block = {0};
            TRY(read_region(r, &block));
            VEC_PUSH(p->arena, &out->regions, block);
        } while (mlir_lex_accept(&p->lex, ','));
        TRY(mlir_lex_expect(&p->lex, ')'));
    }
    return mlir_lex_is(&p->lex, '{') ? mlir_text_attr_dict(p, &out->attrs) : NULL;
}

/* "dialect.name" in quotes */
static struct error *read_name(struct reader *r, struct parts *out)
{
    struct mlir_lex *lex = &r->parser.lex;
    if (lex->token != MLIR_TOKEN_STRING)
        return mlir_lex_expected(lex, "an operation in generic form, its name in quotes");
    const char *dot = memchr(lex->word.data, '.', lex->word.size);
    size_t size = dot ? (size_t)(dot - lex->word.data) : 0;
    *out = (struct parts){
        .offset = lex->start,
        .dialect = {size, lex->word.data},
        .name = {lex->word.size - size - (dot != NULL), lex->word.data + size + (dot != NULL)}};
    mlir_lex_next(lex);
    return NULL;
}

static struct error *complete(struct reader *r, const struct parts *parts, struct kernel_op *out)
{
    struct mlir_parser *p = &r->parser;
    TRY(mosaic_op_counts(out->code, parts->operands.count, parts->results.count,
                         parts->regions.count));
    out->operand_count = (int)parts->operands.count;
    out->operands = parts->operands.items;
    out->result_count = (int)parts->results.count;
    define(r, parts->results.count, parts->results.items, &out->results);
    out->region_count = (int)parts->regions.count;
    out->regions = parts->regions.items;
    return mosaic_op_complete(r->module, mlir_text_attr_as_dict(p, &parts->attrs), out);
}

static struct error *bind_results(struct reader *r, const struct mlir_text_names *names,
                                  const struct kernel_op *op)
{
    const struct kernel_value *values = op->results;
    TRY(mlir_text_name_check(&r->parser, names, op->result_count));
    for (size_t i = 0; i < names->list.count; i++) {
        TRY(bind(r, names->list.items[i].name, names->list.items[i].count, values));
        values += names->list.items[i].count;
    }
    return NULL;
}

/* %names = "stable_mosaic.name"(operands) middle : types loc(...) */
static struct error *read_op(struct reader *r, struct kernel_op **out)
{
    struct mlir_parser *p = &r->parser;
    struct kernel_op *op = *out = ARENA_NEW(p->arena, struct kernel_op);
    struct mlir_text_names names;
    struct parts parts;
    TRY(mlir_text_name_results(p, &names));
    TRY(read_name(r, &parts));
    op->location = mlir_text_op_location(p, parts.offset);
    op->code = mosaic_op_code(parts.dialect, parts.name);
    if (op->code == KERNEL_CODE_COUNT)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, parts.offset,
                              "this operation of a Pallas kernel is unsupported");
    TRY(read_operands(r, &parts));
    TRY(read_middle(r, &parts));
    TRY(read_types(r, &parts));
    TRY(mlir_lex_with_position(&p->lex, parts.offset, complete(r, &parts, op)));
    TRY(mlir_text_location_of(p, &op->location));
    return bind_results(r, &names, op);
}

/* ---- regions --------------------------------------------------------------------------------- */
/* "^bb0(%a: type, ...):", if present */
static struct error *read_label(struct reader *r, struct kernel_block *out)
{
    struct mlir_parser *p = &r->parser;
    VEC(struct string) names = {0};
    VEC(const struct kernel_type *) types = {0};
    if (p->lex.token != MLIR_TOKEN_LABEL)
        return NULL;
    mlir_lex_next(&p->lex);
    bool more = mlir_lex_accept(&p->lex, '(') && !mlir_lex_accept(&p->lex, ')');
    while (more) {
        const struct kernel_type *type;
        if (p->lex.token != MLIR_TOKEN_VALUE)
            return mlir_lex_expected(&p->lex, "the name of an argument");
        VEC_PUSH(p->arena, &names, p->lex.word);
        mlir_lex_next(&p->lex);
        TRY(mlir_lex_expect(&p->lex, ':'));
        TRY(mosaic_text_type(p, &type));
        VEC_PUSH(p->arena, &types, type);
        TRY(mlir_text_location_skip(p));
        more = mlir_lex_accept(&p->lex, ',');
        if (!more)
            TRY(mlir_lex_expect(&p->lex, ')'));
    }
    if (names.count > INT16_MAX)
        return MLIR_LEX_ERROR(&p->lex, "a block has %zu arguments; the limit is %d", names.count,
                              INT16_MAX);
    out->argument_count = (int)names.count;
    define(r, names.count, types.items, &out->arguments);
    for (size_t i = 0; i < names.count; i++)
        TRY(bind(r, names.items[i], 1, &out->arguments[i]));
    return mlir_lex_expect(&p->lex, ':');
}

/* "{ ^bb0(...): operations }" */
static struct error *read_region(struct reader *r, struct kernel_block *out)
{
    struct mlir_parser *p = &r->parser;
    struct kernel_op **tail = &out->first;
    size_t mark = mlir_text_name_push(p);
    TRY(mlir_lex_expect(&p->lex, '{'));
    TRY(mlir_parser_enter(p));
    TRY(read_label(r, out));
    for (; !mlir_lex_is(&p->lex, '}'); tail = &(*tail)->next) {
        if (p->lex.token == MLIR_TOKEN_LABEL)
            return unsupported(r, "a region of several blocks");
        TRY(read_op(r, tail));
    }
    p->depth--;
    mlir_text_name_pop(p, mark);
    return mlir_lex_expect(&p->lex, '}');
}

/* ---- the module ------------------------------------------------------------------------------ */
static struct error *read_function(struct reader *r)
{
    struct mlir_parser *p = &r->parser;
    struct mosaic_function *function = ARENA_NEW(p->arena, struct mosaic_function);
    struct parts parts;
    TRY(read_name(r, &parts));
    if (parts.dialect.size != 13 || parts.name.size != 9 ||
        memcmp(parts.dialect.data, "stable_mosaic.func.func", 23) != 0)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, parts.offset,
                              "a kernel's module has functions only");
    p->scope = ++p->scopes;
    r->module->value_count = 0;
    TRY(read_operands(r, &parts));
    TRY(read_middle(r, &parts));
    TRY(read_types(r, &parts));
    if (parts.regions.count != 1 || parts.operands.count || parts.results.count)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, parts.offset,
                              "a function has one region, and neither operands nor results");
    function->function.body = parts.regions.items[0];
    function->function.value_count = r->module->value_count;
    function->function.location = mlir_text_op_location(p, parts.offset);
    function->dict = mlir_text_attr_as_dict(p, &parts.attrs);
    VEC_PUSH(p->arena, &r->module->functions, function);
    return mlir_text_location_of(p, &function->function.location);
}

/* "{ functions }" */
static struct error *read_body(struct reader *r)
{
    TRY(mlir_lex_expect(&r->parser.lex, '{'));
    while (!mlir_lex_is(&r->parser.lex, '}'))
        TRY(read_function(r));
    return mlir_lex_expect(&r->parser.lex, '}');
}

static struct error *read_version(struct reader *r, const struct mlir_attr_set *attrs)
{
    struct mlir_parser *p = &r->parser;
    return mlir_lex_with_position(&p->lex, p->lex.start,
                                  mosaic_op_version(r->module, mlir_text_attr_as_dict(p, attrs)));
}

/* "@name attributes {...} { functions }" after `module` */
static struct error *read_module(struct reader *r)
{
    struct mlir_parser *p = &r->parser;
    struct mlir_attr_set attrs = {0};
    if (p->lex.token == MLIR_TOKEN_SYMBOL)
        mlir_lex_next(&p->lex);
    if (mlir_lex_accept_word(&p->lex, "attributes"))
        TRY(mlir_text_attr_dict(p, &attrs));
    TRY(read_version(r, &attrs));
    return read_body(r);
}

/* "() ({ functions }) {...} : () -> ()" after "builtin.module". The attributes, of which the
 * operations need the version, follow them, so they are read first. */
static struct error *read_generic_module(struct reader *r)
{
    struct mlir_parser *p = &r->parser;
    struct mlir_attr_set attrs = {0};
    TRY(mlir_lex_expect(&p->lex, '('));
    TRY(mlir_lex_expect(&p->lex, ')'));
    if (mlir_lex_is(&p->lex, '<'))
        TRY(mlir_lex_skip_group(&p->lex));
    size_t begin = p->lex.start;
    TRY(mlir_lex_expect(&p->lex, '('));
    mlir_lex_seek(&p->lex, begin);
    TRY(mlir_lex_skip_group(&p->lex));
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, &attrs));
    size_t end = p->lex.start;
    TRY(read_version(r, &attrs));
    mlir_lex_seek(&p->lex, begin);
    mlir_lex_next(&p->lex);
    TRY(read_body(r));
    TRY(mlir_lex_expect(&p->lex, ')'));
    mlir_lex_seek(&p->lex, end);
    return read_types(r, &(struct parts){0});
}

static struct error *read_file(struct reader *r)
{
    struct mlir_parser *p = &r->parser;
    TRY(mlir_text_alias_read(p));
    struct string name = p->lex.word;
    bool is_generic = p->lex.token == MLIR_TOKEN_STRING && name.size == 14 &&
                      memcmp(name.data, "builtin.module", 14) == 0;
    if (!is_generic && !mlir_lex_is_word(&p->lex, "module") &&
        !mlir_lex_is_word(&p->lex, "builtin.module"))
        return mlir_lex_expected(&p->lex, "MLIR bytecode or a module");
    mlir_lex_next(&p->lex);
    TRY(is_generic ? read_generic_module(r) : read_module(r));
    TRY(mlir_text_location_skip(p));
    TRY(mlir_text_alias_read(p));
    if (p->lex.token != MLIR_TOKEN_END)
        return mlir_lex_expected(&p->lex, "the end of the text");
    mlir_text_location_finish(p);
    return NULL;
}

struct error *mosaic_text_read(const char *text, size_t size, struct mosaic_module *module)
{
    struct reader r = {.module = module};
    mlir_parser_begin(&r.parser, module->arena, text, size);
    mlir_program_begin(&r.parser.program, module->arena, "kernel", map_create(module->arena));
    r.parser.has_vectors = true;
    return read_file(&r);
}
