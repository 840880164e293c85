import Testing

@testable import BoardAgent

@Suite struct CrashReportTests {
    /// The core file of an x86-64 process: header, one program header for notes, and two notes. The second is the
    /// status.
    static let core: [UInt8] = {
        var bytes = [UInt8](repeating: 0, count: 64 + 56)
        func put(_ value: UInt64, at offset: Int, _ size: Int) {
            for index in 0..<size { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))) }
        }
        bytes.replaceSubrange(0..<6, with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
        put(62, at: 18, 2)
        put(64, at: 32, 8)
        put(1, at: 56, 2)
        put(4, at: 64, 4)
        put(120, at: 72, 8)
        let other: [UInt8] = [5, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0] + Array("CORE\0\0\0\0".utf8) + [1, 2, 3, 4]
        bytes += other + [5, 0, 0, 0, 0x50, 1, 0, 0, 1, 0, 0, 0] + Array("CORE\0\0\0\0".utf8)
        let body = bytes.count
        bytes += [UInt8](repeating: 0, count: 0x150)
        put(UInt64(bytes.count - 120), at: 64 + 32, 8)
        put(11, at: body + 12, 2)
        put(312, at: body + 32, 4)
        put(0x5555_0000_1234, at: body + 112 + 16 * 8, 8)
        put(0x7FFF_0000_0100, at: body + 112 + 19 * 8, 8)
        return bytes
    }()

    static let map = MemoryMap(
        """
        555500000000-555500001000 r--p 00000000 fe:00 12                         /usr/libexec/bluetooth/bluetoothd
        555500001000-555500009000 r-xp 00001000 fe:00 12                         /usr/libexec/bluetooth/bluetoothd
        7f0000000000-7f0000001000 r-xp 00000000 00:00 0                          [vdso]
        nonsense
        7fff00000000-7fff00010000 rw-p 00000000 00:00 0                          [stack]
        """)

    @Test func theCrashedThreadIsReadFromTheCore() throws {
        let core = try #require(CoreFile(Self.core))
        #expect(core.signal == 11)
        #expect(core.thread == 312)
        #expect(core.registers["rip"] == 0x5555_0000_1234)
        #expect(core.registers["rsp"] == 0x7FFF_0000_0100)
    }

    @Test func aCoreThatIsCutOrInvalidIsRefused() {
        for count in stride(from: 0, to: Self.core.count - 0x80, by: 7) {
            #expect(CoreFile(Array(Self.core.prefix(count))) == nil)
        }
        var huge = Self.core
        for place in [32, 72, 96] { huge.replaceSubrange(place..<place + 8, with: [UInt8](repeating: 0xFF, count: 8)) }
        #expect(CoreFile(huge) == nil)
        var other = Self.core
        other[18] = 183  // AArch64
        #expect(CoreFile(other) == nil)
    }

    @Test func addressesAreNamedAfterTheirFiles() {
        #expect(Self.map.regions.count == 4)
        #expect(Self.map.name(of: 0x5555_0000_1234) == "bluetoothd+0x1234")
        #expect(Self.map.name(of: 0x7F00_0000_0010) == "0x7f0000000010")
        #expect(Self.map.isCode(0x5555_0000_1234))
        #expect(!Self.map.isCode(0x5555_0000_0234))
        #expect(!Self.map.isCode(0x7F00_0000_0010))
    }

    @Test func onlyAnAddressAfterACallMayBeACaller() {
        func word(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) } }
        let stack = word(0x5555_0000_2000) + word(7) + word(0x5555_0000_3000) + word(0x5555_0000_0010) + [1, 2, 3]
        let callers = CrashReport.callers(on: stack, Self.map) { address in
            address == 0x5555_0000_2000 ? [0, 0, 0xE8, 1, 2, 3, 4] : [0, 0, 0, 0, 0, 0, 0]
        }
        #expect(callers == [0x5555_0000_2000])
        #expect(CrashReport.endsWithCall([0xFF, 0xD0]))
        #expect(CrashReport.endsWithCall([0xFF, 0x55, 0x10]))
        #expect(!CrashReport.endsWithCall([0xFF, 0xE0]))
        #expect(!CrashReport.endsWithCall([]))
    }

    @Test func theFirstLineIsASummary() {
        let report = CrashReport(
            pid: 300, command: "/usr/libexec/bluetooth/bluetoothd -n", signal: 11, core: CoreFile(Self.core),
            map: Self.map,
            callers: [0x5555_0000_2000])
        #expect(report.lines.first == "bluetoothd (process 300) crashed with signal 11 at bluetoothd+0x1234")
        #expect(report.lines.last == "? bluetoothd+0x2000")
        var named = report
        named.functions = [
            0x5555_0000_1234: "att_disconnected, src/device.c", 0x5555_0000_2000: "g_main_loop_run+0x52",
        ]
        #expect(
            named.lines.first
                == "bluetoothd (process 300) crashed with signal 11 at bluetoothd+0x1234 (att_disconnected, src/device.c)"
        )
        #expect(named.lines.last == "? bluetoothd+0x2000 (g_main_loop_run+0x52)")
        named.functions[0x5555_0000_1234] = nil
        #expect(named.lines.first?.hasSuffix("at bluetoothd+0x1234, probably called by g_main_loop_run+0x52") == true)
        let blind = CrashReport(pid: 1, command: "", signal: 6, core: nil, map: MemoryMap(""), callers: [])
        #expect(blind.lines.first == "? (process 1) crashed with signal 6")
        #expect(blind.lines.last == "no registers: the core file could not be read")
    }

    @Test(
        "A report says how long before it the signal came, from the age of its handler, and hostile bytes say nothing")
    func age() {
        func age(_ text: String, now: Int) -> Int? { CrashReport.age(inStat: Array(text.utf8), now: now) }
        let fields = (4...21).map { "\($0)" }.joined(separator: " ")
        #expect(age("54 (hil) board (x) R \(fields) 1234 99\n", now: 12_570) == 230)
        #expect(age("54 (hil-board) R \(fields) 1258 99\n", now: 12_570) == 0, "the start is rounded")
        for text in [
            "", ")", "54 (a) R 1 2", "54 (a) R \(fields) -5 0", "54 (a) R \(fields) 99999999999999999999 0",
            "54 (a) R \(fields) 5000 0",
        ] {
            #expect(age(text, now: 12_570) == nil, "\(text)")
        }
    }
}
