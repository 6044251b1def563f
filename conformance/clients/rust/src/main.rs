//! gantry-client PLUGIN [NAME...]: tests the plugin file from Rust and prints the numbers of passed and failed
//! cases. With names: only cases whose names contain one of them.
mod programs;
mod raw;
mod raw_cases;
mod safe_cases;

use std::panic::{catch_unwind, AssertUnwindSafe};

pub type Case = (&'static str, fn(plugin: &str));

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((plugin, names)) = arguments.split_first() else {
        eprintln!("gantry-client PLUGIN [NAME...]");
        std::process::exit(2);
    };
    let (mut passed, mut failed) = (0, 0);
    for (name, run) in safe_cases::CASES.iter().chain(raw_cases::CASES) {
        if !names.is_empty() && !names.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        if catch_unwind(AssertUnwindSafe(|| run(plugin))).is_ok() {
            passed += 1;
        } else {
            failed += 1;
            println!("FAILED  {name}");
        }
    }
    println!("{passed} passed, {failed} failed, 0 skipped");
    std::process::exit(i32::from(failed > 0));
}
