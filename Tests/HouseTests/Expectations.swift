import Testing

/// Fails with all of `findings`, a line each, so that one run shows everything there is to repair.
func expectNone(_ findings: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    let list = findings.joined(separator: "\n")
    #expect(findings.isEmpty, "\(findings.count) found:\n\(list)", sourceLocation: sourceLocation)
}
