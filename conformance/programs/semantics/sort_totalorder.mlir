// sort_totalorder: stablehlo.sort by TOTALORDER has -0 before 0, and NaN at the end.
// input f32 7 0 0000c07f0000803f000080ff00000080000000000000807f0000a0c0
// expect f32 7 0 000080ff0000a0c000000080000000000000803f0000807f0000c07f
module {
func.func public @main(%a0: tensor<7xf32>) -> (tensor<7xf32>) {
  %r0 = "stablehlo.sort"(%a0) ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
  %z = "stablehlo.compare"(%x0, %y0) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) {dimension = 0 : i64, is_stable = true} : (tensor<7xf32>) -> (tensor<7xf32>)
  "func.return"(%r0) : (tensor<7xf32>) -> ()
}
}
