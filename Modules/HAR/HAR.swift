/// HTTP Archive 1.2: what a client and servers said to each other, as a file that browsers, proxies and test tools share.
///
/// The types in here are the format's objects, field by field. What the format leaves to tools (names that begin with
/// `_`, and whatever else a tool adds) is kept in `custom`, and written again.
///
/// ```swift
/// let log = try HAR.Log(contentsOf: URL(filePath: "session.har"))
/// for entry in log.entries where entry.response.status >= 400 { print(entry.request.url) }
/// ```
public enum HAR {}
