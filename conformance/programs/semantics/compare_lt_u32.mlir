// compare_lt_u32: stablehlo.compare LT of u32 orders unsigned numbers.
// input ui32 24 0 00000000ffffffff000000000100000062f90a945f5693c642276ad5ab2da7394551370e99b2d74c3427fa48d732a1df70aca1e926115901dd06f27f8f063cd25e19a621f9bd0ccc21397c1ec795ca7748dc03d17a88934d85527357a2e64647
// input ui32 24 0 a2e64647855273577a88934d48dc03d1c795ca7721397c1ef9bd0ccc5e19a6218f063cd2dd06f27f2611590170aca1e9d732a1df3427fa4899b2d74c4551370eab2da73942276ad55f5693c662f90a940100000000000000ffffffff00000000
// expect i1 24 0 010001010000000001010001000100000101010100000100
module {
func.func public @main(%a0: tensor<24xui32>, %a1: tensor<24xui32>) -> (tensor<24xi1>) {
  %r0 = "stablehlo.compare"(%a0, %a1) {comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type UNSIGNED>} : (tensor<24xui32>, tensor<24xui32>) -> tensor<24xi1>
  "func.return"(%r0) : (tensor<24xi1>) -> ()
}
}
