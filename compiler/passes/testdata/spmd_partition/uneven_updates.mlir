// run: spmd_partition
module @uneven_updates attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  // Five rows on two partitions: the indices of padding are outside of the operand; each partition adds to a sum.
  func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<5x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %u: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = sdy.sharding_constraint %i <@mesh, [{"y"}, {}]> : tensor<5x1xi32>
    %1 = sdy.sharding_constraint %u <@mesh, [{"y"}, {}]> : tensor<5x4xf32>
    %2 = "stablehlo.scatter"(%x, %0, %1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<8x4xf32>, tensor<5x1xi32>, tensor<5x4xf32>) -> tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}
// ----
module @uneven_updates attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<5x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %arg2: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.convert"(%0) : (tensor<ui32>) -> tensor<i64>
    %2 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %3 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %6 = "stablehlo.divide"(%1, %5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %8 = "stablehlo.remainder"(%6, %7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %9 = "stablehlo.add"(%4, %8) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %10 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %11 = "stablehlo.convert"(%10) : (tensor<ui32>) -> tensor<i64>
    %12 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %13 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %14 = "stablehlo.multiply"(%12, %13) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %15 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %16 = "stablehlo.divide"(%11, %15) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %17 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %18 = "stablehlo.remainder"(%16, %17) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %19 = "stablehlo.add"(%14, %18) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %20 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %21 = "stablehlo.pad"(%arg1, %20) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<5x1xi32>, tensor<i32>) -> tensor<6x1xi32>
    %22 = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
    %23 = "stablehlo.multiply"(%19, %22) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %24 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %25 = "stablehlo.dynamic_slice"(%21, %23, %24) {slice_sizes = array<i64: 3, 1>} : (tensor<6x1xi32>, tensor<i64>, tensor<i64>) -> tensor<3x1xi32>
    %26 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %27 = "stablehlo.pad"(%arg2, %26) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<5x4xf32>, tensor<f32>) -> tensor<6x4xf32>
    %28 = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
    %29 = "stablehlo.multiply"(%19, %28) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %30 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %31 = "stablehlo.dynamic_slice"(%27, %29, %30) {slice_sizes = array<i64: 3, 4>} : (tensor<6x4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x4xf32>
    %32 = "stablehlo.constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
    %33 = "stablehlo.multiply"(%9, %32) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %34 = "stablehlo.convert"(%25) : (tensor<3x1xi32>) -> tensor<3x1xi64>
    %35 = "stablehlo.broadcast_in_dim"(%33) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3x1xi64>
    %36 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<3x1xi64>
    %37 = "stablehlo.constant"() {value = dense<0> : tensor<3x1xi64>} : () -> tensor<3x1xi64>
    %38 = "stablehlo.compare"(%36, %37) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi1>
    %39 = "stablehlo.constant"() {value = dense<0> : tensor<3x1xi64>} : () -> tensor<3x1xi64>
    %40 = "stablehlo.select"(%38, %35, %39) : (tensor<3x1xi1>, tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    %41 = "stablehlo.subtract"(%34, %40) : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    %42 = "stablehlo.constant"() {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
    %43 = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
    %44 = "stablehlo.multiply"(%19, %43) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %45 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3xi64>
    %46 = "stablehlo.broadcast_in_dim"(%44) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3xi64>
    %47 = "stablehlo.add"(%45, %46) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %48 = "stablehlo.constant"() {value = dense<5> : tensor<3xi64>} : () -> tensor<3xi64>
    %49 = "stablehlo.compare"(%47, %48) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %50 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi1>) -> tensor<3x1xi1>
    %51 = "stablehlo.broadcast_in_dim"(%42) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3x1xi64>
    %52 = "stablehlo.select"(%50, %41, %51) : (tensor<3x1xi1>, tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    %53 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %54 = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
    %55 = "stablehlo.multiply"(%19, %54) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %56 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3xi64>
    %57 = "stablehlo.broadcast_in_dim"(%55) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3xi64>
    %58 = "stablehlo.add"(%56, %57) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %59 = "stablehlo.constant"() {value = dense<5> : tensor<3xi64>} : () -> tensor<3xi64>
    %60 = "stablehlo.compare"(%58, %59) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %61 = "stablehlo.broadcast_in_dim"(%60) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi1>) -> tensor<3x4xi1>
    %62 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<3x4xf32>
    %63 = "stablehlo.select"(%61, %31, %62) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %64 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %65 = "stablehlo.compare"(%19, %64) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %66 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<4x4xf32>} : () -> tensor<4x4xf32>
    %67 = "stablehlo.broadcast_in_dim"(%65) {broadcast_dimensions = array<i64>} : (tensor<i1>) -> tensor<4x4xi1>
    %68 = "stablehlo.select"(%67, %arg0, %66) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %69 = "stablehlo.scatter"(%68, %52, %63) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %70 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%70) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %71 = "stablehlo.all_reduce"(%69) ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %72 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%72) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%71) : (tensor<4x4xf32>) -> ()
  }
}
