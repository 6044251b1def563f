/* kernels_bench.c: plans of f32 products, and of the gradients of ResNet-50's convolutions, beside
 * what oneDNN and OpenBLAS have for the same arrays, one thread each. Prints the least time of the
 * plan, the ratio of the fastest of the others to it, and the others; at the end the geometric
 * mean and how many ratios are below 0.95. All sides alternate, in CPU time. GANTRY_ISA limits all
 * of them.
 *
 *     kernels_bench [TEXT]     only the rows whose name contains it */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/cpu.h"
#include "devices/host/kernels/blas.h"
#include "devices/host/kernels/kernels.h"
#include "devices/host/kernels/onednn.h"

enum { ROUNDS = 7, CONTENDERS = 8, IMAGES = 8 };
#define ROUND_SECONDS 0.004
#define LEVEL 0.95 /* a lower ratio is no noise */

struct contender {
    const char *name;
    void (*run)(const void *context); /* context: a struct that each kind of row defines */
    const void *context;
    double best; /* seconds */
};

static const char *only = "";
static double log_sum;
static int rows, below, threads = 1;

static void check(struct error *error)
{
    if (!error)
        return;
    fprintf(stderr, "%s\n", error_message(error, NULL));
    exit(1);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static float *numbers(int64_t count)
{
    float *out = NULL;
    check(alloc_aligned((size_t)count * sizeof *out + 64, &out));
    for (int64_t i = 0; i < count; i++)
        out[i] = (float)((i * 7) % 13 - 6);
    return out;
}

static void measure_round(struct contender *contender)
{
    int calls = 0;
    double start = seconds(), took;
    do
        contender->run(contender->context), calls++;
    while ((took = seconds() - start) < ROUND_SECONDS);
    if (took / calls < contender->best)
        contender->best = took / calls;
}

/* The first contender is the plan. */
static void compare(const char *name, struct contender *all, int count)
{
    int peer = 1;
    for (int i = 0; i < count; i++)
        all[i].best = INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++)
            measure_round(&all[round % 2 ? i : count - 1 - i]);
    for (int i = 2; i < count; i++)
        if (all[i].best < all[peer].best)
            peer = i;
    double ratio = all[peer].best / all[0].best;
    rows++, log_sum += log(ratio), below += ratio < LEVEL;
    printf("%-42s %10.1f %6.2f ", name, all[0].best * 1e6, ratio);
    for (int i = 1; i < count; i++)
        printf(" %s %.1f", all[i].name, all[i].best * 1e6);
    printf("\n");
    fflush(stdout);
}

/* ---- a plan, a primitive --------------------------------------------------------------------- */
struct planned {
    struct plan *plan;
    void *buffers[PLAN_BUFFERS], *scratch;
};

static void run_plan(const void *context)
{
    const struct planned *p = context;
    if (p->plan->shared_bytes)
        check(p->plan->prepare(p->plan, p->buffers, 0, p->plan->prepare_work));
    check(p->plan->run(p->plan, p->buffers, p->scratch, 0, p->plan->work));
}

static void reserve_plan(struct planned *p, float *lhs, float *rhs, float *out)
{
    p->buffers[PLAN_LHS] = lhs, p->buffers[PLAN_RHS] = rhs, p->buffers[PLAN_OUT] = out;
    check(alloc_aligned(p->plan->scratch_bytes + 64, &p->scratch));
    check(alloc_aligned(p->plan->shared_bytes + 64, &p->buffers[PLAN_SHARED]));
}

static void free_plan(struct planned *p)
{
    p->plan->destroy(p->plan);
    alloc_free(p->scratch), alloc_free(p->buffers[PLAN_SHARED]);
}

struct primitive {
    struct onednn_primitive primitive;
    void *arrays[ONEDNN_ARGUMENTS], *scratch;
};

