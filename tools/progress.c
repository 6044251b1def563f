#include "tools/progress.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "tools/session.h"

int progress_terminal(void)
{
    return isatty(STDERR_FILENO) ? STDERR_FILENO : -1;
}

const char *progress_text(const char *what, double seconds, double expected,
                          char out[PROGRESS_TEXT])
{
    if (!(expected > 0))
        snprintf(out, PROGRESS_TEXT, "%.60s: %.0f s", what, seconds);
    else if (seconds <= expected)
        snprintf(out, PROGRESS_TEXT, "%.60s: %.0f s of about %.0f s (%.0f %%)", what, seconds,
                 expected, 100 * seconds / expected);
    else
        snprintf(out, PROGRESS_TEXT, "%.60s: %.0f s (about %.0f s were expected)", what, seconds,
                 expected);
    return out;
}

/* Waits; true if the work has ended by then. The lock is held. */
static bool wait_for(struct progress_state *state, double seconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    double at = (double)until.tv_nsec * 1e-9 + seconds;
    until.tv_sec += (time_t)floor(at);
    until.tv_nsec = (long)((at - floor(at)) * 1e9);
    while (!state->done && !pthread_cond_timedwait(&state->ended, &state->lock, &until))
        ;
    return state->done;
}

static void *show(void *argument)
{
    struct progress *progress = argument;
    struct progress_state *state = &progress->state;
    double begun = session_seconds(), expected = 0;
    char text[PROGRESS_TEXT];
    pthread_mutex_lock(&state->lock);
    bool done = wait_for(state, progress->delay), shown = !done;
    pthread_mutex_unlock(&state->lock);
    if (!done && progress->expected)
        expected = progress->expected(progress->context);
    while (!done) {
        progress_text(progress->what, session_seconds() - begun, expected, text);
        dprintf(progress->file, "\r%s\033[K", text);
        pthread_mutex_lock(&state->lock);
        done = wait_for(state, progress->interval);
        pthread_mutex_unlock(&state->lock);
    }
    if (shown)
        dprintf(progress->file, "\r\033[K");
    return NULL;
}

void progress_begin(struct progress *progress)
{
    struct progress_state *state = &progress->state;
    pthread_condattr_t clock;
    *state = (struct progress_state){0};
    if (progress->file < 0)
        return;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&state->lock, NULL);
    pthread_cond_init(&state->ended, &clock);
    pthread_condattr_destroy(&clock);
    state->running = !pthread_create(&state->thread, NULL, show, progress);
}

void progress_end(struct progress *progress)
{
    struct progress_state *state = &progress->state;
    if (!state->running)
        return;
    pthread_mutex_lock(&state->lock);
    state->done = true;
    pthread_cond_signal(&state->ended);
    pthread_mutex_unlock(&state->lock);
    pthread_join(state->thread, NULL);
    state->running = false;
}
