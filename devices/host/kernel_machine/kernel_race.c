#include "devices/host/kernel_machine/kernel_race.h"

#include <stdio.h>
#include <string.h>

#include "base/vec.h"
#include "devices/host/kernel_machine/kernel_shadow.h"

struct flight { /* a DMA that not every core knows to have ended */
    struct kernel_view from, to;
    int element, starter, id;
    int64_t bytes;
    const struct kernel_op *op;
    /* Which core has proved that the source was read and the target written, and its clock then;
     * core -1: none. */
    int sent_core, received_core;
    int64_t sent_clock, received_clock;
    bool has_sends;
    const int64_t *start; /* the starter's clock */
};

struct arrival { /* of a DMA's bytes at one of its semaphores */
    struct flight *flight;
    bool is_target, is_proved;
};

struct semaphore { /* what the checker knows of a counter */
    struct kernel_counter *counter;
    int64_t *clock; /* of the signals */
    const struct kernel_op *last;
    int64_t started, waited; /* bytes of the DMAs in the list, and of waits since it was empty */
    VEC(struct arrival) arrivals;
};

struct history { /* an access that a DMA of another core may race with */
    struct kernel_view box;
    int bytes;
    bool writes;
    int core;
    int64_t clock;
    const struct kernel_op *op;
};

struct kernel_races {
    struct arena *arena;
    struct kernel_run *run;
    int64_t *clocks; /* [core][core] */
    int cores;
    VEC(struct flight *) flights;
    VEC(struct semaphore *) semaphores;
    VEC(struct history) history;
};

enum { HISTORY = 4096 }; /* accesses that are kept; more than that, and the oldest are forgotten */

struct kernel_races *kernel_race_begin(struct arena *arena, struct kernel_run *run)
{
    struct kernel_races *races = ARENA_NEW(arena, struct kernel_races);
    races->arena = arena;
    races->run = run;
    races->cores = run->core_count;
    races->clocks = ARENA_ARRAY(arena, int64_t, (size_t)run->core_count *(size_t)run->core_count);
    for (int i = 0; i < run->core_count; i++)
        races->clocks[i * run->core_count + i] = 1;
    return races;
}

/* ---- clocks ---------------------------------------------------------------------------------- */
static int64_t *clock_of(const struct kernel_races *races, int core)
{
    return races->clocks + (size_t)core * (size_t)races->cores;
}

static void join(const struct kernel_races *races, int64_t *into, const int64_t *clock)
{
    for (int i = 0; i < races->cores; i++)
        into[i] = clock[i] > into[i] ? clock[i] : into[i];
}

/* Whether a core knows of an event of another at this clock. */
static bool knows(const struct kernel_races *races, int core, int other, int64_t clock)
{
    return other >= 0 && clock_of(races, core)[other] >= clock;
}

static bool knows_sent(const struct kernel_races *races, int core, const struct flight *f)
{
    return knows(races, core, f->sent_core, f->sent_clock) ||
           knows(races, core, f->received_core, f->received_clock);
}

static bool knows_received(const struct kernel_races *races, int core, const struct flight *f)
{
    return knows(races, core, f->received_core, f->received_clock);
}

/* ---- reports --------------------------------------------------------------------------------- */
static struct error *race(const struct flight *f, const char *access, const struct kernel_view *box)
{
    char where[512], name[96];
    bool is_remote = f->to.buffer->device != f->from.buffer->device;
    kernel_op_where(f->op, where, sizeof where);
    kernel_core_buffer_name(box->buffer, name, sizeof name);
    return ERROR(FAILED_PRECONDITION,
                 "race: %s %s while the %sDMA started by %s on device %d may still be in flight: a "
                 "wait for its semaphore is missing before this access (it is not waited for)",
                 access, name, is_remote ? "remote " : "", where, f->from.buffer->device);
}

static struct error *race_with_history(const struct history *h, const struct kernel_dma *dma)
{
    char where[512] = "the grid's pipeline", name[96];
    if (h->op)
        kernel_op_where(h->op, where, sizeof where);
    kernel_core_buffer_name(h->box.buffer, name, sizeof name);
    return ERROR(FAILED_PRECONDITION,
                 "race: this remote DMA from device %d writes %s, which %s %s there without having "
                 "waited to receive it: no semaphore orders the two",
                 dma->from.buffer->device, name, where, h->writes ? "writes" : "reads");
}

