// sort_is_stable: A stable stablehlo.sort keeps the order of equal elements, and moves the other operands along.
// input f32 6 0 000040400000803f00004040000000400000803f00004040
// input i32 6 0 000000000100000002000000030000000400000005000000
// expect f32 6 0 0000803f0000803f00000040000040400000404000004040
// expect i32 6 0 010000000400000003000000000000000200000005000000
module {
func.func public @main(%a0: tensor<6xf32>, %a1: tensor<6xi32>) -> (tensor<6xf32>, tensor<6xi32>) {
  %r0, %r1 = "stablehlo.sort"(%a0, %a1) ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>, %x1: tensor<i32>, %y1: tensor<i32>):
  %z = "stablehlo.compare"(%x0, %y0) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  "stablehlo.return"(%z) : (tensor<i1>) -> ()
  }) {dimension = 0 : i64, is_stable = true} : (tensor<6xf32>, tensor<6xi32>) -> (tensor<6xf32>, tensor<6xi32>)
  "func.return"(%r0, %r1) : (tensor<6xf32>, tensor<6xi32>) -> ()
}
}
