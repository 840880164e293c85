import HILAudit
import HILRecord

/// A run's options for the lab that its worker opens.
package struct LabOptions: Sendable, Hashable, Codable {
    /// The absolute path of the capture file; nil for no capture.
    package var capture: String?
    /// The file for the Wi-Fi keys that decrypt the capture; nil to keep no keys.
    package var keys: String?
    /// The folder for drawings of the phone's screens; nil for no drawings.
    package var screens: String?
    /// The folder for the logs of accessories; nil to keep none.
    package var logs: String?
    /// The folder of the package of the scenarios.
    package var package = "."
    /// The Debian packages that the accessory board got for the programs that the scenario declares; nil if its rig
    /// cannot give it any.
    package var packages: [String]?
    /// Versions of kernel, daemons and agent by board, if a rig of the same parts has reported them already; else nil.
    ///
    /// Asking a board for them takes a second.
    package var versions: [String: [String: String]]?
    /// The team's names for its Bluetooth UUIDs.
    package var uuidNames: [String: String] = [:]
    /// Whether a failed scenario waits, with everything unchanged, until its boards are kept and somebody has looked at
    /// it.
    package var pausesOnFailure = false

    /// The trial of an exploration; nil for a run.
    package var trial: TrialOrder?

    /// What the attacks of an audit send.
    package var attack = AttackOrder()
    /// The file for the packets that are suspected of a breach; nil to keep none.
    package var suspectsFile: String?

    /// Whether somebody plays the person, by ``PlayCommand``s.
    package var isPlayed = false

    package init() {}
}
