//! The blocks of a well-formed page, for pages of published manuals. The extension's own reading is measured elsewhere.

use pith_engine::digest::{Block, BlockKind};

/// Elements whose text is not read.
const LEFT_OUT: [&str; 7] = ["head", "script", "style", "nav", "header", "footer", "sup"];
/// Elements that begin and end a block.
const BLOCKS: &str = "p div section article main ul ol dl dt dd li h1 h2 h3 h4 h5 h6 blockquote pre table thead tbody tr td th";

/// Blocks in page order.
pub fn blocks(html: &str) -> Vec<Block> {
    let mut reader = Reader::default();
    let mut rest = html;
    while let Some((text, tail)) = rest.split_once('<') {
        reader.text(text);
        if let Some((_, behind)) = tail.strip_prefix("!--").and_then(|comment| comment.split_once("-->")) {
            rest = behind;
            continue;
        }
        let Some((tag, behind)) = tail.split_once('>') else { break };
        reader.tag(tag);
        rest = behind;
    }
    reader.end();
    reader.blocks
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    text: String,
    /// Open elements, as far as they matter.
    open: Vec<String>,
    /// Cells of the row that is read, and whether all are headers.
    row: Option<(Vec<String>, bool)>,
    headers: Vec<String>,
}

impl Reader {
    fn text(&mut self, text: &str) {
        if !self.open.iter().any(|name| LEFT_OUT.contains(&name.as_str())) {
            self.text.push_str(&unescaped(text));
        }
    }

    fn tag(&mut self, tag: &str) {
        let (closes, tag) = tag.strip_prefix('/').map_or((false, tag), |name| (true, name));
        let name = tag.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        let name = name.to_ascii_lowercase();
        let is_block = BLOCKS.split(' ').any(|known| known == name);
        if name == "br" {
            self.text.push('\n');
        }
        if is_block {
            self.end();
        }
        match (name.as_str(), closes) {
            ("table", false) => self.headers.clear(),
            ("tr", false) => self.row = Some((Vec::new(), true)),
            ("tr", true) => self.end_row(),
            ("td" | "th", false) => {
                if let Some((cells, only_headers)) = &mut self.row {
                    cells.push(String::new());
                    *only_headers &= name == "th";
                }
            }
            _ => {}
        }
        let kept = is_block || LEFT_OUT.contains(&name.as_str());
        if closes {
            // What was left open inside ends, too.
            if let Some(at) = self.open.iter().rposition(|open| *open == name) {
                self.open.truncate(at);
            }
        } else if kept && !tag.ends_with('/') {
            self.open.push(name);
        }
    }

    /// Ends a block; the text of a cell goes to its row.
    fn end(&mut self) {
        let raw = std::mem::take(&mut self.text);
        let is_open = |name: &str| self.open.iter().any(|open| open == name);
        let text = raw.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() {
            return;
        }
        if let Some(cell) = self.row.as_mut().and_then(|(cells, _)| cells.last_mut()) {
            cell.push_str(if cell.is_empty() { "" } else { " " });
            cell.push_str(&text);
            return;
        }
        let kind = match () {
            () if self.open.iter().any(|open| open.len() == 2 && open.starts_with('h')) => BlockKind::Heading,
            () if is_open("pre") => BlockKind::Code,
            () if is_open("li") => BlockKind::ListItem,
            () if is_open("blockquote") => BlockKind::Quote,
            () => BlockKind::Paragraph,
        };
        let text = if kind == BlockKind::Code { raw.trim().to_string() } else { text };
        self.blocks.push(Block::new(kind, text));
    }

    fn end_row(&mut self) {
        match self.row.take() {
            Some((cells, true)) => self.headers = cells,
            Some((cells, false)) => {
                let headers = self.headers.clone();
                self.blocks.push(Block { headers, ..Block::new(BlockKind::Table, cells.join("\t")) });
            }
            None => {}
        }
    }
}

/// The references of characters that these manuals use, replaced.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut pieces = text.split('&');
    out.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let known = piece.split_once(';').and_then(|(name, rest)| Some((character(name)?, rest)));
        match known {
            Some((c, rest)) => {
                out.push(c);
                out.push_str(rest);
            }
            None => {
                out.push('&');
                out.push_str(piece);
            }
        }
    }
    out
}

fn character(name: &str) -> Option<char> {
    let number = name.strip_prefix('#').and_then(|digits| match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    });
    let named = [("lt", '<'), ("gt", '>'), ("amp", '&'), ("quot", '"'), ("apos", '\''), ("nbsp", ' ')];
    match number {
        Some(number) => char::from_u32(number),
        None => named.iter().find(|(known, _)| *known == name).map(|(_, c)| *c),
    }
}
