/* work_bound.c: see work_bound.h. */
#include "compiler/passes/work_bound.h"

#include "compiler/schedule/fusion_work.h"

double work_of_module(const struct module *module)
{
    return fusion_work_of_block(module->arena, module->entry->body);
}

struct error *work_bound_check(double before, double after, double ratio)
{
    double bound = ratio * before + WORK_BOUND_FREE;
    return after <= bound ? NULL
                          : ERROR(INTERNAL,
                                  "the module's work is %.3g, from %.3g before; at most %.3g is "
                                  "allowed (%g times as much)",
                                  after, before, bound, ratio);
}
