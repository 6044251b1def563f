/* elf.c: the linker. Sections with SHF_ALLOC are laid out according to their alignment: code first,
 * then read-only data. External functions are called through a table of stubs behind the code, each
 * of which jumps to an absolute address. */
#include "compiler/codegen/link/elf.h"

#include <elf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "compiler/codegen/routines/large_angle.h"
#include "compiler/codegen/routines/radix_sort.h"

struct linked_object {
    void *slab;
    size_t size;
};

/* The external functions that generated code may call. Each has a stub of 16 bytes: jmp *2(%rip);
 * padding; address. */
static const struct external {
    const char *name;
    void *address;
} externals[] = {
    {"memcpy", (void *)memcpy},
    {"memset", (void *)memset},
    {"memmove", (void *)memmove},
    {"fma", (void *)fma},
    {"fmaf", (void *)fmaf},
    {"fmod", (void *)fmod},
    {"fmodf", (void *)fmodf},
    {"radix_sort_row", (void *)radix_sort_row},
    {"large_angles", (void *)large_angles},
};
enum { EXTERNALS = sizeof externals / sizeof externals[0], STUB = 16, MAX_SECTIONS = 4096 };
static const size_t MAX_SLAB = (size_t)1 << 30;

struct linker {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr header;
    Elf64_Shdr *sections;
    size_t *offsets; /* offset of each section in the mapping; SIZE_MAX: not loaded */
    size_t code_end, end, stubs;
    unsigned char *slab;
    size_t symbol_section, symbol_count;
};

static struct error *invalid(const char *what)
{
    return ERROR(INVALID_ARGUMENT, "kernel object: %s", what);
}

static bool is_inside(const struct linker *l, uint64_t offset, uint64_t size)
{
    return offset <= l->size && size <= l->size - offset;
}

static struct error *read_header(struct linker *l)
{
    if (l->size < sizeof l->header)
        return invalid("shorter than its header");
    memcpy(&l->header, l->bytes, sizeof l->header);
    const Elf64_Ehdr *h = &l->header;
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_type != ET_REL || h->e_machine != EM_X86_64 || h->e_shentsize != sizeof(Elf64_Shdr))
        return invalid("not a relocatable x86-64 ELF file");
    if (!h->e_shnum || h->e_shnum > MAX_SECTIONS ||
        !is_inside(l, h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr)))
        return invalid("its section headers are outside of the file");
    TRY(alloc_array(h->e_shnum, sizeof *l->sections, &l->sections));
    memcpy(l->sections, l->bytes + h->e_shoff, h->e_shnum * sizeof *l->sections);
    for (int i = 0; i < h->e_shnum; i++)
        if (l->sections[i].sh_type != SHT_NOBITS &&
            !is_inside(l, l->sections[i].sh_offset, l->sections[i].sh_size))
            return invalid("a section is outside of the file");
    return alloc_array(h->e_shnum, sizeof *l->offsets, &l->offsets);
}

static struct error *assign_offset(struct linker *l, int i)
{
    const Elf64_Shdr *s = &l->sections[i];
    size_t align = s->sh_addralign ? s->sh_addralign : 1;
    if (align > 4096 || (align & (align - 1)))
        return invalid("the alignment of a section must be a power of two of at most 4096");
    if (s->sh_size > MAX_SLAB || l->end > MAX_SLAB)
        return invalid("it must not need more than 1 GiB of memory");
    l->offsets[i] = (l->end + align - 1) & ~(align - 1);
    l->end = l->offsets[i] + s->sh_size;
    return NULL;
}

/* Code and stubs first, then read-only data on pages of its own. */
static struct error *assign_offsets(struct linker *l)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < l->header.e_shnum; i++) {
            bool loaded = l->sections[i].sh_flags & SHF_ALLOC,
                 code = l->sections[i].sh_flags & SHF_EXECINSTR;
            if (pass == 0)
                l->offsets[i] = SIZE_MAX;
            if (loaded && code == (pass == 0))
                TRY(assign_offset(l, i));
            if (l->sections[i].sh_type == SHT_SYMTAB)
                l->symbol_section = (size_t)i;
        }
        if (pass == 0) {
            l->stubs = (l->end + STUB - 1) & ~(size_t)(STUB - 1);
            l->end = l->stubs + EXTERNALS * STUB;
            l->end = l->code_end = (l->end + page - 1) & ~(page - 1);
        }
    }
    l->end = (l->end + page - 1) & ~(page - 1);
    return NULL;
}

