// divide_s32: stablehlo.divide of s32 rounds toward zero.
// input i32 20 0 62f90a145f56934642276a55ab2da7b94551378e99b2d7cc3427fac8d732a15f70aca16926115981dd06f2ff8f063c525e19a6a1f9bd0c4c21397c9ec795caf748dc03517a8893cd855273d7a2e646c7
// input i32 20 0 5ca97cff92c3e7f9dfcbc00495611afa68c023056d20ffff129115f8c71a9a062d13fa0573a28ffc297bcdfc1475e3f8da729afb74a256056535690496af40010500000005000000ffffff07000000f8
// expect i32 20 0 d9fffffff5ffffff110000000b000000eaffffff933a0000060000000e000000110000002400000000000000f5ffffff150000000e000000eafffffffaffffffdbf833107f4eeaf5fbffffff07000000
module {
func.func public @main(%a0: tensor<20xi32>, %a1: tensor<20xi32>) -> (tensor<20xi32>) {
  %r0 = "stablehlo.divide"(%a0, %a1) : (tensor<20xi32>, tensor<20xi32>) -> tensor<20xi32>
  "func.return"(%r0) : (tensor<20xi32>) -> ()
}
}
