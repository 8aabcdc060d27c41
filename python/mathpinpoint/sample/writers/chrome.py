"""What surrounds the main text on a site: names, dates, navigation, side bars, footers, banners."""

from datetime import datetime, timedelta
from random import Random

_NAMES = (
    "algebraist", "blue_whale", "carla77", "dr_delta", "epsilon", "fermat_fan", "gradient",
    "hilde", "integral42", "jpm", "kappa", "lemma_lover", "mathilda", "nabla", "oskar",
    "prime_time", "quaternion", "rho", "sigma_male_duck", "tobias", "user81723", "vectorvic",
    "wilhelmina", "xeno", "yuki", "zeta",
)  # fmt: skip
_RELATED = (
    "How to study for the final", "Best books for self study", "Which pocket calculator to buy",
    "Chess puzzles of the week", "Proof writing for beginners", "Rules of the homework section",
    "How to format formulas", "Summer schools abroad", "What is your favourite theorem",
    "A gentle start with sets", "Blackboard or whiteboard", "Famous unsolved questions",
)  # fmt: skip
_MENU = (
    "Home", "Forums", "Questions", "Tags", "Courses", "Members", "Archive", "About", "Contact",
    "Help", "Log in",
)  # fmt: skip
_FIRST_DAY = datetime(2009, 1, 5, 8, 30)


def name(rng: Random) -> str:
    """A user's name."""
    return rng.choice(_NAMES) + rng.choice(("", "", str(rng.randint(2, 99))))


def date(rng: Random) -> datetime:
    """A moment of the years 2009 to 2023."""
    return _FIRST_DAY + timedelta(minutes=rng.randrange(15 * 365 * 24 * 60))


def menu(rng: Random) -> str:
    """A navigation bar."""
    items = "".join(
        f'<li><a href="/{item.lower().replace(" ", "-")}">{item}</a></li>'
        for item in rng.sample(_MENU, 6)
    )
    return f'<nav class="navbar" role="navigation"><ul>{items}</ul></nav>'


def related(heading: str, rng: Random) -> str:
    """A side bar of links."""
    items = "".join(
        f'<li><a href="/t/{rng.randint(1000, 99999)}">{title}</a></li>'
        for title in rng.sample(_RELATED, 5)
    )
    return f'<aside class="sidebar"><h4>{heading}</h4><ul class="related">{items}</ul></aside>'


def footer(site: str, rng: Random) -> str:
    """A footer, sometimes with a cookie banner."""
    year = rng.randint(2012, 2023)
    text = (
        f'<footer class="footer"><p>© {year} {site}. All rights reserved. <a href="/terms">'
        "Terms</a> · "
        '<a href="/privacy">Privacy policy</a> · <a href="/rss">RSS</a></p></footer>'
    )
    if rng.random() < 0.4:
        text += (
            '<div id="cookie-banner" class="cookie-consent"><p>We use cookies to improve your '
            "experience. "
            '<a href="/privacy">Learn more</a></p><button>Accept all</button></div>'
        )
    return text


def page(title: str, head: str, body: str, site: str) -> str:
    """A whole HTML document."""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title} | '
        f"{site}</title>\n"
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n{head}\n</head>\n'
        f"<body>\n{body}\n</body>\n</html>\n"
    )
