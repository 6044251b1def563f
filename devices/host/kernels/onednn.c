#include "devices/host/kernels/onednn.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "base/thread.h"

enum { CREATE_BYTES = 1 << 20 }; /* what creating a primitive may allocate */

/* From libgomp, which oneDNN uses; not every compiler ships omp.h. */
int omp_get_max_threads(void);
void omp_set_num_threads(int threads);

static const char *status_name(dnnl_status_t status)
{
    switch (status) {
    case dnnl_out_of_memory: return "out of memory";
    case dnnl_invalid_arguments: return "invalid arguments";
    case dnnl_unimplemented: return "unimplemented";
    case dnnl_runtime_error: return "runtime error";
    default: return "failure";
    }
}

struct error *onednn_check(dnnl_status_t status, const char *call)
{
    if (status == dnnl_success)
        return NULL;
    if (status == dnnl_out_of_memory)
        return ERROR(RESOURCE_EXHAUSTED, "oneDNN: out of memory in %s", call);
    if (status == dnnl_unimplemented)
        return ERROR(UNIMPLEMENTED, "oneDNN does not implement %s", call);
    return ERROR(INTERNAL, "oneDNN: %s in %s", status_name(status), call);
}

static dnnl_engine_t engine;
static dnnl_status_t engine_status;
static pthread_key_t stream_key;

static void destroy_stream(void *stream)
{
    dnnl_stream_destroy(stream);
}

/* The highest instruction set for oneDNN that uses only features in `f`. */
static dnnl_cpu_isa_t isa_of(const struct cpu_features *f)
{
    if (f->amx_tile)
        return dnnl_cpu_isa_default;
    if (f->avx512_fp16)
        return dnnl_cpu_isa_avx512_core_fp16;
    if (f->avx512_bf16)
        return dnnl_cpu_isa_avx512_core_bf16;
    if (f->avx512_vnni)
        return dnnl_cpu_isa_avx512_core_vnni;
    if (f->avx512)
        return dnnl_cpu_isa_avx512_core;
    return f->avx2 ? dnnl_cpu_isa_avx2 : dnnl_cpu_isa_sse41;
}

/* oneDNN fixes its instruction set at its first call, so this must precede the engine. Version 3.2
 * keeps a primitive that it could not create in its cache, under a key with pointers into freed
 * memory (remove_if_invalidated() in its src/common/cache_utils.hpp): nothing is cached there. */
static void create_engine(void)
{
    if (cpu_is_narrowed())
        dnnl_set_max_cpu_isa(isa_of(cpu_features()));
    dnnl_set_primitive_cache_capacity(0);
    engine_status = dnnl_engine_create(&engine, dnnl_cpu, 0);
    pthread_key_create(&stream_key, destroy_stream);
}

struct error *onednn_engine(dnnl_engine_t *out)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, create_engine);
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
    case DTYPE_F32: return dnnl_f32;
    case DTYPE_BF16: return dnnl_bf16;
    case DTYPE_F16: return dnnl_f16;
    case DTYPE_S32: return dnnl_s32;
    case DTYPE_S8: return dnnl_s8;
    case DTYPE_U8: return dnnl_u8;
    default: return dnnl_data_type_undef;
    }
}

bool onednn_is_native(enum dtype dtype)
{
    const struct cpu_features *features = cpu_features();
    return dtype == DTYPE_S8     ? features->avx512_vnni
           : dtype == DTYPE_BF16 ? features->avx512_bf16
                                 : true;
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

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + 63) & ~(uint64_t)63;
}

