#include "devices/kernels/onednn.h"

#include <pthread.h>

/* Of libgomp, which oneDNN runs on; not every compiler brings omp.h. */
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);

static const char *status_name(dnnl_status_t status)
{
    switch (status) {
    case dnnl_out_of_memory:
        return "out of memory";
    case dnnl_invalid_arguments:
        return "invalid arguments";
    case dnnl_unimplemented:
        return "unimplemented";
    case dnnl_runtime_error:
        return "runtime error";
    default:
        return "failure";
    }
}

struct error *onednn_check(dnnl_status_t status, const char *call)
{
    if (status == dnnl_success)
        return NULL;
    if (status == dnnl_out_of_memory)
        return error_out_of_memory();
    if (status == dnnl_unimplemented)
        return ERROR(UNIMPLEMENTED, "oneDNN does not implement %s", call);
    return ERROR(INTERNAL, "oneDNN: %s in %s", status_name(status), call);
}

static dnnl_engine_t engine;
static dnnl_status_t engine_status;
static pthread_key_t stream_key;

static void destroy_stream(void *stream) { dnnl_stream_destroy(stream); }

static void make_engine(void)
{
    engine_status = dnnl_engine_create(&engine, dnnl_cpu, 0);
    pthread_key_create(&stream_key, destroy_stream);
}

struct error *onednn_engine(dnnl_engine_t *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_engine);
    *out = engine;
    return onednn_check(engine_status, "dnnl_engine_create");
}

struct error *onednn_stream(dnnl_stream_t *out)
{
    dnnl_engine_t cpu;
    TRY(onednn_engine(&cpu));
    *out = pthread_getspecific(stream_key);
    if (*out)
        return NULL;
    ONEDNN_TRY(dnnl_stream_create(out, cpu, dnnl_stream_default_flags));
    pthread_setspecific(stream_key, *out);
    return NULL;
}

dnnl_data_type_t onednn_type(enum dtype dtype)
{
    switch (dtype) {
    case DTYPE_F32:
        return dnnl_f32;
    case DTYPE_BF16:
        return dnnl_bf16;
    case DTYPE_F16:
        return dnnl_f16;
    case DTYPE_S32:
        return dnnl_s32;
    case DTYPE_S8:
        return dnnl_s8;
    case DTYPE_U8:
        return dnnl_u8;
    default:
        return dnnl_data_type_undef;
    }
}

int onednn_enter(void)
{
    int before = omp_get_max_threads();
    if (before != 1)
        omp_set_num_threads(1);
    return before;
}

void onednn_leave(int threads)
{
    if (threads != 1)
        omp_set_num_threads(threads);
}

static uint64_t round_up(uint64_t bytes) { return (bytes + 63) & ~(uint64_t)63; }

/* The primitive that moves argument `reordered` between the client's layout and oneDNN's. */
static struct error *make_reorder(struct onednn_primitive *out, dnnl_engine_t cpu)
{
    const_dnnl_memory_desc_t inner = out->layouts[out->reordered];
    const_dnnl_memory_desc_t from = out->reorder_result ? inner : out->plain;
    const_dnnl_memory_desc_t to = out->reorder_result ? out->plain : inner;
    ONEDNN_TRY(
        dnnl_reorder_primitive_desc_create(&out->reorder_description, from, cpu, to, cpu, NULL));
    ONEDNN_TRY(dnnl_primitive_create(&out->reorder, out->reorder_description));
    out->reordered_at = out->scratch_bytes;
    out->scratch_bytes += round_up(dnnl_memory_desc_get_size(inner));
    return NULL;
}

struct error *onednn_primitive_make(struct onednn_primitive *out, dnnl_primitive_desc_t description,
                                    int count, const int *roles, const dnnl_query_t *queries,
                                    const_dnnl_memory_desc_t plain, int reordered,
                                    bool reorder_result)
{
    dnnl_engine_t cpu;
    *out = (struct onednn_primitive){.description = description,
                                     .count = count,
                                     .reordered = reordered,
                                     .reorder_result = reorder_result};
    TRY(onednn_engine(&cpu));
    for (int i = 0; i < count; i++) {
        out->roles[i] = roles[i];
        out->layouts[i] = dnnl_primitive_desc_query_md(description, queries[i], 0);
    }
    const_dnnl_memory_desc_t scratchpad =
        dnnl_primitive_desc_query_md(description, dnnl_query_scratchpad_md, 0);
    out->scratch_bytes = round_up(scratchpad ? dnnl_memory_desc_get_size(scratchpad) : 0);
    ONEDNN_TRY(dnnl_primitive_create(&out->primitive, description));
    if (!plain || dnnl_memory_desc_equal(plain, out->layouts[reordered]))
        return NULL;
    ONEDNN_TRY(dnnl_memory_desc_clone(&out->plain, plain));
    return make_reorder(out, cpu);
}

