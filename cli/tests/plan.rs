//! `tflite-arena plan` from outside: CSV in, CSV out, the line with the figures, the exit status.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::{env, fs, process};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn tool(arguments: &[&str]) -> Command {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tflite-arena"));
    tool.arg("plan").args(arguments);
    tool
}

/// Hands `input` to a command's standard input.
fn fed(mut command: Command, input: &[u8]) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    // A command that refuses its options does not read.
    let _ = child.stdin.take().expect("it is piped").write_all(input);
    child.wait_with_output().expect("it ends")
}

/// Plans what is on standard input.
fn plan(input: impl AsRef<[u8]>, options: &[&str]) -> Output {
    fed(tool(&[&["-"], options].concat()), input.as_ref())
}

/// The text of the error that `input` leads to.
fn refusal(input: impl AsRef<[u8]>) -> String {
    let done = plan(input, &[]);
    let said = text(&done.stderr);
    assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(125), ""), "{said}");
    said.strip_prefix("tflite-arena: standard input: ").unwrap_or(&said).trim_end().to_owned()
}

/// 4 units each. Nothing reuses b5's; b1, b3 and b5 are alive at 0, so 12 is the least; b2 and b4 take b1's.
const FIVE: &str = "id,lower,upper,size\nb1,0,3,4\nb2,3,9,4\nb3,0,9,4\nb4,9,21,4\nb5,0,21,4\n";

#[test]
fn rows_come_back_with_offsets_and_a_line_with_the_figures() {
    let done = plan(FIVE, &["--strategy", "greedy"]);
    let expected = "id,lower,upper,size,offset\nb1,0,3,4,0\nb2,3,9,4,0\nb3,0,9,4,4\nb4,9,21,4,0\nb5,0,21,4,8\n";
    assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(0), expected));
    let said = text(&done.stderr);
    assert!(
        said.starts_with("5 buffers, naive 20, lower bound 12, height 12, gap 0.00 %, optimal, 0 steps, "),
        "{said}"
    );
    assert!(said.ends_with(" s\n"), "{said}");
}

#[test]
fn columns_come_in_any_order_and_all_of_them_are_kept() {
    // a is alive at 0 and 1, b at 1 and 2: `end` belongs to the interval. Were it not so, both would lie at 0.
    let input = "hint,end,size,buffer_id,begin\nx,1,8,a,0\n\"y,z\",2,8,b,1\n";
    let expected = "hint,end,size,buffer_id,begin,offset\nx,1,8,a,0,0\n\"y,z\",2,8,b,1,8\n";
    assert_eq!(text(&plan(input, &["--strategy", "greedy"]).stdout), expected);
    // 1 is the upper bound of a and the lower one of b: they may share.
    let apart = "start,buffer,upper,size\n0,a,1,8\n1,b,2,8\n";
    assert_eq!(text(&plan(apart, &[]).stdout), "start,buffer,upper,size,offset\n0,a,1,8,0\n1,b,2,8,0\n");
}

#[test]
fn a_column_of_offsets_fixes_those_that_it_names_and_is_written_over() {
    // b must be at 16: of the gap before it a takes 10 bytes, and c's 8 do not fit the other 6.
    let input = "id,lower,upper,offset,size\na,0,2,,10\nb,0,2,16,4\nc,0,2,,8\n";
    let expected = "id,lower,upper,offset,size\na,0,2,0,10\nb,0,2,16,4\nc,0,2,20,8\n";
    assert_eq!(text(&plan(input, &["--strategy", "greedy"]).stdout), expected);
}

