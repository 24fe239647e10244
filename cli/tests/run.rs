//! `tflite-arena run` from outside: what it runs, what it says, and how it ends.
//!
//! Any library can play the preload library here: what the real one does is tested beside it. It is compiled from a few lines
//! of C where it must do something.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, process};

/// A folder that is removed when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let path = env::temp_dir().join(format!("tflite-arena-run-test-{}-{test}", process::id()));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    /// A library that does nothing, or what `code` says.
    fn library(&self, name: &str, code: &str) -> PathBuf {
        let source = self.0.join("library.c");
        let library = self.0.join(name);
        fs::write(&source, code).unwrap();
        let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status().unwrap();
        assert!(compiled.success());
        library
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Appends a line to the status file when a process begins.
fn reporting(line: &str) -> String {
    format!(
        r#"
        #include <stdio.h>
        #include <stdlib.h>
        __attribute__((constructor)) static void report(void) {{
            FILE *file = fopen(getenv("TFLITE_ARENA_RUN_STATUS"), "a");
            if (file == NULL) abort();
            fputs("{line}\n", file);
            fclose(file);
        }}"#
    )
}

fn tool() -> Command {
    tool_under(&[])
}

/// The tool as the last argument of another command.
fn tool_under(command: &[&str]) -> Command {
    let words: Vec<&str> = command.iter().copied().chain([env!("CARGO_BIN_EXE_tflite-arena")]).collect();
    let mut tool = Command::new(words[0]);
    tool.args(&words[1..]);
    for (name, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("TFLITE_ARENA_")) {
        tool.env_remove(name);
    }
    tool.env_remove("LD_PRELOAD");
    tool
}

fn run(library: &Path, command: &[&str]) -> Output {
    tool().arg("run").arg("--preload").arg(library).arg("--").args(command).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn says_that_no_planner_was_created() {
    let scratch = Scratch::new("none");
    let done = run(&scratch.library("nothing.so", ""), &["/bin/true"]);
    assert_eq!(done.status.code(), Some(0));
    assert!(text(&done.stderr).starts_with("tflite-arena: no planner was created"), "{}", text(&done.stderr));
}

#[test]
fn is_silent_when_a_planner_was_created() {
    let scratch = Scratch::new("some");
    let done = run(&scratch.library("planner.so", &reporting("planner pid=1")), &["echo", "said"]);
    assert_eq!((text(&done.stdout).as_str(), text(&done.stderr).as_str()), ("said\n", ""));
}

#[test]
fn tells_which_objects_export_the_constructor() {
    let scratch = Scratch::new("objects");
    let constructor = include!("../../cpp/constructor.inc");
    let cases = [
        ("exports.so", format!("void {constructor}(void) {{}}"), "exports tflite::ArenaPlanner, but created none"),
        (
            "newer.so",
            format!("void {constructor}P15TfLiteAllocator(void) {{}}"),
            "of a generation that is not supported",
        ),
        ("hides.so", format!("static void {constructor}(void) {{}}"), "does not export tflite::ArenaPlanner"),
        ("imports.so", format!("void {constructor}(void); void f(void) {{ {constructor}(); }}"), "does not export"),
    ];
    for (name, code, verdict) in cases {
        let object = scratch.library(name, &code);
        let preload = scratch.library("preload.so", &reporting(&format!("object {}", object.display())));
        let said = text(&run(&preload, &["/bin/true"]).stderr);
        let line = said.lines().skip_while(|line| !line.ends_with(name)).nth(1).unwrap_or_default();
        assert!(line.contains(verdict), "{name}: {said}");
        assert_eq!(said.contains("from source"), name != "exports.so", "{said}");
    }
}

#[test]
fn passes_the_exit_status_on() {
    let scratch = Scratch::new("status");
    let library = scratch.library("nothing.so", "");
    for (command, expected) in [("exit 0", 0), ("exit 3", 3), ("exit 255", 255), ("kill -KILL $$", 128 + 9)] {
        assert_eq!(run(&library, &["sh", "-c", command]).status.code(), Some(expected), "{command}");
    }
}

#[test]
fn a_command_that_cannot_be_run_is_127_or_126() {
    let scratch = Scratch::new("commands");
    let library = scratch.library("nothing.so", "");
    let missing = run(&library, &["no-such-command-here"]);
    assert_eq!(missing.status.code(), Some(127));
    assert!(text(&missing.stderr).contains("cannot run no-such-command-here"), "{}", text(&missing.stderr));
    assert_eq!(run(&library, &["/"]).status.code(), Some(126));
}

#[test]
fn a_missing_preload_library_is_an_error_before_anything_runs() {
    let done = run(Path::new("/no/such/preload.so"), &["echo", "ran"]);
    assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(125), ""));
    assert!(text(&done.stderr).contains("/no/such/preload.so"), "{}", text(&done.stderr));
}

