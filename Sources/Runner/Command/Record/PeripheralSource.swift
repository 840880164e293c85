import Foundation
import HIL
import HILPOSIX
import RadioModel

/// A recorded accessory as a Swift file that declares it.
///
/// Pure. No name or value from the air can become code.
struct PeripheralSource: Sendable {
    /// How many bytes of a long value are on a line.
    private static let bytesInLine = 12

    let recorded: RecordedAccessory
    /// The name of the constant.
    let name: String

    /// The whole file.
    ///
    /// - Parameter day: When it was recorded, for people: `2026-11-23 12:40 UTC`.
    func text(on day: String) -> String {
        let notes = recorded.notes.map { "// \(SwiftText.comment($0))\n" }.joined()
        return """
            import HIL

            // Recorded from the air by `hil record` on \(day). Change it as you like.
            // Not seen on the air: networks, L2CAP channels, its own actions, and the meaning of values.
            \(notes)extension Peripheral {
                static let \(name) = \(declaration)
            }

            """
    }

    /// The expression, indented for its place in the file.
    private var declaration: String {
        let declared = recorded.declaration
        var arguments = ["named: \(SwiftText.literal(recorded.name))"]
        if let advertising = declared.advertising { arguments.append("advertising: \(text(advertising, 8))") }
        if !declared.services.isEmpty {
            let services = declared.services.indices.map { text(service: $0, 12) }
            arguments.append("services: [\n\(list(services, 12))\n        ]")
        }
        let isGuess = recorded.isPairingKnown ? "" : "/* not known */ "
        arguments.append("pairing: \(isGuess)\(text(declared.pairing))")
        if declared.hasPrivateAddress { arguments.append("hasPrivateAddress: true") }
        let call = "Peripheral.peripheral(\n        \(arguments.joined(separator: ",\n        "))"
        guard declared.name != recorded.name else { return "\(call))" }
        return "\(call)\n    )\n    .linked(as: \(SwiftText.literal(declared.name)))"
    }

    private func text(_ advertising: PeripheralAdvertising, _ indent: Int) -> String {
        var arguments = ["name: \(SwiftText.literal(advertising.name))"]
        func uuids(_ label: String, _ uuids: [BluetoothUUID]) {
            guard !uuids.isEmpty else { return }
            let texts = uuids.map { "BluetoothUUID(\"\(short($0))\")!" }
            arguments.append("\(label): [\n\(list(texts, indent + 8))\n\(spaces(indent + 4))]")
        }
        func data<Key: Comparable>(_ label: String, _ data: [(sort: Key, key: String, Data)]) {
            guard !data.isEmpty else { return }
            let texts = data.sorted { $0.sort < $1.sort }
                .map { "\($0.key): Data(\(bytes($0.2, indent + 8)))" }
            arguments.append("\(label): [\n\(list(texts, indent + 8))\n\(spaces(indent + 4))]")
        }
        uuids("serviceUUIDs", advertising.serviceUUIDs)
        data("manufacturerData", advertising.manufacturerData.map { ($0.key, "0x\(hex($0.key, 4))", $0.value) })
        data(
            "serviceData",
            advertising.serviceData.map { ("\($0.key)", "BluetoothUUID(\"\(short($0.key))\")!", $0.value) })
        uuids("solicitedUUIDs", advertising.solicitedUUIDs)
        if let appearance = advertising.appearance { arguments.append("appearance: 0x\(hex(appearance, 4))") }
        if advertising.includesTxPower { arguments.append("includesTxPower: true") }
        if advertising.claimsClassic { arguments.append("claimsClassic: true") }
        return "PeripheralAdvertising(\n\(list(arguments, indent + 4, trailing: false)))"
    }

    private func text(service number: Int, _ indent: Int) -> String {
        let service = recorded.declaration.services[number]
        var text = ".service(\n\(spaces(indent + 4))\"\(short(service.uuid))\""
        if !service.characteristics.isEmpty {
            let characteristics = service.characteristics.indices.map {
                self.text(AttributePlace(service: number, characteristic: $0), indent + 8)
            }
            text += ",\n\(spaces(indent + 4))[\n\(list(characteristics, indent + 8))\n\(spaces(indent + 4))]"
        }
        if !service.isPrimary { text += ", isPrimary: false" }
        if !service.included.isEmpty {
            let included = service.included.map { "\"\(short(recorded.declaration.services[$0].uuid))\"" }
            text += ", including: [\(included.joined(separator: ", "))]"
        }
        return text + ")"
    }

