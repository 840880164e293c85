import AccessoryNotifications
import AccessorySetupKit
import CoreBluetooth
import Glibc
import HILPhone
import HILTiming
import Network
import RadioModel

extension Failure {
    /// The evidence for a failure. A machine that was too busy can excuse only a failure that rests on time.
    public enum Basis: String, Sendable, Hashable, Codable {
        /// Something was seen: a wrong value, a refusal, a crash. A faster machine would not have helped.
        case fact
        /// Something did not come in time. On a faster machine it might have come.
        case time
    }
}

extension Failure.Basis {
    /// The evidence that a thrown error gives: time, if the error says that a wait ended in vain; else a fact.
    package init(of error: any Error) {
        let isTime =
            switch error {
            // A step that misses its budget is cancelled.
            case is TimedOut, is ScreenMissing, is StepOverran, is ProgramNotReady, is CancellationError: true
            case let error as RadioError: error.saysTimeRanOut
            case let error as SetupError: error.code == .discoveryTimeout
            case let error as ASError: error.code == .discoveryTimeout
            case let error as CBError: error.code == .connectionTimeout || error.code == .encryptionTimedOut
            case let error as AccessoryError: error == .coordinationTimeout
            case NWError.posix(.ETIMEDOUT): true
            default: false
            }
        self = isTime ? .time : .fact
    }
}

extension RadioError {
    /// Whether the radio or its daemon waited for the other side in vain.
    fileprivate var saysTimeRanOut: Bool {
        switch self {
        case .noAnswer, .noAddress: true
        case .streamFailed(let code, _): code == ETIMEDOUT
        case .connectionFailed(let reason), .pairingFailed(let reason), .associationFailed(_, let reason):
            // Daemons and controllers give the reason only as text.
            ["timeout", "timed out", "timed-out"].contains { reason.lowercased().contains($0) }
        default: false
        }
    }
}
