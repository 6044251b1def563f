#include "compiler/frontend/bytecode/vhlo_ops.h"

#include <stdlib.h>
#include <string.h>

struct exception {
    const char *name;
    enum op_code code;
    const char *absent, *passed_over;
};

static const struct exception exceptions[] = {
#define VHLO_OP(name, operation, absent, passed_over) {name, OP_##operation, absent, passed_over},
#include "compiler/frontend/bytecode/vhlo_ops.def"
#undef VHLO_OP
};

/* Is `name` a word of the list? */
static bool in_list(const char *list, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += size)
        if ((at == list || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0))
            return true;
    return false;
}

static bool is_ours(enum op_code code)
{
    return code == OP_copy || code == OP_erf || code == OP_fusion;
}

static const struct exception *find_exception(struct string name)
{
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++)
        if (strlen(exceptions[i].name) == name.size &&
            memcmp(exceptions[i].name, name.data, name.size) == 0)
            return &exceptions[i];
    return NULL;
}

/* Insertion sort: the lists are short. */
static void add(struct vhlo_form *form, const char *name, const struct attr_field *field)
{
    int i = form->count++;
    for (; i > 0 && strcmp(form->names[i - 1], name) > 0; i--) {
        form->names[i] = form->names[i - 1];
        form->fields[i] = form->fields[i - 1];
    }
    form->names[i] = name;
    form->fields[i] = field;
}

const struct vhlo_form *vhlo_ops_form(struct arena *arena, struct string name)
{
    const struct exception *exception = find_exception(name);
    enum op_code code = OP_INVALID_CODE;
    if (exception)
        code = exception->code;
    else if (name.size > 3 && memcmp(name.data + name.size - 3, "_v1", 3) == 0)
        code = op_code_from_name(name.data, name.size - 3);
    if (code == OP_INVALID_CODE || is_ours(code))
        return NULL;
    struct vhlo_form *form = ARENA_NEW(arena, struct vhlo_form);
    const struct op_info *info = op_info(code);
    form->code = code;
    for (int i = 0; i < info->field_count; i++)
        if (!exception || !in_list(exception->absent, info->fields[i].name))
            add(form, info->fields[i].name, &info->fields[i]);
    if (exception && exception->passed_over[0])
        add(form, exception->passed_over, NULL);
    return form;
}
