import Foundation
import TestSupport
import Testing

@testable import HILReports

/// The page in a real browser, opened from disk.
@MainActor
@Suite(.serialized, .enabled(if: HeadlessBrowser.isWanted, "\(HeadlessBrowser.whyNot)"))
struct BrowserTests {
    /// A run's folder with its page, which is gone when the test ends.
    private final class Folder {
        let path = NSTemporaryDirectory() + "hil-page-\(UUID().uuidString)"
        var address: String { URL(fileURLWithPath: "\(path)/index.html").absoluteString }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ file: String, _ content: Data) throws {
            let url = URL(fileURLWithPath: "\(path)/\(file)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try content.write(to: url)
        }
    }

    private static let picture = Data(
        #"<svg xmlns="http://www.w3.org/2000/svg" width="393" height="852"><rect width="393" height="852"/></svg>"#.utf8
    )
    private static let events: [(lane: String, kind: String, text: String)] = [
        ("runner", "boardsReady", "boards ready"), ("scenario", "stepBegan", "step “pick”"),
        ("phone", "screen", "screen: Finding Accessories → screens/01-picker.light.svg"),
        ("bluetooth", "packet", "host HCI ← LE advertising report"), ("hostBoard", "line", "bluetoothd[4]: hello"),
        ("scenario", "expectation", "holds: the die is found"),
    ]

    /// A run with a scenario that passed and one that failed, with all that belongs to them.
    private static func folder(
        title: String = "It does what it says", cause: String = "it does not", bench: String? = nil,
        texts: [(lane: String, kind: String, text: String)] = events
    ) throws -> Folder {
        let folder = Folder()
        let record = SamplePage.record(
            ["good", "bad"], failing: ["bad"], title: title, cause: cause, bench: bench, folder: folder.path)
        let files = PageFiles(folder: folder.path, root: "/work")
        for entry in record.entries {
            let name = entry.info.folder
            try folder.write("\(name)/timeline.json", SamplePage.timeline(texts))
            for look in ["light", "dark"] { try folder.write("\(name)/screens/01-picker.\(look).svg", picture) }
            try files.write(entry, of: record)
        }
        try files.write(
            Page(
                [Page.Source(record)], rules: [Page.Rule(id: "K1", text: "A rule"), Page.Rule(id: "K9", text: "Other")])
        )
        return folder
    }

    private func withBrowser(_ body: (HeadlessBrowser) async throws -> Void) async throws {
        let browser = try await HeadlessBrowser()
        do { try await body(browser) } catch {
            await browser.close()
            throw error
        }
        await browser.close()
    }

    private let isReady = "document.documentElement.dataset.ready"

    @Test("Both screens fit from 360 to 2,560 pixels, light and dark, and the console stays empty")
    func widths() async throws {
        let folder = try Self.folder()
        try await withBrowser { browser in
            for (width, isDark) in [(360, false), (360, true), (1440, false), (2560, false), (2560, true)] {
                try await browser.setWindow(width, 900, isDark: isDark)
                for place in ["", "#s/bad"] {
                    try await browser.open(folder.address + place, until: isReady)
                    let overflow =
                        try await browser.evaluate("document.documentElement.scrollWidth - innerWidth") as? Int
                    #expect(overflow == 0, "\(place) at \(width) pixels")
                    let theme = try await browser.text("document.documentElement.dataset.theme")
                    #expect(theme == (isDark ? "dark" : "light"))
                    #expect(try await browser.screenshot().count > 5000)
                }
            }
            #expect(browser.complaints == [])
        }
    }

