// reduce_precision_f32: stablehlo.reduce_precision to 8 exponent and 7 mantissa bits equals rounding to bf16.
// input f32 7 0 0000803f0000813f0080813f00005040caf249710000c07f0000807f
// expect f32 7 0 0000803f0000813f0000823f0000504000004a710000c07f0000807f
module {
func.func public @main(%a0: tensor<7xf32>) -> (tensor<7xf32>) {
  %r0 = "stablehlo.reduce_precision"(%a0) {exponent_bits = 8 : i32, mantissa_bits = 7 : i32} : (tensor<7xf32>) -> tensor<7xf32>
  "func.return"(%r0) : (tensor<7xf32>) -> ()
}
}
