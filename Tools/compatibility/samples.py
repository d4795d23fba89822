"""The samples of documents about Alamofire that tests run, from the comments of those tests."""

import re

FOLDERS = ["Tests/IntegrationTests/Samples", "Tests/CompatibilityTests/Samples"]
DOCUMENTS = ["Learning Alamofire 3.4.1", "Migration to Alamofire 4", "Alamofire-Request", "Advanced usage of Alamofire 5",
             "Reading the source of Alamofire 5"]
COMMENT = re.compile(r"((?:    /// .*\n)+)    @Test\(\s*\"([^\"]+)\"")
INTRODUCTION = """
# Samples

The samples of five documents about Alamofire 3, 4 and 5 that tests run, with the import line and the servers changed. Other
samples of these documents are excerpts of Alamofire's own source, declarations without a body, or samples that did not compile with
the Alamofire of their time: arguments were lost in print. Where a test runs such a sample it restores them.

| document | section | import | result | test |
|---|---|---|---|---|
"""


def table(root):
    """The section of Docs/Compatibility.md."""
    rows = []
    for folder in FOLDERS:
        for file in sorted((root / folder).glob("*.swift")):
            text = file.read_text(encoding="utf-8")
            module = "AirframeLegacy" if "import AirframeLegacy" in text else "Airframe"
            for comment, test in COMMENT.findall(text):
                words = " ".join(line.strip().removeprefix("///").strip() for line in comment.splitlines())
                document = next((name for name in DOCUMENTS if words.startswith(name)), None)
                if document is None:
                    continue
                sections, separator, note = re.match(r"(?:, )?([^;:]*)([;:]?)\s*(.*?)\.?$", words[len(document):]).groups()
                result = "runs as printed" if not note else f"runs; {note}"
                rows.append((DOCUMENTS.index(document), document, sections.strip(' ."') or "its sample", module, result, test))
    rows.sort(key=lambda row: row[:3])
    return INTRODUCTION + "".join(
        f"| {document} | {section.replace(chr(34), '')} | `{module}` | {result} | {test} |\n".replace("\n |", " |")
        for _, document, section, module, result, test in rows
    )
