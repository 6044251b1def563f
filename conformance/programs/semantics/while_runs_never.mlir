// while_runs_never: stablehlo.while whose condition is false at first gives its operands.
// input i32 scalar 0 fdffffff
// input f32 scalar 0 0000e040
// expect i32 scalar 0 fdffffff
// expect f32 scalar 0 0000e040
module {
func.func public @main(%a0: tensor<i32>, %a1: tensor<f32>) -> (tensor<i32>, tensor<f32>) {
  %r0, %r1 = "stablehlo.while"(%a0, %a1) ({
  ^bb0(%n: tensor<i32>, %x: tensor<f32>):
  %zero = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
  %go = "stablehlo.compare"(%n, %zero) {comparison_direction = #stablehlo<comparison_direction GT>} : (tensor<i32>, tensor<i32>) -> tensor<i1>
  "stablehlo.return"(%go) : (tensor<i1>) -> ()
  }, {
  ^bb0(%n: tensor<i32>, %x: tensor<f32>):
  %one = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>
  %m = "stablehlo.subtract"(%n, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %y = "stablehlo.add"(%x, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  "stablehlo.return"(%m, %y) : (tensor<i32>, tensor<f32>) -> ()
  }) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
  "func.return"(%r0, %r1) : (tensor<i32>, tensor<f32>) -> ()
}
}
