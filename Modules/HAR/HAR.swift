/// HTTP Archive 1.2: a record of exchanges, in a file format that browsers, proxies and test tools share.
///
/// The types correspond to the format's objects, member by member. Members outside the format (names that begin with
/// `_`, and other additions of tools) are kept in `custom` and written back.
///
/// ```swift
/// let log = try HAR.Log(contentsOf: URL(filePath: "session.har"))
/// for entry in log.entries where entry.response.status >= 400 { print(entry.request.url) }
/// ```
public enum HAR {}
