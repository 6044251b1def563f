#include "compiler/frontend/text/mlir_text_sdy.h"

#include <string.h>

#include "compiler/frontend/text/mlir_text_attr.h"
#include "compiler/ir/sharding.h"

#define MAX_MESH_AXES 64

struct axes {
    int count;
    struct axis_ref *at;
    bool is_open; /* ended by ? */
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

/* <["x"=2, "y"=4], device_ids=[...]>: from the '<'. */
static struct error *read_mesh(struct mlir_parser *p, struct mlir_attr **out)
{
    struct mesh *mesh = ARENA_NEW(p->arena, struct mesh);
    const char **names = ARENA_ARRAY(p->arena, const char *, MAX_MESH_AXES);
    int64_t *sizes = ARENA_ARRAY(p->arena, int64_t, MAX_MESH_AXES);
    size_t offset = p->lex.start;
    mesh->device_count = 1;
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        if (mesh->axis_count)
            TRY(mlir_lex_expect(&p->lex, ','));
        if (mesh->axis_count == MAX_MESH_AXES)
            return MLIR_LEX_ERROR(&p->lex, "a mesh of more than %d axes", MAX_MESH_AXES);
        TRY(read_name(p, &names[mesh->axis_count]));
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(mlir_lex_integer(&p->lex, &sizes[mesh->axis_count]));
        if (sizes[mesh->axis_count] < 1 ||
            __builtin_mul_overflow(mesh->device_count, sizes[mesh->axis_count],
                                   &mesh->device_count))
            return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                  "a mesh of a wrong size");
        mesh->axis_count++;
    }
    mlir_lex_next(&p->lex);
    if (mlir_lex_accept(&p->lex, ',')) {
        struct mlir_attr *ids;
        const struct dims *dims;
        TRY(mlir_lex_expect_word(&p->lex, "device_ids"));
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(mlir_text_attr_list(p, &ids));
        TRY(mlir_attr_ints(p->arena, ids, &dims));
        if (dims->count != mesh->device_count)
            return mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                  "a mesh of %lld devices with %lld ids",
                                  (long long)mesh->device_count, (long long)dims->count);
        mesh->device_ids = dims->at;
    }
    mesh->axis_names = names;
    mesh->axis_sizes = sizes;
    *out = mlir_text_attr_make(p, MLIR_MESH, "a mesh");
    (*out)->mesh = mesh;
    return mlir_lex_expect(&p->lex, '>');
}

