emit_index.o: compiler/codegen/op_emitters/emit_index.c \
  compiler/codegen/element/element_convert.h \
  compiler/codegen/element/element.h compiler/codegen/element/affine.h \
  compiler/codegen/emitter/emitter.h base/arena.h base/error.h \
  include/pjrt_c_api.h base/map.h base/vec.h compiler/ir/ir.h \
  base/text.h compiler/ir/literal.h compiler/ir/type.h base/shape.h \
  base/dtype.h base/dtype.def base/memory_kind.h compiler/ir/ops.def \
  compiler/ir/attrs.def compiler/target.h base/cpu.h \
  compiler/accelerator.h compiler/codegen/op_emitters/op_emitters.h \
  compiler/codegen/loops/expression.h
compiler/codegen/element/element_convert.h:
compiler/codegen/element/element.h:
compiler/codegen/element/affine.h:
compiler/codegen/emitter/emitter.h:
base/arena.h:
base/error.h:
include/pjrt_c_api.h:
base/map.h:
base/vec.h:
compiler/ir/ir.h:
base/text.h:
compiler/ir/literal.h:
compiler/ir/type.h:
base/shape.h:
base/dtype.h:
base/dtype.def:
base/memory_kind.h:
compiler/ir/ops.def:
compiler/ir/attrs.def:
compiler/target.h:
base/cpu.h:
compiler/accelerator.h:
compiler/codegen/op_emitters/op_emitters.h:
compiler/codegen/loops/expression.h:
