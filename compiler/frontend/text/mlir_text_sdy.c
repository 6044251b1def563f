#include "compiler/frontend/text/mlir_text_sdy.h"

#include <string.h>

#include "compiler/frontend/mlir/mlir_sdy.h"
#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/frontend/text/mlir_text_sdy_rule.h"

struct mesh_axes {
    VEC(const char *) names;
    VEC(int64_t) sizes;
};

static struct error *read_name(struct mlir_parser *p, const char **out)
{
    struct string name;
    if (p->lex.token != MLIR_TOKEN_STRING)
        return mlir_lex_expected(&p->lex, "an axis");
    TRY(mlir_lex_name(&p->lex, p->arena, &name));
    *out = name.data;
    return NULL;
}

/* ["x"=2, "y"=4] */
static struct error *read_mesh_axes(struct mlir_parser *p, struct mesh_axes *axes)
{
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        const char *name = NULL;
        int64_t size = 0;
        if (axes->names.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_name(p, &name));
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(mlir_lex_integer(&p->lex, &size));
        VEC_PUSH(p->arena, &axes->names, name);
        VEC_PUSH(p->arena, &axes->sizes, size);
    }
    mlir_lex_next(&p->lex);
    return NULL;
}

/* <["x"=2, "y"=4], device_ids=[...]>: from the '<'. */
static struct error *read_mesh(struct mlir_parser *p, struct mlir_attr **out)
{
    struct mesh_axes axes = {0};
    struct dims ids = {0};
    size_t offset = p->lex.start;
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(read_mesh_axes(p, &axes));
    if (mlir_lex_accept(&p->lex, ',')) {
        struct mlir_attr *list;
        const struct dims *dims;
        TRY(mlir_lex_expect_word(&p->lex, "device_ids"));
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(mlir_text_attr_list(p, &list));
        TRY(mlir_attr_ints(p->arena, list, &dims));
        ids = *dims;
    }
    *out = mlir_text_attr_make(p, MLIR_MESH, "a mesh");
    struct error *error = mlir_sdy_mesh(p->arena, axes.names.count, axes.names.items,
                                        axes.sizes.items, ids, &(*out)->mesh);
    TRY(mlir_lex_with_position(&p->lex, offset, error));
    return mlir_lex_expect(&p->lex, '>');
}

/* {"x", "y":(1)2, ?}: a list of axes; it is open if it ends with a '?'. */
static struct error *read_axes(struct mlir_parser *p, struct mlir_axes *out, bool *is_open)
{
    VEC(struct mlir_axis) axes = {0};
    *is_open = false;
    TRY(mlir_lex_expect(&p->lex, '{'));
    for (bool first = true; !mlir_lex_is(&p->lex, '}'); first = false) {
        struct mlir_axis axis = {0};
        if (!first)
            TRY(mlir_lex_expect(&p->lex, ','));
        if (mlir_lex_accept(&p->lex, '?')) {
            *is_open = true;
            continue;
        }
        TRY(read_name(p, &axis.name));
        if (mlir_lex_accept(&p->lex, ':')) {
            TRY(mlir_lex_expect(&p->lex, '('));
            TRY(mlir_lex_integer(&p->lex, &axis.pre_size));
            TRY(mlir_lex_expect(&p->lex, ')'));
            TRY(mlir_lex_integer(&p->lex, &axis.size));
        }
        VEC_PUSH(p->arena, &axes, axis);
    }
    mlir_lex_next(&p->lex);
    *out = (struct mlir_axes){axes.count, axes.items};
    return NULL;
}

/* "p12": the priority; -1 where there is none. */
static int64_t read_priority(struct mlir_parser *p)
{
    enum { MAX_DIGITS = 9 };
    struct string word = p->lex.word;
    int64_t priority = 0;
    if (p->lex.token != MLIR_TOKEN_WORD || word.size < 2 || word.size > MAX_DIGITS ||
        word.data[0] != 'p')
        return -1;
    for (size_t i = 1; i < word.size; i++) {
        if (word.data[i] < '0' || word.data[i] > '9')
            return -1;
        priority = 10 * priority + word.data[i] - '0';
    }
    mlir_lex_next(&p->lex);
    return priority;
}

/* [{"x"}, {?}p1, {}] */
static struct error *read_dims(struct mlir_parser *p, struct mlir_sharding *parts)
{
    VEC(struct mlir_dim) dims = {0};
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        struct mlir_dim dim = {0};
        bool is_open;
        if (dims.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_axes(p, &dim.axes, &is_open));
        dim.is_closed = !is_open;
        dim.priority = read_priority(p);
        VEC_PUSH(p->arena, &dims, dim);
    }
    mlir_lex_next(&p->lex);
    parts->rank = dims.count;
    parts->dims = dims.items;
    return NULL;
}

