/* mistakes_test.c: mistakes that users make with settings and with the command. Each must give a
 * message with what is wrong, where, what is allowed, and what to do. Those made with JAX are in
 * conformance/clients/jax/mistakes.py. */
#include "tools/command_fixture.h"

#define ADD "conformance/programs/add.mlirbc"
#define LIBM "/lib/x86_64-linux-gnu/libm.so.6"

/* ---- settings -------------------------------------------------------------------------------- */

/* NAME=VALUE in a shell's words, and what the message must contain beside NAME. */
static const struct wrong_setting {
    const char *setting, *part;
} wrong_settings[] = {
    {"GANTRY_DEVICE=gpu", "'gpu', which is not a device of Gantry: use cpu or tpu"},
    {"GANTRY_DEVICE=TPUS", "use cpu or tpu"},
    {"GANTRY_THREADS=abc", "'abc'; allowed: 0 to 65536"},
    {"GANTRY_THREADS=-1", "'-1'; allowed: 0 to 65536"},
    {"GANTRY_THREADS=4.5", "'4.5'; allowed: 0 to 65536"},
    {"GANTRY_THREADS=99999999999999999999", "allowed: 0 to 65536"},
    {"GANTRY_THREADS='4 cores'", "'4 cores'; allowed: 0 to 65536"},
    {"GANTRY_PIN=yes", "'yes'; allowed: auto, 0 or 1"},
    {"GANTRY_LOG=verbose", "'verbose'; allowed: error, warning, info or debug"},
    {"GANTRY_LOG=INFO", "'INFO'; allowed: error, warning, info or debug"},
    {"GANTRY_LOG=2", "'2'; allowed: error, warning, info or debug"},
    {"GANTRY_DUMP=fodl:/tmp/x", "'fodl', which is not a pass; did you mean fold"},
    {"GANTRY_DUMP=/proc/none", "'/proc/none' cannot be written to"},
    {"GANTRY_VERIFY=true", "'true'; allowed: 0 or 1"},
    {"GANTRY_ISA=sse2", "'sse2'; allowed: host, baseline, avx2, avx512, avx512_bf16"},
    {"GANTRY_ISA=AVX2", "'AVX2'; allowed: host, baseline, avx2"},
    {"GANTRY_CPU_DEVICES=0", "'0'; allowed: 1 to 1024"},
    {"GANTRY_CPU_DEVICES=1025", "'1025'; allowed: 1 to 1024"},
    {"GANTRY_CPU_DEVICES=two", "'two'; allowed: 1 to 1024"},
    {"CPU_NUM_DEVICES=0", "'0'; allowed: 1 to 1024"},
    {"CPU_NUM_DEVICES=8x", "'8x'; allowed: 1 to 1024"},
    {"XLA_FLAGS=--xla_force_host_platform_device_count=many", "'many'; allowed: 1 to 1024"},
    {"GANTRY_COLLECTIVE_TIMEOUT=0", "'0'; allowed: 1 to 1000000"},
    {"GANTRY_COLLECTIVE_TIMEOUT=40s", "'40s'; allowed: 1 to 1000000"},
    {"GANTRY_DENORMALS=Keep", "'Keep'; allowed: flush or keep"},
    {"GANTRY_DENORMALS=1", "'1'; allowed: flush or keep"},
    {"GANTRY_TIER=9", "'9'; allowed: auto, 0, 1 or 2"},
    {"GANTRY_TIER=O2", "'O2'; allowed: auto, 0, 1 or 2"},
    {"GANTRY_DEVICE_MEMORY=16X", "'16X'; allowed: a number of bytes, as 1048576, 512M or 1.5GiB"},
    {"GANTRY_DEVICE_MEMORY=-1G", "'-1G'; allowed: a number of bytes"},
    {"GANTRY_DEVICE_MEMORY=1e30", "'1e30'; allowed: a number of bytes"},
    {"GANTRY_DEVICE_MEMORY=nan", "'nan'; allowed: a number of bytes"},
    {"GANTRY_PINNED_HOST_MEMORY=lots", "'lots'; allowed: a number of bytes"},
    {"GANTRY_UNPINNED_HOST_MEMORY=64Q", "'64Q'; allowed: a number of bytes"},
    {"GANTRY_HUGE_PAGES=on", "'on'; allowed: 0 or 1"},
    {"GANTRY_LOCK_BYTES=50%", "'50%'; allowed: a number of bytes"},
    {"GANTRY_CACHE_BYTES=1XB", "'1XB'; allowed: a number of bytes"},
    {"GANTRY_SYSFS_ROOT=/no/such/folder", "'/no/such/folder'; allowed: the path of a folder"},
    {"GANTRY_THREDS=2", "did you mean GANTRY_THREADS?"},
    {"GANTRY_NUM_THREADS=2", "did you mean GANTRY_THREADS?"},
    {"GANTRY_LOG_LEVEL=info", "did you mean GANTRY_LOG?"},
    {"GANTRY_MEMORY=1G", "did you mean GANTRY_DEVICE_MEMORY?"},
    {"GANTRY_DUMP_TO=/tmp/x", "did you mean GANTRY_DUMP?"},
    {"GANTRY_TPU_TOPLOGY=v5e:1x1", "did you mean GANTRY_TPU_TOPOLOGY?"},
};

