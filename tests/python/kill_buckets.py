"""Build a project in a home, and die just before a statement is run; started by test_bucketed.

Usage: python kill_buckets.py HOME PROJECT TEXT COUNT. Kills itself at the COUNT-th statement that holds TEXT.
"""

import os
import signal
import sys
from pathlib import Path

from mathpinpoint.warehouse import Warehouse


def main(home: str, project: str, text: str, count: str) -> None:
    """Build everything, or die."""
    left = int(count)

    def watch(event) -> None:
        nonlocal left
        if event.info.name == "SQLQuery" and text in event.data.sql:
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    Warehouse(Path(home), project=Path(project)).build(on_event=watch)


if __name__ == "__main__":
    main(*sys.argv[1:])
