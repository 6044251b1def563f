#include "runtime/topology_exchange.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "runtime/memory_store_fixture.h"

enum { PROCESSES = 4 };

static struct memory_store store;
static struct key_value_store methods;

static void open_store(void)
{
    setenv("GANTRY_TOPOLOGY_TIMEOUT", "1", 1);
    memory_store_init(&store, &methods);
}

TestSuite(topology_exchange, .init = open_store);

struct member {
    pthread_t thread;
    int process;
    struct topology_process self;
    struct topology_job job;
    struct error *error;
};

static void *take_part(void *argument)
{
    struct member *member = argument;
    member->error =
        topology_exchange(&methods, "cpu", member->process, PROCESSES, &member->self, &member->job);
    return NULL;
}

static void describe(struct member *member, int process)
{
    member->process = process;
    cr_assert_null(topology_process_describe(&member->self));
    member->self.devices = process + 1;
    cr_assert_null(alloc_copy("address", 7, &member->self.address));
    member->self.address_size = 7;
}

static void run(struct member members[PROCESSES], int count)
{
    for (int i = 0; i < count; i++)
        pthread_create(&members[i].thread, NULL, take_part, &members[i]);
    for (int i = 0; i < count; i++)
        pthread_join(members[i].thread, NULL);
}

static void end(struct member members[PROCESSES])
{
    for (int i = 0; i < PROCESSES; i++) {
        topology_process_free(&members[i].self);
        topology_job_free(&members[i].job);
        error_free(members[i].error);
    }
}

/* Twice, as when every process creates a second client. */
Test(topology_exchange, all_get_the_same)
{
    for (int time = 0; time < 2; time++) {
        struct member members[PROCESSES] = {0};
        for (int i = 0; i < PROCESSES; i++)
            describe(&members[i], i);
        run(members, PROCESSES);
        for (int i = 0; i < PROCESSES; i++) {
            cr_assert_null(members[i].error);
            cr_assert_eq(members[i].job.count, PROCESSES);
            cr_expect_arr_eq(members[i].job.token, members[0].job.token, NET_TOKEN);
            cr_expect_eq(members[i].job.processes[3].devices, 4);
            cr_expect_arr_eq(members[i].job.processes[2].address, "address", 7);
        }
        end(members);
    }
}

Test(topology_exchange, missing_processes_are_named)
{
    struct member members[PROCESSES] = {0};
    for (int i = 0; i < 2; i++)
        describe(&members[i], i);
    run(members, 2);
    cr_assert_not_null(members[0].error);
    cr_expect_eq(error_code(members[0].error), PJRT_Error_Code_DEADLINE_EXCEEDED);
    cr_expect_not_null(strstr(error_message(members[0].error, NULL), "2, 3"));
    cr_expect_not_null(members[1].error);
    end(members);
}

Test(topology_exchange, another_build_is_an_error)
{
    struct member members[PROCESSES] = {0};
    for (int i = 0; i < PROCESSES; i++)
        describe(&members[i], i);
    members[2].self.build[0] ^= 1;
    run(members, PROCESSES);
    for (int i = 0; i < PROCESSES; i++) {
        cr_assert_not_null(members[i].error);
        cr_expect_eq(error_code(members[i].error), PJRT_Error_Code_FAILED_PRECONDITION);
        cr_expect_not_null(strstr(error_message(members[i].error, NULL), "process 2"));
    }
    end(members);
}

/* All processes fail, and their messages have `text`. */
static void expect_failure(struct member members[PROCESSES], const char *text)
{
    run(members, PROCESSES);
    for (int i = 0; i < PROCESSES; i++) {
        cr_assert_not_null(members[i].error);
        cr_expect_eq(error_code(members[i].error), PJRT_Error_Code_FAILED_PRECONDITION);
        const char *message = error_message(members[i].error, NULL);
        cr_expect_not_null(strstr(message, text), "%s", message);
    }
    end(members);
}

Test(topology_exchange, other_instruction_sets_are_an_error)
{
    struct member members[PROCESSES] = {0};
    for (int i = 0; i < PROCESSES; i++)
        describe(&members[i], i);
    members[2].self.features = 0;
    for (int i = 0; i < PROCESSES; i++)
        members[i].self.features |= i != 2;
    expect_failure(members, "process 2 on host");
}

Test(topology_exchange, other_floating_point_mode_is_an_error)
{
    struct member members[PROCESSES] = {0};
    for (int i = 0; i < PROCESSES; i++)
        describe(&members[i], i);
    members[3].self.flushes ^= 1;
    expect_failure(members, "GANTRY_DENORMALS");
}

static void expect_refused(const char *text)
{
    struct topology_job job;
    struct error *error = topology_job_read(text, strlen(text), 1, &job);
    cr_assert_not_null(error, "%s", text);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}

Test(topology_exchange, damaged_descriptions_are_errors)
{
    const char *format = "{\"processes\":[{\"version\":%s,\"host\":\"h\",\"boot\":\"b\",\"build\":"
                         "\"c\",\"features\":7,\"flushes\":1,\"devices\":%s,\"address\":\"%s\"}],"
                         "\"token\":\"%s\"}";
    const char *token = "000102030405060708090a0b0c0d0e0f";
    struct topology_job job;
    char text[512];
    snprintf(text, sizeof text, format, "2", "2", "ab01", token);
    cr_assert_null(topology_job_read(text, strlen(text), 1, &job));
    cr_expect_eq(job.processes[0].address_size, 2);
    topology_job_free(&job);
    static const char *const bad[][3] = {
        {"1", "2", "ab01"}, {"2", "0", "ab01"}, {"2", "1e9", "ab01"}, {"2", "\"2\"", "ab01"},
        {"2", "2", "ab0"},  {"2", "2", "zz"},   {"2", "2", ""},       {"null", "2", "ab"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(text, sizeof text, format, bad[i][0], bad[i][1], bad[i][2], token);
        expect_refused(text);
    }
    snprintf(text, sizeof text, format, "2", "2", "ab01", "0011");
    expect_refused(text);
    expect_refused("");
    expect_refused("[]");
    expect_refused("{\"processes\":[]}");
    expect_refused("{\"failure\":\"no\"}");
    expect_refused("{\"failure\":\"no\",\"code\":17}");
}

/* What is in the store for process 2 is not a description: process 0 names it, and all fail. */
Test(topology_exchange, damaged_description_of_one_process_is_named)
{
    struct member members[PROCESSES] = {0};
    const char *key = "local_topology/cpu/0/2", *value = "{\"version\":1}";
    cr_assert_null(methods.put(methods.context, key, value, strlen(value)));
    for (int i = 0; i < 2; i++)
        describe(&members[i], i);
    run(members, 2);
    for (int i = 0; i < 2; i++) {
        cr_assert_not_null(members[i].error);
        cr_expect_not_null(strstr(error_message(members[i].error, NULL), "process 2"));
        cr_expect_eq(error_code(members[i].error), PJRT_Error_Code_INVALID_ARGUMENT);
    }
    end(members);
}
