/**
 * Times WEKA on nominal codes: C4.5 (J48), naive Bayes and tree-augmented naive Bayes, cross-validated and fitted once.
 *
 * What: reads a CSV file of codes (columns x0, x1, .., class, fold) and prints one JSON line a job: {peer, job, rows,
 * wall, cpu, value, aurocs}, seconds a run, best of several rounds after three seconds that are not timed; a round is as many
 * runs as fill half a second. CPU is that of the whole process, with its compiler and collector.
 * Why: learners_weka.py compiles and starts this file, and says what the jobs are. Written for WEKA 3.6.14.
 *
 *     java -cp weka.jar:. Learners codes.csv 2,2,5 c45-cv,nb-cv 3 2 (file, declared values, jobs, repeats, threads)
 */

import java.io.BufferedReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import weka.classifiers.Classifier;
import weka.core.Attribute;
import weka.core.FastVector;
import weka.core.Instance;
import weka.core.Instances;
import weka.core.Utils;

public class Learners {
    private static final int FOLDS = 10;
    // The clock of the process ticks a hundred times a second, so that short jobs are run until half a second is over.
    private static final long SHORTEST = 500_000_000L;
    // The round before the timed ones, in which the JVM compiles what is run often.
    private static final long WARMING = 3_000_000_000L;
    private static final String PRUNED = "weka.classifiers.trees.J48 -C 0.25 -M 2";
    private static final String UNPRUNED = "weka.classifiers.trees.J48 -U -M 2";
    private static final String NAIVE = "weka.classifiers.bayes.NaiveBayes";
    // -D: without the tree of counts (ADTree), which takes longer to build than it saves here.
    private static final String TAN_OF = "weka.classifiers.bayes.BayesNet -D"
        + " -Q weka.classifiers.bayes.net.search.local.TAN -- -S ENTROPY"
        + " -E weka.classifiers.bayes.net.estimate.SimpleEstimator -- -A ";
    private static final String TAN = TAN_OF + "0.5";
    // Unpruned trees whose leaves hold M rows or more, M chosen among twelve on ten inner folds: they stand for curtailed ones.
    private static final String TUNED = "weka.classifiers.meta.CVParameterSelection -P \"M 2 200 12\" -X 10"
        + " -W weka.classifiers.trees.J48 -- -U";

    private final Instances all;
    private final Instances[] training = new Instances[FOLDS];
    private final Instances[] held = new Instances[FOLDS];
    private final ExecutorService pool;

    private Learners(String file, int[] levels, int threads) throws Exception {
        all = new Instances("codes", attributes(levels), 0);
        all.setClassIndex(levels.length);
        for (int fold = 0; fold < FOLDS; fold++) {
            training[fold] = new Instances(all, 0);
            held[fold] = new Instances(all, 0);
        }
        read(file, levels.length);
        pool = Executors.newFixedThreadPool(threads);
    }

    private static FastVector attributes(int[] levels) {
        FastVector attributes = new FastVector();
        for (int idx = 0; idx < levels.length; idx++) {
            attributes.addElement(nominal("x" + idx, levels[idx]));
        }
        attributes.addElement(nominal("class", 2));
        return attributes;
    }

    private static Attribute nominal(String name, int values) {
        FastVector declared = new FastVector();
        for (int value = 0; value < values; value++) {
            declared.addElement(Integer.toString(value));
        }
        return new Attribute(name, declared);
    }

