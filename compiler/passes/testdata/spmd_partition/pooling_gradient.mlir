// run: spmd_partition canonicalize cse dce
module @pooling_gradient attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  // Windows of 3 with stride 2 overlap by one row: neighbors exchange it, and what its windows scatter to the other shard is cut.
  func.func @main(%x: tensor<17x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %g: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<17x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
    %c = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = "stablehlo.select_and_scatter"(%x, %g, %c) <{window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %l = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %l : tensor<i1>
    }, {
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<17x4xf32>, tensor<8x4xf32>, tensor<f32>) -> tensor<17x4xf32>
    return %0 : tensor<17x4xf32>
  }
}
// ----
module @pooling_gradient attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %arg1: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> (tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) {
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.convert"(%0) : (tensor<ui32>) -> tensor<i64>
    %2 = "stablehlo.constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %3 = "stablehlo.constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %5 = "stablehlo.divide"(%1, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %6 = "stablehlo.remainder"(%5, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %7 = "stablehlo.add"(%4, %6) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %8 = "stablehlo.multiply"(%7, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %9 = "stablehlo.constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %10 = "stablehlo.divide"(%1, %9) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %11 = "stablehlo.remainder"(%10, %3) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %12 = "stablehlo.add"(%8, %11) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %13 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
    %14 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<8x4xf32>} : () -> tensor<8x4xf32>
    %15 = "stablehlo.constant"() {value = dense<[3, 2, 2, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
    %16 = "stablehlo.dynamic_slice"(%15, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %17 = "stablehlo.reshape"(%16) : (tensor<1xi64>) -> tensor<i64>
    %18 = "stablehlo.dynamic_update_slice"(%14, %arg1, %17, %2) : (tensor<8x4xf32>, tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<8x4xf32>
    %19 = "stablehlo.collective_permute"(%arg1) {source_target_pairs = dense<[[1, 0], [2, 1], [3, 2]]> : tensor<3x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %20 = "stablehlo.constant"() {value = dense<[5, 4, 4, 6]> : tensor<4xi64>} : () -> tensor<4xi64>
    %21 = "stablehlo.dynamic_slice"(%20, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %22 = "stablehlo.reshape"(%21) : (tensor<1xi64>) -> tensor<i64>
    %23 = "stablehlo.dynamic_update_slice"(%18, %19, %22, %2) : (tensor<8x4xf32>, tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<8x4xf32>
    %24 = "stablehlo.slice"(%23) {start_indices = array<i64: 2, 0>, limit_indices = array<i64: 6, 4>, strides = array<i64: 1, 1>} : (tensor<8x4xf32>) -> tensor<4x4xf32>
    %25 = "stablehlo.constant"() {value = dense<[-1, 2, 4, 7]> : tensor<4xi64>} : () -> tensor<4xi64>
    %26 = "stablehlo.dynamic_slice"(%25, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %27 = "stablehlo.reshape"(%26) : (tensor<1xi64>) -> tensor<i64>
    %28 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<4xi64>
    %29 = "stablehlo.broadcast_in_dim"(%27) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<4xi64>
    %30 = "stablehlo.add"(%28, %29) : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %31 = "stablehlo.constant"() {value = dense<0> : tensor<4xi64>} : () -> tensor<4xi64>
    %32 = "stablehlo.compare"(%30, %31) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %33 = "stablehlo.constant"() {value = dense<8> : tensor<4xi64>} : () -> tensor<4xi64>
    %34 = "stablehlo.compare"(%30, %33) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %35 = "stablehlo.and"(%32, %34) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %36 = "stablehlo.broadcast_in_dim"(%35) {broadcast_dimensions = array<i64: 0>} : (tensor<4xi1>) -> tensor<4x4xi1>
    %37 = "stablehlo.broadcast_in_dim"(%13) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<4x4xf32>
    %38 = "stablehlo.select"(%36, %24, %37) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %39 = "stablehlo.constant"() {value = dense<0xFF800000> : tensor<f32>} : () -> tensor<f32>
    %40 = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<19x4xf32>} : () -> tensor<19x4xf32>
    %41 = "stablehlo.constant"() {value = dense<[7, 6, 7, 6]> : tensor<4xi64>} : () -> tensor<4xi64>
    %42 = "stablehlo.dynamic_slice"(%41, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %43 = "stablehlo.reshape"(%42) : (tensor<1xi64>) -> tensor<i64>
    %44 = "stablehlo.dynamic_update_slice"(%40, %arg0, %43, %2) : (tensor<19x4xf32>, tensor<5x4xf32>, tensor<i64>, tensor<i64>) -> tensor<19x4xf32>
    %45 = "stablehlo.constant"() {value = dense<[3, 0, 3, 0]> : tensor<4xi64>} : () -> tensor<4xi64>
    %46 = "stablehlo.dynamic_slice"(%45, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %47 = "stablehlo.reshape"(%46) : (tensor<1xi64>) -> tensor<i64>
    %48 = "stablehlo.dynamic_slice"(%arg0, %47, %2) {slice_sizes = array<i64: 2, 4>} : (tensor<5x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x4xf32>
    %49 = "stablehlo.collective_permute"(%48) {source_target_pairs = dense<[[1, 0], [0, 1], [3, 2], [2, 3]]> : tensor<4x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %50 = "stablehlo.constant"() {value = dense<[12, 4, 12, 4]> : tensor<4xi64>} : () -> tensor<4xi64>
    %51 = "stablehlo.dynamic_slice"(%50, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %52 = "stablehlo.reshape"(%51) : (tensor<1xi64>) -> tensor<i64>
    %53 = "stablehlo.dynamic_update_slice"(%44, %49, %52, %2) : (tensor<19x4xf32>, tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<19x4xf32>
    %54 = "stablehlo.constant"() {value = dense<[0, 3, 0, 0]> : tensor<4xi64>} : () -> tensor<4xi64>
    %55 = "stablehlo.dynamic_slice"(%54, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %56 = "stablehlo.reshape"(%55) : (tensor<1xi64>) -> tensor<i64>
    %57 = "stablehlo.dynamic_slice"(%arg0, %56, %2) {slice_sizes = array<i64: 2, 4>} : (tensor<5x4xf32>, tensor<i64>, tensor<i64>) -> tensor<2x4xf32>
    %58 = "stablehlo.collective_permute"(%57) {source_target_pairs = dense<[[2, 1], [1, 2]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>} : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %59 = "stablehlo.constant"() {value = dense<[14, 11, 5, 14]> : tensor<4xi64>} : () -> tensor<4xi64>
    %60 = "stablehlo.dynamic_slice"(%59, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %61 = "stablehlo.reshape"(%60) : (tensor<1xi64>) -> tensor<i64>
    %62 = "stablehlo.dynamic_update_slice"(%53, %58, %61, %2) : (tensor<19x4xf32>, tensor<2x4xf32>, tensor<i64>, tensor<i64>) -> tensor<19x4xf32>
    %63 = "stablehlo.slice"(%62) {start_indices = array<i64: 5, 0>, limit_indices = array<i64: 14, 4>, strides = array<i64: 1, 1>} : (tensor<19x4xf32>) -> tensor<9x4xf32>
    %64 = "stablehlo.constant"() {value = dense<[-2, 4, 8, 14]> : tensor<4xi64>} : () -> tensor<4xi64>
    %65 = "stablehlo.dynamic_slice"(%64, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %66 = "stablehlo.reshape"(%65) : (tensor<1xi64>) -> tensor<i64>
    %67 = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<9xi64>
    %68 = "stablehlo.broadcast_in_dim"(%66) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<9xi64>
    %69 = "stablehlo.add"(%67, %68) : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi64>
    %70 = "stablehlo.constant"() {value = dense<0> : tensor<9xi64>} : () -> tensor<9xi64>
    %71 = "stablehlo.compare"(%69, %70) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %72 = "stablehlo.constant"() {value = dense<17> : tensor<9xi64>} : () -> tensor<9xi64>
    %73 = "stablehlo.compare"(%69, %72) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type SIGNED>} : (tensor<9xi64>, tensor<9xi64>) -> tensor<9xi1>
    %74 = "stablehlo.and"(%71, %73) : (tensor<9xi1>, tensor<9xi1>) -> tensor<9xi1>
    %75 = "stablehlo.broadcast_in_dim"(%74) {broadcast_dimensions = array<i64: 0>} : (tensor<9xi1>) -> tensor<9x4xi1>
    %76 = "stablehlo.broadcast_in_dim"(%39) {broadcast_dimensions = array<i64>} : (tensor<f32>) -> tensor<9x4xf32>
    %77 = "stablehlo.select"(%75, %63, %76) : (tensor<9x4xi1>, tensor<9x4xf32>, tensor<9x4xf32>) -> tensor<9x4xf32>
    %78 = "stablehlo.select_and_scatter"(%77, %38, %13) ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %79 = "stablehlo.compare"(%arg2, %arg3) {comparison_direction = #stablehlo<comparison_direction GE>, compare_type = #stablehlo<comparison_type FLOAT>} : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%79) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
      %80 = "stablehlo.add"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%80) : (tensor<f32>) -> ()
    }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>} : (tensor<9x4xf32>, tensor<4x4xf32>, tensor<f32>) -> tensor<9x4xf32>
    %81 = "stablehlo.constant"() {value = dense<[2, 1, 2, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
    %82 = "stablehlo.dynamic_slice"(%81, %12) {slice_sizes = array<i64: 1>} : (tensor<4xi64>, tensor<i64>) -> tensor<1xi64>
    %83 = "stablehlo.reshape"(%82) : (tensor<1xi64>) -> tensor<i64>
    %84 = "stablehlo.dynamic_slice"(%78, %83, %2) {slice_sizes = array<i64: 5, 4>} : (tensor<9x4xf32>, tensor<i64>, tensor<i64>) -> tensor<5x4xf32>
    "func.return"(%84) : (tensor<5x4xf32>) -> ()
  }
}
