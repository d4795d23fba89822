"""The samples of documents about Alamofire that tests run, from the comments of those tests."""

import re

FOLDERS = ["Tests/IntegrationTests/Samples", "Tests/CompatibilityTests/Samples"]
DOCUMENTS = ["Learning Alamofire 3.4.1", "Migration to Alamofire 4", "Alamofire-Request", "Advanced usage of Alamofire 5",
             "Reading the source of Alamofire 5"]
COMMENT = re.compile(r"((?:    /// .*\n)+)    @Test\(\s*\"([^\"]+)\"")
INTRODUCTION = """
# Samples

The samples of five documents about Alamofire 3, 4 and 5. Tests run those of the first table, with the import line and the
servers changed. Where arguments were lost in print, so that a sample did not compile with the Alamofire of its time, the
test restores them. The second table lists the samples that no test runs, with the reason.

| document | section | import | result | test |
|---|---|---|---|---|
"""

WITHOUT_TEST = """
| document | samples without a test | reason |
|---|---|---|
"""


def table(root):
    """Returns the section of Docs/Compatibility.md."""
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
    text = (root / "Tools/compatibility/samples-without-test.txt").read_text(encoding="utf-8")
    others = [line.split(" | ") for line in text.splitlines() if line and not line.startswith("#")]
    without_test = WITHOUT_TEST + "".join(f"| {' | '.join(cells)} |\n" for cells in others)
    return INTRODUCTION + "".join(
        f"| {document} | {section.replace(chr(34), '')} | `{module}` | {result} | {test} |\n".replace("\n |", " |")
        for _, document, section, module, result, test in rows
    ) + without_test