#[test]
fn alignment_is_the_file_s_where_it_says_and_else_the_option_s() {
    // In the order of size: a at 0, b behind it at 10, which is 16 or 64, c at the next 8 or, as b leaves it room, 16.
    let input = "id,lower,upper,size,alignment\na,0,1,10,\nb,0,1,9,64\nc,0,1,8,8\n";
    let offsets = |done: Output| -> Vec<String> {
        text(&done.stdout).lines().skip(1).map(|line| line.rsplit(',').next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(offsets(plan(input, &["--strategy", "greedy"])), ["0", "64", "16"]);
    let without = "id,lower,upper,size\na,0,1,10\nb,0,1,9\nc,0,1,8\n";
    assert_eq!(offsets(plan(without, &["--strategy", "greedy"])), ["0", "10", "19"]);
    assert_eq!(offsets(plan(without, &["--strategy", "greedy", "--alignment", "16"])), ["0", "16", "32"]);
}

#[test]
fn in_order_places_as_buffers_begin() {
    // Greedy puts c, the largest, at 0; in order a is there first.
    let input = "id,lower,upper,size\nc,1,3,30\na,0,2,10\nb,2,4,20\n";
    let rows = |strategy| text(&plan(input, &["--strategy", strategy]).stdout);
    assert_eq!(rows("greedy"), "id,lower,upper,size,offset\nc,1,3,30,0\na,0,2,10,30\nb,2,4,20,30\n");
    assert_eq!(rows("in-order"), "id,lower,upper,size,offset\nc,1,3,30,10\na,0,2,10,0\nb,2,4,20,40\n");
}

#[test]
fn the_exit_status_tells_whether_the_capacity_was_met() {
    let with = |capacity: &str| {
        let done = plan(FIVE, &["--capacity", capacity]);
        // The plan is written all the same.
        assert_eq!(text(&done.stdout).lines().count(), 6);
        (done.status.code(), text(&done.stderr))
    };
    assert_eq!(with("12").0, Some(0));
    let (status, said) = with("11");
    assert_eq!(status, Some(1));
    assert!(said.ends_with("capacity 11 cannot be met\n"), "{said}");
    // Greedy leaves a hole: d at 0, so c, alive all the time, on it at 3; then a below c at 0, but b behind it at 5.
    // With c at 4, on a and b, 6 would do.
    let hole = "id,lower,upper,size\na,1,3,2\nb,1,3,2\nc,0,4,2\nd,3,4,3\n";
    let done = plan(hole, &["--strategy", "greedy", "--capacity", "6"]);
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("lower bound 6, height 7, gap 16.67 %, not proven optimal, "), "{said}");
    assert!(said.ends_with("capacity 6 not met\n"), "{said}");
}

#[test]
fn files_are_read_and_written_by_name() {
    let folder = env::temp_dir().join(format!("tflite-arena-plan-test-{}", process::id()));
    fs::create_dir(&folder).expect("it is new");
    let (input, output) = (folder.join("in.csv"), folder.join("out.csv"));
    fs::write(&input, FIVE).expect("it is writable");
    let done = tool(&[]).arg(&input).arg("-o").arg(&output).output().expect("it starts");
    assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(0), ""));
    let written = fs::read_to_string(&output).expect("it was written");
    assert_eq!(written, text(&plan(FIVE, &[]).stdout));

    // The result is a problem in which everything is fixed, and stays as it is.
    let again = tool(&[]).arg(&output).output().expect("it starts");
    assert_eq!(text(&again.stdout), written);

    let missing = tool(&[]).arg(folder.join("none.csv")).output().expect("it starts");
    assert_eq!(missing.status.code(), Some(125));
    assert!(text(&missing.stderr).contains("none.csv: No such file"), "{}", text(&missing.stderr));
    fs::write(&input, "id,lower,upper,size\na,0,0,1\n").expect("it is writable");
    let malformed = tool(&[]).arg(&input).arg("-o").arg(&output).output().expect("it starts");
    assert!(text(&malformed.stderr).contains("in.csv: line 2, column 3 (upper)"), "{}", text(&malformed.stderr));
    assert_eq!(fs::read_to_string(&output).expect("it is still there"), written);
    fs::remove_dir_all(&folder).expect("it is ours");
}

