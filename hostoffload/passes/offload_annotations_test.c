#include "hostoffload/passes/offload_annotations.h"

#include "hostoffload/passes/offload_fixture.h"

TestSuite(offload_annotations, .init = offload_begin, .fini = fixture_end);

Test(offload_annotations, kinds_that_do_not_exist_are_errors)
{
    static const char *const wrong[] = {"", "host", "pinned_hos", "pinned_host ", "Device"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fixture_module->entry = NULL;
        MAIN("f32 4");
        RETURN(annotate(argument(0), wrong[i]));
        offload_fails(offload_annotations_run, PJRT_Error_Code_INVALID_ARGUMENT,
                      "allowed: device, pinned_host, unpinned_host");
        fixture_module->first = fixture_module->last = NULL;
    }
}

Test(offload_annotations, kinds_that_the_device_lacks_are_errors)
{
    offload_target.memory_kinds = 1 << MEMORY_DEVICE | 1 << MEMORY_UNPINNED_HOST;
    MAIN("f32 4");
    RETURN(annotate(argument(0), "pinned_host"));
    offload_fails(offload_annotations_run, PJRT_Error_Code_UNIMPLEMENTED,
                  "custom_call: the device test has no memory of kind pinned_host");
}

Test(offload_annotations, so_are_those_of_arguments_and_results)
{
    offload_target.memory_kinds = 1 << MEMORY_DEVICE;
    MAIN("f32 4");
    RETURN(argument(0));
    const struct type *device = argument(0)->type,
                      *host = type_with_memory(fixture_arena, device, MEMORY_UNPINNED_HOST);
    argument(0)->type = host;
    offload_fails(offload_annotations_run, PJRT_Error_Code_UNIMPLEMENTED,
                  "argument 0 of 'test': the device test has no memory of kind unpinned_host");
    argument(0)->type = device;
    fixture_module->entry->result_types[0] = host;
    offload_fails(offload_annotations_run, PJRT_Error_Code_UNIMPLEMENTED,
                  "result 0 of 'test': the device test has no memory of kind unpinned_host");
}

Test(offload_annotations, the_result_is_the_operand)
{
    MAIN("f32 4");
    struct value *annotated = annotate(argument(0), "pinned_host");
    RETURN(annotated);
    annotated->type = fixture_type("f32 5");
    offload_fails(offload_annotations_run, PJRT_Error_Code_INVALID_ARGUMENT,
                  "must have one array operand and one result of the same type");
}
