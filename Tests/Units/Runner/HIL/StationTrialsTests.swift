import HILPhone
import RadioModel
import Testing

@testable import HIL

/// What kept a station from the home's network, from the frames on the air.
@Suite("Stations that do not join the home's network")
struct StationTrialsTests {
    private static let router: [UInt8] = [2, 0, 0, 0, 1, 0]
    private static let lamp: [UInt8] = [2, 0, 0, 0, 2, 0]
    private static let other: [UInt8] = [2, 0, 0, 0, 9, 0]

    /// A pcapng file with frames, each after a radiotap header: version, padding, length 8, no fields.
    private static func capture(_ frames: [[UInt8]], on interface: String = "air-wifi") -> [UInt8] {
        pcapng([(interface: interface, packets: frames.map { [0, 0, 8, 0, 0, 0, 0, 0] + $0 })])
    }

    private static func frame(
        _ subtype: UInt8, to: [UInt8], from: [UInt8], network: [UInt8], _ body: [UInt8] = []
    ) -> [UInt8] { [subtype << 4, 0, 0, 0] + to + from + network + [0, 0] + body }

    private static func beacon(_ name: String, from: [UInt8] = router) -> [UInt8] {
        frame(
            8, to: [255, 255, 255, 255, 255, 255], from: from, network: from,
            [UInt8](repeating: 0, count: 12) + ssid(name))
    }
    private static func ssid(_ name: String) -> [UInt8] { [0, UInt8(name.utf8.count)] + Array(name.utf8) }
    private static func asks(_ name: String) -> [UInt8] {
        let all: [UInt8] = [255, 255, 255, 255, 255, 255]
        return frame(4, to: all, from: lamp, network: all, ssid(name))
    }

    private static func reasons(_ frames: [[UInt8]], joined: Set<DeviceAddress> = [], refused: Set<DeviceAddress> = [])
        -> [String]
    {
        var trials = StationTrials(of: "Home", .wpa3)
        trials.read(capture([beacon("Home")] + frames))
        return trials.nearMisses(joined: joined, refused: refused).flatMap(\.reasons)
    }

    @Test("One that looks for another name is told with both")
    func names() {
        #expect(Self.reasons([Self.asks("Hom")]) == ["it looks for “Hom”, wanted “Home”"])
        #expect(
            Self.reasons([Self.asks("home")])
                == ["it looks for “home”, wanted “Home” (bytes 68 6F 6D 65, wanted 48 6F 6D 65)"])
        #expect(Self.reasons([Self.asks("")]) == ["it looked for networks, and asked for none by name"])
        #expect(
            Self.reasons([Self.asks("Home")]) == [
                "it looked for it, but did not ask to join: perhaps it does not support wpa3"
            ])
    }

    @Test("One that is refused is told with the status")
    func refusals() {
        let (router, lamp) = (Self.router, Self.lamp)
        let refusedSAE = Self.frame(11, to: lamp, from: router, network: router, [3, 0, 2, 0, 1, 0])
        #expect(
            Self.reasons([Self.asks("Home"), refusedSAE])
                == ["its authentication was refused with status 1 (unspecified: with WPA3, another passphrase)"])
        let accepted = Self.frame(11, to: lamp, from: router, network: router, [0, 0, 2, 0, 0, 0])
        let refusedAssociation = Self.frame(1, to: lamp, from: router, network: router, [0, 0, 43, 0, 0, 0])
        #expect(
            Self.reasons([accepted, refusedAssociation])
                == ["its association was refused with status 43 (another key management: WPA2 and WPA3 differ in it)"])
        let associated = Self.frame(1, to: lamp, from: router, network: router, [0, 0, 0, 0, 1, 0])
        #expect(
            Self.reasons([accepted, associated])
                == ["it was associated, and the handshake did not end: another passphrase, or none"])
        #expect(
            Self.reasons([accepted, associated], refused: [DeviceAddress(bytes: lamp)!])
                == ["it used another passphrase"])
    }

    @Test("One that goes elsewhere is told with where")
    func strangers() {
        let asks = Self.frame(11, to: Self.other, from: Self.lamp, network: Self.other, [0, 0, 1, 0, 0, 0])
        #expect(
            Self.reasons([Self.beacon("Neighbour", from: Self.other), asks]) == ["it went to the network “Neighbour”"])
    }

    @Test("One that joined, the router itself and packets of controllers are left out")
    func leftOut() {
        #expect(Self.reasons([Self.asks("Hom")], joined: [DeviceAddress(bytes: Self.lamp)!]) == [])
        #expect(Self.reasons([]) == [])
        var trials = StationTrials(of: "Home", .wpa3)
        trials.read(Self.capture([Self.beacon("Home"), Self.asks("Hom")], on: "host-hci0"))
        #expect(trials.nearMisses(joined: [], refused: []) == [])
    }

    @Test("Frames may be cut anywhere")
    func cut() {
        let frames = [
            Self.beacon("Home"), Self.asks("Hom"),
            Self.frame(1, to: Self.lamp, from: Self.router, network: Self.router, [0, 0, 43, 0]),
        ]
        for frame in frames {
            for size in 0..<frame.count { _ = Self.reasons([Array(frame.prefix(size))]) }
        }
    }
}
