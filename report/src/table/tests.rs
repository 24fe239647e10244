use super::*;

fn read(text: &str) -> Table {
    Table::read(text.as_bytes(), Alignment::new(1).unwrap()).unwrap()
}

#[test]
fn gaps_are_sorted_and_stand_on_the_nodes_of_all_times() {
    // Times 2, 5, 7, 8, 9, 10, 12 and 1000 are the nodes 0 to 7.
    let table = read("id,lower,upper,size,gaps\na,5,1000,15,\nb,2,12,18,9-10@1:17 7-8\n");
    let lives: Vec<_> = table.buffers.iter().map(|buffer| (buffer.first_node, buffer.last_node)).collect();
    assert_eq!(lives, [(1, 6), (0, 5)]);
    let gap = |first_node, last_node, window| Gap { buffer: 1, first_node, last_node, window };
    assert_eq!(table.gaps, [gap(2, 2, None), gap(4, 4, Some((Bytes(1), Bytes(17))))]);
}

#[test]
fn a_column_end_is_included_in_lives_and_gaps() {
    let upper = read("id,lower,upper,size,gaps\na,5,10,15,6-8 9-10@0:4\n");
    let end = read("id,start,end,size,gaps\na,5,9,15,6-7 9-9@0:4\n");
    assert_eq!((upper.buffers, upper.gaps), (end.buffers, end.gaps));
}

#[test]
fn gaps_may_touch_and_fill_a_life() {
    let table = read("id,lower,upper,size,gaps\na,0,4,8,0-2@0:4 2-4@4:8\n");
    let nodes: Vec<_> = table.gaps.iter().map(|gap| (gap.first_node, gap.last_node)).collect();
    assert_eq!(nodes, [(0, 0), (1, 1)]);
}
