#include "compiler/frontend/compile_options.h"

#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "compiler/frontend/auto_options.h"
#include "compiler/frontend/compile_options.pb-c.h"
#include "compiler/frontend/wire.h"
#include "compiler/frontend/xla_options.h"
#include "compiler/ir/ir.h"
#include "compiler/ir/sharding.h"

struct read {
    struct arena *arena;
    const void *bytes;
    size_t size;
    bool any_name;
    struct compile_options *out;
};

/* 0 means that the field is not set (proto3). */
static struct error *read_count(int64_t value, const char *name, int *out)
{
    if (value < 0 || value > COMPILE_OPTIONS_MAX_DEVICES)
        return ERROR(INVALID_ARGUMENT, "compile options: %s is %lld; it must be in [1, %d]", name,
                     (long long)value, COMPILE_OPTIONS_MAX_DEVICES);
    *out = value == 0 ? 1 : (int)value;
    return NULL;
}

static int by_id(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static struct error *check_distinct(struct arena *arena, const int64_t *devices, size_t count)
{
    int64_t *sorted = arena_copy(arena, devices, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_id);
    for (size_t i = 1; i < count; i++)
        if (sorted[i] == sorted[i - 1])
            return ERROR(INVALID_ARGUMENT,
                         "compile options: the device assignment has device %lld twice",
                         (long long)sorted[i]);
    return NULL;
}

static struct error *read_assignment(struct arena *arena, const Gantry__DeviceAssignmentProto *from,
                                     struct compile_options *out)
{
    size_t replicas = (size_t)out->num_replicas, partitions = (size_t)out->num_partitions;
    if (from->replica_count != out->num_replicas ||
        from->computation_count != out->num_partitions || from->n_computation_devices != partitions)
        return ERROR(
            INVALID_ARGUMENT,
            "compile options: the device assignment is for %d replicas x %d partitions; the "
            "program has %zu replicas x %zu partitions",
            from->replica_count, from->computation_count, replicas, partitions);
    int64_t *devices = ARENA_ARRAY(arena, int64_t, replicas *partitions);
    for (size_t p = 0; p < partitions; p++) {
        const Gantry__DeviceAssignmentProto__ComputationDevice *row = from->computation_devices[p];
        if (row->n_replica_device_ids != replicas)
            return ERROR(
                INVALID_ARGUMENT,
                "compile options: partition %zu has %zu devices; it must have %zu, one for "
                "each replica",
                p, row->n_replica_device_ids, replicas);
        for (size_t r = 0; r < replicas; r++)
            devices[r * partitions + p] = row->replica_device_ids[r];
    }
    out->device_assignment = devices;
    out->assignment_count = (int)(replicas * partitions);
    return check_distinct(arena, devices, replicas * partitions);
}

static struct error *check_product(const struct compile_options *options, const char *what)
{
    int64_t devices = (int64_t)options->num_replicas * options->num_partitions;
    if (devices <= COMPILE_OPTIONS_MAX_DEVICES)
        return NULL;
    return ERROR(INVALID_ARGUMENT, "%s: %d replicas x %d partitions exceed the limit of %d devices",
                 what, options->num_replicas, options->num_partitions, COMPILE_OPTIONS_MAX_DEVICES);
}

struct error *compile_options_raise(struct compile_options *options, int num_replicas,
                                    int num_partitions)
{
    if (options->num_replicas < num_replicas)
        options->num_replicas = num_replicas;
    if (options->num_partitions < num_partitions)
        options->num_partitions = num_partitions;
    TRY(check_product(options, "the module's replicas and partitions"));
    int needed = options->num_replicas * options->num_partitions;
    if (options->assignment_count && options->assignment_count != needed)
        return ERROR(
            INVALID_ARGUMENT,
            "the module requests %d replicas x %d partitions, but the device assignment of the "
            "compile options has %d devices; the numbers must match",
            options->num_replicas, options->num_partitions, options->assignment_count);
    return NULL;
}

/* ---- the module ------------------------------------------------------------------------------ */

static bool flag_at(struct compile_flags flags, size_t i)
{
    return flags.at[flags.count == 1 ? 0 : i];
}

/* Value i of the entry's boundary, whose sharding must not be chosen, is replicated. */
static void replicate(struct arena *arena, const struct type **type)
{
    static const struct mesh mesh = {.device_count = 1};
    *type = type_with_sharding(arena, *type,
                               sharding_replicated(arena, &mesh, (*type)->shape.rank, true));
}

static void apply_flags(struct arena *arena, struct compile_flags flags, size_t count,
                        const struct type **types, struct argument_info **infos)
{
    if (!flags.count || (flags.count != 1 && flags.count != count))
        return;
    if (!*infos) {
        *infos = ARENA_ARRAY(arena, struct argument_info, count);
        for (size_t i = 0; i < count; i++)
            (*infos)[i].alias_result = -1;
    }
    for (size_t i = 0; i < count; i++) {
        (*infos)[i].sharding_free = flag_at(flags, i);
        if (!flag_at(flags, i) && types[i]->kind == TYPE_TENSOR && !types[i]->sharding)
            replicate(arena, &types[i]);
    }
}

static void apply_to_entry(const struct compile_options *options, struct module *module)
{
    struct func *func = module->entry;
    struct block *body = func->body;
    size_t arguments = (size_t)body->argument_count;
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, arguments);
    for (size_t i = 0; i < arguments; i++)
        types[i] = body->arguments[i].type;
    apply_flags(module->arena, options->free_parameters, arguments, types, &func->argument_infos);
    for (size_t i = 0; i < arguments; i++)
        body->arguments[i].type = types[i];
    apply_flags(module->arena, options->free_results, (size_t)func->result_count,
                func->result_types, &func->result_infos);
}

