"""corpus_control.py: control flow, calls, tuples, tokens, collectives of one participant, and custom calls that need no library."""
import numpy as np

from corpus_program import FUNCTION, NUMPY, SUM, apply, case, combiner, tensor, values

F = "tensor<3xf32>"
BRANCH = "{{ %a{0} = stablehlo.{1} %1 : tensor<3xf32>\n      %b{0} = stablehlo.constant dense<{0}> : tensor<i32>\n      stablehlo.return %a{0}, %b{0} : tensor<3xf32>, tensor<i32> }}"
TWO = [("%r#0", F), ("%r#1", "tensor<i32>")]


def branches():
    for flag in (True, False):
        case(f"control/if.{str(flag).lower()}", [np.bool_(flag), values([3], "f32")],
             f'%r:2 = "stablehlo.if"(%0) ({BRANCH.format(1, "floor")}, {BRANCH.format(2, "abs")}) : (tensor<i1>) -> ({F}, tensor<i32>)', TWO,
             lambda p, x: [np.floor(x) if p else np.abs(x), np.int32(1 if p else 2)])
    for word, index in (("below", -1), ("first", 0), ("second", 1), ("last", 2), ("beyond", 9)):
        case(f"control/case.{word}", [np.int32(index), values([3], "f32")], f'%r:2 = "stablehlo.case"(%0) ({BRANCH.format(1, "floor")}, {BRANCH.format(2, "abs")}, '
             f'{BRANCH.format(3, "negate")}) : (tensor<i32>) -> ({F}, tensor<i32>)', TWO,
             lambda i, x: [(np.floor, np.abs, np.negative)[i if 0 <= i <= 2 else 2](x), np.int32(i + 1 if 0 <= i <= 2 else 3)])
    case("control/case.one_branch", [np.int32(5), values([3], "f32")], f'%r:2 = "stablehlo.case"(%0) ({BRANCH.format(1, "abs")}) : (tensor<i32>) -> ({F}, tensor<i32>)', TWO,
         lambda i, x: [np.abs(x), np.int32(1)])
    case("control/if.nested", [np.bool_(True), values([3], "f32")], '%r = "stablehlo.if"(%0) ({ %i = "stablehlo.if"(%0) ({ %a = stablehlo.abs %1 : tensor<3xf32>\n      '
         'stablehlo.return %a : tensor<3xf32> }, { stablehlo.return %1 : tensor<3xf32> }) : (tensor<i1>) -> tensor<3xf32>\n      stablehlo.return %i : tensor<3xf32> }, '
         "{ stablehlo.return %1 : tensor<3xf32> }) : (tensor<i1>) -> tensor<3xf32>", [("%r", F)], lambda p, x: [np.abs(x)])


def loop(carried, body, ends, kind="i32", limit="%n"):
    """A while loop over a counter %i and the carried values (name, initial value, type)."""
    heads = ", ".join(f"{name} = {first}" for name, first, _ in carried)
    types = ", ".join(of for _, _, of in carried)
    return (f"%zero = stablehlo.constant dense<0> : tensor<{kind}>\n    %one = stablehlo.constant dense<1> : tensor<{kind}>\n    "
            f"%r:{len(carried) + 1} = stablehlo.while(%i = %zero, {heads}) : tensor<{kind}>, {types}\n    cond {{\n      "
            f"%c = stablehlo.compare LT, %i, {limit} : (tensor<{kind}>, tensor<{kind}>) -> tensor<i1>\n      stablehlo.return %c : tensor<i1>\n    }} do {{\n      "
            f"%j = stablehlo.add %i, %one : tensor<{kind}>\n      {body}\n      stablehlo.return %j, {', '.join(ends)} : tensor<{kind}>, {types}\n    }}")


