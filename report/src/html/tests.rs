use serde_json::Value;

use super::*;
use crate::testing::graph;

/// What stands between two pieces of a page, of which the first is there once.
fn between<'a>(page: &'a str, before: &str, after: &str) -> &'a str {
    assert_eq!(page.matches(before).count(), 1, "{before}");
    page.split_once(before).unwrap().1.split_once(after).unwrap().0
}

fn block(page: &str, id: &str) -> Value {
    serde_json::from_str(between(page, &format!("<script type=\"application/json\" id=\"{id}\">"), "</script>"))
        .unwrap()
}

#[test]
fn the_data_has_the_numbers_of_the_map() {
    // All at once at node 0: x and a; at node 1: x, a and y. x is kept for the whole run.
    let map = graph(
        "x 1000 input FLOAT32
         a 3000
         y 500 output
         CONV_2D x -> a
         CONV_2D a -> y",
    );
    let page = html(&[map], &[]);
    let report = block(&page, "report");
    let totals = &report["maps"][0]["totals"];
    // 1000, 3000 and 500 rounded up to 64 are 1024, 3008 and 512. One need not be padded: at best x, which lacks most, 24 bytes.
    assert_eq!([&totals["naive"], &totals["arena"], &totals["lower_bound"]], [4544, 4532, 4520]);
    assert_eq!(report["maps"][0]["live_bytes"], serde_json::json!([4032, 4544]));
    let rectangles = block(&page, "rectangles");
    let expected = serde_json::json!([[
        { "tensor": 0, "reuse": "kept", "first": 0, "end": 2, "offset": 0, "size": 1000 },
        { "tensor": 1, "reuse": "fresh", "first": 0, "end": 2, "offset": 1024, "size": 3000 },
        { "tensor": 2, "reuse": "kept", "first": 1, "end": 2, "offset": 4032, "size": 500 },
    ]]);
    assert_eq!(rectangles, expected);
}

#[test]
fn names_stay_names() {
    let hostile =
        ["</script><img src=x onerror=alert(1)>", "<!--<script>", "\u{2028}\"'&\\", "{{script}}", "\u{0}\u{1f9e0}"];
    let mut map = graph(
        "a 64 input
         b 64
         c 64
         d 64
         e 64 output
         CONV_2D a -> b
         CONV_2D b -> c
         CONV_2D c -> d
         CONV_2D d -> e",
    );
    for (tensor, name) in map.network.tensors.iter_mut().zip(hostile) {
        name.clone_into(&mut tensor.name);
    }
    map.title = hostile.concat();
    let finding = Finding { id: "hostile", map: Some(0), text: hostile.concat(), advice: Some(hostile.concat()) };
    let page = html(&[map], &[finding]);
    let report = block(&page, "report");
    for (tensor, name) in hostile.iter().enumerate() {
        assert_eq!(report["maps"][0]["tensors"][tensor]["name"], *name);
    }
    assert_eq!(report["findings"][0]["text"], hostile.concat());
    assert_eq!(page.matches("<script").count(), 3, "the page's own");
    assert_eq!(page.matches("</script").count(), 3, "the page's own");
    assert!(!page.contains("<img") && !page.contains("<!--"));
    let (_, data) = page.split_once("<script type=\"application/json\"").unwrap();
    assert!(!data.contains('\u{2028}'), "no end of a line in what may be taken for a script");
}

#[test]
fn the_policy_lets_the_pages_own_script_and_style_through_and_nothing_else() {
    let page = html(&[graph("x 64 input")], &[]);
    let policy = between(&page, "http-equiv=\"Content-Security-Policy\" content=\"", "\"");
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)));
    let script = hash(between(&page, "<script type=\"module\">", "</script>"));
    let style = hash(between(&page, "<style>", "</style>"));
    let rules: Vec<_> = policy.split("; ").collect();
    let [script, style] = [format!("script-src {script}"), format!("style-src {style}")];
    assert_eq!(rules, ["default-src 'none'", &script, &style, "base-uri 'none'", "form-action 'none'"]);
}