/* ---- accesses -------------------------------------------------------------------------------- */
static void remember(struct kernel_races *races, const struct history *entry)
{
    for (size_t i = 0; i < races->history.count; i++) {
        struct history *old = &races->history.items[i];
        if (old->op == entry->op && old->core == entry->core && old->writes == entry->writes &&
            old->bytes == entry->bytes && memcmp(&old->box, &entry->box, sizeof old->box) == 0) {
            old->clock = entry->clock;
            return;
        }
    }
    if (races->history.count < HISTORY)
        VEC_PUSH(races->arena, &races->history, *entry);
    else
        races->history.items[(size_t)entry->clock % HISTORY] = *entry;
}

struct error *kernel_race_access(struct kernel_races *races, struct kernel_core *core,
                                 const struct kernel_op *op, const struct kernel_view *box,
                                 int bytes, bool writes)
{
    for (size_t i = 0; i < races->flights.count; i++) {
        const struct flight *f = races->flights.items[i];
        if (!knows_received(races, core->index, f) &&
            kernel_shadow_overlap(&f->to, f->element, box, bytes))
            return race(f, writes ? "a write of" : "a read of", box);
        if (writes && !knows_sent(races, core->index, f) &&
            kernel_shadow_overlap(&f->from, f->element, box, bytes))
            return race(f, "a write of", box);
    }
    if (races->cores > 1 && races->run->machine->kernel->has_communication) {
        struct history entry = {.bytes = bytes,
                                .writes = writes,
                                .core = core->index,
                                .clock = clock_of(races, core->index)[core->index],
                                .op = op};
        entry.box = *box;
        remember(races, &entry);
    }
    return NULL;
}

/* ---- semaphores ------------------------------------------------------------------------------ */
static struct semaphore *semaphore_of(struct kernel_races *races, struct kernel_counter *counter)
{
    if (!counter->clock) {
        struct semaphore *made = ARENA_NEW(races->arena, struct semaphore);
        made->counter = counter;
        made->clock = ARENA_ARRAY(races->arena, int64_t, (size_t)races->cores);
        counter->clock = made;
        VEC_PUSH(races->arena, &races->semaphores, made);
    }
    return counter->clock;
}

void kernel_race_signal(struct kernel_races *races, struct kernel_core *core,
                        const struct kernel_op *op, struct kernel_counter *counter)
{
    struct semaphore *semaphore = semaphore_of(races, counter);
    join(races, semaphore->clock, clock_of(races, core->index));
    semaphore->last = op;
    clock_of(races, core->index)[core->index]++;
}

/* The core has proved that the source was read, or the target written. */
static void prove(struct kernel_races *races, struct kernel_core *core, const struct arrival *a)
{
    int64_t clock = clock_of(races, core->index)[core->index];
    if (a->is_target) {
        a->flight->received_core = core->index;
        a->flight->received_clock = clock;
    } else {
        a->flight->sent_core = core->index;
        a->flight->sent_clock = clock;
    }
}

static int owner_of(const struct kernel_races *races, const struct kernel_view *view)
{
    return view->buffer->device * races->run->machine->cores + view->buffer->core;
}

/* Forgets DMAs that the cores of both sides know to have ended. */
static void prune(struct kernel_races *races)
{
    size_t kept = 0;
    for (size_t i = 0; i < races->flights.count; i++) {
        struct flight *f = races->flights.items[i];
        bool is_over = knows_received(races, owner_of(races, &f->to), f) &&
                       knows_sent(races, owner_of(races, &f->from), f) &&
                       (!f->has_sends || f->sent_core >= 0);
        if (!is_over)
            races->flights.items[kept++] = f;
    }
    races->flights.count = kept;
}

enum { ORDERED = 64 }; /* arrivals whose order is looked at */

/* The bytes that may arrive before the DMA has ended, its own included: those of DMAs which started
 * when their starter knew that this one was sent come later. */
static int64_t before_or_beside(const struct semaphore *semaphore, const struct flight *f)
{
    int64_t bytes = semaphore->started;
    for (size_t i = 0; i < semaphore->arrivals.count && semaphore->arrivals.count <= ORDERED; i++) {
        const struct flight *g = semaphore->arrivals.items[i].flight;
        if (g != f && f->sent_core >= 0 && g->start[f->sent_core] >= f->sent_clock)
            bytes -= g->bytes;
    }
    return bytes;
}

