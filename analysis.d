analysis.o: compiler/codegen/loops/analysis.c \
  compiler/codegen/loops/analysis.h compiler/ir/ir.h base/arena.h \
  base/error.h include/pjrt_c_api.h base/map.h base/text.h \
  compiler/ir/literal.h compiler/ir/type.h base/shape.h base/dtype.h \
  base/dtype.def base/memory_kind.h compiler/ir/ops.def \
  compiler/ir/attrs.def
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