/* {"x", "y":(1)2, ?}: a list of axes, perhaps open. */
static struct error *read_axes(struct mlir_parser *p, struct axes *out)
{
    VEC(struct axis_ref) axes = {0};
    TRY(mlir_lex_expect(&p->lex, '{'));
    for (bool first = true; !mlir_lex_is(&p->lex, '}'); first = false) {
        struct axis_ref axis = {0};
        if (!first)
            TRY(mlir_lex_expect(&p->lex, ','));
        if (mlir_lex_accept(&p->lex, '?')) {
            out->is_open = true;
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
    out->count = (int)axes.count;
    out->at = axes.items;
    return NULL;
}

/* [{"x"}, {?}p1, {}] */
static struct error *read_dims(struct mlir_parser *p, struct sharding *sharding)
{
    VEC(struct dim_sharding) dims = {0};
    TRY(mlir_lex_expect(&p->lex, '['));
    while (!mlir_lex_is(&p->lex, ']')) {
        struct axes axes = {0};
        if (dims.count)
            TRY(mlir_lex_expect(&p->lex, ','));
        TRY(read_axes(p, &axes));
        struct dim_sharding dim = {axes.count, axes.at, !axes.is_open, -1};
        struct string word = p->lex.word;
        if (p->lex.token == MLIR_TOKEN_WORD && word.size == 2 && word.data[0] == 'p') {
            dim.priority = word.data[1] - '0';
            mlir_lex_next(&p->lex);
        }
        VEC_PUSH(p->arena, &dims, dim);
    }
    mlir_lex_next(&p->lex);
    sharding->rank = (int)dims.count;
    sharding->dims = dims.items;
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
    *out = map_get(p->v.module->meshes, name.data, name.size);
    return *out ? NULL
                : mlir_lex_error(&p->lex, PJRT_Error_Code_INVALID_ARGUMENT, offset,
                                 "there is no mesh of this name");
}

struct error *mlir_text_sdy_sharding(struct mlir_parser *p, struct mlir_attr **out)
{
    struct sharding *sharding = ARENA_NEW(p->arena, struct sharding);
    TRY(mlir_lex_expect(&p->lex, '<'));
    TRY(read_mesh_or_name(p, &sharding->mesh));
    TRY(mlir_lex_expect(&p->lex, ','));
    TRY(read_dims(p, sharding));
    while (mlir_lex_accept(&p->lex, ',')) {
        struct axes axes = {0};
        bool replicated = mlir_lex_is_word(&p->lex, "replicated");
        if (!replicated && !mlir_lex_is_word(&p->lex, "unreduced"))
            return mlir_lex_expected(&p->lex, "replicated or unreduced");
        size_t offset = p->lex.start;
        mlir_lex_next(&p->lex);
        TRY(mlir_lex_expect(&p->lex, '='));
        TRY(read_axes(p, &axes));
        if (!replicated && axes.count > 0)
            return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, offset,
                                  "a sharding with unreduced axes");
        if (replicated) {
            sharding->replicated_count = axes.count;
            sharding->replicated = axes.at;
        }
    }
    *out = mlir_text_attr_make(p, MLIR_SHARDING, "a sharding");
    (*out)->sharding = sharding;
    return mlir_lex_expect(&p->lex, '>');
}

struct error *mlir_text_sdy_per_value(struct mlir_parser *p, struct mlir_attr **out)
{
    return mlir_text_attr_elements(p, mlir_text_sdy_sharding, "shardings", out);
}

/* {"x", "y"} as an array of strings. */
struct error *mlir_text_sdy_axes(struct mlir_parser *p, struct mlir_attr **out)
{
    struct axes axes = {0};
    TRY(read_axes(p, &axes));
    struct mlir_attr **names = ARENA_ARRAY(p->arena, struct mlir_attr *, (size_t)axes.count);
    for (int i = 0; i < axes.count; i++) {
        names[i] = mlir_text_attr_make(p, MLIR_STRING, "an axis");
        names[i]->string = (struct string){strlen(axes.at[i].name), axes.at[i].name};
    }
    *out = mlir_text_attr_make(p, MLIR_ARRAY, "axes");
    (*out)->array.count = (size_t)axes.count;
    (*out)->array.at = names;
    return NULL;
}

/* #sdy<manual_axes{"x"}> is the form without a dot. */
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
    bool per_value = strcmp(kind, "sharding_per_value") == 0;
    if (!per_value && strcmp(kind, "manual_axes") != 0) {
        *out = mlir_text_attr_make(p, MLIR_OTHER, "a Shardy attribute");
        return mlir_lex_skip_group(&p->lex);
    }
    mlir_lex_next(&p->lex);
    TRY(per_value ? mlir_text_sdy_per_value(p, out) : mlir_text_sdy_axes(p, out));
    return mlir_lex_expect(&p->lex, '>');
}

struct error *mlir_text_sdy_add_mesh(struct mlir_parser *p, struct string name,
                                     const struct mlir_attr *attr)
{
    if (!attr || attr->kind != MLIR_MESH)
        return MLIR_LEX_ERROR(&p->lex, "sdy.mesh without a mesh");
    struct mesh *mesh = arena_copy(p->arena, attr->mesh, sizeof *attr->mesh);
    mesh->name = arena_string(p->arena, name.data, name.size);
    if (map_put(p->v.module->meshes, name.data, name.size, mesh))
        return MLIR_LEX_ERROR(&p->lex, "a second mesh @%s", mesh->name);
    return NULL;
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
    return mlir_text_sdy_add_mesh(p, name, mesh);
}

static const struct mesh *first_mesh(const struct mlir_attr *shardings)
{
    bool any = shardings && shardings->kind == MLIR_ARRAY && shardings->array.count > 0;
    return any && shardings->array.at[0]->kind == MLIR_SHARDING
               ? shardings->array.at[0]->sharding->mesh
               : NULL;
}

struct error *mlir_text_sdy_manual(struct mlir_parser *p, const struct mlir_attr *in,
                                   const struct mlir_attr *out, const struct mlir_attr *axes,
                                   size_t offset)
{
    const struct mesh *mesh = first_mesh(in) ? first_mesh(in) : first_mesh(out);
    for (size_t i = 0; axes && axes->kind == MLIR_ARRAY && i < axes->array.count; i++) {
        const struct mlir_attr *axis = axes->array.at[i];
        int64_t size = -1;
        for (int j = 0; mesh && axis->kind == MLIR_STRING && j < mesh->axis_count; j++)
            if (strcmp(mesh->axis_names[j], axis->string.data) == 0)
                size = mesh->axis_sizes[j];
        if (size != 1)
            return mlir_lex_error(&p->lex, PJRT_Error_Code_UNIMPLEMENTED, offset,
                                  "sdy.manual_computation over axis \"%s\" of %lld devices",
                                  axis->kind == MLIR_STRING ? axis->string.data : "?",
                                  (long long)size);
    }
    return NULL;
}
