//! The picture as an SVG file: time across, offset up, a rectangle for each tensor, and below it the bytes that are alive.

use std::fmt::Write;

use crate::map::{MemoryMap, Origin, Place};
use crate::numbers::{grouped, in_units};
use crate::picture::{Rectangle, Reuse, Uses, rectangles};

const WIDTH: f64 = 1280.0;
const PLOT: Box = Box { left: 84.0, top: 118.0, width: 1178.0, height: 520.0 };
const CURVE: Box = Box { left: 84.0, top: 688.0, width: 1178.0, height: 100.0 };
const HEIGHT: f64 = 800.0;
/// Of a letter, on average; what viewers have for a sans-serif font differs.
const LETTER: f64 = 6.3;
/// Longer names are cut in the texts that viewers show for a rectangle.
const LONGEST_NAME: usize = 200;

/// The same colours as the page's; see page.css for why these.
const STYLE: &str = "
:root{--page:#fff;--ink:#1b1f24;--quiet:#5a6472;--grid:#dde1e7;--free:#eef0f3;--live:#b9c2cf;--peak:#b3135b;
--fresh:#f0a43a;--fresh-ink:#3b2300;--reused:#4a86c8;--reused-ink:#fff;--alias:#a9d3f2;--alias-ink:#0d2c47;--kept:#434b59;--kept-ink:#fff}
@media(prefers-color-scheme:dark){:root{--page:#14171c;--ink:#e6e9ee;--quiet:#9aa5b4;--grid:#2d343f;--free:#20252d;--live:#4a5566;
--peak:#ff7eb6;--fresh:#e0922a;--fresh-ink:#1d1100;--reused:#3f76b5;--reused-ink:#fff;--alias:#86b9de;--alias-ink:#08213a;
--kept:#d3d9e2;--kept-ink:#14171c}}
svg{background:var(--page)}
text{font:11px system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:var(--ink)}
.title{font-size:18px;font-weight:600}.words{font-size:13px}.quiet{fill:var(--quiet)}.end{text-anchor:end}.middle{text-anchor:middle}
.free{fill:var(--free)}.grid{stroke:var(--grid)}.live{fill:var(--live)}.bound{stroke:var(--ink);stroke-dasharray:5 4}
.arena{stroke:var(--ink)}.peak{fill:var(--peak)}.band{fill:none;stroke:var(--peak)}.seam{stroke:var(--free);stroke-width:1}
.fresh{fill:var(--fresh)}.reused{fill:var(--reused)}.alias{fill:url(#hatch)}.kept{fill:var(--kept)}
.on-fresh{fill:var(--fresh-ink)}.on-reused{fill:var(--reused-ink)}.on-alias{fill:var(--alias-ink)}.on-kept{fill:var(--kept-ink)}
.hatch-ground{fill:var(--alias)}.hatch-lines{stroke:var(--reused)}.on-alias{stroke:var(--alias);stroke-width:4px;paint-order:stroke}
";

/// For what is overwritten in place, as on the page.
const HATCH: &str = "<pattern id=\"hatch\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">\
<rect class=\"hatch-ground\" width=\"8\" height=\"8\"/><path class=\"hatch-lines\" d=\"M-1 1L1-1M-1 9L9-1M7 9L9 7\"/></pattern>";

/// A part of the picture, in pixels.
struct Box {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Box {
    fn right(&self) -> f64 {
        self.left + self.width
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

/// The picture of a map.
#[must_use]
pub fn svg(map: &MemoryMap) -> String {
    let height = map.totals.arena.max(map.peak().1).max(1) as f64;
    let mut picture = Picture { map, uses: Uses::of(map), height, out: String::new() };
    picture.all().expect("a string takes all that is written to it");
    picture.out
}

struct Picture<'a> {
    map: &'a MemoryMap,
    uses: Uses,
    /// Bytes from the lowest to the highest edge.
    height: f64,
    out: String,
}

impl Picture<'_> {
    fn all(&mut self) -> std::fmt::Result {
        let title = escaped(&self.map.title);
        writeln!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">Memory of {title}</title>\n<style>{STYLE}</style>\n{HATCH}"
        )?;
        self.heading(&title)?;
        self.legend()?;
        self.scale_of_offsets()?;
        for rectangle in rectangles(self.map) {
            self.rectangle(&rectangle)?;
        }
        self.scale_of_time()?;
        self.curve()?;
        self.peak()?;
        self.out.write_str("</svg>\n")
    }

    fn heading(&mut self, title: &str) -> std::fmt::Result {
        let totals = &self.map.totals;
        let above = match totals.arena {
            arena if arena == totals.lower_bound => "at the lower bound".to_owned(),
            _ if totals.lower_bound == 0 => "above the lower bound of 0".to_owned(),
            _ => format!("{:.2} % above the lower bound of {}", totals.gap_percent(), grouped(totals.lower_bound)),
        };
        let [arena, naive, persistent] = [totals.arena, totals.naive, totals.persistent].map(both_ways);
        let strategy = self.map.options.strategy.map_or("places as given", |strategy| strategy.name());
        self.text("title", (16.0, 30.0), title)?;
        self.text("words", (16.0, 54.0), &format!("arena {arena}, {above}"))?;
        let rest = format!("naive {naive}, persistent {persistent}, {strategy}");
        self.text("words quiet", (16.0, 74.0), &rest)
    }

    fn legend(&mut self) -> std::fmt::Result {
        let mut x = PLOT.right();
        for (class, words) in [
            ("free", "free"),
            ("kept", "kept for the whole run"),
            ("alias", "overwritten in place"),
            ("reused", "used again"),
            ("fresh", "bytes nobody had before"),
        ] {
            x -= words.len() as f64 * LETTER;
            self.text("quiet", (x, 30.0), words)?;
            writeln!(self.out, "<rect class=\"{class}\" x=\"{}\" y=\"20\" width=\"11\" height=\"11\"/>", px(x - 16.0))?;
            x -= 32.0;
        }
        Ok(())
    }

    fn scale_of_offsets(&mut self) -> std::fmt::Result {
        self.background(&PLOT)?;
        self.text("quiet", (4.0, PLOT.top - 8.0), "offset")?;
        let step = self.step_of_offsets();
        let mut tick = 0usize;
        while tick as f64 <= self.height {
            let y = self.y(tick);
            self.line("grid", (PLOT.left, y), (PLOT.right(), y))?;
            self.text("quiet end", (PLOT.left - 8.0, y + 4.0), &tick_text(tick, step))?;
            let Some(next) = tick.checked_add(step) else { break };
            tick = next;
        }
        Ok(())
    }

    /// A power of two, of which the height has 8 to 16.
    fn step_of_offsets(&self) -> usize {
        ((self.height as usize / 16).max(1)).checked_next_power_of_two().unwrap_or(usize::MAX)
    }

    fn rectangle(&mut self, rectangle: &Rectangle) -> std::fmt::Result {
        let &Rectangle { tensor, reuse, first, end, offset, size } = rectangle;
        let (left, top) = (self.x(first), self.y(offset.saturating_add(size)));
        let (width, height) = ((self.x(end) - left).max(0.8), (self.y(offset) - top).max(0.8));
        let class = class(reuse);
        // Lines between neighbours, where these are large enough to have one.
        let seam = if width > 3.0 && height > 3.0 { " seam" } else { "" };
        writeln!(
            self.out,
            "<rect class=\"{class}{seam}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>",
            px(left),
            px(top),
            px(width),
            px(height),
            escaped(&self.description(tensor))
        )?;
        let letters = ((width - 8.0) / LETTER) as usize;
        if height < 13.0 || letters < 5 {
            return Ok(());
        }
        let name = &self.map.network.tensors[tensor].name;
        let name = if name.is_empty() { format!("tensor {tensor}") } else { last_letters(name, letters) };
        if name.chars().count() > letters {
            return Ok(());
        }
        self.text(&format!("on-{class}"), (left + 4.0, top + height / 2.0 + 4.0), &escaped(&name))
    }

    /// What the page's tooltip tells, in lines.
    fn description(&self, tensor: usize) -> String {
        let map = self.map;
        let Some(place) = &map.places[tensor] else { return map.name(tensor) };
        let mut text = last_letters(&map.name(tensor), LONGEST_NAME);
        if let Some(node) = self.uses.first_writer[tensor] {
            text += &format!("\nwritten by {}", self.step(node));
        }
        text += &format!(
            "\n{} bytes\n{}\noffset {}",
            grouped(map.network.tensors[tensor].bytes),
            self.life(place),
            grouped(place.offset)
        );
        match place.previous {
            _ if place.root != tensor => text += &format!("\ntakes over {}", self.short_name(place.root)),
            Some(previous) => text += &format!("\nbytes of {} before", self.short_name(previous)),
            None => text += "\nnobody had the bytes before",
        }
        text
    }

    fn short_name(&self, tensor: usize) -> String {
        last_letters(&self.map.name(tensor), LONGEST_NAME)
    }

    fn life(&self, place: &Place) -> String {
        let what = self.what_a_step_is();
        if matches!(self.map.origin, Origin::Table) {
            let [from, to] = [place.first_node as usize, place.last_node as usize + 1].map(|step| self.map.time(step));
            format!("from {what} {from} to {to}")
        } else if place.is_kept() {
            format!("from {what} {}, never given back", place.first_node)
        } else {
            format!("{what}s {} to {}", place.first_node, place.last_node)
        }
    }

    fn what_a_step_is(&self) -> &'static str {
        if matches!(self.map.origin, Origin::Table) { "time" } else { "node" }
    }

    /// `node 43 CONV_2D`; tables have times instead.
    fn step(&self, step: usize) -> String {
        let what = self.what_a_step_is();
        match self.map.network.nodes.get(step) {
            Some(node) => format!("{what} {step} {node}"),
            None => format!("{what} {}", self.map.time(step)),
        }
    }

    fn scale_of_time(&mut self) -> std::fmt::Result {
        self.text("quiet", (4.0, PLOT.bottom() + 16.0), self.what_a_step_is())?;
        let least = self.map.steps / 20;
        let powers = (0..).map_while(|power| 10usize.checked_pow(power));
        let step =
            powers.flat_map(|power| [1, 2, 5].map(|factor| power.saturating_mul(factor))).find(|&step| step > least);
        for tick in (0..self.map.steps).step_by(step.unwrap_or(usize::MAX)) {
            let x = (self.x(tick) + self.x(tick + 1)) / 2.0;
            self.text("quiet middle", (x, PLOT.bottom() + 16.0), &grouped(self.map.time(tick) as usize))?;
        }
        Ok(())
    }

    fn curve(&mut self) -> std::fmt::Result {
        self.background(&CURVE)?;
        self.text("quiet", (4.0, CURVE.top - 8.0), "live bytes")?;
        let live = self.map.live_bytes();
        write!(self.out, "<path class=\"live\" d=\"M{} {}", px(CURVE.left), px(CURVE.bottom()))?;
        for (step, &bytes) in live.iter().enumerate() {
            write!(self.out, "V{}H{}", px(self.curve_y(bytes)), px(self.x(step + 1)))?;
        }
        writeln!(self.out, "V{}Z\"/>", px(CURVE.bottom()))?;
        let totals = self.map.totals;
        let bound = if totals.arena == totals.lower_bound { "lower bound = arena" } else { "lower bound" };
        if totals.arena != totals.lower_bound {
            let y = self.y(totals.lower_bound);
            self.line("bound", (PLOT.left, y), (PLOT.right(), y))?;
            self.text("end", (PLOT.right() - 6.0, y - 4.0), bound)?;
            let y = self.curve_y(totals.arena);
            self.line("arena", (CURVE.left, y), (CURVE.right(), y))?;
            self.text("", (CURVE.left + 6.0, y + 12.0), "arena")?;
        }
        let y = self.curve_y(totals.lower_bound);
        self.line("bound", (CURVE.left, y), (CURVE.right(), y))?;
        self.text("end", (CURVE.right() - 6.0, y + 12.0), bound)?;
        let most = live.iter().copied().max().unwrap_or(0);
        self.text("quiet end", (CURVE.left - 8.0, self.curve_y(most) + 8.0), &short(most))?;
        self.text("quiet end", (CURVE.left - 8.0, CURVE.bottom()), "0 B")
    }

    fn peak(&mut self) -> std::fmt::Result {
        let (node, bytes) = self.map.peak();
        if bytes == 0 {
            return Ok(());
        }
        let left = self.x(node);
        let width = (self.x(node + 1) - left).max(1.5);
        for part in [PLOT, CURVE] {
            writeln!(
                self.out,
                "<rect class=\"band\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                px(left),
                px(part.top),
                px(width),
                px(part.height)
            )?;
        }
        let middle = left + width / 2.0;
        let [x1, x2, x3] = [middle - 5.0, middle + 5.0, middle].map(px);
        let [high, low] = [PLOT.top - 7.0, PLOT.top - 1.0].map(px);
        writeln!(self.out, "<path class=\"peak\" d=\"M{x1} {high}H{x2}L{x3} {low}Z\"/>")?;
        let text = format!("peak: {}, {} alive", self.step(node), short(bytes));
        let half = text.chars().count() as f64 * LETTER / 2.0;
        let x = middle.clamp(PLOT.left + half.min(PLOT.width / 2.0), PLOT.right() - half.min(PLOT.width / 2.0));
        self.text("peak middle", (x, PLOT.top - 12.0), &escaped(&text))
    }

    fn x(&self, step: usize) -> f64 {
        PLOT.left + PLOT.width * step as f64 / self.map.steps as f64
    }

    fn y(&self, offset: usize) -> f64 {
        PLOT.bottom() - PLOT.height * offset as f64 / self.height
    }

    fn curve_y(&self, bytes: usize) -> f64 {
        CURVE.bottom() - CURVE.height * bytes as f64 / self.height
    }

    /// What is text for XML already.
    fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) -> std::fmt::Result {
        writeln!(self.out, "<text class=\"{class}\" x=\"{}\" y=\"{}\">{text}</text>", px(x), px(y))
    }

    fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> std::fmt::Result {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(px);
        writeln!(self.out, "<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>")
    }

    fn background(&mut self, part: &Box) -> std::fmt::Result {
        let [x, y, width, height] = [part.left, part.top, part.width, part.height].map(px);
        writeln!(self.out, "<rect class=\"free\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>")
    }
}

fn class(reuse: Reuse) -> &'static str {
    match reuse {
        Reuse::Fresh => "fresh",
        Reuse::Reused => "reused",
        Reuse::Alias => "alias",
        Reuse::Kept => "kept",
    }
}

/// A tenth of a pixel is fine enough.
fn px(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

fn short(bytes: usize) -> String {
    Some(in_units(bytes)).filter(|text| !text.is_empty()).unwrap_or_else(|| format!("{bytes} B"))
}

fn both_ways(bytes: usize) -> String {
    let units = in_units(bytes);
    if units.is_empty() { format!("{bytes} bytes") } else { format!("{} bytes ({units})", grouped(bytes)) }
}

/// A multiple of a power of two, in the largest unit in which it has three decimals at most.
fn tick_text(tick: usize, step: usize) -> String {
    let units = [(1usize << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    match units.into_iter().find(|&(unit, _)| step >= unit / 8 && tick >= unit) {
        Some((unit, name)) => format!("{} {name}", tick as f64 / unit as f64),
        None => format!("{} B", grouped(tick)),
    }
}

/// The end of a name tells most.
fn last_letters(name: &str, letters: usize) -> String {
    match name.chars().count() {
        count if count <= letters => name.to_owned(),
        count => format!("…{}", name.chars().skip(count - letters + 1).collect::<String>()),
    }
}

/// Text between tags: what XML has no way to write is replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '\t' | '\n' => escaped.push(letter),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::*;
    use crate::input;
    use crate::testing::graph;

    /// Rectangles of tensors: their texts, and left, top, width and height.
    fn drawn(document: &Document<'_>) -> Vec<(String, [f64; 4])> {
        let titled = document.descendants().filter(|node| node.has_tag_name("rect") && node.has_children());
        titled
            .map(|rect| {
                let title = rect.first_element_child().unwrap().text().unwrap().to_owned();
                (title, ["x", "y", "width", "height"].map(|name| rect.attribute(name).unwrap().parse().unwrap()))
            })
            .collect()
    }

    #[test]
    fn rectangles_are_where_time_and_offset_say() {
        // x at the bottom for both nodes, above it a for both, and y for the second; 128 + 256 + 128 = 512 bytes high.
        let map = graph(
            "x 128 input
             a 256
             y 128 output
             CONV_2D x -> a
             CONV_2D a -> y",
        );
        let picture = svg(&map);
        let document = Document::parse(&picture).unwrap();
        let (left, middle, width, quarter) = (PLOT.left, PLOT.left + PLOT.width / 2.0, PLOT.width, PLOT.height / 4.0);
        let expected = [
            (
                "x (0)\n128 bytes\nfrom node 0, never given back\noffset 0\nnobody had the bytes before",
                [left, PLOT.top + 3.0 * quarter, width, quarter],
            ),
            (
                "a (1)\nwritten by node 0 CONV_2D\n256 bytes\nnodes 0 to 1\noffset 128\nnobody had the bytes before",
                [left, PLOT.top + quarter, width, 2.0 * quarter],
            ),
            (
                "y (2)\nwritten by node 1 CONV_2D\n128 bytes\nfrom node 1, never given back\noffset 384\nnobody had the bytes before",
                [middle, PLOT.top, width / 2.0, quarter],
            ),
        ];
        assert_eq!(drawn(&document), expected.map(|(text, place)| (text.to_owned(), place)));
    }

    #[test]
    fn any_name_makes_sound_xml() {
        let mut map = graph("x 64 input\ny 64 output\nCONV_2D x -> y");
        map.network.tensors[0].name = "]]></title></svg>\"&<![CDATA[\u{1}\u{ffff}\u{1f9e0}".to_owned();
        map.network.tensors[1].name = "y".repeat(10_000);
        map.network.nodes[0].op = "</text><script>".to_owned();
        map.title = "a & b\0".to_owned();
        let picture = svg(&map);
        let document = Document::parse(&picture).unwrap();
        let texts = drawn(&document);
        assert!(
            texts[0].0.starts_with("]]></title></svg>\"&<![CDATA[\u{fffd}\u{fffd}\u{1f9e0} (0)\n"),
            "{}",
            texts[0].0
        );
        assert!(texts[1].0.contains("written by node 0 </text><script>\n"), "{}", texts[1].0);
        assert!(picture.len() < 10_000, "{} bytes: the long name is cut", picture.len());
        assert!(!document.descendants().any(|node| node.has_tag_name("script")));
    }

    #[test]
    fn what_is_small_has_no_label() {
        // A thousand steps of a pixel each, and one buffer that lasts.
        let mut table = "id,lower,upper,size,offset\nlong,0,1000,100,100\n".to_owned();
        for step in 0..1000 {
            table += &format!("short {step},{step},{},100,0\n", step + 1);
        }
        let map = &input::read(table.as_bytes(), "table", None).unwrap()[0];
        let picture = svg(map);
        let document = Document::parse(&picture).unwrap();
        let is_label =
            |node: &roxmltree::Node<'_, '_>| node.attribute("class").is_some_and(|class| class.starts_with("on-"));
        let labels: Vec<_> = document.descendants().filter(is_label).filter_map(|node| node.text()).collect();
        assert_eq!(labels, ["long"]);
        assert_eq!(drawn(&document).len(), 1001);
    }

    #[test]
    fn scales_have_few_decimals() {
        assert_eq!(tick_text(1_703_936, 131_072), "1.625 MiB");
        assert_eq!(tick_text(917_504, 131_072), "896 KiB");
        assert_eq!(tick_text(1_114_112, 65_536), "1088 KiB");
        assert_eq!(tick_text(0, 131_072), "0 B");
    }
}
