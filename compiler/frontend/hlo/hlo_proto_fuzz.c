/* hlo_proto_fuzz.c: reads any bytes as an HLO module: an error, or a module that is verified and
 * printed. */
#include "compiler/frontend/hlo/hlo_proto.h"

#include "compiler/frontend_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fixture_fuzz(hlo_proto_read, bytes, size);
}
