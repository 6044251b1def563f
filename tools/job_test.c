/* job_test.c: gantry doctor --network and gantry topo --job in jobs on this machine. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/command_fixture.h"
#include "tools/topo_view.h"

/* Runs `gantry ARGUMENTS` in each of some processes of a job. */
static int in_job(int processes, const char *arguments)
{
    char line[1024];
    const char *folder = getenv("GANTRY_LIB");
    folder = folder ? folder : "build/lib";
    snprintf(line, sizeof line, "%s/libgantry_net.so", folder);
    if (access(line, R_OK))
        cr_skip_test("this build has no network between processes");
    snprintf(line, sizeof line, "launch -n %d --devices 2 -- %s/../bin/gantry %s", processes,
             folder, arguments);
    return gantry(line);
}

Test(job, doctor)
{
    int code = in_job(3, "doctor --network --json");
    cr_assert_eq(code, 0, "%s", shown);
    cJSON *report = cJSON_Parse(strchr(shown, '{') ? strchr(shown, '{') : "");
    const cJSON *network = cJSON_GetObjectItem(report, "network"), *at;
    cr_assert_not_null(network, "%s", shown);
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(network, "processes")), 3);
    cr_expect_gt(topo_view_number(cJSON_GetObjectItem(network, "all"), "microseconds"), 0);
    cJSON_ArrayForEach(at, cJSON_GetObjectItem(network, "processes"))
    {
        cr_expect_eq(topo_view_number(at, "devices"), 2);
        cr_expect_not_null(strstr(topo_view_text(at, "listens"), "127.0.0.1:"), "%s", shown);
    }
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(network, "pairs")), 6);
    cJSON_ArrayForEach(at, cJSON_GetObjectItem(network, "pairs"))
    {
        cr_expect_gt(topo_view_number(at, "latency_us"), 0, "%s", shown);
        cr_expect_gt(topo_view_number(at, "bytes_per_second"), 0, "%s", shown);
    }
    cJSON_Delete(report);
}

/* A job of two processes, of which only this one starts. */
static void start_alone(int process)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof any;
    char text[64];
    int file = socket(AF_INET, SOCK_STREAM, 0);
    cr_assert(!bind(file, (struct sockaddr *)&any, size) &&
              !getsockname(file, (struct sockaddr *)&any, &size));
    close(file);
    snprintf(text, sizeof text, "127.0.0.1:%d", ntohs(any.sin_port));
    setenv("JAX_COORDINATOR_ADDRESS", text, 1);
    setenv("WORLD_SIZE", "2", 1);
    setenv("RANK", process ? "1" : "0", 1);
    setenv("GANTRY_TOPOLOGY_TIMEOUT", "1", 1);
}

Test(job, doctor_without_a_process)
{
    char line[1024];
    const char *folder = getenv("GANTRY_LIB");
    snprintf(line, sizeof line, "%s/libgantry_net.so", folder ? folder : "build/lib");
    if (access(line, R_OK))
        cr_skip_test("this build has no network between processes");
    start_alone(0);
    expect("doctor --network", 1, "did not create their client in time: 1.");
    start_alone(1);
    expect("doctor --network", 1, "Is process 0 running");
    expect("topo --job", 1, "Is process 0 running");
}

Test(job, no_job)
{
    unsetenv("RANK");
    expect("doctor --network", 2, "gantry launch");
    expect("topo --job", 2, "gantry launch");
    setenv("RANK", "2", 1);
    setenv("WORLD_SIZE", "2", 1);
    setenv("JAX_COORDINATOR_ADDRESS", "127.0.0.1:1", 1);
    expect("topo --job", 2, "RANK is 2 and WORLD_SIZE 2");
}

Test(job, topo)
{
    cr_assert_eq(in_job(3, "topo --job"), 0, "%s", shown);
    cr_expect_not_null(strstr(shown, "job: 3 processes on 1 host, coordinator 127.0.0.1:"));
    cr_expect_not_null(strstr(shown, "  process 2: devices 4-5, listens at 127.0.0.1:"));
    cr_assert_eq(in_job(3, "topo --job --format svg"), 0);
    cr_expect_not_null(strstr(shown, ">Process 2</text>"), "%s", shown);
    cr_expect_str_eq(shown + strlen(shown) - 7, "</svg>\n");
}
