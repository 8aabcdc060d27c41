"""Families of problems: the texts of a sample web follow from their parameters."""

from mathpinpoint.sample.families import (
    calculus,
    chance,
    functions,
    geometry,
    matrices,
    numbers,
    quadratics,
    series,
    stories,
)

_ROOMS = (quadratics, series, numbers, calculus, geometry, chance, matrices, functions, stories)
FAMILIES = {family.name: family for room in _ROOMS for family in room.FAMILIES}