/* Runs the command with `arguments` behind NAME=VALUE, and expects NAME in the message. */
static void expect_named(const char *setting, const char *arguments, const char *part)
{
    char line[1024], name[64];
    const char *folder = getenv("GANTRY_LIB");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
    snprintf(line, sizeof line, "%s %s/../bin/gantry %s 2>&1", setting,
             folder ? folder : "build/lib", arguments);
    int code = command(line);
    cr_expect(code == 1 || code == 3, "%s: ends with %d: %s", setting, code, shown);
    cr_expect_not_null(strstr(shown, name), "%s: %s", setting, shown);
    cr_expect_not_null(strstr(shown, part), "%s: %s", setting, shown);
}

Test(mistakes, every_wrong_setting_is_named_with_its_value_and_what_is_allowed)
{
    size_t count = sizeof wrong_settings / sizeof *wrong_settings;
    cr_assert_geq(count, 40);
    for (size_t i = 0; i < count; i++)
        expect_named(wrong_settings[i].setting, "run conformance/programs/constants.mlirbc",
                     wrong_settings[i].part);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Arguments of gantry, the exit status, and a part of the message. */
static const struct mistake {
    const char *arguments;
    int code;
    const char *part;
} mistakes[] = {
    {"", 2, "gantry COMMAND"},
    {"rnu " ADD, 2, "unknown command 'rnu'; did you mean gantry run?"},
    {"compile " ADD, 2, "unknown command 'compile'; gantry help lists the commands"},
    {"help plam", 2, "unknown command 'plam'; did you mean gantry plan?"},
    {"run", 2, "no program is given; see gantry help run"},
    {"run --inptu 4xf32 " ADD, 2, "'--inptu'; did you mean --input?"},
    {"run " ADD " --verbose", 2, "unknown argument '--verbose'; see gantry help run"},
    {"run " ADD " " ADD, 2, "unknown argument '" ADD "'"},
    {"run " ADD " --input", 2, "--input needs a value"},
    {"run " ADD " --tolerance much", 2, "--tolerance much; allowed: a number >= 0"},
    {"run " ADD " --tolerance -1", 2, "--tolerance -1; allowed: a number >= 0"},
    {"run " ADD " --repeat 0", 2, "--repeat 0; allowed: a whole number >= 1"},
    {"run " ADD " --repeat +2", 2, "--repeat +2; allowed: a whole number >= 1"},
    {"run " ADD " --repeat 99999999999999999999", 2, "allowed: a whole number >= 1"},
    {"run " ADD " --tolerance 0x1", 2, "--tolerance 0x1; allowed: a number >= 0"},
    {"run " ADD " --repeat 1.5", 2, "--repeat 1.5; allowed: a whole number >= 1"},
    {"run " ADD " --json --quiet", 2, "--json prints the results; omit --quiet"},
    {"run /no/such/file.mlir", 1, "NOT_FOUND: /no/such/file.mlir: No such file"},
    {"run /tmp", 1, "/tmp: Is a directory"},
    {"run --python Makefile", 1, "Makefile: expected FILE.py:FUNCTION"},
    {"run --python /no/such.py:step", 1, "/no/such.py: no such file"},
    {"plan --python /no/such.py:step", 1, "could not lower it; its messages are above"},
    {"run " ADD " --input 4xf32=1", 1, "needs 2 inputs, got 1\n  signature:"},
    {"run " ADD " --input 5xf32=1 --input 4xf32=1", 1, "input 0 is 5xf32, expected 4xf32"},
    {"run " ADD " --input 4xf32=1 --input 4xs32=1", 1, "input 1 is 4xs32, expected 4xf32"},
    {"run " ADD " --input 4xf33=1", 1, "'4xf33=1': unknown element type 'f33'"},
    {"run " ADD " --input 4xf32=one", 1, "value 0 is not a valid f32: 'one'"},
    {"run " ADD " --input 4xf32=1,2", 1, "'4xf32=1,2'"},
    {"run " ADD " --input @/no/file.npy", 1, "/no/file.npy"},
    {"run " ADD " --input @Makefile", 1, "Makefile"},
    {"run " ADD " --input 4xu8=300", 1, "'4xu8=300'"},
    {"run " ADD " --input 4xf32=1 --input 4xf32=1 --output /no/such", 1,
     "NOT_FOUND: result 0: /no/such"},
    {"run " ADD " --function f", 1, "has no function @f; it has @main"},
    {"run Makefile", 1, "Makefile: MLIR text:1:1: expected a function"},
    {"run " LIBM, 1, "machine code (ELF)"},
    {"run tools/testdata/add.hlo", 1, "is HLO text, which Gantry does not read; pass StableHLO"},
    {"run " ADD " --format hlo", 1, "is MLIR bytecode, not an HloModuleProto"},
    {"run " ADD " --format onnx", 1, "\"onnx\" is unsupported; it must be \"mlir\" or \"hlo\""},
    {"run build/corpus/models/attention_gradients.hlo.pb --format mlir", 1,
     "its format is \"hlo\""},
    {"run " ADD " --plugin /no/plugin.so", 3, "NOT_FOUND: /no/plugin.so"},
    {"run " ADD " --plugin " LIBM, 3, "not a PJRT plugin"},
    {"bench", 2, "no program is given; see gantry help bench"},
    {"plan " ADD " --auto --tpu v5e:0x4", 2, "--tpu v5e:0x4; allowed: a generation and the sizes"},
    {"explore " ADD " --tpu ,", 2, "--tpu ,; allowed: v4, v5e, v5p, v6e, with commas"},
    {"explore " ADD " --tpu ''", 2, "--tpu ; allowed: v4, v5e, v5p, v6e, with commas"},
    {"bench " ADD " --seconds inf", 2, "--seconds inf; allowed: a number >= 0"},
    {"plan " ADD " --devices +8", 2, "--devices +8; allowed: 1 to"},
    {"plan " ADD " --devices ' 8'", 2, "--devices  8; allowed: 1 to"},
    {"plan " ADD " --capacity +16G", 2, "--capacity +16G; allowed: a number of bytes"},
    {"plan " ADD " --capacity 0x10", 2, "--capacity 0x10; allowed: a number of bytes"},
    {"plan " ADD " --hosts +2", 2, "--hosts +2; allowed: 2 to"},
    {"plan " ADD " --hosts 2 --link +25G", 2, "--link +25G; allowed: bits a second"},
    {"explore " ADD " --chips +8", 2, "--chips +8; allowed: 1 to"},
    {"launch -n +2 -- true", 2, "-n is '+2'; allowed: 1 to"},
    {"launch --coordinator host:port -- true", 2, "'host:port'; allowed: HOST:PORT"},
    {"launch --coordinator :1234 -- true", 2, "':1234'; allowed: HOST:PORT"},
    {"launch --coordinator host:70000 -- true", 2, "with a port of 1 to 65534"},
    {"cts --jobs +2 x.so", 2, "--jobs +2; allowed: a number from 1 to 64"},
    {"top --interval +1", 2, "--interval +1; allowed: 0.1 to 3600"},
    {"bench " ADD " --seconds x", 2, "--seconds x; allowed: a number >= 0"},
    {"info --jsno", 2, "'--jsno'; did you mean --json?"},
    {"info --plugin /no/plugin.so", 3, "/no/plugin.so"},
    {"topo --format png", 2, "--format png; allowed: text, json or svg"},
    {"topo --devices +2", 2, "--devices +2; allowed: a number >= 1"},
    {"topo --devices many", 2, "--devices many; allowed: a number >= 1"},
    {"plan " ADD " --format svg", 2, "--format svg; allowed: text, json or html"},
    {"plan " ADD " --capacity lots", 2, "--capacity lots; allowed: a number of bytes"},
    {"plan " ADD " --capacity 0", 2, "--capacity 0; allowed: a number of bytes of at least 1"},
    {"plan " ADD " --tpu v5e:1x1 --capacity 1", 1, "a limit of 1 bytes; allowed: at least 64"},
    {"plan /no/such/file.mlir", 1, "/no/such/file.mlir"},
    {"env --shel", 2, "'--shel'; did you mean --shell?"},
};

Test(mistakes, every_mistake_with_the_command_is_explained)
{
    size_t count = sizeof mistakes / sizeof *mistakes;
    for (size_t i = 0; i < count; i++) {
        int code = gantry(mistakes[i].arguments);
        cr_expect_eq(code, mistakes[i].code, "gantry %s: ends with %d: %s", mistakes[i].arguments,
                     code, shown);
        cr_expect_not_null(strstr(shown, mistakes[i].part), "gantry %s: %s", mistakes[i].arguments,
                           shown);
    }
}

/* A message never repeats bytes that are no text. */
Test(mistakes, bytes_are_not_echoed)
{
    cr_assert_eq(command("printf 'func.func @main() { \\033[31m\\377' >/tmp/gantry_mistake.mlir"),
                 0);
    expect("run /tmp/gantry_mistake.mlir", 1, "nor text: byte 20 is 0x1b");
    for (const char *at = shown; *at; at++)
        cr_expect(*at == '\n' || (*at >= ' ' && *at <= '~'), "byte %d", *at);
    remove("/tmp/gantry_mistake.mlir");
}
