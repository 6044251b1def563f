// reduce_argmax: stablehlo.reduce of two operands keeps values and their indices together.
// input f32 5 0 000040400000104100000040000010410000803f
// input i32 5 0 0000000001000000020000000300000004000000
// input f32 scalar 0 000080ff
// input i32 scalar 0 00000000
// expect f32 scalar 0 00001041
// expect i32 scalar 0 01000000
module {
func.func public @main(%a0: tensor<5xf32>, %a1: tensor<5xi32>, %a2: tensor<f32>, %a3: tensor<i32>) -> (tensor<f32>, tensor<i32>) {
  %r0, %r1 = "stablehlo.reduce"(%a0, %a1, %a2, %a3) ({
  ^bb0(%x: tensor<f32>, %i: tensor<i32>, %y: tensor<f32>, %j: tensor<i32>):
  %gt = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %eq = "stablehlo.compare"(%x, %y) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %lt = "stablehlo.compare"(%i, %j) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %both = "stablehlo.and"(%eq, %lt) : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %first = "stablehlo.or"(%gt, %both) : (tensor<i1>, tensor<i1>) -> tensor<i1>
  %v = "stablehlo.select"(%first, %x, %y) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  %k = "stablehlo.select"(%first, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
  "stablehlo.return"(%v, %k) : (tensor<f32>, tensor<i32>) -> ()
  }) {dimensions = array<i64: 0>} : (tensor<5xf32>, tensor<5xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
  "func.return"(%r0, %r1) : (tensor<f32>, tensor<i32>) -> ()
}
}
