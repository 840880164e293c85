import HILRecord

/// What is the same about an event on every rig: its source, its kind, and its words without addresses and numbers.
package struct EventKey: Sendable, Hashable, Codable {
    package var source: String
    package var kind: String
    /// Addresses are `‹address›`, other numbers `#`.
    package var text: String

    package init(source: String, kind: String, text: String) {
        (self.source, self.kind, self.text) = (source, kind, text)
    }

    /// The kinds that describe a rig, and not the actions of phone, person, app and accessory: packets and lines of
    /// logs, which the capture has, and what the runner and the virtual air report about themselves.
    private static let rigKinds: Set = [
        "packet", "line", "preparing", "boardsReady", "bodyBegan", "bodyEnded", "scenarioBegan", "interrupted", "note",
        "remark", "standing", "paused", "done", "drawn", "version", "onAir", "lacks",
    ]
    private static let rigSources: Set = ["runner", "air"]

    /// Nil for an event that describes the rig.
    init?(_ event: TimelineEvent) {
        guard !EventKey.rigKinds.contains(event.kind), !EventKey.rigSources.contains(event.source) else { return nil }
        source = event.source
        kind = event.kind
        text = EventKey.plain(event.text)
    }

    /// A text without what differs from one run to the next: device addresses, identifiers and numbers.
    static func plain(_ text: String) -> String {
        // The picture of a screen has the screen's number.
        let cut = text.firstRange(of: " → screens/").map { text[..<$0.lowerBound] } ?? text[...]
        var plain = ""
        var word: [Character] = []
        func flush() {
            defer { word = [] }
            guard !word.isEmpty else { return }
            plain += EventKey.plainWord(word)
        }
        for character in cut {
            if character.isASCII && (character.isLetter || character.isNumber || ":-.".contains(character)) {
                word.append(character)
            } else {
                flush()
                plain.append(character)
            }
        }
        flush()
        return plain
    }

    /// A word without spaces: an address, an identifier, a number, or any other.
    private static func plainWord(_ word: [Character]) -> String {
        // A sentence ends with marks that do not belong to its last word.
        let trailing = word.reversed().prefix { ":-.".contains($0) }
        let core = word.dropLast(trailing.count)
        let end = String(trailing.reversed())
        let parts = core.split(omittingEmptySubsequences: false) { ":-".contains($0) }
        let isHex = parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isHexDigit } }
        // 02:00:00:00:02:B0, or 6F1C0A4E-…, or a key of eight digits and more.
        if isHex, parts.count >= 5 || (core.count >= 8 && core.contains { $0.isNumber }) { return "‹address›" + end }
        var plain = ""
        var isInNumber = false
        for (place, character) in core.enumerated() {
            let isDecimalPoint =
                character == "." && isInNumber && place + 1 < core.count
                && core[core.startIndex + place + 1].isNumber
            if character.isNumber || isDecimalPoint {
                if !isInNumber { plain += "#" }
                isInNumber = true
            } else {
                plain.append(character)
                isInNumber = false
            }
        }
        return plain + end
    }
}
