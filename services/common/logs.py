"""Structured logs: one JSON object a line, to standard error."""

from __future__ import annotations

import logging
import sys

import structlog


def configure_logs(service: str, level: str) -> None:
    """Set up structlog and the standard library's logging for this process.

    Log lines at INFO hold ids, methods, reasons and durations: never positions, observations,
    tokens, names or codes.
    """
    number = logging.getLevelNamesMapping().get(level.upper(), logging.INFO)
    logging.basicConfig(stream=sys.stderr, level=max(number, logging.WARNING))
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
    )
    structlog.contextvars.bind_contextvars(service=service)
