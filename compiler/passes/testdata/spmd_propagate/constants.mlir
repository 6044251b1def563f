// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // Each use of a constant expression is sharded by itself: the mask, and the zeros. The scalar stays shared.
  func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %row = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %column = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %mask = stablehlo.compare GE, %row, %column : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %scalar = stablehlo.constant dense<0.0> : tensor<f32>
    %zeros = stablehlo.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
    %0 = stablehlo.select %mask, %a, %zeros : tensor<8x8xi1>, tensor<8x8xf32>
    %1 = stablehlo.select %mask, %b, %zeros : tensor<8x8xi1>, tensor<8x8xf32>
    return %0, %1 : tensor<8x8xf32>, tensor<8x8xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, tensor<8x8xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>}) {
    %0 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<8x8xi32> // [{"axis_0", "axis_1"}, {}]
    %1 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<8x8xi32> // [{}, {"axis_2"}]
    %2 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<8x8xi32> // [{"axis_0", "axis_1"}, {}]
    %3 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<8x8xi32> // [{}, {"axis_2"}]
    %4 = "stablehlo.compare"(%0, %2) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1> // [{"axis_0", "axis_1"}, {}]
    %5 = "stablehlo.compare"(%1, %3) {comparison_direction = #stablehlo<comparison_direction GE>} : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1> // [{}, {"axis_2"}]
    %6 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32> // []
    %7 = "stablehlo.broadcast_in_dim"(%6) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<8x8xf32> // [{"axis_0", "axis_1"}, {}]
    %8 = "stablehlo.broadcast_in_dim"(%6) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<8x8xf32> // [{}, {"axis_2"}]
    %9 = "stablehlo.select"(%4, %arg0, %7) : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> // [{"axis_0", "axis_1"}, {}]
    %10 = "stablehlo.select"(%5, %arg1, %8) : (tensor<8x8xi1>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32> // [{}, {"axis_2"}]
    "func.return"(%9, %10) : (tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  }
}