/* Whether the type is of a whole tensor, of which partitions hold shards. */
static bool is_sharded(const struct type *type)
{
    const struct sharding *sharding = type->sharding;
    for (int i = 0; sharding && i < sharding->rank; i++)
        if (sharding_axes_size(sharding->mesh, sharding->dims[i].axes) > 1)
            return true;
    return false;
}

/* Whether the entry function takes or returns shards. */
static bool needs_partitioning(const struct module *module)
{
    const struct func *func = module->entry;
    for (int i = 0; i < func->body->argument_count; i++)
        if (is_sharded(func->body->arguments[i].type))
            return true;
    for (int i = 0; i < func->result_count; i++)
        if (is_sharded(func->result_types[i]))
            return true;
    return false;
}

struct error *compile_options_apply(struct compile_options *options, struct module *module)
{
    if (options->num_partitions > 1 && !options->use_spmd_partitioning &&
        needs_partitioning(module))
        return ERROR(INVALID_ARGUMENT,
                     "the compile options have %d partitions without use_spmd_partitioning, so the "
                     "module must be already partitioned, but its arguments or results have "
                     "shardings; set use_spmd_partitioning",
                     options->num_partitions);
    TRY(compile_options_raise(options, module->num_replicas, module->num_partitions));
    module->num_replicas = options->num_replicas;
    module->num_partitions = options->num_partitions;
    options->auto_request.made = ARENA_NEW(module->arena, struct auto_plan *);
    if (module->num_partitions > 1 && options->auto_sharding)
        module->auto_request = &options->auto_request;
    else if (module->num_partitions > 1)
        apply_to_entry(options, module);
    return NULL;
}

static struct compile_flags read_free(struct arena *arena, size_t count,
                                      const protobuf_c_boolean *from)
{
    bool *flags = ARENA_ARRAY(arena, bool, count);
    for (size_t i = 0; i < count; i++)
        flags[i] = from[i] != 0;
    return (struct compile_flags){count, flags};
}

static void read_debug(const Gantry__DebugOptions *from, struct compile_options *out)
{
    if (from &&
        from->excess_precision_case ==
            GANTRY__DEBUG_OPTIONS__EXCESS_PRECISION_XLA_ALLOW_EXCESS_PRECISION &&
        !from->xla_allow_excess_precision)
        out->excess_precision = 0;
}

