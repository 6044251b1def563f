/* error_fixture.h: for tests: errors that are expected. */
#ifndef GANTRY_BASE_ERROR_FIXTURE_H
#define GANTRY_BASE_ERROR_FIXTURE_H

#include <criterion/criterion.h>

#include "base/error.h"

/* Fails the test unless the error has the code. Frees it. */
static inline void expect(struct error *error, PJRT_Error_Code code)
{
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    error_free(error);
}

#endif
