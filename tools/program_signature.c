/* program_signature.c: see program_signature.h. */
#include "tools/program_signature.h"

#include <string.h>

#include "base/alloc.h"

enum { SHOWN = 12 }; /* of a list of types */

/* ---- Reading --------------------------------------------------------------------------------- */

static bool is_text(const cJSON *object, const char *name, const char *text)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    return cJSON_IsString(item) && !strcmp(item->valuestring, text);
}

static const cJSON *find_function(const cJSON *json, const char *name)
{
    const cJSON *function;
    cJSON_ArrayForEach(
        function,
        cJSON_GetObjectItem(json, "functions")) if (name ? is_text(function, "name", name)
                                                         : cJSON_IsTrue(cJSON_GetObjectItem(
                                                               function, "entry"))) return function;
    return NULL;
}

struct error *program_signature_read(const PJRT_Api *api, const struct abi_program *program,
                                     const char *function, struct program_signature *out)
{
    const PJRT_Gantry_Extension *gantry;
    PJRT_Program form = {.struct_size = PJRT_Program_STRUCT_SIZE,
                         .code = (char *)(uintptr_t)program->code,
                         .code_size = program->code_size,
                         .format = program->format,
                         .format_size = strlen(program->format)};
    PJRT_Gantry_Signature_Args args = {.struct_size = PJRT_Gantry_Signature_Args_STRUCT_SIZE,
                                       .program = &form};
    *out = (struct program_signature){0};
    struct error *error = abi_gantry(api, &gantry);
    if (error || gantry->base.struct_size < PJRT_Gantry_Extension_STRUCT_SIZE) {
        error_free(error);
        return NULL;
    }
    TRY(abi_error(api, gantry->signature(&args)));
    out->json = cJSON_ParseWithLength(args.json.text, args.json.size);
    out->function = find_function(out->json, function);
    args.json.deleter(args.json.holder);
    return NULL;
}

void program_signature_free(struct program_signature *signature)
{
    cJSON_Delete(signature->json);
    *signature = (struct program_signature){0};
}

/* ---- Printing -------------------------------------------------------------------------------- */

static const char *dtype_of(const cJSON *type)
{
    const cJSON *dtype = cJSON_GetObjectItem(type, "dtype");
    return cJSON_IsString(dtype) ? dtype->valuestring : "?";
}

/* "4x8xf32"; sizes that are known only at run time are `dynamic`. */
static void print_type(const cJSON *type, const char *dynamic, struct text *out)
{
    const cJSON *dim;
    cJSON_ArrayForEach(dim, cJSON_GetObjectItem(type, "dims"))
    {
        if (cJSON_IsNumber(dim))
            text_add(out, "%.0fx", dim->valuedouble);
        else
            text_add(out, "%sx", dynamic);
    }
    text_add(out, "%s", dtype_of(type));
}

static void print_types(const cJSON *types, struct text *out)
{
    int count = 0, all = cJSON_GetArraySize(types);
    const cJSON *type;
    cJSON_ArrayForEach(type, types)
    {
        text_add(out, "%s", count ? ", " : "");
        if (count++ == SHOWN) {
            text_add(out, "%d more", all - SHOWN);
            return;
        }
        print_type(type, "?", out);
    }
}

/* "@main(4xf32, f32) -> (4xf32)" */
static void print_function(const cJSON *function, struct text *out)
{
    text_add(out, "@%s(", cJSON_GetStringValue(cJSON_GetObjectItem(function, "name")));
    print_types(cJSON_GetObjectItem(function, "arguments"), out);
    text_add(out, ") -> (");
    print_types(cJSON_GetObjectItem(function, "results"), out);
    text_add(out, ")");
}

/* Values for argument `index`, as --input takes them. */
static void print_input(const cJSON *type, int index, struct text *out)
{
    bool single = !cJSON_GetArraySize(cJSON_GetObjectItem(type, "dims"));
    print_type(type, "8", out);
    if (single || !strcmp(dtype_of(type), "pred"))
        text_add(out, "=1");
    else
        text_add(out, "=random:%d", index);
}

