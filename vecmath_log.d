vecmath_log.o: compiler/codegen/vecmath/vecmath_log.c \
  compiler/codegen/vecmath/vecmath_ops.h \
  compiler/codegen/vecmath/vecmath.h
compiler/codegen/vecmath/vecmath_ops.h:
compiler/codegen/vecmath/vecmath.h:
