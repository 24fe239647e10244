//! `tflite-arena report` from outside: what it writes where, and what it refuses.

use std::io::Write;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs, process};

use serde_json::Value;

const SMALL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../report/tests/small.json");

fn report(arguments: &[&str]) -> Output {
    fed(arguments, b"")
}

/// Hands `input` to its standard input.
fn fed(arguments: &[&str], input: &[u8]) -> Output {
    tool("report", arguments, input)
}

fn tool(command: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tflite-arena"))
        .arg(command)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // What refuses its options does not read.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of this test's own, removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("tflite-arena-report-{}-{name}", process::id()));
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_summary_goes_to_standard_output() {
    let done = report(&[SMALL]);
    let told = text(&done.stdout);
    assert_eq!((done.status.code(), text(&done.stderr).as_str()), (Some(0), ""));
    assert!(told.starts_with("small.json\n  Subgraph 0 as planner 2 of process 4242 recorded it: 5 nodes"), "{told}");
    assert!(told.contains("\n  arena        4,532  4.4 KiB  0.27 % above the lower bound\n"), "{told}");
    assert!(told.contains("\nWhat stands out\n * "), "{told}");
    // This is no terminal.
    assert!(!told.contains('\x1b'), "{told}");
}

#[test]
fn all_files_are_written_and_agree() {
    let folder = Folder::new("all");
    let names = ["csv", "html", "json", "model-explorer", "model-explorer-outputs", "svg", "trace"];
    let options: Vec<_> = names.iter().flat_map(|name| [format!("--{name}"), folder.file(name)]).collect();
    let done = report(&[&[SMALL], &options.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat());
    assert_eq!((done.status.code(), text(&done.stderr).as_str()), (Some(0), ""));
    assert_eq!(folder.names(), names);
    let content = |name: &str| fs::read_to_string(folder.file(name)).unwrap();
    let parsed = |name: &str| -> Value { serde_json::from_str(&content(name)).unwrap() };
    let json = parsed("json");
    assert_eq!(json["maps"][0]["totals"]["arena"], 4532);
    assert_eq!(parsed("model-explorer")["results"]["pool"]["value"], json["maps"][0]["live_bytes"][3]);
    assert_eq!(parsed("model-explorer-outputs")["results"]["pool"]["value"], 500);
    assert!(parsed("trace")["traceEvents"].as_array().unwrap().len() > 20);
    assert!(content("html").starts_with("<!doctype html>"), "{}", &content("html")[..40]);
    assert!(content("svg").contains("<svg "));
    // `plan` leaves everything where it lies.
    let planned = tool("plan", &[&folder.file("csv")], b"");
    assert!(text(&planned.stderr).contains("5 buffers, naive 5376, "), "{}", text(&planned.stderr));
    assert!(text(&planned.stderr).contains(", height 4532, "), "{}", text(&planned.stderr));
    assert_eq!(text(&planned.stdout), content("csv"));
}

#[test]
fn a_file_on_standard_output_leaves_the_summary_to_standard_error() {
    let done = report(&[SMALL, "--csv", "-"]);
    assert_eq!(done.status.code(), Some(0));
    assert!(text(&done.stdout).starts_with("id,lower,upper,"));
    assert!(text(&done.stderr).starts_with("small.json\n"), "{}", text(&done.stderr));
}

#[test]
fn standard_input_is_read_and_strategies_plan_anew() {
    let recording = fs::read(SMALL).unwrap();
    let done = fed(&["-", "--strategy", "in-order", "--json", "-"], &recording);
    let json: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(json["maps"][0]["title"], "standard input");
    assert_eq!(json["maps"][0]["options"]["strategy"], "in-order");
    // image at 0, conv behind it at 1024, pool behind that at 4032; sum and the last one where conv was.
    assert_eq!(json["maps"][0]["totals"]["arena"], 4032 + 500);
}

#[test]
fn several_inputs_are_told_together_and_one_can_be_chosen() {
    let folder = Folder::new("several");
    let table = folder.file("table.csv");
    fs::write(&table, "id,lower,upper,size\na,0,1,2\nb,0,1,5\n").unwrap();
    let told = text(&report(&[SMALL, &table]).stdout);
    assert!(told.starts_with("2 graphs\n") && told.contains("\n  2  table.csv "), "{told}");

    for option in ["--csv", "--svg", "--model-explorer", "--model-explorer-outputs"] {
        let done = report(&[SMALL, &table, option, &folder.file("out")]);
        let said = text(&done.stderr);
        assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(125), ""), "{option}");
        assert!(said.contains("is about one graph, there are 2: choose one with --graph"), "{said}");
    }
    let chosen = report(&[SMALL, &table, "--graph", "2", "--csv", "-"]);
    assert_eq!(text(&chosen.stdout).lines().count(), 3);
    let done = report(&[SMALL, &table, "--graph", "3"]);
    assert_eq!(done.status.code(), Some(125));
    assert_eq!(text(&done.stderr), "tflite-arena: there is no graph 3, there are 2\n");
    let done = report(&[&table, "--model-explorer", &folder.file("out")]);
    assert!(text(&done.stderr).contains("table.csv: it has no nodes for --model-explorer"), "{}", text(&done.stderr));
    assert_eq!(folder.names(), ["table.csv"]);
}

