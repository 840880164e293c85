import Foundation
import Testing

@testable import Network

@Suite("NWTXTRecord")
struct NWTXTRecordTests {
    @Test("A record of a packet gives keys without regard to case, the first of several, and nothing that is not valid")
    func packet() {
        let strings = ["id=7", "ID=8", "flag", "empty=", "=no key", "", "url=a=b"]
        let record = NWTXTRecord(strings.reduce(into: Data()) { $0 += [UInt8($1.utf8.count)] + Data($1.utf8) })
        #expect(record["Id"] == "7" && record["url"] == "a=b" && record["empty"] == "" && record["flag"] == nil)
        #expect(record.getEntry(for: "flag") == NWTXTRecord.Entry.none && record.getEntry(for: "x") == nil)
        #expect(record.getEntry(for: "empty") == .empty && record.count == 4)
        #expect(record.dictionary == ["id": "7", "empty": "", "url": "a=b"])
        #expect(record.map(\.key) == ["id", "flag", "empty", "url"])
    }

    @Test("Bytes that are no text stay bytes")
    func bytes() {
        let record = NWTXTRecord(strings: [Data("key=".utf8) + [0xFF, 0x00]])
        #expect(record.getEntry(for: "key") == .data(Data([0xFF, 0x00])) && record["key"] == nil)
    }

    @Test("Entries are set, replaced and removed; what no record can have is refused")
    func changes() {
        var record = NWTXTRecord(["id": "7"])
        let isSet = record.setEntry(.string("8"), for: "ID")
        #expect(isSet && record.count == 1 && record["id"] == "8")
        let refused = ["", "a=b", "ä"].map { record.setEntry(.none, for: $0) }
        #expect(refused == [false, false, false])
        let lengths = [252, 250].map { record.setEntry(.string(String(repeating: "x", count: $0)), for: "long") }
        #expect(lengths == [false, true])
        let removals = ["Long", "Long"].map { record.removeEntry(key: $0) }
        #expect(removals == [true, false])
        record["fw"] = "1"
        record["id"] = nil
        #expect(record == NWTXTRecord(["fw": "1"]) && record.data == Data([4] + "fw=1".utf8))
    }

    @Test("Whatever bytes come, a record of them is written and read again as the same")
    func anyBytes() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let count = Int.random(in: 0...80, using: &random)
            // Few kinds of bytes, so that keys repeat and lengths fit.
            let kinds: [UInt8] = [0, 1, 2, 3, 5, 0x3D, 0x61, 0x41, 0xC3, 0xA4, 0xFF]
            let bytes = Data((0..<count).map { _ in kinds.randomElement(using: &random) ?? 0 })
            let record = NWTXTRecord(bytes)
            #expect(NWTXTRecord(record.data) == record, "\(Array(bytes))")
            #expect(record.allSatisfy { record.getEntry(for: $0.key) == $0.value }, "\(Array(bytes))")
        }
    }
}