/// The fenced blocks of the README under this heading: their languages and lines.
fn readme_blocks(heading: &str) -> Vec<(String, String)> {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md")).expect("it is there");
    let section = readme.split("\n## ").find(|section| section.starts_with(heading)).expect("it has the heading");
    let fenced = section.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).map(|(language, text)| (language.into(), text.into())).collect()
}

#[test]
fn the_readme_s_example_is_what_comes_out() {
    let blocks = readme_blocks("From a CSV file");
    let [(csv, input), (sh, command), (_, expected)] = &blocks[..] else { panic!("{blocks:?}") };
    assert_eq!((csv.as_str(), sh.as_str()), ("csv", "sh"));
    let options = command.trim_end().strip_prefix("target/release/tflite-arena plan buffers.csv ").expect("it plans");
    let done = plan(input, &options.split(' ').collect::<Vec<_>>());
    assert_eq!((done.status.code(), &text(&done.stdout)), (Some(0), expected));
}

#[test]
fn no_buffers_need_no_arena() {
    let done = plan("id,lower,upper,size\n", &["--capacity", "0"]);
    assert_eq!((done.status.code(), text(&done.stdout).as_str()), (Some(0), "id,lower,upper,size,offset\n"));
    // Nothing to hold takes no room, wherever it is.
    let empty = plan("id,lower,upper,size\na,0,9,0\nb,0,9,5\nc,0,9,0\n", &["--capacity", "5"]);
    assert_eq!((empty.status.code(), text(&empty.stdout).lines().nth(2)), (Some(0), Some("b,0,9,5,0")));
}

#[test]
fn times_may_be_far_apart() {
    let far = u64::MAX;
    let input = format!("id,lower,upper,size\na,0,{far},8\nb,{},{far},8\nc,5,6,8\n", far - 1);
    let done = plan(input, &["--strategy", "greedy"]);
    let offsets: Vec<_> = text(&done.stdout).lines().skip(1).map(|line| line.ends_with(",8")).collect();
    assert_eq!((done.status.code(), offsets), (Some(0), vec![false, true, true]));
}

#[test]
fn what_is_malformed_is_told_with_line_and_column() {
    let rows = |rows: &str| refusal(format!("id,lower,upper,size\na,0,1,8\n{rows}"));
    for (input, expected) in [
        ("b,-1,2,8\n", "line 3, column 2 (lower): \"-1\" is not a whole number from 0 up"),
        ("b,1,2,-8\n", "line 3, column 4 (size): \"-8\" is not a whole number from 0 up"),
        ("b,1,2.5,8\n", "line 3, column 3 (upper): \"2.5\" is not a whole number from 0 up"),
        ("b,1,18446744073709551616,8\n", "line 3, column 3 (upper): 18446744073709551616 is too large"),
        ("b,1,2,18446744073709551615\n", "line 3, column 4 (size): the buffers up to here exceed the address space"),
        ("b,,2,8\n", "line 3, column 2 (lower): a number is missing"),
        ("b,2,2,8\n", "line 3, column 3 (upper): 2 to 2 is no time at all"),
        ("b,3,2,8\n", "line 3, column 3 (upper): 3 to 2 is no time at all"),
        ("a,1,2,8\n", "line 3, column 1 (id): \"a\" is the id of line 2 already"),
        ("b,1,2\n", "line 3, column 4 (size): the line has 3 columns, the first line has 4"),
        ("b,1,2,8,9\n", "line 3, column 5: the line has 5 columns, the first line has 4"),
        ("\n\nb,1,x,8\n", "line 5, column 3 (upper): \"x\" is not a whole number from 0 up"),
        ("b\0,1,2,8\n", "line 3, column 1 (id): the id holds a NUL byte"),
        ("b,1\0,2,8\n", "line 3, column 2 (lower): \"1\\0\" is not a whole number from 0 up"),
    ] {
        assert_eq!(rows(input), expected, "{input:?}");
    }
    assert_eq!(refusal(b"id,lower,upper,size\na,0,1,8\nb,1,2,\xff\n"), "line 3, column 4 (size): this is not UTF-8");
    assert_eq!(refusal(b"id,\xff,upper,size\n"), "line 1, column 2: this is not UTF-8");
}