static struct error *map_slab(struct linker *l)
{
    void *slab = mmap(NULL, l->end, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (slab == MAP_FAILED)
        return error_out_of_memory();
    l->slab = slab;
    for (int i = 0; i < l->header.e_shnum; i++)
        if (l->offsets[i] != SIZE_MAX && l->sections[i].sh_type != SHT_NOBITS)
            memcpy(l->slab + l->offsets[i], l->bytes + l->sections[i].sh_offset,
                   l->sections[i].sh_size);
    for (int i = 0; i < EXTERNALS; i++) {
        static const unsigned char jump[] = {0xFF, 0x25, 0x02, 0, 0, 0, 0x0F, 0x0B};
        unsigned char *stub = l->slab + l->stubs + (size_t)i * STUB;
        memcpy(stub, jump, sizeof jump);
        memcpy(stub + 8, &externals[i].address, 8);
    }
    return NULL;
}

/* A NUL-terminated name from the symbol table's string table, or NULL. */
static const char *name_of(const struct linker *l, uint32_t offset)
{
    uint32_t link = l->sections[l->symbol_section].sh_link;
    if (link >= l->header.e_shnum || l->sections[link].sh_type != SHT_STRTAB)
        return NULL;
    const Elf64_Shdr *strings = &l->sections[link];
    const char *base = (const char *)l->bytes + strings->sh_offset;
    if (offset >= strings->sh_size || base[strings->sh_size - 1])
        return NULL; /* the string table ends with NUL, so every string is terminated */
    return base + offset;
}

static struct error *read_symbol(const struct linker *l, uint64_t i, Elf64_Sym *symbol)
{
    const Elf64_Shdr *table = &l->sections[l->symbol_section];
    if (!l->symbol_section || i >= table->sh_size / sizeof *symbol)
        return invalid("a relocation refers to a missing symbol");
    memcpy(symbol, l->bytes + table->sh_offset + i * sizeof *symbol, sizeof *symbol);
    return NULL;
}

static struct error *external_address(const struct linker *l, const Elf64_Sym *symbol,
                                      uint64_t *address)
{
    const char *name = name_of(l, symbol->st_name);
    for (int i = 0; name && i < EXTERNALS; i++)
        if (!strcmp(name, externals[i].name)) {
            *address = (uint64_t)(uintptr_t)(l->slab + l->stubs) + (uint64_t)i * STUB;
            return NULL;
        }
    return ERROR(INVALID_ARGUMENT, "kernel object: calls the unknown function %s",
                 name ? name : "(no name)");
}

static struct error *symbol_address(const struct linker *l, uint64_t i, uint64_t *address)
{
    Elf64_Sym symbol;
    TRY(read_symbol(l, i, &symbol));
    if (symbol.st_shndx == SHN_UNDEF)
        return external_address(l, &symbol, address);
    if (symbol.st_shndx >= l->header.e_shnum || l->offsets[symbol.st_shndx] == SIZE_MAX ||
        symbol.st_value > l->sections[symbol.st_shndx].sh_size)
        return invalid("a symbol is outside of its section");
    *address = (uint64_t)(uintptr_t)l->slab + l->offsets[symbol.st_shndx] + symbol.st_value;
    return NULL;
}

static struct error *relocate(struct linker *l, int target, const Elf64_Rela *rela)
{
    const Elf64_Shdr *section = &l->sections[target];
    uint64_t type = ELF64_R_TYPE(rela->r_info), width = type == R_X86_64_64 ? 8 : 4, address;
    if (rela->r_offset > section->sh_size || width > section->sh_size - rela->r_offset)
        return invalid("a relocation is outside of its section");
    unsigned char *at = l->slab + l->offsets[target] + rela->r_offset;
    TRY(symbol_address(l, ELF64_R_SYM(rela->r_info), &address));
    address += (uint64_t)rela->r_addend;
    if (type == R_X86_64_64) {
        memcpy(at, &address, 8);
        return NULL;
    }
    if (type != R_X86_64_PC32 && type != R_X86_64_PLT32)
        return ERROR(INVALID_ARGUMENT, "kernel object: relocation type %d is unsupported",
                     (int)type);
    int64_t distance = (int64_t)(address - (uint64_t)(uintptr_t)at);
    if (distance != (int32_t)distance)
        return invalid("the distance of a relocation exceeds 32 bits");
    memcpy(at, &(int32_t){(int32_t)distance}, 4);
    return NULL;
}

static struct error *relocate_all(struct linker *l)
{
    for (int i = 0; i < l->header.e_shnum; i++) {
        const Elf64_Shdr *s = &l->sections[i];
        if (s->sh_type == SHT_REL)
            return invalid("relocations without addends are unsupported");
        if (s->sh_type != SHT_RELA)
            continue;
        if (s->sh_info >= l->header.e_shnum || s->sh_link != l->symbol_section)
            return invalid("relocations refer to a missing section or symbol table");
        for (uint64_t k = 0;
             l->offsets[s->sh_info] != SIZE_MAX && k < s->sh_size / sizeof(Elf64_Rela); k++) {
            Elf64_Rela rela;
            memcpy(&rela, l->bytes + s->sh_offset + k * sizeof rela, sizeof rela);
            TRY(relocate(l, (int)s->sh_info, &rela));
        }
    }
    return NULL;
}

/* A function that the object defines. */
struct function {
    const char *name;
    uint64_t symbol;
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct function *)a)->name, ((const struct function *)b)->name);
}

