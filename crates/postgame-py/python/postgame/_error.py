"""The exception, in Python because native code cannot add attributes to a ValueError subclass in all versions."""

from __future__ import annotations

from typing import Optional

__all__ = ["Error"]


class Error(ValueError):
    """Why a recording could not be read, written or changed, and where.

    >>> import postgame
    >>> try:
    ...     postgame.read(b"RGZP")
    ... except postgame.Error as error:
    ...     error.format, error.path, error.offset
    ('rumble', 'container.inflated_size', 4)
    """

    #: The file's name, if known.
    file: Optional[str] = None
    #: The format's short name, once it is known.
    format: Optional[str] = None
    #: The path through the file's structure, such as ``frames[3].players[0].health``.
    path: str = ""
    #: The byte offset, and for bit streams the bit in that byte.
    offset: Optional[int] = None
    bit: Optional[int] = None
    #: The data in which the offset counts: ``"file"``, or ``"inflated"`` for the contents after decompression.
    space: Optional[str] = None


# The module that users see.
Error.__module__ = "postgame"