struct memories { /* of one run */
    int count;
    dnnl_memory_t at[ONEDNN_MAX_ARGUMENTS + 2];
};

static struct error *wrap(struct memories *memories, const_dnnl_memory_desc_t layout, void *bytes,
                          dnnl_memory_t *out)
{
    dnnl_engine_t cpu;
    TRY(onednn_engine(&cpu));
    ONEDNN_TRY(dnnl_memory_create(out, layout, cpu, bytes));
    memories->at[memories->count++] = *out;
    return NULL;
}

static struct error *run_reorder(const struct onednn_primitive *primitive, dnnl_stream_t stream,
                                 dnnl_memory_t plain, dnnl_memory_t inner)
{
    dnnl_exec_arg_t arguments[2] = {{DNNL_ARG_FROM, primitive->reorder_result ? inner : plain},
                                    {DNNL_ARG_TO, primitive->reorder_result ? plain : inner}};
    ONEDNN_TRY(dnnl_primitive_execute(primitive->reorder, stream, 2, arguments));
    return NULL;
}

static struct error *run_with(const struct onednn_primitive *primitive, void *const *addresses,
                              char *scratch, struct memories *memories)
{
    dnnl_stream_t stream;
    dnnl_exec_arg_t arguments[ONEDNN_MAX_ARGUMENTS + 1];
    dnnl_memory_t plain = NULL, inner = NULL;
    TRY(onednn_stream(&stream));
    for (int i = 0; i < primitive->count; i++) {
        bool moved = primitive->reorder && i == primitive->reordered;
        void *address = moved ? scratch + primitive->reordered_at : addresses[i];
        TRY(wrap(memories, primitive->layouts[i], address, &arguments[i].memory));
        arguments[i].arg = primitive->roles[i];
        if (moved) {
            inner = arguments[i].memory;
            TRY(wrap(memories, primitive->plain, addresses[i], &plain));
        }
    }
    const_dnnl_memory_desc_t scratchpad =
        dnnl_primitive_desc_query_md(primitive->description, dnnl_query_scratchpad_md, 0);
    TRY(wrap(memories, scratchpad, scratch, &arguments[primitive->count].memory));
    arguments[primitive->count].arg = DNNL_ARG_SCRATCHPAD;
    if (primitive->reorder && !primitive->reorder_result)
        TRY(run_reorder(primitive, stream, plain, inner));
    ONEDNN_TRY(
        dnnl_primitive_execute(primitive->primitive, stream, primitive->count + 1, arguments));
    if (primitive->reorder && primitive->reorder_result)
        TRY(run_reorder(primitive, stream, plain, inner));
    return NULL;
}

struct error *onednn_primitive_run(const struct onednn_primitive *primitive, void *const *arguments,
                                   void *scratch)
{
    struct memories memories = {0};
    int threads = onednn_enter();
    struct error *error = run_with(primitive, arguments, scratch, &memories);
    for (int i = 0; i < memories.count; i++)
        dnnl_memory_destroy(memories.at[i]);
    onednn_leave(threads);
    return error;
}

void onednn_primitive_free(struct onednn_primitive *primitive)
{
    if (primitive->primitive)
        dnnl_primitive_destroy(primitive->primitive);
    if (primitive->reorder)
        dnnl_primitive_destroy(primitive->reorder);
    if (primitive->description)
        dnnl_primitive_desc_destroy(primitive->description);
    if (primitive->reorder_description)
        dnnl_primitive_desc_destroy(primitive->reorder_description);
    if (primitive->plain)
        dnnl_memory_desc_destroy(primitive->plain);
    *primitive = (struct onednn_primitive){0};
}
