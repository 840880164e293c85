import Foundation
import HILExecution
import HILPOSIX

/// The files of a run's folder, for a page on a port.
struct RunFiles: Sendable {
    /// The most bytes of a file.
    private static let limit = 256 << 20

    /// The folder, absolute and without links.
    let folder: String

    /// The content of a file, by the parts of its path.
    ///
    /// - Returns: 404 for anything but a regular file in the folder, and for a link that leads out of it.
    func response(_ path: [String]) -> HTTPResponse {
        guard !path.isEmpty, path.last != "80211_keys",
            let file = try? Descriptor.open("\(folder)/\(path.joined(separator: "/"))", O_RDONLY | O_NONBLOCK)
        else { return .told(404) }
        var status = stat()
        // The descriptor itself shows where it leads: the file cannot be exchanged after the check.
        guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= RunFiles.limit,
            let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(file.raw)"),
            place.hasPrefix(folder + "/")
        else { return .told(404) }
        var content: [UInt8] = []
        while let bytes = try? file.read(upTo: 1 << 20), !bytes.isEmpty { content += bytes }
        return HTTPResponse(200, RunFiles.type(of: path.last ?? ""), content)
    }

    private static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "svg": "image/svg+xml"
        case "pcapng", "snapshot", "sqlite": "application/octet-stream"
        default: "text/plain; charset=utf-8"
        }
    }
}
