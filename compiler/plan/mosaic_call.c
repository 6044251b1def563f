/* mosaic_call.c: see mosaic_call.h. Clones of a call share the text of its configuration:
 * module->kernels maps the address of the text to its struct mosaic_call. */
#include "compiler/plan/mosaic_call.h"

#include "base/map.h"
#include "compiler/analysis/call_config.h"

bool mosaic_call_is(const struct op *op)
{
    return call_config_is_called(op, "tpu_custom_call");
}

const struct mosaic_call *mosaic_call_find(const struct module *module, const struct op *op)
{
    return mosaic_call_is(op) && module->kernels
               ? map_get_pointer(module->kernels, op->attrs.custom_call.backend_config.data)
               : NULL;
}
