import Foundation
import Testing

@testable import Execution

struct EvidenceTests {
    @Test("A journal becomes a log for each daemon, and a line that is none is kept")
    func journal() {
        let journal = """
            {"t":1768383015123456789,"source":"bluetoothd","line":"src/adapter.c: started"}
            {"t":1768383015223456789,"source":"hostapd","line":"wlan0: AP-ENABLED"}
            {"t":1768383015323456789,"source":"bluetoothd","line":"two"}
            {"t":1768383015423456789,"source":"../../etc/passwd","line":"x"}
            {"t":17683830
            """
        let logs = JournalSplitter.logs(of: Array(journal.utf8))
        #expect(
            logs["bluetoothd"]
                == "2026-01-14T09:30:15.123456Z src/adapter.c: started\n2026-01-14T09:30:15.323456Z two\n")
        #expect(logs["hostapd"] == "2026-01-14T09:30:15.223456Z wlan0: AP-ENABLED\n")
        #expect(logs["etcpasswd"] == "2026-01-14T09:30:15.423456Z x\n")
        #expect(logs["unreadable"] == "{\"t\":17683830\n")
    }

    @Test("Runs that start at once get folders of their own, and latest leads to the newest")
    func folders() throws {
        let parent = NSTemporaryDirectory() + "hil-results-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: parent) }
        let now = Date()
        let folders = try (0..<20).map { _ in try RunFolder.create(in: parent, now: now).path }
        #expect(Set(folders).count == 20)
        let latest = try FileManager.default.destinationOfSymbolicLink(atPath: "\(parent)/latest")
        #expect(folders.last == "\(parent)/\(latest)")
        #expect(latest.wholeMatch(of: /\d{8}-\d{6}-[0-9a-z]{4}/) != nil)
    }

    @Test("Lines are cut out of bytes however they arrive, and none grows beyond its limit")
    func lines() {
        var reader = LineReader(limit: 4)
        #expect(reader.push(Array("ab".utf8)).isEmpty)
        #expect(reader.push(Array("c\n\nlonger\nx".utf8)) == ["abc", "long"].map { Array($0.utf8) })
        #expect(reader.finish() == [Array("x".utf8)])
    }

    @Test("Numbers have a point and their digits, whatever the locale")
    func decimals() {
        #expect(0.0.formatted(decimals: 3) == "0.000")
        #expect(1.2345.formatted(decimals: 3) == "1.235")
        #expect((-0.5).formatted(decimals: 1) == "-0.5")
        #expect(12.0.formatted(decimals: 0) == "12")
    }
}
