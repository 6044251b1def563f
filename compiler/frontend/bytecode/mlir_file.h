/* mlir_file.h: the tables of an MLIR bytecode file: strings, dialects, operation names, and the
 * positions of the attribute, type and property entries. mlir_entry.h decodes entries on first use;
 * mlir_op.h reads operations. Everything is in the arena or borrowed from the file's bytes. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_FILE_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_FILE_H

#include "compiler/frontend/bytes.h"
#include "compiler/ir/ir.h"

#define MLIR_BYTECODE_NEWEST 6

struct mlir_attr;
struct mlir_convert;
struct mlir_file;
struct mlir_op;
struct mlir_type;

/* The functions that read a dialect: a row of the table in mlir_bytecode.c. */
struct mlir_dialect {
    const char *name; /* "vhlo" */
    /* Read the fields of the attribute or type with this code into *out, whose weight is 1 and
     * whose other fields are 0. Bytes left in `in` are an error. NULL: the dialect has none. */
    struct error *(*attr)(struct mlir_file *file, struct bytes *in, uint64_t code,
                          struct mlir_attr *out);
    struct error *(*type)(struct mlir_file *file, struct bytes *in, uint64_t code,
                          struct mlir_type *out);
    /* Appends the converted operation to `block` and sets the values of its results. */
    struct error *(*op)(struct mlir_convert *c, struct mlir_op *op, struct block *block);
};

enum mlir_entry_state {
    MLIR_ENTRY_NEW,
    MLIR_ENTRY_OPEN /* being decoded; reaching it again is a cycle */,
    MLIR_ENTRY_DONE
};

struct mlir_entry {                     /* an attribute or a type */
    size_t offset, size;                /* in the file */
    const struct mlir_dialect *dialect; /* NULL: unknown */
    bool coded;                         /* in the dialect's encoding; else MLIR text */
    enum mlir_entry_state state;
    void *value;                     /* struct mlir_attr or mlir_type once done */
    const struct location *location; /* of location attributes, once resolved */
};

struct mlir_op_name {
    struct string dialect_name, name;   /* "vhlo", "add_v1" */
    const struct mlir_dialect *dialect; /* NULL: unknown */
    const void *schema;                 /* cached by the dialect's op(); NULL: not looked up yet */
};

struct mlir_span {
    size_t offset, size;
};

struct mlir_file {
    struct arena *arena;
    struct bytes bytes; /* the whole file */
    int version;        /* of the bytecode */
    const char
        *producer; /* "StableHLO_v1.17.0"; must have a version where the dialect vhlo is used */
    int vhlo_major, vhlo_minor;

    size_t string_count, dialect_count, op_name_count, attr_count, type_count, property_count;
    struct string *strings;        /* NUL-terminated in the file */
    struct mlir_op_name *dialects; /* only dialect_name and dialect are set */
    struct mlir_op_name *op_names;
    const struct mlir_dialect *known; /* the table */
    struct mlir_entry *attrs, *types;
    struct mlir_span *properties;
    struct bytes ir;    /* the IR section */
    struct map *meshes; /* struct mesh by name; filled before the functions are converted */
    int depth;          /* of entries being decoded */
    int64_t referred, referred_limit; /* mlir_entry_charge() */
};

/* Reads all tables. `bytes` are borrowed for the arena's lifetime; `dialects` (static) end with a
 * row without a name. Errors: those of mlir_bytecode_read(). */
struct error *mlir_file_read(struct arena *arena, const void *bytes, size_t size,
                             const struct mlir_dialect *dialects, struct mlir_file **out);

/* Reads the header of a section (top-level or nested) and skips its data; *data reads the data. */
struct error *mlir_file_section(struct bytes *in, unsigned *id, struct bytes *data);

/* Reads an index and returns the string; an empty string if `in` has failed. */
struct string mlir_file_string(const struct mlir_file *file, struct bytes *in);

#endif
