import Foundation
import HILPOSIX
import StubRig
import TestSupport
import Testing

/// The site that `make docs` builds, in a browser.
@Suite(.serialized, .enabled(if: HeadlessBrowser.isWanted, "\(HeadlessBrowser.whyNot)"))
struct DocumentationSiteTests {

    /// Builds the site and serves it while the body runs.
    @MainActor
    private func withSite(_ body: (_ address: String, _ folder: String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "hil-docs-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let build = "\(checkout)/Fixtures/Documentation/build"
        let built = try await ProgramOutput(of: [build, folder], withErrors: true)
        try #require(built.status.isSuccess, "\(built.text)")
        let server = try LineProcess(
            ["python3", "-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder],
            environment: ProcessInfo.processInfo.environment)
        defer { server.process.signal(SIGKILL) }
        let ready = try await server.lines.first(within: .seconds(30), waitingFor: "the site to be served") {
            $0.contains("Serving HTTP on")
        }.event
        let port = try #require(ready.firstMatch(of: /port ([0-9]+)/)).1
        try await body("http://127.0.0.1:\(port)", folder)
    }

    @Test("Every article opens without an error, in light and in dark, and every link in it leads to a page")
    @MainActor
    func articles() async throws {
        try await withSite { address, folder in
            let browser = try await HeadlessBrowser()
            defer { Task { await browser.close() } }
            let catalogue = "\(checkout)/Sources/Runner/HIL/HIL.docc"
            let names = try FileManager.default.contentsOfDirectory(atPath: catalogue)
                .filter { $0.hasSuffix(".md") && $0 != "HIL.md" }.map { $0.dropLast(3).lowercased() }
            // The start page leads on to the root of all articles.
            let start = try String(contentsOfFile: "\(folder)/index.html", encoding: .utf8)
            #expect(start.contains("url=documentation/hil/"))
            var links: Set<String> = []
            for isDark in [false, true] {
                try await browser.setWindow(1200, 900, isDark: isDark)
                try await browser.open(
                    "\(address)/documentation/hil/", until: "document.querySelector('h1')?.innerText == 'HIL'")
                for name in names {
                    try await browser.open(
                        "\(address)/documentation/hil/\(name)", until: "document.querySelector('main h1, main .title')")
                    let found = try await browser.text(
                        "[...document.querySelectorAll('main a')].map(a => a.getAttribute('href') || '').join(' ')")
                    links.formUnion(
                        found.split(separator: " ").map(String.init).filter { $0.hasPrefix("/documentation/") })
                }
            }
            #expect(names.count >= 14)
            #expect(links.count >= 10, "\(links)")
            for link in links {
                let path = link.split(whereSeparator: { "#?".contains($0) }).first.map(String.init) ?? ""
                let data = "\(folder)/data\(path.hasSuffix("/") ? String(path.dropLast()) : path).json"
                #expect(FileManager.default.fileExists(atPath: data), "a link to \(link)")
            }
            #expect(browser.complaints == [])
        }
    }
}
