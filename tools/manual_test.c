/* manual_test.c: tests that the manual, the man page and the completions have the options that the
 * command accepts. */
#include "tools/manual.h"

#include <criterion/criterion.h>
#include <glob.h>

#include "base/alloc.h"
#include "tools/command_fixture.h"
#include "tools/file.h"

static char *finished(struct text *text)
{
    char *bytes;
    cr_assert_null(text_finish(text, &bytes, NULL));
    return bytes;
}

static bool has_option(const struct manual *manual, const char *name, size_t size)
{
    struct manual_option options[MANUAL_OPTIONS];
    size_t count = manual_options(manual, options);
    for (size_t i = 0; i < count; i++)
        if (options[i].name_size == size && !strncmp(options[i].name, name, size))
            return true;
    return false;
}

static bool some_command_has(const char *name, size_t size)
{
    const struct manual *manual;
    for (size_t i = 0; (manual = manual_at(i)); i++)
        if (has_option(manual, name, size))
            return true;
    return false;
}

Test(manual, options_of_a_synopsis)
{
    struct manual_option options[MANUAL_OPTIONS];
    size_t count = manual_options(manual_find("plan"), options);
    cr_assert_eq(count, 16);
    cr_expect(!strncmp(options[0].name, "--format", options[0].name_size));
    cr_expect(!strncmp(options[0].value, "text|json|html", options[0].value_size));
    count = manual_options(manual_find("cts"), options);
    cr_expect(has_option(manual_find("cts"), "--list", 6));
    cr_expect(has_option(manual_find("run"), "--tolerance", 11));
    cr_expect(!has_option(manual_find("cts"), "--json", 6));
    for (size_t i = 0; i < count; i++)
        cr_expect(!strncmp(options[i].name, "--in-process", 12) ? !options[i].value_size : true);
    cr_expect_eq(manual_options(manual_find("version"), options), 0);
    cr_expect_null(manual_find("fly"));
}

/* Every option of the manual is one of the command. */
Test(manual, commands_accept_their_options)
{
    const struct manual *manual;
    for (size_t i = 0; (manual = manual_at(i)); i++) {
        struct manual_option options[MANUAL_OPTIONS];
        size_t count = manual_options(manual, options);
        for (size_t k = 0; k < count; k++) {
            char line[128], refusal[128];
            snprintf(line, sizeof line, "%s %.*s%s --no-such-option", manual->name,
                     (int)options[k].name_size, options[k].name, options[k].value_size ? " 1" : "");
            snprintf(refusal, sizeof refusal, "unknown argument '%.*s'", (int)options[k].name_size,
                     options[k].name);
            gantry(line);
            cr_expect_null(strstr(shown, refusal), "gantry %s: %s", line, shown);
        }
    }
}

/* Every option that the sources name is in a manual. */
Test(manual, has_every_option_of_the_sources)
{
    glob_t files;
    int seen = 0;
    cr_assert_eq(glob("tools/*.c", 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *source;
        size_t size;
        if (strstr(files.gl_pathv[i], "_test.c") || strstr(files.gl_pathv[i], "_bench.c") ||
            strstr(files.gl_pathv[i], "tools/gantry.c"))
            continue;
        cr_assert_null(file_read(files.gl_pathv[i], &source, &size));
        for (const char *at = source; (at = strstr(at, "\"--")); at++) {
            size_t length = 2 + strspn(at + 3, "abcdefghijklmnopqrstuvwxyz-");
            if (length < 3 || at[length + 1] != '"')
                continue;
            seen++;
            cr_expect(some_command_has(at + 1, length), "%s: %.*s is in no manual",
                      files.gl_pathv[i], (int)length, at + 1);
        }
        alloc_free(source);
    }
    globfree(&files);
    cr_expect_gt(seen, 25);
}

Test(manual, every_command_has_one)
{
    const struct manual *manual;
    for (size_t i = 0; (manual = manual_at(i)); i++) {
        char line[64], beginning[64];
        snprintf(line, sizeof line, "%s --help", manual->name);
        snprintf(beginning, sizeof beginning, "gantry %s", manual->name);
        expect(line, 0, beginning);
        cr_expect_lt(manual_synopsis_size(manual), strlen(manual->text));
    }
}

/* ---- The man page ---------------------------------------------------------------------------- */

Test(manual, page)
{
    struct text text = {0};
    const struct manual *manual;
    manual_write_page(&text);
    char *page = finished(&text);
    cr_expect(!strncmp(page, ".TH GANTRY 1", 12));
    cr_expect_not_null(strstr(page, "\\fBGANTRY_THREADS\\fR"));
    for (size_t i = 0; (manual = manual_at(i)); i++) {
        char heading[64];
        snprintf(heading, sizeof heading, ".SS %s\n", manual->name);
        cr_expect_not_null(strstr(page, heading));
    }
    alloc_free(page);
}

/* groff has no complaint about it. */
Test(manual, page_is_formatted)
{
    if (command("command -v groff"))
        cr_skip_test("groff is not installed");
    cr_assert_eq(gantry("help --man | groff -man -Tutf8 -P-cbou -ww -rLL=200n"), 0);
    cr_expect_null(strstr(shown, "troff:"), "%s", shown);
    cr_expect_not_null(strstr(shown, "GANTRY_THREADS"));
    cr_expect_not_null(strstr(shown, "gantry plan PROGRAM [--format text|json|html]"), "%s", shown);
}

/* ---- Completion (by shells: completion_test.c) ----------------------------------------------- */

Test(manual, completions_have_every_option)
{
    static const char *const shells[] = {"bash", "zsh", "fish"}, *const dashes[] = {"--", "--",
                                                                                    "-l "};
    for (int shell = 0; shell < 3; shell++) {
        struct text text = {0};
        const struct manual *manual;
        cr_assert(manual_write_completion(shells[shell], &text));
        char *script = finished(&text), *at = script;
        for (size_t i = 0; (manual = manual_at(i)); i++) {
            struct manual_option options[MANUAL_OPTIONS];
            size_t count = manual_options(manual, options);
            for (size_t k = 0; k < count; k++) {
                char word[64];
                snprintf(word, sizeof word, "%s%.*s", dashes[shell], (int)options[k].name_size - 2,
                         options[k].name + 2);
                cr_expect_not_null(strstr(at, word), "%s: gantry %s %s", shells[shell],
                                   manual->name, word);
            }
        }
        alloc_free(script);
    }
    struct text text = {0};
    cr_expect(!manual_write_completion("tcsh", &text));
    expect("completion tcsh", 2, "shell 'tcsh'; allowed: bash, zsh or fish");
    expect("completion", 2, "allowed: bash, zsh or fish");
}
