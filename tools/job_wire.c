#include "tools/job_wire.h"

#include <errno.h>
#include <sys/socket.h>

#include "pjrt_c_api.h"

bool job_wire_is_request(const struct job_wire_request *request)
{
    return request->magic == JOB_WIRE_MAGIC && request->kind <= JOB_WIRE_GET &&
           request->key_size - 1 < JOB_WIRE_MAX_KEY && request->value_size <= JOB_WIRE_MAX_VALUE &&
           (request->kind == JOB_WIRE_PUT || !request->value_size);
}

bool job_wire_is_answer(const struct job_wire_answer *answer)
{
    return answer->magic == JOB_WIRE_MAGIC && answer->code <= PJRT_Error_Code_UNAUTHENTICATED &&
           answer->value_size <= JOB_WIRE_MAX_VALUE;
}

bool job_wire_read(int file, void *bytes, size_t size)
{
    for (char *at = bytes; size;) {
        ssize_t got = recv(file, at, size, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        size -= (size_t)got;
    }
    return true;
}

bool job_wire_write(int file, const void *bytes, size_t size)
{
    for (const char *at = bytes; size;) {
        ssize_t put = send(file, at, size, MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}
