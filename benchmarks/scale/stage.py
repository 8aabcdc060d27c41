"""Let dbt build some models of a home; a process of its own.

Usage: python stage.py HOME POLICY MODEL... Prints a JSON object: seconds of CPU and wall, bytes spilled at most, and
the seconds of each model.
"""

import json
import os
import sys
from pathlib import Path

from measure import clock
from scale.home import ONLY_MODELS, Spilled


def main(home: str, policy: str, *models: str) -> None:
    """Build the models in the order of dbt's graph, without their tests."""
    os.environ["MATHPINPOINT_POLICY"] = policy
    from mathpinpoint.warehouse import Warehouse

    warehouse = Warehouse(Path(home))
    warehouse.build("--select", "active_policy", *ONLY_MODELS)
    watch = Spilled(Path(home) / "spill")
    watch.start()
    with clock() as seen:
        results = warehouse.build("--select", *models, *ONLY_MODELS)
    watch.ended.set()
    seconds = {row.node.name: row.execution_time for row in results if row.node.resource_type == "model"}
    print(json.dumps({"cpu": seen.cpu, "wall": seen.wall, "spilled_bytes": watch.most, "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
