"""The sample LLM: an OpenAI-compatible server that answers from the truth of a sample web."""

from .process import SampleServer, serve

__all__ = ["SampleServer", "serve"]
