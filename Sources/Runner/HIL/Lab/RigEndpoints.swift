/// Where a worker finds the rig that it was given: socket files, and the file that the air captures into.
public struct RigEndpoints: Sendable, Hashable, Codable {
    /// The socket of the host board's agent.
    public var hostAgent: String
    /// The socket of the accessory board's agent.
    public var accessoryAgent: String
    /// The control socket of the air.
    public var air: String
    /// The capture that is being written.
    public var capture: String
    /// The file for the Wi-Fi keys that open the capture; nil keeps none.
    public var keys: String?
    /// The folder for drawings of the phone's screens; nil draws none.
    public var screens: String?
    /// Versions of kernel, daemons and agent by board, if a rig of the same parts has told them; to ask costs a board a
    /// second.
    public var versions: [String: [String: String]]?
    /// A scenario that has failed waits, with everything as it is, until the boards are kept and somebody has looked.
    public var pausesOnFailure: Bool?
    /// The machine protocol sockets of virtual boards, by board, through which their power is cut.
    public var power: [String: String] = [:]

    public init(hostAgent: String, accessoryAgent: String, air: String, capture: String, keys: String? = nil) {
        self.hostAgent = hostAgent
        self.accessoryAgent = accessoryAgent
        self.air = air
        self.capture = capture
        self.keys = keys
    }
}
