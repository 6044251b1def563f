#include "compiler/frontend/text/mlir_text.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_func.h"
#include "compiler/frontend/mlir/mlir_sdy.h"
#include "compiler/frontend/text/mlir_text_alias.h"
#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_fields.h"
#include "compiler/frontend/text/mlir_text_location.h"
#include "compiler/frontend/text/mlir_text_op.h"
#include "compiler/frontend/text/mlir_text_sdy.h"
#include "compiler/frontend/text/mlir_text_type.h"

struct parameter { /* of a function: an argument or a result */
    struct mlir_text_argument argument;
    struct mlir_attr *attributes; /* a DICT, or NULL */
};

struct signature {
    struct string name;
    bool is_public;
    VEC(struct parameter) arguments;
    VEC(struct parameter) results;
};

/* ---- functions ------------------------------------------------------------------------------- */

static struct error *optional_dict(struct mlir_parser *p, struct mlir_attr **out)
{
    struct mlir_attr_set set = {0};
    *out = NULL;
    if (!mlir_lex_is(&p->lex, '{'))
        return NULL;
    TRY(mlir_text_attr_dict(p, &set));
    *out = mlir_text_attr_as_dict(p, &set);
    return NULL;
}

/* "%x: type"; only "type" in a declaration without a body. */
static struct error *read_parameter(struct mlir_parser *p, struct mlir_text_argument *out)
{
    if (p->lex.token == MLIR_TOKEN_VALUE || !mlir_text_type_begins(p))
        return mlir_text_op_argument(p, out);
    return mlir_text_type_value(p, &out->type);
}

/* "(%x: type {attributes}, ...)" */
static struct error *read_arguments(struct mlir_parser *p, struct signature *s)
{
    TRY(mlir_lex_expect(&p->lex, '('));
    while (!mlir_lex_is(&p->lex, ')')) {
        struct parameter parameter = {0};
        if (s->arguments.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_parameter(p, &parameter.argument));
        TRY(optional_dict(p, &parameter.attributes));
        TRY(mlir_text_location_skip(p));
        VEC_PUSH(p->arena, &s->arguments, parameter);
    }
    mlir_lex_next(&p->lex);
    return NULL;
}

/* "-> type" or "-> (type {attributes}, ...)", if present. */
static struct error *read_results(struct mlir_parser *p, struct signature *s)
{
    if (p->lex.token != MLIR_TOKEN_ARROW)
        return NULL;
    mlir_lex_next(&p->lex);
    bool group = mlir_lex_accept(&p->lex, '(');
    while (!group || !mlir_lex_is(&p->lex, ')')) {
        struct parameter parameter = {0};
        if (s->results.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(mlir_text_type_value(p, &parameter.argument.type));
        if (group)
            TRY(optional_dict(p, &parameter.attributes));
        VEC_PUSH(p->arena, &s->results, parameter);
        if (!group)
            return NULL;
    }
    mlir_lex_next(&p->lex);
    return NULL;
}

static struct mlir_boundary *boundary(struct mlir_parser *p, size_t count,
                                      const struct parameter *from)
{
    struct mlir_boundary *values = ARENA_ARRAY(p->arena, struct mlir_boundary, count);
    for (size_t i = 0; i < count; i++)
        values[i] = (struct mlir_boundary){from[i].argument.type, from[i].attributes};
    return values;
}

/* Creates the function and reads its body, starting with the '{'. */
static struct error *make_func(struct mlir_parser *p, size_t offset, const struct signature *s)
{
    struct mlir_signature signature = {
        .name = s->name,
        .is_public = s->is_public,
        .argument_count = s->arguments.count,
        .result_count = s->results.count,
        .arguments = boundary(p, s->arguments.count, s->arguments.items),
        .results = boundary(p, s->results.count, s->results.items),
    };
    TRY(mlir_lex_with_position(&p->lex, offset, mlir_func_make(&p->program, &signature, &p->func)));
    const struct string **names = ARENA_ARRAY(p->arena, const struct string *, s->arguments.count);
    for (size_t i = 0; i < s->arguments.count; i++)
        names[i] = &s->arguments.items[i].argument.name;
    return mlir_text_op_block(p, p->func->body, names);
}

/* "public @name(arguments) -> results attributes {...} {...}" after func.func. A function without a
 * body is omitted, so that calls to it are errors. */
static struct error *read_func(struct mlir_parser *p, size_t offset)
{
    struct signature s = {.is_public = true};
    struct mlir_attr_set ignored = {0};
    if (mlir_lex_accept_word(&p->lex, "private"))
        s.is_public = false;
    else if (!mlir_lex_accept_word(&p->lex, "public") && mlir_lex_accept_word(&p->lex, "nested"))
        s.is_public = false;
    TRY(mlir_lex_name(&p->lex, p->arena, &s.name));
    TRY(read_arguments(p, &s));
    TRY(read_results(p, &s));
    if (mlir_lex_accept_word(&p->lex, "attributes"))
        TRY(mlir_text_attr_dict(p, &ignored));
    if (mlir_lex_is(&p->lex, '{'))
        TRY(make_func(p, offset, &s));
    else if (s.name.size == 4 && memcmp(s.name.data, "main", 4) == 0)
        return mlir_lex_expected(&p->lex, "'{' and the body of @main");
    return mlir_text_location_skip(p);
}

/* ---- the generic form ------------------------------------------------------------------------ */

static struct error *read_properties(struct mlir_parser *p, struct mlir_attr_set *set)
{
    TRY(mlir_lex_expect(&p->lex, '('));
    TRY(mlir_lex_expect(&p->lex, ')'));
    if (!mlir_lex_accept(&p->lex, '<'))
        return NULL;
    TRY(mlir_text_attr_dict(p, set));
    return mlir_lex_expect(&p->lex, '>');
}

/* "{attributes} : () -> ()" after the regions. */
static struct error *read_tail(struct mlir_parser *p, struct mlir_attr_set *set)
{
    struct mlir_text_op nothing = {.code = OP_return};
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, set));
    TRY(mlir_text_op_types(p, &nothing));
    return mlir_text_location_skip(p);
}