#[test]
fn a_refused_input_is_named_with_the_place_and_nothing_is_written() {
    let folder = Folder::new("refused");
    let (bad, out) = (folder.file("bad.json"), folder.file("out.json"));
    let recording = fs::read_to_string(SMALL).unwrap();
    fs::write(&bad, recording.replace("\"padding\": 20", "\"padding\": 21")).unwrap();
    let done = report(&[SMALL, &bad, "--json", &out]);
    assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(125), ""));
    let expected = format!("tflite-arena: {bad}: totals.padding: 21 does not fit the places, which give 20\n");
    assert_eq!(text(&done.stderr), expected);
    assert_eq!(folder.names(), ["bad.json"]);

    let missing = folder.file("missing");
    let said = text(&report(&[&missing]).stderr);
    assert!(said.starts_with(&format!("tflite-arena: {missing}: No such file")), "{said}");
}

#[test]
fn a_file_that_cannot_be_written_is_named_and_leaves_no_others() {
    let folder = Folder::new("unwritable");
    let (json, csv) = (folder.file("out.json"), folder.file("no/such/folder.csv"));
    let done = report(&[SMALL, "--json", &json, "--csv", &csv]);
    assert_eq!(done.status.code(), Some(125));
    let said = text(&done.stderr);
    assert!(said.starts_with(&format!("tflite-arena: cannot write {csv}: No such file")), "{said}");
    assert_eq!(folder.names(), [""; 0]);
}

#[test]
fn no_file_is_written_over_another_one() {
    let folder = Folder::new("twice");
    let (input, link, out) = (folder.file("in.json"), folder.file("link"), folder.file("out"));
    fs::copy(SMALL, &input).unwrap();
    symlink("in.json", &link).unwrap();
    let beside = format!("{}/./out", folder.0.display());
    for arguments in [
        [&input, "--json", &input, "--csv", &out],
        [&input, "--json", &out, "--csv", &link],
        [&link, "--json", &input, "--csv", &out],
        [&input, "--json", &out, "--csv", &beside],
    ] {
        let done = report(&arguments);
        assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(125), ""), "{arguments:?}");
        assert!(text(&done.stderr).ends_with(" cannot be written: it is another of the files\n"), "{arguments:?}");
        assert_eq!(folder.names(), ["in.json", "link"]);
    }
    assert_eq!(fs::read(&input).unwrap(), fs::read(SMALL).unwrap());
    assert_eq!(report(&[&input, "--json", "/dev/null", "--csv", "/dev/null"]).status.code(), Some(0));
}

#[test]
fn a_file_that_is_too_large_is_not_read() {
    let folder = Folder::new("large");
    let large = folder.file("large.tflite");
    // It takes no room: all of it is a hole.
    fs::File::create(&large).unwrap().set_len((1 << 31) + 1).unwrap();
    let expected = format!("tflite-arena: {large}: it has more than 2147483648 bytes\n");
    assert_eq!(text(&report(&[&large]).stderr), expected);
}

/// What was there keeps its mode and its links; what is no file, as a device, is written to and not replaced.
#[test]
fn files_are_replaced_and_devices_are_not() {
    let folder = Folder::new("replaced");
    let (file, link) = (folder.file("out.json"), folder.file("link.json"));
    fs::write(&file, "before").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("out.json", &link).unwrap();
    assert_eq!(report(&[SMALL, "--json", &link]).status.code(), Some(0));
    assert!(fs::read_to_string(&file).unwrap().starts_with("{\"tflite_arena_report\":1,"));
    assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(folder.names(), ["link.json", "out.json"]);

    let pipe = folder.file("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(report(&[SMALL, "--json", &pipe]).status.code(), Some(0));
    assert_eq!(reader.wait_with_output().unwrap().stdout, fs::read(&file).unwrap());
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

#[test]
fn wrong_options_are_refused() {
    for arguments in [&[][..], &["-", "-"], &[SMALL, "--json", "-", "--csv", "-"], &[SMALL, "--graph", "0"]] {
        let done = report(arguments);
        assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(2), ""), "{arguments:?}");
    }
}

/// The README shows the first half of what the tool says of a model that the demo downloads, and its picture.
#[test]
fn the_readme_s_example_is_what_comes_out() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let model = format!("{root}/.cache/models/mediapipe/face_detection_short_range.tflite");
    if !Path::new(&model).exists() {
        println!("skipped: {model} is not there, scripts/demo.sh downloads it");
        return;
    }
    let readme = fs::read_to_string(format!("{root}/README.md")).unwrap();
    let section = readme.split("\n## ").find(|section| section.starts_with("Where the memory goes")).unwrap();
    let shown = section.split("```\n").find(|block| block.starts_with("face_detection_short_range.tflite\n")).unwrap();
    let folder = Folder::new("readme");
    let picture = folder.file("picture.svg");
    let told = text(&report(&[&model, "--strategy", "greedy", "--svg", &picture]).stdout);
    assert_eq!(told.split("\nNodes that need most bytes\n").next(), Some(shown));
    let drawn = fs::read_to_string(format!("{root}/docs/images/face_detection_short_range.svg")).unwrap();
    assert!(fs::read_to_string(picture).unwrap() == drawn, "the picture is another one");
}
