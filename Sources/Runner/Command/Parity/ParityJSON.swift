import Foundation
import HILHistory

/// The one object of `hil parity --format json`.
struct ParityJSON: Encodable {
    /// How many cases have a result in both runs.
    let compared: Int
    /// The cases that differ in anything.
    let different: [Parity.Case]
    let onlyFirst, onlySecond: [String]
    /// How many times as long the steps take in the second run, as a median, and of how many steps.
    let medianFactor: Double?
    let steps: Int
    let isSame: Bool

    init(_ parity: Parity) {
        compared = parity.cases.count
        different = parity.cases.filter { !$0.isSame || $0.whyNoOrder != nil }
        (onlyFirst, onlySecond) = (parity.onlyFirst, parity.onlySecond)
        (medianFactor, steps, isSame) = (parity.medianFactor, parity.steps, parity.isSame)
    }

    /// The object in one line.
    var line: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}
