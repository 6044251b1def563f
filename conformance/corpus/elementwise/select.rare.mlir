module @elementwise_select_rare {
  func.func public @main(%arg0: tensor<5xi1>, %arg1: tensor<5xf4E2M1FN>, %arg2: tensor<5xf4E2M1FN>, %arg3: tensor<5xi1>, %arg4: tensor<5xf8E8M0FNU>, %arg5: tensor<5xf8E8M0FNU>) -> (tensor<5xf4E2M1FN>, tensor<5xf8E8M0FNU>) {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<5xi1>, tensor<5xf4E2M1FN>
    %1 = stablehlo.select %arg3, %arg4, %arg5 : tensor<5xi1>, tensor<5xf8E8M0FNU>
    return %0, %1 : tensor<5xf4E2M1FN>, tensor<5xf8E8M0FNU>
  }
}
