/**
 * Trains WEKA's classifiers on an ARFF file and prints what they learned, one JSON line a classifier.
 *
 * What: the class probabilities of every training row in full precision, which the command line rounds; for trees the
 * size, the number of leaves and the text; for Bayes nets the parents of each attribute. The last one is the class.
 * Why: reference values for make_learners_reference.py, which starts this file. Written for WEKA 3.6.14.
 *
 *     java -cp weka.jar WekaReference.java data.arff "weka.classifiers.trees.J48 -C 0.25 -M 2" ...
 */

import java.io.BufferedReader;
import java.io.FileReader;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import weka.classifiers.Classifier;
import weka.classifiers.SingleClassifierEnhancer;
import weka.classifiers.bayes.BayesNet;
import weka.classifiers.trees.J48;
import weka.core.Instances;
import weka.core.Utils;

public class WekaReference {
    public static void main(String[] args) throws Exception {
        Instances data = new Instances(new BufferedReader(new FileReader(args[0])));
        data.setClassIndex(data.numAttributes() - 1);
        for (int idx = 1; idx < args.length; idx++) {
            String[] options = Utils.splitOptions(args[idx]);
            String name = options[0];
            options[0] = "";
            Classifier classifier = Classifier.forName(name, options);
            classifier.buildClassifier(data);
            System.out.println("{" + String.join(", ", described(classifier, data)) + "}");
        }
    }

    private static List<String> described(Classifier classifier, Instances data) throws Exception {
        List<String> fields = new ArrayList<>();
        StringJoiner rows = new StringJoiner(", ", "[", "]");
        int errors = 0;
        for (int row = 0; row < data.numInstances(); row++) {
            double[] shares = classifier.distributionForInstance(data.instance(row));
            rows.add(java.util.Arrays.toString(shares));
            errors += Utils.maxIndex(shares) == (int) data.instance(row).classValue() ? 0 : 1;
        }
        fields.add("\"posteriors\": " + rows);
        fields.add("\"errors\": " + errors);
        // What a method that minds costs has built.
        if (classifier instanceof SingleClassifierEnhancer) {
            classifier = ((SingleClassifierEnhancer) classifier).getClassifier();
        }
        if (classifier instanceof J48) {
            J48 tree = (J48) classifier;
            fields.add("\"leaves\": " + (int) tree.measureNumLeaves());
            fields.add("\"size\": " + (int) tree.measureTreeSize());
            fields.add("\"text\": \"" + escaped(tree.toString()) + "\"");
        }
        if (classifier instanceof BayesNet) {
            fields.add("\"parents\": " + parents((BayesNet) classifier, data));
        }
        return fields;
    }

    /** The parent of each attribute beside the class, or null. */
    private static String parents(BayesNet net, Instances data) {
        StringJoiner all = new StringJoiner(", ", "[", "]");
        for (int node = 0; node < data.numAttributes() - 1; node++) {
            String found = "null";
            for (int idx = 0; idx < net.getNrOfParents(node); idx++) {
                int parent = net.getParent(node, idx);
                found = parent == data.classIndex() ? found : Integer.toString(parent);
            }
            all.add(found);
        }
        return all.toString();
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\t", "\\t");
    }
}
