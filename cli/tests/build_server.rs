//! The steps of docs/integrate.md for build servers, as they stand there.

#[path = "../../report/tests/model_file/mod.rs"]
mod model_file;

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, process};

/// A folder with what the steps name, and the tool in a folder of the `PATH`.
struct Project(PathBuf);

impl Project {
    fn new(name: &str) -> Project {
        let path = env::temp_dir().join(format!("tflite-arena-build-server-{name}-{}", process::id()));
        fs::create_dir_all(path.join("models")).expect("it can be made");
        fs::create_dir_all(path.join("bin")).expect("it can be made");
        symlink(env!("CARGO_BIN_EXE_tflite-arena"), path.join("bin/tflite-arena")).expect("it can be made");
        let project = Project(path);
        project.write("released.tflite", 1024);
        project.write("models/detector.tflite", 1024);
        project
    }

    /// A chain of three tensors of so many bytes, of which the last two are alive beside the first at the end.
    fn write(&self, name: &str, bytes: i32) {
        let mut graph = model_file::Graph::default();
        let [x, y, z] = ["x", "y", "z"].map(|name| graph.tensor(name, "FLOAT32", &[bytes / 4]));
        graph.node("SOFTMAX", &[x], &[y]);
        graph.node("SOFTMAX", &[y], &[z]);
        (graph.inputs, graph.outputs) = (vec![x], vec![z]);
        fs::write(self.0.join(name), graph.file()).expect("it can be written");
    }

    fn run(&self, steps: &str) -> Output {
        let path = format!("{}:{}", self.0.join("bin").display(), env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("bash");
        shell.args(["-euo", "pipefail", "-c", steps]).current_dir(&self.0).env("PATH", path);
        shell.output().expect("it starts")
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The block of a language below the heading.
fn block(language: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/integrate.md");
    let page = fs::read_to_string(path).expect("it is there");
    let section =
        page.split("\n## ").find(|section| section.starts_with("In a build server")).expect("it has the heading");
    let block = section.split(&format!("```{language}\n")).nth(1).expect("it has the block");
    block.split("```").next().unwrap_or_default().to_owned()
}

#[test]
fn the_shell_s_lines_pass_and_fail() {
    let project = Project::new("shell");
    let steps = block("sh");
    assert_eq!(steps.lines().count(), 2);
    let done = project.run(&steps);
    assert!(done.status.success(), "{done:?}");
    let said = String::from_utf8_lossy(&done.stdout);
    assert_eq!(said.lines().filter(|line| line.starts_with("pass ")).count(), 3, "{said}");
    // 3 KiB, and then 3 MiB and a little more.
    project.write("models/detector.tflite", (1 << 20) + 64);
    let done = project.run(&steps);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let compare = project.run(steps.lines().nth(1).unwrap_or_default());
    assert_eq!(compare.status.code(), Some(1), "{compare:?}");
}

#[test]
fn the_workflow_s_steps_pass_and_fail() {
    let project = Project::new("workflow");
    let workflow = block("yaml");
    let runs: Vec<_> = workflow.lines().filter_map(|line| line.trim().strip_prefix("- run: ")).collect();
    let [install, check] = runs[..] else { panic!("{runs:?}") };
    // What it installs is this package.
    let package =
        install.split_whitespace().last().and_then(|path| path.strip_prefix("tflite-arena/")).expect("a path");
    assert_eq!(Path::new(env!("CARGO_MANIFEST_DIR")).file_name(), Path::new(package).file_name());
    let done = project.run(check);
    assert!(done.status.success(), "{done:?}");
    project.write("models/detector.tflite", (1 << 20) + 64);
    let done = project.run(check);
    let said = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    assert!(
        said.starts_with(
            "::error file=models/detector.tflite,title=max-arena::models/detector.tflite: the arena takes"
        ),
        "{said}"
    );
}
