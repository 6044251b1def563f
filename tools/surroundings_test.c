/* surroundings_test.c: the command with an output that is full, where ports are in use, and below a
 * parent that ignores its children. */
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>

#include "tools/command_fixture.h"

#define ADD "conformance/programs/add.mlirbc "

/* Messages are still shown. */
static void expect_full(const char *arguments)
{
    const char *folder = getenv("GANTRY_LIB");
    char line[256];
    snprintf(line, sizeof line, "%s/../bin/gantry %s 2>&1 >/dev/full",
             folder ? folder : "build/lib", arguments);
    cr_expect_eq(command(line), 1, "%s: %s", arguments, shown);
    cr_expect_not_null(strstr(shown, "the output could not be written"), "%s", shown);
}

Test(surroundings, output_that_cannot_be_written_is_a_failure)
{
    expect_full("version");
    expect_full("help");
    expect_full("completion bash");
    expect_full("run conformance/programs/constants.mlirbc");
    expect_full("plan --json " ADD);
}

/* ---- ports in use ---------------------------------------------------------------------------- */
static bool write_range(const char *range)
{
    FILE *file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "w");
    bool is_written = file && fputs(range, file) >= 0;
    return file && !fclose(file) && is_written;
}

static bool occupy(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int file = socket(AF_INET, SOCK_STREAM, 0);
    return file >= 0 && !bind(file, (struct sockaddr *)&address, sizeof address);
}

/* Of six ports that the system gives to programs, the third and fifth are in use: only a job that
 * begins at the last one has the ports after it, too. */
Test(surroundings, launch_takes_ports_that_are_free)
{
    const char *folder = getenv("GANTRY_LIB");
    char line[256];
    if (unshare(CLONE_NEWNET) || !write_range("40000 40005"))
        cr_skip_test("network namespaces need root");
    cr_assert(occupy(40002) && occupy(40004));
    snprintf(line, sizeof line, "%s/../bin/gantry launch -- sh -c 'test $MASTER_PORT -ge 40005'",
             folder ? folder : "build/lib");
    for (int i = 0; i < 12; i++)
        cr_expect_eq(command(line), 0, "%s", shown);
}

/* Its processes' ends are seen although the parent ignores those of its own. */
Test(surroundings, launch_from_a_parent_that_ignores_its_children)
{
    const char *folder = getenv("GANTRY_LIB");
    char line[256];
    snprintf(line, sizeof line,
             "timeout -s KILL 60 env --ignore-signal=CHLD %s/../bin/gantry launch -n 2 -- sh -c "
             "'exit 3' 2>&1",
             folder ? folder : "build/lib");
    cr_expect_eq(command(line), 3, "%s", shown);
}
