/* mosaic_type.h: the types of a kernel's bytecode: numbers, vectors, references and semaphores. */
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

#endif