/* A command with values for all arguments; no function: without a choice of it. */
static void print_example(const cJSON *function, const char *program_path, struct text *out)
{
    int count = 0;
    const cJSON *type;
    text_add(out, "gantry run %s", program_path);
    if (!cJSON_IsTrue(cJSON_GetObjectItem(function, "entry")))
        text_add(out, " --function %s",
                 cJSON_GetStringValue(cJSON_GetObjectItem(function, "name")));
    cJSON_ArrayForEach(type, cJSON_GetObjectItem(function, "arguments"))
    {
        if (count == SHOWN) {
            text_add(out, " ...");
            return;
        }
        text_add(out, " --input ");
        print_input(type, count++, out);
    }
}

/* The lines that tell how to run a function. */
static void print_usage(const struct program_signature *signature, const char *program_path,
                        struct text *out)
{
    text_add(out, "  signature: ");
    print_function(signature->function, out);
    text_add(out, "\n  example:   ");
    print_example(signature->function, program_path, out);
}

bool program_signature_has_arguments(const struct program_signature *signature)
{
    return cJSON_GetArraySize(cJSON_GetObjectItem(signature->function, "arguments")) > 0;
}

bool program_signature_has_unknown_sizes(const struct program_signature *signature)
{
    const cJSON *type, *dim;
    cJSON_ArrayForEach(type, cJSON_GetObjectItem(signature->function, "arguments"))
        cJSON_ArrayForEach(dim,
                           cJSON_GetObjectItem(type, "dims")) if (!cJSON_IsNumber(dim)) return true;
    return false;
}

struct error *program_signature_describe(const struct program_signature *signature,
                                         const char *program_path, char **out)
{
    struct text text = {0};
    print_usage(signature, program_path, &text);
    return text_finish(&text, out, NULL);
}

struct error *program_signature_inputs(const struct program_signature *signature, char **out,
                                       size_t *count)
{
    struct text text = {0};
    const cJSON *type;
    *count = 0;
    cJSON_ArrayForEach(type, cJSON_GetObjectItem(signature->function, "arguments"))
    {
        print_input(type, (int)(*count)++, &text);
        text_add_bytes(&text, "", 1);
    }
    return text_finish(&text, out, NULL);
}

/* ---- Checking -------------------------------------------------------------------------------- */

static bool matches(const cJSON *type, const struct tensor *input)
{
    const cJSON *dims = cJSON_GetObjectItem(type, "dims"), *dim;
    size_t i = 0;
    if (strcmp(dtype_of(type), dtype_name(input->dtype)) ||
        (size_t)cJSON_GetArraySize(dims) != input->rank)
        return false;
    cJSON_ArrayForEach(dim, dims)
    {
        double size = (double)input->dims[i++];
        if (cJSON_IsNumber(dim) && dim->valuedouble != size)
            return false;
    }
    return true;
}

/* Describes the first mismatch; nothing if there is none. */
static void find_mismatch(const cJSON *arguments, const struct tensor *inputs, size_t count,
                          struct text *out)
{
    size_t i = 0, wanted = (size_t)cJSON_GetArraySize(arguments);
    const cJSON *type;
    if (wanted != count) {
        text_add(out, "needs %zu input%s, got %zu", wanted, wanted == 1 ? "" : "s", count);
        return;
    }
    cJSON_ArrayForEach(type, arguments)
    {
        if (!matches(type, &inputs[i])) {
            text_add(out, "input %zu is ", i);
            tensor_print_type(&inputs[i], out);
            text_add(out, ", expected ");
            print_type(type, "?", out);
            return;
        }
        i++;
    }
}

struct error *program_signature_check(const struct program_signature *signature,
                                      const char *program_path, const char *words,
                                      const struct tensor *inputs, size_t count)
{
    struct text text = {0};
    char *message;
    if (!signature->function)
        return NULL;
    find_mismatch(cJSON_GetObjectItem(signature->function, "arguments"), inputs, count, &text);
    if (!text.size && !text.failed)
        return NULL;
    text_add(&text, "\n");
    print_usage(signature, words, &text);
    TRY(text_finish(&text, &message, NULL));
    struct error *error = ERROR(INVALID_ARGUMENT, "%s: %s", program_path, message);
    alloc_free(message);
    return error;
}