    @Test("The browser knows every selector, property and value of the style sheets")
    func styles() async throws {
        let script = try String(
            contentsOfFile: "\(checkout)/Tests/Support/PageScripts/unknown-styles.js", encoding: .utf8)
        let code = PageCode()
        let sheets = try FileManager.default.subpathsOfDirectory(atPath: code.folder).filter { $0.hasSuffix(".css") }
        #expect(sheets.count == 7)
        try await withBrowser { browser in
            _ = try await browser.evaluate(script)
            func unknown(_ sheet: String) async throws -> String {
                let text = try #require(String(data: JSONEncoder().encode(sheet), encoding: .utf8))
                return try await browser.text("unknownStyles(\(text)).join(\" | \")")
            }
            for sheet in sheets {
                let text = try code.text(sheet)
                #expect(try await unknown(text) == "", "\(sheet)")
            }
            #expect(
                try await unknown("a:foo, b { colour: red; color: rex; } @media print { i { width: 1px; }")
                    == "a:foo | colour: red | color: rex | 1 blocks without an end")
        }
    }

    @Test("The first screen has the verdicts, what failed, what was run and the rules, with words and signs")
    func firstScreen() async throws {
        let folder = try Self.folder()
        try await withBrowser { browser in
            try await browser.open(folder.address, until: isReady)
            #expect(try await browser.text("document.querySelector('h1').textContent") == "1 failed of 2 scenarios")
            #expect(try await browser.text("document.querySelectorAll('.card').length") == "1")
            #expect(try await browser.text("document.querySelector('.card-cause').textContent") == "it does not")
            #expect(try await browser.text("document.querySelector('#facts').textContent").contains("bench"))
            #expect(
                try await browser.text("document.querySelector('#rules .told').textContent").contains("2 of 3 rules"))
            let badges =
                "[...document.querySelectorAll('.row')].every((row) => row.querySelector('.badge svg') && row.querySelector('.badge').textContent)"
            #expect(try await browser.evaluate(badges) as? Bool == true, "no colour is the only sign")
            #expect(browser.complaints == [])
        }
    }

    @Test("On paper both screens are black on white without their tools, fit the sheet, and make a PDF")
    func print() async throws {
        let folder = try Self.folder()
        try await withBrowser { browser in
            for place in ["", "#s/bad"] {
                try await browser.setWindow(794, 1123, isDark: true)
                try await browser.open(folder.address + place, until: isReady)
                try await browser.call(
                    "Emulation.setEmulatedMedia",
                    ["media": "print", "features": [["name": "prefers-color-scheme", "value": "dark"]]])
                func style(_ selector: String, _ property: String) async throws -> String {
                    try await browser.text("getComputedStyle(document.querySelector('\(selector)')).\(property)")
                }
                #expect(try await style("html", "backgroundColor") == "rgb(255, 255, 255)", "\(place)")
                #expect(try await style("html", "color") == "rgb(0, 0, 0)")
                #expect(try await style(".topbar", "display") == "none")
                // Nothing of the dark colours is left behind the text.
                let dark = try await browser.text(
                    """
                    [...document.querySelectorAll("body *")].filter((element) => {
                        const [red, green, blue, alpha] =
                            getComputedStyle(element).backgroundColor.match(/[\\d.]+/g).map(Number);
                        return alpha !== 0 && red + green + blue < 300 && element.textContent.trim() &&
                            element.getClientRects().length;
                    }).map((element) => element.className).join()
                    """)
                #expect(dark == "", "\(place)")
                let overflow =
                    try await browser.evaluate("document.documentElement.scrollWidth - innerWidth") as? Int
                #expect(overflow ?? 1 <= 0, "\(place)")
                let pdf = try await browser.call("Page.printToPDF", ["printBackground": true])["data"] as? String
                let bytes = Data(base64Encoded: pdf ?? "") ?? Data()
                #expect(bytes.starts(with: Data("%PDF-".utf8)) && bytes.count > 10_000)
            }
            #expect(browser.complaints == [])
        }
    }

    /// The page of an audit.
    private static func audit(_ text: String = "write FF01") throws -> Folder {
        let folder = Folder()
        let record = SampleAudit.record(text, folder: folder.path)
        try folder.write("summary.md", Data())
        try PageFiles(folder: folder.path, root: "/work").write(Page([Page.Source(record)]))
        return folder
    }

    @Test("An audit comes first, says what it shows, and tells its outcomes apart by words and signs")
    func audit() async throws {
        let folder = try Self.audit(SamplePage.hostile)
        try await withBrowser { browser in
            try await browser.open(folder.address, until: isReady)
            let head = try await browser.text("document.querySelector('h1').textContent")
            #expect(
                head == "1 breached, 1 undecided, 1 accepted, 2 hold 1 does not apply, 1 out of reach, 1 not checked",
                "\(head)")
            let first = "document.querySelector('#audit p').textContent"
            #expect(try await browser.text(first).contains("never a certificate"))
            func row(_ control: String, _ part: String) async throws -> String {
                try await browser.text(
                    """
                    [...document.querySelectorAll(".audit-table tbody tr")]
                        .find((row) => row.querySelector("code").textContent === "\(control)").\(part)
                    """)
            }
            let words = [
                "air.modes": "holds", "air.signal": "out of reach", "pairing.guesses": "accepted",
                "pairing.keySize": "undecided", "access.matrix": "breached", "access.hidden": "does not apply",
                "life.reset": "not checked",
            ]
            for (control, verdict) in words {
                #expect(try await row(control, "querySelector('.badge').textContent") == verdict)
                #expect(try await row(control, "querySelectorAll('.badge svg').length") == "1")
            }
            #expect(try await row("access.matrix", "textContent").contains("frames 7, 9"))
            #expect(try await row("access.matrix", "querySelector('.audit-again').textContent").contains("hil audit"))
            #expect(try await row("air.signal", "textContent").contains("instead: measure it"))
            #expect(try await browser.text("document.querySelectorAll('[data-look=open]').length") == "2")
            let clause =
                "[...document.querySelectorAll('.audit-clause-table tr')].find((row) => row.textContent.startsWith('ACM-2')).textContent"
            #expect(try await browser.text(clause) == "ACM-2title of ACM-2access.matrixaccess.hidden")
            try await browser.open(
                folder.address + "#s/lampIsSetUp-access.matrix", until: "document.querySelector('main.scenario')")
            #expect(browser.complaints.filter { !$0.contains("scenario.js") } == [])
        }
    }

    @Test("An audit fits from 360 to 2,560 pixels and on a sheet of A4, where only the audit and what was run stand")
    func auditSizes() async throws {
        let folder = try Self.audit()
        let overflow = "document.documentElement.scrollWidth - innerWidth"
        try await withBrowser { browser in
            for (width, isDark) in [(360, false), (360, true), (794, false), (2560, true)] {
                try await browser.setWindow(width, 900, isDark: isDark)
                try await browser.open(folder.address, until: isReady)
                #expect(try await browser.evaluate(overflow) as? Int ?? 1 <= 0, "at \(width) pixels")
            }
            try await browser.setWindow(717, 1046, isDark: true)
            try await browser.open(folder.address, until: isReady)
            try await browser.call("Emulation.setEmulatedMedia", ["media": "print"])
            #expect(try await browser.evaluate(overflow) as? Int ?? 1 <= 0)
            for (part, display) in [
                ("#scenarios", "none"), ("#facts", "block"), (".audit-table thead", "table-header-group"),
            ] {
                let style = "getComputedStyle(document.querySelector('\(part)')).display"
                #expect(try await browser.text(style) == display, "\(part)")
            }
            let matrix =
                "document.querySelector('.audit-matrix').scrollWidth - document.querySelector('.audit-matrix').clientWidth"
            #expect(try await browser.evaluate(matrix) as? Int ?? 1 <= 0)
            let pdf = try await browser.call(
                "Page.printToPDF", ["printBackground": true, "paperWidth": 8.27, "paperHeight": 11.69])["data"]
            let bytes = Data(base64Encoded: pdf as? String ?? "") ?? Data()
            #expect(bytes.starts(with: Data("%PDF-".utf8)) && bytes.count > 10_000)
            #expect(browser.complaints == [])
        }
    }

    @Test("The first screen names the firmware and the phone")
    func firmware() async throws {
        let folder = try Self.folder()
        try await withBrowser { browser in
            try await browser.open(folder.address, until: isReady)
            let facts = try await browser.text("document.getElementById('facts').textContent")
            #expect(facts.contains("Firmware1.4.2-rc3"))
            #expect(facts.contains("Phonean iPhone of today"), "\(facts)")
        }
    }

    @Test("A scenario names the bench that it ran on; rigs without names have numbers", arguments: ["pi-3", nil])
    func bench(name: String?) async throws {
        let folder = try Self.folder(bench: name)
        try await withBrowser { browser in
            try await browser.open(
                folder.address + "#s/bad", until: "document.querySelector('.scenario-line')")
            let line = try await browser.text("document.querySelector('.scenario-line').textContent")
            #expect(line.contains(name.map { "· on \($0) ·" } ?? "· rig 1 ·"), "\(line)")
            #expect(browser.complaints == [])
        }
    }

    @Test("Search, filters and keys find a scenario, and a link leads to a moment of it")
    func finding() async throws {
        let folder = try Self.folder()
        try await withBrowser { browser in
            try await browser.setWindow(1440, 900)
            try await browser.open(folder.address, until: isReady)
            try await browser.press("/")
            try await browser.wait(for: "document.activeElement.id === 'search'")
            for letter in "good" { try await browser.press(String(letter)) }
            try await browser.wait(for: "document.querySelectorAll('.row').length === 1")
            #expect(try await browser.text("location.hash") == "#q=good")
            try await browser.press("Escape")
            try await browser.open(
                folder.address + "#verdict=failed", until: "document.querySelectorAll('.row').length === 1")
            try await browser.press("n")
            try await browser.wait(for: "location.hash === '#s/bad' && document.querySelector('.moment-title h3')")
            #expect(try await browser.text("document.querySelector('.moment-title h3').textContent") == "0.500 s")
            try await browser.press("ArrowLeft")
            try await browser.wait(for: "location.hash.startsWith('#s/bad/t=')")
            try await browser.press("Escape")
            try await browser.wait(for: "document.querySelector('.overview')")
            try await browser.open(folder.address + "#s/bad/t=0.2", until: "document.querySelector('.moment-title h3')")
            #expect(try await browser.text("document.querySelector('.moment-title h3').textContent") == "0.200 s")
            #expect(browser.complaints == [])
        }
    }

    @Test("A moment has screen, waits, story, packets and logs side by side, and a click on the lanes picks another")
    func moments() async throws {
        let folder = try Self.folder()
        try await withBrowser { browser in
            try await browser.setWindow(1440, 2000)
            try await browser.open(folder.address + "#s/bad/t=0.4", until: "document.querySelector('.moment-grid')")
            let boxes = "[...document.querySelectorAll('.moment-box h4')].map((head) => head.textContent).join()"
            #expect(
                try await browser.text(boxes)
                    == "On the phone,The scenario waited for,What happened,Packets,Logs of the boards")
            let words = try await browser.text("document.querySelector('.moment-grid').textContent")
            for word in [
                "step “pick”", "the die to be bonded350 ms of 350 ms", "LE advertising report", "bluetoothd[4]: hello",
                "hostBoard",
            ] {
                #expect(words.contains(word))
            }
            try await browser.click("canvas")
            try await browser.wait(for: "document.querySelector('.moment-title h3').textContent !== '0.400 s'")
            #expect(browser.complaints == [])
        }
    }

    @Test("Hostile text is shown as text, and runs nowhere")
    func hostile() async throws {
        let texts = Self.events.map { (lane: $0.lane, kind: $0.kind, text: $0.text + SamplePage.hostile) }
        let folder = try Self.folder(title: SamplePage.hostile, cause: SamplePage.hostile, texts: texts)
        try await withBrowser { browser in
            try await browser.call(
                "Page.addScriptToEvaluateOnNewDocument", ["source": "window.fail = () => { window.hasFailed = true; };"]
            )
            for place in [
                "", "#s/bad", "#s/bad/t=0.2", "#s/%3Cimg%20src=x%20onerror=fail()%3E", "#q=<img src=x onerror=fail()>",
            ] {
                try await browser.open(folder.address + place, until: isReady)
                try await browser.wait(for: "!document.querySelector('#lanes .quiet') || true")
                #expect(try await browser.text("window.hasFailed") == "undefined", "\(place)")
                #expect(
                    try await browser.text(
                        "[...document.images].filter((image) => image.getAttribute('src') === 'x').length") == "0")
            }
            let shown = try await browser.text(
                "(document.querySelector('.row-title') ?? document.querySelector('h1')).textContent")
            #expect(shown.contains("<script>fail()</script>") && shown.contains("#x1B") && shown.contains("#x202E"))
            #expect(browser.complaints == [])
        }
    }

    @Test("What is missing, cut or foreign leaves its part empty, and says so")
    func missing() async throws {
        let folder = try Self.folder()
        try folder.write("good/lanes.js", Data("hil.lanes(\"".utf8))
        try folder.write("bad/lanes.js", Data(LanesScript.bytes(Data("{\"events\":7".utf8))))
        try await withBrowser { browser in
            try await browser.open(folder.address + "#s/bad", until: "document.querySelector('#lanes .missing')")
            #expect(
                try await browser.text("document.querySelector('#lanes').textContent").contains(
                    "timeline.json cannot be read"))
            #expect(try await browser.text("document.querySelector('#steps').textContent").contains("pick"))
            #expect(browser.complaints == [])
            // The browser itself complains about a script that is cut.
            try await browser.open(folder.address + "#s/good", until: "document.querySelector('#lanes .missing')")
            #expect(
                try await browser.text("document.querySelector('#lanes').textContent").contains(
                    "timeline.json is missing"))
            try FileManager.default.removeItem(atPath: "\(folder.path)/bad")
            try await browser.open(folder.address + "#s/bad", until: "document.querySelector('.missing')")
            #expect(try await browser.text("document.querySelector('.missing').textContent").contains("are missing"))
            #expect(try await browser.text("document.querySelector('.scenario').textContent").contains("it does not"))
            try await browser.open(folder.address + "#s/nothing", until: "document.querySelector('.missing')")
        }
    }

    @Test("A page in one file needs no other file, and shows what failed with its lanes and screens")
    func singleFile() async throws {
        let folder = try Self.folder()
        let record = SamplePage.record(["good", "bad"], failing: ["bad"], folder: folder.path)
        var contents = PageContents()
        contents.add([Page.Source(record)], root: nil) { _, file in
            FileManager.default.contents(atPath: "\(folder.path)/\(file)")
        } before: { _, _ in
            nil
        }
        let alone = Folder()
        let page = Page([Page.Source(record)])
        try alone.write("index.html", Data(page.document(in: try PageDocuments.get(), with: contents)))
        try await withBrowser { browser in
            try await browser.open(alone.address, until: isReady)
            try await browser.wait(for: "[...document.images].some((image) => image.naturalWidth === 393)")
            try await browser.open(alone.address + "#s/bad", until: "document.querySelector('.moment-grid')")
            #expect(try await browser.text("document.querySelector('#lanes .told').textContent") == "6 events")
            try await browser.open(alone.address + "#s/good", until: "document.querySelector('#lanes .missing')")
            #expect(browser.complaints == [])
        }
    }

    @Test("Two timelines are aligned by their steps, and the first event that differs is found on both sides")
    func alignment() async throws {
        let folder = try Self.folder()
        try await withBrowser { browser in
            try await browser.open(folder.address, until: isReady)
            let script = """
                (() => {
                    const events = (list) => list.map(([at, lane, kind, text, step], place) => ({ at, lane, kind, text, step, source: lane, place }));
                    const common = [[0, "scenario", "stepBegan", "step “pick”", 1], [0.1, "app", "told", "told a: 11:22:33:44:55:66", 1]];
                    const before = events([...common, [0.15, "air", "told", "air: fault 1 of 9: noticed at EAPOL message 1", 1],
                        [0.2, "phone", "radio", "radio: found", 1], [0.3, "phone", "radio", "radio: paired", 1],
                        [0.4, "scenario", "stepEnded", "step “pick” done in 400 ms", 1]]);
                    const now = events([common[0], [0.1, "app", "told", "told a: 66:55:44:33:22:11", 1],
                        [0.15, "scenario", "note", "the fault: the link is lost, at write(FF01)", 1], [2.2, "phone", "radio", "radio: found", 1],
                        [2.3, "phone", "radio", "radio: refused", 1], [2.4, "scenario", "stepEnded", "step “pick” threw after 2 s", 1]]);
                    const { difference, late } = hil.align(before, now);
                    return [difference.step, ...difference.events.map((event) => event.text), late.event.text, late.by.toFixed(1)].join(" | ");
                })()
                """
            #expect(
                try await browser.text(script)
                    == "pick | radio: paired | radio: refused | radio: found | 2.0")
            let same =
                "JSON.stringify(hil.align([], []).difference ?? null) + JSON.stringify(hil.commonPairs(['a', 'b', 'c'], ['b', 'x', 'c']))"
            #expect(try await browser.text(same) == "null[[1,0],[2,2]]")
        }
    }
}
