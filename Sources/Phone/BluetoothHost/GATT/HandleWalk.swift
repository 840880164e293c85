/// The way of a discovery through a range of handles, from answer to answer.
///
/// It ends for every server: each entry brings the walk forward, or fails it.
struct HandleWalk: Sendable {
    let range: HandleRange
    /// The purpose of the walk, for errors: `discovering services`.
    let context: String
    private let most: Int
    private var count = 0
    /// The first handle that no answer has covered; nil at the end of the range.
    private(set) var next: UInt16?

    /// - Parameter most: The most entries.
    init(_ range: HandleRange, for context: String, most: Int) {
        self.range = range
        self.context = context
        self.most = most
        next = range.isValid ? range.first : nil
    }

    /// The handles that are left to ask for; nil at the end.
    var rest: HandleRange? { next.map { HandleRange($0, range.last) } }

    /// Takes an entry of an answer.
    ///
    /// - Parameters:
    ///   - entry: Its handles. The last one may be after the range.
    ///   - what: Its name, for errors: `service`.
    mutating func pass(_ entry: HandleRange, _ what: String) throws(GATTFailure) {
        let first = HandleRange.text(entry.first)
        guard entry.isValid else { throw broken("\(what) with the handles \(entry)") }
        guard range.contains(entry.first) else { throw broken("\(what) at handle \(first), outside of \(range)") }
        guard let next else { throw broken("\(what) at handle \(first), after the end of the range \(range)") }
        guard entry.first >= next else {
            throw broken("\(what) at handle \(first); handles from \(HandleRange.text(next)) on are due")
        }
        guard count < most else {
            throw broken("more than \(most) entries; \(what) at handle \(first) is one too many")
        }
        count += 1
        self.next = entry.last < range.last ? entry.last + 1 : nil
    }

    func broken(_ text: String) -> GATTFailure { .broken("\(context): \(text)") }
}
