import Foundation
import HostRadio
import PeripheralModel
import RadioModel

/// An event for an app's peripheral manager. Places are those of the manager's own services.
package enum PeripheralManagerEvent: Sendable {
    case power(CentralEvent.Power)
    /// The first event of a manager that takes over from one whose app the system ended. The events that the app has missed
    /// follow after the state.
    case restored(RestoredPublication)
    /// The services were published, or could not be.
    case published(count: Int, RadioError?)
    /// Services of the system's own were refused (C22).
    case refusedService
    case advertising(RadioError?)
    /// A device accesses a value that the app answers.
    case requested(PeripheralRequest, by: UUID)
    case subscription(Bool, AttributePlace, by: UUID, mtu: Int)
    /// The radio takes values again.
    case isReady
    case channelPublished(UInt16, RadioError?)
    case channelOpened(any RadioChannel, port: UInt16, by: UUID)
}
