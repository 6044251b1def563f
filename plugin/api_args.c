#include "plugin/api_args.h"

#include "compiler/compile.h"

enum { MAX_FORMAT = 64 }; /* bytes of a format's name */

PJRT_Error *api_args_short(const char *function, const char *field, const void *args, size_t end)
{
    if (!args)
        return API_ERROR(ERROR(INVALID_ARGUMENT, "%s: args is NULL", function));
    return API_ERROR(
        ERROR(INVALID_ARGUMENT,
              "%s: args->struct_size is %zu, but '%s' ends at byte %zu: the client "
              "was built for a version of the PJRT C API that is too old for this call "
              "of the plugin (%d.%d), or did not set struct_size. Use a newer client",
              function, *(const size_t *)args, field, end, PJRT_API_MAJOR, PJRT_API_MINOR));
}

PJRT_Error *api_args_null(const char *function, const char *field)
{
    return API_ERROR(ERROR(INVALID_ARGUMENT, "%s: args->%s is NULL", function, field));
}

struct error *api_args_client_error(PJRT_Error_Code code, const char *message, size_t message_size)
{
    if (code == PJRT_Error_Code_OK)
        return NULL;
    int size = message_size > 1 << 20 ? 1 << 20 : (int)message_size;
    return error_make(code, __FILE__, __LINE__, "%.*s", message ? size : 0, message ? message : "");
}

struct error *api_args_layout(const PJRT_Buffer_MemoryLayout *layout, size_t rank,
                              const int64_t **minor_to_major, const int64_t **strides)
{
    *minor_to_major = NULL, *strides = NULL;
    if (!layout)
        return NULL;
    /* Its struct_size is ignored: PyTorch/XLA leaves it unset, and the struct never grew. */
    bool tiled = layout->type == PJRT_Buffer_MemoryLayout_Type_Tiled;
    size_t given = tiled ? layout->tiled.minor_to_major_size : layout->strides.num_byte_strides;
    bool missing = tiled ? !layout->tiled.minor_to_major : !layout->strides.byte_strides;
    if (missing && given)
        return ERROR(INVALID_ARGUMENT, "the layout's list of %zu dimensions is NULL", given);
    if (given != rank)
        return ERROR(INVALID_ARGUMENT, "the layout has %zu dimensions, the array %zu", given, rank);
    if (tiled)
        *minor_to_major = layout->tiled.minor_to_major;
    else
        *strides = layout->strides.byte_strides;
    return NULL;
}

struct error *api_args_tiles(const PJRT_Buffer_MemoryLayout *layout,
                             struct shape_tile tiles[SHAPE_MAX_TILES], int *count)
{
    *count = 0;
    if (!layout || layout->type != PJRT_Buffer_MemoryLayout_Type_Tiled || !layout->tiled.num_tiles)
        return NULL;
    const PJRT_Buffer_MemoryLayout_Tiled *from = &layout->tiled;
    const int64_t *sizes = from->tile_dims;
    TRY(api_args_limit("the number of the layout's tiles", from->num_tiles, SHAPE_MAX_TILES));
    if (!sizes || !from->tile_dim_sizes)
        return ERROR(INVALID_ARGUMENT, "the layout's list of %zu tiles is NULL", from->num_tiles);
    for (size_t i = 0; i < from->num_tiles; i++) {
        TRY(api_args_limit("the rank of a tile", from->tile_dim_sizes[i], SHAPE_MAX_RANK));
        tiles[i] = (struct shape_tile){(int)from->tile_dim_sizes[i], sizes};
        sizes += from->tile_dim_sizes[i];
    }
    *count = (int)from->num_tiles;
    return NULL;
}

struct error *api_args_limit(const char *what, size_t given, size_t max)
{
    return given <= max
               ? NULL
               : ERROR(INVALID_ARGUMENT, "%s: %zu; allowed: at most %zu", what, given, max);
}

struct error *api_args_source(const PJRT_Program *program, const char *options, size_t options_size,
                              struct compile_source *out)
{
    if (!HAS(program, format_size) || !program->code || !program->format)
        return ERROR(INVALID_ARGUMENT, "the program has no code or no format");
    TRY(api_args_limit("the size of the program's format", program->format_size, MAX_FORMAT));
    TRY(api_args_limit("the size of the program", program->code_size, UINT32_MAX));
    if (options)
        TRY(api_args_limit("the size of the compile options", options_size, INT32_MAX));
    *out = (struct compile_source){.format = program->format,
                                   .format_size = program->format_size,
                                   .bytes = program->code,
                                   .size = program->code_size,
                                   .options = options,
                                   .options_size = options ? options_size : 0};
    return NULL;
}
