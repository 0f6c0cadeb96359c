# Reference values for logistic and linear regression: R's glm, lm, drop1 and nnet's multinom, and Newton's method.
#
# What: written beside this file as logit.json and amounts.json, 17 digits; the tests need no R.
# logit.json
# - `files`: glm(binomial) on three files of UCI, complete rows only (`dropped_rows` counts from 1); `tables`: on iris
#   and wine, the class with `positive_code` against the rest; the `columns` of iris stand in bins.json, those of wine
#   under `wine`, all counted from 0; `weighted`: iris with whole weights from 0 to 3, which mean repetitions.
#   Each: terms, coefficients, standard errors, z, p, 95 % Wald intervals, odds ratios with theirs, deviances,
#   log-likelihood, iterations (from R's own start, epsilon 1e-14), probabilities of the first 50 rows, and for each
#   column left out the likelihood-ratio test.
# - `ridge`: -loglik + lambda/2 |b|^2 on columns standardised with n - 1, the intercept free: Newton's method until the
#   Newton decrement is below 1e-24. `softmax`: the same for three classes of iris, coefficients symmetric (they sum to
#   zero over classes).
# - `multinomial`: wine on two columns, no penalty, against the first class; by nnet's multinom, then by Newton's method
#   from zero, which takes it to the last digits. `coefficients` are Newton's.
# - `separated`, `collinear`, `wide`: what R does where no estimate exists or more than one does.
# amounts.json
# - lm on six rows, on Longley's table (nearly collinear), on iris and on a file of UCI; with an aliased column;
#   weighted as R understands weights (precisions, degrees of freedom by rows) and as repetitions (this project: weight
#   2 is the row twice). Coefficients agree, sigma and the errors do not.
# Why: z, p and errors of glm come from the information one step before the last; here each fit is started once more
# from its own result, so that they belong to the coefficients. The tolerance of glm for aliased columns is epsilon /
# 1000 if that is less than 1e-7, so a fit with epsilon 1e-14 finds no aliased column; `collinear` and `wide` use R's
# own settings. Rows with weight 0 and repetitions give R other degrees of freedom, which binomial errors do not use.
# Levels are sorted by bytes, the first is the baseline, and a term is named "column = level".
# check_logit_reference.py compares all that with scikit-learn and statsmodels and says how far they agree.
# Made with R 4.2.2 and nnet 7.3-18 (Debian's r-base-core, r-cran-nnet).
#
#     Rscript make_logit_reference.R DATA
#
# DATA is a folder with pima.csv, german_credit.csv, breast_wisconsin_original.csv and wine.csv.

suppressMessages(library(nnet))
options(digits = 17, warn = 1)
folder <- commandArgs(trailingOnly = TRUE)[1]
here <- dirname(sub("--file=", "", grep("--file=", commandArgs(FALSE), value = TRUE)))

# JSON: a list is an object, or an array if it has no names; a vector is an array, or a bare value if it is of length 1.
quoted <- function(x) paste0('"', gsub('"', '\\"', gsub("\\", "\\\\", x, fixed = TRUE), fixed = TRUE), '"')
cell <- function(x) {
  if (is.character(x)) return(quoted(x))
  if (is.logical(x) && !all(is.na(x))) return(tolower(x))
  ifelse(is.finite(x), sprintf("%.17g", x), "null")
}
json <- function(x, indent = "") {
  if (is.null(x)) return("null")
  if (!is.list(x)) return(if (length(x) == 1) cell(x) else paste0("[", paste(cell(x), collapse = ", "), "]"))
  deeper <- paste0(indent, " ")
  inner <- vapply(x, json, "", indent = deeper)
  if (is.null(names(x))) return(paste0("[", paste(inner, collapse = ", "), "]"))
  paste0("{\n", paste0(deeper, quoted(names(x)), ": ", inner, collapse = ",\n"), "\n", indent, "}")
}
save_json <- function(x, name) writeLines(json(x), file.path(here, name))
matrix_rows <- function(x) lapply(seq_len(nrow(x)), function(row) unname(x[row, ]))