static void run_primitive(const void *context)
{
    const struct primitive *p = context;
    check(onednn_primitive_run(&p->primitive, p->arrays, p->scratch));
}

/* Adds a contender for a description, unless oneDNN has none; then its reference loops are no
 * contender either. Layouts that oneDNN chose are reordered in each run. */
static void add_primitive(struct contender *all, int *count, const char *name,
                          struct primitive *out, dnnl_status_t status,
                          dnnl_primitive_desc_t description,
                          const struct onednn_signature *signature,
                          const const_dnnl_memory_desc_t *plain, float *const *arrays)
{
    if (status != dnnl_success || onednn_is_reference(description))
        return;
    check(onednn_primitive_create(&out->primitive, description, signature, plain,
                                  ONEDNN_NONE_SHARED));
    for (int i = 0; i < ONEDNN_ARGUMENTS; i++)
        out->arrays[i] = arrays[i];
    check(alloc_aligned(out->primitive.scratch_bytes + 64, &out->scratch));
    all[(*count)++] = (struct contender){name, run_primitive, out, 0};
}

static void free_primitive(struct primitive *p)
{
    onednn_primitive_free(&p->primitive);
    alloc_free(p->scratch);
}

static dnnl_engine_t engine(void)
{
    dnnl_engine_t out;
    check(onednn_engine(&out));
    return out;
}

static dnnl_memory_desc_t layout(int rank, const int64_t *sizes, dnnl_format_tag_t tag)
{
    dnnl_memory_desc_t out;
    dnnl_dims_t dims;
    memcpy(dims, sizes, (size_t)rank * sizeof *dims);
    if (dnnl_memory_desc_create_with_tag(&out, rank, dims, dnnl_f32, tag) != dnnl_success)
        exit(1);
    return out;
}

static dnnl_primitive_attr_t attributes(void)
{
    dnnl_primitive_attr_t out;
    if (dnnl_primitive_attr_create(&out) != dnnl_success ||
        dnnl_primitive_attr_set_scratchpad_mode(out, dnnl_scratchpad_mode_user) != dnnl_success)
        exit(1);
    return out;
}

/* ---- products -------------------------------------------------------------------------------- */
struct product {
    int64_t m, n, k;
    bool lhs_transposed, rhs_transposed;
    float *lhs, *rhs, *out;
};

static void run_blas(const void *context)
{
    const struct product *p = context;
    check(blas_enter());
    cblas_sgemm(CblasRowMajor, p->lhs_transposed ? CblasTrans : CblasNoTrans,
                p->rhs_transposed ? CblasTrans : CblasNoTrans, (blasint)p->m, (blasint)p->n,
                (blasint)p->k, 1, p->lhs, (blasint)(p->lhs_transposed ? p->m : p->k), p->rhs,
                (blasint)(p->rhs_transposed ? p->k : p->n), 0, p->out, (blasint)p->n);
    blas_leave();
}

static void run_sgemm(const void *context)
{
    const struct product *p = context;
    dnnl_sgemm(p->lhs_transposed ? 'T' : 'N', p->rhs_transposed ? 'T' : 'N', p->m, p->n, p->k, 1,
               p->lhs, p->lhs_transposed ? p->m : p->k, p->rhs, p->rhs_transposed ? p->k : p->n, 0,
               p->out, p->n);
}

static struct dot_spec spec_of(const struct product *p)
{
    return (struct dot_spec){.lhs = DTYPE_F32,
                             .rhs = DTYPE_F32,
                             .out = DTYPE_F32,
                             .batch = 1,
                             .m = p->m,
                             .n = p->n,
                             .k = p->k,
                             .lhs_batch_stride = p->m * p->k,
                             .lhs_m_stride = p->lhs_transposed ? 1 : p->k,
                             .lhs_k_stride = p->lhs_transposed ? p->m : 1,
                             .rhs_batch_stride = p->k * p->n,
                             .rhs_k_stride = p->rhs_transposed ? 1 : p->n,
                             .rhs_n_stride = p->rhs_transposed ? p->k : 1,
                             .out_batch_stride = p->m * p->n,
                             .out_m_stride = p->n,
                             .out_n_stride = 1,
                             .outer = 1};
}