def loops():
    for trips in (0, 1, 5):
        case(f"control/while.{trips}_iterations", [np.int32(trips), values([3], "f32")], loop([("%x", "%1", F)], "%y = stablehlo.add %x, %x : tensor<3xf32>", ["%y"], limit="%0"),
             [("%r#0", "tensor<i32>"), ("%r#1", F)], lambda n, x: [np.int32(n), x * np.float32(2 ** int(n))])
    constant = "%n = stablehlo.constant dense<{0}> : tensor<i32>\n    "
    case("control/while.constant_trip_count", [values([3], "f32")], constant.format(7) + loop([("%x", "%0", F)], "%y = stablehlo.negate %x : tensor<3xf32>", ["%y"]),
         [("%r#1", F)], lambda x: [-x])
    case("control/while.swaps", [values([3], "f32"), values([3], "f32")], constant.format(3) + loop([("%x", "%0", F), ("%y", "%1", F)], "", ["%y", "%x"]),
         [("%r#1", F), ("%r#2", F)], lambda x, y: [y, x])
    case("control/while.updates_rows", [values([4, 3], "f32"), values([3], "f32")], constant.format(4) + loop([("%x", "%0", "tensor<4x3xf32>")],
         "%u = stablehlo.reshape %1 : (tensor<3xf32>) -> tensor<1x3xf32>\n      %y = stablehlo.dynamic_update_slice %x, %u, %i, %zero : "
         "(tensor<4x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>", ["%y"]), [("%r#1", "tensor<4x3xf32>")], lambda x, y: [np.tile(y, (4, 1))])
    case("control/while.sums_slices", [values([5, 3], "f32", -1, 1), values([3], "f32", 0, 0)], constant.format(5) + loop([("%x", "%1", F)],
         "%u = stablehlo.dynamic_slice %0, %i, %zero, sizes = [1, 3] : (tensor<5x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>\n      "
         "%v = stablehlo.reshape %u : (tensor<1x3xf32>) -> tensor<3xf32>\n      %y = stablehlo.add %x, %v : tensor<3xf32>", ["%y"]), [("%r#1", F)], lambda x, y: [x.sum(0)], SUM)
    case("control/while.nested", [values([3], "f32", -1, 1)], constant.format(3) + loop([("%x", "%0", F)],
         "%m = stablehlo.constant dense<2> : tensor<i32>\n      %s:2 = stablehlo.while(%k = %zero, %w = %x) : tensor<i32>, tensor<3xf32>\n      cond {\n        "
         "%d = stablehlo.compare LT, %k, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\n        stablehlo.return %d : tensor<i1>\n      } do {\n        "
         "%l = stablehlo.add %k, %one : tensor<i32>\n        %z = stablehlo.add %w, %w : tensor<3xf32>\n        stablehlo.return %l, %z : tensor<i32>, tensor<3xf32>\n      }", ["%s#1"]),
         [("%r#1", F)], lambda x: [x * np.float32(64)])
    case("control/while.data_decides", [np.float32(1000)], "%one = stablehlo.constant dense<1.5> : tensor<f32>\n    %n = stablehlo.constant dense<0> : tensor<i32>\n    "
         "%step = stablehlo.constant dense<1> : tensor<i32>\n    %r:2 = stablehlo.while(%i = %n, %x = %0) : tensor<i32>, tensor<f32>\n    cond {\n      "
         "%c = stablehlo.compare GT, %x, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>\n      stablehlo.return %c : tensor<i1>\n    } do {\n      "
         "%y = stablehlo.divide %x, %one : tensor<f32>\n      %j = stablehlo.add %i, %step : tensor<i32>\n      stablehlo.return %j, %y : tensor<i32>, tensor<f32>\n    }",
         [("%r#0", "tensor<i32>"), ("%r#1", "tensor<f32>")], tolerance=SUM)
    case("control/while.unsigned_counter", [values([3], "f32")], "%n = stablehlo.constant dense<3> : tensor<ui8>\n    " + loop([("%x", "%0", F)], "%y = stablehlo.add %x, %x : tensor<3xf32>", ["%y"], "ui8"),
         [("%r#1", F)], lambda x: [x * np.float32(8)])
    case("control/while.branch_inside", [values([3], "f32")], constant.format(4) + loop([("%x", "%0", F)], "%e = stablehlo.and %i, %one : tensor<i32>\n      "
         '%y = "stablehlo.case"(%e) ({ %a = stablehlo.negate %x : tensor<3xf32>\n      stablehlo.return %a : tensor<3xf32> }, { %b = stablehlo.add %x, %x : tensor<3xf32>\n      '
         "stablehlo.return %b : tensor<3xf32> }) : (tensor<i32>) -> tensor<3xf32>", ["%y"]), [("%r#1", F)], lambda x: [x * np.float32(4)])


