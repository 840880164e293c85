import Foundation
import HIL

extension Lab {
    /// Whether the phone has its own Bluetooth host, which discovers services only when an app asks. BlueZ discovers
    /// everything before the app is connected.
    nonisolated var discoversOnDemand: Bool { ProcessInfo.processInfo.environment["HIL_PHONE"] == "stack" }
}
