"""MathPinpoint: training data for problem-level math retrieval, as SQL over landed facts."""

__version__ = "0.1.0"
