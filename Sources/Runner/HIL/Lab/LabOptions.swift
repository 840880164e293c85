/// What a run wants of the lab that its worker opens.
public struct LabOptions: Sendable, Hashable, Codable {
    /// The file for the capture, absolute; nil captures nothing.
    public var capture: String?
    /// The file for the Wi-Fi keys that open the capture; nil keeps none.
    public var keys: String?
    /// The folder for drawings of the phone's screens; nil draws none.
    public var screens: String?
    /// Versions of kernel, daemons and agent by board, if a rig of the same parts has told them: to ask costs a board a
    /// second.
    public var versions: [String: [String: String]]?
    /// A scenario that has failed waits, with everything as it is, until the boards are kept and somebody has looked.
    public var pausesOnFailure = false

    public init() {}
}
