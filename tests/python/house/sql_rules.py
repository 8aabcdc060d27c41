"""What the house allows in a model's SQL, as functions from a text to the places that break a rule."""

import re

ALLOWED_NUMBERS = {"0", "1", "2"}
ORDER_SENSITIVE = r"\b(?:row_number|first_value|last_value|lag|lead)\s*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*over\s*\("
ID_COLUMN = re.compile(r"(?:^|_)id$|_key$|^doc_[ab]$|^source$|^node$")
FREE_CHOICES = {
    r"\b(?:any_value|arbitrary|first|last|mode)\s*\(": "takes whichever row comes first",
    r"\b(?:list|array_agg|string_agg)\s*\((?![^()]*\border by\b)": "collects rows without an order",
    r"\b(?:using sample|tablesample|random)\b": "draws at random",
    r"\bdistinct\b(?! from)": "repairs a fan-out with distinct",
    r"\blimit\b": "cuts a result",
}


def without_comments(sql: str) -> str:
    return re.sub(r"--[^\n]*|\{#.*?#\}", " ", sql, flags=re.DOTALL)


def plain_sql(sql: str) -> str:
    """The SQL without comments, Jinja statements, strings and quoted names; Jinja expressions stay."""
    text = re.sub(r"\{%.*?%\}", " ", without_comments(sql), flags=re.DOTALL)
    parts = re.split(r"(\{\{.*?\}\})", text, flags=re.DOTALL)
    return "".join(
        part if part.startswith("{{") else re.sub(r"'[^']*'|\"[^\"]*\"", "''", part) for part in parts
    )


def literals(sql: str) -> list[str]:
    """Numbers of a model other than 0, 1 and 2: a threshold, weight, depth or limit that is no policy.

    The arguments of macros are searched too; the digits of a type, `decimal(38, 0)`, are no number.
    """
    text = re.sub(r"\bdecimal\(\d+, \d+\)", "decimal", plain_sql(sql))
    return [
        number
        for number in re.findall(r"(?<![\w.$])\d+(?:\.\d+)?(?:e-?\d+)?(?![\w])", text)
        if number not in ALLOWED_NUMBERS
    ]


def balanced(text: str, start: int) -> str:
    """The text from `start`, just after an opening bracket, to the bracket that closes it."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return text[start:place]
    return text[start:]


def last_part(text: str) -> str:
    """The last of the expressions separated by commas outside brackets."""
    depth, start = 0, 0
    for place, letter in enumerate(text):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            start = place + 1
    return text[start:].strip()


def partial_orders(sql: str) -> list[str]:
    """Window functions whose result depends on an order that does not end in an id."""
    text = re.sub(r"\{\{.*?\}\}", "jinja", plain_sql(sql), flags=re.DOTALL)
    found = []
    for match in re.finditer(ORDER_SENSITIVE, text):
        window = " ".join(balanced(text, match.end()).split())
        order = window.partition("order by ")[2]
        last = re.sub(r" (?:desc|asc|nulls (?:first|last))\b", "", last_part(order))
        if not order or not ID_COLUMN.search(last.rpartition(".")[2]):
            found.append(window)
    return found


def free_choices(sql: str) -> list[str]:
    """Expressions whose result the rows alone do not decide, with what is wrong with each."""
    text = plain_sql(sql)
    return [
        f"{match.group().strip()} {why}"
        for pattern, why in FREE_CHOICES.items()
        for match in re.finditer(pattern, text)
    ]