/* oneDNN's matmul, with the right side as it is and in the layout that it prefers. */
static void add_matmuls(struct contender *all, int *count, struct primitive *out,
                        const struct product *p)
{
    const int64_t lhs[] = {p->m, p->k}, rhs[] = {p->k, p->n}, result[] = {p->m, p->n};
    dnnl_memory_desc_t l = layout(2, lhs, p->lhs_transposed ? dnnl_ba : dnnl_ab),
                       r = layout(2, rhs, p->rhs_transposed ? dnnl_ba : dnnl_ab),
                       any = layout(2, rhs, dnnl_format_tag_any), o = layout(2, result, dnnl_ab);
    dnnl_primitive_attr_t attr = attributes();
    for (int i = 0; i < 2; i++) {
        dnnl_primitive_desc_t description = NULL;
        dnnl_status_t status = dnnl_matmul_primitive_desc_create(&description, engine(), l,
                                                                 i ? any : r, NULL, o, attr);
        add_primitive(all, count, i ? "packed" : "matmul", &out[i], status, description,
                      &onednn_forward, (const const_dnnl_memory_desc_t[]){l, r, o},
                      (float *[]){p->lhs, p->rhs, p->out});
    }
    dnnl_primitive_attr_destroy(attr);
    dnnl_memory_desc_destroy(l), dnnl_memory_desc_destroy(r);
    dnnl_memory_desc_destroy(any), dnnl_memory_desc_destroy(o);
}

static void measure_product(const char *name, const int64_t *size, const char *form)
{
    int64_t m = size[0], n = size[1], k = size[2];
    struct product p = {
        m, n, k, form[0] == 'T', form[1] == 'T', numbers(m * k), numbers(k * n), numbers(m * n)};
    struct dot_spec spec = spec_of(&p);
    struct planned planned;
    struct primitive matmuls[2] = {0};
    struct contender all[CONTENDERS] = {{"plan", run_plan, &planned, 0},
                                        {"OpenBLAS", run_blas, &p, 0},
                                        {"dnnl_sgemm", run_sgemm, &p, 0}};
    int count = 3;
    check(kernels_dot_plan(&spec, threads, &planned.plan));
    reserve_plan(&planned, p.lhs, p.rhs, p.out);
    add_matmuls(all, &count, matmuls, &p);
    compare(name, all, count);
    free_plan(&planned);
    for (int i = 0; i < 2; i++)
        free_primitive(&matmuls[i]);
    alloc_free(p.lhs), alloc_free(p.rhs), alloc_free(p.out);
}

/* Form NT: the right side is stored transposed. */
static void measure_products(void)
{
    static const int64_t shapes[][3] = {
        {32, 32, 32},     {48, 48, 48},     {64, 64, 64},       {96, 96, 96},       {100, 100, 100},
        {128, 128, 128},  {192, 192, 192},  {256, 256, 256},    {384, 384, 384},    {500, 500, 500},
        {512, 512, 512},  {768, 768, 768},  {1024, 1024, 1024}, {2048, 2048, 2048}, {8, 1024, 1024},
        {16, 4096, 1024}, {1024, 16, 1024}, {4096, 64, 64},     {64, 4096, 64},     {64, 64, 4096},
        {512, 768, 3072}, {512, 3072, 768}, {1000, 10, 784},    {128, 512, 784},    {4, 1024, 1024},
        {16, 1024, 1024}, {32, 1024, 256},  {32, 2048, 1024},   {8, 512, 512},      {16, 512, 512},
        {16, 1000, 1000}, {8, 4096, 256},   {33, 65, 129},      {300, 7, 300},      {7, 300, 300},
        {1024, 5, 1024},  {1024, 14, 1024}, {12, 1024, 1024},   {5000, 8, 10},      {32, 256, 1024},
        {16, 300, 300},   {128, 256, 256},  {128, 512, 512},    {512, 512, 128},    {784, 512, 128},
        {4096, 1024, 256}};
    static const char *const forms[] = {"NN", "NT", "TN"};
    char name[80];
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int f = 0; f < 3; f++) {
            const int64_t *size = shapes[i];
            snprintf(name, sizeof name, "product %s %lld x %lld x %lld", forms[f],
                     (long long)size[0], (long long)size[1], (long long)size[2]);
            if (strstr(name, only))
                measure_product(name, size, forms[f]);
        }
}

