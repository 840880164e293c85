/// Finds a short part of a list that still does what the whole does: delta debugging, with a limit of its trials.
///
/// Source: Zeller and Hildebrandt, “Simplifying and isolating failure-inducing input”, 2002.
package struct ShortestList<Element: Sendable>: Sendable {
    /// The shortest list so far.
    package private(set) var elements: [Element]
    /// How many parts the list is cut into.
    private var parts = 2
    /// Which part is left out next.
    private var place = 0
    /// Whether the first half and the second half alone are tried before parts are left out.
    private var isHalving = true

    /// - Parameter elements: A list that does it.
    package init(_ elements: [Element]) { self.elements = elements }

    /// The next list to try; nil if no part can be left out.
    package var candidate: [Element]? {
        guard elements.count > 1, parts <= elements.count, place < parts else { return nil }
        // The end is more often at fault than the beginning.
        let (first, last) = bounds(of: isHalving ? parts - 1 - place : place)
        return isHalving ? Array(elements[first..<last]) : Array(elements[..<first] + elements[last...])
    }

    /// Takes the result of ``candidate``.
    package mutating func take(doesIt: Bool) {
        guard let candidate else { return }
        if doesIt {
            elements = candidate
            if !isHalving { parts = max(2, parts - 1) }
            place = 0
            isHalving = isHalving || parts == 2
            return
        }
        place += 1
        guard place == parts else { return }
        place = 0
        if isHalving, parts == 2 {
            isHalving = false
            parts = min(4, elements.count)
        } else if parts < elements.count {
            parts = min(elements.count, parts * 2)
        } else {
            // Each element is needed.
            parts = elements.count + 1
        }
    }

    private func bounds(of part: Int) -> (Int, Int) {
        (part * elements.count / parts, (part + 1) * elements.count / parts)
    }
}
