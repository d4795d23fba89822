import ArgumentParser

/// Statuses from the command line: `429,503`, or `none`.
struct StatusList: ExpressibleByArgument {
    let codes: Set<Int>

    init?(argument: String) {
        guard argument != "none" else {
            codes = []
            return
        }
        let words = argument.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = words.compactMap { Int($0) }.filter { (100...599).contains($0) }
        guard numbers.count == words.count else { return nil }
        codes = Set(numbers)
    }
}
