/* npy_test.c: round trips, files from NumPy, and writes that must fail. */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "tools/npy.h"

/* Builds a file: version, header text without added padding, elements. */
static size_t make_file(unsigned char *out, int version, const char *header, const void *elements,
                        size_t size)
{
    size_t length = strlen(header), width = version == 1 ? 2 : 4;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (unsigned char)version;
    out[7] = 0;
    for (size_t i = 0; i < width; i++)
        out[8 + i] = (unsigned char)(length >> (8 * i));
    memcpy(out + 8 + width, header, length);
    memcpy(out + 8 + width + length, elements, size);
    return 8 + width + length + size;
}

static struct error *parse(int version, const char *header, const void *elements, size_t size,
                           enum dtype raw, struct tensor *out)
{
    unsigned char file[512];
    return npy_parse(file, make_file(file, version, header, elements, size), "x.npy", raw, out);
}

Test(npy, round_trip_of_every_type)
{
    for (enum dtype dtype = 1; dtype < DTYPE_COUNT; dtype++) {
        if (!dtype_bytes(dtype))
            continue;
        struct tensor tensor, again;
        char *bytes;
        size_t size;
        cr_assert_null(tensor_create(dtype, 2, (int64_t[]){3, 2}, &tensor));
        for (size_t i = 0; i < tensor.count; i++)
            dtype_from_double(dtype, (double)(i % 2),
                              tensor.bytes + i * (size_t)dtype_bytes(dtype));
        cr_assert_null(npy_format(&tensor, &bytes, &size));
        cr_assert_eq((size - tensor.size) % 64, 0);
        struct error *error = npy_parse(bytes, size, "x.npy", dtype, &again);
        cr_assert_null(error, "%s: %s", dtype_name(dtype), error ? error_message(error, NULL) : "");
        error = tensor_compare(&again, &tensor, 0);
        cr_assert_null(error, "%s: %s", dtype_name(dtype), error ? error_message(error, NULL) : "");
        alloc_free(bytes);
        tensor_free(&again);
        tensor_free(&tensor);
    }
}

Test(npy, scalars_and_empty_arrays)
{
    struct tensor tensor, again;
    char *bytes;
    size_t size;
    const int64_t empty[] = {0, 4};
    for (size_t rank = 0; rank <= 2; rank += 2) {
        cr_assert_null(tensor_create(DTYPE_F32, rank, empty, &tensor));
        cr_assert_null(npy_format(&tensor, &bytes, &size));
        cr_assert_null(npy_parse(bytes, size, "x.npy", DTYPE_INVALID, &again));
        cr_assert_null(tensor_compare(&again, &tensor, 0));
        alloc_free(bytes);
        tensor_free(&again);
        tensor_free(&tensor);
    }
}

Test(npy, column_major_big_endian)
{
    /* [[1, 2, 3], [4, 5, 6]] */
    const unsigned char elements[] = {0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6};
    struct tensor tensor;
    cr_assert_null(parse(2, "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }\n",
                         elements, sizeof elements, DTYPE_INVALID, &tensor));
    for (int i = 0; i < 6; i++)
        cr_assert_eq(dtype_to_int64(DTYPE_S16, tensor.bytes + 2 * i), i + 1);
    tensor_free(&tensor);
}

Test(npy, order_and_quotes_of_the_header_are_free)
{
    struct tensor tensor;
    cr_assert_null(parse(3, "{ \"shape\":(2L,),\"fortran_order\" :False,\"descr\": \"|u1\"}",
                         "\x01\x02", 2, DTYPE_INVALID, &tensor));
    cr_assert_eq(tensor.dtype, DTYPE_U8);
    tensor_free(&tensor);
}

Test(npy, raw_bytes_are_what_the_caller_says)
{
    const char *header = "{'descr': '|V1', 'fortran_order': False, 'shape': (1,), }";
    struct tensor tensor;
    cr_assert_null(parse(1, header, "\x3c", 1, DTYPE_F8E5M2, &tensor));
    cr_assert_eq(dtype_to_double(DTYPE_F8E5M2, tensor.bytes), 1.0);
    tensor_free(&tensor);
    struct error *error = parse(1, header, "\x3c", 1, DTYPE_INVALID, &tensor);
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    error = parse(1, "{'descr': '|i1', 'fortran_order': False, 'shape': (1,), }", "\x08", 1,
                  DTYPE_S4, &tensor);
    cr_assert_eq(error_code(error), PJRT_Error_Code_OUT_OF_RANGE);
    error_free(error);
}

Test(npy, bad_files_are_errors)
{
    static const char *const headers[] = {
        "",
        "{",
        "{}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2,), }",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f3', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '<f', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '', 'fortran_order': False, 'shape': (2,), }",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }",
        "{'descr': '<f4', 'fortran_order': False, 'shape': "
        "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
        "1,1,1,1,1,1,1,1,1,1,1,2), }",
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct tensor tensor;
        struct error *error = parse(1, headers[i], "\0\0\0\0\0\0\0\0", 8, DTYPE_INVALID, &tensor);
        cr_assert_not_null(error, "%s", headers[i]);
        cr_assert_null(tensor.bytes);
        error_free(error);
    }
    cr_assert_eq(alloc_live(), 0);
}

Test(npy, every_truncation_is_an_error)
{
    unsigned char file[512];
    size_t size = make_file(file, 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
                            "\0\0\0\0\0\0\0\0", 8);
    for (size_t cut = 0; cut < size; cut++) {
        struct tensor tensor;
        struct error *error = npy_parse(file, cut, "x.npy", DTYPE_INVALID, &tensor);
        cr_assert_not_null(error, "%zu", cut);
        error_free(error);
    }
}

Test(npy, files)
{
    struct tensor tensor, again;
    char path[] = "/tmp/npy_test_XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    cr_assert_null(tensor_create(DTYPE_BF16, 1, (int64_t[]){4}, &tensor));
    cr_assert_null(npy_write(path, &tensor));
    cr_assert_null(npy_read(path, DTYPE_INVALID, &again));
    cr_assert_eq(again.dtype, DTYPE_BF16);
    unlink(path);
    tensor_free(&again);
    struct error *error = npy_read(path, DTYPE_INVALID, &again);
    cr_assert_eq(error_code(error), PJRT_Error_Code_NOT_FOUND);
    error_free(error);
    tensor_free(&tensor);
}
