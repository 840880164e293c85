import Foundation
import Glibc
import HIL
import POSIX
import RigModel
import VirtualRig

/// `hil capture`: a scenario's packets through tshark, which gets the Wi-Fi keys that lie beside them.
struct Capture {
    /// The scenario's folder.
    let folder: String
    /// What the person gave for tshark.
    let arguments: [String]

    /// The program and its arguments. No key is among them: tshark finds those in the folder of its settings.
    var command: [String] {
        ["tshark", "-r", "\(folder)/capture.pcapng", "-o", "wlan.enable_decryption:TRUE"] + arguments
    }

    /// The folder that tshark takes its settings from: the scenario's, if it has keys; nil leaves it the person's own.
    var settings: String? {
        FileManager.default.fileExists(atPath: "\(folder)/\(WiFiKeyFile.name)") ? folder : nil
    }

    /// Becomes tshark.
    ///
    /// - Throws: When there is no capture, or no tshark.
    func show() throws -> Never {
        guard FileManager.default.fileExists(atPath: "\(folder)/capture.pcapng") else {
            throw RigFailure("showing the capture", "no capture is in \(folder)")
        }
        if let settings { setenv("WIRESHARK_CONFIG_DIR", settings, 1) }
        var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
        execvp("tshark", &words)
        let why = String(cString: strerror(errno))
        throw RigFailure("starting tshark", why, remedy: "run `make setup`, which installs tshark")
    }
}
