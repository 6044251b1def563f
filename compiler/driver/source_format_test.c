#include "compiler/driver/source_format.h"

#include <criterion/criterion.h>
#include <string.h>

static void refuse(struct error *error, const char *part)
{
    cr_assert_not_null(error, "%s", part);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

#define TEXT(bytes, part) refuse(source_format_check_text(bytes, sizeof(bytes) - 1), part)
#define HLO(bytes, part) refuse(source_format_check_hlo(bytes, sizeof(bytes) - 1), part)

Test(source_format, other_files_are_named)
{
    TEXT("", "is empty");
    TEXT("HloModule jit_f, entry_computation_layout={()->f32[]}", "HLO text");
    TEXT("// comment\n\nHloModule jit_f", "HLO text");
    TEXT("\x1f\x8b\x08", "gzip");
    TEXT("PK\x03\x04rest", "ZIP");
    TEXT("\x89PNG\r\n\x1a\n", "picture");
    TEXT("\x93NUMPY\x01", "NumPy");
    HLO("HloModule jit_f", "HLO text");
    HLO("ML\xefR\x06", "MLIR bytecode");
    HLO("module @f {}", "MLIR text");
}

Test(source_format, bytes_that_are_no_text_are_counted_not_shown)
{
    TEXT("\n\x05jit_f\x12", "its format is \"hlo\"");
    TEXT("module \xff", "byte 7 is 0xff");
    TEXT("module \x1b[31m", "byte 7 is 0x1b");
    TEXT("module \xc3", "byte 7 is 0xc3");
    TEXT("a\0b", "byte 1 is 0x00");
}

Test(source_format, text_passes)
{
    static const char text[] = "module @\xc3\xa9 {\t// \xe2\x82\xac \xf0\x9f\x98\x80\r\n}";
    cr_expect_null(source_format_check_text(text, sizeof text - 1));
    cr_expect_null(source_format_check_hlo("\n\x05jit_f", 7));
    cr_expect_null(source_format_check_hlo("", 0));
}
