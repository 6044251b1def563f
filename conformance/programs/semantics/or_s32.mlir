// or_s32: stablehlo.or of s32 is bitwise.
// input i32 24 0 00000080ffffff7f000000000100000062f90a145f56934642276a55ab2da7b94551378e99b2d7cc3427fac8d732a15f70aca16926115981dd06f2ff8f063c525e19a6a1f9bd0c4c21397c9ec795caf748dc03517a8893cd855273d7a2e646c7
// input i32 24 0 a2e646c7855273d77a8893cd48dc0351c795caf721397c9ef9bd0c4c5e19a6a18f063c52dd06f2ff2611598170aca169d732a15f3427fac899b2d7cc4551378eab2da7b942276a555f56934662f90a140100000000000000ffffff7f00000080
// expect i32 24 0 a2e646c7ffffffff7a8893cd49dc0351e7fdcaf77f7fffdefbbf6e5dff3da7b9cf573fdeddb6f7ff3637fbc9f7bea17ff7bea17f3637fbc9ddb6f7ffcf573fdeff3da7b9fbbf6e5d7f7fffdee7fdcaf749dc03517a8893cdffffffffa2e646c7
module {
func.func public @main(%a0: tensor<24xi32>, %a1: tensor<24xi32>) -> (tensor<24xi32>) {
  %r0 = "stablehlo.or"(%a0, %a1) : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi32>
  "func.return"(%r0) : (tensor<24xi32>) -> ()
}
}
