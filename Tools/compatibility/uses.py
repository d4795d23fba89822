"""Writes Swift that uses a symbol as its declaration says: the compiler then shows whether it is still there."""

import re

from declaration import closing, split_top

# The generic types among the owners, and the constraints of their parameters.
GENERIC = {
    "DataResponse": ("Success, Failure", "Success: Sendable, Failure: Error"),
    "DownloadResponse": ("Success, Failure", "Success: Sendable, Failure: Error"),
    "DataStreamRequest.Stream": ("Success, Failure", "Success: Sendable, Failure: Error"),
    "DataStreamRequest.Event": ("Success, Failure", "Success: Sendable, Failure: Error"),
    "AlamofireExtension": ("ExtendedType", ""),
    "DataTask": ("Value", "Value: Sendable"),
    "DownloadTask": ("Value", "Value: Sendable"),
    "DecodableResponseSerializer": ("T", "T: Decodable & Sendable"),
    "DecodableStreamSerializer": ("T", "T: Decodable & Sendable"),
    "AuthenticationInterceptor": ("AuthenticatorType", "AuthenticatorType: Authenticator"),
    "StreamOf": ("Element", "Element: Sendable"),
    "Result": ("Success, Failure", "Failure: Error"),
}

EFFECTS = re.compile(r"\)\s*(async\s*)?(throws(\(\w+\))?\s*)?(->|where|\{|$)")


class Unspeakable(Exception):
    """The declaration has a form that this file does not write."""


def generic_owner(owner):
    if owner == "Error":
        return "any Error", "", ""
    for name, (parameters, constraints) in GENERIC.items():
        if owner == name:
            return f"{owner}<{parameters}>", parameters, constraints
        if owner.startswith(name + "."):
            return f"{name}<{parameters}>{owner[len(name):]}", parameters, constraints
    return owner, "", ""


def parameters_of(text):
    """label, type, has a default, of each parameter in `text`."""
    for part in split_top(text):
        match = re.match(r"(`?\w+`?)(?:\s+(`?\w+`?))?\s*:\s*(.*)$", part, re.S)
        if not match:
            raise Unspeakable(part)
        label, kind = match.group(1).strip("`"), match.group(3)
        default = None
        pieces = split_top(kind.replace("==", "\0\0"), "=")
        if len(pieces) > 1:
            kind, default = pieces[0], pieces[1]
        yield label, kind.replace("\0\0", "==").strip(), default is not None


