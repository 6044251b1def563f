#include "compiler/frontend/text/mlir_text_mesh.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_groups.h"
#include "compiler/frontend/text/mlir_text_attr.h"

/* ---- fields ---------------------------------------------------------------------------------- */

/* "(1)2", the sub-axis of an axis. */
static struct error *read_sub_axis(struct mlir_parser *p, struct mlir_attr **out)
{
    struct mlir_axis *axis = ARENA_NEW(p->arena, struct mlir_axis);
    TRY(mlir_lex_expect(&p->lex, '('));
    TRY(mlir_lex_integer(&p->lex, &axis->pre_size));
    TRY(mlir_lex_expect(&p->lex, ')'));
    TRY(mlir_lex_integer(&p->lex, &axis->size));
    *out = mlir_text_attr_make(p, MLIR_SUB_AXIS, "a sub-axis");
    (*out)->axis = axis;
    return NULL;
}

/* An axis in the list of a mesh: with its kind, or without. */
static struct error *read_mesh_axis(struct mlir_parser *p, struct mlir_attr **out)
{
    return mlir_lex_is(&p->lex, '<') ? mlir_text_mesh_read(p, "stablehlo.mesh_axis", out)
                                     : mlir_text_attr_read(p, out);
}

static struct error *read_field(struct mlir_parser *p, const char *kind, const char *name,
                                struct mlir_attr **out)
{
    if (strcmp(kind, "stablehlo.mesh") == 0 && strcmp(name, "axes") == 0)
        return mlir_text_attr_elements(p, read_mesh_axis, "mesh axes", out);
    if (strcmp(name, "sub_axis_info") == 0 && mlir_lex_is(&p->lex, '('))
        return read_sub_axis(p, out);
    return mlir_text_attr_read(p, out);
}

/* "<name = value, ...>" */
static struct error *read_fields(struct mlir_parser *p, const char *kind,
                                 struct mlir_attr_set *fields)
{
    TRY(mlir_lex_expect(&p->lex, '<'));
    while (!mlir_lex_is(&p->lex, '>')) {
        struct string word = p->lex.word;
        struct mlir_attr *value;
        if (p->lex.token != MLIR_TOKEN_WORD)
            return mlir_lex_expected(&p->lex, "a name");
        const char *name = arena_string(p->arena, word.data, word.size);
        mlir_lex_next(&p->lex);
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(read_field(p, kind, name, &value));
        mlir_text_attr_add(p, fields, (struct string){word.size, name}, value);
        if (!mlir_lex_accept(&p->lex, ','))
            break;
    }
    return mlir_lex_expect(&p->lex, '>');
}

/* ---- attributes ------------------------------------------------------------------------------ */

static struct error *find(struct mlir_parser *p, size_t offset, const struct mlir_attr_set *fields,
                          const char *name, struct mlir_attr **out)
{
    *out = mlir_text_attr_find(fields, name);
    return *out ? NULL
                : mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                 "the attribute has no field %s", name);
}

/* <name = "x", sub_axis_info = (1)2> or <name = "x", size = 4> */
static struct error *make_axis(struct mlir_parser *p, size_t offset, bool is_ref,
                               const struct mlir_attr_set *fields, struct mlir_attr *out)
{
    struct mlir_axis *axis = ARENA_NEW(p->arena, struct mlir_axis);
    struct mlir_attr *name, *size = NULL,
                            *sub = is_ref ? mlir_text_attr_find(fields, "sub_axis_info") : NULL;
    TRY(find(p, offset, fields, "name", &name));
    if (!is_ref)
        TRY(find(p, offset, fields, "size", &size));
    if (name->kind != MLIR_STRING || (size && size->kind != MLIR_INTEGER) ||
        (sub && sub->kind != MLIR_SUB_AXIS))
        return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                              "an axis of a mesh must have a name, and %s",
                              is_ref ? "a sub-axis such as (1)2 or none" : "a size");
    if (sub)
        *axis = *sub->axis;
    else if (size)
        axis->size = size->integer;
    axis->name = name->string.data;
    out->kind = is_ref ? MLIR_AXIS : MLIR_AXIS_SIZE;
    out->name = "an axis of a mesh";
    out->axis = axis;
    return NULL;
}

static struct error *make_mesh(struct mlir_parser *p, size_t offset,
                               const struct mlir_attr_set *fields, struct mlir_attr *out)
{
    struct mlir_attr *axes;
    TRY(find(p, offset, fields, "axes", &axes));
    out->name = "a mesh";
    return mlir_lex_with_position(
        &p->lex, offset,
        mlir_groups_mesh(p->arena, axes, mlir_text_attr_find(fields, "device_ids"), out));
}

static struct error *make_groups(struct mlir_parser *p, size_t offset,
                                 const struct mlir_attr_set *fields, struct mlir_attr *out)
{
    struct mlir_attr *mesh, *axes;
    TRY(find(p, offset, fields, "mesh", &mesh));
    TRY(find(p, offset, fields, "axes", &axes));
    out->name = "replica groups along axes of a mesh";
    return mlir_lex_with_position(
        &p->lex, offset,
        error_prefix(mlir_groups_make(p->arena, mesh, axes, out), "replica_group_mesh_axes"));
}

static const char *const kinds[] = {"stablehlo.axis_ref", "stablehlo.mesh_axis", "stablehlo.mesh",
                                    "stablehlo.replica_group_mesh_axes"};

bool mlir_text_mesh_is(const char *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return true;
    return false;
}

struct error *mlir_text_mesh_read(struct mlir_parser *p, const char *kind, struct mlir_attr **out)
{
    struct mlir_attr_set fields = {0};
    size_t offset = p->lex.start;
    TRY(mlir_parser_enter(p));
    TRY(read_fields(p, kind, &fields));
    p->depth--;
    *out = mlir_text_attr_make(p, MLIR_OTHER, "an attribute of a mesh");
    if (strcmp(kind, kinds[2]) == 0)
        return make_mesh(p, offset, &fields, *out);
    if (strcmp(kind, kinds[3]) == 0)
        return make_groups(p, offset, &fields, *out);
    return make_axis(p, offset, strcmp(kind, kinds[0]) == 0, &fields, *out);
}
