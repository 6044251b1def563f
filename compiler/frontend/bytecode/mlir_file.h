/* mlir_file.h: the tables of an MLIR bytecode file: strings, dialects, operation names, and
 * where the attribute, type and property entries lie. Entries are decoded when they are first
 * asked for (mlir_attr.h); the operations are mlir_op.h's. Everything lies in the arena or is
 * borrowed from the file's bytes. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_FILE_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_FILE_H

#include "compiler/frontend/bytes.h"
#include "compiler/ir/ir.h"

#define MLIR_BYTECODE_NEWEST 6

enum mlir_dialect { MLIR_BUILTIN, MLIR_VHLO, MLIR_SDY, MLIR_UNKNOWN };

enum mlir_entry_state {
    MLIR_ENTRY_NEW,
    MLIR_ENTRY_OPEN /* being decoded: a cycle if met again */,
    MLIR_ENTRY_DONE
};

struct mlir_entry {      /* an attribute or a type */
    size_t offset, size; /* in the file */
    enum mlir_dialect dialect;
    bool coded; /* in the dialect's encoding; otherwise MLIR text */
    enum mlir_entry_state state;
    void *value;                     /* struct mlir_attr or mlir_type once done */
    const struct location *location; /* of location attributes, once resolved */
};

struct mlir_op_name {
    struct string dialect_name, name; /* "vhlo", "add_v1" */
    enum mlir_dialect dialect;
    void *note; /* what the reader of the dialect knows about it */
};

struct mlir_span {
    size_t offset, size;
};

struct mlir_file {
    struct arena *arena;
    struct bytes bytes;   /* the whole file */
    int version;          /* of the bytecode */
    const char *producer; /* "StableHLO_v1.17.0" */
    int vhlo_major, vhlo_minor;

    size_t string_count, dialect_count, op_name_count, attr_count, type_count, property_count;
    struct string *strings;        /* NUL-terminated in the file */
    struct mlir_op_name *dialects; /* dialect_name and dialect only */
    struct mlir_op_name *op_names;
    struct mlir_entry *attrs, *types;
    struct mlir_span *properties;
    struct bytes ir;    /* section 4 */
    struct map *meshes; /* struct mesh by name, once sdy_mesh() has seen them */
    int depth;          /* of entries being decoded */
};

/* Reads all tables. `bytes` are borrowed for the arena's life. Errors as mlir_bytecode_read(). */
struct error *mlir_file_read(struct arena *arena, const void *bytes, size_t size,
                             struct mlir_file **out);

/* A section's or nested section's header: gives its id and a reader of its data. */
struct error *mlir_file_section(struct bytes *in, unsigned *id, struct bytes *data);

/* A string-table index; an empty string once `in` has failed. */
struct string mlir_file_string(const struct mlir_file *file, struct bytes *in);

#endif