/* ---- gradients of convolutions --------------------------------------------------------------- */
struct layer { /* of ResNet-50: the window and the stride are square */
    int64_t in, out, image, window, stride;
};

struct layer_arrays { /* features last; the kernel's window first */
    float *input, *kernel, *output;
};

static int64_t padding(const struct layer *l)
{
    return l->window / 2;
}

static int64_t out_size(const struct layer *l)
{
    return (l->image + 2 * padding(l) - l->window) / l->stride + 1;
}

/* The gradient of the kernel, as JAX writes it: the images are features, the features a batch. */
static struct convolution_spec kernel_gradient(const struct layer *l)
{
    int64_t size = out_size(l);
    struct convolution_spec s = {.spatial = 2,
                                 .batch = l->in,
                                 .in_features = IMAGES,
                                 .out_features = l->out,
                                 .lhs_batch_stride = 1,
                                 .lhs_feature_stride = l->image * l->image * l->in,
                                 .lhs_stride = {l->image * l->in, l->in},
                                 .rhs_in_stride = size * size * l->out,
                                 .rhs_out_stride = 1,
                                 .rhs_stride = {size * l->out, l->out},
                                 .out_batch_stride = l->out,
                                 .out_feature_stride = 1,
                                 .out_stride = {l->window * l->in * l->out, l->in * l->out}};
    for (int i = 0; i < 2; i++) {
        s.in[i] = l->image, s.kernel[i] = size, s.out_size[i] = l->window;
        s.stride[i] = 1, s.rhs_dilation[i] = l->stride, s.lhs_dilation[i] = 1;
        s.pad_low[i] = padding(l);
        s.pad_high[i] = (size - 1) * l->stride + l->window - l->image - padding(l);
    }
    return s;
}

/* The gradient of the input: the output's gradient is dilated, the kernel reversed. */
static struct convolution_spec input_gradient(const struct layer *l)
{
    int64_t size = out_size(l);
    struct convolution_spec s = {.spatial = 2,
                                 .batch = IMAGES,
                                 .in_features = l->out,
                                 .out_features = l->in,
                                 .lhs_batch_stride = size * size * l->out,
                                 .lhs_feature_stride = 1,
                                 .lhs_stride = {size * l->out, l->out},
                                 .rhs_in_stride = 1,
                                 .rhs_out_stride = l->out,
                                 .rhs_stride = {l->window * l->in * l->out, l->in * l->out},
                                 .out_batch_stride = l->image * l->image * l->in,
                                 .out_feature_stride = 1,
                                 .out_stride = {l->image * l->in, l->in}};
    for (int i = 0; i < 2; i++) {
        s.in[i] = size, s.kernel[i] = l->window, s.out_size[i] = l->image;
        s.stride[i] = 1, s.rhs_dilation[i] = 1, s.lhs_dilation[i] = l->stride;
        s.reverse[i] = true;
        s.pad_low[i] = l->window - 1 - padding(l);
        s.pad_high[i] = l->image - 1 + l->window - ((size - 1) * l->stride + 1) - s.pad_low[i];
    }
    return s;
}

