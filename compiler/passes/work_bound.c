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
                                  "the module's work rose from %.3g to %.3g; at most %.3g is "
                                  "allowed (a factor of %g)",
                                  before, after, bound, ratio);
}
