/// What one side has sent of a controller's packets and the other side has not taken yet. Pure.
///
/// It bounds the bytes that wait between the two sides, and with them the delay of the next packet.
package struct ControllerWindow: Sendable {
    /// A side sends no packet while this many bytes are not taken: 32 KiB.
    package static let size = 32 << 10

    /// How many packets were sent.
    package private(set) var sent: UInt64 = 0
    /// The lengths of the packets that are not taken, the oldest first.
    private var lengths = Queue<Int>()
    /// How many bytes are not taken.
    package private(set) var bytes = 0

    package init() {}

    /// Whether a packet may be sent now.
    package var hasRoom: Bool { bytes < ControllerWindow.size }

    /// Notes a packet that is sent.
    package mutating func send(_ length: Int) {
        sent += 1
        bytes += length
        lengths.append(length)
    }

    /// Notes how many packets the other side has taken in all.
    ///
    /// - Returns: How many of them are new; nil for a number that cannot be right.
    package mutating func take(upTo count: UInt64) -> Int? {
        let before = sent - UInt64(lengths.count)
        guard (before...sent).contains(count) else { return nil }
        let new = Int(count - before)
        for _ in 0..<new { bytes -= lengths.popFirst() ?? 0 }
        return new
    }
}

/// A first-in first-out list whose both ends are fast.
package struct Queue<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    private var start = 0

    package init() {}

    package var count: Int { elements.count - start }
    package var isEmpty: Bool { count == 0 }
    package var first: Element? { isEmpty ? nil : elements[start] }

    package mutating func append(_ element: Element) { elements.append(element) }

    package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        defer {
            elements[start] = nil
            start += 1
            if start >= 64, start * 2 >= elements.count {
                elements.removeFirst(start)
                start = 0
            }
        }
        return elements[start]
    }
}
