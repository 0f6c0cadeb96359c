# Writes comparison_r.json: values of R and pROC that the tests compare with.
# Run after make_comparison_reference.py, in the same directory: Rscript make_comparison_reference.R   (needs pROC)

suppressMessages(library(pROC))

number <- function(x) ifelse(is.nan(x), "null", sprintf("%.17g", x))
list_of <- function(x) paste0("[", paste(number(x), collapse = ", "), "]")
entry <- function(name, value) paste0("  \"", name, "\": ", value)

y <- rbind(
  c(84.53, 86.79, 87.00, 86.18, 88.04, 89.28, 86.74, 83.13, 84.36, 86.23),
  c(80.75, 83.04, 83.06, 77.75, 84.39, 84.93, 80.44, 80.18, 79.65, 82.43),
  c(87.55, 88.49, 85.72, 84.61, 86.82, 91.40, 86.00, 84.92, 82.70, 87.87),
  c(87.08, 84.93, 86.61, 86.24, 87.07, 90.05, 86.37, 85.28, 80.61, 85.59),
  c(87.83, 82.52, 84.81, 82.89, 85.15, 89.19, 83.75, 87.91, 82.96, 86.85),
  c(81.36, 81.19, 86.48, 84.13, 86.32, 84.94, 86.45, 83.49, 83.71, 86.22))
cells <- data.frame(y = c(t(y)), algorithm = factor(rep(1:6, each = 10)), fold = factor(rep(1:10, 6)))
fit <- aov(y ~ algorithm + fold, cells)
analysis <- summary(fit)[[1]]
# Rows come as 2-1, 3-1, ..., 6-5: the same order as (1,2), (1,3), ..., with the sign turned.
tukey <- TukeyHSD(fit, "algorithm")$algorithm
friedman <- friedman.test(t(y))

scores <- read.csv("delong_scores.csv")
curve <- function(s) roc(scores$positive, s, levels = c(0, 1), direction = "<", quiet = TRUE)
curves <- list(curve(scores$a), curve(scores$b), curve(scores$c))
covariance <- sapply(curves, function(i) sapply(curves, function(j) if (identical(i, j)) var(i) else cov(i, j)))
tests <- list(roc.test(curves[[1]], curves[[2]]), roc.test(curves[[1]], curves[[3]]), roc.test(curves[[2]], curves[[3]]))
intervals <- sapply(curves, function(i) ci.auc(i, conf.level = 0.95)[c(1, 3)])

means <- c(2, 3, 5, 8, 12, 20)
# With 2 degrees of freedom ptukey is off by up to 7e-5 (for two means 2 pt(-q / sqrt(2), 2) is exact), so from 5 on.
df <- c(5, 10, 45, 225, Inf)
tail_grid <- expand.grid(q = c(2, 3.5, 5), k = means, df = df)
duncan_q <- sapply(2:27, function(p) suppressWarnings(qtukey(0.95^(p - 1), p, 225)))

out <- c(
  entry("versions", paste0("{\"R\": \"", getRversion(), "\", \"pROC\": \"", packageVersion("pROC"), "\"}")),
  entry("anova_sums", list_of(analysis[["Sum Sq"]])),
  entry("anova_f", list_of(analysis[["F value"]][1:2])),
  entry("anova_p", list_of(analysis[["Pr(>F)"]][1:2])),
  entry("tukey_difference", list_of(-tukey[, "diff"])),
  entry("tukey_lower", list_of(-tukey[, "upr"])),
  entry("tukey_upper", list_of(-tukey[, "lwr"])),
  entry("tukey_p", list_of(tukey[, "p adj"])),
  entry("friedman", list_of(c(friedman$statistic, friedman$p.value))),
  entry("range_q", list_of(tail_grid$q)),
  entry("range_means", list_of(tail_grid$k)),
  entry("range_df", list_of(ifelse(is.infinite(tail_grid$df), NaN, tail_grid$df))),
  entry("range_sf", list_of(ptukey(tail_grid$q, tail_grid$k, tail_grid$df, lower.tail = FALSE))),
  entry("duncan_q_225", list_of(duncan_q)),
  entry("delong_auroc", list_of(sapply(curves, auc))),
  entry("delong_covariance", list_of(covariance)),
  entry("delong_lower", list_of(intervals[1, ])),
  entry("delong_upper", list_of(intervals[2, ])),
  entry("delong_z", list_of(sapply(tests, function(t) t$statistic))),
  entry("delong_p", list_of(sapply(tests, function(t) t$p.value))),
  entry("clopper_pearson", list_of(c(binom.test(3, 7)$conf.int, binom.test(75, 100, conf.level = 0.8)$conf.int))),
  entry("holm", list_of(p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.2), "holm"))),
  entry("prop_cases", list_of(c(power.prop.test(p1 = 0.5, p2 = 0.6, power = 0.8)$n,
                                power.prop.test(p1 = 0.02, p2 = 0.035, power = 0.9, sig.level = 0.01)$n))),
  entry("obuchowski_variance", list_of(c(pROC:::var.theta.obuchowski(0.75, 9), pROC:::var.theta.obuchowski(0.9, 2)))))
writeLines(c("{", paste(out, collapse = ",\n"), "}"), "comparison_r.json")