void kernel_race_waited(struct kernel_races *races, struct kernel_core *core,
                        struct kernel_counter *counter, int64_t amount)
{
    struct semaphore *semaphore = semaphore_of(races, counter);
    size_t kept = 0;
    clock_of(races, core->index)[core->index]++;
    join(races, clock_of(races, core->index), semaphore->clock);
    semaphore->waited += amount;
    int64_t waited = semaphore->waited;
    for (size_t i = 0; i < semaphore->arrivals.count; i++)
        semaphore->arrivals.items[i].is_proved =
            semaphore->arrivals.items[i].flight->bytes >
            before_or_beside(semaphore, semaphore->arrivals.items[i].flight) - waited;
    for (size_t i = 0; i < semaphore->arrivals.count; i++) {
        struct arrival *a = &semaphore->arrivals.items[i];
        if (a->is_proved) {
            semaphore->started -= a->flight->bytes;
            semaphore->waited -= a->flight->bytes;
            prove(races, core, a);
        } else {
            semaphore->arrivals.items[kept++] = *a;
        }
    }
    semaphore->arrivals.count = kept;
    prune(races);
}

/* ---- DMAs ------------------------------------------------------------------------------------ */
/* Earlier DMAs that the starter does not know to have ended. */
static struct error *check_flights(const struct kernel_races *races, const struct kernel_core *core,
                                   const struct kernel_dma *dma)
{
    for (size_t i = 0; i < races->flights.count; i++) {
        const struct flight *f = races->flights.items[i];
        if (!knows_received(races, core->index, f) &&
            (kernel_shadow_overlap(&f->to, f->element, &dma->from, dma->element) ||
             kernel_shadow_overlap(&f->to, f->element, &dma->to, dma->element)))
            return race(f, "this DMA uses", &f->to);
        if (!knows_sent(races, core->index, f) &&
            kernel_shadow_overlap(&f->from, f->element, &dma->to, dma->element))
            return race(f, "this DMA writes", &f->from);
    }
    return NULL;
}

/* Accesses of other cores to the target that nothing orders before the DMA. */
static struct error *check_history(const struct kernel_races *races, const struct kernel_core *core,
                                   const struct kernel_dma *dma)
{
    for (size_t i = 0; i < races->history.count; i++) {
        const struct history *h = &races->history.items[i];
        if (h->core != core->index && !knows(races, core->index, h->core, h->clock) &&
            kernel_shadow_overlap(&h->box, h->bytes, &dma->to, dma->element))
            return race_with_history(h, dma);
    }
    return NULL;
}

static void arrive(struct kernel_races *races, struct kernel_counter *counter, struct flight *f,
                   bool is_target)
{
    struct semaphore *semaphore = semaphore_of(races, counter);
    semaphore->started += f->bytes;
    semaphore->last = f->op;
    /* What the starter did before is known to who waits for the end. */
    join(races, semaphore->clock, clock_of(races, owner_of(races, &f->from)));
    VEC_PUSH(races->arena, &semaphore->arrivals, (struct arrival){f, is_target, false});
}

struct error *kernel_race_start(struct kernel_races *races, struct kernel_core *core,
                                const struct kernel_dma *dma)
{
    TRY(check_flights(races, core, dma));
    TRY(check_history(races, core, dma));
    struct flight *f = ARENA_NEW(races->arena, struct flight);
    *f = (struct flight){.from = dma->from,
                         .to = dma->to,
                         .element = dma->element,
                         .starter = core->index,
                         .id = dma->id,
                         .bytes = dma->bytes,
                         .op = dma->op,
                         .sent_core = -1,
                         .received_core = -1,
                         .has_sends = dma->sends != NULL,
                         .start = arena_copy(races->arena, clock_of(races, core->index),
                                             (size_t)races->cores * sizeof(int64_t))};
    VEC_PUSH(races->arena, &races->flights, f);
    arrive(races, dma->receives, f, true);
    if (dma->sends)
        arrive(races, dma->sends, f, false);
    clock_of(races, core->index)[core->index]++;
    return NULL;
}

/* ---- the end --------------------------------------------------------------------------------- */
static struct error *not_waited(const struct flight *f, const char *ends, const char *semaphore)
{
    char where[512];
    kernel_op_where(f->op, where, sizeof where);
    return ERROR(FAILED_PRECONDITION,
                 "%s ends on device %d, but the DMA started by %s is not waited for: a wait for "
                 "its %s semaphore is missing, which is left nonzero",
                 ends, f->from.buffer->device, where, semaphore);
}

