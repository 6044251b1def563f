/* ir_digest.c: see ir_digest.h. The hash takes a word at a time: most operations are a few
 * words. */
#include "compiler/ir/ir_digest.h"

#include <string.h>

static uint64_t add_word(uint64_t hash, uint64_t word)
{
    return ((hash << 5 | hash >> 59) ^ word) * 0x9e3779b97f4a7c15;
}

static uint64_t add_pointer(uint64_t hash, const void *pointer)
{
    return add_word(hash, (uintptr_t)pointer);
}

/* The last word of bytes that are no whole number of words is filled with zeros. */
static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, (const char *)bytes + at, size - at < sizeof word ? size - at : sizeof word);
        hash = add_word(hash, word);
    }
    return hash;
}

static uint64_t add_types(uint64_t hash, const struct type *const *types, int count)
{
    for (int i = 0; i < count && types; i++)
        hash = add_pointer(hash, types[i]);
    return hash;
}

static uint64_t add_block(uint64_t hash, const struct block *block);

static uint64_t add_op(uint64_t hash, const struct op *op)
{
    hash = add_word(hash, (uint64_t)op->code << 32 | (uint32_t)op->operand_count);
    hash = add_word(hash, (uint64_t)op->region_count << 32 | (uint32_t)op->result_count);
    hash = add_pointer(hash, op->discardable);
    for (int i = 0; i < op->operand_count; i++)
        hash = add_pointer(hash, op->operands[i]);
    for (int i = 0; i < op->result_count; i++)
        hash = add_pointer(add_pointer(hash, &op->results[i]), op->results[i].type);
    if (op_info(op->code)->field_count)
        hash = add_bytes(hash, &op->attrs, sizeof op->attrs);
    for (int i = 0; i < op->region_count; i++)
        hash = add_block(hash, op->regions[i]);
    return hash;
}

static uint64_t add_block(uint64_t hash, const struct block *block)
{
    hash = add_word(hash, (uint64_t)block->argument_count);
    for (int i = 0; i < block->argument_count; i++)
        hash = add_pointer(hash, block->arguments[i].type);
    for (const struct op *op = block->first; op; op = op->next)
        hash = add_op(hash, op);
    return hash;
}

static uint64_t add_func(uint64_t hash, const struct func *func)
{
    hash = add_bytes(hash, func, sizeof *func);
    hash = add_types(hash, func->argument_types, func->body->argument_count);
    hash = add_types(hash, func->result_types, func->result_count);
    return add_block(hash, func->body);
}

uint64_t ir_digest(const struct module *module)
{
    uint64_t hash = add_bytes(1, module, sizeof *module);
    for (const struct func *func = module->first; func; func = func->next)
        if (func->body)
            hash = add_func(hash, func);
    return hash;
}
