"""Numbers and tables as a model card writes them."""


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """A table in Markdown."""
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def percent(share: float, error: float | None = None, digits: int = 1) -> str:
    """A share in per cent, with its standard error if there is one; up to two digits more if that would be 0 otherwise.

    >>> percent(0.12345), percent(0.12345, 0.0061), percent(0.014, 0.0006, digits=2)
    ('12.3%', '12.3 ± 0.6%', '1.40 ± 0.06%')
    """
    return (f"{100 * share:.{digits}f}" if error is None else number(100 * share, 100 * error, digits)) + "%"


def number(value: float, error: float, digits: int = 2) -> str:
    """A number with its standard error; up to two digits more if that would be 0 otherwise. An error of exactly 0 is
    none (one case).

    >>> number(0.1379, 0.0014), number(-0.025, 0.03)
    ('0.138 ± 0.001', '−0.03 ± 0.03')
    """
    if not error:
        return f"{value:.{digits}f}".replace("-", "−")
    digits = next((d for d in range(digits, digits + 2) if round(error, d)), digits + 2)
    return f"{value:.{digits}f} ± {error:.{digits}f}".replace("-", "−")


def head_name(head: dict) -> str:
    """A head as layer.head, counted from 0."""
    return f"{head['layer']}.{head['head']}"