#[test]
fn a_header_that_says_too_little_or_too_much_is_refused() {
    for (header, expected) in [
        ("", "line 1: there is no column \"id\" or \"buffer\" or \"buffer_id\""),
        ("id,lower,upper\n", "line 1: there is no column \"size\""),
        ("id,upper,size\n", "line 1: there is no column \"lower\" or \"begin\" or \"start\""),
        ("id,lower,size\n", "line 1: there is no column \"upper\" or \"end\""),
        ("id,lower,upper,size,end\n", "line 1, column 5 (end): there is a column for \"upper\" already"),
        ("id,id,lower,upper,size\n", "line 1, column 2 (id): there is a column for \"id\" already"),
    ] {
        assert_eq!(refusal(header), expected, "{header:?}");
    }
}

#[test]
fn alignments_and_fixed_offsets_that_cannot_be_are_refused() {
    let rows = |rows: &str| refusal(format!("id,lower,upper,size,alignment,offset\n{rows}"));
    for (input, expected) in [
        ("a,0,1,8,0,\n", "line 2, column 5 (alignment): 0 is not a power of two"),
        ("a,0,1,8,48,\n", "line 2, column 5 (alignment): 48 is not a power of two"),
        ("a,0,1,8,-2,\n", "line 2, column 5 (alignment): \"-2\" is not a whole number from 0 up"),
        ("a,0,1,8,4,6\n", "line 2, column 6 (offset): offset 6 is not a multiple of the alignment 4"),
        ("a,0,1,8,1,-6\n", "line 2, column 6 (offset): \"-6\" is not a whole number from 0 up"),
        (
            "a,0,1,8,1,18446744073709551615\n",
            "line 2, column 4 (size): the buffers up to here exceed the address space",
        ),
    ] {
        assert_eq!(rows(input), expected, "{input:?}");
    }
    let clash = rows("a,0,2,8,1,0\nb,1,3,8,1,7\n");
    assert_eq!(clash, "tflite-arena: buffer \"a\" and buffer \"b\" share the bytes 7..8");
    for alignment in ["0", "3", "-1", "x"] {
        assert_eq!(plan(FIVE, &["--alignment", alignment]).status.code(), Some(2), "{alignment}");
    }
}

#[test]
fn gaps_that_cannot_be_are_refused() {
    for (gaps, expected) in [
        ("3", "gap \"3\": there is no '-' in \"3\""),
        ("3-x", "gap \"3-x\": \"x\" is not a whole number from 0 up"),
        ("3-4-5", "gap \"3-4-5\": \"4-5\" is not a whole number from 0 up"),
        ("4-4", "gap \"4-4\": 4 to 4 is no time at all"),
        ("1-3", "gap \"1-3\": it lies outside the buffer's life"),
        ("8-10", "gap \"8-10\": it lies outside the buffer's life"),
        ("3-5 4-6", "two gaps share the time 4"),
        ("3-4@2", "gap \"3-4@2\": there is no ':' in \"2\""),
        ("3-4@2:2", "gap \"3-4@2:2\": 2:2 is no part of the buffer's 8 bytes"),
        ("3-4@0:9", "gap \"3-4@0:9\": 0:9 is no part of the buffer's 8 bytes"),
        ("3-4@", "gap \"3-4@\": there is no ':' in \"\""),
    ] {
        let said = refusal(format!("id,lower,upper,size,gaps\na,2,9,8,{gaps}\n"));
        assert_eq!(said, format!("line 2, column 5 (gaps): {expected}"), "{gaps}");
    }
}