def use(number, symbol, constraint, protocols):
    """A function that uses `symbol`; `constraint` is the extension's, such as `Self == JSONParameterEncoder`."""
    text = re.sub(r"\s*\[where .*\]$", "", symbol.declaration)
    text = re.sub(r"@(discardableResult|preconcurrency|inlinable|available\([^)]*\)) ?", "", text)
    name = symbol.name.split("(")[0]
    owner, owner_parameters, owner_constraints = generic_owner(symbol.owner)
    generics = [owner_parameters] if owner_parameters else []
    where = [owner_constraints] if owner_constraints else []
    is_static = bool(re.search(r"\b(static|class func|class var)\b", text)) or "static" in symbol.kind
    if symbol.owner in protocols:
        concrete = re.search(r"Self == ([\w.]+)(<\w+>)?", f"{constraint} {text}")
        if concrete:
            owner = concrete.group(1) + (concrete.group(2) or "")
        else:
            generics.append(f"Owner_: {symbol.owner}")
            owner = "Owner_"
    elif constraint and "==" in constraint:
        raise Unspeakable("an extension with conditions")
    elif constraint:
        where.append(constraint)

    def own(kind):
        return re.sub(r"\bSelf\b", owner, kind)

    kind = symbol.kind
    signature, body = [f"_ receiver: {owner}"], ""
    if kind in ("struct", "enum", "class", "protocol", "typealias"):
        if kind == "protocol":
            return f"func use{number}(_: (any {symbol.path}).Type) {{}}"
        full, parameters, constraints = generic_owner(symbol.path)
        if full == symbol.path and re.search(rf"\b{name}<", text):
            inside = re.search(rf"\b{name}<(.*?)>", text).group(1)
            clause = re.search(r"\bwhere (.*)$", text)
            return f"func use{number}<{inside}>(_: {symbol.path}<{re.sub(r':[^,]*', '', inside)}>.Type){' where ' + clause.group(1) if clause else ''} {{}}"
        owner_generics = f"<{parameters}>" if parameters else ""
        return f"func use{number}{owner_generics}(_: {full}.Type){' where ' + constraints if constraints else ''} {{}}"
    if kind == "operator":
        body = f"_ = receiver {name} receiver"
    elif kind == "enum case":
        match = re.search(r"\bcase `?\w+`?(\(.*\))?", text)
        payload = match.group(1)
        count = len(split_top(payload[1:-1])) if payload else 0
        labels = [re.match(r"(\w+)\s*:", p) for p in split_top(payload[1:-1])] if payload else []
        pattern = ", ".join(f"{m.group(1)}: _" if m else "_" for m in labels)
        body = f"if case .{name}{'(' + pattern + ')' if count else ''} = receiver {{}}"
    elif re.search(r"\b(var|let)\b", text) and "func" not in text:
        signature = [] if is_static else signature
        body = f"_ = {owner + '.' if is_static else 'receiver.'}{name}" if symbol.owner else f"_ = {name}"
        body = body.replace(".default", ".`default`") if name == "default" else body
        if re.search(r"\basync\b|\bget async", text):
            body = body.replace("_ = ", "_ = try await " if "throws" in text else "_ = await ", 1)
        if not symbol.owner:
            signature = []
    elif "(" in text and re.search(r"\b(func|init|subscript)\b", text):
        start = text.index("(", re.search(r"\b(func|init|subscript)\b", text).end())
        end = closing(text, start)
        head = re.search(r"\b(?:func\s+\S+?|init[?!]?|subscript)\s*<(.*?)>\s*\($", text[: start + 1].rstrip())
        if head:
            generics.append(head.group(1))
        clause = re.search(r"\bwhere (.*)$", text[end:])
        if clause:
            where.append(re.sub(r"\s*\{.*\}$", "", clause.group(1)))
        where = [re.sub(r"Self == [^,]*(, )?", "", w) for w in where]
        arguments, short = [], []
        signature = [] if is_static or name == "init" else ([f"_ receiver: inout {owner}"] if "mutating" in text else signature)
        for i, (label, type_, has_default) in enumerate(parameters_of(text[start + 1 : end])):
            value = f"a{i}"
            if "@autoclosure" in type_:
                type_ = re.sub(r"@autoclosure\s*(@escaping )?", "@escaping ", type_).replace("@escaping @escaping", "@escaping")
                value += "()"
            if type_.endswith("..."):
                type_ = type_[:-3]
            if type_.startswith("inout "):
                value = "&" + value
            if name == "subscript":
                label = "_" if not re.search(rf"\b{label}\s+\w+\s*:", text) else label
            signature.append(f"_ a{i}: {own(type_)}")
            argument = value if label == "_" else f"{label}: {value}"
            arguments.append(argument)
            if not has_default:
                short.append(argument)
        callee = owner if name == "init" else ("receiver" if not is_static else owner)
        if name == "init":
            calls = [f"{callee}({', '.join(arguments)})"]
            if owner == "Owner_":
                calls = [f"Owner_.init({', '.join(arguments)})"]
        elif name == "subscript":
            calls = [f"{callee}[{', '.join(arguments)}]"]
        else:
            calls = [f"{callee}.{name}({', '.join(arguments)})"]
            free = re.findall(r"\w+", head.group(1)) if head else []
            spoken = " ".join(type_ for _, type_, has_default in parameters_of(text[start + 1 : end]) if not has_default)
            if short != arguments and all(re.search(rf"\b{g}\b", spoken) for g in free):
                calls.append(f"{callee}.{name}({', '.join(short)})")
        effects = text[end:]
        marker = ("try " if re.search(r"\bthrows\b", effects) else "") + ("await " if re.search(r"\basync\b", effects) else "")
        ignored = "" if name not in ("init", "subscript") and not re.search(r"->(?!\s*(Void|\(\))\s*($|where))", effects) else "_ = "
        body = "; ".join(f"{ignored}{marker}{call}" for call in calls)
    else:
        raise Unspeakable(text)

    if generics and (owner == "Owner_" or owner_parameters) and not any(part.endswith(owner) for part in signature):
        signature.append(f"_: {owner}.Type")
    asynchronous = " async" if "await" in body else ""
    throwing = " throws" if "try" in body else ""
    where = [w for w in (w.strip().rstrip(",") for w in where) if w]
    generic = f"<{', '.join(generics)}>" if generics else ""
    clause = f" where {', '.join(where)}" if where else ""
    return f"func use{number}{generic}({', '.join(signature)}){asynchronous}{throwing}{clause} {{ {body} }}"