enum { LEVEL_O3 = 39 }; /* of effort */

/* The mesh is read even if it is not used, so that an absurd one is never accepted. */
static struct error *read_auto_fields(struct arena *arena,
                                      const Gantry__ExecutableBuildOptionsProto *from,
                                      struct compile_options *out)
{
    out->auto_sharding |= from->use_auto_spmd_partitioning;
    if (!from->n_auto_spmd_partitioning_mesh_shape)
        return auto_options_ids(arena, out->num_partitions, from->n_auto_spmd_partitioning_mesh_ids,
                                from->auto_spmd_partitioning_mesh_ids);
    return auto_options_mesh(arena, from->n_auto_spmd_partitioning_mesh_shape,
                             from->auto_spmd_partitioning_mesh_shape,
                             from->n_auto_spmd_partitioning_mesh_ids,
                             from->auto_spmd_partitioning_mesh_ids, &out->auto_request);
}

static struct error *read_build(struct arena *arena,
                                const Gantry__ExecutableBuildOptionsProto *from,
                                struct compile_options *out)
{
    TRY(read_count(from->num_replicas, "num_replicas", &out->num_replicas));
    TRY(read_count(from->num_partitions, "num_partitions", &out->num_partitions));
    TRY(check_product(out, "compile options"));
    out->use_spmd_partitioning = from->use_spmd_partitioning;
    out->free_results = read_free(arena, from->n_allow_spmd_sharding_propagation_to_output,
                                  from->allow_spmd_sharding_propagation_to_output);
    out->free_parameters = read_free(arena, from->n_allow_spmd_sharding_propagation_to_parameters,
                                     from->allow_spmd_sharding_propagation_to_parameters);
    TRY(read_auto_fields(arena, from, out));
    out->device_ordinal = from->device_ordinal;
    read_debug(from->debug_options, out);
    out->fit_memory = from->memory_fitting_effort > 0 || from->memory_fitting_level >= LEVEL_O3;
    return from->device_assignment ? read_assignment(arena, from->device_assignment, out) : NULL;
}

/* ---- env_option_overrides -------------------------------------------------------------------- */
/* Options that are not XLA's, but for those of automatic sharding. */
static bool is_other(const char *name)
{
    static const char *const others[] = {
        "exec_time_optimization_effort", "memory_fitting_effort", "optimization_level",
        "memory_fitting_level",          "gantry_function",       "gantry_auto_sharding",
        "gantry_argument_shapes"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(name, others[i]))
            return true;
    return false;
}

/* The same options by name: a level's name or number, an effort's number. */
static bool requests_fitting(const char *name, const Gantry__OptionOverride__Value *value)
{
    bool level = !strcmp(name, "memory_fitting_level");
    switch (value->value_case) {
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_STRING_FIELD:
        return level && !strcmp(value->string_field, "O3");
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_INT_FIELD:
        return value->int_field >= (level ? LEVEL_O3 : 1);
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_DOUBLE_FIELD:
        return !level && value->double_field > 0;
    default: return false;
    }
}

static struct error *read_auto(const char *name, const Gantry__OptionOverride__Value *value,
                               struct compile_options *out)
{
    struct auto_option option = {.name = name};
    switch (value->value_case) {
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_STRING_FIELD:
        option.text = value->string_field;
        break;
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_INT_FIELD:
        option.number = (double)value->int_field;
        break;
    case GANTRY__OPTION_OVERRIDE__VALUE__VALUE_DOUBLE_FIELD:
        option.number = value->double_field;
        break;
    default: option.text = "a boolean";
    }
    return auto_options_read(&option, &out->auto_request);
}

