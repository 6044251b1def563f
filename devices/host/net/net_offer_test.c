#include "devices/host/net/net_offer.h"

#include <criterion/criterion.h>
#include <string.h>

static char memory[4096];
static struct net_offer offer, got;

static bool is_refused(const void *bytes, size_t size, uint64_t total)
{
    struct error *error = net_offer_read(bytes, size, total, &got);
    bool refused = error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT;
    error_free(error);
    return refused;
}

static void make(int64_t rows, int64_t row_bytes)
{
    const struct net_piece pieces[] = {{memory, rows, row_bytes, 2048}, {memory, 1, 1000, 1000}};
    net_offer_make(&offer, pieces, 2);
}

Test(net_offer, arrives_as_it_was_made)
{
    make(2, 1024);
    offer.process = 7;
    cr_assert_null(net_offer_read(&offer, net_offer_size(&offer), 3048, &got));
    cr_expect_eq(got.process, 7);
    cr_expect_eq(got.count, 2);
    cr_expect_eq(got.pieces[0].base, memory);
}

Test(net_offer, may_be_empty)
{
    net_offer_make(&offer, NULL, 0);
    cr_expect_null(net_offer_read(&offer, net_offer_size(&offer), 3048, &got));
}

Test(net_offer, refuses_what_has_not_the_expected_bytes)
{
    make(2, 1024);
    cr_expect(is_refused(&offer, net_offer_size(&offer), 3047));
    cr_expect(is_refused(&offer, net_offer_size(&offer), 3049));
    cr_expect(is_refused(&offer, net_offer_size(&offer) - 1, 3048));
    cr_expect(is_refused(&offer, 3, 3048));
    make(-2, -1024);
    cr_expect(is_refused(&offer, net_offer_size(&offer), 3048));
    make(INT64_MAX, INT64_MAX); /* the product overflows */
    cr_expect(is_refused(&offer, net_offer_size(&offer), 3048));
    make(2, 1024);
    offer.pieces[0].stride = INT64_MAX; /* so does this one */
    cr_expect(is_refused(&offer, net_offer_size(&offer), 3048));
    make(2, 1024);
    offer.count = NET_OFFER_PIECES + 1;
    cr_expect(is_refused(&offer, sizeof offer, 3048));
    offer.count = 2;
    offer.mark[0] ^= 1;
    cr_expect(is_refused(&offer, net_offer_size(&offer), 3048));
}

Test(net_offer, suits_few_long_rows)
{
    struct net_piece pieces[NET_OFFER_PIECES + 1] = {{memory, 2, 1024, 4096}};
    cr_expect_not(net_offer_suits(pieces, 1));
    pieces[0].row_bytes = 2048;
    cr_expect(net_offer_suits(pieces, 1));
    pieces[0] = (struct net_piece){memory, 32, 64, 64}; /* rows without gaps are one */
    cr_expect(net_offer_suits(pieces, 1));
    for (int i = 0; i <= NET_OFFER_PIECES; i++)
        pieces[i] = (struct net_piece){memory, 1, 4096, 4096};
    cr_expect_not(net_offer_suits(pieces, NET_OFFER_PIECES + 1));
}
