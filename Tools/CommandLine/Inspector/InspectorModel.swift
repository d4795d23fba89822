package import AirframeHAR

/// The state of the inspector's screen, and its changes by keys.
package struct InspectorModel: Sendable {
    /// The part of the inspector that has the keyboard.
    package enum View: Hashable, Sendable {
        case list
        /// The details of an exchange, from a line on.
        case details(id: UInt64, firstLine: Int)
        /// The list while a filter is typed.
        case filtering(String)
    }

    /// An action for the program around the screen.
    package enum Action: Hashable, Sendable {
        case none
        case quit
        /// Write the exchanges that are shown to a file.
        case export
    }

    /// The most finished exchanges to keep; older ones are dropped.
    private static let capacity = 5000

    /// The exchanges, the oldest first.
    package private(set) var exchanges: [InspectedExchange] = []
    /// The part of the inspector that has the keyboard.
    package private(set) var view = View.list
    /// Which exchanges are shown.
    package private(set) var filter = ExchangeFilter("")
    /// The number of the chosen exchange; `nil` follows the newest one.
    package private(set) var chosen: UInt64?
    /// A message about the last action.
    package var notice = ""
    /// The program's name and process.
    package var program = ""

    package init(filter: ExchangeFilter = ExchangeFilter("")) { self.filter = filter }

    /// The exchanges that match the filter.
    package var shown: [InspectedExchange] { exchanges.filter(filter.matches) }

    /// The entries of the exchanges that are shown and have ended, as an archive.
    package var archive: HAR.Log { HAR.Log(entries: shown.compactMap(\.entry)) }

    /// An exchange began.
    package mutating func start(id: UInt64, method: String, url: String) {
        exchanges.append(InspectedExchange(id: id, method: method, url: url))
        if exchanges.count > 2 * Self.capacity { exchanges.removeFirst(exchanges.count - Self.capacity) }
    }

    /// An exchange ended.
    package mutating func finish(id: UInt64, _ entry: HAR.Entry) {
        // From the end: what ends has mostly begun a short time ago.
        if let place = exchanges.lastIndex(where: { $0.id == id }) {
            exchanges[place].entry = entry
        } else {
            exchanges.append(
                InspectedExchange(id: id, method: entry.request.method, url: entry.request.url, entry: entry))
        }
    }

    /// A key was pressed.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - page: The number of lines on the screen.
    package mutating func press(_ key: InspectorKey, page: Int) -> Action {
        notice = ""
        switch view {
        case .list: return pressInList(key, page)
        case .details(let id, let line): pressInDetails(key, id, line, page)
        case .filtering(let text): pressInFilter(key, text)
        }
        return .none
    }

    private mutating func pressInList(_ key: InspectorKey, _ page: Int) -> Action {
        switch key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: move(by: -page)
        case .pageDown, .character(" "): move(by: page)
        case .first, .character("g"): chosen = shown.first?.id
        case .last, .character("G"): chosen = nil
        case .enter: if let exchange = chosenExchange { view = .details(id: exchange.id, firstLine: 0) }
        case .character("/"): view = .filtering(filter.text)
        case .character("c"): exchanges.removeAll { $0.entry != nil }
        case .character("e"): return .export
        case .character("q"): return .quit
        case .escape: filter = ExchangeFilter("")
        default: break
        }
        return .none
    }

    private mutating func pressInDetails(_ key: InspectorKey, _ id: UInt64, _ line: Int, _ page: Int) {
        switch key {
        case .up, .character("k"): view = .details(id: id, firstLine: max(0, line - 1))
        case .down, .character("j"): view = .details(id: id, firstLine: line + 1)
        case .pageUp: view = .details(id: id, firstLine: max(0, line - page))
        case .pageDown, .character(" "): view = .details(id: id, firstLine: line + page)
        case .first, .character("g"): view = .details(id: id, firstLine: 0)
        case .escape, .enter, .backspace, .character("q"): view = .list
        default: break
        }
    }

    private mutating func pressInFilter(_ key: InspectorKey, _ text: String) {
        switch key {
        case .character(let character): view = .filtering(text + String(character))
        case .backspace: view = .filtering(String(text.dropLast()))
        case .enter:
            filter = ExchangeFilter(text)
            chosen = nil
            view = .list
        case .escape: view = .list
        default: break
        }
    }

    /// The chosen exchange, or the newest one that is shown.
    package var chosenExchange: InspectedExchange? {
        let shown = shown
        return shown.first { $0.id == chosen } ?? shown.last
    }

    private mutating func move(by count: Int) {
        let shown = shown
        guard !shown.isEmpty else { return }
        let place = shown.firstIndex { $0.id == chosen } ?? shown.count - 1
        let next = min(max(0, place + count), shown.count - 1)
        chosen = next == shown.count - 1 ? nil : shown[next].id
    }

    /// Scrolls the details back to the last line.
    package mutating func limitDetails(to lineCount: Int, page: Int) {
        guard case .details(let id, let line) = view else { return }
        view = .details(id: id, firstLine: min(line, max(0, lineCount - page)))
    }
}