static struct error *check_ended(const struct kernel_races *races)
{
    for (size_t i = 0; i < races->flights.count; i++) {
        const struct flight *f = races->flights.items[i];
        if (f->received_core < 0)
            return not_waited(f, "the kernel", "receive");
        if (f->has_sends && f->sent_core < 0)
            return not_waited(f, "the kernel", "send");
    }
    return NULL;
}

/* Semaphores are zero when their kernel or the region that allocates them ends. */
static struct error *check_counters(const struct kernel_core *core,
                                    const struct kernel_buffer *buffer)
{
    struct kernel_counter *counters = (struct kernel_counter *)(void *)buffer->bytes;
    char where[512] = "nothing", name[96];
    for (int64_t i = 0; i < buffer->size / (int64_t)sizeof *counters; i++) {
        const struct semaphore *semaphore = counters[i].clock;
        if (counters[i].value == 0)
            continue;
        if (semaphore && semaphore->last)
            kernel_op_where(semaphore->last, where, sizeof where);
        kernel_core_buffer_name(buffer, name, sizeof name);
        return ERROR(FAILED_PRECONDITION,
                     "semaphore %lld of %s, core %d, is left nonzero: %lld at the end; "
                     "last signalled by %s, a wait for it is missing",
                     (long long)i, name, core->core, (long long)counters[i].value, where);
    }
    return NULL;
}

/* DMAs that will signal a semaphore of an ending region. */
static struct error *check_arrivals(const struct kernel_buffer *buffer)
{
    const struct kernel_counter *counters =
        (const struct kernel_counter *)(const void *)buffer->bytes;
    for (int64_t i = 0; i < buffer->size / (int64_t)sizeof *counters; i++) {
        const struct semaphore *semaphore = counters[i].clock;
        if (semaphore && semaphore->arrivals.count > 0)
            return not_waited(semaphore->arrivals.items[0].flight,
                              "the region that allocates its semaphore",
                              semaphore->arrivals.items[0].is_target ? "receive" : "send");
    }
    return NULL;
}

static struct error *outlives(const struct flight *f, const struct kernel_buffer *buffer,
                              bool writes)
{
    char where[512], name[96];
    kernel_op_where(f->op, where, sizeof where);
    kernel_core_buffer_name(buffer, name, sizeof name);
    return ERROR(FAILED_PRECONDITION,
                 "race: the region of %s ends while the DMA started by %s on device %d may still "
                 "%s it: a wait for its semaphore is missing in the region (it is not waited for)",
                 name, where, f->from.buffer->device, writes ? "write" : "read");
}

struct error *kernel_race_leave(const struct kernel_races *races, const struct kernel_core *core,
                                const struct kernel_buffer *buffer)
{
    for (size_t i = 0; i < races->flights.count; i++) {
        const struct flight *f = races->flights.items[i];
        if (f->to.buffer == buffer && !knows_received(races, core->index, f))
            return outlives(f, buffer, true);
        if (f->from.buffer == buffer && !knows_sent(races, core->index, f))
            return outlives(f, buffer, false);
    }
    if (buffer->space != KERNEL_SEMAPHORES)
        return NULL;
    TRY(check_arrivals(buffer));
    return check_counters(core, buffer);
}

static struct error *check_core(const struct kernel_core *core)
{
    for (int i = 0; i < core->run->machine->buffer_count; i++) {
        const struct kernel_buffer *buffer = &core->buffers[i];
        if (buffer->space == KERNEL_SEMAPHORES && buffer->role != KERNEL_BUFFER_WINDOW)
            TRY(check_counters(core, buffer));
    }
    return NULL;
}

struct error *kernel_race_finish(struct kernel_races *races, struct kernel_run *run)
{
    bool hands_on = false; /* semaphores, to a call that waits */
    const struct kernel_machine *machine = run->machine;
    struct error *error = NULL;
    for (int i = 0; i < machine->kernel->array_count; i++)
        hands_on |= kernel_array(machine->kernel, i)->type->semaphore != KERNEL_NO_SEMAPHORE;
    if (!hands_on)
        error = check_ended(races);
    for (int i = 0; i < run->core_count && !error; i++)
        error = check_core(&run->cores[i]);
    return error ? error_prefix(error, "kernel '%s'", machine->kernel->name) : NULL;
}
