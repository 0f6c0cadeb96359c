//! Markdown, as it is pasted into a ticket or a README.

use crate::document::{Align, Cell, Document, Mark, Part, Table};

pub(crate) fn render(document: &Document) -> String {
    let document = &document.printable();
    let parts = document.parts.iter().map(|part| match part {
        Part::Heading(text) => format!("## {}\n", escape(text)),
        Part::Paragraph(text) => format!("{}\n", escape(text)),
        Part::List(items) => items.iter().map(|item| format!("- {}\n", escape(item))).collect(),
        Part::Table(table) => render_table(table),
        Part::Verbatim(lines) => verbatim(lines),
    });
    let body: Vec<String> = parts.collect();
    format!("# {}\n\n{}", escape(&document.title), body.join("\n"))
}

/// A fence that is longer than any run of its own sign within.
fn verbatim(lines: &str) -> String {
    let longest = lines.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}\n", lines.trim_end())
}

fn render_table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let header = line(table.columns.iter().map(|(name, _)| escape(name)).collect());
    let rule =
        table.columns.iter().map(|(_, align)| if *align == Align::Left { "---" } else { "---:" }.to_owned());
    let rows: String = table.rows.iter().map(|row| line(row.iter().map(shown).collect())).collect();
    format!("**{}**\n\n{header}{}{rows}", escape(&table.title), line(rule.collect()))
}

/// The best in bold, what cannot be told apart from it underlined.
fn shown(cell: &Cell) -> String {
    match cell.mark {
        Mark::Best => format!("**{}**", escape(&cell.text)),
        Mark::Level => format!("<u>{}</u>", escape(&cell.text)),
        Mark::None => escape(&cell.text),
    }
}

/// Keeps names such as `*_score|a` or `<img src=x>` from turning into formatting, links or HTML.
fn escape(text: &str) -> String {
    let special = |c: char| matches!(c, '\\' | '|' | '*' | '_' | '`' | '<' | '[' | ']' | '#' | '&' | '~');
    text.chars().flat_map(|c| special(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_as_it_is_stays_within_its_fence() {
        assert_eq!(verbatim("a_b\n"), "```text\na_b\n```\n");
        assert_eq!(verbatim("```\nx"), "````text\n```\nx\n````\n");
    }

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(escape("a_b|c"), "a\\_b\\|c");
        assert_eq!(escape("<b>&lt;~~x~~[y](z)"), "\\<b>\\&lt;\\~\\~x\\~\\~\\[y\\](z)");
    }
}