static struct mlir_attr *nth(struct mlir_attr *array, size_t i)
{
    return array && array->kind == MLIR_ARRAY && i < array->array.count ? array->array.at[i] : NULL;
}

/* Reads a signature without the names of arguments, which are in the label of the body. */
static struct error *generic_signature(struct mlir_parser *p, const struct mlir_attr_set *set,
                                       size_t offset, struct signature *s)
{
    const struct mlir_attr *type = mlir_text_attr_find(set, "function_type");
    const struct mlir_attr *name = mlir_text_attr_find(set, "sym_name");
    const struct mlir_attr *visibility = mlir_text_attr_find(set, "sym_visibility");
    if (!type || type->kind != MLIR_TYPE || type->type->kind != MLIR_TYPE_FUNCTION || !name ||
        name->kind != MLIR_STRING)
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "a function must have a name and a type");
    s->name = name->string;
    if (s->name.size == 0 || memchr(s->name.data, 0, s->name.size))
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "the name of a function must not be empty or contain a NUL");
    s->is_public = !visibility || visibility->kind != MLIR_STRING ||
                   strcmp(visibility->string.data, "public") == 0;
    for (size_t i = 0; i < type->type->inputs.count; i++) {
        struct parameter parameter = {.attributes = nth(mlir_text_attr_find(set, "arg_attrs"), i)};
        TRY(mlir_type_value(type->type->inputs.at[i], &parameter.argument.type));
        VEC_PUSH(p->arena, &s->arguments, parameter);
    }
    for (size_t i = 0; i < type->type->outputs.count; i++) {
        struct parameter parameter = {.attributes = nth(mlir_text_attr_find(set, "res_attrs"), i)};
        TRY(mlir_type_value(type->type->outputs.at[i], &parameter.argument.type));
        VEC_PUSH(p->arena, &s->results, parameter);
    }
    return NULL;
}

