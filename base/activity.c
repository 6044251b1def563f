#include "base/activity.h"

#include <string.h>

#include "base/clock.h"

enum { TRIES = 64 };

/* A sequence lock: the version is odd while the rest changes. */
static void begin(struct activity *activity)
{
    unsigned version = atomic_load_explicit(&activity->version, memory_order_relaxed);
    atomic_store_explicit(&activity->version, version + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}

static void end(struct activity *activity)
{
    unsigned version = atomic_load_explicit(&activity->version, memory_order_relaxed);
    atomic_store_explicit(&activity->version, version + 1, memory_order_release);
}

static void store(struct activity_text *to, const char *text)
{
    size_t size = strnlen(text, ACTIVITY_TEXT - 1);
    for (size_t at = 0; at <= size; at += sizeof(uint64_t)) {
        uint64_t word = 0;
        size_t left = size - at < sizeof word ? size - at : sizeof word;
        memcpy(&word, text + at, left);
        atomic_store_explicit(&to->words[at / sizeof word], word, memory_order_relaxed);
    }
}

static void load(const struct activity_text *from, char out[ACTIVITY_TEXT])
{
    for (size_t i = 0; i < ACTIVITY_TEXT / sizeof(uint64_t); i++) {
        uint64_t word = atomic_load_explicit(&from->words[i], memory_order_relaxed);
        memcpy(out + i * sizeof word, &word, sizeof word);
    }
    out[ACTIVITY_TEXT - 1] = 0;
}

static void set_program(struct activity *activity, const char *name, uint64_t since)
{
    begin(activity);
    atomic_store_explicit(&activity->program_since, since, memory_order_relaxed);
    atomic_store_explicit(&activity->step_since, 0, memory_order_relaxed);
    store(&activity->program, name);
    store(&activity->step, "");
    end(activity);
}

bool activity_begin(struct activity *activity, const char *program)
{
    if (atomic_exchange_explicit(&activity->taken, true, memory_order_acquire))
        return false;
    set_program(activity, program, (uint64_t)clock_now());
    return true;
}

void activity_end(struct activity *activity)
{
    set_program(activity, "", 0);
    atomic_store_explicit(&activity->taken, false, memory_order_release);
}

void activity_step(struct activity *activity, const char *label)
{
    begin(activity);
    atomic_store_explicit(&activity->step_since, (uint64_t)clock_now(), memory_order_relaxed);
    store(&activity->step, label ? label : "");
    end(activity);
}

static double seconds_since(uint64_t since, uint64_t time)
{
    return since && since < time ? (double)(time - since) * 1e-9 : 0;
}

bool activity_read(const struct activity *activity, struct activity_view *out)
{
    for (int i = 0; i < TRIES; i++) {
        unsigned before = atomic_load_explicit(&activity->version, memory_order_acquire);
        uint64_t program = atomic_load_explicit(&activity->program_since, memory_order_relaxed);
        uint64_t step = atomic_load_explicit(&activity->step_since, memory_order_relaxed);
        load(&activity->program, out->program);
        load(&activity->step, out->step);
        atomic_thread_fence(memory_order_acquire);
        unsigned after = atomic_load_explicit(&activity->version, memory_order_relaxed);
        out->program_seconds = seconds_since(program, (uint64_t)clock_now());
        out->step_seconds = seconds_since(step, (uint64_t)clock_now());
        if (before == after && !(before & 1))
            return true;
    }
    *out = (struct activity_view){0};
    return false;
}
