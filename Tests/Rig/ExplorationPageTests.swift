import Foundation
import HILRecord
import TestSupport
import Testing

@testable import HILReports

/// The page of an exploration in a real browser.
@MainActor
@Suite(.serialized, .enabled(if: HeadlessBrowser.isWanted, "\(HeadlessBrowser.whyNot)"))
struct ExplorationPageTests {
    /// A scenario that was explored, and one that failed, whose timeline is that of a trial.
    private static func write(
        into path: String, _ detail: String, _ texts: [(lane: String, kind: String, text: String)]
    )
        throws
    {
        var record = SamplePage.record(["good", "bad"], failing: ["bad"], folder: path)
        let moments = (1...7).map { JourneyMoment(Moment(.attribute, "write(F\($0))"), seconds: 0, screen: "picker") }
        let faults = ["linkLost", "powerCut"]
        let left = TrialOrder.Cell("powerCut", at: moments[0].moment)
        let info = ExplorationInfo(
            moments: moments, faults: faults, planned: 13, leftOut: [.init(reason: "no power", cells: [left])], seed: 1,
            seconds: 1)
        record.take(RunLine(time: 1, scenario: "good", runner: .explorationBegan(info)))
        for fault in faults {
            for place in moments.reversed() where TrialOrder.Cell(fault, at: place.moment) != left {
                let isHit = fault == "linkLost" && place.moment.what != "write(F1)"
                let result = TrialResult(
                    .init(fault, at: place.moment), isHit ? .silent : .unharmed, detail: isHit ? detail : nil,
                    step: "dim", seconds: 1)
                record.take(RunLine(time: 2, scenario: "good", runner: .trialEnded(result)))
            }
        }
        let files = PageFiles(folder: path, root: "/work")
        for entry in record.entries {
            let folder = "\(path)/\(entry.info.folder)"
            try FileManager.default.createDirectory(
                atPath: "\(folder)/screens", withIntermediateDirectories: true)
            for look in ["light", "dark"] {
                let picture = Data(#"<svg xmlns="http://www.w3.org/2000/svg" width="39" height="85"></svg>"#.utf8)
                try picture.write(to: URL(fileURLWithPath: "\(folder)/screens/01-picker.\(look).svg"))
            }
            try SamplePage.timeline(texts).write(to: URL(fileURLWithPath: "\(folder)/timeline.json"))
            try files.write(entry, of: record)
        }
        try files.write(Page([Page.Source(record)]))
    }

    private func open(
        _ place: String, _ detail: String = "the app waits for ever",
        _ texts: [(lane: String, kind: String, text: String)] = [("scenario", "note", "nothing")],
        _ body: (HeadlessBrowser) async throws -> Void
    ) async throws {
        let path = NSTemporaryDirectory() + "hil-explored-page-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Self.write(into: path, detail, texts)
        let browser = try await HeadlessBrowser()
        do {
            let address = URL(fileURLWithPath: "\(path)/index.html").absoluteString + place
            try await browser.open(address, until: "document.documentElement.dataset.ready")
            try await body(browser)
            #expect(browser.complaints == [])
        } catch {
            await browser.close()
            throw error
        }
        await browser.close()
    }

    @Test(
        "Under the grid all trials are a list, in the order of the journey, that is folded if it is long and open on paper"
    )
    func list() async throws {
        try await open("#s/good", SamplePage.hostile) { browser in
            func text(_ script: String) async throws -> String { try await browser.text(script) }
            let rows = "[...document.querySelectorAll('.explored-rows tbody tr')]"
            #expect(try await text("\(rows).length") == "13")
            #expect(try await text("\(rows)[1].querySelector('th').textContent") == "write(F2)")
            let first = try await text("\(rows)[0].innerText + \(rows)[1].textContent")
            #expect(first.contains("link lost") && first.contains("silent"), "\(first)")
            #expect(try await text("document.querySelector('.explored-list').open") == "false")
            #expect(try await text("document.querySelector('.explored-list summary').textContent").contains("(13)"))
            #expect(
                try await text(
                    "(dispatchEvent(new Event('beforeprint')), document.querySelector('.explored-list').open)")
                    == "true")
            for width in [360, 2560] {
                try await browser.setWindow(width, 900, isDark: width == 360)
                let overflow = try await browser.evaluate("document.documentElement.scrollWidth - innerWidth") as? Int
                #expect(overflow == 0, "at \(width) pixels")
            }
        }
    }

