/* doctor_network_text.c: the network of a job as text: its processes, and a matrix. */
#include <stdio.h>
#include <string.h>

#include "tools/doctor.h"
#include "tools/doctor_network.h"
#include "tools/job_network.h"
#include "tools/topo_view.h"

enum { CELL = 9 };

static void print_processes(const cJSON *network)
{
    const cJSON *process;
    puts("  process  devices  host                  listens at");
    cJSON_ArrayForEach(process, cJSON_GetObjectItem(network, "processes"))
    {
        printf("  %7.0f  %7.0f  %-20.20s  %s\n", topo_view_number(process, "number"),
               topo_view_number(process, "devices"), topo_view_text(process, "host"),
               topo_view_text(process, "listens"));
    }
}

static const cJSON *find(const cJSON *pairs, int from, int to)
{
    const cJSON *pair;
    cJSON_ArrayForEach(pair, pairs) if ((int)topo_view_number(pair, "from") == from &&
                                        (int)topo_view_number(pair, "to") == to) return pair;
    return NULL;
}

static void print_cell(const cJSON *pair, const char *value, double unit)
{
    if (!pair)
        printf("%*s", CELL, ".");
    else if (cJSON_GetObjectItem(pair, "error"))
        printf("%*s", CELL, "FAIL");
    else
        printf("%*.*f", CELL, unit > 1 ? 2 : 1, topo_view_number(pair, value) / unit);
}

static void print_matrix(const cJSON *network, const char *title, const char *value, double unit)
{
    const cJSON *from, *to, *measured = cJSON_GetObjectItem(network, "measured"),
                            *pairs = cJSON_GetObjectItem(network, "pairs");
    printf("%s\n  from\\to", title);
    cJSON_ArrayForEach(to, measured) printf("%*d", CELL, to->valueint);
    cJSON_ArrayForEach(from, measured)
    {
        printf("\n  %7d", from->valueint);
        cJSON_ArrayForEach(to, measured)
        {
            if (from == to)
                printf("%*s", CELL, "-");
            else
                print_cell(find(pairs, from->valueint, to->valueint), value, unit);
        }
    }
    puts("");
}

static void print_all(const cJSON *network)
{
    const cJSON *all = cJSON_GetObjectItem(network, "all");
    if (cJSON_GetObjectItem(all, "microseconds"))
        printf("sum of 4 bytes over all processes: %.0f us\n",
               topo_view_number(all, "microseconds"));
}

void doctor_network_print(const cJSON *report)
{
    const cJSON *network = cJSON_GetObjectItem(report, "network");
    int measured = cJSON_GetArraySize(cJSON_GetObjectItem(network, "measured")),
        count = (int)topo_view_number(network, "count");
    printf("gantry %s\nnetwork of %d processes, coordinator %s", topo_view_text(report, "gantry"),
           count, topo_view_text(network, "coordinator"));
    if (cJSON_GetObjectItem(network, "formed_seconds"))
        printf(", formed in %.2f s", topo_view_number(network, "formed_seconds"));
    puts("");
    if (measured) {
        print_processes(network);
        print_all(network);
        if (measured < count)
            printf("pairs of %d processes, the first ones of hosts before others:\n", measured);
        print_matrix(network, "latency of a message, one way, us", "latency_us", 1);
        print_matrix(network, "bandwidth, GB/s", "bytes_per_second", 1e9);
    }
    puts("");
    doctor_print_problems(report);
}