# Data.
sorted_levels <- function(x) sort(unique(x), method = "radix")
as_columns <- function(table) {
  is_text <- vapply(table, is.character, TRUE)
  table[is_text] <- lapply(table[is_text], function(x) factor(x, levels = sorted_levels(x)))
  table
}
read_table <- function(file, class, positive, without = NULL) {
  table <- read.csv(file.path(folder, file), check.names = FALSE, na.strings = "", stringsAsFactors = FALSE)
  complete <- complete.cases(table)
  y <- as.integer(as.character(table[[class]]) == positive)[complete]
  inputs <- as_columns(table[complete, setdiff(names(table), c(class, without))])
  list(x = inputs, y = y, about = list(
    file = file, rows = nrow(table), dropped_rows = as.list(which(!complete)), rows_used = sum(complete),
    class = class, positive = positive, left_out = without,
    columns = unname(Map(function(name, x) list(name = name, levels = levels(x)), names(inputs), inputs))))
}
wine_all <- read.csv(file.path(folder, "wine.csv"))
iris_x <- setNames(iris[, 1:4], c("sepal length", "sepal width", "petal length", "petal width"))
term_names <- function(inputs) {
  named <- function(name, x) if (is.factor(x)) paste(name, "=", levels(x)[-1]) else name
  unname(c("(Intercept)", unlist(Map(named, names(inputs), inputs))))
}
framed <- function(inputs, y) {
  names(inputs) <- paste0("x", seq_along(inputs))
  cbind(y = y, inputs)
}

# Logistic regression.
exactly <- glm.control(epsilon = 1e-14, maxit = 100)
binomial_fit <- function(data, weights = rep(1, nrow(data)), ...) {
  data$w <- weights
  glm(y ~ . - w, binomial, data, weights = w, control = exactly, ...)
}
# How far Newton's next step would still raise the likelihood.
decrement <- function(fit) {
  x <- model.matrix(fit)
  gradient <- crossprod(x, fit$prior.weights * (fit$y - fitted(fit)))
  drop(crossprod(gradient, summary(fit)$cov.unscaled %*% gradient))
}
logistic <- function(inputs, y, weights = rep(1, length(y))) {
  data <- framed(inputs, y)
  first <- binomial_fit(data, weights)
  fit <- binomial_fit(data, weights, start = coef(first))
  stopifnot(first$converged, decrement(fit) < 1e-20, abs(fit$deviance + 2 * as.numeric(logLik(fit))) < 1e-9)
  estimates <- summary(fit)$coefficients
  wald <- estimates[, 1] + outer(estimates[, 2], qnorm(c(0.025, 0.975)))
  dropped <- drop1(first, scope = setdiff(attr(terms(first), "term.labels"), "w"), test = "Chisq")[-1, ]
  list(
    terms = term_names(inputs), coefficients = unname(estimates[, 1]), standard_errors = unname(estimates[, 2]),
    z = unname(estimates[, 3]), p = unname(estimates[, 4]), lower = unname(wald[, 1]), upper = unname(wald[, 2]),
    odds_ratios = unname(exp(estimates[, 1])), odds_lower = unname(exp(wald[, 1])), odds_upper = unname(exp(wald[, 2])),
    deviance = fit$deviance, null_deviance = fit$null.deviance, log_likelihood = -fit$deviance / 2,
    iterations = first$iter, newton_decrement = decrement(fit), fitted = unname(fitted(fit)[1:50]),
    dropped = list(columns = names(inputs), df = dropped$Df, deviance = dropped$Deviance, chi_square = dropped$LRT,
                   p = dropped[["Pr(>Chi)"]]))
}
from_file <- function(...) {
  read <- read_table(...)
  c(read$about, logistic(read$x, read$y))
}
repeated <- function(inputs, y, weights) {
  again <- rep(seq_along(y), weights)
  logistic(inputs[again, ], y[again])
}
weighted <- function(inputs, y, weights) {
  found <- logistic(inputs, y, weights)
  twice <- repeated(inputs, y, weights)
  same <- setdiff(names(found), c("fitted", "iterations", "newton_decrement"))
  stopifnot(isTRUE(all.equal(found[same], twice[same], tolerance = 1e-9)))
  c(list(weights = weights, note = "equals the rows repeated; R's residual degrees of freedom do not"), found)
}