    @Test(
        "The course of a trial has what each side did around the fault, and marks what belongs to an earlier attempt")
    func course() async throws {
        let texts: [(lane: String, kind: String, text: String)] = [
            ("app", "told", "told com.example.lamps: didConnect"),
            ("phone", "note", "Bluetooth: reading of the name (2A00) of Lamp: “Lamp” after 36 ms"),
            ("scenario", "note", "the fault: the link is lost, at write(F2)"),
            ("app", "told", "told com.example.lamps: didUpdateValueFor"),
            ("app", "told", "told com.example.lamps: didUpdateValueFor"),
            ("accessory", "printed", "lamp: answers: ok"),
            ("app", "told", "told com.example.lamps: didDisconnectPeripheral: the link was lost"),
            ("scenario", "note", "attempt 1 failed: it did not end"),
            ("scenario", "note", "attempt 2: the accessory is removed in Settings, and the journey begins again"),
            ("app", "told", "told com.example.lamps: accessoryRemoved"),
            ("app", "called", "com.example.lamps was launched"),
            ("app", "told", "told com.example.lamps: activated"),
            ("app", "called", "com.example.lamps made a CBCentralManager"),
            ("phone", "note", "Bluetooth: write of 01 to FF01 of Lamp: done after 9 ms"),
            ("scenario", "note", "attempt 1, late: does not hold: the lamp is on"),
            ("scenario", "note", "attempt 2 passed"),
            ("accessory", "ended", "lamp: was ended by signal 9 (Killed)"),
        ]
        try await open("#s/bad", "-", texts) { browser in
            let course = try await course(in: browser)
            #expect(
                course == """
                    - is told: didConnect
                    - the fault: the link is lost, at write(F2)
                    - is told: didUpdateValueFor (2 times)
                    - lamp: answers: ok
                    - is told: didDisconnectPeripheral: the link was lost
                    - attempt 1 failed: it did not end
                    - attempt 2: the accessory is removed in Settings, and the journey begins again
                    yes attempt 1, late: is told: accessoryRemoved
                    - is told: activated
                    - made a CBCentralManager
                    - write of 01 to FF01 of Lamp: done after 9 ms
                    yes attempt 1, late: does not hold: the lamp is on
                    - attempt 2 passed
                    """)
        }
    }

    @Test("The page of a trial opens where the last attempt failed, or else at the fault", arguments: [true, false])
    func opening(isFailed: Bool) async throws {
        let fault = (lane: "scenario", kind: "note", text: "the fault: the link is lost, at write(F2)")
        let attempts = [1, 2].map { (lane: "scenario", kind: "note", text: "attempt \($0) failed: it did not end") }
        let told = (lane: "app", kind: "told", text: "told com.example.lamps: didConnect")
        try await open("#s/good", "-", [told, fault, told] + (isFailed ? attempts : []) + [told]) { browser in
            let shown = try await browser.text("document.querySelector('.moment-event').textContent")
            #expect(shown.contains(isFailed ? "attempt 2 failed" : "the fault: "), "\(shown)")
        }
    }

    @Test("A long attempt has its begin and its end in the course, and how much is between them")
    func longCourse() async throws {
        let lines = (1...40).map { (lane: "accessory", kind: "printed", text: "lamp: line \($0)") }
        let fault = (lane: "scenario", kind: "note", text: "the fault: the link is lost, at write(F2)")
        let end = (lane: "scenario", kind: "note", text: "attempt 1 failed: it did not end")
        try await open("#s/bad", "-", Array(lines.prefix(5)) + [fault] + lines + [end]) { browser in
            let rows = try await course(in: browser).split(separator: "\n").map { $0.dropFirst(2) }
            #expect(rows.first == "lamp: line 3" && rows[3] == fault.text)
            #expect(rows.dropFirst(4).prefix(4) == ["lamp: line 1", "lamp: line 2", "lamp: line 3", "… 28 more"])
            #expect(rows[8] == "lamp: line 32" && rows.suffix(2) == ["lamp: line 40", end.text[...]])
        }
    }

    /// The rows of the course, each after whether it is late.
    private func course(in browser: HeadlessBrowser) async throws -> String {
        let rows = "[...document.querySelectorAll('.lead .event-row')]"
        return try await browser.text(
            "\(rows).map((row) => (row.dataset.late ?? '-') + ' ' + row.querySelector('.event-text').textContent).join('\\n')"
        )
    }
}
