"""`python -m mathpinpoint.sample.llm TRUTH… --port 0 --port-file F`: the server by itself."""

import argparse
import json
import sys
from pathlib import Path

from .completions import MODELS
from .process import serve


def main() -> int:
    """Serve the truth files named on the command line; 2 where they cannot be served."""
    parser = argparse.ArgumentParser(prog="mathpinpoint.sample.llm", description=__doc__)
    parser.add_argument("truth", nargs="+", type=Path, help="truth.jsonl files")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free port")
    parser.add_argument("--port-file", type=Path, help="gets the port's number once it listens")
    parser.add_argument("--disagreement", type=float, default=0.0, help="rate of other labels")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--misbehave", type=json.loads, default={}, help="JSON: name to rate")
    parser.add_argument("--models", nargs="+", default=MODELS, help="the names that it answers to and reports")
    parser.add_argument("--ends-with-stdin", action="store_true")
    options = vars(parser.parse_args())
    try:
        serve(options.pop("truth"), **options)
    except (OSError, ValueError) as error:
        print(f"sample LLM: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