/* "({ ^bb0(...): ... })": reads the names in the label, then the body. */
static struct error *generic_func(struct mlir_parser *p, size_t offset)
{
    struct mlir_attr_set set = {0};
    struct signature s = {0};
    TRY(read_properties(p, &set));
    TRY(generic_signature(p, &set, offset, &s));
    TRY(mlir_lex_expect(&p->lex, '('));
    if (!mlir_lex_is(&p->lex, '{'))
        return mlir_lex_expected(&p->lex, "'{'");
    size_t body = p->lex.start;
    mlir_lex_next(&p->lex);
    if (p->lex.token == MLIR_TOKEN_LABEL) {
        struct signature label = {0};
        mlir_lex_next(&p->lex);
        if (mlir_lex_is(&p->lex, '('))
            TRY(read_arguments(p, &label));
        if (label.arguments.count != s.arguments.count)
            return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                  "the body has %zu arguments; the function's type has %zu",
                                  label.arguments.count, s.arguments.count);
        for (size_t i = 0; i < s.arguments.count; i++)
            s.arguments.items[i].argument.name = label.arguments.items[i].argument.name;
        body = p->lex.start; /* at the ':', which below replaces the '{' */
    } else if (s.arguments.count > 0) {
        return mlir_lex_expected(&p->lex, "a label with the function's arguments");
    }
    mlir_lex_seek(&p->lex, body);
    if (mlir_lex_is(&p->lex, ':'))
        p->lex.punctuation = '{';
    TRY(make_func(p, offset, &s));
    TRY(mlir_lex_expect(&p->lex, ')'));
    return read_tail(p, &set);
}

static struct error *generic_mesh(struct mlir_parser *p)
{
    struct mlir_attr_set set = {0};
    TRY(read_properties(p, &set));
    TRY(read_tail(p, &set));
    const struct mlir_attr *name = mlir_text_attr_find(&set, "sym_name");
    if (!name || name->kind != MLIR_STRING)
        return MLIR_LEX_ERROR(&p->lex, "sdy.mesh must have a name");
    return mlir_lex_with_position(
        &p->lex, p->lex.start,
        mlir_sdy_define(&p->program, name->string, mlir_text_attr_find(&set, "mesh")));
}

/* ---- the module ------------------------------------------------------------------------------ */

static bool at_name(const struct mlir_parser *p, const char *name)
{
    bool token = p->lex.token == MLIR_TOKEN_WORD || p->lex.token == MLIR_TOKEN_STRING;
    return token && p->lex.word.size == strlen(name) &&
           memcmp(p->lex.word.data, name, p->lex.word.size) == 0;
}

static struct error *read_module_body(struct mlir_parser *p)
{
    while (p->lex.token != MLIR_TOKEN_END && !mlir_lex_is(&p->lex, '}')) {
        size_t offset = p->lex.start;
        bool generic = p->lex.token == MLIR_TOKEN_STRING;
        if (p->lex.token == MLIR_TOKEN_HASH || p->lex.token == MLIR_TOKEN_BANG) {
            TRY(mlir_text_alias_read(p));
        } else if (at_name(p, "func.func") || at_name(p, "func")) {
            mlir_lex_next(&p->lex);
            TRY(generic ? generic_func(p, offset) : read_func(p, offset));
        } else if (at_name(p, "sdy.mesh")) {
            mlir_lex_next(&p->lex);
            TRY(generic ? generic_mesh(p) : mlir_text_sdy_mesh(p));
            TRY(mlir_text_location_skip(p));
        } else {
            return mlir_lex_expected(&p->lex, "a function or a mesh");
        }
    }
    return NULL;
}

static struct error *read_count(const struct mlir_attr_set *set, const char *mhlo,
                                const char *stablehlo, int *out)
{
    const struct mlir_attr *attr = mlir_text_attr_find(set, mhlo);
    return attr ? mlir_program_count(mhlo, attr, out)
                : mlir_program_count(stablehlo, mlir_text_attr_find(set, stablehlo), out);
}

static struct error *read_attributes(struct mlir_parser *p, const struct mlir_attr_set *set)
{
    struct module *module = p->program.module;
    mlir_program_attributes(&p->program, mlir_text_attr_as_dict(p, set));
    TRY(read_count(set, "mhlo.num_replicas", "stablehlo.num_replicas", &module->num_replicas));
    return read_count(set, "mhlo.num_partitions", "stablehlo.num_partitions",
                      &module->num_partitions);
}

