import Foundation
import HIL
import HILPOSIX
import RigModel

/// The Wi-Fi keys beside a capture, as tshark reads them: from a folder of settings, so that no key is an argument.
///
/// The folder has nothing but the keys: in that of the capture, tshark would also obey settings and scripts of strangers.
struct CaptureKeys {
    /// The folder of tshark's settings; nil if there are no keys beside the capture.
    private(set) var folder: String?

    /// - Parameter capture: The path of the capture.
    init(beside capture: String) throws {
        let place = URL(fileURLWithPath: capture).deletingLastPathComponent().path
        let keys = "\(place)/\(WiFiKeyFile.name)"
        guard PhoneCapture.isFile(keys) else { return }
        let made = FileManager.default.temporaryDirectory.appendingPathComponent("hil-keys-\(UUID().uuidString)").path
        do {
            try FileManager.default.createDirectory(
                atPath: made, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            folder = made
            try FileManager.default.createSymbolicLink(
                atPath: "\(made)/\(WiFiKeyFile.name)", withDestinationPath: keys)
        } catch {
            remove()
            throw RigFailure("giving tshark the keys in \(keys)", "\(error.localizedDescription)")
        }
    }

    /// The environment of tshark; nil for this process's.
    var environment: [String]? {
        folder.map { folder in
            ProcessInfo.processInfo.environment.merging(["WIRESHARK_CONFIG_DIR": folder]) { $1 }
                .map { "\($0.key)=\($0.value)" }
        }
    }

    func remove() { if let folder { try? FileManager.default.removeItem(atPath: folder) } }
}