const struct onednn_signature onednn_forward = {
    {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
    {dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md}};
const struct onednn_signature onednn_weights = {
    {DNNL_ARG_SRC, DNNL_ARG_DIFF_DST, DNNL_ARG_DIFF_WEIGHTS},
    {dnnl_query_src_md, dnnl_query_diff_dst_md, dnnl_query_diff_weights_md}};

static bool is_result(int argument)
{
    return argument == ONEDNN_ARGUMENTS - 1;
}

struct creation {
    const_dnnl_primitive_desc_t description;
    dnnl_primitive_t primitive;
    dnnl_status_t status;
};

static void create_here(void *context)
{
    struct creation *creation = context;
    int threads = onednn_enter();
    creation->status = dnnl_primitive_create(&creation->primitive, creation->description);
    onednn_leave(threads);
}

/* Where oneDNN's assembler once had no memory for code it makes none any more, so what fails on
 * this thread is tried on a new one. */
static dnnl_status_t create_primitive(dnnl_primitive_t *out,
                                      const_dnnl_primitive_desc_t description)
{
    struct creation creation = {.description = description};
    create_here(&creation);
    if (creation.status != dnnl_success)
        thread_run("gantry-onednn", create_here, &creation);
    *out = creation.primitive;
    return creation.status;
}

static struct error *create_reorder_primitive(struct onednn_argument *argument,
                                              const_dnnl_memory_desc_t from,
                                              const_dnnl_memory_desc_t to, dnnl_engine_t cpu)
{
    ONEDNN_TRY(dnnl_reorder_primitive_desc_create(&argument->reorder_description, from, cpu, to,
                                                  cpu, NULL));
    ONEDNN_TRY(create_primitive(&argument->reorder, argument->reorder_description));
    return NULL;
}

/* Prepares to reorder an argument between the client's layout and oneDNN's. */
static struct error *create_reorder(struct onednn_primitive *out, int i, dnnl_engine_t cpu)
{
    struct onednn_argument *argument = &out->arguments[i];
    const_dnnl_memory_desc_t from = is_result(i) ? argument->used : argument->plain;
    const_dnnl_memory_desc_t to = is_result(i) ? argument->plain : argument->used;
    argument->differs = true;
    if (!panel_copy_plan(from, to, &argument->panels))
        TRY(create_reorder_primitive(argument, from, to, cpu));
    uint64_t bytes = round_up(dnnl_memory_desc_get_size(argument->used));
    argument->at = out->scratch_bytes;
    if (i == out->shared)
        out->shared_bytes = bytes;
    else
        out->scratch_bytes += bytes;
    return NULL;
}

static struct error *create_argument(struct onednn_primitive *out, int i,
                                     const struct onednn_signature *signature,
                                     const_dnnl_memory_desc_t plain, dnnl_engine_t cpu)
{
    struct onednn_argument *argument = &out->arguments[i];
    argument->role = signature->roles[i];
    argument->used = dnnl_primitive_desc_query_md(out->description, signature->queries[i], 0);
    ONEDNN_TRY(dnnl_memory_desc_clone(&argument->plain, plain));
    return dnnl_memory_desc_equal(plain, argument->used) ? NULL : create_reorder(out, i, cpu);
}

struct error *onednn_primitive_create(struct onednn_primitive *out,
                                      dnnl_primitive_desc_t description,
                                      const struct onednn_signature *signature,
                                      const const_dnnl_memory_desc_t plain[ONEDNN_ARGUMENTS],
                                      int shared)
{
    dnnl_engine_t cpu;
    *out = (struct onednn_primitive){.description = description, .shared = shared};
    TRY(alloc_probe(CREATE_BYTES)); /* oneDNN ends the process when an allocation of it fails */
    TRY(onednn_engine(&cpu));
    TRY(alloc_zeroed(ONEDNN_SPARES * sizeof *out->spares, &out->spares));
    const_dnnl_memory_desc_t scratchpad =
        dnnl_primitive_desc_query_md(description, dnnl_query_scratchpad_md, 0);
    out->scratch_bytes = round_up(scratchpad ? dnnl_memory_desc_get_size(scratchpad) : 0);
    ONEDNN_TRY(create_primitive(&out->primitive, description));
    for (int i = 0; i < ONEDNN_ARGUMENTS; i++)
        TRY(create_argument(out, i, signature, plain[i], cpu));
    return NULL;
}

static const char *implementation_of(const_dnnl_primitive_desc_t description)
{
    const char *name = "";
    dnnl_primitive_desc_query(description, dnnl_query_impl_info_str, 0, &name);
    return name;
}

bool onednn_is_reference(const_dnnl_primitive_desc_t description)
{
    return strstr(implementation_of(description), "ref") != NULL;
}

bool onednn_is_gemm(const_dnnl_primitive_desc_t description)
{
    return strncmp(implementation_of(description), "gemm:", strlen("gemm:")) == 0;
}

bool onednn_is_unfolded(const_dnnl_primitive_desc_t description)
{
    return strstr(implementation_of(description), "x64:gemm:") != NULL;
}

/* ---- running --------------------------------------------------------------------------------- */
static void destroy_memories(struct onednn_memories *memories)
{
    dnnl_memory_t all[2 * ONEDNN_ARGUMENTS + 1] = {memories->scratchpad};
    memcpy(all + 1, memories->used, sizeof memories->used);
    memcpy(all + 1 + ONEDNN_ARGUMENTS, memories->plain, sizeof memories->plain);
    for (int i = 0; i < 2 * ONEDNN_ARGUMENTS + 1; i++)
        if (all[i])
            dnnl_memory_destroy(all[i]);
    alloc_free(memories);
}

static struct error *create_memories(const struct onednn_primitive *primitive,
                                     struct onednn_memories *memories)
{
    dnnl_engine_t cpu;
    TRY(onednn_engine(&cpu));
    const_dnnl_memory_desc_t scratchpad =
        dnnl_primitive_desc_query_md(primitive->description, dnnl_query_scratchpad_md, 0);
    for (int i = 0; i < ONEDNN_ARGUMENTS; i++) {
        const struct onednn_argument *argument = &primitive->arguments[i];
        ONEDNN_TRY(dnnl_memory_create(&memories->used[i], argument->used, cpu, NULL));
        if (argument->reorder)
            ONEDNN_TRY(dnnl_memory_create(&memories->plain[i], argument->plain, cpu, NULL));
    }
    ONEDNN_TRY(dnnl_memory_create(&memories->scratchpad, scratchpad, cpu, NULL));
    return NULL;
}

static struct error *acquire_memories(const struct onednn_primitive *primitive,
                                      struct onednn_memories **out)
{
    *out = NULL;
    for (int i = 0; i < ONEDNN_SPARES && !*out; i++)
        *out = atomic_exchange(&primitive->spares[i], NULL);
    if (*out)
        return NULL;
    TRY(alloc_zeroed(sizeof **out, out));
    struct error *error = create_memories(primitive, *out);
    if (error)
        destroy_memories(*out);
    return error;
}

static void release_memories(const struct onednn_primitive *primitive,
                             struct onednn_memories *memories)
{
    for (int i = 0; i < ONEDNN_SPARES; i++) {
        struct onednn_memories *none = NULL;
        if (atomic_compare_exchange_strong(&primitive->spares[i], &none, memories))
            return;
    }
    destroy_memories(memories);
}

static struct error *place(dnnl_memory_t memory, void *bytes)
{
    ONEDNN_TRY(dnnl_memory_set_data_handle(memory, bytes));
    return NULL;
}

/* Reorders an argument from the client's layout to the primitive's, a result the other way. */
static struct error *reorder(const struct onednn_primitive *primitive, int i,
                             const struct onednn_memories *memories, void *plain, void *used)
{
    const struct onednn_argument *argument = &primitive->arguments[i];
    dnnl_memory_t from = memories->plain[i], to = memories->used[i];
    dnnl_stream_t stream;
    if (argument->panels.rows) {
        panel_copy_run(&argument->panels, is_result(i) ? used : plain, is_result(i) ? plain : used,
                       0, argument->panels.rows);
        return NULL;
    }
    TRY(onednn_stream(&stream));
    TRY(place(from, plain));
    TRY(place(to, used));
    dnnl_exec_arg_t arguments[2] = {{is_result(i) ? DNNL_ARG_TO : DNNL_ARG_FROM, from},
                                    {is_result(i) ? DNNL_ARG_FROM : DNNL_ARG_TO, to}};
    ONEDNN_TRY(dnnl_primitive_execute(argument->reorder, stream, 2, arguments));
    return NULL;
}

static struct error *run_with(const struct onednn_primitive *primitive, void *const *addresses,
                              char *scratch, const struct onednn_memories *memories)
{
    dnnl_stream_t stream;
    dnnl_exec_arg_t arguments[ONEDNN_ARGUMENTS + 1];
    int result = ONEDNN_ARGUMENTS - 1;
    TRY(onednn_stream(&stream));
    for (int i = 0; i < ONEDNN_ARGUMENTS; i++) {
        const struct onednn_argument *argument = &primitive->arguments[i];
        bool differs = argument->differs && i != primitive->shared;
        void *used = differs ? scratch + argument->at : addresses[i];
        arguments[i] = (dnnl_exec_arg_t){argument->role, memories->used[i]};
        if (differs && !is_result(i))
            TRY(reorder(primitive, i, memories, addresses[i], used));
        TRY(place(memories->used[i], used));
    }
    TRY(place(memories->scratchpad, scratch));
    arguments[ONEDNN_ARGUMENTS] = (dnnl_exec_arg_t){DNNL_ARG_SCRATCHPAD, memories->scratchpad};
    ONEDNN_TRY(
        dnnl_primitive_execute(primitive->primitive, stream, ONEDNN_ARGUMENTS + 1, arguments));
    if (primitive->arguments[result].differs)
        TRY(reorder(primitive, result, memories, addresses[result],
                    scratch + primitive->arguments[result].at));
    return NULL;
}

bool onednn_primitive_shares(const struct onednn_primitive *a, const struct onednn_primitive *b)
{
    return a->shared == b->shared &&
           dnnl_memory_desc_equal(a->arguments[a->shared].used, b->arguments[b->shared].used);
}

int64_t onednn_primitive_prepare_work(const struct onednn_primitive *primitive)
{
    if (!primitive->shared_bytes)
        return 0;
    int64_t rows = primitive->arguments[primitive->shared].panels.rows;
    return rows ? rows : 1;
}

struct error *onednn_primitive_prepare(const struct onednn_primitive *primitive, void *from,
                                       void *to, int64_t begin, int64_t end)
{
    struct onednn_memories *memories;
    if (!primitive->shared_bytes)
        return NULL;
    const struct panel_copy *panels = &primitive->arguments[primitive->shared].panels;
    if (panels->rows) {
        panel_copy_run(panels, from, to, begin, end);
        return NULL;
    }
    TRY(acquire_memories(primitive, &memories));
    int threads = onednn_enter();
    struct error *error = reorder(primitive, primitive->shared, memories, from, to);
    onednn_leave(threads);
    release_memories(primitive, memories);
    return error;
}

struct error *onednn_primitive_run(const struct onednn_primitive *primitive, void *const *addresses,
                                   void *scratch)
{
    struct onednn_memories *memories;
    TRY(acquire_memories(primitive, &memories));
    int threads = onednn_enter();
    struct error *error = run_with(primitive, addresses, scratch, memories);
    onednn_leave(threads);
    release_memories(primitive, memories);
    return error;
}

void onednn_primitive_free(struct onednn_primitive *primitive)
{
    for (int i = 0; primitive->spares && i < ONEDNN_SPARES; i++)
        if (primitive->spares[i])
            destroy_memories(primitive->spares[i]);
    alloc_free((void *)primitive->spares);
    if (primitive->primitive)
        dnnl_primitive_destroy(primitive->primitive);
    for (int i = 0; i < ONEDNN_ARGUMENTS; i++) {
        struct onednn_argument *argument = &primitive->arguments[i];
        if (argument->reorder)
            dnnl_primitive_destroy(argument->reorder);
        if (argument->reorder_description)
            dnnl_primitive_desc_destroy(argument->reorder_description);
        if (argument->plain)
            dnnl_memory_desc_destroy(argument->plain);
    }
    if (primitive->description)
        dnnl_primitive_desc_destroy(primitive->description);
    *primitive = (struct onednn_primitive){0};
}
