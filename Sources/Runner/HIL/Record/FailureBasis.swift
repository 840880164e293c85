import AccessoryNotifications
import AccessorySetupKit
import CoreBluetooth
import Glibc
import Network
import Phone
import RadioModel
import Timing

extension Failure {
    /// What a failure is known by: only what rests on time may be excused by a machine that was too busy.
    public enum Basis: String, Sendable, Hashable, Codable {
        /// Something that was seen: a wrong value, a refusal, a crash. A quicker machine would not have made it right.
        case fact
        /// Something that had not come when its time was up. On a quicker machine it may have come.
        case time
    }
}

extension Failure.Basis {
    /// What a thrown error is known by: time, where it says that a wait ended without the awaited thing.
    package init(of error: any Error) {
        let isTime =
            switch error {
            // Cancelled is what is still under way when a step misses its budget.
            case is TimedOut, is ScreenMissing, is StepOverran, is CancellationError: true
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
    /// The radio or its daemon waited for the other side in vain.
    fileprivate var saysTimeRanOut: Bool {
        switch self {
        case .noAnswer, .noAddress: true
        case .streamFailed(let code, _): code == ETIMEDOUT
        case .connectionFailed(let reason), .pairingFailed(let reason), .associationFailed(_, let reason):
            // Daemons and controllers tell it in words.
            ["timeout", "timed out", "timed-out"].contains { reason.lowercased().contains($0) }
        default: false
        }
    }
}
