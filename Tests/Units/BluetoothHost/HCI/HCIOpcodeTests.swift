import Testing

@testable import HILBluetoothHost

@Suite("Opcodes of HCI")
struct HCIOpcodeTests {
    @Test("A command is told by its name, an unknown one by its number")
    func names() {
        #expect("\(HCIOpcode.leSetScanEnable)" == "LE Set Scan Enable")
        #expect("\(HCIOpcode.readAddress)" == "Read BD_ADDR")
        #expect("\(HCIOpcode(rawValue: 0xFC01))" == "command 0xFC01")
    }

    @Test("Names, and places among the supported commands, are unique")
    func unique() {
        let entries = HCIOpcode.table.values
        #expect(Set(entries.map(\.name)).count == entries.count)
        #expect(Set(entries.map { $0.octet * 8 + $0.bit }).count == entries.count)
        #expect(entries.allSatisfy { (0..<64).contains($0.octet) && (0..<8).contains($0.bit) })
    }

    @Test("The names of LE commands, and only they, begin with LE")
    func groups() {
        for (opcode, entry) in HCIOpcode.table {
            #expect((opcode.rawValue >> 10 == 8) == entry.name.hasPrefix("LE "), "\(entry.name)")
        }
    }

    @Test("A command counts as supported by its own bit")
    func supported() {
        for (opcode, entry) in HCIOpcode.table {
            var bytes = [UInt8](repeating: 0, count: 64)
            bytes[entry.octet] = 1 << UInt8(entry.bit)
            let commands = SupportedCommands(bytes)
            #expect(HCIOpcode.table.keys.filter(commands.contains) == [opcode])
        }
        #expect(!SupportedCommands().contains(.reset))
        #expect(!SupportedCommands([UInt8](repeating: 0xFF, count: 64)).contains(HCIOpcode(rawValue: 0xFC01)))
    }
}
