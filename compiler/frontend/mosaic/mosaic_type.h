/* mosaic_type.h: the types of a kernel's bytecode: numbers, vectors, references and semaphores; and
 * what reading types of text (mosaic_text_type.h) shares with that. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_TYPE_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_TYPE_H

#include "compiler/frontend/bytecode/mlir_entry.h"
#include "compiler/kernel_ir/kernel_ir.h"

struct mosaic_types {
    struct mlir_file *file;
    const struct kernel_type **types; /* by index in the file; NULL: not read yet */
};

void mosaic_type_start(struct mlir_file *file, struct mosaic_types *out);

/* The type with this index of the file's table; in the file's arena. UNIMPLEMENTED for types that
 * kernels do not have, INVALID_ARGUMENT for shapes beyond KERNEL_MAX_ELEMENTS. */
struct error *mosaic_type_get(struct mosaic_types *types, size_t index,
                              const struct kernel_type **out);

/* The reader of the builtin dialect's types for mlir_file_read(): vectors are tensors there, so
 * that dense constants have a shape. */
struct error *mosaic_type_builtin(struct mlir_file *file, struct bytes *in, uint64_t code,
                                  struct mlir_type *out);

/* ---- parts of a type ------------------------------------------------------------------------- */
/* "#tpu.memory_space<vmem>", with the kind of core behind a comma where it is given. UNIMPLEMENTED
 * for other spaces than those of enum kernel_space. */
struct error *mosaic_type_space(struct string text, enum kernel_space *out);

/* "!tpu.dma_semaphore", "!tpu.semaphore", "!tpu.barrier_semaphore"; else KERNEL_NO_SEMAPHORE. */
enum kernel_semaphore mosaic_type_semaphore(struct string text);

/* Set the type of the elements: a number or an index; the sizes (type->kind is set). */
struct error *mosaic_type_element(const struct mlir_type *type, struct kernel_type *out);
struct error *mosaic_type_shape(struct kernel_type *type, struct dims shape);

#endif
