#!/usr/bin/env python3
"""Reads a Jenkinsfile as Groovy, and checks that it is one declarative pipeline with the sections that it needs.

    jenkinsfile.py FILE    exits with 1, and says what is wrong and in which line
"""

import sys

import tree_sitter
import tree_sitter_groovy

SECTIONS = {"agent", "stages"}


def problems(source: bytes) -> list[str]:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_groovy.language()))
    root = parser.parse(source).root_node
    if root.has_error:
        return [f"line {node.start_point.row + 1}: this is no Groovy" for node in errors(root)]
    calls = [node for node in root.named_children if node.type != "line_comment"]
    if len(calls) != 1 or name(calls[0]) != "pipeline":
        return ["line 1: a Jenkinsfile has one pipeline, and nothing else"]
    missing = SECTIONS - {name(node) for node in body(calls[0])}
    return [f"line 1: the pipeline has no {section}" for section in sorted(missing)]


def errors(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    if node.is_error or node.is_missing:
        return [node]
    return [error for child in node.children if child.has_error for error in errors(child)]


def name(node: tree_sitter.Node) -> str:
    """The first word of a statement: `agent` of `agent any`."""
    return node.text.split(None, 1)[0].decode(errors="replace") if node.text else ""


def body(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The statements in the braces of a call."""
    if node.type == "closure":
        return node.named_children
    return [statement for child in node.named_children for statement in body(child)]


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        found = problems(file.read())
    for line in found:
        print(f"{sys.argv[1]}: {line}", file=sys.stderr)
    sys.exit(1 if found else 0)
