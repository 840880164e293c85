/// Suggests texts that are similar to a mistyped one.
package enum Similarity {
    /// At most three of the texts, the most similar first. At most a third of the typed characters may differ.
    package static func nearest(to typed: String, in texts: [String]) -> [String] {
        let typed = Array(typed.lowercased().filter { $0 != "*" && $0 != "?" })
        let distances = texts.map { (text: $0, distance: distance(of: typed, within: Array($0.lowercased()))) }
        let limit = max(1, typed.count / 3)
        return distances.enumerated().filter { $0.element.distance <= limit }
            .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
            .prefix(3).map(\.element.text)
    }

    /// The fewest insertions, deletions and replacements that make `typed` a part of `text` (Sellers' algorithm).
    static func distance(of typed: [Character], within text: [Character]) -> Int {
        var row = [Int](repeating: 0, count: text.count + 1)
        for (index, character) in typed.enumerated() {
            var previous = row[0]
            row[0] = index + 1
            for column in text.indices {
                let replaced = previous + (text[column] == character ? 0 : 1)
                previous = row[column + 1]
                row[column + 1] = min(replaced, previous + 1, row[column] + 1)
            }
        }
        return row.min() ?? typed.count
    }
}
