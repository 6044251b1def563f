/* compile_job.c: see compile_job.h. */
#include "compiler/driver/compile_job.h"

#include "base/alloc.h"
#include "compiler/driver/compile_thread.h"

static void free_job(void *context)
{
    struct compile_job *job = context;
    program_release(job->program);
    arena_destroy(job->arena);
    alloc_free(job);
}

static struct error *copy_source(void *context)
{
    struct compile_job *job = context;
    compile_source_copy(job->arena, &job->source);
    return NULL;
}

static struct error *create_job(const struct compile_source *source, const struct target *target,
                                compile_job_function *body, struct compile_job **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    (*out)->source = *source;
    (*out)->source.outline = &(*out)->outline;
    (*out)->source.auto_plan = &(*out)->auto_plan;
    (*out)->target = *target;
    (*out)->body = body;
    struct error *error = arena_create(&(*out)->arena);
    if (!error)
        error = arena_run((*out)->arena, copy_source, *out);
    if (error)
        free_job(*out);
    return error;
}

static struct error *run_body(void *context)
{
    struct compile_job *job = context;
    return job->body(job);
}

struct error *compile_job_run(const struct compile_source *source, const struct target *target,
                              compile_job_function *body, struct program **out)
{
    struct compile_job *job;
    bool abandoned;
    *out = NULL;
    TRY(create_job(source, target, body, &job));
    struct error *error = compile_thread_run(job->arena, run_body, free_job, job, &abandoned);
    if (abandoned)
        return error;
    if (!error) {
        *out = job->program;
        job->program = NULL;
        if (source->outline)
            *source->outline = job->outline;
        if (source->auto_plan)
            *source->auto_plan = job->auto_plan;
    }
    free_job(job);
    return error;
}
