"""Sphinx extension: pages load the site's own files alone, and no page prints a script error."""

import json

import labutils.authoring.patient_nbclient  # noqa: F401  (importing it cures a hang of the notebook runner)
from labutils.controls.slim import slim

WIDGETS = "application/vnd.jupyter.widget-state+json"


def own_files_only(app, pagename, templatename, context, doctree):
    """Drop sphinx-thebe, which declares the same constant twice on each page: a SyntaxError for every reader."""
    scripts = context.get("script_files")
    if scripts is not None:
        scripts[:] = [script for script in scripts if not _is_thebe(script)]


def _is_thebe(script) -> bool:
    inline = (getattr(script, "attributes", None) or {}).get("body", "")
    return "THEBE_JS_URL" in inline or "sphinx-thebe" in str(getattr(script, "filename", ""))


def unique_ids(app, pagename, templatename, context, doctree):
    """sphinx-exercise gives every exercise of a page the same inner id: take it out."""
    if "body" in context:
        context["body"] = context["body"].replace(' id="exercise-content"', "")


def controls(app, pagename, templatename, context, doctree):
    """Pages with controls load the site's one script of controls and keep only the controls' own data."""
    for script in list(context.get("script_files") or ()):
        attributes = getattr(script, "attributes", None) or {}
        if attributes.get("type") == WIDGETS:
            saved = json.loads(attributes["body"])
            slimmed = json.dumps(saved | {"state": slim(saved["state"])}, separators=(",", ":"))
            attributes["body"] = slimmed.replace("<", "\\u003c")  # no text in it can end the script element
            app.add_js_file("itt-controls.js", loading_method="defer")
    if WIDGETS in context.get("body", ""):  # a page that is no notebook brings its state along
        app.add_js_file("itt-controls.js", loading_method="defer")


def setup(app):
    app.connect("html-page-context", controls, priority=900)
    app.connect("html-page-context", own_files_only, priority=900)
    app.connect("html-page-context", unique_ids, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
