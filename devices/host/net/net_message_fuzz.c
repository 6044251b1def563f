/* net_message_fuzz.c: any bytes as a message from another process: an error, or a message whose
 * fields are within their limits. */
#include <stdint.h>
#include <string.h>

#include "devices/host/net/net_message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t token[NET_TOKEN];
    struct net_message message;
    struct error *error = net_message_read(data, size, token, 4, 1, &message);
    if (!error && (message.sender >= 4 || message.sender == 1 || message.awaited >= 4 ||
                   strlen(message.text) > NET_TEXT || message.code > 16))
        __builtin_trap();
    error_free(error);
    return 0;
}
