//! LaTeX: a document that compiles as it is, with `booktabs` tables to copy from.

use crate::document::{Align, Cell, Document, Mark, Part, Table};

/// Packages that every document needs.
const PREAMBLE: &str = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n\
    \\usepackage{booktabs}\n";

/// What a report needs besides: broad pages, tables that stay where they are, and `\fit`, which shrinks what is larger
/// than a page.
const REPORT: &str = r"\usepackage[landscape,margin=2cm]{geometry}
\usepackage{float}
\usepackage{graphicx}
\setlength{\belowcaptionskip}{6pt}
\newsavebox{\fitbox}
\newcommand{\fit}[1]{%
  \sbox{\fitbox}{#1}%
  \ifdim\wd\fitbox>\linewidth\sbox{\fitbox}{\resizebox{\linewidth}{!}{\usebox{\fitbox}}}\fi
  \ifdim\dimexpr\ht\fitbox+\dp\fitbox\relax>.85\textheight
    \sbox{\fitbox}{\resizebox*{!}{.85\textheight}{\usebox{\fitbox}}}\fi
  \usebox{\fitbox}}
";

pub(crate) fn render(document: &Document) -> String {
    let document = &document.printable();
    let is_report = is_report(document);
    let part = |part: &Part| match part {
        Part::Heading(text) => format!("\\subsection*{{{}}}\n", escape(text)),
        Part::Paragraph(text) => format!("{}\n", escape(text)),
        Part::List(items) => {
            let items: String = items.iter().map(|item| format!("  \\item {}\n", guarded(item))).collect();
            format!("\\begin{{itemize}}\n{items}\\end{{itemize}}\n")
        }
        Part::Table(table) if is_report => fitted_table(table),
        Part::Table(table) => floating_table(table),
        Part::Verbatim(lines) => {
            let lines = lines.replace("\\end{verbatim}", "\\end {verbatim}");
            format!("\\begin{{verbatim}}\n{}\n\\end{{verbatim}}\n", lines.trim_end())
        }
    };
    let parts: Vec<String> = document.parts.iter().map(part).collect();
    format!(
        "{PREAMBLE}{}\\begin{{document}}\n\\section*{{{}}}\n\n{}\\end{{document}}\n",
        if is_report { REPORT } else { "" },
        escape(&document.title),
        parts.join("\n")
    )
}

/// Whether it is to be read from its first page to its last. A document without headings is tables to copy from.
fn is_report(document: &Document) -> bool {
    document.parts.iter().any(|part| matches!(part, Part::Heading(_)))
}

fn floating_table(table: &Table) -> String {
    format!(
        "\\begin{{table}}[htbp]\n  \\centering\n  \\caption{{{}}}\n  {}\n\\end{{table}}\n",
        escape(&table.title),
        tabular(table)
    )
}

/// Many floats in a row would be more than LaTeX can keep in mind.
fn fitted_table(table: &Table) -> String {
    format!(
        "\\begin{{table}}[H]\n  \\centering\n  \\caption{{{}}}\n  \\fit{{{}}}\n\\end{{table}}\n",
        escape(&table.title),
        tabular(table)
    )
}

fn tabular(table: &Table) -> String {
    let columns: String =
        table.columns.iter().map(|(_, align)| if *align == Align::Left { 'l' } else { 'r' }).collect();
    let line = |cells: Vec<String>| format!("  {} \\\\\n", cells.join(" & "));
    let header = line(table.columns.iter().map(|(name, _)| guarded(name)).collect());
    let rows: String = table.rows.iter().map(|row| line(row.iter().map(shown).collect())).collect();
    format!(
        "\\begin{{tabular}}{{{columns}}}\n  \\toprule\n{header}  \\midrule\n{rows}  \\bottomrule\n  \\end{{tabular}}"
    )
}

/// The best in bold, what cannot be told apart from it underlined.
fn shown(cell: &Cell) -> String {
    match cell.mark {
        Mark::Best => format!("\\textbf{{{}}}", escape(&cell.text)),
        Mark::Level => format!("\\underline{{{}}}", escape(&cell.text)),
        Mark::None => guarded(&cell.text),
    }
}

/// The end of a row and the start of an item would take a bracket or a star behind them for their own.
fn guarded(text: &str) -> String {
    let guard = if text.starts_with(['[', '*']) { "{}" } else { "" };
    format!("{guard}{}", escape(text))
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
            '≤' => out.push_str("$\\leq$"),
            '≥' => out.push_str("$\\geq$"),
            '→' => out.push_str("$\\rightarrow$"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_starts_like_an_option_is_guarded() {
        assert_eq!(["[a]", "*", "a*[b]"].map(guarded), ["{}[a]", "{}*", "a*[b]"]);
    }

    #[test]
    fn commands_in_names_are_harmless() {
        assert_eq!(escape("50% of a_b\\c"), "50\\% of a\\_b\\textbackslash{}c");
        assert_eq!(escape("a ≥ 4"), "a $\\geq$ 4");
        assert_eq!(escape("1 → 2"), "1 $\\rightarrow$ 2");
    }
}
