#include "compiler/program/step_label.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct step_label step_label(const char *label)
{
    struct step_label parts = {.name = label ? label : "step"};
    parts.name_size = strcspn(parts.name, ":");
    const char *name = parts.name + parts.name_size;
    if (name[0] != ':' || name[1] != ' ')
        return parts;
    name += 2;
    const char *file = strrchr(name, '('), *line = file ? strchr(file, ':') : NULL;
    bool is_located = line && file > name && file[-1] == ' ';
    parts.operation = name;
    parts.operation_size = is_located ? (size_t)(file - name) - 1 : strlen(name);
    if (is_located) {
        parts.file = file + 1;
        parts.file_size = (size_t)(line - file) - 1;
        parts.line = atoi(line + 1);
    }
    return parts;
}
