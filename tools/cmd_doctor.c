/* cmd_doctor.c: gantry doctor: a report of everything that decides whether Gantry works here. */
#include "tools/doctor.h"
#include "tools/cmd_report.h"
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

enum exit_code cmd_doctor_run(int argc, char **argv)
{
    static const struct report_command doctor = {"doctor", collect, doctor_print, has_errors};
    return cmd_report_run(&doctor, argc, argv);
}
