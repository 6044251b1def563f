#include "runtime/clients.h"

#include <criterion/criterion.h>

#include "base/thread.h"
#include "runtime/fake_device.h"

enum { COUNT = 3 };
static struct client *client[COUNT];

static void begin(void)
{
    for (int i = 0; i < COUNT; i++)
        cr_assert_null(client_create(&fake_library, NULL, &client[i]));
}

static void end(void)
{
    for (int i = 0; i < COUNT; i++)
        client_close(client[i]);
}

TestSuite(clients, .init = begin, .fini = end);

static void expect(size_t count, struct client *const *want)
{
    struct client *got[COUNT];
    cr_assert(clients_list(got, COUNT) == count);
    for (size_t i = 0; i < count; i++) {
        cr_assert(got[i] == want[i]);
        client_release(got[i]);
    }
}

Test(clients, in_order_whichever_goes)
{
    expect(0, NULL);
    for (int gone = 0; gone < COUNT; gone++) {
        for (int i = 0; i < COUNT; i++)
            clients_add(client[i]);
        expect(COUNT, client);
        clients_remove(client[gone]);
        expect(2, (struct client *[]){client[gone ? 0 : 1], client[gone == 2 ? 1 : 2]});
        clients_add(client[gone]); /* last */
        expect(3,
               (struct client *[]){client[gone ? 0 : 1], client[gone == 2 ? 1 : 2], client[gone]});
        for (int i = 0; i < COUNT; i++)
            clients_remove(client[i]);
        clients_remove(client[0]); /* again: nothing happens */
        expect(0, NULL);
    }
}

Test(clients, no_more_than_asked)
{
    struct client *got[1];
    clients_add(client[0]), clients_add(client[1]);
    cr_assert(clients_list(got, 1) == 1 && got[0] == client[0]);
    client_release(got[0]);
    clients_remove(client[0]), clients_remove(client[1]);
}

static void come_and_go(void *context, int i)
{
    (void)context;
    for (int k = 0; k < 2000; k++) {
        struct client *got[COUNT];
        clients_add(client[i]);
        for (size_t n = clients_list(got, COUNT); n; n--)
            client_release(got[n - 1]);
        clients_remove(client[i]);
    }
}

Test(clients, many_threads)
{
    thread_parallel("clients", COUNT, COUNT, come_and_go, NULL);
    expect(0, NULL);
}
