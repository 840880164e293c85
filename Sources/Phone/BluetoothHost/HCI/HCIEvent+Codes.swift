extension HCIEvent {
    /// The codes of the events that this host knows.
    package enum Code: UInt8, Sendable, Hashable, CaseIterable {
        case connectionComplete = 0x03
        case connectionRequest = 0x04
        case disconnectionComplete = 0x05
        case authenticationComplete = 0x06
        case remoteNameRequestComplete = 0x07
        case encryptionChange = 0x08
        case readRemoteSupportedFeaturesComplete = 0x0B
        case readRemoteVersionInformationComplete = 0x0C
        case commandComplete = 0x0E
        case commandStatus = 0x0F
        case hardwareError = 0x10
        case numberOfCompletedPackets = 0x13
        case returnLinkKeys = 0x15
        case linkKeyRequest = 0x17
        case linkKeyNotification = 0x18
        case dataBufferOverflow = 0x1A
        case encryptionKeyRefreshComplete = 0x30
        case ioCapabilityRequest = 0x31
        case userConfirmationRequest = 0x33
        case leMeta = 0x3E
        case encryptionChangeV2 = 0x59

        /// With an article, for errors: `a Hardware Error event`.
        var name: String {
            switch self {
            case .connectionComplete: "a Connection Complete event"
            case .connectionRequest: "a Connection Request event"
            case .disconnectionComplete: "a Disconnection Complete event"
            case .authenticationComplete: "an Authentication Complete event"
            case .remoteNameRequestComplete: "a Remote Name Request Complete event"
            case .encryptionChange: "an Encryption Change event"
            case .readRemoteSupportedFeaturesComplete: "a Read Remote Supported Features Complete event"
            case .readRemoteVersionInformationComplete: "a Read Remote Version Information Complete event"
            case .commandComplete: "a Command Complete event"
            case .commandStatus: "a Command Status event"
            case .hardwareError: "a Hardware Error event"
            case .numberOfCompletedPackets: "a Number Of Completed Packets event"
            case .returnLinkKeys: "a Return Link Keys event"
            case .linkKeyRequest: "a Link Key Request event"
            case .linkKeyNotification: "a Link Key Notification event"
            case .dataBufferOverflow: "a Data Buffer Overflow event"
            case .encryptionKeyRefreshComplete: "an Encryption Key Refresh Complete event"
            case .ioCapabilityRequest: "an IO Capability Request event"
            case .userConfirmationRequest: "a User Confirmation Request event"
            case .leMeta: "an LE Meta event"
            case .encryptionChangeV2: "an Encryption Change event (version 2)"
            }
        }
    }

    /// The codes of the LE events that this host knows.
    package enum LECode: UInt8, Sendable, Hashable, CaseIterable {
        case connectionComplete = 0x01
        case advertisingReport = 0x02
        case connectionUpdateComplete = 0x03
        case readRemoteFeaturesComplete = 0x04
        case longTermKeyRequest = 0x05
        case remoteConnectionParameterRequest = 0x06
        case dataLengthChange = 0x07
        case enhancedConnectionComplete = 0x0A
        case directedAdvertisingReport = 0x0B
        case phyUpdateComplete = 0x0C
        case extendedAdvertisingReport = 0x0D
        case scanTimeout = 0x11
        case advertisingSetTerminated = 0x12
        case scanRequestReceived = 0x13
        case channelSelectionAlgorithm = 0x14
        case enhancedConnectionCompleteV2 = 0x29

        /// With an article, for errors: `an LE Scan Timeout event`.
        var name: String {
            switch self {
            case .connectionComplete: "an LE Connection Complete event"
            case .advertisingReport: "an LE Advertising Report event"
            case .connectionUpdateComplete: "an LE Connection Update Complete event"
            case .readRemoteFeaturesComplete: "an LE Read Remote Features Complete event"
            case .longTermKeyRequest: "an LE Long Term Key Request event"
            case .remoteConnectionParameterRequest: "an LE Remote Connection Parameter Request event"
            case .dataLengthChange: "an LE Data Length Change event"
            case .enhancedConnectionComplete: "an LE Enhanced Connection Complete event"
            case .directedAdvertisingReport: "an LE Directed Advertising Report event"
            case .phyUpdateComplete: "an LE PHY Update Complete event"
            case .extendedAdvertisingReport: "an LE Extended Advertising Report event"
            case .scanTimeout: "an LE Scan Timeout event"
            case .advertisingSetTerminated: "an LE Advertising Set Terminated event"
            case .scanRequestReceived: "an LE Scan Request Received event"
            case .channelSelectionAlgorithm: "an LE Channel Selection Algorithm event"
            case .enhancedConnectionCompleteV2: "an LE Enhanced Connection Complete event (version 2)"
            }
        }
    }
}
