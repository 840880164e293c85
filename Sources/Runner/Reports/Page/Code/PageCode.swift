import Foundation

/// The code of the pages: HTML, CSS and JavaScript, in the files of the folder `Web`.
///
/// SwiftPM copies the folder beside every program that writes pages. So a change of the code compiles no Swift. The pages
/// are single files all the same: ``PageCode/document(_:)`` puts style sheets and scripts into the HTML.
package struct PageCode: Sendable {
    /// A file of the code that cannot be read or used.
    package struct Unreadable: Error, Equatable, CustomStringConvertible {
        /// The file's path.
        let path: String
        /// What is wrong with it: `No such file or directory`.
        let reason: String

        package var description: String {
            "reading the code of the page, \(path): \(reason); build the program again, or, if it was moved, copy the "
                + "folder \(PageCode.bundle) along with it"
        }
    }

    /// The folder that SwiftPM makes beside the program: the package's name and the target's.
    static let bundle = "hil_HILReports.resources"

    /// This file when it was compiled. As a default argument, `#filePath` would be the file of the caller.
    static let source = #filePath

    /// The folder with the files.
    let folder: String

    init(folder: String) { self.folder = folder }

    /// The code that was built with a program, or that of its sources if the program was moved.
    ///
    /// Not by `Bundle.module`, which ends the program if the folder is missing.
    ///
    /// - Parameters:
    ///   - program: The path of the running program, or a link to it.
    ///   - source: The path of this file.
    init(builtWith program: String = "/proc/self/exe", from source: String = PageCode.source) {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: program)) ?? program
        let built = "\((program as NSString).deletingLastPathComponent)/\(PageCode.bundle)/Web"
        let page = ((source as NSString).deletingLastPathComponent as NSString).deletingLastPathComponent
        let places = [built, "\(page)/Web"]
        folder = places.first { FileManager.default.fileExists(atPath: $0) } ?? built
    }

    /// A document of the code as one file: its style sheets and scripts are in it.
    ///
    /// Each is named in a line of its own, `<link rel="stylesheet" href="FILE">` or `<script src="FILE"></script>`, by its
    /// path below the folder. Neighbours become one element.
    ///
    /// - Parameter name: The name of the HTML file in the folder.
    func document(_ name: String) throws(Unreadable) -> String {
        var (document, open) = ("", Reference.Kind?.none)
        for line in try text(name).split(separator: "\n") {
            let reference = Reference(line)
            if reference?.kind != open {
                if let open { document += "</\(open)>\n" }
                open = reference?.kind
                if let open { document += "<\(open)>\n" }
            }
            if let reference { document += try text(reference.file) } else { document += "\(line)\n" }
        }
        if let open { document += "</\(open)>\n" }
        return document
    }

    /// The content of a file, by its path below the folder.
    func text(_ file: String) throws(Unreadable) -> String {
        let path = "\(folder)/\(file)"
        do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
            let reason = FileManager.default.fileExists(atPath: path) ? "\(error)" : "the file is missing"
            throw Unreadable(path: path, reason: reason)
        }
    }
}

/// A line of HTML that names a style sheet or a script.
private struct Reference {
    /// The element that has the content in place of the reference.
    enum Kind: String {
        case style, script
    }

    let kind: Kind
    let file: String

    /// Returns nil for any other line.
    init?(_ line: Substring) {
        let line = line.drop { $0 == " " }
        let forms: [(Kind, String, String)] = [
            (.style, #"<link rel="stylesheet" href=""#, #"">"#), (.script, #"<script src=""#, #""></script>"#),
        ]
        for (kind, start, end) in forms where line.hasPrefix(start) && line.hasSuffix(end) {
            self.kind = kind
            file = String(line.dropFirst(start.count).dropLast(end.count))
            return
        }
        return nil
    }
}
