internal import AirframeHAR
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// An entry of an archive in a form that requests are compared with.
struct ReplayedEntry: Sendable {
    /// The position in the archive, from 0.
    let index: Int
    let entry: HAR.Entry
    /// The answer.
    let plan: ReplyPlan
    /// The answer with the recorded durations.
    let timedPlan: ReplyPlan
    private let target: URLParts
    private let fields: HTTPFields
    private let body: Data?

    init(_ entry: HAR.Entry, at index: Int) throws(HAR.ReadingError) {
        self.entry = entry
        self.index = index
        target = URLParts(entry.request.url)
        do throws(HAR.ReadingError) {
            do throws(HAR.ReadingError) {
                fields = try HTTPFields(replaying: entry.request.headers)
            } catch {
                throw error.within("request")
            }
            body = try entry.request.postData?.data()
            plan = try entry.replyPlan()
        } catch {
            throw error.inEntry(index)
        }
        timedPlan = plan.taking(entry.timings)
    }

    /// A description such as `entry 3, GET https://api.test/users`, counted from 0 as in `jq`.
    var name: String { "entry \(index), \(entry.request.method) \(Redaction.url(entry.request.url))" }

    /// Returns the differences between the recording and `request`, whose URL is `actual`.
    func mismatches(
        of request: RecordedRequest,
        at actual: URLParts,
        _ configuration: HARTransport.Configuration
    ) -> [Mismatch] {
        let isStrict = configuration.matching == .strict
        var result: [Mismatch] = []
        func expect(_ aspect: Condition.Aspect, _ expected: String, _ actual: String, if isMet: Bool) {
            guard !isMet else { return }
            result.append(Mismatch(aspect: aspect, expected: expected, actual: actual, distance: aspect.weight))
        }
        let method = request.method.rawValue
        expect(.method, entry.request.method, method, if: entry.request.method.uppercased() == method.uppercased())
        expect(.scheme, target.scheme, actual.scheme, if: target.scheme == actual.scheme)
        expect(.host, target.place, actual.place, if: target.place == actual.place)
        expect(.path, target.path, Redaction.url(actual.path), if: target.hasPath(of: actual))
        let ignored = configuration.ignoredParameters
        let recordedQuery = target.query.filter { !ignored.contains($0.name) }
        let query = actual.query.filter { !ignored.contains($0.name) }
        let isSameQuery = Self.matches(recordedQuery, query, inOrder: isStrict)
        expect(.query, Self.text(of: recordedQuery), Redaction.url(Self.text(of: query)), if: isSameQuery)
        guard isStrict else { return result }
        result += headerMismatches(of: request, configuration.ignoredHeaders)
        expect(.body, "as it was recorded", "\(request.body.count) bytes of other content", if: hasBody(of: request))
        return result
    }

    // MARK: Query

    /// Returns whether the items of both lists match one to one.
    static func matches(_ recorded: [QueryItem], _ actual: [QueryItem], inOrder: Bool) -> Bool {
        guard recorded.count == actual.count else { return false }
        if inOrder { return zip(recorded, actual).allSatisfy(isSame) }
        // Exact matches come first, so that a redacted value does not take the item of another. The items are counted,
        // because a linear search for each would be quadratic.
        var counts: [QueryItem: Int] = [:]
        for item in actual { counts[item, default: 0] += 1 }
        var hidden: [QueryItem] = []
        for item in recorded {
            if let count = counts[item] { counts[item] = count > 1 ? count - 1 : nil } else { hidden.append(item) }
        }
        var rest = Dictionary(grouping: counts.flatMap { Array(repeating: $0, count: $1) }, by: \.name)
        for item in hidden {
            guard let match = rest[item.name]?.firstIndex(where: { isSame(item, $0) }) else { return false }
            rest[item.name]?.remove(at: match)
        }
        return true
    }

    private static func isSame(_ recorded: QueryItem, _ actual: QueryItem) -> Bool {
        recorded.name == actual.name && RedactedText(text: recorded.value).matches(actual.value)
    }

    private static func text(of query: [QueryItem]) -> String {
        query.isEmpty ? "none" : "?" + query.map(\.description).joined(separator: "&")
    }

    // MARK: Header fields

    private func headerMismatches(of request: RecordedRequest, _ ignored: Set<HTTPField.Name>) -> [Mismatch] {
        let names = Set(fields.map(\.name)).union(request.headerFields.map(\.name))
        let compared = names.subtracting(ignored).subtracting(HTTPFields.unrecorded)
        return compared.sorted { $0.canonicalName < $1.canonicalName }.compactMap { name in
            let recorded = fields[values: name]
            let actual = request.headerFields[values: name]
            let isSame =
                recorded.count == actual.count
                && zip(recorded, actual).allSatisfy { RedactedText(text: $0).matches($1) }
            guard !isSame else { return nil }
            return Mismatch(
                aspect: .header,
                expected: Self.text(of: recorded, name),
                actual: Self.text(of: actual, name),
                distance: Condition.Aspect.header.weight
            )
        }
    }

    private static func text(of values: [String], _ name: HTTPField.Name) -> String {
        guard !values.isEmpty else { return "no \(name.rawName)" }
        return "\(name.rawName): \(values.map { Redaction.value($0, of: name.rawName) }.joined(separator: ", "))"
    }

    // MARK: Content

    private func hasBody(of request: RecordedRequest) -> Bool {
        guard let content = entry.request.postData else {
            // Content that was not recorded cannot be compared.
            return request.body.isEmpty || (entry.request.bodySize ?? 0) > 0
        }
        if content.custom["_truncated"] == true {
            return body.map { request.body.starts(with: $0) } ?? true
        }
        guard let body else {
            guard !content.params.isEmpty else { return true }
            let recorded = content.params.map { QueryItem(name: $0.name, value: $0.value ?? "") }
            let actual = HAR.pairs(ofForm: request.text).map { QueryItem(name: $0.name, value: $0.value ?? "") }
            return Self.matches(recorded, actual, inOrder: true)
        }
        if body == request.body { return true }
        // Neither can content that the recorder left out.
        if body.isEmpty, (entry.request.bodySize ?? 0) > 0 { return true }
        guard let text = content.text, content.encoding == nil, text.contains(RedactionPolicy.placeholder) else {
            return false
        }
        if let recorded = JSONValue(parsing: body), let actual = request.json {
            return recorded.matchesRedacted(actual)
        }
        return RedactedText(text: text).matches(request.text)
    }
}

/// The parts of a URL, as they are written.
struct URLParts: Sendable {
    let scheme: String
    /// Host and port.
    let place: String
    let path: String
    let query: [QueryItem]

    init(_ url: String) {
        let slashes = url.firstRange(of: "://")
        scheme = slashes.map { url[..<$0.lowerBound].lowercased() } ?? ""
        let rest = url[(slashes?.upperBound ?? url.startIndex)...].prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let origin = Origin(scheme: scheme, authority: String(authority))
        place = origin.map { "\($0.host):\($0.port)" } ?? authority.lowercased()
        let target = rest.dropFirst(authority.count)
        let path = target.prefix { $0 != "?" }
        self.path = path.isEmpty ? "/" : String(path)
        query = QueryItem.parse(target.dropFirst(path.count + 1))
    }

    func hasPath(of actual: URLParts) -> Bool {
        RedactedText(text: path).matches(actual.path) || path.percentDecoded == actual.path.percentDecoded
    }
}
