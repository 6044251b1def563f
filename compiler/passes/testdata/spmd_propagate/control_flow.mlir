// run: spmd_propagate
module @module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  // The values of a loop are sharded as its body's constraint says; branches share what the results get.
  func.func @main(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %p: tensor<i1>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = "stablehlo.while"(%zero, %x) ({
    ^bb0(%i: tensor<i32>, %c: tensor<16x16xf32>):
      %three = stablehlo.constant dense<3> : tensor<i32>
      %less = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }, {
    ^bb0(%i: tensor<i32>, %c: tensor<16x16xf32>):
      %one = stablehlo.constant dense<1> : tensor<i32>
      %next = stablehlo.add %i, %one : tensor<i32>
      %s = stablehlo.sine %c : tensor<16x16xf32>
      %t = "gantry.sharding_constraint"(%s) {sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>} : (tensor<16x16xf32>) -> tensor<16x16xf32>
      stablehlo.return %next, %t : tensor<i32>, tensor<16x16xf32>
    }) : (tensor<i32>, tensor<16x16xf32>) -> (tensor<i32>, tensor<16x16xf32>)
    %1 = "stablehlo.if"(%p) ({
      %n = stablehlo.negate %w : tensor<16x16xf32>
      stablehlo.return %n : tensor<16x16xf32>
    }, {
      stablehlo.return %w : tensor<16x16xf32>
    }) : (tensor<i1>) -> tensor<16x16xf32>
    %2 = stablehlo.optimization_barrier %1 : tensor<16x16xf32>
    %3 = "gantry.sharding_constraint"(%2) {sharding = #sdy.sharding<@mesh, [{}, {"y"}]>} : (tensor<16x16xf32>) -> tensor<16x16xf32>
    return %0#1, %3 : tensor<16x16xf32>, tensor<16x16xf32>
  }
}
// ----
module @module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=4, "y"=2]>
  func.func public @main(%arg0: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, %arg1: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>}, %arg2: tensor<i1> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, []>}) -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>}, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>}) {
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32> // []
    %1:2 = "stablehlo.while"(%0, %arg0) ({
    ^bb0(%arg3: tensor<i32>, %arg4: tensor<16x16xf32>): // []; [{"axis_0", "axis_1"}, {}]
      %2 = "stablehlo.constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32> // []
      %3 = "stablehlo.compare"(%arg3, %2) {comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<i32>, tensor<i32>) -> tensor<i1> // []
      "stablehlo.return"(%3) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg5: tensor<i32>, %arg6: tensor<16x16xf32>): // []; [{"axis_0", "axis_1"}, {}]
      %4 = "stablehlo.constant"() {value = dense<1> : tensor<i32>} : () -> tensor<i32> // []
      %5 = "stablehlo.add"(%arg5, %4) : (tensor<i32>, tensor<i32>) -> tensor<i32> // []
      %6 = "stablehlo.sine"(%arg6) : (tensor<16x16xf32>) -> tensor<16x16xf32> // [{"axis_0", "axis_1"}, {}]
      %7 = "gantry.sharding_constraint"(%6) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{"axis_0", "axis_1"}, {}]>} : (tensor<16x16xf32>) -> tensor<16x16xf32> // [{"axis_0", "axis_1"}, {}]
      "stablehlo.return"(%5, %7) : (tensor<i32>, tensor<16x16xf32>) -> ()
    }) : (tensor<i32>, tensor<16x16xf32>) -> (tensor<i32>, tensor<16x16xf32>) // []; [{"axis_0", "axis_1"}, {}]
    %8 = "stablehlo.if"(%arg2) ({
      %9 = "stablehlo.negate"(%arg1) : (tensor<16x16xf32>) -> tensor<16x16xf32> // [{}, {"axis_2"}]
      "stablehlo.return"(%9) : (tensor<16x16xf32>) -> ()
    }, {
      "stablehlo.return"(%arg1) : (tensor<16x16xf32>) -> ()
    }) : (tensor<i1>) -> tensor<16x16xf32> // [{}, {"axis_2"}]
    %10 = "stablehlo.optimization_barrier"(%8) : (tensor<16x16xf32>) -> tensor<16x16xf32> // [{}, {"axis_2"}]
    %11 = "gantry.sharding_constraint"(%10) {sharding = #sdy.sharding<mesh<["axis_0"=2, "axis_1"=2, "axis_2"=2]>, [{}, {"axis_2"}]>} : (tensor<16x16xf32>) -> tensor<16x16xf32> // [{}, {"axis_2"}]
    "func.return"(%1#1, %11) : (tensor<16x16xf32>, tensor<16x16xf32>) -> ()
  }
}
