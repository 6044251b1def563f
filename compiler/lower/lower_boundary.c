/* lower_boundary.c: see lower_boundary.h. */
#include "compiler/lower/lower_boundary.h"

/* `type` is the declared one, with its layout and memory kind. */
static struct program_value value_of(struct arena *arena, const struct type *type,
                                     const struct argument_info *info)
{
    return (struct program_value){.shape = shape_copy(arena, &type->shape),
                                  .alias = -1,
                                  .bytes =
                                      type->kind == TYPE_TENSOR ? (uint64_t)type_bytes(type) : 0,
                                  .donated = info && (info->alias_result >= 0 || info->donated)};
}

void lower_boundary(const struct lowerer *l, struct program *program)
{
    const struct func *func = l->module->entry;
    const struct block *body = func->body;
    program->parameter_count = body->argument_count;
    program->result_count = body->last->operand_count;
    program->parameters = ARENA_ARRAY(l->arena, struct program_value, program->parameter_count + 1);
    program->results = ARENA_ARRAY(l->arena, struct program_value, program->result_count + 1);
    for (int i = 0; i < program->parameter_count; i++)
        program->parameters[i] = value_of(l->arena, ir_argument_type(func, i),
                                          func->argument_infos ? &func->argument_infos[i] : NULL);
    for (int i = 0; i < program->result_count; i++) {
        program->results[i] = value_of(l->arena, func->result_types[i],
                                       func->result_infos ? &func->result_infos[i] : NULL);
        int alias = program->results[i].alias = l->plan->result_alias[i];
        if (alias >= 0)
            program->parameters[alias].alias = i;
    }
}