def calls():
    twice = "  func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32> {\n    %y = stablehlo.add %x, %x : tensor<3xf32>\n    return %y : tensor<3xf32>\n  }\n"
    case("control/call", [values([3], "f32")], "%a = call @twice(%0) : (tensor<3xf32>) -> tensor<3xf32>\n    %r = call @twice(%a) : (tensor<3xf32>) -> tensor<3xf32>", [("%r", F)],
         lambda x: [x * np.float32(4)], outside=twice)
    case("control/composite", [values([3], "f32")], '%r = stablehlo.composite "my.twice" %0 {composite_attributes = {n = 3 : i64, s = "x"}, decomposition = @twice, version = 1 : i32} : '
         "(tensor<3xf32>) -> tensor<3xf32>", [("%r", F)], lambda x: [x * np.float32(2)], outside=twice)
    case("control/same_argument_twice", [values([3], "f32")], "", [("%0", F), ("%0", F)], lambda x: [x, x])
    case("control/no_results_used", [values([3], "f32"), values([2], "i8")], "%a = stablehlo.negate %0 : tensor<3xf32>", [("%1", "tensor<2xi8>")], lambda x, y: [y])
    case("control/optimization_barrier", [values([3], "f32"), values([2], "i8")], "%r:2 = stablehlo.optimization_barrier %0, %1 : tensor<3xf32>, tensor<2xi8>",
         [("%r#0", F), ("%r#1", "tensor<2xi8>")], lambda x, y: [x, y])
    case("control/tuple", [values([3], "f32"), values([2], "i8")], "%t = stablehlo.tuple %0, %1 : tuple<tensor<3xf32>, tensor<2xi8>>\n    "
         "%u = stablehlo.tuple %t, %1 : tuple<tuple<tensor<3xf32>, tensor<2xi8>>, tensor<2xi8>>\n    %v = stablehlo.get_tuple_element %u[0] : "
         "(tuple<tuple<tensor<3xf32>, tensor<2xi8>>, tensor<2xi8>>) -> tuple<tensor<3xf32>, tensor<2xi8>>\n    "
         "%r = stablehlo.get_tuple_element %v[1] : (tuple<tensor<3xf32>, tensor<2xi8>>) -> tensor<2xi8>", [("%r", "tensor<2xi8>")], lambda x, y: [y])
    token = "!stablehlo.token"
    case("control/token", [values([3], "f32")], f"%t = stablehlo.create_token : {token}\n    %u = stablehlo.after_all %t, %t : {token}\n    "
         f"%r, %v = stablehlo.optimization_barrier %0, %u : tensor<3xf32>, {token}", [("%r", F)], lambda x: [x])
    for name, target, words in (("sharding", "Sharding", 'mhlo.sharding = "{replicated}"'), ("placement", "annotate_device_placement", 'has_side_effect = true, mhlo.frontend_attributes = {_xla_buffer_placement = "device"}')):
        case(f"control/custom_call.{name}", [values([3], "f32")], f"%a = stablehlo.custom_call @{target}(%0) {{{words}}} : (tensor<3xf32>) -> tensor<3xf32>\n    "
             "%r = stablehlo.negate %a : tensor<3xf32>", [("%r", F)], lambda x: [-x])


def collectives():
    group = "replica_groups = dense<0> : tensor<1x1xi64>"
    for kind in ("f32", "i8", "complex<f32>", "bf16"):
        x, t, word = values([4, 2], kind), tensor([4, 2], kind), kind.strip("<>").replace("<", "_")
        body = (f'%r0 = "stablehlo.all_gather"(%0) {{all_gather_dim = 0 : i64, {group}, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}} : ({t}) -> {t}\n    '
                f'%r1 = "stablehlo.all_to_all"(%0) {{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 1 : i64, {group}}} : ({t}) -> {t}\n    '
                f'%r2 = "stablehlo.collective_broadcast"(%0) {{{group}}} : ({t}) -> {t}\n    '
                f'%r3 = "stablehlo.collective_permute"(%0) {{source_target_pairs = dense<0> : tensor<1x2xi64>}} : ({t}) -> {t}\n    '
                f'%r4 = "stablehlo.all_reduce"(%0) {combiner("add", kind)} {{{group}}} : ({t}) -> {t}\n    '
                f'%r5 = "stablehlo.reduce_scatter"(%0) {combiner("add", kind)} {{scatter_dimension = 0 : i64, {group}}} : ({t}) -> {t}\n    '
                f'%r6 = "stablehlo.cross-replica-sum"(%0) {{{group}}} : ({t}) -> {t}')
        case(f"control/collectives_of_one.{word}", [x], body, [(f"%r{i}", t) for i in range(7)], [x] * 7)
        case(f"control/collective_permute.away.{word}", [x], f'%r = "stablehlo.collective_permute"(%0) {{source_target_pairs = dense<> : tensor<0x2xi64>}} : ({t}) -> {t}', [("%r", t)], [np.zeros_like(x)])
    case("control/ids", [], "%r = stablehlo.replica_id : tensor<ui32>\n    %s = stablehlo.partition_id : tensor<ui32>", [("%r", "tensor<ui32>"), ("%s", "tensor<ui32>")], [np.uint32(0), np.uint32(0)])


def programs():
    branches()
    loops()
    calls()
    collectives()
