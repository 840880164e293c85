import Foundation
import Phone
import Synchronization

/// Whether Bluetooth can be used. Raw values: CoreBluetooth, `CBManager.h`.
public enum CBManagerState: Int, Sendable {
    case unknown = 0
    case resetting = 1
    case unsupported = 2
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

/// Whether an app may use Bluetooth. Raw values: CoreBluetooth, `CBManager.h`.
public enum CBManagerAuthorization: Int, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case allowedAlways = 3
}

/// What central and peripheral managers have in common.
open class CBManager: NSObject, @unchecked Sendable {
    // Unchecked because the class is open, as Apple's is; its only state is under a mutex.
    private let currentState = Mutex(CBManagerState.unknown)

    /// Whether the app may use Bluetooth. With AccessorySetupKit nobody is asked: what the app may use are its accessories,
    /// and ``state`` tells whether it has any (C1).
    open class var authorization: CBManagerAuthorization {
        switch Phone.current.bluetooth.isAllowed {
        case nil: .notDetermined
        case true?: .allowedAlways
        case false?: .denied
        }
    }

    /// The current state; changes are told to the delegate on its queue.
    public internal(set) var state: CBManagerState {
        get { currentState.withLock { $0 } }
        set { currentState.withLock { $0 = newValue } }
    }
}

extension CBManagerState {
    init(_ power: CentralEvent.Power) {
        self =
            switch power {
            case .on: .poweredOn
            case .off: .poweredOff
            case .unauthorized: .unauthorized
            }
    }
}
