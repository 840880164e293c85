import Foundation
import HILPhone
import Synchronization

/// Whether Bluetooth can be used. Raw values: CoreBluetooth, `CBManager.h`.
///
/// This phone gives `unknown` before the first event, and then `poweredOn`, `poweredOff` or `unauthorized`.
public enum CBManagerState: Int, Sendable {
    case unknown = 0
    case resetting = 1
    case unsupported = 2
    case unauthorized = 3
    case poweredOff = 4
    case poweredOn = 5
}

/// Whether an app may use Bluetooth. Raw values: CoreBluetooth, `CBManager.h`. This phone never gives `restricted`.
public enum CBManagerAuthorization: Int, Sendable {
    case notDetermined = 0
    case restricted = 1
    case denied = 2
    case allowedAlways = 3
}

/// The superclass of central and peripheral managers: the state of Bluetooth and the app's permission.
///
/// Not `Sendable`, as on iOS.
open class CBManager: NSObject {
    private let currentState = Mutex(CBManagerState.unknown)

    /// Whether the app may use Bluetooth.
    ///
    /// With AccessorySetupKit the person is not asked: the app may use its accessories. ``state`` says whether it has
    /// any (rule C1).
    open class var authorization: CBManagerAuthorization {
        switch Phone.current.bluetooth.isAllowed {
        case nil: .notDetermined
        case true?: .allowedAlways
        case false?: .denied
        }
    }

    /// The same, for a manager.
    public var authorization: CBManagerAuthorization { type(of: self).authorization }

    /// The current state. The delegate gets each change on its queue.
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