    private void read(String file, int columns) throws Exception {
        try (BufferedReader reader = Files.newBufferedReader(Paths.get(file))) {
            reader.readLine();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                String[] fields = line.split(",");
                double[] values = new double[columns + 1];
                for (int idx = 0; idx <= columns; idx++) {
                    values[idx] = Integer.parseInt(fields[idx]);
                }
                Instance row = new Instance(1.0, values);
                int fold = Integer.parseInt(fields[columns + 1]);
                all.add(row);
                for (int other = 0; other < FOLDS; other++) {
                    (other == fold ? held : training)[other].add(row);
                }
            }
        }
    }

    private static Classifier made(String command) throws Exception {
        String[] options = Utils.splitOptions(command);
        String name = options[0];
        options[0] = "";
        return Classifier.forName(name, options);
    }

    private static double[] scores(String command, Instances training, Instances held) throws Exception {
        Classifier model = made(command);
        model.buildClassifier(training);
        double[] scores = new double[held.numInstances()];
        for (int row = 0; row < scores.length; row++) {
            scores[row] = model.distributionForInstance(held.instance(row))[1];
        }
        return scores;
    }

    private double[][] crossValidated(String command) throws Exception {
        List<Future<double[]>> running = new ArrayList<>();
        for (int fold = 0; fold < FOLDS; fold++) {
            Instances learned = training[fold];
            Instances tested = held[fold];
            running.add(pool.submit(() -> scores(command, learned, tested)));
        }
        double[][] scores = new double[FOLDS][];
        for (int fold = 0; fold < FOLDS; fold++) {
            scores[fold] = running.get(fold).get();
        }
        return scores;
    }

    /** The share of pairs that are ranked rightly, ties half. */
    private static double auroc(double[] scores, Instances rows) {
        Integer[] order = new Integer[scores.length];
        Arrays.setAll(order, idx -> idx);
        Arrays.sort(order, (a, b) -> Double.compare(scores[a], scores[b]));
        double below = 0, positives = 0, area = 0;
        for (int start = 0, end; start < order.length; start = end) {
            double tiedPositives = 0;
            for (end = start; end < order.length && scores[order[end]] == scores[order[start]]; end++) {
                tiedPositives += rows.instance(order[end]).classValue();
            }
            double tiedNegatives = end - start - tiedPositives;
            area += tiedPositives * (below + tiedNegatives / 2);
            below += tiedNegatives;
            positives += tiedPositives;
        }
        return area / (below * positives);
    }

    private double[] aurocs(double[][] scores) {
        double[] found = new double[FOLDS];
        Arrays.setAll(found, fold -> auroc(scores[fold], held[fold]));
        return found;
    }

    private double meanAuroc(double[][] scores) {
        return Arrays.stream(aurocs(scores)).sum() / FOLDS;
    }

    private double[][] byCommand(double[][][] scores) {
        return Arrays.stream(scores).map(this::aurocs).toArray(double[][]::new);
    }

    private double trainingError(Classifier model) throws Exception {
        int wrong = 0;
        for (int row = 0; row < all.numInstances(); row++) {
            wrong += model.classifyInstance(all.instance(row)) == all.instance(row).classValue() ? 0 : 1;
        }
        return (double) wrong / all.numInstances();
    }

    private static String[] commands(String job) {
        switch (job) {
            case "c45-cv": return new String[] {PRUNED, UNPRUNED, UNPRUNED};
            case "c45-study": return new String[] {PRUNED, UNPRUNED, TUNED};
            case "tan-study": return new String[] {TAN_OF + "0.000001", TAN_OF + "2.5", TAN_OF + "12.5", TAN_OF + "25"};
            case "c45-fit": return new String[] {PRUNED};
            case "nb-cv": case "nb-fit": return new String[] {NAIVE};
            case "tan-cv": case "tan-fit": return new String[] {TAN};
            default: throw new IllegalArgumentException("no job " + job);
        }
    }

    /** What one run of a job leaves: scores of each command, or a model. */
    private Object once(String job) throws Exception {
        String[] commands = commands(job);
        if (job.endsWith("-fit")) {
            Classifier model = made(commands[0]);
            model.buildClassifier(all);
            return model;
        }
        double[][][] scores = new double[commands.length][][];
        for (int idx = 0; idx < commands.length; idx++) {
            scores[idx] = crossValidated(commands[idx]);
        }
        return scores;
    }

    private void timed(String job, int repeat) throws Exception {
        com.sun.management.OperatingSystemMXBean system =
            (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        double wall = Double.POSITIVE_INFINITY, cpu = Double.POSITIVE_INFINITY;
        Object left = null;
        for (int round = 0; round <= repeat; round++) {
            System.gc();
            long started = System.nanoTime(), cpuStarted = system.getProcessCpuTime(), ended = started;
            long enough = round == 0 ? WARMING : SHORTEST;
            int runs = 0;
            for (; ended - started < enough; runs++) {
                left = once(job);
                ended = System.nanoTime();
            }
            if (round > 0) {
                wall = Math.min(wall, (ended - started) / 1e9 / runs);
                cpu = Math.min(cpu, (system.getProcessCpuTime() - cpuStarted) / 1e9 / runs);
            }
        }
        boolean isModel = left instanceof Classifier;
        double value = isModel ? trainingError((Classifier) left) : meanAuroc(((double[][][]) left)[0]);
        String named = "{\"peer\": \"weka\", \"job\": \"" + job + "\", \"rows\": " + all.numInstances();
        String figures = ", \"wall\": %.6f, \"cpu\": %.6f, \"value\": %.12f%s}%n";
        String more = isModel ? "" : ", \"aurocs\": " + Arrays.deepToString(byCommand((double[][][]) left));
        System.out.printf(Locale.ROOT, named + figures, wall, cpu, value, more);
    }

    public static void main(String[] args) throws Exception {
        int[] levels = Arrays.stream(args[1].split(",")).mapToInt(Integer::parseInt).toArray();
        Learners learners = new Learners(args[0], levels, Integer.parseInt(args[4]));
        for (String job : args[2].split(",")) {
            learners.timed(job, Integer.parseInt(args[3]));
        }
        learners.pool.shutdown();
    }
}
