// sort_dimension: stablehlo.sort sorts along its dimension, and each row for itself.
// input f32 2x3 0 00004040000080bf00000040000000000000a040000000c0
// expect f32 2x3 0 0000404000000040000080bf0000a04000000000000000c0
module {
func.func public @main(%a0: tensor<2x3xf32>) -> (tensor<2x3xf32>) {
  %r0 = "stablehlo.sort"(%a0) ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
  %z = "stablehlo.compare"(%x0, %y0) {comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) {dimension = 1 : i64, is_stable = true} : (tensor<2x3xf32>) -> (tensor<2x3xf32>)
  "func.return"(%r0) : (tensor<2x3xf32>) -> ()
}
}
