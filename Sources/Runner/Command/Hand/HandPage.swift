import Foundation
import HIL
import HILPOSIX
import HILReports
import HILTiming
import Synchronization

/// The page that tells a person with a real phone what to do, and takes their answers. It is on a local address, with a
/// secret in it.
final class HandPage: Sendable {
    /// The longest silence towards a page, in seconds: sending shows whether it was closed.
    private static let silence = 5.0

    /// The answers that came, in order.
    let replies = EventLog<HandReply>(keepingAtMost: 100)
    private let document: [UInt8]
    private let feed = PlayFeed()
    /// The files of the picture that is shown, and the number of its turn.
    private let picture = Mutex((number: 0, files: [String: String]()))
    private let server = Mutex(LoopbackServer?.none)

    /// Begins to serve.
    ///
    /// - Returns: The page, and its address.
    static func open() throws -> (HandPage, address: String) {
        let documents = try PageDocuments.get()
        let page = HandPage(documents.hand)
        let server = try LoopbackServer(port: 0, icon: documents.icon) { [page] request, path in
            page.answer(request, path)
        }
        page.server.withLock { $0 = server }
        return (page, server.gate.address)
    }

    private init(_ document: [UInt8]) { self.document = document }

    /// Shows what is said or asked.
    ///
    /// - Parameter folder: The folder of the pictures.
    func show(_ turn: HandTurn, in folder: String) {
        picture.withLock { picture in
            let files = turn.picture.map { ["light": "\(folder)/\($0.light)", "dark": "\(folder)/\($0.dark)"] }
            picture = (turn.number, files ?? [:])
        }
        feed.set("turn", turn)
    }

    func close() {
        feed.close()
        server.withLock { $0 }?.close()
    }

    private func answer(_ request: HTTPRequest, _ path: [String]) -> LoopbackServer.Answer {
        if request.method == "POST" { return .whole(path == ["answer"] ? take(request) : .told(404)) }
        switch path {
        case [], ["index.html"]: return .whole(HTTPResponse(200, "text/html; charset=utf-8", document))
        case ["live"]: return .stream("text/event-stream") { self.follow($0) }
        default: return .whole(drawing(path) ?? .told(404))
        }
    }

    private func take(_ request: HTTPRequest) -> HTTPResponse {
        guard let reply = try? JSONDecoder().decode(HandReply.self, from: Data(request.body)) else {
            return .told(400)
        }
        replies.append(reply)
        return .told(204)
    }

    /// The picture of the turn that is shown, `picture/NUMBER/light`; nil for another path.
    private func drawing(_ path: [String]) -> HTTPResponse? {
        guard path.count == 3, path[0] == "picture" else { return nil }
        let file = picture.withLock { "\($0.number)" == path[1] ? $0.files[path[2]] : nil }
        guard let bytes = file.flatMap({ FileManager.default.contents(atPath: $0) }) else { return nil }
        return HTTPResponse(200, "image/svg+xml", bytes)
    }

    private func follow(_ stream: LoopbackServer.Stream) {
        feed.listen { listener in
            var cursor = PlayFeed.Cursor()
            do throws(SystemError) {
                while let news = feed.news(since: &cursor, listener, seconds: HandPage.silence) {
                    try stream.send(Array(news.utf8))
                }
            } catch {}
        }
    }
}
