// shift_too_far_s32: Shifting by the width of the type or more gives 0, or -1 for an arithmetic shift of a negative number.
// input i32 4 0 fbffffff05000000fbffffff05000000
// input i32 4 0 20000000200000006400000064000000
// expect i32 4 0 00000000000000000000000000000000
// expect i32 4 0 00000000000000000000000000000000
// expect i32 4 0 ffffffff00000000ffffffff00000000
module {
func.func public @main(%a0: tensor<4xi32>, %a1: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) {
  %r0 = "stablehlo.shift_left"(%a0, %a1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %r1 = "stablehlo.shift_right_logical"(%a0, %a1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  %r2 = "stablehlo.shift_right_arithmetic"(%a0, %a1) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  "func.return"(%r0, %r1, %r2) : (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> ()
}
}
