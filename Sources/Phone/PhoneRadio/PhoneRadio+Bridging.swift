import HILBluetoothHost
import RadioModel

extension RadioError {
    /// Why a device was not bridged to classic Bluetooth.
    init(_ failure: BridgingFailure) {
        switch failure {
        case .noClassicController: self = .unsupported("\(failure)")
        case .notBonded, .noKey, .noPublicAddress: self = .pairingFailed("\(failure)")
        case .refused, .notConnected, .notAuthenticated, .notEncrypted, .encryptionEnded, .keyTooShort, .channel,
            .timeout, .linkLost, .violation, .forgotten:
            self = .connectionFailed("\(failure)")
        }
    }
}
