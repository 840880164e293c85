import Foundation
import HILPOSIX

extension PlainText {
    /// A call to an accessory in words: `perform roll face 6`. Of a value with several parts only the name is told.
    static func words(ofCall message: Data) -> String {
        var words: [String] = []
        var value = try? JSONSerialization.jsonObject(with: message, options: .fragmentsAllowed)
        while let object = value as? [String: Any] {
            // Apart from what the call says, it has the place of its reply, which is empty.
            let parts = object.filter { ($0.value as? [String: Any])?.isEmpty != true }
            guard parts.count == 1, let (name, inner) = parts.first else { break }
            if !name.hasPrefix("_") { words.append(name) }
            value = inner
        }
        if let number = value as? NSNumber {
            words.append("\(number)")
        } else if let text = value as? String {
            words.append("“\(PlainText.cut(text, to: 40))”")
        }
        return words.joined(separator: " ")
    }
}
