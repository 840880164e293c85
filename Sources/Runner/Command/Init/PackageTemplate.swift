import Foundation
import RigModel

/// The files of a new package that uses hil, made from the template `Fixtures/NewPackage`.
///
/// The template is a package whose names are placeholders, in files and in paths: `__Name__`, `__name__` and
/// `__variable__` for the package's name, `__SERVICE__` and `__GREETING__` for UUIDs, `__DEPENDENCY__`, `__HIL__` and
/// `__CHECKOUT__` for where hil is.
struct PackageTemplate {
    /// A file of the new package.
    struct File: Equatable {
        /// Relative to the package: `Sources/LampApp/LampApp.swift`.
        var path: String
        var contents: Data
        var isExecutable: Bool
    }

    /// The folder `Fixtures/NewPackage` of hil's checkout.
    let folder: String

    /// All files of a new package, by path.
    ///
    /// - Parameter service: The UUID of the accessory's GATT service. The UUID of its characteristic is made from it.
    /// - Throws: ``RigFailure`` if the template cannot be read.
    func files(named name: PackageName, hil: HilDependency, service: UUID = UUID()) throws(RigFailure) -> [File] {
        let words = [
            "__Name__": name.type, "__name__": name.text, "__variable__": name.variable,
            "__SERVICE__": service.uuidString,
            "__GREETING__": PackageTemplate.next(service).uuidString, "__DEPENDENCY__": hil.declaration,
            "__HIL__": hil.identity, "__CHECKOUT__": hil.checkout,
        ]
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().compactMap { path in
                let source = "\(folder)/\(path)"
                let attributes = try FileManager.default.attributesOfItem(atPath: source)
                guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
                let mode = attributes[.posixPermissions] as? Int ?? 0
                return File(
                    path: PackageTemplate.fill(path, words),
                    contents: PackageTemplate.fill(try Data(contentsOf: URL(fileURLWithPath: source)), words),
                    isExecutable: mode & 0o100 != 0)
            }
        } catch {
            throw RigFailure(
                "reading the template of a package", "\(folder): \(error.localizedDescription)",
                remedy: "name hil's checkout in the environment variable HIL_ROOT")
        }
    }

    /// The service's UUID plus 1, so that the two are easy to distinguish.
    private static func next(_ service: UUID) -> UUID {
        var bytes = service.uuid
        bytes.3 &+= 1
        return UUID(uuid: bytes)
    }

    private static func fill(_ text: String, _ words: [String: String]) -> String {
        words.reduce(text) { $0.replacingOccurrences(of: $1.key, with: $1.value) }
    }

    /// Fills text; pictures stay as they are.
    private static func fill(_ contents: Data, _ words: [String: String]) -> Data {
        guard let text = String(data: contents, encoding: .utf8) else { return contents }
        return Data(fill(text, words).utf8)
    }
}

/// The name of a new package: `lamp`, `desk-lamp`.
struct PackageName: Equatable {
    /// As it was given.
    let text: String
    /// For Swift's types: `DeskLamp`.
    let type: String

    /// For Swift's constants: `deskLamp`.
    var variable: String { type.prefix(1).lowercased() + type.dropFirst() }

    /// - Throws: ``UsageError`` if Swift and a file system could not use the name.
    init(_ text: String) throws(UsageError) {
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        let isName = words.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard isName, text.first?.isLetter == true, text.count <= 40 else {
            throw UsageError(
                description: "“\(text)” is not a package name: a name has at most 40 letters and digits, with"
                    + " single hyphens between words, and begins with a letter: desk-lamp")
        }
        self.text = text
        type = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        // SwiftPM allows each target name only once among all packages.
        if type == "Dice" {
            throw UsageError(description: "the name is taken: hil has a module DiceApp itself; choose another name")
        }
    }
}

/// How a new package depends on hil.
enum HilDependency: Equatable {
    /// The absolute path of a checkout.
    case path(String)
    /// A URL of a repository, and a branch of it.
    case url(String, branch: String)

    /// - Throws: ``UsageError`` if a Package.swift and a Makefile cannot name this place.
    func check() throws(UsageError) {
        let texts =
            switch self {
            case .path(let path): [path]
            case .url(let url, let branch): [url, branch]
            }
        let refused = texts.joined().first { "\"'`$\\#".contains($0) || $0.isNewline }
        if let refused {
            throw UsageError(
                description: "Package.swift and Makefile cannot name \(texts[0]), which contains \(refused)")
        }
        if case .url = self, identity.isEmpty { throw UsageError(description: "\(texts[0]) names no repository") }
    }

    /// The element of `dependencies` in Package.swift.
    var declaration: String {
        switch self {
        case .path(let path): ".package(name: \"hil\", path: \"\(path)\")"
        case .url(let url, let branch): ".package(url: \"\(url)\", branch: \"\(branch)\")"
        }
    }

    /// The name by which SwiftPM knows the dependency.
    var identity: String {
        switch self {
        case .path: return "hil"
        case .url(let url, _):
            let last = url.split(whereSeparator: { "/:".contains($0) }).last.map(String.init) ?? ""
            return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
        }
    }

    /// The folder with hil's files, as seen from the new package.
    var checkout: String {
        switch self {
        case .path(let path): path
        case .url: ".build/checkouts/\(identity)"
        }
    }
}
