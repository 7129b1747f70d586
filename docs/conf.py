"""How Sphinx turns these Markdown pages into HTML."""

from importlib.metadata import version as installed_version

project = "fnschema"
version = release = installed_version("fnschema")
extensions = ["myst_parser"]
html_theme = "furo"
myst_heading_anchors = 3
