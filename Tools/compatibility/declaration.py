"""Declarations of Swift symbols, in a form in which two of them can be compared."""

import re

ATTRIBUTES = re.compile(r"@(discardableResult|preconcurrency|escaping|Sendable|MainActor|inlinable|frozen|_spi\(\w+\)|autoclosure)\b ?")
# Apple's names, and ours that the product AirframeAppleNames gives them as typealiases.
ALIASES = {
    "SecTrust": "ServerTrust", "SecCertificate": "Certificate", "SecKey": "PublicKey", "SecPolicy": "ServerTrustPolicy",
    "SecTrustResultType": "ServerTrustResult", "OSStatus": "Int32",
    "SCNetworkReachabilityFlags": "NetworkReachabilityFlags", "NWPathMonitor": "NetworkPathMonitor",
    "InterfaceType": "Kind", "Options": "RevocationOptions",
}
MODIFIERS = re.compile(r"\b(public|open|final|override|nonisolated|static|class|mutating|convenience|required|lazy|sending|weak)\b ?")
KEYWORDS = ("func", "init", "var", "let", "subscript", "case", "struct", "enum", "protocol", "typealias", "associatedtype", "operator", "class", "actor")


def split_top(text, separator=","):
    """The parts of `text` between separators that stand in no bracket."""
    parts, depth, start, i = [], 0, 0, 0
    while i < len(text):
        c = text[i]
        if c in "([{<":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1 : i] != "-"):
            depth -= 1
        elif c == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
        i += 1
    last = text[start:]
    if last.strip():
        parts.append(last)
    return [part.strip() for part in parts]


def closing(text, start):
    """The index of the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        if text[i] == "(":
            depth += 1
        elif text[i] == ")":
            depth -= 1
            if depth == 0:
                return i
    return len(text) - 1


def labelled_name(kind, declaration):
    """The symbol's name as the compiler prints it: `request(_:method:)`, `timeout`, `Options`."""
    text = declaration
    if "operator" in kind:
        return re.sub(r".*func\s+(\S+?)\s*[<(].*", r"\1(_:_:)", text)
    if kind.startswith("init") or re.search(r"(^|\s)init[?!<(]", text):
        head = re.search(r"\binit[?!]?", text)
        name, rest = "init", text[head.end() :]
    elif "subscript" in kind:
        head = re.search(r"\bsubscript", text)
        name, rest = "subscript", text[head.end() :]
    else:
        head = re.search(r"\b(?:func|var|let|case|struct|enum|protocol|typealias|associatedtype|class|actor)\s+(`?[\w$]+`?|[^\s\w(]+)", text)
        if not head:
            return None
        while head.group(1) in ("func", "var", "let"):  # `class func`
            text = text[head.end() - len(head.group(1)) :]
            head = re.search(r"\b(?:func|var|let)\s+(`?[\w$]+`?)", text)
        name, rest = head.group(1).strip("`"), text[head.end() :]
    if "func" not in text and not name in ("init", "subscript") and "case" not in kind:
        return name
    if rest.startswith("<"):
        depth = 0
        for i, c in enumerate(rest):
            depth += (c == "<") - (c == ">" and rest[i - 1] != "-")
            if depth == 0:
                rest = rest[i + 1 :]
                break
    rest = rest.lstrip()
    if not rest.startswith("("):
        return name
    inside = rest[1 : closing(rest, 0)]
    labels = []
    for part in split_top(inside):
        part = ATTRIBUTES.sub("", part)
        match = re.match(r"(`?\w+`?)(?:\s+`?\w+`?)?\s*:(?!:)", part)
        label = match.group(1).strip("`") if match else "_"
        if name == "subscript" and not re.match(r"`?\w+`?\s+`?\w+`?\s*:", part):
            label = "_"  # a subscript's only name is not a label
        labels.append(label)
    return f"{name}({''.join(label + ':' for label in labels)})"


def renamed(text):
    """The declaration with its generic parameters numbered: what they are called is not part of their use."""
    match = re.search(r"\b(?:func\s+\S+?|init[?!]?|subscript|typealias \w+)<([^<>]*)>", text)
    if not match:
        return text
    for i, parameter in enumerate(split_top(match.group(1))):
        text = re.sub(rf"(?<![\w.]){re.escape(parameter.split(':')[0].strip())}\b", f"T{i}", text)
    return text


def normal(declaration, owner=""):
    """The declaration without attributes, access, spaces and the qualification of names in `owner`."""
    text = re.sub(r"\s*\[where .*\]$", "", declaration)
    match = re.search(r"\b(struct|enum|protocol|class|actor) (\w+)(?!.*\bfunc\b)(?!.*\bvar\b)", text)
    if match:
        return "type" + match.group(2)
    text = renamed(ATTRIBUTES.sub("", text))
    text = MODIFIERS.sub("", text)
    text = re.sub(r"\blet\b", "var", text)
    text = re.sub(r"\{[^{}]*\}$", "", text.strip())
    text = re.sub(r"&\s*Sendable\b|\bSendable\s*&", "", text)
    text = re.sub(r"(,\s*)?\b[\w.]+\s*:\s*Sendable\b", "", text)
    text = re.sub(r"\bFoundation(Essentials)?\.", "", text)
    text = re.sub(r"\b(?:[A-Z]\w*\.)+(?=[A-Z])", "", text)
    text = re.sub(r"\bwhere\s*$", "", text.strip())
    for apple, name in ALIASES.items():
        text = re.sub(rf"\b{apple}\b", name, text)
    # What an unlabelled parameter is called is not part of its use.
    text = re.sub(r"\b_( \w+)?:", "", text)
    text = re.sub(r"\bany\s+", "", text)
    text = text.replace("self", "Self") if "-> self" in text else text
    return re.sub(r"\s+", "", text).replace("`", "").replace("where,", "where")
