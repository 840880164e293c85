/// A call of a method that Core Bluetooth's delegates may leave out: `delegate?.centralManager?(self, didConnect: …)`.
///
/// Here these methods have empty bodies in an extension of the protocol, so that each can be called.
enum DelegateCall {
    private static let whole: Set = [
        "centralManagerDidUpdateState", "peripheralManagerDidUpdateState", "peripheralDidUpdateName",
        "peripheralManagerIsReady", "peripheralIsReady",
    ]
    private static let labelled: Set = ["centralManager", "peripheral", "peripheralManager"]

    /// Whether the question mark with this index belongs to such a call.
    static func isQuestion(_ tokens: [SwiftToken], at index: Int, closing: (Int) -> Int) -> Bool {
        guard tokens[index].isSign("?"), index >= 2, index + 1 < tokens.count, tokens[index + 1].isSign("("),
            tokens[index - 1].kind == .word, tokens[index - 2].isSign(".")
        else { return false }
        let name = tokens[index - 1].text
        if whole.contains(name) { return true }
        return labelled.contains(name)
            && labels(tokens, within: index + 1..<closing(index + 1)).contains(where: isOfDelegate)
    }

    /// `didConnect`, `willRestoreState`, `connectionEventDidOccur`.
    private static func isOfDelegate(_ label: String) -> Bool {
        label.hasPrefix("did") || label.hasPrefix("will") || label.hasPrefix("connectionEvent")
            || label.hasPrefix("central")
    }

    /// The labels of a call's arguments.
    static func labels(_ tokens: [SwiftToken], within call: Range<Int>) -> [String] {
        var labels: [String] = []
        var depth = 0
        for index in call {
            if "([{".contains(tokens[index].text) {
                depth += 1
            } else if ")]}".contains(tokens[index].text) {
                depth -= 1
            }
            if depth == 1, tokens[index].kind == .word, index + 1 < tokens.count, tokens[index + 1].isSign(":"),
                tokens[index - 1].isSign("(") || tokens[index - 1].isSign(",")
            {
                labels.append(tokens[index].text)
            }
        }
        return labels
    }
}
