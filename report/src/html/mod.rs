//! The report as one HTML file: a picture to walk through, the findings, and tables. It loads nothing from anywhere.

use std::fmt::Write;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::diagnosis::Finding;
use crate::json;
use crate::map::MemoryMap;
use crate::picture::{Rectangle, rectangles};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// One module in pieces; what one declares, all later ones see.
const SCRIPTS: &[&str] = &[
    include_str!("script/text.js"),
    include_str!("script/model.js"),
    include_str!("script/view.js"),
    include_str!("script/layout.js"),
    include_str!("script/picture.js"),
    include_str!("script/facts.js"),
    include_str!("script/table.js"),
    include_str!("script/summary.js"),
    include_str!("script/search.js"),
    include_str!("script/controls.js"),
    include_str!("script/page.js"),
];

/// The page of these maps, and of what is worth knowing about them.
#[must_use]
pub fn html(maps: &[MemoryMap], findings: &[Finding]) -> String {
    let script = SCRIPTS.concat();
    let title = maps.first().map_or("", |map| &map.title);
    let rectangles: Vec<Vec<Rectangle>> = maps.iter().map(rectangles).collect();
    let mut page = String::new();
    let mut rest = PAGE;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, after)| Some((before, after.split_once("}}")?)))
    {
        page += before;
        match name {
            "title" => page += &text(title),
            "policy" => write_policy(&mut page, &script),
            "style" => page += STYLE,
            "report" => page += &data(&json::json(maps, findings)),
            "rectangles" => page += &data(&to_json(&rectangles)),
            "script" => page += &script,
            _ => unreachable!("page.html asks for {name}"),
        }
        rest = after;
    }
    page + rest
}

/// Nothing may be loaded from anywhere, and no script or style but the page's own is in force, wherever it came from.
fn write_policy(page: &mut String, script: &str) {
    let hash = |content: &str| BASE64_STANDARD.encode(Sha256::digest(content));
    let (script, style) = (hash(script), hash(STYLE));
    let _ = write!(
        page,
        "default-src 'none'; script-src 'sha256-{script}'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'"
    );
}

fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain numbers and words can be written")
}

/// JSON inside of a script element, which would end at `</script` and read on differently from `<!--`. Both have a `<`, which
/// JSON has in strings only. The two separators of lines are for readers that take JSON for a script.
fn data(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Text between tags.
fn text(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
