# Time R on the same data as certainty.py: DeLong's test by pROC, and aov with Duncan's critical values and step-down.
#
# What: one JSON line a peer, {peer, job, wall, cpu, value}, seconds, best of several. `aov` is R's analysis of variance;
# Duncan's critical values come from qtukey (which gives NaN from 22 means on; they are taken as 0 before the running
# maximum, which costs R nothing). Loading is not timed.
# Versions: R 4.2, pROC 1.18.
#
#     Rscript certainty.R DIR

folder <- commandArgs(trailingOnly = TRUE)[1]
size <- function(name) file.info(file.path(folder, name))$size
truth <- as.integer(readBin(file.path(folder, "truth.u8"), "raw", size("truth.u8")))
numbers <- function(name) readBin(file.path(folder, name), "double", size(name) / 8, endian = "little")
first <- numbers("score.f64")
second <- numbers("second.f64")
table <- matrix(numbers("table.f64"), nrow = 26, byrow = TRUE)

timed <- function(peer, job, times, run) {
  wall <- cpu <- Inf
  for (i in seq_len(times)) {
    spent <- system.time(value <- run())
    wall <- min(wall, spent[["elapsed"]])
    cpu <- min(cpu, spent[["user.self"]] + spent[["sys.self"]])
  }
  cat(sprintf('{"peer": "%s", "job": "%s", "wall": %.6f, "cpu": %.6f, "value": %.12g}\n', peer, job, wall, cpu, value))
}

cells <- data.frame(
  y = c(t(table)),
  algorithm = factor(rep(1:26, each = 10)),
  fold = factor(rep(1:10, 26))
)
duncan <- function() {
  rows <- summary(aov(y ~ algorithm + fold, cells))[[1]]
  q <- suppressWarnings(sapply(2:26, function(p) qtukey(0.95^(p - 1), p, 225)))
  ranges <- cummax(ifelse(is.nan(q), 0, q)) * sqrt(rows[["Mean Sq"]][3] / 10)
  means <- sort(tapply(cells$y, cells$algorithm, mean), decreasing = TRUE)
  for (i in 1:26) {
    j <- 26
    while (j > i && means[i] - means[j] >= ranges[j - i]) j <- j - 1
  }
  rows[["F value"]][1]
}
timed("r", "duncan", 20, duncan)

if (suppressMessages(suppressWarnings(require(pROC, quietly = TRUE)))) {
  curve <- function(scores) roc(truth, scores, levels = c(0, 1), direction = "<", quiet = TRUE)
  timed("proc", "delong", 3, function() roc.test(curve(first), curve(second), method = "delong")$statistic)
}
