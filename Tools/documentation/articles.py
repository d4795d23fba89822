"""The Markdown files of Docs as articles of one DocC catalogue: their links become links between articles."""

import os
import re

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)\)")
#: A span of code, unless it is the text of a link.
CODE = re.compile(r"((?<!\[)`[^`]*`(?!\]\())")


def name(path):
    """The name of the article made from a file: that of the file; of a README, that of its folder."""
    base = os.path.splitext(os.path.basename(path))[0]
    return os.path.basename(os.path.dirname(path)) if base == "README" else base


def lines_outside_code(text):
    """The lines with a flag: whether the line is prose."""
    fenced = False
    for line in text.split("\n"):
        if line.startswith("```"):
            fenced = not fenced
            yield line, False
        else:
            yield line, not fenced and not line.startswith("    ")


def headings(path):
    """The headings of a file: the fragments of links on GitHub, and those of DocC."""
    found = {}
    for line, is_prose in lines_outside_code(open(path, encoding="utf-8").read()):
        match = re.match(r"#+ (.*)", line) if is_prose else None
        if match:
            title = match.group(1).replace("`", "")
            found[re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")] = re.sub(r"\s+", "-", title.strip())
    return found


class Articles:
    """Converts the files and collects the links that lead nowhere."""

    def __init__(self, files):
        self.files = set(files)
        self.broken = []

    def convert(self, path):
        """The text of a file as an article."""
        lines = []
        has_title = False
        for line, is_prose in lines_outside_code(open(path, encoding="utf-8").read()):
            if is_prose:
                # Two backticks begin a link to a symbol in DocC, and a span of code elsewhere.
                line = re.sub(r"`` (.+?) ``", lambda match: f"`{match.group(1).replace('`', '')}`", line)
                # DocC takes one title for a page.
                if line.startswith("# "):
                    line = f"#{line}" if has_title else line
                    has_title = True
                pieces = CODE.split(line)
                pieces[::2] = [self.prose(piece, path) for piece in pieces[::2]]
                line = "".join(pieces)
            # A path behind the language of a block is for the tests.
            lines.append(re.sub(r"^```(\w+) .*", r"```\1", line))
        return "\n".join(lines)

    def prose(self, text, path):
        text = IMAGE.sub(self.image, text)
        return LINK.sub(lambda match: self.link(match, path), text)

    @staticmethod
    def image(match):
        return f"![{match.group(1)}]({os.path.basename(match.group(2))})"

    def link(self, match, path):
        text, target = match.groups()
        if "://" in target:
            return match.group(0)
        file, _, fragment = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
        if os.path.isdir(file) and os.path.exists(f"{file}/README.md"):
            file = f"{file}/README.md"
        if not os.path.exists(file):
            self.broken.append(f"{path}: {target}")
            return text
        if file not in self.files:
            return text if text.strip("`").endswith(os.path.basename(file)) else f"{text} (`{file}`)"
        if not fragment:
            return f"[{text}](doc:{name(file)})"
        heading = headings(file).get(fragment)
        if heading is None:
            self.broken.append(f"{path}: {target}")
            return text
        return f"[{text}](doc:{name(file)}#{heading})"
