analysis_test.o: compiler/codegen/loops/analysis_test.c \
  compiler/codegen/loops/analysis.h compiler/ir/ir.h base/arena.h \
  base/error.h include/pjrt_c_api.h base/map.h base/text.h \
  compiler/ir/literal.h compiler/ir/type.h base/shape.h base/dtype.h \
  base/dtype.def base/memory_kind.h compiler/ir/ops.def \
  compiler/ir/attrs.def compiler/codegen/codegen_fixture.h base/alloc.h \
  compiler/codegen/codegen.h compiler/passes/buffer/buffer_assign.h \
  compiler/passes/buffer/buffer_plan.h base/vec.h \
  compiler/passes/buffer/buffer_constants.h compiler/program/program.h \
  base/refs.h compiler/program/fft_tables.h \
  compiler/program/model_plan.h compiler/target.h base/cpu.h \
  compiler/accelerator.h
compiler/codegen/loops/analysis.h:
compiler/ir/ir.h:
base/arena.h:
base/error.h:
include/pjrt_c_api.h:
base/map.h:
base/text.h:
compiler/ir/literal.h:
compiler/ir/type.h:
base/shape.h:
base/dtype.h:
base/dtype.def:
base/memory_kind.h:
compiler/ir/ops.def:
compiler/ir/attrs.def:
compiler/codegen/codegen_fixture.h:
base/alloc.h:
compiler/codegen/codegen.h:
compiler/passes/buffer/buffer_assign.h:
compiler/passes/buffer/buffer_plan.h:
base/vec.h:
compiler/passes/buffer/buffer_constants.h:
compiler/program/program.h:
base/refs.h:
compiler/program/fft_tables.h:
compiler/program/model_plan.h:
compiler/target.h:
base/cpu.h:
compiler/accelerator.h:
