/// The benches that a command line requests: `--rig`.
package enum RigRequest: Sendable, Hashable {
    /// Two boards by name: `pi-host,pi-acc`, or `pi-host,none`.
    case boards(BenchAddress)
    /// Places of a labgrid coordinator, by name or by tags: `labgrid:kind=hil`. The text after the colon.
    case labgrid(String)

    /// Why a text is not such a request, as a sentence.
    package struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
        package let description: String
    }

    package init(_ text: String) throws(Mistake) {
        let usage = "a rig is HOST,ACCESSORY (SSH names, local, or none for the accessory) or labgrid:PLACE"
        if text.hasPrefix("labgrid:") {
            guard text.count > 8 else { throw Mistake(description: "\(usage); labgrid: needs a place or a tag") }
            self = .labgrid(String(text.dropFirst(8)))
            return
        }
        let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2, let host = BoardAddress(words[0]), words[0] != "none" else {
            throw Mistake(description: "\(usage), not “\(text)”")
        }
        let accessory = words[1] == "none" ? nil : BoardAddress(words[1])
        guard accessory != nil || words[1] == "none" else { throw Mistake(description: "\(usage), not “\(text)”") }
        guard accessory != host else {
            throw Mistake(description: "“\(text)” names one board twice: host and accessory must be two boards")
        }
        self = .boards(BenchAddress(host: host, accessory: accessory))
    }
}

extension RigRequest: CustomStringConvertible {
    package var description: String {
        switch self {
        case .boards(let bench): "\(bench.host),\(bench.accessory.map { "\($0)" } ?? "none")"
        case .labgrid(let place): "labgrid:\(place)"
        }
    }
}
