/* net_interface.c: see net_interface.h. Connecting a datagram socket sends nothing, but chooses the
 * local address, which belongs to an interface. */
#include "devices/host/net/net_interface.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/env.h"

enum { ADDRESS = 64, ANY_PORT = 9 };

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* The address without brackets and port. */
static bool copy_host(const char *text, char out[ADDRESS])
{
    const char *begin = *text == '[' ? text + 1 : text, *colon = strchr(begin, ':');
    size_t size = *text == '['                       ? strcspn(begin, "]")
                  : colon && !strchr(colon + 1, ':') ? (size_t)(colon - begin)
                                                     : strlen(begin);
    if (!size || size >= ADDRESS)
        return false;
    snprintf(out, ADDRESS, "%.*s", (int)size, begin);
    return true;
}

static bool read_address(const char *text, union address *out, socklen_t *size)
{
    char host[ADDRESS];
    *out = (union address){0};
    if (!text || !copy_host(text, host))
        return false;
    if (inet_pton(AF_INET, host, &out->v4.sin_addr) == 1) {
        out->v4.sin_family = AF_INET;
        out->v4.sin_port = htons(ANY_PORT);
        *size = sizeof out->v4;
        return true;
    }
    if (inet_pton(AF_INET6, host, &out->v6.sin6_addr) != 1)
        return false;
    out->v6.sin6_family = AF_INET6;
    out->v6.sin6_port = htons(ANY_PORT);
    *size = sizeof out->v6;
    return true;
}

/* Replaces the address by that of this machine on the way there. */
static bool find_local(union address *address, socklen_t size)
{
    int file = socket(address->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    bool found = file >= 0 && !connect(file, &address->any, size) &&
                 !getsockname(file, &address->any, &size);
    if (file >= 0)
        close(file);
    return found;
}

static bool is_same(const struct sockaddr *have, const union address *want)
{
    if (!have || have->sa_family != want->any.sa_family)
        return false;
    if (have->sa_family == AF_INET)
        return ((const struct sockaddr_in *)(const void *)have)->sin_addr.s_addr ==
               want->v4.sin_addr.s_addr;
    return !memcmp(&((const struct sockaddr_in6 *)(const void *)have)->sin6_addr,
                   &want->v6.sin6_addr, sizeof want->v6.sin6_addr);
}

static bool is_loopback(const union address *address)
{
    return address->any.sa_family == AF_INET
               ? ntohl(address->v4.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET
               : IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr);
}

bool net_interface_to(const char *address, char out[IF_NAMESIZE])
{
    union address local;
    socklen_t size;
    struct ifaddrs *all;
    bool found = false;
    if (!read_address(address, &local, &size) || !find_local(&local, size) || getifaddrs(&all))
        return false;
    for (const struct ifaddrs *at = all; at && !found; at = at->ifa_next) {
        /* every address of 127.0.0.0/8 is the loopback interface's */
        found = is_loopback(&local) ? (at->ifa_flags & IFF_LOOPBACK) != 0
                                    : is_same(at->ifa_addr, &local);
        if (found)
            snprintf(out, IF_NAMESIZE, "%s", at->ifa_name);
    }
    freeifaddrs(all);
    return found;
}

bool net_interface_of_job(char out[IF_NAMESIZE])
{
    if (env_text(ENV_UCX_NET_DEVICES))
        return false;
    return net_interface_to(env_text(ENV_JAX_COORDINATOR_ADDRESS), out) ||
           net_interface_to(env_text(ENV_MASTER_ADDR), out);
}
