import BoardProtocol
import RadioModel

/// The phone's radios: Bluetooth, Wi-Fi and Wi-Fi Aware.
///
/// There are two implementations: the phone's own Bluetooth host with the Wi-Fi of a board, and ``InMemoryRadio`` for
/// unit tests with a manual clock. The phone's logic must not know which one it has.
package protocol HostRadio: BluetoothRadio, WiFiRadio {
    /// All events of the radios, in order. Only one reader may consume them: the phone.
    var events: AsyncStream<RadioEvent> { get }
}
