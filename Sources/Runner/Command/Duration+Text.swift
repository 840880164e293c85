/// Reads times of the command line.
extension Duration {
    /// Reads `90s`, `30min` or `2h`, with or without a space; nil for anything else, and for zero.
    init?(text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), (1...1_000_000).contains(number) else { return nil }
        switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
        case "s": self = .seconds(number)
        case "min", "m": self = .seconds(60 * number)
        case "h": self = .seconds(3600 * number)
        default: return nil
        }
    }
}
