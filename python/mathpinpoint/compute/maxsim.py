"""MaxSim: how well each token of a query is found in a document."""

import numpy as np

DECIMALS = 9  # further ones differ with the kernels and threads of the linear algebra


def maxsim(query: np.ndarray, document: np.ndarray) -> float:
    """The mean over query tokens of the largest cosine with a document token, -1 to 1, rounded to DECIMALS.

    `query` (m, d) and `document` (n, d) hold L2-normalized token vectors. A side without tokens
    gives 0. The score is that of ColBERT (Khattab and Zaharia, 2020) over the query's length.
    """
    if not len(query) or not len(document):
        return 0.0
    best = (query.astype(np.float64) @ document.astype(np.float64).T).max(axis=1)
    return round(float(best.mean()), DECIMALS)
