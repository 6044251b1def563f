module @control_collective_permute_away_bf16 {
  func.func public @main(%arg0: tensor<4x2xbf16>) -> tensor<4x2xbf16> {
    %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<> : tensor<0x2xi64>}> : (tensor<4x2xbf16>) -> tensor<4x2xbf16>
    return %0 : tensor<4x2xbf16>
  }
}