/* All functions, sorted by name. The caller owns the array. */
static struct error *list_functions(const struct linker *l, struct function **out, size_t *count)
{
    uint64_t symbols =
        l->symbol_section ? l->sections[l->symbol_section].sh_size / sizeof(Elf64_Sym) : 0;
    TRY(alloc_array((size_t)symbols, sizeof **out, out));
    for (uint64_t i = 0; i < symbols; i++) {
        Elf64_Sym symbol;
        TRY(read_symbol(l, i, &symbol));
        const char *name = name_of(l, symbol.st_name);
        if (name && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF)
            (*out)[(*count)++] = (struct function){name, i};
    }
    qsort(*out, *count, sizeof **out, by_name);
    return NULL;
}

static struct error *find_kernel(const struct linker *l, const struct function *functions,
                                 size_t count, const char *name, kernel_function **kernel)
{
    const struct function key = {.name = name};
    const struct function *found =
        count ? bsearch(&key, functions, count, sizeof key, by_name) : NULL;
    uint64_t address;
    if (!found)
        return ERROR(NOT_FOUND, "kernel object: does not define the kernel %s", name);
    TRY(symbol_address(l, found->symbol, &address));
    if (address >= (uint64_t)(uintptr_t)l->slab + l->code_end)
        return invalid("a kernel is outside of the code");
    memcpy(kernel, &address, sizeof address);
    return NULL;
}

static struct error *find_kernels(const struct linker *l, int count, char *const *names,
                                  kernel_function **kernels)
{
    struct function *functions = NULL;
    size_t function_count = 0;
    struct error *error = list_functions(l, &functions, &function_count);
    for (int i = 0; i < count && !error; i++)
        error = find_kernel(l, functions, function_count, names[i], &kernels[i]);
    alloc_free(functions);
    return error;
}

static struct error *link_object(struct linker *l, int count, char *const *names,
                                 kernel_function **kernels)
{
    TRY(read_header(l));
    TRY(assign_offsets(l));
    TRY(map_slab(l));
    TRY(relocate_all(l));
    TRY(find_kernels(l, count, names, kernels));
    if (mprotect(l->slab, l->code_end, PROT_READ | PROT_EXEC) ||
        (l->end > l->code_end && mprotect(l->slab + l->code_end, l->end - l->code_end, PROT_READ)))
        return ERROR(INTERNAL, "kernel object: the system refuses to make memory executable");
    return NULL;
}

struct error *elf_load(const void *object, size_t size, int count, char *const *names,
                       kernel_function **kernels, uint64_t *code_size, struct linked_object **code)
{
    struct linker l = {.bytes = object, .size = size};
    *code = NULL;
    *code_size = 0;
    TRY(alloc_zeroed(sizeof **code, code));
    struct error *error = link_object(&l, count, names, kernels);
    alloc_free(l.sections);
    alloc_free(l.offsets);
    (*code)->slab = l.slab;
    (*code)->size = l.end;
    *code_size = l.end;
    if (error) {
        elf_unload(*code);
        *code = NULL;
    }
    return error;
}

void elf_unload(struct linked_object *code)
{
    if (!code)
        return;
    if (code->slab)
        munmap(code->slab, code->size);
    alloc_free(code);
}
