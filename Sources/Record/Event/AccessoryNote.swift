import BoardProtocol
import RadioModel

/// What an accessory reported.
package struct AccessoryNote: Sendable, Hashable, Codable {
    /// The kind of accessory, in one word: `lamp`.
    package var accessory: String
    /// The accessory's Bluetooth adapter.
    package var adapter: AdapterID
    /// The kind of event, in one fixed word.
    package var kind: String
    /// The text for people.
    package var text: String
    /// The address of the phone, if a link to it came up or was lost.
    package var link: DeviceAddress?

    package init(accessory: String, adapter: AdapterID, kind: String, text: String, link: DeviceAddress? = nil) {
        self.accessory = accessory
        self.adapter = adapter
        self.kind = kind
        self.text = text
        self.link = link
    }
}
