"builtin.module"() <{sym_name = "jit_spectral_filter"}> ({
  "func.func"() <{function_type = (tensor<16xcomplex<f32>>) -> tensor<16xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg2: tensor<16xcomplex<f32>>):
    %2 = "func.call"(%arg2) <{callee = @fft}> : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
    %3 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<16xi32>
    %4 = "stablehlo.negate"(%3) : (tensor<16xi32>) -> tensor<16xi32>
    %5 = "stablehlo.convert"(%4) : (tensor<16xi32>) -> tensor<16xf32>
    %6 = "stablehlo.constant"() <{value = dense<4.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<16xf32>
    %8 = "stablehlo.divide"(%5, %7) : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %9 = "stablehlo.exponential"(%8) : (tensor<16xf32>) -> tensor<16xf32>
    %10 = "stablehlo.convert"(%9) : (tensor<16xf32>) -> tensor<16xcomplex<f32>>
    %11 = "stablehlo.multiply"(%2, %10) : (tensor<16xcomplex<f32>>, tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
    %12 = "func.call"(%11) <{callee = @fft_0}> : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
    %13 = "stablehlo.real"(%12) : (tensor<16xcomplex<f32>>) -> tensor<16xf32>
    "func.return"(%13) : (tensor<16xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>, sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<16xcomplex<f32>>):
    %1 = "stablehlo.fft"(%arg1) <{fft_length = array<i64: 16>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
    "func.return"(%1) : (tensor<16xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>, sym_name = "fft_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<16xcomplex<f32>>):
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 16>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<16xcomplex<f32>>) -> tensor<16xcomplex<f32>>
    "func.return"(%0) : (tensor<16xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
