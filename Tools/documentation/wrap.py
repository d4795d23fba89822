"""Fills the paragraphs and comments that have lines above 120 columns.

usage: wrap.py [--check] FILE…: Markdown and Swift. Tables, code, headings and lines that cannot be broken stay as they
are. With --check it changes nothing, lists the lines, and fails if there are any.
"""

import re
import sys

WIDTH = 120
#: What a line is not broken within: a span of code with the text around it, a link, a word.
TOKEN = re.compile(r"(?:`+[^`]*`+|!?\[[^\]]*\]\([^)]*\)|[^\s`])+")
ITEM = re.compile(r"^(\s*)([-*] (?:\*\*)?|\d+\. )")
#: What a reader sees of a link is its text.
TARGET = re.compile(r"\]\([^)]*\)|https?://\S+")


def is_long(line):
    """Whether a line is too long although it could be broken."""
    return len(TARGET.sub("", line)) > WIDTH and len(TOKEN.findall(line)) > 1


def fill(text, first, rest):
    """The words of a text in lines of at most `WIDTH` columns."""
    lines, line = [], first
    for word in TOKEN.findall(text):
        separator = "" if line in (first, rest) else " "
        if line.strip() and line not in (first, rest) and len(line) + len(separator) + len(word) > WIDTH:
            lines.append(line)
            line, separator = rest, ""
        line += separator + word
    return lines + [line]


def begins_block(line):
    """Whether a line of Markdown is the first of a block, or no prose."""
    return not line.strip() or bool(ITEM.match(line)) or line.lstrip().startswith(("#", "|", ">", "```", "<", "!["))


def wrapped_markdown(lines):
    """The lines with long paragraphs filled."""
    result, index, fenced = [], 0, False
    while index < len(lines):
        line = lines[index]
        if line.startswith("```"):
            fenced = not fenced
        item = ITEM.match(line)
        is_prose = not fenced and line.strip() and not line.lstrip().startswith(("#", "|", ">", "```", "<", "!["))
        if not is_prose or (line.startswith("    ") and not item):
            result.append(line)
            index += 1
            continue
        end = index + 1
        while end < len(lines) and not begins_block(lines[end]) and not (item is None and lines[end].startswith("    ")):
            end += 1
        block = lines[index:end]
        if any(map(is_long, block)):
            indent = item.group(1) if item else re.match(r"\s*", line).group(0)
            marker = re.match(r"[-*] |\d+\. ", line[len(indent):]).group(0) if item else ""
            text = " ".join([line[len(indent) + len(marker):], *(other.strip() for other in block[1:])])
            block = fill(text, indent + marker, indent + " " * len(marker))
        result += block
        index = end
    return result


def wrapped_comments(lines):
    """The lines with long comments filled: from the long line to the end of its paragraph."""
    result, index, fenced = [], 0, False
    while index < len(lines):
        match = re.match(r"(\s*///? )(\s*)(.*)", lines[index])
        if match and match.group(3).startswith("```"):
            fenced = not fenced
        if not match or fenced or not is_long(lines[index]) or match.group(3).startswith("|"):
            result.append(lines[index])
            index += 1
            continue
        prefix, indent, text = match.groups()
        item = re.match(r"[-*] |\d+\. ", text)
        hanging = indent + "  " if item and item.group(0).startswith(("-", "*")) else indent
        end, texts = index + 1, [text]
        while end < len(lines):
            following = re.match(re.escape(prefix) + r"(\s*)(.*)", lines[end])
            if not following or not following.group(2) or re.match(r"[-*|#] ?|```|\d+\. ", following.group(2)):
                break
            if following.group(1) != hanging:
                break
            texts.append(following.group(2))
            end += 1
        result += fill(" ".join(texts), prefix + indent, prefix + hanging)
        index = end
    return result


def main():
    arguments = sys.argv[1:]
    is_check = "--check" in arguments
    found = 0
    for path in arguments:
        if path == "--check":
            continue
        lines = open(path, encoding="utf-8").read().split("\n")
        changed = wrapped_comments(lines) if path.endswith(".swift") else wrapped_markdown(lines)
        if changed == lines:
            continue
        if is_check:
            found += 1
            print(f"{path}: {sum(map(is_long, lines))} lines above {WIDTH} columns", file=sys.stderr)
        else:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(changed))
    sys.exit(1 if found else 0)


main()