static const struct onednn_signature backward_data = {
    {DNNL_ARG_DIFF_DST, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_SRC},
    {dnnl_query_diff_dst_md, dnnl_query_weights_md, dnnl_query_diff_src_md}};

struct layer_layouts {
    dnnl_memory_desc_t input[2], kernel[2], output[2]; /* the client's, any */
};

static dnnl_status_t describe_gradient(const struct layer *l, const struct layer_layouts *d,
                                       bool of_kernel, bool free, dnnl_primitive_desc_t *out)
{
    dnnl_dims_t strides = {l->stride, l->stride}, dilations = {0}, low, high;
    dnnl_primitive_attr_t attr = attributes();
    dnnl_primitive_desc_t hint = NULL;
    for (int i = 0; i < 2; i++) {
        low[i] = padding(l);
        high[i] = (out_size(l) - 1) * l->stride + l->window - l->image - padding(l);
    }
    dnnl_status_t status = dnnl_convolution_forward_primitive_desc_create(
        &hint, engine(), dnnl_forward_training, dnnl_convolution_direct, d->input[free],
        d->kernel[1], NULL, d->output[free], strides, dilations, low, high, attr);
    if (status == dnnl_success && of_kernel)
        status = dnnl_convolution_backward_weights_primitive_desc_create(
            out, engine(), dnnl_convolution_direct, d->input[free], d->kernel[1], NULL,
            d->output[free], strides, dilations, low, high, hint, attr);
    else if (status == dnnl_success)
        status = dnnl_convolution_backward_data_primitive_desc_create(
            out, engine(), dnnl_convolution_direct, d->input[free], d->kernel[1], d->output[free],
            strides, dilations, low, high, hint, attr);
    if (hint)
        dnnl_primitive_desc_destroy(hint);
    dnnl_primitive_attr_destroy(attr);
    return status;
}

/* oneDNN's gradient, with activations as they are and in the layouts that it prefers. */
static void add_gradients(struct contender *all, int *count, struct primitive *out,
                          const struct layer *l, const struct layer_arrays *a, bool of_kernel)
{
    const int64_t size = out_size(l), input[] = {IMAGES, l->in, l->image, l->image},
                  kernel[] = {l->out, l->in, l->window, l->window},
                  output[] = {IMAGES, l->out, size, size};
    struct layer_layouts d;
    for (int free = 0; free < 2; free++) {
        d.input[free] = layout(4, input, free ? dnnl_format_tag_any : dnnl_nhwc);
        d.kernel[free] = layout(4, kernel, free ? dnnl_format_tag_any : dnnl_hwio);
        d.output[free] = layout(4, output, free ? dnnl_format_tag_any : dnnl_nhwc);
    }
    const const_dnnl_memory_desc_t plain[2][3] = {{d.output[0], d.kernel[0], d.input[0]},
                                                  {d.input[0], d.output[0], d.kernel[0]}};
    float *const arrays[2][3] = {{a->output, a->kernel, a->input},
                                 {a->input, a->output, a->kernel}};
    for (int free = 0; free < 2; free++) {
        dnnl_primitive_desc_t description = NULL;
        dnnl_status_t status = describe_gradient(l, &d, of_kernel, free, &description);
        add_primitive(all, count, free ? "blocked" : "plain", &out[free], status, description,
                      of_kernel ? &onednn_weights : &backward_data, plain[of_kernel],
                      arrays[of_kernel]);
    }
    for (int free = 0; free < 2; free++) {
        dnnl_memory_desc_destroy(d.input[free]), dnnl_memory_desc_destroy(d.kernel[free]);
        dnnl_memory_desc_destroy(d.output[free]);
    }
}

static int64_t pixels(const struct layer *l)
{
    return IMAGES * l->image * l->image;
}

