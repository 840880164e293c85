/// What a run wants of the lab that its worker opens.
package struct LabOptions: Sendable, Hashable, Codable {
    /// The file for the capture, absolute; nil captures nothing.
    package var capture: String?
    /// The file for the Wi-Fi keys that open the capture; nil keeps none.
    package var keys: String?
    /// The folder for drawings of the phone's screens; nil draws none.
    package var screens: String?
    /// Versions of kernel, daemons and agent by board, if a rig of the same parts has told them: to ask costs a board a
    /// second.
    package var versions: [String: [String: String]]?
    /// A scenario that has failed waits, with everything as it is, until the boards are kept and somebody has looked.
    package var pausesOnFailure = false

    package init() {}
}
