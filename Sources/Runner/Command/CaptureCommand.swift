import Foundation
import Glibc
import HIL
import HILPOSIX
import RigModel
import VirtualRig

/// `hil capture`: shows a scenario's packets with tshark, which gets the Wi-Fi keys beside the capture.
struct CaptureCommand {
    /// The scenario's folder.
    let folder: String
    /// The person's arguments for tshark.
    let arguments: [String]
    /// The team's names for its UUIDs.
    var names: [String: String] = [:]

    /// The program and its arguments. They contain no keys: tshark finds those in the folder of its settings.
    var command: [String] {
        ["tshark", "-r", "\(folder)/capture.pcapng", "-o", "wlan.enable_decryption:TRUE"]
            + TeamNames.tsharkOptions(names, in: folder) + arguments
    }

    /// The folder with tshark's settings: the scenario's folder if it has keys; nil for the person's own settings.
    var settings: String? {
        FileManager.default.fileExists(atPath: "\(folder)/\(WiFiKeyFile.name)") ? folder : nil
    }

    /// Replaces this process by tshark.
    ///
    /// - Throws: If there is no capture, or no tshark.
    func show() throws -> Never {
        guard FileManager.default.fileExists(atPath: "\(folder)/capture.pcapng") else {
            throw RigFailure("showing the capture", "there is no capture in \(folder)")
        }
        if let settings { setenv("WIRESHARK_CONFIG_DIR", settings, 1) }
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        execvp("tshark", &words)
        let why = String(cString: strerror(errno))
        throw RigFailure("starting tshark", why, remedy: "run `make setup`, which installs tshark")
    }
}