#[test]
fn the_library_can_be_named_by_the_environment_and_comes_first() {
    let scratch = Scratch::new("environment");
    let library = scratch.library("first.so", "");
    let other = scratch.library("second.so", "");
    let done = tool()
        .env("TFLITE_ARENA_PRELOAD", &library)
        .env("LD_PRELOAD", &other)
        .args(["run", "--", "sh", "-c", "echo $LD_PRELOAD"])
        .output()
        .unwrap();
    assert_eq!(text(&done.stdout), format!("{}:{}\n", library.display(), other.display()));
}

#[test]
fn options_become_variables_with_absolute_paths() {
    let scratch = Scratch::new("options");
    let library = scratch.library("nothing.so", "");
    let done = tool()
        .current_dir(&scratch.0)
        .args(["run", "--log", "a.log", "--record", "made/here", "--strategy", "in-order", "--preload"])
        .arg(&library)
        .args(["sh", "-c", "echo $TFLITE_ARENA_LOG $TFLITE_ARENA_RECORD $TFLITE_ARENA_STRATEGY"])
        .output()
        .unwrap();
    let folder = scratch.0.display();
    assert_eq!(text(&done.stdout), format!("{folder}/a.log {folder}/made/here in-order\n"));
    assert!(scratch.0.join("made/here").is_dir());
}

#[test]
fn a_strategy_that_there_is_not_is_refused_with_those_that_there_are() {
    let done = tool().args(["run", "--strategy", "gredy", "--", "true"]).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("[possible values: greedy, in-order, best, exact]"), "{}", text(&done.stderr));
}

#[test]
fn options_of_the_program_are_its_own() {
    let scratch = Scratch::new("trailing");
    let done = run(&scratch.library("nothing.so", ""), &["echo", "--log", "x", "--", "-h"]);
    assert_eq!(text(&done.stdout), "--log x -- -h\n");
}

/// Runs a shell command with a folder of the test's own for temporary files, and says how it ended and what it left there.
fn run_in_own_temporary_folder(scratch: &Scratch, library: &Path, command: &str) -> (Output, usize) {
    let temporary = scratch.0.join("temporary");
    fs::create_dir_all(&temporary).unwrap();
    // Whoever runs the tests may ignore signals, and what they start would too.
    let done = tool_under(&["env", "--default-signal"])
        .env("TMPDIR", &temporary)
        .args(["run", "--preload"])
        .arg(library)
        .args(["sh", "-c", command])
        .output()
        .unwrap();
    (done, fs::read_dir(temporary).unwrap().count())
}

/// What a program does that waits for a signal; it does not wait for ever.
const UNTIL_SIGNALLED: &str = "i=0; while [ $i -lt 30000000 ]; do i=$((i+1)); done; exit 9";

#[test]
fn a_signal_that_asks_for_an_end_reaches_the_program() {
    let scratch = Scratch::new("signals");
    let library = scratch.library("nothing.so", "");
    for (name, number) in [("HUP", 1), ("INT", 2), ("QUIT", 3), ("TERM", 15)] {
        let killed = run_in_own_temporary_folder(&scratch, &library, &format!("kill -{name} $PPID; {UNTIL_SIGNALLED}"));
        assert_eq!((killed.0.status.code(), killed.1), (Some(128 + number), 0), "{name}");
        let handled = format!("trap 'exit 4' {name}; kill -{name} $PPID; {UNTIL_SIGNALLED}");
        let handled = run_in_own_temporary_folder(&scratch, &library, &handled);
        assert_eq!((handled.0.status.code(), handled.1), (Some(4), 0), "{name}");
        // The program's own, and nothing that we hold back is held back from it.
        assert_eq!(
            run(&library, &["sh", "-c", &format!("kill -{name} $$")]).status.code(),
            Some(128 + number),
            "{name}"
        );
    }
}

#[test]
fn a_signal_that_is_ignored_stays_so() {
    let scratch = Scratch::new("nohup");
    let library = scratch.library("nothing.so", "");
    let inner = "kill -HUP $PPID; kill -HUP $$; exit 5";
    let done = tool_under(&["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"])
        .args(["run", "--preload"])
        .arg(&library)
        .args(["sh", "-c", inner])
        .output()
        .unwrap();
    assert_eq!(done.status.code(), Some(5), "{}", text(&done.stderr));
}

/// LD_PRELOAD cannot name such a path, and the folder for temporary files may be one too.
#[test]
fn a_library_in_a_folder_with_a_blank_is_preloaded_through_a_link() {
    let scratch = Scratch::new("a blank: and $more");
    let library = scratch.library("planner.so", &reporting("planner pid=1"));
    for temporary in [env::temp_dir(), scratch.0.clone()] {
        let done = tool()
            .env("TMPDIR", &temporary)
            .args(["run", "--preload"])
            .arg(&library)
            .args(["sh", "-c", "echo $LD_PRELOAD"])
            .output()
            .unwrap();
        assert_eq!(text(&done.stderr), "", "in {}", temporary.display());
        let preloaded = text(&done.stdout);
        assert!(!preloaded.trim_end().contains([' ', ':', '$']), "{preloaded}");
        assert!(!Path::new(preloaded.trim_end()).exists(), "{preloaded} was left behind");
    }
}
