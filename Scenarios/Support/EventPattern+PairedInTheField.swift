import AccessorySetupKit
import CoreBluetooth
import HIL

extension EventPattern where Event == CentralProbe.Callback, Value == Void {
    /// A value could not be read, or the link has ended.
    static var refusalOrEnd: Self {
        Self("a refusal, or the end of the link") {
            switch $0 {
            case .value(_, .some), .disconnected: ()
            default: nil
            }
        }
    }
}
