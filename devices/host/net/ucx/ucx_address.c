/* ucx_address.c: see ucx_address.h. */
#include "devices/host/net/ucx/ucx_address.h"

#include <string.h>
#include <ucs/algorithm/crc.h>

#include "base/alloc.h"
#include "devices/host/net/net_layout.h"
#include "devices/host/net/ucx/ucx_state.h"

/* UCX's two addresses follow. */
struct address_head {
    struct ucx_identity identity;
    uint64_t whole_size;
};

static struct error *pack(ucp_worker_h worker, const ucp_worker_attr_t *whole, char **bytes,
                          size_t *size)
{
    ucp_worker_attr_t remote = {.field_mask = UCP_WORKER_ATTR_FIELD_ADDRESS |
                                              UCP_WORKER_ATTR_FIELD_ADDRESS_FLAGS,
                                .address_flags = UCP_WORKER_ADDRESS_FLAG_NET_ONLY};
    ucs_status_t status = ucp_worker_query(worker, &remote);
    if (status != UCS_OK)
        return ucx_error("ucp_worker_query", status);
    struct address_head head = {.whole_size = whole->address_length};
    ucx_near_identify(&head.identity);
    *size = sizeof head + whole->address_length + remote.address_length;
    struct error *error = alloc_bytes(*size, bytes);
    if (!error) {
        memcpy(*bytes, &head, sizeof head);
        memcpy(*bytes + sizeof head, whole->address, whole->address_length);
        memcpy(*bytes + sizeof head + whole->address_length, remote.address, remote.address_length);
    }
    ucp_worker_release_address(worker, remote.address);
    return error;
}

struct error *ucx_address_make(ucp_worker_h worker, void **bytes, size_t *size)
{
    ucp_worker_attr_t whole = {.field_mask = UCP_WORKER_ATTR_FIELD_ADDRESS};
    ucs_status_t status = ucp_worker_query(worker, &whole);
    *bytes = NULL;
    if (status != UCS_OK)
        return ucx_error("ucp_worker_query", status);
    struct error *error = pack(worker, &whole, (char **)bytes, size);
    ucp_worker_release_address(worker, whole.address);
    return error;
}

static bool is_valid(const char *bytes, size_t size)
{
    return net_layout_is_valid(bytes, size, ucs_crc16_string("self"));
}

bool ucx_address_opens(const void *bytes, size_t size)
{
    struct address_head head;
    if (size < sizeof head)
        return false;
    memcpy(&head, bytes, sizeof head);
    return ucx_near_opens(&head.identity);
}

struct error *ucx_address_read(const char *bytes, size_t size, struct ucx_identity *identity,
                               void **out)
{
    struct address_head head;
    if (size > sizeof head)
        memcpy(&head, bytes, sizeof head);
    *out = NULL;
    if (size <= sizeof head || head.whole_size >= size - sizeof head ||
        !is_valid(bytes + sizeof head, head.whole_size) ||
        !is_valid(bytes + sizeof head + head.whole_size, size - sizeof head - head.whole_size))
        return ERROR(INVALID_ARGUMENT, "%zu bytes are not the address of a process", size);
    *identity = head.identity;
    size_t begin = sizeof head + (ucx_near_shares(identity) ? 0 : head.whole_size);
    TRY(alloc_bytes(size - begin + NET_LAYOUT_PADDING, (char **)out));
    memcpy(*out, bytes + begin, size - begin);
    memset((char *)*out + size - begin, 0, NET_LAYOUT_PADDING);
    return NULL;
}
