module @control_tuple {
  func.func public @main(%arg0: tensor<3xf32>, %arg1: tensor<2xi8>) -> tensor<2xi8> {
    %0 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<3xf32>, tensor<2xi8>>
    %1 = stablehlo.tuple %0, %arg1 : tuple<tuple<tensor<3xf32>, tensor<2xi8>>, tensor<2xi8>>
    %2 = stablehlo.get_tuple_element %1[0] : (tuple<tuple<tensor<3xf32>, tensor<2xi8>>, tensor<2xi8>>) -> tuple<tensor<3xf32>, tensor<2xi8>>
    %3 = stablehlo.get_tuple_element %2[1] : (tuple<tensor<3xf32>, tensor<2xi8>>) -> tensor<2xi8>
    return %3 : tensor<2xi8>
  }
}
