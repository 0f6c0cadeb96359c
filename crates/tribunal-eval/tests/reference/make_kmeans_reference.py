"""k-means by scikit-learn from given starts, for src/kmeans/reference.rs: run it and copy what it prints.

The rows come from a linear congruential generator that the test repeats: 300 rows of 3 columns around 5 places, no clear clusters.
"""

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score
from sklearn.preprocessing import StandardScaler


def rows(n_rows, n_columns):
    state, values = 12345, []
    for row in range(n_rows):
        for column in range(n_columns):
            state = (1664525 * state + 1013904223) % 2**32
            values.append((state >> 8) / 2**24 * 3 + (row % 5) * (column + 1) % 4)
    return np.array(values).reshape(n_rows, n_columns)


x = rows(300, 3)
for n_clusters in (2, 5, 8):
    found = KMeans(n_clusters, init=x[:n_clusters], n_init=1, tol=0, algorithm="lloyd", max_iter=300).fit(x)
    sizes = np.bincount(found.labels_).tolist()
    print(n_clusters, repr(found.inertia_), sizes, found.cluster_centers_[0].tolist(), repr(silhouette_score(x, found.labels_)))
scaled = StandardScaler().fit_transform(x * [1, 10, 100])
print("standardised", scaled[7].tolist())
