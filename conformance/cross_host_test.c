/* cross_host_test.c: the CrossHostTransfers extension of the built plugin: buffers between two
 * clients of one job, each in a thread. */
#include "conformance/job_fixture.h"
#include "conformance/plugin_fixture.h"
#include "pjrt_c_api_cross_host_transfers_extension.h"

enum { PROCESSES = 2, MANY = 40, ELEMENTS = 100000 };

static struct test_context t;
static const PJRT_CrossHostTransfers_Extension *extension;

struct process {
    pthread_t thread;
    int index;
    PJRT_Client *client;
    PJRT_Device *device;
    struct error *error;
};
static struct process processes[PROCESSES];

static void *join(void *argument)
{
    struct process *p = argument;
    p->error = job_join(t.api, p->index, PROCESSES, &p->client);
    ABI_ARGS(Client_AddressableDevices, local, .client = p->client);
    if (!p->error)
        p->error = ABI_CALL(t.api, Client_AddressableDevices, &local);
    if (!p->error)
        p->device = local.addressable_devices[0];
    return NULL;
}

static void begin(void)
{
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "20", 1);
    t = plugin_context();
    cr_assert(test_context_open(&t, STAGE_PLUGIN));
    const PJRT_Extension_Base *at = t.api->extension_start;
    while (at && at->type != PJRT_Extension_Type_CrossHostTransfers)
        at = at->next;
    cr_assert_not_null(at);
    extension = (const PJRT_CrossHostTransfers_Extension *)at;
    for (int i = 0; i < PROCESSES; i++) {
        processes[i].index = i;
        pthread_create(&processes[i].thread, NULL, join, &processes[i]);
    }
    for (int i = 0; i < PROCESSES; i++) {
        pthread_join(processes[i].thread, NULL);
        cr_assert_null(processes[i].error, "%s", error_message(processes[i].error, NULL));
    }
}

static void *destroy(void *argument)
{
    abi_client_destroy(t.api, ((struct process *)argument)->client);
    return NULL;
}

static void end(void)
{
    for (int i = 0; i < PROCESSES; i++)
        pthread_create(&processes[i].thread, NULL, destroy, &processes[i]);
    for (int i = 0; i < PROCESSES; i++)
        pthread_join(processes[i].thread, NULL);
}

TestSuite(cross_host, .init = begin, .fini = end);

/* ---- Calls ----------------------------------------------------------------------------------- */
static struct error *send_to(int from, int device, int64_t key, PJRT_Buffer *buffer,
                             PJRT_Event **sent)
{
    PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args args = {
        .struct_size = PJRT_Transfers_PJRT_Client_CrossHostSendBuffers_Args_STRUCT_SIZE,
        .client = processes[from].client,
        .num_buffers = 1,
        .buffers = &buffer,
        .dst_global_device_ids = &device,
        .transfer_keys = &key,
        .send_events = sent};
    *sent = NULL;
    return abi_error(t.api, extension->PJRT_Transfers_PJRT_Client_CrossHostSendBuffers(&args));
}

static struct error *receive_from(int to, int device, int64_t key, PJRT_Buffer_Type type,
                                  int64_t elements, PJRT_Buffer **out)
{
    size_t rank = 1;
    const int64_t *dims = &elements;
    PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args args = {
        .struct_size = PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers_Args_STRUCT_SIZE,
        .client = processes[to].client,
        .num_shapes = 1,
        .shape_num_dims = &rank,
        .num_dims = &dims,
        .element_types = &type,
        .device = processes[to].device,
        .src_global_device_ids = &device,
        .transfer_keys = &key,
        .buffers = out};
    *out = NULL;
    return abi_error(t.api, extension->PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers(&args));
}

static float data[ELEMENTS], received[ELEMENTS];

/* A buffer of process `process` whose element i is `first` + i. */
static PJRT_Buffer *make(int process, int64_t elements, float first)
{
    PJRT_Buffer *buffer;
    struct abi_array array = {DTYPE_F32, 1, &elements, data};
    for (int64_t i = 0; i < elements; i++)
        data[i] = first + (float)i;
    cr_assert_null(
        abi_upload(t.api, processes[process].client, processes[process].device, &array, &buffer));
    return buffer;
}

static void expect(PJRT_Buffer *buffer, int64_t elements, float first)
{
    struct error *error = abi_download(t.api, buffer, received, (size_t)elements * sizeof(float));
    cr_assert_null(error, "%s", error_message(error, NULL));
    for (int64_t i = 0; i < elements; i++)
        cr_assert_eq(received[i], first + (float)i, "element %lld", (long long)i);
    abi_buffer_destroy(t.api, buffer);
}

