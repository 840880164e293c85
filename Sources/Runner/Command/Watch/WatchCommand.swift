import Foundation
import HILExecution
import HILPOSIX
import HILReports
import HILRules

/// `hil watch`: the page of a run in progress, on a port of this machine, as long as the command runs.
struct WatchCommand: Sendable {
    /// The shortest time between two updates of the page, in milliseconds.
    private static let pause: Int32 = 300
    /// The longest silence towards a page, in milliseconds: sending shows whether it was closed.
    private static let silence: Int32 = 5000

    let request: Request.Watching
    /// The folder of the runs' folders.
    let results: String
    /// The package's folder.
    let root: String
    let rules: [Rule]
    /// Called with a line to print.
    let say: @Sendable (String) -> Void

    /// Serves until the interruption comes.
    func run(until interruption: Interruption) async throws {
        signal(SIGPIPE, SIG_IGN)
        let folder = try find()
        let server = try serve(LiveRun(folder: folder))
        defer { server.close() }
        say(server.gate.address)
        say("The page of \(folder) is served while this command runs; end it with Ctrl-C.")
        try? await interruption.wait()
    }

    /// The folder of the run, without links.
    private func find() throws(UsageError) -> String {
        let name = request.run ?? "latest"
        let places = [name, "\(results)/\(name)"]
        guard let found = places.first(where: { FileManager.default.fileExists(atPath: "\($0)/events.jsonl") }),
            let real = realpath(found, nil)
        else {
            throw UsageError(description: "there is no run “\(name)” in \(results) to watch; begin one with `hil run`")
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Begins to serve a run.
    func serve(_ live: LiveRun) throws -> LoopbackServer {
        let documents = try PageDocuments.get()
        let news = LiveNews(results: results)
        return try LoopbackServer(port: request.port, icon: documents.icon) { [self] request, path in
            guard request.method == "GET" else { return .whole(.told(405)) }
            live.advance()
            switch path {
            case [], ["index.html"]:
                let page = page(of: live, news).document(in: documents)
                return .whole(HTTPResponse(200, "text/html; charset=utf-8", page))
            case ["live"]: return .stream("text/event-stream") { follow(live, news, $0, in: documents) }
            default: return .whole(file(path, of: live))
            }
        }
    }

    private func page(of live: LiveRun, _ news: LiveNews) -> Page {
        let record = live.record
        var page = Page(
            [Page.Source(record)], news: news.page(of: record), rules: RunPage.rules(rules), root: root)
        page.isLive = !live.isOver
        return page
    }

    /// A file of the run. Those of a running scenario contain its lines so far.
    private func file(_ path: [String], of live: LiveRun) -> HTTPResponse {
        let script = "text/javascript; charset=utf-8"
        if path.count > 1, let name = path.last, ["scenario.js", "lanes.js"].contains(name) {
            let running = live.record.entries.first { $0.info.folder == path[0] && $0.result == nil }
            if let identifier = running?.info.identifier, let story = live.story(of: identifier) {
                let record = live.record(with: identifier)
                let bytes =
                    name == "scenario.js"
                    ? record[identifier].map { ScenarioPart($0, of: record, root: root).script } ?? []
                    : LanesScript.bytes(Data(RunningTimeline.json(of: identifier, story: story)))
                return HTTPResponse(200, script, bytes)
            }
        }
        return RunFiles(folder: live.folder).response(path)
    }

    /// Sends the page what is new, until the run has ended or the page is gone.
    private func follow(
        _ live: LiveRun, _ told: LiveNews, _ stream: LoopbackServer.Stream, in documents: PageDocuments
    ) {
        do throws(SystemError) {
            let news = try FileNews(of: "\(live.folder)/events.jsonl")
            var known = -1
            while true {
                let lines = live.advance()
                if lines != known {
                    known = lines
                    let data = page(of: live, told).data(in: documents)
                    try stream.send(Array("event: index\ndata: ".utf8) + data + Array("\n\n".utf8))
                    if live.isOver { return }
                    // Several lines come at once, and a page cannot draw each.
                    usleep(UInt32(WatchCommand.pause) * 1000)
                }
                if !news.wait(milliseconds: WatchCommand.silence) { try stream.send(Array(": still here\n\n".utf8)) }
            }
        } catch {}
    }
}
