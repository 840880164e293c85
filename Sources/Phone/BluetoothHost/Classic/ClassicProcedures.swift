/// How a phone bridges a device to classic Bluetooth.
package struct ClassicProcedures: Sendable, Hashable {
    /// How long it may take until the channel is open. Assumed.
    package var connectLimit: Duration = .seconds(20)
    /// How long the device may take to answer the first packet on the channel, or to close the channel. Assumed.
    package var answerLimit: Duration = .seconds(10)
    /// How long the device may take to confirm the end of the channel, and as long again for the end of the link. Assumed.
    package var endLimit: Duration = .seconds(5)
    /// The size in bytes of the shortest key that may encrypt the link, 1 to 16. The SIG's least value:
    /// iphonehacks.com 2019/08; since iOS 12.4: idownloadblog.com 2019/08/16.
    package var leastKeySize = 7
    /// The first packet on a channel of service discovery: a search for all services over L2CAP. bluekitchen/btstack#497.
    package var serviceSearch: [UInt8] = [
        0x02, 0x00, 0x01, 0x00, 0x08, 0x35, 0x03, 0x19, 0x01, 0x00, 0x00, 0x30, 0x00,
    ]
    /// The first packet on any other channel. Assumed: apps have no access to the channel.
    package var greeting: [UInt8] = [0]

    package init() {}

    /// The port of service discovery (Assigned Numbers, 4.1).
    private static let serviceDiscovery: UInt16 = 0x0001

    /// The first packet on a channel.
    func firstPacket(on psm: UInt16) -> [UInt8] { psm == Self.serviceDiscovery ? serviceSearch : greeting }
}
