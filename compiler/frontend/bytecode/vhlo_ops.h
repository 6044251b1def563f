/* vhlo_ops.h: which operation of the IR a VHLO operation is, and which attributes it has in
 * which order. The exceptions are vhlo_ops.def's; the rule is the IR's own table, sorted by
 * name. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_OPS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_OPS_H

#include "compiler/ir/ir.h"

#define VHLO_OPS_MAX_ATTRIBUTES 20

struct vhlo_form {
    enum op_code code;
    int count;
    const char *names[VHLO_OPS_MAX_ATTRIBUTES];               /* alphabetical */
    const struct attr_field *fields[VHLO_OPS_MAX_ATTRIBUTES]; /* NULL: passed over */
};

/* The form of "add_v1", made in the arena; NULL when there is no such operation. */
const struct vhlo_form *vhlo_ops_form(struct arena *arena, struct string name);

#endif
