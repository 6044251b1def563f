/* launch_output.c: see launch_output.h. */
#include "tools/launch_output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

enum {
    STREAMS = 2,
    CHUNK = 64 << 10,
    MAX_LINE = 1 << 20,
    LAST_READS = 32 /* more than a pipe holds */
};

struct stream {
    int to;           /* this process's STDOUT_FILENO or STDERR_FILENO */
    struct text text; /* read, and not forwarded yet: a part of a line */
};

struct launch_output {
    int count, capacity;    /* streams */
    struct stream *streams; /* [capacity] */
    struct pollfd *polls;   /* [capacity + 1] their pipes; at `count` the end of stop[0] */
    int stop[2];            /* a pipe: closed when all processes have ended */
    pthread_t thread;
    bool has_started;
};

/* Many processes need more descriptors than a program may open by default. */
static void allow_descriptors(int count)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > (rlim_t)count)
        return;
    limit.rlim_cur = limit.rlim_max < (rlim_t)count ? limit.rlim_max : (rlim_t)count;
    setrlimit(RLIMIT_NOFILE, &limit);
}

struct error *launch_output_create(int processes, struct launch_output **out)
{
    enum { SPARE = 64 };
    size_t capacity = STREAMS * (size_t)processes;
    struct launch_output *output;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *output, &output));
    *output = (struct launch_output){.capacity = (int)capacity, .stop = {-1, -1}};
    struct error *error = alloc_array(capacity, sizeof *output->streams, &output->streams);
    if (!error)
        error = alloc_array(capacity + 1, sizeof *output->polls, &output->polls);
    if (error) {
        launch_output_finish(output);
        return error;
    }
    allow_descriptors((int)capacity + SPARE);
    *out = output;
    return NULL;
}

static struct error *open_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC) ? ERROR(RESOURCE_EXHAUSTED,
                                          "no pipe for the output of a process: %s; start fewer "
                                          "processes, or raise the limit of open files (ulimit -n)",
                                          strerror(errno))
                                  : NULL;
}

static struct error *open_stream(struct launch_output *output, int to, int *end)
{
    int ends[2];
    TRY(open_pipe(ends));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    output->streams[output->count] = (struct stream){.to = to};
    output->polls[output->count++] = (struct pollfd){.fd = ends[0], .events = POLLIN};
    *end = ends[1];
    return NULL;
}

struct error *launch_output_open(struct launch_output *output, int ends[2])
{
    TRY(open_stream(output, STDOUT_FILENO, &ends[0]));
    struct error *error = open_stream(output, STDERR_FILENO, &ends[1]);
    if (error)
        close(ends[0]);
    return error;
}

void launch_output_use(const int ends[2])
{
    dup2(ends[0], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
}

void launch_output_forked(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/* ---- forwarding ------------------------------------------------------------------------------ */
static void write_all(int to, const char *bytes, size_t size)
{
    while (size) {
        ssize_t written = write(to, bytes, size);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return; /* there is no reader */
        if (written < 0)
            poll(&(struct pollfd){.fd = to, .events = POLLOUT}, 1, -1);
        bytes += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
}

/* The bytes up to the last line end; `fresh` of them, the last ones, were not searched before. */
static size_t whole_lines(const struct text *text, size_t fresh)
{
    size_t end = text->size;
    while (end > text->size - fresh && text->data[end - 1] != '\n' && text->data[end - 1] != '\r')
        end--;
    return end > text->size - fresh ? end : 0;
}

static void forward(struct stream *stream, size_t size)
{
    struct text *text = &stream->text;
    if (!size)
        return;
    write_all(stream->to, text->data, size);
    text->size -= size;
    memmove(text->data, text->data + size, text->size);
}

/* Forwards what the stream has. False: it has ended, or has nothing now. */
static bool read_stream(struct stream *stream, int from)
{
    char bytes[CHUNK];
    ssize_t got = read(from, bytes, sizeof bytes);
    if (got <= 0)
        return got < 0 && errno == EINTR;
    text_add_bytes(&stream->text, bytes, (size_t)got);
    if (stream->text.failed) { /* without memory for a line: what there is */
        write_all(stream->to, bytes, (size_t)got);
        text_free(&stream->text);
        return true;
    }
    size_t lines = whole_lines(&stream->text, (size_t)got);
    forward(stream, !lines && stream->text.size > MAX_LINE ? stream->text.size : lines);
    return true;
}

static void read_ready(struct launch_output *output)
{
    for (int i = 0; i < output->count; i++) {
        struct pollfd *from = &output->polls[i];
        if (from->fd < 0 || !from->revents)
            continue;
        if (!read_stream(&output->streams[i], from->fd) && !(from->revents & POLLIN)) {
            close(from->fd);
            from->fd = -1;
        }
    }
}

/* Until the processes have ended, whatever else has their streams open. */
static void *forward_all(void *context)
{
    struct launch_output *output = context;
    struct pollfd *stop = &output->polls[output->count];
    do {
        if (poll(output->polls, (nfds_t)output->count + 1, -1) > 0)
            read_ready(output);
    } while (!stop->revents);
    return NULL;
}

struct error *launch_output_start(struct launch_output *output)
{
    TRY(open_pipe(output->stop));
    output->polls[output->count] = (struct pollfd){.fd = output->stop[0], .events = POLLIN};
    int failed = pthread_create(&output->thread, NULL, forward_all, output);
    output->has_started = !failed;
    return failed ? ERROR(RESOURCE_EXHAUSTED, "no thread: %s", strerror(failed)) : NULL;
}

/* What the pipe holds: others that have it open may write to it for ever. */
static void finish_stream(struct stream *stream, int from)
{
    for (int i = 0; from >= 0 && i < LAST_READS && read_stream(stream, from); i++) {
    }
    forward(stream, stream->text.size);
    text_free(&stream->text);
    if (from >= 0)
        close(from);
}

void launch_output_finish(struct launch_output *output)
{
    if (!output)
        return;
    if (output->stop[1] >= 0)
        close(output->stop[1]);
    if (output->has_started)
        pthread_join(output->thread, NULL);
    if (output->stop[0] >= 0)
        close(output->stop[0]);
    for (int i = 0; i < output->count; i++)
        finish_stream(&output->streams[i], output->polls[i].fd);
    alloc_free(output->streams);
    alloc_free(output->polls);
    alloc_free(output);
}