# Newton's method for the softmax of all classes: -loglik + lambda/2 |slopes|^2. Adding the same to the coefficients
# of all classes changes nothing, so those directions are closed; the coefficients sum to zero over classes.
softmax_newton <- function(x, classes, lambda) {
  design <- cbind(1, x)
  n_terms <- ncol(design)
  n_classes <- max(classes)
  indicator <- outer(classes, seq_len(n_classes), "==") + 0
  penalty <- diag(rep(c(0, rep(lambda, n_terms - 1)), n_classes))
  closed <- kronecker(matrix(1, n_classes, n_classes), diag(n_terms))
  b <- rep(0, n_terms * n_classes)
  for (step in 1:200) {
    eta <- design %*% matrix(b, n_terms)
    p <- exp(eta - apply(eta, 1, max))
    p <- p / rowSums(p)
    gradient <- c(crossprod(design, indicator - p)) - drop(penalty %*% b)
    block <- function(j, k) crossprod(design, design * (p[, j] * ((j == k) - p[, k])))
    rows <- lapply(seq_len(n_classes), function(j) do.call(cbind, lapply(seq_len(n_classes), block, j = j)))
    information <- do.call(rbind, rows)
    move <- solve(information + penalty + closed, gradient)
    decrement <- sum(gradient * move)
    if (decrement < 1e-24) break
    b <- b + move
  }
  stopifnot(decrement < 1e-24)
  loglik <- sum(log(p[cbind(seq_along(classes), classes)]))
  list(coefficients = t(matrix(b, n_terms)), p = p, information = information, log_likelihood = loglik,
       objective = -loglik + sum(drop(penalty %*% b) * b) / 2, iterations = step - 1, newton_decrement = decrement)
}
# Two classes with the whole penalty on one set of slopes: (-b/2, b/2) has half the squares, so lambda counts twice.
ridge <- function(inputs, y, lambda) {
  scaled <- scale(as.matrix(inputs))
  found <- softmax_newton(scaled, y + 1, 2 * lambda)
  b <- 2 * found$coefficients[2, ]
  list(lambda = lambda, coefficients = b, log_likelihood = found$log_likelihood, objective = found$objective,
       means = unname(attr(scaled, "scaled:center")), sds = unname(attr(scaled, "scaled:scale")),
       iterations = found$iterations, newton_decrement = found$newton_decrement, fitted = found$p[1:50, 2])
}
softmax <- function(inputs, classes, lambda) {
  scaled <- scale(as.matrix(inputs))
  found <- softmax_newton(scaled, classes, lambda)
  list(lambda = lambda, terms = term_names(inputs), coefficients = matrix_rows(found$coefficients),
       log_likelihood = found$log_likelihood, objective = found$objective,
       means = unname(attr(scaled, "scaled:center")), sds = unname(attr(scaled, "scaled:scale")),
       newton_decrement = found$newton_decrement, fitted = matrix_rows(found$p))
}
multinomial <- function(inputs, classes) {
  by_nnet <- multinom(factor(classes) ~ ., inputs, reltol = 1e-15, abstol = 1e-15, maxit = 10000, trace = FALSE)
  found <- softmax_newton(as.matrix(inputs), classes, 0)
  against_first <- sweep(found$coefficients, 2, found$coefficients[1, ])[-1, ]
  free <- -seq_len(ncol(against_first))
  errors <- matrix(sqrt(diag(solve(found$information[free, free]))), nrow(against_first), byrow = TRUE)
  stopifnot(max(abs(against_first - coef(by_nnet))) < 1e-3)
  list(terms = term_names(inputs), baseline = 1, coefficients = matrix_rows(against_first),
       standard_errors = matrix_rows(errors), log_likelihood = found$log_likelihood,
       newton_decrement = found$newton_decrement, fitted = matrix_rows(found$p),
       nnet = list(coefficients = matrix_rows(coef(by_nnet)), log_likelihood = as.numeric(logLik(by_nnet)),
                   largest_difference = max(abs(against_first - coef(by_nnet)))))
}

# What R does where there is no single answer, with its own settings.
as_r_does <- function(inputs, y) {
  said <- character()
  note <- function(w) {
    said <<- c(said, conditionMessage(w))
    invokeRestart("muffleWarning")
  }
  fit <- withCallingHandlers(glm(y ~ ., binomial, framed(inputs, y)), warning = note)
  list(terms = term_names(inputs), columns = unname(lapply(inputs, as.numeric)), y = y,
       warnings = as.list(said), converged = fit$converged, iterations = fit$iter, rank = fit$rank,
       coefficients = unname(coef(fit)), aliased = as.list(term_names(inputs)[is.na(coef(fit))]),
       deviance = fit$deviance, fitted = unname(fitted(fit)))
}

