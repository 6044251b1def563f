/* json_fixture.h: for tests: makes the allocations of cJSON fail, one after another. One thread at
 * a time; the functions under test may use others. */
#ifndef GANTRY_REPORT_JSON_FIXTURE_H
#define GANTRY_REPORT_JSON_FIXTURE_H

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { JSON_MAX_ALLOCATIONS = 100000 };

static atomic_int json_allocations, json_live; /* asked for; not freed yet */
static int json_first_failure;                 /* number of the allocation, from 1 */
static bool json_stays_exhausted;              /* whether those after it fail too */

static void *json_allocate(size_t size)
{
    int number = atomic_fetch_add(&json_allocations, 1) + 1;
    if (number == json_first_failure || (number > json_first_failure && json_stays_exhausted))
        return NULL;
    atomic_fetch_add(&json_live, 1);
    return malloc(size);
}

static void json_release(void *block)
{
    if (block)
        atomic_fetch_sub(&json_live, 1);
    free(block);
}

/* Returns whether an allocation failed. */
static bool json_make_once(bool (*make)(void *context), void *context)
{
    atomic_store(&json_allocations, 0);
    bool made = make(context), failed = json_allocations >= json_first_failure;
    cr_assert_eq(made, !failed, "allocation %d", json_first_failure);
    cr_assert_eq(json_live, 0, "%d blocks are lost after allocation %d", (int)json_live,
                 json_first_failure);
    return failed;
}

/* Calls `make`, which makes and frees JSON, once for each of its allocations, which fails, alone
 * and then with all that follow. `make` has to return false each time, and to free all; and true
 * when none fails. */
static void json_exhaust(bool (*make)(void *context), void *context)
{
    cJSON_InitHooks(&(cJSON_Hooks){json_allocate, json_release});
    for (int stays = 0; stays < 2; stays++) {
        json_stays_exhausted = stays;
        for (json_first_failure = 1; json_make_once(make, context); json_first_failure++)
            cr_assert_lt(json_first_failure, JSON_MAX_ALLOCATIONS);
        cr_assert_gt(json_first_failure, 1, "nothing was allocated");
    }
    cJSON_InitHooks(NULL);
}

#endif
