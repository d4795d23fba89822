extension CurlCommand {
    /// The URL.
    package var url: String {
        let url = urls.first ?? ""
        let absolute = url.contains("://") ? url : "http://\(url)"
        guard putsDataIntoQuery, let query = inlineData, !query.isEmpty else { return uploadTarget(at: absolute) }
        return absolute + (absolute.contains("?") ? "&" : "?") + query
    }

    /// The URL with the name of the file of `-T`, which curl appends if the URL has neither a name nor a query.
    private func uploadTarget(at url: String) -> String {
        // `.` is standard input that is not waited for.
        guard let uploadFile, uploadFile != "-", uploadFile != ".", !url.contains("?"),
            let name = uploadFile.split(separator: "/").last
        else { return url }
        let place = url.prefix { $0 != "#" }
        let hasPath = place.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).count > 3
        guard !hasPath || place.hasSuffix("/") else { return url }
        return "\(place)\(hasPath ? "" : "/")\(FormEncoding.encoded(String(name)))\(url.dropFirst(place.count))"
    }

    /// The method that curl uses.
    package var effectiveMethod: String {
        if let method { return method }
        if isHead { return "HEAD" }
        if uploadFile != nil { return "PUT" }
        return (data.isEmpty || putsDataIntoQuery) && parts.isEmpty ? "GET" : "POST"
    }

    /// The content, where none of it is in a file; pieces are joined by `&`, or directly with `--json`.
    package var inlineData: String? {
        let texts = data.compactMap { piece -> String? in
            if case .text(let text) = piece { text } else { nil }
        }
        return texts.count == data.count ? texts.joined(separator: isJSON ? "" : "&") : nil
    }

    /// The file that is the whole content.
    package var bodyFile: String? {
        if let uploadFile { return uploadFile == "-" ? "-" : uploadFile }
        if data.count == 1, case .file(let path, _) = data[0] { return path }
        return nil
    }

    /// The fields, including those that curl adds for a body.
    package var allHeaders: [RequestParts.Pair] {
        var all = headers
        func add(_ name: String, _ value: String) {
            let isGiven = all.contains { $0.name.lowercased() == name.lowercased() }
            if !isGiven, !removedHeaders.contains(where: { $0.lowercased() == name.lowercased() }) {
                all.append(RequestParts.Pair(name, value))
            }
        }
        if !cookies.isEmpty { add("Cookie", cookies.joined(separator: "; ")) }
        if isJSON {
            add("Content-Type", "application/json")
            add("Accept", "application/json")
        } else if !data.isEmpty, !putsDataIntoQuery {
            add("Content-Type", "application/x-www-form-urlencoded")
        }
        return all
    }

    /// The same request as arguments of `airframe`.
    ///
    /// - Throws: ``ItemError`` for content that is partly in files, and for a part of a form that no item expresses.
    package func arguments() throws(ItemError) -> [String] {
        var words = ["request", effectiveMethod, url]
        for header in allHeaders {
            // Without a value, `Name:` would leave the field out.
            let text = header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
            words += Self.option("--header", text)
        }
        if !followsRedirects { words.append("--no-location") }
        if !putsDataIntoQuery { words += try bodyArguments() }
        words += effectiveOptions
        var items = removedHeaders.map { "\($0):" }
        for part in parts { items.append(try Self.item(part)) }
        // Behind two hyphens, an item may begin with one.
        return items.contains { $0.hasPrefix("-") } ? words + ["--"] + items : words + items
    }

    /// The options that are passed on, without those that have no effect in curl: certificates are not checked with
    /// `--insecure`, and a scheme needs credentials as the password of a key needs a certificate.
    private var effectiveOptions: [String] {
        let trustsAll = passedOn.contains("--insecure")
        let hasCredentials = passedOn.contains { $0.hasPrefix("--user") || $0 == "--netrc" }
        let hasCertificate = passedOn.contains { $0.hasPrefix("--cert=") }
        return passedOn.filter { word in
            if word.hasPrefix("--cacert=") { return !trustsAll }
            if word.hasPrefix("--auth=") { return hasCredentials }
            return hasCertificate || !word.hasPrefix("--cert-password=")
        }
    }

    private func bodyArguments() throws(ItemError) -> [String] {
        if let uploadFile { return Self.option("--upload-file", uploadFile) }
        if !parts.isEmpty { return ["--multipart"] }
        guard !data.isEmpty else { return [] }
        if let inlineData { return Self.option("--data-raw", inlineData) }
        guard let bodyFile else { throw ItemError("the body is put together from files: put it into one file") }
        if case .file(_, isExact: false) = data[0] { return ["--data=@\(bodyFile)"] }
        return Self.option("--upload-file", bodyFile)
    }

    /// A part of a form as an item.
    ///
    /// - Throws: ``ItemError`` if the item would be read as something else: `name=@path` reads a file, and
    ///   `name==value` is part of the query.
    private static func item(_ part: RequestParts.Part) throws(ItemError) -> String {
        let text: String
        let meaning: RequestItem
        let partName: String
        switch part {
        case .text(let name, let value):
            text = "\(escaped(name))=\(value)"
            meaning = .text(name: name, value: value)
            partName = name
        case .file(let name, let path, let mediaType):
            text = "\(escaped(name))@\(path)\(mediaType.map { ";type=\($0)" } ?? "")"
            meaning = .file(name: name, path: path, mediaType: mediaType)
            partName = name
        }
        guard (try? RequestItem(text)) == meaning else {
            throw ItemError("the part '\(partName)' cannot be passed on: as an item it would mean something else")
        }
        return text
    }

    /// A name with its separators escaped.
    private static func escaped(_ name: String) -> String {
        name.reduce(into: "") { $0 += "\\:=@".contains($1) ? "\\\($1)" : "\($1)" }
    }
}
