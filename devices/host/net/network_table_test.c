#include "devices/host/net/network_table.h"

#include <criterion/criterion.h>

enum { MANY = 10000 };

static struct network_entry entries[MANY], twins[MANY];

Test(network_table, empty)
{
    struct network_table table = {0};
    const struct net_execution execution = {1, 2};
    struct network_entry entry = {.execution = execution};
    cr_expect_null(network_table_find(&table, &execution));
    network_table_remove(&table, &entry);
    network_table_free(&table);
}

Test(network_table, entries_of_one_execution_in_their_order)
{
    struct network_table table = {0};
    for (uint64_t i = 0; i < MANY; i++) {
        entries[i].execution = twins[i].execution = (struct net_execution){i % 7, i};
        cr_assert_null(network_table_add(&table, &entries[i]));
    }
    for (int i = 0; i < MANY; i++)
        cr_assert_null(network_table_add(&table, &twins[i]));
    for (int i = 0; i < MANY; i++) {
        cr_assert_eq(network_table_find(&table, &entries[i].execution), &entries[i]);
        cr_assert_eq(network_table_next(&entries[i]), &twins[i]);
        cr_assert_null(network_table_next(&twins[i]));
    }
    cr_expect_null(network_table_find(&table, &(struct net_execution){1, 0}));
    network_table_free(&table);
}

Test(network_table, removed)
{
    struct network_table table = {0};
    for (uint64_t i = 0; i < MANY; i++) {
        entries[i].execution = (struct net_execution){0, i};
        cr_assert_null(network_table_add(&table, &entries[i]));
    }
    for (int i = 0; i < MANY; i += 2) {
        network_table_remove(&table, &entries[i]);
        network_table_remove(&table, &entries[i]);
    }
    cr_expect_eq(table.count, MANY / 2);
    for (int i = 0; i < MANY; i++)
        cr_assert_eq(network_table_find(&table, &entries[i].execution), i % 2 ? &entries[i] : NULL);
    network_table_free(&table);
}
