//! LaTeX: a document that compiles as it is, with `booktabs` tables to copy from.

use crate::document::{Align, Cell, Document, Mark, Part, Table};

pub(crate) fn render(document: &Document) -> String {
    let parts: Vec<String> = document
        .parts
        .iter()
        .map(|part| match part {
            Part::Paragraph(text) => format!("{}\n", escape(text)),
            Part::List(items) => {
                let items: String = items.iter().map(|item| format!("  \\item {}\n", escape(item))).collect();
                format!("\\begin{{itemize}}\n{items}\\end{{itemize}}\n")
            }
            Part::Table(table) => render_table(table),
            Part::Verbatim(lines) => {
                let lines = lines.replace("\\end{verbatim}", "\\end {verbatim}");
                format!("\\begin{{verbatim}}\n{}\n\\end{{verbatim}}\n", lines.trim_end())
            }
        })
        .collect();
    format!(
        "\\documentclass{{article}}\n\\usepackage[T1]{{fontenc}}\n\\usepackage[utf8]{{inputenc}}\n\
         \\usepackage{{booktabs}}\n\\begin{{document}}\n\\section*{{{}}}\n\n{}\\end{{document}}\n",
        escape(&document.title),
        parts.join("\n")
    )
}

fn render_table(table: &Table) -> String {
    let columns: String =
        table.columns.iter().map(|(_, align)| if *align == Align::Left { 'l' } else { 'r' }).collect();
    let line = |cells: Vec<String>| format!("  {} \\\\\n", cells.join(" & "));
    let header = line(table.columns.iter().map(|(name, _)| escape(name)).collect());
    let rows: String = table.rows.iter().map(|row| line(row.iter().map(shown).collect())).collect();
    format!(
        "\\begin{{table}}[htbp]\n  \\centering\n  \\caption{{{}}}\n  \\begin{{tabular}}{{{columns}}}\n  \\toprule\n{header}  \
         \\midrule\n{rows}  \\bottomrule\n  \\end{{tabular}}\n\\end{{table}}\n",
        escape(&table.title)
    )
}

/// The best in bold, what cannot be told apart from it underlined.
fn shown(cell: &Cell) -> String {
    match cell.mark {
        Mark::Best => format!("\\textbf{{{}}}", escape(&cell.text)),
        Mark::Level => format!("\\underline{{{}}}", escape(&cell.text)),
        Mark::None => escape(&cell.text),
    }
}

/// Characters that LaTeX would take for commands, and those that its usual fonts lack.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("\\textquotedbl{}"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_in_names_are_harmless() {
        assert_eq!(escape("50% of a_b\\c"), "50\\% of a\\_b\\textbackslash{}c");
    }
}