/* module @name attributes {...} { ... } */
static struct error *read_module(struct mlir_parser *p)
{
    struct mlir_attr_set set = {0};
    mlir_lex_next(&p->lex);
    if (p->lex.token == MLIR_TOKEN_SYMBOL) {
        struct string name;
        TRY(mlir_lex_name(&p->lex, p->arena, &name));
        p->program.module->name = name.data;
    }
    if (mlir_lex_accept_word(&p->lex, "attributes"))
        TRY(mlir_text_attr_dict(p, &set));
    TRY(read_attributes(p, &set));
    TRY(mlir_lex_expect(&p->lex, '{'));
    TRY(read_module_body(p));
    TRY(mlir_lex_expect(&p->lex, '}'));
    return mlir_text_location_skip(p);
}

/* "builtin.module"() <{sym_name = ...}> ({ ... }) {...} : () -> () */
static struct error *generic_module(struct mlir_parser *p)
{
    struct mlir_attr_set set = {0};
    mlir_lex_next(&p->lex);
    TRY(read_properties(p, &set));
    TRY(mlir_lex_expect(&p->lex, '('));
    TRY(mlir_lex_expect(&p->lex, '{'));
    TRY(read_module_body(p));
    TRY(mlir_lex_expect(&p->lex, '}'));
    TRY(mlir_lex_expect(&p->lex, ')'));
    TRY(read_tail(p, &set));
    const struct mlir_attr *name = mlir_text_attr_find(&set, "sym_name");
    if (name && name->kind == MLIR_STRING && !memchr(name->string.data, 0, name->string.size))
        p->program.module->name = name->string.data;
    return read_attributes(p, &set);
}

static struct error *read_file(struct mlir_parser *p)
{
    TRY(mlir_text_alias_read(p));
    if (at_name(p, "builtin.module"))
        TRY(p->lex.token == MLIR_TOKEN_STRING ? generic_module(p) : read_module(p));
    else if (at_name(p, "module"))
        TRY(read_module(p));
    else
        TRY(read_module_body(p)); /* functions without a module around them */
    TRY(mlir_text_alias_read(p));
    if (p->lex.token != MLIR_TOKEN_END)
        return mlir_lex_expected(&p->lex, "the end of the text");
    TRY(mlir_text_fields_link(p));
    mlir_text_location_finish(p);
    return NULL;
}

struct error *mlir_text_read_dict(struct arena *arena, const char *text, size_t size,
                                  const struct dict **out)
{
    struct mlir_parser parser;
    struct mlir_attr_set set = {0};
    *out = NULL;
    mlir_parser_begin(&parser, arena, text, size);
    TRY(mlir_text_attr_dict(&parser, &set));
    if (parser.lex.token != MLIR_TOKEN_END)
        return mlir_lex_expected(&parser.lex, "the end of the dictionary");
    *out = mlir_attr_raw(arena, mlir_text_attr_as_dict(&parser, &set))->dict;
    return NULL;
}

struct error *mlir_text_read_attr(struct module *module, const char *text, size_t size,
                                  struct mlir_attr **out)
{
    struct mlir_parser parser;
    mlir_parser_begin(&parser, module->arena, text, size);
    mlir_program_begin(&parser.program, module->arena, module->name, module->meshes);
    TRY(mlir_text_attr_read(&parser, out));
    return parser.lex.token == MLIR_TOKEN_END
               ? NULL
               : mlir_lex_expected(&parser.lex, "the end of the attribute");
}

struct read {
    struct arena *arena;
    const char *text;
    size_t size;
    struct module *module;
};

static struct error *read_body(void *context)
{
    struct read *read = context;
    struct arena *arena = read->arena;
    struct mlir_parser parser;
    mlir_parser_begin(&parser, arena, read->text, read->size);
    mlir_program_begin(&parser.program, arena, "module", map_create(arena));
    read->module = parser.program.module;
    return read_file(&parser);
}

struct error *mlir_text_read(struct arena *arena, const void *text, size_t size,
                             struct module **out)
{
    struct read read = {.arena = arena, .text = text, .size = size};
    const char *outer = arena_set_task(arena, "reading MLIR text");
    struct error *error = arena_run(arena, read_body, &read);
    arena_set_task(arena, outer);
    *out = error ? NULL : read.module;
    return error;
}
