// random_bits_repeat: stablehlo.rng_bit_generator gives the same numbers for the same state, and another state.
// input ui64 2 0 01000000000000000200000000000000
// expect ui32 16 0 00000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
// expect i1 2 0 0000
module {
func.func public @main(%a0: tensor<2xui64>) -> (tensor<16xui32>, tensor<2xi1>) {
  %s0, %b0 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<16xui32>)
  %s1, %b1 = "stablehlo.rng_bit_generator"(%a0) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>) -> (tensor<2xui64>, tensor<16xui32>)
  %r0 = "stablehlo.xor"(%b0, %b1) : (tensor<16xui32>, tensor<16xui32>) -> tensor<16xui32>
  %same = "stablehlo.compare"(%s0, %a0) {comparison_direction = #stablehlo<comparison_direction EQ>} : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xi1>
  %all = "stablehlo.slice"(%same) {start_indices = array<i64: 0>, limit_indices = array<i64: 1>, strides = array<i64: 1>} : (tensor<2xi1>) -> tensor<1xi1>
  %last = "stablehlo.slice"(%same) {start_indices = array<i64: 1>, limit_indices = array<i64: 2>, strides = array<i64: 1>} : (tensor<2xi1>) -> tensor<1xi1>
  %both = "stablehlo.and"(%all, %last) : (tensor<1xi1>, tensor<1xi1>) -> tensor<1xi1>
  %r1 = "stablehlo.broadcast_in_dim"(%both) {broadcast_dimensions = array<i64: 0>} : (tensor<1xi1>) -> tensor<2xi1>
  "func.return"(%r0, %r1) : (tensor<16xui32>, tensor<2xi1>) -> ()
}
}
