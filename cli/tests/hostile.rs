//! Damaged files through the tool itself: whatever the command, there is an answer, or exit status 125 with a place, in 200 MB of
//! address space and a minute.

#[path = "../../report/tests/model_file/mod.rs"]
mod model_file;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, process};

use model_file::Graph;

/// A process that is killed ends by a signal, and one that takes a minute with 124.
fn limited(arguments: &[&str]) -> Output {
    // In KiB. The program itself takes some tens of them.
    let script = "ulimit -v 204800 && exec timeout 60 \"$0\" \"$@\"";
    let tool = env!("CARGO_BIN_EXE_tflite-arena");
    Command::new("sh").args(["-c", script, tool]).args(arguments).output().expect("it starts")
}

/// A folder of its own for each test, which is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("tflite-arena-hostile-{name}-{}", process::id()));
        fs::create_dir_all(&path).expect("it can be made");
        Folder(path)
    }

    fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).expect("it can be written");
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What every command says of a file: true if it was read, by all of them.
fn all_commands(file: &str, sound: &str) -> bool {
    let commands: [&[&str]; 5] = [
        &["plan", file],
        &["report", file, "--json", "-"],
        &["check", file, "--max-arena", "1GiB", "--validate"],
        &["compare", file, sound],
        &["compare", sound, file, "--all"],
    ];
    let read = commands.map(|command| {
        let done = limited(command);
        let said = String::from_utf8_lossy(&done.stderr);
        match done.status.code() {
            // 1: data would be lost.
            Some(0 | 1) => true,
            Some(125) => {
                // A table whose buffers clash is refused with their names.
                let begins = [format!("tflite-arena: {file}: "), "tflite-arena: buffer ".to_owned()];
                let reason = begins.iter().find_map(|begin| said.strip_prefix(begin.as_str()));
                assert!(reason.is_some_and(|reason| reason.trim().len() > 8), "{said}");
                false
            }
            _ => panic!("{command:?} ends with {}: {said}", done.status),
        }
    });
    // `plan` alone refuses an altered recording, and a table in which buffers clash.
    assert!(read[1..].iter().all(|&one| one == read[1]), "{file}: {read:?}");
    read[1]
}

fn small_recording() -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../report/tests/small.json")).expect("it is there")
}

const TABLE: &[u8] = b"id,lower,upper,size,offset,gaps\na,0,4,8,0,1-2@0:4 2-3\nb,1,2,4,4,\nd,3,9,16,16,4-5\n";

fn sound_files() -> [(&'static str, Vec<u8>); 3] {
    [("recording", small_recording()), ("table", TABLE.to_vec()), ("model", Graph::convolution().file())]
}

#[test]
fn files_that_are_cut_off() {
    let folder = Folder::new("cut");
    for (name, content) in sound_files() {
        let sound = folder.file("sound", &content);
        assert!(all_commands(&sound, &sound));
        for cut in (0..content.len()).step_by(content.len() / 12) {
            let is_read = all_commands(&folder.file(name, &content[..cut]), &sound);
            assert!(name == "table" || !is_read, "{name} cut at {cut}");
        }
    }
}

#[test]
fn files_with_flipped_bits() {
    let folder = Folder::new("flipped");
    for (name, content) in sound_files() {
        let sound = folder.file("sound", &content);
        for number in 0..20u32 {
            let mut damaged = content.clone();
            // Knuth's multiplicative hash.
            let random = number.wrapping_add(1).wrapping_mul(2_654_435_761) >> 4;
            damaged[random as usize % content.len()] ^= 1 << (random % 8);
            all_commands(&folder.file(name, &damaged), &sound);
        }
    }
}

#[test]
fn absurd_numbers_and_depths() {
    let folder = Folder::new("absurd");
    let text = String::from_utf8(small_recording()).expect("it is text");
    let sound = folder.file("sound", text.as_bytes());
    let replaced = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1)
    };
    for (name, content) in [
        ("huge-tensor", replaced("\"bytes\": 1000,", "\"bytes\": 1000000000000000000,")),
        ("huge-place", replaced("\"size\": 1000", "\"size\": 1000000000000000000")),
        ("huge-offset", replaced("\"offset\": 1024", "\"offset\": 9223372036854775807")),
        ("huge-alignment", replaced("\"alignment\": 64", "\"alignment\": 9223372036854775808")),
        ("huge-shape", replaced("[1, 10, 25]", "[2147483647, 2147483647, -2147483648]")),
        ("far-node", replaced("\"first\": 1", "\"first\": 2147483646")),
        ("far-tensor", replaced("\"inputs\": [0", "\"inputs\": [2147483647")),
        ("deep", replaced("\"inputs\": [0", &format!("\"inputs\": {}", "[".repeat(1_000_000)))),
        ("deep-table", "[".repeat(1_000_000)),
        ("no-bytes", "\0".repeat(1_000_000)),
    ] {
        all_commands(&folder.file(name, content.as_bytes()), &sound);
    }
    let most = usize::MAX;
    for (name, rows) in [
        ("far", format!("a,0,{most},1\nb,{},{most},1\n", most - 1)),
        ("large", "a,0,1,9223372036854775800\n".to_owned()),
        ("too-large", format!("a,0,1,{most}\nb,0,1,{most}\n")),
    ] {
        let file = folder.file(name, format!("id,lower,upper,size\n{rows}").as_bytes());
        all_commands(&file, &sound);
    }
}

/// A limit that would not hold would let all else pass.
#[test]
fn the_limit_holds() {
    let folder = Folder::new("limit");
    let file = folder.file("large", &vec![b'0'; 300 << 20]);
    let done = limited(&["report", &file]);
    assert_ne!(done.status.code(), Some(0));
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(said.contains("memory"), "{said}");
}
