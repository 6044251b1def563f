/* cmd_doctor.c: gantry doctor: a report of everything that decides whether Gantry works here. */
#include "tools/doctor.h"

#include <string.h>

#include "tools/cmd_report.h"
#include "tools/doctor_network.h"
#include "tools/session.h"
#include "version.h"

static struct error *collect(const char *plugin, cJSON *report)
{
    double start = session_seconds();
    cJSON_AddStringToObject(report, "gantry", GANTRY_VERSION " build " GANTRY_BUILD_ID);
    doctor_machine(report);
    TRY(doctor_libraries(report));
    TRY(doctor_plugins(report, plugin));
    TRY(doctor_environment(report));
    doctor_clients(report);
    cJSON_AddNumberToObject(report, "seconds", session_seconds() - start);
    return NULL;
}

static bool has_errors(const cJSON *report)
{
    return doctor_count(report, DOCTOR_ERROR) > 0;
}

/* ---- the network of a job -------------------------------------------------------------------- */
static struct job_client job; /* that the command is part of */

static struct error *collect_network(const char *plugin, cJSON *report)
{
    cJSON_AddStringToObject(report, "gantry", GANTRY_VERSION " build " GANTRY_BUILD_ID);
    doctor_network(&job, plugin, report);
    return NULL;
}

/* Process 0 has the whole report; the others print what does not work in them. */
static void print_network(const cJSON *report)
{
    if (!job.process)
        doctor_network_print(report);
    else if (has_errors(report))
        doctor_print_problems(report);
}

/* Removes an option without a value from the arguments; whether it was there. */
static bool take_option(const char *name, int *argc, char **argv)
{
    for (int i = 0; i < *argc; i++) {
        if (strcmp(argv[i], name))
            continue;
        memmove(argv + i, argv + i + 1, (size_t)(*argc - i - 1) * sizeof *argv);
        --*argc;
        return true;
    }
    return false;
}

static enum exit_code run_network(int argc, char **argv)
{
    static const struct report_command network = {"doctor", collect_network, print_network,
                                                  has_errors};
    struct error *error = job_client_find(&job);
    if (error)
        return commands_fail(EXIT_USAGE, error);
    if (job.process)
        take_option("--json", &argc, argv);
    return cmd_report_run(&network, argc, argv);
}

enum exit_code cmd_doctor_run(int argc, char **argv)
{
    if (take_option("--network", &argc, argv))
        return run_network(argc, argv);
    static const struct report_command doctor = {"doctor", collect, doctor_print, has_errors};
    return cmd_report_run(&doctor, argc, argv);
}