    private func text(_ place: AttributePlace, _ indent: Int) -> String {
        let characteristic = recorded.declaration.services[place.service].characteristics[place.characteristic]
        var arguments = ["\"\(short(characteristic.uuid))\"", text(characteristic.properties)]
        if !characteristic.value.isEmpty { arguments.append("value: \(bytes(characteristic.value, indent + 4))") }
        if !characteristic.descriptors.isEmpty {
            let descriptors = characteristic.descriptors.map { self.text($0, indent + 8) }
            arguments.append("descriptors: [\n\(list(descriptors, indent + 8))\n\(spaces(indent + 4))]")
        }
        var calls: [String] = []
        let protections = [
            ("read", characteristic.reading), ("write", characteristic.writing), ("notify", characteristic.notifying),
        ].filter { $0.1 != .none }
        if !protections.isEmpty {
            let needs = protections.map { "\($0): .\($1)" }.joined(separator: ", ")
            calls.append(".needing(\(needs))")
        }
        if let code = recorded.refusals[place] {
            calls.append(".onRead { _ in throw AccessRefusal(0x\(hex(UInt16(code), 2))) }")
        }
        let text = ".characteristic(\n\(list(arguments, indent + 4, trailing: false))"
        guard !calls.isEmpty else { return "\(text))" }
        return ([text, spaces(indent) + ")"] + calls.map { spaces(indent) + $0 }).joined(separator: "\n")
    }

    private func text(_ descriptor: PeripheralDescriptor, _ indent: Int) -> String {
        let isLong = descriptor.value.count > Self.bytesInLine
        var arguments = [
            "\"\(short(descriptor.uuid))\"", "value: \(bytes(descriptor.value, isLong ? indent + 4 : indent))",
        ]
        if descriptor.isWritable { arguments.append("isWritable: true") }
        if descriptor.protection != .none { arguments.append("needs: .\(descriptor.protection)") }
        guard isLong else { return ".descriptor(\(arguments.joined(separator: ", ")))" }
        return ".descriptor(\n\(list(arguments, indent + 4, trailing: false)))"
    }

    private func text(_ pairing: PeripheralPairing) -> String {
        let kind =
            switch pairing.capability {
            case .displayOnly: ".showsPasskey"
            case .keyboardOnly: ".entersPasskey"
            case .noInputNoOutput: pairing.isAllowed ? ".justWorks" : ".none"
            case .displayYesNo, .keyboardDisplay: ".numericComparison"
            }
        return pairing.hasSecureConnections ? kind : "\(kind).legacy"
    }

    private func text(_ properties: GATTCharacteristic.Properties) -> String {
        let names: [(GATTCharacteristic.Properties, String)] = [
            (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "writeWithoutResponse"),
            (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
            (.authenticatedSignedWrites, "authenticatedSignedWrites"),
        ]
        return "[\(names.filter { properties.contains($0.0) }.map { ".\($0.1)" }.joined(separator: ", "))]"
    }

    // MARK: Pieces

    /// The shortest text of a UUID.
    private func short(_ uuid: BluetoothUUID) -> String {
        uuid.shortest.count == 16 ? "\(uuid)" : uuid.shortest.map { hex(UInt16($0), 2) }.joined()
    }

    private func bytes(_ data: Data, _ indent: Int) -> String {
        let digits = data.map { "0x\(hex(UInt16($0), 2))" }
        guard digits.count > Self.bytesInLine else { return "[\(digits.joined(separator: ", "))]" }
        let lines = stride(from: 0, to: digits.count, by: Self.bytesInLine).map {
            digits[$0...].prefix(Self.bytesInLine).joined(separator: ", ")
        }
        return "[\n\(list(lines, indent + 4))\n\(spaces(indent))]"
    }

    /// Items, one per line. A comma follows the last of several, as Swift's formatter wants it.
    private func list(_ items: [String], _ indent: Int, trailing: Bool = true) -> String {
        items.map { spaces(indent) + $0 }.joined(separator: ",\n") + (trailing && items.count > 1 ? "," : "")
    }

    private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    private func hex(_ number: UInt16, _ count: Int) -> String { number.padded(to: count, radix: 16, uppercase: true) }
}

extension SwiftText {
    /// A text for a line of a comment: control characters, and whatever could end the line, become U+FFFD.
    static func comment(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
                    default: scalar
                    }
                }))
    }

    /// The name of a constant for a text: `lamp7` for “Lamp 7”; `accessory` if nothing is left of it.
    static func name(for text: String) -> String {
        let words = text.split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
        let joined = words.enumerated().map { number, word in
            number == 0
                ? word.prefix(1).lowercased() + word.dropFirst() : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
        return isName(joined) ? joined : "accessory"
    }
}
