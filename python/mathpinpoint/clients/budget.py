"""What a command may spend on a language model: nothing is sent that could pass the cap."""

import json
from dataclasses import dataclass
from typing import Any

from mathpinpoint.clients.limits import COMPLETION_LIMITS
from mathpinpoint.clients.outcomes import Outcome

FRAMING_TOKENS = 64  # of a request beside its texts: roles, separators


class BudgetSpent(RuntimeError):
    """The next request could pass the cap; everything asked so far is kept."""


@dataclass(frozen=True)
class Price:
    """US dollars a token, going in and coming out."""

    input_usd: float
    output_usd: float

    @property
    def is_free(self) -> bool:
        return not self.input_usd and not self.output_usd


class Budget:
    """Spent and reserved US dollars of one command; `limit_usd` None caps nothing.

    A request reserves the most that it can cost: a token for each byte of its body, which no byte-level tokenizer
    exceeds, and all completion tokens that it allows. Its reply turns that into what it did cost by the tokens
    that the reply reports. A request that got no reply may have been worked on: it counts as what it reserved.
    """

    def __init__(self, limit_usd: float | None = None) -> None:
        self.limit_usd, self.spent_usd, self.reserved_usd = limit_usd, 0.0, 0.0
        self.prices: dict[str, Price] = {}

    def most_usd(self, body: dict[str, Any]) -> float:
        """The most that a request can cost. Raises ValueError where its completion has no limit."""
        price = self.prices[body["model"]]
        if price.is_free:
            return 0.0
        limit = next((body[name] for name in COMPLETION_LIMITS if name in body), None)
        if limit is None:
            raise ValueError(
                f"A cap needs a limit of completion tokens: name {' or '.join(COMPLETION_LIMITS)} in the column "
                f"parameters of seeds/policy/llm_tasks.csv for {body['model']}."
            )
        size = len(json.dumps(body, ensure_ascii=False).encode())
        return (size + FRAMING_TOKENS) * price.input_usd + limit * price.output_usd

    def reserve(self, body: dict[str, Any]) -> float | None:
        """What is set aside for a request (USD); None where it could pass the cap."""
        if self.limit_usd is None:
            return 0.0
        most = self.most_usd(body)
        if self.spent_usd + self.reserved_usd + most > self.limit_usd:
            return None
        self.reserved_usd += most
        return most

    def settle(self, reserved: float, model: str, outcome: Outcome) -> None:
        """Replace what was set aside by what the request cost."""
        self.reserved_usd -= reserved
        price = self.prices.get(model)
        if outcome.status == "transport_error":
            self.spent_usd += reserved
        elif price:
            prompt, completion = outcome.prompt_tokens or 0, outcome.completion_tokens or 0
            self.spent_usd += prompt * price.input_usd + completion * price.output_usd

    def stopped(self, n_done: int, n_total: int) -> str:
        """What a command says that stops before the cap."""
        return (
            f"Stopped before the cap of {self.limit_usd:,.2f} USD: {self.spent_usd:,.2f} USD are spent on "
            f"{n_done:,} of {n_total:,} requests, and the next one could pass it. Every reply is kept: "
            "raise --max-usd and run the same command again to go on."
        )
