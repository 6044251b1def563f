#include "report/xspace_device.h"

#include <inttypes.h>
#include <string.h>

#include "compiler/analysis/rates.h"
#include "compiler/program/program.h"
#include "compiler/program/step_label.h"
#include "compiler/target.h"

/* Field numbers of op_metrics.proto and op_stats.proto of xprof. */
enum { BREAKDOWN_ACCESS = 1, ACCESS_OPERATION = 1, ACCESS_MEMORY = 2, ACCESS_BYTES = 3 };
enum { ACCESS_READ = 1, ACCESS_WRITE = 2, MEMORY_HBM = 1 };
enum { CORE_ORDINAL = 2, CORE_LOCAL_CHIP = 4, CORE_GLOBAL_CHIP = 5, CORE_GLOBAL = 6 };

/* tsl/profiler/lib/context_types.h: who numbers the spans that calls of a plugin belong to. */
enum { CONTEXT_LIBRARY_CALL = 14 };

static const char *const line_names[] = {
    [XSPACE_STEPS] = "Steps", [XSPACE_MODULES] = "XLA Modules", [XSPACE_OPERATIONS] = "XLA Ops"};

int64_t xspace_device_whole(double number)
{
    return number > 0 ? (int64_t)(number < 9e18 ? number : 9e18) : 0;
}

/* ---- the device ------------------------------------------------------------------------------ */
struct peaks {
    double flops, bytes; /* a second */
};

static struct peaks peaks_of(const struct target *target)
{
    const struct accelerator *accelerator = target->accelerator;
    if (accelerator)
        return (struct peaks){accelerator->bf16_rate, accelerator->hbm_peak};
    if (!target->isa.features)
        return (struct peaks){0};
    const double *ns = rates_of(target->isa.class)->nanoseconds;
    return (struct peaks){target->cores * 2e9 / ns[RATE_PRODUCT_F32],
                          target->cores * 1e9 / ns[RATE_BYTES]};
}

static const char *type_of(struct arena *arena, const struct target *target)
{
    if (target->accelerator)
        return arena_format(arena, "TPU %s (modeled by Gantry)", target->accelerator->name);
    return arena_format(arena, "Gantry %s", target->name ? target->name : "device");
}

static void add_stats(struct xspace_device *to, int device, const struct target *target)
{
    struct proto core = {.arena = to->arena};
    proto_number(&core, CORE_ORDINAL, device);
    proto_number(&core, CORE_LOCAL_CHIP, device);
    proto_number(&core, CORE_GLOBAL_CHIP, device);
    proto_number(&core, CORE_GLOBAL, device);
    const struct xplane_stat stats[] = {
        {.name = "device_type_string", .text = type_of(to->arena, target)},
        {.name = "device_id", .number = device},
        {.name = "core_details", .bytes = &core},
        {.name = "peak_teraflops_per_second", .real = to->peak_flops / 1e12},
        {.name = "peak_hbm_bw_gigabytes_per_second", .real = to->peak_bytes / 1e9},
    };
    for (size_t i = 0; i < sizeof stats / sizeof *stats; i++)
        xplane_stat(to->plane, &stats[i]);
}

struct xspace_device *xspace_device_create(struct arena *arena, int64_t id, int device,
                                           const struct target *target, uint64_t start_ns)
{
    struct xspace_device *to = ARENA_NEW(arena, struct xspace_device);
    to->arena = arena;
    to->start_ns = start_ns;
    to->peak_flops = peaks_of(target).flops;
    to->peak_bytes = peaks_of(target).bytes;
    to->plane = xplane_create(arena, id, arena_format(arena, "/device:TPU:%d", device));
    add_stats(to, device, target);
    for (int i = 0; i < XSPACE_LINES; i++)
        xplane_line(to->plane, i, line_names[i], start_ns);
    return to;
}

/* ---- executions ------------------------------------------------------------------------------ */
int64_t xspace_device_program(const struct program *program)
{
    int64_t id = (int64_t)(program->fingerprint[0] & INT64_MAX);
    return id ? id : 1;
}

void xspace_device_execution(struct xspace_device *device, const struct trace_event *execution,
                             const struct program *program, int64_t offset_ps, int64_t duration_ps)
{
    const struct trace_subject *subject = &execution->subject;
    int64_t id = xspace_device_program(program);
    const struct xplane_stat stats[] = {{.name = "program_id", .number = id},
                                        {.name = "run_id", .number = subject->launch},
                                        {.name = "_ct", .number = CONTEXT_LIBRARY_CALL},
                                        {.name = "_c", .number = subject->flow}};
    struct xplane_event event = {
        .name = arena_format(device->arena, "%" PRId64, device->steps++),
        .offset_ps = offset_ps,
        .duration_ps = duration_ps,
    };
    device->seconds += (double)duration_ps * 1e-12;
    xplane_event(device->plane, XSPACE_STEPS, &event);
    event.name = arena_format(device->arena, "%s(%" PRId64 ")", execution->name, id);
    event.stats = stats;
    event.stat_count = subject->flow ? 4 : 2;
    xplane_event(device->plane, XSPACE_MODULES, &event);
}

