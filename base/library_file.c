/* library_file.c: see library_file.h. */
#include "base/library_file.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The end offset of the loaded part of the file; 0 when the file is not a usable library. */
static uint64_t loaded_end(int file)
{
    Elf64_Ehdr header;
    uint64_t end = 0;
    if (pread(file, &header, sizeof header, 0) != sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_phentsize != sizeof(Elf64_Phdr))
        return 0;
    for (int i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr part;
        uint64_t at = header.e_phoff + (uint64_t)i * sizeof part;
        if (at > INT64_MAX - sizeof part)
            return UINT64_MAX;
        if (pread(file, &part, sizeof part, (off_t)at) != sizeof part)
            return at + sizeof part; /* the table itself is truncated */
        if (part.p_type == PT_LOAD && part.p_offset + part.p_filesz > end)
            end = part.p_offset + part.p_filesz;
    }
    return end;
}

bool library_file_sound(const char *path, char *fault, size_t capacity)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        if (errno != EACCES)
            return true;
        snprintf(fault, capacity,
                 "%s: Permission denied. Let this user read it, and enter its folders", path);
        return false;
    }
    struct stat status;
    uint64_t end = loaded_end(file);
    bool known = !fstat(file, &status) && S_ISREG(status.st_mode);
    close(file);
    if (!known || (uint64_t)status.st_size >= end)
        return true;
    snprintf(fault, capacity,
             "%s is truncated: it has %lld bytes and needs %llu. Install Gantry again", path,
             (long long)status.st_size, (unsigned long long)end);
    return false;
}
