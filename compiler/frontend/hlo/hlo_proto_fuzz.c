/* hlo_proto_fuzz.c: any bytes as an HLO module: an error or a module, which then is verified and
 * printed. */
#include "compiler/frontend/hlo/hlo_proto.h"

#include "compiler/frontend_fixture.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    return fixture_fuzz(hlo_proto_read, bytes, size);
}