# Linear regression.
linear_values <- function(inputs, y, weights = NULL) {
  data <- framed(inputs, y)
  data$w <- if (is.null(weights)) rep(1, length(y)) else weights
  fit <- lm(y ~ . - w, data, weights = w)
  said <- summary(fit)
  estimates <- matrix(NA, length(coef(fit)), 4)
  estimates[!is.na(coef(fit)), ] <- said$coefficients
  list(coefficients = estimates[, 1], standard_errors = estimates[, 2], t = estimates[, 3], p = estimates[, 4],
       aliased = as.list(term_names(inputs)[is.na(coef(fit))]), residual_sum = sum(fit$weights * residuals(fit)^2),
       df = fit$df.residual, sigma = said$sigma, r_squared = said$r.squared, adjusted_r_squared = said$adj.r.squared,
       f = unname(said$fstatistic), f_p = unname(do.call(pf, c(as.list(unname(said$fstatistic)), lower.tail = FALSE))),
       fitted = unname(fitted(fit))[seq_len(min(50, length(y)))])
}
linear <- function(inputs, y, weights, with_data = TRUE) {
  with_sum <- cbind(inputs, aliased = inputs[[1]] + inputs[[2]])
  added <- list(added = paste(names(inputs)[1], "+", names(inputs)[2]))
  again <- rep(seq_along(y), weights)
  found <- list(
    terms = term_names(inputs), rows = length(y), plain = linear_values(inputs, y),
    aliased = c(added, linear_values(with_sum, y)), weights = weights,
    weighted = linear_values(inputs, y, weights), repeated = linear_values(inputs[again, , drop = FALSE], y[again]))
  if (with_data) c(list(columns = unname(as.list(inputs)), y = y), found) else found
}

sepals <- iris_x[, 1:2]
versicolor <- as.integer(iris$Species == "versicolor")
wine_columns <- c("malic_acid", "ash", "magnesium", "hue")
wine <- wine_all[, wine_columns]
second <- as.integer(wine_all$class == 2)
cycle <- function(n) (seq_len(n) * 7 + seq_len(n) %/% 5) %% 4
steps <- data.frame(x = seq(-9.5, 9.5, by = 1))
with_sum <- cbind(sepals, sum = sepals[[1]] + sepals[[2]])
few <- c(2, 55, 61, 103, 121)
versions <- list(R = as.character(getRversion()), nnet = as.character(packageVersion("nnet")))
about_iris <- list(columns_of = "bins.json", columns = c(0, 1), positive_code = 1)

save_json(list(
  made_with = versions,
  level_order = "by bytes; the first is the baseline; a term is named \"column = level\"",
  wine = list(names = wine_columns, columns = unname(as.list(wine)), classes = wine_all$class - 1),
  files = list(
    pima = from_file("pima.csv", "class", "1"),
    german = from_file("german_credit.csv", "class", "bad"),
    breast = from_file("breast_wisconsin_original.csv", "Class", "4", "Sample_code_number")),
  tables = list(
    iris = c(about_iris, logistic(sepals, versicolor)),
    wine = c(list(columns_of = "wine", columns = 0:3, positive_code = 1), logistic(wine, second))),
  weighted = list(iris = c(about_iris, weighted(sepals, versicolor, cycle(150)))),
  ridge = list(
    iris = lapply(c(0.1, 1, 10), ridge, inputs = sepals, y = versicolor),
    wine = lapply(c(0.1, 1, 10), ridge, inputs = wine, y = second)),
  softmax = list(iris = softmax(iris_x, as.integer(iris$Species), 1)),
  multinomial = list(wine = c(list(columns_of = "wine", columns = c(1, 2)),
                              multinomial(wine[, 2:3], wine_all$class))),
  separated = as_r_does(steps, as.integer(steps$x > 0)),
  collinear = as_r_does(with_sum, versicolor),
  wide = as_r_does(cbind(iris_x, squared = iris_x[[1]]^2, product = iris_x[[1]] * iris_x[[2]])[few, ],
                   c(0, 1, 0, 1, 0))), "logit.json")

six <- data.frame(a = c(1, 1.5, 2, 3, 3.5, 2.8), b = c(2.1, 1.8, 3.5, 3, 4.2, 3.9))
pima <- read.csv(file.path(folder, "pima.csv"))
save_json(list(
  made_with = versions,
  six_rows = linear(six, c(10, 12, 20, 18, 25, 24), c(2, 1, 3, 1, 2, 1)),
  longley = linear(longley[, 1:6], longley$Employed, c(1, 2, 1, 1, 3, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1)),
  iris = c(list(columns_of = "bins.json", columns = 0:2, y = 3),
           linear(iris_x[, 1:3], iris_x[[4]], cycle(150), with_data = FALSE)),
  pima = c(list(file = "pima.csv", y = "insulin"),
           linear(pima[, setdiff(names(pima), c("insulin", "class"))], pima$insulin, cycle(768), with_data = FALSE))),
  "amounts.json")
