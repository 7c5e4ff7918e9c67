#!/usr/bin/env python3
"""Writes manual pages from what `lifestats --experimental-dump-help` says of the commands: one page each.

usage: lifestats --experimental-dump-help | manual.py FOLDER VERSION
"""
import json
import pathlib
import sys


def escaped(text):
    """Text of a manual page: backslashes and leading dots or quotes have a meaning there."""
    lines = (text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")).split("\n")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def paragraph(text):
    """Prose is filled; what is indented stays as it is."""
    is_fixed = any(line.startswith(" ") for line in text.split("\n"))
    return f".PP\n.nf\n{escaped(text)}\n.fi\n" if is_fixed else f".PP\n{escaped(text)}\n"


def names(argument):
    return ", ".join(("-" if name["kind"] == "short" else "--") + name["name"] for name in argument.get("names", []))


def synopsis(command, path):
    parts = [f".B {escaped(' '.join(path))}"]
    shown = [a for a in command.get("arguments", []) if a.get("shouldDisplay", True)]
    if any(a["kind"] != "positional" for a in shown):
        parts.append("[\\fIoptions\\fR]")
    for argument in shown:
        if argument["kind"] == "positional":
            text = f"\\fI{escaped(argument['valueName'])}\\fR" + (" ..." if argument["isRepeating"] else "")
            parts.append(f"[{text}]" if argument["isOptional"] else text)
    if command.get("subcommands"):
        parts.append("\\fIcommand\\fR ...")
    return "\n".join(parts)


def options(command):
    text = ""
    section = None
    for argument in command.get("arguments", []):
        if not argument.get("shouldDisplay", True):
            continue
        title = argument.get("sectionTitle") or ("Arguments" if argument["kind"] == "positional" else "Options")
        if title != section:
            section = title
            text += f".SH {escaped(title.upper())}\n"
        value = f"\\fI{escaped(argument['valueName'])}\\fR" if argument["kind"] != "flag" else ""
        head = value if argument["kind"] == "positional" else f"\\fB{escaped(names(argument))}\\fR {value}".rstrip()
        body = " ".join(argument[key] for key in ("abstract", "discussion") if argument.get(key))
        if argument.get("defaultValue") and "default" not in body:
            body += f" (default: {argument['defaultValue']})"
        text += f".TP\n{head}\n{escaped(body)}\n"
    return text


def page(command, path, version, pages):
    name = "-".join(path)
    text = f'.TH {name.upper()} 1 "" "lifestats {version}" "lifestats"\n'
    text += f".SH NAME\n{escaped(name)} \\- {escaped(command.get('abstract', '').rstrip('.'))}\n"
    text += f".SH SYNOPSIS\n{synopsis(command, path)}\n"
    if command.get("discussion"):
        text += ".SH DESCRIPTION\n" + "".join(paragraph(part) for part in command["discussion"].split("\n\n"))
    text += options(command)
    below = [c for c in command.get("subcommands", []) if c.get("shouldDisplay", True) and c["commandName"] != "help"]
    if below:
        text += ".SH COMMANDS\n"
        for other in below:
            text += f".TP\n.B {escaped(other['commandName'])}\n{escaped(other.get('abstract', ''))}\n"
    others = [escaped("-".join(path + [c["commandName"]])) for c in below] if below else ["lifestats"]
    text += ".SH SEE ALSO\n" + ",\n".join(f".BR {other} (1)" for other in others).replace(",\n", " ,\n") + "\n"
    pages[name] = text
    for other in below:
        page(other, path + [other["commandName"]], version, pages)


folder, version = pathlib.Path(sys.argv[1]), sys.argv[2]
pages = {}
page(json.load(sys.stdin)["command"], ["lifestats"], version, pages)
folder.mkdir(parents=True, exist_ok=True)
for name, text in pages.items():
    (folder / f"{name}.1").write_text(text, encoding="utf-8")