/* A boolean that has an effect; NULL if the option is none. */
static bool *bool_of(const char *name, struct compile_options *out, bool *excess_precision)
{
    if (!strcmp(name, "gantry_auto_sharding"))
        return &out->auto_sharding;
    if (!strcmp(name, "xla_dump_hlo_as_text"))
        return &out->dump_as_text;
    if (!strcmp(name, "xla_dump_hlo_as_proto"))
        return &out->dump_as_proto;
    return !strcmp(name, "xla_allow_excess_precision") ? excess_precision : NULL;
}

/* The same of text. */
static const char **text_of(const char *name, struct compile_options *out)
{
    if (!strcmp(name, "xla_dump_to"))
        return &out->dump_to;
    if (!strcmp(name, "gantry_function"))
        return &out->function;
    return !strcmp(name, "gantry_argument_shapes") ? &out->argument_shapes : NULL;
}

static struct error *read_override(const Gantry__OptionOverride *from, bool any_name,
                                   struct compile_options *out)
{
    bool given = from->value && from->value->value_case;
    const Gantry__OptionOverride__Value *value = given ? from->value : NULL;
    bool is_auto = auto_options_is_known(from->name), excess_precision = out->excess_precision > 0;
    if (!is_auto && !is_other(from->name))
        TRY(xla_options_check(from->name, value, any_name));
    if (!value)
        return NULL;
    if (is_auto)
        return read_auto(from->name, value, out);
    if (!strncmp(from->name, "memory_fitting_", strlen("memory_fitting_")))
        out->fit_memory |= requests_fitting(from->name, value);
    bool *yes = bool_of(from->name, out, &excess_precision);
    if (yes)
        TRY(xla_options_bool(from->name, value, yes));
    if (yes == &excess_precision)
        out->excess_precision = excess_precision;
    const char **text = text_of(from->name, out);
    if (text && value->value_case == GANTRY__OPTION_OVERRIDE__VALUE__VALUE_STRING_FIELD)
        *text = value->string_field;
    return NULL;
}

static void read_flags(struct arena *arena, struct compile_options *out)
{
    char text[1024];
    if (env_xla_flag("xla_dump_to", text, sizeof text))
        out->dump_to = arena_string(arena, text, strlen(text));
    if (env_xla_flag("xla_dump_hlo_as_text", text, sizeof text))
        out->dump_as_text = !strcmp(text, "true");
    if (env_xla_flag("xla_dump_hlo_as_proto", text, sizeof text))
        out->dump_as_proto = !strcmp(text, "true");
    if (env_xla_flag("xla_allow_excess_precision", text, sizeof text))
        out->excess_precision = !strcmp(text, "true") || !strcmp(text, "1");
}

/* ---- the message ----------------------------------------------------------------------------- */
static struct error *read_body(void *context)
{
    struct read *read = context;
    struct compile_options *out = read->out;
    ProtobufCMessage *message;
    read_flags(read->arena, out);
    if (read->size == 0)
        return NULL;
    TRY(wire_unpack(read->arena, &gantry__compile_options_proto__descriptor, read->bytes,
                    read->size, &message));
    const Gantry__CompileOptionsProto *options = (const Gantry__CompileOptionsProto *)message;
    out->portable = options->compile_portable_executable;
    out->parameter_is_tupled = options->parameter_is_tupled_arguments;
    if (options->executable_build_options)
        TRY(read_build(read->arena, options->executable_build_options, out));
    for (size_t i = 0; i < options->n_env_option_overrides; i++)
        TRY(read_override(options->env_option_overrides[i], read->any_name, out));
    return NULL;
}

struct error *compile_options_read(struct arena *arena, const void *bytes, size_t size,
                                   bool any_name, struct compile_options *out)
{
    struct read read = {
        .arena = arena, .bytes = bytes, .size = size, .any_name = any_name, .out = out};
    *out = (struct compile_options){.num_replicas = 1,
                                    .num_partitions = 1,
                                    .device_ordinal = -1,
                                    .excess_precision = -1,
                                    .auto_sharding = env_choice(ENV_GANTRY_AUTO_SHARDING) == 1,
                                    .auto_request = {.effort = AUTO_DEFAULT_EFFORT}};
    return arena_run(arena, read_body, &read);
}
