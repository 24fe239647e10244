use super::*;

use crate::input::read;
use lines::WIDTH;
use unicode_width::UnicodeWidthStr;

/// See tests/reports.rs for its numbers.
const SMALL: &str = include_str!("../../tests/small.json");

fn maps(content: &str, title: &str) -> Vec<MemoryMap> {
    read(content.as_bytes(), title, None).unwrap()
}

fn finding(map: Option<usize>, text: &str, advice: Option<&str>) -> Finding {
    Finding { id: "some", map, text: text.to_owned(), advice: advice.map(str::to_owned) }
}

/// 4532 is 100 * 12 / 4520 = 0.27 % above the bound. Of the 4544 bytes that are needed at node 3, conv's 3000 are 66 %, image's
/// 1000 are 22 %, and pool's 500 are 11 %.
#[test]
fn a_recording_fits_a_screen() {
    let findings = [finding(Some(0), "Something is so.", Some("Do that.")), finding(None, "And this.", None)];
    let expected = "\
small.json
  Subgraph 0 as planner 2 of process 4242 recorded it: 5 nodes, 8 tensors.
  Planned by `greedy`, alignment 64.
               bytes
  arena        4,532  4.4 KiB  0.27 % above the lower bound
  lower bound  4,520  4.4 KiB  no plan can take less
  peak         4,544  4.4 KiB  3 tensors at node 3 (MAX_POOL_2D)
  naive        5,376  5.2 KiB  if no byte were used twice
  persistent     400           kept from run to run, beside the arena
  padding         20           of the lower bound, lost to alignment

What stands out
 * Something is so.
   > Do that.
 * And this.

Nodes that need most bytes
  node               bytes   peak  tensors  largest of them
     3  MAX_POOL_2D  4,544  100 %        3  conv (3)
     1  CONV_2D      4,032   89 %        2  conv (3)
     2  RESHAPE      4,032   89 %        2  conv (3)

Largest tensors in the arena
  tensor     written by     alive  offset  bytes  peak
  conv (3)   CONV_2D 1      1-3     1,024  3,000  66 %
  image (0)  input          0-end       0  1,000  22 %
  sum (6)    Blend 4        4-end   1,024    700     -
  pool (5)   MAX_POOL_2D 3  3-4     4,032    500  11 %
  tensor 7   Blend 4        4-4     1,728    100     -

Kept from run to run
  tensor      written by    offset  bytes  of all
  kernel (2)  DEQUANTIZE 0       0    400   100 %
";
    assert_eq!(text(&maps(SMALL, "small.json"), &findings, false), expected);
}

/// a, b and c are alive from time 1, with 2 bytes each; c and d from time 3, with 2 and 3.
#[test]
fn a_table_has_its_own_times_and_no_nodes() {
    let table = "id,lower,upper,size\na,1,3,2\nb,1,3,2\nc,0,4,2\nd,3,4,3\n";
    let expected = "\
a.csv
  A table of 4 buffers over 3 steps. Planned by `best`, alignment 1.
               bytes
  arena            6  at the lower bound
  lower bound      6  no plan can take less
  peak             6  3 tensors at time 1
  naive            9  if no byte were used twice
  persistent       0  kept from run to run, beside the arena
  padding          0  of the lower bound, lost to alignment

Where most bytes are needed
  time  bytes   peak  tensors  largest of them
     1      6  100 %        3  buffer a
     3      5   83 %        2  buffer d
     0      2   33 %        1  buffer c

Largest tensors in the arena
  tensor    alive  offset  bytes  peak
  buffer d  3-4         2      3     -
  buffer a  1-3         2      2  33 %
  buffer b  1-3         4      2  33 %
  buffer c  0-4         0      2  33 %
";
    assert_eq!(text(&maps(table, "a.csv"), &[], false), expected);
}

#[test]
fn several_are_summed_up_and_the_heaviest_is_shown() {
    let table = "id,lower,upper,size\na,0,1,2\nb,0,1,5\n";
    let both = [maps(table, "a.csv"), maps(SMALL, "small.json")].concat();
    let told = text(&both, &[finding(Some(1), "So it is.", None), finding(None, "All of it.", None)], false);
    let expected = "\
2 graphs
  #  graph       nodes  tensors  arena  lower bound  persistent
  2  small.json      5        8  4,532        4,520         400
  1  a.csv           0        2      7            7           0
     all             5       10  4,539        4,527         400

small.json
";
    assert!(told.starts_with(expected), "{told}");
    assert!(told.contains("\n * [2] So it is.\n * All of it.\n"), "{told}");
}

#[test]
fn what_is_too_much_is_counted() {
    // Two lines each, of which there are 16 in all.
    let findings = vec![finding(None, "So it is.", Some("Do that.")); 11];
    let told = text(&maps(SMALL, "small.json"), &findings, false);
    assert_eq!(told.matches(" * So it is.\n   > Do that.\n").count(), 8);
    assert!(told.contains("\n   and 3 more, which --html and --json have\n"), "{told}");
    let table = "id,lower,upper,size\na,0,1,2\n";
    let many: Vec<_> = (0..15).flat_map(|at| maps(table, &format!("{at}.csv"))).collect();
    let told = text(&many, &[], false);
    assert!(told.contains("\n      all, with 3 not shown      0       15     30           30           0\n"), "{told}");
}

/// Names are as long as they like, and hold what would move a terminal's cursor.
#[test]
fn no_line_is_wider_than_a_terminal_and_no_name_is_obeyed() {
    let name = format!("{}\\u001b[31m\\n", "block/".repeat(40));
    let hostile = SMALL.replace("\"conv\"", &format!("\"{name}\"")).replace("Blend", &name);
    let told = text(&maps(&hostile, &"t".repeat(200)), &[finding(None, &"x".repeat(300), None)], false);
    assert!(told.contains('…') && told.contains('\u{fffd}'), "{told}");
    for line in told.lines() {
        assert!(line.width() <= WIDTH && !line.contains(char::is_control), "{line:?}");
    }
}

#[test]
fn colours_change_nothing_but_headings() {
    let small = maps(SMALL, "small.json");
    let coloured = text(&small, &[], true);
    assert!(coloured.starts_with("\x1b[1msmall.json\x1b[0m\n"), "{coloured:?}");
    assert_eq!(coloured.replace("\x1b[1m", "").replace("\x1b[0m", ""), text(&small, &[], false));
}
