import Foundation
import HILPOSIX
import RigModel

/// A scenario that is kept as a file of its own.
struct KeptSource {
    /// The name of the constant: `latchIsOnboardedLinkLostAtWriteFF03`.
    let name: String
    let text: String

    /// Writes the file, in place of one of the same name.
    ///
    /// - Returns: Its path.
    func write(to folder: String) throws(SystemError) -> String {
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(name.prefix(1).uppercased() + name.dropFirst()).swift"
        try replaceFile(path, with: text.utf8)
        return path
    }

    /// The letters and digits of a text, each word with a capital letter.
    static func words(_ text: String) -> String {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
            .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// A text as a literal of Swift.
    static func literal(_ text: String) -> String {
        let escaped = text.flatMap { character -> String in
            switch character {
            case "\\": "\\\\"
            case "\"": "\\\""
            default: character.isNewline ? " " : String(character)
            }
        }
        return "\"\(String(escaped))\""
    }
}

extension Command {
    /// Writes a scenario into a folder, and says where.
    static func keep(_ source: KeptSource, in folder: String) throws(RigFailure) {
        do throws(SystemError) {
            let path = try source.write(to: folder)
            say("kept: \(path)")
        } catch {
            throw RigFailure("keeping a finding as a scenario", error.description, remedy: "choose another --keep")
        }
    }
}
