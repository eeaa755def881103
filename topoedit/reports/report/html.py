"""The report as one HTML file: no request to any network, readable without script."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import msgspec

import topoedit
from topoedit.errors import BadInputError
from topoedit.paths import resources
from topoedit.reports.report.blocks import Report
from topoedit.reports.report.build import SIGNS
from topoedit.reports.report.html_blocks import HtmlBlocks, table
from topoedit.reports.report.picture import Picture
from topoedit.reports.report.safe import plain

MOST_TEMPLATE_BYTES = 1_000_000
_PAGE = "page.html.jinja"


def html_bytes(report: Report, picture: Picture, template: Path | None = None) -> bytes:
    """The whole file.

    Args:
        report: what to say.
        picture: the diagram.
        template: a Jinja2 template of the user's in place of the product's own. It gets `report`
            (the data), `front` and `parts` (with their `html`), `style`, `script`, `policy`
            and `version`, runs in a sandbox and escapes whatever it prints.

    Raises:
        BadInputError: the template cannot be read, or is wrong; the line says where.
    """
    text = read_template(template) if template is not None else _resource(_PAGE)
    where = str(template) if template is not None else _PAGE
    return _rendered(text, where, _context(report, picture)).encode("utf-8", "replace")


def read_template(path: Path) -> str:
    """The text of a template file.

    Raises:
        BadInputError: it cannot be read or is too large.
    """
    from topoedit.io.reading import decode_text, read_bytes

    data = read_bytes(path)
    if len(data) > MOST_TEMPLATE_BYTES:
        raise BadInputError(
            "is too large for a template", str(path), f"Keep it under {MOST_TEMPLATE_BYTES:,} bytes"
        )
    return decode_text(data, str(path))


def _context(report: Report, picture: Picture) -> dict[str, object]:
    from markupsafe import Markup

    ids = [part.id for part in report.parts]
    described = f"Diagram of {report.name}. {report.front.subtitle}"
    blocks = HtmlBlocks(lambda: picture.svg(described), ids)
    front = report.front
    style, script = _resource("report.css"), _resource("report.js")
    return {
        "report": _cleaned(msgspec.to_builtins(report)),
        "signs": SIGNS,
        "front": {
            "title": plain(front.title),
            "subtitle": plain(front.subtitle),
            "marked": front.marked,
            "html": Markup(blocks.write(front.blocks)),  # noqa: S704 - escaped block by block
            "pair": [Markup(table(one)) for one in front.pair],  # noqa: S704
        },
        "parts": [
            {"id": part.id, "title": part.title, "html": Markup(blocks.write(part.blocks))}  # noqa: S704
            for part in report.parts
        ],
        "style": Markup(style),  # noqa: S704 - our own resource
        "script": Markup(script),  # noqa: S704
        "policy": _policy(script),
        "version": topoedit.__version__,
    }


def _cleaned(value: object) -> object:
    """Plain data without control characters in its texts."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, dict):
        return {key: _cleaned(one) for key, one in value.items()}
    return [_cleaned(one) for one in value] if isinstance(value, list | tuple) else value


def _policy(script: str) -> str:
    """A content policy under which a browser loads nothing and runs only our own script."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"


def _rendered(text: str, where: str, context: dict[str, object]) -> str:
    from jinja2 import StrictUndefined, TemplateError, TemplateSyntaxError
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    try:
        return environment.from_string(text).render(context)
    except TemplateSyntaxError as error:
        raise BadInputError(
            f"is no good template: {error.message}", f"{where}, line {error.lineno}"
        ) from None
    except (TemplateError, TypeError, ValueError, ArithmeticError, LookupError) as error:
        raise BadInputError(
            f"cannot be filled in: {str(error).rstrip(chr(46))}",
            where,
            "The product's own, resources/report/page.html.jinja, shows what it is given",
        ) from None
    except (RecursionError, OverflowError):
        raise BadInputError("the template goes round in circles", where) from None


def _resource(name: str) -> str:
    return (resources() / "report" / name).read_text(encoding="utf-8")
