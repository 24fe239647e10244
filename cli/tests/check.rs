//! `check`, `compare` and `plan` of recordings from outside: texts, formats and exit statuses.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::{env, fs, process};

use serde_json::Value;

/// By hand: `report/tests/reports.rs` has the places of its tensors. 4532 bytes, the bound is 4520; 400 are persistent.
const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../report/tests/small.json");

fn tool(arguments: &[&str]) -> Output {
    fed(arguments, "")
}

/// With `input` at standard input.
fn fed(arguments: &[&str], input: &str) -> Output {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tflite-arena"));
    tool.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = tool.spawn().expect("it starts");
    // A command that refuses its options does not read.
    let _ = child.stdin.take().expect("it is piped").write_all(input.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn small() -> String {
    fs::read_to_string(SMALL).expect("it is there")
}

/// Status, standard output and standard error.
fn told(done: &Output) -> (Option<i32>, String, String) {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code(), text(&done.stdout), text(&done.stderr))
}

#[test]
fn a_line_a_rule_with_its_numbers() {
    let all = ["--max-arena", "4KiB", "--max-persistent", "400", "--max-gap", "0.3", "--validate"];
    let done = fed(&[&["check", "-"], &all[..]].concat(), &small());
    let expected = "\
FAIL max-arena: standard input: the arena takes 4,532 bytes, 436 more than the 4,096 that are allowed
pass max-persistent: standard input: persistent tensors take 400 bytes, 400 are allowed
pass max-gap: standard input: the arena is 0.27 % above the lower bound of 4,520 bytes, 0.3 % are allowed
pass validate: standard input: no data is lost in the places of 7 tensors
";
    assert_eq!(told(&done), (Some(1), expected.to_owned(), String::new()));
    assert_eq!(fed(&["check", "-", "--max-arena", "4532"], &small()).status.code(), Some(0));
}

/// What a delegate allocates is in no arena, so a limit that is kept says less than it seems to.
#[test]
fn a_delegate_is_told_of_with_each_limit() {
    let delegated = small().replace("\"CUSTOM\", \"custom\": \"Blend\"", "\"DELEGATE\", \"custom\": \"XNNPACK\"");
    let done = fed(&["check", "-", "--max-arena", "5KiB"], &delegated);
    let expected = "pass max-arena: standard input: the arena takes 4,532 bytes, 5,120 are allowed; a delegate runs 1 of \
                    the 5 nodes; its own memory is not counted\n";
    assert_eq!(told(&done), (Some(0), expected.to_owned(), String::new()));
}

#[test]
fn programs_and_github_are_told_the_same() {
    let done = tool(&["check", SMALL, "--max-arena", "4KiB", "--format", "json"]);
    let json: Value = serde_json::from_slice(&done.stdout).expect("it is JSON");
    let outcome = &json["outcomes"][0];
    assert_eq!((done.status.code(), &json["passed"]), (Some(1), &Value::Bool(false)));
    assert_eq!((outcome["rule"].as_str(), outcome["limit"].as_u64()), (Some("max-arena"), Some(4096)));
    assert_eq!((outcome["found"].as_u64(), outcome["passed"].as_bool()), (Some(4532), Some(false)));

    let (status, out, _) =
        told(&tool(&["check", SMALL, "--max-arena", "4KiB", "--max-gap", "1", "--format", "github"]));
    let lines: Vec<_> = out.lines().collect();
    assert_eq!((status, lines.len()), (Some(1), 2));
    let text = format!("{SMALL}: the arena takes 4,532 bytes, 436 more than the 4,096 that are allowed");
    assert_eq!(lines[0], format!("::error file={SMALL},title=max-arena::{text}"));
    // What is kept is no annotation.
    assert!(lines[1].starts_with("pass max-gap: "), "{out}");
}

/// conv is needed at nodes 1 to 3, and pool at 3.
#[test]
fn what_clashes_is_named_with_nodes_and_bytes() {
    let moved = small()
        .replace(r#""offset": 4032, "size": 500"#, r#""offset": 3968, "size": 500"#)
        .replace("\"arena\": 4532, \"lower_bound\"", "\"arena\": 4468, \"lower_bound\"");
    assert_ne!(moved, small());
    let (status, out, said) = told(&fed(&["check", "-", "--validate"], &moved));
    let first = "FAIL validate: standard input: conv (3) and pool (5) both need bytes 3,968 to 4,023 of the arena at node 3 \
                 (MAX_POOL_2D)";
    assert_eq!((status, out.lines().next()), (Some(1), Some(first)), "{said}");
    // The plan is not what the recorded calls lead to.
    let (status, out, said) = told(&fed(&["plan", "-"], &moved));
    assert_eq!((status, out.as_str()), (Some(125), ""));
    assert!(said.starts_with("tflite-arena: standard input: pool (5) lies at offset 3968"), "{said}");
    assert_eq!(fed(&["plan", "-", "--strategy", "best"], &moved).status.code(), Some(0));
}

#[test]
fn a_strategy_is_judged_instead_of_the_places() {
    let (status, out, _) = told(&fed(&["check", "-", "--max-gap", "0", "--validate"], &small()));
    assert_eq!(status, Some(1), "{out}");
    let (status, out, _) = told(&fed(&["check", "-", "--max-gap", "0", "--validate", "--strategy", "best"], &small()));
    // Less than the alignment above the bound is not worth a search.
    assert_eq!(status, Some(1), "{out}");
    assert!(out.contains("pass validate"), "{out}");
}

#[test]
fn no_rule_is_an_error_of_usage_and_a_bad_file_another() {
    assert_eq!(tool(&["check", SMALL]).status.code(), Some(2));
    assert_eq!(tool(&["check", "--validate"]).status.code(), Some(2));
    assert_eq!(tool(&["check", SMALL, "--max-gap", "-1"]).status.code(), Some(2));
    assert_eq!(tool(&["check", SMALL, "--max-arena", "1MB"]).status.code(), Some(2));
    assert_eq!(tool(&["check", "-", "-", "--validate"]).status.code(), Some(2));
    let (status, out, said) = told(&tool(&["check", SMALL, "/no/such/file", "--validate"]));
    assert_eq!((status, out.as_str()), (Some(125), ""));
    assert!(said.starts_with("tflite-arena: /no/such/file: No such file"), "{said}");
}

/// A name from a file must not look like a line of its own, which a build server would obey.
#[test]
fn names_cannot_make_lines() {
    let named = small()
        .replace("\"name\": \"conv\"", "\"name\": \"\\n::error::x\\u001b[2J\"")
        .replace(r#""offset": 4032, "size": 500"#, r#""offset": 3968, "size": 500"#)
        .replace("\"arena\": 4532, \"lower_bound\"", "\"arena\": 4468, \"lower_bound\"");
    for format in ["text", "github"] {
        let (_, out, _) = told(&fed(&["check", "-", "--validate", "--format", format], &named));
        assert!(out.contains("::error::x"), "{out}");
        assert!(
            out.lines().all(|line| ["FAIL", "::error title="].iter().any(|begin| line.starts_with(begin))),
            "{out}"
        );
        assert!(!out.contains('\u{1b}'), "{out}");
    }
}

#[test]
fn a_recording_is_planned_into_a_table_that_can_be_planned() {
    let (status, table, said) = told(&tool(&["plan", SMALL]));
    assert_eq!(status, Some(0), "{said}");
    assert!(
        table.starts_with("id,lower,upper,size,alignment,offset,name,type\n0,0,5,1000,64,0,image,FLOAT32\n"),
        "{table}"
    );
    let figures =
        "5 tensors, naive 5376, lower bound 4520, height 4532, gap 0.27 %, not proven optimal, persistent 400, ";
    assert!(said.starts_with(figures), "{said}");
    assert_eq!(told(&fed(&["plan", "-"], &table)).1, table);
    // The height is more than this.
    assert_eq!(tool(&["plan", SMALL, "--capacity", "4531"]).status.code(), Some(1));
    for option in ["--alignment", "--steps"] {
        assert_eq!(tool(&["plan", SMALL, option, "64"]).status.code(), Some(2));
    }
}

#[test]
fn a_larger_arena_can_fail_a_build() {
    let folder = env::temp_dir().join(format!("tflite-arena-compare-test-{}", process::id()));
    fs::create_dir_all(&folder).expect("it can be made");
    let [small, large] = [300, 400].map(|size| {
        let path = folder.join(format!("{size}.csv"));
        fs::write(&path, format!("id,lower,upper,size\na,0,2,100\nb,1,3,{size}\n")).expect("it can be written");
        path.display().to_string()
    });
    let (status, out, _) = told(&tool(&["compare", &small, &large]));
    assert_eq!(status, Some(0));
    assert!(out.starts_with(&format!("before  {small}\nafter   {large}\n")), "{out}");
    assert!(out.contains("  arena           400    500        +100  +25.00 %\n"), "{out}");
    assert!(out.contains("   +100  b (1)   grew from 300 to 400\n"), "{out}");
    assert_eq!(tool(&["compare", &small, &large, "--fail-if-larger"]).status.code(), Some(1));
    assert_eq!(tool(&["compare", &large, &small, "--fail-if-larger"]).status.code(), Some(0));
    let json: Value =
        serde_json::from_slice(&tool(&["compare", &small, &large, "--format", "json"]).stdout).expect("it is JSON");
    assert_eq!((&json["larger"], &json["comparisons"][0]["tensors"][0]["peak"]), (&Value::Bool(true), &100.into()));
    assert_eq!(tool(&["compare", "-", "-"]).status.code(), Some(2));
    fs::remove_dir_all(folder).expect("it can be removed");
}
