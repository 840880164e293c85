/// A page of a limited size, made of blocks. What does not fit is left out entirely, and its end says so.
struct MarkdownPage {
    /// The room for what is always at the end, in bytes.
    private static let reserve = 400

    private let limit: Int
    private(set) var text = ""
    /// How many scenarios are left out.
    private var leftOut = 0
    private var isFull = false

    /// - Parameter limit: The most bytes of UTF-8.
    init(limit: Int) { self.limit = limit }

    /// Adds a block, unless the page is full. From the first block on that does not fit, the page is full.
    ///
    /// - Parameter isScenario: Whether to count it as a scenario if it is left out.
    mutating func add(_ block: String, isScenario: Bool = false) {
        if isFull || text.utf8.count + block.utf8.count + MarkdownPage.reserve > limit {
            isFull = true
            if isScenario { leftOut += 1 }
            return
        }
        text += block
    }

    /// Adds blocks between two texts, of which the second is there even if the page is full in between.
    mutating func add(_ opening: String, closing: String, _ blocks: (inout MarkdownPage) -> Void) {
        add(opening)
        let isOpen = !isFull
        blocks(&self)
        if isOpen { text += closing }
    }

    /// The page with its last line, which says what was left out. Empty if not even that fits.
    var document: String {
        guard isFull else { return text }
        guard limit >= MarkdownPage.reserve else { return "" }
        let what = leftOut == 1 ? "1 scenario is" : "\(leftOut) scenarios are"
        return text + "\nThis summary ends here, because it may have \(limit) bytes at most: \(what) left out. "
            + "All are in junit.xml.\n"
    }
}
