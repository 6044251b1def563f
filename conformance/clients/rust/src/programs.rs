//! Programs as StableHLO text, in the generic and in the pretty form.

pub const ADD_AND_SCALE: &str = r#"
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %sum = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %two = "stablehlo.constant"() {value = dense<2.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %out = "stablehlo.multiply"(%sum, %two) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  "stablehlo.return"(%out) : (tensor<4xf32>) -> ()
}
"#;

/// Rows of a product, the sum of all, and where the largest is.
pub const THREE_RESULTS: &str = r#"
module @three {
  func.func public @main(%x: tensor<3x5xf32>, %y: tensor<5x4xf32>) -> (tensor<3x4xf32>, tensor<f32>, tensor<12xi32>) {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>
    %2 = stablehlo.reshape %0 : (tensor<3x4xf32>) -> tensor<12xf32>
    %3 = stablehlo.iota dim = 0 : tensor<12xi32>
    %4:2 = "stablehlo.sort"(%2, %3) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
      %5 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %5 : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<12xf32>, tensor<12xi32>) -> (tensor<12xf32>, tensor<12xi32>)
    return %0, %1, %4#1 : tensor<3x4xf32>, tensor<f32>, tensor<12xi32>
  }
}
"#;

/// The steps from n to 1 of Collatz's game.
pub const COLLATZ: &str = r#"
func.func @main(%n: tensor<i64>) -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i64>
  %three = stablehlo.constant dense<3> : tensor<i64>
  %0:2 = stablehlo.while(%at = %n, %steps = %zero) : tensor<i64>, tensor<i64>
  cond {
    %more = stablehlo.compare NE, %at, %one, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %half = stablehlo.divide %at, %two : tensor<i64>
    %rest = stablehlo.remainder %at, %two : tensor<i64>
    %even = stablehlo.compare EQ, %rest, %zero, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %triple = stablehlo.multiply %at, %three : tensor<i64>
    %up = stablehlo.add %triple, %one : tensor<i64>
    %next = stablehlo.select %even, %half, %up : tensor<i1>, tensor<i64>
    %count = stablehlo.add %steps, %one : tensor<i64>
    stablehlo.return %next, %count : tensor<i64>, tensor<i64>
  }
  return %0#1 : tensor<i64>
}
"#;

/// Adds to its first argument in place when that is donated.
pub const IN_PLACE: &str = r#"
func.func @main(%x: tensor<1024xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = stablehlo.add %x, %y : tensor<1024xf32>
  return %0 : tensor<1024xf32>
}
"#;

/// x times `factor`, another program for every factor.
pub fn times(factor: usize) -> String {
    format!(
        "func.func @main(%x: tensor<256xf32>) -> tensor<256xf32> {{
  %c = stablehlo.constant dense<{factor}.0> : tensor<256xf32>
  %0 = stablehlo.multiply %x, %c : tensor<256xf32>
  return %0 : tensor<256xf32>
}}"
    )
}

/// Gives back its argument of some type, plus itself.
pub fn double(element: &str) -> String {
    format!(
        "func.func @main(%x: tensor<3x{element}>) -> tensor<3x{element}> {{
  %0 = stablehlo.add %x, %x : tensor<3x{element}>
  return %0 : tensor<3x{element}>
}}"
    )
}
