"""`python -m mathpinpoint.cli`."""

from mathpinpoint.cli import main

main()