/* Takes the error (owned) that is expected. */
static void refused(struct error *error, PJRT_Error_Code code, const char *part)
{
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect_not_null(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

/* ---- Tests ----------------------------------------------------------------------------------- */
/* Receives and sends in opposite orders, so none may wait for another one. */
Test(cross_host, many_at_once_in_both_directions)
{
    PJRT_Buffer *sent[2][MANY], *got[2][MANY];
    PJRT_Event *events[2][MANY];
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < MANY; i++)
            cr_assert_null(
                receive_from(p, 1 - p, i, PJRT_Buffer_Type_F32, 1 + i * 2500, &got[p][i]));
    for (int p = 0; p < 2; p++) {
        for (int i = MANY - 1; i >= 0; i--) {
            sent[p][i] = make(p, 1 + i * 2500, (float)(1000 * p + i));
            cr_assert_null(send_to(p, 1 - p, i, sent[p][i], &events[p][i]));
            abi_buffer_destroy(t.api, sent[p][i]);
        }
    }
    for (int p = 0; p < 2; p++) {
        for (int i = 0; i < MANY; i++) {
            expect(got[p][i], 1 + i * 2500, (float)(1000 * (1 - p) + i));
            cr_expect_null(abi_await(t.api, events[p][i]));
        }
    }
}

Test(cross_host, arrays_without_elements)
{
    PJRT_Buffer *buffer = make(0, 0, 0), *got;
    PJRT_Event *sent;
    cr_assert_null(send_to(0, 1, 7, buffer, &sent));
    cr_assert_null(receive_from(1, 0, 7, PJRT_Buffer_Type_F32, 0, &got));
    cr_expect_null(abi_await(t.api, sent));
    expect(got, 0, 0);
    abi_buffer_destroy(t.api, buffer);
}

/* Another type, and as many bytes in other dimensions. */
Test(cross_host, other_shapes_are_errors_on_both_sides)
{
    static const struct {
        PJRT_Buffer_Type type;
        int64_t elements;
    } others[] = {{PJRT_Buffer_Type_S32, 100}, {PJRT_Buffer_Type_F32, 101}};
    for (int i = 0; i < 2; i++) {
        PJRT_Buffer *buffer = make(0, 100, 0), *got;
        PJRT_Event *sent;
        cr_assert_null(send_to(0, 1, i, buffer, &sent));
        cr_assert_null(receive_from(1, 0, i, others[i].type, others[i].elements, &got));
        refused(abi_await(t.api, sent), PJRT_Error_Code_FAILED_PRECONDITION, "process 1");
        refused(abi_download(t.api, got, received, sizeof received),
                PJRT_Error_Code_FAILED_PRECONDITION, "process 0");
        abi_buffer_destroy(t.api, got);
        abi_buffer_destroy(t.api, buffer);
    }
}

Test(cross_host, key_in_use)
{
    PJRT_Buffer *first, *second;
    PJRT_Event *sent;
    cr_assert_null(receive_from(1, 0, 3, PJRT_Buffer_Type_F32, 10, &first));
    cr_assert_null(receive_from(1, 0, 3, PJRT_Buffer_Type_F32, 10, &second));
    refused(abi_download(t.api, second, received, sizeof received), PJRT_Error_Code_ALREADY_EXISTS,
            "transfer 3");
    PJRT_Buffer *buffer = make(0, 10, 5);
    cr_assert_null(send_to(0, 1, 3, buffer, &sent));
    cr_expect_null(abi_await(t.api, sent));
    expect(first, 10, 5);
    abi_buffer_destroy(t.api, second);
    abi_buffer_destroy(t.api, buffer);
}

Test(cross_host, devices_that_are_not_in_another_process)
{
    PJRT_Buffer *buffer = make(0, 10, 0), *got;
    PJRT_Event *sent;
    refused(send_to(0, 0, 1, buffer, &sent), PJRT_Error_Code_INVALID_ARGUMENT, "in this process");
    refused(send_to(0, 99, 1, buffer, &sent), PJRT_Error_Code_INVALID_ARGUMENT, "99");
    refused(receive_from(0, 0, 1, PJRT_Buffer_Type_F32, 10, &got), PJRT_Error_Code_INVALID_ARGUMENT,
            "in this process");
    abi_buffer_destroy(t.api, buffer);
}

Test(cross_host, missing_peer_is_named)
{
    PJRT_Buffer *buffer = make(0, 10, 0);
    PJRT_Event *sent;
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    cr_assert_null(send_to(0, 1, 1, buffer, &sent));
    refused(abi_await(t.api, sent), PJRT_Error_Code_UNAVAILABLE, "process 1");
    abi_buffer_destroy(t.api, buffer);
}

/* The client ends when the transfers of its own have ended, and what it sent has arrived. */
Test(cross_host, sent_before_the_end)
{
    PJRT_Buffer *buffer = make(0, ELEMENTS, 1), *got;
    PJRT_Event *sent;
    cr_assert_null(send_to(0, 1, 1, buffer, &sent));
    cr_assert_null(receive_from(1, 0, 1, PJRT_Buffer_Type_F32, ELEMENTS, &got));
    abi_buffer_destroy(t.api, buffer);
    destroy(&processes[0]);
    processes[0].client = NULL;
    expect(got, ELEMENTS, 1);
    cr_expect_null(abi_await(t.api, sent));
}

Test(cross_host, transfers_by_descriptors)
{
    PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args args = {
        .struct_size = PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers_Args_STRUCT_SIZE};
    refused(
        abi_error(t.api, extension->PJRT_Transfers_PJRT_Client_MakeCrossHostReceiveBuffers(&args)),
        PJRT_Error_Code_UNIMPLEMENTED, "CrossHostReceiveBuffers");
}
