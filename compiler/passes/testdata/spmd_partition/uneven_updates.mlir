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
    %10 = "stablehlo.constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
    %11 = "stablehlo.multiply"(%9, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %13 = "stablehlo.convert"(%12) : (tensor<ui32>) -> tensor<i64>
    %14 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %15 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %16 = "stablehlo.multiply"(%14, %15) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %17 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %18 = "stablehlo.divide"(%13, %17) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %19 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %20 = "stablehlo.remainder"(%18, %19) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %21 = "stablehlo.add"(%16, %20) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %22 = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
    %23 = "stablehlo.multiply"(%21, %22) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %24 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %25 = "stablehlo.pad"(%arg1, %24) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<5x1xi32>, tensor<i32>) -> tensor<6x1xi32>
    %26 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %27 = "stablehlo.dynamic_slice"(%25, %23, %26) {slice_sizes = array<i64: 3, 1>} : (tensor<6x1xi32>, tensor<i64>, tensor<i64>) -> tensor<3x1xi32>
    %28 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %29 = "stablehlo.pad"(%arg2, %28) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<5x4xf32>, tensor<f32>) -> tensor<6x4xf32>
    %30 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %31 = "stablehlo.dynamic_slice"(%29, %23, %30) {slice_sizes = array<i64: 3, 4>} : (tensor<6x4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x4xf32>
    %32 = "stablehlo.convert"(%27) : (tensor<3x1xi32>) -> tensor<3x1xi64>
    %33 = "stablehlo.broadcast_in_dim"(%11) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3x1xi64>
    %34 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<3x1xi64>
    %35 = "stablehlo.constant"() {value = dense<0> : tensor<3x1xi64>} : () -> tensor<3x1xi64>
    %36 = "stablehlo.compare"(%34, %35) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi1>
    %37 = "stablehlo.constant"() {value = dense<0> : tensor<3x1xi64>} : () -> tensor<3x1xi64>
    %38 = "stablehlo.select"(%36, %33, %37) : (tensor<3x1xi1>, tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    %39 = "stablehlo.subtract"(%32, %38) : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    %40 = "stablehlo.constant"() {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
    %41 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3xi64>
    %42 = "stablehlo.broadcast_in_dim"(%23) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3xi64>
    %43 = "stablehlo.add"(%41, %42) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %44 = "stablehlo.constant"() {value = dense<5> : tensor<3xi64>} : () -> tensor<3xi64>
    %45 = "stablehlo.compare"(%43, %44) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %46 = "stablehlo.broadcast_in_dim"(%45) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi1>) -> tensor<3x1xi1>
    %47 = "stablehlo.broadcast_in_dim"(%40) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3x1xi64>
    %48 = "stablehlo.select"(%46, %39, %47) : (tensor<3x1xi1>, tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    %49 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %50 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3xi64>
    %51 = "stablehlo.broadcast_in_dim"(%23) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3xi64>
    %52 = "stablehlo.add"(%50, %51) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %53 = "stablehlo.constant"() {value = dense<5> : tensor<3xi64>} : () -> tensor<3xi64>
    %54 = "stablehlo.compare"(%52, %53) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %55 = "stablehlo.broadcast_in_dim"(%54) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi1>) -> tensor<3x4xi1>
    %56 = "stablehlo.broadcast_in_dim"(%49) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<3x4xf32>
    %57 = "stablehlo.select"(%55, %31, %56) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %58 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %59 = "stablehlo.compare"(%21, %58) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %60 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<4x4xf32>} : () -> tensor<4x4xf32>
    %61 = "stablehlo.broadcast_in_dim"(%59) {broadcast_dimensions = array<i64>} : (tensor<i1>) -> tensor<4x4xi1>
    %62 = "stablehlo.select"(%61, %arg0, %60) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %63 = "stablehlo.scatter"(%62, %48, %57) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %64 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%64) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %65 = "stablehlo.all_reduce"(%63) ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %66 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%66) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%65) : (tensor<4x4xf32>) -> ()
  }
}
