/* net_interface_test.c: tests the choice of the interface. */
#include "devices/host/net/net_interface.h"

#include <criterion/criterion.h>
#include <stdlib.h>

Test(net_interface, loopback)
{
    char name[IF_NAMESIZE];
    static const char *const texts[] = {"127.0.0.1:1234", "127.0.0.1", "127.1.2.3:1"};
    for (int i = 0; i < 3; i++) {
        cr_assert(net_interface_to(texts[i], name), "%s", texts[i]);
        cr_expect_str_eq(name, "lo");
    }
}

Test(net_interface, what_is_no_address)
{
    char name[IF_NAMESIZE], longest[200];
    static const char *const texts[] = {"",  ":",    ":1",         "localhost:1",
                                        "[", "[]:1", "127.0.0.:1", "1.2.3.4.5:6"};
    for (size_t i = 0; i < sizeof longest; i++)
        longest[i] = i + 1 < sizeof longest ? '1' : '\0';
    cr_expect_not(net_interface_to(NULL, name));
    cr_expect_not(net_interface_to(longest, name));
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_expect_not(net_interface_to(texts[i], name), "%s", texts[i]);
}

Test(net_interface, variables)
{
    char name[IF_NAMESIZE];
    unsetenv("UCX_NET_DEVICES");
    unsetenv("JAX_COORDINATOR_ADDRESS");
    unsetenv("MASTER_ADDR");
    cr_expect_not(net_interface_of_job(name));
    setenv("MASTER_ADDR", "127.0.0.1", 1);
    cr_expect(net_interface_of_job(name));
    setenv("JAX_COORDINATOR_ADDRESS", "host:1", 1);
    cr_expect(net_interface_of_job(name));
    setenv("UCX_NET_DEVICES", "eth1", 1);
    cr_expect_not(net_interface_of_job(name));
}
