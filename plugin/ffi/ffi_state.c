/* ffi_state.c: see ffi_state.h. */
#include "plugin/ffi/ffi_state.h"

#include "plugin/ffi/ffi_api.h"
#include "plugin/ffi/ffi_types.h"

/* As versions 0.1 and 0.2 have them; 0.2's ends before the deleter. */
struct set_args_0_1 {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_TypeId *type_id;
    void *state;
    void (*deleter)(void *state);
};
struct get_args_0_2 {
    size_t struct_size;
    XLA_FFI_InternalExtension *extension_start;
    XLA_FFI_InvokeContext *ctx;
    XLA_FFI_TypeId *type_id;
    void *state; /* out */
};
enum {
    SET_0_1_SIZE = XLA_FFI_STRUCT_SIZE(struct set_args_0_1, deleter),
    SET_0_2_SIZE = XLA_FFI_STRUCT_SIZE(struct set_args_0_1, state),
    GET_0_2_SIZE = XLA_FFI_STRUCT_SIZE(struct get_args_0_2, state)
};
_Static_assert(SET_0_1_SIZE == 48 && SET_0_2_SIZE == 40 && GET_0_2_SIZE == 40,
               "the sizes that handlers of versions 0.1 and 0.2 pass");

static XLA_FFI_Error *too_short(const char *function, const size_t *struct_size, size_t needed)
{
    return ffi_api_wrap(ERROR(INVALID_ARGUMENT,
                              "%s: the struct is missing or too short: %zu bytes, at least %zu are "
                              "needed",
                              function, struct_size ? *struct_size : 0, needed));
}

static struct ffi_state *state_of(XLA_FFI_InvokeContext *context, XLA_FFI_ExecutionStage stage)
{
    return context && (int)stage >= 0 && stage < XLA_FFI_ExecutionStage_EXECUTE
               ? context->states[stage]
               : NULL;
}

/* ---- setting --------------------------------------------------------------------------------- */
static XLA_FFI_Error *set(XLA_FFI_InvokeContext *context, XLA_FFI_ExecutionStage stage,
                          const XLA_FFI_TypeId *type_id, void *object, void (*deleter)(void *))
{
    struct ffi_state *state = state_of(context, stage);
    if (!state || !type_id)
        return ffi_api_wrap(
            ERROR(INVALID_ARGUMENT, "XLA_FFI_State_Set: stage %d cannot set a state", (int)stage));
    if (state->set)
        return ffi_api_wrap(ERROR(
            ALREADY_EXISTS, "XLA_FFI_State_Set: stage %d has already set its state", (int)stage));
    *state = (struct ffi_state){true, type_id->type_id, object, deleter};
    return NULL;
}

XLA_FFI_Error *ffi_state_set(XLA_FFI_State_Set_Args *args)
{
    if (!args || args->struct_size < XLA_FFI_State_Set_Args_STRUCT_SIZE)
        return too_short("XLA_FFI_State_Set", args ? &args->struct_size : NULL,
                         XLA_FFI_State_Set_Args_STRUCT_SIZE);
    return set(args->ctx, args->stage, args->type_id, args->state, NULL);
}

XLA_FFI_Error *ffi_state_set_0_1(XLA_FFI_State_Set_Args *newest)
{
    const struct set_args_0_1 *args = (const void *)newest;
    if (!args || args->struct_size < SET_0_1_SIZE)
        return too_short("XLA_FFI_State_Set (0.1)", args ? &args->struct_size : NULL, SET_0_1_SIZE);
    return set(args->ctx, XLA_FFI_ExecutionStage_INSTANTIATE, args->type_id, args->state,
               args->deleter);
}

XLA_FFI_Error *ffi_state_set_0_2(XLA_FFI_State_Set_Args *newest)
{
    const struct set_args_0_1 *args = (const void *)newest;
    if (!args || args->struct_size < SET_0_2_SIZE)
        return too_short("XLA_FFI_State_Set (0.2)", args ? &args->struct_size : NULL, SET_0_2_SIZE);
    return set(args->ctx, XLA_FFI_ExecutionStage_INSTANTIATE, args->type_id, args->state, NULL);
}

/* ---- getting --------------------------------------------------------------------------------- */
static XLA_FFI_Error *get(XLA_FFI_InvokeContext *context, XLA_FFI_ExecutionStage stage,
                          const XLA_FFI_TypeId *type_id, void **out)
{
    const struct ffi_state *state = state_of(context, stage);
    if (!state || !state->set)
        return ffi_api_wrap(
            ERROR(NOT_FOUND, "XLA_FFI_State_Get: stage %d has set no state", (int)stage));
    if (type_id && type_id->type_id != state->type_id)
        return ffi_api_wrap(ERROR(INVALID_ARGUMENT,
                                  "XLA_FFI_State_Get: the state is of type %lld, not %lld",
                                  (long long)state->type_id, (long long)type_id->type_id));
    *out = state->object;
    return NULL;
}

XLA_FFI_Error *ffi_state_get(XLA_FFI_State_Get_Args *args)
{
    if (!args || args->struct_size < XLA_FFI_State_Get_Args_STRUCT_SIZE)
        return too_short("XLA_FFI_State_Get", args ? &args->struct_size : NULL,
                         XLA_FFI_State_Get_Args_STRUCT_SIZE);
    return get(args->ctx, args->stage, args->type_id, &args->state);
}

XLA_FFI_Error *ffi_state_get_0_2(XLA_FFI_State_Get_Args *newest)
{
    struct get_args_0_2 *args = (void *)newest;
    if (!args || args->struct_size < GET_0_2_SIZE)
        return too_short("XLA_FFI_State_Get (0.1, 0.2)", args ? &args->struct_size : NULL,
                         GET_0_2_SIZE);
    return get(args->ctx, XLA_FFI_ExecutionStage_INSTANTIATE, args->type_id, &args->state);
}

void ffi_state_drop(struct ffi_state *state)
{
    if (!state->set)
        return;
    void (*deleter)(void *object) =
        state->deleter ? state->deleter : ffi_types_deleter(state->type_id);
    if (deleter)
        deleter(state->object);
    state->set = false;
}
