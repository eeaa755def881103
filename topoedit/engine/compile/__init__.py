"""From a drawing to arrays: `compile_fabric`, and `patch_fabric` after a small edit."""

from topoedit.engine.compile.compiler import compile_fabric
from topoedit.engine.compile.patch import patch_fabric

__all__ = ["compile_fabric", "patch_fabric"]