/// A problem that no search solves at once.
fn hard_problem() -> Vec<u8> {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_tflite-arena"));
    tool.args(["generate", "cut", "--buffers", "400"]).output().expect("it starts").stdout
}

#[test]
fn an_interrupted_search_hands_over_what_it_has() {
    // The signal is there, held back, before the tool has begun.
    let script = "kill -INT $$ && exec \"$@\"";
    let mut held = Command::new("env");
    held.args(["--block-signal=INT", "sh", "-c", script, "sh", env!("CARGO_BIN_EXE_tflite-arena")]);
    held.args(["plan", "-", "--strategy", "exact"]);
    let done = fed(held, &hard_problem());
    let said = text(&done.stderr);
    assert_eq!(done.status.code(), Some(0), "{said}");
    assert!(said.contains("lower bound 1048576, ") && said.ends_with(" s, interrupted\n"), "{said}");
    assert!(text(&done.stdout).lines().count() > 400);
}

#[test]
fn a_search_ends_with_its_steps_the_same_way_each_time() {
    for strategy in ["best", "exact"] {
        let options = ["--strategy", strategy, "--steps", "2000"];
        let [one, other] = [(); 2].map(|()| plan(hard_problem(), &options));
        assert_eq!(one.status.code(), Some(0));
        assert_eq!(one.stdout, other.stdout, "{strategy}");
        let said = text(&one.stderr);
        let steps = said.split(", ").find_map(|part| part.strip_suffix(" steps")?.parse().ok());
        assert!(steps.is_some_and(|steps: u32| (1..=2000).contains(&steps)), "{strategy}: {said}");
    }
}

#[test]
fn a_search_meets_the_capacity_that_greedy_does_not() {
    let hole = "id,lower,upper,size\na,1,3,2\nb,1,3,2\nc,0,4,2\nd,3,4,3\n";
    for strategy in ["best", "exact"] {
        let done = plan(hole, &["--strategy", strategy, "--capacity", "6"]);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(0), "{strategy}: {said}");
        assert!(said.contains("height 6, gap 0.00 %, optimal, "), "{strategy}: {said}");
    }
}

/// a is away from 2 to 4, when b needs all there is; and from 6 to 8, when c needs the first half.
#[test]
fn buffers_lie_in_the_gaps_of_others() {
    let input = "id,lower,upper,size,gaps\na,0,9,8,2-4 6-8@4:8\nb,2,4,8,\nc,6,8,4,\n";
    let expected = "id,lower,upper,size,gaps,offset\na,0,9,8,2-4 6-8@4:8,0\nb,2,4,8,,0\nc,6,8,4,,0\n";
    for strategy in ["greedy", "in-order", "best", "exact"] {
        let done = plan(input, &["--strategy", strategy]);
        assert_eq!(text(&done.stdout), expected, "{strategy}: {}", text(&done.stderr));
    }
}

/// Cut off anywhere, or with any byte put in the place of another, a file is planned or refused, and both in order.
#[test]
fn damaged_files_are_survived() {
    let whole = "id,lower,upper,size,alignment,offset\n\"a\",0,3,4,4,\nb,3,9,40,1,8\n".as_bytes();
    let survives = |input: &[u8]| {
        let done = plan(input, &[]);
        let said = text(&done.stderr);
        match done.status.code() {
            Some(0) => assert!(!done.stdout.is_empty(), "{said}"),
            Some(125) => assert!(done.stdout.is_empty() && said.starts_with("tflite-arena: "), "{said}"),
            other => panic!("{other:?} for {}: {said}", text(input)),
        }
    };
    for cut in 0..whole.len() {
        survives(&whole[..cut]);
    }
    for at in 0..whole.len() {
        for byte in *b"\0\"\n,9-\xff" {
            let mut damaged = whole.to_vec();
            damaged[at] = byte;
            survives(&damaged);
        }
    }
}
