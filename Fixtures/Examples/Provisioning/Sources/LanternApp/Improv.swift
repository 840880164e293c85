import Foundation

/// The Improv Wi-Fi protocol over Bluetooth LE: https://www.improv-wifi.com/ble/.
public enum Improv {
    /// The UUIDs of the service and its characteristics.
    public enum UUIDs {
        public static let service = "00467768-6228-2272-4663-277478268000"
        public static let state = "00467768-6228-2272-4663-277478268001"
        public static let error = "00467768-6228-2272-4663-277478268002"
        public static let command = "00467768-6228-2272-4663-277478268003"
        public static let result = "00467768-6228-2272-4663-277478268004"
        /// Of the service data in the advertisement.
        public static let serviceData = "4677"
    }

    /// What an accessory is ready for.
    public enum State: UInt8, Sendable {
        case authorizationRequired = 1
        case authorized, provisioning, provisioned
    }

    /// Why an accessory refused a command.
    public enum Refusal: UInt8, Error, Sendable {
        case invalidPacket = 1
        case unknownCommand, unableToConnect, notAuthorized
        case unknown = 0xFF
    }

    /// What an app asks for.
    public enum Command: Equatable, Sendable {
        /// Join this network.
        case sendWiFi(ssid: String, passphrase: String)
        /// Let a person see which accessory this is.
        case identify
        /// Report firmware, version, hardware and name.
        case deviceInfo

        var number: UInt8 {
            switch self {
            case .sendWiFi: 1
            case .identify: 2
            case .deviceInfo: 3
            }
        }

        /// The bytes of the whole command; nil if a text is too long for it.
        public var packet: Data? {
            var data = Data()
            if case .sendWiFi(let ssid, let passphrase) = self {
                for text in [ssid, passphrase] {
                    guard text.utf8.count <= 255 else { return nil }
                    data.append(UInt8(text.utf8.count))
                    data.append(contentsOf: text.utf8)
                }
            }
            guard data.count <= 255 else { return nil }
            let content = Data([number, UInt8(data.count)]) + data
            return content + [content.checksum]
        }
    }

    /// The most bytes of a command in one write: the room in the smallest ATT MTU.
    public static let longestWrite = 20

    /// The parts of a packet, to be written one after the other.
    public static func parts(of packet: Data) -> [Data] {
        stride(from: 0, to: packet.count, by: longestWrite).map { start in
            Data(packet.dropFirst(start).prefix(longestWrite))
        }
    }

    /// The answer to a command.
    public struct Result: Equatable, Sendable {
        /// The number of the command.
        public var command: UInt8
        public var strings: [String]

        /// Reads the bytes of the characteristic; nil if they are not a result.
        public init?(_ bytes: Data) {
            let bytes = Array(bytes)
            guard bytes.count >= 3, bytes.count == 3 + Int(bytes[1]), Data(bytes.dropLast()).checksum == bytes.last
            else { return nil }
            command = bytes[0]
            strings = []
            var rest = bytes.dropFirst(2).dropLast()
            while let length = rest.popFirst() {
                guard rest.count >= Int(length), let text = String(bytes: rest.prefix(Int(length)), encoding: .utf8)
                else { return nil }
                strings.append(text)
                rest = rest.dropFirst(Int(length))
            }
        }
    }

    /// The state in the service data of an advertisement; nil if the bytes are not Improv's.
    public static func state(inServiceData bytes: Data) -> State? {
        bytes.count == 6 ? bytes.first.flatMap(State.init) : nil
    }
}

extension Data {
    /// The low byte of the sum of all bytes.
    fileprivate var checksum: UInt8 { reduce(0, &+) }
}