/* Gradients of windows of one element are products. */
static void add_products(struct contender *all, int *count, struct product *p,
                         const struct layer *l, const struct layer_arrays *a, bool of_kernel)
{
    if (l->window > 1 || l->stride > 1)
        return;
    *p = of_kernel ? (struct product){l->in, l->out,   pixels(l), true,
                                      false, a->input, a->output, a->kernel}
                   : (struct product){pixels(l), l->in,     l->out,    false,
                                      true,      a->output, a->kernel, a->input};
    all[(*count)++] = (struct contender){"OpenBLAS", run_blas, p, 0};
    all[(*count)++] = (struct contender){"dnnl_sgemm", run_sgemm, p, 0};
}

static void measure_gradient(const char *name, const struct layer *l, bool of_kernel)
{
    int64_t size = out_size(l);
    struct layer_arrays a = {numbers(pixels(l) * l->in),
                             numbers(l->window * l->window * l->in * l->out),
                             numbers(IMAGES * size * size * l->out)};
    struct convolution_spec spec = of_kernel ? kernel_gradient(l) : input_gradient(l);
    struct planned planned;
    struct primitive primitives[2] = {0};
    struct product product;
    struct contender all[CONTENDERS] = {{"plan", run_plan, &planned, 0}};
    int count = 1;
    spec.lhs = spec.rhs = spec.out = DTYPE_F32, spec.feature_groups = spec.batch_groups = 1;
    check(kernels_convolution_plan(&spec, 1, &planned.plan));
    reserve_plan(&planned, of_kernel ? a.input : a.output, of_kernel ? a.output : a.kernel,
                 of_kernel ? a.kernel : a.input);
    add_gradients(all, &count, primitives, l, &a, of_kernel);
    add_products(all, &count, &product, l, &a, of_kernel);
    compare(name, all, count);
    free_plan(&planned);
    for (int i = 0; i < 2; i++)
        free_primitive(&primitives[i]);
    alloc_free(a.input), alloc_free(a.kernel), alloc_free(a.output);
}

static void measure_gradients(void)
{
    static const struct layer layers[] = {
        {3, 64, 224, 7, 2},   {64, 64, 56, 1, 1},    {64, 64, 56, 3, 1},     {64, 256, 56, 1, 1},
        {256, 64, 56, 1, 1},  {256, 128, 56, 1, 1},  {128, 128, 56, 3, 2},   {256, 512, 56, 1, 2},
        {128, 512, 28, 1, 1}, {512, 128, 28, 1, 1},  {128, 128, 28, 3, 1},   {512, 256, 28, 1, 1},
        {256, 256, 28, 3, 2}, {512, 1024, 28, 1, 2}, {256, 1024, 14, 1, 1},  {1024, 256, 14, 1, 1},
        {256, 256, 14, 3, 1}, {512, 512, 14, 3, 2},  {1024, 2048, 14, 1, 2}, {512, 2048, 7, 1, 1},
        {2048, 512, 7, 1, 1}, {512, 512, 7, 3, 1}};
    char name[80];
    for (size_t i = 0; i < 2 * sizeof layers / sizeof *layers; i++) {
        const struct layer *l = &layers[i / 2];
        bool of_kernel = i % 2;
        snprintf(name, sizeof name, "%s gradient %lldx%lld/%lld %lld to %lld at %lld",
                 of_kernel ? "kernel" : "input", (long long)l->window, (long long)l->window,
                 (long long)l->stride, (long long)l->in, (long long)l->out, (long long)l->image);
        if (strstr(name, only))
            measure_gradient(name, l, of_kernel);
    }
}

int main(int argc, char **argv)
{
    only = argc > 1 ? argv[1] : "";
    threads = argc > 2 ? atoi(argv[2]) : 1;
    onednn_enter();
    printf("features: %s\n%-42s %10s %6s  others\n", cpu_feature_names(), "us", "plan", "ratio");
    measure_products();
    measure_gradients();
    printf("%d rows, geometric mean %.3f, %d below %.2f\n", rows, exp(log_sum / rows), below,
           LEVEL);
    return 0;
}