static struct error *read_mesh_or_name(struct mlir_parser *p, const struct mesh **out)
{
    struct mlir_attr *mesh;
    if (mlir_lex_accept_word(&p->lex, "mesh")) {
        TRY(read_mesh(p, &mesh));
        *out = mesh->mesh;
        return NULL;
    }
    struct string name;
    size_t offset = p->lex.start;
    TRY(mlir_lex_name(&p->lex, p->arena, &name));
    *out = map_get(p->program.module->meshes, name.data, name.size);
    return *out ? NULL
                : mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                 "the mesh @%s is not defined", name.data);
}

/* ", replicated={"y"}, unreduced={"z"}"; `manual` is our own. */
static struct error *read_lists(struct mlir_parser *p, struct mlir_sharding *parts)
{
    static const char *const names[] = {"replicated", "unreduced", "manual"};
    struct mlir_axes *const lists[] = {&parts->replicated, &parts->unreduced, &parts->manual};
    while (mlir_lex_accept(&p->lex, ',')) {
        size_t which = 0;
        bool is_open;
        while (which < 3 && !mlir_lex_accept_word(&p->lex, names[which]))
            which++;
        if (which == 3)
            return mlir_lex_expected(&p->lex, "replicated or unreduced");
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(read_axes(p, lists[which], &is_open));
    }
    return NULL;
}

struct error *mlir_text_sdy_sharding(struct mlir_parser *p, struct mlir_attr **out)
{
    struct mlir_sharding parts = {0};
    size_t offset = p->lex.start;
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(read_mesh_or_name(p, &parts.mesh));
    TRY(mlir_lex_expect(&p->lex, ','));
    TRY(read_dims(p, &parts));
    TRY(read_lists(p, &parts));
    *out = mlir_text_attr_make(p, MLIR_SHARDING, "a sharding");
    struct error *error = mlir_sdy_sharding(p->arena, &parts, &(*out)->sharding);
    TRY(mlir_lex_with_position(&p->lex, offset, error));
    return mlir_lex_expect(&p->lex, '>');
}

struct error *mlir_text_sdy_per_value(struct mlir_parser *p, struct mlir_attr **out)
{
    return mlir_text_attr_elements(p, mlir_text_sdy_sharding, "shardings", out);
}

/* {"x", "y"} as an array of strings. */
struct error *mlir_text_sdy_axes(struct mlir_parser *p, struct mlir_attr **out)
{
    struct mlir_axes axes;
    bool is_open;
    TRY(read_axes(p, &axes, &is_open));
    struct mlir_attr **names = ARENA_ARRAY(p->arena, struct mlir_attr *, axes.count);
    for (size_t i = 0; i < axes.count; i++) {
        names[i] = mlir_text_attr_make(p, MLIR_STRING, "an axis");
        names[i]->string = (struct string){strlen(axes.at[i].name), axes.at[i].name};
    }
    *out = mlir_text_attr_make(p, MLIR_ARRAY, "axes");
    (*out)->array.count = axes.count;
    (*out)->array.at = names;
    return NULL;
}

/* "<manual_axes{"x"}>" of #sdy<manual_axes{"x"}>. */
static struct error *read_undotted(struct mlir_parser *p, struct mlir_attr **out)
{
    size_t begin = p->lex.start;
    mlir_lex_next(&p->lex);
    if (mlir_lex_accept_word(&p->lex, "manual_axes")) {
        TRY(mlir_text_sdy_axes(p, out));
        return mlir_lex_expect(&p->lex, '>');
    }
    *out = mlir_text_attr_make(p, MLIR_OTHER, "a Shardy attribute");
    mlir_lex_seek(&p->lex, begin);
    return mlir_lex_skip_group(&p->lex);
}

struct error *mlir_text_sdy_attr(struct mlir_parser *p, const char *kind, struct mlir_attr **out)
{
    if (kind[0] == 0)
        return read_undotted(p, out);
    if (strcmp(kind, "mesh") == 0)
        return read_mesh(p, out);
    if (strcmp(kind, "sharding") == 0)
        return mlir_text_sdy_sharding(p, out);
    if (strcmp(kind, "op_sharding_rule") == 0)
        return mlir_text_sdy_rule(p, out);
    bool per_value = strcmp(kind, "sharding_per_value") == 0;
    if (!per_value && strcmp(kind, "manual_axes") != 0) {
        *out = mlir_text_attr_make(p, MLIR_OTHER, "a Shardy attribute");
        return mlir_lex_skip_group(&p->lex);
    }
    mlir_lex_next(&p->lex);
    TRY(per_value ? mlir_text_sdy_per_value(p, out) : mlir_text_sdy_axes(p, out));
    return mlir_lex_expect(&p->lex, '>');
}

struct error *mlir_text_sdy_mesh(struct mlir_parser *p)
{
    struct mlir_attr_set ignored = {0};
    struct mlir_attr *mesh;
    struct string name;
    TRY(mlir_lex_name(&p->lex, p->arena, &name));
    TRY(mlir_lex_expect(&p->lex, '='));
    TRY(read_mesh(p, &mesh));
    if (mlir_lex_is(&p->lex, '{'))
        TRY(mlir_text_attr_dict(p, &ignored));
    return mlir_lex_with_position(&p->lex, p->lex.start, mlir_sdy_define(&p->program, name, mesh));
}
