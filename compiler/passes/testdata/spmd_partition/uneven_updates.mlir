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
    %0 = "stablehlo.constant"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %1 = "stablehlo.pad"(%arg1, %0) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<5x1xi32>, tensor<i32>) -> tensor<6x1xi32>
    %2 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %3 = "stablehlo.convert"(%2) : (tensor<ui32>) -> tensor<i64>
    %4 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %5 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %6 = "stablehlo.multiply"(%4, %5) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %8 = "stablehlo.divide"(%3, %7) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %9 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %10 = "stablehlo.remainder"(%8, %9) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %11 = "stablehlo.add"(%6, %10) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
    %13 = "stablehlo.multiply"(%11, %12) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %14 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %15 = "stablehlo.dynamic_slice"(%1, %13, %14) {slice_sizes = array<i64: 3, 1>} : (tensor<6x1xi32>, tensor<i64>, tensor<i64>) -> tensor<3x1xi32>
    %16 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %17 = "stablehlo.pad"(%arg2, %16) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>} : (tensor<5x4xf32>, tensor<f32>) -> tensor<6x4xf32>
    %18 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %19 = "stablehlo.convert"(%18) : (tensor<ui32>) -> tensor<i64>
    %20 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %21 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %22 = "stablehlo.multiply"(%20, %21) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %23 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %24 = "stablehlo.divide"(%19, %23) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %25 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %26 = "stablehlo.remainder"(%24, %25) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %27 = "stablehlo.add"(%22, %26) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %28 = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
    %29 = "stablehlo.multiply"(%27, %28) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %30 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %31 = "stablehlo.dynamic_slice"(%17, %29, %30) {slice_sizes = array<i64: 3, 4>} : (tensor<6x4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x4xf32>
    %32 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %33 = "stablehlo.convert"(%32) : (tensor<ui32>) -> tensor<i64>
    %34 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %35 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %36 = "stablehlo.multiply"(%34, %35) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %37 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %38 = "stablehlo.divide"(%33, %37) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %39 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %40 = "stablehlo.remainder"(%38, %39) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %41 = "stablehlo.add"(%36, %40) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %42 = "stablehlo.constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
    %43 = "stablehlo.multiply"(%41, %42) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %44 = "stablehlo.convert"(%15) : (tensor<3x1xi32>) -> tensor<3x1xi64>
    %45 = "stablehlo.broadcast_in_dim"(%43) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3x1xi64>
    %46 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<3x1xi64>
    %47 = "stablehlo.constant"() {value = dense<0> : tensor<3x1xi64>} : () -> tensor<3x1xi64>
    %48 = "stablehlo.compare"(%46, %47) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi1>
    %49 = "stablehlo.constant"() {value = dense<0> : tensor<3x1xi64>} : () -> tensor<3x1xi64>
    %50 = "stablehlo.select"(%48, %45, %49) : (tensor<3x1xi1>, tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    %51 = "stablehlo.subtract"(%44, %50) : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    %52 = "stablehlo.convert"(%51) : (tensor<3x1xi64>) -> tensor<3x1xi64>
    %53 = "stablehlo.constant"() {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
    %54 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %55 = "stablehlo.convert"(%54) : (tensor<ui32>) -> tensor<i64>
    %56 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %57 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %58 = "stablehlo.multiply"(%56, %57) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %59 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %60 = "stablehlo.divide"(%55, %59) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %61 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %62 = "stablehlo.remainder"(%60, %61) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %63 = "stablehlo.add"(%58, %62) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %64 = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
    %65 = "stablehlo.multiply"(%63, %64) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %66 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3xi64>
    %67 = "stablehlo.broadcast_in_dim"(%65) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3xi64>
    %68 = "stablehlo.add"(%66, %67) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %69 = "stablehlo.constant"() {value = dense<5> : tensor<3xi64>} : () -> tensor<3xi64>
    %70 = "stablehlo.compare"(%68, %69) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %71 = "stablehlo.broadcast_in_dim"(%70) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi1>) -> tensor<3x1xi1>
    %72 = "stablehlo.broadcast_in_dim"(%53) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3x1xi64>
    %73 = "stablehlo.select"(%71, %52, %72) : (tensor<3x1xi1>, tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    %74 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %75 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %76 = "stablehlo.convert"(%75) : (tensor<ui32>) -> tensor<i64>
    %77 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %78 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %79 = "stablehlo.multiply"(%77, %78) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %80 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %81 = "stablehlo.divide"(%76, %80) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %82 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %83 = "stablehlo.remainder"(%81, %82) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %84 = "stablehlo.add"(%79, %83) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %85 = "stablehlo.constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
    %86 = "stablehlo.multiply"(%84, %85) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %87 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<3xi64>
    %88 = "stablehlo.broadcast_in_dim"(%86) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<3xi64>
    %89 = "stablehlo.add"(%87, %88) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
    %90 = "stablehlo.constant"() {value = dense<5> : tensor<3xi64>} : () -> tensor<3xi64>
    %91 = "stablehlo.compare"(%89, %90) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi1>
    %92 = "stablehlo.broadcast_in_dim"(%91) {broadcast_dimensions = array<i64: 0>} : (tensor<3xi1>) -> tensor<3x4xi1>
    %93 = "stablehlo.broadcast_in_dim"(%74) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<3x4xf32>
    %94 = "stablehlo.select"(%92, %31, %93) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %95 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %96 = "stablehlo.convert"(%95) : (tensor<ui32>) -> tensor<i64>
    %97 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %98 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %99 = "stablehlo.multiply"(%97, %98) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %100 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %101 = "stablehlo.divide"(%96, %100) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %102 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %103 = "stablehlo.remainder"(%101, %102) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %104 = "stablehlo.add"(%99, %103) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %105 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %106 = "stablehlo.compare"(%104, %105) {comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %107 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<4x4xf32>} : () -> tensor<4x4xf32>
    %108 = "stablehlo.broadcast_in_dim"(%106) {broadcast_dimensions = array<i64>} : (tensor<i1>) -> tensor<4x4xi1>
    %109 = "stablehlo.select"(%108, %arg0, %107) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %110 = "stablehlo.scatter"(%109, %73, %94) ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %111 = "stablehlo.add"(%arg3, %arg4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%111) : (tensor<f32>) -> ()
    }) {indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false} : (tensor<4x4xf32>, tensor<3x1xi64>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %112 = "stablehlo.all_reduce"(%110) ({
    ^bb0(%arg5: tensor<f32>, %arg6: tensor<f32>):
      %113 = "stablehlo.add"(%arg5, %arg6) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%113) : (tensor<f32>) -> ()
    }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, use_global_device_ids = true} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%112) : (tensor<4x4xf32>) -> ()
  }
}