/* ---- operations ------------------------------------------------------------------------------ */
static void add_stat(struct xplane_stat *stats, int *count, struct xplane_stat stat)
{
    stats[(*count)++] = stat;
}

static void add_source(struct arena *arena, const struct step_label *label,
                       struct xplane_stat *stats, int *count)
{
    if (label->operation)
        add_stat(
            stats, count,
            (struct xplane_stat){.name = "tf_op",
                                 .text = arena_format(arena, "%.*s:", (int)label->operation_size,
                                                      label->operation)});
    if (label->file)
        add_stat(stats, count,
                 (struct xplane_stat){.name = "source",
                                      .text = arena_format(arena, "%.*s:%d", (int)label->file_size,
                                                           label->file, label->line)});
}

/* All bytes are of the device's memory. */
static const struct proto *breakdown(struct arena *arena, const struct xspace_operation *operation)
{
    double bytes[] = {operation->bytes - operation->written, operation->written};
    struct proto *all = ARENA_NEW(arena, struct proto);
    all->arena = arena;
    for (int i = 0; i < 2; i++) {
        struct proto access = {.arena = arena};
        proto_number(&access, ACCESS_OPERATION, i ? ACCESS_WRITE : ACCESS_READ);
        proto_number(&access, ACCESS_MEMORY, MEMORY_HBM);
        proto_number(&access, ACCESS_BYTES, xspace_device_whole(bytes[i]));
        proto_message(all, BREAKDOWN_ACCESS, &access);
    }
    return all;
}

static void add_cost(struct arena *arena, const struct xspace_operation *operation,
                     struct xplane_stat *stats, int *count)
{
    add_stat(
        stats, count,
        (struct xplane_stat){.name = "flops", .number = xspace_device_whole(operation->flops)});
    add_stat(stats, count,
             (struct xplane_stat){.name = "bytes_accessed",
                                  .number = xspace_device_whole(operation->bytes)});
    add_stat(stats, count,
             (struct xplane_stat){.name = "memory_access_breakdown",
                                  .bytes = breakdown(arena, operation)});
}

int64_t xspace_device_kind(struct xspace_device *device, const struct xspace_operation *operation)
{
    struct arena *arena = device->arena;
    struct step_label label = step_label(operation->label);
    const char *name = operation->name ? operation->name
                                       : arena_format(arena, "%.*s.%" PRId64, (int)label.name_size,
                                                      label.name, operation->number);
    struct xplane_stat stats[8];
    int count = 0;
    add_stat(stats, &count,
             (struct xplane_stat){.name = "hlo_category", .text = operation->category});
    add_stat(stats, &count,
             (struct xplane_stat){.name = "program_id", .number = operation->program});
    add_stat(stats, &count, (struct xplane_stat){.name = "symbol_id", .number = operation->number});
    add_source(arena, &label, stats, &count);
    add_cost(arena, operation, stats, &count);
    const struct xplane_kind kind = {
        .name = arena_format(arena, "%%%s = %s", name, operation->label ? operation->label : name),
        .short_name = name,
        .stats = stats,
        .stat_count = count,
    };
    return xplane_kind(device->plane, &kind);
}

void xspace_device_event(struct xspace_device *device, int line, int64_t kind,
                         const struct xspace_operation *operation, int64_t offset_ps,
                         int64_t duration_ps)
{
    device->flops += operation->flops;
    device->bytes += operation->bytes;
    const struct xplane_event event = {
        .kind = kind, .offset_ps = offset_ps, .duration_ps = duration_ps};
    xplane_event(device->plane, line, &event);
}

/* ---- use ------------------------------------------------------------------------------------- */
static double percent(double part, double whole)
{
    double percent = whole > 0 ? 100 * part / whole : 0;
    return percent < 100 ? percent : 100;
}

void xspace_device_add_use(struct xplane *host, struct xspace_device *const *devices, size_t count)
{
    double flops = 0, bytes = 0, most_flops = 0, most_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        flops += devices[i]->flops;
        bytes += devices[i]->bytes;
        most_flops += devices[i]->peak_flops * devices[i]->seconds;
        most_bytes += devices[i]->peak_bytes * devices[i]->seconds;
    }
    xplane_stat(host, &(struct xplane_stat){.name = "matrix_unit_utilization_percent",
                                            .real = percent(flops, most_flops)});
    xplane_stat(host, &(struct xplane_stat){.name = "hbm_utilization_percent",
                                            .real = percent(bytes, most_bytes)});
}
