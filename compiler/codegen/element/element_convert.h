/* element_convert.h: conversion of real elements between element types. */
#ifndef GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENT_CONVERT_H
#define GANTRY_COMPILER_CODEGEN_ELEMENT_ELEMENT_CONVERT_H

#include "compiler/codegen/element/element.h"

/* Converts a scalar or a vector of type `from` in registers. Conversions to integers saturate and
 * convert NaN to 0; results of small float types are rounded. From f64 to types of 16 bits they are
 * rounded by way of f32, as XLA's CPU does. NULL if `from` is complex. */
LLVMValueRef element_convert(struct emitter *e, LLVMValueRef value, enum dtype from, enum dtype to);

#endif
