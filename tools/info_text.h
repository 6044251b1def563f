/* info_text.h: prints the facts of `gantry info` as indented text. */
#ifndef GANTRY_TOOLS_INFO_TEXT_H
#define GANTRY_TOOLS_INFO_TEXT_H

#include <cjson/cJSON.h>

/* Prints an object to stdout: a line for each value, indented lines for objects and lists. Numbers
 * of bytes get units; a setting (settings.h) is one line. Not thread-safe. */
void info_text_print(const cJSON *json);

#endif
