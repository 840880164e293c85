import RadioModel

/// Something that the phone heard during a search, and that did not match the search.
public struct NearMiss: Sendable, Hashable, CustomStringConvertible {
    /// The search: `the picker`, `the scan for D1CE0001-…`, `joining “Lamp-7”`.
    package var search: String
    /// The source that was heard: `Latch 2 (02:00:00:00:00:B0, −48 dBm)`.
    public var heard: String
    /// The criteria that did not hold, each with the heard and the wanted value; never empty.
    public var reasons: [String]
    /// How many criteria held: the more, the nearer.
    package var held: Int
    /// The services that were searched and that the device did not list; nil if it listed one.
    package var unlisted: Unlisted?

    /// Services that a device did not list where a search needs one of them.
    package struct Unlisted: Sendable, Hashable {
        package var services: Set<BluetoothUUID>
        package var device: DeviceAddress

        package init(services: Set<BluetoothUUID>, device: DeviceAddress) {
            (self.services, self.device) = (services, device)
        }
    }

    package init(search: String, heard: String, reasons: [String], held: Int = 0) {
        (self.search, self.heard, self.reasons, self.held) = (search, heard, reasons, held)
    }

    public var description: String { "\(search): heard \(heard), but \(reasons.joined(separator: "; "))" }

    /// The nearest first.
    static func sorted(_ misses: [NearMiss]) -> [NearMiss] {
        misses.sorted { ($1.held, $0.reasons.count, $0.heard) < ($0.held, $1.reasons.count, $1.heard) }
    }
}

extension Phone {
    /// The near misses of the running searches, or of the last ones that found nothing: of the picker, of scans of
    /// CoreBluetooth, and of networks to join; the nearest first, each device and network at most once for each.
    public var nearMisses: [NearMiss] { NearMiss.sorted(explained(components.flatMap(\.nearMisses))) }
}

/// Heard values without a match, by their source; the newest of each, and not more than anybody would read.
struct Unmatched<Source: Hashable & Sendable, Heard: Sendable>: Sendable {
    /// More sources than this are not remembered.
    private static var most: Int { 64 }
    private var latest: [Source: Heard] = [:]

    mutating func note(_ heard: Heard, from source: Source) {
        guard latest[source] != nil || latest.count < Self.most else { return }
        latest[source] = heard
    }

    /// A source that was found after all.
    mutating func forget(_ source: Source) { latest[source] = nil }

    var all: [Heard] { Array(latest.values) }
}

extension Advertisement {
    /// The device that was heard, for people: `Latch 2 (02:00:00:00:00:B0, −48 dBm)`.
    var heardAs: String {
        let signal = rssi.map { ", \(NearMiss.decibels($0))" } ?? ""
        return name.map { "\($0) (\(address)\(signal))" }
            ?? "\(address)\(signal.isEmpty ? "" : " (\(signal.dropFirst(2)))")"
    }
}

extension NearMiss {
    static func decibels(_ signal: Int) -> String { "\(signal < 0 ? "−" : "")\(signal.magnitude) dBm" }

    /// Bytes as people read them: `01 00`.
    static func bytes(_ bytes: some Collection<UInt8>) -> String {
        Hex.spaced(bytes, most: 64)
    }
}
